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
  const tag = tagName(node);
  if (tag === 'HTML') {
    const page = scrollingElement(ownerDocument(node)) || node;
    const isLarger =
      page.scrollHeight > clientHeight(node) + 1 || page.scrollWidth > clientWidth(node) + 1;
    if (!isLarger) return 0;
    const style = getComputedStyle(node);
    const isHidden = /hidden|clip/.test(style.overflowY) && /hidden|clip/.test(style.overflowX);
    return isHidden ? 0 : SCROLLS;
  }
  if (isRoot || isSmall || tag === 'INPUT' || tag === 'SELECT' || !clips(node)) return 0;
  const isHigher = scrollHeight(node) > clientHeight(node) + 1;
  const isWider = scrollWidth(node) > clientWidth(node) + 1;
  if (clientHeight(node) <= 0 || (!isHigher && !isWider)) return 0;
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
const visitFrame = (it, box, level) => {
  const { node } = it;
  const { depth, dx, dy, clip, isInert, isRestyled } = level;
  let inner = null;
  try {
    inner = node.contentDocument;
  } catch {}
  const root = inner && documentElement(inner);
  if (!root) return;
  watch(inner);
  const { clientWidth: wide, clientHeight: high } = node;
  const page = scrollingElement(inner);
  if (page) {
    scrolled = scrolled * 1.001 + page.scrollTop + page.scrollLeft / 8192 + wide + high / 8192;
  }
  const left = box.left + dx + clientLeft(node),
    top = box.top + dy + clientTop(node);
  const seen = within(clip, left, top, left + wide, top + high);
  const children = [knownIn(root, it)];
  const isOut = isEmpty(seen) && !level.reveals(left, top, wide, high);
  const reveals = isOut ? never : () => true;
  levels.push({ ...level, children, index: 0, depth, dx: left, dy: top, clip: seen, reveals });
};

// Who waits for a look at a large page hears that it goes on: it may take longer than a page that
// is well takes to answer.
const LARGE = 2000,
  A_HIT = 20;
let isLarge = false,
  toiled = 0;
const toil = work => {
  toiled += work;
  if (toiled < LARGE || !isLarge) return;
  toiled = 0;
  window[config.say]('');
};

// The elements that are being looked into, from the root down. Not by recursion: a script can nest
// elements as deep as it likes, and the stack would not do.
const levels = [];

/// The elements that are drawn in an element.
const childrenOf = it => {
  const { node, root } = it;
  if (root) watch(root);
  else if (it.tag === 'SLOT') {
    const assigned = node.assignedElements();
    if (assigned.length) return assigned.map(child => knownIn(child, it));
  }
  if (it.children === null) {
    it.children = [];
    let child = root ? root.firstElementChild : firstElementChild(node);
    for (; child; child = nextElementSibling(child)) it.children.push(knownIn(child, it));
  }
  return it.children;
};

/// Visits an element and all that is in it.
const walk = (root, clip, reveals, isRestyled) => {
  levels.length = 0;
  const inside = { depth: 0, dx: 0, dy: 0, clip, reveals, pointer: false, isInert: false };
  inside.isInDisabled = false;
  levels.push({ ...inside, children: [root], index: 0, isRestyled });
  while (levels.length) {
    const level = levels[levels.length - 1];
    const it = level.children[level.index++];
    if (!it) levels.pop();
    else if (!it.skips) {
      toil(1);
      visit(it, level);
    }
  }
};

/// Whether something would happen if the element were clicked, as far as can be told without its
/// style.
const isClickable = (it, kind, bits, isRoot, isEditing) => {
  if ((bits & CLICK) !== 0 && !isRoot) return true;
  if (CLICKED.has(kind) || kind === role.link || isEditing || it.has.clicks) return true;
  return it.tag === 'SUMMARY' || (it.tag === 'LABEL' && !!it.node.control);
};

// How an element is seen: not at all, as an empty place, or visibly.
const NOT = 0,
  EMPTY = 1,
  VISIBLY = 2;
