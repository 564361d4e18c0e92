"""Clients that go on by themselves: over lines that break each edit is made once and told once, and streams go on."""
from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import shutil
import tempfile
import threading
import time
import unittest

from support import PATIENCE_S, Server, ServerTest, weft

from bad_line import BadLine
from weft_peer import sheet

SEEDS = range(1, 4)
# So that a million ticks take long.
CLOTH = dict(zip(("positions", "triangles"), sheet(12, 12)), kind="cloth")
EDITS = 10


class Resume(ServerTest):
    def setUp(self):
        self.changes = []
        self.watcher = self.connect(user="watcher")
        self.flag = self.made(self.id().rsplit(".", 1)[1][:60])

    def made(self, name):
        flag = self.world(self.watcher, name=name)
        positions, triangles = sheet(4, 4)
        flag.add_body(kind="cloth", positions=positions, triangles=triangles)
        return flag

    def line(self, seed=1):
        line = BadLine(self.server.address, seed)
        line.good.set()
        self.addCleanup(line.close)
        return line

    def told(self, change, rejoin):
        self.changes.append((change, rejoin))

    def over(self, line, **options):
        options.setdefault("timeout", 4 * PATIENCE_S)
        client = weft.connect(line.address, **{"user": "Ada", "resume": True, "on_session": self.told, **options})
        self.addCleanup(client.close)
        return client

    def until(self, holds, what):
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

    def away(self):
        """Until the server knows that the line is cut."""
        self.watcher.notice("world.presence", timeout=PATIENCE_S)
        while not self.watcher.notice("world.presence", timeout=PATIENCE_S).params.away:
            pass

    def sound(self, flag, notices, revision, names):
        """No gap, no repeat."""
        revisions = [notice.params.revision for notice in notices]
        self.assertEqual(revisions, list(range(revision + 1, revision + 1 + len(revisions))))
        self.assertEqual(sorted(one.name for one in flag.join().colliders), sorted(names))

    def broke(self):
        """What is told of lines that broke in all of the seeds."""
        changes = [change for change, _ in self.changes]
        self.assertGreater(changes.count("back"), len(SEEDS))
        self.assertNotIn("anew", changes)
        self.assertEqual([rejoin for _, rejoin in self.changes if rejoin], [])

    def test_each_edit_is_made_once_and_told_once(self):
        def live(flag, line):
            client = self.over(line)
            world = client.world(flag.id)
            revision = world.join().revision
            stream = world.subscribe(fields="positions")
            stream.next(PATIENCE_S)
            line.good.clear()
            names = [f"thing-{number}" for number in range(EDITS)]
            for first in range(0, EDITS, 5):
                calls = [client.submit("collider.add", world=world.id, kind="sphere", radius=0.1, name=name)
                         for name in names[first:first + 5]]
                self.assertEqual([call.result(4 * PATIENCE_S).revision for call in calls],
                                 [revision + first + number + 1 for number in range(5)])
            notices = [client.notice("world.edited", timeout=PATIENCE_S) for _ in range(EDITS)]
            while stream.next(4 * PATIENCE_S).revision < revision + EDITS:
                pass
            client.close()
            line.close()
            return notices, revision, names

        # Side by side, since most of each is waiting.
        flags = [self.made(f"seed-{seed}") for seed in SEEDS]
        with concurrent.futures.ThreadPoolExecutor(len(SEEDS)) as together:
            told = list(together.map(live, flags, [self.line(seed) for seed in SEEDS]))
        for flag, one in zip(flags, told):
            self.sound(flag, *one)
        self.broke()

    def test_what_is_missed_comes_and_the_stream_goes_on(self):
        line = self.line()
        client = self.over(line)
        world = client.world(self.flag.id)
        revision = world.join().revision
        self.flag.join()
        stream = world.subscribe(fields="positions")
        stream.next(PATIENCE_S)
        line.down.set()
        line.cut()
        self.away()
        for number in range(5):
            self.flag.add_collider(kind="plane", name=f"missed-{number}")
        line.down.clear()
        notices = [client.notice("world.edited", timeout=PATIENCE_S) for _ in range(5)]
        self.sound(self.flag, notices, revision, [f"missed-{number}" for number in range(5)])
        self.assertEqual(self.changes, [("away", []), ("back", [])])
        self.assertTrue(client.resumed)
        stream.set(every=2)  # under the id that it has by now
        while stream.next(PATIENCE_S).revision < revision + 5:
            pass
        stream.close()
        client.call("server.ping")

    def test_threads_that_wait_go_on(self):
        line = self.line()
        client = self.over(line)
        world = client.world(self.flag.id)
        results = []
        thread = threading.Thread(target=lambda: results.append(world.step(120).tick))
        thread.start()
        self.until(lambda: self.flag.get().tick > 0, "the step")
        line.cut()
        client.call("server.ping")
        thread.join(4 * PATIENCE_S)
        self.assertEqual(results, [self.flag.get().tick])

    def test_who_is_away_for_too_long_is_lost(self):
        line = self.line()
        client = self.over(line, resume=0.5)
        line.down.set()
        line.cut()
        began = time.monotonic()
        with self.assertRaises(weft.ConnectionLost):
            client.call("server.ping")
        self.assertGreater(time.monotonic() - began, 0.3)  # never earlier
        self.assertFalse(client.connected)
        line.down.clear()
        client.reconnect()
        self.assertTrue(client.resumed)
        client.call("server.ping")

    def test_a_call_waits_no_longer_than_it_may(self):
        line = self.line()
        client = self.over(line)
        client.timeout = 0.3
        line.down.set()
        line.cut()
        for _ in range(2):
            with self.assertRaises(weft.Timeout):
                client.call("server.ping")
        line.down.clear()
        client.timeout = PATIENCE_S
        client.call("server.ping")
        self.assertEqual(self.changes, [("away", []), ("back", [])])

    def test_without_it_a_lost_connection_is_told_at_once(self):
        line = self.line()
        client = self.over(line, resume=False)
        line.cut()
        with self.assertRaises(weft.ConnectionLost):
            client.notice(timeout=PATIENCE_S)
        client.reconnect()
        self.assertTrue(client.resumed)

    # The same with asyncio

    def run_over(self, line, work, **options):
        async def live():
            async with weft.aio.connect(line.address, **{"user": "Ada", "resume": True, "on_session": self.told,
                                                         "timeout": 4 * PATIENCE_S, **options}) as client:
                await work(client)

        asyncio.run(asyncio.wait_for(live(), 8 * PATIENCE_S))

    def test_asyncio_each_edit_is_made_once_and_told_once(self):
        async def live(flag, line):
            async with weft.aio.connect(line.address, user="Ada", resume=True, on_session=self.told,
                                        timeout=4 * PATIENCE_S) as client:
                world = client.world(flag.id)
                revision = (await world.join()).revision
                stream = await world.subscribe(fields="positions")
                await stream.next(PATIENCE_S)
                line.good.clear()
                names = [f"thing-{number}" for number in range(EDITS)]
                for first in range(0, EDITS, 5):
                    answers = await asyncio.gather(*(client.call("collider.add", world=world.id, kind="sphere", radius=0.1,
                                                                 name=name) for name in names[first:first + 5]))
                    self.assertEqual([answer.revision for answer in answers],
                                     [revision + first + number + 1 for number in range(5)])
                notices = [await client.notice("world.edited", timeout=PATIENCE_S) for _ in range(EDITS)]
                while (await stream.next(4 * PATIENCE_S)).revision < revision + EDITS:
                    pass
                return notices, revision, names

        async def all_of_them():
            return await asyncio.gather(*map(live, flags, [self.line(seed) for seed in SEEDS]))

        flags = [self.made(f"aio-{seed}") for seed in SEEDS]
        for flag, one in zip(flags, asyncio.run(asyncio.wait_for(all_of_them(), 8 * PATIENCE_S))):
            self.sound(flag, *one)
        self.broke()

    def test_asyncio_what_is_missed_comes_and_the_stream_goes_on(self):
        line = self.line()

        async def work(client):
            world = client.world(self.flag.id)
            revision = (await world.join()).revision
            self.flag.join()
            stream = await world.subscribe(fields="positions")
            await stream.next(PATIENCE_S)
            line.down.set()
            line.cut()
            await asyncio.to_thread(self.away)
            for number in range(5):
                self.flag.add_collider(kind="plane", name=f"missed-{number}")
            line.down.clear()
            notices = [await client.notice("world.edited", timeout=PATIENCE_S) for _ in range(5)]
            self.sound(self.flag, notices, revision, [f"missed-{number}" for number in range(5)])
            await stream.set(every=2)
            self.assertEqual(self.changes, [("away", []), ("back", [])])
            while (await stream.next(PATIENCE_S)).revision < revision + 5:
                pass
            await stream.close()

        self.run_over(line, work)

    def test_asyncio_who_is_away_for_too_long_is_lost(self):
        line = self.line()

        async def work(client):
            line.down.set()
            line.cut()
            with self.assertRaises(weft.ConnectionLost):
                await client.notice(timeout=PATIENCE_S)
            with self.assertRaises(weft.ConnectionLost):
                await client.call("server.ping")
            line.down.clear()
            await client.reconnect()
            self.assertTrue(client.resumed)

        self.run_over(line, work, resume=0.5)


