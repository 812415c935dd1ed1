// Which parts of a drawing (an svg) are elements of the screen: those with a role or a name, and
// those that somebody can use. The rest are shapes.

/// Whether an element is one of a drawing. Tags of pages are in capital letters, and most are that.
const isDrawn = node => tagName(node).charCodeAt(0) >= 97 && namespaceURI(node) === SVG;

const MATTERS = [
  'a',
  '[role]',
  '[tabindex]',
  '[aria-label]',
  '[aria-labelledby]',
  '[onclick]',
  'foreignObject',
  // The title of the drawing itself is a child of its.
  ':scope * > title',
].join(', ');
/// Whether there is anything in a drawing that matters. Most are pictures on buttons: so it is
/// asked for once, as long as nothing in it changes.
const mattersInside = it => {
  if (drawingsListen) return true;
  if (it.changedAt > it.insideAt) {
    it.mattersInside = !it.isLeaf && querySelector(it.node, MATTERS) !== null;
    it.insideAt = looks;
  }
  return it.mattersInside;
};

const titleIn = node => {
  for (let child = firstElementChild(node); child; child = nextElementSibling(child)) {
    if (tagName(child) === 'title') return textContent(child).trim();
  }
  return '';
};
/// Whether a part of a drawing is an element of the screen.
const mattersInDrawing = it => {
  const { node, has } = it;
  if (has.clicks || listens.get(node)) return true;
  const aria = has.aria ? ariaRole(node) : '';
  if (aria === 'none') return false;
  if (has.aria && (has.aria in BY_ARIA || aria !== nativeRole(node))) return true;
  if (it.tag === 'a' && has.links) return true;
  if (hasAttribute(node, 'tabindex') || titleIn(node) !== '') return true;
  return has.hasAria && !!(attribute(node, 'aria-label') || attribute(node, 'aria-labelledby'));
};
