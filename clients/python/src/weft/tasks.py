"""How an asyncio client waits: its socket belongs to one event loop, in whose thread all happens, and tasks wait for what comes.

weft.threads has the same face for blocking clients; weft.aio_connection stands on this one.
"""
from __future__ import annotations

import asyncio
import ssl
import time
from contextlib import nullcontext
from typing import Any, Callable, Generator, Generic, Mapping, TypeVar

from weft import session as sessions
from weft.deadlines import left, until
from weft.errors import ConnectionLost, Error, Timeout, again
from weft.packing import Piece
from weft.secure import not_secure
from weft.threads import keep_alive

T = TypeVar("T")
sleep = asyncio.sleep
Opened = TypeVar("Opened", bound="Tasks")


class Call:
    """A call under way."""

    __slots__ = ("method", "passing", "_fields", "_session", "_future")

    def __init__(self, connection: Tasks, method: str, fields: Mapping[str, Any]) -> None:
        self.method = method
        self.passing = False
        self._fields = fields

    def _begin(self, session: sessions.Session) -> None:
        """It is asked in a session, for the first time or again."""
        self._session = session
        self._future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def finish(self, result: Any, error: Error | None) -> None:
        if self._future.done():
            return
        if error:
            self._future.set_exception(error)
        else:
            self._future.set_result(result)


class Wire(asyncio.BufferedProtocol):
    """The socket's side of a session."""

    def __init__(self, on_lost: Callable[[], None]) -> None:
        self.session = sessions.Session()
        self._on_lost = on_lost
        self.transport: asyncio.Transport | None = None
        self.changed = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        keep_alive(transport.get_extra_info("socket"))

    def get_buffer(self, sizehint: int) -> memoryview:
        return self.session.receiver.get_buffer()

    def buffer_updated(self, nbytes: int) -> None:
        self.session.received(nbytes)
        if self.session.failed and self.transport:
            self.transport.abort()
        elif self.session.moved:
            self._on_lost()
        self.wake()

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.session.ended(f"the connection broke: {exc}" if exc else "the server closed the connection")
        self._writable.set()
        self._on_lost()
        self.wake()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def wake(self) -> None:
        """Wakes the tasks that wait for frames or notices."""
        self.changed.set()
        self.changed = asyncio.Event()

    def write(self, pieces: list[Piece]) -> None:
        assert self.transport is not None
        # One copy, because bytes that wait must not change with the caller's arrays.
        self.transport.write(pieces[0] if len(pieces) == 1 else b"".join(pieces))

    async def drained(self) -> None:
        await self._writable.wait()

    def close(self) -> None:
        if self.transport:
            self.transport.abort()


async def within(waiting: asyncio.Future[T], timeout: float | None, what: str) -> T:
    """The result of a future. Raises Timeout after that many seconds."""
    if timeout is None:
        return await waiting
    loop = asyncio.get_running_loop()

    def too_late() -> None:
        if not waiting.done():
            waiting.set_exception(Timeout(f"{what} within {timeout:g} s"))

    handle = loop.call_later(timeout, too_late)
    try:
        return await waiting
    finally:
        handle.cancel()


class Connecting(Generic[Opened]):
    """What connect() gives: `await connect()` is a client; `async with connect() as client:` closes it at the end."""

    def __init__(self, client: Opened) -> None:
        self._client = client

    async def _connected(self) -> Opened:
        await self._client._open()
        return self._client

    def __await__(self) -> Generator[Any, None, Opened]:
        return self._connected().__await__()

    async def __aenter__(self) -> Opened:
        return await self._connected()

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()


