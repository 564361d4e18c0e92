"""The blocking client: the methods of a connection, and the objects of its worlds.

    with weft.connect() as client:
        world = client.create("flag")

Threads: every method of a Client and of its objects may be called from any thread. The client has no thread of its own: the
threads that wait take turns to read the socket for all, and wake the others. A Stream is iterated by one thread. Nothing is
received while no thread waits; the server then leaves out frames of a live stream, and the stream counts them.
"""
# Made by clients/python/generate.py from aio.py. Change that, not this.
from __future__ import annotations

import os
from typing import Any, Iterator, Mapping, Sequence
from urllib.parse import quote

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weft import api, programs, session as sessions
from weft._calls import BodyCalls, ClientCalls, ColliderCalls, ConstraintsCalls, GrabCalls, StreamCalls, WorldCalls
from weft.connection import Connection
from weft.deadlines import left, until
from weft.errors import Closed, ConnectionLost, again
from weft.frames import Credit, Frame, FrameQueue
from weft.handles import BodyRef, ColliderRef, WorldRef, named
from weft.picture import Picture, View, draw, piece_of
from weft.secure import TLS, Path, chosen
from weft.threads import Call as Call, sleep
from weft.twin import POLL_S, Moment, TwinProcess, Waiting
from weft.unpacking import Unpacker
from weft.visit import OnSession as OnSession, Places, SessionChange as SessionChange

Kind = api.Kind


class Client(Connection, ClientCalls["World"]):
    """A connection to a server. Made by weft.connect().

    timeout: seconds to wait for an answer, or None; it may be changed at any time. World.step waits as long as it takes.
    message_bytes: the size of the largest message that may be sent; the server's limit.
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
        #: The studio's address, for World.view(); known for servers that weft.serve() started.
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
        """The world with an id or a name. Does not ask the server whether it exists."""
        return World(self, {"world": named(world)})

    # Calls

    def call(self, method: str, /, **fields: Any) -> Any:
        """Calls any method by its name, for methods without a function here. Returns the record of its result."""
        return sessions.record_of(method, self._call(method, fields))

    # Notices

    def notice(self, *methods: str, timeout: float | None = None) -> sessions.Notice:
        """The next notice of one of these methods, or of any; notices of other methods stay. A world sends notices of edits
        after it was joined. The newest 10,000 are kept; notices_dropped counts the rest."""

        def look() -> sessions.Notice | None:
            notices = self._session.notices
            for notice in notices:
                if not methods or notice.method in methods:
                    notices.remove(notice)
                    return notice
            return None

        return self._wait(look, timeout, "no notice came")

    def notices(self, *methods: str) -> Iterator[sessions.Notice]:
        """Iterates over all notices of the server as they come, without end."""
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
        #: The answer of world.create; None for a world that this program did not create.
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
        """The body with an id or a name. Does not ask the server whether it exists."""
        return Body(self, {**self._bound, "body": named(body)})

    def collider(self, collider: ColliderRef) -> Collider:
        """The collider with an id or a name. Does not ask the server whether it exists."""
        return Collider(self, {**self._bound, "collider": named(collider)})

    def constraints(self, ids: ArrayLike | api.IdRange) -> Constraints:
        """The constraints with these ids, or with a range of ids such as body.answer.constraints.distance."""
        return Constraints(self, {**self._bound, "constraints": ids_of(ids)})

    def iter_constraints(self, type: Kind = "distance", **options: Any) -> Iterator[api.ConstraintListResult]:
        """Iterates over all constraints of a kind, page by page; options as for list_constraints."""
        after = int(options.pop("after", 0))
        while True:
            page = self.list_constraints(type, after=after, **options)
            yield page
            after = page.next
            if after == 0:
                return

    # Files and pictures

    def load(self, mesh: Any, /, **options: Any) -> Body:
        """Adds a mesh. A path is read as by `weft load`, whose options are keyword arguments (pin="top-edge", fit=1.5, up="z",
        material="silk", soft=500, rigid=True). A mesh of trimesh or meshio, or a pair of positions and triangles, takes the
        same options, or those of add_body()."""
        fields = programs.mesh_fields(mesh)
        if fields is None:
            answer = programs.load(self.client.address, self.ref, mesh, options)
        elif programs.LOAD_ALONE & options.keys():
            answer = programs.load_fields(self.client.address, self.ref, fields, options)
        else:
            return self.add_body(**{**fields, **options})
        return self._make_body(api.BodyAddResult(answer), {})

    def record(
        self, path: str | os.PathLike[str], *, seconds: float | None = None, ticks: int | None = None, **options: Any
    ) -> dict[str, Any]:
        """Records the world's motion from now on, as `weft record` does. The end of the name chooses the format (.npz, .pc2,
        .glb …); options are those of the command (every=2, substeps=True, lossless=True). Needs seconds or ticks. A paused
        world is recorded with lossless=True, which steps it. Returns the number of frames kept and missed."""
        if seconds is None and ticks is None:
            raise api.Invalid("seconds or ticks: one of them says when to end", field="seconds")
        words = programs.record_words(self.ref, path, {"seconds": seconds, "ticks": ticks, **options})
        told: dict[str, Any] = programs.run(self.client.address, *words)
        return told

    def bake(
        self, path: str | os.PathLike[str] | None = None, *, seconds: float | None = None, ticks: int | None = None,
        values: Mapping[str, Any] | None = None, **options: Any
    ) -> list[dict[str, Any]]:
        """Computes on from the world's present state, without the server and at full speed, as `weft bake` does. path: file to
        write; values: {"body.flag.stretch.compliance": [1e-7, 1e-6]} bakes each combination. Returns a row for each: ticks,
        energies, hash. The world itself does not change."""
        if seconds is None and ticks is None:
            raise api.Invalid("seconds or ticks: one of them says how far", field="seconds")
        limits = {"seconds": seconds, "ticks": ticks}
        return programs.bake(self.client.address, self.ref, path, values, {**limits, **options})

    def twin(self, *, timeout: float | None = None) -> Twin:
        """Computes a copy of the world on this machine from the server's records: a few KB per second, whatever is read from
        it. Waits until it has a state. timeout: for reading from it, in s; by default the client's."""
        timeout = self.client.timeout if timeout is None else timeout
        token = self.client._hello.get("token")
        made = Twin(TwinProcess(self.client.address, self.ref, token, timeout))
        try:
            made.wait()
        except BaseException:
            made.close()
            raise
        return made

    def view(self, width: int = 800, height: int = 500) -> View:
        """The studio with this world, for a notebook: make it the last expression of a cell. The client must know the studio's
        address: a client of weft.serve() does; for others set client.studio."""
        if not self.client.studio:
            raise api.Invalid("the studio's address is not known: set client.studio, as http://127.0.0.1:9339/")
        return View(f"{self.client.studio.rstrip('/')}/#world={quote(str(self.ref))}", width, height)

    def picture(self, *, width: int = 640, height: int = 480, eye: ArrayLike = (0.6, 0.45, 1.0)) -> Picture:
        """The present state as a figure for a notebook; needs no studio. eye: direction from the world to the viewer."""
        address, tls = sessions.address_text(self.client.address), self.client.address.tls or False
        with connect(address, client="weft-python picture", tls=tls) as client:
            world = client.world(self.ref)
            pieces = []
            joined = world.join()
            for summary in joined.bodies:
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
        #: The answer of body.add: constraints, warnings …; None for a body that this program did not add.
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
    """A grab, which holds a particle. `with body.grab(3) as grab:` releases it at the end."""

    def __init__(self, world: World, bound: Mapping[str, Any], answer: api.GrabBeginResult | None = None) -> None:
        self.world = world
        self._bound = bound
        self.answer = answer

    def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        return self.world.client._call(method, fields, patient)

    def drag(self, target: ArrayLike) -> None:
        """Like move(), without waiting for an answer: for many moves per second. [m]"""
        self.world.client.notify("grab.move", **self._bound, target=target)

    def __enter__(self) -> Grab:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.end()
        except (api.NotFound, ConnectionLost, Closed):
            pass


