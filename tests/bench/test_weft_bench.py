#!/usr/bin/env python3
"""weft-bench does what its help says: wrong usage, the fields of its JSON, and equal hashes.

    test_weft_bench.py WEFT-BENCH GOLDEN-SCENES STIFF-SCENES
"""

import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

BENCH = sys.argv[1]
FIELDS = {"case", "width", "isa", "threads", "constraints", "substeps", "ns_per_constraint", "ms_per_tick",
          "share_of_limit", "hash"}


def run(*arguments):
    return subprocess.run([BENCH, *arguments], capture_output=True, text=True, timeout=300, check=False)


def refused(text, *arguments):
    """Exit status 2 and one line on stderr that says what is wrong."""
    done = run(*arguments)
    assert done.returncode == 2, (arguments, done.returncode, done.stderr)
    assert text in done.stderr and done.stderr.count("\n") == 1, (arguments, done.stderr)
    assert done.stdout == "", (arguments, done.stdout)


def solver(folder, *arguments):
    return told(folder, "solver", *arguments)


def told(folder, *arguments):
    path = Path(folder) / "out.json"
    done = run(*arguments, "--json", str(path))
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    rows = json.loads(path.read_text())
    assert isinstance(rows, list) and rows, arguments
    for row in rows:
        assert FIELDS <= row.keys(), (arguments, FIELDS - row.keys())
    return done.stdout, rows


STIFF = {"solver", "size", "substeps", "iterations", "reference", "equal_time", "ms_per_tick", "ms_first_tick",
         "strain_worst", "strain_rms", "strain_greatest"}
SWINGS = {"lowest_first", "lowest_second", "kinetic_first", "kinetic_second", "ms_per_tick_swinging"}
DROOPS = {"held", "stand", "capsules", "table"}


