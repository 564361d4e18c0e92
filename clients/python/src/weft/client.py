"""The blocking client: one connection, and the objects of its worlds.

    with weft.connect() as client:
        world = client.create("flag")

Threads: every method of a Client and of its objects may be called from any thread. There is no thread of its own:
whoever waits reads the socket for all, one at a time, and wakes the others. A Stream is iterated by one thread.
Nothing is received while nobody waits; a live stream then loses frames at the server, and says how many.
"""
from __future__ import annotations

import os
import select
import socket
import ssl
import threading
import time
import weakref
from typing import Any, Callable, Iterable, Iterator, Literal, Mapping, TypeVar
from urllib.parse import quote

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weft import api, programs, session as sessions
from weft._calls import BodyCalls, ClientCalls, ColliderCalls, ConstraintsCalls, GrabCalls, StreamCalls, WorldCalls
from weft.errors import Closed, ConnectionLost, Error, StreamClosed, Timeout
from weft.frames import Frame, FrameQueue
from weft.handles import BodyRef, ColliderRef, WorldRef, named
from weft.packing import Piece
from weft.picture import Picture, View, draw, piece_of
from weft.records import Record
from weft.secure import TLS, Path, SecureSocket, chosen, not_secure
from weft.unpacking import Unpacker
from weft.visit import TRY_S, delay_s, ids_in, may_pass, rejoin_of

T = TypeVar("T")
Kind = Literal["distance", "dihedral", "isometric", "quadratic", "volume"]
PIECES_MAX = 256  # buffers of one gathering write; systems allow 1024
SessionChange = Literal["away", "back", "anew"]
#: Told of a change, and with "back" of the worlds of which too much was missed: to be joined again.
OnSession = Callable[[SessionChange, list[int]], None]


class Away:
    """How it stands with coming back."""

    def __init__(self) -> None:
        self.told = False
        self.until = self.retry_at = 0.0
        self._failures = 0

    def begin(self, limit_s: float) -> None:
        self.told, self._failures = True, 0
        self.until = time.monotonic() + limit_s
        self.failed()

    def over(self, error: Error) -> ConnectionLost:
        self.told = False
        return ConnectionLost(f"the connection was lost, and there is no other: {error}")

    def failed(self) -> None:
        self.retry_at = time.monotonic() + delay_s(self._failures)
        self._failures += 1


def until(timeout: float | None) -> float | None:
    return None if timeout is None else time.monotonic() + timeout


