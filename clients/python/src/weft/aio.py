"""The asyncio client: as weft.client, with every call a coroutine and streams as asynchronous iterators.

    async with weft.aio.connect() as client:
        world = await client.create("flag")

A client belongs to the event loop in which it was connected, and is used in that loop's thread alone. Bytes are
received whenever the loop runs, so what waits in a stream is bounded by its keep and keep_bytes.
"""
from __future__ import annotations

import asyncio
import os
import ssl
import time
import weakref
from typing import Any, AsyncIterator, Callable, Generator, Mapping, TypeVar
from urllib.parse import quote

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weft import api, programs, session as sessions
from weft._async_calls import BodyCalls, ClientCalls, ColliderCalls, ConstraintsCalls, GrabCalls, StreamCalls, WorldCalls
from weft.client import Away, Kind, OnSession, SessionChange, ids_of, keep_alive, record_of
from weft.errors import Closed, ConnectionLost, Error, StreamClosed, Timeout
from weft.frames import Frame, FrameQueue
from weft.handles import BodyRef, ColliderRef, WorldRef, named
from weft.packing import Piece
from weft.picture import Picture, View, draw, piece_of
from weft.secure import TLS, Path, chosen, not_secure
from weft.unpacking import Unpacker
from weft.visit import TRY_S, ids_in, may_pass, rejoin_of

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
        """Whoever waits for frames or notices looks again."""
        self.changed.set()
        self.changed = asyncio.Event()

    def write(self, pieces: list[Piece]) -> None:
        assert self.transport is not None
        # One copy: what is not sent at once must not change with the caller's arrays.
        self.transport.write(pieces[0] if len(pieces) == 1 else b"".join(pieces))

    async def drained(self) -> None:
        await self._writable.wait()


async def within(waiting: asyncio.Future[T], timeout: float | None, what: str) -> T:
    """The outcome of a future; Timeout after so many seconds."""
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


