#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gathers.py GOSSIPFAB [--above] [--blocks K,K..] [--planted N] [TOPOLOGY...]: all-gathers and reduce-scatters of several
blocks a node beside the lower bound.

On meshes, tori, hypercubes and cycles of up to 64 nodes, full duplex, 1 to 16 blocks a node: rounds, bound, seconds of
one core. Every schedule is verified by gossipfab before it is written. Prints a table in Markdown; --above the rows alone
that are above the bound. TOPOLOGY...: these alone. --planted N adds N rounds to what gossipfab says. Exit status 1 where
a schedule is above the bound, 2 where gossipfab fails."""
import argparse
import itertools
import sys

from all_reduce import measures, run, topologies


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("topologies", nargs="*", metavar="TOPOLOGY")
    parser.add_argument("--above", action="store_true")
    parser.add_argument("--blocks", type=lambda text: [int(k) for k in text.split(",")], default=list(range(1, 17)))
    parser.add_argument("--planted", type=int, default=0)
    options = parser.parse_intermixed_args()
    rows, above, slowest = 0, 0, 0
    print("| topology | collective | blocks a node | rounds | bound | solver | s |\n| --- | --- | --- | --- | --- | --- | --- |")
    cases = itertools.product(options.topologies or topologies(), ("all-gather", "reduce-scatter"), options.blocks)
    for topology, collective, each in cases:
        nodes, _ = measures(topology)
        made, seconds = run(options.gossipfab, topology, "full", each * nodes, "auto", collective)
        rounds, bound = made["rounds"] + options.planted, made["bound"]["rounds"]
        rows += 1
        above += rounds > bound
        slowest = max(slowest, seconds)
        if rounds > bound or not options.above:
            print(f"| {topology} | {collective} | {each} | {rounds:,} | {bound:,} | {made['solver']} | {seconds:.1f} |",
                  flush=True)
    print(f"{rows} schedules, {above} above the bound; the slowest took {slowest:.1f} s")
    sys.exit(above > 0)


if __name__ == "__main__":
    main()
