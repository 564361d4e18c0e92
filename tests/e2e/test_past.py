#!/usr/bin/env python3
"""A world's past: shown at any tick, paged through, branched from; and who may do what with what shows it."""

import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import msgpack
from weft_peer import SLOW, Server, ServerTest, WeftError, busy_s, main, metric, sheet

READ_ONLY = [
    ("body.remove", dict(body=1)), ("world.set", dict(damping=1.0)), ("world.play", {}), ("world.step", {}), ("world.pause", {}),
    ("grab.begin", dict(body=1, particle=3)), ("world.reset", {}), ("collider.add", dict(kind="sphere", radius=1.0)),
]

# Twelve sessions that seek until a line comes in; then it tells how often.
SEEKERS = """
import random, sys, threading
from weft_peer import Peer, WeftError
address, world = sys.argv[1], int(sys.argv[2])
stop, done, wrong = threading.Event(), [], []
def seek(seed):
    dice = random.Random(seed)
    with Peer(address) as peer:
        while not stop.is_set():
            try:
                peer.call("world.seek", world=world, tick=dice.randrange(61))
                done.append(1)
            except WeftError as error:
                if error.code != "CONFLICT":
                    wrong.append(error)
threads = [threading.Thread(target=seek, args=(seed,)) for seed in range(12)]
for thread in threads:
    thread.start()
print("begins", flush=True)
sys.stdin.readline()
stop.set()
for thread in threads:
    thread.join()
print(len(done))
sys.exit(len(wrong))
"""


