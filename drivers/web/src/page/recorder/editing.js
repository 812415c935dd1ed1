// Texts, keys and values: what somebody types, presses and chooses.

// In a field, the browser edits as ever, so that a person sees what they type; the page hears
// nothing of it. When they pause, the field gets back what was in it, and what was typed is handed
// over.
const TEXT = /^(text|search|url|tel|email|password|number)$/;
const isText = node =>
  (node.localName === 'textarea' || (node.localName === 'input' && TEXT.test(node.type))) &&
  !node.readOnly &&
  !node.disabled;
let edit = null,
  isComposing = false;
const editLater = () => {
  clearTimeout(edit.timer);
  edit.timer = setTimeout(() => (isComposing ? editLater() : endEdit()), config.pauses.typing);
};
const beginEdit = node => {
  if (edit?.node !== node) {
    flush();
    edit = { node, before: node.value, now: node.value, timer: 0 };
  } else if (node.value !== edit.now) {
    // The page has put back what it knows of.
    node.value = edit.now;
  }
  editLater();
};
const endEdit = () => {
  if (!edit) return;
  const { node, before, now, timer } = edit;
  clearTimeout(timer);
  edit = null;
  if (node.value !== before) node.value = before;
  if (now === before) return;
  // Somebody may type on before the screen is looked at: what was in the field is said. A password
  // is not.
  const had = node.type === 'password' ? {} : { before };
  if (now.startsWith(before)) hand({ kind: 'type', text: now.slice(before.length), ...had }, node);
  else hand({ kind: 'replace', text: now, ...had }, node);
};
endEdit.joins = () => !isComposing;
pending.add(endEdit);

// In other areas that can be edited, the page would notice: nothing is shown before it is handed
// over.
let composed = null;
const editorOf = node => {
  let host = null;
  for (let up = node; up?.isContentEditable; up = up.parentNode) host = up;
  return host;
};
const endComposed = () => {
  if (!composed) return;
  const { node, text, timer } = composed;
  clearTimeout(timer);
  composed = null;
  hand({ kind: 'type', text }, node);
};
endComposed.joins = () => true;
pending.add(endComposed);
const compose = (node, text) => {
  if (!text) return;
  if (composed?.node !== node) {
    flush();
    composed = { node, text: '', timer: 0 };
  }
  composed.text += text;
  clearTimeout(composed.timer);
  composed.timer = setTimeout(endComposed, config.pauses.typing);
};

/// The element that keys go to, inside of open shadow trees.
const focused = event => {
  const node = innermost(event);
  return node === document.body || node === document.documentElement ? null : node;
};

const MODIFIERS = /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|NumLock|ScrollLock|Fn|Hyper|Super)$/;
const EDITING_COMMANDS = /^[acxvyz]$/i;
const OF_THE_BROWSER = /^(F5|F11|F12|BrowserRefresh|Control\+(Shift\+)?[rRtTnNwWlLpPfF])$/;
const isPrintable = event =>
  Array.from(event.key).length === 1 &&
  ((!event.ctrlKey && !event.metaKey && !event.altKey) || event.getModifierState('AltGraph'));
/// Whether the browser edits a field with this key, and nothing else can come of it.
const edits = (event, field) => {
  if (event.key === 'Dead' || isPrintable(event)) return true;
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
  if (isCommand && EDITING_COMMANDS.test(event.key)) return true;
  if (event.altKey || event.metaKey || field.value === '') return false;
  if (/^(Backspace|Delete|Home|End|ArrowLeft|ArrowRight)$/.test(event.key)) return true;
  return field.localName === 'textarea' && /^Arrow(Up|Down)$/.test(event.key) && field.value.includes('\n');
};
/// A key with those that are held, as the language has it: `Control+Shift+k`, `Shift+Tab`.
const keyName = event => {
  let key = event.key === ' ' ? 'Space' : event.key;
  const isSymbol = Array.from(event.key).length === 1;
  let held = '';
  if (event.altKey) held += 'Alt+';
  if (event.ctrlKey) held += 'Control+';
  if (event.metaKey) held += 'Meta+';
  if (event.shiftKey && (!isSymbol || held)) held += 'Shift+';
  if (held && isSymbol) key = key.toLowerCase() === ' ' ? 'Space' : key.toLowerCase();
  return held + key;
};

