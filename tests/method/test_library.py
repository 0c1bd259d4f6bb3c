"""Library lines of a record, each verified against the position it states and nothing else."""

import re
from itertools import product

import counting
import pytest
from command import run
from counting import COLUMNS, PEERS, ROWS
from example_puzzles import changed

from unidoku import method, solve
from unidoku.files.formats.library import LibraryLine, format_line, parse_line

PUZZLES = {
    "theorems": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "extended": ".................1.....2.3...2...4....3.5......41....6.5.6......7.....2..8.91....",
    "subsets": ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...",
    # its first preset is refuted, its second one is kept to the end
    "presets": ".4.7...6...39............57.......3.2...8.....19...57.6...4.....5.1......2...6.84",
    "several": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....4.9..5....8....",
    "none": "..............................67.5..4...........5..76............................",
    "empty": "." * 81,
}
ORDERS = {
    "default": method.Order(),
    "naked first": method.Order(theorems=(2, 3, 4), units=("box", "column", "row")),
    "theorem 3 before 2": method.Order(theorems=(4, 3, 2), sweep=True),
    "theorems alone": method.Order(extended=False, subsets=False),
}
LINES = [{*house} for house in (*ROWS, *COLUMNS)]
BOXES = [{*house} for house in counting.BOXES]


def triples(field):
    """Digits and cells, 0 to 80, of a field."""
    return [(int(digit), 9 * int(row) + int(column) - 10) for digit, row, column in field.split()]


def triple(event):
    row, column = divmod(event.cell - 1, 9)
    return f"{event.digit}{row + 1}{column + 1}"


def position(givens, deleted):
    """Values and candidates as a library line states them."""
    values = {cell: int(s) for cell, s in enumerate(re.findall(r"[.1-9]", givens)) if s != "."}
    left = {cell: {*range(1, 10)} - {values.get(peer) for peer in PEERS[cell]} for cell in range(81)}
    for cell in values:
        del left[cell]
    for digit, cell in triples(deleted):
        left[cell].remove(digit)  # an error where the values rule it out
    return values, left


def step_holds(text):
    """Whether the step of a library line is possible in the position of the line."""
    _, technique, digits, givens, deleted, eliminations, placements, _ = text.split(":")
    values, left = position(givens, deleted)
    digit = int(digits)

    def places(house):
        return {cell for cell in house if digit in left.get(cell, ())}

    if technique in {"0100", "0101"}:
        pairs = product(BOXES, LINES) if technique == "0100" else product(LINES, BOXES)
        return not placements and any(
            len(places(source)) in {2, 3}
            and places(source) <= target
            and triples(eliminations) == [(digit, cell) for cell in sorted(places(target) - source)] != []
            for source, target in pairs
        )
    [(placed, cell)] = triples(placements)
    houses = [house for house in LINES + BOXES if cell in house]
    holds = {
        "0000": any(house - values.keys() == {cell} for house in houses),
        "0002": any(places(house) == {cell} for house in houses),
        "0003": left[cell] == {digit},
    }
    return not eliminations and placed == digit and digit in left[cell] and holds[technique]


def lines_of(record):
    return [format_line(line) for line in method.library_lines(record)]


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
def test_every_line_holds_and_none_is_missing(puzzle, order):
    record = method.explain(puzzle, order)
    lines = lines_of(record)
    assert [line for line in lines if not step_holds(line)] == []
    certain = [event for event in record.events if event.level == 0]
    placed = [triple(event) for event in certain if event.kind == "convert"]
    zeroed = [triple(event) for event in certain if event.rule == "extended"]
    fields = [line.split(":") for line in lines]
    assert [placement for field in fields if (placement := field[6])] == placed
    assert [one for field in fields for one in field[5].split()] == zeroed
    # from line to line: the givens stay, what was placed and deleted is in the next position
    now = puzzle
    gone = set()
    for _, _, _, givens, deleted, eliminations, placements, _ in fields:
        values, left = position(givens, deleted)
        assert re.sub(r"\+[1-9]", ".", givens) == puzzle
        assert givens.replace("+", "") == now
        assert all(cell in values or digit not in left[cell] for digit, cell in gone)
        gone.update(triples(eliminations))
        for digit, cell in triples(placements):
            now = changed(now, {cell: str(digit)})


