"""Sessions that outlive their connections: what they have, what they missed, what was under way, and when they end."""

import time
import unittest
import urllib.request

import tls_files
import weft_peer
from weft_peer import Closed, Server, ServerTest, WeftError, sheet


def hello(peer, **fields):
    return peer.call("session.hello", errors="map", **fields)


class Resume(ServerTest):
    def cut(self, peer):
        """The connection is gone, and nobody said goodbye."""
        peer.close()

    def again(self, key, unanswered=(), revisions=None, next_id=1000):
        peer = self.peer()
        peer.next_id = next_id
        return peer, hello(peer, resume=key, unanswered=list(unanswered), revisions=revisions or {})

    def away(self, watcher, world, session):
        """Until everybody knows that the session's connection is lost."""
        watcher.notice("world.presence", found=lambda one: one["session"] == session and one["away"])

    def watched(self, **settings):
        watcher = self.peer(hello={"user": "Watcher"})
        world = self.world(watcher, **settings)
        watcher.call("world.join", world=world)
        return watcher, world

    def test_a_session_goes_on(self):
        peer = self.peer()
        first = hello(peer, user="Ada")
        self.assertGreaterEqual(len(first["resume"].split("-")[1]), 32)
        self.assertFalse(first["resumed"])
        self.assertEqual(first["grace"], 60)
        self.cut(peer)
        peer, second = self.again(first["resume"])
        self.assertTrue(second["resumed"])
        self.assertEqual(second["session"], first["session"])
        self.assertEqual(second["user"], "Ada")
        self.assertEqual(second["resume"], first["resume"])
        self.assertEqual(list(second["lost"]), [])
        self.assertEqual(list(second["rejoin"]), [])

    def test_a_key_that_nobody_has_begins_a_new_session(self):
        peer = self.peer()
        first = hello(peer)
        number, secret = first["resume"].split("-")
        wrong = secret[:-1] + ("0" if secret[-1] != "0" else "1")
        for key in (f"{number}-{wrong}", secret, f"{number}-", f"99999-{secret}", "x", f"{number}-{secret}0"):
            with self.subTest(key=key):
                other, second = self.again(key)
                self.assertFalse(second["resumed"])
                self.assertNotEqual(second["session"], first["session"])
                self.assertNotEqual(second["resume"], first["resume"])
        peer.call("server.ping")

    def test_it_is_the_first_that_a_connection_asks_for(self):
        peer = self.peer()
        key = hello(peer)["resume"]
        other = self.peer(hello={"errors": "map"})
        world = self.world(other)
        other.call("world.join", world=world)
        self.assertEqual(self.refused("CONFLICT", other, "session.hello", resume=key).field, "resume")
        peer.call("server.ping")

    def test_what_it_asks_for_must_make_sense(self):
        peer = self.peer()
        key = hello(peer)["resume"]
        other = self.peer(hello={"errors": "map"})
        for fields, code, field in (
                ({"revisions": 3}, "INVALID", "revisions"),
                ({"revisions": {"a": 3}}, "INVALID", "revisions"),
                ({"revisions": {3: -1}}, "INVALID", "revisions"),
                ({"unanswered": list(range(1025))}, "LIMIT", "unanswered")):
            with self.subTest(fields=str(fields)[:40]):
                self.assertEqual(self.refused(code, other, "session.hello", resume=key, **fields).field, field)
        peer.call("server.ping")

    def test_a_connection_that_hangs_is_closed(self):
        old = self.peer()
        key = hello(old)["resume"]
        peer, second = self.again(key)
        self.assertTrue(second["resumed"])
        old.expect_end()
        peer.call("server.ping")

    def test_more_than_is_kept_is_joined_anew(self):
        watcher, world = self.watched()
        peer = self.peer()
        first = hello(peer)
        peer.call("world.join", world=world)
        self.cut(peer)
        self.away(watcher, world, first["session"])
        for number in range(4200):
            watcher.request("collider.add", world=world, kind="plane") if number == 0 else \
                watcher.request("collider.set", world=world, collider=1, friction=number / 10000)
            if number % 100 == 99:
                watcher.answer(watcher.next_id)
                watcher.answers.clear()
        peer, second = self.again(first["resume"], revisions={world: 0})
        self.assertEqual(list(second["rejoin"]), [world])
        watcher.call("collider.set", world=world, collider=1, friction=0.9)
        joined = peer.call("world.join", world=world)
        self.assertEqual(joined["revision"], 4201)
        watcher.call("collider.set", world=world, collider=1, friction=0.8)
        self.assertEqual(peer.notice("world.edited")["revision"], 4202)

    def test_a_world_that_was_joined_and_is_not_spoken_of_is_joined_anew(self):
        watcher, world = self.watched()
        peer = self.peer()
        first = hello(peer)
        peer.call("world.join", world=world)
        self.cut(peer)
        peer, second = self.again(first["resume"])
        self.assertEqual(list(second["rejoin"]), [world])

    def test_a_world_that_is_gone_is_told(self):
        watcher = self.peer(hello={})
        world = watcher.call("world.create")["world"]
        peer = self.peer()
        first = hello(peer)
        peer.call("world.join", world=world)
        self.cut(peer)
        watcher.call("world.delete", world=world)
        peer, second = self.again(first["resume"], revisions={world: 0})
        self.assertEqual(list(second["rejoin"]), [world])

    def test_an_undo_whose_answer_was_lost_is_made_once(self):
        watcher, world = self.watched()
        peer = self.peer()
        first = hello(peer, user="Ada")
        for friction in (0.1, 0.2, 0.3):
            peer.call("collider.add", world=world, kind="plane", friction=friction)
        again = {"world": world, "edit_id": "back-1"}
        asked = peer.request("edit.undo", **again)
        watcher.until(lambda: len(watcher.call("world.join", world=world)["colliders"]) == 2, "the undo")
        self.cut(peer)
        peer, second = self.again(first["resume"], unanswered=[asked])
        kept = peer.answer(asked)
        self.assertEqual((kept["undone"]["revision"], kept.get("repeated", False)), (3, False))
        # Of the same session, of another of the same person, and not of another person, who has nothing to take back.
        for one in (peer, self.peer(hello={"user": "Ada"})):
            told = one.call("edit.undo", **again)
            self.assertTrue(told["repeated"])
            self.assertEqual({**told, "repeated": False}, {**kept, "repeated": False})
        self.refused("NOT_FOUND", self.peer(hello={"user": "Bob", "errors": "map"}), "edit.undo", **again)
        self.refused("CONFLICT", peer, "edit.undo", force=True, **again)
        self.assertEqual(len(watcher.call("world.join", world=world)["colliders"]), 2)

    def test_a_long_answer_of_a_query_is_asked_for_again(self):
        watcher, world = self.watched()
        positions, triangles = sheet(100, 100)
        watcher.call("body.add", world=world, kind="cloth", name="sheet", positions=positions, triangles=triangles)
        peer = self.peer()
        first = hello(peer)
        peer.call("body.state", world=world, body="sheet")
        asked = peer.next_id
        self.cut(peer)
        peer, second = self.again(first["resume"], unanswered=[asked])
        self.assertEqual(list(second["lost"]), [asked])

    def test_a_request_of_before_is_never_taken_for_lost(self):
        peer = self.peer()
        peer.call("server.ping")
        first = hello(peer)
        for _ in range(1100):
            peer.request("server.ping")
        last = peer.next_id
        peer.answer(last)
        self.cut(peer)
        peer, second = self.again(first["resume"], unanswered=[1, 5, last], next_id=2000)
        self.assertEqual(list(second["lost"]), [])
        for one in (1, 5):
            with self.assertRaises(WeftError) as caught:
                peer.answer(one)
            self.assertEqual(caught.exception.code, "LIMIT")
        self.assertIn("time_us", peer.answer(last))

    def grabbed(self):
        watcher, world = self.watched(gravity=[0, 0, 0])
        positions, triangles = sheet(4, 4)
        watcher.call("body.add", world=world, kind="cloth", name="sheet", positions=positions, triangles=triangles)
        return watcher, world

    def grabs(self, peer, world):
        return [one["grab"] for one in peer.call("world.join", world=world)["grabs"]]

    def test_a_grab_holds_still_and_is_gone_on_with(self):
        watcher, world = self.grabbed()
        peer = self.peer()
        first = hello(peer)
        revision = peer.call("world.join", world=world)["revision"]
        grab = peer.call("grab.begin", world=world, body="sheet", particle=3, target=[0, 0, 1])["grab"]
        self.cut(peer)
        self.away(watcher, world, first["session"])
        self.assertEqual(self.grabs(watcher, world), [grab])
        peer, second = self.again(first["resume"], revisions={world: revision})
        peer.call("grab.move", world=world, grab=grab, target=[0, 0, 2])
        peer.call("grab.end", world=world, grab=grab)
        self.assertEqual(self.grabs(watcher, world), [])

    def test_who_leaves_is_gone_at_once(self):
        watcher, world = self.grabbed()
        peer = self.peer()
        first = hello(peer)
        peer.call("world.join", world=world)
        peer.call("grab.begin", world=world, body="sheet", particle=3, target=[0, 0, 1])
        peer.call("session.leave")
        peer.expect_end()
        watcher.notice("world.presence", found=lambda one: one["session"] == first["session"] and one["gone"])
        watcher.until(lambda: not self.grabs(watcher, world), "the end of the grab")
        self.assertFalse(self.again(first["resume"])[1]["resumed"])

    def test_who_never_said_hello_is_not_kept(self):
        watcher, world = self.grabbed()
        peer = self.peer()
        peer.call("world.join", world=world)
        peer.call("grab.begin", world=world, body="sheet", particle=3, target=[0, 0, 1])
        self.cut(peer)
        watcher.until(lambda: not self.grabs(watcher, world), "the end of the grab")

    def test_a_stream_that_comes_to_be_while_away_ends(self):
        watcher, world = self.grabbed()
        peer = self.peer()
        first = hello(peer)
        asked = peer.request("world.step", world=world, ticks=300)
        peer.request("stream.subscribe", world=world)
        watcher.until(lambda: watcher.call("server.stats")["requests"] > 0, "the requests")
        self.cut(peer)
        peer, second = self.again(first["resume"], unanswered=[asked, asked + 1])
        peer.call("session.leave")
        peer.expect_end()
        watcher.until(lambda: watcher.call("server.stats")["streams"] == 0, "the end of the stream")


