#!/usr/bin/env python3
"""Prints the share of lines that ran in a coverage build, by module and by file: scripts/coverage.py BUILD

A line has run if it ran in any program that was compiled from it: several compile the solver, each for its instruction set. The lines
of objects that no test linked count as well. BUILD/coverage.json has, for each file, the lines that count and how often each ran.
"""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ("protocol", "server", "clients")
AT_ONCE = 40


def counted(name):
    """The path of a source from the root, or None if its lines do not count."""
    path = Path(name)
    if path.is_absolute():
        if ROOT not in path.parents:
            return None
        path = path.relative_to(ROOT)
    return str(path) if path.parts[0] in OURS and "generated" not in name else None


def read(objects):
    """Yields each source of some objects with its lines and how often they ran."""
    command = ["gcov", "--json-format", "--stdout", *map(str, objects)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for text in told.stdout.splitlines():
        if not text.startswith("{"):
            continue
        for source in json.loads(text)["files"]:
            name = counted(source["file"])
            if name is not None:
                yield name, [(line["line_number"], line["count"]) for line in source["lines"]]


def collect(build):
    """How often each line of each file ran."""
    # A compiler that was stopped leaves counters without an object.
    objects = sorted(path for path in build.rglob("*.gcno") if path.with_suffix(".o").exists())
    parts = [objects[at:at + AT_ONCE] for at in range(0, len(objects), AT_ONCE)]
    ran = defaultdict(Counter)
    with ThreadPoolExecutor(cpu_count()) as pool:
        for found in pool.map(lambda part: list(read(part)), parts):
            for name, lines in found:
                for line, count in lines:
                    ran[name][line] += count
    return ran


def module(name):
    parts = name.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def table(names):
    """One line for each name, the least share first."""
    for name, (ran, lines) in sorted(names.items(), key=lambda row: row[1][0] / row[1][1]):
        print(f"{100 * ran / lines:6.1f} %  {lines:6d}  {name}")
    print()


def main():
    build = Path(sys.argv[1]).resolve()
    ran = collect(build)
    if not ran:
        sys.exit(f"coverage: {build} has no objects with counters")
    (build / "coverage.json").write_text(json.dumps(ran))
    files = {name: (sum(count > 0 for count in lines.values()), len(lines)) for name, lines in ran.items() if lines}
    modules = defaultdict(lambda: (0, 0))
    for name, (some, lines) in files.items():
        modules[module(name)] = tuple(map(sum, zip(modules[module(name)], (some, lines))))
    table(files)
    table(modules)
    table({"all": tuple(map(sum, zip(*files.values())))})


if __name__ == "__main__":
    main()
