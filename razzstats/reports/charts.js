"use strict";
(() => {
  const report = JSON.parse(document.getElementById("charts").textContent);
  const darkScheme = matchMedia("(prefers-color-scheme: dark)");
  const byTouch = matchMedia("(pointer: coarse)");
  const config = { displayModeBar: false, responsive: true };
  const paperWidth = 660;

  // A copy in which every colour is the one for a dark ground.
  function darkened(value) {
    if (typeof value === "string") {
      return Object.hasOwn(report.dark, value) ? report.dark[value] : value;
    }
    if (Array.isArray(value)) return value.map(darkened);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, darkened(part)]));
  }

  function draw(dark, width) {
    for (const [id, chart] of Object.entries(report.charts)) {
      const { data, layout } = dark ? darkened(chart) : structuredClone(chart);
      if (byTouch.matches) layout.dragmode = false; // a finger on a chart scrolls the page
      if (width) layout.width = width;
      Plotly.react(id, data, layout, config);
    }
  }

  const redraw = () => draw(darkScheme.matches);
  redraw();
  darkScheme.addEventListener("change", redraw);
  addEventListener("beforeprint", () => draw(false, paperWidth));
  addEventListener("afterprint", () => {
    redraw();
    for (const id of Object.keys(report.charts)) Plotly.Plots.resize(id); // back to the screen's width
  });
})();
