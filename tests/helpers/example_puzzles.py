"""Puzzles of many tests."""

from importlib.resources import files

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
"""Of `UNIQUE`."""

NONE = "55" + "." * 79
MULTIPLE = "." * 81
EIGHT = "." * 18 + "789123456231564897564897231897231564312645978645978312978312645"
"""Exactly eight solutions."""

TEN = "590000048608000307000201000000040000075306980000090000000803000206000709340000065"
"""Exactly ten solutions."""

TWO = "039000120000907000800401006042000790000000000091000540500109003000805000014000870"
"""Two solutions, which take guesses."""

NOTHING = "009028700806004005003000004600000000020713450000000002300000500900400807001250300"
"""No solution, which takes guesses to see."""

LONG = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
"""No solution: it takes hundreds of guesses, as no rule of propagation applies."""

COUNTED = {
    "5.2...4.....71...3..............46...7.2......1.......6....2.......3..1.4........": 2,
    "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179": 2,
    "090300001000080046000000800405060030003275600060010904001000000580020000200007060": 0,
    TWO: 2,
    TEN: 10,
    NOTHING: 0,
    LONG: 0,
}
"""Puzzles with known numbers of solutions."""

CLASH = "11" + "." * 79

ROW_WITHOUT_9 = "12345678." + "." * 8 + "9" + "." * 63
"""No solution: the last cell of the first row has no candidate."""

MARKS = "".join(c.rjust(int(c), ".").ljust(9, ".") if c != "." else "123456789" for c in UNIQUE)
"""The clues of `UNIQUE` as 729 pencil marks."""

QUIZ = "005300000800000020070010500400005300010070006003200080060500009004000030000009700"
"""The quiz of the published SudokuSolver 2.6 session."""

BOOK = ".........7.4..3.919..7.........8.9.6..1..4.7..8...72...785....24..........5...6.4"
"""The book's results for cells 1, 2, 3 and 9 of its worked puzzle hold if boxes come first."""

SEVERAL = "5...7....6...95....98....6.8...6...34..8....17...2...6.6....2.....4.9..5....8..7."
"""A few solutions, between which a few clues decide."""

CHAIN = "...8.7.6.......2.1..5.6....641......9.......3...9.21....2.94.3...........6435...7"
"""Its steps end with an XY-cycle."""

CHAINS = "....5.....263....883.1..9.....82.4..9....7.5.....96...2..6.1.9.1......73......2.."
"""Its steps have an X-wing and a forcing chain."""

SYMMETRIC = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
"""The full grid with the most automorphisms, in its minlex form."""

NAMED = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."
"""One of the hardest, which needs presets in the book's method and guesses in each search."""

SUBSETS = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
"""Its record in the book's method has every rule, with subsets."""

OVERFULL = "..............................67.5..4...........5..76............................"
"""No solution: seven clues of one band without a completion, in an otherwise open grid."""

MANY = ".....6....59.....82....8....45........3........6..3.54...325..6.................."
"""148,357,268 solutions."""

GRIDS = 6_670_903_752_021_072_936_960
"""The number of full grids."""

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""Rated 10.6."""

SHARED = [
    ".................1..2..3.4.......2...35....6.4...7.......8.2.5.1....4...7.....9..",
    "................12....34..5.....67....8.9.....21.........12.8.....5.....6.....3..",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "98.7..6....5.....4.........7...9...6.4..3...........2.6...8..9..3..5........1....",
]
"""Puzzles that several lanes search together, with many solutions and with few."""


def sample() -> list[tuple[str, int]]:
    """Return the puzzles of the bundled sample, each with its number of solutions."""
    text = files("unidoku").joinpath("data/sample.txt").read_text(encoding="ascii")
    return [(line[:81], int(line[82:])) for line in text.splitlines()[2:]]


def spread(puzzles: list[str], number: int) -> list[str]:
    """Return up to `number` of the puzzles, evenly spread over the list."""
    return puzzles[:: -(-len(puzzles) // number)]


def changed(line: str, cells: dict[int, str]) -> str:
    """Return the line with other symbols in some cells (0 to 80)."""
    return "".join(cells.get(cell, symbol) for cell, symbol in enumerate(line))


def clashing(cell_1: int, cell_2: int) -> list[str]:
    """Return a puzzle of two clues and a full grid, each with the same digit in both cells."""
    clues = changed("." * 81, {cell_1: "7", cell_2: "7"})
    return [clues, changed(SOLUTION, {cell_1: SOLUTION[cell_2]})]
