// The page's clock: what it shows begins anew with each reset, and frames, idle time and requests
// follow it.
if (config.virtual) {
  // Time stands still while a page computes. One that asks for it again and again waits for it to
  // pass: so it does.
  const PATIENT = 1000,
    AND_THEN = 10;
  let instant = 0,
    questions = 0,
    waited = 0;
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
    construct: (target, args, made) =>
      Reflect.construct(target, args.length ? args : [date()], made),
    apply: () => new native(date()).toString(),
  });
  define(native, 'now', function now() {
    return date();
  });
  native.prototype.constructor = Shifted;
  define(window, 'Date', Shifted);
  // So does the other clock, which begins with the document, and the time that an event says it is
  // from: real input is from the machine's time, which is another one.
  const ticks = performance.now.bind(performance);
  const start = ticks();
  const origin = now();
  // It moves by whole milliseconds; what a browser says of it is blurred by chance.
  const round = Math.round;
  const passed = () => round(ticks() - start) + waited;
  const times = new WeakMap();
  const seen = WeakMap.prototype.get,
    note = WeakMap.prototype.set;
  const property = (object, name, get) =>
    Object.defineProperty(object, name, { get, configurable: true, enumerable: true });
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
  const EXPIRES = /;\s*expires\s*=([^;]*)/i,
    LASTS = /;\s*max-age\s*=/i;
  const replace = String.prototype.replace,
    test = RegExp.prototype.test,
    parse = native.parse;
  Object.defineProperty(Document.prototype, 'cookie', {
    ...cookie,
    set(text) {
      text = String(text);
      if (!call(test, LASTS, [text])) {
        text = call(replace, text, [
          EXPIRES,
          (all, day) => {
            const left = parse(day) - now() - waited;
            return left === left ? '; max-age=' + Math.floor(left / 1000) : all;
          },
        ]);
      }
      call(cookie.set, this, [text]);
    },
  });
  // Frames come when the machine has time for them; these come when the page's clock says so.
  const later = window.setTimeout;
  const never = window.clearTimeout;
  const { requestAnimationFrame: frame, requestIdleCallback: idle } = window;
  define(window, 'requestAnimationFrame', function requestAnimationFrame(callback) {
    // The browser's own says what is wrong, and to whom it was said.
    if (typeof callback !== 'function') return frame(callback);
    return later(() => callback(passed()), 16);
  });
  define(window, 'cancelAnimationFrame', function cancelAnimationFrame(handle) {
    never(handle);
  });
  // When a browser has time is chance, too.
  define(window, 'requestIdleCallback', function requestIdleCallback(callback) {
    if (typeof callback !== 'function') return idle(callback);
    return later(() => callback({ didTimeout: false, timeRemaining: () => 10 }), 1);
  });
  define(window, 'cancelIdleCallback', function cancelIdleCallback(handle) {
    never(handle);
  });
  // A request takes 10 ms of the page's time. What came with the answer may be there before they
  // have passed, as it happens; then it comes after them.
  const ask = window.fetch;
  const TAKES = 10;
  const asked = new WeakMap();
  if (ask)
    define(window, 'fetch', function fetch(...args) {
      const time = passed();
      const answer = call(ask, this, args);
      // A promise of our own: who leaves a rejection alone is not helped by our listening to it.
      return new Promise((resolve, reject) =>
        call(then, answer, [
          response => {
            call(note, asked, [response, time]);
            resolve(response);
          },
          reject,
        ]),
      );
    });
  for (const name of ['json', 'text', 'arrayBuffer', 'blob', 'bytes', 'formData']) {
    const read = window.Response && Response.prototype[name];
    if (!read) continue;
    define(
      Response.prototype,
      name,
      {
        [name]() {
          const time = call(seen, asked, [this]);
          const content = call(read, this, []);
          if (time === undefined) return content;
          return new Promise((resolve, reject) =>
            call(then, content, [
              value => {
                const early = time + TAKES - passed();
                if (early > 0) later(() => resolve(value), early);
                else resolve(value);
              },
              reject,
            ]),
          );
        },
      }[name],
    );
  }
}
