"""Every method of api.json as a method of the object that it concerns: the blocking half.

Parameters that are None are left out, and the server's defaults hold. Arrays of numbers may be anything that
numpy makes an array of, flat or in rows; they are sent as they lie in memory where they are of 32 or 64 bits.

Which class a thing has that a method makes is the client's to say, whose classes stand on these: it makes them in
_make_world, _make_body …
"""
# Made by protocol/generate.py from protocol/api.json. Change that, not this.
from __future__ import annotations

from typing import Any, Generic, Literal, Mapping, Sequence, TypeVar

from numpy.typing import ArrayLike

from weft import api
from weft.handles import Handle, BodyRef, ColliderRef, NamedBody, NamedCollider, NamedWorld, WorldRef

WorldT = TypeVar("WorldT")
BodyT = TypeVar("BodyT")
ConstraintsT = TypeVar("ConstraintsT")
ColliderT = TypeVar("ColliderT")
GrabT = TypeVar("GrabT")
StreamT = TypeVar("StreamT")


class ClientCalls(Handle, Generic[WorldT]):
    """The methods of a Client, on the wire server.info, server.ping, server.stats, server.list, session.hello,
    session.leave, world.create, world.list, world.bin, world.restore, world.open, world.upload, access.accept,
    token.create, token.list, token.revoke.
    """

    __slots__ = ()

    def _make_world(self, answer: api.WorldCreateResult | api.WorldOpenResult, given: Mapping[str, Any]) -> WorldT:
        raise NotImplementedError

    def info(self) -> api.ServerInfoResult:
        """Describes the server and everything that it offers: this list. (server.info)

        Returns api.ServerInfoResult.
        """
        _given = self._fields({})
        return api.ServerInfoResult(self._call("server.info", _given))

    def ping(self) -> api.ServerPingResult:
        """Answers at once. (server.ping)

        Returns time_us (Monotonic time of the server. [us])
        """
        _given = self._fields({})
        return api.ServerPingResult(self._call("server.ping", _given))

    def stats(self) -> api.ServerStatsResult:
        """Counts of the server since it started. (server.stats)

        Returns api.ServerStatsResult.
        """
        _given = self._fields({})
        return api.ServerStatsResult(self._call("server.stats", _given))

    def servers(self) -> list[api.ServerSummary]:
        """Lists the servers of this deployment. Empty if a server keeps its worlds alone. (server.list)

        Returns by name.
        """
        _given = self._fields({})
        return api.ServerListResult(self._call("server.list", _given)).servers

    def hello(
        self,
        *,
        client: str | None = None,
        user: str | None = None,
        token: str | None = None,
        follow: bool | None = None,
        resume: str | None = None,
        unanswered: ArrayLike | None = None,
        revisions: Any | None = None,
        hops: int | None = None,
        away: bool | None = None,
    ) -> api.SessionHelloResult:
        """Introduces the caller and chooses encodings. Optional; may be repeated. The choices hold for the requests
        that follow. (session.hello)

        client: Name of the program. (default "")
        user: Name of the person, shown to others. If the server asks for tokens, the token's name is shown.
            (default "")
        token: Who one is, to a server that asks for it (weftd --tokens); others do not look at it. A wrong one is
            answered after a while, and the connection ends. (default "")
        follow: Whether this client goes to the server of a world: requests about a world that another server of
            the deployment runs are answered with MOVED. (default False)
        resume: Key of a session whose connection was lost, from the answer to its session.hello: this connection
            goes on with it. It must be the first request. The session stays as it was introduced; the other fields
            hold if it is not kept any more. (default "")
        unanswered: With resume: ids of the requests that were sent and not answered, in the order in which they
            were sent, at most limit kept_answers. Ids of a session ascend.
        revisions: With resume: map of the ids of worlds that were joined to the revision of the last world.edited,
            or of world.join, that came of each.
        hops: From a server that passes on a session's requests about a world that runs here: the number of servers
            on the way. Such a session is not kept when its connection is lost. (≤ 255, default 0)
        away: With hops: the connection of that session is lost, so others see it as away, until this is said
            again. (default False)

        Returns api.SessionHelloResult.
        """
        _given = self._fields({
            "arrays": "ext",
            "errors": "map",
            "client": client,
            "user": user,
            "token": token,
            "follow": follow,
            "resume": resume,
            "unanswered": unanswered,
            "revisions": revisions,
            "hops": hops,
            "away": away,
        })
        return api.SessionHelloResult(self._call("session.hello", _given))

    def leave(self) -> None:
        """Ends this session at once, with its grabs, streams and requests, and then its connection. A session whose
        connection is only lost is kept for a while. (session.leave)
        """
        _given = self._fields({})
        self._call("session.leave", _given)

    def create(
        self,
        name: str | None = None,
        *,
        gravity: ArrayLike | None = None,
        tick_rate: int | None = None,
        substeps: int | None = None,
        iterations: int | None = None,
        damping: float | None = None,
        wind: api.WindInput | api.Wind | None = None,
        resolution: float | None = None,
        extent: float | None = None,
        contact_quality: Literal["guaranteed", "fast"] | None = None,
        untangle: bool | None = None,
        long_edges: bool | None = None,
        bending: Literal["swept", "solved"] | None = None,
        loads: Literal["swept", "solved"] | None = None,
        sleep: bool | None = None,
        calm: bool | None = None,
        forces: api.ForceFieldsInput | api.ForceFields | None = None,
        surfaces: Sequence[api.SurfacePairInput | api.SurfacePair] | None = None,
    ) -> WorldT:
        """Makes a world, paused. (world.create)

        name: Unique; default world-ID.
        gravity: Acceleration of every moving particle. [m/s^2] (≥ -1000, ≤ 1000, default [0, -9.81, 0])
        tick_rate: Ticks in a second of the world; fixed for its life. [1/s] (≥ 1, ≤ 1000, default 60)
        substeps: Substeps a tick; h = 1/(tick_rate substeps). (Small Steps, Macklin et al. 2019.) (≥ 1, ≤ 1000,
            default 20)
        iterations: Sweeps over all constraints in a substep. With 1, stiff bending that is swept and not resolved
            (unresolved_bend of world.measure) may gain energy and never rest; with 2, or if it is solved, it does
            not. (≥ 1, ≤ 1000, default 1)
        damping: Global damping c: v is multiplied by 1/(1 + c h) each substep. [1/s] (≥ 0, ≤ 1000000, default 0)
        wind: Wind on all triangles; absent: none. Fields absent from it take their defaults.
        resolution: Quantum of position, a power of two; fixed for the world's life. Differences are exact to 2^31
            quanta (16 m at the default). Ranges in metres that are times the scale grow in proportion with a
            coarser one than the default. [m] (≥ 9.313225746154785e-10, ≤ 0.000244140625, default
            7.450580596923828e-09)
        extent: A world in which a particle passes this coordinate pauses itself as failed. [m] (≥ 1, ≤ 1000000000,
            default 1000000)
        contact_quality: guaranteed: among free particles no edge ever passes a triangle. fast: pairs are found
            once a tick and nothing is held back, so what is fast or pressed may cross; contact.crossed tells.
            (default "guaranteed")
        untangle: Whether what crosses when a tick begins is pushed apart, at 1 m/s at most. Otherwise it is left
            alone until it is pulled apart. (default False)
        long_edges: Whether cloths and ropes are held to their length across many edges at once: those of their
            edges that have compliance 0, and all edges of bodies with a stretch.limit. Otherwise a fine mesh
            stretches under its own weight. A tick takes 1.7 to 3 times as long. (default True)
        bending: How the bending of cloths is solved. swept: hinge by hinge with all other constraints, so a fine
            mesh bends far more easily than its material. solved: the whole body at once in each substep, where the
            kind of bending and the rest shape allow it. (default "solved")
        loads: How cloths and ropes bear loads that only touch them. swept: contacts push after all constraints, so
            what is more than 100 times as heavy as a particle falls through, and cloth that friction holds slips
            and stretches. solved: edges and contacts of a body of at most 4,096 particles are one system in each
            substep in which it touches a collider, a particle that is held, or one that is 100 times as heavy.
            Such a tick takes some 60 to 600 times as long. (default "swept")
        sleep: Whether bodies that rest, and touch only what rests, are left as they are until something wakes
            them. They cost no time then. (default True)
        calm: Whether edges of bodies that go slowly (0.5 m/s, root of the mean square about their mean velocity,
            when a tick begins) are swept back once they were swept. A sweep in one direction feeds energy into
            stiff shells, which then tremble and never fall asleep. It costs a second sweep over the edges of such
            bodies. (default True)
        forces: Fields of force that it begins with; absent: none.
        surfaces: Friction and restitution by pairs of surfaces, whose names bodies and colliders have as surface.
            Each row has at least one value, and no two rows have the same two names. Absent: none.

        Returns the World; its `answer` is api.WorldCreateResult.
        """
        _given = self._fields({
            "name": name,
            "gravity": gravity,
            "tick_rate": tick_rate,
            "substeps": substeps,
            "iterations": iterations,
            "damping": damping,
            "wind": wind,
            "resolution": resolution,
            "extent": extent,
            "contact_quality": contact_quality,
            "untangle": untangle,
            "long_edges": long_edges,
            "bending": bending,
            "loads": loads,
            "sleep": sleep,
            "calm": calm,
            "forces": forces,
            "surfaces": surfaces,
        })
        _answer = api.WorldCreateResult(self._call("world.create", _given))
        return self._make_world(_answer, _given)

    def worlds(self) -> list[api.WorldSummary]:
        """Lists all worlds that the caller may see, by id. (world.list)

        Returns all of them.
        """
        _given = self._fields({})
        return api.WorldListResult(self._call("world.list", _given)).worlds

    def bin(self) -> list[api.BinWorld]:
        """Lists deleted worlds that world.restore can bring back, as of a moment ago. (world.bin)

        Returns by id.
        """
        _given = self._fields({})
        return api.WorldBinResult(self._call("world.bin", _given)).worlds

    def restore_world(self, world: int, name: str | None = None) -> api.WorldRestoreResult:
        """Brings back a deleted world, paused, at the tick at which it was deleted, with its id and its past. A new
        name is an edit, as of world.set. (world.restore)

        world: Id that it had: world.bin tells it. (≥ 1)
        name: Unique; default the one it had, or world-ID if that is taken.

        Returns world (Id.), name (Name.), tick (Completed ticks.)
        """
        _given = self._fields({"world": world, "name": name})
        return api.WorldRestoreResult(self._call("world.restore", _given))

    def open(
        self,
        document: api.DocumentInput | api.Document | None = None,
        name: str | None = None,
        *,
        upload: bool | None = None,
    ) -> WorldT:
        """Makes a paused world from a document: one from world.save, or one that somebody wrote. A refused document
        leaves nothing. (world.open)

        name: Unique; default world-ID.
        document: The world; required without upload.
        upload: Open what this session has uploaded (world.upload), instead of a document. The upload is gone
            afterwards, even if it is refused. (default False)

        Returns the World; its `answer` is api.WorldOpenResult.
        """
        _given = self._fields({"name": name, "document": document, "upload": upload})
        _answer = api.WorldOpenResult(self._call("world.open", _given))
        return self._make_world(_answer, _given)

    def upload(self, data: Any, *, offset: int | None = None) -> api.WorldUploadResult:
        """Sends one piece of a document that is larger than a message, as bytes of its MessagePack. A session has one
        upload at a time; world.open {upload: true} opens it. (world.upload)

        offset: Offset of the piece; 0 begins from the start. Pieces follow each other without gaps. [B] (default
            0)
        data: The bytes of the piece: bin, or a typed array of u8.

        Returns bytes (That have come so far. [B])
        """
        _given = self._fields({"offset": offset, "data": data})
        return api.WorldUploadResult(self._call("world.upload", _given))

    def accept(self, invite: str, user: str | None = None) -> api.AccessAcceptResult:
        """Accepts an invitation. A caller without a token becomes a person by it, and gets a token. (access.accept)

        invite: As access.invite gave it.
        user: Name of a new person; it may not be somebody's already. Default guest-ID. (default "")

        Returns api.AccessAcceptResult.
        """
        _given = self._fields({"invite": invite, "user": user})
        return api.AccessAcceptResult(self._call("access.accept", _given))

    def create_token(
        self,
        user: str,
        role: Literal["viewer", "editor", "admin"] | None = None,
        *,
        seconds: int | None = None,
    ) -> api.TokenCreateResult:
        """Makes a token for a person. One person may have several. (token.create)

        user: Name of the person, which others see.
        role: viewer: is in worlds that they have a role in; editor: makes worlds too; admin: everything, in all
            worlds. (default "editor")
        seconds: How long it is good; 0: until it is revoked. [s] (≤ 315360000, default 7776000)

        Returns token (The token, told this once.), id (For token.revoke.), expires_at (Since 1970; 0: never. [s])
        """
        _given = self._fields({"user": user, "role": role, "seconds": seconds})
        return api.TokenCreateResult(self._call("token.create", _given))

    def tokens(self) -> list[api.AccessToken]:
        """Lists all valid tokens. (token.list)

        Returns by id.
        """
        _given = self._fields({})
        return api.TokenListResult(self._call("token.list", _given)).tokens

    def revoke_token(
        self,
        id: int | None = None,
        *,
        user: str | None = None,
        keep_invites: bool | None = None,
    ) -> api.TokenRevokeResult:
        """Ends a token, or all of a person, and the sessions that are open with them, at once. The invitations that
        this person made, into any world, end as well. (token.revoke)

        id: Id of the token; this or user. (≥ 1)
        user: All of theirs.
        keep_invites: Leaves invitations that this person made as they are. (default False)

        Returns revoked (Tokens.), invites (Invitations that ended.), given (Roles that people have because this
        person gave them, by hand or by an invitation. They keep them.)
        """
        _given = self._fields({"id": id, "user": user, "keep_invites": keep_invites})
        return api.TokenRevokeResult(self._call("token.revoke", _given))


