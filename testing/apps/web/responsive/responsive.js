// What the pages here share: the state of testing/apps/src/responsive.rs, and its log.
//
// A control is named by its `data-key`, as its model is by its id. The state is written to attributes
// and classes, and the style sheets show what belongs to the layout. The log is on the root element,
// where nobody who looks at the screen sees it.
"use strict";

const state = { open: "", tab: "Home", chosen: "", page: 0, done: [] };
const compact = matchMedia(document.querySelector('link[href="compact.css"]').media);
const all = (selector) => document.querySelectorAll(selector);

/** Whether what was opened stays open when something in it is done. */
const staysOpen = "stays" in document.body.dataset;
/** What is chosen at first where the list and the detail are side by side. */
const first = document.body.dataset.first ?? "";

const rules = {
  toggle: (what) => (state.open = state.open === what ? "" : what),
  advanced: () => (state.open = "advanced"),
  b2: () => rules.toggle("drawer"),
  up: () => (state.open = "sections"),
  next: () => (state.page = 1),
  previous: () => (state.page = 0),
  tab(what) {
    state.tab = what;
    state.open = "";
  },
  section: (what) => rules.tab(what),
  row(what) {
    if (!state.chosen) history.pushState("detail", "");
    state.chosen = what;
  },
  do(what) {
    const toWhat = { mail: chosen(), section: state.tab }[document.body.dataset.logs] ?? "";
    state.done.push(`${what} ${toWhat}`.trimEnd());
    if (!staysOpen) state.open = "";
  },
};

function press(key) {
  const at = `${key}-`.indexOf("-");
  rules[key.slice(0, at)]?.(key.slice(at + 1));
  draw();
}

function type(text) {
  if (state.done.at(-1)?.startsWith("typed ")) state.done.pop();
  state.done.push(`typed ${text}`);
  draw();
}

/** The mail that is chosen: by somebody, or as the first. */
const chosen = () => state.chosen || (compact.matches ? "" : first);

function draw() {
  document.documentElement.dataset.done = state.done.join();
  Object.assign(document.body.dataset, { open: state.open, chosen: chosen() });
  for (const part of all("[data-part]")) part.classList.toggle("open", part.dataset.part === state.open);
  for (const panel of all("[data-panel]")) panel.classList.toggle("open", panel.dataset.panel === state.tab);
  for (const page of all("[data-page]")) page.classList.toggle("open", Number(page.dataset.page) === state.page);
  for (const opener of all("[data-expands]")) opener.ariaExpanded = opener.dataset.expands === state.open;
  for (const tab of all('[role="tab"][data-key^="tab-"]')) tab.ariaSelected = tab.dataset.key === `tab-${state.tab}`;
  for (const row of all('[data-key^="row-"]')) {
    if (row.dataset.key === `row-${chosen()}`) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  const texts = { tab: state.tab, page: `${state.tab} page`, mail: chosen(), letter: `Dear reader, this is ${chosen()}`, keys: state.done.join(" ") };
  for (const element of all("[data-text]")) element.textContent = texts[element.dataset.text];
}

/** Listens to what can be clicked or typed into. */
function wire(root) {
  for (const control of root.querySelectorAll("[data-key]")) {
    if (control.matches("input")) {
      control.addEventListener("input", () => type(control.value));
      continue;
    }
    control.addEventListener("click", (event) => {
      event.preventDefault(); // a link leads nowhere
      event.stopPropagation();
      press(control.dataset.key);
    });
  }
}

/** A list of which only the rows in view are there. */
function longList(list, rows) {
  const render = () => {
    const height = compact.matches ? 40 : 30;
    const from = Math.floor(list.scrollTop / height);
    const to = Math.min(rows.length, Math.ceil((list.scrollTop + list.clientHeight) / height));
    const items = rows.slice(from, to).map((text, index) => {
      const item = document.createElement("li");
      item.textContent = text;
      item.dataset.key = `do-city${from + index}`;
      item.style.height = `${height}px`;
      return item;
    });
    const space = (count) => {
      const item = document.createElement("li");
      item.role = "presentation";
      item.style.cssText = `height: ${count * height}px; padding: 0; border: 0`;
      return item;
    };
    const shown = list.querySelectorAll("[data-key]");
    const key = (item) => item?.dataset.key;
    if (key(shown[0]) === key(items[0]) && shown.length === items.length) return;
    list.replaceChildren(space(from), ...items, space(rows.length - to));
    wire(list);
  };
  list.addEventListener("scroll", render);
  compact.addEventListener("change", render);
  render();
}

wire(document);
addEventListener("popstate", () => {
  state.chosen = "";
  draw();
});
compact.addEventListener("change", draw);
draw();
