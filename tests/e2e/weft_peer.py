"""What the end to end tests stand on: a server on a free port, and a MessagePack-RPC peer over a bare socket.

The peer is written from the wire's description alone, with Python's msgpack; nothing of weft's own code is in
it. Everything waits for at most a deadline, and every process that is started is stopped by its pid.
"""

import array
import collections
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.request

import msgpack

import tls_files

# Every server speaks TLS, and every peer to it.
TLS = bool(os.environ.get("WEFT_TEST_TLS"))
LOOPS = os.environ.get("WEFT_TEST_LOOPS")
# Sanitizers make everything slower: counts of what is asked for are divided by this.
SLOW = 6 if os.environ.get("WEFT_SANITIZE") else 1
# AddressSanitizer keeps 256 MB of what was freed, and surrounds what is not.
KEPT_BYTES = 300e6 if os.environ.get("WEFT_SANITIZE") else 0
# It ends what hangs, and nothing else: no test passes or fails because something takes less than this. A machine that has thirty
# things to do for each processor takes a minute for what it does in two seconds otherwise.
PATIENCE_S = 900 if os.environ.get("WEFT_SANITIZE") else 300

TYPECODES = {0x11: "b", 0x12: "B", 0x13: "h", 0x14: "H", 0x15: "i", 0x16: "I", 0x17: "f", 0x18: "d"}


def ext_hook(code, data):
    if code not in TYPECODES:
        return msgpack.ExtType(code, data)
    numbers = array.array(TYPECODES[code])
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def ext(typecode, numbers):
    """A typed array to send: ext("f", [...])."""
    code = next(code for code, known in TYPECODES.items() if known == typecode)
    return msgpack.ExtType(code, array.array(typecode, numbers).tobytes())


def _typed(value):
    """Arrays that came can be sent back as they are."""
    if isinstance(value, array.array):
        return ext(value.typecode, value)
    raise TypeError(f"cannot send {value!r}")


class WeftError(Exception):
    """The error of a response. code and text, whatever shape it came in."""

    def __init__(self, error):
        self.error = error
        if isinstance(error, dict):
            self.kind, self.code, self.text = error["kind"], error["code"], error["text"]
            self.field = error.get("field")
        else:
            self.kind = error[0]
            self.code, _, self.text = error[1].partition(": ")
            self.field = None
        super().__init__(f"{self.code}: {self.text}")


class Closed(Exception):
    pass


Frame = collections.namedtuple("Frame", "params raw at")
Notice = collections.namedtuple("Notice", "method params at")


def secured(plain):
    return tls_files.everywhere()[0].context().wrap_socket(plain, server_hostname="localhost")


