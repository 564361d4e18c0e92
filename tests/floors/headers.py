#!/usr/bin/env python3
"""Compiles each header alone, twice included: it must name what it needs and guard itself.

    headers.py ROOT COMPILER [FLAG…]
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def headers(root):
    for top in ("protocol", "server", "clients"):
        yield from sorted(path for path in (root / top).rglob("*.h") if path.is_file())


def compile_alone(root, compiler, flags, header):
    """The compiler's complaint, or an empty string."""
    name = header.relative_to(root).as_posix()
    command = [compiler, *flags, f"-I{root}", f"-I{root}/server", f"-I{root}/clients/c/include",
               f"-I{root}/clients", f"-I{root}/clients/c", f"-I{root}/clients/mesh", "-Wall", "-Wextra", "-Werror",
               "-fsyntax-only", "-x", "c", "-"]
    text = f'#include "{name}"\n#include "{name}"\n'
    run = subprocess.run(command, input=text, text=True, capture_output=True)
    return f"{name}:1: cannot stand alone\n{run.stderr}" if run.returncode else ""


def check(root, compiler, flags):
    found = list(headers(root))
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = list(pool.map(lambda header: compile_alone(root, compiler, flags, header), found))
    return [result for result in results if result], len(found)


def main():
    wrong, count = check(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
    for problem in wrong:
        print(problem)
    print(f"{count} headers, {len(wrong)} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
