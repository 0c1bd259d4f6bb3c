"""Public names of a package that are imported on first use, so that ``import unidoku`` costs next to nothing.

The ``__init__.py`` of a package has a table of them, its ``__init__.pyi`` the imports for type checkers.
"""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.machinery import ModuleSpec
    from typing import Any, NoReturn, TypeVar

    _Function = TypeVar("_Function", bound=Callable[..., Any])


def public(function: _Function) -> _Function:
    """Return a function as people call it: an error about its arguments says what to type instead.

    Type checkers and ``help`` see the function.
    """
    from functools import wraps  # not at the top: ``import unidoku`` costs next to nothing

    from unidoku.errors import InvalidPuzzleError

    def call(*values: Any, **given: Any) -> Any:
        try:
            if given:
                return function(*values, **given)
            return function(*values)
        except (InvalidPuzzleError, TypeError) as error:
            explain_error(error, function, given)
            raise

    result: _Function = wraps(function)(call)  # type: ignore[assignment]
    return result


def explain_error(error: Exception, function: object, given: Mapping[str, object]) -> None:
    """Put what to type instead into an error that ends a call of a public function with these options."""
    from unidoku._guesses import explain_call  # not at the top: it is needed seldom

    explain_call(error, function, given)


def quickly(quick: Callable[[_Function], Callable[..., Any]]) -> Callable[[_Function], _Function]:
    """Make a function public by `quick`, which explains errors, and answers calls without options itself."""
    from functools import wraps

    return lambda function: wraps(function)(quick(function))  # type: ignore[return-value]


def as_public(value: object, package: str) -> object:
    """Return a value as a package shows it: a function is `public`, and pickled by the package's name."""
    if type(value) is not FunctionType:
        return value
    if not hasattr(value, "__wrapped__"):
        value = public(value)
    value.__module__ = package
    return value


def lazy(
    package: str,
    homes: dict[str, str],
    *,
    modules: tuple[str, ...] = (),
    moved: dict[str, str] | None = None,
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a package whose names have these homes.

    `modules` are the public modules of the package, which ``dir`` lists. `moved` has the new home of names
    that the package had: they work, and warn as docs/versions.md says.
    """
    names, moved = [*homes], moved or {}
    _LAZY.add(package)

    def get(name: str) -> object:
        from importlib import import_module  # not at the top: ``import unidoku`` costs next to nothing

        if name in homes:
            value = as_public(getattr(import_module(homes[name]), name), package)
            setattr(sys.modules[package], name, value)
            return value
        if name in modules:
            return import_module(f"{package}.{name}")
        if name in moved:
            deprecated(f"{package}.{name}", f"{moved[name]}.{name}")
            return getattr(import_module(moved[name]), name)
        raise _no_name(package, name)

    return names, get, lambda: sorted([*names, *modules])


def deprecated(name: str, replacement: str) -> None:
    """Warn the caller of a function that a name or parameter goes away (docs/versions.md)."""
    from warnings import warn  # not at the top: it is needed seldom

    text = f"{name} goes away in version 3; use {replacement}"
    warn(text, DeprecationWarning, stacklevel=3)


def _no_name(package: str, name: str) -> AttributeError:
    """Return the error about a name that a package does not have: what to type instead.

    `name` is set, so that Python adds no suggestion of its own.
    """
    if name.startswith("_"):
        return AttributeError(f"module {package!r} has no attribute {name!r}")
    from unidoku._guesses import instead_of_name

    return AttributeError(f"{package} has no {name!r}{instead_of_name(name, package)}", name=name)


class MissingNames:
    """The last finder of modules: the import of a wrong name says what to type instead, if that is known.

    About any other name Python has the say: programs ask for modules that may be missing. A module that has
    got an underscore, or is in a package that has, is found by its old name, which warns, until version 3.
    """

    @classmethod
    def find_spec(cls, name: str, *more: object) -> ModuleSpec | None:
        """Find a module by its old name; refuse a wrong name if it is known which name is meant."""
        package, _, word = name.rpartition(".")
        if package.partition(".")[0] != "unidoku" or word.startswith("_"):
            return None
        from importlib.machinery import ModuleSpec, PathFinder  # not at the top: see `lazy`

        from unidoku._guesses import instead_of_name

        own = _NEW_NAMES.get(package, package)
        home = sys.modules[own]
        if word in getattr(home, "__all__", ()):
            text = f"{name} is not a module; use from {package} import {word}"
            raise ImportError(text, name=package)
        for new in (f"{own}._{word}", f"{own}.{word}"):
            if PathFinder.find_spec(new, getattr(home, "__path__", ())):
                _NEW_NAMES[name] = new
                return ModuleSpec(name, cls, is_package=True)  # type: ignore[arg-type]
        if package in _LAZY and (end := instead_of_name(word, package)):
            raise ImportError(f"{package} has no {word!r}{end}", name=package)
        return None

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        """Make a module that can be called by mistake."""
        return CalledModule(spec.name)

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Look every name of an old module up in the new one."""
        from functools import partial
        from importlib import import_module  # not at the top: see `lazy`

        deprecated(module.__name__, f"the names of {module.__name__.rpartition('.')[0]}")
        vars(module)["__getattr__"] = partial(getattr, import_module(_NEW_NAMES[module.__name__]))


_LAZY: set[str] = set()
"""The packages whose names are imported on first use."""
_NEW_NAMES: dict[str, str] = {}
"""The names of modules by their old names."""

sys.meta_path.append(MissingNames)


class CalledModule(ModuleType):
    """The class of a module that people call: the error says what to type instead."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        """Refuse the call."""
        from unidoku._guesses import guesses_of, instead_of  # not at the top: it is needed seldom

        name = self.__name__
        raise TypeError(f"{name} is a module{instead_of(name.rpartition('.')[2], guesses_of('unidoku'))}")

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        """Pickle the name: programs that pickle modules know them by their usual class."""
        from importlib import import_module

        return import_module, (self.__name__,)
