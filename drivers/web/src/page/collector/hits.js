// What is at a point, and whether a click at the middle of an element would reach it.
/// What of the page is at the corner of the visual viewport: a phone may show a part of a page that
/// is wider than its screen.
const visualOffset = () => {
  const { offsetLeft, offsetTop } = visualViewport;
  return Math.round(offsetLeft) + ' ' + Math.round(offsetTop);
};
/// Whether a point of the page is in the visual viewport.
const isShown = (x, y) => {
  const { offsetLeft: left, offsetTop: top, width, height } = visualViewport;
  return x >= left && y >= top && x < left + width && y < top + height;
};
/// Whether a click at the point would reach the node.
const reaches = (node, x, y) => {
  if (!isHit(node, x, y)) return false;
  // What is in a frame may be covered by what is around the frame.
  const view = defaultView(ownerDocument(node));
  if (!view || view === window) return true;
  const frame = view.frameElement,
    box = frame.getBoundingClientRect();
  x += box.left + frame.clientLeft;
  y += box.top + frame.clientTop;
  return !elementFromPoint(ownerDocument(frame), x, y) || reaches(frame, x, y);
};
const isHit = (node, x, y) => {
  let hit = elementFromPoint(ownerDocument(node), x, y);
  // What is hit inside of a shadow tree is told as its host.
  while (hit && hit !== node) {
    const inner = shadowOf(hit)?.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  if (!hit) return false;
  for (let up = hit; up; up = around(up)) if (up === node) return true;
  if (shadowOf(hit)?.contains(node)) return true;
  const label = closest(hit, 'label');
  if (label && label.control === node) return true;
  return tagName(node) === 'LABEL' && node.control === hit;
};

/// What is at a point, inside of shadow trees too.
const hitAt = (x, y) => {
  let hit = elementFromPoint(document, x, y);
  for (let inner; hit && (inner = shadowOf(hit)?.elementFromPoint(x, y)) && inner !== hit; ) {
    hit = inner;
  }
  return hit;
};

/// Where along one of its sides an element is touched: the same as `Element::touch_point` of
/// capuchin_ui.
const middle = (start, length) => start + (length >> 1);
/// The part of an element that is touched: what goes over several lines is touched at its first.
const touchedPart = (tag, node, box) => {
  if ((tag !== 'A' && tag !== 'SPAN' && tag !== 'LABEL') || box.height <= 24) return box;
  const parts = getClientRects(node);
  return parts.length > 1 ? parts[0] : box;
};
/// The element that an element is drawn in.
const elementAround = node => {
  const up = around(node);
  return up && (hostOf(up) ?? (nodeType(up) === 1 ? up : null));
};
