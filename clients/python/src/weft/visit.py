"""The state of a session that another connection needs to go on with it: its key, how far each joined world was heard, and what
is needed to ask again."""
from __future__ import annotations

import random
import time
from typing import Any, Callable, Literal, Mapping, NamedTuple

import numpy as np

from weft import api
from weft.errors import CallerError, ConnectionLost, Error, NotSecure, again
from weft.packing import Piece
from weft.records import Record

FIRST_S, MOST_S = 0.1, 5.0  # between two attempts
OTHERS_MOST_S = 1.0  # if there are other servers to try
TRY_S = 10.0  # for one attempt
GRACE_SHARE = 1.1  # an answer sent at the end of the grace arrives a little later
JOINING = ("world.join", "world.leave")
#: After a move: how often a call is sent on, and how long the new server may take to open the world.
HOPS_MAX = 8
#: How long a server is away before another is tried: by then its worlds run elsewhere soon, or it is back.
LAPSE_S = 3.0
OPENING_S = 10.0
OPENING_PAUSE_S = 0.05
#: How long a call looks for its world while the server that is named for it cannot be reached.
ABSENT_S = 10.0
#: Refusals of session.hello that may pass a little later.
PASSING = ("LIMIT", "BUSY", "SHUTDOWN")
SessionChange = Literal["away", "back", "anew", "moved"]
#: Called with a change. With "back" it also gets the worlds to join again, because too much was missed; with "moved", those that
#: changed on the way.
OnSession = Callable[[SessionChange, list[int]], None]


class Kept(NamedTuple):
    """A request that waits for its answer."""

    data: bytes  # as it was sent; empty for the client's own calls
    fields: Mapping[str, Any]
    own: bool  # it concerns one connection: asked again on the next, under another id


def kept_of(method: str, pieces: list[Piece], fields: Mapping[str, Any]) -> Kept:
    own = method.startswith("stream.") or method == "session.hello"
    return Kept(b"" if own else b"".join(pieces), fields if own or method == "world.leave" else {}, own)


def delay_s(failures: int, most_s: float = MOST_S) -> float:
    """Between half and all of the delay, so that the clients of a restarted server do not come back all at once."""
    return min(most_s, FIRST_S * 2.0 ** min(failures, 30)) * random.uniform(0.5, 1.0)


def may_pass(error: Error) -> bool:
    """Whether another connection may succeed."""
    if isinstance(error, NotSecure):
        return error.code != "CERTIFICATE"
    return not isinstance(error, CallerError) or error.code in PASSING


