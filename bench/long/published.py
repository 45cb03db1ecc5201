#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""published.py GOSSIPFAB: all-gathers beside published figures of other synthesisers, full duplex, by auto.

- TACOS (arXiv:2304.05301), its code run on small graphs: rounds.
- SCCL (arXiv:2008.08708), the points of the DGX-1 that msccl-tools' SYNTHESIS.md names: rounds, and steps: here the
  links of the longest chain of messages that a block makes.
- TE-CCL (arXiv:2305.13479), the result file of two NDv2 boxes, 1 GB: milliseconds, here without startups.
gossipfab verifies every schedule. Prints a table in Markdown. Exit status 1 where ours takes more rounds or more time, 2
where gossipfab fails. More steps are no failure: the table has them."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

# whose, topology, blocks, their rounds, their steps
CASES = [("TACOS", "cycle:8", 32, 15, None), ("TACOS", "hypercube:3", 16, 5, None), ("TACOS", "hypercube:3", 32, 10, None),
         ("TACOS", "mesh:4x4", 32, 15, None), ("TACOS", "mesh:4x4", 64, 30, None),
         ("SCCL", "machine:dgx1", 16, 3, 2), ("SCCL", "machine:dgx1", 48, 7, 3)]
# whose, topology, blocks, GB/s of a link of weight 1, their milliseconds for 1 GB
TIMES = [("TE-CCL", "machine:ndv2x2", 4096, 12.5, 43.75)]


def run(*arguments):
    made = subprocess.run(arguments, capture_output=True, text=True)
    if made.returncode != 0:
        print(made.stderr, end="", file=sys.stderr)
        sys.exit(2)
    return made.stdout


def schedule(gossipfab, topology, blocks, path):
    start = time.monotonic()
    made = json.loads(run(gossipfab, "schedule", "-t", topology, "-c", "all-gather", "--link-mode", "full", "--blocks",
                          str(blocks), "--json", "-o", path))
    return made, time.monotonic() - start


def steps(gossipfab, path):
    """The longest way of a block: rows are by rounds."""
    run(gossipfab, "convert", path, "--to", "csv", "-o", path + ".csv")
    links = {}
    with open(path + ".csv", encoding="ascii") as rows:
        for row in csv.DictReader(rows):
            links[row["token"], row["to"]] = links.get((row["token"], row["from"]), 0) + 1
    return max(links.values())


def main():
    if "--help" in sys.argv or len(sys.argv) != 2:
        print(__doc__)
        sys.exit("--help" not in sys.argv and 2)
    gossipfab, worse = sys.argv[1], 0
    print("| | topology | blocks | ours | bound | theirs | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "s.gfs")
        for whose, topology, blocks, rounds, their_steps in CASES:
            made, seconds = schedule(gossipfab, topology, blocks, path)
            worse += made["rounds"] > rounds
            ours, theirs = f"{made['rounds']} rounds", f"{rounds} rounds"
            if their_steps:
                ours += f", {steps(gossipfab, path)} steps"
                theirs += f", {their_steps} steps"
            print(f"| {whose} | {topology} | {blocks} | {ours} | {made['bound']['rounds']} | {theirs} | {seconds:.1f} |")
        for whose, topology, blocks, bandwidth, milliseconds in TIMES:
            made, seconds = schedule(gossipfab, topology, blocks, path)
            ours, least = (rounds / blocks / bandwidth * 1000 for rounds in (made["rounds"], made["bound"]["rounds"]))
            worse += ours > milliseconds
            print(f"| {whose} | {topology} | {blocks} | {ours:.2f} ms | {least:.2f} ms | {milliseconds} ms | {seconds:.1f} |")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