class Tasks:
    """The socket of a connection, and the tasks that wait for what comes. It is open once _open() of the connection has
    returned."""

    timeout: float | None
    _key: str

    def __init__(self) -> None:
        self._lock = nullcontext()  # one thread needs none
        self._reviver: asyncio.Task[None] | None = None  # it connects again; others wait for it
        self._wire = Wire(self._lost)

    # The connection above gives these.

    async def _open(self) -> None:
        raise NotImplementedError

    async def _travel(self, deadline: float | None) -> None:
        raise NotImplementedError

    # Calls

    def notify(self, method: str, /, **fields: Any) -> None:
        """Sends without an answer, as a drag does with grab.move. Refusals come as notices of the method error."""
        if self._reviver:
            raise ConnectionLost(f"{method} was not sent: the connection is away")
        self._wire.write(self._session.notification(method, fields))

    async def _outcome(self, call: Call, timeout: float | None) -> Any:
        """The answer to a call, or its error. A call whose task does not wait any more is dropped."""
        try:
            return await within(call._future, timeout, f"{call.method}: no answer")
        except BaseException:
            self._session.forget(call)
            raise

    # Connecting

    async def _dial(self, address: sessions.Address, timeout: float | None) -> Wire:
        host, port = address
        loop = asyncio.get_running_loop()
        secure = address.tls.context() if address.tls else None
        try:
            _, wire = await asyncio.wait_for(
                loop.create_connection(lambda: Wire(self._lost), host, port, ssl=secure), timeout)
        except (TimeoutError, asyncio.TimeoutError):
            raise Timeout(f"{host}:{port} does not answer") from None
        except ssl.SSLError as error:
            raise not_secure(f"{host}:{port}", error) from error
        except OSError as error:
            raise ConnectionLost(f"no server at {host}:{port}: {error.strerror or error}") from error
        if wire.session.failed:  # gone already; nothing else will report that
            raise again(wire.session.failed)
        return wire

    @property
    def _session(self) -> sessions.Session:
        return self._wire.session

    def _adopt(self, link: Wire, session: sessions.Session) -> None:
        before, self._wire = self._wire, link
        link.session = session
        if before.transport:
            before.transport.close()  # once it has sent what was written
        before.wake()

    def _switch(self, link: Wire, leaving: Callable[[], None]) -> sessions.Session:
        """Goes on over another link. leaving is called first, and all stays as it is if it raises."""
        self._part()
        try:
            leaving()
        except BaseException:
            link.close()
            raise
        self._adopt(link, sessions.Session(before=self._session))
        return self._session

    async def close(self) -> None:
        """Ends the session and its connection. Calls under way end with Closed."""
        self._key = ""
        self._part()
        await self._drop()

    def _part(self) -> None:
        """Ends the session at the server, if the system takes the message at once."""
        if self._session.failed is None and self._wire.transport:
            self._wire.transport.write(sessions.LEAVE)

    async def _drop(self) -> None:
        if self._reviver and self._reviver is not asyncio.current_task():
            self._reviver.cancel()
            self._reviver = None
        if self._session.away:
            self._session.give_up(sessions.closed())
        self._session.fail(sessions.closed())
        self._wire.close()
        self._wire.wake()
        await asyncio.sleep(0)

    # Coming back by itself. A task of its own does it.

    def _lost(self) -> None:
        """A connection has ended, or the client is to go to another server. The task that connects handles the loss of its own
        connection."""
        if self._reviver is None and (self._session.moved or self._session.away):
            self._reviver = asyncio.get_running_loop().create_task(self._come_and_go())

    async def _come_and_go(self) -> None:
        try:
            while self._session.moved or self._session.away:
                await self._travel(None)
        finally:
            self._reviver = None
            if self._session.away:
                self._session.give_up(sessions.closed())
            self._wire.wake()

    async def _pause(self, end: float, deadline: float | None) -> None:
        """Waits until a time."""
        await asyncio.sleep(max(0.0, end - time.monotonic()))

    async def _stand(self, method: str) -> None:
        """Waits until there is a connection, if one may come. The task that connects does not wait for itself."""
        self._lost()
        deadline = until(self.timeout)
        while self._reviver and self._reviver is not asyncio.current_task():
            done, _ = await asyncio.wait([self._reviver], timeout=left(deadline))
            if not done:
                raise Timeout(f"{method}: no connection within {self.timeout:g} s")

    # The socket

    def _wake(self) -> None:
        """Wakes the tasks that wait for frames or notices."""
        self._wire.wake()

    def _pump_all(self) -> None:
        """Does nothing: bytes are received whenever the loop runs."""

    async def _wait(self, look: Callable[[], T | None], timeout: float | None, what: str) -> T:
        """Waits until look() returns a result."""
        deadline = until(timeout)
        while True:
            found = look()
            if found is not None:
                return found
            coming = self._session.away or self._session.moved or self._reviver
            if self._session.failed and (not coming or self._reviver is asyncio.current_task()):
                raise again(self._session.failed)
            changed = asyncio.ensure_future(self._wire.changed.wait())
            try:
                await asyncio.wait([changed], timeout=left(deadline))
            finally:
                changed.cancel()
            if left(deadline) == 0.0:
                found = look()
                if found is not None:
                    return found
                raise Timeout(f"{what} within {timeout:g} s")

    async def _send(self, pieces: list[Piece], of: sessions.Session | None = None) -> None:
        """of: the session that knows the message; if there is a newer one, that one has sent it."""
        wire = self._wire
        if of and of is not wire.session:
            return
        if wire.session.failed:
            raise again(wire.session.failed)
        wire.write(pieces)
        await wire.drained()
