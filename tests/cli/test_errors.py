"""Errors of command lines that strangers type: each says where it is, what is wrong, and what to type."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from cases import in_turn
from command import run
from example_puzzles import UNIQUE

CLASH = "55" + "." * 79


def error_of(*arguments, code=2, stdin=""):
    """Return the only line of an error."""
    (line,) = run(*arguments, code=code, stdin=stdin).stderr.splitlines()
    return line.removeprefix("error: ")


@in_turn
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (
            ["solve", UNIQUE, "--format", "json"],
            f"unidoku solve: unknown --format; type unidoku solve {UNIQUE} --to jsonl",
        ),
        (["solve", UNIQUE, "--csv"], f"unidoku solve: unknown --csv; type unidoku solve {UNIQUE} --to csv"),
        (
            ["rate", UNIQUE, "--workers", "2"],
            f"unidoku rate: unknown --workers; type unidoku rate {UNIQUE} --threads 2",
        ),
        (
            ["solve", UNIQUE, "--colour"],
            f"unidoku solve: unknown --colour; type unidoku solve {UNIQUE}; "
            "unidoku solve --help lists all options",
        ),
        (
            ["solve", UNIQUE, "--outptu", "x"],
            f"unidoku solve: unknown --outptu; type unidoku solve {UNIQUE} --output x",
        ),
        (
            ["check", UNIQUE, "--zzz"],
            f"unidoku check: unknown --zzz; type unidoku check {UNIQUE}; "
            "unidoku check --help lists all options",
        ),
        (["solve", "-i", "x.txt"], "unidoku solve: unknown -i; type unidoku solve x.txt"),
        (
            ["generate", "--rating", "3"],
            "unidoku generate: unknown --rating; type unidoku generate --where er=3",
        ),
        (
            ["generate", "--max-clues", "25"],
            "unidoku generate: unknown --max-clues; type unidoku generate --clues '<=25'",
        ),
        (
            ["check", "--max-clues", "25"],
            "unidoku check: unknown --max-clues; type unidoku check --where 'clues=<=25'",
        ),
        (
            ["rate", "x.txt", "--sort"],
            "unidoku rate: unknown --sort; type unidoku rate x.txt --columns er,puzzle | sort -n",
        ),
        (["print", "x.txt", "--sort"], "unidoku print: unknown --sort; type unidoku print x.txt --order er"),
        (
            ["canonical", "x.txt", "--unique"],
            "unidoku canonical: unknown --unique; type unidoku canonical x.txt | unidoku convert - --unique",
        ),
        (
            ["verify", "--puzzle", UNIQUE],
            f"unidoku verify: unknown --puzzle; type unidoku verify {UNIQUE}",
        ),
        (
            ["verify", "--answers", "a"],
            "unidoku verify: unknown --answers; type unidoku verify --prediction a",
        ),
        (
            ["dedupe", "x.txt"],
            "unknown command 'dedupe'; type unidoku convert x.txt --unique "
            "or unidoku canonical x.txt | unidoku convert - --unique",
        ),
        (["--solve", UNIQUE], f"unknown option --solve before a command; type unidoku solve {UNIQUE}"),
        (["generate", "--hard"], "unidoku generate: unknown --hard; type unidoku generate --difficulty hard"),
        (
            ["print", UNIQUE, "--png"],
            f"unidoku print: unknown --png; type unidoku print {UNIQUE} -o board.png",
        ),
        (["solve", "-V"], "unidoku solve: unknown -V; type unidoku info"),
        (["completion"], "unknown command 'completion'; see docs/install.md"),
        (["server"], "unknown command 'server'; see docs/python.md"),
        (["list-techniques"], "unknown command 'list-techniques'; see docs/rating.md"),
        (
            ["play"],
            "unknown command 'play'; type unidoku console or unidoku explain --open",
        ),
        (
            ["generate", "--pdf"],
            "unidoku generate: unknown --pdf; type unidoku print -o board.pdf",
        ),
        (
            ["rate", UNIQUE, "--svg"],
            f"unidoku rate: unknown --svg; type unidoku print {UNIQUE} -o board.svg",
        ),
        (["hint", UNIQUE, "--pdf"], f"unidoku hint: unknown --pdf; type unidoku hint {UNIQUE} -o board.pdf"),
        (
            ["generate", "--to", "html"],
            "only print, explain, hint, trace, diagnose write .html, with -o board.html; after another "
            "command, type | unidoku print -o board.html",
        ),
        (["book"], "unknown command 'book'; type unidoku print -o board.pdf"),
        (["generate", "hard"], "unidoku generate: unknown hard; type unidoku generate --difficulty hard"),
        (
            ["solve", "--pretty", UNIQUE],
            f"unidoku solve: unknown --pretty; type unidoku solve {UNIQUE} | unidoku print --to text",
        ),
        (
            ["hint", "--level", "2", UNIQUE],
            f"unidoku hint: unknown --level; type unidoku hint --degree 2 {UNIQUE}",
        ),
        (
            ["solve", "--all", "--limit", "5", UNIQUE],
            f"unidoku solve: unknown --limit; type unidoku solve --all -n 5 {UNIQUE}",
        ),
        (
            ["verify", "--puzzle-field", "p", "f"],
            "unidoku verify: unknown --puzzle-field; type unidoku verify --column p f",
        ),
        (
            ["check", "--solution-col", "s", "f"],
            "unidoku check: unknown --solution-col; type unidoku verify f --prediction s",
        ),
        (
            ["split", "--train", "0.8", "f"],
            "unidoku split: unknown --train; "
            "type unidoku split --fractions 0.8,0.2 -o train.txt -o test.txt f",
        ),
        (
            ["check", "--time-out", "3", "f"],
            "unidoku check: unknown --time-out; type unidoku check --timeout 3 f",
        ),
        (
            ["solve", "--show-steps", UNIQUE],
            f"unidoku solve: unknown --show-steps; type unidoku explain {UNIQUE}",
        ),
        (
            ["check", "--unique", UNIQUE],
            f"unidoku check: unknown --unique; type unidoku check --only unique {UNIQUE}",
        ),
        (
            ["unique", UNIQUE],
            f"unknown command 'unique'; type unidoku check {UNIQUE} --only unique "
            f"or unidoku convert {UNIQUE} --unique",
        ),
        (
            ["gen", "--level", "easy", "--format", "csv"],
            "unknown command 'gen'; type unidoku generate --difficulty easy --to csv",
        ),
        (
            ["check", "f", "--puzzle-column", "q", "--solution-column", "s", "--zzz"],
            "unidoku check: unknown --puzzle-column, --solution-column, --zzz; "
            "type unidoku verify f --column q --prediction s; unidoku check --help lists all options",
        ),
        (
            ["verify", "--puzzles", __file__, "--answers", __file__],
            "unidoku verify: unknown --puzzles, --answers; "
            f"type paste -d, {__file__} {__file__} | unidoku verify",
        ),
        (
            ["solve", "--pretty", "1" * 81],
            f"unidoku solve: unknown --pretty; type unidoku solve {'1' * 81} | unidoku print --to text",
        ),
        (
            ["explain", UNIQUE, "--format", "markdown"],
            f"unidoku explain: unknown --format; type unidoku explain {UNIQUE}; "
            "unidoku explain --help lists all options",
        ),
        (
            ["generate", "5", "--min-clues", "25", "--max-clues", "30"],
            "unidoku generate: unknown --min-clues, --max-clues, 5; type unidoku generate -n 5 --clues 25-30",
        ),
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
