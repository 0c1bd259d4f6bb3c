"""Deadlines for connections, which uvicorn itself has only between two requests.

A connection is *slow* while the service waits for its client: for a request, for the rest of a body, or for
the client to read the answer. A slow connection is closed after some seconds. When there are more connections
than allowed, the one that has been slow for the longest time is closed, so clients that do nothing cannot
keep out clients that send their request at once.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["MOST", "SECONDS", "GuardedProtocol"]

MOST = int(os.environ.get("UNIDOKU_SERVICE_CONNECTIONS", "500"))
"""Connections at a time; the system's limit on open files must be higher."""

SECONDS = float(os.environ.get("UNIDOKU_SERVICE_CONNECTION_SECONDS", "10"))
"""How long a connection may be slow."""


class GuardedProtocol(H11Protocol):
    """HTTP/1.1 with a deadline for slow connections and a limit on their number."""

    slow: dict[GuardedProtocol, asyncio.TimerHandle] = {}  # noqa: RUF012 - of all connections, oldest first

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._update()
        if len(self.connections) > MOST:
            next(iter(self.slow))._close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request."""
        super().data_received(data)
        self._update()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._update()

    def pause_writing(self) -> None:
        """Begin to wait for the client to read."""
        super().pause_writing()
        self._update()

    def resume_writing(self) -> None:
        """Continue to write the answer."""
        super().resume_writing()
        self._update()

    def _update(self) -> None:
        """Start the deadline, or end it where the service has to act: the request is complete."""
        cycle: Any = self.cycle
        if cycle and not (cycle.more_body or cycle.response_complete or self.flow.write_paused):
            self._forget()
        elif self not in self.slow:
            self.slow[self] = self.loop.call_later(SECONDS, self._close)

    def _forget(self) -> None:
        timer = self.slow.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _close(self) -> None:
        self._forget()
        self.transport.abort()
