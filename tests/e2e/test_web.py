#!/usr/bin/env python3
"""The same server over WebSockets: a public client (Debian's python3-websockets), and the bytes beside those on TCP."""

import asyncio
import functools
import struct

import msgpack
import websockets

from web_peer import BINARY, WebPeer, WebServerTest, fetch, frame
from weft_peer import PATIENCE_S, Server, ext, ext_hook, main, numbers, sheet


def unpack(data):
    return msgpack.unpackb(data, raw=False, strict_map_key=False, ext_hook=ext_hook)


class Client:
    """Calls and frames over the public client."""

    def __init__(self, socket):
        self.socket, self.next_id, self.frames, self.notices = socket, 0, [], []

    async def receive(self):
        data = await asyncio.wait_for(self.socket.recv(), PATIENCE_S)
        message = unpack(data)
        if message[0] == 2 and message[1] == "stream.frame":
            self.frames.append((message[2][0], data))
        elif message[0] == 2:
            self.notices.append((message[1], message[2][0]))
        return message

    async def call(self, method, **fields):
        self.next_id += 1
        await self.socket.send(msgpack.packb([0, self.next_id, method, [fields]]))
        while True:
            message = await self.receive()
            if message[0] == 1:
                if message[2] is not None:
                    raise AssertionError(message[2])
                assert message[1] == self.next_id
                return message[3]

    async def frame(self, found):
        while True:
            while self.frames:
                params, data = self.frames.pop(0)
                if found(params):
                    return params, data
            await self.receive()

    async def notice(self, method):
        while True:
            for notice in self.notices:
                if notice[0] == method:
                    self.notices.remove(notice)
                    return notice[1]
            await self.receive()


