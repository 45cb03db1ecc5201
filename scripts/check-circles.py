#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No circle among source files by calls: reads with nm which object file defines what the others need, functions and
data, and reports the files that need each other, directly or through others, with the symbols they do it by.

Looked at are the objects of all layers, of the command and of libgossipfab_mpi. Circles of headers are
check-layers.py's.

check-circles.py BUILD [ROOT]; exit status 77 where nm is missing.
"""
import collections
import pathlib
import shutil
import subprocess
import sys

TARGETS = ["CMakeFiles/gfab_*.dir", "cli/CMakeFiles/gfab_command.dir", "cli/CMakeFiles/gossipfab.dir",
           "extras/mpi/CMakeFiles/libgossipfab_mpi.dir"]
DEFINED = set("TDBRSGCV")


def objects(build, root):
    """{source: its object}: the newest, for a build folder keeps objects of sources that are gone or have moved."""
    found = {}
    for pattern in TARGETS:
        for target in build.glob(pattern):
            folder = target.parent.parent.relative_to(build)
            for file in target.rglob("*.o"):
                source = (folder / file.relative_to(target)).with_suffix("").as_posix()
                there = (root / source).is_file() or (build / source).is_file()
                if there and (source not in found or file.stat().st_mtime > found[source].stat().st_mtime):
                    found[source] = file
    return found


def read_symbols(files):
    """{object: symbols that it defines, and that it needs}, all by one nm."""
    symbols = {str(file): (set(), set()) for file in files}
    said = subprocess.run(["nm", "-A", "-P", *symbols], check=True, capture_output=True, text=True).stdout if symbols else ""
    for line in said.splitlines():
        file, _, symbol = line.partition(": ")
        name, kind = symbol.split()[:2]
        if kind in DEFINED:
            symbols[file][0].add(name)
        elif kind == "U":
            symbols[file][1].add(name)
    return symbols


def read_calls(build, root):
    """{source: {source that it needs: symbols}}"""
    found = objects(build, root)
    read = read_symbols(found.values())
    symbols = {source: read[str(file)] for source, file in sorted(found.items())}
    owner = {name: source for source, (defined, _) in symbols.items() for name in defined}
    calls = {source: collections.defaultdict(list) for source in symbols}
    for source, (_, needed) in symbols.items():
        for name in sorted(needed):
            if owner.get(name, source) != source:
                calls[source][owner[name]].append(name)
    return calls


def reachable(calls, start):
    found, todo = set(), [start]
    while todo:
        for target in calls[todo.pop()]:
            if target not in found:
                found.add(target)
                todo.append(target)
    return found


def circles(calls):
    """Sets of sources that reach each other, each once."""
    ways = {source: reachable(calls, source) for source in calls}
    done = set()
    for source in calls:
        if source in ways[source] and source not in done:
            circle = {other for other in ways[source] if source in ways[other]}
            done |= circle
            yield sorted(circle)


def main():
    if not shutil.which("nm"):
        print("check-circles: skipped, nm is missing", file=sys.stderr)
        return 77
    build = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parent.parent).resolve()
    calls = read_calls(build, root)
    if not calls:
        print(f"check-circles: no objects in {build.name}/", file=sys.stderr)
        return 1
    faulty = False
    for circle in circles(calls):
        faulty = True
        print(f"a circle of {len(circle)} files by calls:", file=sys.stderr)
        for source in circle:
            for target in sorted(set(calls[source]) & set(circle)):
                print(f"  {source} -> {target}: {', '.join(calls[source][target])}", file=sys.stderr)
    return 1 if faulty else 0


sys.exit(main())
