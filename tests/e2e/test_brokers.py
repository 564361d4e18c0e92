#!/usr/bin/env python3
"""Worlds in streams of NATS: what was answered by a server that is killed is there on another, in another folder.

    test_brokers.py [--rounds N]

WEFT_NATS_SERVER names the broker's program; without one the tests are skipped (77).
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

import beside
import brokers
import nkeys
import test_kill
import tls_files
from weft_peer import PATIENCE_S, Server, WeftError, sheet

ROUNDS = 3 if not os.environ.get("WEFT_SANITIZE") else 2


class OnBrokers:
    def setUp(self):
        self.broker = brokers.Broker()
        self.addCleanup(self.broker.close)
        self.folders = []

    def new_folder(self):
        self.folders.append(tempfile.mkdtemp(prefix="weft-brokers-"))
        self.addCleanup(shutil.rmtree, self.folders[-1])
        # By this it is the folder that the one before had: nobody is waited for.
        pathlib.Path(self.folders[-1], "server-id").write_text("0123456789abcdef")
        return self.folders[-1]

    def start_in(self, folder, *more):
        server = Server("--data", folder, "--threads", "2", "--store", self.broker.url, "--store-check", self.broker.check,
                        *more, http="127.0.0.1:0")
        self.addCleanup(server.kill)
        return server


class Deaths(OnBrokers, test_kill.Kill):
    """As test_kill.py does it, but each server that comes back is another, with an empty folder."""

    rounds = ROUNDS
    test_a_stop_in_order_loses_nothing_and_plays_on = None
    test_two_servers_do_not_share_a_folder = None

    def setUp(self):
        test_kill.Kill.setUp(self)
        OnBrokers.setUp(self)

    def start(self):
        self.folder = self.new_folder()
        return self.start_in(self.folder)


def metrics(server):
    with urllib.request.urlopen(f"http://{server.http}/metrics", timeout=PATIENCE_S) as page:
        lines = page.read().decode().splitlines()
    return {line.split()[0]: float(line.split()[1]) for line in lines if not line.startswith("#")}


class TwoServers(OnBrokers, unittest.TestCase):
    def test_who_slept_while_another_took_the_world_is_told(self):
        first = self.start_in(self.new_folder())
        peer = first.peer()
        self.addCleanup(peer.close)
        positions, triangles = sheet(6, 6)
        peer.call("world.create", name="w")
        peer.call("body.add", world="w", kind="cloth", positions=positions, triangles=triangles, pins=[0])
        peer.call("session.hello", follow=True)
        peer.call("world.join", world="w")
        peer.call("world.play", world="w")
        first.signal(signal.SIGSTOP)
        late = peer.request("body.set", world="w", body=1, name="late")
        second = self.start_in(self.new_folder())
        with second.peer() as other:
            self.assertEqual(other.call("world.get", world="w")["state"], "playing")
            before = other.call("body.set", world="w", body=1, name="theirs")["revision"]
            first.signal(signal.SIGCONT)
            first.line("world .* is another server's now")
            changed = peer.notice("world.changed", found=lambda params: params["state"] == "moved")
            self.assertEqual(changed["address"], second.address)
            # What is asked of it when it wakes is answered, though nothing of it becomes durable.
            while late not in peer.answers:
                self.assertTrue(peer.pump(PATIENCE_S))
            self.assertRegex(str(peer.answers.pop(late)[0]), "MOVED|another server has")
            with self.assertRaises(WeftError) as caught:
                peer.call("body.set", world="w", body=1, name="ours")
            self.assertIn("MOVED", str(caught.exception))
            joined = other.call("world.join", world="w")
            self.assertEqual(joined["bodies"][0]["name"], "theirs")
            self.assertGreaterEqual(joined["revision"], before)
            told = metrics(first), metrics(second)
            self.assertEqual([one["weft_cluster_lost_total"] for one in told], [1, 0])
            self.assertEqual([one["weft_worlds_taken_over_total"] for one in told], [0, 1])
            self.assertEqual([one["weft_brokers_connected"] for one in told], [1, 1])
            for one in told:
                self.assertGreater(one["weft_durable_total"], 0)
                self.assertGreater(one["weft_durable_seconds_max"], 0)
                self.assertGreaterEqual(one["weft_durable_seconds_total"], one["weft_durable_seconds_max"])
            # Both still make worlds, whose ids are not the same.
            ours, theirs = peer.call("world.create")["world"], other.call("world.create")["world"]
            self.assertNotEqual(ours, theirs)
        self.assertEqual(first.stop(), 0)
        self.assertEqual(second.stop(), 0)

    def test_a_world_that_brokers_do_not_take_is_refused(self):
        self.broker.close()
        self.broker = brokers.Broker("W { jetstream: { max_streams: 5 }, users: [ {user: w, password: w} ] }", "w:w@")
        self.addCleanup(self.broker.close)
        server = self.start_in(self.new_folder())
        with server.peer() as peer:
            self.assertEqual(peer.call("server.info")["storage"]["kind"], "nats")
            peer.call("world.create", name="first")
            for _ in range(2):  # its name is free again
                with self.assertRaises(WeftError) as caught:
                    peer.call("world.create", name="second")
                self.assertIn("READ_ONLY: the store does not take another world", str(caught.exception))
            server.line("is kept no more: making the stream: .*maximum number of streams")
            self.assertEqual([one["name"] for one in peer.call("world.list")["worlds"]], ["first"])
            peer.call("world.set", world="first", gravity=[0, -1, 0])
        self.assertEqual(server.stop(), 0)

    def test_worlds_wait_for_brokers_and_go_on(self):
        server = self.start_in(self.new_folder())
        with server.peer() as peer:
            positions, triangles = sheet(6, 6)
            peer.call("world.create", name="w")
            peer.call("body.add", world="w", kind="cloth", positions=positions, triangles=triangles, pins=[0])
            peer.call("world.join", world="w")
            peer.call("world.play", world="w")
            self.broker.kill()
            edit = peer.request("world.set", world="w", damping=1)
            changed = peer.notice("world.changed", found=lambda params: params.get("read_only"))
            self.assertIn("cannot be reached", changed["read_only"])
            server.line("the store takes nothing")
            self.assertEqual(metrics(server)["weft_brokers_connected"], 0)
            self.assertGreater(metrics(server)["weft_brokers_waiting_bytes"], 0)
            # What nobody was answered is told as such, and no list counts it.
            for method, fields in (("world.get", {}), ("world.hash", {}), ("world.save", {}), ("body.state", {"body": 1})):
                found = peer.call(method, world="w", **fields)
                self.assertEqual((found["durable"], found["durable_revision"]), (False, 1), method)
            self.assertEqual(peer.call("world.get", world="w")["revision"], 2)
            self.assertEqual(peer.call("world.list")["worlds"][0]["revision"], 1)
            self.assertEqual(peer.call("world.history", world="w")["revision"], 1)
            self.assertEqual([one["revision"] for one in peer.call("edit.log", world="w")["edits"]], [1])
            self.assertNotIn(edit, peer.answers)
            self.broker.begin()
            peer.notice("world.changed", found=lambda params: "read_only" in params and not params["read_only"])
            server.line("the store takes more again")
            peer.call("body.set", world="w", body=1, name="after")
            peer.call("world.pause", world="w")
            told = peer.call("world.hash", world="w")
            self.assertNotIn("durable", told)
            epoch = peer.call("world.get", world="w")["epoch"]
        server.kill()
        second = self.start_in(self.new_folder())
        with second.peer() as peer:
            self.assertEqual(peer.call("world.hash", world="w"), told)
            with self.assertRaises(WeftError) as caught:
                peer.call("world.set", world="w", damping=2, if_revision=told["revision"], if_epoch=epoch)
            self.assertIn("CONFLICT: if_epoch", str(caught.exception))
            epoch = peer.call("world.get", world="w")["epoch"]
            peer.call("world.set", world="w", damping=2, if_revision=told["revision"], if_epoch=epoch)
        self.assertEqual(second.stop(), 0)

    def test_a_deleted_world_is_had_back_elsewhere(self):
        first = self.start_in(self.new_folder())
        with first.peer() as peer:
            world = peer.call("world.create", name="w")["world"]
            peer.call("world.hash", world="w")
            peer.call("world.delete", world="w")
            peer.until(lambda: peer.call("world.bin")["worlds"], "it is not in the bin")
        self.assertEqual(first.stop(), 0)
        second = self.start_in(self.new_folder())
        with second.peer() as peer:
            self.assertEqual(peer.call("world.list")["worlds"], [])
            self.assertEqual([one["world"] for one in peer.call("world.bin")["worlds"]], [world])
            self.assertEqual(peer.call("world.restore", world=world)["name"], "w")
        self.assertEqual(second.stop(), 0)
        third = self.start_in(self.new_folder())
        with third.peer() as peer:
            self.assertEqual([one["name"] for one in peer.call("world.list")["worlds"]], ["w"])
        self.assertEqual(third.stop(), 0)


class Starts(unittest.TestCase):
    """Servers and brokers that start in any order: what comes right by waiting is waited for, what does not is told at once."""

    def start(self, broker, *more, url=None, check=None):
        folder = tempfile.mkdtemp(prefix="weft-brokers-")
        self.addCleanup(shutil.rmtree, folder)
        server = Server("--data", folder, "--threads", "1", "--store", url or broker.url, "--store-check", check or broker.check,
                        *more, up=False)
        self.addCleanup(server.kill)
        return server

    def broker(self, *arguments, **named):
        broker = brokers.Broker(*arguments, **named)
        self.addCleanup(broker.close)
        return broker

    def test_three_servers_begin_before_three_brokers_that_are_new(self):
        three = brokers.Three()
        self.addCleanup(three.close)
        servers = [self.start(three, "--server-name", name) for name in "abc"]
        for server in servers:
            server.line("the brokers are waited for, for 60 s yet: no broker can be reached")
        three.begin()
        for server in servers:
            server.up(60)
            server.line("the brokers are there, after")
        for name, server in zip("abc", servers):
            with server.peer() as peer:
                peer.call("world.create", name=f"of-{name}")
        with servers[0].peer() as peer:
            peer.until(lambda: len(peer.call("world.list")["worlds"]) == 3, "worlds of all")
        self.brokers_die_amid_edits(three, *servers[:2])
        for server in servers[1:]:
            server.signal(signal.SIGTERM)
        self.assertEqual([server.wait() for server in servers[1:]], [0, 0])

    def brokers_die_amid_edits(self, three, first, second):
        """All of them at once. What was answered is there on another server, and none of the servers ended."""
        positions, triangles = sheet(100, 100)
        with first.peer() as peer:
            sent = [peer.request("body.add", world="of-a", kind="cloth", positions=positions, triangles=triangles)
                    for _ in range(8)]
            made = {peer.answer(sent.pop(0))["body"]}
            three.kill()
            three.begin()
            for request in sent:
                try:
                    made.add(peer.answer(request, 60)["body"])
                except WeftError as error:
                    self.assertEqual(error.code, "READ_ONLY")
            made.add(self.soon(peer, "body.add", kind="cloth", positions=positions, triangles=triangles)["body"])
            told = peer.call("world.hash", world="of-a")
        first.kill()
        with second.peer() as peer:
            self.assertEqual(self.soon(peer, "world.hash"), told)
            self.assertLessEqual(made, {body["body"] for body in peer.call("world.join", world="of-a")["bodies"]})

    def soon(self, peer, method, **fields):
        """Brokers elect a leader, or servers agree which of them has the world."""
        deadline = time.monotonic() + 60
        while True:
            try:
                return peer.call(method, world="of-a", **fields)
            except WeftError as error:
                if error.code not in ("READ_ONLY", "BUSY", "NOT_FOUND", "INTERNAL") or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def test_a_signal_ends_who_waits_at_once(self):
        broker = self.broker(up=False)
        for number in signal.SIGTERM, signal.SIGINT:
            server = self.start(broker)
            server.line("the brokers are waited for")
            server.signal(number)
            self.assertEqual(server.wait(), 0)

    def test_what_waiting_does_not_mend_is_told_at_once(self):
        accounts = self.broker("W { users: [ {user: w, password: w} ] }")
        of = f"127.0.0.1:{accounts.port}"
        plain = self.broker()
        dead = self.broker(up=False)
        cases = [
            (self.start(accounts, url=f"nats://w:bad@{of}"), "no broker can be reached: Authentication Violation"),
            (self.start(accounts, url=f"nats://w:bad@127.0.0.1:{dead.port},{of}"), "Authentication Violation"),
            (self.start(accounts, url=f"nats://w:w@{of}"), "JetStream not enabled for account"),
            (self.start(plain, check=f"nats://sys:bad@127.0.0.1:{plain.port}"), "asking brokers whether they sync: Authentication Violation"),
            (self.start(plain, check=plain.url), "a user of the system account"),
            (self.start(plain, url=f"{plain.url},127.0.0.1:{plain.port},127.0.0.1:{plain.port}", check="none"), "replicas > 1 not supported"),
            (self.start(self.broker(jetstream=False)), "the broker has no JetStream"),
        ]
        for server, word in cases:
            with self.subTest(word=word):
                self.assertEqual(server.wait(), 1)
                server.reader.join(5)
                told = "\n".join(server.lines)
                self.assertIn(word, told)
                self.assertNotIn("waited for", told)


class Secured(OnBrokers, unittest.TestCase):
    """Brokers that speak TLS and ask for credentials."""

    def setUp(self):
        self.folders = []
        self.authority = tls_files.Authority()
        self.addCleanup(self.authority.close)
        self.keys = nkeys.Deployment(self.authority.folder)
        self.broker = brokers.Broker(tls=self.authority.issue("broker"), identity=self.keys.config)
        self.addCleanup(self.broker.close)

    def refused(self, *more):
        with self.assertRaises(AssertionError) as caught:
            self.start_in(self.new_folder(), *more)
        return str(caught.exception)

    def test_brokers_are_known_by_certificates_and_servers_by_credentials(self):
        known = ["--store-ca", self.authority.ca]
        who = ["--store-creds", self.keys.user, "--store-check-creds", self.keys.system]
        server = self.start_in(self.new_folder(), *known, *who)
        with server.peer() as peer:
            peer.call("world.create", name="w")
            peer.call("world.set", world="w", gravity=[0, -1, 0])
        self.assertEqual(server.stop(), 0)
        second = self.start_in(self.new_folder(), *known, *who)
        with second.peer() as peer:
            self.assertEqual(peer.call("world.get", world="w")["gravity"], [0, -1, 0])
        self.assertEqual(second.stop(), 0)
        # Who vouches for the broker is not known, or it is another's certificate; who asks is nobody, or not of the system.
        with tls_files.Authority() as other:
            self.assertIn("no broker can be reached", self.refused("--store-ca", other.ca, *who))
        self.assertIn("no broker can be reached", self.refused(*known))
        self.assertIn("system account", self.refused(*known, "--store-creds", self.keys.user, "--store-check-creds",
                                                     self.keys.user))
        self.assertIn("no broker can be reached", self.refused(*known, "--store-creds", self.authority.ca))
        cert = self.authority.issue("elsewhere", alternatives="DNS:elsewhere.example")
        self.broker.close()
        self.broker = brokers.Broker(tls=cert, identity=self.keys.config)
        self.addCleanup(self.broker.close)
        self.assertIn("no broker can be reached", self.refused(*known, *who))
        # What is not encrypted is not taken for what is.
        self.broker.close()
        self.broker = brokers.Broker(identity=self.keys.config)
        self.addCleanup(self.broker.close)
        self.broker.url = self.broker.url.replace("nats://", "tls://")
        self.assertIn("no broker can be reached", self.refused(*known, *who))


    def test_brokers_know_servers_by_certificates(self):
        self.broker.close()
        cert = self.authority.issue("broker-2")
        self.broker = brokers.Broker(tls=(*cert, self.authority.ca))
        self.addCleanup(self.broker.close)
        known, own = ["--store-ca", self.authority.ca], self.authority.issue("weftd")
        server = self.start_in(self.new_folder(), *known, "--store-cert", own[0], "--store-key", own[1])
        with server.peer() as peer:
            peer.call("world.create", name="w")
            peer.call("server.list")
        self.assertEqual(server.stop(), 0)
        self.assertIn("no broker can be reached: Protocol Error: it asks for a certificate, which --store-cert", self.refused(*known))
        with tls_files.Authority() as other:
            foreign = other.issue("weftd")
            self.assertIn("it does not take the certificate of --store-cert",
                          self.refused(*known, "--store-cert", foreign[0], "--store-key", foreign[1]))
            self.assertRegex(self.refused(*known, "--store-cert", own[0], "--store-key", foreign[1]),
                             "--store-cert .*, --store-key .*: they are no certificate and its key")
        self.assertIn(f"--store-ca {own[1]}: it has no certificates", self.refused("--store-ca", own[1]))


if __name__ == "__main__":
    if not brokers.program():
        print("there is no nats-server: scripts/nats-server.sh has one, WEFT_NATS_SERVER names it", file=sys.stderr)
        sys.exit(77)
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parsed, rest = parser.parse_known_args()
    Deaths.rounds = parsed.rounds
    sys.argv[1:] = rest
    beside.main(10)
