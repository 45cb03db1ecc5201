#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each command that writes, on a device that is full, and under limits to the size of files.

full_test.py GOSSIPFAB: one line that gives the reason, exit status 2, nothing printed and nothing left behind."""

import os
import resource
import subprocess
import sys
import tempfile

MESH = ["-t", "mesh:4x4"]
LARGE = ["-t", "mesh:16x16"]
WORDS = ["--token-bits", "32", "--link-bits", "2"]
# What writes FILE, and makes more than the least limit of it.
FILES = {
    "schedule": ["schedule", *LARGE, "-o", "FILE"],
    "schedule --format csv": ["schedule", *LARGE, "--format", "csv", "-o", "FILE"],
    "schedule --cnf": ["schedule", "-t", "path:6", "--packet-tokens", "2", "--prove", "--cnf", "FILE"],
    "schedule --proof": ["schedule", "-t", "path:5", "--port-mode", "one", "--prove", "--proof", "FILE"],
    "convert": ["convert", "large.gfs", "--to", "csv", "-o", "FILE"],
    "convert --to msccl": ["convert", "large.gfs", "--to", "msccl", "-o", "FILE"],
    "show --svg": ["show", *MESH, "--svg", "FILE"],
    "show --html": ["show", *MESH, "--html", "FILE"],
    "simulate --trace": ["simulate", *MESH, *WORDS, "--trace", "FILE"],
    "simulate --vcd": ["simulate", *MESH, *WORDS, "--vcd", "FILE"],
    "bound --certificate": ["bound", *LARGE, "-c", "all-reduce", "--certificate", "FILE"],
    "search": ["search", *MESH, "-s", "search", "--rounds", "10", "--items", "2", "-o", "FILE"],
    "advise --csv": ["advise", "-t", "cycle:8", "--sweep", "startup", "--csv", "FILE"],
    "advise --svg": ["advise", "-t", "cycle:8", "--sweep", "startup", "--svg", "FILE"],
}
# What writes a folder, or a file that must not be there.
FOLDERS = {
    "search --checkpoint": ["search", *MESH, "-s", "search", "--rounds", "10", "--items", "2", "--checkpoint", "FILE"],
    "generate": ["generate", *MESH, *WORDS, "-o", "FILE"],
    "convert --to chakra": ["convert", "large.gfs", "--to", "chakra", "--bytes", "64", "-o", "FILE"],
    "prove": ["prove", "-t", "path:4", "--rounds", "3", "-o", "FILE"],
}
PRINTS = {
    "schedule -o -": ["schedule", *LARGE, "-o", "-"],
    "schedule --format": ["schedule", *LARGE, "--format", "gfs"],
    "schedule": ["schedule", *MESH],
    "convert": ["convert", "large.gfs", "--to", "csv"],
    "show": ["show", *LARGE],
    "show --svg -": ["show", *MESH, "--svg", "-"],
    "simulate --trace -": ["simulate", *MESH, *WORDS, "--trace", "-"],
    "list": ["list"],
    "help": ["help", "schedule"],
    "--version": ["--version"],
}
LIMITS = [0, 100, 1000, 5000, 20000]

failures = []


def run(arguments, limit=None, stdout=subprocess.PIPE):
    def restrict():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run([binary, *arguments], stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                          text=True, check=False, preexec_fn=restrict)


def check(name, done, reason, left):
    lines = [line for line in done.stderr.splitlines() if line.startswith("gossipfab: ")]  # not a report beside it
    wrong = None
    if done.returncode != 2:
        wrong = f"exit status {done.returncode}"
    elif len(lines) != 1 or reason not in lines[0]:
        wrong = f"says {lines}, not one line with '{reason}'"
    elif done.stdout:
        wrong = f"prints {done.stdout[:60]!r}"
    elif left:
        wrong = f"leaves {left}"
    if wrong:
        failures.append(f"{name}: {wrong}")


def in_folder(name, arguments, limit):
    """Under a limit it is whole, or not there at all."""
    before = set(os.listdir("."))
    done = run([word.replace("FILE", "made") for word in arguments], limit)
    left = sorted(set(os.listdir(".")) - before)
    if done.returncode == 0:
        for made in left:
            subprocess.run(["rm", "-rf", made], check=True)
        return False
    check(f"{name}, {limit} bytes", done, "File too large", left)
    subprocess.run(["rm", "-rf", *left], check=True)
    return True


binary = os.path.abspath(sys.argv[1])
with tempfile.TemporaryDirectory() as folder, open("/dev/full", "w", encoding="ascii") as full:
    os.chdir(folder)
    assert run(["schedule", *LARGE, "-o", "large.gfs"]).returncode == 0
    for command, line in FILES.items():
        done = run([word.replace("FILE", "/dev/full") for word in line])
        check(f"{command}, /dev/full", done, "No space left on device", os.listdir(".") != ["large.gfs"])
    for command, line in (FILES | FOLDERS).items():
        met = [in_folder(command, line, limit) for limit in LIMITS]
        if not met[0]:
            failures.append(f"{command}: writes what no limit forbids")
    for command, line in PRINTS.items():
        check(f"{command} > /dev/full", run(line, stdout=full), "No space left on device", [])

for failure in failures:
    print(f"FAILED {failure}")
print(f"{len(FILES) + len(FOLDERS) + len(PRINTS)} commands, {len(failures)} failures")
sys.exit(bool(failures))
