#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""search_test.py BIN [--mpi MPIEXEC] [--large]: a search has the same bytes in one process, in shards, in ranks, and
after it was killed.

BIN has gossipfab, and gossipfab-mpi for --mpi, which tests that one. --large takes more ranks and longer items.
Exit status 77 where MPIEXEC starts nothing.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PAGE = pathlib.Path(__file__).parents[3] / "docs/guide/search.md"
TELEPHONE = "--link-mode full --port-mode one"
# The page's question, whose best item is one of the later ones.
QUESTION = f"-t debruijn:5 {TELEPHONE} --packet-tokens 32 -s anneal --solver-options steps=10000 --rounds 7 --items 100"
# Rounds as few as are found: all items count. Some seconds.
LONG = f"-t debruijn:6 {TELEPHONE} --packet-tokens 64 -s anneal --solver-options steps=8000"
LARGE = f"-t debruijn:7 {TELEPHONE} --packet-tokens 128 -s anneal --solver-options steps=100000"
# More ranks than cores, which therefore let each other run; by root, too: as tests are run; and time to write after a
# signal, on a machine that does much else.
ENVIRONMENT = dict(os.environ, OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                   OMPI_MCA_odls_base_sigkill_timeout="5", OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe")
PATIENCE = 120  # seconds for what takes one or two, on a machine that does much else
LOSS = 20  # seconds of work that may be lost at a checkpoint a second; a minute is what is promised at 30


def fail(message):
    print(f"search_test: {message}", file=sys.stderr)
    sys.exit(1)


def run(command, folder, status=0, **more):
    done = subprocess.run([str(word) for word in command], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=1200, check=False, **more)
    if status is not None and done.returncode != status:
        fail(f"{' '.join(str(word) for word in command)}: exit status {done.returncode}, not {status}\n"
             f"{done.stdout}{done.stderr}")
    return done


def same(folder, one, other):
    if (folder / one).read_bytes() != (folder / other).read_bytes():
        fail(f"{one} and {other} are different")


def settled(path):
    """How many items a checkpoint has."""
    ranges = re.search(r"^settled (.*)$", path.read_text(encoding="utf-8"), re.M).group(1)
    if ranges == "none":
        return 0
    return sum(int(last or first) - int(first) + 1 for first, last in re.findall(r"(\d+)(?:\.\.(\d+))?", ranges))


def blocks():
    """The page's code blocks."""
    return re.findall(r"^```\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


def shards(gossipfab, folder):
    """The page's line for xargs and its job script, as they stand there; then a shard that is missing."""
    path = os.pathsep.join([str(gossipfab.parent), os.environ["PATH"]])
    search = [gossipfab, "search", *shlex.split(QUESTION)]
    whole = run([*search, "--checkpoint", "whole.search", "-o", "whole.gfs"], folder)
    winner = int(re.search(r"^rounds +7, item (\d+)$", whole.stdout, re.M).group(1))
    if winner <= 8:
        fail(f"item {winner} is the best: no shard would miss it")
    by_xargs, by_slurm = blocks()
    subprocess.run(["bash", "-euc", by_xargs], cwd=folder, env=dict(os.environ, PATH=path), check=True,
                   stdout=subprocess.DEVNULL, timeout=PATIENCE)
    same(folder, "best.gfs", "whole.gfs")
    xargs = {f"{i}.search": (folder / f"{i}.search").read_bytes() for i in range(1, 9)}
    (folder / "job").write_text(by_slurm, encoding="utf-8")
    for i in range(1, 9):
        (folder / f"{i}.search").unlink()
        subprocess.run(["bash", "job"], cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE,
                       env=dict(os.environ, PATH=path, SLURM_ARRAY_TASK_ID=str(i), SLURM_ARRAY_TASK_COUNT="8"))
    for name, text in xargs.items():
        if (folder / name).read_bytes() != text:
            fail(f"{name} is not the same from xargs and from the job script")
    names = sorted(xargs)
    merged = run([gossipfab, "merge", *reversed(names), "--checkpoint", "merged.search", "-o", "merged.gfs"], folder)
    same(folder, "merged.search", "whole.search")
    same(folder, "merged.gfs", "whole.gfs")
    if merged.stdout != whole.stdout:
        fail(f"the report of merge is not that of the whole:\n{merged.stdout}{whole.stdout}")
    missing = f"{(winner - 1) % 8 + 1}.search"
    others = [name for name in names if name != missing]
    less = run([gossipfab, "merge", *others, "--checkpoint", "less.search"], folder)
    if re.search(r" 0 open", less.stdout) or (folder / "less.search").read_bytes() == xargs[missing]:
        fail(f"merge does not notice that {missing} is missing:\n{less.stdout}")
    run([*search, "--checkpoint", "less.search", "--resume", "-o", "l.gfs"], folder)
    same(folder, "less.search", "whole.search")
    same(folder, "l.gfs", "whole.gfs")


def ranks_of(pid):
    """The processes of gossipfab-mpi below one of mpirun's."""
    found = []
    for children in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text(encoding="utf-8").split():
            name = pathlib.Path(f"/proc/{child}/comm").read_text(encoding="utf-8").strip()
            found += [int(child)] if name == "gossipfab-mpi" else ranks_of(child)
    return found


def stop_at_checkpoint(command, folder, checkpoint, number):
    """Sends a signal some time after a checkpoint has something, SIGKILL to one rank where there are some; the seconds
    of work since the checkpoint was written, and the exit status."""
    with open(folder / "log", "w", encoding="utf-8") as log, subprocess.Popen(
            [str(word) for word in command], cwd=folder, env=ENVIRONMENT, stdout=log, stderr=log) as process:
        end = time.monotonic() + PATIENCE
        while not (folder / checkpoint).exists() or settled(folder / checkpoint) == 0:
            if process.poll() is not None or time.monotonic() > end:
                process.kill()
                fail(f"no checkpoint in {PATIENCE} s, or none at all: " + (folder / "log").read_text(encoding="utf-8"))
            time.sleep(0.02)
        time.sleep(0.1)
        lost = time.time() - (folder / checkpoint).stat().st_mtime
        victims = ranks_of(process.pid) if number == signal.SIGKILL else []
        os.kill(victims[-1] if victims else process.pid, number)
        status = process.wait(PATIENCE)
    return lost, status


def stopped(search, folder):
    """Killed, then told to end, then resumed: the same bytes as one process that nobody disturbs. Seconds that were
    lost; None where all was done before the signal, so that nothing was shown."""
    for old in [*folder.glob("*.search"), *folder.glob("killed.*")]:
        old.unlink(missing_ok=True)
    line = ["--checkpoint", "killed.search", "-o", "killed.gfs", "--checkpoint-seconds", "1"]
    lost, status = stop_at_checkpoint([*search, *line], folder, "killed.search", signal.SIGKILL)
    if status == 0:
        return None
    left = (folder / "killed.gfs").exists() and search[0] == GOSSIPFAB  # rank 0 outlives another and writes its best
    if lost > LOSS or left:
        fail(f"killed: exit status {status}, {lost:.1f} s lost")
    first = settled(folder / "killed.search")
    _, status = stop_at_checkpoint([*search, *line, "--resume"], folder, "killed.search", signal.SIGTERM)
    second = settled(folder / "killed.search")
    if status == 0:
        return None
    if first > second:
        fail(f"told to end: {first} items settled before, {second} after")
    run([GOSSIPFAB, "verify", "killed.gfs"], folder)
    run([*search, *line, "--resume"], folder)
    question = search[search.index("-t"):]
    run([GOSSIPFAB, "search", *question, "--checkpoint", "whole.search", "-o", "whole.gfs"], folder)
    same(folder, "killed.search", "whole.search")
    same(folder, "killed.gfs", "whole.gfs")
    return lost if settled(folder / "whole.search") > second else None


def stopped_in_the_middle(search, folder):
    """How long a search takes is the machine's to say: with more items until it is long enough."""
    for items in (80, 320, 1280):
        lost = stopped([*search, "--items", items], folder)
        if lost is not None:
            return lost
    return fail("no search was long enough to be stopped in the middle")


def ranks(mpiexec, folder, large):
    def among(count, question=QUESTION):
        return [mpiexec, "-n", count, GOSSIPFAB.parent / "gossipfab-mpi", "search", *shlex.split(question)]
    probe = run([mpiexec, "-n", 2, "true"], folder, status=None)
    if probe.returncode != 0:
        print(f"search_test: skipped, {mpiexec} starts nothing here: {probe.stderr.strip()[:200]}", file=sys.stderr)
        sys.exit(77)
    questions = [QUESTION, f"{LARGE} --items 60"] if large else [QUESTION]
    for at, question in enumerate(questions):
        whole = run([GOSSIPFAB, "search", *shlex.split(question), "--checkpoint", f"q{at}.search", "-o", f"q{at}.gfs"],
                    folder)
        for count in (1, 2, 4, 8) if large else (1, 2):
            done = run([*among(count, question), "--checkpoint", "ranks.search", "-o", "ranks.gfs"], folder)
            same(folder, "ranks.search", f"q{at}.search")
            same(folder, "ranks.gfs", f"q{at}.gfs")
            if done.stdout != whole.stdout:
                fail(f"{count} ranks report:\n{done.stdout}\nand one process:\n{whole.stdout}")
            (folder / "ranks.search").unlink()
    refused = run([*among(2), "--rounds", "4"], folder, status=2)
    if len([row for row in refused.stderr.splitlines() if row.startswith("gossipfab-mpi: ")]) != 1 or refused.stdout:
        fail(f"bad input: not one line:\n{refused.stdout}{refused.stderr}")
    # How long that takes depends on when the signal comes; the search of one process is always stopped.
    return stopped_in_the_middle(among(4, LARGE), folder) if large else None


def main():
    global GOSSIPFAB
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--mpi")
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    GOSSIPFAB = options.bin.resolve() / "gossipfab"
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        if options.mpi:
            lost = ranks(options.mpi, folder, options.large)
        else:
            shards(GOSSIPFAB, folder)
            lost = stopped_in_the_middle([GOSSIPFAB, "search", *shlex.split(LARGE if options.large else LONG)], folder)
    finally:
        shutil.rmtree(folder)
    print("search_test: good" + ("" if lost is None else f"; killed {lost:.1f} s after a checkpoint"))


main()
