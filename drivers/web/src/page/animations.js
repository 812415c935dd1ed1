// Runs in the page's own world before anything of the page does, and before inject.js: animations
// and transitions that come to an end do so when the page's clock says so. The browser tells their
// beginning and their end with frames, and frames come when the machine has time for them: what
// follows an `animationend` would be at another time in every run. On its own because that is all
// that it does.
//
// An animation that we have taken stands still (its rate is SLOW), a timer ends it, and the events
// that go with it are ours; the browser's own are taken out. Nothing here leans on what a page
// could have changed.

const {
  document,
  performance,
  Animation,
  AnimationEvent,
  TransitionEvent,
  AnimationPlaybackEvent,
  CSSAnimation,
  CSSTransition,
  Document,
  Element,
  Event,
  EventTarget,
  MutationObserver,
  Object,
  Reflect,
  ShadowRoot,
  WeakMap,
  isFinite,
} = window;
if (!config.virtual || !Animation || !Document.prototype.getAnimations) return;
const call = Reflect.apply;
const own = Object.getOwnPropertyDescriptor;
const {
  addEventListener: listen,
  removeEventListener: unlisten,
  dispatchEvent: dispatch,
} = EventTarget.prototype;
const stop = Event.prototype.stopImmediatePropagation;
const { getAnimations } = Document.prototype;
const { getAnimations: ofShadow } = ShadowRoot.prototype;
const later = window.setTimeout,
  never = window.clearTimeout,
  soon = window.queueMicrotask;
const ticks = performance.now.bind(performance);
const { ceil, round, abs } = Math;
const { finish } = Animation.prototype;
const { animate } = Element.prototype;
const rate = own(Animation.prototype, 'playbackRate'),
  time = own(Animation.prototype, 'currentTime');
const state = own(Animation.prototype, 'playState');

// Those that we have taken; what was told that the browser will still tell, or the other way round;
// what the browser told first; and who wants to know of a finish.
let taken = [],
  told = [],
  held = [],
  finishers = [],
  roots = [];
