"""TLS: trusted authorities, and a socket that uses TLS.

    weft.connect("tls://sim.example.org")
    weft.connect("10.0.0.7:9338", tls=True, ca="ca.pem")

The server's certificate must be valid for the host of the address, and an authority must vouch for it: one of the system's, or
of the file ca.
"""
from __future__ import annotations

import os
import socket
import ssl
import threading
from typing import NamedTuple, Sequence, Union

from weft import api
from weft.errors import NotSecure

Path = Union[str, "os.PathLike[str]"]
READ_BYTES = 65536
SEALED_BYTES = 256 * 1024  # bound of encrypted bytes that wait for the socket, besides one piece of the message


class TLS(NamedTuple):
    """Settings for the argument tls of connect(), instead of True: the same values by the same names."""

    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    verify: bool = True

    def context(self) -> ssl.SSLContext:
        try:
            context = ssl.create_default_context(cafile=self.ca)
        except (OSError, ValueError) as error:
            raise api.Invalid(f"ca: {self.ca}: {error}", field="ca", value=self.ca) from error
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["weft"])
        if not self.verify:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        if self.cert is not None:
            try:
                context.load_cert_chain(self.cert, self.key, password=no_passphrase)
            except (OSError, ValueError) as error:
                raise api.Invalid(f"cert: {self.cert}: {error}", field="cert", value=self.cert) from error
        return context

    def words(self) -> list[str]:
        """The settings as options of `weft`."""
        given = [("--ca", self.ca), ("--cert", self.cert), ("--key", self.key)]
        return ["--tls", *(word for flag, file in given if file is not None for word in (flag, file)),
                *([] if self.verify else ["--tls-no-verify"])]


def no_passphrase() -> str:
    raise ValueError("keys with a passphrase are not supported")


def flag(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")


def chosen(tls: bool | TLS | None, ca: Path | None, cert: Path | None, key: Path | None, verify: bool | None) -> TLS | None:
    """The given settings, completed by the environment: WEFT_TLS, WEFT_CA, WEFT_CERT, WEFT_KEY, WEFT_TLS_NO_VERIFY, as in the
    shell. None: plain, unless the address says otherwise."""
    if isinstance(tls, TLS):
        return tls
    wanted = tls if tls is not None else flag("WEFT_TLS") or any(file is not None for file in (ca, cert, key))
    return from_environment(ca, cert, key, verify) if wanted else None


def from_environment(ca: Path | None = None, cert: Path | None = None, key: Path | None = None,
                     verify: bool | None = None) -> TLS:
    def file(given: Path | None, name: str) -> str | None:
        return os.fspath(given) if given is not None else os.environ.get(name) or None

    own = file(cert, "WEFT_CERT")
    return TLS(file(ca, "WEFT_CA"), own, file(key, "WEFT_KEY") if own else None,
               not flag("WEFT_TLS_NO_VERIFY") if verify is None else verify)


class SecureSocket:
    """A connected socket with TLS on top: the functions that the blocking client needs, none of which blocks.

    Several threads may use it, although OpenSSL takes one at a time.
    """

    def __init__(self, sock: socket.socket, context: ssl.SSLContext, host: str) -> None:
        self._sock = sock
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_hostname=host)
        self._lock = threading.Lock()
        self._sealed = b""

    def shake(self) -> None:
        """Performs the handshake; blocks, up to the socket's timeout."""
        while True:
            try:
                self._tls.do_handshake()
                self._sock.sendall(self._out.read())
                return
            except ssl.SSLWantReadError:
                self._sock.sendall(self._out.read())
            except ssl.SSLError:
                try:
                    self._sock.sendall(self._out.read())  # sends the alert that says why
                except OSError:
                    pass
                raise
            got = self._sock.recv(READ_BYTES)
            if not got:
                raise ConnectionResetError("the server hung up before TLS began")
            self._in.write(got)

    def fileno(self) -> int:
        return self._sock.fileno()

    def setblocking(self, blocking: bool) -> None:
        self._sock.setblocking(blocking)

    def recv_into(self, buffer: memoryview) -> int:
        while True:
            with self._lock:
                try:
                    return self._tls.read(len(buffer), buffer)  # type: ignore[arg-type, return-value]
                except ssl.SSLWantReadError:
                    pass
                except ssl.SSLZeroReturnError:
                    return 0
                except ssl.SSLEOFError:
                    return 0
                self._flush()
            got = self._sock.recv(READ_BYTES)
            with self._lock:
                if got:
                    self._in.write(got)
                else:
                    self._in.write_eof()

    def sendmsg(self, pieces: Sequence[memoryview]) -> int:
        """Returns how many bytes were taken; `unsent` says whether some wait for the socket."""
        with self._lock:
            if not self._flush():
                raise BlockingIOError
            taken = 0
            for piece in pieces:
                if taken >= SEALED_BYTES:
                    break
                part = piece.cast("B")[:SEALED_BYTES - taken]
                if part.nbytes:
                    taken += self._tls.write(part)
            self._flush()
            return taken

    @property
    def unsent(self) -> bool:
        with self._lock:
            return bool(self._sealed or self._out.pending)

    def _flush(self) -> bool:
        """Writes encrypted bytes in their order, as far as the socket takes them. True: all were written."""
        if self._out.pending:
            self._sealed += self._out.read()
        while self._sealed:
            try:
                sent = self._sock.send(self._sealed)
            except BlockingIOError:
                return False
            self._sealed = self._sealed[sent:]
        return True

    def shutdown(self, how: int) -> None:
        try:
            with self._lock:
                self._tls.unwrap()
        except (ssl.SSLError, ValueError):
            pass
        try:
            with self._lock:
                self._flush()
        except OSError:
            pass
        self._sock.shutdown(how)

    def close(self) -> None:
        self._sock.close()


def not_secure(who: str, error: ssl.SSLError) -> NotSecure:
    return NotSecure(f"{who}: {reason(error)}", code="CERTIFICATE" if isinstance(error, ssl.SSLCertVerificationError) else "TLS")


def reason(error: ssl.SSLError) -> str:
    """The reason of an error, in words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    if error.reason == "WRONG_VERSION_NUMBER":
        return "it does not speak TLS at this port"
    return f"no TLS with it: {(error.reason or str(error)).lower().replace('_', ' ')}"
