"""weft: worlds of cloth and soft bodies on a weftd server, from Python.

    import weft

    with weft.connect() as client:
        world = client.create("flag")
        sheet = world.add_body("cloth", **weft.shapes.sheet(20, 20), pins=[0, 19])
        with world.subscribe(fields=["positions", "measures"]) as stream:
            world.play()
            for frame in stream:
                print(frame.tick, frame[sheet].positions.min(axis=0), frame.measures.kinetic)

weft.aio has the same for asyncio. All quantities are in SI units.
"""
from weft import aio, api, shapes
from weft.api import (
    API_LEVEL,
    LIMITS,
    VERSION,
    Busy,
    Conflict,
    Denied,
    Internal,
    Invalid,
    Limit,
    Memory,
    Moved,
    NotFound,
    Protocol,
    ReadOnly,
    Shutdown,
)
from weft.client import Body, Client, Collider, Constraints, Grab, Stream, Twin, World, connect
from weft.errors import (
    BadMessage,
    CallerError,
    Closed,
    ConnectionLost,
    Error,
    NotSecure,
    ServerError,
    StreamClosed,
    Timeout,
    Version,
)
from weft.fabrics import materials
from weft.frames import Frame, FrameBody
from weft.framing import Chunk
from weft.picture import Picture, View
from weft.programs import ProgramError
from weft.records import Record
from weft.secure import TLS
from weft.server import Server, serve
from weft.session import Notice
from weft.threads import Call, gather
from weft.twin import Moment, TwinBody

__version__ = VERSION

__all__ = [
    "API_LEVEL", "BadMessage", "Body", "Busy", "Call", "CallerError", "Chunk", "Client", "Closed", "Collider",
    "Conflict", "ConnectionLost", "Constraints", "Denied", "Error", "Frame", "FrameBody", "Grab", "Internal",
    "Invalid", "LIMITS", "Limit", "Memory", "Moment", "Moved", "NotFound", "NotSecure", "Notice", "Picture", "ProgramError", "Protocol", "ReadOnly",
    "Record", "Server", "ServerError", "Shutdown", "Stream", "StreamClosed", "TLS", "Timeout", "Twin", "TwinBody", "VERSION", "Version",
    "View", "World", "aio", "api", "connect", "gather", "materials", "serve", "shapes",
]
