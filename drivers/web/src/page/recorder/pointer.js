// Mice, pens and fingers: which gesture the events of one press are.

const FAR = { mouse: 6, pen: 8, touch: 12 };
const LONG_PRESS = 500,
  DOUBLE_CLICK = 500,
  FLICK = 300;
// The press that is going on, the fingers that are down, and a click that may become a double one.
let press = null,
  isConcluded = false,
  held = null;
const fingers = new Map();

// Elements whose own lists and pickers a person uses: the browser shows them, and what is chosen
// there is handed over when it is chosen.
const PICKERS = /^(range|date|time|datetime-local|month|week|color|file)$/;
const isPicker = node =>
  (node.localName === 'input' && PICKERS.test(node.type) && !node.disabled) ||
  (config.isPerson && node.localName === 'select' && !node.multiple && node.size <= 1);

// Who listens to double clicks: only there does a click wait for a second one.
const doubles = new WeakSet();
let isDoubleEverywhere = false;
window.addEventListener(
  config.channel,
  event => {
    if (!(event.screenX & DOUBLE)) return;
    const node = event.composedPath()[0]?.nodeType === 1 ? event.composedPath()[0] : event.relatedTarget;
    if (node) doubles.add(node);
    else isDoubleEverywhere = true;
  },
  true,
);
const hearsDoubles = node => {
  if (isDoubleEverywhere) return true;
  for (let up = node; up; up = around(up))
    if (doubles.has(up) || up.hasAttribute?.('ondblclick')) return true;
  return false;
};

const place = event => ({ x: event.clientX, y: event.clientY });
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
const release = () => {
  if (!held) return;
  clearTimeout(held.timer);
  const { node, x, y, time } = held;
  held = null;
  hand({ kind: 'click', x, y, hearsDoubles: true, time }, node);
};
release.joins = () => true;
const click = (node, at, time) => {
  if (held) {
    const isSecond = time - held.time < DOUBLE_CLICK && distance(held, at) <= FAR.touch;
    if (isSecond) {
      clearTimeout(held.timer);
      held = null;
      hand({ kind: 'double', ...at }, node);
      return;
    }
    release();
  }
  if (!hearsDoubles(node)) {
    hand({ kind: 'click', ...at }, node);
    return;
  }
  held = { node, ...at, time, timer: setTimeout(release, config.pauses.double) };
};

/// What is at a point: a press that moves belongs to the element where it began.
const hitAt = (x, y) => {
  let hit = document.elementFromPoint(x, y);
  for (let inner; hit?.shadowRoot && (inner = hit.shadowRoot.elementFromPoint(x, y)); ) {
    if (inner === hit) break;
    hit = inner;
  }
  return hit;
};

/// A press that moved: it drags, scrolls or swipes.
const drag = (began, at, time) => {
  const dx = at.x - began.x,
    dy = at.y - began.y;
  const isFinger = began.type === 'touch';
  const scroller = isFinger && scrollerOf(began.node, -dx, -dy);
  if (scroller) {
    hand({ kind: 'scroll', x: began.x, y: began.y, dx: -dx, dy: -dy }, scroller);
    return;
  }
  const isFlick = isFinger && time - began.time < FLICK;
  const gesture = { kind: isFlick ? 'flick' : 'drag', x: began.x, y: began.y, toX: at.x, toY: at.y };
  hand({ ...gesture, dx, dy }, began.node, hitAt(at.x, at.y));
};

const conclude = event => {
  const began = press;
  press = null;
  isConcluded = true;
  if (!began || began.isNative) return;
  const at = place(event);
  const { node, button } = began;
  if (began.isPinch) return;
  if (button === 3) hand({ kind: 'back' });
  else if (button === 4) lack('forward');
  else if (button === 1) lack('button', '', node);
  else if (button === 2) return;
  else if (began.alt) hand({ kind: 'expect', ...at }, node);
  else if (began.modifier) lack('modifier', began.modifier, node);
  else if (began.far > FAR[began.type]) drag(began, at, event.timeStamp);
  else if (event.timeStamp - began.time >= LONG_PRESS) hand({ kind: 'press', ...at }, node);
  else click(node, { x: began.x, y: began.y }, event.timeStamp);
};

/// Two fingers are one gesture, of which the first is no longer one of its own.
const pinch = event => {
  const [first, second] = [...fingers.values()];
  if (press) press.isPinch = true;
  const began = distance(first, second),
    ended = distance(first.last, second.last);
  const gesture = { kind: 'pinch', x: first.x, y: first.y, toX: second.x, toY: second.y };
  if (ended < began) hand(gesture);
  else if (ended > began) lack('spread');
  else lack('fingers');
  fingers.clear();
};

const modifierOf = event =>
  event.ctrlKey ? 'Control' : event.metaKey ? 'Meta' : event.shiftKey ? 'Shift' : '';

