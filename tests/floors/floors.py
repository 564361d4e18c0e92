#!/usr/bin/env python3
"""Walks the #include lines of the sources and checks that the house stands.

A module is a folder and has a floor. A file may include its own module, the modules named for it in MODULES
(all on lower floors), the libraries named for it, and libc. Inside a module the includes form no cycle.
From outside, a module with a public header is included through that header alone. The rooms of a module (the folders of dispatch,
sim and world) are modules of their own here. A room's part of a world (part.h) is included by files of that room, and by the file
that runs the turn.

    floors.py ROOT      prints FILE:LINE: what is wrong, one a line; exit status 1 if there is any
"""

import re
import sys
from pathlib import Path, PurePosixPath

LIBC = set("""
assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h
signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h
strings.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h
""".split())
POSIX = set("""
arpa/inet.h dirent.h fcntl.h getopt.h langinfo.h netdb.h netinet/in.h netinet/tcp.h poll.h pthread.h sched.h
sys/file.h sys/ioctl.h sys/mman.h sys/prctl.h sys/random.h sys/resource.h sys/select.h sys/socket.h sys/stat.h sys/time.h
sys/types.h sys/uio.h sys/un.h sys/wait.h syslog.h termios.h unistd.h
""".split()) | {"mach-o/dyld.h", "malloc.h", "xlocale.h"}  # of macOS, and of glibc
OPENSSL = {f"openssl/{name}.h" for name in ("bio", "err", "ssl", "types", "x509_vfy", "x509v3")}
MSGPACK = {"msgpack.h"}


class Module:
    def __init__(self, floor, folder, uses=(), libraries=(), posix=True, public=None, files=None, inner=()):
        self.floor = floor
        self.folder = folder
        self.uses = set(uses) | ({"array", "fault"} if "protocol" in uses else set())  # who sees the protocol sees how arrays grow, and faults
        self.libraries = set(libraries)
        self.posix = posix
        # The only headers that others may include; None: all of them.
        self.public = {public} if isinstance(public, str) else public
        # Modules whose faces it makes itself, for a place that they cannot be built for: it sees their other headers as well.
        self.inner = set(inner)
        self.files = files  # only files of the folder whose names match


# What every folder of the sim stands on. Others see the public header alone.
SIM = ["base", "sim", "sim/state"]

# The headers of host that those above see. What is in a world, a session or a connection is host's own.
HOST = ["badge", "delivery", "keeping", "lease", "names", "outgoing", "registry", "runner", "session", "slots", "upload", "world"]

# What rooms of dispatch stand on, and what each of them is handed.
BELOW = ["utf8", "access", "cluster", "host", "world", "past", "store", "document", "net", "sim", "base", "protocol"]
CALL = ["dispatch", "dispatch/call"]

# What rooms of a world stand on.
ROOM = ["past", "store", "document", "sim", "base", "protocol", "codec", "world", "world/state"]
# The rooms of a world, from the lowest. `clock` and `durable` are what all rooms may ask of time and of keep.
ROOMS = ["people", "clock", "durable", "answer", "frames", "keep", "twins", "time", "edit", "turn"]


def rooms(last):
    """The rooms up to this one."""
    return [f"world/{room}" for room in ROOMS[:ROOMS.index(last) + 1]]


