#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pmpi_test.py MPIEXEC BIN LIBRARY [--large]: programs that know MPI alone, with libgossipfab_pmpi before it.

Every collective in every form has known results, in C and, where there is a compiler, by the three bindings of Fortran.
That sums have the same bits is extras/mpi/tests/bits."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

MPIEXEC, BIN, LIBRARY = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
LARGE = "--large" in sys.argv
HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 1800 if LARGE else 120
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")


def fail(message):
    print(f"pmpi_test: {message}", file=sys.stderr)
    sys.exit(1)


def command(ranks, program, *arguments, loaded=True, **settings):
    words = [MPIEXEC, "-n", str(ranks), "env"]
    words += [f"LD_PRELOAD={LIBRARY}"] if loaded else []
    return words + [f"{name}={value}" for name, value in settings.items()] + [str(program), *map(str, arguments)]


def run(*arguments, **settings):
    done = subprocess.run(command(*arguments, **settings), env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=PATIENCE, check=False)
    return done


def good(word, *arguments, **settings):
    done = run(*arguments, **settings)
    if done.returncode != 0 or word not in done.stdout:
        fail(f"{arguments}, {settings}: exit status {done.returncode}\n{done.stdout}{done.stderr[-3000:]}")
    return done


def report_of(done):
    """{call: (taken, MPI's own, text)}"""
    rows = re.findall(r"^  (MPI_\w+) +(\d+) taken +(\d+) MPI's own(.*)$", done.stderr, re.M)
    return {name: (int(taken), int(own), text) for name, taken, own, text in rows}


# ---- what the calls do ----

def calls():
    """By size and by topologies, in two bracketings; the report says what was taken."""
    for ranks in (2, 3, 5, 8, 16) if LARGE else (2, 3):
        done = good("calls: good", ranks, BIN / "gfab_mpi_calls", GOSSIPFAB_REPORT=1)
        report = report_of(done)
        for name in ("Allreduce", "Reduce", "Reduce_scatter", "Reduce_scatter_block", "Allgather", "Allgatherv", "Bcast",
                     "Alltoall", "Barrier"):
            if f"MPI_{name}" not in report or report[f"MPI_{name}"][0] == 0:
                fail(f"MPI_{name} was not taken by {ranks} ranks:\n{done.stderr}")
        if "non-blocking 2" not in report["MPI_Bcast"][2] and ranks > 2:
            fail(f"MPI_Ibcast was to be counted:\n{done.stderr}")
        if "size " not in report["MPI_Allreduce"][2]:
            fail(f"an MPI_Allreduce of 2 GiB or more was to be counted:\n{done.stderr}")
        if ranks == 3 and "sums of 3 ranks, complete:3: ((n0 + n1) + n2)" not in done.stderr:
            fail(f"the report has no bracketing:\n{done.stderr}")
    for ranks in (2, 3, 8) if LARGE else (2,):
        good("threads: good", ranks, BIN / "gfab_mpi_threads")
    good("calls: good", 3, BIN / "gfab_mpi_calls", GOSSIPFAB_SHARED_MEMORY="0")
    if LARGE:
        good("calls: good", 4, BIN / "gfab_mpi_calls", GOSSIPFAB_TOPOLOGY="path:4;path:2", GOSSIPFAB_BRACKET="linear")
        good("calls: good", 4, BIN / "gfab_mpi_calls", loaded=False)
        for topology in ("mesh:2x4;path:4", "torus:2x4", "hypercube:3;cycle:4", "cycle:8;mesh:2x2"):
            for bracket in ("binary", "linear"):
                good("calls: good", 8, BIN / "gfab_mpi_calls", GOSSIPFAB_TOPOLOGY=topology, GOSSIPFAB_BRACKET=bracket)


def settings(folder):
    """What is wrong is said in one line, and MPI does everything; off is off."""
    # MPICH 4.0.2's own MPI_Reduce in place is a segmentation fault, and so what asks for it.
    program, word = ("gfab_mpi_threads", "threads: good") if "mpich" in MPIEXEC else ("gfab_mpi_calls", "calls: good")
    # Of a solver's settings a file has none but the bracketing.
    (folder / "other").write_text("(n0+n1)\n,form=whole\n", encoding="utf-8")
    for name, value, text in (("BRACKET", "round", "neither binary nor linear, nor a file"),
                              ("SWITCH", "far", "is neither a number of bytes nor"), ("MPI_OWN", "sums", "is no collective"),
                              ("BRACKET", folder / "other", "other, line 2: a character that is in no bracketing"),
                              ("BRACKET", folder, "nor a file that can be read")):
        # A file is read before anything else is done: for these the short program will do.
        short = isinstance(value, pathlib.Path)
        done = good("threads: good" if short else word, 2, BIN / ("gfab_mpi_threads" if short else program),
                    GOSSIPFAB_REPORT=1, **{f"GOSSIPFAB_{name}": value})
        if text not in done.stderr or any(taken for taken, _, _ in report_of(done).values()):
            fail(f"GOSSIPFAB_{name}={value}: {text} was to come, and nothing to be taken:\n{done.stderr}")
    done = good(word, 2, BIN / program, GOSSIPFAB_REPORT=1, GOSSIPFAB_TOPOLOGY="mash:2")
    if "no schedule of all-reduce for 2 ranks" not in done.stderr:
        fail(f"a topology that is none was to be named:\n{done.stderr}")
    if "mpich" in MPIEXEC:  # two ranks have no bracketing of three, and are MPI's own
        return
    (folder / "bracket").write_text("(n1 +\n (n2 + n0))\n", encoding="utf-8")
    done = good("calls: good", 3, BIN / "gfab_mpi_calls", GOSSIPFAB_REPORT=1, GOSSIPFAB_BRACKET=folder / "bracket")
    if "operator" not in report_of(done)["MPI_Allreduce"][2]: # which does not commute
        fail(f"an operator was to be left to MPI:\n{done.stderr}")


