"use strict";
// The page's record: frames that say what changed. A state is made when it is shown: 81 codes, a set of candidates
// (bit d - 1) or 512 + value, and the order in which cells got their values.
const { puzzle, frames, start, words, shapes } = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const EVERY = 64;
const kept = [{ code: new Int16Array(81), order: new Int16Array(81) }];
let now = 0;

function apply(state, frame) {
  for (const [cell, code, order] of frame.s) {
    state.code[cell] = code;
    if (order !== undefined) state.order[cell] = order;
  }
}
function stateAt(number) {
  const from = Math.min(Math.floor(number / EVERY), kept.length - 1);
  const state = { code: kept[from].code.slice(), order: kept[from].order.slice() };
  for (let k = from * EVERY; k <= number; k++) {
    if (k % EVERY === 0 && k / EVERY === kept.length) {
      kept.push({ code: state.code.slice(), order: state.order.slice() });
    }
    apply(state, frames[k]);
  }
  return state;
}
const digitsOf = (code) => [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((digit) => code >> (digit - 1) & 1);
const nameOf = (cell) => byId("numbers").checked ? `${cell + 1}`
  : `r${Math.floor(cell / 9) + 1}c${cell % 9 + 1}`;
// Cells are tagged in texts, so that both names can be shown.
const said = (text) => text.replace(/\ue000(\d+)\ue001/g, (_, number) => nameOf(number - 1));
const fill = (text, fields) => text.replace(/\{(\w+)\}/g, (_, name) => fields[name]);

const cells = [];
for (let row = 0; row < 9; row++) {
  const line = byId("board").insertRow();
  for (let column = 0; column < 9; column++) {
    const cell = line.insertCell();
    cell.tabIndex = 0;
    cells.push(cell);
  }
}
function marks(cell, code, gone) {
  const box = document.createElement("div");
  box.className = "marks";
  for (let digit = 1; digit <= 9; digit++) {
    const mark = document.createElement("span");
    const there = code >> (digit - 1) & 1;
    mark.textContent = there || gone.includes(digit) ? digit : "\u00a0";
    if (gone.includes(digit)) mark.className = "gone";
    mark.dataset.digit = digit;
    box.append(mark);
  }
  return box;
}
function show(number) {
  now = number;
  const frame = frames[number], state = stateAt(number), gone = {};
  for (const [cell, digit] of frame.x || []) (gone[cell] ||= []).push(digit);
  const placed = (frame.r || []).filter((entry) => entry[2] === "placed").map((entry) => entry[0]);
  draw(frame);
  cells.forEach((cell, index) => {
    let code = state.code[index];
    // What a chain places is shown as a candidate, where its arrow ends.
    if (code >= 512 && placed.includes(index)) code = 1 << (code - 513);
    const value = code >= 512 ? code - 512 : 0;
    const shown = [code, gone[index] || "", (frame.f || {})[index] || "", byId("numbers").checked].join("|");
    if (cell.dataset.shown === shown) return; // most cells stay as they are from one step to the next
    cell.dataset.shown = shown;
    cell.className = [value ? (puzzle[index] === "." ? "found" : "given") : "", (frame.f || {})[index] || ""].join(" ");
    cell.setAttribute("aria-label", fill(value ? words.holds : words.open,
      { cell: nameOf(index), value, digits: digitsOf(code).join(" ") }));
    if (value) cell.textContent = value;
    else cell.replaceChildren(marks(index, code, gone[index] || []));
    if (byId("numbers").checked) {
      const label = document.createElement("span");
      label.className = "number";
      label.textContent = index + 1;
      cell.append(label);
    }
  });
  byId("lines").textContent = said(frame.l.join("\n"));
  byId("status").textContent = fill(words.status, { number, last: frames.length - 1, text: said(frame.t || "") });
  byId("levels").replaceChildren(...(frame.v || []).map((text) => {
    const item = document.createElement("li");
    item.textContent = said(text);
    return item;
  }));
  byId("place").value = number;
  byId("why").textContent = "";
  mark(number);
  if (byId("matrices").open) matrices(state);
}
// The shapes around candidates, below the digits, and the arrows between them, above.
function draw(frame) {
  byId("shapes").replaceChildren(...(frame.r || []).map(([cell, digit, role]) => {
    const x = 40 * (cell % 9) + 40 / 3 * ((digit - 1) % 3 + .5);
    const y = 40 * Math.floor(cell / 9) + 40 / 3 * (Math.floor((digit - 1) / 3) + .5);
    const shape = make("g", { transform: `translate(${x} ${y})`, class: role });
    shape.innerHTML = shapes[role];
    return shape;
  }));
  byId("arrows").replaceChildren(...(frame.a || []).map(([line, head, kind]) => {
    const arrow = make("g", { class: `arrow ${kind}` });
    arrow.append(make("path", { d: line }), make("path", { d: head, class: "head" }));
    return arrow;
  }));
  const used = new Set([...(frame.r || []).map((entry) => entry[2]), ...(frame.a || []).map((entry) => entry[2]),
    ...Object.values(frame.f || {})]);
  for (const key of document.querySelectorAll("[data-role]")) key.hidden = !used.has(key.dataset.role);
}
// Why a candidate is gone: the last frame before this one that removed it.
function why(cell, digit) {
  for (let k = now; k >= 0; k--) {
    const hit = (frames[k].x || []).find((entry) => entry[0] === cell && entry[1] === digit);
    if (hit) {
      return fill(words.removed, { digit, cell: nameOf(cell), number: k, mark: hit[2] ? ` (${hit[2]})` : "" })
        + (frames[k].l.length ? `\n${said(frames[k].l.join("\n"))}` : "");
    }
  }
  return fill(words.never, { digit, cell: nameOf(cell) });
}
function explain(index, digit) {
  const code = stateAt(now).code[index];
  if (code >= 512) return;
  const digits = digit ? [digit] : digitsOf(511 & ~code);
  byId("why").textContent = digits.map((each) => code >> (each - 1) & 1
    ? fill(words.stands, { digit: each, cell: nameOf(index) }) : why(index, each)).join("\n\n");
}
// The guess level over the frames, with solutions and contradictions.
const SVG = "http://www.w3.org/2000/svg";
const make = (name, attributes) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const across = (number) => 1000 * number / Math.max(1, frames.length - 1);
const deepest = Math.max(1, ...frames.slice(0, 20000).map((frame) => frame.d || 0));
const down = (level) => 8 + 84 * (level || 0) / deepest;
let line = null;
function tree() {
  if (!frames.some((frame) => frame.d)) {
    byId("tree").setAttribute("hidden", "");
    return;
  }
  const points = frames.map((frame, k) => `${across(k).toFixed(1)},${down(frame.d).toFixed(1)}`).join(" ");
  byId("tree").append(make("polyline", { points, class: "path", "vector-effect": "non-scaling-stroke" }));
  frames.forEach((frame, k) => {
    if (frame.k) byId("tree").append(make("ellipse",
      { cx: across(k), cy: down(frame.d), rx: 3, ry: 5, class: frame.k }));
  });
  line = make("line", { y1: 0, y2: 100, class: "now", "vector-effect": "non-scaling-stroke" });
  byId("tree").append(line);
}
function mark(number) {
  if (line) for (const end of ["x1", "x2"]) line.setAttribute(end, across(number));
}
function matrices(state) {
  const width = (rows) => Math.max(...rows.flat().map((entry) => `${entry}`.length));
  const table = (values) => {
    const rows = Array.from({ length: 9 }, (_, row) => Array.from(values.slice(9 * row, 9 * row + 9)));
    const size = width(rows);
    return rows.map((row) => row.map((entry) => `${entry}`.padStart(size)).join(" ")).join("\n");
  };
  const codes = Array.from(state.code);
  const parts = [
    ["NA", codes.map((code) => code >= 512 ? code - 512 : 0)],
    ["KH", Array.from(state.order)],
    ["MMK", codes.map((code) => code >= 512 ? 1 : digitsOf(code).length)],
  ].map(([name, values]) => `${name}\n${table(values)}`);
  for (let row = 0; row < 9; row++) {
    const block = codes.slice(9 * row, 9 * row + 9).flatMap((code) => [1, 2, 3, 4, 5, 6, 7, 8, 9]
      .map((digit) => code >= 512 ? (code - 512 === digit ? digit : 0) : (code >> (digit - 1) & 1) * digit));
    parts.push(`NAK, ${words.row} ${row + 1}\n${table(block)}`);
  }
  byId("matrices").querySelector("pre").textContent = parts.join("\n\n");
}
const go = (number) => show(Math.max(0, Math.min(frames.length - 1, number)));
const slider = byId("place");
slider.max = frames.length - 1;
slider.addEventListener("input", () => go(+slider.value));
byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(now - 1));
byId("next").addEventListener("click", () => go(now + 1));
byId("last").addEventListener("click", () => go(frames.length - 1));
byId("numbers").addEventListener("change", () => {
  go(now);
  overview();
});
byId("matrices").addEventListener("toggle", () => go(now));
byId("tree").addEventListener("click", (event) => {
  const box = byId("tree").getBoundingClientRect();
  go(Math.round((event.clientX - box.left) / box.width * (frames.length - 1)));
});
byId("board").addEventListener("click", (event) => {
  const cell = event.target.closest("td");
  if (cell) explain(cells.indexOf(cell), +event.target.dataset.digit || 0);
});
document.addEventListener("keydown", (event) => {
  const move = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
  if (move && event.target !== slider) {
    event.preventDefault();
    go(now + move);
  } else if (event.key === "Enter" && cells.includes(event.target)) explain(cells.indexOf(event.target), 0);
});
function overview() {
  if (!byId("overview").open) return;
  byId("overview").querySelector("ol").replaceChildren(...frames.flatMap((frame, number) => {
    if (!frame.h) return [];
    const item = document.createElement("li"), button = document.createElement("button");
    button.textContent = said(frame.h);
    button.addEventListener("click", () => go(number));
    item.value = number;
    item.append(button);
    return [item];
  }));
}
byId("overview").addEventListener("toggle", overview);
if (!frames.some((frame) => frame.h)) byId("overview").hidden = true;
if (!words.row) byId("matrices").hidden = true;
tree();
// On paper all steps are listed, of long searches none.
addEventListener("beforeprint", () => {
  if (frames.length > 2000 || byId("all").children.length) return;
  byId("all").replaceChildren(...frames.filter((frame) => frame.l.length).map((frame) => {
    const item = document.createElement("li");
    item.textContent = said(frame.l.join("\n"));
    return item;
  }));
});
go(start);
