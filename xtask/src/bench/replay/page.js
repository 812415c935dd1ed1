// What the benchmark asks a page: the elements of a selector of a scenario (CSS with the additions
// that Playwright has), whether a goal is reached, and whether an element is a true counterpart.
(() => {
  const ask = JSON.parse(question);
  const children = node => [...(node.shadowRoot ?? node).children];
  const everything = (node, found = []) => {
    for (const child of children(node)) {
      found.push(child);
      everything(child, found);
      if (child.shadowRoot) for (const own of child.children) found.push(own), everything(own, found);
    }
    return found;
  };
  const above = node => node.parentElement ?? node.getRootNode().host ?? null;
  const isShown = node => {
    const box = node.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && node.checkVisibility({ visibilityProperty: true });
  };
  const text = node => (node.innerText ?? node.textContent ?? '').replace(/\s+/g, ' ').trim();
  const plain = quoted => quoted.trim().replace(/^(["'])(.*)\1$/s, '$2');

  // Splits at a separator that stands neither in brackets nor in quotes.
  const split = (source, separator) => {
    const parts = [''];
    let depth = 0, quote = '';
    for (let i = 0; i < source.length; i++) {
      const c = source[i];
      if (quote) quote = c === quote && source[i - 1] !== '\\' ? '' : quote;
      else if (c === '"' || c === "'") quote = c;
      else if ('([{'.includes(c)) depth++;
      else if (')]}'.includes(c)) depth--;
      else if (depth === 0 && source.startsWith(separator, i)) {
        parts.push('');
        i += separator.length - 1;
        continue;
      }
      parts[parts.length - 1] += c;
    }
    return parts.map(part => part.trim());
  };

  // A compound and the combinator before it, from the left.
  const compounds = source => {
    const found = [];
    let depth = 0, quote = '', current = '', combinator = ' ';
    const end = () => {
      if (current) found.push([combinator, current]), (current = ''), (combinator = ' ');
    };
    for (let i = 0; i < source.length; i++) {
      const c = source[i];
      if (quote) quote = c === quote && source[i - 1] !== '\\' ? '' : quote;
      else if (c === '"' || c === "'") quote = c;
      else if ('(['.includes(c)) depth++;
      else if (')]'.includes(c)) depth--;
      else if (depth === 0 && ' >+~'.includes(c)) {
        end();
        if (c !== ' ') combinator = c;
        continue;
      }
      current += c;
    }
    end();
    return found;
  };

  const OWN = /:(has-text|text-is|text|visible|nth-match|above|below|near)(?![\w-])/;
  const filters = {
    'has-text': words => node => text(node).toLowerCase().includes(plain(words).toLowerCase()),
    text: words => node => text(node).toLowerCase().includes(plain(words).toLowerCase()),
    'text-is': words => node => text(node) === plain(words),
    visible: () => isShown,
  };
  // The CSS of a compound, and what else must hold of its elements.
  const parsed = compound => {
    let css = '', rest = compound;
    const more = [];
    for (;;) {
      const own = OWN.exec(rest);
      if (!own) return [css + rest || '*', more];
      css += rest.slice(0, own.index);
      rest = rest.slice(own.index + own[0].length);
      let argument = '';
      if (rest[0] === '(') {
        let depth = 0, quote = '', i = 0;
        for (; i < rest.length; i++) {
          const c = rest[i];
          if (quote) quote = c === quote ? '' : quote;
          else if (c === '"' || c === "'") quote = c;
          else if (c === '(') depth++;
          else if (c === ')' && --depth === 0) break;
        }
        argument = rest.slice(1, i);
        rest = rest.slice(i + 1);
      }
      if (!filters[own[1]]) throw new Error(`:${own[1]} is not known`);
      more.push(filters[own[1]](argument));
    }
  };

  const complex = (source, roots) => {
    if (!OWN.test(source)) {
      const found = roots.flatMap(root => [...root.querySelectorAll(source)]);
      if (found.length) return found;
    }
    let nodes = roots;
    for (const [combinator, compound] of compounds(source)) {
      if (compound === ':scope') continue;
      const [css, more] = parsed(compound);
      const next = new Set();
      for (const node of nodes) {
        const near =
          combinator === '>' ? children(node)
          : combinator === '+' ? [node.nextElementSibling].filter(Boolean)
          : combinator === '~' ? children(node.parentElement ?? node).filter(
              other => node.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING)
          : everything(node);
        for (const one of near) if (one.matches(css) && more.every(holds => holds(one))) next.add(one);
      }
      nodes = [...next];
    }
    return nodes;
  };

  const ROLES = { button: 'button,[role=button],input[type=submit],input[type=button]',
    link: 'a[href],[role=link]', textbox: 'input:not([type]),input[type=text],textarea,[role=textbox]',
    tab: '[role=tab]', menuitem: '[role=menuitem]', checkbox: 'input[type=checkbox],[role=checkbox]' };
  const part = (source, roots) => {
    const engine = /^(css|text|xpath|role|id|data-testid|visible|nth)\s*=(.*)$/s.exec(source);
    const nodes = () => roots.flatMap(root => everything(root));
    if (!engine || engine[1] === 'css') {
      const found = new Set(split(engine ? engine[2] : source, ',').flatMap(one => complex(one, roots)));
      const order = (a, b) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
      return [...found].sort(order);
    }
    const [, kind, value] = engine;
    if (kind === 'nth') {
      const at = Number(value);
      return [roots.at(at)].filter(Boolean);
    }
    if (kind === 'visible') return roots.filter(node => isShown(node) === (value.trim() === 'true'));
    if (kind === 'text') {
      const fits = node => text(node).toLowerCase().includes(plain(value).toLowerCase());
      return nodes().filter(node => fits(node) && !children(node).some(fits));
    }
    if (kind === 'role') {
      const [, role, name] = /^\s*([\w-]+)(?:\[name=(.*?)i?\])?/.exec(value);
      const called = node => (node.getAttribute('aria-label') ?? text(node)).toLowerCase();
      return nodes().filter(node => node.matches(ROLES[role] ?? `[role=${role}]`) &&
        (!name || called(node).includes(plain(name).toLowerCase())));
    }
    if (kind === 'xpath') {
      const all = document.evaluate(value, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
      return Array.from({ length: all.snapshotLength }, (_, i) => all.snapshotItem(i));
    }
    const attribute = kind === 'id' ? 'id' : 'data-testid';
    return nodes().filter(node => node.getAttribute(attribute) === plain(value));
  };
  const query = selector => {
    let nodes = [document];
    for (const one of split(selector, '>>')) nodes = part(one, nodes);
    return nodes;
  };

  // Where a snapshot says that an element is: what goes over several lines is touched at its first.
  const bounds = node => {
    let box = node.getBoundingClientRect();
    if (box.height > 24 && /^(A|SPAN|LABEL)$/.test(node.tagName)) {
      const parts = node.getClientRects();
      if (parts.length > 1) box = parts[0];
    }
    return [box.left, box.top, box.width, box.height].map(Math.round);
  };
  const describe = node => ({
    tag: node.tagName.toLowerCase(),
    id: node.id || '',
    classes: node.getAttribute('class') || '',
    bounds: bounds(node),
    text: text(node),
  });
  const find = selector => {
    const [first] = query(selector);
    if (!first) return null;
    const chain = [];
    for (let node = first; node && chain.length < 8; node = above(node)) chain.push(describe(node));
    return { chain, focused: document.activeElement === first, value: String(first.value ?? '') };
  };

  // The elements of the page that a row of a snapshot may stand for. Its id may be an attribute for
  // tests; several at one place are told apart by what they say.
  const standing = row => {
    const near = (a, b) => a.every((n, i) => Math.abs(n - b[i]) <= 1);
    const alike = everything(document).filter(node => node.tagName.toLowerCase() === row.tag);
    let nodes = alike.filter(node => near(bounds(node), row.bounds));
    // A page that still scrolls has it elsewhere by now, in the same size.
    const isMoved = nodes.length === 0;
    if (isMoved) nodes = alike.filter(node => near(bounds(node).slice(2), row.bounds.slice(2)));
    const known = holds => {
      const some = nodes.filter(holds);
      if (some.length) nodes = some;
    };
    known(node => (node.id || '') === row.id);
    known(node => (node.getAttribute('class') || '') === row.classes);
    if (row.text) known(node => text(node) === row.text);
    if (isMoved && row.leadsTo) known(node => node.getAttribute('href') === row.leadsTo);
    if (isMoved && nodes.length > 1) return [];
    if (row.isReachable) known(node => at(middle(bounds(node))).some(hit => contains(node, hit)));
    return nodes;
  };
  const middle = ([x, y, w, h]) => [x + (w >> 1), y + (h >> 1)];
  const at = ([x, y]) => {
    let node = document.elementFromPoint(x, y);
    while (node?.shadowRoot) {
      const inner = node.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === node) break;
      node = inner;
    }
    return node ? [node] : [];
  };
  const contains = (outer, inner) => {
    for (let node = inner; node; node = above(node)) if (node === outer) return true;
    return false;
  };
  const CONTROLS = 'a,button,input,select,textarea';
  const isCounterpart = (node, truth) =>
    node === truth ||
    contains(truth, node) ||
    (contains(node, truth) && node.querySelectorAll(CONTROLS).length <= 1) ||
    [...(node.labels ?? [])].includes(truth) ||
    [...(truth.labels ?? [])].includes(node);
  // By each name, whether it is a counterpart; absent if it cannot be said.
  const judge = ({ row, point, truths }) => {
    const nodes = row ? standing(row) : at(point);
    const right = {};
    for (const [name, selector] of Object.entries(truths)) {
      const known = query(selector);
      right[name] = nodes.some(node => known.some(truth => isCounterpart(node, truth)));
    }
    return { right, found: nodes.length };
  };

  // Where a person presses an element: in the middle, or where nothing lies over it.
  const show = selector => {
    const [node] = query(selector);
    if (!node) return null;
    const points = () => {
      const [x, y, w, h] = bounds(node);
      const share = [0.5, 0.25, 0.75];
      return share.flatMap(v => share.map(u => [x + Math.floor(w * u), y + Math.floor(h * v)]));
    };
    const isHit = point => at(point).some(hit => contains(node, hit));
    const before = points().find(isHit);
    if (before) return before;
    node.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    return points().find(isHit) ?? null;
  };

  const answers = {
    show: () => show(ask.selector),
    selectAll: () => {
      query(ask.selector)[0]?.select?.();
      return true;
    },
    truths: () =>
      Object.fromEntries(
        Object.entries(ask.truths).map(([name, selector]) => [name, query(selector).map(describe)]),
      ),
    find: () => find(ask.selector),
    judge: () => judge(ask),
    goal: () => {
      try {
        return !!(0, eval)(ask.goal);
      } catch {
        return false;
      }
    },
    go: () => {
      location.href = ask.url;
      return true;
    },
  };
  return JSON.stringify(answers[ask.ask]());
})()
