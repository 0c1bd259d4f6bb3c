"""Public names of a package that are imported on first use, so that ``import unidoku`` costs next to nothing.

The imports for type checkers in its ``__init__.py`` are the only list of them.
"""

from __future__ import annotations

import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


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
