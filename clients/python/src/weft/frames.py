"""Frames of a stream: joins the parts of a frame, and queues frames until they are read.

Arrays are read-only views of the received bytes, of shape (n, 3), and (n, 4) for rotations. A body that came in several parts is
joined when it is first read; chunks gives the parts as they came. A view keeps its part of the receive buffer (1 MiB) in memory:
copy arrays that you keep for long.
"""
from __future__ import annotations

from collections import deque
from typing import Any, Callable, Iterator, Mapping, TypeVar

import numpy as np
from numpy.typing import NDArray

from weft import api
from weft.errors import BadMessage, Closed, ConnectionLost, Error
from weft.framing import Chunk, PackedChunk, integer
from weft.records import Record

PARTS_MAX = 1 << 16


class FrameBody:
    """A body in a frame: its id, its number of particles (count), and the requested arrays of shape (count, 3). skin has a row
    for each vertex of the skin, and rotations have four numbers in each row. Only bodies with orientations have rotations."""

    __slots__ = ("id", "chunks", "skins", "_joined")

    def __init__(self, body: int) -> None:
        self.id = body
        self.chunks: list[Chunk] = []
        self.skins: list[Chunk] = []
        self._joined: dict[str, NDArray[Any]] = {}

    def add(self, chunk: Chunk) -> None:
        parts = self.skins if chunk.is_skin else self.chunks
        if parts and chunk.first != parts[-1].first + parts[-1].count:
            raise BadMessage(f"the parts of body {self.id} do not follow one another")
        parts.append(chunk)

    @property
    def count(self) -> int:
        return sum(chunk.count for chunk in self.chunks)

    def _names(self) -> str:
        return ", ".join(name for parts in (self.chunks, self.skins) for name in (parts[0].arrays if parts else ()))

    def array(self, name: str) -> NDArray[Any]:
        """An array by its name; without a copy if the body came in one part."""
        parts = self.skins if name == "skin" else self.chunks
        try:
            if len(parts) == 1:
                return parts[0].arrays[name]
            if not parts:
                raise KeyError(name)
            if name not in self._joined:
                self._joined[name] = np.concatenate([chunk.arrays[name] for chunk in parts])
            return self._joined[name]
        except KeyError:
            raise AttributeError(f"the stream does not carry {name} of body {self.id}; it carries "
                                 f"{self._names() or 'no arrays'}") from None

    @property
    def positions(self) -> NDArray[np.float32]:
        """x, y, z of each particle. [m]"""
        return self.array("positions")

    @property
    def positions64(self) -> NDArray[np.float64]:
        """The same in float64, exact. [m]"""
        return self.array("positions64")

    @property
    def velocities(self) -> NDArray[np.float32]:
        """x, y, z of each particle. [m/s]"""
        return self.array("velocities")

    @property
    def normals(self) -> NDArray[np.float32]:
        """Unit normals of the particles; zero where no triangle meets."""
        return self.array("normals")

    @property
    def rotations(self) -> NDArray[np.float32]:
        """Unit quaternions x, y, z, w of the particles; four zeros for one that has no orientation."""
        return self.array("rotations")

    @property
    def rotations64(self) -> NDArray[np.float64]:
        """The same in float64, exact: whole multiples of 2^-30."""
        return self.array("rotations64")

    @property
    def skin(self) -> NDArray[np.float32]:
        """x, y, z of each vertex of the skin that the body carries. [m]"""
        return self.array("skin")

    def __repr__(self) -> str:
        return f"<body {self.id}: {self.count} particles, {self._names()}>"


Made = TypeVar("Made", bound=Record)


def records_of(fields: dict[str, Any], key: str, kind: type[Made]) -> list[Made] | None:
    listed = fields.get(key)
    if not isinstance(listed, (list, type(None))):
        raise BadMessage(f"{key}of a frame is not a list")
    return None if listed is None else [kind(one) for one in listed]


def ids_of(fields: dict[str, Any], key: str) -> frozenset[int]:
    listed = fields.get(key, ())
    if not isinstance(listed, (list, tuple)) or not all(isinstance(one, int) for one in listed):
        raise BadMessage(f"{key} of a frame is not a list of ids")
    return frozenset(listed)


