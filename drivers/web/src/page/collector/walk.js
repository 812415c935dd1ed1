// The walk through the document, its shadow trees and its frames, from the root down.

let width = 0,
  height = 0;
// How far everything is scrolled, in all, and how large frames are: who listens to that hears of it
// with a frame.
let scrolled = 0,
  scrolledBefore = 0,
  sizeBefore = 0;
// Focus moves with frames: what asks for it gets it with the next one, if nobody else has it, and
// what is not shown any more loses it.
let asking = null,
  answered = null;

// A style is alive: what it says changes with the page.
const styles = new WeakMap();
const styleOf = node => {
  let style = styles.get(node);
  if (!style) styles.set(node, (style = getComputedStyle(node)));
  return style;
};
const clips = node => {
  const style = styleOf(node);
  return style.overflowY !== 'visible' || style.overflowX !== 'visible';
};

// Whether an element can be scrolled, or hides what does not fit into it.
const SCROLLS = 1,
  HIDES = 2;
const overflow = (node, isRoot, isSmall) => {
  const tag = node.tagName;
  if (tag === 'HTML') {
    const page = node.ownerDocument.scrollingElement || node;
    const isLarger =
      page.scrollHeight > node.clientHeight + 1 || page.scrollWidth > node.clientWidth + 1;
    if (!isLarger) return 0;
    const style = getComputedStyle(node);
    const isHidden = /hidden|clip/.test(style.overflowY) && /hidden|clip/.test(style.overflowX);
    return isHidden ? 0 : SCROLLS;
  }
  if (isRoot || isSmall || tag === 'INPUT' || tag === 'SELECT' || !clips(node)) return 0;
  const isHigher = node.scrollHeight > node.clientHeight + 1;
  const isWider = node.scrollWidth > node.clientWidth + 1;
  if (node.clientHeight <= 0 || (!isHigher && !isWider)) return 0;
  const style = styleOf(node);
  const down = isHigher ? style.overflowY : 'visible';
  const across = isWider ? style.overflowX : 'visible';
  if (/auto|scroll/.test(down) || /auto|scroll/.test(across)) return SCROLLS;
  const isHidden = /hidden|clip/.test(style.overflowY) || /hidden|clip/.test(style.overflowX);
  return isHidden ? HIDES : 0;
};

/// What remains of a clip within a box.
const within = (clip, left, top, right, bottom) => [
  Math.max(clip[0], left),
  Math.max(clip[1], top),
  Math.min(clip[2], right),
  Math.min(clip[3], bottom),
];

/// Goes on in the document of a frame, if it may be looked into.
const visitFrame = (node, box, depth, dx, dy, clip, isInert) => {
  let inner = null;
  try {
    inner = node.contentDocument;
  } catch {}
  if (!inner || !inner.documentElement) return;
  watch(inner);
  const { clientWidth: wide, clientHeight: high } = node;
  const page = inner.scrollingElement;
  if (page) {
    scrolled = scrolled * 1.001 + page.scrollTop + page.scrollLeft / 8192 + wide + high / 8192;
  }
  const left = box.left + dx + node.clientLeft,
    top = box.top + dy + node.clientTop;
  const seen = within(clip, left, top, left + wide, top + high);
  visit(inner.documentElement, depth, left, top, seen, () => true, false, isInert);
};

// The elements that are being looked into, from the root down. Not by recursion: a script can nest
// elements as deep as it likes, and the stack would not do.
const levels = [];

/// Goes on with what is in an element, when all that is asked of the element itself is done.
const visitChildren = (node, depth, dx, dy, clip, reveals, pointer, isInert) => {
  let child = null,
    assigned = null;
  if (node.shadowRoot) watch(node.shadowRoot);
  else if (node.tagName === 'SLOT') assigned = node.assignedElements();
  if (assigned && assigned.length) child = assigned[0];
  else {
    assigned = null;
    child = (node.shadowRoot || node).firstElementChild;
  }
  if (!child) return;
  const index = 0;
  levels.push({ child, assigned, index, depth, dx, dy, clip, reveals, pointer, isInert });
};

/// Visits an element and all that is in it.
const walk = (node, clip, reveals) => {
  levels.length = 0;
  visit(node, 0, 0, 0, clip, reveals, false, false);
  while (levels.length) {
    const level = levels[levels.length - 1];
    const { child, assigned, depth, dx, dy, clip, reveals, pointer, isInert } = level;
    if (!child) {
      levels.pop();
      continue;
    }
    level.child = assigned ? (assigned[++level.index] ?? null) : child.nextElementSibling;
    visit(child, depth, dx, dy, clip, reveals, pointer, isInert);
  }
};

