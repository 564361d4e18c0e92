"""A session without its socket: calls under way, streams, and notices. Takes bytes, and gives exceptions and results.

The blocking and the asyncio client both use it. It does not wait and knows no threads: its owner makes sure that one thread at
a time uses it.
"""
from __future__ import annotations

import os
from collections import deque
from typing import Any, Mapping, NamedTuple, Protocol

from weft import api
from weft.errors import (BadMessage, CallerError, Closed, ConnectionLost, Error, NotSecure, ServerError, StreamClosed,
                         Version, again)
from weft.frames import FrameQueue
from weft.packing import Packer, Piece, size_of
from weft.receiving import MESSAGE_MAX, Receiver
from weft.records import Record
from weft.secure import TLS, from_environment
from weft.visit import JOINING, Kept, Visit, kept_of

PORT = 9338
NOTICES_MAX = 10_000
ENVELOPE = 1024  # room for the fields around a message's data, in bytes


class Notice(NamedTuple):
    """A message that the server sent by itself: world.edited, world.changed, stream.lagged, stream.closed, error …"""

    method: str
    params: Record


class Waiting(Protocol):
    """A call under way. passing: it ends with its connection, even if other calls are kept."""

    method: str
    passing: bool

    def finish(self, result: Any, error: Error | None) -> None: ...


class Address(tuple[str, int]):
    """Host and port, and the TLS settings if TLS is used."""

    tls: TLS | None = None


def address_of(address: str | None, tls: TLS | None = None) -> Address:
    """Parses "host:port", "host", "[::1]:port", each also with "tls://" in front. Without a text it takes WEFT_SERVER, as the
    shell does."""
    whole = text = address or os.environ.get("WEFT_SERVER") or f"127.0.0.1:{PORT}"
    for scheme in ("tls://", "wefts://"):
        if text.startswith(scheme):
            text, tls = text[len(scheme):], tls or from_environment()
    host, port = text, str(PORT)
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        port = rest[1:] if rest.startswith(":") else port if not rest else ""
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    if not host or not (port.isascii() and port.isdigit()) or not 0 < int(port) < 65536:
        raise api.Invalid(f'address: "{whole}" is not HOST:PORT', field="address", value=whole)
    found = Address((host, int(port)))
    found.tls = tls
    return found


def token_of(token: str | None) -> str:
    """The token to show: the given one, or else that of WEFT_TOKEN, or of the file that WEFT_TOKEN_FILE names, which nobody
    else may be able to read. Empty: none."""
    if token is not None:
        return token
    if os.environ.get("WEFT_TOKEN"):
        return os.environ["WEFT_TOKEN"]
    path = os.environ.get("WEFT_TOKEN_FILE")
    if not path:
        return ""
    with open(path, encoding="utf-8") as file:
        if os.fstat(file.fileno()).st_mode & 0o077:
            raise api.Invalid(f"{path}: others can read this token; chmod 600 keeps them out", field="token")
        return file.readline().strip()


def hello_of(client: str, user: str, token: str | None, follow: bool) -> dict[str, Any]:
    """The parameters of session.hello. A server without tokens gets none, and a single server nothing about following."""
    shown = token_of(token)
    return {"client": client, "user": user, "arrays": "ext", "errors": "map",
            **({"token": shown} if shown else {}), **({"follow": True} if follow else {})}


def moved_to(address: str, now: Address) -> Address:
    """The address that a world moved to, relative to the present address. A client with TLS never goes to a server without it,
    because its token would go along."""
    there = address_of(address, now.tls)
    if now.tls and not address.startswith("tls://"):
        raise NotSecure(f"{address} does not use TLS, but the present connection does: the client stays")
    return there


def address_text(address: tuple[str, int]) -> str:
    """The text of an address."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


#: A notification of session.leave, sent by a client that closes.
LEAVE = b"\x93\x02\xad" + b"session.leave" + b"\x90"
#: Fields of session.hello that apply to one connection only.
RESUMING = ("resume", "unanswered", "revisions")


def introducing(before: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of session.hello for a call of it. The server replaces them as a whole, so fields that are not given keep
    their earlier values."""
    return {**before, **said}


def greeting(told: Mapping[str, Any]) -> dict[str, Any]:
    """The session.hello with which later connections begin, made from the parameters of earlier ones."""
    return {name: value for name, value in told.items() if name not in RESUMING}


def resuming(key: str) -> dict[str, str]:
    """The fields of session.hello that resume a session. Servers that keep no sessions do not know them."""
    return {"resume": key} if key else {}


