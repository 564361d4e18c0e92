#!/usr/bin/env python3
"""A client that knows nothing of clusters, at a server that does not run its world: what it asks is passed on, and what comes back is
what it would have had there."""

import array
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "faults"))

import msgpack  # noqa: E402
import scenario  # noqa: E402
import web_peer  # noqa: E402
import weft_peer  # noqa: E402
from weft_peer import PATIENCE_S, Closed, Server, WeftError, main, sheet  # noqa: E402

# That another server may say nothing, and that one is waited for which is not there: as long as whatever hangs here.
SILENCE_MS = PATIENCE_MS = 1000 * PATIENCE_S


class Door(Server):
    """A server that passes on what is for worlds of others (relay_door.c)."""

    def __init__(self, *words, silence_ms=SILENCE_MS, patience_ms=PATIENCE_MS, access=None, ca=None):
        self.folder = tempfile.TemporaryDirectory()
        for name, path in (("access", access), ("ca", ca)):
            if path:
                shutil.copy(path, os.path.join(self.folder.name, name))
        self.known = []
        program = os.path.join(os.environ["WEFT_BUILD"], "bin", "test_e2e_relay_door")
        super().__init__(self.folder.name, silence_ms, patience_ms, *words, program=program, listen=None, http=None)
        self.http = self.line(r"^listening http (\S+)$")[1]

    def metrics(self):
        """Of what is passed on, by the name and its label."""
        lines = web_peer.fetch(self.http, "/metrics").body.decode().splitlines()
        return {name[len("weft_passed_"):]: float(value) for name, value in
                (line.split() for line in lines if line.startswith("weft_passed_"))}

    def knows(self, world, name, address):
        self.known = [line for line in self.known if line[0] != world] + [(world, name, address)]
        path = os.path.join(self.folder.name, "worlds")
        with open(path + "~", "w", encoding="utf-8") as file:
            file.writelines(f"{id} {name} {address}\n" for id, name, address in self.known)
        os.rename(path + "~", path)

    def forget(self, world):
        self.knows(world, "-", "-")


class Hostile:
    """Listens, and answers hello as it should; then says what it is told to."""

    def __init__(self, says, hello=True):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.says, self.hello = says, hello
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(line,), daemon=True).start()

    def _talk(self, line):
        with line:
            unpacker = msgpack.Unpacker(raw=False)
            try:
                while data := line.recv(65536):
                    unpacker.feed(data)
                    for message in unpacker:
                        if message[0] == 0 and message[2] == "session.hello" and self.hello:
                            line.sendall(msgpack.packb([1, message[1], None, {"session": 77}]))
                        elif message[0] == 0:
                            self.says(line, message)
            except OSError:
                pass

    def close(self):
        self.listener.close()


def tell(line, *messages):
    line.sendall(b"".join(msgpack.packb(message) for message in messages))


