"""Certificates for tests, as openssl(1) makes them: an authority, and what it vouches for. Nothing of them outlives the folder."""

import os
import socket
import ssl
import subprocess
import tempfile


def openssl(*words, **more):
    """What it wrote; AssertionError where it failed."""
    ran = subprocess.run(["openssl", *words], capture_output=True, text=True, timeout=120, check=False, **more)
    assert ran.returncode == 0, f"openssl {' '.join(words)}: {ran.stderr}"
    return ran.stdout + ran.stderr


class Authority:
    """In a folder of its own, which goes with it (close, or the end of a with)."""

    def __init__(self, name="weft test authority"):
        self.kept = tempfile.TemporaryDirectory(prefix="weft-tls-")
        self.folder = self.kept.name
        self.ca, self.key = self.path("ca.pem"), self.path("ca.key")
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                "-keyout", self.key, "-out", self.ca, "-subj", f"/CN={name}")

    def path(self, name):
        return os.path.join(self.folder, name)

    def close(self):
        self.kept.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def issue(self, name, alternatives="DNS:localhost,IP:127.0.0.1,IP:::1", days=10, kind="ec"):
        """(certificate, key), as files. days 0: expired when it is made."""
        cert, key = self.path(f"{name}.pem"), self.path(f"{name}.key")
        how = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"] if kind == "ec" else [f"rsa:{kind}"]
        openssl("req", "-newkey", *how, "-nodes", "-keyout", key, "-out", self.path("request"), "-subj", f"/CN={name}")
        with open(self.path("extensions"), "w", encoding="ascii") as file:
            file.write(f"subjectAltName={alternatives}\n")
        openssl("x509", "-req", "-in", self.path("request"), "-CA", self.ca, "-CAkey", self.key, "-CAcreateserial",
                "-days", str(days), "-extfile", self.path("extensions"), "-out", cert)
        return cert, key

    def context(self, cert=None, key=None):
        """Of a client that trusts this authority."""
        context = ssl.create_default_context(cafile=self.ca)
        if cert:
            context.load_cert_chain(cert, key)
        return context


def connect(address, context, host=None, timeout_s=60.0):
    """A socket that speaks TLS."""
    name, port = address.rsplit(":", 1)
    plain = socket.create_connection((name.strip("[]"), int(port)), timeout_s)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        return context.wrap_socket(plain, server_hostname=host or name.strip("[]"))
    except BaseException:
        plain.close()
        raise


_everywhere = None


def everywhere():
    """For tests that are run with WEFT_TEST_TLS: one authority and its server's files, for as long as the program runs."""
    global _everywhere
    if _everywhere is None:
        authority = Authority()
        _everywhere = (authority, *authority.issue("localhost"))
    return _everywhere
