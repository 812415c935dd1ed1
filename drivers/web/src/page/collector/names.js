// What an element is called: the accessible name, by the rules of accname 1.2 and html-aam.

// How a name is computed: what has been asked already, whether by a reference (`aria-labelledby`),
// whether as a part of another's name, and whether what is hidden counts. `sources` are the
// elements outside of the first one that were asked; `isVolatile` and `hasValue` say whether styles
// or what is in a control are a part of the name.
let naming = null;
const MOST = 1000,
  DEEPEST = 100;

/// The role of an element as authors and browsers call it; empty if it has none.
const ariaRole = node => {
  const given = getAttribute(node, 'role');
  if (given) {
    for (const word of given.toLowerCase().split(/\s+/)) {
      if (word === 'none' || word === 'presentation') {
        // What can be used is not made to nothing.
        if (!isGloballyMarked(node)) return 'none';
      } else if (word in BY_ARIA || AUTHOR_NAMED.has(word)) return word;
    }
  }
  return nativeRole(node);
};
const GLOBAL_MARKS =
  '[aria-label], [aria-labelledby], [aria-describedby], [aria-live], [aria-owns], [aria-controls], [aria-atomic], [aria-busy], [aria-relevant], [tabindex], a[href], button, input, select, textarea';
const isGloballyMarked = node => matches(node, GLOBAL_MARKS);

const nativeRole = node => {
  const tag = tagName(node);
  if (tag === 'INPUT') return BY_INPUT_TYPE[node.type] ?? 'textbox';
  if (tag === 'A' || tag === 'AREA') return hasAttribute(node, 'href') ? 'link' : '';
  if (tag === 'a') return linksIn(node) ? 'link' : '';
  if (tag === 'IMG') {
    const isEmpty = getAttribute(node, 'alt') === '' && !isGloballyMarked(node);
    return isEmpty ? 'none' : 'image';
  }
  if (tag === 'SELECT') return node.multiple || node.size > 1 ? 'listbox' : 'combobox';
  return BY_NATIVE_TAG[tag] ?? '';
};

/// Whether an author takes an element away from those who do not see it.
const isWithheld = node =>
  getAttribute(node, 'aria-hidden') === 'true' || hasAttribute(node, 'inert');
/// Whether nothing of an element is to be seen or heard.
const isHiddenHere = node => {
  if (isWithheld(node)) return true;
  return !checkVisibility(node, VISIBLE) && styleOf(node).display !== 'contents';
};

/// The texts of the elements that an attribute refers to, in its order.
const referred = (node, name) => {
  const ids = getAttribute(node, name);
  if (ids === null) return [];
  if (!ids.trim()) {
    // A script that sets the elements themselves leaves the attribute empty.
    const set = node[name === 'aria-owns' ? 'ariaOwnsElements' : 'ariaLabelledByElements'];
    if (!set?.length) return [];
    naming.refers = true;
    return [...set];
  }
  naming.refers = true;
  const root = getRootNode(node);
  const found = ids.trim().split(/\s+/);
  return found.map(id => elementById(root, id)).filter(Boolean);
};