class Relay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Server("--threads", "1", http="127.0.0.1:0")  # runs the worlds
        cls.door = Door()

    @classmethod
    def tearDownClass(cls):
        for server in (cls.door, cls.home):
            status = server.stop()
            if status != 0:
                raise AssertionError(f"a server ended with {status}:\n" + "\n".join(server.lines[-80:]))

    def peer(self, server, hello=None):
        peer = server.peer()
        self.addCleanup(peer.close)
        if hello is not None:
            peer.call("session.hello", **hello)
        return peer

    def world(self, home=None, door=None, **settings):
        """A world at home, and who made it."""
        home, door = home or self.home, door or self.door
        maker = self.peer(home, dict(user="maker"))
        name = settings.pop("name", self.id().rsplit(".", 1)[1][:60])
        world = maker.call("world.create", name=name, **settings)["world"]
        world_id = world
        door.knows(world_id, name, home.address.replace("127.0.0.1", "localhost"))
        positions, triangles = sheet(8, 8, height=1.0)
        body = maker.call("body.add", world=world, name="sail", kind="cloth", positions=positions, triangles=triangles,
                          pins=[0, 7])["body"]
        return maker, world, body

    def refused(self, code, peer, method, **fields):
        with self.assertRaises(WeftError) as caught:
            peer.call(method, **fields)
        self.assertEqual(caught.exception.code, code, str(caught.exception))
        return caught.exception

    # -- calls

    def test_calls_by_id_and_by_name(self):
        maker, world, body = self.world()
        ann = self.peer(self.door, dict(user="ann", errors="map"))
        self.assertEqual(ann.call("world.get", world=world)["bodies"], 1)
        self.assertEqual(ann.call("world.get", world="test_calls_by_id_and_by_name")["world"], world)
        self.assertEqual(ann.call("world.hash", world=world), maker.call("world.hash", world=world))
        ann.call("world.set", world=world, damping=0.5)
        self.assertEqual(maker.call("world.get", world=world)["damping"], 0.5)
        wrong = self.refused("INVALID", ann, "world.set", world=world, damping=-1)
        self.assertEqual(wrong.field, "damping")
        self.refused("NOT_FOUND", ann, "world.get", world=world + 1000)
        self.refused("NOT_FOUND", ann, "body.get", world=world, body=body + 1000)
        # Worlds of the door itself are beside it.
        own = ann.call("world.create", name="own")
        self.assertEqual(ann.call("world.get", world="own")["world"], own["world"])
        ann.call("world.delete", world="own")

    def test_who_never_said_hello(self):
        maker, world, body = self.world()
        nobody = self.peer(self.door)
        told, own = (peer.call("body.get", world=world, body=body) for peer in (nobody, maker))
        for one in (told, own):
            del one["touched"]["session"]  # here the maker's number may be that of nobody's session there
        self.assertEqual(told, own)
        nobody.notify("grab.begin", world=world, body=body, particle=3, target=[0, 2, 0])
        nobody.call("world.step", world=world, ticks=2)
        self.assertEqual(len(maker.call("world.join", world=world)["grabs"]), 1)

    def test_many_at_once_and_in_order(self):
        maker, world, body = self.world()
        ann = self.peer(self.door, dict(user="ann"))
        asked = [ann.request("world.set", world=world, damping=i / 1000) for i in range(1000)]
        revisions = [ann.answer(msgid)["revision"] for msgid in asked]
        self.assertEqual(revisions, list(range(revisions[0], revisions[0] + 1000)))
        large = {"positions": sheet(60, 60)[0], "triangles": sheet(60, 60)[1]}
        second = ann.call("body.add", world=world, kind="cloth", name="large", **large)["body"]
        far, near = (peer.call("body.get", world=world, body=second) for peer in (ann, maker))
        self.assertEqual((far["positions"], far["triangles"]), (near["positions"], near["triangles"]))

    def test_undo_is_each_persons_own(self):
        maker, world, body = self.world()
        ann, bob = self.peer(self.door, dict(user="ann")), self.peer(self.home, dict(user="bob"))
        before = maker.call("world.hash", world=world)["hash"]
        ann.call("world.set", world=world, damping=2.0)
        self.refused("NOT_FOUND", bob, "edit.undo", world=world)
        self.assertEqual(ann.call("edit.undo", world=world)["undone"]["user"], "ann")
        self.assertEqual(maker.call("world.hash", world=world)["hash"], before)

    def test_people_see_each_other(self):
        maker, world, body = self.world()
        hello = [self.peer(server) for server in (self.door, self.door, self.home)]
        ids = [peer.call("session.hello", user=name)["session"] for peer, name in zip(hello, ("ann", "bob", "cy"))]
        ann, bob, cy = hello
        for peer in hello:
            peer.call("world.join", world=world)
        people = {person["user"]: person["session"] for person in ann.call("world.join", world=world)["people"]}
        self.assertEqual((people["ann"], sorted(people)), (ids[0], ["ann", "bob", "cy"]))
        self.assertEqual(len(set(people.values())), 3)
        bob.call("presence.set", world=world, name="Bob!")
        seen = ann.notice("world.presence", found=lambda params: params.get("name") == "Bob!")
        self.assertEqual(seen["session"], people["bob"])
        bob.call("grab.begin", world=world, body=body, particle=5, target=[0, 2, 0])
        edited = ann.request("world.set", world=world, damping=1.5)
        ann.answer(edited)
        self.assertEqual(ann.notice("world.edited")["session"], ids[0])
        self.assertEqual(bob.notice("world.edited")["user"], "ann")
        ann.call("world.control", world=world, action="take")
        self.assertEqual(ann.call("world.control", world=world)["session"], ids[0])
        ann.call("world.control", world=world, action="give", to=people["bob"])
        self.assertEqual(bob.call("world.control", world=world)["session"], ids[1])
        bob.call("session.leave")
        gone = cy.notice("world.presence", found=lambda params: params.get("gone"))
        self.assertEqual(gone["user"], "bob")

    def test_who_loses_the_connection_is_away_there_too(self):
        maker, world, body = self.world()
        maker.call("world.join", world=world)
        ann = self.peer(self.door)
        hello = ann.call("session.hello", user="ann")
        revision = ann.call("world.join", world=world)["revision"]
        grab = ann.call("grab.begin", world=world, body=body, particle=5, target=[0, 2, 0])["grab"]
        before = maker.call("server.stats")["streams"]
        for more in (dict(mode="lossless"), dict(encoding="delta"), dict(unit="substep")):
            ann.frame(ann.call("stream.subscribe", world=world, **more)["stream"])
        self.assertEqual(maker.call("server.stats")["streams"], before + 3)
        ann.close()
        seen = maker.notice("world.presence", found=lambda params: params["user"] == "ann" and params["away"])
        self.assertEqual(list(seen["holds"]), [grab])
        maker.until(lambda: maker.call("server.stats")["streams"] == before, "the end of its streams")
        back = self.peer(self.door)
        resumed = back.call("session.hello", resume=hello["resume"], unanswered=[], revisions={world: revision})
        self.assertTrue(resumed["resumed"])
        maker.notice("world.presence", found=lambda params: params["user"] == "ann" and not params["away"])
        back.call("grab.move", world=world, grab=grab, target=[0, 3, 0])
        back.frame(back.call("stream.subscribe", world=world, mode="lossless")["stream"])
        back.call("session.leave")
        maker.notice("world.presence", found=lambda params: params["user"] == "ann" and params["gone"])
        self.assertEqual(maker.call("world.join", world=world)["grabs"], [])

    def test_a_view_of_the_past(self):
        maker, world, body = self.world()
        ann = self.peer(self.door, dict(user="ann"))
        ann.call("world.step", world=world, ticks=5)
        view = ann.call("world.seek", world=world, tick=3)["view"]
        self.assertEqual(ann.call("world.get", world=view)["tick"], 3)
        ann.call("world.leave", world=view)

    # -- streams

    def test_frames_are_those_of_home_bit_for_bit(self):
        maker, world, body = self.world()
        ann = self.peer(self.door, dict(user="ann"))
        maker.call("body.add", world=world, kind="rope", rod={"radius": 0.002, "young": 1e8}, pins=[0],
                   positions=[0, 3, 0, 0.1, 3, 0, 0.2, 3, 0])
        for encoding, arrays in (("f32", ["positions", "rotations"]), ("q16", ["positions"]), ("delta", ["positions"])):
            with self.subTest(encoding=encoding):
                fields = dict(world=world, encoding=encoding, fields=arrays, mode="lossless")
                near = maker.call("stream.subscribe", **fields)["stream"]
                far = ann.call("stream.subscribe", **fields)["stream"]
                first = ann.frame(far)
                maker.call("world.step", world=world, ticks=5)
                for peer, stream in ((maker, near), (ann, far)):
                    peer.frames_of = [first] if peer is ann else []
                    while not peer.frames_of or peer.frames_of[-1].params["tick"] < first.params["tick"] + 5:
                        peer.frames_of.append(peer.frame(stream))
                one, other = (({f.params["tick"]: f.raw[64:] for f in peer.frames_of}) for peer in (maker, ann))
                self.assertEqual(one, {tick: raw for tick, raw in other.items()})
                ann.call("stream.ack", stream=far, seq=ann.frames_of[-1].params["seq"])
                ann.call("stream.unsubscribe", stream=far)
                maker.call("stream.unsubscribe", stream=near)
                self.refused("NOT_FOUND", ann, "stream.unsubscribe", stream=far)

    def test_streams_are_told_apart(self):
        maker, world, body = self.world()
        ann = self.peer(self.door, dict(user="ann"))
        own = ann.call("world.create", name="beside")["world"]
        beside = ann.call("stream.subscribe", world=own)["stream"]
        streams = [ann.call("stream.subscribe", world=world, every=every)["stream"] for every in (1, 2)]
        self.assertEqual(len({beside, *streams}), 3)
        ann.call("stream.set", stream=streams[1], fields=["velocities"])
        ann.call("world.step", world=world, ticks=4)
        frame = ann.frame(streams[1], found=lambda params: params["tick"] == 4)
        self.assertIn("velocities", frame.params["bodies"][0])
        self.assertEqual(frame.params["world"], world)
        ann.call("world.step", world=own, ticks=1)
        self.assertEqual(ann.frame(beside, found=lambda params: params["tick"] == 1).params["world"], own)
        for _ in range(64 - 3):
            ann.call("stream.subscribe", world=world)
        self.refused("LIMIT", ann, "stream.subscribe", world=world)
        ann.call("world.delete", world=own)
        maker.call("world.delete", world=world)
        closed = {ann.notice("stream.closed")["stream"] for _ in range(64)}
        self.assertEqual(len(closed), 64)
        self.assertTrue(closed.issuperset({beside, *streams}))

    def test_a_shared_stream_that_is_changed_is_numbered_on(self):
        maker, world, body = self.world()
        ann = self.peer(self.door, dict(user="ann"))
        stream = ann.call("stream.subscribe", world=world)["stream"]
        seqs = [ann.frame(stream).params["seq"]]
        for tick in range(1, 4):
            ann.call("world.step", world=world, ticks=1)
            seqs.append(ann.frame(stream, found=lambda params: params["tick"] == tick).params["seq"])
        self.assertEqual(seqs, [1, 2, 3, 4])
        ann.call("stream.set", stream=stream, fields=["velocities"])
        ann.call("world.step", world=world, ticks=1)
        while seqs[-1] < 6 or "velocities" not in frame.params["bodies"][0]:
            frame = ann.frame(stream)
            self.assertEqual(frame.params["seq"], seqs[-1] + 1)
            seqs.append(frame.params["seq"])
        ann.call("stream.ack", stream=stream, seq=seqs[-1])
        ann.call("stream.unsubscribe", stream=stream)

    def test_a_change_of_a_shared_stream_is_refused_if_its_server_is_lost(self):
        subscriptions = []

        def says(line, message):
            subscriptions.extend([message] if message[2] == "stream.subscribe" else [])
            if len(subscriptions) > 1:
                line.shutdown(socket.SHUT_RDWR)
            else:
                tell(line, [1, message[1], None, {"stream": 3, "tick": 0, "revision": 0}])

        ann = self.hostile(says)
        stream = ann.call("stream.subscribe", world=7777)["stream"]
        self.refused("INTERNAL", ann, "stream.set", stream=stream, every=2)
        self.assertEqual(ann.notice("stream.closed")["stream"], stream)
        self.refused("NOT_FOUND", ann, "stream.set", stream=stream, every=2)

    def test_half_an_answer_is_no_sign_of_life(self):
        """A server that comes to a halt in a message is lost while others, which say nothing at all, are so three times."""
        door = Door(silence_ms=1500)
        self.addCleanup(door.stop)
        halts = Hostile(lambda line, message: line.sendall(msgpack.packb([1, message[1], None, {"name": "x" * 100}])[:50]))
        silent = Hostile(lambda line, message: None)
        for world, hostile in ((7777, halts), (8888, silent)):
            self.addCleanup(hostile.close)
            door.knows(world, str(world), hostile.address)
        ann, bob = self.peer(door, dict(user="ann")), self.peer(door, dict(user="bob"))
        asked = ann.request("world.get", world=7777)
        ann.call("server.ping")
        for _ in range(3):
            self.refused("INTERNAL", bob, "world.get", world=8888)
        ann.call("server.ping")
        self.assertIn(asked, ann.answers)
        with self.assertRaisesRegex(WeftError, "does not answer"):
            ann.answer(asked)

    def test_fifty_share_one(self):
        maker, world, body = self.world()
        near = maker.call("stream.subscribe", world=world, mode="lossless", every=1)["stream"]
        before = maker.call("server.stats")["streams"]
        hello = dict(arrays="ext")
        viewers = [self.peer(self.door, dict(user=f"v{i}", **hello)) for i in range(50)]
        streams = [viewer.call("stream.subscribe", world=world if i % 2 else "test_fifty_share_one")["stream"]
                   for i, viewer in enumerate(viewers)]
        self.assertEqual(maker.call("server.stats")["streams"], before + 1)
        self.assertEqual(len(set(streams)), 50)
        told = self.door.metrics()
        self.assertGreaterEqual(told['lines{of="session"}'], 50)  # some of before are away
        self.assertEqual([told[name] for name in ('lines{of="shared_stream"}', 'streams{of="session"}', 'streams{of="shared"}',
                                                  "viewers")], [1, 0, 1, 50])
        for viewer, stream in zip(viewers, streams):  # the late ones as well: it rests
            self.assertEqual(viewer.frame(stream).params["tick"], 0)
        maker.call("world.step", world=world, ticks=3)
        want = maker.frame(near, found=lambda params: params["tick"] == 3).raw[64:]
        for viewer, stream in zip(viewers, streams):
            self.assertEqual(viewer.frame(stream, found=lambda params: params["tick"] == 3).raw[64:], want)
        # One that changes its stream has it alone; one that ends it, and one that goes, leave the others theirs.
        viewers[0].call("stream.set", stream=streams[0], fields=["velocities"])
        self.assertEqual(maker.call("server.stats")["streams"], before + 2)
        viewers[1].call("stream.unsubscribe", stream=streams[1])
        self.refused("NOT_FOUND", viewers[1], "stream.set", stream=streams[1], every=2)
        viewers[2].close()
        # Nobody is let in by another's line.
        self.refused("NOT_FOUND", viewers[3], "stream.subscribe", world=world + 500)
        self.refused("INVALID", viewers[3], "stream.subscribe", world=world, box=[1, 2])
        self.refused("NOT_FOUND", viewers[3], "stream.subscribe", world=world, bodies=[body + 7])
        maker.call("world.step", world=world, ticks=1)
        self.assertIn("velocities", viewers[0].frame(streams[0], found=lambda p: p["tick"] == 4).params["bodies"][0])
        for viewer, stream in list(zip(viewers, streams))[3:]:
            viewer.frame(stream, found=lambda params: params["tick"] == 4)
        for viewer, stream in list(zip(viewers, streams))[3:]:
            viewer.call("stream.unsubscribe", stream=stream)
        maker.until(lambda: maker.call("server.stats")["streams"] == before + 1, "the end of the shared stream")
        after = self.door.metrics()
        self.assertEqual((after["viewers"], after['streams{of="shared"}'], after['lines{of="shared_stream"}']), (0, 0, 0))
        for name in ("calls_total", "frames_total", 'bytes_total{direction="received"}', 'bytes_total{direction="sent"}'):
            self.assertGreater(after[name], told[name], name)

    def test_who_does_not_read_holds_up_nobody(self):
        maker, world, body = self.world()
        large = sheet(100, 100)
        maker.call("body.add", world=world, kind="points", name="large", positions=large[0])
        slow = weft_peer.Peer(self.door.address, receive_buffer=8192)
        self.addCleanup(slow.close)
        slow.call("stream.subscribe", world=world)
        ann = self.peer(self.door, dict(user="ann"))
        stream = ann.call("stream.subscribe", world=world, bodies=[body])["stream"]
        maker.call("world.play", world=world)
        first = ann.frame(stream).params["tick"]
        ann.frame(stream, found=lambda params: params["tick"] >= first + 20)
        maker.call("world.pause", world=world)
        slow.frame(found=lambda params: params["dropped"] > 0)

    # -- losses

    def lost_home(self):
        home = Server("--threads", "1")
        self.addCleanup(home.kill)
        return home

    def test_home_is_killed_and_another_goes_on(self):
        home = self.lost_home()
        maker, world, body = self.world(home)
        ann = self.peer(self.door)
        hello = ann.call("session.hello", user="ann")
        joined = ann.call("world.join", world=world)
        stream = ann.call("stream.subscribe", world=world)["stream"]
        ann.frame(stream)
        step = ann.request("world.step", world=world, ticks=1000000)
        ann.call("server.ping")
        home.kill()
        ann.expect_end()
        # Somebody else has it by now: under another id here, since nothing is shared, but to the door it is where it is told to be.
        other = self.peer(self.home, dict(user="other"))
        again = other.call("world.create", name="taken_over")["world"]
        while again < world:
            again = other.call("world.create", name=f"taken_over_{again}")["world"]
        self.door.knows(world, "taken_over", self.home.address)
        back = self.peer(self.door)
        back.next_id = ann.next_id
        unanswered = [] if step in ann.answers else [step]
        resumed = back.call("session.hello", resume=hello["resume"], unanswered=unanswered,
                            revisions={world: joined["revision"]})
        with self.assertRaises(WeftError) as caught:
            (back if unanswered else ann).answer(step)
        self.assertEqual(caught.exception.code, "INTERNAL")
        self.assertTrue(resumed["resumed"])
        self.assertEqual(list(resumed["rejoin"]), [world])
        self.assertEqual(back.call("world.join", world=world)["world"], world)

    def test_calls_wait_for_a_server_that_comes(self):
        home = self.lost_home()
        maker, world, body = self.world(home)
        address = home.address
        home.kill()
        ann = self.peer(self.door, dict(user="ann"))
        asked = ann.request("world.get", world=world)
        ann.fence()
        self.assertNotIn(asked, ann.answers)
        new = Server("--threads", "1", listen=address)
        self.addCleanup(new.kill)
        maker = self.peer(new, dict(user="maker"))
        ids = [maker.call("world.create", name=f"w{i}")["world"] for i in range(world)]
        self.assertIn(world, ids)
        try:
            self.assertEqual(ann.answer(asked)["world"], world)
        except WeftError as error:
            self.assertEqual(error.code, "NOT_FOUND")  # it was asked between its start and its world

    def test_losses_that_take_their_time(self):
        # Where a machine stands still for longer than a silence may last, a server that is only busy is taken for lost.
        self.assertTrue(any(map(self.losses, (600, 2400, 9600))), "who has much to do is lost")

    def losses(self, silence_ms):
        """Nobody is there; one says no hello; one is stopped; and one has much to do, which is no silence: whether that holds."""
        door = Door(silence_ms=silence_ms, patience_ms=900)
        self.addCleanup(door.kill)

        def until_refused(code, peer, asked):
            with self.assertRaises(WeftError) as caught:
                peer.answer(asked)
            self.assertEqual(caught.exception.code, code, str(caught.exception))
            peer.call("server.ping")  # it had only asked: its connection stays

        gone, stopped, bob = self.lost_home(), self.lost_home(), self.peer(door, dict(user="bob"))
        silent = Hostile(lambda line, message: None, hello=False)
        self.addCleanup(silent.close)
        for world, address in ((8001, gone.address), (8002, silent.address)):
            door.knows(world, "-", address)
        gone.kill()
        names = ("gone", "silent", "stopped", "busy")
        peers = {name: self.peer(door, dict(user=name)) for name in names}
        _, busy, _ = self.world(door=door, name=f"busy-{silence_ms}")
        maker = self.peer(stopped)
        halted = [maker.call("world.create", name=f"w{i}")["world"] for i in range(busy + 1)][-1]
        door.knows(halted, "w", stopped.address)
        peers["stopped"].call("world.get", world=halted)
        stopped.signal(signal.SIGSTOP)
        asked = {name: peers[name].request("world.get", world=world)
                 for name, world in (("gone", 8001), ("silent", 8002), ("stopped", halted))}
        asked["busy"] = peers["busy"].request("world.step", world=busy, ticks=1000000)
        bob.call("server.ping")
        until_refused("INTERNAL", peers["stopped"], asked["stopped"])
        stopped.signal(signal.SIGCONT)
        self.assertEqual(peers["stopped"].call("world.get", world=halted)["world"], halted)
        for name in ("gone", "silent"):
            until_refused("BUSY", peers[name], asked[name])
        peers["busy"].fence()
        if asked["busy"] in peers["busy"].answers:
            return False
        peers["busy"].call("world.pause", world=busy)
        peers["busy"].answer(asked["busy"])
        return True

    def test_a_server_that_hangs_is_lost_when_another_has_its_world(self):
        """Long before its silence alone says so; and one that answers is not, wherever its world is said to be."""
        door = Door(silence_ms=1000 * 1000)
        self.addCleanup(door.stop)
        hangs = self.lost_home()
        at_home, busy, _ = self.world(door=door)
        maker = self.peer(hangs)
        halted = [maker.call("world.create", name=f"w{i}")["world"] for i in range(busy + 1)][-1]
        door.knows(halted, "w", hangs.address)
        ann, bob = self.peer(door, dict(user="ann")), self.peer(door, dict(user="bob"))
        ann.call("world.get", world=halted)
        step = bob.request("world.step", world=busy, ticks=1000000)
        at_home.until(lambda: at_home.call("world.get", world=busy)["tick"] > 0, "its step")
        hangs.signal(signal.SIGSTOP)
        asked = [ann.request(method, world=halted, **fields) for method, fields in
                 (("world.set", {"damping": 1}), ("world.hash", {}), ("world.play", {}))]
        elsewhere = self.lost_home().address
        door.knows(halted, "w", elsewhere)
        door.knows(busy, "b", elsewhere)
        for request, says in zip(asked, ("may or may not have been made.*edit_id", "ask again", "is not known")):
            with self.assertRaises(WeftError) as caught:
                ann.answer(request)
            self.assertEqual(caught.exception.code, "INTERNAL")
            self.assertRegex(str(caught.exception), "another server has its world.*" + says)
        ann.call("server.ping")
        bob.call("server.ping")
        self.assertNotIn(step, bob.answers)
        door.knows(busy, "b", self.home.address)
        bob.call("world.pause", world=busy)
        bob.answer(step)

    # -- all of it

    def test_all_methods_answer_as_at_home(self):
        logs = []
        for through in (False, True):
            home = self.lost_home()
            door = Door() if through else None
            asker = Asker(home, door)
            self.addCleanup(asker.close)
            if door:
                self.addCleanup(door.kill)
                self.addCleanup(asker.maker.close)
            story = scenario.Scenario(home)
            story.visitors = [asker]
            story.of_visitor(asker, "story")
            self.assertEqual((story.problems, asker.gaps), ([], []))
            logs.append(asker.log)
            if door:
                self.assertEqual(door.stop(), 0)
            self.assertEqual(home.stop(), 0)
        of_itself = ("session.hello", "server.info", "server.stats", "server.ping")
        self.assertEqual([(here, through) for here, through in zip(*logs, strict=True)
                          if here != through and here[0] not in of_itself], [])
        with open(os.path.join(os.path.dirname(__file__), "../../protocol/api.json"), encoding="utf-8") as file:
            named = {method["name"] for method in json.load(file)["methods"]}
        missing = named - {method for method, _ in logs[0]} - asker.asked
        self.assertEqual(missing, set(), "tests/faults/scenario.py has to call them")

    # -- those who mean no good

    def test_a_server_that_has_not_heard_of_a_move_is_helped(self):
        """It passes on to the one that had the world, which passes on to the one that has it."""
        behind = Door()
        self.addCleanup(behind.kill)
        maker, world, body = self.world()
        behind.knows(world, "moved", self.door.address)
        ann = self.peer(behind, dict(user="ann"))
        asked = [ann.request("body.get", world=world, body=body) for _ in range(3)]
        for msgid in asked:
            self.assertEqual(ann.answer(msgid)["name"], "sail")
        self.assertEqual(ann.call("world.get", world=world)["world"], world)
        self.assertEqual(behind.stop(), 0)

    def test_a_circle_ends(self):
        one, other = Door(patience_ms=900), Door(patience_ms=900)
        for door, next_one in ((one, other), (other, one)):
            self.addCleanup(door.kill)
            door.knows(9999, "circle", next_one.address)
        ann = self.peer(one, dict(user="ann"))
        asked = [ann.request("world.get", world=world) for world in (9999, "circle")]
        for msgid in asked:
            with self.assertRaisesRegex(WeftError, "passed on from server to server"):
                ann.answer(msgid)
        self.assertEqual(other.stop(), 0)

    def hostile(self, says, hello=True):
        hostile = Hostile(says, hello)
        self.addCleanup(hostile.close)
        self.door.knows(7777, "hostile", hostile.address)
        return self.peer(self.door, dict(user="ann"))

    def test_bad_answers(self):
        frame = [2, "stream.frame", [{"stream": 5, "seq": 1}]]
        bad = [b"\xc1", os.urandom(4096), b"\x94\x01", msgpack.packb([0, 1, "world.get", []]), msgpack.packb(7),
               msgpack.packb([1, 2 ** 40, None, {}]), b"\xdd\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff",
               b"\x94\x01\xce\x00\x00\x00\x02", b"\x91" * 100]
        for words in bad:
            with self.subTest(words=words[:16]):
                ann = self.hostile(lambda line, message, words=words: (line.sendall(words), line.close()))
                self.refused("INTERNAL", ann, "world.get", world=7777)
                ann.call("server.ping")

        def lies(line, message):
            tell(line, frame, [2, "stream.closed", [{"stream": 1}]], [2, "stream.lagged", [7]], [2, "stream.rate", []],
                 [1, message[1] + 9, None, {}], [1, 4000, None, {"stream": 3}], [1, message[1], None, {"stream": {"a": 1}, "session": 77}],
                 [1, message[1], None, {"again": 1}])

        ann = self.hostile(lies)
        self.assertEqual(ann.call("world.get", world=7777)["stream"], {"a": 1})
        self.assertIsInstance(ann.call("stream.subscribe", world=7777, encoding="delta")["stream"], dict)
        self.refused("INTERNAL", ann, "stream.subscribe", world=7777)
        ann.fence()
        self.assertEqual(len(ann.frames), 0)
        self.assertEqual(ann.notices.__len__(), 0)

    def test_bad_frames(self):
        def head(stream=3, keys=12, name=b"stream.frame", seq=1):
            number = lambda value: b"\xce" + value.to_bytes(4, "big")
            return (b"\x93\x02" + bytes([0xA0 | len(name)]) + name + b"\x91\xde" + keys.to_bytes(2, "big") + b"\xa6stream"
                    + number(stream) + b"\xa3seq" + number(seq) + b"\xa7dropped" + number(0) + b"\xa1_\xc4\x07" + bytes(7))

        def rest(fields):
            return b"".join(msgpack.packb(key) + msgpack.packb(value) for key, value in fields.items())

        good = {"world": 7777, "tick": 1, "part": 0, "parts": 1, "bodies": []}
        bad = [head(keys=4), head(keys=5) + rest({"part": 0}), head(keys=6) + rest({"part": 5, "parts": 2}),
               head(keys=6) + rest({"part": 0, "parts": 2 ** 31}), head(keys=6) + rest({"part": -1, "parts": "x"}),
               head(4, 9) + rest(good), head(keys=6, seq=2) + rest({"part": 1, "parts": 2}),
               head(keys=6, seq=2) + rest({"part": 1, "parts": 2}), msgpack.packb([2, "stream.frame", [{"stream": 3}]]),
               head(name=b"stream.frames") + rest({str(i): i for i in range(8)})]

        def says(line, message):
            tell(line, [1, message[1], None, {"stream": 3, "tick": 0, "revision": 0}])
            if message[2] == "stream.subscribe":
                line.sendall(b"".join(bad) + head(keys=9, seq=9) + rest(good))

        ann = self.hostile(says)
        stream = ann.call("stream.subscribe", world=7777)["stream"]
        self.assertEqual(ann.frame(stream).params["tick"], 1)
        ann.fence()
        self.assertEqual((len(ann.frames), ann.call("stream.unsubscribe", stream=stream)["tick"]), (0, 1))

    def test_a_flood(self):
        def flood(line, message):
            words = msgpack.packb([2, "world.said", [{"world": 7777, "session": 1, "text": "x" * 1000}]]) * 64
            while True:
                line.sendall(words)
                sent.append(len(words))

        sent = []
        ann, bob = self.hostile(flood), self.peer(self.door, dict(user="bob"))
        ann.request("world.get", world=7777)
        bob.until(lambda: len(sent) > 10, "the flood")
        for _ in range(20):
            bob.call("server.ping")
        # Of what comes an answer waits for two reads at most; the rest is in buffers of the kernels.
        bob.served_beside(lambda stats: sum(sent), most=10 * 2 * 65536 + (8 << 20))
        with open(f"/proc/{self.door.process.pid}/statm", encoding="ascii") as file:
            self.assertLess(int(file.read().split()[1]) * 4096, 150e6 + weft_peer.KEPT_BYTES)


