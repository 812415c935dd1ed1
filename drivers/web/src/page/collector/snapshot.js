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
    if (number === plans) window[config.say](collect(false));
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

/// The rows that differ from those of the last snapshot: each with its number if there are as many
/// as before, otherwise all between the first and the last that differ.
const patch = () => {
  if (rows.length === previous.length) {
    const lines = ['some'];
    for (let i = 0; i < rows.length; i++) {
      if (rows[i] !== previous[i]) lines.push(i + '\t' + rows[i]);
    }
    return lines.join('\n');
  }
  const least = Math.min(rows.length, previous.length);
  let start = 0,
    end = 0;
  while (start < least && rows[start] === previous[start]) start++;
  while (
    end < least - start &&
    rows[rows.length - 1 - end] === previous[previous.length - 1 - end]
  ) {
    end++;
  }
  const lines = rows.slice(start, rows.length - end);
  return ['splice\t' + start + '\t' + (previous.length - end), ...lines].join('\n');
};

/// What is said of the page as a whole: `head` of snapshot.rs reads it.
const head = animations => {
  const now = performance.now();
  // What is even and what is odd is never the same.
  const waits = needsFrames || (asking && asking !== answered);
  const due = waits ? 2 * changes + 2 : followsMoves ? 2 * moves + 1 : 0;
  const talks = (hasTraffic ? 1 : 0) | (asked ? 2 : 0) | (hasWheels ? 4 : 0);
  const ready = document.readyState;
  return [
    width,
    height,
    Math.round(now - changed),
    animating(animations),
    due,
    talks,
    rows.length,
    escape(location.href.slice(0, 2000)),
    escape(describe(where)),
    ready === 'complete' ? 2 : ready === 'interactive' ? 1 : 0,
  ].join('\t');
};

/// A snapshot. The first line is about the page as a whole, the others are its elements: all of
/// them, or only those that changed.
const collect = whole => {
  unplan();
  clearTimeout(ordered);
  const animations = moving();
  if (animations.length) document.dispatchEvent(new Event(config.channel + '-look'));
  look();
  const elements = whole || !previous.length ? 'all\n' + rows.join('\n') : patch();
  // What is somewhere else than before is told to observers with a frame, whatever moved it.
  if (elements !== 'some') changes++;
  const snapshot = head(animations) + '\n' + elements;
  previous = rows;
  plan();
  return snapshot;
};

/// The same, when so much time has passed.
const collectIn = (time, whole) => {
  unplan();
  clearTimeout(ordered);
  return new Promise(done => {
    ordered = setTimeout(() => done(collect(whole)), time);
  });
};
