#!/usr/bin/env python3
"""Streams of records and weft-twin on a real server: what many people do to a world, how a server dies and comes back, who does
not read, and what it costs."""

import json
import math
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from weft_peer import PATIENCE_S, Server, ServerTest, ext, main, metric, sheet

PROGRAM = os.path.join(os.path.dirname(os.environ.get("WEFT", "build/release/bin/weft")), "weft-twin")


class Twin:
    """A weft-twin, and the last line that it said."""

    def __init__(self, address, world, *options):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("WEFT_T")}
        self.process = subprocess.Popen(self.command(address, world, *options), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean)
        self.last, self.words = {}, []
        self.readers = [threading.Thread(target=read, daemon=True) for read in (self._read, self._listen)]
        for reader in self.readers:
            reader.start()

    @staticmethod
    def command(address, world, *options):
        return [PROGRAM, "--server", address, "--json", "--every", "0.05", *options, str(world)]

    def _read(self):
        for line in self.process.stdout:
            self.last = json.loads(line)

    def _listen(self):
        self.words.extend(self.process.stderr)

    def until(self, found, what):
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            ended = self.process.poll() is not None
            if ended:
                self.readers[0].join()  # it may have said something that nobody has read yet
            last = self.last
            if last and found(last):
                return last
            if ended:
                break
            time.sleep(0.02)
        raise AssertionError(f"{what}: {self.last} {''.join(self.words)}")

    def equal_at(self, tick):
        """Stands there, and found its state to be the server's there."""
        return self.until(lambda last: last["tick"] == last["same"] == tick and not last["lost"], f"equal at {tick}")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        for reader in self.readers:
            reader.join(5)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


class OnLibrary(Twin):
    """A program on libweft-twin (twin_client.c)."""

    @staticmethod
    def command(address, world, mode):
        return [os.path.join(os.path.dirname(PROGRAM), "test_e2e_twin_client"), address, mode, str(world)]

    def end(self):
        """What came of its messages by hand."""
        self.process.stdin.close()
        status = self.process.wait(PATIENCE_S)
        self.stop()
        if status != 0:
            raise AssertionError(f"it ended with {status}: {''.join(self.words)}")
        return self.last


