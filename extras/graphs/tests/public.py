#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""public.py GOSSIPFAB FOLDER [--list]: graph files of other people, read by gossipfab and by an independent reader.

Every file below FOLDER whose name ends as one of KINDS is read by networkx, by Graphviz (dot -Tjson0), or by a reader
of a few lines here, and by gossipfab, which is asked to take links both ways, to add parallel ones and to drop loops
and weights. Where the other reader finds one connected graph of two nodes or more the two must be the same: as many
nodes and links, the same degrees, and (up to 4000 links) the same Weisfeiler-Lehman hash. Where it does not, or has no
reader for the file, gossipfab reads it, or refuses it: exit status 2, nothing on stdout, one line of at most 1200
characters. --list prints each refusal. Exit status 1 where a file is read differently, or not as a refusal must be.

A mutant, the graph with one link less, must be told from each graph."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import warnings
import xml.etree.ElementTree

try:
    import networkx
    import meshes
except ImportError:
    print("public: skipped: networkx (Debian: python3-networkx) is not there")
    sys.exit(77)

warnings.filterwarnings("ignore")  # hashes differ from those of earlier versions of networkx; both are of this one
OPTIONS = "+links=both+parallel=add+loops=drop+weight-attribute=none"


def graphviz(path):
    done = subprocess.run(["dot", "-Tjson0", path], capture_output=True, text=True, timeout=60, check=True)
    data = json.loads(done.stdout[:done.stdout.index("\n}\n") + 2] if "\n}\n" in done.stdout else done.stdout)
    graph = networkx.MultiGraph()
    clusters = data.get("_subgraph_cnt", 0)
    graph.add_nodes_from(thing["_gvid"] for thing in data.get("objects", ())[clusters:])
    graph.add_edges_from((edge["tail"], edge["head"]) for edge in data.get("edges", ()))
    return graph


def matrix_market(path):
    lines = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("%")]
    rows, columns, entries = map(int, lines[0].split())
    assert rows == columns and entries == len(lines) - 1
    graph = networkx.MultiGraph()
    graph.add_nodes_from(range(1, rows + 1))
    graph.add_edges_from(tuple(map(int, line.split()[:2])) for line in lines[1:])
    return graph


def node_link(path):
    data = json.loads(path.read_text())
    graph = networkx.MultiGraph()
    graph.add_nodes_from(node["id"] for node in data["nodes"])
    for edge in data.get("links", data.get("edges")):
        assert edge["source"] in graph and edge["target"] in graph
        graph.add_edge(edge["source"], edge["target"])
    return graph


