"""Keys and credentials of NATS (an operator, an account for worlds, the system's, a user of each), signed by openssl(1)."""

import base64
import hashlib
import json
import os
import secrets
import subprocess

PREFIX = {"operator": 14 << 3, "account": 0, "user": 20 << 3}
SEED = 18 << 3
ED25519 = bytes.fromhex("302e020100300506032b657004220420")  # what stands before a seed in PKCS #8


def crc16(data):
    """XMODEM's."""
    value = 0
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xffff
    return value


def base32(data):
    return base64.b32encode(data + crc16(data).to_bytes(2, "little")).decode().rstrip("=")


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Key:
    def __init__(self, kind, folder):
        prefix, seed = PREFIX[kind], secrets.token_bytes(32)
        self.kind, self.file = kind, os.path.join(folder, "nkey.der")
        self.private = ED25519 + seed
        self.public = base32(bytes([prefix]) + self.run("pkey", "-pubout", "-outform", "DER")[-32:])
        self.seed = base32(bytes([SEED | prefix >> 5, (prefix & 31) << 3]) + seed)

    def run(self, what, *words):
        with open(self.file, "wb") as file:
            file.write(self.private)
        inform = ["-in", self.file, "-inform", "DER"] if what == "pkey" else ["-inkey", self.file, "-keyform", "DER"]
        return subprocess.run(["openssl", what, *inform, *words], capture_output=True, timeout=60, check=True).stdout

    def sign(self, data):
        path = self.file + ".data"
        with open(path, "wb") as file:
            file.write(data)
        return self.run("pkeyutl", "-sign", "-rawin", "-in", path)

    def token(self, of, name, claims):
        """That `of` is what the claims say."""
        body = {"iat": 0, "iss": self.public, "sub": of.public, "name": name, "nats": {**claims, "type": of.kind, "version": 2}}
        body["jti"] = base64.b32encode(hashlib.sha256(json.dumps(body).encode()).digest()).decode().rstrip("=")
        head = base64url(json.dumps({"typ": "JWT", "alg": "ed25519-nkey"}).encode())
        text = head + "." + base64url(json.dumps(body).encode())
        return text + "." + base64url(self.sign(text.encode()))


class Deployment:
    """config: who a broker lets in, in its words. user, system: files of credentials."""

    def __init__(self, folder):
        self.folder = folder
        operator, worlds, system = Key("operator", folder), Key("account", folder), Key("account", folder)
        most = dict.fromkeys(["subs", "data", "payload", "imports", "exports", "conn", "leaf"], -1)
        stored = {**most, "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1}
        self.config = (f"operator: {operator.token(operator, 'operator', {'system_account': system.public})}\n"
                       f"system_account: {system.public}\nresolver: MEMORY\nresolver_preload: {{\n"
                       f"  {worlds.public}: {operator.token(worlds, 'worlds', {'limits': {**stored, 'wildcards': True}})}\n"
                       f"  {system.public}: {operator.token(system, 'system', {'limits': {**most, 'wildcards': True}})}\n}}\n")
        self.user = self.credentials(worlds, "weftd")
        self.system = self.credentials(system, "sys")

    def credentials(self, account, name):
        user = Key("user", self.folder)
        token = account.token(user, name, {"subs": -1, "data": -1, "payload": -1, "pub": {}, "sub": {}})
        path = os.path.join(self.folder, f"{name}.creds")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
            file.write(f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
                       f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n")
        return path
