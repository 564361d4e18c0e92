"""All that clients ask of a server, in one go: each method of api.json, and each way in.

Whatever fails on the way, the scenario goes on: a connection that ends is opened again, a call that is refused has
changed nothing (its world's hash and revision say so), and each call is answered or its connection ends.
"""

import contextlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))

import msgpack  # noqa: E402
import web_peer  # noqa: E402
import weft_peer  # noqa: E402
from weft_peer import Closed, WeftError, block, ext, sheet  # noqa: E402

# What a call is answered in, however busy the machine is; what takes longer was forgotten.
FORGOTTEN_S = weft_peer.PATIENCE_S
# A call on each stack may fail once: a document that is opened comes down more than a hundred of them. What is asked more
# often than this has no reason left to fail.
TRIES = 600


class Forgotten(AssertionError):
    pass


class Visitor:
    """Somebody who comes back when the connection ends, over TCP or WebSocket."""

    def __init__(self, server, web, before_call):
        self.server, self.web, self.peer, self.before_call = server, web, None, before_call
        self.asked = set()
        self.revisions = {}  # of worlds that this connection has joined, as it was last told
        self.gaps = []

    def close(self):
        if self.peer:
            # Whoever leaves is not kept: the next run needs not wait for that.
            with contextlib.suppress(OSError, Closed):
                self.peer.notify("session.leave")
            self.peer.close()
            self.peer = None
            self.revisions = {}

    def connect(self):
        for _ in range(TRIES):
            try:
                self.peer = web_peer.WebPeer(self.server.http) if self.web else self.server.peer()
                return
            except (OSError, Closed):
                self.close()
        raise Forgotten("no connection could be opened any more")

    def call(self, method, **fields):
        """(result, None), (None, error), or (None, None) where the connection ended before the answer."""
        self.asked.add(method)
        self.before_call()
        if not self.peer:
            self.connect()
        try:
            result = self.peer.answer(self.peer.request(method, **fields), FORGOTTEN_S)
            if method == "world.join":
                self.revisions[result["world"]] = result["revision"]
            self.look_for_gaps()
            return result, None
        except WeftError as error:
            return None, error
        except (OSError, Closed):
            self.close()
            return None, None
        except AssertionError as error:
            raise Forgotten(f"{method} was not answered: {error}") from None

    def look_for_gaps(self):
        """Whoever joined hears of every revision, as long as the connection lasts."""
        while self.peer.notices:
            notice = self.peer.notices.popleft()
            world = notice.params.get("world")
            if notice.method == "world.edited" and world in self.revisions:
                last, now = self.revisions[world], notice.params["revision"]
                if now > last + 1:
                    self.gaps.append(f"world.edited goes from revision {last} to {now}")
                self.revisions[world] = max(last, now)

    def ask(self, method, **fields):
        """The same, asked for again where there was no memory for it."""
        for _ in range(TRIES):
            result, error = self.call(method, **fields)
            if not error or error.code != "MEMORY":
                return result, error
        raise Forgotten(f"{method} fails again and again")

    def notify(self, method, **fields):
        self.asked.add(method)
        if not self.peer:
            self.connect()
        with contextlib.suppress(OSError):
            self.peer.notify(method, **fields)


