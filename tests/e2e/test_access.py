"""Who may do what: every method for every role on both ways in, and what becomes of those who lose what they had."""

import os
import re
import ssl
import subprocess
import time
import unittest

import msgpack
from access_peer import AccessTest, make_token
from weft_peer import PATIENCE_S, Server, WeftError, sheet


class Matrix(AccessTest):
    RANKS = ("anyone", "viewer", "editor", "owner", "admin")
    # Not by what the server says of itself, for those on which most depends.
    ROLES = {"session.hello": "anyone", "access.accept": "anyone", "world.get": "viewer", "world.join": "viewer",
             "world.save": "viewer", "stream.subscribe": "viewer", "world.seek": "viewer", "edit.log": "viewer",
             "body.add": "editor", "world.play": "editor", "world.set": "editor", "grab.begin": "editor",
             "world.branch": "editor", "edit.restore": "editor", "world.delete": "owner", "world.restore": "owner",
             "access.grant": "owner", "access.revoke": "owner", "access.invite": "owner", "access.set": "owner",
             "token.create": "admin", "token.list": "admin", "token.revoke": "admin"}
    MAKERS = ("world.create", "world.open", "world.branch")

    def outcome(self, peer, method, world):
        """Whether a call passes the check: what does is refused for a field that there is none of."""
        fields = {"no_such_field": 1}
        if any(one["name"] == "world" for one in method["params"]):
            fields["world"] = world
        if any(one["name"] == "stream" for one in method["params"]):
            fields["stream"] = 1
        try:
            peer.call(method["name"], **fields)
        except WeftError as error:
            if error.code == "INVALID" or (error.code == "NOT_FOUND" and "stream" in error.text):
                return "passes"
            if error.code in ("NOT_FOUND", "DENIED"):
                return error.code
            return str(error)
        return "passes"

    def expected(self, method, world, server_role, world_role):
        """server_role None: no token. world_role None: none."""
        rank = self.RANKS.index
        needed = method["role"]
        if needed == "anyone":
            return "passes"
        if server_role is None:
            return "DENIED"
        if server_role == "admin":
            return "passes"
        named = any(one["name"] == "world" for one in method["params"])
        if method["name"] == "world.restore" and isinstance(world, str):
            return "passes"  # it takes ids alone, and no name is looked for
        if method["name"] in self.MAKERS and rank(server_role) < rank("editor"):
            return "DENIED"
        if named:
            if world_role is None:
                return "NOT_FOUND"
            return "passes" if rank(world_role) >= rank(needed) else "DENIED"
        if any(one["name"] == "stream" for one in method["params"]):
            return "passes"
        return "passes" if rank(server_role) >= rank(needed) else "DENIED"

    def test_every_role_on_every_method_over_both_ways(self):
        admin = self.peer(self.token)
        methods = admin.call("server.info")["methods"]
        roles = {method["name"]: method["role"] for method in methods}
        for name, role in self.ROLES.items():
            self.assertEqual(roles[name], role, name)
        owner = self.person(admin, "owner")
        with self.peer(owner) as peer:
            world = peer.call("world.create", name="ours")["world"]
            for name in ("viewer", "editor", "owner"):
                peer.call("access.grant", world=world, user="a " + name, role=name)
        people = {"nobody": (None, None), "stranger": ("editor", None), "guest": ("viewer", None),
                  "a viewer": ("editor", "viewer"), "a editor": ("editor", "editor"), "a owner": ("editor", "owner"),
                  "owner": ("editor", "owner"), "root": ("admin", "owner")}
        tokens = {name: self.person(admin, name, role) for name, (role, _) in people.items()
                  if name not in ("nobody", "owner", "root")}
        tokens.update(owner=owner, root=self.token)
        for web in (False, True):
            for name, (server_role, world_role) in people.items():
                peer = self.peer(tokens.get(name), web=web)
                for method in methods:
                    if server_role is None and method["role"] == "anyone":
                        continue  # a wrong one of these ends the connection, below
                    if server_role is None:  # a connection that shows no token ends after a while (hello_ms)
                        peer.close()
                        peer = self.peer(web=web)
                    for known in (world, "ours"):
                        with self.subTest(web=web, person=name, method=method["name"], world=known):
                            self.assertEqual(self.outcome(peer, method, known),
                                             self.expected(method, known, server_role, world_role))
                peer.close()
        # As what is not there: word for word.
        stranger = self.peer(tokens["stranger"])
        texts = [str(self.refused("NOT_FOUND", stranger, "world.get", world=name)).replace(name, "X")
                 for name in ("ours", "none")]
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(stranger.call("world.list")["worlds"], [])
        self.assertEqual([one["name"] for one in self.peer(tokens["a viewer"]).call("world.list")["worlds"]], ["ours"])

    def test_what_is_hidden_answers_as_what_is_absent(self):
        """Every method, by id, by name, and by the id of a view; and of a world in the bin."""
        admin = self.peer(self.token)
        ada, eve = (self.peer(self.person(admin, name)) for name in ("Ada", "Eve"))
        world = ada.call("world.create", name="ours")["world"]
        shared = ada.call("world.create", name="shared")["world"]
        gone = ada.call("world.create", name="gone")["world"]
        ada.call("access.grant", world=shared, user="Eve", role="viewer")
        views = [ada.call("world.seek", world=of, tick=0)["view"] for of in (world, shared)]
        ada.call("world.delete", world=gone)
        ada.until(lambda: ada.call("world.bin")["worlds"], "the deleted world")

        def answer(method, name, **fields):
            try:
                return eve.call(method, world=name, **fields)
            except WeftError as error:
                return {**error.error, **{key: re.sub(rf"\b{name}\b", "X", str(error.error[key])) for key in ("text", "value")}}

        for method in admin.call("server.info")["methods"]:
            if not any(one["name"] == "world" for one in method["params"]):
                continue
            for hidden, absent in ((world, 900000001), ("ours", "absent"), (gone, 900000001), ("gone", "absent"),
                                   (views[0], 900000001), (views[1], 900000001)):
                for fields in ({}, {"no_such_field": 1}):
                    with self.subTest(method=method["name"], world=hidden, fields=fields):
                        self.assertEqual(answer(method["name"], hidden, **fields), answer(method["name"], absent, **fields))

    def test_a_guest_edits_where_they_may_and_makes_nothing(self):
        admin = self.peer(self.token)
        world = admin.call("world.create", name="ours")["world"]
        guest = self.peer(self.person(admin, "Grace", "viewer"))
        admin.call("access.grant", world="ours", user="Grace", role="editor")
        positions, triangles = sheet(3, 3)
        guest.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles)
        for method in ("world.create", "world.open"):
            self.refused("DENIED", guest, method, name="mine")
        self.refused("DENIED", guest, "world.branch", world=world, tick=0)
        self.refused("DENIED", guest, "world.delete", world=world)
        # Everybody who has a token
        self.refused("NOT_FOUND", self.peer(self.person(admin, "Joan")), "world.get", world=world)
        admin.call("access.grant", world="ours", user="*", role="viewer")
        joan = self.peer(self.person(admin, "Joan"))
        joan.call("world.get", world=world)
        self.refused("DENIED", joan, "world.set", world=world, damping=1)

    def test_views_bins_streams_and_names_follow(self):
        admin = self.peer(self.token)
        ada, bob = (self.peer(self.person(admin, name)) for name in ("Ada", "Bob"))
        world = ada.call("world.create", name="ours")["world"]
        ada.call("world.step", world=world, ticks=3)
        view = ada.call("world.seek", world=world, tick=1)["view"]
        stream = ada.call("stream.subscribe", world=world)["stream"]
        for method, fields in (("world.get", {"world": view}), ("world.seek", {"world": world, "tick": 1}),
                               ("world.history", {"world": world}), ("edit.log", {"world": view}),
                               ("stream.subscribe", {"world": view}), ("world.leave", {"world": view}),
                               ("stream.set", {"stream": stream, "every": 2}), ("access.list", {"world": world}),
                               ("world.control", {"world": world})):
            with self.subTest(method=method):
                self.refused("NOT_FOUND", bob, method, **fields)
        # Names are one list for all: that one is taken is told, and nothing else.
        for name in ("ours", "Ours", "ours\u200b", "\u043eurs"):
            self.refused("CONFLICT", bob, "world.create", name=name)
        bobs = bob.call("world.create", name="Bob's")["world"]
        self.refused("CONFLICT", bob, "world.set", world=bobs, name="0urs")
        bob.call("world.set", world=bobs, name="bob's")
        ada.call("world.delete", world=world)
        ada.until(lambda: [one["world"] for one in ada.call("world.bin")["worlds"]] == [world], "the deleted world")
        self.assertEqual(bob.call("world.bin")["worlds"], [])
        hidden = self.refused("NOT_FOUND", bob, "world.restore", world=world)
        absent = self.refused("NOT_FOUND", bob, "world.restore", world=world + 1000)
        self.assertEqual(hidden.text.replace(str(world), "N", 1), absent.text.replace(str(world + 1000), "N", 1))
        self.assertEqual(ada.call("world.restore", world=world)["world"], world)

    def test_roles_and_tokens_are_there_after_a_restart(self):
        admin = self.peer(self.token)
        token = self.person(admin, "Ada")
        ada = self.peer(token)
        world = ada.call("world.create", name="ours")["world"]
        ada.call("access.grant", world=world, user="Bob", role="viewer")
        ada.call("access.set", world=world, control="owner")
        with open(os.path.join(self.data, "access"), encoding="utf-8") as file:
            text = file.read()
        self.assertNotIn(token, text)
        self.assertNotIn(self.token, text)
        self.assertEqual(os.stat(os.path.join(self.data, "access")).st_mode & 0o777, 0o600)
        self.server.kill()
        self.start()
        ada = self.peer(token)
        told = ada.call("access.list", world="ours")
        self.assertEqual({one["user"]: one["role"] for one in told["people"]}, {"Ada": "owner", "Bob": "viewer"})
        self.assertEqual(told["control"], "owner")


