#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""graphs_test.py GOSSIPFAB FOLDER [--count N] [--zoo F] [--rccl F] [--teccl F] [--taccl F]: graph files by independent programs.

Random graphs with directions, weights, relays and parallel links are written by networkx and by igraph, in every form
that they know, and what gossipfab reads is held to the graph in memory; GraphML that gossipfab writes is read by both.
With --zoo each GraphML file of the Topology Zoo is read, where networkx says that it is connected, and refused
otherwise; with --rccl each XML file of RCCL's tools/topo_expl/models, held to Python's own reader; with --teccl and
--taccl, the repositories TE-CCL and taccl, the machines that their own classes make. A comparison must first tell a graph from one with a link more, less, or turned round, or another relay. Exit status 77 without both."""
import argparse
import importlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import xml.etree.ElementTree

try:
    import networkx
    import igraph
except ImportError:
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3"] + sys.argv)  # that of python3-networkx and python3-igraph
    print("graphs: skipped: networkx and igraph (Debian: python3-networkx, python3-igraph) are not there")
    sys.exit(77)


def draw(seed):
    """A random graph in networkx: nodes 0 .. n - 1, strongly connected, at least two members. Parallel links add up."""
    dice = random.Random(seed)
    nodes = dice.randint(3, 12)
    directed, several = dice.random() < 0.5, dice.random() < 0.3
    graph = (networkx.MultiDiGraph if several else networkx.DiGraph)() if directed else \
        (networkx.MultiGraph if several else networkx.Graph)()
    members = dice.sample(range(nodes), 2)
    for node in range(nodes):
        graph.add_node(node, relay=node not in members and dice.random() < 0.3)
    order = dice.sample(range(nodes), nodes)
    for a, b in zip(order, order[1:] + order[:1]):
        graph.add_edge(a, b, packets=dice.randint(1, 9))
    for _ in range(dice.randint(0, 2 * nodes)):
        a, b = dice.sample(range(nodes), 2)
        if several or not graph.has_edge(a, b):
            graph.add_edge(a, b, packets=dice.randint(1, 9))
    return graph


def arcs(graph):
    """{(from, to): weight}, and the relays, of a graph in networkx."""
    weights = {}
    for a, b, data in graph.edges(data=True):
        for one, other in ((a, b),) if graph.is_directed() else ((a, b), (b, a)):
            weights[int(one), int(other)] = weights.get((int(one), int(other)), 0) + int(data.get("packets", 1))
    yes = (True, 1, "true", "True", "switch")
    return weights, {int(node) for node, data in graph.nodes(data=True) if data.get("relay") in yes}


class Gossipfab:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words):
        return subprocess.run([self.program, *words], capture_output=True, text=True, check=False)

    def read(self, spec):
        """What it makes of a graph, by GraphML, as arcs() says; or its message."""
        done = self.run("convert", "--topology", spec, "--to", "graphml")
        if done.returncode:
            return done.stderr
        (self.folder / "back.graphml").write_text(done.stdout, encoding="ascii")
        graph = networkx.read_graphml(self.folder / "back.graphml")
        return arcs(networkx.relabel_nodes(graph, {name: number for number, name in enumerate(graph.nodes)}))


def write_lists(graph, folder):
    """Forms that networkx writes in its own way: DOT and METIS by hand here."""
    sign, word = ("->", "digraph") if graph.is_directed() else ("--", "graph")
    lines = [f"  {node} [relay={str(data['relay']).lower()}]" for node, data in graph.nodes(data=True)]
    lines += [f"  {a}:p {sign} {{ {b} }} [packets={data['packets']}]" for a, b, data in graph.edges(data=True)]
    (folder / "g.dot").write_text(f"{word} x {{\n" + "\n".join(lines) + "\n}\n", encoding="ascii")
    yield "g.dot", True
    if graph.is_multigraph() or graph.is_directed():
        return
    lines = [f"{graph.number_of_nodes()} {graph.number_of_edges()} 1"]
    lines += [" ".join(f"{b + 1} {data['packets']}" for b, data in graph[a].items()) for a in sorted(graph)]
    (folder / "g.metis").write_text("\n".join(lines) + "\n", encoding="ascii")
    yield "g.metis", False


def write_networkx(graph, folder):
    networkx.write_graphml(graph, folder / "g.graphml")
    yield "g.graphml", True
    networkx.write_gml(graph, folder / "g.gml", stringizer=str)
    yield "g.gml", True


def write_igraph(graph, folder):
    other = igraph.Graph(n=graph.number_of_nodes(), directed=graph.is_directed(), edges=list(graph.edges()))
    other.vs["relay"] = [graph.nodes[node]["relay"] for node in range(graph.number_of_nodes())]
    other.es["packets"] = [data["packets"] for _, _, data in graph.edges(data=True)]
    other.write_graphml(str(folder / "i.graphml"))
    yield "i.graphml", True
    other.vs["relay"] = [int(graph.nodes[node]["relay"]) for node in range(graph.number_of_nodes())]
    other.write_gml(str(folder / "i.gml"))
    yield "i.gml", True


def read_igraph(path):
    graph = igraph.Graph.Read_GraphML(str(path))
    weights = {}
    for edge in graph.es:
        weight = edge["packets"] if "packets" in graph.es.attributes() else 1
        weight = int(weight) if weight == weight else 1  # not a number: none is given
        for a, b in (edge.tuple,) if graph.is_directed() else (edge.tuple, edge.tuple[::-1]):
            weights[a, b] = weights.get((a, b), 0) + weight
    has_relays = "relay" in graph.vs.attributes()
    return weights, {v.index for v in graph.vs if has_relays and v["relay"] in (True, "true", 1.0)}


def check_mutants(graph):
    """Says of which of these, each another graph, arcs() does not."""
    right = arcs(graph)
    a, b = list(graph.edges())[0][:2]
    for name in ("less", "more", "turned", "relay"):
        other = graph.copy()
        if name == "less":
            other.remove_edge(a, b)
        elif name == "relay":
            other.nodes[a]["relay"] = not other.nodes[a]["relay"]
        elif name == "turned":
            other = networkx.MultiDiGraph(other)
            other.remove_edge(a, b)
        else:
            other = networkx.MultiGraph(other) if not graph.is_directed() else networkx.MultiDiGraph(other)
            other.add_edge(a, b, packets=1)
        if arcs(other) == right:
            yield f"a graph with a link {name} is taken for the same"


def compare(tool, seed):
    graph = draw(seed)
    right = arcs(graph)
    faults = list(check_mutants(graph))
    for writer in (write_lists, write_networkx, write_igraph):
        for name, relays in writer(graph, tool.folder):
            read = tool.read(f"file:{tool.folder / name}+parallel=add")
            if read != (right[0], right[1] if relays else set()):
                faults.append(f"seed {seed}, {name}: {read}, not {right}")
    again = read_igraph(tool.folder / "back.graphml")
    if again != read:
        faults.append(f"seed {seed}: igraph reads our GraphML as {again}, not {read}")
    return faults


def check_zoo(tool, folder):
    """Connected files, all files, faults."""
    count, connected, faults = 0, 0, []
    for path in sorted(pathlib.Path(folder).rglob("*.graphml")):
        graph = networkx.Graph(networkx.read_graphml(path).to_undirected())
        graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
        is_one = graph.number_of_nodes() > 1 and networkx.is_connected(graph)
        read = tool.read(f"file:{path}+links=both+parallel=add+loops=drop")
        count, connected = count + 1, connected + is_one
        if is_one != (not isinstance(read, str)):
            faults.append(f"{path.name}: connected is {is_one}: {read}")
        elif is_one and len(read[0]) != 2 * graph.number_of_edges():
            faults.append(f"{path.name}: {len(read[0]) // 2} links, not {graph.number_of_edges()}")
    return connected, count, faults


def check_rccl(tool, folder):
    """XGMI and GPUs by Python's own reader of XML."""
    count, faults = 0, []
    for path in sorted(pathlib.Path(folder).glob("*.xml")):
        root = xml.etree.ElementTree.parse(path).getroot()
        places = {pci.get("busid"): pci.find("gpu") for pci in root.iter("pci") if pci.find("gpu") is not None}
        ranks = [gpu.get("rank") for gpu in places.values()]
        if sorted(ranks, key=int) != [str(i) for i in range(len(ranks))]:
            ranks = [str(i) for i in range(len(ranks))]
        number = dict(zip(places, map(int, ranks)))
        wanted = {}
        for bus, gpu in places.items():
            for link in gpu.findall("xgmi"):
                pair = number[bus], number[link.get("target")]
                wanted[pair] = wanted.get(pair, 0) + int(link.get("count"))
        read = tool.read(f"file:{path}")
        count += 1
        if isinstance(read, str):
            faults.append(f"{path.name}: {read}")
            continue
        found = {pair: weight for pair, weight in read[0].items() if max(pair) < len(number)}
        if found != wanted or read[1] & set(number.values()):
            faults.append(f"{path.name}: between GPUs {found}, not {wanted}")
    return count, faults


