#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""drawn.py GOSSIPFAB WORK [--count N] [--seed S] [--above PERCENT] [--nodes MOST] [--than OLD]: replans and plans anew.

Draws graphs, each with a model, an all-reduce or a barrier, and something that happens: a link or a node dies, or a
link comes to carry less, or more. For each it has a schedule made, replanned, and another one made anew for what is
left. The command verifies all of them. It goes on until N schedules were hit by what happened. The others have to come
back byte for byte, but for the line that names the graph.

Prints a line for each that has more than PERCENT (10) more rounds than the plan made anew, is refused, or comes back
otherwise, and what there was. Exit status 1 where there was such a line. With OLD, an earlier gossipfab, that replans
each, too, and the last line says how much longer the slowest takes now. The same seed draws the same. MOST (64) bounds
the nodes of a graph."""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import time

LIMIT = 120  # seconds, of a schedule; what takes longer is drawn again


def grid(sides, wraps):
    nodes = sides[0] * sides[1]
    links = set()
    for v in range(nodes):
        r, c = divmod(v, sides[1])
        for side, at, step in ((sides[1], c, 1), (sides[0], r, sides[1])):
            if at + 1 < side:
                links.add((v, v + step))
            elif wraps and side > 2:
                links.add((v - at * step, v))
    return nodes, sorted(links), ("torus" if wraps else "mesh") + f":{sides[0]}x{sides[1]}"


def hypercube(k):
    return 1 << k, [(v, v | 1 << i) for v in range(1 << k) for i in range(k) if not v >> i & 1], f"hypercube:{k}"


def complete(n):
    return n, [(u, v) for u in range(n) for v in range(u + 1, n)], f"complete:{n}"


def cycle(n):
    return n, [(v, v + 1) for v in range(n - 1)] + [(0, n - 1)], f"cycle:{n}"


def anything(draw, n):
    order = draw.sample(range(n), n)
    links = {tuple(sorted((order[i], order[draw.randrange(i)]))) for i in range(1, n)}
    while len(links) < draw.randint(3 * n // 2, 5 * n // 2) and len(links) < n * (n - 1) // 2:
        links.add(tuple(sorted(draw.sample(range(n), 2))))
    return n, sorted(links), ""


def fat_tree(k):
    """Hosts first, then edge, aggregation and core switches, which are relays."""
    half, hosts = k // 2, k ** 3 // 4
    edge, upper, core = hosts, hosts + k * half, hosts + 2 * k * half
    links = []
    for pod in range(k):
        for i in range(half):
            links += [((pod * half + i) * half + j, edge + pod * half + i) for j in range(half)]
            links += [(edge + pod * half + i, upper + pod * half + j) for j in range(half)]
            links += [(upper + pod * half + i, core + i * half + j) for j in range(half)]
    return core + half * half, links, f"+members=0-{hosts - 1}"


def draw_graph(draw, most):
    side = lambda: draw.randint(3, max(3, int(most ** 0.5)))
    kind = draw.choice(("mesh", "torus", "torus", "hypercube", "complete", "cycle", "any", "any", "any", "fat-tree"))
    if kind in ("mesh", "torus"):
        return grid((side(), side()), kind == "torus")
    if kind == "hypercube":
        return hypercube(draw.randint(3, most.bit_length() - 1))
    if kind == "complete":
        return complete(draw.randint(4, min(most, 10)))
    if kind == "cycle":
        return cycle(draw.randint(5, min(most, 20)))
    if kind == "fat-tree" and most >= 36:
        return fat_tree(4)
    return anything(draw, draw.randint(5, most))


def joined(nodes, links):
    """Can every node reach every other one?"""
    around = collections.defaultdict(list)
    for u, v in links:
        around[u].append(v)
        around[v].append(u)
    nodes, seen = list(nodes), set()
    open_ones = nodes[:1]
    while open_ones:
        v = open_ones.pop()
        if v not in seen:
            seen.add(v)
            open_ones += around[v]
    return len(seen) == len(nodes)


def draw_case(draw, most):
    """The graph's text, the options of the schedule, what happens, and how that is called."""
    nodes, links, name = draw_graph(draw, most)
    relays = name.startswith("+members")
    members = int(name.rpartition("-")[2]) + 1 if relays else nodes
    kind = draw.choice(("dead link",) * 4 + ("slow link",) * 2 + ("dead node",) * 2 + ("wide link",))
    spec = name if name and not relays else f"graph:{nodes}:" + ",".join(f"{u}-{v}" for u, v in links) + name
    link = draw.choice(links)
    if kind == "slow link":
        spec += "".join(f"+weight={u}-{v}:2" for u, v in links)
        what = f"+weight={link[0]}-{link[1]}:1"
    elif kind == "wide link":
        what = f"+weight={link[0]}-{link[1]}:{draw.randint(1, 2)}"
    elif kind == "dead link":
        what = f"+drop-link={link[0]}-{link[1]}"
        if not joined(range(nodes), [other for other in links if other != link]):
            return None
    else:
        node = draw.randrange(members)
        what = f"+drop-node={node}"
        if not joined([v for v in range(nodes) if v != node], [other for other in links if node not in other]):
            return None
    options = ["--link-mode", draw.choice(("half", "full"))]
    if draw.randrange(4) == 0:
        options += ["--port-mode", "one"]
    if draw.randrange(4) == 0:
        return spec, options + ["-c", "barrier"], what, kind
    blocks = draw.choice((1, draw.randint(2, 2 * members), members, members, 2 * members, "any"))
    return spec, options + ["-c", "all-reduce", "--blocks", str(blocks)], what, kind


