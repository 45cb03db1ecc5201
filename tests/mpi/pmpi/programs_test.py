#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""programs_test.py MPIEXEC LIBRARY [MPI4PY-SOURCES]: programs that are there already (Debian's hpcc, scalapack-mpi-test and
lammps, mpi4py's own tests of collectives from its source distribution) pass with libgossipfab_pmpi what they pass
without it. What is not installed is left out, and said; where nothing is there the exit status is 77."""
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
PATIENCE = 3600
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


def run(folder, ranks, loaded, *words):
    """Exit status, what it said, and how many calls were taken."""
    line = [MPIEXEC, "-n", str(ranks), "env", "GOSSIPFAB_REPORT=1"]
    line += ([f"LD_PRELOAD={LIBRARY}"] if loaded else []) + list(map(str, words))
    done = subprocess.run(line, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE,
                          check=False)
    taken = sum(int(n) for n in re.findall(r"^  MPI_\w+ +(\d+) taken", done.stderr, re.M))
    if loaded and done.returncode == 0 and taken == 0:
        fail(f"{words}: nothing was taken\n{done.stderr[-2000:]}")
    return done.returncode, done.stdout + done.stderr, taken


def both(name, folder, ranks, judge, *words):
    """judge(text, folder) of the two runs has to be the same, and something."""
    found = []
    for loaded in (False, True):
        status, said, taken = run(folder, ranks, loaded, *words)
        found.append((status, judge(said, folder)))
    if found[0] != found[1] or not found[0][1]:
        fail(f"{name}: without the library {found[0]}, with it {found[1]}\n{said[-3000:]}")
    print(f"{name}, {ranks} ranks: {found[1][1]}; {taken} calls of rank 0 taken", flush=True)


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
        both(f"scalapack {name}", folder, 4, judge, SCALAPACK[0] / name)


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
