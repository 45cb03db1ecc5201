#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Below switches, is `advise` never slower than what everybody uses? Its times are held against closed forms that are
written down here, and against the least time that the links allow.

closed_forms_test.py GOSSIPFAB [--large]: an all-reduce, an all-gather and a reduce-scatter on boxes of GPUs, at lengths
from 1 KB to 10 GB. A box has g GPUs on a switch, by links of weight w; there are b boxes, and each GPU has a link of
weight n on the upper switch. L is the latency, a link of weight 1 carries G bytes a microsecond, M is the length, and a
round takes L and the time of the link with most bytes for its weight:

    direct (b = 1)        ceil((g - 1) / w) rounds of M / g a link's weight, twice in an all-reduce
    hierarchical          direct in the boxes, recursive doubling of the shares across (b a power of two), direct back
    rings, one a NIC      2 (N - 1) rounds of M / (N g): each ring leaves each box by another NIC
    recursive doubling    log2 N rounds of M, nearest partner first; folded where N is no power of two
    halving and doubling  2 log2 N rounds of M / 2, M / 4, ..
    double binary trees   pipelined in the best number of chunks, half of them along each tree

A form applies where its sizes do. With --large 50 random sizes, and the machines that the product names."""
import concurrent.futures
import fractions
import json
import math
import os
import random
import subprocess
import sys

LATENCY, BANDWIDTH = 2.0, 50.0  # microseconds, GB/s
UNIT = 1000 * BANDWIDTH  # bytes a microsecond
LENGTHS = [10**3, 10**4, 10**5, 10**6, 10**7, 10**8, 10**9, 10**10]


def spec(g, w, b, n):
    """Boxes as a graph; one box has no upper switch."""
    gpus, links = g * b, []
    links += [(v, gpus + v // g, w) for v in range(gpus)]
    if b > 1:
        links += [(v, gpus + b, n) for v in range(gpus)]
    last = gpus + b - (b == 1)
    text = f"graph:{last + 1}:" + ",".join(f"{u}-{v}" for u, v, _ in links)
    return text + f"+relay={gpus}-{last}:switch" + "".join(f"+weight={u}-{v}:{x}" for u, v, x in links if x > 1)


def exchange(members, weight, part):
    """Everybody sends everybody else a part: rounds, and bytes for a link's weight."""
    rounds = math.ceil((members - 1) / weight)
    return rounds * LATENCY + (members - 1) * part / weight / UNIT


def forms(kind, g, w, b, n, size):
    """(name, time) of what applies."""
    gpus, both = g * b, 2 if kind == "all-reduce" else 1
    power = gpus & (gpus - 1) == 0
    if b == 1:
        yield "direct", both * exchange(g, w, size / g)
    elif kind == "all-reduce":
        if b & (b - 1) == 0 and g > 1:
            yield "hierarchical", (2 * exchange(g, w, size / g) +
                                   math.log2(b) * (LATENCY + size / g / n / UNIT))
        rate = min(n, w / (g - 1)) if g > 1 else n  # of a ring: every GPU has all of them in its box
        yield "rings", 2 * (gpus - 1) * (LATENCY + size / gpus / (g * rate) / UNIT)
    else:
        yield "hierarchical", exchange(b, n, size / gpus) + exchange(g, w, size / g)
    if kind == "all-reduce":
        steps = [w if step < math.log2(g) or b == 1 else n for step in range(math.floor(math.log2(gpus)))]
        if g & (g - 1) == 0 or b == 1:
            folded = 0 if power else 2 * (LATENCY + size / min(w, n if b > 1 else w) / UNIT)
            yield "recursive doubling", sum(LATENCY + size / x / UNIT for x in steps) + folded
        if power:
            yield "halving and doubling", 2 * sum(
                LATENCY + size / 2 ** (step + 1) / x / UNIT for step, x in enumerate(steps))
        depth, slowest = math.ceil(math.log2(gpus)) + 1, (w if b == 1 else n)
        chunks = max(1, round(math.sqrt(2 * depth * size / slowest / UNIT / LATENCY)))
        # Up and down at once a GPU sends 1 + 2 chunks where it is an inner node, and 1 where it is a leaf.
        yield "double binary trees", min((2 * depth + c) * (LATENCY + 4 * size / 2 / c / slowest / UNIT)
                                         for c in (1, chunks, 2 * chunks))


