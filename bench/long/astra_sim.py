#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""astra_sim.py PROGRAM GOSSIPFAB [--work FOLDER] [--graphs G ..] [--bytes B,..]: our schedules beside ASTRA-sim's
built-in algorithms, on the same graph, by its congestion-aware analytical backend.

PROGRAM is an AstraSim_Analytical_Congestion_Aware that you have built, whose fully connected network takes its links from
the file that the environment variable GFAB_LINKS names, a line "FROM TO" for each way of each, and sends messages over
shortest paths; a node beyond the ranks is a switch. One that does not look at the file is refused. Both sides have their
message whole, or cut in 4 or 16 parts that go together. Lines: graph, collective, bytes, microseconds of ours, of the best
built-in and which, how often ours goes into it. Exit status 1 where one of ours is slower, 2 where something fails."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

GRAPHS = ["cycle:16", "path:8", "complete:8", "mesh:4x4", "torus:4x4", "torus:3x5", "hypercube:4", "mesh:2x8",
          "random:n=16,m=32,seed=1", "random:n=12,m=18,seed=1", "switch:8"]
COLLECTIVES = ["all-reduce", "all-gather"]
BUILT_IN = ["ring", "direct", "halvingDoubling", "doubleBinaryTree"]
BANDWIDTH, LATENCY = 50 * 1.073741824, 0.5  # GB/s, microseconds: as network.yml has them
SPLITS = (1, 4, 16)
CANDIDATES = 8
MOST_MOVES = 60000


def call(*words, **more):
    return subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True, **more).stdout


class Simulator:
    def __init__(self, program, folder, links):
        self.program, self.folder, self.links = program, folder, links
        self.memory = folder / "memory.json"
        self.memory.write_text(json.dumps({"memory-type": "NO_MEMORY_EXPANSION"}))

    def run(self, system):
        """Microseconds until the last rank has ended."""
        text = call(self.program, f"--workload-configuration={self.folder}/traces/workload",
                    f"--system-configuration={system}", f"--network-configuration={self.folder}/traces/network.yml",
                    f"--remote-memory-configuration={self.memory}", cwd=self.folder,
                    env={**os.environ, "GFAB_LINKS": str(self.links)})
        ends = [int(cycles) for cycles in re.findall(r"finished, (\d+) cycles", text)]
        if not ends:
            raise SystemExit(f"{system}: nothing has ended")
        return max(ends) / 1000


def plans_of(graph):
    """What schedules for it may be made for: a graph and the ports that a node uses at once. A switch's is a relay, which
    neither copies nor adds up, or it is none, and each node has a link to every other."""
    if not graph.startswith("switch:"):
        return [(graph, "all")]
    nodes = int(graph.split(":")[1])
    links = ",".join(f"{v}-{nodes}" for v in range(nodes))
    return [(f"graph:{nodes + 1}:{links}+relay={nodes}:forward", "all"), (f"complete:{nodes}", "one"),
            (f"complete:{nodes}", "all")]


def write_links(gossipfab, graph, folder):
    """Both ways of each link, from a picture of the graph."""
    path = folder / "graph.graphml"
    call(gossipfab, "convert", "-t", plans_of(graph)[0][0], "--to", "graphml", "-o", path)
    pairs = [(int(u), int(v)) for u, v in re.findall(r'source="n?(\d+)" target="n?(\d+)"', path.read_text())]
    links = folder / "links.txt"
    links.write_text("".join(f"{u} {v}\n{v} {u}\n" for u, v in pairs))
    return links


def candidates(gossipfab, graph, ports, collective, size):
    """Solver, blocks, settings, tokens of a packet: what advise has first."""
    text = call(gossipfab, "advise", graph, "-c", collective, "--bytes", size, "--bandwidth", f"{BANDWIDTH:.6f}",
                "--latency", LATENCY, "--link-mode", "full", "--port-mode", ports, "--routing", "store-and-forward",
                "--json")
    rows = [(row["solver"], row["blocks"], row["settings"], row["model"]["packet_tokens"])
            for row in json.loads(text)["lengths"][0]["ranking"]]
    return list(dict.fromkeys(rows))[:CANDIDATES]


def write_system(simulator, collective, splits, algorithm):
    """The message in so many parts, all at once."""
    system = simulator.folder / "system.json"
    system.write_text(json.dumps({"scheduling-policy": "LIFO", "preferred-dataset-splits": splits,
                                  "active-chunks-per-dimension": splits, "local-mem-bw": 1600,
                                  f"{collective}-implementation{algorithm[0]}": [algorithm[1]]}))
    return system


