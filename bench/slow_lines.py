#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""slow_lines.py GOSSIPFAB [--seconds S] [NAME...]: lines of the command that once took long.

Runs each line, or those whose name is given. Prints a table in Markdown, a row as soon as it is measured: the line, the
rounds of its schedule beside the lower bound, seconds of one core. Exit status: 0; 1 where a line took more than S (60)
seconds of the core; 2 where gossipfab fails."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

# Four moves of 30,000,000 blocks: a file that is faulty, but not by much.
FEW_MOVES = """gossipfab-schedule 2
topology path:2
link-mode half
port-mode all
packet-tokens 1
hop-rounds 1
solver reversed
collective all-reduce
blocks 30000000
rounds 4
packets 4
round 1
0 1:+1
round 2
1 0:+0
round 3
0 1:0
round 4
1 0:1
end
"""

# Name: the line, and the exit status that is right.
LINES = {
    "torus-16": ("schedule --topology torus:16x16 --collective all-reduce", 0),
    "debruijn-6": ("schedule --topology debruijn:6 --collective all-reduce", 0),
    "debruijn-8": ("schedule --topology debruijn:8 --collective all-reduce", 0),
    "path-1024": ("schedule --topology path:1024 --collective reduce-scatter", 0),
    "mesh-64": ("schedule --topology mesh:64x64 --collective all-reduce", 0),
    "hypercube-12": ("schedule --topology hypercube:12 --collective all-reduce", 0),
    "mesh-16-full": ("schedule --topology mesh:16x16 --collective all-reduce --link-mode full", 0),
    "bound-torus-64": ("bound --topology torus:64x64 --link-mode full", 0),
    "bound-torus-128": ("bound --topology torus:128x128 --link-mode full", 0),
    "bound-mesh-64": ("bound --topology mesh:64x64 --collective all-reduce", 0),
    "bound-mesh-128": ("bound --topology mesh:128x128 --collective all-reduce", 0),
    "few-moves": ("verify few.gfs", 1),
    "picture": ("show --topology mesh:128x128 --svg a.svg", 2),
}


def run(gossipfab, line, right):
    """Rounds, lower bound, seconds of the core; None where the exit status is another."""
    asks = [gossipfab, *line.split()] + ([] if line.startswith("show") else ["--json"])
    before = os.times()
    done = subprocess.run(asks, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    after = os.times()
    if done.returncode != right:
        sys.stderr.write(done.stderr)
        return None
    report = json.loads(done.stdout) if done.returncode == 0 else {}
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    bound = report.get("bound") or report.get("best") or {}
    return report.get("rounds", ""), bound.get("rounds", ""), seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gossipfab", type=os.path.abspath)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_intermixed_args()
    unknown = [name for name in options.names if name not in LINES]
    if unknown:
        parser.error(f"unknown name {unknown[0]}; there are {', '.join(LINES)}")
    slow = []
    print("| line | rounds | bound | seconds |\n| --- | --- | --- | --- |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("few.gfs", "w", encoding="ascii") as file:
            file.write(FEW_MOVES)
        for name in options.names or LINES:
            line, right = LINES[name]
            measured = run(options.gossipfab, line, right)
            if measured is None:
                return 2
            rounds, bound, seconds = measured
            print(f"| {line} | {rounds} | {bound} | {seconds:.1f} |", flush=True)
            if seconds > options.seconds:
                slow.append(name)
    for name in slow:
        print(f"{name} took more than {options.seconds:g} s", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
