#!/usr/bin/env python3
"""What one client can do to the others: floods, half messages, silence, deaths, and a log that nobody reads.

An innocent client's ping is compared with its ping on the same server at rest, on the same machine in the same minute;
bounds are far above what is seen and far below what a server does that serves whoever is loudest.
"""

import contextlib
import os
import resource
import signal
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time
import unittest

import msgpack

from weft_peer import PATIENCE_S, SLOW, Closed, Peer, Server, WeftError, ext, main

PINGS = 60


def pings(peer, count=PINGS):
    """Median seconds of a ping."""
    times = []
    for _ in range(count):
        began = time.monotonic()
        peer.call("server.ping")
        times.append(time.monotonic() - began)
        time.sleep(0.002)
    return statistics.median(times)


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
    def start(self, *arguments, **options):
        server = Server("--threads", "2", *arguments, **options)
        self.addCleanup(server.kill)
        return server

    def peer(self, server, **options):
        peer = server.peer(**options)
        self.addCleanup(peer.close)
        return peer

    def told(self, peer, limit, timeout_s=None):
        """The server ends the connection, and its last message names the limit."""
        notices = peer.expect_end(timeout_s)
        self.assertTrue(notices, "cut without a word")
        self.assertEqual(notices[-1].method, "error")
        self.assertIn(f"(limit {limit} = ", notices[-1].params["error"][1])

    def metric(self, server, name):
        host, port = server.http.rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as plain:
            plain.sendall(f"GET /metrics HTTP/1.1\r\nHost: {server.http}\r\nConnection: close\r\n\r\n".encode())
            text = b""
            while data := plain.recv(1 << 16):
                text += data
        for line in text.decode().splitlines():
            if line.startswith(name + " "):
                return float(line.rsplit(" ", 1)[1])
        raise AssertionError(f"no {name} in /metrics")


class Floods(Attacks):
    """A ping of somebody else takes no more than a few milliseconds, whatever comes beside it."""

    def beside(self, what, data, floods=1, reads=False):
        server = self.start()
        innocent = self.peer(server)
        rest = pings(innocent)
        flood = []
        try:
            flood += [Flood(server, data, reads) for _ in range(floods)]
            time.sleep(0.5)
            median = pings(innocent)
        finally:
            for one in flood:
                one.stop()
        print(f"\n{what}: median ping {1e3 * median:.2f} ms, at rest {1e3 * rest:.2f} ms")
        # The senders take the cores away, so the bound is wider than what is promised (5 ms).
        self.assertLess(median, 0.008 * SLOW + 10 * rest)
        self.assertEqual(server.stop(), 0)

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
        server = self.start()
        innocent = self.peer(server)
        rest = pings(innocent)
        flood = []
        try:
            flood += [Flood(server, program=CONNECTIONS) for _ in range(2)]
            time.sleep(0.3)
            median = pings(innocent)
        finally:
            for one in flood:
                one.stop()
        print(f"\nconnections without end: median ping {1e3 * median:.2f} ms, at rest {1e3 * rest:.2f} ms")
        # Three processes that never rest share the cores: the system gives each some milliseconds in turns.
        self.assertLess(median, 0.03 * SLOW + 10 * rest)
        self.assertEqual(server.stop(), 0)


class HalfMessages(Attacks):
    STALLED = b"\x94\x00\x01\xabserver.ping\xc6" + struct.pack(">I", 67_000_000)

    @unittest.skipIf(os.environ.get("WEFT_SANITIZE") == "thread", "half a gigabyte takes longer than a message may")
    def test_stalled_messages_go_before_honest_ones(self):
        server = self.start(http="127.0.0.1:0")
        stalled = [self.peer(server) for _ in range(9)]
        def stall(peer):
            with contextlib.suppress(ConnectionError):  # cut while it sends, where sending takes long
                peer.send_raw(self.STALLED + bytes(60_000_000))

        for peer in stalled[:8]:
            stall(peer)
        honest = self.peer(server)
        honest.call("world.create", name="honest")
        sender = threading.Thread(target=lambda: stall(stalled[8]), daemon=True)
        sender.start()
        for _ in range(3):
            added = honest.call("body.add", world="honest", kind="points", positions=ext("f", [0.0] * 60_000))
            self.assertEqual(added["particles"], 20_000)
        sender.join(PATIENCE_S)
        ends = 0
        for peer in stalled:
            try:
                peer.settle(0.05)
            except Closed:
                ends += 1
                self.assertIn("(limit receive_bytes = ", peer.notices[-1].params["error"][1])
        self.assertGreaterEqual(ends, 1)
        self.assertEqual(self.metric(server, 'weft_sessions_cut_total{reason="receive_bytes"}'), ends)
        self.assertEqual(server.stop(), 0)

    def test_a_message_that_does_not_go_on_and_a_peer_that_says_nothing_are_cut(self):
        server = self.start(http="127.0.0.1:0")
        limits = self.peer(server).call("server.info")["limits"]
        self.assertLessEqual(limits["message_ms"], 60_000)
        self.assertLessEqual(limits["first_message_ms"], 60_000)
        silent, half, drips, idle = (self.peer(server) for _ in range(4))
        idle.call("server.ping")
        half.send_raw(self.STALLED + bytes(1000))
        drips.send_raw(self.STALLED)
        until = time.monotonic() + limits["message_ms"] / 1000 + 5 * SLOW
        end = None
        while end is None and time.monotonic() < until:
            try:
                drips.send_raw(b"\0")
                if drips.pump(0.25):
                    end = True
            except (Closed, OSError):
                end = True
        self.told(half, "message_ms", 5 * SLOW)
        self.assertTrue(end, "who drips is not cut")
        self.told(silent, "first_message_ms", limits["first_message_ms"] / 1000)
        idle.call("server.ping")  # who said something may be silent
        self.assertEqual(self.metric(server, 'weft_sessions_cut_total{reason="overdue"}'), 2)
        self.assertEqual(self.metric(server, 'weft_sessions_cut_total{reason="silent"}'), 1)
        self.assertEqual(server.stop(), 0)


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
        self.assertGreater(self.metric(server, 'weft_sessions_cut_total{reason="place"}'), 50)
        self.assertEqual(server.stop(), 0)

    def test_who_is_at_work_keeps_its_place(self):
        server = self.start("--max-sessions", "5")
        peers = [self.peer(server) for _ in range(5)]
        for peer in peers:
            peer.call("server.ping")
        self.told(self.peer(server), "sessions")
        for peer in peers:
            peer.call("server.ping")
        self.assertEqual(server.stop(), 0)

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
        self.assertEqual(server.stop(), 0)

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
        self.assertEqual(server.stop(), 0)