# Most special folders first: a file belongs to the first that holds it.
MODULES = {
    "array": Module(-2, "protocol/array", [], posix=False),
    "utf8": Module(-1, "protocol/utf8", [], posix=False),
    "fault": Module(-0.5, "protocol/fault", ["utf8"], posix=False),
    "polygon": Module(-1, "protocol/polygon", [], posix=False),
    "sizing": Module(-1, "protocol/sizing", [], posix=False),
    "codec": Module(0.5, "protocol/codec", ["protocol"], MSGPACK, posix=False),
    "scene": Module(0.6, "protocol/scene", ["utf8", "polygon", "protocol"], {"jansson.h"} | MSGPACK,
                    public={"scene/scene.h", "scene/obj.h"}),
    "protocol": Module(0, "protocol", ["array", "fault", "utf8"], MSGPACK, posix=False),
    "base": Module(0, "server/base", ["array", "fault", "sizing", "utf8"], {"xxhash.h"}),
    "access": Module(2, "server/access", ["base", "utf8", "protocol"],
                     {"sodium.h"} | {f"unicode/{name}.h" for name in ("unorm2", "uspoof", "ustring")} | MSGPACK, public="access/access.h"),
    "store": Module(2, "server/store", ["base"], {"sqlite3.h", "zstd.h", "jansson.h", "nats/nats.h"},
                    public={"store/store.h", "store/nats_connect.h"}),
    "cluster": Module(2.2, "server/cluster", ["store", "base"], {"jansson.h", "nats/nats.h"}, public="cluster/cluster.h"),
    "sim/state": Module(1, "server/sim/state", ["base", "sim"], posix=False),
    "sim/ground": Module(1.1, "server/sim/ground", SIM, posix=False),
    "sim/field": Module(1.15, "server/sim/field", [*SIM, "sim/ground"], posix=False),
    "sim/kernels": Module(1.2, "server/sim/kernels", [*SIM, "sim/ground", "sim/field"], {"immintrin.h", "arm_neon.h", "wasm_simd128.h"}, posix=False),
    "sim/kinds": Module(1.21, "server/sim/kinds", [*SIM, "sim/ground", "sim/kernels"], posix=False),
    "sim/contact": Module(1.25, "server/sim/contact", [*SIM, "sim/ground", "sim/field", "sim/kernels"], posix=False),
    "sim/rigid": Module(1.27, "server/sim/rigid", [*SIM, "sim/ground", "sim/field", "sim/kernels", "sim/contact"], posix=False),
    "sim/store": Module(1.2, "server/sim/store", [*SIM, "sim/ground"], posix=False),
    "sim/long": Module(1.25, "server/sim/long", [*SIM, "sim/ground", "sim/store"], posix=False),
    "sim/plate": Module(1.25, "server/sim/plate", [*SIM, "sim/ground", "sim/store"], posix=False),
    "sim/bear": Module(1.28, "server/sim/bear", [*SIM, "sim/ground", "sim/contact", "sim/store", "sim/plate"], posix=False),
    "sim/body": Module(1.3, "server/sim/body", [*SIM, "sim/ground", "sim/kernels", "sim/contact", "sim/store", "sim/long", "sim/plate", "sim/bear"],
                       posix=False),
    "sim/constraint": Module(1.4, "server/sim/constraint",
                             [*SIM, "sim/ground", "sim/kernels", "sim/store", "sim/body"], posix=False),
    "sim/motion": Module(1.3, "server/sim/motion", [*SIM, "sim/ground", "sim/field"], posix=False),
    "sim/tell": Module(1.3, "server/sim/tell", [*SIM, "sim/ground", "sim/kernels", "sim/contact", "sim/store"], posix=False),
    "sim/solve": Module(1.5, "server/sim/solve",
                        [*SIM, "sim/ground", "sim/kernels", "sim/contact", "sim/store", "sim/long", "sim/plate", "sim/constraint", "sim/motion", "sim/tell", "sim/rigid",
                         "sim/bear"],
                        posix=False),
    "sim/edit": Module(1.5, "server/sim/edit",
                       [*SIM, "sim/ground", "sim/kernels", "sim/contact", "sim/store", "sim/body", "sim/constraint", "sim/motion", "sim/rigid", "sim/bear"],
                       posix=False),
    "sim/image": Module(1.6, "server/sim/image",
                        [*SIM, "sim/ground", "sim/kernels", "sim/contact", "sim/store", "sim/body", "sim/constraint", "sim/motion", "sim/tell",
                         "sim/edit"], posix=False),
    "sim/restore": Module(1.7, "server/sim/restore",
                          [*SIM, "sim/ground", "sim/kernels", "sim/contact", "sim/store", "sim/body", "sim/constraint", "sim/motion", "sim/tell",
                           "sim/edit", "sim/image"], posix=False),
    "sim": Module(0.9, "server/sim", ["base"], posix=False, public="sim/sim.h"),
    "document": Module(2, "server/document", ["utf8", "sim", "base", "protocol"], MSGPACK, posix=False, public="document/document.h"),
    "past": Module(2.5, "server/past", ["utf8", "store", "document", "sim", "base", "protocol"], MSGPACK, posix=False,
                   public="past/past.h"),
    "world": Module(3, "server/world", ["document", "base", "protocol"], public="world/world.h", files=r"world\.h"),
    "world/state": Module(3.05, "server/world", ["document", "sim", "base", "protocol", "world"], MSGPACK, posix=False, files=r"state\.h"),
    "world/people": Module(3.1, "server/world/people", ROOM, MSGPACK, posix=False),
    "world/clock": Module(3.12, "server/world/time", ROOM, MSGPACK, posix=False, files=r"(clock|pace|part)\.[ch]"),
    "world/durable": Module(3.15, "server/world/keep", [*ROOM, "world/people", "world/clock"], MSGPACK, posix=False,
                            files=r"(durable|history|part|records)\.[ch]"),
    "world/answer": Module(3.2, "server/world/answer", [*ROOM, *rooms("durable")], MSGPACK, posix=False),
    "world/frames": Module(3.3, "server/world/frames", [*ROOM, *rooms("answer")], MSGPACK, posix=False),
    "world/keep": Module(3.4, "server/world/keep", [*ROOM, *rooms("frames")], MSGPACK, posix=False),
    "world/twins": Module(3.5, "server/world/twins", [*ROOM, *rooms("keep")], MSGPACK, posix=False),
    "world/time": Module(3.55, "server/world/time", [*ROOM, *rooms("keep")], MSGPACK, posix=False),
    "world/edit": Module(3.6, "server/world/edit", [*ROOM, *rooms("time")], MSGPACK, posix=False),
    "world/turn": Module(3.7, "server/world/turn", [*ROOM, *rooms("edit")], MSGPACK, posix=False),
    "world/run": Module(3.9, "server/world", [*ROOM, *rooms("turn")], MSGPACK, posix=False, files=r"world\.c"),
    "net": Module(2, "server/net", ["utf8", "base", "protocol"],
                  {"uv.h", "wslay/wslay.h", "sha1.h", "zlib.h"} | OPENSSL | MSGPACK, public="net/net.h"),
    "host": Module(4, "server/host", ["utf8", "access", "cluster", "world", "past", "store", "document", "net", "sim", "base", "protocol", "codec"], MSGPACK,
                   public={f"host/{name}.h" for name in HOST}),
    "dispatch": Module(5, "server/dispatch", ["access", "world", "protocol"], public="dispatch/dispatch.h", files=r"dispatch\.h"),
    "dispatch/call": Module(5.01, "server/dispatch", ["host", "protocol"], MSGPACK, files=r"call\.h"),
    "dispatch/later": Module(5.02, "server/dispatch", [*BELOW, *CALL], MSGPACK, files=r"later\.[ch]"),
    "dispatch/route": Module(5.03, "server/dispatch/route", [*BELOW, *CALL], MSGPACK, public="route/route.h"),
    "dispatch/permit": Module(5.04, "server/dispatch/permit", [*BELOW, *CALL, "dispatch/later", "dispatch/route"], MSGPACK,
                              public="permit/permit.h"),
    "dispatch/hello": Module(5.05, "server/dispatch/hello", [*BELOW, *CALL, "dispatch/later", "dispatch/route", "dispatch/permit"], MSGPACK,
                             public="hello/hello.h"),
    "dispatch/past": Module(5.06, "server/dispatch/past", [*BELOW, *CALL, "dispatch/later", "dispatch/route", "dispatch/permit"], MSGPACK,
                            public="past/past.h"),
    "dispatch/admin": Module(5.07, "server/dispatch/admin",
                             [*BELOW, *CALL, "dispatch/later", "dispatch/route", "dispatch/permit", "dispatch/hello"], MSGPACK,
                             public="admin/admin.h"),
    "dispatch/message": Module(5.08, "server/dispatch",
                               [*BELOW, *CALL, "dispatch/later", "dispatch/route", "dispatch/permit", "dispatch/hello", "dispatch/past",
                                "dispatch/admin"], MSGPACK, files=r"(dispatch|message)\.[ch]"),
    "relay": Module(5.5, "server/relay", ["dispatch", "host", "net", "base", "protocol"], MSGPACK, public="relay/relay.h"),
    "instance": Module(5.7, "server/instance", ["relay", "dispatch", "cluster", "access", "host", "net", "store", "base", "protocol"],
                       public="instance/instance.h"),
    "local": Module(5.8, "server/local", ["instance", "dispatch", "cluster", "access", "host", "net", "store", "base", "protocol"], public="local/local.h", inner=["net", "host"]),
    "main": Module(6, "server", ["instance", "relay", "dispatch", "access", "cluster", "host", "world", "store", "document", "net", "sim", "base", "protocol", "scene", "utf8"], {"ini.h"},
                   files=r"\w+\.[ch]"),
    "examples": Module(3, "clients/c/examples", ["libweft", "libtwin"], posix=False),
    "libweft": Module(1, "clients/c", ["utf8", "protocol", "codec", "scene"], {"uv.h"} | OPENSSL | MSGPACK, public="weft.h"),
    "record": Module(1, "clients/record", ["protocol", "codec"], {"jansson.h", "xxhash.h", "zip.h"}),
    "keep": Module(2.8, "clients/keep", ["record", "past", "store", "document", "sim", "base", "protocol"], {"jansson.h"} | MSGPACK),
    "bake": Module(5, "clients/bake", ["record", "scene", "keep", "twin", "past", "store", "document", "sim", "base", "protocol"], {"jansson.h"} | MSGPACK),
    "mesh": Module(2, "clients/mesh", ["scene", "polygon", "array", "fault"],
                   {"jansson.h"} | {f"assimp/{name}.h" for name in ("cfileio", "cimport", "postprocess", "scene")}, public="mesh.h"),
    "twin": Module(2.6, "clients/twin", ["document", "sim", "base", "protocol"], MSGPACK, posix=False, files=r"(clock|internal|run|take|twin)\.[ch]"),
    "libtwin": Module(2.7, "clients/twin", ["twin", "libweft", "document", "sim", "base", "protocol"], posix=False, public="weft_twin.h",
                      files=r"(follow|library|weft_twin)\.[ch]"),
    "weft-twin": Module(4, "clients/twin", ["libtwin", "cli", "libweft", "base", "protocol"], MSGPACK, files=r"\w+\.[ch]"),
    "cli": Module(3, "clients/cli", ["utf8", "libweft", "mesh", "record", "scene", "sizing", "array", "fault"], {"jansson.h"}),
    "demo": Module(2, "clients/demo", ["libweft"]),
    "page": Module(6, "clients/web/wasm/page", ["local", "relay", "cluster", "access", "host", "store", "base", "protocol"], inner=["access", "store"]),
    "files": Module(3, "clients/web/wasm/files", ["mesh", "scene", "polygon", "utf8", "protocol"], {"jansson.h"} | MSGPACK, posix=False, inner=["scene"]),
    "machine": Module(3, "clients/web/wasm", ["base", "codec", "document", "sim", "protocol"], {"xxhash.h"} | MSGPACK, posix=False),
}

