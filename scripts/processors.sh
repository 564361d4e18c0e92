#!/bin/sh
# Seconds of processors that the children of a shell have used by now, of what `times` in that shell printed: times >FILE;
# scripts/processors.sh <FILE
awk 'NR == 2 {
    for (i = 1; i <= 2; i++) {
        split($i, part, /[ms]/)
        seconds += 60 * part[1] + part[2]
    }
    printf "%d\n", seconds
}'