class Peer:
    """One connection. Nothing is read but in calls and waits, so a peer that does not wait is a slow one."""

    def __init__(self, address, receive_buffer=None, source=None):
        self.source = source  # an address of loopback to come from
        self.socket = self.open_socket(address, receive_buffer)
        self.unpacker = msgpack.Unpacker(raw=False, strict_map_key=False, ext_hook=ext_hook,
                                         max_buffer_size=1 << 30)
        self.pending = bytearray()  # received and not yet given out, as raw bytes
        self.pending_from = 0
        self.next_id = 0
        self.answers = {}
        self.frames = collections.deque()
        self.notices = collections.deque()
        self.bytes_in = 0
        self.taken = 0  # messages
        self.answered_at = None  # the last answer that was asked for

    def open_socket(self, address, receive_buffer):
        host, port = address.rsplit(":", 1)
        plain = socket.socket(socket.AF_INET6 if host.startswith("[") else socket.AF_INET)
        if receive_buffer:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        plain.settimeout(PATIENCE_S)
        if self.source:
            plain.bind((self.source, 0))
        plain.connect((host.strip("[]"), int(port)))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return secured(plain) if TLS else plain

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    # -- sending

    def send_raw(self, data):
        self.socket.sendall(data)

    def request(self, method, params=None, **fields):
        """Sends a request and returns its id; fields go into the one map of params."""
        self.next_id += 1
        if params is None:
            params = [fields] if fields else []
        self.send_raw(msgpack.packb([0, self.next_id, method, params], default=_typed))
        return self.next_id

    def notify(self, method, **fields):
        self.send_raw(msgpack.packb([2, method, [fields]]))

    # -- receiving

    def _take(self, message, raw):
        now = time.monotonic()
        self.taken += 1
        if message[0] == 1:
            self.answers[message[1]] = (message[2], message[3], now)
        elif message[0] == 2 and message[1] == "stream.frame":
            self.frames.append(Frame(message[2][0], raw, now))
        elif message[0] == 2:
            self.notices.append(Notice(message[1], message[2][0], now))
        else:
            raise AssertionError(f"the server sent {message!r}")

    def pump(self, timeout_s):
        """Waits for bytes and takes what is whole. False at the timeout; Closed at the end."""
        self.socket.settimeout(max(timeout_s, 0.0001))
        try:
            data = self.socket.recv(1 << 18)
        except (TimeoutError, socket.timeout):
            return False
        except ConnectionError as error:
            raise Closed(str(error)) from None
        finally:
            self.socket.settimeout(PATIENCE_S)
        if not data:
            raise Closed("end of stream")
        self.bytes_in += len(data)
        self.take_data(data)
        return True

    def take_data(self, data):
        self.pending += data
        self.unpacker.feed(data)
        while True:
            try:
                message = self.unpacker.unpack()
            except msgpack.OutOfData:
                return
            end = self.unpacker.tell()
            size = end - self.pending_from
            raw = bytes(self.pending[:size])
            del self.pending[:size]
            self.pending_from = end
            self._take(message, raw)

    def wait(self, found, timeout_s=None, what="what was awaited"):
        """Pumps until found() gives something, and returns that."""
        deadline = time.monotonic() + (PATIENCE_S if timeout_s is None else timeout_s)
        while True:
            result = found()
            if result:
                return result
            left = deadline - time.monotonic()
            if left <= 0:
                raise AssertionError(f"{what} did not come in time")
            self.pump(left)

    def until(self, asked, what):
        """Asks again and again until asked() is true."""
        deadline = time.monotonic() + PATIENCE_S
        while not asked():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not come in time")
            time.sleep(0.005)

    def answer(self, msgid, timeout_s=None):
        self.wait(lambda: msgid in self.answers, timeout_s, f"the answer to {msgid}")
        error, result, self.answered_at = self.answers.pop(msgid)
        if error is not None:
            raise WeftError(error)
        return result

    def call(self, method, **fields):
        return self.answer(self.request(method, **fields))

    def frame(self, stream=None, timeout_s=None, found=lambda params: True):
        """The next frame part of the stream that is as wanted; those before it are thrown away."""

        def look():
            while self.frames:
                frame = self.frames.popleft()
                if (stream is None or frame.params["stream"] == stream) and found(frame.params):
                    return frame
            return None

        return self.wait(look, timeout_s, "the frame")

    def notice(self, method, timeout_s=None, found=lambda params: True):
        """The next notification of the method that is as wanted; others stay."""

        def look():
            for notice in self.notices:
                if notice.method == method and found(notice.params):
                    self.notices.remove(notice)
                    return notice.params
            return None

        return self.wait(look, timeout_s, method)

    def fence(self, world=None):
        """Takes all answers and notifications that were sent before the answer to a request made now. One about a world comes
        after everything that the world had to say until then. Frames are not among it: answers overtake them."""
        if world is None:
            self.call("server.ping")
        else:
            self.call("world.hash", world=world)

    def steady(self, count, rounds=50):
        """What count(server.stats) is once so many answers in a row have told the same; the requests of this are not among
        those that are counted. The server's loop reads all that it reads at all between two of them, so that what stands
        still for so many turns does so for good."""
        last, same, asked = None, 0, 0
        deadline = time.monotonic() + PATIENCE_S
        while same < rounds:
            stats = self.call("server.stats")
            asked += 1
            stats["requests"] -= asked
            now = count(stats)
            last, same = now, same + 1 if now == last else 0
            if time.monotonic() > deadline:
                raise AssertionError(f"it does not stand still: {now}")
        return last

    def served_beside(self, count, most, at_least=0, rounds=10, call=lambda: None):
        """Waits until so many answers in a row, also to call(), came to this peer while the server did no more than `most` of other work, by
        count(server.stats), which counts. This peer may lack the processor at times; a server that lets others wait while
        it serves the loudest client never comes to it. With at_least, only answers beside which so much was done count."""
        seen = collections.deque(maxlen=rounds + 1)
        deadline = time.monotonic() + PATIENCE_S
        least = None
        for asked in itertools.count(1):
            if time.monotonic() > deadline:
                break
            call()
            stats = self.call("server.stats")
            stats["requests"] -= asked
            seen.append(count(stats))
            if len(seen) > rounds:
                done = seen[-1] - seen[0]
                if at_least <= done <= most:
                    return done
                if done > most:
                    least = done if least is None else min(least, done)
        raise AssertionError(f"{rounds} answers had to wait for {least} of other work at least; at most {most}")

    def steps_beside(self, count, requests=256):
        """What the server did of other work, by count(server.stats), before each answer but the first of so many requests
        that were sent at once. They wait at the server from the start, so it alone decides how long they wait: it does not
        matter whether this peer gets the processor."""
        first = self.next_id + 1
        self.next_id += requests
        asked = range(first, first + requests)
        self.send_raw(b"".join(msgpack.packb([0, one, "server.stats", []]) for one in asked))
        seen = [count(self.answer(one)) for one in asked]
        return [after - before for before, after in zip(seen, seen[1:])]

    def finish(self):
        """Says that no more comes, and takes what comes until the end."""
        self.socket.shutdown(socket.SHUT_WR)
        self.expect_end()

    def expect_end(self, timeout_s=None):
        """The server closes, at once or after last words. Returns the notifications that came before."""
        deadline = time.monotonic() + (PATIENCE_S if timeout_s is None else timeout_s)
        try:
            while time.monotonic() < deadline:
                self.pump(deadline - time.monotonic())
        except Closed:
            return [notice for notice in self.notices]
        raise AssertionError("the connection was not closed")


