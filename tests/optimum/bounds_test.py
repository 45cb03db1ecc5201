#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bounds_test.py GOSSIPFAB [--links N] [--planted N]: auto on connected graphs of 5 nodes, against bounds of its own.

All connected graphs of 5 nodes up to their numbers, of at most N links; half and full duplex, all ports and one;
broadcast and reduce of 1 and 5 blocks at every node, all-reduce of 1 and 5, all-gather, reduce-scatter, all-to-all. The
optimum is no less than any of these, which this program counts itself:
- the messages that there have to be, divided by the most that a round has room for, over all sets of links that can
  be used at a time: between single nodes, and, all ports, between the parts of every partition of them;
- all ports, broadcast, reduce and all-reduce: for each set of nodes the rounds before the first block can come out of
  it, those in which all do, and those that the last one needs for its way to the farthest node;
- one port, for each node and the parts that the others fall in without it: the rounds that it spends on what goes
  into each part and out of it;
- one port, all-reduce: of each block the last message from a part to such a node, or from the node to a part. It is sent
  no sooner than when all that is behind it can have come, and no later than it takes to tell everybody before it;
- one port, broadcast and reduce: some block leaves the root for the first time in round B or later, and those that have
  it can no more than double from round to round;
- an all-reduce of 1 block: the fewest rounds of a barrier, by exhaustive search.
Where a schedule is at most 1 round above with all ports, 2 with one, it is settled: that is near the optimum, whatever
it is. OPEN says how many may be not settled, FARTHEST how far above the bound these may be. --planted N adds N rounds
to what gossipfab says: the test must fail then. Exit status 0, or 1."""
import argparse
import itertools
import sys

from optimum_test import NODES, barrier_rounds, graphs, run

OPEN, FARTHEST = 3, 2


def parts_without(links, node):
    left, parts = set(range(NODES)) - {node}, []
    while left:
        part = {left.pop()}
        while True:
            more = {v for link in links for v in link if set(link) & part and node not in link} - part
            if not more:
                break
            part |= more
        left -= part
        parts.append(part)
    return parts


def usable(links, one_port):
    """Sets of links that one round can use."""
    sets = [()]
    for link in links:
        sets += [s + (link,) for s in sets if not one_port or not any(set(link) & set(other) for other in s)]
    return sets


def distances(links, start):
    far, queue = {start: 0}, [start]
    for v in queue:
        for link in links:
            if v in link and sum(link) - v not in far:
                far[sum(link) - v] = far[v] + 1
                queue.append(sum(link) - v)
    return far


def room(links, full, one_port, root=None):
    """Useful messages in a round: none comes to the root of a broadcast, or leaves that of a reduce."""
    return max(sum(1 if root in link or not full else 2 for link in s) for s in usable(links, one_port))


def port_rounds(links, full, collective, blocks, root, node):
    """What the one port of a node has to be spent on."""
    parts = parts_without(links, node)
    if collective in ("broadcast", "reduce"):
        return blocks * (sum(root not in part for part in parts) + (node != root))
    through = {"all-reduce": lambda part: (blocks, blocks),
               "all-gather": lambda part: (NODES - len(part), len(part)),
               "reduce-scatter": lambda part: (NODES - len(part), len(part)),
               "all-to-all": lambda part: 2 * (len(part) * (NODES - len(part)),)}[collective]
    return sum(max(through(part)) if full else sum(through(part)) for part in parts)


def spread(far, some, calls):
    """Rounds in which a node hears from some others, or they from it, with so many calls of its own at least."""
    return max([far[v] for v in some] + [len(some).bit_length(), calls])


def port_window(links, full, blocks, node):
    """One port, all-reduce. A job is a part and a way, so many messages of it the last ones of their blocks: no two of
    them in one round, but for the two ways of a part in full duplex, of which one is taken."""
    parts, far = parts_without(links, node), distances(links, node)
    jobs = []
    for i, part in enumerate(parts):
        others = set(range(NODES)) - part - {node}
        into, back = spread(far, part, 1), spread(far, others, len(parts) - 1)
        jobs += [(i, into, back), (i, back + 1, into - 1)]
    least = 0
    for count in range(1, len(jobs) + 1):
        for some in itertools.combinations(jobs, count):
            if not full or len({part for part, _, _ in some}) == count:
                least = max(least, min(first for _, first, _ in some) - 1 + blocks * count
                            + min(after for _, _, after in some))
    return least


def partitions(nodes):
    if not nodes:
        yield []
        return
    for rest in partitions(nodes[1:]):
        yield [{nodes[0]}] + rest
        for i in range(len(rest)):
            yield rest[:i] + [rest[i] | {nodes[0]}] + rest[i + 1:]


def between_parts(links, full, collective, blocks, root, parts):
    """All ports: the messages between parts, divided by the room for them."""
    where = {v: i for i, part in enumerate(parts) for v in part}
    crossing = [link for link in links if where[link[0]] != where[link[1]]]
    room_here = len(crossing) * (2 if full else 1)
    count = len(parts) - 1
    if collective in ("broadcast", "reduce"):
        if full:
            room_here -= sum(where[root] in (where[a], where[b]) for a, b in crossing)
        return -(-blocks * count // room_here)
    if collective == "all-reduce":
        return -(-2 * blocks * count // room_here)
    if collective != "all-to-all":
        least = -(-NODES * count // room_here)
        if count == 1 and full:
            least = -(-max(len(part) for part in parts) // len(crossing))
        return least
    if count > 1:
        return 0
    return -(-len(parts[0]) * len(parts[1]) * (1 if full else 2) // len(crossing))


def window(links, blocks, root, inside):
    """All ports: when all blocks have come from the root, which is inside, to everybody outside."""
    crossing = sum((a in inside) != (b in inside) for a, b in links)
    far = {v: distances(links, v) for v in inside}
    outside = set(range(NODES)) - inside
    first = min(far[root][v] for v in outside)
    last = max(min(far[v][w] for v in inside) for w in outside)
    return first - 1 + -(-blocks // crossing) + last - 1


def all_port_bound(links, full, collective, blocks, root):
    least = max(between_parts(links, full, collective, blocks, root, parts)
                for parts in partitions(list(range(NODES))) if len(parts) > 1)
    if collective in ("broadcast", "reduce", "all-reduce"):
        for size, start in itertools.product(range(1, NODES), [root] if collective != "all-reduce" else range(NODES)):
            for inside in itertools.combinations(range(NODES), size):
                if start in inside and (collective != "all-reduce" or size == 1):
                    least = max(least, window(links, blocks, start, set(inside)))
    return least


def bound(links, full, one_port, collective, blocks, root):
    rooted = collective in ("broadcast", "reduce")
    messages = {"broadcast": blocks * (NODES - 1), "reduce": blocks * (NODES - 1), "all-gather": NODES * (NODES - 1),
                "reduce-scatter": NODES * (NODES - 1), "all-reduce": 2 * blocks * (NODES - 1),
                "all-to-all": sum(sum(distances(links, v).values()) for v in range(NODES))}[collective]
    far = max(max(distances(links, v).values()) for v in ([root] if rooted else range(NODES)))
    least = max(far, -(-messages // room(links, full, one_port, root if rooted else None)))
    if one_port:
        least = max([least] + [port_rounds(links, full, collective, blocks, root, v) for v in range(NODES)])
    if one_port and collective == "all-reduce":
        least = max([least] + [port_window(links, full, blocks, v) for v in range(NODES)])
    if not one_port:
        least = max(least, all_port_bound(links, full, collective, blocks, root))
    if collective == "all-reduce" and blocks == 1:
        least = max(least, barrier_rounds(links, full, one_port))
    if one_port and rooted:
        least = max(least, blocks - 1 + (NODES - 1).bit_length())
    return least


def goals():
    for blocks, root in itertools.product((1, NODES), range(NODES)):
        for collective in ("broadcast", "reduce"):
            yield collective, blocks, root, (collective, "--blocks", str(blocks), "--root", str(root))
    for blocks in (1, NODES):
        yield "all-reduce", blocks, 0, ("all-reduce", "--blocks", str(blocks))
    for collective in ("all-gather", "reduce-scatter", "all-to-all"):
        yield collective, NODES, 0, (collective,)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("--links", type=int, default=10)
    parser.add_argument("--planted", type=int, default=0)
    options = parser.parse_args()
    looked, not_settled, farthest = 0, 0, 0
    for links, full, one_port in itertools.product(graphs(), (False, True), (False, True)):
        if len(links) > options.links:
            continue
        for collective, blocks, root, goal in goals():
            rounds = run(options.gossipfab, links, goal, full, one_port) + options.planted
            least = bound(links, full, one_port, collective, blocks, root)
            if rounds < least:
                sys.exit(f"{links} {goal}: {rounds} rounds, below the bound {least}: this program is wrong")
            looked += 1
            if rounds <= least + (2 if one_port else 1):
                continue
            not_settled += 1
            farthest = max(farthest, rounds - least)
            print(f"{rounds} rounds, bound {least}: {'full' if full else 'half'} duplex, "
                  f"{'one port' if one_port else 'all ports'}, {' '.join(goal)}, "
                  + ",".join(f"{a}-{b}" for a, b in links), flush=True)
    print(f"{looked} schedules; {not_settled} not settled, at most {farthest} rounds above the bound")
    return not_settled > OPEN or farthest > FARTHEST


if __name__ == "__main__":
    sys.exit(main())
