#!/usr/bin/env python3
"""Compiles the solver with each compiler and each set of flags, runs one scene with each program in each
instruction set on one and on four threads, and compares what the programs print with each other and with
tests/golden/sim.txt.

    matrix.py [--full] [--work DIR]

The short matrix has the ends of each range; --full has all combinations. Prints a line a program. Ends with
status 1 if any two differ, or if they agree on something else than the golden hash.
"""
import argparse
import concurrent.futures
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Compiled once for each instruction set, as server/sim/CMakeLists.txt does.
KERNELS = [ROOT / "server/sim" / f"{name}.c" for name in ("dihedral", "distance", "isometric", "kernels", "motion", "quadratic", "volume", "wind")]
SOURCES = [
    *(ROOT / "server/base" / name for name in ("assert.c", "hash.c", "team.c", "thread.c")),
    *sorted(set((ROOT / "server/sim").glob("*.c")) - set(KERNELS)),
    ROOT / "tests/determinism/scene.c",
]
# As the build has them; -ffp-contract=off is what keeps -march=x86-64-v3 from fusing.
FLAGS = ["-std=c17", "-D_GNU_SOURCE", "-ffp-contract=off", "-fno-fast-math", f"-I{ROOT}", f"-I{ROOT / 'server'}"]
THREADS = (1, 4)


def instruction_sets():
    """Of this machine's kind: name -> flags. Which of them it can run, the program says."""
    if platform.machine() in ("x86_64", "AMD64"):
        return {"scalar": [], "sse2": ["-msse2"], "avx2": ["-mavx2"], "avx512": ["-mavx512f", "-mavx512dq"]}
    return {"scalar": [], "neon": []}


def machines():
    """-march values that this machine can run."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return ["native"]
    try:
        flags = set(pathlib.Path("/proc/cpuinfo").read_text().split())
    except OSError:
        flags = set()
    wide = ["x86-64-v3"] if {"avx2", "fma", "bmi2"} <= flags else []
    return ["x86-64", *wide, "native"]


def combinations(full):
    marches = machines()
    for compiler in ("gcc", "clang"):
        if shutil.which(compiler) is None:
            print(f"{compiler}: not installed, left out")
            continue
        if full:
            for level in ("-O0", "-O2", "-O3"):
                for march in marches:
                    yield compiler, level, march
        else:
            yield compiler, "-O0", marches[0]
            for march in marches[1:]:
                yield compiler, "-O3", march


def run(work, compiler, level, march):
    """Returns {(instruction set, threads): text printed}, seconds."""
    program = work / f"scene-{compiler}{level}-{march}"
    start = time.monotonic()
    command = [compiler, level, f"-march={march}", *FLAGS]
    objects = []
    for isa, extra in instruction_sets().items():
        for source in KERNELS:
            objects.append(f"{program}-{isa}-{source.stem}.o")
            subprocess.run([*command, *extra, f"-DSIM_ISA_NAME={isa}", f"-DSIM_WIDE_{isa.upper()}", "-c", str(source), "-o", objects[-1]], check=True)
    subprocess.run([*command, *map(str, SOURCES), *objects, "-o", str(program), "-lxxhash", "-lpthread", "-lm"], check=True)
    printed = {}
    for isa in subprocess.run([str(program), "--list"], check=True, capture_output=True, text=True).stdout.split():
        for threads in THREADS:
            done = subprocess.run([str(program), str(threads), isa], check=True, capture_output=True, text=True)
            printed[isa, threads] = done.stdout
    return printed, time.monotonic() - start


def golden():
    for line in (ROOT / "tests/golden/sim.txt").read_text().splitlines():
        words = line.split()
        if words[:1] == ["scene"]:
            return words[1]
    sys.exit("tests/golden/sim.txt has no line \"scene HASH\"")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="all combinations")
    parser.add_argument("--work", type=pathlib.Path, help="keep the programs here")
    arguments = parser.parse_args()
    work = arguments.work or pathlib.Path(tempfile.mkdtemp(prefix="weft-determinism-"))
    work.mkdir(parents=True, exist_ok=True)
    seen, count = {}, 0
    try:
        chosen = list(combinations(arguments.full))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = [(names, pool.submit(run, work, *names)) for names in chosen]
            for names, future in runs:
                try:
                    printed, seconds = future.result()
                except subprocess.CalledProcessError as error:
                    sys.exit(f"{' '.join(map(str, error.cmd[:3]))} ended with {error.returncode}\n{error.stderr or ''}")
                for (isa, threads), text in printed.items():
                    seen.setdefault(text, []).append((*names, isa, threads))
                finals = sorted({text.split()[-1] for text in printed.values()})
                print(f"{' '.join(finals)}  {names[0]:5} {names[1]} -march={names[2]:9} {len(printed)} runs ({seconds:.1f} s)", flush=True)
                count += len(printed)
    finally:
        if arguments.work is None:
            shutil.rmtree(work, ignore_errors=True)
    if len(seen) != 1:
        print(f"{len(seen)} different results:")
        for text, names in seen.items():
            print(text.replace("\n", " "), "from", *("/".join(map(str, name)) for name in names))
        return 1
    final = next(iter(seen)).split()[-1]
    if final != golden():
        print(f"all agree on {final}, but tests/golden/sim.txt has {golden()}: if the change of numbers is wanted, put it there")
        return 1
    print(f"{count} runs, one hash: {final}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