// How far those were that we have given back, or that the page has moved.
const known = new WeakMap();
const { get: seen, set: note } = WeakMap.prototype;
const without = (list, item) => {
  const rest = [];
  for (let i = 0; i < list.length; i++) if (list[i] !== item) rest[rest.length] = list[i];
  return rest;
};
const recordOf = animation => {
  for (let i = 0; i < taken.length; i++) if (taken[i].animation === animation) return taken[i];
};
const now = record => {
  // The page's clock moves by whole milliseconds; a browser blurs what it says of it.
  const at = record.at + round(ticks() - record.since) * record.rate;
  return at < 0 ? 0 : at > record.end ? record.end : at;
};
/// How often something was told by us and not yet by the browser.
const balance = (target, type, name, pseudo, change) => {
  let entry;
  for (let i = 0; i < told.length && !entry; i++) {
    const { key } = told[i];
    if (key[0] === target && key[1] === type && key[2] === name && key[3] === pseudo)
      entry = told[i];
  }
  if (!entry) told[told.length] = entry = { key: [target, type, name, pseudo], count: 0 };
  entry.count += change;
  // What never comes to balance, because its element has gone, is forgotten after a while.
  if (entry.count === 0 || told.length > 500)
    told = without(told, entry.count === 0 ? entry : told[0]);
  return entry.count;
};
const send = (target, type, name, pseudo, elapsed) => {
  // Nobody can make an event of a time that is none.
  const elapsedTime = isFinite(elapsed) ? elapsed : 0;
  const init = { bubbles: true, cancelable: true, elapsedTime, pseudoElement: pseudo };
  const isTransition = type[0] === 't';
  init[isTransition ? 'propertyName' : 'animationName'] = name;
  balance(target, type, name, pseudo, 1);
  call(dispatch, target, [
    isTransition ? new TransitionEvent(type, init) : new AnimationEvent(type, init),
  ]);
};
const tell = (record, what, elapsed) => {
  const { prefix, target, name, pseudo } = record;
  if (prefix && target) send(target, prefix + what, name, pseudo, elapsed / 1000);
};
const at = (record, millis, act) => {
  const timer = later(
    () => {
      // A timer that was cleared while it was on its way.
      if (!record.gone) act();
    },
    ceil(millis - 0.01),
  );
  record.timers[record.timers.length] = timer;
};
/// Gives an animation back to the browser, as it would be now.
const release = (record, at) => {
  record.gone = true;
  taken = without(taken, record);
  for (let i = 0; i < record.timers.length; i++) never(record.timers[i]);
  const { animation } = record;
  call(note, known, [animation, at]);
  if (call(state.get, animation, []) === 'idle') return;
  call(rate.set, animation, [record.rate]);
  call(time.set, animation, [at]);
};
const end = record => {
  const { animation } = record;
  release(record, record.rate > 0 ? record.end : 0);
  try {
    call(finish, animation, []);
  } catch {}
  // Who waits for the promise hears first.
  soon(() => {
    tell(record, 'end', record.active);
    balance(animation, 'finish', '', '', 1);
    const init = {
      currentTime: animation.currentTime,
      timelineTime: document.timeline.currentTime,
    };
    call(dispatch, animation, [new AnimationPlaybackEvent('finish', init)]);
  });
};
/// Takes an animation; `as` says for which one it stands, if it stands for another.
const take = (animation, as) => {
  const { effect } = animation;
  const timing = effect && effect.getComputedTiming();
  const speed = call(rate.get, animation, []);
  // What follows scrolling has lengths that are no numbers.
  const isTimed =
    timing &&
    typeof timing.endTime === 'number' &&
    typeof timing.delay === 'number' &&
    isFinite(timing.endTime) &&
    isFinite(timing.delay);
  if (!isTimed || !speed || abs(speed) < 1e-6) return;
  const length = timing.endTime;
  // Not the browser's word for it: an animation may have begun with a frame, and frames are on the
  // machine's time.
  let begins = call(seen, known, [animation]);
  if (speed > 0 && !(begins < length)) begins = 0;
  if (speed < 0 && !(begins > 0 && begins < length)) begins = length;
  const isTransition = as
    ? as.prefix === 'transition'
    : CSSTransition && animation instanceof CSSTransition;
  const isAnimation = as ? !isTransition : CSSAnimation && animation instanceof CSSAnimation;
  const prefix = isTransition ? 'transition' : isAnimation ? 'animation' : '';
  const record = {
    animation,
    prefix,
    rate: speed,
    at: begins,
    since: ticks(),
    end: length,
    timers: [],
    gone: false,
    target: effect.target,
    pseudo: as ? as.pseudo : effect.pseudoElement || '',
    active: timing.activeDuration,
    name: as ? as.name : isTransition ? animation.transitionProperty : animation.animationName,
  };
  call(rate.set, animation, [speed * SLOW]);
  call(time.set, animation, [begins]);
  taken[taken.length] = record;
  const left = (speed > 0 ? length - begins : begins) / abs(speed);
  at(record, left, () => end(record));
  if (begins > 0 || speed < 0) return;
  if (isTransition) tell(record, 'run', 0);
  const starts = timing.delay / speed;
  if (starts > 0) at(record, starts, () => tell(record, 'start', 0));
  else tell(record, 'start', -timing.delay);
  for (
    let i = 1;
    i < timing.iterations && i < 100 && prefix === 'animation' && timing.duration > 0;
    i++
  ) {
    const boundary = timing.delay + i * timing.duration;
    if (boundary > 0)
      at(record, boundary / speed, () => tell(record, 'iteration', i * timing.duration));
  }
};

