// What a browser under test does otherwise than one in front of a person: zooming by taps, the
// first size, view transitions, the first focus, printing. The last of the page's own scripts:
// after it, counting begins. A page that can be zoomed by two taps hears of a single one 300 ms
// late, by a clock that is not ours to set. So none can.
if (config.touch && window.CSSStyleSheet) {
  const sheet = new CSSStyleSheet();
  // The weakest of rules: whatever the page says wins.
  sheet.insertRule('@layer { :where(html) { touch-action: manipulation } }');
  document.adoptedStyleSheets = [sheet];
}

// A browser that is laid out as a phone is told its size with its first frame. In front of a person
// that frame is there before the page's scripts are; ours comes when everything has been loaded. A
// page whose size is what it was hears nothing.
if (config.touch && window === window.top) {
  const sizeNow = () => innerWidth * 65536 + innerHeight;
  let size = 0;
  call(listen, document, ['DOMContentLoaded', () => (size = sizeNow()), { once: true }]);
  const first = event => {
    if (!size || size === sizeNow()) call(stopped, event, []);
  };
  const stopped = Event.prototype.stopImmediatePropagation;
  call(listen, window, ['resize', first, { once: true, capture: true }]);
}

if (config.onCommand) {
  // A transition between views begins with a frame that is shown, and none is: so it is over at
  // once.
  const { startViewTransition } = Document.prototype;
  if (startViewTransition)
    define(
      Document.prototype,
      'startViewTransition',
      {
        startViewTransition(...args) {
          const transition = call(startViewTransition, this, args);
          transition.skipTransition();
          // Who waits for its beginning hears that there is none; who does not has done nothing
          // wrong.
          call(then, transition.ready, [undefined, () => {}]);
          return transition;
        },
      }.startViewTransition,
    );
  // See the collector on who has the focus first.
  const { focus } = HTMLElement.prototype;
  define(
    HTMLElement.prototype,
    'focus',
    {
      focus(...args) {
        tell(null, FOCUSES);
        try {
          return call(focus, this, args);
        } finally {
          tell(null, FOCUSES);
        }
      },
    }.focus,
  );
}

// What would wait for a person at the machine.
define(window, 'print', function print() {
  window.dispatchEvent(new Event('beforeprint'));
  window.dispatchEvent(new Event('afterprint'));
});

// Our scripts are there now, and nothing of the page is: the counting of what runs begins here.
if (config.counted && window === window.top) debugger;