class Client(ClientCalls["World"]):
    """A connection to a server. Made by weft.aio.connect().

    timeout: seconds to wait for an answer, or None; it may be changed at any time. World.step waits for as long
    as it takes. message_bytes: the largest message that is sent; the server's limit.
    """

    def __init__(self, address: str | None, user: str, client: str, token: str | None, timeout: float | None,
                 connect_timeout: float | None, tls: TLS | None = None, resume: bool | float = False,
                 on_session: OnSession | None = None) -> None:
        self._bound = {}
        self.address = sessions.address_of(address, tls)
        #: The studio's address, for World.view(); known of servers that weft.serve() started.
        self.studio: str | None = None
        self.timeout = timeout
        self._connect_timeout = connect_timeout
        self._streams: weakref.WeakSet[Stream] = weakref.WeakSet()
        self._hello: dict[str, Any] = sessions.hello_of(client, user, token)
        self._key = ""
        #: Whether the last connection went on with the session that there was.
        self.resumed = False
        self._resume = resume
        self._on_session = on_session
        self._away = Away()
        self._reviving: asyncio.Task[None] | None = None  # it connects again; others wait for it
        self._wire: Wire

    async def _dial(self, timeout: float | None) -> Wire:
        host, port = self.address
        loop = asyncio.get_running_loop()
        secure = self.address.tls.context() if self.address.tls else None
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
        #: What this person may do in the server: "viewer", "editor" or "admin". Of a server that knows no tokens, admin.
        self.role: str = answer["role"] if "role" in answer else "admin"
        self._key = getattr(answer, "resume", "")
        self.resumed = getattr(answer, "resumed", False)
        self._session.visit.begin(answer)
        self._session.keeps = self._resume is not False and bool(self._key)

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        host, port = self.address
        return f"<weft.aio Client of {host}:{port}>"

    @property
    def _session(self) -> sessions.Session:
        return self._wire.session

    async def close(self) -> None:
        """Ends the session and its connection. Calls under way end with Closed."""
        self._key = ""
        if self._session.failed is None and self._wire.transport:
            self._wire.transport.write(sessions.LEAVE)  # as far as the system takes it at once
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
        """Connects again, after ConnectionLost for example, and goes on with the session where the server still has
        it (resumed says so): then grabs hold as they did. Calls under way have ended; with resume they are gone on with
        instead, and nobody has to call this. Open streams are subscribed again with what they were
        last told; one that cannot be ends with StreamClosed. Worlds that were joined must be joined again. Where the
        server is another one, ids may name other things: names last longer."""
        await self._drop()
        self._away = Away()
        await self._open()
        await self._resubscribe()

    async def _resubscribe(self) -> None:
        for stream in list(self._streams):
            try:
                await stream._begin_again()
            except ConnectionLost:
                raise
            except Error as error:
                stream._queue.ended = StreamClosed(f"it could not be subscribed again: {error}")
                self._streams.discard(stream)

    # Coming back by itself

    def _lost(self) -> None:
        """A connection has ended. That of the task that connects is the task's to see."""
        if self._reviving is None and hasattr(self, "_wire") and self._session.away:
            self._reviving = asyncio.get_running_loop().create_task(self._revive())

    async def _revive(self) -> None:
        away = self._away
        try:
            away.begin(self._session.visit.grace_s if self._resume is True else float(self._resume))
            self._tell("away", [])
            while self._session.away:
                await asyncio.sleep(max(0.0, away.retry_at - time.monotonic()))
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
        """Gives the worlds that are to be joined again."""
        wire = await self._dial(TRY_S if self._connect_timeout is None else min(TRY_S, self._connect_timeout))
        if wire.session.failed:  # gone already, which nobody will be told again
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

    async def _stand(self, method: str) -> bool:
        """Waits until there is a connection, where one may come. Whether the caller is who brings it."""
        task = self._reviving
        if task is None:
            return False
        if task is asyncio.current_task():
            return True
        done, _ = await asyncio.wait([task], timeout=self.timeout)
        if not done:
            raise Timeout(f"{method}: no connection within {self.timeout:g} s")
        return False

    def _make_world(self, answer: api.WorldCreateResult | api.WorldOpenResult, given: Mapping[str, Any]) -> World:
        return World(self, {"world": answer.world}, answer)

    def world(self, world: WorldRef) -> World:
        """The world of an id or a name, without asking whether there is one."""
        return World(self, {"world": named(world)})

    async def call(self, method: str, /, **fields: Any) -> Any:
        """Any method by its name, for what has no method here. Returns the record of its result."""
        return record_of(method, await self._call(method, fields))

    def notify(self, method: str, /, **fields: Any) -> None:
        """Sends without an answer, as a drag does with grab.move. Refusals come as notices of error."""
        if self._reviving:
            raise ConnectionLost(f"{method} was not sent: the connection is away")
        self._wire.write(self._session.notification(method, fields))

    async def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        uploads, fields = self._wire.session.uploads(method, fields)
        for upload in uploads:
            await self._call("world.upload", upload)
        passing = await self._stand(method)
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
            self._hello = {name: value for name, value in fields.items() if name not in sessions.RESUMING}
        return result

    async def _wait(self, look: Callable[[], T | None], timeout: float | None, what: str) -> T:
        """Until look() gives something."""
        loop = asyncio.get_running_loop()
        deadline = None if timeout is None else loop.time() + timeout
        while True:
            found = look()
            if found is not None:
                return found
            if self._session.failed and not self._session.away:
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

    async def notice(self, *methods: str, timeout: float | None = None) -> sessions.Notice:
        """The next of what the server sent by itself, of these methods or of any; the others stay. Worlds tell of
        edits when they were joined. At most 10,000 are kept, the newest; notices_dropped counts the rest."""

        def look() -> sessions.Notice | None:
            notices = self._session.notices
            for notice in notices:
                if not methods or notice.method in methods:
                    notices.remove(notice)
                    return notice
            return None

        return await self._wait(look, timeout, "no notice came")

    async def notices(self, *methods: str) -> AsyncIterator[sessions.Notice]:
        """What the server sends by itself, as it comes, without end."""
        while True:
            yield await self.notice(*methods)

    @property
    def notices_dropped(self) -> int:
        return self._session.notices_dropped

    @property
    def message_bytes(self) -> int:
        return self._session.message_bytes

    @message_bytes.setter
    def message_bytes(self, value: int) -> None:
        self._session.message_bytes = value


