#!/usr/bin/env python3
"""Imports of Python and TypeScript form no circle: each file can be read after those that it stands on.

Every import counts: those inside functions, those for types alone (TYPE_CHECKING, `import type`), those that export
again. Not counted is that a module of Python's brings its package along. What is told is the group of files that reach
one another, with one way round.

    circles.py ROOT     prints each group; exit status 1 if there is any
"""

import ast
import re
import sys
from pathlib import Path

# Where; an absolute import of Python is looked for there. Circles of includes in C are found by floors.py.
PLACES = [
    ("clients/python/src", ".py"),
    ("clients/python/examples", ".py"),
    ("clients/python/tests", ".py"),
    ("clients/web/src", ".ts"),
    ("protocol", ".py"),
]

# `import … from 'x'` and `export … from 'x'`; `import 'x'` and `import('x')`; a worker's `new URL('x', import.meta.url)`.
FROM = re.compile(r"""(?:^|[;}\s])(?:import|export)\b[^;'"`]*?\bfrom\s*(['"])(?P<path>[^'"\n]+)\1""")
BARE = re.compile(r"""(?:^|[;\s(=:<|&,?!])import\s*\(?\s*(['"])(?P<path>[^'"\n]+)\1""")
WORKER = re.compile(r"""new\s+URL\(\s*(['"])(?P<path>[^'"\n]+)\1\s*,\s*import\.meta\.url""")
COMMENT = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|//[^\n]*|/\*.*?\*/""", re.S)


def python_file(base, dotted):
    """The file of a module below base, or None."""
    path = base.joinpath(*dotted)
    for candidate in (path.with_suffix(".py") if dotted else None, path / "__init__.py"):
        if candidate is not None and candidate.is_file():
            return candidate
    return None


def python_imports(base, path, text):
    """Each file below base that a file of Python imports."""
    for node in ast.walk(ast.parse(text, str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield python_file(base, alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                folder = list(path.parent.relative_to(base).parts)
                dotted = folder[:len(folder) - node.level + 1]
            else:
                dotted = []
            dotted += node.module.split(".") if node.module else []
            for alias in node.names:
                yield python_file(base, [*dotted, alias.name]) or python_file(base, dotted)


def without_comments(text):
    return COMMENT.sub(lambda match: match[1] or " ", text)


def typescript_imports(_base, path, text):
    """Each file of the tree that a file of TypeScript imports; what is spelled .js is written in .ts or .tsx."""
    text = without_comments(text)
    for match in [match for pattern in (FROM, BARE, WORKER) for match in pattern.finditer(text)]:
        spelled = match["path"].partition("?")[0]
        if not spelled.startswith("."):
            continue
        target = path.parent / spelled
        stem = target.with_suffix("") if target.suffix in (".js", ".jsx", ".ts", ".tsx") else target
        for candidate in (*(stem.with_name(stem.name + suffix) for suffix in (".ts", ".tsx")),
                          stem / "index.ts", stem / "index.tsx"):
            if candidate.is_file():
                yield candidate
                break


def graph_of(base, suffix):
    """File → the files below base that it imports."""
    imports_of = python_imports if suffix == ".py" else typescript_imports
    suffixes = (".py",) if suffix == ".py" else (".ts", ".tsx")
    graph = {}
    for path in sorted(base.rglob("*")):
        if path.suffix in suffixes and path.is_file():
            found = (target.resolve() for target in imports_of(base, path, path.read_text(encoding="utf-8"))
                     if target is not None)
            graph[path.resolve()] = sorted(set(found))
    return graph


def groups(graph):
    """The groups of nodes that reach one another, and the nodes that name themselves; sorted lists (Tarjan, unrolled)."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in sorted(graph):
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        work = [(root, iter(graph[root]))]
        while work:
            node, targets = work[-1]
            target = next(targets, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group = []
                    while not group or group[-1] != node:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    if len(group) > 1 or node in graph[node]:
                        found.append(sorted(group))
            elif target not in index and target in graph:
                index[target] = low[target] = len(index)
                stack.append(target)
                on_stack.add(target)
                work.append((target, iter(graph[target])))
            elif target in on_stack:
                low[node] = min(low[node], index[target])
    return sorted(found)


def way_round(graph, group):
    """A shortest way from the first of a group back to it, as nodes."""
    first, within = group[0], set(group)
    before, line = {}, [first]
    for node in line:
        for target in graph[node]:
            if target == first:
                way = [first]
                while node != first:
                    way.insert(1, node)
                    node = before[node]
                return way[:1] + way[1:] + [first]
            if target in within and target not in before:
                before[target] = node
                line.append(target)
    return []


def check(root):
    root = Path(root).resolve()
    wrong, files = [], 0
    for place, suffix in PLACES:
        graph = graph_of(root / place, suffix)
        files += len(graph)
        for group in groups(graph):
            names = [path.relative_to(root).as_posix() for path in group]
            way = " → ".join(path.relative_to(root).as_posix() for path in way_round(graph, group))
            wrong.append(f"{names[0]}: {len(names)} {'file' if len(names) == 1 else 'files'} in a circle: "
                         f"{', '.join(names)}; as in {way}")
    return wrong, files


def main():
    wrong, files = check(sys.argv[1])
    for problem in wrong:
        print(problem)
    if files == 0:
        print("no sources found")
        return 1
    print(f"{files} files, {len(wrong)} circles")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
