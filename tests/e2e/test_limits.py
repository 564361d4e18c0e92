#!/usr/bin/env python3
"""Limits of server.info, and heavy requests that must not stall anybody else."""

import struct

import msgpack

from weft_peer import ServerTest, WeftError, ext, main


class Limits(ServerTest):
    def test_a_million_vertices_as_a_plain_array_stall_no_other_session(self):
        heavy, other = self.peer(), self.peer()
        other.call("server.ping")  # whoever says nothing for long after it came is cut
        world = self.world(heavy)
        count = 1_000_000
        # Built by hand: [0, 1, "body.add", [{world, kind: "points", positions: [...]}]].
        body = b"".join((b"\x94\x00\x01\xa8body.add\x91\x83\xa5world\xce", struct.pack(">I", world),
                         b"\xa4kind\xa6points\xa9positions\xdd", struct.pack(">I", 3 * count),
                         b"\xca\x3f\x00\x00\x00" * (3 * count)))

        def beside():
            """Answers to somebody else from when all of it is on its way until it is answered."""
            heavy.send_raw(body)
            pings = 0
            while 1 not in heavy.answers:
                other.call("server.ping")
                pings += 1
                heavy.pump(0)
            error, result, _ = heavy.answers.pop(1)
            self.assertIsNone(error)
            self.assertEqual(result["particles"], count)
            return pings

        # Were it decoded where all are read, one or two. This program may lack the processor at times; once is enough.
        heavy.until(lambda: beside() > 10, "more than ten answers to somebody else meanwhile")

    def test_a_body_past_the_limit_of_particles_is_refused_by_name(self):
        peer = self.peer()
        world = self.world(peer)
        limit = peer.call("server.info")["limits"]["particles"]
        positions = msgpack.ExtType(0x17, bytes(12 * (limit + 1)))
        error = self.refused("LIMIT", peer, "body.add", world=world, kind="points", positions=positions)
        self.assertIn("particles", error.text)
        self.assertIn(str(limit), error.text.replace(",", "").replace(" ", ""))
        self.assertEqual(peer.call("world.get", world=world)["revision"], 0)

    def test_a_world_holds_no_more_colliders_than_the_limit(self):
        peer = self.peer()
        world = self.world(peer)
        limit = peer.call("server.info")["limits"]["colliders"]
        ids = [peer.request("collider.add", world=world, kind="plane") for _ in range(limit)]
        for msgid in ids:
            peer.answer(msgid)
        self.assertIn("colliders", self.refused("LIMIT", peer, "collider.add", world=world, kind="plane").text)
        self.assertEqual(peer.call("world.get", world=world)["revision"], limit)

    def test_there_are_no_more_worlds_than_the_limit(self):
        peer = self.peer()
        limit = peer.call("server.info")["limits"]["worlds"]
        made = []
        with self.assertRaises(WeftError) as caught:
            for _ in range(limit + 1):
                made.append(peer.call("world.create")["world"])
        self.assertEqual(caught.exception.code, "LIMIT")
        self.assertIn("worlds", caught.exception.text)
        for world in made:
            peer.call("world.delete", world=world)
        self.assertEqual(peer.call("world.list")["worlds"], [])

    def test_who_asks_more_than_it_reads_is_held_and_loses_nothing(self):
        peer, other = self.peer(receive_buffer=4096), self.peer()
        limit = other.call("server.info")["limits"]["reply_bytes"]
        before = other.bytes_in
        other.call("server.info")
        size = other.bytes_in - before
        # Far more than may wait unsent, and than the kernels take besides: Linux gives a socket 4 MiB at most.
        count = 3 * (limit + (4 << 20)) // size
        asked = other.call("server.stats")["requests"]
        peer.send_raw(b"".join(msgpack.packb([0, msgid, "server.info", []]) for msgid in range(1, count + 1)))
        held_at = other.steady(lambda stats: stats["requests"]) - asked
        print(f"\n{held_at} of {count} requests were taken while nothing was read, {size} bytes each")
        self.assertGreater(held_at, limit // size)
        self.assertLess(held_at, count * 2 // 3)
        for msgid in range(1, count + 1):
            self.assertEqual(peer.answer(msgid)["name"], "weft")

    def test_hundreds_of_requests_at_once_to_a_busy_world_are_all_answered(self):
        peer = self.peer()
        world = self.world(peer)
        peer.call("body.add", world=world, kind="points", positions=[0, 0, 0])
        peer.send_raw(b"".join(msgpack.packb([0, msgid, "world.get", [{"world": world}]])
                               for msgid in range(1000, 6000)))
        for msgid in range(1000, 6000):
            self.assertEqual(peer.answer(msgid)["world"], world)

    def test_long_bodies_have_all_their_edges_once(self):
        peer = self.peer()
        world = self.world(peer)
        count = 200_000
        positions = []
        for index in range(count):
            positions += [index % 1000 * 0.1, index // 1000 * 0.1, 0]
        edges = [particle for index in range(count - 1) if index % 1000 != 999 for particle in (index, index + 1)]
        added = peer.call("body.add", world=world, kind="rope", positions=ext("f", positions),
                          edges=ext("I", edges + edges))
        self.assertEqual(added["constraints"]["distance"]["count"], len(edges) // 2)


if __name__ == "__main__":
    main()