let isDue = false;
const due = () => {
  if (isDue) return;
  isDue = true;
  later(scan, 0);
};
const scan = () => {
  isDue = false;
  for (let n = 0; n < roots.length; n++) {
    const root = roots[n];
    if (root !== document && !root.isConnected) continue;
    const all = call(root === document ? getAnimations : ofShadow, root, []);
    for (let i = 0; i < all.length; i++) {
      const animation = all[i];
      const isRunning = call(state.get, animation, []) === 'running';
      if (isRunning && !recordOf(animation) && animation.timeline === document.timeline)
        take(animation);
    }
  }
  const before = taken;
  for (let i = 0; i < before.length; i++) {
    const record = before[i];
    const is = call(state.get, record.animation, []);
    if (is === 'idle') {
      release(record);
      tell(record, 'cancel', now(record));
    } else if (is === 'paused') release(record, now(record));
  }
  const first = held;
  held = [];
  // One that the browser has begun and ended before we came: a frame on the machine's time was a
  // long one for it. It takes its time all the same, in the place of which something that does
  // nothing takes as long.
  for (let i = 0; i < first.length; i++) {
    const { target, type, name, pseudo, elapsed } = first[i];
    const isEnd = type === 'transitionend' || type === 'animationend';
    if (
      !isEnd ||
      elapsed < 0.001 ||
      !target.isConnected ||
      balance(target, type, name, pseudo, 0) >= 0
    )
      continue;
    const prefix = type[0] === 't' ? 'transition' : 'animation';
    take(call(animate, target, [null, elapsed * 1000]), { prefix, name, pseudo });
    first[i].isTaken = true;
  }
  for (let i = 0; i < first.length; i++) {
    const { target, type, name, pseudo, elapsed } = first[i];
    // Unless it was told meanwhile.
    if (!first[i].isTaken && balance(target, type, name, pseudo, 0) < 0)
      send(target, type, name, pseudo, elapsed);
  }
};
const hear = event => {
  if (!event.isTrusted) return;
  const { type, target } = event;
  // One that follows something else than time, such as scrolling, may have no time: it is none of
  // ours.
  if (!isFinite(event.elapsedTime)) return;
  const name = type[0] === 't' ? event.propertyName : event.animationName;
  const pseudo = event.pseudoElement;
  if (type === 'animationiteration') {
    let isTaken = balance(target, type, name, pseudo, 0) > 0;
    for (let i = 0; i < taken.length; i++)
      isTaken ||= taken[i].target === target && taken[i].name === name;
    // Those without end are the browser's.
    if (!isTaken) return;
  }
  call(stop, event, []);
  if (balance(target, type, name, pseudo, -1) >= 0) return;
  held[held.length] = { target, type, name, pseudo, elapsed: event.elapsedTime };
  due();
};
const observer = new MutationObserver(due);
const observe = MutationObserver.prototype.observe;
/// Takes the browser's events out, in the document or in a shadow tree: those do not hear of one
/// another.
const guard = root => {
  roots[roots.length] = root;
  call(observe, observer, [root, { subtree: true, childList: true, attributes: true }]);
  const types = [
    'animationstart',
    'animationiteration',
    'animationend',
    'animationcancel',
    'transitionrun',
    'transitionstart',
    'transitionend',
    'transitioncancel',
  ];
  const place = root === document ? window : root;
  for (let i = 0; i < types.length; i++) call(listen, place, [types[i], hear, true]);
};
guard(document);
const { attachShadow } = Element.prototype;
Object.defineProperty(Element.prototype, 'attachShadow', {
  ...own(Element.prototype, 'attachShadow'),
  value: {
    attachShadow(init) {
      const root = call(attachShadow, this, [init]);
      // A page may make any number of them; all are too many to look into after every change.
      if (roots.length < 300) guard(root);
      due();
      return root;
    },
  }.attachShadow,
});

