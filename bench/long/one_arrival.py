#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""one_arrival.py GOSSIPFAB [--tries N] [--planted] [TOPOLOGY...]: what it costs in rounds that a node combines at most
one message of a block in a round, so that one adder of two operands a bank is enough.

The moves of each schedule of `auto` get rounds anew, in the order of its rounds, or those first behind which the longest
way lies: without the limit, and with it; the best of --tries orders. Each schedule is verified by gossipfab, and the limit
is counted in the file. The trees stay: others, with fewer children, may do with fewer rounds. Full duplex.
--planted: the limit is not kept, which must be seen. Exit status 1 where a schedule breaks the limit."""
import argparse
import collections
import csv
import pathlib
import random
import re
import subprocess
import sys
import tempfile

GRAPHS = ("mesh:4x4", "torus:4x4", "hypercube:4", "mesh:8x8", "torus:8x8")
CASES = (("reduce", 1), ("reduce", 64), ("reduce-scatter", 0), ("all-reduce", 1), ("all-reduce", 0), ("all-reduce", 256))


def run(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def read(text):
    """The moves of a CSV: (round, from, to, block, does it combine)."""
    return [(*map(int, row[:4]), row[4] == "1") for row in list(csv.reader(text.splitlines()))[1:]]


def most_arrivals(moves):
    """Of one block at one node in one round, those that are combined."""
    counts = collections.Counter((number, to, block) for number, _, to, block, combines in moves if combines)
    return max(counts.values(), default=0)


def waits_for(moves):
    """Of each move those that bring its block to its node before, and the length of the longest way behind it."""
    arrivals = collections.defaultdict(list)
    for index, (number, _, to, block, _) in enumerate(moves):
        arrivals[to, block].append((number, index))
    before = [[other for number, other in arrivals[frm, block] if number < mine] for mine, frm, _, block, _ in moves]
    behind = [0] * len(moves)
    for index in sorted(range(len(moves)), key=lambda i: -moves[i][0]):
        for other in before[index]:
            behind[other] = max(behind[other], behind[index] + 1)
    return before, behind


def exchanges(moves):
    """Of each move those that go together: two nodes that give each other what they have of a block do it at once."""
    index = {move[:4]: i for i, move in enumerate(moves)}
    back = [index.get((number, to, frm, block), i) for i, (number, frm, to, block, _) in enumerate(moves)]
    return [{i, other} for i, other in enumerate(back)]


def place(moves, before, behind, limit, seed):
    """A round for each move: round after round, the most urgent of those that may go."""
    chance, together = random.Random(seed), exchanges(moves)
    # By the longest way behind, or as in the schedule; then others of what is equally urgent.
    order = [(moves[i][0] if seed == 1 else 0, -behind[i], moves[i][0] if seed == 0 else chance.random(), i)
             for i in range(len(moves))]
    left = [len(waiting) for waiting in before]
    after = [[] for _ in moves]
    for index, waiting in enumerate(before):
        for other in waiting:
            after[other].append(index)
    ready, rounds, number = sorted(order[i] for i in range(len(moves)) if not left[i]), [0] * len(moves), 0
    while ready:
        number += 1
        arcs, meets, later, went = set(), set(), [], []
        for entry in ready:
            index = entry[3]
            if rounds[index]:
                continue
            links = {moves[i][1:3] for i in together[index]}
            met = {moves[i][2:4] for i in together[index] if moves[i][4]}
            if any(left[i] for i in together[index]) or links & arcs or (limit and met & meets):
                later.append(entry)
                continue
            arcs |= links
            meets |= met
            for i in together[index]:
                rounds[i] = number
                went.append(i)
        for index in went:
            for other in after[index]:
                left[other] -= 1
                if not left[other]:
                    later.append(order[other])
        ready = sorted(later)
    return rounds


def write(goal, moves):
    rounds = collections.defaultdict(list)
    for number, frm, to, block, combines in sorted(moves):
        rounds[number].append(f"{frm} {to}:{'+' if combines else ''}{block}")
    text = ["gossipfab-schedule 2", f"topology {goal[0]}", "link-mode full", "port-mode all", "packet-tokens 1",
            "hop-rounds 1", "solver imported", f"collective {goal[1]}", f"blocks {goal[2]}"]
    text += ["root 0"] * (goal[1] == "reduce") + [f"rounds {max(rounds)}", f"packets {len(moves)}"]
    for number in range(1, max(rounds) + 1):
        text += [f"round {number}"] + rounds[number]
    return "\n".join(text + ["end"]) + "\n"


def improve(gossipfab, goal, moves, limit, tries, folder):
    """The moves in the fewest rounds that were found, verified; as they are, where no other rounds
    are good; None where that is not allowed, either."""
    before, behind = waits_for(moves)
    placed = [place(moves, before, behind, limit, seed) for seed in range(tries)]
    made = [[(number,) + move[1:] for number, move in zip(rounds, moves)] for rounds in placed]
    if not limit or most_arrivals(moves) <= 1:
        made.append(moves)
    path = folder / "made.gfs"
    for chosen in sorted(made, key=max):
        path.write_text(write(goal, chosen), encoding="utf-8")
        if subprocess.run([gossipfab, "verify", str(path)], capture_output=True, check=False).returncode == 0:
            return chosen
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("topologies", nargs="*", metavar="TOPOLOGY")
    parser.add_argument("--tries", type=int, default=6)
    parser.add_argument("--planted", action="store_true")
    options = parser.parse_intermixed_args()
    print("| topology | collective | blocks | bound | auto | messages of a block at once | any number | one |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    broken = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for topology in options.topologies or GRAPHS:
            for collective, blocks in CASES:
                path = folder / "auto.gfs"
                command = [options.gossipfab, "schedule", topology, "--collective", collective, "--link-mode", "full"]
                command += ["--blocks", str(blocks)] if blocks else []
                said = run(command + ["-o", str(path)])
                bound = next(line.split()[2].rstrip(",") for line in said.splitlines() if line.startswith("lower bound"))
                each = re.search(r"^collective .*, (\d+) block", said, re.M)
                goal = topology, collective, int(each[1])
                convert = [options.gossipfab, "convert", str(path), "--to", "csv"]
                moves = read(run(convert + (["--blocks", each[1]] if "\nrepeats" in said else [])))
                free = improve(options.gossipfab, goal, moves, False, options.tries, folder)
                one = free if options.planted else improve(options.gossipfab, goal, moves, True, options.tries, folder)
                broken += bool(one) and most_arrivals(one) > 1
                print(f"| {topology} | {collective} | {goal[2]} | {bound} | "
                      f"{max(move[0] for move in moves)} | {most_arrivals(moves)} | {max(move[0] for move in free)} | "
                      f"{max(move[0] for move in one) if one else '-'} |", flush=True)
    if broken:
        sys.exit(f"{broken} schedules combine several messages of a block at once")


if __name__ == "__main__":
    main()