def bound(kind, g, w, b, n, size):
    """Every GPU takes in what it has not, over its links; every box what other boxes have, over its upper links. Of an
    all-reduce b boxes send 2 (b - 1) messages a block together."""
    gpus, both = g * b, 2 if kind == "all-reduce" else 1
    own = both * size * (gpus - 1) / gpus / (w + (n if b > 1 else 0))
    box = both * size * (b - 1) / b / (g * n) if b > 1 else 0
    return max(own, box) / UNIT


def ask(gossipfab, kind, topology, lengths):
    ran = subprocess.run([gossipfab, "advise", "-t", topology, "--link-mode", "full", "-c", kind, "--bytes",
                          ",".join(map(str, lengths)), "--bandwidth", str(BANDWIDTH), "--latency", str(LATENCY),
                          "--json"], capture_output=True, text=True)
    if ran.returncode != 0:
        return None, ran.stderr.strip()
    answers = json.loads(ran.stdout)["lengths"]
    best = [entry["ranking"][0] for entry in answers]
    return [float(fractions.Fraction(a["byte_transfers"])) / UNIT for a in best], best


def check(gossipfab, kind, sizes, lengths):
    """Lines that say what is wrong, and the greatest quotients of our time and the bound's, of long and short ones."""
    g, w, b, n = sizes
    lengths = [m for m in lengths if m >= 16 * g * b]
    times, best = ask(gossipfab, kind, spec(*sizes), lengths)
    if times is None:
        return [f"{kind} {sizes}: {best}"], 0
    wrong, far = [], 0
    for size, time, made in zip(lengths, times, best):
        whole = made["blocks"] * made["block_bytes"] / size  # blocks have whole bytes
        for name, form in forms(kind, g, w, b, n, size):
            if time > form * whole * 1.0001:
                wrong.append(f"{kind}, {b} boxes of {g} GPUs, weights {w} and {n}, {size} bytes: {time:.3f} us by "
                             f"{made['solver']}, {form:.3f} by {name}")
        least = bound(kind, g, w, b, n, size)
        if time < least * 0.9999:
            wrong.append(f"{kind} {sizes} {size}: {time} us is below the bound {least}")
        if size >= 10**7:
            far = max(far, time / least)
    return wrong, far


def finds_mutant(gossipfab):
    """Is a form that asks for less than can be had found out? Half the time of what there is, in its place."""
    global forms
    real = forms
    forms = lambda *of: ((name, form / 2) for name, form in real(*of))  # noqa: E731
    found = check(gossipfab, "all-reduce", (8, 9, 2, 1), [10**5])[0]
    forms = real
    return bool(found)


def main():
    gossipfab, large = sys.argv[1], "--large" in sys.argv
    sizes = [(8, 9, 1, 1), (8, 1, 1, 1), (8, 9, 2, 1)]
    if large:
        draw = random.Random(3)
        sizes += [(8, 12, 1, 1), (36, 18, 1, 1), (72, 18, 1, 1), (8, 9, 4, 1), (8, 9, 3, 1)]
        sizes += [(draw.choice([2, 3, 4, 6, 8]), draw.randint(1, 12), draw.randint(1, 5), draw.randint(1, 3))
                  for _ in range(50)]
    lengths = LENGTHS if large else LENGTHS[1:7]
    kinds = ("all-reduce", "all-gather", "reduce-scatter") if large else ("all-reduce", "all-gather")
    cases = [(kind, entry) for entry in sizes for kind in kinds]
    wrong, farthest = [], (0, None)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (kind, entry), (lines, far) in zip(cases, pool.map(lambda case: check(gossipfab, *case, lengths), cases)):
            wrong += lines
            farthest = max(farthest, (far, f"{kind} {entry}"), key=lambda x: x[0])
            if large:
                print(f"{kind} {entry}: {far:.3f} of the bound at most, from 10 MB on", flush=True)
    if not finds_mutant(gossipfab):
        wrong.append("a time twice as long as a form is not noticed")
    print("\n".join(wrong))
    print(f"{len(sizes)} sizes, {len(wrong)} wrong; farthest from the bound: {farthest[0]:.3f}, {farthest[1]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