class World(WorldCalls["Body", "Constraints", "Collider", "Stream"]):
    """A world. `async with await client.create() as world:` deletes it at the end."""

    def __init__(self, client: Client, bound: Mapping[str, Any], answer: api.WorldCreateResult | api.WorldOpenResult | None = None) -> None:
        self.client = client
        self._bound = bound
        #: What world.create answered; None for a world that was not made by this program.
        self.answer = answer

    async def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        return await self.client._call(method, fields, patient)

    def _make_body(self, answer: api.BodyAddResult, given: Mapping[str, Any]) -> Body:
        return Body(self, {**self._bound, "body": answer.body}, answer)

    def _make_constraints(self, answer: api.ConstraintAddResult, given: Mapping[str, Any]) -> Constraints:
        return Constraints(self, {**self._bound, "constraints": answer.constraints}, answer)

    def _make_collider(self, answer: api.ColliderAddResult, given: Mapping[str, Any]) -> Collider:
        return Collider(self, {**self._bound, "collider": answer.collider}, answer)

    def _make_stream(self, answer: api.StreamSubscribeResult, given: Mapping[str, Any]) -> Stream:
        return Stream(self, {"stream": answer.stream}, given, answer)

    async def __aenter__(self) -> World:
        return self

    async def __aexit__(self, *_: object) -> None:
        try:
            await self.delete()
        except (api.NotFound, ConnectionLost, Closed):
            pass

    def body(self, body: BodyRef) -> Body:
        """The body of an id or a name, without asking whether there is one."""
        return Body(self, {**self._bound, "body": named(body)})

    def collider(self, collider: ColliderRef) -> Collider:
        """The collider of an id or a name, without asking whether there is one."""
        return Collider(self, {**self._bound, "collider": named(collider)})

    def constraints(self, ids: ArrayLike | api.IdRange) -> Constraints:
        """The constraints of these ids, or of a range of ids such as body.answer.constraints.distance."""
        return Constraints(self, {**self._bound, "constraints": ids_of(ids)})

    async def iter_constraints(self, type: Kind = "distance", **options: Any) -> AsyncIterator[api.ConstraintListResult]:
        """All constraints of a kind, page by page; options as for list_constraints."""
        after = int(options.pop("after", 0))
        while True:
            page = await self.list_constraints(type, after=after, **options)
            yield page
            after = page.next
            if after == 0:
                return

    # Files and pictures

    async def load(self, mesh: Any, /, **options: Any) -> Body:
        """Adds a mesh: of a file, as `weft load` reads it, with its options as words (pin="top-edge", fit=1.5, up="z",
        material="silk", soft=500); or of trimesh, meshio, or a pair of positions and triangles, with the same options or
        those of add_body()."""
        fields = programs.mesh_fields(mesh)
        if fields is None:
            answer = await asyncio.to_thread(programs.load, self.client.address, self.ref, mesh, options)
        elif programs.LOAD_ALONE & options.keys():
            answer = await asyncio.to_thread(programs.load_fields, self.client.address, self.ref, fields, options)
        else:
            return await self.add_body(**{**fields, **options})
        return self._make_body(api.BodyAddResult(answer), {})

    async def record(self, path: str | os.PathLike[str], *, seconds: float | None = None, ticks: int | None = None,
                     **options: Any) -> dict[str, Any]:
        """Writes what the world does from now on, as `weft record` does: the end of the name says as what (.npz, .pc2,
        .glb …), options are its own (every=2, substeps=True, lossless=True). Needs seconds or ticks; a paused world is
        recorded with lossless=True, which steps it. Returns how many frames were kept and missed."""
        if seconds is None and ticks is None:
            raise api.Invalid("seconds or ticks: one of them says when to end", field="seconds")
        told: dict[str, Any] = await asyncio.to_thread(programs.run, self.client.address, *programs.record_words(
            self.ref, path, {"seconds": seconds, "ticks": ticks, **options}))
        return told

    async def bake(self, path: str | os.PathLike[str] | None = None, *, seconds: float | None = None,
                   ticks: int | None = None, values: Mapping[str, Any] | None = None, **options: Any) -> list[dict[str, Any]]:
        """Computes on from how the world stands, without the server and as fast as it goes: `weft bake`. path: what to
        write; values: {"body.flag.stretch.compliance": [1e-7, 1e-6]} bakes each combination. A row for each: ticks,
        energies, hash. The world itself stays as it is."""
        if seconds is None and ticks is None:
            raise api.Invalid("seconds or ticks: one of them says how far", field="seconds")
        return await asyncio.to_thread(programs.bake, self.client.address, self.ref, path, values,
                                       {"seconds": seconds, "ticks": ticks, **options})

    def view(self, width: int = 800, height: int = 500) -> View:
        """The studio with this world, in a notebook: put it last in a cell. The client must know the studio's address:
        one of weft.serve() does, for others set client.studio."""
        if not self.client.studio:
            raise api.Invalid("the studio's address is not known: set client.studio, as http://127.0.0.1:9339/")
        return View(f"{self.client.studio.rstrip('/')}/#world={quote(str(self.ref))}", width, height)

    async def picture(self, *, width: int = 640, height: int = 480, eye: ArrayLike = (0.6, 0.45, 1.0)) -> Picture:
        """How it stands now, as a figure for a notebook: needs no studio. eye: the direction that it is seen from."""
        async with connect(sessions.address_text(self.client.address), client="weft-python picture",
                           tls=self.client.address.tls or False) as client:
            world = client.world(self.ref)
            pieces = []
            for summary in (await world.join()).bodies:
                body = world.body(summary.body)
                about = await body.get()
                state = await body.state("positions" if about.skin is None else "skin")
                pieces.append(piece_of(about, state))
        return draw(pieces, width=width, height=height, eye=eye)