class PublicClient(WebServerTest):
    def run_async(self, coroutine):
        asyncio.run(asyncio.wait_for(coroutine, 4 * PATIENCE_S))

    def connect(self, **options):
        return websockets.connect(f"ws://{self.server.http}/ws", max_size=None, **options)

    def test_calls_edits_and_frames_of_several_clients(self):
        async def scenario():
            async with self.connect() as first, self.connect() as second:
                one, two = Client(first), Client(second)
                await one.call("session.hello", client="one", user="ada", errors="map")
                await two.call("session.hello", client="two", user="bob")
                world = (await one.call("world.create", name="shared"))["world"]
                await two.call("world.join", world=world)
                positions, triangles = sheet(10, 10)
                body = (await one.call("body.add", world=world, kind="cloth", positions=ext("f", positions),
                                       triangles=ext("I", triangles), pins=[0, 9]))["body"]
                edited = await two.notice("world.edited")
                self.assertEqual((edited["method"], edited["user"]), ("body.add", "ada"))
                stream = (await two.call("stream.subscribe", world=world))["stream"]
                params, _ = await two.frame(lambda params: params["stream"] == stream)
                self.assertEqual(params["tick"], 0)
                self.assertEqual(numbers(params["bodies"][0]["positions"]), [struct.unpack("<f", struct.pack(
                    "<f", value))[0] for value in positions])
                await one.call("world.play", world=world)
                await two.frame(lambda params: params["tick"] >= 20)
                grab = await two.call("grab.begin", world=world, body=body, particle=45, target=[0.5, 1.0, 0.5],
                                      compliance=0.0)
                self.assertGreater(grab["grab"], 0)
                await one.call("world.pause", world=world)
                await one.call("world.step", world=world, ticks=1)
                state = await one.call("body.state", world=world, body=body, fields=["positions"])
                params, data = await two.frame(lambda params: params["tick"] == state["tick"])
                self.assertEqual(numbers(params["bodies"][0]["positions"]), numbers(state["positions"]))
                # What the client was sent can be viewed where it lies: at a multiple of 8 from the message's start.
                payload = struct.pack(f"<{len(positions)}f", *numbers(state["positions"]))
                self.assertEqual(data.index(payload) % 8, 0)
                await one.call("world.delete", world=world)
                self.assertEqual((await two.notice("stream.closed"))["stream"], stream)
        self.run_async(scenario())

    def test_large_messages_go_both_ways(self):
        async def scenario():
            async with self.connect() as socket:
                client = Client(socket)
                world = (await client.call("world.create", name="large"))["world"]
                count = 200_000
                positions = [float(index % 1000) for index in range(3 * count)]
                data = msgpack.packb([0, 999, "body.add", [{"world": world, "kind": "points",
                                                            "positions": ext("f", positions)}]])
                # In fragments of 100 kB.
                await socket.send([data[at:at + 100_000] for at in range(0, len(data), 100_000)])
                answer = await client.receive()
                self.assertIsNone(answer[2])
                state = await client.call("body.state", world=world, body=answer[3]["body"], fields=["positions"])
                self.assertEqual(numbers(state["positions"]), positions)
                await client.call("world.delete", world=world)
        self.run_async(scenario())

    def test_pings_are_answered_and_a_close_is_in_order(self):
        async def scenario():
            async with self.connect() as socket:
                await asyncio.wait_for(await socket.ping(b"are you there"), PATIENCE_S)
                await Client(socket).call("server.ping")
            self.assertEqual((socket.close_code, socket.close_reason), (1000, ""))
            async with self.connect() as socket:
                await socket.close(4321, "because")
                self.assertEqual((socket.close_code, socket.close_reason), (4321, ""))  # the code is given back
        self.run_async(scenario())

    def test_text_is_refused_with_1003(self):
        async def scenario():
            async with self.connect() as socket:
                await socket.send('["server.ping"]')
                with self.assertRaises(websockets.ConnectionClosedError) as caught:
                    await asyncio.wait_for(socket.recv(), PATIENCE_S)
                self.assertEqual(caught.exception.rcvd.code, 1003)
        self.run_async(scenario())

    def test_no_extension_is_agreed_on_and_origins_are_looked_at(self):
        async def scenario():
            async with self.connect(compression="deflate") as socket:
                # Where it is told moved with the package's versions, and so did what a refusal is.
                self.assertEqual(getattr(socket, "protocol", socket).extensions, [])
                await Client(socket).call("server.ping")
            async with self.connect(origin=f"http://{self.server.http}") as socket:
                await Client(socket).call("server.ping")
            with self.assertRaises(websockets.InvalidHandshake) as caught:
                async with self.connect(origin="http://evil.example"):
                    pass
            refusal = caught.exception
            self.assertEqual(refusal.response.status_code if hasattr(refusal, "response") else refusal.status_code, 403)
        self.run_async(scenario())

    def test_twenty_clients_see_the_same(self):
        async def viewer(world, ready):
            async with self.connect() as socket:
                client = Client(socket)
                await client.call("stream.subscribe", world=world)
                ready.release()
                shared = {}
                while True:
                    params, data = await client.frame(lambda params: True)
                    shared[params["tick"]] = data[64:]
                    if params["tick"] == 30:
                        return shared

        async def scenario():
            async with self.connect() as socket:
                client = Client(socket)
                world = (await client.call("world.create", name="watched"))["world"]
                positions, triangles = sheet(20, 20)
                await client.call("body.add", world=world, kind="cloth", positions=ext("f", positions),
                                  triangles=ext("I", triangles))
                ready = asyncio.Semaphore(0)
                viewers = [asyncio.create_task(viewer(world, ready)) for _ in range(20)]
                for _ in viewers:
                    await ready.acquire()
                await client.call("world.step", world=world, ticks=30)
                seen = await asyncio.gather(*viewers)
                for other in seen[1:]:
                    for tick in set(other) & set(seen[0]):
                        self.assertEqual(other[tick], seen[0][tick])
                await client.call("world.delete", world=world)
        self.run_async(scenario())


