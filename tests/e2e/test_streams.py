#!/usr/bin/env python3
"""Streams under load: equal subscribers, slow readers, vanished ones."""

from weft_peer import ServerTest, ext, main, numbers, sheet


class Streams(ServerTest):
    def cloth(self, peer, side, **settings):
        world = self.world(peer, **settings)
        positions, triangles = sheet(side, side, 0.02)
        peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions),
                  triangles=ext("I", triangles), pins=[0, side - 1])
        return world

    def test_equal_subscribers_get_equal_bytes_but_for_the_head(self):
        peers = [self.peer() for _ in range(3)]
        world = self.cloth(peers[0], 20)
        # Different streams, joined at different times.
        streams = []
        for index, peer in enumerate(peers):
            for _ in range(index):
                extra = peer.call("stream.subscribe", world=world)["stream"]
                peer.call("stream.unsubscribe", stream=extra)
            streams.append(peer.call("stream.subscribe", world=world, fields=["positions", "normals"])["stream"])
        peers[0].call("world.step", world=world, ticks=5)
        bodies = [peer.frame(stream, found=lambda params: params["tick"] == 5).raw[64:]
                  for peer, stream in zip(peers, streams)]
        self.assertEqual(bodies[0], bodies[1])
        self.assertEqual(bodies[0], bodies[2])

    def test_who_never_reads_slows_nobody(self):
        idle, busy, other = self.peer(receive_buffer=4096), self.peer(), self.peer()
        other.call("server.ping")  # whoever says nothing for long after it came is cut
        world = self.cloth(busy, 60, tick_rate=100, substeps=2)
        idle.call("stream.subscribe", world=world, unit="substep", fields=["positions64", "velocities"])
        stream = busy.call("stream.subscribe", world=world)["stream"]
        busy.frame(stream)
        busy.call("world.play", world=world)
        ticks, dropped = [], 0

        def enough():
            nonlocal dropped
            while busy.frames:
                frame = busy.frames.popleft().params
                ticks.append(frame["tick"])
                dropped += frame["dropped"]
            return len(ticks) > 60 and other.call("world.get", world=world)["frames_dropped"] > dropped

        busy.wait(enough, what="frames beside one that never reads")
        tick = other.call("world.pause", world=world)["tick"]
        self.assertEqual(ticks, sorted(set(ticks)))
        self.assertEqual(ticks[-1] - ticks[0] + 1, len(ticks) + dropped)
        # The one that never read finds the newest when it reads at last, and is told what it missed.
        newest = idle.frame(found=lambda params: params["tick"] == tick).params
        self.assertEqual(newest["substep"], 0)
        self.assertGreater(idle.notice("stream.lagged")["dropped"], 0)

    def test_a_slow_reader_gets_whole_batches_in_order(self):
        peer = self.peer(receive_buffer=4096)
        world = self.cloth(peer, 60, tick_rate=100, substeps=5)
        stream = peer.call("stream.subscribe", world=world, unit="substep")["stream"]
        peer.call("world.play", world=world)
        with self.server.peer() as other:
            other.until(lambda: other.call("world.get", world=world)["frames_dropped"] > 20, "frames that are dropped")
            tick = other.call("world.pause", world=world)["tick"]
        last = {"tick": tick, "substep": 0, "stream": stream}
        peer.wait(lambda: peer.frames and last.items() <= peer.frames[-1].params.items(), what="the last frame")
        frames = [frame.params for frame in peer.frames if frame.params["stream"] == stream]
        moments = [5 * frame["tick"] + frame["substep"] for frame in frames]
        self.assertEqual(moments, sorted(set(moments)))
        self.assertGreater(sum(frame["dropped"] for frame in frames), 0)
        for earlier, later in zip(frames, frames[1:]):
            gap = 5 * (later["tick"] - earlier["tick"]) + later["substep"] - earlier["substep"]
            self.assertEqual(later["dropped"], gap - 1, "dropped counts since the last frame delivered")
            self.assertEqual(later["seq"], earlier["seq"] + 1)
            if gap > 1 and later is not frames[-1]:
                # Batches are dropped whole: the first after a gap is the first substep of a tick.
                self.assertEqual(later["substep"], 1)
        # Or the present, which a resting world sends to a client that missed its last frame.
        self.assertEqual((frames[-1]["tick"], frames[-1]["substep"]), (tick, 0))

    def test_who_takes_nothing_for_a_while_rests_and_goes_on_where_the_world_is(self):
        """Nothing is made for a reader that takes nothing; when it reads again it gets the newest, and is told all."""
        peer = self.peer(receive_buffer=4096)
        other = self.peer()
        world = self.cloth(peer, 60, tick_rate=100, substeps=1)
        stream = peer.call("stream.subscribe", world=world)["stream"]
        peer.call("world.play", world=world)
        # Nothing is read: the stream is full soon, and rests.
        other.until(lambda: other.call("world.get", world=world)["frames_dropped"] > 60, "frames that are dropped")

        def rests():
            """Whether nothing is made in some ticks."""
            nonlocal after
            made, before = other.call("server.stats")["frames_sent"], other.call("world.get", world=world)
            other.until(lambda: other.call("world.get", world=world)["tick"] >= before["tick"] + 10, "ticks")
            after = other.call("world.get", world=world)
            missed = after["frames_dropped"] - before["frames_dropped"]
            return missed >= after["tick"] - before["tick"] - 1 and other.call("server.stats")["frames_sent"] == made

        after = None
        other.until(rests, "rest")
        live = peer.frame(stream, found=lambda params: params["tick"] > after["tick"]).params
        self.assertGreaterEqual(live["dropped"], 9)
        for _ in range(20):  # and from now on it lives on
            later = peer.frame(stream).params
            self.assertEqual(later["tick"], live["tick"] + 1 + later["dropped"])
            live = later
        peer.notice("stream.lagged", found=lambda params: params["dropped"] > 0)

    def test_a_reply_waits_for_no_more_than_a_part_of_a_frame(self):
        peer = self.peer(receive_buffer=65536)
        world = self.cloth(peer, 400, substeps=1)
        stream = peer.call("stream.subscribe", world=world, fields=["positions64", "velocities", "normals"])["stream"]
        frame = peer.frame(stream, found=lambda params: params["part"] == 0)
        self.assertGreater(frame.params["parts"], 20)
        # The rest of the first frame is under way, until the kernels hold what they can. The answer overtakes it but for
        # that, and for the write under way, which is one part. Nothing is read meanwhile: else parts would pass that had
        # not left when it was asked for.
        other = self.peer()
        other.steady(lambda stats: stats["bytes_out"] - other.bytes_in)
        ping = peer.request("server.ping")
        for _ in range(10):  # turns of the loop, in which it is read and answered
            other.fence()
        peer.answer(ping)
        taken = len(peer.frames)
        part = len(frame.raw)
        print(f"\nthe answer came after {taken} of {frame.params['parts']} parts of {part / 1e3:.0f} kB")
        self.assertGreater(part, 200_000)
        self.assertLessEqual(taken, 1 + 4)

    def test_a_reader_that_vanishes_leaves_no_stream_behind(self):
        watcher = self.peer()
        world = self.cloth(watcher, 30)
        watcher.call("world.play", world=world)
        before = watcher.call("server.stats")["sessions"]
        for _ in range(20):
            peer = self.server.peer(receive_buffer=4096)
            peer.call("stream.subscribe", world=world, unit="substep")
            peer.close()
        watcher.until(lambda: watcher.call("server.stats")["sessions"] == before, "the end of the sessions")
        watcher.until(lambda: watcher.call("world.get", world=world)["streams"] == 0, "the end of the streams")

    def test_streams_count_against_the_limit_of_a_session(self):
        peer = self.peer()
        world = self.world(peer)
        limit = peer.call("server.info")["limits"]["streams"]
        for _ in range(limit):
            peer.call("stream.subscribe", world=world)
        self.assertIn("streams", self.refused("LIMIT", peer, "stream.subscribe", world=world).text)
        self.assertEqual(peer.call("world.get", world=world)["streams"], limit)

    def test_frames_go_on_through_a_reset(self):
        peer = self.peer()
        world = self.cloth(peer, 5)
        stream = peer.call("stream.subscribe", world=world, fields=["positions64"])["stream"]
        start = numbers(peer.frame(stream).params["bodies"][0]["positions64"])
        peer.call("world.step", world=world, ticks=10)
        moved = peer.frame(stream, found=lambda params: params["tick"] == 10).params
        self.assertNotEqual(numbers(moved["bodies"][0]["positions64"]), start)
        peer.call("world.reset", world=world)
        again = peer.frame(stream, found=lambda params: params["revision"] == 2).params
        self.assertEqual(again["tick"], 10)
        self.assertEqual(numbers(again["bodies"][0]["positions64"]), start)


