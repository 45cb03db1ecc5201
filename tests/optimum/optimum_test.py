#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""optimum_test.py GOSSIPFAB [--large] [--planted N]: auto on connected graphs of 5 nodes, against the true optimum.

The graphs are all connected ones, up to their nodes' numbers; without --large the sparse ones, of 4 or 5 links, each
from two roots. Four models: half and full duplex, all ports and one. The optimum is known in two ways:
- exhaustively, by a search of this program's own: broadcast and reduce of one block, barriers. What a node knows only
  grows, so that rounds to which no call can be added are enough.
- by SAT (schedule --prove), all ports: all-reduce of 1 and 5 blocks, all-gather and reduce-scatter.
No schedule may be more than 1 round above it with all ports, 2 with one. Prints how many were looked at and which are
above. --planted N adds N rounds to what gossipfab says: the test must fail then. Exit status 0, or 1."""
import argparse
import itertools
import json
import subprocess
import sys

NODES = 5
PAIRS = list(itertools.combinations(range(NODES), 2))


def is_connected(links):
    reached = {0}
    for _ in range(NODES):
        reached |= {v for link in links for v in link if set(link) & reached}
    return len(reached) == NODES


def graphs():
    """One of each set of graphs that differ in the numbers of their nodes alone."""
    seen = set()
    for count in range(NODES - 1, len(PAIRS) + 1):
        for links in itertools.combinations(PAIRS, count):
            if not is_connected(links):
                continue
            least = min(tuple(sorted(tuple(sorted((p[a], p[b]))) for a, b in links))
                        for p in itertools.permutations(range(NODES)))
            if least not in seen:
                seen.add(least)
                yield least


def matchings(links):
    """Sets of links without a common node to which no link can be added."""
    free = [link for link in links]
    if not free:
        return [()]
    found = set()

    def grow(taken, used):
        more = [link for link in free if not set(link) & used]
        if not more:
            found.add(tuple(sorted(taken)))
        for link in more:
            grow(taken + [link], used | set(link))

    grow([], set())
    return sorted(found)


def broadcast_rounds(links, root, one_port):
    states, rounds = {1 << root}, 0
    while (1 << NODES) - 1 not in states:
        after = set()
        for state in states:
            calls = [link for link in links if (state >> link[0] ^ state >> link[1]) & 1]
            for chosen in matchings(calls) if one_port else [calls]:
                told = state
                for link in chosen:
                    told |= 1 << link[0] | 1 << link[1]
                after.add(told)
        states, rounds = after, rounds + 1
    return rounds


def barrier_rounds(links, full, one_port):
    """A state is what each node knows. Of two states, one of which knows all that the other does, that one is kept."""
    everything = (1 << NODES) - 1
    states, rounds = {tuple(1 << v for v in range(NODES))}, 0
    rows = matchings(links) if one_port else [links]
    while not any(all(know == everything for know in state) for state in states):
        after = set()
        for state in states:
            for row in rows:
                for ways in [None] if full else itertools.product((0, 1), repeat=len(row)):
                    told = list(state)
                    for i, (a, b) in enumerate(row):
                        if full or ways[i]:
                            told[b] |= state[a]
                        if full or not ways[i]:
                            told[a] |= state[b]
                    after.add(tuple(told))
        states, rounds = maximal(after), rounds + 1
    return rounds


def maximal(states):
    kept = []
    for state in sorted(states, key=lambda s: -sum(bin(know).count("1") for know in s)):
        if len(kept) < 3000 and any(all(a | b == b for a, b in zip(state, other)) for other in kept):
            continue
        kept.append(state)
    return set(kept)


def run(gossipfab, links, goal, full, one_port, *more):
    spec = f"graph:{NODES}:" + ",".join(f"{a}-{b}" for a, b in links)
    command = [gossipfab, "schedule", "-t", spec, "-c", *goal, "--json", "--link-mode", "full" if full else "half",
               "--port-mode", "one" if one_port else "all", *more]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"optimum_test.py: {' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)["rounds"]


def cases(gossipfab, links, roots, full, one_port):
    """Goals, and the fewest rounds of each."""
    for root in roots:
        best = broadcast_rounds(links, root, one_port)
        for collective in ("broadcast", "reduce"):
            yield (collective, "--blocks", "1", "--root", str(root)), best
    yield ("barrier",), barrier_rounds(links, full, one_port)
    if not one_port:
        for goal in (("all-reduce", "--blocks", "1"), ("all-reduce", "--blocks", "5"), ("all-gather",),
                     ("reduce-scatter",)):
            yield goal, run(gossipfab, links, goal, full, one_port, "--prove")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--planted", type=int, default=0)
    options = parser.parse_args()
    looked, above, bad = 0, {}, 0
    for links in graphs():
        if not options.large and len(links) > NODES:
            continue
        roots = range(NODES) if options.large else (0, NODES - 1)
        for full, one_port in itertools.product((False, True), repeat=2):
            for goal, best in cases(options.gossipfab, links, roots, full, one_port):
                rounds = run(options.gossipfab, links, goal, full, one_port) + options.planted
                if rounds < best:
                    sys.exit(f"{links} {goal}: {rounds} rounds, below the optimum {best}: this program is wrong")
                looked += 1
                above[rounds - best] = above.get(rounds - best, 0) + 1
                if rounds > best + (2 if one_port else 1):
                    bad += 1
                if rounds > best:
                    print(f"{rounds} rounds, optimum {best}: {'full' if full else 'half'} duplex, "
                          f"{'one port' if one_port else 'all ports'}, {' '.join(goal)}, "
                          + ",".join(f"{a}-{b}" for a, b in links), flush=True)
    print(f"{looked} schedules; rounds above the optimum: {dict(sorted(above.items()))}; {bad} by too many")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
