#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""programs_test.py MPIEXEC LIBRARY [MPI4PY-SOURCES]: programs that are there already (Debian's hpcc, scalapack-mpi-test and
lammps, mpi4py's own tests of collectives from its source distribution) pass with libgossipfab_pmpi what they pass
without it. What is not installed is left out, and said; where nothing is there the exit status is 77.

A program may hang or abort now and then by itself: Debian 12's xdllt, of four ranks that share two cores, does so in
about half of its runs. Such a run is repeated, without the library and with it, and the runs that end are compared. The
library may be the cause where a run with it does not end and every one without it does: then the test fails."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MPIEXEC, LIBRARY = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
SOURCES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
SCALAPACK = sorted(pathlib.Path("/usr/lib").glob("*/scalapack/openmpi-tests"))
HPCC = pathlib.Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1", OMP_NUM_THREADS="1",
                   OPENBLAS_NUM_THREADS="1")
PATIENCE = 3600  # seconds that a run may take
SCALAPACK_PATIENCE = 60  # one that ends takes under 10
TRIES = 12  # runs of a program, of which one has to end
LAMMPS = """
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
thermo 50
run 100
"""


def fail(message):
    print(f"programs_test: {message}", file=sys.stderr)
    sys.exit(1)


def run(folder, ranks, loaded, patience, *words):
    """What it said and how many calls were taken; nothing where it did not come to a good end."""
    line = ["timeout", str(patience), MPIEXEC, "-n", str(ranks), "env", "GOSSIPFAB_REPORT=1"]
    line += ([f"LD_PRELOAD={LIBRARY}"] if loaded else []) + list(map(str, words))
    done = subprocess.run(line, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    taken = sum(int(n) for n in re.findall(r"^  MPI_\w+ +(\d+) taken", done.stderr, re.M))
    if loaded and taken == 0:
        fail(f"{words}: nothing was taken\n{done.stderr[-2000:]}")
    return done.stdout + done.stderr, taken


def until_one_ends(folder, ranks, loaded, patience, *words):
    """The first run that ends, and how many did not before it."""
    for tries in range(TRIES):
        ended = run(folder, ranks, loaded, patience, *words)
        if ended:
            return *ended, tries
    fail(f"{words}: of {TRIES} runs {'with' if loaded else 'without'} the library none came to a good end")


def hangs_by_itself(folder, ranks, patience, *words):
    """Whether a run without the library does not end either."""
    return any(run(folder, ranks, False, patience, *words) is None for _ in range(TRIES))


def both(name, folder, ranks, judge, *words, patience=PATIENCE):
    """judge(text, folder) of a run without the library and of one with it has to be the same, and something."""
    said, _, without = until_one_ends(folder, ranks, False, patience, *words)
    expected = judge(said, folder)
    said, taken, with_it = until_one_ends(folder, ranks, True, patience, *words)
    found = judge(said, folder)
    if found != expected or not found:
        fail(f"{name}: without the library {expected}, with it {found}\n{said[-3000:]}")
    if with_it > 0 and without == 0 and not hangs_by_itself(folder, ranks, patience, *words):
        fail(f"{name}: {with_it} runs with the library did not end, and without it all of {TRIES + 1} did")
    again = f"; runs that did not end: {without} without the library, {with_it} with it" if without + with_it else ""
    print(f"{name}, {ranks} ranks: {found}; {taken} calls of rank 0 taken{again}", flush=True)


def hpcc(folder):
    """Of the file that it writes: what passed and failed, and whether it came to its end."""
    text = re.sub(r"^\d+( +Ns)$", r"500\1", HPCC.read_text(encoding="utf-8"), flags=re.M)
    text = re.sub(r"^1( +Ps)$", r"2\1", re.sub(r"^2( +Qs)$", r"2\1", text, flags=re.M), flags=re.M)
    (folder / "hpccinf.txt").write_text(text, encoding="utf-8")

    def judge(_, where):
        said = (where / "hpccoutf.txt").read_text(encoding="utf-8")
        (where / "hpccoutf.txt").unlink()
        return "Success=1" in said and (len(re.findall("PASSED", said)), len(re.findall("FAILED", said)))
    both("hpcc", folder, 4, judge, "hpcc")


def scalapack(folder):
    for data in SCALAPACK[0].glob("*.dat"):
        shutil.copy(data, folder)
    for name in ("xdlu", "xdllt", "xdqr", "xdls", "xdinv", "xzlu", "xcls"):
        def judge(said, _):
            counts = re.findall(r"(\d+) tests completed (?:and (passed|failed)|without)", said)
            return sorted(counts)
        both(f"scalapack {name}", folder, 4, judge, SCALAPACK[0] / name, patience=SCALAPACK_PATIENCE)


def lammps(folder):
    """The last energy and pressure, to as many digits as sums in another order leave alike."""
    (folder / "in.melt").write_text(LAMMPS, encoding="utf-8")

    def judge(said, _):
        rows = re.findall(r"^ +100((?: +[-\d.]+){5}) *$", said, re.M)
        return [f"{float(number):.5g}" for number in rows[-1].split()] if rows else []
    for ranks in (2, 4):
        both("lammps", folder, ranks, judge, "lmp", "-in", "in.melt")


def mpi4py(_):
    def judge(said, _):
        ran = re.search(r"^Ran (\d+) tests", said, re.M)
        return ran and said.count("\nOK") > 0 and (ran[1], len(set(re.findall(r"^(?:FAIL|ERROR): (\w+)", said, re.M))))
    for ranks in (2, 3):
        both("mpi4py", SOURCES, ranks, judge, "/usr/bin/python3", "test/runtests.py", "--no-builddir", "-i", "test_cco")


def main():
    ran = 0
    for name, there, test in (("hpcc", shutil.which("hpcc") and HPCC.exists(), hpcc),
                              ("scalapack-mpi-test", SCALAPACK, scalapack),
                              ("lammps", shutil.which("lmp"), lammps), ("mpi4py's sources", SOURCES, mpi4py)):
        if not there:
            print(f"programs_test: {name} is not here")
            continue
        with tempfile.TemporaryDirectory() as folder:
            test(pathlib.Path(folder))
        ran += 1
    sys.exit(0 if ran else 77)


main()