# The part that a room has of a world. Only files of the room see it, and the file that puts the parts together.
PART = re.compile(r"(server/world/\w+/)part\.h")
PARTS_MET = "server/world/world.c"
# Members of `struct world`, of which each room has one.
MEMBERS_MAX = 15

# How an include is spelled → where the file may lie, in order.
SEARCH = ["", "server/", "clients/", "clients/c/include/", "clients/c/", "clients/mesh/", "clients/twin/", "clients/web/wasm/"]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
ANY_INCLUDE = re.compile(r"^\s*#\s*include")


def module_of(path):
    for name, module in MODULES.items():
        if path.startswith(module.folder + "/"):
            if module.files is None or re.fullmatch(module.files, path[len(module.folder) + 1:]):
                return name
    return None


TOPS = ("server", "protocol", "clients")


def sources(root, tops=TOPS):
    for top in tops:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".c", ".h") and path.is_file():
                yield path.relative_to(root).as_posix()


def resolve(root, path, spelled, quoted):
    """The file of the tree that an include means, or None."""
    if quoted:
        near = PurePosixPath(path).parent / spelled
        if (root / near).is_file():
            return (root / near).resolve().relative_to(root.resolve()).as_posix()
    for prefix in SEARCH:
        if (root / (prefix + spelled)).is_file():
            return prefix + spelled
    return None


