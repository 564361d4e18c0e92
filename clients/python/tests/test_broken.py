"""What a client makes of servers that are silent, gone, too new, or speak nonsense; and of what is too large."""
import asyncio
import socket
import threading
import unittest

import msgpack
import numpy as np

import support
from support import PATIENCE_S, Server, ServerTest, Told, hello_answer, weft


def read_message(connection, unpacker):
    while True:
        for message in unpacker:
            return message
        data = connection.recv(65536)
        if not data:
            raise OSError("the client is gone")
        unpacker.feed(data)


def answering(then):
    """A script that answers session.hello as a weftd does, and then goes on by then(connection, unpacker)."""

    def script(connection):
        unpacker = msgpack.Unpacker(raw=False)
        message = read_message(connection, unpacker)
        assert message[2] == "session.hello", message
        connection.sendall(msgpack.packb([1, message[1], None, hello_answer()]))
        then(connection, unpacker)

    return script


def until_it_hangs_up(connection, unpacker):
    while connection.recv(65536):
        pass


class Broken(unittest.TestCase):
    def told(self, script):
        server = Told(script)
        self.addCleanup(server.close)
        return server

    def both(self, script, check, **options):
        """The same of the blocking and of the asyncio client: check(call, failure) with call() a way to call ping."""
        options.setdefault("timeout", PATIENCE_S)
        with self.subTest("blocking"):
            server = self.told(script)
            with weft.connect(server.address, **options) as client:
                check(client.ping)
        with self.subTest("asyncio"):
            server = self.told(script)

            async def run():
                async with weft.aio.connect(server.address, **options) as client:
                    failure = None
                    try:
                        await client.ping()
                    except weft.Error as error:
                        failure = error

                    def call():
                        if failure:
                            raise failure

                    check(call)

            asyncio.run(run())

    def test_a_silent_server_is_a_timeout_after_the_time_that_was_set(self):
        def check(call):
            with self.assertRaises(weft.Timeout) as caught:
                call()
            self.assertEqual(str(caught.exception), "TIMEOUT: server.ping: no answer within 0.2 s")
            self.assertIsInstance(caught.exception, TimeoutError)

        self.both(answering(until_it_hangs_up), check, timeout=0.2)

    def test_an_answer_that_comes_too_late_is_ignored(self):
        def late(connection, unpacker):
            first = read_message(connection, unpacker)
            second = read_message(connection, unpacker)
            for message, number in ((first, 1), (second, 2)):
                connection.sendall(msgpack.packb([1, message[1], None, {"time_us": number}]))
            until_it_hangs_up(connection, unpacker)

        with weft.connect(self.told(answering(late)).address, timeout=0.2) as client:
            with self.assertRaises(weft.Timeout):
                client.ping()
            client.timeout = PATIENCE_S
            self.assertEqual(client.ping().time_us, 2)

    def test_a_server_that_hangs_up_is_a_lost_connection(self):
        def check(call):
            with self.assertRaises(weft.ConnectionLost) as caught:
                call()
            self.assertEqual(caught.exception.code, "LOST")
            self.assertIsInstance(caught.exception, ConnectionError)

        self.both(answering(read_message), check)
        self.both(answering(lambda connection, unpacker: None), check)

    def test_what_the_server_said_before_it_hung_up_is_told(self):
        def words(connection, unpacker):
            read_message(connection, unpacker)
            connection.sendall(msgpack.packb([2, "error", [{
                "error": {"kind": 1, "code": "LIMIT", "text": "you talk too much", "limit": 5}, "method": ""}]]))

        def check(call):
            with self.assertRaises(weft.ConnectionLost) as caught:
                call()
            self.assertIn("LIMIT: you talk too much", str(caught.exception))
            self.assertEqual(caught.exception.__cause__.limit, 5)

        self.both(answering(words), check)

    def test_nonsense_is_a_bad_message_and_ends_the_connection(self):
        head = b"\x93\x02\xacstream.frame\x91\xde\x00\x04" + b"\xa6stream\xce\0\0\0\1\xa3seq\xce\0\0\0\1"
        head += b"\xa7dropped\xce\0\0\0\0\xa1_\xc4\x07" + bytes(7)
        for nonsense in (b"\xc1", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x94\x01\xc1", msgpack.packb([5, 5]),
                         msgpack.packb([2, "world.edited", [5]]), msgpack.packb({}), b"\x91" * 5000,
                         b"\x94\x01\x05\xc0\xdd\xff\xff\xff\xff" + bytes(100),
                         head.replace(b"\x00\x04", b"\x00\x05") + b"\xa6bodies\xc0"):
            def talk(connection, unpacker, nonsense=nonsense):
                read_message(connection, unpacker)
                connection.sendall(nonsense)
                until_it_hangs_up(connection, unpacker)

            def check(call):
                with self.assertRaises(weft.BadMessage):
                    call()

            self.both(answering(talk), check)

    def test_garbage_in_any_order_ends_in_an_error_and_never_hangs(self):
        rng = np.random.default_rng(9)
        for _ in range(60):
            garbage = rng.integers(0, 256, int(rng.integers(1, 3000)), dtype=np.uint8).tobytes()

            def talk(connection, unpacker):
                read_message(connection, unpacker)
                connection.sendall(garbage)

            with weft.connect(self.told(answering(talk)).address, timeout=PATIENCE_S) as client:
                with self.assertRaises(weft.Error):
                    client.ping()

    def test_a_server_that_is_too_new_is_refused(self):
        def too_new(connection):
            unpacker = msgpack.Unpacker(raw=False)
            message = read_message(connection, unpacker)
            connection.sendall(msgpack.packb([1, message[1], None, hello_answer(api_level=99, api_compatible=98)]))
            until_it_hangs_up(connection, unpacker)

        with self.assertRaises(weft.Version) as caught:
            weft.connect(self.told(too_new).address)
        self.assertIn("98", caught.exception.text)
        with self.assertRaises(weft.Version):
            asyncio.run(self.connected(self.told(too_new).address))

    @staticmethod
    async def connected(address):
        return await weft.aio.connect(address)

    def test_no_server_and_no_address_are_told_apart(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            address = "127.0.0.1:%d" % probe.getsockname()[1]
        for connect in (weft.connect, lambda address: asyncio.run(self.connected(address))):
            with self.assertRaises(weft.ConnectionLost) as caught:
                connect(address)
            self.assertIn(address, str(caught.exception))
            for ill in ("127.0.0.1:", "127.0.0.1:x", ":5", "[::1]x", "127.0.0.1:99999", "[::1]:"):
                with self.assertRaises(weft.Invalid) as caught:
                    connect(ill)
                self.assertEqual(caught.exception.field, "address")

    def test_a_server_that_takes_nothing_is_a_timeout_and_the_connection_is_lost(self):
        stop = threading.Event()
        self.addCleanup(stop.set)
        server = self.told(answering(lambda connection, unpacker: stop.wait(PATIENCE_S)))
        with weft.connect(server.address, timeout=0.3) as client:
            with self.assertRaises(weft.Timeout):
                client.world(1).add_body("points", np.zeros(7_000_000))
            with self.assertRaises(weft.ConnectionLost):
                client.ping()
        stop.set()

    def test_closing_wakes_whoever_waits_in_another_thread(self):
        asked = threading.Event()

        def hears(connection, unpacker):
            for _ in range(3):
                read_message(connection, unpacker)
            asked.set()
            until_it_hangs_up(connection, unpacker)

        client = weft.connect(self.told(answering(hears)).address, timeout=None)
        ended = []

        def wait():
            try:
                client.ping()
            except weft.Error as error:
                ended.append(type(error))

        threads = [threading.Thread(target=wait) for _ in range(3)]
        for thread in threads:
            thread.start()
        self.assertTrue(asked.wait(PATIENCE_S))
        client.close()
        client.close()
        for thread in threads:
            thread.join(PATIENCE_S)
        self.assertEqual(ended, [weft.Closed] * 3)
        with self.assertRaises(weft.Closed):
            client.ping()


class TooLarge(ServerTest):
    def test_what_is_above_the_limit_is_refused_before_it_is_sent(self):
        client = self.connect()
        world = self.world(client)
        with self.assertRaises(weft.Limit) as caught:
            world.add_body("points", np.zeros((3_000_000, 3)))
        self.assertEqual(caught.exception.limit, weft.LIMITS["message_bytes"])
        self.assertIn("body.add: 72000", caught.exception.text)
        self.assertEqual(client.ping().time_us > 0, True)

    def test_a_server_with_a_lower_limit_says_so(self):
        server = Server("--threads", "1", "--max-message-bytes", "100000")
        self.addCleanup(server.kill)
        with weft.connect(server.address, timeout=PATIENCE_S) as client:
            self.assertEqual(client.info().limits["message_bytes"], 100_000)
            world = client.create()
            with self.assertRaises(weft.ConnectionLost) as caught:
                world.add_body("points", np.zeros((100_000, 3)))
                client.ping()
            self.assertIn("LIMIT", str(caught.exception))
            client.reconnect()
            client.message_bytes = 100_000
            with self.assertRaises(weft.Limit):
                world.add_body("points", np.zeros((100_000, 3)))
        self.assertEqual(server.stop(), 0)

    def test_a_server_that_goes_down_is_a_lost_connection(self):
        server = Server("--threads", "1")
        self.addCleanup(server.kill)
        client = weft.connect(server.address, timeout=PATIENCE_S)
        self.addCleanup(client.close)
        world = client.create(gravity=[0, 0, 0])
        world.add_body("points", [[0, 0, 0]])
        call = client.submit("world.step", world=world, ticks=1_000_000_000)
        with weft.connect(server.address, timeout=PATIENCE_S) as other:
            while other.world(world.id).get().tick == 0:
                pass
        self.assertEqual(server.stop(), 0)
        try:
            # A step that was cut short may have been answered with how far it came.
            self.assertGreater(call.result().tick, 0)
        except (weft.ConnectionLost, weft.Shutdown):
            pass
        with self.assertRaises(weft.ConnectionLost):
            client.ping()


if __name__ == "__main__":
    unittest.main()