def test_all_five_techniques_and_what_they_say_is_true():
    techniques = set()
    for name in ("theorems", "extended", "subsets", "presets"):
        solution = solve(PUZZLES[name])
        for line in method.library_lines(method.explain(PUZZLES[name])):
            techniques.add(line.technique)
            assert all(solution[cell] == digit for digit, cell in triples(line.placements))
            gone = triples(f"{line.deleted} {line.eliminations}")
            assert all(solution[cell] != digit for digit, cell in gone)
    assert techniques == {"0000", "0002", "0003", "0100", "0101"}


def test_no_line_under_a_preset_and_a_refuted_one_is_deleted():
    record = method.explain(PUZZLES["presets"])
    found = list(method.library_lines(record))
    kinds = [(event.kind, event.level) for event in record.events if event.kind != "zero"]
    refuted = kinds.index(("retract", 1))
    assert kinds[-1] == ("convert", 1)  # a preset is kept to the end
    assert sum(kind == ("convert", 0) for kind in kinds[refuted:]) > 0
    assert sum(bool(line.placements) for line in found) == kinds.count(("convert", 0))
    out = triple(next(event for event in record.events if event.kind == "retract" and event.level == 1))
    with_it = [out in line.deleted for line in found]
    assert any(with_it)
    assert not any(with_it[: kinds[:refuted].count(("convert", 0))])


def test_a_clashing_digit_is_not_a_single():
    # theorem 4, looked for before the zeroing, puts 5 in row 1 and then in column 9, in the same box
    puzzle = "123478.9." + "." * 9 + "........1......6.2" + "".join("." * 8 + digit for digit in "34789")
    record = method.explain(puzzle, method.Order())
    placed = [(event.digit, event.cell) for event in record.events if event.kind == "convert"]
    assert placed == [(5, 7), (6, 9), (5, 18)]
    assert [line.placements for line in method.library_lines(record)] == ["517", "619"]
    assert all(map(step_holds, lines_of(record)))


def test_the_verification_finds_errors():
    lines = lines_of(method.explain(PUZZLES["extended"]))
    hidden = next(line for line in lines if line.startswith(":0002:"))
    naked = next(line for line in lines if line.startswith(":0003:"))
    assert not step_holds(hidden.replace(":0002:", ":0003:"))
    assert not step_holds(hidden.replace(":0002:", ":0000:"))
    assert not step_holds(naked.replace(":0003:", ":0002:"))
    # seven of box 1 is confined to row 1; r1c6 has lost it before
    locked = ":0100:7:" + "." * 9 + "123......456......" + "." * 54 + ":716:714 715 717 718 719::"
    assert step_holds(locked)
    assert not step_holds(locked.replace(":0100:", ":0101:"))
    assert not step_holds(locked.replace(":716:", "::"))
    assert not step_holds(locked.replace(" 719:", ":"))


def test_the_lines_are_read_back(tmp_path):
    first, second = tmp_path / "x.library", tmp_path / "y.library"
    written = run("explain", "--method", "book", "--to", "library", PUZZLES["presets"], code=0).stdout
    first.write_text(written)
    assert written.splitlines() == lines_of(method.explain(PUZZLES["presets"]))
    lines = map(parse_line, written.splitlines())
    assert any(isinstance(line, LibraryLine) and line.deleted for line in lines)
    run("convert", first, "-o", second, code=0)
    assert second.read_text() == written
    checked = run("check", first).stdout
    assert re.search(rf"^unique +{len(written.splitlines())}$", checked, re.MULTILINE)