class Ended(unittest.TestCase):
    """A session that is gone by the time that the connection is back."""

    def setUp(self):
        self.server = Server("--threads", "1", "--session-grace", "1")
        self.addCleanup(self.server.stop)
        self.line = BadLine(self.server.address, 1)
        self.line.good.set()
        self.addCleanup(self.line.close)
        self.changes = []

    def told(self, change, rejoin):
        self.changes.append(change)

    def gone(self, world):
        """Cuts the line, until the server has ended the session that was on it."""
        with weft.connect(self.server.address, user="watcher") as watcher:
            watcher.world(world).join()
            self.line.down.set()
            self.line.cut()
            while not watcher.notice("world.presence", timeout=PATIENCE_S).params.gone:
                pass
        self.line.down.clear()

    def test_it_is_told(self):
        with weft.connect(self.line.address, resume=60, on_session=self.told, timeout=4 * PATIENCE_S) as client:
            world = client.create("flag", gravity=[0, 0, 0])
            world.add_body(**CLOTH)
            world.join()
            stream = world.subscribe(fields="positions")
            stream.next(PATIENCE_S)
            call = client.submit("world.step", world=world.id, ticks=1000000)
            self.gone(world.id)
            with self.assertRaisesRegex(weft.ConnectionLost, "the session is gone"):
                call.result(4 * PATIENCE_S)
            self.assertEqual(self.changes, ["away", "anew"])
            self.assertFalse(client.resumed)
            client.call("server.ping")
            self.assertIsNotNone(stream.next(PATIENCE_S))

    def test_it_is_told_with_asyncio(self):
        async def live():
            async with weft.aio.connect(self.line.address, resume=60, on_session=self.told, timeout=4 * PATIENCE_S) as client:
                world = await client.create("flag", gravity=[0, 0, 0])
                await world.add_body(**CLOTH)
                await world.join()
                step = asyncio.ensure_future(client.call("world.step", world=world.id, ticks=1000000))
                await asyncio.to_thread(self.gone, world.id)
                with self.assertRaisesRegex(weft.ConnectionLost, "the session is gone"):
                    await step
                await client.call("server.ping")
                self.assertEqual(self.changes, ["away", "anew"])

        asyncio.run(asyncio.wait_for(live(), 4 * PATIENCE_S))


