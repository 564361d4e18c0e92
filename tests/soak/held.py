"""What has to hold of worlds that several servers share, whatever broke meanwhile.

- Every edit that was answered is in edit.log once, with the revision that it was answered with; none is there twice.
- What anybody was told of an edit, by whichever server, is what edit.log has of it.
- A world's hash is that of a server by itself that is given the same edits at the same ticks.
- Where two folders have an entry of one world at one place, it is the same.

An edit is known by its name: the one that it gives to body 1.
"""

import concurrent.futures
import pathlib
import sqlite3
import sys
import threading
import time
import zlib

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(TREE / "tests" / "e2e"), str(TREE / "clients" / "python" / "src")]

import numpy  # noqa: E402

import weft  # noqa: E402
from weft_peer import sheet  # noqa: E402

WAITED_S = 120  # everything is answered by then
LARGE, SMALL = 18725, 8  # particles of a load: a megabyte of numbers, or next to nothing


class Failed(Exception):
    pass


def require(holds, what):
    if not holds:
        raise Failed(what)


def load(name, count):
    """Loose particles that stay where they are, elsewhere for each name."""
    numbers = numpy.random.default_rng(zlib.crc32(name.encode())).random((6, count))
    return {"kind": "points", "name": "load", "positions": numbers[:3].ravel(), "velocities": numbers[3:].ravel(),
            "masses": numpy.zeros(count)}


def load_edit(name, count):
    """Puts another load into the place of the one that is there. What edit.log leaves out of it follows from the name."""
    return "edit.batch", {"edits": [["body.remove", {"body": "load"}], ["body.add", load(name, count)],
                                    ["body.set", {"body": 1, "name": name}]]}


def name_in(method, params):
    """None of what a world begins with."""
    edits = params["edits"] if method == "edit.batch" else [[method, params]]
    return next((fields["name"] for name, fields in edits if name == "body.set"), None)


def name_of(entry):
    return name_in(entry.method, entry.params)


class World:
    """A world, and the one that a server by itself is given the same edits at the same ticks of."""

    def __init__(self, name, client, referee):
        """referee: the other server's address."""
        self.name, self.referee = name, weft.connect(referee, timeout=WAITED_S)
        positions, triangles = sheet(6, 6)
        for one in (self.referee, client):
            self.id = one.call("world.create", name=name, tick_rate=30, substeps=4).world
            one.call("body.add", world=name, kind="cloth", positions=positions, triangles=triangles, pins=[0, 5])
            self.begun = one.call("body.add", world=name, **load(name, SMALL)).revision  # until here the referee has it already
        self.log = []  # (revision, tick, name), as long as it is
        self.reading = threading.Lock()
        self.unmade = []  # entries that were read, and not made by the referee yet
        self.read = self.sequence = 0  # the last one's revision and sequence
        self.tick = 0  # the referee's
        self.jumped = 0  # entries with a time that is not now's
        client.call("world.play", world=name)

    def read_on(self, client):
        """What edit.log has by now. Of much that was added before the end of a round the first may be kept no longer then."""
        with self.reading:
            while True:
                page = client.call("edit.log", world=self.name, since=self.sequence)
                for entry in page.edits:
                    require(entry.revision == self.read + 1, f"{self.name}: revision {self.read} in edit.log is followed by {entry.revision}")
                    self.unmade.append(entry)
                    self.read, self.sequence = entry.revision, entry.sequence
                if not page.next:
                    return

    def _read_to(self, client, revision):
        deadline = time.monotonic() + WAITED_S
        while self.read_on(client) or self.read < revision:
            require(time.monotonic() < deadline, f"{self.name}: edit.log ends before revision {revision}")
            time.sleep(0.02)
        require(self.read == revision, f"{self.name}: edit.log has revision {self.read}, and the world {revision}")

    def check(self, place, whole):
        """Its log goes on where it was, and a straight run of it comes to the same hash. whole: reads it from its beginning as well."""
        with weft.connect(place, timeout=WAITED_S) as client:
            self._check(client)
            if whole:
                self._check_all(client)

    def _control(self, client, method):
        """Brokers that have just come back may be slow for a moment yet."""
        deadline = time.monotonic() + WAITED_S
        while True:
            try:
                return client.call(method, world=self.name)
            except (weft.ReadOnly, weft.Busy) as error:
                require(time.monotonic() < deadline, f"{self.name}: {method} is answered with {error}")
                time.sleep(0.05)

    def _check(self, client):
        self._control(client, "world.pause")
        told = client.call("world.hash", world=self.name)
        self._read_to(client, told.revision)
        self._control(client, "world.play")
        for entry in self.unmade:
            self._follow(entry)
            self.log.append((entry.revision, entry.tick, name_of(entry)))
            self.jumped += abs(entry.at - time.time()) > 1800
        self.unmade = []
        self._straight(told.tick)
        straight = self.referee.call("world.hash", world=self.name)
        require((straight.tick, straight.hash) == (told.tick, told.hash),
                f"{self.name}: hash {told.hash} at tick {told.tick}, and in a straight run {straight.hash} at {straight.tick}")

    def _follow(self, entry):
        if entry.revision <= self.begun:
            return
        self._straight(entry.tick)
        method, params = entry.method, entry.params
        if entry.omitted:
            method, params = load_edit(name_of(entry), LARGE)
        self.referee.call(method, **{**params, "world": self.name})

    def _straight(self, tick):
        require(self.tick <= tick, f"{self.name}: at tick {tick} after it had been at {self.tick}")
        if self.tick < tick:
            self.referee.call("world.step", world=self.name, ticks=tick - self.tick)
        self.tick = tick

    def _check_all(self, client):
        """All of it that is kept is what was read of it bit by bit."""
        since, found = 0, []
        while not found or since:
            page = client.call("edit.log", world=self.name, since=since)
            found += [(entry.revision, entry.tick, name_of(entry)) for entry in page.edits]
            since = page.next
        require(found == self.log[-len(found):], f"{self.name}: edit.log is another than it was")


