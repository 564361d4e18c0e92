#!/usr/bin/env python3
"""What weftd can be told, by flags, environment and file; and what it writes."""

import json
import os
import re
import resource
import subprocess
import tempfile
import unittest
from pathlib import Path

from weft_peer import PATIENCE_S, Server, WeftError


class Options(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="weft-options-")
        self.addCleanup(self.folder.cleanup)

    def config(self, text):
        path = Path(self.folder.name) / "weftd.conf"
        path.write_text(text)
        return str(path)

    def start(self, *arguments, **options):
        server = Server(*arguments, **options)
        self.addCleanup(server.kill)
        return server

    def run_to_end(self, *arguments, environment=None):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("WEFT")}
        return subprocess.run([os.environ["WEFTD"], *arguments], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=PATIENCE_S, env={**clean, **(environment or {})})

    def wrong(self, *words, arguments=(), environment=None):
        run = self.run_to_end(*arguments, environment=environment)
        self.assertNotEqual(run.returncode, 0)
        for word in words:
            self.assertIn(word, run.stderr)

    def threads(self, server):
        with server.peer() as peer:
            return peer.call("server.stats")["threads"]

    def test_help_and_version_are_given_on_standard_output(self):
        run = self.run_to_end("--help")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for flag in ("--listen", "--http", "--studio", "--origin", "--threads", "--config", "--log-level", "--log-json", "--insecure", "--version"):
            self.assertIn(flag, run.stdout)
        run = self.run_to_end("--version")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"\d+\.\d+\.\d+")

    def test_flags_win_over_environment_and_that_over_the_file(self):
        path = self.config("[server]\nthreads = 3\n")
        self.assertEqual(self.threads(self.start("--config", path)), 3)
        self.assertEqual(self.threads(self.start(environment={"WEFT_CONFIG": path})), 3)
        environment = {"WEFT_CONFIG": path, "WEFT_THREADS": "2"}
        self.assertEqual(self.threads(self.start(environment=environment)), 2)
        self.assertEqual(self.threads(self.start("--threads", "1", environment=environment)), 1)

    def test_the_address_may_come_from_the_file_or_the_environment(self):
        path = self.config("# a comment\n[server]\nlisten = 127.0.0.2:0\n")
        self.assertTrue(self.start("--config", path, listen=None).address.startswith("127.0.0.2:"))
        server = self.start("--config", path, listen=None, environment={"WEFT_LISTEN": "127.0.0.3:0"})
        self.assertTrue(server.address.startswith("127.0.0.3:"))

    def test_what_is_wrong_is_named_with_its_place(self):
        self.wrong("--threads", "0", arguments=("--threads", "0"))
        self.wrong("--threads", "many", arguments=("--threads", "many"))
        self.wrong("--speed", arguments=("--speed", "3"))
        self.wrong("extra", arguments=("extra",))
        self.wrong("--listen", arguments=("--listen", "localhost"))
        self.wrong("--listen", arguments=("--listen", "127.0.0.1:99999"))
        self.wrong("--http", "or the word none", arguments=("--http", "localhost:80"))
        self.wrong("--origin", "evil", arguments=("--origin", "evil"))
        self.wrong("WEFT_LOG_LEVEL", "loud", environment={"WEFT_LOG_LEVEL": "loud"})
        self.wrong("weftd.conf:3", "thread", arguments=("--config", self.config("[server]\n\nthread = 1\n")))
        self.wrong("weftd.conf:2", arguments=("--config", self.config("[server]\nthreads = -1\n")))
        self.wrong("gone.conf", arguments=("--config", self.folder.name + "/gone.conf"))

    def test_only_loopback_is_served_without_insecure(self):
        for address in ("0.0.0.0:0", "[::]:0"):
            self.wrong("--insecure", arguments=("--listen", address))
            self.wrong("--insecure", arguments=("--listen", "127.0.0.1:0", "--http", address))
        server = self.start("--insecure", listen="0.0.0.0:0")
        with server.peer() as peer:
            peer.call("server.ping")

    def test_version_six_loopback_is_served(self):
        if not Path("/proc/net/if_inet6").exists() or "lo" not in Path("/proc/net/if_inet6").read_text():
            self.skipTest("no IPv6 here")
        server = self.start(listen="[::1]:0")
        self.assertTrue(server.address.startswith("[::1]:"))
        with server.peer() as peer:
            peer.call("server.ping")

    def test_smaller_limits_may_be_asked_for_and_are_told(self):
        server = self.start("--max-message-bytes", "4096", "--max-sessions", "2")
        with server.peer() as peer:
            limits = peer.call("server.info")["limits"]
            self.assertEqual((limits["message_bytes"], limits["sessions"]), (4096, 2))
            with server.peer() as second:
                second.send_raw(b"\x94\x00\x01\xabserver.ping\xc5\x13\x88" + bytes(5000))
                told = second.expect_end()
            self.assertTrue(told[0].params["error"][1].startswith("LIMIT: "))
            peer.call("server.ping")

    def test_every_limit_that_is_an_option_is_told(self):
        guide = (Path(__file__).resolve().parents[2] / "docs/guides/server.md").read_text()
        rows = re.findall(r"^\| `--(\S+) \S+` \| .*\(limit `(\w+)`\).* \| (\d+) to (\d+).* \| (\d+) \|$", guide, re.M)
        wanted, arguments = {}, []
        for option, limit, least, _, usual in rows:
            wanted[limit] = max(int(usual) // 2, int(least))
            arguments += [f"--{option}", str(wanted[limit])]
            self.assertNotEqual(wanted[limit], int(usual))
        with self.start(*arguments).peer() as peer:
            told = peer.call("server.info")["limits"]
        self.assertEqual({limit: told[limit] for limit in wanted}, wanted)
        self.assertEqual(len(rows), guide.count("(limit `"))
        self.assertGreater(len(rows), 10)

    def test_more_sessions_than_files_are_refused_at_the_start(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        few = min(hard, 2000)
        started = subprocess.run([os.environ["WEFTD"], "--listen", "127.0.0.1:0", "--http", "none", "--max-sessions", "5000"],
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, few)),
                                 capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(started.returncode, 1, started.stderr)
        self.assertRegex(started.stderr, rf"--max-sessions 5000: .* files for {few - 64} \(ulimit -Hn")
        if hard < 1600:
            self.skipTest("the system allows too few files")
        # The soft limit is raised as far as it has to be.
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 500), hard))
        try:
            server = self.start("--max-sessions", "1500")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        with server.peer() as peer:
            self.assertEqual(peer.call("server.info")["limits"]["sessions"], 1500)

    def test_logs_are_json_lines_if_wanted(self):
        server = self.start("--log-json", "--log-level", "debug")
        with server.peer() as peer:
            peer.call("world.create", name='quo"te')
            with server.peer() as bad:
                bad.send_raw(b"\xc1")
                bad.expect_end()
            try:
                peer.call("world.get", world="line\nbreak")
            except WeftError:
                pass
        self.assertEqual(server.stop(), 0)
        entries = [json.loads(line) for line in server.lines if not line.startswith("listening ")]
        self.assertGreater(len(entries), 1)
        for entry in entries:
            self.assertIn(entry["level"], ("error", "warn", "info", "debug"))

    def test_log_levels_leave_out_what_is_below(self):
        quiet = self.start("--log-level", "error")
        with quiet.peer() as peer:
            peer.send_raw(b"\xc1")
            peer.expect_end()
        self.assertEqual(quiet.stop(), 0)
        self.assertEqual([line for line in quiet.lines if not line.startswith("listening ")], [])


if __name__ == "__main__":
    unittest.main()
