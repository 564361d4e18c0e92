"""Outgoing messages: requests and notifications as pieces of bytes, with arrays as they are in memory.

A message is a list of pieces for one gathering write. Typed arrays of PIECE bytes and more are pieces of their own, views of
the caller's numpy arrays, so they are not copied if they are contiguous and little-endian.
"""
from __future__ import annotations

import struct
from typing import Any, Mapping, Sequence, Union

import msgpack
import numpy as np
from numpy.typing import NDArray

from weft import api
from weft.records import DTYPES, Record

Piece = Union[bytes, memoryview]

CODES = {dtype: code for code, dtype in DTYPES.items()}
PIECE = 4096
U32_MAX = 2**32 - 1


def refused(where: str, text: str, value: Any = None) -> api.Invalid:
    return api.Invalid(f"{where}: {text}", code="INVALID", field=where, value=value)


def to_u32(array: NDArray[Any], where: str) -> NDArray[Any]:
    """Converts integers of any width to a type of the wire; the server checks their meaning."""
    if array.size == 0:
        return np.empty(0, "<u4")
    if array.dtype.kind not in "iu":
        raise refused(where, f"must be integers from 0 to 2^32 - 1, not {array.dtype.name}")
    if array.dtype.itemsize == 8:
        low, high = array.min(), array.max()
        if low < 0 or high > U32_MAX:
            raise refused(where, f"{low if low < 0 else high} is not from 0 to 2^32 - 1", str(low if low < 0 else high))
        return array.astype("<u4")
    return array


def to_numbers(array: NDArray[Any], where: str) -> NDArray[Any]:
    if array.dtype.kind not in "iufb":
        raise refused(where, f"must be numbers, not {array.dtype.name}")
    if array.dtype.newbyteorder("<") in CODES:
        return array
    return array.astype("<f8")


def to_wire_array(value: Any, where: str, kind: str = "number[]") -> NDArray[Any]:
    """Converts anything that numpy accepts as an array to a flat, contiguous, little-endian array of a type of the wire."""
    if isinstance(value, (list, tuple)) and any(hasattr(one, "_ref") for one in value):
        value = [getattr(one, "id", one) for one in value]
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise refused(where, str(error)) from None
    if kind == "u32[]":
        array = to_u32(array, where)
    elif array.size == 0:
        array = np.empty(0, "<f4")
    else:
        array = to_numbers(array, where)
    little = array.dtype.newbyteorder("<")
    if array.dtype != little:
        array = array.astype(little)
    return np.ascontiguousarray(array).reshape(-1)


def ext_head(array: NDArray[Any]) -> bytes:
    return struct.pack(">BIB", 0xC9, array.nbytes, CODES[array.dtype])


def default(value: Any) -> Any:
    """Packs values that msgpack does not know, anywhere in a message."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        array = to_wire_array(value, "array", "u32[]" if value.dtype in (np.int64, np.uint64) else "number[]")
        return msgpack.ExtType(CODES[array.dtype], array.tobytes())
    if isinstance(value, Record):
        return {name: one for name, one in ((name, value[name]) for name in value) if one is not None}
    if isinstance(value, Mapping):
        return dict(value)
    ref = getattr(value, "_ref", None)
    if ref is not None:
        return ref
    if isinstance(value, (range, set, frozenset)):
        return list(value)
    raise TypeError(f"weft cannot send {type(value).__name__}")


class Packer:
    """Makes messages. Used by one thread at a time."""

    def __init__(self) -> None:
        self._packer = msgpack.Packer(default=default, use_bin_type=True)

    def request(self, msgid: int, method: str, fields: Mapping[str, Any]) -> list[Piece]:
        return self._message(b"\x94\x00" + self._pack(msgid, "msgid"), method, fields)

    def value(self, value: Any, where: str) -> bytes:
        """Packs a single value."""
        return self._pack(value, where)

    def notification(self, method: str, fields: Mapping[str, Any]) -> list[Piece]:
        return self._message(b"\x93\x02", method, fields)

    def _pack(self, value: Any, where: str) -> bytes:
        try:
            data: bytes = self._packer.pack(value)
            return data
        except (TypeError, ValueError, OverflowError) as error:
            self._packer = msgpack.Packer(default=default, use_bin_type=True)
            raise refused(where, str(error)) from None

    def _message(self, head: bytes, method: str, fields: Mapping[str, Any]) -> list[Piece]:
        pieces: list[Piece] = []
        small = bytearray(head)
        small += self._pack(method, "method") + b"\x91"
        small = self._map(pieces, small, method, fields)
        if small:
            pieces.append(bytes(small))
        return pieces

    def _map(self, pieces: list[Piece], small: bytearray, method: str, fields: Mapping[str, Any]) -> bytearray:
        """Adds the map of a method's fields; returns the bytes that are in no piece yet."""
        kinds = api.PARAMS.get(method, {})
        small += b"\xde" + struct.pack(">H", len(fields))
        for name, value in fields.items():
            small += self._pack(name, "name of a field")
            kind = kinds.get(name)
            if kind == "flags":
                small += self._pack([value] if isinstance(value, str) else list(value), name)
                continue
            if kind == "calls":
                small = self._calls(pieces, small, name, value)
                continue
            if not is_array(value, kind):
                small += self._pack(value, name)
                continue
            array = to_wire_array(value, name, kind or ("u32[]" if wide(value) else "number[]"))
            small += ext_head(array)
            if array.nbytes < PIECE:
                small += array.data
                continue
            pieces += [bytes(small), array.data.cast("B")]
            small = bytearray()
        return small

    def _calls(self, pieces: list[Piece], small: bytearray, name: str, calls: Any) -> bytearray:
        if isinstance(calls, (str, bytes, Mapping)) or not isinstance(calls, Sequence):
            raise refused(name, "must be a list of pairs: a method, and its parameters")
        small += b"\xdd" + struct.pack(">I", len(calls))
        for index, call in enumerate(calls):
            pair = isinstance(call, (list, tuple)) and len(call) == 2
            if not pair or not isinstance(call[0], str) or not isinstance(call[1], Mapping):
                raise refused(f"{name}[{index}]", "must be a method and a mapping of its parameters")
            small += b"\x92" + self._pack(call[0], f"{name}[{index}]")
            given = {key: value for key, value in call[1].items() if value is not None}
            small = self._map(pieces, small, call[0], given)
        return small


def is_array(value: Any, kind: str | None) -> bool:
    """Whether a value is sent as an array. A single number stays a number; bytes are sent as they are."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    if kind is None or isinstance(value, (int, float, str, bytes, np.generic)):
        return False
    return isinstance(value, (Sequence, range)) or hasattr(value, "__array__")


def wide(value: NDArray[Any]) -> bool:
    return value.dtype.kind in "iu" and value.dtype.itemsize == 8


def size_of(pieces: Sequence[Piece]) -> int:
    return sum(len(piece) for piece in pieces)
