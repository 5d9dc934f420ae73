"use strict";
(() => {
  // Cells of a table as lines of tab-separated words, which spreadsheets take.
  function copied(table) {
    const rows = [...table.querySelectorAll("thead tr, tbody tr")];
    return rows
      .map((row) => [...row.cells].map((cell) => cellText(cell)).join("\t"))
      .join("\n");
  }

  function cellText(cell) {
    const name = cell.querySelector(".defined > summary");
    const words = (name ?? cell).textContent.replace(/\s+/g, " ").trim();
    const isNumber = /^[-+]?[$\u20ac\u00a3]?[\d.,]+( to [-+][\d.,]+| ?%.*)?( of [\d,]+)?$/.test(words);
    return /^[=+@-]/.test(words) && !isNumber ? `'${words}` : words; // no formula from a name
  }

  function fallback(words) {
    const area = document.createElement("textarea"); // where a page from a file has no clipboard
    area.value = words;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }

  async function copy(button) {
    const words = copied(button.closest("table"));
    let done = true;
    try {
      await navigator.clipboard.writeText(words);
    } catch {
      done = fallback(words);
    }
    button.textContent = done ? "Copied" : "Not allowed here";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }

  for (const caption of document.querySelectorAll("section table > caption")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => copy(button));
    caption.firstElementChild.append(" ", button);
  }
})();
