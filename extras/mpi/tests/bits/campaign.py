#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""campaign.py MPIEXEC BIN LIBRARY [--cases N] [--ranks 2,3,8,16]: have sums the same bits however they are asked for?

By libgossipfab_pmpi: over length, offset, what stands beside an element, calls, places of ranks, algorithms that MPI is
forced to, and graphs. By schedules with a granule: over length, segment and places. By the C model and RTL of a fabric:
those of MPI processes. MPI's own count stands beside. Without --cases it is short. A line for each run."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

PARSER = argparse.ArgumentParser()
PARSER.add_argument("mpiexec")
PARSER.add_argument("bin", type=pathlib.Path)
PARSER.add_argument("library", type=pathlib.Path)
PARSER.add_argument("--cases", type=int, default=0, help="at each number of ranks")
PARSER.add_argument("--ranks", default="2,3,8,16")
ARGS = PARSER.parse_args()
BIN, LARGE, MPICH = ARGS.bin.resolve(), ARGS.cases > 0, "mpich" in ARGS.mpiexec
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")
PATIENCE = 36000 if LARGE else 120
RULES = "OMPI_MCA_coll_tuned_use_dynamic_rules=1"
FORCED = ([f"{RULES} OMPI_MCA_coll_tuned_allreduce_algorithm={n} OMPI_MCA_coll_tuned_reduce_algorithm={n} "
           f"OMPI_MCA_coll_tuned_reduce_scatter_algorithm={min(n, 4)}" for n in range(1, 7)] if not MPICH else
          ["MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling MPIR_CVAR_REDUCE_INTRA_ALGORITHM=binomial",
           "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=reduce_scatter_allgather "
           "MPIR_CVAR_REDUCE_INTRA_ALGORITHM=reduce_scatter_gather"])


def fail(message):
    print(f"campaign: {message}", file=sys.stderr)
    sys.exit(1)


