// What the page's own world tells the collector about a node or about itself, as bits: part of both
// scripts.
const CLICK = 1,
  PRESS = 2,
  MENU = 4,
  DRAG = 8,
  HOVER = 16,
  FRAME = 1024,
  POSTED = 2048,
  ASKED = 4096,
  ANSWERED = 8192,
  WHEEL = 16384,
  FOCUSES = 32768,
  MOVES = 65536,
  MARKER = 131072,
  CLOSED = 262144,
  DOUBLE = 524288,
  RECEIVED = 1048576,
  MADE = 2097152,
  ATTACHED = 4194304;
// The rate of an animation that animations.js has taken: slow enough to stand still.
const SLOW = 1e-9;
