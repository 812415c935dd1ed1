// WordPad: see testing/apps/src/wordpad.rs, which this file follows function by function.
import rows from "./wordpad.json" with { type: "json" };

const mutant = new URLSearchParams(location.search).get("mutant") ?? "";
const has = (fault) => mutant === fault;
const $ = (id) => document.getElementById(id);
const part = (name) => document.querySelector(`[data-part="${name}"]`);

// --- The table

const slug = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
const named = (prefix, text) => ({ text, id: prefix + slug(text) });

const pieces = rows.pieces.map((text) => named("t-", text));
const files = rows.names.map((text) => named("f-", text));
const directories = rows.directories.map(([text, parent]) => ({ ...named("d-", text), parent }));
const controls = [];
const windows = rows.windows.map((row) => {
  const window = { ...row, ...named("w-", row.title), cancel: row.cancel ?? "Cancel", controls: [] };
  const add = (text, prefix, group) => {
    const isSet = text.startsWith("*");
    const control = { ...named(prefix, isSet ? text.slice(1) : text), group, isSet };
    if (group && row.inserts) {
      control.inserts = pieces.length;
      pieces.push(named("t-", control.text));
    }
    controls.push(control);
    window.controls.push(control);
  };
  for (const option of row.options ?? []) add(option, "o-", null);
  for (const group of row.groups ?? []) for (const choice of group) add(choice, "c-", group);
  window.nested = (row.nested ?? []).map((title) => ({ title, ...named("n-", title) }));
  return window;
});
const windowCalled = (title) => windows.find((window) => window.title === title);
const ACTIONS = {
  Save: { run: save, can: () => current !== null },
  Cut: { run: cut, can: hasSelection },
  Copy: { run: copyCommand, can: hasSelection },
  Paste: { run: paste, can: () => hasClipboard },
  Clear: { run: clearCommand, can: hasSelection },
  "Select All": { run: selectAll, can: () => true },
};
const menus = rows.menus.map(([text, commands]) => ({
  ...named("m-", text),
  commands: commands.map((command) => {
    const bar = rows.bars.indexOf(command);
    const opened = windowCalled(command);
    const opens = { run: () => open.push(opened), can: () => true };
    const toggles = { run: () => toggle(bar), can: () => true };
    return { ...named("k-", command), ...(bar >= 0 ? toggles : opened ? opens : ACTIONS[command]) };
  }),
}));

// --- The state

let menu = null;
const open = []; // the windows that are open, each on top of the one before
const bars = rows.bars.map(() => true);
let onScreen = new Set();
let selected = new Set();
let clipboard = new Set();
let hasClipboard = false;
let currentFont = [rows.fonts[0], rows.styles[0], rows.sizes[0]];
const fonts = pieces.map(() => currentFont);
const stored = new Map(
  rows.files.map(([name, directory, count]) => [name, { directory, pieces: new Set(pieces.slice(0, count)) }]),
);
let current = null;
let directory = directories[0];
let selectedFile = null;
let fileName = "";
let findWhat = "";
for (const control of controls) control.draft = control.setting = control.isSet;
// What no fact of the model is about; only a fault changes it.
const unspecified = { status: "", buttons: 0, pages: "1 page", help: true, paper: "light" };

function hasSelection() {
  return selected.size > 0;
}

// --- The document

function save() {
  stored.get(current).pieces = new Set(onScreen);
  if (has("save-deselects")) selected.clear();
  if (has("save-disables-help")) unspecified.help = false;
}

function copy() {
  clipboard = new Set(selected);
  hasClipboard = true;
}

function clear() {
  onScreen = onScreen.difference(selected);
}

function cut() {
  copy();
  if (!has("cut-keeps-text")) clear();
  selected.clear();
  if (has("cut-colours-status")) unspecified.status = "alert";
}

function copyCommand() {
  copy();
  if (has("copy-cuts")) clear();
}

function clearCommand() {
  clear();
  selected.clear();
}

const inOrder = (set) => pieces.filter((piece) => set.has(piece));

function paste() {
  const last = inOrder(clipboard).at(-1);
  for (const piece of clipboard) {
    if (!(piece === last && has("paste-loses-last"))) onScreen.add(piece);
  }
  if (has("paste-changes-font")) fonts.fill(currentFont);
}

function selectAll() {
  selected = new Set(onScreen);
  if (has("select-all-misses-one")) selected.delete(inOrder(onScreen)[0]);
  if (has("select-all-colours-document")) unspecified.paper = "dark";
}

function toggle(bar) {
  if (bars[bar] && has("hide-does-nothing")) return;
  bars[bar] = !bars[bar];
  if (bar === 2 && !bars[bar] && has("hide-ruler-hides-status")) bars[3] = false;
}

function clickPiece(piece) {
  const isSelected = !selected.has(piece);
  if (isSelected && has("select-deselects-others")) selected.clear();
  if (isSelected) selected.add(piece);
  else selected.delete(piece);
}

// --- The windows

