"""docs/browser.html: what a visitor sees with and without Python for WebAssembly, which is replaced here."""

import json
import re
from pathlib import Path

import pytest
from example_puzzles import UNIQUE as PUZZLE

import unidoku

PAGE = Path(__file__).resolve().parents[2] / "docs" / "browser.html"
STUB = """
export async function loadPyodide() {
  return {
    loadPackage: async () => {},
    pyimport: () => ({ install: async () => { INSTALL } }),
    runPython: (code) => (line, what, told) => `${JSON.stringify(code)}\\n${line}\\n${what}\\n${told}`,
  };
}
"""


@pytest.fixture
def visit(page):
    def open_page(stub):
        def answer(route):
            if stub is None:
                route.abort()
            else:
                headers = {"Access-Control-Allow-Origin": "*"}
                route.fulfill(body=stub, content_type="text/javascript", headers=headers)

        page.route(re.compile("^https:"), answer)
        page.goto(PAGE.as_uri())
        return page

    yield open_page
    page.unroute_all()


@pytest.mark.parametrize(
    ("stub", "reason"),
    [
        (None, "cannot run here"),
        (
            STUB.replace("INSTALL", "throw Error('Traceback\\\\nValueError: no wheel of unidoku')"),
            "no wheel of unidoku",
        ),
    ],
)
def test_a_page_without_the_wheel_says_why(visit, stub, reason):
    page = visit(stub)
    page.wait_for_selector("#status a")
    assert reason in page.inner_text("#status")
    assert page.get_attribute("#status a", "href") == "install.html"
    assert page.is_disabled("button[value=solve]")


@pytest.mark.parametrize("what", ["solve", "hint", "rate", "steps"])
def test_the_python_code_of_the_page_gives_answers(visit, what):
    page = visit(STUB.replace("INSTALL", ""))
    button = f"button[value={what}]"
    page.wait_for_selector(f"{button}:enabled")
    page.fill("#puzzle", PUZZLE)
    page.click(button)
    code, line, asked, told = page.text_content("#answer").split("\n")
    assert (line, asked, told) == (PUZZLE, what, "0")
    names = {}
    exec(json.loads(code), names)
    answer = names["answer"]
    expected = {
        "solve": f"verdict: unique\n\n{unidoku.solve(PUZZLE)}",
        "hint": unidoku.hint(PUZZLE).where,
        "rate": str(unidoku.rate(PUZZLE)),
        "steps": "\n".join(f"{k}. {step}" for k, step in enumerate(unidoku.steps(PUZZLE), 1)),
    }
    assert answer(f" {PUZZLE}\n", what) == expected[what]
    assert "81" in answer("123", what)
    none, several = answer("11" + "." * 79, what), answer("." * 81, what)
    if what == "solve":
        assert none == "verdict: none"
        assert several.startswith("verdict: multiple\nsolutions: 1000 or more\n\n")
    else:
        assert "solution" in none
        assert "solution" in several


def test_a_hint_tells_more_each_time(visit):
    page = visit(STUB.replace("INSTALL", ""))
    page.wait_for_selector("button[value=hint]:enabled")
    told, names, found = [], {}, unidoku.hint(PUZZLE)
    other = [("123", "hint"), (PUZZLE, "hint"), (PUZZLE, "rate"), (PUZZLE, "hint")]
    for line, what in [(PUZZLE, "hint")] * 5 + other:
        page.fill("#puzzle", line)
        page.click(f"button[value={what}]")
        code, *_, times = page.text_content("#answer").split("\n")
        told.append(int(times))
    assert told == [0, 1, 2, 3, 4, 0, 0, 0, 0]
    exec(json.loads(code), names)
    stages = [found.where, found.what, found.pattern, found.whole, found.whole]
    assert [names["answer"](PUZZLE, "hint", times) for times in range(5)] == stages


def test_a_full_grid_has_no_hint(visit):
    page = visit(STUB.replace("INSTALL", ""))
    page.wait_for_selector("button[value=hint]:enabled")
    page.click("button[value=hint]")
    names = {}
    exec(json.loads(page.text_content("#answer").split("\n")[0]), names)
    assert names["answer"](unidoku.solve(PUZZLE).line, "hint") == "The grid is full."
