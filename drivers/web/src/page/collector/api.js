// What the driver can ask of the collector.

/// A frame has been drawn: observers and animations know what is where.
const frame = () => {
  answered = asking;
  return new Promise(done => requestAnimationFrame(done));
};

/// The questions to the browser that are open are not waited for any more.
const abandon = () => {
  openQuestions = 0;
  asked = false;
};

/// Nothing has changed by itself for a while, in real time.
const quiet = (quiet, limit) =>
  new Promise(done => {
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
  });

/// The page is about to go: nothing that it keeps is kept, and it does nothing more. It takes on
/// the address of the one to come, which then replaces it: how long the history is must not tell
/// where the app has been.
const leave = next => {
  leaving = true;
  unplan();
  if (next && location.href !== next) {
    try {
      history.replaceState(null, '', next);
    } catch {}
  }
  try {
    localStorage.clear();
  } catch {}
  try {
    sessionStorage.clear();
  } catch {}
  if (window.name) window.name = '';
  return Date.now();
};

const api = {
  // From the frames of the page.
  mark,
  feel,
  // Snapshots.
  collect,
  collectIn,
  unplan,
  frame,
  open: () => openQuestions,
  abandon,
  workerTalk,
  quiet,
  blank,
  serious,
  leave,
  // Single elements, by the numbers of their rows.
  node: index => rows.nodes[index],
  reveal,
  kind: kindOf,
  focus: focusField,
  put,
  hasMenu,
  scrolls,
  scroll: scrollBy,
  touch: beginTouch,
  touched,
  doubleClick,
};

if (config.counted) {
  // Functions that have run before the counting begins are not slowed down by it.
  const sample = createElement(document, 'div');
  sample.innerHTML =
    '<section id=a class=b role=group aria-label=c data-d title=e>f<button>g <b>h</b></button><label>i<input value=j>' +
    '</label><input type=checkbox checked><select><option>k</select><ul><li>l  m<a href=n>o</a></ul><textarea>p</textarea></section>';
  for (const node of [sample, ...sample.querySelectorAll('*')]) {
    const it = new Known(node, null);
    isPhrase(node);
    reaches(node, 0, 0);
    walk(it, [0, 0, 1, 1], () => true, true);
    finish(it, role.button);
  }
  collect(true);
  collect(false);
  unplan();
  previous = new Rows(0);
  forgetAll();
}
Object.defineProperty(window, config.name, { value: api });
