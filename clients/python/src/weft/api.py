"""What api.json says, for Python: errors, limits, what goes into methods and what comes out of them.

Results and notifications are records: their fields are attributes, arrays in them are of numpy, and
fields that this version does not know stay within reach by ``record["name"]``. SI units everywhere.
"""
# Made by protocol/generate.py from protocol/api.json. Change that, not this.
from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weft.errors import CallerError, Error, ServerError
from weft.handles import BodyRef, ColliderRef
from weft.records import Record

VERSION = "0.1.0"
API_LEVEL = 7
API_COMPATIBLE = 1

#: As a server has them that was started without options; server.info tells its own.
LIMITS: Mapping[str, int] = {
    "message_bytes": 67108864,
    "message_depth": 16,
    "message_nodes": 4194304,
    "receive_bytes": 536870912,
    "message_ms": 30000,
    "first_message_ms": 30000,
    "unpacked_bytes": 1073741824,
    "document_bytes": 536870912,
    "upload_seconds": 60,
    "sessions": 1024,
    "sessions_per_address": 256,
    "requests_unanswered": 256,
    "reply_bytes": 1048576,
    "undo_steps": 1000,
    "undo_bytes": 33554432,
    "undo_world_bytes": 134217728,
    "record_bytes": 1048576,
    "answer_bytes": 1073741824,
    "notification_bytes": 8388608,
    "edited_bytes_per_second": 2097152,
    "streams": 64,
    "session_grace": 60,
    "sessions_away": 1024,
    "sessions_away_per_address": 128,
    "kept_answers": 1024,
    "kept_answer_bytes": 65536,
    "kept_notices": 4096,
    "kept_notice_bytes": 1048576,
    "kept_notice_bytes_total": 67108864,
    "passed_hops": 2,
    "passed_servers": 8,
    "presence_per_second": 30,
    "presence_selection": 64,
    "said_bytes": 2000,
    "said_per_second": 5,
    "worlds": 256,
    "hello_ms": 2000,
    "hello_bytes": 65536,
    "tokens": 16384,
    "grants": 65536,
    "person_messages": 2000,
    "person_bytes": 67108864,
    "person_edits": 1000,
    "person_worlds": 64,
    "person_bodies": 65536,
    "person_particles": 16777216,
    "person_constraints": 134217728,
    "person_poses": 67108864,
    "tick_ms": 2000,
    "bodies": 4096,
    "particles": 4194304,
    "constraints": 33554432,
    "skin_vertices": 4194304,
    "skin_triangles": 8388608,
    "look_images": 64,
    "image_bytes": 4194304,
    "world_image_bytes": 67108864,
    "colliders": 256,
    "heights": 262144,
    "grabs": 1024,
    "tick_work": 1073741824,
    "contact_tests": 16384,
    "crossing_triangles": 1048576,
    "motions": 256,
    "motion_keys": 1048576,
    "motion_poses": 67108864,
    "world_requests": 2048,
    "world_request_bytes": 536870912,
    "session_request_bytes": 268435456,
    "stream_work_person": 25,
    "stream_work_world": 50,
    "query_work_person": 25,
    "query_work_world": 50,
    "stream_tiers": 64,
    "stream_tier_bytes": 536870912,
    "frame_part_bytes": 262144,
    "frame_bytes": 268435456,
    "server_frame_bytes": 1073741824,
    "records_unsent": 1048576,
    "lossless_bytes": 67108864,
    "lossless_unacked": 1024,
    "hold_ms": 10000,
    "session_views": 4,
    "person_views": 16,
    "person_view_bytes": 1073741824,
    "views": 64,
    "view_bytes": 4294967296,
    "branch_changes": 1024,
    "image_ticks": 4096,
    "edited_array_bytes": 4096,
    "batch_edits": 1000,
    "batch_bytes": 134217728,
    "edit_ids": 10000,
    "gesture_edits": 10000,
    "name_bytes": 64,
}


class Internal(ServerError):
    """INTERNAL: The server failed; its log says more."""


class Memory(ServerError):
    """MEMORY: The server could not get the memory for this; nothing changed."""


class Shutdown(ServerError):
    """SHUTDOWN: The server is ending and takes no more edits."""


class Invalid(CallerError):
    """INVALID: A field is unknown, missing, of the wrong type, length or range; the text names it and what would be
    right.
    """


class NotFound(CallerError):
    """NOT_FOUND: There is no such method, world, body, constraint, collider, grab, stream, edit or tick."""


class Conflict(CallerError):
    """CONFLICT: The request does not fit the present state: a name is taken, the world is not paused, another user
    holds the particle.
    """


class Denied(CallerError):
    """DENIED: The thing belongs to another session, another session holds control, or the caller lacks the role that
    the method needs; if the server asks for tokens, none was shown that is good.
    """


class ReadOnly(CallerError):
    """READ_ONLY: The world takes no edits now: it shows the past of another, or the server has no room to keep what
    changes it. read_only of world.get says which.
    """


class Limit(CallerError):
    """LIMIT: A limit of server.info would be passed; the text names it."""


class Busy(CallerError):
    """BUSY: Too many requests wait in this world; send it again later."""


class Moved(CallerError):
    """MOVED: Another server of this deployment runs the world; nothing was done. The error as a map names it in
    server, address and web: ask there (session.hello {follow}).
    """


class Protocol(CallerError):
    """PROTOCOL: The bytes are not MessagePack-RPC; the connection is closed after this."""


#: The exception of each code. Codes of later servers are CallerError or ServerError.
ERRORS: Mapping[str, type[Error]] = {
    "INTERNAL": Internal,
    "MEMORY": Memory,
    "SHUTDOWN": Shutdown,
    "INVALID": Invalid,
    "NOT_FOUND": NotFound,
    "CONFLICT": Conflict,
    "DENIED": Denied,
    "READ_ONLY": ReadOnly,
    "LIMIT": Limit,
    "BUSY": Busy,
    "MOVED": Moved,
    "PROTOCOL": Protocol,
}

BodyStateFields = Literal["positions", "positions64", "velocities", "normals", "inverse_masses", "skin", "rotations", "rotations64", "angular_velocities"]
StreamSubscribeFields = Literal["positions", "positions64", "velocities", "normals", "measures", "grabs", "colliders", "skin", "contact", "contacts", "asleep", "rotations", "rotations64"]
StreamSetFields = Literal["positions", "positions64", "velocities", "normals", "measures", "grabs", "colliders", "skin", "contact", "contacts", "asleep", "rotations", "rotations64"]


#: Kinds of constraints.
Kind = Literal["distance", "dihedral", "isometric", "quadratic", "volume", "join", "slide", "slide_rail", "neo_hookean", "orthotropic", "rod_stretch", "rod_bend", "joint"]


class Storage(Record):
    """How a server keeps its worlds and their past."""

    kind: Literal["memory", "sqlite", "nats"]
    """memory: the server's own. nats: streams of brokers, with a folder beside them."""
    lasts: bool
    """Whether worlds are there again after the server has ended, however it did. If so, an edit is answered once it
    is on the disk.
    """
    bytes: int
    """That all worlds and their past take, about. [B]"""


class HistorySpan(Record):
    """A part of a world's past that one solver made."""

    first_tick: int
    """Its first tick."""
    last_tick: int
    """Its last tick; the next span begins there."""
    solver: int
    """Version of the solver."""
    exact: bool
    """Whether this server's solver made it, so that any tick of it can be shown; else image_ticks only."""


class LogEntry(Record):
    """An edit, or an input, of the past."""

    sequence: int
    """Sequence of its record: 1, 2, …"""
    tick: int
    """Boundary at which it applied."""
    revision: int
    """Revision of the world after it."""
    at: float
    """When, by the server's clock, since 1970. [s]"""
    user: str
    """Name of the person who made it."""
    session: int
    """Their session; of an earlier run of the server it may be somebody else's by now."""
    method: str
    """Method."""
    params: Any
    """Parameters with defaults filled in and names as ids."""
    result: Any
    """The answer that the editor got."""
    omitted: Any
    """Names of arrays left out of params and result for their size."""
    undoes: int
    """Revision of the edit that it took back; 0: none."""
    redoes: int
    """Revision of the edit that it did again; 0: none."""
    gesture: int
    """Revision of the first edit of its gesture, which edit.undo takes back whole; 0: it belongs to none."""


class BranchChange(Record):
    """An edit of the past as it is to be in a branch."""

    revision: int
    """Revision of the world after the edit, as edit.log and world.edited tell it."""
    params: Any
    """A map: parameters of the same method without world, as if they had been given then."""


class BranchChangeInput(TypedDict, total=False):
    """An edit of the past as it is to be in a branch. What is left out takes its default, or stays."""

    revision: int
    """Revision of the world after the edit, as edit.log and world.edited tell it. (≥ 1)"""
    params: Any
    """A map: parameters of the same method without world, as if they had been given then."""


class BranchRefusal(Record):
    """An edit of the past that does not apply in a branch, and was left out."""

    revision: int
    """In the world branched from. Of a grab, that of the world at that time."""
    method: str
    """Method."""
    code: str
    """As of an error."""
    text: str
    """Why."""


class BinWorld(Record):
    """A deleted world that can still be brought back."""

    world: int
    """Id that it had."""
    name: str
    """Name that it had."""
    tick: int
    """Completed ticks."""
    deleted_at: float
    """When it was deleted, by the server's clock, since 1970. [s]"""
    gone_at: float
    """When it is gone for good. [s]"""


class Material(Record):
    """How a constraint gives way. Units follow from the kind's C: distance, join, slide, slide_rail and joint m,
    dihedral rad, isometric and quadratic sqrt(E/k_b) (no unit), volume m^3, neo_hookean sqrt(2 U / (mu V)) (no
    unit), orthotropic three strains (no unit), rod_stretch stretch and shear in m, rod_bend two bends and the
    twist, twice the sine of half the angle.
    """

    compliance: float
    """Inverse stiffness alpha: m/N for distance, join, slide, slide_rail, orthotropic and joint, rad/(N m) for
    dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N
    m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic,
    rod_stretch and joint is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.) [[C]^2/J]
    """
    damping: float
    """Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on
    velocities and does not move what rests. [J s/[C]^2]
    """
    stiffness: float | None
    """Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 -
    k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) None where there is none.
    """


class MaterialInput(TypedDict, total=False):
    """How a constraint gives way. Units follow from the kind's C: distance, join, slide, slide_rail and joint m,
    dihedral rad, isometric and quadratic sqrt(E/k_b) (no unit), volume m^3, neo_hookean sqrt(2 U / (mu V)) (no
    unit), orthotropic three strains (no unit), rod_stretch stretch and shear in m, rod_bend two bends and the
    twist, twice the sine of half the angle. What is left out takes its default, or stays.
    """

    compliance: float
    """Inverse stiffness alpha: m/N for distance, join, slide, slide_rail, orthotropic and joint, rad/(N m) for
    dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N
    m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic,
    rod_stretch and joint is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.) [[C]^2/J] (≥ 0,
    default 0)
    """
    damping: float
    """Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on
    velocities and does not move what rests. [J s/[C]^2] (≥ 0, default 0)
    """
    stiffness: float
    """Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 -
    k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) (≥ 0, ≤ 1)
    """


class StretchMaterial(Record):
    """How the edges of a body give way: a material, and how far they may."""

    compliance: float
    """Inverse stiffness alpha in m/N; 0 is rigid; more than 1000 m/N is refused. (XPBD, Macklin et al. 2016, eq. 18:
    alpha~ = alpha/h^2.) [[C]^2/J]
    """
    damping: float
    """Damping stiffness beta in N s/m; without effect if compliance is 0. It acts on velocities and does not move
    what rests. [J s/[C]^2]
    """
    stiffness: float | None
    """Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 -
    k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) None where there is none.
    """
    limit: float | None
    """Strain limit of a cloth or rope, in worlds with long_edges: its edges are held to at most 1 + limit times their
    rest length. Absent or 0: those of compliance 0 keep their length, and others have no limit. With model
    orthotropic it holds along warp and weft, not in shear, and in all worlds. None where there is none.
    """
    model: Literal["distance", "orthotropic"] | None
    """distance: by the lengths of the edges. orthotropic (cloth): by the strains of the triangles along warp and weft
    and in shear, so that no diagonal of the mesh is a yarn (docs/concepts/orthotropic.md). It cannot change once
    the body is added. Absent: distance. None where there is none.
    """
    warp: float | None
    """Only with model orthotropic, which needs it: what a strip along the warp pulls for each metre of its width and
    each unit of strain, with free sides. Compliance and stiffness must be absent then, and compliance is told as
    0. [N/m] None where there is none.
    """
    weft: float | None
    """The same of a strip along the weft; needed with warp. [N/m] None where there is none."""
    shear: float | None
    """Shear stiffness G: force per width for each unit of the sine by which warp and weft leave their right angle;
    needed with warp. [N/m] None where there is none.
    """
    poisson: float | None
    """How much narrower a strip along the warp becomes, in parts of its strain; its square times weft is below warp.
    Absent: 0. None where there is none.
    """
    direction: NDArray[np.float64] | None
    """Direction of the warp in the shape at rest, of any length. Each triangle takes the part of it that lies in its
    plane. It cannot change once the body is added. Absent: (1, 0, 0). None where there is none.
    """
    angle: float | None
    """Turns the warp from that direction, about the normal of each triangle (counterclockwise, seen from where its
    corners run counterclockwise). It cannot change once the body is added. Absent: 0. [rad] None where there is
    none.
    """


class StretchMaterialInput(TypedDict, total=False):
    """How the edges of a body give way: a material, and how far they may. What is left out takes its default, or
    stays.
    """

    compliance: float
    """Inverse stiffness alpha in m/N; 0 is rigid; more than 1000 m/N is refused. (XPBD, Macklin et al. 2016, eq. 18:
    alpha~ = alpha/h^2.) [[C]^2/J] (≥ 0, default 0)
    """
    damping: float
    """Damping stiffness beta in N s/m; without effect if compliance is 0. It acts on velocities and does not move
    what rests. [J s/[C]^2] (≥ 0, default 0)
    """
    stiffness: float
    """Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 -
    k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) (≥ 0, ≤ 1)
    """
    limit: float
    """Strain limit of a cloth or rope, in worlds with long_edges: its edges are held to at most 1 + limit times their
    rest length. Absent or 0: those of compliance 0 keep their length, and others have no limit. With model
    orthotropic it holds along warp and weft, not in shear, and in all worlds. (≥ 0, ≤ 10)
    """
    model: Literal["distance", "orthotropic"]
    """distance: by the lengths of the edges. orthotropic (cloth): by the strains of the triangles along warp and weft
    and in shear, so that no diagonal of the mesh is a yarn (docs/concepts/orthotropic.md). It cannot change once
    the body is added. Absent: distance.
    """
    warp: float
    """Only with model orthotropic, which needs it: what a strip along the warp pulls for each metre of its width and
    each unit of strain, with free sides. Compliance and stiffness must be absent then, and compliance is told as
    0. [N/m] (≥ 0.001, ≤ 1000000000)
    """
    weft: float
    """The same of a strip along the weft; needed with warp. [N/m] (≥ 0.001, ≤ 1000000000)"""
    shear: float
    """Shear stiffness G: force per width for each unit of the sine by which warp and weft leave their right angle;
    needed with warp. [N/m] (≥ 0, ≤ 1000000000)
    """
    poisson: float
    """How much narrower a strip along the warp becomes, in parts of its strain; its square times weft is below warp.
    Absent: 0. (≥ 0)
    """
    direction: ArrayLike
    """Direction of the warp in the shape at rest, of any length. Each triangle takes the part of it that lies in its
    plane. It cannot change once the body is added. Absent: (1, 0, 0).
    """
    angle: float
    """Turns the warp from that direction, about the normal of each triangle (counterclockwise, seen from where its
    corners run counterclockwise). It cannot change once the body is added. Absent: 0. [rad] (≥ -100, ≤ 100)
    """


class BendPlastic(Record):
    """Creases: a hinge that is bent past its rest angle by more than the yield gets another rest angle, theta0' =
    rate (|theta - theta0| - yield) towards theta. It ends within 0.00006 rad of the yield.
    """

    yield_angle: float
    """How far past its rest angle a hinge bends elastically; from a curvature k that yields it is k (A0 + A1)/|e|,
    with the hinge's triangles and edge. 0: it creeps under every load. [rad]
    """
    rate: float
    """How fast the rest angle flows; a rate far above the substeps of a second takes one substep. 0: the body is
    elastic. [1/s]
    """
    greatest: float
    """No rest angle goes farther from flat than this; 170 degrees at most. [rad]"""


class BendPlasticInput(TypedDict, total=False):
    """Creases: a hinge that is bent past its rest angle by more than the yield gets another rest angle, theta0' =
    rate (|theta - theta0| - yield) towards theta. It ends within 0.00006 rad of the yield. What is left out takes
    its default, or stays.
    """

    yield_angle: float
    """How far past its rest angle a hinge bends elastically; from a curvature k that yields it is k (A0 + A1)/|e|,
    with the hinge's triangles and edge. 0: it creeps under every load. [rad] (≥ 0, ≤ 3.14159, default 0.1)
    """
    rate: float
    """How fast the rest angle flows; a rate far above the substeps of a second takes one substep. 0: the body is
    elastic. [1/s] (≥ 0, ≤ 1000000, default 1000)
    """
    greatest: float
    """No rest angle goes farther from flat than this; 170 degrees at most. [rad] (≥ 0, ≤ 2.967, default 2.967)"""


class RestShape(Record):
    """A shape at which a body's own constraints rest from now on. The places where its particles begin, and to which
    a reset takes them, stay.
    """

    positions: NDArray[np.float64] | None
    """Of all particles, flat; absent: the present ones. [m] None where there is none."""
    angles: bool
    """Hinges of dihedral bending rest at the angles of the shape."""
    lengths: bool
    """Edges rest at their lengths in the shape, and tetrahedra at their volumes."""
    places: bool
    """Shape matching draws particles to the shape; without it this does nothing."""


class RestShapeInput(TypedDict, total=False):
    """A shape at which a body's own constraints rest from now on. The places where its particles begin, and to which
    a reset takes them, stay. What is left out takes its default, or stays.
    """

    positions: ArrayLike
    """Of all particles, flat; absent: the present ones. [m]"""
    angles: bool
    """Hinges of dihedral bending rest at the angles of the shape. (default True)"""
    lengths: bool
    """Edges rest at their lengths in the shape, and tetrahedra at their volumes. (default False)"""
    places: bool
    """Shape matching draws particles to the shape; without it this does nothing. (default True)"""


class BendMaterial(Record):
    """How a cloth resists bending, across every edge that two triangles share."""

    model: Literal["none", "dihedral", "isometric", "quadratic"] | None
    """dihedral: the signed angle, with the rest shape's angles. isometric: the bending energy as the constraint
    (Bender et al. 2014). quadratic: the same energy in vector form, linear at flat (Bergou et al. 2006). none.
    Absent: quadratic if the rest shape is flat, otherwise dihedral. None where there is none.
    """
    compliance: float
    """Inverse stiffness alpha: m/N for distance, join, slide, slide_rail, orthotropic and joint, rad/(N m) for
    dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N
    m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic,
    rod_stretch and joint is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.) [[C]^2/J]
    """
    damping: float
    """Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on
    velocities and does not move what rests. [J s/[C]^2]
    """
    stiffness: float | None
    """Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 -
    k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) None where there is none.
    """
    rigidity: float | None
    """Bending rigidity B of textile tables instead of compliance: moment per width over curvature. The compliance
    follows from the mesh at rest, so that quadratic and dihedral bending are as stiff as a plate of this rigidity;
    isometric bending has none. Absent: the compliance or the stiffness holds. Where it is told, compliance is told
    as 0. [N m] None where there is none.
    """
    plastic: BendPlastic | None
    """Creases stay. Only with the dihedral model, which an absent model then means. Absent: bending is elastic. None
    where there is none.
    """
    warp: float | None
    """Bending rigidity of a strip cut along the warp, instead of rigidity. Only with stretch.model orthotropic, which
    says where the warp runs, and with weft. Each hinge gets a compliance of its own, which follows from its
    direction and from the mesh at rest; isometric bending is refused. Where it is told, compliance is told as 0
    (docs/concepts/bending.md). [N m] None where there is none.
    """
    weft: float | None
    """The same of a strip cut along the weft; needed with warp. [N m] None where there is none."""
    bias: float | None
    """The same of a strip cut at 45 degrees; above a quarter of warp and weft together. Absent: ((sqrt(warp) +
    sqrt(weft))/2)^2. [N m] None where there is none.
    """


class BendMaterialInput(TypedDict, total=False):
    """How a cloth resists bending, across every edge that two triangles share. What is left out takes its default, or
    stays.
    """

    model: Literal["none", "dihedral", "isometric", "quadratic"]
    """dihedral: the signed angle, with the rest shape's angles. isometric: the bending energy as the constraint
    (Bender et al. 2014). quadratic: the same energy in vector form, linear at flat (Bergou et al. 2006). none.
    Absent: quadratic if the rest shape is flat, otherwise dihedral.
    """
    compliance: float
    """Inverse stiffness alpha: m/N for distance, join, slide, slide_rail, orthotropic and joint, rad/(N m) for
    dihedral, 1/J for isometric and quadratic, m^5/N for volume, 1/Pa for neo_hookean, 1/N for rod_stretch, 1/(N
    m^2) for rod_bend; 0 is rigid; more than 1000 m/N for distance, join, slide, slide_rail, orthotropic,
    rod_stretch and joint is refused. (XPBD, Macklin et al. 2016, eq. 18: alpha~ = alpha/h^2.) [[C]^2/J] (≥ 0,
    default 0)
    """
    damping: float
    """Damping stiffness beta of the constraint (N s/m for distance); without effect if compliance is 0. It acts on
    velocities and does not move what rests. [J s/[C]^2] (≥ 0, default 0)
    """
    stiffness: float
    """Plain PBD stiffness k in [0, 1] instead of compliance, corrected for the iteration count: k' = 1 - (1 -
    k)^(1/n). Absent: XPBD with compliance. (PBD, Mueller et al. 2007, section 3.3.) (≥ 0, ≤ 1)
    """
    rigidity: float
    """Bending rigidity B of textile tables instead of compliance: moment per width over curvature. The compliance
    follows from the mesh at rest, so that quadratic and dihedral bending are as stiff as a plate of this rigidity;
    isometric bending has none. Absent: the compliance or the stiffness holds. Where it is told, compliance is told
    as 0. [N m] (> 0)
    """
    plastic: BendPlasticInput | BendPlastic
    """Creases stay. Only with the dihedral model, which an absent model then means. Absent: bending is elastic."""
    warp: float
    """Bending rigidity of a strip cut along the warp, instead of rigidity. Only with stretch.model orthotropic, which
    says where the warp runs, and with weft. Each hinge gets a compliance of its own, which follows from its
    direction and from the mesh at rest; isometric bending is refused. Where it is told, compliance is told as 0
    (docs/concepts/bending.md). [N m] (> 0)
    """
    weft: float
    """The same of a strip cut along the weft; needed with warp. [N m] (> 0)"""
    bias: float
    """The same of a strip cut at 45 degrees; above a quarter of warp and weft together. Absent: ((sqrt(warp) +
    sqrt(weft))/2)^2. [N m] (> 0)
    """


class SolidPlastic(Record):
    """Plastic flow of a solid: a tetrahedron that is strained past the yield gets another shape at rest, of the same
    volume, by rate (strain - yield). Strains are equivalent logarithmic ones (von Mises), without a unit.
    """

    yield_strain: float
    """Strain up to which the solid is elastic. It flows at a stress of 3 G yield_strain, with G = E/(2 (1 + nu)). 0:
    it creeps under every load.
    """
    rate: float
    """How fast it flows; a rate far above the substeps of a second takes one substep. 0: the body is elastic. [1/s]"""
    greatest: float
    """No tetrahedron flows farther than this strain from the shape at which it was made."""


class SolidPlasticInput(TypedDict, total=False):
    """Plastic flow of a solid: a tetrahedron that is strained past the yield gets another shape at rest, of the same
    volume, by rate (strain - yield). Strains are equivalent logarithmic ones (von Mises), without a unit. What is
    left out takes its default, or stays.
    """

    yield_strain: float
    """Strain up to which the solid is elastic. It flows at a stress of 3 G yield_strain, with G = E/(2 (1 + nu)). 0:
    it creeps under every load. (≥ 0, ≤ 1, default 0.05)
    """
    rate: float
    """How fast it flows; a rate far above the substeps of a second takes one substep. 0: the body is elastic. [1/s]
    (≥ 0, ≤ 1000000, default 1000)
    """
    greatest: float
    """No tetrahedron flows farther than this strain from the shape at which it was made. (≥ 0, ≤ 1, default 1)"""


class SolidMaterial(Record):
    """The material of a soft body that has no edges and volumes as constraints. Each tetrahedron is one constraint."""

    model: Literal["neo_hookean"] | None
    """neo_hookean: the stable Neo-Hookean law (Macklin and Mueller 2021). Absent: that. None where there is none."""
    young: float | None
    """Young's modulus E at rest. body.add needs it. [Pa] None where there is none."""
    poisson: float
    """Poisson's ratio nu. From 0.45 on tetrahedra lock: they bend far too little, and body.add warns."""
    damping: float
    """Viscosity. It acts on velocities, and does not move what rests. [Pa s]"""
    plastic: SolidPlastic | None
    """Dents stay. Absent: the solid is elastic. None where there is none."""


class SolidMaterialInput(TypedDict, total=False):
    """The material of a soft body that has no edges and volumes as constraints. Each tetrahedron is one constraint.
    What is left out takes its default, or stays.
    """

    model: Literal["neo_hookean"]
    """neo_hookean: the stable Neo-Hookean law (Macklin and Mueller 2021). Absent: that."""
    young: float
    """Young's modulus E at rest. body.add needs it. [Pa] (≥ 0.001, ≤ 1000000000000000.0)"""
    poisson: float
    """Poisson's ratio nu. From 0.45 on tetrahedra lock: they bend far too little, and body.add warns. (≥ 0, ≤ 0.495,
    default 0.3)
    """
    damping: float
    """Viscosity. It acts on velocities, and does not move what rests. [Pa s] (≥ 0, default 0)"""
    plastic: SolidPlasticInput | SolidPlastic
    """Dents stay. Absent: the solid is elastic."""


class RodPlastic(Record):
    """A joint between two segments that is bent or twisted past its rest by more than the yield gets another rest, as
    that of a wire.
    """

    yield_angle: float
    """How far past its rest a joint turns elastically; from a curvature k that yields it is k times the length of a
    segment. [rad]
    """
    rate: float
    """How fast the rest flows; a rate far above the substeps of a second takes one substep. 0: the rod is elastic.
    [1/s]
    """
    greatest: float
    """No rest goes farther from that of the start than this; 170 degrees at most. [rad]"""


class RodPlasticInput(TypedDict, total=False):
    """A joint between two segments that is bent or twisted past its rest by more than the yield gets another rest, as
    that of a wire. What is left out takes its default, or stays.
    """

    yield_angle: float
    """How far past its rest a joint turns elastically; from a curvature k that yields it is k times the length of a
    segment. [rad] (≥ 0, ≤ 3.14159, default 0.1)
    """
    rate: float
    """How fast the rest flows; a rate far above the substeps of a second takes one substep. 0: the rod is elastic.
    [1/s] (≥ 0, ≤ 1000000, default 1000)
    """
    greatest: float
    """No rest goes farther from that of the start than this; 170 degrees at most. [rad] (≥ 0, ≤ 2.967, default 2.967)"""


class Rod(Record):
    """A rope of a round section that resists bending and twist, as a wire, a cable or hair does. Each of its segments
    has an orientation.
    """

    radius: float
    """Radius of the section. [m]"""
    young: float
    """Young's modulus E. It resists stretch by E A, and shear and bending follow. [Pa]"""
    poisson: float
    """Poisson's ratio nu: the shear modulus is E / (2 (1 + nu))."""
    bend_stiffness: float | None
    """EI, the moment over the curvature, for a strand of many wires or an uneven section. Absent: E pi radius^4 / 4.
    [N m^2] None where there is none.
    """
    twist_stiffness: float | None
    """GJ, the moment over the twist. Absent: EI / (1 + nu). [N m^2] None where there is none."""
    damping: float
    """Stretch, bending and twist are resisted with so many times their stiffness for each unit a second. It acts on
    velocities, and does not move what rests. [s]
    """
    rest: NDArray[np.float64] | None
    """Curvature about the first and the second director and twist in rad/m that it has at rest, everywhere the same;
    0 0 0 is straight. Absent: it rests as its shape is. [1/m] None where there is none.
    """
    twist: float | None
    """Twist that it has at the start. Absent: that at rest. [rad/m] None where there is none."""
    plastic: RodPlastic | None
    """Bends and twists stay. Absent: the rod is elastic. None where there is none."""
    solve: Literal["swept", "direct"] | None
    """direct: all segments and joints of a chain are solved at once in each substep, so that it is as stiff as its
    material, however fine it is. That costs about 24 times as much for each segment. swept, or absent: one after
    another. None where there is none.
    """


class RodInput(TypedDict, total=False):
    """A rope of a round section that resists bending and twist, as a wire, a cable or hair does. Each of its segments
    has an orientation. What is left out takes its default, or stays.
    """

    radius: float
    """Radius of the section. [m] (≥ 1e-07, ≤ 1)"""
    young: float
    """Young's modulus E. It resists stretch by E A, and shear and bending follow. [Pa] (≥ 0.001, ≤
    1000000000000000.0)
    """
    poisson: float
    """Poisson's ratio nu: the shear modulus is E / (2 (1 + nu)). (≥ 0, ≤ 0.5, default 0.3)"""
    bend_stiffness: float
    """EI, the moment over the curvature, for a strand of many wires or an uneven section. Absent: E pi radius^4 / 4.
    [N m^2] (≥ 1e-10, ≤ 1000000000000000.0)
    """
    twist_stiffness: float
    """GJ, the moment over the twist. Absent: EI / (1 + nu). [N m^2] (≥ 1e-10, ≤ 1000000000000000.0)"""
    damping: float
    """Stretch, bending and twist are resisted with so many times their stiffness for each unit a second. It acts on
    velocities, and does not move what rests. [s] (≥ 0, ≤ 1000, default 0)
    """
    rest: ArrayLike
    """Curvature about the first and the second director and twist in rad/m that it has at rest, everywhere the same;
    0 0 0 is straight. Absent: it rests as its shape is. [1/m] (≥ -1000000, ≤ 1000000)
    """
    twist: float
    """Twist that it has at the start. Absent: that at rest. [rad/m] (≥ -1000000, ≤ 1000000)"""
    plastic: RodPlasticInput | RodPlastic
    """Bends and twists stay. Absent: the rod is elastic."""
    solve: Literal["swept", "direct"]
    """direct: all segments and joints of a chain are solved at once in each substep, so that it is as stiff as its
    material, however fine it is. That costs about 24 times as much for each segment. swept, or absent: one after
    another.
    """


class RigidPart(Record):
    """A part of a compound: a shape with a place in the piece. Parts may overlap, and the mass of each counts in
    full.
    """

    form: Literal["sphere", "capsule", "box", "hull"]
    """Which shape."""
    radius: float | None
    """As of a piece (sphere, capsule). [m] None where there is none."""
    half_height: float | None
    """As of a piece (capsule). [m] None where there is none."""
    half_extents: NDArray[np.float64] | None
    """As of a piece (box). [m] None where there is none."""
    points: NDArray[np.float64] | None
    """As of a piece (hull), with any origin. Told are its vertices, seen from its own centre of mass. [m] None where
    there is none.
    """
    position: NDArray[np.float64]
    """The place of its origin, from any origin that all parts have in common. Told: the place of its centre of mass,
    from that of the piece. [m]
    """
    rotation: NDArray[np.float64]
    """Its orientation in the piece: a quaternion x, y, z, w of any length above 0."""


