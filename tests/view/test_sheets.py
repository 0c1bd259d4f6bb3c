"""Sheets to print: the contents of the pages, and escaped texts."""

from __future__ import annotations

import re

import pytest
from command import run
from example_puzzles import MULTIPLE, QUIZ, SOLUTION, UNIQUE

import unidoku
from unidoku import Grid, generate, rate, solve, steps
from unidoku.craft.series import Series
from unidoku.rating.names import NAMES
from unidoku.view.sheets import PER_PAGE, PrintedPuzzle, sheets

PUZZLE = Grid(UNIQUE)


def page_of(count, **options):
    return "".join(
        sheets(
            [PrintedPuzzle(PUZZLE, f"no. {k}", rate(PUZZLE), solve(PUZZLE)) for k in range(count)], **options
        )
    )


@pytest.mark.parametrize("per_page", PER_PAGE)
def test_puzzles_and_answers_on_their_pages(per_page):
    page = page_of(13, per_page=per_page, title="Rain & sun")
    parts = page.split("<section")[1:]
    puzzles = [part.count("<figure>") for part in parts if "solutions" not in part]
    assert puzzles == [min(per_page, 13 - k) for k in range(0, 13, per_page)]
    assert [part.count("<figure>") for part in parts if "solutions" in part] == [13]
    assert len(re.findall("<h1>Rain &amp; sun</h1>|<h1>Rain &amp; sun: solutions</h1>", page)) == len(parts)
    captions = re.findall("<figcaption>(.*?)</figcaption>", page)[:13]
    assert captions[11] == '<b>12</b><small class="name">no. 11</small><small>easy · ER 1.2</small>'
    assert page.count('class="found"') == 13 * 51


def test_pencil_marks_and_the_blank_form():
    assert 'class="mark"' not in page_of(1)
    marks = sum(len(PUZZLE.candidates(cell)) for cell in range(81))
    assert page_of(1, candidates=True).count('class="mark"') == marks
    blank = page_of(1, blank=True)
    assert blank.count('class="digit"') == 9 * 51
    assert blank.count('class="number"') == 81
    assert page_of(2, blank=True).count("<section>") == 2
    with pytest.raises(ValueError, match="give the digits 1 to 9"):
        page_of(1, blank=True, arrangement="12345678")


def test_the_page_loads_nothing_and_escapes_everything():
    bad = "</title><script>alert(1)</script>"
    page = "".join(sheets([PrintedPuzzle(PUZZLE, bad)], title=bad))
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)|<link|src=|@import", page) == []


def test_the_command(tmp_path):
    rows = [f"Mon <day>,{PUZZLE.line}", f"hard,{QUIZ}", f",{MULTIPLE}", "x,nonsense"]
    (tmp_path / "in.csv").write_text("\n".join(["name,puzzle", *rows]) + "\n")
    arguments = ["print", tmp_path / "in.csv", "--solutions", "-o", tmp_path / "out.html"]
    process = run(*arguments, "--title", "Rain", code=1)
    assert "in.csv:5" in process.stderr
    page = (tmp_path / "out.html").read_text()
    assert re.findall("<figcaption>(.*?)</figcaption>", page) == [
        '<b>1</b><small class="name">Mon &lt;day&gt;</small><small>beginner · ER 1.2</small>',
        '<b>2</b><small class="name">hard</small><small>extreme · ER 9.0+</small>',
        "<b>3</b>",
        *("1", "2"),  # only these have a solution to print
    ]
    assert "<h1>Rain</h1>" in page
    run(*arguments, "--heading", "number", code=1)
    page = (tmp_path / "out.html").read_text()
    assert re.findall("<figcaption>(.*?)</figcaption>", page)[:3] == ["<b>1</b>", "<b>2</b>", "<b>3</b>"]


def captions_of(*words) -> list[str]:
    page = run("print", *words, code=0).stdout
    return re.findall("<small>([^<]*)</small></figcaption>", page)