class Frame:
    """One moment of a world. frame[body] is one of its bodies, by id or by object. measures, grabs, colliders (poses of those
    that motions move), contact and contacts (its points) are None unless they were requested. asleep has the ids of the
    bodies that sleep; it is empty if none does, or if it was not requested. dropped counts the frames left
    out since the one before, for any reason, including compressed frames that could not be decoded. encoding ("q16" or "delta")
    and tolerance [m] describe compressed positions, and are None if positions came as floats. With nth above 1 only particles
    0, nth, 2 nth, … are present. after is None except in the first frame after a restart of the stream, when its world moved or
    the connection was lost: there it is the tick of the last frame before, and frames in between were not sent. epoch counts
    the servers that have run the world if several servers share worlds, else it is None: of two frames, the one with the later
    epoch is valid."""

    __slots__ = ("stream", "seq", "dropped", "world", "tick", "substep", "time", "revision", "measures", "grabs",
                 "colliders", "contact", "contacts", "asleep", "bodies", "nbytes", "encoding",
                 "tolerance", "nth", "packed", "plain", "left_out", "after", "epoch")

    def __init__(self, parts: list[dict[str, Any]]) -> None:
        first = parts[0]
        self.stream = integer(first, "stream")
        self.seq = integer(first, "seq")
        self.dropped = integer(first, "dropped")
        self.world = integer(first, "world")
        self.tick = integer(first, "tick")
        self.substep = integer(first, "substep")
        self.revision = integer(first, "revision")
        self.epoch: int | None = integer(first, "epoch") if "epoch" in first else None
        time = first.get("time")
        if not isinstance(time, (int, float)):
            raise BadMessage(f"time of a frame is {time!r:.100}")
        self.time = float(time)
        measures = first.get("measures")
        self.measures = None if measures is None else api.Measures(measures)
        self.grabs = records_of(first, "grabs", api.GrabSummary)
        self.colliders = records_of(first, "colliders", api.ColliderPose)
        contact = first.get("contact")
        self.contact = None if contact is None else api.Contact(contact)
        contacts = first.get("contacts")
        self.contacts = None if contacts is None else api.Contacts(contacts)
        self.asleep = ids_of(first, "asleep")
        self.encoding: str | None = first.get("encoding")
        if self.encoding not in (None, "q16", "delta"):
            raise BadMessage(f"encoding of a frame is {self.encoding!r:.100}")
        tolerance = first.get("tolerance")
        self.tolerance = float(tolerance) if isinstance(tolerance, (int, float)) else None
        self.nth = integer(first, "nth") if "nth" in first else 1
        if self.nth == 0:
            raise BadMessage("nth of a frame is 0")
        # Chunks that did not come, because they are as in the frame before; unpacking.py adds them.
        self.left_out = integer(first, "left_out") if "left_out" in first else 0
        self.after: int | None = None
        self.bodies: dict[int, FrameBody] = {}
        self.packed: list[PackedChunk] = []  # until they are read (unpacking.py)
        # Chunks of floats, until unpacking.py has kept them. If anything is left out, it adds them to the bodies as well.
        self.plain: list[Chunk] = []
        self.nbytes = 0
        for part in parts:
            bodies = part.get("bodies")
            if not isinstance(bodies, list):
                raise BadMessage("bodiesof a frame is not a list")
            for fields in bodies:
                if isinstance(fields, PackedChunk) or (self.encoding and not isinstance(fields, Chunk)):
                    self.packed.append(fields if isinstance(fields, PackedChunk) else PackedChunk(fields))
                else:
                    self.plain.append(fields if isinstance(fields, Chunk) else Chunk.of_fields(fields))
        self.nbytes += sum(len(chunk.data) for chunk in self.packed)
        if self.left_out:
            self.nbytes += sum(chunk.nbytes for chunk in self.plain)
        else:
            for chunk in self.plain:
                self.add(chunk)
        if bool(self.packed) > bool(self.encoding):
            raise BadMessage("the parts of a frame differ in their encoding")

    def add(self, chunk: Chunk) -> None:
        self.nbytes += chunk.nbytes
        body = self.bodies.get(chunk.body)
        if body is None:
            body = self.bodies[chunk.body] = FrameBody(chunk.body)
        body.add(chunk)

    def __getitem__(self, body: Any) -> FrameBody:
        key = body if isinstance(body, (int, np.integer)) else body.id
        if key not in self.bodies:
            raise KeyError(f"no body {key} in this frame; it has {', '.join(map(str, self.bodies)) or 'none'}")
        return self.bodies[int(key)]

    def __iter__(self) -> Iterator[FrameBody]:
        return iter(self.bodies.values())

    def __repr__(self) -> str:
        return (f"<frame {self.seq} of stream {self.stream}: tick {self.tick}, substep {self.substep}, "
                f"{len(self.bodies)} bodies, {self.dropped} dropped>")


