#!/usr/bin/env python3
"""The walkers find what they are there for: each fault is planted in a made-up tree and must be named."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import arrays
import calls
import circles
import floors
import headers
import nulls
import prose
import walk

GOOD = {
    "protocol/scan.h": "#include <stdint.h>\n",
    "protocol/scan.c": '#include "protocol/scan.h"\n#include <msgpack.h>\n',
    "server/base/ring.h": "#include <stddef.h>\n",
    "server/sim/sim.h": "#include <stdint.h>\n",
    "server/sim/state.h": '#include "sim/sim.h"\n#include "base/ring.h"\n',
    "server/sim/step.c": '#include "state.h"\n',
    "server/document/document.h": '#include "sim/sim.h"\n',
    "server/world/world.h": '#include "protocol/scan.h"\n',
    "server/world/world.c": '#include "world/world.h"\n#include "sim/sim.h"\n',
    "server/net/net.h": '#include "base/ring.h"\n',
    "server/net/loop.c": '#include "net/net.h"\n#include <uv.h>\n',
    "server/host/session.h": '#include "net/net.h"\n#include "world/world.h"\n',
    "server/dispatch/dispatch.c": '#include "host/session.h"\n',
    "server/main.c": '#include "host/session.h"\n#include <ini.h>\n',
    "clients/c/weft.h": "#include <stdint.h>\n",
    "clients/cli/main.c": "#include <weft.h>\n#include <jansson.h>\n#include <termios.h>\n",
}


class Floors(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="floors-"))
        self.addCleanup(shutil.rmtree, self.root)
        for path, text in GOOD.items():
            self.write(path, text)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def add(self, path, text):
        (self.root / path).write_text(GOOD.get(path, "") + text)

    def expect(self, place, word):
        wrong, _, _ = floors.check(self.root)
        self.assertEqual(len(wrong), 1, wrong)
        self.assertTrue(wrong[0].startswith(place + ": "), wrong[0])
        self.assertIn(word, wrong[0])

    def test_a_sound_tree_passes(self):
        wrong, files, includes = floors.check(self.root)
        self.assertEqual(wrong, [])
        self.assertEqual(files, len(GOOD))
        self.assertEqual(includes, sum(text.count("#include") for text in GOOD.values()))

    def test_an_include_upward_is_named(self):
        self.add("server/net/net.h", '#include "host/session.h"\n')
        self.expect("server/net/net.h:2", "upward")

    def test_an_include_sideways_is_named(self):
        self.add("server/net/net.h", '#include "document/document.h"\n')
        self.expect("server/net/net.h:2", "sideways")

    def test_base_may_not_use_the_protocol(self):
        self.add("server/base/ring.h", '#include "protocol/scan.h"\n')
        self.expect("server/base/ring.h:2", "sideways")

    def test_a_cycle_within_a_module_is_named(self):
        self.write("server/sim/a.h", '#include "sim/b.h"\n')
        self.write("server/sim/b.h", '\n#include "a.h"\n')
        self.expect("server/sim/a.h:1", "cycle: server/sim/a.h → server/sim/b.h → server/sim/a.h")

    def test_a_header_that_includes_itself_is_a_cycle(self):
        self.write("server/sim/a.h", '#include "a.h"\n')
        self.expect("server/sim/a.h:1", "cycle")

    def test_uv_outside_net_is_named(self):
        self.add("server/main.c", "#include <uv.h>\n")
        self.expect("server/main.c:3", "uv.h")

    def test_sim_may_use_neither_the_protocol_nor_a_library_nor_posix(self):
        for text, word in (('#include "protocol/scan.h"\n', "base"), ("#include <msgpack.h>\n", "libraries"),
                           ("#include <unistd.h>\n", "libc alone"), ("#include <uv.h>\n", "uv.h")):
            self.write("server/sim/extra.c", text)
            self.expect("server/sim/extra.c:1", word)

    def test_a_private_header_of_another_module_is_named(self):
        self.add("server/world/world.c", '#include "sim/state.h"\n')
        self.expect("server/world/world.c:3", "public header")

    def test_a_private_header_of_another_room_is_named(self):
        self.write("server/dispatch/permit/permit.h", "#include <stdint.h>\n")
        self.write("server/dispatch/permit/parts.h", "#include <stdint.h>\n")
        self.write("server/dispatch/past/seek.c", '#include "dispatch/permit/permit.h"\n#include "dispatch/permit/parts.h"\n')
        self.expect("server/dispatch/past/seek.c:2", "public header")

    def test_what_is_in_a_world_of_the_host_is_not_seen_above(self):
        self.write("server/host/world_internal.h", "#include <stdint.h>\n")
        self.write("server/dispatch/permit/role.c", '#include "host/session.h"\n#include "host/world_internal.h"\n')
        self.expect("server/dispatch/permit/role.c:2", "public header")

    def test_a_room_that_stands_on_a_higher_one_is_named(self):
        self.write("server/dispatch/hello/hello.h", "#include <stdint.h>\n")
        self.write("server/dispatch/permit/role.c", '#include "dispatch/hello/hello.h"\n')
        self.expect("server/dispatch/permit/role.c:1", "upward")

    def test_a_room_that_is_seen_from_above_its_module_is_named(self):
        self.write("server/dispatch/dispatch.h", "#include <stdint.h>\n")
        self.write("server/dispatch/permit/permit.h", "#include <stdint.h>\n")
        self.add("server/main.c", '#include "dispatch/dispatch.h"\n#include "dispatch/permit/permit.h"\n')
        self.expect("server/main.c:4", "it may use")

    def test_a_room_of_a_world_that_stands_on_a_higher_one_is_named(self):
        self.write("server/world/turn/lines.h", "#include <stdint.h>\n")
        self.write("server/world/keep/journal.c", '#include "world/turn/lines.h"\n')
        self.expect("server/world/keep/journal.c:1", "upward")

    def test_a_room_of_a_world_that_is_seen_from_above_its_module_is_named(self):
        self.write("server/world/turn/lines.h", "#include <stdint.h>\n")
        self.add("server/host/session.h", '#include "world/turn/lines.h"\n')
        self.expect("server/host/session.h:3", "it may use")

    def test_the_part_of_another_room_is_named(self):
        self.write("server/world/keep/part.h", "#include <stdint.h>\n")
        self.write("server/world/keep/journal.c", '#include "world/keep/part.h"\n')
        self.write("server/world/world.c", '#include "world/keep/part.h"\n')
        self.assertEqual(floors.check(self.root)[0], [])
        self.write("server/world/turn/lines.c", '#include "world/keep/part.h"\n')
        self.expect("server/world/turn/lines.c:1", "only files in server/world/keep/")

    def test_a_world_without_parts_is_named(self):
        self.write("server/world/state.h", "struct world {\n    int a; // one; and\n};\nint other(void);\n")
        self.assertEqual(floors.check_state(self.root), [])
        members = "    int a;\n" * (floors.MEMBERS_MAX + 1)
        self.write("server/world/state.h", "struct world {\n" + members + "};\n")
        self.assertIn(f"has {floors.MEMBERS_MAX + 1} members", floors.check_state(self.root)[0])

    def test_a_client_may_use_the_public_header_alone(self):
        self.add("clients/cli/main.c", '#include "protocol/scan.h"\n')
        self.expect("clients/cli/main.c:4", "libweft")

    def test_a_file_outside_the_house_is_named(self):
        self.write("server/extra/extra.c", "\n")
        wrong, _, _ = floors.check(self.root)
        self.assertEqual(wrong, ["server/extra/extra.c:1: belongs to no module"])

    def test_an_include_through_a_macro_is_named(self):
        self.add("server/sim/step.c", "#include HEADER\n")
        self.expect("server/sim/step.c:2", "names no file")

    def test_a_quoted_include_that_is_not_there_is_named(self):
        self.add("server/net/net.h", '#include "base/gone.h"\n')
        self.expect("server/net/net.h:2", "not in the tree")


class Headers(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="headers-"))
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "server").mkdir()

    def check(self, text):
        (self.root / "server" / "a.h").write_text(text)
        return headers.check(self.root, "cc", ["-std=c17"])

    def test_a_header_that_names_what_it_needs_passes(self):
        wrong, count = self.check("#ifndef A\n#define A\n#include <stdint.h>\nuint8_t f(void);\n#endif\n")
        self.assertEqual((wrong, count), ([], 1))

    def test_a_header_that_leans_on_its_includer_fails(self):
        wrong, _ = self.check("#ifndef A\n#define A\nuint8_t f(void);\n#endif\n")
        self.assertIn("server/a.h:1", wrong[0])

    def test_a_header_without_a_guard_fails(self):
        wrong, _ = self.check("struct a {\n    int b;\n};\n")
        self.assertIn("redefinition", wrong[0])


class Circles(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="circles-"))
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, files):
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
        return circles.check(self.root)

    def python(self, one, other="from weft import one\n"):
        place = "clients/python/src/weft/"
        return self.write({place + "__init__.py": "from weft import one\n", place + "one.py": one, place + "other.py": other})

    def typescript(self, one, other="import {one} from './one.js';\n", name="other.ts"):
        place = "clients/web/src/view/"
        return self.write({place + "one.ts": one, place + name: other})

    def expect(self, found, *files):
        wrong, _ = found
        self.assertEqual(len(wrong), 1, wrong)
        self.assertIn(f"{len(files)} file", wrong[0])
        for file in files:
            self.assertIn(file, wrong[0])

    def test_a_sound_tree_passes(self):
        self.assertEqual(self.python("import os\n"), ([], 3))
        self.assertEqual(self.typescript("import {Box3} from 'three';\n"), ([], 5))

    def test_each_way_to_import_in_python_counts(self):
        for text in ("from weft import other\n", "from weft.other import a, b\n", "import weft.other\n",
                     "from . import other\n", "from .other import a\n", "def late():\n    from weft import other\n",
                     "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from weft import other\n"):
            with self.subTest(text):
                self.expect(self.python(text), "one.py", "other.py")

    def test_a_name_of_the_package_itself_counts_as_the_package(self):
        self.expect(self.python("from weft import connect\n", ""), "__init__.py", "one.py")

    def test_each_way_to_import_in_typescript_counts(self):
        for text in ("import {a} from './other.js';\n", "import type {\n  A,\n} from './other.js';\n", "export * from './other.js';\n",
                     "export type {A} from './other.js';\n", "import './other.js';\n", "const a = await import('./other.js');\n",
                     "let a: import('./other.js').A;\n", "import worker from './other.js?worker';\n",
                     "new Worker(new URL('./other.ts', import.meta.url), {type: 'module'});\n"):
            with self.subTest(text):
                self.expect(self.typescript(text), "one.ts", "other.ts")
        self.expect(self.typescript("import {a} from './panel.js';\n", name="panel.tsx"), "one.ts", "panel.tsx")

    def test_a_folder_means_its_index(self):
        self.expect(self.write({"clients/web/src/a.ts": "import {b} from './b/index.js';\n",
                                "clients/web/src/b/index.ts": "import {a} from '../a.js';\n"}), "a.ts", "b/index.ts")

    def test_what_stands_in_a_comment_is_no_import(self):
        self.assertEqual(self.typescript("// import {a} from './other.js';\n/* import './other.js'; */\n")[0], [])

    def test_a_file_that_imports_itself_is_a_circle(self):
        self.expect(self.typescript("import {a} from './one.js';\n", ""), "one.ts")

    def test_a_long_circle_is_told_whole(self):
        place = "protocol/generator/"
        found = self.write({place + "a.py": "from generator import b\n", place + "b.py": "from generator import c\n",
                            place + "c.py": "from generator.a import x\n", place + "d.py": "from generator import a\n"})
        self.expect(found, "a.py", "b.py", "c.py")
        self.assertIn("a.py → protocol/generator/b.py → protocol/generator/c.py → protocol/generator/a.py", found[0][0])


class Walk(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="walk-"))
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "docs" / "internals").mkdir(parents=True)
        (self.root / "a.c").write_text("bool declared(int a);\n// bool told(void) {}\nstatic bool\nbroken_up(int a,\n"
                                       "          int (*b)(int))\n{\n    called(a);\n    return true;\n}\n"
                                       "struct a *plain(void)\n{\n    if (called(1)) {\n    }\n}\n")

    def check(self, *steps, chapter="# A walk\n\n## Along an edit\n\n", held=()):
        (self.root / "docs" / "internals" / "walk.md").write_text(chapter + "".join(f"- {step}\n" for step in steps))
        return walk.check(self.root, dict(held))

    def go(self, *steps, **most):
        """What is wrong with a walk through server/a.c that is held."""
        (self.root / "server").mkdir(exist_ok=True)
        (self.root / "server" / "a.c").write_text(
            "static void last(void)\n{\n}\nstatic void row_one(void)\n{\n    last();\n}\n"
            "#define ROW(name) row_##name,\nvoid (*const rows[])(void) = {row_one};\n"
            "static void looks(int i)\n{\n    rows[i]();\n}\n"
            "static const struct handler handler = {.on_come = looks};\n"
            "static void told(struct a *a)\n{\n    a->handler->on_come(1); // not absent();\n}\n"
            "void begin(void)\n{\n    told(&one);\n}\nvoid absent(void)\n{\n}\n")
        held = {"Along an edit": {"functions": len(steps), "files": 1, "stretches": 1, **most}}
        return self.check(*(f"`server/a.c: {step}` on" for step in steps), held=held)[0]

    def test_a_step_is_reached_by_calls_members_and_tables(self):
        self.assertEqual(self.go("begin", "told", "looks", "row_one", "last"), [])
        self.assertEqual(self.go("begin", "row_one"), [])

    def test_steps_that_are_left_out_are_named(self):
        self.assertEqual(self.go("begin", "last"), ["docs/internals/walk.md:6: more than 2 functions lie before it that are no steps: "
                                                    "begin, told, looks, row_one, last"])

    def test_a_step_to_which_nothing_leads_is_named(self):
        self.assertEqual(self.go("begin", "absent"), ["docs/internals/walk.md:6: no step before it leads to absent"])

    def test_the_length_of_a_walk_is_held(self):
        for what in ("functions", "files", "stretches"):
            with self.subTest(what):
                self.assertIn(f"{what}; at most 0", self.go("begin", **{what: 0})[0])
                self.assertIn("by now", self.go("begin", **{what: 2})[0])

    def test_a_walk_that_is_held_has_to_be_there_and_does_not_grow(self):
        self.assertIn("no walk \"Along a frame\"", self.check("`a.c: plain` first", held={"Along a frame": {}})[0][0])
        self.assertLessEqual(walk.BETWEEN, 2)
        for what, most in {"functions": 25, "files": 15, "stretches": 3}.items():
            self.assertLessEqual(walk.HELD["Along an edit"][what], most)

    def test_functions_that_are_defined_pass(self):
        self.assertEqual(self.check("`a.c: plain` first", "`a.c: broken_up` then"), ([], 2))

    def test_what_is_only_declared_called_or_told_of_is_named(self):
        for function in ("declared", "called", "told", "pla", "absent"):
            wrong, _ = self.check("`a.c: plain` first", f"`a.c: {function}` then")
            self.assertEqual(wrong, [f"docs/internals/walk.md:6: a.c does not define {function}"])

    def test_a_file_that_is_not_there_is_named(self):
        self.assertEqual(self.check("`b.c: plain` first")[0], ["docs/internals/walk.md:5: there is no b.c"])

    def test_a_step_of_another_form_is_named(self):
        for step in ("plain in a.c", "`a.c: plain`", "`a.c:plain` first"):
            self.assertIn("docs/internals/walk.md:5: a step is", self.check(step)[0][0])

    def test_a_page_without_a_walk_or_a_walk_without_steps_is_wrong(self):
        self.assertIn("no steps", self.check()[0][0])
        self.assertIn("no walk", self.check("`a.c: plain` first", chapter="# Walks\n\nAlong\n\n")[0][0])


class Calls(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="calls-"))
        self.addCleanup(shutil.rmtree, self.root)

    def build(self, files):
        """Compiles as CMake names objects."""
        for path, text in files.items():
            source = self.root / path
            made = self.root / "build" / source.parent.relative_to(self.root) / "CMakeFiles" / "some.dir" / (source.name + ".o")
            for folder in (source.parent, made.parent):
                folder.mkdir(parents=True, exist_ok=True)
            source.write_text(text)
            subprocess.run(["cc", "-c", "-O0", "-w", str(source), "-o", str(made)], check=True)
        return calls.check(self.root, self.root / "build")

    def test_calls_one_way_pass(self):
        wrong, files, count = self.build({"server/sim/a.c": "void a(void) { b(); }", "server/sim/b.c": "void b(void) { c(); }",
                                          "server/base/c.c": "void c(void) {}"})
        self.assertEqual((wrong, files, count), ([], 3, 2))

    def test_a_circle_within_a_module_is_named(self):
        wrong, _, _ = self.build({"server/sim/a.c": "void a(void) { b(); }", "server/sim/b.c": "void b(void) { a(); }"})
        self.assertEqual(len(wrong), 1, wrong)
        self.assertIn("server/sim/a.c calls b of server/sim/b.c; server/sim/b.c calls a of server/sim/a.c", wrong[0])

    def test_a_circle_between_modules_is_named(self):
        files = {"server/base/a.c": "void a(void) { b(); }", "server/sim/b.c": "void b(void) { d(); }",
                 "server/base/d.c": "void d(void) {}"}
        wrong, _, _ = self.build(files)
        self.assertEqual(len(wrong), 1, wrong)
        self.assertIn("between base, sim: server/base/a.c calls b of server/sim/b.c", wrong[0])

    def test_a_circle_by_an_inline_function_of_a_shared_header_is_named(self):
        (self.root / "server/sim").mkdir(parents=True)
        header = self.root / "server/sim/a_internal.h"
        header.write_text("int b(void);\nstatic inline int first(const int *a)\n{\n    return a[0];\n}\n")
        files = {"server/sim/a.c": '#include "a_internal.h"\nint a(void) { return b(); }',
                 "server/sim/b.c": '#include "a_internal.h"\nint b(void) { int one = 1; return first(&one); }'}
        wrong, _, _ = self.build(files)
        self.assertEqual(len(wrong), 1, wrong)
        self.assertIn("server/sim/a.c calls b of server/sim/b.c; server/sim/b.c calls first of server/sim/a.c", wrong[0])
        header.rename(self.root / "server/sim/shared.h")  # of neither file
        files = {path: text.replace("a_internal", "shared") for path, text in files.items()}
        self.assertEqual(self.build(files)[0], [])

    def test_static_functions_and_pointers_that_are_handed_down_do_not_count(self):
        wrong, _, count = self.build({
            "server/sim/a.c": "static void back(void) {} void a(void) { b(back); }",
            "server/sim/b.c": "static void back(void) {} void b(void (*f)(void)) { f(); back(); }"})
        self.assertEqual((wrong, count), ([], 1))

    def test_sources_of_another_folder_are_known_by_their_objects(self):
        (self.root / "protocol").mkdir()
        (self.root / "protocol" / "scan.c").write_text("")
        self.assertEqual(calls.source_of(self.root, "clients/c/CMakeFiles/objects.dir/__/__/protocol/scan.c.o"),
                         "protocol/scan.c")
        self.assertIsNone(calls.source_of(self.root, "tests/CMakeFiles/x.dir/test_x.c.o"))



class Arrays(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="arrays-"))
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "server/base").mkdir(parents=True)

    def check(self, text, exceptions=None):
        (self.root / "server/base/list.c").write_text(text)
        return arrays.check(self.root, exceptions or {})[0]

    def test_a_line_that_lets_an_array_grow_is_named(self):
        for line in ("a = realloc(b, 8);", "n = list->capacity ? 2 * list->capacity : 8;", "room = 2 * *room;",
                     "capacity *= 2;", "n = list->item_capacity * 2;", "n = a ? *capacity * 2 : 8;", "room <<= 1;",
                     "size_t room = size > 2 * bytes->charged ? size : n;", "a = reallocarray(b, 2, 8);"):
            wrong = self.check("int a;\n" + line + "\n")
            self.assertEqual(len(wrong), 1, line)
            self.assertTrue(wrong[0].startswith("server/base/list.c:2: "), wrong)

    def test_other_lines_pass(self):
        self.assertEqual(self.check("array_reserve(&a, &capacity, 2 * count);\n// no realloc(a, b) here\n"
                                    "void on_realloc_ends(int a);\nsize = 2 * roomy;\n"
                                    "void *realloc(void *memory, size_t size)\n"), [])

    def test_tests_are_looked_at_too(self):
        (self.root / "tests").mkdir()
        (self.root / "tests/test_list.c").write_text("a = realloc(b, 8);\n")
        self.assertTrue(self.check("int a;\n")[0].startswith("tests/test_list.c:1: "))

    def test_exceptions_are_exact_and_the_list_does_not_grow(self):
        text, path = "a = realloc(b, 8);\n", "server/base/list.c"
        self.assertEqual(self.check(text, {path: (1, "why")}), [])
        self.assertIn("say so", self.check(text, {path: (2, "why")})[0])
        self.assertIn("is not there", self.check(text, {path: (1, "why"), "server/base/gone.c": (1, "why")})[0])
        self.assertTrue(all(reason for _, reason in arrays.EXCEPTIONS.values()))
        self.assertLessEqual(sum(count for count, _ in arrays.EXCEPTIONS.values()), 17)


class Nulls(unittest.TestCase):
    def test_a_comparison_that_is_a_condition_is_rewritten(self):
        for before, after in (
                ("if (p == NULL) {", "if (!p) {"), ("if (p != NULL) {", "if (p) {"),
                ("while (list->next[i + 1].p != NULL) {", "while (list->next[i + 1].p) {"),
                ("for (a = b; a != NULL; a = a->next) {", "for (a = b; a; a = a->next) {"),
                ("x = p != NULL ? p->x : 0;", "x = p ? p->x : 0;"), ("return p != NULL && q == NULL;", "return p && !q;"),
                ("return (p == NULL) || n > 0;", "return (!p) || n > 0;"), ("if ((p != NULL) == a) {", "if ((p != NULL) == a) {"),
                ("if ((p = f(a, g(b))) == NULL) {", "if (!(p = f(a, g(b)))) {"), ("ok = f(a)[1] == NULL;", "ok = !f(a)[1];"),
                ("if (*items == NULL) {", "if (!*items) {"), ("if (n > 0 && **p == NULL) {", "if (n > 0 && !**p) {"),
                ("if ((const char *)p == NULL) {", "if (!(const char *)p) {"), ("BASE_ASSERT(p != NULL);", "BASE_ASSERT(p);"),
                ("if (f(\")\", ')') == NULL) {", "if (!f(\")\", ')')) {"), ("a = !(p != NULL);", "a = !(p);"), ("n += p != NULL ? 1 : 0;", "n += p ? 1 : 0;"),
                ("if (a) {\n    // p == NULL\n    b = p\n        == NULL;", "if (a) {\n    // p == NULL\n    b = !p;")):
            text = "void f(void)\n{\n" + before + "\n}\n"
            self.assertEqual(nulls.rewritten(text), "void f(void)\n{\n" + after + "\n}\n")

    def test_a_value_that_is_kept_stays(self):
        for line in ("return p != NULL;", "ok = p != NULL;", "f(a, p != NULL);", "f(p != NULL);", "n += p != NULL;",
                     "for (a = b; a; c = p != NULL) {", "s = \"p == NULL\";", "return (p != NULL) - (q != NULL);",
                     "a = b && (p != NULL) == c;", "a = b == (p != NULL) && c;", "a = n + (p != NULL) ? 1 : 2;", "if (p + n == NULL) {"):
            text = "void f(void)\n{\n" + line + "\n}\n"
            self.assertEqual(nulls.rewritten(text), text)

    def test_a_comparison_is_named_and_rewritten(self):
        root = Path(tempfile.mkdtemp(prefix="nulls-"))
        self.addCleanup(shutil.rmtree, root)
        (root / "server/base").mkdir(parents=True)
        (root / "server/base/a.c").write_text("int f(int *p)\n{\n    return p == NULL;\n}\n")
        self.assertEqual(nulls.check(root, write=True), (["server/base/a.c:3: p == NULL is written !p"], 1))
        self.assertEqual(nulls.check(root), ([], 1))


class Prose(unittest.TestCase):
    def test_comments_that_begin_with_what(self):
        text = ("// What is there.\n// Whose, goes on with the line before.\nint a; // Of all.\nint b; // The owner of it.\n"
                "int c;\n// Where it is.\n// Whatever comes.\n")
        self.assertEqual(list(prose.openings(text)), [1, 3, 6])

    def test_who_is_a_person(self):
        lines = "a person who reads\na server who reads\nSomebody, who reads\nfor who reads\n"
        self.assertEqual(list(prose.RULES["who"][1](lines)), [2, 4])

    def test_lines_of_tables_and_code_may_be_long(self):
        long = "x" * 121
        self.assertEqual(list(prose.wide(f"{long}\n| {long} |\n    {long}\n```\n{long}\n```\n{long}\n")), [1, 7])

    def test_counts_only_shrink(self):
        counts = prose.count([("anew", "server/net/conn.c", 3), ("anew", "server/net/conn.c", 9), ("who", "docs/README.md", 1)])
        self.assertEqual(list(prose.compare(counts, {"anew": {"server/net": 2}, "who": {"docs": 1}})), [])
        more, fewer = prose.compare(counts, {"anew": {"server/net": 1}, "who": {"docs": 2}})
        self.assertIn("2 times \"anew\"; at most 1", more)
        self.assertIn("lower it with --write", fewer)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "prose.json"
            prose.write(path, counts, {"opening": {}, "anew": {"server/net": 5}, "who": {}, "short header": {}, "wide": {}})
            self.assertIn('"server/net": 2', path.read_text())
            self.assertNotIn("docs", path.read_text())


if __name__ == "__main__":
    unittest.main()