class Body(BodyCalls["Grab"]):
    """A body of a world."""

    def __init__(self, world: World, bound: Mapping[str, Any], answer: api.BodyAddResult | None = None) -> None:
        self.world = world
        self._bound = bound
        #: What body.add answered: constraints, warnings …; None for a body that was not made by this program.
        self.answer = answer

    async def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        return await self.world.client._call(method, fields, patient)

    def _make_grab(self, answer: api.GrabBeginResult, given: Mapping[str, Any]) -> Grab:
        return Grab(self.world, {**self.world._bound, "grab": answer.grab}, answer)


class Constraints(ConstraintsCalls):
    """Constraints of a world, by their ids."""

    def __init__(self, world: World, bound: Mapping[str, Any], answer: api.ConstraintAddResult | None = None) -> None:
        self.world = world
        self._bound = bound
        self.answer = answer

    async def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        return await self.world.client._call(method, fields, patient)

    @property
    def ids(self) -> NDArray[np.uint32]:
        ids: NDArray[np.uint32] = self._bound["constraints"]
        return ids

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<weft.aio {len(self)} Constraints>"


class Collider(ColliderCalls):
    """A collider of a world."""

    def __init__(self, world: World, bound: Mapping[str, Any], answer: api.ColliderAddResult | None = None) -> None:
        self.world = world
        self._bound = bound
        self.answer = answer

    async def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        return await self.world.client._call(method, fields, patient)


