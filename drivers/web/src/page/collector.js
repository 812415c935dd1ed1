// Runs in a world of its own in every document: sees the same nodes as the page, and nothing that the page
// did to its globals. `collect` looks at the whole page and says what has changed since the last look.
(config => {
  'use strict';
  // A window that gets its process late is given the script twice.
  if (config.name in window) return;
  // Bits of capuchin_ui::State.
  const DISPLAYED = 1, ENABLED = 2, COVERED = 4, CLICKABLE = 8, LONG = 16, EDITABLE = 32, SCROLLABLE = 64,
    CHECKABLE = 128, CHECKED = 256, SELECTED = 512, FOCUSED = 1024, REVEALS = 4096;
  const CLICK = 1, PRESS = 2, MENU = 4, DRAG = 8, HOVER = 16, FRAME = 1024, TRAFFIC = 2048, ASKED = 4096, ANSWERED = 8192, WHEEL = 16384, FOCUSES = 32768, MOVES = 65536;
  const ROLES = ['button', 'checkbox', 'field', 'label', 'heading', 'link', 'image', 'list', 'item', 'radio', 'switch',
    'slider', 'combobox', 'choice', 'tab', 'menu', 'command', 'dialog', 'progress', 'group'];
  const role = Object.fromEntries(ROLES.map((name, index) => [name, index]));
  const BY_ARIA = {
    __proto__: null,
    button: role.button, checkbox: role.checkbox, menuitemcheckbox: role.checkbox, textbox: role.field, searchbox: role.field,
    spinbutton: role.field, heading: role.heading, link: role.link, img: role.image, image: role.image, list: role.list,
    listbox: role.list, grid: role.list, table: role.list, tree: role.list, treegrid: role.list, feed: role.list,
    listitem: role.item, row: role.item, treeitem: role.item, article: role.item, radio: role.radio, menuitemradio: role.radio,
    switch: role.switch, slider: role.slider, scrollbar: role.slider, combobox: role.combobox, option: role.choice, tab: role.tab,
    menu: role.menu, menubar: role.menu, menuitem: role.command, dialog: role.dialog, alertdialog: role.dialog,
    progressbar: role.progress, meter: role.progress, status: role.label, alert: role.label, note: role.label,
  };
  const BY_TAG = {
    __proto__: null,
    BUTTON: role.button, SUMMARY: role.button, A: role.link, AREA: role.link, TEXTAREA: role.field, SELECT: role.combobox,
    OPTION: role.choice, H1: role.heading, H2: role.heading, H3: role.heading, H4: role.heading, H5: role.heading,
    H6: role.heading, IMG: role.image, CANVAS: role.image, PICTURE: role.image, VIDEO: role.image, UL: role.list,
    OL: role.list, DL: role.list, TABLE: role.list, MENU: role.list, LI: role.item, TR: role.item, DT: role.item, DIALOG: role.dialog,
    PROGRESS: role.progress, METER: role.progress, LABEL: role.label, LEGEND: role.label, CAPTION: role.label,
    OUTPUT: role.label, P: role.label,
  };
  const BY_TYPE = {
    __proto__: null,
    button: role.button, submit: role.button, reset: role.button, image: role.button, checkbox: role.checkbox, radio: role.radio,
    range: role.slider,
  };
  const CLICKED = new Set([role.button, role.checkbox, role.field, role.radio, role.switch, role.slider, role.combobox, role.choice,
    role.tab, role.command]);
  const NAMED_BY_CONTENT = new Set([role.button, role.link, role.heading, role.item, role.choice, role.tab, role.command, role.checkbox,
    role.radio, role.switch]);
  const SKIPPED = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'HEAD', 'META', 'LINK', 'BR', 'WBR', 'TITLE', 'BASE', 'PARAM',
    'SOURCE', 'TRACK', 'DATALIST', 'COL', 'COLGROUP']);
  const TESTIDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];
  const PHRASING = new Set(['B', 'STRONG', 'I', 'EM', 'SPAN', 'A', 'CODE', 'SMALL', 'U', 'S', 'SUB', 'SUP', 'MARK', 'TIME', 'ABBR', 'Q', 'KBD',
    'VAR', 'BR', 'WBR', 'CITE', 'DFN', 'DATA', 'FONT', 'BDI', 'BDO', 'INS', 'DEL']);
  const LONGEST = 400;

  const listens = new WeakMap();
  let needsFrames = false, followsMoves = false, hasTraffic = false, hasWheels = false, byScript = false;
  // How many questions the browser has not answered, and whether there were any since somebody waited for it.
  let open = 0, asked = false;
  const mark = (node, bits) => {
    if (bits & ASKED) {
      open++;
      asked = true;
    } else if (bits & ANSWERED) open = Math.max(0, open - 1);
    else if (bits & FRAME) {
      needsFrames = true;
      changes++;
    } else if (bits & MOVES) {
      followsMoves = true;
      moves++;
    }
    else if (bits & TRAFFIC) hasTraffic = true;
    else if (bits & WHEEL) hasWheels = true;
    else if (bits & FOCUSES) byScript = !byScript;
    else if (node) listens.set(node, (listens.get(node) || 0) | bits);
  };
  window.addEventListener(config.channel, event => {
    event.stopImmediatePropagation();
    const first = event.composedPath()[0];
    const node = first && first.nodeType === 1 ? first : event.relatedTarget;
    // A frame of the same origin is looked at from the top; any other is none of our business.
    try {
      if (window === window.top) mark(node, event.screenX);
      else window.top[config.name]?.mark(node, event.screenX);
    } catch {}
  }, true);
  // How far the last touch has come. Whether the page refused it is only known when everybody has heard of it.
  const BEGUN = 1, LIFTED = 2, OVER = 4, REFUSED = 8;
  let touch = { state: 0, heard: [] };
  const feel = event => {
    if (!event.isTrusted) return;
    if (window !== window.top) {
      try { window.top[config.name]?.feel(event); } catch {}
      return;
    }
    if (event.type === 'touchstart') touch.state |= BEGUN;
    else if (event.type === 'touchend') touch.state |= LIFTED;
    else touch.state |= event.type === 'touchcancel' ? LIFTED | OVER : OVER;
    touch.heard.push(event);
  };
  if (config.onCommand) {
    const instant = new CSSStyleSheet();
    instant.replaceSync('* { scroll-behavior: auto !important }');
    document.adoptedStyleSheets.push(instant);
  }
  for (const type of ['touchstart', 'touchend', 'touchcancel', 'mouseup', 'click', 'contextmenu']) window.addEventListener(type, feel, { capture: true, passive: true });
  if (window !== window.top) return;

  // A reset must not be seen by the page that it ends: nothing is saved, and nobody asks whether to stay.
  let leaving = false;
  for (const type of ['beforeunload', 'pagehide', 'unload', 'visibilitychange']) {
    window.addEventListener(type, event => { if (leaving) event.stopImmediatePropagation(); }, true);
  }

  // When something last changed by itself, and where.
  let changed = performance.now(), where = null, changes = 0, moves = 0;
  const watched = new WeakSet();
  // The shadow trees and frames of the last look.
  const others = [];
  // By the time that its first scripts run, a page has been drawn, and what asks for the focus has got it. A browser
  // that draws on command has not drawn it then: so we give it the focus, once.
  let isUnfocused = config.onCommand, wasFocused = false, isRepeated = false, first = null;
  // What a script puts there is drawn a frame later: if it has gone by then, the focus is for the next that asks for it.
  const A_FRAME = 16;
  let wasThere = false, focused = 0;
  const focusFirst = () => {
    const asks = document.querySelector('[autofocus]');
    if (!asks) return;
    isUnfocused = false;
    wasFocused = true;
    first = asks;
    wasThere = document.readyState === 'loading';
    focused = performance.now();
    if (!document.activeElement || document.activeElement === document.body) asks.focus();
  };
  // The browser knows nothing of that, and gives it again if what had it has gone: until somebody touches the page,
  // what gets it from neither a script nor us has it from there.
  let isTouched = false;
  for (const type of ['pointerdown', 'keydown']) window.addEventListener(type, () => { isTouched = true; }, true);
  for (const type of ['focus', 'focusin', 'blur', 'focusout']) {
    window.addEventListener(type, event => {
      if (type === 'focus') isRepeated = wasFocused && !isTouched && !byScript && event.target !== first && event.target.hasAttribute?.('autofocus');
      if (!isRepeated) return;
      event.stopImmediatePropagation();
      if (type === 'focus') {
        event.target.blur();
        isRepeated = false;
      }
    }, true);
  }
  const observer = new MutationObserver(records => {
    changed = performance.now();
    if (first && !first.isConnected) {
      first = null;
      if (!wasThere && changed - focused < A_FRAME) {
        isUnfocused = true;
        wasFocused = false;
      }
    }
    if (isUnfocused) focusFirst();
    where = records[records.length - 1].target;
    changes++;
  });
  const watch = root => {
    if (root !== document) others.push(root);
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  watch(document);

  const squeeze = text => {
    // Most texts are squeezed already, and a test costs less than a copy.
    if (/\s\s|[^\S ]|^ | $/.test(text)) text = text.replace(/\s+/g, ' ').trim();
    return text.length > LONGEST ? text.slice(0, LONGEST) : text;
  };
  const escape = text => (/[\t\n\r\\]/.test(text)
    ? text.replace(/[\t\n\r\\]/g, c => (c === '\t' ? '\\t' : c === '\n' ? '\\n' : c === '\r' ? '' : '\\\\'))
    : text);
  const attribute = (node, name) => node.getAttribute(name) || '';

  /// The text that stands directly in an element.
  const ownText = node => {
    let text = '';
    for (let child = node.firstChild; child; child = child.nextSibling) if (child.nodeType === 3) text += child.data;
    return text === '' ? '' : squeeze(text);
  };
  /// Whether everything in an element is part of a sentence: then its text is the whole of it.
  const isPhrase = node => {
    for (let child = node.firstElementChild; child; child = child.nextElementSibling) {
      // An element of the app's own making stands in a sentence like a span does, unless it has insides.
      const fits = PHRASING.has(child.tagName) || SKIPPED.has(child.tagName) || (child.tagName.includes('-') && !child.shadowRoot);
      if (!fits || (child.firstElementChild && !isPhrase(child))) return false;
    }
    return true;
  };
  const content = node => squeeze(node.firstElementChild ? (node.innerText ?? node.textContent) : node.textContent);

  const nameOf = (node, kind, own, hasAria, hasTitle) => {
    if (hasAria) {
      const by = attribute(node, 'aria-labelledby');
      if (by) {
        const root = node.getRootNode();
        const text = by.split(/\s+/).map(id => root.getElementById?.(id)?.textContent || '').join(' ');
        if (text.trim()) return squeeze(text);
      }
      const label = attribute(node, 'aria-label').trim();
      if (label) return squeeze(label);
    }
    const tag = node.tagName;
    const title = hasTitle ? attribute(node, 'title') : '';
    if (tag === 'INPUT') {
      const type = node.type;
      if (type === 'submit' || type === 'button' || type === 'reset') return squeeze(node.value || (type === 'submit' ? 'Submit' : type === 'reset' ? 'Reset' : ''));
      if (type === 'image') return squeeze(node.alt || node.value);
    }
    if (node.labels && node.labels.length) {
      const text = squeeze(Array.from(node.labels, label => label.textContent).join(' '));
      if (text) return text;
    }
    if (tag === 'IMG' || tag === 'AREA') return squeeze(node.alt || title);
    if (tag === 'svg' || tag === 'SVG') return squeeze(node.querySelector('title')?.textContent || '');
    if (tag === 'SELECT' || tag === 'TEXTAREA' || tag === 'INPUT') return squeeze(title);
    if (NAMED_BY_CONTENT.has(kind)) {
      const text = content(node);
      if (text) return text;
      const picture = node.firstElementChild && node.querySelector('img[alt],svg title,[aria-label]');
      if (picture) return squeeze(attribute(picture, 'alt') || attribute(picture, 'aria-label') || picture.textContent || '');
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

  const VISIBLE = { visibilityProperty: true };
  const CONTROLS = new Set(['BUTTON', 'INPUT', 'SELECT', 'TEXTAREA', 'OPTION', 'OPTGROUP', 'FIELDSET']);
  const TEXTLIKE = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number', 'date', 'time', 'datetime-local', 'month', 'week', 'color', 'range', 'file']);

  let nodes = [], rows = [], previous = [];
  let active = null, width = 0, height = 0;
  // How far everything is scrolled, in all, and how large frames are: who listens to that hears of it with a frame.
  let scrolled = 0, scrolledBefore = 0, sizeBefore = 0;
  // Focus moves with frames: what asks for it gets it with the next one, if nobody else has it, and what is
  // not shown any more loses it.
  let asking = null, answered = null;

  /// Whether a click at the point would reach the node.
  const reaches = (node, x, y) => {
    if (!isHit(node, x, y)) return false;
    // What is in a frame may be covered by what is around the frame.
    const view = node.ownerDocument.defaultView;
    if (!view || view === window) return true;
    const frame = view.frameElement, box = frame.getBoundingClientRect();
    x += box.left + frame.clientLeft;
    y += box.top + frame.clientTop;
    return !frame.ownerDocument.elementFromPoint(x, y) || reaches(frame, x, y);
  };
  const isHit = (node, x, y) => {
    let hit = node.ownerDocument.elementFromPoint(x, y);
    // What is hit inside of a shadow tree is told as its host.
    while (hit && hit.shadowRoot && hit !== node) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    if (!hit) return false;
    for (let up = hit; up; up = up.assignedSlot || up.parentNode || up.host) if (up === node) return true;
    if (hit.shadowRoot && hit.shadowRoot.contains(node)) return true;
    const label = hit.closest?.('label');
    if (label && label.control === node) return true;
    return node.tagName === 'LABEL' && node.control === hit;
  };

  /// What is at a point, inside of shadow trees too.
  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    for (let inner; hit?.shadowRoot && (inner = hit.shadowRoot.elementFromPoint(x, y)) && inner !== hit;) hit = inner;
    return hit;
  };

  /// A whole number of pixels, whatever a page makes of its sizes.
  const pixel = length => (length > 1e6 ? 1e6 : length < -1e6 ? -1e6 : Math.round(length) || 0);
  const push = (depth, kind, state, x, y, w, h, id, text, value, hint, native, classes, node) => {
    rows.push(depth + '\t' + kind + '\t' + state + '\t' + x + '\t' + y + '\t' + w + '\t' + h + '\t' + escape(id) + '\t' +
      escape(text) + '\t' + escape(value) + '\t' + escape(hint) + '\t' + native + '\t' + escape(classes));
    nodes.push(node);
  };

  // A style is alive: what it says changes with the page.
  const styles = new WeakMap();
  const styleOf = node => {
    let style = styles.get(node);
    if (!style) styles.set(node, (style = getComputedStyle(node)));
    return style;
  };
  const clips = node => {
    const style = styleOf(node);
    return style.overflowY !== 'visible' || style.overflowX !== 'visible';
  };

  // `clip` is what the scrollers and frames around leave to be seen, in the top document's pixels; `reveals`
  // whether somebody can scroll.
  const visit = (node, depth, dx, dy, clip, reveals, pointer, inert) => {
    const tag = node.tagName;
    if (SKIPPED.has(tag)) return;
    // Most elements have a class and nothing else: what they do not have is not asked for one by one.
    let classes = '', id = '', aria = '', hasAria = false, hasTitle = false, edits = false, drags = false, clicks = false;
    if (node.hasAttributes()) {
      let hasData = false;
      for (const name of node.getAttributeNames()) {
        switch (name) {
          case 'class': classes = node.getAttribute('class'); break;
          case 'id': id = node.getAttribute('id'); break;
          case 'role': aria = node.getAttribute('role'); break;
          case 'title': hasTitle = true; break;
          case 'inert': inert = true; break;
          case 'contenteditable': edits = true; break;
          case 'draggable': drags = true; break;
          case 'onclick': clicks = true; break;
          default:
            if (name.startsWith('aria-')) hasAria = true;
            else if (name.startsWith('data-')) hasData = true;
        }
      }
      if (id === '' && hasData) id = testId(node);
    }
    const visible = node.checkVisibility(VISIBLE);
    if (!visible && !node.checkVisibility()) {
      // Not on the screen; but an author who gave it a name may ask for it.
      if (id && tag !== 'OPTION') {
        const kind = BY_ARIA[attribute(node, 'role')] ?? (tag === 'INPUT' ? BY_TYPE[node.type] ?? role.field : BY_TAG[tag]) ?? role.group;
        push(depth, kind, node.matches(':disabled') ? 0 : ENABLED, 0, 0, 0, 0, id, nameOf(node, kind, '', hasAria, hasTitle), '', '', tag.toLowerCase(), classes, node);
      }
      if (!node.shadowRoot && tag !== 'SLOT') {
        const style = getComputedStyle(node).display;
        if (style !== 'contents') return;
      }
    }
    const input = tag === 'INPUT';
    const type = input ? node.type : '';
    if (type === 'hidden') return;
    let kind = (aria ? BY_ARIA[aria.split(' ')[0]] : undefined) ?? (input ? BY_TYPE[type] ?? role.field : BY_TAG[tag]) ?? -1;
    if (tag === 'A' && !node.hasAttribute('href') && !aria) kind = -1;
    const editing = edits && node.isContentEditable && !node.parentNode?.isContentEditable;
    if (editing) kind = role.field;
    const root = tag === 'HTML' || tag === 'BODY';
    let own = ownText(node);
    if (node.firstElementChild && (kind < 0 || kind === role.label) && !root && isPhrase(node) && (own !== '' || tag === 'SPAN' || tag === 'P' || id !== '')) {
      own = content(node);
    }
    const bits = listens.get(node) || 0;
    const box = node.getBoundingClientRect();
    let rect = box;
    // What goes over several lines is hit at its first.
    if (box.height > 24 && (tag === 'A' || tag === 'SPAN' || tag === 'LABEL')) {
      const parts = node.getClientRects();
      if (parts.length > 1) rect = parts[0];
    }
    const x = pixel(rect.left + dx), y = pixel(rect.top + dy), w = pixel(rect.width), h = pixel(rect.height);
    const leaf = node.firstElementChild === null && !node.shadowRoot;

    let scrollable = false, hides = false;
    if (!root && !(leaf && h < 60) && !input && tag !== 'SELECT' && clips(node) && node.clientHeight > 0 &&
      (node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1)) {
      const style = styleOf(node);
      const down = node.scrollHeight > node.clientHeight + 1 ? style.overflowY : 'visible';
      const across = node.scrollWidth > node.clientWidth + 1 ? style.overflowX : 'visible';
      scrollable = /auto|scroll/.test(down) || /auto|scroll/.test(across);
      hides = !scrollable && (/hidden|clip/.test(style.overflowY) || /hidden|clip/.test(style.overflowX));
    } else if (tag === 'HTML') {
      const page = node.ownerDocument.scrollingElement || node;
      scrollable = page.scrollHeight > node.clientHeight + 1 || page.scrollWidth > node.clientWidth + 1;
      if (scrollable) scrollable = !/hidden|clip/.test(getComputedStyle(node).overflowY) || !/hidden|clip/.test(getComputedStyle(node).overflowX);
    }

    let clickable = (bits & CLICK) !== 0 && !root;
    let cursor = pointer;
    if (!clickable && (CLICKED.has(kind) || kind === role.link || editing || tag === 'SUMMARY' || clicks)) clickable = true;
    if (!clickable && tag === 'LABEL' && node.control) clickable = true;
    if (!clickable && !root && w > 0 && h > 0) {
      cursor = styleOf(node).cursor === 'pointer';
      // A cursor is inherited; only the element that begins with it means it.
      if (cursor && !pointer) clickable = true;
    } else if (clickable) cursor = true;

    const named = id !== '' || classes !== '';
    const interesting = kind >= 0 || named || own !== '' || clickable || scrollable || bits !== 0 || tag === 'IFRAME' || tag === 'HTML';
    let next = depth;
    if (interesting) {
      if (kind < 0) kind = own !== '' ? role.label : role.group;
      if (kind === role.label && own === '' && !clickable && tag !== 'LABEL' && tag !== 'OUTPUT' && tag !== 'P') kind = role.group;
      let state = 0;
      const shown = w > 0 && h > 0 && visible;
      // A label without a text is still there: it is a place where a text will be.
      const there = shown || ((kind === role.label || kind === role.list || named) && visible && (w > 0 || h > 0 || own === ''));
      if (there) state |= DISPLAYED;
      const disabled = inert || (CONTROLS.has(tag) && node.matches(':disabled')) || (hasAria && attribute(node, 'aria-disabled') === 'true');
      if (!disabled) state |= ENABLED;
      if (clickable) state |= CLICKABLE;
      if (bits & (PRESS | MENU)) state |= LONG;
      if (scrollable || (bits & DRAG) || (drags && node.draggable && tag !== 'A' && tag !== 'IMG') || kind === role.slider) state |= SCROLLABLE;
      let value = '', hint = '';
      if (hasAria) {
        const current = attribute(node, 'aria-current');
        if (attribute(node, 'aria-selected') === 'true' || (current && current !== 'false')) state |= SELECTED;
      }
      if (input || tag === 'TEXTAREA') {
        if (type === 'checkbox' || type === 'radio') {
          state |= CHECKABLE;
          if (node.checked) state |= CHECKED;
        } else if (kind !== role.button) {
          value = type === 'file' ? Array.from(node.files, file => file.name).join(', ') : node.value;
          if (!node.readOnly && (tag === 'TEXTAREA' || TEXTLIKE.has(type))) state |= EDITABLE;
        }
        hint = attribute(node, 'placeholder');
      } else if (tag === 'SELECT') {
        value = squeeze(Array.from(node.selectedOptions, option => option.label).join(', '));
        state |= EDITABLE;
      } else if (editing) {
        value = (node.innerText || '').replace(/\n$/, '');
        state |= EDITABLE;
        hint = attribute(node, 'aria-placeholder') || attribute(node, 'data-placeholder');
      } else if (kind === role.progress || kind === role.slider) {
        value = attribute(node, 'aria-valuetext') || attribute(node, 'aria-valuenow') || (node.value !== undefined ? String(node.value) : '');
      } else if (hasAria) {
        const checked = attribute(node, 'aria-checked') || attribute(node, 'aria-pressed');
        if (checked) {
          state |= CHECKABLE;
          if (checked === 'true') state |= CHECKED;
        }
        hint = attribute(node, 'aria-description');
      }
      if (node === active) state |= FOCUSED;
      const cx = x + (w >> 1), cy = y + (h >> 1);
      const inView = cx >= clip[0] && cy >= clip[1] && cx < clip[2] && cy < clip[3];
      if (shown) {
        if (!inView) {
          if (reveals(x, y, w, h)) state |= REVEALS;
        } else if (clickable || id !== '' || (state & (EDITABLE | SCROLLABLE)) || kind === role.item) {
          if (!reaches(node, cx - dx, cy - dy)) state |= COVERED;
        }
      }
      push(depth, kind, state, x, y, w, h, id, nameOf(node, kind, own, hasAria, hasTitle), value, hint, tag.toLowerCase(), classes, node);
      next = depth + 1;
      if (tag === 'SELECT') {
        // The list of a select is not part of the page; its choices stand where the select is.
        const open = node.size > 1 || node.multiple;
        for (const option of node.options) {
          let bits = (state & (DISPLAYED | COVERED | REVEALS)) | CLICKABLE | CHECKABLE;
          if (!disabled && !option.disabled && !option.parentNode.disabled) bits |= ENABLED;
          if (option.selected) bits |= SELECTED | CHECKED;
          const place = open && option.getBoundingClientRect().height > 0 ? option.getBoundingClientRect() : null;
          const at = place ? [Math.round(place.left + dx), Math.round(place.top + dy), Math.round(place.width), Math.round(place.height)] : [x, y, w, h];
          push(next, role.choice, bits, ...at, option.id, squeeze(option.label), option.value, '', 'option', attribute(option, 'class'), option);
        }
        return;
      }
    }
    if (tag === 'svg') return;
    // It is loaded when it has been drawn nearby.
    if ((tag === 'IMG' || tag === 'IFRAME') && node.loading === 'lazy') needsFrames = true;
    if (tag === 'IFRAME' || tag === 'FRAME') {
      let inner = null;
      try { inner = node.contentDocument; } catch {}
      if (inner && inner.documentElement) {
        watch(inner);
        const place = inner.scrollingElement;
        if (place) scrolled = scrolled * 1.001 + place.scrollTop + place.scrollLeft / 8192 + node.clientWidth + node.clientHeight / 8192;
        const left = box.left + dx + node.clientLeft, top = box.top + dy + node.clientTop;
        const seen = [Math.max(clip[0], left), Math.max(clip[1], top), Math.min(clip[2], left + node.clientWidth), Math.min(clip[3], top + node.clientHeight)];
        visit(inner.documentElement, next, left, top, seen, () => true, false, inert);
      }
      return;
    }
    let seen = clip, may = reveals;
    if ((scrollable && !root) || hides) {
      const left = box.left + dx + node.clientLeft, top = box.top + dy + node.clientTop;
      const right = left + node.clientWidth, bottom = top + node.clientHeight;
      seen = [Math.max(clip[0], left), Math.max(clip[1], top), Math.min(clip[2], right), Math.min(clip[3], bottom)];
      scrolled = scrolled * 1.001 + node.scrollTop + node.scrollLeft / 8192;
      if (scrollable) {
        const least = left - node.scrollLeft, first = top - node.scrollTop;
        const most = least + node.scrollWidth, last = first + node.scrollHeight;
        may = (x, y, w, h) => x + w > least && y + h > first && x < most && y < last;
      } else {
        may = (x, y, w, h) => x + w > left && y + h > top && x < right && y < bottom && reveals(x, y, w, h);
      }
    }
    if (node.shadowRoot) {
      watch(node.shadowRoot);
      for (let child = node.shadowRoot.firstElementChild; child; child = child.nextElementSibling) visit(child, next, dx, dy, seen, may, cursor, inert);
    } else if (tag === 'SLOT' && node.assignedElements().length) {
      for (const child of node.assignedElements()) visit(child, next, dx, dy, seen, may, cursor, inert);
    } else {
      for (let child = node.firstElementChild; child; child = child.nextElementSibling) visit(child, next, dx, dy, seen, may, cursor, inert);
    }
  };

  const look = () => {
    nodes = [];
    rows = [];
    others.length = 0;
    width = innerWidth;
    height = innerHeight;
    active = document.activeElement;
    while (active && (active.shadowRoot?.activeElement || active.tagName === 'IFRAME')) {
      try {
        active = active.shadowRoot?.activeElement || active.contentDocument?.activeElement || null;
      } catch {
        break;
      }
    }
    if (active === document.body) active = null;
    asking = active ? (active.checkVisibility() ? null : active) : wasFocused ? null : document.querySelector('[autofocus]');
    const root = document.documentElement;
    if (!root) return;
    const page = document.scrollingElement || root;
    const least = -page.scrollLeft, first = -page.scrollTop;
    const most = least + page.scrollWidth, last = first + page.scrollHeight;
    const scrolls = page.scrollHeight > height + 1 || page.scrollWidth > width + 1;
    const may = (x, y, w, h) => scrolls && x + w > least && y + h > first && x < most && y < last;
    scrolled = page.scrollTop + page.scrollLeft / 8192;
    visit(root, 0, 0, 0, [0, 0, width, height], may, false, false);
    const size = width * 65536 + height;
    if (scrolled !== scrolledBefore || size !== sizeBefore) {
      changes++;
      moves++;
    }
    scrolledBefore = scrolled;
    sizeBefore = size;
  };

  // The rate of an animation that animations.js has taken.
  const SLOW = 1e-9;
  /// Animations, in shadow trees and frames as well: those are not told with the document's.
  const moving = () => {
    const all = document.getAnimations();
    for (const root of others) if (root.isConnected) all.push(...root.getAnimations());
    return all;
  };
  /// How long animations that come to an end still run, in milliseconds.
  const animating = animations => {
    let left = 0;
    for (const animation of animations) {
      if (animation.playState !== 'running') continue;
      const timing = animation.effect?.getComputedTiming();
      if (!timing || !isFinite(timing.endTime)) continue;
      let rate = animation.playbackRate || 1;
      if (Math.abs(rate) < 1e-6) rate /= SLOW;
      const at = animation.currentTime || 0;
      left = Math.max(left, (rate > 0 ? timing.endTime - at : at) / Math.abs(rate));
    }
    // What is left of a millisecond after a division is no millisecond.
    return Math.ceil(left - 0.01);
  };

  const describe = node => {
    const element = node && (node.nodeType === 1 ? node : node.parentElement);
    if (!element) return '';
    return element.tagName.toLowerCase() + (idOf(element) ? '#' + idOf(element) : attribute(element, 'class') ? '.' + attribute(element, 'class').trim().split(/\s+/)[0] : '');
  };

  const serious = () => {
    const found = [];
    const ids = new Set();
    for (let i = 0; i < rows.length; i++) {
      const node = nodes[i], cells = rows[i].split('\t');
      if (!(cells[2] & DISPLAYED)) continue;
      const kind = +cells[1];
      const what = '<' + describe(node) + '>';
      if ((CLICKED.has(kind) || kind === role.link) && kind !== role.choice && !cells[8] && !cells[10]) found.push('a ' + ROLES[kind] + ' without a name: ' + what);
      if (node.tagName === 'IMG' && !node.hasAttribute('alt') && attribute(node, 'role') !== 'presentation') found.push('a picture without a text: ' + what);
      if (node.id) {
        if (ids.has(node.id)) found.push('an id used twice: ' + what);
        ids.add(node.id);
      }
    }
    if (!attribute(document.documentElement, 'lang')) found.push('a page without a language: <html>');
    return [...new Set(found)];
  };

  // A look that is still to come: whoever looks before that need not look again. Each look plans the next, for when the
  // event that follows it is over: no time passes in between.
  let planned = 0, plans = 0, ordered = 0;
  const unplan = () => {
    clearTimeout(planned);
    planned = 0;
    plans++;
  };
  const plan = () => {
    if (!config.takes) return;
    const number = plans;
    const say = () => { if (number === plans) window[config.say](api.collect(false)); };
    // What is due at the same moment comes first.
    planned = setTimeout(() => scheduler.postTask(say), config.takes);
  };
  // The last look was a moment before the end of its event. So that the next is not a moment too early, the time
  // is taken when the event comes.
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'input']) {
    window.addEventListener(type, event => {
      if (!event.isTrusted || !planned) return;
      unplan();
      plan();
    }, { capture: true, passive: true });
  }
  const api = {
    mark,
    /// What is on the page. The first line is about the page as a whole, the others are its elements: all of
    /// them, or only those that changed.
    collect(whole) {
      unplan();
      clearTimeout(ordered);
      const animations = moving();
      if (animations.length) document.dispatchEvent(new Event(config.channel + '-look'));
      look();
      let patch;
      if (whole || !previous.length) patch = 'all\n' + rows.join('\n');
      else if (rows.length === previous.length) {
        const lines = [];
        for (let i = 0; i < rows.length; i++) if (rows[i] !== previous[i]) lines.push(i + '\t' + rows[i]);
        patch = 'some' + (lines.length ? '\n' + lines.join('\n') : '');
      } else {
        const least = Math.min(rows.length, previous.length);
        let start = 0, end = 0;
        while (start < least && rows[start] === previous[start]) start++;
        while (end < least - start && rows[rows.length - 1 - end] === previous[previous.length - 1 - end]) end++;
        const middle = rows.slice(start, rows.length - end);
        patch = 'splice\t' + start + '\t' + (previous.length - end) + (middle.length ? '\n' + middle.join('\n') : '');
      }
      // What is somewhere else than before is told to observers with a frame, whatever moved it.
      if (patch !== 'some') changes++;
      const now = performance.now();
      // What is even and what is odd is never the same.
      const due = needsFrames || (asking && asking !== answered) ? 2 * changes + 2 : followsMoves ? 2 * moves + 1 : 0;
      const head = [width, height, Math.round(now - changed), animating(animations), due, (hasTraffic ? 1 : 0) | (asked ? 2 : 0) | (hasWheels ? 4 : 0), rows.length,
        escape(location.href.slice(0, 2000)), escape(describe(where)), document.readyState === 'complete' ? 2 : document.readyState === 'interactive' ? 1 : 0].join('\t');
      previous = rows;
      plan();
      return head + '\n' + patch;
    },
    /// The same, when so much time has passed.
    collectIn(time, whole) {
      unplan();
      clearTimeout(ordered);
      return new Promise(done => { ordered = setTimeout(() => done(api.collect(whole)), time); });
    },
    /// Something else comes first.
    unplan,
    /// Brings an element into view, and says where a click on it would go and whether it would reach it:
    /// `x y reached inside`.
    reveal(index) {
      const node = nodes[index];
      if (!node || !node.isConnected) return 'gone';
      const place = node.tagName === 'OPTION' ? node.closest('select') : node;
      const offset = () => {
        let x = 0, y = 0;
        for (let view = place.ownerDocument.defaultView; view && view !== window; view = view.parent) {
          const frame = view.frameElement.getBoundingClientRect();
          x += frame.left + view.frameElement.clientLeft;
          y += frame.top + view.frameElement.clientTop;
        }
        return [x, y];
      };
      const middle = () => {
        const parts = place.getClientRects();
        const box = parts.length > 1 && /^(A|SPAN|LABEL)$/.test(place.tagName) ? parts[0] : place.getBoundingClientRect();
        const [dx, dy] = offset();
        const x = Math.round(box.left + dx) + (Math.round(box.width) >> 1), y = Math.round(box.top + dy) + (Math.round(box.height) >> 1);
        return [x, y, reaches(place, x - dx, y - dy), x >= 0 && y >= 0 && x < innerWidth && y < innerHeight];
      };
      let [x, y, reached, inside] = middle();
      if (!reached || !inside) {
        place.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        [x, y, reached, inside] = middle();
      }
      return x + '\t' + y + '\t' + (reached ? 1 : 0) + '\t' + (inside ? 1 : 0);
    },
    /// What an element is, for who wants to put something into it: its kind, and whether it has the focus.
    kind(index) {
      const node = nodes[index];
      if (!node) return 'gone';
      if (node.tagName === 'OPTION') return 'option';
      if (node.tagName === 'SELECT') return 'select';
      if (node.tagName === 'INPUT') return /^(date|time|datetime-local|month|week|color|range|file)$/.test(node.type) ? node.type : 'text';
      return 'text';
    },
    /// Gives the focus to a field, and puts the caret behind what is in it, or around it.
    focus(index, all) {
      const node = nodes[index];
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
      const range = node.ownerDocument.createRange();
      range.selectNodeContents(node);
      if (!all) range.collapse(false);
      const selection = node.ownerDocument.getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      return true;
    },
    /// Sets what has no caret: a slider, a date, a colour, a select.
    put(index, text) {
      let node = nodes[index];
      if (!node) return 'gone';
      if (node.tagName === 'SELECT') {
        const fits = Array.from(node.options).find(option => option.label.trim() === text || option.value === text);
        if (!fits) return 'no';
        node = fits;
      }
      const notify = element => {
        element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
        element.dispatchEvent(new Event('change', { bubbles: true }));
      };
      if (node.tagName === 'OPTION') {
        const select = node.closest('select');
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
    },
    node: index => nodes[index],
    feel,
    /// A finger comes down. Whether we shall hear of it: not inside of somebody else's frame.
    touch(x, y) {
      touch = { state: 0, heard: [] };
      const hit = hitAt(x, y);
      if (!/^(IFRAME|FRAME|OBJECT|EMBED)$/.test(hit?.tagName)) return hit !== null;
      try { return !!hit.contentDocument; } catch { return false; }
    },
    /// How far the touch has come: a touch that is refused becomes no click.
    touched: () => touch.state | (touch.heard.some(event => event.defaultPrevented) ? REFUSED | (touch.state & LIFTED ? OVER : 0) : 0),
    /// Two touches at one place are a double click. The browser makes one of them only if its own time says so.
    doubleClick(x, y) {
      hitAt(x, y)?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true, cancelable: true, composed: true, detail: 2, clientX: x, clientY: y, view: window }));
    },
    hasMenu: index => (listens.get(nodes[index]) & (MENU | PRESS)) === MENU,
    /// Whether a swipe on an element scrolls. A mouse scrolls what it is on; a finger also what is around it,
    /// unless the page follows the finger itself.
    scrolls(index, x, y, finger) {
      let node = index >= 0 ? nodes[index] : hitAt(x, y);
      for (; node; node = node.assignedSlot || node.parentElement || node.getRootNode().host) {
        if (node.tagName === 'INPUT' || node.draggable || (listens.get(node) & (finger ? DRAG | PRESS : DRAG))) return false;
        if (node.tagName === 'HTML') return true;
        const style = getComputedStyle(node);
        if (finger && style.touchAction === 'none') return false;
        if ((node.scrollHeight > node.clientHeight + 1 && /auto|scroll/.test(style.overflowY)) ||
          (node.scrollWidth > node.clientWidth + 1 && /auto|scroll/.test(style.overflowX))) return true;
        if (!finger) return false;
      }
      return false;
    },
    /// Scrolls what can still be scrolled that way, from the inside out.
    scroll(index, x, y, dx, dy) {
      let node = index >= 0 ? nodes[index] : hitAt(x, y);
      for (; node; node = node.assignedSlot || node.parentElement || node.getRootNode().host) {
        const root = node.tagName === 'HTML';
        const style = getComputedStyle(node);
        if (!root && !/auto|scroll/.test(style.overflowX + style.overflowY)) continue;
        const place = root ? node.ownerDocument.scrollingElement || node : node;
        const left = place.scrollLeft, top = place.scrollTop;
        place.scrollBy({ left: dx, top: dy, behavior: 'instant' });
        if (place.scrollLeft !== left || place.scrollTop !== top) return true;
      }
      return false;
    },
    /// A frame has been drawn: observers and animations know what is where.
    frame() {
      answered = asking;
      return new Promise(done => requestAnimationFrame(done));
    },
    /// How many questions are open.
    open: () => open,
    /// It is not waited for any more.
    abandon() {
      open = 0;
      asked = false;
    },
    /// Nothing has changed by itself for a while, in real time.
    quiet: (quiet, limit) => new Promise(done => {
      const start = performance.now();
      let moved = start;
      const check = () => {
        const now = performance.now();
        // What follows the end of an animation is told with the next frame.
        if (animating(moving()) > 0) moved = now;
        if (now - start > limit || now - Math.max(changed, moved) >= quiet) done();
        else setTimeout(check, 5);
      };
      // A window that has just been opened may be drawn much later.
      let begun = false;
      const begin = () => {
        if (!begun) check();
        begun = true;
      };
      requestAnimationFrame(() => requestAnimationFrame(begin));
      setTimeout(begin, 200);
    }),
    /// The page is about to go: nothing that it keeps is kept, and it does nothing more. It takes on the address of
    /// the one to come, which then replaces it: how long the history is must not tell where the app has been.
    leave(next) {
      leaving = true;
      unplan();
      if (next && location.href !== next) {
        try { history.replaceState(null, '', next); } catch {}
      }
      try { localStorage.clear(); } catch {}
      try { sessionStorage.clear(); } catch {}
      if (window.name) window.name = '';
      return Date.now();
    },
    serious,
    blank: () => rows.length <= 1 || !rows.slice(1).some(row => row.split('\t')[2] & DISPLAYED),
  };
  if (config.counted) {
    // Functions that have run before the counting begins are not slowed down by it.
    const sample = document.createElement('div');
    sample.innerHTML = '<section id=a class=b role=group aria-label=c data-d title=e>f<button>g <b>h</b></button><label>i<input value=j>' +
      '</label><input type=checkbox checked><select><option>k</select><ul><li>l  m<a href=n>o</a></ul><textarea>p</textarea></section>';
    for (const node of [sample, ...sample.querySelectorAll('*')]) {
      ownText(node);
      isPhrase(node);
      nameOf(node, role.button, '', true, true);
      reaches(node, 0, 0);
      visit(node, 0, 0, 0, [0, 0, 1, 1], () => true, false, false);
    }
    api.collect(true);
    api.collect(false);
    unplan();
    previous = [];
  }
  Object.defineProperty(window, config.name, { value: api });
})
