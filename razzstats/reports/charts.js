"use strict";
(async () => {
  const source = document.getElementById("charts");
  if (!source) return;
  const report = JSON.parse(source.textContent);
  const darkScheme = matchMedia("(prefers-color-scheme: dark)");
  const byTouch = matchMedia("(pointer: coarse)");
  const config = { displayModeBar: false, responsive: true };
  const paperWidth = 660;
  const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%:()*+-;,=.?@^_`{|}~";

  // ---- plotly, which the page carries compressed, in base 85

  function decoded(block) {
    const words = block.textContent;
    const values = new Uint8Array(128);
    for (let value = 0; value < DIGITS.length; value += 1) values[DIGITS.charCodeAt(value)] = value;
    const bytes = new DataView(new ArrayBuffer((words.length / 5) * 4));
    for (let place = 0; place < words.length; place += 5) {
      let number = 0;
      for (let k = place; k < place + 5; k += 1) number = number * 85 + values[words.charCodeAt(k)];
      bytes.setUint32((place / 5) * 4, number);
    }
    return bytes.buffer.slice(0, Number(block.dataset.size));
  }

  async function loadPlotly() {
    const packed = new Blob([decoded(document.getElementById("plotly"))]);
    const unpacked = packed.stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(unpacked).text(); // the policy knows its hash
    document.head.append(script);
  }

  function sayWhy(words) {
    for (const id of Object.keys(report.charts)) {
      const told = document.createElement("p");
      told.textContent = words;
      document.getElementById(id).replaceChildren(told);
    }
  }

  // ---- the charts

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

  if (typeof DecompressionStream === "undefined") {
    sayWhy("The chart needs a browser of 2023 or later; the table says the same.");
    return;
  }
  await loadPlotly();
  const redraw = () => draw(darkScheme.matches);
  redraw();
  document.documentElement.dataset.charts = "drawn";
  darkScheme.addEventListener("change", redraw);
  addEventListener("beforeprint", () => draw(false, paperWidth));
  addEventListener("afterprint", () => {
    redraw();
    for (const id of Object.keys(report.charts)) Plotly.Plots.resize(id); // back to the screen's width
  });
})();
