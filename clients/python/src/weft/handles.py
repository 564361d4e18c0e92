"""The part that the objects of both clients share: the names of things in requests.

A handle names a thing on the server and holds none of its data: making one asks the server nothing, and several handles may
name the same thing.
"""
from __future__ import annotations

from typing import Any, Mapping, Union

from weft.errors import Error


class Named:
    """A handle: the fields that name it in each request. The last of them is its own id or name."""

    __slots__ = ("_bound",)

    _bound: Mapping[str, Any]

    def _fields(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a request, without those that are None."""
        fields = dict(self._bound)
        fields.update((name, value) for name, value in given.items() if value is not None)
        return fields

    @property
    def _ref(self) -> Any:
        return list(self._bound.values())[-1] if self._bound else None

    @property
    def ref(self) -> int | str:
        """The id or the name with which this handle was made."""
        ref: int | str = self._ref
        return ref

    @property
    def id(self) -> int:
        """The id, if this handle was made with an id."""
        if not isinstance(self._ref, int):
            raise ValueError(f"{self!r} is named by its name; the id is not known")
        return self._ref

    def __repr__(self) -> str:
        return f"<weft {type(self).__name__} {self._ref!r}>"


class NamedWorld(Named):
    """A World of either client."""

    __slots__ = ()


class NamedBody(Named):
    """A Body of either client."""

    __slots__ = ()


class NamedCollider(Named):
    """A Collider of either client."""

    __slots__ = ()


WorldRef = Union[int, str, NamedWorld]
BodyRef = Union[int, str, NamedBody]
ColliderRef = Union[int, str, NamedCollider]


def named(what: Any) -> int | str:
    """The id or the name of a thing, from that or from its object."""
    ref = getattr(what, "_ref", what)
    if isinstance(ref, bool) or not isinstance(ref, (int, str)):
        raise TypeError(f"an id or a name is wanted, not {what!r:.100}")
    return ref


class Handle(Named):
    """A handle of the blocking client."""

    __slots__ = ()

    def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        raise Error("not connected")


class AsyncHandle(Named):
    """A handle of the asyncio client."""

    __slots__ = ()

    async def _call(self, method: str, fields: Mapping[str, Any], patient: bool = False) -> Any:
        raise Error("not connected")
