#!/usr/bin/env python3
"""docs/guides/deploy.md as it stands: its blocks, with ports and files of this test's own, and clients that go through them.

nginx and Caddy are tried where they are installed.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import msgpack

import tls_files
import web_peer
from test_tls import TlsPeer, shell
from weft_peer import PATIENCE_S, Server, main

ROOT = Path(__file__).resolve().parent.parent.parent
GUIDE = (ROOT / "docs/guides/deploy.md").read_text(encoding="utf-8")
NAME = "sim.example.org"


def block(kind, number=0):
    return re.findall(rf"```{kind}\n(.*?)```", GUIDE, flags=re.S)[number]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def read_answer(sock):
    """Like web_peer's, for a server that may send a header twice, such as its name."""
    pending = b""
    while b"\r\n\r\n" not in pending:
        data = sock.recv(65536)
        assert data, pending
        pending += data
    head, _, rest = pending.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    size = int(fields.get("content-length", "0"))
    while len(rest) < size:
        rest += sock.recv(65536)
    return web_peer.Answer(int(first.split()[1]), fields, rest[:size]), rest[size:]


class Deploy(unittest.TestCase):
    def setUp(self):
        self.authority = tls_files.Authority()
        self.addCleanup(self.authority.close)
        self.cert, self.key = self.authority.issue("server", f"DNS:{NAME},IP:127.0.0.1")
        self.folder = tempfile.mkdtemp(prefix="weft-deploy-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def substitute(self, text, **ports):
        """Files and ports of this test's. All that is replaced has to be there."""
        for wanted, given in ports.items():
            wanted = wanted.lstrip("p").replace("_", " ")
            self.assertIn(wanted, text)
            text = text.replace(wanted, given)
        for path, file in ((r"/etc/\S*fullchain\.pem", self.cert), (r"/etc/\S*privkey\.pem", self.key)):
            text = re.sub(path, file, text)
        return text

    def run_beside(self, *command, port):
        """A program until the test's end; waits until it listens."""
        log = open(os.path.join(self.folder, "log"), "w+", encoding="utf-8")
        self.addCleanup(log.close)
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                   env={**os.environ, "HOME": self.folder, "XDG_DATA_HOME": self.folder, "XDG_CONFIG_HOME": self.folder})

        def end():
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

        self.addCleanup(end)
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), PATIENCE_S).close()
                return
            except OSError:
                log.flush()
                said = Path(log.name).read_text(encoding="utf-8")
                self.assertIsNone(process.poll(), said)
                self.assertLess(time.monotonic(), deadline, said)
                time.sleep(0.05)

    def visit(self, port, path="/healthz", fields=()):
        """(answer, what follows, the socket) of HTTPS at a port, by the name."""
        sock = tls_files.connect(f"127.0.0.1:{port}", self.authority.context(), NAME, PATIENCE_S)
        self.addCleanup(sock.close)
        sock.sendall("\r\n".join([f"GET {path} HTTP/1.1", f"Host: {NAME}", *fields, "", ""]).encode())
        return (*read_answer(sock), sock)

    def look(self, port, server, tokens=False):
        """A page, a WebSocket, and who may not have one."""
        answer, _, _ = self.visit(port)
        self.assertEqual((answer.status, answer.body), (200, b"ok\n"))
        self.assertEqual(answer.fields["strict-transport-security"], "max-age=31536000")
        key = "dGhlIHNhbXBsZSBub25jZQ=="
        upgrade = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
        for origin, status in ((f"https://{NAME}", 101), ("https://evil.example", 403)):
            answer, rest, sock = self.visit(port, "/ws", [*upgrade, f"Origin: {origin}"])
            self.assertEqual(answer.status, status, (origin, answer.body))
            if status == 101:
                sock.sendall(web_peer.frame(web_peer.BINARY, msgpack.packb([0, 7, "server.ping", []])))
                while len(rest) < 3:
                    rest += sock.recv(4096)
                kind, msgid, error, _ = msgpack.unpackb(rest[2:])
                self.assertEqual((kind, msgid), (1, 7))
                if tokens:
                    self.assertIn("DENIED", error[1])
                else:
                    self.assertIsNone(error)
        self.assertTrue(server.alive())

    def test_alone(self):
        words = self.substitute(block("sh", 0).replace("\\\n", " ")).split()
        self.assertEqual(words[0], "weftd")
        listen, http = words.index("--listen") + 1, words.index("--http") + 1
        self.assertEqual((words[listen], words[http]), ("0.0.0.0:9338", "0.0.0.0:9339"))
        words[listen] = words[http] = "0.0.0.0:0"
        data = os.path.join(self.folder, "worlds")
        words[words.index("/var/lib/weft")] = data
        token = subprocess.run([os.environ["WEFTD"], "--data", data, "--token-new", "Ada"], check=True, capture_output=True,
                               text=True, timeout=PATIENCE_S).stdout.strip()
        server = Server(*words[1:], listen=None, http="")
        self.addCleanup(server.stop)
        port = server.line(r"^listening http \S+:(\d+) \(tls\)$")[1]
        self.look(int(port), server, tokens=True)
        status, said = shell(f"tls://127.0.0.1:{server.address.rsplit(':', 1)[1]}", "info", "--ca", self.authority.ca,
                             environment={"WEFT_TOKEN": token})
        self.assertEqual(status, 0, said)

    def test_an_authority_of_ones_own(self):
        subprocess.run(["sh", "-eu", "-c", block("sh", 2)], check=True, cwd=self.folder, capture_output=True, timeout=PATIENCE_S)
        server = Server("--tls-cert", self.cert, "--tls-key", self.key, "--tls-client-ca", os.path.join(self.folder, "people.pem"))
        self.addCleanup(server.stop)
        own = [os.path.join(self.folder, name) for name in ("ada.pem", "ada.key")]
        status, said = shell(server.address, "info", "--ca", self.authority.ca, "--cert", own[0], "--key", own[1])
        self.assertEqual(status, 0, said)
        self.assertEqual(shell(server.address, "info", "--ca", self.authority.ca)[0], 3)

    @unittest.skipUnless(shutil.which("nginx"), "nginx is not installed")
    def test_behind_nginx(self):
        server = Server("--origin", f"https://{NAME}", http="127.0.0.1:0")
        self.addCleanup(server.stop)
        port, rpc_port = free_port(), free_port()
        web = self.substitute(block("nginx"), plisten_443=f"listen 127.0.0.1:{port}").replace("127.0.0.1:9339", server.http)
        module = "/usr/lib/nginx/modules/ngx_stream_module.so"
        stream = ""
        if os.path.exists(module):
            stream = f"load_module {module};\n" + self.substitute(block("nginx-stream"), plisten_9440=f"listen 127.0.0.1:{rpc_port}") \
                .replace("127.0.0.1:9338", server.address)
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        conf = os.path.join(self.folder, "nginx.conf")
        user = "user root;\n" if os.geteuid() == 0 else ""
        # What a distribution brings: where its files are.
        Path(conf).write_text(f"{stream if stream.startswith('load') else ''}{user}pid {self.folder}/pid;\nerror_log stderr;\ndaemon off;\n"
                              f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{web}}}\n", encoding="utf-8")
        self.run_beside("nginx", "-e", "stderr", "-p", self.folder, "-c", conf, port=port)
        self.look(port, server)
        self.assertEqual(self.visit(port, "/metrics")[0].status, 404)
        if stream:
            with TlsPeer(f"127.0.0.1:{rpc_port}", self.authority.context(), NAME) as peer:
                peer.call("server.ping")
                world = peer.call("world.create", name="behind")["world"]
                peer.call("world.delete", world=world)
            status, said = shell(f"tls://127.0.0.1:{rpc_port}", "info", "--ca", self.authority.ca)
            self.assertEqual(status, 0, said)

    @unittest.skipUnless(shutil.which("caddy"), "Caddy is not installed")
    def test_behind_caddy(self):
        server = Server("--origin", f"https://{NAME}", http="127.0.0.1:0")
        self.addCleanup(server.stop)
        port = free_port()
        site = block("caddy").replace("127.0.0.1:9339", server.http)
        self.assertTrue(site.startswith(f"{NAME} {{\n"))
        tls = re.search(r"`(tls /etc/\S+ /etc/\S+)`", GUIDE)[1]  # as the page says
        site = site.replace(f"{NAME} {{\n", f"https://{NAME}:{port} {{\n\t{self.substitute(tls)}\n")
        path = os.path.join(self.folder, "Caddyfile")
        Path(path).write_text("{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n" + site, encoding="utf-8")
        self.run_beside("caddy", "run", "--config", path, "--adapter", "caddyfile", port=port)
        self.look(port, server)
        self.assertEqual(self.visit(port, "/metrics")[0].status, 404)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd is not installed")
    def test_the_units_are_understood(self):
        unit = (ROOT / "scripts/packaging/weftd.service.in").read_text(encoding="utf-8")
        unit = unit.replace("@bin@/weftd", os.environ["WEFTD"]).replace("@etc@", "/etc")
        for number in range(2):
            path = os.path.join(self.folder, "weftd-test.service")
            Path(path).write_text(unit + "\n" + block("ini", number), encoding="utf-8")
            ran = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True, text=True, timeout=PATIENCE_S,
                                 check=False)
            wrong = [line for line in ran.stderr.splitlines() if "weftd-test" in line and "Unknown" in line or "Failed to parse" in line]
            self.assertEqual(wrong, [])


if __name__ == "__main__":
    main()
