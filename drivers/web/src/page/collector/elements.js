// One row for each element that matters: its role, its states, its place, what it says and what is
// in it.

let nodes = [],
  rows = [],
  previous = [];
// What has the focus.
let active = null;

/// A whole number of pixels, whatever a page makes of its sizes.
const pixel = length => (length > 1e6 ? 1e6 : length < -1e6 ? -1e6 : Math.round(length) || 0);

const push = (depth, kind, state, x, y, w, h, id, text, value, hint, native, classes, node) => {
  const place = depth + '\t' + kind + '\t' + state + '\t' + x + '\t' + y + '\t' + w + '\t' + h;
  const texts = escape(id) + '\t' + escape(text) + '\t' + escape(value) + '\t' + escape(hint);
  rows.push(place + '\t' + texts + '\t' + native + '\t' + escape(classes));
  nodes.push(node);
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
    edits: false,
    drags: false,
    clicks: false,
  };
  if (!node.hasAttributes()) return found;
  let hasData = false;
  for (const name of node.getAttributeNames()) {
    switch (name) {
      case 'class':
        found.classes = node.getAttribute('class');
        break;
      case 'id':
        found.id = node.getAttribute('id');
        break;
      case 'role':
        found.aria = node.getAttribute('role');
        break;
      case 'title':
        found.hasTitle = true;
        break;
      case 'inert':
        found.isInert = true;
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
      default:
        if (name.startsWith('aria-')) found.hasAria = true;
        else if (name.startsWith('data-')) hasData = true;
    }
  }
  if (found.id === '' && hasData) found.id = testId(node);
  return found;
};

/// The role of an element by its ARIA role, its type or its tag.
const roleOf = (node, aria) => {
  const own = node.tagName === 'INPUT' ? (BY_TYPE[node.type] ?? role.field) : BY_TAG[node.tagName];
  return (aria ? BY_ARIA[aria] : undefined) ?? own;
};

/// An element that is not on the screen; but an author who gave it a name may ask for it.
const pushHidden = (node, depth, has) => {
  const kind = roleOf(node, attribute(node, 'role')) ?? role.group;
  const state = node.matches(':disabled') ? 0 : ENABLED;
  const name = nameOf(node, kind, '', has.hasAria, has.hasTitle);
  const native = node.tagName.toLowerCase();
  push(depth, kind, state, 0, 0, 0, 0, has.id, name, '', '', native, has.classes, node);
};

/// The choices of a select. Its list is not part of the page; they stand where the select is.
const pushOptions = (node, depth, state, isDisabled, x, y, w, h, dx, dy) => {
  const isOpen = node.size > 1 || node.multiple;
  for (const option of node.options) {
    let bits = (state & (DISPLAYED | COVERED | REVEALS)) | CLICKABLE | CHECKABLE;
    if (!isDisabled && !option.disabled && !option.parentNode.disabled) bits |= ENABLED;
    if (option.selected) bits |= SELECTED | CHECKED;
    const box = isOpen ? option.getBoundingClientRect() : null;
    const at =
      box && box.height > 0
        ? [box.left + dx, box.top + dy, box.width, box.height].map(Math.round)
        : [x, y, w, h];
    const label = squeeze(option.label);
    const classes = attribute(option, 'class');
    push(
      depth,
      role.choice,
      bits,
      ...at,
      option.id,
      label,
      option.value,
      '',
      'option',
      classes,
      option,
    );
  }
};

/// What is in an element that takes or shows a value, else `null`.
const valueOf = (node, kind, isEditing) => {
  const tag = node.tagName;
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
const hintOf = (node, isEditing, value, hasAria) => {
  if (node.tagName === 'INPUT' || node.tagName === 'TEXTAREA')
    return attribute(node, 'placeholder');
  if (isEditing) {
    return attribute(node, 'aria-placeholder') || attribute(node, 'data-placeholder');
  }
  return value === null && hasAria ? attribute(node, 'aria-description') : '';
};

/// Whether it has a tick, is chosen, and takes text.
const inputState = (node, kind, isEditing, value, hasAria) => {
  const tag = node.tagName;
  let state = 0;
  if (hasAria) {
    const current = attribute(node, 'aria-current');
    const isCurrent = current && current !== 'false';
    if (attribute(node, 'aria-selected') === 'true' || isCurrent) state |= SELECTED;
  }
  if (tag === 'INPUT' || tag === 'TEXTAREA') {
    const type = tag === 'INPUT' ? node.type : '';
    if (type === 'checkbox' || type === 'radio')
      state |= node.checked ? CHECKABLE | CHECKED : CHECKABLE;
    else if (kind !== role.button && !node.readOnly && (tag === 'TEXTAREA' || TEXTLIKE.has(type))) {
      state |= EDITABLE;
    }
  } else if (tag === 'SELECT' || isEditing) state |= EDITABLE;
  else if (value === null && hasAria) {
    const checked = attribute(node, 'aria-checked') || attribute(node, 'aria-pressed');
    if (checked) state |= checked === 'true' ? CHECKABLE | CHECKED : CHECKABLE;
  }
  return state;
};
