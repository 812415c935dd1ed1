// Runs in the page's own world before anything of the page does: makes chance and time come from us, and
// tells the collector which elements listen to what. Everything it needs of the page's globals is taken now,
// because the page may change them later.
(config => {
  'use strict';
  const { document, Event, MouseEvent, EventTarget, Element, ShadowRoot, HTMLElement, MediaQueryList, Reflect, Object, Promise } = window;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const call = Reflect.apply;
  const { then } = Promise.prototype;

  // Chance: SplitMix64 would need BigInt; this is Mulberry32, one stream for each document. `now` makes the
  // stream of a page that is loaded again another one, as far as time has passed. A document that is gone back to may
  // begin some requests' time sooner or later: most events end at multiples of 50 ms, and so these are taken together.
  const native = Date;
  const clock = native.now.bind(native);
  const now = () => clock() - config.offset;
  const begun = Math.floor((now() + 20) / 50);
  let state = (config.seed ^ (config.virtual ? Math.imul(begun | 0, 0x9e3779b1) : 0)) >>> 0;
  const bits = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const define = (object, name, value) =>
    Object.defineProperty(object, name, { value, writable: true, configurable: true });
  define(Math, 'random', function random() {
    return bits() / 4294967296;
  });
  if (window.Crypto) {
    const fill = function getRandomValues(array) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let i = 0; i < bytes.length; i++) bytes[i] = bits();
      return array;
    };
    define(Crypto.prototype, 'getRandomValues', fill);
    if (Crypto.prototype.randomUUID) {
      define(Crypto.prototype, 'randomUUID', function randomUUID() {
        const bytes = fill(new Uint8Array(16));
        bytes[6] = (bytes[6] & 15) | 64;
        bytes[8] = (bytes[8] & 63) | 128;
        const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
        return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
      });
    }
  }

  // A page that can be zoomed by two taps hears of a single one 300 ms late, by a clock that is not ours to set. So none
  // can.
  if (config.touch && window.CSSStyleSheet) {
    const sheet = new CSSStyleSheet();
    // The weakest of rules: whatever the page says wins.
    sheet.insertRule('@layer { :where(html) { touch-action: manipulation } }');
    document.adoptedStyleSheets = [sheet];
  }

  // Requests that overtake each other, where that was asked for: each is sent a little later, by chance of its own, so
  // that the page's own chance stays what it was. Each waits for a slot, and while there are free ones for no other's: an
  // answer is there before the next slot, so the order of the slots is that of the answers.
  if (config.uneven) {
    const later = window.setTimeout, never = window.clearTimeout;
    const APART = 12, SLOTS = 6, taken = [];
    const { imul } = Math;
    let turn = ~state;
    const wait = () => {
      turn = imul(turn ^ (turn >>> 15), 0x2c1b3c6d) + 0x6d2b79f5 | 0;
      const time = now(), first = (time - time % APART) / APART + 1;
      let slot = first + (turn >>> 16) % SLOTS;
      for (let other = 1; taken[slot % SLOTS] === slot && other < SLOTS; other++) {
        slot = slot + 1 < first + SLOTS ? slot + 1 : first;
      }
      taken[slot % SLOTS] = slot;
      return slot * APART - time;
    };
    const { fetch: ask, XMLHttpRequest } = window;
    if (ask) define(window, 'fetch', function fetch(...args) {
      // What is to outlive the document cannot wait for it.
      if (args[1]?.keepalive || args[0]?.keepalive) return call(ask, this, args);
      return new Promise(resolve => later(() => resolve(call(ask, this, args)), wait()));
    });
    const { open, send, abort } = XMLHttpRequest.prototype;
    // The requests that wait for somebody, and the timer of each: one that is opened again or given up is not sent.
    const timers = new WeakMap();
    const timer = WeakMap.prototype.get, keep = WeakMap.prototype.set, drop = WeakMap.prototype.delete;
    const forget = request => {
      never(call(timer, timers, [request]));
      call(drop, timers, [request]);
    };
    define(XMLHttpRequest.prototype, 'open', { open(...args) {
      call(open, this, args);
      forget(this);
      if (args.length < 3 || args[2]) call(keep, timers, [this, 0]);
    } }.open);
    define(XMLHttpRequest.prototype, 'send', { send(...args) {
      if (call(timer, timers, [this]) !== 0) return call(send, this, args);
      call(keep, timers, [this, later(() => {
        call(drop, timers, [this]);
        call(send, this, args);
      }, wait())]);
    } }.send);
    define(XMLHttpRequest.prototype, 'abort', { abort() {
      forget(this);
      call(abort, this, []);
    } }.abort);
  }

  if (config.virtual) {
    // Time stands still while a page computes. One that asks for it again and again waits for it to pass: so it does.
    const PATIENT = 1000, AND_THEN = 10;
    let instant = 0, questions = 0, waited = 0;
    const wonder = () => {
      const time = clock();
      if (time !== instant) {
        instant = time;
        questions = 0;
      } else if (++questions > PATIENT && questions % AND_THEN === 0) waited++;
    };
    // The browser's virtual clock cannot be turned back; a reset turns it back here.
    const date = () => {
      wonder();
      return now() + waited;
    };
    const Shifted = new Proxy(native, {
      construct: (target, args, made) => Reflect.construct(target, args.length ? args : [date()], made),
      apply: () => new native(date()).toString(),
    });
    define(native, 'now', function now() {
      return date();
    });
    native.prototype.constructor = Shifted;
    define(window, 'Date', Shifted);
    // So does the other clock, which begins with the document, and the time that an event says it is from: real
    // input is from the machine's time, which is another one.
    const ticks = performance.now.bind(performance);
    const start = ticks();
    const origin = now();
    // It moves by whole milliseconds; what a browser says of it is blurred by chance.
    const round = Math.round;
    const passed = () => round(ticks() - start) + waited;
    const times = new WeakMap();
    const seen = WeakMap.prototype.get, note = WeakMap.prototype.set;
    const property = (object, name, get) => Object.defineProperty(object, name, { get, configurable: true, enumerable: true });
    define(Performance.prototype, 'now', function now() {
      wonder();
      return passed();
    });
    property(Performance.prototype, 'timeOrigin', () => origin);
    property(Event.prototype, 'timeStamp', function () {
      let time = call(seen, times, [this]);
      if (time === undefined) call(note, times, [this, (time = passed())]);
      return time;
    });
    // A cookie that lasts until a day on the page's calendar lasts as long on the browser's.
    const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
    const EXPIRES = /;\s*expires\s*=([^;]*)/i, LASTS = /;\s*max-age\s*=/i;
    const replace = String.prototype.replace, test = RegExp.prototype.test, parse = native.parse;
    Object.defineProperty(Document.prototype, 'cookie', {
      ...cookie,
      set(text) {
        text = String(text);
        if (!call(test, LASTS, [text])) {
          text = call(replace, text, [EXPIRES, (all, day) => {
            const left = parse(day) - now() - waited;
            return left === left ? '; max-age=' + Math.floor(left / 1000) : all;
          }]);
        }
        call(cookie.set, this, [text]);
      },
    });
    // Frames come when the machine has time for them; these come when the page's clock says so.
    const later = window.setTimeout;
    const never = window.clearTimeout;
    define(window, 'requestAnimationFrame', function requestAnimationFrame(callback) {
      return later(() => callback(passed()), 16);
    });
    define(window, 'cancelAnimationFrame', function cancelAnimationFrame(handle) {
      never(handle);
    });
    // When a browser has time is chance, too.
    define(window, 'requestIdleCallback', function requestIdleCallback(callback) {
      return later(() => callback({ didTimeout: false, timeRemaining: () => 10 }), 1);
    });
    define(window, 'cancelIdleCallback', function cancelIdleCallback(handle) {
      never(handle);
    });
    // A request takes 10 ms of the page's time. What came with the answer may be there before they have passed, as it
    // happens; then it comes after them.
    const ask = window.fetch;
    const TAKES = 10;
    const asked = new WeakMap();
    if (ask) define(window, 'fetch', function fetch(...args) {
      const time = passed();
      const answer = call(ask, this, args);
      // A promise of our own: who leaves a rejection alone is not helped by our listening to it.
      return new Promise((resolve, reject) => call(then, answer, [response => {
        call(note, asked, [response, time]);
        resolve(response);
      }, reject]));
    });
    for (const name of ['json', 'text', 'arrayBuffer', 'blob', 'bytes', 'formData']) {
      const read = window.Response && Response.prototype[name];
      if (!read) continue;
      define(Response.prototype, name, { [name]() {
        const time = call(seen, asked, [this]);
        const content = call(read, this, []);
        if (time === undefined) return content;
        return new Promise((resolve, reject) => call(then, content, [value => {
          const early = time + TAKES - passed();
          if (early > 0) later(() => resolve(value), early);
          else resolve(value);
        }, reject]));
      } }[name]);
    }
  }

  // Who listens to what. Worlds share nodes and nothing else, so an event carries the node across.
  const CLICK = 1, PRESS = 2, MENU = 4, DRAG = 8, HOVER = 16, FRAME = 1024, TRAFFIC = 2048, ASKED = 4096, ANSWERED = 8192, WHEEL = 16384, FOCUSES = 32768, MOVES = 65536;
  const kinds = {
    __proto__: null,
    click: CLICK, dblclick: CLICK, mousedown: CLICK | PRESS, mouseup: CLICK, pointerdown: CLICK | PRESS,
    pointerup: CLICK, touchstart: CLICK | PRESS, touchend: CLICK, contextmenu: MENU, dragstart: DRAG,
    mouseover: HOVER, mouseenter: HOVER, pointerover: HOVER, pointerenter: HOVER,
  };
  const tell = (node, bits) => {
    try {
      const inside = node && node.isConnected && node.getRootNode() instanceof ShadowRoot;
      const init = { screenX: bits, relatedTarget: node, composed: true };
      call(dispatch, inside ? node : document, [new MouseEvent(config.channel, init)]);
    } catch {}
  };
  // What a page hears of with a frame only: when something on it moves, or when anything changes.
  const comesWithFrames = { __proto__: null, scroll: MOVES, scrollend: MOVES, resize: MOVES, change: MOVES, select: FRAME,
    fullscreenchange: FRAME };
  const listen = EventTarget.prototype.addEventListener;
  define(EventTarget.prototype, 'addEventListener', function addEventListener(type, listener, options) {
    const kind = kinds[type];
    if (kind && listener && this instanceof Element) tell(this, kind);
    else if (type === 'wheel' || type === 'mousewheel') tell(null, WHEEL);
    else if (comesWithFrames[type] && (type !== 'change' || this instanceof MediaQueryList)) tell(null, comesWithFrames[type]);
    return call(listen, this ?? window, [type, listener, options]);
  });
  for (const type of ['click', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend', 'contextmenu', 'dragstart']) {
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
  // What the collector must know of to settle well: things that wait for frames, and things that wait for
  // somebody outside of the page's clock.
  const noticed = (names, bits) => {
    for (const name of names) {
      const made = window[name];
      if (typeof made !== 'function') continue;
      define(window, name, new Proxy(made, {
        construct(target, args, self) {
          tell(null, bits);
          return Reflect.construct(target, args, self);
        },
      }));
    }
  };
  noticed(['ResizeObserver', 'IntersectionObserver'], FRAME);
  for (const [object, name, bits] of [[MediaQueryList.prototype, 'addListener', MOVES],
    [HTMLImageElement.prototype, 'decode', FRAME], [HTMLVideoElement.prototype, 'requestVideoFrameCallback', FRAME]]) {
    const own = object[name];
    if (own) define(object, name, { [name](...args) {
      tell(null, bits);
      return call(own, this, args);
    } }[name]);
  }
  // Smooth scrolling takes as many frames as the machine has time for: where they are drawn on command, it is at its
  // end at once. The collector does the same for what styles make smooth.
  if (config.onCommand) for (const [object, names] of [[window, ['scroll', 'scrollTo', 'scrollBy']], [Element.prototype, ['scroll', 'scrollTo', 'scrollBy', 'scrollIntoView']]]) {
    for (const name of names) {
      const own = object[name];
      define(object, name, { [name](...args) {
        if (args.length === 1 && args[0]?.behavior === 'smooth') args[0] = { ...args[0], behavior: 'instant' };
        return call(own, this ?? window, args);
      } }[name]);
    }
  }
  for (const object of [window, Document.prototype, HTMLElement.prototype, MediaQueryList.prototype]) {
    for (const [name, bits] of [['onchange', object === MediaQueryList.prototype ? MOVES : 0], ['onscroll', MOVES], ['onresize', MOVES], ['onwheel', WHEEL]]) {
      const own = Object.getOwnPropertyDescriptor(object, name);
      if (own && own.set) Object.defineProperty(object, name, { ...own, set(listener) {
        if (listener) tell(null, bits);
        call(own.set, this, [listener]);
      } });
    }
  }
  noticed(['WebSocket', 'EventSource', 'Worker', 'SharedWorker', 'RTCPeerConnection'], TRAFFIC);

  // What the browser is asked and answers in its own time: the page's clock does not wait for it, so we do.
  const { IDBFactory, IDBDatabase, FileReader } = window;
  const answered = () => tell(null, ANSWERED);
  const asks = (object, names, wait) => {
    for (const name of names) {
      const own = object?.[name];
      if (typeof own !== 'function') continue;
      const asking = {
        [name](...args) {
          const answer = call(own, this, args);
          if (!wait && !(answer instanceof Promise)) return answer;
          tell(null, ASKED);
          return wait ? wait(answer, this) : resolved(answer);
        },
      };
      define(object, name, asking[name]);
    }
  };
  // A promise of our own, so that nobody who leaves a rejection alone is helped by our listening to it.
  const resolved = promise => new Promise((resolve, reject) => {
    call(then, promise, [value => { answered(); resolve(value); }, reason => { answered(); reject(reason); }]);
  });
  const once = types => (answer, self) => {
    const source = answer ?? self;
    let isOver = false;
    const over = () => {
      if (!isOver) answered();
      isOver = true;
    };
    // Not an iterator: the page may have broken those.
    for (let i = 0; i < types.length; i++) call(listen, source, [types[i], over, { once: true }]);
    return answer;
  };
  const everything = object => object ? Object.getOwnPropertyNames(object).filter(name => name !== 'constructor') : [];
  const prototype = name => window[name]?.prototype;
  asks(IDBFactory?.prototype, ['open', 'deleteDatabase'], once(['success', 'error', 'blocked']));
  asks(IDBDatabase?.prototype, ['transaction'], once(['complete', 'abort', 'error']));
  asks(FileReader?.prototype, ['readAsText', 'readAsDataURL', 'readAsArrayBuffer', 'readAsBinaryString'], once(['loadend']));
  asks(prototype('Blob'), ['text', 'arrayBuffer', 'bytes']);
  for (const name of ['CacheStorage', 'Cache', 'SubtleCrypto', 'CookieStore']) {
    const methods = prototype(name);
    asks(methods, everything(methods).filter(method => typeof Object.getOwnPropertyDescriptor(methods, method).value === 'function'));
  }
  asks(prototype('Clipboard'), ['read', 'readText', 'write', 'writeText']);
  asks(prototype('Permissions'), ['query']);
  asks(prototype('StorageManager'), ['estimate', 'persist', 'persisted', 'getDirectory']);
  asks(prototype('FileSystemDirectoryHandle'), ['getFileHandle', 'getDirectoryHandle', 'removeEntry']);
  asks(prototype('FileSystemFileHandle'), ['getFile', 'createWritable']);
  asks(IDBFactory?.prototype, ['databases']);
  asks(prototype('MediaDevices'), ['getUserMedia', 'enumerateDevices']);
  asks(prototype('ServiceWorkerContainer'), ['register', 'getRegistration', 'getRegistrations']);
  asks(prototype('ServiceWorkerRegistration'), ['unregister']);
  asks(window.Notification, ['requestPermission']);
  asks(window, ['createImageBitmap']);

  if (config.onCommand) {
    // A transition between views begins with a frame that is shown, and none is: so it is over at once.
    const { startViewTransition } = Document.prototype;
    if (startViewTransition) define(Document.prototype, 'startViewTransition', { startViewTransition(...args) {
      const transition = call(startViewTransition, this, args);
      transition.skipTransition();
      // Who waits for its beginning hears that there is none; who does not has done nothing wrong.
      call(then, transition.ready, [undefined, () => {}]);
      return transition;
    } }.startViewTransition);
    // See the collector on who has the focus first.
    const { focus } = HTMLElement.prototype;
    define(HTMLElement.prototype, 'focus', { focus(...args) {
      tell(null, FOCUSES);
      try {
        return call(focus, this, args);
      } finally {
        tell(null, FOCUSES);
      }
    } }.focus);
  }

  // What would wait for a person at the machine.
  define(window, 'print', function print() {
    window.dispatchEvent(new Event('beforeprint'));
    window.dispatchEvent(new Event('afterprint'));
  });

  // Our scripts are there now, and nothing of the page is: the counting of what runs begins here.
  if (config.counted && window === window.top) debugger;
})
