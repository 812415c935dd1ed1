// Requests that overtake each other, by the seed. Requests that overtake each other, where that was
// asked for: each is sent a little later, by chance of its own, so that the page's own chance stays
// what it was. Each waits for a slot, and while there are free ones for no other's: an answer is
// there before the next slot, so the order of the slots is that of the answers.
if (config.uneven) {
  const later = window.setTimeout,
    never = window.clearTimeout;
  const APART = 12,
    SLOTS = 6,
    taken = [];
  const { imul } = Math;
  let turn = ~state;
  const wait = () => {
    turn = (imul(turn ^ (turn >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    const time = now(),
      first = (time - (time % APART)) / APART + 1;
    let slot = first + ((turn >>> 16) % SLOTS);
    for (let other = 1; taken[slot % SLOTS] === slot && other < SLOTS; other++) {
      slot = slot + 1 < first + SLOTS ? slot + 1 : first;
    }
    taken[slot % SLOTS] = slot;
    return slot * APART - time;
  };
  const { fetch: ask, XMLHttpRequest } = window;
  if (ask)
    define(window, 'fetch', function fetch(...args) {
      // What is to outlive the document cannot wait for it.
      if (args[1]?.keepalive || args[0]?.keepalive) return call(ask, this, args);
      return new Promise(resolve => later(() => resolve(call(ask, this, args)), wait()));
    });
  const { open, send, abort } = XMLHttpRequest.prototype;
  // The requests that wait for somebody, and the timer of each: one that is opened again or given
  // up is not sent.
  const timers = new WeakMap();
  const timer = WeakMap.prototype.get,
    keep = WeakMap.prototype.set,
    drop = WeakMap.prototype.delete;
  const forget = request => {
    never(call(timer, timers, [request]));
    call(drop, timers, [request]);
  };
  define(
    XMLHttpRequest.prototype,
    'open',
    {
      open(...args) {
        call(open, this, args);
        forget(this);
        if (args.length < 3 || args[2]) call(keep, timers, [this, 0]);
      },
    }.open,
  );
  define(
    XMLHttpRequest.prototype,
    'send',
    {
      send(...args) {
        if (call(timer, timers, [this]) !== 0) return call(send, this, args);
        call(keep, timers, [
          this,
          later(() => {
            call(drop, timers, [this]);
            call(send, this, args);
          }, wait()),
        ]);
      },
    }.send,
  );
  define(
    XMLHttpRequest.prototype,
    'abort',
    {
      abort() {
        forget(this);
        call(abort, this, []);
      },
    }.abort,
  );
}
