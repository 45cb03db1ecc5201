#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The dependency law: cmake/layers.cmake, and of each extra extras/NAME/extra.cmake, held against what each file
includes, headers' own includes too.

Every C source and header of include/, core/, cmodel/, gen/ and extras/ belongs to one layer. A file includes headers of
its own layer and of those that its layer may use; headers outside include/ only within the same part of the house:
extras/NAME/ is a part with core/, extras/NAME/cli/ with cli/ and extras/NAME/tests/ with tests/, which may look into
core/ too, as bench/ may into cli/. No headers include each other in a circle. The table of the law in
docs/architecture.md is written from the same files: --write brings it up to date, otherwise it must be.

--closures prints of each layer what it is made of, with all that it may use: that much is to be read, and linked, to
have it.

check-layers.py [--write | --closures] [ROOT]
"""
import os
import pathlib
import posixpath
import re
import sys

TABLE = "cmake/layers.cmake"
EXTRAS = "extras/*/extra.cmake"
PAGE = "docs/architecture.md"
COLUMNS = 120                                           # a row that would be longer goes on in the next one
OWNED = ["include", "core", "cmodel", "gen", "extras"]
# Folders that are no layers, and what they may use; "*" is all of it.
OTHERS = {"tb": ["cmodel", "goal"], "cli": ["*"], "extras/mpi/pmpi": ["*"], "extras/mpi": ["schedule"], "bench": ["*"],
          "tests": ["*"]}
# The folders that a part of the house may include from, beside include/: of extras/ what is of that part.
ROOTS = {"core": ["core", "extras"], "cli": ["cli", "extras"], "tests": ["tests", "tests/unit", "core", "extras"],
         "bench": ["bench", "cli"]}
BESIDE = {"tests": "core", "bench": "cli"}
# Files of no layer: programs that the build runs, templates, all of the public headers in one, and what stands in for
# an extra.
PROGRAMS = re.compile(r"gen/(?:tools/|register_map\.c$)|core/fabric/op_header\.c$|gen/templates/|"
                      r"include/gossipfab/gossipfab\.h$|extras/[\w-]+/absent\.c$")
# Quoted headers that tools write: Verilator, and `gossipfab generate`.
WRITTEN = re.compile(r"^(V\w+|verilated\w*|gossip_fabric_parameters)\.h$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


class Layer:
    def __init__(self, text):
        words = text.split()
        self.name, lists, key = words[0], {"SOURCES": [], "HEADERS": [], "USES": [], "LIBRARIES": []}, None
        for word in words[1:]:
            if word in lists:
                key = word
            else:
                lists[key].append(word)
        self.files = [f for f in lists["SOURCES"] + lists["HEADERS"] if not f.startswith("${")]
        self.uses = lists["USES"]


def read_layers(root):
    texts = [path.read_text(encoding="utf-8") for path in [root / TABLE, *sorted(root.glob(EXTRAS))]]
    text = re.sub(r"#.*", "", "\n".join(texts))
    return [Layer(match.group(1)) for match in re.finditer(r"gfab_layer\(([^)]*)\)", text)]


def part_of(path):
    """The part of the house that a file is of: its top folder, or that which an extra's is one with."""
    folders = path.split("/")
    if folders[0] != "extras":
        return folders[0]
    return folders[2] if len(folders) > 3 and folders[2] in ("cli", "tests") else "core"


class Tree:
    def __init__(self, root):
        self.root, self.faults, self.known = root, [], {}
        self.layers = read_layers(root)
        self.law = {layer.name: layer.uses for layer in self.layers}
        self.owner = {}
        for layer in self.layers:
            for file in layer.files:
                if file in self.owner:
                    self.faults.append(f"{TABLE}: {file} is in {self.owner[file]} and in {layer.name}")
                if not (root / file).is_file():
                    self.faults.append(f"{TABLE}: {layer.name} has {file}, which is not there")
                self.owner[file] = layer.name

    def allowed(self, layer):
        """The layers that a layer, or a folder that is none, may reach, itself among them."""
        found, todo = set(), list(OTHERS.get(layer, [layer]))
        while todo:
            at = todo.pop()
            if at == "*":
                return set(self.law)
            if at not in found:
                found.add(at)
                todo += self.law[at]
        return found

    def includes(self, path):
        """The project's files that a file includes directly: paths from the root."""
        if path not in self.known:
            text = (self.root / path).read_text(encoding="utf-8")
            text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment.group().count("\n"), text, flags=re.S)
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
            part = part_of(path)
            candidates = [f"{posixpath.dirname(path)}/{name}"]
            candidates += [f"{folder}/{name}" for folder in ROOTS.get(part, [part])]
        for candidate in map(posixpath.normpath, candidates):
            if os.path.isfile(f"{self.root}/{candidate}"):
                return candidate
        if quote == "<" or not WRITTEN.match(name):
            self.faults.append(f"{path}: includes {name}, which is not there")
        return None

    def check(self, path):
        part = part_of(path)
        layer = part if part in OTHERS else next((other for other in OTHERS if path.startswith(f"{other}/")),
                                                 self.owner.get(path))
        if layer is None:
            self.faults.append(f"{path}: belongs to no layer of {TABLE}")
            return
        may = self.allowed(layer)
        seen, todo = {path}, [(target, [path]) for target in self.includes(path)]
        while todo:
            target, way = todo.pop()
            if target in seen:
                continue
            seen.add(target)
            if part_of(target) not in ("include", part, BESIDE.get(part)) or not target.endswith(".h"):
                self.fault(way + [target], f"{part}/ may include public headers and its own alone")
                continue
            if target in self.owner and self.owner[target] not in may:
                self.fault(way + [target], f"{layer} may not include {self.owner[target]}")
                continue
            todo += [(next_target, way + [target]) for next_target in self.includes(target)]

    def fault(self, way, reason):
        self.faults.append(f"{' -> '.join(way)}: {reason}")

    def check_circles(self):
        state = {}

        def visit(path, way):
            if state.get(path) == "open":
                circle = way[way.index(path):]
                first = circle.index(min(circle))
                self.fault(circle[first:] + circle[:first + 1], "headers include each other in a circle")
            elif path not in state:
                state[path] = "open"
                for target in self.includes(path):
                    visit(target, way + [path])
                state[path] = "done"

        for path in sorted(self.known):
            visit(path, [])