class RigidPartInput(TypedDict, total=False):
    """A part of a compound: a shape with a place in the piece. Parts may overlap, and the mass of each counts in
    full. What is left out takes its default, or stays.
    """

    form: Literal["sphere", "capsule", "box", "hull"]
    """Which shape."""
    radius: float
    """As of a piece (sphere, capsule). [m] (≥ 0)"""
    half_height: float
    """As of a piece (capsule). [m] (≥ 0)"""
    half_extents: ArrayLike
    """As of a piece (box). [m] (≥ 0)"""
    points: ArrayLike
    """As of a piece (hull), with any origin. Told are its vertices, seen from its own centre of mass. [m] (≥
    -1000000000, ≤ 1000000000)
    """
    position: ArrayLike
    """The place of its origin, from any origin that all parts have in common. Told: the place of its centre of mass,
    from that of the piece. [m] (≥ -1000000000, ≤ 1000000000, default [0, 0, 0])
    """
    rotation: ArrayLike
    """Its orientation in the piece: a quaternion x, y, z, w of any length above 0. (default [0, 0, 0, 1])"""


class RigidMeasures(Record):
    """Volume, centre of mass and inertia of a solid of even density which the parts only approximate, such as a mesh
    that was cut into convex hulls.
    """

    volume: float
    """Its volume: with the density it gives the mass. At most 8 r^3, where r is how far the parts reach from the
    centre of mass. [m^3]
    """
    centre: NDArray[np.float64]
    """Its centre of mass, from the origin that the parts have in common. Told as 0, 0, 0, since the places of parts
    are told from there. [m]
    """
    inertia: NDArray[np.float64]
    """Its inertia about x, y and z through the centre of mass, for 1 kg. It must be that of some distribution of
    mass: with the products, no principal moment is more than the sum of the two others, or less than 1e-7 of the
    sum of all three. [m^2]
    """
    products: NDArray[np.float64]
    """The yz, xz and xy of the matrix of the inertia, for 1 kg: minus the mean of the products of both coordinates.
    [m^2]
    """


class RigidMeasuresInput(TypedDict, total=False):
    """Volume, centre of mass and inertia of a solid of even density which the parts only approximate, such as a mesh
    that was cut into convex hulls. What is left out takes its default, or stays.
    """

    volume: float
    """Its volume: with the density it gives the mass. At most 8 r^3, where r is how far the parts reach from the
    centre of mass. [m^3] (> 0)
    """
    centre: ArrayLike
    """Its centre of mass, from the origin that the parts have in common. Told as 0, 0, 0, since the places of parts
    are told from there. [m] (≥ -1000000000, ≤ 1000000000, default [0, 0, 0])
    """
    inertia: ArrayLike
    """Its inertia about x, y and z through the centre of mass, for 1 kg. It must be that of some distribution of
    mass: with the products, no principal moment is more than the sum of the two others, or less than 1e-7 of the
    sum of all three. [m^2] (≥ 0)
    """
    products: ArrayLike
    """The yz, xz and xy of the matrix of the inertia, for 1 kg: minus the mean of the products of both coordinates.
    [m^2] (≥ -1000000000, ≤ 1000000000, default [0, 0, 0])
    """


class Rigid(Record):
    """The shape of each piece of a rigid body. Positions of its particles are the centres of mass of pieces. The axes
    of a piece are its principal axes. Those of a hull are the axes of its points, and those of a compound the axes
    in which its parts are given.
    """

    form: Literal["sphere", "capsule", "box", "hull", "compound"]
    """Which shape. A compound consists of several parts, so it may be hollow or hooked."""
    radius: float | None
    """Radius (sphere, capsule), at least 1024 quanta and at most 2^29 of them, 4 m at the default resolution, as all
    lengths of a piece. Needed there, and absent of a box and of a hull. [m] None where there is none.
    """
    half_height: float | None
    """Half the distance between the centres of the ends, along the piece's y (capsule); 0 makes it a sphere. Needed
    there, and absent of others. [m] None where there is none.
    """
    half_extents: NDArray[np.float64] | None
    """Half the edges (box). Needed there, and absent of others. [m] None where there is none."""
    points: NDArray[np.float64] | None
    """x, y, z of 4 to 512 points, of which the piece is the convex hull (hull), with any origin. Needed there, and
    absent of others. The hull may have 64 vertices, none farther from its centre of mass than 2^29 quanta, and no
    face nearer to it than 1024 quanta and a thousandth of that of the farthest vertex. Told are its vertices, seen
    from its centre of mass. [m] None where there is none.
    """
    parts: list[RigidPart] | None
    """1 to 32 parts (compound). Needed there, and absent of others. No point of one is farther from the common centre
    of mass than 2^29 quanta. Told are their places from that. None where there is none.
    """
    measures: RigidMeasures | None
    """Volume, centre of mass and inertia of the solid that the parts stand for, in place of the sums over the parts
    (compound). Absent: the sums. Absent of other forms. None where there is none.
    """


class RigidInput(TypedDict, total=False):
    """The shape of each piece of a rigid body. Positions of its particles are the centres of mass of pieces. The axes
    of a piece are its principal axes. Those of a hull are the axes of its points, and those of a compound the axes
    in which its parts are given. What is left out takes its default, or stays.
    """

    form: Literal["sphere", "capsule", "box", "hull", "compound"]
    """Which shape. A compound consists of several parts, so it may be hollow or hooked."""
    radius: float
    """Radius (sphere, capsule), at least 1024 quanta and at most 2^29 of them, 4 m at the default resolution, as all
    lengths of a piece. Needed there, and absent of a box and of a hull. [m] (≥ 0)
    """
    half_height: float
    """Half the distance between the centres of the ends, along the piece's y (capsule); 0 makes it a sphere. Needed
    there, and absent of others. [m] (≥ 0)
    """
    half_extents: ArrayLike
    """Half the edges (box). Needed there, and absent of others. [m] (≥ 0)"""
    points: ArrayLike
    """x, y, z of 4 to 512 points, of which the piece is the convex hull (hull), with any origin. Needed there, and
    absent of others. The hull may have 64 vertices, none farther from its centre of mass than 2^29 quanta, and no
    face nearer to it than 1024 quanta and a thousandth of that of the farthest vertex. Told are its vertices, seen
    from its centre of mass. [m] (≥ -1000000000, ≤ 1000000000)
    """
    parts: Sequence[RigidPartInput | RigidPart]
    """1 to 32 parts (compound). Needed there, and absent of others. No point of one is farther from the common centre
    of mass than 2^29 quanta. Told are their places from that.
    """
    measures: RigidMeasuresInput | RigidMeasures
    """Volume, centre of mass and inertia of the solid that the parts stand for, in place of the sums over the parts
    (compound). Absent: the sums. Absent of other forms.
    """


class Pressure(Record):
    """Pressure inside a cloth whose triangles form a closed surface and look outwards. gas: pressure times volume
    stays the same, so what is squeezed pushes back. volume: the volume is kept.
    """

    model: Literal["none", "gas", "volume"] | None
    """Which law holds; none ends it. Absent: the present one, or gas. None where there is none."""
    overpressure: float | None
    """Only of gas: by how much its pressure is above ambient while the surface encloses the reference volume; at
    least -ambient. Absent: 0. [Pa] None where there is none.
    """
    ambient: float | None
    """Only of gas: pressure outside; 0 is a vacuum. Absent: 101325, that of the air. [Pa] None where there is none."""
    ratio: float | None
    """Only of volume: share of the reference volume that is kept. Absent: 1. None where there is none."""
    compliance: float | None
    """Only of volume: how much volume is lost for each 1 Pa; V / K for a liquid of bulk modulus K. Absent: 0, which
    is rigid. [m^5/N] None where there is none.
    """
    volume: float | None
    """The reference volume, at least 1e-30; absent or 0: that of the rest shape. A surface that is flat at rest needs
    one. [m^3] None where there is none.
    """
    seconds: float | None
    """Time in which overpressure or ratio goes from its present value to the given one, evenly and in ticks; absent:
    at once. Told: the time that is left. [s] None where there is none.
    """
    now: float | None
    """Only with seconds: overpressure in Pa, or ratio, from which it begins. Absent: the present one; of a pressure
    that begins 0 Pa, or 1. None where there is none.
    """


class PressureInput(TypedDict, total=False):
    """Pressure inside a cloth whose triangles form a closed surface and look outwards. gas: pressure times volume
    stays the same, so what is squeezed pushes back. volume: the volume is kept. What is left out takes its
    default, or stays.
    """

    model: Literal["none", "gas", "volume"]
    """Which law holds; none ends it. Absent: the present one, or gas."""
    overpressure: float
    """Only of gas: by how much its pressure is above ambient while the surface encloses the reference volume; at
    least -ambient. Absent: 0. [Pa] (≥ -10000000, ≤ 10000000)
    """
    ambient: float
    """Only of gas: pressure outside; 0 is a vacuum. Absent: 101325, that of the air. [Pa] (≥ 0, ≤ 10000000)"""
    ratio: float
    """Only of volume: share of the reference volume that is kept. Absent: 1. (≥ 0, ≤ 1000)"""
    compliance: float
    """Only of volume: how much volume is lost for each 1 Pa; V / K for a liquid of bulk modulus K. Absent: 0, which
    is rigid. [m^5/N] (≥ 0, ≤ 10000000000)
    """
    volume: float
    """The reference volume, at least 1e-30; absent or 0: that of the rest shape. A surface that is flat at rest needs
    one. [m^3] (≥ 0)
    """
    seconds: float
    """Time in which overpressure or ratio goes from its present value to the given one, evenly and in ticks; absent:
    at once. Told: the time that is left. [s] (≥ 0, ≤ 3600)
    """
    now: float
    """Only with seconds: overpressure in Pa, or ratio, from which it begins. Absent: the present one; of a pressure
    that begins 0 Pa, or 1. (≥ -10000000, ≤ 10000000)
    """


class Shape(Record):
    """Shape matching: the particles are drawn to the body's shape at rest, which moves along as a rigid body does, so
    no elements are needed (Mueller and others 2005). With a radius, overlapping regions do so each by itself, and
    the body bends. Every kind of body may have it, beside its other constraints.
    """

    model: Literal["none", "rigid"] | None
    """How the shape moves along: rigid moves and turns it; none ends it. Absent: the present one, or rigid. None
    where there is none.
    """
    compliance: float | None
    """Particles that are all d away from their goals pull with d/compliance in sum, each by its mass. Absent: 0,
    which puts them there. It depends neither on the mesh nor on substeps. [m/N] None where there is none.
    """
    radius: float | None
    """A region has the particles within this distance of its centre, in the shape at rest; absent or 0: the whole
    body is one region, which may be 8 m wide from its first particle on (at the default resolution). [m] None
    where there is none.
    """
    spacing: float | None
    """Each particle is within this distance of a centre, at most the radius; absent or 0: the radius. Less of it
    makes more regions, which overlap more. [m] None where there is none.
    """
    positions: NDArray[np.float64] | None
    """The shape at rest, of all particles, flat, anywhere; absent: that of the body when it was made. body.set keeps
    the present one, and its rest_shape gives another. body.list and body.get leave it out. [m] None where there is
    none.
    """


class ShapeInput(TypedDict, total=False):
    """Shape matching: the particles are drawn to the body's shape at rest, which moves along as a rigid body does, so
    no elements are needed (Mueller and others 2005). With a radius, overlapping regions do so each by itself, and
    the body bends. Every kind of body may have it, beside its other constraints. What is left out takes its
    default, or stays.
    """

    model: Literal["none", "rigid"]
    """How the shape moves along: rigid moves and turns it; none ends it. Absent: the present one, or rigid."""
    compliance: float
    """Particles that are all d away from their goals pull with d/compliance in sum, each by its mass. Absent: 0,
    which puts them there. It depends neither on the mesh nor on substeps. [m/N] (≥ 0, ≤ 10000000000)
    """
    radius: float
    """A region has the particles within this distance of its centre, in the shape at rest; absent or 0: the whole
    body is one region, which may be 8 m wide from its first particle on (at the default resolution). [m] (≥ 0)
    """
    spacing: float
    """Each particle is within this distance of a centre, at most the radius; absent or 0: the radius. Less of it
    makes more regions, which overlap more. [m] (≥ 0)
    """
    positions: ArrayLike
    """The shape at rest, of all particles, flat, anywhere; absent: that of the body when it was made. body.set keeps
    the present one, and its rest_shape gives another. body.list and body.get leave it out. [m]
    """


class ShapeMeasure(Record):
    """How a body with shape matching lies."""

    body: int
    """Id."""
    regions: int
    """How many regions there are."""
    position: NDArray[np.float64]
    """Centre of mass. Particles that cannot move count as a thousand times as heavy as all others. [m]"""
    rotation: NDArray[np.float64]
    """Unit quaternion x, y, z, w: how the body as a whole is turned from its shape at rest."""
    distance: float
    """How far particles are from their goals: the root of the mean square, by mass. [m]"""
    energy: float
    """Energy that this stores; 0 if the compliance is 0. [J]"""
    force: float
    """Sizes of the forces on all particles in the last substep, added up; 0 before there was one. [N]"""


class Tear(Record):
    """How a cloth tears. An edge between two triangles is cut when what pulls across it is above a threshold, and
    particles split where cuts part their triangles.
    """

    force: float | None
    """Greatest tension across an edge: force for each metre of the edge, at least 1e-6. It needs a stretch with warp
    and weft. Absent or 0: no such threshold. [N/m] None where there is none.
    """
    strain: float | None
    """Greatest strain across an edge, at least 1e-6. Absent or 0: no such threshold. None where there is none."""
    most: int | None
    """Greatest number of particles that may split off. The body has so many spare particles behind its own, and no
    more can ever split. body.add needs it; it cannot change. None where there is none.
    """


class TearInput(TypedDict, total=False):
    """How a cloth tears. An edge between two triangles is cut when what pulls across it is above a threshold, and
    particles split where cuts part their triangles. What is left out takes its default, or stays.
    """

    force: float
    """Greatest tension across an edge: force for each metre of the edge, at least 1e-6. It needs a stretch with warp
    and weft. Absent or 0: no such threshold. [N/m] (≥ 0, ≤ 1000000000000)
    """
    strain: float
    """Greatest strain across an edge, at least 1e-6. Absent or 0: no such threshold. (≥ 0, ≤ 1000)"""
    most: int
    """Greatest number of particles that may split off. The body has so many spare particles behind its own, and no
    more can ever split. body.add needs it; it cannot change.
    """


class Torn(Record):
    """The tears of a body, beside its mesh as it was made. Edges are numbered in the order in which triangles name
    them first.
    """

    own: int | None
    """Particles of the mesh as it was made; the spares follow them. None where there is none."""
    origins: NDArray[np.uint32] | None
    """The particle that each used spare split from, in the order of the spares. None where there is none."""
    since: NDArray[np.float64] | None
    """Revision of the world when each of them split. None where there is none."""
    triangles: NDArray[np.uint32] | None
    """Corners of all triangles now. None where there is none."""
    cuts: NDArray[np.uint32] | None
    """Edges that are cut, in the order in which they were. None where there is none."""


class TornInput(TypedDict, total=False):
    """The tears of a body, beside its mesh as it was made. Edges are numbered in the order in which triangles name
    them first. What is left out takes its default, or stays.
    """

    own: int
    """Particles of the mesh as it was made; the spares follow them."""
    origins: ArrayLike
    """The particle that each used spare split from, in the order of the spares."""
    since: ArrayLike
    """Revision of the world when each of them split. (≥ 0)"""
    triangles: ArrayLike
    """Corners of all triangles now."""
    cuts: ArrayLike
    """Edges that are cut, in the order in which they were."""


class TornEdges(Record):
    """The tears of a body that can tear."""

    own: int
    """Particles of the mesh as it was made; the spares follow them."""
    origins: NDArray[np.uint32]
    """The particle that each used spare split from, in the order of the spares."""
    edges: NDArray[np.uint32]
    """The two ends of each edge that is cut, as particles of the mesh as it was made, in the order in which they were
    cut.
    """


class PressureMeasure(Record):
    """Volume and pressure inside a body with pressure."""

    body: int
    """Id."""
    volume: float
    """Volume that its surface encloses; below 0 if it is turned inside out. [m^3]"""
    reference: float
    """The reference volume. [m^3]"""
    pressure: float
    """Pressure inside above that outside. Of a gas it follows from the volume; of a kept volume it is what the last
    substep needed, and 0 before there was one. [Pa]
    """


class OwnWind(Record):
    """How a body feels the air, in place of what the wind of the world says."""

    drag: float | None
    """Coefficient Cd; absent: that of the world. None where there is none."""
    lift: float | None
    """Coefficient Cl; absent: that of the world. None where there is none."""


class OwnWindInput(TypedDict, total=False):
    """How a body feels the air, in place of what the wind of the world says. What is left out takes its default, or
    stays.
    """

    drag: float
    """Coefficient Cd; absent: that of the world. (≥ 0, ≤ 100)"""
    lift: float
    """Coefficient Cl; absent: that of the world. (≥ 0, ≤ 100)"""


class ForceField(Record):
    """A field of force: it accelerates particles by where they are, in each substep. point: towards its position, or
    away from it if the strength is below 0. vortex: around its axis, as the fingers of a right hand whose thumb
    points along it. drag: towards the velocity of a medium. wind and fan do not accelerate particles but blow:
    they add to the velocity of the air that triangles feel, as the wind of the world does (types, wind). Where the
    world has no air they bring some of 1.2 kg/m^3 into their region.
    """

    force: int | None
    """Id. force.add and force.set give it apart from the field. None where there is none."""
    kind: Literal["point", "vortex", "drag", "wind", "fan"] | None
    """Kind; fixed once added. wind: the same velocity in all of its region. fan: a round jet along its axis that
    widens and slows down. None where there is none.
    """
    position: NDArray[np.float64] | None
    """Its middle, and that of its region; 0 if it was never given. [m] None where there is none."""
    axis: NDArray[np.float64] | None
    """Only read of a vortex and of a fan, which blows along it: an axis of any length above 0; +y if it was never
    given. None where there is none.
    """
    strength: float | None
    """m/s^2 at distance; of drag 1/s, and not below 0: how fast what is slower or faster comes to the velocity; of a
    fan m/s, in [0, 300]: the speed of the air just before it. Not read of wind. 1 if it was never given. None
    where there is none.
    """
    distance: float | None
    """Distance from the position or the axis at which it has its strength; 1 if it was never given. [m] None where
    there is none.
    """
    falloff: Literal["none", "inverse", "inverse_square"] | None
    """How it changes with the distance: not at all, or as distance over it, or as the square of that. none if it was
    never given. None where there is none.
    """
    core: float | None
    """Nearer than that it is softer, and 0 in the middle; 0.01 if it was never given. [m] None where there is none."""
    velocity: NDArray[np.float64] | None
    """Only read of drag and wind: that of the medium or of the air, of which wind takes at most 300; 0 if it was
    never given. [m/s] None where there is none.
    """
    width: float | None
    """Only read of a fan: its diameter; 1 if it was never given. [m] None where there is none."""
    radius: float | None
    """Beyond it there is no force; 0, or never given: it has no such end. [m] None where there is none."""
    half_extents: NDArray[np.float64] | None
    """Half the edges of a box along the axes of the world, outside of which there is no force; all 0, or never given:
    there is no box. [m] None where there is none.
    """
    margin: float | None
    """Width within the edge of its region in which it fades to 0; 0, or never given: it ends at once. [m] None where
    there is none.
    """
    bodies: NDArray[np.uint32] | None
    """Ids of the bodies that it acts on, at most 16; none, or never given: all of them. None where there is none."""


class ForceFieldInput(TypedDict, total=False):
    """A field of force: it accelerates particles by where they are, in each substep. point: towards its position, or
    away from it if the strength is below 0. vortex: around its axis, as the fingers of a right hand whose thumb
    points along it. drag: towards the velocity of a medium. wind and fan do not accelerate particles but blow:
    they add to the velocity of the air that triangles feel, as the wind of the world does (types, wind). Where the
    world has no air they bring some of 1.2 kg/m^3 into their region. What is left out takes its default, or stays.
    """

    force: int
    """Id. force.add and force.set give it apart from the field. (≥ 1)"""
    kind: Literal["point", "vortex", "drag", "wind", "fan"]
    """Kind; fixed once added. wind: the same velocity in all of its region. fan: a round jet along its axis that
    widens and slows down.
    """
    position: ArrayLike
    """Its middle, and that of its region; 0 if it was never given. [m] (≥ -1000000000, ≤ 1000000000)"""
    axis: ArrayLike
    """Only read of a vortex and of a fan, which blows along it: an axis of any length above 0; +y if it was never
    given. (≥ -1000000000, ≤ 1000000000)
    """
    strength: float
    """m/s^2 at distance; of drag 1/s, and not below 0: how fast what is slower or faster comes to the velocity; of a
    fan m/s, in [0, 300]: the speed of the air just before it. Not read of wind. 1 if it was never given. (≥
    -1000000, ≤ 1000000)
    """
    distance: float
    """Distance from the position or the axis at which it has its strength; 1 if it was never given. [m] (≥ 1e-06, ≤
    1000000)
    """
    falloff: Literal["none", "inverse", "inverse_square"]
    """How it changes with the distance: not at all, or as distance over it, or as the square of that. none if it was
    never given.
    """
    core: float
    """Nearer than that it is softer, and 0 in the middle; 0.01 if it was never given. [m] (≥ 1e-06, ≤ 1000000)"""
    velocity: ArrayLike
    """Only read of drag and wind: that of the medium or of the air, of which wind takes at most 300; 0 if it was
    never given. [m/s] (≥ -10000, ≤ 10000)
    """
    width: float
    """Only read of a fan: its diameter; 1 if it was never given. [m] (≥ 0.001, ≤ 1000000)"""
    radius: float
    """Beyond it there is no force; 0, or never given: it has no such end. [m] (≥ 0, ≤ 1000000000)"""
    half_extents: ArrayLike
    """Half the edges of a box along the axes of the world, outside of which there is no force; all 0, or never given:
    there is no box. [m] (≥ 0, ≤ 1000000000)
    """
    margin: float
    """Width within the edge of its region in which it fades to 0; 0, or never given: it ends at once. [m] (≥ 0, ≤
    1000000000)
    """
    bodies: ArrayLike
    """Ids of the bodies that it acts on, at most 16; none, or never given: all of them. (≥ 1)"""


class ForceFields(Record):
    """All fields of force of a world."""

    next: int
    """Next id."""
    fields: list[ForceField] | None
    """By id, each with its id and kind. None where there is none."""


class ForceFieldsInput(TypedDict, total=False):
    """All fields of force of a world. What is left out takes its default, or stays."""

    next: int
    """Next id. (≥ 1)"""
    fields: Sequence[ForceFieldInput | ForceField]
    """By id, each with its id and kind."""


class SurfacePair(Record):
    """Friction and restitution between two surfaces, given by their names. They replace the values that both sides
    have. Either name may come first.
    """

    one: str
    """Name of a surface; not empty."""
    other: str
    """Name of the other one; not empty. It may be the same name: where two such surfaces meet."""
    friction: float | None
    """Coulomb coefficient mu; absent: as without the row. None where there is none."""
    friction_kinetic: float | None
    """Coulomb coefficient mu of what slides; above friction it counts as friction. Absent: that of friction if the
    row has one, else as without the row. None where there is none.
    """
    restitution: float | None
    """Part of its speed across the surface with which one leaves the other; absent: as without the row. None where
    there is none.
    """


class SurfacePairInput(TypedDict, total=False):
    """Friction and restitution between two surfaces, given by their names. They replace the values that both sides
    have. Either name may come first. What is left out takes its default, or stays.
    """

    one: str
    """Name of a surface; not empty."""
    other: str
    """Name of the other one; not empty. It may be the same name: where two such surfaces meet."""
    friction: float
    """Coulomb coefficient mu; absent: as without the row. (≥ 0, ≤ 1000)"""
    friction_kinetic: float
    """Coulomb coefficient mu of what slides; above friction it counts as friction. Absent: that of friction if the
    row has one, else as without the row. (≥ 0, ≤ 1000)
    """
    restitution: float
    """Part of its speed across the surface with which one leaves the other; absent: as without the row. (≥ 0, ≤ 1)"""


class Wind(Record):
    """Wind on every triangle of cloths and on the surfaces of soft bodies: F = 1/2 rho A (u.n) [(Cd - Cl) u + Cl |u|
    n], u the wind relative to the triangle, n its normal turned with the wind.
    """

    velocity: NDArray[np.float64]
    """Velocity of the air. [m/s]"""
    drag: float
    """Coefficient Cd."""
    lift: float
    """Coefficient Cl."""
    density: float
    """Density of the air; 0 turns the wind off. [kg/m^3]"""
    gusts: float | None
    """Strength of the gusts: the rms of each component of what is added to the velocity. 0 or absent: none, and then
    the other fields of gusts are forgotten. [m/s] None where there is none.
    """
    gust_length: float | None
    """Length of the gusts; 10 if it was never given. [m] None where there is none."""
    gust_seed: int | None
    """Which gusts: each number gives others. 0 if it was never given. None where there is none."""
    gust_way: NDArray[np.float64] | None
    """State: the way that the air has gone since it is gusty, and as the fourth number the sum of rms times time.
    Ticks add to it; absent: it goes on, from 0 where there were no gusts. [m] None where there is none.
    """


class WindInput(TypedDict, total=False):
    """Wind on every triangle of cloths and on the surfaces of soft bodies: F = 1/2 rho A (u.n) [(Cd - Cl) u + Cl |u|
    n], u the wind relative to the triangle, n its normal turned with the wind. What is left out takes its default,
    or stays.
    """

    velocity: ArrayLike
    """Velocity of the air. [m/s] (≥ -300, ≤ 300, default [0, 0, 0])"""
    drag: float
    """Coefficient Cd. (≥ 0, ≤ 100, default 1)"""
    lift: float
    """Coefficient Cl. (≥ 0, ≤ 100, default 0)"""
    density: float
    """Density of the air; 0 turns the wind off. [kg/m^3] (≥ 0, ≤ 10000, default 1.2)"""
    gusts: float
    """Strength of the gusts: the rms of each component of what is added to the velocity. 0 or absent: none, and then
    the other fields of gusts are forgotten. [m/s] (≥ 0, ≤ 60)
    """
    gust_length: float
    """Length of the gusts; 10 if it was never given. [m] (> 0, ≤ 10000)"""
    gust_seed: int
    """Which gusts: each number gives others. 0 if it was never given."""
    gust_way: ArrayLike
    """State: the way that the air has gone since it is gusty, and as the fourth number the sum of rms times time.
    Ticks add to it; absent: it goes on, from 0 where there were no gusts. [m]
    """


class Skin(Record):
    """A surface that a body carries along: each vertex is the weighted sum of four particles. It takes no part in the
    physics.
    """

    particles: NDArray[np.uint32]
    """Four particle indices for each vertex, such as the corners of the tetrahedron around it."""
    weights: NDArray[np.float64]
    """Their weights, with a sum of 1 within 0.001, and within what f32 loses of large ones. Kept as f32; the last of
    each four is what the others leave of 1.
    """
    triangles: NDArray[np.uint32]
    """Three vertex indices each."""


class SkinInput(TypedDict, total=False):
    """A surface that a body carries along: each vertex is the weighted sum of four particles. It takes no part in the
    physics. What is left out takes its default, or stays.
    """

    particles: ArrayLike
    """Four particle indices for each vertex, such as the corners of the tetrahedron around it."""
    weights: ArrayLike
    """Their weights, with a sum of 1 within 0.001, and within what f32 loses of large ones. Kept as f32; the last of
    each four is what the others leave of 1. (≥ -1000000, ≤ 1000000)
    """
    triangles: ArrayLike
    """Three vertex indices each."""


class LookMaterial(Record):
    """Colours of a surface, for programs that draw it."""

    name: str
    """Its name in the mesh."""
    color: NDArray[np.float64]
    """Linear red, green, blue and opacity."""
    metallic: float
    """0 for what is no metal."""
    roughness: float
    """0 for a mirror."""
    image: int | None
    """Which of the look's images colours it: its texture, multiplied by color; absent: none. None where there is
    none.
    """


class LookMaterialInput(TypedDict, total=False):
    """Colours of a surface, for programs that draw it. What is left out takes its default, or stays."""

    name: str
    """Its name in the mesh. (default "")"""
    color: ArrayLike
    """Linear red, green, blue and opacity. (≥ 0, ≤ 1, default [1, 1, 1, 1])"""
    metallic: float
    """0 for what is no metal. (≥ 0, ≤ 1, default 0)"""
    roughness: float
    """0 for a mirror. (≥ 0, ≤ 1, default 1)"""
    image: int
    """Which of the look's images colours it: its texture, multiplied by color; absent: none."""


class LookImage(Record):
    """A picture that colours a surface by its uvs and repeats beyond 0 and 1: a PNG, JPEG or WebP file of at most
    4096 x 4096 pixels. The server reads no more than its size.
    """

    bytes: int
    """Length of the file. [B]"""
    data: NDArray[np.uint32] | None
    """The file, four bytes in each number, the first one lowest, filled up with zeros at the end; as bin it is the
    file itself, filled up to a multiple of four. body.add must have it; body.get tells it only with images. None
    where there is none.
    """


class LookImageInput(TypedDict, total=False):
    """A picture that colours a surface by its uvs and repeats beyond 0 and 1: a PNG, JPEG or WebP file of at most
    4096 x 4096 pixels. The server reads no more than its size. What is left out takes its default, or stays.
    """

    bytes: int
    """Length of the file. [B] (≥ 1, ≤ 4194304)"""
    data: ArrayLike
    """The file, four bytes in each number, the first one lowest, filled up with zeros at the end; as bin it is the
    file itself, filled up to a multiple of four. body.add must have it; body.get tells it only with images.
    """


class Look(Record):
    """The look of a surface: of the triangles of a cloth, or of the skin if there is one, in their order. It takes no
    part in the physics; recordings write it.
    """

    uvs: NDArray[np.float64] | None
    """u, v of each corner, v upwards; absent: none. Kept as f32. None where there is none."""
    normals: NDArray[np.float64] | None
    """x, y, z at each corner of the mesh as it was given; absent: none. If they differ at a vertex, an edge is
    visible there. Kept as f32. None where there is none.
    """
    materials: list[LookMaterial] | None
    """At most 4096, and no more than there are triangles; absent: none. None where there is none."""
    triangle_materials: NDArray[np.uint32] | None
    """Which of the materials each triangle has; absent: the first. None where there is none."""
    images: list[LookImage] | None
    """Pictures that the materials name, of at most image_bytes together; absent: none. Only with uvs. None where
    there is none.
    """


class LookInput(TypedDict, total=False):
    """The look of a surface: of the triangles of a cloth, or of the skin if there is one, in their order. It takes no
    part in the physics; recordings write it. What is left out takes its default, or stays.
    """

    uvs: ArrayLike
    """u, v of each corner, v upwards; absent: none. Kept as f32. (≥ -1000000, ≤ 1000000)"""
    normals: ArrayLike
    """x, y, z at each corner of the mesh as it was given; absent: none. If they differ at a vertex, an edge is
    visible there. Kept as f32. (≥ -1000000, ≤ 1000000)
    """
    materials: Sequence[LookMaterialInput | LookMaterial]
    """At most 4096, and no more than there are triangles; absent: none."""
    triangle_materials: ArrayLike
    """Which of the materials each triangle has; absent: the first."""
    images: Sequence[LookImageInput | LookImage]
    """Pictures that the materials name, of at most image_bytes together; absent: none. Only with uvs."""


