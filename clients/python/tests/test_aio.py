"""The asyncio client on a real server: every method once, gathered calls, streams, cancelling, notices."""
import asyncio
import unittest

import numpy as np

import support
from support import API, PATIENCE_S, Server, weft


class Aio(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--threads", "2")

    @classmethod
    def tearDownClass(cls):
        status = cls.server.stop()
        if status != 0:
            raise AssertionError(f"the server ended with status {status}:\n" + "\n".join(cls.server.lines[-60:]))

    async def connect(self, **options):
        options.setdefault("timeout", PATIENCE_S)
        client = await weft.aio.connect(self.server.address, **options)
        self.addAsyncCleanup(client.close)
        return client

    async def world(self, client, **settings):
        world = await client.create(**settings)

        async def delete():
            async with weft.aio.connect(self.server.address) as other:
                try:
                    await other.world(world.id).delete()
                except weft.NotFound:
                    pass

        self.addAsyncCleanup(delete)
        return world

    async def test_each_method_of_the_list_is_called_and_does_what_it_says(self):
        client = await self.connect(user="Ada")
        called = set()
        plain = client._call

        async def noted(method, fields, patient=False):
            called.add(method)
            return await plain(method, fields, patient)

        client._call = noted
        self.assertEqual((await client.hello(user="Eve")).user, "Eve")
        self.assertEqual(len((await client.info()).methods), len(API["methods"]))
        await client.ping()
        self.assertEqual((await client.stats()).threads, 2)
        self.assertEqual(await client.servers(), [])
        world = await client.create("aio-every", tick_rate=100)
        self.assertIn("aio-every", [one.name for one in await client.worlds()])
        self.assertEqual((await world.get()).tick_rate, 100)
        await world.set(gravity=[0, -1, 0])
        await world.join()
        sheet = await world.add_body("cloth", **weft.shapes.sheet(5, 4), pins=[0, 4])
        edited = await client.notice("world.edited", timeout=PATIENCE_S)
        self.assertEqual((edited.params.method, edited.params.user), ("body.add", "Eve"))
        await sheet.set(name="sheet", stretch={"compliance": 1e-5}, thickness=0.0125, contact_group=1, contact_mask=1)
        self.assertEqual((await world.body("sheet").get()).triangles.shape, (24, 3))
        ties = await world.add_constraints([0, 19], body=sheet, compliance=1.0)
        await ties.set(rest=2.0)
        edges = world.constraints(sheet.answer.constraints.distance)
        self.assertEqual(len(edges), 43)
        self.assertEqual((await world.list_constraints("distance")).constraints.size, 44)
        pages = [page async for page in world.iter_constraints(limit=10)]
        self.assertEqual(sum(len(page.constraints) for page in pages), 44)
        await ties.remove()
        await world.show(color="#3366cc", cursor={"point": [0, 1, 0]}, selection=[{"body": sheet.id}])
        self.assertEqual((await world.say("Here I am.")).line, 1)
        self.assertEqual((await client.notice("world.said", timeout=PATIENCE_S)).params.text, "Here I am.")
        await world.leave()
        await sheet.set_particles([7], velocities=[[0, 0, 1]])
        await sheet.pin([7])
        await sheet.unpin([7])
        await sheet.force([0, 0, 0])
        field = (await world.add_force({"kind": "point", "strength": 1e-6})).force
        await world.set_force(field, {"radius": 3})
        self.assertEqual((await world.list_force()).fields[0].radius, 3)
        await world.remove_force(field)
        ball = await world.add_collider("sphere", radius=0.1, position=[0, -5, 0])
        await ball.set(radius=0.2)
        motion = await world.add_motion([0, 1], [0, 0, 0, 0, 1, 0], collider=ball)
        self.assertEqual((await world.motions())[0].motion, motion)
        await world.remove_motion(motion)
        await world.restore(removed={"motions": [motion]}, settings={"damping": 0.5})
        self.assertEqual((await world.get()).damping, 0.5)
        self.assertEqual((await world.undo()).undone.method, "edit.restore")
        self.assertNotEqual((await world.get()).damping, 0.5)
        self.assertEqual((await world.redo()).redone.method, "edit.restore")
        self.assertEqual((await world.get()).damping, 0.5)
        done = await world.batch([("world.set", {"damping": 1.5}), ("collider.set", {"collider": ball, "friction": 1})])
        self.assertEqual(len(done.results), 2)
        with self.assertRaises(weft.api.Conflict):
            await world.set(damping=1, if_revision=done.revision - 1)
        await ball.remove()
        async with await sheet.grab(12) as grab:
            await grab.move([0, 0, 1])
            grab.drag([0, 0, 2])
            self.assertEqual((await world.join()).grabs[0].target.tolist(), [0, 0, 2])
        async with await world.subscribe(fields=["positions", "measures", "contact"]) as stream:
            await stream.set(every=2)
            self.assertEqual((await stream.next(PATIENCE_S)).contact.held, 0)
            await stream.ack(1)
            await stream.differs(0)
        await world.hold()
        await world.step(6)
        self.assertEqual((await world.measure(crossings=True)).crossings, 0)
        await world.hash()
        saved = await world.save()
        self.assertEqual((await world.records(0)).sequence, saved.sequence)
        copy = await client.open(saved.document)
        self.assertEqual((await copy.hash()).hash, saved.hash)
        client.message_bytes = 1500  # larger than a message now: it goes in pieces
        copy = await client.open(saved.document)
        self.assertEqual((await copy.hash()).hash, saved.hash)
        await copy.delete()
        self.assertEqual((await sheet.state("velocities")).velocities.shape, (20, 3))
        self.assertEqual((await world.history()).tick, 6)
        self.assertEqual((await world.log(limit=1)).edits[0].method, "world.set")
        self.assertEqual((await world.seek(3)).tick, 3)
        self.assertEqual((await world.control("take")).session, client.session)
        self.assertEqual((await world.control("release")).session, 0)
        self.assertEqual((await world.access()).role, "owner")
        for refused in (world.grant("Bob", "viewer"), world.revoke("Bob"), world.invite(), world.set_access("owner"),
                        client.accept("x"), client.create_token("Bob"), client.tokens(), client.revoke_token(1)):
            with self.assertRaises(weft.Conflict):  # this server asks for no tokens
                await refused
        with self.assertRaises(weft.NotFound):  # it is alone
            await world.move("two")
        branch = await world.branch(2, "aio-branch")
        await client.world(branch.world).delete()
        self.assertEqual((await client.bin())[-1].name, "aio-branch")
        await client.restore_world(branch.world)
        await client.world(branch.world).delete()
        await world.reset()
        await world.play(1)
        await world.pause()
        await sheet.remove()
        await world.delete()
        await client.leave()
        self.assertEqual(called, {method["name"] for method in API["methods"]})

    async def test_a_session_goes_on_and_grabs_hold(self):
        client, other = await self.connect(user="Ada"), await self.connect(user="Eve")
        world = await self.world(client, gravity=[0, 0, 0])
        rope = await world.add_body("points", [[0, 1, 0]])
        grab = await rope.grab(0, [0, 2, 0])
        session = client.session
        client._wire.transport.abort()
        with self.assertRaises(weft.ConnectionLost):
            await client.ping()
        self.assertEqual((await other.world(world.id).get()).grabs, 1)
        await client.reconnect()
        self.assertEqual((client.resumed, client.session), (True, session))
        await grab.move([0, 3, 0])
        await grab.end()
        self.assertEqual((await other.world(world.id).get()).grabs, 0)

    async def test_gathered_calls_are_answered_in_their_order(self):
        client = await self.connect()
        answers = await asyncio.gather(*(client.ping() for _ in range(1000)))
        times = [answer.time_us for answer in answers]
        self.assertEqual(times, sorted(times))

    async def test_frames_come_while_other_things_are_done(self):
        client = await self.connect()
        world = await self.world(client, gravity=[0, 0, 0])
        positions = np.random.default_rng(2).random((60_000, 3))
        body = await world.add_body("points", positions)
        await world.play()
        seen, expected = [], (await body.state("positions")).positions
        async with await world.subscribe(fields=["positions"]) as stream:
            async for frame in stream:
                seen.append(frame.tick)
                np.testing.assert_array_equal(frame[body].positions, expected)
                if len(seen) == 20:
                    break
                await client.ping()
        self.assertEqual(seen, sorted(set(seen)))
        self.assertEqual([frame async for frame in stream], [])

    async def test_a_lossless_stream_has_every_tick_however_late_it_is_read(self):
        client = await self.connect()
        world = await self.world(client, gravity=[0, 0, 0])
        await world.add_body("points", np.zeros((300, 3)))
        await world.hold()
        async with await world.subscribe(mode="lossless", credit=9000, backlog=65536) as stream:
            await world.play(0)
            for tick in range(100):
                frame = await stream.next(PATIENCE_S)
                self.assertEqual((frame.tick, frame.dropped), (tick, 0))
                while tick % 30 == 0 and not (await world.get()).held_by:
                    pass  # until the world waits for this reader
            await world.pause()

    async def test_a_stream_that_is_not_looked_at_stays_bounded_and_says_what_it_left_out(self):
        client = await self.connect()
        world = await self.world(client, gravity=[0, 0, 0])
        await world.add_body("points", [[0, 0, 0]])
        stream = await world.subscribe()
        stream.keep = 5
        await world.step(200)
        frames = [await stream.next(PATIENCE_S)]
        while frames[-1].tick < 200:
            frames.append(await stream.next(PATIENCE_S))
        # What came, what was said to be dropped, and what the world did not make.
        told = len(frames) + sum(frame.dropped for frame in frames)
        self.assertLessEqual(told, 201)
        self.assertGreaterEqual(told + (await world.get()).frames_dropped, 201)
        self.assertLessEqual(len(frames), 6)
        await world.step(3)
        self.assertEqual((await stream.latest(PATIENCE_S)).tick > 200, True)
        with self.assertRaises(weft.Timeout):
            while True:
                await stream.next(0.05)

    async def test_the_loop_raises_where_the_server_closed_the_stream(self):
        client, other = await self.connect(), await self.connect()
        world = await self.world(client)
        stream = await world.subscribe()

        async def look():
            async for _ in stream:
                pass

        looking = asyncio.create_task(look())
        await asyncio.sleep(0)  # it waits by now
        await other.world(world.id).delete()
        with self.assertRaises(weft.StreamClosed):
            await asyncio.wait_for(looking, PATIENCE_S)

    async def test_a_call_may_be_cancelled_and_the_client_goes_on(self):
        client = await self.connect()
        world = await self.world(client, gravity=[0, 0, 0])
        await world.add_body("points", np.zeros((1, 3)))
        step = asyncio.create_task(world.step(1_000_000_000))
        other = await self.connect()
        while (await other.world(world.id).get()).tick == 0:
            pass  # until it is under way
        step.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await step
        # What was asked is done all the same: it is cut short as anybody would.
        await client.world(world.id).pause()
        self.assertGreater((await client.ping()).time_us, 0)
        self.assertEqual(client._session.waiting, {})

    async def test_a_lost_server_is_told_to_all_who_wait_and_streams_go_on_after_a_reconnect(self):
        server = Server("--threads", "1")
        self.addCleanup(server.kill)
        client = await weft.aio.connect(server.address, timeout=PATIENCE_S)
        self.addAsyncCleanup(client.close)
        world = await client.create("here", gravity=[0, 0, 0])
        await world.add_body("points", [[0, 1, 0]])
        stream = await world.subscribe()
        await stream.next(PATIENCE_S)
        waiting = asyncio.gather(stream.next(), client.notice("world.changed"), world.step(1_000_000_000), return_exceptions=True)
        async with weft.aio.connect(server.address, timeout=PATIENCE_S) as other:
            while (await other.world(world.id).get()).tick == 0:
                pass  # until they wait
        server.kill()
        # The stream may have had frames that came before.
        ends = await asyncio.wait_for(waiting, PATIENCE_S)
        self.assertEqual([type(end) for end in ends[1:]], [weft.ConnectionLost] * 2)
        again = Server("--threads", "1", listen=server.address)
        self.addCleanup(again.kill)
        async with weft.aio.connect(again.address) as other:
            await (await other.create("here")).add_body("points", [[0, 2, 0]])
        await client.reconnect()
        frame = await stream.next(PATIENCE_S)
        self.assertEqual(frame[1].positions.tolist(), [[0, 2, 0]])
        self.assertEqual(again.stop(), 0)


if __name__ == "__main__":
    unittest.main()
