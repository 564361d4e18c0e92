#!/usr/bin/env python3
"""Clients go where a world is: the shell and libweft through doors (doors.py), and all of them over servers that share worlds by a
broker, where a world goes to the other server and back while it is watched.

WEFT_NATS_SERVER names the broker's program; without one that part is skipped."""

import asyncio
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import beside
import brokers
from doors import Doors
from test_resume_libweft import MODES, Visitor
from weft_peer import PATIENCE_S, Server, ServerTest, sheet

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "clients" / "python" / "src"))
import weft  # noqa: E402


def shell(address, *words):
    ended = subprocess.run([os.path.join(os.environ["WEFT_BUILD"], "bin", "weft"), "--server", address, *words],
                           capture_output=True, text=True, timeout=PATIENCE_S)
    return ended.returncode, ended.stdout, ended.stderr


class Page:
    """The web library, under way; None of it where it was not built."""

    @staticmethod
    def begin(url, world):
        library = os.path.join(os.environ["WEFT_BUILD"], "weft-sim", "weft-sim.js")
        ws = ROOT / "clients" / "web" / "node_modules" / "ws" / "wrapper.mjs"
        if os.path.exists(library) and ws.exists() and shutil.which("node"):
            return Page(["node", str(ROOT / "tests" / "e2e" / "follow_page.mjs"), library, str(ws), url, world])
        return None

    def __init__(self, command):
        self.ticks, self.changes = [], []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            word = line.strip()
            if word.isdigit():
                self.ticks.append(int(word))
            else:
                self.changes.append(word)

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()
            self.process.wait()
        self.reader.join(PATIENCE_S)
        self.process.stdout.close()


class ThroughDoors(ServerTest):
    def setUp(self):
        self.doors = Doors(self.server.address, "a", "b")
        self.addCleanup(self.doors.close)
        self.a, self.b = self.doors.doors
        self.maker = self.peer(hello={})
        self.name = self.id().rsplit(".", 1)[1][:60]
        self.world = self.maker.call("world.create", name=self.name)["world"]
        positions, triangles = sheet(4, 4)
        self.maker.call("body.add", world=self.world, kind="cloth", positions=positions, triangles=triangles)
        self.maker.call("world.join", world=self.world)

    def test_the_shell_goes_there(self):
        self.doors.put(self.b, self.world, self.name)
        for words in (("step", self.name, "3"), ("set", self.name, "damping=0.5"), ("play", str(self.world))):
            status, _, err = shell(self.a.address, *words)
            self.assertEqual((status, err), (0, ""))
        self.assertEqual(self.a.refused, 3)
        told = self.maker.call("world.get", world=self.world)
        self.assertEqual((told["state"], told["damping"]), ("playing", 0.5))

    def visitor(self, mode, count, until):
        visitor = Visitor(self.a.address, mode, self.name, mode, count, until)
        self.addCleanup(visitor.kill)
        return visitor

    def names(self, mode):
        colliders = self.maker.call("world.join", world=self.world)["colliders"]
        return [one["name"] for one in sorted(colliders, key=lambda one: one["collider"]) if one["name"].startswith(mode)]

    def sound(self, found, count):
        self.assertEqual((found["code"], found["answered"], found["repeated"], found["refused"], found["lost"]), ("", count, 0, 0, 0), found)
        self.assertEqual((found["gaps"], found["again"], found["strays"], found["anew"]), (0, 0, 0, 0), found)
        self.assertGreater(found["frames"], 0)

    def test_a_program_on_libweft_goes_along(self):
        for mode in MODES:
            with self.subTest(mode=mode):
                self.doors.put(self.a, self.world, self.name)
                revision = self.maker.call("world.join", world=self.world)["revision"]
                visitor = self.visitor(mode, 3, revision + 3 + 4)
                self.maker.until(lambda: len(self.names(mode)) == 3, "its edits")
                self.doors.put(self.b, self.world, self.name)
                visitor.told("moved")
                for number in range(4):
                    self.maker.call("world.set", world=self.world, damping=0.1 * number)
                found = visitor.end()
                self.sound(found, 3)
                self.assertGreater(found["begun"], 0)

    def test_what_is_under_way_is_made_once_and_in_its_order(self):
        count = 120
        for mode in MODES:
            with self.subTest(mode=mode):
                self.doors.put(self.b, self.world, self.name)
                self.a.refused = self.b.refused = 0
                self.doors.vague = 1
                revision = self.maker.call("world.join", world=self.world)["revision"]
                visitor = self.visitor(mode, count, revision + count)
                for number, door in enumerate((self.a, self.b, self.a)):
                    self.maker.until(lambda: len(self.names(mode)) > 30 * number + 5, "its edits")
                    self.doors.put(door, self.world, self.name, late_s=0.05)
                    visitor.told("moved", 2 + number)
                self.sound(visitor.end(), count)
                self.assertEqual(self.names(mode), [f"{mode}-{number}" for number in range(count)])
                self.assertGreater(self.a.refused + self.b.refused, 5)

    def test_servers_that_name_each_other_are_told(self):
        self.doors.sent = {"a": self.b.place, "b": self.a.place}
        for mode in MODES:
            with self.subTest(mode=mode):
                found = self.visitor(mode, 1, 0).end()
                self.assertEqual((found["code"], found["gone"]), ("MOVED", False))
                self.assertLessEqual(self.a.refused + self.b.refused, 50)

    def test_a_server_that_is_not_there_leaves_the_client_where_it_is(self):
        gone = Doors(self.server.address, "gone")
        gone.close()
        for mode in MODES:
            with self.subTest(mode=mode):
                self.doors.put(self.a, self.world, self.name)
                visitor = self.visitor(mode, 40, 0)
                self.maker.until(lambda: len(self.names(mode)) > 3, "its edits")
                self.doors.worlds[self.world] = self.doors.worlds[self.name] = gone.doors[0]
                self.maker.until(lambda: any("MOVED" in line for line in visitor.said), "its refusals")
                self.doors.worlds[self.world] = self.doors.worlds[self.name] = self.a
                found = visitor.end()
                self.assertEqual((found["code"], found["answered"], found["lost"], found["gone"]), ("", 40, 0, False), found)
                self.assertGreater(found["refused"], 0)
                self.assertEqual(len(self.names(mode)), 40 - found["refused"])
                self.assertTrue(any(gone.doors[0].address in line for line in visitor.said), visitor.said)

    def test_who_comes_back_waits_while_its_world_is_said_to_run_at_who_has_died(self):
        gone = Doors(self.server.address, "gone")
        gone.close()
        self.doors.strangers = True
        for mode in MODES:
            with self.subTest(mode=mode):
                self.doors.put(self.a, self.world, self.name)
                revision = self.maker.call("world.join", world=self.world)["revision"]
                visitor = self.visitor(mode, 3, revision + 3 + 1)
                self.maker.until(lambda: len(self.names(mode)) == 3, "its edits")
                self.a.refused = 0
                self.doors.worlds[self.world] = self.doors.worlds[self.name] = gone.doors[0]
                before = list(self.a.guests)
                for guest in before:
                    guest.end()
                visitor.told("anew")
                # More often than a server is believed that names another.
                self.maker.until(lambda: self.a.refused > 20 or visitor.process.poll() is not None, "its questions")
                self.doors.worlds[self.world] = self.doors.worlds[self.name] = self.a
                self.maker.until(lambda: any(self.world in guest.joined for guest in self.a.guests if guest not in before), "its return")
                self.maker.call("world.set", world=self.world, damping=0.5)
                found = visitor.end()
                self.assertEqual((found["code"], found["answered"], found["refused"], found["anew"], found["gone"]),
                                 ("", 3, 0, 1, False), found)
                self.assertGreater(self.a.refused, 20)


