// On the map: what leads to a state and away from it stands out while one points at it.
(() => {
  for (const graph of document.querySelectorAll(".graph")) {
    const touching = new Map();
    for (const line of graph.querySelectorAll(".line")) {
      for (const state of [line.dataset.from, line.dataset.to]) {
        if (!touching.has(state)) touching.set(state, []);
        touching.get(state).push(line);
      }
    }
    const mark = (state, on) => {
      graph.classList.toggle("pointing", on);
      for (const line of touching.get(state.dataset.state) ?? []) line.classList.toggle("on", on);
    };
    for (const state of graph.querySelectorAll(".state")) {
      state.addEventListener("pointerenter", () => mark(state, true));
      state.addEventListener("pointerleave", () => mark(state, false));
      // Not every browser opens the table for what is in it.
      state.addEventListener("click", () => {
        const row = document.getElementById(state.getAttribute("href").slice(1));
        const table = row?.closest("details");
        if (table) table.open = true;
      });
    }
  }
})();
