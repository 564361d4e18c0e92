"""Doors: proxies before one server that stand for servers of a deployment, as a client sees them. A world is behind one of them;
the others answer MOVED. When it goes to another, whoever was in it is told, and gets no more frames of it there."""

import socket
import threading
import time

import msgpack
from weft_peer import PATIENCE_S

FIELDS = ("kind", "code", "text", "field", "value", "revision", "user", "limit", "server", "address", "web")


class Guest(threading.Thread):
    """A client at a door."""

    def __init__(self, door, client):
        super().__init__(daemon=True)
        self.door, self.client = door, client
        host, port = door.doors.target.rsplit(":", 1)
        self.server = socket.create_connection((host, int(port)), PATIENCE_S)
        self.lock = threading.Lock()
        self.errors_map = False
        self.asked = {}  # of requests under way: what the answer tells the door
        self.joined, self.streams = set(), {}
        self.back = threading.Thread(target=self.messages, args=(self.server, self.from_server), daemon=True)

    def run(self):
        self.back.start()
        self.messages(self.client, self.from_client)

    def messages(self, source, take):
        """Each message whole, with its bytes as they came."""
        unpacker, held, taken = msgpack.Unpacker(strict_map_key=False, max_buffer_size=1 << 28), b"", 0
        source.settimeout(None)
        try:
            while data := source.recv(1 << 16):
                unpacker.feed(data)
                held += data
                for message in unpacker:
                    size = unpacker.tell() - taken
                    take(message, held[:size])
                    held, taken = held[size:], taken + size
        except (OSError, ValueError):
            pass
        self.end()

    def end(self):
        for one in (self.client, self.server):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def from_client(self, message, data):
        method = message[-2]
        params = message[-1][0] if message[-1] else {}
        if method == "session.hello":
            self.errors_map = params.get("errors") == "map"
            self.door.hellos.append(params)
            if "follow" in params:
                assert params["follow"] is True
            if self.door.doors.strangers and params.get("resume"):
                key = params["resume"].encode()
                data = data.replace(key, key[::-1])
        elsewhere = self.door.doors.elsewhere(self.door, params.get("world"))
        if elsewhere and message[0] == 0:
            self.door.refused += 1
            if not self.door.doors.sent:
                self.goes(self.door.doors.names_at(elsewhere), elsewhere)
            if self.door.doors.vague > 0:
                self.door.doors.vague -= 1
                elsewhere = {"server": "", "address": "", "web": ""}
            self.tell([1, message[1], self.moved(params["world"], elsewhere), None])
            return
        with self.lock:
            if message[0] == 0:
                self.asked[message[1]] = (method, params)
            self.server.sendall(data)

    def moved(self, what, place):
        text = f"world {what} runs on server \"{place['server']}\" now; ask at {place['address']}"
        error = {"kind": 1, "code": "MOVED", "text": text, "field": "world", "value": str(what), **place}
        return {name: error.get(name) for name in FIELDS} if self.errors_map else [1, "MOVED: " + text]

    def from_server(self, message, data):
        with self.lock:
            if message[0] == 1:
                self.learn(*self.asked.pop(message[1], (None, None)), message[2], message[3])
            elif message[1] == "stream.frame" and message[2][0]["stream"] not in self.streams:
                return
            elif message[1].startswith("world.") and message[2][0].get("world") not in self.joined:
                return
            self.client.sendall(data)

    def learn(self, method, params, error, result):
        if error is None and method == "world.join":
            self.joined.add(result["world"])
        elif error is None and method == "stream.subscribe":
            self.streams[result["stream"]] = params["world"]

    def tell(self, message):
        with self.lock:
            self.client.sendall(msgpack.packb(message))

    def goes(self, names, place):
        """The world of these names is here no more."""
        with self.lock:
            told = []
            for world in self.joined & set(names):
                self.joined.discard(world)
                told.append(["world.changed", {"world": world, "state": "moved", "rate": 1.0, "tick": 0, "reason": "", "user": "",
                                               "session": 0, "read_only": "", "view_of": 0, "slowed": False, "hold": False,
                                               "held_by": 0, **place}])
            for stream, world in list(self.streams.items()):
                if world in names:
                    del self.streams[stream]
                    told.append(["stream.closed", {"stream": stream, "reason": "it moved", **place}])
            try:
                self.client.sendall(b"".join(msgpack.packb([2, method, [params]]) for method, params in told))
            except OSError:
                pass


class Door:
    def __init__(self, doors, name):
        self.doors, self.name = doors, name
        self.refused, self.hellos, self.guests = 0, [], []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.place = {"server": name, "address": self.address, "web": ""}
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
                self.guests.append(Guest(self, client))
                self.guests[-1].start()
            except OSError:
                self.listener.close()
                return

    def close(self):
        try:
            self.listener.shutdown(socket.SHUT_RDWR)  # or it would take one more
        except OSError:
            pass
        self.listener.close()
        for guest in self.guests:
            guest.end()


class Doors:
    """worlds: each by its id and its name, with the door that it is behind; others are behind all."""

    def __init__(self, target, *names):
        self.target, self.worlds = target, {}
        self.doors = [Door(self, name) for name in names]
        self.vague = 0  # refusals that do not say where, as in the middle of a move
        self.strangers = False  # whoever comes back is, as at another server
        self.sent = None  # by a door: where it sends each client that asks; may form loops

    def put(self, door, *names, late_s=0.0):
        """A world goes behind a door. names: its id and its name. late_s: for so long a client that asks for nothing is not told."""
        before = self.worlds.get(names[0])
        for name in names:
            self.worlds[name] = door
        if late_s:
            time.sleep(late_s)
        for guest in list(before.guests) if before and before is not door else []:
            guest.goes(names, door.place)

    def names_at(self, place):
        return [name for name, door in self.worlds.items() if door.place is place]

    def elsewhere(self, door, world):
        if self.sent and world is not None:
            return self.sent[door.name]
        there = self.worlds.get(world, door)
        return None if there is door else there.place

    def close(self):
        for door in self.doors:
            door.close()
