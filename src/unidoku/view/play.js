// A game on the page: the player's digits and pencil marks, a check, and hints by the path, whose steps stay true whatever
// is filled in rightly. The game is kept in the browser, by the puzzle.
const given = stateAt(0).code, KEY = `unidoku ${puzzle}`;
const VIEWS = ["hidden", "own", "shown"]; // of pencil marks: none, the player's own, all candidates
const ALL = Array.from({ length: 81 }, (_, cell) => cell);
const peers = ALL.map((cell) => [...new Set(houses.filter((house) => house.includes(cell)).flat())].filter((other) => other !== cell));
const bit = (digit) => 1 << (digit - 1);
// What a step fills in, and the candidates that one without digits removes.
const steps = frames.map((frame) => {
  const placed = frame.s.filter(([, code]) => code >= 512).map(([cell, code]) => [cell, code - 512]);
  return { placed, gone: placed.length ? [] : ruledOut(frame) };
});
const isGiven = (cell) => given[cell] >= 512;
const begin = () => ({ digits: ALL.map((cell) => isGiven(cell) ? given[cell] - 512 : 0), own: ALL.map(() => 0),
  told: [], past: [], view: VIEWS[0] });
let game = begin(), chosen = ALL.find((cell) => !isGiven(cell)) ?? 0, pencils = false;
let asked = 0, stage = 0, checks = 0; // the step of the hint and how much of it is said; how often the board was checked

// A game that was saved for another version of the page is not read.
function fits(saved) {
  const isList = (values, most, size = 81) => Array.isArray(values) && (size === null || values.length === size)
    && values.every((value) => Number.isInteger(value) && value >= 0 && value <= most);
  return isList(saved?.digits, 9) && isList(saved.own, 511) && isList(saved.told, frames.length - 1, null)
    && Array.isArray(saved.past) && saved.past.every((move) => Array.isArray(move)
      && move.every((entry) => isList(entry, 511, 3) && entry[0] < 81 && entry[1] <= 9 && !isGiven(entry[0])))
    && VIEWS.includes(saved.view) && ALL.every((cell) => !isGiven(cell) || saved.digits[cell] === given[cell] - 512);
}
function load() {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY));
    if (fits(saved)) game = saved;
  } catch { /* a page in a frame has no storage */ }
}
function save() {
  try { localStorage.setItem(KEY, JSON.stringify(game)); } catch { /* as above */ }
}

const wrong = () => ALL.filter((cell) => game.digits[cell] && game.digits[cell] !== +solution[cell]);
const isSeen = (cell, digit) => peers[cell].some((other) => game.digits[other] === digit);
// The candidates of an empty cell: those of the beginning, without what the digits and the hints exclude.
function candidates(cell) {
  const told = game.told.flatMap((number) => steps[number].gone).filter((entry) => entry[0] === cell).map((entry) => entry[1]);
  return digitsOf(given[cell]).filter((digit) => !told.includes(digit) && !isSeen(cell, digit)).reduce((mask, digit) => mask | bit(digit), 0);
}
const marks = (cell) => game.view === "shown" ? candidates(cell) : game.view === "own" ? game.own[cell] : 0;
// Whether the player's board has what a step says: its digits are there, or its candidates are gone.
function has(number) {
  const { placed, gone } = steps[number];
  return game.told.includes(number) || (placed.every(([cell]) => game.digits[cell])
    && gone.every(([cell, digit]) => game.digits[cell] || isSeen(cell, digit)
      || !(candidates(cell) & bit(digit)) || (game.own[cell] && !(game.own[cell] & bit(digit)))));
}
const next = () => frames.findIndex((_, number) => number > 0 && !has(number));

