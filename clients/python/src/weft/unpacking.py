"""Decodes the frames of one stream with compressed positions into frames of floats, and adds what sparse frames leave out.

An unpacker knows no sockets: missing() names the bodies whose topology it needs, learn() takes the answer of body.get, and
unpack() decodes a frame; frames must come in their order. A frame that cannot be decoded, because it builds on a moment that is
not held, is left out as a whole and counted; should_ask() then says when to ask for a frame that stands alone (an empty
stream.set).

A body that comes back under its id may have other elements. A chunk that stands alone carries a hash of the elements; if it
differs from the known one, the body is missing again.
"""
from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.compressed import Decoder, NotHeld, Tiles, decode_q16
from weft.errors import BadMessage
from weft.frames import Frame
from weft.framing import Chunk, PackedChunk

ASK_S = 1.0
ELEMENTS = {"cloth": ("triangles", 3), "soft": ("tets", 4), "rope": ("edges", 2)}


class Topology:
    """Vertices and elements of a body, and of its skin if it has one, by the name of the array in frames."""

    def __init__(self, answer: Any) -> None:
        particles = int(answer["particles"])
        # Memory is allocated for the arrays in the answer.
        if np.size(answer["positions"]) != 3 * particles:
            raise BadMessage("the answer of body.get has no body")
        self.elements_hash = answer["elements_hash"] if "elements_hash" in answer else None
        name, corners = ELEMENTS.get(answer["kind"], ("", 2))
        self.of = {"positions": (particles, np.reshape(answer[name] if name else (), (-1, corners)))}
        skin = answer["skin"] if "skin" in answer else None
        if skin is not None:
            self.of["skin"] = np.size(skin["particles"]) // 4, np.reshape(skin["triangles"], (-1, 3))


