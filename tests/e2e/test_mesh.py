#!/usr/bin/env python3
"""A mesh that nobody here made: sent by a test, and by the demo's driver through libweft."""

import math
import os
import signal
import subprocess
from pathlib import Path

from weft_peer import PATIENCE_S, ServerTest, ext, main, numbers

SCENES = Path(__file__).resolve().parent.parent / "scenes"


def read_obj(path):
    positions, triangles = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            positions += map(float, words[1:4])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) - 1 for word in words[1:]]
            for index in range(1, len(corners) - 1):
                triangles += [corners[0], corners[index], corners[index + 1]]
    return positions, triangles


class Mesh(ServerTest):
    def setUp(self):
        super().setUp()
        self.positions, self.triangles = read_obj(SCENES / "wuson.obj")
        triangles = [self.triangles[at:at + 3] for at in range(0, len(self.triangles), 3)]
        self.edges = {tuple(sorted((triangle[k], triangle[(k + 1) % 3]))) for triangle in triangles for k in range(3)}

    def test_a_mesh_becomes_a_cloth_with_each_edge_once_and_comes_to_lie_on_the_floor(self):
        peer = self.peer()
        world = self.world(peer, damping=1.0)
        peer.call("collider.add", world=world, kind="plane", friction=0.8)
        added = peer.call("body.add", world=world, name="creature", kind="cloth", positions=ext("d", self.positions),
                          triangles=ext("I", self.triangles), masses=0.001, thickness=0.01)
        self.assertEqual(added["particles"], 2117)
        self.assertEqual(added["constraints"]["distance"]["count"], len(self.edges))
        body = peer.call("body.get", world=world, body="creature")
        self.assertEqual(numbers(body["triangles"]), self.triangles)
        listed = peer.call("constraint.list", world=world, limit=100000)
        for index, rest in enumerate(listed["rest"]):
            a, b = listed["particles"][2 * index], listed["particles"][2 * index + 1]
            self.assertIn((min(a, b), max(a, b)), self.edges)
            length = math.dist(self.positions[3 * a:3 * a + 3], self.positions[3 * b:3 * b + 3])
            self.assertAlmostEqual(rest, length, delta=1e-6)
        peer.call("world.step", world=world, ticks=180)
        heights = peer.call("body.state", world=world, body="creature", fields=["positions"])["positions"][1::3]
        self.assertGreater(min(heights), 0.0099)
        self.assertLess(max(heights), 1.2, "it fell in")
        measures = peer.call("world.measure", world=world)["measures"]
        print(f"\n2117 vertices, {len(self.edges)} edges: after 3 s strain {100 * measures['strain_rms']:.2f} % rms, "
              f"{measures['contacts']} contacts, {measures['tick_us'] / 1e3:.1f} ms a tick")
        self.assertLess(measures["strain_rms"], 0.1)
        self.assertGreater(measures["contacts"], 100)

    def test_the_demo_driver_makes_its_world_and_moves_the_pole(self):
        command = [Path(os.environ["WEFTD"]).with_name("weft_demo"), "--connect", self.server.address, "--mesh",
                   SCENES / "wuson.obj", "--world", "shown"]
        driver = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True)
        try:
            self.assertEqual(driver.stdout.readline(), "ready\n")
            peer = self.peer()
            joined = peer.call("world.join", world="shown")
            self.assertEqual([body["name"] for body in joined["bodies"]], ["flag", "cloth", "creature", "jelly"])
            self.assertEqual([collider["name"] for collider in joined["colliders"]], ["ground", "ball"])
            self.assertEqual(joined["bodies"][2]["triangles"], 3732)
            pole = numbers(joined["bodies"][0]["pins"])
            stream = peer.call("stream.subscribe", world="shown", bodies=[joined["bodies"][0]["body"]])["stream"]
            places = set()
            for _ in range(20):
                frame = peer.frame(stream).params
                places.add(tuple(numbers(frame["bodies"][0]["positions"])[3 * pole[0]:3 * pole[0] + 3]))
            self.assertGreater(len(places), 5)
            self.assertEqual(peer.notice("world.edited")["method"], "particle.pin")
            # Nobody's edits are refused.
            self.assertEqual([notice for notice in peer.notices if notice.method == "error"], [])
            self.assertEqual(peer.call("world.get", world="shown")["state"], "playing")
        finally:
            driver.send_signal(signal.SIGTERM)
            output, _ = driver.communicate(timeout=PATIENCE_S)
        self.assertEqual((driver.returncode, output), (0, ""))
        with self.server.peer() as peer:
            peer.call("world.delete", world="shown")

    def test_the_demo_driver_says_what_is_wrong(self):
        program = Path(os.environ["WEFTD"]).with_name("weft_demo")
        for arguments, word in ((["--mesh", "/nowhere.obj"], "/nowhere.obj"), (["--connect", "127.0.0.1:1"], "CONNECT")):
            run = subprocess.run([program, "--connect", self.server.address, "--world", "wrong", *arguments],
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S)
            self.assertEqual(run.returncode, 1)
            self.assertIn(word, run.stderr)


if __name__ == "__main__":
    main()