class Server:
    """A weftd, or another program that says where it listens, on a free port, without HTTP unless it is asked for. Its standard
    error is collected in lines. up=False: it may take a while until it listens, which up() waits for."""

    def __init__(self, *arguments, environment=None, listen="127.0.0.1:0", http="none", program=None, up=True):
        command = [program or os.environ["WEFTD"]]
        if listen:
            command += ["--listen", listen]
        if http:
            command += ["--http", http]
        self.tls = TLS or "--tls-cert" in arguments
        if TLS:
            _, cert, key = tls_files.everywhere()
            command += ["--tls-cert", cert, "--tls-key", key]
        if LOOPS and "--loops" not in arguments:
            command += ["--loops", LOOPS]
        mark = r" \(tls\)" if self.tls else ""
        clean = {key: value for key, value in os.environ.items() if not key.startswith("WEFT")}
        self.process = subprocess.Popen(command + [str(argument) for argument in arguments],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True, errors="replace",
                                        env={**clean, **(environment or {})})
        self.lines = []
        self.changed = threading.Condition()
        self.ended = False
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.mark, self.has_http = mark, http and http != "none"
        if up:
            try:
                self.up()
            except AssertionError:
                self.kill()
                raise

    def up(self, timeout_s=None):
        self.address = self.line(rf"^listening rpc (\S+){self.mark}$", timeout_s)[1]
        self.http = self.line(rf"^listening http (\S+){self.mark}$")[1] if self.has_http else None

    def _read(self):
        for line in self.process.stderr:
            with self.changed:
                self.lines.append(line.rstrip("\n"))
                self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def line(self, pattern, timeout_s=None):
        """Waits for a line that matches."""
        deadline = time.monotonic() + (PATIENCE_S if timeout_s is None else timeout_s)
        with self.changed:
            seen = 0
            while True:
                for line in self.lines[seen:]:
                    match = re.search(pattern, line)
                    if match:
                        return match
                seen = len(self.lines)
                left = deadline - time.monotonic()
                if self.ended or left <= 0:
                    raise AssertionError(f"no line {pattern!r} in:\n" + "\n".join(self.lines))
                self.changed.wait(left)

    def peer(self, **options):
        return Peer(self.address, **options)

    def alive(self):
        return self.process.poll() is None

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, timeout_s=None):
        return self.process.wait(PATIENCE_S if timeout_s is None else timeout_s)

    def kill(self):
        if self.alive():
            self.process.kill()
        self.process.wait()
        self.reader.join(5)
        self.process.stderr.close()

    def stop(self):
        """Ends it in order and returns the exit status; sanitizers report through it."""
        if self.alive():
            self.signal(signal.SIGTERM)
        try:
            status = self.wait()
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("the server did not end after SIGTERM") from None
        self.reader.join(5)
        self.process.stderr.close()
        return status


