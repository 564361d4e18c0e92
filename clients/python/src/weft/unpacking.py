"""Frames of one stream whose positions are compressed, made into frames of floats.

An unpacker knows no sockets: missing() names the bodies of which it needs the topology, learn() gives it what body.get
answered, and unpack() reads a frame, in the order in which they came. What cannot be read, for it builds on a moment that is
not held, is left out whole and counted; should_ask() then says when a frame is to be asked for that stands alone (an empty
stream.set).
"""
from __future__ import annotations

import time
from typing import Any

import numpy as np

from weft.compressed import Decoder, NotHeld, Plan, decode_q16
from weft.errors import BadMessage
from weft.frames import Frame
from weft.framing import Chunk, PackedChunk

ASK_S = 1.0
ELEMENTS = {"cloth": ("triangles", 3), "soft": ("tets", 4), "rope": ("edges", 2)}


class Topology:
    """Vertices and elements of a body, and of its skin if it has one, by the name of the array they are sent as."""

    def __init__(self, answer: Any) -> None:
        particles = int(answer["particles"])
        # What stands in the answer is what memory is asked for.
        if np.size(answer["positions"]) != 3 * particles:
            raise BadMessage("body.get was answered without a body")
        name, corners = ELEMENTS.get(answer["kind"], ("", 2))
        self.of = {"positions": (particles, np.reshape(answer[name] if name else (), (-1, corners)))}
        skin = answer["skin"] if "skin" in answer else None
        if skin is not None:
            self.of["skin"] = np.size(skin["particles"]) // 4, np.reshape(skin["triangles"], (-1, 3))


class Unpacker:
    def __init__(self) -> None:
        self._bodies: dict[int, Topology | None] = {}
        self._decoders: dict[tuple[str, int], tuple[int, Decoder]] = {}
        self._lost = 0
        self._broken = False
        self._asked = -ASK_S

    def missing(self, frame: Frame) -> list[int]:
        """Bodies that are to be asked for before the frame is read."""
        if frame.encoding != "delta":
            return []
        return [body for body in dict.fromkeys(chunk.body for chunk in frame.packed) if body not in self._bodies]

    def learn(self, body: int, answer: Any) -> None:
        """What body.get answered; None where there is no such body."""
        self._bodies[body] = None if answer is None else Topology(answer)

    def should_ask(self) -> bool:
        """Whether a frame of which each chunk stands alone is to be asked for: not more often than once a second."""
        now = time.monotonic()
        if not self._broken or now - self._asked < ASK_S:
            return False
        self._broken, self._asked = False, now
        return True

    def unpack(self, frame: Frame) -> bool:
        """Puts the floats into the frame. False where it cannot be read: the next that can counts it as dropped."""
        whole = True
        for chunk in frame.packed:
            # All decoders go on, also where one cannot.
            try:
                rows = self._rows(chunk, frame)
            except NotHeld:
                whole = False
                continue
            if rows is not None:
                frame.add(Chunk.of_rows(chunk.body, chunk.name, rows))
        frame.packed = []
        if not whole:
            self._lost += 1 + frame.dropped
            self._broken = True
            return False
        frame.dropped += self._lost
        self._lost = 0
        return True

    def _rows(self, chunk: PackedChunk, frame: Frame) -> Any:
        if frame.encoding == "q16":
            # Memory is asked for what came, not for what was said.
            if len(chunk.data) < 6 * chunk.count:
                raise BadMessage(f"{len(chunk.data)} bytes of positions where there are {chunk.count} vertices")
            return decode_q16(chunk.data, chunk.count)[0]
        topology = self._bodies[chunk.body]
        return None if topology is None else self._decoder(chunk, topology, frame.nth).decode(chunk.data)

    def _decoder(self, chunk: PackedChunk, topology: Topology, nth: int) -> Decoder:
        count, elements = topology.of.get(chunk.name, (-1, ()))
        if chunk.count != -(-count // nth):
            raise BadMessage(f"{chunk.count} vertices of {chunk.name} of body {chunk.body}, which has {count}")
        key = chunk.name, chunk.body
        known = self._decoders.get(key)
        if known is None or known[0] != nth:
            plan = Plan(count, elements) if nth == 1 else Plan(chunk.count)
            known = self._decoders[key] = nth, Decoder(plan)
        return known[1]
