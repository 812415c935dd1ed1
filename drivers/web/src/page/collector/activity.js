// Whether there was any activity since the last look. Two looks in a row at a page to which nothing
// has happened need not ask again for what is costly to ask for and what nobody tells changes of:
// texts that styles make, and what is covered.

// How often something happened, beside the changes that the observer counts.
let activity = 0;
// The same at the last look, with where that was.
let activityBefore = -1,
  changesBefore = -1,
  placeBefore = '';
// Whether nothing has happened, as far as the look that is going on knows.
let isQuiet = false;

for (const type of [
  'pointermove',
  'pointerdown',
  'pointerup',
  'keydown',
  'keyup',
  'input',
  'change',
  'invalid',
  'toggle',
  'load',
  'error',
  'scroll',
  'resize',
  'hashchange',
  'fullscreenchange',
]) {
  window.addEventListener(type, () => activity++, { capture: true, passive: true });
}

/// Whether something has happened since the last look.
const wasActive = () =>
  activity !== activityBefore || changes !== changesBefore || location.href !== placeBefore;
const noteLooked = () => {
  activityBefore = activity;
  changesBefore = changes;
  placeBefore = location.href;
};

/// Whether any element is not as it was or not where it was, as far as is known before it is tried
/// what is covered.
const isElsewhere = () => {
  if (activity !== activityBefore || scrolled !== scrolledBefore) return true;
  if (rows.length !== previous.length) return true;
  const now = rows.numbers,
    before = previous.numbers;
  for (let row = 0; row < rows.length; row++) {
    if (rows.nodes[row] !== previous.nodes[row]) return true;
    const at = NUMBERS * row;
    for (let index = at; index < at + NUMBERS; index++) {
      const mask = index === at + STATE ? ~COVERED : -1;
      if ((now[index] ^ before[index]) & mask) return true;
    }
  }
  return false;
};

// The rows of which a click may not reach the element, and where it would go.
const hits = [];
/// Tries what is covered.
const noteCovered = () => {
  for (const { row, x, y } of hits) {
    const node = rows.nodes[row];
    const at = NUMBERS * row + STATE;
    if (!isQuiet) {
      toil(A_HIT);
      if (!reaches(node, x, y)) rows.numbers[at] |= COVERED;
    } else rows.numbers[at] |= previous.numbers[at] & COVERED;
    if (!(rows.numbers[at] & COVERED) || tagName(node) !== 'SELECT') continue;
    // Its options are where it is.
    const { length } = node.options;
    for (let option = 1; option <= length; option++) {
      rows.numbers[at + NUMBERS * option] |= COVERED;
    }
  }
};
