// What the page's own world tells of its listeners, and how far a touch has come. Runs in every
// frame; the top document keeps what is told.
const listens = new WeakMap();
let needsFrames = false,
  followsMoves = false,
  hasTraffic = false,
  hasWheels = false,
  byScript = false;
// How many questions the browser has not answered, and whether there were any since somebody waited
// for it.
let openQuestions = 0,
  asked = false;
const mark = (node, bits) => {
  if (bits & ASKED) {
    openQuestions++;
    asked = true;
  } else if (bits & ANSWERED) openQuestions = Math.max(0, openQuestions - 1);
  else if (bits & FRAME) {
    needsFrames = true;
    changes++;
  } else if (bits & MOVES) {
    followsMoves = true;
    moves++;
  } else if (bits & TRAFFIC) hasTraffic = true;
  else if (bits & WHEEL) hasWheels = true;
  else if (bits & FOCUSES) byScript = !byScript;
  else if (node) listens.set(node, (listens.get(node) || 0) | bits);
};
window.addEventListener(
  config.channel,
  event => {
    event.stopImmediatePropagation();
    const first = event.composedPath()[0];
    const node = first && first.nodeType === 1 ? first : event.relatedTarget;
    // A frame of the same origin is looked at from the top; any other is none of our business.
    try {
      if (window === window.top) mark(node, event.screenX);
      else window.top[config.name]?.mark(node, event.screenX);
    } catch {}
  },
  true,
);
// How far the last touch has come. Whether the page refused it is only known when everybody has
// heard of it.
const { BEGUN, LIFTED, OVER, REFUSED } = config.touchStages;
let lastTouch = { state: 0, heard: [] };
const feel = event => {
  if (!event.isTrusted) return;
  if (window !== window.top) {
    try {
      window.top[config.name]?.feel(event);
    } catch {}
    return;
  }
  if (event.type === 'touchstart') lastTouch.state |= BEGUN;
  else if (event.type === 'touchend') lastTouch.state |= LIFTED;
  else lastTouch.state |= event.type === 'touchcancel' ? LIFTED | OVER : OVER;
  lastTouch.heard.push(event);
};
if (config.onCommand) {
  const instant = new CSSStyleSheet();
  instant.replaceSync('* { scroll-behavior: auto !important }');
  document.adoptedStyleSheets.push(instant);
}
for (const type of ['touchstart', 'touchend', 'touchcancel', 'mouseup', 'click', 'contextmenu'])
  window.addEventListener(type, feel, { capture: true, passive: true });
if (window !== window.top) return;