class Grace(ServerTest):
    ARGUMENTS = ("--threads", "1", "--session-grace", "1")

    def test_what_is_held_ends_with_the_grace(self):
        watcher = self.peer(hello={})
        world = self.world(watcher)
        watcher.call("world.join", world=world)
        positions, triangles = sheet(4, 4)
        watcher.call("body.add", world=world, kind="cloth", name="sheet", positions=positions, triangles=triangles)
        peer = self.peer()
        first = hello(peer)
        self.assertEqual(first["grace"], 1)
        peer.call("world.join", world=world)
        peer.call("grab.begin", world=world, body="sheet", particle=3, target=[0, 0, 1])
        peer.close()
        cut_at = time.monotonic()
        watcher.notice("world.presence", found=lambda one: one["session"] == first["session"] and one["away"] and not one["gone"])
        watcher.notice("world.presence", found=lambda one: one["session"] == first["session"] and one["gone"])
        self.assertGreater(time.monotonic() - cut_at, 0.9)  # never earlier
        watcher.until(lambda: not watcher.call("world.join", world=world)["grabs"], "the end of the grab")
        peer = self.peer()
        self.assertFalse(hello(peer, resume=first["resume"])["resumed"])


class Off(ServerTest):
    ARGUMENTS = ("--threads", "1", "--session-grace", "0")

    def test_sessions_end_with_their_connections(self):
        peer = self.peer()
        first = hello(peer)
        self.assertEqual(first["resume"], "")
        self.assertEqual(first["grace"], 0)
        self.assertEqual(peer.call("server.info")["limits"]["session_grace"], 0)


