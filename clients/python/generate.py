#!/usr/bin/env python3
"""Makes the blocking half of the package from the asyncio half.

    src/weft/aio.py              src/weft/client.py
    src/weft/aio_connection.py   src/weft/connection.py

src/weft/tasks.py and src/weft/threads.py hold the parts that differ by more than words; both define the same names. The output is
committed; the test python.generated runs this with --check. It needs nothing but the standard library.
"""
from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "src" / "weft"

# Source, output, and the output's docstring if it is not that of the source.
FILES = (
    ("aio.py", "client.py", '''\
"""The blocking client: the methods of a connection, and the objects of its worlds.

    with weft.connect() as client:
        world = client.create("flag")

Threads: every method of a Client and of its objects may be called from any thread. The client has no thread of its own: the
threads that wait take turns to read the socket for all, and wake the others. A Stream is iterated by one thread. Nothing is
received while no thread waits; the server then leaves out frames of a live stream, and the stream counts them.
"""
'''),
    ("aio_connection.py", "connection.py", None),
)

# In docstrings and in code alike, and in this order.
WORDS = (
    (r"await asyncio\.to_thread\(([\w.]+)(?:, )?", r"\1("),
    (r"\b(async|await) ", ""),
    (r"\b__a(enter|exit|iter|next)__", r"__\1__"),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\bimport asyncio\n", ""),
    (r"\basyncio client\b", "blocking client"),
    (r"\bConnecting[\[(](\w+)[\])]", r"\1"),
    (r"\bConnecting, ", ""),
    (r"\bTasks\b", "Threads"),
    (r"\bweft\.tasks\b", "weft.threads"),
    (r"\bweft\._async_calls\b", "weft._calls"),
    (r"\bweft\.aio_connection\b", "weft.connection"),
    (r"\bweft\.aio\b", "weft"),
)


def blocking(source: str, made: str, docstring: str | None, text: str) -> str:
    """The blocking form of a module."""
    for word, instead in WORDS:
        text = re.sub(word, instead, text)
    told, mark, body = text.partition(f"# clients/python/generate.py makes {made} from this.\n")
    assert mark, f"{source} does not say that {made} is made from it"
    return (docstring or told) + f"# Made by clients/python/generate.py from {source}. Change that, not this.\n" + body


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes the blocking half of the package from the asyncio half.")
    parser.add_argument("--check", action="store_true", help="write nothing; name the files that differ, exit 1")
    options = parser.parse_args()
    differ = 0
    for source, made, docstring in FILES:
        path = PACKAGE / made
        text = blocking(source, made, docstring, (PACKAGE / source).read_text(encoding="utf-8"))
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        differ += 1
        if options.check:
            print(f"{made} differs from what {source} gives: run clients/python/generate.py")
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if options.check and differ else 0


if __name__ == "__main__":
    sys.exit(main())