class Hello(AccessTest):
    def test_before_a_token_nothing(self):
        begun = time.monotonic()
        peers = [self.peer(web=web) for web in (False, True)]
        for peer in peers:
            for method in ("server.info", "server.ping", "world.list", "no.such_method"):
                error = self.refused("DENIED", peer, method)
                self.assertIn("token", error.text)
            self.refused("DENIED", peer, "session.hello", user="root")
        # That goes on for two seconds, and 64 KiB.
        silent, dripping = self.peer(), self.peer()
        dripping.send_raw(msgpack.packb([0, 1, "session.hello", [{"token": self.token}]])[:20])
        for peer in (*peers, silent, dripping):
            self.assertIn("hello_ms", self.ends(peer))
        self.assertGreaterEqual(time.monotonic() - begun, 1.9)  # never earlier; how much later is the machine's affair
        large = self.peer()
        large.send_raw(msgpack.packb([0, 1, "session.hello", [{"token": "x" * 70000}]]))
        self.assertIn("hello_bytes = 65536", self.ends(large))
        # and afterwards as much as ever
        peer = self.peer(self.token)
        self.refused("LIMIT", peer, "session.hello", client="x" * 200000)  # a name
        self.assertTrue(peer.call("server.ping"))

    def test_who_guesses_waits_and_nobody_else(self):
        for number, wrong in enumerate(("x", "weft_" + "A" * 44, self.token[:-1] + ("A" if self.token[-1] != "A" else "B")), 2):
            peer = self.peer(source=f"127.0.0.{number}")
            with self.assertRaises(WeftError) as caught:
                peer.call("session.hello", token=wrong)
            self.assertEqual(caught.exception.code, "DENIED")
            peer.expect_end()
        # Each guess from one address waits twice as long as the one before, up to 4 s: at last for so long that somebody who
        # says a token behind it, from the same address, has an answer before.
        for guess in range(5):
            waiting = self.peer()
            begun = time.monotonic()
            denied = waiting.request("session.hello", token="x")
            asked = waiting.request("server.info")
            self.peer(self.token)
            waiting.socket.setblocking(False)
            try:
                waits = waiting.socket.recv(1) == b"never"
            except (BlockingIOError, ssl.SSLWantReadError):
                waits = True
            waiting.socket.setblocking(True)
            if waits:
                break
        self.assertTrue(waits, "somebody else had to wait because of a person who guesses")
        waiting.expect_end()
        self.assertGreaterEqual(time.monotonic() - begun, 0.2 * 2**guess)
        self.assertEqual(waiting.answers[denied][0][1].partition(":")[0], "DENIED")
        self.assertNotIn(asked, waiting.answers)
        self.audited(lambda line: line["what"] == "hello" and line["outcome"] == "DENIED", "refused hello")
        with open(self.audit, encoding="utf-8") as file:
            self.assertNotIn(self.token, file.read())

    def test_a_name_is_the_tokens(self):
        admin = self.peer(self.token)
        ada = self.peer(self.person(admin, "Ada"), user="root")
        told = ada.call("session.hello", user="Bob")
        self.assertEqual((told["user"], told["role"], told["tokens"]), ("Ada", "editor", True))
        world = ada.call("world.create", name="ours")["world"]
        watcher = self.peer(self.token)
        watcher.call("world.join", world=world)
        ada.call("world.set", world=world, damping=1)
        self.assertEqual(watcher.notice("world.edited")["user"], "Ada")
        self.assertEqual([one["user"] for one in ada.call("edit.log", world=world)["edits"]], ["Ada"])
        other = self.person(admin, "Bob")
        self.refused("DENIED", ada, "session.hello", token=other)
        # Nor does one show it.
        ada.call("world.join", world=world)
        for name in ("root", "r\u043eot", "BOB"):
            self.refused("CONFLICT", ada, "presence.set", world=world, name=name)
        for name in ("Ada", "ADA", "Ada L.", ""):
            ada.call("presence.set", world=world, name=name)

    def test_a_token_made_beside_a_running_server(self):
        token = make_token(self.data, "second")
        self.assertEqual(self.peer(token).call("session.hello")["user"], "second")

    def test_without_tokens_as_ever(self):
        with_none = Server("--threads", "1")
        try:
            peer = with_none.peer()
            told = peer.call("session.hello", token="whatever", user="Ada")
            self.assertEqual((told["user"], told["role"], told["tokens"]), ("Ada", "admin", False))
            self.refused("CONFLICT", peer, "token.list")
            peer.call("world.create", name="w")
            self.assertEqual(peer.call("access.list", world="w")["role"], "owner")
            peer.close()
        finally:
            self.assertEqual(with_none.stop(), 0)

    def test_other_addresses_need_more(self):
        for more, word in (((), "--tokens"), (("--tokens", "--data", self.data), "TLS")):
            done = subprocess.run([os.environ["WEFTD"], "--listen", "0.0.0.0:0", "--http", "none", *more],
                                  capture_output=True, text=True, timeout=PATIENCE_S)
            self.assertEqual(done.returncode, 2)
            self.assertIn(word, done.stderr)
            self.assertIn("--insecure", done.stderr)