def check_include(root, path, line, spelled, quoted, target):
    """What is wrong with one include, or None."""
    name = module_of(path)
    module = MODULES[name]
    where = f"{path}:{line}: "
    if target is None:
        if spelled in LIBC or spelled in module.libraries:
            return None
        if spelled in POSIX:
            return None if module.posix else where + f"{name} includes <{spelled}>; it may use libc alone"
        if spelled == "uv.h":
            return where + f"{name} includes uv.h; only net and libweft may"
        if quoted:
            return where + f'"{spelled}" is not in the tree'
        return where + f"{name} includes <{spelled}>, which is none of its libraries"
    part = PART.fullmatch(target)
    if part and path != PARTS_MET and not path.startswith(part[1]):
        return where + f"includes {target}; only files in {part[1]} and {PARTS_MET} may"
    other_name = module_of(target)
    if other_name is None:
        return where + f"{name} includes {target}, which belongs to no module"
    if other_name == name:
        return None
    other = MODULES[other_name]
    if other.floor > module.floor:
        return where + f"{name} (floor {module.floor}) includes {target}: upward, to floor {other.floor}"
    if other.floor == module.floor:
        return where + f"{name} includes {target}: sideways, on floor {module.floor}"
    if other_name not in module.uses:
        return where + f"{name} includes {target}; it may use {', '.join(sorted(module.uses)) or 'libc alone'}"
    if other.public and other_name not in module.inner and not any(target.endswith("/" + header) for header in other.public):
        return where + f"{name} includes {target}; the public header of {other_name} is {' or '.join(sorted(other.public))}"
    return None


