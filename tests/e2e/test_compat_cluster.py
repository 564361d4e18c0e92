#!/usr/bin/env python3
"""Servers of two neighbouring solver versions share worlds while a deployment is upgraded: a world stays with the version that ran it
last, and goes on with the other one when no server of its own is left.

WEFT_NATS_SERVER names the broker's program; without one the tests are skipped (77). WEFTD_NEXT is a weftd of the next version."""

import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import threading

import msgpack

import beside
import brokers
from cluster_case import ClusterTest
from weft_peer import PATIENCE_S, WeftError, sheet

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "clients" / "python" / "src"))
import weft  # noqa: E402

# The API levels and solver versions that the two programs tell.
OLD = int(re.search(r"SIM_SOLVER_VERSION = (\d+)", (ROOT / "server/sim/sim_world.h").read_text()).group(1))
NEW = OLD + 1
NEXT = os.environ.get("WEFTD_NEXT")


class Writer:
    """A program on the Python client, which edits a world all the time and follows it. told: the revision and name of each edit that was
    answered."""

    def __init__(self, address, world):
        self.address, self.world, self.told, self.failed, self.over = address, world, [], [], threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            with weft.connect(self.address, user="writer", resume=True, timeout=PATIENCE_S) as client:
                for number in itertools.count():
                    if self.over.is_set():
                        return
                    name = f"n{number}"
                    done = client.call("body.set", world=self.world, body=1, name=name)
                    self.told.append((done["revision"], name))
        except Exception as error:  # told by end()
            self.failed.append(error)

    def end(self):
        self.over.set()
        self.thread.join(PATIENCE_S)
        if self.failed:
            raise self.failed[0]
        return self.told


