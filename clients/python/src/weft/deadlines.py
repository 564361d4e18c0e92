"""Deadlines: times of the monotonic clock by which a wait is over, or None for one that has no end."""
from __future__ import annotations

import time


def until(timeout: float | None) -> float | None:
    """The deadline that is so many seconds away."""
    return None if timeout is None else time.monotonic() + timeout


def left(deadline: float | None) -> float | None:
    """The seconds until a deadline; 0.0 once it has passed."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())