class PhaseTimes(Record):
    """Wall time of the phases of the last tick. Not part of the state."""

    wind: float
    """Wind. [us]"""
    predict: float
    """Prediction, if it is a pass of its own; pins and colliders. [us]"""
    solve: float
    """Constraints and grabs. [us]"""
    contacts: float
    """Contacts. [us]"""
    finish: float
    """Velocities, and in the same pass the next substep's prediction, if there is no wind and nobody reads in
    between. [us]
    """


class IdRange(Record):
    """Ids first, first + 1, ... first + count - 1."""

    first: int
    """First id; 0 if count is 0."""
    count: int
    """How many."""


class ConstraintRanges(Record):
    """Constraint ids of a body, by kind."""

    distance: IdRange
    """One for each unique edge, in the order in which the edges first appear in the elements."""
    dihedral: IdRange
    """One for each edge that two triangles share."""
    isometric: IdRange
    """The same, if that is the bend model."""
    quadratic: IdRange
    """The same, if that is the bend model."""
    volume: IdRange
    """One for each tetrahedron, in the order given."""
    join: IdRange
    """None: only constraint.add makes joins."""
    slide: IdRange
    """None: only constraint.add makes them."""
    slide_rail: IdRange
    """None: only constraint.add makes them."""
    neo_hookean: IdRange
    """One for each tetrahedron, in the order given, of a body with a solid; it has no others."""
    orthotropic: IdRange
    """One for each triangle with an area, in the order given, if stretch.model is orthotropic; then there are no
    distances.
    """
    rod_stretch: IdRange
    """One for each segment, in the order given, of a rope with a rod; then there are no distances."""
    rod_bend: IdRange
    """One for each two segments that follow each other, in the order of the first, of a rope with a rod. Its
    particles are those at which both begin.
    """
    joint: IdRange
    """None: only constraint.add makes joints."""


class Warning(Record):
    """Something odd about a mesh or a collider that was accepted, or about what the solver makes of a body."""

    code: str
    """One upper-case word: COINCIDENT, ISOLATED, LIGHT (particles), COPY (particles that are exactly where those of
    another body are that it meets), ZERO_LENGTH (edges), ZERO_AREA (triangles), ZERO_VOLUME, INVERTED
    (tetrahedra), DUPLICATE, COLLAPSED (elements), NONMANIFOLD (edges; named by a triangle at each), COARSE
    (colliders that may pass between the particles of the body, which meets nobody; in an answer about a collider:
    such bodies whose particles it may pass between), THICK (the body as a whole: thicker than is good for
    contact), LOCKING (the body as a whole: a solid that bends too little, since its Poisson's ratio is near a
    half), STRETCHED (a body: an edge is more than 5 % longer than its limit), STIFF (a body: more than 5 % of the
    forces of its material are not resolved).
    """
    text: str
    """For people."""
    count: int
    """How many elements it concerns."""
    elements: NDArray[np.uint32]
    """The first of them (at most 16): particle, edge, triangle or tetrahedron indices or ids as the code says; edges
    in the order in which they first appear.
    """


class Person(Record):
    """A session that joined a world."""

    session: int
    """Session id."""
    user: str
    """As in session.hello."""
    client: str
    """As in session.hello."""


class AccessPerson(Record):
    """Role of a person in a world."""

    user: str
    """Their name; * is everybody who has a token."""
    role: Literal["viewer", "editor", "owner"]
    """viewer: looks; editor: changes it too; owner: says who may, and may delete it."""


class AccessGiven(Record):
    """A role in a world that one person gave to another."""

    world: int
    """World."""
    user: str
    """Name of the person who has the role; * is everybody who has a token."""
    role: Literal["viewer", "editor", "owner"]
    """The role."""


class AccessInvite(Record):
    """An invitation into a world that is still good."""

    id: int
    """For access.revoke."""
    role: Literal["viewer", "editor", "owner"]
    """That it gives."""
    uses: int
    """How often it can still be accepted."""
    user: str
    """Who made it."""
    expires_at: float
    """Since 1970. [s]"""
    world: int
    """World that it leads into."""


class AccessToken(Record):
    """A token; its secret is told once, when it is made."""

    id: int
    """For token.revoke; the number in it."""
    user: str
    """Name of the person."""
    role: Literal["viewer", "editor", "admin"]
    """As in token.create."""
    created_at: float
    """Since 1970. [s]"""
    expires_at: float
    """Since 1970; 0: never. [s]"""
    sessions: int
    """That are open with it."""


class PresenceCamera(Record):
    """The point from which somebody looks at a world. Without a position: hidden."""

    position: NDArray[np.float64] | None
    """Position of the eye. [m] None where there is none."""
    target: NDArray[np.float64] | None
    """Point at which it looks. [m] None where there is none."""
    up: NDArray[np.float64] | None
    """Direction that is up in the picture. None where there is none."""
    fov: float | None
    """Angle of the picture's height. [rad] None where there is none."""


class PresenceCameraInput(TypedDict, total=False):
    """The point from which somebody looks at a world. Without a position: hidden. What is left out takes its default,
    or stays.
    """

    position: ArrayLike
    """Position of the eye. [m]"""
    target: ArrayLike
    """Point at which it looks. [m]"""
    up: ArrayLike
    """Direction that is up in the picture."""
    fov: float
    """Angle of the picture's height. [rad] (≥ 0, ≤ 3.2)"""


class PresenceCursor(Record):
    """What somebody points at: a point, or a ray if there is nothing; neither: nothing."""

    point: NDArray[np.float64] | None
    """Point in the world. [m] None where there is none."""
    origin: NDArray[np.float64] | None
    """Origin of the ray. [m] None where there is none."""
    direction: NDArray[np.float64] | None
    """Direction of the ray. None where there is none."""


class PresenceCursorInput(TypedDict, total=False):
    """What somebody points at: a point, or a ray if there is nothing; neither: nothing. What is left out takes its
    default, or stays.
    """

    point: ArrayLike
    """Point in the world. [m]"""
    origin: ArrayLike
    """Origin of the ray. [m]"""
    direction: ArrayLike
    """Direction of the ray."""


class PresenceThing(Record):
    """Something that somebody has selected: one of these."""

    body: int | None
    """Id of a body. None where there is none."""
    collider: int | None
    """Id of a collider. None where there is none."""
    constraint: int | None
    """Id of a constraint. None where there is none."""


class PresenceThingInput(TypedDict, total=False):
    """Something that somebody has selected: one of these. What is left out takes its default, or stays."""

    body: int
    """Id of a body. (≥ 1)"""
    collider: int
    """Id of a collider. (≥ 1)"""
    constraint: int
    """Id of a constraint. (≥ 1)"""


class WorldSummary(Record):
    """A world in a list. For one that another server runs only id, name and place are told: state is paused, and
    numbers are 0. The same holds for one that no server can run, with trouble.
    """

    world: int
    """Id."""
    name: str
    """Name."""
    state: Literal["paused", "playing", "failed"]
    """Its present state. A failed world needs edit.undo or world.reset."""
    rate: float
    """Multiple of real time; 0 is as fast as possible."""
    tick: int
    """Completed ticks."""
    revision: int
    """Edits so far, of those that are durable."""
    bodies: int
    """Bodies."""
    particles: int
    """Particles."""
    people: int
    """Sessions that joined."""
    server: str | None
    """Name of the server of the deployment that runs it. Absent, like the next two: this one does. None where there
    is none.
    """
    address: str | None
    """Where that server takes connections: HOST:PORT, or tls://HOST:PORT. None where there is none."""
    web: str | None
    """Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere. None where there is none."""
    trouble: str | None
    """What went wrong when a server last tried to run it; server, address and web are empty, because no server runs
    it. world.move makes a server try again. Absent: it runs. None where there is none.
    """
    exact: bool | None
    """As of world.get, like the next two. Absent: another server runs it. None where there is none."""
    exact_tick: int | None
    """With exact false. None where there is none."""
    exact_solver: int | None
    """With exact false. None where there is none."""


class ServerSummary(Record):
    """A server of a deployment, as its last heartbeat told."""

    server: str
    """Name."""
    address: str
    """Where it takes connections: HOST:PORT, or tls://HOST:PORT."""
    web: str
    """Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere."""
    here: bool
    """It is the one that answers."""
    draining: bool
    """It gives its worlds away, and takes none."""
    load: float
    """Processor time that its worlds took, of each second. [ms/s]"""
    worlds: int
    """Worlds that it runs."""
    sessions: int
    """Sessions that it has."""
    beat_age_ms: int
    """Time since its last heartbeat came, by the clock of the answering server. [ms]"""
    solver: int
    """Version of its solver. While servers of several versions run, a world stays with those of the version that ran
    it last.
    """
    api_level: int
    """Level of its API; 0: it does not say."""


class Touch(Record):
    """The last edit that concerned a thing."""

    revision: int
    """Revision of the world after it; 0: none since the world was made or opened."""
    session: int
    """Session that made it; 0: none."""
    user: str
    """Their name."""
    method: str
    """Its method; empty if that is not known."""


class BodySummary(Record):
    """A body in the document of a world."""

    body: int
    """Id."""
    name: str
    """Name; empty if it has none."""
    kind: Literal["cloth", "rope", "points", "soft", "rigid"]
    """Kind of mesh that it was made from."""
    particles: int
    """Particle count."""
    triangles: int
    """Triangle count."""
    edges: int
    """Count of the edges that were given (rope)."""
    tets: int
    """Tetrahedron count."""
    skin: int
    """Vertices of the skin; 0 if there is none."""
    constraints: ConstraintRanges
    """Ids by kind, as body.add gave them."""
    material: Literal["denim-stretch", "trousers", "tablecloth", "jacket", "blanket", "swimsuit"] | None
    """The fabric of the table of materials that has its stretch and bend; absent: none. None where there is none."""
    stretch: StretchMaterial
    """Material of the edges."""
    bend: BendMaterial
    """Resistance to bending (cloth)."""
    volume: Material
    """Material of the tetrahedra (soft)."""
    solid: SolidMaterial | None
    """What it is made of, as given to body.add; absent: edges and volumes. None where there is none."""
    rod: Rod | None
    """The section and material of the rope, as given to body.add; absent: edges alone. None where there is none."""
    rigid: Rigid | None
    """The shape of the pieces of a rigid body; absent of others. None where there is none."""
    thickness: float
    """Radius that it has for contacts. [m]"""
    self_contact: bool
    """Whether its own triangles and edges meet each other."""
    contact_group: int
    """Bits: what it is."""
    contact_mask: int
    """Bits: what it meets."""
    friction: float
    """Coulomb coefficient mu between bodies."""
    friction_kinetic: float | None
    """As in body.add; absent: that of friction. None where there is none."""
    restitution: float | None
    """As in body.add; absent: 0. None where there is none."""
    surface: str | None
    """As in body.add; absent: none. None where there is none."""
    pressure: Pressure | None
    """Pressure inside, with what is left of its time; absent: none. None where there is none."""
    gravity: NDArray[np.float64] | None
    """Gravity of its own; absent: that of the world. [m/s^2] None where there is none."""
    wind: OwnWind | None
    """Coefficients of its own; absent: those of the world. None where there is none."""
    force: NDArray[np.float64] | None
    """Force on it as a whole; absent: none. [N] None where there is none."""
    force_ticks: int | None
    """Ticks in which that force still acts; absent: until it is changed. None where there is none."""
    shape: Shape | None
    """Shape matching; absent: none. None where there is none."""
    tear: Tear | None
    """Thresholds and spares; absent: it does not tear. None where there is none."""
    pins: NDArray[np.uint32]
    """Pinned particles."""
    pin_colliders: NDArray[np.uint32] | None
    """Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one. None where there is
    none.
    """
    pin_compliances: NDArray[np.float64] | None
    """Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. Absent: all are hard. [m/N]
    None where there is none.
    """
    pin_distances: NDArray[np.float64] | None
    """Greatest distance of each particle from the target of its pin; -1: no limit; 0 of hard ones. Absent: all are
    hard. [m] None where there is none.
    """
    touched: Touch
    """By which edit last: of the body, its particles, constraints that hold them, motions that lead them."""


class ColliderSummary(Record):
    """A collider."""

    collider: int
    """Id."""
    name: str
    """Name; empty if it has none."""
    kind: Literal["plane", "sphere", "capsule", "box", "cylinder", "convex", "height_field"]
    """Shape."""
    position: NDArray[np.float64]
    """A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of
    the others. [m]
    """
    normal: NDArray[np.float64]
    """Unit normal (plane), its rotated +y; bodies stay on the side it points to."""
    rotation: NDArray[np.float64]
    """Unit quaternion x, y, z, w."""
    radius: float
    """Radius (sphere, capsule, cylinder). [m]"""
    length: float
    """Along the rotated y: between the centres of the ends (capsule), between the flat ends (cylinder). [m]"""
    half_extents: NDArray[np.float64]
    """Half the edges (box). [m]"""
    friction: float
    """Coulomb coefficient mu."""
    friction_kinetic: float | None
    """As in collider.add; absent: that of friction. None where there is none."""
    restitution: float | None
    """As in collider.add; absent: 0. None where there is none."""
    surface: str | None
    """As in collider.add; absent: none. None where there is none."""
    touched: Touch
    """By which edit last: of the collider, or a motion that leads it."""
    points: NDArray[np.float64] | None
    """x, y, z of each vertex of the hull (convex), in the collider's own frame. [m] None where there is none."""
    triangles: NDArray[np.uint32] | None
    """Three vertices for each triangle of the hull (convex), counterclockwise from outside. None where there is none."""
    heights: NDArray[np.float64] | None
    """Heights of a height field, row after row along z, in each row the columns along x; the two triangles of a cell
    meet at the diagonal from its least x and z to its greatest. [m] None where there is none.
    """
    columns: int | None
    """Heights in a row (height_field). None where there is none."""
    spacing: float | None
    """From one height to the next along x and z (height_field). [m] None where there is none."""
    surface_velocity: NDArray[np.float64] | None
    """As in collider.add; absent, with surface_spin, if the surface does not run. [m/s] None where there is none."""
    surface_spin: NDArray[np.float64] | None
    """As in collider.add. [rad/s] None where there is none."""


class ColliderPose(Record):
    """Pose of a collider at a moment."""

    collider: int
    """Id."""
    position: NDArray[np.float64]
    """A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of
    the others. [m]
    """
    rotation: NDArray[np.float64]
    """Unit quaternion x, y, z, w."""


class GrabSummary(Record):
    """A particle held by somebody."""

    grab: int
    """Id."""
    body: int
    """Body id."""
    particle: int
    """Index in the body."""
    target: NDArray[np.float64]
    """Point to which it is pulled. [m]"""
    compliance: float
    """Inverse stiffness of the pull. [m/N]"""
    force: NDArray[np.float64]
    """Force on the particle in the last substep: lambda / h^2. [N]"""
    session: int
    """Who holds it."""
    user: str
    """Their name."""


class Measures(Record):
    """Sums over a world at a moment. They are computed in double and rounded once."""

    kinetic: float
    """1/2 sum m |v|^2 of the moving particles, and 1/2 angular velocity times angular momentum of the pieces of rigid
    bodies. [J]
    """
    potential: float
    """-sum m g.x of the moving particles. [J]"""
    elastic_distance: float
    """sum C^2 / (2 (alpha + h^2 W)) of the distance constraints with alpha > 0; W = sum w |grad C|^2, h: the substep.
    [J]
    """
    elastic_dihedral: float
    """The same of the dihedral constraints. [J]"""
    elastic_isometric: float
    """The same of the isometric constraints. [J]"""
    elastic_quadratic: float
    """The same of the quadratic constraints, with |c|^2. [J]"""
    elastic_volume: float
    """The same of the volume constraints. [J]"""
    elastic_join: float
    """The same of the joins, of those that hold. [J]"""
    elastic_slide: float
    """The same of the slide constraints that are taut; with friction of both sides. [J]"""
    elastic_slide_rail: float
    """The same of the slide_rail constraints. [J]"""
    elastic_neo_hookean: float
    """The same of the tetrahedra of solids: C^2 = 2 alpha U / V, 0 at rest. [J]"""
    elastic_orthotropic: float
    """The same of the orthotropic constraints: of the three strains of each. [J]"""
    elastic_rod_stretch: float
    """The same of the segments of rods: of stretch and shear. [J]"""
    elastic_rod_bend: float
    """The same of the joints of rods: of bend and twist. [J]"""
    elastic_joint: float
    """The same of the joints: of their anchors, and of orientations that give way. [J]"""
    strain_max: float
    """Greatest |l - L| / L of the distance constraints with L > 0."""
    strain_rms: float
    """Root mean square of (l - L) / L."""
    volume_error: float
    """Greatest |V - V0| / |V0| of the volume constraints; 0 if there are none."""
    volume_error_rms: float
    """Root mean square of (V - V0) / V0."""
    solid_volume_error: float
    """Greatest |V - V0| / |V0| of the tetrahedra of solids; 0 if there are none."""
    solid_volume_error_rms: float
    """Root mean square of (V - V0) / V0."""
    yarn_strain_max: float
    """Greatest strain along warp or weft of the orthotropic constraints; 0 if there are none. [strain]"""
    yarn_strain_rms: float
    """Root mean square of the greater one of both. [strain]"""
    contacts: int
    """Particle-collider contacts that pushed in the last substep."""
    tick_us: float
    """Wall time of the last tick's solve. Not part of the state. [us]"""
    phases: PhaseTimes
    """Time by phase."""


class Convergence(Record):
    """How well the solver converged for a body: errors that its material does not ask for. Constraints of
    constraint.add are left out.
    """

    body: int
    """Id."""
    name: str
    """Name, or empty."""
    strain_max: float
    """Greatest l/L - 1 - limit of the edges that have a limit: those of compliance 0, and all edges if there is a
    stretch.limit. 0 if none is too long.
    """
    strain_rms: float
    """The same as root of the mean square over these edges."""
    unresolved_stretch: float
    """Share of the forces that the compliances of its edges ask for, and that the last substep did not give: 0 to 1.
    0 if no edge has a compliance, or if no tick has run since the last edit of constraints.
    """
    unresolved_bend: float
    """The same of bending. A body at rest acts as if its rigidity were 1 - share of that of its material. Above about
    0.3, bending that is swept with one iteration may gain energy and never rest.
    """
    unresolved_volume: float
    """The same of volumes."""
    unresolved_solid: float
    """The same of the tetrahedra of a solid."""
    bending: Literal["none", "solved", "swept"]
    """How its bending is solved (bending of world.create). none: it has no constraints of bending."""
    swept_because: Literal["nothing", "world", "model", "rigid", "stiffness", "stiff", "large", "waits"]
    """The reason why its bending is swept. nothing: it is not swept. world: all bending of the world is. model: only
    quadratic bending can be solved. rigid: one of its bending constraints has compliance 0. stiffness: one has a
    plain stiffness. stiff: numbers cannot tell it from rigid. large: there are too many particles. waits: an edit
    has changed it, and its new factor is made over some ticks. stiff and large are known once a tick has run since
    the last edit.
    """


class Contact(Record):
    """Contact of bodies with each other and with colliders in the last tick: the greatest value over its substeps
    unless noted. All 0 if no body meets any.
    """

    pairs: int
    """Pairs of features (vertex and triangle, edge and edge) that might have met."""
    pushing: int
    """Pairs of these that touched in the last substep."""
    crossed: int
    """Edges that went through triangles when the tick began, of bodies that meet. They are left alone, unless the
    world untangles.
    """
    held: int
    """Particles that were held back, so that nothing crosses."""
    shrunk: int
    """Times that the pairs did not fit and how far they are looked for was halved: slow motion, nothing worse."""
    dropped: int
    """Pairs that still did not fit: these may cross."""
    penetration: float
    """Greatest 1 - d / R at the end of the tick, 0 to 1; d: the distance of a pair, R: the distance that it should
    keep.
    """
    pierced: int
    """Triangles, loose edges and loose particles that reached into the core of a collider, each once for each
    collider. The core is what is deeper inside than half of the collider's inner radius, or farther below a plane
    or a height field than the body's thickness.
    """


class ContactPlaces(Record):
    """Places where one body touches, was held back and crosses something."""

    body: int
    """Id."""
    touching: NDArray[np.uint32]
    """Particles of the pairs that touched in the last substep (pushing), ascending."""
    held: NDArray[np.uint32]
    """Particles that were held back in some substep of the tick, ascending."""
    crossed: NDArray[np.uint32]
    """Its edges that went through triangles when the tick began, two particles each, ascending, each edge once."""


class Contacts(Record):
    """Places where bodies met in the last whole tick: at most 4096 particles that touch, 4096 that were held and 4096
    edges, of 1024 bodies.
    """

    known: bool
    """Whether that tick was recorded. False until the world has gone on for a tick since a stream asked for contacts,
    in frames of substeps within a tick, and if no body meets any.
    """
    bodies: list[ContactPlaces]
    """By id, those of which there is something to say."""
    more: int
    """How many found no room, of all three kinds: an edge counts for each triangle that it passes."""


class WorldSettings(Record):
    """The settings of world.create, without the name."""

    gravity: NDArray[np.float64]
    """Acceleration of every moving particle. [m/s^2]"""
    tick_rate: int
    """Ticks in a second of the world. [1/s]"""
    substeps: int
    """Substeps a tick."""
    iterations: int
    """Sweeps over all constraints in a substep. With 1, stiff bending that is swept and not resolved (unresolved_bend
    of world.measure) may gain energy and never rest; with 2, or if it is solved, it does not.
    """
    damping: float
    """Global damping c. [1/s]"""
    wind: Wind | None
    """Wind on all triangles; absent: none. Fields absent from it take their defaults. None where there is none."""
    resolution: float
    """Quantum of position, a power of two. [m]"""
    extent: float
    """A world in which a particle passes this coordinate pauses itself as failed. [m]"""
    contact_quality: Literal["guaranteed", "fast"]
    """guaranteed: among free particles no edge ever passes a triangle. fast: pairs are found once a tick and nothing
    is held back, so what is fast or pressed may cross; contact.crossed tells.
    """
    untangle: bool
    """Whether what crosses when a tick begins is pushed apart, at 1 m/s at most. Otherwise it is left alone until it
    is pulled apart.
    """
    long_edges: bool | None
    """Whether cloths and ropes are held to their length across many edges at once: those of their edges that have
    compliance 0, and all edges of bodies with a stretch.limit. Otherwise a fine mesh stretches under its own
    weight. A tick takes 1.7 to 3 times as long. Absent: false. None where there is none.
    """
    bending: Literal["swept", "solved"] | None
    """How the bending of cloths is solved. swept: hinge by hinge with all other constraints, so a fine mesh bends far
    more easily than its material. solved: the whole body at once in each substep, where the kind of bending and
    the rest shape allow it. Absent: swept. None where there is none.
    """
    loads: Literal["swept", "solved"] | None
    """How cloths and ropes bear loads that only touch them. swept: contacts push after all constraints, so what is
    more than 100 times as heavy as a particle falls through, and cloth that friction holds slips and stretches.
    solved: edges and contacts of a body of at most 4,096 particles are one system in each substep in which it
    touches a collider, a particle that is held, or one that is 100 times as heavy. Such a tick takes some 60 to
    600 times as long. Absent: swept. None where there is none.
    """
    sleep: bool | None
    """Whether bodies that rest, and touch only what rests, are left as they are until something wakes them. They cost
    no time then. Absent: false. None where there is none.
    """
    calm: bool | None
    """Whether edges of bodies that go slowly (0.5 m/s, root of the mean square about their mean velocity, when a tick
    begins) are swept back once they were swept. A sweep in one direction feeds energy into stiff shells, which
    then tremble and never fall asleep. It costs a second sweep over the edges of such bodies. Absent: false. None
    where there is none.
    """
    forces: ForceFields | None
    """Fields of force; absent: there never were any. None where there is none."""
    surfaces: list[SurfacePair] | None
    """As in world.create. None where there is none."""


class WorldSettingsInput(TypedDict, total=False):
    """The settings of world.create, without the name. What is left out takes its default, or stays."""

    gravity: ArrayLike
    """Acceleration of every moving particle. [m/s^2] (≥ -1000, ≤ 1000, default [0, -9.81, 0])"""
    tick_rate: int
    """Ticks in a second of the world. [1/s] (≥ 1, ≤ 1000, default 60)"""
    substeps: int
    """Substeps a tick. (≥ 1, ≤ 1000, default 20)"""
    iterations: int
    """Sweeps over all constraints in a substep. With 1, stiff bending that is swept and not resolved (unresolved_bend
    of world.measure) may gain energy and never rest; with 2, or if it is solved, it does not. (≥ 1, ≤ 1000,
    default 1)
    """
    damping: float
    """Global damping c. [1/s] (≥ 0, ≤ 1000000, default 0)"""
    wind: WindInput | Wind
    """Wind on all triangles; absent: none. Fields absent from it take their defaults."""
    resolution: float
    """Quantum of position, a power of two. [m] (≥ 9.313225746154785e-10, ≤ 0.000244140625, default
    7.450580596923828e-09)
    """
    extent: float
    """A world in which a particle passes this coordinate pauses itself as failed. [m] (≥ 1, ≤ 1000000000, default
    1000000)
    """
    contact_quality: Literal["guaranteed", "fast"]
    """guaranteed: among free particles no edge ever passes a triangle. fast: pairs are found once a tick and nothing
    is held back, so what is fast or pressed may cross; contact.crossed tells. (default "guaranteed")
    """
    untangle: bool
    """Whether what crosses when a tick begins is pushed apart, at 1 m/s at most. Otherwise it is left alone until it
    is pulled apart. (default False)
    """
    long_edges: bool
    """Whether cloths and ropes are held to their length across many edges at once: those of their edges that have
    compliance 0, and all edges of bodies with a stretch.limit. Otherwise a fine mesh stretches under its own
    weight. A tick takes 1.7 to 3 times as long. Absent: false.
    """
    bending: Literal["swept", "solved"]
    """How the bending of cloths is solved. swept: hinge by hinge with all other constraints, so a fine mesh bends far
    more easily than its material. solved: the whole body at once in each substep, where the kind of bending and
    the rest shape allow it. Absent: swept.
    """
    loads: Literal["swept", "solved"]
    """How cloths and ropes bear loads that only touch them. swept: contacts push after all constraints, so what is
    more than 100 times as heavy as a particle falls through, and cloth that friction holds slips and stretches.
    solved: edges and contacts of a body of at most 4,096 particles are one system in each substep in which it
    touches a collider, a particle that is held, or one that is 100 times as heavy. Such a tick takes some 60 to
    600 times as long. Absent: swept.
    """
    sleep: bool
    """Whether bodies that rest, and touch only what rests, are left as they are until something wakes them. They cost
    no time then. Absent: false.
    """
    calm: bool
    """Whether edges of bodies that go slowly (0.5 m/s, root of the mean square about their mean velocity, when a tick
    begins) are swept back once they were swept. A sweep in one direction feeds energy into stiff shells, which
    then tremble and never fall asleep. It costs a second sweep over the edges of such bodies. Absent: false.
    """
    forces: ForceFieldsInput | ForceFields
    """Fields of force; absent: there never were any."""
    surfaces: Sequence[SurfacePairInput | SurfacePair]
    """As in world.create."""


class ConstraintHistory(Record):
    """What edits have left of a body's constraints of one kind: only if something was removed or changed."""

    built: int | None
    """Constraints when they were last coloured; absent: all that the body was made with. None where there is none."""
    removed: NDArray[np.uint32] | None
    """Ids of those that are gone, ascending. None where there is none."""
    changed: NDArray[np.uint32] | None
    """Ids of those with values of their own, ascending; the next four have one number for each. None where there is
    none.
    """
    rest: NDArray[np.float64] | None
    """Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint. [m,
    rad, m^3] None where there is none.
    """
    compliance: NDArray[np.float64] | None
    """Compliances. [[C]^2/J] None where there is none."""
    damping: NDArray[np.float64] | None
    """Damping stiffnesses. [J s/[C]^2] None where there is none."""
    stiffness: NDArray[np.float64] | None
    """Plain PBD stiffness; -1 if compliance holds. None where there is none."""
    shapes: NDArray[np.float32] | None
    """Six numbers for each neo_hookean constraint that has flowed: the matrix G of the present shape at rest, for a
    volume of 1/6 (00, 11, 22, 01, 02, 12). Zeros, or absent: as the body was made. None where there is none.
    """
    tile_colors: NDArray[np.uint32] | None
    """Colour of each tile of 1,024 rows, with colors: places in the order of solving, which history gave. Absent: as
    in a new body. None where there is none.
    """
    colors: NDArray[np.uint32] | None
    """Colour within its tile of each living constraint, by id; 64 is the serial one. None where there is none."""


class ConstraintHistoryInput(TypedDict, total=False):
    """What edits have left of a body's constraints of one kind: only if something was removed or changed. What is
    left out takes its default, or stays.
    """

    built: int
    """Constraints when they were last coloured; absent: all that the body was made with."""
    removed: ArrayLike
    """Ids of those that are gone, ascending."""
    changed: ArrayLike
    """Ids of those with values of their own, ascending; the next four have one number for each."""
    rest: ArrayLike
    """Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint. [m,
    rad, m^3]
    """
    compliance: ArrayLike
    """Compliances. [[C]^2/J] (≥ 0)"""
    damping: ArrayLike
    """Damping stiffnesses. [J s/[C]^2] (≥ 0)"""
    stiffness: ArrayLike
    """Plain PBD stiffness; -1 if compliance holds. (≥ -1, ≤ 1)"""
    shapes: ArrayLike
    """Six numbers for each neo_hookean constraint that has flowed: the matrix G of the present shape at rest, for a
    volume of 1/6 (00, 11, 22, 01, 02, 12). Zeros, or absent: as the body was made.
    """
    tile_colors: ArrayLike
    """Colour of each tile of 1,024 rows, with colors: places in the order of solving, which history gave. Absent: as
    in a new body.
    """
    colors: ArrayLike
    """Colour within its tile of each living constraint, by id; 64 is the serial one. (≤ 64)"""


class BodyHistory(Record):
    """By kind of constraint, for those kinds that were edited."""

    distance: ConstraintHistory | None
    """Distances. None where there is none."""
    dihedral: ConstraintHistory | None
    """Dihedral angles. None where there is none."""
    isometric: ConstraintHistory | None
    """Isometric bending. None where there is none."""
    quadratic: ConstraintHistory | None
    """Quadratic bending. None where there is none."""
    volume: ConstraintHistory | None
    """Volumes. None where there is none."""
    join: ConstraintHistory | None
    """Joins; no body has any of its own. None where there is none."""
    slide: ConstraintHistory | None
    """Slides. None where there is none."""
    slide_rail: ConstraintHistory | None
    """Rings on rails; no body has any of its own. None where there is none."""
    neo_hookean: ConstraintHistory | None
    """Tetrahedra of a solid. None where there is none."""
    orthotropic: ConstraintHistory | None
    """Orthotropic stretch. None where there is none."""
    rod_stretch: ConstraintHistory | None
    """Segments of a rod. None where there is none."""
    rod_bend: ConstraintHistory | None
    """Joints of a rod. None where there is none."""
    joint: ConstraintHistory | None
    """Joints; no body has any of its own. None where there is none."""


