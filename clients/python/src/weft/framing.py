"""Parses stream.frame in the buffer where it was received (docs/concepts/streaming.md).

    HEAD      93 02 AC "stream.frame" 91 DE nn nn, stream, seq, dropped, padding: 64 bytes
    SHARED    the other fields, and bodies: one map (a chunk) for each, with arrays at multiples of 8

Only its contents tell the length of a message. So a parser follows the message as its bytes come, says how many it needs before
it can go on, and reads a byte again only within one field or chunk. Arrays become numpy views of the buffer. Depth is bounded,
and a size in a header is believed only when that many bytes are there.

From frame to frame a body's chunk differs only in its payloads. Its template holds the bytes between them: a chunk with equal
bytes there needs no parsing.

    chunk     | map, body, first, count, padding, "positions", ext | payload | padding, … | payload | padding |
    template  |                    equal                           |         |   equal    |         |  equal  |
"""
from __future__ import annotations

import struct
from typing import Any, Mapping

import numpy as np
from numpy.typing import NDArray

from weft.errors import BadMessage
from weft.records import DTYPES, to_array

PREFIX = b"\x93\x02\xacstream.frame\x91\xde"
HEAD_BYTES = 64
DEPTH_MAX = 16
KEY_BYTES = 35  # at least a chunk's map header, body, first and count
TEMPLATES_MAX = 1 << 16

# The arrays of a chunk, and their element types.
ARRAYS: Mapping[str, Any] = {"positions": np.float32, "positions64": np.float64, "velocities": np.float32,
                             "normals": np.float32, "rotations": np.float32, "rotations64": np.float64,
                             "skin": np.float32}
ROTATIONS = ("rotations", "rotations64")


def row_of(key: str) -> int:
    """How many numbers an array has for each particle."""
    return 4 if key in ROTATIONS else 3


U16, U32, U64 = struct.Struct(">H"), struct.Struct(">I"), struct.Struct(">Q")
I8, I16, I32, I64 = struct.Struct(">b"), struct.Struct(">h"), struct.Struct(">i"), struct.Struct(">q")
F32, F64 = struct.Struct(">f"), struct.Struct(">d")

# Values of fixed length: the struct after each header byte.
NUMBERS = {0xCA: F32, 0xCB: F64, 0xCC: struct.Struct(">B"), 0xCD: U16, 0xCE: U32, 0xCF: U64,
           0xD0: I8, 0xD1: I16, 0xD2: I32, 0xD3: I64}
CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
# Values with a length after the header: the struct of the length, and the kind.
LENGTHS = {0xC4: (NUMBERS[0xCC], "bin"), 0xC5: (U16, "bin"), 0xC6: (U32, "bin"),
           0xD9: (NUMBERS[0xCC], "str"), 0xDA: (U16, "str"), 0xDB: (U32, "str"),
           0xC7: (NUMBERS[0xCC], "ext"), 0xC8: (U16, "ext"), 0xC9: (U32, "ext"),
           0xDC: (U16, "array"), 0xDD: (U32, "array"), 0xDE: (U16, "map"), 0xDF: (U32, "map")}
FIXEXT = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}


class Short(Exception):
    """The message goes on at least to this byte."""

    def __init__(self, need: int) -> None:
        self.need = need


def header(data: memoryview, at: int) -> tuple[str, Any, int]:
    """The value that begins at a place: its kind, its value (a constant or number) or length, and where it goes on."""
    if at >= len(data):
        raise Short(at + 1)
    byte = data[at]
    at += 1
    if byte < 0x80:
        return "value", byte, at
    if byte >= 0xE0:
        return "value", byte - 256, at
    if byte < 0x90:
        return "map", byte & 15, at
    if byte < 0xA0:
        return "array", byte & 15, at
    if byte < 0xC0:
        return "str", byte & 31, at
    form = NUMBERS.get(byte)
    if form is not None:
        if at + form.size > len(data):
            raise Short(at + form.size)
        return "value", form.unpack_from(data, at)[0], at + form.size
    if byte in LENGTHS:
        form, kind = LENGTHS[byte]
        if at + form.size > len(data):
            raise Short(at + form.size)
        return kind, form.unpack_from(data, at)[0], at + form.size
    if byte in FIXEXT:
        return "ext", FIXEXT[byte], at
    if byte in CONSTANTS:
        return "value", CONSTANTS[byte], at
    raise BadMessage(f"byte {byte:#04x} does not begin a value")


