#!/usr/bin/env python3
"""Arrays grow by array_reserve: finds each call of realloc and each capacity that is doubled by hand.

    arrays.py ROOT      prints FILE:LINE: what is wrong, one a line; exit status 1 if there is any
"""

import re
import sys
from pathlib import Path

from floors import TOPS, sources

HELPER = "protocol/array/reserve.h"
RING = "a ring: its items move to other places when it grows"
ZONE = "its memory is a zone's, which has no realloc"
SHRINKS = "it shrinks what was made too large"

# How many lines of a file may let an array grow by hand, and why. The list only gets shorter: a file with fewer must say
# so here, and test_floors.py knows how many there may be.
EXCEPTIONS = {
    "server/document/scope.c": (1, ZONE),
    "server/document/touches.c": (1, ZONE),
    "server/sim/body/mesh.c": (1, SHRINKS),
    "server/store/pack.c": (1, SHRINKS),
    "server/store/pieces.c": (1, "a table of hashes: its entries move to other places when it grows"),
    "server/host/notices.c": (1, RING),
    "server/host/upload.c": (2, "a budget is charged for each byte before it is taken"),
    "server/net/conn.c": (2, "its bytes are charged, so it takes little more than is needed"),
    "server/net/outbox.c": (1, RING),
    "server/world/keep/records.c": (1, RING),
    "server/local/conn.c": (1, RING),
    "clients/twin/twin.c": (1, RING),
    "clients/c/inbox.c": (1, "it takes memory for what a message announces, and not for more"),
    "clients/cli/render.c": (1, "it makes an image of another size, and nothing of the old one is kept"),
    "tests/unit/protocol/test_reserve.c": (1, "it gives array_reserve a realloc that can refuse"),
}

COMMENT = re.compile(r"//.*")
REPLACES = "void *realloc("  # a test puts a function of its own in the place of realloc
NAME = r"[\w>.\-]*(?:capacity|room|charged)"
GROWS = re.compile(rf"\b(?:realloc|reallocarray)\s*\(|\b2 \* \(?\*?{NAME}\b|\b{NAME}\)? \* 2\b|\b{NAME} (?:\*= 2|<<= 1)\b")


def lines(text):
    """Numbers of the lines that let an array grow by hand."""
    return [number for number, line in enumerate(text.splitlines(), 1)
            if GROWS.search(COMMENT.sub("", line)) and not line.startswith(REPLACES)]


def check(root, exceptions=None):
    """(what is wrong, number of files)."""
    exceptions = EXCEPTIONS if exceptions is None else exceptions
    wrong, files = [], 0
    paths = list(sources(root, (*TOPS, "tests")))
    for path in paths:
        files += 1
        found = [] if path == HELPER else lines((root / path).read_text(encoding="utf-8", errors="replace"))
        allowed = exceptions[path][0] if path in exceptions else 0
        if len(found) > allowed:
            wrong += [f"{path}:{number}: an array grows by hand; use array_reserve of {HELPER}" for number in found]
        elif len(found) < allowed:
            wrong.append(f"{path}:1: {len(found)} lines let an array grow by hand; say so in EXCEPTIONS of arrays.py")
    for path in sorted(set(exceptions) - set(paths)):
        wrong.append(f"{path}:1: is not there; take it out of EXCEPTIONS of arrays.py")
    return wrong, files


def main():
    wrong, files = check(Path(sys.argv[1]))
    for problem in wrong:
        print(problem)
    print(f"{files} files, {len(wrong)} wrong")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
