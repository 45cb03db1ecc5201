#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""all_reduce.py GOSSIPFAB [--above] [--solver S] [--planted N] [TOPOLOGY...]: all-reduces of long vectors beside the
lower bound.

On meshes, tori, hypercubes and cycles of up to 64 nodes, half and full duplex, each of 8 N, 12 N + N / 2 and 10,000 N
blocks: rounds, bound, and what the rounds may be at most, 1.01 times the bound and twice the diameter; seconds of one
core. Every schedule is verified by gossipfab before it is written. Prints a table in Markdown; --above the rows alone
that are above what they may be. TOPOLOGY...: these alone. --planted N adds N rounds to what gossipfab says. Exit status
1 where a schedule is too long, 2 where gossipfab fails."""
import argparse
import itertools
import json
import math
import os
import subprocess
import sys

LARGEST = 64


def sides():
    """Two or three sides, the shortest first."""
    for count in (2, 3):
        for s in itertools.product(range(2, LARGEST // 2 + 1), repeat=count):
            if list(s) == sorted(s) and math.prod(s) <= LARGEST:
                yield s


def topologies():
    for s in sides():
        yield "mesh:" + "x".join(map(str, s))
    for s in sides():
        if max(s) > 2:
            yield "torus:" + "x".join(map(str, s))
    for n in range(2, 7):
        yield f"hypercube:{n}"
    for n in range(3, LARGEST + 1):
        yield f"cycle:{n}"


def measures(topology):
    """Nodes and diameter."""
    family, words = topology.split(":")
    s = [int(word) for word in words.split("x")]
    if family == "mesh":
        return math.prod(s), sum(s) - len(s)
    if family == "hypercube":
        return 2 ** s[0], s[0]
    return math.prod(s), sum(side // 2 for side in s)


def run(gossipfab, topology, mode, blocks, solver, collective="all-reduce"):
    command = [gossipfab, "schedule", "-t", topology, "-c", collective, "--link-mode", mode, "--blocks", str(blocks),
               "--solver", solver, "--json"]
    start = os.times().children_user
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode != 0:
        print(" ".join(command) + ": " + made.stderr, end="", file=sys.stderr)
        sys.exit(2)
    return json.loads(made.stdout), os.times().children_user - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("topologies", nargs="*", metavar="TOPOLOGY")
    parser.add_argument("--above", action="store_true")
    parser.add_argument("--solver", default="auto")
    parser.add_argument("--planted", type=int, default=0)
    options = parser.parse_intermixed_args()
    rows, above, slowest = 0, 0, 0
    print("| topology | duplex | blocks | rounds | bound | at most | solver | s |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- |")
    for topology, mode in itertools.product(options.topologies or topologies(), ("half", "full")):
        nodes, diameter = measures(topology)
        for blocks in (8 * nodes, 12 * nodes + nodes // 2, 10000 * nodes):
            made, seconds = run(options.gossipfab, topology, mode, blocks, options.solver)
            rounds, bound = made["rounds"] + options.planted, made["bound"]["rounds"]
            most = 101 * bound // 100 + 2 * diameter
            rows += 1
            above += rounds > most
            slowest = max(slowest, seconds)
            if rounds > most or not options.above:
                print(f"| {topology} | {mode} | {blocks:,} | {rounds:,} | {bound:,} | {most:,} | {made['solver']} | "
                      f"{seconds:.1f} |", flush=True)
    print(f"{rows} schedules, {above} too long; the slowest took {slowest:.1f} s")
    sys.exit(above > 0)


if __name__ == "__main__":
    main()
