// Makes chance come from the seed: Math.random and the random numbers of Crypto. Everything that
// the files after this one need of the page's globals is taken now, because the page may change
// them later.
const {
  document,
  Event,
  MouseEvent,
  EventTarget,
  Element,
  ShadowRoot,
  HTMLElement,
  MediaQueryList,
  Reflect,
  Object,
  Promise,
} = window;
const dispatch = EventTarget.prototype.dispatchEvent;
const call = Reflect.apply;
const { then } = Promise.prototype;

// Chance: SplitMix64 would need BigInt; this is Mulberry32, one stream for each document. `now`
// makes the stream of a page that is loaded again another one, as far as time has passed. A
// document that is gone back to may begin some requests' time sooner or later: most events end at
// multiples of 50 ms, and so these are taken together.
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
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        hex.slice(12, 16),
        hex.slice(16, 20),
        hex.slice(20),
      ].join('-');
    });
  }
}
