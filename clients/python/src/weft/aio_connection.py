"""A connection of the asyncio client: its socket, the calls under way on it, and coming back after a loss.

It is like weft.connection, but runs in the thread of one event loop. It knows nothing of worlds. Objects that go on over the
next connection, such as streams, add themselves to _streams.
"""
from __future__ import annotations

import asyncio
import ssl
import time
import weakref
from typing import Any, Callable, Mapping, Protocol, TypeVar

from weft import api, session as sessions
from weft.connection import Places, keep_alive
from weft.errors import ConnectionLost, Error, StreamClosed, Timeout
from weft.frames import FrameQueue
from weft.packing import Piece
from weft.secure import not_secure
from weft.visit import OPENING_S, TRY_S, Away, OnSession, SessionChange, ids_in, may_pass, rejoin_of

T = TypeVar("T")


class Call:
    """A call under way."""

    __slots__ = ("method", "passing", "future")

    def __init__(self, method: str, loop: asyncio.AbstractEventLoop, passing: bool = False) -> None:
        self.method = method
        self.passing = passing
        self.future: asyncio.Future[Any] = loop.create_future()

    def finish(self, result: Any, error: Error | None) -> None:
        if self.future.done():
            return
        if error:
            self.future.set_exception(error)
        else:
            self.future.set_result(result)


