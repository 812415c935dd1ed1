// Clicks only: the default actions without typing, scrolling, navigation and waiting. A property is needed,
// or Bombadil ends at once because nothing is left to decide.
export { clicks } from "@antithesishq/bombadil/browser/defaults/actions";
export { noUncaughtExceptions } from "@antithesishq/bombadil/browser/defaults/properties";
