"""The blocking client: what is asked of a connection, and the objects of its worlds.

    with weft.connect() as client:
        world = client.create("flag")

Threads: every method of a Client and of its objects may be called from any thread. There is no thread of its own:
whoever waits reads the socket for all, one at a time, and wakes the others. A Stream is iterated by one thread.
Nothing is received while nobody waits; a live stream then loses frames at the server, and says how many.
"""
from __future__ import annotations

import os
import time
from typing import Any, Iterable, Iterator, Literal, Mapping
from urllib.parse import quote

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weft import api, programs, session as sessions
from weft._calls import BodyCalls, ClientCalls, ColliderCalls, ConstraintsCalls, GrabCalls, StreamCalls, WorldCalls
from weft.connection import Call as Call, Connection, Places
from weft.errors import Closed, ConnectionLost, Error
from weft.frames import Credit, Frame, FrameQueue
from weft.handles import BodyRef, ColliderRef, WorldRef, named
from weft.picture import Picture, View, draw, piece_of
from weft.secure import TLS, Path, chosen
from weft.twin import Twin
from weft.unpacking import Unpacker
from weft.visit import OnSession as OnSession, SessionChange as SessionChange

Kind = api.Kind


class Client(Connection, ClientCalls["World"]):
    """A connection to a server. Made by weft.connect().

    timeout: seconds to wait for an answer, or None; it may be changed at any time. World.step waits for as long
    as it takes. message_bytes: the largest message that is sent; the server's limit.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        user: str = "",
        client: str = "weft-python",
        token: str | None = None,
        timeout: float | None = 60.0,
        connect_timeout: float | None = 10.0,
        tls: TLS | None = None,
        resume: bool | float = False,
        follow: bool = True,
        on_session: OnSession | None = None,
    ) -> None:
        self._bound = {}
        #: The studio's address, for World.view(); known of servers that weft.serve() started.
        self.studio: str | None = None
        super().__init__(sessions.address_of(address, tls), sessions.hello_of(client, user, token, follow), timeout,
                         connect_timeout, resume, follow, on_session)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        host, port = self.address
        return f"<weft Client of {host}:{port}{', ' + str(self._session.failed) if self._session.failed else ''}>"

    def _make_world(self, answer: api.WorldCreateResult | api.WorldOpenResult, given: Mapping[str, Any]) -> World:
        return World(self, {"world": answer.world}, answer)

    def world(self, world: WorldRef) -> World:
        """The world of an id or a name, without asking whether there is one."""
        return World(self, {"world": named(world)})

    # Calls

    def call(self, method: str, /, **fields: Any) -> Any:
        """Any method by its name, for what has no method here. Returns the record of its result."""
        return sessions.record_of(method, self._call(method, fields))

    def submit(self, method: str, /, **fields: Any) -> Call:
        """Sends a request and does not wait: call.result() does. Many of them one after the other need no more
        time than one way and back."""
        return self._submit(method, fields)

    # Notices

    def notice(self, *methods: str, timeout: float | None = None) -> sessions.Notice:
        """The next of what the server sent by itself, of these methods or of any; the others stay. Worlds tell of
        edits when they were joined. At most 10,000 are kept, the newest; notices_dropped counts the rest."""

        def look() -> sessions.Notice | None:
            notices = self._session.notices
            for notice in notices:
                if not methods or notice.method in methods:
                    notices.remove(notice)
                    return notice
            return None

        return self._wait(look, timeout, "no notice came")

    def notices(self, *methods: str) -> Iterator[sessions.Notice]:
        """What the server sends by itself, as it comes, without end."""
        while True:
            yield self.notice(*methods)

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
    """A world. `with client.create() as world:` deletes it at the end."""

    def __init__(self, client: Client, bound: Mapping[str, Any], answer: api.WorldCreateResult | api.WorldOpenResult | None = None) -> None:
        self.client = client
        self._bound = bound
        #: What world.create answered; None for a world that was not made by this program.
        self.answer = answer

    def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        return self.client._call(method, fields, patient)

    def _make_body(self, answer: api.BodyAddResult, given: Mapping[str, Any]) -> Body:
        return Body(self, {**self._bound, "body": answer.body}, answer)

    def _make_constraints(self, answer: api.ConstraintAddResult, given: Mapping[str, Any]) -> Constraints:
        return Constraints(self, {**self._bound, "constraints": answer.constraints}, answer)

    def _make_collider(self, answer: api.ColliderAddResult, given: Mapping[str, Any]) -> Collider:
        return Collider(self, {**self._bound, "collider": answer.collider}, answer)

    def _make_stream(self, answer: api.StreamSubscribeResult, given: Mapping[str, Any]) -> Stream:
        return Stream(self, {"stream": answer.stream}, given, answer)

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.delete()
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

    def iter_constraints(self, type: Kind = "distance", **options: Any) -> Iterator[api.ConstraintListResult]:
        """All constraints of a kind, page by page; options as for list_constraints."""
        after = int(options.pop("after", 0))
        while True:
            page = self.list_constraints(type, after=after, **options)
            yield page
            after = page.next
            if after == 0:
                return

    # Files and pictures

    def load(self, mesh: Any, /, **options: Any) -> Body:
        """Adds a mesh: of a file, as `weft load` reads it, with its options as words (pin="top-edge", fit=1.5, up="z",
        material="silk", soft=500); or of trimesh, meshio, or a pair of positions and triangles, with the same options or
        those of add_body()."""
        fields = programs.mesh_fields(mesh)
        if fields is None:
            answer = programs.load(self.client.address, self.ref, mesh, options)
        elif programs.LOAD_ALONE & options.keys():
            answer = programs.load_fields(self.client.address, self.ref, fields, options)
        else:
            return self.add_body(**{**fields, **options})
        return self._make_body(api.BodyAddResult(answer), {})

    def record(self, path: str | os.PathLike[str], *, seconds: float | None = None, ticks: int | None = None,
               **options: Any) -> dict[str, Any]:
        """Writes what the world does from now on, as `weft record` does: the end of the name says as what (.npz, .pc2,
        .glb …), options are its own (every=2, substeps=True, lossless=True). Needs seconds or ticks; a paused world is
        recorded with lossless=True, which steps it. Returns how many frames were kept and missed."""
        if seconds is None and ticks is None:
            raise api.Invalid("seconds or ticks: one of them says when to end", field="seconds")
        told: dict[str, Any] = programs.run(self.client.address, *programs.record_words(
            self.ref, path, {"seconds": seconds, "ticks": ticks, **options}))
        return told

    def bake(self, path: str | os.PathLike[str] | None = None, *, seconds: float | None = None,
             ticks: int | None = None, values: Mapping[str, Any] | None = None, **options: Any) -> list[dict[str, Any]]:
        """Computes on from how the world stands, without the server and as fast as it goes: `weft bake`. path: what to
        write; values: {"body.flag.stretch.compliance": [1e-7, 1e-6]} bakes each combination. A row for each: ticks,
        energies, hash. The world itself stays as it is."""
        if seconds is None and ticks is None:
            raise api.Invalid("seconds or ticks: one of them says how far", field="seconds")
        return programs.bake(self.client.address, self.ref, path, values,
                             {"seconds": seconds, "ticks": ticks, **options})

    def twin(self, *, timeout: float | None = None) -> Twin:
        """Runs the world on this machine as it runs at the server, from what decides its future: some KB a second, whatever
        is asked of it. Waits until it stands. timeout: of what is asked of it, in s; by default the client's."""
        made = Twin(self.client.address, self.ref, self.client._hello.get("token"),
                    self.client.timeout if timeout is None else timeout)
        try:
            made.wait()
        except BaseException:
            made.close()
            raise
        return made

    def view(self, width: int = 800, height: int = 500) -> View:
        """The studio with this world, in a notebook: put it last in a cell. The client must know the studio's address:
        one of weft.serve() does, for others set client.studio."""
        if not self.client.studio:
            raise api.Invalid("the studio's address is not known: set client.studio, as http://127.0.0.1:9339/")
        return View(f"{self.client.studio.rstrip('/')}/#world={quote(str(self.ref))}", width, height)

    def picture(self, *, width: int = 640, height: int = 480, eye: ArrayLike = (0.6, 0.45, 1.0)) -> Picture:
        """How it stands now, as a figure for a notebook: needs no studio. eye: the direction that it is seen from."""
        with connect(sessions.address_text(self.client.address), client="weft-python picture",
                     tls=self.client.address.tls or False) as client:
            world = client.world(self.ref)
            pieces = []
            for summary in (world.join()).bodies:
                body = world.body(summary.body)
                about = body.get()
                state = body.state("positions" if about.skin is None else "skin")
                pieces.append(piece_of(about, state))
        return draw(pieces, width=width, height=height, eye=eye)