class Versions(ClusterTest):
    def next(self, *more, **options):
        return self.server(*more, program=NEXT, **options)

    def sail(self, peer, name):
        """A world that is no longer as it was made, with edits of somebody."""
        with peer.server.peer() as plain:
            plain.call("session.hello", errors="map", user="ann")
            positions, triangles = sheet(6, 6)
            world = plain.call("world.create", name=name)["world"]
            plain.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles, pins=[0])
            plain.call("world.step", world=world, ticks=7)
            plain.call("world.set", world=world, damping=0.25)
            plain.call("world.step", world=world, ticks=5)
            return world

    def settled(self, server, worlds):
        """The servers of all worlds, when each has one, as a server lists them."""
        def look():
            with server.peer() as plain:
                plain.call("session.hello", errors="map")
                listed = {item["world"]: item for item in plain.call("world.list")["worlds"]}
            # A server names no server for a world that it runs itself.
            homes = [listed[world].get("server", server.name) if world in listed else "" for world in worlds]
            return all(homes) and homes

        return self.comes(look, "a world has no server")

    def knows(self, server, names):
        """Waits until a server knows all of these, and returns the solver versions that they told."""
        def look():
            with server.peer() as plain:
                listed = {item["server"]: item["solver"] for item in plain.call("server.list")["servers"]}
            return set(listed) == set(names) and listed

        return self.comes(look, f"not the servers {names}")

    def there(self, server, method, **fields):
        """What a client that knows nothing of clusters is answered, as soon as the world runs somewhere."""
        with server.peer() as plain:
            plain.call("session.hello", errors="map", user="ann")

            def ask():
                try:
                    return plain.call(method, **fields)
                except WeftError as error:
                    # A server that died may have been asked. A query is repeated then.
                    self.assertIn(error.code, ("BUSY", "NOT_FOUND", "" if method.startswith("edit.") else "INTERNAL"), error)
                    return None
            return self.comes(ask, f"no answer to {method}")

    def exact(self, server, world):
        told = self.there(server, "world.get", world=world)
        return told.get("exact", True), told.get("exact_tick"), told.get("exact_solver")

    def test_a_world_stays_with_its_version(self):
        first, second, third = self.server(), self.next(), self.server()
        peer = self.peer(first)
        names = [server.name for server in (first, second, third)]
        self.assertEqual(self.knows(first, names), dict(zip(names, (OLD, NEW, OLD))))
        worlds = [self.sail(peer, f"w{i}") for i in range(6)]
        told = [peer.call("world.hash", world=world) for world in worlds]
        self.settled(second, worlds)
        self.settled(third, worlds)
        with self.assertRaises(WeftError) as caught:
            peer.call("world.move", world=worlds[0], server=second.name)
        self.assertEqual(caught.exception.code, "CONFLICT")
        self.assertIn("version", str(caught.exception))
        self.knows(third, names)
        # Its server dies, and comes back with the same folder as the next version: each world goes to the other server of its own.
        first.kill()
        again = self.next(folder=first.folder)
        for world, before in zip(worlds, told):
            self.comes(lambda world=world: self.settled(third, [world]) == [third.name], "it is not there")
            self.assertEqual(self.there(again, "world.hash", world=world), before)
            self.assertEqual(self.exact(again, world), (True, None, None))
        # No server of its version is left.
        self.knows(second, [second.name, third.name, again.name])
        third.kill()
        for world, before in zip(worlds, told):
            self.assertEqual(self.there(second, "world.hash", world=world), before)
            self.assertEqual(self.exact(second, world)[::2], (False, OLD))
            self.assertEqual(self.there(second, "edit.undo", world=world)["revision"], 3)
            self.assertEqual(self.there(again, "world.get", world=world)["damping"], 0)
        self.assertLessEqual(set(self.settled(second, worlds)), {second.name, again.name})
        # A server of the version before takes none of them, as long as there are others.
        back = self.server()
        self.knows(back, [second.name, again.name, back.name])
        second.kill()
        for world in worlds:
            self.comes(lambda world=world: self.settled(back, [world]) == [again.name], "it is not there")
            self.assertEqual(self.there(back, "world.get", world=world)["revision"], 3)
        # When there is no other one it takes them all, and says whose past they have.
        again.kill()
        for world in worlds:
            self.assertEqual(self.exact(back, world)[::2], (False, NEW))
            self.assertEqual(self.there(back, "world.get", world=world)["revision"], 3)

    def test_a_server_that_is_alone_has_its_worlds_at_once(self):
        first = self.server()
        world = self.sail(self.peer(first), "w")
        first.kill()
        again = self.next(folder=first.folder)
        with again.peer() as peer:
            got = peer.call("world.get", world=world)
            self.assertEqual((got["revision"], got["exact"], got["exact_solver"]), (2, False, OLD))

    def test_servers_are_upgraded_one_by_one(self):
        names = ["one", "two", "three"]
        servers = [self.server("--drain", name=name) for name in names]
        peers = [self.peer(server) for server in servers]
        for server in servers:
            self.knows(server, names)
        stands = [self.sail(peer, f"stands-{i}") for i, peer in enumerate(peers)]
        told = [peer.call("world.hash", world=world) for peer, world in zip(peers, stands)]
        plays = self.cloth(peers[0], "plays")
        peers[0].call("world.play", world=plays)
        worlds = [*stands, plays]
        for server in servers:
            self.settled(server, worlds)
        writer = Writer(servers[0].address, plays)
        self.addCleanup(writer.over.set)
        for i, name in enumerate(names):
            self.comes(lambda: len(writer.told) > 5 or writer.failed, "no edit is answered")
            self.assertEqual(servers[i].stop(), 0)
            servers[i] = self.next("--drain", name=name, folder=servers[i].folder)
            solvers = self.knows(servers[i], names)
            self.assertEqual(sorted(solvers.values()), sorted([NEW] * (i + 1) + [OLD] * (2 - i)))
            homes = self.settled(servers[i], worlds)
            if i < 2:
                self.assertEqual({solvers[home] for home in homes}, {OLD}, homes)
            for world, before in zip(stands, told):
                self.assertEqual(self.there(servers[i], "world.hash", world=world), before)
                self.assertEqual(self.exact(servers[i], world), (True, None, None) if i < 2 else (False, before["tick"], OLD))
            count = len(writer.told)
            self.comes(lambda count=count: len(writer.told) > count + 5 or writer.failed, "no edit is answered")
        # All of its past is what the old servers made: no tick of it was made again.
        self.assertEqual(self.exact(servers[0], plays)[::2], (False, OLD))
        new = servers[names.index(self.settled(servers[0], [plays])[0])]
        new.line(rf'"plays": solver {OLD} made its past up to tick \d+; {NEW} goes on from there')
        answered = writer.end()
        made = {(record[2], record[8].get("name")) for record in self.records(servers[1], plays) if record[7] == "body.set"}
        self.assertLessEqual(set(answered), made)
        self.assertEqual(len(made), len(answered))
        for world in stands:
            self.assertEqual(self.there(servers[2], "edit.undo", world=world)["revision"], 3)
        # What an operator looks at, word for word as the guide has it.
        seen = subprocess.run([os.environ["WEFT"], "--server", servers[0].address, "--json", "top", "--cluster", "--once"],
                              capture_output=True, text=True, timeout=PATIENCE_S, check=True)
        self.assertEqual({one["server"]: one["solver"] for one in json.loads(seen.stdout)["servers"]}, dict.fromkeys(names, NEW))

    def test_a_client_that_knows_nothing_of_it_is_carried_over(self):
        """It is connected to a server of the next version, and its world goes there from one of its own."""
        door, home = self.next(), self.server("--drain")
        peer = self.peer(home)
        world = self.sail(peer, "w")
        self.settled(door, [world])
        self.knows(home, [door.name, home.name])
        old = door.peer()
        self.addCleanup(old.close)
        hello = old.call("session.hello", user="old")
        joined = old.call("world.join", world=world)
        stream = old.call("stream.subscribe", world=world)["stream"]
        self.assertEqual(old.frame(stream).params["tick"], 12)
        edit = old.call("body.set", world=world, body=1, name="answered")
        self.assertEqual(home.stop(), 0)
        old.expect_end()
        back = door.peer()
        self.addCleanup(back.close)
        resumed = back.call("session.hello", resume=hello["resume"], unanswered=[], revisions={world: joined["revision"]})
        self.assertEqual((resumed["resumed"], list(resumed["rejoin"])), (True, [world]))
        told = back.call("world.join", world=world)
        self.assertEqual((told["revision"], told["tick"]), (edit["revision"], 12))
        self.assertEqual(self.exact(door, world), (False, 12, OLD))
        self.assertEqual(back.call("body.get", world=world, body=1)["name"], "answered")
        back.call("edit.undo", world=world)
        self.assertNotEqual(back.call("body.get", world=world, body=1)["name"], "answered")

    def records(self, server, world):
        after, found = 0, []
        while True:
            page = self.there(server, "world.records", world=world, after=after)
            found += [msgpack.unpackb(record, strict_map_key=False) for record in page["records"]]
            after = found[-1][0]
            if after >= page["sequence"]:
                return found


def main():
    if not NEXT or not brokers.program() or subprocess.call([brokers.program(), "--version"], stdout=subprocess.DEVNULL):
        print("no nats-server: skipped")
        return 77
    beside.main(4)


if __name__ == "__main__":
    sys.exit(main())