/// The name of an element that is part of another's name, or refers to one.
const nameIn = (node, how) => {
  const { isFirst, isReferred, isPart } = how;
  const isHidden = !how.isHidden && isHiddenHere(node);
  const isSeen = naming.seen.has(node);
  if (isHidden && !isFirst && !isReferred && !how.isLabel) {
    const isOnlyUnseen = styleOf(node).display !== 'none' && !isWithheld(node);
    // What is in it may be seen all the same.
    return isOnlyUnseen ? insideOf(node, { ...how, isTextless: true }) : '';
  }
  const inside = { isPart: true, isHidden: how.isHidden || (isHidden && !isFirst) };
  inside.isByReference = how.isByReference || isReferred;
  inside.depth = how.depth;
  if (!how.isByReference && !isReferred) {
    const by = referred(node, 'aria-labelledby');
    if (by.length) {
      naming.seen.add(node);
      // Each of them is read for itself: one may be a part of another.
      const seen = [...naming.seen];
      const names = by.map(other => {
        naming.seen = new Set(seen);
        return nameIn(other, { isReferred: true, isHidden: how.isHidden });
      });
      const name = joined(names);
      if (name) return apart(name);
    }
  }
  if (isReferred && node !== naming.first) naming.sources.push(node);
  const kind = ariaRole(node);
  if ((isPart || isReferred) && !isSeen && node !== naming.first) {
    const value = controlValue(node, kind);
    if (value !== null) {
      naming.hasValue = true;
      if (value.trim()) return apart(value);
    }
  }
  const label = readable(attribute(node, 'aria-label')).trim();
  if (label) return apart(label);
  if (isSeen && !isReferred) return '';
  naming.seen.add(node);
  const isNothing = kind === 'none';
  if (!isNothing) {
    const native = nativeName(node, inside);
    if (native !== null && readable(native).trim()) return apart(native);
  }
  const isContent =
    CONTENT_NAMED.has(kind) ||
    tagName(node) === 'SUMMARY' ||
    ((isReferred || how.isLabel || how.isByReference || (isPart && isHeard(kind))) &&
      !VALUED.has(kind));
  if (isContent && !VALUED_TAGS.has(tagName(node))) {
    const text = insideOf(node, inside);
    naming.isApart = false;
    if (text.trim()) return text;
  }
  if (isNothing) return '';
  const title =
    readable(titleOf(node)) || (VALUED.has(kind) ? attribute(node, 'aria-placeholder') : '');
  naming.isTitle = isFirst && title !== '';
  return title || tagName(node) === 'IMG' ? apart(title) : '';
};
/// Whether what is in an element of this role is a part of what is around it.
const isHeard = kind => !SILENT.has(kind) && (naming.isText || !SEPARATE.has(kind));
// They are not read, whoever refers to them.
const UNSAID = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'TITLE', 'IFRAME']);
/// What stands apart from what is before and after it, since it is not a part of a text.
const apart = text => {
  naming.isApart = true;
  return text;
};
const joined = names =>
  names
    .map(text => text.trim())
    .filter(text => text)
    .join(' ');

const XLINK = 'http://www.w3.org/1999/xlink';
const titleOf = node => {
  const isLink = tagName(node) === 'a' && namespaceURI(node) === SVG;
  return attribute(node, 'title') || (isLink && getAttributeNS(node, XLINK, 'title')) || '';
};
/// Whether an `a` of a drawing leads somewhere.
const linksIn = node => hasAttribute(node, 'href') || hasAttributeNS(node, XLINK, 'href');

/// What an author says of an element in the words of its own language; `null` if nothing.
const nativeName = (node, inside) => {
  const tag = tagName(node);
  if (LABELLED.has(tag) || tag.includes('-')) {
    naming.refers = true;
    const labels = labelsOf(node);
    if (labels) {
      const names = labels.map(label => {
        naming.sources.push(label);
        // A label that refers to what it labels is followed once.
        const { isHidden, isByReference } = inside;
        const depth = (inside.depth ?? 0) + 1;
        if (depth > DEEPEST || (!isHidden && isHiddenHere(label))) return '';
        return nameIn(label, { isLabel: true, isPart: true, isHidden, isByReference, depth });
      });
      const name = joined(names);
      if (name) return name;
    }
  }
  switch (tag) {
    case 'INPUT': {
      const { type } = node;
      if (type === 'submit' || type === 'button' || type === 'reset') {
        if (hasAttribute(node, 'value') || type === 'button') return node.value;
        return type === 'submit' ? 'Submit' : 'Reset';
      }
      if (type === 'image') {
        const names = [node.alt, node.value, node.title, 'Submit'];
        return names.find(name => readable(name).trim());
      }
      return PROMPTING.has(type) ? placeholderOf(node) : null;
    }
    case 'TEXTAREA':
      return placeholderOf(node);
    case 'IMG':
    case 'AREA':
      return getAttribute(node, 'alt');
    case 'FIELDSET':
      return nameOfChild(node, 'LEGEND', inside);
    case 'TABLE':
      return nameOfChild(node, 'CAPTION', inside) || getAttribute(node, 'summary');
    case 'FIGURE':
      return nameOfChild(node, 'FIGCAPTION', inside);
    case 'OPTGROUP':
      return getAttribute(node, 'label');
    case 'OPTION':
      return getAttribute(node, 'label') || null;
  }
  if (namespaceURI(node) === SVG) {
    for (let child = firstElementChild(node); child; child = nextElementSibling(child)) {
      if (tagName(child) === 'title') return textContent(child);
    }
  }
  return null;
};

