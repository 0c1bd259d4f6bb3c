"""Errors and ends of the worker threads."""

import _thread
import multiprocessing
import os
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor

import living
import pytest
from example_puzzles import SOLUTION, UNIQUE

import unidoku
from unidoku._threads import TICK, Cancel, map_batches, map_parts


def run(items, work, threads=2, **options):
    """The results of work with one result for each item."""
    cancel = options.pop("cancel", Cancel())
    return map_batches(iter(items), lambda item, stop: [work(item)], threads, cancel=cancel, **options)


@pytest.mark.parametrize("available", [0, 1])
def test_threads_that_cannot_be_started(monkeypatch, available):
    """The threads that start do all the work; without any thread, a clear error."""
    started = []
    start = _thread.start_new_thread

    def fails(*thread):
        if len(started) >= available:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        return start(*thread)

    monkeypatch.setattr(_thread, "start_new_thread", fails)
    results = run(range(20), lambda item: item, 4)
    if available:
        assert list(results) == list(range(20))
    else:
        with pytest.raises(MemoryError, match="no thread can be started"):
            list(results)


def test_threads_work_in_parallel_and_end():
    before = living.threads()
    barrier = threading.Barrier(3, timeout=300)
    assert list(run(range(3), lambda item: barrier.wait() >= 0, 3)) == [True] * 3
    assert living.ends(before)


def test_an_error_of_the_items_comes_after_the_results_before_it():
    def items():
        yield 1
        yield 2
        raise LookupError("no more")

    results = run(items(), lambda item: item)
    assert [next(results), next(results)] == [1, 2]
    with pytest.raises(LookupError, match="no more"):
        next(results)