class Scenario:
    def __init__(self, server, before_call=lambda: None):
        self.server = server
        self.visitors = [Visitor(server, False, before_call), Visitor(server, True, before_call)]
        self.problems = []
        self.lost = False  # an answer: nobody knows what was done

    @property
    def asked(self):
        return self.visitors[0].asked | self.visitors[1].asked

    def state(self, visitor, world):
        """Hash and revision of a paused world; None where asking failed."""
        for _ in range(TRIES):
            result, _ = visitor.call("world.hash", world=world)
            if result:
                return result["hash"], result["revision"]
        raise Forgotten("world.hash fails again and again")

    def edit(self, visitor, world, method, **fields):
        """An edit that is refused has changed nothing, and is asked for again."""
        for _ in range(TRIES):
            before = self.state(visitor, world)
            result, error = visitor.call(method, world=world, **fields)
            self.lost |= not result and not (error and error.code == "MEMORY")
            # What cannot be told says that it was done.
            if not error or error.text.startswith("done, but"):
                return result
            if error.code != "MEMORY":
                # Something before it was lost with its connection, and so is missing, or was done after all.
                if error.code not in ("CONFLICT", "NOT_FOUND") or not self.lost:
                    self.problems.append(f"{method} was refused: {error}")
                return None
            if self.state(visitor, world) != before:
                self.problems.append(f"{method} was refused ({error}) and changed the world")
        raise Forgotten(f"{method} fails again and again")

    def run(self):
        try:
            for number, visitor in enumerate(self.visitors):
                self.of_visitor(visitor, f"scenario-{number}")
                self.problems += visitor.gaps
            self.of_pages()
        finally:
            for visitor in self.visitors:
                visitor.close()

    def of_visitor(self, visitor, name):
        ask = visitor.ask
        ask("session.hello", client="faults", user=name, errors="map" if visitor.web else "string")
        for method in ("server.info", "server.ping", "server.stats", "server.list", "world.list"):
            ask(method)
        world = self.world(visitor, name)
        ask("world.get", world=world)
        ask("world.move", world=world, server="nowhere")  # this server is by itself
        ask("world.join", world=world)
        ask("presence.set", world=world, color="#3366cc", cursor={"point": [0, 1, 0]}, selection=[{"body": 1}])
        ask("presence.say", world=world, text="Here I am.")
        self.edits(visitor, world)
        self.people(visitor, world)
        self.ticks(visitor, world)
        ask("world.records", world=world, after=0)
        saved, _ = ask("world.save", world=world)
        if saved:
            ask("world.open", name=name + "-again", document=saved["document"])
            self.remove(visitor, name + "-again")
            packed = msgpack.packb(saved["document"], default=weft_peer._typed)
            for offset in range(0, len(packed), 20_000):
                ask("world.upload", offset=offset, data=packed[offset:offset + 20_000])
            ask("world.open", name=name + "-sent", upload=True)
            self.remove(visitor, name + "-sent")
        self.past(visitor, world, name)
        visitor.notify("server.info")
        visitor.notify("body.remove", world=world, body="nobody")
        ask("world.leave", world=world)
        self.remove(visitor, world)
        ask("session.leave")

    def world(self, visitor, name):
        for _ in range(TRIES):
            result, error = visitor.call("world.create", name=name, wind={"velocity": [1, 0, 0]})
            if result:
                return result["world"]
            if error and error.code == "CONFLICT":  # made, but the answer was lost
                listed, _ = visitor.call("world.list")
                for entry in listed["worlds"] if listed else ():
                    if entry["name"] == name:
                        return entry["world"]
        raise Forgotten("no world can be made any more")

    def remove(self, visitor, world):
        for _ in range(TRIES):
            result, error = visitor.call("world.delete", world=world)
            if result or (error and error.code == "NOT_FOUND"):
                return
        raise Forgotten("world.delete fails again and again")

    def edits(self, visitor, world):
        def edit(method, **fields):
            return self.edit(visitor, world, method, **fields)

        positions, triangles = sheet(5, 5)
        edit("body.add", name="cloth", kind="cloth", positions=ext("f", positions), triangles=ext("I", triangles),
             pins=[0, 4], bend={"model": "quadratic", "compliance": 1e-3}, stretch={"damping": 0.1})
        edit("body.add", name="rope", kind="rope", positions=[0, 1, 0, 0.1, 1, 0, 0.2, 1, 0], pins=[0])
        corners, tets = block(1, 1, 1)
        edit("body.add", name="soft", kind="soft", positions=corners, tets=tets,
             skin={"particles": tets[:12], "weights": [0.25] * 12, "triangles": [0, 1, 2]})
        # More than 64 KiB: unpacked and decoded by workers.
        many, faces = sheet(44, 44)
        edit("body.add", name="large", kind="cloth", positions=many, triangles=faces)
        for name in ("cloth", "soft"):
            visitor.ask("body.get", world=world, body=name)
            visitor.ask("body.state", world=world, body=name)
        edit("body.set", body="cloth", name="sail", thickness=0.01, stretch={"compliance": 1e-6}, self_contact=True,
             contact_group=1, contact_mask=1, friction=0.5)
        edit("body.set", body="sail", name="cloth")
        link = edit("constraint.add", body="cloth", particles=[0, 12, 4, 20], compliance=[1e-4, 1e-3])
        if link:
            edit("constraint.set", constraints=link["constraints"], damping=[0.1, 0.2])
            edit("constraint.remove", constraints=link["constraints"])
        visitor.ask("constraint.list", world=world, body="cloth", forces=True)
        edit("particle.set", body="cloth", particles=[12], positions=[0.2, 0.1, 0.2], inverse_masses=[3])
        edit("particle.pin", body="cloth", particles=[12, 13])
        edit("particle.unpin", body="cloth", particles=[12])
        edit("body.force", body="cloth", particles=[12, 3], force=[0, 1e-6, 0], seconds=1)
        edit("body.set", body="cloth", gravity=[0, -9, 0])
        field = edit("force.add", field={"kind": "vortex", "strength": 1e-6})
        if field:
            edit("force.set", force=field["force"], field={"radius": 2})
        visitor.ask("force.list", world=world)
        if field:
            edit("force.remove", force=field["force"])
        edit("collider.add", name="ball", kind="sphere", radius=0.2, position=[0, -1, 0])
        edit("collider.set", collider="ball", radius=0.3)
        motion = edit("motion.add", collider="ball", times=[0, 1], offsets=[0, 0, 0, 1, 0, 0])
        edit("motion.add", body="cloth", particles=[0], times=[0, 1], offsets=[0, 0, 0, 0, 0.1, 0])
        visitor.ask("motion.list", world=world)
        if motion:
            edit("motion.remove", motion=motion["motion"])
        edit("edit.restore", settings={"damping": 0.5}, removed={"motions": [1, 2]},
             parts=[{"body": 1, "thickness": 0.02, "contact_mask": 0, "stretch": {"compliance": 1e-5}}],
             particles=[{"body": 1, "particles": [1], "pinned": True,
                         "state": {"positions": [0, 1, 0.1], "velocities": [0, 0, 0]}}])
        edit("edit.undo")
        edit("edit.redo")
        edit("edit.undo", force=True)
        edit("edit.batch", edit_id="a batch", edits=[
            ["collider.set", {"collider": "ball", "friction": 0.3}],
            ["body.add", {"name": "thread", "kind": "rope", "positions": [0, 3, 0, 1, 3, 0]}],
            ["particle.pin", {"body": "thread", "particles": [0]}],
            ["body.remove", {"body": "thread", "if_thing_revision": 0}]])
        edit("edit.batch", edits=[["world.set", {"damping": 1}], ["body.remove", {"body": "cloth"}],
                                  ["body.remove", {"body": "cloth"}]])
        edit("world.set", gravity=[0, -9, 0], name="renamed")
        edit("world.set", name=f"scenario-{self.visitors.index(visitor)}")
        edit("body.remove", body="rope")
        edit("collider.remove", collider="ball")

    def people(self, visitor, world):
        grab, _ = visitor.ask("grab.begin", world=world, body="cloth", particle=12)
        if grab:
            visitor.notify("grab.move", world=world, grab=grab["grab"], target=[0, 1, 0])
            visitor.ask("grab.move", world=world, grab=grab["grab"], target=[0, 1, 1])
            visitor.ask("grab.end", world=world, grab=grab["grab"])
        visitor.ask("grab.begin", world=world, body="cloth", particle=13)  # left to the end of the session
        stream, _ = visitor.ask("stream.subscribe", world=world, fields=["positions", "normals", "measures", "contact", "contacts"])
        visitor.ask("stream.subscribe", world=world, every=2, unit="substep", fields=["positions64"])
        if stream:
            visitor.ask("stream.set", stream=stream["stream"], fields=["positions", "velocities"])
            visitor.ask("stream.ack", stream=stream["stream"], seq=1)
        small, _ = visitor.ask("stream.subscribe", world=world, encoding="delta", fields=["positions", "skin"])
        if small:
            visitor.ask("stream.set", stream=small["stream"], tolerance=1e-3)
        visitor.ask("stream.subscribe", world=world, encoding="q16", nth=2, box=[-9, -9, -9, 9, 9, 9])
        twin, _ = visitor.ask("stream.subscribe", world=world, encoding="records")
        if twin:
            visitor.ask("stream.differs", stream=twin["stream"], tick=1)

    def ticks(self, visitor, world):
        visitor.ask("world.hold", world=world)
        all_of_it, _ = visitor.ask("stream.subscribe", world=world, mode="lossless", unit="substep", encoding="delta")
        visitor.ask("world.step", world=world, ticks=3)
        if all_of_it:
            visitor.ask("stream.ack", stream=all_of_it["stream"], seq=1)
            visitor.ask("stream.unsubscribe", stream=all_of_it["stream"])
        visitor.ask("world.play", world=world, rate=0)
        visitor.ask("world.measure", world=world)
        visitor.ask("world.measure", world=world, crossings=True)
        # Whoever lost the answer does not know; and a world that goes on playing changes by itself.
        for _ in range(TRIES):
            if visitor.ask("world.pause", world=world) != (None, None):
                break
        stream, _ = visitor.ask("stream.subscribe", world=world)
        if stream:
            visitor.ask("stream.unsubscribe", stream=stream["stream"])
        self.edit(visitor, world, "world.reset")

    def past(self, visitor, world, name):
        """What was, shown and branched from; none of it changes what is."""
        _, before = self.state(visitor, world)
        visitor.ask("world.history", world=world)
        visitor.ask("edit.log", world=world, limit=5)
        view, _ = visitor.ask("world.seek", world=world, tick=1)
        if view:
            visitor.ask("world.seek", world=world, tick=2)
            visitor.ask("body.state", world=view["view"], body="cloth")
            visitor.ask("world.leave", world=view["view"])
        visitor.ask("world.branch", world=world, tick=2, name=name + "-branch", without=[1])
        self.remove(visitor, name + "-branch")
        visitor.ask("world.bin")
        visitor.ask("world.control", world=world, action="take")
        visitor.ask("world.control", world=world, action="release")
        # Refused, since no tokens are asked for here: tests/unit/access and tests/e2e/test_access.py are about those.
        visitor.ask("access.list", world=world)
        for method, fields in (("access.grant", {"world": world, "user": "Bob"}), ("access.revoke", {"world": world, "user": "Bob"}),
                               ("access.invite", {"world": world}), ("access.accept", {"invite": "x"}),
                               ("access.set", {"world": world, "control": "owner"}), ("token.create", {"user": "Bob"}),
                               ("token.list", {}), ("token.revoke", {"id": 1})):
            visitor.ask(method, **fields)
        visitor.ask("world.restore", world=999)
        # Of its hash are the grabs, which end where a connection is lost.
        if self.state(visitor, world)[1] != before:
            self.problems.append("looking at the past changed the world")

    def of_pages(self):
        for path in ("/", "/healthz", "/metrics", "/nothing"):
            with contextlib.suppress(OSError, Closed):
                web_peer.fetch(self.server.http, path)