/// What a field asks for.
const placeholderOf = node => {
  const names = ['title', 'placeholder', 'aria-placeholder'].map(name => attribute(node, name));
  return names.find(name => readable(name).trim()) ?? null;
};

/// The name that a child of this tag gives to an element.
const nameOfChild = (node, tag, inside) => {
  let child = firstElementChild(node);
  while (child && tagName(child) !== tag) child = nextElementSibling(child);
  if (!child || (isHiddenHere(child) && !inside.isHidden)) return null;
  return nameIn(child, { ...inside, isLabel: true });
};

/// What a control inside of a name adds to it: what is in it, not what it is called. `null` for
/// what is no such control.
const controlValue = (node, kind) => {
  switch (kind) {
    case 'textbox':
    case 'searchbox': {
      if (node.type === 'password') return '\u2022'.repeat(node.value.length);
      if (tagName(node) === 'INPUT' || tagName(node) === 'TEXTAREA') return node.value;
      return insideOf(node, { isPart: true });
    }
    case 'combobox':
    case 'listbox': {
      if (tagName(node) === 'SELECT') {
        return Array.from(node.selectedOptions, option => option.label).join(' ');
      }
      if (tagName(node) === 'INPUT') return node.value;
      let list = node;
      if (kind === 'combobox') {
        const owned = [...referred(node, 'aria-owns'), ...referred(node, 'aria-controls')];
        naming.sources.push(...owned);
        list = [...owned, node].find(it => ariaRole(it) === 'listbox') ?? querySelector(node, '[role=listbox]');
      }
      const chosen = list ? [...querySelectorAll(list, '[aria-selected=true]')] : [];
      if (chosen.length) {
        return chosen.map(it => nameIn(it, { isPart: true }).trim()).join(' ');
      }
      return kind === 'combobox' ? insideOfField(node) : null;
    }
    case 'slider':
    case 'spinbutton':
    case 'scrollbar':
    case 'progressbar':
    case 'meter': {
      const said = getAttribute(node, 'aria-valuetext') ?? getAttribute(node, 'aria-valuenow');
      return said ?? (node.value !== undefined ? String(node.value) : null);
    }
  }
  return null;
};
const insideOfField = node => {
  const field = querySelector(node, 'input, [role=textbox]');
  if (field) return tagName(field) === 'INPUT' ? field.value : insideOf(field, { isPart: true });
  return insideOf(node, { isPart: true });
};

/// The nodes that are drawn in an element.
const drawnIn = node => {
  const root = shadowOf(node);
  if (root) return root.childNodes;
  if (tagName(node) === 'SLOT') {
    const assigned = node.assignedNodes();
    if (assigned.length) return assigned;
  }
  return childNodes(node);
};

/// What is in an element, as it is read out.
const insideOf = (node, how) => {
  if (UNSAID.has(tagName(node)) || isSkippedInside(node)) return '';
  const isClosed = tagName(node) === 'DETAILS' && !node.open;
  const isTextless = !!how.isTextless;
  let text = isTextless ? '' : generated(node, '::before');
  for (const child of drawnIn(node)) {
    if (isClosed && tagName(child) !== 'SUMMARY') continue;
    if (hasOwners() && isOwnedElsewhere(child, node)) continue;
    if (nodeType(child) === 3) {
      if (isTextless || naming.left < 0) continue;
      text += readable(child.data);
      naming.left -= child.data.length >> 4;
    } else if (nodeType(child) === 1) text += part(child, how);
  }
  for (const owned of referred(node, 'aria-owns')) {
    if (naming.seen.has(owned)) continue;
    naming.sources.push(owned);
    text += ' ' + part(owned, how) + ' ';
  }
  return isTextless ? text : text + generated(node, '::after');
};

/// Whether a style says that nothing in an element is drawn.
const isSkippedInside = node =>
  styleOf(node).contentVisibility === 'hidden' && checkVisibility(node);

