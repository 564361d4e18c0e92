#!/usr/bin/env python3
"""deploy/ as it stands, with ports and folders of this test's own: brokers that weftd takes, one door to several servers, and
names that fit each other.

Containers are not started here. nginx is tried where it is installed, brokers where WEFT_NATS_SERVER names their program.
"""

import ipaddress
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import brokers
from weft_peer import PATIENCE_S, Peer, Server, main

ROOT = Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"
COMPOSE = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
NATS = (DEPLOY / "nats.conf").read_text(encoding="utf-8")
PODS = {path.stem: path.read_text(encoding="utf-8") for path in (DEPLOY / "kubernetes").glob("*.yaml")}
WORDS = {"NATS_PASSWORD": "alpha", "NATS_SYS_PASSWORD": "beta", "NATS_ROUTE_PASSWORD": "gamma"}
MODULE = "/usr/lib/nginx/modules/ngx_stream_module.so"


def nats_of_pods():
    """The configuration in the map, as a file."""
    text = PODS["brokers"].split("nats.conf: |\n", 1)[1].split("---\n", 1)[0]
    return re.sub(r"^    ", "", text, flags=re.M)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-deploy-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_beside(self, *command, port, **environment):
        """A program until the test's end; waits until it listens."""
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env={**os.environ, **WORDS, **environment})
        self.addCleanup(process.wait, PATIENCE_S)
        self.addCleanup(process.send_signal, signal.SIGTERM if command[0] == "nginx" else signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), PATIENCE_S).close()
                return process
            except OSError:
                self.assertIsNone(process.poll(), command)
                self.assertLess(time.monotonic(), deadline, command)
                time.sleep(0.02)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        Path(path).write_text(text, encoding="utf-8")
        return path

    def replaced(self, text, **wanted):
        """All that is replaced has to be there."""
        for old, new in wanted.values():
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text


@unittest.skipUnless(brokers.program(), "no nats-server")
class Brokers(Files):
    def alone(self, text):
        """One of them, without the others."""
        port = brokers.free_port()
        text = self.replaced(text, client=("port: 4222", f'listen: "127.0.0.1:{port}"'),
                             monitor=("http: 8222", f'http: "127.0.0.1:{brokers.free_port()}"'),
                             store=('"/data"', f'"{self.folder}/store{port}"'))
        text, count = re.subn(r"cluster \{.*", "", text, flags=re.S)
        self.assertEqual(count, 1)
        return port, self.write(f"{port}.conf", text)

    def options(self, port):
        """As compose.yaml has them."""
        options = []
        for name, option in (("WEFT_STORE", "--store"), ("WEFT_STORE_CHECK", "--store-check")):
            value = re.search(rf"^  {name}: (\S+)$", COMPOSE, flags=re.M)[1]
            value = re.sub(r"\$\{(\w+)\}", lambda match: WORDS[match[1]], value)
            options += [option, self.replaced(value, all=("broker1,broker2,broker3", f"127.0.0.1:{port}"))]
        return options

    def test_configurations_are_understood(self):
        for name, text in (("compose", NATS), ("pods", nats_of_pods())):
            path = self.write(name, text)
            ran = subprocess.run([brokers.program(), "-t", "-c", path, "--name", "b"], capture_output=True, text=True, check=False,
                                 env={**os.environ, **WORDS, "NATS_ROUTES": "[]"}, timeout=PATIENCE_S)
            self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_three_find_each_other(self):
        for text, routes in ((NATS, COMPOSE), (nats_of_pods(), PODS["brokers"])):
            ports = [[brokers.free_port() for _ in range(3)] for _ in range(3)]
            routes = re.search(r"NATS_ROUTES.*?>-\n(\s+\[.*?\])\n", routes, flags=re.S)[1]
            routes = re.sub(r"\$[{(](\w+)[})]", lambda match: WORDS[match[1]], routes)
            routes, count = re.subn(r"@broker-?(\d)(\.broker)?:6222", lambda match: f"@127.0.0.1:{ports[int(match[1]) % 3][1]}", routes)
            self.assertEqual(count, 3)
            for number, (client, cluster, monitor) in enumerate(ports):
                own = self.replaced(text, client=("port: 4222", f'listen: "127.0.0.1:{client}"'), cluster=("port: 6222", f'listen: "127.0.0.1:{cluster}"'),
                                    monitor=("http: 8222", f'http: "127.0.0.1:{monitor}"'), store=('"/data"', f'"{self.folder}/{monitor}"'))
                own = own.replace('"/run/nats/nats.pid"', f'"{self.folder}/{monitor}.pid"')
                path = self.write(f"{monitor}.conf", own)
                self.run_beside(brokers.program(), "-c", path, "--name", f"b{number}", port=client, NATS_ROUTES=routes)
            deadline = time.monotonic() + PATIENCE_S
            for _, _, monitor in ports:
                while self.others(monitor) < 2:
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.05)

    @staticmethod
    def others(monitor):
        """How many other brokers one is connected to."""
        with urllib.request.urlopen(f"http://127.0.0.1:{monitor}/routez", timeout=PATIENCE_S) as answer:
            return len({route["remote_name"] for route in json.load(answer).get("routes", [])})

    def test_a_server_keeps_worlds_there(self):
        port, path = self.alone(NATS)
        self.run_beside(brokers.program(), "-c", path, port=port)
        server = Server("--data", os.path.join(self.folder, "worlds"), *self.options(port))
        self.addCleanup(server.kill)
        with server.peer() as peer:
            world = peer.call("world.create", name="there")["world"]
            self.assertIn(world, [each["world"] for each in peer.call("world.list")["worlds"]])
        self.assertEqual(server.stop(), 0)

    def test_without_its_syncs_a_server_would_not_start(self):
        port, path = self.alone(self.replaced(NATS, sync=("sync_interval: always", "")))
        self.run_beside(brokers.program(), "-c", path, port=port)
        ran = subprocess.run([os.environ["WEFTD"], "--listen", "127.0.0.1:0", "--http", "none", "--data",
                              os.path.join(self.folder, "worlds"), *self.options(port)], capture_output=True, text=True, check=False,
                             timeout=PATIENCE_S)
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("sync_interval", ran.stderr)


