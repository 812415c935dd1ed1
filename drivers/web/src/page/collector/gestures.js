// Touches, double clicks and swipes: what they would do, and what the browser does not make of them
// by itself.
/// A finger comes down. Whether we shall hear of it: not inside of somebody else's frame.
const beginTouch = (x, y) => {
  lastTouch = { state: 0, heard: [] };
  const hit = hitAt(x, y);
  if (!/^(IFRAME|FRAME|OBJECT|EMBED)$/.test(hit && tagName(hit))) return hit !== null;
  try {
    return !!hit.contentDocument;
  } catch {
    return false;
  }
};
/// How far the touch has come: a touch that is refused becomes no click.
const touched = () =>
  lastTouch.state |
  (lastTouch.heard.some(event => event.defaultPrevented)
    ? REFUSED | (lastTouch.state & LIFTED ? OVER : 0)
    : 0);
/// Two touches at one place are a double click. The browser makes one of them only if its own time
/// says so.
const doubleClick = (x, y) => {
  const hit = hitAt(x, y);
  if (!hit) return;
  dispatchEvent(
    hit,
    new MouseEvent('dblclick', {
      bubbles: true,
      cancelable: true,
      composed: true,
      detail: 2,
      clientX: x,
      clientY: y,
      view: window,
    }),
  );
};
const hasMenu = index => (listens.get(rows.nodes[index]) & (MENU | PRESS)) === MENU;
/// Whether a swipe on an element scrolls. A mouse scrolls what it is on; a finger also what is
/// around it, unless the page follows the finger itself.
const scrolls = (index, x, y, finger) => {
  let node = index >= 0 ? rows.nodes[index] : hitAt(x, y);
  for (; node; node = elementAround(node)) {
    if (
      tagName(node) === 'INPUT' ||
      node.draggable ||
      listens.get(node) & (finger ? DRAG | PRESS : DRAG)
    )
      return false;
    if (tagName(node) === 'HTML') return true;
    const style = getComputedStyle(node);
    if (finger && style.touchAction === 'none') return false;
    if (
      (scrollHeight(node) > clientHeight(node) + 1 && /auto|scroll/.test(style.overflowY)) ||
      (scrollWidth(node) > clientWidth(node) + 1 && /auto|scroll/.test(style.overflowX))
    )
      return true;
    if (!finger) return false;
  }
  return false;
};
/// Scrolls what can still be scrolled that way, from the inside out.
const scrollBy = (index, x, y, dx, dy) => {
  let node = index >= 0 ? rows.nodes[index] : hitAt(x, y);
  for (; node; node = elementAround(node)) {
    const root = tagName(node) === 'HTML';
    const style = getComputedStyle(node);
    if (!root && !/auto|scroll/.test(style.overflowX + style.overflowY)) continue;
    const place = root ? scrollingElement(ownerDocument(node)) || node : node;
    const left = scrollLeft(place),
      top = scrollTop(place);
    scrollElementBy(place, { left: dx, top: dy, behavior: 'instant' });
    if (scrollLeft(place) !== left || scrollTop(place) !== top) return true;
  }
  return false;
};
