"""The choice of the instruction set of the kernel."""

import os
import subprocess
import sys

import pytest
from cases import in_turn
from forms import force

from unidoku import kernel
from unidoku._native import cpu
from unidoku._threads import default_threads
from unidoku.errors import IsaError


def isa_with(value):
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from unidoku import kernel; kernel.lanes();"
            "print(kernel.isa(), *(x for x in kernel.NAMES if f'unidoku._native.lanes.{x}' in sys.modules))",
        ],
        env={**os.environ, "UNIDOKU_ISA": value},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_usable_forms_are_compiled():
    assert kernel.usable()[-1] == "base"
    assert set(kernel.usable()) <= set(kernel.compiled_sets()) <= set(kernel.NAMES)


@in_turn
@pytest.mark.parametrize("name", ["", *kernel.usable()])
def test_the_best_usable_form_is_taken_or_another_is_forced(name):
    assert isa_with(name).stdout.split() == [name or kernel.usable()[0]] * 2


@pytest.mark.parametrize("isa", kernel.usable())
def test_single_calls_use_the_instruction_set_that_is_set(monkeypatch, isa):
    force(monkeypatch, isa)
    module = kernel.isa_module(isa)
    assert kernel.lanes() is module
    assert kernel.quick_check is module.quick_check
    assert kernel.quick_count is module.quick_count
    assert kernel.quick_solve is module.quick_solve


def test_an_unknown_name_fails_loudly():
    process = isa_with("sse9")
    assert process.returncode != 0
    assert "IsaError: the instruction set 'sse9' cannot be used here; choose from: " in process.stderr


def test_a_form_that_cannot_run_or_is_missing_raises(monkeypatch):
    monkeypatch.setattr(cpu, "usable", lambda: ("base",))
    assert kernel.usable() == ("base",)
    for name in ("avx2", "avx512"):
        with pytest.raises(IsaError, match=r"cannot be used here; choose from: base$"):
            kernel.isa_module(name)


def test_the_default_threads_are_the_processors_of_the_process():
    assert 1 <= default_threads() <= (os.cpu_count() or 1)
    if hasattr(os, "sched_getaffinity") and not os.environ.get("PYTHON_CPU_COUNT"):
        assert default_threads() == len(os.sched_getaffinity(0))
