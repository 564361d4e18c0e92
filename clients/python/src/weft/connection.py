"""A connection of the blocking client: the calls under way on it, coming back after a loss, and following a world.

It knows no socket: weft.threads has that, and the waiting. It knows nothing of worlds either. Objects that go on over the next
connection, such as streams, add themselves to _streams.
"""
# Made by clients/python/generate.py from aio_connection.py. Change that, not this.
from __future__ import annotations

import time
import weakref
from typing import Any, Mapping, Protocol

from weft import api, session as sessions
from weft.deadlines import left, until
from weft.errors import ConnectionLost, Error, StreamClosed
from weft.frames import FrameQueue
from weft.threads import Call, Threads, sleep
from weft.visit import OPENING_S, TRY_S, Away, OnSession, Places, SessionChange, ids_in, may_pass, rejoin_of


class Follower(Protocol):
    """An object that is subscribed again over the next connection."""

    _queue: FrameQueue

    def _begin_again(self, places: Places, in_order: bool = False) -> None: ...


class Connection(Threads):
    """A connection to a server, which another may replace after a loss."""

    def __init__(
        self,
        address: sessions.Address,
        hello: dict[str, Any],
        timeout: float | None,
        connect_timeout: float | None,
        resume: bool | float,
        follow: bool,
        on_session: OnSession | None,
    ) -> None:
        self.address = address
        self.timeout = timeout
        self._connect_timeout = connect_timeout
        self._try_s = TRY_S if connect_timeout is None else min(TRY_S, connect_timeout)
        self._streams: weakref.WeakSet[Follower] = weakref.WeakSet()
        self._hello = hello
        self._key = ""
        #: Whether the last connection resumed the earlier session.
        self.resumed = False
        self._resume = resume
        self._follow = follow
        self._on_session = on_session
        self._away = Away()
        self._stayed: Error | None = None  # why it did not follow a world
        super().__init__()

    def _open(self) -> None:
        self._adopt(self._dial(self.address, self._connect_timeout), sessions.Session())
        try:
            self._greet({**self._hello, **sessions.resuming(self._key)}, self.timeout)
        except BaseException:
            self._drop()
            raise

    def _greet(self, hello: Mapping[str, Any], timeout: float | None) -> api.SessionHelloResult:
        """Begins a session, or goes on with one."""
        answer = api.SessionHelloResult(self._ask("session.hello", hello, timeout))
        sessions.check_version(answer)
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
        return answer

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

    # Coming back by itself

    def _travel(self, deadline: float | None) -> None:
        """Connects again, or goes to the server of a world that moved."""
        if self._session.moved:
            self._go()
        else:
            self._revive(deadline)

    def _revive(self, deadline: float | None) -> None:
        """Works until the connection is back, is given up, or the caller's time is over; then the next one that waits goes on."""
        away = self._away
        if not away.told:
            away.begin(self._session.visit.grace_s if self._resume is True else float(self._resume), self._session.visit.others)
            self._tell("away", [])
        while self._session.away:
            self._pause(away.retry_at, deadline)
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
            except Error as error:
                away.failed()
                if not may_pass(error) or time.monotonic() > away.until:
                    with self._lock:
                        if self._session.away:
                            self._session.give_up(away.over(error))
                continue
            away.told = False
            self._tell("back" if self.resumed else "anew", rejoin)
            return
        away.told = False

    def _still_away(self) -> None:
        if not self._session.away:  # closed meanwhile
            raise sessions.closed()

    def _come_back(self) -> list[int]:
        """Returns the worlds to join again."""
        link = self._dial(self.address, self._try_s)
        session = self._switch(link, self._still_away)
        try:
            answer = self._greet({**self._hello, **session.visit.fields(session.unanswered())}, TRY_S)
            if self.resumed:
                for data in session.again(ids_in(answer, "lost")):
                    self._send([data])
            else:
                with self._lock:
                    session.lose_calls(ConnectionLost("the session is gone, and nobody knows what became of this"))
            self._resubscribe()
            with self._lock:
                renewed = session.renewed()
            for pieces in renewed:
                self._send(pieces)
            return rejoin_of(answer)
        except BaseException:
            with self._lock:
                session.ended("the connection broke before it was back")
            link.close()
            raise

    # Following a world: the whole client goes, if nothing else holds it here.

    def _go(self) -> None:
        """Goes to the server that runs the session's world, and on from there. If that fails the client stays, or is lost."""
        self._stayed = None
        places = Places(OPENING_S)
        moved: dict[int, int] = {}
        rejoin: list[int] = []
        absent = False  # the server that was named cannot be reached: asks the present one again
        while self._session.moved:
            began = self._session
            try:
                if not absent:
                    self._change_server(moved)
                self._join_again(moved, rejoin, places)
                self._resubscribe(places, in_order=True)
            except Error as error:
                on = isinstance(error, api.Moved) and error.address and self._session.failed is None
                absent = not on and not absent and self._session is began and self._streams_wait()
                pause = places.pause_s(error) if on else places.absent_s(error) if absent else None
                if pause is None:
                    self._stay(places.told(error))
                    return
                sleep(pause)
                self._session.moved = error.address or self._session.moved
                continue
            if absent:  # the world is back
                self._session.moved = ""
                return
            self._tell("moved", rejoin)

    def _streams_wait(self) -> bool:
        """Whether streams would end if the client stayed, although nothing holds it where it is."""
        there = list(self._session.streams.values())
        waiting = [one for one in list(self._streams) if one._queue.ended is None and one._queue not in there]
        return bool(waiting) and self._session.failed is None and not self._holds()

    def _stay(self, why: Error) -> None:
        with self._lock:
            self._stayed = why
            session = self._session
            session.moved = ""
            there = list(session.streams.values())
            for stream in list(self._streams):
                if stream._queue not in there and not session.away:
                    stream._queue.end(StreamClosed(f"its world moved, and this client did not go along: {why}"))
            self._wake()

    def _holds(self) -> bool:
        """Whether other worlds or streams hold the client where it is."""
        session = self._session
        return session.failed is None and bool(session.visit.joined or session.streams)

    def _change_server(self, moved: dict[int, int]) -> None:
        """Begins a session at another server. Adds the worlds to join there to `moved`, and how far each was heard."""
        session, target = self._session, self._session.moved
        try:
            # All notices of the move come before its answer. Other calls under way are answered here.
            self._ask("server.ping", {}, TRY_S)
            self._wait(lambda: not session.waiting or None, TRY_S, "what else was asked was not answered")
        except ConnectionLost:
            pass  # fine: it may have given its worlds away because it shuts down
        if self._holds():
            raise ConnectionLost(f"other worlds or streams keep this client at its server; another client can connect to {target}")
        there = sessions.moved_to(target, self.address)
        fresh = self._switch(self._dial(there, self._try_s), session.leave)
        self.address = there
        moved.update(session.visit.part())
        with self._lock:
            fresh.lose_calls(ConnectionLost("the server is gone, and nobody knows what became of this"))
            self._wake()
        try:
            self._greet(self._hello, TRY_S)
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

    def _ask_there(self, call: Call, why: Error) -> Error | None:
        """Repeats a call at the server of its world. If the client stays where it is, returns the reason, and does not repeat
        the call."""
        # A refusal in the middle of a move has no address: the server knows it when it is asked again.
        there = why.address if isinstance(why, api.Moved) else None
        asked = call._session
        with self._lock:
            if asked is self._session and there:
                self._session.moved = there  # nobody else has gone there meanwhile
            self._stand(call.method)
            if asked is self._session and there:
                if not self._stayed:
                    raise why
                return self._stayed
        self._put(call)
        return None

    def _ask_again_here(self, call: Call, why: Error, stayed: Error, places: Places, deadline: float | None) -> None:
        """Repeats a call at its first server a little later, since the server which that one named did not answer. By then the
        first one may know a better address. Raises `why` if waiting is no use."""
        held = self._session.failed or self._holds()
        pause, rest = None if held else places.absent_s(stayed), left(deadline)
        if pause is None or (rest is not None and rest <= pause):
            raise why from stayed
        sleep(pause)
        self._put(call)

    def _tell(self, change: SessionChange, rejoin: list[int]) -> None:
        if self._on_session:
            self._on_session(change, rejoin)

    # Calls

    def _submit(self, method: str, fields: Mapping[str, Any]) -> Call:
        call = Call(self, method, fields)
        self._put(call)
        return call

    def _put(self, call: Call) -> None:
        """Asks in the present session, once there is one."""
        with self._lock:
            self._stand(call.method)
            session = self._session
            call.passing = self._reviver is not None
            call._begin(session)
            _, pieces = session.request(call, call._fields)
        try:
            self._send(pieces, session)
        except BaseException as error:
            with self._lock:
                if isinstance(error, ConnectionLost) and session.away and not call.passing:
                    return  # it is sent again
                self._session.forget(call)
            raise

    def _answer(self, call: Call, timeout: float | None) -> Any:
        """The result of a call, which is repeated where its world went."""
        deadline, rest, places = until(timeout), timeout, Places()
        while True:
            try:
                return self._outcome(call, rest)
            except Error as error:
                pause = places.pause_s(error) if self._follow and not call.passing else None
                if pause is None:
                    raise places.told(error)
                why = error
            sleep(pause)
            stayed = self._ask_there(call, why)
            if stayed:
                self._ask_again_here(call, why, stayed, places, deadline)
            rest = left(deadline)

    def _ask(self, method: str, fields: Mapping[str, Any], timeout: float | None) -> Any:
        return self._answer(self._submit(method, fields), timeout)

    def _patiently(self, method: str, fields: Mapping[str, Any], places: Places) -> Any:
        """Repeats a call while its world may be about to be opened."""
        while True:
            try:
                return self._ask(method, fields, TRY_S if self.timeout is None else self.timeout)
            except api.Busy as error:
                pause = places.pause_s(error)
                if pause is None:
                    raise
            sleep(pause)

    def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        if method == "session.hello":
            fields = sessions.introducing(self._hello, fields)
        with self._lock:
            pieces, fields = self._session.uploads(method, fields)
        for piece in pieces:
            self._call("world.upload", piece)
        result = self._ask(method, fields, None if patient else self.timeout)
        if method == "session.hello":
            self._hello = sessions.greeting(fields)
        return result
