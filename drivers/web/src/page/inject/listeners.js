// Tells the collector who listens to what, and what the page hears of with a frame only.
// Who listens to what. Worlds share nodes and nothing else, so an event carries the node across.
const kinds = {
  __proto__: null,
  click: CLICK,
  // Only who records wants to know of these, and the others have no bit to spare for them.
  dblclick: config.records ? CLICK | DOUBLE : CLICK,
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
    else if (type === 'dblclick' && config.records) tell(null, DOUBLE);
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
// Closed shadow trees, which nobody else may look into. A node that the collector knows stands in
// a new one for a moment, before the page has it: from that node, the collector finds the tree.
const marker = document.createElement('i');
tell(marker, MARKER);
const { attachShadow, remove } = Element.prototype;
const modeOf = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'mode').get;
const appendTo = DocumentFragment.prototype.append;
define(
  Element.prototype,
  'attachShadow',
  {
    attachShadow(...args) {
      const root = call(attachShadow, this, args);
      if (call(modeOf, root, []) === 'closed') {
        call(appendTo, root, [marker]);
        tell(null, CLOSED);
        call(remove, marker, []);
      }
      // No mutation tells of it, and what is in the element may not be drawn any more.
      if (this.isConnected) tell(this, ATTACHED);
      return root;
    },
  }.attachShadow,
);
// What the page and its workers say to one another: no message of the browser tells. A worker that
// is made may say something unasked.
const posting = object => {
  const own = object.postMessage;
  define(
    object,
    'postMessage',
    {
      postMessage(...args) {
        tell(null, POSTED);
        return call(own, this, args);
      },
    }.postMessage,
  );
};
const conversing = (name, port) => {
  const made = window[name];
  if (typeof made !== 'function') return;
  const received = () => tell(null, RECEIVED);
  const construct = (target, args, self) => {
    const worker = Reflect.construct(target, args, self);
    tell(null, POSTED | MADE);
    call(listen, port(worker), ['message', received]);
    call(listen, worker, ['error', received]);
    if (port(worker) !== worker) posting(port(worker));
    return worker;
  };
  define(window, name, new Proxy(made, { construct }));
};
if (window.Worker) posting(Worker.prototype);
conversing('Worker', worker => worker);
conversing('SharedWorker', worker => worker.port);