/// What a child adds to the name of the element that it is in. A name is a few words: nobody reads
/// on for ever, however much and however deep.
const part = (child, how) => {
  const tag = tagName(child);
  if (--naming.left < 0 || (how.depth ?? 0) > DEEPEST) return '';
  if (tag === 'BR') return ' ';
  if (SKIPPED.has(tag)) return '';
  if (child === naming.first || naming.seen.has(child)) return isInline(child) ? '' : ' ';
  const { isHidden, isByReference } = how;
  const text = nameIn(child, { isPart: true, isHidden, isByReference, depth: (how.depth ?? 0) + 1 });
  // What is not laid out has no line that it could be a part of.
  const isEmpty = text === '' && styleOf(child).display.startsWith('inline');
  const isApart =
    !isEmpty && (naming.isApart || !isInline(child) || (isHidden && !checkVisibility(child)));
  naming.isApart = false;
  return isApart ? ' ' + text + ' ' : text;
};
const isInline = node => {
  const { display } = styleOf(node);
  return display === 'inline' || display === 'none' || display === 'ruby';
};

/// The text that a style puts before or after what is in an element.
const generated = (node, where) => {
  if (!generates && tagName(node) !== 'Q') return '';
  // What is not drawn has nothing before or after it.
  if (!checkVisibility(node) && styleOf(node).display !== 'contents') return '';
  const style = getComputedStyle(node, where);
  const { content } = style;
  if (content === 'none' || content === 'normal' || content === '') return '';
  naming.isVolatile = true;
  const { display } = style;
  if (display === 'none' || style.visibility !== 'visible') return '';
  const text = readable(contentText(node, content));
  const isLine = display === 'inline' || display === 'contents';
  const isText = isLine && /^(?:\s*(?:"(?:[^"\\]|\\.)*"|[\w-]+))*$/.test(content);
  return isText ? text : ' ' + text + ' ';
};
const CONTENT_PARTS =
  /"((?:[^"\\]|\\.)*)"|attr\(\s*([^\s,)]+)[^)]*\)|(\/)|((?:open|close)-quote)|[-\w]+\((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*\)|[^\s"]+/g;
const contentText = (node, content) => {
  let text = '';
  for (const [, quoted, attribute, slash, quote] of content.matchAll(CONTENT_PARTS)) {
    // What follows is to be said instead.
    if (slash) text = '';
    else if (quote) text += quote === 'open-quote' ? '\u201c' : '\u201d';
    else if (attribute) text += getAttribute(node, attribute) ?? '';
    else if (quoted !== undefined) text += unquote(quoted);
  }
  return text;
};
const unquote = text =>
  text.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, code, letter) =>
    code ? String.fromCodePoint(parseInt(code, 16) || 0xfffd) : letter,
  );

const startNaming = first => {
  naming = { first, seen: new Set(), sources: [], refers: false, isVolatile: false, left: MOST };
  naming.isApart = naming.isTitle = naming.hasValue = naming.isText = false;
};
/// Computes the name of an element, and notes what it depends on.
const readName = it => {
  const { node, has } = it;
  it.sources = null;
  it.refers = it.isVolatile = it.hasValue = it.isTitled = false;
  if (it.isLeaf && PLAIN.has(it.tag) && !has.aria && !has.hasAria && !has.hasTitle && !generates) {
    // Most elements with a name are a word or two.
    const isNamed = it.tag !== 'A' || has.links;
    it.refers = it.tag === 'BUTTON';
    if (!it.refers || !labelsOf(node)) return isNamed ? it.own : '';
  }
  startNaming(node);
  const name = squeeze(nameIn(node, { isFirst: true, isHidden: it.seenAs !== VISIBLY }));
  it.sources = naming.sources.length ? naming.sources : null;
  it.refers = naming.refers;
  it.isVolatile = naming.isVolatile;
  it.hasValue = naming.hasValue;
  it.isTitled = naming.isTitle;
  return name;
};
/// What is in an element, as one text. What it depends on is left in `naming`.
const contentOf = it => {
  startNaming(it.node);
  naming.isText = true;
  naming.seen.add(it.node);
  return squeeze(insideOf(it.node, { isPart: true, isHidden: it.seenAs !== VISIBLY }));
};
/// Whether what was read last depends on what nobody tells.
const isUncertain = () =>
  naming.isVolatile || naming.hasValue || naming.refers || naming.sources.length > 0;
