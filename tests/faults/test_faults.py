#!/usr/bin/env python3
"""Each call of the server to the system fails once, in turn, while clients ask for all that there is.

Nothing crashes, no call is forgotten, what is refused has changed nothing, and when the clients are gone the heap holds
what it held before. Without WEFT_FAULTS_EACH=1 one call fails on each stack that comes to one, at most one while a
request is under way.
"""

import concurrent.futures
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from faults import Faults
from scenario import FORGOTTEN_S, Forgotten, Scenario
from weft_peer import Closed, Server
from web_peer import WebPeer

# Each call by its number, instead of one on each stack: some 4,000 runs of the scenario.
EACH = os.environ.get("WEFT_FAULTS_EACH") == "1"
SETTLED_S = 60
SERVERS = 3  # beside each other: mostly they wait
CROWD = 24  # more than the scenario ever has at a time, so that the server's arrays grow no more after it


def libuv_aborted(status, lines):
    """libuv aborts where it has no memory to register what a fork needs, or to start its workers."""
    below = [line for line in lines if not any(part in line for part in ("libweft_faults", "libc.so", "ld-linux"))]
    return status == -signal.SIGABRT and len(below) > 0 and "libuv.so" in below[0]


class FaultsTest(unittest.TestCase):
    share, shares = 0, 1

    def setUp(self):
        self.faults = Faults(self.share, self.shares)
        self.addCleanup(self.faults.close)

    def start(self):
        self.faults.clear()
        # A deleted world is gone at once, with its memory, and so is, almost, a session whose connection is lost.
        return Server("--threads", "2", "--studio", "none", "--bin", "0s", "--session-grace", "1", http="127.0.0.1:0",
                      environment=self.faults.environment())


class Running(FaultsTest):
    """A server that is at work."""

    def setUp(self):
        super().setUp()
        self.server = self.start()
        self.addCleanup(self.server.kill)
        self.crowd()
        for _ in range(2):
            scenario = self.scenario("none", 0)
        with open("protocol/api.json", encoding="utf-8") as file:
            self.assertEqual({method["name"] for method in json.load(file)["methods"]} - scenario.asked, set(),
                             "methods that the scenario lacks")
        self.blocks = self.settled()

    def crowd(self):
        peers = [self.server.peer() for _ in range(CROWD)]
        peers += [WebPeer(self.server.http) for _ in range(CROWD)]
        worlds = [peer.call("world.create", name=f"crowd-{number}")["world"]
                  for number, peer in enumerate(peers[:CROWD])]
        for peer in peers:
            for world in worlds:
                peer.request("world.get", world=world)
        for peer in peers:
            peer.call("server.ping")
        for peer, world in zip(peers, worlds):
            peer.call("world.delete", world=world)
        for peer in peers:
            peer.close()

    def settled(self, expected=None):
        """Blocks that live once all that was begun has ended."""
        deadline = time.monotonic() + SETTLED_S
        before, since = None, time.monotonic()
        while time.monotonic() < deadline:
            now = self.faults.blocks()
            if now == expected:
                return now
            if now != before:
                before, since = now, time.monotonic()
            elif expected is None and time.monotonic() - since > 0.5:
                return now
            time.sleep(0.002)
        return before

    def scenario(self, way, at):
        again = (lambda: self.faults.arm(way, 0)) if at == 0 else lambda: None
        scenario = Scenario(self.server, again)
        self.faults.arm(way, at)
        try:
            scenario.run()
            self.assertEqual(scenario.problems, [], f"{way} {at}")
        except Forgotten as error:
            self.fail(f"{way} {at}: {error}\n" + "\n".join(self.server.lines[-20:]))
        return scenario

    def fail_each(self, way):
        failed = 0
        for at in itertools.count(1):
            self.scenario(way, at if EACH else 0)
            now = self.faults.disarm()
            if now == 0:
                break
            failed += now
            self.assertTrue(self.server.alive(), f"{way} {at}: it crashed\n" + "\n".join(self.server.lines[-60:]))
            blocks = self.settled(self.blocks)
            self.assertLessEqual(blocks, self.blocks, f"{way} {at}: blocks are left behind")
        print(f"{failed} calls failed ({way}), in {at} runs", flush=True)
        self.assertGreater(failed, 0)
        self.assertEqual(self.server.stop(), 0)


class Heap(Running):
    """One share of the stacks, on a server of its own."""

    def __init__(self, share, shares):
        super().__init__("fail_heap")
        self.share, self.shares = share, shares

    def fail_heap(self):
        self.fail_each("heap")


class Memory(unittest.TestCase):
    def test_it_is_short(self):
        shares = 1 if EACH else SERVERS
        with concurrent.futures.ThreadPoolExecutor(shares) as pool:
            results = list(pool.map(lambda share: Heap(share, shares).run(), range(shares)))
        problems = [text for result in results for _, text in result.failures + result.errors]
        self.assertEqual(problems, [], "\n".join(problems))


class Accept(Running):
    def test_it_fails(self):
        self.fail_each("accept")


class Send(Running):
    def test_it_fails(self):
        self.fail_each("send")


