#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""trees_test.py GOSSIPFAB [--count N] [--first SEED] [--solver S] [--blocks B] [--all-reduce PERCENT] [--relays KIND] [--replay-as KIND] [--planted N]:
long vectors on random graphs with switches, against the true optimum.

A graph has 3 to 9 members and up to 4 switches (relays that send as much as they take in), arcs of weights 1 to 8, many
of them one way. For each: all-gather and reduce-scatter of 16 blocks a member, broadcast and reduce of 16 N blocks from
a random root, full duplex. The optimum is counted here, over all sets of nodes one by one: of B blocks
- all-gather, reduce-scatter: B times the largest (members in S) / (N weight out of S), S without some member,
- broadcast, reduce: B / the least weight out of S, S with the root and without some member;
for reductions the arcs are turned. A schedule may take B times the optimum and 2 h rounds, h the links of the longest
chain of messages that a block makes (counted from the schedule's CSV); and h may be above 2 d, d the longest distance
of two members, in one case of ten at most. Each schedule is verified by gossipfab before it is written.
--all-reduce PERCENT makes all-reduces in their place, of B (16) blocks a member. What is best there nobody knows: what
is counted is a bound, 1 / the least weight out of a set with members inside and outside, and 2 (members - 1) / the sum
of all weights where there are no switches. A schedule may take PERCENT more than that, and 2 h rounds; h is to be 4 d at most.
--relays KIND makes switches that copy alone, combine alone or forward alone (copy, combine, forward; mixed: one of these
or a relay that does all, drawn for each); h is to be 4 d at most, of an all-reduce 6 d. Then the test replays every
schedule too: what a relay that does not copy has sent is gone, one that does not combine stores, and every node must end
with what it should. --replay-as KIND takes all switches for that kind then: the test must fail.
--planted N adds N rounds to what gossipfab says: the test must fail then. Exit status 0, or 1."""
import argparse
import csv
import io
import json
import math
import random
import subprocess
import sys
from fractions import Fraction

KINDS = {"true": "", "copy": ":copy", "combine": ":combine", "forward": ":forward"}
COLLECTIVES = ("all-gather", "reduce-scatter", "broadcast", "reduce")
BLOCKS = 16


class Graph:
    def __init__(self, seed, kind):
        draw = random.Random(seed)
        members, switches = draw.randint(3, 9), draw.randint(0, 4)
        self.nodes = members + switches
        self.relays = sorted(draw.sample(range(self.nodes), switches))
        self.members = [v for v in range(self.nodes) if v not in self.relays]
        self.kinds = {v: random.Random(seed * 64 + v).choice(sorted(KINDS)) if kind == "mixed" else kind for v in self.relays}
        self.arcs = {}
        self.draw = draw
        while True:
            self.arcs.clear()
            self.fill()
            if self.is_good():
                break

    def add(self, path, weight):
        if any(self.arcs.get(arc, 0) + weight > 8 for arc in zip(path, path[1:])):
            return
        for arc in zip(path, path[1:]):
            self.arcs[arc] = self.arcs.get(arc, 0) + weight

    def fill(self):
        """Ways from member to member, some by way of switches: so these send as much as they take in."""
        for _ in range(self.draw.randint(len(self.members), 4 * len(self.members))):
            u, v = self.draw.sample(self.members, 2)
            between = self.draw.sample(self.relays, self.draw.randint(0, min(2, len(self.relays))))
            path, weight = [u, *between, v], self.draw.randint(1, 8)
            self.add(path, weight)
            if self.draw.random() < 0.5:
                self.add(path[::-1], weight)

    def is_good(self):
        return all(self.distance(u, v) < math.inf for u in range(self.nodes) for v in range(self.nodes))

    def distance(self, u, v):
        reached, length = {u}, 0
        while v not in reached:
            more = {b for a, b in self.arcs if a in reached} | reached
            if more == reached:
                return math.inf
            reached, length = more, length + 1
        return length

    def diameter(self):
        return max(self.distance(u, v) for u in self.members for v in self.members)

    def spec(self):
        links = sorted({tuple(sorted(arc)) for arc in self.arcs})
        text = f"graph:{self.nodes}:" + ",".join(f"{u}-{v}" for u, v in links)
        text += "".join(f"+weight={u}-{v}:{self.arcs.get((u, v), 0)}/{self.arcs.get((v, u), 0)}" for u, v in links)
        return text + "".join(f"+relay={v}{KINDS[kind]}" for v, kind in self.kinds.items())

    def cuts(self, turned):
        """For every set of nodes: the set as bits, and the weights out of it."""
        into = [[0] * self.nodes for _ in range(self.nodes)]
        for (u, v), weight in self.arcs.items():
            into[v if turned else u][u if turned else v] += weight
        out = [0] * (1 << self.nodes)
        for bits in range(1, 1 << self.nodes):
            v = bits.bit_length() - 1
            rest = bits ^ (1 << v)
            out[bits] = out[rest] + sum(into[v][u] for u in range(self.nodes) if u != v and not rest >> u & 1) - sum(
                into[u][v] for u in range(self.nodes) if rest >> u & 1)
            yield bits, out[bits]

    def optimum(self, collective, root):
        """Rounds a block."""
        everybody = sum(1 << v for v in self.members)
        best = Fraction(0)
        for bits, out in self.cuts(collective in ("reduce-scatter", "reduce")):
            inside = bits & everybody
            if inside == everybody or not inside:
                continue
            if collective == "all-reduce":
                ratio = Fraction(1, out)
            elif collective in ("broadcast", "reduce"):
                ratio = Fraction(1, out) if bits >> self.members[root] & 1 else Fraction(0)
            else:
                ratio = Fraction(bin(inside).count("1"), out * len(self.members))
            best = max(best, ratio)
        if collective == "all-reduce" and not self.relays:
            best = max(best, Fraction(2 * len(self.members) - 2, sum(self.arcs.values())))
        return best


def longest_chain(text):
    """Of messages of one block, each of which may need the one before it."""
    level = {}
    longest = 0
    rows = sorted(csv.DictReader(io.StringIO(text)), key=lambda row: int(row["round"]))
    for row in rows:
        block = row["token"] if "token" in row else row["block"]
        here = level.get((block, row["from"]), 0) + 1
        level[block, row["to"]] = max(level.get((block, row["to"]), 0), here)
        longest = max(longest, here)
    return longest


def is_right(graph, collective, blocks, root, text):
    """Block by block: what every node has, as the set of the members whose contributions are in it."""
    moves = {}
    for row in csv.DictReader(io.StringIO(text)):
        block = int(row["token"] if "token" in row else row["block"])
        moves.setdefault(block, {}).setdefault(int(row["round"]), []).append(
            (int(row["from"]), int(row["to"]), row.get("combine", "0") == "1"))
    members, n = graph.members, len(graph.members)
    combines = collective not in ("all-gather", "broadcast")
    for block in range(blocks):
        owner = members[block * n // blocks if collective in ("all-gather", "reduce-scatter") else root]
        has = {v: {v} for v in members} if combines else {owner: {owner}}
        for _, round_moves in sorted(moves.get(block, {}).items()):
            sent = []
            for u, v, combine in round_moves:
                if not has.get(u) or (combine and (not has.get(v) or graph.kinds.get(v) in ("copy", "forward"))):
                    return False
                sent.append((v, has[u], combine))
                if graph.kinds.get(u) in ("combine", "forward"):
                    has[u] = set()
                    if sum(a == u for a, _, _ in round_moves) > 1:
                        return False
            for v, what, combine in sent:
                if combine and has[v] & what:
                    return False
                has[v] = has[v] | what if combine else what
        wants = members if collective in ("all-gather", "broadcast", "all-reduce") else [owner]
        if any(has.get(v) != (set(members) if combines else {owner}) for v in wants):
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gossipfab")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--solver", default="auto")
    parser.add_argument("--blocks", type=int, default=BLOCKS)
    parser.add_argument("--all-reduce", type=int, metavar="PERCENT")
    parser.add_argument("--relays", choices=[*KINDS, "mixed"], default="true")
    parser.add_argument("--replay-as", choices=KINDS)
    parser.add_argument("--planted", type=int, default=0)
    arguments = parser.parse_args()
    late, deep, cases, worst, shares = 0, 0, 0, Fraction(0), []
    for seed in range(arguments.first, arguments.first + arguments.count):
        graph = Graph(seed, arguments.relays)
        d, n = graph.diameter(), len(graph.members)
        for collective in COLLECTIVES if arguments.all_reduce is None else ("all-reduce",):
            root = graph.draw.randrange(n) if collective in ("broadcast", "reduce") else 0
            blocks = arguments.blocks * n
            command = [arguments.gossipfab, "schedule", "-t", graph.spec(), "-c", collective, "--blocks", str(blocks),
                       "--link-mode", "full", "--solver", arguments.solver]
            if root:
                command += ["--root", str(root)]
            made = subprocess.run(command + ["--json", "-f", "csv"], capture_output=True, text=True)
            if made.returncode != 0:
                print(f"graph {seed}, {collective}: {made.stderr.strip()}")
                late += 1
                continue
            report = json.loads(made.stderr)
            rounds, h = report["rounds"] + arguments.planted, longest_chain(made.stdout)
            graph.kinds = {v: arguments.replay_as or kind for v, kind in graph.kinds.items()}
            if (arguments.relays != "true" or arguments.replay_as) and not is_right(graph, collective, blocks, root, made.stdout):
                print(f"graph {seed}, {collective}: wrong: {graph.spec()}")
                late += 1
            least = blocks * graph.optimum(collective, root)
            cases += 1
            worst = max(worst, (rounds - least) / h)
            shares.append((rounds - 2 * h) / least)
            name = f"graph {seed}, {collective} of {blocks} blocks from {root}, by {report['solver']}"
            if rounds > least * (100 + (arguments.all_reduce or 0)) / 100 + 2 * h or rounds < least:
                late += 1
                print(f"{name}: {rounds} rounds, optimum {float(least):.2f}, h = {h}: {graph.spec()}")
            most = (2 if arguments.all_reduce is None else 4) * d + (2 * d if arguments.relays != "true" else 0)
            if h > most:
                deep += 1
                print(f"{name}: h = {h} is above {most}, d is {d}")
    print(f"{cases} schedules: {late} by too many rounds; at most {float(worst):.2f} h above the optimum; "
          f"{deep} with h above {(2 if arguments.all_reduce is None else 4) + 2 * (arguments.relays != 'true')} d")
    if arguments.all_reduce is not None:
        print(f"rounds but 2 h, of the bound: {float(sum(shares) / len(shares)):.3f} on average, at most "
              f"{float(max(shares)):.3f}; {sum(share > 1 for share in shares)} of {cases} above it")
    sys.exit(late > 0 or 10 * deep > cases)


if __name__ == "__main__":
    main()
