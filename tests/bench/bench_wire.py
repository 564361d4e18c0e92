#!/usr/bin/env python3
"""How fast the wire is: answers a second, frames a second, bytes a second. Reads frames without unpacking them,
so that what is measured is the server as far as one Python process can tell."""

import os
import random
import socket
import struct
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e"))
import msgpack
from weft_peer import Server, ext, sheet


def pings(server, count=20000):
    with server.peer() as peer:
        delays = []
        for _ in range(count // 4):
            began = time.perf_counter()
            peer.call("server.ping")
            delays.append(time.perf_counter() - began)
        delays.sort()
        print(f"one ping after the other: {len(delays) / sum(delays):8.0f} a second, median "
              f"{1e6 * delays[len(delays) // 2]:.0f} us, p99 {1e6 * delays[int(0.99 * len(delays))]:.0f} us")
    for method, params in (("server.ping", []), ("world.get", [{"world": "bench"}])):
        with server.peer() as peer:
            if method == "world.get":
                peer.call("world.create", name="bench")
            window, data = 200, {}
            began = time.perf_counter()
            done = 0
            while done < count:
                peer.send_raw(b"".join(msgpack.packb([0, 10_000 + done + index, method, params])
                                       for index in range(window)))
                peer.wait(lambda: len(peer.answers) == window)
                peer.answers.clear()
                done += window
            print(f"{method}, {window} at a time:   {done / (time.perf_counter() - began):8.0f} a second "
                  "(Python packs and unpacks them)")


def edits_beside_ticks(server, side=300, count=300):
    """How long an edit of a playing world takes to be answered, a question that needs no boundary, and a ping; in turns,
    at moments that have nothing to do with the ticks."""
    with server.peer() as peer:
        world = peer.call("world.create")["world"]
        positions, triangles = sheet(side, side, 0.01)
        peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions), triangles=ext("I", triangles),
                  pins=[0, side - 1])
        peer.call("world.play", world=world)
        time.sleep(0.5)
        draw, delays = random.Random(7), {"edit": [], "world.get": [], "ping": []}
        for index in range(count):
            for what, call in (("edit", lambda value=index: peer.call("world.set", world=world, damping=value % 2)),
                               ("world.get", lambda: peer.call("world.get", world=world)),
                               ("ping", lambda: peer.call("server.ping"))):
                time.sleep(draw.uniform(0, 0.02))
                began = time.perf_counter()
                call()
                delays[what].append(1e3 * (time.perf_counter() - began))
        state = peer.call("world.get", world=world)
        peer.call("world.delete", world=world)
    told = []
    for what, times in delays.items():
        times.sort()
        told.append(f"{what} {times[len(times) // 2]:.2f} ms, p99 {times[int(0.99 * len(times))]:.2f} ms")
    print(f"{side}² in real time, ticks of {state['tick_us'] / 1e3:.1f} ms: {'; '.join(told)}")


class Drain(threading.Thread):
    """Reads a socket and counts, as fast as it can."""

    def __init__(self, peer):
        super().__init__(daemon=True)
        self.socket, self.bytes = peer.socket, 0
        self.socket.settimeout(None)

    def run(self):
        buffer = bytearray(1 << 20)
        while True:
            try:
                size = self.socket.recv_into(buffer)
            except OSError:
                return
            if not size:
                return
            self.bytes += size


def streams(server, side, subscribers, seconds=2.0):
    with server.peer() as peer:
        world = peer.call("world.create", substeps=1, gravity=[0, 0, 0], tick_rate=1000, sleep=False)["world"]
        positions, triangles = sheet(side, side, 0.01)
        peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions), triangles=ext("I", triangles))
        drains = []
        for _ in range(subscribers):
            other = server.peer()
            other.call("stream.subscribe", world=world)
            drains.append(Drain(other))
        for drain in drains:
            drain.start()
        peer.call("world.play", world=world, rate=0)
        time.sleep(0.3)
        before, ticks = peer.call("server.stats"), peer.call("world.get", world=world)["tick"]
        used, began = cpu_s(server), time.perf_counter()
        time.sleep(seconds)
        after, ticks = peer.call("server.stats"), peer.call("world.get", world=world)["tick"] - ticks
        elapsed, used = time.perf_counter() - began, cpu_s(server) - used
        frames = after["frames_sent"] - before["frames_sent"]
        print(f"{side:4}² to {subscribers:2} readers, as fast as it goes: {frames / elapsed:8.0f} frames a second, "
              f"{(after['bytes_out'] - before['bytes_out']) / elapsed / 1e6:7.0f} MB/s, {ticks / elapsed:7.0f} ticks a "
              f"second, {100 * used / elapsed:4.0f} % of a core")
        peer.call("world.delete", world=world)
        for drain in drains:
            drain.socket.shutdown(socket.SHUT_RDWR)


