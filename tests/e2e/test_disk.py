#!/usr/bin/env python3
"""A disk that is full: worlds stop at their last durable tick and say so, and go on when there is room again.

The server's folder lies on a small file system in memory, mounted where only the server sees it; where the system does not
allow that, the tests are skipped.
"""

import os
import random
import shutil
import signal
import stat
import subprocess
import tempfile
import time
import unittest

from weft_peer import PATIENCE_S, Server, WeftError, sheet

SIZE = "24M"
BALLAST = 10 << 20  # beside what the server holds for when there is no room: a few dozen edits are left
AHEAD = 8  # edits without an answer


def can_mount():
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["unshare", "-Urm", "mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True, check=False)
    return done.returncode == 0


@unittest.skipUnless(can_mount(), "no file system can be mounted here")
class Disk(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-disk-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.disk = os.path.join(self.folder, "disk")
        self.data = os.path.join(self.disk, "worlds")
        os.mkdir(self.disk)

    def start(self, *, before="true"):
        """A server whose disk is small. `before` is done on the disk first."""
        program = os.path.join(self.folder, "weftd")
        with open(program, "w", encoding="utf-8") as script:
            script.write(f"""#!/bin/sh
exec unshare -Urm sh -c 'mount -t tmpfs -o size={SIZE} tmpfs {self.disk} && {before} && exec {os.environ["WEFTD"]} "$@"' weftd "$@"
""")
        os.chmod(program, stat.S_IRWXU)
        real, os.environ["WEFTD"] = os.environ["WEFTD"], program
        try:
            server = Server("--data", self.data, "--threads", "2")
        finally:
            os.environ["WEFTD"] = real
        self.addCleanup(server.kill)
        return server

    def inside(self, server, path):
        """A file of the server's disk, as it is seen from here."""
        return f"/proc/{server.process.pid}/root{path}"

    def ballast(self, server):
        with open(self.inside(server, os.path.join(self.disk, "ballast")), "wb") as file:
            file.write(bytes(BALLAST))

    def fill(self, peer, world):
        """Edits until the server has no room. What was answered, by the names that it gave."""
        positions, triangles = sheet(40, 40)
        names, waiting = [], {}
        deadline = time.monotonic() + 2 * PATIENCE_S
        for number in range(10_000):
            self.assertLess(time.monotonic(), deadline, "the disk does not fill")
            name = f"b{number}"
            msgid = peer.request("body.add", world=world, kind="cloth", name=name, positions=positions, triangles=triangles)
            waiting[msgid] = name
            full = self.take(peer, names, waiting)
            while not full and len(waiting) >= AHEAD and time.monotonic() < deadline:
                peer.pump(0.05)
                full = self.take(peer, names, waiting)
            if full:
                return names, waiting
        raise AssertionError("the disk does not fill")

    def take(self, peer, names, waiting):
        """Answers that came; true if one says that there is no room."""
        full = False
        for msgid in [msgid for msgid in peer.answers if msgid in waiting]:
            error, _, _ = peer.answers.pop(msgid)
            name = waiting.pop(msgid)
            if error is None:
                names.append(name)
            else:
                self.assertIn("READ_ONLY", str(error))
                full = True
        return full

    def answered(self, peer, names, waiting):
        """Each request is, with what was done or with a refusal."""
        try:
            peer.wait(lambda: self.take(peer, names, waiting) is not None and not waiting, what="answers while the disk is full")
        except AssertionError as error:
            raise AssertionError(f"{error}: {len(names)} done, {len(waiting)} without a word") from None

    def body_names(self, peer, world):
        return {body["name"] for body in peer.call("world.join", world=world)["bodies"]}

    def test_worlds_stop_and_go_on(self):
        server = self.start()
        peer, watcher = server.peer(), server.peer()
        self.addCleanup(peer.close)
        self.addCleanup(watcher.close)
        world = peer.call("world.create", name="one")["world"]
        watcher.call("world.join", world=world)
        self.ballast(server)
        names, waiting = self.fill(peer, world)
        # Whoever joined is told, and queries are answered.
        told = watcher.notice("world.changed", found=lambda params: params["read_only"] != "")
        self.assertIn("no room", told["read_only"])
        watcher.call("server.ping")
        with self.assertRaises(WeftError) as caught:
            watcher.call("world.set", world=world, gravity=[0, -1, 0])
        self.assertEqual(caught.exception.code, "READ_ONLY")
        with self.assertRaises(WeftError) as caught:
            watcher.call("world.create", name="two")
        self.assertEqual(caught.exception.code, "READ_ONLY")
        # What was applied is kept in the room that the server has for this, and answered.
        self.answered(peer, names, waiting)
        # Room again: edits are taken.
        os.unlink(self.inside(server, os.path.join(self.disk, "ballast")))
        watcher.notice("world.changed", found=lambda params: params["read_only"] == "")
        watcher.call("world.set", world=world, gravity=[0, -1, 0])
        self.assertLessEqual(set(names), self.body_names(watcher, world))
        self.assertEqual(server.stop(), 0)

    def test_worlds_stand_at_their_last_durable_tick(self):
        server = self.start()
        with server.peer() as peer:
            # One is edited, one plays.
            world = peer.call("world.create", name="one")["world"]
            other = peer.call("world.create", name="other")["world"]
            positions, triangles = sheet(10, 10)
            # It hangs: what falls for long enough is too fast for a world.
            peer.call("body.add", world=other, kind="cloth", positions=positions, triangles=triangles, pins=[0, 9])
            peer.call("world.play", world=other)
            self.ballast(server)
            names, waiting = self.fill(peer, world)
            self.answered(peer, names, waiting)
            peer.until(lambda: peer.call("world.get", world=other)["read_only"] != "", "the other stands")
            shown = [peer.call("world.hash", world=each) for each in (world, other)]
            # By the server's own clock it would have gone on by 15 ticks.
            begun_us = peer.call("server.ping")["time_us"]
            peer.until(lambda: peer.call("server.ping")["time_us"] > begun_us + 250_000, "later")
            self.assertEqual([peer.call("world.hash", world=each) for each in (world, other)], shown)
            server.signal(signal.SIGSTOP)
            kept = os.path.join(self.folder, "kept")
            shutil.copytree(self.inside(server, self.data), kept)
        server.kill()
        again = Server("--data", kept, "--threads", "2")
        self.addCleanup(again.kill)
        with again.peer() as peer:
            self.assertLessEqual(set(names), self.body_names(peer, "one"))
            # Each goes on from there, to the tick.
            self.assertEqual(peer.call("world.hash", world="one"), shown[0])
            again.line(f'"other" is back at tick {shown[1]["tick"]}, playing')
            view = peer.call("world.seek", world="other", tick=shown[1]["tick"])["view"]
            self.assertEqual(peer.call("world.hash", world=view)["hash"], shown[1]["hash"])
            peer.call("world.set", world="one", gravity=[0, -2, 0])
        self.assertEqual(again.stop(), 0)

    def test_it_starts_on_a_full_disk_or_says_why_not(self):
        """What SQLite needs to begin with may find room or not; nothing in between."""
        before = Server("--data", os.path.join(self.folder, "kept"), "--threads", "2")
        self.addCleanup(before.kill)
        with before.peer() as peer:
            peer.call("world.create", name="one")
        before.kill()
        try:
            server = self.start(before=f"cp -r {self.folder}/kept {self.data} && "
                                       f"(cat /dev/zero >{self.disk}/ballast || true) 2>/dev/null")
            with server.peer() as peer:
                names, waiting = self.fill(peer, "one")
                os.unlink(self.inside(server, os.path.join(self.disk, "ballast")))
                peer.until(lambda: peer.call("world.get", world="one")["read_only"] == "", "room")
                self.answered(peer, names, waiting)
                self.assertLessEqual(set(names), self.body_names(peer, "one"))
        except AssertionError as error:
            if "no line" not in str(error):
                raise
            self.assertRegex(str(error), "--data .*full")
            server = self.start(before=f"cp -r {self.folder}/kept {self.data}")
            with server.peer() as peer:
                peer.call("world.set", world="one", gravity=[0, -1, 0])
        self.assertEqual(server.stop(), 0)


class Limit(unittest.TestCase):
    def start(self, folder, kilobytes):
        program = os.path.join(folder, "weftd")
        with open(program, "w", encoding="utf-8") as script:
            script.write(f"#!/bin/bash\nulimit -f {kilobytes}; exec {os.environ['WEFTD']} \"$@\"\n")
        os.chmod(program, stat.S_IRWXU)
        server = Server("--data", os.path.join(folder, "worlds"), "--threads", "2", program=program)
        self.addCleanup(server.kill)
        return server

    def test_a_world_for_which_there_is_no_room_is_refused(self):
        folder = tempfile.mkdtemp(prefix="weft-limit-")
        self.addCleanup(shutil.rmtree, folder)
        source = Server("--threads", "2")
        self.addCleanup(source.kill)
        positions, triangles = sheet(150, 150)
        noise = random.Random(1)
        positions = [place + noise.uniform(-0.02, 0.02) for place in positions]  # which cannot be packed
        with source.peer() as peer:
            peer.call("world.create", name="large")
            peer.call("body.add", world="large", kind="cloth", positions=positions, triangles=triangles)
            document = peer.call("world.save", world="large")["document"]
        self.assertEqual(source.stop(), 0)
        server = self.start(folder, 400)
        with server.peer() as peer:
            peer.call("world.create", name="one")
            with self.assertRaises(WeftError) as caught:
                peer.call("world.open", name="two", document=document)
            self.assertEqual(caught.exception.code, "READ_ONLY")
        self.assertEqual(server.stop(), 0)

    def test_files_that_may_not_grow(self):
        """A limit of the process on the size of files, which no reserve helps against: worlds are read-only, and what is under way is
        answered."""
        folder = tempfile.mkdtemp(prefix="weft-limit-")
        self.addCleanup(shutil.rmtree, folder)
        server = self.start(folder, 3000)
        positions, triangles = sheet(40, 40)
        made = 0
        with server.peer() as peer:
            world = peer.call("world.create", name="one")["world"]
            with self.assertRaises(WeftError) as caught:
                while made < 1000:
                    peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles)
                    made += 1
            self.assertEqual(caught.exception.code, "READ_ONLY")
            self.assertIn("no room", peer.call("world.get", world=world)["read_only"])
            with self.assertRaises(WeftError) as caught:
                peer.call("world.set", world=world, gravity=[0, -1, 0])
            self.assertEqual(caught.exception.code, "READ_ONLY")
        self.assertEqual(server.stop(), 0)
        again = Server("--data", os.path.join(folder, "worlds"), "--threads", "2")
        self.addCleanup(again.kill)
        with again.peer() as peer:
            self.assertGreaterEqual(len(peer.call("world.join", world="one")["bodies"]), made)
            peer.call("world.set", world="one", gravity=[0, -1, 0])
        self.assertEqual(again.stop(), 0)


if __name__ == "__main__":
    unittest.main()
