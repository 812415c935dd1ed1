// What is asked of any element or document, in a way that the page cannot hide. A field of a form
// and an image of a document are properties of these by their names, in every world: in a form with
// an `<input name=parentNode>`, `form.parentNode` is that field.

// Calls a method with its first argument as `this`.
const uncurried = Function.prototype.bind.bind(Function.prototype.call);
const property = (owner, name) =>
  uncurried(Object.getOwnPropertyDescriptor(owner.prototype, name).get);
const method = (owner, name) => uncurried(owner.prototype[name]);

const nodeType = property(Node, 'nodeType'),
  parentNode = property(Node, 'parentNode'),
  parentElement = property(Node, 'parentElement'),
  childNodes = property(Node, 'childNodes'),
  firstChild = property(Node, 'firstChild'),
  nextSibling = property(Node, 'nextSibling'),
  ownerDocument = property(Node, 'ownerDocument'),
  textContent = property(Node, 'textContent'),
  isConnected = property(Node, 'isConnected'),
  getRootNode = method(Node, 'getRootNode'),
  contains = method(Node, 'contains'),
  dispatchEvent = method(EventTarget, 'dispatchEvent');
/// The tag of an element, and something with a `#` of what is none.
const tagName = property(Node, 'nodeName');

const firstElementChild = property(Element, 'firstElementChild'),
  nextElementSibling = property(Element, 'nextElementSibling'),
  namespaceURI = property(Element, 'namespaceURI'),
  clientLeft = property(Element, 'clientLeft'),
  clientTop = property(Element, 'clientTop'),
  clientWidth = property(Element, 'clientWidth'),
  clientHeight = property(Element, 'clientHeight'),
  scrollLeft = property(Element, 'scrollLeft'),
  scrollTop = property(Element, 'scrollTop'),
  scrollWidth = property(Element, 'scrollWidth'),
  scrollHeight = property(Element, 'scrollHeight'),
  hasAttributes = method(Element, 'hasAttributes'),
  getAttributeNames = method(Element, 'getAttributeNames'),
  getAttribute = method(Element, 'getAttribute'),
  hasAttribute = method(Element, 'hasAttribute'),
  getAttributeNS = method(Element, 'getAttributeNS'),
  hasAttributeNS = method(Element, 'hasAttributeNS'),
  checkVisibility = method(Element, 'checkVisibility'),
  getBoundingClientRect = method(Element, 'getBoundingClientRect'),
  getClientRects = method(Element, 'getClientRects'),
  closest = method(Element, 'closest'),
  matches = method(Element, 'matches'),
  querySelector = method(Element, 'querySelector'),
  querySelectorAll = method(Element, 'querySelectorAll'),
  scrollIntoView = method(Element, 'scrollIntoView'),
  scrollElementBy = method(Element, 'scrollBy');

const documentElement = property(Document, 'documentElement'),
  scrollingElement = property(Document, 'scrollingElement'),
  bodyOf = property(Document, 'body'),
  readyState = property(Document, 'readyState'),
  defaultView = property(Document, 'defaultView'),
  findFirst = method(Document, 'querySelector'),
  getElementsByTagName = method(Document, 'getElementsByTagName'),
  createElement = method(Document, 'createElement'),
  createRange = method(Document, 'createRange'),
  getSelectionOf = method(Document, 'getSelection');

// What documents and shadow trees have in common: nobody can hide anything of a shadow tree.
const inTree = (ofDocument, ofShadow) => (tree, argument) =>
  nodeType(tree) === 9 ? ofDocument(tree, argument) : ofShadow(tree, argument);
const activeElement = inTree(property(Document, 'activeElement'), tree => tree.activeElement),
  styleSheets = inTree(property(Document, 'styleSheets'), tree => tree.styleSheets),
  adoptedStyleSheets = inTree(
    property(Document, 'adoptedStyleSheets'),
    tree => tree.adoptedStyleSheets,
  ),
  getAnimations = inTree(method(Document, 'getAnimations'), tree => tree.getAnimations()),
  elementById = inTree(method(Document, 'getElementById'), (tree, id) =>
    // What is nowhere has a root that is an element.
    nodeType(tree) === 11 ? tree.getElementById(id) : null,
  ),
  findAll = inTree(method(Document, 'querySelectorAll'), (tree, selector) =>
    nodeType(tree) === 11 ? tree.querySelectorAll(selector) : querySelectorAll(tree, selector),
  );
const elementFromPointIn = method(Document, 'elementFromPoint');
/// What is drawn at a place of a document or a shadow tree.
const elementFromPoint = (tree, x, y) =>
  nodeType(tree) === 9 ? elementFromPointIn(tree, x, y) : tree.elementFromPoint(x, y);

/// The element whose shadow tree this is; nothing if it is no shadow tree.
const hostOf = node => (nodeType(node) === 11 ? node.host : undefined);
const shadowRoot = property(Element, 'shadowRoot'),
  slotOfElement = property(Element, 'assignedSlot');
/// The open shadow tree of an element.
const openRootOf = node => (nodeType(node) === 1 ? shadowRoot(node) : null);
/// The slot of an open shadow tree that an element or a text is drawn in.
const assignedSlot = node => {
  const type = nodeType(node);
  return type === 1 ? slotOfElement(node) : type === 3 ? node.assignedSlot : null;
};
