"""What the tests of who may do what stand on: a server with tokens and an audit log, and people who come to it."""

import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest

import web_peer
from weft_peer import PATIENCE_S, Closed, Peer, Server, WeftError


def make_token(folder, name="root", environment=None):
    """As whoever sets a server up does."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("WEFT_")}
    done = subprocess.run([os.environ["WEFTD"], "--data", folder, "--token-new", name], capture_output=True, text=True,
                          check=True, timeout=PATIENCE_S, env={**clean, **(environment or {})})
    return done.stdout.strip()


class AccessTest(unittest.TestCase):
    ARGUMENTS = ()

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-access-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.data = os.path.join(self.folder, "data")
        self.token = make_token(self.data)
        self.audit = os.path.join(self.folder, "audit.log")
        self.server = None
        self.start()
        self.addCleanup(self.end)

    def start(self, *more):
        self.server = Server("--threads", "2", "--data", self.data, "--tokens", "--audit", self.audit,
                             *self.ARGUMENTS, *more, http="127.0.0.1:0")

    def end(self):
        status = self.server.stop()
        self.assertEqual(status, 0, "\n".join(self.server.lines[-60:]))

    def peer(self, token=None, web=False, source=None, **hello):
        deadline = time.monotonic() + PATIENCE_S
        while True:
            peer = web_peer.WebPeer(self.server.http) if web else Peer(self.server.address, source=source)
            self.addCleanup(peer.close)
            if not token:
                return peer
            try:
                peer.call("session.hello", token=token, errors="map", **hello)
                return peer
            except Closed:
                # Where the machine stands still for longer than a hello may take, it is said again.
                if not any("hello_ms" in str(one.params) for one in peer.notices) or time.monotonic() > deadline:
                    raise

    def person(self, admin, name, role="editor", **more):
        return admin.call("token.create", user=name, role=role, **more)["token"]

    def refused(self, code, peer, method, **fields):
        with self.assertRaises(WeftError) as caught:
            peer.call(method, **fields)
        self.assertEqual(caught.exception.code, code, f"{method}: {caught.exception}")
        return caught.exception

    def short(self, make, use):
        """What use(make(seconds)) returns, of what is good for as short as lets it be used before it is over."""
        for seconds in (1, 2, 4, 8, 16, 32, 64):
            made = make(seconds)
            try:
                return use(made)
            except (WeftError, Closed) as error:  # over by now, where the machine is slow
                last = error
        raise last

    def ends(self, peer):
        """The text of its last words."""
        notices = [one for one in peer.expect_end() if one.method == "error"]
        self.assertTrue(notices, "it ended without a word")
        error = notices[-1].params["error"]
        return error["text"] if isinstance(error, dict) else error[1]

    def audited(self, found, what):
        deadline = time.monotonic() + PATIENCE_S
        while True:  # a file tells nobody that it has grown
            with open(self.audit, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file.read().splitlines()]
            hits = [line for line in lines if found(line)]
            if hits:
                return hits
            if time.monotonic() > deadline:
                raise AssertionError(f"the audit log has no {what}: {lines[-10:]}")
            time.sleep(0.01)
