#!/usr/bin/env python3
"""Runs the scenes (scene.h) in each instruction set on several numbers of threads with programs of several
compilers and flags, and compares what they print with each other and with tests/golden/sim.txt.

    matrix.py                             gcc and clang, -O0 and -O3, 1 and 4 threads
    matrix.py --full                      also -O2, several -march, 1, 2, 3, 4, 8 and 16 threads; runs to the end
    matrix.py --program FILE [--brief]    a program that is built already; --brief if it is a slow one
    matrix.py --soak SECONDS              --full, then random edits from new seeds for so long

--under COMMAND runs a program of another processor (an emulator and its options), and then on one thread only. What is not
run to the end stops early, and what was printed by then is compared. Prints a line a program, and last the instruction
sets that nothing here could run. Ends with status 1 if any two differ, or if they agree on something else than the golden
hashes (--write puts those there).
"""
import argparse
import concurrent.futures
import os
import pathlib
import platform
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIM = ROOT / "server/sim"
GOLDEN = ROOT / "tests/golden/sim.txt"
# The names of scenes, and their names in the golden file.
SCENES = {"falls": "scene"} | {name: name for name in (
    "holds", "rails", "loads", "materials", "inside", "shapes", "clay", "rods", "wires", "rigid", "trampoline", "stack", "hulls", "compounds", "hammocks", "joints", "hooks", "pulls",
    "fans", "edits")}
BRIEF_TICKS = 20
# As the build has them; -ffp-contract=off is what keeps -march=x86-64-v3 from fusing.
FLAGS = ["-std=c17", "-D_GNU_SOURCE", "-ffp-contract=off", "-fno-fast-math", f"-I{ROOT}", f"-I{ROOT / 'server'}"]
JOBS = int(os.environ.get("JOBS") or os.cpu_count() or 2)
X86 = platform.machine() in ("x86_64", "AMD64")


class Difference(Exception):
    pass


# ------------------------------------------------------------------------------------------------ programs


def instruction_sets():
    """All that server/sim/CMakeLists.txt has, and the flags of each."""
    text = (SIM / "CMakeLists.txt").read_text()
    return {isa: more.split() for isa, more in re.findall(r"^ *add_kernels\((\w+)([^)]*)\)", text, re.M)}


def kernels():
    """The sources that server/sim/CMakeLists.txt compiles for each instruction set, and the flags of each."""
    text = (SIM / "CMakeLists.txt").read_text()
    names = re.search(r"set\(kernel_sources ([^)]*)\)", text).group(1).split()
    for folder in re.findall(r"^list\(TRANSFORM kernel_sources PREPEND (\w+/)\)", text, re.M):
        names = [folder + name for name in names]
    kinds = re.search(r"^file\(GLOB kind_sources .* (\S+)\)", text, re.M).group(1)
    left_out = re.search(r"^list\(REMOVE_ITEM kind_sources ([^)]*)\)", text, re.M).group(1).split()
    found = sorted({str(source.relative_to(SIM)) for source in SIM.glob(kinds)} - set(left_out))
    for more in re.findall(r"^list\(APPEND kernel_sources ([^)]*)\)", text, re.M):
        names += found if more == "${kind_sources}" else more.split()
    here = {isa: more for isa, more in instruction_sets().items() if isa == "scalar" or X86 == (isa != "neon")}
    return [SIM / name for name in names], here


def objects(work, compiler, level, march):
    """Commands that make the objects of one program, and the objects."""
    command = [compiler, level, f"-march={march}", *FLAGS]
    sources, sets = kernels()
    prefix = f"{compiler}{level}-{march}"
    for isa, more in sets.items():
        for source in sources:
            out = work / f"{prefix}-{isa}-{source.parent.name}-{source.stem}.o"
            named = [f"-DSIM_ISA_NAME={isa}", f"-DSIM_WIDE_{isa.upper()}"]
            yield [*command, *more, *named, "-c", str(source), "-o", str(out)], out
    rest = sorted((ROOT / "server/base").glob("*.c")) + sorted(set(SIM.rglob("*.c")) - set(sources))
    rest += sorted((ROOT / "tests/determinism").glob("*.c")) + [
        ROOT / "protocol/fault/fault.c", ROOT / "protocol/utf8/utf8.c"] + sorted((ROOT / "protocol/sizing").glob("*.c"))
    for source in rest:
        out = work / f"{prefix}-{source.parent.name}-{source.stem}.o"
        yield [*command, "-c", str(source), "-o", str(out)], out


