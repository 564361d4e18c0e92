#!/bin/sh
# Lists the C sources that people write (generated ones are laid out by their generator).
cd "$(dirname "$0")/.."
find protocol server clients tests -name node_modules -prune -o -name '*.[ch]' ! -path '*/generated/*' -print |
    LC_ALL=C sort