class Asker(scenario.Visitor):
    """Asks for all that there is, and notes what it is told. What is of a server itself is asked at home."""

    OF_SERVERS = ("server.info", "server.stats", "server.list", "world.list", "world.create", "world.open", "world.upload",
                  "world.bin", "world.restore", "access.accept", "token.create", "token.list", "token.revoke")

    def __init__(self, home, door=None):
        super().__init__(door or home, door is not None, lambda: None)  # through the door by WebSocket
        self.home, self.door, self.log = home, door, []
        self.maker = home.peer() if door else None
        if self.maker:
            self.maker.call("session.hello", user="story", errors="map")

    def call(self, method, **fields):
        if method == "session.hello":
            fields["errors"] = "map"
        elif method == "world.play":
            fields["rate"] = 1e-6  # so that it comes to the same ticks
        if self.maker and method in self.OF_SERVERS:
            self.asked.add(method)
            try:
                result, error = self.maker.call(method, **fields), None
            except WeftError as refusal:
                result, error = None, refusal
        else:
            result, error = super().call(method, **fields)
        if self.door and result and method in ("world.create", "world.open", "world.branch"):
            self.door.knows(result["world"], fields["name"], self.home.address)
        self.log.append((method, self.plain(result) if result else error and error.error))
        return result, error

    MOMENTS = ("at", "began_at", "deleted_at", "gone_at", "time_us", "tick_us", "phases", "bytes", "images", "image_ticks")

    def plain(self, value):
        """Without what differs from one run to the next."""
        if isinstance(value, dict):
            return {key: self.plain(one) for key, one in value.items() if key not in self.MOMENTS}
        if isinstance(value, bytes):
            return len(value)  # of a record, which tells when
        if isinstance(value, (list, array.array)):
            return [self.plain(one) for one in value]
        return value


