"""Errors of command lines that strangers type: each says where it is, what is wrong, and what to type."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from command import run
from example_puzzles import UNIQUE

CLASH = "55" + "." * 79


def error_of(*arguments, code=2, stdin=""):
    """Return the only line of an error."""
    (line,) = run(*arguments, code=code, stdin=stdin).stderr.splitlines()
    return line.removeprefix("error: ")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (
            ["solve", UNIQUE, "--format", "json"],
            "unidoku solve: unknown option --format; type --to FORMAT, or --json for JSON",
        ),
        (["solve", UNIQUE, "--csv"], "unidoku solve: unknown option --csv; type --to csv"),
        (["rate", UNIQUE, "--workers", "2"], "unidoku rate: unknown option --workers; type --threads N"),
        (
            ["solve", UNIQUE, "--colour"],
            "unidoku solve: unknown option --colour; type NO_COLOR=1 before unidoku: no colours",
        ),
        (
            ["solve", UNIQUE, "--outptu", "x"],
            "unidoku solve: unknown option --outptu; did you mean --output?",
        ),
        (
            ["check", UNIQUE, "--zzz"],
            "unidoku check: unknown option --zzz; unidoku check --help lists all options",
        ),
        (["solve", "-i", "x.txt"], "unidoku solve: unknown option -i; type unidoku solve FILE"),
        (["generate", "--rating", "3"], "unidoku generate: unknown option --rating; type --where er=3.0-4.0"),
        (
            ["generate", "--max-clues", "25"],
            "unidoku generate: unknown option --max-clues; type --clues 24-26",
        ),
        (
            ["check", "--max-clues", "25"],
            "unidoku check: unknown option --max-clues; type --where clues=24-26",
        ),
        (
            ["rate", "x.txt", "--sort"],
            "unidoku rate: unknown option --sort; type unidoku rate FILE --columns er,puzzle | sort -n",
        ),
        (["print", "x.txt", "--sort"], "unidoku print: unknown option --sort; type --order er"),
        (
            ["canonical", "x.txt", "--unique"],
            "unidoku canonical: unknown option --unique; "
            "type unidoku check FILE --only unique, or unidoku convert FILE --unique",
        ),
        (
            ["verify", "--puzzle", UNIQUE],
            "unidoku verify: unknown option --puzzle; type unidoku verify PUZZLE",
        ),
        (["verify", "--answers", "a"], "unidoku verify: unknown option --answers; type --prediction COLUMN"),
        (
            ["dedupe", "x.txt"],
            "unknown command 'dedupe'; did you mean convert --unique? unidoku help lists all commands",
        ),
        (["--solve", UNIQUE], "unidoku: unknown option --solve; did you mean solve?"),
        (["generate", "--hard"], "unidoku generate: unknown option --hard; type --difficulty hard"),
        (["print", UNIQUE, "--png"], "unidoku print: unknown option --png; type -o board.png"),
        (["solve", "-V"], "unidoku solve: unknown option -V; type unidoku --version"),
        (["completion"], "unknown command 'completion'; see docs/install.md"),
        (["server"], "unknown command 'server'; see docs/python.md"),
        (["list-techniques"], "unknown command 'list-techniques'; see docs/rating.md"),
        (
            ["play"],
            "unknown command 'play'; did you mean explain --open or console? unidoku help lists all commands",
        ),
        (
            ["generate", "--pdf"],
            "unidoku generate: unknown option --pdf; type unidoku print PUZZLE -o board.pdf",
        ),
        (
            ["rate", UNIQUE, "--svg"],
            "unidoku rate: unknown option --svg; type unidoku print PUZZLE -o board.svg",
        ),
        (["hint", UNIQUE, "--pdf"], "unidoku hint: unknown option --pdf; type -o board.pdf"),
        (
            ["generate", "--to", "html"],
            "only print, explain, trace, diagnose write .html; after another command, "
            "type | unidoku print -o board.html",
        ),
        (["book"], "unknown command 'book'; did you mean print? unidoku help lists all commands"),
        (["generate", "hard"], "unidoku generate takes no inputs, found hard; type --difficulty hard"),
        (
            ["solve", "--pretty", UNIQUE],
            "unidoku solve: unknown option --pretty; type unidoku print PUZZLE, "
            "or unidoku solve PUZZLE | unidoku print --to text",
        ),
        (["hint", "--level", "2", UNIQUE], "unidoku hint: unknown option --level; type --degree N"),
        (["solve", "--all", "--limit", "5", UNIQUE], "unidoku solve: unknown option --limit; type --count N"),
        (
            ["verify", "--puzzle-field", "p", "f"],
            "unidoku verify: unknown option --puzzle-field; type --column COLUMN",
        ),
        (
            ["check", "--solution-col", "s", "f"],
            "unidoku check: unknown option --solution-col; type unidoku verify FILE --prediction COLUMN",
        ),
        (
            ["split", "--train", "0.8", "f"],
            "unidoku split: unknown option --train; type --fractions 0.8,0.2 -o train.txt -o test.txt",
        ),
        (
            ["check", "--time-out", "3", "f"],
            "unidoku check: unknown option --time-out; did you mean --timeout?",
        ),
        (
            ["solve", "--show-steps", UNIQUE],
            "unidoku solve: unknown option --show-steps; type unidoku explain PUZZLE",
        ),
        (["check", "--unique", UNIQUE], "unidoku check: unknown option --unique; type --only unique"),
        (["unique", UNIQUE], "unknown command 'unique'; did you mean check? unidoku help lists all commands"),
        (
            ["rate", UNIQUE, "--threads", "5000"],
            "--threads: 5000 is not in the range 1–4096; see unidoku rate --help",
        ),
        (
            ["rate", UNIQUE, "--timeout", "0"],
            "--timeout: 0.0 is not in the range > 0; see unidoku rate --help",
        ),
        (["rate", UNIQUE, "--lang", "fr"], "--lang: 'fr' is not one of 'en', 'zh'; see unidoku rate --help"),
        (
            ["generate", "--clues", "30-25"],
            "clues: the range 30 to 25 ends before it begins; write the lower number first",
        ),
        (["generate", "-n"], "Option '-n' requires an argument; see unidoku generate --help"),
        (
            ["hint", UNIQUE, "--technique", "foo"],
            "--technique: unknown 'foo'; see docs/rating.md for the list",
        ),
    ],
)
def test_a_wrong_word_leads_to_what_to_type(arguments, error):
    assert error_of(*arguments) == error


def test_the_version_has_a_short_option():
    assert run("-V", code=0).stdout == run("--version", code=0).stdout


def test_a_table_without_puzzles_names_its_own_columns(tmp_path):
    path = tmp_path / "nopuz.csv"
    path.write_text("id,name,level\n1,a,easy\n2,b,hard\n")
    found = error_of("check", path)
    assert found.endswith(
        "no puzzle in the columns 'id', 'name', 'level'; choose one with --column NAME (or column)"
    )


def zipped():
    """Return the bytes of a zip archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("puzzles.txt", f"{UNIQUE}\n" * 50)
    return archive.getvalue()


@pytest.mark.parametrize("name", ["bad.zip", "bad.xlsx"])
@pytest.mark.parametrize("content", [bytes(range(128, 256)) * 3, zipped()[:120]])
def test_a_damaged_archive_or_spreadsheet_says_so(name, content, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    found = error_of("check", path)
    assert "damaged" in found
    assert "copy or save it again" in found


def test_a_count_of_none_says_why():
    result = run("count", CLASH, code=0)
    assert result.stdout == "0\n"
    assert "both hold 5 in row 1" in result.stderr
    assert run("count", CLASH, "-q", code=0).stderr == ""


def test_the_summary_is_written_after_every_end_of_a_run(tmp_path):
    result = run("check", str(tmp_path / "none.txt"), "--json", code=2)
    summary = json.loads(result.stdout)["summary"]
    assert (summary["puzzles"], summary["complete"]) == (0, False)