def check_worlds(worlds, place, whole):
    """All at once: each waits for its own ticks."""
    with concurrent.futures.ThreadPoolExecutor(len(worlds)) as pool:
        list(pool.map(lambda world: world.check(place, whole), worlds))


class Edits:
    """All of edit.log, by name."""

    def __init__(self):
        self.found = {}  # name: (world, revision)
        self.read = {}  # world: how much of its log is in it
        self.answered = {}  # what was looked at
        self.told = 0

    def check(self, worlds, people):
        """What people were answered is there, at its revision and after what they knew of; what they were told of others is so."""
        for world in worlds:
            for revision, _, name in world.log[self.read.get(world.name, 0):]:
                require(name is None or name not in self.found,
                        f"{name} was made twice: {self.found.get(name)} and {world.name} {revision}")
                self.found[name] = (world.name, revision)
            self.read[world.name] = len(world.log)
        for person in people:
            for name, edit in person.answered.items():
                require(self.found.get(name) == (edit.world, edit.revision),
                        f"{name} was answered as {edit.world} {edit.revision}, and edit.log has it as {self.found.get(name)}")
                require(edit.revision > edit.after, f"{name} was made before {edit.after}, which was answered before it")
            for name, world, revision in person.told:
                require(self.found.get(name) == (world, revision),
                        f"{person.name} was told of {name} as {world} {revision}, and edit.log has it as {self.found.get(name)}")
            self.answered.update(person.answered)
            self.told += len(person.told)
            person.answered, person.told = {}, []


class Folders:
    """Entries in the servers' folders: where two have one at the same place, it is the same."""

    def __init__(self, servers):
        self.chains = {}  # (list, position): chain
        self.seen = {server.name: {} for server in servers}
        self.servers = servers

    def check(self):
        for server in self.servers:
            base = sqlite3.connect(f"file:{server.disk}/weft.db?mode=ro", uri=True, timeout=WAITED_S)
            try:
                seen = self.seen[server.name]
                for (number,) in base.execute("select list from lists").fetchall():
                    rows = base.execute("select position, chain from entries where list = ? and position > ? order by position",
                                        (number, seen.get(number, 0))).fetchall()
                    for position, chain in rows:
                        other = self.chains.setdefault((number, position), chain)
                        require(other == chain, f"entry {position} of list {number} is another in {server.name}'s folder")
                        seen[number] = position
            finally:
                base.close()
