#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""astra_sim.py SOURCE GOSSIPFAB [--work FOLDER] [--graphs G ..] [--bytes B,..]: our schedules beside ASTRA-sim's built-in
algorithms, on the same graph, by its congestion-aware analytical backend.

SOURCE is ASTRA-sim at commit 1b460ad with its submodules chakra, analytical and memory in their places; where fmt, spdlog
or yaml-cpp are not there, Debian's are taken. It is copied to FOLDER, where one file is changed: the fully connected network
takes its links from a file, and routes messages over shortest paths. Both sides have their message whole, or cut in 4 or 16
parts that go together. Lines: graph, collective, bytes, microseconds of ours, of the best built-in and which, how often ours
goes into it. Exit status 77: what the build needs is not there."""
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

LINKS = r"""
    // gossipfab: the links of a file, "from to"; a message to any other npu goes over a shortest path
    const char* const path = std::getenv("GFAB_LINKS");
    std::ifstream file(path ? path : "");
    std::vector<std::vector<int>> out(devices_count);
    for (int from, to; file >> from >> to;) {
        connect(from, to, bandwidth, latency, false);
        out[from].push_back(to);
    }
    for (auto src = 0; src < devices_count; src++) {
        std::vector<int> order{src}, first(devices_count, -1);
        first[src] = src;
        for (std::size_t i = 0; i < order.size(); i++)
            for (const auto peer : out[order[i]])
                if (first[peer] < 0) {
                    first[peer] = order[i] == src ? peer : first[order[i]];
                    order.push_back(peer);
                }
        next.push_back(first);
    }
}

"""
# A relay is a device behind the npus.
COUNT = r"""static std::vector<std::vector<int>> next;

static int count_devices(const int npus_count) {
    const char* const path = std::getenv("GFAB_LINKS");
    std::ifstream file(path ? path : "");
    int most = npus_count;
    for (int end; file >> end;)
        most = std::max(most, end + 1);
    return most;
}
"""
ROUTE = r"""    auto route = Route();
    for (auto at = src; at != dest; at = next[at][dest])
        route.push_back(devices[at]);
    route.push_back(devices[dest]);
"""


def call(*words, **more):
    return subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True, **more).stdout


def change_network(source):
    """FullyConnected.cpp, as the docstring says."""
    path = source / "extern/network_backend/analytical/congestion_aware/basic-topology/FullyConnected.cpp"
    text = path.read_text()
    if "GFAB_LINKS" in text:
        return
    start, end = text.index("    // fully-connect every src-dest pairs"), text.index("Route FullyConnected::route")
    text = text[:start] + LINKS.lstrip("\n") + text[end:]
    start, end = text.index("    // construct route"), text.index("    return route;")
    text = text[:start] + ROUTE + "\n" + text[end:]
    for old, new in [("#include <cassert>\n", "#include <algorithm>\n#include <cassert>\n#include <cstdlib>\n#include <fstream>\n"),
                     ("using namespace NetworkAnalyticalCongestionAware;\n",
                      f"using namespace NetworkAnalyticalCongestionAware;\n\n{COUNT}"),
                     ("BasicTopology(npus_count, npus_count,", "BasicTopology(npus_count, count_devices(npus_count),")]:
        if old not in text:
            raise SystemExit(f"{path}: not the file of commit 1b460ad")
        text = text.replace(old, new, 1)
    path.write_text(text)


def build(given, work):
    """The simulator."""
    source, made = work / "source", work / "build"
    program = made / "bin" / "AstraSim_Analytical_Congestion_Aware"
    if program.exists():
        return program
    if not shutil.which("protoc") or not shutil.which("cmake"):
        print("skipped: protoc (Debian: protobuf-compiler, libprotobuf-dev) or cmake is not there")
        sys.exit(77)
    shutil.copytree(given, source, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
    for place, package in [("extern/helper/fmt", "fmt"), ("extern/helper/spdlog", "spdlog"),
                           ("extern/network_backend/analytical/extern/yaml-cpp", "yaml-cpp")]:
        if not (source / place / "CMakeLists.txt").exists():
            (source / place).mkdir(parents=True, exist_ok=True)
            (source / place / "CMakeLists.txt").write_text(f"find_package({package} REQUIRED GLOBAL)\n")
    change_network(source)
    schema = source / "extern/graph_frontend/chakra/schema/protobuf"
    call("protoc", "et_def.proto", f"--proto_path={schema}", f"--cpp_out={schema}")
    call("cmake", "-S", source / "build/astra_analytical", "-B", made, "-DBUILDTARGET=congestion_aware")
    call("cmake", "--build", made, "-j", os.cpu_count())
    return program


class Simulator:
    def __init__(self, program, source, folder, links):
        self.program, self.folder, self.links = program, folder, links
        self.memory = source / "examples/remote_memory/analytical/no_memory_expansion.json"

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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("gossipfab", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/bench/astra-sim"))
    parser.add_argument("--graphs", nargs="*", default=GRAPHS)
    parser.add_argument("--collectives", nargs="*", default=COLLECTIVES)
    parser.add_argument("--bytes", default="65536,1048576,16777216")
    arguments = parser.parse_args()
    gossipfab, work = arguments.gossipfab.resolve(), arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    program = build(arguments.source.resolve(), work)
    slower = 0
    for graph in arguments.graphs:
        links = write_links(gossipfab, graph, work)
        simulator = Simulator(program, work / "source", work, links)
        for collective in arguments.collectives:
            for size in map(int, arguments.bytes.split(",")):
                mine = ours(simulator, gossipfab, graph, collective, size)
                theirs = built_in(simulator, gossipfab, graph, collective, size)
                slower += mine[0] > theirs[0]
                print(f"| {graph} | {collective} | {size} | {mine[0]:.1f}, {mine[1]} | {theirs[0]:.1f}, {theirs[1]} | "
                      f"{theirs[0] / mine[0]:.2f} |", flush=True)
    print(f"slower than a built-in algorithm: {slower}")


main()