function set(control) {
  if (!control.group) {
    control.draft = !control.draft;
    const next = controls[controls.indexOf(control) + 1];
    if (next && !next.group && control.draft && has("tick-ticks-next")) next.draft = !next.draft;
    if (has("tick-moves-buttons")) unspecified.buttons = 8;
    return;
  }
  if (!has("pick-keeps-old")) {
    for (const other of controls) if (other.group === control.group) other.draft = false;
  }
  control.draft = true;
}

function find() {
  let found = pieces.find((piece) => piece.text === findWhat);
  if (!onScreen.has(found)) return;
  if (has("find-selects-first")) [found] = inOrder(onScreen);
  selected = new Set([found]);
}

function confirm(window) {
  if (window.title === "Open") return openFile();
  if (window.title === "Save As") return saveAs();
  if (window.title === "Replace File") {
    open.pop();
    return saveTo(fileName);
  }
  if (window.title === "New") {
    if (!has("new-keeps-text")) onScreen.clear();
    selected.clear();
    current = null;
    if (has("new-empties-clipboard")) clipboard.clear();
  }
  if (window.title === "Font") setFont();
  for (const control of window.controls) {
    if (control.inserts !== undefined && control.draft) {
      onScreen.add(pieces[control.inserts]);
      fonts[control.inserts] = currentFont;
    }
    if (has("ok-forgets-drafts")) control.draft = control.setting;
    else control.setting = control.draft;
  }
  open.pop();
}

function dismiss(window) {
  for (const control of window.controls) {
    if (has("cancel-keeps-drafts")) control.setting = control.draft;
    else control.draft = control.setting;
  }
  open.pop();
  if (window.title === "Replace File" && has("no-replaces")) {
    stored.get(fileName).pieces = new Set(onScreen);
  }
  if (window.title === "Open" || window.title === "Save As") forgetChoice();
}

function forgetChoice() {
  selectedFile = null;
  fileName = "";
}

function setFont() {
  const { groups } = windowCalled("Font");
  const font = groups.map((group) => controls.find((it) => it.group === group && it.draft).text);
  if (has("font-forgets-size")) font[2] = currentFont[2];
  currentFont = font;
  for (const piece of selected) fonts[pieces.indexOf(piece)] = font;
}

function openFile() {
  if (!has("open-keeps-old-text")) onScreen.clear();
  onScreen = onScreen.union(stored.get(selectedFile).pieces);
  selected.clear();
  current = selectedFile;
  if (has("open-counts-pages")) unspecified.pages = "2 pages";
  open.pop();
  forgetChoice();
}

/** Asks if the file is there; a name that is used in another directory is refused. */
function saveAs() {
  const there = stored.get(fileName);
  if (!there) saveTo(fileName);
  else if (there.directory === directory.text) open.push(windowCalled("Replace File"));
}

/** Saves to a file of the current directory, and closes the window Save As. */
function saveTo(name) {
  stored.set(name, { directory: directory.text, pieces: new Set(onScreen) });
  if (!has("save-as-keeps-title")) current = name;
  open.pop();
  forgetChoice();
}

function enter(name) {
  directory = directories.find((it) => it.text === name);
  selectedFile = null;
}

// --- What is drawn: what stays is kept, so that nothing changes that did not change

/** Makes an element, which redraws the page when it is clicked. */
function make(tag, { id, text, click, ...more }) {
  const element = document.createElement(tag);
  if (id) element.id = id;
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(more)) element.setAttribute(name, value);
  if (click) {
    element.addEventListener("click", () => {
      click();
      draw();
    });
  }
  return element;
}

/** Has exactly these rows in a list, each at a place of its own. */
function fill(list, wanted, build) {
  const ids = new Set(wanted.map((row) => row.id));
  for (const old of [...list.children]) if (!ids.has(old.id)) old.remove();
  for (const [at, row] of wanted.entries()) {
    if (list.children[at]?.id !== row.id) list.insertBefore(build(row), list.children[at] ?? null);
  }
}

const say = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

function mark(element, name, is) {
  if (element.getAttribute(name) !== String(is)) element.setAttribute(name, is);
}

function drawDocument() {
  const shown = inOrder(onScreen);
  const at = (piece) => `top:${22 * pieces.indexOf(piece)}px`;
  fill($("document"), shown, (piece) =>
    make("li", { ...piece, style: at(piece), click: () => clickPiece(piece) }),
  );
  for (const piece of shown) mark($(piece.id), "aria-selected", selected.has(piece));
  const labels = shown.map((piece) => ({ piece, id: `font-${piece.id}` }));
  fill($("fonts"), labels, ({ piece, id }) => make("output", { id, style: at(piece) }));
  for (const { piece, id } of labels) {
    say($(id), `${piece.text}: ${fonts[pieces.indexOf(piece)].join(" ")}`);
  }
}

function drawMenu() {
  part("veil").hidden = menu === null;
  fill(part("menus"), menu ? [{ id: `popup-${menu.id}` }] : [], ({ id }) => {
    const left = Math.min(4 + 68 * menus.indexOf(menu), 156);
    const popup = make("div", { id, role: "menu", "aria-label": menu.text, style: `left:${left}px` });
    for (const command of menu.commands) {
      const click = () => {
        menu = null;
        command.run();
      };
      const button = make("button", { id: command.id, text: command.text, role: "menuitem", click });
      button.disabled = !command.can();
      popup.append(button);
    }
    return popup;
  });
}