class Losing(AccessTest):
    def test_a_revoked_token_ends_its_sessions_at_once(self):
        admin = self.peer(self.token)
        token = self.person(admin, "Ada")
        ada, web, bob = self.peer(token), self.peer(token, web=True), self.peer(self.person(admin, "Bob"))
        world = ada.call("world.create", name="ours")["world"]
        positions, triangles = sheet(4, 4)
        body = ada.call("body.add", world=world, kind="cloth", positions=positions, triangles=triangles)["body"]
        ada.call("grab.begin", world=world, body=body, particle=0, target=[0, 1, 0])
        web.call("stream.subscribe", world=world)
        found = next(one for one in admin.call("token.list")["tokens"] if one["user"] == "Ada")
        self.assertEqual(found["sessions"], 2)
        self.assertEqual(admin.call("token.revoke", id=found["id"])["revoked"], 1)
        for peer in (ada, web):
            self.assertIn("revoked", self.ends(peer))
        admin.until(lambda: admin.call("world.get", world=world)["grabs"] == 0, "the end of its grab")
        self.assertEqual(admin.call("world.get", world=world)["streams"], 0)
        with self.assertRaises(WeftError):
            self.peer().call("session.hello", token=token)
        bob.call("server.ping")
        self.refused("NOT_FOUND", admin, "token.revoke", id=found["id"])

    def test_a_token_that_expires_ends_its_session(self):
        admin = self.peer(self.token)
        ada = self.short(lambda seconds: self.person(admin, "Ada", seconds=seconds), self.peer)
        self.assertIn("expired", self.ends(ada))

    def test_a_role_that_is_taken_back_ends_what_it_gave(self):
        admin = self.peer(self.token)
        token = self.person(admin, "Ada")
        world = admin.call("world.create", name="ours")["world"]
        admin.call("access.grant", world=world, user="Ada", role="editor")
        watching, elsewhere = self.peer(token), self.peer(token)
        watching.call("world.join", world=world)
        watching.call("stream.subscribe", world=world)
        elsewhere.call("world.list")
        admin.call("access.grant", world=world, user="Ada", role="owner")
        watching.call("world.set", world=world, damping=1)
        admin.call("access.grant", world=world, user="Ada", role="viewer")
        self.assertIn("role", self.ends(watching))
        viewing = self.peer(token)
        view = viewing.call("world.seek", world=world, tick=0)["view"]
        viewing.call("world.get", world=view)
        admin.call("access.revoke", world=world, user="Ada")
        self.assertIn("role", self.ends(viewing))
        self.refused("NOT_FOUND", elsewhere, "world.get", world=world)
        self.refused("NOT_FOUND", admin, "access.revoke", world=world, user="Nobody")


