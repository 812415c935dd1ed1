// What an element says and what it is called: its text, its accessible name, its id.
const squeeze = text => {
  // Most texts are squeezed already, and a test costs less than a copy.
  if (/\s\s|[^\S ]|^ | $/.test(text)) text = text.replace(/\s+/g, ' ').trim();
  return text.length > LONGEST ? text.slice(0, LONGEST) : text;
};
const escape = text =>
  /[\t\n\r\\]/.test(text)
    ? text.replace(/[\t\n\r\\]/g, c =>
        c === '\t' ? '\\t' : c === '\n' ? '\\n' : c === '\r' ? '' : '\\\\',
      )
    : text;
const attribute = (node, name) => node.getAttribute(name) || '';

/// The text that stands directly in an element.
const ownText = node => {
  let text = '';
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (child.nodeType === 3) text += child.data;
  return text === '' ? '' : squeeze(text);
};
/// Whether everything in an element is part of a sentence: then its text is the whole of it.
const isPhrase = node => {
  for (let child = node.firstElementChild; child; child = child.nextElementSibling) {
    // An element of the app's own making stands in a sentence like a span does, unless it has
    // insides.
    const fits =
      PHRASING.has(child.tagName) ||
      SKIPPED.has(child.tagName) ||
      (child.tagName.includes('-') && !child.shadowRoot);
    if (!fits || (child.firstElementChild && !isPhrase(child))) return false;
  }
  return true;
};
const content = node =>
  squeeze(node.firstElementChild ? (node.innerText ?? node.textContent) : node.textContent);

/// The text of an element that is no part of the elements in it: with theirs if they are all one
/// sentence.
const textOf = (node, kind, isRoot, id) => {
  const own = ownText(node);
  const mayBePhrase = node.firstElementChild && (kind < 0 || kind === role.label) && !isRoot;
  if (!mayBePhrase || !isPhrase(node)) return own;
  const { tagName } = node;
  return own !== '' || tagName === 'SPAN' || tagName === 'P' || id !== '' ? content(node) : own;
};

// Elements that a label can be for.
const LABELLED = new Set(
  'BUTTON INPUT METER OUTPUT PROGRESS SELECT TEXTAREA'.split(' '),
);
/// The labels of each element of a tree, found once for each look: a browser that is asked for the
/// labels of one element walks through the whole tree.
let labelled = new Map();
const labelsIn = root => {
  let found = labelled.get(root);
  if (found) return found;
  labelled.set(root, (found = new Map()));
  for (const label of root.querySelectorAll?.('label') ?? []) {
    const control = label.control;
    if (!control) continue;
    const others = found.get(control);
    if (others) others.push(label);
    else found.set(control, [label]);
  }
  return found;
};

/// The accessible name.
const nameOf = (node, kind, own, hasAria, hasTitle) => {
  if (hasAria) {
    const by = attribute(node, 'aria-labelledby');
    if (by) {
      const root = node.getRootNode();
      const text = by
        .split(/\s+/)
        .map(id => root.getElementById?.(id)?.textContent || '')
        .join(' ');
      if (text.trim()) return squeeze(text);
    }
    const label = attribute(node, 'aria-label').trim();
    if (label) return squeeze(label);
  }
  const tag = node.tagName;
  const title = hasTitle ? attribute(node, 'title') : '';
  if (tag === 'INPUT') {
    const type = node.type;
    if (type === 'submit' || type === 'button' || type === 'reset')
      return squeeze(
        node.value || (type === 'submit' ? 'Submit' : type === 'reset' ? 'Reset' : ''),
      );
    if (type === 'image') return squeeze(node.alt || node.value);
  }
  if (LABELLED.has(tag)) {
    const labels = labelsIn(node.getRootNode()).get(node);
    const text = labels ? squeeze(labels.map(label => label.textContent).join(' ')) : '';
    if (text) return text;
  }
  if (tag === 'IMG' || tag === 'AREA') return squeeze(node.alt || title);
  if (tag === 'svg' || tag === 'SVG')
    return squeeze(node.querySelector('title')?.textContent || '');
  if (tag === 'SELECT' || tag === 'TEXTAREA' || tag === 'INPUT') return squeeze(title);
  if (NAMED_BY_CONTENT.has(kind)) {
    const text = content(node);
    if (text) return text;
    const picture = node.firstElementChild && node.querySelector('img[alt],svg title,[aria-label]');
    if (picture)
      return squeeze(
        attribute(picture, 'alt') || attribute(picture, 'aria-label') || picture.textContent || '',
      );
    return squeeze(title);
  }
  return own || (title && squeeze(title));
};

const testId = node => {
  for (const name of TESTIDS) {
    const id = node.getAttribute(name);
    if (id) return id;
  }
  return '';
};
const idOf = node => node.id || testId(node);