class Deaths(Attacks):
    def test_who_dies_unread_is_noticed_and_its_steps_end(self):
        server = self.start()
        watcher = self.peer(server)
        for number in range(4):
            watcher.call("world.create", name=f"w{number}")
            watcher.call("body.add", world=f"w{number}", kind="points", positions=[0, 0, 0])
            watcher.call("world.set", world=f"w{number}", gravity=[0, 0, 0])
        for kind in ("reset", "close"):
            dying = [server.peer() for _ in range(8)]
            for index, peer in enumerate(dying):
                # More than are taken unanswered: it is held, and what comes behind is not read.
                peer.send_raw(b"".join(msgpack.packb([0, msgid, "world.step", [{"world": f"w{index % 4}",
                                                                                "ticks": 1_000_000_000}]])
                                       for msgid in range(1, 600)))
            time.sleep(0.5)
            self.assertEqual(watcher.call("server.stats")["sessions"], 9)
            for peer in dying:
                if kind == "reset":
                    peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                peer.close()
            watcher.until(lambda: watcher.call("server.stats")["sessions"] == 1, f"their end ({kind})")
        # Nothing runs on: the last steps end with the last session.
        watcher.until(lambda: watcher.call("server.stats")["ticks"] == self._later(watcher), "the end of the steps")
        self.assertEqual(server.stop(), 0)

    def _later(self, watcher):
        time.sleep(0.2)
        return watcher.call("server.stats")["ticks"]


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
        for _ in range(1000):
            with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as bad:
                bad.sendall(b"\xc1")
                bad.recv(4096)
        told = server.line(r"(\d+) more like this within a second: session \d+ is cut \(protocol\)")
        self.assertGreater(int(told[1]), 10)
        self.assertLess(sum("is cut (protocol)" in line for line in server.lines), 700)
        self.assertGreater(self.metric(server, "weft_log_lines_lost_total"), 10)
        self.assertEqual(self.metric(server, 'weft_sessions_cut_total{reason="protocol"}'), 1000)
        self.assertEqual(server.stop(), 0)


class Cuts(Attacks):
    def test_who_does_not_read_its_notifications_is_told_on_tcp_too(self):
        server = self.start(http="127.0.0.1:0")
        editor, slow = self.peer(server), self.peer(server, receive_buffer=4096)
        editor.call("world.create", name="told")
        slow.call("world.join", world="told")
        limit = editor.call("server.info")["limits"]["notification_bytes"]
        name = "x" * 60
        sent = 0
        while self.metric(server, 'weft_sessions_cut_total{reason="notifications"}') == 0:
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
        self.assertEqual(server.stop(), 0)


class Ends(Attacks):
    def test_sigterm_takes_two_seconds_whatever_waits(self):
        server = self.start()
        slow = [self.peer(server, receive_buffer=4096) for _ in range(2)]
        slow[0].call("world.create", name="large")
        body = slow[0].call("body.add", world="large", kind="points", positions=ext("f", [0.0] * 900_000))["body"]
        for peer in slow:
            peer.socket.settimeout(0.3)
            try:
                peer.socket.sendall(msgpack.packb([0, 9, "body.state", [{"world": "large", "body": body}]]) * 400)
            except TimeoutError:
                pass
        time.sleep(0.3)
        began = time.monotonic()
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        took = time.monotonic() - began
        print(f"\nwith 800 answers of 3.6 MB asked for: down after {took:.2f} s")
        self.assertLess(took, 3.5 if SLOW == 1 else 30)


if __name__ == "__main__":
    main()
