// What the page can do beyond being read. Everything in it can be read without this.
"use strict";
(() => {
  const copyText = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A file that was opened from the disk may not use the clipboard directly.
      const area = document.createElement("textarea");
      area.value = text;
      area.style.position = "fixed";
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      if (!done) throw new Error("not copied");
    }
  };
  for (const box of document.querySelectorAll(".copy")) {
    const button = box.querySelector("button");
    const label = button.firstChild;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await copyText(box.querySelector("code").textContent);
        label.data = "Copied";
      } catch {
        getSelection().selectAllChildren(box.querySelector("code"));
        label.data = "Selected";
      }
      setTimeout(() => { label.data = "Copy"; }, 1600);
    });
  }

  // A screen of the film, large. The picture is moved, not copied: it may be megabytes.
  const dialog = document.createElement("dialog");
  if (!dialog.showModal) return;
  dialog.className = "large";
  dialog.innerHTML = '<form method="dialog"><button class="close" aria-label="Close">×</button></form>'
    + '<div class="stage"></div><div class="caption"></div>'
    + '<div class="turn"><button type="button" aria-label="Previous screen">←</button>'
    + '<button type="button" aria-label="Next screen">→</button></div>';
  document.body.append(dialog);
  const stage = dialog.querySelector(".stage");
  const caption = dialog.querySelector(".caption");
  const [previous, next] = dialog.querySelectorAll(".turn button");
  let frames = [], at = 0, home = null;
  const putBack = () => {
    if (home) home.before(stage.firstElementChild), home.remove();
    home = null;
  };
  const show = (index) => {
    putBack();
    at = index;
    const frame = frames[at];
    const screen = frame.querySelector(".screen");
    home = document.createElement("div");
    home.className = "screen away";
    screen.before(home);
    stage.append(screen);
    stage.style.cssText = frame.style.cssText || screen.style.cssText;
    caption.replaceChildren(frame.querySelector(".event").cloneNode(true));
    previous.disabled = at === 0;
    next.disabled = at === frames.length - 1;
  };
  const turn = (by) => { if (frames[at + by]) show(at + by); };
  previous.addEventListener("click", () => turn(-1));
  next.addEventListener("click", () => turn(1));
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") turn(-1);
    if (event.key === "ArrowRight") turn(1);
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    const frame = frames[at];
    putBack();
    frame.querySelector(".zoom")?.focus();
  });
  for (const film of document.querySelectorAll(".film, .pair")) {
    const all = [...film.children];
    all.forEach((frame, index) => {
      if (!frame.querySelector("img")) return;
      const zoom = document.createElement("button");
      zoom.type = "button";
      zoom.className = "zoom";
      zoom.setAttribute("aria-label", `Enlarge screen ${index + 1}`);
      zoom.addEventListener("click", () => { frames = all; show(index); dialog.showModal(); });
      frame.querySelector(".screen").append(zoom);
    });
  }
})();
