"use strict";
// Sorts the rows by a column: numbers by value, rows without one last, equal rows in the order of the pages.
const body = document.querySelector("tbody");
const heads = [...document.querySelectorAll("thead th")];
const rows = [...body.rows].map((row) => ({ row, texts: [...row.cells].map((cell) => cell.textContent) }));
const collator = new Intl.Collator(undefined, { numeric: true });

function compare(one, other) {
  const left = parseFloat(one), right = parseFloat(other);
  if (isNaN(left) !== isNaN(right)) return isNaN(left) ? 1 : -1;
  return isNaN(left) ? collator.compare(one, other) : left - right || collator.compare(one, other);
}
heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const each of heads) each.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const none = (text) => text === "–" || text === "";
  const plain = head.className === "text";
  const sorted = rows.map((entry, place) => ({ ...entry, place })).sort((a, b) => {
    const left = a.texts[column], right = b.texts[column];
    if (none(left) !== none(right)) return none(left) ? 1 : -1;
    const order = plain ? collator.compare(left, right) : compare(left, right);
    return (down ? -order : order) || a.place - b.place;
  });
  body.replaceChildren(...sorted.map((entry) => entry.row));
  document.getElementById("sorted").textContent = `${head.textContent} ${down ? "▼" : "▲"}`;
}));
