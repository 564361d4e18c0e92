"""A server that belongs to this program.

    with weft.serve() as server, server.connect() as client:
        world = client.create("flag")

serve() starts `weftd` on free ports. It ends with the block, with stop(), and with this program in any case: a small process in
between (guard.py) waits for the end of its standard input.
"""
from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Sequence

from weft.client import Client, connect
from weft.programs import ProgramError, find

START_S = 20.0
STOP_S = 10.0
LINES_MAX = 1000


class Server:
    """A weftd that belongs to this program. Made by weft.serve().

    address: HOST:PORT for MessagePack-RPC. http: HOST:PORT of the studio, or None. tls: whether both use TLS. lines: the last
    thousand lines of its log.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.address = ""
        self.http: str | None = None
        self.tls = False
        self.lines: list[str] = []
        self._changed = threading.Condition()
        self._ended = False
        guard = str(Path(__file__).with_name("guard.py"))
        self._process = subprocess.Popen([sys.executable, guard, *command], stdin=subprocess.PIPE,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        self._reader = threading.Thread(target=self._read, name="weftd", daemon=True)
        self._reader.start()
        try:
            self.address = self._first_line("rpc")
            if "none" not in command:
                self.http = self._first_line("http")
        except BaseException:
            self.stop()
            raise

    def _read(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                del self.lines[:-LINES_MAX]
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _first_line(self, what: str) -> str:
        def look() -> str | None:
            for line in self.lines:
                if line.startswith(f"listening {what} "):
                    self.tls = line.endswith("(tls)")
                    return line.split()[2]
            return "" if self._ended else None

        with self._changed:
            found = self._changed.wait_for(lambda: look() is not None, START_S) and look()
            if not found:
                raise ProgramError("weftd did not start: " + ("; ".join(self.lines[-3:]) or "it said nothing"), kind=0)
            return found

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def connect(self, **options: Any) -> Client:
        """Connects a client to this server: weft.connect() with its address."""
        if self.tls:
            options.setdefault("tls", True)
        client = connect(self.address, **options)
        client.studio = self.studio
        return client

    @property
    def studio(self) -> str | None:
        """The studio's address, to open in a browser."""
        return f"http{'s' if self.tls else ''}://{self.http}/" if self.http else None

    def stop(self) -> int:
        """Stops the server properly, if it runs, and returns its exit status."""
        if self._process.stdin and not self._process.stdin.closed:
            self._process.stdin.close()
        try:
            status = self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._reader.join(STOP_S)
        if self._process.stderr:
            self._process.stderr.close()
        return status

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<weft Server on {self.address}{'' if self.running else ', ended'}>"


def serve(*, listen: str = "127.0.0.1:0", http: str | None = "127.0.0.1:0", threads: int | None = None,
          scene: str | os.PathLike[str] | None = None, options: Sequence[str] = ()) -> Server:
    """Starts a server that belongs to this program, and waits until it listens. Use it in a `with`, or stop() it.

    listen, http: addresses, by default free ports of this machine; http=None: no studio. threads: number of threads for the
    simulation, by default one for each core. scene: a world to begin with. options: more options of weftd, such as
    ["--log-level", "warn"].
    """
    command = [find("weftd"), "--listen", listen, "--http", http or "none"]
    if threads is not None:
        command += ["--threads", str(threads)]
    if scene is not None:
        command += ["--scene", os.fspath(scene)]
    return Server([*command, *options])
