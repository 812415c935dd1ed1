// What is known of each element until something about it changes: a look asks again only for what
// may have become different since the last one.
//
// What a page does to its document is told by the observer of changes.js, and what it does to
// styles shows in boxes and visibility, which are asked for at each look. Everything that is only
// kept here follows from those.

// The number of the look to come, or of the one that is going on.
let looks = 1;
// The last look before which an element that others refer to may have become another one.
let referredAt = 1;
// Elements of which something is known.
let known = new WeakMap();

class Known {
  constructor(node, parent) {
    this.node = node;
    this.parent = parent;
    this.tag = tagName(node);
    this.skips = SKIPPED.has(this.tag);
    // Whether it is a part of a drawing, and whether a drawing has anything that matters.
    this.isDrawn = isDrawn(node);
    this.mattersInside = false;
    this.insideAt = 0;
    // The elements in it, if nobody knows otherwise.
    this.children = null;
    this.root = undefined;
    // What its attributes say, and what follows from them.
    this.has = null;
    this.kind = -1;
    this.ariaState = 0;
    // The text that stands directly in it.
    this.own = null;
    this.isLeaf = false;
    // The look at which something in it changed, one at which its styles may have changed, and the
    // look at which its texts were read.
    this.changedAt = looks;
    this.restyledAt = 0;
    this.readAt = 0;
    this.saidAt = 0;
    this.usesContent = false;
    this.said = '';
    this.isSaidUncertain = false;
    this.saysValue = false;
    // Elements that are not in it and on which its name depends; whether it refers to any, and
    // whether it depends on what no observer tells: styles, and what is in a control.
    this.sources = null;
    this.refers = false;
    this.isVolatile = false;
    this.hasValue = false;
    this.isTitled = false;
    // How it was last seen.
    this.seenAs = -1;
    this.input = -1;
    this.width = -1;
    this.height = -1;
    // Its cells, and what they were made of.
    this.cells = '';
    this.value = null;
    this.hint = null;
    this.shown = null;
  }
}

/// What is known of an element that is in another.
const knownIn = (node, parent) => {
  let found = known.get(node);
  if (!found || found.parent !== parent) known.set(node, (found = new Known(node, parent)));
  return found;
};

/// The shadow tree of an element.
const shadowOf = node => openRootOf(node) ?? closedRoots.get(node) ?? null;
/// The slot that an element or a text is drawn in, if it is.
const slotOf = node => {
  const slot = assignedSlot(node);
  if (slot) return slot;
  const root = parentNode(node) && closedRoots.get(parentNode(node));
  if (!root) return null;
  for (const one of root.querySelectorAll('slot')) {
    if (one.assignedNodes().includes(node)) return one;
  }
  return null;
};

/// What an element or a shadow tree is drawn in.
const around = node => slotOf(node) || parentNode(node) || hostOf(node);

// Whether a text was found to be another one after it was read.
let saysMore = false;
/// Something in a node is not what it was, and so is what everything around it says.
const changedIn = node => {
  for (let up = node; up; up = around(up)) {
    const found = known.get(up);
    if (!found) continue;
    if (found.changedAt === looks) return;
    found.changedAt = looks;
    if (found.usesContent) saysMore = true;
  }
};

/// The styles of an element and of all that is in it may have changed.
const restyled = node => {
  const found = known.get(node);
  if (found) found.restyledAt = looks;
  changedIn(node);
};

/// What is drawn in a shadow tree, and where, may have changed with a slot of it.
const restyledHost = node => {
  const host = hostOf(getRootNode(node));
  if (host) restyled(host);
};
/// The styles of what stands beside an element may have changed with the element.
const restyledBeside = node => {
  const parent = dependsOnSiblings && parentNode(node);
  if (parent) restyled(hostOf(parent) ?? parent);
};

