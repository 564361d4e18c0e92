"""libweft goes on with its session by itself: over lines that break, through a loss that is cut short or too long, with TLS.

WEFT_SEEDS says how many schedules are tried, WEFT_SEED which comes first."""

import json
import os
import subprocess
import threading
import time
import unittest

import tls_files
import weft_peer
from bad_line import BadLine
from weft_peer import PATIENCE_S, ServerTest, sheet

SEEDS = int(os.environ.get("WEFT_SEEDS", "6"))
FIRST = int(os.environ.get("WEFT_SEED", "1"))
MODES = ("blocking", "event")
UNTIL_KILLED = 10**6


class Visitor:
    """The program on libweft (resume_client.c), under way."""

    def __init__(self, address, mode, world, name, count, until, limit_ms=0):
        ca = tls_files.everywhere()[0].ca if weft_peer.TLS else "-"
        program = os.path.join(os.environ["WEFT_BUILD"], "bin", "test_e2e_resume_client")
        self.process = subprocess.Popen([program, address, ca, mode, str(limit_ms), world, name, str(count), str(until)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.said = []
        self.reader = threading.Thread(target=self.listen, daemon=True)
        self.reader.start()

    def listen(self):
        for line in self.process.stderr:
            self.said.append(line.rstrip())

    def told(self, what, times=1):
        deadline = time.monotonic() + PATIENCE_S
        while sum(line.startswith(what) for line in self.said) < times:
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} was not told; but {self.said}")
            time.sleep(0.01)

    def end(self):
        try:
            self.process.wait(4 * PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it does not end: {self.said[-20:]}") from None
        out = self.process.stdout.read()
        self.kill()
        if self.process.returncode != 0:
            raise AssertionError(f"it ended with {self.process.returncode}: {self.said[-20:]}")
        return {**json.loads(out), "said": self.said}

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.reader.join(PATIENCE_S)
        self.process.stderr.close()
        self.process.stdout.close()


class Lines(ServerTest):
    def made(self, name):
        maker = self.peer(hello={})
        world = maker.call("world.create", name=name)["world"]
        self.addCleanup(self._delete, world)
        positions, triangles = sheet(4, 4)
        maker.call("body.add", world=world, kind="cloth", name="sheet", positions=positions, triangles=triangles)
        maker.call("world.join", world=world)
        return maker, world

    def visitor(self, line, *words, **more):
        visitor = Visitor(line.address, *words, **more)
        self.addCleanup(visitor.kill)
        return visitor

    def line(self, seed, good):
        # With TLS hands are shaken first, and what was missed comes in records of up to 16 KiB, of which half is nothing.
        line = BadLine(self.server.address, seed, spare=12000 if weft_peer.TLS else 0)
        self.addCleanup(line.close)
        if good:
            line.good.set()
        return line

    def names(self, maker, world, found):
        """Until those of the colliders are as they have to be."""
        maker.until(lambda: found({one["name"] for one in maker.call("world.join", world=world)["colliders"]}), "edits")

    def sound(self, found, count):
        self.assertEqual((found["answered"], found["repeated"], found["refused"], found["lost"]), (count, 0, 0, 0), found)
        self.assertEqual((found["gaps"], found["again"], found["strays"], found["anew"]), (0, 0, 0, 0), found)
        self.assertEqual(found["code"], "", found)

    def test_each_edit_is_made_once_and_told_once(self):
        count, back = 20 if weft_peer.TLS else 10, 0  # with TLS so many more bytes pass before a line breaks
        lines = []
        for seed in range(FIRST, FIRST + SEEDS):  # side by side, since most of each is waiting
            maker, world = self.made(f"line-{seed}")
            revision = maker.call("world.join", world=world)["revision"]
            line = self.line(seed, good=True)
            edits = len(MODES) * count + 1
            visitors = [self.visitor(line, mode, f"line-{seed}", mode, count, revision + edits) for mode in MODES]
            self.names(maker, world, lambda names: {f"{mode}-0" for mode in MODES} <= names)
            line.good.clear()
            line.cut()
            # They wait for this edit, so that none has ended before its line is bad.
            maker.call("collider.add", world=world, kind="plane", name="last")
            lines.append((seed, maker, world, revision + edits, visitors))
        for seed, maker, world, revision, visitors in lines:
            with self.subTest(seed=seed):
                ended = [visitor.end() for visitor in visitors]
                self.assertEqual([found["code"] for found in ended], ["", ""], ended)
                for found in ended:
                    self.sound(found, count)
                    back += found["back"]
                joined = maker.call("world.join", world=world)
                self.assertEqual(sorted(one["name"] for one in joined["colliders"]),
                                 sorted(["last"] + [f"{mode}-{number}" for mode in MODES for number in range(count)]))
                self.assertEqual(joined["revision"], revision)
        self.assertGreaterEqual(back, len(MODES) * SEEDS)  # the lines did break

    def test_what_is_missed_comes_and_the_stream_goes_on(self):
        for mode in MODES:
            with self.subTest(mode=mode):
                maker, world = self.made(f"missed-{mode}")
                revision = maker.call("world.join", world=world)["revision"]
                line = self.line(1, good=True)
                visitor = self.visitor(line, mode, f"missed-{mode}", "visitor", 5, revision + 5 + 30)
                maker.until(lambda: maker.call("world.join", world=world)["revision"] == revision + 5, "its edits")
                for turn in range(3):
                    line.down.set()
                    line.cut()
                    visitor.told("away", turn + 1)
                    for number in range(10 if turn < 2 else 9):
                        maker.call("collider.add", world=world, kind="plane", name=f"missed-{turn}-{number}")
                    line.down.clear()
                    visitor.told("back", turn + 1)
                maker.call("collider.add", world=world, kind="plane", name="last")
                found = visitor.end()
                self.sound(found, 5)
                self.assertEqual((found["away"], found["back"]), (3, 3))
                self.assertGreaterEqual(found["frames"], 2)

    def test_who_is_away_for_too_long_is_lost(self):
        for mode in MODES:
            with self.subTest(mode=mode):
                maker, world = self.made(f"long-{mode}")
                line = self.line(1, good=True)
                visitor = self.visitor(line, mode, f"long-{mode}", "visitor", 2, UNTIL_KILLED, limit_ms=700)
                maker.until(lambda: len(maker.call("world.join", world=world)["colliders"]) == 2, "its edits")
                began = time.monotonic()
                line.down.set()
                line.cut()
                found = visitor.end()
                self.assertGreater(time.monotonic() - began, 0.6)  # never earlier
                self.assertEqual((found["gone"], found["code"], found["away"], found["back"]), (True, "CLOSED", 1, 0))

    def test_a_server_that_was_started_anew_is_told(self):
        for mode in MODES:
            with self.subTest(mode=mode):
                server = weft_peer.Server("--threads", "1")
                line = BadLine(server.address, 1)
                line.good.set()
                self.addCleanup(line.close)
                with server.peer() as maker:
                    maker.call("world.create", name="anew")
                visitor = self.visitor(line, mode, "anew", "visitor", 4, UNTIL_KILLED)
                with server.peer() as maker:
                    maker.until(lambda: len(maker.call("world.join", world="anew")["colliders"]) == 4, "its edits")
                line.down.set()
                line.cut()
                visitor.told("away")
                server.stop()
                server = weft_peer.Server("--threads", "1")
                self.addCleanup(server.stop)
                with server.peer() as maker:
                    maker.call("world.create", name="anew")
                    line.target = server.address
                    line.down.clear()
                    visitor.told("anew")
                    maker.call("world.join", world="anew")
                    maker.until(lambda: maker.call("server.stats")["streams"] == 1, "its new stream")


class Grace(Lines):
    ARGUMENTS = ("--threads", "1", "--session-grace", "1")

    # Those of Lines are theirs.
    test_each_edit_is_made_once_and_told_once = None
    test_what_is_missed_comes_and_the_stream_goes_on = None
    test_who_is_away_for_too_long_is_lost = None
    test_a_server_that_was_started_anew_is_told = None

    def test_a_session_that_has_ended_is_told(self):
        for mode in MODES:
            with self.subTest(mode=mode):
                maker, world = self.made(f"ended-{mode}")
                line = self.line(1, good=True)
                visitor = self.visitor(line, mode, f"ended-{mode}", "visitor", 3, UNTIL_KILLED, limit_ms=60000)
                maker.until(lambda: len(maker.call("world.join", world=world)["colliders"]) == 3, "its edits")
                line.down.set()
                line.cut()
                maker.notice("world.presence", found=lambda one: one["user"] == "visitor" and one["gone"])
                line.down.clear()
                visitor.told("anew")
                self.assertFalse(any(one.startswith("back") for one in visitor.said))
                maker.until(lambda: maker.call("server.stats")["streams"] == 1, "its new stream")
                visitor.kill()
                maker.until(lambda: maker.call("server.stats")["streams"] == 0, "the end of its stream")


if __name__ == "__main__":
    unittest.main()