def ids_of(ids: Any) -> NDArray[np.uint32]:
    if isinstance(ids, api.IdRange):
        return np.arange(ids.first, ids.first + ids.count, dtype=np.uint32)
    array: NDArray[np.uint32] = np.atleast_1d(np.asarray(ids))
    return array


class Body(BodyCalls["Grab"]):
    """A body of a world."""

    def __init__(self, world: World, bound: Mapping[str, Any], answer: api.BodyAddResult | None = None) -> None:
        self.world = world
        self._bound = bound
        #: What body.add answered: constraints, warnings …; None for a body that was not made by this program.
        self.answer = answer

    def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        return self.world.client._call(method, fields, patient)

    def _make_grab(self, answer: api.GrabBeginResult, given: Mapping[str, Any]) -> Grab:
        return Grab(self.world, {**self.world._bound, "grab": answer.grab}, answer)


class Constraints(ConstraintsCalls):
    """Constraints of a world, by their ids."""

    def __init__(self, world: World, bound: Mapping[str, Any], answer: api.ConstraintAddResult | None = None) -> None:
        self.world = world
        self._bound = bound
        self.answer = answer

    def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        return self.world.client._call(method, fields, patient)

    @property
    def ids(self) -> NDArray[np.uint32]:
        ids: NDArray[np.uint32] = self._bound["constraints"]
        return ids

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<weft {len(self)} Constraints>"