def ours(simulator, gossipfab, graph, collective, size):
    """The least time of what is advised, and of what."""
    best = None
    gfs, traces = simulator.folder / "s.gfs", simulator.folder / "traces"
    for plan, ports in plans_of(graph):
        for solver, blocks, settings, tokens in candidates(gossipfab, plan, ports, collective, size):
            options = ["--solver-options", settings] if settings else []
            done = subprocess.run([gossipfab, "schedule", plan, "-c", collective, "--link-mode", "full", "--port-mode",
                                   ports, "-s", solver, "--blocks", str(blocks), "--packet-tokens", str(tokens),
                                   *options, "-o", gfs], capture_output=True, text=True)
            if done.returncode != 0:
                continue
            moves = int(re.search(r"^moves +(\d+)", done.stdout, re.M).group(1))
            for splits in SPLITS:
                if moves * splits > MOST_MOVES and splits > 1 or moves > MOST_MOVES:
                    continue
                shutil.rmtree(traces, ignore_errors=True)
                call(gossipfab, "convert", gfs, "--to", "chakra", "--bytes", -(-size // (blocks * splits)), "-o", traces)
                time = simulator.run(write_system(simulator, collective, splits, ("-custom", "traces/gossipfab")))
                if best is None or time < best[0]:
                    best = (time, f"{solver}/{splits}")
    return best


def built_in(simulator, gossipfab, graph, collective, size):
    """The least time of a built-in algorithm, and of which."""
    best = None
    gfs, traces = simulator.folder / "s.gfs", simulator.folder / "traces"  # for the workload alone
    made = call(gossipfab, "schedule", plans_of(graph)[-1][0], "-c", collective, "--link-mode", "full", "-o", gfs)
    blocks = int(re.search(r"(\d+) nodes", made).group(1))
    shutil.rmtree(traces, ignore_errors=True)
    call(gossipfab, "convert", gfs, "--to", "chakra", "--bytes", -(-size // blocks), "-o", traces)
    for name in BUILT_IN:
        if name == "doubleBinaryTree" and collective != "all-reduce":
            continue
        for splits in SPLITS:
            try:
                time = simulator.run(write_system(simulator, collective, splits, ("", name)))
            except (subprocess.CalledProcessError, SystemExit):
                continue  # it does not take this number of ranks
            if best is None or time < best[0]:
                best = (time, f"{name}/{splits}")
    return best


def check_links(program, gossipfab, folder):
    """An all-gather takes longer on a path than on a complete graph, unless the links are not looked at."""
    times = [built_in(Simulator(program, folder, write_links(gossipfab, graph, folder)), gossipfab, "complete:8", "all-gather",
                      1048576) for graph in ("complete:8", "path:8")]
    if None in times or times[0][0] >= times[1][0]:
        print(f"{program}: it does not take its links from the file that GFAB_LINKS names: --help", file=sys.stderr)
        sys.exit(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("gossipfab", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/bench/astra-sim"))
    parser.add_argument("--graphs", nargs="*", default=GRAPHS)
    parser.add_argument("--collectives", nargs="*", default=COLLECTIVES)
    parser.add_argument("--bytes", default="65536,1048576,16777216")
    arguments = parser.parse_args()
    gossipfab, work = arguments.gossipfab.resolve(), arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    program = shutil.which(arguments.program)
    if not program:
        print(f"{arguments.program} is no program; a built ASTRA-sim is expected: --help", file=sys.stderr)
        sys.exit(2)
    program, slower = pathlib.Path(program).resolve(), 0
    check_links(program, gossipfab, work)
    for graph in arguments.graphs:
        links = write_links(gossipfab, graph, work)
        simulator = Simulator(program, work, links)
        for collective in arguments.collectives:
            for size in map(int, arguments.bytes.split(",")):
                mine = ours(simulator, gossipfab, graph, collective, size)
                theirs = built_in(simulator, gossipfab, graph, collective, size)
                slower += mine[0] > theirs[0]
                print(f"| {graph} | {collective} | {size} | {mine[0]:.1f}, {mine[1]} | {theirs[0]:.1f}, {theirs[1]} | "
                      f"{theirs[0] / mine[0]:.2f} |", flush=True)
    print(f"slower than a built-in algorithm: {slower}")
    sys.exit(slower > 0)


if __name__ == "__main__":
    main()
