#!/usr/bin/env python3
"""What a viewer over a WebSocket costs the server beside one over TCP: bytes, and processor time of the loop and of all
threads. Rounds without viewers, with some on TCP and with as many on WebSockets take turns in one run, in an order that
changes; the figures are medians of the rounds, so that what else the machine does counts for all three alike."""

import os
import statistics
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e"))
from web_peer import WebPeer
from weft_peer import Peer, Server, ext, sheet

VIEWERS, ROUNDS, SECONDS = 16, 9, 1.0


class Drain(threading.Thread):
    """Reads a socket as fast as it can, and looks at nothing."""

    def __init__(self, peer):
        super().__init__(daemon=True)
        self.peer = peer
        peer.socket.settimeout(None)
        self.start()

    def run(self):
        buffer = bytearray(1 << 20)
        try:
            while self.peer.socket.recv_into(buffer):
                pass
        except OSError:
            pass

    def stop(self):
        try:
            self.peer.socket.shutdown(2)
        except OSError:
            pass
        self.join(10)
        self.peer.close()


def cpu_s(pid, thread=None):
    """Processor time so far, of one thread or of all, to the nanosecond."""
    tasks = [thread] if thread else os.listdir(f"/proc/{pid}/task")
    return sum(int(Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()[0]) for task in tasks) * 1e-9


def measure(server, control, world, kind, viewers):
    """(loop seconds, all seconds, bytes, frames), each a second."""
    drains = []
    for _ in range(viewers):
        peer = WebPeer(server.http) if kind == "websocket" else Peer(server.address)
        peer.call("stream.subscribe", world=world)
        drains.append(Drain(peer))
    time.sleep(0.5)
    pid = server.process.pid
    before, began = control.call("server.stats"), time.perf_counter()
    loop, everything = cpu_s(pid, pid), cpu_s(pid)
    time.sleep(SECONDS)
    loop, everything = cpu_s(pid, pid) - loop, cpu_s(pid) - everything
    after, elapsed = control.call("server.stats"), time.perf_counter() - began
    for drain in drains:
        drain.stop()
    while control.call("server.stats")["sessions"] > 1:
        time.sleep(0.01)
    return tuple(value / elapsed for value in (loop, everything, after["bytes_out"] - before["bytes_out"],
                                               after["frames_sent"] - before["frames_sent"]))


def compare(server, side):
    with server.peer() as control:
        # The frames are what is measured: a world that costs little else.
        world = control.call("world.create", substeps=1, gravity=[0, 0, 0], sleep=False)["world"]
        positions, triangles = sheet(side, side, 0.01)
        control.call("body.add", world=world, kind="cloth", positions=ext("f", positions),
                     triangles=ext("I", triangles))
        control.call("world.play", world=world)
        rounds = {"none": [], "tcp": [], "websocket": []}
        for turn in range(ROUNDS):
            for kind in (list(rounds) * 2)[turn % 3:turn % 3 + 3]:
                rounds[kind].append(measure(server, control, world, kind, 0 if kind == "none" else VIEWERS))
        none, tcp, websocket = ([statistics.median(column) for column in zip(*taken)] for taken in rounds.values())
        costs = []
        for name, figures in (("TCP", tcp), ("WebSocket", websocket)):
            loop_s, all_s, sent, frames = (with_some - with_none for with_some, with_none in zip(figures, none))
            costs.append((sent / frames, loop_s / frames))
            print(f"{side:4}² to {VIEWERS} viewers, {name:9}: {frames / VIEWERS:5.1f} frames a second each, "
                  f"{sent / frames:9.0f} bytes a frame, {1e6 * loop_s / frames:6.1f} us of the loop a frame, "
                  f"{100 * all_s / VIEWERS:5.2f} % of a core a viewer")
        print(f"          a frame over a WebSocket: {costs[1][0] - costs[0][0]:+.1f} bytes, "
              f"{100 * costs[1][1] / costs[0][1] - 100:+.0f} % of the loop's time")
        control.call("world.delete", world=world)


def main():
    server = Server(http="127.0.0.1:0")
    try:
        for side in (10, 100, 200):
            compare(server, side)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
