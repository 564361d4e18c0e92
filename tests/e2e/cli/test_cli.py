#!/usr/bin/env python3
"""Every command of the shell client but watch: what it prints, what --json gives, how it ends."""

import json
import os
import socket
import subprocess
import tempfile
import unicodedata
import unittest

from shell import PATIENCE_S, ShellTest, clean_environment, on_terminal


class Commands(ShellTest):
    def test_info_tells_who_and_how(self):
        out = self.weft("info").stdout
        self.assertIn(self.server.address, out)
        self.assertRegex(out, r"(?m)^program +weft \d+\.\d+\.\d+$")
        self.assertRegex(out, r"(?m)^threads +\d+$")
        info = self.json("info")
        self.assertEqual(info["name"], "weft")
        self.assertIn("world.create", [method["name"] for method in info["methods"]])
        self.assertGreaterEqual(info["stats"]["requests"], 1)

    def test_a_world_lives_through_all_commands(self):
        made = self.json("new", "flag", "--gravity", "0,-5,0", "--tick-rate=120", "--substeps", "4",
                         "--iterations", "2", "--damping", "0.5", "--contact-quality", "fast", "--untangle",
                         "--long-edges", "--bending", "solved")
        self.assertEqual(made["name"], "flag")
        world = made["world"]
        got = self.json("get", "flag")
        self.assertEqual(got["gravity"], [0, -5, 0])
        self.assertEqual((got["tick_rate"], got["substeps"], got["iterations"], got["damping"]), (120, 4, 2, 0.5))
        self.assertEqual((got["contact_quality"], got["untangle"], got["long_edges"]), ("fast", True, True))
        self.assertEqual(got["bending"], "solved")
        self.weft("new", "plain")
        self.weft("new", "fast", "--no-long-edges", "--bending", "swept", "--no-sleep", "--no-calm")
        solved = [(got["long_edges"], got["bending"], got["sleep"], got["calm"])
                  for got in (self.json("get", name) for name in ("plain", "fast"))]
        self.assertEqual(solved, [(True, "solved", True, True), (False, "swept", False, False)])
        self.weft("delete", "plain")
        self.weft("delete", "fast")
        self.weft("set", "flag", "untangle=no", "long_edges=no", "bending=swept")
        got = self.json("get", "flag")
        self.assertEqual((got["untangle"], got["long_edges"], got["bending"]), (False, False, "swept"))
        self.weft("set", "flag", "untangle=maybe", status=2)

        self.assertRegex(self.weft("list").stdout, rf"ID +NAME.*\n +{world} +flag +paused")
        self.assertEqual(self.json("list")["worlds"][0]["name"], "flag")

        self.add_cloth("flag", pins=[0])
        self.assertRegex(self.weft("step", "flag").stdout, r"^paused at tick 1\n$")
        self.assertEqual(self.json("step", "flag", "9")["tick"], 10)
        first = self.weft("hash", world).stdout
        self.assertRegex(first, r"^[0-9a-f]{16}  tick 10  revision 2\n$")
        self.assertEqual(self.json("hash", "flag")["hash"], first.split()[0])

        self.weft("set", "flag", "damping=0.25", "gravity=0,0,-1.5", "substeps=7", "name=banner")
        got = self.json("get", "banner")
        self.assertEqual((got["damping"], got["gravity"], got["substeps"]), (0.25, [0, 0, -1.5], 7))
        self.assertRegex(self.weft("get", "banner").stdout, r"(?m)^gravity +0, 0, -1\.5$")

        self.assertRegex(self.weft("play", "banner", "--rate", "2").stdout, r"^playing at tick 10\n$")
        got = self.json("get", "banner")
        self.assertEqual((got["state"], got["rate"]), ("playing", 2))
        self.assertRegex(self.weft("pause", "banner").stdout, r"^paused at tick \d+\n$")
        self.assertRegex(self.weft("reset", "banner").stdout, r"^reset at tick \d+, revision 4\n$")
        self.batch("banner")
        self.weft("delete", "banner")
        self.assertEqual(self.json("list"), {"worlds": []})
        self.assertIn("banner", self.weft("get", "banner", status=1).stderr)

    def test_settings_inside_settings(self):
        self.weft("new", "windy")
        self.weft("set", "windy", "wind.velocity=1,2,3", "damping=0.5", "wind.drag=2")
        told = self.json("get", "windy")
        self.assertEqual((told["wind"]["velocity"], told["wind"]["drag"], told["damping"]), ([1, 2, 3], 2, 0.5))
        self.assertRegex(self.weft("get", "windy").stdout, r"(?m)^wind\.velocity +1, 2, 3$")
        for setting in ("wind=3", "gravity.x=3", ".x=1", "wind.=1", "wind.velocity=fast"):
            self.weft("set", "windy", setting, status=2)
        self.assertIn("wind takes", self.weft("set", "windy", "wind.speed=3", status=1).stderr)
        self.assertEqual(self.json("get", "windy")["revision"], 1)

    def test_a_world_that_is_called_as_a_number_is_reached(self):
        self.assertIn("name:42", self.weft("new", "42").stdout)
        self.weft("get", "42", status=1)
        self.assertEqual(self.json("get", "name:42")["name"], "42")
        self.weft("delete", "name:42")
        self.assertEqual(self.json("list")["worlds"], [])

    def test_text_may_begin_with_a_mark(self):
        self.weft("call", "world.create", "-", text='\ufeff{"name": "marked"}')
        self.assertEqual(self.json("get", "marked")["name"], "marked")

    def test_call_takes_json_from_argument_and_input(self):
        self.weft("new", "w")
        answer = self.add_cloth("w", 4, 3)
        self.assertEqual(answer["particles"], 12)
        state = self.json("call", "body.state", '{"world": "w", "body": 1, "fields": ["positions", "positions64"]}')
        self.assertEqual(len(state["positions"]), 36)
        self.assertEqual(state["positions64"][:6], [0, 1, 0, state["positions64"][3], 1, 0])
        self.assertAlmostEqual(state["positions64"][3], 1 / 3, places=7)
        # The shortest text of a float, not its long form as a double.
        self.assertIn("0.33333334,", self.weft("--json", "call", "body.state", '{"world":"w","body":1}').stdout)
        pretty = self.weft("call", "body.get", '{"world": "w", "body": 1}').stdout
        self.assertGreater(pretty.count("\n"), 10)
        self.assertEqual(json.loads(pretty)["triangles"][:3], [0, 4, 1])
        self.assertGreater(self.json("call", "server.ping")["time_us"], 0)

    def test_what_the_server_refuses_ends_with_1(self):
        self.weft("new", "w")
        self.assertIn("CONFLICT", self.weft("new", "w", status=1).stderr)
        self.assertIn("INVALID", self.weft("set", "w", "colour=red", status=1).stderr)
        self.assertIn("colour", self.weft("set", "w", "colour=red", status=1).stderr)
        self.assertIn("INVALID", self.weft("new", "v", "--substeps", "0", status=1).stderr)
        self.assertIn("NOT_FOUND", self.weft("call", "world.fold", status=1).stderr)
        self.assertIn("INVALID", self.weft("call", "body.add", '{"world":"w","kind":"cloth","positions":[0,0]}',
                                           status=1).stderr)
        self.weft("play", "w")
        self.assertIn("CONFLICT", self.weft("step", "w", status=1).stderr)
        self.assertIn("NOT_FOUND", self.weft("delete", "4000000000", status=1).stderr)

    def test_wrong_usage_ends_with_2_and_touches_nothing(self):
        for arguments in ([], ["fold"], ["get"], ["get", "a", "b"], ["new"], ["new", "a", "--gravity", "1,2"],
                          ["new", "a", "--substeps", "many"], ["new", "a", "--wind", "3"], ["play", "a", "--rate"],
                          ["step", "a", "0"], ["step", "a", "1.5"], ["set", "a"], ["set", "a", "damping"],
                          ["set", "a", "damping=much"], ["set", "a", "gravity=down"], ["call"],
                          ["call", "server.ping", "{"], ["call", "server.ping", "[1]"],
                          ["call", "server.ping", '{"a":1,"a":2}'],
                          ["call", "server.ping", '{"a":' * 40 + "1" + "}" * 40], ["list", "--all"],
                          ["--timeout", "soon", "list"], ["--server"], ["--server", "localhost:99999", "list"],
                          ["watch"], ["watch", "a", "--fps", "0"], ["help", "fold"]):
            if arguments:
                self.weft(*arguments, status=2)
            else:
                run = subprocess.run([os.environ["WEFT"]], capture_output=True, text=True, env=clean_environment())
                self.assertEqual(run.returncode, 2)
                self.assertIn("Usage", run.stderr)
        self.assertEqual(self.json("list"), {"worlds": []})

    def test_no_server_ends_with_3(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            address = "127.0.0.1:%d" % taken.getsockname()[1]
            run = self.weft("--server", address, "list", status=3)
            self.assertIn("CONNECT", run.stderr)
            self.assertIn(address, run.stderr)

    def test_a_server_that_says_nothing_times_out_with_3(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            run = self.weft("--server", "127.0.0.1:%d" % silent.getsockname()[1], "--timeout", "0.2", "list", status=3)
            self.assertIn("TIMEOUT", run.stderr)

    def test_a_server_that_talks_nonsense_ends_with_3(self):
        with socket.socket() as strange:
            strange.bind(("127.0.0.1", 0))
            strange.listen()
            process = subprocess.Popen(
                [os.environ["WEFT"], "--server", "127.0.0.1:%d" % strange.getsockname()[1], "list"],
                stderr=subprocess.PIPE, text=True, env=clean_environment())
            connection, _ = strange.accept()
            with connection:
                connection.sendall(b"SSH-2.0-OpenSSH_9.2p1 Debian\r\n")
                _, errors = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 3)
        self.assertIn("PROTOCOL", errors)

    def batch(self, world):
        edits = [["collider.add", {"name": "ball", "kind": "sphere"}], ["collider.set", {"collider": "ball", "friction": 1}]]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(edits, file)
            file.flush()
            self.assertRegex(self.weft("batch", world, file.name).stdout, r"^2 edits at tick \d+, revision 5\n$")
            self.assertIn("edits[0]", self.weft("batch", world, file.name, status=1).stderr)
            file.write("]")
            file.flush()
            self.assertIn(file.name, self.weft("batch", world, file.name, status=2).stderr)
        self.assertIn("WORLD FILE", self.weft("batch", world, status=2).stderr)
        self.weft("batch", world, "/nowhere/at/all", status=1)
        self.assertEqual(self.json("get", world)["revision"], 5)

    def test_the_option_wins_over_the_environment(self):
        self.weft("list", environment={"WEFT_SERVER": "127.0.0.1:1"}, status=3)
        self.weft("--server", self.server.address, "list", environment={"WEFT_SERVER": "127.0.0.1:1"})

    def test_help_and_version(self):
        for arguments in (["--help"], ["help"], ["-h"]):
            out = self.weft(*arguments).stdout
            for command in ("info", "list", "new", "play", "pause", "step", "set", "delete", "get", "reset", "hash",
                            "call", "watch"):
                self.assertRegex(out, rf"(?m)^  {command} ")
        self.assertIn("--gravity", self.weft("help", "new").stdout)
        self.assertEqual(self.weft("help", "new").stdout, self.weft("new", "--help").stdout)
        self.assertRegex(self.weft("--version").stdout, r"^weft \d+\.\d+\.\d+\n$")

    def test_json_is_one_value_of_every_command(self):
        self.assertEqual(self.json("--version"), {"version": self.weft("--version").stdout.split()[1]})
        script = self.json("completion", "bash")
        self.assertEqual((script["shell"], script["script"]), ("bash", self.weft("completion", "bash").stdout))
        with tempfile.TemporaryDirectory(prefix="weft-cli-") as folder:
            self.json("open", "flag")
            self.json("record", "flag", "-o", f"{folder}/flag.take", "--ticks", 1, "--lossless")
            told = self.json("convert", f"{folder}/flag.take", f"{folder}/flag.npz")
        self.assertEqual(told["frames"], 2)
        self.assertIn("contradict", self.weft("--json", "bake", "flag", "--ticks", 1, "--table", "csv", status=2).stderr)

    def test_tables_fit_the_terminal(self):
        for name in ("n" * 60, "日本語の世界の長い名前と日本語の世界の長", "short"):
            self.weft("new", name)
        for words in (("list",), ("gallery",), ("top", "--once"), ("get", "short")):
            status, lines = on_terminal(*words, WEFT_SERVER=self.server.address)
            wide = [sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in line) for line in lines]
            self.assertEqual((status, [line for line, width in zip(lines, wide) if width > 80]), (0, []))
            if words == ("list",):
                self.assertEqual(len(set(wide)), 1, "columns stand below each other")
        self.assertIn("n" * 60, self.weft("list").stdout)

    def test_names_after_two_dashes_may_begin_with_dashes(self):
        self.weft("new", "--", "--odd")
        self.assertEqual(self.json("get", "--", "--odd")["name"], "--odd")

    def test_output_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w") as full:
            run = subprocess.run([os.environ["WEFT"], "info"], stdout=full, stderr=subprocess.PIPE, text=True,
                                 env=clean_environment(WEFT_SERVER=self.server.address))
        self.assertEqual(run.returncode, 1)
        self.assertIn("weft: FILE:", run.stderr)


if __name__ == "__main__":
    unittest.main()