class WorldCalls(Handle, NamedWorld, Generic[BodyT, ConstraintsT, ColliderT, StreamT]):
    """The methods of a World, on the wire presence.set, presence.say, world.get, world.set, world.delete, world.move,
    world.join, world.leave, world.play, world.pause, world.hold, world.step, world.reset, world.hash,
    world.measure, world.save, world.records, world.history, world.seek, world.branch, edit.batch, edit.log,
    body.add, constraint.add, constraint.list, collider.add, motion.add, motion.remove, motion.list, force.add,
    force.set, force.remove, force.list, edit.restore, edit.undo, edit.redo, stream.subscribe, world.control,
    access.list, access.grant, access.revoke, access.invite, access.set.
    """

    __slots__ = ()

    def _make_body(self, answer: api.BodyAddResult, given: Mapping[str, Any]) -> BodyT:
        raise NotImplementedError

    def _make_constraints(self, answer: api.ConstraintAddResult, given: Mapping[str, Any]) -> ConstraintsT:
        raise NotImplementedError

    def _make_collider(self, answer: api.ColliderAddResult, given: Mapping[str, Any]) -> ColliderT:
        raise NotImplementedError

    def _make_stream(self, answer: api.StreamSubscribeResult, given: Mapping[str, Any]) -> StreamT:
        raise NotImplementedError

    def show(
        self,
        *,
        name: str | None = None,
        color: str | None = None,
        camera: api.PresenceCameraInput | api.PresenceCamera | None = None,
        cursor: api.PresenceCursorInput | api.PresenceCursor | None = None,
        selection: Sequence[api.PresenceThingInput | api.PresenceThing] | None = None,
    ) -> None:
        """Sets what others who joined this world see of the caller (world.presence). Absent fields stay as they are.
        It is never kept, and is no part of the world. (presence.set)

        name: Name to show; empty: the user's. If the server asks for tokens, it may not look like somebody else's
            name.
        color: #rrggbb.
        camera: The caller's camera; {}: hidden.
        cursor: What the caller points at; {}: nothing.
        selection: What the caller has selected; empty: nothing.
        """
        _given = self._fields({
            "name": name,
            "color": color,
            "camera": camera,
            "cursor": cursor,
            "selection": selection,
        })
        self._call("presence.set", _given)

    def say(self, text: str) -> api.PresenceSayResult:
        """Sends a line to all who joined this world, the caller included (world.said). It is never kept, and is no
        part of the world. (presence.say)

        text: 1 to 2000 bytes (limit said_bytes), without control characters.

        Returns line (As in world.said.)
        """
        _given = self._fields({"text": text})
        return api.PresenceSayResult(self._call("presence.say", _given))

    def get(self) -> api.WorldGetResult:
        """Tells settings and counts of a world. (world.get)

        Returns api.WorldGetResult.
        """
        _given = self._fields({})
        return api.WorldGetResult(self._call("world.get", _given))

    def set(
        self,
        *,
        name: str | None = None,
        gravity: ArrayLike | None = None,
        substeps: int | None = None,
        iterations: int | None = None,
        damping: float | None = None,
        wind: api.WindInput | api.Wind | None = None,
        extent: float | None = None,
        contact_quality: Literal["guaranteed", "fast"] | None = None,
        untangle: bool | None = None,
        long_edges: bool | None = None,
        bending: Literal["swept", "solved"] | None = None,
        loads: Literal["swept", "solved"] | None = None,
        sleep: bool | None = None,
        calm: bool | None = None,
        surfaces: Sequence[api.SurfacePairInput | api.SurfacePair] | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.WorldSetResult:
        """Changes settings; absent fields stay as they are. (world.set)

        name: New unique name.
        gravity: As in world.create. [m/s^2] (≥ -1000, ≤ 1000)
        substeps: As in world.create. (≥ 1, ≤ 1000)
        iterations: As in world.create. (≥ 1, ≤ 1000)
        damping: As in world.create. [1/s] (≥ 0, ≤ 1000000)
        wind: Wind on all triangles.
        extent: As in world.create. [m] (≥ 1, ≤ 1000000000)
        contact_quality: As in world.create.
        untangle: As in world.create.
        long_edges: As in world.create.
        bending: As in world.create.
        loads: As in world.create.
        sleep: As in world.create.
        calm: As in world.create.
        surfaces: As in world.create: all rows, in place of those that there are; empty: none.
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "name": name,
            "gravity": gravity,
            "substeps": substeps,
            "iterations": iterations,
            "damping": damping,
            "wind": wind,
            "extent": extent,
            "contact_quality": contact_quality,
            "untangle": untangle,
            "long_edges": long_edges,
            "bending": bending,
            "loads": loads,
            "sleep": sleep,
            "calm": calm,
            "surfaces": surfaces,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.WorldSetResult(self._call("world.set", _given))

    def delete(self) -> api.WorldDeleteResult:
        """Deletes a world: streams close, later requests answer NOT_FOUND. (world.delete)

        Returns tick (The last one.)
        """
        _given = self._fields({})
        return api.WorldDeleteResult(self._call("world.delete", _given))

    def move(self, server: str) -> api.WorldMoveResult:
        """Makes another server of the deployment run the world from here on. The world plays on while that server
        fetches it, and stands still for a moment during the change. world.changed tells those who joined. A world
        that no server could run (trouble in world.list) is tried again by that server. While servers of several
        versions run, a world goes only to those of its own version, unless there are none or this one is about to
        end. CONFLICT: the world stays here, or still cannot be run, and the text says why. (world.move)

        server: Name of the other server (server.list).

        Returns server (Name of the server that has it now.), address (Where that takes connections: HOST:PORT, or
        tls://HOST:PORT.), web (Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere.)
        """
        _given = self._fields({"server": server})
        return api.WorldMoveResult(self._call("world.move", _given))

    def join(self) -> api.WorldJoinResult:
        """Gives the present document, and from then on world.edited and world.changed without a gap. (world.join)

        Returns api.WorldJoinResult.
        """
        _given = self._fields({})
        return api.WorldJoinResult(self._call("world.join", _given))

    def leave(self) -> api.WorldLeaveResult:
        """Ends what world.join began. Streams and grabs stay; a view (world.seek) ends. (world.leave)

        Returns revision (The last that was sent.), durable_revision (Beside durable: the last revision that is
        certain to be kept.), durable (False if this answer tells something that is not durable: the store takes
        nothing (read_only of world.get says why), and what is told here may be gone when the world is opened
        again. Else absent.)
        """
        _given = self._fields({})
        return api.WorldLeaveResult(self._call("world.leave", _given))

    def play(self, rate: float | None = None) -> api.WorldPlayResult:
        """Lets the world run, or changes its rate. A failed world answers CONFLICT until edit.undo or world.reset
        mends it. (world.play)

        rate: Multiple of real time, at least 1e-6; 0 is as fast as possible. (≥ 0, ≤ 1000, default 1)

        Returns tick (Completed ticks.)
        """
        _given = self._fields({"rate": rate})
        return api.WorldPlayResult(self._call("world.play", _given))

    def pause(self) -> api.WorldPauseResult:
        """Stops the world at the next tick boundary, and cuts a world.step short. (world.pause)

        Returns tick (Completed ticks.)
        """
        _given = self._fields({})
        return api.WorldPauseResult(self._call("world.pause", _given))

    def hold(self, *, allow: bool | None = None) -> api.WorldHoldResult:
        """Sets whether lossless streams may hold the world: if their backlog is full, its next tick waits for them,
        playing or stepping, while edits, queries and world.pause go on. Off in every new world, and after the
        server starts again. When it is turned off, a stream whose backlog is full ends. (world.hold)

        allow: Whether they may. (default True)

        Returns tick (Completed ticks.)
        """
        _given = self._fields({"allow": allow})
        return api.WorldHoldResult(self._call("world.hold", _given))

    def step(self, ticks: int | None = None) -> api.WorldStepResult:
        """Runs a paused world for so many ticks and answers after the last. Later requests of the same session wait
        for it, except world.pause; edits of others apply at tick boundaries. (world.step)

        ticks: How many. (≥ 1, ≤ 1000000000, default 1)

        Returns tick (Completed ticks.)
        """
        _given = self._fields({"ticks": ticks})
        return api.WorldStepResult(self._call("world.step", _given, patient=True))

    def reset(
        self,
        *,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.WorldResetResult:
        """Sets positions and velocities as in body.add; grabs end, everything else stays, tick and time go on. It
        pauses a failed world. (world.reset)

        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.WorldResetResult(self._call("world.reset", _given))

    def hash(self) -> api.WorldHashResult:
        """Tells the hash of the state at a tick boundary, for comparing runs. (world.hash)

        Returns api.WorldHashResult.
        """
        _given = self._fields({})
        return api.WorldHashResult(self._call("world.hash", _given))

    def measure(self, *, crossings: bool | None = None) -> api.WorldMeasureResult:
        """Tells energies, strain, contacts and tick time. (world.measure)

        crossings: Count what has crossed, and what colliders have pierced, exactly. The world stands still
            meanwhile, some microseconds for each triangle; refused above limit crossing_triangles, and bounded by
            limit query_work_person while the world runs. (default False)

        Returns api.WorldMeasureResult.
        """
        _given = self._fields({"crossings": crossings})
        return api.WorldMeasureResult(self._call("world.measure", _given))

    def save(self) -> api.WorldSaveResult:
        """Gives the whole world as a document, from which world.open makes it again, to the bit. Grabs belong to
        people and are left out; a failed world answers CONFLICT. A large world goes on while its document is made:
        the document is of the boundary that the answer names, and edits and another world.save wait until it is
        made. (world.save)

        Returns api.WorldSaveResult.
        """
        _given = self._fields({})
        return api.WorldSaveResult(self._call("world.save", _given))

    def records(self, after: int, *, limit: int | None = None) -> api.WorldRecordsResult:
        """Gives the records of the world, one after another: the inputs that changed its future
        (docs/reference/records.md). With the document of world.save they give the world at any tick after it.
        Their sequences have no gaps, so the next page begins after the last of this one, until that is sequence.
        The last ones, record_bytes of them, come from memory; older ones, and those from before the server
        started, come from the world's past, as of a moment ago and fewer at a time if they are large. If the
        records are kept no more, it answers NOT_FOUND. (world.records)

        after: Those with a greater sequence; 0: from the first.
        limit: So many at most. (≥ 1, ≤ 4096, default 1024)

        Returns api.WorldRecordsResult.
        """
        _given = self._fields({"after": after, "limit": limit})
        return api.WorldRecordsResult(self._call("world.records", _given))

    def history(self) -> api.WorldHistoryResult:
        """Tells what is kept of a world's past, as of a moment ago. (world.history)

        Returns api.WorldHistoryResult.
        """
        _given = self._fields({})
        return api.WorldHistoryResult(self._call("world.history", _given))

    def seek(self, tick: int) -> api.WorldSeekResult:
        """Shows a tick of the past to the calling session, in a world of its own, the view: queries and streams take
        its id as `world`, and edits are refused with READ_ONLY. A session has one view of a world. Another call
        moves the view: its streams go on and get a frame, and world.changed tells those who joined it. If another
        call comes before the answer, the older one is answered with CONFLICT, unless it was about to end. A view
        ends with its session, its world, world.leave or world.delete. Views are not in world.list and have no name
        of their own. (world.seek)

        tick: Completed ticks, first_tick to tick of world.history. What applied at that boundary is seen.

        Returns api.WorldSeekResult.
        """
        _given = self._fields({"tick": tick})
        return api.WorldSeekResult(self._call("world.seek", _given))

    def branch(
        self,
        tick: int | None = None,
        name: str | None = None,
        *,
        without: ArrayLike | None = None,
        instead: Sequence[api.BranchChangeInput | api.BranchChange] | None = None,
    ) -> api.WorldBranchResult:
        """Makes a paused world from a tick of another's past: as it was, or as it would have been without some edits
        or with others. Everything in between is done again at its tick; edits that do not apply any more are left
        out and listed. Nobody holds anything in it. The original world does not notice. (world.branch)

        tick: Completed ticks; default the world's next boundary, or with changes the latest that is kept.
        name: Unique; default world-ID.
        without: Revisions of edits that are not to have been; all lie in the past that is kept.
        instead: Edits that are to have been others. No revision stands twice here or in without.

        Returns api.WorldBranchResult.
        """
        _given = self._fields({"tick": tick, "name": name, "without": without, "instead": instead})
        return api.WorldBranchResult(self._call("world.branch", _given, patient=True))

    def batch(
        self,
        edits: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.EditBatchResult:
        """Makes many edits as one: at one tick, under one revision, told as one world.edited, kept as one record.
        Each finds the world as those before it left it, and may name what they added. If one is refused, all are,
        nothing has changed, and the error says which: edits[3]. (edit.batch)

        edits: One after another: any methods of class edit except this one, edit.undo and edit.redo, without
            world. None renames the world. Each may have an if_thing_revision, which speaks of the time before the
            batch; if_revision, if_epoch, edit_id and gesture are the batch's own.
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After all of them; the same in each result.), tick (Boundary at which they applied.),
        results (The answer of each, in order.), repeated (True if this edit was applied before, under its edit_id:
        the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "edits": edits,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.EditBatchResult(self._call("edit.batch", _given))

    def log(
        self,
        since: int | None = None,
        *,
        limit: int | None = None,
        inputs: bool | None = None,
    ) -> api.EditLogResult:
        """Lists the edits of a world's past in order, page by page, as of a moment ago: the person, the method and
        the tick. (edit.log)

        since: Those with a greater sequence; 0: from the first that is kept. (default 0)
        limit: So many at most; fewer if they are large. (≥ 1, ≤ 4096, default 1024)
        inputs: Grabs too. (default False)

        Returns edits (By sequence.), sequence (Sequence of the last record; 0: none was made.), next (since of the
        next page; 0: there is no more.)
        """
        _given = self._fields({"since": since, "limit": limit, "inputs": inputs})
        return api.EditLogResult(self._call("edit.log", _given))

    def add_body(
        self,
        kind: Literal["cloth", "rope", "points", "soft", "rigid"],
        positions: ArrayLike,
        *,
        name: str | None = None,
        velocities: ArrayLike | None = None,
        triangles: ArrayLike | None = None,
        edges: ArrayLike | None = None,
        tets: ArrayLike | None = None,
        density: float | None = None,
        masses: ArrayLike | None = None,
        material: Literal["denim-stretch", "trousers", "tablecloth", "jacket", "blanket", "swimsuit"] | None = None,
        stretch: api.StretchMaterialInput | api.StretchMaterial | None = None,
        bend: api.BendMaterialInput | api.BendMaterial | None = None,
        volume: api.MaterialInput | api.Material | None = None,
        solid: api.SolidMaterialInput | api.SolidMaterial | None = None,
        rod: api.RodInput | api.Rod | None = None,
        weld: float | None = None,
        thickness: float | None = None,
        self_contact: bool | None = None,
        contact_group: int | None = None,
        contact_mask: int | None = None,
        friction: float | None = None,
        friction_kinetic: float | None = None,
        restitution: float | None = None,
        surface: str | None = None,
        sleep: bool | None = None,
        pressure: api.PressureInput | api.Pressure | None = None,
        gravity: ArrayLike | None = None,
        wind: api.OwnWindInput | api.OwnWind | None = None,
        force: ArrayLike | None = None,
        shape: api.ShapeInput | api.Shape | None = None,
        tear: api.TearInput | api.Tear | None = None,
        pins: ArrayLike | None = None,
        clamps: ArrayLike | None = None,
        skin: api.SkinInput | api.Skin | None = None,
        look: api.LookInput | api.Look | None = None,
        yarn_uvs: ArrayLike | None = None,
        rigid: api.RigidInput | api.Rigid | None = None,
        rotations: ArrayLike | None = None,
        angular_velocities: ArrayLike | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> BodyT:
        """Adds a cloth (triangles), a rope (edges), loose points, or a soft body (tetrahedra). Each unique edge
        becomes a distance constraint, each inner edge of a cloth with a bend material a bending constraint, each
        tetrahedron a volume constraint; with solid each tetrahedron becomes one constraint, and edges none. The
        positions given are the rest shape. (body.add)

        name: Unique in the world if given. (default "")
        kind: Its kind.
        positions: x, y, z of each particle, f32 or f64: the rest shape and the start. [m]
        velocities: x, y, z of each particle; default at rest. None may go farther along an axis in a tick than a
            coordinate may: 4 m at the default resolution, in proportion to it. [m/s]
        triangles: Three particle indices each (cloth).
        edges: Two particle indices each (rope).
        tets: Four particle indices each (soft); positive if (p1-p0)x(p2-p0).(p3-p0) > 0.
        density: Cloth: kg/m^2, a third of each triangle's mass to its corners, default 0.2. Rope: kg/m, half of
            each edge's mass to its ends, default 0.1. Points: kg each, default 0.01. Soft: kg/m^3, a quarter of
            each tetrahedron's mass to its corners, default 1000. (> 0)
        masses: Mass of each particle, or one for all, instead of density; 0 makes it static. [kg] (≥ 0)
        material: A fabric of the table of materials (cloth): it fills in density, stretch and bend where they are
            absent. Members of stretch and bend that are absent are filled in as well, unless the map says itself
            how stiff something is. A record has the values.
        stretch: Material of the edges.
        bend: Resistance to bending (cloth); absent: none.
        volume: Material of the tetrahedra (soft).
        solid: Makes a soft body a solid of this material. It has no edges and volumes as constraints, so stretch
            and volume must be absent. Absent: edges and volumes.
        rod: Makes a rope a rod, which bends and twists. A rod is one or several chains or rings, whose edges run
            on from each other. It has no edges as constraints, so stretch must be absent. Absent: edges alone.
        weld: Vertices no farther apart than this become one particle; absent: none do. particles and welded in the
            result tell what became of them. [m] (≥ 0, ≤ 1)
        thickness: Radius that the body has for contacts: it keeps so far from colliders, and from another body
            both radii together. One that meets itself or others needs at least 1024 quanta, 7.6 um; best is 0.05
            to 0.25 of its mean edge; absent: 0, or if it meets itself or others what its mesh allows: 0.15 of its
            mean edge, and no more than 0.35 of the length that 5 % of its edges are shorter than. [m] (≥ 0, ≤ 1)
        self_contact: Its own triangles and edges meet each other; absent: they do not.
        contact_group: Bits: its groups. Two bodies meet if each one's group has a bit of the other's mask; absent:
            0, it meets nobody.
        contact_mask: Bits: what it meets; absent: 0, nothing.
        friction: Coulomb coefficient mu of the body: between two bodies sqrt(mu_a mu_b); colliders have their own;
            absent: 0.3. (≥ 0, ≤ 1000)
        friction_kinetic: Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000
            ends one set before. Between two bodies the root of the product of both. Absent: 1000. (≥ 0, ≤ 1000)
        restitution: Part of its speed across the surface with which a point leaves a collider or another body that
            it hits; of both sides the greater one. Absent: 0. (≥ 0, ≤ 1)
        surface: Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several
            things may have the same one. Absent or empty: it has none.
        sleep: Whether it may sleep, in worlds with sleep; absent: it may.
        pressure: Pressure inside (cloth with a closed surface); absent: none.
        gravity: Gravity of the body in place of the world's; absent: the world's. [m/s^2] (≥ -1000, ≤ 1000)
        wind: Coefficients of drag and lift in place of the world's; absent: the world's.
        force: Force on the body as a whole, until body.force changes it; on each particle the part that its mass
            is of that of the body. Absent: none. [N] (≥ -1e+38, ≤ 1e+38)
        shape: Shape matching; absent: none.
        tear: Thresholds at which a cloth tears, and room for it; absent: it does not. Its particles are those of
            the mesh and tear.most spares.
        pins: Particles held where they are.
        clamps: Pinned particles of a rod that also hold the orientation of the segment that begins there, or else
            ends there.
        skin: A surface that goes along with the body, finer than what is solved; absent: none. Streams carry it as
            the field skin.
        look: Uvs, edges and materials of its surface, for recordings; absent: none.
        yarn_uvs: u, v of the three corners of each triangle (cloth with stretch.model orthotropic): the warp runs
            in the rest shape the way in which u grows, turned by stretch.angle, and stretch.direction must be
            absent. Their scale does not matter. Each triangle's must span an area; at most 1000000 either way.
            They are told in documents, and cannot change.
        rigid: The shape of each piece (rigid). Needed there, and absent of other kinds. A density, 1000 kg/m^3 if
            neither it nor masses are given, makes all pieces weigh the same. Inertia follows from mass and shape.
        rotations: Orientation of each piece at the start (rigid): quaternions x, y, z, w of any length above 0.
            Absent: they stand as the world does. (≥ -1000000, ≤ 1000000)
        angular_velocities: How each piece turns at the start (rigid), about its centre of mass, in the world;
            absent: it does not. [rad/s] (≥ -1000000, ≤ 1000000)
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns the Body; its `answer` is api.BodyAddResult.
        """
        _given = self._fields({
            "name": name,
            "kind": kind,
            "positions": positions,
            "velocities": velocities,
            "triangles": triangles,
            "edges": edges,
            "tets": tets,
            "density": density,
            "masses": masses,
            "material": material,
            "stretch": stretch,
            "bend": bend,
            "volume": volume,
            "solid": solid,
            "rod": rod,
            "weld": weld,
            "thickness": thickness,
            "self_contact": self_contact,
            "contact_group": contact_group,
            "contact_mask": contact_mask,
            "friction": friction,
            "friction_kinetic": friction_kinetic,
            "restitution": restitution,
            "surface": surface,
            "sleep": sleep,
            "pressure": pressure,
            "gravity": gravity,
            "wind": wind,
            "force": force,
            "shape": shape,
            "tear": tear,
            "pins": pins,
            "clamps": clamps,
            "skin": skin,
            "look": look,
            "yarn_uvs": yarn_uvs,
            "rigid": rigid,
            "rotations": rotations,
            "angular_velocities": angular_velocities,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        _answer = api.BodyAddResult(self._call("body.add", _given))
        return self._make_body(_answer, _given)

    def add_constraints(
        self,
        particles: ArrayLike,
        *,
        type: Literal["distance", "dihedral", "isometric", "quadratic", "volume", "join", "slide", "slide_rail", "neo_hookean", "orthotropic", "rod_stretch", "rod_bend", "joint"] | None = None,
        body: BodyRef | None = None,
        bodies: ArrayLike | None = None,
        sides: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        rest: ArrayLike | None = None,
        compliance: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        stiffness: ArrayLike | None = None,
        rest_end: ArrayLike | None = None,
        seconds: ArrayLike | None = None,
        force_limit: ArrayLike | None = None,
        ratio: ArrayLike | None = None,
        friction: ArrayLike | None = None,
        joint: Literal["ball", "fixed", "hinge", "slider", "distance"] | None = None,
        anchors: ArrayLike | None = None,
        axes: ArrayLike | None = None,
        limits: ArrayLike | None = None,
        turn_compliance: ArrayLike | None = None,
        motor: Literal["none", "speed", "target"] | None = None,
        motor_target: ArrayLike | None = None,
        motor_most: ArrayLike | None = None,
        motor_compliance: ArrayLike | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> ConstraintsT:
        """Adds constraints between any particles of any bodies, all or none. (constraint.add)

        type: Kind of all of them. (default "distance")
        body: Body of all particles.
        bodies: Body id of each particle, instead of body.
        particles: Flat: two indices for each distance, rod_stretch and rod_bend, for each join those of its first
            side and then of its second (sides), three for each slide, slide_rail and orthotropic, for each joint a
            piece of a rigid body and then those of its second side (sides), four for each other; slide: an end of
            the rope, the ring, the other end; slide_rail: the ring, and the first and the last particle of the
            rail, which runs over the particles of one body between them in the order of their indices; bending:
            the shared edge, then the two wings.
        sides: Only for joins: particles of each of the two sides, 1 (a point), 2 (on an edge) or 3 (on a
            triangle), two numbers for all; default 1 and 1. For joints: 1, and 0 (the world), 1 (a piece or a
            particle), 2 (a segment of a rod: the particle at which it begins, and the one at which it ends) or 3
            (on a triangle).
        weights: Only for joins and joints: barycentric weight of each particle; the sum of each side is 1.
            Default: equal ones; of a segment of a rod those of its point that is nearest to the second anchor, and
            without anchors to the piece's centre. (≥ 0, ≤ 1)
        rest: Rest length (of a slide: of the whole rope), angle (signed, 0 flat) or volume (signed) of each, or
            one for all; default the present one. isometric, quadratic, slide_rail, orthotropic, rod_stretch,
            rod_bend and joint take none. [m, rad, m^3]
        compliance: Of each, or one for all; default 0; more than 1000 m/N for distance, join, slide, slide_rail,
            orthotropic, rod_stretch and joint is refused. [[C]^2/J] (≥ 0)
        damping: Of each, or one for all; default 0. [J s/[C]^2] (≥ 0)
        stiffness: Plain PBD stiffness k of each, or one for all, instead of compliance and damping. (≥ 0, ≤ 1)
        rest_end: Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest
            length changes evenly and in ticks. [m] (≥ 0)
        seconds: Only for joins, with rest_end: how long that takes, above 0, of each or one for all. [s] (≥ 0, ≤
            3600)
        force_limit: Only for joins and joints: a join parts, and a joint breaks, at the end of a tick if the mean
            of its force over that tick was above this; of each, or one for all. 0: it never does. Default 0. [N]
            (≥ 0, ≤ 1000000000000)
        ratio: Only for slide: parts of rope between the ring and the third particle, of each, or one for all;
            default 1. A rest length counts them all. (≥ 1, ≤ 16)
        friction: Only for slide: friction coefficient mu of rope and ring (Euler and Eytelwein), and for
            slide_rail: of ring and rail (Coulomb), of each, or one for all; default 0. Above 0 a slide needs a
            ratio of 1. (≥ 0, ≤ 100)
        joint: Only for joints, what all of them are; absent: ball. ball: the anchors stay together; fixed: and
            nothing turns; hinge: they turn about the axis alone; slider: nothing turns, and they move along the
            axis alone; distance: the anchors stay as far apart as limits says. The second side of fixed, hinge and
            slider is a piece, a segment of a rod or the world.
        anchors: Only for joints: where each one holds, in the world as it is then. Three numbers for each, for
            both of its sides, or six for each, of the piece and of the second side. A particle or a point of a
            triangle is its own anchor. Default: the second side's particle or point, or the centre of its piece;
            of a segment the point that weights name, and of the world the first piece's. [m] (≥ -1000000000, ≤
            1000000000)
        axes: Only for joints: the axis of each, in the world as it is then, three numbers of any length above 0.
            Default: y, 0 1 0. (≥ -1000000000, ≤ 1000000000)
        limits: Only for joints: two numbers for each. Of a hinge the least and the greatest angle in rad, of a
            slider the least and the greatest place along its axis in m; both are 0 where a joint is added. Of a
            ball 0 and the angle in rad to which its axis may lean. Of a distance the least and the greatest one in
            m. The first above the second: none, as 1, -1; so is a whole turn of a hinge. Default: none, and for a
            distance the present one. (≥ -1000000, ≤ 1000000)
        turn_compliance: Only for joints: compliance of what holds the orientation (fixed, hinge, slider), of each
            or one for all. Default 0. [rad/(N m)] (≥ 0, ≤ 1000000000000)
        motor: Only for joints, of all of them: what drives a hinge or a slider; absent: nothing. speed: it comes
            to a speed; target: to an angle or a place.
        motor_target: Only for joints: the speed in rad/s or m/s, or the angle in rad or the place in m that the
            motor of each comes to, or one for all. Default 0. (≥ -1000000, ≤ 1000000)
        motor_most: Only for joints: the greatest torque of a hinge's motor, or force of a slider's; of each, or
            one for all. 0: as much as it takes. Default 0. [N m, N] (≥ 0, ≤ 1000000000000)
        motor_compliance: Only for joints with a target: above 0 the motor is a spring; of each, or one for all.
            Default 0. [rad/(N m), m/N] (≥ 0, ≤ 1000000000000)
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns the Constraints; its `answer` is api.ConstraintAddResult.
        """
        _given = self._fields({
            "type": type,
            "body": body,
            "bodies": bodies,
            "particles": particles,
            "sides": sides,
            "weights": weights,
            "rest": rest,
            "compliance": compliance,
            "damping": damping,
            "stiffness": stiffness,
            "rest_end": rest_end,
            "seconds": seconds,
            "force_limit": force_limit,
            "ratio": ratio,
            "friction": friction,
            "joint": joint,
            "anchors": anchors,
            "axes": axes,
            "limits": limits,
            "turn_compliance": turn_compliance,
            "motor": motor,
            "motor_target": motor_target,
            "motor_most": motor_most,
            "motor_compliance": motor_compliance,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        _answer = api.ConstraintAddResult(self._call("constraint.add", _given))
        return self._make_constraints(_answer, _given)

    def list_constraints(
        self,
        type: Literal["distance", "dihedral", "isometric", "quadratic", "volume", "join", "slide", "slide_rail", "neo_hookean", "orthotropic", "rod_stretch", "rod_bend", "joint"] | None = None,
        *,
        body: BodyRef | None = None,
        after: int | None = None,
        limit: int | None = None,
        forces: bool | None = None,
    ) -> api.ConstraintListResult:
        """Lists constraints of one kind by id, a page at a time. (constraint.list)

        type: Kind. (default "distance")
        body: Only those of which a particle belongs to this body.
        after: Only ids greater than this. (default 0)
        limit: Page size. (≥ 1, ≤ 100000, default 10000)
        forces: Also give the forces of the last tick's last substep, and long_forces. Asking changes nothing. It
            takes up to the time of a substep, and long_forces up to that of one to three ticks more; only bodies
            of which the page lists constraints count, so name one with body if its forces are enough. While the
            world runs, this is bounded by limit query_work_person. (default False)

        Returns api.ConstraintListResult.
        """
        _given = self._fields({"type": type, "body": body, "after": after, "limit": limit, "forces": forces})
        return api.ConstraintListResult(self._call("constraint.list", _given))

    def add_collider(
        self,
        kind: Literal["plane", "sphere", "capsule", "box", "cylinder", "convex", "height_field"],
        *,
        name: str | None = None,
        position: ArrayLike | None = None,
        normal: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        radius: float | None = None,
        length: float | None = None,
        half_extents: ArrayLike | None = None,
        friction: float | None = None,
        friction_kinetic: float | None = None,
        restitution: float | None = None,
        surface: str | None = None,
        points: ArrayLike | None = None,
        heights: ArrayLike | None = None,
        columns: int | None = None,
        spacing: float | None = None,
        surface_velocity: ArrayLike | None = None,
        surface_spin: ArrayLike | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> ColliderT:
        """Adds a collider that particles stay outside of, with Coulomb friction. (collider.add)

        name: Unique among the world's colliders if given. (default "")
        kind: Shape.
        position: A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or
            the centre of the others. [m] (default [0, 0, 0])
        normal: Normal of the plane; made a unit vector. (default [0, 1, 0])
        rotation: Quaternion x, y, z, w (capsule, box, cylinder, convex, height_field, and plane instead of
            normal); made a unit quaternion; absent: none.
        radius: Radius of the sphere, capsule or cylinder. [m] (> 0, default 1)
        length: Along the rotated y: of the capsule, between the centres of its ends; of the cylinder, between its
            flat ends, above 0. [m] (≥ 0, default 1)
        half_extents: Half the edges of the box. [m] (> 0, default [0.5, 0.5, 0.5])
        friction: Coulomb coefficient mu. (≥ 0, ≤ 1000, default 0.5)
        friction_kinetic: Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000
            ends one set before. Absent: 1000. (≥ 0, ≤ 1000)
        restitution: Part of its speed across the surface with which a point leaves a collider or another body that
            it hits; of both sides the greater one. Absent: 0. (≥ 0, ≤ 1)
        surface: Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several
            things may have the same one. Absent or empty: it has none.
        points: For a convex collider, which is the hull of these: x, y, z of 4 to 512 points in its own frame, not
            all in a plane, the farthest coordinate 1e-6 m or more. They are rounded to a part in 2^24 of the power
            of two above that, and the hull has 128 vertices at most. [m] (≥ -1000000000, ≤ 1000000000)
        heights: For a height field: heights along its y, over a grid about its position in its own x and z; 2 to
            256 rows along z, in each 2 to 256 columns along x. Everything below is solid, without end; beside the
            grid there is nothing. Rounded to a part in 2^24 of the power of two at or above the greatest. The two
            triangles of a cell meet at the diagonal from its least x and z to its greatest. [m] (≥ -1000000000, ≤
            1000000000)
        columns: Heights in a row (height_field, required there). (≥ 2, ≤ 256)
        spacing: From one height to the next along x and z (height_field); absent: 1. [m] (≥ 1e-06, ≤ 1000000000)
        surface_velocity: Velocity at which the surface runs on in the collider's own frame while the collider
            stands, as a conveyor does; 50 m/s at most. Friction works against it, and only what of it is along the
            surface counts. Absent: none. [m/s] (≥ -50, ≤ 50)
        surface_spin: The same of a turn about the collider's position, in its own frame: [0, w, 0] makes a roller
            of a cylinder. Its length is 1000 rad/s at most, and the surface goes at 50 m/s at most. Absent: none.
            [rad/s] (≥ -1000, ≤ 1000)
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns the Collider; its `answer` is api.ColliderAddResult.
        """
        _given = self._fields({
            "name": name,
            "kind": kind,
            "position": position,
            "normal": normal,
            "rotation": rotation,
            "radius": radius,
            "length": length,
            "half_extents": half_extents,
            "friction": friction,
            "friction_kinetic": friction_kinetic,
            "restitution": restitution,
            "surface": surface,
            "points": points,
            "heights": heights,
            "columns": columns,
            "spacing": spacing,
            "surface_velocity": surface_velocity,
            "surface_spin": surface_spin,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        _answer = api.ColliderAddResult(self._call("collider.add", _given))
        return self._make_collider(_answer, _given)

    def add_motion(
        self,
        times: ArrayLike,
        offsets: ArrayLike,
        *,
        collider: ColliderRef | None = None,
        body: BodyRef | None = None,
        particles: ArrayLike | None = None,
        loop: bool | None = None,
        rotations: ArrayLike | None = None,
        pivot: ArrayLike | None = None,
        interpolation: Literal["linear", "cubic"] | None = None,
        poses: ArrayLike | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> int:
        """Moves and turns a collider, or pinned particles, by keyframes: in each substep by as much as the keyframes
        change in it, so other movements add to it. The motion ends with its collider or body; world.reset begins
        it again. (motion.add)

        collider: Collider to move, by id or name.
        body: Body whose particles move, instead of collider.
        particles: Indices in the body, each once.
        times: Times of the keyframes since the motion was added, ascending. [s] (≥ 0, ≤ 1000000)
        offsets: x, y, z at each time; constant before the first and after the last. Pins go at most 4 m in a tick
            along an axis at the default resolution, in proportion to it. [m] (≥ -1000, ≤ 1000)
        loop: After the last time begin again at time 0. (default False)
        rotations: Quaternion x, y, z, w at each time, of any length but zero: turns a collider about its position,
            and particles about the pivot, by as much as it differs from the first one. From one to the next the
            shorter way. Absent: no turning. (≥ -1000000, ≤ 1000000)
        pivot: Point that particles turn about as they stand now; it goes along with the offsets. Absent: the
            middle of the particles. [m]
        interpolation: Between keyframes: with linear the velocity jumps at each; cubic is smooth, at rest at its
            ends (except a loop from time 0 on, which goes round) and at each turning point, and never passes
            beyond its keyframes. (default "linear")
        poses: For a body whose shape changes: x, y, z of each of particles at each time, one keyframe after the
            other, on top of offsets and rotations. Only differences between times count. Absent: all particles
            move alike. [m] (≥ -1000, ≤ 1000)
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns id.
        """
        _given = self._fields({
            "collider": collider,
            "body": body,
            "particles": particles,
            "times": times,
            "offsets": offsets,
            "loop": loop,
            "rotations": rotations,
            "pivot": pivot,
            "interpolation": interpolation,
            "poses": poses,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.MotionAddResult(self._call("motion.add", _given)).motion

    def remove_motion(
        self,
        motion: int,
        *,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.MotionRemoveResult:
        """Ends a motion; what it moved stays in place. (motion.remove)

        motion: Id. (≥ 1)
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "motion": motion,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.MotionRemoveResult(self._call("motion.remove", _given))

    def motions(self, *, poses: bool | None = None) -> list[api.MotionSummary]:
        """Lists the motions of a world. (motion.list)

        poses: Give poses, too: they may be megabytes. (default False)

        Returns by id.
        """
        _given = self._fields({"poses": poses})
        return api.MotionListResult(self._call("motion.list", _given)).motions

    def add_force(
        self,
        field: api.ForceFieldInput | api.ForceField,
        *,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.ForceAddResult:
        """Adds a field of force. (force.add)

        field: The field; kind must be given.
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns force (Id of the field.), revision (After this edit.), tick (Boundary at which it applied.),
        repeated (True if this edit was applied before, under its edit_id: the rest is the answer of that time.
        Otherwise absent.)
        """
        _given = self._fields({
            "field": field,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.ForceAddResult(self._call("force.add", _given))

    def set_force(
        self,
        force: int,
        field: api.ForceFieldInput | api.ForceField,
        *,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.ForceSetResult:
        """Changes a field of force. (force.set)

        force: Id of the field. (≥ 1)
        field: The fields of it that change; absent ones stay.
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "force": force,
            "field": field,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.ForceSetResult(self._call("force.set", _given))

    def remove_force(
        self,
        force: int,
        *,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.ForceRemoveResult:
        """Removes a field of force. (force.remove)

        force: Id of the field. (≥ 1)
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "force": force,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.ForceRemoveResult(self._call("force.remove", _given))

    def list_force(self) -> api.ForceListResult:
        """Lists the fields of force of a world. (force.list)

        Returns api.ForceListResult.
        """
        _given = self._fields({})
        return api.ForceListResult(self._call("force.list", _given))

    def restore(
        self,
        *,
        removed: api.RestoreRemovedInput | api.RestoreRemoved | None = None,
        name: str | None = None,
        settings: api.RestoreSettingsInput | api.RestoreSettings | None = None,
        bodies: Sequence[api.DocumentBodyInput | api.DocumentBody] | None = None,
        parts: Sequence[api.RestoreBodyInput | api.RestoreBody] | None = None,
        particles: Sequence[api.RestoreParticlesInput | api.RestoreParticles] | None = None,
        own: Sequence[api.RestoreOwnInput | api.RestoreOwn] | None = None,
        constraints: Sequence[api.DocumentConstraintsInput | api.DocumentConstraints] | None = None,
        colliders: Sequence[api.RestoreColliderInput | api.RestoreCollider] | None = None,
        motions: Sequence[api.DocumentMotionInput | api.DocumentMotion] | None = None,
        next: api.RestoreNextInput | api.RestoreNext | None = None,
        expected_next: api.RestoreNextInput | api.RestoreNext | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.EditRestoreResult:
        """Makes things what they were: the record that takes an edit back. Everything that it does not name goes on.
        Things come back under their ids, which nothing else may have by now (CONFLICT); grabs that an edit ended
        do not come back. It is INVALID if it contradicts itself: a thing is removed and named as well, or is named
        twice. Only a collider or a motion may be removed for another one that comes back under its id. It is
        applied whole or refused whole. (edit.restore)

        removed: Things to remove.
        name: Name of the world.
        settings: Settings of the world.
        bodies: Bodies that come back, with their ids, by id.
        parts: Values of bodies that stay.
        particles: Particles, one entry after the other.
        own: Constraints that bodies came with; those that are gone come back.
        constraints: Loose constraints, with their ids; those that are gone come back.
        colliders: Colliders, by id.
        motions: Motions, with their ids; those that are gone come back.
        next: Next ids. One that is lower than what is next now does not count: no id is given twice.
        expected_next: Next ids if there was no edit in between; if one differs, ids were given since, and it
            stays.
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "removed": removed,
            "name": name,
            "settings": settings,
            "bodies": bodies,
            "parts": parts,
            "particles": particles,
            "own": own,
            "constraints": constraints,
            "colliders": colliders,
            "motions": motions,
            "next": next,
            "expected_next": expected_next,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.EditRestoreResult(self._call("edit.restore", _given))

    def undo(
        self,
        revision: int | None = None,
        *,
        force: bool | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.EditUndoResult:
        """Takes an edit back: what it changed is what it was before, and everything else goes on. Without revision,
        the caller's last edit that stands; again, the one before. Answers CONFLICT if the same was changed since,
        and says by whom. (edit.undo)

        force: Take it back even if somebody has changed the same since, or if it was another person's edit.
            (default False)
        revision: The edit to take back; default the last of one's own that stands. (≥ 1)
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns api.EditUndoResult.
        """
        _given = self._fields({
            "back": None,
            "force": force,
            "revision": revision,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.EditUndoResult(self._call("edit.undo", _given))

    def redo(
        self,
        revision: int | None = None,
        *,
        force: bool | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.EditRedoResult:
        """Makes an edit again that the caller has taken back, the last one first. A new edit of the caller empties
        this list. Answers CONFLICT if the same was changed since, and says by whom. (edit.redo)

        force: Take it back even if somebody has changed the same since, or if it was another person's edit.
            (default False)
        revision: The edit to do again; default: the last that the caller took back. (≥ 1)
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns api.EditRedoResult.
        """
        _given = self._fields({
            "back": None,
            "force": force,
            "revision": revision,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.EditRedoResult(self._call("edit.redo", _given))

    def subscribe(
        self,
        *,
        bodies: ArrayLike | None = None,
        fields: api.StreamSubscribeFields | Sequence[api.StreamSubscribeFields] | None = None,
        every: int | None = None,
        unit: Literal["tick", "substep"] | None = None,
        encoding: Literal["f32", "records", "q16", "delta"] | None = None,
        tolerance: float | None = None,
        nth: int | None = None,
        box: ArrayLike | None = None,
        mode: Literal["live", "lossless"] | None = None,
        credit: int | None = None,
        backlog: int | None = None,
        sparse: bool | None = None,
        adapt: bool | None = None,
    ) -> StreamT:
        """Sends stream.frame from now on, beginning with the present state; or, if encoding is records,
        stream.records, beginning with an image of it. (stream.subscribe)

        bodies: Body ids; absent: all, later ones too.
        fields: What each frame holds: arrays for each body; measures, grabs, the colliders that motions move,
            contact and contacts (its places), and the bodies that sleep (asleep) once a frame; skin: the vertices
            of the skins; rotations and rotations64: a quaternion x, y, z, w for each particle, of bodies with
            orientations alone, rounded or exact, and four zeros for a particle that has none. (default
            ["positions"])
        every: Each so many units, counted from the world's start. (≥ 1, ≤ 1000000, default 1)
        unit: What is counted. (default "tick")
        encoding: How positions and skin are encoded. q16, delta: small (docs/reference/compressed.md);
            positions64, velocities, normals and rotations are refused there. records: they are not, what decides
            them is sent (docs/concepts/twins.md); bodies, fields, every, unit, nth and box are refused there, and
            so is a world that failed or that shows the past. (default "f32")
        tolerance: By how much a coordinate may be off at most; of delta alone. Rounded down to 1, 1.4, 2, 2.8, 4,
            5 or 7 times a power of ten. [m] (≥ 1e-12, ≤ 1000000, default 0.0001)
        nth: Every n-th vertex of each body (and skin): 0, n, 2n, … (≥ 1, ≤ 1000000, default 1)
        box: Six numbers, the lowest x, y, z and the highest: bodies without a particle in it are left out, and of
            q16 and delta tiles of large ones. Absent or empty: all space. [m]
        mode: live: a slow client gets fewer frames, the newest. lossless: it gets all that the stream wants, or
            the stream ends and says why; with every encoding but records, which loses nothing anyway and refuses
            it. What was taken has to be acknowledged (stream.ack). (default "live")
        credit: For lossless alone: bytes of frames that are sent and not acknowledged, from which on no frame
            begins. [B] (≥ 1, ≤ 67108864, default 1048576)
        backlog: For lossless alone: bytes of frames that the server keeps for it and has not sent. If one more
            tick does not fit, the world waits, if it may be held (world.hold); otherwise the stream ends. A tick
            whose frames are larger ends it as well. [B] (≥ 65536, ≤ 67108864, default 4194304)
        sparse: Without a box alone: chunks in which no number has changed are left out of frames, which then build
            on the one before; left_out tells how many. So what rests costs no bytes. (default False)
        adapt: For live alone, but not for records: if this client is too slow, `every` doubles, up to 64 times
            what was asked for, and halves again while it keeps up; stream.rate tells. Moments still count from the
            world's start. (default False)

        Returns the Stream; its `answer` is api.StreamSubscribeResult.
        """
        _given = self._fields({
            "bodies": bodies,
            "fields": fields,
            "every": every,
            "unit": unit,
            "encoding": encoding,
            "tolerance": tolerance,
            "nth": nth,
            "box": box,
            "mode": mode,
            "credit": credit,
            "backlog": backlog,
            "sparse": sparse,
            "adapt": adapt,
        })
        _answer = api.StreamSubscribeResult(self._call("stream.subscribe", _given))
        return self._make_stream(_answer, _given)

    def control(
        self,
        action: Literal["look", "take", "release", "ask", "give"] | None = None,
        *,
        to: int | None = None,
    ) -> api.WorldControlResult:
        """Takes, gives or releases the right to play, pause, step and reset a world, or asks for it. It ends with the
        session. (world.control)

        action: take: hold it, if nobody does; an owner takes it from whoever does. ask: those who joined are told
            that one would like it. give: hand it to another session that joined. (default "look")
        to: For give: their session. (≥ 1)

        Returns session (Session that holds control; 0: none, and the role alone decides.), user (Their name.)
        """
        _given = self._fields({"action": action, "to": to})
        return api.WorldControlResult(self._call("world.control", _given))

    def access(self) -> api.AccessListResult:
        """Lists the roles and invitations of a world. (access.list)

        Returns people (All who have a role in it, except admins.), invites (Invitations, for owners; others see
        none.), role (One's own; an admin is an owner.), control (Who may play, pause, step and reset it.)
        """
        _given = self._fields({})
        return api.AccessListResult(self._call("access.list", _given))

    def grant(
        self,
        user: str,
        role: Literal["viewer", "editor", "owner"] | None = None,
        *,
        keep_invites: bool | None = None,
    ) -> api.AccessGrantResult:
        """Gives somebody a role in a world, or changes it. If the new role is lesser, the sessions that depend on the
        old one end, and so do invitations of this person that give more than the new role. (access.grant)

        user: Name of the person; * is everybody who has a token.
        role: viewer, editor or owner. (default "viewer")
        keep_invites: Leaves invitations that this person made as they are. (default False)

        Returns invites (Invitations that ended.)
        """
        _given = self._fields({"user": user, "role": role, "keep_invites": keep_invites})
        return api.AccessGrantResult(self._call("access.grant", _given))

    def revoke(
        self,
        user: str | None = None,
        *,
        invite: int | None = None,
        keep_invites: bool | None = None,
    ) -> api.AccessRevokeResult:
        """Takes a role in a world back, or an invitation. Sessions of that person in that world end at once, and so
        do the invitations into it that this person made. (access.revoke)

        user: Name of the person; this or invite.
        invite: Id of an invitation. (≥ 1)
        keep_invites: Leaves invitations that this person made as they are. (default False)

        Returns invites (Invitations that ended.), given (Roles in this world that people have because this person
        gave them, by hand or by an invitation. They keep them.)
        """
        _given = self._fields({"user": user, "invite": invite, "keep_invites": keep_invites})
        return api.AccessRevokeResult(self._call("access.revoke", _given))

    def invite(
        self,
        role: Literal["viewer", "editor", "owner"] | None = None,
        *,
        uses: int | None = None,
        seconds: int | None = None,
    ) -> api.AccessInviteResult:
        """Makes an invitation into a world: anybody who has it may accept it, as often as it says. (access.invite)

        role: That it gives. (default "viewer")
        uses: How often it can be accepted. (≥ 1, ≤ 1000, default 1)
        seconds: How long it is good; no longer than the token of whoever makes it. [s] (≥ 1, ≤ 31536000, default
            604800)

        Returns invite (The invitation, told this once; of the studio's address it is the part behind #invite=,
        which browsers send to nobody.), id (For access.revoke.), expires_at (Since 1970. [s])
        """
        _given = self._fields({"role": role, "uses": uses, "seconds": seconds})
        return api.AccessInviteResult(self._call("access.invite", _given))

    def set_access(self, control: Literal["editor", "owner"]) -> None:
        """Sets who may play, pause, step and reset a world. (access.set)

        control: Needs that role, or a higher one.
        """
        _given = self._fields({"control": control})
        self._call("access.set", _given)


class BodyCalls(Handle, NamedBody, Generic[GrabT]):
    """The methods of a Body, on the wire body.get, body.set, body.force, body.remove, body.state, particle.set,
    particle.pin, particle.unpin, grab.begin.
    """

    __slots__ = ()

    def _make_grab(self, answer: api.GrabBeginResult, given: Mapping[str, Any]) -> GrabT:
        raise NotImplementedError

    def get(self, *, images: bool | None = None) -> api.BodyGetResult:
        """Gives topology, rest shape and material. (body.get)

        images: Whether to tell the bytes of the look's images too, which are up to 4 MiB. (default False)

        Returns api.BodyGetResult.
        """
        _given = self._fields({"images": images})
        return api.BodyGetResult(self._call("body.get", _given))

    def set(
        self,
        *,
        name: str | None = None,
        stretch: api.StretchMaterialInput | api.StretchMaterial | None = None,
        bend: api.BendMaterialInput | api.BendMaterial | None = None,
        volume: api.MaterialInput | api.Material | None = None,
        solid: api.SolidMaterialInput | api.SolidMaterial | None = None,
        thickness: float | None = None,
        self_contact: bool | None = None,
        contact_group: int | None = None,
        contact_mask: int | None = None,
        friction: float | None = None,
        friction_kinetic: float | None = None,
        restitution: float | None = None,
        surface: str | None = None,
        sleep: bool | None = None,
        rest_shape: api.RestShapeInput | api.RestShape | None = None,
        pressure: api.PressureInput | api.Pressure | None = None,
        gravity: ArrayLike | None = None,
        wind: api.OwnWindInput | api.OwnWind | None = None,
        shape: api.ShapeInput | api.Shape | None = None,
        tear: api.TearInput | api.Tear | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.BodySetResult:
        """Changes name, materials, thickness, contact, pressure, and the shape at which constraints rest. A material
        given here becomes that of all constraints of its kind in the body, also of those set one by one before;
        fields absent from it stay as the body has them. (body.set)

        name: Unique in the world.
        stretch: Material of the edges. Giving compliance ends a stiffness set before, and the other way round. A
            limit of 0 ends one set before.
        bend: Resistance to bending; the model cannot change. A given compliance, stiffness, rigidity, or warp with
            weft ends the others.
        volume: Material of the tetrahedra.
        solid: Material of a solid; the model cannot change, and a body added without one cannot become one.
        thickness: As in body.add. [m] (≥ 0, ≤ 1)
        self_contact: As in body.add.
        contact_group: As in body.add.
        contact_mask: As in body.add.
        friction: As in body.add. (≥ 0, ≤ 1000)
        friction_kinetic: As in body.add. (≥ 0, ≤ 1000)
        restitution: As in body.add. (≥ 0, ≤ 1)
        surface: As in body.add; empty: it has none.
        sleep: As in body.add.
        rest_shape: The body's own constraints rest at the shape that it has now, or at another one. Constraints
            that constraint.add made keep their rest values.
        pressure: Pressure inside; fields absent from it stay as the body has them. A new overpressure or ratio
            without seconds holds at once.
        gravity: Gravity of the body in place of the world's: x, y, z; an empty array: the world's again. [m/s^2]
            (≥ -1000, ≤ 1000)
        wind: Coefficients of drag and lift in place of the world's, both at once: one that is absent from it is
            the world's again, and so are both with an empty map.
        shape: Shape matching; fields absent from it stay as the body has them.
        tear: Thresholds of a body that was made with tear.most, which must be absent here. Fields absent from it
            stay as the body has them, and 0 ends a threshold.
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "name": name,
            "stretch": stretch,
            "bend": bend,
            "volume": volume,
            "solid": solid,
            "thickness": thickness,
            "self_contact": self_contact,
            "contact_group": contact_group,
            "contact_mask": contact_mask,
            "friction": friction,
            "friction_kinetic": friction_kinetic,
            "restitution": restitution,
            "surface": surface,
            "sleep": sleep,
            "rest_shape": rest_shape,
            "pressure": pressure,
            "gravity": gravity,
            "wind": wind,
            "shape": shape,
            "tear": tear,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.BodySetResult(self._call("body.set", _given))

    def force(
        self,
        force: ArrayLike | None = None,
        *,
        particles: ArrayLike | None = None,
        forces: ArrayLike | None = None,
        seconds: float | None = None,
        at_tick: int | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.BodyForceResult:
        """Lets a force act on a body, or on some of its particles, until it is changed or its time is over. A force
        takes the place of the one that acted there; 0 ends that one. Forces on particles act beside that on their
        body. Static particles and those with a hard pin do not move by them. (body.force)

        particles: Indices in the body, each once: the force acts on each of them. Absent: on the body as a whole,
            on each particle the part that its mass is of that of the body, so that it goes as force over mass
            says.
        force: x, y, z. Either this or forces. [N] (≥ -1e+38, ≤ 1e+38)
        forces: x, y, z for each particle, instead of force. [N] (≥ -1e+38, ≤ 1e+38)
        seconds: Time in which it acts, to the nearest tick and at least one; absent: until it is changed. [s] (>
            0, ≤ 3600)
        at_tick: Tick at which it ends, instead of seconds: the last tick in which it acts leads there. One that
            has passed counts as the next.
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "particles": particles,
            "force": force,
            "forces": forces,
            "seconds": seconds,
            "at_tick": at_tick,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.BodyForceResult(self._call("body.force", _given))

    def remove(
        self,
        *,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.BodyRemoveResult:
        """Removes a body with its constraints, pins and grabs, and loose constraints that touch it. (body.remove)

        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), constraints (Loose constraints
        that went with it.), repeated (True if this edit was applied before, under its edit_id: the rest is the
        answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.BodyRemoveResult(self._call("body.remove", _given))

    def state(self, fields: api.BodyStateFields | Sequence[api.BodyStateFields] | None = None) -> api.BodyStateResult:
        """Gives present positions and velocities, once. (body.state)

        fields: Which of them. (default ["positions", "velocities"])

        Returns api.BodyStateResult.
        """
        _given = self._fields({"fields": fields})
        return api.BodyStateResult(self._call("body.state", _given))

    def set_particles(
        self,
        particles: ArrayLike,
        *,
        positions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        inverse_masses: ArrayLike | None = None,
        rotations: ArrayLike | None = None,
        angular_velocities: ArrayLike | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.ParticleSetResult:
        """Places particles, gives them velocities or inverse masses. A pinned particle that is placed is held at its
        new place. (particle.set)

        particles: Indices in the body, each once.
        positions: x, y, z of each. None may go farther along an axis in a tick than a coordinate may: 4 m at the
            default resolution, in proportion to it. [m]
        velocities: x, y, z of each. [m/s]
        inverse_masses: Of each, or one for all; 0 makes it static. A piece of a rigid body keeps its angular
            momentum. [1/kg] (≥ 0, ≤ 1000000000)
        rotations: Only of pieces of a rigid body: orientations, quaternions x, y, z, w of any length above 0. A
            piece that is turned keeps its angular velocity. (≥ -1000000, ≤ 1000000)
        angular_velocities: Only of pieces of a rigid body: how each turns about its centre of mass, in the world.
            [rad/s] (≥ -1000000, ≤ 1000000)
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "particles": particles,
            "positions": positions,
            "velocities": velocities,
            "inverse_masses": inverse_masses,
            "rotations": rotations,
            "angular_velocities": angular_velocities,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.ParticleSetResult(self._call("particle.set", _given))

    def pin(
        self,
        particles: ArrayLike,
        positions: ArrayLike | None = None,
        *,
        seconds: float | None = None,
        at_tick: int | None = None,
        collider: ColliderRef | None = None,
        compliance: ArrayLike | None = None,
        distance: ArrayLike | None = None,
        clamp: bool | None = None,
        rotations: ArrayLike | None = None,
        clamp_turns: bool | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.ParticlePinResult:
        """Holds particles in place, moves them to new places, or lets them follow a collider. A piece of a rigid body
        that a hard pin holds does not turn either. A hard pin holds its particle where its target is. A soft one,
        which has a compliance or a distance, leaves the particle its mass, draws it to the target and keeps it
        near: by at most 2^28 quanta (2 m) a tick. Pin pinned particles again to move them, to make them softer or
        harder, or to end that they follow. (particle.pin)

        particles: Indices in the body, each once.
        positions: New places of the targets, x, y, z of each; default: where particles are, except that pins that
            stay soft keep their targets. At most 2^29 quanta (4 m) away by axis for each tick that they may take.
            [m]
        seconds: Time in which targets go to positions, evenly, to the nearest tick; absent: during the next tick.
            Each request sets out from where targets are then, so keyframes may come in one after the other. [s] (≥
            0, ≤ 3600)
        at_tick: Tick at which targets are at positions, instead of seconds; one that has passed counts as the
            next.
        collider: Collider that they follow, id or name: each keeps its present place in the collider's frame, and
            goes and turns with it, however that moves. Not with positions. If the collider is removed, the pins
            hold where they are then; world.reset takes their places again, where the body begins. Motions leave
            them alone.
        compliance: Inverse stiffness of the spring from the target to each particle, or one for all; 0 makes hard
            pins. Absent, with distance: no spring, so particles are free within the distance. Absent, without it:
            pins stay as soft as they are, and others become hard. [m/N] (≥ 0, ≤ 10000000000)
        distance: Greatest distance of each particle from its target, or one for all, at most 2^30 quanta (8 m); 0
            makes hard pins. Only contact takes a particle farther. Absent, with compliance: no limit. [m] (≥ 0)
        clamp: Only for particles of a rod. true: the pins also hold the orientation of the segment that begins
            there, or else ends there; false: they let it turn. Absent: as it is.
        rotations: With clamp true: quaternions x, y, z, w of any length above 0, one a particle, to which the
            clamps turn over the next tick by the shortest way. Absent: they hold the orientation that there is.
        clamp_turns: true, with collider: the clamps keep their orientations in the collider's frame, and turn with
            it; not with rotations. false: they hold as they are in the world, whatever the collider does. Absent:
            as it is, and false for a new clamp. Clamps also turn no more when their pins follow no collider, and
            when rotations are given.
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "particles": particles,
            "positions": positions,
            "seconds": seconds,
            "at_tick": at_tick,
            "collider": collider,
            "compliance": compliance,
            "distance": distance,
            "clamp": clamp,
            "rotations": rotations,
            "clamp_turns": clamp_turns,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.ParticlePinResult(self._call("particle.pin", _given))

    def unpin(
        self,
        particles: ArrayLike,
        *,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.ParticleUnpinResult:
        """Releases pinned particles, with their masses and the velocities with which they were moved.
        (particle.unpin)

        particles: Indices in the body; those not pinned are left alone.
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "particles": particles,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.ParticleUnpinResult(self._call("particle.unpin", _given))

    def grab(self, particle: int, target: ArrayLike | None = None, *, compliance: float | None = None) -> GrabT:
        """Takes hold of a particle; it ends with grab.end, world.reset, the body or the session. However far the
        target, the pull moves the particle at most 2^28 quanta (2 m) a tick. (grab.begin)

        particle: Index in the body.
        target: Target; default: its present position. [m]
        compliance: Inverse stiffness of the pull. [m/N] (≥ 0, default 0.001)

        Returns the Grab; its `answer` is api.GrabBeginResult.
        """
        _given = self._fields({"particle": particle, "target": target, "compliance": compliance})
        _answer = api.GrabBeginResult(self._call("grab.begin", _given))
        return self._make_grab(_answer, _given)


class ConstraintsCalls(Handle):
    """The methods of a Constraints, on the wire constraint.set, constraint.remove."""

    __slots__ = ()

    def set(
        self,
        *,
        rest: ArrayLike | None = None,
        compliance: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        stiffness: ArrayLike | None = None,
        rest_end: ArrayLike | None = None,
        seconds: ArrayLike | None = None,
        force_limit: ArrayLike | None = None,
        mend: bool | None = None,
        ratio: ArrayLike | None = None,
        friction: ArrayLike | None = None,
        limits: ArrayLike | None = None,
        turn_compliance: ArrayLike | None = None,
        motor: Literal["none", "speed", "target"] | None = None,
        motor_target: ArrayLike | None = None,
        motor_most: ArrayLike | None = None,
        motor_compliance: ArrayLike | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.ConstraintSetResult:
        """Changes constraints by id, all or none; also single edges of a body. (constraint.set)

        rest: Of each, or one for all. [m, rad, m^3]
        compliance: Of each, or one for all; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic,
            rod_stretch and joint is refused. [[C]^2/J] (≥ 0)
        damping: Of each, or one for all. [J s/[C]^2] (≥ 0)
        stiffness: Plain PBD stiffness k of each, or one for all, instead of compliance and damping. (≥ 0, ≤ 1)
        rest_end: Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest
            length changes evenly and in ticks. [m] (≥ 0)
        seconds: Only for joins, with rest_end: how long that takes, above 0, of each or one for all. [s] (≥ 0, ≤
            3600)
        force_limit: Only for joins and joints: a join parts, and a joint breaks, at the end of a tick if the mean
            of its force over that tick was above this; of each, or one for all. 0: it never does. [N] (≥ 0, ≤
            1000000000000)
        mend: Only for joins and joints: those that have parted hold again. (default False)
        ratio: Only for slide: parts of rope between the ring and the third particle, of each, or one for all. A
            rest length counts them all. (≥ 1, ≤ 16)
        friction: Only for slide: friction coefficient mu of rope and ring (Euler and Eytelwein), and for
            slide_rail: of ring and rail (Coulomb), of each, or one for all. Above 0 a slide needs a ratio of 1. (≥
            0, ≤ 100)
        limits: Only for joints: two numbers for each. Of a hinge the least and the greatest angle in rad, of a
            slider the least and the greatest place along its axis in m; both are 0 where a joint is added. Of a
            ball 0 and the angle in rad to which its axis may lean. Of a distance the least and the greatest one in
            m. The first above the second: none, as 1, -1; so is a whole turn of a hinge. (≥ -1000000, ≤ 1000000)
        turn_compliance: Only for joints: compliance of what holds the orientation (fixed, hinge, slider), of each
            or one for all. [rad/(N m)] (≥ 0, ≤ 1000000000000)
        motor: Only for joints, of all of them: what drives a hinge or a slider. speed: it comes to a speed;
            target: to an angle or a place.
        motor_target: Only for joints: the speed in rad/s or m/s, or the angle in rad or the place in m that the
            motor of each comes to, or one for all. (≥ -1000000, ≤ 1000000)
        motor_most: Only for joints: the greatest torque of a hinge's motor, or force of a slider's; of each, or
            one for all. 0: as much as it takes. [N m, N] (≥ 0, ≤ 1000000000000)
        motor_compliance: Only for joints with a target: above 0 the motor is a spring; of each, or one for all.
            [rad/(N m), m/N] (≥ 0, ≤ 1000000000000)
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "rest": rest,
            "compliance": compliance,
            "damping": damping,
            "stiffness": stiffness,
            "rest_end": rest_end,
            "seconds": seconds,
            "force_limit": force_limit,
            "mend": mend,
            "ratio": ratio,
            "friction": friction,
            "limits": limits,
            "turn_compliance": turn_compliance,
            "motor": motor,
            "motor_target": motor_target,
            "motor_most": motor_most,
            "motor_compliance": motor_compliance,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.ConstraintSetResult(self._call("constraint.set", _given))

    def remove(
        self,
        *,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.ConstraintRemoveResult:
        """Removes constraints by id, all or none. (constraint.remove)

        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.ConstraintRemoveResult(self._call("constraint.remove", _given))


class ColliderCalls(Handle, NamedCollider):
    """The methods of a Collider, on the wire collider.set, collider.remove."""

    __slots__ = ()

    def set(
        self,
        *,
        name: str | None = None,
        position: ArrayLike | None = None,
        normal: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        radius: float | None = None,
        length: float | None = None,
        half_extents: ArrayLike | None = None,
        friction: float | None = None,
        friction_kinetic: float | None = None,
        restitution: float | None = None,
        surface: str | None = None,
        points: ArrayLike | None = None,
        heights: ArrayLike | None = None,
        columns: int | None = None,
        spacing: float | None = None,
        surface_velocity: ArrayLike | None = None,
        surface_spin: ArrayLike | None = None,
        teleport: bool | None = None,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.ColliderSetResult:
        """Changes a collider. It reaches a new position or rotation during the next tick, and carries along what lies
        on it, at 50 m/s at most. (collider.set)

        name: Unique among the world's colliders.
        position: As in collider.add. [m]
        normal: As in collider.add (plane).
        rotation: Quaternion x, y, z, w (capsule, box, cylinder, convex, height_field, and plane instead of
            normal); made a unit quaternion.
        radius: As in collider.add (sphere). [m] (> 0)
        length: Along the rotated y: of the capsule, between the centres of its ends; of the cylinder, between its
            flat ends, above 0. [m] (≥ 0)
        half_extents: Half the edges of the box. [m] (> 0)
        friction: As in collider.add. (≥ 0, ≤ 1000)
        friction_kinetic: As in collider.add. (≥ 0, ≤ 1000)
        restitution: As in collider.add. (≥ 0, ≤ 1)
        surface: As in collider.add; empty: it has none.
        points: As in collider.add (convex): another hull, at once. [m] (≥ -1000000000, ≤ 1000000000)
        heights: As in collider.add (height_field): other ground, at once. What was given before of columns and
            spacing stays. [m] (≥ -1000000000, ≤ 1000000000)
        columns: As in collider.add (height_field). (≥ 2, ≤ 256)
        spacing: As in collider.add (height_field). [m] (≥ 1e-06, ≤ 1000000000)
        surface_velocity: As in collider.add, at once; zeros: none. [m/s] (≥ -50, ≤ 50)
        surface_spin: As in collider.add, at once; zeros: none. [rad/s] (≥ -1000, ≤ 1000)
        teleport: True: it is in its new position and rotation at once, without a velocity, and carries nothing
            along. Only with position, normal or rotation. False: it moves there during the next tick. (default
            False)
        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), warnings (The same, if radius,
        half_extents or points were given.), repeated (True if this edit was applied before, under its edit_id: the
        rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "name": name,
            "position": position,
            "normal": normal,
            "rotation": rotation,
            "radius": radius,
            "length": length,
            "half_extents": half_extents,
            "friction": friction,
            "friction_kinetic": friction_kinetic,
            "restitution": restitution,
            "surface": surface,
            "points": points,
            "heights": heights,
            "columns": columns,
            "spacing": spacing,
            "surface_velocity": surface_velocity,
            "surface_spin": surface_spin,
            "teleport": teleport,
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.ColliderSetResult(self._call("collider.set", _given))

    def remove(
        self,
        *,
        if_revision: int | None = None,
        if_epoch: int | None = None,
        if_thing_revision: int | None = None,
        edit_id: str | None = None,
        gesture: str | None = None,
    ) -> api.ColliderRemoveResult:
        """Removes a collider. (collider.remove)

        if_revision: Only if this is still the revision of the world; else CONFLICT, which says what the last edit
            was, and whose.
        if_epoch: Only if the world is still written under this epoch, which world.get and world.join tell; else
            CONFLICT. With if_revision: a revision and its epoch name one history, whatever became of the server.
        if_thing_revision: Only if no edit after this revision concerned what this one does: touched of a body or
            collider tells it; a constraint is of the bodies that it holds, a motion of what it leads. Else
            CONFLICT, which says which edit did, and whose it was.
        edit_id: The caller's own name of this edit, unlike any other of theirs. Sent again, it is not applied
            again: the answer is that of the first time. With another method or other parameters, CONFLICT.
        gesture: The caller's own name of what they do between a press and its release. Edits of one session with
            the same gesture are one step of undo. A gesture ends with its connection: a session that goes on
            begins another step.

        Returns revision (After this edit.), tick (Boundary at which it applied.), repeated (True if this edit was
        applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.)
        """
        _given = self._fields({
            "if_revision": if_revision,
            "if_epoch": if_epoch,
            "if_thing_revision": if_thing_revision,
            "edit_id": edit_id,
            "gesture": gesture,
        })
        return api.ColliderRemoveResult(self._call("collider.remove", _given))


class GrabCalls(Handle):
    """The methods of a Grab, on the wire grab.move, grab.end."""

    __slots__ = ()

    def move(self, target: ArrayLike) -> api.GrabMoveResult:
        """Moves the target; the last before a tick boundary wins. (grab.move)

        target: Target. [m]

        Returns tick (Boundary at which it applied.)
        """
        _given = self._fields({"target": target})
        return api.GrabMoveResult(self._call("grab.move", _given))

    def end(self) -> api.GrabEndResult:
        """Lets go. (grab.end)

        Returns tick (Boundary at which it applied.)
        """
        _given = self._fields({})
        return api.GrabEndResult(self._call("grab.end", _given))


class StreamCalls(Handle):
    """The methods of a Stream, on the wire stream.set, stream.unsubscribe, stream.ack, stream.differs."""

    __slots__ = ()

    def set(
        self,
        *,
        bodies: ArrayLike | None = None,
        fields: api.StreamSetFields | Sequence[api.StreamSetFields] | None = None,
        every: int | None = None,
        unit: Literal["tick", "substep"] | None = None,
        encoding: Literal["f32", "q16", "delta"] | None = None,
        tolerance: float | None = None,
        nth: int | None = None,
        box: ArrayLike | None = None,
        sparse: bool | None = None,
        adapt: bool | None = None,
    ) -> api.StreamSetResult:
        """Changes a stream of this session; absent fields stay. A frame follows at once, whose chunks all stand
        alone. A stream of records has nothing to change: INVALID. (stream.set)

        bodies: Body ids; an empty list means all, later ones too.
        fields: As in stream.subscribe.
        every: As in stream.subscribe. (≥ 1, ≤ 1000000)
        unit: As in stream.subscribe.
        encoding: As in stream.subscribe.
        tolerance: As in stream.subscribe. One of which the encoding becomes delta, and no tolerance is given, has
            1e-4. [m] (≥ 1e-12, ≤ 1000000)
        nth: As in stream.subscribe. (≥ 1, ≤ 1000000)
        box: As in stream.subscribe; an empty list means all space. [m]
        sparse: As in stream.subscribe. It ends with a box.
        adapt: As in stream.subscribe. If every or unit is given, or adapt changes, `every` is again what was asked
            for.

        Returns tick (Completed ticks.), revision (Revision.), durable_revision (Beside durable: the last revision
        that is certain to be kept.), durable (False if this answer tells something that is not durable: the store
        takes nothing (read_only of world.get says why), and what is told here may be gone when the world is opened
        again. Else absent.)
        """
        _given = self._fields({
            "bodies": bodies,
            "fields": fields,
            "every": every,
            "unit": unit,
            "encoding": encoding,
            "tolerance": tolerance,
            "nth": nth,
            "box": box,
            "sparse": sparse,
            "adapt": adapt,
        })
        return api.StreamSetResult(self._call("stream.set", _given))

    def unsubscribe(self) -> api.StreamUnsubscribeResult:
        """Ends a stream of this session; frames already on their way may still arrive before the answer.
        (stream.unsubscribe)

        Returns tick (Completed ticks.), durable_revision (Beside durable: the last revision that is certain to be
        kept.), durable (False if this answer tells something that is not durable: the store takes nothing
        (read_only of world.get says why), and what is told here may be gone when the world is opened again. Else
        absent.)
        """
        _given = self._fields({})
        return api.StreamUnsubscribeResult(self._call("stream.unsubscribe", _given))

    def ack(self, seq: int) -> None:
        """Acknowledges frames up to seq, so that a lossless stream goes on. Send it at the latest when a quarter of
        its credit or of lossless_unacked is taken. A live stream does not wait for it. A seq that was not sent:
        INVALID. (stream.ack)

        seq: As in stream.frame.
        """
        _given = self._fields({"seq": seq})
        self._call("stream.ack", _given)

    def differs(self, tick: int) -> None:
        """Reports that a twin reached another hash or result than stream.records told. The server counts it
        (/metrics, weft_twin_differences_total) and does nothing else: subscribe again to begin again.
        (stream.differs)

        tick: Tick at which it was seen.
        """
        _given = self._fields({"tick": tick})
        self._call("stream.differs", _given)