function build(window) {
  const dialog = make("dialog", { id: window.id, "aria-label": window.title, closedby: "none" });
  if (window.title === "Open" || window.title === "Save As") buildFiles(dialog, window);
  if (window.title === "Find") {
    const field = make("input", { id: "find-what", placeholder: "Find what", autocomplete: "off" });
    field.addEventListener("input", () => (findWhat = field.value));
    dialog.append(field, make("button", { id: "find-next", text: "Find Next", click: find }));
  }
  if (window.title === "Replace File") {
    dialog.append(make("output", { id: "question", text: "There is such a file. Replace it?" }));
  }
  const box = make("div", { class: "controls" });
  for (const control of window.controls) {
    const role = control.group ? "radio" : "checkbox";
    box.append(make("button", { id: control.id, text: control.text, role, click: () => set(control) }));
  }
  for (const inner of window.nested) {
    const click = () => open.push(windowCalled(inner.title));
    box.append(make("button", { id: inner.id, text: inner.text, click }));
  }
  const buttons = make("div", { class: "buttons" });
  buttons.append(make("button", { id: `${window.id}-ok`, text: window.ok, click: () => confirm(window) }));
  if (window.cancel) {
    const click = () => dismiss(window);
    buttons.append(make("button", { id: `${window.id}-cancel`, text: window.cancel, click }));
  }
  dialog.append(box, buttons);
  return dialog;
}

function buildFiles(dialog, { title }) {
  const up = () => enter(has("up-goes-to-root") ? directories[0].text : directory.parent);
  dialog.append(
    make("output", { id: "directory" }),
    make("button", { id: "up", text: "Up", click: up }),
    make("ul", { id: "entries" }),
  );
  if (title === "Save As") {
    const field = make("input", { id: "file-name", placeholder: "File name", autocomplete: "off" });
    field.addEventListener("input", () => {
      fileName = field.value;
      selectedFile = null;
      draw();
    });
    dialog.append(field);
  }
  dialog.append(make("div", { id: "preview", role: "group" }));
}

function drawFiles({ title, id }) {
  say($("directory"), directory.text);
  $("up").disabled = !directory.parent;
  const inner = directories.filter((it) => it.parent === directory.text);
  const here = files.filter((it) => stored.get(it.text)?.directory === directory.text);
  fill($("entries"), [...inner, ...here], (row) => {
    const click = () => {
      if (inner.includes(row)) return enter(row.text);
      selectedFile = row.text;
      if (title === "Save As") fileName = row.text;
    };
    return make("li", { id: row.id, text: row.text, click });
  });
  for (const file of here) mark($(file.id), "aria-selected", file.text === selectedFile);
  const shown = selectedFile ? inOrder(stored.get(selectedFile).pieces) : [];
  const labels = shown.map((piece) => ({ piece, id: `preview-${piece.id}` }));
  fill($("preview"), labels, ({ piece, id: label }) =>
    make("output", { id: label, text: piece.text, style: `top:${18 * pieces.indexOf(piece)}px` }),
  );
  if (title === "Save As" && $("file-name").value !== fileName) $("file-name").value = fileName;
  const isReady = title === "Open" ? selectedFile : files.some((file) => file.text === fileName);
  $(`${id}-ok`).disabled = !isReady;
}

function drawWindows() {
  for (const dialog of document.querySelectorAll("dialog")) {
    if (!open.some((window) => window.id === dialog.id)) dialog.remove();
  }
  for (const window of open) {
    if (!$(window.id)) {
      document.body.append(build(window));
      $(window.id).showModal();
    }
    for (const control of window.controls) mark($(control.id), "aria-checked", control.draft);
    if (window.title === "Open" || window.title === "Save As") drawFiles(window);
    if (window.title === "Find" && $("find-what").value !== findWhat) $("find-what").value = findWhat;
  }
}

function draw() {
  say($("title"), current ?? "Document");
  say($("current-font"), currentFont.join(" "));
  say($("pages"), unspecified.pages);
  for (const bar of document.querySelectorAll("[data-bar]")) {
    bar.toggleAttribute("data-off", !bars[bar.dataset.bar]);
  }
  drawDocument();
  drawMenu();
  drawWindows();
  $("status").className = unspecified.status;
  for (const box of document.querySelectorAll(".buttons")) box.style.left = `${unspecified.buttons}px`;
  $("help").disabled = !unspecified.help;
  $("paper").className = unspecified.paper;
}

for (const bar of document.querySelectorAll("[data-bar]")) {
  const name = named("b-", rows.bars[bar.dataset.bar]);
  bar.id = name.id;
  bar.setAttribute("aria-label", name.text);
}
for (const it of menus) {
  const click = () => (menu = menu === it ? null : it);
  part("menubar").append(make("button", { id: it.id, text: it.text, click }));
}
draw();