def test_a_puzzle_for_beginners_is_headed_so_from_a_file_too(tmp_path):
    for number, word in enumerate(["beginner", "medium"]):
        made = tmp_path / f"{word}.csv"
        run("generate", "-n", "3", "--seed", "1", "--difficulty", word, "-o", made, code=0)
        assert [caption.split(" ")[0] for caption in captions_of(made)] == [word] * 3, number


def test_effort_in_headings_orders_and_conditions(tmp_path):
    made = tmp_path / "made.txt"
    run("generate", "-n", "12", "--seed", "1", "-o", made, code=0)
    efforts = unidoku.rate_many(made.read_text().split()).effort.tolist()
    shown = [*map(int, re.findall("effort ([0-9]+)", " ".join(captions_of(made, "--heading", "effort"))))]
    assert shown == efforts
    ordered = captions_of(made, "--heading", "effort", "--order", "effort")
    assert [*map(int, re.findall("effort ([0-9]+)", " ".join(ordered)))] == sorted(efforts)
    middle = sorted(efforts)[6]
    chosen = captions_of(made, "--heading", "effort", "--where", f"effort={middle}-")
    assert len(chosen) == 6


def test_what_generate_and_rate_write_is_no_title(tmp_path):
    """The name of a step is above its puzzle only when it is asked for; a title always."""
    made, titled = tmp_path / "made.csv", tmp_path / "titled.csv"
    run("generate", "-n", "4", "--seed", "2", "--difficulty", "medium", "-o", made, code=0)
    (tmp_path / "in.csv").write_text(f"title,puzzle\nSunday,{PUZZLE.line}\n")
    run("rate", tmp_path / "in.csv", "-o", titled, "--columns", "puzzle,title,er,technique,name", code=0)
    for inputs, names in ((made, {*NAMES}), (titled, {"Hidden Single"})):
        for heading in ("rating", "technique"):
            page = run("print", inputs, "--heading", heading, code=0).stdout
            for caption in re.findall("<figcaption>(.*?)</figcaption>", page):
                named = any(name.lower() in caption for name in filter(None, names))
                assert named == (heading == "technique")
                assert ("Sunday" in caption) == (inputs == titled)
                assert "ER" in caption
    page = run("print", titled, "--heading", "technique", "--lang", "zh", code=0).stdout
    assert '<small class="name">Sunday · 摒除法</small><small>入门 · ER 1.2</small>' in page


def captions(page: str) -> list[str]:
    """What stands above the puzzles."""
    return [re.sub("<.*?>", " ", text) for text in re.findall("<figcaption>(<b>.*?)</figcaption>", page)]


def ratings(page: str) -> list[float]:
    return [float(re.search("ER ([0-9.]+)", caption)[1]) for caption in captions(page)]


def drawn_puzzles(page: str) -> list[Grid]:
    """The puzzles, as a screen reader has them."""
    rows = re.findall(r"<title>Puzzle \d+</title><desc>(.*?)</desc>", page)
    return [
        Grid("".join(re.findall(r"(?<=[ ])(?:[1-9]|empty)(?=[ .])", text)).replace("empty", "."))
        for text in rows
    ]


def test_a_booklet_climbs_and_looks_like_those_of_newspapers():
    mixture = "beginner=1,easy=1,hard=1"
    page = run("print", "--generate", "9", "--difficulty", mixture, "--seed", "5", code=0).stdout
    words = [caption.split()[1] for caption in captions(page)]
    assert words == ["beginner"] * 3 + ["easy"] * 3 + ["hard"] * 3
    assert ratings(page) == sorted(ratings(page))
    puzzles = drawn_puzzles(page)
    assert len(puzzles) == 9
    for puzzle in puzzles:
        assert [bool(cell) for cell in puzzle] == [bool(cell) for cell in puzzle][::-1]
    assert all(28 <= puzzle.clues <= 34 for puzzle in puzzles[3:6])
    assert page == run("print", "--generate", "9", "--difficulty", mixture, "--seed", "5", code=0).stdout
    arguments = ("print", "--generate", "3", "--difficulty", "easy", "--seed", "5")
    own = drawn_puzzles(run(*arguments, "--clues", "24", "--symmetry", "none", code=0).stdout)
    assert {puzzle.clues for puzzle in own} == {24}


