#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""in_out_trees.py NODES ARCS [--planted]: is the rate of in- and out-trees a bound for every all-reduce? A search for a
counterexample.

Of a block that is reduced and spread each arc of a directed graph carries one message. Looks at all strongly connected
graphs of so many nodes and at most so many arcs, up to the nodes' numbers: where the arcs can be put in an order in
which every node learns of every other one, are there an in-tree and an out-tree of one root that share no arc? If so a
block's messages always pay for a pair of trees. Prints graphs where they do not. --planted asks for an out-tree and an
arc more, which not every such graph has: that must be found. Exit status 1 where there is a counterexample."""
import argparse
import itertools
import sys


def reaches_all(arcs, root, nodes, inwards):
    seen, todo = {root}, [root]
    while todo:
        v = todo.pop()
        for arc in arcs:
            a, b = arc[::-1] if inwards else arc
            if a == v and b not in seen:
                seen.add(b)
                todo.append(b)
    return len(seen) == nodes


def out_trees(arcs, root, nodes):
    into = [[arc for arc in arcs if arc[1] == v] for v in range(nodes) if v != root]
    for chosen in itertools.product(*into):
        if reaches_all(chosen, root, nodes, False):
            yield frozenset(chosen)


def has_pair(arcs, nodes, spare):
    """Is there a root with an out-tree, such that an in-tree is left, and so many arcs more?"""
    return any(reaches_all(set(arcs) - tree, root, nodes, True) and len(arcs) >= 2 * nodes - 2 + spare
               for root in range(nodes) for tree in out_trees(arcs, root, nodes))


def can_gossip(arcs, nodes):
    """A state is which arcs were used and what each node knows; of two of the same arcs the one that knows more."""
    everything = (1 << nodes) - 1
    states = {0: [tuple(1 << v for v in range(nodes))]}
    for _ in arcs:
        after = {}
        for used, knows in states.items():
            for i, (a, b) in enumerate(arcs):
                if used >> i & 1:
                    continue
                for know in knows:
                    told = know[:b] + (know[a] | know[b],) + know[b + 1:]
                    after.setdefault(used | 1 << i, set()).add(told)
        states = {}
        for used, knows in after.items():
            kept = []
            for know in sorted(knows, key=lambda know: -sum(bin(k).count("1") for k in know)):
                if all(k == everything for k in know):
                    return True
                if not any(all(k | o == o for k, o in zip(know, other)) for other in kept):
                    kept.append(know)
            states[used] = kept
    return False


def graphs(nodes, most):
    arcs = list(itertools.permutations(range(nodes), 2))
    index = {arc: i for i, arc in enumerate(arcs)}
    images = [[index[p[a], p[b]] for a, b in arcs] for p in itertools.permutations(range(nodes))]
    seen = set()
    for count in range(2 * nodes - 2, min(most, len(arcs)) + 1):
        for chosen in itertools.combinations(range(len(arcs)), count):
            graph = [arcs[i] for i in chosen]
            if not all(reaches_all(graph, 0, nodes, inwards) for inwards in (False, True)):
                continue
            least = min(sum(1 << image[i] for i in chosen) for image in images)
            if least not in seen:
                seen.add(least)
                yield graph


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", type=int)
    parser.add_argument("arcs", type=int)
    parser.add_argument("--planted", action="store_true")
    options = parser.parse_args()
    looked, found = 0, 0
    for graph in graphs(options.nodes, options.arcs):
        looked += 1
        if not has_pair(graph, options.nodes, 1 if options.planted else 0) and can_gossip(graph, options.nodes):
            found += 1
            print("no pair of trees:", " ".join(f"{a}>{b}" for a, b in graph), flush=True)
    print(f"{looked} graphs of {options.nodes} nodes, at most {options.arcs} arcs: {found} counterexamples")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