def value(data: memoryview, at: int, depth: int = DEPTH_MAX) -> tuple[Any, int]:
    """The value that begins at a place, and where it ends. Typed arrays are numpy views, bin is a memoryview."""
    kind, what, at = header(data, at)
    if kind == "value":
        return what, at
    if kind == "array" or kind == "map":
        if depth == 0:
            raise BadMessage("a frame is nested too deeply")
        if kind == "map":
            return pairs(data, at, what, depth - 1)
        items = []
        for _ in range(what):
            item, at = value(data, at, depth - 1)
            items.append(item)
        return items, at
    code = 0
    if kind == "ext":
        if at >= len(data):
            raise Short(at + 1 + what)
        code = data[at]
        at += 1
    end = at + what
    if end > len(data):
        raise Short(end)
    if kind == "str":
        try:
            return str(data[at:end], "utf-8"), end
        except UnicodeDecodeError:
            raise BadMessage("a string of a frame is not UTF-8") from None
    dtype = DTYPES.get(code)
    if dtype is None:
        return data[at:end], end
    if what % dtype.itemsize:
        raise BadMessage(f"{what}bytes are not an array of {dtype.name}")
    return np.frombuffer(data, dtype, what // dtype.itemsize, at), end


def pairs(data: memoryview, at: int, count: int, depth: int) -> tuple[dict[str, Any], int]:
    """A map of named fields, without padding."""
    fields: dict[str, Any] = {}
    for _ in range(count):
        key, at = name(data, at)
        item, at = value(data, at, depth)
        if not key.startswith("_"):
            fields[key] = item
    return fields, at


def name(data: memoryview, at: int) -> tuple[str, int]:
    key, at = value(data, at, 0)
    if not isinstance(key, str):
        raise BadMessage("a field of a frame has no name")
    return key, at


def integer(fields: Mapping[str, Any], key: str) -> int:
    number = fields.get(key)
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise BadMessage(f"{key} of a frame is {number!r:.100}")
    return number


class Chunk:
    """Particles first … first + count - 1 of a body, or vertices of its skin. arrays: the requested ones by name, as rows of
    three, or of four for rotations."""

    __slots__ = ("body", "first", "count", "nbytes", "_arrays", "_spans", "_data", "_at")

    def __init__(self, body: int, first: int, count: int) -> None:
        self.body, self.first, self.count, self.nbytes = body, first, count, 0
        self._arrays: dict[str, NDArray[Any]] | None = None
        self._spans: Mapping[str, tuple[int, Any]] = {}
        self._data: Any = None
        self._at = 0

    @classmethod
    def of_fields(cls, fields: Any) -> Chunk:
        """The chunk of a map, with its arrays in any encoding."""
        if not isinstance(fields, dict):
            raise BadMessage("a body of a frame is not a map")
        chunk = cls(integer(fields, "body"), integer(fields, "first"), integer(fields, "count"))
        chunk._arrays = {}
        for key, dtype in ARRAYS.items():
            if key not in fields:
                continue
            array = to_array(fields[key], dtype, row_of(key), key)
            if len(array) != chunk.count or array.dtype != dtype:
                raise BadMessage(f"{key} of body {chunk.body} are {len(array)} rows of {array.dtype.name}, "
                                 f"not {chunk.count} of {np.dtype(dtype).name}")
            chunk._arrays[key] = array
            chunk.nbytes += array.nbytes
        return chunk

    @classmethod
    def of_rows(cls, body: int, key: str, rows: NDArray[Any]) -> Chunk:
        """One array of the whole body."""
        chunk = cls(body, 0, len(rows))
        chunk._arrays = {key: rows}
        chunk.nbytes = rows.nbytes
        return chunk

    @property
    def is_skin(self) -> bool:
        """Whether it holds vertices of a skin, which come in chunks of their own."""
        return "skin" in (self._spans if self._arrays is None else self._arrays)

    @property
    def arrays(self) -> Mapping[str, NDArray[Any]]:
        if self._arrays is None:
            self._arrays = {
                key: np.frombuffer(self._data, dtype, row_of(key) * self.count, self._at + offset).reshape(-1, row_of(key))
                for key, (offset, dtype) in self._spans.items()}
            self._data = None
        return self._arrays

    def __repr__(self) -> str:
        return f"<chunk of body {self.body}: {self.count} {'vertices' if self.is_skin else 'particles'} from {self.first}>"


class PackedChunk:
    """A tile of a body, or of its skin (name says which), as bytes of the codec; most bodies have one tile. If it stands alone,
    elements_hash is that of the body's elements; else it is None."""

    __slots__ = ("body", "count", "name", "elements_hash", "tile", "tiles", "data")

    def __init__(self, fields: Any) -> None:
        if not isinstance(fields, dict):
            raise BadMessage("a body of a frame is not a map")
        self.body, self.count = integer(fields, "body"), integer(fields, "count")
        self.name = "skin" if "skin" in fields else "positions"
        self.elements_hash = integer(fields, "elements_hash") if "elements_hash" in fields else None
        self.tile = integer(fields, "tile") if "tile" in fields else 0
        self.tiles = integer(fields, "tiles") if "tiles" in fields else 1
        data = fields.get(self.name)
        if not isinstance(data, (bytes, memoryview)) or integer(fields, "first") or self.tile >= self.tiles:
            raise BadMessage(f"{self.name} of body {self.body} are not a chunk of the codec")
        self.data = bytes(data)


class Template:
    """The form of a chunk: its numbers, the places of its payloads, and the bytes between them. Offsets are from the chunk's
    start."""

    __slots__ = ("size", "between", "chunk", "spans")

    def __init__(self, data: bytes, chunk: Chunk, spans: Mapping[str, tuple[int, Any]]) -> None:
        self.size, self.chunk, self.spans = len(data), chunk, spans
        self.between: list[tuple[int, int, bytes]] = []
        at = 0
        for key, (offset, dtype) in spans.items():
            self.between.append((at, offset, data[at:offset]))
            at = offset + row_of(key) * chunk.count * np.dtype(dtype).itemsize
        self.between.append((at, len(data), data[at:]))

    def made_at(self, data: memoryview, at: int) -> Chunk | None:
        """The chunk at a place, if it has this form and all its bytes have come."""
        if at + self.size > len(data):
            return None
        for start, end, expected in self.between:
            if data[at + start : at + end] != expected:
                return None
        like = self.chunk
        chunk = Chunk(like.body, like.first, like.count)
        chunk.nbytes, chunk._spans, chunk._data, chunk._at = like.nbytes, self.spans, data, at
        return chunk


Templates = dict[bytes, Template]


class FrameParser:
    """Parses one stream.frame as its bytes come. fields is its map once done is true; its bodies are chunks."""

    def __init__(self, templates: Templates) -> None:
        self.templates = templates
        self.fields: dict[str, Any] = {}
        self.need = HEAD_BYTES  # bytes of the message that are needed to go on
        self.at = len(PREFIX) + 2
        self.left = -1  # pairs of the map; -1 before it is known
        self.chunks_left = 0
        self.done = False

    def advance(self, data: memoryview) -> None:
        """data is the message from its first byte on, as far as it has come. Bytes read before may be elsewhere by now; earlier
        views stay where they are."""
        if len(data) < self.need:
            return
        if self.left < 0:
            self.left = U16.unpack_from(data, len(PREFIX))[0]
        try:
            while self.chunks_left or self.left:
                if self.chunks_left:
                    self._chunk(data)
                else:
                    self._field(data)
        except Short as short:
            self.need = short.need
            return
        self.need = self.at
        self.done = True

    def _field(self, data: memoryview) -> None:
        key, at = name(data, self.at)
        if key == "bodies":
            kind, count, at = header(data, at)
            if kind != "array":
                raise BadMessage("bodies of a frame are not an array")
            self.fields[key] = []
            self.chunks_left = count
        else:
            item, at = value(data, at)
            if not key.startswith("_"):
                self.fields[key] = item
        self.at = at
        self.left -= 1

    def _chunk(self, data: memoryview) -> None:
        start = self.at
        key = bytes(data[start : start + KEY_BYTES])
        template = None if "encoding" in self.fields else self.templates.get(key)
        chunk: Chunk | PackedChunk | None = template.made_at(data, start) if template else None
        if chunk is not None and template is not None:
            self.at = start + template.size
        else:
            chunk, template = self._parse_chunk(data, start)
            if template:
                if len(self.templates) >= TEMPLATES_MAX:
                    self.templates.clear()  # most of them belong to bodies that were removed
                self.templates[key] = template
        self.fields["bodies"].append(chunk)
        self.chunks_left -= 1

    def _parse_chunk(self, data: memoryview, start: int) -> tuple[Chunk | PackedChunk, Template | None]:
        kind, count, at = header(data, start)
        if kind != "map":
            raise BadMessage("a body of a frame is not a map")
        fields: dict[str, Any] = {}
        spans: dict[str, tuple[int, Any]] = {}
        for _ in range(count):
            key, at = name(data, at)
            item, at = value(data, at, 1)
            if not key.startswith("_"):
                fields[key] = item
            if key in ARRAYS and isinstance(item, np.ndarray):
                spans[key] = at - item.nbytes - start, item.dtype
        self.at = at
        if "encoding" in self.fields:
            return PackedChunk(fields), None
        chunk = Chunk.of_fields(fields)
        if spans.keys() != chunk.arrays.keys():
            return chunk, None  # not typed arrays
        return chunk, Template(bytes(data[start:at]), chunk, spans)
