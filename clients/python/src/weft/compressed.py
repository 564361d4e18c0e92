"""Decodes compressed positions (docs/reference/compressed.md has the format): q16, whose chunks stand alone, and delta, whose
chunks build on each other.

    tiles = Tiles(count, triangles)                 # a body of up to 8192 vertices has one tile
    decoder = Decoder(tiles.plan(0))
    positions = decoder.decode(chunk)               # f32 of (count, 3), for the vertices tiles.vertices[0]

Symbols are decoded one by one in Python, which takes some milliseconds for a thousand vertices.
"""
from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.errors import BadMessage

PLAIN, KEY, NEXT, STILL = range(4)
TOTAL_BITS = 10  # frequencies of a table
DIRECT, SYMBOLS = 16, 72
STATES, LOW = 4, 1 << 31
PAIRS_MAX, OPPOSITE_MAX = 6, 16
TILE_MAX = 8192  # vertices


class NotHeld(BadMessage):
    """A chunk builds on a moment that is not held: a key is needed."""


class _Bytes:
    """The rest of a chunk, read from its front."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def left(self) -> int:
        return len(self.data) - self.at

    def take(self, size: int) -> bytes:
        if size > self.left():
            raise BadMessage("a chunk of positions ends too early")
        self.at += size
        return self.data[self.at - size:self.at]

    def unpack(self, form: str) -> tuple[Any, ...]:
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def number(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value >= 1 << 64:
                    break
                return value
        raise BadMessage("a number in a chunk of positions is too large")

    def floats(self, count: int) -> NDArray[np.float32]:
        if self.left() != 12 * count:
            raise BadMessage(f"{self.left()} bytes of positions where {count} vertices have {12 * count}")
        return np.frombuffer(self.take(12 * count), "<f4").reshape(count, 3).astype(np.float32)


class _Bits:
    """A reader of bits, the lowest first."""

    def __init__(self, data: bytes) -> None:
        self.value = int.from_bytes(data, "little")
        self.size = 8 * len(data)
        self.at = 0

    def take(self, count: int) -> int:
        if self.at + count > self.size:
            raise BadMessage("the bits of a chunk of positions end too early")
        self.at += count
        return self.value >> (self.at - count) & ((1 << count) - 1)

    def gamma(self) -> int:
        zeros = 0
        while not self.take(1):
            zeros += 1
            if zeros > TOTAL_BITS:
                raise BadMessage("a frequency is too large")
        return (1 << zeros) + self.take(zeros)

    def is_used(self) -> bool:
        return self.size - self.at < 8


# ---------------------------------------------------------------------------------------------------------- q16


def decode_q16(data: bytes, count: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Positions of shape (count, 3), and the greatest errors of x, y and z, in m."""
    source = _Bytes(bytes(data))
    kind, *zeros, told = source.unpack("4BI")
    if kind > 1 or any(zeros) or told != count:
        raise BadMessage("not a chunk of q16 for this number of vertices")
    if kind == 0:
        return source.floats(count), np.zeros(3, np.float32)
    low, step, error = np.array(source.unpack("9f"), np.float64).reshape(3, 3)
    is_box = np.isfinite([low, step, error]).all() and (step >= 0).all() and (error >= 0).all()
    if not is_box or (low + 65535 * step > np.finfo(np.float32).max).any():
        raise BadMessage("the box of a chunk of q16 is malformed")
    if count == 0 or source.left() != 6 * count:
        raise BadMessage(f"{source.left()} bytes where {count} vertices have {6 * count}")
    steps = np.frombuffer(source.take(6 * count), "<u2").reshape(count, 3)
    return (low + steps * step).astype(np.float32), error.astype(np.float32)


# --------------------------------------------------------------------------------------------------------- plan


