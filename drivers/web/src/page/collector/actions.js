// What is done to an element where real input cannot do it: bringing it into view, placing the
// caret, setting what has none.
/// Brings an element into view, and says where a click on it would go and whether it would reach
/// it: `x y reached inside`, and the visual viewport.
const reveal = index => {
  const node = rows.nodes[index];
  if (!node || !isConnected(node)) return 'gone';
  const place = tagName(node) === 'OPTION' ? closest(node, 'select') : node;
  const offset = () => {
    let x = 0,
      y = 0;
    for (let view = defaultView(ownerDocument(place)); view && view !== window; view = view.parent) {
      const frame = view.frameElement.getBoundingClientRect();
      x += frame.left + view.frameElement.clientLeft;
      y += frame.top + view.frameElement.clientTop;
    }
    return [x, y];
  };
  const target = () => {
    const box = touchedPart(tagName(place), place, getBoundingClientRect(place));
    const [dx, dy] = offset();
    const x = middle(Math.round(box.left + dx), Math.round(box.width));
    const y = middle(Math.round(box.top + dy), Math.round(box.height));
    return [
      x,
      y,
      reaches(place, x - dx, y - dy),
      isShown(x, y),
    ];
  };
  let [x, y, reached, inside] = target();
  if (!reached || !inside) {
    scrollIntoView(place, { block: 'center', inline: 'center', behavior: 'instant' });
    [x, y, reached, inside] = target();
  }
  return [x, y, reached ? 1 : 0, inside ? 1 : 0, visualOffset()].join('\t');
};
/// What an element is, for who wants to put something into it: its kind, and whether it has the
/// focus.
const kindOf = index => {
  const node = rows.nodes[index];
  if (!node) return 'gone';
  if (tagName(node) === 'OPTION') return 'option';
  if (tagName(node) === 'SELECT') return 'select';
  if (tagName(node) === 'INPUT')
    return /^(date|time|datetime-local|month|week|color|range|file)$/.test(node.type)
      ? node.type
      : 'text';
  return 'text';
};
/// Gives the focus to a field, and puts the caret behind what is in it, or around it.
const focusField = (index, all) => {
  const node = rows.nodes[index];
  if (!node) return false;
  if (active !== node) node.focus({ preventScroll: true });
  if (typeof node.setSelectionRange === 'function') {
    try {
      node.setSelectionRange(all ? 0 : node.value.length, node.value.length);
      return true;
    } catch {}
    if (all) node.select();
    return true;
  }
  const range = createRange(ownerDocument(node));
  range.selectNodeContents(node);
  if (!all) range.collapse(false);
  const selection = getSelectionOf(ownerDocument(node));
  selection.removeAllRanges();
  selection.addRange(range);
  return true;
};
/// Sets what has no caret: a slider, a date, a colour, a select.
const put = (index, text) => {
  let node = rows.nodes[index];
  if (!node) return 'gone';
  if (tagName(node) === 'SELECT') {
    // As it is shown, as it stands in the page, or as the page calls it.
    const isMeant = ({ label, value }) =>
      squeeze(label) === text || label.trim() === text || value === text;
    const fits = Array.from(node.options).find(isMeant);
    if (!fits) return 'no';
    node = fits;
  }
  const notify = element => {
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  };
  if (tagName(node) === 'OPTION') {
    const select = closest(node, 'select');
    select.focus({ preventScroll: true });
    if (select.multiple) node.selected = !node.selected;
    else if (node.selected) return 'same';
    else node.selected = true;
    notify(select);
    return 'ok';
  }
  node.focus({ preventScroll: true });
  const before = node.value;
  node.value = text;
  if (text !== '' && node.value === '') {
    node.value = before;
    return 'no';
  }
  if (node.value !== before) notify(node);
  return 'ok';
};
