// What the controls of widgets.html do: each says so in #log, and most do nothing else.
"use strict";

const $ = (id) => document.getElementById(id);
function log(text) {
  $("log").textContent = text; // a function of the window's: the frame calls it
}
const on = (id, event, then) => $(id).addEventListener(event, then);
const click = (id, then) => on(id, "click", then);

// Values.
for (const id of ["fruit", "volume", "day", "hour", "both", "month", "colour", "number", "city"]) {
  on(id, "change", () => log(`${id} ${$(id).value}`));
}
on("tags", "change", () => {
  log(`tags ${[...$("tags").selectedOptions].map((option) => option.value).join(" ")}`);
});
for (const id of ["small", "large"]) on(id, "change", () => log(`size ${id}`));
for (const id of ["mail", "search", "four", "notes", "needed", "described"]) {
  on(id, "input", () => log(`${id} ${$(id).value}`));
}
on("rich", "input", () => log(`rich ${$("rich").textContent}`));
on("upper", "input", () => {
  $("upper").value = $("upper").value.toUpperCase();
  log(`upper ${$("upper").value}`);
});
for (const id of ["file", "files"]) {
  on(id, "change", () => {
    log(`${id} ${[...$(id).files].map(({ name, size }) => `${name} ${size}`).join(", ")}`);
  });
}
on("form", "submit", (event) => {
  event.preventDefault();
  log(`submit ${$("needed").value}`);
});
on("form", "reset", () => log("reset"));

// Dragging: the browser's own, and one made of pointer events.
on("card", "dragstart", ({ dataTransfer }) => {
  dataTransfer.setData("text/plain", "card");
  dataTransfer.effectAllowed = "move";
});
on("bin", "dragover", (event) => event.preventDefault());
on("bin", "drop", (event) => {
  event.preventDefault();
  log(`dropped ${event.dataTransfer.getData("text/plain")}`);
});
let grip;
on("knob", "pointerdown", (event) => {
  $("knob").setPointerCapture(event.pointerId);
  grip = { x: event.clientX - $("knob").offsetLeft, y: event.clientY - $("knob").offsetTop };
});
on("knob", "pointermove", (event) => {
  if (!grip) return;
  $("knob").style.left = `${Math.min(90, Math.max(0, event.clientX - grip.x))}px`;
});
on("knob", "pointerup", () => {
  grip = undefined;
  log(`knob ${$("knob").offsetLeft}`);
});
on("knob", "pointercancel", () => (grip = undefined));

const fingers = new Map();
let apart = 0;
const spread = () => {
  const [a, b] = [...fingers.values()];
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
};
on("pinch", "pointerdown", (event) => {
  fingers.set(event.pointerId, event);
  if (fingers.size === 2) apart = spread();
});
on("pinch", "pointermove", (event) => {
  if (!fingers.has(event.pointerId)) return;
  fingers.set(event.pointerId, event);
  if (fingers.size === 2) log(spread() > apart ? "pinch out" : "pinch in");
});
for (const end of ["pointerup", "pointercancel"]) {
  on("pinch", end, (event) => fingers.delete(event.pointerId));
}
click("canvas", ({ offsetX, offsetY }) => {
  $("canvas").getContext("2d").fillRect(offsetX - 4, offsetY - 4, 8, 8);
  log(`canvas ${Math.floor(offsetX / 40)} ${Math.floor(offsetY / 30)}`);
});

// Plain clicks: the log says which.
const plain = [
  "deep", "low", "far", "clipped", "inside-details", "in-slot", "in-popover", "a:b.c", "with space",
  "7", "ünï", "captioned", "titled", "pictured", "spaced", "item", "aria-disabled", "off-button",
  "in-inert", "in-hidden", "invisible", "transparent", "through", "cell", "plain", "hovered",
  "moving",
];
for (const id of plain) click(id, () => log(id));
click("row-1", ({ target }) => target.matches("td") && log("row-1"));
on("more", "toggle", () => log($("more").open ? "more open" : "more closed"));
document.querySelector("[data-testid]").addEventListener("click", () => log("by-test-id"));
document.querySelector("[aria-label='Named by label']").addEventListener("click", () => log("×"));