def run_command(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Difference(f"{' '.join(map(str, command[:8]))} ended with {done.returncode}\n{done.stderr}")
    return done.stdout


def build(pool, work, compiler, level, march):
    """Compiles in parallel; returns the program."""
    commands = list(objects(work, compiler, level, march))
    for made in [pool.submit(run_command, command) for command, _ in commands]:
        made.result()
    program = work / f"scene-{compiler}{level}-{march}"
    run_command([compiler, *(str(out) for _, out in commands), "-o", str(program), "-lxxhash", "-lpthread", "-lm"])
    return program


def machines():
    """-march values that this machine can run."""
    if not X86:
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
            yield from ((compiler, level, march) for level in ("-O0", "-O2", "-O3") for march in marches)
        else:
            yield compiler, "-O0", marches[0]
            yield compiler, "-O3", marches[-1]


# ---------------------------------------------------------------------------------------------------- runs


class Results:
    """What was printed, by scene and seed: the longest of all, which the others must be a beginning of."""

    def __init__(self):
        self.longest, self.count, self.tried = {}, 0, set()

    def add(self, name, what, lines):
        self.count += 1
        known, known_name = self.longest.setdefault(what, (lines, name))
        for i, (line, other) in enumerate(zip(lines, known)):
            if line != other:
                raise Difference(f"{what[0]}, seed {what[1]}: {name} differs from {known_name} in line {i + 1}:\n"
                                 f"  {line}\n  {other}")
        if len(lines) > len(known):
            self.longest[what] = lines, name


def run(results, label, program, scene, isa, threads, ticks=0, seed=1):
    """program: a command, as a list."""
    text = run_command([*program, scene, str(threads), isa, str(ticks), str(seed)]).split("\n")
    lines = [line for line in text if line and not line.startswith("final")]
    if not lines or (ticks == 0 and not text[-2].startswith("final")):
        raise Difference(f"{label} {scene}: nothing came of it")
    results.tried.add(isa)
    results.add(f"{label} {isa} on {threads} threads", (scene, seed), lines)


def run_all(pool, results, label, program, threads, whole):
    """All instruction sets, numbers of threads and scenes, cut short; whole: which go on to the end, "none", "some"
    (the widest and the narrowest) or "all"."""
    start, before = time.monotonic(), results.count
    isas = run_command([*program, "--list"]).split()
    ends = {(isas[-1], threads[-1], scene) for scene in SCENES} | {(isas[0], threads[0], "edits")}
    jobs = []
    for scene in SCENES:
        for isa in isas:
            for n in threads:
                to_end = whole == "all" or (whole == "some" and (isa, n, scene) in ends)
                jobs.append((scene, isa, n, 0 if to_end else BRIEF_TICKS))
    for job in [pool.submit(run, results, label, program, *job) for job in sorted(jobs, key=lambda job: job[3])]:
        job.result()
    print(f"{label}: {results.count - before} runs alike ({time.monotonic() - start:.1f} s)", flush=True)


def golden_lines(results):
    """name -> last word of a line (of edits a digest): at BRIEF_TICKS, and at the end if any went there."""
    found = {}
    for (scene, seed), (lines, _) in results.longest.items():
        if seed != 1:
            continue
        at = {int(line.split()[0]): line.split()[-1] for line in lines}
        found[f"{SCENES[scene]}.{BRIEF_TICKS}"] = at[BRIEF_TICKS]
        if max(at) > BRIEF_TICKS:
            found[SCENES[scene]] = at[max(at)]
    return found


def check_golden(results, write):
    found = golden_lines(results)
    lines = GOLDEN.read_text().splitlines()
    if write:
        lines = [line for line in lines if line.split()[:1] not in [[name] for name in found]]
        lines += [f"{name} {found[name]}" for name in sorted(found)]
        GOLDEN.write_text("\n".join(lines) + "\n")
        return
    golden = dict(line.split() for line in lines if not line.startswith("#"))
    for name, value in found.items():
        if golden.get(name) != value:
            raise Difference(f"all agree that {name} is {value}, but tests/golden/sim.txt has {golden.get(name)}: "
                             "if the change of numbers is wanted, put it there (--write)")
    outcome = ", ".join(f"{name} {found[name]}" for name in sorted(found))
    print(f"{results.count} runs, one outcome: {outcome}", flush=True)


def tell_untried(results):
    """What is the same everywhere has to be looked at elsewhere, too."""
    untried = [isa for isa in instruction_sets() if isa not in results.tried]
    if untried:
        print(f"NOT TRIED, because nothing here runs them: {', '.join(untried)}", flush=True)


def soak(pool, programs, seconds):
    """Random edits from new seeds, each with every program and instruction set, on newly drawn threads."""
    end, first = time.monotonic() + seconds, random.SystemRandom().randrange(2, 1 << 48)
    seeds = runs = 0
    while seeds == 0 or time.monotonic() < end:
        seed, results, jobs = first + seeds, Results(), []
        for label, program in programs:
            for isa in run_command([*program, "--list"]).split():
                jobs.append((results, label, program, "edits", isa, random.choice((1, 2, 3, 4, 8, 16)), 0, seed))
        for job in [pool.submit(run, *job) for job in jobs]:
            job.result()
        seeds, runs = seeds + 1, runs + results.count
        print(f"seed {seed}: {results.count} runs alike, {max(0, end - time.monotonic()):.0f} s left", flush=True)
    print(f"soak: {seeds} seeds, {runs} runs, no difference")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="all combinations")
    parser.add_argument("--soak", type=float, metavar="SECONDS", help="all combinations, then new seeds for so long")
    parser.add_argument("--program", type=pathlib.Path, help="run this one, compile none")
    parser.add_argument("--under", metavar="COMMAND", default="", help="what runs --program")
    parser.add_argument("--brief", action="store_true", help="--program is slow: stop early")
    parser.add_argument("--write", action="store_true", help="write the golden hashes")
    parser.add_argument("--work", type=pathlib.Path, help="keep the programs here")
    arguments = parser.parse_args()
    full = arguments.full or arguments.soak is not None
    threads = (1, 2, 3, 4, 8, 16) if full else (1,) if arguments.under else (1, 4)
    work = arguments.work or pathlib.Path(tempfile.mkdtemp(prefix="weft-determinism-"))
    work.mkdir(parents=True, exist_ok=True)
    results, programs = Results(), []
    pool = concurrent.futures.ThreadPoolExecutor(JOBS)
    try:
        if arguments.program is not None:
            program = [*shlex.split(arguments.under), str(arguments.program.resolve())]
            run_all(pool, results, arguments.program.name, program, threads, "none" if arguments.brief else "some")
        else:
            for names in combinations(full):
                program = [str(build(pool, work, *names))]
                slow, label = names[1] == "-O0", "{} {} -march={}".format(*names)
                whole = ("some" if slow else "all") if full else ("none" if slow else "some")
                run_all(pool, results, label, program, threads, whole)
                if not slow:
                    programs.append((label, program))
        check_golden(results, arguments.write)
        tell_untried(results)
        if arguments.soak is not None:
            soak(pool, programs, arguments.soak)
    except Difference as difference:
        print(difference, flush=True)
        return 1
    finally:
        pool.shutdown(cancel_futures=True)
        if arguments.work is None:
            shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
