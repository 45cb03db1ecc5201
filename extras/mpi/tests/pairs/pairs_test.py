#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pairs_test.py MPIEXEC BUILD LIBRARY [--large]: does a call depend on the call before it?

Collectives of every form and length, each behind each (pairs.h): by MPI's names with libgossipfab_pmpi before it, and
by plans of libgossipfab_mpi. A plan that keeps the layout of the call before, where the greatest counts agree, must be
found. --large: of all lengths, at 2 to 4 ranks, in every setting; and with AddressSanitizer."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MPIEXEC, BUILD, LIBRARY = sys.argv[1], *map(pathlib.Path, sys.argv[2:4])
LARGE = "--large" in sys.argv
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                   ASAN_OPTIONS="detect_leaks=0")  # of what MPI itself keeps
LENGTHS = [0, 1, 2, 5, 8, 40] if LARGE else [1, 8]
LONGER = [1, 8, 5000]  # through memory that is shared, or by MPI
# Solvers and models of the plans, by the collective; what repeats takes any length, by a granule.
MODELS = {"alone": ["--link-mode", "full"], "any": ["--link-mode", "full", "--blocks", "any"]}


def fail(message):
    print(f"pairs_test: {message}", file=sys.stderr)
    sys.exit(1)


def run(ranks, program, *arguments, before=(), **settings):
    words = [MPIEXEC, "-n", str(ranks), "env", *(f"{name}={value}" for name, value in settings.items())]
    words += [f"LD_PRELOAD={':'.join(map(str, before))}"] if before else []
    return subprocess.run(words + [str(program), *map(str, arguments)], env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=1800 if LARGE else 300, check=False)


def good(*arguments, **settings):
    """How many pairs there were, all of them right."""
    done = run(*arguments, **settings)
    found = re.search(r": (\d+) pairs, 0 wrong$", done.stdout, re.M)
    if done.returncode != 0 or not found:
        fail(f"{arguments}, {settings}: exit status {done.returncode}\n{done.stdout}{done.stderr[-3000:]}")
    return int(found.group(1))


def schedules(folder, ranks, model):
    """Of each collective, rooted ones at the first rank and the last."""
    made = []
    for collective in ("all-gather", "reduce-scatter", "all-reduce", "all-to-all", "barrier", "reduce", "broadcast"):
        for root in (0, ranks - 1) if collective in ("reduce", "broadcast") else (0,):
            file = folder / f"{ranks}-{model}-{collective}-{root}.gfs"
            words = [BUILD / "bin/gossipfab", "schedule", "-t", f"complete:{ranks}", *MODELS[model], "-c", collective,
                     "-o", file]
            words += ["--root", str(root)] if collective in ("reduce", "broadcast") else []
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            made += [file] if done.returncode == 0 else []
    if len(made) < 4:
        fail(f"{ranks} ranks, {model}: {len(made)} schedules")
    return made


def by_plans(folder, program, rank_counts, more=()):
    pairs = 0
    for ranks in rank_counts:
        for model, granule in (("alone", 0), ("any", 3)):
            files = schedules(folder, ranks, model)
            for far in ((), ("--far",)) if LARGE else ((),):
                pairs += good(ranks, program, *more, *far, granule, ",".join(map(str, LENGTHS)), *files)
    return pairs


def by_names(program, library, rank_counts, more=(), before=()):
    """With GOSSIPFAB_SWITCH=40 a length is whole in one call and cut in another."""
    pairs, before = 0, (*before, library)
    for ranks in rank_counts:
        pairs += good(ranks, program, *more, *LENGTHS, before=before, GOSSIPFAB_SWITCH=40)
    for setting in ({}, {"GOSSIPFAB_SHARED_MEMORY": 0}, {"GOSSIPFAB_TOPOLOGY": "path:3"}) if LARGE else ():
        pairs += good(3, program, *more, *LONGER, before=before, **setting)
    return pairs + good(2, program, *more, "--threads", 2, *LENGTHS[1:4:2], before=before)


def mutant(folder):
    """The layout is kept where the greatest counts agree: CMakeLists.txt plants it."""
    done = run(3, BUILD / "bin/gfab_mpi_pairs_mutant", 0, "8", *schedules(folder, 3, "alone"))
    if done.returncode == 0 or "all-gather-v of 8 is wrong after all-gather of 8" not in done.stderr:
        fail(f"the mutant was to be found:\n{done.stdout}{done.stderr}")


def sanitized(folder):
    """By AddressSanitizer, with buffers that end where the data ends."""
    run_time = subprocess.run(["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout
    pairs = by_plans(folder, BUILD / "bin/gfab_mpi_pairs_plans_exact", (2, 3, 4), ("--exact",))
    return pairs + by_names(BUILD / "bin/gfab_mpi_pairs_exact", BUILD / "tests/extras/mpi/libgfab_pmpi_exact.so", (2, 3, 4),
                            ("--exact",), (pathlib.Path(run_time.strip()).resolve(),))


def main():
    probe = run(2, "true")
    if probe.returncode != 0:
        print(f"pairs_test: skipped, {MPIEXEC} starts nothing here: {probe.stderr.strip()[:200]}", file=sys.stderr)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        mutant(folder)
        rank_counts = (2, 3, 4) if LARGE else (3,)
        pairs = by_plans(folder, BUILD / "bin/gfab_mpi_pairs_plans", rank_counts)
        pairs += by_names(BUILD / "bin/gfab_mpi_pairs", LIBRARY, rank_counts)
        exact = sanitized(folder) if LARGE else 0
    print(f"pairs_test: {pairs} pairs by names and plans, {exact} with AddressSanitizer, 0 wrong; the mutant is found")


main()
