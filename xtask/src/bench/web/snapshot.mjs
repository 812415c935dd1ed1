// The small snapshot that the raw loop and Playwright take after each click: what a driver needs to choose
// its next event. A string, since it runs in the page.
export const SNAPSHOT = `(() => Array.from(document.querySelectorAll('button, input, #total, .n, .parity'), (e) => {
  const r = e.getBoundingClientRect();
  return [e.tagName, e.id, e.value || e.textContent, r.x, r.y, r.width, r.height];
}))()`;

/** The centres of the page's buttons, from a snapshot. */
export const centres = (snapshot) =>
  snapshot.filter(([tag]) => tag === 'BUTTON').map(([, , , x, y, w, h]) => [x + w / 2, y + h / 2]);

/** The number of clicks that the page itself counted, so that lost clicks are seen. */
export const counted = (snapshot) => parseInt(snapshot.find(([, id]) => id === 'total')[2], 10);

/** Prints the one line that the bench reads. */
export function report(actions, started, seen) {
  const seconds = (performance.now() - started) / 1000;
  if (seen !== actions) throw new Error(`${actions} clicks sent, ${seen} counted by the page`);
  console.log(JSON.stringify({ actions, seconds }));
}