class Tokens(unittest.TestCase):
    """Nobody may more through another server than without it."""

    def test_who_may_what_is_the_other_servers_to_say(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        access = os.path.join(folder.name, "access")
        token = subprocess.run([os.environ["WEFTD"], "--access", access, "--token-new", "root"], check=True,
                               capture_output=True, text=True).stdout.strip()
        home = Server("--threads", "1", "--access", access, "--tokens")
        self.addCleanup(home.kill)
        root = home.peer()
        self.addCleanup(root.close)
        root.call("session.hello", token=token)
        world = root.call("world.create", name="guarded")["world"]
        tokens = {name: root.call("token.create", user=name, role="viewer")["token"] for name in ("ann", "bob")}
        root.call("access.grant", world=world, user="ann", role="viewer")
        # The door has a book of its own, in which all of them are admins; and one knows nothing of ann.
        door = Door("tokens", access=access)
        self.addCleanup(door.kill)
        door.knows(world, "guarded", home.address)

        def peer(token):
            peer = door.peer()
            self.addCleanup(peer.close)
            peer.call("session.hello", token=token)
            return peer

        ann, bob, again = peer(tokens["ann"]), peer(tokens["bob"]), peer(token)
        self.assertEqual(ann.call("world.get", world=world)["world"], world)
        stream = ann.call("stream.subscribe", world=world)["stream"]
        ann.frame(stream)
        for peer, code, method in ((ann, "DENIED", "world.play"), (bob, "NOT_FOUND", "world.get"),
                                   (bob, "NOT_FOUND", "stream.subscribe")):
            with self.assertRaises(WeftError) as caught:
                peer.call(method, world=world)
            self.assertEqual(caught.exception.code, code, str(caught.exception))
        again.call("world.play", world=world)
        stranger = door.peer()
        self.addCleanup(stranger.close)
        with self.assertRaises(WeftError) as caught:
            stranger.call("world.get", world=world)
        self.assertEqual(caught.exception.code, "DENIED")
        # What is taken from somebody there is gone here.
        root.call("access.revoke", world=world, user="ann")
        with self.assertRaises((WeftError, Closed)):
            ann.until(lambda: not ann.call("world.get", world=world), "a refusal")


if __name__ == "__main__":
    main()
