"""The blocking client on a real server: every method once, errors, pipelines, threads, notices."""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import unittest.mock

import numpy as np

import support
from support import API, PATIENCE_S, ServerTest, weft


class EveryMethod(ServerTest):
    def test_each_method_of_the_list_is_called_and_does_what_it_says(self):
        client = self.connect(user="Ada")
        called = set()
        submit = client._submit
        client._submit = lambda method, fields: called.add(method) or submit(method, fields)

        self.assertEqual(client.hello(user="Eve", client="test").user, "Eve")
        self.assertEqual({method["name"] for method in client.info().methods}, {m["name"] for m in API["methods"]})
        self.assertGreater(client.ping().time_us, 0)
        self.assertEqual(client.stats().threads, 2)
        self.assertEqual(client.servers(), [])

        world = client.create("every", gravity=[0, -10, 0], wind={"velocity": [1, 0, 0]}, tick_rate=100)
        self.assertEqual([(one.name, one.world) for one in client.worlds()], [("every", world.id)])
        settings = world.get()
        np.testing.assert_array_equal(settings.gravity, [0, -10, 0])
        self.assertEqual((settings.tick_rate, settings.wind.velocity.tolist()), (100, [1, 0, 0]))
        world.set(wind={**settings.wind.as_dict(), "drag": 2.0}, name="each")
        self.assertEqual(world.get().wind.drag, 2.0)
        self.assertEqual(client.world("each").get().world, world.id)

        sheet = world.add_body("cloth", **weft.shapes.sheet(5, 4), name="sheet", pins=[0, 4], bend={"model": "isometric"})
        self.assertEqual((sheet.answer.particles, sheet.answer.warnings), (20, []))
        shape = sheet.get()
        np.testing.assert_allclose(shape.positions, weft.shapes.sheet(5, 4)["positions"], atol=1e-8)
        np.testing.assert_array_equal(shape.triangles, weft.shapes.sheet(5, 4)["triangles"])
        self.assertEqual((shape.pins.tolist(), shape.bend.model, shape.stretch.stiffness), ([0, 4], "isometric", None))
        sheet.set(stretch={"compliance": 1e-5})
        self.assertAlmostEqual(sheet.get().stretch.compliance, 1e-5, delta=1e-11)
        sheet.set(thickness=0.0125, self_contact=True, contact_group=1, contact_mask=3, friction=0.25)
        shape = sheet.get()
        self.assertEqual((shape.self_contact, shape.contact_group, shape.contact_mask, shape.friction), (True, 1, 3, 0.25))
        jelly = world.add_body("soft", **weft.shapes.block((1, 1, 1), at=(3, 0, 0)), masses=0.1)
        rope = world.add_body("rope", **weft.shapes.rope(5, start=(0, 0, 5), end=(1, 0, 5)), name="rope")
        self.assertEqual(rope.get().edges.shape, (4, 2))

        document = world.join()
        self.assertEqual([body.name for body in document.bodies], ["sheet", "", "rope"])
        self.assertEqual(client.notices_dropped, 0)

        ties = world.add_constraints([7, 2], bodies=[sheet, rope], compliance=1e-3)
        self.assertEqual(len(ties), 1)
        edited = client.notice("world.edited", timeout=PATIENCE_S).params
        self.assertEqual((edited.method, edited.user, edited.result["constraints"].tolist()),
                         ("constraint.add", "Eve", ties.ids.tolist()))
        ties.set(rest=4.0)
        edges = world.constraints(sheet.answer.constraints.distance)
        edges.set(compliance=2e-5)
        page = world.list_constraints("distance", body=sheet, forces=True)
        self.assertEqual(page.constraints.tolist(), edges.ids.tolist() + ties.ids.tolist())
        pages = [page.constraints for page in world.iter_constraints("distance", body=sheet, limit=7)]
        self.assertGreater(len(pages), 3)
        np.testing.assert_array_equal(np.concatenate(pages), page.constraints)
        self.assertEqual(ties.remove().revision, world.get().revision)
        world.show(color="#3366cc", cursor={"point": [0, 1, 0]}, camera={"position": [0, 1, 3], "target": [0, 1, 0]})
        self.assertEqual(world.say("Here I am.").line, 1)
        self.assertEqual(client.notice("world.said", timeout=PATIENCE_S).params.text, "Here I am.")
        world.leave()

        sheet.set_particles([10], positions=[0.5, -0.5, 0.5], velocities=np.zeros((1, 3)))
        np.testing.assert_allclose(sheet.state(["positions64"]).positions64[10], [0.5, -0.5, 0.5], atol=1e-8)
        sheet.pin([10], [[0.5, -0.5, 0.25]])
        sheet.unpin([10])
        sheet.force([0, 0, 1e-9], particles=[10, 11])
        self.assertEqual(sheet.get().forces.tolist(), [0, 0, np.float32(1e-9)] * 2)
        sheet.force([0, 0, 0], particles=[10, 11])

        field = world.add_force({"kind": "drag", "strength": 1e-6}).force
        world.set_force(field, {"radius": 3})
        self.assertEqual([(one.force, one.radius) for one in world.list_force().fields], [(field, 3)])
        world.remove_force(field)

        ball = world.add_collider("sphere", name="ball", position=[0.5, -2, 0], radius=0.5)
        ball.set(position=[0.5, -2.5, 0])
        self.assertEqual(world.join().colliders[0].position.tolist(), [0.5, -2.5, 0])
        motion = world.add_motion([0, 1], [[0, 0, 0], [0, 1, 0]], collider=ball, loop=True)
        moved = world.motions()[0]
        self.assertEqual((moved.motion, moved.times.tolist(), moved.offsets.tolist()),
                         (motion, [0, 1], [[0, 0, 0], [0, 1, 0]]))
        world.remove_motion(motion)
        world.restore(colliders=[{"collider": {"collider": ball.id, "kind": "sphere", "friction": 0.25},
                                  "parts": ["friction"]}])
        self.assertEqual(world.join().colliders[0].friction, 0.25)
        undone = world.undo()
        self.assertEqual((undone.undone.method, undone.undone.revision, undone.left_out),
                         ("edit.restore", undone.revision - 1, []))
        self.assertNotEqual(world.join().colliders[0].friction, 0.25)
        self.assertEqual(world.redo().redone, undone.undone)
        self.assertEqual(world.join().colliders[0].friction, 0.25)
        with self.assertRaises(weft.Conflict):
            world.undo(undone.undone.revision - 2)  # the ball led: it has another friction since
        edits = [("collider.set", {"collider": ball, "friction": 0.5, "radius": None}),
                 ("body.add", {"name": "thread", "kind": "rope", "positions": np.array([[0, 3, 0], [1, 3, 0]])}),
                 ("particle.pin", {"body": "thread", "particles": np.array([0])})]
        done = world.batch(edits, edit_id="one")
        self.assertEqual([one["revision"] for one in done.results], 3 * [done.revision])
        self.assertIsNone(done.repeated)
        again = world.batch(edits, edit_id="one")
        self.assertTrue(again.repeated)
        self.assertEqual((again.revision, again.results), (done.revision, done.results))
        with self.assertRaises(weft.api.Conflict) as stale:
            world.set(damping=1, if_revision=done.revision - 1)
        self.assertEqual((stale.exception.field, stale.exception.revision), ("if_revision", done.revision))
        with self.assertRaises(weft.api.Conflict):
            ball.set(friction=1, if_thing_revision=done.revision - 1)
        with self.assertRaises(weft.api.NotFound) as refused:
            world.batch([("body.remove", {"body": "thread"}), ("body.remove", {"body": "thread"})])
        self.assertEqual(refused.exception.field, "edits[1].body")
        world.body("thread").remove(if_thing_revision=done.revision)
        with self.assertRaises(weft.api.Invalid):
            world.batch([{"body": "thread"}])
        heights = np.linspace(0, 1, 1600).reshape(40, 40)
        world.add_collider("height_field", heights=heights, columns=40, spacing=0.25)
        told = next(one for one in world.join().colliders if one.kind == "height_field")
        self.assertEqual((told.columns, told.spacing), (40, 0.25))
        np.testing.assert_allclose(told.heights.reshape(40, 40), heights, atol=2 ** -25)
        ball.remove()

        with sheet.grab(12, [0.5, -1, 1.0]) as grab:
            self.assertGreater(grab.id, 0)
            grab.move([0.5, -1, 2.0])
            grab.drag([0.5, -1, 3.0])
            held = world.join().grabs[0]
            self.assertEqual((held.particle, held.target.tolist()), (12, [0.5, -1, 3.0]))
        self.assertEqual(world.join().grabs, [])

        with world.subscribe(fields="positions", every=2) as stream:
            self.assertEqual(stream.next(PATIENCE_S).tick, 0)
            stream.ack(1)
            with self.assertRaises(weft.api.Invalid):
                stream.ack(1000)
            stream.differs(0)
            world.hold()
            self.assertTrue(world.get().hold)
            world.hold(allow=False)
            stream.set(every=1, fields=["positions", "measures", "contact", "contacts"])
            frame = stream.next(PATIENCE_S)
            self.assertGreater(frame.measures.tick_us, -1)
            self.assertEqual((frame.contact.crossed, frame.contact.penetration), (0, 0))
            self.assertEqual((frame.contacts.known, frame.contacts.bodies, frame.contacts.more), (False, [], 0))
        world.step(10)
        self.assertEqual((world.measure().tick, world.measure().crossings), (10, None))
        said = world.measure(crossings=True)
        self.assertEqual((said.crossings, said.contact.dropped), (0, 0))
        self.assertEqual(said.pierced, said.contact.pierced)
        self.assertGreater(said.pierced, 0)  # the sheet lies in the ground of the height field
        converged = [(body.body, body.strain_max, body.unresolved_bend) for body in said.convergence]
        self.assertEqual(len({body for body, *_ in converged}), world.get().bodies)
        self.assertTrue(all(0 <= strain < 1 and 0 <= share <= 1 for _, strain, share in converged), converged)
        self.assertEqual(said.warnings, [])
        self.assertRegex(world.hash().hash, "^[0-9a-f]{16}$")
        saved = world.save()
        told = world.records(saved.sequence - 1)
        self.assertEqual((told.sequence, len(told.records), type(told.records[0])), (saved.sequence, 1, bytes))
        with client.open(saved.document, "copy") as copy:
            self.assertEqual((copy.hash().hash, copy.get().tick), (saved.hash, saved.tick))
        client.message_bytes = 1500  # larger than a message now: it goes in pieces
        with client.open(saved.document, "pieces") as copy:
            self.assertEqual((copy.hash().hash, copy.get().name), (saved.hash, "pieces"))
        client.message_bytes = weft.LIMITS["message_bytes"]
        self.past(client, world)
        before = sheet.state().positions
        world.reset()
        self.assertFalse(np.array_equal(sheet.state().positions, before))
        world.play(1)
        self.assertGreaterEqual(world.pause().tick, 10)
        self.assertEqual(jelly.remove().constraints.size, 0)

        history = world.history()
        self.assertEqual((history.world, history.first_tick, history.image_ticks[0]), (world.id, 0, 0))
        shown = world.seek(history.first_tick + 5)
        view = client.world(shown.view)
        self.assertEqual((view.get().tick, view.get().view_of, view.hash().hash), (5, world.id, shown.hash))
        with self.assertRaises(weft.ReadOnly) as refused:
            view.play()
        self.assertIn("world.branch", refused.exception.text)
        view.leave()
        self.assertEqual(world.control("take").session, client.session)
        self.assertEqual(world.control("release").session, 0)
        # Who may do what is asked of a server that asks for tokens (AccessOnAServer); this one says so.
        self.assertEqual((world.access().role, world.access().people), ("owner", []))
        for refused in (lambda: world.grant("Bob", "viewer"), lambda: world.revoke("Bob"), lambda: world.invite(),
                        lambda: world.set_access("owner"), lambda: client.accept("x"), lambda: client.create_token("Bob"),
                        lambda: client.tokens(), lambda: client.revoke_token(1)):
            with self.assertRaises(weft.Conflict):
                refused()
        with self.assertRaises(weft.NotFound):  # it is alone
            world.move("two")
        log = world.log(limit=4096, inputs=True)
        self.assertEqual((log.next, len(log.edits)), (0, history.records))
        self.assertEqual(log.edits[0].params["wind"]["drag"], 2.0)
        revision = next(edit.revision for edit in log.edits if edit.method == "particle.set")
        branch = world.branch(0, "twig", instead=[{"revision": revision, "params": {
            "body": "sheet", "particles": np.array([11]), "positions": np.array([[0.25, 0.5, 0.75]])}}])
        self.assertEqual((branch.name, branch.tick, branch.refused), ("twig", 0, []))
        with client.world(branch.world) as twig:
            np.testing.assert_allclose(twig.body("sheet").state(["positions64"]).positions64[11], [0.25, 0.5, 0.75], atol=1e-8)
        hashed, tick = world.hash().hash, world.get().tick
        world.delete()
        deadline = time.monotonic() + PATIENCE_S
        while world.id not in [one.world for one in client.bin()] and time.monotonic() < deadline:
            time.sleep(0.01)
        back = client.restore_world(world.id, "again")
        self.assertEqual((back.world, back.tick), (world.id, tick))
        with client.world("again") as again:
            self.assertEqual((again.hash().hash, again.get().world), (hashed, world.id))
        client.leave()
        self.assertEqual(called, {method["name"] for method in API["methods"]})

    def test_a_session_goes_on_and_grabs_hold(self):
        client, other = self.connect(user="Ada"), self.connect(user="Eve")
        world = self.world(client, gravity=[0, 0, 0])
        rope = world.add_body("points", [[0, 1, 0]])
        grab = rope.grab(0, [0, 2, 0])
        session = client.session
        client._socket.shutdown(socket.SHUT_RDWR)
        with self.assertRaises(weft.ConnectionLost):
            client.ping()
        self.assertEqual(other.world(world.id).get().grabs, 1)
        client.reconnect()
        self.assertEqual((client.resumed, client.session), (True, session))
        grab.move([0, 3, 0])
        grab.end()
        self.assertEqual(other.world(world.id).get().grabs, 0)

    def past(self, client, world):
        """Ten ticks were made; a collider came and went at the first."""
        history = world.history()
        self.assertEqual((history.first_tick, history.tick, history.spans[0].exact), (0, 10, True))
        log = world.log()
        self.assertEqual((log.edits[0].method, log.edits[0].user, log.next), ("world.set", "Eve", 0))
        hash_now = world.hash().hash
        shown = world.seek(10)
        self.assertEqual((shown.hash, client.world(shown.view).get().view_of), (hash_now, world.id))
        self.assertEqual(world.seek(4).view, shown.view)
        with self.assertRaises(weft.ReadOnly):
            client.world(shown.view).reset()
        wind = [edit.revision for edit in log.edits if edit.method == "world.set"]
        branch = world.branch(5, "without", without=wind[:1])
        self.assertEqual((branch.name, branch.tick), ("without", 5))
        client.world("without").delete()
        binned = client.bin()[-1]
        self.assertEqual((binned.world, binned.name), (branch.world, "without"))
        self.assertEqual(client.restore_world(branch.world, "again").tick, 5)
        client.world("again").delete()

    def test_typed_arrays_arrive_as_they_were_sent(self):
        world = self.world(self.connect())
        rng = np.random.default_rng(3)
        for dtype in ("<f4", ">f8", "<f8"):
            positions = rng.random((5000, 3)).astype(dtype)
            body = world.add_body("points", positions, masses=np.full(5000, 0.5, dtype))
            np.testing.assert_allclose(body.get().positions, positions, atol=4e-9)
            np.testing.assert_array_equal(body.get().masses, 0.5)
        strided = rng.random((100, 6))[:, ::2]
        np.testing.assert_allclose(world.add_body("points", strided).get().positions, strided, atol=4e-9)

    def test_errors_are_exceptions_that_say_where(self):
        client = self.connect()
        world = self.world(client, name="errors")
        for code, call, field in (
            (weft.Invalid, lambda: client.create(tick_rate=0), "tick_rate"),
            (weft.Conflict, lambda: client.create("errors"), "name"),
            (weft.NotFound, lambda: world.body("nobody").get(), "body"),
            (weft.NotFound, lambda: client.world(12345).get(), "world"),
            (weft.NotFound, lambda: client.call("no.such"), None),
            (weft.Invalid, lambda: world.add_body("cloth", [[0, 0, 0]], triangles=[[0, 1, 2]]), None),
            (weft.Limit, lambda: client.create("x" * 65), "name"),
            (weft.Invalid, lambda: client.call("world.get", world=world, wrong=2), "wrong"),
        ):
            with self.assertRaises(code) as caught:
                call()
            self.assertIsInstance(caught.exception, weft.CallerError)
            self.assertEqual(caught.exception.kind, 1)
            if field:
                self.assertEqual(caught.exception.field, field)
        self.assertTrue(client.connected)

    def test_pipelined_calls_are_answered_in_their_order(self):
        client = self.connect()
        world = self.world(client)
        body = world.add_body("points", np.zeros((1, 3)))
        answers = weft.gather([client.submit("server.ping") for _ in range(3000)])
        times = [answer.time_us for answer in answers]
        self.assertEqual(times, sorted(times))
        calls = [client.submit("body.set", world=world, body=body, thickness=0.001 * i) for i in range(100)]
        revisions = [answer.revision for answer in weft.gather(calls)]
        self.assertEqual(revisions, list(range(revisions[0], revisions[0] + 100)))
        calls = [client.submit("world.get", world=0), client.submit("server.ping"), client.submit("world.get", world="x")]
        with self.assertRaises(weft.Error):
            weft.gather(calls)
        self.assertTrue(all(call.done for call in calls))

    def test_much_may_be_under_way_in_both_directions(self):
        """More than the server takes without being read: it stops reading, and the client must not wait for it."""
        client = self.connect()
        world = self.world(client)
        positions = np.random.default_rng(1).random((20_000, 3))
        body = world.add_body("points", positions)
        calls = []
        for _ in range(40):
            calls.append(client.submit("body.get", world=world, body=body))
            calls.append(client.submit("particle.set", world=world, body=body, particles=np.arange(20_000),
                                       positions=positions))
        results = weft.gather(calls)
        np.testing.assert_allclose(results[0].positions, positions, atol=4e-9)
        self.assertEqual(len(results), 80)

    def test_threads_may_share_a_client(self):
        client = self.connect()
        worlds = [self.world(client, name=f"thread-{i}") for i in range(8)]
        failures = []

        def work(world, seed):
            try:
                positions = np.random.default_rng(seed).random((3000 + seed, 3))
                body = world.add_body("points", positions)
                with world.subscribe() as stream:
                    for step in range(10):
                        self.assertEqual(world.step(1).tick, step + 1)
                        state = body.state("positions")
                    np.testing.assert_allclose(body.get().positions, positions, atol=4e-9)
                    frame = stream.next(PATIENCE_S)
                    while frame.tick < 10:
                        frame = stream.next(PATIENCE_S)
                    np.testing.assert_array_equal(frame[body].positions, state.positions)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(world, i)) for i, world in enumerate(worlds)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(4 * PATIENCE_S)
        self.assertEqual(failures, [])
        self.assertFalse(any(thread.is_alive() for thread in threads))

    def test_a_lossless_stream_has_every_tick_however_late_it_is_read(self):
        client = self.connect()
        world = self.world(client, gravity=[0, 0, 0])
        world.add_body("points", np.zeros((300, 3)))
        world.hold()
        for encoding in ("f32", "q16", "delta"):
            # Each acknowledgement lets a few follow, and no more are sent than that.
            stream = world.subscribe(encoding=encoding, mode="lossless", credit=9000, backlog=65536)
            first = stream.next(PATIENCE_S).tick
            world.play(0)
            for tick in range(first + 1, first + 100):
                frame = stream.next(PATIENCE_S)
                self.assertEqual((frame.tick, frame.dropped), (tick, 0))
                while tick % 30 == 0 and not world.get().held_by:
                    pass  # until the world waits for this reader
            self.assertLess(len(stream._queue.frames), 90)
            world.pause()
            stream.close()

    def test_an_interrupt_while_waiting_does_no_harm(self):
        client = self.connect(timeout=PATIENCE_S)
        world = self.world(client)
        stream = world.subscribe()
        stream.next(PATIENCE_S)
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        for _ in range(3):
            with self.assertRaises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 0.05)
                stream.next(PATIENCE_S)
            self.assertGreater(client.ping().time_us, 0)
        world.add_body("points", [[0, 1, 0]])
        self.assertEqual(len(stream.next(PATIENCE_S).bodies), 1)

    def test_people_in_one_world_are_told_of_each_other(self):
        ada, bob = self.connect(user="Ada"), self.connect(user="Bob")
        world = self.world(ada)
        theirs = bob.world(world)
        self.assertEqual([person.user for person in theirs.join().people], ["Bob"])
        body = world.add_body("points", np.zeros((2, 3)), name="dots")
        notice = bob.notice("world.edited", timeout=PATIENCE_S)
        self.assertEqual((notice.params.user, notice.params.method, notice.params.result["body"]),
                         ("Ada", "body.add", body.id))
        with body.grab(0):
            with self.assertRaises(weft.Conflict) as caught:
                theirs.body("dots").grab(0)
            self.assertIn("Ada", caught.exception.text)
        world.play()
        changed = bob.notice("world.changed", timeout=PATIENCE_S).params
        self.assertEqual((changed.state, changed.user), ("playing", "Ada"))
        with self.assertRaises(weft.Timeout):
            bob.notice("stream.closed", timeout=0.05)
        bob.notify("grab.move", world=world.id, grab=999, target=[0, 0, 0])
        told = bob.notice("error", timeout=PATIENCE_S).params
        self.assertEqual((told.method, told.error["code"]), ("grab.move", "NOT_FOUND"))

    def test_a_world_made_for_a_while_is_deleted_at_the_end(self):
        client = self.connect()
        with client.create("for-a-while") as world:
            self.assertEqual(repr(world), f"<weft World {world.id}>")
        with self.assertRaises(weft.NotFound):
            world.get()
        with client.create() as world:
            world.delete()
        with self.assertRaises(ValueError):
            client.world("by-name").id
        with self.assertRaises(TypeError):
            client.world(None)


