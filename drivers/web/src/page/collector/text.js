// What an element says: the texts in it, its id.

// Characters for private use: the glyphs of an icon font, which nobody can read or type.
const GLYPH = /[\ue000-\uf8ff]|[\udb80-\udbff][\udc00-\udfff]/;
const GLYPHS = new RegExp(GLYPH, 'g');
/// A text without glyphs. They are drawn apart from the words beside them.
const readable = text => (GLYPH.test(text) ? text.replace(GLYPHS, ' ') : text);
const squeeze = text => {
  // Most texts are squeezed already, and a test costs less than a copy.
  text = readable(text);
  if (/\s\s|[^\S ]|^ | $/.test(text)) text = text.replace(/\s+/g, ' ').trim();
  return text.length > LONGEST ? text.slice(0, LONGEST) : text;
};
const escape = text =>
  /[\t\n\r\\]/.test(text)
    ? text.replace(/[\t\n\r\\]/g, c =>
        c === '\t' ? '\\t' : c === '\n' ? '\\n' : c === '\r' ? '' : '\\\\',
      )
    : text;
const attribute = (node, name) => getAttribute(node, name) || '';

/// The text that stands directly in an element.
const ownText = node => {
  let text = '';
  for (let child = firstChild(node); child; child = nextSibling(child))
    if (nodeType(child) === 3) text += child.data;
  return text === '' ? '' : squeeze(text);
};
/// Whether everything in an element is part of a sentence: then its text is the whole of it.
const isPhrase = node => {
  for (let child = firstElementChild(node); child; child = nextElementSibling(child)) {
    // An element of the app's own making stands in a sentence like a span does, unless it has
    // insides.
    const fits =
      PHRASING.has(tagName(child)) ||
      SKIPPED.has(tagName(child)) ||
      (tagName(child).includes('-') && !shadowOf(child));
    if (!fits || (firstElementChild(child) && !isPhrase(child))) return false;
  }
  return true;
};

/// The text of an element that is no part of the elements in it: with theirs if they are all one
/// sentence.
const textOf = (it, kind, isRoot) => {
  const { node, own, tag } = it;
  const mayBePhrase = !it.isLeaf && (kind < 0 || kind === role.label) && !isRoot;
  const isWhole = mayBePhrase && (own !== '' || tag === 'SPAN' || tag === 'P' || it.has.id !== '');
  it.usesContent = isWhole && isPhrase(node);
  return it.usesContent ? contentOf(it) : own;
};

// Elements that a label can be for.
const LABELLED = new Set('BUTTON INPUT METER OUTPUT PROGRESS SELECT TEXTAREA'.split(' '));
/// The labels of each element of a tree, found once as long as they stay: a browser that is asked
/// for the labels of one element walks through the whole tree.
let labelled = new Map(),
  labelledAt = 0;
const labelsOf = node => {
  if (labelledAt !== referredAt) {
    labelled = new Map();
    labelledAt = referredAt;
  }
  const root = getRootNode(node);
  let found = labelled.get(root);
  if (!found) {
    labelled.set(root, (found = new Map()));
    for (const label of findAll(root, 'label')) {
      const { control } = label;
      if (!control) continue;
      const others = found.get(control);
      if (others) others.push(label);
      else found.set(control, [label]);
    }
  }
  return found.get(node);
};

/// Which elements belong to which others by `aria-owns`, found once as long as that stays.
let owners = new Map(),
  ownersAt = 0;
const hasOwners = () => {
  if (ownersAt !== referredAt) {
    owners = new Map();
    ownersAt = referredAt;
    for (const owner of findAll(document, '[aria-owns]')) {
      for (const id of attribute(owner, 'aria-owns').trim().split(/\s+/)) {
        const owned = elementById(document, id);
        if (owned && !contains(owned, owner) && !owners.has(owned)) owners.set(owned, owner);
      }
    }
  }
  return owners.size > 0;
};
/// Whether a child of an element belongs to another.
const isOwnedElsewhere = (child, parent) => {
  const owner = owners.get(child);
  if (!owner || owner === parent) return false;
  naming.refers = true;
  return true;
};

const testId = node => {
  for (const name of TESTIDS) {
    const id = getAttribute(node, name);
    if (id) return id;
  }
  return '';
};
const idOf = node => getAttribute(node, 'id') || testId(node);
