"""A bad line: a proxy before a server that delays, cuts, writes halves and lets connections hang, by a schedule that follows
from a seed. A client on it tells what became of what it sent from the session alone (session.hello with resume)."""

import random
import select
import socket
import threading
import time

import msgpack
from weft_peer import PATIENCE_S, Closed, Peer, WeftError

CHUNK = 4096


class Connection(threading.Thread):
    """One connection through the line, until its time has come."""

    def __init__(self, line, client, seed):
        super().__init__(daemon=True)
        self.line, self.client = line, client
        self.random = random.Random(seed)
        self.server = None
        # Bytes that pass before it breaks, either way; some connections are good for long, some for nothing.
        self.left = line.spare + self.random.choice((0, 30, 200, 1000, 4000, 20000)) + self.random.randrange(100)
        self.hangs = self.random.random() < 0.25  # it breaks without a word: neither end is told
        self.slow = self.random.random() < 0.3
        self.cut = threading.Event()

    def run(self):
        host, port = self.line.target.rsplit(":", 1)
        try:
            self.server = socket.create_connection((host, int(port)), PATIENCE_S)
            self.pass_on()
        except OSError:
            pass
        finally:
            self.end()

    def pass_on(self):
        while not self.line.closed.is_set() and not self.cut.is_set():
            readable, _, _ = select.select([self.client, self.server], [], [], 0.05)
            if self.cut.is_set():  # what came since then passes no more
                return
            for one in readable:
                other = self.server if one is self.client else self.client
                data = one.recv(self.random.randint(1, CHUNK))
                if not data:
                    return
                if self.slow:
                    time.sleep(self.random.random() * 0.004)
                if not self.line.good.is_set():
                    data = data[:self.left]  # half of a message, often
                    self.left -= len(data)
                other.sendall(data)
                if self.left <= 0 and not self.line.good.is_set():
                    if self.hangs:  # what is sent is swallowed for a while
                        self.line.closed.wait(self.random.random() * 0.3)
                    return

    def end(self):
        for one in (self.client, self.server):
            if one is None:
                continue
            try:
                # Some ends are a reset, some an orderly end.
                if self.random.random() < 0.5:
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                one.close()
            except OSError:
                pass


class BadLine:
    def __init__(self, target, seed, spare=0):
        self.target, self.seed = target, seed
        self.spare = spare  # bytes that pass in any case, as those with which TLS begins
        self.closed, self.good = threading.Event(), threading.Event()
        self.down = threading.Event()  # who connects is hung up on
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(0.05)
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.count = 0
        self.connections = []
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()

    def accept(self):
        while not self.closed.is_set():
            try:
                client, _ = self.listener.accept()
            except (TimeoutError, socket.timeout):
                continue
            except OSError:
                return
            if self.down.is_set():
                client.close()
                continue
            client.settimeout(PATIENCE_S)
            self.count += 1
            connection = Connection(self, client, self.seed * 1000003 + self.count)
            self.connections.append(connection)
            connection.start()

    def cut(self):
        """All that there is."""
        for connection in self.connections:
            connection.cut.set()

    def close(self):
        self.closed.set()
        self.listener.close()
        self.thread.join(PATIENCE_S)
        for connection in self.connections:
            connection.join(PATIENCE_S)


class Stubborn:
    """A client that goes on with its session whatever the line does: each request is answered once."""

    def __init__(self, line, user, seed):
        self.line, self.user = line, user
        self.random = random.Random(seed)
        self.key, self.session = "", 0
        self.peer = None
        self.next_id = 0
        self.hello_s, self.silence_s = 1.5, 1.0  # that are waited before a connection is given up
        self.unanswered = {}  # id: bytes
        self.answers = {}  # id: (error, result)
        self.revisions = {}  # of worlds joined
        self.told = {}  # world: revisions of world.edited, as they came
        self.resumed = self.anew = 0
        self.repeated = []

    def close(self):
        if self.peer:
            self.peer.close()
            self.peer = None

    def request(self, method, **fields):
        self.next_id += 1
        data = msgpack.packb([0, self.next_id, method, [fields]])
        self.unanswered[self.next_id] = data
        try:
            if self.peer:
                self.peer.send_raw(data)
        except OSError:
            self.close()
        return self.next_id

    def take(self):
        """What has come to the peer."""
        for msgid, (error, result, _) in list(self.peer.answers.items()):
            if msgid in self.answers:
                self.repeated.append(msgid)
            if msgid in self.unanswered:
                del self.unanswered[msgid]
                self.answers[msgid] = (error, result)
        self.peer.answers.clear()
        while self.peer.notices:
            notice = self.peer.notices.popleft()
            if notice.method == "world.edited":
                world, revision = notice.params["world"], notice.params["revision"]
                self.told.setdefault(world, []).append(revision)
                self.revisions[world] = revision

    def connect(self, deadline):
        while time.monotonic() < deadline:
            peers = []
            try:
                # Connections that are opened and come to nothing, before one that is used.
                for _ in range(1 + self.random.choice((0, 0, 0, 1, 3))):
                    peers.append(Peer(self.line.address))
                self.greet(peers[-1])
                return
            except (OSError, Closed):
                time.sleep(self.random.random() * 0.01)
            finally:
                for one in peers:
                    if one is not self.peer:
                        one.close()
        raise AssertionError(f"{self.user}: no connection came to be")

    def greet(self, peer):
        self.next_id += 1
        hello = self.next_id
        waiting = list(self.unanswered)
        asked = {"user": self.user, "errors": "map"}
        if self.key:
            asked |= {"resume": self.key, "unanswered": waiting, "revisions": self.revisions}
        peer.send_raw(msgpack.packb([0, hello, "session.hello", [asked]]))
        ends = time.monotonic() + self.hello_s
        while hello not in peer.answers:
            # A hello that hangs is given up: another connection takes its place.
            if time.monotonic() > ends:
                self.hello_s *= 2  # it may be the machine that is slow
                raise Closed("no answer to session.hello")
            peer.pump(0.05)
        error, result, _ = peer.answers.pop(hello)
        if error:
            raise WeftError(error)
        if self.key and not result["resumed"]:
            self.anew += 1
        self.resumed += result["resumed"]
        self.key, self.session = result["resume"], result["session"]
        if list(result["rejoin"]):
            raise AssertionError(f"{self.user} was told to join again: {list(result['rejoin'])}")
        self.peer = peer
        for msgid in list(result["lost"]) if result["resumed"] else waiting:
            peer.send_raw(self.unanswered[msgid])

    def step(self, deadline, timeout_s=0.02):
        try:
            if not self.peer:
                self.connect(deadline)
            self.peer.pump(timeout_s)
        except (OSError, Closed):
            if self.peer:
                self.take()
            self.close()
        if self.peer:
            self.take()

    def until(self, holds, what, patience_s=PATIENCE_S * 4):
        """A connection that says nothing for a while is given up, as any client would."""
        deadline = time.monotonic() + patience_s
        quiet, heard = time.monotonic(), -1
        while not holds():
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.user}: {what} did not come; unanswered: {sorted(self.unanswered)[:20]}")
            self.step(deadline)
            now = self.peer.bytes_in if self.peer else -1
            if now != heard:
                quiet, heard = time.monotonic(), now
            elif time.monotonic() - quiet > self.silence_s:
                self.silence_s *= 1.5
                self.close()
                quiet = time.monotonic()

    def call(self, method, **fields):
        msgid = self.request(method, **fields)
        self.until(lambda: msgid in self.answers, method)
        error, result = self.answers[msgid]
        if error:
            raise WeftError(error)
        return result
