#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""one_port_test.py GOSSIPFAB [--count N] [--seed S] [--planted N]: is a bound for one port ever above the optimum?

Draws connected graphs of 3 to 5 nodes, some with relays, and a broadcast or a reduce of 1 to 3 blocks with one port,
half or full duplex. The optimum is found by a search of this program's own: all that nodes can have after a round, from
all that they could have before it. A reduce is a broadcast backwards, so that its optimum is the same. --planted N adds
N rounds to each bound: the test must fail then. Prints a line for each bound that is too high, then the sums. Exit
status 0 where there is none, or 1.

Example: graph:3:0-1,0-2, full duplex, 3 blocks of node 0 take 6 rounds, and `gossipfab bound` says 6."""
import argparse
import itertools
import random
import re
import subprocess
import sys


def matchings(links):
    """All sets of links of which no two share a node."""
    sets = [()]
    for link in links:
        sets += [s + (link,) for s in sets if not any(set(link) & set(other) for other in s)]
    return sets[1:]


def exchanges(state, link, blocks, full):
    """What a link can do in a round: lists of (node, block) that the node gets."""
    def news(source, sink):
        return [(sink, b) for b in range(blocks) if state[source] >> b & 1 and not state[sink] >> b & 1]
    there, back = news(*link), news(*reversed(link))
    if full:
        return [[got for got in pair if got] for pair in itertools.product(there or [None], back or [None])]
    return [[got] for got in there + back] or [[]]


def optimum(nodes, links, members, root, blocks, full):
    """The fewest rounds of a broadcast, or of a reduce backwards."""
    everything = (1 << blocks) - 1
    first = tuple(everything if v == root else 0 for v in range(nodes))
    states, seen, rounds = {first}, {first}, 0
    sets = matchings(links)
    while not any(all(state[v] == everything for v in members) for state in states):
        after = set()
        for state in states:
            for matching in sets:
                for chosen in itertools.product(*(exchanges(state, link, blocks, full) for link in matching)):
                    has = list(state)
                    for node, block in itertools.chain.from_iterable(chosen):
                        has[node] |= 1 << block
                    after.add(tuple(has))
        states = after - seen
        seen |= states
        rounds += 1
    return rounds


def draw(numbers):
    """A graph, its members, and a number of blocks; or None where the graph is not connected."""
    nodes = numbers.randint(3, 5)
    blocks = numbers.randint(1, 3 if nodes < 5 else 2)
    pairs = list(itertools.combinations(range(nodes), 2))
    links = sorted(numbers.sample(pairs, numbers.randint(nodes - 1, len(pairs))))
    reached = {0}
    for _ in range(nodes):
        reached |= {v for link in links for v in link if set(link) & reached}
    relays = [v for v in range(nodes) if numbers.random() < 0.2]
    members = [v for v in range(nodes) if v not in relays]
    return (nodes, links, members, relays, blocks) if len(reached) == nodes and len(members) > 1 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gossipfab")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--planted", type=int, default=0)
    options = parser.parse_args()
    numbers = random.Random(options.seed)
    above = met = 0
    for _ in range(options.count):
        case = None
        while case is None:
            case = draw(numbers)
        nodes, links, members, relays, blocks = case
        root, full = numbers.randrange(len(members)), numbers.random() < 0.5
        collective = numbers.choice(("broadcast", "reduce"))
        graph = f"graph:{nodes}:" + ",".join(f"{u}-{v}" for u, v in links)
        graph += "+relay=" + ",".join(map(str, relays)) if relays else ""
        asked = ["-t", graph, "-c", collective, "--root", str(root), "--blocks", str(blocks), "--port-mode", "one",
                 "--link-mode", "full" if full else "half"]
        said = subprocess.run([options.gossipfab, "bound", *asked], check=True, stdout=subprocess.PIPE, text=True).stdout
        bound = int(re.search(r"^\*\s+(\d+)", said, re.M)[1]) + options.planted
        best = optimum(nodes, links, members, members[root], blocks, full)
        met += bound == best
        if bound > best:
            above += 1
            print(" ".join(asked), f"bound {bound}, optimum {best}")
    print(f"{options.count} cases; {met} bounds met; {above} above the optimum")
    sys.exit(above > 0)


main()
