#!/usr/bin/env python3
"""What one client can do to the others: floods, half messages, deaths, and a log that nobody reads.

How long somebody else waits is counted in what the server does for the flood meanwhile, which a slow machine does not change.
That a connection is cut which says nothing, or does not go on with its message, is looked at in tests/unit/host/test_session.c
and tests/unit/net/test_conn_bounds.c, where the limits are short.
"""

import contextlib
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

import msgpack

from weft_peer import PATIENCE_S, Closed, Peer, Server, WeftError, ext, main, metric

READ_BYTES = 64 << 10  # that the server reads of a connection at a time


FLOOD = """
import socket, sys, threading, time
data = sys.stdin.buffer.read()
plain = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def read():
    while plain.recv(1 << 20):
        pass
if sys.argv[3] == "reads":
    threading.Thread(target=read, daemon=True).start()
print("begins", flush=True)
try:
    while True:
        plain.sendall(data)
except OSError:
    pass
"""


CONNECTIONS = """
import socket, sys, time
print("begins", flush=True)
while True:
    try:
        socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=1).close()
    except OSError:
        time.sleep(0.01)
"""


class Flood:
    """A process that sends the same bytes on and on, and reads nothing, or all that comes; or another program."""

    def __init__(self, server, data=b"", reads=False, program=FLOOD):
        host, port = server.address.rsplit(":", 1)
        self.process = subprocess.Popen([sys.executable, "-c", program, host, port, "reads" if reads else "does not"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdin.write(data)
        self.process.stdin.close()
        self.process.stdout.readline()

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Attacks(unittest.TestCase):
    def setUp(self):
        self.peers = []

    def start(self, *arguments, **options):
        server = Server("--threads", "2", *arguments, **options)
        self.addCleanup(server.kill)
        return server

    def peer(self, server, **options):
        peer = server.peer(**options)
        self.addCleanup(peer.close)
        self.peers.append(peer)
        return peer

    def ends(self, server):
        """In order, and at once: it waits for nobody."""
        for peer in self.peers:
            peer.close()
        self.assertEqual(server.stop(), 0, "\n".join(server.lines[-60:]))

    def told(self, peer, limit, timeout_s=None):
        """The server ends the connection, and its last message names the limit."""
        notices = peer.expect_end(timeout_s)
        self.assertTrue(notices, "cut without a word")
        self.assertEqual(notices[-1].method, "error")
        self.assertIn(f"(limit {limit} = ", notices[-1].params["error"][1])


class Floods(Attacks):
    """Whatever comes beside it, an innocent client waits for few turns of the server's loop, each of which is short."""

    def setUp(self):
        super().setUp()
        self.server = self.shared
        self.assertTrue(self.server.alive())

    @classmethod
    def setUpClass(cls):
        cls.shared = Server("--threads", "2")

    @classmethod
    def tearDownClass(cls):
        if cls.shared.stop() != 0:
            raise AssertionError("\n".join(cls.shared.lines[-60:]))

    @contextlib.contextmanager
    def flooded(self, floods, *arguments, **options):
        """Beside floods that have begun to arrive."""
        innocent = self.peer(self.server)
        before = innocent.call("server.stats")
        processes = []
        try:
            processes += [Flood(self.server, *arguments, **options) for _ in range(floods)]
            yield innocent, before
        finally:
            for one in processes:
                one.stop()

    def beside(self, what, data, floods=1, reads=False):
        with self.flooded(floods, data, reads) as (innocent, before):
            innocent.until(lambda: innocent.call("server.stats")["bytes_in"] - before["bytes_in"] > 16 * READ_BYTES, "the flood")
            # The server serves each connection in line once, and then this one again. A flood is read twice meanwhile. It is read
            # a few times more if other programs take the processor, because the server shares its time out by a clock. A server
            # that reads as long as something comes reads a flood 32 times.
            most = self.most_beside(innocent, "bytes_in", READ_BYTES, 8 * floods * READ_BYTES)
        print(f"\n{what}: {most} bytes of it before an answer")

    def most_beside(self, innocent, what, least, limit):
        """The greatest step of server.stats' field before an answer, over requests beside which at least so much was done."""
        steps = []

        def enough():
            steps.extend(innocent.steps_beside(lambda stats: stats[what]))
            return sum(steps) >= least

        innocent.until(enough, "requests beside the flood")
        self.assertLessEqual(max(steps), limit)
        return max(steps)

    def test_notifications(self):
        self.beside("notifications of server.info", msgpack.packb([2, "server.info", []]) * 4000)

    def test_notifications_of_several(self):
        self.beside("the same from eight", msgpack.packb([2, "server.stats", []]) * 4000, floods=8)

    def test_notifications_that_nobody_knows(self):
        self.beside("unknown notifications", msgpack.packb([2, "no.such", []]) * 4000)

    def test_responses_that_nobody_awaits(self):
        self.beside("stray responses", msgpack.packb([1, 7, None, None]) * 8000)

    def test_notifications_that_are_wrong(self):
        self.beside("wrong notifications", msgpack.packb([2, "world.create", [{"name": 5, "more": 6}]]) * 2000)

    def test_requests_whose_answers_are_read(self):
        self.beside("server.info, read", msgpack.packb([0, 7, "server.info", []]) * 2000, reads=True)

    def test_requests_that_are_wrong(self):
        self.beside("wrong requests, read", msgpack.packb([0, 7, "no.such", []]) * 4000, reads=True)

    def test_a_long_message(self):
        count = 12_000_000
        self.beside("small integers without end", b"\x94\x00\x07\xa4none\xdd" + struct.pack(">I", count) + bytes(count),
                    floods=2)

    def test_connections(self):
        with self.flooded(2, program=CONNECTIONS) as (innocent, before):
            innocent.until(lambda: innocent.call("server.stats")["sessions_total"] - before["sessions_total"] > 200, "the flood")
            most = self.most_beside(innocent, "sessions_total", 1, 8 * 64)  # of which a turn accepts 64
        print(f"\nconnections without end: {most} of them before an answer")


class HalfMessages(Attacks):
    STALLED = b"\x94\x00\x01\xabserver.ping\xc6" + struct.pack(">I", 67_000_000)

    @unittest.skipIf(os.environ.get("WEFT_SANITIZE") == "thread", "half a gigabyte takes longer than a message may")
    def test_stalled_messages_go_before_honest_ones(self):
        server = self.start(http="127.0.0.1:0")
        honest = self.peer(server)
        honest.call("world.create", name="honest")
        gone = 0
        while not gone:  # on a busy machine all of them may go for their time (limit message_ms), before there is no room for more
            gone = self.stalled_that_go(server, honest)
        self.assertEqual(metric(server, 'weft_sessions_cut_total{reason="receive_bytes"}'), gone)
        self.ends(server)

    def stalled_that_go(self, server, honest):
        """How many of those who stall went to make room, while somebody honest sent as much as ever."""
        stalled = [self.peer(server) for _ in range(9)]
        reasons = {}

        def stall(peer):
            with contextlib.suppress(ConnectionError):  # cut while it sends, where sending takes long
                peer.send_raw(self.STALLED + bytes(60_000_000))

        def look():
            for peer in stalled:
                if peer in reasons:
                    continue
                try:
                    peer.pump(0.001)
                except Closed:
                    reasons[peer] = re.search(r"\(limit (\w+) = ", peer.notices[-1].params["error"][1])[1]
                    peer.close()
            now = honest.call("server.stats")
            return (now["sessions_cut"] - before, now["sessions"]) == (len(reasons), 1 + len(stalled) - len(reasons))

        for peer in stalled:
            peer.call("server.ping")  # a first message has less time
        before = honest.call("server.stats")["sessions_cut"]
        for peer in stalled[:8]:
            stall(peer)
        sender = threading.Thread(target=lambda: stall(stalled[8]), daemon=True)
        sender.start()
        for _ in range(3):
            added = honest.call("body.add", world="honest", kind="points", positions=ext("f", [0.0] * 60_000))
            self.assertEqual(added["particles"], 20_000)
        sender.join(PATIENCE_S)
        self.assertGreater(honest.steady(lambda stats: stats["sessions_cut"]), before)
        honest.until(look, "their ends, and of those alone")
        self.assertLessEqual(set(reasons.values()), {"receive_bytes", "message_ms"})
        for peer in stalled:
            peer.close()
        honest.until(lambda: honest.call("server.stats")["sessions"] == 1, "the end of the others")
        return list(reasons.values()).count("receive_bytes")


class Places(Attacks):
    def test_silent_connections_lock_nobody_out(self):
        server = self.start("--max-sessions", "100", http="127.0.0.1:0")
        user = self.peer(server)
        user.call("world.create", name="mine")
        user.call("world.join", world="mine")
        silent = [self.peer(server) for _ in range(150)]
        late = [self.peer(server) for _ in range(20)]
        for peer in late:
            peer.call("server.ping")
        for peer in late + [user]:
            peer.call("server.ping")  # and stay
        self.assertLessEqual(user.call("server.stats")["sessions"], 101)
        self.told(silent[0], "sessions")
        self.assertGreater(metric(server, 'weft_sessions_cut_total{reason="place"}'), 50)
        self.ends(server)

    def test_who_is_at_work_keeps_its_place(self):
        server = self.start("--max-sessions", "5")
        peers = [self.peer(server) for _ in range(5)]
        for peer in peers:
            peer.call("server.ping")
        self.told(self.peer(server), "sessions")
        for peer in peers:
            peer.call("server.ping")
        self.ends(server)

    def test_so_many_of_one_address(self):
        server = self.start("--max-sessions-per-address", "4")
        peers = [self.peer(server) for _ in range(4)]
        for peer in peers:
            peer.call("server.ping")
        self.told(self.peer(server), "sessions_per_address")
        host, port = server.address.rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=PATIENCE_S, source_address=("127.0.0.2", 0)) as other:
            other.sendall(msgpack.packb([0, 1, "server.ping", []]))
            self.assertEqual(msgpack.unpackb(other.recv(4096))[:3], [1, 1, None])
        peers[0].close()
        peers[1].until(lambda: peers[1].call("server.stats")["sessions"] == 3, "its end")
        self.peer(server).call("server.ping")
        self.ends(server)

    def test_worlds_and_sessions_are_as_many_as_is_asked_for(self):
        server = self.start("--max-worlds", "300", "--max-sessions", "1500")
        peer = self.peer(server)
        limits = peer.call("server.info")["limits"]
        self.assertEqual((limits["worlds"], limits["sessions"]), (300, 1500))
        for _ in range(300):
            peer.call("world.create")
        with self.assertRaises(WeftError) as caught:
            peer.call("world.create")
        self.assertIn("300 worlds", caught.exception.text)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 4000:
            self.skipTest("the system allows too few files")
        resource.setrlimit(resource.RLIMIT_NOFILE, (4000, hard))
        try:
            many = [self.peer(server) for _ in range(1200)]
            for one in many:
                one.request("world.get", world=1)
            for one in many:
                one.answer(1)
            self.assertEqual(peer.call("server.stats")["sessions"], 1201)
        finally:
            for one in many:
                one.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        self.ends(server)


class Deaths(Attacks):
    def test_who_dies_unread_is_noticed_and_its_steps_end(self):
        server = self.start()
        watcher = self.peer(server)
        for number in range(4):
            watcher.call("world.create", name=f"w{number}")
            watcher.call("body.add", world=f"w{number}", kind="points", positions=[0, 0, 0])
            watcher.call("world.set", world=f"w{number}", gravity=[0, 0, 0])
        dying = [server.peer() for _ in range(8)]
        for index, peer in enumerate(dying):
            # More than are taken unanswered: it is held, and what comes behind is not read.
            peer.send_raw(b"".join(msgpack.packb([0, msgid, "world.step", [{"world": f"w{index % 4}", "ticks": 1_000_000_000}]])
                                   for msgid in range(1, 600)))
        watcher.steady(lambda stats: stats["requests"])
        self.assertEqual(watcher.call("server.stats")["sessions"], 9)
        for peer in dying:
            peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.close()
        watcher.until(lambda: watcher.call("server.stats")["sessions"] == 1, "their end")
        # Nothing runs on: a world is stepped by one at a time.
        for number in range(4):
            watcher.until(lambda number=number: self.steps(watcher, f"w{number}"), "the end of the steps")
        self.ends(server)

    def steps(self, watcher, world):
        try:
            return watcher.call("world.step", world=world, ticks=1)
        except WeftError as error:
            self.assertEqual(error.code, "CONFLICT", str(error))
            return None


class Logs(Attacks):
    def test_a_log_that_nobody_reads_holds_up_nothing(self):
        reading, writing = os.pipe()
        process = subprocess.Popen([os.environ["WEFTD"], "--listen", "127.0.0.1:0", "--http", "none"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=writing)
        self.addCleanup(process.kill)
        self.addCleanup(os.close, reading)
        os.close(writing)
        first = b""
        while not first.endswith(b"\n"):
            first += os.read(reading, 1)  # and then no more
        address = first.split()[-1].decode()
        with Peer(address) as innocent:
            innocent.call("server.ping")  # whoever says nothing for long is cut
            host, port = address.rsplit(":", 1)
            for _ in range(3000):
                with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as bad:
                    bad.sendall(b"\xc1")
            # Kinds of lines that are not bounded by their number: whoever is told by name.
            for number in range(400):
                innocent.call("world.create", name=f"a-name-of-some-length-{number % 200}"
                              ) if number < 200 else innocent.call("world.delete", world=f"a-name-of-some-length-{number - 200}")
            innocent.call("server.ping")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(PATIENCE_S), 0)

    def test_a_kind_of_line_is_written_so_often_a_second(self):
        server = self.start(http="127.0.0.1:0")
        host, port = server.address.rsplit(":", 1)
        cut, least = 0, 10
        pattern = re.compile(r"(\d+) more like this within a second: session \d+ is cut \(protocol\)")
        deadline = time.monotonic() + PATIENCE_S
        # Where the machine is slow it takes longer until so many come within a second.
        while not any(int(found[1]) > least for found in filter(None, map(pattern.search, list(server.lines)))):
            self.assertLess(time.monotonic(), deadline, "all lines are written")
            for _ in range(100):
                with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as bad:
                    bad.sendall(b"\xc1")
                    bad.recv(4096)
                cut += 1
        self.assertEqual(metric(server, 'weft_sessions_cut_total{reason="protocol"}'), cut)
        self.ends(server)
        # Each was written, or counted in a line.
        written = sum("is cut (protocol)" in line and not pattern.search(line) for line in server.lines)
        counted = sum(int(found[1]) for found in filter(None, map(pattern.search, server.lines)))
        self.assertLessEqual(written + counted, cut)
        self.assertLess(written, cut - least)


class Cuts(Attacks):
    def test_who_does_not_read_its_notifications_is_told_on_tcp_too(self):
        server = self.start(http="127.0.0.1:0")
        editor, slow = self.peer(server), self.peer(server, receive_buffer=4096)
        editor.call("world.create", name="told")
        slow.call("world.join", world="told")
        limit = editor.call("server.info")["limits"]["notification_bytes"]
        name = "x" * 60
        sent = 0
        while metric(server, 'weft_sessions_cut_total{reason="notifications"}') == 0:
            ids = [editor.request("collider.add", world="told", kind="plane", name=name[:50] + str(i)) for i in range(100)]
            for msgid in ids:
                editor.answer(msgid)
            ids = [editor.request("collider.remove", world="told", collider=name[:50] + str(i)) for i in range(100)]
            for msgid in ids:
                editor.answer(msgid)
            sent += 200 * 150
            self.assertLess(sent, 20 * limit)
        self.told(slow, "notification_bytes")
        editor.call("server.ping")
        self.ends(server)


class Ends(Attacks):
    def test_the_end_gives_up_what_nobody_reads(self):
        server = self.start()
        slow = [self.peer(server, receive_buffer=4096) for _ in range(2)]
        slow[0].call("world.create", name="large")
        body = slow[0].call("body.add", world="large", kind="points", positions=ext("f", [0.0] * 900_000))["body"]
        asks = msgpack.packb([0, 9, "body.state", [{"world": "large", "body": body}]]) * 400
        other = self.peer(server)
        for peer in slow:
            peer.socket.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                peer.socket.send(asks)
        other.steady(lambda stats: stats["requests"])
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        server.line("^info: down$")  # after how long is looked at in tests/unit/host/test_session.c


if __name__ == "__main__":
    main()
