#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lengths.py GOSSIPFAB [TOPOLOGY..]: all-reduces of 64 B to 1 GB, ours beside the algorithms that libraries use.

`advise` makes and verifies every schedule, and counts all of them by one formula: startups and bytes. Links are
full-duplex, 25 GB/s, 0.5 us a message. Of each length: the fastest of our own solvers, the fastest algorithm of solver
library, and what `schedule` takes where no solver is named, in the model and the blocks of the faster one: `auto`.
Prints a table in Markdown. Exit status 1 where auto is slower than an algorithm of a library, 2 where gossipfab fails."""
import json
import subprocess
import sys
from fractions import Fraction

TOPOLOGIES = ["torus:8x8", "fat-tree:4", "machine:dgx1"]
LENGTHS = [64, 1024, 16384, 262144, 4194304, 67108864, 1000000000]
BANDWIDTH, LATENCY = 25, Fraction(1, 2)  # GB/s, us
BYTES_A_US = 1000 * BANDWIDTH


def run(*arguments):
    made = subprocess.run(arguments, capture_output=True, text=True)
    if made.returncode != 0:
        print(made.stderr, end="", file=sys.stderr)
        sys.exit(2)
    return json.loads(made.stdout)


def microseconds(entry):
    return Fraction(entry["byte_transfers"]) / BYTES_A_US


def by_auto(gossipfab, topology, entry):
    """Microseconds of what auto makes in the entry's model and blocks."""
    model, startup = entry["model"], LATENCY * BYTES_A_US / entry["block_bytes"]
    made = run(gossipfab, "schedule", "-t", topology, "-c", "all-reduce", "--json", "--link-mode", "full", "--blocks",
               str(entry["blocks"]), "--packet-tokens", str(model["packet_tokens"]), "--routing", model["routing"],
               "--startup", f"{startup.numerator}/{startup.denominator}")
    return LATENCY * made["startups"] + Fraction(made["transfers"] * entry["block_bytes"], made["parts"]) / BYTES_A_US


def name(entry):
    return (entry["settings"] or "").replace("algorithm=", "") or entry["solver"]


def main():
    if "--help" in sys.argv or len(sys.argv) < 2:
        print(__doc__)
        sys.exit("--help" not in sys.argv and 2)
    gossipfab, topologies, slower = sys.argv[1], sys.argv[2:] or TOPOLOGIES, 0
    print("| topology | bytes | ours | us | of libraries | us | auto, us |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for topology in topologies:
        told = run(gossipfab, "advise", "-t", topology, "-c", "all-reduce", "--json", "--link-mode", "full", "--bandwidth",
                   str(BANDWIDTH), "--latency", "0.5", "--bytes", ",".join(str(b) for b in LENGTHS))
        for length in told["lengths"]:
            ours = next(e for e in length["ranking"] if e["solver"] != "library")
            theirs = next(e for e in length["ranking"] if e["solver"] == "library")
            best = theirs if microseconds(theirs) < microseconds(ours) else ours
            auto = by_auto(gossipfab, topology, best) if best is theirs else microseconds(ours)
            slower += auto > microseconds(theirs)
            print(f"| {topology} | {length['bytes']:,} | {name(ours)} | {float(microseconds(ours)):,.2f} | {name(theirs)} "
                  f"| {float(microseconds(theirs)):,.2f} | {float(auto):,.2f} |", flush=True)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
