#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pairs_test.py GOSSIPFAB FOLDER CC [--large]: plans in C, call behind call in one scratch memory: does a call depend on
the call before it? A run time that remembers the length of the call before must be found."""
import pathlib
import re
import shutil
import subprocess
import sys

GOSSIPFAB, FOLDER, CC = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
LARGE = "--large" in sys.argv
HERE = pathlib.Path(__file__).resolve().parent
LENGTHS = [0, 1, 2, 5, 8, 40] if LARGE else [1, 8]
ROOTS = {"reduce": ("first", "last"), "broadcast": ("first", "last")}


def call(*words, codes=(0,)):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=200, check=False)
    if done.returncode not in codes:
        raise SystemExit(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def plans(folder, graph, ranks, options):
    """An object of each plan that there is."""
    objects = []
    for collective in ("all-gather", "reduce-scatter", "all-reduce", "all-to-all", "barrier", "reduce", "broadcast"):
        for root in ROOTS.get(collective, ("",)):
            name = "_".join(["plan", collective.replace("-", "_")] + ([root] if root else []))
            gfs, made = folder / f"{name}.gfs", folder / name
            words = ["--root", str(ranks - 1 if root == "last" else 0)] if root else []
            if call(GOSSIPFAB, "schedule", graph, "-c", collective, *options, *words, "-o", gfs, codes=(0, 2)).returncode:
                continue
            call(GOSSIPFAB, "convert", gfs, "--to", "c-plan", "-o", made)
            objects.append(folder / f"{name}.o")
            call(CC, "-Wall", "-Wextra", "-Werror", f"-DGFAB_PLAN={name}", "-I", made, "-c", "-o", objects[-1],
                 made / "plan.c")
    if len(objects) < 4:
        raise SystemExit(f"{graph} {options}: {len(objects)} plans")
    return objects, made


def build(program, objects, made, run_time):
    call(CC, "-std=c17", "-O1", "-Wall", "-Wextra", "-Werror", "-I", made, "-I", HERE, "-I", HERE.parents[2] / "mpi/tests/pairs",
         "-o", program, *objects, run_time, HERE / "lines.c", HERE / "pairs_carry.c", HERE.parents[2] / "mpi/tests/pairs/pairs.c")


def mutant(program, objects, made, ranks):
    """The run time keeps a count, which outlives its call."""
    text = (made / "gfab_carry.c").read_text(encoding="utf-8")
    changed = re.sub(r"const size_t count = call->count, pieces", "static size_t kept;\n    const size_t count = "
                     "kept ? kept : call->count, pieces", text).replace(
                         "    if (piece >= pieces)\n", "    kept = kept || count < 8 ? kept : count;\n"
                         "    if (piece >= pieces)\n")
    if changed.count("kept") != 6:
        raise SystemExit("gfab_carry.c: there is no place for the mutant")
    source = program.with_suffix(".mutant.c")
    source.write_text(changed, encoding="utf-8")
    build(program, objects, made, source)
    done = call(program, ranks, 0, *LENGTHS, codes=(0, 1))
    if done.returncode == 0 or "is wrong after" not in done.stderr:
        raise SystemExit(f"the mutant was to be found:\n{done.stdout}{done.stderr}")


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    pairs = 0
    cases = [("cycle:3", 3, ["--link-mode", "full"], 0), ("path:3", 3, ["--link-mode", "full", "--blocks", "any"], 3)]
    if LARGE:
        cases += [("complete:2", 2, [], 0), ("mesh:2x3", 6, ["--link-mode", "full"], 0), ("star:4", 4, [], 0),
                  ("torus:3x3", 9, ["--link-mode", "full", "--blocks", "any"], 2)]
    for number, (graph, ranks, options, granule) in enumerate(cases):
        folder = FOLDER / str(number)
        folder.mkdir(parents=True)
        objects, made = plans(folder, graph, ranks, options)
        build(folder / "ranks", objects, made, made / "gfab_carry.c")
        done = call(folder / "ranks", ranks, granule, *LENGTHS)
        pairs += int(re.search(r": (\d+) pairs, 0 wrong", done.stdout).group(1))
        if number == 0:
            mutant(folder / "mutant", objects, made, ranks)
    print(f"pairs_test: {pairs} pairs by plans in C, 0 wrong; the mutant is found")


main()
