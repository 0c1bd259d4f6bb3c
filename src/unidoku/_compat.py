"""Modules that are imported when needed: NumPy, optional packages and their extras, views of objects.

A view imports the class of its object, not the other way round; so an object names its view.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import GenericAlias

from unidoku import __version__
from unidoku.errors import Message, needs_extra

TYPE_CHECKING = False
if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:
        """The one of Python 3.12, without a lock that a forked child would wait for."""

        def __init__(self, make: object) -> None:
            self.make, self.__doc__ = make, make.__doc__

        def __set_name__(self, _: type, name: str) -> None:
            self.name = name

        def __get__(self, one: object, _: type | None = None) -> object:
            if one is None:
                return self
            value = one.__dict__[self.name] = self.make(one)
            return value


if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
else:

    class NDArray:
        """The one of `numpy.typing` in annotations, which nothing reads while a program runs."""

        __class_getitem__ = classmethod(GenericAlias)

    class _NumPy:
        """NumPy, which is imported when one of its names is first used (docs/decisions.md)."""

        def __getattr__(self, name: str) -> object:
            import numpy

            value = getattr(numpy, name)
            setattr(self, name, value)
            return value

    np = _NumPy()

__all__ = [
    "NDArray",
    "cached_property",
    "distributed",
    "fsspec",
    "gzip",
    "has_pyarrow",
    "np",
    "pyarrow",
    "view",
    "zstd",
]


def pyarrow(need: str = "") -> Any:
    """Import PyArrow; an error says what needs it."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:  # not around it all: it is asked for each column of each batch
        with needs_extra("arrow", need or Message("Arrow and Parquet need PyArrow")):
            raise
    return pa


def log(level: str, text: str, *values: object) -> None:
    """Log under ``unidoku``; a program that has not imported `logging`, which takes 5 ms, has no handler."""
    if logging := sys.modules.get("logging"):
        logger = logging.getLogger("unidoku")
        if not logger.handlers:  # or Python would print warnings that nobody handles
            logger.addHandler(logging.NullHandler())
        getattr(logger, level)(text, *values)


def version() -> str:
    """Return the version, and the commit from which it was built, if `setup.py` knew it."""
    file = os.path.join(os.path.dirname(__file__), "commit.txt")
    try:
        with open(file, encoding="ascii") as stream:
            return f"{__version__} ({stream.read()})"
    except FileNotFoundError:  # a checkout, or built from an archive
        return __version__


def has_pyarrow() -> bool:
    """Return whether PyArrow is installed."""
    from importlib.util import find_spec

    return find_spec("pyarrow") is not None


def fsspec() -> Any:
    """Import fsspec, which opens URLs."""
    with needs_extra("remote", Message("URLs need fsspec")):
        return import_module("fsspec.core")


def distributed() -> Any:
    """Import Dask distributed; much of it has no types."""
    with needs_extra("dask", Message("--cluster needs Dask distributed")):
        return import_module("distributed")


def gzip() -> Any:
    """Import isal's gzip, which is three times as fast, or else gzip of the standard library."""
    try:
        return import_module("isal.igzip").IGzipFile
    except ImportError:
        return import_module("gzip").GzipFile


def zstd() -> Any:
    """Import Zstandard: a dependency before Python 3.14, which has it."""
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


def zipfile_with_zstd() -> Any:
    """Import the module of zip archives that reads members compressed with Zstandard, as Python 3.14 does."""
    return import_module("zipfile" if sys.version_info >= (3, 14) else "backports.zstd.zipfile")


def view(name: str, target: object, **options: Any) -> str:
    """Return the view of an object by a function of `unidoku.view`, such as ``svg.svg``."""
    module, _, function = name.partition(".")
    text: str = getattr(import_module(f"unidoku.view._{module}"), function)(target, **options)
    return text
