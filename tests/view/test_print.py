"""The command `print`: a folder with a file of each puzzle, one ink, small paper, large print, chapters."""

from __future__ import annotations

import re
import zlib

import pytest
from command import run
from example_puzzles import CHAINS, UNIQUE

from unidoku.view._ink import one_ink
from unidoku.view._svg import COLORS, LINES, ROLES, sign_of_color, sign_of_link, sign_of_removed, sign_of_role


@pytest.fixture
def folder(tmp_path):
    rows = [f"a/1,{UNIQUE},Sunday", f",{UNIQUE},Sunday", f"A-1,{UNIQUE},"]
    (tmp_path / "puzzles.csv").write_text("\n".join(["id,puzzle,title", *rows]))
    (tmp_path / "lines.txt").write_text(f"{UNIQUE}\n" * 3)
    return tmp_path


def content_of(pdf):
    """Return the decompressed streams of a PDF."""
    content = b""
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        try:
            content += zlib.decompress(stream)
        except zlib.error:
            continue
    return content


def test_a_folder_gets_a_picture_of_each_puzzle_named_by_id_or_number(folder):
    run("print", "puzzles.csv", "-o", "out/", cwd=folder, code=0)
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["0002.svg", "A-1-2.svg", "a-1.svg"]
    run("print", "lines.txt", "-o", "plain/", "--black", cwd=folder, code=0)
    assert sorted(path.name for path in (folder / "plain").iterdir()) == ["0001.svg", "0002.svg", "0003.svg"]
    text = (folder / "plain" / "0001.svg").read_text()
    assert text.startswith("<svg ")
    assert "prefers-color-scheme" not in text
    assert "prefers-color-scheme" in (folder / "out" / "0002.svg").read_text()
    run("print", "lines.txt", "-o", "sheets/", "--to", "html", "--black", cwd=folder, code=0)  # as always
    assert sorted(path.name for path in (folder / "sheets").iterdir()) == [
        "0001.html",
        "0002.html",
        "0003.html",
    ]
    run("print", "lines.txt", "-o", "words/", "--to", "text", cwd=folder, code=2)


def test_a_single_picture_is_black_too(folder):
    text = run("print", UNIQUE, "--to", "svg", "--black", code=0).stdout
    assert "prefers-color-scheme" not in text


def test_pdfs_are_of_one_ink(folder):
    pytest.importorskip("typst")
    run("print", "lines.txt", "-o", "out/", "--to", "pdf", "--solutions", "--candidates", cwd=folder, code=0)
    content = content_of((folder / "out" / "0001.pdf").read_bytes())
    inks = set(re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) [kK]\b", content))
    assert len(inks) > 2
    assert {ink[:3] for ink in inks} == {(b"0", b"0", b"0")}
    assert not re.search(rb"[\d.] (rg|RG|scn|SCN|g|G)\n", content)


X_WING = "1.....569492.561.8.561.924...964.8.1.64.1....218.356.4.4.5...169.5.614.2621.....5"
SHEETS = [
    ["print", UNIQUE, "--blank"],
    ["print", UNIQUE, "--worked", "end"],
    ["hint", X_WING, "--black"],
    ["hint", "lines.txt", "--technique", "hidden single", "--black"],
    ["explain", X_WING, "--black"],
    ["explain", CHAINS, "--black"],
    ["explain", UNIQUE, "--step", "2", "--black"],
    ["explain", UNIQUE, "--method", "book", "--black"],
    ["trace", UNIQUE, "--black"],
]


@pytest.mark.parametrize("command", SHEETS[::2], ids=" ".join)
def test_forms_and_black_steps_are_of_one_ink(folder, command):
    pytest.importorskip("typst")
    run(*command, "-o", "sheet.pdf", cwd=folder, code=0)
    content = content_of((folder / "sheet.pdf").read_bytes())
    assert b"0 0 0 1 k" in content
    assert {*re.findall(rb"([\d.]+ [\d.]+ [\d.]+) [\d.]+ [kK]\b", content)} == {b"0 0 0"}
    assert not re.search(rb"[\d.] (rg|RG|scn|SCN|g|G)\n", content)


