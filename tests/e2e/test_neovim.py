#!/usr/bin/env python3
"""A headless Neovim as a client, over its own MessagePack-RPC (neovim.lua)."""

import os
import subprocess
from pathlib import Path

from weft_peer import PATIENCE_S, ServerTest, main


class Neovim(ServerTest):
    def test_neovim_makes_a_world_and_survives_its_notifications(self):
        script = Path(__file__).with_name("neovim.lua")
        environment = {**os.environ, "WEFT_ADDRESS": self.server.address}
        run = subprocess.run([os.environ["WEFT_NVIM"], "--headless", "-u", "NONE", "-i", "NONE", "-n",
                              "-c", f"luafile {script}"], env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=3 * PATIENCE_S)
        print("\n" + run.stdout)
        self.assertIn("neovim: all done", run.stdout)
        self.assertEqual(run.returncode, 0)


if __name__ == "__main__":
    main()