class Credit:
    """Tells the server which frames of a lossless stream were taken: at least after a quarter of what it may send ahead, or
    when no more frames wait here."""

    FRAMES = 256  # a quarter of the limit lossless_unacked

    def __init__(self, wishes: Mapping[str, Any]) -> None:
        self.bytes = int(wishes.get("credit", 1 << 20)) // 4 if wishes.get("mode") == "lossless" else None
        self._taken = 0
        self._frames = 0

    def taken(self, frame: Frame, queue: FrameQueue, notify: Callable[..., None]) -> None:
        if self.bytes is None:
            return
        self._taken += frame.nbytes
        self._frames += 1
        if queue.ended is not None or (queue.frames and self._taken < self.bytes and self._frames < self.FRAMES):
            return
        self._taken = self._frames = 0
        try:
            notify("stream.ack", stream=frame.stream, seq=frame.seq)
        except (ConnectionLost, Closed):
            pass  # the stream ends with the connection, or starts again


class FrameQueue:
    """The frames of a stream that wait to be read. Beyond `keep` frames or `keep_bytes` bytes the oldest are dropped; the next
    frame that is taken counts them. Not safe for threads by itself: its owner sees to that."""

    def __init__(self) -> None:
        self.keep = 1024
        self.keep_bytes = 64 << 20
        self.frames: deque[Frame] = deque()
        self.nbytes = 0
        self.ended: Error | None = None
        self.lagged = 0  # by stream.lagged: frames the server left out since the stream began
        self._parts: list[dict[str, Any] | None] = []
        self._missing = 0
        self._seq = -1
        self._lost = 0

    def part(self, fields: dict[str, Any]) -> None:
        """Takes a message of the stream. The parts of a frame have the same seq."""
        seq, part, parts = integer(fields, "seq"), integer(fields, "part"), integer(fields, "parts")
        if not part < parts <= PARTS_MAX:
            raise BadMessage(f"part {part} of {parts} of a frame")
        if seq != self._seq or len(self._parts) != parts:
            # The rest of the previous frame will not come.
            self._lost += 1 if self._missing else 0
            self._parts, self._missing, self._seq = [None] * parts, parts, seq
        if self._parts[part] is not None:
            raise BadMessage(f"part {part} of frame {seq} came twice")
        self._parts[part] = fields
        self._missing -= 1
        if self._missing == 0:
            whole = [one for one in self._parts if one is not None]
            self._parts, self._seq = [], -1
            self._put(Frame(whole))

    def _put(self, frame: Frame) -> None:
        frame.dropped += self._lost
        self._lost = 0
        self.frames.append(frame)
        self.nbytes += frame.nbytes
        while len(self.frames) > 1 and (len(self.frames) > self.keep or self.nbytes > self.keep_bytes):
            old = self.frames.popleft()
            self.nbytes -= old.nbytes
            self.frames[0].dropped += old.dropped + 1

    def take(self) -> Frame | None:
        if not self.frames:
            return None
        frame = self.frames.popleft()
        self.nbytes -= frame.nbytes
        return frame

    def follow(self, old: FrameQueue) -> None:
        """Replaces another queue; frames that waited there count as dropped."""
        self.keep, self.keep_bytes = old.keep, old.keep_bytes
        lost = len(old.frames) + sum(frame.dropped for frame in old.frames) + old._lost
        if self.frames:
            self.frames[0].dropped += lost
        else:
            self._lost += lost

    def end(self, why: Error) -> None:
        """No more frames will come. Those that wait can still be read, unless this program closed the stream."""
        if self.ended is None:
            self.ended = why
        if isinstance(why, Closed):
            self.frames.clear()
            self.nbytes = 0
