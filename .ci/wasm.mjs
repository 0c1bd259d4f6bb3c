// wasm.mjs MODULE SAMPLE COUNTED: check the kernels in a WebAssembly module against the counts of the bundled sample
// and of tests/known, and every solution against the rules and the clues.
import { readFileSync } from "node:fs";

const [file, sample, counted] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(file));
const imports = {};
for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
  if (kind !== "function") throw Error(`unexpected import ${from}.${name}`);
  (imports[from] ??= {})[name] = () => {
    throw Error(`${name} is called`); // nothing of Python or the system is needed to solve
  };
}
const kernel = new WebAssembly.Instance(module, imports).exports;
const at = (name, length, Type = Uint8Array) => new Type(kernel.memory.buffer, kernel[name].value, length);

function lines(path) {
  const rows = readFileSync(path, "utf8").split("\n").filter((row) => /^[.1-9]/.test(row));
  return rows.map((row) => [row.slice(0, 81), row.slice(82)]);
}

function fits(puzzle, solution) {
  for (let k = 0; k < 81; k++) if (puzzle[k] !== "." && puzzle[k] !== solution[k]) return false;
  const houses = Array.from({ length: 27 }, () => new Set());
  for (let k = 0; k < 81; k++) {
    const row = Math.floor(k / 9);
    const column = k % 9;
    for (const house of [row, 9 + column, 18 + 3 * Math.floor(row / 3) + Math.floor(column / 3)])
      houses[house].add(solution[k]);
  }
  return houses.every((house) => house.size === 9 && [...house].every((digit) => digit >= "1" && digit <= "9"));
}

function solve(name, puzzles, limit) {
  at("puzzles", 81 * puzzles.length).set(new TextEncoder().encode(puzzles.join("")));
  kernel[name](puzzles.length, BigInt(limit));
  const text = new TextDecoder().decode(at("solutions", 81 * puzzles.length));
  return puzzles.map((puzzle, k) => {
    const count = at("counts", puzzles.length, BigUint64Array)[k];
    const solution = text.slice(81 * k, 81 * k + 81);
    if (count > 0n && !fits(puzzle, solution)) throw Error(`${name}: wrong solution ${solution} of ${puzzle}`);
    return { count, solution };
  });
}

function check(name, rows, limit, expected) {
  const answers = solve(name, rows.map(([puzzle]) => puzzle), limit);
  answers.forEach(({ count }, k) => {
    if (count !== BigInt(expected(rows[k][1])))
      throw Error(`${name}: ${count} solutions of ${rows[k][0]}, ${rows[k][1]} are known`);
  });
  console.log(`${name}: ${rows.length} puzzles, limit ${limit}: all counts and solutions are right`);
  return answers.map(({ solution }) => solution).join();
}

kernel.prepare();
const some = lines(sample);
const known = lines(counted).filter(([, count]) => Number(count) <= 1e6);
if (some.length < 1000 || known.length < 10) throw Error("the files of known answers are nearly empty");
const found = ["solve_many", "solve_each"].map((name) => {
  check(name, known, 1e7, Number);
  return check(name, some, 2, (count) => Math.min(count, 2));
});
if (found[0] !== found[1]) throw Error("the two kernels find different solutions");
