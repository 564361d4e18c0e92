#!/usr/bin/env python3
"""weft help and weft completion: every method is told of and reached, every option completed."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from shell import ShellTest, clean_environment

from weft_peer import PATIENCE_S, WeftError

PROTOCOL = Path(__file__).resolve().parents[3] / "protocol"
sys.path.insert(0, str(PROTOCOL))
from generator import kinds  # noqa: E402

API = kinds.read(PROTOCOL / "api.json")
for method in API["methods"]:  # with what every edit, and every query, has besides its own
    if method["class"] == "query":
        method["result"] += API["terms"]["query_result"]
    if method["class"] == "edit":
        method["params"] += API["terms"]["params"]
        method["result"] += API["terms"]["result"]


class Help(ShellTest):
    def test_commands_are_told_of(self):
        out = self.weft("help").stdout
        commands = re.findall(r"(?m)^  ([a-z]+) ", out.split("Options:")[0])
        self.assertIn("load", commands)
        for command in commands:
            text = self.weft("help", command).stdout
            self.assertTrue(text.startswith("Usage: weft [OPTIONS] " + command))
            self.assertEqual(text, self.weft(command, "--help").stdout)
            self.assertEqual(text, self.weft(command, "flag", "--help").stdout)  # once one has begun
        self.assertEqual(out, self.weft("--help").stdout)
        self.assertIn("there is no command or method 'nothing'", self.weft("help", "nothing", status=2).stderr)

    def test_it_fits_80_columns(self):
        commands = [one["name"] for one in self.json("help")["commands"]]
        self.assertIn("load", commands)
        for words in [(), ("methods",), *((name,) for name in commands), *((m["name"],) for m in API["methods"]),
                      *((t["name"],) for t in API["types"])]:
            for line in self.weft("help", *words).stdout.splitlines():
                # What is there to be copied is not broken.
                self.assertTrue(len(line) <= 80 or line.startswith("  weft call "), f"{words}: {line}")
        self.assertEqual(self.json("help", "step")["usage"], "WORLD [TICKS]")

    def test_what_options_mean_fills_the_lines(self):
        lines = self.weft("help", "bake").stdout.splitlines()
        for line, after in zip(lines, lines[1:]):
            if re.match(" {19}[^ ]", after):
                self.assertGreater(len(line) + 1 + len(after.split()[0]), 80, after)

    def test_manual_pages_have_every_option(self):
        folder = Path(__file__).resolve().parents[3] / "docs" / "man"
        for one in self.json("help")["commands"]:
            pages = (folder / ("weft-bake.1" if one["name"] == "bake" else "weft.1")).read_text()
            pages = re.sub(r"\\f[BIR]", "", pages).replace("\\", "")
            for option in re.findall(r"(?m)^  (--[a-z-]+)", one["details"]):
                self.assertTrue(re.search(re.escape(option) + r"(?![a-z-])", pages), f"{one['name']} {option}")

    def test_every_method_is_told_of_without_a_server(self):
        listed = self.weft("--server", "127.0.0.1:1", "help", "methods").stdout
        for method in API["methods"]:
            self.assertIn(f"\n{method['name']} ", "\n" + listed)
            text = self.weft("--server", "127.0.0.1:1", "help", method["name"]).stdout
            said = " ".join(text.split())
            for field in method["params"] + method["result"]:
                self.assertRegex(text, rf"(?m)^  {field['name']}  ")
                if "unit" in field:
                    self.assertIn(f"[{field['unit']}]", said)
                if "default" in field and field in method["params"]:
                    self.assertIn(f"default {json.dumps(field['default'])}", said)
            self.assertIn(f"weft call {method['name']}", text)
            told = self.json("help", method["name"])
            self.assertEqual([f["name"] for f in told["params"]], [f["name"] for f in method["params"]])
        self.assertEqual(len(self.json("help", "methods")["methods"]), len(API["methods"]))
        for one in API["types"]:
            self.assertEqual(self.json("help", one["name"])["doc"], one["doc"])

    def test_nested_fields_and_ranges(self):
        text = " ".join(self.weft("help", "body.add").stdout.split())
        self.assertIn("Fields of bend_material", text)
        self.assertIn("one of: none dihedral isometric quadratic", text)
        self.assertIn("weights number[], -1000000 to 1000000, a multiple of 4 numbers, required", text)
        self.assertIn("world ref, required", text)
        self.assertNotIn("\033", text)

    def test_every_example_is_one_that_the_server_takes(self):
        examples = {m["name"]: m["example"] for m in self.json("help", "methods")["methods"]}
        with self.server.peer() as peer:
            # What the examples speak of is made by them, in an order in which they can follow each other.
            first = ["world.create", "body.add", "collider.add", "stream.subscribe"]
            last = ["grab.end", "stream.unsubscribe", "constraint.remove", "collider.remove", "body.remove", "world.leave",
                    "world.delete", "session.leave"]
            order = first + [n for n in examples if n not in first + last] + last
            # A step needs a paused world, and a world that plays may pause only after it.
            order.remove("world.play")
            order.insert(order.index("world.pause"), "world.play")
            order.remove("world.step")
            order.insert(order.index("world.pause") + 1, "world.step")
            refused = {}
            for name in order:
                try:
                    peer.call(name, **examples[name])
                except WeftError as error:
                    refused[name] = str(error)
            # Methods that came after this test was written may need more than their example says.
            known = {m["name"] for m in API["methods"] if m["since"] <= 2}
            self.assertEqual({name: text for name, text in refused.items() if name in known}, {})

    def test_what_was_meant_by_a_word_that_is_not_there(self):
        cases = {("lst",): "'list'", ("laod", "x"): "'load'", ("help", "wrld.step"): "'world.step'", ("list", "--sever", "x"): "'--server'",
                 ("load", "x.obj", "--wrld", "w"): "'--world'", ("new", "w", "--gravty=0,0,0"): "'--gravity'",
                 ("top", "--evry", "1"): "'--every'", ("--jso", "list"): "'--json'"}
        for words, meant in cases.items():
            self.assertIn(f"; did you mean {meant}?", self.weft(*words, status=2).stderr)
        self.assertIn("there is a method: weft call world.step", self.weft("wolrd.step", status=2).stderr)
        self.assertIn("did you mean 'body.add'?", self.weft("call", "body.ad", status=1).stderr)
        for words in (("zzzzz",), ("x",), ("list", "--zzzzz"), ("help", "y" * 300), ("call", "nothing.here")):
            self.assertNotIn("did you mean", self.weft(*words, status=1 if words[0] == "call" else 2).stderr)
        self.assertIn("unexpected argument 'y'; usage: weft new NAME", self.weft("new", "x", "y", status=2).stderr)

    def test_call_reaches_what_has_no_command(self):
        self.weft("new", "flag")
        answer = self.json("call", "body.add", json.dumps(self.json("help", "body.add")["example"]))
        self.assertEqual(answer["particles"], 4)


class Completion(ShellTest):
    def candidates(self, *words):
        out = self.weft("completion", "--candidates", *words).stdout
        return [line.split("\t")[0] for line in out.splitlines()]

    def test_commands_options_methods_worlds(self):
        self.weft("new", "banner")
        self.weft("new", "flag")
        commands = self.candidates("")
        self.assertIn("load", commands)
        self.assertEqual(sorted(commands), sorted(set(commands)))
        self.assertEqual(self.candidates("watch", ""), ["banner", "flag"])
        self.assertEqual(self.candidates("--json", "step", ""), ["banner", "flag"])
        self.assertEqual(self.candidates("load", "x.obj", "--world", ""), ["banner", "flag"])
        self.assertEqual(self.candidates("load", ""), [":files"])
        self.assertIn("--soft", self.candidates("load", "--"))
        self.assertIn("--server", self.candidates("load", "--"))
        self.assertIn("jelly", self.candidates("load", "--material", ""))
        self.assertIn("body.add", self.candidates("call", ""))
        self.assertIn("gravity=", self.candidates("set", "flag", ""))
        self.assertIn("world.step", self.candidates("help", ""))
        self.assertEqual(self.candidates("completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(self.candidates("nothing", ""), [])
        for command in ("open", "bake"):
            self.assertLessEqual({"flag", "jelly", ":files"}, set(self.candidates(command, "")))
        self.assertEqual(self.candidates("convert", "x.take", ""), [":files"])
        self.assertEqual(self.candidates("save", "flag", ""), [":files"])
        self.assertEqual(self.candidates("record", "flag", "-o", ""), [":files"])
        self.assertEqual(self.candidates("bake", "flag", "--table", ""), ["text", "csv", "json"])
        # Every option that the help knows of.
        for command in commands:
            options = re.findall(r"(?m)^  (--[a-z-]+)", self.weft("help", command).stdout)
            self.assertEqual([c for c in self.candidates(command, "--") if c in options], options)

    def test_without_a_server_it_is_quick_and_quiet(self):
        self.assertEqual(self.candidates("--server", "127.0.0.1:1", "watch", ""), [])

    def shell(self, *command, text):
        run = subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE_S,
                             env=clean_environment(WEFT_SERVER=self.server.address, TERM="dumb",
                                                   PATH=os.path.dirname(os.environ["WEFT"]) + ":" + os.environ["PATH"]))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash_completes(self):
        self.weft("new", "flag")
        here = Path(__file__).resolve()
        script = """source <(weft completion bash)
            try() { COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); COMPREPLY=(); _weft; echo "${COMPREPLY[*]}"; }
            try weft wa; try weft play f; try weft load --mat; try weft load """ + str(here)[:-4] + "; try weft nothing ''"
        self.assertEqual(self.shell("bash", text=script), f"watch\nflag\n--material --materials\n{here}\n\n")

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash_joins_what_it_takes_apart(self):
        self.weft("new", "flag")
        host, port = self.server.address.split(":")
        script = f"""source <(weft completion bash)
            try() {{ COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); COMPREPLY=(); _weft; echo "${{COMPREPLY[*]}}"; }}
            try weft --server {host} : {port} play f; try weft --server = {host} : {port} play f
            try weft set flag gravity = 0,0,0 subst; try weft load x.obj --pin edge :; try weft load x.obj --pin edge : +"""
        every = "+x -x +y -y +z -z"
        self.assertEqual(self.shell("bash", text=script), f"flag\nflag\nsubsteps=\n{every}\n+x +y +z\n")

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish_completes(self):
        out = self.shell("fish", "--no-config", "-c", "weft completion fish | source; complete -C 'weft wat'", text="")
        self.assertEqual(out.split("\t")[0], "watch")

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_takes_the_script(self):
        self.shell("zsh", "-f", "-n", text=self.weft("completion", "zsh").stdout)

    def test_other_shells_are_refused(self):
        self.assertIn("bash, zsh and fish", self.weft("completion", "tcsh", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
