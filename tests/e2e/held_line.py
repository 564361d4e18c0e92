"""A line to a server that can be held, at once or after so many bytes: what goes up is kept on the way, and arrives later, whatever
became of who sent it."""

import socket
import threading


class HeldLine:
    def __init__(self, port):
        self.target = ("127.0.0.1", port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = threading.Event()
        self.open.set()
        self.passed, self.kept = 0, 0  # bytes that went up, and that were held
        self.most = float("inf")
        self.held = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def hold(self):
        self.open.clear()

    def hold_after(self, most):
        """From now on no more than so many bytes go up. `held` is set when there are more."""
        self.passed, self.most = 0, most
        self.held.clear()

    def release(self):
        self.most = float("inf")
        self.open.set()

    def close(self):
        self.release()
        self.listener.close()

    def _listen(self):
        while True:
            try:
                near, _ = self.listener.accept()
                far = socket.create_connection(self.target)
            except OSError:
                return
            threading.Thread(target=self._pass, args=(near, far, True), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, False), daemon=True).start()

    def _pass(self, source, sink, up):
        try:
            while data := source.recv(65536):
                if up and self.passed + len(data) > self.most:
                    sink.sendall(data[:self.most - self.passed])
                    data = data[self.most - self.passed:]
                    self.passed = self.most
                    self.open.clear()
                    self.held.set()
                if up and not self.open.is_set():
                    self.kept += len(data)
                    data += self._rest(source)
                sink.sendall(data)
                self.passed += len(data) if up else 0
        except OSError:
            pass
        finally:
            source.close()
            sink.close()

    def _rest(self, source):
        """What else comes until the line is open."""
        rest, kept = b"", self.kept
        source.settimeout(0.02)
        while not self.open.is_set():
            try:
                rest += source.recv(65536)
                self.kept = kept + len(rest)
            except TimeoutError:
                pass
        source.settimeout(None)
        return rest
