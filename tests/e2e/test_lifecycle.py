#!/usr/bin/env python3
"""How a server begins and ends."""

import os
import re
import signal
import socket
import subprocess
import unittest

from weft_peer import PATIENCE_S, Closed, Server, WeftError, sheet


class Lifecycle(unittest.TestCase):
    def start(self, *arguments, **options):
        server = Server(*arguments, **options)
        self.addCleanup(server.kill)
        return server

    def test_the_address_is_the_first_line(self):
        server = self.start()
        self.assertRegex(server.lines[0], r"^listening rpc 127\.0\.0\.1:[1-9]\d*$")
        self.assertEqual(server.stop(), 0)

    def test_sigterm_and_sigint_end_it_in_order_with_answers_flushed(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            server = self.start("--threads", "2")
            peer = server.peer()
            self.addCleanup(peer.close)
            peer.call("world.create", name="going")
            positions, triangles = sheet(40, 40)
            peer.call("body.add", world="going", kind="cloth", positions=positions, triangles=triangles)
            peer.call("world.play", world="going")
            peer.call("stream.subscribe", world="going")
            ids = [peer.request("world.get", world="going") for _ in range(50)]
            # All 50 have been read once one has been answered by now; the others wait in rings.
            peer.wait(lambda: ids[0] in peer.answers)
            server.signal(number)
            self.assertEqual(server.wait(), 0, "\n".join(server.lines[-40:]))
            with self.assertRaises(Closed):
                while True:
                    peer.pump(PATIENCE_S)
            answered = [msgid for msgid in ids if msgid in peer.answers]
            self.assertEqual(answered, ids[:len(answered)], "answers come in order, none is left out")
            for msgid in answered:
                error = peer.answers[msgid][0]
                self.assertTrue(error is None or error[1].startswith("SHUTDOWN"), error)

    def test_a_long_step_is_cut_short_and_answered(self):
        server = self.start("--threads", "1")
        peer = server.peer()
        self.addCleanup(peer.close)
        peer.call("world.create", name="long")
        peer.call("body.add", world="long", kind="points", positions=[0, 0, 0])
        peer.call("world.set", world="long", gravity=[0, 0, 0])
        step = peer.request("world.step", world="long", ticks=1_000_000_000)
        with server.peer() as other:
            other.until(lambda: other.call("world.get", world="long")["tick"] > 0, "the step")
        server.signal(signal.SIGTERM)
        try:
            peer.wait(lambda: step in peer.answers)
        except Closed:
            pass
        self.assertIn(step, peer.answers)
        self.assertEqual(server.wait(), 0)

    def test_edits_after_the_signal_are_refused_or_cut_off(self):
        server = self.start()
        peer = server.peer(receive_buffer=4096)
        self.addCleanup(peer.close)
        peer.call("world.create", name="late")
        server.signal(signal.SIGTERM)
        try:
            for _ in range(200):
                peer.call("world.set", world="late", damping=1)
        except WeftError as error:
            self.assertEqual(error.code, "SHUTDOWN")
        except (Closed, OSError):
            pass
        else:
            self.fail("edits were taken after the signal")
        self.assertEqual(server.wait(), 0)

    def test_who_never_reads_cannot_hold_it_up(self):
        server = self.start("--threads", "2")
        with server.peer() as busy, server.peer(receive_buffer=4096) as idle:
            busy.call("world.create", name="held")
            positions, triangles = sheet(100, 100)
            busy.call("body.add", world="held", kind="cloth", positions=positions, triangles=triangles)
            idle.call("stream.subscribe", world="held", unit="substep", fields=["positions64", "velocities"])
            busy.call("world.play", world="held")
            busy.until(lambda: busy.call("world.get", world="held")["frames_dropped"] > 0, "frames that nobody takes")
            for _ in range(30):
                idle.request("server.info")
            busy.fence()
            server.signal(signal.SIGTERM)
            self.assertEqual(server.wait(), 0)

    def test_a_second_signal_ends_it_at_once(self):
        server = self.start("--threads", "2")
        with server.peer(receive_buffer=4096) as idle:
            # Unsent answers: the orderly end would wait for them.
            for _ in range(400):
                idle.request("server.info")
            with server.peer() as other:
                other.steady(lambda stats: stats["requests"])
            server.signal(signal.SIGTERM)
            server.line("^info: going down")
            server.signal(signal.SIGTERM)
            self.assertEqual(server.wait(), 128 + signal.SIGTERM)
            self.assertNotIn("info: down", server.lines)

    def test_an_address_in_use_is_a_clear_error(self):
        server = self.start()
        run = subprocess.run([os.environ["WEFTD"], "--listen", server.address], capture_output=True, text=True,
                             stdin=subprocess.DEVNULL, timeout=PATIENCE_S)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(server.address, run.stderr)
        self.assertIn("in use", run.stderr)
        self.assertEqual(server.stop(), 0)

    def test_connections_refused_at_the_limit_leave_the_others_alone(self):
        server = self.start()
        with server.peer() as peer:
            limit = peer.call("server.info")["limits"]["sessions"]
            others = []
            try:
                for _ in range(limit + 20):
                    host, port = server.address.rsplit(":", 1)
                    others.append(socket.create_connection((host, int(port)), timeout=PATIENCE_S))
            except OSError as error:
                if not re.search("Too many open files", str(error)):
                    raise
            self.assertIn("time_us", peer.call("server.ping"))
            self.assertLessEqual(peer.call("server.stats")["sessions"], limit)
            for other in others:
                other.close()
            peer.until(lambda: peer.call("server.stats")["sessions"] == 1, "the end of the sessions")
            with server.peer() as late:
                late.call("server.ping")
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
