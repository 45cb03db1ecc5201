#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""parts_test.py GOSSIPFAB [--large] [--planted N]: auto is never longer than what it could be put together of.

On connected graphs of 5 nodes, half and full duplex, all ports and one:
- an all-reduce takes no more rounds than a reduce and then a broadcast from the same node, whichever node that is;
- a barrier no more than an all-reduce of one block;
- any collective no more than the solver steiner.
Without --large the graphs of 4 and 5 links, 1 and 5 blocks, and one root; with it all, and 10 blocks too. --planted N
adds N rounds to what auto says, for those of 4 links: the test must fail then, at the first one. Exit status 0, or 1."""
import argparse
import itertools
import sys

from optimum_test import NODES, graphs, run

OWNED = ("all-gather", "reduce-scatter")
ENDS = 0, NODES - 1  # roots


def check(what, rounds, other, by, faults):
    if rounds > other:
        faults.append(f"{what}: {rounds} rounds, {by} {other}")
        print(faults[-1], flush=True)
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--planted", type=int, default=0)
    options = parser.parse_args()
    looked, faults = 0, []
    for links, full, one_port in itertools.product(graphs(), (False, True), (False, True)):
        if not options.large and len(links) > NODES - (options.planted > 0):
            continue

        def rounds(*goal, solver="auto"):
            return run(options.gossipfab, links, goal, full, one_port, "--solver", solver)

        if options.planted and faults:
            break
        where = (f"{'full' if full else 'half'} duplex, {'one port' if one_port else 'all ports'}, "
                 + ",".join(f"{a}-{b}" for a, b in links))
        least = {}
        for blocks in (1, NODES) + ((2 * NODES,) if options.large else ()):
            count = ("--blocks", str(blocks))
            least[blocks] = rounds("all-reduce", *count) + options.planted
            for root in range(NODES) if options.large else ENDS[:1]:
                at = count + ("--root", str(root))
                both = [rounds(collective, *at) for collective in ("reduce", "broadcast")]
                looked += check(f"{where}: all-reduce of {blocks}", least[blocks], sum(both),
                                f"reduce and broadcast at {root}", faults)
                for collective, made in zip(("reduce", "broadcast"), both):
                    if root in ENDS:
                        looked += check(f"{where}: {collective} of {blocks} at {root}", made + options.planted,
                                        rounds(collective, *at, solver="steiner"), "steiner", faults)
            looked += check(f"{where}: all-reduce of {blocks}", least[blocks],
                            rounds("all-reduce", *count, solver="steiner"), "steiner", faults)
        barrier = rounds("barrier") + options.planted
        looked += check(f"{where}: barrier", barrier, least[1] - options.planted, "all-reduce of one block", faults)
        owned = tuple((c, "--blocks", str(NODES * k)) for c in OWNED for k in (1, 2))
        for goal in (("barrier",), ("all-to-all",)) + owned:
            looked += check(f"{where}: {' '.join(goal)}", rounds(*goal) + options.planted,
                            rounds(*goal, solver="steiner"), "steiner", faults)
    print(f"{looked} comparisons; {len(faults)} longer")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
