"""The test's side of interpose.c: which call of the server fails next, and what lives on its heap."""

import mmap
import os
import struct
import tempfile

WAYS = ("none", "heap", "accept", "send", "thread", "sync")
# struct faults
WAY, FIRED, AT, SHARE, SHARES, BLOCKS, SEEN = 0, 4, 8, 16, 20, 24, 32
SYNC_MS = SEEN + 8 * len(WAYS)
SIZE = SYNC_MS + 8 + 8 * (1 << 14)


class Faults:
    """A file that a preloaded program maps; one program at a time. Of `shares` such programs this one is the `share`-th."""

    def __init__(self, share=0, shares=1):
        self.share, self.shares = share, shares
        self.file = tempfile.NamedTemporaryFile(prefix="weft-faults-")
        self.file.truncate(SIZE)
        self.map = mmap.mmap(self.file.fileno(), SIZE)

    def close(self):
        self.map.close()
        self.file.close()

    def environment(self):
        return {"LD_PRELOAD": os.environ["WEFT_FAULTS_LIBRARY"], "WEFT_FAULTS": self.file.name}

    def clear(self):
        """As for a program that is about to start."""
        self.map[:] = bytes(SIZE)
        struct.pack_into("<II", self.map, SHARE, self.share, self.shares)

    def arm(self, way, at):
        """One call fails: the at-th from now on; 0: the next on whose stack none has failed."""
        struct.pack_into("<I", self.map, WAY, 0)
        struct.pack_into("<Q", self.map, SEEN + 8 * WAYS.index(way), 0)
        struct.pack_into("<Q", self.map, AT, at)
        struct.pack_into("<I", self.map, WAY, WAYS.index(way))

    def slow_syncs(self, milliseconds):
        """Each sync of a file takes so much longer from now on, also one under way."""
        struct.pack_into("<Q", self.map, SYNC_MS, milliseconds)

    def disarm(self):
        """No call fails any more. How many did since this was last asked."""
        struct.pack_into("<I", self.map, WAY, 0)
        fired = struct.unpack_from("<I", self.map, FIRED)[0]
        struct.pack_into("<I", self.map, FIRED, 0)
        return fired

    def seen(self, way):
        return struct.unpack_from("<Q", self.map, SEEN + 8 * WAYS.index(way))[0]

    def blocks(self):
        return struct.unpack_from("<q", self.map, BLOCKS)[0]