class Sync(FaultsTest):
    """The disk fails: whether what was written is there, nobody can say, so the server ends and does not try again."""

    def fail_at(self, at):
        """Names that were answered before it ended."""
        folder = tempfile.mkdtemp(prefix="weft-sync-")
        self.addCleanup(shutil.rmtree, folder)
        self.faults.clear()
        server = Server("--threads", "1", "--data", folder, environment=self.faults.environment())
        self.addCleanup(server.kill)
        answered = []
        try:
            with server.peer() as peer:
                peer.call("world.create", name="one")
                peer.call("body.add", world="one", kind="points", positions=[0, 1, 0])
                self.faults.arm("sync", at)
                for number in range(400):
                    peer.call("body.set", world="one", body=1, name=f"n{number}")
                    answered.append(f"n{number}")
        except (Closed, OSError):
            pass
        self.assertEqual(self.faults.disarm(), 1)
        self.assertEqual(server.wait(), 1)
        server.line("error: .*the store failed.*the server ends")
        again = Server("--threads", "1", "--data", folder)
        self.addCleanup(again.kill)
        with again.peer() as peer:
            name = peer.call("body.get", world="one", body=1)["name"]
            number = int(name[1:]) if name else -1
            self.assertGreaterEqual(number, len(answered) - 1)
        self.assertEqual(again.stop(), 0)
        return len(answered)

    def test_it_fails(self):
        answered = [self.fail_at(at) for at in (1, 2, 7, 60)]
        print(f"answered before the failure: {answered}", flush=True)
        self.assertLess(answered[0], answered[-1])


class Slow(FaultsTest):
    """A disk that takes its time: answers wait for it, and so do worlds that are ahead of it; nobody else does."""

    PATIENCE_S = 60

    def stopped(self, peer):
        """The last tick that is seen of the world that plays, once no more come for as long as thirty take."""
        tick, looks, deadline = 0, 0, time.monotonic() + self.PATIENCE_S
        while looks < 10:
            looks = looks if peer.pump(0.05) else looks + 1
            while peer.frames:
                tick, looks = peer.frames.popleft().params["tick"], 0
            self.assertLess(time.monotonic(), deadline, "it plays on")
        return tick

    def test_who_waits(self):
        folder = tempfile.mkdtemp(prefix="weft-slow-")
        self.addCleanup(shutil.rmtree, folder)
        self.faults.clear()
        server = Server("--threads", "2", "--data", folder, environment=self.faults.environment())
        self.addCleanup(server.kill)
        self.addCleanup(self.faults.slow_syncs, 0)
        with server.peer() as editor, server.peer() as other:
            for name in ("edited", "plays", "rests"):
                editor.call("world.create", name=name)
                editor.call("body.add", world=name, kind="points", positions=[0, 1, 0])
            editor.call("world.play", world="plays")
            other.call("session.hello", client="test", user="other")

            other.call("stream.subscribe", world="plays")
            # No sync ends until it is told to.
            self.faults.slow_syncs(1000 * 60 * 10)
            asked = editor.request("world.set", world="edited", gravity=[0, -1, 0])
            for _ in range(50):
                other.call("server.ping")
                other.call("world.measure", world="rests")
                editor.pump(0.001)
                self.assertNotIn(asked, editor.answers)
            last = self.stopped(other)
            self.assertGreater(last, 0)
            other.call("server.ping")
            self.assertFalse(editor.pump(0.001))
            self.faults.slow_syncs(0)
            editor.answer(asked)
            other.wait(lambda: other.frames and other.frames[-1].params["tick"] > last + 30, self.PATIENCE_S,
                       "a tick of the world that plays")
        self.assertEqual(server.stop(), 0)


class Starting(FaultsTest):
    def fail_each(self, way):
        refused = 0
        self.faults.clear()
        for at in itertools.count(1):
            self.faults.arm(way, at if EACH else 0)
            process = subprocess.Popen(
                [os.environ["WEFTD"], "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--threads", "2"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                env={**os.environ, **self.faults.environment(), "WEFT_FAULTS_TRACE": "1"})
            with process:
                try:
                    lines = []
                    for line in process.stderr:
                        lines.append(line)
                        if line.startswith("listening http"):
                            process.send_signal(signal.SIGTERM)
                    status = process.wait(FORGOTTEN_S)
                finally:
                    process.kill()
            # Where it was about to end by itself, with a word, it may not hear signals any more.
            ending = status == -signal.SIGTERM and any(line.startswith("weftd: ") for line in lines)
            self.assertTrue(status >= 0 or ending or libuv_aborted(status, lines),
                            f"{way} {at}: it ended with {status}\n" + "".join(lines))
            if not self.faults.disarm():
                break
            if status > 0:
                refused += 1
                self.assertTrue([line for line in lines if "error: " in line or "weftd: " in line],
                                f"{way} {at}: it ended with status {status} and without a word")
        print(f"{at - 1} starts, {refused} refused ({way})", flush=True)

    def test_memory(self):
        self.fail_each("heap")

    def test_threads(self):
        self.fail_each("thread")


class Library(FaultsTest):
    """libweft and libweft-twin, against a server that is well."""

    def setUp(self):
        super().setUp()
        self.server = Server("--threads", "1")
        self.addCleanup(self.server.kill)

    def visit(self, at):
        """Ended well or not, and how many blocks it left."""
        self.faults.arm("heap", at)
        before = self.faults.blocks()
        done = subprocess.run([os.environ["WEFT_FAULTS_VISITOR"], self.server.address], text=True,
                              stderr=subprocess.PIPE, timeout=2 * FORGOTTEN_S,
                              env={**os.environ, **self.faults.environment(), "WEFT_FAULTS_TRACE": "1"}, check=False)
        self.assertTrue(done.returncode == 0 or libuv_aborted(done.returncode, done.stderr.splitlines()),
                        f"heap {at}: {done.returncode}\n{done.stderr}")
        return done.returncode == 0, self.faults.blocks() - before

    def test_memory(self):
        self.faults.clear()
        _, blocks = self.visit(2**40)
        self.assertGreater(self.faults.seen("heap"), 50)
        for at in itertools.count(1):
            ended, left = self.visit(at if EACH else 0)
            if not self.faults.disarm():
                break
            if ended:
                self.assertLessEqual(left, blocks, f"heap {at}: blocks are left behind")
        print(f"{at - 1} calls failed, one in each run", flush=True)
        self.assertEqual(self.server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
