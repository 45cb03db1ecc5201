#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The dependency law of docs/architecture.md, held against what each file really includes, headers' own includes too.

A private header counts as part of the file that includes it, and stays within its top folder.

check-layers.py [ROOT]
"""
import pathlib
import re
import sys

# What a layer may include besides itself; what those include follows. "*" is every public header.
LAW = {
    "status": [],
    "model": ["status"],
    "cost": ["status"],
    "diagonal": ["status"],
    "topology": ["status"],
    "schedule": ["model", "topology"],
    "symmetry": ["topology"],
    "exchange": ["schedule"],
    "record": ["schedule", "matchings"],
    "verify": ["schedule"],
    "bound": ["model", "topology", "cost"],
    "crossbar": ["model", "topology"],
    "relative_tree": ["schedule", "crossbar"],
    "solver": ["schedule", "bound", "relative_tree", "cost", "diagonal", "record", "colouring", "prove"],
    "prove": ["schedule"],
    "advise": ["solver", "verify", "slots"],
    "edge_colouring": ["topology"],
    "matchings": ["edge_colouring"],
    "colouring": ["matchings"],
    "slots": ["edge_colouring"],
    "op": ["status"],
    "image": ["op", "slots"],
    "program": ["schedule", "slots", "op", "image"],
    "banks": ["crossbar", "op", "slots", "image"],
    "cmodel": ["topology", "slots", "op", "image", "banks"],
    "fabric": ["topology", "slots", "op", "image", "banks"],
    "gossipfab": ["*"],
    "tb": ["cmodel", "topology", "image", "banks"],
    "users": ["*"],
}
# Which layer a file belongs to: the first pattern that fits its path.
OWNERS = [
    (r"include/gossipfab/(\w+)\.h$", None),
    (r"core/solvers/", "solver"),
    (r"core/bound_\w+\.[ch]$", "bound"),
    (r"core/symmetry_\w+\.c$", "symmetry"),
    (r"core/schedule_text\.c$", "schedule"),
    (r"core/image_(check\.h|paths\.c)$", "image"),
    (r"core/topology_\w+\.c$", "topology"),
    (r"core/relative_bank\.c$", "relative_tree"),
    (r"core/banks_\w+\.c$", "banks"),
    (r"core/matchings_\w+\.[ch]$", "matchings"),
    (r"core/sequence\.c$", "matchings"),
    (r"core/colouring_\w+\.[ch]$", "colouring"),
    (r"core/version\.c$", "gossipfab"),
    (r"core/op_header\.c$", "op"),
    (r"core/(\w+)\.[ch]$", None),
    (r"cmodel/", "cmodel"),
    (r"gen/", "fabric"),
    (r"tb/", "tb"),
    (r"(cli|tests|bench)/", "users"),
]
FOLDERS = ["include", "core", "cmodel", "gen", "tb", "cli", "tests", "bench"]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
# Quoted headers that tools write: Verilator, and `gossipfab generate`.
WRITTEN = re.compile(r"^(V\w+|verilated\w*|gossip_fabric_parameters)\.h$")


def layer_of(path):
    for pattern, layer in OWNERS:
        match = re.match(pattern, path)
        if match:
            return layer or match.group(1)
    return None


def allowed(layer):
    """The layers that a layer may reach, itself among them."""
    found, todo = set(), [layer]
    while todo:
        at = todo.pop()
        if at == "*":
            return set(LAW)
        if at not in found:
            found.add(at)
            todo += LAW[at]
    return found


class Tree:
    def __init__(self, root):
        self.root, self.faults, self.known = root, [], {}

    def includes(self, path):
        """The project's files that a file includes directly: paths from the root."""
        if path not in self.known:
            text = (self.root / path).read_text(encoding="utf-8")
            text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
            self.known[path] = []
            for quote, name in INCLUDE.findall(text):
                target = self.resolve(path, quote, name)
                if target is not None:
                    self.known[path].append(target)
        return self.known[path]

    def resolve(self, path, quote, name):
        if quote == "<":
            if not name.startswith("gossipfab/"):
                return None
            candidates = [f"include/{name}"]
        else:
            top = path.split("/")[0]
            candidates = [f"{pathlib.PurePosixPath(path).parent}/{name}", f"{top}/{name}"]
        for candidate in candidates:
            if (self.root / candidate).is_file():
                return (self.root / candidate).resolve().relative_to(self.root).as_posix()
        if quote == "<" or not WRITTEN.match(name):
            self.faults.append(f"{path}: includes {name}, which is not there")
        return None

    def check(self, path):
        layer, folder = layer_of(path), path.split("/")[0]
        if layer not in LAW:
            if not path.endswith(".h") or folder == "include":
                self.faults.append(f"{path}: belongs to no layer of the law")
            return
        may = allowed(layer)
        seen, todo = {path}, [(target, [path]) for target in self.includes(path)]
        while todo:
            target, way = todo.pop()
            if target in seen:
                continue
            seen.add(target)
            if not target.startswith("include/"):
                if target.split("/")[0] != folder or not target.endswith(".h"):
                    self.fault(way + [target], f"{folder}/ may include public headers and its own alone")
            elif layer_of(target) not in may:
                self.fault(way + [target], f"{layer} may not include {layer_of(target)}")
            todo += [(next_target, way + [target]) for next_target in self.includes(target)]

    def fault(self, way, reason):
        self.faults.append(f"{' -> '.join(way)}: {reason}")


def main():
    tree = Tree(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
    for folder in FOLDERS:
        for source in sorted((tree.root / folder).rglob("*")):
            if source.suffix in (".c", ".h", ".cc", ".cpp"):
                path = source.relative_to(tree.root).as_posix()
                if not re.match(r"(gen/)?templates/|tests/lint/", path):
                    tree.check(path)
    print("\n".join(tree.faults), end="\n" if tree.faults else "", file=sys.stderr)
    return 1 if tree.faults else 0


sys.exit(main())
