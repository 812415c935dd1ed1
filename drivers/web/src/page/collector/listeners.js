// What the page's own world tells of its listeners, and how far a touch has come. Runs in every
// frame; the top document keeps what is told.
const listens = new WeakMap();
// Whether anything inside of a drawing listens.
let drawingsListen = false;
let needsFrames = false,
  followsMoves = false,
  hasWheels = false,
  byScript = false;
// How many questions the browser has not answered, and whether there were any since somebody waited
// for it.
let openQuestions = 0,
  asked = false;
// The trees that only the page that made them knows, by their hosts.
const closedRoots = new WeakMap();
// How many messages went to workers and came from them, how many had come when the last one went,
// and whether that was one at all or the making of a worker.
const workers = { posted: 0, receivedBefore: 0, received: 0, made: 0 };
const workerTalk = () =>
  [workers.posted, workers.receivedBefore, workers.received, workers.made].join(' ');
const mark = (node, bits) => {
  if (bits & CLOSED) closedRoots.set(node.host, node);
  else if (bits & ATTACHED) {
    restyled(node);
    changes++;
  }
  else if (bits & ASKED) {
    openQuestions++;
    asked = true;
  } else if (bits & ANSWERED) openQuestions = Math.max(0, openQuestions - 1);
  else if (bits & FRAME) {
    needsFrames = true;
    changes++;
  } else if (bits & MOVES) {
    followsMoves = true;
    moves++;
  } else if (bits & POSTED) {
    workers.posted++;
    workers.receivedBefore = workers.received;
    workers.made = bits & MADE ? 1 : 0;
  } else if (bits & RECEIVED) workers.received++;
  else if (bits & WHEEL) hasWheels = true;
  else if (bits & FOCUSES) byScript = !byScript;
  else if (node) {
    listens.set(node, (listens.get(node) || 0) | bits);
    if (isDrawn(node) && tagName(node) !== 'svg') drawingsListen = true;
  }
};
let marker = null;
window.addEventListener(
  config.channel,
  event => {
    event.stopImmediatePropagation();
    const first = event.composedPath()[0];
    let node = first instanceof Element ? first : event.relatedTarget;
    if (event.screenX & MARKER) {
      marker = node;
      return;
    }
    if (event.screenX & CLOSED) {
      node = marker && getRootNode(marker);
      if (!node || !hostOf(node)) return;
    }
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
  adoptedStyleSheets(document).push(instant);
}
for (const type of ['touchstart', 'touchend', 'touchcancel', 'mouseup', 'click', 'contextmenu'])
  window.addEventListener(type, feel, { capture: true, passive: true });
if (window !== window.top) return;
