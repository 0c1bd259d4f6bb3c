"""Calls in an event loop: awaited in a thread, which ends with them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

# Here, so that a first call has all of its time for its work: these take longer than most calls.
import numpy  # noqa: F401

import unidoku._table.puzzles
import unidoku.counting  # noqa: F401
from unidoku import kernel
from unidoku._arguments import wrong_type
from unidoku._threads import Cancel, seconds_of
from unidoku.errors import SearchStoppedError

__all__ = ["call"]

Result = TypeVar("Result")


async def call(
    function: Callable[..., Result], *args: Any, timeout: float | None = None, **options: Any
) -> Result:
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
        A result that is ready in time is returned, however late the event loop asks for it.
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
    if timeout is not None:
        timeout = seconds_of(timeout)
    cancel = Cancel()

    def late() -> TimeoutError:
        name = getattr(function, "__qualname__", repr(function))
        return TimeoutError(f"{name} has taken longer than {timeout:g} seconds")

    def work() -> Result:
        for package in ("lanes", "rating"):  # before the time begins
            kernel.isa_module(package=package)
        with cancel.limited(timeout) as flag:
            try:
                result = function(*args, cancel=flag, **options)
            except SearchStoppedError:
                if cancel or not flag:  # nobody waits, or it had a budget
                    raise
                raise late() from None
            if flag and not cancel:
                raise late()
            return result

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
