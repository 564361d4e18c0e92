"""The exceptions of this package.

Each is an Error with the same attributes, whether it comes from the server or from this package. The classes for the server's
own codes (NotFound, Conflict …) are generated from api.json into api.py.
"""
from __future__ import annotations

from typing import Any


class Error(Exception):
    """A call was refused or failed.

    code is for programs, one upper-case word; text is for people. kind is 0 if the server or the connection failed, 1 if the
    caller made a mistake. The other attributes may be None: field (at fault) and its value, as text; revision (of the edit in
    the way), user (the person who made it), limit (the one that would be exceeded); with MOVED also server, address and web,
    which name the server that runs the world. If an undo or redo is in conflict, changes lists the later changes in the way, of
    each field the last one: maps with what, thing, id, field, revision, method and user. Else it is empty.
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
        changes: list[dict[str, Any]] | None = None,
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
        self.changes = changes or []
        self.server = server
        self.address = address
        self.web = web
        super().__init__(f"{self.code}: {text}" if self.code else text)


class ServerError(Error):
    """Kind 0: the server failed."""

    kind = 0


class CallerError(Error):
    """Kind 1: the caller made a mistake."""

    kind = 1


class ConnectionLost(Error, ConnectionError):
    """There is no connection, or it was lost before the answer came: the call may or may not have been carried out."""

    code = "LOST"


class NotSecure(ConnectionLost):
    """TLS with the server failed, or (CERTIFICATE) its certificate is not valid."""

    code = "TLS"


class Closed(Error):
    """This program closed the client or the stream."""

    code = "CLOSED"
    kind = 1


class StreamClosed(Error):
    """The server ended a stream; the text is its reason."""

    code = "STREAM_CLOSED"


class Timeout(Error, TimeoutError):
    """No answer, or no frame, came within the timeout. The call may still be carried out."""

    code = "TIMEOUT"


class Version(Error):
    """The server no longer speaks the level of this package."""

    code = "VERSION"


class BadMessage(Error):
    """The server sent a malformed message, or one that is too large. The connection is lost with it."""

    code = "BAD_MESSAGE"


def again(error: Error) -> Error:
    """A copy of an error for another waiter: an exception that is raised twice would collect both tracebacks."""
    copy = type(error)(error.text, code=error.code, kind=error.kind, field=error.field, value=error.value,
                       revision=error.revision, user=error.user, limit=error.limit, changes=error.changes,
                       server=error.server, address=error.address, web=error.web)
    copy.__cause__ = error.__cause__
    return copy