def stiff(folder):
    """Each case with small bodies; long edges help; a row is the world of the scene of its name."""
    out, rows = told(folder, "stiff", "--quick", "--substeps", "10", "--reference")
    assert {row["case"] for row in rows} == {"hung", "rope", "strip", "drape"} | DROOPS, out
    solvers = {row["solver"] for row in rows}
    assert {"before", "long"} <= solvers and ("jolt" in solvers) == ("no rows of jolt" not in out), out
    assert {row["case"] for row in rows if row["reference"]} == {"hung", "drape"} | DROOPS, out
    for row in rows:
        assert STIFF <= row.keys(), (row["case"], STIFF - row.keys())
        assert (row["hash"] is None) == (row["solver"] == "jolt"), row
        assert 0 < row["strain_rms"] and row["strain_worst"] <= row["strain_greatest"] < 10, row
        if row["case"] in ("hung", "rope"):
            assert SWINGS <= row.keys() and -10 < row["lowest_first"] < -0.3 and row["kinetic_first"] > 0, row
            assert row["case"] != "hung" or -0.01 < row["side"] <= row["strain_worst"], row
        elif row["case"] == "strip":
            # The elastica of the table of p = 8, and of a hundredth of it, which hardly bends: p / 8.
            assert abs(row["elastica"] - (0.640630717 if row["stiffness"] == 1 else 0.01)) < 1e-4, row
            assert 0 < row["sag"] < 1, row
        elif row["case"] in DROOPS:
            assert row["stiffness"] == 100 and 0 < row["droop"] < 1 and 0 < row["droop_reference"] < 1, row
        else:
            assert 0 < row["drape"] < 1 and 0 < row["drape_reference"] < 1, row

    def greatest(solver, case, size):
        return next(row["strain_greatest"] for row in rows if row["solver"] == solver and row["case"] == case
                    and row["size"] == size and not row["reference"] and not row["equal_time"])

    assert greatest("long", "hung", 12) < 0.5 * greatest("before", "hung", 12), out
    assert greatest("long", "rope", 1000) < 0.5 * greatest("before", "rope", 1000), out
    table = {row["solver"]: abs(row["droop"] / row["droop_reference"] - 1) for row in rows
             if row["case"] == "table" and not row["reference"]}
    assert table["solved"] < 0.5 * table["before"], out
    assert run("stiff", "--quick", "--case", "strip", "--solvers", "long").stdout.count(" long ") == 6

    out, rows = told(folder, "stiff", "--case", "hung", "--sizes", "50", "--substeps", "20", "--seconds", "1",
                     "--solvers", "long")
    _, scene = solver(folder, "--scene", str(Path(sys.argv[3]) / "hung-50.json"), "--quick", "--runs", "1",
                      "--threads", "1")
    assert [row["hash"] for row in rows] == [row["hash"] for row in scene], (out, scene)

    path = Path(folder) / "ended.json"
    with subprocess.Popen([BENCH, "stiff", "--case", "rope", "--sizes", "1", "--substeps", "1,1000", "--seconds", "600",
                           "--solvers", "long", "--json", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as slow:
        while "long" not in slow.stdout.readline():
            assert slow.poll() is None
        slow.send_signal(signal.SIGINT)
        _, told_why = slow.communicate(timeout=300)
    assert slow.returncode == 130 and "Ctrl-C" in told_why, told_why
    assert [row["substeps"] for row in json.loads(path.read_text())] == [1]


CHAINS = {"solver", "failed", "strain_greatest", "strain_median", "strain_rms", "energy_gained", "energy_end", "off"}


def chains(folder):
    """Long edges hold ropes, sweeps and the plain direct solve do not hold 100 kg, and starts are of their numbers."""
    out, rows = told(folder, "chains", "--quick")
    assert len({row["case"] for row in rows}) == 12 and {row["width"] for row in rows} == {2}, out
    for row in rows:
        assert CHAINS <= row.keys(), (row["case"], CHAINS - row.keys())
        if row["solver"] in ("long", "newton"):
            assert row["failed"] == 0 or row["case"] in ("chains/lasso", "chains/jerk", "chains/long"), row
    heavy = {row["solver"]: row for row in rows if row["case"] == "chains/heavy" and row["substeps"] == 10}
    assert heavy["long"]["strain_greatest"] < 0.02 and heavy["swept"]["failed"] == 2, heavy
    assert heavy["direct"]["failed"] == 2 and heavy["raised"]["failed"] == 0, heavy

    _, rows = told(folder, "chains", "--quick", "--case", "whip", "--seeds", "1", "--first", "2")
    _, both = told(folder, "chains", "--quick", "--case", "whip")
    one, = (row for row in rows if row["solver"] == "long" and row["substeps"] == 10)
    two, = (row for row in both if row["solver"] == "long" and row["substeps"] == 10)
    assert 0 < one["strain_greatest"] <= two["strain_greatest"], (one, two)


ERRORS = {"strain_max", "strain_rms", "edge_max", "edge_rms", "gap", "unresolved_stretch", "unresolved_bend",
          "unresolved_volume", "deepest", "crossings", "dropped", "lowest", "height", "kinetic"}


def gallery(folder, scenes):
    """The scenes that never change are those that it runs, and its settings are those of the options."""
    out, rows = told(folder, "gallery", "--quick", "--threads", "2", "--errors")
    assert sorted(row["scene"] for row in rows) == sorted(path.stem for path in Path(scenes).glob("*.json")), out
    for row in rows:
        assert ERRORS <= row.keys(), (row["scene"], ERRORS - row.keys())
        assert row["ticks"] == 10 and 0 < row["ms_per_tick"] <= row["ms_per_tick_worst"], row
        assert row["crossings"] == 0 and row["lowest"] > -0.01 and row["edge_rms"] <= row["edge_max"], row
        settings = json.loads((Path(scenes) / f"{row['scene']}.json").read_text())["settings"]
        assert row["substeps"] == settings.get("substeps", 20), row
    out, rows = told(folder, "gallery", "--scene", "towel", "--worst", "60", "--substeps", "20,10", "--long-edges", "on",
                     "--bending", "solved", "--errors", "--threads", "1")
    solved = {row["substeps"]: row["unresolved_bend"] for row in rows}
    out, rows = told(folder, "gallery", "--scene", "towel", "--worst", "60", "--errors")
    assert len({row["hash"] for row in rows}) == 1 and len(rows) >= 1, out
    swept = rows[0]["unresolved_bend"]
    assert solved.keys() == {10, 20} and solved[20] < 0.9 * swept and solved[20] < 0.9 * solved[10], (solved, swept)
    done = run("gallery", "--scenes", "/nowhere")
    assert done.returncode == 1 and "its folder cannot be read" in done.stderr, done


def main():
    refused("no command 'solve'", "solve")
    refused("no case 'edge'", "solver", "--case", "edge")
    refused("not a number from 2 to 2000", "solver", "--case", "edges", "--width", "1")
    refused("not a number from 2 to 100", "solver", "--width", "101", "--case", "tets")
    refused("not a number from 1 to 64", "solver", "--threads", "65")
    refused("not a number from 1 to 99", "solver", "--runs", "7x")
    refused("no instruction set 'mmx'", "solver", "--isa", "mmx")
    refused("no such option", "solver", "--widht", "32")
    refused("needs a value", "solver", "--json")
    refused("goes with the case scenes", "solver", "--case", "edges", "--scene", "flag")
    refused("'edges' is not an option", "solver", "edges")
    refused("'edges' is not an option", "journal", "edges")
    refused("no such option", "journal", "--foldr", "x")
    refused("no case 'thruput'", "stream", "--case", "thruput")
    refused("not a number from 1 to 8192", "stream", "--subscribers", "0")
    refused("7 does not divide 60", "stream", "--rate", "7")
    refused("no case 'hang'", "stiff", "--case", "hang")
    refused("goes with --case", "stiff", "--sizes", "50")
    refused("'1' is not a whole number from 2 to 400", "stiff", "--case", "hung", "--sizes", "50,1")
    refused("'5x' is not a whole number from 1 to 1000", "stiff", "--substeps", "20,5x")
    refused("has no solver 'bullet'", "stiff", "--solvers", "bullet")
    refused("'hung' is not an option", "stiff", "hung")
    refused("no rope 'cord'", "chains", "--case", "cord")
    refused("not a number from 1 to 64", "chains", "--seeds", "65")
    refused("is no option", "chains", "--sedes", "3")
    refused("is no option", "chains", "whip")
    refused("no such option", "gallery", "--tick", "3")
    refused("not a number from 1 to 100000", "gallery", "--mean", "0")
    refused("'maybe' must be on or off", "gallery", "--long-edges", "maybe")
    refused("not a number from 1 to 1000", "gallery", "--substeps", "20,0")
    refused("'flag' is not an option", "gallery", "flag")
    assert "elastica" in run("stiff", "--help").stdout and "newton" in run("chains", "--help").stdout
    assert "stalled" in run("stream", "--help").stdout
    done = run("stream", "--weftd", "/nowhere/weftd", "--quick")
    assert done.returncode == 1 and "/nowhere/weftd" in done.stderr, done
    assert run().returncode == 2
    assert run("--help").returncode == 0 and "solver" in run("--help").stdout
    assert run("solver", "--help").returncode == 0 and "edges+dihedral" in run("solver", "--help").stdout
    done = run("solver", "--case", "edges", "--json", "/nowhere/out.json")
    assert done.returncode == 1 and "/nowhere/out.json" in done.stderr, done

    done = run("solver", "--scene", "no-such-scene")
    assert done.returncode == 1 and "no-such-scene" in done.stderr, done

    with tempfile.TemporaryDirectory() as folder:
        out, rows = solver(folder, "--case", "edges+quadratic", "--width", "8", "--runs", "2")
        assert {row["case"] for row in rows} == {"edges+quadratic"}, out
        assert len({row["hash"] for row in rows}) == 1, out
        for row in rows:
            assert row["width"] == 8 and row["substeps"] == 20 and row["constraints"] == 294, row
            assert 0 < row["ns_per_constraint_best"] <= row["ns_per_constraint"], row
            assert abs(row["ms_per_tick"] / (row["ns_per_constraint"] * 294 * 20e-6) - 1) < 1e-3, row
            assert abs(sum(row["phases"].values()) - 1) < 1e-3, row
        out, rows = solver(folder, "--case", "verify", "--width", "8")
        assert all(row["equal"] for row in rows) and len(rows) == 10, out
        out, rows = solver(folder, "--case", "convergence", "--width", "32")
        assert all(0 < row["strain_rms"] and 0 < row["strain_rms_mesh_order"] for row in rows), out
        golden = json.loads(Path(sys.argv[2]).read_text())
        for scene in ("banner", "jelly"):
            out, rows = solver(folder, "--scene", scene, "--quick")
            assert len(rows) > 1 and {row["scene"] for row in rows} == {scene}, out
            assert all(row["hash"] == golden[scene]["60"] for row in rows), out
        out, rows = solver(folder, "--scene", "flag", "--threads", "1", "--runs", "2")
        assert [(row["scene"], row["hash"]) for row in rows] == [("flag", golden["flag"]["60"])], out
        out, rows = solver(folder, "--case", "contacts", "--width", "40", "--quick")
        assert {row["scene"] for row in rows} == {"resting", "box", "far"}, out
        for row in rows:
            assert (row["contacts"] > 400) == (row["scene"] != "far") and row["ns_per_particle"] > 0, row
            assert row["hash"] == next(other["hash"] for other in rows if other["scene"] == row["scene"]), out
        out, rows = told(folder, "contact", "--case", "edge-on", "--quick")
        for row in rows:
            parts = [row[f"{part}_ms_per_tick"] for part in ("finding", "pushing", "colliders", "holding")]
            assert min(parts) > 0 and row["crossings"] == 0 and row["hash"] == rows[0]["hash"], row
            assert all(f"{part} " in out for part in ("finding", "pushing", "colliders", "holding back")), out
        for case, width in (("uneven", 88), ("wrung", 51)):
            out, rows = told(folder, "contact", "--case", case, "--quick")
            assert [row["width"] for row in rows] == [width, width] and all(row["crossings"] == 0 for row in rows), out
            assert "bytes_per_particle" in rows[0], rows[0]
        out, rows = told(folder, "journal", "--quick", "--runs", "1", "--folder", folder)
        kept = [row for row in rows if row["case"] == "journal"]
        assert [row["width"] for row in kept] == [1, 16, 256] and len(rows) > len(kept), out
        for row in kept:
            assert 0 < row["median_ms"] <= row["late_ms"] and row["per_second"] > 0 and row["group"] >= 1, row
        assert all(row["bytes_an_hour"] > 0 for row in rows if row["case"] == "hour"), out
        assert not [name for name in Path(folder).iterdir() if name.name.startswith("weft-bench-")], out
        out, rows = told(folder, "stream", "--quick")
        assert {row["case"] for row in rows} == {"throughput", "age", "stalled"}, out
        for row in rows:
            if row["case"] == "throughput":
                assert row["frame_bytes"] > 900 and row["ratio"] > 0 and row["loop_us_per_frame"] > 0, row
            elif row["case"] == "age":
                assert 0 <= row["age_p50_ms"] <= row["age_p99_ms"] <= row["age_most_ms"] and row["frames"] > 0, row
            else:
                assert 0 < row["queued_kib_most"] < 256, row
        out, rows = told(folder, "stream", "--quick", "--case", "crowd", "--connections", "200", "--worlds", "5")
        assert [row["connections"] for row in rows] == [200] and rows[0]["frames"] > 0, out
        stiff(folder)
        chains(folder)
        gallery(folder, Path(__file__).parent / "scenes")
        out, rows = solver(folder, "--case", "memory", "--width", "100")
        assert all(0 < row["bytes"] < 1000 for row in rows), out
    print("weft-bench does what its help says")


main()
