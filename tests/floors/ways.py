"""Which function leads to which, as the sources of C have it: the ways of the walks that walk.py checks.

A function leads to those that its body names. Where it calls through a member (`conn->handler->on_message(…)`), it leads to
all functions that some source assigns to a member of that name. Where it looks into a table of its file, it leads to all
functions in tables of that file, and to those whose names a macro of that file pastes together. So there may be ways here
that no program takes, but none is missing that a reader would find.
"""

import re
from collections import defaultdict, deque

from floors import sources

# They have the names of others, whose place they take in some programs.
STANDS_IN = "server/local/"

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
BODY = re.compile(r"^(?P<head>[A-Za-z_][^;{}()=#]*)\b(?P<name>\w+)\s*\([^;{}]*\)\s*(?P<body>{.*?^})", re.M | re.S)
ASSIGNED = re.compile(r"\b(\w+)\s*=\s*&?(\w+)\b")
ENTRY = re.compile(r"(?<=[={,(])\s*&?(\w+)\s*(?=[,})])")
PASTED = re.compile(r"\b(\w+_)##")
NAMED = re.compile(r"(->|\.)?\s*\b([A-Za-z_]\w*)\s*([(\[])?")


class Sources:
    """The functions of a tree: (file, name) → body; and what stands around them, by file."""

    def __init__(self, root):
        self.bodies, self.around, self.everywhere = {}, {}, defaultdict(list)
        for path in sources(root):
            if path.startswith(STANDS_IN):
                continue
            text = COMMENT.sub(" ", (root / path).read_text(encoding="utf-8", errors="replace"))
            for match in BODY.finditer(text):
                self.bodies[path, match["name"]] = match["body"]
                if "static" not in match["head"].split() or path.endswith(".h"):
                    self.everywhere[match["name"]].append((path, match["name"]))
            self.around[path] = BODY.sub(" ", text)

    def meant(self, path, name):
        """The functions that a name may mean in a file."""
        return [(path, name)] if (path, name) in self.bodies else self.everywhere.get(name, [])


def calls(root):
    """Function → functions that it leads to; a function is (file, name)."""
    tree = Sources(root)
    members, tables = defaultdict(set), defaultdict(set)
    texts = list(tree.around.items()) + [(path, body) for (path, _), body in tree.bodies.items()]
    for path, text in texts:
        for member, name in ASSIGNED.findall(text):
            members[member].update(tree.meant(path, name))
    for path, text in tree.around.items():
        for name in ENTRY.findall(text):
            tables[path].update(tree.meant(path, name))
        for beginning in PASTED.findall(text):
            tables[path].update(function for name, found in tree.everywhere.items() if name.startswith(beginning) for function in found)
    found = {}
    for (path, own), body in tree.bodies.items():
        targets = found[path, own] = set()
        for member, name, bracket in NAMED.findall(body):
            if not member:
                targets.update(tree.meant(path, name))
                targets.update(tables[path] if bracket == "[" else ())
            elif bracket == "(":
                targets.update(members.get(name, ()))
    return found


def way(graph, starts, goal):
    """The shortest way from one of the starts to the goal, both included; None if there is none."""
    before, waiting = dict.fromkeys(starts), deque(starts)
    while waiting:
        function = waiting.popleft()
        if function == goal:
            back = [function]
            while before[back[-1]]:
                back.append(before[back[-1]])
            return back[::-1]
        for other in sorted(graph.get(function, ())):
            if other not in before:
                before[other] = function
                waiting.append(other)
    return None
