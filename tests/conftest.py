"""Fixtures and marks for all tests."""

from __future__ import annotations

import contextlib
import gc
import gzip
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from example_puzzles import sample
from living import processes, soon

ROOT = Path(__file__).resolve().parents[1]


def pytest_configure(config: pytest.Config) -> None:
    """Handle signals as on a terminal, where a shell in the background ignores some; print English words."""
    if config.getoption("dist", "no") == "no":  # not where xdist only gives tests to others
        from fuzzing import load_profile

        load_profile()
    os.environ["LC_ALL"] = "C.UTF-8"
    for name, handler in {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL}.items():
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Collect no garbage meanwhile: there is next to none, and it would take a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that read the real puzzle files, so that `-m real_files` selects them."""
    for item in items:
        if {"shared_data", "puzzles17", "top1465"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("real_files")


def pytest_collection_finish() -> None:
    """Let garbage collections pass over the modules and the tests, which stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def _leaves_nothing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fail the module whose tests leave a thread, a process or an open file, so that no later test does.

    What is dropped without a close is a warning of the collection here, and so an error of the module.
    """
    threads, others = {*_threads()}, processes(os.getpid())
    yield
    gc.collect()
    left = soon(lambda: {name for ident, name in _threads().items() if ident not in threads})
    assert not left, f"threads are left: {left}"
    running = soon(lambda: {name for number, name in processes(os.getpid()).items() if number not in others})
    assert not running, f"processes are left: {running}"
    opened = _files(str(tmp_path_factory.getbasetemp()))
    assert not opened, f"files are open: {opened}"
    gc.freeze()  # what is left stays, so the collections of later modules pass over it


# The clock serves all calls; Dask leaves its loop where no client could start, and its pools.
_POOLS = ("Dask-", "fsspecIO", "asyncio_")  # of Dask, and of the loop in which fsspec reads stores
_ENDLESS = ("unidoku._threads._run", "distributed.utils.run_loop")


def _threads() -> dict[int, str]:
    """Return the threads of Python by their numbers, with the functions that they run; some never end."""
    names = {}
    for ident, frame in sys._current_frames().items():
        callers = [frame]
        while frame := frame.f_back:
            callers.append(frame)
        names[ident] = " < ".join(f"{one.f_globals.get('__name__')}.{one.f_code.co_name}" for one in callers)
    of_dask = {thread.ident for thread in threading.enumerate() if thread.name.startswith(_POOLS)}
    return {
        ident: name
        for ident, name in names.items()
        if ident not in of_dask and not any(one in name for one in _ENDLESS)
    }


def _files(folder: str) -> list[str]:
    """Return the open files in a folder, as Linux tells."""
    names = []
    for link in Path("/proc/self/fd").glob("*"):
        with contextlib.suppress(OSError):  # the descriptor of the listing itself
            names.append(str(link.readlink()))
    return [name for name in names if name.startswith(folder)]


def _folder() -> Path | None:
    """The folder of real puzzle files beside the repository, if it is there."""
    # a worktree stands one level deeper
    places = [parent / "shared" / "data" for parent in (ROOT.parent, ROOT.parent.parent)]
    if "UNIDOKU_TEST_DATA" in os.environ:
        places = [Path(os.environ["UNIDOKU_TEST_DATA"])]
    return next((place for place in places if place.is_dir()), None)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real puzzle files; only facts about these files are skipped without it."""
    folder = _folder()
    if folder is None:
        pytest.skip(f"no puzzle files beside the repository (looked for {ROOT.parent / 'shared' / 'data'})")
    return folder


@pytest.fixture(scope="session")
def puzzles17() -> list[str]:
    """The 49,158 known 17-clue puzzles; without the real files, 1,200 of the sample with few clues."""
    folder = _folder()
    if folder is None:
        return _sample()[:1200]
    return _puzzle_lines(gzip.decompress((folder / "17clue.txt.gz").read_bytes()).decode())


@pytest.fixture(scope="session")
def top1465() -> list[str]:
    """The 1,465 hard puzzles of the top1465 list; without the real files, 1,465 of the sample."""
    folder = _folder()
    if folder is None:
        return _sample()[:1465]
    return _puzzle_lines((folder / "top1465.txt").read_text())


def _sample() -> list[str]:
    """The proper puzzles of the bundled sample, by number of clues."""
    return sorted((line for line, count in sample() if count == 1), key=lambda line: -line.count("."))


def _puzzle_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith("#")]
