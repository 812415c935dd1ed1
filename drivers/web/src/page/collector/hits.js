// What is at a point, and whether a click at the middle of an element would reach it.
/// Whether a click at the point would reach the node.
const reaches = (node, x, y) => {
  if (!isHit(node, x, y)) return false;
  // What is in a frame may be covered by what is around the frame.
  const view = node.ownerDocument.defaultView;
  if (!view || view === window) return true;
  const frame = view.frameElement,
    box = frame.getBoundingClientRect();
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
  for (let up = hit; up; up = up.assignedSlot || up.parentNode || up.host)
    if (up === node) return true;
  if (hit.shadowRoot && hit.shadowRoot.contains(node)) return true;
  const label = hit.closest?.('label');
  if (label && label.control === node) return true;
  return node.tagName === 'LABEL' && node.control === hit;
};

/// What is at a point, inside of shadow trees too.
const hitAt = (x, y) => {
  let hit = document.elementFromPoint(x, y);
  for (
    let inner;
    hit?.shadowRoot && (inner = hit.shadowRoot.elementFromPoint(x, y)) && inner !== hit;
  )
    hit = inner;
  return hit;
};

/// Where along one of its sides an element is touched: the same as `Element::touch_point` of
/// capuchin_ui.
const middle = (start, length) => start + (length >> 1);
/// The part of an element that is touched: what goes over several lines is touched at its first.
const touchedPart = (node, box) => {
  if (box.height <= 24 || !/^(A|SPAN|LABEL)$/.test(node.tagName)) return box;
  const parts = node.getClientRects();
  return parts.length > 1 ? parts[0] : box;
};
