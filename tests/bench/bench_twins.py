#!/usr/bin/env python3
"""What those who watch a playing cloth of 100 x 100 cost a server: nobody, ten by positions, a thousand by records.

    WEFTD=build/release/bin/weftd tests/bench/bench_twins.py [--seconds S] [--twins N] [--viewers N]

Somebody drags all the while. Prints processor time of the server for a second of play, since others may compute on the machine, and
bytes for each watcher. All is read by one process beside. The three take turns, and again.
"""
import argparse
import math
import os
import selectors
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "e2e"))
from weft_peer import Server, ext, sheet  # noqa: E402

SIDE = 100


def processor_s(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_on(address, world, count, fields):
    """As a process of its own: subscribes so often, and reads all that comes; says how many bytes when it is asked."""
    import msgpack
    selector = selectors.DefaultSelector()
    host, port = address.rsplit(":", 1)
    for _ in range(count):
        connection = socket.create_connection((host, int(port)))
        connection.sendall(msgpack.packb([0, 1, "stream.subscribe", [{"world": world, **fields}]]))
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_READ)
    selector.register(sys.stdin, selectors.EVENT_READ)
    total, buffer = 0, bytearray(1 << 20)
    print("ready", flush=True)
    while True:
        for key, _ in selector.select():
            if key.fileobj is sys.stdin:
                if not sys.stdin.readline():
                    return
                print(total, flush=True)
                continue
            got = key.fileobj.recv_into(buffer)
            if got == 0:
                raise SystemExit("the server ended a connection")
            total += got


class Readers:
    def __init__(self, address, world, count, encoding):
        self.process = subprocess.Popen([sys.executable, __file__, "--read", address, str(world), str(count), encoding],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def bytes(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def drag(peer, world, grab, over):
    began = time.monotonic()
    while not over.is_set():
        angle = 2 * (time.monotonic() - began)
        peer.notify("grab.move", world=world, grab=grab, target=[0.3 * math.sin(angle), 1 + 0.2 * math.cos(angle), 0.3])
        time.sleep(1 / 60)


def measure(server, world, count, encoding, seconds):
    readers = Readers(server.address, world, count, encoding) if count else None
    time.sleep(1)
    bytes_before = readers.bytes() if readers else 0
    while encoding == "records":  # until all images have come
        time.sleep(2)
        now = readers.bytes()
        if now - bytes_before < 2 * 8192 * count:
            break
        bytes_before = now
    bytes_before = readers.bytes() if readers else 0
    began, before = time.monotonic(), processor_s(server.process.pid)
    time.sleep(seconds)
    spent, took = processor_s(server.process.pid) - before, time.monotonic() - began
    each = (readers.bytes() - bytes_before) / count / took if readers else 0
    if readers:
        readers.stop()
    return spent / took, each


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--twins", type=int, default=1000)
    parser.add_argument("--viewers", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--read", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.read:
        address, world, count, encoding = given.read
        read_on(address, int(world), int(count), {"encoding": encoding})
        return
    server = Server("--threads", "1", "--max-sessions", "2048")
    try:
        peer, dragger = server.peer(), server.peer()
        world = peer.call("world.create", name="watched", long_edges=False, bending="swept", sleep=False, calm=False)["world"]
        positions, triangles = sheet(SIDE, SIDE, 0.02, height=1)
        peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions), triangles=ext("I", triangles),
                  pins=[0, SIDE - 1])
        grab = dragger.call("grab.begin", world=world, body=1, particle=5050, target=[0, 1, 0])["grab"]
        peer.call("world.play", world=world)
        over = threading.Event()
        hand = threading.Thread(target=drag, args=(dragger, world, grab, over))
        hand.start()
        cases = [("nobody", 0, ""), (f"{given.viewers} by positions", given.viewers, "f32"),
                 (f"{given.twins} by records", given.twins, "records")]
        spent = {name: [] for name, _, _ in cases}
        for _ in range(given.rounds):
            for name, count, encoding in cases:
                share, each = measure(server, world, count, encoding, given.seconds)
                spent[name].append(share)
                print(f"{name:24} {share:6.3f} s of processor a second, {each:10.0f} B/s each", flush=True)
        for name, _, _ in cases[1:]:
            more = statistics.median(with_them - without for with_them, without in zip(spent[name], spent["nobody"]))
            print(f"{name:24} {more:6.3f} more than nobody of the same round (median)")
        over.set()
        hand.join()
    finally:
        server.stop()


main()