class Past(ServerTest):
    HTTP = "127.0.0.1:0"

    def setUp(self):
        super().setUp()
        self.begun_at = time.time()

    def hash(self, peer, world):
        return peer.call("world.hash", world=world)["hash"]

    def cloth(self, peer, size=12, **fields):
        world = self.world(peer, **fields)
        positions, triangles = sheet(size, size)
        peer.call("body.add", world=world, name="sail", kind="cloth", positions=positions, triangles=triangles,
                  pins=[0, size - 1], thickness=0.01)
        return world

    def edits(self, dice):
        """A program of what people do, by tick."""
        number = lambda low, high: round(dice.uniform(low, high), 3)
        program = {}
        for _ in range(12):
            program.setdefault(dice.randrange(1, 60), []).append(dice.choice([
                ("world.set", dict(gravity=[0, number(-9, 9), 0])),
                ("world.set", dict(substeps=dice.randint(2, 12), wind={"velocity": [number(-3, 3), 0, 0], "drag": 1.0})),
                ("body.set", dict(body="sail", stretch={"compliance": number(0, 0.01)})),
                ("particle.pin", dict(body="sail", particles=[dice.randrange(144)])),
                ("particle.unpin", dict(body="sail", particles=[0])),
                ("collider.add", dict(kind="sphere", radius=number(0.1, 0.4), position=[0.5, number(-1, 0), 0.5])),
                ("body.add", dict(kind="points", positions=[0, number(0, 2), 0])),
            ]))
        return program

    def run_program(self, peer, world, program, until, hashes=None, skip=(), instead=None):
        """Runs to a tick; tells the hash at each, after all that was done there. skip: places in the program, in order."""
        place = 0
        for tick in range(until + 1):
            for method, fields in program.get(tick, []):
                if place not in skip:
                    peer.call(method, world=world, **(instead or {}).get(place, fields))
                place += 1
            if hashes is not None:
                hashes.append(self.hash(peer, world))
            if tick < until:
                peer.call("world.step", world=world)
        return self.hash(peer, world)

    # -- seeking

    def test_any_tick_is_shown_as_it_was(self):
        peer, dice = self.peer(), random.Random(3)
        world = self.cloth(peer)
        hashes = []
        self.run_program(peer, world, self.edits(dice), 60, hashes)
        history = peer.call("world.history", world=world)
        self.assertEqual((history["first_tick"], history["tick"], history["records"]), (0, 60, 13))
        self.assertEqual(history["revision"], 13)
        self.assertEqual([(span["first_tick"], span["last_tick"], span["exact"]) for span in history["spans"]], [(0, 60, True)])
        self.assertEqual(history["image_ticks"][0], 0)
        self.assertTrue(self.begun_at - 1 <= history["began_at"] <= time.time() + 1)
        view = None
        for _ in range(60):
            tick = dice.randrange(61)
            shown = peer.call("world.seek", world=view if view and dice.random() < 0.5 else world, tick=tick)
            self.assertEqual((shown["tick"], shown["hash"], shown["exact"]), (tick, hashes[tick], True))
            self.assertEqual(view or shown["view"], shown["view"])
            view = shown["view"]
            self.assertEqual(self.hash(peer, view), hashes[tick])
            got = peer.call("world.get", world=view)
            self.assertEqual((got["tick"], got["revision"], got["view_of"]), (tick, shown["revision"], world))
        self.assertEqual(self.hash(peer, world), hashes[60])

    def test_the_past_of_a_world_that_plays_goes_on(self):
        peer = self.peer()
        world = self.cloth(peer)
        peer.call("world.play", world=world)
        peer.until(lambda: peer.call("world.history", world=world)["tick"] > 30, "half a second of past")
        first = peer.call("world.seek", world=world, tick=30)
        peer.until(lambda: peer.call("world.history", world=world)["tick"] > 60, "more past")
        later = peer.call("world.seek", world=world, tick=60)
        self.assertEqual(later["view"], first["view"])
        peer.call("world.pause", world=world)
        again = peer.call("world.seek", world=world, tick=30)
        self.assertEqual(again["hash"], first["hash"])
        straight = self.cloth(peer, name="straight")
        peer.call("world.step", world=straight, ticks=30)
        self.assertEqual(self.hash(peer, straight), first["hash"])

    def test_grabs_are_seen_and_held_by_nobody(self):
        peer = self.peer()
        world = self.cloth(peer)
        grab = peer.call("grab.begin", world=world, body="sail", particle=60, target=[0, 1, 0])["grab"]
        peer.call("world.step", world=world, ticks=5)
        held = self.hash(peer, world)
        peer.call("grab.end", world=world, grab=grab)
        peer.call("world.step", world=world, ticks=5)
        shown = peer.call("world.seek", world=world, tick=3)
        self.assertEqual(peer.call("world.get", world=shown["view"])["grabs"], 1)
        joined = peer.call("world.join", world=shown["view"])
        self.assertEqual([(one["grab"], one["user"]) for one in joined["grabs"]], [(grab, "")])
        # At that boundary it was let go: the last that was told there counts.
        self.assertNotEqual(peer.call("world.seek", world=world, tick=5)["hash"], held)
        branch = peer.call("world.branch", world=world, tick=3, name="let go")["world"]
        self.addCleanup(self._delete, branch)
        self.assertEqual(peer.call("world.get", world=branch)["grabs"], 0)

    def test_a_branch_of_the_present_runs_no_tick_again(self):
        run_again = lambda: metric(self.server, "weft_past_ticks_total")

        for size in (4, 40):  # one whose image is made at once, and one whose image is made beside it
            peer = self.peer()
            world = self.cloth(peer, size, name=f"present {size}")
            peer.call("world.step", world=world, ticks=10)
            peer.call("world.play", world=world)
            before = run_again()
            damped = peer.request("world.set", world=world, damping=0.5)  # pipelined: the branch has it
            branch = peer.call("world.branch", world=world)
            self.addCleanup(self._delete, branch["world"])
            peer.answer(damped)
            peer.call("world.pause", world=world)
            self.assertEqual(run_again(), before)
            self.assertGreaterEqual(branch["tick"], 10)
            self.assertEqual(peer.call("world.get", world=branch["world"])["damping"], 0.5)
            self.assertEqual(peer.call("world.seek", world=world, tick=branch["tick"])["hash"], self.hash(peer, branch["world"]))
            self.assertGreater(run_again(), before)

    # -- views

    def test_streams_of_a_view_go_on_when_it_moves(self):
        peer = self.peer()
        world = self.cloth(peer)
        peer.call("world.step", world=world, ticks=10)
        peer.call("body.add", world=world, kind="points", positions=[0, 0, 0])
        peer.call("world.step", world=world, ticks=10)
        view = peer.call("world.seek", world=world, tick=5)["view"]
        peer.call("world.join", world=view)
        stream = peer.call("stream.subscribe", world=view, every=7)["stream"]
        first = peer.frame(stream).params
        self.assertEqual((first["tick"], first["world"], len(first["bodies"])), (5, view, 1))
        for tick, bodies in ((15, 2), (2, 1), (20, 2)):
            peer.call("world.seek", world=view, tick=tick)
            frame = peer.frame(stream, found=lambda params, tick=tick: params["tick"] == tick).params
            self.assertEqual(len(frame["bodies"]), bodies)
            changed = peer.notice("world.changed", found=lambda params, tick=tick: params["tick"] == tick)
            self.assertEqual((changed["world"], changed["view_of"], changed["state"]), (view, world, "paused"))
            self.assertIn("world.branch", changed["read_only"])

    def test_a_view_takes_no_edits_and_is_no_world_of_the_list(self):
        peer = self.peer()
        world = self.cloth(peer)
        view = peer.call("world.seek", world=world, tick=0)["view"]
        before = self.hash(peer, view)
        for method, fields in READ_ONLY:
            error = self.refused("READ_ONLY", peer, method, world=view, **fields)
            self.assertIn("world.branch makes a world of it", error.text)
        peer.notify("grab.begin", world=view, body=1, particle=3)
        self.assertEqual(self.hash(peer, view), before)
        self.assertNotIn(view, [one["world"] for one in peer.call("world.list")["worlds"]])
        self.assertEqual(peer.call("body.get", world=view, body="sail")["particles"], 144)
        saved = peer.call("world.save", world=view)
        opened = peer.call("world.open", document=saved["document"], name="of a view")["world"]
        self.addCleanup(self._delete, opened)
        self.assertEqual(self.hash(peer, opened), before)

    def test_a_view_is_its_sessions_alone(self):
        ann, bob = self.peer(), self.peer()
        world = self.cloth(ann)
        ann.call("world.step", world=world, ticks=4)
        hers = ann.call("world.seek", world=world, tick=1)["view"]
        for method, fields in (("world.get", {}), ("world.seek", dict(tick=2)), ("world.delete", {}), ("edit.log", {}),
                               ("stream.subscribe", {}), ("world.branch", {}), ("world.history", {})):
            self.refused("DENIED", bob, method, world=hers, **fields)
        his = bob.call("world.seek", world=world, tick=3)["view"]
        self.assertNotEqual(his, hers)
        self.assertEqual(ann.call("world.get", world=hers)["tick"], 1)
        self.assertEqual(bob.call("world.get", world=his)["tick"], 3)

    def test_how_a_view_ends(self):
        peer, other = self.peer(), self.peer()
        other.call("server.ping")  # whoever says nothing for long after it came is cut
        world = self.cloth(peer)
        seek = lambda: peer.call("world.seek", world=world, tick=0)["view"]
        for end in ("world.leave", "world.delete"):
            view = seek()
            peer.call("world.join", world=view)
            stream = peer.call("stream.subscribe", world=view)["stream"]
            peer.call(end, world=view)
            self.refused("NOT_FOUND", peer, "world.get", world=view)
            self.assertEqual(peer.notice("stream.closed")["stream"], stream)
            self.assertNotEqual(seek(), view)
        view = seek()
        peer.call("world.join", world=view)
        other.call("world.delete", world=world)
        self.assertEqual(peer.notice("world.changed", found=lambda params: params["world"] == view)["state"], "deleted")
        peer.until(lambda: self.is_gone(peer, view), "the view's end with its world")

    def is_gone(self, peer, world):
        try:
            peer.call("world.get", world=world)
            return False
        except WeftError as error:
            return error.code in ("NOT_FOUND", "DENIED")

    def test_a_session_has_so_many_views_and_they_go_with_it(self):
        peer, keeper = self.peer(), self.peer()
        worlds = [self.cloth(keeper, size=3, name=f"views {i}") for i in range(5)]
        views = [peer.call("world.seek", world=world, tick=0)["view"] for world in worlds[:4]]
        error = self.refused("LIMIT", peer, "world.seek", world=worlds[4], tick=0)
        self.assertIn("session_views", error.text)
        peer.call("world.leave", world=views[2])
        peer.call("world.seek", world=worlds[4], tick=0)
        # 64 of all sessions: 16 sessions of 4 each.
        peers = [self.peer() for _ in range(15)]
        for one in peers:
            for world in worlds[:4]:
                one.call("world.seek", world=world, tick=0)
        self.assertIn("limit views", self.refused("LIMIT", self.peer(), "world.seek", world=worlds[0], tick=0).text)
        peers[3].close()
        last = self.peer()
        last.until(lambda: self.tries(last, worlds[0]), "room where a session has gone")

    def tries(self, peer, world):
        try:
            return peer.call("world.seek", world=world, tick=0)["view"]
        except WeftError as error:
            self.assertEqual(error.code, "LIMIT")
            return None

    # -- hostile ones

    def test_ticks_and_parameters_that_are_not_there(self):
        peer = self.peer()
        world = self.cloth(peer)
        peer.call("world.step", world=world, ticks=3)
        self.assertIn("0 to 3", self.refused("NOT_FOUND", peer, "world.seek", world=world, tick=4).text)
        self.refused("NOT_FOUND", peer, "world.seek", world=world, tick=2**53 - 1)
        self.refused("NOT_FOUND", peer, "world.branch", world=world, tick=2**53 - 1)
        for wrong in (-1, 2**53, 2**64 - 1, 0.5, "3", None, [1], float("nan")):
            self.refused("INVALID", peer, "world.seek", world=world, tick=wrong)
        for method in ("world.seek", "world.branch", "world.history", "edit.log"):
            fields = dict(tick=0) if method == "world.seek" else {}
            self.refused("NOT_FOUND", peer, method, world=4711, **fields)
            self.refused("INVALID", peer, method, world=world, tick=0, more=1)
        for fields in (dict(limit=0), dict(limit=4097), dict(since=-1), dict(inputs=1)):
            self.refused("INVALID", peer, "edit.log", world=world, **fields)
        self.assertEqual(peer.call("edit.log", world=world, since=2**53 - 1)["edits"], [])
        self.refused("NOT_FOUND", peer, "world.branch", world=world, without=[2])
        self.refused("NOT_FOUND", peer, "world.branch", world=world, without=[0])
        self.refused("INVALID", peer, "world.branch", world=world, without=[1, 1])
        self.refused("LIMIT", peer, "world.branch", world=world, without=list(range(1, 1026)))
        self.refused("NOT_FOUND", peer, "world.branch", world=world, instead=[{"revision": 7, "params": {}}])
        self.refused("INVALID", peer, "world.branch", world=world, instead=[{"revision": 1}])
        self.refused("INVALID", peer, "world.branch", world=world, instead=[{"revision": 0, "params": {}}])
        for params, word in (({}, "kind"), (5, "map"), ({"kind": "cloth", "world": 1}, "world"), ({"kind": "no"}, "kind"),
                             ({"kind": "rope", "positions": [0, 0, 0], "thickness": -1}, "thickness"),
                             ({"kind": "rope", "positions": [0] * 3, "more": 1}, "more")):
            error = self.refused("INVALID", peer, "world.branch", world=world, instead=[{"revision": 1, "params": params}])
            self.assertIn("instead", error.text)
            self.assertIn(word, error.text)
        self.refused("CONFLICT", peer, "world.branch", world=world, name=peer.call("world.get", world=world)["name"])
        self.refused("INVALID", peer, "world.branch", world=world, name="")
        self.assertEqual(self.hash(peer, world), peer.call("world.seek", world=world, tick=3)["hash"])

    def test_an_older_seek_gives_way_to_a_newer_one(self):
        peer = self.peer()
        world = self.cloth(peer, size=40)
        peer.call("world.step", world=world, ticks=60)
        asked = list(enumerate((60, 10, 50, 20, 40, 30, 55), 1000))
        # In one piece, so that all are read before the first is done.
        peer.send_raw(b"".join(msgpack.packb([0, msgid, "world.seek", [{"world": world, "tick": tick}]]) for msgid, tick in asked))
        told = []
        for msgid, tick in asked:
            try:
                self.assertEqual(peer.answer(msgid)["tick"], tick)
                told.append(tick)
            except WeftError as error:
                self.assertEqual(error.code, "CONFLICT")
                self.assertIn("later world.seek", error.text)
        self.assertEqual(told[-1], 55)
        self.assertLess(len(told), len(asked))
        view = peer.call("world.seek", world=world, tick=55)["view"]
        self.assertEqual(peer.call("world.get", world=view)["tick"], 55)

    def test_sessions_that_go_in_the_middle_leave_nothing(self):
        keeper = self.peer()
        world = self.cloth(keeper, size=50)
        keeper.call("world.step", world=world, ticks=40)
        for turn in range(12):
            peer = self.server.peer()
            peer.request("world.seek", world=world, tick=40 - turn)
            if turn % 3 == 1:
                peer.request("world.branch", world=world, tick=40, without=[1], name=f"never {turn}")
            if turn % 3 == 2:
                keeper.fence(world)  # so that it may have begun
            peer.close()
        keeper.until(lambda: keeper.call("server.stats")["sessions"] == 1, "the end of the sessions")
        names = [one["name"] for one in keeper.call("world.list")["worlds"]]
        for name in names:  # one that was made before its session went is there, as with world.open
            if name.startswith("never"):
                keeper.call("world.delete", world=name)
        self.assertEqual(keeper.call("world.seek", world=world, tick=40)["hash"], self.hash(keeper, world))

    def test_a_world_that_goes_in_the_middle_of_a_seek(self):
        peer, other = self.peer(), self.peer()
        other.call("server.ping")  # whoever says nothing for long after it came is cut
        world = self.cloth(peer, size=50)
        peer.call("world.step", world=world, ticks=60)
        view = peer.call("world.seek", world=world, tick=1)["view"]
        late = peer.request("world.seek", world=world, tick=59)
        other.call("world.delete", world=world)
        try:
            peer.answer(late)
        except WeftError as error:
            self.assertEqual(error.code, "NOT_FOUND", error.text)
        peer.until(lambda: self.is_gone(peer, view), "the view's end")

    def test_many_seeks_hold_up_nobody(self):
        keeper, innocent = self.peer(), self.peer()
        innocent.call("server.ping")  # whoever says nothing for long after it came is cut
        world = self.cloth(keeper, size=60)
        keeper.call("world.step", world=world, ticks=60)
        # In a process of its own: threads of this one would hold up its pings themselves.
        seekers = subprocess.Popen([sys.executable, "-c", SEEKERS, self.server.address, str(world)], stdout=subprocess.PIPE,
                                   stdin=subprocess.PIPE, cwd=Path(__file__).parent, text=True)
        self.addCleanup(seekers.kill)
        self.assertEqual(seekers.stdout.readline(), "begins\n")
        # One is under way of each of the twelve, and so the others are done.
        asked = keeper.call("server.stats")["requests"]
        keeper.until(lambda: metric(self.server, "weft_requests_total") - asked > 12 + 5, "seeks")
        # Were a seek made where others are read, each answer would wait for one at least.
        least = innocent.served_beside(lambda stats: stats["requests"], most=5, rounds=10)
        done = int(seekers.communicate("enough\n")[0])
        self.assertEqual(seekers.returncode, 0)
        print(f"{done} seeks, of which {least} came beside ten answers to somebody else")
        self.assertGreater(done, 5)

    # -- branches

    def test_a_branch_without_an_edit_is_the_run_without_it(self):
        peer = self.peer()
        for seed in (1, 2, 3):
            dice = random.Random(seed)
            program = self.edits(dice)
            places = sum(map(len, program.values()))
            world = self.cloth(peer, name=f"whole {seed}")
            self.run_program(peer, world, program, 60)
            out = dice.randrange(places)
            # Things keep their ids in a branch; settings and pins leave no hole behind them.
            methods = [method for tick in sorted(program) for method, _ in program[tick]]
            if methods[out] in ("collider.add", "body.add"):
                continue
            straight = self.cloth(peer, name=f"straight {seed}")
            expected = self.run_program(peer, straight, program, 60, skip={out})
            branch = peer.call("world.branch", world=world, without=[out + 2], name=f"without {seed}")
            self.addCleanup(self._delete, branch["world"])
            self.assertEqual(branch["refused"], [])
            self.assertEqual(self.hash(peer, branch["world"]), expected, (seed, methods[out]))
            self.assertEqual(branch["revision"], places)

    def test_a_branch_with_another_edit_instead(self):
        peer = self.peer()
        world = self.cloth(peer)
        peer.call("world.step", world=world, ticks=10)
        peer.call("world.set", world=world, gravity=[0, -1, 0])
        peer.call("world.step", world=world, ticks=10)
        peer.call("particle.set", world=world, body="sail", particles=[70], positions=[0.5, 1, 0.5])
        peer.call("world.step", world=world, ticks=10)
        straight = self.cloth(peer, name="straight")
        peer.call("world.step", world=straight, ticks=10)
        peer.call("world.set", world=straight, gravity=[0, 5, 0], damping=0.5)
        peer.call("world.step", world=straight, ticks=10)
        peer.call("particle.set", world=straight, body="sail", particles=[71, 72], positions=[0.1, 1, 0.5, 0.2, 1, 0.5])
        peer.call("world.step", world=straight, ticks=10)
        branch = peer.call("world.branch", world=world, name="instead", instead=[
            {"revision": 3, "params": {"body": "sail", "particles": [71, 72], "positions": [0.1, 1, 0.5, 0.2, 1, 0.5]}},
            {"revision": 2, "params": {"gravity": [0, 5, 0], "damping": 0.5}},
        ])
        self.addCleanup(self._delete, branch["world"])
        self.assertEqual(self.hash(peer, branch["world"]), self.hash(peer, straight))
        # An edit goes on from there, under the branch's own revision.
        self.assertEqual(peer.call("world.set", world=branch["world"], damping=0)["revision"], branch["revision"] + 1)

    def test_a_world_that_failed(self):
        peer = self.peer()
        world = self.world(peer, extent=1.0)
        peer.call("body.add", world=world, kind="points", positions=[0, 0.5, 0])
        self.refused("CONFLICT", peer, "world.step", world=world, ticks=100)
        failed = peer.call("world.get", world=world)["tick"]
        self.refused("CONFLICT", peer, "world.branch", world=world)
        view = peer.call("world.seek", world=world, tick=failed)["view"]
        got = peer.call("world.get", world=view)
        self.assertEqual((got["state"], got["tick"]), ("failed", failed))
        self.assertIn("extent", got["reason"])
        peer.call("world.seek", world=world, tick=failed - 1)
        self.assertEqual(peer.call("world.get", world=view)["state"], "paused")
        branch = peer.call("world.branch", world=world, tick=failed - 1)["world"]
        self.addCleanup(self._delete, branch)
        peer.call("world.reset", world=world)
        peer.call("world.step", world=world, ticks=3)
        last = self.hash(peer, world)
        self.assertEqual(peer.call("world.seek", world=world, tick=failed + 3)["hash"], last)
        after = peer.call("world.branch", world=world)["world"]
        self.addCleanup(self._delete, after)
        self.assertEqual(self.hash(peer, after), last)

    def test_what_does_not_apply_any_more_is_told(self):
        peer = self.peer()
        world = self.cloth(peer)
        body = peer.call("body.add", world=world, kind="points", positions=[0, 0, 0], name="dot")["body"]
        peer.call("world.step", world=world, ticks=2)
        peer.call("particle.pin", world=world, body=body, particles=[0])
        peer.call("world.set", world=world, damping=0.25)
        peer.call("body.set", world=world, body=body, thickness=0.01)
        branch = peer.call("world.branch", world=world, without=[2], name="no dot")
        self.addCleanup(self._delete, branch["world"])
        self.assertEqual([(one["revision"], one["method"], one["code"]) for one in branch["refused"]],
                         [(3, "particle.pin", "NOT_FOUND"), (5, "body.set", "NOT_FOUND")])
        self.assertTrue(all(one["text"] for one in branch["refused"]))
        got = peer.call("world.get", world=branch["world"])
        self.assertEqual((got["bodies"], got["damping"]), (1, 0.25))
        # The branch has a past of its own.
        self.assertEqual(peer.call("world.history", world=branch["world"])["first_tick"], 2)
        twig = peer.call("world.branch", world=branch["world"], name="twig")
        self.addCleanup(self._delete, twig["world"])
        self.assertEqual(self.hash(peer, twig["world"]), self.hash(peer, branch["world"]))

    # -- the log

    def test_the_log_tells_who_did_what_page_by_page(self):
        ann, bob = self.peer(hello={"user": "ann"}), self.peer(hello={"user": "bob"})
        world = self.cloth(ann, size=30)
        grab = bob.call("grab.begin", world=world, body="sail", particle=7)["grab"]
        for step in range(40):
            (ann if step % 2 else bob).call("world.set", world=world, damping=step / 100)
            bob.call("grab.move", world=world, grab=grab, target=[0, step / 10, 0])
            ann.call("world.step", world=world)
        log = ann.call("edit.log", world=world)
        self.assertEqual((len(log["edits"]), log["sequence"], log["next"]), (41, 82, 0))
        first = log["edits"][0]
        self.assertEqual((first["method"], first["user"], first["revision"], first["tick"]), ("body.add", "ann", 1, 0))
        self.assertEqual(sorted(first["omitted"]), ["positions", "triangles"])
        self.assertEqual(first["params"]["world"], world)
        self.assertEqual(first["result"]["particles"], 900)
        self.assertTrue(self.begun_at - 1 <= first["at"] <= time.time() + 1)
        for step, edit in enumerate(log["edits"][1:]):
            self.assertEqual((edit["method"], edit["user"], edit["tick"], edit["params"]["damping"]),
                             ("world.set", "ann" if step % 2 else "bob", step, step / 100))
        for inputs, count in ((False, 41), (True, 82)):
            for limit in (1, 7, 4096):
                pages, since = [], 0
                while True:
                    page = bob.call("edit.log", world=world, since=since, limit=limit, inputs=inputs)
                    self.assertLessEqual(len(page["edits"]), limit)
                    pages += page["edits"]
                    since = page["next"]
                    if since == 0:
                        break
                self.assertEqual(len(pages), count)
                self.assertEqual([one["sequence"] for one in pages], sorted(one["sequence"] for one in pages))
        moves = [one for one in pages if one["method"] == "grab.move"]
        self.assertEqual([one["params"]["target"][1] for one in moves], [step / 10 for step in range(40)])

    def test_a_long_log_is_found_in_the_middle(self):
        peer = self.peer()
        world = self.world(peer)
        for batch in range(10):
            asked = [peer.request("world.set", world=world, damping=0.5) for _ in range(600)]
            for msgid in asked:
                peer.answer(msgid)
        for since in (0, 1, 2999, 5990, 5999, 6000, 7000):
            page = peer.call("edit.log", world=world, since=since, limit=3)
            self.assertEqual([one["sequence"] for one in page["edits"]], list(range(since + 1, min(since + 3, 6000) + 1)))
        branch = peer.call("world.branch", world=world, without=[5990],
                           instead=[{"revision": 6000, "params": {"damping": 0.75}}], name="long")
        self.addCleanup(self._delete, branch["world"])
        self.assertEqual(peer.call("world.get", world=branch["world"])["damping"], 0.75)

    # -- the bin

    def test_a_deleted_world_is_had_back(self):
        peer = self.peer()
        world = self.cloth(peer, name="binned")
        peer.call("world.step", world=world, ticks=5)
        before = self.hash(peer, world)
        peer.call("world.delete", world=world)
        in_bin = lambda: [one for one in peer.call("world.bin")["worlds"] if one["world"] == world]
        peer.until(in_bin, "the world in the bin")
        binned = in_bin()
        self.assertEqual([(one["name"], one["tick"]) for one in binned], [("binned", 5)])
        self.assertAlmostEqual(binned[0]["gone_at"] - binned[0]["deleted_at"], 86400, delta=2)
        self.refused("NOT_FOUND", peer, "world.seek", world=world, tick=0)
        taken = self.world(peer, name="binned")
        self.refused("CONFLICT", peer, "world.restore", world=world, name="binned")
        back = peer.call("world.restore", world=world)
        self.assertEqual((back["world"], back["name"], back["tick"]), (world, f"world-{world}", 5))
        self.assertEqual(self.hash(peer, world), before)
        self.refused("CONFLICT", peer, "world.restore", world=world)
        self.refused("NOT_FOUND", peer, "world.restore", world=4711)
        self.refused("CONFLICT", peer, "world.restore", world=taken)
        peer.call("world.set", world=world, damping=0.5)
        peer.call("world.step", world=world, ticks=2)
        # Its other name is an edit, too.
        self.assertEqual([(one["revision"], one["method"]) for one in peer.call("edit.log", world=world)["edits"]],
                         [(1, "body.add"), (2, "world.set"), (3, "world.set")])
        self.assertEqual(peer.call("world.seek", world=world, tick=7)["hash"], self.hash(peer, world))
        peer.call("world.delete", world=world)
        self.assertEqual(peer.call("world.restore", world=world, name="again")["name"], "again")
        peer.call("world.delete", world=world)


