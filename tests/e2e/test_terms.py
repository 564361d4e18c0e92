#!/usr/bin/env python3
"""Terms of edits: of those who race exactly one wins, and what is sent again is made once, whatever dies in between."""

import os
import random
import shutil
import tempfile
import unittest

from weft_peer import Closed, Server, ServerTest, WeftError

ROUNDS = 30 if not os.environ.get("WEFT_SANITIZE") else 8


class Race(ServerTest):
    def people(self, world):
        peers = [self.server.peer() for _ in range(3)]
        for number, peer in enumerate(peers):
            peer.call("session.hello", user=f"person{number}", errors="map")
        world = peers[0].call("world.create", name=world)["world"]
        peers[0].call("body.add", world=world, name="rope", kind="rope", positions=[0, 1, 0, 1, 1, 0])
        return world, peers

    def race(self, field, play):
        world, peers = self.people(f"{field}-{play}")
        if play:
            peers[0].call("world.play", world=world)
        revision = 1
        for turn in range(ROUNDS):
            asked = [peer.request("body.set", world=world, body="rope", thickness=0.001 * (turn + 1) + 1e-4 * number,
                                  **{field: revision}) for number, peer in enumerate(peers)]
            won, lost = [], []
            for number, peer in enumerate(peers):
                try:
                    won.append((number, peer.answer(asked[number])["revision"]))
                except WeftError as error:
                    lost.append(error)
            self.assertEqual(len(won), 1)
            winner, now = won[0]
            self.assertEqual(now, revision + 1)
            for error in lost:
                self.assertEqual((error.code, error.field), ("CONFLICT", field))
                self.assertEqual((error.error["revision"], error.error["user"], error.error["value"]),
                                 (now, f"person{winner}", str(revision)))
                self.assertIn(f"body.set by person{winner}", error.text)
            self.assertAlmostEqual(peers[0].call("body.get", world=world, body="rope")["thickness"],
                                   0.001 * (turn + 1) + 1e-4 * winner, places=6)
            revision = now
        for peer in peers:
            peer.close()

    def test_of_those_who_race_one_wins(self):
        for field in ("if_revision", "if_thing_revision"):
            for play in (False, True):
                with self.subTest(field=field, play=play):
                    self.race(field, play)

    def test_plain_errors_say_it_too(self):
        with self.server.peer() as peer:
            peer.call("session.hello", user="ann")
            world = peer.call("world.create", name="plain")["world"]
            peer.call("world.set", world=world, damping=1)
            with self.assertRaises(WeftError) as stale:
                peer.call("world.set", world=world, damping=2, if_revision=0)
            self.assertEqual(stale.exception.text,
                             "if_revision: 0, but the world is at revision 1, which was world.set by ann")

    def test_what_touched_says_can_be_given_back(self):
        world, peers = self.people("touched")
        peers[1].call("particle.pin", world=world, body="rope", particles=[0])
        touched = peers[2].call("world.join", world=world)["bodies"][0]["touched"]
        self.assertEqual((touched["revision"], touched["user"], touched["method"]), (2, "person1", "particle.pin"))
        peers[0].call("world.set", world=world, damping=1)
        peers[2].call("body.set", world=world, body="rope", thickness=0.1, if_thing_revision=touched["revision"])
        for peer in peers:
            peer.close()

    def test_hostile_terms(self):
        world, peers = self.people("hostile")
        for terms in ({"if_revision": -1}, {"if_revision": "1"}, {"if_revision": 1.5}, {"if_revision": 2 ** 53},
                      {"if_thing_revision": [1]}, {"edit_id": 7}, {"edit_id": "x" * 65}, {"edit_id": ""},
                      {"edit_id": "a\nb"}, {"edit_id": b"\xff"}):
            with self.assertRaises(WeftError) as refused:
                peers[0].call("world.set", world=world, damping=3, **terms)
            self.assertIn(refused.exception.code, ("INVALID", "LIMIT"), terms)
            self.assertEqual(refused.exception.field, next(iter(terms)))
        for method in ("world.get", "world.play", "world.step", "grab.begin", "world.hash"):
            with self.assertRaises(WeftError) as refused:
                peers[0].call(method, world=world, if_revision=1)
            self.assertEqual(refused.exception.code, "INVALID")
        self.assertEqual(peers[0].call("world.get", world=world)["revision"], 1)
        for peer in peers:
            peer.close()