class Session:
    """The state of one connection; a client makes a new one when it connects again.

    With `keeps` a lost connection ends nothing: calls, notices and the state of the visit wait for the session of the next
    connection, which is made from this one (`before`), or for give_up().
    """

    def __init__(self, message_max: int = MESSAGE_MAX, before: Session | None = None) -> None:
        self.receiver = Receiver(self._message, self._frame, message_max)
        self.packer = Packer()
        self.waiting: dict[int, Waiting] = {}
        self.streams: dict[int, FrameQueue] = {}
        self.notices: deque[Notice] = deque()
        self.notices_dropped = 0
        self.failed: Error | None = None
        self.message_bytes = api.LIMITS["message_bytes"]
        self._msgid = 0
        self._last_words: Error | None = None
        self.keeps = False
        #: Whether it follows its world; moved is the new server's address. Streams that go along are removed from streams.
        self.follows = False
        self.moved = ""
        self.visit = Visit()
        self._kept: dict[int, Kept] = {}
        if before:
            self.keeps, self.visit, self._msgid = before.keeps, before.visit, before._msgid
            self.follows = before.follows
            self.waiting, self._kept = before.waiting, before._kept
            self.notices, self.notices_dropped = before.notices, before.notices_dropped
            self.message_bytes = before.message_bytes
            before.keeps = False

    # Out

    def _checked(self, pieces: list[Piece], method: str) -> list[Piece]:
        size = size_of(pieces)
        if size > self.message_bytes:
            raise api.Limit(f"{method}: {size} bytes; the limit message_bytes is {self.message_bytes}",
                            value=str(size), limit=self.message_bytes)
        return pieces

    def uploads(self, method: str, fields: Mapping[str, Any]) -> tuple[list[dict[str, Any]], Mapping[str, Any]]:
        """A document that is larger than a message: the pieces to upload first, and the request that follows."""
        document = fields.get("document") if method == "world.open" else None
        packed = b"" if document is None else self.packer.value(document, "document")
        if len(packed) + ENVELOPE <= self.message_bytes:
            return [], fields
        size = max(self.message_bytes - ENVELOPE, 1)
        pieces = [{"offset": at, "data": packed[at:at + size]} for at in range(0, len(packed), size)]
        return pieces, {**{name: value for name, value in fields.items() if name != "document"}, "upload": True}

    def request(self, waiting: Waiting, fields: Mapping[str, Any]) -> tuple[int, list[Piece]]:
        if self.failed:
            raise again(self.failed)
        msgid = self._msgid = (self._msgid + 1) & 0xFFFFFFFF
        # A stream's id differs between connections, so it is kept apart and filled in when the message is sent.
        said = {**fields, "stream": getattr(fields["stream"], "id", fields["stream"])} if "stream" in fields else fields
        pieces = self._checked(self.packer.request(msgid, waiting.method, said), waiting.method)
        self.waiting[msgid] = waiting
        if self.keeps or waiting.method in JOINING:
            self._kept[msgid] = kept_of(waiting.method, pieces, fields)
        return msgid, pieces

    def forget(self, waiting: Waiting) -> None:
        """Drops a call whose caller does not wait any more."""
        for msgid in [msgid for msgid, one in self.waiting.items() if one is waiting]:
            del self.waiting[msgid]
            self._kept.pop(msgid, None)

    # Coming back

    @property
    def away(self) -> bool:
        """The connection is lost, but calls that wait may still be answered."""
        return self.failed is not None and self.keeps

    def unanswered(self) -> list[int]:
        return [msgid for msgid, kept in self._kept.items() if not kept.own]

    def again(self, lost: list[int]) -> list[bytes]:
        """The requests that never arrived, unchanged."""
        return [self._kept[msgid].data for msgid in lost if msgid in self._kept]

    def renewed(self) -> list[list[Piece]]:
        """The calls that belong to each connection, under new ids, after all those that keep their ids."""
        found = []
        for msgid, kept in [(msgid, kept) for msgid, kept in self._kept.items() if kept.own]:
            waiting = self.waiting.pop(msgid)
            del self._kept[msgid]
            found.append(self.request(waiting, kept.fields)[1])
        return found

    def give_up(self, error: Error) -> None:
        """Ends everything: there will be no other connection."""
        self.keeps = False
        self.failed = None
        self.fail(error)

    def lose_calls(self, error: Error) -> None:
        waiting, self.waiting = self.waiting, {}
        self._kept.clear()
        for one in waiting.values():
            one.finish(None, again(error))

    def notification(self, method: str, fields: Mapping[str, Any]) -> list[Piece]:
        if self.failed:
            raise again(self.failed)
        return self._checked(self.packer.notification(method, fields), method)

    # In

    def received(self, count: int) -> None:
        """Takes the number of bytes in receiver.get_buffer(). Malformed bytes end the session."""
        if self.failed:
            return
        try:
            self.receiver.received(count)
        except Error as error:
            self.fail(error)
        except Exception as error:
            self.fail(BadMessage(f"the server sent what was not understood: {error!r}"))
        except BaseException:
            # Ctrl-C came inside a message; while waiting it does no harm.
            self.fail(ConnectionLost("interrupted in the middle of a message"))
            raise

    def ended(self, reason: str) -> None:
        """The connection is gone. Uses the reason that the server gave, if it gave one."""
        words = self._last_words
        text = f"{reason}: {words}" if words else reason
        error = ConnectionLost(text)
        error.__cause__ = words
        self.fail(error)

    def fail(self, error: Error) -> None:
        if self.failed:
            return
        self.failed = error
        if self.keeps and isinstance(error, ConnectionLost):
            for one in [one for one in self.waiting.values() if one.passing]:
                self.forget(one)
                one.finish(None, again(error))
            return
        self.keeps = False
        self.lose_calls(error)
        for queue in self.streams.values():
            queue.end(error)

    def _message(self, message: Any) -> None:
        if not isinstance(message, list) or not message:
            raise BadMessage(f"the server sent a malformed message: {message!r:.100}")
        if message[0] == 1 and len(message) == 4:
            self._response(*message[1:])
        elif message[0] == 2 and len(message) == 3 and isinstance(message[1], str):
            params = message[2]
            self._notice(message[1], params[0] if isinstance(params, list) and params else {})
        else:
            raise BadMessage(f"the server sent a malformed message: {message!r:.100}")

    def _response(self, msgid: Any, error: Any, result: Any) -> None:
        waiting = self.waiting.pop(msgid, None) if isinstance(msgid, int) else None
        kept = self._kept.pop(msgid, None) if isinstance(msgid, int) else None
        if waiting and kept and error is None:
            self.visit.learn(waiting.method, kept.fields, result)
        if error is not None:
            if waiting:
                waiting.finish(None, of_answer(error))
            return
        if waiting and waiting.method == "stream.subscribe" and isinstance(result, dict):
            # The stream's first frame may follow at once.
            self.streams[result.get("stream", 0)] = FrameQueue()
        if waiting:
            waiting.finish(result, None)

    def _notice(self, method: str, params: Any) -> None:
        if not isinstance(params, dict):
            raise BadMessage(f"{method} without a map: {params!r:.100}")
        if method == "stream.frame":
            # The layout is not that of present servers.
            self._frame(params)
            return
        if (self.keeps or self.follows) and not self.visit.hear(method, params):
            return
        if self._goes_along(method, params):
            return
        made = api.NOTICES.get(method)
        if made is None:
            return
        notice = Notice(method, made(params))
        if method == "stream.closed":
            queue = self.streams.pop(params.get("stream", 0), None)
            if queue:
                queue.end(StreamClosed(str(params.get("reason", ""))))
        elif method == "stream.lagged":
            queue = self.streams.get(params.get("stream", 0))
            if queue:
                queue.lagged = int(params.get("dropped", 0))
        elif method == "error" and not params.get("method"):
            self._last_words = of_answer(params.get("error"))
        if len(self.notices) >= NOTICES_MAX:
            self.notices.popleft()
            self.notices_dropped += 1
        self.notices.append(notice)

    def _goes_along(self, method: str, params: Mapping[str, Any]) -> bool:
        """Whether a stream is over at this server, but goes on at another."""
        address = params.get("address")
        if not self.follows or not isinstance(address, str) or not address:
            return False
        self.moved = address
        if method != "stream.closed":
            return False
        self.streams.pop(params.get("stream", 0), None)
        return True

    def leave(self) -> None:
        """Another session, at another server, replaces this one."""
        self.keeps = False
        self.moved = ""
        self.failed = ConnectionLost("gone to another server")

    def _frame(self, fields: dict[str, Any]) -> None:
        queue = self.streams.get(fields.get("stream", 0))
        # Frames may still arrive for a stream that was just ended.
        if queue:
            queue.part(fields)

    def end_stream(self, stream: int, why: Error) -> None:
        queue = self.streams.pop(stream, None)
        if queue:
            queue.end(why)