/// What a mutation of the document makes unknown.
const forgetMutated = record => {
  const { target, type } = record;
  if (SHEETS.has(tagName(nodeType(target) === 3 ? (parentNode(target) ?? target) : target))) sheetsBefore = '';
  if (type === 'characterData') {
    const parent = parentNode(target);
    const found = parent && known.get(parent);
    if (found) found.own = null;
    // It may be drawn in a slot.
    changedIn(target);
    if (parent) restyledBeside(parent);
    return;
  }
  // What is in a shadow tree is in its host.
  const found = known.get(hostOf(target) ?? target);
  if (type === 'attributes') {
    if (found) found.has = null;
    if (REFERENCES.has(record.attributeName)) referredAt = looks;
    if (record.attributeName === 'aria-owns') {
      // Those that were owned, and those that are.
      for (const owned of owners.keys()) changedIn(owned);
      for (const owned of hasOwners() ? owners.keys() : []) changedIn(owned);
    }
    if (tagName(target) === 'SLOT') restyledHost(target);
    restyled(target);
    restyledBeside(target);
    return;
  }
  if (found) {
    found.children = null;
    found.own = null;
  }
  for (const node of record.addedNodes) {
    if (nodeType(node) !== 1) continue;
    // It may have been changed while it was nowhere.
    known.delete(node);
    referredAt = looks;
  }
  for (const node of record.removedNodes) if (nodeType(node) === 1) referredAt = looks;
  if (referredAt === looks) restyledHost(target);
  // What is in a host is drawn in the slots of its shadow tree.
  if (shadowOf(target)) restyled(target);
  changedIn(target);
  if (dependsOnSiblings) restyled(hostOf(target) ?? target);
  restyledBeside(target);
};
// Attributes by which elements refer to others, or are referred to.
const REFERENCES = new Set(['id', 'for', 'slot', 'name', 'aria-labelledby', 'aria-owns']);

const SHEETS = new Set(['STYLE', 'LINK', 'HEAD']);

// What styles depend on and no observer tells: the sheets, the window, where the pointer and the
// focus are.
let sheetsBefore = '',
  pointedBefore = new Set();
const sheetsOf = root => {
  let text = adoptedStyleSheets(root).length + ':';
  for (const sheet of styleSheets(root)) {
    let rules = 0;
    try {
      rules = sheet.cssRules.length;
    } catch {}
    text += rules + (sheet.disabled ? 'd' : ',');
  }
  return text;
};
// Whether any style puts a text before or after what is in an element, whether that depends on what
// stands beside the element, and whether it depends on what is in it.
let generates = true,
  dependsOnSiblings = false,
  dependsOnContent = false;
const GENERATED = /:(before|after)/i;
// Combinators, the place among siblings, and what a sibling may be without a mutation.
const BESIDE =
  /[+~]|:(first|last|only|nth|empty|checked|indeterminate|enabled|disabled|valid|invalid|user-|in-range|out-of|required|optional|read-|placeholder|default|target|open)/i;
const HAS = /:has\(/i;
/// Notes what the texts of these rules depend on; `around` is the selector that they are nested in.
const scanRules = (rules, around) => {
  for (const rule of rules) {
    const selector = rule.selectorText ? around + ' ' + rule.selectorText : around;
    if (rule.cssRules?.length) scanRules(rule.cssRules, selector);
    if (rule.styleSheet) scanRules(rule.styleSheet.cssRules, around);
    if (!rule.style || !GENERATED.test(selector)) continue;
    const { content } = rule.style;
    if (content && content !== 'none' && content !== '""') generates = true;
    if (BESIDE.test(selector)) dependsOnSiblings = true;
    if (HAS.test(selector)) dependsOnContent = true;
  }
};
const scanSheet = sheet => {
  try {
    scanRules(sheet.cssRules, '');
  } catch {
    // Somebody else's: it may be read by nobody.
    generates = dependsOnSiblings = true;
  }
};
/// Notes what the texts of a tree depend on that was not there before.
const scanSheets = root => {
  const before = generates;
  [...styleSheets(root), ...adoptedStyleSheets(root)].forEach(scanSheet);
  if (generates !== before) saysMore = true;
};
/// Looks for changes of styles that are not told; whether all of them may have changed.
const noticeStyles = () => {
  let sheets = innerWidth + 'x' + innerHeight + matchMedia('(prefers-color-scheme: dark)').matches;
  const roots = [document, ...others];
  for (const root of roots) sheets += '|' + sheetsOf(root);
  const pointed = new Set();
  for (const root of roots) {
    for (const node of findAll(root, ':hover')) pointed.add(node);
  }
  for (let up = active; up; up = around(up)) pointed.add(up);
  const isPointed = node => {
    restyled(node);
    restyledBeside(node);
    activity++;
  };
  for (const node of pointed) if (!pointedBefore.has(node)) isPointed(node);
  for (const node of pointedBefore) if (!pointed.has(node)) isPointed(node);
  pointedBefore = pointed;
  if (sheets === sheetsBefore) return dependsOnContent && wasActive();
  sheetsBefore = sheets;
  activity++;
  const all = roots.flatMap(root => [...styleSheets(root), ...adoptedStyleSheets(root)]);
  generates = dependsOnSiblings = dependsOnContent = false;
  all.forEach(scanSheet);
  return true;
};

/// Nothing is known any more.
const forgetAll = () => {
  known = new WeakMap();
  labelled = new Map();
  referredAt = looks;
  activity++;
};
