#!/usr/bin/env python3
"""What streams of f32, q16 and delta of a live cloth take: bytes a vertex and frame as one viewer counts them, what making a
tick's frames takes of the simulation's thread, and what the server takes in all, for 1 and for 100 viewers."""

import multiprocessing
import os
import re
import selectors
import socket
import statistics
import sys
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e"))
import msgpack
from weft_peer import Server, ext, numbers, sheet

SIDE, SECONDS = 100, 4.0


def drain(address, world, wish, count, begun, ended):
    """So many viewers that throw away what comes, in a process of their own."""
    selector = selectors.DefaultSelector()
    for _ in range(count):
        one = socket.create_connection((address.rsplit(":", 1)[0], int(address.rsplit(":", 1)[1])))
        one.sendall(msgpack.packb([0, 1, "stream.subscribe", [{"world": world, **wish}]]))
        selector.register(one, selectors.EVENT_READ)
    begun.set()
    while not ended.is_set():
        for key, _ in selector.select(0.05):
            key.fileobj.recv(1 << 20)


def captured(server):
    page = urllib.request.urlopen(f"http://{server.http}/metrics", timeout=10).read().decode()
    return float(re.search(r'weft_phase_seconds_total\{phase="capture"\} (\S+)', page).group(1))


def used(server):
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(server, peer, world, wish, viewers):
    """Bytes and vertices by frame, milliseconds of capture a tick, processor seconds a second."""
    begun, ended = multiprocessing.Event(), multiprocessing.Event()
    others = None
    if viewers > 1:
        others = multiprocessing.Process(target=drain, args=(server.address, world, wish, viewers - 1, begun, ended))
        others.start()
        begun.wait()
    stream = peer.call("stream.subscribe", world=world, **wish)["stream"]
    time.sleep(0.3)
    tick, before, cpu, began = peer.call("world.get", world=world)["tick"], captured(server), used(server), time.time()
    peer.frames.clear()
    sizes, messages, dropped = [], [], 0
    while time.time() - began < SECONDS:
        peer.pump(0.01)
        while peer.frames:
            frame = peer.frames.popleft()
            if frame.params["stream"] == stream:
                messages.append(len(frame.raw))
                dropped += frame.params["dropped"]
                for chunk in frame.params["bodies"]:
                    data = chunk["positions"]
                    sizes.append(len(data) if isinstance(data, bytes) else len(data) * data.itemsize)
    took = time.time() - began
    ticks = peer.call("world.get", world=world)["tick"] - tick
    result = (statistics.mean(sizes) / SIDE ** 2, statistics.mean(messages), 1e3 * (captured(server) - before) / ticks,
              (used(server) - cpu) / took, ticks / took, len(messages), dropped)
    peer.call("stream.unsubscribe", stream=stream)
    ended.set()
    if others:
        others.join()
    return result


def report(server, peer, world, body, wish, viewers):
    told = numbers(peer.call("body.state", world=world, body=body, fields=["velocities"])["velocities"])
    speed = (sum(value * value for value in told) / SIDE ** 2) ** 0.5
    per, message, capture, cpu, rate, frames, dropped = measure(server, peer, world, wish, viewers)
    print(f"{viewers:4d} viewers {wish.get('encoding', 'f32'):6s} {wish.get('tolerance', ''):6} "
          f"{per:6.3f} B a vertex, {message:8.0f} B a message, frames {capture:6.3f} ms a tick, "
          f"server {cpu:5.3f} s/s, {rate:4.1f} ticks/s, {frames} frames, {dropped} dropped, {speed:.2f} m/s")


def main():
    bends = {"bending": {"model": "dihedral", "compliance": 1e-4}, "no bending": {"model": "none"}}
    wishes = [{}, {"encoding": "q16"}, {"encoding": "delta"}, {"encoding": "delta", "tolerance": 1e-3}]
    server = Server(http="127.0.0.1:0")
    with server.peer() as peer:
        for bend in bends:
            world = peer.call("world.create", tick_rate=60, substeps=10, long_edges=False, bending="swept", sleep=False,
                              wind={"velocity": [0, 0, 4], "drag": 1.0, "lift": 0.5})["world"]
            positions, triangles = sheet(SIDE, SIDE, 0.01)
            body = peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions), bend=bends[bend],
                             triangles=ext("I", triangles), pins=[0, SIDE - 1], density=0.2)["body"]
            peer.call("world.play", world=world)
            time.sleep(2)
            print(bend)
            for viewers in (1, 100):
                for wish in wishes:
                    report(server, peer, world, body, wish, viewers)
            peer.call("world.delete", world=world)
    server.stop()


if __name__ == "__main__":
    main()