def of_answer(error: Any) -> Error:
    """The exception for a response's error, in either of its two forms."""
    more: dict[str, Any] = {}
    if isinstance(error, dict):
        kind, code, text = error.get("kind"), error.get("code"), error.get("text")
        more = {name: error.get(name) for name in
                ("field", "value", "revision", "user", "limit", "changes", "server", "address", "web")}
    elif isinstance(error, (list, tuple)) and len(error) == 2 and isinstance(error[1], str):
        kind = error[0]
        code, _, text = error[1].partition(": ")
    else:
        return BadMessage(f"an error of no known shape: {error!r:.200}")
    if not isinstance(kind, int) or not isinstance(code, str) or not isinstance(text, str):
        return BadMessage(f"an error of no known shape: {error!r:.200}")
    # A code that this version does not know gets the class of its kind.
    known = api.ERRORS.get(code, CallerError if kind == 1 else ServerError)
    return known(text, code=code, kind=kind, **more)


def record_of(method: str, result: Any) -> Any:
    """The record of a result; for methods that this version does not know, the plain value."""
    made = api.RESULTS.get(method)
    return made(result) if made else result


def closed() -> Error:
    return Closed("the client was closed")


def check_version(hello: Record) -> None:
    compatible = hello["api_compatible"]
    if compatible > api.API_LEVEL:
        raise Version(f"the server speaks API level {hello['api_level']} and needs clients of level {compatible}; "
                      f"this package is of level {api.API_LEVEL}: install a newer one")