class StartedAnew(unittest.TestCase):
    """Another server with the same worlds: it numbers streams from 1 again, and in another order."""

    STREAMS = 6
    RESTARTS = 3

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-anew-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.server = self.start()
        self.line = BadLine(self.server.address, 1)
        self.line.good.set()
        self.addCleanup(self.line.close)
        with weft.connect(self.server.address) as client:
            world = client.create("flag")
            for number in range(self.STREAMS):
                world.add_body(kind="points", positions=[float(number), 0.0, 0.0])

    def start(self):
        server = Server("--threads", "1", "--data", self.folder)
        self.addCleanup(server.kill)
        return server

    def restart(self):
        self.line.down.set()
        self.server.kill()
        self.line.cut()
        self.server = self.start()
        self.line.target = self.server.address
        self.line.down.clear()

    def test_each_stream_stays_itself(self):
        with weft.connect(self.line.address, resume=60, timeout=4 * PATIENCE_S) as client:
            world = client.world("flag")
            world.subscribe(fields="positions").close()
            streams = [world.subscribe(fields="positions", bodies=[number + 1]) for number in range(self.STREAMS)]
            for _ in range(self.RESTARTS):
                self.restart()
                with contextlib.suppress(weft.ConnectionLost):  # it may have been under way
                    client.call("server.ping")
                for number, stream in enumerate(streams):
                    stream.set(every=2)
                    self.assertEqual(self.seen(stream.latest(PATIENCE_S)), number)
            for stream in streams:
                stream.unsubscribe()

    def test_each_stream_stays_itself_with_asyncio(self):
        async def live():
            async with weft.aio.connect(self.line.address, resume=60, timeout=4 * PATIENCE_S) as client:
                world = client.world("flag")
                await (await world.subscribe(fields="positions")).close()
                streams = [await world.subscribe(fields="positions", bodies=[number + 1]) for number in range(self.STREAMS)]
                for _ in range(self.RESTARTS):
                    await asyncio.to_thread(self.restart)
                    with contextlib.suppress(weft.ConnectionLost):
                        await client.call("server.ping")
                    for number, stream in enumerate(streams):
                        await stream.set(every=2)
                        self.assertEqual(self.seen(await stream.latest(PATIENCE_S)), number)
                for stream in streams:
                    await stream.unsubscribe()

        asyncio.run(asyncio.wait_for(live(), 4 * PATIENCE_S))

    def seen(self, frame):
        (body,) = frame.bodies.values()
        return round(float(body.positions[0][0]))


if __name__ == "__main__":
    unittest.main()
