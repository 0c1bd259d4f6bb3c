"use strict";
// The page's record: frames that say what changed. A state is made when it is shown: 81 codes, a set of candidates
// (bit d - 1) or 512 + value, and the order in which cells got their values. The list of steps has their texts.
const { puzzle, frames, start, words, shapes, textures, places, houses, solution } = JSON.parse(document.getElementById("data").textContent);
// The number of a step: its own one if the texts have one, otherwise its place.
const numbered = (place) => frames[place].n || place;
const byId = (id) => document.getElementById(id);
const EVERY = 64;
const kept = [{ code: new Int16Array(81), order: new Int16Array(81) }];
let now = 0;
// A page that has the solution is played (play.js), unless a person reads its steps.
const isPlaying = () => solution !== "" && !byId("read").checked;

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
const numberOf = (name) => name[0] === "r" ? 9 * (name[1] - 1) + (name[3] - 1) : name - 1;
// Texts call cells r1c1 to r9c9.
const said = (text) => text.replace(/r[1-9]c[1-9]/g, (name) => nameOf(numberOf(name)));
const fill = (text, fields) => text.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
const SVG = "http://www.w3.org/2000/svg";
const make = (name, attributes, text = "") => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
};

// The board of the page, with layers for what changes: fills below its lines; shapes, cells and arrows above.
const board = document.querySelector("#board > svg");
const layers = Object.fromEntries(["fills", "shapes", "cells", "arrows"].map((name) => [name, make("g", { class: name })]));
board.querySelectorAll("title, desc, .given").forEach((element) => element.remove());
board.querySelector(".thin").before(layers.fills);
board.append(layers.shapes, layers.cells, layers.arrows);
for (const label of board.querySelectorAll(".label")) label.setAttribute("aria-hidden", "true"); // the cells have names
board.setAttribute("role", "group");
board.setAttribute("aria-label", words.board);
layers.arrows.setAttribute("aria-hidden", "true");
const corner = (index) => [40 * (index % 9), 40 * Math.floor(index / 9)];
const center = (index, digit) => corner(index).map((place, k) => place + places[digit - 1][k]);
const square = (index, fields) => {
  const [x, y] = corner(index);
  return make("rect", { x, y, width: 40, height: 40, ...fields });
};
const cells = Array.from({ length: 81 }, (_, index) => {
  const cell = make("g", { class: "cell", role: "button", tabindex: index ? -1 : 0 });
  cell.append(square(index, {}));
  layers.cells.append(cell);
  return cell;
});
function mark(index, digit, gone) {
  const [x, y] = center(index, digit);
  const text = make("text", { class: gone ? "removed" : "mark", x, y: y + 3.8, "data-digit": digit }, digit);
  if (!gone) return [text];
  return [text, make("path", { class: "strike", d: `M${x - 4} ${y + 4}L${x + 4} ${y - 4}` })];
}
function drawn(index, code, gone) {
  if (code < 512) {
    return [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((digit) => gone.includes(digit) ? mark(index, digit, true)
      : code >> (digit - 1) & 1 ? mark(index, digit, false) : []);
  }
  const [x, y] = corner(index);
  return [make("text", { class: puzzle[index] === "." ? "found" : "given", x: x + 20, y: y + 29 }, code - 512)];
}

// The texts of the steps: items of the list, whose headings can be pressed.
const items = [...document.querySelectorAll("#all > li[value]")];
const sentence = (number) => items[number].querySelector(".sentence");
for (const heading of document.querySelectorAll("#all b")) {
  heading.setAttribute("role", "button");
  heading.tabIndex = -1;
}
let marked = null;
function markStep(number) {
  const heading = (at) => items[at].querySelector("b");
  let place = number;
  while (place > 0 && !heading(place)) place--;
  marked?.removeAttribute("aria-current");
  if (marked) marked.tabIndex = -1;
  marked = heading(place);
  if (!marked) return;
  marked.setAttribute("aria-current", "step");
  marked.tabIndex = 0;
  const list = byId("all"), box = marked.getBoundingClientRect(), frame = list.getBoundingClientRect();
  if (box.top < frame.top || box.bottom > frame.bottom) {
    list.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
  }
}

// What a step removes, and what its reason rules out besides, which later steps remove.
const ruledOut = (frame) => [...(frame.x || []), ...(frame.e || [])];

function show(number) {
  now = number;
  const frame = frames[number], state = stateAt(number), gone = {};
  for (const [cell, digit] of ruledOut(frame)) (gone[cell] ||= []).push(digit);
  const placed = (frame.r || []).filter((entry) => entry[2] === "placed").map((entry) => entry[0]);
  cells.forEach((cell, index) => {
    let code = state.code[index];
    // What a chain places is shown as a candidate, where its arrow ends.
    if (code >= 512 && placed.includes(index)) code = 1 << (code - 513);
    const shown = [code, gone[index] || "", byId("numbers").checked].join("|");
    if (cell.dataset.shown === shown) return; // most cells stay as they are from one step to the next
    cell.dataset.shown = shown;
    cell.setAttribute("aria-label", fill(code >= 512 ? words.holds : words.open,
      { cell: nameOf(index), value: code - 512, digits: digitsOf(code).join(" ") }));
    cell.replaceChildren(cell.firstElementChild, ...drawn(index, code, gone[index] || []));
  });
  linked = (frame.a || []).length > FEW_LINKS ? 1 : Infinity;
  draw(frame);
  byId("lines").replaceChildren(...(sentence(number)?.cloneNode(true).childNodes || []));
  byId("status").textContent = fill(words.status, { number: numbered(number), last: numbered(frames.length - 1), text: said(frame.t || "") });
  byId("stack").hidden = !frame.v;
  byId("levels").replaceChildren(...(frame.v || []).map((text) => {
    const item = document.createElement("li");
    item.textContent = said(text);
    return item;
  }));
  byId("place").value = number;
  byId("place").setAttribute("aria-valuetext", numbered(number));
  for (const id of ["first", "back"]) byId(id).disabled = number === 0;
  for (const id of ["next", "last"]) byId(id).disabled = number === frames.length - 1;
  byId("why").textContent = "";
  markStep(number);
  if (line) for (const end of ["x1", "x2"]) line.setAttribute(end, across(number));
  if (byId("matrices").open) matrices(state);
}
// A chain with many links is shown link by link.
const FEW_LINKS = 8;
let linked = Infinity, latest = {}; // the frame that is drawn
function link(number) {
  linked = number;
  draw(latest);
}
// The fills of cells, the shapes around candidates, below the digits, and the arrows between them, above.
function draw(frame) {
  latest = frame;
  const fills = Object.entries(frame.f || {}), roles = frame.r || [], links = frame.a || [];
  const arrows = links.slice(0, linked);
  layers.fills.replaceChildren(...fills.flatMap(([index, color]) => {
    const [style, path] = textures[color] || [];
    const texture = () => make("path", { class: `texture ${style}`, transform: `translate(${corner(index)})`, d: path });
    return [square(+index, { "data-color": color }), ...(path ? [texture()] : [])];
  }));
  layers.shapes.replaceChildren(...roles.map(([index, digit, role]) => {
    const [shape, color] = shapes[role];
    const drawn = make("g", { transform: `translate(${center(index, digit)})`, class: "role", "data-color": color });
    drawn.innerHTML = shape;
    return drawn;
  }));
  layers.arrows.replaceChildren(...arrows.map(([line, head, kind], place) => {
    const newest = place === linked - 1 ? " latest" : "";
    const arrow = make("g", { class: `link ${kind}${newest}`, "data-color": "link" });
    arrow.append(make("path", { d: line }), make("path", { d: head, class: "head" }));
    return arrow;
  }));
  const used = new Set([...roles.map((entry) => entry[2]), ...arrows.map((entry) => entry[2]), ...fills.map((entry) => entry[1])]);
  if (board.querySelector(".removed")) used.add("gone");
  for (const key of document.querySelectorAll("[data-role]")) {
    const role = key.dataset.role, text = key.lastChild;
    key.dataset.text ||= text.textContent;
    key.hidden = !used.has(role);
    text.textContent = frame.g?.[role] || key.dataset.text;
  }
  byId("chain").hidden = links.length <= FEW_LINKS;
  byId("link").textContent = linked <= links.length
    ? fill(words.link, { number: linked, last: links.length, text: links[linked - 1][3] }) : "";
  byId("link-back").disabled = linked <= 1;
  byId("link-next").disabled = byId("links").disabled = linked > links.length;
}
// Why a candidate is gone: the last frame before this one that removed it.
function why(cell, digit) {
  for (let k = now; k >= 0; k--) {
    const hit = (frames[k].x || []).find((entry) => entry[0] === cell && entry[1] === digit);
    if (hit) {
      return fill(words.removed, { digit, cell: nameOf(cell), number: numbered(k), mark: hit[2] ? ` (${hit[2]})` : "" })
        + (sentence(k) ? `\n${sentence(k).textContent}` : "");
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
// The guess level over the steps, with solutions and contradictions.
const SIDE = 8; // so much is free left and right, for the dots of the first and the last step
const across = (number) => SIDE + (1000 - 2 * SIDE) * number / Math.max(1, frames.length - 1);
let line = null;
function tree() {
  if (!byId("tree")) return;
  const deepest = Math.max(...frames.map((frame) => frame.d || 0));
  const down = (frame) => 90 - 80 * (frame.d || 0) / deepest;
  const points = frames.map((frame, k) => `${across(k).toFixed(1)} ${down(frame).toFixed(1)}`).join("L");
  byId("tree").append(make("path", { d: `M${points}` }));
  for (const kind of ["contradiction", "solution"]) { // many contradictions must not hide a solution
    frames.forEach((frame, k) => {
      if (frame.k === kind) byId("tree").append(make("path", { d: `M${across(k)} ${down(frame)}h0`, class: `dot ${kind}` }));
    });
  }
  line = make("line", { y1: 0, y2: 100, class: "now" });
  byId("tree").append(line);
  byId("tree").addEventListener("click", (event) => {
    const box = byId("tree").getBoundingClientRect();
    const share = (1000 * (event.clientX - box.left) / box.width - SIDE) / (1000 - 2 * SIDE);
    go(Math.round(share * (frames.length - 1)));
  });
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
// Plays from the present step on, from the first one at the end.
let timer = 0;
function stop() {
  clearInterval(timer);
  timer = 0;
  naming();
}
function naming() {
  byId("play").classList.toggle("playing", !!timer);
  for (const name of ["aria-label", "title"]) byId("play").setAttribute(name, timer ? words.pause : words.play);
}
function play() {
  if (timer) return stop();
  if (now === frames.length - 1) show(0);
  timer = setInterval(() => {
    show(now + 1);
    if (now === frames.length - 1) stop();
  }, 1000 / +byId("speed").value);
  naming();
}
function go(number) {
  if (timer) stop();
  show(Math.max(0, Math.min(frames.length - 1, number)));
}
const slider = byId("place");
slider.max = frames.length - 1;
slider.addEventListener("input", () => go(+slider.value));
byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(now - 1));
byId("play").addEventListener("click", play);
byId("next").addEventListener("click", () => go(now + 1));
byId("last").addEventListener("click", () => go(frames.length - 1));
byId("speed").addEventListener("change", () => {
  if (!timer) return;
  stop();
  play();
});
byId("link-back").addEventListener("click", () => link(Math.min(linked, latest.a.length + 1) - 1));
byId("link-next").addEventListener("click", () => link(linked + 1));
byId("links").addEventListener("click", () => link(Infinity));
// Paper shows all links of the step.
let before = Infinity;
addEventListener("beforeprint", () => {
  before = linked;
  if (latest.a) link(Infinity);
});
addEventListener("afterprint", () => {
  if (latest.a) link(before);
});
function rename() {
  const numbers = byId("numbers").checked, main = document.querySelector("main");
  main.classList.toggle("number-names", numbers);
  main.classList.toggle("rc-names", !numbers);
  for (const name of byId("all").querySelectorAll("i")) name.textContent = nameOf(numberOf(name.textContent));
}
byId("numbers").addEventListener("change", () => {
  rename();
  show(now);
});
byId("matrices").addEventListener("toggle", () => show(now));
byId("all").addEventListener("click", (event) => {
  const heading = event.target.closest("b");
  if (!heading) return;
  go(items.indexOf(heading.parentElement));
  if (byId("board").getBoundingClientRect().top < 0) byId("board").scrollIntoView(); // the list is below it on a phone
});
board.addEventListener("mousedown", (event) => event.preventDefault()); // so that arrow keys still change the step
board.addEventListener("click", (event) => {
  const index = cells.indexOf(event.target.closest(".cell"));
  if (index < 0 || isPlaying()) return;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  const far = (digit) => Math.hypot(...center(index, digit).map((place, k) => place - [point.x, point.y][k]));
  explain(index, [1, 2, 3, 4, 5, 6, 7, 8, 9].reduce((best, digit) => far(digit) < far(best) ? digit : best));
});
function focus(index) {
  for (const [number, cell] of cells.entries()) cell.setAttribute("tabindex", number === index ? 0 : -1);
  cells[index].focus();
}
document.addEventListener("keydown", (event) => {
  if (isPlaying() || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input[type=range], select")) return;
  const index = cells.indexOf(event.target), { key } = event;
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[key];
  const aside = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -9, ArrowDown: 9 }[key];
  if (index >= 0 && (key === "Enter" || key === " ")) explain(index, 0);
  else if (event.target.matches("#all b") && (key === "Enter" || key === " ")) event.target.click();
  else if (index >= 0 && aside) focus((index + aside + 81) % 81);
  else if (step) go(now + step);
  else if (key === " " && !event.target.matches("button, summary, a")) play();
  else return;
  event.preventDefault();
});
if (!words.row) byId("matrices").hidden = true;
document.documentElement.className = "js";
byId("read").checked = !solution || location.hash === "#read";
rename();
tree();
go(start);
