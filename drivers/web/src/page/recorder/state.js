// Who acts: the device, whose events pass, or somebody else, whose events are stopped and handed
// over. Runs in the collector's world in every frame, before the collector: nothing of the page
// hears an event before it is stopped here, and nothing of the page can call what is here.

const isTop = window === window.top;
/// The recorder of the top document; `null` in a frame of another origin.
const home = () => {
  if (isTop) return api;
  try {
    return window.top[config.name] ?? null;
  } catch {
    return null;
  }
};
// What the device is doing, if it is doing something: only that passes, and only the device can say
// so. What somebody else does at the same time is handed over, as ever.
let ours = null;
/// Whether a tool made the event with a script in a world of its own. What the page calls is not
/// shown to this world, so no page can look like one.
const isOfTool = () => {
  const calls = new Error().stack.split('\n').slice(1);
  return calls.some(call => !call.includes(config.scripts));
};
// The device dates its events to a moment that few others come from: see `stamp` of clock.rs.
const { every, after, near } = config.stamp;
const isStamped = event => {
  const moment = event.timeStamp + performance.timeOrigin - after + every / 2;
  return Math.abs((moment % every) - every / 2) < near;
};
const BEGINS = /^(pointer(down|up)|touch(start|end)|key|wheel)/;
/// Whether the device presses this key now: it presses them in their order, one at a time.
const isOurKey = event => {
  if (event.type !== 'keydown') return event.key === ours.key;
  if (event.key !== ours.keys[0]) return false;
  ours.key = ours.keys.shift();
  return true;
};
/// Whether an event is one that the device makes, or follows from one.
const isOurs = (event, isStamped) => {
  const isKey = event.type.startsWith('key');
  if (BEGINS.test(event.type)) return (ours.isLast = isStamped && (!isKey || isOurKey(event)));
  if (event.type === 'beforeinput' && ours.texts[0] === event.data) {
    // A text without keys has no date of its own.
    ours.texts.shift();
    return (ours.isLast = true);
  }
  return isStamped || ours.isLast;
};
const passes = event => {
  const top = home();
  if (!top?.isOpen()) return !event.isTrusted && !isOfTool();
  return !event.isTrusted || top.isOurs(event, isStamped(event));
};
/// The page does not hear of it; the browser does what it does by itself.
const hush = event => event.stopImmediatePropagation();
/// Neither the page nor the browser does anything about it.
const stop = event => {
  event.stopImmediatePropagation();
  if (event.cancelable) event.preventDefault();
};
/// The innermost element that an event is about.
const innermost = event => {
  const node = event.composedPath()[0];
  return node?.nodeType === 1 ? node : document.documentElement;
};
/// The element around one, out of shadow trees and slots.
const around = node => node.assignedSlot || node.parentNode || node.host || null;

// What was handed over, by its number, until the device asks for its elements.
const MOST_KEPT = 200,
  LONGEST_LABEL = 40;
let count = 0;
const kept = new Map();
// The same element has the same number.
const numbered = new WeakMap();
let countOfNodes = 0;
const numberOf = node => {
  if (!node) return 0;
  if (!numbered.has(node)) numbered.set(node, ++countOfNodes);
  return numbered.get(node);
};
const say = gesture => window[config.say](JSON.stringify(gesture));
/// What an element is for a person who reads of it: only in messages.
const labelOf = node => {
  if (!node) return '';
  const text = (node.getAttribute('aria-label') || node.textContent || '').trim();
  const tag = node.localName;
  return text ? tag + ' "' + text.slice(0, LONGEST_LABEL).replace(/\s+/g, ' ') + '"' : tag;
};
const keep = (gesture, from, to) => {
  count++;
  kept.set(count, { from, to, trail: trail.splice(0) });
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
  say({ ...gesture, id: count, about: numberOf(from), label: labelOf(from) });
};
/// Where the frame is on the screen.
const frameOffset = () => {
  let x = 0,
    y = 0;
  for (let view = window; view !== view.parent; view = view.parent) {
    const frame = view.frameElement;
    const box = frame.getBoundingClientRect();
    x += box.left + frame.clientLeft;
    y += box.top + frame.clientTop;
  }
  return [x, y];
};
/// Hands over what somebody is about to do.
const hand = (gesture, from = null, to = null) => {
  const top = home();
  if (!top) {
    say({ kind: 'lack', what: 'frame', text: location.origin });
    return;
  }
  const [dx, dy] = frameOffset();
  for (const [key, by] of [
    ['x', dx],
    ['y', dy],
    ['toX', dx],
    ['toY', dy],
  ])
    if (key in gesture) gesture[key] = Math.round(gesture[key] + by);
  top.keep(gesture, from, to);
};
const lack = (what, text = '', node = null) => hand({ kind: 'lack', what, text }, node);

// The elements that the pointer came to since the device last did something: what it is over may
// show what is clicked next.
const MOST_VISITED = 40;
const trail = [];
const enter = node => {
  trail.push(node);
  if (trail.length > MOST_VISITED) trail.shift();
};

// What is still to be handed over, in all frames: a text that is being typed, a wheel that turns.
const pending = new Set();
const flush = () => home()?.flushAll();
const flushSome = isMeant => {
  for (const one of pending) {
    try {
      if (isMeant(one)) one();
    } catch {
      // It was one of a frame that has gone.
      pending.delete(one);
    }
  }
};
const flushAll = () => flushSome(() => true);
/// Parts of which the first was handed over: the others follow it now.
const flushParts = () => flushSome(one => one.joins?.() === true);