def run(command, work):
    begin = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=work, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None, f"longer than {LIMIT} s", LIMIT
    seconds = time.monotonic() - begin
    said = done.stderr.strip().splitlines()
    return (json.loads(done.stdout) if done.returncode == 0 else None), f"{done.returncode}: {said[-1:]}", seconds


def rounds_of(report):
    """Of one for any number of blocks: what a block takes."""
    repeats = report.get("repeats")
    return repeats["period"] / repeats["group"] if repeats and repeats["any_length"] else report["rounds"]


def moves(path):
    with open(path) as file:
        return [line for line in file if not line.startswith("topology ")]


class Drawn:
    """What was drawn so far."""

    def __init__(self, options):
        self.o, self.draw = options, random.Random(options.seed)
        self.seen, self.bad = collections.Counter(), 0
        self.parts, self.slowest, self.longer = [], (0, ""), (0, "")

    def tell(self, bad, line):
        self.bad += bad
        if bad or self.o.verbose:
            print("- " + line, flush=True)

    def one(self):
        o, work = self.o, self.o.work
        case = draw_case(self.draw, min(o.nodes, self.draw.choice((9, 16, 16, 36, o.nodes))))
        if not case:
            return
        spec, options, what, kind = case
        label = f"{spec[:60]} {' '.join(options)} {what}"
        before, why, _ = run([o.gossipfab, "schedule", spec, *options, "--json", "-o", "s.gfs"], work)
        anew, why_anew, anew_seconds = run([o.gossipfab, "schedule", spec + what, *options, "--json"], work)
        if not before or not anew:
            self.seen["without a schedule"] += 1
            print(f"- no schedule: {label}: {why} {why_anew}", flush=True)
            return
        after, why, seconds = run([o.gossipfab, "replan", "s.gfs", what, "--json", "-o", "t.gfs"], work)
        self.slowest = max(self.slowest, (seconds, label))
        if o.than:
            old_seconds = run([o.than, "replan", "s.gfs", what, "--json"], work)[2]
            self.longer = max(self.longer, (seconds - old_seconds, label))
        if not after:
            self.seen["refused"] += 1
            self.parts.append(float("inf"))
            self.tell(True, f"refused: {label}: {why}")
            return
        self.seen[after["how"]] += 1
        if after["how"] == "stays":
            same = moves(os.path.join(work, "s.gfs")) == moves(os.path.join(work, "t.gfs"))
            self.tell(not same, f"stays: {label}")
            return
        self.seen[kind] += 1
        self.parts.append(rounds_of(after) / rounds_of(anew))
        self.tell(self.parts[-1] > 1 + o.above / 100,
                  f"{self.parts[-1]:.2f}: {label}: {before['rounds']} rounds, then {after['rounds']} {after['how']} in "
                  f"{seconds:.2f} s; anew {anew['rounds']} by {anew['solver']} in {anew_seconds:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("work")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--above", type=float, default=10)
    parser.add_argument("--nodes", type=int, default=64)
    parser.add_argument("--than")
    parser.add_argument("--verbose", action="store_true")
    o = parser.parse_args()
    o.gossipfab, o.than = os.path.abspath(o.gossipfab), o.than and os.path.abspath(o.than)
    os.makedirs(o.work, exist_ok=True)
    drawn = Drawn(o)
    while len(drawn.parts) < o.count:
        drawn.one()
    print(f"{len(drawn.parts)} hit: " + ", ".join(f"{count} {name}" for name, count in sorted(drawn.seen.items())))
    print(f"{sum(drawn.parts) / len(drawn.parts):.3f} times the rounds of a plan made anew on average, "
          f"{max(drawn.parts):.2f} at most, {sum(part <= 1 for part in drawn.parts)} no more than it")
    print(f"slowest {drawn.slowest[0]:.2f} s: {drawn.slowest[1]}")
    if o.than:
        print(f"at most {drawn.longer[0]:.2f} s longer than before: {drawn.longer[1]}")
    return drawn.bad > 0


if __name__ == "__main__":
    sys.exit(main())
