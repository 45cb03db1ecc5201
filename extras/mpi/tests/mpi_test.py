#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gossipfab-mpi under mpirun: every byte of every collective, mutants of schedules that the byte check must find, bad
input, and a rank that is killed.

mpi_test.py MPIEXEC BIN [--large]; BIN has the programs, gossipfab among them. Exit status 77 where mpirun
cannot start anything.
"""
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

MPIEXEC, BIN = sys.argv[1], pathlib.Path(sys.argv[2])
# More ranks than cores, which therefore let each other run; by root, too: as tests are run.
ENVIRONMENT = dict(os.environ, OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                   OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe")
TYPES = ["int32", "int64", "float", "double"]
COLLECTIVES = ["all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce", "barrier", "all-to-all"]
# A killed rank ends the others in a second or two; this is for a machine that does much else.
PATIENCE = 60


def fail(message):
    print(f"mpi_test: {message}", file=sys.stderr)
    sys.exit(1)


def mpirun(ranks, command, seconds=300):
    return subprocess.run([MPIEXEC, "-n", str(ranks), *command], env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=seconds, check=False)


def gossipfab_mpi(ranks, line, *more):
    return mpirun(ranks, [BIN / "gossipfab-mpi", *line.split(), *more])


def carry(ranks, line):
    """A run that must be good, and say so."""
    done = gossipfab_mpi(ranks, f"run {line}")
    if done.returncode != 0 or "every byte right, at every rank" not in done.stdout:
        fail(f"{ranks} ranks, run {line}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    rows = re.findall(r"^  \w.*?( +[\d.]+){3}$", done.stdout, re.M)
    if len(rows) != 2:
        fail(f"run {line}: two rows of times were to come:\n{done.stdout}")


def refused(ranks, line, status, text, *more, report=False):
    """One line of ours, this exit status, and no report, unless one came before."""
    done = gossipfab_mpi(ranks, line, *more)
    ours = [row for row in done.stderr.splitlines() if row.startswith("gossipfab-mpi: ")]
    if done.returncode != status or len(ours) != 1 or text not in ours[0] or (done.stdout and not report):
        fail(f"{line}: exit status {done.returncode}, not {status}, or not one line with '{text}':\n"
             f"{done.stdout}{done.stderr}")


# ---- every byte ----

def random_graph(nodes, generator):
    """A random tree and as many links again, as far as there is room."""
    links = {(generator.randrange(v), v) for v in range(1, nodes)}
    for _ in range(nodes):
        u, v = generator.sample(range(nodes), 2)
        links.add((min(u, v), max(u, v)))
    return f"graph:{nodes}:" + ",".join(f"{u}-{v}" for u, v in sorted(links))


def small_cases():
    """Each collective on three ranks, each type among them, blocks of different lengths; and what two ranks can do."""
    for at, collective in enumerate(COLLECTIVES):
        bytes_ = "" if collective == "barrier" else f"--bytes {8 * (2 * at + 5)}"
        yield 3, f"-t path:3 -c {collective} --type {TYPES[(at + 2) % 4]} --runs 3 {bytes_}"
    yield 2, "-t path:2 -c all-reduce --blocks 5 --type double --bytes 24 --runs 3"
    yield 3, "-t cycle:3 --link-mode full --routing circuit --packet-tokens 9 -s circgo --solver-options parts=2 " \
             "--bytes 44 --runs 3"
    yield 3, "-t path:3 --load 2,0,1 --link-mode full --port-mode one --packet-tokens 3 --bytes 20 --runs 3"
    yield 4, "-t path:4+relay=1+weight=2-3:3 -c all-reduce --blocks 5 --type double --bytes 88 --runs 3"


def large_cases():
    generator = random.Random(1)
    grids = {4: "mesh:2x2", 6: "mesh:2x3", 8: "mesh:2x2x2", 9: "torus:3x3", 12: "mesh:3x4", 15: "torus:3x5",
             16: "torus:4x4"}
    for ranks in range(2, 17):
        for at, collective in enumerate(COLLECTIVES):
            graph = random_graph(ranks, generator) if ranks not in grids or at % 3 == 2 else grids[ranks]
            bytes_ = "" if collective == "barrier" else f"--bytes {8 * generator.randrange(1, 3000)}"
            root = f"--root {generator.randrange(ranks)}" if collective in ("broadcast", "reduce") else ""
            yield ranks, f"-t {graph} -c {collective} {root} --type {TYPES[(ranks + at) % 4]} --runs 3 {bytes_}"
    for type_ in TYPES:
        for collective in COLLECTIVES[:-2] + COLLECTIVES[-1:]:
            yield 16, f"-t mesh:4x4 -c {collective} --type {type_} --runs 2 --bytes 65536"
    for ranks in (5, 8, 13): # relays, and links that carry several packets a round
        for collective in COLLECTIVES:
            relays = ",".join(map(str, sorted(generator.sample(range(ranks), ranks // 3))))
            graph = random_graph(ranks, generator)
            bytes_ = "" if collective == "barrier" else f"--bytes {8 * generator.randrange(1, 300)}"
            link = re.search(r":(\d+-\d+)", graph)[1]
            yield ranks, f"-t {graph}+relay={relays}+weight={link}:2 -c {collective} --type double --runs 3 {bytes_}"
    full = "--link-mode full"
    for ranks in range(3, 17):
        yield ranks, f"-t cycle:{ranks} {full} --routing circuit --packet-tokens {2 * ranks} -s circgo " \
                     f"--startup {1 + 7 * (ranks % 3)} --runs 3 --bytes {4 * generator.randrange(1, 5000)}"
    yield 16, f"-t cycle:16 {full} --routing circuit --packet-tokens 64 -s circgo --solver-options a=4:2,parts=3"
    yield 16, f"-t torus:4x4 {full} --routing circuit --packet-tokens 64 -s torgo --runs 3"
    yield 16, f"-t hypercube:4 {full} --port-mode one --packet-tokens 16 --runs 3"
    yield 16, "-t mesh:4x4 -c all-reduce --idempotent --type float --runs 3"
    yield 12, "-t mesh:3x4 -c reduce-scatter --blocks 36 --type double --bytes 1000 --runs 3"
    yield 9, f"-t mesh:3x3 --load 3,0,1,2,0,0,1,1,4 {full} --port-mode one --packet-tokens 12 --bytes 1212 --runs 3"
    yield 8, f"-t mesh:2x4 --broadcast-from 3 {full} --port-mode one --bytes 996 --runs 3"
    yield 16, "-t mesh:4x4 -c all-reduce --bytes 0 --runs 3"


# ---- what must be found ----

def mutants(folder, large):
    """A move left out; one stored in place of combined; one combined in place of stored. The checker would say so; the
    bytes must, too."""
    for collective, pattern in (("all-gather", r"^\d+ \d+:\d+\n"), ("all-reduce", r"^\d+ \d+:\+\d+\n"),
                                ("all-reduce", r"^\d+ \d+:\d+\n")):
        good = subprocess.run([BIN / "gossipfab", "schedule", "-t", "cycle:3", "-c", collective, "-f", "gfs"],
                              capture_output=True, text=True, check=True).stdout
        moves = list(re.finditer(pattern, good, re.M))
        changes = [lambda row: ""] if collective == "all-gather" else []
        if collective == "all-reduce":
            changes.append(lambda row: row.replace(":+", ":") if ":+" in row else row.replace(":", ":+"))
        for change in changes:
            for move in moves if large else moves[-1:]:
                bad = good[:move.start()] + change(move.group()) + good[move.end():]
                if change(move.group()) == "":
                    bad = re.sub(r"^packets (\d+)$", lambda m: f"packets {int(m.group(1)) - 1}", bad, flags=re.M)
                file = folder / "mutant.gfs"
                file.write_text(bad, encoding="utf-8")
                refused(3, "run --unverified --runs 2 --type double --schedule", 1, "run: wrong data: rank", file)
    refused(3, "run --schedule", 1, "", folder / "mutant.gfs")  # by the checker, before anything runs


def bad_input(folder):
    (folder / "empty.gfs").write_text("", encoding="utf-8")
    refused(2, "run --schedule", 2, "the file is empty", folder / "empty.gfs")
    refused(2, "run -t path:3", 2, "the schedule has 3 nodes, but there are 2 ranks: start 3")
    refused(2, "run -t path:2 --bytes 6", 2, "an int32 has 4 bytes; give a multiple of that")


# ---- measure ----

def check_line(rows, alpha, beta):
    """The line is the best one: others nearby have larger relative errors, squared and summed."""
    def error(a, b):
        return sum(((a + b * size) / seconds - 1) ** 2 for size, seconds in rows)
    for factors in ((1.1, 1), (0.9, 1), (1, 1.1), (1, 0.9)):
        if error(alpha, beta) >= error(alpha * factors[0], beta * factors[1]):
            fail(f"measure: {factors} times alpha {alpha} and beta {beta} fit better: {rows}")


def measure():
    """The line through the times, the startup that follows from it, and advise's own ranking for that."""
    done = gossipfab_mpi(3, "measure --bytes 1024 --runs 5 --topology cycle:3 --candidates 3")
    rows = [(int(size), float(time_)) for size, time_ in re.findall(r"^ +(\d+) +([\d.]+) +[\d.]+$", done.stdout, re.M)]
    found = re.search(r"^alpha +([\d.]+) .*\nbeta +([\d.]+) .*\nstartup .*: --startup (\S+)$", done.stdout, re.M)
    if done.returncode != 0 or len(rows) != 12 or not found:
        fail(f"measure: exit status {done.returncode}, {len(rows)} sizes\n{done.stdout}{done.stderr}")
    alpha, beta, startup = float(found.group(1)), float(found.group(2)) / 1000, found.group(3)
    check_line(rows, alpha, beta)
    # As far as the digits that are printed go.
    if not (alpha - 0.0005) / (beta + 0.5e-7) / 1024 - 0.001 < float(startup) < \
           (alpha + 0.0005) / (beta - 0.5e-7) / 1024 + 0.001:
        fail(f"measure: startup {startup} is not {alpha} / (1024 x {beta})")
    advice = subprocess.run([BIN / "gossipfab", "advise", "-t", "cycle:3", "--link-mode", "full", "--startup", startup],
                            capture_output=True, text=True, check=True).stdout
    first = re.search(r"^ +1 +\S+ +\d+ +\S+ +(\S+) ", advice, re.M).group(1)
    if f"advised      {first}:" not in done.stdout or "every byte right" not in done.stdout:
        fail(f"measure: advise has {first} first:\n{advice}\n{done.stdout}")
    refused(2, "measure --topology cycle:3", 2, "--topology has 3 nodes, but there are 2 ranks: start 3", report=True)
    refused(2, "measure --bytes 7", 2, "give a multiple of 4")