def find_cycles(graph):
    """Each cycle once, as a list of (file, line, file)."""
    cycles, state, trail = [], {}, []

    def visit(path):
        state[path] = "open"
        for line, target in graph.get(path, []):
            trail.append((path, line, target))
            if state.get(target) == "open":
                start = next(i for i, edge in enumerate(trail) if edge[0] == target)
                cycles.append(list(trail[start:]))
            elif target not in state:
                visit(target)
            trail.pop()
        state[path] = "done"

    for path in sorted(graph):
        if path not in state:
            visit(path)
    return cycles


def check(root):
    root = Path(root)
    wrong, inside, files, includes = [], {}, 0, 0
    for path in sources(root):
        files += 1
        if module_of(path) is None:
            wrong.append(f"{path}:1: belongs to no module")
            continue
        text = (root / path).read_text(encoding="utf-8", errors="replace")
        for number, text_line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(text_line)
            if not match:
                if ANY_INCLUDE.match(text_line):
                    wrong.append(f"{path}:{number}: an include that names no file")
                continue
            includes += 1
            quoted, spelled = match[1] == '"', match[2]
            target = resolve(root, path, spelled, quoted)
            problem = check_include(root, path, number, spelled, quoted, target)
            if problem:
                wrong.append(problem)
            elif target is not None and module_of(target) == module_of(path):
                inside.setdefault(path, []).append((number, target))
    for cycle in find_cycles(inside):
        steps = " → ".join([cycle[0][0]] + [edge[2] for edge in cycle])
        wrong.append(f"{cycle[0][0]}:{cycle[0][1]}: a cycle: {steps}")
    return wrong, files, includes


def check_state(root):
    """What is wrong with the size of `struct world`."""
    path = "server/world/state.h"
    file = Path(root) / path
    found = re.search(r"^struct world \{\n(.*?)^\};", file.read_text(encoding="utf-8") if file.is_file() else "", re.S | re.M)
    members = re.sub(r"//[^\n]*", "", found[1]).count(";") if found else 0
    return [f"{path}:1: struct world has {members} members; at most {MEMBERS_MAX}"] if members > MEMBERS_MAX else []


def main():
    wrong, files, includes = check(sys.argv[1])
    wrong += check_state(sys.argv[1])
    for problem in wrong:
        print(problem)
    if files == 0:
        print("no sources found")
        return 1
    print(f"{files} files, {includes} includes, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