class Away(AccessTest):
    """Sessions whose connection is lost, where tokens say whose they are."""

    ARGUMENTS = ("--person-messages", "0", "--person-edits", "0")

    def setUp(self):
        super().setUp()
        self.admin = self.peer(self.token)
        self.world = self.admin.call("world.create", name="ours")["world"]
        self.admin.call("world.join", world=self.world)
        self.ada = self.person(self.admin, "Ada")
        self.admin.call("access.grant", world=self.world, user="Ada", role="editor")

    def lose(self, token, join=True):
        """What the hello of a session answered whose connection is lost."""
        peer = self.peer()
        told = peer.call("session.hello", token=token, errors="map")
        if join:
            peer.call("world.join", world=self.world)
        peer.close()
        self.audited(lambda line: line["what"] == "away" and line["session"] == told["session"], "lost connection")
        return told

    def again(self, token, key, **more):
        peer = self.peer()
        return peer, peer.call("session.hello", token=token, errors="map", resume=key, revisions={self.world: 0}, **more)

    def silent(self, peer):
        peer.call("server.ping")
        self.assertEqual([one.method for one in peer.notices], [])

    def test_a_key_is_good_with_its_token_only(self):
        told = self.lose(self.ada)
        self.admin.call("world.set", world=self.world, damping=1)
        self.admin.call("access.grant", world=self.world, user="Eve", role="viewer")
        eve, stolen = self.again(self.person(self.admin, "Eve"), told["resume"], unanswered=[1, 2, 3])
        self.assertFalse(stolen["resumed"])
        self.assertEqual((stolen["user"], list(stolen["lost"]), list(stolen["rejoin"])), ("Eve", [], []))
        self.assertNotEqual(stolen["session"], told["session"])
        self.silent(eve)
        line = self.audited(lambda one: one["what"] == "resume" and one["outcome"] == "DENIED", "stolen key")[0]
        self.assertEqual(line["user"], "Eve")
        nobody = self.peer()
        self.refused("DENIED", nobody, "session.hello", resume=told["resume"])
        self.refused("DENIED", nobody, "server.ping")
        large = self.peer()
        large.request("session.hello", resume=told["resume"], token="x" * 70000)
        self.assertIn("hello_bytes", self.ends(large))
        ada, mine = self.again(self.ada, told["resume"])
        self.assertTrue(mine["resumed"])
        self.assertEqual(mine["session"], told["session"])
        self.assertEqual(ada.notice("world.edited")["revision"], 1)
        self.audited(lambda one: one["what"] == "resume" and one["outcome"] == "ok" and
                     one["session"] == told["session"] and one["address"], "session that goes on")

    def test_a_token_that_ends_while_away_ends_the_session(self):
        other = self.lose(self.ada)
        expired = self.short(lambda seconds: self.person(self.admin, "Ada", seconds=seconds), self.lose)
        first = min(one["id"] for one in self.admin.call("token.list")["tokens"] if one["user"] == "Ada")
        self.admin.call("token.revoke", id=first)
        fresh = self.person(self.admin, "Ada")
        self.audited(lambda one: one["what"] == "cut" and one["session"] == expired["session"], "expired session")
        for told in (other, expired):
            peer, second = self.again(fresh, told["resume"])
            self.assertFalse(second["resumed"])
            self.silent(peer)
        gone = {self.admin.notice("world.presence", found=lambda one: one.get("gone"))["session"] for _ in range(2)}
        self.assertEqual(gone, {other["session"], expired["session"]})

    def test_a_role_that_is_lost_while_away_ends_all_sessions_that_had_it(self):
        """More of them than there are connections."""
        lost = [self.lose(self.ada) for _ in range(8)]
        self.admin.call("presence.say", world=self.world, text="before")
        self.admin.call("access.revoke", world=self.world, user="Ada")
        self.admin.call("presence.say", world=self.world, text="behind the back")
        for told in lost:
            peer, second = self.again(self.ada, told["resume"])
            self.assertFalse(second["resumed"])
            self.silent(peer)
            peer.close()

    def test_what_was_said_before_one_came_is_not_told(self):
        self.admin.call("world.set", world=self.world, damping=1)
        self.admin.call("presence.say", world=self.world, text="of others")
        told = self.lose(self.ada)
        self.admin.call("presence.say", world=self.world, text="to all")
        peer, second = self.again(self.ada, told["resume"])
        self.assertTrue(second["resumed"])
        peer.call("server.ping")
        self.assertEqual([one.params["text"] for one in peer.notices if one.method == "world.said"], ["to all"])
        self.assertEqual([one.method for one in peer.notices if one.method == "world.edited"], [])

    def test_who_is_away_holds_control_until_their_session_ends(self):
        self.admin.call("access.grant", world=self.world, user="Bob", role="editor")
        bob = self.peer(self.person(self.admin, "Bob"))
        bob.call("world.join", world=self.world)
        peer = self.peer()
        told = peer.call("session.hello", token=self.ada, errors="map")
        peer.call("world.join", world=self.world)
        peer.call("world.control", world=self.world, action="take")
        peer.close()
        self.audited(lambda line: line["what"] == "away" and line["session"] == told["session"], "lost connection")
        self.refused("DENIED", bob, "world.control", world=self.world, action="take")
        self.admin.call("token.revoke", user="Ada")
        bob.notice("world.controlled", found=lambda one: one["session"] == told["session"])
        bob.notice("world.controlled", found=lambda one: one["session"] == 0)
        bob.call("world.control", world=self.world, action="take")