# ---- a rank that dies ----

def descendants(pid):
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, fields = stat.read_text(encoding="utf-8").rsplit(")", 1)
        except OSError:
            continue
        if int(fields.split()[1]) == pid:
            child = int(stat.parent.name)
            found += [(child, name.split("(", 1)[1], int(fields.split()[11]))] + descendants(child)
    return found


def ranks_of(pid):
    """(process, clock ticks that it has run) of each rank."""
    return [(child, ticks) for child, name, ticks in descendants(pid) if name == "gossipfab-mpi"]


def runs(pid):
    """A zombie does not: whose child it became may be slow to ask for its status."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] != "Z"


def killed_rank(ranks):
    """In mid-run: all end, with a message (of MPICH's mpiexec on standard output), and none of them hangs."""
    with tempfile.TemporaryFile("w+") as log, subprocess.Popen(
            [MPIEXEC, "-n", str(ranks), BIN / "gossipfab-mpi", "run", "-t", f"path:{ranks}", "--runs", "1000000"],
            env=ENVIRONMENT, stdout=log, stderr=log) as job:
        limit = time.monotonic() + PATIENCE
        # Starting takes a rank a fraction of this.
        while len([r for r, ticks in ranks_of(job.pid) if ticks > os.sysconf("SC_CLK_TCK") / 2]) < ranks:
            if time.monotonic() > limit or job.poll() is not None:
                job.kill()
                fail(f"the ranks did not start to run in {PATIENCE} s")
            time.sleep(0.1)
        everyone = ranks_of(job.pid)
        os.kill(everyone[-1][0], signal.SIGKILL)
        try:
            status = job.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            job.kill()
            fail(f"{PATIENCE} s after a rank was killed the others still run")
        log.seek(0)
        said = log.read()
        if status == 0 or not said.strip():
            fail(f"a rank was killed: exit status {status}, and a message of {len(said)} characters")
        while any(runs(rank) for rank, _ in everyone):
            if time.monotonic() > limit + PATIENCE:
                fail(f"{PATIENCE} s after mpirun has ended some ranks still run")
            time.sleep(0.1)


def job_script(folder):
    """The script of docs/guide/mpi.md, with mpirun in place of srun."""
    page = pathlib.Path(__file__).parents[3] / "docs/guide/mpi.md"
    script = re.search(r"^```\n(#!/bin/bash\n.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S).group(1)
    (folder / "srun").write_text(f'#!/bin/sh\nexec {MPIEXEC} -n 16 "$@"\n', encoding="utf-8")
    (folder / "srun").chmod(0o755)
    (folder / "job").write_text(script, encoding="utf-8")
    path = os.pathsep.join([str(folder), str(BIN), os.environ["PATH"]])
    done = subprocess.run(["bash", "job"], cwd=folder, env=dict(ENVIRONMENT, PATH=path), capture_output=True, text=True,
                          timeout=1200, check=False)
    if done.returncode != 0 or done.stdout.count("every byte right, at every rank") != 4:
        fail(f"the job script: exit status {done.returncode}\n{done.stdout}{done.stderr}")


def main():
    large = "--large" in sys.argv
    probe = mpirun(2, ["true"])
    if probe.returncode != 0:
        print(f"mpi_test: skipped, {MPIEXEC} starts nothing here: {probe.stderr.strip()[:200]}", file=sys.stderr)
        sys.exit(77)
    done = mpirun(3, [BIN / "gfab_mpi_plan_test"])
    if done.returncode != 0 or "plan_test: good" not in done.stdout:
        fail(f"plan_test: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    for ranks in (2, 4, 16) if large else (2, 3):
        done = mpirun(ranks, [BIN / "gfab_mpi_near_test"])
        if done.returncode != 0 or "near_test: good" not in done.stdout:
            fail(f"near_test of {ranks} ranks: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    if mpirun(2, [BIN / "gfab_mpi_near_test", "mutant"]).returncode == 0:
        fail("near_test: a message was changed on its way, and nobody saw it")
    done = mpirun(3, [BIN / "gfab_mpi_sum", "cycle:3"])
    if done.returncode != 0 or done.stdout != "9.000 17.991\n":
        fail(f"docs/guide/mpi-sum.c: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    count = 0
    for ranks, line in large_cases() if large else small_cases():
        carry(ranks, line)
        count += 1
    with tempfile.TemporaryDirectory() as name:
        mutants(pathlib.Path(name), large)
        bad_input(pathlib.Path(name))
        measure()
        if large:
            job_script(pathlib.Path(name))
    for ranks in (2, 5, 16) if large else (2,):
        killed_rank(ranks)
    print(f"mpi_test: {count} runs, every byte right")


main()
