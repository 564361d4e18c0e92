"""Clients go where a world is: by its first answer, in the middle of a stream, and not round and round."""
from __future__ import annotations

import asyncio
import time
import unittest
from unittest import mock

from support import PATIENCE_S, ServerTest, weft

from doors import Doors
from weft_peer import sheet


class Follow(ServerTest):
    def setUp(self):
        self.doors = Doors(self.server.address, "a", "b")
        self.addCleanup(self.doors.close)
        self.a, self.b = self.doors.doors
        self.keeper = self.connect(user="keeper")
        self.flag = self.world(self.keeper, name=self.id().rsplit(".", 1)[1][:60])
        positions, triangles = sheet(3, 3)
        self.flag.add_body("cloth", positions=positions, triangles=triangles)
        self.names = (self.flag.id, self.flag.get().name)
        self.changes = []

    def at(self, door, **options):
        client = weft.connect(door.address, **{"timeout": PATIENCE_S, "on_session": self.told, **options})
        self.addCleanup(client.close)
        return client

    def told(self, change, rejoin):
        self.changes.append((change, rejoin))

    def test_a_call_goes_to_the_server_that_has_the_world_and_is_made_once(self):
        self.doors.put(self.b, *self.names)
        client = self.at(self.a)
        for world in (client.world(self.names[1]), client.world(self.names[0])):
            world.set(gravity=[0, -1, 0])
        self.assertEqual(self.flag.get().revision, 3)
        self.assertEqual((client.address, self.a.refused), (weft.session.address_of(self.b.address), 1))
        self.assertEqual(self.changes, [("moved", [])])

    def test_calls_under_way_are_answered_and_those_of_the_world_are_made_there_in_their_order(self):
        self.doors.put(self.b, *self.names)
        client = self.at(self.a)
        self.doors.vague = 2
        calls = [client.submit("world.set", world=self.names[0], gravity=[0, -n, 0]) for n in range(1, 5)]
        listed = client.submit("world.list")
        weft.gather([*calls, listed])
        self.assertEqual(self.flag.get().revision, 5)
        self.assertEqual(self.flag.get().gravity.tolist(), [0, -4, 0])

    def test_who_does_not_follow_is_told_where_it_is(self):
        self.doors.put(self.b, *self.names)
        client = self.at(self.a, follow=False)
        with self.assertRaises(weft.Moved) as raised:
            client.world(self.names[0]).get()
        self.assertEqual((raised.exception.server, raised.exception.address), ("b", self.b.address))
        self.assertNotIn("follow", self.a.hellos[0])
        self.assertEqual(self.changes, [])

    GREETING = {"client": "weft-python", "token": "t", "arrays": "ext", "errors": "map", "follow": True}

    def test_what_is_not_said_anew_is_as_it_was_and_the_next_server_hears_all_of_it(self):
        self.doors.put(self.b, *self.names)
        client = self.at(self.a, token="t", client="weft-python", user="before")
        self.assertEqual(client.hello(user="x").user, "x")
        self.assertEqual(self.a.hellos, [{**self.GREETING, "user": "before"}, {**self.GREETING, "user": "x"}])
        self.assertEqual(client.world(self.names[0]).get().world, self.names[0])
        self.assertEqual(self.b.hellos, [{**self.GREETING, "user": "x"}])
        client.reconnect()
        again = {name: value for name, value in self.b.hellos[-1].items() if name != "resume"}
        self.assertEqual((len(self.b.hellos), again), (2, {**self.GREETING, "user": "x"}))

    def test_what_is_not_said_anew_is_as_it_was_with_asyncio(self):
        async def live():
            async with weft.aio.connect(self.a.address, timeout=PATIENCE_S, token="t", client="weft-python", user="before") as client:
                self.assertEqual((await client.hello(user="x")).user, "x")
                await client.world(self.names[0]).get()

        self.doors.put(self.b, *self.names)
        asyncio.run(live())
        self.assertEqual(self.a.hellos, [{**self.GREETING, "user": "before"}, {**self.GREETING, "user": "x"}])
        self.assertEqual(self.b.hellos, [{**self.GREETING, "user": "x"}])

    def test_a_stream_and_what_was_joined_go_along_in_the_order_of_ticks(self):
        self.doors.put(self.a, *self.names)
        client = self.at(self.a)
        world = client.world(self.names[1])
        world.join()
        stream = world.subscribe(every=2, unit="tick")
        world.play(4)
        ticks = [stream.next(PATIENCE_S).tick for _ in range(5)]
        self.doors.put(self.b, *self.names)
        while len(ticks) < 60:
            ticks.append(stream.next(PATIENCE_S).tick)
        world.pause()
        self.assertEqual(ticks, sorted(ticks))
        # As it was wished for; a stream begins with the present.
        self.assertLessEqual(sum(tick % 2 for tick in ticks), 1, ticks)
        self.assertEqual(self.changes, [("moved", [])])
        moved = client.notice("world.changed", timeout=PATIENCE_S).params
        while moved.state != "moved":
            moved = client.notice("world.changed", timeout=PATIENCE_S).params
        self.assertEqual((moved.server, moved.address), ("b", self.b.address))
        # It is joined there.
        self.flag.set(damping=0.5)
        while client.notice("world.edited", timeout=PATIENCE_S).params.params.get("damping") != 0.5:
            pass

    def test_what_changed_on_the_way_is_to_be_read_anew(self):
        self.doors.put(self.a, *self.names)
        client = self.at(self.a)
        client.world(self.names[0]).join()
        guest = self.a.guests[-1]
        with guest.lock:
            guest.joined.clear()  # nothing is told any more
        self.flag.set(damping=0.25)
        time.sleep(0.3)  # it is told, and comes no further than the door
        guest.joined.add(self.names[0])
        self.doors.put(self.b, *self.names)
        client.world(self.names[0]).get()
        self.assertEqual(self.changes, [("moved", [self.names[0]])])

    def test_who_is_held_elsewhere_stays_and_is_told(self):
        self.doors.put(self.b, *self.names)
        client = self.at(self.a)
        other = self.world(self.keeper)
        client.world(other.id).join()
        with self.assertRaises(weft.Moved) as raised:
            client.world(self.names[0]).get()
        self.assertEqual(raised.exception.address, self.b.address)
        self.assertEqual(client.world(other.id).get().world, other.id)
        client.world(other.id).leave()
        self.assertEqual(client.world(self.names[0]).get().world, self.names[0])

    def test_servers_that_name_each_other_end_in_an_error(self):
        self.doors.sent = {"a": self.b.place, "b": self.a.place}
        client = self.at(self.a)
        began = time.monotonic()
        with self.assertRaisesRegex(weft.Moved, "in a row"):
            client.world(self.names[0]).get()
        self.assertLess(time.monotonic() - began, PATIENCE_S)
        self.assertLessEqual(self.a.refused + self.b.refused, 20)
        self.doors.sent = None
        self.assertEqual(client.world(self.names[0]).get().world, self.names[0])

    def put_nowhere(self):
        """The world goes to a server that has ended: its port refuses the connection."""
        gone = Doors(self.server.address, "gone")
        gone.close()
        self.doors.put(gone.doors[0], *self.names)

    def at_the_first_refusal(self, then):
        """Calls `then` when a client has found a server absent, in place of its pause."""
        def pause_s(*_):
            then()
            return 0.0

        return mock.patch.object(weft.visit, "delay_s", pause_s)

    def test_a_server_that_is_not_there_leaves_the_client_where_it_is(self):
        self.put_nowhere()
        client = self.at(self.a)
        with mock.patch.object(weft.visit, "ABSENT_S", 0.3), self.assertRaises(weft.Moved) as raised:
            client.world(self.names[0]).get()
        self.assertIsInstance(raised.exception.__cause__, weft.ConnectionLost)
        self.assertGreaterEqual(self.a.refused, 2)
        self.assertTrue(client.ping())

    def test_a_call_whose_time_is_nearly_over_does_not_wait_for_a_server(self):
        self.put_nowhere()
        client = self.at(self.a)
        with mock.patch.object(weft.visit, "delay_s", lambda *_: 2 * PATIENCE_S), self.assertRaises(weft.Moved):
            client.world(self.names[0]).get()
        self.assertEqual(self.a.refused, 1)

    def test_a_call_waits_for_a_server_that_is_named_before_the_others_know_that_it_has_ended(self):
        self.put_nowhere()
        client = self.at(self.a)
        with self.at_the_first_refusal(lambda: self.doors.put(self.b, *self.names)):
            client.world(self.names[0]).set(gravity=[0, -1, 0])
        self.assertEqual((self.flag.get().revision, self.a.refused), (2, 2))
        self.assertEqual(client.address, weft.session.address_of(self.b.address))
        self.assertEqual(self.changes, [("moved", [])])

    def test_a_world_that_is_back_is_asked_where_it_was(self):
        self.put_nowhere()
        client = self.at(self.a)
        with self.at_the_first_refusal(lambda: self.doors.put(self.a, *self.names)):
            client.world(self.names[0]).set(gravity=[0, -1, 0])
        self.assertEqual((self.flag.get().revision, self.changes), (2, []))

    def test_a_stream_waits_for_its_server_too(self):
        for to, changes in ((self.b, [("moved", [])]), (self.a, [])):
            with self.subTest(to.name):
                self.changes.clear()
                self.doors.put(self.a, *self.names)
                stream = self.at(self.a).world(self.names[1]).subscribe(every=1, unit="tick")
                self.flag.step(1)
                before = stream.next(PATIENCE_S).tick
                with self.at_the_first_refusal(lambda to=to: self.doors.put(to, *self.names)):
                    self.put_nowhere()
                    self.flag.step(2)
                    while stream.next(PATIENCE_S).tick < before + 2:
                        pass
                self.assertEqual(self.changes, changes)
                stream.close()

    def test_a_call_and_a_stream_wait_with_asyncio(self):
        async def live():
            self.doors.put(self.a, *self.names)
            async with weft.aio.connect(self.a.address, timeout=PATIENCE_S, on_session=self.told) as client:
                world = client.world(self.names[1])
                self.put_nowhere()
                with self.at_the_first_refusal(lambda: self.doors.put(self.a, *self.names)):
                    await world.set(gravity=[0, -1, 0])
                stream = await world.subscribe(every=1, unit="tick")
                tick = (await stream.next(PATIENCE_S)).tick
                with self.at_the_first_refusal(lambda: self.doors.put(self.b, *self.names)):
                    self.put_nowhere()
                    self.flag.step(2)
                    while (await stream.next(PATIENCE_S)).tick < tick + 2:
                        pass
                self.assertEqual(self.changes, [("moved", [])])

        asyncio.run(asyncio.wait_for(live(), 4 * PATIENCE_S))

    def test_with_asyncio(self):
        async def live():
            self.doors.put(self.a, *self.names)
            async with weft.aio.connect(self.a.address, timeout=PATIENCE_S, on_session=self.told) as client:
                world = client.world(self.names[1])
                await world.join()
                stream = await world.subscribe(every=1, unit="tick")
                await world.play(4)
                ticks = [(await stream.next(PATIENCE_S)).tick for _ in range(5)]
                self.doors.put(self.b, *self.names)
                while len(ticks) < 40:
                    ticks.append((await stream.next(PATIENCE_S)).tick)
                await world.pause()
                self.assertEqual(ticks, sorted(ticks))
                await stream.close()
                await world.leave()
                self.doors.put(self.a, *self.names)
                revision = (await asyncio.gather(*(world.set(damping=0.1 * n) for n in range(1, 4))))[-1].revision
                self.assertEqual(self.flag.get().revision, revision)
                self.assertEqual(self.changes, [("moved", []), ("moved", [])])
                self.doors.sent = {"a": self.b.place, "b": self.a.place}
                with self.assertRaisesRegex(weft.Moved, "in a row"):
                    await world.get()

        asyncio.run(asyncio.wait_for(live(), 4 * PATIENCE_S))


if __name__ == "__main__":
    unittest.main()