class BodyHistoryInput(TypedDict, total=False):
    """By kind of constraint, for those kinds that were edited. What is left out takes its default, or stays."""

    distance: ConstraintHistoryInput | ConstraintHistory
    """Distances."""
    dihedral: ConstraintHistoryInput | ConstraintHistory
    """Dihedral angles."""
    isometric: ConstraintHistoryInput | ConstraintHistory
    """Isometric bending."""
    quadratic: ConstraintHistoryInput | ConstraintHistory
    """Quadratic bending."""
    volume: ConstraintHistoryInput | ConstraintHistory
    """Volumes."""
    join: ConstraintHistoryInput | ConstraintHistory
    """Joins; no body has any of its own."""
    slide: ConstraintHistoryInput | ConstraintHistory
    """Slides."""
    slide_rail: ConstraintHistoryInput | ConstraintHistory
    """Rings on rails; no body has any of its own."""
    neo_hookean: ConstraintHistoryInput | ConstraintHistory
    """Tetrahedra of a solid."""
    orthotropic: ConstraintHistoryInput | ConstraintHistory
    """Orthotropic stretch."""
    rod_stretch: ConstraintHistoryInput | ConstraintHistory
    """Segments of a rod."""
    rod_bend: ConstraintHistoryInput | ConstraintHistory
    """Joints of a rod."""
    joint: ConstraintHistoryInput | ConstraintHistory
    """Joints; no body has any of its own."""


class DocumentState(Record):
    """Present positions, velocities and masses of the particles of a body; absent arrays: as the body was made."""

    positions: NDArray[np.float64] | None
    """x, y, z of each particle, a whole number of quanta. [m] None where there is none."""
    remainders: NDArray[np.float64] | None
    """Quanta that the doubles of positions cannot hold beyond 2^53; absent: none. [quanta] None where there is none."""
    velocities: NDArray[np.float32] | None
    """x, y, z of each particle. [m/s] None where there is none."""
    inverse_masses: NDArray[np.float32] | None
    """Inverse mass of each particle; 0 for static ones. Pinned ones have the value that they get back when let go.
    [1/kg] None where there is none.
    """
    targets: NDArray[np.float64] | None
    """Places to which the pinned particles move during the next tick, in the order of pins; absent: none. [m] None
    where there is none.
    """
    target_remainders: NDArray[np.float64] | None
    """As remainders, of targets. [quanta] None where there is none."""
    pin_colliders: NDArray[np.uint32] | None
    """Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one. None where there is
    none.
    """
    pin_places: NDArray[np.float64] | None
    """x, y, z of each of these pins in the frame of its collider; absent: where it is. [m] None where there is none."""
    pin_compliances: NDArray[np.float64] | None
    """Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. With pin_distances. Absent:
    all are hard. [m/N] None where there is none.
    """
    pin_distances: NDArray[np.float64] | None
    """Greatest distance of each particle from the target of its pin; -1: no limit; 0: the pin is hard. [m] None where
    there is none.
    """
    pin_starts: NDArray[np.float64] | None
    """Way from the target of each soft pin back to where it sets out in the next tick, in whole quanta; absent: soft
    pins stand at their targets. Hard ones set out from their particles. [quanta] None where there is none.
    """
    pin_ends: NDArray[np.float64] | None
    """Way from the target of each pin to where it is pin_ticks later, in whole quanta. With pin_ticks. Absent: pins
    stay where their targets are. [quanta] None where there is none.
    """
    pin_ticks: NDArray[np.uint32] | None
    """How many ticks after the next one each pin arrives there, evenly; 0: it stays at its target. None where there
    is none.
    """
    forced: NDArray[np.uint32] | None
    """Particles that a force of their own acts on, ascending; absent: none. In edit.restore all particles of the
    entry have forces, and this is absent. None where there is none.
    """
    forces: NDArray[np.float64] | None
    """x, y, z of the force on each of these; in edit.restore 0 is none. [N] None where there is none."""
    forces_ticks: NDArray[np.uint32] | None
    """Ticks in which each force still acts; 0 or absent: until it is changed. None where there is none."""
    asleep: bool | None
    """Whether the body sleeps; absent: false. This and the next five are of worlds with sleep. None where there is
    none.
    """
    still: int | None
    """Ticks in a row in which no particle left its anchor; absent: 0. None where there is none."""
    mark: int | None
    """Hash of what edits had made of the body when it began to be still; if it sleeps, of the colliders near it, too.
    None where there is none.
    """
    island: int | None
    """If it sleeps: the least id of the bodies that fell asleep with it, itself included. None where there is none."""
    companions: int | None
    """If it sleeps: how many bodies fell asleep with it, itself included. None where there is none."""
    anchors: NDArray[np.float64] | None
    """Way from each particle to its anchor, in whole quanta; absent: anchors are where the particles are. [quanta]
    None where there is none.
    """
    turned: NDArray[np.float64] | None
    """Orientations, twelve numbers a particle: the quaternion x, y, z, w in whole units of 2^-30, or zeros; the spin
    in rad/s; the inverse inertia in 1/(kg m^2); the rotation x, y, z, w at rest from the segment of a rod that
    begins there to the next one, or zeros. Of a piece of a rigid body: its angular momentum in kg m^2/s in place
    of the spin, 0 in place of the inertia, and last what the quaternion lacks, in its units. Absent: as the body
    starts, if it has any. None where there is none.
    """
    pin_clamps: NDArray[np.float64] | None
    """Eight numbers a pin: quaternions in whole units of 2^-30 that its clamp has when the next tick begins and ends;
    zeros: it has no clamp. Absent: none has one. None where there is none.
    """
    pin_clamp_places: NDArray[np.float64] | None
    """Four numbers a pin: the quaternion in whole units of 2^-30 that its clamp has in the frame of the collider that
    the pin follows; zeros: it does not turn with that. Absent: none does. None where there is none.
    """
    bend_due: int | None
    """Whether solved bending of the whole body waits for a factor. 1 to 64: so many rows of the factor have changed
    since the last tick. 65: no tick has run since the body was added. More: bending is swept, and a new factor is
    attached after bend_due - 65 ticks. Absent: the factor is attached. None where there is none.
    """


class DocumentStateInput(TypedDict, total=False):
    """Present positions, velocities and masses of the particles of a body; absent arrays: as the body was made. What
    is left out takes its default, or stays.
    """

    positions: ArrayLike
    """x, y, z of each particle, a whole number of quanta. [m]"""
    remainders: ArrayLike
    """Quanta that the doubles of positions cannot hold beyond 2^53; absent: none. [quanta]"""
    velocities: ArrayLike
    """x, y, z of each particle. [m/s]"""
    inverse_masses: ArrayLike
    """Inverse mass of each particle; 0 for static ones. Pinned ones have the value that they get back when let go.
    [1/kg] (≥ 0, ≤ 1000000000)
    """
    targets: ArrayLike
    """Places to which the pinned particles move during the next tick, in the order of pins; absent: none. [m]"""
    target_remainders: ArrayLike
    """As remainders, of targets. [quanta]"""
    pin_colliders: ArrayLike
    """Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one."""
    pin_places: ArrayLike
    """x, y, z of each of these pins in the frame of its collider; absent: where it is. [m] (≥ -4000000000, ≤
    4000000000)
    """
    pin_compliances: ArrayLike
    """Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. With pin_distances. Absent:
    all are hard. [m/N] (≥ -1, ≤ 10000000000)
    """
    pin_distances: ArrayLike
    """Greatest distance of each particle from the target of its pin; -1: no limit; 0: the pin is hard. [m] (≥ -1)"""
    pin_starts: ArrayLike
    """Way from the target of each soft pin back to where it sets out in the next tick, in whole quanta; absent: soft
    pins stand at their targets. Hard ones set out from their particles. [quanta] (≥ -536870912, ≤ 536870912)
    """
    pin_ends: ArrayLike
    """Way from the target of each pin to where it is pin_ticks later, in whole quanta. With pin_ticks. Absent: pins
    stay where their targets are. [quanta] (≥ -1932735283200000, ≤ 1932735283200000)
    """
    pin_ticks: ArrayLike
    """How many ticks after the next one each pin arrives there, evenly; 0: it stays at its target. (≤ 3599999)"""
    forced: ArrayLike
    """Particles that a force of their own acts on, ascending; absent: none. In edit.restore all particles of the
    entry have forces, and this is absent.
    """
    forces: ArrayLike
    """x, y, z of the force on each of these; in edit.restore 0 is none. [N] (≥ -1e+38, ≤ 1e+38)"""
    forces_ticks: ArrayLike
    """Ticks in which each force still acts; 0 or absent: until it is changed. (≤ 3600000)"""
    asleep: bool
    """Whether the body sleeps; absent: false. This and the next five are of worlds with sleep."""
    still: int
    """Ticks in a row in which no particle left its anchor; absent: 0. (≤ 1001)"""
    mark: int
    """Hash of what edits had made of the body when it began to be still; if it sleeps, of the colliders near it, too."""
    island: int
    """If it sleeps: the least id of the bodies that fell asleep with it, itself included."""
    companions: int
    """If it sleeps: how many bodies fell asleep with it, itself included."""
    anchors: ArrayLike
    """Way from each particle to its anchor, in whole quanta; absent: anchors are where the particles are. [quanta] (≥
    -2147483648, ≤ 2147483647)
    """
    turned: ArrayLike
    """Orientations, twelve numbers a particle: the quaternion x, y, z, w in whole units of 2^-30, or zeros; the spin
    in rad/s; the inverse inertia in 1/(kg m^2); the rotation x, y, z, w at rest from the segment of a rod that
    begins there to the next one, or zeros. Of a piece of a rigid body: its angular momentum in kg m^2/s in place
    of the spin, 0 in place of the inertia, and last what the quaternion lacks, in its units. Absent: as the body
    starts, if it has any.
    """
    pin_clamps: ArrayLike
    """Eight numbers a pin: quaternions in whole units of 2^-30 that its clamp has when the next tick begins and ends;
    zeros: it has no clamp. Absent: none has one. (≥ -1073741824, ≤ 1073741824)
    """
    pin_clamp_places: ArrayLike
    """Four numbers a pin: the quaternion in whole units of 2^-30 that its clamp has in the frame of the collider that
    the pin follows; zeros: it does not turn with that. Absent: none does. (≥ -1073741824, ≤ 1073741824)
    """
    bend_due: int
    """Whether solved bending of the whole body waits for a factor. 1 to 64: so many rows of the factor have changed
    since the last tick. 65: no tick has run since the body was added. More: bending is swept, and a new factor is
    attached after bend_due - 65 ticks. Absent: the factor is attached. (≤ 1000)
    """


class DocumentBody(Record):
    """A body: what body.add takes, and what has become of it since."""

    body: int | None
    """Id, greater than that of the body before it; absent: the next one. None where there is none."""
    name: str
    """Unique in the world if given."""
    kind: Literal["cloth", "rope", "points", "soft", "rigid"]
    """Its kind."""
    positions: NDArray[np.float64]
    """x, y, z of each particle: the rest shape and the start. [m]"""
    velocities: NDArray[np.float32] | None
    """x, y, z of each particle at the start; absent: at rest. [m/s] None where there is none."""
    triangles: NDArray[np.uint32] | None
    """Three particle indices each (cloth). None where there is none."""
    edges: NDArray[np.uint32] | None
    """Two particle indices each (rope). None where there is none."""
    tets: NDArray[np.uint32] | None
    """Four particle indices each (soft). None where there is none."""
    density: float | None
    """As in body.add. None where there is none."""
    masses: NDArray[np.float64] | None
    """Mass of each particle, or one for all, instead of density; 0 makes it static. [kg] None where there is none."""
    stretch: StretchMaterial | None
    """Material of the edges. None where there is none."""
    bend: BendMaterial | None
    """Resistance to bending (cloth); absent: none. None where there is none."""
    volume: Material | None
    """Material of the tetrahedra (soft). None where there is none."""
    solid: SolidMaterial | None
    """As in body.add; stretch and volume are absent then. None where there is none."""
    rod: Rod | None
    """As in body.add; stretch is absent then. None where there is none."""
    weld: float | None
    """As in body.add. [m] None where there is none."""
    thickness: float
    """Radius that the body has for contacts: it keeps so far from colliders, and from another body both radii
    together. One that meets itself or others needs at least 1024 quanta, 7.6 um; best is 0.05 to 0.25 of its mean
    edge. [m]
    """
    self_contact: bool | None
    """Its own triangles and edges meet each other; absent: they do not. None where there is none."""
    contact_group: int | None
    """Bits: its groups. Two bodies meet if each one's group has a bit of the other's mask; absent: 0, it meets
    nobody. None where there is none.
    """
    contact_mask: int | None
    """Bits: what it meets; absent: 0, nothing. None where there is none."""
    friction: float | None
    """Coulomb coefficient mu of the body: between two bodies sqrt(mu_a mu_b); colliders have their own; absent: 0.3.
    None where there is none.
    """
    friction_kinetic: float | None
    """Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before.
    Between two bodies the root of the product of both. Absent: 1000. None where there is none.
    """
    restitution: float | None
    """Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both
    sides the greater one. Absent: 0. None where there is none.
    """
    surface: str | None
    """Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several things may
    have the same one. Absent or empty: it has none. None where there is none.
    """
    sleep: bool | None
    """Whether it may sleep, in worlds with sleep; absent: it may. None where there is none."""
    pressure: Pressure | None
    """As in body.add, with what is left of its time. None where there is none."""
    gravity: NDArray[np.float64] | None
    """As in body.add; absent: that of the world. [m/s^2] None where there is none."""
    wind: OwnWind | None
    """As in body.add; absent: those of the world. None where there is none."""
    force: NDArray[np.float64] | None
    """As in body.add; absent: none. [N] None where there is none."""
    force_ticks: int | None
    """Ticks in which that force still acts; absent: until it is changed. None where there is none."""
    shape: Shape | None
    """As in body.add. None where there is none."""
    tear: Tear | None
    """As in body.add. With torn, the spares are among the particles of positions and state. None where there is none."""
    torn: Torn | None
    """The tears; only with tear. Absent: the body is made with spares, and nothing has torn. None where there is
    none.
    """
    pins: NDArray[np.uint32] | None
    """Pinned particles. None where there is none."""
    clamps: NDArray[np.uint32] | None
    """Pinned particles of a rod whose clamps hold the orientations of the start; absent: none, or those of the state.
    None where there is none.
    """
    skin: Skin | None
    """The surface it carries, with particles by the indices of positions; absent: none. None where there is none."""
    look: Look | None
    """Its look; absent: none. None where there is none."""
    first_constraint: int | None
    """First of the ids of its constraints, which follow each other in the order of the kinds; absent: the next one.
    None where there is none.
    """
    state: DocumentState | None
    """Its present state; absent: as it was made. None where there is none."""
    history: BodyHistory | None
    """Edits of its constraints; absent: none. None where there is none."""
    yarn_uvs: NDArray[np.float32] | None
    """As in body.add; with them stretch.direction is absent. None where there is none."""
    rigid: Rigid | None
    """As in body.add. None where there is none."""
    rotations: NDArray[np.float64] | None
    """As in body.add; whole multiples of 2^-30 whose length is 1 within 2^-28 stay as they are. None where there is
    none.
    """
    angular_velocities: NDArray[np.float32] | None
    """As in body.add. [rad/s] None where there is none."""


class DocumentBodyInput(TypedDict, total=False):
    """A body: what body.add takes, and what has become of it since. What is left out takes its default, or stays."""

    body: int
    """Id, greater than that of the body before it; absent: the next one. (≥ 1)"""
    name: str
    """Unique in the world if given. (default "")"""
    kind: Literal["cloth", "rope", "points", "soft", "rigid"]
    """Its kind."""
    positions: ArrayLike
    """x, y, z of each particle: the rest shape and the start. [m]"""
    velocities: ArrayLike
    """x, y, z of each particle at the start; absent: at rest. [m/s]"""
    triangles: ArrayLike
    """Three particle indices each (cloth)."""
    edges: ArrayLike
    """Two particle indices each (rope)."""
    tets: ArrayLike
    """Four particle indices each (soft)."""
    density: float
    """As in body.add. (> 0)"""
    masses: ArrayLike
    """Mass of each particle, or one for all, instead of density; 0 makes it static. [kg] (≥ 0)"""
    stretch: StretchMaterialInput | StretchMaterial
    """Material of the edges."""
    bend: BendMaterialInput | BendMaterial
    """Resistance to bending (cloth); absent: none."""
    volume: MaterialInput | Material
    """Material of the tetrahedra (soft)."""
    solid: SolidMaterialInput | SolidMaterial
    """As in body.add; stretch and volume are absent then."""
    rod: RodInput | Rod
    """As in body.add; stretch is absent then."""
    weld: float
    """As in body.add. [m] (≥ 0, ≤ 1)"""
    thickness: float
    """Radius that the body has for contacts: it keeps so far from colliders, and from another body both radii
    together. One that meets itself or others needs at least 1024 quanta, 7.6 um; best is 0.05 to 0.25 of its mean
    edge. [m] (≥ 0, ≤ 1, default 0)
    """
    self_contact: bool
    """Its own triangles and edges meet each other; absent: they do not."""
    contact_group: int
    """Bits: its groups. Two bodies meet if each one's group has a bit of the other's mask; absent: 0, it meets
    nobody.
    """
    contact_mask: int
    """Bits: what it meets; absent: 0, nothing."""
    friction: float
    """Coulomb coefficient mu of the body: between two bodies sqrt(mu_a mu_b); colliders have their own; absent: 0.3.
    (≥ 0, ≤ 1000)
    """
    friction_kinetic: float
    """Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before.
    Between two bodies the root of the product of both. Absent: 1000. (≥ 0, ≤ 1000)
    """
    restitution: float
    """Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both
    sides the greater one. Absent: 0. (≥ 0, ≤ 1)
    """
    surface: str
    """Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several things may
    have the same one. Absent or empty: it has none.
    """
    sleep: bool
    """Whether it may sleep, in worlds with sleep; absent: it may."""
    pressure: PressureInput | Pressure
    """As in body.add, with what is left of its time."""
    gravity: ArrayLike
    """As in body.add; absent: that of the world. [m/s^2] (≥ -1000, ≤ 1000)"""
    wind: OwnWindInput | OwnWind
    """As in body.add; absent: those of the world."""
    force: ArrayLike
    """As in body.add; absent: none. [N] (≥ -1e+38, ≤ 1e+38)"""
    force_ticks: int
    """Ticks in which that force still acts; absent: until it is changed. (≤ 3600000)"""
    shape: ShapeInput | Shape
    """As in body.add."""
    tear: TearInput | Tear
    """As in body.add. With torn, the spares are among the particles of positions and state."""
    torn: TornInput | Torn
    """The tears; only with tear. Absent: the body is made with spares, and nothing has torn."""
    pins: ArrayLike
    """Pinned particles."""
    clamps: ArrayLike
    """Pinned particles of a rod whose clamps hold the orientations of the start; absent: none, or those of the state."""
    skin: SkinInput | Skin
    """The surface it carries, with particles by the indices of positions; absent: none."""
    look: LookInput | Look
    """Its look; absent: none."""
    first_constraint: int
    """First of the ids of its constraints, which follow each other in the order of the kinds; absent: the next one.
    (≥ 1)
    """
    state: DocumentStateInput | DocumentState
    """Its present state; absent: as it was made."""
    history: BodyHistoryInput | BodyHistory
    """Edits of its constraints; absent: none."""
    yarn_uvs: ArrayLike
    """As in body.add; with them stretch.direction is absent."""
    rigid: RigidInput | Rigid
    """As in body.add."""
    rotations: ArrayLike
    """As in body.add; whole multiples of 2^-30 whose length is 1 within 2^-28 stay as they are. (≥ -1000000, ≤
    1000000)
    """
    angular_velocities: ArrayLike
    """As in body.add. [rad/s] (≥ -1000000, ≤ 1000000)"""


class DocumentCollider(Record):
    """A collider: what collider.add takes, and its earlier pose if it is under way."""

    collider: int | None
    """Id, greater than that of the collider before it; absent: the next one. None where there is none."""
    name: str
    """Unique among the world's colliders if given."""
    kind: Literal["plane", "sphere", "capsule", "box", "cylinder", "convex", "height_field"]
    """Shape."""
    position: NDArray[np.float64]
    """A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of
    the others. [m]
    """
    normal: NDArray[np.float64] | None
    """Normal of the plane, instead of rotation; absent: +y. None where there is none."""
    rotation: NDArray[np.float64] | None
    """Quaternion x, y, z, w; one whose length is 1 within rounding stays as it is, another is normalized; absent:
    none. None where there is none.
    """
    radius: float
    """Radius (sphere, capsule, cylinder). [m]"""
    length: float
    """Between the centres of the ends (capsule), between the flat ends (cylinder). [m]"""
    half_extents: NDArray[np.float64]
    """Half the edges (box). [m]"""
    friction: float
    """Coulomb coefficient mu."""
    friction_kinetic: float | None
    """Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before.
    Absent: 1000. None where there is none.
    """
    restitution: float | None
    """Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both
    sides the greater one. Absent: 0. None where there is none.
    """
    surface: str | None
    """Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several things may
    have the same one. Absent or empty: it has none. None where there is none.
    """
    remainder: NDArray[np.float64] | None
    """Quanta that the doubles of position cannot hold beyond 2^53; absent: none. [quanta] None where there is none."""
    from_position: NDArray[np.float64] | None
    """Position from which the next tick moves it; absent: position. [m] None where there is none."""
    from_remainder: NDArray[np.float64] | None
    """As remainder, of from_position. [quanta] None where there is none."""
    from_rotation: NDArray[np.float64] | None
    """The same for the rotation. None where there is none."""
    unturned: NDArray[np.float64] | None
    """Rotation, of length 1, without what motions have turned it by, and then from_rotation is without it as well;
    absent: what rotation comes to without them. None where there is none.
    """
    points: NDArray[np.float64] | None
    """As in collider.add (convex). [m] None where there is none."""
    heights: NDArray[np.float64] | None
    """As in collider.add (height_field). [m] None where there is none."""
    columns: int | None
    """As in collider.add (height_field). None where there is none."""
    spacing: float | None
    """As in collider.add (height_field); absent: 1. [m] None where there is none."""
    surface_velocity: NDArray[np.float64] | None
    """As in collider.add; absent: none. [m/s] None where there is none."""
    surface_spin: NDArray[np.float64] | None
    """As in collider.add; absent: none. [rad/s] None where there is none."""


class DocumentColliderInput(TypedDict, total=False):
    """A collider: what collider.add takes, and its earlier pose if it is under way. What is left out takes its
    default, or stays.
    """

    collider: int
    """Id, greater than that of the collider before it; absent: the next one. (≥ 1)"""
    name: str
    """Unique among the world's colliders if given. (default "")"""
    kind: Literal["plane", "sphere", "capsule", "box", "cylinder", "convex", "height_field"]
    """Shape."""
    position: ArrayLike
    """A point of the plane, the origin of a hull, the middle of a height field's grid at height 0, or the centre of
    the others. [m] (default [0, 0, 0])
    """
    normal: ArrayLike
    """Normal of the plane, instead of rotation; absent: +y."""
    rotation: ArrayLike
    """Quaternion x, y, z, w; one whose length is 1 within rounding stays as it is, another is normalized; absent:
    none.
    """
    radius: float
    """Radius (sphere, capsule, cylinder). [m] (default 1)"""
    length: float
    """Between the centres of the ends (capsule), between the flat ends (cylinder). [m] (default 1)"""
    half_extents: ArrayLike
    """Half the edges (box). [m] (default [0.5, 0.5, 0.5])"""
    friction: float
    """Coulomb coefficient mu. (≥ 0, ≤ 1000, default 0.5)"""
    friction_kinetic: float
    """Coulomb coefficient mu of what slides; above friction it counts as friction, and so 1000 ends one set before.
    Absent: 1000. (≥ 0, ≤ 1000)
    """
    restitution: float
    """Part of its speed across the surface with which a point leaves a collider or another body that it hits; of both
    sides the greater one. Absent: 0. (≥ 0, ≤ 1)
    """
    surface: str
    """Name of its surface, as rubber: rows of the world's surfaces with that name speak of it. Several things may
    have the same one. Absent or empty: it has none.
    """
    remainder: ArrayLike
    """Quanta that the doubles of position cannot hold beyond 2^53; absent: none. [quanta]"""
    from_position: ArrayLike
    """Position from which the next tick moves it; absent: position. [m]"""
    from_remainder: ArrayLike
    """As remainder, of from_position. [quanta]"""
    from_rotation: ArrayLike
    """The same for the rotation."""
    unturned: ArrayLike
    """Rotation, of length 1, without what motions have turned it by, and then from_rotation is without it as well;
    absent: what rotation comes to without them.
    """
    points: ArrayLike
    """As in collider.add (convex). [m] (≥ -1000000000, ≤ 1000000000)"""
    heights: ArrayLike
    """As in collider.add (height_field). [m] (≥ -1000000000, ≤ 1000000000)"""
    columns: int
    """As in collider.add (height_field). (≥ 2, ≤ 256)"""
    spacing: float
    """As in collider.add (height_field); absent: 1. [m] (≥ 1e-06, ≤ 1000000000)"""
    surface_velocity: ArrayLike
    """As in collider.add; absent: none. [m/s] (≥ -50, ≤ 50)"""
    surface_spin: ArrayLike
    """As in collider.add; absent: none. [rad/s] (≥ -1000, ≤ 1000)"""


class DocumentConstraints(Record):
    """Loose constraints of one kind: what constraint.add takes, and what they have become."""

    type: Literal["distance", "dihedral", "isometric", "quadratic", "volume", "join", "slide", "slide_rail", "neo_hookean", "orthotropic", "rod_stretch", "rod_bend", "joint"]
    """Kind of all of them."""
    body: int | str | None
    """Body of all particles, by id or name. None where there is none."""
    bodies: NDArray[np.uint32] | None
    """Body id of each particle, instead of body. None where there is none."""
    particles: NDArray[np.uint32]
    """Indices, flat: two for each distance, rod_stretch and rod_bend, three for each slide, slide_rail and
    orthotropic, six for each join that has an id and shapes (else those of its sides), four for each joint that
    has (else a piece of a rigid body and those of its second side), four for each other.
    """
    sides: NDArray[np.uint32] | None
    """Only for joins: particles of each of the two sides, 1 (a point), 2 (on an edge) or 3 (on a triangle), two
    numbers for all; default 1 and 1. For joints: 1, and 0 (the world), 1 (a piece or a particle), 2 (a segment of
    a rod: the particle at which it begins, and the one at which it ends) or 3 (on a triangle). None where there is
    none.
    """
    weights: NDArray[np.float64] | None
    """Only for joins and joints: barycentric weight of each particle; the sum of each side is 1. Default: equal ones;
    of a segment of a rod those of its point that is nearest to the second anchor, and without anchors to the
    piece's centre. None where there is none.
    """
    rest: NDArray[np.float64] | None
    """Rest values, or one for all; absent: the present ones. [m, rad, m^3] None where there is none."""
    compliance: NDArray[np.float64] | None
    """Of each, or one for all; absent: 0. [[C]^2/J] None where there is none."""
    damping: NDArray[np.float64] | None
    """Of each, or one for all; absent: 0. [J s/[C]^2] None where there is none."""
    stiffness: NDArray[np.float64] | None
    """Plain PBD stiffness of each, or one for all; -1 if compliance holds. None where there is none."""
    constraints: NDArray[np.uint32] | None
    """Ids, ascending; absent: the next ones. Given, they need rest or shapes, compliance, damping, stiffness and
    colors as well, and slides ratio, friction and side. None where there is none.
    """
    colors: NDArray[np.uint32] | None
    """Colour of each, its place in the order of solving, which history gave. None where there is none."""
    shapes: NDArray[np.float32] | None
    """Rest shapes of isometric (K1, K2, K3, 3/(A0 + A1)) and quadratic ones (K1, K2, K3 times the root of that, 0),
    four numbers each. Of slide_rail ones with ids, four: their friction, the segment of the rail that the ring is
    on, and its place on it as a multiple of 2^-16 and one of 2^-32 that are added. Of joins with ids, eight: the
    weights of corners 1, 2, 4 and 5, the rest length that it comes to in quanta, ticks until then, the greatest
    force, and 1 if it has parted. Of joints with ids, 36, which docs/concepts/joints.md names. A corner of a join
    that is not used repeats the first one of its side. Of neo_hookean, eight: |6V|^(-2/3), which follows from
    rest, six entries of the inverse of the matrix of the edges' products for a volume of 1/6 (00, 11, 22, 01, 02,
    12), and Poisson's ratio. Of orthotropic ones, nine: the gradients of u (along the warp) and of v at the second
    and third particle, one over the area, and r, Y2/k11, G/k11 and the limit of docs/concepts/orthotropic.md. None
    where there is none.
    """
    rest_end: NDArray[np.float64] | None
    """Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes
    evenly and in ticks. [m] None where there is none.
    """
    seconds: NDArray[np.float64] | None
    """Only for joins, with rest_end: how long that takes, above 0, of each or one for all. [s] None where there is
    none.
    """
    force_limit: NDArray[np.float64] | None
    """Only for joins and joints: a join parts, and a joint breaks, at the end of a tick if the mean of its force over
    that tick was above this; of each, or one for all. 0: it never does. Default 0. [N] None where there is none.
    """
    ratio: NDArray[np.float64] | None
    """Of slides: as in constraint.add; absent: 1. None where there is none."""
    friction: NDArray[np.float64] | None
    """Of slides, and of slide_rail ones without ids (with ids shapes has it): as in constraint.add; absent: 0. None
    where there is none.
    """
    side: NDArray[np.float64] | None
    """Of slides with friction: what of the rest length is between the first particle and the ring, which ticks
    change; at most rest, and 0 without friction. Absent: in proportion to the present lengths. [m] None where
    there is none.
    """
    joint: Literal["ball", "fixed", "hinge", "slider", "distance"] | None
    """Only for joints, what all of them are; absent: ball. ball: the anchors stay together; fixed: and nothing turns;
    hinge: they turn about the axis alone; slider: nothing turns, and they move along the axis alone; distance: the
    anchors stay as far apart as limits says. The second side of fixed, hinge and slider is a piece, a segment of a
    rod or the world. None where there is none.
    """
    anchors: NDArray[np.float64] | None
    """Only for joints: where each one holds, in the world as it is then. Three numbers for each, for both of its
    sides, or six for each, of the piece and of the second side. A particle or a point of a triangle is its own
    anchor. Default: the second side's particle or point, or the centre of its piece; of a segment the point that
    weights name, and of the world the first piece's. [m] None where there is none.
    """
    axes: NDArray[np.float64] | None
    """Only for joints: the axis of each, in the world as it is then, three numbers of any length above 0. Default: y,
    0 1 0. None where there is none.
    """
    limits: NDArray[np.float64] | None
    """Only for joints: two numbers for each. Of a hinge the least and the greatest angle in rad, of a slider the
    least and the greatest place along its axis in m; both are 0 where a joint is added. Of a ball 0 and the angle
    in rad to which its axis may lean. Of a distance the least and the greatest one in m. The first above the
    second: none, as 1, -1; so is a whole turn of a hinge. Default: none, and for a distance the present one. None
    where there is none.
    """
    turn_compliance: NDArray[np.float64] | None
    """Only for joints: compliance of what holds the orientation (fixed, hinge, slider), of each or one for all.
    Default 0. [rad/(N m)] None where there is none.
    """
    motor: Literal["none", "speed", "target"] | None
    """Only for joints, of all of them: what drives a hinge or a slider; absent: nothing. speed: it comes to a speed;
    target: to an angle or a place. None where there is none.
    """
    motor_target: NDArray[np.float64] | None
    """Only for joints: the speed in rad/s or m/s, or the angle in rad or the place in m that the motor of each comes
    to, or one for all. Default 0. None where there is none.
    """
    motor_most: NDArray[np.float64] | None
    """Only for joints: the greatest torque of a hinge's motor, or force of a slider's; of each, or one for all. 0: as
    much as it takes. Default 0. [N m, N] None where there is none.
    """
    motor_compliance: NDArray[np.float64] | None
    """Only for joints with a target: above 0 the motor is a spring; of each, or one for all. Default 0. [rad/(N m),
    m/N] None where there is none.
    """
    fields: list[Literal["rest", "compliance", "damping", "stiffness", "ratio", "friction", "side", "rest_end", "force_limit", "limits", "turn_compliance", "motor", "motor_target", "motor_most", "motor_compliance"]] | None
    """Only for edit.restore, of constraints that live: only these are restored, and their other values stay. rest_end
    is it with seconds. Absent: all. None where there is none.
    """


