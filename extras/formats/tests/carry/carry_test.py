#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""carry_test.py GOSSIPFAB FOLDER CC [--large]: plans in C, carried out by 2 to 16 processes with pipes for links: every
byte of every collective, sums in the order of `show --expression`. Mutants, a plan with one step changed, must fail.
Files go to FOLDER."""
import argparse
import array
import pathlib
import random
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# graph, collective, options, elements, of a block
CASES = [
    ("path:2", "all-reduce", "--blocks 3", 7, 0),
    ("cycle:3", "all-reduce", "--link-mode full", 10, 0),
    ("cycle:5", "all-gather", "--blocks 10", 5, 0),
    ("mesh:3x3+relay=4", "reduce-scatter", "--link-mode full", 3, 0),
    ("hypercube:3", "all-to-all", "--link-mode full --packet-tokens 4 --port-mode one", 4, 0),
    ("mesh:2x3", "reduce", "--root 4 --blocks 5", 3, 0),
    ("torus:4x4", "all-reduce", "--link-mode full --blocks any", 61, 3),
    ("mesh:2x2", "barrier", "", 1, 0),
    ("cycle:5", "all-gather", "--load 1,2,0,3,1 --link-mode full --port-mode one", 4, 0),  # a rank gives so many fours
]
LARGE_GRAPHS = ["path:2", "path:3", "cycle:3", "cycle:4", "cycle:7", "complete:5", "mesh:2x4", "mesh:3x3", "graph:6:0-1,0-2,0-3,0-4,0-5",
                "hypercube:3", "torus:3x4", "hypercube:4", "torus:4x4", "random:n=11,m=17,seed=3", "mesh:3x4+relay=5,6",
                "graph:7:0-4,1-4,2-5,3-5,4-6,5-6+relay=4-6", "graph:3:0-1,1-2,0-2+weight=0-1:3"]
COLLECTIVES = ["all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce", "barrier", "all-to-all"]


def call(*words, code=0):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=120)
    if done.returncode != code:
        raise SystemExit(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def nodes_of(gossipfab, schedule):
    """Members, and all nodes."""
    text = call(gossipfab, "verify", schedule)
    nodes = int(re.search(r"(\d+) nodes", text).group(1))
    relays = set()
    for a, b in re.findall(r"(\d+)(?:-(\d+))?", "".join(re.findall(r"\+relay=([\d,-]+)", text)[:1])):
        relays |= set(range(int(a), int(b or a) + 1))
    return [v for v in range(nodes) if v not in relays], nodes


class Words:
    """A vector of floats, added up as the machine does."""

    def __init__(self, values):
        self.values = array.array("f", values)

    def __add__(self, other):
        return Words(a + b for a, b in zip(self.values, other.values))


def cut(count, pieces, granule):
    """(start, end) of each piece."""
    if granule:
        return [(s, min(count, s + granule)) for s in range(0, count, granule)]
    return [(p * count // pieces, (p + 1) * count // pieces) for p in range(pieces)]


def expected(gossipfab, schedule, collective, inputs, count, granule, root, larger):
    """{member: its output}; inputs {member: words}."""
    text = schedule.read_text()
    members = list(inputs)
    if collective == "all-gather":
        whole = array.array("f", [w for v in members for w in inputs[v][:count]])
        return {v: whole for v in members}
    if collective == "broadcast":
        return {v: inputs[members[root]][:count] for v in members}
    if collective == "all-to-all":
        return {v: array.array("f", [w for u in members for w in inputs[u][i * count:(i + 1) * count]])
                for i, v in enumerate(members)}
    if larger:
        most = array.array("f", map(max, *inputs.values()))
        if collective == "reduce-scatter":
            return {v: most[i * count:(i + 1) * count] for i, v in enumerate(members)}
        return {v: most[:count] for v in (members if collective != "reduce" else [members[root]])}
    blocks = re.search(r"^blocks (\w+)$", text, re.M).group(1)
    group = int(m.group(1)) if (m := re.search(r"^group (\d+)$", text, re.M)) else int(blocks)
    n = len(members)
    out = {v: array.array("f", bytes(4 * count)) for v in members}
    shared = collective == "reduce-scatter"
    share = (group if blocks == "any" else int(blocks)) // (n if shared else 1)
    totals = {}
    for owner in range(n if shared else 1):
        for p, (start, end) in enumerate(cut(count, share, granule)):
            block, base = owner * share + p % share, owner * count
            part = {v: Words(inputs[v][base + start:base + end]) for v in members}
            if block not in totals:
                totals[block] = call(gossipfab, "show", "--schedule", schedule, "--expression", block)
            names = {f"n{v}": words for v, words in part.items()}
            for at, what in re.findall(r"^block \d+, (every node|nodes? [\d ]+): (.*)$", totals[block], re.M):
                got = eval(what, {}, names).values  # our own text
                for v in members if at == "every node" else map(int, at.split()[1:]):
                    out[v][start:end] = got
    if collective == "reduce":
        return {members[root]: out[members[root]]}
    return out


def build(cc, folder, program):
    """What is the same for all plans is compiled once."""
    common = [program.with_suffix(f".{part}.o") for part in ("carry", "main", "lines")]
    for made, source in zip(common, [folder / "gfab_carry.c", HERE / "carry_main.c", HERE / "lines.c"]):
        if not made.exists():
            call(cc, "-O1", "-Wall", "-Wextra", "-Werror", "-I", folder, "-c", "-o", made, source)
    call(cc, "-Wall", "-Wextra", "-Werror", "-I", folder, "-o", program, folder / "plan.c", *common)


def run(program, folder, count, granule, words, larger, seconds):
    done = subprocess.run([program, folder / "in", folder / "out", str(count), str(granule), str(words),
                           "max" if larger else "sum", str(seconds)], timeout=120)
    return done.returncode == 0


def read(path):
    got = array.array("f")
    got.frombytes(path.read_bytes())
    return got


def compare(got, want, words):
    """Bytes that are right; None where one is not."""
    bytes_ = 0
    for v, right in want.items():
        if got[v * words:v * words + len(right)].tobytes() != right.tobytes():
            return None
        bytes_ += 4 * len(right)
    return bytes_


def make(gossipfab, cc, folder, graph, collective, options, rng, count, granule):
    """A case made and run: the schedule, and what is right; None where there is no schedule, or no plan."""
    gfs, made = folder / "s.gfs", folder / "plan"
    goal = [] if "--load" in options else ["-c", collective]
    done = subprocess.run([gossipfab, "schedule", graph, *goal, *options.split(), "-o", gfs],
                          capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return None
    shutil.rmtree(made, ignore_errors=True)
    call(gossipfab, "convert", gfs, "--to", "c-plan", "-o", made)
    build(cc, made, folder / "ranks")
    members, nodes = nodes_of(gossipfab, gfs)
    loads = [int(w) for w in m.group(1).split(",")] if (m := re.search(r"--load (\S+)", options)) else None
    words = (sum(loads) if loads else len(members)) * count
    data = array.array("f", [rng.uniform(-1, 1) * 2.0 ** rng.randrange(-12, 12) for _ in range(nodes * words)])
    (made / "in").write_bytes(data.tobytes())
    inputs = {v: data[v * words:(v + 1) * words] for v in members}
    root = int(m.group(1)) if (m := re.search(r"--root (\d+)", options)) else 0
    larger = "idempotent" in options or collective == "barrier"
    if loads:
        whole = array.array("f", [w for v in members for w in inputs[v][:loads[v] * count]])
        return {v: whole for v in members}, words, False
    want = expected(gossipfab, gfs, collective, inputs, count, granule, root, larger)
    return want, words, larger


def one(arguments, graph, collective, options, rng, count, granule):
    folder = arguments.folder
    what = f"{graph} {collective} {options}"
    case = make(arguments.gossipfab, arguments.cc, folder, graph, collective, options, rng, count, granule)
    if not case:
        return None
    want, words, larger = case
    if not run(folder / "ranks", folder / "plan", count, granule, words, larger, 20):
        raise SystemExit(f"{what}: a rank did not end")
    right = compare(read(folder / "plan" / "out"), want, words)
    if right is None:
        raise SystemExit(f"{what}: wrong bytes")
    return right


STEP = re.compile(r"\{(SEND|RECEIVE|COMBINE|STORE), (INPUT|OUTPUT|SCRATCH), (\d+), (\d+), (\d+)\},")


def mutate(text, rng):
    """A step dropped, of another kind, or of another block; and what was done."""
    steps = list(STEP.finditer(text))
    at = steps[rng.randrange(len(steps))]
    kind, area, other, block, slot = at.groups()
    blocks = {int(s.group(4)) for s in steps}
    ways = [("dropped", "")]
    if area != "SCRATCH":  # there a block is but a length
        ways.append(("of another block",
                     f"{{{kind}, {area}, {other}, {rng.choice(sorted(blocks - {int(block)}))}, {slot}}},"))
    if kind == "COMBINE":
        ways.append(("stored", f"{{STORE, {area}, {other}, {block}, {slot}}},"))
    how, new = ways[rng.randrange(len(ways))]
    return text[:at.start()] + new + text[at.end():], f"{at.group(0)} {how}"


def mutants(arguments, rng, count):
    """On schedules in which every step counts: each block comes to each node once."""
    folder, failed = arguments.folder, 0
    for graph, collective in [("path:3", "all-reduce"), ("cycle:4", "all-gather")]:
        want, words, larger = make(arguments.gossipfab, arguments.cc, folder, graph, collective, "", rng, 8, 0)
        plan = folder / "plan" / "plan.c"
        text = plan.read_text()
        if not run(folder / "ranks", folder / "plan", 8, 0, words, larger, 1) or \
                compare(read(folder / "plan" / "out"), want, words) is None:
            raise SystemExit(f"{graph} {collective}: wrong before it is mutated")
        for _ in range(count):
            mutant, how = mutate(text, rng)
            if " dropped" in how:
                mutant = shorten(text, mutant)
            plan.write_text(mutant)
            build(arguments.cc, folder / "plan", folder / "ranks")
            if run(folder / "ranks", folder / "plan", 8, 0, words, larger, 1) and \
                    compare(read(folder / "plan" / "out"), want, words) is not None:
                raise SystemExit(f"{graph} {collective}: {how}: nothing is seen")
            failed += 1
    return failed


def shorten(before, after):
    """The count of steps of the rank that lost one."""
    rank = len(re.findall(r"steps_\d+\[\]", before[:next(i for i, (a, b) in enumerate(zip(before, after)) if a != b)])) - 1
    at = re.compile(rf"(\.steps = steps_{rank},\s*\.step_count = )(\d+)")
    return at.sub(lambda m: m.group(1) + str(int(m.group(2)) - 1), after)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gossipfab")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("cc")
    parser.add_argument("--large", action="store_true")
    arguments = parser.parse_args()
    arguments.folder /= "large" if arguments.large else "short"
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    rng = random.Random(5)
    cases = list(CASES)
    if arguments.large:
        for graph in LARGE_GRAPHS:
            for collective in COLLECTIVES:
                for more in ("", "--link-mode full", "--link-mode full --packet-tokens 3 --port-mode one",
                             "--blocks any --link-mode full", "--idempotent"):
                    if "--idempotent" in more and collective not in ("all-reduce", "reduce", "reduce-scatter"):
                        continue
                    count = 1 if collective == "barrier" else rng.randrange(1, 40)
                    cases.append((graph, collective, more, count, rng.randrange(1, 5) if "any" in more else 0))
    done = bytes_ = 0
    for case in cases:
        right = one(arguments, *case[:3], rng, *case[3:])
        if right is None:
            if case in CASES:
                raise SystemExit(f"{case}: no schedule")
            continue
        done += 1
        bytes_ += right
    killed = mutants(arguments, rng, 40 if arguments.large else 3)
    print(f"{done} plans, {bytes_} bytes, each as it should be; {killed} of {killed} mutants fail")


sys.exit(main())