class Plan:
    """The order in which the vertices of a body come, and the vertices from which each is predicted: vertices[place], and from_
    of shape (count, 5) with earlier places, or count for zeros."""

    def __init__(self, count: int, elements: Any = ()) -> None:
        self.count = count
        listed = [[int(corner) for corner in element] for element in np.asarray(elements).tolist()]
        if any(not 0 <= corner < count for element in listed for corner in element):
            raise BadMessage("an element names a vertex that does not exist")
        self._at: list[list[list[int]]] = [[] for _ in range(count)]  # elements of each vertex
        for element in listed:
            for corner in element:
                self._at[corner].append(element)
        order = self._walk()
        self._by_rank = [[[self._rank[corner] for corner in element] for element in self._at[v]] for v in order]
        five: list[list[int]] = []
        for v in range(count):
            five.append(self._five(v, five))
        depths: list[int] = []
        for stencil in five:
            depths.append(max((1 + depths[other] for other in stencil if other < count), default=0))
        ranks = sorted(range(count), key=depths.__getitem__)
        place = {rank: at for at, rank in enumerate(ranks)}
        place[count] = count
        self.vertices = np.array([order[rank] for rank in ranks], np.int64)
        self.from_ = np.array([[place[other] for other in five[rank]] for rank in ranks], np.int64).reshape(count, 5)
        self.levels = np.searchsorted(np.array([depths[rank] for rank in ranks], np.int64),
                                      np.arange(max(depths, default=-1) + 2)).tolist()

    def _walk(self) -> list[int]:
        order: list[int] = []
        self._rank = [-1] * self.count
        done = 0
        for seed in range(self.count):
            if self._rank[seed] < 0:
                self._rank[seed] = len(order)
                order.append(seed)
            while done < len(order):
                for element in self._at[order[done]]:
                    for corner in element:
                        if self._rank[corner] < 0:
                            self._rank[corner] = len(order)
                            order.append(corner)
                done += 1
        return order

    def _opposite(self, a: int, b: int, v: int) -> int | None:
        for element in self._by_rank[a][:OPPOSITE_MAX]:
            others = [corner for corner in element if corner < v and corner not in (a, b)]
            if b in element and others:
                return others[0]
        return None

    def _five(self, v: int, five: list[list[int]]) -> list[int]:
        before = [[corner for corner in element if corner < v] for element in self._by_rank[v]]
        edges = [(some[i], some[j]) for some in before for i in range(len(some)) for j in range(i + 1, len(some))
                 if some[i] != some[j]][:PAIRS_MAX]
        pairs = [(a, b, self._opposite(a, b, v)) for a, b in edges]
        for whole in (True, False):
            for i, one in enumerate(pairs):
                for two in pairs[i + 1:]:
                    both = {one[0], one[1]} & {two[0], two[1]}
                    if len(both) == 1 and not (whole and (one[2] is None or two[2] is None)):
                        s = both.pop()
                        o1, o2 = one[0] + one[1] - s, two[0] + two[1] - s
                        return [s, o1, o2, s if one[2] is None else one[2], s if two[2] is None else two[2]]
            for a, b, opposite in pairs:
                if opposite is not None:
                    return [a, b, b, opposite, opposite]
                if not whole:
                    return [a, b, b, a, a]
        for some in before:
            if some:
                n = some[0]
                p = five[n][0] if n > 0 else n
                return [n, n, n, p, p]
        return [v - 1 if v > 0 else self.count] * 5


# -------------------------------------------------------------------------------------------------------- tiles