class Surface:
    """Tiles of a body or skin of which every nth vertex is sent, and their decoders."""

    def __init__(self, count: int, elements: Any, nth: int) -> None:
        self.nth = nth
        self.tiles = Tiles(count, elements) if nth == 1 else Tiles(-(-count // nth))
        self.decoders: dict[int, Decoder] = {}

    def decoder(self, tile: int) -> Decoder:
        if tile not in self.decoders:
            self.decoders[tile] = Decoder(self.tiles.plan(tile))
        return self.decoders[tile]


class Unpacker:
    def __init__(self) -> None:
        self._bodies: dict[int, Topology | None] = {}
        self._others: set[int] = set()  # bodies whose last chunk has other elements than the known ones
        self._surfaces: dict[tuple[str, int], Surface] = {}
        # The last frame by body, array and tile: rows and their vertices. A sparse frame leaves out what is as it was there.
        # With floats it is by body, array and first particle: the chunks.
        self._shown: dict[tuple[int, str, int], Any] = {}
        self._failed: set[tuple[int, str, int]] = set()  # tiles whose last chunk could not be decoded
        self._seq = 0  # of the last frame
        self._gap = False  # a frame is missing, and a sparse frame after it leaves out what that may have had
        self._lost = 0
        self._broken = False
        self._asked = -ASK_S

    def missing(self, frame: Frame) -> list[int]:
        """Bodies to ask for before the frame is decoded."""
        needed = (chunk for chunk in frame.packed if needs_body(chunk, frame))
        return list(dict.fromkeys(chunk.body for chunk in needed if not self._knows(chunk)))

    def _knows(self, chunk: PackedChunk) -> bool:
        if chunk.body not in self._bodies:
            return False
        known = self._bodies[chunk.body]
        return chunk.elements_hash is None or (known is not None and known.elements_hash == chunk.elements_hash)

    def learn(self, body: int, answer: Any) -> None:
        """Takes the answer of body.get, or None if the body does not exist."""
        self._bodies[body] = None if answer is None else Topology(answer)
        for key in ("positions", body), ("skin", body):
            self._surfaces.pop(key, None)

    def should_ask(self) -> bool:
        """Whether to ask for a frame in which each chunk stands alone; at most once a second."""
        now = time.monotonic()
        if not self._broken or now - self._asked < ASK_S:
            return False
        self._broken, self._asked = False, now
        return True

    def unpack(self, frame: Frame) -> bool:
        """Puts the floats into the frame. False if it cannot be decoded: the next frame that can counts it as dropped."""
        if frame.encoding is None:
            return self._fill(frame)
        failed = set()
        came: dict[tuple[int, str, int], tuple[Any, Any]] = {}
        for chunk in frame.packed:
            # All decoders go on, even if one cannot.
            key = chunk.body, chunk.name, chunk.tile
            try:
                rows, vertices = self._rows(chunk, frame)
            except NotHeld:
                failed.add(key)
                continue
            if key in came:
                raise BadMessage(f"tile {chunk.tile} of body {chunk.body} came twice")
            if rows is not None:
                rows.setflags(write=False)  # later frames may show it again
                came[key] = rows, vertices
        frame.packed = []
        whole = self._keep(frame, came, failed)
        if whole:
            self._join(frame, self._shown)
        return whole

    def _keep(self, frame: Frame, came: dict[tuple[int, str, int], Any], failed: set[tuple[int, str, int]]) -> bool:
        """Adds what a sparse frame left out to what came of it, as what is shown. False if any of it is not held."""
        self._gap = frame.left_out > 0 and (self._gap or frame.seq != self._seq + 1)
        self._seq = frame.seq
        if frame.left_out:
            failed |= self._failed - came.keys()
            came = dict(sorted({**self._shown, **came}.items()))
        self._shown, self._failed = came, failed
        if failed or self._gap:
            self._lost += 1 + frame.dropped
            self._broken = True
            return False
        frame.dropped += self._lost
        self._lost = 0
        return True

    def _fill(self, frame: Frame) -> bool:
        """The same for chunks of floats."""
        came = {(chunk.body, "skin" if chunk.is_skin else "positions", chunk.first): chunk for chunk in frame.plain}
        frame.plain = []
        whole = self._keep(frame, came, set())
        if whole and frame.left_out:
            for chunk in self._shown.values():
                frame.add(chunk)
        return whole

    def _join(self, frame: Frame, came: dict[tuple[int, str, int], tuple[Any, Any]]) -> None:
        tiled: dict[tuple[str, int], NDArray[np.float32]] = {}
        for (body, name, _), (rows, vertices) in came.items():
            if vertices is None:
                frame.add(Chunk.of_rows(body, name, rows))
                continue
            key = name, body
            if key not in tiled:
                # Tiles that are missing were not sent.
                tiled[key] = np.full((self._surfaces[key].tiles.count, 3), np.nan, np.float32)
                frame.add(Chunk.of_rows(body, name, tiled[key]))
            tiled[key][vertices] = rows

    def _rows(self, chunk: PackedChunk, frame: Frame) -> tuple[Any, Any]:
        """Positions, and the indices of their vertices unless these are all. Empty for a body that was removed."""
        vertices, surface = None, None
        if needs_body(chunk, frame):
            topology = self._bodies[chunk.body]
            if topology is None:
                return None, None
            if chunk.elements_hash is not None:
                (self._others.discard if self._knows(chunk) else self._others.add)(chunk.body)
            if chunk.body in self._others:
                raise NotHeld("the body has changed since it was asked for")
            surface = self._surface(chunk, topology, frame.nth)
            vertices = surface.tiles.vertices[chunk.tile] if chunk.tiles > 1 else None
        if frame.encoding == "delta" and surface is not None:
            return surface.decoder(chunk.tile).decode(chunk.data), vertices
        # Memory is allocated for the bytes that came, not for the claimed size.
        if len(chunk.data) < 6 * chunk.count:
            raise BadMessage(f"{len(chunk.data)} bytes of positions where there are {chunk.count} vertices")
        return decode_q16(chunk.data, chunk.count)[0], vertices

    def _surface(self, chunk: PackedChunk, topology: Topology, nth: int) -> Surface:
        count, elements = topology.of.get(chunk.name, (-1, ()))
        key = chunk.name, chunk.body
        if count < 0:
            raise BadMessage(f"{chunk.name} of body {chunk.body}, which has none")
        surface = self._surfaces.get(key)
        if surface is None or surface.nth != nth:
            surface = self._surfaces[key] = Surface(count, elements, nth)
        if chunk.tiles != len(surface.tiles) or chunk.count != len(surface.tiles.vertices[chunk.tile]):
            raise BadMessage(f"{chunk.count} vertices of {chunk.name} of body {chunk.body}, tile {chunk.tile} of "
                             f"{chunk.tiles}: it has others")
        return surface


def needs_body(chunk: PackedChunk, frame: Frame) -> bool:
    """Whether the body's topology is needed to decode it."""
    return frame.encoding == "delta" or chunk.tiles > 1
