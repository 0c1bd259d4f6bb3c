"""Ctrl-C and `Cancel` during every public function and every command."""

import gc
import inspect
import os
import signal
import subprocess
import sys

import interrupts
import living
import pytest
from cases import in_turn

import unidoku

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")

RESULTS = {
    "signal": {"KeyboardInterrupt()", "SystemExit(130)"},
    "cancel": {"returned", "SearchStoppedError"},
}
NAMES = {
    "signal": [*interrupts.CALLS, *interrupts.COMMANDS],
    "cancel": [name for name in interrupts.CALLS if interrupts.takes_cancel(name)],
}


@pytest.fixture(scope="module")
def outcomes():
    """How each call ends, in one process, which stops at a call that does not end."""
    process = subprocess.run(
        [sys.executable, interrupts.__file__], capture_output=True, text=True, check=False
    )
    lines = [line.split("\t") for line in process.stdout.splitlines()]
    return {(way, name): outcome for way, name, outcome in lines}


@pytest.mark.slow
@pytest.mark.parametrize("way", RESULTS)
def test_all_calls_of_the_table_end(way, outcomes):
    every = {name: outcomes.get((way, name), "still at work") for name in NAMES[way]}
    assert {name: outcome for name, outcome in every.items() if outcome not in RESULTS[way]} == {}


@pytest.mark.parametrize(
    ("module", "number"), [("unidoku.tasks._check", signal.SIGINT), ("numpy", signal.SIGTERM)]
)
def test_a_signal_while_a_command_is_imported(module, number):
    options = ["--where", "clues=17-"] if module == "numpy" else []  # with which check imports the module
    code = f"""
import os, signal, sys

class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, Finder())
sys.argv = ["unidoku", "check", {interrupts.PUZZLE!r}, *{options!r}]
from unidoku.__main__ import main
main()
"""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=300)
    assert process.returncode in {128 + number, -number}
    assert b"Traceback" not in process.stderr


def test_a_second_ctrl_c_ends_at_once():
    """The worker does not look at the flag."""
    code = """
import os, signal, threading
from unidoku._cli.terminal import cancelled_by_interrupt
from unidoku._threads import map_batches

def interrupt():
    began.wait()
    os.kill(os.getpid(), signal.SIGINT)
    while not cancel:
        pass
    os.kill(os.getpid(), signal.SIGINT)

began = threading.Event()
threading.Thread(target=interrupt).start()
with cancelled_by_interrupt() as cancel:
    list(map_batches(iter([1]), lambda *_: [began.set(), threading.Event().wait()], 2, cancel=cancel))
"""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=300)
    assert b"KeyboardInterrupt" in process.stderr


def interrupted(call, place):
    """Make a call with Ctrl-C at its n-th place; return whether it has so many places.

    Places are the begin of each function of Python, and the end of each native function that it calls.
    """
    places = 0

    def profile(frame, event, argument):
        nonlocal places
        begins = event == "call" and not frame.f_code.co_flags & inspect.CO_GENERATOR  # its end looks alike
        if begins or event == "c_return":
            places += 1
            if places == place:
                signal.raise_signal(signal.SIGINT)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(before)
    assert places < place, "Ctrl-C is lost"
    return False


AT_EVERY_PLACE = {
    "canonical_many": lambda: unidoku.craft.canonical_many([interrupts.PUZZLE] * 65, threads=1),
    "rate_many": lambda: unidoku.rate_many([interrupts.PUZZLE], threads=1),
    "generate": lambda: unidoku.generate(1, seed=1, threads=1),
}


@in_turn
@pytest.mark.parametrize("name", AT_EVERY_PLACE)
def test_ctrl_c_at_every_place(name):
    """Ctrl-C is never lost, never another error, and leaves no worker behind."""
    call = AT_EVERY_PLACE[name]
    call()  # imports its modules
    gc.collect()
    before = living.threads()
    assert any(not interrupted(call, place) for place in range(1, 10_000))
    assert living.ends(before)