def metis(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    head = lines[0].split()
    if len(head) > 2 and head[2].strip("0"):
        raise ValueError("weights")
    return networkx.MultiGraph([(node, int(other) - 1) for node, line in enumerate(lines[1:int(head[0]) + 1])
                                for other in line.split()])


def pajek(path):
    """networkx has no words for lists of neighbours, and passes them over."""
    graph, section = networkx.MultiGraph(), ""
    for words in map(str.split, path.read_text().splitlines()):
        if words and words[0].startswith("*"):
            section = words[0][1:].lower()
            graph.add_nodes_from(map(str, range(1, int(words[1]) + 1)) if section == "vertices" else ())
        elif words and section in ("edges", "arcs"):
            graph.add_edge(*words[:2])
        elif words and section in ("edgeslist", "arcslist", "edgelist"):
            graph.add_edges_from((words[0], other) for other in words[1:])
        elif words and section != "vertices" and not words[0].startswith("%"):
            raise ValueError(section)
    return graph


def edge_list(path):
    graph = networkx.MultiGraph()
    for line in path.read_text().splitlines():
        words = line.split("#")[0].replace(",", " ").split()
        if words and not line.startswith("%"):
            graph.add_edge(*words[:2])
    return graph


def cluster(path):
    """Tenstorrent's: pairs of chips, by the words alone."""
    if "ethernet_connections:" not in path.read_text():
        return meshes.descriptor(path).graph
    words = path.read_text().split("ethernet_connections:")[1]
    words = words.split("\nchips_with_mmio")[0].split("ethernet_connections_to_remote")[0]
    chips = [int(part.split(",")[0].split("}")[0].split()[0]) for part in words.replace("chip:", "\0chip:").split("\0chip:")[1:]]
    return networkx.MultiGraph(list(zip(chips[::2], chips[1::2])))


def machine(path):
    """NCCL's: GPUs, what holds them, and their links."""
    root = xml.etree.ElementTree.parse(path).getroot()
    assert root.tag == "system" and {cpu.get("host_hash") for cpu in root.iter("cpu")} <= {None}
    said = bool(list(root.iter("gpu")))
    graph, gpus, cards = networkx.MultiGraph(), {}, set()

    def gpu(pci):
        return pci.find("gpu") is not None if said else pci.get("class", "")[:4] in ("0x03", "0x12")

    def walk(element, parent):
        for pci in element.findall("pci"):
            card = pci.find("nic") is not None or pci.get("class", "")[:4] == "0x02"
            node = (pci.get("busid"), graph.number_of_nodes())
            if card and not gpu(pci):
                cards.add(node)
                continue
            graph.add_edge(parent, node)
            if gpu(pci):
                gpus[pci.get("busid")] = node
            walk(pci, node)
    processors = list(root.iter("cpu"))
    for index, cpu in enumerate(processors):
        graph.add_node(index)
        graph.add_edges_from((index, other) for other in range(index))
        walk(cpu, index)
    for pci in root.iter("pci"):
        for link in pci.findall("gpu/nvlink") + pci.findall("gpu/xgmi"):
            switch = link.get("tclass", "").startswith("0x0680")
            other = "nvswitch" if switch else gpus[link.get("target")]
            graph.add_edge(gpus[pci.get("busid")], other)
    assert len(gpus) > 1
    return graph


KINDS = {".graphml": networkx.read_graphml, ".gml": lambda path: networkx.read_gml(path, label="id"),
         ".net": pajek, ".gv": graphviz, ".dot": graphviz, ".mtx": matrix_market, ".json": node_link,
         ".graph": metis, ".edgelist": edge_list, ".edges": edge_list, ".ncol": edge_list, ".csv": None, ".xml": machine,
         ".yaml": cluster, ".textproto": lambda path: meshes.descriptor(path).graph, ".conf": None, ".lgl": None, ".txt": None}


def simple(graph):
    """The graph without directions, loops and weights; None where it is not one connected graph."""
    graph = networkx.Graph(graph)
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    return graph if graph.number_of_nodes() > 1 and networkx.is_connected(graph) else None


def same(one, other):
    if sorted(dict(one.degree).values()) != sorted(dict(other.degree).values()):
        return False
    few = one.number_of_edges() <= 4000
    return not few or networkx.weisfeiler_lehman_graph_hash(one) == networkx.weisfeiler_lehman_graph_hash(other)


def wanted(path):
    """What the other reader makes of it, and whether it has read it."""
    try:
        return simple(KINDS[path.suffix](path)), True
    except Exception:  # whatever a reader ends with: it has not read the file
        return None, False


def check(program, path):
    """How it went, and a line to print."""
    graph, known = wanted(path)
    done = subprocess.run([program, "convert", "--topology", f"file:{path}{OPTIONS}", "--to", "graphml"],
                          capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        line = done.stderr.strip()
        if done.returncode != 2 or done.stdout or "\n" in line or len(line) > 1200:
            return "not refused as it must be", f"status {done.returncode}: {line}"
        return ("refused" if graph is None else "refused, though it is a graph"), line
    read = networkx.Graph(networkx.parse_graphml(done.stdout))
    if graph is None:
        return ("read, though it is no connected graph" if known else "read, by gossipfab alone"), ""
    mutant = networkx.Graph(graph)
    mutant.remove_edge(*next(iter(graph.edges)))
    if same(mutant, graph):
        return "not the same", "a link less is taken for the same"
    return ("the same" if same(read, graph) else "not the same"), f"{read} here, {graph} there"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("folder")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    found, bad = collections.Counter(), 0
    for path in sorted(pathlib.Path(options.folder).rglob("*")):
        if path.suffix not in KINDS or not path.is_file():
            continue
        how, line = check(options.gossipfab, path)
        found[path.suffix, how] += 1
        fault = how.startswith("not ") or how.startswith("read, though")
        bad += fault
        if fault or how == "refused, though it is a graph" or (options.list and line and how != "the same"):
            print(f"public: {path}: {how}: {line}", flush=True)
    for (kind, how), count in sorted(found.items()):
        print(f"public: {kind:9} {how}: {count}")
    print(f"public: {sum(found.values())} files, {sum(n for (_, how), n in found.items() if how == 'the same')} the same, {bad} faults")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