class DocumentConstraintsInput(TypedDict, total=False):
    """Loose constraints of one kind: what constraint.add takes, and what they have become. What is left out takes its
    default, or stays.
    """

    type: Literal["distance", "dihedral", "isometric", "quadratic", "volume", "join", "slide", "slide_rail", "neo_hookean", "orthotropic", "rod_stretch", "rod_bend", "joint"]
    """Kind of all of them. (default "distance")"""
    body: BodyRef
    """Body of all particles, by id or name."""
    bodies: ArrayLike
    """Body id of each particle, instead of body."""
    particles: ArrayLike
    """Indices, flat: two for each distance, rod_stretch and rod_bend, three for each slide, slide_rail and
    orthotropic, six for each join that has an id and shapes (else those of its sides), four for each joint that
    has (else a piece of a rigid body and those of its second side), four for each other.
    """
    sides: ArrayLike
    """Only for joins: particles of each of the two sides, 1 (a point), 2 (on an edge) or 3 (on a triangle), two
    numbers for all; default 1 and 1. For joints: 1, and 0 (the world), 1 (a piece or a particle), 2 (a segment of
    a rod: the particle at which it begins, and the one at which it ends) or 3 (on a triangle).
    """
    weights: ArrayLike
    """Only for joins and joints: barycentric weight of each particle; the sum of each side is 1. Default: equal ones;
    of a segment of a rod those of its point that is nearest to the second anchor, and without anchors to the
    piece's centre. (≥ 0, ≤ 1)
    """
    rest: ArrayLike
    """Rest values, or one for all; absent: the present ones. [m, rad, m^3]"""
    compliance: ArrayLike
    """Of each, or one for all; absent: 0. [[C]^2/J] (≥ 0)"""
    damping: ArrayLike
    """Of each, or one for all; absent: 0. [J s/[C]^2] (≥ 0)"""
    stiffness: ArrayLike
    """Plain PBD stiffness of each, or one for all; -1 if compliance holds. (≥ -1, ≤ 1)"""
    constraints: ArrayLike
    """Ids, ascending; absent: the next ones. Given, they need rest or shapes, compliance, damping, stiffness and
    colors as well, and slides ratio, friction and side.
    """
    colors: ArrayLike
    """Colour of each, its place in the order of solving, which history gave. (≤ 64)"""
    shapes: ArrayLike
    """Rest shapes of isometric (K1, K2, K3, 3/(A0 + A1)) and quadratic ones (K1, K2, K3 times the root of that, 0),
    four numbers each. Of slide_rail ones with ids, four: their friction, the segment of the rail that the ring is
    on, and its place on it as a multiple of 2^-16 and one of 2^-32 that are added. Of joins with ids, eight: the
    weights of corners 1, 2, 4 and 5, the rest length that it comes to in quanta, ticks until then, the greatest
    force, and 1 if it has parted. Of joints with ids, 36, which docs/concepts/joints.md names. A corner of a join
    that is not used repeats the first one of its side. Of neo_hookean, eight: |6V|^(-2/3), which follows from
    rest, six entries of the inverse of the matrix of the edges' products for a volume of 1/6 (00, 11, 22, 01, 02,
    12), and Poisson's ratio. Of orthotropic ones, nine: the gradients of u (along the warp) and of v at the second
    and third particle, one over the area, and r, Y2/k11, G/k11 and the limit of docs/concepts/orthotropic.md.
    """
    rest_end: ArrayLike
    """Only for joins, with seconds: the rest length of each that it comes to, or one for all. The rest length changes
    evenly and in ticks. [m] (≥ 0)
    """
    seconds: ArrayLike
    """Only for joins, with rest_end: how long that takes, above 0, of each or one for all. [s] (≥ 0, ≤ 3600)"""
    force_limit: ArrayLike
    """Only for joins and joints: a join parts, and a joint breaks, at the end of a tick if the mean of its force over
    that tick was above this; of each, or one for all. 0: it never does. Default 0. [N] (≥ 0, ≤ 1000000000000)
    """
    ratio: ArrayLike
    """Of slides: as in constraint.add; absent: 1. (≥ 1, ≤ 16)"""
    friction: ArrayLike
    """Of slides, and of slide_rail ones without ids (with ids shapes has it): as in constraint.add; absent: 0. (≥ 0,
    ≤ 100)
    """
    side: ArrayLike
    """Of slides with friction: what of the rest length is between the first particle and the ring, which ticks
    change; at most rest, and 0 without friction. Absent: in proportion to the present lengths. [m] (≥ 0)
    """
    joint: Literal["ball", "fixed", "hinge", "slider", "distance"]
    """Only for joints, what all of them are; absent: ball. ball: the anchors stay together; fixed: and nothing turns;
    hinge: they turn about the axis alone; slider: nothing turns, and they move along the axis alone; distance: the
    anchors stay as far apart as limits says. The second side of fixed, hinge and slider is a piece, a segment of a
    rod or the world.
    """
    anchors: ArrayLike
    """Only for joints: where each one holds, in the world as it is then. Three numbers for each, for both of its
    sides, or six for each, of the piece and of the second side. A particle or a point of a triangle is its own
    anchor. Default: the second side's particle or point, or the centre of its piece; of a segment the point that
    weights name, and of the world the first piece's. [m] (≥ -1000000000, ≤ 1000000000)
    """
    axes: ArrayLike
    """Only for joints: the axis of each, in the world as it is then, three numbers of any length above 0. Default: y,
    0 1 0. (≥ -1000000000, ≤ 1000000000)
    """
    limits: ArrayLike
    """Only for joints: two numbers for each. Of a hinge the least and the greatest angle in rad, of a slider the
    least and the greatest place along its axis in m; both are 0 where a joint is added. Of a ball 0 and the angle
    in rad to which its axis may lean. Of a distance the least and the greatest one in m. The first above the
    second: none, as 1, -1; so is a whole turn of a hinge. Default: none, and for a distance the present one. (≥
    -1000000, ≤ 1000000)
    """
    turn_compliance: ArrayLike
    """Only for joints: compliance of what holds the orientation (fixed, hinge, slider), of each or one for all.
    Default 0. [rad/(N m)] (≥ 0, ≤ 1000000000000)
    """
    motor: Literal["none", "speed", "target"]
    """Only for joints, of all of them: what drives a hinge or a slider; absent: nothing. speed: it comes to a speed;
    target: to an angle or a place.
    """
    motor_target: ArrayLike
    """Only for joints: the speed in rad/s or m/s, or the angle in rad or the place in m that the motor of each comes
    to, or one for all. Default 0. (≥ -1000000, ≤ 1000000)
    """
    motor_most: ArrayLike
    """Only for joints: the greatest torque of a hinge's motor, or force of a slider's; of each, or one for all. 0: as
    much as it takes. Default 0. [N m, N] (≥ 0, ≤ 1000000000000)
    """
    motor_compliance: ArrayLike
    """Only for joints with a target: above 0 the motor is a spring; of each, or one for all. Default 0. [rad/(N m),
    m/N] (≥ 0, ≤ 1000000000000)
    """
    fields: Literal["rest", "compliance", "damping", "stiffness", "ratio", "friction", "side", "rest_end", "force_limit", "limits", "turn_compliance", "motor", "motor_target", "motor_most", "motor_compliance"] | Sequence[Literal["rest", "compliance", "damping", "stiffness", "ratio", "friction", "side", "rest_end", "force_limit", "limits", "turn_compliance", "motor", "motor_target", "motor_most", "motor_compliance"]]
    """Only for edit.restore, of constraints that live: only these are restored, and their other values stay. rest_end
    is it with seconds. Absent: all.
    """


class MotionSummary(Record):
    """A motion: keyframes that move a collider, or pinned particles, as ticks go by."""

    motion: int
    """Id."""
    collider: int | None
    """Collider that it moves. None where there is none."""
    body: int | None
    """Body whose particles it moves, if it is no collider. None where there is none."""
    particles: NDArray[np.uint32]
    """Those of them that are pinned."""
    times: NDArray[np.float64]
    """As in motion.add. [s]"""
    offsets: NDArray[np.float64]
    """As in motion.add. [m]"""
    loop: bool
    """As in motion.add."""
    age: int
    """Ticks since it was added, or since world.reset."""
    rotations: NDArray[np.float64] | None
    """If it turns what it moves: as in motion.add, each of length 1 and with the sign that makes it next to the one
    before. None where there is none.
    """
    interpolation: Literal["linear", "cubic"]
    """As in motion.add."""
    posed: bool
    """Whether it has poses."""
    poses: NDArray[np.float32] | None
    """If it has them and they were asked for: as in motion.add. [m] None where there is none."""


class DocumentMotion(Record):
    """A motion: what motion.add takes, and how far it is."""

    motion: int | None
    """Id, greater than that of the motion before it; absent: the next one. None where there is none."""
    collider: int | str | None
    """Collider, by id or name. None where there is none."""
    body: int | str | None
    """Body, by id or name, instead of collider. None where there is none."""
    particles: NDArray[np.uint32] | None
    """Particles of the body. None where there is none."""
    times: NDArray[np.float64]
    """As in motion.add. [s]"""
    offsets: NDArray[np.float64]
    """As in motion.add. [m]"""
    loop: bool
    """As in motion.add."""
    age: int
    """Ticks since it began."""
    rotations: NDArray[np.float64] | None
    """As in motion.add. None where there is none."""
    pivot: NDArray[np.float64] | None
    """As in motion.add. [m] None where there is none."""
    interpolation: Literal["linear", "cubic"]
    """As in motion.add."""
    arms: NDArray[np.float64] | None
    """For particles that turn: x, y, z of each from the pivot when the motion was added, instead of pivot; absent: as
    they are. [m] None where there is none.
    """
    poses: NDArray[np.float32] | None
    """As in motion.add. [m] None where there is none."""


class DocumentMotionInput(TypedDict, total=False):
    """A motion: what motion.add takes, and how far it is. What is left out takes its default, or stays."""

    motion: int
    """Id, greater than that of the motion before it; absent: the next one. (≥ 1)"""
    collider: ColliderRef
    """Collider, by id or name."""
    body: BodyRef
    """Body, by id or name, instead of collider."""
    particles: ArrayLike
    """Particles of the body."""
    times: ArrayLike
    """As in motion.add. [s] (≥ 0, ≤ 1000000)"""
    offsets: ArrayLike
    """As in motion.add. [m] (≥ -1000, ≤ 1000)"""
    loop: bool
    """As in motion.add. (default False)"""
    age: int
    """Ticks since it began. (default 0)"""
    rotations: ArrayLike
    """As in motion.add. (≥ -1000000, ≤ 1000000)"""
    pivot: ArrayLike
    """As in motion.add. [m]"""
    interpolation: Literal["linear", "cubic"]
    """As in motion.add. (default "linear")"""
    arms: ArrayLike
    """For particles that turn: x, y, z of each from the pivot when the motion was added, instead of pivot; absent: as
    they are. [m] (≥ -1000, ≤ 1000)
    """
    poses: ArrayLike
    """As in motion.add. [m] (≥ -1000, ≤ 1000)"""


class DocumentGrab(Record):
    """A particle that is held. Its holder is no part of a document."""

    grab: int | None
    """Id, greater than that of the grab before it; absent: the next one. None where there is none."""
    body: int | str
    """Body, by id or name."""
    particle: int
    """Index in the body."""
    target: NDArray[np.float64]
    """Point to which it is pulled. [m]"""
    remainder: NDArray[np.float64] | None
    """Quanta that the doubles of target cannot hold beyond 2^53; absent: none. [quanta] None where there is none."""
    compliance: float
    """As in grab.begin. [m/N]"""


class DocumentGrabInput(TypedDict, total=False):
    """A particle that is held. Its holder is no part of a document. What is left out takes its default, or stays."""

    grab: int
    """Id, greater than that of the grab before it; absent: the next one. (≥ 1)"""
    body: BodyRef
    """Body, by id or name."""
    particle: int
    """Index in the body."""
    target: ArrayLike
    """Point to which it is pulled. [m]"""
    remainder: ArrayLike
    """Quanta that the doubles of target cannot hold beyond 2^53; absent: none. [quanta]"""
    compliance: float
    """As in grab.begin. [m/N] (≥ 0, default 0.001)"""


class Document(Record):
    """A whole world without its name, its people and their grabs: a saved world that is opened again has the same
    hash and the same future.
    """

    format: int
    """Of this map."""
    settings: WorldSettings | None
    """Settings. None where there is none."""
    tick: int
    """Completed ticks."""
    bodies: list[DocumentBody] | None
    """By id. None where there is none."""
    colliders: list[DocumentCollider] | None
    """By id. None where there is none."""
    constraints: list[DocumentConstraints] | None
    """Loose constraints, at most 4096 entries. None where there is none."""
    motions: list[DocumentMotion] | None
    """By id. None where there is none."""
    next_body: int | None
    """Next id; absent: the least that is free. None where there is none."""
    next_constraint: int | None
    """The same for constraints. None where there is none."""
    next_grab: int | None
    """The same for grabs. None where there is none."""
    next_collider: int | None
    """The same for colliders. None where there is none."""
    next_motion: int | None
    """The same for motions. None where there is none."""
    grabs: list[DocumentGrab] | None
    """By id; of an image (docs/reference/records.md). world.save leaves it out, and world.open lets go of what it
    says is held. None where there is none.
    """


class DocumentInput(TypedDict, total=False):
    """A whole world without its name, its people and their grabs: a saved world that is opened again has the same
    hash and the same future. What is left out takes its default, or stays.
    """

    format: int
    """Of this map. (≥ 1, ≤ 1, default 1)"""
    settings: WorldSettingsInput | WorldSettings
    """Settings."""
    tick: int
    """Completed ticks. (≤ 4503599627370496, default 0)"""
    bodies: Sequence[DocumentBodyInput | DocumentBody]
    """By id."""
    colliders: Sequence[DocumentColliderInput | DocumentCollider]
    """By id."""
    constraints: Sequence[DocumentConstraintsInput | DocumentConstraints]
    """Loose constraints, at most 4096 entries."""
    motions: Sequence[DocumentMotionInput | DocumentMotion]
    """By id."""
    next_body: int
    """Next id; absent: the least that is free. (≥ 1)"""
    next_constraint: int
    """The same for constraints. (≥ 1)"""
    next_grab: int
    """The same for grabs. (≥ 1)"""
    next_collider: int
    """The same for colliders. (≥ 1)"""
    next_motion: int
    """The same for motions. (≥ 1)"""
    grabs: Sequence[DocumentGrabInput | DocumentGrab]
    """By id; of an image (docs/reference/records.md). world.save leaves it out, and world.open lets go of what it
    says is held.
    """


class RestoreRemoved(Record):
    """Ids of things to remove; ids that do not exist are skipped."""

    bodies: NDArray[np.uint32] | None
    """Bodies, with the loose constraints and the motions that hold them. None where there is none."""
    constraints: NDArray[np.uint32] | None
    """Loose constraints. None where there is none."""
    colliders: NDArray[np.uint32] | None
    """Colliders, with the motions that move them. None where there is none."""
    motions: NDArray[np.uint32] | None
    """Motions. None where there is none."""


class RestoreRemovedInput(TypedDict, total=False):
    """Ids of things to remove; ids that do not exist are skipped. What is left out takes its default, or stays."""

    bodies: ArrayLike
    """Bodies, with the loose constraints and the motions that hold them."""
    constraints: ArrayLike
    """Loose constraints."""
    colliders: ArrayLike
    """Colliders, with the motions that move them."""
    motions: ArrayLike
    """Motions."""


class RestoreSettings(Record):
    """Settings of a world; absent ones stay as they are."""

    gravity: NDArray[np.float64] | None
    """As in world.create. [m/s^2] None where there is none."""
    substeps: int | None
    """As in world.create. None where there is none."""
    iterations: int | None
    """As in world.create. None where there is none."""
    damping: float | None
    """As in world.create. [1/s] None where there is none."""
    wind: Wind | None
    """As in world.create. None where there is none."""
    extent: float | None
    """As in world.create. [m] None where there is none."""
    contact_quality: Literal["guaranteed", "fast"] | None
    """As in world.create. None where there is none."""
    untangle: bool | None
    """As in world.create. None where there is none."""
    long_edges: bool | None
    """As in world.create. None where there is none."""
    bending: Literal["swept", "solved"] | None
    """As in world.create. None where there is none."""
    loads: Literal["swept", "solved"] | None
    """As in world.create. None where there is none."""
    sleep: bool | None
    """As in world.create. None where there is none."""
    calm: bool | None
    """As in world.create. None where there is none."""
    forces: ForceFields | None
    """All fields of force, and the id of the next one. None where there is none."""
    fields: str | None
    """Names of fields of wind with a space between them, as wind.drag. Then only these are restored, and those that
    wind lacks are ended; other fields of the wind stay. None where there is none.
    """
    forces_set: list[ForceField] | None
    """Fields of force by id: what is given of each is restored. One that is gone comes back if its kind is given.
    None where there is none.
    """
    forces_removed: NDArray[np.uint32] | None
    """Ids of fields of force to remove; ids that do not exist are skipped. None where there is none."""
    forces_next: int | None
    """Id of the next field of force. None where there is none."""
    surfaces: list[SurfacePair] | None
    """As in world.set. None where there is none."""


class RestoreSettingsInput(TypedDict, total=False):
    """Settings of a world; absent ones stay as they are. What is left out takes its default, or stays."""

    gravity: ArrayLike
    """As in world.create. [m/s^2] (≥ -1000, ≤ 1000)"""
    substeps: int
    """As in world.create. (≥ 1, ≤ 1000)"""
    iterations: int
    """As in world.create. (≥ 1, ≤ 1000)"""
    damping: float
    """As in world.create. [1/s] (≥ 0, ≤ 1000000)"""
    wind: WindInput | Wind
    """As in world.create."""
    extent: float
    """As in world.create. [m] (≥ 1, ≤ 1000000000)"""
    contact_quality: Literal["guaranteed", "fast"]
    """As in world.create."""
    untangle: bool
    """As in world.create."""
    long_edges: bool
    """As in world.create."""
    bending: Literal["swept", "solved"]
    """As in world.create."""
    loads: Literal["swept", "solved"]
    """As in world.create."""
    sleep: bool
    """As in world.create."""
    calm: bool
    """As in world.create."""
    forces: ForceFieldsInput | ForceFields
    """All fields of force, and the id of the next one."""
    fields: str
    """Names of fields of wind with a space between them, as wind.drag. Then only these are restored, and those that
    wind lacks are ended; other fields of the wind stay.
    """
    forces_set: Sequence[ForceFieldInput | ForceField]
    """Fields of force by id: what is given of each is restored. One that is gone comes back if its kind is given."""
    forces_removed: ArrayLike
    """Ids of fields of force to remove; ids that do not exist are skipped. (≥ 1)"""
    forces_next: int
    """Id of the next field of force. (≥ 1)"""
    surfaces: Sequence[SurfacePairInput | SurfacePair]
    """As in world.set."""


class RestoreBody(Record):
    """Values to restore in an existing body; absent fields stay as they are."""

    body: int
    """Id."""
    name: str | None
    """Empty: it has none. None where there is none."""
    stretch: StretchMaterial | None
    """Material of the edges, and of all their constraints. None where there is none."""
    bend: BendMaterial | None
    """The same of bending. None where there is none."""
    volume: Material | None
    """The same of the tetrahedra. None where there is none."""
    solid: SolidMaterial | None
    """The same of a solid. None where there is none."""
    thickness: float | None
    """As in body.add. [m] None where there is none."""
    self_contact: bool | None
    """As in body.add. None where there is none."""
    contact_group: int | None
    """As in body.add. None where there is none."""
    contact_mask: int | None
    """As in body.add. None where there is none."""
    friction: float | None
    """As in body.add. None where there is none."""
    friction_kinetic: float | None
    """As in body.add. None where there is none."""
    restitution: float | None
    """As in body.add. None where there is none."""
    surface: str | None
    """As in body.add; empty: it has none. None where there is none."""
    sleep: bool | None
    """As in body.add. None where there is none."""
    pressure: Pressure | None
    """As in body.add; model none: it has none. None where there is none."""
    gravity: NDArray[np.float64] | None
    """Gravity of its own, three numbers; none: that of the world. [m/s^2] None where there is none."""
    wind: OwnWind | None
    """Coefficients of its own; those that are absent from it are those of the world. None where there is none."""
    force: NDArray[np.float64] | None
    """Force on it as a whole; 0: none. [N] None where there is none."""
    force_ticks: int | None
    """Ticks in which that force still acts; absent: until it is changed. None where there is none."""
    shape: Shape | None
    """As in body.add; model none: it has none. None where there is none."""
    tear: Tear | None
    """Thresholds; most is not read. None where there is none."""
    fields: str | None
    """Names of fields of these maps with a space between them, as stretch.damping. Of a map of which some are named
    only these are restored, and those that it lacks are ended; its other fields stay. A map of which none is named
    is restored whole. None where there is none.
    """


class RestoreBodyInput(TypedDict, total=False):
    """Values to restore in an existing body; absent fields stay as they are. What is left out takes its default, or
    stays.
    """

    body: int
    """Id. (≥ 1)"""
    name: str
    """Empty: it has none."""
    stretch: StretchMaterialInput | StretchMaterial
    """Material of the edges, and of all their constraints."""
    bend: BendMaterialInput | BendMaterial
    """The same of bending."""
    volume: MaterialInput | Material
    """The same of the tetrahedra."""
    solid: SolidMaterialInput | SolidMaterial
    """The same of a solid."""
    thickness: float
    """As in body.add. [m] (≥ 0, ≤ 1)"""
    self_contact: bool
    """As in body.add."""
    contact_group: int
    """As in body.add."""
    contact_mask: int
    """As in body.add."""
    friction: float
    """As in body.add. (≥ 0, ≤ 1000)"""
    friction_kinetic: float
    """As in body.add. (≥ 0, ≤ 1000)"""
    restitution: float
    """As in body.add. (≥ 0, ≤ 1)"""
    surface: str
    """As in body.add; empty: it has none."""
    sleep: bool
    """As in body.add."""
    pressure: PressureInput | Pressure
    """As in body.add; model none: it has none."""
    gravity: ArrayLike
    """Gravity of its own, three numbers; none: that of the world. [m/s^2] (≥ -1000, ≤ 1000)"""
    wind: OwnWindInput | OwnWind
    """Coefficients of its own; those that are absent from it are those of the world."""
    force: ArrayLike
    """Force on it as a whole; 0: none. [N] (≥ -1e+38, ≤ 1e+38)"""
    force_ticks: int
    """Ticks in which that force still acts; absent: until it is changed. (≤ 3600000)"""
    shape: ShapeInput | Shape
    """As in body.add; model none: it has none."""
    tear: TearInput | Tear
    """Thresholds; most is not read."""
    fields: str
    """Names of fields of these maps with a space between them, as stretch.damping. Of a map of which some are named
    only these are restored, and those that it lacks are ended; its other fields stay. A map of which none is named
    is restored whole.
    """


class RestoreParticles(Record):
    """Values to restore in particles of a body."""

    body: int
    """Id."""
    particles: NDArray[np.uint32] | None
    """Indices in the body, each once; absent: all. None where there is none."""
    pinned: bool | None
    """Whether they are pinned; absent: as they are. None where there is none."""
    state: DocumentState | None
    """State of these particles, with targets, which are read for pinned particles only. Absent arrays: as they are.
    With still, the body is also as far on its way to sleep as asleep, still, mark, island and companions say, with
    the anchors of these particles; without it, sleep is as it is. None where there is none.
    """


class RestoreParticlesInput(TypedDict, total=False):
    """Values to restore in particles of a body. What is left out takes its default, or stays."""

    body: int
    """Id. (≥ 1)"""
    particles: ArrayLike
    """Indices in the body, each once; absent: all."""
    pinned: bool
    """Whether they are pinned; absent: as they are."""
    state: DocumentStateInput | DocumentState
    """State of these particles, with targets, which are read for pinned particles only. Absent arrays: as they are.
    With still, the body is also as far on its way to sleep as asleep, still, mark, island and companions say, with
    the anchors of these particles; without it, sleep is as it is.
    """


class RestoreOwn(Record):
    """Constraints of one kind with which a body was added, to restore with these values. If the body was coloured
    again because some were removed, its earlier places are told as well.
    """

    body: int
    """Id of the body."""
    type: Literal["distance", "dihedral", "isometric", "quadratic", "volume", "join", "slide", "slide_rail", "neo_hookean", "orthotropic", "rod_stretch", "rod_bend", "joint"]
    """Kind of all of them."""
    constraints: NDArray[np.uint32]
    """Ids, ascending."""
    rest: NDArray[np.float64] | None
    """Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint. [m,
    rad, m^3] None where there is none.
    """
    compliance: NDArray[np.float64] | None
    """Compliances. [[C]^2/J] None where there is none."""
    damping: NDArray[np.float64] | None
    """Damping stiffnesses. [J s/[C]^2] None where there is none."""
    stiffness: NDArray[np.float64] | None
    """Plain PBD stiffness; -1 if compliance holds. None where there is none."""
    colors: NDArray[np.uint32] | None
    """Colour of each within its tile. None where there is none."""
    built: int | None
    """Constraints of this kind when they were last coloured before; with places. None where there is none."""
    places: NDArray[np.uint32] | None
    """Ids of all that had places then, ascending; absent: the body was not coloured again. None where there is none."""
    place_colors: NDArray[np.uint32] | None
    """Colour of each of those. None where there is none."""
    tile_colors: NDArray[np.uint32] | None
    """Colour of each tile then. None where there is none."""
    shapes: NDArray[np.float32] | None
    """For neo_hookean constraints, as in constraint_history. Absent: they rest as the body was made. None where there
    is none.
    """
    rests_stay: bool | None
    """If true, those that live keep their rest values, or shapes of neo_hookean ones. So an undo takes no crease or
    dent back that came after the edit. None where there is none.
    """
    fields: list[Literal["rest", "compliance", "damping", "stiffness"]] | None
    """Only these are restored, of constraints that live; their other values stay. Absent: all. None where there is
    none.
    """


class RestoreOwnInput(TypedDict, total=False):
    """Constraints of one kind with which a body was added, to restore with these values. If the body was coloured
    again because some were removed, its earlier places are told as well. What is left out takes its default, or
    stays.
    """

    body: int
    """Id of the body. (≥ 1)"""
    type: Literal["distance", "dihedral", "isometric", "quadratic", "volume", "join", "slide", "slide_rail", "neo_hookean", "orthotropic", "rod_stretch", "rod_bend", "joint"]
    """Kind of all of them. (default "distance")"""
    constraints: ArrayLike
    """Ids, ascending."""
    rest: ArrayLike
    """Rest values; absent for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and joint. [m,
    rad, m^3]
    """
    compliance: ArrayLike
    """Compliances. [[C]^2/J] (≥ 0)"""
    damping: ArrayLike
    """Damping stiffnesses. [J s/[C]^2] (≥ 0)"""
    stiffness: ArrayLike
    """Plain PBD stiffness; -1 if compliance holds. (≥ -1, ≤ 1)"""
    colors: ArrayLike
    """Colour of each within its tile. (≤ 64)"""
    built: int
    """Constraints of this kind when they were last coloured before; with places."""
    places: ArrayLike
    """Ids of all that had places then, ascending; absent: the body was not coloured again."""
    place_colors: ArrayLike
    """Colour of each of those. (≤ 64)"""
    tile_colors: ArrayLike
    """Colour of each tile then."""
    shapes: ArrayLike
    """For neo_hookean constraints, as in constraint_history. Absent: they rest as the body was made."""
    rests_stay: bool
    """If true, those that live keep their rest values, or shapes of neo_hookean ones. So an undo takes no crease or
    dent back that came after the edit.
    """
    fields: Literal["rest", "compliance", "damping", "stiffness"] | Sequence[Literal["rest", "compliance", "damping", "stiffness"]]
    """Only these are restored, of constraints that live; their other values stay. Absent: all."""


class RestoreCollider(Record):
    """Values to restore in a collider."""

    parts: list[Literal["name", "pose", "size", "friction", "surface", "friction_kinetic", "restitution", "position", "rotation", "radius", "length", "half_extents", "points", "heights", "surface_velocity", "surface_spin", "surface_name"]] | None
    """Parts of it to restore; absent: the collider itself comes back. None where there is none."""
    collider: DocumentCollider | None
    """As in a document, with its id. None where there is none."""


class RestoreColliderInput(TypedDict, total=False):
    """Values to restore in a collider. What is left out takes its default, or stays."""

    parts: Literal["name", "pose", "size", "friction", "surface", "friction_kinetic", "restitution", "position", "rotation", "radius", "length", "half_extents", "points", "heights", "surface_velocity", "surface_spin", "surface_name"] | Sequence[Literal["name", "pose", "size", "friction", "surface", "friction_kinetic", "restitution", "position", "rotation", "radius", "length", "half_extents", "points", "heights", "surface_velocity", "surface_spin", "surface_name"]]
    """Parts of it to restore; absent: the collider itself comes back."""
    collider: DocumentColliderInput | DocumentCollider
    """As in a document, with its id."""


class RestoreNext(Record):
    """Next ids; absent ones stay."""

    body: int | None
    """Next id of bodies. None where there is none."""
    constraint: int | None
    """Next ids of constraints. None where there is none."""
    collider: int | None
    """Next id of colliders. None where there is none."""
    motion: int | None
    """Next id of motions. None where there is none."""


class RestoreNextInput(TypedDict, total=False):
    """Next ids; absent ones stay. What is left out takes its default, or stays."""

    body: int
    """Next id of bodies. (≥ 1)"""
    constraint: int
    """Next ids of constraints. (≥ 1)"""
    collider: int
    """Next id of colliders. (≥ 1)"""
    motion: int
    """Next id of motions. (≥ 1)"""


class RestoreStep(Record):
    """Parameters of edit.restore, without the world."""

    removed: RestoreRemoved | None
    """Things to remove. None where there is none."""
    name: str | None
    """Name of the world. None where there is none."""
    settings: RestoreSettings | None
    """Settings of the world. None where there is none."""
    bodies: list[DocumentBody] | None
    """Bodies that come back, with their ids, by id. None where there is none."""
    parts: list[RestoreBody] | None
    """Values of bodies that stay. None where there is none."""
    particles: list[RestoreParticles] | None
    """Particles, one entry after the other. None where there is none."""
    own: list[RestoreOwn] | None
    """Constraints that bodies came with; those that are gone come back. None where there is none."""
    constraints: list[DocumentConstraints] | None
    """Loose constraints, with their ids; those that are gone come back. None where there is none."""
    colliders: list[RestoreCollider] | None
    """Colliders, by id. None where there is none."""
    motions: list[DocumentMotion] | None
    """Motions, with their ids; those that are gone come back. None where there is none."""
    next: RestoreNext | None
    """Next ids. One that is lower than what is next now does not count: no id is given twice. None where there is
    none.
    """
    expected_next: RestoreNext | None
    """Next ids if there was no edit in between; if one differs, ids were given since, and it stays. None where there
    is none.
    """


