"""Machines that are network namespaces: each with an address, a disk of its own that can be full, and one program; joined by a
bridge, at which whoever calls this stands too.

All of it is inside namespaces of the calling program (enter()): when that ends, however it does, programs, links and disks go with it.

A cut is an entry among the neighbours of who sends: a station that does not exist has the other's address there, so what is sent is
lost on the wire, as in a network that is broken, and nobody is told. One entry cuts one way.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys

NETWORK = "10.9.0"
HOST = f"{NETWORK}.1"
NOWHERE = "02:00:00:00:ff:ff"
TOOLS = ("ip", "unshare", "nsenter", "mount")


def run(*words, text=None):
    subprocess.run(words, check=True, input=text, text=True, stdout=subprocess.DEVNULL)


def enter():
    """Goes on in namespaces of its own, or says why that cannot be (a text)."""
    if os.environ.get("WEFT_NAMESPACES"):
        run("mount", "-t", "tmpfs", "tmpfs", "/run")  # where ip keeps names of namespaces
        run("mount", "-t", "tmpfs", "tmpfs", "/dev/shm")
        return None
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        return f"there is no {missing[0]}"
    apart = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    # A namespace in which a bridge, a neighbour and a disk are made, or the reason why not.
    trial = ("mount -t tmpfs tmpfs /run && ip netns add a && ip link add w type bridge && ip link add v type veth peer name e netns a"
             " && ip -n a neigh replace 10.9.0.1 lladdr 02:00:00:00:00:01 dev e nud permanent")
    tried = subprocess.run([*apart, "sh", "-c", trial], capture_output=True, text=True, check=False)
    if tried.returncode:
        return "namespaces cannot be made, which takes root: " + " ".join(tried.stderr.split())
    os.environ["WEFT_NAMESPACES"] = "1"
    os.execvp(apart[0], [*apart, sys.executable, *sys.argv])


def begin():
    """The bridge, with the caller at it."""
    run("ip", "-batch", "-", text="\n".join([
        "link set lo up", "link add weft type bridge", f"addr add {HOST}/24 dev weft", "link set weft up"]))


class Machine:
    def __init__(self, name, number, folder, disk):
        """folder: where its log is, and its disk of so many bytes. number: the last one of its address, from 2."""
        self.name, self.address = name, f"{NETWORK}.{number}"
        self.mac = f"02:00:00:00:00:{number:02x}"
        self.disk = pathlib.Path(folder, name)
        self.log = pathlib.Path(folder, f"{name}.log")
        self.process = None
        self.command, self.environment = [], {}
        self.frozen = False
        self.disk.mkdir()
        run("mount", "-t", "tmpfs", "-o", f"size={disk}", "tmpfs", str(self.disk))
        run("ip", "netns", "add", name)
        run("ip", "-batch", "-", text=f"link add {name} type veth peer name eth0 address {self.mac} netns {name}\n"
                                      f"link set {name} master weft up\n")
        run("ip", "-n", name, "-batch", "-", text=f"link set lo up\naddr add {self.address}/24 dev eth0\nlink set eth0 up\n")

    # -- its program

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(["nsenter", f"--net=/run/netns/{self.name}", *self.command],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)
        self.frozen = True

    def thaw(self):
        if self.frozen:
            self.process.send_signal(signal.SIGCONT)
        self.frozen = False

    # -- its disk

    def fill(self):
        """To the last page. What is given up meanwhile has to be filled again."""
        with open(self.disk / "full", "ab") as file:
            try:
                while True:
                    room = os.statvfs(self.disk)
                    left = room.f_bavail * room.f_frsize
                    if not left:
                        return
                    os.posix_fallocate(file.fileno(), os.fstat(file.fileno()).st_size, left)
            except OSError:  # somebody else had it meanwhile
                pass

    def free(self):
        (self.disk / "full").unlink(missing_ok=True)

    # -- its network

    def lose(self, addresses):
        """What it sends to these is lost."""
        run("ip", "-n", self.name, "-batch", "-",
            text="".join(f"neigh replace {one} lladdr {NOWHERE} dev eth0 nud permanent\n" for one in addresses))

    def heal(self):
        """All arrives again that it sends."""
        run("ip", "-n", self.name, "neigh", "flush", "dev", "eth0", "nud", "permanent")