class Tiles:
    """The tiles in which a body is sent: vertices[tile], ascending, and plan(tile), in which these are numbered from 0."""

    def __init__(self, count: int, elements: Any = (), most: int = TILE_MAX) -> None:
        listed = np.asarray(elements, np.int64)
        self._elements = listed.reshape(len(listed), -1) if listed.size else np.zeros((0, 2), np.int64)
        if self._elements.size and not (self._elements.min() >= 0 and self._elements.max() < count):
            raise BadMessage("an element names a vertex that does not exist")
        self.count = count
        number = max(1, -(-count // most))
        self._at: list[list[list[int]]] = [[] for _ in range(count if number > 1 else 0)]
        for element in self._elements.tolist() if number > 1 else ():
            for corner in element:
                self._at[corner].append(element)
        parts = self._cut(list(range(count)), number)
        self.vertices = [np.array(part, np.int64) for part in parts]
        self._plans: dict[int, Plan] = {}

    def __len__(self) -> int:
        return len(self.vertices)

    def plan(self, tile: int) -> Plan:
        if tile not in self._plans:
            vertices = self.vertices[tile]
            places = np.full(self.count, -1, np.int64)
            places[vertices] = np.arange(len(vertices))
            corners = places[self._elements]
            self._plans[tile] = Plan(len(vertices), corners[(corners >= 0).all(axis=1)])
        return self._plans[tile]

    def _cut(self, part: list[int], number: int) -> list[list[int]]:
        if number == 1:
            return [part]
        left = number // 2
        order = part
        if len(self._elements):
            order = self._walk(part, self._walk(part, part[0])[-1])
        size = len(part) * left // number
        first = set(order[:size])
        return (self._cut([v for v in part if v in first], left)
                + self._cut([v for v in part if v not in first], number - left))

    def _walk(self, part: list[int], start: int) -> list[int]:
        waiting = set(part) - {start}
        order, done = [start], 0
        for seed in [start, *part]:
            if seed in waiting:
                waiting.remove(seed)
                order.append(seed)
            while done < len(order):
                vertex = order[done]
                done += 1
                for element in self._at[vertex]:
                    for corner in element:
                        if corner in waiting:
                            waiting.remove(corner)
                            order.append(corner)
        return order


# -------------------------------------------------------------------------------------------------------- delta


def _wrapped(values: NDArray[np.int64]) -> NDArray[np.int64]:
    return ((values + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)


def _table(bits: _Bits) -> tuple[list[int], list[int], list[int]]:
    """For each slot: the symbol, its frequency, and its place within the symbol."""
    count = bits.take(7)
    if count > SYMBOLS:
        raise BadMessage("a table has too many symbols")
    symbols: list[int] = []
    frequencies: list[int] = []
    within: list[int] = []
    for symbol in range(count):
        frequency = bits.gamma() - 1
        symbols += [symbol] * frequency
        frequencies += [frequency] * frequency
        within += range(frequency)
    if len(symbols) not in (0, 1 << TOTAL_BITS):
        raise BadMessage("the frequencies of a table have another sum")
    return symbols, frequencies, within


class Decoder:
    """The positions that a stream of chunks of one body encodes. moment is the last decoded one, or None."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.moment: int | None = None
        self._step = 0.0
        self._at = np.zeros((plan.count, 3), np.int64)
        self._past = np.zeros((plan.count, 3), np.int64)

    def decode(self, data: bytes) -> NDArray[np.float32]:
        """Positions of shape (count, 3). Raises NotHeld, or BadMessage for a malformed chunk; both leave the state unchanged."""
        source = _Bytes(bytes(data))
        kind = source.take(1)[0]
        if kind > STILL or source.number() != self.plan.count:
            raise BadMessage("not a chunk of delta for this number of vertices")
        moment = source.number()
        if kind == PLAIN:
            positions = source.floats(self.plan.count)
            self.moment = None
            return positions
        if kind == KEY:
            tolerance, fine = source.unpack("fB")
            if not np.float32(1e-12) <= tolerance <= 1e6 or not 1 <= fine <= 8:
                raise BadMessage("the grid of a chunk is malformed")
            rows, _ = self._rows(source, np.zeros_like(self._past))
            self._hold(moment, rows, np.zeros_like(self._past))
            self._step = tolerance * (2 - 2 / 2 ** fine)
        else:
            back = source.number()
            if not 1 <= back <= moment:
                raise BadMessage("a chunk builds on no moment before its own")
            if self.moment != moment - back:
                raise NotHeld(f"a chunk builds on moment {moment - back}, and {self.moment} is held")
            if kind == STILL:
                if source.left():
                    raise BadMessage("a chunk without motion has extra bytes")
                self._hold(moment, self._at, np.zeros_like(self._past))
            else:
                rows, past = self._rows(source, self._past)
                self._hold(moment, _wrapped(self._at + rows), past)
        positions = np.empty((self.plan.count, 3), np.float32)
        positions[self.plan.vertices] = (self._at * self._step).astype(np.float32)
        return positions

    def _hold(self, moment: int, at: NDArray[np.int64], past: NDArray[np.int64]) -> None:
        self.moment, self._at, self._past = moment, at, past

    def _rows(self, source: _Bytes, past: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        w1, w2, w3 = source.unpack("3b")
        table_size, bit_size = source.number(), source.number()
        bits = _Bits(source.take(table_size))
        tables = [_table(bits), _table(bits)]
        if not bits.is_used():
            raise BadMessage("the tables of a chunk of positions do not end as they should")
        reading = _Reading(tables, _Bits(source.take(bit_size)), source)
        plan = self.plan
        rows = np.zeros((plan.count + 1, 3), np.int64)
        after = np.zeros((plan.count, 3), np.int64)
        for begin, end in zip(plan.levels, plan.levels[1:]):
            s, o1, o2, p1, p2 = (rows[plan.from_[begin:end, i]] for i in range(5))
            d1, d2 = _wrapped(o1 + o2 - 2 * s), _wrapped(p1 + p2 - 2 * s)
            total = _wrapped(w1 * d1 + w2 * d2 + w3 * past[begin:end] + 32)
            f = total % 64 - 32
            m = reading.symbols(begin, (f < -16) | (f >= 16))
            r = np.where(m % 2 == 0, m // 2, -((m + 1) // 2))
            rows[begin:end] = _wrapped(s + (total >> 6) + np.where(f < 0, -r, r))
            after[begin:end] = _wrapped(2 * (rows[begin:end] - s) - d1 + d2)
        reading.end()
        return rows[:-1], after


class _Reading:
    """Reads numbers by class, from four interleaved states."""

    def __init__(self, tables: list[tuple[list[int], list[int], list[int]]], bits: _Bits, source: _Bytes) -> None:
        word_bytes = source.left() - 8 * STATES
        if word_bytes < 0 or word_bytes % 4:
            raise BadMessage("the words of a chunk are malformed")
        self.tables = tables
        self.bits = bits
        self.words = np.frombuffer(source.take(word_bytes), "<u4").tolist()
        self.next_word = 0
        self.states: list[int] = list(source.unpack(f"{STATES}Q"))
        if any(not LOW <= state < 1 << 63 for state in self.states):
            raise BadMessage("a state is malformed")

    def symbols(self, place: int, classes: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.array([self._row(place + i, row) for i, row in enumerate(classes.tolist())], np.int64).reshape(-1, 3)

    def _row(self, place: int, classes: list[bool]) -> list[int]:
        x = self.states[place % STATES]
        result = []
        for is_odd in classes:
            symbols, frequencies, within = self.tables[is_odd]
            if not symbols:
                raise BadMessage("a symbol is of a class that has none")
            slot = x & ((1 << TOTAL_BITS) - 1)
            x = frequencies[slot] * (x >> TOTAL_BITS) + within[slot]
            result.append(symbols[slot])
        if x < LOW:
            if self.next_word == len(self.words):
                raise BadMessage("the words of a chunk end too early")
            x = x << 32 | self.words[self.next_word]
            self.next_word += 1
        self.states[place % STATES] = x
        return [self._joined(symbol) for symbol in result]

    def _joined(self, symbol: int) -> int:
        if symbol < DIRECT:
            return symbol
        below = (symbol - DIRECT) // 2 + 3
        return ((2 + symbol % 2) << below) + self.bits.take(below)

    def end(self) -> None:
        if self.next_word != len(self.words) or self.states != [LOW] * STATES or not self.bits.is_used():
            raise BadMessage("a chunk of positions does not end as it should")
