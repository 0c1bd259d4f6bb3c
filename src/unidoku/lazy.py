"""Public names of a package that are imported on first use, so that ``import unidoku`` costs next to nothing.

The imports for type checkers in its ``__init__.py`` are the only list of them.  As threads import at any
time, a fork waits for their imports: a child would wait for ever for what a thread of its parent imports.
"""

from __future__ import annotations

import _imp
import _thread
import os
import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


def lazy(
    package: str, *more: str, shown: tuple[str, ...] = ()
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of the package that calls it.

    Its compiled code has the names of its imports in the order of the text, each module before what is
    imported from it, though ``if TYPE_CHECKING:`` does not run them; this function is imported after them.
    `more` are in the package itself.  `shown` are the modules that ``dir`` lists.
    """
    homes, home = dict[str, str](), ""
    for name in sys._getframe(1).f_code.co_names:
        if name == __name__:
            break
        if name.partition(".")[0] == "unidoku":
            home = name
        elif home:
            homes[name] = home

    def get(name: str) -> object:
        from importlib import import_module  # not at the top: ``import unidoku`` costs next to nothing

        if name not in homes:
            caller = sys._getframe(1).f_code.co_name
            raise _error_of(package, name, every, is_import=caller == "_handle_fromlist")
        if homes[name] == package:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    every = [*more, *(name for name, home in homes.items() if home != package)]
    return every, get, lambda: sorted([*every, *shown])


def _error_of(package: str, name: str, names: list[str], *, is_import: bool) -> Exception:
    """Return the error about a name that a package does not have: what to type instead.

    An import requests the name first, and then a module of this name. If there is none, the error is the
    usual error of an import. `name` is set, so that Python adds no suggestion of its own.
    """
    if name.startswith("_"):
        return AttributeError(f"module {package!r} has no attribute {name!r}")
    from importlib.machinery import PathFinder  # not at the top: ``import unidoku`` costs next to nothing

    from unidoku.guesses import instead_of

    text = f"{package} has no {name!r}{instead_of(name, package, names)}"
    if is_import and not PathFinder.find_spec(f"{package}.{name}", sys.modules[package].__path__):
        return ImportError(text, name=package)
    return AttributeError(text, name=name)


class CalledModule(ModuleType):
    """The class of a module that people call: the error says what to type instead."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        """Refuse the call."""
        from unidoku.guesses import is_module  # not at the top: it is needed seldom

        raise is_module(self.__name__)

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        """Pickle the name: programs that pickle modules know them by their usual class."""
        from importlib import import_module

        return import_module, (self.__name__,)


_IMPORTED = frozenset(
    "backports click dask distributed fsspec isal jinja2 numpy pyarrow rich typst unidoku".split()
) | {*sys.stdlib_module_names}
"""The packages that unidoku imports; one of a user may wait for the thread that forks."""


def _wait_for_imports() -> None:
    """Wait until no other thread imports one of these packages."""
    importlib, waited = sys.modules["_frozen_importlib"], set[str]()
    while names := _names_of_imports(importlib) - waited:
        waited |= names
        for name in names:
            if name.partition(".")[0] in _IMPORTED:
                importlib._lock_unlock_module(name)


def _names_of_imports(importlib: Any) -> set[str]:
    """Return the modules that are imported; under the lock with which a thread begins an import."""
    _imp.acquire_lock()
    names = {*importlib._module_locks}
    _imp.release_lock()
    return names


def _forget_imports() -> None:
    """Forget, in a child, the imports that threads of its parent began after the wait: they never end."""
    locks, modules = sys.modules["_frozen_importlib"]._module_locks, sys.modules
    own = _thread.get_ident()
    for name, lock in [(name, reference()) for name, reference in locks.items()]:
        if name.partition(".")[0] not in _IMPORTED or (lock is not None and lock.owner == own):
            continue
        del locks[name]
        if getattr(getattr(modules.get(name), "__spec__", None), "_initializing", False):
            del modules[name]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_wait_for_imports, after_in_child=_forget_imports)
