#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""descriptors_test.py GOSSIPFAB WORK [--count N] [--folder F]: Tenstorrent's mesh graph descriptors, by another reader.

Random descriptors - meshes, rings, express links, switches, graphs of graphs, connections of chips and of meshes, both
notations - are read by gossipfab and by meshes.py: the same chips, and the same channels each way. Where meshes.py
finds no connected graph gossipfab must refuse, with one line. With --folder all descriptors below F are read so. A
channel more must be told. Exit status 77 without networkx or PyYAML."""
import argparse
import collections
import pathlib
import random
import subprocess
import sys

try:
    import networkx
    import yaml  # what meshes.py reads the older notation by
    import meshes
except ImportError as missing:
    print(f"descriptors: skipped: {missing}")
    sys.exit(77)


def sides(dice, most):
    dims = [dice.randint(1, 4) for _ in range(dice.choice((1, 2, 2, 2, 3)))]
    while dims[0] * dims[-1] > most:
        dims[dice.randrange(len(dims))] = 1
    return dims


def draw_mesh(dice, kind, name):
    dims = sides(dice, 12)
    types = [dice.choice(("LINE", "RING")) for _ in dims]
    chips, lines = 1, []
    for side in dims:
        chips *= side
    lines.append(f"  device_topology {{ dims: {dims}" + dice.choice(
        ("", f" dim_types: [ {', '.join(types)} ]", f", types: [{','.join(types)}]")) + " }")
    if kind == "mesh":
        lines.append("  host_topology { dims: [ 1, 1 ] } # [ 2, 2 ]")
    lines.append(f"  channels {{ count: {dice.randint(1, 4)} policy: RELAXED }}")
    for _ in range(dice.randint(0, 2) if chips > 1 else 0):
        src, dst = dice.sample(range(chips), 2)
        lines.append(f"  express_connections {{ src: {src} dst: {dst} }}")
    side = dice.randrange(len(dims))
    if dims[side] > 2 and dice.random() < 0.4:
        start, step = dice.randrange(dims[side]), dice.randint(2, dims[side] - 1)
        wrap = dice.choice(("", "", " wrap: LINE", " wrap: RING"))
        lines.append(f"  express_links {{ dim_idx: {side} pattern {{ start: {start} step: {step} }}{wrap} }}")
    text = f"{kind}_descriptors {{\n  name: \"{name}\"\n" + "\n".join(lines) + "\n}\n"
    return text, chips


def draw_text(dice):
    """A descriptor in protobuf's text."""
    kinds, texts = [], []
    for index in range(dice.randint(1, 3)):
        kind = "switch" if index and dice.random() < 0.3 else "mesh"
        text, chips = draw_mesh(dice, kind, f"{kind[0]}{index}")
        kinds.append((kind, f"{kind[0]}{index}", chips))
        texts.append(text)
    if dice.random() < 0.15:
        return texts[0] + (f'top_level_instance {{ mesh {{ mesh_descriptor: "{kinds[0][1]}" mesh_id: 0 }} }}\n')

    def reference(part, inside=""):
        kind, name, number = part
        return f'{kind} {{ {kind}_descriptor: "{name}" {kind}_id: {number}{inside} }}'

    def draw_graph(name, choices):
        chosen = [dice.choice(choices) for _ in range(dice.randint(2, 4))]
        parts = [(kind, other, number) for number, (kind, other, _) in enumerate(chosen)]
        lines = [f"  instances {{ {reference(part)} }}" for part in parts]

        def node(index):
            kind, _, inner = chosen[index]
            inside = ""
            if kind == "graph" and dice.random() < 0.5:
                below, _, chips = dice.choice(inner)
                inside = reference(below, f" device_id: {dice.randrange(chips)}" if isinstance(chips, int) and
                                   dice.random() < 0.7 else "")
                inside = dice.choice((" sub_ref { %s }", " %s")) % inside
            elif kind != "graph" and dice.random() < 0.5:
                inside = f" device_id: {dice.randrange(inner)}"
            return f"    nodes {{ {reference(parts[index], inside)} }}"
        joined = list(zip(range(len(parts)), range(1, len(parts))))
        joined += [tuple(dice.sample(range(len(parts)), 2)) for _ in range(dice.randint(0, 2))]
        for one, other in joined if dice.random() < 0.8 else joined[1:]:
            way = " directional: true" if dice.random() < 0.1 else dice.choice(("", " directional: false"))
            count, policy = dice.randint(1, 9), dice.choice((" policy: STRICT", " policy: RELAXED", ""))
            lines += ["  connections {", node(one), node(other),
                      f"    channels {{ count: {count}{policy} }}{way}", "    assign_z_direction: true", "  }"]
        layout = dice.choice(("ALL_TO_ALL", "RING"))
        if dice.random() < 0.3:
            lines.append(f"  graph_topology: {{\n    layout_type: {layout}\n    channels {{ count: 2 }}\n  }}")
        elif dice.random() < 0.2:
            lines.append(f"  channels {{ count: 3 }}\n  graph_topology: {layout}")
        texts.append(f'graph_descriptors {{\n  name: "{name}"\n  type: "FABRIC"\n' + "\n".join(lines) + "\n}\n")
        return "graph", name, [(part, None, choice[2]) for part, choice in zip(parts, chosen)]
    graphs = [draw_graph("g0", kinds)]
    if dice.random() < 0.4:
        graphs.append(draw_graph("g1", graphs))
    dice.shuffle(texts)
    return "".join(texts) + f'top_level_instance {{ graph {{ graph_descriptor: "{graphs[-1][1]}" graph_id: 0 }} }}\n'