class Again(unittest.TestCase):
    """Edits that are sent again, after a lost connection and after the server died."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-again-")
        self.server = Server("--data", self.folder)

    def tearDown(self):
        self.server.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def peer(self, user="ann"):
        peer = self.server.peer()
        peer.call("session.hello", user=user, errors="map")
        return peer

    def restart(self):
        self.server.kill()
        self.server = Server("--data", self.folder)

    def test_the_answer_is_that_of_the_first_time(self):
        with self.peer() as peer:
            world = peer.call("world.create", name="again")["world"]
            rope = {"world": world, "kind": "rope", "positions": [0, 0, 0, 1e-9, 0, 0, 1, 0, 0], "weld": 0.01, "edit_id": "rope"}
            first = peer.call("body.add", **rope)
            batch = {"world": world, "edit_id": "batch", "edits": [
                ["collider.add", {"name": "ball", "kind": "sphere"}], ["collider.remove", {"collider": "ball"}]]}
            second = peer.call("edit.batch", **batch)
        for restart in (False, True, True):
            if restart:
                self.restart()
            with self.peer() as peer:
                self.assertEqual(peer.call("body.add", **rope), {**first, "repeated": True})
                self.assertEqual(peer.call("edit.batch", **batch), {**second, "repeated": True})
                with self.assertRaises(WeftError) as other:
                    peer.call("body.add", **{**rope, "weld": 0.02})
                self.assertEqual((other.exception.code, other.exception.field, other.exception.error["value"],
                                  other.exception.error["revision"]), ("CONFLICT", "edit_id", "rope", 1))
                self.assertIn("body.add", other.exception.text)
                self.assertEqual(peer.call("world.get", world=world)["revision"], 2)
            with self.peer("bob") as peer:  # an id is one's own: this is a new edit, and refused for another reason
                with self.assertRaises(WeftError) as other:
                    peer.call("collider.remove", world=world, collider="ball", edit_id="batch")
                self.assertEqual(other.exception.code, "NOT_FOUND")

    def test_a_name_is_not_taken_twice(self):
        with self.peer() as peer:
            world = peer.call("world.create", name="old")["world"]
            asked = [peer.request("world.set", world=world, name="new", edit_id="name") for _ in range(3)]
            answers = [peer.answer(msgid) for msgid in asked]
            self.assertEqual([answer.get("repeated", False) for answer in answers], [False, True, True])
            peer.call("world.set", world=world, name="newer")
            self.assertTrue(peer.call("world.set", world=world, name="new", edit_id="name")["repeated"])
            self.assertEqual(peer.call("world.get", world="newer")["world"], world)
            peer.call("world.create", name="new")  # which is free

    def test_each_is_made_once_whatever_dies(self):
        dice = random.Random(5)
        with self.peer() as peer:
            world = peer.call("world.create", name="once")["world"]
            peer.call("world.play", world=world)
        unanswered, made, number = [], set(), 0
        for _ in range(ROUNDS // 3):
            peer = self.peer()
            new = [f"edit{number + more}" for more in range(dice.randrange(1, 30))]
            number += len(new)
            sent = {}
            for name in unanswered + new:
                for _ in range(dice.choice((1, 1, 2))):
                    fields = {"name": name, "kind": "sphere", "radius": 0.1}
                    if dice.random() < 0.5:
                        msgid = peer.request("collider.add", world=world, edit_id=name, **fields)
                    else:
                        msgid = peer.request("collider.add", world=world, edit_id=name, **fields, if_revision=None)
                    sent[msgid] = name
            wanted = dice.randrange(len(sent) + 1)
            try:
                for msgid in list(sent)[:wanted]:
                    self.assertNotIn("error", peer.answer(msgid))
                    made.add(sent[msgid])
            except Closed:
                pass
            unanswered = sorted({*unanswered, *new} - made)
            if dice.random() < 0.6:
                self.restart()
            else:
                peer.close()
            if number > 200:  # a world has 256 colliders
                break
        with self.peer() as peer:
            for name in unanswered:
                peer.call("collider.add", world=world, edit_id=name, name=name, kind="sphere", radius=0.1)
            names = [collider["name"] for collider in peer.call("world.join", world=world)["colliders"]]
            self.assertEqual(sorted(names), sorted(f"edit{one}" for one in range(number)))
            self.assertEqual(peer.call("world.get", world=world)["revision"], number)


if __name__ == "__main__":
    unittest.main()