class AllFrames(ServerTest):
    """The frames of all worlds have one budget: who holds most of it goes, and nobody else is left without room."""

    ARGUMENTS = ("--server-frame-bytes", str(6 << 20))

    def test_who_holds_most_goes_whichever_world_lacks_room(self):
        idle, reader = self.peer(receive_buffer=4096), self.peer()
        self.assertEqual(reader.call("server.info")["limits"]["server_frame_bytes"], 6 << 20)
        worlds = []
        for name, side in (("most", 60), ("less", 30)):
            positions, triangles = sheet(side, side, 0.02)
            worlds.append(self.world(reader, name=name, tick_rate=100, substeps=100))
            reader.call("body.add", world=worlds[-1], kind="cloth", positions=ext("f", positions),
                        triangles=ext("I", triangles), pins=[0, side - 1])
        # A tick has 4.3 MB of frames here and 1.1 MB there, and three quarters of 6 MiB are for whoever comes first.
        idle.call("stream.subscribe", world=worlds[0], unit="substep")
        reader.call("world.step", world=worlds[0])
        reader.call("stream.subscribe", world=worlds[1], unit="substep")
        reader.call("world.step", world=worlds[1])
        self.assertEqual(reader.notice("stream.lagged")["reason"], "no_room")
        idle.expect_end()

        def whole_tick():
            """The world that lacked room has all that it wants once the other has let go, and its reader has taken what there is."""
            reader.steady(lambda stats: stats["bytes_out"] - reader.bytes_in)
            dropped = reader.call("world.get", world=worlds[1])["frames_dropped"]
            reader.call("world.step", world=worlds[1])
            return reader.call("world.get", world=worlds[1])["frames_dropped"] == dropped

        reader.until(whole_tick, "a tick without loss")


if __name__ == "__main__":
    main()