const pointerHandlers = {
  pointerdown(event) {
    if (passes(event)) return;
    hush(event);
    const node = innermost(event);
    const at = place(event);
    if (event.pointerType === 'touch') fingers.set(event.pointerId, { ...at, last: at });
    if (!event.isPrimary) return;
    const isSame = held && distance(held, at) <= FAR.touch;
    if (!isSame) flush();
    else for (const one of pending) if (one !== release) one();
    isConcluded = false;
    const isNative = isPicker(node) && event.button === 0 && !event.altKey;
    if (isNative) remember(node);
    press = {
      ...at,
      node,
      isNative,
      button: event.button,
      alt: event.altKey,
      modifier: modifierOf(event),
      type: event.pointerType in FAR ? event.pointerType : 'mouse',
      time: event.timeStamp,
      far: 0,
      isPinch: false,
    };
  },
  pointermove(event) {
    if (passes(event)) return;
    const finger = fingers.get(event.pointerId);
    if (finger) finger.last = place(event);
    if (held && !press && distance(held, place(event)) > FAR.touch) release();
    if (!press) return;
    hush(event);
    if (event.isPrimary) press.far = Math.max(press.far, distance(press, place(event)));
  },
  pointerup(event) {
    if (passes(event)) return;
    hush(event);
    if (fingers.size >= 2) pinch(event);
    fingers.delete(event.pointerId);
    if (event.isPrimary) conclude(event);
  },
  pointercancel(event) {
    if (passes(event)) return;
    hush(event);
    fingers.delete(event.pointerId);
    if (event.isPrimary) press = null;
  },
  pointerover(event) {
    if (passes(event)) return;
    if (press) hush(event);
    else if (event.pointerType === 'mouse') home()?.enter(innermost(event));
  },
  // A control that shows a picker of its own is pressed as ever; everything else stands still.
  mousedown(event) {
    if (passes(event)) return;
    if (press?.isNative) hush(event);
    else stop(event);
  },
  click(event) {
    if (passes(event)) return;
    // A list of the browser's own that closes clicks its control, without a press.
    if (press?.isNative || isPicker(innermost(event))) {
      hush(event);
      isConcluded = false;
      return;
    }
    stop(event);
    // A click without a press: somebody's program did it for a person who cannot press.
    if (!isConcluded) click(innermost(event), place(event), event.timeStamp);
    isConcluded = false;
  },
  contextmenu(event) {
    if (passes(event)) return;
    stop(event);
    if (event.button === 2) hand({ kind: 'menu', ...place(event) }, innermost(event));
  },
};
for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel', 'mouseup', 'auxclick', 'dblclick', 'dragstart'])
  pointerHandlers[type] = event => {
    if (passes(event)) return;
    if (press?.isNative) hush(event);
    else stop(event);
  };
// What follows a pointer is heard as long as nothing is pressed: what is shown under it is needed.
for (const type of ['mousemove', 'mouseover', 'mouseout', 'mouseenter', 'mouseleave', 'pointerout', 'pointerenter', 'pointerleave'])
  pointerHandlers[type] = event => {
    if (press && !passes(event)) hush(event);
  };
pending.add(release);

// The wheel, whose turns are merged.
let turn = null;
const LINE = 16;
/// The innermost element around that can be scrolled this way.
const scrollerOf = (node, dx, dy) => {
  const along = Math.abs(dx) > Math.abs(dy) ? 'x' : 'y';
  for (let up = node; up; up = around(up)) {
    if (up.nodeType !== 1) continue;
    const isRoot = up === document.documentElement;
    const page = isRoot ? document.scrollingElement || up : up;
    const style = getComputedStyle(up);
    const overflow = along === 'x' ? style.overflowX : style.overflowY;
    if (!isRoot && !/auto|scroll/.test(overflow)) continue;
    if (isRoot && /hidden|clip/.test(overflow)) continue;
    const [at, size, shown, by] =
      along === 'x'
        ? [page.scrollLeft, page.scrollWidth, page.clientWidth, dx]
        : [page.scrollTop, page.scrollHeight, page.clientHeight, dy];
    if (by > 0 ? at + shown < size - 1 : at > 0) return up;
  }
  return null;
};
/// How far a turn can scroll at most: tools turn by a million to get to the end.
const roomOf = (node, along, by) => {
  const page = node === document.documentElement ? document.scrollingElement || node : node;
  const [at, size, shown] =
    along === 'dx'
      ? [page.scrollLeft, page.scrollWidth, page.clientWidth]
      : [page.scrollTop, page.scrollHeight, page.clientHeight];
  const all = Math.max(size - shown, 0);
  // What runs from right to left counts down from zero.
  const before = at < 0 ? all + at : at;
  return Math.max(by > 0 ? all - before : before, 0);
};
const endTurn = () => {
  if (!turn) return;
  const { node, x, y, timer } = turn;
  const along = Math.abs(turn.dx) > Math.abs(turn.dy) ? 'dx' : 'dy';
  const by = turn[along];
  clearTimeout(timer);
  turn = null;
  const length = Math.min(Math.abs(by), roomOf(node, along, by));
  if (length > 0) hand({ kind: 'scroll', x, y, [along]: Math.sign(by) * length }, node);
};
endTurn.joins = () => true;
pending.add(endTurn);
pointerHandlers.wheel = event => {
  if (passes(event)) return;
  stop(event);
  if (event.ctrlKey) {
    lack('zoom');
    return;
  }
  const unit = event.deltaMode === 1 ? LINE : event.deltaMode === 2 ? innerHeight : 1;
  const dx = event.deltaX * unit,
    dy = event.deltaY * unit;
  const inner = innermost(event);
  const node = scrollerOf(inner, dx, dy);
  if (!node) {
    if (!turn) hand({ kind: 'wheel', ...place(event) }, inner);
    return;
  }
  if (turn && turn.node !== node) endTurn();
  turn ??= { node, ...place(event), dx: 0, dy: 0, timer: 0 };
  turn.dx += dx;
  turn.dy += dy;
  clearTimeout(turn.timer);
  turn.timer = setTimeout(endTurn, config.pauses.wheel);
};