/// Notes whether an element is to be seen: if that is new, what is around it says something else.
const noteSeen = (it, seenAs) => {
  if (it.seenAs === seenAs) return;
  if (it.seenAs >= 0) changedIn(it.node);
  it.seenAs = seenAs;
};
/// Notes the shadow tree of an element: it may get one at any time.
const noteShadow = it => {
  const root = shadowOf(it.node);
  if (root === it.root) return;
  if (it.root !== undefined) restyled(it.node);
  it.root = root;
  it.children = null;
};
/// Notes whether it has a tick, is open, takes text: what stands beside it may be styled by that.
const noteInput = (it, input) => {
  if (it.input === input) return;
  if (it.input >= 0 && dependsOnSiblings) {
    restyledBeside(it.node);
    saysMore = true;
  }
  it.input = input;
};
const noteSize = (it, w, h) => {
  if (it.width === w && it.height === h) return;
  if (it.width >= 0) changedIn(it.node);
  it.width = w;
  it.height = h;
};

/// Visits an element; its children come next. Of the level that it is on, `clip` is what the
/// scrollers and frames around leave to be seen, in the top document's pixels; `reveals` says
/// whether somebody can scroll a place into view; `pointer` whether the element around it has the
/// cursor of a link; `isRestyled` whether the styles around it may have changed.
const visit = (it, level) => {
  const { node, tag } = it;
  const { depth, dx, dy, clip, pointer } = level;
  if (it.has === null) readAttributes(it);
  const { has } = it;
  const isRestyled = level.isRestyled || it.restyledAt === looks;
  if (isRestyled) it.changedAt = looks;
  const isInert = level.isInert || has.isInert;
  const isInDisabled = level.isInDisabled || (has.isDisabled && tag === 'FIELDSET');
  // A transparent control lies over a picture of itself; what is around it must be seen.
  const mustBeSeen = config.touch && CONTROLS.has(tag) ? parentElement(node) : node;
  const isVisible = checkVisibility(node, VISIBLE) && checkVisibility(mustBeSeen ?? node, SEEN);
  const seenAs = isVisible ? VISIBLY : checkVisibility(node) ? EMPTY : NOT;
  noteSeen(it, seenAs);
  noteShadow(it);
  if (seenAs === NOT) {
    if (has.id && tag !== 'OPTION') pushHidden(it, level);
    const goesOn = tag === 'SLOT' || it.root;
    if (!goesOn && getComputedStyle(node).display !== 'contents') return;
  }
  if (tag === 'INPUT' && node.type === 'hidden') return;
  const isInDrawing = it.isDrawn && tag !== 'svg';
  if (isInDrawing && !mattersInDrawing(it)) {
    noteLeaf(it);
    pushLevel(it, level, { isInert, isRestyled, isInDisabled });
    return;
  }
  let { kind } = it;
  const isEditing = has.edits && node.isContentEditable && !parentNode(node)?.isContentEditable;
  if (isEditing) kind = role.field;
  const isRoot = tag === 'HTML' || tag === 'BODY';
  const said = saidBy(it, kind, isRoot);
  const bits = listens.get(node) || 0;
  let clickable = isClickable(it, kind, bits, isRoot, isEditing);
  let cursor = pointer || clickable;
  const isOfInterest =
    isInDrawing || kind >= 0 || clickable || said !== '' || has.id !== '' || has.classes !== '' || bits !== 0;
  const isPlain = !isOfInterest && !it.isLeaf && !SPECIAL.has(tag);
  const hasPointer = !clickable && !isRoot && styleOf(node).cursor === 'pointer';
  // Most elements that only hold others need no box.
  if (isPlain && hasPointer === pointer && !clips(node)) {
    pushLevel(it, level, { isInert, isRestyled, isInDisabled });
    return;
  }
  const box = getBoundingClientRect(node);
  const rect = touchedPart(tag, node, box);
  const x = pixel(rect.left + dx),
    y = pixel(rect.top + dy),
    w = pixel(rect.width),
    h = pixel(rect.height);
  noteSize(it, w, h);
  const scrolling = overflow(node, isRoot, it.isLeaf && h < 60);
  if (!clickable && !isRoot && w > 0 && h > 0) {
    cursor = hasPointer;
    // A cursor is inherited; only the element that begins with it means it.
    clickable = cursor && !pointer;
  }
  const isRow =
    isOfInterest || clickable || scrolling === SCROLLS || tag === 'IFRAME' || tag === 'HTML';
  if (isRow) {
    const scrollable = scrolling === SCROLLS;
    pushElement(it, level, kind, isInert, isEditing, clickable, bits, x, y, w, h, scrollable);
    if (tag === 'SELECT') return;
  }
  if (tag === 'svg' && !mattersInside(it)) return;
  // It is loaded when it has been drawn nearby.
  if ((tag === 'IMG' || tag === 'IFRAME') && node.loading === 'lazy') needsFrames = true;
  if (it.isLeaf && !HOLDERS.has(tag)) return;
  const inside = { isInert, isRestyled, isInDisabled, pointer: cursor };
  inside.depth = isRow ? depth + 1 : depth;
  if (tag === 'IFRAME' || tag === 'FRAME') {
    visitFrame(it, box, { ...level, ...inside, pointer: false });
    return;
  }
  if (scrolling && !isRoot) {
    const left = box.left + dx + clientLeft(node),
      top = box.top + dy + clientTop(node);
    const right = left + clientWidth(node),
      bottom = top + clientHeight(node);
    const { reveals } = level;
    inside.clip = within(clip, left, top, right, bottom);
    scrolled = scrolled * 1.001 + scrollTop(node) + scrollLeft(node) / 8192;
    // A list in a drawer that is out of sight scrolls out of sight.
    const isOut = isEmpty(inside.clip) && !reveals(left, top, right - left, bottom - top);
    if (isOut) inside.reveals = never;
    else if (scrolling === SCROLLS) {
      const x = left - scrollLeft(node),
        y = top - scrollTop(node);
      inside.reveals = meets(x, y, scrollWidth(node), scrollHeight(node));
    } else {
      inside.reveals = (x, y, w, h) =>
        x + w > left && y + h > top && x < right && y < bottom && reveals(x, y, w, h);
    }
  }
  pushLevel(it, level, inside);
};
// What is in them is no child of theirs.
const HOLDERS = new Set(['IFRAME', 'FRAME', 'SLOT']);
// They are looked at more closely, whether they are of interest or not.
const SPECIAL = new Set(['HTML', 'BODY', 'IFRAME', 'FRAME', 'IMG', 'svg', 'SELECT']);