def same_rates(read, capacity, switches):
    """Are all weights the same part of the rates, and the relays these?"""
    rates = {(u, v): rate for u, row in enumerate(capacity) for v, rate in enumerate(row) if rate}
    if isinstance(read, str) or rates.keys() != read[0].keys() or read[1] != set(switches):
        return False
    units = [rates[pair] / weight for pair, weight in read[0].items()]
    return max(units) / min(units) < 1.0001


def check_machines(tool, machines):
    """(what, JSON, capacity[from][to], switches): how many, and faults. With one rate changed, or a relay, it is another."""
    count, faults = 0, []
    for what, text, capacity, switches in machines:
        (tool.folder / "machine.json").write_text(json.dumps(text), encoding="ascii")
        read = tool.read(f"file:{tool.folder / 'machine.json'}")
        count += 1
        if not same_rates(read, capacity, switches):
            faults.append(f"{what}: {read}, not {capacity}, {switches}")
            continue
        pair = next(iter(read[0]))
        other = {other: weight for other, weight in read[0].items() if other != pair}
        for mutant in [(other, read[1]), ({**other, pair: 2 * read[0][pair]}, read[1]), (read[0], read[1] ^ {0})]:
            if same_rates(mutant, capacity, switches):
                faults.append(f"{what}: another machine is taken for the same")
    return count, faults