class SameBytes(WebServerTest):
    """Frames on a WebSocket are those on TCP, but for their heads."""

    def setUp(self):
        super().setUp()
        self.tcp = self.peer()
        self.at = self.world(self.tcp, bending="swept", long_edges=False)

    @functools.cached_property
    def ws(self):
        """It comes once the bodies are there: who does not answer pings while they are made may be cut."""
        return self.web()

    def cloth(self, side):
        positions, triangles = sheet(side, side, 0.02)
        return self.tcp.call("body.add", world=self.at, kind="cloth", positions=ext("f", positions),
                             triangles=ext("I", triangles), pins=[0])["body"]

    def messages(self, peer, stream, tick):
        """Messages of the stream up to the last of that tick."""
        found = []
        while True:
            got = peer.frame(stream)
            found.append(got)
            if got.params["tick"] == tick and got.params["part"] + 1 == got.params["parts"]:
                return found

    def compare(self, ticks, **subscription):
        streams = [peer.call("stream.subscribe", world=self.at, **subscription)["stream"]
                   for peer in (self.tcp, self.ws)]
        both = [], []
        for tick in range(1, ticks + 1):
            # One tick at a time: a stepped world does not wait for its readers.
            self.tcp.call("world.step", world=self.at, ticks=1)
            for peer, stream, found in zip((self.tcp, self.ws), streams, both):
                found += self.messages(peer, stream, tick)
        # Each got a frame of the present first, as of when it came; all else must be the same.
        self.assertEqual([message.raw[64:] for message in both[0]], [message.raw[64:] for message in both[1]])
        self.assertGreater(len(both[0]), ticks)
        for tcp, ws in zip(*both):
            self.assertEqual(len(tcp.raw), len(ws.raw))
            for key in ("seq", "dropped", "tick", "substep", "part", "parts", "revision"):
                self.assertEqual(tcp.params[key], ws.params[key])
        return both[1]

    def test_positions(self):
        self.cloth(8)
        self.compare(5)

    def test_all_fields_of_all_substeps(self):
        self.cloth(6)
        self.cloth(3)
        self.compare(3, fields=["positions", "positions64", "velocities", "normals", "measures", "grabs"],
                     unit="substep", every=1)

    def test_frames_in_parts(self):
        self.cloth(220)  # 0.58 MB of positions
        parts = self.compare(3)
        self.assertEqual(parts[0].params["parts"], 3)

    def test_other_encodings(self):
        self.cloth(8)
        for arrays in ("bin", "plain"):
            for peer in (self.tcp, self.ws):
                peer.call("session.hello", arrays=arrays)
            with self.subTest(arrays=arrays):
                self.tcp.call("world.get", world=self.at)
                before = self.tcp.call("world.get", world=self.at)["tick"]
                streams = [peer.call("stream.subscribe", world=self.at)["stream"] for peer in (self.tcp, self.ws)]
                self.tcp.call("world.step", world=self.at, ticks=1)
                raws = [peer.frame(stream, found=lambda params: params["tick"] == before + 1).raw
                        for peer, stream in zip((self.tcp, self.ws), streams)]
                self.assertEqual(raws[0][64:], raws[1][64:])

    def test_answers_are_the_same_too(self):
        body = self.cloth(5)
        for method, fields in (("world.get", {"world": self.at}), ("body.get", {"world": self.at, "body": body}),
                               ("server.info", {}), ("body.state", {"world": self.at, "body": body})):
            self.assertEqual(self.tcp.call(method, **fields), self.ws.call(method, **fields))


class Sessions(WebServerTest):
    ARGUMENTS = ("--threads", "2", "--max-sessions", "3", "--max-message-bytes", "100000")

    def setUp(self):
        super().setUp()
        websockets_open = 'weft_sessions{transport="websocket"}'
        self.wait_for(lambda: self.metrics()[0][websockets_open] == 0, "the end of the last test's")

    def test_sessions_of_both_ways_are_bounded_together(self):
        tcp, ws = self.peer(), self.web()
        tcp.call("server.ping")
        self.assertEqual(ws.call("server.stats")["sessions"], 2)
        third = self.web()
        third.call("server.ping")
        with self.assertRaisesRegex(Exception, "refused with 503"):
            self.web()
        with self.server.peer() as another:
            told = another.expect_end()
            self.assertEqual(told[0].method, "error")
            self.assertIn("(limit sessions = 3)", told[0].params["error"][1])
        self.assertEqual(third.leave()[0], 1000)
        self.wait_for(lambda: tcp.call("server.stats")["sessions"] == 2, "the end of the third")
        self.web().call("server.ping")
        self.assertEqual(fetch(self.server.http, "/healthz").status, 200)  # never in the sessions' way

    def test_a_message_that_is_too_large_is_told_and_closed_with_1009(self):
        ws = self.web(hello={"errors": "map"})
        ws.send_bytes(frame(BINARY, size=100_001))
        told = ws.expect_code(1009)
        self.assertEqual(told[0].params["error"]["code"], "LIMIT")
        self.assertEqual(told[0].params["error"]["limit"], 100_000)

    def test_what_is_no_messagepack_rpc_is_told_and_closed_with_1007(self):
        for data in (b"\xc1", b"", b"\xc0\xc0", b"\x94\x00\x01", msgpack.packb({"a": 1}), b"GET / HTTP/1.1\r\n\r\n",
                     msgpack.packb([0, 1, "server.ping", []]) * 2):
            with self.subTest(data=data):
                ws = self.web()
                ws.send_raw(data)
                told = ws.expect_code(1007)
                self.assertEqual([notice.method for notice in told], ["error"])
                self.assertTrue(told[0].params["error"][1].startswith("PROTOCOL: "), told)
                ws.close()

    def test_the_server_goes_down_with_1001(self):
        server = Server("--threads", "1", http="127.0.0.1:0")
        self.addCleanup(server.kill)
        with WebPeer(server.http) as ws:
            ws.call("world.create", name="x")
            server.signal(15)
            ws.expect_code(1001)
            self.assertEqual(ws.closed_with[1], "the server goes down")
        self.assertEqual(server.wait(), 0)


if __name__ == "__main__":
    main()