def cpu_s(server):
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def many_readers(server, side=100, subscribers=16, seconds=3.0):
    """What real time costs: 60 frames a second of one cloth to several readers."""
    with server.peer() as peer:
        world = peer.call("world.create")["world"]
        positions, triangles = sheet(side, side, 0.01)
        peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions), triangles=ext("I", triangles),
                  pins=[0, side - 1])
        loads = []
        drains = []
        for count in (0, subscribers):
            while len(drains) < count:
                other = server.peer()
                other.call("stream.subscribe", world=world)
                drains.append(Drain(other))
                drains[-1].start()
            peer.call("world.play", world=world)
            time.sleep(0.3)
            used, began = cpu_s(server), time.perf_counter()
            time.sleep(seconds)
            loads.append(100 * (cpu_s(server) - used) / (time.perf_counter() - began))
            peer.call("world.pause", world=world)
        state = peer.call("world.get", world=world)
        print(f"{side}² in real time, 20 substeps: {loads[0]:.1f} % of a core with no reader, {loads[1]:.1f} % with "
              f"{subscribers} (60 frames a second each); {state['ticks_late']} ticks late")
        peer.call("world.delete", world=world)
        for drain in drains:
            drain.socket.shutdown(socket.SHUT_RDWR)


def large_body(server, count=1_000_000):
    with server.peer() as peer:
        world = peer.call("world.create")["world"]
        side = 1000
        positions, triangles = sheet(side, count // side, 0.001)
        for name, fields in (("typed", {"positions": ext("f", positions), "triangles": ext("I", triangles)}),
                             ("plain", {"positions": [0.5] * len(positions), "kind": "points"})):
            data = msgpack.packb([0, 1, "body.add", [{"world": world, "kind": "cloth", **fields}]])
            began = time.perf_counter()
            peer.send_raw(data)
            peer.wait(lambda: 1 in peer.answers)
            error = peer.answers.pop(1)[0]
            print(f"body.add of {count} vertices, {name}, {len(data) / 1e6:.0f} MB: "
                  f"{1e3 * (time.perf_counter() - began):.0f} ms{' REFUSED ' + str(error) if error else ''}")
        peer.call("world.delete", world=world)


def tick_ends(peer, world, seconds):
    """How late each tick ended, in ms after it was due, as far as polling sees them all."""
    ends, last, until = [], None, time.perf_counter() + seconds
    while time.perf_counter() < until:
        state = peer.call("world.get", world=world)
        if state["tick"] != last:
            last = state["tick"]
            ends.append((state["lateness_us"] + state["tick_us"]) / 1e3)
        time.sleep(0.002)
    return ends


def added_body(server, runs=7):
    """What a running world feels of a body of 10,000 particles that somebody adds, beside the same world a moment later,
    when nothing is added: a host that takes cores away delays that as well."""
    positions, triangles = sheet(100, 100, 0.02)
    small_positions, small_triangles = sheet(40, 40, 0.02)
    bend = {"model": "quadratic", "compliance": 1e-4}
    worst = {True: [], False: []}
    for _ in range(runs):
        with server.peer() as watcher, server.peer() as editor:
            world = editor.call("world.create")["world"]
            editor.call("body.add", world=world, kind="cloth", positions=ext("f", small_positions),
                        triangles=ext("I", small_triangles), pins=[0, 39], bend=bend)
            editor.call("world.play", world=world)
            time.sleep(0.5)
            late = {}
            for added in (True, False):
                if added:
                    editor.request("body.add", world=world, kind="cloth", positions=ext("f", positions),
                                   triangles=ext("I", triangles), pins=[0, 99], bend=bend)
                late[added] = tick_ends(watcher, world, 0.25)
                time.sleep(0.5)
            usual = sorted(late[False])[len(late[False]) // 2]
            for added, ends in late.items():
                worst[added].append(max(ends) - usual)
            editor.call("world.delete", world=world)
    for added, what in ((True, "a body of 10,000 added to a running world of 40 x 40"), (False, "nothing added")):
        delays = sorted(worst[added])
        print(f"{what}: longest delay of a tick in 0.25 s, median {delays[len(delays) // 2]:.1f} ms, "
              f"worst of {runs} {delays[-1]:.1f} ms")


def main():
    server = Server()
    try:
        pings(server)
        large_body(server)
        added_body(server)
        edits_beside_ticks(server)
        for side, subscribers in ((10, 1), (100, 1), (100, 8), (300, 1), (300, 4)):
            streams(server, side, subscribers)
        many_readers(server)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