def measured(folder):
    """From where on vectors are cut is measured once, and kept; what is no line of the file is said, and left out."""
    kept = folder / "gossipfab" / "switch"
    line = r"  all-reduce of 3 ranks: in blocks from (\d+) bytes on \((measured|measured earlier)\)"

    def found():
        done = good("calls: good", 3, BIN / "gfab_mpi_calls", GOSSIPFAB_REPORT=1, GOSSIPFAB_SWITCH="measure",
                    XDG_CACHE_HOME=folder)
        got = set(re.findall(line, done.stderr))
        if len(got) < 1:
            fail(f"no line of what was measured:\n{done.stderr}")
        return got, done.stderr

    first, _ = found()
    again, said = found()
    if {how for _, how in again} != {"measured earlier"} or not {b for b, _ in again} <= {b for b, _ in first}:
        fail(f"{first} was to be kept; {again}")
    text = kept.read_text(encoding="utf-8")
    if not re.fullmatch(r"gossipfab switch 1\n([0-9a-f]{8} [23] [a-z-]+ \d+\n)+", text) or "not as it was" in said:
        fail(f"{kept}:\n{text}{said}")
    kept.write_text(text.replace(" 3 all-reduce ", " three all-reduce "), encoding="utf-8")
    broken, said = found()
    if "measured" not in {how for _, how in broken} or "not as it was written" not in said:
        fail(f"a line that is none was to be said:\n{said}")
    if "three" in kept.read_text(encoding="utf-8"):
        fail(f"{kept}: a line that is none is still there")


def fortran(folder):
    compiler = shutil.which("mpifort.mpich" if "mpich" in MPIEXEC else "mpifort")
    if not compiler:
        return "no Fortran"
    for binding in ("mpif", "mpi", "mpi_f08"):
        made = subprocess.run([compiler, f"-I{HERE}", "-fallow-argument-mismatch", HERE / f"calls_{binding}.f90", "-o",
                               folder / binding], cwd=folder, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            return "no Fortran"
        for ranks in (2, 3, 8) if LARGE else (2,):
            report = report_of(good("calls: good", ranks, folder / binding, GOSSIPFAB_REPORT=1))
            # MPICH's barrier of mpi_f08 does not ask MPI_Barrier.
            want = 8 if binding == "mpi_f08" and "mpich" in MPIEXEC else 9
            if len([1 for taken, own, _ in report.values() if taken and not own]) != want:
                fail(f"{binding}: {want} collectives were to be taken: {report}")
    return "Fortran by three bindings"


# ---- a rank that dies ----

def ranks_of(pid):
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, fields = stat.read_text(encoding="utf-8").rsplit(")", 1)
        except OSError:
            continue
        if int(fields.split()[1]) == pid:
            child = int(stat.parent.name)
            found += ([child] if name.endswith("gfab_mpi_bits"[:15]) else []) + ranks_of(child)
    return found


def killed_rank():
    with subprocess.Popen(command(3, BIN / "gfab_mpi_bits", 100000000), env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as job:
        limit = time.monotonic() + PATIENCE
        while len(ranks_of(job.pid)) < 3:
            if time.monotonic() > limit or job.poll() is not None:
                job.kill()
                fail("the ranks did not start")
            time.sleep(0.1)
        time.sleep(1)
        os.kill(ranks_of(job.pid)[-1], signal.SIGKILL)
        try:
            status = job.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            job.kill()
            fail(f"{PATIENCE} s after a rank was killed the others still run")
        if status == 0:
            fail("a rank was killed: exit status 0")


def main():
    probe = run(2, "true", loaded=False)
    if probe.returncode != 0:
        print(f"pmpi_test: skipped, {MPIEXEC} starts nothing here: {probe.stderr.strip()[:200]}", file=sys.stderr)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        calls()
        settings(pathlib.Path(name))
        if "mpich" not in MPIEXEC:  # whose MPI_Reduce in place ends gfab_mpi_calls
            measured(pathlib.Path(name))
        bound = fortran(pathlib.Path(name))
        killed_rank()
    print(f"pmpi_test: good; {bound}")


main()
