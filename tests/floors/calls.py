#!/usr/bin/env python3
"""Calls between files form no circle: what the objects of a build name undefined against what they define.

A file that names a function of another calls it, or hands it on. Calls back through pointers that were handed down do not
show, and are how a lower file reaches a higher one. An inline function of a.h, or of a_internal.h, is one of a.c: objects do not show
such calls, so the sources are looked through for them.

    calls.py ROOT BUILD [NM]    prints what is wrong, one a line; exit status 1 if there is any
"""

import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

sys.path.insert(0, str(Path(__file__).parent))
from circles import groups, way_round
from floors import module_of, sources

TOPS = ("protocol", "server", "clients")

OBJECT = re.compile(r"^(?:(?P<folder>.*)/)?CMakeFiles/[^/]+\.dir/(?P<rest>.+)\.o(?:bj)?$")
LINE = re.compile(r"^(?P<object>.*?):\s*(?:[0-9a-fA-F]+\s+)?(?P<type>[A-Za-z])\s+(?P<symbol>\S+)$")


def source_of(root, name):
    """The source of an object, by CMake's way of naming it; None if it is none of the tree's."""
    match = OBJECT.match(name)
    if not match:
        return None
    parts = []
    # CMake spells .. as __ in the names of objects.
    for part in PurePosixPath(match["folder"] or ".", match["rest"]).parts:
        if part == "__" and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    path = "/".join(parts)
    return path if parts[0] in TOPS and path.endswith(".c") and (root / path).is_file() else None


def symbols_of(root, build, nm):
    """(function → files that define it, file → symbols that it names)."""
    objects = {}
    for top in TOPS:
        for path in sorted((build / top).rglob("*.o")):
            source = source_of(root, path.relative_to(build).as_posix())
            if source:
                objects[str(path)] = source
    defined, named = {}, {source: set() for source in objects.values()}
    if objects:
        told = subprocess.run([nm, "-A", "-P", *objects], capture_output=True, text=True, check=True).stdout
        for line in told.splitlines():
            # OBJECT: SYMBOL TYPE [VALUE SIZE]
            name, _, rest = line.partition(": ")
            words = rest.split()
            if name not in objects or len(words) < 2:
                continue
            if words[1] in "TW":
                defined.setdefault(words[0], set()).add(objects[name])
            elif words[1] in "Uw":
                named[objects[name]].add(words[0])
    return defined, named


COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
INLINE = re.compile(r"^static inline [^;{}()=]*?\b(\w+)\s*\(", re.M)
CALL = re.compile(r"\b(\w+)\s*\(")


def code_of(root, path):
    return COMMENT.sub(" ", (root / path).read_text(encoding="utf-8", errors="replace"))


def inline_functions(root):
    """Function → the file whose header has its body. Those of headers that are no file's are left out."""
    found = {}
    for header in sources(root):
        if header.endswith(".h"):
            stem = header[:-len(".h")]
            owner = next((name + ".c" for name in (stem, stem.removesuffix("_internal")) if (root / (name + ".c")).is_file()), None)
            if owner:
                found.update((function, owner) for function in INLINE.findall(code_of(root, header)))
    return found


# Its functions have the names of others, whose place they take in some programs: a call is of the others.
STANDS_IN = "server/local/"


def calls_of(root, build, nm):
    """File → file → one function by which. Functions that several files define (each program's main) are left out."""
    defined, named = symbols_of(root, build, nm)
    calls = {source: {} for source in named}
    inline = inline_functions(root)
    for source in calls:
        for function in sorted(set(CALL.findall(code_of(root, source))) & set(inline)):
            if inline[function] in calls and inline[function] != source:
                calls[source].setdefault(inline[function], function)
    for source, symbols in named.items():
        for symbol in sorted(symbols):
            files = defined.get(symbol, set())
            if len(files) == 2:
                files = {file for file in files if not file.startswith(STANDS_IN)}
            if len(files) == 1 and source not in files:
                calls[source].setdefault(next(iter(files)), symbol)
    return calls


def between_modules(calls):
    """Module → modules that it calls, and by which call."""
    graph, by = {}, {}
    for source, targets in calls.items():
        one = module_of(source)
        graph.setdefault(one, set())
        for target, symbol in targets.items():
            other = module_of(target)
            if other != one:
                graph[one].add(other)
                graph.setdefault(other, set())
                by.setdefault((one, other), f"{source} calls {symbol} of {target}")
    return {one: sorted(others) for one, others in graph.items()}, by


def check(root, build, nm="nm"):
    root, build = Path(root).resolve(), Path(build).resolve()
    calls = calls_of(root, build, nm)
    wrong = []
    graph, by = between_modules(calls)
    for group in groups(graph):
        way = way_round(graph, group)
        wrong.append(f"a circle of calls between {', '.join(group)}: "
                     + "; ".join(by[pair] for pair in zip(way, way[1:])))
    within = {source: sorted(target for target in targets if module_of(target) == module_of(source))
              for source, targets in calls.items()}
    for group in groups(within):
        way = way_round(within, group)
        wrong.append(f"{group[0]}: {len(group)} files in a circle of calls: {', '.join(group)}; as in "
                     + "; ".join(f"{one} calls {calls[one][other]} of {other}" for one, other in zip(way, way[1:])))
    return wrong, len(calls), sum(len(targets) for targets in calls.values())


def main():
    wrong, files, calls = check(*sys.argv[1:])
    for problem in wrong:
        print(problem)
    if files == 0:
        print("no objects found: the build is not there")
        return 1
    print(f"{files} files, {calls} calls between them, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
