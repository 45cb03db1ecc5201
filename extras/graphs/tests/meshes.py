# SPDX-License-Identifier: MIT
"""Tenstorrent's mesh graph descriptors, read anew for the tests: protobuf's text by hand, the older YAML by PyYAML.

descriptor(path) is a Graph: its `graph`, in networkx, has a node for each chip, such as (("mesh", ("M0", 1)), (0, 3)), in
the order of the file, and its `weights` are the channels each way, {(from, to): channels}. What the file leaves open,
between which chips of two meshes a channel is, is dealt in turn, as docs/reference/graph-files.md says."""
import collections
import itertools
import re

import networkx

TOKEN = re.compile(r'#[^\n]*|"([^"]*)"|([\w.+-]+)|([{}\[\]:])|[\s,;]+')


def parse(text):
    """{key: [values]}; a value is a word, or such a mapping; the elements of a list are values of its key."""
    tokens = [next(filter(None, match.groups())) for match in TOKEN.finditer(text) if any(match.groups())]
    tokens.append("}")

    def message(at):
        fields = collections.defaultdict(list)
        while tokens[at] != "}":
            key, at = tokens[at], at + 1
            at += tokens[at] == ":"
            if tokens[at] == "[":
                end = tokens.index("]", at)
                fields[key] += tokens[at + 1:end]
                at = end + 1
            elif tokens[at] == "{":
                value, at = message(at + 1)
                fields[key].append(value)
            else:
                fields[key].append(tokens[at])
                at += 1
        return fields, at + 1
    fields, end = message(0)
    assert end == len(tokens)
    return fields


class Graph:
    def __init__(self):
        self.graph, self.weights, self.dealt = networkx.Graph(), collections.Counter(), {}

    def link(self, a, b, channels, ways=2):
        for one, other in ((a, b), (b, a))[:ways]:
            self.weights[one, other] += channels
        self.graph.add_edge(a, b)

    def grid(self, path, dims, rings, channels):
        self.graph.add_nodes_from((*path, place) for place in itertools.product(*map(range, dims)))
        for place in itertools.product(*map(range, dims)):
            for side, (size, ring) in enumerate(zip(dims, rings)):
                if place[side] + 1 < size or (ring and size > 2):
                    other = list(place)
                    other[side] = (place[side] + 1) % size
                    self.link((*path, place), (*path, tuple(other)), channels)
        return [(*path, place) for place in itertools.product(*map(range, dims))]

    def connect(self, one, other, count, ways=2):
        """An end is a name and its chips; those of a whole mesh take turns."""
        for _ in range(count):
            ends = []
            for name, chips in (one, other):
                turn = self.dealt.setdefault(name, itertools.cycle(chips)) if len(chips) > 1 else iter(chips)
                ends.append(next(turn))
            self.link(*ends, 1, ways)