class Grab(GrabCalls):
    """A particle that is held. `async with await body.grab(3) as grab:` lets it go at the end."""

    def __init__(self, world: World, bound: Mapping[str, Any], answer: api.GrabBeginResult | None = None) -> None:
        self.world = world
        self._bound = bound
        self.answer = answer

    async def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        return await self.world.client._call(method, fields, patient)

    def drag(self, target: ArrayLike) -> None:
        """As move(), without waiting for an answer: for many moves a second. [m]"""
        self.world.client.notify("grab.move", **self._bound, target=target)

    async def __aenter__(self) -> Grab:
        return self

    async def __aexit__(self, *_: object) -> None:
        try:
            await self.end()
        except (api.NotFound, ConnectionLost, Closed):
            pass


class Stream(StreamCalls):
    """Frames of a world: `async for frame in stream`. `async with await world.subscribe() as stream:` ends it at
    the end.

    The loop ends when close() was called; it raises StreamClosed when the server ended the stream, because the
    world was deleted for example, and ConnectionLost when the connection went. timeout: seconds to wait for a
    frame; None, the default, waits: a paused world sends none. keep and keep_bytes bound what waits to be looked at.
    """

    def __init__(self, world: World, bound: Mapping[str, Any], wishes: Mapping[str, Any],
                 answer: api.StreamSubscribeResult | None = None) -> None:
        self.world = world
        self._bound = dict(bound)
        self.answer = answer
        self.timeout: float | None = None
        self._wishes = dict(wishes)
        self._queue = world.client._session.streams.get(self.id, FrameQueue())
        self._unpacker = Unpacker()
        world.client._streams.add(self)

    async def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        client = self.world.client
        result = await client._call(method, {**fields, "stream": self}, patient)
        if method == "stream.set":
            self._wishes.update((name, value) for name, value in fields.items() if name != "stream")
            if "bodies" in fields and np.size(fields["bodies"]) == 0:
                del self._wishes["bodies"]
        elif method == "stream.unsubscribe":
            client._session.end_stream(self.id, Closed("the stream was closed"))
            client._wire.wake()
            client._streams.discard(self)
        return result

    async def close(self) -> None:
        """Ends the stream, if it has not ended."""
        if self._queue.ended is None:
            try:
                await self.unsubscribe()
            except (api.NotFound, ConnectionLost, Closed):
                pass
        self.world.client._streams.discard(self)

    async def resubscribe(self) -> None:
        """Subscribes anew with the same wishes, after the stream ended or the connection was lost."""
        if self._queue.ended is None:
            await self.unsubscribe()
        await self._begin_again()

    async def _begin_again(self) -> None:
        client, old = self.world.client, self._queue
        self.answer = api.StreamSubscribeResult(await client._call("stream.subscribe", self._wishes))
        self._bound = {"stream": self.answer.stream}
        self._queue = client._session.streams[self.id]
        self._queue.follow(old)
        self._unpacker = Unpacker()
        client._streams.add(self)

    @property
    def keep(self) -> int:
        """Frames that wait at most, 1024 unless it is changed; the oldest go first, counted as dropped."""
        return self._queue.keep

    @keep.setter
    def keep(self, value: int) -> None:
        self._queue.keep = value

    @property
    def keep_bytes(self) -> int:
        """Bytes of frames that wait at most, 64 MiB unless it is changed."""
        return self._queue.keep_bytes

    @keep_bytes.setter
    def keep_bytes(self, value: int) -> None:
        self._queue.keep_bytes = value

    @property
    def lagged(self) -> int:
        """Frames that the server left out since the stream began, as its last stream.lagged told."""
        return self._queue.lagged

    def _take(self) -> Frame | None:
        frame = self._queue.take()
        if frame is None and self._queue.ended:
            raise sessions.again(self._queue.ended)
        return frame

    async def next(self, timeout: float | None = None) -> Frame:
        """The next frame; Timeout if none comes in so many seconds. Without a timeout the stream's holds."""
        timeout = self.timeout if timeout is None else timeout
        deadline = None if timeout is None else time.monotonic() + timeout
        rest = timeout
        while True:
            frame: Frame = await self.world.client._wait(self._take, rest, "no frame came")
            if await self._unpacked(frame):
                return frame
            rest = None if deadline is None else max(0.0, deadline - time.monotonic())

    async def _unpacked(self, frame: Frame) -> bool:
        """Whether the frame has its floats; what is compressed is read in the order in which it came."""
        if not frame.packed:
            return True
        client, stream = self.world.client, self.id
        for body in self._unpacker.missing(frame):
            try:
                self._unpacker.learn(body, await client._call("body.get", {"world": frame.world, "body": body}))
            except api.NotFound:
                self._unpacker.learn(body, None)
        if self._unpacker.unpack(frame):
            return True
        if self._unpacker.should_ask() and self.id == stream:
            try:
                await client._call("stream.set", {"stream": stream})
            except api.NotFound:
                pass  # it is over
        return False

    async def latest(self, timeout: float | None = None) -> Frame:
        """The newest frame, once there is one; older ones that wait are left out and counted as dropped."""
        frame = await self.next(timeout)
        newer = self._queue.take()
        while newer is not None:
            if await self._unpacked(newer):
                newer.dropped += frame.dropped + 1
                frame = newer
            newer = self._queue.take()
        return frame

    def __aiter__(self) -> AsyncIterator[Frame]:
        return self

    async def __anext__(self) -> Frame:
        try:
            return await self.next()
        except Closed:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Stream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class Connecting:
    """What connect() gives: `await connect()` is a client; `async with connect() as client:` closes it at the end."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def _connected(self) -> Client:
        await self._client._open()
        return self._client

    def __await__(self) -> Generator[Any, None, Client]:
        return self._connected().__await__()

    async def __aenter__(self) -> Client:
        return await self._connected()

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()


def connect(
    address: str | None = None,
    *,
    user: str = "",
    client: str = "weft-python",
    token: str | None = None,
    timeout: float | None = 60.0,
    connect_timeout: float | None = 10.0,
    tls: bool | TLS | None = None,
    ca: Path | None = None,
    cert: Path | None = None,
    key: Path | None = None,
    tls_verify: bool | None = None,
    resume: bool | float = False,
    on_session: OnSession | None = None,
) -> Connecting:
    """Connects to a server: "HOST:PORT", by default what WEFT_SERVER in the environment says, or 127.0.0.1:9338.

    user: the name that others see. token: who one is, to a server that asks for tokens; by default that of WEFT_TOKEN, or
    of the file that WEFT_TOKEN_FILE names. timeout: seconds to wait for an answer, or None.

    tls: speak TLS, as "tls://HOST:PORT" does too; the server is known by its certificate, or NotSecure is raised. ca: file of
    the authorities that are trusted, in PEM; by default the system's. cert, key: one's own certificate, for servers that want
    one. What is not given is looked for in WEFT_TLS, WEFT_CA, WEFT_CERT and WEFT_KEY. tls_verify False takes any certificate:
    whoever is on the way can read and change everything.

    resume: go on by itself when the connection is lost: True for as long as the server keeps the session, or for so many
    seconds. Calls wait meanwhile, each is carried out and answered once, notices come without gap or repeat, and streams go on.
    on_session is told "away", then "back" with the worlds that are to be joined again, or "anew": then the session was gone, calls
    under way have ended with ConnectionLost, and worlds are to be joined again. Without it a lost connection is ConnectionLost at
    once.
    """
    return Connecting(Client(address, user, client, token, timeout, connect_timeout,
                             chosen(tls, ca, cert, key, tls_verify), resume, on_session))