class Wire(asyncio.BufferedProtocol):
    """The socket's side of a session."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_lost: Callable[[], None]) -> None:
        self.session = sessions.Session()
        self._on_lost = on_lost
        self.transport: asyncio.Transport | None = None
        self.changed = asyncio.Event()
        self._loop = loop
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


class Follower(Protocol):
    """An object that is subscribed again over the next connection."""

    _queue: FrameQueue

    async def _begin_again(self, places: Places, in_order: bool = False) -> None: ...


class Connection:
    """A connection to a server, which another may replace after a loss. It is open once _open() has returned."""

    def __init__(self, address: sessions.Address, hello: dict[str, Any], timeout: float | None, connect_timeout: float | None,
                 resume: bool | float, follow: bool, on_session: OnSession | None) -> None:
        self.address = address
        self.timeout = timeout
        self._connect_timeout = connect_timeout
        self._streams: weakref.WeakSet[Follower] = weakref.WeakSet()
        self._hello = hello
        self._key = ""
        #: Whether the last connection resumed the earlier session.
        self.resumed = False
        self._resume = resume
        self._follow = follow
        self._stayed: Error | None = None  # why it did not follow a world
        self._on_session = on_session
        self._away = Away()
        self._reviving: asyncio.Task[None] | None = None  # it connects again; others wait for it
        self._wire: Wire

    async def _dial(self, timeout: float | None, there: sessions.Address | None = None) -> Wire:
        address = there or self.address
        host, port = address
        loop = asyncio.get_running_loop()
        secure = address.tls.context() if address.tls else None
        try:
            _, wire = await asyncio.wait_for(
                loop.create_connection(lambda: Wire(loop, self._lost), host, port, ssl=secure), timeout)
            return wire
        except (TimeoutError, asyncio.TimeoutError):
            raise Timeout(f"{host}:{port} does not answer") from None
        except ssl.SSLError as error:
            raise not_secure(f"{host}:{port}", error) from error
        except OSError as error:
            raise ConnectionLost(f"no server at {host}:{port}: {error.strerror or error}") from error

    async def _open(self) -> None:
        self._wire = await self._dial(self._connect_timeout)
        try:
            answer = api.SessionHelloResult(
                await self._call("session.hello", {**self._hello, **sessions.resuming(self._key)}))
            sessions.check_version(answer)
        except BaseException:
            await self._drop()
            raise
        self._greeted(answer)

    def _greeted(self, answer: api.SessionHelloResult) -> None:
        self.session = answer.session
        self.user = answer.user
        #: This person's role on the server: "viewer", "editor" or "admin". Without tokens it is "admin".
        self.role: str = answer["role"] if "role" in answer else "admin"
        self._key = getattr(answer, "resume", "")
        self.resumed = getattr(answer, "resumed", False)
        self._session.visit.begin(answer)
        self._session.follows = self._follow
        self._session.keeps = self._resume is not False and bool(self._key)

    @property
    def _session(self) -> sessions.Session:
        return self._wire.session

    async def close(self) -> None:
        """Ends the session and its connection. Calls under way end with Closed."""
        self._key = ""
        if self._session.failed is None and self._wire.transport:
            self._wire.transport.write(sessions.LEAVE)  # as much as the system takes at once
        await self._drop()

    async def _drop(self) -> None:
        if self._reviving and self._reviving is not asyncio.current_task():
            self._reviving.cancel()
            self._reviving = None
        if self._session.away:
            self._session.give_up(sessions.closed())
        self._session.fail(sessions.closed())
        if self._wire.transport:
            self._wire.transport.abort()
        self._wire.wake()
        await asyncio.sleep(0)

    @property
    def connected(self) -> bool:
        return self._session.failed is None

    async def reconnect(self) -> None:
        """Connects again, for example after ConnectionLost, and resumes the session if the server still has it (`resumed` says
        so): then grabs still hold. Calls under way have ended; with resume they are continued instead, and this need not be
        called. Open streams are subscribed again with their last options; one that cannot be ends with StreamClosed. Worlds
        that were joined must be joined again. At another server ids may refer to other things, but names stay."""
        await self._drop()
        self._away = Away()
        await self._open()
        await self._resubscribe()

    async def _resubscribe(self, places: Places | None = None, in_order: bool = False) -> None:
        for stream in list(self._streams):
            if stream._queue in self._session.streams.values():
                continue
            try:
                await stream._begin_again(places or Places(), in_order)
            except Error as error:
                if isinstance(error, ConnectionLost) or (isinstance(error, api.Moved) and not self._holds()):
                    raise
                stream._queue.ended = StreamClosed(f"it could not be subscribed again: {error}")
                self._streams.discard(stream)

    # Coming back by itself

    def _lost(self) -> None:
        """A connection has ended, or the client is to go to another server. The task that connects handles the loss of its own
        connection."""
        if self._reviving is not None or not hasattr(self, "_wire"):
            return
        if self._session.moved:
            self._reviving = asyncio.get_running_loop().create_task(self._go())
        elif self._session.away:
            self._reviving = asyncio.get_running_loop().create_task(self._revive())

    async def _revive(self) -> None:
        away = self._away
        try:
            away.begin(self._session.visit.grace_s if self._resume is True else float(self._resume), self._session.visit.others)
            self._tell("away", [])
            while self._session.away:
                await asyncio.sleep(max(0.0, away.retry_at - time.monotonic()))
                there = away.elsewhere(self._session.visit.others)
                if there:
                    self._session.moved = there
                    await self._go_there()
                    away.failed()
                    continue
                try:
                    self._tell("back", await self._come_back())
                except Error as error:
                    away.failed()
                    if self._session.away and (not may_pass(error) or time.monotonic() > away.until):
                        self._session.give_up(away.over(error))
        finally:
            self._reviving = None
            if self._session.away:
                self._session.give_up(sessions.closed())
            self._wire.wake()

    def _tell(self, change: SessionChange, rejoin: list[int]) -> None:
        if self._on_session:
            self._on_session("anew" if change == "back" and not self.resumed else change, rejoin)

    async def _come_back(self) -> list[int]:
        """Returns the worlds to join again."""
        wire = await self._dial(TRY_S if self._connect_timeout is None else min(TRY_S, self._connect_timeout))
        if wire.session.failed:  # gone already; nothing else will report that
            raise sessions.again(wire.session.failed)
        before, self._wire = self._wire, wire
        session = wire.session = sessions.Session(before=before.session)
        before.wake()
        try:
            greeting = {**self._hello, **session.visit.fields(session.unanswered())}
            answer = api.SessionHelloResult(await self._call("session.hello", greeting))
            sessions.check_version(answer)
            self._greeted(answer)
            if self.resumed:
                for data in session.again(ids_in(answer, "lost")):
                    wire.write([data])
            else:
                session.lose_calls(ConnectionLost("the session is gone, and nobody knows what became of this"))
            await self._resubscribe()
            for pieces in session.anew():
                wire.write(pieces)
            return rejoin_of(answer)
        except BaseException:
            session.ended("the connection broke before it was back")
            if wire.transport:
                wire.transport.abort()
            raise

    # Following a world, as weft.client does.

    async def _go_there(self) -> None:
        self._stayed = None
        places = Places(OPENING_S)
        moved: dict[int, int] = {}
        rejoin: list[int] = []
        while self._session.moved:
            try:
                await self._change_server(moved)
                await self._join_again(moved, rejoin, places)
                await self._resubscribe(places, in_order=True)
            except Error as error:
                pause = places.pause_s(error) if isinstance(error, api.Moved) else None
                if pause is not None and error.address and self._session.failed is None:
                    await asyncio.sleep(pause)
                    self._session.moved = error.address
                    continue
                self._stay(places.told(error))
                return
            self._tell("moved", rejoin)

    async def _go(self) -> None:
        try:
            await self._go_there()
        finally:
            self._reviving = None
            self._lost()
            self._wire.wake()

    def _stay(self, why: Error) -> None:
        self._stayed = why
        session = self._session
        session.moved = ""
        there = list(session.streams.values())
        for stream in list(self._streams):
            if stream._queue not in there and not session.away:
                stream._queue.end(StreamClosed(f"its world moved, and this client did not go along: {why}"))

    def _holds(self) -> bool:
        session = self._session
        return session.failed is None and bool(session.visit.joined or session.streams)

    async def _change_server(self, moved: dict[int, int]) -> None:
        before, session, target = self._wire, self._session, self._session.moved
        try:
            # All notices of the move come before its answer. Other calls under way are answered here.
            await self._call("server.ping", {})
            await self._wait(lambda: not session.waiting or None, TRY_S, "what else was asked was not answered")
        except ConnectionLost:
            pass  # fine: it may have given its worlds away because it shuts down
        if self._holds():
            raise ConnectionLost(f"other worlds or streams keep this client at its server; another client can connect to {target}")
        there = sessions.moved_to(target, self.address)
        wire = await self._dial(TRY_S if self._connect_timeout is None else min(TRY_S, self._connect_timeout), there)
        moved.update(session.visit.part())
        session.leave()
        if before.transport and not before.transport.is_closing():
            before.transport.write(sessions.LEAVE)
            before.transport.close()
        self.address = there
        self._wire = wire
        wire.session = sessions.Session(before=session)
        wire.session.lose_calls(ConnectionLost("the server is gone, and nobody knows what became of this"))
        before.wake()
        try:
            answer = api.SessionHelloResult(await self._call("session.hello", self._hello))
            sessions.check_version(answer)
            self._greeted(answer)
        except Error as error:
            self._session.give_up(ConnectionLost(f"not let in at {target}, where a world moved: {error}"))
            raise

    async def _join_again(self, moved: dict[int, int], rejoin: list[int], places: Places) -> None:
        for world, revision in list(moved.items()):
            try:
                joined = api.WorldJoinResult(await self._patiently("world.join", {"world": world}, places))
                if joined.revision != revision:
                    rejoin.append(world)
            except Error as error:
                if isinstance(error, ConnectionLost) or (isinstance(error, api.Moved) and not self._holds()):
                    raise
                rejoin.append(world)
            del moved[world]

    async def _patiently(self, method: str, fields: Mapping[str, Any], places: Places) -> Any:
        """Repeats a call while its world may be about to be opened."""
        while True:
            try:
                return await self._call(method, fields)
            except api.Busy as error:
                pause = places.pause_s(error)
                if pause is None:
                    raise
                await asyncio.sleep(pause)

    async def _ask_there(self, method: str, why: Error, wire: Wire) -> None:
        """Goes to the server of a call's world, unless another task has done so meanwhile."""
        if not isinstance(why, api.Moved) or not why.address or wire is not self._wire:
            return
        wire.session.moved = why.address
        self._lost()
        await self._stand(method)
        if wire is self._wire:
            raise why from self._stayed

    async def _stand(self, method: str) -> bool:
        """Waits until there is a connection, if one may come. Returns whether the caller is the one to make it."""
        task = self._reviving
        if task is None:
            return False
        if task is asyncio.current_task():
            return True
        done, _ = await asyncio.wait([task], timeout=self.timeout)
        if not done:
            raise Timeout(f"{method}: no connection within {self.timeout:g} s")
        return False

    # Calls

    def notify(self, method: str, /, **fields: Any) -> None:
        """Sends without an answer, as a drag does with grab.move. Refusals come as notices of the method error."""
        if self._reviving:
            raise ConnectionLost(f"{method} was not sent: the connection is away")
        self._wire.write(self._session.notification(method, fields))

    async def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        if method == "session.hello":
            fields = sessions.introducing(self._hello, fields)
        uploads, fields = self._wire.session.uploads(method, fields)
        for upload in uploads:
            await self._call("world.upload", upload)
        places = Places()
        while True:
            passing = await self._stand(method)
            wire = self._wire
            try:
                return await self._call_once(method, fields, patient, passing)
            except Error as error:
                pause = places.pause_s(error) if self._follow and not passing else None
                if pause is None:
                    raise places.told(error)
                await asyncio.sleep(pause)
                await self._ask_there(method, error, wire)

    async def _call_once(self, method: str, fields: Mapping[str, Any], patient: bool, passing: bool) -> Any:
        wire = self._wire
        call = Call(method, asyncio.get_running_loop(), passing)
        _, pieces = wire.session.request(call, fields)
        timeout = TRY_S if passing else None if patient else self.timeout
        try:
            wire.write(pieces)
            await wire.drained()
            result = await within(call.future, timeout, f"{method}: no answer")
        finally:
            self._session.forget(call)
        if method == "session.hello":
            self._hello = sessions.greeting(fields)
        return result

    async def _wait(self, look: Callable[[], T | None], timeout: float | None, what: str) -> T:
        """Waits until look() returns a result."""
        loop = asyncio.get_running_loop()
        deadline = None if timeout is None else loop.time() + timeout
        while True:
            found = look()
            if found is not None:
                return found
            coming = self._session.away or self._session.moved or self._reviving
            if self._session.failed and (not coming or self._reviving is asyncio.current_task()):
                raise sessions.again(self._session.failed)
            changed = asyncio.ensure_future(self._wire.changed.wait())
            try:
                await asyncio.wait([changed], timeout=None if deadline is None else max(0.0, deadline - loop.time()))
            finally:
                changed.cancel()
            if deadline is not None and loop.time() >= deadline:
                found = look()
                if found is not None:
                    return found
                raise Timeout(f"{what} within {timeout:g} s")
