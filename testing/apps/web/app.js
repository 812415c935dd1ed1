// What the sample pages share: the few things that the simulated device does for its apps.
//
// A page gives `run` an object of functions, one for each thing that can happen to it; after each of
// them it is drawn again. That is the shape of the models in testing/apps/src, so that the two can be
// read side by side. See README.md.
"use strict";

/** With the planted bugs, unless the address says `?fixed`. */
const bugs = !new URLSearchParams(location.search).has("fixed");

/** How long a press lasts, in milliseconds, before it is a long one. */
const LONG_PRESS = 500;

const $ = (id) => document.getElementById(id);
const isLandscape = () => innerWidth > innerHeight;

let app;
let shown;
let landscape = isLandscape();

/**
 * Starts a page. All of these are optional:
 * - `place()`: the `data-place` of the template to show; a page without templates has none
 * - `draw()`: writes the state to what is on the screen
 * - `click`, `hold`, `input`: by id, what a click, a long press and a changed text do; `"row-*"` is
 *   for all ids that begin so, and is called with the number
 * - `turn()`, `resume()`: the device was turned; the page was hidden and is visible again
 * - `back()`: what Back does here, as a function, or nothing if Back leaves the page
 */
function run(page) {
  app = page;
  wire(document.body);
  // Whichever of the two comes first; a browser that draws no frame sends no `resize`.
  addEventListener("resize", () => happen(turned));
  screen.orientation.addEventListener("change", () => happen(turned));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) happen(() => app.resume?.());
  });
  addEventListener("popstate", wentBack);
  update();
}

/** Changes something, and draws the page again. */
function happen(change) {
  change();
  update();
}

function update() {
  const place = app.place?.();
  if (place !== shown) {
    shown = place;
    document.title = place;
    const template = document.querySelector(`template[data-place="${place}"]`);
    const main = document.querySelector("main");
    main.replaceChildren(template.content.cloneNode(true));
    wire(main);
  }
  app.draw?.();
  // As long as there is somewhere to go back to, there is an entry for it in the history.
  if (app.back?.() && history.state !== "inside") history.pushState("inside", "");
}

/** Fills the lists, and listens to everything that can be clicked or typed into. */
function wire(root) {
  for (const list of root.querySelectorAll("[data-rows]")) fill(list);
  for (const element of root.querySelectorAll("button, a, input, textarea, li")) {
    const { id } = element;
    element.addEventListener("click", (event) => {
      if (element.matches("a")) event.preventDefault(); // it leads nowhere
      happen(() => clicked(id));
    });
    if (app.hold?.[id]) onLongPress(element, () => happen(app.hold[id]));
    if (app.input?.[id]) {
      element.addEventListener("input", () => happen(() => app.input[id](element.value)));
    }
  }
}

/** `<ul data-rows="3" data-row="row-" data-text="Row ">` gets `#row-1` "Row 1" to `#row-3`. */
function fill(list) {
  const { rows, row, text } = list.dataset;
  for (let number = 1; number <= rows; number += 1) {
    const item = document.createElement("li");
    item.id = row + number;
    item.textContent = text + number;
    list.append(item);
  }
}

function clicked(id) {
  const [, prefix, number] = id.match(/^(.*-)(\d+)$/) ?? [];
  if (app.click?.[id]) app.click[id]();
  else if (prefix) app.click?.[`${prefix}*`]?.(Number(number));
}

function turned() {
  if (landscape === isLandscape()) return;
  landscape = isLandscape();
  app.turn?.();
}

function wentBack() {
  if (history.state === "inside") return; // forward, to where there is nothing any more
  const back = app.back?.();
  if (back) happen(back);
  else location.reload(); // left, and brought back as new; what is in localStorage is kept
}

/** A press that lasts, with a mouse, a pen or a finger. */
function onLongPress(element, then) {
  let timer;
  const press = () => {
    clearTimeout(timer);
    timer = undefined;
    then();
  };
  element.addEventListener("pointerdown", () => {
    timer = setTimeout(press, LONG_PRESS);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    element.addEventListener(end, () => {
      clearTimeout(timer);
      timer = undefined;
    });
  }
  element.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    // With a finger, the browser may notice before the timer does.
    if (event.pointerType === "touch" && timer !== undefined) press();
  });
}

// The release after a long press is no click, with a mouse as little as with a finger.
let pressedAt = 0;
addEventListener("pointerdown", () => (pressedAt = performance.now()), true);
addEventListener(
  "click",
  (event) => {
    if (event.detail > 0 && performance.now() - pressedAt >= LONG_PRESS) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  },
  true,
);

/** Writes a text. */
function say(id, text) {
  const element = $(id);
  if (element.textContent !== String(text)) element.textContent = text;
}

/** Writes what is in a field, without moving the caret if it is there already. */
function put(id, value) {
  if ($(id).value !== value) $(id).value = value;
}

/** Shows or hides. What comes back after it was hidden starts at its top. */
function present(id, is) {
  const element = $(id);
  if (!is) element.scrollTop = 0;
  element.hidden = !is;
}

/** Opens or closes a modal dialog. */
function openDialog(id, is) {
  const dialog = $(id);
  if (is && !dialog.open) dialog.showModal();
  if (!is && dialog.open) dialog.close();
}

/** Marks the one of several that is chosen. */
function choose(prefix, chosen) {
  for (const item of document.querySelectorAll(`[id^="${prefix}"]`)) {
    if (item.id === `${prefix}${chosen}`) item.setAttribute("aria-current", "true");
    else item.removeAttribute("aria-current");
  }
}

/** A timer that goes off once. */
const after = (ms, then) => setTimeout(() => happen(then), ms);

/** A timer that goes off again and again. */
const every = (ms, then) => setInterval(() => happen(then), ms);

/**
 * Throws what the simulated app would crash with: an error that reads like this, from a function of
 * this name.
 */
function crash(text, place) {
  const [, name, message] = text.match(/^(?:([\w.]+): )?(.+)$/);
  class Named extends Error {}
  Named.prototype.name = name;
  const Failure = name ? Named : Error;
  const fail = {
    [place]() {
      throw new Failure(message);
    },
  }[place];
  fail();
}
