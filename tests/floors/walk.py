#!/usr/bin/env python3
"""Goes the walks of docs/internals/walk.md: each step `file: function` names a file that defines that function.

Of the walks in HELD it also holds the length, and that the page leaves no steps out: from the steps before it, each step is
reached through at most BETWEEN functions that are no steps.

    walk.py ROOT        prints what is wrong, one a line; exit status 1 if there is any
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import ways

PAGE = "docs/internals/walk.md"
STEP = re.compile(r"^- `(?P<file>[^`:]+): (?P<function>\w+)` \S")

# Numbers that only shrink; test_floors.py knows how large they may be.
HELD = {"Along an edit": {"functions": 25, "files": 15, "stretches": 3}}
BETWEEN = 2

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def defines(text, function):
    """Whether a source of C has the body of a function: its name at the outermost level, parameters, and a brace."""
    text = COMMENT.sub(" ", text)
    return re.search(rf"^[A-Za-z_][^;{{}}()=#]*\b{re.escape(function)}\s*\([^;{{}}]*\)\s*{{", text, re.M) is not None


def walks(page):
    """(heading, steps) of each walk, one under each heading of the page; a step is (line number, text, stretch). A stretch is a
    list of steps without other text in between: the way within one thread."""
    found, stretch = [], 0
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("## "):
            found.append((line[3:], []))
        elif line.startswith("- ") and found:
            found[-1][1].append((number, line, stretch))
        elif line.strip() and not line.startswith("  "):
            stretch += 1
    return found


def check_held(root, heading, steps, held):
    """What is wrong with a walk whose length is held."""
    matches = [(number, stretch, STEP.match(line)) for number, line, stretch in steps]
    steps = [(number, stretch, (match["file"], match["function"])) for number, stretch, match in matches if match]
    wrong = []
    counts = {"functions": len({function for _, _, function in steps}), "files": len({file for _, _, (file, _) in steps}),
              "stretches": len({stretch for _, stretch, _ in steps})}
    for what, most in held.items():
        if counts[what] > most:
            wrong.append(f"{PAGE}:1: \"{heading}\" has {counts[what]} {what}; at most {most}")
        elif counts[what] < most:
            wrong.append(f"{PAGE}:1: \"{heading}\" has {counts[what]} {what} by now: write that into tests/floors/walk.py, in place of {most}")
    graph, before = ways.calls(root), {}
    for number, stretch, function in steps:
        earlier = before.setdefault(stretch, [])
        found = ways.way(graph, earlier, function) if earlier else [function]
        if found is None:
            wrong.append(f"{PAGE}:{number}: no step before it leads to {function[1]}")
        elif len(found) - 2 > BETWEEN:
            wrong.append(f"{PAGE}:{number}: more than {BETWEEN} functions lie before it that are no steps: " + ", ".join(name for _, name in found))
        earlier.append(function)
    return wrong


def check(root, held=None):
    root, held = Path(root), HELD if held is None else held
    wrong, count = [], 0
    found = walks((root / PAGE).read_text(encoding="utf-8"))
    if not found:
        wrong.append(f"{PAGE}:1: there is no walk")
    for heading, steps in found:
        if not steps:
            wrong.append(f"{PAGE}:1: \"{heading}\" has no steps")
        for number, line, _ in steps:
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
        if heading in held:
            wrong += check_held(root, heading, steps, held[heading])
    wrong += [f"{PAGE}:1: there is no walk \"{heading}\"" for heading in held if heading not in dict(found)]
    return wrong, count


def main():
    wrong, count = check(sys.argv[1])
    for problem in wrong:
        print(problem)
    print(f"{count} steps, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