// Changes cells, each with its digit and own marks; what they were can be undone.
function change(entries) {
  game.past.push(entries.map(([cell]) => [cell, game.digits[cell], game.own[cell]]));
  put(entries);
}
function put(entries) {
  for (const [cell, digit, own] of entries) {
    game.digits[cell] = digit;
    game.own[cell] = own;
  }
  asked = stage = checks = 0;
  save();
  render();
}
function enter(digit, isMark = pencils) {
  if (isGiven(chosen)) return;
  if (!isMark) {
    const value = game.digits[chosen] === digit ? 0 : digit;
    const seen = value ? peers[chosen].filter((cell) => game.own[cell] & bit(digit)) : [];
    return change([[chosen, value, game.own[chosen]], ...seen.map((cell) => [cell, game.digits[cell], game.own[cell] & ~bit(digit)])]);
  }
  if (game.digits[chosen]) return;
  // Whoever changes a mark among all candidates goes on with these as their own.
  const own = game.view === "shown" ? ALL.filter((cell) => !game.digits[cell]).map((cell) => [cell, 0, candidates(cell)])
    : [[chosen, 0, game.own[chosen]]];
  game.view = "own";
  change(own.map(([cell, value, mask]) => [cell, value, cell === chosen ? mask ^ bit(digit) : mask]));
}
function erase() {
  if (isGiven(chosen) || !(game.digits[chosen] || game.own[chosen])) return;
  change([[chosen, 0, game.digits[chosen] ? game.own[chosen] : 0]]);
}
function undo() {
  const entries = game.past.pop();
  if (entries) put(entries);
}
function restart() {
  game = begin();
  put([]);
}
// Says how many digits are wrong and, asked again, which.
function check() {
  checks = Math.min(2, checks + 1);
  asked = stage = 0;
  render();
}
function ask(depth) {
  if (wrong().length) return check();
  const number = asked && stage < 4 ? asked : next();
  if (number < 1) return;
  // The whole step is said once: the board has it then, or its digits are to be filled in.
  if (depth === 4 && !steps[number].placed.length) game.told.push(number);
  asked = number;
  stage = depth;
  checks = 0;
  linked = (frames[number].a || []).length > FEW_LINKS ? 1 : Infinity;
  save();
  render();
}
const take = () => change(steps[asked].placed.map(([cell, digit]) => [cell, digit, game.own[cell]]));