/// Whether something would happen if the element were clicked, as far as can be told without its
/// style.
const isClickable = (node, kind, bits, isRoot, isEditing, hasHandler) => {
  if ((bits & CLICK) !== 0 && !isRoot) return true;
  if (CLICKED.has(kind) || kind === role.link || isEditing || hasHandler) return true;
  const tag = node.tagName;
  return tag === 'SUMMARY' || (tag === 'LABEL' && !!node.control);
};

/// Visits an element; its children come next. `clip` is what the scrollers and frames around leave
/// to be seen, in the top document's pixels; `reveals` says whether somebody can scroll a place
/// into view; `pointer` whether the element around it has the cursor of a link.
const visit = (node, depth, dx, dy, clip, reveals, pointer, isInert) => {
  const tag = node.tagName;
  if (SKIPPED.has(tag)) return;
  const has = attributesOf(node);
  const { id, classes, aria } = has;
  const inert = isInert || has.isInert;
  const isVisible = node.checkVisibility(VISIBLE);
  if (!isVisible && !node.checkVisibility()) {
    if (id && tag !== 'OPTION') pushHidden(node, depth, has);
    const goesOn = node.shadowRoot || tag === 'SLOT';
    if (!goesOn && getComputedStyle(node).display !== 'contents') return;
  }
  const isInput = tag === 'INPUT';
  if (isInput && node.type === 'hidden') return;
  let kind = roleOf(node, aria && aria.split(' ')[0]) ?? -1;
  if (tag === 'A' && !node.hasAttribute('href') && !aria) kind = -1;
  const isEditing = has.edits && node.isContentEditable && !node.parentNode?.isContentEditable;
  if (isEditing) kind = role.field;
  const isRoot = tag === 'HTML' || tag === 'BODY';
  const own = textOf(node, kind, isRoot, id);
  const bits = listens.get(node) || 0;
  const box = node.getBoundingClientRect();
  const rect = touchedPart(node, box);
  const x = pixel(rect.left + dx),
    y = pixel(rect.top + dy),
    w = pixel(rect.width),
    h = pixel(rect.height);
  const isLeaf = node.firstElementChild === null && !node.shadowRoot;
  const scrolling = overflow(node, isRoot, isLeaf && h < 60);

  let clickable = isClickable(node, kind, bits, isRoot, isEditing, has.clicks);
  let cursor = pointer || clickable;
  if (!clickable && !isRoot && w > 0 && h > 0) {
    cursor = styleOf(node).cursor === 'pointer';
    // A cursor is inherited; only the element that begins with it means it.
    clickable = cursor && !pointer;
  }
  const isNamed = id !== '' || classes !== '';
  const isOfInterest = kind >= 0 || isNamed || own !== '' || clickable || bits !== 0;
  let next = depth;
  if (isOfInterest || scrolling === SCROLLS || tag === 'IFRAME' || tag === 'HTML') {
    const element = { node, depth, dx, dy, clip, reveals, has, own, bits, inert, isVisible };
    pushElement(element, kind, x, y, w, h, clickable, scrolling === SCROLLS, isEditing);
    next = depth + 1;
    if (tag === 'SELECT') return;
  }
  if (tag === 'svg') return;
  // It is loaded when it has been drawn nearby.
  if ((tag === 'IMG' || tag === 'IFRAME') && node.loading === 'lazy') needsFrames = true;
  if (tag === 'IFRAME' || tag === 'FRAME') {
    visitFrame(node, box, next, dx, dy, clip, inert);
    return;
  }
  let seen = clip,
    may = reveals;
  if (scrolling && !isRoot) {
    const left = box.left + dx + node.clientLeft,
      top = box.top + dy + node.clientTop;
    const right = left + node.clientWidth,
      bottom = top + node.clientHeight;
    seen = within(clip, left, top, right, bottom);
    scrolled = scrolled * 1.001 + node.scrollTop + node.scrollLeft / 8192;
    may =
      scrolling === SCROLLS
        ? meets(left - node.scrollLeft, top - node.scrollTop, node.scrollWidth, node.scrollHeight)
        : (x, y, w, h) =>
            x + w > left && y + h > top && x < right && y < bottom && reveals(x, y, w, h);
  }
  visitChildren(node, next, dx, dy, seen, may, cursor, inert);
};