class RestoreStepInput(TypedDict, total=False):
    """Parameters of edit.restore, without the world. What is left out takes its default, or stays."""

    removed: RestoreRemovedInput | RestoreRemoved
    """Things to remove."""
    name: str
    """Name of the world."""
    settings: RestoreSettingsInput | RestoreSettings
    """Settings of the world."""
    bodies: Sequence[DocumentBodyInput | DocumentBody]
    """Bodies that come back, with their ids, by id."""
    parts: Sequence[RestoreBodyInput | RestoreBody]
    """Values of bodies that stay."""
    particles: Sequence[RestoreParticlesInput | RestoreParticles]
    """Particles, one entry after the other."""
    own: Sequence[RestoreOwnInput | RestoreOwn]
    """Constraints that bodies came with; those that are gone come back."""
    constraints: Sequence[DocumentConstraintsInput | DocumentConstraints]
    """Loose constraints, with their ids; those that are gone come back."""
    colliders: Sequence[RestoreColliderInput | RestoreCollider]
    """Colliders, by id."""
    motions: Sequence[DocumentMotionInput | DocumentMotion]
    """Motions, with their ids; those that are gone come back."""
    next: RestoreNextInput | RestoreNext
    """Next ids. One that is lower than what is next now does not count: no id is given twice."""
    expected_next: RestoreNextInput | RestoreNext
    """Next ids if there was no edit in between; if one differs, ids were given since, and it stays."""


class UndoOverwritten(Record):
    """A field that somebody changed after the edit that is undone or redone, and whose value is overwritten with
    force.
    """

    what: str | None
    """The field and its thing for people: wind.drag of the world. None where there is none."""
    thing: str | None
    """Kind of the thing: world, body, collider, constraint, motion or force. None where there is none."""
    id: int | None
    """Its id; 0 for the world. None where there is none."""
    field: str | None
    """The fields: wind.drag. Empty: all of the thing. None where there is none."""
    revision: int | None
    """Revision of the edit that changed it last. None where there is none."""
    method: str | None
    """Method of that edit. None where there is none."""
    user: str | None
    """Who made that edit; empty: somebody without a name. None where there is none."""


class UndoOverwrittenInput(TypedDict, total=False):
    """A field that somebody changed after the edit that is undone or redone, and whose value is overwritten with
    force. What is left out takes its default, or stays.
    """

    what: str
    """The field and its thing for people: wind.drag of the world."""
    thing: str
    """Kind of the thing: world, body, collider, constraint, motion or force."""
    id: int
    """Its id; 0 for the world."""
    field: str
    """The fields: wind.drag. Empty: all of the thing."""
    revision: int
    """Revision of the edit that changed it last."""
    method: str
    """Method of that edit."""
    user: str
    """Who made that edit; empty: somebody without a name."""


class UndoLeftOut(Record):
    """A thing that could not come back, because what it needs is gone."""

    thing: str | None
    """Its kind: body, constraint, collider or motion. None where there is none."""
    id: int | None
    """Its id. None where there is none."""
    why: str | None
    """The thing that it needs. None where there is none."""


class UndoLeftOutInput(TypedDict, total=False):
    """A thing that could not come back, because what it needs is gone. What is left out takes its default, or stays."""

    thing: str
    """Its kind: body, constraint, collider or motion."""
    id: int
    """Its id."""
    why: str
    """The thing that it needs."""


class UndoEdit(Record):
    """The edit that was undone or redone."""

    revision: int | None
    """Revision of the world after it. None where there is none."""
    method: str | None
    """Method. None where there is none."""
    user: str | None
    """Name of the person who made it. None where there is none."""


class UndoEditInput(TypedDict, total=False):
    """The edit that was undone or redone. What is left out takes its default, or stays."""

    revision: int
    """Revision of the world after it."""
    method: str
    """Method."""
    user: str
    """Name of the person who made it."""


class UndoBack(Record):
    """The outcome of an undo or redo as data, so that a record needs nothing else."""

    edit: UndoEdit | None
    """Which edit. None where there is none."""
    steps: list[RestoreStep] | None
    """Parts to restore, one after another. None where there is none."""
    left_out: list[UndoLeftOut] | None
    """Parts that could not be restored, with force. None where there is none."""
    overwritten: list[UndoOverwritten] | None
    """Later changes that it overwrites, with force; the last of each field. None where there is none."""


class UndoBackInput(TypedDict, total=False):
    """The outcome of an undo or redo as data, so that a record needs nothing else. What is left out takes its
    default, or stays.
    """

    edit: UndoEditInput | UndoEdit
    """Which edit."""
    steps: Sequence[RestoreStepInput | RestoreStep]
    """Parts to restore, one after another."""
    left_out: Sequence[UndoLeftOutInput | UndoLeftOut]
    """Parts that could not be restored, with force."""
    overwritten: Sequence[UndoOverwrittenInput | UndoOverwritten]
    """Later changes that it overwrites, with force; the last of each field."""


class ServerInfoResult(Record):
    """Result of server.info."""

    name: str
    """weft"""
    version: str
    """Version of the program."""
    api_level: int
    """Grows with every addition."""
    api_compatible: int
    """Oldest level that clients may assume."""
    methods: Any
    """List of {name, since, class, role, doc, params, result}."""
    notifications: Any
    """List of {name, since, doc, params}."""
    errors: Any
    """List of {code, kind, doc}."""
    types: Any
    """List of {name, doc, fields}: the maps that fields of type map or list hold."""
    limits: Any
    """Map of limit names to numbers."""
    storage: Storage
    """How it keeps its worlds."""


class ServerPingResult(Record):
    """Result of server.ping."""

    time_us: int
    """Monotonic time of the server. [us]"""


class ServerStatsResult(Record):
    """Result of server.stats."""

    uptime: float
    """Since start. [s]"""
    threads: int
    """Simulation threads."""
    sessions: int
    """Open connections."""
    sessions_total: int
    """Connections accepted."""
    sessions_cut: int
    """Connections cut for what they sent or did not read."""
    worlds: int
    """Worlds."""
    streams: int
    """Open streams."""
    requests: int
    """Requests received."""
    notifications_ignored: int
    """Notifications of unknown methods, and responses nobody awaited."""
    bytes_in: int
    """Received. [B]"""
    bytes_out: int
    """Sent. [B]"""
    frames_sent: int
    """Frames handed to the kernel, one for each stream."""
    frames_dropped: int
    """Frames left out because a client was slow or the frame budget was used up."""
    ticks: int
    """Ticks of all worlds."""
    ticks_late: int
    """Ticks that began more than one tick after their time."""
    lateness_max_us: int
    """Greatest lateness of a tick. [us]"""


class ServerListResult(Record):
    """Result of server.list."""

    servers: list[ServerSummary]
    """By name."""


class SessionHelloResult(Record):
    """Result of session.hello."""

    session: int
    """Id of this session."""
    name: str
    """weft"""
    version: str
    """Version of the program."""
    api_level: int
    """As in server.info."""
    api_compatible: int
    """As in server.info."""
    user: str
    """The name that others see."""
    role: Literal["viewer", "editor", "admin"]
    """Role in this server: viewer: be in the worlds in which one has a role; editor: make worlds too; admin:
    everything. Admin if the server asks for no tokens.
    """
    tokens: bool
    """Whether this server asks for tokens."""
    arrays: Literal["ext", "bin", "plain"]
    """As chosen."""
    errors: Literal["array", "map"]
    """As chosen."""
    resume: str
    """Key with which another connection can go on with this session; a secret. Empty: sessions are not kept."""
    grace: int
    """How long this session is kept without a connection. [s]"""
    resumed: bool
    """Whether this is the session that was asked for. After this answer come the answers that were missed, and what
    worlds told meanwhile.
    """
    lost: NDArray[np.uint32]
    """Ids from unanswered whose request did not arrive, or whose answer to a query is not kept: send them again, in
    this order. All others are answered, once.
    """
    rejoin: NDArray[np.uint32]
    """Worlds of which more was missed than is kept, or that are gone: join them again."""
    servers: list[ServerSummary] | None
    """With follow, in a deployment: its servers, as server.list tells them. If this one ends, another goes on with
    its worlds. None where there is none.
    """


class SessionLeaveResult(Record):
    """Result of session.leave."""

    __slots__ = ()


class PresenceSetResult(Record):
    """Result of presence.set."""

    __slots__ = ()


class PresenceSayResult(Record):
    """Result of presence.say."""

    line: int
    """As in world.said."""


class WorldCreateResult(Record):
    """Result of world.create."""

    world: int
    """Id."""
    name: str
    """Name."""
    revision: int
    """0"""
    tick: int
    """0"""


class WorldListResult(Record):
    """Result of world.list."""

    worlds: list[WorldSummary]
    """All of them."""


class WorldGetResult(Record):
    """Result of world.get."""

    world: int
    """Id."""
    name: str
    """Name."""
    state: Literal["paused", "playing", "failed"]
    """Its present state."""
    reason: str
    """Why it failed; empty otherwise."""
    rate: float
    """Multiple of real time."""
    tick: int
    """Completed ticks."""
    time: float
    """tick / tick_rate. [s]"""
    revision: int
    """Edits so far."""
    gravity: NDArray[np.float64]
    """As in world.create, like the next eight. [m/s^2]"""
    tick_rate: int
    """Ticks a second. [1/s]"""
    substeps: int
    """Substeps a tick."""
    iterations: int
    """Sweeps a substep."""
    damping: float
    """Global damping. [1/s]"""
    wind: Wind
    """Wind; density 0 if there is none."""
    resolution: float
    """Quantum of position. [m]"""
    extent: float
    """Greatest coordinate. [m]"""
    contact_quality: Literal["guaranteed", "fast"]
    """What contact promises."""
    untangle: bool
    """Whether what crosses is pushed apart."""
    long_edges: bool
    """Whether cloths and ropes are held to their length across many edges at once."""
    bending: Literal["swept", "solved"]
    """How the bending of cloths is solved."""
    loads: Literal["swept", "solved"]
    """How cloths and ropes bear loads that only touch them."""
    sleep: bool
    """Whether bodies that rest are left as they are."""
    calm: bool
    """Whether edges of bodies that go slowly are swept there and back."""
    bodies: int
    """Bodies."""
    particles: int
    """Particles."""
    constraints: int
    """Constraints of all kinds."""
    colliders: int
    """Colliders."""
    grabs: int
    """Grabs."""
    people: int
    """Sessions that joined."""
    streams: int
    """Open streams."""
    ticks_late: int
    """Ticks that began more than one tick after their time."""
    lateness_us: int
    """Lateness of the last tick. [us]"""
    lateness_max_us: int
    """Greatest lateness of a tick. [us]"""
    time_lost_us: int
    """Real time given up when the world could not keep pace. [us]"""
    tick_us: float
    """Wall time of the last tick. [us]"""
    frames_dropped: int
    """Frames left out because the frame budget was used up."""
    read_only: str
    """Why it takes no edits now; empty: it does."""
    view_of: int
    """World whose past it shows; 0: it is no view."""
    slowed: bool
    """Its ticks take longer than they may (limit tick_ms): it has half a thread at most."""
    hold: bool
    """Lossless streams may hold it (world.hold)."""
    held_by: int
    """Session whose lossless stream has held it for a second or longer; 0: none."""
    epoch: int
    """Raised whenever a server opens the world to write it. With a revision it names one history; if_epoch of edits
    compares it.
    """
    exact: bool
    """All of its ticks so far were made by the solver that runs it now. False: another version of weft made them, up
    to exact_tick, and this one goes on from there; until the server starts again.
    """
    exact_tick: int | None
    """With exact false: up to this tick its state is what the other solver made of it. Ticks after it were made again
    by this one, from what the world was told. None where there is none.
    """
    exact_solver: int | None
    """With exact false: version of the other solver. None where there is none."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class WorldSetResult(Record):
    """Result of world.set."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class WorldDeleteResult(Record):
    """Result of world.delete."""

    tick: int
    """The last one."""


class WorldMoveResult(Record):
    """Result of world.move."""

    server: str
    """Name of the server that has it now."""
    address: str
    """Where that takes connections: HOST:PORT, or tls://HOST:PORT."""
    web: str
    """Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere."""


class WorldJoinResult(Record):
    """Result of world.join."""

    world: int
    """Id."""
    name: str
    """Name."""
    state: Literal["paused", "playing", "failed"]
    """Its present state."""
    rate: float
    """Multiple of real time."""
    tick: int
    """Completed ticks."""
    revision: int
    """world.edited continues from here."""
    gravity: NDArray[np.float64]
    """As in world.create, like the next eight. [m/s^2]"""
    tick_rate: int
    """Ticks a second. [1/s]"""
    substeps: int
    """Substeps a tick."""
    iterations: int
    """Sweeps a substep."""
    damping: float
    """Global damping. [1/s]"""
    wind: Wind
    """Wind; density 0 if there is none."""
    resolution: float
    """Quantum of position. [m]"""
    extent: float
    """Greatest coordinate. [m]"""
    contact_quality: Literal["guaranteed", "fast"]
    """What contact promises."""
    untangle: bool
    """Whether what crosses is pushed apart."""
    long_edges: bool
    """Whether cloths and ropes are held to their length across many edges at once."""
    bending: Literal["swept", "solved"]
    """How the bending of cloths is solved."""
    loads: Literal["swept", "solved"]
    """How cloths and ropes bear loads that only touch them."""
    sleep: bool
    """Whether bodies that rest are left as they are."""
    calm: bool
    """Whether edges of bodies that go slowly are swept there and back."""
    people: list[Person]
    """Sessions that joined, this one included."""
    bodies: list[BodySummary]
    """By id."""
    colliders: list[ColliderSummary]
    """By id."""
    grabs: list[GrabSummary]
    """By id."""
    forces: list[ForceField]
    """Fields of force, by id."""
    surfaces: list[SurfacePair]
    """Friction and restitution by pairs of surfaces: all rows, in the order in which they were given."""
    read_only: str
    """Why it takes no edits now; empty: it does."""
    view_of: int
    """World whose past it shows; 0: it is no view."""
    slowed: bool
    """Its ticks take longer than they may (limit tick_ms): it has half a thread at most."""
    hold: bool
    """Lossless streams may hold it (world.hold)."""
    held_by: int
    """Session whose lossless stream has held it for a second or longer; 0: none."""
    epoch: int
    """Raised whenever a server opens the world to write it. With a revision it names one history; if_epoch of edits
    compares it.
    """
    exact: bool
    """All of its ticks so far were made by the solver that runs it now. False: another version of weft made them, up
    to exact_tick, and this one goes on from there; until the server starts again.
    """
    exact_tick: int | None
    """With exact false: up to this tick its state is what the other solver made of it. Ticks after it were made again
    by this one, from what the world was told. None where there is none.
    """
    exact_solver: int | None
    """With exact false: version of the other solver. None where there is none."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class WorldLeaveResult(Record):
    """Result of world.leave."""

    revision: int
    """The last that was sent."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class WorldPlayResult(Record):
    """Result of world.play."""

    tick: int
    """Completed ticks."""


class WorldPauseResult(Record):
    """Result of world.pause."""

    tick: int
    """Completed ticks."""


class WorldHoldResult(Record):
    """Result of world.hold."""

    tick: int
    """Completed ticks."""


class WorldStepResult(Record):
    """Result of world.step."""

    tick: int
    """Completed ticks."""


class WorldResetResult(Record):
    """Result of world.reset."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class WorldHashResult(Record):
    """Result of world.hash."""

    tick: int
    """Boundary."""
    revision: int
    """Revision."""
    hash: str
    """16 hexadecimal digits."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class WorldMeasureResult(Record):
    """Result of world.measure."""

    tick: int
    """Boundary."""
    revision: int
    """Revision."""
    measures: Measures
    """The figures."""
    contact: Contact
    """Contact between bodies."""
    crossings: int | None
    """If asked for: edges that pass or touch a triangle of a body that theirs meets, or of their own body if that
    meets itself. None where there is none.
    """
    pierced: int | None
    """If crossings are asked for: what reaches into the core of a collider now, as contact.pierced counts it. None
    where there is none.
    """
    wait_ms: float | None
    """As in constraint.list, if crossings were asked for. [ms] None where there is none."""
    convergence: list[Convergence]
    """How well the solver converged, by body."""
    pressures: list[PressureMeasure]
    """Volume and pressure inside each body with pressure, by body."""
    shapes: list[ShapeMeasure]
    """How each body with shape matching lies, by body."""
    warnings: list[Warning]
    """STRETCHED and STIFF, as of the last look (world.warned)."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class WorldSaveResult(Record):
    """Result of world.save."""

    world: int
    """Id."""
    name: str
    """Name, which is no part of the document."""
    revision: int
    """Revision shown."""
    tick: int
    """Boundary shown."""
    hash: str
    """Its world.hash if nobody holds a particle, and that of a world that is opened from the document."""
    sequence: int
    """Sequence of the last record before it (world.records)."""
    document: Document
    """The world."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class WorldRecordsResult(Record):
    """Result of world.records."""

    tick: int
    """Boundary shown."""
    revision: int
    """Revision shown."""
    sequence: int
    """Sequence of the last record; 0: none was made."""
    records: Any
    """A list of bins, each the canonical bytes of a record, whole however large it is."""
    first: int | None
    """Sequence of the oldest record that is kept. Given with records that were read from what is kept; world.history
    always tells it. None where there is none.
    """
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class WorldHistoryResult(Record):
    """Result of world.history."""

    world: int
    """Id."""
    first_tick: int
    """Earliest that can be shown."""
    tick: int
    """Latest."""
    revision: int
    """At the latest."""
    records: int
    """Edits and inputs that there were, those that are not kept any more included."""
    images: int
    """Whole states that are kept; whatever lies between is found by running on from one."""
    bytes: int
    """That it takes, about. [B]"""
    spans: list[HistorySpan]
    """By solver, in order, without gaps."""
    image_ticks: NDArray[np.float64]
    """Ticks of the images, ascending; at most image_ticks."""
    began_at: float
    """When the world was made, by the server's clock, since 1970. [s]"""
    first_sequence: int
    """Sequence of the oldest record that world.records can tell; 0: none."""


class WorldSeekResult(Record):
    """Result of world.seek."""

    view: int
    """Id of the world that shows it."""
    tick: int
    """That is shown."""
    revision: int
    """Revision of the world then."""
    exact: bool
    """false: the tick lies where another solver ran, and the nearest image before it is shown."""
    hash: str
    """As of world.hash."""


class WorldBranchResult(Record):
    """Result of world.branch."""

    world: int
    """Id."""
    name: str
    """Name."""
    tick: int
    """Completed ticks."""
    revision: int
    """Its own: edits count on from here."""
    refused: list[BranchRefusal]
    """Edits that do not apply any more, in order; 1,024 at most."""


class WorldBinResult(Record):
    """Result of world.bin."""

    worlds: list[BinWorld]
    """By id."""


class WorldRestoreResult(Record):
    """Result of world.restore."""

    world: int
    """Id."""
    name: str
    """Name."""
    tick: int
    """Completed ticks."""


class EditBatchResult(Record):
    """Result of edit.batch."""

    revision: int
    """After all of them; the same in each result."""
    tick: int
    """Boundary at which they applied."""
    results: list[Any]
    """The answer of each, in order."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class EditLogResult(Record):
    """Result of edit.log."""

    edits: list[LogEntry]
    """By sequence."""
    sequence: int
    """Sequence of the last record; 0: none was made."""
    next: int
    """since of the next page; 0: there is no more."""


class WorldOpenResult(Record):
    """Result of world.open."""

    world: int
    """Id."""
    name: str
    """Name."""
    revision: int
    """0"""
    tick: int
    """The document's."""
    warnings: list[Warning] | None
    """Warnings about its colliders and bodies: COARSE, as in collider.add. None where there is none."""


class WorldUploadResult(Record):
    """Result of world.upload."""

    bytes: int
    """That have come so far. [B]"""


class BodyAddResult(Record):
    """Result of body.add."""

    body: int
    """Id."""
    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    particles: int
    """Particle count."""
    constraints: ConstraintRanges
    """Ids by kind."""
    warnings: list[Warning]
    """Warnings about the mesh."""
    welded: NDArray[np.uint32] | None
    """With weld: the particle that each vertex given became. Indices of the body are these from then on. None where
    there is none.
    """
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class BodyGetResult(Record):
    """Result of body.get."""

    body: int
    """Id."""
    name: str
    """Name; empty if it has none."""
    kind: Literal["cloth", "rope", "points", "soft", "rigid"]
    """Its kind."""
    revision: int
    """Revision shown."""
    tick: int
    """Boundary shown."""
    particles: int
    """Particle count."""
    positions: NDArray[np.float64]
    """Rest shape: x, y, z of each particle, rounded to the world's resolution. [m]"""
    triangles: NDArray[np.uint32]
    """As given."""
    edges: NDArray[np.uint32]
    """As given."""
    tets: NDArray[np.uint32]
    """As given."""
    masses: NDArray[np.float64]
    """Mass of each particle; 0 for static ones. Pinned ones keep theirs. [kg]"""
    material: Literal["denim-stretch", "trousers", "tablecloth", "jacket", "blanket", "swimsuit"] | None
    """The fabric of the table of materials that has its stretch and bend; absent: none. None where there is none."""
    stretch: StretchMaterial
    """Material of the edges."""
    bend: BendMaterial
    """Resistance to bending."""
    volume: Material
    """Material of the tetrahedra."""
    solid: SolidMaterial | None
    """What it is made of; absent: edges and volumes. None where there is none."""
    rod: Rod | None
    """The section and material of the rope; absent: it has edges alone. None where there is none."""
    thickness: float
    """Radius that it has for contacts. [m]"""
    self_contact: bool
    """Whether its own triangles and edges meet each other."""
    contact_group: int
    """Bits: what it is."""
    contact_mask: int
    """Bits: what it meets."""
    friction: float
    """Coulomb coefficient mu between bodies."""
    friction_kinetic: float | None
    """As in body.add; absent: that of friction. None where there is none."""
    restitution: float | None
    """As in body.add; absent: 0. None where there is none."""
    surface: str | None
    """As in body.add; absent: none. None where there is none."""
    sleep: bool
    """Whether it may sleep, in worlds with sleep."""
    pressure: Pressure | None
    """Pressure inside, with what is left of its time; absent: none. None where there is none."""
    gravity: NDArray[np.float64] | None
    """Gravity of its own; absent: that of the world. [m/s^2] None where there is none."""
    wind: OwnWind | None
    """Coefficients of its own; absent: those of the world. None where there is none."""
    force: NDArray[np.float64] | None
    """Force on it as a whole; absent: none. [N] None where there is none."""
    force_ticks: int | None
    """Ticks in which that force still acts; absent: until it is changed. None where there is none."""
    forced: NDArray[np.uint32] | None
    """Particles that a force of their own acts on, ascending; absent: none. None where there is none."""
    forces: NDArray[np.float64] | None
    """x, y, z of the force on each of these. [N] None where there is none."""
    forces_ticks: NDArray[np.uint32] | None
    """Ticks in which each of these forces still acts; 0: until it is changed. None where there is none."""
    shape: Shape | None
    """Shape matching; absent: none. None where there is none."""
    tear: Tear | None
    """Thresholds and spares; absent: it does not tear. None where there is none."""
    torn: TornEdges | None
    """The tears; only with tear. triangles have the corners of now, and particles count the spares. None where there
    is none.
    """
    pins: NDArray[np.uint32]
    """Pinned particles."""
    pin_colliders: NDArray[np.uint32] | None
    """Collider that each pin follows, in the order of pins; 0: none. Absent: no pin follows one. None where there is
    none.
    """
    pin_compliances: NDArray[np.float64] | None
    """Compliance of each pin, in the order of pins; 0: it is hard; -1: it has no spring. Absent: all are hard. [m/N]
    None where there is none.
    """
    pin_distances: NDArray[np.float64] | None
    """Greatest distance of each particle from the target of its pin; -1: no limit; 0 of hard ones. Absent: all are
    hard. [m] None where there is none.
    """
    clamps: NDArray[np.uint32] | None
    """Pinned particles of a rod whose pins clamp, ascending. Absent: none does. None where there is none."""
    clamp_turns: NDArray[np.uint32] | None
    """Those of clamps that turn with the collider that their pin follows. Absent: none does. None where there is
    none.
    """
    pin_targets: NDArray[np.float64] | None
    """x, y, z of the present target of each pin. Absent: all are hard, and their particles are at their targets. [m]
    None where there is none.
    """
    pin_forces: NDArray[np.float64] | None
    """x, y, z of the force of each soft pin on its particle in the last substep, of spring and limit together; 0 of
    hard ones. Absent: all are hard. [N] None where there is none.
    """
    asleep: bool
    """Whether it sleeps: ticks leave it as it is until something wakes it."""
    constraints: ConstraintRanges
    """Ids by kind, as body.add gave them."""
    skin: Skin | None
    """The surface it carries, with particles as they are after welding; absent: none. None where there is none."""
    look: Look | None
    """Its look; absent: none. None where there is none."""
    touched: Touch
    """By which edit last."""
    plastic_strain_max: float | None
    """Only of a solid: how far the tetrahedron that has flowed most has flowed, as the equivalent strain from the
    shape at which it was made. None where there is none.
    """
    plastic_strain_mean: float | None
    """The mean of these strains by volume. None where there is none."""
    elements_hash: int
    """Differs if vertices or elements differ, of the body or of its skin: frames of delta tell it, since a body that
    comes back by undo may have others under its id.
    """
    yarn_uvs: NDArray[np.float32] | None
    """As given; absent: stretch.direction says where the warp runs. None where there is none."""
    rigid: Rigid | None
    """The shape of the pieces of a rigid body; absent of others. None where there is none."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class BodySetResult(Record):
    """Result of body.set."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class BodyForceResult(Record):
    """Result of body.force."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class BodyRemoveResult(Record):
    """Result of body.remove."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    constraints: NDArray[np.uint32]
    """Loose constraints that went with it."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class BodyStateResult(Record):
    """Result of body.state."""

    body: int
    """Id."""
    tick: int
    """Boundary shown."""
    revision: int
    """Revision shown."""
    positions: NDArray[np.float32] | None
    """x, y, z of each particle. [m] None where there is none."""
    positions64: NDArray[np.float64] | None
    """The same, exact. [m] None where there is none."""
    velocities: NDArray[np.float32] | None
    """x, y, z of each particle. [m/s] None where there is none."""
    normals: NDArray[np.float32] | None
    """Unit normals of the particles, zero if there are no triangles. None where there is none."""
    inverse_masses: NDArray[np.float32] | None
    """0 for static and pinned ones. [1/kg] None where there is none."""
    skin: NDArray[np.float32] | None
    """x, y, z of each vertex of the skin; empty where there is none. [m] None where there is none."""
    rotations: NDArray[np.float32] | None
    """Orientation of each particle, a unit quaternion x, y, z, w of which the first of w, x, y, z that is not 0 is
    positive; four zeros for a particle that has none. Empty if the body has none. None where there is none.
    """
    rotations64: NDArray[np.float64] | None
    """The same, exact: whole multiples of 2^-30. None where there is none."""
    angular_velocities: NDArray[np.float32] | None
    """How each orientation turns, in the world; zeros for a particle that has none. Empty if the body has none.
    [rad/s] None where there is none.
    """
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class ConstraintAddResult(Record):
    """Result of constraint.add."""

    constraints: NDArray[np.uint32]
    """Ids, in the order given."""
    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class ConstraintSetResult(Record):
    """Result of constraint.set."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class ConstraintRemoveResult(Record):
    """Result of constraint.remove."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class ConstraintListResult(Record):
    """Result of constraint.list."""

    revision: int
    """Revision shown."""
    tick: int
    """Boundary shown."""
    constraints: NDArray[np.uint32]
    """Ids, ascending."""
    bodies: NDArray[np.uint32]
    """Body id of each particle, flat."""
    particles: NDArray[np.uint32]
    """Indices, flat."""
    rest: NDArray[np.float64]
    """Rest lengths, angles or volumes; 0 for isometric, quadratic, slide_rail, orthotropic, rod_stretch, rod_bend and
    joint. [m, rad, m^3]
    """
    compliance: NDArray[np.float64]
    """Compliances. [[C]^2/J]"""
    damping: NDArray[np.float64]
    """Damping stiffnesses. [J s/[C]^2]"""
    stiffness: NDArray[np.float64]
    """Plain PBD stiffness; -1 if compliance holds."""
    weights: NDArray[np.float64] | None
    """Only of joins and joints: weight of each particle. Joins have six here, three of each side; one that is not
    used repeats the first particle of its side and weighs 0. None where there is none.
    """
    rest_end: NDArray[np.float64] | None
    """Only of joins: the rest lengths that they come to. [m] None where there is none."""
    seconds: NDArray[np.float64] | None
    """Only of joins: how long that still takes; 0: the rest length does not change. [s] None where there is none."""
    force_limit: NDArray[np.float64] | None
    """Only of joins and joints: the greatest mean force of a tick at which each holds; 0: it never parts. [N] None
    where there is none.
    """
    parted: NDArray[np.uint32] | None
    """Only of joins and joints: ids of those on this page that have parted. They stay in the list and hold nothing,
    until constraint.set mends or constraint.remove removes them. None where there is none.
    """
    forces: NDArray[np.float64] | None
    """lambda / h^2 of the last substep: N for distance (negative pulls together), join (the length of the vector),
    slide (negative pulls, and never above 0), slide_rail (the length of the vector), rod_stretch (along the
    segment, negative where it pulls) and joint (the length of what holds the anchors), N m for dihedral and
    rod_bend (the length of the moment), J for isometric and quadratic (of the vector form the length), Pa for
    volume and neo_hookean (the pressure, positive where it is squeezed), N/m for orthotropic (the greatest tension
    in any direction; above 0 where it pulls). They leave out the forces of long edges and tethers (long_edges of
    world.create), which long_forces has. None where there is none.
    """
    long_forces: NDArray[np.float64] | None
    """Only with type distance in worlds with long_edges: what long edges, tethers and the sweeps for limits took past
    each edge in the last substep; below 0, as a pull is. forces and long_forces together are what passes there. A
    long edge or tether counts in full at each edge of the shortest way along edges between its ends: on a rope
    that is exact, on a cloth an estimate. With several iterations, contact and grabs between them are left out.
    Finding it for all bodies takes as long as one to three ticks. [N] None where there is none.
    """
    forces_from: int | None
    """First tick boundary at which forces are known; before it they are 0. It is the next one if there was no tick
    since constraints, materials, iterations or substeps were changed. None where there is none.
    """
    wait_ms: float | None
    """Only if finding forces took more work than the caller had left (limit query_work_person): how long their next
    costly query in this world waits while it runs. Naming a body, or asking less often, avoids that. [ms] None
    where there is none.
    """
    next: int
    """Give it as after for the next page; 0 at the end."""
    ratio: NDArray[np.float64] | None
    """Only with type slide: parts of rope between the ring and the third particle. None where there is none."""
    friction: NDArray[np.float64] | None
    """Only with type slide or slide_rail: friction coefficients. None where there is none."""
    side: NDArray[np.float64] | None
    """Only with type slide: what of the rest length is between the first particle and the ring. Without friction rope
    runs freely, and it is 0. [m] None where there is none.
    """
    along: NDArray[np.float64] | None
    """Only with type slide_rail: how far the ring is along its rail, in segments from the first particle. 2.25 is a
    quarter of the third segment. None where there is none.
    """
    end_forces: NDArray[np.float64] | None
    """Only with type slide and with forces: the pull of one part of rope between the ring and the third particle;
    forces has that at the first one. Without friction they are equal. [N] None where there is none.
    """
    strains: NDArray[np.float64] | None
    """Only with type orthotropic, three each: strain along the warp and along the weft, and the sine of the shear,
    where the particles are. None where there is none.
    """
    tensions: NDArray[np.float64] | None
    """Only with type orthotropic and with forces, three each: tension along the warp and along the weft, and of the
    shear, in the last substep. forces has the greatest tension in any direction. [N/m] None where there is none.
    """
    gradients: NDArray[np.float64] | None
    """Only with type orthotropic, four each: how u, the place along the warp, changes with the second and with the
    third particle, and v along the weft. One metre of warp goes to a1 (x1 - x0) + a2 (x2 - x0). [1/m] None where
    there is none.
    """
    joints: NDArray[np.uint32] | None
    """Only with type joint: what each is, 0 ball, 1 fixed, 2 hinge, 3 slider, 4 distance. None where there is none."""
    joint_anchors: NDArray[np.float64] | None
    """Only with type joint, six each: the anchor of the piece in its own frame, and that of the second side in that
    of its piece or segment, or in the world; zeros for particles. [m] None where there is none.
    """
    joint_frames: NDArray[np.float64] | None
    """Only with type joint, eight each: the rotation x, y, z, w from the frame of the joint, whose third axis is the
    axis, to that of the piece, and to that of the second side. None where there is none.
    """
    limits: NDArray[np.float64] | None
    """Only with type joint, two each: as in constraint.add. None where there is none."""
    turn_compliance: NDArray[np.float64] | None
    """Only with type joint: as in constraint.add. [rad/(N m)] None where there is none."""
    motors: NDArray[np.uint32] | None
    """Only with type joint: 0 none, 1 speed, 2 target. None where there is none."""
    motor_target: NDArray[np.float64] | None
    """Only with type joint: as in constraint.add. None where there is none."""
    motor_most: NDArray[np.float64] | None
    """Only with type joint: as in constraint.add. [N m, N] None where there is none."""
    motor_compliance: NDArray[np.float64] | None
    """Only with type joint: as in constraint.add. [rad/(N m), m/N] None where there is none."""
    places: NDArray[np.float64] | None
    """Only with type joint: the angle of a hinge in rad, from -pi to pi; the place of a slider along its axis, and
    the distance between the anchors of others, in m. None where there is none.
    """
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class ParticleSetResult(Record):
    """Result of particle.set."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class ParticlePinResult(Record):
    """Result of particle.pin."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class ParticleUnpinResult(Record):
    """Result of particle.unpin."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class GrabBeginResult(Record):
    """Result of grab.begin."""

    grab: int
    """Id."""
    tick: int
    """Boundary at which it applied."""