class Ending(unittest.TestCase):
    """Work that nobody waits for any more is given up."""

    def begin(self):
        server = Server("--threads", "2", http="127.0.0.1:0")
        self.addCleanup(server.kill)
        peer = server.peer()
        self.addCleanup(peer.close)
        world = peer.call("world.create", name="long")["world"]
        positions, triangles = sheet(50, 50)
        peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles, pins=[0, 49], thickness=0.02)
        peer.call("world.set", world=world, damping=0.1)
        begun = busy_s(server)  # its start alone may take long on a busy machine
        while busy_s(server) < begun + 0.5:  # as much as takes a while to do again, whatever else the machine does
            ticks = peer.call("world.step", world=world, ticks=50)["tick"]
        return server, peer, world, ticks

    def test_neither_a_session_nor_the_server_waits_for_a_branch(self):
        server, peer, world, ticks = self.begin()
        done = lambda: metric(server, "weft_past_ticks_total")
        before = done()
        with server.peer() as other:
            other.request("world.branch", world=world, without=[2], name="never")
            peer.until(lambda: done() > before, "the beginning of a branch")
            # Gone altogether: one that only says no more would get its answer for a while.
            other.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # The worker is free again before it comes to the end: the next one of this address begins then.
        peer.call("world.branch", world=world, without=[2], name="next")
        print(f"\n{done() - before - ticks:.0f} ticks of {ticks} for a branch that was given up")
        self.assertGreater(done() - before, ticks)
        self.assertLess(done() - before, 2 * ticks)
        self.assertEqual([one["name"] for one in peer.call("world.list")["worlds"]], ["long", "next"])
        before = done()
        late = peer.request("world.branch", world=world, without=[2], name="late")
        with server.peer() as other:
            other.until(lambda: done() > before, "the beginning of another")
        server.signal(signal.SIGTERM)
        with self.assertRaises(WeftError) as refused:
            peer.answer(late)
        self.assertEqual(refused.exception.code, "SHUTDOWN")
        self.assertEqual(server.wait(), 0)
        # It did not wait for the branch until its time was up. What is left behind that may take long on a busy machine.
        self.assertNotIn("time is up", "\n".join(server.lines).split("info: down")[0])

    def storm(self, server, worlds, seed):
        """A session after another, each asks for anything and goes, mostly without waiting."""
        dice = random.Random(seed)
        methods = ["world.seek"] * 6 + ["world.history", "edit.log", "world.get", "world.leave", "world.delete", "world.join",
                                        "stream.subscribe", "world.save", "world.hash", "world.branch", "world.bin",
                                        "world.restore"]
        for _ in range(60 // SLOW):
            views = []
            with server.peer() as peer:
                for _ in range(dice.randrange(1, 30)):
                    method, world = dice.choice(methods), dice.choice(worlds + views)
                    fields = {} if method == "world.bin" else {"world": world}
                    if method == "world.seek":
                        fields["tick"] = dice.randrange(80)
                    elif method == "world.delete" and world in worlds:
                        continue
                    elif method == "world.branch":
                        fields.update(tick=dice.randrange(60), without=[1] if dice.random() < 0.3 else [])
                    elif method == "world.restore":
                        fields["world"] = dice.randrange(1, 20)
                    asked = peer.request(method, **fields)
                    if dice.random() < 0.5:
                        try:
                            answer = peer.answer(asked)
                        except WeftError as error:
                            self.assertNotIn(error.code, ("INTERNAL", "MEMORY", "PROTOCOL"), str(error))
                            continue
                        if method == "world.seek":
                            views.append(answer["view"])
                        elif method == "world.branch":
                            peer.request("world.delete", world=answer["world"])
                if dice.random() < 0.5:
                    peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    @staticmethod
    def shown(peer, world):
        try:
            return peer.call("world.seek", world=world, tick=0)["view"]
        except WeftError as error:
            if error.code != "LIMIT":
                raise
            return None

    def test_a_storm_of_requests_leaves_nothing(self):
        server = Server("--threads", "2")
        self.addCleanup(server.kill)
        keeper = server.peer()
        self.addCleanup(keeper.close)
        worlds = []
        for place in range(3):
            worlds.append(keeper.call("world.create", name=f"storm {place}")["world"])
            positions, triangles = sheet(12, 12)
            keeper.call("body.add", world=worlds[-1], kind="cloth", positions=positions, triangles=triangles, pins=[0, 11])
            keeper.call("world.play", world=worlds[-1])
        failures = []

        def run(seed):
            try:
                self.storm(server, worlds, seed)
            except BaseException as error:  # told by the test's own thread
                failures.append(error)

        threads = [threading.Thread(target=run, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        # Those who only said no more have their answers for a while.
        keeper.until(lambda: keeper.call("server.stats")["sessions"] == 1, "the end of the sessions")
        for one in keeper.call("world.list")["worlds"]:
            keeper.call("world.delete", world=one["world"])
        keeper.until(lambda: keeper.call("server.stats")["worlds"] == 0, "the end of all worlds")
        # As many views as there may be are to be had, once the last thread has seen that nobody wants its seek.
        world = keeper.call("world.create", name="after")["world"]
        peers = [server.peer() for _ in range(64)]
        for peer in peers:
            self.addCleanup(peer.close)
            peer.until(lambda peer=peer: self.shown(peer, world), "a place for a view")
        self.assertEqual(server.stop(), 0)


class Lasting(unittest.TestCase):
    """The same of worlds in a folder, of a server that is killed."""

    def start(self):
        server = Server("--threads", "2", "--data", self.folder)
        self.addCleanup(server.kill)
        return server, server.peer()

    def test_a_past_outlives_its_server(self):
        self.folder = tempfile.mkdtemp(prefix="weft-past-")
        self.addCleanup(shutil.rmtree, self.folder)
        server, peer = self.start()
        world = peer.call("world.create", name="flag")["world"]
        positions, triangles = sheet(12, 12)
        peer.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles, pins=[0, 11])
        hashes, dice = [peer.call("world.hash", world=world)["hash"]], random.Random(5)
        for tick in range(40):
            peer.call("world.step", world=world)
            if tick % 7 == 3:
                peer.call("world.set", world=world, gravity=[0, round(dice.uniform(-9, 9), 2), 0])
            hashes.append(peer.call("world.hash", world=world)["hash"])
        branch = peer.call("world.branch", world=world, tick=20, name="twig")["world"]
        unnamed = peer.call("world.branch", world=world, tick=21, without=[3])
        gone = peer.call("world.branch", world=world, tick=22, name="gone")["world"]
        peer.call("world.delete", world=gone)
        view = peer.call("world.seek", world=world, tick=3)["view"]
        peer.close()
        server.signal(signal.SIGKILL)
        server.wait()

        server, peer = self.start()
        names = {one["world"]: one["name"] for one in peer.call("world.list")["worlds"]}
        self.assertEqual(names, {world: "flag", branch: "twig", unnamed["world"]: unnamed["name"]})
        self.assertNotIn(view, names)
        for tick in dice.sample(range(41), 12):
            self.assertEqual(peer.call("world.seek", world=world, tick=tick)["hash"], hashes[tick])
        self.assertEqual(peer.call("world.hash", world=branch)["hash"], hashes[20])
        self.assertEqual(len(peer.call("edit.log", world=world)["edits"]), 7)
        peer.until(lambda: [one["name"] for one in peer.call("world.bin")["worlds"]] == ["gone"], "the bin")
        taken = peer.call("world.create", name="gone")["world"]
        self.assertEqual(peer.call("world.restore", world=gone)["name"], f"world-{gone}")
        peer.call("world.step", world=gone, ticks=2)
        after = peer.call("world.hash", world=gone)["hash"]
        peer.close()
        server.signal(signal.SIGKILL)
        server.wait()

        server, peer = self.start()
        names = {one["world"]: one["name"] for one in peer.call("world.list")["worlds"]}
        self.assertEqual((names[gone], names[taken]), (f"world-{gone}", "gone"))
        self.assertEqual(peer.call("world.hash", world=gone)["hash"], after)
        self.assertEqual(peer.call("world.seek", world=gone, tick=24)["hash"], after)
        peer.close()
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    main()
