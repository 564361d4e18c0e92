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
from collections import deque
from typing import IO, Any, Iterator, Mapping, Sequence, cast

import msgpack
import numpy as np
import numpy.typing as npt

from weft import api, programs
from weft.deadlines import left, until
from weft.errors import Closed, Error, Timeout
from weft.framing import row_of
from weft.session import Address, address_text

FIELDS = {"positions": "<f4", "positions64": "<f8", "velocities": "<f4", "rotations": "<f4", "rotations64": "<f8"}
_READ_BYTES = 1 << 20
_MOST_BYTES = (1 << 31) - 1
POLL_S = 0.005
_STOP_S = 10.0


class TwinBody:
    """A body of a Moment. Arrays are read-only, of shape (n, 3), rotations of shape (n, 4); None if they were not requested.
    Rotations are None also for a body without orientations."""

    __slots__ = ("id", "name", "particles", "positions", "positions64", "velocities", "rotations", "rotations64")

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
        #: Unit quaternions x, y, z, w, as float32; four zeros for a particle that has no orientation.
        self.rotations: npt.NDArray[np.float32] | None = _rows(told, "rotations")
        #: The same, exact.
        self.rotations64: npt.NDArray[np.float64] | None = _rows(told, "rotations64")

    def __repr__(self) -> str:
        return f"<TwinBody {self.id} {self.name!r} of {self.particles} particles>"


def _rows(told: Mapping[str, Any], field: str) -> Any:
    given = told.get(field)
    return None if given is None else np.frombuffer(given, FIELDS[field]).reshape(-1, row_of(field))


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
        self.until = until(timeout)

    def is_over(self, moment: Moment) -> bool:
        """Raises Timeout."""
        reached = moment.same_tick if self.equal else moment.tick
        if moment.standing and (self.tick is None or reached >= self.tick) and (not self.equal or moment.hashes > 0):
            return True
        if left(self.until) == 0.0:
            raise Timeout(f"the twin is at tick {moment.tick}, equal at tick {moment.same_tick}: {moment.text}")
        return False


class TwinProcess(subprocess.Popen[bytes]):
    """A weft-twin that runs. It is asked by one thread at a time; the others wait."""

    def __init__(self, address: Address, world: int | str, token: str | None, timeout: float | None) -> None:
        secure = address.tls.words() if address.tls else []
        environment = {**os.environ, **({"WEFT_TOKEN": token} if token else {})}
        self.timeout = timeout
        self.closed = False
        self.lines: deque[str] = deque(maxlen=100)
        self._lock = threading.Lock()
        self._asked = 0
        self._unpacker = msgpack.Unpacker(raw=False, max_buffer_size=_MOST_BYTES)
        try:
            super().__init__(
                [programs.find("weft-twin"), "--server", address_text(address), *secure, "--ask", programs.reference(world)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        except OSError as error:
            raise programs.ProgramError(f"weft-twin cannot be run: {error}", kind=1) from error
        self._listener = threading.Thread(target=self._listen, name="weft-twin", daemon=True)
        self._listener.start()

    def look(self, fields: Sequence[str], bodies: Sequence[Any] | None, hash: bool = False, measures: bool = False) -> Moment:
        if isinstance(fields, str):
            raise api.Invalid("fields must be a list of names", field="fields")
        refs = None if bodies is None else [_ref(body) for body in bodies]
        if refs is not None and any(isinstance(ref, str) for ref in refs):
            known = {body.name: body.id for body in self._exchange([], None, False, False)}
            missing = [ref for ref in refs if isinstance(ref, str) and ref not in known]
            if missing:
                raise api.NotFound(f"the twin has no body \"{missing[0]}\"", field="bodies")
            refs = [known[ref] if isinstance(ref, str) else ref for ref in refs]
        return self._exchange(list(fields), refs, hash, measures)

    def _exchange(self, fields: list[str], bodies: list[int] | None, hash: bool, measures: bool) -> Moment:
        with self._lock:
            if self.closed:
                raise Closed("the twin is closed")
            self._asked += 1
            asked = {"ask": self._asked, "fields": fields, "bodies": bodies, "hash": hash, "measures": measures}
            pipe = cast("IO[bytes]", self.stdin)
            try:
                pipe.write(msgpack.packb(asked))
                pipe.flush()
            except (OSError, ValueError):
                raise self._ended() from None
            told = self._answer()
        if "error" in told:
            raise api.Invalid(told["error"])
        return Moment(told)

    def _answer(self) -> Mapping[str, Any]:
        deadline = until(self.timeout)
        output = cast("IO[bytes]", self.stdout).fileno()
        while True:
            for told in self._unpacker:
                if told.get("ask") == self._asked:  # answers that an earlier call did not wait for are skipped
                    return cast("Mapping[str, Any]", told)
            if not select.select([output], [], [], left(deadline))[0]:
                raise Timeout("the twin did not answer in time")
            got = os.read(output, _READ_BYTES)
            if not got:
                raise self._ended()
            self._unpacker.feed(got)

    def _listen(self) -> None:
        with cast("IO[bytes]", self.stderr) as said:
            for line in said:
                self.lines.append(line.decode(errors="replace").rstrip())

    def _ended(self) -> Error:
        try:
            status = self.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            status = -1
        self._listener.join(_STOP_S)
        return programs.refusal("\n".join(self.lines), status)

    def close(self) -> None:
        with self._lock:
            if self.closed:
                return
            self.closed = True
            for pipe in (self.stdin, self.stdout):
                try:
                    cast("IO[bytes]", pipe).close()
                except OSError:
                    pass
        try:
            self.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self.kill()
            self.wait()
        self._listener.join(_STOP_S)
