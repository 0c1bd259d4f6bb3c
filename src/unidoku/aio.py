"""Calls in an event loop: awaited in a thread, which ends with them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

# Here, so that a first call has all of its time for its work: these take longer than most calls.
import numpy  # noqa: F401

import unidoku.counting  # noqa: F401
from unidoku import kernel
from unidoku._arguments import wrong_type
from unidoku._table.puzzles import Result
from unidoku._threads import CANCELLED, Cancel
from unidoku._verdict import Verdict
from unidoku.errors import SearchStoppedError

__all__ = ["call"]

Returned = TypeVar("Returned")


async def call(
    function: Callable[..., Returned], *args: Any, timeout: float | None = None, **options: Any
) -> Returned:
    """Await a function of unidoku, which runs in a thread, with a time limit.

    Parameters
    ----------
    function : callable
        A function that takes ``cancel``, such as `unidoku.rate`.
    *args, **options
        Its arguments, without ``cancel`` and ``timeout``.
    timeout : float, optional
        Seconds, by default no bound.  The time begins when a thread begins the work, so the wait for a thread
        does not count; ``asyncio.timeout`` around the call bounds both.

    Returns
    -------
    object
        The result of the function.

    Raises
    ------
    TimeoutError
        The work takes longer than `timeout`, even if the function by itself would return a partial result.
        A result that is whole is returned, even if its time is over then.
    TypeError
        The function does not take ``cancel``.
    ValueError
        `timeout` is below 0.

    Notes
    -----
    After an error, a timeout or the end of the task that awaits it, the thread has ended: it is told by a
    `Cancel`.

    Examples
    --------
    >>> import asyncio, unidoku
    >>> from unidoku import aio
    >>> asyncio.run(aio.call(unidoku.check, "." * 81, timeout=10))
    Verdict.MULTIPLE
    """
    parameters = inspect.signature(function).parameters.values() if callable(function) else ()
    if not any(
        parameter.name == "cancel" or parameter.kind is parameter.VAR_KEYWORD for parameter in parameters
    ):
        raise wrong_type("function", "a function that takes cancel", function)
    cancel = Cancel()

    def work() -> Returned:
        kernel.isa_module(package="lanes")  # before the time begins
        kernel.isa_module(package="rating")
        with cancel.limited(timeout) as flag:
            try:
                return _whole(function(*args, cancel=flag, **options), flag)
            except SearchStoppedError:
                if cancel or not flag:  # nobody waits, or it had a budget
                    raise
                name = getattr(function, "__qualname__", repr(function))
                raise TimeoutError(f"{name} has taken longer than {timeout:g} seconds") from None

    thread = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(thread)
    finally:
        cancel.set()
        while not thread.done():
            with suppress(asyncio.CancelledError):  # the thread is ending; the first cancellation goes on
                await asyncio.wait([thread])
        if not thread.cancelled():
            thread.exception()  # it is known that the flag has ended the work


def _whole(result: Returned, flag: Cancel) -> Returned:
    """Return the result of a function; raise an error if the flag has ended its work."""
    if isinstance(result, Result):
        is_whole = CANCELLED not in result.reasons.values()
    else:
        is_whole = getattr(result, "complete", result is not Verdict.UNKNOWN)
    if not is_whole:
        flag.raise_if_set()
    return result
