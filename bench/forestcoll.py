#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""forestcoll.py GOSSIPFAB: all-gathers of long vectors beside ForestColl's (arXiv:2402.06787), in GB/s.

The machines are ForestColl's own (docs/theory/long-vectors/out-trees.md). Of each: what a schedule of any length carries (blocks of a
group, over the rounds of a period, times GB/s of a packet a round), what the certificate allows, and ForestColl's
algorithmic bandwidth. The command verifies every schedule. Prints a table in Markdown. Exit status 1 where a schedule is
slower than ForestColl's, 2 where gossipfab fails."""
import json
import subprocess
import sys
import time
from fractions import Fraction

# topology, GB/s of a packet a round, ForestColl's GB/s
CASES = [("machine:a100x2", 25, 346.67),
         ("machine:mi250x2", 2, 354.13),
         ("machine:mi250x2" + "".join(f"+drop-node={v}" for v in range(16, 33)), 2, 342.86)]


def run(*arguments):
    made = subprocess.run(arguments, capture_output=True, text=True)
    if made.returncode != 0:
        print(made.stderr, end="", file=sys.stderr)
        sys.exit(2)
    return json.loads(made.stdout)


def main():
    if "--help" in sys.argv or len(sys.argv) != 2:
        print(__doc__)
        sys.exit("--help" not in sys.argv and 2)
    gossipfab, slower = sys.argv[1], 0
    print("| machine | blocks | rounds | GB/s | at most | ForestColl | first group's rounds | s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for topology, unit, theirs in CASES:
        common = ["-t", topology, "-c", "all-gather", "--link-mode", "full", "--json"]
        start = time.monotonic()
        made = run(gossipfab, "schedule", *common, "--blocks", "any", "--solver", "out-trees")["repeats"]
        seconds = time.monotonic() - start
        rate = Fraction(run(gossipfab, "bound", *common)["rate"]["rounds_a_block"])
        ours = made["group"] / made["period"] * unit
        slower += ours < theirs - 0.01
        name = topology.split("+")[0] + (", one box" if "+" in topology else "")
        print(f"| {name} | {made['group']} | {made['period']} | {ours:.2f} | "
              f"{float(unit / rate):.2f} | {theirs} | {made['group_rounds']} | {seconds:.1f} |",
              flush=True)
    sys.exit(slower > 0)


if __name__ == "__main__":
    main()