def test_an_error_of_the_work_is_raised_in_its_place():
    results = run([5, 2, 0, 1], lambda item: 10 // item)
    assert [next(results), next(results)] == [2, 5]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_leaving_early_stops_the_work_and_not_the_caller():
    before = living.threads()
    cancel, flags = Cancel(), set()

    def work(item, stop):
        flags.add(stop)
        return [item]

    results = map_batches(iter(range(1000)), work, 2, cancel=cancel)
    assert next(results) == 0
    results.close()
    assert all(flags)
    assert not cancel
    assert living.ends(before)


def test_a_worker_with_more_results_ends_with_its_caller():
    before = living.threads()
    results = map_batches(iter([1]), lambda item, stop: range(1000), 2, cancel=Cancel())
    assert next(results) == 0
    results.close()
    assert living.ends(before)


INTERRUPTED = """
import faulthandler, random, signal, sys, time
import living, unidoku
from unidoku._threads import TICK, Cancel, map_batches

def run():
    assert unidoku.check_file(sys.argv[2], threads=2).unique == 400

def batches():
    for _ in range(5):
        results = map_batches(iter(range(20)), lambda item, stop: [item] * 5, 2, cancel=Cancel())
        assert [*results] == sorted([*range(20)] * 5)

random.seed(1)
signal.signal(signal.SIGALRM, signal.default_int_handler)
for call in (run, batches):
    call()  # imports
    begin = time.perf_counter()
    call()
    seconds, before = 2 * (time.perf_counter() - begin), living.threads()
    for _ in range(int(sys.argv[1])):
        faulthandler.dump_traceback_later(120, exit=True)
        try:
            signal.setitimer(signal.ITIMER_REAL, 1e-6 + random.random() * seconds)
            call()
            while True:  # the signal comes yet; Python 3.11 may look for one only as it takes the GIL
                time.sleep(0)
        except KeyboardInterrupt:
            pass
    assert living.ends(before)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_ctrl_c_at_random_moments(tmp_path):
    """It ends a run and the workers, never hangs, and is never another error (docs/decisions.md)."""
    (tmp_path / "in.txt").write_text(f"{UNIQUE}\n" * 400)
    path = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, "-c", INTERRUPTED, "40", str(tmp_path / "in.txt")]
    result = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.slow
def test_a_cancel_loses_no_result_of_a_slow_caller():
    """Also those that the workers have in hand when the caller takes none for a while."""
    cancel, results = Cancel(), []
    for result in map_batches(iter(range(2)), lambda item, stop: range(10), 2, cancel=cancel):
        results.append(result)
        cancel.set()
        time.sleep(2 * TICK)
    assert results == [*range(10)] * 2


def test_the_objects_of_a_worker_are_deleted_before_its_end():
    """Libraries of C++ end the process if their objects are destroyed while it ends."""
    deletions = []

    class Resource:
        def __del__(self):
            time.sleep(0.05)
            deletions.append(self)

    def work(item, stop):
        resource = Resource()
        yield resource is None

    assert list(map_batches(iter([1]), work, 2, cancel=Cancel())) == [False]
    assert len(deletions) == 1


@pytest.mark.parametrize("method", sorted({"fork", "spawn"} & {*multiprocessing.get_all_start_methods()}))
def test_other_processes_work_while_threads_do(method):
    """Other processes give the same results and errors as this process."""
    puzzles = [UNIQUE, SOLUTION, "." * 81]
    cancel = Cancel()
    thread = threading.Thread(
        target=unidoku.check_many, args=[["." * 81] * 1000], kwargs={"limit": None, "cancel": cancel}
    )
    thread.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of a fork with threads
            with ProcessPoolExecutor(1, multiprocessing.get_context(method)) as pool:
                answer = pool.submit(unidoku.examine, UNIQUE)
                rows = pool.submit(unidoku.check_many, puzzles, threads=2)
                steps = pool.submit(unidoku.steps, UNIQUE)
                failure = pool.submit(unidoku.check, "no puzzle")
                assert answer.result(timeout=120) == unidoku.examine(UNIQUE)
                assert [*rows.result(timeout=120)] == [*unidoku.check_many(puzzles)]
                assert steps.result(timeout=120) == unidoku.steps(UNIQUE)
                with pytest.raises(unidoku.InvalidPuzzleError, match=r"expected 81 cells, found 0"):
                    failure.result(timeout=120)
    finally:
        cancel.set()
        thread.join()


FORK_BESIDE_AN_IMPORT = """
import multiprocessing, os, signal, subprocess, sys, threading, warnings
import unidoku

warnings.simplefilter("ignore", DeprecationWarning)  # of a fork with threads
lock, imports, forks = threading.Lock(), threading.Event(), threading.Event()

def need_lock(event, arguments):
    if event == "exec" and "naive" in str(arguments):
        imports.set()
        forks.wait()
        with lock:
            pass

def take_lock():
    lock.acquire()
    forks.set()

os.register_at_fork(before=take_lock, after_in_parent=lock.release, after_in_child=lock.release)
sys.addaudithook(need_lock)
signal.alarm(60)
thread = threading.Thread(target=__import__, args=["unidoku.naive"])
thread.start()
imports.wait()
FORK
thread.join()
print("joined")
"""

FORKS = [
    "os.fork() or os._exit(0)",
    "multiprocessing.get_context('fork').Process(target=int).start()",
    "subprocess.run([sys.executable, '-c', ''], preexec_fn=int)",
]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("fork", FORKS)
def test_a_fork_does_not_wait_for_an_import(fork):
    """The thread that imports may wait for a lock that the fork holds, as of `logging`."""
    script = FORK_BESIDE_AN_IMPORT.replace("FORK", fork)
    run = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("joined\n", "")


FORK_BESIDE_CALLS = """
import os, signal, threading, warnings
import unidoku

warnings.simplefilter("ignore", DeprecationWarning)  # of a fork with threads
CALL
may_end = threading.Event()

def call_again():
    while not may_end.is_set():
        CALL

threads = [threading.Thread(target=call_again) for _ in range(3)]
for thread in threads:
    thread.start()
for _ in range(10):
    if (child := os.fork()) == 0:
        signal.alarm(60)
        CALL
        os._exit(0)
    print(os.waitpid(child, 0)[1], end=" ")
may_end.set()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_beside_calls_hangs_no_child():
    """The parent has called the functions before it starts threads, as docs/python.md says."""
    calls = f"unidoku.generate(1, seed=1), str(unidoku.steps({UNIQUE!r}, timeout=100))"
    script = FORK_BESIDE_CALLS.replace("CALL", calls)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["0"] * 10, run.stderr


def test_no_part_begins_after_a_cancel():
    """Also none of those that wait in the queue of the workers."""
    cancel, begun = Cancel(), []

    def work(part: int, stop: Cancel) -> None:
        begun.append(part)
        cancel.set()
        while not stop:
            time.sleep(0.001)

    assert len(map_parts(work, range(100), 2, cancel)) == len(begun) <= 2