// What may begin one.
const causes = [
  'pointerover',
  'pointerout',
  'pointerdown',
  'pointerup',
  'keydown',
  'keyup',
  'focusin',
  'focusout',
  'input',
  'change',
  'scroll',
  'load',
  'DOMContentLoaded',
  'resize',
  'hashchange',
  'visibilitychange',
  'fullscreenchange',
];
for (let i = 0; i < causes.length; i++)
  call(listen, window, [causes[i], due, { capture: true, passive: true }]);
const wrap = (object, name, before) => {
  const native = object[name];
  if (!native) return;
  const wrapped = {
    [name](...args) {
      before(this);
      due();
      const made = call(native, this, args);
      // At once: the next frame may come before we look.
      const animation = name === 'animate' ? made : this;
      const isRunning = call(state.get, animation, []) === 'running';
      if (isRunning && !recordOf(animation) && animation.timeline === document.timeline)
        take(animation);
      return made;
    },
  }[name];
  Object.defineProperty(object, name, { value: wrapped, writable: true, configurable: true });
};
const give = animation => {
  const record = recordOf(animation);
  if (record) release(record, now(record));
};
wrap(Element.prototype, 'animate', () => {});
const methods = [
  'play',
  'pause',
  'reverse',
  'finish',
  'updatePlaybackRate',
  'persist',
  'commitStyles',
];
for (let i = 0; i < methods.length; i++) wrap(Animation.prototype, methods[i], give);
const accessors = [['playbackRate', record => record.rate], ['currentTime', now], ['startTime']];
for (let i = 0; i < accessors.length; i++) {
  const [name, read] = accessors[i];
  const native = own(Animation.prototype, name);
  Object.defineProperty(Animation.prototype, name, {
    ...native,
    get() {
      const record = read && recordOf(this);
      return record ? read(record) : call(native.get, this, []);
    },
    set(value) {
      give(this);
      due();
      call(native.set, this, [value]);
      if (name === 'currentTime') call(note, known, [this, +value || 0]);
    },
  });
}
// The browser tells a finish with a frame, too.
const isRepeated = (event, animation) =>
  event.isTrusted && balance(animation, 'finish', '', '', 0) > 0;
const finisher = (animation, listener, options) => event => {
  if (isRepeated(event, animation)) return;
  if (typeof listener === 'function') call(listener, animation, [event]);
  else if (listener) listener.handleEvent(event);
  if (options && options.once)
    call(unlisten, animation, ['finish', found(animation, listener), options]);
};
const found = (animation, listener) => {
  for (let i = 0; i < finishers.length; i++) {
    const known = finishers[i];
    if (known.animation === animation && known.listener === listener) return known.wrapped;
  }
};
const method = (name, value) =>
  Object.defineProperty(Animation.prototype, name, { value, writable: true, configurable: true });
method('addEventListener', function addEventListener(type, listener, options) {
  if (type !== 'finish' || !listener || found(this, listener))
    return call(listen, this, [type, listener, options]);
  const wrapped = finisher(this, listener, options);
  finishers[finishers.length] = { animation: this, listener, wrapped };
  if (finishers.length > 500) finishers = without(finishers, finishers[0]);
  return call(listen, this, [type, wrapped, options && options.capture]);
});
method('removeEventListener', function removeEventListener(type, listener, options) {
  const wrapped = type === 'finish' && found(this, listener);
  return call(unlisten, this, [type, wrapped || listener, options]);
});
const onfinish = own(Animation.prototype, 'onfinish');
Object.defineProperty(Animation.prototype, 'onfinish', {
  ...onfinish,
  set(listener) {
    const wrapped = typeof listener === 'function' ? finisher(this, listener) : listener;
    call(onfinish.set, this, [wrapped]);
  },
});

// Before the collector looks: everything that moves is where it should be by now.
call(listen, document, [
  config.channel + '-look',
  () => {
    for (let i = 0; i < taken.length; i++) call(time.set, taken[i].animation, [now(taken[i])]);
  },
]);
