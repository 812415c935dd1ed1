// One row for each element that matters: its role, its states, its place, what it says and what is
// in it.

// What has the focus.
let active = null;

/// The rows of a look: the elements, of each its numbers (depth, role, states, place), and its
/// texts as they go to the driver.
class Rows {
  constructor(expected) {
    this.nodes = [];
    this.cells = [];
    this.numbers = new Int32Array(NUMBERS * Math.max(64, expected + 16));
  }

  get length() {
    return this.nodes.length;
  }

  push(node, depth, kind, state, x, y, w, h, cells) {
    let at = NUMBERS * this.nodes.length;
    if (at === this.numbers.length) {
      const larger = new Int32Array(2 * at);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    const { numbers } = this;
    numbers[at++] = depth;
    numbers[at++] = kind;
    numbers[at++] = state;
    numbers[at++] = x;
    numbers[at++] = y;
    numbers[at++] = w;
    numbers[at] = h;
    this.nodes.push(node);
    this.cells.push(cells);
  }

  number(row, which) {
    return this.numbers[NUMBERS * row + which];
  }

  /// A row as it goes to the driver.
  text(row) {
    const at = NUMBERS * row;
    return this.numbers.subarray(at, at + NUMBERS).join('\t') + '\t' + this.cells[row];
  }
}
const NUMBERS = 7,
  DEPTH = 0,
  KIND = 1,
  STATE = 2,
  LEFT = 3,
  TOP = 4,
  WIDE = 5,
  HIGH = 6;

let rows = new Rows(0),
  previous = rows;

/// A whole number of pixels, whatever a page makes of its sizes.
const pixel = length => (length > 1e6 ? 1e6 : length < -1e6 ? -1e6 : Math.round(length) || 0);

const cellsOf = (id, text, value, hint, native, classes, leadsTo) => {
  const texts = escape(id) + '\t' + escape(text) + '\t' + escape(value) + '\t' + escape(hint);
  const more = leadsTo ? '\t' + escape(leadsTo) : '';
  return texts + '\t' + native + '\t' + escape(classes) + more;
};

// Attributes with the id of what an element opens and closes, or with its selector.
const OPENS = new Set('aria-controls popovertarget data-target data-bs-target'.split(' '));
/// Where an attribute says that a click leads: to an address, or to what is opened, closed or
/// labelled.
const destination = (name, value) => {
  if (name.endsWith('href')) return value === '#' ? '' : value.slice(0, 500);
  const id = value.split(' ')[0];
  return id === '' || id[0] === '#' || name.startsWith('data-') ? id : '#' + id;
};

/// What the attributes of an element say. Most elements have a class and nothing else: what they do
/// not have is not asked for one by one.
const attributesOf = node => {
  const found = {
    classes: '',
    id: '',
    aria: '',
    hasAria: false,
    hasTitle: false,
    isInert: false,
    isDisabled: false,
    edits: false,
    drags: false,
    clicks: false,
    links: false,
    leadsTo: '',
  };
  if (!hasAttributes(node)) return found;
  let hasData = false;
  for (const name of getAttributeNames(node)) {
    switch (name) {
      case 'class':
        found.classes = getAttribute(node, 'class');
        break;
      case 'id':
        found.id = getAttribute(node, 'id');
        break;
      case 'role':
        found.aria = getAttribute(node, 'role');
        break;
      case 'title':
        found.hasTitle = true;
        break;
      case 'inert':
        found.isInert = true;
        break;
      case 'disabled':
        found.isDisabled = true;
        break;
      case 'contenteditable':
        found.edits = true;
        break;
      case 'draggable':
        found.drags = true;
        break;
      case 'onclick':
        found.clicks = true;
        break;
      case 'href':
      case 'xlink:href':
        found.links = true;
        found.leadsTo ||= destination(name, getAttribute(node, name));
        break;
      case 'for':
        found.leadsTo ||= destination(name, getAttribute(node, name));
        break;
      default:
        if (OPENS.has(name)) found.leadsTo ||= destination(name, getAttribute(node, name));
        if (name.startsWith('aria-')) found.hasAria = true;
        else if (name.startsWith('data-')) hasData = true;
    }
  }
  if (found.id === '' && hasData) found.id = testId(node);
  return found;
};

/// Reads the attributes of an element, and what follows from them alone.
const readAttributes = it => {
  const { node, tag } = it;
  const has = (it.has = attributesOf(node));
  it.kind = roleOf(node, has.aria) ?? -1;
  if ((tag === 'A' || tag === 'a') && !has.links && !has.aria) it.kind = -1;
  it.ariaState = has.hasAria ? ariaStateOf(node) : 0;
  // Its cells are made again.
  it.shown = null;
};

/// The role of an element by the first of its ARIA roles that is one, its type or its tag.
const roleOf = (node, aria) => {
  const own = tagName(node) === 'INPUT' ? (BY_TYPE[node.type] ?? role.field) : BY_TAG[tagName(node)];
  if (!aria) return own;
  for (const word of aria.toLowerCase().split(/\s+/)) {
    if (word in BY_ARIA) return BY_ARIA[word];
    if (AUTHOR_NAMED.has(word)) break;
  }
  return own;
};

/// What the attributes for assistive technology say of an element's states. `ARIA_DISABLED` and
/// `TICKS` are ours.
const ARIA_DISABLED = 1 << 30,
  TICKS = CHECKABLE | CHECKED;
const ariaStateOf = node => {
  let state = attribute(node, 'aria-disabled') === 'true' ? ARIA_DISABLED : 0;
  const current = attribute(node, 'aria-current');
  const isCurrent = current && current !== 'false';
  if (attribute(node, 'aria-selected') === 'true' || isCurrent) state |= SELECTED;
  const checked = attribute(node, 'aria-checked') || attribute(node, 'aria-pressed');
  if (checked) state |= checked === 'true' ? TICKS : CHECKABLE;
  const expanded = attribute(node, 'aria-expanded');
  const popup = attribute(node, 'aria-haspopup');
  if (expanded || (popup && popup !== 'false')) state |= EXPANDABLE;
  if (expanded === 'true') state |= EXPANDED;
  return state;
};

/// An element that is not on the screen; but an author who gave it a name may ask for it.
const pushHidden = (it, level) => {
  const { node } = it;
  const kind = it.kind < 0 ? role.group : it.kind;
  const state = isDisabledHere(it, level) ? 0 : ENABLED;
  keepTexts(it, null, '');
  rows.push(node, level.depth, kind, state, 0, 0, 0, 0, it);
};
/// Keeps what is in an element and what it hints at.
const keepTexts = (it, value, hint) => {
  if (value === it.value && hint === it.hint) return;
  if (it.value !== null || it.hint !== null) activity++;
  it.cells = '';
  it.value = value;
  it.hint = hint;
};

const nameOfOption = option =>
  attribute(option, 'aria-label') || option.label || attribute(option, 'title');
/// The choices of a select. Its list is not part of the page; they stand where the select is.
const pushOptions = (node, depth, state, isDisabled, x, y, w, h, dx, dy) => {
  const isOpen = node.size > 1 || node.multiple;
  for (const option of node.options) {
    let bits = (state & (DISPLAYED | REVEALS)) | CLICKABLE | CHECKABLE;
    if (!isDisabled && !option.disabled && !option.parentNode.disabled) bits |= ENABLED;
    if (option.selected) bits |= SELECTED | CHECKED;
    const box = isOpen ? option.getBoundingClientRect() : null;
    const at =
      box && box.height > 0
        ? [box.left + dx, box.top + dy, box.width, box.height].map(Math.round)
        : [x, y, w, h];
    const label = squeeze(nameOfOption(option));
    const classes = attribute(option, 'class');
    const cells = cellsOf(option.id, label, option.value, '', 'option', classes, '');
    rows.push(option, depth, role.choice, bits, ...at, cells);
  }
};

/// What is in an element that takes or shows a value, else `null`.
const valueOf = (node, tag, kind, isEditing) => {
  if (tag === 'INPUT' || tag === 'TEXTAREA') {
    const type = node.type;
    if (type === 'checkbox' || type === 'radio' || kind === role.button) return '';
    return type === 'file' ? Array.from(node.files, file => file.name).join(', ') : node.value;
  }
  if (tag === 'SELECT') {
    return squeeze(Array.from(node.selectedOptions, option => option.label).join(', '));
  }
  if (isEditing) return (node.innerText || '').replace(/\n$/, '');
  if (kind === role.progress || kind === role.slider) {
    const said = attribute(node, 'aria-valuetext') || attribute(node, 'aria-valuenow');
    return said || (node.value !== undefined ? String(node.value) : '');
  }
  return null;
};

/// What an element says while it is empty, or what it is described as.
const hintOf = (node, tag, isEditing, value, hasAria) =>
  readable(hintGiven(node, tag, isEditing, value, hasAria)).trim();
const hintGiven = (node, tag, isEditing, value, hasAria) => {
  if (tag === 'INPUT' || tag === 'TEXTAREA') return attribute(node, 'placeholder');
  if (isEditing) {
    return attribute(node, 'aria-placeholder') || attribute(node, 'data-placeholder');
  }
  return value === null && hasAria ? attribute(node, 'aria-description') : '';
};

/// Whether it has a tick, is chosen, opens and closes something, and takes text.
const inputState = (it, kind, isEditing, value) => {
  const { node, tag, ariaState } = it;
  let state = ariaState & (SELECTED | EXPANDABLE | EXPANDED);
  if (tag === 'SUMMARY') state |= parentNode(node)?.open ? EXPANDABLE | EXPANDED : EXPANDABLE;
  if (tag === 'INPUT' || tag === 'TEXTAREA') {
    const type = tag === 'INPUT' ? node.type : '';
    if (type === 'checkbox' || type === 'radio') return state | (node.checked ? TICKS : CHECKABLE);
    const isTyped = tag === 'TEXTAREA' || TEXTLIKE.has(type);
    return kind !== role.button && !node.readOnly && isTyped ? state | EDITABLE : state;
  }
  if (tag === 'SELECT' || isEditing) return state | EDITABLE;
  return value === null ? state | (ariaState & TICKS) : state;
};

/// Whether what is known of an element's texts may not be so any more.
const isUnread = it => {
  const { readAt } = it;
  if (it.changedAt > readAt || it.hasValue || (it.isVolatile && !isQuiet)) return true;
  if (it.refers && referredAt > readAt) return true;
  if (it.sources === null) return false;
  return it.sources.some(
    source => (known.get(source)?.changedAt ?? looks) > readAt || wasRestyled(source, readAt),
  );
};
/// Whether an element may have been restyled after a look. What is not drawn is not visited, so
/// what is around it is asked.
const wasRestyled = (node, readAt) => {
  for (let up = node; up; up = around(up)) {
    if ((known.get(up)?.restyledAt ?? 0) > readAt) return true;
  }
  return false;
};

const isKnownBySaying = (it, kind) => {
  if (kind === role.item) return true;
  const aria = kind === role.label || kind === role.group ? ariaRole(it.node) : null;
  return aria === '' || READ.has(aria);
};
/// What an element is called; without a name, what it says.
const readText = (it, kind) => {
  const name = readName(it);
  // Who can read what it says does not need what is shown under the pointer.
  const isName = name !== '' && !(it.isTitled && isKnownBySaying(it, kind));
  if (isName) return name;
  let text = '';
  if (SAID_BY_CONTENT.has(kind)) {
    text = contentOf(it);
    it.isVolatile ||= isUncertain();
    it.hasValue ||= naming.hasValue;
  }
  // What is not shown says nothing.
  if (!text && it.seenAs !== NOT) text = it.isLeaf ? it.own : it.said;
  return text || name;
};

/// The texts of an element, as they go to the driver.
const finish = (it, kind) => {
  if (isUnread(it)) {
    it.readAt = looks;
    toil(2);
    const text = readText(it, kind);
    if (text !== it.shown) it.cells = '';
    it.shown = text;
  }
  if (it.cells === '') {
    const { id, classes, leadsTo } = it.has;
    const native = it.tag.toLowerCase();
    it.cells = cellsOf(id, it.shown, it.value ?? '', it.hint, native, classes, leadsTo);
  }
  return it.cells;
};