// What the board shows of the hint: the house to look at, the cells of the pattern, or the step; or wrong digits.
function hinted() {
  if (checks === 2) return { f: Object.fromEntries(wrong().map((cell) => [cell, "red"])) };
  if (!stage) return {};
  const frame = frames[asked], [, house, pattern] = frame.q, isOpen = ([cell]) => !game.digits[cell];
  if (stage < 4) {
    const isHouse = stage < 3 || !pattern.length;
    return { f: Object.fromEntries((isHouse ? houses[house] : pattern).map((cell) => [cell, isHouse ? "gray" : "blue"])) };
  }
  return { ...frame, x: steps[asked].gone.filter(isOpen), r: (frame.r || []).filter(isOpen) };
}
function name(cell) {
  const value = game.digits[cell], shown = digitsOf(marks(cell)).join(" ");
  const text = isGiven(cell) ? words.given : value ? words.holds : shown ? game.view === "own" ? words.own : words.open : words.empty;
  return fill(text, { cell: nameOf(cell), value, digits: shown });
}
function render() {
  const frame = hinted(), left = ALL.filter((cell) => !game.digits[cell]).length, mistakes = wrong();
  const isSolved = !left && !mistakes.length;
  cells.forEach((cell, index) => {
    const value = game.digits[index], here = (entry) => entry[0] === index;
    const gone = (frame.x || []).filter(here).map((entry) => entry[1]);
    const named = [...(frame.r || []), ...(stage === 4 ? steps[asked].placed : [])].filter(here);
    const mask = named.reduce((sum, entry) => sum | bit(entry[1]), marks(index));
    const shown = ["game", value, value ? 0 : mask, gone, mistakes.length && checks === 2].join("|");
    cell.setAttribute("aria-label", name(index));
    cell.classList.toggle("chosen", index === chosen);
    if (index === chosen) cell.setAttribute("aria-current", "true");
    else cell.removeAttribute("aria-current");
    if (cell.dataset.shown === shown) return;
    cell.dataset.shown = shown;
    cell.replaceChildren(cell.firstElementChild, ...drawn(index, value ? 512 + value : mask, gone));
  });
  draw(frame);
  const told = stage === 4 ? sentence(asked).cloneNode(true).childNodes : [];
  byId("lines").replaceChildren(...(stage === 4 ? told : [stage ? frames[asked].q[0][stage - 1] : isSolved ? words.solved
    : left && next() < 1 && !mistakes.length ? words.ends : words.ask]));
  for (const button of document.querySelectorAll("#ask [data-stage]")) {
    button.setAttribute("aria-pressed", +button.dataset.stage === stage);
    button.disabled = isSolved;
  }
  byId("take").hidden = stage < 4 || !steps[asked].placed.length;
  byId("undo").disabled = !game.past.length;
  byId("marks").value = game.view;
  byId("pencil").setAttribute("aria-pressed", pencils);
  byId("status").textContent = isSolved ? "" : fill(left === 1 ? words["left one"] : words.left, { n: left });
  const count = mistakes.length, names = mistakes.map(nameOf).join(" ");
  byId("why").textContent = !checks ? "" : !count ? words["none wrong"] : checks === 2 ? fill(words["wrong where"], { cells: names })
    : fill(count === 1 ? words["wrong one"] : words["wrong digits"], { n: count });
  byId("stack").hidden = true;
}
function choose(index) {
  chosen = index;
  focus(index);
  render();
}
function toggle() {
  pencils = !pencils;
  if (pencils && game.view === "hidden") game.view = "own";
  save();
  render();
}
// Begins to play, or to read: from the step that the player's board does not have.
function turn() {
  document.documentElement.classList.toggle("play", isPlaying());
  if (timer) stop();
  if (isPlaying()) render();
  else go(next() < 1 ? frames.length - 1 : next());
}

board.addEventListener("click", (event) => {
  const index = cells.indexOf(event.target.closest(".cell"));
  if (index >= 0 && isPlaying()) choose(index);
});
for (const [id, action] of Object.entries({ pencil: toggle, erase, undo, check, restart, take })) {
  byId(id).addEventListener("click", action);
}
for (const button of document.querySelectorAll("#pad [data-digit]")) {
  button.addEventListener("click", () => enter(+button.dataset.digit));
}
for (const button of document.querySelectorAll("#ask [data-stage]")) {
  button.addEventListener("click", () => ask(+button.dataset.stage));
}
byId("marks").addEventListener("change", () => {
  game.view = byId("marks").value;
  save();
  render();
});
byId("read").addEventListener("change", () => {
  try { history.replaceState(null, "", isPlaying() ? "#" : "#read"); } catch { /* in a frame without an address */ }
  turn();
});
document.addEventListener("keydown", (event) => {
  if (!isPlaying() || event.altKey || event.target.matches("select")) return;
  const { key } = event, isUndo = (event.ctrlKey || event.metaKey) && key === "z";
  if ((event.ctrlKey || event.metaKey) && !isUndo) return;
  const aside = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -9, ArrowDown: 9 }[key];
  const [, digit] = /^(?:Digit|Numpad)([1-9])$/.exec(event.code) || [];
  if (aside) choose((chosen + aside + 81) % 81);
  else if (event.shiftKey && digit) enter(+digit, true);
  else if (/^[1-9]$/.test(key)) enter(+key);
  else if (["0", "Backspace", "Delete"].includes(key)) erase();
  else if (isUndo || key === "u") undo();
  else if (key === "p") toggle();
  else if (key === "h") ask(stage % 4 + 1);
  else if (key === "c") check();
  else return;
  event.preventDefault();
});
load();
turn();