@unittest.skipUnless(shutil.which("nginx") and os.path.exists(MODULE), "nginx with its module for streams is not installed")
class Door(Files):
    def test_it_leads_to_those_that_are_there(self):
        servers = [Server(http="127.0.0.1:0") for _ in range(2)]
        for server in servers:
            self.addCleanup(server.kill)
        web, rpc = brokers.free_port(), brokers.free_port()
        text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
        gone = f"127.0.0.1:{brokers.free_port()}"
        doors = {"web": ("listen 9339", f"listen 127.0.0.1:{web}"), "rpc": ("listen 9338", f"listen 127.0.0.1:{rpc}"),
                 "files": ("/tmp/", f"{self.folder}/")}
        for number, (web_there, rpc_there) in enumerate([(server.http, server.address) for server in servers] + [(gone, gone)], 1):
            doors[f"web{number}"] = (f"weftd{number}:935{number}", web_there)
            doors[f"rpc{number}"] = (f"weftd{number}:934{number}", rpc_there)
        text = self.replaced(text, **doors)
        user = "user root;\n" if os.geteuid() == 0 else ""
        path = self.write("nginx.conf", f"load_module {MODULE};\n{user}daemon off;\n{text}")
        self.run_beside("nginx", "-e", "stderr", "-p", self.folder, "-c", path, port=rpc)
        for survivors in (servers, servers[:1]):
            for server in servers:
                if server not in survivors:
                    server.kill()
            for _ in range(4):
                with urllib.request.urlopen(f"http://127.0.0.1:{web}/healthz", timeout=PATIENCE_S) as answer:
                    self.assertEqual((answer.status, answer.read()), (200, b"ok\n"))
                with Peer(f"127.0.0.1:{rpc}") as peer:
                    peer.call("server.ping")
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{web}/metrics", timeout=PATIENCE_S)
        self.assertEqual(refused.exception.code, 404)


