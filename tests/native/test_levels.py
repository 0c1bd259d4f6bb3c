"""The native step engine: the batch form, and what a session does not show."""

import array
from concurrent.futures import ThreadPoolExecutor

import pytest
from example_puzzles import QUIZ

from unidoku.native.steps import StepSearch, rate_cells

LONG = ".................1..2..3.4........5.....6.....6.78...4.....92...3......747..5...."  # without groups
FOREVER = 2**64 - 1


def outputs(count):
    """What `rate_cells` writes to, for so many puzzles."""
    narrow = ("biggest_level", "first_level", "outcomes")
    wide = ("steps", "solutions", "level_step", "first_steps", "first_level_step")
    return {name: bytearray(count) for name in narrow} | {
        name: array.array("Q", bytes(8 * count)) for name in wide
    }


def rate(puzzles, **options):
    text = "\n".join(puzzles).encode()
    rated = outputs(len(puzzles))
    starts = array.array("q", range(0, 82 * len(puzzles), 82))
    rate_cells(text, starts, **rated, **options)
    return rated


def test_buffers_must_fit():
    rated = outputs(1)
    text = QUIZ.encode()
    for starts, message in (([1], "outside the text"), ([-1], "outside the text"), ([0, 0], "same length")):
        with pytest.raises(ValueError, match=message):
            rate_cells(text, array.array("q", starts), **rated)
    with pytest.raises(ValueError, match="same length"):
        rate_cells(text, array.array("q", [0]), **{**rated, "outcomes": bytearray(2)})
    rate_cells(b"", array.array("q"), **outputs(0))


def test_two_threads_share_the_work(puzzles17):
    puzzles = puzzles17[:2000]
    text = "\n".join(puzzles).encode()
    alone = rate(puzzles)
    shared = outputs(len(puzzles))
    starts = array.array("q", range(0, 82 * len(puzzles), 82))
    views = {name: memoryview(buffer) for name, buffer in shared.items()}
    parts = [slice(k, k + 250) for k in range(0, 2000, 250)]

    def work(part):
        rate_cells(text, memoryview(starts)[part], **{name: view[part] for name, view in views.items()})

    with ThreadPoolExecutor(len(parts)) as pool:
        list(pool.map(work, parts))
    assert shared == alone


def test_two_threads_may_use_one_search():
    search = StepSearch(bytes(81))
    search.listen(True)
    kinds = []

    def work(_):
        for _ in range(200):
            search.advance(FOREVER, 1, True)
            kinds.extend(record[0] for record in search.drain())
            search.copy()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert search.units == 800
    twin = StepSearch(bytes(81))
    twin.listen(True)
    while twin.units < 800:
        twin.advance(FOREVER, 800 - twin.units, True)
    assert twin.cells() == search.cells()
    assert sorted(record[0] for record in twin.drain()) == sorted(kinds)


def test_a_search_refuses_invalid_arguments():
    with pytest.raises(ValueError, match="81"):
        StepSearch(bytes(80))
    with pytest.raises(ValueError, match="equal"):
        StepSearch(b"\x05\x05" + bytes(79))
    search = StepSearch(bytes(81))
    with pytest.raises(ValueError, match="not waiting for a guess"):
        search.answer(0, 1)
    with pytest.raises(ValueError, match="mode"):
        search.mode = 7


def test_events_come_in_portions():
    search = StepSearch(bytes(map(int, LONG.replace(".", "0"))))
    search.mode = 2
    search.listen(True)
    for _ in range(10):
        assert search.advance(FOREVER, FOREVER, True) == 1  # there are more
        assert 1000 < len(search.drain()) < 5000
