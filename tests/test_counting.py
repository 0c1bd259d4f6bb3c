"""Counting all solutions of one puzzle from Python."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import unidoku
from unidoku import SearchStoppedError
from unidoku.parallel import Cancel

EMPTY = "." * 81
GRIDS = 6_670_903_752_021_072_936_960
MANY = ".....6....59.....82....8....45........3........6..3.54...325..6.................."
# few digits are without clues, so that the sum takes some tenths of a second
LONG = "...............9...4.................6...7................8.4...................."


@pytest.mark.parametrize(
    "limit", [None, 1, 2, 127, 128, 129, 1000, 148_357_267, 148_357_268, 148_357_269, 10**22]
)
def test_limits(limit):
    assert unidoku.count(MANY, limit) == min(148_357_268, limit or 10**22)


@pytest.mark.parametrize("limit", [None, 1, 128, 10**6, 10**15, GRIDS - 1, GRIDS, GRIDS + 1])
def test_limits_of_the_empty_grid(limit):
    assert unidoku.count(EMPTY, limit) == min(GRIDS, limit or GRIDS)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, True, 10**23])
def test_wrong_limits(wrong):
    with pytest.raises(ValueError, match="limit"):
        unidoku.count(EMPTY, wrong)
    with pytest.raises(ValueError, match="threads"):
        unidoku.count(EMPTY, threads=wrong)


def test_a_long_search_without_solutions():
    # the search for the second one never ends in practice
    assert (
        unidoku.count(".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........")
        == 0
    )


def test_any_number_of_threads():
    assert {unidoku.count(LONG, threads=threads) for threads in (1, 2, 50)} == {unidoku.count(LONG)}


@pytest.mark.parametrize("threads", [1, 2])
def test_progress(threads):
    seen = []
    unidoku.count(LONG, threads=threads, progress=seen.append)
    assert seen
    assert all(0 <= part <= 1 for part in seen)
    assert seen[-1] > 0.5


@pytest.mark.parametrize("threads", [1, 2])
def test_cancel(threads):
    cancel = Cancel()
    with pytest.raises(SearchStoppedError):
        unidoku.count(LONG, threads=threads, cancel=cancel, progress=lambda _: cancel.set())
    with pytest.raises(SearchStoppedError):
        unidoku.count(LONG, threads=threads, cancel=cancel)


def test_cancel_from_another_thread():
    cancel = Cancel()
    timer = threading.Timer(0.05, cancel.set)
    timer.start()

    def count_on():
        while True:
            unidoku.count(LONG, cancel=cancel)

    with pytest.raises(SearchStoppedError):
        count_on()
    timer.join()


@pytest.mark.skipif(sys.platform == "win32", reason="no signals of this kind")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c(threads):
    code = (
        f"import unidoku\nprint('ready', flush=True)\n"
        f"try:\n while True: unidoku.count({LONG!r}, threads={threads})\n"
        "except KeyboardInterrupt: print('interrupted')"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=30)[0] == "interrupted\n"
    assert child.returncode == 0


def test_an_exception_of_the_callback_is_raised():
    def fail(_):
        raise LookupError("from the callback")

    with pytest.raises(LookupError, match="from the callback"):
        unidoku.count(LONG, progress=fail, threads=2)
