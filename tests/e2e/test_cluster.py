#!/usr/bin/env python3
"""Servers that share worlds by a broker: one dies, sleeps, gives its worlds away, or ends in order, and another goes on with them.

    test_cluster.py [--rounds N]

WEFT_NATS_SERVER names the broker's program; without one the tests are skipped (77). --rounds: how often a server is killed, put to sleep, and asked to give
its world away, in turns.
"""

import argparse
import itertools
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import beside
import brokers
import tls_files
from cluster_case import ClusterTest
from held_line import HeldLine
from weft_peer import PATIENCE_S, Server, WeftError


class Cluster(ClusterTest):
    rounds = 1

    def test_who_dies_is_followed(self):
        servers = [self.server(), self.server()]
        peers = [self.peer(server) for server in servers]
        world = self.cloth(peers[0], "w")
        peers[0].call("world.play", world=world)
        self.comes(lambda: any("address" in item for item in peers[1].call("world.list")["worlds"]), "not listed")
        error = self.moved(peers[1], "world.get", world="w")
        self.assertEqual((error["server"], error["address"]), (servers[0].name, servers[0].address))
        for i in range(self.rounds):
            self.comes(lambda: peers[0].call("world.get", world=world)["tick"] > 20, "it does not play")
            edit = peers[0].call("body.set", world=world, body=1, name=f"edit-{i}")
            way = ("kill", "sleep", "move")[i % 3]
            began = time.monotonic()
            if way == "kill":
                servers[0].kill()
            elif way == "sleep":
                servers[0].signal(signal.SIGSTOP)
            else:
                self.comes(lambda: peers[0].call("server.list")["servers"][1:], "the other is not there")
                peers[0].call("world.move", world=world, server=servers[1].name)
            told = self.here(peers[1], world)
            took = time.monotonic() - began
            print(f"{way}: elsewhere after {took:.2f} s at tick {told['tick']}", flush=True)
            self.assertEqual(told["state"], "playing")
            # What was answered is there.
            self.assertGreaterEqual((told["revision"], told["tick"]), (edit["revision"], edit["tick"]))
            self.assertEqual(peers[1].call("body.get", world=world, body=1)["name"], f"edit-{i}")
            if way == "sleep":
                servers[0].signal(signal.SIGCONT)
                servers[0].line("is another server's now")
                self.moved(peers[0], "world.get", world=world)
            servers[0].kill()
            servers = [servers[1], self.server()]
            peers = [peers[1], self.peer(servers[1])]
        self.comes(lambda: peers[0].call("world.get", world=world)["tick"] > told["tick"], "it does not play")
        self.assert_straight(peers[0], world)
        self.comes(lambda: {item["server"] for item in peers[0].call("server.list")["servers"]} ==
                   {server.name for server in servers}, "the list of servers is another")

    def test_who_sleeps_wakes_and_writes_nothing(self):
        first, second = self.server(), self.server()
        peer, other = self.peer(first), self.peer(second)
        world = self.cloth(peer, "w")
        peer.call("world.join", world=world)
        peer.call("world.play", world=world)
        first.signal(signal.SIGSTOP)
        self.here(other, world)
        revision = other.call("body.set", world=world, body=1, name="theirs")["revision"]
        peer.request("body.set", world=world, body=1, name="ours")
        first.signal(signal.SIGCONT)
        changed = peer.notice("world.changed", found=lambda params: params["state"] == "moved")
        self.assertEqual(changed["address"], second.address)
        self.moved(peer, "body.set", world=world, body=1, name="ours")
        self.assertEqual(other.call("body.get", world=world, body=1)["name"], "theirs")
        self.assertEqual(other.call("world.get", world=world)["revision"], revision)

    def test_who_says_nothing_is_not_waited_for(self):
        """As a machine that is gone: what is asked by way of another server is answered there once the world runs there. Who waited
        for the one that is gone would be refused."""
        names = (f"w{i}" for i in itertools.count())
        door = self.server()
        follower = self.peer(door)

        def goes_silent():
            home = self.server()
            world = self.cloth(self.peer(home), next(names))
            self.comes(lambda: [item for item in follower.call("world.list")["worlds"] if item["world"] == world and item["address"]],
                       "not listed")
            self.moved(follower, "world.get", world=world)
            asker = door.peer()
            self.addCleanup(asker.close)
            home.signal(signal.SIGSTOP)
            self.assertEqual(asker.call("world.get", world=world)["world"], world)

        self.in_time(goes_silent)

    def test_what_was_on_its_way_comes_too_late(self):
        line = HeldLine(self.broker.port)
        self.addCleanup(line.close)
        first, second = self.server(port=line.port), self.server()
        peer, other = self.peer(first), self.peer(second)
        world = self.cloth(peer, "w")
        self.comes(lambda: any("address" in item for item in other.call("world.list")["worlds"]), "not listed")
        # Several that wait for brokers, each behind what was sent before it. None of it is known to be made.
        line.hold()
        for i in range(8):
            peer.request("body.set", world=world, body=1, name=f"late-{i}")
        peer.call("server.ping")  # by then it has them all
        self.comes(lambda: line.kept > 300, "none is on its way")  # an entry, which is longer than a PING
        revision = self.here(other, world)["revision"]
        line.release()
        first.line("is another server's now|is kept no more")
        self.assertEqual(other.call("body.set", world=world, body=1, name="theirs")["revision"], revision + 1)
        told = other.call("world.get", world=world)
        first.kill()
        second.kill()
        # And a third one reads the same.
        third = self.peer(self.server())
        self.assertEqual(self.here(third, world)["revision"], told["revision"])
        self.assertEqual(third.call("body.get", world=world, body=1)["name"], "theirs")

    def test_who_knows_nothing_of_clusters(self):
        servers = [self.server(), self.server()]
        owner = self.peer(servers[0])
        world = self.cloth(owner, "w")
        old = servers[1].peer()
        self.addCleanup(old.close)
        hello = old.call("session.hello", user="old")
        self.comes(lambda: any("address" in item for item in old.call("world.list")["worlds"]), "not listed")
        joined = old.call("world.join", world="w")
        stream = old.call("stream.subscribe", world=world)["stream"]
        frame = old.frame(stream).params
        self.assertEqual((frame["world"], frame["epoch"]), (world, 1))
        old.call("world.set", world=world, damping=0.25)
        self.assertEqual(old.notice("world.edited")["session"], hello["session"])
        self.assertEqual(owner.call("world.get", world=world)["damping"], 0.25)
        old.call("edit.undo", world=world)
        owner.call("world.step", world=world, ticks=3)
        self.assertEqual(old.frame(stream, found=lambda params: params["tick"] == 3).params["world"], world)
        # The server that runs it dies: the client is told to start again, and its calls wait for the server that goes on.
        servers[0].kill()
        old.expect_end()
        back = servers[1].peer()
        self.addCleanup(back.close)
        resumed = back.call("session.hello", resume=hello["resume"], unanswered=[], revisions={world: joined["revision"]})
        self.assertEqual((resumed["resumed"], list(resumed["rejoin"])), (True, [world]))

        def again():
            try:
                return back.call("world.join", world=world)
            except WeftError as error:
                self.assertEqual(error.code, "BUSY")
                return None

        self.assertEqual(self.comes(again, "it does not come back")["tick"], 3)
        # It runs where the client is by now, and moves away from there.
        stream = back.call("stream.subscribe", world=world)["stream"]
        frame = back.frame(stream).params
        self.assertEqual((frame["tick"], frame["epoch"]), (3, 2))
        third = self.server()
        mover = self.peer(servers[1])
        self.comes(lambda: third.name in [server["server"] for server in mover.call("server.list")["servers"]],
                   "no third server")
        mover.call("world.move", world=world, server=third.name)
        back.expect_end()
        last = servers[1].peer()
        self.addCleanup(last.close)
        resumed = last.call("session.hello", resume=hello["resume"], unanswered=[], revisions={world: joined["revision"]})
        self.assertEqual(list(resumed["rejoin"]), [world])
        self.assertEqual(last.call("world.join", world=world)["tick"], 3)
        last.call("world.step", world=world, ticks=2)
        self.assertEqual(last.call("world.hash", world=world)["tick"], 5)
        self.assertEqual(self.peer(third).call("world.get", world=world)["tick"], 5)

    def test_who_speaks_tls_is_passed_on_to_by_those_who_trust_it(self):
        with tls_files.Authority() as authority:
            cert, key = authority.issue("home", "DNS:localhost")
            home = self.server("--tls-cert", cert, "--tls-key", key, "--advertise", "localhost", "--scene", "flag")
            trusting, other = self.server("--relay-ca", authority.ca), self.server()
            trusting.signal(signal.SIGHUP)  # reads the authority again, and goes on
            for server in (trusting, other):
                with server.peer() as old:
                    self.comes(lambda old=old: any("address" in item for item in old.call("world.list")["worlds"]), "not listed")
                    if server is trusting:
                        stream = old.call("stream.subscribe", world="flag")["stream"]
                        first = old.frame(stream).params["tick"]
                        old.frame(stream, found=lambda params, first=first: params["tick"] > first)
                        self.assertEqual(old.call("world.get", world="flag")["state"], "playing")
                    else:
                        address = home.address.replace("127.0.0.1", "localhost")
                        with self.assertRaisesRegex(WeftError, f"MOVED: .*{address}"):
                            old.call("world.get", world="flag")
                        server.line(f"nothing is passed on to the server at {address}, by TLS: .*certificate")

    def test_a_world_is_moved_while_it_plays(self):
        first, second = self.server(), self.server()
        peer, other = self.peer(first), self.peer(second)
        world = self.cloth(peer, "w", 40, 40)
        peer.call("world.play", world=world)
        self.comes(lambda: len(peer.call("server.list")["servers"]) == 2, "the other is not listed")
        stops = []
        for there, here, name, goal in [(other, peer, second.name, second), (peer, other, first.name, first)] * 2:
            here.call("world.join", world=world)
            stream = here.call("stream.subscribe", world=world, every=1, unit="tick")["stream"]
            here.frame(stream)
            moving = here.request("world.move", world=world, server=name)
            home = here.answer(moving)
            self.assertEqual((home["server"], home["address"]), (name, goal.address))
            changed = here.notice("world.changed", found=lambda params: params["state"] == "moved")
            last = max(frame.at for frame in here.frames if frame.params["stream"] == stream)
            closed = here.notice("stream.closed", found=lambda params, stream=stream: params["stream"] == stream)
            self.assertEqual(closed["address"], goal.address)
            told = self.here(there, world)
            self.assertEqual(told["state"], "playing")
            tick = changed["tick"]
            self.comes(lambda: there.call("world.get", world=world)["tick"] > tick, "it does not play on")
            stops.append(time.monotonic() - last)
            self.moved(here, "world.get", world=world)
        print("stopped for", ", ".join(f"{1000 * stop:.0f} ms" for stop in stops), flush=True)
        with self.assertRaises(WeftError) as caught:
            peer.call("world.move", world=world, server="nobody")
        self.assertEqual(caught.exception.code, "NOT_FOUND")
        with self.assertRaises(WeftError) as caught:
            peer.call("world.move", world=world, server=first.name)
        self.assertEqual(caught.exception.code, "CONFLICT")
        peer.call("world.pause", world=world)
        told = peer.call("world.hash", world=world)
        self.assertEqual(told["hash"], self.straight(peer, told["tick"], 40, 40))

    def test_what_is_held_goes_on_where_the_world_moves(self):
        first, second = self.server(), self.server()
        peer, other = self.peer(first), self.peer(second)
        world = self.cloth(peer, "w")
        self.comes(lambda: len(peer.call("server.list")["servers"]) == 2, "the other is not listed")
        peer.call("session.hello", user="ann", errors="map", follow=True)
        other.call("session.hello", user="ann", errors="map", follow=True)
        grab = peer.call("grab.begin", world=world, body=1, particle=20, target=[0, 3, 0])["grab"]
        peer.call("world.step", world=world, ticks=5)
        before = peer.call("world.hash", world=world)["hash"]
        peer.call("world.move", world=world, server=second.name)
        self.here(other, world)
        self.assertEqual(other.call("world.hash", world=world)["hash"], before)
        [held] = other.call("world.join", world=world)["grabs"]
        self.assertEqual((held["grab"], held["user"], held["session"]), (grab, "ann", 0))
        other.call("grab.move", world=world, grab=grab, target=[0, 4, 0])
        [held] = other.call("world.join", world=world)["grabs"]
        self.assertNotEqual(held["session"], 0)
        other.call("grab.end", world=world, grab=grab)

    def test_what_waits_in_a_world_that_moves_is_asked_where_it_is(self):
        """By a client that knows nothing of clusters: in order, behind a step that the move cuts short."""
        first, second = self.server(), self.server()
        mover = self.peer(first)
        self.comes(lambda: len(mover.call("server.list")["servers"]) == 2, "the other is not listed")
        old = first.peer()
        self.addCleanup(old.close)
        old.call("session.hello", user="old", errors="map")
        names = (f"w{i}" for i in itertools.count())

        self.in_time(lambda: self.move_there_and_back(old, self.cloth(mover, next(names)), (mover, second), (self.peer(second), first)))

    def move_there_and_back(self, old, world, *ways):
        """Away from the server that `old` is at, and back there."""
        for (mover, goal), revision in zip(ways, (1, 11)):
            step = old.request("world.step", world=world, ticks=1000000)
            edits = [old.request("body.set", world=world, body=1, name=f"n{i}") for i in range(8)]
            told = old.request("world.get", world=world)
            self.comes(lambda mover=mover: mover.call("world.get", world=world)["tick"] > 10, "no step")
            mover.call("world.move", world=world, server=goal.name)
            late = old.request("body.set", world=world, body=1, name="late")
            self.assertLess(old.answer(step)["tick"], 1000000)
            self.assertEqual([old.answer(edit)["revision"] for edit in edits],
                             list(range(revision + 1, revision + 9)))
            self.assertEqual(old.answer(told)["revision"], revision + 8)
            self.assertEqual(old.answer(late)["revision"], revision + 9)
            old.call("body.set", world=world, body=1, name="last")
        self.assertEqual(old.call("world.get", world=world)["revision"], 21)

    def test_a_server_that_ends_gives_its_worlds_away_before(self):
        first, second = self.server("--drain"), self.server()
        peer, other = self.peer(first), self.peer(second)
        worlds = [self.cloth(peer, f"w{i}") for i in range(6)]
        for world in worlds:
            peer.call("world.play", world=world)
        self.comes(lambda: len(peer.call("server.list")["servers"]) == 2, "the other is not listed")
        self.assertEqual(first.stop(), 0)
        for world in worlds:
            self.assertEqual(self.here(other, world)["state"], "playing")
        first_lines = "\n".join(first.lines)
        self.assertEqual(first_lines.count("goes to server"), len(worlds), first_lines)
        self.assertNotIn("taken over", "\n".join(second.lines))
        # Nobody is left to take them: it ends as ever.
        self.assertEqual(second.stop(), 0)

    def test_any_server_has_a_deleted_world_back(self):
        first, second = self.server(), self.server()
        peer, other = self.peer(first), self.peer(second)
        in_bin = lambda peer: [one["world"] for one in peer.call("world.bin")["worlds"]]
        world = self.make(peer, "w")
        told = peer.call("world.hash", world=world)
        peer.call("world.delete", world=world)
        self.comes(lambda: in_bin(other) == [world], "the other does not know of it")
        self.assertEqual(other.call("world.restore", world=world)["name"], "w")
        self.assertEqual(other.call("world.hash", world=world), told)
        self.comes(lambda: in_bin(peer) == [], "who deleted it has it in its bin yet")
        # Whoever has it back a second time is refused, and takes it from nobody.
        with self.assertRaises(WeftError) as caught:
            peer.call("world.restore", world=world)
        self.assertIn(caught.exception.code, ("NOT_FOUND", "CONFLICT"))
        self.assertEqual(other.call("world.hash", world=world), told)
        self.comes(lambda: [one["name"] for one in peer.call("world.list")["worlds"]] == ["w"], "it is not listed")
        self.assertEqual(first.stop(), 0)
        self.assertEqual(second.stop(), 0)

    def test_what_was_answered_is_followed(self):
        """Who dies with the answer of a new world, or of one's end, on its way."""
        second = self.server()
        other = self.peer(second)
        for i in range(2):
            first = self.server()
            peer = self.peer(first)
            gone = self.make(peer, f"gone{i}")
            back = self.make(peer, f"back{i}")
            peer.call("world.delete", world=back)
            self.comes(lambda back=back, peer=peer: [one for one in peer.call("world.bin")["worlds"] if one["world"] == back],
                       "it is not in the bin")
            peer.call("world.restore", world=back)
            if i == 0:
                named = self.make(peer, f"w{i}")
            else:
                document = peer.call("world.save", world=back)["document"]
                named = self.make(peer, f"w{i}", "world.open", document=document)
            with first.peer() as plain:
                plain.request("world.delete", world=gone)
                made = plain.call("world.create", name=f"last{i}")["world"]
            first.kill()
            for world in (back, named, made):
                self.here(other, world)
            names = {item["name"] for item in other.call("world.list")["worlds"]}
            self.assertTrue({f"w{i}", f"last{i}", f"back{i}"} <= names, names)
            self.comes(lambda gone=gone: gone not in [item["world"] for item in other.call("world.list")["worlds"]],
                       "a deleted world stays")
            with self.assertRaises(WeftError) as caught:
                other.call("world.get", world=gone)
            self.assertEqual(caught.exception.code, "NOT_FOUND")
            self.make(other, f"gone{i}")

    def test_a_name_is_one_worlds(self):
        servers = [self.server(), self.server()]
        peers = [self.peer(server) for server in servers]
        names = [f"n{i}" for i in range(8)] + ["a.b > *", "\u00e9" * 32]
        makers = [server.peer() for server in servers]
        for maker in makers:
            self.addCleanup(maker.close)
            maker.call("session.hello", errors="map")
        asked = [[maker.request("world.create", name=name) for name in names] for maker in makers]

        def outcome(peer, msgid):
            try:
                return peer.answer(msgid)["world"]
            except WeftError as error:
                self.assertEqual(error.code, "CONFLICT", error)
                return None

        made = [[outcome(peer, msgid) for msgid in msgids] for peer, msgids in zip(makers, asked)]
        for name, one, other in zip(names, *made):
            self.assertEqual((one is None) + (other is None), 1, (name, one, other))
        for peer in peers:
            self.comes(lambda peer=peer: sorted(item["name"] for item in peer.call("world.list")["worlds"]) == sorted(names),
                       "there are others")
        # To rename is to ask for a name; a refused one stays what it was, and what is given up is free.
        mine = [self.make(peer, f"mine{i}") for i, peer in enumerate(peers)]
        asked = [peer.request("world.set", world=world, name="ours") for peer, world in zip(peers, mine)]
        renamed = []
        for peer, msgid in zip(peers, asked):
            try:
                renamed.append("revision" in peer.answer(msgid))
            except WeftError as error:
                self.assertEqual(error.code, "CONFLICT", error)
                renamed.append(False)
        self.assertEqual(sorted(renamed), [False, True])
        winner = renamed.index(True)
        self.assertEqual(peers[1 - winner].call("world.get", world=mine[1 - winner])["name"], f"mine{1 - winner}")

        def free():
            try:
                return self.make(peers[1 - winner], f"mine{winner}")
            except WeftError as error:
                self.assertEqual(error.code, "CONFLICT", error)
                return None

        self.comes(free, "the name that was given up is not free")
        peers[winner].call("edit.undo", world=mine[winner], force=True)  # another has that name by now
        self.assertEqual(peers[winner].call("world.get", world="ours")["world"], mine[winner])

    def test_a_world_that_cannot_be_run_is_given_back(self):
        first = self.server()
        peer = self.peer(first)
        world = self.cloth(peer, "w")
        peer.call("world.step", world=world, ticks=10)
        self.assertEqual(first.stop(), 0)
        # Its folder goes one way, and the brokers another.
        alone = Server("--data", first.folder)
        self.addCleanup(alone.kill)
        with alone.peer() as apart:
            apart.call("world.set", world=world, damping=0.5)
        self.assertEqual(alone.stop(), 0)
        second = self.server()
        peer = self.peer(second)
        self.here(peer, world)
        peer.call("world.step", world=world, ticks=10)
        told = peer.call("world.hash", world=world)
        self.assertEqual(second.stop(), 0)
        # Alone it has nobody to give it to: it says so, and tries again when it is told to.
        again = self.server(folder=first.folder)
        peer = self.peer(again)
        listed = self.comes(lambda: peer.call("world.list")["worlds"], "it is not listed")
        self.assertEqual([(item["world"], item["name"], item["address"]) for item in listed], [(world, "w", "")])
        self.assertTrue(listed[0]["trouble"])
        with self.assertRaises(WeftError) as caught:
            peer.call("world.get", world="w")
        self.assertEqual(caught.exception.code, "INTERNAL")
        self.assertIn(listed[0]["trouble"][:80], str(caught.exception))
        with self.assertRaises(WeftError) as caught:
            peer.call("world.move", world="w", server=again.name)
        self.assertEqual(caught.exception.code, "CONFLICT")
        with self.assertRaises(WeftError) as caught:
            peer.call("world.create", name="w")
        self.assertEqual(caught.exception.code, "CONFLICT")
        # Whoever comes reads it from the brokers.
        other = self.server()
        there = self.peer(other)
        self.here(there, world)
        self.assertEqual(there.call("world.hash", world=world)["hash"], told["hash"])
        self.comes(lambda: peer.call("world.list")["worlds"][0]["server"] == other.name, "it is not known elsewhere")
        self.assertNotIn("trouble", peer.call("world.list")["worlds"][0])

    def test_a_world_whose_stream_is_spoilt_ends_nowhere(self):
        """Something else writes into the stream of a world that runs: nobody can go on with it, and each says so once."""
        servers = [self.server(), self.server()]
        peers = [self.peer(server) for server in servers]
        world = self.cloth(peers[0], "w")
        self.comes(lambda: any(item["address"] for item in peers[1].call("world.list")["worlds"]), "not listed")
        with socket.create_connection(("127.0.0.1", self.broker.port)) as line:
            line.sendall(f'CONNECT {{"verbose":false}}\r\nPUB {self.name}.w.{world}.log 7\r\nrubbish\r\nPING\r\n'.encode())
            while b"PONG" not in line.recv(4096):
                pass
        with self.assertRaises(WeftError) as caught:
            peers[0].call("world.set", world=world, damping=0.5)
        self.assertIn(caught.exception.code, ("READ_ONLY", "BUSY", "INTERNAL"))
        for server in servers:
            server.line("so it is given back")
        for peer in peers:
            listed = self.comes(lambda peer=peer: [item for item in peer.call("world.list")["worlds"] if "trouble" in item],
                                "nobody says that it cannot be run")
            self.assertEqual((listed[0]["world"], listed[0]["server"]), (world, ""))
            self.assertIn("stream", listed[0]["trouble"])
            with self.assertRaises(WeftError) as caught:
                peer.call("world.get", world="w")
            self.assertEqual(caught.exception.code, "INTERNAL")
        for server in servers:
            self.assertEqual("\n".join(server.lines).count("so it is given back"), 1, server.lines)

    def test_worlds_are_made_where_there_is_less_to_do(self):
        first, second = self.server(), self.server()
        peer, other = self.peer(first), self.peer(second)
        world = self.cloth(peer, "w", 30, 30)
        peer.call("world.step", world=world, ticks=2)  # it has a past to branch from
        document = peer.call("world.save", world=world)["document"]
        peer.call("world.play", world=world, rate=0)

        def goes(method, **fields):
            """Where a session that is in no world is sent, once the first is seen to have more to do: loads change from second to second."""
            try:
                self.peer(first).call(method, **fields)
                return None
            except WeftError as error:
                self.assertEqual(error.code, "MOVED", error)
                return error.error["server"]

        for method, fields in (("world.upload", {"offset": 0, "data": b"x"}), ("world.create", {}),
                               ("world.open", {"document": document})):
            self.assertEqual(self.comes(lambda method=method, fields=fields: goes(method, **fields), f"{method} stays"), second.name)
        new = self.peer(first)
        names = (f"branch-{i}" for i in range(1000))

        def branched():
            """A branch that has gone."""
            made = new.call("world.branch", world=world, tick=1, name=next(names))
            there = [one for one in new.call("world.list")["worlds"] if one["world"] == made["world"]]
            return made if there[0].get("server") == second.name else None

        branch = self.comes(branched, "no branch goes")
        self.assertEqual(self.here(other, branch["world"])["name"], branch["name"])
        self.assertEqual(self.moved(new, "world.get", world=branch["world"])["server"], second.name)
        # Who is in a world stays there.
        peer.call("world.join", world=world)
        kept = peer.call("world.branch", world=world, tick=1)["world"]
        self.assertEqual(peer.call("world.get", world=kept)["world"], kept)
        peer.call("world.delete", world=world)

    def test_a_world_that_nobody_watches_writes_less(self):
        server = self.server(http="127.0.0.1:0")
        peer = self.peer(server)
        world = self.cloth(peer, "w")
        peer.call("world.play", world=world)

        def durable():
            with urllib.request.urlopen(f"http://{server.http}/metrics", timeout=PATIENCE_S) as page:
                return int(re.search(r"^weft_durable_total (\d+)$", page.read().decode(), re.MULTILINE)[1])

        def written(ticks):
            """How often within so many ticks, and within how many seconds."""
            before, began = durable(), time.monotonic()
            end = peer.call("world.get", world=world)["tick"] + ticks
            self.comes(lambda: peer.call("world.get", world=world)["tick"] >= end, "it does not play")
            return durable() - before, time.monotonic() - began

        # Once a second if nobody watches, however many ticks that are. Else ten times, if there are as many ticks.
        times, seconds = written(90)
        self.assertLessEqual(times, seconds + 3)
        peer.call("world.join", world=world)

        def often():
            times, seconds = written(60)
            return times > seconds + 3

        self.comes(often, "it is not written as often as it is looked at")

    def test_a_server_that_starts_again_has_its_worlds_at_once(self):
        first = self.server()
        world = self.cloth(self.peer(first), "w")
        first.kill()
        again = self.server(folder=first.folder)
        with again.peer() as peer:
            self.assertEqual(peer.call("world.get", world="w")["world"], world)


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--rounds", type=int, default=1)
    options, rest = parser.parse_known_args()
    if not brokers.program() or subprocess.call([brokers.program(), "--version"], stdout=subprocess.DEVNULL):
        print("no nats-server: skipped")
        return 77
    Cluster.rounds = options.rounds
    sys.argv[1:] = rest
    beside.main(9)


if __name__ == "__main__":
    sys.exit(main())
