"""A twin: a copy of a server's world that this machine computes, equal to the server's bit for bit.

It costs the server a few KB per second, whatever is read from it. The program weft-twin has the solver; this module starts it
and asks it. weft-twin has its own connection, follows the server's clock, starts again from an image if something is missing,
and reports to the server if a state differs.
"""
from __future__ import annotations

import os
import select
import subprocess
import threading
import time
from collections import deque
from typing import IO, Any, Iterator, Mapping, Sequence, cast

import msgpack
import numpy as np
import numpy.typing as npt

from weft import api, programs
from weft.errors import Closed, Error, Timeout
from weft.session import Address, address_text

FIELDS = {"positions": "<f4", "positions64": "<f8", "velocities": "<f4"}
_READ_BYTES = 1 << 20
_MOST_BYTES = (1 << 31) - 1
POLL_S = 0.005
_STOP_S = 10.0


class TwinBody:
    """A body of a Moment. Arrays are read-only, of shape (n, 3); None if they were not requested."""

    __slots__ = ("id", "name", "particles", "positions", "positions64", "velocities")

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.id: int = told["id"]
        self.name: str = told["name"]
        self.particles: int = told["particles"]
        #: m, as float32.
        self.positions: npt.NDArray[np.float32] | None = _rows(told, "positions")
        #: m, as float64.
        self.positions64: npt.NDArray[np.float64] | None = _rows(told, "positions64")
        #: m/s.
        self.velocities: npt.NDArray[np.float32] | None = _rows(told, "velocities")

    def __repr__(self) -> str:
        return f"<TwinBody {self.id} {self.name!r} of {self.particles} particles>"


def _rows(told: Mapping[str, Any], field: str) -> Any:
    given = told.get(field)
    return None if given is None else np.frombuffer(given, FIELDS[field]).reshape(-1, 3)


class Moment:
    """The state of a twin at one boundary between two ticks.

    `moment[body]` is one of its bodies, by object, id or name; `for body in moment` goes through all.
    """

    def __init__(self, told: Mapping[str, Any]) -> None:
        #: Whether it has a state of the world. Else it waits for an image, and `text` may say why.
        self.standing: bool = told["standing"]
        self.playing: bool = told["playing"]
        #: Whether the world failed.
        self.failed: bool = told["failed"]
        #: Its present tick.
        self.tick: int = told["tick"]
        #: The last tick that it may run to by the server's records.
        self.told_tick: int = told["told"]
        #: The last tick at which its hash was equal to the server's.
        self.same_tick: int = told["same"]
        #: Number of hashes compared, and number of hashes or results that were not equal.
        self.hashes: int = told["hashes"]
        self.differences: int = told["differences"]
        #: Times that it had to start again; images that it started from; streams that it had.
        self.losses: int = told["losses"]
        self.images: int = told["images"]
        self.joins: int = told["joins"]
        #: Number of edits and inputs applied, and the number of the last one received.
        self.records: int = told["records"]
        self.sequence: int = told["sequence"]
        #: The world's time, and the delay behind the server, in s.
        self.time: float = told["tick"] / told["tick_rate"] if told["tick_rate"] else 0.0
        self.delay: float = told["delay"]
        self.text: str = told["text"]
        #: Hash of the state, as World.hash() returns it, if requested.
        self.hash: str | None = told.get("hash")
        #: Energies in J and strains, if requested: kinetic, potential, elastic, strain_max …
        self.measures: dict[str, float] | None = told.get("measures")
        self._bodies = [TwinBody(body) for body in told["bodies"]]

    def __iter__(self) -> Iterator[TwinBody]:
        return iter(self._bodies)

    def __len__(self) -> int:
        return len(self._bodies)

    def __getitem__(self, body: Any) -> TwinBody:
        ref = _ref(body)
        for one in self._bodies:
            if ref in (one.id, one.name):
                return one
        raise KeyError(body)

    def __repr__(self) -> str:
        return f"<Moment at tick {self.tick}, equal at tick {self.same_tick}, {self.differences} of {self.hashes} differ>"


def _ref(body: Any) -> Any:
    return getattr(body, "ref", body)


class Waiting:
    """The condition that wait() waits for; its parameters are those of wait()."""

    def __init__(self, tick: int | None, equal: bool, timeout: float | None) -> None:
        self.tick = tick
        self.equal = equal
        self.until = _deadline(timeout)

    def is_over(self, moment: Moment) -> bool:
        """Raises Timeout."""
        reached = moment.same_tick if self.equal else moment.tick
        if moment.standing and (self.tick is None or reached >= self.tick) and (not self.equal or moment.hashes > 0):
            return True
        if self.until is not None and time.monotonic() >= self.until:
            raise Timeout(f"the twin is at tick {moment.tick}, equal at tick {moment.same_tick}: {moment.text}")
        return False