class Inviting(AccessTest):
    def test_an_invitation_makes_a_person_with_a_role_in_one_world(self):
        admin = self.peer(self.token)
        ada = self.peer(self.person(admin, "Ada"))
        world = ada.call("world.create", name="ours")["world"]
        ada.call("world.create", name="mine")
        invited = ada.call("access.invite", world=world, role="editor", uses=2)
        self.assertEqual([(one["id"], one["uses"], one["user"]) for one in ada.call("access.list", world=world)["invites"]],
                         [(invited["id"], 2, "Ada")])
        grace = self.peer(web=True)
        for name in ("Ada", "ada", "Ada\u200b", "\u0410da"):
            self.refused("CONFLICT", grace, "access.accept", invite=invited["invite"], user=name)
        self.refused("CONFLICT", ada, "access.grant", world=world, user="AdA")
        self.assertIn('"Ada"', self.refused("CONFLICT", admin, "token.create", user="Ada ").text)
        told = grace.call("access.accept", invite=invited["invite"], user="Grace")
        self.assertEqual((told["world"], told["name"], told["role"], told["user"]), (world, "ours", "editor", "Grace"))
        self.assertEqual([one["name"] for one in grace.call("world.list")["worlds"]], ["ours"])
        grace.call("world.set", world=world, damping=1)
        self.refused("DENIED", grace, "access.invite", world=world)
        self.assertEqual(grace.call("access.list", world=world)["invites"], [])
        self.refused("DENIED", grace, "world.create", name="more")
        # Again with the token that it gave; and by somebody who is a person already.
        self.assertEqual(self.peer(told["token"]).call("session.hello")["user"], "Grace")
        bob = self.peer(self.person(admin, "Bob"))
        self.assertEqual(bob.call("access.accept", invite=invited["invite"], user="Mallory")["token"], "")
        self.assertEqual(bob.call("access.list", world=world)["role"], "editor")
        # It is used up.
        with self.assertRaises(WeftError) as caught:
            self.peer().call("access.accept", invite=invited["invite"], user="Eve")
        self.assertEqual(caught.exception.code, "DENIED")

    def test_invitations_expire_and_are_revoked_and_are_no_tokens(self):
        admin = self.peer(self.token)
        world = admin.call("world.create", name="ours")["world"]

        def over(made):
            admin.until(lambda: time.time() >= made["expires_at"] + 1, "the second after it")

        # Each from an address of its own, because every wrong token makes the next wait longer.
        sources = (f"127.0.0.{number}" for number in range(2, 9))
        for make, kill in (({"seconds": 1}, over),
                           ({}, lambda made: admin.call("access.revoke", world=world, invite=made["id"]))):
            made = admin.call("access.invite", world=world, **make)
            kill(made)
            with self.assertRaises(WeftError) as caught:
                self.peer(source=next(sources)).call("access.accept", invite=made["invite"], user="Eve")
            self.assertEqual(caught.exception.code, "DENIED")
        made = admin.call("access.invite", world=world)
        for wrong in (made["invite"], made["invite"].replace("weftinvite_", "weft_")):
            with self.assertRaises(WeftError):
                self.peer(source=next(sources)).call("session.hello", token=wrong)


    def accepts(self, invited, user="Eve"):
        """Whether an invitation still lets somebody in."""
        try:
            return self.peer().call("access.accept", invite=invited["invite"], user=user)["user"] == user
        except WeftError as error:
            self.assertEqual(error.code, "DENIED")
            return False

    def test_nobody_comes_back_by_an_own_invitation(self):
        admin = self.peer(self.token)
        worlds = [admin.call("world.create", name=name)["world"] for name in ("one", "two")]
        for world in worlds:
            admin.call("access.grant", world=world, user="Ada", role="owner")
        token = self.person(admin, "Ada")
        ada = self.peer(token)
        look, change, other = (ada.call("access.invite", world=world, role=role, uses=9)
                               for world, role in ((worlds[0], "viewer"), (worlds[0], "editor"), (worlds[1], "owner")))
        mine = admin.call("access.invite", world=worlds[0], uses=9)
        self.assertTrue(self.accepts(look, "Grace"))
        # With a lesser role only what gives more than that.
        ended = admin.call("access.grant", world=worlds[0], user="Ada", role="viewer")["invites"]
        self.assertEqual([(one["id"], one["world"], one["user"]) for one in ended], [(change["id"], worlds[0], "Ada")])
        # Left where it is asked for, and ended later by the name of somebody who has no role any more.
        told = admin.call("access.revoke", world=worlds[0], user="Ada", keep_invites=True)
        self.assertEqual(list(told["invites"]), [])
        self.assertEqual([(one["user"], one["role"]) for one in told["given"]], [("Grace", "viewer")])
        self.assertTrue(self.accepts(look, "Joan"))
        told = admin.call("access.revoke", world=worlds[0], user="Ada")
        self.assertEqual([one["id"] for one in told["invites"]], [look["id"]])
        self.assertEqual([one["id"] for one in admin.call("access.list", world=worlds[0])["invites"]], [mine["id"]])
        self.assertFalse(self.accepts(look))
        self.refused("NOT_FOUND", admin, "access.revoke", world=worlds[0], user="Ada")
        # A token: those into all worlds.
        told = admin.call("token.revoke", user="Ada")
        self.assertEqual([(one["id"], one["world"]) for one in told["invites"]], [(other["id"], worlds[1])])
        self.assertEqual({one["user"] for one in told["given"]}, {"Grace", "Joan"})
        self.assertEqual(list(admin.call("access.list", world=worlds[1])["invites"]), [])
        self.assertTrue(self.accepts(mine))
        # It stays so after a restart; and no invitation lasts longer than the token that it was made with.
        short = self.peer(self.person(admin, "Bob", seconds=1000))
        world = short.call("world.create", name="short")["world"]
        self.assertLess(short.call("access.invite", world=world)["expires_at"], time.time() + 1001)
        self.server.kill()
        self.start()
        self.assertFalse(self.accepts(other))
        self.assertTrue(self.accepts(mine, "Zoe"))