def left(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def ready(sock: socket.socket | SecureSocket, writing: bool, timeout: float | None, reading: bool = True) -> tuple[bool, bool]:
    """Waits until the socket can be read, or if asked written; says which."""
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(sock, (select.POLLIN if reading else 0) | (select.POLLOUT if writing else 0))
        events = poll.poll(None if timeout is None else int(timeout * 1000) + 1)
        found = events[0][1] if events else 0
        # An error or the end is told by the call that follows.
        ended = bool(found & (select.POLLERR | select.POLLHUP | select.POLLNVAL))
        return bool(found & select.POLLIN) or ended, bool(found & select.POLLOUT) or ended
    readable, writable, _ = select.select([sock] if reading else [], [sock] if writing else [], [], timeout)
    return bool(readable), bool(writable)


def record_of(method: str, result: Any) -> Any:
    """The record of a result; of methods that this version does not know, what came."""
    made = api.RESULTS.get(method)
    return made(result) if made else result


class Call:
    """A call under way: result() waits for its answer."""

    __slots__ = ("method", "passing", "_client", "_done", "_result", "_error")

    def __init__(self, client: Client, method: str) -> None:
        self.method = method
        self.passing = False
        self._client = client
        self._done = False
        self._result: Any = None
        self._error: Error | None = None

    @property
    def done(self) -> bool:
        """The answer is here."""
        return self._done

    def finish(self, result: Any, error: Error | None) -> None:
        self._result, self._error, self._done = result, error, True

    def result(self, timeout: float | None = None) -> Any:
        """The answer's record. Raises the server's error, or Timeout; without a timeout the client's holds."""
        return record_of(self.method, self._wait(self._client.timeout if timeout is None else timeout))

    def _wait(self, timeout: float | None) -> Any:
        try:
            self._client._wait(lambda: self._done or None, timeout, f"{self.method}: no answer")
        except Error:
            with self._client._lock:
                self._client._session.forget(self)
            raise
        if self._error:
            raise self._error
        return self._result


class Client(ClientCalls["World"]):
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
        on_session: OnSession | None = None,
    ) -> None:
        self._bound = {}
        self.address = sessions.address_of(address, tls)
        #: The studio's address, for World.view(); known of servers that weft.serve() started.
        self.studio: str | None = None
        self.timeout = timeout
        self._connect_timeout = connect_timeout
        self._lock = threading.Condition(threading.Lock())
        self._send_lock = threading.Lock()
        self._reading = False
        self._streams: weakref.WeakSet[Stream] = weakref.WeakSet()
        self._hello: dict[str, Any] = sessions.hello_of(client, user, token)
        self._key = ""
        #: Whether the last connection went on with the session that there was.
        self.resumed = False
        self._resume = resume
        self._on_session = on_session
        self._reviver: int | None = None  # the thread that connects again; others wait for it
        self._away = Away()
        self._open()

    def _open(self) -> None:
        sock = self._dial(self._connect_timeout)
        try:
            self._socket = sock
            self._session = sessions.Session()
            answer = api.SessionHelloResult(self._call("session.hello", {**self._hello, **sessions.resuming(self._key)}))
            sessions.check_version(answer)
        except BaseException:
            sock.close()
            raise
        self._greeted(answer)

    def _dial(self, timeout: float | None) -> socket.socket | SecureSocket:
        host, port = self.address
        try:
            sock = socket.create_connection((host, port), timeout)
        except TimeoutError:
            raise Timeout(f"{host}:{port} does not answer") from None
        except OSError as error:
            raise ConnectionLost(f"no server at {host}:{port}: {error.strerror or error}") from error
        try:
            keep_alive(sock)
            secured = self._secured(sock, host, port)
            secured.setblocking(False)
        except BaseException:
            sock.close()
            raise
        return secured

    def _greeted(self, answer: api.SessionHelloResult) -> None:
        self.session = answer.session
        self.user = answer.user
        #: What this person may do in the server: "viewer", "editor" or "admin". Of a server that knows no tokens, admin.
        self.role: str = answer["role"] if "role" in answer else "admin"
        self._key = getattr(answer, "resume", "")
        self.resumed = getattr(answer, "resumed", False)
        with self._lock:
            self._session.visit.begin(answer)
            # What is not kept there is not waited for here.
            self._session.keeps = self._resume is not False and bool(self._key)

    def _secured(self, sock: socket.socket, host: str, port: int) -> socket.socket | SecureSocket:
        if not self.address.tls:
            return sock
        secured = SecureSocket(sock, self.address.tls.context(), host)
        try:
            secured.shake()
        except TimeoutError:
            raise Timeout(f"{host}:{port}: TLS does not begin") from None
        except ssl.SSLError as error:
            raise not_secure(f"{host}:{port}", error) from error
        except OSError as error:
            raise ConnectionLost(f"{host}:{port}: {error}") from error
        return secured

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        host, port = self.address
        return f"<weft Client of {host}:{port}{', ' + str(self._session.failed) if self._session.failed else ''}>"

    def close(self) -> None:
        """Ends the session and its connection. Calls under way in other threads end with Closed."""
        self._key = ""
        if self._session.failed is None:
            try:  # as far as the system takes it at once
                self._socket.sendmsg([memoryview(sessions.LEAVE)])
            except OSError:
                pass
        self._drop()

    def _drop(self) -> None:
        with self._lock:
            if self._session.away:
                self._session.give_up(sessions.closed())
            self._session.fail(sessions.closed())
            self._lock.notify_all()
        self._hang_up()
        self._socket.close()

    def _hang_up(self) -> None:
        """Wakes a thread that reads."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    @property
    def connected(self) -> bool:
        return self._session.failed is None

    def reconnect(self) -> None:
        """Connects again, after ConnectionLost for example, and goes on with the session where the server still has
        it (resumed says so): then grabs hold as they did. Calls under way have ended; with resume they are gone on with
        instead, and nobody has to call this. Open streams are subscribed again with what they were
        last told; one that cannot be ends with StreamClosed. Worlds that were joined must be joined again. Where the
        server is another one, ids may name other things: names last longer."""
        self._drop()
        self._away = Away()
        self._open()
        self._resubscribe()

    def _resubscribe(self) -> None:
        for stream in list(self._streams):
            try:
                stream._begin_again()
            except ConnectionLost:
                raise
            except Error as error:
                stream._queue.ended = StreamClosed(f"it could not be subscribed again: {error}")
                self._streams.discard(stream)

    # Coming back by itself. Whoever waits does it, one thread for all, as with reading.

    def _is_back(self, deadline: float | None) -> bool:
        """With the lock held. False: the session is up, or does not come back. True: look again, it may have."""
        me = threading.get_ident()
        if self._reviver == me or not (self._reviver or self._session.away):
            return False
        if self._reviver:
            self._lock.wait(left(deadline))
            return True
        self._reviver = me
        self._lock.release()
        try:
            self._revive(deadline)
        finally:
            self._lock.acquire()
            self._reviver = None
            self._lock.notify_all()
        return True

    def _revive(self, deadline: float | None) -> None:
        """Until the connection is back, is given up, or the caller's time is over: then whoever is next goes on."""
        away = self._away
        if not away.told:
            away.begin(self._session.visit.grace_s if self._resume is True else float(self._resume))
            self._tell("away", [])
        while self._session.away:
            with self._lock:
                pause = away.retry_at - time.monotonic()
                rest = left(deadline)
                if pause > 0:
                    self._lock.wait(pause if rest is None else min(pause, rest))
            if left(deadline) == 0.0:
                return
            if not self._session.away or time.monotonic() < away.retry_at:
                continue
            try:
                rejoin = self._come_back()
                break
            except Error as error:
                away.failed()
                if not may_pass(error) or time.monotonic() > away.until:
                    with self._lock:
                        if self._session.away:
                            self._session.give_up(away.over(error))
        else:
            return
        away.told = False
        self._tell("back" if self.resumed else "anew", rejoin)

    def _come_back(self) -> list[int]:
        """Gives the worlds that are to be joined again."""
        sock = self._dial(TRY_S if self._connect_timeout is None else min(TRY_S, self._connect_timeout))
        # Nobody is in the middle of a message then, and none that is in the list of the unanswered is sent besides.
        with self._send_lock, self._lock:
            if not self._session.away:  # closed meanwhile
                sock.close()
                raise sessions.closed()
            self._hang_up()
            while self._reading:  # that thread sees the end
                self._lock.wait(0.05)
            self._socket.close()
            session = sessions.Session(before=self._session)
            self._socket, self._session = sock, session
        try:
            greeting = {**self._hello, **session.visit.fields(session.unanswered())}
            answer = api.SessionHelloResult(self._submit("session.hello", greeting)._wait(TRY_S))
            sessions.check_version(answer)
            self._greeted(answer)
            if self.resumed:
                for data in session.again(ids_in(answer, "lost")):
                    self._send([data])
            else:
                with self._lock:
                    session.lose_calls(ConnectionLost("the session is gone, and nobody knows what became of this"))
            self._resubscribe()
            with self._lock:
                anew = session.anew()
            for pieces in anew:
                self._send(pieces)
            return rejoin_of(answer)
        except BaseException:
            with self._lock:
                session.ended("the connection broke before it was back")
            sock.close()
            raise

    def _tell(self, change: SessionChange, rejoin: list[int]) -> None:
        if self._on_session:
            self._on_session(change, rejoin)

    def _make_world(self, answer: api.WorldCreateResult | api.WorldOpenResult, given: Mapping[str, Any]) -> World:
        return World(self, {"world": answer.world}, answer)

    def world(self, world: WorldRef) -> World:
        """The world of an id or a name, without asking whether there is one."""
        return World(self, {"world": named(world)})

    # Calls

    def call(self, method: str, /, **fields: Any) -> Any:
        """Any method by its name, for what has no method here. Returns the record of its result."""
        return record_of(method, self._call(method, fields))

    def submit(self, method: str, /, **fields: Any) -> Call:
        """Sends a request and does not wait: call.result() does. Many of them one after the other need no more
        time than one way and back."""
        return self._submit(method, fields)

    def notify(self, method: str, /, **fields: Any) -> None:
        """Sends without an answer, as a drag does with grab.move. Refusals come as notices of error."""
        with self._lock:
            self._stand(method)
            pieces = self._session.notification(method, fields)
        self._send(pieces)

    def _stand(self, method: str) -> None:
        """Waits until there is a connection, with the lock held, where one may come."""
        deadline = until(self.timeout)
        while self._is_back(deadline):
            if left(deadline) == 0.0:
                raise Timeout(f"{method}: no connection within {self.timeout:g} s")

    def _submit(self, method: str, fields: Mapping[str, Any]) -> Call:
        call = Call(self, method)
        with self._lock:
            self._stand(method)
            call.passing = self._reviver is not None
            session = self._session
            _, pieces = session.request(call, fields)
        try:
            self._send(pieces, session)
        except BaseException as error:
            with self._lock:
                if isinstance(error, ConnectionLost) and session.away and not call.passing:
                    return call  # it is sent again
                self._session.forget(call)
            raise
        return call

    def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        with self._lock:
            pieces, fields = self._session.uploads(method, fields)
        for piece in pieces:
            self._submit("world.upload", piece)._wait(self.timeout)
        result = self._submit(method, fields)._wait(None if patient else self.timeout)
        if method == "session.hello":
            self._hello = {name: value for name, value in fields.items() if name not in sessions.RESUMING}
        return result

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

    # The socket

    def _wait(self, look: Callable[[], T | None], timeout: float | None, what: str) -> T:
        """Until look() gives something; it is called with the lock held."""
        deadline = until(timeout)
        with self._lock:
            while True:
                found = look()
                if found is not None:
                    return found
                if self._session.failed and not (self._session.away or self._reviver):
                    raise sessions.again(self._session.failed)
                rest = left(deadline)
                if rest == 0.0:
                    raise Timeout(f"{what} within {timeout:g} s")
                if self._is_back(deadline):
                    continue
                if self._session.failed:
                    raise sessions.again(self._session.failed)
                if self._reading:
                    self._lock.wait(rest)
                else:
                    self._pump(rest)

    def _pump(self, timeout: float | None, writing: bool = False) -> bool:
        """Receives once, with the lock held but while it waits. False if nothing came."""
        sock, session = self._socket, self._session
        self._reading = True
        count: int | None = None
        reason = "the server closed the connection"
        self._lock.release()
        try:
            buffer = session.receiver.get_buffer()
            try:
                count = sock.recv_into(buffer)
            except BlockingIOError:
                if timeout != 0.0 and ready(sock, writing, timeout)[0]:
                    count = sock.recv_into(buffer)
        except BlockingIOError:
            pass
        except (OSError, ValueError) as error:  # ValueError: another thread closed the socket
            count, reason = 0, f"the connection broke: {error}"
        finally:
            self._lock.acquire()
            self._reading = False
            try:
                if count:
                    session.received(count)
                elif count == 0:
                    session.ended(reason)
            finally:
                self._lock.notify_all()
        return bool(count)

    def _pump_all(self) -> None:
        """What has come already, with the lock held."""
        while not self._reading and not self._session.failed and self._pump(0.0):
            pass

    def _send(self, pieces: list[Piece], of: sessions.Session | None = None) -> None:
        """of: the session that knows of it; if there is another by now, that has sent it."""
        with self._send_lock:
            session, sock = self._session, self._socket
            if of and of is not session:
                return
            if session.failed:
                raise sessions.again(session.failed)
            views = [memoryview(piece) for piece in pieces]
            sent_any = False
            try:
                while views or (isinstance(sock, SecureSocket) and sock.unsent):
                    try:
                        sent = sock.sendmsg(views[:PIECES_MAX])
                    except BlockingIOError:
                        self._wait_writable(session)
                        continue
                    sent_any = True
                    while views and sent >= len(views[0]):
                        sent -= len(views.pop(0))
                    if sent:
                        views[0] = views[0][sent:]
            except BaseException as error:
                with self._lock:
                    if isinstance(error, OSError) and not isinstance(error, Error):
                        self._last_words()
                        session.ended(f"the connection broke: {error}")
                    elif sent_any and (views or isinstance(sock, SecureSocket)):
                        session.fail(ConnectionLost("a message was sent only in part"))
                    self._lock.notify_all()
                    failed = session.failed
                if isinstance(error, OSError) and not isinstance(error, Error) and failed:
                    raise sessions.again(failed) from error
                raise

    def _last_words(self) -> None:
        """A server that hangs up says why before it does; that may not have been read yet. The lock is held."""
        try:
            self._pump_all()
        except OSError:
            pass

    def _wait_writable(self, session: sessions.Session) -> None:
        """The server does not read while it has too much to say: what it says is received meanwhile."""
        deadline = until(self.timeout)
        while True:
            rest = left(deadline)
            if rest == 0.0:
                raise Timeout(f"the server took nothing within {self.timeout:g} s")
            with self._lock:
                if session.failed:
                    raise sessions.again(session.failed)
                alone = not self._reading
                if alone:
                    self._pump(rest, writing=True)
            slice_s = 0.0 if alone else 0.05 if rest is None else min(rest, 0.05)
            if ready(self._socket, True, slice_s, reading=False)[1]:
                return


def keep_alive(sock: socket.socket) -> None:
    """A machine that vanished is noticed within half a minute, also by who waits without a timeout."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, seconds in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), seconds)


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
        self._begin_again()

    def _begin_again(self) -> None:
        client, old = self.world.client, self._queue
        self.answer = api.StreamSubscribeResult(client._call("stream.subscribe", self._wishes))
        with client._lock:
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

    def next(self, timeout: float | None = None) -> Frame:
        """The next frame; Timeout if none comes in so many seconds. Without a timeout the stream's holds."""
        timeout = self.timeout if timeout is None else timeout
        deadline = None if timeout is None else time.monotonic() + timeout
        rest = timeout
        while True:
            frame: Frame = self.world.client._wait(self._take, rest, "no frame came")
            if self._unpacked(frame):
                return frame
            rest = None if deadline is None else max(0.0, deadline - time.monotonic())

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
            if self._unpacked(newer):
                newer.dropped += frame.dropped + 1
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
    """
    return Client(address, user=user, client=client, token=token, timeout=timeout, connect_timeout=connect_timeout,
                  tls=chosen(tls, ca, cert, key, tls_verify), resume=resume, on_session=on_session)
