// What may count as a crash: a blank page, controls that some people cannot use.
const describe = node => {
  const element = node && (node.nodeType === 1 ? node : node.parentElement);
  if (!element) return '';
  return (
    element.tagName.toLowerCase() +
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
      node.tagName === 'IMG' &&
      !node.hasAttribute('alt') &&
      attribute(node, 'role') !== 'presentation'
    )
      found.push('a picture without a text: ' + what);
    if (node.id) {
      if (ids.has(node.id)) found.push('an id used twice: ' + what);
      ids.add(node.id);
    }
  }
  if (!attribute(document.documentElement, 'lang')) found.push('a page without a language: <html>');
  return [...new Set(found)];
};
const blank = () => {
  for (let row = 1; row < rows.length; row++) if (rows.number(row, STATE) & DISPLAYED) return false;
  return true;
};
