#!/usr/bin/env python3
"""Counts, by folder, what docs/STYLE.md asks people not to write and a machine can see.

    prose.py ROOT            compares with tests/floors/prose.json; exit status 1 if a count is not the one that stands there
    prose.py ROOT --places   prints every place that counts
    prose.py ROOT --write    writes the counts, but only lower ones: they shrink until a rule has none left
"""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ALLOWED = "tests/floors/prose.json"
C_FILES = (".c", ".h")
PROSE_FILES = (*C_FILES, ".md", ".py", ".ts", ".tsx", ".mjs", ".sh", ".json", ".1", ".8")
FOLDERS = ("server", "protocol", "clients", "tests", "docs", "scripts")
ASIDE = re.compile(r"/generated/|_generated|\.generated\.|^server/sim/contact/|^tests/(golden|meshes|scenes|wire|fuzz/corpus)/|"
                   r"^docs/reference/(?!records|scene\.md|store|compressed)|^clients/scenes/|package-lock|weft/api\.py|_calls\.py|"
                   r"floors/prose")

OPENING = re.compile(r"(?:What|Of|Where|Who|Whose)\b")
ANEW = re.compile(r"\banew\b", re.I)
WHO = re.compile(r"(\w+),? who\b")
PEOPLE = re.compile(
    r"(?:person|people|user|viewer|editor|owner|caller|reader|author|admin|operator|newcomer|member|guest|visitor|maker|"
    r"engineer|researcher|student|attacker|holder|reviewer|some(?:one|body)|any(?:one|body)|every(?:one|body)|nobody|"
    r"she|he|they|those|one|other|you|we|us|them|ann|bob|tell|tells|told|say|says|said|know|knows|ask|asks|see|sees|show|shows|list|lists|"
    r"and|or|is|of)s?", re.I)
HEADER_LINES = 15
COLUMNS = 120


def openings(text):
    """Lines of C at which a comment begins with a word that rarely has a verb after it."""
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        code, mark, comment = line.partition("//")
        if mark and OPENING.match(comment.strip()) and not (not code.strip() and before.startswith("//")):
            yield number
        before = line.strip()


def wide(text):
    """Lines of a page that are too long, tables and code aside."""
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            code = not code
        elif len(line) > COLUMNS and not code and not line.startswith(("|", "    ")):
            yield number


def each_line(found):
    return lambda text: (n for n, line in enumerate(text.splitlines(), 1) if found(line))


def not_a_person(line):
    return any(not PEOPLE.fullmatch(word) for word in WHO.findall(line))


RULES = {  # name: (which files, the numbers of the lines that count)
    "opening": (C_FILES, openings),
    "anew": (PROSE_FILES, each_line(ANEW.search)),
    "who": (PROSE_FILES, each_line(not_a_person)),
    "short header": ((".h",), lambda text: [1] if text.count("\n") < HEADER_LINES else []),
    "wide": ((".md",), wide),
}


def files(root):
    """What is tracked, or would be: a build has copies."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", *FOLDERS], check=True, capture_output=True,
                            text=True).stdout.split("\n")
    return sorted(name for name in listed if name.endswith(PROSE_FILES) and not ASIDE.search(name))


def folder_of(name):
    return "/".join(name.split("/")[:-1][:2])


def places(root, names):
    for name in names:
        text = (Path(root) / name).read_text(encoding="utf-8", errors="replace")
        for rule, (endings, lines) in RULES.items():
            if name.endswith(endings):
                for number in lines(text):
                    yield rule, name, number


def count(found):
    counts = {rule: Counter() for rule in RULES}
    for rule, name, _ in found:
        counts[rule][folder_of(name)] += 1
    return counts


def compare(counts, allowed):
    """What is wrong, a line each."""
    for rule in RULES:
        for folder in sorted(set(counts[rule]) | set(allowed.get(rule, {}))):
            now, most = counts[rule][folder], allowed.get(rule, {}).get(folder, 0)
            if now > most:
                yield f"{folder}: {now} times \"{rule}\"; at most {most} (docs/STYLE.md; --places shows them)"
            elif now < most:
                yield f"{folder}: {now} times \"{rule}\" where {ALLOWED} allows {most}: lower it with --write"


def write(path, counts, allowed):
    lower = {rule: {folder: min(n, allowed[rule].get(folder, 0)) if allowed else n for folder, n in sorted(counts[rule].items())}
             for rule in RULES}
    lower = {rule: {folder: n for folder, n in found.items() if n > 0} for rule, found in lower.items()}
    path.write_text(json.dumps(lower, indent=2) + "\n", encoding="utf-8")


def main():
    root = sys.argv[1]
    path = Path(root) / ALLOWED
    allowed = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    if allowed is not None and subprocess.run(["git", "-C", root, "rev-parse"], capture_output=True, check=False).returncode != 0:
        print("not a checkout of git: not looked at")
        return 0
    found = list(places(root, files(root)))
    if "--places" in sys.argv:
        for rule, name, number in found:
            print(f"{name}:{number}: {rule}")
        return 0
    counts = count(found)
    if "--write" in sys.argv:
        write(path, counts, allowed)
        return 0
    wrong = list(compare(counts, allowed or {}))
    for line in wrong:
        print(line)
    print(f"{sum(sum(c.values()) for c in counts.values())} places in all, {len(wrong)} counts are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
