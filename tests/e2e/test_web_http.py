#!/usr/bin/env python3
"""HTTP: the studio's files, /healthz, /metrics, and what the options make of them."""

import gzip
import os
import re
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from web_peer import WebPeer, WebServerTest, connect, fetch, handshake_request, read_answer
from weft_peer import PATIENCE_S, Server, ext, main, sheet

INDEX = "<!doctype html><title>studio</title>" + "<p>warp and weft</p>" * 100
SCRIPT = "export const answer = 42;\n" * 200


def studio_folder(test):
    folder = tempfile.TemporaryDirectory(prefix="weft-studio-")
    test.addClassCleanup(folder.cleanup)
    path = Path(folder.name)
    (path / "assets").mkdir()
    (path / "index.html").write_text(INDEX)
    (path / "assets/index-DiwrgTda.js").write_text(SCRIPT)
    (path / "assets/style.css").write_text("body{margin:0}")
    (path / ".secret").write_text("hidden")
    (path / "outside").symlink_to("/etc/hostname")
    return path


class Files(WebServerTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = studio_folder(cls)
        cls.ARGUMENTS = ("--threads", "1", "--studio", str(cls.folder))
        super().setUpClass()

    def fetch(self, *arguments, **options):
        return fetch(self.server.http, *arguments, **options)

    def test_the_page_is_served_fresh_and_its_scripts_for_good(self):
        page = self.fetch()
        self.assertEqual((page.status, page.body.decode()), (200, INDEX))
        self.assertEqual(page.fields["content-type"], "text/html; charset=utf-8")
        self.assertEqual(page.fields["cache-control"], "no-cache")
        script = self.fetch("/assets/index-DiwrgTda.js")
        self.assertEqual((script.status, script.body.decode()), (200, SCRIPT))
        self.assertEqual(script.fields["content-type"], "text/javascript; charset=utf-8")
        self.assertEqual(script.fields["cache-control"], "public, max-age=31536000, immutable")
        self.assertEqual(self.fetch("/assets/style.css").fields["cache-control"], "no-cache")

    def test_every_answer_is_strict(self):
        for path in ("/", "/assets/style.css", "/none", "/metrics", "/healthz", "/ws"):
            with self.subTest(path=path):
                fields = self.fetch(path).fields
                policy = dict(part.split(" ", 1) for part in fields["content-security-policy"].split("; "))
                self.assertEqual(policy, {
                    "default-src": "'none'", "script-src": "'self' 'wasm-unsafe-eval'", "worker-src": "'self'", "style-src": "'self'",
                    "connect-src": "'self' ws: wss:", "img-src": "'self' data: blob:", "base-uri": "'none'",
                    "form-action": "'none'", "frame-ancestors": "'none'"})
                self.assertEqual(fields["x-content-type-options"], "nosniff")
                self.assertEqual(fields["referrer-policy"], "no-referrer")
                for name in ("opener-policy", "resource-policy"):
                    self.assertEqual(fields["cross-origin-" + name], "same-origin")
                self.assertEqual(fields["cross-origin-embedder-policy"], "require-corp")

    def test_it_is_compressed_for_those_who_can_read_that(self):
        plain = self.fetch("/assets/index-DiwrgTda.js")
        packed = self.fetch("/assets/index-DiwrgTda.js", ["Accept-Encoding: br, gzip"])
        self.assertEqual(packed.fields["content-encoding"], "gzip")
        self.assertEqual(packed.fields["vary"], "Accept-Encoding")
        self.assertEqual(plain.fields["vary"], "Accept-Encoding")
        self.assertEqual(gzip.decompress(packed.body), plain.body)
        self.assertLess(10 * len(packed.body), len(plain.body))
        self.assertNotEqual(packed.fields["etag"], plain.fields["etag"])
        self.assertNotIn("content-encoding", self.fetch("/", ["Accept-Encoding: gzip;q=0"]).fields)

    def test_what_has_not_changed_is_not_sent_again(self):
        tag = self.fetch().fields["etag"]
        for value in (tag, f'"other", {tag}', f"W/{tag}", "*"):
            again = self.fetch("/", [f"If-None-Match: {value}"])
            self.assertEqual((again.status, again.body, again.fields["etag"]), (304, b"", tag))
        self.assertEqual(self.fetch("/", ['If-None-Match: "other"']).status, 200)
        # Each variant has a tag of its own.
        self.assertEqual(self.fetch("/", [f"If-None-Match: {tag}", "Accept-Encoding: gzip"]).status, 200)

    def test_head_gives_the_same_fields_without_a_body(self):
        for path in ("/", "/assets/index-DiwrgTda.js", "/none", "/metrics"):
            with self.subTest(path=path):
                full, head = self.fetch(path), self.fetch(path, method="HEAD")
                self.assertEqual(head.status, full.status)
                for name in ("content-type", "cache-control", "etag"):
                    self.assertEqual(head.fields.get(name), full.fields.get(name))
                if path != "/metrics":
                    self.assertEqual(head.fields["content-length"], full.fields["content-length"])

    def test_nothing_but_the_files_found_is_served(self):
        for path in ("/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/../index.html", "/.secret",
                     "/outside", "//etc/passwd", "/assets", "/assets/", "/index.html/", "/index.html%00", "/INDEX.HTML",
                     "/\\index.html", "/assets/./style.css", str(self.folder) + "/index.html", "/" + "a" * 4000):
            with self.subTest(path=path[:40]):
                answer = self.fetch(path)
                self.assertEqual(answer.status, 404)
                self.assertNotIn(b"root:", answer.body)

    def test_other_methods_and_bodies_are_refused(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "get"):
            answer = self.fetch(method=method)
            self.assertEqual(answer.status, 405)
            self.assertEqual(answer.fields["allow"], "GET, HEAD")
        self.assertEqual(self.fetch("/", ["Content-Length: 1"]).status, 413)
        self.assertEqual(self.fetch("/", ["Transfer-Encoding: chunked"]).status, 413)

    def test_a_connection_is_kept_and_pipelining_is_in_order(self):
        with connect(self.server.http) as plain:
            request = "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            paths = ["/", "/none", "/assets/style.css", "/healthz"] * 25
            plain.sendall("".join(request.format(path) for path in paths).encode())
            rest = b""
            for path in paths:
                answer, rest = read_answer(plain, rest)
                self.assertEqual(answer.status, 404 if path == "/none" else 200)
                self.assertNotIn("connection", answer.fields)
            self.assertEqual(rest, b"")

    def test_curl_and_its_like_get_along(self):
        # A second opinion on the answers' syntax.
        import http.client
        connection = http.client.HTTPConnection(*self.server.http.split(":"), timeout=PATIENCE_S)
        for path, size in (("/", len(INDEX)), ("/assets/index-DiwrgTda.js", len(SCRIPT))):
            connection.request("GET", path)
            self.assertEqual(len(connection.getresponse().read()), size)
        connection.close()


class Metrics(WebServerTest):
    def test_the_text_is_as_prometheus_wants_it(self):
        self.world(self.peer())
        answer = fetch(self.server.http, "/metrics")
        self.assertEqual(answer.fields["content-type"], "text/plain; version=0.0.4; charset=utf-8")
        self.assertEqual(answer.fields["cache-control"], "no-store")
        text = answer.body.decode("ascii")
        self.assertTrue(text.endswith("\n"))
        seen, current = set(), None
        for line in text.splitlines():
            if line.startswith("# HELP "):
                current = line.split(" ")[2]
                self.assertNotIn(current, seen, "a family comes once")
                seen.add(current)
                self.assertRegex(line, r"^# HELP [a-z_]+ [A-Z].*[^ ]$")
            elif line.startswith("# TYPE "):
                self.assertRegex(line, rf"^# TYPE {current} (counter|gauge)$")
                self.assertEqual(line.endswith("counter"), current.endswith("_total"))
            else:
                self.assertRegex(line, rf'^{current}(\{{[a-z]+="[a-z_0-9.]+"\}})? [0-9.e+-]+$')
        for name in ("weft_worlds", "weft_ticks_total", "weft_tick_lateness_seconds_total", "weft_phase_seconds_total",
                     "weft_sessions", "weft_received_bytes_total", "weft_frames_dropped_total", "weft_unsent_bytes",
                     "weft_world_requests_waiting", "weft_frame_bytes", "process_resident_memory_bytes"):
            self.assertIn(name, seen)

    def test_values_follow_what_happens(self):
        tcp, ws = self.peer(), self.web()
        before, _ = self.metrics()
        world = self.world(tcp)
        positions, triangles = sheet(30, 30)
        tcp.call("body.add", world=world, kind="cloth", positions=ext("f", positions), triangles=ext("I", triangles))
        stream = ws.call("stream.subscribe", world=world)["stream"]
        # One at a time, so that each is seen.
        for tick in range(1, 51):
            tcp.call("world.step", world=world, ticks=1)
            ws.frame(stream, found=lambda params: params["tick"] == tick)
        after, _ = self.metrics()

        def grown(name):
            return after[name] - before[name]

        self.assertEqual(grown("weft_ticks_total"), 50)
        self.assertEqual(grown('weft_frames_sent_total{transport="websocket"}'), 51)
        self.assertEqual(grown('weft_frames_sent_total{transport="tcp"}'), 0)
        self.assertEqual(grown('weft_worlds{state="paused"}'), 1)
        self.assertEqual(grown("weft_particles"), 900)
        self.assertEqual(grown("weft_requests_total"), 53)
        self.assertEqual(grown("weft_streams"), 1)
        self.assertGreater(grown('weft_sent_bytes_total{transport="websocket"}'), 51 * 900 * 12)
        self.assertGreater(grown('weft_received_bytes_total{transport="tcp"}'), 900 * 12)
        self.assertEqual(grown("weft_http_requests_total"), 1)  # the one that told `before`
        phases = {name: grown(name) for name in after if name.startswith("weft_phase_seconds_total")}
        self.assertEqual(set(re.findall(r'"(\w+)"', "".join(phases))),
                         {"predict", "wind", "solve", "contacts", "finish", "capture", "apply"})
        for phase in ("predict", "solve", "finish", "capture", "apply"):
            self.assertGreater(phases[f'weft_phase_seconds_total{{phase="{phase}"}}'], 0)
        self.assertLess(sum(phases.values()), 2 * grown("weft_uptime_seconds"))
        self.assertGreater(after["process_cpu_seconds_total"], 0)
        with open(f"/proc/{self.server.process.pid}/statm", encoding="ascii") as file:
            resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        self.assertLess(abs(after["process_resident_memory_bytes"] - resident), 0.5 * resident)
        self.assertEqual(after['weft_sessions{transport="websocket"}'], 1)
        # What belonged to a deleted world stays counted.
        tcp.call("world.delete", world=world)
        last, _ = self.metrics()
        self.assertEqual(last["weft_ticks_total"], after["weft_ticks_total"])
        self.assertEqual(last["weft_particles"], before["weft_particles"])
        self.world(tcp, name="another")  # for the cleanup's sake

    def test_a_slow_reader_shows(self):
        tcp = self.peer()
        world = self.world(tcp, substeps=1)
        positions, _ = sheet(150, 150, 0.01)
        tcp.call("body.add", world=world, kind="points", positions=ext("f", positions))
        slow = self.web(receive_buffer=4096)
        slow.call("stream.subscribe", world=world)
        tcp.call("world.play", world=world)
        dropped = 'weft_frames_dropped_total{reason="slow_client"}'
        self.wait_for(lambda: self.metrics()[0][dropped] > 0, "dropped frames")
        self.assertGreater(self.metrics()[0]["weft_frame_bytes"], 150 * 150 * 12)


def fetch_metric(server, name):
    text = fetch(server.http, "/metrics").body.decode()
    return float(re.search(rf"^{name} (\S+)$", text, re.M)[1])


class Health(unittest.TestCase):
    def start(self, *arguments, **options):
        server = Server("--threads", "1", *arguments, **options)
        self.addCleanup(server.kill)
        return server

    def test_ok_and_then_going_down(self):
        server = self.start(http="127.0.0.1:0")
        answer = fetch(server.http, "/healthz")
        self.assertEqual((answer.status, answer.body), (200, b"ok\n"))
        # While somebody is still being sent what was asked for, those that are connected can ask.
        with server.peer(receive_buffer=4096) as peer, connect(server.http) as plain:
            world = peer.call("world.create", name="busy")["world"]
            positions, _ = sheet(150, 150, 0.01)
            body = peer.call("body.add", world=world, kind="points", positions=ext("f", positions))["body"]
            plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            self.assertEqual(read_answer(plain)[0].status, 200)
            for _ in range(40):
                peer.request("body.state", world=world, body=body, fields=["positions", "velocities"])
            with server.peer() as other:
                other.until(lambda: fetch_metric(server, "weft_unsent_bytes") > 500_000, "answers that are not read")
            server.signal(15)
            server.line("going down")
            plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            answer, _ = read_answer(plain)
            self.assertEqual((answer.status, answer.body), (503, b"going down\n"))
        self.assertEqual(server.wait(), 0)

    def test_without_files_a_page_says_how_to_build_them(self):
        server = self.start("--studio", "/nonexistent", http="127.0.0.1:0")
        answer = fetch(server.http)
        self.assertEqual(answer.status, 503)
        self.assertIn("make build", answer.body.decode())
        with WebPeer(server.http) as ws:
            ws.call("server.ping")

    def test_version_six_loopback_is_served(self):
        if "lo" not in (Path("/proc/net/if_inet6").read_text() if Path("/proc/net/if_inet6").exists() else ""):
            self.skipTest("no IPv6 here")
        server = self.start(http="[::1]:0")
        self.assertEqual(fetch(server.http, "/healthz").status, 200)
        with WebPeer(server.http, fields=[f"Origin: http://{server.http}"]) as ws:
            ws.call("server.ping")

    def test_a_server_is_called_by_its_address_or_by_a_name_it_was_given(self):
        """A page of a stranger whose name points here is of the same origin, for its browser."""
        for arguments in ((), ("--insecure",)):
            server = self.start("--host", "sim.example.org", *arguments, http="0.0.0.0:0" if arguments else "127.0.0.1:0")
            address = server.http.replace("0.0.0.0", "127.0.0.1")
            for host, origin, status in (("sim.example.org:1", "http://sim.example.org:1", 101),
                                         ("sim.example.org:1", "http://evil.example", 403),
                                         ("evil.example:1", "http://evil.example:1", 403),
                                         (address, f"http://{address}", 101)):
                with connect(address) as plain:
                    plain.sendall(handshake_request(host, "dGhlIHNhbXBsZSBub25jZQ==", [f"Origin: {origin}"]))
                    self.assertEqual(read_answer(plain)[0].status, status, (host, origin))
            for path in ("/metrics", "/healthz", "/"):
                for host, refused in ((address, False), ("sim.example.org", False), ("localhost:7", False),
                                      ("evil.example", True), ("sim.example.org.evil.example", True)):
                    with connect(address) as plain:
                        plain.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                        answer = read_answer(plain)[0]
                        self.assertEqual(answer.status == 403, refused, (path, host, answer.status))
                        if refused:
                            self.assertIn(b"--host", answer.body)
            # Programs are no browsers: they do not say where they come from.
            with connect(address) as plain:
                plain.sendall(handshake_request("anything", "dGhlIHNhbXBsZSBub25jZQ=="))
                self.assertEqual(read_answer(plain)[0].status, 101)

    def test_http_may_be_left_out(self):
        server = self.start(http="none")
        with server.peer() as peer:
            peer.call("server.ping")
        self.assertEqual(server.stop(), 0)
        self.assertFalse([line for line in server.lines if line.startswith("listening http")])

    def test_an_address_that_is_taken_ends_the_start_only_if_it_was_asked_for(self):
        first = self.start(http="127.0.0.1:0")
        run = subprocess.run([os.environ["WEFTD"], "--listen", "127.0.0.1:0", "--http", first.http],
                             capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"cannot listen on {first.http}: address already in use", run.stderr)
        holder = None
        try:
            holder = socket.create_server(("127.0.0.1", 9339))
        except OSError:
            pass  # somebody else holds it: just as good
        try:
            second = self.start(http=None)
            second.line("no studio: cannot listen on 127.0.0.1:9339")
            with second.peer() as peer:
                peer.call("server.ping")
        finally:
            if holder:
                holder.close()

    def test_more_origins_may_be_allowed(self):
        server = self.start("--origin", "https://sim.example.org,http://10.1.2.3:8000", http="127.0.0.1:0")
        for origin in ("https://sim.example.org", "http://10.1.2.3:8000", "http://localhost:5173"):
            with WebPeer(server.http, fields=[f"Origin: {origin}"]) as ws:
                ws.call("server.ping")
        for origin in ("http://sim.example.org", "http://10.1.2.3", "null"):
            with self.assertRaisesRegex(Exception, "refused with 403"):
                WebPeer(server.http, fields=[f"Origin: {origin}"])

    def test_the_files_are_found_beside_the_program(self):
        with tempfile.TemporaryDirectory(prefix="weft-prefix-") as prefix:
            for place in ("studio", "share/weft/studio"):
                with self.subTest(place=place):
                    root = Path(prefix) / place.replace("/", "-")
                    (root / "bin").mkdir(parents=True)
                    (root / place).mkdir(parents=True)
                    (root / place / "index.html").write_text(place)
                    program = root / "bin" / "weftd"
                    program.write_bytes(Path(os.environ["WEFTD"]).read_bytes())
                    program.chmod(0o755)
                    usual, os.environ["WEFTD"] = os.environ["WEFTD"], str(program)
                    try:
                        server = self.start(http="127.0.0.1:0")
                    finally:
                        os.environ["WEFTD"] = usual
                    self.assertEqual(fetch(server.http).body.decode(), place)
                    self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    main()