def test_the_order_and_the_choice_of_puzzles(tmp_path):
    path = tmp_path / "in.txt"
    rows = [Grid(cells).line for cells in generate(12, seed=3)]
    path.write_text("\n".join(rows) + "\n")
    values = [rate(row, below=9.0).er for row in rows]
    assert ratings(run("print", path, code=0).stdout) == values != sorted(values)
    assert ratings(run("print", path, "--order", "er", code=0).stdout) == sorted(values)
    assert ratings(
        run("print", path, "--order", "er", "--where", "er=2-5,clues=20-25", code=0).stdout
    ) == sorted(
        value
        for value, row in zip(values, rows, strict=True)
        if 2 <= value <= 5 and 20 <= Grid(row).clues <= 25
    )
    mixed = [run("print", path, "--order", "random", "--seed", seed, code=0).stdout for seed in (1, 1, 2)]
    assert mixed[0] == mixed[1] != mixed[2]
    assert sorted(ratings(mixed[2])) == sorted(values)
    assert "--seed needs --generate or --order random" in run("print", path, "--seed", 1, code=2).stderr
    assert "no column 'x'; choose from: er" in run("print", path, "--where", "x=1", code=2).stderr
    run("print", path, "--where", "clues=60", "-o", tmp_path / "out.html", code=2)
    assert not (tmp_path / "out.html").exists()
    page = run(
        "print", "--generate", "2", "--where", "name=skyscraper", "--heading", "technique", code=0
    ).stdout
    assert all("skyscraper" in caption.lower() for caption in captions(page))


def test_answer_pages_with_steps(tmp_path):
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n{MULTIPLE}\n{SOLUTION[:80]}.\n")
    page = run("print", tmp_path / "in.txt", "--solutions", "--steps").stdout
    assert "r4c2 is the cell in row 4, column 2." in page
    assert "<h1>Sudoku: steps</h1>" in page
    listed = re.findall("<li>(.*?)</li>", page)
    assert listed == [step.sentence for row in (UNIQUE, f"{SOLUTION[:80]}.") for step in steps(row)]
    assert re.findall("<h2>(.*?)</h2>", page) == ["1", "3"]


def test_numbers_and_groups():
    """A group begins on another page, and so do its solutions; a puzzle without a number has its position."""
    puzzles = [
        PrintedPuzzle(PUZZLE, solution=solve(PUZZLE), number=k, group=f"set {k // 5}") for k in range(3, 12)
    ]
    page = "".join(sheets(puzzles, per_page=4, title="Rain", answers="results"))
    sections = [
        (re.search("<h1.*?>(.*?)</h1>", part)[1], re.findall("<figcaption>(?:<b>)?([0-9]+)", part))
        for part in page.split("<section")[1:]
    ]
    assert sections == [
        ("Rain: set 0", ["3", "4"]),
        ("Rain: set 1", ["5", "6", "7", "8"]),
        ("Rain: set 1", ["9"]),
        ("Rain: set 2", ["10", "11"]),
        ("Rain: results, set 0", ["3", "4"]),
        ("Rain: results, set 1", ["5", "6", "7", "8", "9"]),
        ("Rain: results, set 2", ["10", "11"]),
    ]


