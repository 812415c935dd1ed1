// What the device can ask of the recorder, and the listeners themselves.

/// The numbers of an element and of those around it in the collector's last snapshot, from the
/// inside out.
const chainOf = (node, numbers) => {
  const chain = [];
  const label = node.closest?.('label');
  const isControl = !!node.closest?.('a, button, input, select, textarea, summary');
  if (label?.control && !isControl && numbers.has(label.control)) chain.push(numbers.get(label.control));
  for (let up = node; up; ) {
    const number = numbers.get(up);
    if (number !== undefined && chain[0] !== number) chain.push(number);
    const next = around(up);
    up = next?.nodeType === 9 ? (next.defaultView?.frameElement ?? null) : next;
  }
  return chain;
};
/// What is in a closed shadow tree is told as its host: the innermost there that is at the point.
const inClosedTree = (node, x, y, collector) => {
  let found = node;
  for (let index = 0, inner; (inner = collector.node(index)); index++) {
    if (inner.getRootNode().host !== found || found.shadowRoot) continue;
    const box = inner.getBoundingClientRect();
    if (x >= box.left && x < box.right && y >= box.top && y < box.bottom) found = inner;
  }
  if (found === node) return node;
  for (let index = 0, inner; (inner = collector.node(index)); index++) {
    const box = inner.getBoundingClientRect();
    const isInside = x >= box.left && x < box.right && y >= box.top && y < box.bottom;
    if (isInside && inner.getRootNode() === found.getRootNode() && found.contains(inner)) found = inner;
  }
  return found;
};
/// Which elements of the collector's last snapshot something is about.
const elements = (id, x, y) => {
  const collector = window[config.collector];
  const isForgotten = !kept.has(id);
  const { from, to, trail } = kept.get(id) ?? { trail: [] };
  const numbers = new Map();
  for (let index = 0, node; (node = collector.node(index)); index++) numbers.set(node, index);
  const inner = from && inClosedTree(from, x, y, collector);
  return JSON.stringify({
    isGone: isForgotten || (!!from && !from.isConnected),
    from: inner ? chainOf(inner, numbers) : [],
    to: to ? chainOf(to, numbers) : [],
    trail: trail.filter(node => node.isConnected).map(node => chainOf(node, numbers)[0] ?? -1),
    // See `hasMenu` of the collector.
    menus: inner ? chainOf(inner, numbers).filter(number => collector.hasMenu(number)) : [],
  });
};
/// What the device does from now on passes.
const open = (keys, texts) => {
  flushAll();
  trail.length = 0;
  ours = { keys, key: '', texts, isLast: true };
};
/// What anybody does from now on is stopped again.
const close = () => {
  ours = null;
  const collector = window[config.collector];
  for (let index = 0, node; (node = collector.node(index)); index++) if (isValue(node)) remember(node);
};
const api = {
  // From the frames of the page.
  isOpen: () => ours !== null,
  isOurs,
  keep,
  enter,
  flushAll,
  pending,
  // From the device.
  open,
  close,
  elements,
  flushParts,
};

const handlers = { ...pointerHandlers, ...keyHandlers, ...valueHandlers };
// A name that no page can listen to, because it knows of none.
const PROBE = crypto.getRandomValues(new Uint32Array(4)).join('-');
let isInstalled = false;
const install = () => {
  for (const type in handlers)
    window.addEventListener(type, handlers[type], { capture: true, passive: false });
  window.addEventListener(PROBE, event => {
    hush(event);
    isInstalled = true;
  }, true);
};
install();
// A page that writes its document anew removes all listeners of its window with the old one.
new MutationObserver(() => {
  isInstalled = false;
  window.dispatchEvent(new Event(PROBE));
  if (!isInstalled) install();
}).observe(document, { childList: true });

if (isTop) Object.defineProperty(window, config.name, { value: api });
else
  try {
    for (const one of pending) window.top[config.name]?.pending.add(one);
  } catch {}