class GrabMoveResult(Record):
    """Result of grab.move."""

    tick: int
    """Boundary at which it applied."""


class GrabEndResult(Record):
    """Result of grab.end."""

    tick: int
    """Boundary at which it applied."""


class ColliderAddResult(Record):
    """Result of collider.add."""

    collider: int
    """Id."""
    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    warnings: list[Warning]
    """Warnings about it and the present bodies."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class ColliderSetResult(Record):
    """Result of collider.set."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    warnings: list[Warning]
    """The same, if radius, half_extents or points were given."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class ColliderRemoveResult(Record):
    """Result of collider.remove."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class MotionAddResult(Record):
    """Result of motion.add."""

    motion: int
    """Id."""
    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class MotionRemoveResult(Record):
    """Result of motion.remove."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class MotionListResult(Record):
    """Result of motion.list."""

    revision: int
    """Revision shown."""
    tick: int
    """Boundary shown."""
    motions: list[MotionSummary]
    """By id."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class ForceAddResult(Record):
    """Result of force.add."""

    force: int
    """Id of the field."""
    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class ForceSetResult(Record):
    """Result of force.set."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class ForceRemoveResult(Record):
    """Result of force.remove."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class ForceListResult(Record):
    """Result of force.list."""

    fields: list[ForceField]
    """By id."""
    revision: int
    """Revision shown."""
    tick: int
    """Boundary shown."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class EditRestoreResult(Record):
    """Result of edit.restore."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class EditUndoResult(Record):
    """Result of edit.undo."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    undone: UndoEdit
    """The edit that was taken back."""
    left_out: list[UndoLeftOut]
    """Parts that could not be restored, with force."""
    overwritten: list[UndoOverwritten]
    """Later changes whose values it overwrote, with force; the last of each field."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class EditRedoResult(Record):
    """Result of edit.redo."""

    revision: int
    """After this edit."""
    tick: int
    """Boundary at which it applied."""
    redone: UndoEdit
    """The edit that was done again."""
    left_out: list[UndoLeftOut]
    """Parts that could not be restored, with force."""
    overwritten: list[UndoOverwritten]
    """Later changes whose values it overwrote, with force; the last of each field."""
    repeated: bool | None
    """True if this edit was applied before, under its edit_id: the rest is the answer of that time. Otherwise absent.
    None where there is none.
    """


class StreamSubscribeResult(Record):
    """Result of stream.subscribe."""

    stream: int
    """Id."""
    tick: int
    """Completed ticks."""
    revision: int
    """Revision."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class StreamSetResult(Record):
    """Result of stream.set."""

    tick: int
    """Completed ticks."""
    revision: int
    """Revision."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class StreamUnsubscribeResult(Record):
    """Result of stream.unsubscribe."""

    tick: int
    """Completed ticks."""
    durable_revision: int | None
    """Beside durable: the last revision that is certain to be kept. None where there is none."""
    durable: bool | None
    """False if this answer tells something that is not durable: the store takes nothing (read_only of world.get says
    why), and what is told here may be gone when the world is opened again. Else absent. None where there is none.
    """


class StreamAckResult(Record):
    """Result of stream.ack."""

    __slots__ = ()


class StreamDiffersResult(Record):
    """Result of stream.differs."""

    __slots__ = ()


class WorldControlResult(Record):
    """Result of world.control."""

    session: int
    """Session that holds control; 0: none, and the role alone decides."""
    user: str
    """Their name."""


class AccessListResult(Record):
    """Result of access.list."""

    people: list[AccessPerson]
    """All who have a role in it, except admins."""
    invites: list[AccessInvite]
    """Invitations, for owners; others see none."""
    role: Literal["viewer", "editor", "owner"]
    """One's own; an admin is an owner."""
    control: Literal["editor", "owner"]
    """Who may play, pause, step and reset it."""


class AccessGrantResult(Record):
    """Result of access.grant."""

    invites: list[AccessInvite]
    """Invitations that ended."""


class AccessRevokeResult(Record):
    """Result of access.revoke."""

    invites: list[AccessInvite]
    """Invitations that ended."""
    given: list[AccessGiven]
    """Roles in this world that people have because this person gave them, by hand or by an invitation. They keep
    them.
    """


class AccessInviteResult(Record):
    """Result of access.invite."""

    invite: str
    """The invitation, told this once; of the studio's address it is the part behind #invite=, which browsers send to
    nobody.
    """
    id: int
    """For access.revoke."""
    expires_at: float
    """Since 1970. [s]"""


class AccessAcceptResult(Record):
    """Result of access.accept."""

    world: int
    """World."""
    name: str
    """Its name."""
    role: Literal["viewer", "editor", "owner"]
    """One's role in it now."""
    user: str
    """One's name."""
    token: str
    """Token of a new person, told this once; empty if the caller had shown a token."""


class AccessSetResult(Record):
    """Result of access.set."""

    __slots__ = ()


class TokenCreateResult(Record):
    """Result of token.create."""

    token: str
    """The token, told this once."""
    id: int
    """For token.revoke."""
    expires_at: float
    """Since 1970; 0: never. [s]"""


class TokenListResult(Record):
    """Result of token.list."""

    tokens: list[AccessToken]
    """By id."""


class TokenRevokeResult(Record):
    """Result of token.revoke."""

    revoked: int
    """Tokens."""
    invites: list[AccessInvite]
    """Invitations that ended."""
    given: list[AccessGiven]
    """Roles that people have because this person gave them, by hand or by an invitation. They keep them."""


class StreamFrameNotice(Record):
    """stream.frame: One moment of a world, or a part of it; laid out so that arrays lie at multiples of 8 bytes.
    Fields that begin with _ are padding.
    """

    stream: int
    """Id."""
    seq: int
    """Counts the frames of this stream that were sent; the parts of a frame share it."""
    dropped: int
    """Frames left out since the last one sent."""
    world: int
    """Id."""
    tick: int
    """Completed ticks."""
    substep: int
    """Substeps done of the next tick; 0 at a boundary."""
    time: float
    """tick / tick_rate. [s]"""
    revision: int
    """Edits this frame contains."""
    part: int
    """From 0."""
    parts: int
    """Messages this frame consists of."""
    epoch: int | None
    """If several servers share worlds: counts the times that a server began to run this one; of two frames of one
    tick, the one of the later epoch holds. None where there is none.
    """
    encoding: Literal["q16", "delta"] | None
    """Encoding of positions and skin; absent: f32. None where there is none."""
    tolerance: float | None
    """If encoding is delta: the tolerance of the stream, after rounding. [m] None where there is none."""
    nth: int | None
    """Only vertices 0, nth, 2 nth, … are there; absent: 1. None where there is none."""
    measures: Measures | None
    """In part 0, if asked for. None where there is none."""
    grabs: list[GrabSummary] | None
    """In part 0, if asked for. None where there is none."""
    colliders: list[ColliderPose] | None
    """In part 0, if asked for: those that motions move. No edit tells of their ways. None where there is none."""
    contact: Contact | None
    """In part 0, if asked for: of contact between bodies. None where there is none."""
    contacts: Contacts | None
    """In part 0, if asked for: the places where bodies met in the last whole tick. None where there is none."""
    asleep: NDArray[np.uint32] | None
    """In part 0, if asked for and any body of the world sleeps: the ids of those that do, ascending. A plain list,
    whatever `arrays` the session has. None where there is none.
    """
    left_out: int | None
    """If the stream is sparse and anything is left out: how many chunks are not in this frame, in all its parts,
    because they are as in the frame before. Absent: the frame is whole. None where there is none.
    """
    bodies: Any
    """List of {body, first, count, positions, positions64, velocities, normals, rotations, rotations64}: arrays of 3
    count numbers, or 4 count for rotations, particles first ... first + count - 1. Skins come as {body, first,
    count, skin} by themselves: vertices first ... first + count - 1. Where encoding is there, positions and skin
    are a bin with a chunk of the codec: of the whole body, or, where tile and tiles are there, of one of its tiles
    (docs/reference/compressed.md).
    """


class WorldEditedNotice(Record):
    """world.edited: Tells an edit of a world that this session joined."""

    world: int
    """Id."""
    revision: int
    """After the edit."""
    tick: int
    """Boundary at which it applied."""
    user: str
    """Who made it."""
    session: int
    """Their session."""
    method: str
    """Method."""
    params: Any
    """Parameters with defaults filled in and names as ids."""
    result: Any
    """The answer that the editor got."""
    omitted: Any
    """Names of arrays left out of params and result for their size."""
    undo_of: int
    """Revision of the edit that it took back; 0: none."""
    redo_of: int
    """Revision of the edit that it did again; 0: none."""
    gesture: int
    """Revision of the first edit of its gesture, which edit.undo takes back whole; 0: it belongs to none."""


class WorldChangedNotice(Record):
    """world.changed: Tells that a world that this session joined plays, pauses, failed or is gone, takes no edits or
    takes them again, or that a view of the past (world.seek) shows another tick. moved: another server of the
    deployment runs it from here on; this session is in it no more, and its streams of it end.
    """

    world: int
    """Id."""
    state: Literal["paused", "playing", "failed", "deleted", "moved"]
    """Its state from now on."""
    rate: float
    """Multiple of real time."""
    tick: int
    """Completed ticks."""
    reason: str
    """Why it failed; empty otherwise."""
    user: str
    """Who did it; empty if the world did."""
    session: int
    """Their session; 0 if the world did."""
    read_only: str
    """Why it takes no edits now; empty: it does."""
    view_of: int
    """World whose past it shows; 0: it is no view."""
    slowed: bool
    """Its ticks take longer than they may (limit tick_ms): it has half a thread at most."""
    hold: bool
    """Lossless streams may hold it (world.hold)."""
    held_by: int
    """Session whose lossless stream has held it for a second or longer; 0: none."""
    server: str | None
    """With moved: name of the server that runs it now. None where there is none."""
    address: str | None
    """With moved: where that takes connections: HOST:PORT, or tls://HOST:PORT. None where there is none."""
    web: str | None
    """With moved: where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere. None where there
    is none.
    """


class WorldWarnedNotice(Record):
    """world.warned: Tells that the warnings of a world that this session joined have changed. The server looks at
    each body after every 1024 sweeps (substeps times iterations of ticks), at ticks that are a multiple of a power
    of two from 16 to 1024. A warning comes when the error is above 5 % in two looks, one after the other, and goes
    when it is below 2.5 % in two.
    """

    world: int
    """Id."""
    tick: int
    """Completed ticks."""
    warnings: list[Warning]
    """All that hold now: STRETCHED and STIFF, with the body's id as their one element. Empty: all have gone."""


class BodyTearNotice(Record):
    """body.tear: Tells that a body of a world that this session joined tore in a tick. Frames of tick `tick` and of
    later ones have the particles that split off; triangles keep their numbers.
    """

    world: int
    """Id."""
    tick: int
    """Completed ticks."""
    body: int
    """Id."""
    first: int
    """The first particle that split off; the others have the next numbers."""
    origins: NDArray[np.uint32]
    """The particle that each of them split from."""
    changed: NDArray[np.uint32]
    """Triangles that have other corners now, by their place in the list of triangles."""
    corners: NDArray[np.uint32]
    """Three corners of each of these."""
    edges: NDArray[np.uint32]
    """The two ends of each edge that was cut, as particles of the mesh as it was made."""


class WorldPersonNotice(Record):
    """world.person: Tells that somebody in a world that this session joined has another name: session.hello was
    called again, and world.join after it.
    """

    world: int
    """Id."""
    session: int
    """Their session."""
    user: str
    """The name now."""
    client: str
    """The program now."""


class WorldControlledNotice(Record):
    """world.controlled: Control of a world that this session joined was taken, given, released or asked for
    (world.control).
    """

    world: int
    """Id."""
    session: int
    """Who holds it; 0: nobody."""
    user: str
    """Their name."""
    asking: int | None
    """Session that would like it. None where there is none."""
    asking_user: str | None
    """Their name. None where there is none."""


class WorldPresenceNotice(Record):
    """world.presence: Tells of somebody in a world that this session joined: when they join, when what they show
    changes, when they are away, and when they are gone. After world.join everybody present is told. At most 30 a
    second for one person (limit presence_per_second), and only the newest if this session reads slowly.
    """

    world: int
    """Id."""
    session: int
    """Their session."""
    user: str
    """As in session.hello."""
    client: str
    """As in session.hello."""
    name: str
    """As in presence.set; the user's if none was set."""
    color: str
    """As in presence.set; empty: none was set."""
    camera: PresenceCamera
    """As in presence.set."""
    cursor: PresenceCursor
    """As in presence.set."""
    selection: list[PresenceThing]
    """As in presence.set."""
    holds: NDArray[np.uint32]
    """Ids of their grabs."""
    away: bool
    """Their connection is lost: what they hold, holds still."""
    gone: bool
    """The last that is told of them, until they come again."""


class WorldSaidNotice(Record):
    """world.said: Somebody said something to all who joined a world."""

    world: int
    """Id."""
    line: int
    """Counts the lines of this world, so that one that comes again after a lost connection is known."""
    session: int
    """Who."""
    user: str
    """As in session.hello."""
    name: str
    """As in world.presence."""
    text: str
    """The line."""


class StreamRecordsNotice(Record):
    """stream.records: Everything that decides the future of a world, for sessions that subscribed with encoding
    records (docs/concepts/twins.md): an image of it in pieces, then its records, how far it has come, and now and
    then the hash of its state. Nothing is lost or doubled in between. A piece with part 0 begins again, with that
    image.
    """

    stream: int
    """Id."""
    seq: int
    """Counts images and messages of this stream, from 1; the pieces of an image share it."""
    tick: int
    """So far the world had come: ticks up to it have run, and the records up to this message are applied. With an
    image, the boundary that it is of.
    """
    at: int
    """When that was, by the clock of server.ping. [us]"""
    state: Literal["paused", "playing", "failed"] | None
    """State of the world from here on; absent: as before. Always with part 0. None where there is none."""
    rate: float | None
    """With state: multiple of real time. None where there is none."""
    records: Any | None
    """List of bins, in order. One that begins with the byte 0xC1 is differences from the record before it in this
    stream, any other the canonical bytes of a record (docs/reference/records.md). A record that the image has
    already, by its sequence, is passed over. None where there is none.
    """
    hash: str | None
    """As of world.hash, at this tick after these records; of an image, of what it holds. None where there is none."""
    part: int | None
    """For an image: the number of this piece, from 0. None where there is none."""
    parts: int | None
    """Pieces of that image. None where there is none."""
    size: int | None
    """With part 0: of the whole image. [B] None where there is none."""
    sequence: int | None
    """With part 0: of the last record that is in the image. None where there is none."""
    image: Any | None
    """A bin: a piece of a whole image (docs/reference/records.md, Images). None where there is none."""


class StreamLaggedNotice(Record):
    """stream.lagged: Frames were left out; at most once a second for each stream."""

    stream: int
    """Id."""
    dropped: int
    """Frames left out since the stream began."""
    reason: str | None
    """Why the last ones were: 'slow' (this client was), 'no_room' (others hold the frames of this world, limit
    frame_bytes), 'substeps' (those of one tick are more than frame_bytes by themselves: ask for fewer), 'late'
    (the server had not sent off the ones before), 'work' (making the frames of this person's streams takes more
    work than it may, limit stream_work_person) or 'memory' (it has none). None where there is none.
    """


class StreamRateNotice(Record):
    """stream.rate: A stream goes on at another rate: one that adapts (stream.subscribe adapt), or any whose frames
    take more work than this person may ask for (limit stream_work_person).
    """

    stream: int
    """Id."""
    every: int
    """From now on: what was asked for, times 1, 2, 4, … 64. The unit is the stream's."""


class StreamClosedNotice(Record):
    """stream.closed: A stream ended without being asked to."""

    stream: int
    """Id."""
    reason: str
    """Why."""
    server: str | None
    """If its world has moved: name of the server that runs it now. None where there is none."""
    address: str | None
    """Where that takes connections: HOST:PORT, or tls://HOST:PORT. None where there is none."""
    web: str | None
    """Where it takes browsers: http://HOST:PORT, or https://HOST:PORT; empty: nowhere. None where there is none."""


class ErrorNotice(Record):
    """error: Tells that something was wrong that the client sent without expecting an answer; at most ten a second.
    After code PROTOCOL or LIMIT with an empty method the connection is closed.
    """

    error: Any
    """As in a response."""
    method: str
    """Method of the notification; empty if the stream itself is at fault."""