def test_a_series_to_print(tmp_path):
    """The pages have groups, numbers and results, as in the appendices of the book."""
    path = tmp_path / "book.html"
    run("series", "--seed", "1", "--group", "2", "--title", "Sudoku", "-o", path, code=0)
    page = path.read_text()
    captions = re.findall("<figcaption>(.*?)</figcaption>", page)
    assert captions[0] == '<b>37</b><small class="name">group 2, no. 1</small>'
    assert captions[35] == '<b>72</b><small class="name">group 2, no. 36</small>'
    assert captions[36:] == [str(number) for number in range(37, 73)]
    assert re.findall("<h1>(.*?)</h1>", page) == ["Sudoku: group 2"] * 3 + ["Sudoku: results, group 2"] * 2
    series = Series.generate(seed=1)
    clues = sum(series.puzzle(number).clues for number in range(37, 73))
    assert page.count('class="given"') == 2 * clues
    assert page.count('class="found"') == 36 * 81 - clues
    page_2304 = run(
        "series", "--seed", "1", "--number", "2304", "--to", "html", "--title", "Last", code=0
    ).stdout
    assert re.findall("<h1>(.*?)</h1>", page_2304) == ["Last: group 64", "Last: results, group 64"]
    assert '<b>2304</b><small class="name">group 64, no. 36</small>' in page_2304
    for options in ("--per-page", "4"), ("--title", "x"):
        assert run("series", "--seed", "1", *options, code=2).stdout == ""


def test_a_puzzle_that_is_not_proper_has_a_note_in_each_format(tmp_path):
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n{'.' * 81}\n")
    note = "note: in.txt:2: several solutions; unidoku diagnose shows why\n"
    for to in ("html", "text"):
        assert run("print", "in.txt", "--to", to, cwd=tmp_path, code=0).stderr == note
    assert "several solutions" in run("print", "." * 81, "--to", "svg", code=0).stderr


@pytest.mark.parametrize("words", ["print --solutions", "explain", "trace", "solve", "hint", "print"])
def test_pages_and_pictures_are_no_input(tmp_path, words):
    """Of their boards some are answers, of which none is a record; a page is no puzzle as a text."""
    suffix = "svg" if words in {"solve", "print"} else "html"
    run(*words.split(), UNIQUE, "-o", tmp_path / f"x.{suffix}", code=0)
    assert SOLUTION not in run("convert", f"x.{suffix}", cwd=tmp_path, code=1).stdout
    with pytest.raises(unidoku.InvalidPuzzleError):
        unidoku.Grid((tmp_path / f"x.{suffix}").read_text(encoding="utf-8")[:65_000])


def test_the_words_of_difficulty_are_one(tmp_path):
    """A page, a rating in words and conditions have the same puzzles for beginners."""
    made = tmp_path / "made.csv"
    run("generate", "-n", "8", "--seed", "1", "--difficulty", "beginner=1,easy=1", "-o", made, code=0)
    heads = [caption.split(" ")[0] for caption in captions_of(made)]
    assert {*heads} == {"beginner", "easy"}
    puzzles = next(iter(unidoku.read(made))).cells
    wanted = ("--where", "difficulty=beginner")
    chosen = run("rate", made, *wanted, "--columns", "puzzle", "--to", "csv", code=0)
    lines = unidoku.lines(puzzles)
    expected = [line for line, head in zip(lines, heads, strict=True) if head == "beginner"]
    assert chosen.stdout.split()[1:] == expected
    assert len(captions_of(made, *wanted)) == len(expected)


def test_a_booklet_of_which_only_the_number_is_asked_for_climbs_evenly():
    """As they come, most puzzles are easy; puzzles of the same rating are in order of effort."""
    words = ["easy", "medium", "hard", "expert"]
    page = run("print", "--generate", "16", "--seed", "5", code=0).stdout
    shown = [caption.split()[1].replace("beginner", "easy") for caption in captions(page)]
    assert shown == [word for word in words for _ in range(4)]
    paths = [rate(puzzle) for puzzle in drawn_puzzles(page)]
    pairs = [(rating.er, rating.effort) for rating in paths]
    assert pairs == sorted(pairs)
    assert len({er for er, _ in pairs}) < len(pairs)
    page = run("print", "--generate", "4", "--where", "er=7.1-7.2", "--seed", "5", code=0).stdout
    assert all(7.1 <= er <= 7.2 for er in ratings(page))