class Names(unittest.TestCase):
    def test_compose_names_what_there_is(self):
        services = re.findall(r"^  (\w+):$", COMPOSE.split("\nservices:\n")[1].split("\nnetworks:\n")[0], flags=re.M)
        self.assertEqual(services, ["broker1", "broker2", "broker3", "weftd1", "weftd2", "weftd3", "proxy"])
        asked = set(re.findall(r"\b((?:broker|weftd)\d)\b", COMPOSE.split("NATS_ROUTES")[1].split("healthcheck:")[0] + (DEPLOY / "nginx.conf").read_text(encoding="utf-8")))
        self.assertEqual(asked, set(services) - {"proxy"})
        for number in "123":  # where a server says it is, is where it listens, inside and outside
            there = COMPOSE.split(f"  weftd{number}:\n")[1].split("volumes:")[0]
            for wanted in (f"WEFT_ADVERTISE: weftd{number}\n", f"WEFT_LISTEN: 0.0.0.0:934{number}\n", f"WEFT_HTTP: 0.0.0.0:935{number}\n",
                           f'"127.0.0.1:934{number}:934{number}"', f'"127.0.0.1:935{number}:935{number}"', f"/dev/tcp/127.0.0.1/935{number};"):
                self.assertIn(wanted, there)
        for volume in re.findall(r'^    volumes: \["(\w+):', COMPOSE, flags=re.M):
            self.assertRegex(COMPOSE, rf"(?m)^  {volume}:$")
        files = re.findall(r'"\./(\w[\w.]*):(/[\w./]+):ro,z"', COMPOSE)
        self.assertEqual({name for name, _ in files}, {"nats.conf", "nginx.conf", "hosts"})
        for file, _ in files:
            self.assertTrue((DEPLOY / file).is_file(), file)
        for config in re.findall(r'command: \["--config", ([^,]+),', COMPOSE):
            self.assertIn(("nats.conf", config), files)

    def test_servers_are_where_their_hosts_say(self):
        """What is mounted as a file, since podman-compose passes over configs, and podman gives containers this machine's hosts."""
        self.assertNotRegex(COMPOSE, r"(?m)^ *configs:")
        hosts = dict(reversed(line.split()) for line in (DEPLOY / "hosts").read_text(encoding="utf-8").splitlines() if re.match(r"[\d.]", line))
        subnet, dynamic = (ipaddress.ip_network(text) for text in re.search(r"subnet: (\S+), ip_range: (\S+) \}", COMPOSE).groups())
        for number in "123":
            there = COMPOSE.split(f"  weftd{number}:\n")[1].split("ipv4_address")
            self.assertIn("./hosts:/etc/hosts:ro", there[0])
            address = re.match(r": ([\d.]+)", there[1])[1]
            self.assertEqual(hosts.pop(f"weftd{number}"), address)
            self.assertIn(ipaddress.ip_address(address), subnet)
            self.assertNotIn(ipaddress.ip_address(address), dynamic)
        self.assertEqual(hosts, {"localhost": "127.0.0.1"})
        self.assertIn("./hosts:/etc/hosts:ro", COMPOSE.split("  proxy:\n")[1])

    def test_a_volume_is_put_where_the_image_may_write(self):
        """docker gives one that is elsewhere to root."""
        own = re.search(r"^VOLUME (\S+)$", (ROOT / "Containerfile").read_text(encoding="utf-8"), flags=re.M)[1]
        guide = (ROOT / "docs/guides/container.md").read_text(encoding="utf-8")
        volumes = re.findall(r"-v ([\w-]+):(\S+) weft (.*)", guide)
        self.assertTrue(volumes)
        for _, place, options in volumes:
            self.assertEqual(place, own)
            self.assertIn(f"--data {own}/", options)

    def test_pods_name_what_there_is(self):
        both = PODS["brokers"] + PODS["servers"]
        labels = re.findall(r"^      labels: \{ app: (\w+) \}", both, flags=re.M)
        self.assertEqual(set(re.findall(r"(?:[sS]elector|matchLabels): \{ app: (\w+) \}", both)), set(labels))
        for kind in ("brokers", "servers"):
            text = PODS[kind]
            mounted = set(re.findall(r"- \{ name: (\w+), mountPath", text))
            volumes = set(re.findall(r"^        - name: (\w+)\n          (?:configMap|emptyDir)", text, flags=re.M)) | {"data"}
            self.assertEqual(mounted, volumes)
            for probe in re.findall(r"(?:httpGet|tcpSocket): \{.*?port: (\w+) \}", text):
                self.assertIn(f"name: {probe}, containerPort:", text)
        keys = set(re.findall(r"secretKeyRef: \{ name: brokers, key: ([\w-]+) \}", both))
        self.assertEqual(keys, set(re.findall(r"^  ([\w-]+): ", PODS["secret"].split("stringData:\n")[1], flags=re.M)))
        for resource in re.findall(r"^  - (\S+)$", PODS["kustomization"], flags=re.M):
            self.assertTrue((DEPLOY / "kubernetes" / resource).is_file(), resource)

    def test_pages_may_follow_from_each_pod(self):
        text = PODS["servers"]
        origins = re.search(r"name: WEFT_ORIGIN.*\n\s+value: >-\n\s+(\S+)\n", text)[1].split(",")
        doors = re.search(r'name: WEFT_HOST, value: "([^"]+)"', text)[1].split(",")
        pod = doors.pop()
        self.assertIn("$(POD_NAME)", pod)
        pods = [pod.replace("$(POD_NAME)", f"weftd-{number}") for number in range(int(re.search(r"replicas: (\d+)", text)[1]))]
        self.assertEqual(origins, [f"http://{name}:9339" for name in doors + pods])
        self.assertIn(f"WEFT_ADVERTISE, value: {pod} ", text)

    def test_brokers_are_the_same_in_both(self):
        def lines(text):
            return {re.sub(r"\s*#.*", "", line).strip() for line in text.splitlines()} - {""}
        self.assertLessEqual(lines(NATS), lines(nats_of_pods()))


if __name__ == "__main__":
    main()
