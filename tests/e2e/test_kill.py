#!/usr/bin/env python3
"""What was acknowledged is there after kill -9 at any moment, bit for bit: rounds of edits, death and return on one folder.

    test_kill.py [--rounds N]

Two people edit two worlds that play, one drags. The server is killed at a random moment, which is counted in answers, so that each
round has edits to lose on a slow machine as well. What they were answered must be there when it is back, as must the state:
replaying the whole journal from its first image comes to the same hashes. make soak has thousands of rounds.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from weft_peer import PATIENCE_S, Server, sheet

ROUNDS = 16
SEED = 16


class Editor:
    """Edits a world over one connection without waiting for answers, and knows which were answered."""

    def __init__(self, server, world, dice, number):
        self.peer = server.peer()
        self.world, self.dice, self.number = world, dice, number
        self.sent = {}  # msgid: what it was
        self.answered = []  # (revision, what)
        self.peer.call("session.hello", client="test", user=f"editor{number}")

    def send(self, round_number, count):
        dice = self.dice
        name = f"n{round_number}-{self.number}-{count}"
        what = dice.choice(["name", "name", "collider", "gravity", "pin"])
        if what == "name":
            msgid = self.peer.request("body.set", world=self.world, body=1, name=name)
        elif what == "collider":
            msgid = self.peer.request("collider.add", world=self.world, kind="sphere", name=name, radius=0.1,
                                      position=[dice.uniform(-9, 9), -5, 0])
        elif what == "gravity":
            name = round(dice.uniform(-9.8, -1), 6)
            msgid = self.peer.request("world.set", world=self.world, gravity=[0, name, 0])
        else:
            name = [dice.uniform(-0.1, 0.1), round(dice.uniform(0.5, 1), 6), 0]
            msgid = self.peer.request("particle.pin", world=self.world, body=1, particles=[0], positions=name)
        self.sent[msgid] = (what, name)

    def drag(self, grab):
        self.peer.notify("grab.move", world=self.world, grab=grab, target=[0, self.dice.uniform(0, 1), 0])

    def take(self):
        for msgid in [msgid for msgid in self.peer.answers if msgid in self.sent]:
            error, result, _ = self.peer.answers.pop(msgid)
            what = self.sent.pop(msgid)
            if error is None:
                self.answered.append((result["revision"], *what))
            elif "LIMIT" not in str(error):
                raise AssertionError(f"{what} was refused: {error}")


class Kill(unittest.TestCase):
    rounds = ROUNDS

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-kill-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.dice = random.Random(SEED)

    def start(self):
        server = Server("--data", self.folder, "--threads", "2")
        self.addCleanup(server.kill)
        return server

    def make_worlds(self):
        server = self.start()
        with server.peer() as peer:
            positions, triangles = sheet(8, 6)
            for name in ("one", "two"):
                peer.call("world.create", name=name, substeps=4)
                peer.call("body.add", world=name, kind="cloth", positions=positions, triangles=triangles, pins=[0, 7],
                          name="cloth", thickness=0.01, self_contact=True)
            peer.call("world.play", world="one")
        server.kill()  # with all it was answered

    def edit(self, editors, round_number, count, least):
        """One more edit of each, of which up to eight are on their way. True at once when so many are answered: what was answered too
        soon is lost only to a death that comes before it is written."""
        for editor in editors:
            if len(editor.sent) < 8:
                editor.send(round_number, count)
            editor.peer.pump(0.001)
            editor.take()
            if sum(len(one.answered) for one in editors) >= least:
                return True
        return False

    def edit_until_killed(self, server, round_number):
        """Kills the server at a random moment while two people edit. What was answered, by world."""
        editors = [Editor(server, world, self.dice, number) for number, world in enumerate(("one", "two"))]
        grab = editors[0].peer.call("grab.begin", world="one", body=1, particle=20, target=[0, 0.5, 0])["grab"]
        if round_number % 7 == 3:
            editors[1].peer.call("world.play" if round_number % 2 else "world.pause", world="two")
        least, count = self.dice.randrange(1, 40), 0
        while not self.edit(editors, round_number, count, least):
            editors[0].drag(grab)
            count += 1
        server.signal(signal.SIGKILL)
        for editor in editors:
            editor.peer.expect_end()
            editor.take()
            editor.peer.close()
        server.kill()
        return {editor.world: editor.answered for editor in editors}

    def check(self, server, world, answered):
        """All that was answered is seen in what came back."""
        with server.peer() as peer:
            joined = peer.call("world.join", world=world)
            last = {}
            for revision, what, value in sorted(answered, key=lambda one: one[0]):
                self.assertLessEqual(revision, joined["revision"], f"{world}: {what} {value} is lost")
                last[what] = (revision, value)
            colliders = {one["name"] for one in joined["colliders"]}
            for _, what, value in answered:
                if what == "collider":
                    self.assertIn(value, colliders)
            # Of what is overwritten, what was answered last is there unless something later was taken in unanswered.
            unanswered = joined["revision"] - max([revision for revision, _, _ in answered], default=joined["revision"])
            if unanswered == 0 and "name" in last:
                self.assertEqual(joined["bodies"][0]["name"], last["name"][1])
            if unanswered == 0 and "gravity" in last:
                self.assertAlmostEqual(joined["gravity"][1], last["gravity"][1], 6)
            return joined["revision"]

    def test_what_was_answered_is_there_after_every_death(self):
        self.make_worlds()
        before = {"one": 0, "two": 0}
        answered = {"one": [], "two": []}
        total = 0
        for round_number in range(self.rounds):
            server = self.start()
            for world in ("one", "two"):
                revision = self.check(server, world, answered[world])
                self.assertGreaterEqual(revision, before[world])
                before[world] = revision
            answered = self.edit_until_killed(server, round_number)
            total += sum(len(some) for some in answered.values())
        server = self.start()
        for world in ("one", "two"):
            self.check(server, world, answered[world])
        hashes = {}
        with server.peer() as peer:
            for world in ("one", "two"):
                peer.call("world.pause", world=world)
                hashes[world] = peer.call("world.hash", world=world)
        self.assertEqual(server.stop(), 0)
        print(f"{self.rounds} deaths, {total} answered edits are there", flush=True)
        self.replay(hashes)

    def replay(self, hashes):
        """From the first image to the last tick, without any other: the hashes that the journal tells on the way are equal."""
        result = subprocess.run([os.environ["WEFT"], "replay", self.folder], capture_output=True, text=True,
                                timeout=4 * PATIENCE_S)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for world, told in hashes.items():
            self.assertIn(told["hash"], result.stdout, f"{world} at tick {told['tick']}: {result.stdout}")

    def test_a_stop_in_order_loses_nothing_and_plays_on(self):
        self.make_worlds()
        server = self.start()
        with server.peer() as peer:
            self.assertEqual(peer.call("server.info")["storage"]["kind"], "sqlite")
            peer.call("world.pause", world="one")
            told = peer.call("world.hash", world="one")
            peer.call("world.play", world="two")
        self.assertEqual(server.stop(), 0)
        server = self.start()
        with server.peer() as peer:
            self.assertEqual(peer.call("world.hash", world="one"), told)
            self.assertEqual(peer.call("world.get", world="one")["state"], "paused")
            self.assertEqual(peer.call("world.get", world="two")["state"], "playing")
            worlds = {one["name"]: one["world"] for one in peer.call("world.list")["worlds"]}
            self.assertEqual(worlds, {"one": 1, "two": 2})
            peer.call("world.delete", world="two")
            self.assertEqual(peer.call("world.create", name="two")["world"], 3)
        server.kill()
        server = self.start()
        with server.peer() as peer:
            worlds = {one["name"]: one["world"] for one in peer.call("world.list")["worlds"]}
            self.assertEqual(worlds, {"one": 1, "two": 3})
        self.assertEqual(server.stop(), 0)

    def test_two_servers_do_not_share_a_folder(self):
        server = self.start()
        with self.assertRaises(AssertionError) as caught:
            Server("--data", self.folder)
        self.assertIn(str(server.process.pid), str(caught.exception))
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parsed, rest = parser.parse_known_args()
    Kill.rounds = parsed.rounds
    unittest.main(argv=[sys.argv[0], *rest])