def law_table(layers):
    """The table of the law, as Markdown."""
    rows = ["| layer | files | may use |", "| --- | --- | --- |"]
    for layer in layers:
        folders = {}
        for file in layer.files:
            if file.endswith((".c", ".cc")):
                folder, name = file.rsplit("/", 1)
                folders.setdefault(folder, []).append(name)
        here = {f: sum(g.startswith(f + "/") and "/" not in g[len(f) + 1:] for o in layers for g in o.files)
                for f in folders}
        # Folders below another one of the row are not named, but for two dots.
        files = [f"`{f}/`" + (" .." if any(g.startswith(f + "/") for g in folders) else "")
                 if sum(g.startswith(f + "/") and "/" not in g[len(f) + 1:] for g in layer.files) == here[f]
                 else f"`{f}/{names[0]}`" + (" .." if len(names) > 1 else "")
                 for f, names in folders.items() if not any(f.startswith(g + "/") for g in folders)]
        uses = ", ".join(f"`{use}`" for use in layer.uses) or "nothing"
        row = f"| `{layer.name}` | "
        for number, file in enumerate(files):
            if number and len(f"{row}{file} | {uses} |") > COLUMNS:
                rows.append(f"{row}| {uses} |")
                row, uses = "| | ", ""
            row += file + (", " if number + 1 < len(files) else " ")
        rows.append(f"{row}| {uses} |".replace("|  |", "| |"))
    return "\n".join(rows) + "\n"


def print_closures(tree):
    """Files and lines of each layer, and of its closure, whose layers are named in the order of the law."""
    def size(names):
        files = [file for layer in tree.layers if layer.name in names for file in layer.files]
        return len(files), sum((tree.root / file).read_text(encoding="utf-8").count("\n") for file in files)

    print(f"{'layer':12} {'files':>5} {'lines':>6}   {'its closure: files':>18} {'lines':>6}  layers")
    for layer in tree.layers:
        closure = tree.allowed(layer.name)
        own, whole = size({layer.name}), size(closure)
        names = " ".join(other.name for other in tree.layers if other.name in closure and other is not layer)
        print(f"{layer.name:12} {own[0]:5} {own[1]:6}   {whole[0]:18} {whole[1]:6}  {names or '-'}")


def check_page(tree, write):
    page = tree.root / PAGE
    begin, end = f"<!-- the law: written by scripts/check-layers.py from {TABLE} -->\n", "<!-- end of the law -->"
    text = page.read_text(encoding="utf-8")
    if text.count(begin) != 1 or text.count(end) != 1:
        tree.faults.append(f"{PAGE}: the marks around the table of the law are not there once each")
        return
    new = text[:text.index(begin)] + begin + law_table(tree.layers) + text[text.index(end):]
    if write:
        page.write_text(new, encoding="utf-8")
    elif new != text:
        tree.faults.append(f"{PAGE}: the table of the law is not that of {TABLE}; run scripts/check-layers.py --write")


def main():
    arguments = sys.argv[1:]
    write = "--write" in arguments
    roots = [a for a in arguments if a not in ("--write", "--closures")]
    tree = Tree(pathlib.Path(roots[0] if roots else ".").resolve())
    if "--closures" in arguments:
        print_closures(tree)
        return 0
    for folder in OWNED + list(OTHERS):
        for source in sorted((tree.root / folder).rglob("*")):
            if source.suffix in (".c", ".h", ".cc", ".cpp"):
                path = source.relative_to(tree.root).as_posix()
                if PROGRAMS.match(path):
                    tree.includes(path)
                else:
                    tree.check(path)
    tree.check_circles()
    check_page(tree, write)
    print("\n".join(tree.faults), end="\n" if tree.faults else "", file=sys.stderr)
    return 1 if tree.faults else 0


sys.exit(main())
