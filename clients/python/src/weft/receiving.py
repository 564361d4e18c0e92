"""Received bytes, made into messages.

Bytes are received into a large buffer. A message that begins like a stream.frame is parsed in place by framing.py, and its
arrays are views; all others are unpacked by msgpack. The part of a buffer that has views is not written again: when the buffer
is full, the unfinished rest moves to a new one, or to one without views.

    buffer    | … messages done … | message: start ──── end | free |
"""
from __future__ import annotations

import sys
from typing import Any, Callable

import msgpack
import numpy as np
from numpy.typing import NDArray

from weft.errors import BadMessage
from weft.framing import HEAD_BYTES, PREFIX, FrameParser, Templates
from weft.records import DTYPES

BUFFER = 1 << 20
RETIRED_MAX = 4
ROOM_MIN = 1 << 14  # too little room to receive into
FEED_FIRST = 1 << 10
FEED = 1 << 18
MESSAGE_MAX = 1 << 30
# Bound of the size in a header of an array or map: memory for it is allocated before its items have come.
ITEMS_MAX = 1 << 22


def ext_hook(code: int, data: bytes) -> Any:
    dtype = DTYPES.get(code)
    if dtype is None:
        return msgpack.ExtType(code, data) if 0 <= code <= 127 else data
    if len(data) % dtype.itemsize:
        raise BadMessage(f"{len(data)}bytes are not an array of {dtype.name}")
    return np.frombuffer(data, dtype)


class Receiver:
    """Calls on_message with each unpacked message, and on_frame with the fields of each stream.frame."""

    def __init__(
        self,
        on_message: Callable[[Any], None],
        on_frame: Callable[[dict[str, Any]], None],
        message_max: int = MESSAGE_MAX,
    ) -> None:
        self._on_message = on_message
        self._on_frame = on_frame
        self._max = message_max
        self._retired: list[NDArray[np.uint8]] = []
        self._templates: Templates = {}
        self._take(np.empty(BUFFER, np.uint8))
        self._start = self._end = 0
        self._lent: bool  # views of the buffer were given out
        self._parser: FrameParser | None = None
        self._unpacker: Any = None
        self._fed = 0  # bytes of the message that the unpacker got

    def _take(self, array: NDArray[np.uint8]) -> None:
        self._array = array
        self._view = array.data
        self._read_only = self._view.toreadonly()
        self._lent = False

    def _another(self, size: int) -> NDArray[np.uint8]:
        """A buffer without views: memory that was used before is faster than new memory."""
        if size == BUFFER and hasattr(sys, "getrefcount"):
            for index in range(len(self._retired)):
                # One for the list, one for the call: views count in addition.
                if sys.getrefcount(self._retired[index]) == 2:
                    return self._retired.pop(index)
        return np.empty(size, np.uint8)

    def get_buffer(self) -> memoryview:
        """The part of the buffer for the next bytes."""
        need = self._parser.need if self._parser else 0
        if self._start + need > len(self._array) or len(self._array) - self._end < ROOM_MIN:
            self._move(need)
        return self._view[self._end :]

    def _move(self, need: int) -> None:
        """Moves the unfinished message to the beginning of a buffer that has room for its known size."""
        old, rest = self._array, self._end - self._start
        # The unpacker has copied the message once it was fed.
        size = max(BUFFER, need + ROOM_MIN, rest + ROOM_MIN)
        if self._lent or size > len(old) or len(old) > BUFFER:
            self._take(self._another(size))
            if len(old) == BUFFER:
                self._retired = [*self._retired[-RETIRED_MAX + 1 :], old]
        self._array[:rest] = old[self._start : self._end]
        self._start, self._end = 0, rest

    def received(self, count: int) -> None:
        """Takes the number of bytes that were put into the buffer. Raises BadMessage; nothing can be received after it."""
        self._end += count
        while self._start < self._end:
            if self._unpacker is None and self._parser is None and not self._begin():
                return
            if not (self._read_frame() if self._parser else self._read_message()):
                return

    def _begin(self) -> bool:
        """Finds the kind of the next message. False if too few bytes have come."""
        came = min(self._end - self._start, len(PREFIX))
        if self._view[self._start : self._start + came] != PREFIX[:came]:
            self._unpacker = msgpack.Unpacker(
                raw=False, strict_map_key=False, ext_hook=ext_hook, max_buffer_size=self._max,
                max_array_len=ITEMS_MAX, max_map_len=ITEMS_MAX)
            self._fed = 0
            return True
        if came < len(PREFIX):
            return False
        if self._start % 8:
            # Its arrays are at multiples of 8 from its start, and must be so in memory.
            self._move(HEAD_BYTES)
        self._parser = FrameParser(self._templates)
        return True

    def _read_frame(self) -> bool:
        parser = self._parser
        assert parser is not None
        if self._end - self._start < parser.need:
            return False
        self._lent = True
        parser.advance(self._read_only[self._start : self._end])
        if parser.need > self._max:
            raise BadMessage(f"a frame of more than {self._max} bytes")
        if not parser.done:
            # The bytes so far may show that more of them is complete.
            return self._end - self._start >= parser.need
        self._start += parser.need
        self._parser = None
        self._on_frame(parser.fields)
        return True

    def _read_message(self) -> bool:
        while self._start < self._end:
            # Most messages are short, and what follows one may be long.
            step = min(self._end - self._start, FEED if self._fed else FEED_FIRST)
            try:
                self._unpacker.feed(self._view[self._start : self._start + step])
                self._fed += step
                self._start += step
                message = self._unpacker.unpack()
            except msgpack.OutOfData:
                continue
            except msgpack.BufferFull:
                raise BadMessage(f"a message of more than {self._max} bytes") from None
            except BadMessage:
                raise
            except Exception as error:  # msgpack raises ValueError and its own classes for malformed bytes
                raise BadMessage(f"the server sent a malformed message: {error}") from None
            self._start -= self._fed - int(self._unpacker.tell())
            self._unpacker = None
            self._on_message(message)
            return True
        if not self._lent:
            self._start = self._end = 0
        return False
