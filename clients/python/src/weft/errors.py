"""What goes wrong, as exceptions.

Every one is an Error with the same attributes, whether the server said it or this package. The classes of the
server's own codes (NotFound, Conflict …) are made from api.json and stand in api.py.
"""
from __future__ import annotations

from typing import Any


class Error(Exception):
    """Something was refused or failed.

    code is for programs, one upper-case word; text is for people. kind is 0 where the server or the way to it
    failed, 1 where the caller erred. The others are None where there is nothing to say: field (at fault) and its
    value, as text; revision (of what stands in the way), user (to whom it belongs), limit (that would be passed);
    of MOVED server, address and web: who runs the world.
    """

    kind = 0
    code = ""

    def __init__(
        self,
        text: str,
        *,
        code: str | None = None,
        kind: int | None = None,
        field: str | None = None,
        value: Any = None,
        revision: int | None = None,
        user: str | None = None,
        limit: int | None = None,
        server: str | None = None,
        address: str | None = None,
        web: str | None = None,
    ) -> None:
        if code is not None:
            self.code = code
        if kind is not None:
            self.kind = kind
        self.text = text
        self.field = field
        self.value = value
        self.revision = revision
        self.user = user
        self.limit = limit
        self.server = server
        self.address = address
        self.web = web
        super().__init__(f"{self.code}: {text}" if self.code else text)


class ServerError(Error):
    """Kind 0: the server failed."""

    kind = 0


class CallerError(Error):
    """Kind 1: the caller erred."""

    kind = 1


class ConnectionLost(Error, ConnectionError):
    """There is no connection, or it went before the answer came: whether the call was carried out is not known."""

    code = "LOST"


class NotSecure(ConnectionLost):
    """There is no TLS with the server, or (CERTIFICATE) it is not known to be who it has to be."""

    code = "TLS"


class Closed(Error):
    """The client or the stream was closed by this program."""

    code = "CLOSED"
    kind = 1


class StreamClosed(Error):
    """The server ended a stream; the text is its reason."""

    code = "STREAM_CLOSED"


class Timeout(Error, TimeoutError):
    """No answer, or no frame, came in the time that was set. The call may still be carried out."""

    code = "TIMEOUT"


class Version(Error):
    """The server no longer speaks the level of this package."""

    code = "VERSION"


class BadMessage(Error):
    """The server sent what is no message, or one too large. The connection is lost with it."""

    code = "BAD_MESSAGE"