const keyHandlers = {
  keydown(event) {
    if (passes(event)) return;
    if (event.isComposing || event.key === 'Process' || MODIFIERS.test(event.key)) {
      hush(event);
      return;
    }
    const name = keyName(event);
    if (/^Control\+Shift\+k$/i.test(name)) {
      stop(event);
      flush();
      hand({ kind: 'mark' });
      return;
    }
    const node = focused(event);
    if (node && isText(node) && home()?.isOpen()) {
      // The device writes at the same time, perhaps into this field.
      stop(event);
      if (isPrintable(event)) compose(node, event.key);
      else {
        flush();
        hand({ kind: 'key', text: name }, node);
      }
      return;
    }
    if (node && isText(node) && edits(event, node)) {
      hush(event);
      if (edit?.node !== node) flush();
      return;
    }
    if (node && node.localName === 'input' && isPicker(node) && node.type !== 'range' && !/^(Tab|Enter|Escape)$/.test(event.key)) {
      hush(event);
      remember(node);
      return;
    }
    stop(event);
    const editor = node && editorOf(node);
    if (editor && isPrintable(event)) {
      compose(editor, event.key);
      return;
    }
    flush();
    if (name === 'Alt+ArrowLeft' || name === 'BrowserBack') hand({ kind: 'back' });
    else if (name === 'Alt+ArrowRight' || name === 'BrowserForward') lack('forward');
    else if (OF_THE_BROWSER.test(name)) lack('browser', name);
    else hand({ kind: 'key', text: name }, node);
  },
  beforeinput(event) {
    if (passes(event)) return;
    const node = innermost(event);
    const isShared = isText(node) && event.cancelable && home()?.isOpen();
    if (isText(node) && !isShared) {
      hush(event);
      beginEdit(node);
      return;
    }
    const editor = isShared ? node : editorOf(node);
    if (!editor) {
      hush(event);
      return;
    }
    stop(event);
    const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
    if (!event.cancelable) lack('composition', '', editor);
    else if (/^insert/.test(event.inputType) && text) compose(editor, text);
    else lack('editing', event.inputType, editor);
  },
  paste(event) {
    if (passes(event)) return;
    const node = focused(event);
    if (node && isText(node)) {
      hush(event);
      return;
    }
    stop(event);
    const editor = node && editorOf(node);
    const text = event.clipboardData?.getData('text/plain');
    if (editor && text) compose(editor, text);
    else lack('paste', '', node);
  },
  compositionstart(event) {
    if (passes(event)) return;
    isComposing = true;
    hush(event);
  },
  compositionend(event) {
    if (passes(event)) return;
    isComposing = false;
    hush(event);
  },
  drop(event) {
    if (passes(event)) return;
    const node = innermost(event);
    if (isText(node) && !event.dataTransfer?.files.length) {
      hush(event);
      return;
    }
    stop(event);
    lack('drop', '', node);
  },
};
for (const type of ['keyup', 'keypress', 'compositionupdate', 'copy', 'cut', 'select', 'selectstart'])
  keyHandlers[type] = event => {
    if (!passes(event)) hush(event);
  };
for (const type of ['dragenter', 'dragover', 'dragleave'])
  keyHandlers[type] = event => {
    if (passes(event)) return;
    hush(event);
    if (type === 'dragover') event.preventDefault();
  };

// What a control had before somebody chose something else.
const known = new WeakMap();
const isValue = node =>
  node.localName === 'select' || (node.localName === 'input' && PICKERS.test(node.type));
const valueOf = node =>
  node.localName === 'select'
    ? Array.from(node.options, option => option.selected)
    : node.type === 'file'
      ? ''
      : node.value;
const remember = node => {
  if (isValue(node)) known.set(node, valueOf(node));
};
/// A control gets back what it had.
const restore = node => {
  const before = known.get(node);
  if (node.localName === 'select') {
    const chosen = node.selectedIndex;
    if (Array.isArray(before)) {
      Array.from(node.options, (option, index) => (option.selected = before[index] === true));
      // A list of one line always has one that is chosen, unless it is told that it has none.
      if (!before.some(isChosen => isChosen)) node.selectedIndex = -1;
    } else {
      const usual = Array.from(node.options).findIndex(option => option.defaultSelected);
      node.selectedIndex = usual < 0 && !node.multiple && node.size <= 1 ? 0 : usual;
    }
    if (node.selectedIndex === chosen && !node.multiple) node.selectedIndex = -1;
    return;
  }
  const now = node.value;
  node.value = before ?? (node.type === 'file' ? '' : node.defaultValue);
  if (before === undefined && node.value === now) node.value = '';
};
const choose = node => {
  if (node.localName === 'select') {
    const before = known.get(node);
    const isNew = (option, index) => option.selected !== (before?.[index] ?? false);
    const chosen = Array.from(node.options).find(isNew) ?? node.selectedOptions[0];
    const changed = Array.from(node.options).filter((option, index) => option.selected && isNew(option, index));
    const text = (node.multiple ? chosen : (changed[0] ?? node.selectedOptions[0]))?.label.trim() ?? '';
    const option = node.multiple ? chosen : (changed[0] ?? node.selectedOptions[0]);
    restore(node);
    flush();
    hand({ kind: 'choose', text }, node, option);
    return;
  }
  if (node.type === 'file') {
    const names = Array.from(node.files, file => file.name);
    restore(node);
    flush();
    if (names.length > 1) lack('files', '', node);
    if (names.length) hand({ kind: 'type', text: names[0] }, node);
    return;
  }
  const text = node.value;
  restore(node);
  flush();
  hand({ kind: 'type', text }, node);
};
const valueHandlers = {
  input(event) {
    const node = innermost(event);
    if (passes(event)) return;
    hush(event);
    if (isText(node) && edit?.node === node) {
      edit.now = node.value;
      editLater();
    }
  },
  change(event) {
    const node = innermost(event);
    if (passes(event)) return;
    if (isValue(node)) {
      hush(event);
      choose(node);
      remember(node);
    } else if (isText(node)) hush(event);
  },
};
