#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""slurm_test.py BIN [--mpi TYPE]: the job scripts of docs/guide as they stand there, submitted with sbatch to a Slurm
that is set up here: four nodes of four processors each, all on this machine.

BIN has gossipfab and gossipfab-mpi; TYPE is what `srun --mpi=list` calls the way in which Slurm starts the ranks of
its MPI: pmix for Open MPI, pmi2 for MPICH; without it ranks are started by mpirun. Exit status 77 where Slurm or munge
is missing.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

DOCS = pathlib.Path(__file__).parents[4] / "docs/guide"
NODES = 4
PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "srun", "sinfo"]
PATIENCE = 900  # seconds for what takes some, on a machine that does much else
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
AuthInfo=socket={folder}/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
TmpFS={folder}/tmp-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
MpiDefault={mpi}
NodeName=n[1-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{ports[1]}-{last}] CPUs=4
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def fail(message):
    sys.exit(f"slurm_test: {message}")


def free_ports(count):
    """So many in a row that nobody listens on."""
    for first in range(17000 + os.getpid() % 10000, 32000, count):
        taken = []
        try:
            for port in range(first, first + count):
                taken.append(socket.create_server(("127.0.0.1", port)))
            return list(range(first, first + count))
        except OSError:
            continue
        finally:
            for each in taken:
                each.close()
    return fail("no free ports")


class Slurm:
    """The daemons, as long as the with statement lasts."""

    def __init__(self, folder, path, mpi):
        self.folder, self.daemons = folder, []
        host = socket.gethostname().split(".")[0]
        ports = free_ports(1 + NODES)
        for each in ("state", *(f"tmp-n{node}" for node in range(1, NODES + 1))):
            (folder / each).mkdir()
        (folder / "key").write_bytes(os.urandom(128))
        (folder / "key").chmod(0o600)
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=host, ports=ports, last=ports[-1], folder=folder, user=user, mpi=mpi or "none", nodes=NODES))
        # Open MPI: by root, too; and what it calls nodes has one shared memory here, which it would mix up.
        self.environment = dict(os.environ, SLURM_CONF=str(folder / "slurm.conf"), PATH=path,
                                OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                OMPI_MCA_btl="self,tcp", OMPI_MCA_mpi_yield_when_idle="1")

    def start(self, *command):
        log = (self.folder / f"{command[0]}.out").open("a")
        self.daemons.append(subprocess.Popen([str(word) for word in command], env=self.environment, stdout=log,
                                             stderr=log, start_new_session=True))

    def run(self, *command, status=0):
        done = subprocess.run([str(word) for word in command], env=self.environment, cwd=self.folder,
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        if status is not None and done.returncode != status:
            fail(f"{' '.join(str(word) for word in command)}: exit status {done.returncode}, not {status}\n"
                 f"{done.stdout}{done.stderr}")
        return done

    def wait_for(self, what, is_so):
        end = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > end:
                fail(f"not in {PATIENCE} s: {what}\n" + "".join(
                    path.read_text() for path in self.folder.glob("*.out")))
            time.sleep(0.2)

    def __enter__(self):
        folder = self.folder
        self.start("munged", "--foreground", "--force", f"--key-file={folder}/key", f"--socket={folder}/munge",
                   f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/seed")
        self.wait_for("munge's socket", (folder / "munge").exists)
        self.start("slurmctld", "-D")
        for node in range(1, NODES + 1):
            self.start("slurmd", "-D", "-N", f"n{node}")
        self.wait_for("all nodes are idle",
                      lambda: self.run("sinfo", "-h", "-o", "%T %D", status=None).stdout.strip() == f"idle {NODES}")
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
        for daemon in self.daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def submit(self, script, *options, status=0):
        """What the job printed."""
        (self.folder / "job").write_text(script, encoding="utf-8")
        for old in self.folder.glob("slurm-*.out"):
            old.unlink()
        done = self.run("sbatch", "--wait", *options, "job", status=None)
        said = "".join(path.read_text(encoding="utf-8") for path in sorted(self.folder.glob("slurm-*.out")))
        if done.returncode != status:
            fail(f"sbatch {' '.join(options)}: exit status {done.returncode}, not {status}\n{script}\n{done.stdout}"
                 f"{done.stderr}{said}")
        return said

    def same(self, one, other):
        if (self.folder / one).read_bytes() != (self.folder / other).read_bytes():
            fail(f"{one} and {other} are different")


def job_script(page):
    """The page's."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.search(r"^```\n(#!/bin/bash\n.*?)^```$", text, re.M | re.S).group(1)


def shards(slurm):
    """A job array, merged: the bytes of one process. The question, in words of the command line."""
    script = job_script("search.md")
    question = shlex.split(re.search(r"gossipfab search (.*?) --shard", script.replace("\\\n", " "), re.S).group(1))
    whole = slurm.run("gossipfab", "search", *question, "--checkpoint", "whole.search", "-o", "whole.gfs")
    slurm.submit(script)
    merged = slurm.run("gossipfab", "merge", *(f"{i}.search" for i in range(1, 9)), "--checkpoint", "merged.search",
                       "-o", "merged.gfs")
    slurm.same("merged.search", "whole.search")
    slurm.same("merged.gfs", "whole.gfs")
    if merged.stdout != whole.stdout:
        fail(f"merge reports:\n{merged.stdout}and one process:\n{whole.stdout}")
    return question


def out_of_time(slurm):
    """A task whose time is nearly up writes its checkpoint, and goes on from it when it is submitted again."""
    script = job_script("search.md").replace("--rounds 7 --items 100", "--items 1000000")
    settled = []
    (slurm.folder / "1.search").unlink()
    for _ in range(2):
        if "DUE TO TIME LIMIT" in slurm.submit(script, "--array=1", "--time=2", status=143):
            fail("the signal before a task's time is up did not come")
        text = (slurm.folder / "1.search").read_text(encoding="utf-8")
        settled.append(int(re.search(r"^settled .*?(\d+)$", text, re.M).group(1)))
    if not 0 < settled[0] < settled[1]:
        fail(f"items that were settled after the first and the second task: {settled}")


def ranks(slurm, question, mpi):
    """The runs of the other script; and the search by ranks."""
    script = job_script("mpi.md")
    if not mpi:
        script = script.replace("srun gossipfab-mpi", "mpirun gossipfab-mpi")
    said = slurm.submit(script)
    if said.count("every byte right, at every rank") != 4:
        fail(f"not four good runs:\n{said}")
    head = script[:script.index("gossipfab schedule")]
    launch = "srun" if mpi else "mpirun"
    slurm.submit(f"{head}{launch} gossipfab-mpi search {shlex.join(question)} --checkpoint ranks.search -o ranks.gfs\n")
    slurm.same("ranks.search", "whole.search")
    slurm.same("ranks.gfs", "whole.gfs")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--mpi")
    options = parser.parse_args()
    path = os.pathsep.join([str(options.bin.resolve()), os.environ["PATH"], "/usr/sbin"])
    missing = [program for program in PROGRAMS if not shutil.which(program, path=path)]
    if missing:
        print(f"slurm_test: skipped, not there: {' '.join(missing)}", file=sys.stderr)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name, Slurm(pathlib.Path(name), path, options.mpi) as slurm:
        question = shards(slurm)
        ranks(slurm, question, options.mpi)
        out_of_time(slurm)
    print("slurm_test: good: shards, ranks, a task whose time is up")


main()
