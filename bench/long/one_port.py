#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""one_port.py GOSSIPFAB [--count N] [--seed S]: how near to the bound auto is with one port, on random graphs.

Draws N connected graphs of 6 to 24 nodes and up to three times as many links, a link mode, a collective, and 16 blocks
a node or more; prints how many schedules are at the bound, how many within N rounds of it, and the worst. The schedules
are verified as they are made. Exit status 0."""
import argparse
import json
import random
import subprocess

COLLECTIVES = ("all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce")


def draw(dice):
    nodes = dice.randint(6, 24)
    links = dice.randint(nodes, min(3 * nodes, nodes * (nodes - 1) // 2))
    spec = "random:n=%d,m=%d,seed=%d" % (nodes, links, dice.randint(1, 1 << 30))
    return [spec, "-c", dice.choice(COLLECTIVES), "--link-mode", dice.choice(("half", "full")),
            "--blocks", str(nodes * dice.randint(16, 20)), "--port-mode", "one"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("gossipfab")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--solver", default="auto")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    dice = random.Random(given.seed)
    ratios, exact, near, tally = [], 0, 0, {}
    while len(ratios) < given.count:
        case = draw(dice)
        run = subprocess.run([given.gossipfab, "schedule", *case, "--solver", given.solver, "--json"],
                             capture_output=True, text=True)
        if "not connected" in run.stderr:
            continue
        report = json.loads(run.stdout)
        rounds, bound = report["rounds"], report["bound"]["rounds"]
        nodes = int(case[0].split("=")[1].split(",")[0])
        exact += rounds == bound
        near += rounds <= bound + nodes
        ratios.append(rounds / bound)
        row = tally.setdefault((case[2], case[4]), [0, 0, 0, 0])
        row[0] += 1
        row[1] += rounds == bound
        row[2] += rounds <= bound + nodes
        row[3] = max(row[3], rounds / bound)
        if given.verbose:
            print(" ".join(case), report["solver"], rounds, bound, flush=True)
    for key, row in sorted(tally.items()):
        print("%-15s %-5s %4d graphs, %4d at the bound, %4d within N rounds, worst %.3f" % (*key, *row))
    print("%d graphs: %.1f %% at the bound, %.1f %% within N rounds of it, worst %.3f of it" %
          (len(ratios), 100 * exact / len(ratios), 100 * near / len(ratios), max(ratios)))


if __name__ == "__main__":
    main()