const noteLeaf = it => {
  if (it.children === null) it.isLeaf = firstElementChild(it.node) === null && !it.root;
};
/// What an element says by itself.
const saidBy = (it, kind, isRoot) => {
  noteLeaf(it);
  if (it.own === null) it.own = ownText(it.node);
  if (it.isLeaf) return it.own;
  if (it.changedAt > it.saidAt || it.saysValue || (it.isSaidUncertain && !isQuiet)) {
    it.saidAt = looks;
    const said = textOf(it, kind, isRoot);
    if (said !== it.said) it.changedAt = looks;
    it.said = said;
    it.isSaidUncertain = it.usesContent && isUncertain();
    it.saysValue = it.usesContent && naming.hasValue;
  }
  return it.said;
};

/// Goes on with what is in an element, when all that is asked of the element itself is done.
const pushLevel = (it, level, inside) => {
  if (it.isLeaf && it.tag !== 'SLOT') return;
  const children = childrenOf(it);
  if (children.length) levels.push({ ...level, ...inside, children, index: 0 });
};

const never = () => false;

/// Whether nothing is left of a clip.
const isEmpty = ([left, top, right, bottom]) => right <= left || bottom <= top;

/// Whether a box meets this one.
const meets = (left, top, wide, high) => {
  const right = left + wide,
    bottom = top + high;
  return (x, y, w, h) => x + w > left && y + h > top && x < right && y < bottom;
};

/// Whether a control is disabled, by itself or by what is around it.
const isDisabledHere = (it, level) =>
  (it.has.isDisabled || level.isInDisabled) && CONTROLS.has(it.tag) && matches(it.node, ':disabled');

