#!/usr/bin/env python3
"""weft watch in a real terminal (tmux): a picture is there, it moves, keys work, and the terminal is given back."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from shell import LOST_S, PATIENCE_S, ShellTest, clean_environment

import beside

COLUMNS, ROWS = 100, 30


class Picture(ShellTest):
    def setUp(self):
        super().setUp()
        self.weft("new", "flag", "--substeps", "4")
        self.add_cloth("flag", 20, 20, pins=[0, 19])
        self.json("call", "collider.add", '{"world":"flag","kind":"plane"}')
        self.json("call", "collider.add", '{"world":"flag","kind":"sphere","position":[0.5,0.5,0.5],"radius":0.2}')
        self.folder = tempfile.TemporaryDirectory(prefix="weft-picture-")
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(lambda: self.tmux("kill-server", check=False))

    def tmux(self, *arguments, check=True):
        run = subprocess.run(["tmux", "-S", self.folder.name + "/tmux", "-f", "/dev/null", *arguments],
                             capture_output=True, text=True, timeout=PATIENCE_S,
                             env=clean_environment(TERM="xterm-256color", LC_ALL="C.UTF-8"))
        if check:
            self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def show(self, *arguments, **environment):
        """Runs weft in a window whose shell tells the exit status and the line settings after it."""
        settings = {"TERM": "screen-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8",
                    "WEFT_SERVER": self.server.address, **environment}
        words = ["env", *[f"{key}={value}" for key, value in settings.items()], os.environ["WEFT"], *arguments]
        before, settings, after = (f"'{self.folder.name}/{name}'" for name in ("before", "settings", "after"))
        command = (f"stty -a > {before}; {' '.join(words)}; echo \"ended with $?\"; "
                   f"stty -a > {settings}; mv {settings} {after}; cat")
        self.tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), command)

    def screen(self, escapes=True):
        return self.tmux("capture-pane", "-p", *(["-e"] if escapes else []))

    def wait_for(self, condition, what):
        deadline = time.monotonic() + 2 * PATIENCE_S
        while time.monotonic() < deadline:
            if condition():
                return
            time.sleep(0.02)
        self.fail(f"{what}:\n{self.screen(escapes=False)}")

    def status_line(self):
        return self.screen(escapes=False).rstrip("\n").split("\n")[-1]

    def colors(self, wanted):
        seen = set(re.findall(r"[34]8;2;(\d+);(\d+);(\d+)", self.screen()))
        return [color for color in seen if wanted(*map(int, color))]

    def wait_for_picture(self):
        self.wait_for(lambda: "tick" in self.status_line(), "no status line came")

    def assert_line_settings_kept(self):
        texts = []
        for name in ("before", "after"):
            with open(f"{self.folder.name}/{name}") as settings:
                texts.append(re.sub(r"(rows|columns) \d+", r"\1", settings.read()))
        self.assertIn("icanon", texts[0])
        self.assertEqual(texts[0], texts[1])

    def wait_for_end(self, text="ended with 0"):
        self.wait_for(lambda: text in self.screen(escapes=False), f"it did not end: {text}")
        self.wait_for(lambda: os.path.exists(self.folder.name + "/after"), "the shell did not go on")
        self.assert_line_settings_kept()
        self.assertNotIn("▀", self.screen(escapes=False))
        self.assertEqual(self.tmux("display", "-p", "#{cursor_flag} #{alternate_on}").strip(), "1 0")

    def test_a_shaded_picture_is_there_and_moves(self):
        self.weft("play", "flag")
        self.show("watch", "flag")
        self.wait_for_picture()
        # The cloth is red, the sphere and the ground are grey; shading makes many shades of each.
        self.wait_for(lambda: len(self.colors(lambda r, g, b: r > 2 * g and r > 80)) > 5, "no cloth is seen")
        self.assertGreater(len(self.colors(lambda r, g, b: abs(r - g) < 20)), 20)
        first = self.screen()
        self.assertGreater(first.count("▀"), COLUMNS * (ROWS - 1) * 0.95)
        self.wait_for(lambda: self.screen() != first, "nothing moved")
        for word in ("flag", "playing", "frames/s", "ticks/s", "KiB/s"):
            self.assertIn(word, self.status_line())
        self.tmux("send-keys", "q")
        self.wait_for_end()

    def test_keys_play_pause_and_reset_the_world(self):
        self.show("watch", "flag")
        self.wait_for_picture()
        self.assertIn("paused", self.status_line())
        before = self.screen()
        self.tmux("send-keys", "Right", "Right", "Up", "+")
        self.wait_for(lambda: self.screen() != before, "the view did not turn")
        self.tmux("send-keys", "Space")
        self.wait_for(lambda: self.json("get", "flag")["state"] == "playing", "space does not play")
        self.wait_for(lambda: "playing" in self.status_line(), "the state is not shown")
        self.tmux("send-keys", "Space")
        self.wait_for(lambda: self.json("get", "flag")["state"] == "paused", "space does not pause")
        self.tmux("send-keys", "r")
        self.wait_for(lambda: self.json("get", "flag")["revision"] == 4, "r does not reset")
        self.tmux("send-keys", "C-c")
        self.wait_for_end()

    def test_it_follows_the_size_of_the_window(self):
        self.weft("play", "flag")
        self.show("watch", "flag")
        self.wait_for_picture()
        self.tmux("resize-window", "-x", "60", "-y", "20")
        self.wait_for(lambda: 60 * 19 * 0.95 < self.screen().count("▀") <= 60 * 19, "the picture kept its size")
        self.tmux("send-keys", "q")
        self.wait_for_end()

    def test_256_colors_where_there_are_no_more(self):
        self.weft("play", "flag")
        self.show("watch", "flag", COLORTERM="")
        self.wait_for_picture()
        picture = self.screen()
        self.assertRegex(picture, r"38;5;\d+")
        self.assertNotRegex(picture, r"38;2;\d+")
        self.tmux("send-keys", "q")
        self.wait_for_end()

    def test_characters_where_there_are_no_colors(self):
        self.weft("play", "flag")
        self.show("watch", "flag", NO_COLOR="1", LC_ALL="C")
        self.wait_for_picture()
        picture = self.screen()
        self.assertNotRegex(picture, r"[34]8;[25];")
        self.assertTrue(picture.isascii())
        self.assertGreater(len(set(picture) - set("\n")), 8)
        self.tmux("send-keys", "q")
        self.wait_for_end()

    def test_the_terminal_is_given_back_when_the_server_goes(self):
        self.show("--timeout", LOST_S, "watch", "flag")
        self.wait_for_picture()
        self.server.kill()
        self.wait_for_end("ended with 3")
        self.assertIn("weft: CLOSED:", self.screen(escapes=False))

    def test_the_terminal_is_given_back_after_a_crash(self):
        self.show("watch", "flag")
        self.wait_for_picture()
        pid = int(self.tmux("display", "-p", "#{pane_pid}"))
        children = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(pid)], capture_output=True, text=True).stdout
        child = next(int(line.split()[0]) for line in children.splitlines() if line.split()[1] == "weft")
        os.kill(child, 11)
        self.wait_for(lambda: "ended with" in self.screen(escapes=False), "it did not end")
        self.wait_for(lambda: os.path.exists(self.folder.name + "/after"), "the shell did not go on")
        self.assert_line_settings_kept()
        self.assertEqual(self.tmux("display", "-p", "#{cursor_flag} #{alternate_on}").strip(), "1 0")


if __name__ == "__main__":
    if not shutil.which("tmux"):
        print("there is no tmux")
        sys.exit(77)
    try:
        for end in os.openpty():
            os.close(end)
    except OSError as error:
        print(f"this machine gives no terminals: {error}")
        sys.exit(77)
    beside.main(7)
