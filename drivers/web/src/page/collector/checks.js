// What may count as a crash: a blank page, controls that some people cannot use.
const describe = node => {
  const element = node && (nodeType(node) === 1 ? node : parentElement(node));
  if (!element) return '';
  return (
    tagName(element).toLowerCase() +
    (idOf(element)
      ? '#' + idOf(element)
      : attribute(element, 'class')
        ? '.' + attribute(element, 'class').trim().split(/\s+/)[0]
        : '')
  );
};

const serious = () => {
  const found = [];
  const ids = new Set();
  for (let i = 0; i < rows.length; i++) {
    const node = rows.nodes[i],
      cells = rows.cells[i].split('\t');
    if (!(rows.number(i, STATE) & DISPLAYED)) continue;
    const kind = rows.number(i, KIND);
    const what = '<' + describe(node) + '>';
    if (
      (CLICKED.has(kind) || kind === role.link) &&
      kind !== role.choice &&
      !cells[1] &&
      !cells[3]
    )
      found.push('a ' + ROLES[kind] + ' without a name: ' + what);
    if (
      tagName(node) === 'IMG' &&
      !hasAttribute(node, 'alt') &&
      attribute(node, 'role') !== 'presentation'
    )
      found.push('a picture without a text: ' + what);
    const id = attribute(node, 'id');
    if (id) {
      if (ids.has(id)) found.push('an id used twice: ' + what);
      ids.add(id);
    }
  }
  const root = documentElement(document);
  if (root && !attribute(root, 'lang')) found.push('a page without a language: <html>');
  return [...new Set(found)];
};
const blank = () => {
  for (let row = 1; row < rows.length; row++) if (rows.number(row, STATE) & DISPLAYED) return false;
  return true;
};