class Twin:
    """A copy of a server's world on this machine; World.twin() makes one. It runs by itself until it is closed."""

    def __init__(self, address: Address, world: int | str, token: str | None, timeout: float | None) -> None:
        secure = address.tls.words() if address.tls else []
        environment = {**os.environ, **({"WEFT_TOKEN": token} if token else {})}
        self.timeout = timeout
        self._lock = threading.Lock()
        self._asked = 0
        self._closed = False
        self._said: deque[str] = deque(maxlen=100)
        self._unpacker = msgpack.Unpacker(raw=False, max_buffer_size=_MOST_BYTES)
        try:
            self._process = subprocess.Popen(
                [programs.find("weft-twin"), "--server", address_text(address), *secure, "--ask", programs.reference(world)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        except OSError as error:
            raise programs.ProgramError(f"weft-twin cannot be run: {error}", kind=1) from error
        self._listener = threading.Thread(target=self._listen, name="weft-twin", daemon=True)
        self._listener.start()

    # ------------------------------------------------------------------------------------------------------
    # Asking

    def look(self, fields: Sequence[str] = ("positions",), bodies: Sequence[Any] | None = None, *, hash: bool = False,
             measures: bool = False) -> Moment:
        """The present state. fields: any of positions, positions64 and velocities; bodies: objects, ids or names, None for all.
        hash computes the hash of the state, measures computes energies and strains; both cost the server nothing."""
        if isinstance(fields, str):
            raise api.Invalid("fields must be a list of names", field="fields")
        return Moment(self._ask(list(fields), bodies, hash, measures))

    def state(self) -> Moment:
        """The present state without bodies."""
        return self.look((), ())

    def wait(self, tick: int | None = None, *, equal: bool = False, timeout: float | None = None) -> Moment:
        """Waits until the twin has reached a tick; without a tick, until it has a state. equal: also until its state was found
        equal to the server's. Raises Timeout."""
        waiting = Waiting(tick, equal, self.timeout if timeout is None else timeout)
        while not waiting.is_over(moment := self.state()):
            time.sleep(POLL_S)
        return moment

    def __iter__(self) -> Iterator[Moment]:
        """Iterates over Moments with positions, one whenever the tick changes, until the twin is closed."""
        before: tuple[int, int] | None = None
        while not self._closed:
            moment = self.state()
            if moment.standing and (moment.tick, moment.images) != before:
                moment = self.look()
                before = (moment.tick, moment.images)
                yield moment
            else:
                time.sleep(POLL_S)

    def _ask(self, fields: list[str], bodies: Sequence[Any] | None, hash: bool, measures: bool) -> Mapping[str, Any]:
        refs = None if bodies is None else [_ref(body) for body in bodies]
        if refs is not None and any(isinstance(ref, str) for ref in refs):
            known = {body.name: body.id for body in Moment(self._exchange([], None, False, False))}
            missing = [ref for ref in refs if isinstance(ref, str) and ref not in known]
            if missing:
                raise api.NotFound(f"the twin has no body \"{missing[0]}\"", field="bodies")
            refs = [known[ref] if isinstance(ref, str) else ref for ref in refs]
        return self._exchange(fields, refs, hash, measures)

    def _exchange(self, fields: list[str], bodies: list[int] | None, hash: bool, measures: bool) -> Mapping[str, Any]:
        with self._lock:
            if self._closed:
                raise Closed("the twin is closed")
            self._asked += 1
            asked = {"ask": self._asked, "fields": fields, "bodies": bodies, "hash": hash, "measures": measures}
            pipe = cast("IO[bytes]", self._process.stdin)
            try:
                pipe.write(msgpack.packb(asked))
                pipe.flush()
            except (OSError, ValueError):
                raise self._ended() from None
            told = self._answer()
        if "error" in told:
            raise api.Invalid(told["error"])
        return told

    def _answer(self) -> Mapping[str, Any]:
        until = _deadline(self.timeout)
        output = cast("IO[bytes]", self._process.stdout).fileno()
        while True:
            for told in self._unpacker:
                if told.get("ask") == self._asked:  # answers that an earlier call did not wait for are skipped
                    return cast("Mapping[str, Any]", told)
            left = None if until is None else max(0.0, until - time.monotonic())
            if not select.select([output], [], [], left)[0]:
                raise Timeout("the twin did not answer in time")
            got = os.read(output, _READ_BYTES)
            if not got:
                raise self._ended()
            self._unpacker.feed(got)

    # ------------------------------------------------------------------------------------------------------
    # The process

    def _listen(self) -> None:
        with cast("IO[bytes]", self._process.stderr) as said:
            for line in said:
                self._said.append(line.decode(errors="replace").rstrip())

    @property
    def closed(self) -> bool:
        return self._closed

    @property
    def lines(self) -> list[str]:
        """The last lines that weft-twin printed, for example why it started again."""
        return list(self._said)

    def _ended(self) -> Error:
        try:
            status = self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            status = -1
        self._listener.join(_STOP_S)
        return programs.refusal("\n".join(self._said), status)

    def close(self) -> None:
        """Ends the twin. The world at the server is not affected."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for pipe in (self._process.stdin, self._process.stdout):
                try:
                    cast("IO[bytes]", pipe).close()
                except OSError:
                    pass
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listener.join(_STOP_S)

    def __enter__(self) -> Twin:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None and not self._closed:
            self._process.kill()

    def __repr__(self) -> str:
        return f"<Twin, {'closed' if self._closed else 'running'}>"


def _deadline(timeout: float | None) -> float | None:
    return None if timeout is None else time.monotonic() + timeout
