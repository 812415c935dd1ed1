// Animations that are under way.
/// Animations, in shadow trees and frames as well: those are not told with the document's.
const moving = () => {
  const all = getAnimations(document);
  for (const root of others) if (isConnected(root)) all.push(...getAnimations(root));
  return all;
};
/// How long animations that come to an end still run, in milliseconds.
const animating = animations => {
  let left = 0;
  for (const animation of animations) {
    if (animation.playState !== 'running') continue;
    const timing = animation.effect?.getComputedTiming();
    if (!timing || !isFinite(timing.endTime)) continue;
    let rate = animation.playbackRate || 1;
    if (Math.abs(rate) < 1e-6) rate /= SLOW;
    const at = animation.currentTime || 0;
    left = Math.max(left, (rate > 0 ? timing.endTime - at : at) / Math.abs(rate));
  }
  // What is left of a millisecond after a division is no millisecond; and nobody waits for a day.
  return Math.ceil(Math.min(left, 86400000) - 0.01);
};
