"""Calls in an event loop: awaited in a thread, which ends with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from unidoku.threads import Cancel

Result = TypeVar("Result")


async def call(
    function: Callable[..., Result], *args: Any, timeout: float | None = None, **options: Any
) -> Result:
    """Await a function of unidoku in a thread.

    Parameters
    ----------
    function : callable
        A function that takes ``cancel``, such as `unidoku.rate`.
    *args, **options
        Its arguments, without ``cancel`` and ``timeout``.
    timeout : float, optional
        Seconds; by default no bound.

    Returns
    -------
    object
        What the function returns.

    Raises
    ------
    TimeoutError
        It has taken longer, also where the function alone would return a partial result.

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
    cancel = Cancel()
    thread = asyncio.ensure_future(asyncio.to_thread(partial(function, *args, cancel=cancel, **options)))
    try:
        return await asyncio.wait_for(asyncio.shield(thread), timeout)
    finally:
        cancel.set()
        while not thread.done():
            with suppress(asyncio.CancelledError):  # the thread is ending; the first cancellation goes on
                await asyncio.wait([thread])
        if not thread.cancelled():
            thread.exception()  # it is known that the flag has ended the work
