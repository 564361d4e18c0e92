"""Runs a program and ends it when standard input ends, which happens when the parent process ends in any way.

    python guard.py PROGRAM [ARGUMENT…]

It is a program of its own and imports nothing from the package.
"""
import os
import signal
import subprocess
import sys
import threading

PATIENCE_S = 8.0


def main() -> int:
    # Ctrl-C in a terminal or a notebook interrupts the program in front; it must not reach the server.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, start_new_session=True)
    except OSError as error:
        print(f"{sys.argv[1]} cannot be started: {error.strerror}", file=sys.stderr)
        return 127

    def wait_for_end() -> None:
        while os.read(0, 4096):
            pass
        process.terminate()
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()

    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    threading.Thread(target=wait_for_end, daemon=True).start()
    status = process.wait()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
