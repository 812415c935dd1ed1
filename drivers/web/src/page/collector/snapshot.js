// Snapshots of the page: what has changed since the last one, and when the next is taken.

// A snapshot that is still to come: whoever takes one before that need not take it again. Each
// snapshot plans the next, for the end of the event that follows it: no time passes in between.
let planned = 0,
  plans = 0,
  ordered = 0;
const unplan = () => {
  clearTimeout(planned);
  planned = 0;
  plans++;
};
const plan = () => {
  if (!config.takes) return;
  const number = plans;
  const say = () => {
    if (number === plans) window[config.say](collect(false, true));
  };
  // What is due at the same moment comes first.
  planned = setTimeout(() => scheduler.postTask(say), config.takes);
};
// The last snapshot was a moment before the end of its event. So that the next is not a moment too
// early, the time is taken when the event comes.
for (const type of ['pointermove', 'pointerdown', 'keydown', 'input']) {
  window.addEventListener(
    type,
    event => {
      if (!event.isTrusted || !planned) return;
      unplan();
      plan();
    },
    { capture: true, passive: true },
  );
}

/// What is different from the last snapshot. Rows of the same elements at the beginning and at the
/// end stay; those between them are sent whole. Of a row that stays only what changed is sent, and
/// rows that moved together are moved by one line: `apply` of snapshot.rs reads it.
const patch = () => {
  const { nodes } = rows,
    before = previous.nodes;
  const least = Math.min(nodes.length, before.length);
  let start = 0,
    end = 0;
  while (start < least && nodes[start] === before[start]) start++;
  while (
    end < least - start &&
    nodes[nodes.length - 1 - end] === before[before.length - 1 - end]
  ) {
    end++;
  }
  const count = nodes.length - end - start;
  const isSame = count === 0 && nodes.length === before.length;
  const lines = [isSame ? 'some' : 'some\t' + start + '\t' + (before.length - end) + '\t' + count];
  for (let row = start; row < start + count; row++) lines.push(rows.text(row));
  const differences = [];
  compare(0, 0, start, lines, differences);
  compare(nodes.length - end, before.length - end, end, lines, differences);
  lines.push(...differences);
  return lines.join('\n');
};

/// Compares rows of the same elements, so many from there on now and before.
const compare = (from, fromBefore, count, moved, differences) => {
  const now = rows.numbers,
    before = previous.numbers;
  let run = from,
    dx = 0,
    dy = 0;
  const endRun = row => {
    if (dx || dy) moved.push('m\t' + run + '\t' + row + '\t' + dx + '\t' + dy);
  };
  for (let step = 0; step < count; step++) {
    const row = from + step;
    const at = NUMBERS * row,
      was = NUMBERS * (fromBefore + step);
    const isOther =
      rows.cells[row] !== previous.cells[fromBefore + step] ||
      now[at + DEPTH] !== before[was + DEPTH] ||
      now[at + KIND] !== before[was + KIND];
    const isResized =
      now[at + WIDE] !== before[was + WIDE] || now[at + HIGH] !== before[was + HIGH];
    if (isOther) {
      differences.push('r\t' + row + '\t' + rows.text(row));
      continue;
    }
    if (now[at + STATE] !== before[was + STATE]) {
      differences.push('s\t' + row + '\t' + now[at + STATE]);
    }
    if (isResized) {
      const place = now.subarray(at + LEFT, at + NUMBERS).join('\t');
      differences.push('b\t' + row + '\t' + place);
      continue;
    }
    const x = now[at + LEFT] - before[was + LEFT],
      y = now[at + TOP] - before[was + TOP];
    if (x !== dx || y !== dy) {
      endRun(row);
      run = row;
      dx = x;
      dy = y;
    }
  }
  endRun(from + count);
};

/// All rows.
const whole = () => {
  const lines = ['all'];
  for (let row = 0; row < rows.length; row++) lines.push(rows.text(row));
  return lines.join('\n');
};

/// What is said of the page as a whole: `head` of snapshot.rs reads it.
const head = animations => {
  const now = performance.now();
  // What is even and what is odd is never the same.
  const waits = needsFrames || (asking && asking !== answered);
  const due = waits ? 2 * changes + 2 : followsMoves ? 2 * moves + 1 : 0;
  const flags = (asked ? 1 : 0) | (hasWheels ? 2 : 0);
  const ready = readyState(document);
  return [
    innerWidth,
    innerHeight,
    Math.round(now - changed),
    animating(animations),
    due,
    flags,
    rows.length,
    escape(location.href.slice(0, 2000)),
    escape(describe(where)),
    ready === 'complete' ? 2 : ready === 'interactive' ? 1 : 0,
    visualOffset(),
    workerTalk(),
  ].join('\t');
};

// A page that changed so many milliseconds ago may be in the middle of something; 0 if the driver
// knows that it never stops.
let unrest = 0;
/// Whether the driver will let more time pass before it wants to see anything, see
/// `settle_virtually` of settle.rs. If it does not, it asks again.
const isUnderWay = animations =>
  performance.now() - changed < unrest ||
  asked ||
  readyState(document) !== 'complete' ||
  animating(animations) > 0;

/// A snapshot. The first line is about the page as a whole, the others are its elements: all of
/// them, or only those that changed. Nobody looks at a page that is in the middle of something, if
/// the snapshot may wait: then there are none.
const collect = (isWhole, mayWait, newUnrest) => {
  unplan();
  clearTimeout(ordered);
  unrest = newUnrest ?? unrest;
  const animations = moving();
  if (animations.length) {
    dispatchEvent(document, new Event(config.channel + '-look'));
    activity++;
  }
  if (mayWait) {
    noteMutations(observer.takeRecords());
    if (isUnderWay(animations)) {
      const snapshot = head(animations) + '\nlater';
      plan();
      return snapshot;
    }
  }
  if (isWhole) forgetAll();
  look();
  const elements = isWhole || !previous.length ? whole() : patch();
  // What is somewhere else than before is told to observers with a frame, whatever moved it.
  if (elements !== 'some') changes++;
  const snapshot = head(animations) + '\n' + elements;
  previous = rows;
  noteLooked();
  plan();
  return snapshot;
};

/// The same, when so much time has passed. It may wait.
const collectIn = (time, isWhole, newUnrest) => {
  unplan();
  clearTimeout(ordered);
  return new Promise(done => {
    ordered = setTimeout(() => done(collect(isWhole, true, newUnrest)), time);
  });
};