// Components: one with an open root, one with a closed one, one with a slot.
function component(name, mode, html) {
  const make = class extends HTMLElement {
    constructor() {
      super();
      const root = this.attachShadow({ mode });
      root.innerHTML = html;
      const button = root.querySelector("button");
      button?.addEventListener("click", () => log(`${name} ${button.id}`));
    }
  };
  customElements.define(name, make);
}
component("my-counter", "open", "<button id='in-shadow'>In the shadow</button>");
component("my-secret", "closed", "<button id='in-secret'>In the secret</button>");
component("my-frame-of", "open", "<div><slot></slot></div>");

// Dialogs of the browser and of the page.
click("alert", () => {
  alert("Look out");
  log("alert seen");
});
click("confirm", () => log(`confirm ${confirm("Are you sure?")}`));
click("prompt", () => log(`prompt ${prompt("Your name?", "nobody")}`));
click("twice", () => {
  alert("One");
  alert("Two");
  log("both seen");
});
let guarded = false;
click("guard", () => {
  guarded = !guarded;
  log(guarded ? "guarded" : "unguarded");
});
addEventListener("beforeunload", (event) => guarded && event.preventDefault());
click("away", () => (location.href = "contents.html"));
click("modal", () => {
  $("box").showModal();
  log("modal open");
});
click("shut", () => $("box").close());
on("box", "close", () => log("modal closed"));
on("popover", "toggle", ({ newState }) => log(`popover ${newState}`));

// Leaving, or not quite.
click("popup", () => log(open("contents.html", "popup", "width=200,height=200") ? "popup" : "no popup"));
for (const id of ["blank", "external", "mailto", "anchor", "next", "download"]) click(id, () => log(id));
click("blob", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["hello from a blob"]));
  link.download = "blob.txt";
  link.click();
  log("blob");
});
click("print", () => {
  log("print");
  print();
});
click("fullscreen", () => document.documentElement.requestFullscreen());
document.addEventListener("fullscreenchange", () => {
  log(document.fullscreenElement ? "fullscreen" : "no fullscreen");
});
let pushed = 0;
click("push", () => {
  pushed += 1;
  history.pushState(pushed, "", `#pushed-${pushed}`);
  log(`pushed ${pushed}`);
});
click("pop", () => history.back());
addEventListener("popstate", ({ state }) => log(`popped to ${state}`));
click("copy", async () => {
  try {
    await navigator.clipboard.writeText("copied");
    log("copied");
  } catch (error) {
    log(`copy ${error.name}`);
  }
});
click("notify", async () => log(`notify ${await Notification.requestPermission()}`));

// Roles.
for (const id of ["aria-check", "aria-switch", "item-check"]) {
  click(id, () => {
    const set = $(id).getAttribute("aria-checked") !== "true";
    $(id).setAttribute("aria-checked", String(set));
    log(`${id} ${set}`);
  });
}
for (const id of ["tab-1", "tab-2"]) {
  click(id, () => {
    for (const tab of ["tab-1", "tab-2"]) $(tab).setAttribute("aria-selected", String(tab === id));
    log(id);
  });
}

// Pointing and keys.
on("double", "dblclick", () => log("double"));
on("held", "contextmenu", (event) => {
  event.preventDefault();
  log("held");
});
document.querySelector("main").addEventListener("click", ({ target }) => {
  if (target.closest("#delegated")) log("delegated");
});
on("hover", "mouseenter", () => log("hover"));
on("hover", "mouseleave", () => log("no hover"));
click("moving", () => $("moving").classList.toggle("moved"));
click("late", () => {
  log("late…");
  setTimeout(() => log("late"), 500);
});
on("key-target", "keydown", ({ key, ctrlKey, shiftKey }) => {
  log(`key ${ctrlKey ? "Control+" : ""}${shiftKey ? "Shift+" : ""}${key}`);
});
on("pinch", "wheel", ({ deltaY }) => log(`wheel ${Math.sign(deltaY)}`));

// What happens around the page.
for (const event of ["online", "offline"]) addEventListener(event, () => log(event));
document.addEventListener("visibilitychange", () => log(document.hidden ? "hidden" : "visible"));
document.addEventListener("freeze", () => log("frozen"));
document.addEventListener("resume", () => log("resumed"));
for (const [query, name] of [
  ["(prefers-color-scheme: dark)", "dark"],
  ["(prefers-reduced-motion: reduce)", "reduced motion"],
  ["(orientation: landscape)", "landscape"],
]) {
  matchMedia(query).addEventListener("change", ({ matches }) => log(`${name} ${matches}`));
}
addEventListener("languagechange", () => log(`language ${navigator.language}`));
