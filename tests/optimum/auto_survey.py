#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""auto_survey.py GOSSIPFAB [--count N] [--first I] [--seed S] [--against OLD] [--planted N]: is auto ever beaten?

Draws cases, a graph with a collective, a model and a number of blocks, the same ones for the same seed and number. Of
each case it asks:
- *wrong*: is any schedule faulty?
- *beaten*: does any solver of the table, by itself, make a schedule of fewer rounds (with --startup: of less cost)
  than auto does? Solvers that are asked for by name since they search for minutes (SLOW) are left out, and what takes
  more than 8 seconds.
- *contained*: where the graph has weights, relays or one-way links, is auto shorter on the same graph with all of one
  of these left out? A schedule there is one here.
- *cliff*: does one block more cost more than two rounds over the step of the bound?
- *longer*: with --against, an older program: does its auto make a shorter schedule? The time of both is summed up.

Example: --count 40 --seed 3 draws cases 0 to 39 of seed 3. --planted N adds N rounds to what auto says: the test must
then fail. Prints a line for each finding, then the sums. Exit status 0 where there is none, or 1."""
import argparse
import json
import random
import subprocess
import sys
import time

PLAIN = """path:4 path:7 path:10 cycle:5 cycle:8 cycle:13 mesh:3x3 mesh:4x4 mesh:5x5 mesh:2x5 mesh:3x5 mesh:4x6 mesh:3x7
mesh:6x6 mesh:2x2x3 mesh:3x3x3 torus:3x3 torus:4x4 torus:5x5 torus:3x5 torus:4x6 torus:3x3x3 torus:3x4x3 complete:4
complete:6 complete:9 hypercube:3 hypercube:4 hypercube:5 knoedel:3 knoedel:4 ccc:3 butterfly:3 debruijn:3 debruijn:4
debruijn:5 shuffle-exchange:3 shuffle-exchange:4 star:4 pancake:4 twisted-torus:3x4,1 twisted-torus:4x5,2
mesh:4x4+drop-link=0-1 torus:4x4+drop-link=0-1 mesh:4x4+drop-node=5 hypercube:3+drop-link=0-1""".split()
MARKED = """fat-tree:4 dragonfly:2,2,1 kautz:2,3 kautz:2,2 machine:dgx1 torus:3x3+relay=4 mesh:4x4+relay=5,6
mesh:3x3+weight=0-1:2 torus:4x4+members=0-7 path:5+weight=1-2:3 cycle:8+relay=0,4
hypercube:4+relay=3,9 complete:6+relay=5""".split()
LONG = {"cycle:64": 64, "cycle:32": 32, "mesh:8x8": 64, "torus:8x8": 64, "torus:4x8": 32, "hypercube:6": 64,
        "debruijn:6": 64, "ccc:4": 64, "mesh:4x16": 64, "path:32": 32, "kautz:2,5": 48, "mesh:4x4": 16, "torus:4x4": 16,
        "hypercube:4": 16, "cycle:16": 16}
RANDOM = ["random:n=%d,m=%d,seed=%d" % (n, m, s) for n, m in
          ((5, 6), (6, 8), (7, 10), (8, 9), (9, 14), (10, 12), (12, 20), (14, 22), (16, 24), (18, 40)) for s in (1, 2)]
COLLECTIVES = "all-gather reduce-scatter all-reduce broadcast reduce barrier all-to-all".split()
COUNTED = ("broadcast", "reduce", "all-reduce")  # their blocks are as many as one likes
SLOW = {"sat", "anneal"}


def makers(program):
    """The solvers that make each collective."""
    made, name, told = {c: [] for c in COLLECTIVES}, None, True
    text = subprocess.run([program, "list", "solvers"], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines()[1:] + ["  -"]:
        if line.startswith("  ") and line[2] != " ":
            if not told:
                made["all-gather"].append(name)
            name, told = line.split()[0], False
        elif "makes:" in line:
            told = True
            for collective in line.split("makes:")[1].split():
                made[collective].append(name)
    return {c: [s for s in names if s != "auto" and s not in SLOW] for c, names in made.items()}


def draw(number, seed):
    """A graph, a collective, its options; and the number of blocks where it may be another."""
    draws = random.Random(seed * 1000003 + number)
    graph = draws.choice(PLAIN + MARKED + RANDOM)
    collective = draws.choice(COLLECTIVES)
    port = draws.choice(["all", "all", "one"])
    options = ["--link-mode", draws.choice(["half", "full"]), "--port-mode", port]
    some, blocks = draws.random(), None
    if collective in COUNTED and some < .4:
        blocks = draws.choice([1, 3, 7, 40, 100, 200])
    if collective == "all-gather" and port == "one" and some < .6:
        options += ["--packet-tokens", "1000"]
    if collective == "all-gather" and some > .6:
        options += ["--startup", str(draws.choice([1, 3, 10, 100, 1000])), "--packet-tokens",
                    draws.choice(["2", "4", "64"]), "--routing", draws.choice(["circuit", "store-and-forward"])]
    return graph, collective, options, blocks


def draw_long(number, seed):
    """A long vector: where something may change, at 2^12, 2^14 and 2^16 blocks times nodes and few blocks a node; or
    anywhere."""
    draws = random.Random(seed * 1000003 + number)
    graph, nodes = draws.choice(list(LONG.items()))
    blocks = draws.choice([4096 // nodes, 16384 // nodes, 65536 // nodes, 2 * nodes - 1, 4 * nodes - 1,
                           draws.randint(1, 8 * nodes)])
    return graph, draws.choice(COUNTED), ["--link-mode", draws.choice(["half", "full"])], blocks


def run(program, arguments, most):
    start = time.monotonic()
    try:
        made = subprocess.run([program, "schedule", "--json", *arguments], capture_output=True, text=True,
                              timeout=most, check=False)
    except subprocess.TimeoutExpired:
        return None
    if made.returncode:
        return None if made.returncode == 2 else {"wrong": made.stderr.strip()}
    report = json.loads(made.stdout)
    startup = float(arguments[arguments.index("--startup") + 1]) if "--startup" in arguments else None
    cost = report["rounds"] if startup is None else report["startups"] * startup / report["parts"] + \
        report["transfers"] / report["parts"]
    return {"solver": report["solver"], "cost": cost, "bound": report["bound"]["rounds"],
            "nodes": report["topology"]["nodes"], "seconds": time.monotonic() - start}


def left_out(graph):
    """The same graph with its weights taken down, and with its relays left out."""
    base, *changes = graph.split("+")
    if "weight" in graph:
        yield "+".join([base] + [c for c in changes if not c.startswith("weight")])
    relays = [c.split("=")[1] for c in changes if c.startswith("relay=")]
    if relays:
        yield base + "".join("+drop-node=" + v for v in relays[0].split(","))


class Survey:
    def __init__(self, program, older, planted):
        self.program, self.older, self.planted = program, older, planted
        self.makers = makers(program)
        self.found = {"wrong": 0, "beaten": 0, "contained": 0, "cliff": 0, "longer": 0}
        self.cases, self.seconds, self.older_seconds = 0, 0.0, 0.0

    def tell(self, what, *said):
        self.found[what] += 1
        print(what.upper(), *said, flush=True)

    def checked(self, made, arguments):
        """What was made, unless that is faulty."""
        if made and "wrong" in made:
            self.tell("wrong", *arguments, made)
        return None if made and "wrong" in made else made

    def best_alone(self, collective, arguments):
        """The cheapest that a solver makes by itself, and which."""
        made = []
        for solver in self.makers[collective]:
            asked = [*arguments, "-s", solver]
            alone = self.checked(run(self.program, asked, 8), asked)
            made += [(alone["cost"], solver)] if alone else []
        return min(made, default=None)

    def auto(self, arguments, most=100):
        made = self.checked(run(self.program, arguments, most), arguments)
        if made:
            self.cases += 1
            self.seconds += made["seconds"]
            made["cost"] += self.planted
        return made

    def compare_older(self, arguments, made):
        older = run(self.older, arguments, 100) if self.older else None
        if older and "wrong" not in older:
            self.older_seconds += older["seconds"]
            if made["cost"] > older["cost"]:
                self.tell("longer", *arguments, made, older)
            if made["seconds"] > 2 * older["seconds"] + .5:
                print("SLOWER", *arguments, made, older, flush=True)
        elif self.older:
            self.older_seconds += made["seconds"]

    def one(self, number, seed):
        graph, collective, options, blocks = draw(number, seed)
        asked = ["-c", collective, *options] + (["--blocks", str(blocks)] if blocks else [])
        made = self.auto(["-t", graph, *asked])
        alone = self.best_alone(collective, ["-t", graph, *asked])
        if made is None:
            if alone:
                self.tell("beaten", number, graph, *asked, "auto makes nothing", alone)
            return
        if alone and alone[0] < made["cost"]:
            self.tell("beaten", number, graph, *asked, made, alone)
        for part in left_out(graph):
            less = self.checked(run(self.program, ["-t", part, *asked], 100), asked)
            if less and less["cost"] < made["cost"]:
                self.tell("contained", number, graph, *asked, made, part, less)
        self.compare_older(["-t", graph, *asked], made)

    def pair(self, number, seed):
        graph, collective, options, blocks = draw_long(number, seed)
        asked = ["-t", graph, "-c", collective, *options, "--blocks"]
        a, b = self.auto(asked + [str(blocks)]), self.auto(asked + [str(blocks + 1)])
        if a and b:
            if b["cost"] - a["cost"] > b["bound"] - a["bound"] + 2:
                self.tell("cliff", number, *asked, blocks, a, b)
            self.compare_older(asked + [str(blocks)], a)
            self.compare_older(asked + [str(blocks + 1)], b)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against")
    parser.add_argument("--planted", type=int, default=0)
    options = parser.parse_args()
    survey = Survey(options.program, options.against, options.planted)
    for number in range(options.first, options.first + options.count):
        survey.one(number, options.seed)
    for number in range(options.first, options.first + options.pairs):
        survey.pair(number, options.seed)
    print(f"{survey.cases} schedules; " + ", ".join(f"{count} {what}" for what, count in survey.found.items()) +
          f"; {survey.seconds:.1f} s" + (f", the older one {survey.older_seconds:.1f} s" if options.against else ""))
    return 1 if any(survey.found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