# How fields are converted, and which may be absent.
Material._absent = frozenset(["stiffness"])
StretchMaterial._how = {
    "direction": ("array", np.float64, 1),
}
StretchMaterial._absent = frozenset(["stiffness", "limit", "model", "warp", "weft", "shear", "poisson", "direction", "angle"])
RestShape._how = {
    "positions": ("array", np.float64, 3),
}
RestShape._absent = frozenset(["positions"])
BendMaterial._how = {
    "plastic": ("map", BendPlastic),
}
BendMaterial._absent = frozenset(["model", "stiffness", "rigidity", "plastic", "warp", "weft", "bias"])
SolidMaterial._how = {
    "plastic": ("map", SolidPlastic),
}
SolidMaterial._absent = frozenset(["model", "young", "plastic"])
Rod._how = {
    "rest": ("array", np.float64, 1),
    "plastic": ("map", RodPlastic),
}
Rod._absent = frozenset(["bend_stiffness", "twist_stiffness", "rest", "twist", "plastic", "solve"])
RigidPart._how = {
    "half_extents": ("array", np.float64, 1),
    "points": ("array", np.float64, 3),
    "position": ("array", np.float64, 1),
    "rotation": ("array", np.float64, 1),
}
RigidPart._absent = frozenset(["radius", "half_height", "half_extents", "points"])
RigidMeasures._how = {
    "centre": ("array", np.float64, 1),
    "inertia": ("array", np.float64, 1),
    "products": ("array", np.float64, 1),
}
Rigid._how = {
    "half_extents": ("array", np.float64, 1),
    "points": ("array", np.float64, 3),
    "parts": ("list", RigidPart),
    "measures": ("map", RigidMeasures),
}
Rigid._absent = frozenset(["radius", "half_height", "half_extents", "points", "parts", "measures"])
Pressure._absent = frozenset(["model", "overpressure", "ambient", "ratio", "compliance", "volume", "seconds", "now"])
Shape._how = {
    "positions": ("array", np.float64, 3),
}
Shape._absent = frozenset(["model", "compliance", "radius", "spacing", "positions"])
ShapeMeasure._how = {
    "position": ("array", np.float64, 1),
    "rotation": ("array", np.float64, 1),
}
Tear._absent = frozenset(["force", "strain", "most"])
Torn._how = {
    "origins": ("array", np.uint32, 1),
    "since": ("array", np.float64, 1),
    "triangles": ("array", np.uint32, 3),
    "cuts": ("array", np.uint32, 1),
}
Torn._absent = frozenset(["own", "origins", "since", "triangles", "cuts"])
TornEdges._how = {
    "origins": ("array", np.uint32, 1),
    "edges": ("array", np.uint32, 2),
}
OwnWind._absent = frozenset(["drag", "lift"])
ForceField._how = {
    "position": ("array", np.float64, 1),
    "axis": ("array", np.float64, 1),
    "velocity": ("array", np.float64, 1),
    "half_extents": ("array", np.float64, 1),
    "bodies": ("array", np.uint32, 1),
}
ForceField._absent = frozenset(["force", "kind", "position", "axis", "strength", "distance", "falloff", "core", "velocity", "width", "radius", "half_extents", "margin", "bodies"])
ForceFields._how = {
    "fields": ("list", ForceField),
}
ForceFields._absent = frozenset(["fields"])
SurfacePair._absent = frozenset(["friction", "friction_kinetic", "restitution"])
Wind._how = {
    "velocity": ("array", np.float64, 1),
    "gust_way": ("array", np.float64, 1),
}
Wind._absent = frozenset(["gusts", "gust_length", "gust_seed", "gust_way"])
Skin._how = {
    "particles": ("array", np.uint32, 1),
    "weights": ("array", np.float64, 1),
    "triangles": ("array", np.uint32, 3),
}
LookMaterial._how = {
    "color": ("array", np.float64, 1),
}
LookMaterial._absent = frozenset(["image"])
LookImage._how = {
    "data": ("array", np.uint32, 1),
}
LookImage._absent = frozenset(["data"])
Look._how = {
    "uvs": ("array", np.float64, 1),
    "normals": ("array", np.float64, 3),
    "materials": ("list", LookMaterial),
    "triangle_materials": ("array", np.uint32, 1),
    "images": ("list", LookImage),
}
Look._absent = frozenset(["uvs", "normals", "materials", "triangle_materials", "images"])
ConstraintRanges._how = {
    "distance": ("map", IdRange),
    "dihedral": ("map", IdRange),
    "isometric": ("map", IdRange),
    "quadratic": ("map", IdRange),
    "volume": ("map", IdRange),
    "join": ("map", IdRange),
    "slide": ("map", IdRange),
    "slide_rail": ("map", IdRange),
    "neo_hookean": ("map", IdRange),
    "orthotropic": ("map", IdRange),
    "rod_stretch": ("map", IdRange),
    "rod_bend": ("map", IdRange),
    "joint": ("map", IdRange),
}
Warning._how = {
    "elements": ("array", np.uint32, 1),
}
PresenceCamera._how = {
    "position": ("array", np.float64, 1),
    "target": ("array", np.float64, 1),
    "up": ("array", np.float64, 1),
}
PresenceCamera._absent = frozenset(["position", "target", "up", "fov"])
PresenceCursor._how = {
    "point": ("array", np.float64, 1),
    "origin": ("array", np.float64, 1),
    "direction": ("array", np.float64, 1),
}
PresenceCursor._absent = frozenset(["point", "origin", "direction"])
PresenceThing._absent = frozenset(["body", "collider", "constraint"])
WorldSummary._absent = frozenset(["server", "address", "web", "trouble", "exact", "exact_tick", "exact_solver"])
BodySummary._how = {
    "constraints": ("map", ConstraintRanges),
    "stretch": ("map", StretchMaterial),
    "bend": ("map", BendMaterial),
    "volume": ("map", Material),
    "solid": ("map", SolidMaterial),
    "rod": ("map", Rod),
    "rigid": ("map", Rigid),
    "pressure": ("map", Pressure),
    "gravity": ("array", np.float64, 1),
    "wind": ("map", OwnWind),
    "force": ("array", np.float64, 1),
    "shape": ("map", Shape),
    "tear": ("map", Tear),
    "pins": ("array", np.uint32, 1),
    "pin_colliders": ("array", np.uint32, 1),
    "pin_compliances": ("array", np.float64, 1),
    "pin_distances": ("array", np.float64, 1),
    "touched": ("map", Touch),
}
BodySummary._absent = frozenset(["material", "solid", "rod", "rigid", "friction_kinetic", "restitution", "surface", "pressure", "gravity", "wind", "force", "force_ticks", "shape", "tear", "pin_colliders", "pin_compliances", "pin_distances"])
ColliderSummary._how = {
    "position": ("array", np.float64, 1),
    "normal": ("array", np.float64, 1),
    "rotation": ("array", np.float64, 1),
    "half_extents": ("array", np.float64, 1),
    "touched": ("map", Touch),
    "points": ("array", np.float64, 3),
    "triangles": ("array", np.uint32, 3),
    "heights": ("array", np.float64, 1),
    "surface_velocity": ("array", np.float64, 1),
    "surface_spin": ("array", np.float64, 1),
}
ColliderSummary._absent = frozenset(["friction_kinetic", "restitution", "surface", "points", "triangles", "heights", "columns", "spacing", "surface_velocity", "surface_spin"])
ColliderPose._how = {
    "position": ("array", np.float64, 1),
    "rotation": ("array", np.float64, 1),
}
GrabSummary._how = {
    "target": ("array", np.float64, 1),
    "force": ("array", np.float64, 1),
}
Measures._how = {
    "phases": ("map", PhaseTimes),
}
ContactPlaces._how = {
    "touching": ("array", np.uint32, 1),
    "held": ("array", np.uint32, 1),
    "crossed": ("array", np.uint32, 1),
}
Contacts._how = {
    "bodies": ("list", ContactPlaces),
}
WorldSettings._how = {
    "gravity": ("array", np.float64, 1),
    "wind": ("map", Wind),
    "forces": ("map", ForceFields),
    "surfaces": ("list", SurfacePair),
}
WorldSettings._absent = frozenset(["wind", "long_edges", "bending", "loads", "sleep", "calm", "forces", "surfaces"])
ConstraintHistory._how = {
    "removed": ("array", np.uint32, 1),
    "changed": ("array", np.uint32, 1),
    "rest": ("array", np.float64, 1),
    "compliance": ("array", np.float64, 1),
    "damping": ("array", np.float64, 1),
    "stiffness": ("array", np.float64, 1),
    "shapes": ("array", np.float32, 1),
    "tile_colors": ("array", np.uint32, 1),
    "colors": ("array", np.uint32, 1),
}
ConstraintHistory._absent = frozenset(["built", "removed", "changed", "rest", "compliance", "damping", "stiffness", "shapes", "tile_colors", "colors"])
BodyHistory._how = {
    "distance": ("map", ConstraintHistory),
    "dihedral": ("map", ConstraintHistory),
    "isometric": ("map", ConstraintHistory),
    "quadratic": ("map", ConstraintHistory),
    "volume": ("map", ConstraintHistory),
    "join": ("map", ConstraintHistory),
    "slide": ("map", ConstraintHistory),
    "slide_rail": ("map", ConstraintHistory),
    "neo_hookean": ("map", ConstraintHistory),
    "orthotropic": ("map", ConstraintHistory),
    "rod_stretch": ("map", ConstraintHistory),
    "rod_bend": ("map", ConstraintHistory),
    "joint": ("map", ConstraintHistory),
}
BodyHistory._absent = frozenset(["distance", "dihedral", "isometric", "quadratic", "volume", "join", "slide", "slide_rail", "neo_hookean", "orthotropic", "rod_stretch", "rod_bend", "joint"])
DocumentState._how = {
    "positions": ("array", np.float64, 3),
    "remainders": ("array", np.float64, 1),
    "velocities": ("array", np.float32, 3),
    "inverse_masses": ("array", np.float32, 1),
    "targets": ("array", np.float64, 3),
    "target_remainders": ("array", np.float64, 1),
    "pin_colliders": ("array", np.uint32, 1),
    "pin_places": ("array", np.float64, 1),
    "pin_compliances": ("array", np.float64, 1),
    "pin_distances": ("array", np.float64, 1),
    "pin_starts": ("array", np.float64, 1),
    "pin_ends": ("array", np.float64, 1),
    "pin_ticks": ("array", np.uint32, 1),
    "forced": ("array", np.uint32, 1),
    "forces": ("array", np.float64, 1),
    "forces_ticks": ("array", np.uint32, 1),
    "anchors": ("array", np.float64, 3),
    "turned": ("array", np.float64, 1),
    "pin_clamps": ("array", np.float64, 1),
    "pin_clamp_places": ("array", np.float64, 1),
}
DocumentState._absent = frozenset(["positions", "remainders", "velocities", "inverse_masses", "targets", "target_remainders", "pin_colliders", "pin_places", "pin_compliances", "pin_distances", "pin_starts", "pin_ends", "pin_ticks", "forced", "forces", "forces_ticks", "asleep", "still", "mark", "island", "companions", "anchors", "turned", "pin_clamps", "pin_clamp_places", "bend_due"])
DocumentBody._how = {
    "positions": ("array", np.float64, 3),
    "velocities": ("array", np.float32, 3),
    "triangles": ("array", np.uint32, 3),
    "edges": ("array", np.uint32, 2),
    "tets": ("array", np.uint32, 4),
    "masses": ("array", np.float64, 1),
    "stretch": ("map", StretchMaterial),
    "bend": ("map", BendMaterial),
    "volume": ("map", Material),
    "solid": ("map", SolidMaterial),
    "rod": ("map", Rod),
    "pressure": ("map", Pressure),
    "gravity": ("array", np.float64, 1),
    "wind": ("map", OwnWind),
    "force": ("array", np.float64, 1),
    "shape": ("map", Shape),
    "tear": ("map", Tear),
    "torn": ("map", Torn),
    "pins": ("array", np.uint32, 1),
    "clamps": ("array", np.uint32, 1),
    "skin": ("map", Skin),
    "look": ("map", Look),
    "state": ("map", DocumentState),
    "history": ("map", BodyHistory),
    "yarn_uvs": ("array", np.float32, 6),
    "rigid": ("map", Rigid),
    "rotations": ("array", np.float64, 4),
    "angular_velocities": ("array", np.float32, 3),
}
DocumentBody._absent = frozenset(["body", "velocities", "triangles", "edges", "tets", "density", "masses", "stretch", "bend", "volume", "solid", "rod", "weld", "self_contact", "contact_group", "contact_mask", "friction", "friction_kinetic", "restitution", "surface", "sleep", "pressure", "gravity", "wind", "force", "force_ticks", "shape", "tear", "torn", "pins", "clamps", "skin", "look", "first_constraint", "state", "history", "yarn_uvs", "rigid", "rotations", "angular_velocities"])
DocumentCollider._how = {
    "position": ("array", np.float64, 1),
    "normal": ("array", np.float64, 1),
    "rotation": ("array", np.float64, 1),
    "half_extents": ("array", np.float64, 1),
    "remainder": ("array", np.float64, 1),
    "from_position": ("array", np.float64, 1),
    "from_remainder": ("array", np.float64, 1),
    "from_rotation": ("array", np.float64, 1),
    "unturned": ("array", np.float64, 1),
    "points": ("array", np.float64, 3),
    "heights": ("array", np.float64, 1),
    "surface_velocity": ("array", np.float64, 1),
    "surface_spin": ("array", np.float64, 1),
}
DocumentCollider._absent = frozenset(["collider", "normal", "rotation", "friction_kinetic", "restitution", "surface", "remainder", "from_position", "from_remainder", "from_rotation", "unturned", "points", "heights", "columns", "spacing", "surface_velocity", "surface_spin"])
DocumentConstraints._how = {
    "bodies": ("array", np.uint32, 1),
    "particles": ("array", np.uint32, 1),
    "sides": ("array", np.uint32, 1),
    "weights": ("array", np.float64, 1),
    "rest": ("array", np.float64, 1),
    "compliance": ("array", np.float64, 1),
    "damping": ("array", np.float64, 1),
    "stiffness": ("array", np.float64, 1),
    "constraints": ("array", np.uint32, 1),
    "colors": ("array", np.uint32, 1),
    "shapes": ("array", np.float32, 1),
    "rest_end": ("array", np.float64, 1),
    "seconds": ("array", np.float64, 1),
    "force_limit": ("array", np.float64, 1),
    "ratio": ("array", np.float64, 1),
    "friction": ("array", np.float64, 1),
    "side": ("array", np.float64, 1),
    "anchors": ("array", np.float64, 3),
    "axes": ("array", np.float64, 3),
    "limits": ("array", np.float64, 2),
    "turn_compliance": ("array", np.float64, 1),
    "motor_target": ("array", np.float64, 1),
    "motor_most": ("array", np.float64, 1),
    "motor_compliance": ("array", np.float64, 1),
}
DocumentConstraints._absent = frozenset(["body", "bodies", "sides", "weights", "rest", "compliance", "damping", "stiffness", "constraints", "colors", "shapes", "rest_end", "seconds", "force_limit", "ratio", "friction", "side", "joint", "anchors", "axes", "limits", "turn_compliance", "motor", "motor_target", "motor_most", "motor_compliance", "fields"])
MotionSummary._how = {
    "particles": ("array", np.uint32, 1),
    "times": ("array", np.float64, 1),
    "offsets": ("array", np.float64, 3),
    "rotations": ("array", np.float64, 4),
    "poses": ("array", np.float32, 3),
}
MotionSummary._absent = frozenset(["collider", "body", "rotations", "poses"])
DocumentMotion._how = {
    "particles": ("array", np.uint32, 1),
    "times": ("array", np.float64, 1),
    "offsets": ("array", np.float64, 3),
    "rotations": ("array", np.float64, 4),
    "pivot": ("array", np.float64, 1),
    "arms": ("array", np.float64, 3),
    "poses": ("array", np.float32, 3),
}
DocumentMotion._absent = frozenset(["motion", "collider", "body", "particles", "rotations", "pivot", "arms", "poses"])
DocumentGrab._how = {
    "target": ("array", np.float64, 1),
    "remainder": ("array", np.float64, 1),
}
DocumentGrab._absent = frozenset(["grab", "remainder"])
Document._how = {
    "settings": ("map", WorldSettings),
    "bodies": ("list", DocumentBody),
    "colliders": ("list", DocumentCollider),
    "constraints": ("list", DocumentConstraints),
    "motions": ("list", DocumentMotion),
    "grabs": ("list", DocumentGrab),
}
Document._absent = frozenset(["settings", "bodies", "colliders", "constraints", "motions", "next_body", "next_constraint", "next_grab", "next_collider", "next_motion", "grabs"])
RestoreRemoved._how = {
    "bodies": ("array", np.uint32, 1),
    "constraints": ("array", np.uint32, 1),
    "colliders": ("array", np.uint32, 1),
    "motions": ("array", np.uint32, 1),
}
RestoreRemoved._absent = frozenset(["bodies", "constraints", "colliders", "motions"])
RestoreSettings._how = {
    "gravity": ("array", np.float64, 1),
    "wind": ("map", Wind),
    "forces": ("map", ForceFields),
    "forces_set": ("list", ForceField),
    "forces_removed": ("array", np.uint32, 1),
    "surfaces": ("list", SurfacePair),
}
RestoreSettings._absent = frozenset(["gravity", "substeps", "iterations", "damping", "wind", "extent", "contact_quality", "untangle", "long_edges", "bending", "loads", "sleep", "calm", "forces", "fields", "forces_set", "forces_removed", "forces_next", "surfaces"])
RestoreBody._how = {
    "stretch": ("map", StretchMaterial),
    "bend": ("map", BendMaterial),
    "volume": ("map", Material),
    "solid": ("map", SolidMaterial),
    "pressure": ("map", Pressure),
    "gravity": ("array", np.float64, 1),
    "wind": ("map", OwnWind),
    "force": ("array", np.float64, 1),
    "shape": ("map", Shape),
    "tear": ("map", Tear),
}
RestoreBody._absent = frozenset(["name", "stretch", "bend", "volume", "solid", "thickness", "self_contact", "contact_group", "contact_mask", "friction", "friction_kinetic", "restitution", "surface", "sleep", "pressure", "gravity", "wind", "force", "force_ticks", "shape", "tear", "fields"])
RestoreParticles._how = {
    "particles": ("array", np.uint32, 1),
    "state": ("map", DocumentState),
}
RestoreParticles._absent = frozenset(["particles", "pinned", "state"])
RestoreOwn._how = {
    "constraints": ("array", np.uint32, 1),
    "rest": ("array", np.float64, 1),
    "compliance": ("array", np.float64, 1),
    "damping": ("array", np.float64, 1),
    "stiffness": ("array", np.float64, 1),
    "colors": ("array", np.uint32, 1),
    "places": ("array", np.uint32, 1),
    "place_colors": ("array", np.uint32, 1),
    "tile_colors": ("array", np.uint32, 1),
    "shapes": ("array", np.float32, 1),
}
RestoreOwn._absent = frozenset(["rest", "compliance", "damping", "stiffness", "colors", "built", "places", "place_colors", "tile_colors", "shapes", "rests_stay", "fields"])
RestoreCollider._how = {
    "collider": ("map", DocumentCollider),
}
RestoreCollider._absent = frozenset(["parts", "collider"])
RestoreNext._absent = frozenset(["body", "constraint", "collider", "motion"])
RestoreStep._how = {
    "removed": ("map", RestoreRemoved),
    "settings": ("map", RestoreSettings),
    "bodies": ("list", DocumentBody),
    "parts": ("list", RestoreBody),
    "particles": ("list", RestoreParticles),
    "own": ("list", RestoreOwn),
    "constraints": ("list", DocumentConstraints),
    "colliders": ("list", RestoreCollider),
    "motions": ("list", DocumentMotion),
    "next": ("map", RestoreNext),
    "expected_next": ("map", RestoreNext),
}
RestoreStep._absent = frozenset(["removed", "name", "settings", "bodies", "parts", "particles", "own", "constraints", "colliders", "motions", "next", "expected_next"])
UndoOverwritten._absent = frozenset(["what", "thing", "id", "field", "revision", "method", "user"])
UndoLeftOut._absent = frozenset(["thing", "id", "why"])
UndoEdit._absent = frozenset(["revision", "method", "user"])
UndoBack._how = {
    "edit": ("map", UndoEdit),
    "steps": ("list", RestoreStep),
    "left_out": ("list", UndoLeftOut),
    "overwritten": ("list", UndoOverwritten),
}
UndoBack._absent = frozenset(["edit", "steps", "left_out", "overwritten"])
ServerInfoResult._how = {
    "storage": ("map", Storage),
}
ServerListResult._how = {
    "servers": ("list", ServerSummary),
}
SessionHelloResult._how = {
    "lost": ("array", np.uint32, 1),
    "rejoin": ("array", np.uint32, 1),
    "servers": ("list", ServerSummary),
}
SessionHelloResult._absent = frozenset(["servers"])
WorldListResult._how = {
    "worlds": ("list", WorldSummary),
}
WorldGetResult._how = {
    "gravity": ("array", np.float64, 1),
    "wind": ("map", Wind),
}
WorldGetResult._absent = frozenset(["exact_tick", "exact_solver", "durable_revision", "durable"])
WorldSetResult._absent = frozenset(["repeated"])
WorldJoinResult._how = {
    "gravity": ("array", np.float64, 1),
    "wind": ("map", Wind),
    "people": ("list", Person),
    "bodies": ("list", BodySummary),
    "colliders": ("list", ColliderSummary),
    "grabs": ("list", GrabSummary),
    "forces": ("list", ForceField),
    "surfaces": ("list", SurfacePair),
}
WorldJoinResult._absent = frozenset(["exact_tick", "exact_solver", "durable_revision", "durable"])
WorldLeaveResult._absent = frozenset(["durable_revision", "durable"])
WorldResetResult._absent = frozenset(["repeated"])
WorldHashResult._absent = frozenset(["durable_revision", "durable"])
WorldMeasureResult._how = {
    "measures": ("map", Measures),
    "contact": ("map", Contact),
    "convergence": ("list", Convergence),
    "pressures": ("list", PressureMeasure),
    "shapes": ("list", ShapeMeasure),
    "warnings": ("list", Warning),
}
WorldMeasureResult._absent = frozenset(["crossings", "pierced", "wait_ms", "durable_revision", "durable"])
WorldSaveResult._how = {
    "document": ("map", Document),
}
WorldSaveResult._absent = frozenset(["durable_revision", "durable"])
WorldRecordsResult._absent = frozenset(["first", "durable_revision", "durable"])
WorldHistoryResult._how = {
    "spans": ("list", HistorySpan),
    "image_ticks": ("array", np.float64, 1),
}
WorldBranchResult._how = {
    "refused": ("list", BranchRefusal),
}
WorldBinResult._how = {
    "worlds": ("list", BinWorld),
}
EditBatchResult._absent = frozenset(["repeated"])
EditLogResult._how = {
    "edits": ("list", LogEntry),
}
WorldOpenResult._how = {
    "warnings": ("list", Warning),
}
WorldOpenResult._absent = frozenset(["warnings"])
BodyAddResult._how = {
    "constraints": ("map", ConstraintRanges),
    "warnings": ("list", Warning),
    "welded": ("array", np.uint32, 1),
}
BodyAddResult._absent = frozenset(["welded", "repeated"])
BodyGetResult._how = {
    "positions": ("array", np.float64, 3),
    "triangles": ("array", np.uint32, 3),
    "edges": ("array", np.uint32, 2),
    "tets": ("array", np.uint32, 4),
    "masses": ("array", np.float64, 1),
    "stretch": ("map", StretchMaterial),
    "bend": ("map", BendMaterial),
    "volume": ("map", Material),
    "solid": ("map", SolidMaterial),
    "rod": ("map", Rod),
    "pressure": ("map", Pressure),
    "gravity": ("array", np.float64, 1),
    "wind": ("map", OwnWind),
    "force": ("array", np.float64, 1),
    "forced": ("array", np.uint32, 1),
    "forces": ("array", np.float64, 1),
    "forces_ticks": ("array", np.uint32, 1),
    "shape": ("map", Shape),
    "tear": ("map", Tear),
    "torn": ("map", TornEdges),
    "pins": ("array", np.uint32, 1),
    "pin_colliders": ("array", np.uint32, 1),
    "pin_compliances": ("array", np.float64, 1),
    "pin_distances": ("array", np.float64, 1),
    "clamps": ("array", np.uint32, 1),
    "clamp_turns": ("array", np.uint32, 1),
    "pin_targets": ("array", np.float64, 1),
    "pin_forces": ("array", np.float64, 1),
    "constraints": ("map", ConstraintRanges),
    "skin": ("map", Skin),
    "look": ("map", Look),
    "touched": ("map", Touch),
    "yarn_uvs": ("array", np.float32, 6),
    "rigid": ("map", Rigid),
}
BodyGetResult._absent = frozenset(["material", "solid", "rod", "friction_kinetic", "restitution", "surface", "pressure", "gravity", "wind", "force", "force_ticks", "forced", "forces", "forces_ticks", "shape", "tear", "torn", "pin_colliders", "pin_compliances", "pin_distances", "clamps", "clamp_turns", "pin_targets", "pin_forces", "skin", "look", "plastic_strain_max", "plastic_strain_mean", "yarn_uvs", "rigid", "durable_revision", "durable"])
BodySetResult._absent = frozenset(["repeated"])
BodyForceResult._absent = frozenset(["repeated"])
BodyRemoveResult._how = {
    "constraints": ("array", np.uint32, 1),
}
BodyRemoveResult._absent = frozenset(["repeated"])
BodyStateResult._how = {
    "positions": ("array", np.float32, 3),
    "positions64": ("array", np.float64, 3),
    "velocities": ("array", np.float32, 3),
    "normals": ("array", np.float32, 3),
    "inverse_masses": ("array", np.float32, 1),
    "skin": ("array", np.float32, 3),
    "rotations": ("array", np.float32, 4),
    "rotations64": ("array", np.float64, 4),
    "angular_velocities": ("array", np.float32, 3),
}
BodyStateResult._absent = frozenset(["positions", "positions64", "velocities", "normals", "inverse_masses", "skin", "rotations", "rotations64", "angular_velocities", "durable_revision", "durable"])
ConstraintAddResult._how = {
    "constraints": ("array", np.uint32, 1),
}
ConstraintAddResult._absent = frozenset(["repeated"])
ConstraintSetResult._absent = frozenset(["repeated"])
ConstraintRemoveResult._absent = frozenset(["repeated"])
ConstraintListResult._how = {
    "constraints": ("array", np.uint32, 1),
    "bodies": ("array", np.uint32, 1),
    "particles": ("array", np.uint32, 1),
    "rest": ("array", np.float64, 1),
    "compliance": ("array", np.float64, 1),
    "damping": ("array", np.float64, 1),
    "stiffness": ("array", np.float64, 1),
    "weights": ("array", np.float64, 1),
    "rest_end": ("array", np.float64, 1),
    "seconds": ("array", np.float64, 1),
    "force_limit": ("array", np.float64, 1),
    "parted": ("array", np.uint32, 1),
    "forces": ("array", np.float64, 1),
    "long_forces": ("array", np.float64, 1),
    "ratio": ("array", np.float64, 1),
    "friction": ("array", np.float64, 1),
    "side": ("array", np.float64, 1),
    "along": ("array", np.float64, 1),
    "end_forces": ("array", np.float64, 1),
    "strains": ("array", np.float64, 1),
    "tensions": ("array", np.float64, 1),
    "gradients": ("array", np.float64, 1),
    "joints": ("array", np.uint32, 1),
    "joint_anchors": ("array", np.float64, 6),
    "joint_frames": ("array", np.float64, 8),
    "limits": ("array", np.float64, 2),
    "turn_compliance": ("array", np.float64, 1),
    "motors": ("array", np.uint32, 1),
    "motor_target": ("array", np.float64, 1),
    "motor_most": ("array", np.float64, 1),
    "motor_compliance": ("array", np.float64, 1),
    "places": ("array", np.float64, 1),
}
ConstraintListResult._absent = frozenset(["weights", "rest_end", "seconds", "force_limit", "parted", "forces", "long_forces", "forces_from", "wait_ms", "ratio", "friction", "side", "along", "end_forces", "strains", "tensions", "gradients", "joints", "joint_anchors", "joint_frames", "limits", "turn_compliance", "motors", "motor_target", "motor_most", "motor_compliance", "places", "durable_revision", "durable"])
ParticleSetResult._absent = frozenset(["repeated"])
ParticlePinResult._absent = frozenset(["repeated"])
ParticleUnpinResult._absent = frozenset(["repeated"])
ColliderAddResult._how = {
    "warnings": ("list", Warning),
}
ColliderAddResult._absent = frozenset(["repeated"])
ColliderSetResult._how = {
    "warnings": ("list", Warning),
}
ColliderSetResult._absent = frozenset(["repeated"])
ColliderRemoveResult._absent = frozenset(["repeated"])
MotionAddResult._absent = frozenset(["repeated"])
MotionRemoveResult._absent = frozenset(["repeated"])
MotionListResult._how = {
    "motions": ("list", MotionSummary),
}
MotionListResult._absent = frozenset(["durable_revision", "durable"])
ForceAddResult._absent = frozenset(["repeated"])
ForceSetResult._absent = frozenset(["repeated"])
ForceRemoveResult._absent = frozenset(["repeated"])
ForceListResult._how = {
    "fields": ("list", ForceField),
}
ForceListResult._absent = frozenset(["durable_revision", "durable"])
EditRestoreResult._absent = frozenset(["repeated"])
EditUndoResult._how = {
    "undone": ("map", UndoEdit),
    "left_out": ("list", UndoLeftOut),
    "overwritten": ("list", UndoOverwritten),
}
EditUndoResult._absent = frozenset(["repeated"])
EditRedoResult._how = {
    "redone": ("map", UndoEdit),
    "left_out": ("list", UndoLeftOut),
    "overwritten": ("list", UndoOverwritten),
}
EditRedoResult._absent = frozenset(["repeated"])
StreamSubscribeResult._absent = frozenset(["durable_revision", "durable"])
StreamSetResult._absent = frozenset(["durable_revision", "durable"])
StreamUnsubscribeResult._absent = frozenset(["durable_revision", "durable"])
AccessListResult._how = {
    "people": ("list", AccessPerson),
    "invites": ("list", AccessInvite),
}
AccessGrantResult._how = {
    "invites": ("list", AccessInvite),
}
AccessRevokeResult._how = {
    "invites": ("list", AccessInvite),
    "given": ("list", AccessGiven),
}
TokenListResult._how = {
    "tokens": ("list", AccessToken),
}
TokenRevokeResult._how = {
    "invites": ("list", AccessInvite),
    "given": ("list", AccessGiven),
}
StreamFrameNotice._how = {
    "measures": ("map", Measures),
    "grabs": ("list", GrabSummary),
    "colliders": ("list", ColliderPose),
    "contact": ("map", Contact),
    "contacts": ("map", Contacts),
    "asleep": ("array", np.uint32, 1),
}
StreamFrameNotice._absent = frozenset(["epoch", "encoding", "tolerance", "nth", "measures", "grabs", "colliders", "contact", "contacts", "asleep", "left_out"])
WorldChangedNotice._absent = frozenset(["server", "address", "web"])
WorldWarnedNotice._how = {
    "warnings": ("list", Warning),
}
BodyTearNotice._how = {
    "origins": ("array", np.uint32, 1),
    "changed": ("array", np.uint32, 1),
    "corners": ("array", np.uint32, 1),
    "edges": ("array", np.uint32, 2),
}
WorldControlledNotice._absent = frozenset(["asking", "asking_user"])
WorldPresenceNotice._how = {
    "camera": ("map", PresenceCamera),
    "cursor": ("map", PresenceCursor),
    "selection": ("list", PresenceThing),
    "holds": ("array", np.uint32, 1),
}
StreamRecordsNotice._absent = frozenset(["state", "rate", "records", "hash", "part", "parts", "size", "sequence", "image"])
StreamLaggedNotice._absent = frozenset(["reason"])
StreamClosedNotice._absent = frozenset(["server", "address", "web"])

#: The parameters of each method that are packed from what numpy takes, and lists of words.
PARAMS: Mapping[str, Mapping[str, str]] = {
    "server.info": {},
    "server.ping": {},
    "server.stats": {},
    "server.list": {},
    "session.hello": {"unanswered": "u32[]"},
    "session.leave": {},
    "presence.set": {},
    "presence.say": {},
    "world.create": {"gravity": "vec3"},
    "world.list": {},
    "world.get": {},
    "world.set": {"gravity": "vec3"},
    "world.delete": {},
    "world.move": {},
    "world.join": {},
    "world.leave": {},
    "world.play": {},
    "world.pause": {},
    "world.hold": {},
    "world.step": {},
    "world.reset": {},
    "world.hash": {},
    "world.measure": {},
    "world.save": {},
    "world.records": {},
    "world.history": {},
    "world.seek": {},
    "world.branch": {"without": "u32[]"},
    "world.bin": {},
    "world.restore": {},
    "edit.batch": {"edits": "calls"},
    "edit.log": {},
    "world.open": {},
    "world.upload": {},
    "body.add": {
        "positions": "number[]",
        "velocities": "number[]",
        "triangles": "u32[]",
        "edges": "u32[]",
        "tets": "u32[]",
        "masses": "number[]",
        "gravity": "vec3",
        "force": "vec3",
        "pins": "u32[]",
        "clamps": "u32[]",
        "yarn_uvs": "f32[]",
        "rotations": "number[]",
        "angular_velocities": "number[]",
    },
    "body.get": {},
    "body.set": {"gravity": "number[]"},
    "body.force": {"particles": "u32[]", "force": "vec3", "forces": "number[]"},
    "body.remove": {},
    "body.state": {"fields": "flags"},
    "constraint.add": {
        "bodies": "u32[]",
        "particles": "u32[]",
        "sides": "u32[]",
        "weights": "number[]",
        "rest": "number[]",
        "compliance": "number[]",
        "damping": "number[]",
        "stiffness": "number[]",
        "rest_end": "number[]",
        "seconds": "number[]",
        "force_limit": "number[]",
        "ratio": "number[]",
        "friction": "number[]",
        "anchors": "number[]",
        "axes": "number[]",
        "limits": "number[]",
        "turn_compliance": "number[]",
        "motor_target": "number[]",
        "motor_most": "number[]",
        "motor_compliance": "number[]",
    },
    "constraint.set": {
        "constraints": "u32[]",
        "rest": "number[]",
        "compliance": "number[]",
        "damping": "number[]",
        "stiffness": "number[]",
        "rest_end": "number[]",
        "seconds": "number[]",
        "force_limit": "number[]",
        "ratio": "number[]",
        "friction": "number[]",
        "limits": "number[]",
        "turn_compliance": "number[]",
        "motor_target": "number[]",
        "motor_most": "number[]",
        "motor_compliance": "number[]",
    },
    "constraint.remove": {"constraints": "u32[]"},
    "constraint.list": {},
    "particle.set": {
        "particles": "u32[]",
        "positions": "number[]",
        "velocities": "number[]",
        "inverse_masses": "number[]",
        "rotations": "number[]",
        "angular_velocities": "number[]",
    },
    "particle.pin": {
        "particles": "u32[]",
        "positions": "number[]",
        "compliance": "number[]",
        "distance": "number[]",
        "rotations": "number[]",
    },
    "particle.unpin": {"particles": "u32[]"},
    "grab.begin": {"target": "vec3"},
    "grab.move": {"target": "vec3"},
    "grab.end": {},
    "collider.add": {
        "position": "vec3",
        "normal": "vec3",
        "rotation": "vec4",
        "half_extents": "vec3",
        "points": "f64[]",
        "heights": "f64[]",
        "surface_velocity": "vec3",
        "surface_spin": "vec3",
    },
    "collider.set": {
        "position": "vec3",
        "normal": "vec3",
        "rotation": "vec4",
        "half_extents": "vec3",
        "points": "f64[]",
        "heights": "f64[]",
        "surface_velocity": "vec3",
        "surface_spin": "vec3",
    },
    "collider.remove": {},
    "motion.add": {
        "particles": "u32[]",
        "times": "f64[]",
        "offsets": "f64[]",
        "rotations": "f64[]",
        "pivot": "vec3",
        "poses": "f32[]",
    },
    "motion.remove": {},
    "motion.list": {},
    "force.add": {},
    "force.set": {},
    "force.remove": {},
    "force.list": {},
    "edit.restore": {},
    "edit.undo": {},
    "edit.redo": {},
    "stream.subscribe": {"bodies": "u32[]", "fields": "flags", "box": "number[]"},
    "stream.set": {"bodies": "u32[]", "fields": "flags", "box": "number[]"},
    "stream.unsubscribe": {},
    "stream.ack": {},
    "stream.differs": {},
    "world.control": {},
    "access.list": {},
    "access.grant": {},
    "access.revoke": {},
    "access.invite": {},
    "access.accept": {},
    "access.set": {},
    "token.create": {},
    "token.list": {},
    "token.revoke": {},
}

#: The record of each method's result.
RESULTS: Mapping[str, type[Record]] = {
    "server.info": ServerInfoResult,
    "server.ping": ServerPingResult,
    "server.stats": ServerStatsResult,
    "server.list": ServerListResult,
    "session.hello": SessionHelloResult,
    "session.leave": SessionLeaveResult,
    "presence.set": PresenceSetResult,
    "presence.say": PresenceSayResult,
    "world.create": WorldCreateResult,
    "world.list": WorldListResult,
    "world.get": WorldGetResult,
    "world.set": WorldSetResult,
    "world.delete": WorldDeleteResult,
    "world.move": WorldMoveResult,
    "world.join": WorldJoinResult,
    "world.leave": WorldLeaveResult,
    "world.play": WorldPlayResult,
    "world.pause": WorldPauseResult,
    "world.hold": WorldHoldResult,
    "world.step": WorldStepResult,
    "world.reset": WorldResetResult,
    "world.hash": WorldHashResult,
    "world.measure": WorldMeasureResult,
    "world.save": WorldSaveResult,
    "world.records": WorldRecordsResult,
    "world.history": WorldHistoryResult,
    "world.seek": WorldSeekResult,
    "world.branch": WorldBranchResult,
    "world.bin": WorldBinResult,
    "world.restore": WorldRestoreResult,
    "edit.batch": EditBatchResult,
    "edit.log": EditLogResult,
    "world.open": WorldOpenResult,
    "world.upload": WorldUploadResult,
    "body.add": BodyAddResult,
    "body.get": BodyGetResult,
    "body.set": BodySetResult,
    "body.force": BodyForceResult,
    "body.remove": BodyRemoveResult,
    "body.state": BodyStateResult,
    "constraint.add": ConstraintAddResult,
    "constraint.set": ConstraintSetResult,
    "constraint.remove": ConstraintRemoveResult,
    "constraint.list": ConstraintListResult,
    "particle.set": ParticleSetResult,
    "particle.pin": ParticlePinResult,
    "particle.unpin": ParticleUnpinResult,
    "grab.begin": GrabBeginResult,
    "grab.move": GrabMoveResult,
    "grab.end": GrabEndResult,
    "collider.add": ColliderAddResult,
    "collider.set": ColliderSetResult,
    "collider.remove": ColliderRemoveResult,
    "motion.add": MotionAddResult,
    "motion.remove": MotionRemoveResult,
    "motion.list": MotionListResult,
    "force.add": ForceAddResult,
    "force.set": ForceSetResult,
    "force.remove": ForceRemoveResult,
    "force.list": ForceListResult,
    "edit.restore": EditRestoreResult,
    "edit.undo": EditUndoResult,
    "edit.redo": EditRedoResult,
    "stream.subscribe": StreamSubscribeResult,
    "stream.set": StreamSetResult,
    "stream.unsubscribe": StreamUnsubscribeResult,
    "stream.ack": StreamAckResult,
    "stream.differs": StreamDiffersResult,
    "world.control": WorldControlResult,
    "access.list": AccessListResult,
    "access.grant": AccessGrantResult,
    "access.revoke": AccessRevokeResult,
    "access.invite": AccessInviteResult,
    "access.accept": AccessAcceptResult,
    "access.set": AccessSetResult,
    "token.create": TokenCreateResult,
    "token.list": TokenListResult,
    "token.revoke": TokenRevokeResult,
}

#: The record of each notification.
NOTICES: Mapping[str, type[Record]] = {
    "stream.frame": StreamFrameNotice,
    "world.edited": WorldEditedNotice,
    "world.changed": WorldChangedNotice,
    "world.warned": WorldWarnedNotice,
    "body.tear": BodyTearNotice,
    "world.person": WorldPersonNotice,
    "world.controlled": WorldControlledNotice,
    "world.presence": WorldPresenceNotice,
    "world.said": WorldSaidNotice,
    "stream.records": StreamRecordsNotice,
    "stream.lagged": StreamLaggedNotice,
    "stream.rate": StreamRateNotice,
    "stream.closed": StreamClosedNotice,
    "error": ErrorNotice,
}

#: Owner and name of each method's face in Client, World, Body …
FACES: Mapping[str, tuple[str, str]] = {
    "server.info": ("Client", "info"),
    "server.ping": ("Client", "ping"),
    "server.stats": ("Client", "stats"),
    "server.list": ("Client", "servers"),
    "session.hello": ("Client", "hello"),
    "session.leave": ("Client", "leave"),
    "presence.set": ("World", "show"),
    "presence.say": ("World", "say"),
    "world.create": ("Client", "create"),
    "world.list": ("Client", "worlds"),
    "world.get": ("World", "get"),
    "world.set": ("World", "set"),
    "world.delete": ("World", "delete"),
    "world.move": ("World", "move"),
    "world.join": ("World", "join"),
    "world.leave": ("World", "leave"),
    "world.play": ("World", "play"),
    "world.pause": ("World", "pause"),
    "world.hold": ("World", "hold"),
    "world.step": ("World", "step"),
    "world.reset": ("World", "reset"),
    "world.hash": ("World", "hash"),
    "world.measure": ("World", "measure"),
    "world.save": ("World", "save"),
    "world.records": ("World", "records"),
    "world.history": ("World", "history"),
    "world.seek": ("World", "seek"),
    "world.branch": ("World", "branch"),
    "world.bin": ("Client", "bin"),
    "world.restore": ("Client", "restore_world"),
    "edit.batch": ("World", "batch"),
    "edit.log": ("World", "log"),
    "world.open": ("Client", "open"),
    "world.upload": ("Client", "upload"),
    "body.add": ("World", "add_body"),
    "body.get": ("Body", "get"),
    "body.set": ("Body", "set"),
    "body.force": ("Body", "force"),
    "body.remove": ("Body", "remove"),
    "body.state": ("Body", "state"),
    "constraint.add": ("World", "add_constraints"),
    "constraint.set": ("Constraints", "set"),
    "constraint.remove": ("Constraints", "remove"),
    "constraint.list": ("World", "list_constraints"),
    "particle.set": ("Body", "set_particles"),
    "particle.pin": ("Body", "pin"),
    "particle.unpin": ("Body", "unpin"),
    "grab.begin": ("Body", "grab"),
    "grab.move": ("Grab", "move"),
    "grab.end": ("Grab", "end"),
    "collider.add": ("World", "add_collider"),
    "collider.set": ("Collider", "set"),
    "collider.remove": ("Collider", "remove"),
    "motion.add": ("World", "add_motion"),
    "motion.remove": ("World", "remove_motion"),
    "motion.list": ("World", "motions"),
    "force.add": ("World", "add_force"),
    "force.set": ("World", "set_force"),
    "force.remove": ("World", "remove_force"),
    "force.list": ("World", "list_force"),
    "edit.restore": ("World", "restore"),
    "edit.undo": ("World", "undo"),
    "edit.redo": ("World", "redo"),
    "stream.subscribe": ("World", "subscribe"),
    "stream.set": ("Stream", "set"),
    "stream.unsubscribe": ("Stream", "unsubscribe"),
    "stream.ack": ("Stream", "ack"),
    "stream.differs": ("Stream", "differs"),
    "world.control": ("World", "control"),
    "access.list": ("World", "access"),
    "access.grant": ("World", "grant"),
    "access.revoke": ("World", "revoke"),
    "access.invite": ("World", "invite"),
    "access.accept": ("Client", "accept"),
    "access.set": ("World", "set_access"),
    "token.create": ("Client", "create_token"),
    "token.list": ("Client", "tokens"),
    "token.revoke": ("Client", "revoke_token"),
}
