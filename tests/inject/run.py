#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py GOSSIPFAB [--short] [--only TEXT]: every allocation of a command line fails once.

Each line below is run fault-free, then once for each of its allocations, which fails (inject.c). Faults are: an abort,
another signal or a run without end; an exit status that is neither the fault-free one nor 2 with a message; at the
fault-free status another standard output or other files; at 2 a file that is neither an input nor whole. --short takes
a few lines and some allocations of each: the first ones, then ever fewer. Exit status: 0, 1 where a fault is found."""
import argparse
import collections
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

SECONDS = 30  # a run's limit; fault-free runs take a fraction of one

# What is run, in a folder of its own that has a schedule s.gfs, a graph g.txt and a CSV s.csv, all of 2x2 meshes.
SHORT = [
    "schedule -t path:3 --link-mode full --port-mode one --prove --proof p",
    "schedule -t cycle:6 --link-mode full --port-mode one --packet-tokens 5 --solver sat --json",
    "schedule -t cycle:5 --startup 2 -o a.gfs --json",
    "generate -t mesh:2x2 -o fabric",
    "verify s.gfs --json",
    "simulate -t path:2 --token-bits 8 --link-bits 4 --json",
]
LINES = SHORT + [
    "schedule -t mesh:2x3 --json",
    "schedule -t mesh:3x3 -o a.gfs",
    "schedule -t torus:3x3 -f csv",
    "schedule -t star:3 --port-mode one -o a.gfs --json",
    "schedule -t cycle:6 --link-mode full --port-mode one --packet-tokens 5 --solver sat -o a.gfs",
    "schedule -t path:4 --link-mode full --port-mode one --packet-tokens 4 --solver exhaustive --json",
    "schedule -t cycle:6 --link-mode full --port-mode one --solver matching -o a.gfs",
    "schedule -t cycle:6 --link-mode full --port-mode one --packet-tokens 6 --solver colouring -o a.gfs",
    "schedule -t file:g.txt --solver greedy -o a.gfs",
    "schedule -t mesh:2x2 --broadcast-from 0 --link-mode full --port-mode one --json",
    "bound -t mesh:4x4 --json",
    "verify --topology mesh:2x2 s.csv",
    "show --schedule s.gfs --json",
    "show --schedule s.gfs --svg a.svg",
    "list --json",
    "simulate --schedule s.gfs --token-bits 8 --link-bits 4 --trace t.csv --vcd t.vcd",
    "generate --schedule s.gfs -o fabric --json",
    "generate -t mesh:2x2 --board hx8k -o fabric",
    "advise -t mesh:2x2 --startup-cycles 4 --json",
    "table lau-zhang --max-n 3 --json",
]


def contents(folder):
    """Every file's bytes by its path; of a folder None."""
    found = {}
    for base, folders, files in os.walk(folder):
        for name in folders:
            found[os.path.relpath(os.path.join(base, name), folder)] = None
        for name in files:
            with open(os.path.join(base, name), "rb") as file:
                found[os.path.relpath(os.path.join(base, name), folder)] = file.read()
    return found


class Line:
    def __init__(self, program, library, inputs, line):
        self.program, self.library, self.inputs, self.line = program, library, inputs, line
        self.before = contents(inputs)
        with tempfile.NamedTemporaryFile() as counter:
            self.status, self.output, self.files, errors = self.run({"INJECT_COUNT": counter.name})
            if self.status not in (0, 1):
                sys.exit(f"inject: {line}: fault-free exit status {self.status}: {errors.decode()}")
            self.count = int(counter.read())

    def run(self, variables):
        with tempfile.TemporaryDirectory(prefix="gossipfab-inject-") as parent:
            folder = os.path.join(parent, "run")
            shutil.copytree(self.inputs, folder)
            environment = dict(os.environ, LD_PRELOAD=self.library, LC_ALL="C", **variables)
            try:
                done = subprocess.run([self.program] + self.line.split(), cwd=folder, env=environment,
                                      stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return None, b"", {}, b""
            return done.returncode, done.stdout, contents(folder), done.stderr

    def fault(self, number):
        """The kind of fault when allocation `number` fails, and what was seen; None for none."""
        status, output, files, errors = self.run({"INJECT_FAIL": str(number)})
        message = errors.decode(errors="replace").strip()[-150:]
        if status is None:
            return "hang", f"not done in {SECONDS} s"
        if status < 0:
            return "abort", f"signal {-status} {message}"
        if status == self.status:
            if output != self.output:
                return "output", "standard output differs"
            changed = sorted(name for name in files.keys() | self.files.keys()
                             if name not in files or files[name] != self.files.get(name, b""))
            return ("output", "files differ: " + " ".join(changed)[:200]) if changed else None
        if status != 2:
            return "status", f"exit status {status} {message}"
        left = sorted(name for name, data in files.items()
                      if name not in self.before and (name not in self.files or self.files[name] != data))
        if left:
            return "leftover", " ".join(left)[:200]
        return None if message else ("status", "exit status 2 without a message")


def sample(count):
    """Some of 1..count: all of the first 10, then steps of a quarter, but never above a 16th of all."""
    numbers, number = [], 1
    while number <= count:
        numbers.append(number)
        number += 1 if number < 10 else max(1, min(number // 4, count // 16))
    return numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--most", type=int, default=sys.maxsize, help="of lines with more allocations a sample")
    parser.add_argument("--only", help="lines with this text")
    parser.add_argument("--library", help="inject.c, built; it is built with cc where this is not given")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    totals, runs = collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="gossipfab-inject-") as folder:
        library = os.path.abspath(options.library) if options.library else os.path.join(folder, "inject.so")
        if not options.library:
            source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inject.c")
            subprocess.run(["cc", "-std=c17", "-O1", "-fPIC", "-shared", "-o", library, source], check=True)
        inputs = os.path.join(folder, "inputs")
        os.mkdir(inputs)
        with open(os.path.join(inputs, "g.txt"), "w", encoding="ascii") as file:
            file.write("0 1\n1 2\n2 3\n3 0\n")
        for form in ("gfs", "csv"):
            subprocess.run([program, "schedule", "-t", "mesh:2x2", "-f", form, "-o", f"s.{form}"], cwd=inputs,
                           check=True, stdout=subprocess.DEVNULL)
        lines = SHORT if options.short else LINES
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for text in lines:
                if options.only and options.only not in text:
                    continue
                line = Line(program, library, inputs, text)
                numbers = sample(line.count) if options.short or line.count > options.most else range(1, line.count + 1)
                found = collections.defaultdict(list)
                for number, fault in zip(numbers, pool.map(line.fault, numbers)):
                    if fault:
                        found[fault].append(number)
                        totals[fault[0]] += 1
                runs += len(numbers)
                print(f"{text}: {line.count} allocations, {len(numbers)} failed, "
                      f"{sum(map(len, found.values()))} faults", flush=True)
                for (kind, seen), where in sorted(found.items()):
                    print(f"    {kind} at {len(where)}, first {where[0]}: {seen}", flush=True)
    print(f"inject: {runs} runs: " + ", ".join(f"{totals[kind]} {kind}" for kind in
                                               ("abort", "hang", "status", "output", "leftover")))
    return 1 if totals else 0


if __name__ == "__main__":
    sys.exit(main())
