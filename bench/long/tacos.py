#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tacos.py GOSSIPFAB TACOS WORK [--tries N] [--limit S] [TOPOLOGY:BLOCKS...]: all-gathers beside those of TACOS
(arXiv:2304.05301).

TACOS is a program that you have built with its library. It reads "NODES BLOCKS" and a line "FROM TO WEIGHT" for each arc
from its standard input, and prints how long TACOS's all-gather of BLOCKS blocks a node takes, in microseconds. Links have
no latency there, and one of weight w takes 1 / w microseconds for a block, so that its times are rounds. It draws at
random: the shortest of N (5) tries counts, and the seconds of all of them, as far as S (60) seconds allow one. A case is
a topology of gossipfab and the blocks of a node. gossipfab verifies every schedule. Prints a table in Markdown. Exit
status 1 where ours takes more rounds, 2 where something fails."""
import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

HETERO = "".join(f"+weight={r * 8 + c}-{r * 8 + c + 1}:2" for r in range(8) for c in range(7))
CASES = ["cycle:8 4", "hypercube:3 2", "hypercube:3 4", "mesh:4x4 2", "mesh:4x4 4", "mesh:8x8 1", "mesh:8x8 4",
         "torus:8x8 1", "torus:8x8 4", "torus:3x3x3 2", "torus:4x4x4 2", "mesh:4x4x4 1", "hypercube:6 2", "complete:8 3",
         "debruijn:5 2", "machine:dgx1 6", "random:n=32,m=96,seed=1 2", "torus:8x16 1", "torus:4x4x8 1",
         f"mesh:8x8{HETERO} 2"]


def run(command, **options):
    made = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if made.returncode != 0:
        print(" ".join(command) + ": " + made.stderr, end="", file=sys.stderr)
        sys.exit(2)
    return made.stdout


def graph_of(gossipfab, topology, work):
    """Nodes, and the arcs with their weights as text."""
    path = os.path.join(work, "graph.graphml")
    run([gossipfab, "convert", "--topology", topology, "--to", "graphml", "-o", path])
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    graph = xml.parse(path).getroot().find("g:graph", space)
    lines = []
    for edge in graph.findall("g:edge", space):
        weight = edge.findtext("g:data", "1", space)
        ends = [edge.get("source"), edge.get("target")]
        lines.append(" ".join([*ends, weight]))
        if graph.get("edgedefault") == "undirected":
            lines.append(" ".join([*ends[::-1], weight]))
    return len(graph.findall("g:node", space)), "\n".join(lines) + "\n"


def theirs(program, nodes, blocks, arcs, tries, limit):
    best, start = math.inf, time.monotonic()
    for _ in range(tries):
        try:
            made = subprocess.run([program], input=f"{nodes} {blocks}\n{arcs}", capture_output=True, text=True, check=True,
                                  timeout=limit)
        except subprocess.TimeoutExpired:
            break
        except subprocess.CalledProcessError as failed:
            print(f"{program}: exit status {failed.returncode}: {failed.stderr}", file=sys.stderr)
            sys.exit(2)
        best = min(best, float(made.stdout))
    return best, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("tacos")
    parser.add_argument("work")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--tries", type=int, default=5)
    parser.add_argument("--limit", type=float, default=60)
    options = parser.parse_intermixed_args()
    program, longer = shutil.which(options.tacos), 0
    if not program:
        print(f"{options.tacos} is no program; one that is built with TACOS's library is expected: --help", file=sys.stderr)
        sys.exit(2)
    os.makedirs(options.work, exist_ok=True)
    print("| topology | blocks a node | ours | bound | s | TACOS | s |\n| --- | --- | --- | --- | --- | --- | --- |")
    for case in options.cases or CASES:
        topology, blocks = case.rsplit(" ", 1) if " " in case else case.rsplit(":", 1)
        nodes, arcs = graph_of(options.gossipfab, topology, options.work)
        start = time.monotonic()
        made = json.loads(run([options.gossipfab, "schedule", "-t", topology, "-c", "all-gather", "--link-mode", "full",
                               "--blocks", str(int(blocks) * nodes), "--json"]))
        seconds = time.monotonic() - start
        rounds, their_seconds = theirs(program, nodes, int(blocks), arcs, options.tries, options.limit)
        longer += made["rounds"] > rounds + 1e-6
        name = topology if len(topology) < 40 else topology.split("+")[0] + " with weights"
        print(f"| {name} | {blocks} | {made['rounds']} | {made['bound']['rounds']} | {seconds:.1f} | "
              f"{f'{rounds:.6g}' if rounds < math.inf else '-'} | {their_seconds:.1f} |", flush=True)
    print(f"{len(options.cases or CASES)} all-gathers, {longer} of ours longer")
    sys.exit(longer > 0)


if __name__ == "__main__":
    main()
