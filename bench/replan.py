#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""replan.py GOSSIPFAB WORK [--nodes N] [--anew] [--above PERCENT] [--seconds S]: a link dead, or at half its rate.

Three graphs of about N (1000) nodes whose links carry two packets a round: a torus, a random graph of degree 4, and a
fat-tree whose switches pass on. For broadcast, reduce and all-reduce of 16 N blocks it has a schedule made, then
replanned with one link dead and with one at half its rate. Prints a table in Markdown, a row as soon as it is measured:
rounds before; rounds after; the lower bound on what is left; with --anew the rounds of a schedule made anew; moves that
are kept; seconds of the whole command replan, and of the schedule that it started from. Exit status 1 where a row is
more than PERCENT (5) above the plan made anew, or else the bound, or takes longer than S (1) seconds."""
import argparse
import json
import os
import random
import subprocess
import sys
import time


def torus(nodes):
    side = max(3, round(nodes ** 0.5))
    links = [(r * side + c, r * side + (c + 1) % side) for r in range(side) for c in range(side)]
    links += [(r * side + c, (r + 1) % side * side + c) for r in range(side) for c in range(side)]
    return side * side, side * side, links


def random_regular(nodes, degree=4):
    draw = random.Random(1)
    ends = [v for v in range(nodes) for _ in range(degree)]
    draw.shuffle(ends)
    pairs = [tuple(sorted(ends[i:i + 2])) for i in range(0, len(ends), 2)]
    while True:
        seen = {}
        bad = next((i for i, p in enumerate(pairs) if p[0] == p[1] or seen.setdefault(p, i) != i), None)
        if bad is None:
            return nodes, nodes, sorted(pairs)
        other = draw.randrange(len(pairs))
        (a, b), (c, d) = pairs[bad], pairs[other]
        pairs[bad], pairs[other] = tuple(sorted((a, c))), tuple(sorted((b, d)))


def fat_tree(nodes):
    k = 4
    while (k + 2) ** 3 // 4 + 5 * (k + 2) ** 2 // 4 <= nodes:
        k += 2
    half, hosts = k // 2, k ** 3 // 4
    links = []
    for pod in range(k):
        for i in range(half):
            edge, pods = hosts + pod * half + i, hosts + k * half
            links += [((pod * half + i) * half + j, edge) for j in range(half)]
            links += [(edge, pods + pod * half + j) for j in range(half)]
            links += [(pods + pod * half + i, hosts + 2 * k * half + i * half + j) for j in range(half)]
    return hosts, hosts + 5 * k * k // 4, links


def write(path, graph):
    members, nodes, links = graph
    with open(path, "w") as file:
        file.write("graph {\n")
        file.writelines(f"{v}{' [relay=true]' if v >= members else ''}\n" for v in range(nodes))
        file.writelines(f"{a} -- {b} [packets=2]\n" for a, b in links)
        file.write("}\n")


def run(command):
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"replan.py: {' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout), time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("work")
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--anew", action="store_true")
    parser.add_argument("--above", type=float, default=5)
    parser.add_argument("--seconds", type=float, default=1)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    bad = 0
    print("| graph | collective | change | before | after | bound | anew | kept | replan, s | schedule, s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for name, make in (("torus", torus), ("random", random_regular), ("fat-tree", fat_tree)):
        graph = make(options.nodes)
        path, old = os.path.join(options.work, name + ".dot"), os.path.join(options.work, name + ".gfs")
        write(path, graph)
        # A link in the middle: of a fat-tree one of the last switches', so that no member is cut off.
        link = graph[2][-1] if name == "fat-tree" else graph[2][len(graph[2]) // 2]
        for collective in ("broadcast", "reduce", "all-reduce"):
            goal = ["--link-mode", "full", "-c", collective, "--blocks", str(16 * graph[0]), "--json"]
            before, slow = run([options.gossipfab, "schedule", "-t", "file:" + path, *goal, "-o", old])
            for what in (f"+drop-link={link[0]}-{link[1]}", f"+weight={link[0]}-{link[1]}:1"):
                after, seconds = run([options.gossipfab, "replan", old, what, "--json"])
                anew = "-"
                if options.anew:
                    anew = run([options.gossipfab, "schedule", "-t", f"file:{path}{what}", *goal])[0]["rounds"]
                least = after["bound"]["rounds"] if anew == "-" else anew
                bad += after["rounds"] > least * (1 + options.above / 100) or seconds > options.seconds
                kept = 100 * after["moves_kept"] / after["moves_before"]
                print(f"| {name} | {collective} | {what} | {before['rounds']} | {after['rounds']} | "
                      f"{after['bound']['rounds']} | {anew} | {kept:.0f} % | {seconds:.2f} | {slow:.0f} |", flush=True)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
