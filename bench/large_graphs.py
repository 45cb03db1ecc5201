#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""large_graphs.py GOSSIPFAB WORK [--above PERCENT] [NAME...]: all-gather and all-reduce on irregular machines of about 1000 nodes.

Writes each graph as an edge list into WORK, the same in every run, and has `gossipfab schedule` make and verify a
schedule with its default solver, all ports in use. Prints a table in Markdown, a row as soon as it is measured: rounds,
lower bound, seconds of one core, most memory. Exit status: 0; 1 where a schedule is more than PERCENT (10) above the
bound or took over a minute; 2 where gossipfab fails."""
import argparse
import json
import math
import os
import random
import sys

MINUTE = 60


def is_connected(nodes, links):
    peers = [[] for _ in range(nodes)]
    for a, b in links:
        peers[a].append(b)
        peers[b].append(a)
    seen, todo = {0}, [0]
    while todo:
        for peer in peers[todo.pop()]:
            if peer not in seen:
                seen.add(peer)
                todo.append(peer)
    return len(seen) == nodes


def random_regular(nodes, degree):
    """Ends paired at random; pairs that make a loop or a second link are drawn again."""
    rng = random.Random(1)
    while True:
        links, ends = set(), list(range(nodes)) * degree
        for _ in range(1000):
            rng.shuffle(ends)
            left = []
            for a, b in zip(ends[::2], ends[1::2]):
                link = (min(a, b), max(a, b))
                if a == b or link in links:
                    left += [a, b]
                else:
                    links.add(link)
            ends = left
            if not ends:
                break
        if not ends and is_connected(nodes, links):
            return links


def geometric(nodes, degree):
    """Points in a square, linked where they are near."""
    rng = random.Random(1)
    radius = math.sqrt(degree / (math.pi * nodes))
    while True:
        points = [(rng.random(), rng.random()) for _ in range(nodes)]
        links = {(a, b) for a in range(nodes) for b in range(a + 1, nodes)
                 if math.dist(points[a], points[b]) < radius}
        if is_connected(nodes, links):
            return links
        radius *= 1.02


def fat_tree(ports):
    """Switches and hosts of a fat-tree of switches with so many ports: half of each switch's up, half down."""
    half, links = ports // 2, set()
    cores, hosts = half * half, ports * half * half
    aggregation, edge = cores + hosts, cores + hosts + ports * half
    for pod in range(ports):
        for i in range(half):
            for j in range(half):
                links.add((i * half + j, aggregation + pod * half + i))
                links.add((aggregation + pod * half + i, edge + pod * half + j))
                links.add((cores + (pod * half + i) * half + j, edge + pod * half + i))
    return links


def dragonfly(group, globals_each):
    """Complete groups; every two groups share a link, and every node has so many of these."""
    groups, links = group * globals_each + 1, set()
    for g in range(groups):
        links |= {(g * group + a, g * group + b) for a in range(group) for b in range(a + 1, group)}
        for h in range(g + 1, groups):
            links.add((g * group + (h - g - 1) // globals_each, h * group + (groups - h + g - 1) // globals_each))
    return links


def torn_torus(rows, columns, dead):
    """A torus without some of its links."""
    links = {tuple(sorted((r * columns + c, peer))) for r in range(rows) for c in range(columns)
             for peer in (r * columns + (c + 1) % columns, (r + 1) % rows * columns + c)}
    rng = random.Random(1)
    while True:
        left = set(rng.sample(sorted(links), len(links) - dead))
        if is_connected(rows * columns, left):
            return left


def attached(nodes, links_each):
    """Each node links to earlier ones, the more likely the more links these have."""
    rng = random.Random(1)
    links, ends = {(0, 1)}, [0, 1]
    for node in range(2, nodes):
        peers = set()
        while len(peers) < min(links_each, node):
            peers.add(rng.choice(ends))
        for peer in sorted(peers):
            links.add((peer, node))
            ends += [peer, node]
    return links


GRAPHS = {
    "random-regular": ("random, 1000 nodes of 4 links", lambda: random_regular(1000, 4)),
    "geometric": ("geometric, 1000 points in a square", lambda: geometric(1000, 10)),
    "attached": ("preferential attachment, 1000 nodes", lambda: attached(1000, 2)),
    "fat-tree": ("fat-tree of 14-port switches, 686 hosts", lambda: fat_tree(14)),
    "dragonfly": ("dragonfly, 101 groups of 10", lambda: dragonfly(10, 10)),
    "torn-torus": ("torus 32 x 32, 41 of 2048 links dead", lambda: torn_torus(32, 32, 41)),
}


def run(command, report_path):
    """Standard output goes to a file. Seconds of processor time, and KiB."""
    with open(report_path, "w", encoding="ascii") as report:
        child = os.posix_spawn(command[0], command, os.environ,
                               file_actions=[(os.POSIX_SPAWN_DUP2, report.fileno(), sys.stdout.fileno())])
        _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(2)  # gossipfab has said why
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def measure(gossipfab, work, name, collective, above):
    """Prints a row, and what is worse than promised. Is it as good?"""
    graph = os.path.join(work, name + ".txt")
    command = [gossipfab, "schedule", "--topology", "file:" + graph, "--collective", collective, "--json"]
    report_path = os.path.join(work, name + ".json")
    seconds, kib = run(command, report_path)
    with open(report_path, encoding="ascii") as report:
        made = json.load(report)
    rounds, bound = made["rounds"], made["bound"]["rounds"]
    print(f"| {GRAPHS[name][0]} | {made['topology']['links']} | {collective} | {made['solver']} | {rounds} | {bound} | "
          f"{seconds:.1f} | {kib // 1024} |", flush=True)
    faults = []
    if 100 * rounds > (100 + above) * bound:
        faults.append(f"{rounds} rounds are more than {above} % above the bound, {bound}")
    if seconds > MINUTE:
        faults.append(f"took {seconds:.0f} s, more than {MINUTE}")
    for fault in faults:
        print(f"large_graphs.py: {name}, {collective}: {fault}", file=sys.stderr)
    return not faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gossipfab")
    parser.add_argument("work")
    parser.add_argument("--above", type=int, default=10)
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join(GRAPHS))
    arguments = parser.parse_intermixed_args()
    unknown = [name for name in arguments.names if name not in GRAPHS]
    if unknown:
        parser.error(f"unknown graph {unknown[0]}; there are {' '.join(GRAPHS)}")
    os.makedirs(arguments.work, exist_ok=True)
    print("| graph | links | collective | solver | rounds | bound | s | MiB |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    good = True
    for name in arguments.names or GRAPHS:
        with open(os.path.join(arguments.work, name + ".txt"), "w", encoding="ascii") as file:
            file.writelines(f"{min(link)} {max(link)}\n" for link in sorted(GRAPHS[name][1]()))
        for collective in ("all-gather", "all-reduce"):
            good = measure(arguments.gossipfab, arguments.work, name, collective, arguments.above) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
