#!/usr/bin/env python3
"""Streams of q16 and delta of a live server, read by the decoder that was written from docs/reference/compressed.md alone:
beside f32 of the same moments, with bodies that come, wishes that change, and a reader that leaves batches out."""

import os
import sys

from weft_peer import ServerTest, ext, main, numbers, sheet

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "clients", "python", "src"))
import numpy as np  # noqa: E402
from weft.compressed import Decoder, Tiles, decode_q16  # noqa: E402


class Viewer:
    """Frames of one stream as positions by body, with what they took."""

    def __init__(self, peer, world, stream):
        self.peer, self.world, self.stream = peer, world, stream
        self.decoders = {}
        self.bytes = self.vertices = 0
        self.last = {}

    def decoder(self, body, count, nth):
        if (body, nth) not in self.decoders:
            told = self.peer.call("body.get", world=self.world, body=body)
            corners = {"cloth": ("triangles", 3), "soft": ("tets", 4), "rope": ("edges", 2), "points": ("edges", 2)}
            name, width = corners[told["kind"]]
            elements = np.array(numbers(told[name], "I"), np.uint32).reshape(-1, width) if nth == 1 else ()
            self.decoders[body, nth] = Decoder(Tiles(count, elements).plan(0))
        return self.decoders[body, nth]

    def chunk(self, params, chunk):
        body, data = chunk["body"], chunk["positions"]
        assert "tiles" not in chunk
        self.bytes += len(data)
        self.vertices += chunk["count"]
        if params["encoding"] == "q16":
            return decode_q16(data, chunk["count"])[0]
        return self.decoder(body, chunk["count"], params.get("nth", 1)).decode(data)

    def read(self, params):
        """Positions by body of one part."""
        found = {chunk["body"]: self.chunk(params, chunk) for chunk in params["bodies"]}
        self.last = found
        return found


def floats(params):
    return {chunk["body"]: np.array(numbers(chunk["positions"]), np.float32).reshape(-1, 3)
            for chunk in params["bodies"]}


class Compressed(ServerTest):
    def add(self, peer, world, side, height=0.0):
        positions, triangles = sheet(side, side, 0.02, height)
        return peer.call("body.add", world=world, kind="cloth", positions=ext("f", positions),
                         triangles=ext("I", triangles), pins=[0, side - 1])["body"]

    def steps(self, peer, world, count, *rest):
        for _ in range(count):
            self.drain(peer, peer.call("world.step", world=world, ticks=1)["tick"], *rest)

    def drain(self, peer, tick, viewers, truth, seen):
        """Takes frames until each stream is at the tick."""
        at = {}

        def there():
            at.update((frame.params["stream"], frame.params["tick"]) for frame in peer.frames)
            return len(at) == len(viewers) + 1 and min(at.values()) >= tick

        peer.wait(there, what="the frames of a tick")
        waiting = []
        while peer.frames:
            params = peer.frames.popleft().params
            if params["stream"] in viewers:
                waiting.append(params)
            else:
                truth[params["tick"], params["revision"]] = floats(params)
        for params in waiting:
            viewer = viewers[params["stream"]]
            for body, positions in viewer.read(params).items():
                moment = params["tick"], params["revision"]
                if moment not in truth:  # this reader was late for it
                    continue
                true = truth[moment][body][::params.get("nth", 1)]
                most = params.get("tolerance", 2e-5)
                self.assertLessEqual(np.abs(positions.astype(np.float64) - true).max(), most)
                seen[params["stream"]] = seen.get(params["stream"], 0) + 1

    def test_every_moment_is_within_its_tolerance(self):
        peer = self.peer()
        world = self.world(peer)
        self.add(peer, world, 16)
        peer.call("stream.subscribe", world=world)
        wishes = [{"encoding": "q16"}, {"encoding": "delta"}, {"encoding": "delta", "tolerance": 1e-3, "nth": 3}]
        streams = [peer.call("stream.subscribe", world=world, **wish)["stream"] for wish in wishes]
        viewers = {stream: Viewer(peer, world, stream) for stream in streams}
        truth, seen = {}, {}
        self.steps(peer, world, 6, viewers, truth, seen)
        self.add(peer, world, 10, 1.0)
        self.steps(peer, world, 4, viewers, truth, seen)
        peer.call("stream.set", stream=streams[1], tolerance=1e-5)
        peer.call("stream.set", stream=streams[0], encoding="delta", tolerance=1e-2)
        peer.call("stream.set", stream=streams[2], encoding="q16", nth=1)
        self.steps(peer, world, 4, viewers, truth, seen)
        for stream in streams:
            self.assertGreater(seen[stream], 20)
        self.assertLess(viewers[streams[1]].bytes, 6 * viewers[streams[1]].vertices)

    def test_a_slow_reader_is_never_sent_what_it_cannot_read(self):
        writer, slow, other = self.peer(), self.peer(receive_buffer=4096), self.peer()
        world = self.world(writer, tick_rate=100, substeps=2)
        # Violent and fine, so that frames are large; a decoder in Python is slow by itself.
        body = self.add(writer, world, 70)
        stream = slow.call("stream.subscribe", world=world, encoding="delta", tolerance=1e-9, unit="substep")["stream"]
        other.call("stream.subscribe", world=world, encoding="delta", tolerance=1e-9, unit="substep")["stream"]
        writer.call("world.play", world=world)
        dropped = lambda: writer.call("world.get", world=world)["frames_dropped"]
        for _ in range(4):
            before = dropped()
            writer.until(lambda before=before: dropped() > before + 5, "frames that are dropped")
            slow.pump(0.01)
            while other.pump(0.001):
                pass
        tick = writer.call("world.pause", world=world)["tick"]
        last = {"tick": tick, "substep": 0, "stream": stream}
        slow.wait(lambda: slow.frames and last.items() <= slow.frames[-1].params.items(), what="the last frame")
        frames = [frame.params for frame in slow.frames if frame.params["stream"] == stream]
        self.assertGreater(sum(frame["dropped"] for frame in frames), 0)
        viewer = Viewer(writer, world, stream)
        moments = []
        for params in frames:
            moments.append((params["tick"], params["substep"]))
            viewer.read(params)  # NotHeld, if it were so
        self.assertEqual(moments, sorted(moments))
        # What it saw last is what there is.
        self.assertEqual(moments[-1], (tick, 0))
        told = writer.call("body.state", world=world, body=body, fields=["positions"])
        true = np.array(numbers(told["positions"], "d"), np.float64).reshape(-1, 3)
        self.assertLessEqual(np.abs(viewer.last[body] - true).max(), 1e-6)


if __name__ == "__main__":
    main()