def metric(server, name):
    """A number of /metrics; labels are part of the name."""
    context = tls_files.everywhere()[0].context() if TLS else None
    place = f"http{'s' if TLS else ''}://localhost:{server.http.rsplit(':', 1)[1]}/metrics"
    with urllib.request.urlopen(place, context=context, timeout=PATIENCE_S) as page:
        for line in page.read().decode().splitlines():
            if line.startswith(name + " "):
                return float(line.rsplit(" ", 1)[1])
    raise AssertionError(f"no {name} in /metrics")


def busy_s(server):
    """Processor seconds that a server has used, which does not depend on what else the machine does: clock_getcpuclockid(3)."""
    return time.clock_gettime((~server.process.pid << 3) | 2)


class ServerTest(unittest.TestCase):
    """Tests that share one server, which must live through all of them and end in order."""

    ARGUMENTS = ("--threads", "2")
    HTTP = "none"

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.ARGUMENTS, http=cls.HTTP)

    @classmethod
    def tearDownClass(cls):
        status = cls.server.stop()
        if status != 0:
            raise AssertionError(f"the server ended with status {status}:\n" + "\n".join(cls.server.lines[-60:]))

    def setUp(self):
        self.assertTrue(self.server.alive(), "\n".join(self.server.lines[-60:]))

    def peer(self, hello=None, **options):
        peer = self.server.peer(**options)
        self.addCleanup(peer.close)
        if hello:
            peer.call("session.hello", **hello)
        return peer

    def world(self, peer, **settings):
        """A world of this test's own, deleted after it."""
        settings.setdefault("name", self.id().rsplit(".", 1)[1][:60])
        world = peer.call("world.create", **settings)["world"]
        self.addCleanup(self._delete, world)
        return world

    def _delete(self, world):
        with self.server.peer() as peer:
            try:
                peer.call("world.delete", world=world)
            except WeftError as error:
                if error.code != "NOT_FOUND":
                    raise

    def refused(self, code, peer, method, **fields):
        """The call must fail with this code; returns the error."""
        with self.assertRaises(WeftError) as caught:
            peer.call(method, **fields)
        self.assertEqual(caught.exception.code, code, str(caught.exception))
        return caught.exception


def kinds_of_constraints():
    """The rows of all kinds of constraints, from the description of the wire."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../protocol/api.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)["kinds"]


def sheet(columns, rows, spacing=0.1, height=0.0, at=(0.0, 0.0)):
    """Positions and triangles of a level sheet of cloth."""
    positions, triangles = [], []
    for row in range(rows):
        for column in range(columns):
            positions += [at[0] + column * spacing, height, at[1] + row * spacing]
    for row in range(rows - 1):
        for column in range(columns - 1):
            a = row * columns + column
            triangles += [a, a + columns, a + 1, a + 1, a + columns, a + columns + 1]
    return positions, triangles


def block(columns, rows, layers, spacing=0.1, at=(0.0, 0.0, 0.0)):
    """Positions and tetrahedra of a box of so many cells, six to a cell, all of positive volume."""
    def index(x, y, z):
        return (z * (rows + 1) + y) * (columns + 1) + x

    positions = [at[axis] + spacing * place[axis]
                 for place in ((x, y, z) for z in range(layers + 1) for y in range(rows + 1)
                               for x in range(columns + 1)) for axis in range(3)]
    tets = []
    for cell in itertools.product(range(columns), range(rows), range(layers)):
        # From one corner to the opposite, along the axes in each order.
        for order in itertools.permutations(range(3)):
            corner, path = list(cell), [index(*cell)]
            for axis in order:
                corner[axis] += 1
                path.append(index(*corner))
            even = order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
            tets += path if even else [path[1], path[0], path[2], path[3]]
    return positions, tets


def six_volume(points):
    """(p1 - p0) x (p2 - p0) . (p3 - p0) of four points in a flat list."""
    a, b, c = ([points[3 * corner + axis] - points[axis] for axis in range(3)] for corner in (1, 2, 3))
    return ((a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1]
            + (a[0] * b[1] - a[1] * b[0]) * c[2])


def numbers(value, typecode="f"):
    """A bulk array in any of the encodings, as a list."""
    if isinstance(value, bytes):
        result = array.array(typecode)
        result.frombytes(value)
        return result.tolist()
    return list(value)


def main():
    unittest.main()
