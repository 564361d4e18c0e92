"""People who edit worlds that several servers share.

Each edit has a name of its own, and is sent again under its edit_id until it is answered, or given up, unknown. What was answered stands in
`answered` until held.Edits looks at it, what was told of others' edits in `told`.
"""

import collections
import socket
import threading
import time

import weft
from held import LARGE, SMALL, WAITED_S, load_edit, name_in, require
from weft_peer import Closed, Peer, WeftError

MENDED_S = WAITED_S
LOADS = 24  # so that no world's log has more of them than servers keep
# Answers that say: not now. All others to an edit are a fault.
PASSING = ("READ_ONLY", "BUSY", "MOVED", "INTERNAL", "SHUTDOWN", "LIMIT", "NOT_FOUND", "LOST", "TIMEOUT", "CLOSED", "TLS")

Edit = collections.namedtuple("Edit", "world revision after")  # after: the revision that its writer had been answered before it


class Caller(Peer):
    """Does not wait long for a person who does not answer."""

    def open_socket(self, address, receive_buffer):
        host, port = address.rsplit(":", 1)
        plain = socket.create_connection((host, int(port)), timeout=2)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return plain


class Person:
    """Somebody with a thread, from begin() to end(). _go() is what they do until `stopping`."""

    def __init__(self, name, dice):
        self.name, self.dice = name, dice
        self.count = 0
        self.answered, self.told, self.given_up = {}, [], 0
        self.last = collections.Counter()
        self.errors = collections.Counter()
        self.fault = None
        self.stopping = threading.Event()
        self.thread = None

    def next_name(self):
        self.count += 1
        return f"{self.name}-{self.count}"

    def refused(self, code, what):
        self.errors[code] += 1
        require(code in PASSING, f"{self.name}: {what}")

    def answer(self, name, world, revision, after):
        self.answered[name] = Edit(world, revision, after)
        self.last[world] = max(self.last[world], revision)

    def _run(self):
        try:
            self._go()
        except Exception as error:  # reported by the thread that waits for it
            self.fault = error

    def begin(self):
        self.stopping.clear()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def end(self):
        self.stopping.set()
        self.thread.join(MENDED_S + 10)
        require(not self.thread.is_alive(), f"{self.name} waits for an answer yet")
        if self.fault:
            raise self.fault


class Writer(Person):
    """Edits through one server after the other."""

    def __init__(self, name, servers, worlds, dice):
        super().__init__(name, dice)
        self.servers, self.worlds = servers, worlds
        self.client = None
        self.longest = 0.0

    def _what(self, name):
        dice = self.dice
        gravity = [0, round(dice.uniform(-9.8, -5), 3), 0]
        if dice.random() < 0.5:
            return "body.set", {"body": 1, "name": name, "friction": round(dice.random(), 3),
                                "stretch": {"compliance": round(dice.uniform(0, 1e-4), 7)}}
        return "edit.batch", {"edits": [["world.set", {"gravity": gravity}], ["body.set", {"body": 1, "name": name}]]}

    def drop(self):
        if self.client:
            self.client.close()
        self.client = None

    def _try(self, server, method, fields):
        try:
            if self.client is None:
                self.client = weft.connect(server.place, user=self.name, timeout=4, connect_timeout=1)
            return self.client.call(method, **fields)
        except weft.Error as error:
            self.refused(error.code or type(error).__name__.upper(), f"{method} {fields} is answered with {error}"[:1000])
            self.drop()
            return None

    def edit(self, world, give_up_s):
        """One edit, until it is answered, or for so long; whether it was."""
        name = self.next_name()
        method, fields = self._what(name)
        fields |= {"world": world, "edit_id": name}
        after, began = self.last[world], time.monotonic()
        while True:
            answer = self._try(self.dice.choice(self.servers), method, fields)
            waited = time.monotonic() - began
            if answer is not None:
                break
            if waited > give_up_s:
                self.given_up += 1
                return False
            time.sleep(0.05)
        self.longest = max(self.longest, waited)
        self.answer(name, world, answer.revision, after)
        return True

    def _go(self):
        self.longest = 0.0
        while not self.stopping.is_set():
            # Some are patient; what the others gave up may be made or not, once at most.
            self.edit(self.dice.choice(self.worlds), MENDED_S if self.dice.random() < 0.7 else 0)
            if self.dice.random() < 0.05:
                self.drop()
            self.stopping.wait(self.dice.uniform(0, 0.1))


class Loader(Writer):
    """Puts a megabyte into one world after the other, and takes it out again in the end. `sent` is told of each before it goes."""

    def __init__(self, name, servers, worlds, dice, sent):
        super().__init__(name, servers, worlds, dice)
        self.sent, self.size = sent, LARGE

    def _what(self, name):
        return load_edit(name, self.size)

    def _try(self, server, method, fields):
        self.sent(fields["world"])
        return super()._try(server, method, fields)

    def _go(self):
        self.longest = 0.0
        while not self.stopping.is_set() and self.count < LOADS:
            self.edit(self.dice.choice(self.worlds), MENDED_S)
            self.stopping.wait(self.dice.uniform(0, 0.2))
        self.size = SMALL
        for world in self.worlds:
            require(self.edit(world, MENDED_S), f"{self.name}: {world} takes no edit: {self.errors}")


