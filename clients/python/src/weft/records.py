"""Maps from the server, with their fields as attributes.

A Record wraps the received map; it is read-only. Its class says how each field is converted: ("array", dtype, numbers per row),
("map", Record), ("list", Record). Arrays become numpy arrays, of shape (n,) or (n, row).
"""
from __future__ import annotations

from typing import Any, ClassVar, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from weft.errors import BadMessage

# Typed arrays, by ext code; little-endian.
DTYPES: Mapping[int, np.dtype[Any]] = {
    0x11: np.dtype("i1"), 0x12: np.dtype("u1"), 0x13: np.dtype("<i2"), 0x14: np.dtype("<u2"),
    0x15: np.dtype("<i4"), 0x16: np.dtype("<u4"), 0x17: np.dtype("<f4"), 0x18: np.dtype("<f8"),
}


def to_array(value: Any, dtype: Any, row: int, name: str) -> NDArray[Any]:
    """Converts an array of any of the three encodings: typed arrays are numpy arrays already, bytes have the field's type,
    lists hold numbers. Only lists are copied."""
    if isinstance(value, (bytes, memoryview)):
        if len(value) % np.dtype(dtype).itemsize:
            raise BadMessage(f"{name}: {len(value)}bytes are not an array of {np.dtype(dtype).name}")
        array: NDArray[Any] = np.frombuffer(value, np.dtype(dtype).newbyteorder("<"))
    else:
        try:
            array = np.asarray(value)
        except ValueError:
            raise BadMessage(f"{name}: not an array of numbers") from None
        if array.size and array.dtype.kind not in "iuf":
            raise BadMessage(f"{name}: not an array of numbers")
        array = array.astype(dtype) if isinstance(value, list) else array
    if array.ndim != 1:
        raise BadMessage(f"{name}: not an array of numbers")
    if row == 1:
        return array
    if array.size % row:
        raise BadMessage(f"{name}: {array.size}numbers are not rows of {row}")
    return array.reshape(-1, row)


class Record:
    """A map from the server. Fields are attributes; record["name"] also gives fields of later servers."""

    __slots__ = ("_map",)

    _how: ClassVar[Mapping[str, tuple[Any, ...]]] = {}
    _absent: ClassVar[frozenset[str]] = frozenset()
    _map: dict[str, Any]

    def __init__(self, fields: Any) -> None:
        if not isinstance(fields, dict):
            # A method without a result answers nil.
            if fields is not None:
                raise BadMessage(f"{type(self).__name__}: not a map: {fields!r:.100}")
            fields = {}
        how = self._how
        if how:
            fields = dict(fields)
            for name in fields.keys() & how.keys():
                if fields[name] is not None:
                    fields[name] = self._convert(name, fields[name], *how[name])
        object.__setattr__(self, "_map", fields)

    @staticmethod
    def _convert(name: str, value: Any, kind: str, what: Any, row: int = 1) -> Any:
        if kind == "array":
            return to_array(value, what, row, name)
        if kind == "map":
            return what(value)
        if not isinstance(value, list):
            raise BadMessage(f"{name}: not a list")
        return [what(one) for one in value]

    def __getattr__(self, name: str) -> Any:
        # A field whose name is a keyword of Python gets an underscore at the end.
        fields = self._map if name != "_map" else {}
        for one in (name, name[:-1] if name.endswith("_") else name):
            if one in fields:
                return fields[one]
            if one in self._absent:
                return None
        raise AttributeError(f"{type(self).__name__} has no field {name!r}; it has {', '.join(fields)}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a record cannot be changed")

    def __getitem__(self, name: str) -> Any:
        return self._map[name]

    def __contains__(self, name: object) -> bool:
        return name in self._map

    def __iter__(self) -> Iterator[str]:
        return iter(self._map)

    def __len__(self) -> int:
        return len(self._map)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return type(self) is type(other) and self._map.keys() == other._map.keys() and all(
            np.array_equal(mine, other._map[name]) if isinstance(mine, np.ndarray) else mine == other._map[name]
            for name, mine in self._map.items())

    __hash__ = None  # type: ignore[assignment]

    def as_dict(self) -> dict[str, Any]:
        """A plain dict, with the records inside it as dicts too; arrays stay arrays."""

        def plain(value: Any) -> Any:
            if isinstance(value, Record):
                return value.as_dict()
            return [plain(one) for one in value] if isinstance(value, list) else value

        return {name: plain(value) for name, value in self._map.items()}

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._map]

    def __getstate__(self) -> dict[str, Any]:
        return self._map

    def __setstate__(self, state: dict[str, Any]) -> None:
        object.__setattr__(self, "_map", state)

    def __repr__(self) -> str:
        def short(value: Any) -> str:
            if isinstance(value, np.ndarray) and value.size > 8:
                return f"<{value.dtype.name} {' × '.join(map(str, value.shape))}>"
            if isinstance(value, list) and len(value) > 4:
                return f"<{len(value)} {type(value[0]).__name__}>"
            if isinstance(value, np.ndarray):
                return str(value.tolist())
            return repr(value)

        return f"{type(self).__name__}({', '.join(f'{name}={short(value)}' for name, value in self._map.items())})"