/// Writes the row of an element, and those of its options.
const pushElement = (
  it,
  level,
  kindSoFar,
  isInert,
  isEditing,
  clickable,
  bits,
  x,
  y,
  w,
  h,
  scrollable,
) => {
  const { node, tag, has } = it;
  const isVisible = it.seenAs === VISIBLY;
  const { depth, dx, dy, clip } = level;
  const said = it.isLeaf ? it.own : it.said;
  let kind = kindSoFar;
  if (kind < 0) kind = said !== '' ? role.label : role.group;
  const mayBeEmpty = clickable || tag === 'LABEL' || tag === 'OUTPUT' || tag === 'P';
  if (kind === role.label && said === '' && !mayBeEmpty) kind = role.group;
  let state = 0;
  const isShown = w > 0 && h > 0 && isVisible;
  // A label without a text is still there: it is a place where a text will be.
  const isPlace =
    kind === role.label || kind === role.list || has.id !== '' || has.classes !== '';
  if (isShown || (isPlace && isVisible && (w > 0 || h > 0 || said === ''))) state |= DISPLAYED;
  const isDisabled =
    isInert ||
    isDisabledHere(it, level) ||
    (it.ariaState & ARIA_DISABLED) !== 0;
  if (!isDisabled) state |= ENABLED;
  if (clickable) state |= CLICKABLE;
  if (bits & (PRESS | MENU)) state |= LONG_CLICKABLE;
  const isDragged = bits & DRAG || (has.drags && node.draggable && tag !== 'A' && tag !== 'IMG');
  if (scrollable || isDragged || kind === role.slider) state |= SCROLLABLE;
  const value = valueOf(node, tag, kind, isEditing);
  const input = inputState(it, kind, isEditing, value);
  noteInput(it, isDisabled ? input : input | ENABLED);
  state |= input;
  if (node === active) state |= FOCUSED;
  if (isShown) {
    const cx = middle(x, w),
      cy = middle(y, h);
    const isInView = cx >= clip[0] && cy >= clip[1] && cx < clip[2] && cy < clip[3];
    const isTried =
      clickable || has.id !== '' || state & (EDITABLE | SCROLLABLE) || kind === role.item;
    if (!isInView) {
      if (level.reveals(x, y, w, h)) state |= REVEALS;
    } else if (isTried) hits.push({ row: rows.length, x: cx - dx, y: cy - dy });
  }
  const hint = hintOf(node, tag, isEditing, value, has.hasAria);
  keepTexts(it, value, hint);
  rows.push(node, depth, kind, state, x, y, w, h, it);
  if (tag === 'SELECT') pushOptions(node, depth + 1, state, isDisabled, x, y, w, h, dx, dy);
};

/// What has the focus, inside of shadow trees and frames too.
const focusedElement = () => {
  let focused = activeElement(document);
  for (;;) {
    const root = focused && shadowOf(focused);
    const inner = root && root.activeElement;
    if (!inner && (!focused || tagName(focused) !== 'IFRAME')) break;
    try {
      const frame = inner ? null : focused.contentDocument;
      focused = inner || (frame && activeElement(frame));
    } catch {
      break;
    }
  }
  return focused === bodyOf(document) ? null : focused;
};

/// Looks at the page. What nothing tells otherwise of is as it was at the last look.
const look = () => {
  // Styles and layout of a large page take their time, too.
  isLarge = getElementsByTagName(document, '*').length > LARGE;
  if (isLarge) window[config.say]('begin');
  noteMutations(observer.takeRecords());
  active = focusedElement();
  if (active) asking = checkVisibility(active) ? null : active;
  else asking = wasFocused ? null : findFirst(document, '[autofocus]');
  const isRestyled = noticeStyles();
  saysMore = false;
  isQuiet = !wasActive();
  const wasQuiet = isQuiet;
  lookOnce(isRestyled);
  isQuiet &&= !isElsewhere();
  // What was found out about a part of a sentence came after the sentence.
  if (saysMore || isQuiet !== wasQuiet) lookOnce(isRestyled);
  noteCovered();
  for (let row = 0; row < rows.length; row++) {
    const it = rows.cells[row];
    if (typeof it !== 'string') rows.cells[row] = finish(it, rows.number(row, KIND));
  }
  looks++;
  const size = width * 65536 + height;
  if (scrolled !== scrolledBefore || size !== sizeBefore) {
    changes++;
    moves++;
  }
  scrolledBefore = scrolled;
  sizeBefore = size;
};

const lookOnce = isRestyled => {
  rows = new Rows(rows.length);
  hits.length = 0;
  others.length = 0;
  width = innerWidth;
  height = innerHeight;
  const root = documentElement(document);
  if (!root) return;
  const page = scrollingElement(document) || root;
  const scrolls = page.scrollHeight > height + 1 || page.scrollWidth > width + 1;
  const isOnPage = meets(-page.scrollLeft, -page.scrollTop, page.scrollWidth, page.scrollHeight);
  // A part of the page outside of the visual viewport is brought there, too.
  const { offsetLeft: left, offsetTop: top, width: wide, height: high } = visualViewport;
  const isPart = high < height - 1 || wide < width - 1;
  const may = (x, y, w, h) => (scrolls || isPart) && isOnPage(x, y, w, h);
  scrolled = page.scrollTop + page.scrollLeft / 8192;
  walk(knownIn(root, null), [left, top, left + wide, top + high], may, isRestyled);
};