class Control(AccessTest):
    def test_one_holds_it_and_others_ask(self):
        admin = self.peer(self.token)
        ada, bob, eve = (self.peer(self.person(admin, name)) for name in ("Ada", "Bob", "Eve"))
        world = ada.call("world.create", name="ours")["world"]
        ada.call("access.grant", world=world, user="Bob", role="editor")
        ada.call("access.grant", world=world, user="Eve", role="viewer")
        for peer in (ada, bob, eve):
            peer.call("world.join", world=world)
        bob.call("world.play", world=world)
        told = bob.call("world.control", world=world, action="take")
        self.assertEqual(told["user"], "Bob")
        self.assertEqual(ada.notice("world.controlled")["user"], "Bob")
        for method in ("world.play", "world.pause", "world.reset", "world.step"):
            self.assertIn("Bob", self.refused("DENIED", ada, method, world=world).text)
        self.refused("DENIED", eve, "world.control", world=world, action="take")
        eve.call("world.control", world=world, action="ask")
        self.assertEqual(bob.notice("world.controlled", found=lambda one: "asking" in one)["asking_user"], "Eve")
        bob.call("world.pause", world=world)
        # An owner takes it all the same; and it ends with its session.
        self.assertEqual(ada.call("world.control", world=world, action="take")["user"], "Ada")
        self.refused("DENIED", bob, "world.control", world=world, action="take")
        mine = ada.call("session.hello")["session"]
        ada.call("session.leave")
        ada.close()
        bob.notice("world.controlled", found=lambda one: one["session"] == 0)
        self.assertNotEqual(bob.call("world.control", world=world)["session"], mine)
        bob.call("world.step", world=world, ticks=1)

    def test_a_reset_is_no_less_one_in_a_batch_or_taken_back(self):
        admin = self.peer(self.token)
        ada, bob = (self.peer(self.person(admin, name)) for name in ("Ada", "Bob"))
        world = ada.call("world.create", name="ours")["world"]
        ada.call("access.grant", world=world, user="Bob", role="editor")
        ada.call("body.add", world=world, kind="points", positions=[0, 0, 0], masses=[1])
        ada.call("world.step", world=world, ticks=5)
        batch = [["world.reset", {}], ["world.set", {"damping": 1}]]
        resets = [bob.call("world.reset", world=world)["revision"],
                  bob.call("edit.batch", world=world, edits=batch)["revision"]]
        ada.call("world.control", world=world, action="take")
        before = bob.call("world.hash", world=world)["hash"]
        self.refused("DENIED", bob, "edit.batch", world=world, edits=batch[::-1])
        self.refused("DENIED", bob, "edit.undo", world=world)
        for reset in resets:
            self.refused("DENIED", bob, "edit.undo", world=world, revision=reset, force=True)
        self.assertEqual(bob.call("world.hash", world=world)["hash"], before)
        mine = ada.call("edit.undo", world=world, revision=resets[1], force=True)["undone"]
        self.assertEqual((mine["user"], mine["method"]), ("Bob", "edit.batch"))
        self.refused("DENIED", bob, "edit.redo", world=world, revision=resets[1], force=True)
        # All else goes on as ever, and so does this once nobody holds it.
        bob.call("world.set", world=world, damping=2)
        bob.call("edit.undo", world=world)
        ada.call("world.control", world=world, action="release")
        bob.call("edit.redo", world=world, revision=resets[1], force=True)
        ada.call("access.set", world=world, control="owner")
        self.refused("DENIED", bob, "edit.undo", world=world, revision=resets[1], force=True)


if __name__ == "__main__":
    unittest.main()
