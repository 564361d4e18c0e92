"""What the tests of the Python package stand on: the package from the tree, and servers of their own on free ports."""
from __future__ import annotations

import json
import os
import socket
import sys
import threading
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parent.parent
sys.dont_write_bytecode = True
# A test of the installed package names the folder itself.
if "WEFT_INSTALLED" not in os.environ:
    sys.path.insert(0, str(PACKAGE / "src"))
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

import weft  # noqa: E402
from weft_peer import PATIENCE_S, Server  # noqa: E402

sys.path.insert(0, str(ROOT / "protocol"))
from generator import kinds  # noqa: E402

API = kinds.read(ROOT / "protocol" / "api.json")
for method in API["methods"]:  # what every edit has besides its own
    if method["class"] == "edit":
        method["params"] += API["terms"]["params"]
        method["result"] += API["terms"]["result"]
    if method["class"] == "query":
        method["result"] += API["terms"]["query_result"]
del API["terms"]


def vectors(file: str, group: str):
    return json.loads((ROOT / "tests" / "wire" / file).read_text())[group]


class ServerTest(unittest.TestCase):
    """Tests that share one server, which must live through all of them and end in order."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server("--threads", "2")

    @classmethod
    def tearDownClass(cls):
        status = cls.server.stop()
        if status != 0:
            raise AssertionError(f"the server ended with status {status}:\n" + "\n".join(cls.server.lines[-60:]))

    def connect(self, **options):
        options.setdefault("timeout", PATIENCE_S)
        client = weft.connect(self.server.address, **options)
        self.addCleanup(client.close)
        return client

    def world(self, client, **settings):
        world = client.create(**settings)
        self.addCleanup(self._delete, world.id)
        return world

    def _delete(self, world):
        with weft.connect(self.server.address) as client:
            try:
                client.world(world).delete()
            except weft.NotFound:
                pass


class Told:
    """A server that says what a test tells it to, to whoever connects; to look at what a client makes of it."""

    def __init__(self, script):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.script = script
        self.failed = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        try:
            connection, _ = self.listener.accept()
            connection.settimeout(PATIENCE_S)
            with connection:
                self.script(connection)
        except OSError:
            pass
        except Exception as error:  # told to the test, which would wait in vain
            self.failed = error

    def close(self):
        self.listener.close()
        self.thread.join(PATIENCE_S)
        if self.failed:
            raise self.failed


def hello_answer(**changes):
    return {"session": 1, "name": "weft", "version": "0.1.0", "api_level": API["api_level"],
            "api_compatible": API["api_compatible"], "user": "", "arrays": "ext", "errors": "map", **changes}
