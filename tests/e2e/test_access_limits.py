"""What one person may take of a server, what is written of who did what, and running out of descriptors."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from access_peer import AccessTest, make_token
from weft_peer import PATIENCE_S, Closed, Server, WeftError, sheet


class Quotas(AccessTest):
    ARGUMENTS = ("--person-messages", "50", "--person-edits", "10", "--person-worlds", "2", "--person-bodies", "2",
                 "--person-particles", "40")

    def flood(self, peer, method, count, **fields):
        """How many of them were answered with LIMIT, and with which number."""
        asked = [peer.request(method, **fields) for _ in range(count)]
        limits = set()
        refused = 0
        for one in asked:
            try:
                peer.answer(one)
            except WeftError as error:
                self.assertEqual(error.code, "LIMIT", str(error))
                limits.add(error.error["limit"])
                refused += 1
        return refused, limits

    def floods(self, peer, least, method, count, **fields):
        """Until more than so many of one flood were refused: where the machine is slow, what is allowed comes again meanwhile."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            refused, limits = self.flood(peer, method, count, **fields)
            if refused > least:
                return limits
            self.assertLess(time.monotonic(), deadline, f"{refused} of {count} were refused")

    def patient(self, peer, method, **fields):
        """Once there is room for it again."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return peer.call(method, **fields)
            except WeftError as error:
                if "a second" not in error.text or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def test_one_person_leaves_views_to_others(self):
        self.end()
        self.server = Server("--threads", "2", "--data", self.data, "--tokens")
        admin = self.peer(self.token)
        worlds = [admin.call("world.create", name=f"w{i}")["world"] for i in range(4)]
        for world in worlds:
            admin.call("access.grant", world=world, user="*", role="viewer")
        token = self.person(admin, "Ada", "viewer")
        ada = [self.peer(token) for _ in range(5)]
        for peer in ada[:4]:
            for world in worlds:
                peer.call("world.seek", world=world, tick=0)
        refusal = self.refused("LIMIT", ada[4], "world.seek", world=worlds[0], tick=0)
        self.assertIn("limit person_views = 16", refusal.text)
        ada[0].call("world.seek", world=worlds[0], tick=0)  # of a view that is there
        self.peer(self.person(admin, "Bob", "viewer")).call("world.seek", world=worlds[0], tick=0)

    def test_messages_and_edits_of_a_person_in_all_sessions(self):
        admin = self.peer(self.token)
        token = self.person(admin, "Ada")
        first, second = self.peer(token), self.peer(token)
        world = self.patient(first, "world.create", name="ours")["world"]
        self.assertIn(10, self.floods(first, 10, "world.set", 60, world=world, damping=1))
        self.assertEqual(self.floods(first, 20, "server.ping", 200), {50})
        self.floods(second, 20, "server.ping", 200)
        self.assertTrue(self.patient(second, "server.ping"))
        # Others are not the slower for it.
        self.peer(self.person(admin, "Bob")).call("server.ping")

    def test_worlds_bodies_and_particles(self):
        admin = self.peer(self.token)
        ada = self.peer(self.person(admin, "Ada"))
        worlds = [self.patient(ada, "world.create", name=f"w{i}")["world"] for i in range(2)]
        with self.assertRaises(WeftError) as caught:
            self.patient(ada, "world.create", name="w2")
        self.assertEqual((caught.exception.code, caught.exception.error["limit"]), ("LIMIT", 2))
        positions, triangles = sheet(6, 6)
        add = {"kind": "cloth", "positions": positions, "triangles": triangles}
        self.patient(ada, "body.add", world=worlds[0], **add)
        # The person who made the world, not the one who adds to it.
        bob = self.peer(self.person(admin, "Bob"))
        self.patient(ada, "access.grant", world=worlds[1], user="Bob", role="editor")
        with self.assertRaises(WeftError) as caught:
            self.patient(bob, "body.add", world=worlds[1], **add)
        self.assertEqual((caught.exception.code, caught.exception.error["limit"]), ("LIMIT", 40))
        small, few = sheet(2, 2)
        self.patient(bob, "body.add", world=worlds[1], kind="cloth", positions=small, triangles=few)
        with self.assertRaises(WeftError) as caught:
            self.patient(ada, "body.add", world=worlds[1], kind="points", positions=[0, 0, 0], masses=[1])
        self.assertEqual((caught.exception.code, caught.exception.error["limit"]), ("LIMIT", 2))
        self.patient(ada, "world.delete", world=worlds[0])
        self.patient(ada, "world.create", name="w2")

    def test_whole_worlds_take_room(self):
        admin = self.peer(self.token)
        ada, bob = self.peer(self.person(admin, "Ada")), self.peer(self.person(admin, "Bob"))
        world = self.patient(ada, "world.create", name="ours")["world"]
        self.patient(ada, "access.grant", world=world, user="Bob", role="editor")
        point = {"kind": "points", "positions": [0, 0, 0], "masses": [1]}
        added = [self.patient(ada, "body.add", world=world, **point)["revision"] for _ in range(2)]
        document = self.patient(ada, "world.save", world=world)["document"]
        positions, triangles = sheet(7, 7)
        large = {"bodies": [{"kind": "cloth", "positions": positions, "triangles": triangles}]}

        def refused(number, peer, method, **fields):
            with self.assertRaises(WeftError) as caught:
                self.patient(peer, method, **fields)
            self.assertEqual((caught.exception.code, caught.exception.error["limit"]), ("LIMIT", number), str(caught.exception))

        refused(2, ada, "world.open", name="again", document=document)
        refused(2, ada, "world.branch", world=world, name="twig")
        refused(40, bob, "world.open", name="large", document=large)
        self.patient(ada, "world.branch", world=world, name="twig", without=added)  # with none
        self.assertEqual([one["name"] for one in self.patient(ada, "world.list")["worlds"]], ["ours", "twig"])
        self.patient(ada, "world.delete", world="twig")
        # What Bob makes of it is Bob's; and a world in the bin takes no room until it is had back.
        self.patient(bob, "world.branch", world=world, name="bobs")
        self.patient(ada, "world.delete", world=world)
        full = self.patient(ada, "world.open", name="again", document=document)["world"]
        refused(2, ada, "world.restore", world=world)
        self.patient(ada, "world.delete", world=full)
        self.assertEqual(self.patient(ada, "world.restore", world=world)["world"], world)
        # Admins put in as much as they like.
        self.patient(admin, "world.open", name="large", document=large)

    def test_what_comes_back_takes_room_as_what_is_new(self):
        admin = self.peer(self.token)
        ada = self.peer(self.person(admin, "Ada"))
        world = self.patient(ada, "world.create", name="ours")["world"]
        point = {"kind": "points", "positions": [0, 0, 0], "masses": [1]}
        first = self.patient(ada, "body.add", world=world, **point)["body"]
        self.patient(ada, "body.add", world=world, **point)
        removal = self.patient(ada, "body.remove", world=world, body=first)["revision"]
        self.patient(ada, "edit.undo", world=world)
        self.patient(ada, "edit.redo", world=world)
        third = self.patient(ada, "body.add", world=world, **point)["body"]
        for method, fields in (("edit.undo", {"revision": removal}), ("edit.undo", {"revision": removal, "force": True}),
                               ("edit.restore", {"bodies": [{"body": 9, **point}]}),
                               ("edit.batch", {"edits": [["edit.restore", {"bodies": [{"body": 9, **point}]}]]})):
            with self.subTest(method=method, **fields):
                with self.assertRaises(WeftError) as caught:
                    self.patient(ada, method, world=world, **fields)
                self.assertEqual((caught.exception.code, caught.exception.error["limit"]), ("LIMIT", 2),
                                 str(caught.exception))
        self.patient(ada, "body.remove", world=world, body=third)
        self.patient(ada, "edit.undo", world=world, revision=removal)
        self.assertEqual(ada.call("world.get", world=world)["bodies"], 2)


class Pipelined(AccessTest):
    """What a person may have holds however many edits are on their way, and whatever they come as."""

    ARGUMENTS = ("--person-messages", "0", "--person-edits", "0", "--person-worlds", "3", "--person-bodies", "100",
                 "--person-particles", "1000", "--person-constraints", "2000", "--person-poses", "100")

    def setUp(self):
        super().setUp()
        token = self.person(self.peer(self.token), "Ada")
        self.peers = [self.peer(token) for _ in range(3)]
        self.ada = self.peers[0]
        self.worlds = [self.ada.call("world.create", name=f"w{i}")["world"] for i in range(2)]

    def points(self, count):
        return {"kind": "points", "positions": [float(i) for i in range(3 * count)], "masses": [1.0] * count}

    def pipeline(self, calls):
        """The results of those that were done; all others met a limit. Each of the sessions takes its turn."""
        peers = [self.peers[i % len(self.peers)] for i in range(len(calls))]
        asked = [(peer, peer.request(method, **fields)) for peer, (method, fields) in zip(peers, calls)]
        done = []
        for peer, one in asked:
            try:
                done.append(peer.answer(one))
            except WeftError as error:
                self.assertEqual(error.code, "LIMIT", str(error))
        return done

    def sums(self):
        told = [self.ada.call("world.get", world=world) for world in self.worlds]
        return tuple(sum(one[kind] for one in told) for kind in ("particles", "constraints"))

    def test_edits_that_add(self):
        for world in self.worlds:
            self.ada.call("body.add", world=world, **self.points(90))
        adds = [("body.add", dict(self.points(90), world=self.worlds[i % 2])) for i in range(40)]
        self.assertEqual(len(self.pipeline(adds)), 9)
        self.assertEqual(self.sums()[0], 990)
        body = other = 1  # of each world the first
        pairs = [end for i in range(80) for end in (i, i + 1)]
        joins = [("constraint.add", {"world": self.worlds[0], "type": "distance", "body": body, "particles": pairs * 5})] * 14
        self.assertEqual(len(self.pipeline(joins)), 5)
        self.assertEqual(self.sums()[1], 2000)
        moves = [("motion.add", {"world": self.worlds[0], "body": body, "particles": [i], "times": [0, 1], "offsets": [0] * 6,
                                 "poses": [0.0] * 6}) for i in range(20)]
        self.assertEqual(len(self.pipeline(moves)), 4)  # of 6 numbers and 2 keyframes each
        # What is removed in the same batch makes room; the state of a world that refuses is as it was.
        before = [self.ada.call("world.hash", world=world)["hash"] for world in self.worlds]
        large, small = self.points(101), self.points(100)
        batches = [("edit.batch", {"world": self.worlds[1], "edits": [["body.remove", {"body": other}], ["body.add", one]]})
                   for one in (large, large)]
        self.assertEqual(self.pipeline(batches), [])
        self.assertEqual([self.ada.call("world.hash", world=world)["hash"] for world in self.worlds], before)
        self.ada.call("edit.batch", world=self.worlds[1], edits=[["body.remove", {"body": other}]])
        self.ada.call("body.add", world=self.worlds[1], **small)
        self.assertEqual(self.sums()[0], 1000)
        # And what is gone is free at once.
        self.ada.call("world.delete", world=self.worlds[0])
        there = self.ada.call("world.get", world=self.worlds[1])["particles"]
        self.ada.call("body.add", world=self.worlds[1], **self.points(1000 - there))
        self.refused("LIMIT", self.ada, "body.add", world=self.worlds[1], **self.points(1))

    def test_undo_and_redo(self):
        first, second = self.worlds
        bodies = [self.ada.call("body.add", world=first, **self.points(100))["body"] for _ in range(8)]
        for body in bodies:
            self.ada.call("body.remove", world=first, body=body)
        self.ada.call("body.add", world=second, **self.points(700))
        self.assertEqual(len(self.pipeline([("edit.undo", {"world": first})] * 8)), 3)
        self.assertEqual(self.sums()[0], 1000)
        before = self.ada.call("world.hash", world=first)["hash"]
        self.refused("LIMIT", self.ada, "edit.undo", world=first)
        self.assertEqual(self.ada.call("world.hash", world=first)["hash"], before)
        self.ada.call("edit.undo", world=second)
        self.assertEqual(len(self.pipeline([("edit.undo", {"world": first})] * 5)), 5)
        self.refused("LIMIT", self.ada, "edit.redo", world=second)
        self.assertEqual(self.sums()[0], 800)

    def test_whole_worlds(self):
        self.ada.call("body.add", world=self.worlds[0], **self.points(300))
        document = self.ada.call("world.save", world=self.worlds[0])["document"]
        opened = self.pipeline([("world.open", {"name": f"again {i}", "document": document}) for i in range(6)])
        self.assertEqual(len(opened), 1)  # of three worlds
        self.ada.call("world.delete", world=self.worlds[1])
        branches = [("world.branch", {"world": self.worlds[0], "name": f"twig {i}"}) for i in range(6)]
        self.assertEqual(len(self.pipeline(branches)), 1)
        self.server.kill()
        self.start()


class Writing(AccessTest):
    ARGUMENTS = ("--person-messages", "0", "--person-edits", "0")

    def test_who_did_what_and_no_secrets(self):
        admin = self.peer(self.token)
        token = self.person(admin, "Ada")
        ada = self.peer(token)
        world = ada.call("world.create", name="ours")["world"]
        ada.call("world.set", world=world, damping=1)
        self.refused("CONFLICT", ada, "world.create", name="ours")
        self.refused("INVALID", ada, "world.set", world=world, damping=-1)
        bob = self.peer(self.person(admin, "Bob"))
        self.refused("DENIED", bob, "token.list")
        for found in ({"what": "connect", "outcome": "ok"}, {"what": "hello", "outcome": "ok", "user": "Ada"},
                      {"what": "call", "method": "world.create", "world": world, "user": "Ada", "outcome": "ok"},
                      {"what": "call", "method": "world.set", "world": world, "user": "Ada", "outcome": "ok"},
                      {"what": "refused", "method": "world.create", "user": "Ada", "outcome": "CONFLICT"},
                      {"what": "refused", "method": "token.list", "user": "Bob", "outcome": "DENIED"},
                      {"what": "call", "method": "token.create", "user": "root"}):
            lines = self.audited(lambda line: all(line.get(key) == value for key, value in found.items()), found)
            self.assertTrue(lines[0]["address"].startswith("127.0.0.1"))
        os.rename(self.audit, self.audit + ".1")
        self.server.signal(signal.SIGHUP)
        deadline = time.monotonic() + PATIENCE_S
        while not os.path.exists(self.audit):
            self.assertLess(time.monotonic(), deadline, "the log was not opened again")
            time.sleep(0.01)
        ada.call("world.set", world=world, damping=2)
        self.audited(lambda line: line.get("method") == "world.set", "edit after the log was opened again")
        for path in (self.audit, self.audit + ".1"):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            self.assertNotIn(token, text)
            self.assertNotIn("weft_", text)
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)

    def test_a_log_that_nobody_takes_stops_nobody(self):
        pipe = os.path.join(self.folder, "stalled")
        os.mkfifo(pipe)
        keeper = os.open(pipe, os.O_RDWR)  # there is somebody, who does not read
        self.addCleanup(os.close, keeper)
        self.end()
        self.audit = pipe
        self.start()
        admin = self.peer(self.token)
        world = admin.call("world.create", name="ours")["world"]
        for _ in range(40):
            asked = [admin.request("world.set", world=world, damping=1) for _ in range(250)]
            for one in asked:
                admin.answer(one)
        self.assertTrue(admin.call("server.ping"))


class Descriptors(unittest.TestCase):
    """Running out of them stops nothing."""

    def test_more_connections_than_files(self):
        folder = tempfile.mkdtemp(prefix="weft-access-")
        self.addCleanup(shutil.rmtree, folder)
        token = make_token(os.path.join(folder, "data"))
        server = Server("--threads", "1", "--data", os.path.join(folder, "data"), "--tokens")
        try:
            subprocess.run(["prlimit", "--nofile=48:48", "--pid", str(server.process.pid)], check=True)
            first = server.peer()
            first.call("session.hello", token=token, errors="map")
            others = []
            for _ in range(120):
                try:
                    others.append(server.peer())
                except OSError:
                    break
            self.assertTrue(first.call("server.ping"))
            first.call("world.create", name="w")
            self.assertTrue(server.alive())
            for other in others:
                other.close()
            deadline = time.monotonic() + PATIENCE_S
            while True:
                try:
                    with server.peer() as later:
                        later.call("session.hello", token=token)
                        break
                except (Closed, OSError, WeftError):
                    self.assertLess(time.monotonic(), deadline, "nobody gets in any more")
                    time.sleep(0.05)
            self.assertTrue(first.call("server.ping"))
            first.close()
        finally:
            self.assertEqual(server.stop(), 0, "\n".join(server.lines[-40:]))


if __name__ == "__main__":
    unittest.main()
