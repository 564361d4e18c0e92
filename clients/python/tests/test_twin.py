"""Twins: worlds run here, by the program beside the package, and equal to the server's."""
import asyncio
import os
import time
import unittest

import msgpack
import numpy as np

from support import PATIENCE_S, ServerTest, weft


class Twins(ServerTest):
    def made(self, client):
        world = self.world(client, substeps=5)
        sheet = world.add_body("cloth", **weft.shapes.sheet(6, 5), name="sheet", pins=[0, 5])
        world.add_body("rope", **weft.shapes.rope(4, start=(3, 2, 0), end=(4, 2, 0)), pins=[0])
        return world, sheet

    def test_it_is_what_the_server_has(self):
        client = self.connect()
        world, sheet = self.made(client)
        wire = world.add_body("rope", **weft.shapes.rope(5, start=(0, 4, 0), end=(1, 4, 0)), pins=[0], clamps=[0],
                              rod={"radius": 0.002, "young": 1e8})
        world.step(10)
        with world.twin() as twin:
            self.assertEqual(twin.wait(10, equal=True).same_tick, 10)
            world.step(20)
            sheet.set(friction=0.7)
            world.step(10)
            moment = twin.wait(40, equal=True)
            self.assertEqual((moment.differences, moment.losses, moment.images, moment.records), (0, 0, 1, 1))
            moment = twin.look(["positions", "positions64", "velocities"], hash=True, measures=True)
            self.assertEqual(moment.hash, world.hash().hash)
            self.assertEqual((moment.tick, moment.playing, len(moment)), (40, False, 3))
            state = sheet.state(["positions", "positions64", "velocities"])
            for name in ("positions", "positions64", "velocities"):
                np.testing.assert_array_equal(getattr(moment[sheet], name), getattr(state, name))
            self.assertIs(moment["sheet"], moment[sheet])
            self.assertEqual([body.particles for body in moment], [30, 4, 5])
            turned, state = twin.look(["rotations", "rotations64"]), wire.state(["rotations", "rotations64"])
            for name in ("rotations", "rotations64"):
                self.assertEqual(getattr(state, name).shape, (5, 4))
                np.testing.assert_array_equal(getattr(turned[wire], name), getattr(state, name))
                self.assertIsNone(getattr(turned[sheet], name))
            self.assertAlmostEqual(moment.measures["kinetic"], world.measure().measures.kinetic, places=12)
            self.assertFalse(moment[sheet].positions.flags.writeable)
            one = twin.look(["velocities"], ["sheet"])
            self.assertEqual([(body.name, body.positions is None) for body in one], [("sheet", True)])
            self.assertEqual(len(twin.state()), 0)
            for wrong, error in ((lambda: twin.look("positions"), weft.Invalid), (lambda: twin.look(["colour"]), weft.Invalid),
                                 (lambda: twin.look(bodies=[77]), weft.Invalid), (lambda: twin.look(bodies=["x"]), weft.NotFound),
                                 (lambda: twin.wait(1000, timeout=0.05), weft.Timeout)):
                with self.assertRaises(error):
                    wrong()
            self.assertEqual(twin.state().tick, 40)  # none of that has hurt it
        with self.assertRaises(weft.Closed):
            twin.state()

    def test_it_follows(self):
        client = self.connect()
        world, _ = self.made(client)
        with world.twin() as twin:
            world.play()
            seen = []
            for moment in twin:
                seen.append(moment.tick)
                self.assertEqual(moment["sheet"].positions.shape, (30, 3))
                if moment.same_tick >= 30:
                    break
            self.assertEqual(seen, sorted(set(seen)))
            self.assertEqual(moment.differences, 0)
            self.assertLessEqual(moment.tick, world.get().tick)

    def test_what_is_not_there_is_said(self):
        client = self.connect()
        with self.assertRaises(weft.NotFound):
            client.world("nowhere").twin()
        world, _ = self.made(client)
        before = os.environ.get("WEFT_TWIN")
        os.environ["WEFT_TWIN"] = "/nowhere/weft-twin"
        try:
            with self.assertRaisesRegex(weft.ProgramError, "weft-twin"):
                world.twin()
        finally:
            del os.environ["WEFT_TWIN"]
            if before is not None:
                os.environ["WEFT_TWIN"] = before

    def test_a_world_that_goes_ends_it_with_a_reason(self):
        client = self.connect()
        world = client.create()
        twin = world.twin()
        self.addCleanup(twin.close)
        world.delete()
        with self.assertRaises(weft.NotFound):
            deadline = time.monotonic() + PATIENCE_S
            while time.monotonic() < deadline:
                twin.state()
                time.sleep(0.02)

    def test_the_program_believes_nothing_of_who_asks(self):
        client = self.connect()
        world, _ = self.made(client)
        for wrong in (b"\xc1", b"\xdf\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff" + bytes(1000), b"\x91" * 100):
            with world.twin() as twin:
                twin._process.stdin.write(wrong)
                twin._process.stdin.flush()
                with self.assertRaises(weft.Error):
                    twin.state()
                self.assertEqual(twin._process.wait(PATIENCE_S), 0)
        with world.twin() as twin:
            for odd in ([], 7, {"ask": "x"}, {"ask": 1001, "fields": 3}, {"ask": 1002, "bodies": [-1]}, {"ask": 1003, "bodies": {}}):
                twin._process.stdin.write(msgpack.packb(odd))
            self.assertEqual(len(twin.look()), 2)

    def test_asyncio(self):
        async def run():
            async with weft.aio.connect(self.server.address, timeout=PATIENCE_S) as client:
                async with await client.create(substeps=5) as world:
                    sheet = await world.add_body("cloth", **weft.shapes.sheet(4, 4), pins=[0])
                    async with await world.twin() as twin:
                        await world.play()
                        async for moment in twin:
                            if moment.tick >= 5:
                                break
                        await world.pause()
                        told = (await world.get()).tick
                        await twin.wait(told, equal=True)
                        moment = await twin.look(["positions64"], [sheet], hash=True)
                        self.assertEqual(moment.hash, (await world.hash()).hash)
                        np.testing.assert_array_equal(moment[sheet].positions64, (await sheet.state(["positions64"])).positions64)
                    with self.assertRaises(weft.Closed):
                        await twin.state()

        asyncio.run(run())


if __name__ == "__main__":
    unittest.main()