def run(name, ranks, program, *arguments, loaded=True, env=()):
    """What it says, which is printed but for totals; the library is loaded, or not."""
    words = [ARGS.mpiexec, "-n", str(ranks), "env", *env] + ([f"LD_PRELOAD={ARGS.library.resolve()}"] if loaded else [])
    start = time.monotonic()
    done = subprocess.run(words + [str(BIN / program), *map(str, arguments)], env=ENVIRONMENT, capture_output=True,
                          text=True, timeout=PATIENCE, check=False)
    if done.returncode != 0:
        fail(f"{name}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    for line in done.stdout.splitlines():
        if not line.startswith("total "):
            print(f"{name:22} {line} ({time.monotonic() - start:.0f} s)", flush=True)
    return done.stdout


def others(said):
    """Elements with other bits, in all lines together."""
    counts = re.findall(r"float (\d+), double (\d+), bfloat16 (\d+)", said)
    if not counts:
        fail(f"no counts: {said}")
    return sum(int(number) for line in counts for number in line)


def digest(said):
    return re.search(r"digest (\w+)", said)[1]


def bits(ranks, cases):
    """One bracketing, which is the one that is added up by hand; MPI's own beside it."""
    ours = run("one bracketing", ranks, "gfab_mpi_bits", cases, ranks)
    if others(ours) or "by hand 0 of" not in ours:
        fail(f"{ranks} ranks: elements with other bits")
    own = run("MPI's own", ranks, "gfab_mpi_bits", cases // 10 if LARGE else cases, ranks, loaded=False)
    if ranks == 3 and not MPICH and not others(own):
        fail("MPI's own sums have the same bits: the test sees nothing")


def forced(ranks, cases):
    """MPI's algorithms change nothing here, though they change MPI's own."""
    want = digest(run("one bracketing", ranks, "gfab_mpi_bits", cases, 9))
    own = set()
    for number, words in enumerate(FORCED, 1):
        ours = run(f"algorithm {number}", ranks, "gfab_mpi_bits", cases, 9, env=words.split())
        if others(ours) or digest(ours) != want:
            fail(f"{words}: other bits")
        own.add(digest(run(f"algorithm {number}, own", ranks, "gfab_mpi_bits", cases, 9, loaded=False,
                           env=words.split())))
    if len(own) < 2:
        fail(f"{own}: MPI's algorithms have the same bits: the test sees nothing")
    if not others(run("MPI_Reduce, own", ranks, "gfab_mpi_bits", cases, 9, env=["GOSSIPFAB_MPI_OWN=MPI_Reduce"])) \
            and not MPICH:
        fail("some of MPI's own sums have the same bits: the test sees nothing")
    if not MPICH:  # as between machines, and by other cores
        for words in ("OMPI_MCA_btl=tcp,self", "OMPI_MCA_hwloc_base_binding_policy=none"):
            if digest(run(words, ranks, "gfab_mpi_bits", cases, 9, env=[words])) != want:
                fail(f"{words}: other bits")


def graphs(cases):
    """The same vectors on six graphs of 16."""
    seen = set()
    for graph in ("complete:16", "path:16", "cycle:16", "mesh:4x4", "torus:4x4", "hypercube:4"):
        said = run(graph, 16, "gfab_mpi_bits", cases, 5, env=[f"GOSSIPFAB_TOPOLOGY={graph}"])
        if others(said):
            fail(f"{graph}: other bits")
        seen.add(digest(said))
    linear = digest(run("linear", 16, "gfab_mpi_bits", cases, 5, env=["GOSSIPFAB_BRACKET=linear"]))
    if len(seen) != 1 or linear in seen:
        fail(f"six graphs, and another bracketing: {seen}, {linear}")


def schedule(folder, name, *words):
    path = folder / f"{name}.gfs"
    subprocess.run([BIN / "gossipfab", "schedule", "--link-mode", "full", *words, "-o", path], check=True,
                   timeout=PATIENCE, capture_output=True)
    return path


GRAPHS = {2: ["path:2"], 3: ["cycle:3"], 8: ["hypercube:3", "torus:2x4", "cycle:8"], 16: ["torus:4x4", "hypercube:4"]}


def granule(folder, ranks, cases):
    """Schedules for any length; as the solvers like them, and with one bracketing."""
    files = []
    for graph in GRAPHS[ranks] if LARGE else GRAPHS[ranks][:1]:
        for collective in ("all-reduce", "reduce-scatter", "reduce") if LARGE else ("all-reduce",):
            for more in ([], ["--one-bracket"]):
                name = f"{graph.replace(':', '-')}-{collective}{''.join(more)}"
                files.append(schedule(folder, name, "-t", graph, "-c", collective, "--blocks", "any", *more))
    if others(run("granule", ranks, "gfab_mpi_granule", cases, 7, *files)):
        fail(f"granule: {ranks} ranks: elements with other bits")
    if ranks == 3 and not others(run("one block off", ranks, "gfab_mpi_granule", min(cases, 600), 7, "--off", *files)):
        fail("segments that begin elsewhere have the same bits: the test sees nothing")


def rtl_totals(folder, path, bits_of_token):
    """{(node, block): hex} as the RTL's store has them, by Icarus Verilog; the bench says what it reads."""
    fabric = folder / "fabric"
    subprocess.run([BIN / "gossipfab", "generate", "--schedule", path, "--operator", "bfloat16", "--token-bits",
                    str(bits_of_token), "--link-bits", "16", "-o", fabric], check=True, capture_output=True,
                   timeout=PATIENCE)
    bench = fabric / "tb" / "tb_fabric.v"
    text = bench.read_text(encoding="utf-8")
    changes = {"checked = checked + 1;": 'checked = checked + 1; $display("total %0d %0d %h", v, b, got[v][W-1:0]);',
               "limb = z ^ (z >> 31);":  # as in fabric.c
                   "limb = ((z ^ (z >> 31)) & 64'h81ff81ff81ff81ff) | 64'h3e003e003e003e00;"}
    for old, new in changes.items():
        if text.count(old) != 1:
            fail(f"tb_fabric.v has not one '{old}'")
        text = text.replace(old, new)
    bench.write_text(text, encoding="utf-8")
    done = subprocess.run(["make", "sim-icarus"], cwd=fabric, capture_output=True, text=True, timeout=PATIENCE,
                          check=False)
    if "PASS" not in done.stdout:
        fail(f"RTL: {done.stdout[-1500:]}{done.stderr[-1500:]}")
    shutil.rmtree(fabric)
    return set(re.findall(r"^total \d+ \d+ \w+$", done.stdout, re.M))


def fabric(folder):
    """The same vectors by MPI processes, by the C model, and by RTL, where Icarus Verilog is."""
    sizes = {"hypercube:2": 4, "path:3": 3, "cycle:5": 5, "hypercube:3": 8, "torus:4x4": 16}
    for graph, ranks in sizes.items() if LARGE else [("hypercube:2", 4)]:
        path = schedule(folder, "fabric", "-t", graph, "-c", "all-reduce", "--bracket", "binary")
        said = run(f"C model, {graph}", ranks, "gfab_mpi_fabric", path, 512, 16, 1)
        if "otherwise than by MPI 0" not in said:
            fail(f"C model, {graph}: other bits")
        if shutil.which("iverilog"):
            totals = rtl_totals(folder, path, 512)
            if totals != set(re.findall(r"^total .*$", said, re.M)):
                fail(f"RTL, {graph}: other bits")
            print(f"{'RTL, ' + graph:22} {len(totals)} totals with the same bits", flush=True)
    linear = run("linear", 4, "gfab_mpi_fabric", schedule(folder, "fabric", "-t", "hypercube:2", "-c", "all-reduce",
                                                          "--bracket", "binary"), 512, 16, 1,
                 env=["GOSSIPFAB_BRACKET=linear"])
    if "otherwise than by MPI 0" in linear:
        fail("the C model has the bits of another bracketing: the test sees nothing")


def main():
    probe = subprocess.run([ARGS.mpiexec, "-n", "2", "true"], env=ENVIRONMENT, capture_output=True, text=True,
                           check=False)
    if probe.returncode != 0:
        print(f"campaign: skipped, {ARGS.mpiexec} starts nothing here: {probe.stderr.strip()[:200]}", file=sys.stderr)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        fabric(folder)
        if not LARGE:
            bits(2, 100)
            bits(3, 100)
            granule(folder, 3, 100)
            return
        for ranks in map(int, ARGS.ranks.split(",")):
            bits(ranks, ARGS.cases)
            granule(folder, ranks, ARGS.cases)
        forced(5, max(ARGS.cases // 100, 120))
        graphs(max(ARGS.cases // 100, 120))
    print("campaign: good")


main()