@unittest.skipUnless(brokers.program(), "there is no nats-server")
class OverServers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.broker = brokers.Broker()
        cls.addClassCleanup(cls.broker.close)

    @classmethod
    def begin(cls, name, store):
        """store: servers of one name it share worlds."""
        folder = tempfile.mkdtemp(prefix="weft-follow-")
        cls.addClassCleanup(shutil.rmtree, folder, True)
        server = Server("--data", folder, "--threads", "1", "--store", f"{cls.broker.url}/{store}", "--store-check", cls.broker.check,
                        "--server-name", name, http="127.0.0.1:0")
        cls.addClassCleanup(server.kill)
        server.name = name
        return server

    def moved(self, frm, world, to):
        """By the shell."""
        status, out, err = shell(frm.address, "move", str(world), to.name)
        self.assertEqual((status, err), (0, ""))
        self.assertIn(to.address, out)

    def test_everybody_goes_along(self):
        both = first, second = [self.begin(name, "along") for name in ("s1", "s2")]
        with weft.connect(first.address, user="maker", follow=False, timeout=PATIENCE_S) as maker:
            world = maker.create("flag")
            positions, triangles = sheet(6, 6)
            world.add_body("cloth", positions=positions, triangles=triangles, pins=[0])
            world.play()
        deadline = time.monotonic() + PATIENCE_S
        while "s1" not in (listed := shell(second.address, "list")[1]):
            self.assertLess(time.monotonic(), deadline, listed)
            time.sleep(0.05)
        self.assertIn(first.address, listed)
        self.assertEqual(shell(second.address, "get", "flag")[0], 0)
        servers = json.loads(shell(second.address, "--json", "top", "--cluster", "--once")[1])["servers"]
        self.assertEqual({one["server"]: one["address"] for one in servers}, {one.name: one.address for one in both})
        self.assertIn("s2", shell(first.address, "top", "--cluster", "--once")[1])

        blocking, epochs, ticks, changes = [], [], [], []

        def watch():
            with weft.connect(second.address, user="blocking", timeout=PATIENCE_S, on_session=lambda *one: changes.append(one)) as client:
                stream = client.world("flag").subscribe(every=1, unit="tick")
                client.world("flag").join()
                while not over.is_set():
                    frame = stream.next(PATIENCE_S)
                    epochs.append(frame.epoch)
                    blocking.append(frame.tick)

        async def live():
            async with weft.aio.connect(second.address, user="asyncio", timeout=PATIENCE_S) as client:
                stream = await client.world("flag").subscribe(every=2, unit="tick")
                while not over.is_set():
                    ticks.append((await stream.next(PATIENCE_S)).tick)

        over = threading.Event()
        failed = []
        page = Page.begin(f"http://{second.http}", "flag")
        watched = [blocking, ticks] + ([page.ticks] if page else [])

        def guarded(work):
            try:
                work()
            except Exception as error:  # told below
                failed.append(error)

        threads = [threading.Thread(target=guarded, args=(work,)) for work in (watch, lambda: asyncio.run(live()))]
        for thread in threads:
            thread.start()

        def seen(more):
            at = [len(one) for one in watched]
            end = time.monotonic() + PATIENCE_S
            while any(len(one) < begun + more for one, begun in zip(watched, at)) and not failed:
                self.assertLess(time.monotonic(), end, "no frames come")
                time.sleep(0.01)

        try:
            seen(10)
            self.moved(first, world.id, second)
            seen(10)
            self.moved(first, world.id, first)  # asked of who does not have it
            seen(10)
        finally:
            over.set()
            for thread in threads:
                thread.join(PATIENCE_S)
            if page:
                page.end()
        self.assertEqual(failed, [])
        for one in [*watched, epochs]:
            self.assertEqual(one, sorted(one))
        self.assertEqual(len(set(epochs)), 3)  # one with each server that ran it
        if page:
            self.assertEqual(page.changes, ["moved"] * 3)
        # There from where it was not, and along, twice.
        self.assertEqual([change for change, _ in changes], ["moved"] * 3)

    def visitors(self, server, world):
        """Programs on libweft, of which each has made its edit, and ends after one more of somebody else."""
        revision = world.join().revision
        visitors = [Visitor(server.address, mode, world.get().name, mode, 1, revision + len(MODES) + 1) for mode in MODES]
        for visitor in visitors:
            self.addCleanup(visitor.kill)
        deadline = time.monotonic() + PATIENCE_S
        while world.join().revision < revision + len(MODES):
            self.assertLess(time.monotonic(), deadline, [visitor.said for visitor in visitors])
            time.sleep(0.02)
        return visitors

    def test_who_dies_is_left_by_itself(self):
        first, second = (self.begin(name, "dies") for name in ("s1", "s2"))
        for number in range(int(os.environ.get("WEFT_ROUNDS", "1"))):
            with weft.connect(first.address, follow=False, timeout=PATIENCE_S) as maker:
                # A client hears of other servers when it connects, so these have to know each other before.
                deadline = time.monotonic() + PATIENCE_S
                while len(maker.call("server.list")["servers"]) < 2:
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.02)
                world = maker.create(f"left-{number}")
                positions, triangles = sheet(6, 6)
                world.add_body("cloth", positions=positions, triangles=triangles, pins=[0])
                world.play()
                visitors = self.visitors(first, world)
            watcher = subprocess.Popen([os.path.join(os.environ["WEFT_BUILD"], "bin", "weft"), "--server", first.address, "watch",
                                        "--plain", str(world.id)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.addCleanup(watcher.stdout.close)
            self.addCleanup(watcher.wait)
            self.addCleanup(watcher.kill)
            self.assertTrue(watcher.stdout.readline())  # it watches
            changes, ticks = [], []
            with weft.connect(first.address, timeout=4 * PATIENCE_S, resume=True,
                              on_session=lambda *one: changes.append(one)) as client:
                client.world(world.id).join()
                with client.world(world.id).subscribe(every=1, unit="tick") as stream:
                    ticks += [stream.next(PATIENCE_S).tick for _ in range(10)]
                    first.kill()
                    ticks += [stream.next(2 * PATIENCE_S).tick for _ in range(60)]
                self.assertEqual(ticks, sorted(ticks))
                self.assertEqual([change for change, _ in changes], ["away", "moved"])
                self.assertEqual(client.world(world.id).get().state, "playing")
                for visitor in visitors:
                    visitor.told("moved")
                client.world(world.id).set(damping=0.5)
            for visitor in visitors:
                found = visitor.end()
                self.assertEqual((found["code"], found["answered"], found["lost"], found["gaps"], found["strays"], found["away"],
                                  found["anew"]), ("", 1, 0, 0, 0, 1, 0), found)
                self.assertGreater(found["fresh"], 0)
            said = [watcher.stderr.readline() for _ in range(2)]
            self.assertIn("the connection is lost", said[0])
            self.assertEqual(said[1], f"weft: continues at {second.address}\n")
            watcher.send_signal(signal.SIGINT)
            self.assertEqual((watcher.wait(PATIENCE_S), watcher.stderr.read()), (0, ""))
            watcher.stderr.close()
            first, second = second, self.begin(f"s{number + 3}", "dies")


if __name__ == "__main__":
    beside.main(8)
