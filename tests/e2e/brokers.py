"""Brokers of NATS on this machine, one or three, of the program that WEFT_NATS_SERVER names."""

import itertools
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time


def program():
    """None: there is none."""
    return os.environ.get("WEFT_NATS_SERVER") or shutil.which("nats-server")


PORTS = 32  # of a process: nobody has more brokers at a time than have room in them
GIVEN = itertools.count()


def free_port():
    """A port below those of outgoing connections, because a broker that is dead for a while needs its own again."""
    for _ in range(PORTS):
        port = 8000 + os.getpid() % 700 * PORTS + next(GIVEN) % PORTS
        try:
            socket.create_server(("127.0.0.1", port)).close()
            return port
        except OSError:
            pass
    raise AssertionError("no port is free")


class Broker:
    """accounts: more of them, in the broker's own words; with user and password if worlds are kept in one of these.
    tls: its certificate and key, as files; a third is of an authority, and then clients need a certificate of it. identity: who may connect, in its words, where no password says it. more: what
    else stands in its configuration. up=False: begin() starts it."""

    def __init__(self, accounts="", user="", tls=None, identity=None, more="", jetstream=True, up=True):
        self.folder = tempfile.mkdtemp(prefix="weft-broker-")
        self.port = free_port()
        scheme = "tls" if tls else "nats"
        self.url = f"{scheme}://{user}127.0.0.1:{self.port}"
        self.check = f"{scheme}://{'' if identity else 'sys:pw@'}127.0.0.1:{self.port}"
        asks = f', ca_file: "{tls[2]}", verify: true' if tls and tls[2:] else ""
        secured = f'tls {{ cert_file: "{tls[0]}", key_file: "{tls[1]}"{asks} }}\n' if tls else ""
        config = pathlib.Path(self.folder, "conf")
        config.write_text(f'listen: "127.0.0.1:{self.port}"\n'
                          + (f'jetstream {{ store_dir: "{self.folder}/store", sync_interval: always }}\n' if jetstream else "")
                          + (identity or f"accounts {{ $SYS {{ users: [ {{user: sys, password: pw}} ] }}\n{accounts} }}\n")
                          + secured + more)
        self.command = [program(), "-c", str(config)]
        self.process = None
        if up:
            self.begin()

    def begin(self):
        """Returns when it listens."""
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise AssertionError("the broker does not listen") from None
                time.sleep(0.02)

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def close(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Three:
    """A cluster of three, which are its list. None runs before it begins."""

    def __init__(self):
        ports = [free_port() for _ in range(3)]
        routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in ports)
        self.list = [Broker(up=False, more=f'server_name: b{i}\ncluster {{ name: c, listen: "127.0.0.1:{port}", '
                                           f'routes: [ {routes} ] }}\n') for i, port in enumerate(ports)]
        hosts = ",".join(f"127.0.0.1:{broker.port}" for broker in self.list)
        self.url, self.check = f"nats://{hosts}", f"nats://sys:pw@{hosts}"

    def begin(self):
        for broker in self.list:
            broker.begin()

    def kill(self):
        for broker in self.list:
            broker.process.kill()
        for broker in self.list:
            broker.process.wait()

    def close(self):
        for broker in self.list:
            broker.close()