class Collider(ColliderCalls):
    """A collider of a world."""

    def __init__(self, world: World, bound: Mapping[str, Any], answer: api.ColliderAddResult | None = None) -> None:
        self.world = world
        self._bound = bound
        self.answer = answer

    def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        return self.world.client._call(method, fields, patient)


class Grab(GrabCalls):
    """A particle that is held. `with body.grab(3) as grab:` lets it go at the end."""

    def __init__(self, world: World, bound: Mapping[str, Any], answer: api.GrabBeginResult | None = None) -> None:
        self.world = world
        self._bound = bound
        self.answer = answer

    def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        return self.world.client._call(method, fields, patient)

    def drag(self, target: ArrayLike) -> None:
        """As move(), without waiting for an answer: for many moves a second. [m]"""
        self.world.client.notify("grab.move", **self._bound, target=target)

    def __enter__(self) -> Grab:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.end()
        except (api.NotFound, ConnectionLost, Closed):
            pass


class Stream(StreamCalls):
    """Frames of a world: `for frame in stream`. `with world.subscribe() as stream:` ends it at the end.

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
        self._credit = Credit(self._wishes)
        self._given = self._from = (0, 0)  # tick and substep of a frame
        self._last: int | None = None  # tick of the last frame that was given
        self._after: int | None = None  # of the next one
        world.client._streams.add(self)

    def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        client = self.world.client
        result = client._call(method, {**fields, "stream": self}, patient)
        if method == "stream.set":
            self._wishes.update((name, value) for name, value in fields.items() if name != "stream")
            if "bodies" in fields and np.size(fields["bodies"]) == 0:
                del self._wishes["bodies"]
        elif method == "stream.unsubscribe":
            with client._lock:
                client._session.end_stream(self.id, Closed("the stream was closed"))
                client._lock.notify_all()
            client._streams.discard(self)
        return result

    def close(self) -> None:
        """Ends the stream, if it has not ended."""
        if self._queue.ended is None:
            try:
                self.unsubscribe()
            except (api.NotFound, ConnectionLost, Closed):
                pass
        self.world.client._streams.discard(self)

    def resubscribe(self) -> None:
        """Subscribes anew with the same wishes, after the stream ended or the connection was lost."""
        if self._queue.ended is None:
            self.unsubscribe()
        self._begin_again(Places())

    def _begin_again(self, places: Places, in_order: bool = False) -> None:
        """in_order: nothing from before the frame that was given last."""
        client, old = self.world.client, self._queue
        self.answer = api.StreamSubscribeResult(client._patiently("stream.subscribe", self._wishes, places))
        with client._lock:
            self._bound = {"stream": self.answer.stream}
            self._queue = client._session.streams[self.id]
            self._queue.follow(old)
        self._from = self._given if in_order else (0, 0)
        self._after = self._last
        self._unpacker = Unpacker()
        self._credit = Credit(self._wishes)
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

    def next(self, timeout: float | None = None) -> Frame:
        """The next frame; Timeout if none comes in so many seconds. Without a timeout the stream's holds."""
        timeout = self.timeout if timeout is None else timeout
        deadline = None if timeout is None else time.monotonic() + timeout
        rest = timeout
        while True:
            frame: Frame = self.world.client._wait(self._take, rest, "no frame came")
            self._credit.taken(frame, self._queue, self.world.client.notify)
            if self._unpacked(frame) and (frame.tick, frame.substep) >= self._from:
                self._give(frame)
                return frame
            rest = None if deadline is None else max(0.0, deadline - time.monotonic())

    def _give(self, frame: Frame) -> None:
        self._given = (frame.tick, frame.substep)
        frame.after, self._after = self._after, None
        self._last = frame.tick

    def _unpacked(self, frame: Frame) -> bool:
        """Whether the frame has its floats; what is compressed is read in the order in which it came."""
        if not frame.packed:
            return True
        client, stream = self.world.client, self.id
        for body in self._unpacker.missing(frame):
            try:
                self._unpacker.learn(body, client._call("body.get", {"world": frame.world, "body": body}))
            except api.NotFound:
                self._unpacker.learn(body, None)
        if self._unpacker.unpack(frame):
            return True
        if self._unpacker.should_ask() and self.id == stream:
            try:
                client._call("stream.set", {"stream": stream})
            except api.NotFound:
                pass  # it is over
        return False

    def latest(self, timeout: float | None = None) -> Frame:
        """The newest frame, once there is one; older ones that wait are left out and counted as dropped."""
        frame = self.next(timeout)
        client = self.world.client
        with client._lock:
            client._pump_all()
        while True:
            with client._lock:
                newer = self._queue.take()
            if newer is None:
                return frame
            self._credit.taken(newer, self._queue, self.world.client.notify)
            if self._unpacked(newer) and (newer.tick, newer.substep) >= self._from:
                self._give(newer)
                newer.dropped += frame.dropped + 1
                newer.after = frame.after if newer.after is None else newer.after
                frame = newer

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        try:
            return self.next()
        except Closed:
            raise StopIteration from None

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def gather(calls: Iterable[Call], timeout: float | None = None) -> list[Any]:
    """The results of calls that were submitted, in their order; raises the first error among them, after all
    were answered."""
    done: list[Any] = []
    failed: Error | None = None
    for call in calls:
        try:
            done.append(call.result(timeout))
        except Error as error:
            failed = failed or error
    if failed:
        raise failed
    return done


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
    follow: bool = True,
    on_session: OnSession | None = None,
) -> Client:
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

    follow: go where a world is, where several servers share them. Such a client goes to the server that runs the world that it asks
    for, with its streams and what it joined, also when that changes later; on_session is told "moved". It is at one server at
    a time: who is in worlds of several at once makes a client for each. Where something else holds it, Moved is raised, with the
    address. Where a server dies, one that is to come back (resume) goes on at another.
    """
    return Client(address, user=user, client=client, token=token, timeout=timeout, connect_timeout=connect_timeout,
                  tls=chosen(tls, ca, cert, key, tls_verify), resume=resume, follow=follow, on_session=on_session)