class Stream(StreamCalls):
    """Frames of a world: `for frame in stream`.
    `with world.subscribe() as stream:` ends the stream at the end.

    The loop ends after close(). It raises StreamClosed if the server ended the stream, for example because the world was
    deleted, and ConnectionLost if the connection was lost. timeout: seconds to wait for a frame; None, the default, waits for
    ever, because a paused world sends none. keep and keep_bytes bound the frames that wait to be read.
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
        self._last: int | None = None  # tick of the last frame that was returned
        self._after: int | None = None  # `after` of the next frame
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
                client._wake()
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
        """Subscribes again with the same options, after the stream ended or the connection was lost."""
        if self._queue.ended is None:
            self.unsubscribe()
        self._begin_again(Places())

    def _begin_again(self, places: Places, in_order: bool = False) -> None:
        """in_order: skip frames older than the last one that was returned."""
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
        """Greatest number of frames that wait, 1024 by default; beyond it the oldest are dropped and counted."""
        return self._queue.keep

    @keep.setter
    def keep(self, value: int) -> None:
        self._queue.keep = value

    @property
    def keep_bytes(self) -> int:
        """Greatest size of frames that wait, in bytes, 64 MiB by default; beyond it the oldest are dropped and counted."""
        return self._queue.keep_bytes

    @keep_bytes.setter
    def keep_bytes(self, value: int) -> None:
        self._queue.keep_bytes = value

    @property
    def lagged(self) -> int:
        """Frames that the server left out since the stream began, by its last stream.lagged."""
        return self._queue.lagged

    def _take(self) -> Frame | None:
        frame = self._queue.take()
        if frame is None and self._queue.ended:
            raise again(self._queue.ended)
        return frame

    def next(self, timeout: float | None = None) -> Frame:
        """The next frame. Raises Timeout if none comes within that many seconds; by default the stream's timeout applies."""
        rest = self.timeout if timeout is None else timeout
        deadline = until(rest)
        while True:
            frame: Frame = self.world.client._wait(self._take, rest, "no frame came")
            self._credit.taken(frame, self._queue, self.world.client.notify)
            if self._unpacked(frame) and (frame.tick, frame.substep) >= self._from:
                self._give(frame)
                return frame
            rest = left(deadline)

    def _give(self, frame: Frame) -> None:
        self._given = (frame.tick, frame.substep)
        frame.after, self._after = self._after, None
        self._last = frame.tick

    def _unpacked(self, frame: Frame) -> bool:
        """Whether the frame has its floats. Frames are decoded in the order in which they came."""
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
        """The newest frame; waits until there is one. Older frames that wait are dropped and counted."""
        frame = self.next(timeout)
        client = self.world.client
        with client._lock:
            client._pump_all()
        while True:
            with client._lock:
                newer = self._queue.take()
            if newer is None:
                return frame
            self._credit.taken(newer, self._queue, client.notify)
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


