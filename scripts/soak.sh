#!/bin/sh
# Looks for a build, an instruction set or a number of threads that comes to other bits: all combinations of the
# scenes, then random edits from new seeds for SOAK_SECONDS. Ends with status 1 and the seed on any difference.
set -eu
cd "$(dirname "$0")/.."
exec "${WEFT_PYTHON:-python3}" tests/determinism/matrix.py --soak "${SOAK_SECONDS:-600}"