@pytest.mark.parametrize("command", [each for each in SHEETS if each[-1] == "--black"], ids=" ".join)
def test_black_pages_have_only_grays(folder, command):
    run(*command, "-o", "page.html", cwd=folder, code=0)
    page = (folder / "page.html").read_text()
    colors = {*re.findall(r"#([0-9a-f]{6}|[0-9a-f]{3})\b(?=[;}\"])", page)}
    assert colors
    assert {len({*color}) for color in colors} == {1}
    assert "prefers-color-scheme" not in page


def test_every_sign_is_drawn_in_one_ink():
    colors = [sign_of_color(color, black=True) for color in COLORS]
    roles = [sign_of_role(role, black=True) for role in ROLES]
    links = [sign_of_link(dashed=dashed, head=head, black=True) for dashed, head in LINES]
    for sign in (*colors, *roles, *links, sign_of_removed(black=True)):
        drawing = one_ink(sign)
        assert drawing["parts"]
        for part in drawing["parts"]:
            curves = (
                [points for kind, points in part["items"] if kind != "close"] if "size" not in part else []
            )
            for x, y in (point for points in curves for point in points):
                assert -1 <= x <= drawing["width"] + 1
                assert -1 <= y <= drawing["height"] + 1
    assert {part["fill"] for sign in roles for part in one_ink(sign)["parts"]} == {0}
    assert {part.get("fill", 100) for sign in links for part in one_ink(sign)["parts"]} == {100}
    (extra,) = one_ink(sign_of_role("extra", black=True))["parts"]
    corners = [points[0] for _, points in extra["items"][:4]]
    assert [(round(x, 1), round(y, 1)) for x, y in corners] == [(8, 1.7), (14.3, 8), (8, 14.3), (1.7, 8)]


def test_black_links_and_shapes_can_be_seen(folder):
    run("hint", X_WING, "--black", "-o", "hint.svg", cwd=folder, code=0)
    picture = (folder / "hint.svg").read_text()
    assert "prefers-color-scheme" not in picture
    assert 'rect[data-color="blue"]{fill:#ccc}' in picture
    assert "g.link[data-color]{fill:#000;stroke:#000}" in picture
    assert "g.role[data-color]{fill:#fff}" in picture
    assert ".mark{fill:#666}" in picture
    assert ".mark{fill:#666}" not in run("print", X_WING, "--to", "svg", "--black", code=0).stdout


@pytest.mark.parametrize("options", [["--to", "csv"], ["--rejects", "r.csv"]])
def test_a_picture_beside_rows_is_refused(folder, options):
    error = run("hint", UNIQUE, "-o", "hint.svg", *options, cwd=folder, code=2).stderr
    assert "hint.svg is a picture and has no rows" in error


@pytest.mark.parametrize("options", [["--show", "grids"], ["--show", "numbering"]])
def test_grids_in_a_short_report_are_refused(folder, options):
    error = run("explain", UNIQUE, "--method", "book", "--short", *options, cwd=folder, code=None).stderr
    assert ("--short prints no grids" in error) == (options[1] == "grids")


@pytest.mark.parametrize("options", [[], ["--json"], ["--to", "csv"]])
def test_black_without_a_picture_is_refused(folder, options):
    error = run("hint", UNIQUE, "--black", *options, cwd=folder, code=2).stderr
    assert error == "error: --black works only for pictures and pages; add -o hint.svg, .png, .html or .pdf\n"


@pytest.mark.parametrize("paper", ["4x6in", "3x3in", "5x8in"])
def test_paper_that_holds_one_board_is_used(folder, paper):
    run(
        "print",
        "lines.txt",
        "-o",
        "a.html",
        "--paper",
        paper,
        "--per-page",
        1,
        "--solutions",
        cwd=folder,
        code=0,
    )
    assert (folder / "a.html").read_text().count("<figure") == 6


def test_captions_of_large_print_are_large(folder):
    run("print", "lines.txt", "-o", "large.html", "--per-page", 1, cwd=folder, code=0)
    run("print", "lines.txt", "-o", "small.html", cwd=folder, code=0)
    size = re.compile(r"figcaption small \{[^}]*font-size: (\d+)pt")
    assert int(size.search((folder / "large.html").read_text())[1]) >= 11
    assert int(size.search((folder / "small.html").read_text())[1]) == 9