class Twin:
    """A copy of a server's world on this machine; World.twin() makes one. It runs by itself until it is closed."""

    def __init__(self, process: TwinProcess) -> None:
        self._process = process

    def look(
        self, fields: Sequence[str] = ("positions",), bodies: Sequence[Any] | None = None, *, hash: bool = False,
        measures: bool = False
    ) -> Moment:
        """The present state. fields: any of positions, positions64, velocities, rotations and rotations64;
        bodies: objects, ids or names, None for all.
        hash computes the hash of the state, measures computes energies and strains; both cost the server nothing."""
        return self._process.look(fields, bodies, hash, measures)

    def state(self) -> Moment:
        """The present state without bodies."""
        return self.look((), ())

    def wait(self, tick: int | None = None, *, equal: bool = False, timeout: float | None = None) -> Moment:
        """Waits until the twin has reached a tick; without a tick, until it has a state. equal: also until its state was found
        equal to the server's. Raises Timeout."""
        waiting = Waiting(tick, equal, self.timeout if timeout is None else timeout)
        while not waiting.is_over(moment := self.state()):
            sleep(POLL_S)
        return moment

    def __iter__(self) -> Iterator[Moment]:
        """Iterates over Moments with positions, one whenever the tick changes, until the twin is closed."""
        before: tuple[int, int] | None = None
        while not self.closed:
            moment = self.state()
            if moment.standing and (moment.tick, moment.images) != before:
                moment = self.look()
                before = (moment.tick, moment.images)
                yield moment
            else:
                sleep(POLL_S)

    @property
    def timeout(self) -> float | None:
        """Seconds to wait for an answer of the twin, or None; it may be changed at any time."""
        return self._process.timeout

    @timeout.setter
    def timeout(self, value: float | None) -> None:
        self._process.timeout = value

    @property
    def closed(self) -> bool:
        return self._process.closed

    @property
    def lines(self) -> list[str]:
        """The last lines that weft-twin printed, for example why it started again."""
        return list(self._process.lines)

    def close(self) -> None:
        """Ends the twin. The world at the server is not affected."""
        self._process.close()

    def __enter__(self) -> Twin:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if not self.closed:
            self._process.kill()

    def __repr__(self) -> str:
        return f"<Twin, {'closed' if self.closed else 'running'}>"


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
    """Connects to a server: "HOST:PORT"; by default the environment variable WEFT_SERVER, or 127.0.0.1:9338.

    user: the name that other people see. token: your token, for a server that asks for one; by default that of WEFT_TOKEN, or
    of the file that WEFT_TOKEN_FILE names. timeout: seconds to wait for an answer, or None.

    tls: use TLS, as "tls://HOST:PORT" does too; if the server's certificate is not valid, NotSecure is raised. ca: file of
    trusted authorities, in PEM; by default the system's. cert, key: your own certificate and its key, for servers that ask for
    one. Arguments that are not given are taken from WEFT_TLS, WEFT_CA, WEFT_CERT and WEFT_KEY. tls_verify=False accepts any
    certificate: an attacker on the path can then read and change everything.

    resume: go on after a lost connection: True for as long as the server keeps the session, or a number of seconds. Meanwhile
    calls wait; each is carried out and answered once. Notices arrive without gap or repeat, and streams go on. on_session is
    called with "away", and then with "back" and the worlds to join again. If the server no longer has the session, on_session is
    called with "anew". Then calls under way raise ConnectionLost, and the program joins all worlds again. Without resume, a lost
    connection raises ConnectionLost at once.

    follow: follow worlds, if several servers share them. The client goes to the server that runs the world that it asks for,
    with its streams and the worlds it joined, also when that changes later; on_session is called with "moved". A client is at
    one server at a time: to use worlds of several servers at once, make a client for each. If something else holds the client
    where it is, Moved is raised, with the address. If a server dies, a client with resume goes on at another.
    """
    made = Client(address, user=user, client=client, token=token, timeout=timeout, connect_timeout=connect_timeout,
                  tls=chosen(tls, ca, cert, key, tls_verify), resume=resume, follow=follow, on_session=on_session)
    return made