class Way:
    """What lies between a twin and its server: can break, and can let the first hash that comes after an image be another."""

    HASH = b"\xa4hash\xb0"

    def __init__(self, address, lies=False):
        host, port = address.rsplit(":", 1)
        self.server = (host, int(port))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.lies = lies
        self.ends = []
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(self.server)
            self.ends += [near, far]
            for ends, change in (((near, far), lambda data: data), ((far, near), self._lie)):
                threading.Thread(target=self._pass, args=(*ends, change), daemon=True).start()

    @staticmethod
    def _pass(source, target, change):
        try:
            while data := source.recv(65536):
                target.sendall(change(data))
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def _lie(self, data):
        at = data.find(self.HASH)
        first = at + len(self.HASH)
        if not self.lies or at < 0 or first + 16 > len(data) or b"image" in data:
            return data
        self.lies = False
        return data[:first] + (b"1" if data[first:first + 1] == b"0" else b"0") + data[first + 1:]

    def break_off(self):
        for end in self.ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()
        self.ends = []

    def stop(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(5)
        self.break_off()


class Twins(ServerTest):
    HTTP = "127.0.0.1:0"

    def twin(self, world, *options, server=None):
        twin = Twin((server or self.server).address, world, *options)
        self.addCleanup(twin.stop)
        return twin

    def cloth(self, peer, side, **settings):
        world = self.world(peer, **settings)
        positions, triangles = sheet(side, side, 0.02, height=1)
        peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions),
                  triangles=ext("I", triangles), pins=[0, side - 1])
        return world

    def next_tick(self, peer, world):
        """So that what follows falls into another tick."""
        tick = peer.call("world.get", world=world)["tick"]
        peer.until(lambda: peer.call("world.get", world=world)["tick"] > tick, "the next tick")

    def test_a_twin_goes_through_all_that_people_do(self):
        ann, bob = self.peer({"user": "ann"}), self.peer({"user": "bob"})
        world = self.cloth(ann, 20)
        twin = self.twin(world)
        twin.equal_at(0)
        ann.call("world.play", world=world)
        grab = bob.call("grab.begin", world=world, body=1, particle=200, target=[0, 1, 0])["grab"]
        for move in range(40):
            bob.notify("grab.move", world=world, grab=grab, target=[0.1 * math.sin(move / 5), 1, 0.2])
            if move == 5:
                ann.call("particle.pin", world=world, body=1, particles=[0, 3], compliance=0.01, distance=[0.05, 0.2])
                ann.call("particle.pin", world=world, body=1, particles=[3], positions=[0.2, 1.1, 0.1], seconds=0.4)
            if move == 10:
                ann.call("collider.add", world=world, kind="sphere", radius=0.2, position=[0, 0.5, 0])
            if move == 20:
                ann.call("body.add", world=world, kind="rope", positions=[0, 2, 0, 0.1, 2, 0, 0.2, 2, 0], pins=[0])
            if move == 25:
                ann.call("edit.undo", world=world)
            if move == 30:
                ann.call("world.pause", world=world)
                ann.call("world.step", world=world, ticks=7)
                ann.call("world.play", world=world)
            self.next_tick(ann, world)
        bob.close()  # lets go
        ann.call("world.set", world=world, substeps=10)
        ann.call("world.reset", world=world)
        tick = ann.call("world.pause", world=world)["tick"]
        last = twin.equal_at(tick)
        self.assertEqual(last["differences"], 0)
        self.assertEqual(last["images"], 1)
        self.assertGreater(last["records"], 20)
        # At rest nothing comes, and edits do at once.
        ann.call("particle.pin", world=world, body=1, particles=[5])
        twin.until(lambda now: now["sequence"] == last["sequence"] + 1, "an edit at rest")

    def test_it_comes_back_with_a_server_that_was_killed(self):
        folder = tempfile.mkdtemp(prefix="weft-twins-")
        self.addCleanup(shutil.rmtree, folder)
        server = Server("--threads", "2", "--data", folder)
        address = server.address
        twin = None
        try:
            with server.peer() as peer:
                peer.call("world.create", name="kept")
                peer.call("body.add", world="kept", kind="rope", positions=[0, 1, 0, 0.2, 1, 0, 0.4, 1, 0], pins=[0])
                twin = self.twin("kept", server=server)
                twin.equal_at(0)
                peer.call("world.play", world="kept")
                twin.until(lambda last: last["tick"] > 20, "it plays")
            server.process.send_signal(signal.SIGKILL)
            server.kill()
            server = Server("--threads", "2", "--data", folder, listen=address)
            last = twin.until(lambda last: last["images"] == 2, "starts again")
            with server.peer() as peer:
                peer.call("collider.add", world="kept", kind="plane")
                tick = peer.call("world.pause", world="kept")["tick"]
                self.assertEqual(twin.equal_at(tick)["differences"], 0)
        finally:
            server.stop()
        self.assertIsNotNone(last)

    def test_who_does_not_read_loses_the_stream_and_others_notice_nothing(self):
        idle, busy = self.peer(receive_buffer=4096), self.peer()
        world = self.cloth(busy, 8)
        stream = idle.call("stream.subscribe", world=world, encoding="records")["stream"]
        twin = self.twin(world)
        twin.equal_at(0)
        # Some MB of edits that change little: points that come and go.
        for count in range(120):
            points = ext("d", [coordinate for k in range(4000) for coordinate in (0.01 * k, 3, 0.1 * count)])
            body = busy.call("body.add", world=world, kind="points", positions=points, masses=1)["body"]
            busy.call("body.remove", world=world, body=body)
        tick = busy.call("world.step", world=world, ticks=2)["tick"]
        self.assertEqual(twin.equal_at(tick)["differences"], 0)
        closed = idle.notice("stream.closed", found=lambda params: params["stream"] == stream)
        self.assertIn("records_unsent", closed["reason"])
        idle.call("server.ping")

    def test_a_hundred_get_the_same_bytes(self):
        editor = self.peer()
        world = self.cloth(editor, 10)
        peers = [self.peer() for _ in range(10)]
        streams = [peer.call("stream.subscribe", world=world, encoding="records")["stream"]
                   for _ in range(10) for peer in peers]
        watcher = self.peer()
        frames = watcher.call("stream.subscribe", world=world)["stream"]
        editor.call("world.play", world=world)
        for move in range(5):
            editor.call("collider.add", world=world, kind="sphere", radius=0.1, position=[0, -move, 0])
        tick = editor.call("world.pause", world=world)["tick"]
        told = {}
        for peer in peers:
            seen = set()
            while len(seen) < 10:
                params = dict(peer.notice("stream.records"))
                stream, seq = params.pop("stream"), params.pop("seq")
                told.setdefault(stream, []).append((seq, params))
                if params["tick"] == tick and params.get("hash"):
                    seen.add(stream)
        self.assertEqual(set(told), set(streams))
        for messages in told.values():
            self.assertEqual([seq for seq, _ in messages], list(range(1, len(messages) + 1)))
            self.assertEqual(messages[0][1]["part"], 0)
            if messages[0][1]["at"] == told[streams[0]][0][1]["at"]:
                self.assertEqual([params for _, params in messages], [params for _, params in told[streams[0]]])
        self.assertGreaterEqual(metric(self.server, "weft_twins"), 100)
        watcher.frame(frames, found=lambda params: params["tick"] == tick)
        editor.call("world.play", world=world)
        self.refused("INVALID", editor, "stream.subscribe", world=world, encoding="records", every=2)

    def test_differences_are_counted(self):
        peer = self.peer()
        world = self.world(peer)
        stream = peer.call("stream.subscribe", world=world, encoding="records")["stream"]
        before = metric(self.server, "weft_twin_differences_total")
        peer.call("stream.differs", stream=stream, tick=3)
        self.assertEqual(metric(self.server, "weft_twin_differences_total"), before + 1)
        self.refused("NOT_FOUND", peer, "stream.differs", stream=stream + 1000, tick=3)

    def twin_on(self, way, world):
        twin = Twin(way.address, world)
        self.addCleanup(way.stop)
        self.addCleanup(twin.stop)
        return twin

    def test_it_goes_on_when_its_connection_was_lost(self):
        if self.server.tls:
            self.skipTest("the way is not for TLS")
        peer = self.peer()
        world = self.cloth(peer, 8)
        way = Way(self.server.address)
        twin = self.twin_on(way, world)
        peer.call("world.play", world=world)
        twin.until(lambda last: last["tick"] > 10, "it plays")
        way.break_off()
        peer.call("collider.add", world=world, kind="sphere", radius=0.1, position=[0, 0, 0])
        twin.until(lambda last: last["images"] == 2, "another image")
        tick = peer.call("world.pause", world=world)["tick"]
        self.assertEqual(twin.equal_at(tick)["differences"], 0)

    def test_it_begins_anew_where_a_hash_is_another_one(self):
        if self.server.tls:
            self.skipTest("what is read on the way cannot be changed")
        peer = self.peer()
        world = self.cloth(peer, 8)
        before = metric(self.server, "weft_twin_differences_total")
        twin = self.twin_on(Way(self.server.address, lies=True), world)
        twin.until(lambda last: last["images"] == 1, "an image")
        peer.call("world.play", world=world)
        twin.until(lambda last: last["images"] == 2, "another image")
        tick = peer.call("world.pause", world=world)["tick"]
        last = twin.equal_at(tick)
        self.assertEqual((last["differences"], last["joins"]), (1, 2))
        self.assertEqual(metric(self.server, "weft_twin_differences_total"), before + 1)
        self.assertTrue(any("the state's hash is" in word for word in twin.words), twin.words)

    def on_library(self, mode):
        """Edits, a drag, a lost connection and a hash that is another one; then garbage."""
        ann = self.peer({"user": "ann"})
        world = self.cloth(ann, 8)
        way = Way(self.server.address)
        self.addCleanup(way.stop)
        twin = OnLibrary(way.address, world, mode)
        self.addCleanup(twin.stop)
        twin.equal_at(0)
        ann.call("world.play", world=world)
        grab = ann.call("grab.begin", world=world, body=1, particle=20, target=[0, 1, 0])["grab"]
        for move in range(10):
            ann.notify("grab.move", world=world, grab=grab, target=[0.1 * math.sin(move / 5), 1, 0.2])
            if move == 5:
                ann.call("collider.add", world=world, kind="sphere", radius=0.2, position=[0, 0.5, 0])
                ann.call("body.add", world=world, kind="rope", name="rope", positions=[0, 2, 0, 0.1, 2, 0], pins=[0])
            self.next_tick(ann, world)
        ann.call("grab.end", world=world, grab=grab)

        def equal():
            tick = ann.call("world.pause", world=world)["tick"]
            last = twin.equal_at(tick)
            self.assertEqual(last["hash"], ann.call("world.hash", world=world)["hash"])
            for body in last["bodies"]:
                there = ann.call("body.state", world=world, body=body["body"], fields=["positions64"])
                self.assertEqual(body["last"], list(there["positions64"][-3:]))
            self.assertGreater(last["kinetic"], 0)
            return last

        last = equal()
        self.assertEqual([(body["name"], body["particles"], body["triangles"]) for body in last["bodies"]],
                         [("", 64, 98), ("rope", 2, 0)])
        self.assertEqual((last["images"], last["joins"], last["differences"], last["anew"]), (1, 1, 0, 0))
        ann.call("world.play", world=world)
        way.break_off()
        ann.call("collider.add", world=world, kind="sphere", radius=0.1, position=[0, 0, 0])
        twin.until(lambda last: last["images"] == 2, "another image")
        self.assertEqual(equal()["differences"], 0)
        way.lies = True
        ann.call("world.play", world=world)
        twin.until(lambda last: last["images"] == 3, "a third image")
        last = equal()
        self.assertEqual((last["differences"], last["anew"], last["joins"]), (1, 1, 2))
        by_hand = twin.end()
        self.assertTrue(by_hand["equal"], by_hand)
        self.assertGreater(by_hand["refused"], 10)

    def test_a_program_on_libweft_twin(self):
        self.on_library("blocking")

    def test_a_program_on_libweft_twin_and_a_loop(self):
        self.on_library("event")

    def test_libweft_twin_says_that_there_is_no_such_world(self):
        twin = OnLibrary(self.server.address, 1000000, "blocking")
        self.addCleanup(twin.stop)
        twin.until(lambda last: last == {"refused": "NOT_FOUND"}, "an end")
        twin.end()

    def test_what_a_drag_costs(self):
        ann = self.peer()
        world = self.cloth(ann, 100)
        twin = self.twin(world)
        twin.equal_at(0)
        watcher = self.peer()
        watcher.call("stream.subscribe", world=world, encoding="records")
        grab = ann.call("grab.begin", world=world, body=1, particle=5050, target=[0, 1, 0])["grab"]
        ann.call("world.play", world=world)
        watcher.wait(lambda: len(watcher.notices) > 20, what="messages")
        watcher.notices.clear()
        bytes_before, moves = watcher.bytes_in, 90
        first = ann.call("world.get", world=world)["tick"]
        for move in range(moves):
            angle = move / 30
            ann.notify("grab.move", world=world, grab=grab, target=[0.3 * math.sin(angle), 1 + 0.2 * math.cos(angle), 0.3])
            self.next_tick(ann, world)
        tick = ann.call("world.pause", world=world)["tick"]
        watcher.wait(lambda: watcher.notices and watcher.notices[-1].params["tick"] >= tick, what="the last message")
        taken = watcher.bytes_in - bytes_before
        records = sum(len(notice.params.get("records", [])) for notice in watcher.notices)
        messages = len(watcher.notices)
        print(f"\n{taken} bytes in {messages} messages with {records} records, for {moves} moves in {tick - first} ticks")
        self.assertLessEqual(records, moves + 5)
        self.assertLessEqual(messages, tick - first + 5)
        # With 60 moves and 20 messages a second that is less than 5000 bytes a second.
        self.assertLess(taken, 45 * records + 110 * messages)
        self.assertEqual(twin.equal_at(tick)["differences"], 0)


if __name__ == "__main__":
    main()