def textual(text):
    file, result, chips = parse(text), Graph(), {}

    def reference(node):
        kind = next(kind for kind in ("mesh", "graph", "switch") if kind in node)
        inner = node[kind][0]
        return kind, (inner.get(f"{kind}_descriptor", [""])[0], int(inner.get(f"{kind}_id", ["0"])[0])), inner

    def mesh(path, about):
        shape = about["device_topology"][0]
        dims = list(map(int, shape["dims"]))
        types = shape.get("dim_types", shape.get("types", []))
        rings = [word == "RING" for word in types] + [False] * (len(dims) - len(types))
        channels = int(about["channels"][0]["count"][0]) if "channels" in about else 1
        places = result.grid(path, dims, rings, channels)
        for link in about["express_connections"]:
            result.link(places[int(link["src"][0])], places[int(link["dst"][0])], channels)
        for links in about["express_links"]:
            side = int(links["dim_idx"][0])
            ring = links.get("wrap", ["RING" if rings[side] else "LINE"])[0] == "RING"
            for pattern in links["pattern"]:
                start, step = int(pattern["start"][0]), int(pattern["step"][0])
                for block in range(dims[side] // step):
                    first, last = start + block * step, start + block * step + step - 1
                    for place in itertools.product(*map(range, dims)):
                        if place[side] == first % dims[side] and (ring or last < dims[side]):
                            end = list(place)
                            end[side] = last % dims[side]
                            result.link((*path, place), (*path, tuple(end)), channels)
        return places

    def part(path, node):
        kind, name, _ = reference(node)
        about = next(entry for entry in file[f"{kind}_descriptors"] if entry.get("name", [""])[0] == name[0])
        path = (*path, (kind, name))
        if kind != "graph":
            chips[path] = mesh(path, about)
            return chips[path]
        parts = [(path + (reference(instance)[:2],), part(path, instance)) for instance in about["instances"]]
        chips[path] = sum((own for _, own in parts), [])
        for connection in about["connections"]:
            ends = []
            for node in connection["nodes"]:
                where, inner = path, node
                while True:
                    kind, name, inner = reference(inner)
                    where += ((kind, name),)
                    below = inner["sub_ref"][0] if inner.get("sub_ref") else inner
                    if not any(word in below for word in ("mesh", "graph", "switch")):
                        break
                    inner = below
                own = chips[where]
                ends.append((where, [own[int(inner["device_id"][0])]] if inner.get("device_id") else own))
            ways = 1 if connection.get("directional") == ["true"] else 2
            result.connect(*ends, int(connection["channels"][0]["count"][0]), ways)
        for layout in about["graph_topology"]:
            kind = layout["layout_type"][0] if isinstance(layout, dict) else layout
            channels = layout["channels"] if isinstance(layout, dict) and layout.get("channels") else about["channels"]
            pairs = list(itertools.combinations(parts, 2)) if kind == "ALL_TO_ALL" else \
                list(zip(parts, parts[1:])) + ([(parts[-1], parts[0])] if len(parts) > 2 else [])
            for one, other in pairs:
                result.connect(one, other, int(channels[0]["count"][0]))
        return chips[path]
    if file["top_level_instance"]:
        part((), file["top_level_instance"][0])
    else:
        assert len(file["mesh_descriptors"]) == 1 and not file["graph_descriptors"]
        mesh((), file["mesh_descriptors"][0])
    return result


def older(text):
    import yaml
    file, result, meshes = yaml.safe_load(text), Graph(), {}
    boards = {str(board["name"]): board for board in file["Board"]}
    ports = file["ChipSpec"]["ethernet_ports"]["N"]
    for mesh in file["Mesh"]:
        board = boards[str(mesh["board"])]
        dims, own = mesh.get("device_topology", mesh.get("topology")), board["topology"]
        hosts = [len(mesh["host_ranks"]), len(mesh["host_ranks"][0])] if "host_ranks" in mesh else [0, 0]
        if "device_topology" not in mesh and dims != [a * b for a, b in zip(own, hosts)]:
            dims = [a * b for a, b in zip(own, dims)]
        kind = board["type"].upper()
        rings = [kind in ("TORUS_Y", "TORUS_XY", "TORUS_2D"), kind in ("TORUS_X", "TORUS_XY", "TORUS_2D")]
        meshes[mesh["id"]] = dims, result.grid((mesh["id"],), dims, rings, ports)

    def end(words):
        words = words if isinstance(words, list) else [words]
        name = int(str(words[0]).lstrip("M"))
        (rows, columns), chips = meshes[name]
        if len(words) == 1:
            return (name, chips), 2
        side, number = words[1][0], int(words[1][1:])
        if side == "D":
            return (name, [chips[number]]), 2
        number //= ports
        place = {"N": (0, number), "S": (rows - 1, number), "W": (number, 0), "E": (number, columns - 1)}[side]
        assert place[0] < rows and place[1] < columns
        return (name, [chips[place[0] * columns + place[1]]]), 1
    for one, other, *count in (file.get("Graph") or []) + (file.get("RelaxedGraph") or []):
        (first, ways), (second, _) = end(one), end(other)
        result.connect(first, second, count[0] if count else 1, ways)
    return result


def descriptor(path):
    text = path.read_text()
    return older(text) if "ChipSpec:" in text else textual(text)