def teccl_machines(folder):
    sys.path.insert(0, folder)
    parameters = importlib.import_module("teccl.input_data").TopologyParams
    for name, boxes in [("DGX1", (1, 2)), ("DGX2", (1, 2)), ("NDv2", (1, 2, 3, 4, 7)), ("AMD", (1,)), ("Mesh", range(2, 9))]:
        make = getattr(importlib.import_module(f"teccl.topologies.{name.lower()}"), name)
        for box in boxes:
            given = {"name": name, "chassis": box, "chunk_size": 1.0, "side_length": box}
            if name == "AMD":  # it asks for a list that nobody has made
                make.alpha = []
            made = make(parameters(**given, alpha=(0.0, 0.0)))
            # Two NDv2 boxes have no switch, and GPU 0 is called one.
            switches = [] if (name, box) == ("NDv2", 2) else [0] if name == "NDv2" else made.switch_indices
            yield f"{name} of {box}", {"TopologyParams": given}, made.capacity, switches


def taccl_machines(folder, count=100):
    sys.path.insert(0, folder)
    generic = importlib.import_module("taccl.topologies.generic")
    for path in sorted(pathlib.Path(folder).glob("taccl/examples/topo/*.json")):
        made = (generic.ndv2 if "ndv2" in path.name else generic.dgx2)(path)
        times = list(zip(*made.betas))
        yield path.name, json.loads(path.read_text()), [[1 / t if t else 0 for t in row] for row in times], []
    for seed in range(count):
        dice = random.Random(seed)
        nodes = dice.randint(2, 9)
        links = [[int(u != v and ((u + 1) % nodes == v or dice.random() < 0.3)) for u in range(nodes)] for v in range(nodes)]
        betas = [[dice.choice((0.5, 1, 1.5, 2, 3, 6, 7.2)) if link else 0 for link in row] for row in links]
        yield f"custom, seed {seed}", {"name": "x", "gpus_per_node": nodes, "alpha": 1, "links": links, "betas": betas,
                                       "invbws": betas}, [[1 / betas[v][u] if links[v][u] else 0 for v in range(nodes)]
                                                          for u in range(nodes)], []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--zoo")
    parser.add_argument("--rccl")
    parser.add_argument("--teccl")
    parser.add_argument("--taccl")
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tool = Gossipfab(options.gossipfab, folder)
    faults = [fault for seed in range(options.count) for fault in compare(tool, seed)]
    print(f"graphs: {options.count} random ones by networkx and igraph: {len(faults)} faults")
    if options.zoo:
        connected, count, found = check_zoo(tool, options.zoo)
        print(f"graphs: Topology Zoo: {connected} of {count} files are connected, and are read; {len(found)} faults")
        faults += found
    if options.rccl:
        count, found = check_rccl(tool, options.rccl)
        print(f"graphs: RCCL's machines: {count} files, {len(found)} faults")
        faults += found
    for name, machines in (("TE-CCL", options.teccl and teccl_machines(options.teccl)),
                           ("TACCL", options.taccl and taccl_machines(options.taccl))):
        if machines:
            count, found = check_machines(tool, machines)
            print(f"graphs: {name}'s machines: {count}, {len(found)} faults")
            faults += found
    for fault in faults:
        print(f"graphs: {fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
