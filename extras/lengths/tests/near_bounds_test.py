#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How near does `advise` come to the least time of any schedule, below switches?

near_bounds_test.py GOSSIPFAB [--large] [--table]: on machines whose GPUs hang on switches, each collective at lengths from
10 KB to 1 GB, with 2 us a message and 50 GB/s a unit of weight. The least time is what `gossipfab bound` says. No time may
be below it, nor more than 1.1 times as long from 10 MB on, or 1.5 times at 10 KB, but where LISTED says how long it is
today. With --large all machines, else the quick ones. --table prints the table of docs/theory/long-vectors/switches.md:
the quotient of both times."""
import json
import subprocess
import sys

LENGTHS = {"10 KB": 10**4, "100 KB": 10**5, "1 MB": 10**6, "10 MB": 10**7, "100 MB": 10**8, "1 GB": 10**9}
ALLOWED = {"10 KB": 1.5, "10 MB": 1.1, "100 MB": 1.1, "1 GB": 1.1}
KINDS = ["all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce"]


def star(gpus, weight, planes=1):
    links = [(v, gpus + p) for v in range(gpus) for p in range(planes)]
    return (f"graph:{gpus + planes}:" + ",".join(f"{u}-{v}" for u, v in links) +
            f"+relay={gpus}-{gpus + planes - 1}:switch" +
            "".join(f"+weight={u}-{v}:{weight}" for u, v in links if weight > 1))


def boxes(count, gpus, weight, uplink):
    """Boxes without a card a GPU: the switch of each is on an upper one."""
    nodes = count * gpus
    links = [(v, nodes + v // gpus, weight) for v in range(nodes)]
    links += [(nodes + b, nodes + count, uplink) for b in range(count)]
    return (f"graph:{nodes + count + 1}:" + ",".join(f"{u}-{v}" for u, v, _ in links) +
            f"+relay={nodes}-{nodes + count}:switch" + "".join(f"+weight={u}-{v}:{w}" for u, v, w in links if w > 1))


QUICK = {"8 x 9": star(8, 9), "h100x2": "machine:h100x2"}
MACHINES = {
    "8 x 1": star(8, 1),
    "8 x 9": star(8, 9),
    "8 x 12": star(8, 12),
    "36 x 18": star(36, 18),
    "72 x 18": star(72, 18),
    "72 x 18 planes": star(72, 1, 18),
    "h100x2": "machine:h100x2",
    "h100x4": "machine:h100x4",
    "2 boxes, uplink 8": boxes(2, 8, 9, 8),
    "a100x2": "machine:a100x2+relay=16-19:switch",
    "mi250x2": "machine:mi250x2+relay=32:switch",
    "fat-tree:4": "fat-tree:4+relay=16-35:switch",
    "fat-tree:8": "fat-tree:8+relay=128-207:switch",
}
# Machine, collective, length: no more than so many times the bound. Why: docs/theory/long-vectors/switches.md.
LISTED = {}


def ask(gossipfab, verb, topology, kind, size):
    ran = subprocess.run([gossipfab, verb, "-t", topology, "--link-mode", "full", "-c", kind, "--bytes", str(size),
                          "--bandwidth", "50", "--latency", "2", "--json", *verb_options(verb)],
                         capture_output=True, text=True)
    if ran.returncode != 0:
        raise RuntimeError(f"{verb} {topology} {kind} {size}: {ran.stderr.strip()}")
    return json.loads(ran.stdout)


def verb_options(verb):
    return ["--routing", "store-and-forward"] if verb == "advise" else []


def near(gossipfab, topology, kind, size):
    answer = ask(gossipfab, "advise", topology, kind, size)
    best = answer["lengths"][0]["ranking"][0]
    whole = best["blocks"] * best["block_bytes"] / size  # blocks have whole bytes
    return best["microseconds"] / answer["rate"]["microseconds"], whole


def check(gossipfab, name, topology, kind):
    row, wrong = [], []
    for length, size in LENGTHS.items():
        times, whole = near(gossipfab, topology, kind, size)
        row.append(times)
        allowed = LISTED.get((name, kind, length), ALLOWED.get(length))
        if times < 0.9999:
            wrong.append(f"{name}, {kind}, {length}: {times:.3f} of the bound")
        if allowed and times > allowed * whole + 0.005:
            wrong.append(f"{name}, {kind}, {length}: {times:.3f} times the bound, {allowed} are allowed")
    return row, wrong


def main():
    gossipfab, table = sys.argv[1], "--table" in sys.argv
    wrong = []
    if table:
        print("| machine | collective |", " | ".join(LENGTHS), "|")
        print("| --- | --- |" + " --- |" * len(LENGTHS))
    for name, topology in (MACHINES if "--large" in sys.argv or table else QUICK).items():
        for kind in KINDS:
            row, lines = check(gossipfab, name, topology, kind)
            wrong += lines
            if table:
                print(f"| {name} | {kind} |", " | ".join(f"{times:.2f}" for times in row), "|", flush=True)
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
