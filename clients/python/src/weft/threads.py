"""How a blocking client waits: the threads that wait take turns to read the socket for all, and wake the others.

weft.tasks has the same face for asyncio; weft.connection stands on this one.

_lock guards the session and all that changes here; _send_lock keeps messages whole, and is taken before _lock.
"""
from __future__ import annotations

import select
import socket
import ssl
import threading
import time
from typing import Any, Callable, Iterable, Mapping, TypeVar

from weft import session as sessions
from weft.deadlines import left, until
from weft.errors import ConnectionLost, Error, Timeout, again
from weft.packing import Piece
from weft.secure import SecureSocket, not_secure

T = TypeVar("T")
sleep = time.sleep
PIECES_MAX = 256  # buffers of one gathering write; systems allow 1024


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


def secured(sock: socket.socket, address: sessions.Address) -> socket.socket | SecureSocket:
    """The socket, with TLS on top if the address has it."""
    host, port = address
    if not address.tls:
        return sock
    sealed = SecureSocket(sock, address.tls.context(), host)
    try:
        sealed.shake()
    except TimeoutError:
        raise Timeout(f"{host}:{port}: the TLS handshake timed out") from None
    except ssl.SSLError as error:
        raise not_secure(f"{host}:{port}", error) from error
    except OSError as error:
        raise ConnectionLost(f"{host}:{port}: {error}") from error
    return sealed


class Call:
    """A call under way: result() waits for its answer."""

    __slots__ = ("method", "passing", "_connection", "_done", "_result", "_error", "_fields", "_session")

    def __init__(self, connection: Threads, method: str, fields: Mapping[str, Any]) -> None:
        self.method = method
        self.passing = False
        self._fields = fields
        self._connection = connection

    def _begin(self, session: sessions.Session) -> None:
        """It is asked in a session, for the first time or again."""
        self._session = session
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
        timeout = self._connection.timeout if timeout is None else timeout
        return sessions.record_of(self.method, self._connection._answer(self, timeout))


def gather(calls: Iterable[Call], timeout: float | None = None) -> list[Any]:
    """The results of submitted calls, in their order. Waits until all are answered, then raises the first error among them."""
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


class Threads:
    """The socket of a connection, and the threads that wait at it."""

    timeout: float | None
    _key: str
    _socket: socket.socket | SecureSocket
    _session: sessions.Session

    def __init__(self) -> None:
        self._lock = threading.Condition(threading.Lock())
        self._send_lock = threading.Lock()
        self._reading = False
        self._reviver: int | None = None  # the thread that connects again; others wait for it
        self._open()

    # The connection above gives these.

    def _open(self) -> None:
        raise NotImplementedError

    def _travel(self, deadline: float | None) -> None:
        raise NotImplementedError

    def _submit(self, method: str, fields: Mapping[str, Any]) -> Call:
        raise NotImplementedError

    def _answer(self, call: Call, timeout: float | None) -> Any:
        raise NotImplementedError

    # Calls

    def submit(self, method: str, /, **fields: Any) -> Call:
        """Sends a request without waiting; call.result() waits for the answer. Many requests in a row take little more time
        than one."""
        return self._submit(method, fields)

    def notify(self, method: str, /, **fields: Any) -> None:
        """Sends without an answer, as a drag does with grab.move. Refusals come as notices of the method error."""
        with self._lock:
            self._stand(method)
            pieces = self._session.notification(method, fields)
        self._send(pieces)

    def _outcome(self, call: Call, timeout: float | None) -> Any:
        """The answer to a call, or its error. A call that is not answered in time is dropped."""
        try:
            self._wait(lambda: call._done or None, timeout, f"{call.method}: no answer")
        except Error:
            with self._lock:
                self._session.forget(call)
            raise
        if call._error:
            raise call._error
        return call._result

    # Connecting

    def _dial(self, address: sessions.Address, timeout: float | None) -> socket.socket | SecureSocket:
        host, port = address
        try:
            sock = socket.create_connection((host, port), timeout)
        except TimeoutError:
            raise Timeout(f"{host}:{port} does not answer") from None
        except OSError as error:
            raise ConnectionLost(f"no server at {host}:{port}: {error.strerror or error}") from error
        try:
            keep_alive(sock)
            link = secured(sock, address)
            link.setblocking(False)
        except BaseException:
            sock.close()
            raise
        return link

    def _adopt(self, link: socket.socket | SecureSocket, session: sessions.Session) -> None:
        self._socket, self._session = link, session

    def _switch(self, link: socket.socket | SecureSocket, leaving: Callable[[], None]) -> sessions.Session:
        """Goes on over another link. leaving is called first, and all stays as it is if it raises."""
        # No thread is inside a message then, and none sends a call that is in the list of unanswered ones.
        with self._send_lock, self._lock:
            self._part()
            try:
                leaving()
            except BaseException:
                link.close()
                raise
            self._hang_up()
            while self._reading:  # that thread will see the end
                self._lock.wait(0.05)
            self._socket.close()
            self._adopt(link, sessions.Session(before=self._session))
            self._wake()
            return self._session

    def close(self) -> None:
        """Ends the session and its connection. Calls under way in other threads end with Closed."""
        self._key = ""
        self._part()
        self._drop()

    def _part(self) -> None:
        """Ends the session at the server, if the system takes the message at once."""
        if self._session.failed is None:
            try:
                self._socket.sendmsg([memoryview(sessions.LEAVE)])
            except OSError:
                pass

    def _drop(self) -> None:
        with self._lock:
            if self._session.away:
                self._session.give_up(sessions.closed())
            self._session.fail(sessions.closed())
            self._wake()
        self._hang_up()
        self._socket.close()

    def _hang_up(self) -> None:
        """Wakes a thread that reads."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

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
            self._travel(deadline)
        finally:
            self._lock.acquire()
            self._reviver = None
            self._wake()
        return True

    def _pause(self, end: float, deadline: float | None) -> None:
        """Waits until a time, a deadline, or a change."""
        with self._lock:
            pause, rest = end - time.monotonic(), left(deadline)
            if pause > 0:
                self._lock.wait(pause if rest is None else min(pause, rest))

    def _stand(self, method: str) -> None:
        """Waits until there is a connection, if one may come. Call it with the lock held."""
        deadline = until(self.timeout)
        while self._is_back(deadline):
            if left(deadline) == 0.0:
                raise Timeout(f"{method}: no connection within {self.timeout:g} s")

    # The socket

    def _wake(self) -> None:
        """Wakes the threads that wait. Call it with the lock held."""
        self._lock.notify_all()

    def _wait(self, look: Callable[[], T | None], timeout: float | None, what: str) -> T:
        """Waits until look() returns a result; look() is called with the lock held."""
        deadline = until(timeout)
        with self._lock:
            while True:
                found = look()
                if found is not None:
                    return found
                if self._session.failed and not (self._session.away or self._session.moved or self._reviver):
                    raise again(self._session.failed)
                rest = left(deadline)
                if rest == 0.0:
                    raise Timeout(f"{what} within {timeout:g} s")
                if self._is_back(deadline):
                    continue
                if self._session.failed:
                    raise again(self._session.failed)
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
                self._wake()
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
                raise again(session.failed)
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
                    self._wake()
                    failed = session.failed
                if isinstance(error, OSError) and not isinstance(error, Error) and failed:
                    raise again(failed) from error
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
                    raise again(session.failed)
                alone = not self._reading
                if alone:
                    self._pump(rest, writing=True)
            slice_s = 0.0 if alone else 0.05 if rest is None else min(rest, 0.05)
            if ready(self._socket, True, slice_s, reading=False)[1]:
                return