class Crowded(ServerTest):
    ARGUMENTS = ("--threads", "1", "--max-sessions-per-address", "200")
    HTTP = "127.0.0.1:0"

    def test_of_one_address_the_oldest_go(self):
        keys = []
        for _ in range(140):
            peer = self.server.peer()
            keys.append(hello(peer)["resume"])
            peer.close()
        watcher = self.peer(hello={})
        watcher.until(lambda: self.gauge("weft_sessions_away_ended_total") == 12, "the oldest to go")
        self.assertEqual(self.gauge("weft_sessions_away"), 128)
        for number, kept in ((0, False), (139, True), (100, True)):
            peer = self.peer()
            self.assertEqual(hello(peer, resume=keys[number])["resumed"], kept, number)
        self.assertEqual(self.gauge("weft_sessions_resumed_total"), 2)

    def gauge(self, name):
        place = f"localhost:{self.server.http.rsplit(':', 1)[1]}/metrics"
        context = tls_files.everywhere()[0].context() if weft_peer.TLS else None
        with urllib.request.urlopen(f"http{'s' if weft_peer.TLS else ''}://{place}", context=context,
                                    timeout=weft_peer.PATIENCE_S) as answer:
            text = answer.read().decode()
        return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(name + " "))


class Presence(ServerTest):
    def pair(self, **settings):
        one = self.peer(hello={"user": "Ada"})
        world = self.world(one, **settings)
        one.session = hello(one, user="Ada")["session"]
        one.call("world.join", world=world)
        other = self.peer()
        other.session = hello(other, user="Grace")["session"]
        other.call("world.join", world=world)
        return one, other, world

    def seen(self, peer, of, found=lambda one: True):
        return peer.notice("world.presence", found=lambda one: one["session"] == of.session and found(one))

    def test_who_joins_and_leaves_is_told(self):
        one, other, world = self.pair()
        told = self.seen(one, other)
        self.assertEqual((told["user"], told["name"], told["color"]), ("Grace", "Grace", ""))
        self.assertEqual((told["camera"], told["cursor"], told["selection"]), ({}, {}, []))
        self.assertEqual((list(told["holds"]), told["away"], told["gone"]), ([], False, False))
        self.assertEqual(self.seen(other, one)["user"], "Ada")
        other.call("world.leave", world=world)
        self.seen(one, other, lambda told: told["gone"])

    def test_what_is_set_is_seen(self):
        one, other, world = self.pair()
        camera = {"position": [1, 2, 3], "target": [0, 0, 0], "up": [0, 1, 0], "fov": 0.8}
        other.call("presence.set", world=world, name="G.", color="#e8590c", camera=camera,
                   cursor={"point": [0.5, 0.25, 0]}, selection=[{"body": 3}, {"collider": 1}])
        told = self.seen(one, other, lambda told: told["color"])
        self.assertEqual((told["name"], told["color"], told["camera"]), ("G.", "#e8590c", camera))
        self.assertEqual(told["cursor"], {"point": [0.5, 0.25, 0]})
        self.assertEqual(told["selection"], [{"body": 3}, {"collider": 1}])
        other.call("presence.set", world=world, cursor={"origin": [0, 0, 1], "direction": [0, 0, -1]}, selection=[])
        told = self.seen(one, other, lambda told: "origin" in told["cursor"])
        self.assertEqual((told["color"], told["selection"]), ("#e8590c", []))
        late = self.peer(hello={"user": "Late"})
        late.call("world.join", world=world)
        self.assertEqual(self.seen(late, other)["color"], "#e8590c")

    def test_what_makes_no_sense_is_refused(self):
        one, _, world = self.pair()
        for fields, field in (({"color": "red"}, "color"), ({"color": "#12345g"}, "color"),
                              ({"selection": [{}]}, "selection"), ({"selection": [{"body": 1, "collider": 1}]}, "selection"),
                              ({"selection": [{"body": 1}] * 65}, "selection"),
                              ({"camera": {"position": [float("nan"), 0, 0]}}, "camera.position"),
                              ({"name": "x" * 65}, "name")):
            with self.subTest(fields=str(fields)[:40]):
                with self.assertRaises(WeftError) as caught:
                    one.call("presence.set", world=world, **fields)
                self.assertIn(caught.exception.code, ("INVALID", "LIMIT"))
                self.assertEqual(caught.exception.field, field)
        stranger = self.peer(hello={"errors": "map"})
        self.refused("NOT_FOUND", stranger, "presence.set", world=world, color="#000000")
        self.refused("NOT_FOUND", stranger, "presence.say", world=world, text="hello")

    def test_holds_are_told(self):
        one, other, world = self.pair(gravity=[0, 0, 0])
        positions, triangles = sheet(4, 4)
        other.call("body.add", world=world, kind="cloth", name="sheet", positions=positions, triangles=triangles)
        grab = other.call("grab.begin", world=world, body="sheet", particle=3, target=[0, 0, 1])["grab"]
        self.seen(one, other, lambda told: list(told["holds"]) == [grab])
        other.call("grab.end", world=world, grab=grab)
        self.seen(one, other, lambda told: not told["holds"])

    def test_who_is_away_is_told_and_then_gone(self):
        one, other, world = self.pair()
        other.close()
        self.seen(one, other, lambda told: told["away"] and not told["gone"])
        self.seen(one, other, lambda told: told["gone"])  # long before the session ends

    def test_of_many_changes_the_last_counts(self):
        one, other, world = self.pair()
        began = time.monotonic()
        for number in range(3000):
            other.notify("presence.set", world=world, cursor={"point": [number, 0, 0]})
        other.call("server.ping")
        self.seen(one, other, lambda told: told["cursor"].get("point", [0])[0] == 2999)
        took = time.monotonic() - began
        told = sum(1 for notice in one.notices if notice.method == "world.presence") + 1
        self.assertLess(told, 30 * took + 5)

    def test_who_does_not_read_is_told_the_newest_only(self):
        one, other, world = self.pair(name="reads-not")
        slow = self.server.peer(receive_buffer=4096)
        self.addCleanup(slow.close)
        slow.call("world.join", world=world)
        for number in range(1, 400):
            other.call("presence.set", world=world, cursor={"point": [number, 0, 0]},
                       selection=[{"body": 4000000000}] * 64)
            one.fence()
        slow.notice("world.presence", found=lambda told: told["cursor"].get("point", [0])[0] == number)

    def test_what_is_said_reaches_all(self):
        one, other, world = self.pair()
        line = other.call("presence.say", world=world, text="Hold this corner, please. ✋")["line"]
        self.assertEqual(line, 1)
        for peer in (one, other):
            told = peer.notice("world.said")
            self.assertEqual((told["line"], told["session"], told["user"], told["text"]),
                             (1, other.session, "Grace", "Hold this corner, please. ✋"))
        self.refused("INVALID", other, "presence.say", world=world, text="")
        self.refused("INVALID", other, "presence.say", world=world, text="a\nb")
        self.refused("INVALID", other, "presence.say", world=world, text="x" * 2001)

    def test_who_says_too_much_is_refused(self):
        one, other, world = self.pair()
        asked = [other.request("presence.say", world=world, text=str(number)) for number in range(20)]
        codes = []
        for one_id in asked:
            try:
                other.answer(one_id)
            except WeftError as error:
                codes.append(error.code)
        self.assertGreaterEqual(codes.count("LIMIT"), 10)
        self.assertEqual(set(codes), {"LIMIT"})


if __name__ == "__main__":
    unittest.main()