/// Whether a box meets this one.
const meets = (left, top, wide, high) => {
  const right = left + wide,
    bottom = top + high;
  return (x, y, w, h) => x + w > left && y + h > top && x < right && y < bottom;
};

/// Writes the row of an element, and those of its options.
const pushElement = (element, kind, x, y, w, h, clickable, scrollable, isEditing) => {
  const { node, depth, dx, dy, clip, reveals, has, own, bits, inert, isVisible } = element;
  const tag = node.tagName;
  const { id, classes, hasAria } = has;
  if (kind < 0) kind = own !== '' ? role.label : role.group;
  const mayBeEmpty = clickable || tag === 'LABEL' || tag === 'OUTPUT' || tag === 'P';
  if (kind === role.label && own === '' && !mayBeEmpty) kind = role.group;
  let state = 0;
  const isShown = w > 0 && h > 0 && isVisible;
  // A label without a text is still there: it is a place where a text will be.
  const isPlace = kind === role.label || kind === role.list || id !== '' || classes !== '';
  if (isShown || (isPlace && isVisible && (w > 0 || h > 0 || own === ''))) state |= DISPLAYED;
  const isDisabled =
    inert ||
    (CONTROLS.has(tag) && node.matches(':disabled')) ||
    (hasAria && attribute(node, 'aria-disabled') === 'true');
  if (!isDisabled) state |= ENABLED;
  if (clickable) state |= CLICKABLE;
  if (bits & (PRESS | MENU)) state |= LONG_CLICKABLE;
  const isDragged = bits & DRAG || (has.drags && node.draggable && tag !== 'A' && tag !== 'IMG');
  if (scrollable || isDragged || kind === role.slider) state |= SCROLLABLE;
  const value = valueOf(node, kind, isEditing);
  state |= inputState(node, kind, isEditing, value, hasAria);
  if (node === active) state |= FOCUSED;
  if (isShown) {
    const cx = middle(x, w),
      cy = middle(y, h);
    const isInView = cx >= clip[0] && cy >= clip[1] && cx < clip[2] && cy < clip[3];
    const isTried = clickable || id !== '' || state & (EDITABLE | SCROLLABLE) || kind === role.item;
    if (!isInView) {
      if (reveals(x, y, w, h)) state |= REVEALS;
    } else if (isTried && !reaches(node, cx - dx, cy - dy)) state |= COVERED;
  }
  const name = nameOf(node, kind, own, hasAria, has.hasTitle);
  const hint = hintOf(node, isEditing, value, hasAria);
  const native = tag.toLowerCase();
  push(depth, kind, state, x, y, w, h, id, name, value ?? '', hint, native, classes, node);
  if (tag === 'SELECT') pushOptions(node, depth + 1, state, isDisabled, x, y, w, h, dx, dy);
};

/// What has the focus, inside of shadow trees and frames too.
const focusedElement = () => {
  let focused = document.activeElement;
  while (focused && (focused.shadowRoot?.activeElement || focused.tagName === 'IFRAME')) {
    try {
      focused = focused.shadowRoot?.activeElement || focused.contentDocument?.activeElement || null;
    } catch {
      break;
    }
  }
  return focused === document.body ? null : focused;
};

/// Looks at the whole page.
const look = () => {
  nodes = [];
  rows = [];
  others.length = 0;
  labelled = new Map();
  width = innerWidth;
  height = innerHeight;
  active = focusedElement();
  if (active) asking = active.checkVisibility() ? null : active;
  else asking = wasFocused ? null : document.querySelector('[autofocus]');
  const root = document.documentElement;
  if (!root) return;
  const page = document.scrollingElement || root;
  const scrolls = page.scrollHeight > height + 1 || page.scrollWidth > width + 1;
  const isOnPage = meets(-page.scrollLeft, -page.scrollTop, page.scrollWidth, page.scrollHeight);
  const may = (x, y, w, h) => scrolls && isOnPage(x, y, w, h);
  scrolled = page.scrollTop + page.scrollLeft / 8192;
  walk(root, [0, 0, width, height], may);
  const size = width * 65536 + height;
  if (scrolled !== scrolledBefore || size !== sizeBefore) {
    changes++;
    moves++;
  }
  scrolledBefore = scrolled;
  sizeBefore = size;
};