class AccessOnAServer(unittest.TestCase):
    """Tokens, roles and invitations through the package."""

    def setUp(self):
        folder = tempfile.mkdtemp(prefix="weft-python-")
        self.addCleanup(shutil.rmtree, folder)
        done = subprocess.run([os.environ["WEFTD"], "--data", folder, "--token-new", "root"], capture_output=True, text=True,
                              check=True, timeout=PATIENCE_S)
        self.token, self.folder = done.stdout.strip(), folder
        self.server = support.Server("--threads", "1", "--data", folder, "--tokens")
        self.addCleanup(self.server.stop)

    def connect(self, token):
        client = weft.connect(self.server.address, token=token, timeout=PATIENCE_S)
        self.addCleanup(client.close)
        return client

    def test_who_may_do_what(self):
        with self.assertRaises(weft.Denied):
            weft.connect(self.server.address, timeout=PATIENCE_S)
        with self.assertRaises(weft.Denied):
            weft.connect(self.server.address, token="weft_nonsense", timeout=PATIENCE_S)
        root = self.connect(self.token)
        self.assertEqual((root.user, root.role), ("root", "admin"))
        made = root.create_token("Ada", seconds=3600)
        self.assertEqual([one.user for one in root.tokens()], ["root", "Ada"])
        ada = self.connect(made.token)
        self.assertEqual((ada.user, ada.role), ("Ada", "editor"))
        world = ada.create("ours")
        world.grant("Bob", "editor")
        world.set_access("owner")
        told = world.access()
        self.assertEqual([(one.user, one.role) for one in told.people], [("Ada", "owner"), ("Bob", "editor")])
        self.assertEqual(told.control, "owner")
        invite = world.invite("viewer", uses=3)
        bob = self.connect(root.create_token("Bob").token)
        with self.assertRaises(weft.Denied):
            bob.world("ours").play()
        bob.world("ours").set(damping=1)
        with self.assertRaises(weft.NotFound):
            self.connect(root.create_token("Eve").token).world("ours").get()
        self.assertEqual(bob.accept(invite.invite).role, "editor")  # what he has is more
        world.revoke(invite=invite.id)
        world.revoke("Bob")
        self.ends(bob)
        self.assertEqual(root.revoke_token(made.id).revoked, 1)
        self.ends(ada)

    def ends(self, client):
        deadline = time.monotonic() + PATIENCE_S
        with self.assertRaises(weft.ConnectionLost):
            while time.monotonic() < deadline:
                client.ping()

    def test_the_token_of_the_environment(self):
        path = os.path.join(self.folder, "token")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.token + "\n")
        with unittest.mock.patch.dict(os.environ, {"WEFT_TOKEN_FILE": path}):
            os.chmod(path, 0o644)
            with self.assertRaises(weft.Invalid):
                weft.connect(self.server.address)
            os.chmod(path, 0o600)
            with weft.connect(self.server.address, timeout=PATIENCE_S) as client:
                self.assertEqual(client.user, "root")
        with unittest.mock.patch.dict(os.environ, {"WEFT_TOKEN": self.token}):
            with weft.connect(self.server.address, timeout=PATIENCE_S) as client:
                self.assertEqual(client.user, "root")


if __name__ == "__main__":
    unittest.main()
