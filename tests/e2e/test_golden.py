#!/usr/bin/env python3
"""One script of edits gives one row of state hashes: on one thread or four, whichever compiler built the
server, stepped by hand or cut up, near the origin or far from it. The hashes are kept in tests/golden/.

    test_golden.py --write      writes them again (only when the state or its order was changed on purpose)
"""

import json
import os
import sys
import unittest
from pathlib import Path

from weft_peer import Server, ext, sheet

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "way_round.json"
SIDE = 24


def script(peer, name, offset=(0.0, 0.0, 0.0)):
    """Runs the script in a world of its own and returns {moment: hash}."""
    hashes = {}

    def at(x, y, z):
        return [x + offset[0], y + offset[1], z + offset[2]]

    def mark(moment):
        hashes[moment] = peer.call("world.hash", world=name)["hash"]

    peer.call("world.create", name=name, damping=0.25, substeps=10, long_edges=False, bending="swept", sleep=False,
              calm=False)
    mark("empty")
    peer.call("collider.add", world=name, kind="plane", position=at(0, 0, 0), normal=[0.1, 1, 0], friction=0.4)
    peer.call("collider.add", world=name, kind="sphere", name="ball", position=at(1, 0.75, 1), radius=0.5,
              friction=0.25)
    positions, triangles = sheet(SIDE, SIDE, 0.09375, height=1.5)
    shifted = [positions[index] + offset[index % 3] for index in range(len(positions))]
    cloth = peer.call("body.add", world=name, name="cloth", kind="cloth", positions=ext("d", shifted),
                      triangles=ext("I", triangles), thickness=0.015625, density=0.25,
                      stretch={"compliance": 1e-6, "damping": 20.0}, pins=[0])["body"]
    rope_at = [value for index in range(9) for value in at(0.25 * index, 2.5, -0.5)]
    peer.call("body.add", world=name, name="rope", kind="rope", positions=ext("d", rope_at),
              edges=[particle for index in range(8) for particle in (index, index + 1)], masses=0.125,
              pins=[0, 8])
    points = peer.call("body.add", world=name, kind="points", positions=ext("d", at(0.5, 3, 0.5) + at(1, 3, 1)),
                       velocities=[1.0, 0, 0, 0, -1.0, 0.5])["body"]
    mark("made")
    peer.call("world.step", world=name, ticks=20)
    mark("20")
    grab = peer.call("grab.begin", world=name, body=cloth, particle=SIDE * SIDE - 1, target=at(2, 2.5, 2),
                     compliance=0.0005)["grab"]
    loose = peer.call("constraint.add", world=name, bodies=[cloth, points], particles=[5, 0], rest=[0.5],
                      compliance=[0.001])["constraints"]
    peer.call("particle.pin", world=name, body="rope", particles=[8], positions=ext("d", at(1.5, 2.75, -0.25)))
    peer.call("world.step", world=name, ticks=15)
    mark("35")
    peer.call("grab.move", world=name, grab=grab, target=at(1, 2.75, 2.5))
    peer.call("collider.set", world=name, collider="ball", position=at(1.25, 0.75, 1))
    peer.call("constraint.remove", world=name, constraints=list(loose))
    peer.call("constraint.remove", world=name, constraints=[3, 40, 41, 700])
    peer.call("constraint.add", world=name, body="cloth", particles=[3, 60, 61, 300], compliance=0.01)
    peer.call("particle.set", world=name, body=points, particles=[1], positions=ext("d", at(1, 2, 1)),
              inverse_masses=[25.0])
    peer.call("world.set", world=name, iterations=2, gravity=[0.5, -9.81, 0.25])
    peer.call("world.step", world=name, ticks=25)
    mark("60")
    peer.call("grab.end", world=name, grab=grab)
    peer.call("particle.unpin", world=name, body=cloth, particles=[0])
    peer.call("body.set", world=name, body="rope", stretch={"compliance": 0.0001, "damping": 5.0})
    peer.call("body.remove", world=name, body=points)
    peer.call("world.step", world=name, ticks=40)
    mark("100")
    peer.call("world.reset", world=name)
    mark("reset")
    peer.call("world.step", world=name, ticks=10)
    mark("after reset")
    return hashes


class Golden(unittest.TestCase):
    maxDiff = None

    def run_with(self, *arguments, name="golden", peers=0):
        server = Server(*arguments)
        try:
            with server.peer() as peer:
                for index in range(peers):
                    # Company, so that ticks fall to whichever thread is free.
                    peer.call("world.create", name=f"company {index}")
                    peer.call("body.add", world=f"company {index}", kind="points", positions=[0, 0, 0])
                    peer.call("world.set", world=f"company {index}", gravity=[0, 0, 0])
                    peer.call("world.play", world=f"company {index}")
                return script(peer, name)
        finally:
            self.assertEqual(server.stop(), 0)

    def test_hashes_are_the_golden_ones_on_one_thread(self):
        self.assertEqual(self.run_with("--threads", "1"), json.loads(GOLDEN.read_text())["hashes"])

    def test_hashes_are_the_golden_ones_on_four_threads_in_company(self):
        self.assertEqual(self.run_with("--threads", "4", name="another name", peers=3),
                         json.loads(GOLDEN.read_text())["hashes"])

    def test_every_moment_has_a_hash_of_its_own(self):
        hashes = json.loads(GOLDEN.read_text())["hashes"]
        self.assertEqual(len(set(hashes.values())), len(hashes))

    def test_motion_is_the_same_far_from_the_origin(self):
        """Shifted by whole quanta, the same script moves by the same quanta."""
        server = Server("--threads", "2")
        try:
            with server.peer() as peer:
                far = (4096.0, -512.0, 65536.0)
                script(peer, "near")
                script(peer, "far", far)
                for body in ("cloth", "rope"):
                    states = [peer.call("body.state", world=name, body=body, fields=["positions64", "velocities"])
                              for name in ("near", "far")]
                    self.assertEqual(states[0]["velocities"], states[1]["velocities"])
                    for index, (near, there) in enumerate(zip(states[0]["positions64"], states[1]["positions64"])):
                        self.assertEqual(near + far[index % 3], there)
        finally:
            self.assertEqual(server.stop(), 0)


def write():
    server = Server("--threads", "2")
    try:
        with server.peer() as peer:
            hashes = script(peer, "golden")
    finally:
        server.stop()
    GOLDEN.write_text(json.dumps({"doc": "State hashes of the script in tests/e2e/test_golden.py, by moment.",
                                  "hashes": hashes}, indent=2) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        os.environ.setdefault("WEFTD", "build/release/bin/weftd")
        write()
    else:
        unittest.main()