class Flooder(Person):
    """Has edits of one world under way all the time; those without an answer are asked again, wherever the world is by then."""

    def __init__(self, name, servers, world, dice, at_once=8):
        super().__init__(name, dice)
        self.servers, self.world, self.at_once = servers, world, at_once
        self.place, self.peer = None, None
        self.waiting = {}  # name: what its writer had been answered before it

    def _connect(self):
        if self.peer is None:
            self.peer = Caller(self.place or self.dice.choice(self.servers).place)
            self.peer.answer(self.peer.request("session.hello", errors="map", follow=True, user=self.name), 2)

    def _drop(self, place=None):
        if self.peer:
            self.peer.close()
        self.place, self.peer = place, None

    def _take(self, request, name, deadline):
        """Its revision, or the error."""
        try:
            told = self.peer.answer(request, max(deadline - time.monotonic(), 0.01))
        except WeftError as error:
            self.refused(error.code, f"body.set is answered with {error}")
            return None, error.error
        self.answer(name, self.world, told["revision"], self.waiting.pop(name))
        return told["revision"], None

    def _ask(self):
        """One lot of edits, at once."""
        again = list(self.waiting)[:self.at_once]
        new = [] if self.stopping.is_set() else [self.next_name() for _ in range(self.at_once - len(again))]
        self.waiting.update(dict.fromkeys(new, self.last[self.world]))
        names = again + new
        sent = [self.peer.request("body.set", world=self.world, body=1, name=name, edit_id=name) for name in names]
        deadline = time.monotonic() + 4
        before, refused = 0, {}
        for request, name in zip(sent, names):
            revision, error = self._take(request, name, deadline)
            refused = error or refused
            if revision and name in new:
                require(revision > before, f"{name} has revision {revision}, and what was sent before it has {before}")
                before = revision
        if refused:
            self._drop(refused.get("address"))
            time.sleep(0.05)

    def _go(self):
        while self.waiting or not self.stopping.is_set():
            try:
                self._connect()
                self._ask()
            except (OSError, Closed, AssertionError) as error:
                self.errors[type(error).__name__] += 1
                self._drop()
                time.sleep(0.05)
        self._drop()


class Reader(Person):
    """Reads what is added to worlds, while that is much."""

    def __init__(self, name, servers, worlds, dice):
        super().__init__(name, dice)
        self.servers, self.worlds = servers, worlds

    def _go(self):
        while not self.stopping.wait(0.2):
            try:
                with weft.connect(self.dice.choice(self.servers).place, timeout=4, connect_timeout=1) as client:
                    for world in self.worlds:
                        world.read_on(client)
            except weft.Error as error:
                self.refused(error.code or type(error).__name__.upper(), f"edit.log is answered with {error}")


class Sitter(Person):
    """Was connected to one server all the time, joined its worlds, and has edits in its sockets when it wakes."""

    def __init__(self, name, server, worlds, dice):
        super().__init__(name, dice)
        self.worlds, self.peers, self.sent = worlds, [], []
        for follow in (True, False):
            try:
                peer = Caller(server.place)
                self.peers.append(peer)
                peer.answer(peer.request("session.hello", errors="map", follow=follow, user=name), 4)
                for world in worlds:
                    peer.answer(peer.request("world.join", world=world.name), 4)
            except (OSError, Closed, AssertionError, WeftError):
                pass  # it is not well, or has none of these worlds any more: what is sent to it is lost

    def send(self):
        """An edit of each world by each connection. Nobody asks for it again."""
        for peer in self.peers:
            for world in self.worlds:
                name = self.next_name()
                try:
                    request = peer.request("body.set", world=world.id, body=1, name=name, edit_id=name)
                    self.sent.append((peer, request, name, world.name, self.last[world.name]))
                except OSError:
                    self.errors["CLOSED"] += 1

    def _go(self):
        """From when it wakes."""
        for _ in range(20):
            self.send()
            time.sleep(0.01)
        deadline = time.monotonic() + 20
        for peer, request, name, world, after in self.sent:
            try:
                self.answer(name, world, peer.answer(request, max(deadline - time.monotonic(), 0.01))["revision"], after)
            except WeftError as error:
                self.given_up += 1
                self.refused(error.code, f"body.set is answered with {error}")
            except (OSError, Closed, AssertionError):
                self.given_up += 1
                self.errors["LOST"] += 1
        for peer in self.peers:
            for notice in peer.notices:
                self._tell(notice)
            peer.close()

    def _tell(self, notice):
        if notice.method != "world.edited":
            return
        name = name_in(notice.params["method"], notice.params["params"])
        world = next(world.name for world in self.worlds if world.id == notice.params["world"])
        self.told.append((name, world, notice.params["revision"]))