class Away:
    """The state of coming back after a loss."""

    def __init__(self) -> None:
        self.told = False
        self.until = self.retry_at = self._since = 0.0
        self._failures = 0
        self._most_s = MOST_S

    def begin(self, limit_s: float, others: list[str]) -> None:
        self.told, self._failures = True, 0
        self._most_s = OTHERS_MOST_S if others else MOST_S
        self._since = time.monotonic()
        self.until = self._since + limit_s
        self.failed()

    def elsewhere(self, others: list[str]) -> str | None:
        """Another server to try now: every second attempt, once it is likely that another runs the worlds of this one."""
        if not others or self._failures % 2 or time.monotonic() - self._since < LAPSE_S:
            return None
        return others[self._failures // 2 % len(others)]

    def over(self, error: Error) -> ConnectionLost:
        self.told = False
        return ConnectionLost(f"the connection was lost, and there is no other: {error}")

    def failed(self) -> None:
        self.retry_at = time.monotonic() + delay_s(self._failures, self._most_s)
        self._failures += 1


class Places:
    """Counts how often a call was sent on, and how long the world that moved has been awaited."""

    def __init__(self, opening_s: float = 0.0) -> None:
        self._hops = self._absences = 0
        self._until = time.monotonic() + opening_s
        self._absent_until = 0.0

    def pause_s(self, error: Error) -> float | None:
        """Seconds to wait before a refused call is repeated; None: it is not repeated."""
        if isinstance(error, api.Moved) and self._hops < HOPS_MAX:
            self._hops += 1
            self._until = time.monotonic() + OPENING_S
            return OPENING_PAUSE_S * (self._hops - 1)
        if isinstance(error, api.Busy) and time.monotonic() < self._until:
            return OPENING_PAUSE_S  # the world is about to be opened
        return None

    def absent_s(self, error: Error) -> float | None:
        """Seconds to wait before the world is looked for again, when the server that was named for it could not be reached for
        this reason; None: it is not looked for any more. Such a server stops or starts just now, and the others learn it
        soon."""
        now = time.monotonic()
        if not self._absences:
            self._absent_until = now + ABSENT_S
        if not may_pass(error) or now >= self._absent_until:
            return None
        self._hops = max(self._hops - 1, 0)  # nobody was there
        self._absences += 1
        return delay_s(self._absences - 1, OTHERS_MOST_S)

    def told(self, error: Error) -> Error:
        """The error that the caller gets."""
        if self._hops < HOPS_MAX or not isinstance(error, api.Moved):
            return error
        told = again(error)
        told.text = f"{HOPS_MAX} servers in a row named another: {error.text}"
        told.args = (f"{told.code}: {told.text}",)
        return told


class Visit:
    def __init__(self) -> None:
        self.key = ""
        self.grace_s = 0.0
        self._revisions: dict[int, int] = {}
        self._names: dict[str, int] = {}
        #: Joined worlds that have moved, and how far each was heard.
        self.moved: dict[int, int] = {}
        self._lines: dict[int, int] = {}
        self.others: list[str] = []

    def begin(self, answer: Record) -> None:
        """Takes an answer to session.hello."""
        self.key = getattr(answer, "resume", "")
        self.grace_s = GRACE_SHARE * getattr(answer, "grace", 0)
        if not getattr(answer, "resumed", False):
            self._revisions.clear()
            self._lines.clear()
        for world in rejoin_of(answer):
            self._revisions.pop(world, None)
        #: Addresses of the deployment's other servers.
        self.others = [server.address for server in (getattr(answer, "servers", None) or ()) if not server.here]

    def part(self) -> dict[int, int]:
        """Returns the worlds to join at another server, and how far each was heard."""
        moved, self.moved = {**self._revisions, **self.moved}, {}
        self._revisions.clear()
        return moved

    def fields(self, unanswered: list[int]) -> dict[str, Any]:
        """The fields of session.hello that resume the session."""
        return {"resume": self.key, "unanswered": np.array(unanswered, np.uint32), "revisions": dict(self._revisions)}

    def learn(self, method: str, fields: Mapping[str, Any], result: Any) -> None:
        """Takes the answer to another call."""
        if method == "world.join" and isinstance(result, dict):
            self._revisions[result["world"]] = result["revision"]
            self._names[result.get("name", "")] = result["world"]
        elif method == "world.leave":
            world = fields.get("world")
            self._revisions.pop(self._names.get(world, 0) if isinstance(world, str) else world, None)  # type: ignore[arg-type]

    @property
    def joined(self) -> list[int]:
        """The worlds that are joined at this server."""
        return list(self._revisions)

    def hear(self, method: str, params: Mapping[str, Any]) -> bool:
        """Whether a notification is new."""
        world = params.get("world", 0)
        if method == "world.edited" and world in self._revisions:
            self._revisions[world] = max(self._revisions[world], params.get("revision", 0))
        elif method == "world.changed" and params.get("state") == "deleted":
            self._revisions.pop(world, None)
        elif method == "world.changed" and params.get("state") == "moved" and world in self._revisions:
            self.moved[world] = self._revisions.pop(world)
        elif method == "world.said":
            line = params.get("line", 0)
            if line <= self._lines.get(world, 0):
                return False
            self._lines[world] = line
        return True


def ids_in(answer: Record, field: str) -> list[int]:
    return [int(one) for one in getattr(answer, field, ())]


def rejoin_of(answer: Record) -> list[int]:
    return ids_in(answer, "rejoin")
