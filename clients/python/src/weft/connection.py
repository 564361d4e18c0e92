"""A connection of the blocking client: its socket, the calls under way on it, and coming back after a loss.

It knows nothing of worlds. Objects that go on over the next connection, such as streams, add themselves to _streams.

Threads: the threads that wait take turns to read the socket for all, and wake the others. _lock guards the session and all that
changes here; _send_lock keeps messages whole, and is taken before _lock.
"""
from __future__ import annotations

import select
import socket
import ssl
import threading
import time
import weakref
from typing import Any, Callable, Mapping, Protocol, TypeVar

from weft import api, session as sessions
from weft.errors import ConnectionLost, Error, StreamClosed, Timeout
from weft.frames import FrameQueue
from weft.packing import Piece
from weft.secure import SecureSocket, not_secure
from weft.visit import (HOPS_MAX, OPENING_PAUSE_S, OPENING_S, TRY_S, Away, OnSession, SessionChange, ids_in, may_pass,
                        rejoin_of)

T = TypeVar("T")
PIECES_MAX = 256  # buffers of one gathering write; systems allow 1024


def until(timeout: float | None) -> float | None:
    return None if timeout is None else time.monotonic() + timeout


def left(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def ready(sock: socket.socket | SecureSocket, writing: bool, timeout: float | None, reading: bool = True) -> tuple[bool, bool]:
    """Waits until the socket can be read, or written if asked for; returns which."""
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(sock, (select.POLLIN if reading else 0) | (select.POLLOUT if writing else 0))
        events = poll.poll(None if timeout is None else int(timeout * 1000) + 1)
        found = events[0][1] if events else 0
        # The next call reports an error or the end.
        ended = bool(found & (select.POLLERR | select.POLLHUP | select.POLLNVAL))
        return bool(found & select.POLLIN) or ended, bool(found & select.POLLOUT) or ended
    readable, writable, _ = select.select([sock] if reading else [], [sock] if writing else [], [], timeout)
    return bool(readable), bool(writable)


def keep_alive(sock: socket.socket) -> None:
    """Makes the system notice within half a minute that a machine vanished, even for a thread that waits without a timeout."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, seconds in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), seconds)


class Follower(Protocol):
    """An object that is subscribed again over the next connection."""

    _queue: FrameQueue

    def _begin_again(self, places: Places, in_order: bool = False) -> None: ...


class Call:
    """A call under way: result() waits for its answer."""

    __slots__ = ("method", "passing", "_connection", "_done", "_result", "_error", "_fields", "_session")

    def __init__(self, connection: Connection, method: str, fields: Mapping[str, Any]) -> None:
        self.method = method
        self._fields = fields
        self._session: sessions.Session | None = None  # the session that was asked
        self.passing = False
        self._connection = connection
        self._done = False
        self._result: Any = None
        self._error: Error | None = None

    @property
    def done(self) -> bool:
        """Whether the answer has come."""
        return self._done

    def finish(self, result: Any, error: Error | None) -> None:
        self._result, self._error, self._done = result, error, True

    def result(self, timeout: float | None = None) -> Any:
        """The answer's record. Raises the server's error, or Timeout; by default the client's timeout applies."""
        return sessions.record_of(self.method, self._wait(self._connection.timeout if timeout is None else timeout))

    def _wait(self, timeout: float | None) -> Any:
        deadline, rest = until(timeout), timeout
        places = Places()
        while True:
            try:
                self._connection._wait(lambda: self._done or None, rest, f"{self.method}: no answer")
            except Error:
                with self._connection._lock:
                    self._connection._session.forget(self)
                raise
            if self._error is None:
                return self._result
            if self.passing or not self._connection._follow or not places.again(self._error):
                raise places.told(self._error)
            self._connection._ask_there(self)
            rest = left(deadline)


class Places:
    """Counts how often a call was sent on, and how long the world that moved has been awaited."""

    def __init__(self, opening_s: float = 0.0) -> None:
        self._hops = 0
        self._until = time.monotonic() + opening_s

    def pause_s(self, error: Error) -> float | None:
        """Seconds to wait before a refused call is repeated; None: it is not repeated."""
        if isinstance(error, api.Moved) and self._hops < HOPS_MAX:
            self._hops += 1
            self._until = time.monotonic() + OPENING_S
            return OPENING_PAUSE_S * (self._hops - 1)
        if isinstance(error, api.Busy) and time.monotonic() < self._until:
            return OPENING_PAUSE_S  # the world is about to be opened
        return None

    def again(self, error: Error) -> bool:
        pause = self.pause_s(error)
        time.sleep(pause or 0.0)
        return pause is not None

    def told(self, error: Error) -> Error:
        """The error that the caller gets."""
        if self._hops < HOPS_MAX or not isinstance(error, api.Moved):
            return error
        told = sessions.again(error)
        told.text = f"{HOPS_MAX} servers in a row named another: {error.text}"
        told.args = (f"{told.code}: {told.text}",)
        return told


class Connection:
    """A connection to a server, which another may replace after a loss."""

    def __init__(self, address: sessions.Address, hello: dict[str, Any], timeout: float | None, connect_timeout: float | None,
                 resume: bool | float, follow: bool, on_session: OnSession | None) -> None:
        self.address = address
        self.timeout = timeout
        self._connect_timeout = connect_timeout
        self._lock = threading.Condition(threading.Lock())
        self._send_lock = threading.Lock()
        self._reading = False
        self._streams: weakref.WeakSet[Follower] = weakref.WeakSet()
        self._hello = hello
        self._key = ""
        #: Whether the last connection resumed the earlier session.
        self.resumed = False
        self._resume = resume
        self._follow = follow
        self._on_session = on_session
        self._reviver: int | None = None  # the thread that connects again; others wait for it
        self._away = Away()
        self._stayed: Error | None = None  # why it did not follow a world
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

    def _dial(self, timeout: float | None, there: sessions.Address | None = None) -> socket.socket | SecureSocket:
        address = there or self.address
        host, port = address
        try:
            sock = socket.create_connection((host, port), timeout)
        except TimeoutError:
            raise Timeout(f"{host}:{port} does not answer") from None
        except OSError as error:
            raise ConnectionLost(f"no server at {host}:{port}: {error.strerror or error}") from error
        try:
            keep_alive(sock)
            secured = self._secured(sock, address)
            secured.setblocking(False)
        except BaseException:
            sock.close()
            raise
        return secured

    def _greeted(self, answer: api.SessionHelloResult) -> None:
        self.session = answer.session
        self.user = answer.user
        #: This person's role on the server: "viewer", "editor" or "admin". Without tokens it is "admin".
        self.role: str = answer["role"] if "role" in answer else "admin"
        self._key = getattr(answer, "resume", "")
        self.resumed = getattr(answer, "resumed", False)
        with self._lock:
            self._session.visit.begin(answer)
            self._session.follows = self._follow
            # A session that is not kept at the server is not waited for.
            self._session.keeps = self._resume is not False and bool(self._key)

    def _secured(self, sock: socket.socket, address: sessions.Address) -> socket.socket | SecureSocket:
        host, port = address
        if not address.tls:
            return sock
        secured = SecureSocket(sock, address.tls.context(), host)
        try:
            secured.shake()
        except TimeoutError:
            raise Timeout(f"{host}:{port}: the TLS handshake timed out") from None
        except ssl.SSLError as error:
            raise not_secure(f"{host}:{port}", error) from error
        except OSError as error:
            raise ConnectionLost(f"{host}:{port}: {error}") from error
        return secured

    def close(self) -> None:
        """Ends the session and its connection. Calls under way in other threads end with Closed."""
        self._key = ""
        if self._session.failed is None:
            try:  # as much as the system takes at once
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
        """Connects again, for example after ConnectionLost, and resumes the session if the server still has it (`resumed` says
        so): then grabs still hold. Calls under way have ended; with resume they are continued instead, and this need not be
        called. Open streams are subscribed again with their last options; one that cannot be ends with StreamClosed. Worlds
        that were joined must be joined again. At another server ids may refer to other things, but names stay."""
        self._drop()
        self._away = Away()
        self._open()
        self._resubscribe()

    def _resubscribe(self, places: Places | None = None, in_order: bool = False) -> None:
        for stream in list(self._streams):
            if stream._queue in self._session.streams.values():
                continue
            try:
                stream._begin_again(places or Places(), in_order)
            except Error as error:
                if isinstance(error, ConnectionLost) or (isinstance(error, api.Moved) and not self._holds()):
                    raise
                stream._queue.ended = StreamClosed(f"it could not be subscribed again: {error}")
                self._streams.discard(stream)

    # Coming back by itself. One of the waiting threads does it for all, as with reading.

    def _is_back(self, deadline: float | None) -> bool:
        """Call it with the lock held. False: the session is up, or will not come back. True: check again, it may be up."""
        me = threading.get_ident()
        if self._reviver == me or not (self._reviver or self._session.away or self._session.moved):
            return False
        if self._reviver:
            self._lock.wait(left(deadline))
            return True
        self._reviver = me
        self._lock.release()
        try:
            if self._session.moved:
                self._go()
            else:
                self._revive(deadline)
        finally:
            self._lock.acquire()
            self._reviver = None
            self._lock.notify_all()
        return True

    def _revive(self, deadline: float | None) -> None:
        """Works until the connection is back, is given up, or the caller's time is over; then the next waiting thread goes on."""
        away = self._away
        if not away.told:
            away.begin(self._session.visit.grace_s if self._resume is True else float(self._resume), self._session.visit.others)
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
            there = away.elsewhere(self._session.visit.others)
            if there:
                self._session.moved = there
                self._go()
                away.failed()
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
            away.told = self._session.away
            return
        away.told = False
        self._tell("back" if self.resumed else "anew", rejoin)

    def _come_back(self) -> list[int]:
        """Returns the worlds to join again."""
        sock = self._dial(TRY_S if self._connect_timeout is None else min(TRY_S, self._connect_timeout))
        # No thread is inside a message then, and none sends a call that is in the list of unanswered ones.
        with self._send_lock, self._lock:
            if not self._session.away:  # closed meanwhile
                sock.close()
                raise sessions.closed()
            self._hang_up()
            while self._reading:  # that thread will see the end
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

    # Following a world: the whole client goes, if nothing else holds it here.

    def _ask_there(self, call: Call) -> None:
        """Repeats a call at the server of its world."""
        why = call._error
        # A refusal in the middle of a move has no address: the server knows it when it is asked again.
        there = why.address if isinstance(why, api.Moved) else None
        with self._lock:
            if call._session is self._session and there:
                self._session.moved = there  # no other thread has gone there meanwhile
            self._stand(call.method)
            if why and call._session is self._session and there:
                raise why from self._stayed
            call._error, call._done = None, False
            session = call._session = self._session
            _, pieces = session.request(call, call._fields)
        self._send(pieces, session)

    def _go(self) -> None:
        """Goes to the server that runs the session's world, and on from there. If that fails the client stays, or is lost."""
        self._stayed = None
        places = Places(OPENING_S)
        moved: dict[int, int] = {}
        rejoin: list[int] = []
        while self._session.moved:
            try:
                self._change_server(moved)
                self._join_again(moved, rejoin, places)
                self._resubscribe(places, in_order=True)
            except Error as error:
                if self._session.failed is None and isinstance(error, api.Moved) and error.address and places.again(error):
                    self._session.moved = error.address
                    continue
                self._stay(places.told(error))
                return
            self._tell("moved", rejoin)

    def _stay(self, why: Error) -> None:
        with self._lock:
            self._stayed = why
            session = self._session
            session.moved = ""
            there = list(session.streams.values())
            for stream in list(self._streams):
                if stream._queue not in there and not session.away:
                    stream._queue.end(StreamClosed(f"its world moved, and this client did not go along: {why}"))
            self._lock.notify_all()

    def _holds(self) -> bool:
        """Whether other worlds or streams hold the client where it is."""
        session = self._session
        return session.failed is None and bool(session.visit.joined or session.streams)

    def _change_server(self, moved: dict[int, int]) -> None:
        session, target = self._session, self._session.moved
        try:
            # All notices of the move come before its answer. Other calls under way are answered here.
            self._submit("server.ping", {})._wait(TRY_S)
            self._wait(lambda: not session.waiting or None, TRY_S, "what else was asked was not answered")
        except ConnectionLost:
            pass  # fine: it may have given its worlds away because it shuts down
        if self._holds():
            raise ConnectionLost(f"other worlds or streams keep this client at its server; another client can connect to {target}")
        there = sessions.moved_to(target, self.address)
        sock = self._dial(TRY_S if self._connect_timeout is None else min(TRY_S, self._connect_timeout), there)
        moved.update(session.visit.part())
        if session.failed is None:
            try:
                self._send([sessions.LEAVE])
            except ConnectionLost:
                pass
        with self._send_lock, self._lock:
            session.leave()
            self._hang_up()
            while self._reading:
                self._lock.wait(0.05)
            self._socket.close()
            self.address = there
            self._socket, self._session = sock, sessions.Session(before=session)
            self._session.lose_calls(ConnectionLost("the server is gone, and nobody knows what became of this"))
            self._lock.notify_all()
        try:
            answer = api.SessionHelloResult(self._submit("session.hello", self._hello)._wait(TRY_S))
            sessions.check_version(answer)
            self._greeted(answer)
        except Error as error:
            with self._lock:
                self._session.give_up(ConnectionLost(f"not let in at {target}, where a world moved: {error}"))
            raise

    def _join_again(self, moved: dict[int, int], rejoin: list[int], places: Places) -> None:
        """rejoin: worlds that changed before they were joined again, or that could not be joined."""
        for world, revision in list(moved.items()):
            try:
                joined = api.WorldJoinResult(self._patiently("world.join", {"world": world}, places))
                if joined.revision != revision:
                    rejoin.append(world)
            except Error as error:
                if isinstance(error, ConnectionLost) or (isinstance(error, api.Moved) and not self._holds()):
                    raise
                rejoin.append(world)
            del moved[world]

    def _patiently(self, method: str, fields: Mapping[str, Any], places: Places) -> Any:
        """Repeats a call while its world may be about to be opened."""
        while True:
            try:
                return self._submit(method, fields)._wait(TRY_S if self.timeout is None else self.timeout)
            except api.Busy as error:
                if not places.again(error):
                    raise

    def _tell(self, change: SessionChange, rejoin: list[int]) -> None:
        if self._on_session:
            self._on_session(change, rejoin)

    # Calls

    def notify(self, method: str, /, **fields: Any) -> None:
        """Sends without an answer, as a drag does with grab.move. Refusals come as notices of the method error."""
        with self._lock:
            self._stand(method)
            pieces = self._session.notification(method, fields)
        self._send(pieces)

    def _stand(self, method: str) -> None:
        """Waits until there is a connection, if one may come. Call it with the lock held."""
        deadline = until(self.timeout)
        while self._is_back(deadline):
            if left(deadline) == 0.0:
                raise Timeout(f"{method}: no connection within {self.timeout:g} s")

    def _submit(self, method: str, fields: Mapping[str, Any]) -> Call:
        call = Call(self, method, fields)
        with self._lock:
            self._stand(method)
            call.passing = self._reviver is not None
            session = call._session = self._session
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
        if method == "session.hello":
            fields = sessions.introducing(self._hello, fields)
        with self._lock:
            pieces, fields = self._session.uploads(method, fields)
        for piece in pieces:
            self._submit("world.upload", piece)._wait(self.timeout)
        result = self._submit(method, fields)._wait(None if patient else self.timeout)
        if method == "session.hello":
            self._hello = sessions.greeting(fields)
        return result

    # The socket

    def _wait(self, look: Callable[[], T | None], timeout: float | None, what: str) -> T:
        """Waits until look() returns a result; look() is called with the lock held."""
        deadline = until(timeout)
        with self._lock:
            while True:
                found = look()
                if found is not None:
                    return found
                if self._session.failed and not (self._session.away or self._session.moved or self._reviver):
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
        """Receives once. Call it with the lock held; it is released while waiting. False if nothing came."""
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
        """Takes all that has come already. Call it with the lock held."""
        while not self._reading and not self._session.failed and self._pump(0.0):
            pass

    def _send(self, pieces: list[Piece], of: sessions.Session | None = None) -> None:
        """of: the session that knows the message; if there is a newer one, that one has sent it."""
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
        """Reads the reason that a server sends before it hangs up, if it has not been read yet. The lock is held."""
        try:
            self._pump_all()
        except OSError:
            pass

    def _wait_writable(self, session: sessions.Session) -> None:
        """A server does not read while it has much to send, so this receives its messages meanwhile."""
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
