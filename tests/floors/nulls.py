#!/usr/bin/env python3
"""A pointer is a condition by itself: finds `p == NULL`, and `p != NULL` where a condition stands.

    nulls.py ROOT [--write]     prints FILE:LINE: what is wrong, one a line; exit status 1 if there is any.
                                --write changes it; clang-format lays the lines out afterwards

`p != NULL` stays where its value is kept, returned or handed on: it makes a bool of a pointer.
"""

import re
import sys
from pathlib import Path

from floors import sources

TOKEN = re.compile(r"""
    (?P<space> (?: \s | \\\n | //[^\n]* | /\*.*?\*/ )+ )
  | (?P<text> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
  | (?P<word> [A-Za-z_]\w* )
  | (?P<number> \.?\d(?:[eEpP][+-]|[\w.])* )
  | (?P<sign> ->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|. )
""", re.X | re.S)
OPEN = {")": "(", "]": "["}
CONDITIONS = {"if", "while"}
OPERATORS = {"return", "case", "else", "sizeof"}
# What binds less than a comparison, on either side of one.
BEFORE = {"&&", "||", "(", "[", "{", "}", "=", "return", "?", ":", ",", ";"}
AFTER = {"&&", "||", "?", ")", "]", "}", ":", ",", ";"}


def tokens(text):
    """(kind, spelling, begin, end) of each token that is not space."""
    return [(match.lastgroup, match[0], match.start(), match.end())
            for match in TOKEN.finditer(text) if match.lastgroup != "space"]


def opening(found, at):
    """The index of the bracket that the one at `at` closes."""
    depth = 0
    while at >= 0:
        depth += (found[at][1] in ")]") - (found[at][1] in "([")
        if depth == 0:
            return at
        at -= 1
    return 0


def ends_operand(found, at):
    """Whether the token can be the last of an operand."""
    kind, spelling = found[at][:2]
    return (kind == "word" and spelling not in OPERATORS) or kind in ("number", "text") or spelling in (")", "]")


def operand(found, last):
    """The index of the first token of the operand that ends with this one: postfix expressions, casts, * and &."""
    at = last
    while True:
        if found[at][1] in OPEN:
            at = opening(found, at)
            if ends_operand(found, at - 1) and found[at - 1][1] not in CONDITIONS:
                at -= 1  # it is called or indexed
                continue
        if found[at - 1][1] in ("->", "."):
            at -= 2
            continue
        break
    while found[at - 1][1] in ("*", "&") and not ends_operand(found, at - 2):
        at -= 1
    if found[at - 1][1] == ")" and found[opening(found, at - 1) - 1][1] not in CONDITIONS | {"for", "switch"}:
        at = opening(found, at - 1)  # a cast
    return at


def binds_less(before):
    """Whether what stands before a comparison leaves it whole; assignments do."""
    return before in BEFORE or (before.endswith("=") and before not in ("==", "!=", "<=", ">="))


def is_condition(found, first, last):
    """Whether these tokens, which compare, are one."""
    before, after = found[first - 1][1], found[last + 1][1]
    if not binds_less(before) or after not in AFTER:
        return False
    if before in ("&&", "||") or after in ("&&", "||", "?"):
        return True
    if before == "(" and after == ")":
        kind, owner = found[first - 2][:2]
        if owner in CONDITIONS or owner == "!" or owner.endswith("_ASSERT"):
            return True
        return kind != "word" and is_condition(found, first - 1, last + 1)
    if before == ";" and after == ";":
        depth, at = 0, first - 2
        while at > 0 and depth >= 0:
            depth += (found[at][1] == ")") - (found[at][1] == "(")
            at -= 1
        return found[at][1] == "for"
    return False


def changes(text):
    """(begin, end, new text) of each comparison that should not be one."""
    found = tokens(text)
    for at in range(2, len(found) - 1):
        sign = found[at][1]
        if sign not in ("==", "!=") or found[at + 1][1] != "NULL":
            continue
        first = operand(found, at - 1)
        begin, end = found[first][2], found[at + 1][3]
        kept = text[begin:found[at - 1][3]]
        if sign == "==" and binds_less(found[first - 1][1]):
            yield begin, end, "!" + kept
        elif sign == "!=" and is_condition(found, first, at + 1):
            yield begin, end, kept


def rewritten(text):
    for begin, end, new in reversed(list(changes(text))):
        text = text[:begin] + new + text[end:]
    return text


def check(root, write=False):
    """(what is wrong, number of files)."""
    wrong, files = [], 0
    for path in sources(root):
        files += 1
        text = (root / path).read_text(encoding="utf-8")
        found = list(changes(text))
        for begin, end, new in found:
            number = text.count("\n", 0, begin) + 1
            wrong.append(f"{path}:{number}: {' '.join(text[begin:end].split())} is written {' '.join(new.split())}")
        if write and found:
            (root / path).write_text(rewritten(text), encoding="utf-8")
    return wrong, files


def main():
    wrong, files = check(Path(sys.argv[1]), "--write" in sys.argv[2:])
    for problem in wrong:
        print(problem)
    print(f"{files} files, {len(wrong)} wrong")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
