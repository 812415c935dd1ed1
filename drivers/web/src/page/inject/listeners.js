// Tells the collector who listens to what, and what the page hears of with a frame only.
// Who listens to what. Worlds share nodes and nothing else, so an event carries the node across.
const kinds = {
  __proto__: null,
  click: CLICK,
  dblclick: CLICK,
  mousedown: CLICK | PRESS,
  mouseup: CLICK,
  pointerdown: CLICK | PRESS,
  pointerup: CLICK,
  touchstart: CLICK | PRESS,
  touchend: CLICK,
  contextmenu: MENU,
  dragstart: DRAG,
  mouseover: HOVER,
  mouseenter: HOVER,
  pointerover: HOVER,
  pointerenter: HOVER,
};
const tell = (node, bits) => {
  try {
    const inside = node && node.isConnected && node.getRootNode() instanceof ShadowRoot;
    const init = { screenX: bits, relatedTarget: node, composed: true };
    call(dispatch, inside ? node : document, [new MouseEvent(config.channel, init)]);
  } catch {}
};
// What a page hears of with a frame only: when something on it moves, or when anything changes.
const comesWithFrames = {
  __proto__: null,
  scroll: MOVES,
  scrollend: MOVES,
  resize: MOVES,
  change: MOVES,
  select: FRAME,
  fullscreenchange: FRAME,
};
const listen = EventTarget.prototype.addEventListener;
define(
  EventTarget.prototype,
  'addEventListener',
  function addEventListener(type, listener, options) {
    const kind = kinds[type];
    if (kind && listener && this instanceof Element) tell(this, kind);
    else if (type === 'wheel' || type === 'mousewheel') tell(null, WHEEL);
    else if (comesWithFrames[type] && (type !== 'change' || this instanceof MediaQueryList))
      tell(null, comesWithFrames[type]);
    return call(listen, this ?? window, [type, listener, options]);
  },
);
for (const type of [
  'click',
  'dblclick',
  'mousedown',
  'mouseup',
  'pointerdown',
  'pointerup',
  'touchstart',
  'touchend',
  'contextmenu',
  'dragstart',
]) {
  const own = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'on' + type);
  if (!own || !own.set) continue;
  Object.defineProperty(HTMLElement.prototype, 'on' + type, {
    ...own,
    set(listener) {
      if (listener) tell(this, kinds[type]);
      call(own.set, this, [listener]);
    },
  });
}
// What the collector must know of to settle well: things that wait for frames, and things that wait
// for somebody outside of the page's clock.
const noticed = (names, bits) => {
  for (const name of names) {
    const made = window[name];
    if (typeof made !== 'function') continue;
    define(
      window,
      name,
      new Proxy(made, {
        construct(target, args, self) {
          tell(null, bits);
          return Reflect.construct(target, args, self);
        },
      }),
    );
  }
};
noticed(['ResizeObserver', 'IntersectionObserver'], FRAME);
for (const [object, name, bits] of [
  [MediaQueryList.prototype, 'addListener', MOVES],
  [HTMLImageElement.prototype, 'decode', FRAME],
  [HTMLVideoElement.prototype, 'requestVideoFrameCallback', FRAME],
]) {
  const own = object[name];
  if (own)
    define(
      object,
      name,
      {
        [name](...args) {
          tell(null, bits);
          return call(own, this, args);
        },
      }[name],
    );
}
// Smooth scrolling takes as many frames as the machine has time for: where they are drawn on
// command, it is at its end at once. The collector does the same for what styles make smooth.
if (config.onCommand)
  for (const [object, names] of [
    [window, ['scroll', 'scrollTo', 'scrollBy']],
    [Element.prototype, ['scroll', 'scrollTo', 'scrollBy', 'scrollIntoView']],
  ]) {
    for (const name of names) {
      const own = object[name];
      define(
        object,
        name,
        {
          [name](...args) {
            if (args.length === 1 && args[0]?.behavior === 'smooth')
              args[0] = { ...args[0], behavior: 'instant' };
            return call(own, this ?? window, args);
          },
        }[name],
      );
    }
  }
for (const object of [
  window,
  Document.prototype,
  HTMLElement.prototype,
  MediaQueryList.prototype,
]) {
  for (const [name, bits] of [
    ['onchange', object === MediaQueryList.prototype ? MOVES : 0],
    ['onscroll', MOVES],
    ['onresize', MOVES],
    ['onwheel', WHEEL],
  ]) {
    const own = Object.getOwnPropertyDescriptor(object, name);
    if (own && own.set)
      Object.defineProperty(object, name, {
        ...own,
        set(listener) {
          if (listener) tell(null, bits);
          call(own.set, this, [listener]);
        },
      });
  }
}
noticed(['Worker', 'SharedWorker', 'RTCPeerConnection'], TRAFFIC);
