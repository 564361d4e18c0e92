#!/usr/bin/env python3
"""Goes the walks of docs/internals/walk.md: each step `file: function` names a file that defines that function.

    walk.py ROOT        prints what is wrong, one a line; exit status 1 if there is any
"""

import re
import sys
from pathlib import Path

PAGE = "docs/internals/walk.md"
STEP = re.compile(r"^- `(?P<file>[^`:]+): (?P<function>\w+)` \S")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def defines(text, function):
    """Whether a source of C has the body of a function: its name at the outermost level, parameters, and a brace."""
    text = COMMENT.sub(" ", text)
    return re.search(rf"^[A-Za-z_][^;{{}}()=#]*\b{re.escape(function)}\s*\([^;{{}}]*\)\s*{{", text, re.M) is not None


def walks(page):
    """(heading, steps) of each walk, one under each heading of the page; a step is (line number, text)."""
    found = []
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("## "):
            found.append((line[3:], []))
        elif line.startswith("- ") and found:
            found[-1][1].append((number, line))
    return found


def check(root):
    root = Path(root)
    wrong, count = [], 0
    found = walks((root / PAGE).read_text(encoding="utf-8"))
    if not found:
        wrong.append(f"{PAGE}:1: there is no walk")
    for heading, steps in found:
        if not steps:
            wrong.append(f"{PAGE}:1: \"{heading}\" has no steps")
        for number, line in steps:
            count += 1
            step = STEP.match(line)
            if not step:
                wrong.append(f"{PAGE}:{number}: a step is \"- `file: function` what it does\"")
                continue
            path = root / step["file"]
            if not path.is_file():
                wrong.append(f"{PAGE}:{number}: there is no {step['file']}")
            elif not defines(path.read_text(encoding="utf-8"), step["function"]):
                wrong.append(f"{PAGE}:{number}: {step['file']} does not define {step['function']}")
    return wrong, count


def main():
    wrong, count = check(sys.argv[1])
    for problem in wrong:
        print(problem)
    print(f"{count} steps, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
