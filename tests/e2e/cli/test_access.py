"""weft token, weft access, and the token that weft shows."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from shell import PATIENCE_S, Server, clean_environment


class Access(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-cli-access-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.token = self.run_it(os.environ["WEFTD"], "--data", self.folder, "--token-new", "root").stdout.strip()
        self.server = Server("--threads", "1", "--data", self.folder, "--tokens")
        self.addCleanup(self.server.stop)

    def run_it(self, *command, status=0, **environment):
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S,
                              env=clean_environment(**environment))
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def weft(self, *arguments, token=None, status=0, **environment):
        if token:
            environment["WEFT_TOKEN"] = token
        return self.run_it(os.environ["WEFT"], "--server", self.server.address, *arguments, status=status, **environment)

    def test_tokens_and_roles(self):
        self.assertIn("DENIED", self.weft("list", status=1).stderr)
        self.assertIn("DENIED", self.weft("list", token="weft_x", status=1).stderr)
        ada = self.weft("token", "create", "Ada", "--days", "1", token=self.token).stdout.strip()
        self.assertRegex(ada, "^weft_[A-Za-z0-9_-]{44}$")
        lines = self.weft("token", "list", token=self.token).stdout.splitlines()
        self.assertEqual(lines[0].split(), ["ID", "NAME", "ROLE", "SESSIONS", "MADE", "EXPIRES"])
        self.assertEqual([line.split()[1:4] for line in lines[1:]], [["root", "admin", "1"], ["Ada", "editor", "0"]])
        self.assertTrue(lines[1].rstrip().endswith("never"))
        self.weft("new", "ours", token=ada)
        self.assertIn("DENIED", self.weft("token", "list", token=ada, status=1).stderr)
        bob = json.loads(self.weft("--json", "token", "create", "Bob", "--role", "viewer", token=self.token).stdout)["token"]
        self.assertIn("NOT_FOUND", self.weft("get", "ours", token=bob, status=1).stderr)
        self.weft("access", "ours", "--grant", "Bob", "editor", token=ada)
        self.weft("set", "ours", "damping=1", token=bob)
        self.weft("access", "ours", "--control", "owner", token=ada)
        self.assertIn("DENIED", self.weft("play", "ours", token=bob, status=1).stderr)
        invite = self.weft("access", "ours", "--invite", "viewer", "--uses", "2", "--days", "2", token=ada).stdout.strip()
        self.assertTrue(invite.startswith("weftinvite_"))
        shown = self.weft("access", "ours", token=ada).stdout
        for line in (r"^Ada +owner$", r"^Bob +editor$", r"^\(invitation \d+, 2 times, until 20.*\) +viewer$",
                     r"^played and paused by: owners$"):
            self.assertTrue(re.search(line, shown, re.MULTILINE), f"{line} in {shown}")
        accepted = self.weft("call", "access.accept", json.dumps({"invite": invite, "user": "Grace"}))
        self.assertIn("Grace", accepted.stdout)
        self.weft("access", "ours", "--revoke", "Bob", token=ada)
        self.assertIn("NOT_FOUND", self.weft("get", "ours", token=bob, status=1).stderr)
        told = self.weft("token", "revoke", "Ada", token=self.token).stdout
        self.assertRegex(told, r"(?m)^ended: invitation \d+ into world 1$")
        self.assertRegex(told, "(?m)^kept: Grace is viewer of world 1, a role that this person gave$")
        self.assertIn("DENIED", self.weft("list", token=ada, status=1).stderr)

    def test_a_file_that_others_can_read_is_refused(self):
        path = os.path.join(self.folder, "token")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.token + "\n")
        os.chmod(path, 0o640)
        self.assertIn("chmod 600", self.weft("list", status=1, WEFT_TOKEN_FILE=path).stderr)
        os.chmod(path, 0o600)
        self.weft("list", WEFT_TOKEN_FILE=path)
        self.weft("--token", "@" + path, "list")
        self.assertIn("No such file", self.weft("--token", "@" + path + "x", "list", status=1).stderr)

    def test_wrong_usage(self):
        for arguments in (("token",), ("token", "create"), ("token", "create", "A", "B"), ("token", "revoke"),
                          ("token", "create", "A", "--days", "x"), ("access",), ("access", "ours", "--grant"),
                          ("access", "ours", "--invite", "viewer", "--uses", "0"), ("--token",)):
            self.weft(*arguments, token=self.token, status=2)


if __name__ == "__main__":
    unittest.main()