def draw_yaml(dice):
    ports, text = dice.randint(1, 4), "ChipSpec: {\n  arch: blackhole,\n  ethernet_ports: {\n"
    text += "".join(f"    {side}: {ports},\n" for side in "NESW") + "  }\n}\n\nBoard: [\n"
    boards = [[dice.randint(1, 3), dice.randint(1, 3)] for _ in range(dice.randint(1, 3))]
    kinds = [dice.choice(("Mesh", "MESH", "TORUS_X", "TORUS_Y", "TORUS_XY", "TORUS_2D")) for _ in boards]
    text += ",\n".join(f"  {{ name: 2x{index}, # {kind}\n    type: {kind},\n    topology: {board}}}"
                       for index, (kind, board) in enumerate(zip(kinds, boards)))
    text += "\n]\n\nMesh: [\n"
    dims = []
    for index in range(dice.randint(1, 4)):
        board = dice.randrange(len(boards))
        hosts = [dice.randint(1, 2), dice.randint(1, 2)]
        own = [a * b for a, b in zip(boards[board], hosts)]
        ranks = [[column for column in range(hosts[1])] for _ in range(hosts[0])]
        shape = dice.choice((f"  device_topology: {own},\n  host_topology: {hosts}",
                             f"  topology: {hosts},\n  host_ranks: {ranks}",
                             f"  topology: {own},\n  host_ranks: {ranks}"))
        if f"  topology: {hosts}" in shape and [a * b for a, b in zip(boards[board], hosts)] == hosts:
            own = hosts
        text += f"{{\n  id: {index},\n  board: 2x{board},\n{shape}}},\n"
        dims.append(own)
    lists = collections.defaultdict(list)
    for one, other in list(zip(range(len(dims)), range(1, len(dims)))) * dice.randint(1, 2):
        kind = dice.choice(("port", "chip", "mesh"))

        def end(mesh):
            rows, columns = dims[mesh]
            if kind == "chip":
                return f"[M{mesh}, D{dice.randrange(rows * columns)}]"
            side = dice.choice("NESW")
            return f"[{mesh}, {side}{dice.randrange(ports * (columns if side in 'NS' else rows))}]"
        ends = [f"M{one}", f"M{other}"] if kind == "mesh" else [end(one), end(other)]
        lists["RelaxedGraph" if kind == "mesh" else "Graph"] += [ends] + ([ends[::-1]] if kind == "port" else [])
        for ends in lists["RelaxedGraph" if kind == "mesh" else "Graph"][-1:] if kind != "port" else []:
            ends.append(str(dice.randint(1, 5)))
    text += "]\n\n"
    for key in ("Graph", "RelaxedGraph"):
        if key == "Graph" or lists[key]:
            text += f"{key}: [\n" + "".join(f"  [{', '.join(entry)}],\n" for entry in lists[key]) + "]\n"
    return text


class Check:
    def __init__(self, program, folder):
        self.program, self.folder, self.found = program, folder, collections.Counter()

    def read(self, path):
        """(chips, channels each way) as gossipfab has them; or its message."""
        done = subprocess.run([self.program, "convert", "--topology", f"file:{path}", "--to", "graphml"],
                              capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            assert done.returncode == 2 and not done.stdout and done.stderr.count("\n") == 1, f"{path}: {done.stderr}"
            return done.stderr
        graph = networkx.parse_graphml(done.stdout)
        number = {name: index for index, name in enumerate(graph.nodes)}
        weights = collections.Counter()
        for a, b, data in graph.edges(data=True):
            for one, other in ((a, b),) if graph.is_directed() else ((a, b), (b, a)):
                weights[number[one], number[other]] += int(data.get("packets", 1))
        return len(number), weights

    def file(self, path):
        try:
            other = meshes.descriptor(path)
        except Exception:  # whatever a reader ends with: it has not read the file
            other = meshes.Graph()
        number = {chip: index for index, chip in enumerate(other.graph.nodes)}
        weights = collections.Counter({(number[a], number[b]): count for (a, b), count in other.weights.items()})
        arcs = networkx.DiGraph(list(weights))
        arcs.add_nodes_from(number.values())
        connected = len(number) > 1 and networkx.is_strongly_connected(arcs)
        read = self.read(path)
        if isinstance(read, str):
            self.found["refused"] += 1
            # Relays alone, and members that are not all linked, are refused, too.
            assert not connected or "member" in read, f"{path}: refused, though it is a graph: {read}"
            return
        self.found["the same"] += 1
        assert connected and read == (len(number), weights), f"{path}: not the same"
        weights[next(iter(weights))] += 1
        assert read != (len(number), weights), f"{path}: a channel more is not told"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    check = Check(options.gossipfab, options.work)
    for seed in range(0 if options.folder else options.count):
        dice = random.Random(seed)
        path = options.work / (f"{seed}.yaml" if seed % 4 == 3 else f"{seed}.textproto")
        path.write_text(draw_yaml(dice) if seed % 4 == 3 else draw_text(dice), encoding="ascii")
        check.file(path)
    for path in sorted(options.folder.rglob("*")) if options.folder else ():
        if path.suffix in (".textproto", ".yaml"):
            check.file(path)
    print("descriptors: " + ", ".join(f"{count} {how}" for how, count in sorted(check.found.items())))
    assert check.found["the same"] * 2 > sum(check.found.values()) or options.folder, "too many are refused"


if __name__ == "__main__":
    main()
