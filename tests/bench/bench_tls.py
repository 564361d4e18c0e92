#!/usr/bin/env python3
"""What TLS costs: a stream's frames, by processor time of the loop; a ping; a handshake; the memory of a connection; and what a
flood of handshakes costs somebody else's ping. Two servers, one plain, take turns in one run, so that what else the machine does
counts for both alike.

WEFT_BEFORE, another weftd, takes part as a third where it is given: plain, to compare with the plain one.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e"))
import tls_files
from bench_web import Drain, cpu_s
from test_tls import FLOOD, TlsPeer
from weft_peer import Peer, Server, ext, sheet

VIEWERS, ROUNDS, SECONDS, IDLE = 8, 9, 1.0, 200


class Side:
    """A server, and how one speaks to it."""

    def __init__(self, name, server, connect):
        self.name, self.server, self.connect = name, server, connect
        self.control = connect()
        self.world = None

    def play(self, side):
        positions, triangles = sheet(side, side, 0.01)
        self.world = self.control.call("world.create", substeps=1, gravity=[0, 0, 0], sleep=False)["world"]
        self.control.call("body.add", world=self.world, kind="cloth", positions=ext("f", positions), triangles=ext("I", triangles))
        self.control.call("world.play", world=self.world)

    def stop(self):
        self.control.call("world.delete", world=self.world)

    def measure(self, viewers):
        """(loop seconds, bytes, frames), each a second."""
        drains = []
        for _ in range(viewers):
            peer = self.connect()
            peer.call("stream.subscribe", world=self.world)
            drains.append(Drain(peer))
        time.sleep(0.3)
        pid = self.server.process.pid
        before, began, loop = self.control.call("server.stats"), time.perf_counter(), cpu_s(pid, pid)
        time.sleep(SECONDS)
        loop = cpu_s(pid, pid) - loop
        after, elapsed = self.control.call("server.stats"), time.perf_counter() - began
        for drain in drains:
            drain.stop()
        while self.control.call("server.stats")["sessions"] > 1:
            time.sleep(0.01)
        return tuple(value / elapsed for value in (loop, after["bytes_out"] - before["bytes_out"],
                                                   after["frames_sent"] - before["frames_sent"]))

    def resident(self):
        with open(f"/proc/{self.server.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def streams(sides, side):
    taken = {one.name: {0: [], VIEWERS: []} for one in sides}
    for one in sides:
        one.play(side)
    for turn in range(ROUNDS):
        for one in (sides * 2)[turn % len(sides):turn % len(sides) + len(sides)]:
            for viewers in (0, VIEWERS):
                taken[one.name][viewers].append(one.measure(viewers))
    costs = {}
    for one in sides:
        one.stop()
        # The frames of this run by what the loop had to do for them, round by round.
        costs[one.name] = [(with_some[0] - with_none[0]) / with_some[2]
                           for with_some, with_none in zip(taken[one.name][VIEWERS], taken[one.name][0])]
        frames, sent = (statistics.median(row[column] for row in taken[one.name][VIEWERS]) for column in (2, 1))
        print(f"{side:4}² to {VIEWERS} viewers, {one.name:6}: {frames / VIEWERS:5.1f} frames a second each, {sent / frames:8.0f} bytes "
              f"a frame, {1e6 * statistics.median(costs[one.name]):7.1f} us of the loop a frame")
    for one in sides[1:]:
        ratio = statistics.median(mine / plain for mine, plain in zip(costs[one.name], costs[sides[0].name]))
        print(f"          {one.name} / {sides[0].name}: {ratio:.2f}")


def pings(peer, count):
    times = []
    for _ in range(count):
        began = time.perf_counter()
        peer.call("server.ping")
        times.append(time.perf_counter() - began)
    return times


def small(sides):
    for one in sides:
        pings(one.control, 200)
    rounds = {one.name: [] for one in sides}
    for _ in range(ROUNDS):
        for one in sides:
            rounds[one.name].append(statistics.median(pings(one.control, 500)))
    print("a ping: " + ", ".join(f"{name} {1e6 * statistics.median(times):.0f} us" for name, times in rounds.items()))


def idle(sides):
    for one in sides:
        peers = [one.connect() for _ in range(20)]  # what is made once
        before = one.resident()
        more = [one.connect() for _ in range(IDLE)]
        [peer.call("server.ping") for peer in more]
        print(f"a connection that is idle, {one.name}: {(one.resident() - before) / IDLE / 1024:.0f} KiB")
        [peer.close() for peer in peers + more]


def handshakes(authority, kind):
    cert, key = authority.issue(f"server-{kind}", kind=kind)
    server = Server("--tls-cert", cert, "--tls-key", key)
    try:
        with TlsPeer(server.address, authority.context()) as peer:
            rest = pings(peer, 500)
            pid = server.process.pid
            flood = subprocess.Popen([sys.executable, "-c", FLOOD, server.address, authority.ca], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True)
            flood.stdout.readline()
            time.sleep(0.3)
            loop, everything, began, times = cpu_s(pid, pid), cpu_s(pid), time.perf_counter(), []
            while time.perf_counter() - began < 4:
                times += pings(peer, 1)
                time.sleep(0.002)
            loop, everything, elapsed = cpu_s(pid, pid) - loop, cpu_s(pid) - everything, time.perf_counter() - began
            flood.stdin.close()
            count = int(flood.stdout.read())
            flood.stdout.close()
            flood.wait()
            times.sort()
            rate = count / (elapsed + 0.3)
            print(f"handshakes, {'ECDSA P-256' if kind == 'ec' else f'RSA {kind}'}: {rate:.0f} a second, {1e6 * loop / elapsed / rate:.0f} us of the "
                  f"loop and {1e6 * (everything - loop) / elapsed / rate:.0f} us of workers each; a ping beside them "
                  f"{1e3 * statistics.median(times):.2f} ms (99 of 100 within {1e3 * times[len(times) * 99 // 100]:.1f} ms), at rest "
                  f"{1e3 * statistics.median(rest):.2f} ms")
    finally:
        server.stop()


def main():
    with tls_files.Authority() as authority:
        cert, key = authority.issue("server")
        servers = [Server(), Server("--tls-cert", cert, "--tls-key", key)]
        sides = [Side("plain", servers[0], servers[0].peer),
                 Side("TLS", servers[1], lambda: TlsPeer(servers[1].address, authority.context()))]
        if os.environ.get("WEFT_BEFORE"):
            now, os.environ["WEFTD"] = os.environ["WEFTD"], os.environ["WEFT_BEFORE"]
            servers.append(Server())
            os.environ["WEFTD"] = now
            sides.append(Side("before", servers[2], servers[2].peer))
        try:
            for side in (10, 100, 200):
                streams(sides, side)
            small(sides)
            idle(sides)
        finally:
            for server in servers:
                server.stop()
        for kind in ("ec", "2048"):
            handshakes(authority, kind)


if __name__ == "__main__":
    main()
