#!/usr/bin/env python3
"""TLS over real sockets: who gets in and who does not, what is said to those who do not, and what they cost the others."""

import asyncio
import os
import re
import select
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import unittest

import msgpack

import tls_files
import web_peer
from weft_peer import PATIENCE_S, SLOW, Closed, Peer, Server, ServerTest, ext, main, sheet

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "clients", "python", "src"))
import weft  # noqa: E402
import weft.aio  # noqa: E402

HANDSHAKE_S = 5  # that it may take, as the server has it


class TlsPeer(Peer):
    """The peer of all tests, over TLS."""

    def __init__(self, address, context, host=None):
        self.context, self.host = context, host
        super().__init__(address)

    def open_socket(self, address, receive_buffer):
        return tls_files.connect(address, self.context, self.host, PATIENCE_S)


def shell(server, *words, environment=None):
    """weft(1): (status, what it wrote)."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("WEFT")}
    ran = subprocess.run([os.environ["WEFT"], "--server", server, *words], stdin=subprocess.DEVNULL, text=True, errors="replace",
                         capture_output=True, timeout=PATIENCE_S, check=False, env={**clean, **(environment or {})})
    return ran.returncode, ran.stdout + ran.stderr


def s_client(address, *words, said="", authority=None):
    """openssl s_client: all that it wrote."""
    trust = ["-CAfile", authority.ca] if authority else []
    ran = subprocess.run(["openssl", "s_client", "-connect", address, *trust, *words], input=said, capture_output=True, text=True,
                         errors="replace", timeout=PATIENCE_S, check=False)
    return ran.stdout + ran.stderr


class TlsTest(ServerTest):
    """One server that speaks TLS, and an authority."""

    @classmethod
    def setUpClass(cls):
        cls.authority = tls_files.Authority()
        cls.cert, cls.key = cls.authority.issue("server", "DNS:localhost,DNS:sim.example.org,IP:127.0.0.1")
        cls.ARGUMENTS = ("--threads", "2", "--host", "sim.example.org", "--tls-cert", cls.cert, "--tls-key", cls.key)
        cls.HTTP = "127.0.0.1:0"
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        try:
            super().tearDownClass()
        finally:
            cls.authority.close()

    def tls_peer(self, context=None, host=None):
        peer = TlsPeer(self.server.address, context or self.authority.context(), host)
        self.addCleanup(peer.close)
        return peer

    def get(self, path, host=None):
        """(status, fields, body) over HTTPS."""
        with tls_files.connect(self.server.http, self.authority.context()) as sock:
            sock.sendall(f"GET {path} HTTP/1.1\r\nHost: {host or self.server.http}\r\n\r\n".encode())
            answer, _ = web_peer.read_answer(sock)
            return answer.status, answer.fields, answer.body


class Clients(TlsTest):
    def elsewhere(self):
        """A server whose certificate is for another name than its address."""
        cert, key = self.authority.issue("elsewhere", "DNS:elsewhere.example.org,IP:127.0.0.9")
        server = Server("--tls-cert", cert, "--tls-key", key)
        self.addCleanup(server.stop)
        return server.address

    def test_the_shell_knows_the_server_by_its_certificate(self):
        address, ca = self.server.address, self.authority.ca
        port = address.rsplit(":", 1)[1]
        for server, words, environment in ((address, ("--tls", "--ca", ca), {}), (f"tls://{address}", ("--ca", ca), {}),
                                           (f"wefts://localhost:{port}", (), {"WEFT_CA": ca}),
                                           (address, (), {"WEFT_CA": ca, "WEFT_TLS": "1"}), (address, ("--tls-no-verify",), {}),
                                           (address, (), {"WEFT_TLS": "1", "WEFT_TLS_NO_VERIFY": "1"})):
            status, said = shell(server, "info", *words, environment=environment)
            self.assertEqual(status, 0, (server, words, environment, said))
            self.assertIn("program", said)
        for server, words, why in ((address, ("--tls",), "CERTIFICATE: the certificate of the server at 127.0.0.1 is not trusted"),
                                   (self.elsewhere(), ("--ca", ca), "CERTIFICATE: .*for another name than 127.0.0.1"),
                                   (address, (), "TLS is spoken at this port"),
                                   (address, ("--ca", "/nowhere"), "FILE: /nowhere: no certificate"),
                                   (address, ("--cert", self.cert), "USAGE: a certificate and its key belong together")):
            status, said = shell(server, "info", *words)
            self.assertNotEqual(status, 0, said)
            self.assertRegex(said, why)

    def test_the_python_clients_do(self):
        address, ca = self.server.address, self.authority.ca
        numbers = list(range(300_000))
        with weft.connect(address, tls=True, ca=ca) as client:
            world = client.create("tls-python")
            body = world.add_body(kind="points", name="many", positions=numbers)
            self.assertEqual(body.state("positions").positions.shape, (100_000, 3))
            client.reconnect()
            self.assertEqual(client.world("tls-python").body("many").state("positions").positions[-1].tolist(), numbers[-3:])
            saved = world.picture()
            self.assertTrue(saved)
            world.delete()
        self.assertRaises(weft.NotSecure, weft.connect, address, tls=True)
        with self.assertRaises(weft.NotSecure) as caught:
            weft.connect(f"tls://{self.elsewhere()}", ca=ca)
        self.assertEqual(caught.exception.code, "CERTIFICATE")
        with self.assertRaisesRegex(weft.ConnectionLost, "TLS is spoken at this port"):
            weft.connect(address)
        weft.connect(address, tls=True, tls_verify=False).close()

    def test_threads_share_a_blocking_client(self):
        with weft.connect(f"tls://{self.server.address}", ca=self.authority.ca) as client:
            wrong = []

            def ask(seed):
                try:
                    for i in range(40):
                        world = client.create(f"tls-thread-{seed}-{i}")
                        world.add_body(kind="points", name="p", positions=[0.5] * (3 * 4000))
                        if len(world.body("p").state("positions").positions) != 4000:
                            wrong.append("too few")
                        world.delete()
                except Exception as error:  # noqa: BLE001: told by the assertion
                    wrong.append(repr(error))

            threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(PATIENCE_S * 4)
            self.assertEqual(wrong, [])

    def test_the_asyncio_client_does(self):
        async def visit():
            async with weft.aio.connect(f"tls://{self.server.address}", ca=self.authority.ca) as client:
                world = await client.create("tls-aio")
                body = await world.add_body(kind="points", name="many", positions=[0.25] * 300_000)
                self.assertEqual((await body.state("positions")).positions.shape, (100_000, 3))
                await world.delete()
            with self.assertRaises(weft.NotSecure):
                await weft.aio.connect(self.server.address, tls=True)

        asyncio.run(visit())

    def test_a_client_of_a_plain_server_says_so(self):
        with_plain = Server()
        self.addCleanup(with_plain.stop)
        status, said = shell(with_plain.address, "info", "--tls-no-verify")
        self.assertEqual(status, 3, said)
        self.assertIn("TLS: the server at 127.0.0.1 does not speak TLS at this port", said)
        with self.assertRaisesRegex(weft.NotSecure, "does not speak TLS at this port"):
            weft.connect(with_plain.address, tls=True, tls_verify=False)
        with with_plain.peer() as peer:
            peer.call("server.ping")


class Rules(TlsTest):
    def test_old_versions_and_weak_ciphers_are_refused(self):
        for words in (("-tls1_1", "-cipher", "ALL:@SECLEVEL=0"), ("-tls1", "-cipher", "ALL:@SECLEVEL=0"),
                      ("-tls1_2", "-cipher", "AES128-SHA:@SECLEVEL=0"), ("-tls1_2", "-cipher", "AES256-GCM-SHA384"),
                      ("-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0"),
                      ("-tls1_2", "-cipher", "aNULL:@SECLEVEL=0"), ("-tls1_2", "-groups", "secp521r1")):
            said = s_client(self.server.address, *words)
            self.assertRegex(said, r"alert|Cipher is \(NONE\)|no cipher match", words)
            self.assertNotRegex(said, r"Cipher is [A-Z]", words)
        for words, version in ((("-tls1_2",), "TLSv1.2"), (("-tls1_3",), "TLSv1.3")):
            said = s_client(self.server.address, *words, authority=self.authority)
            self.assertIn("Verification: OK", said)
            self.assertRegex(said, rf"New, {re.escape(version)}, Cipher is (ECDHE|TLS_)")
            self.assertRegex(said, r"Compression: NONE|Early data was not sent")

    def test_nothing_is_negotiated_again(self):
        with subprocess.Popen(["openssl", "s_client", "-connect", self.server.address, "-tls1_2"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as client:
            client.stdin.write("R\n")  # asks for it
            client.stdin.flush()
            said, _ = client.communicate(timeout=PATIENCE_S)
        self.assertIn("RENEGOTIATING", said)
        self.assertRegex(said, "no renegotiation|no_renegotiation|unexpected message|handshake failure|wrong version number")

    def test_protocols_are_not_mixed(self):
        for address, name, other in ((self.server.address, "weft", "http/1.1"), (self.server.http, "http/1.1", "h2")):
            context = self.authority.context()
            context.set_alpn_protocols([name])
            with tls_files.connect(address, context) as sock:
                self.assertEqual(sock.selected_alpn_protocol(), name)
            context = self.authority.context()
            context.set_alpn_protocols([other])
            with self.assertRaisesRegex(ssl.SSLError, "(?i)no.application.protocol"):
                tls_files.connect(address, context)

    def test_sessions_are_resumed(self):
        context = self.authority.context()
        with tls_files.connect(self.server.address, context) as sock:
            sock.sendall(msgpack.packb([0, 1, "server.ping", []]))
            sock.recv(4096)
            session = sock.session
        plain = socket.create_connection(self.server.address.rsplit(":", 1), PATIENCE_S)
        with context.wrap_socket(plain, server_hostname="127.0.0.1", session=session) as sock:
            self.assertTrue(sock.session_reused)
            sock.sendall(msgpack.packb([0, 1, "server.ping", []]))
            self.assertEqual(msgpack.unpackb(sock.recv(4096))[:3], [1, 1, None])

    def test_pages_say_that_they_come_over_tls(self):
        port = self.server.http.rsplit(":", 1)[1]
        status, fields, body = self.get("/healthz", f"sim.example.org:{port}")
        self.assertEqual((status, body), (200, b"ok\n"))
        self.assertEqual(fields["strict-transport-security"], "max-age=31536000")
        for host in (self.server.http, f"localhost:{port}"):
            self.assertNotIn("strict-transport-security", self.get("/healthz", host)[1])

    def test_websockets_and_their_origins(self):
        port = self.server.http.rsplit(":", 1)[1]
        key = "dGhlIHNhbXBsZSBub25jZQ=="
        name = f"sim.example.org:{port}"
        for origin, status in ((None, 101), (f"https://{name}", 101), (f"http://{name}", 403), ("https://evil.example", 403)):
            with tls_files.connect(self.server.http, self.authority.context()) as sock:
                fields = [f"Origin: {origin}"] if origin else []
                sock.sendall(web_peer.handshake_request(name, key, fields))
                answer, rest = web_peer.read_answer(sock)
                self.assertEqual(answer.status, status, origin)
                if status == 101:
                    sock.sendall(web_peer.frame(web_peer.BINARY, msgpack.packb([0, 7, "server.ping", []])))
                    while len(rest) < 3:
                        rest += sock.recv(4096)
                    self.assertEqual(msgpack.unpackb(rest[2:])[:3], [1, 7, None])


class Others(TlsTest):
    """Peers that do something else."""

    def test_a_plain_client_is_told(self):
        with Peer(self.server.address) as peer:
            peer.request("server.ping")
            notices = peer.expect_end()
        self.assertEqual([notice.method for notice in notices], ["error"])
        self.assertIn("TLS is spoken at this port", notices[0].params["error"][1])
        with socket.create_connection(self.server.http.rsplit(":", 1), PATIENCE_S) as sock:
            sock.sendall(f"GET / HTTP/1.1\r\nHost: {self.server.http}\r\n\r\n".encode())
            answer, _ = web_peer.read_answer(sock)
            self.assertEqual(answer.status, 400)
            self.assertIn(b"https:// is meant", answer.body)
            self.assertEqual(sock.recv(1), b"")
        self.server.line("TLS did not begin with 127.0.0.1:.*: the peer does not speak it")

    def test_a_client_of_tls_at_a_plain_port_does_not_wait(self):
        plain = Server(http="127.0.0.1:0")
        self.addCleanup(plain.stop)
        for address in (plain.address, plain.http):
            with self.assertRaises(ssl.SSLError) as caught:
                tls_files.connect(address, self.authority.context())
            self.assertEqual(caught.exception.reason, "WRONG_VERSION_NUMBER")  # of an answer, not of an end
        with plain.peer() as peer:
            peer.call("server.ping")

    def test_garbage_of_all_kinds(self):
        hello = self.client_hello()
        for data in (b"\x16", b"\x16\x03\x01\xff\xff" + bytes(70000), b"\x16\x03\x01\x00\x05hello", hello[:-1] + b"\0" * 5000,
                     hello[:40], b"\x16\x03\x03\x40\x01" + b"\1" * 20000, hello + hello, hello + b"\x17\x03\x03\x00\x10" + bytes(16)):
            with socket.create_connection(self.server.address.rsplit(":", 1), PATIENCE_S) as sock:
                try:
                    sock.sendall(data)
                    sock.shutdown(socket.SHUT_WR)
                    while sock.recv(65536):
                        pass
                except ConnectionError:
                    pass
        self.tls_peer().call("server.ping")

    def client_hello(self):
        """As it is sent."""
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = self.authority.context().wrap_bio(incoming, outgoing, server_hostname="localhost")
        with self.assertRaises(ssl.SSLWantReadError):
            tls.do_handshake()
        return outgoing.read()

    def test_records_that_were_changed_end_it(self):
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = self.authority.context().wrap_bio(incoming, outgoing, server_hostname="localhost")
        with socket.create_connection(self.server.address.rsplit(":", 1), PATIENCE_S) as sock:
            while True:
                try:
                    tls.do_handshake()
                    break
                except ssl.SSLWantReadError:
                    sock.sendall(outgoing.read())
                    incoming.write(sock.recv(65536))
            tls.write(msgpack.packb([0, 1, "server.ping", []]))
            record = bytearray(outgoing.read())
            record[-1] ^= 1
            sock.sendall(record)
            rest = b"x"
            try:
                while rest:
                    rest = sock.recv(65536)
            except ConnectionError:
                pass
        self.tls_peer().call("server.ping")

    def test_who_leaves_without_a_word_is_gone(self):
        watcher = self.tls_peer()
        for how in ("truncated", "half", "reset"):
            peer = self.tls_peer()
            peer.call("session.hello", user=how)
            before = watcher.call("server.stats")["sessions"]
            if how == "truncated":  # an end of the stream, and no close_notify
                os.close(peer.socket.detach())
            elif how == "half":  # in the middle of a record
                descriptor = peer.socket.detach()
                with socket.socket(fileno=descriptor) as raw:
                    raw.sendall(b"\x17\x03\x03\x40\x00" + b"abc")
            else:
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                os.close(peer.socket.detach())
            watcher.until(lambda: watcher.call("server.stats")["sessions"] < before, f"the end of a session ({how})")

    def test_who_says_that_nothing_follows_still_gets_its_answer(self):
        raw_in, raw_out = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = self.authority.context()
        tls = context.wrap_bio(raw_in, raw_out, server_hostname="127.0.0.1")
        with socket.create_connection(self.server.address.rsplit(":", 1), PATIENCE_S) as plain:
            while True:
                try:
                    tls.do_handshake()
                    break
                except ssl.SSLWantReadError:
                    plain.sendall(raw_out.read())
                    raw_in.write(plain.recv(65536))
            tls.write(msgpack.packb([0, 1, "server.info", []]))
            try:
                tls.unwrap()  # close_notify, behind the request
            except ssl.SSLWantReadError:
                pass
            plain.sendall(raw_out.read())
            plain.shutdown(socket.SHUT_WR)
            sealed = b""
            while True:
                data = plain.recv(65536)
                if not data:
                    break
                sealed += data
        # Python reads no more where it said that it is done; what came is no alert alone, but the answer's records.
        self.assertGreater(len(sealed), 10_000)


class Streams(TlsTest):
    def take(self, peer):
        """A world's frames, its state and its hash: all that a peer sees of it."""
        positions, triangles = sheet(40, 40)
        world = peer.call("world.create", name="same")["world"]
        peer.call("body.add", world=world, name="cloth", kind="cloth", positions=ext("f", positions), triangles=ext("I", triangles),
                  pins=[0, 39])
        points = peer.call("body.add", world=world, name="points", kind="points", positions=ext("f", [0.5] * 300_000))["body"]
        peer.call("stream.subscribe", world=world, every=1, unit="tick")
        frames = []
        for _ in range(20):
            peer.call("world.step", world=world, ticks=1)
            tick = len(frames)
            parts = []
            while True:
                frame = peer.frame(found=lambda params: params["tick"] > tick or params["tick"] == tick + 1)
                parts.append(re.sub(rb"^.{64}", b"", frame.raw, flags=re.S))  # the head counts what this peer had
                if frame.params["part"] + 1 == frame.params["parts"]:
                    break
            frames.append(b"".join(parts))
        state = peer.call("body.state", world=world, body=points, fields=["positions"])
        found = peer.call("world.hash", world=world)
        peer.call("world.delete", world=world)
        return frames, bytes(state["positions"]), found["hash"]

    def test_what_comes_is_the_same_as_without(self):
        plain = Server("--threads", "2")
        self.addCleanup(plain.stop)
        secure = Server("--threads", "2", "--tls-cert", self.cert, "--tls-key", self.key)
        self.addCleanup(secure.stop)
        with TlsPeer(secure.address, self.authority.context()) as peer:
            secure_frames, secure_state, secure_hash = self.take(peer)
        with plain.peer() as peer:
            frames, state, found = self.take(peer)
        self.assertEqual(found, secure_hash)
        self.assertEqual(state, secure_state)
        self.assertEqual([len(frame) for frame in frames], [len(frame) for frame in secure_frames])
        self.assertTrue(frames == secure_frames, "the frames differ")  # too long to be shown

    def test_what_others_are_sent_meanwhile_is_not_taken_for_what_came(self):
        """Many requests in one record, each of which has others told something before the next is looked at."""
        listeners = [self.tls_peer() for _ in range(3)]
        world = listeners[0].call("world.create")["world"]
        speaker = self.tls_peer()
        for peer in (*listeners, speaker):
            peer.call("world.join", world=world)
        ids = range(speaker.next_id + 1, speaker.next_id + 101)
        speaker.send_raw(b"".join(msgpack.packb([0, number, "world.control", [{"world": world, "action": "ask"}]])
                                  for number in ids))
        for number in ids:
            self.assertEqual(speaker.answer(number)["session"], 0)
        for peer in listeners:
            for _ in ids:
                peer.notice("world.controlled")
        listeners[0].call("world.delete", world=world)

    def test_a_peer_that_reads_nothing_holds_little(self):
        """The bounds of what waits for a peer are those of all connections."""
        peer = self.tls_peer()
        world = peer.call("world.create", name="slow-reader")["world"]
        peer.call("body.add", world=world, name="many", kind="points", positions=ext("f", [0.5] * 900_000))
        before = self.resident()
        for _ in range(60):
            peer.request("body.state", world=world, body="many", fields=["positions"])
        other = self.tls_peer()
        other.steady(lambda stats: stats["requests"])
        grown = self.resident() - before
        print(f"\n{grown / 1e6:.0f} MB for 60 answers of 10.8 MB that nobody reads")
        self.assertLess(grown, 200e6 * (2 if SLOW > 1 else 1))

    def resident(self):
        with open(f"/proc/{self.server.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Floods(TlsTest):
    def test_drips_and_silence_harm_nobody_and_end(self):
        innocent = self.tls_peer()
        hello = Others.client_hello(self)
        socks = [socket.create_connection(self.server.address.rsplit(":", 1), PATIENCE_S) for _ in range(40)]
        self.addCleanup(lambda: [sock.close() for sock in socks])
        began = time.monotonic()
        ended = {}
        for sock in socks:
            sock.setblocking(False)
        for second in range(int(PATIENCE_S)):
            for index, sock in enumerate(socks):
                if index in ended:
                    continue
                try:
                    if index % 2:
                        sock.send(hello[second:second + 1])  # a byte a second
                    if sock.recv(100) == b"":
                        ended[index] = time.monotonic() - began
                except BlockingIOError:
                    pass
                except OSError:
                    ended[index] = time.monotonic() - began
            if second == 1:
                self.tls_peer().call("server.ping")  # somebody new gets in meanwhile
                innocent.call("server.ping")
            if len(ended) == len(socks):
                break
            select.select([sock for index, sock in enumerate(socks) if index not in ended], [], [], 1)
        self.assertEqual(len(ended), len(socks))
        self.assertGreater(min(ended.values()), HANDSHAKE_S * 0.5)  # never earlier
        self.server.line("TLS did not begin with .*: it took too long to begin")

    def test_so_many_of_one_address_and_the_oldest_goes(self):
        server = Server("--tls-cert", self.cert, "--tls-key", self.key)
        self.addCleanup(server.stop)
        began = time.monotonic()
        socks = [socket.create_connection(server.address.rsplit(":", 1), PATIENCE_S) for _ in range(80)]
        self.addCleanup(lambda: [sock.close() for sock in socks])
        self.assertEqual(socks[0].recv(1), b"")
        if time.monotonic() - began < HANDSHAKE_S / 2:  # else it may have been for its time
            server.line("TLS did not begin with .*: others need its place")
        with TlsPeer(server.address, self.authority.context()) as peer:
            peer.call("server.ping")

    def test_a_flood_of_handshakes_leaves_the_others_alone(self):
        innocent = self.tls_peer()
        flood = subprocess.Popen([sys.executable, "-c", FLOOD, self.server.address, self.authority.ca],
                                 stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
        try:
            self.assertEqual(flood.stdout.readline().strip(), "begun")
            # Every answer takes a turn of the loop, in which so many connections are accepted as there is time for.
            least = innocent.served_beside(lambda stats: stats["sessions_total"], most=10 * 2 * 16)
        finally:
            flood.stdin.close()
            count = flood.stdout.read().split()
            flood.stdout.close()
            flood.wait(PATIENCE_S)
        print(f"{least} of {' '.join(count)} handshakes beside ten answers to somebody else", file=sys.stderr)
        self.assertGreater(int(count[0]), 0)


FLOOD = """
import socket, ssl, sys, threading
host, port = sys.argv[1].rsplit(":", 1)
context = ssl.create_default_context(cafile=sys.argv[2])
ended, counts = threading.Event(), []
def run():
    count = 0
    while not ended.is_set():
        try:
            with context.wrap_socket(socket.create_connection((host, int(port)), 30), server_hostname=host):
                count += 1
        except OSError:
            pass
    counts.append(count)
threads = [threading.Thread(target=run) for _ in range(8)]
[thread.start() for thread in threads]
print("begun", flush=True)
sys.stdin.read()
ended.set()
[thread.join() for thread in threads]
print(sum(counts))
"""


class Starting(unittest.TestCase):
    def setUp(self):
        self.authority = tls_files.Authority()
        self.addCleanup(self.authority.close)

    def refused(self, *words):
        """What weftd says that does not start."""
        clean = {key: value for key, value in os.environ.items() if not key.startswith("WEFT")}
        ran = subprocess.run([os.environ["WEFTD"], "--listen", "127.0.0.1:0", "--http", "none", *words], capture_output=True, text=True,
                             timeout=PATIENCE_S, check=False, env=clean)
        self.assertNotEqual(ran.returncode, 0)
        self.assertNotIn("listening", ran.stderr)
        return ran.stderr

    def test_what_does_not_fit_is_said(self):
        cert, key = self.authority.issue("good")
        _, other = self.authority.issue("other")
        old, old_key = self.authority.issue("old", days=0)
        weak, weak_key = self.authority.issue("weak", kind="1024")
        locked = self.authority.path("locked.key")
        tls_files.openssl("ec", "-in", key, "-aes128", "-passout", "pass:secret", "-out", locked)
        empty = self.authority.path("empty.pem")
        open(empty, "w", encoding="ascii").close()
        for words, why in ((("--tls-cert", cert), "--tls-cert: it needs --tls-key as well"),
                           (("--tls-key", key), "--tls-key: it needs --tls-cert as well"),
                           (("--tls-client-ca", self.authority.ca), "--tls-client-ca: it needs --tls-cert and --tls-key"),
                           (("--tls-cert", cert, "--tls-key", other), "other.key is not the key of the certificate in .*good.pem"),
                           (("--tls-cert", "/nowhere.pem", "--tls-key", key), "/nowhere.pem: No such file"),
                           (("--tls-cert", self.authority.folder, "--tls-key", key), "Is a directory"),
                           (("--tls-cert", empty, "--tls-key", key), "empty.pem: it is empty"),
                           (("--tls-cert", key, "--tls-key", key), "good.key: no certificate in PEM"),
                           (("--tls-cert", cert, "--tls-key", cert), "good.pem: no key in PEM"),
                           (("--tls-cert", cert, "--tls-key", locked), "locked.key: no key in PEM .*passphrase is not asked for"),
                           (("--tls-cert", old, "--tls-key", old_key), "old.pem: the certificate has expired: it was good until 2"),
                           (("--tls-cert", weak, "--tls-key", weak_key), "weak.pem: .*too small"),
                           (("--tls-cert", cert, "--tls-key", key, "--tls-client-ca", key), "good.key: no certificate in PEM")):
            self.assertRegex(self.refused(*words), why)

    def test_the_environment_and_the_file_say_it_too(self):
        cert, key = self.authority.issue("good")
        server = Server("--tls-cert", cert, environment={"WEFT_TLS_KEY": key})
        self.assertEqual(server.stop(), 0)
        path = self.authority.path("weftd.conf")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"[server]\ntls_cert = {cert}\ntls-key = {key}\n")
        server = Server("--config", path, "--tls-cert", cert)
        self.assertEqual(server.stop(), 0)

    def test_a_new_certificate_is_for_those_who_come_after(self):
        cert, key = self.authority.issue("first")
        second = tls_files.Authority("another authority")
        self.addCleanup(second.close)
        server = Server("--tls-cert", cert, "--tls-key", key)
        self.addCleanup(server.stop)
        before = TlsPeer(server.address, self.authority.context())
        self.addCleanup(before.close)
        before.call("server.ping")

        with open(cert, "w", encoding="ascii") as file:
            file.write("nothing\n")
        server.signal(signal.SIGHUP)
        server.line("error: TLS: the certificate stays what it was: .*first.pem: no certificate in PEM")
        TlsPeer(server.address, self.authority.context()).close()

        new_cert, new_key = second.issue("second")
        for source, target in ((new_cert, cert), (new_key, key)):
            with open(source, encoding="ascii") as file, open(target, "w", encoding="ascii") as out:
                out.write(file.read())
        server.signal(signal.SIGHUP)
        server.line("TLS: the certificate that was read again is good until")
        TlsPeer(server.address, second.context()).close()
        with self.assertRaises(ssl.SSLCertVerificationError):
            TlsPeer(server.address, self.authority.context())
        before.call("server.ping")

    def test_without_tls_a_hangup_is_the_end(self):
        server = Server()
        server.signal(signal.SIGHUP)
        self.assertEqual(server.wait(), 0)
        server.kill()


class ClientCertificates(unittest.TestCase):
    def setUp(self):
        self.authority = tls_files.Authority()
        self.addCleanup(self.authority.close)
        self.people = tls_files.Authority("people")
        self.addCleanup(self.people.close)
        cert, key = self.authority.issue("server")
        self.server = Server("--tls-cert", cert, "--tls-key", key, "--tls-client-ca", self.people.ca, http="127.0.0.1:0")
        self.addCleanup(self.server.stop)
        self.own = self.people.issue("ada")
        self.strange = self.authority.issue("stranger")

    def test_who_has_none_or_another_stays_outside(self):
        peer = TlsPeer(self.server.address, self.authority.context(*self.own))
        peer.call("server.ping")
        peer.close()
        # With TLS 1.3 the refusal comes behind what the client thinks is the end of the handshake.
        for own in ((), self.strange):
            for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
                context = self.authority.context(*own)
                context.minimum_version = context.maximum_version = version
                with self.assertRaises((ssl.SSLError, Closed, ConnectionError)):
                    stranger = TlsPeer(self.server.address, context)
                    self.addCleanup(stranger.close)
                    stranger.call("server.ping")
        status, said = shell(self.server.address, "info", "--ca", self.authority.ca, "--cert", self.own[0], "--key", self.own[1])
        self.assertEqual(status, 0, said)
        status, said = shell(self.server.address, "info", "--ca", self.authority.ca)
        self.assertEqual(status, 3, said)
        self.assertRegex(said, "certificate required|closed")
        with weft.connect(self.server.address, ca=self.authority.ca, cert=self.own[0], key=self.own[1]) as client:
            client.call("server.ping")
        self.assertRaises(weft.ConnectionLost, weft.connect, self.server.address, ca=self.authority.ca)


class ClientsOfBadServers(unittest.TestCase):
    """openssl s_server, with what no weftd would start with."""

    def test_an_expired_certificate_is_not_taken(self):
        with tls_files.Authority() as authority:
            cert, key = authority.issue("old", days=0)
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            over = time.time() + 1  # to the second
            server = subprocess.Popen(["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", cert, "-key", key, "-quiet"],
                                      stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                end = time.monotonic() + PATIENCE_S
                while time.monotonic() < end:
                    try:
                        socket.create_connection(("127.0.0.1", port), PATIENCE_S).close()
                        break
                    except OSError:
                        time.sleep(0.05)
                while time.time() < over:
                    time.sleep(0.01)
                status, said = shell(f"127.0.0.1:{port}", "info", "--ca", authority.ca)
                self.assertEqual(status, 3, said)
                self.assertRegex(said, "CERTIFICATE: .*expired")
                with self.assertRaisesRegex(weft.NotSecure, "expired"):
                    weft.connect(f"tls://127.0.0.1:{port}", ca=authority.ca)
            finally:
                server.kill()
                server.wait()
                server.stdin.close()


if __name__ == "__main__":
    main()
