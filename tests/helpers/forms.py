"""The kernel's instruction sets as values of a parameter; all but the best and ``base`` make slow tests."""

from __future__ import annotations

import pytest

from unidoku import kernel


def _marks(name: str) -> list[pytest.MarkDecorator]:
    if name not in kernel.usable():
        return [pytest.mark.skip(reason=f"no {name} on this machine")]
    return [] if name in (kernel.usable()[0], "base") else [pytest.mark.slow]


FORMS = [pytest.param(name, marks=_marks(name)) for name in kernel.NAMES]


def force(patch, isa):
    """Make `unidoku.kernel` use an instruction set, although it may have used another one before."""
    patch.setenv("UNIDOKU_ISA", isa)
    for name in kernel.__all__:
        patch.setattr(kernel, name, getattr(kernel.form(isa), name))
