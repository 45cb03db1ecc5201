#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does the proved checker say of every schedule what `gossipfab verify` says?

agree_test.py GOSSIPFAB PROVED FAULTS SOURCE [--large]: schedules of the seven collectives on many graphs under many
models, the rejected files of tests/reject, every other .gfs of the repository, certificates of rates, and schedules
with random faults. A verdict that is turned on purpose must be found. Status 77 where PROVED, which
formal/schedules/prove.sh builds, is not there."""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

COLLECTIVES = ["all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce", "barrier", "all-to-all"]
GRAPHS = ["path:4", "cycle:5", "mesh:3x3", "torus:3x3", "complete:4", "hypercube:3", "graph:5:0-1,1-2,2-0,2-3,3-4",
          "mesh:2x3+relay=4", "path:4+weight=1-2:3", "cycle:4+weight=0-1:1/0", "mesh:3x3+drop-node=4"]
MORE_GRAPHS = ["mesh:4x4", "torus:4x5", "torus:3x3x3", "complete:6", "mesh:1x7", "torus:2x4", "hypercube:4",
               "mesh:4x4+relay=5,6", "cycle:7+relay=0,2", "torus:4x4+drop-link=0-1", "complete:5+weight=0-1:2/1"]
# Relays that do not copy, or do not combine. Few solvers know of them: what is made for relays that do both is also taken,
# most of it not valid here, and --blocks any brings trees that are.
LIMITED = ["path:4+relay=1:forward", "mesh:2x3+relay=4:copy", "mesh:2x3+relay=4:combine", "cycle:5+relay=0:forward+relay=2:copy",
           "graph:5:0-4,1-4,2-4,3-4+relay=4:forward", "graph:5:0-4,1-4,2-4,3-4+relay=4:copy",
           "graph:5:0-4,1-4,2-4,3-4+relay=4:combine", "mesh:3x3+relay=1,4:forward+weight=0-1:2",
           "fat-tree:2+relay=2-4:combine"]
KIND = re.compile(r":(copy|combine|forward)")
FAMILIES = ["knoedel:3", "knoedel:3,12", "ccc:3", "butterfly:3", "debruijn:3", "shuffle-exchange:3", "star:3",
            "pancake:4", "random:n=9,m=14,seed=5", "twisted-torus:3x4,2", "fat-tree:4", "dragonfly:1,2,1", "kautz:2,2",
            "machine:dgx1"]
MORE_FAMILIES = ["debruijn:4", "shuffle-exchange:4", "star:4", "random:n=20,m=60,seed=18446744073709551615",
                 "twisted-torus:5x3,1", "dragonfly:2,3,2", "kautz:3,2", "kautz:2,1", "machine:a100x2",
                 "kautz:2,3+relay=1", "dragonfly:1,2,2+weight=0-10:3", "ccc:3+drop-node=0"]
MODELS = [[], ["--link-mode", "full"], ["--port-mode", "one"], ["--packet-tokens", "2"], ["--hop-rounds", "2"]]
MORE_MODELS = [["--link-mode", "full", "--port-mode", "one"], ["--routing", "circuit", "--port-mode", "one"],
               ["--link-mode", "full", "--hop-rounds", "3"]]
CHANGED = ["link-mode", "collective", "root", "kind", "demand", "capacity", "part"]
OTHERS = [["--topology", "torus:5x5", "--solver", "torus-tree", "--solver-options", "keep=tree"],
          ["--topology", "torus:4x4", "--link-mode", "full", "--solver", "torus-tree", "--solver-options", "keep=tree"],
          ["--topology", "mesh:3x3", "--load", "0,1,2,0,1,1,3,1,0", "--link-mode", "full", "--port-mode", "one"],
          ["--topology", "mesh:3x3", "--collective", "all-reduce", "--blocks", "any", "--link-mode", "full"],
          ["--topology", "path:4", "--collective", "broadcast", "--blocks", "any", "--link-mode", "full"],
          ["--topology", "cycle:5", "--collective", "all-gather", "--blocks", "any"],
          ["--topology", "torus:3x4", "--collective", "all-reduce", "--blocks", "any", "--solver", "rings"],
          ["--topology", "hypercube:5", "--solver", "rings", "--link-mode", "full"],
          ["--topology", "cycle:5", "--collective", "reduce-scatter", "--blocks", "any"],
          ["--topology", "mesh:2x2", "--collective", "reduce", "--blocks", "any"],
          ["--topology", "mesh:3x3", "--collective", "all-reduce", "--blocks", "1", "--idempotent"],
          ["--topology", "cycle:8", "--routing", "circuit", "--port-mode", "one"],
          ["--topology", "mesh:4x4", "--packet-tokens", "4"]]


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def make(gossipfab, folder, large):
    """Schedules, as files; those that no solver makes are left out."""
    graphs, models = (GRAPHS + MORE_GRAPHS, MODELS + MORE_MODELS) if large else (GRAPHS, MODELS)
    wanted = [["--topology", g, "--collective", c, *m] for i, g in enumerate(graphs) for j, c in enumerate(COLLECTIVES)
              for k, m in enumerate(models) if large or (i + j + k) % 7 == 0]
    families = FAMILIES + MORE_FAMILIES if large else FAMILIES
    wanted += [["--topology", g, "--collective", c, *m] for i, g in enumerate(families)
               for j, c in enumerate(COLLECTIVES[:3]) for k, m in enumerate(MODELS[:2])
               if large or i % 6 == 3 * k + j]
    made = []
    for number, options in enumerate(wanted + OTHERS):
        path = folder / f"{number}.gfs"
        if run([gossipfab, "schedule", *options, "-o", path]).returncode == 0:
            made.append(path)
        elif options in OTHERS:
            sys.exit(f"no schedule for {options}")
    limited = make_limited(gossipfab, folder, large)
    return made + limited, len(wanted) + len(OTHERS) + len(limited)


def make_limited(gossipfab, folder, large):
    """Schedules on graphs of which some relays do not copy, or do not combine."""
    made = []
    full = ["--link-mode", "full"]
    models = [*MODELS, *MORE_MODELS, [*full, "--blocks", "4"], [*full, "--blocks", "any"]]
    for i, graph in enumerate(LIMITED):
        for j, collective in enumerate(COLLECTIVES):
            for k, options in enumerate(models):
                for asked in (graph, KIND.sub("", graph)) if large or (i + j + k) % 7 == 0 else ():
                    path = folder / f"limited{len(made)}.gfs"
                    if run([gossipfab, "schedule", "--topology", asked, "--collective", collective, *options, "-o",
                            path]).returncode == 0:
                        path.write_text(re.sub(r"(?m)^topology .*$", f"topology {graph}", path.read_text(), count=1))
                        made.append(path)
    return made


def read(source, path):
    """A schedule's text; a machine, whose links the proved checker does not know, as the graph that its DOT file says."""
    text = path.read_bytes()
    spec = re.search(rb"^topology machine:(\w+)(.*)$", text, re.M)
    machine = spec and pathlib.Path(source, "core", "topology", "families", "machines", f"{spec[1].decode()}.dot")
    if not machine or not machine.exists():
        return text
    arcs = {}
    relays = []
    for line in machine.read_text().split("\n"):
        edge = re.match(r"\s*(\d+) (--|->) (\d+)(?: \[packets=(\d+)\])?\s*(?://.*)?$", line)
        relay = re.match(r"\s*(\d+) \[relay=true\]", line)
        if edge:
            u, v, packets = int(edge[1]), int(edge[3]), int(edge[4] or 1)
            arcs[u, v] = packets
            if edge[2] == "--":
                arcs[v, u] = packets
        elif relay:
            relays.append(relay[1])
        elif not re.match(r"\s*(//.*|(di)?graph \{|\}|)$", line):
            sys.exit(f"{machine}: a line that is not known here: {line}")
    links = sorted({(min(a), max(a)) for a in arcs})
    written = f"graph:{max(map(max, links)) + 1}:" + ",".join(f"{u}-{v}" for u, v in links)
    written += "+relay=" + ",".join(relays) if relays else ""
    written += "".join(f"+weight={u}-{v}:{arcs.get((u, v), 0)}/{arcs.get((v, u), 0)}" for u, v in links)
    return text[:spec.start() + len("topology ")] + written.encode() + text[spec.start(2):]


def verify(gossipfab, path):
    """0 valid, 1 not valid, 2 no schedule, as all is where there are switches, which the proved checker refuses."""
    return 2 if re.search(rb"(?m)^topology .*:switch", path.read_bytes()) else run([gossipfab, "verify", path]).returncode


def compare(proved, texts, seconds=None):
    """What the proved checker says of pairs of a text and another checker's status: its lines, and whether it agrees."""
    stream = b"".join(b"%d %d\n" % (len(text), status) + text for text, status in texts)
    done = subprocess.run([proved, "--compare"], input=stream, stdout=subprocess.PIPE, timeout=seconds, check=False)
    return done.stdout.decode(), done.returncode == 0


def spoil(lines):
    """A certificate with a line changed at random."""
    lines = list(lines)
    at = random.choice([i for i, line in enumerate(lines) if line.split(" ")[0] in CHANGED])
    key, value = lines[at].split(" ", 1)
    other = {"cut": "partition", "partition": "cut", "half": "full", "full": "half"}
    if key == "part":
        to = random.choice([i for i, line in enumerate(lines) if line.startswith("part ")])
        lines[at], lines[to] = lines[to], lines[at]
    elif key == "collective":
        lines[at] = f"{key} {random.choice(COLLECTIVES)}"
    else:
        lines[at] = f"{key} {other[value] if value in other else max(0, int(value) + random.choice((-1, 1)))}"
    return lines


def make_certificates(gossipfab, folder, large):
    """Certificates of best rates, as they are and spoilt, with what `gossipfab bound --check` says of each."""
    random.seed(1)
    path = folder / "certificate"
    made = []
    for i, graph in enumerate(GRAPHS + FAMILIES[:-1]):
        for j, collective in enumerate(COLLECTIVES[:5]):
            for k, mode in enumerate(["half", "full"]):
                if not large and (i + j + 2 * k) % 5 != 0:
                    continue
                options = ["--topology", graph, "--collective", collective, "--link-mode", mode, "--certificate", path]
                if run([gossipfab, "bound", *options]).returncode != 0:
                    sys.exit(f"no certificate for {options}")
                lines = path.read_text().split("\n")
                for text in [lines] + [spoil(lines) for _ in range(4 if large else 1)]:
                    path.write_text("\n".join(text))
                    made.append((path.read_bytes(), run([gossipfab, "bound", "--check", path]).returncode))
    return made


def check_mutants(proved, texts):
    """Turned verdicts must be found, each."""
    for text, status in (texts[0], texts[len(texts) // 2], texts[-1]):
        if compare(proved, [(text, 1 - status if status < 2 else 0)])[1]:
            sys.exit("a turned verdict was not found")


def main():
    gossipfab, proved, faults, source = sys.argv[1:5]
    large = "--large" in sys.argv
    if not pathlib.Path(proved).exists():
        print("skipped: formal/schedules/prove.sh has not built", proved)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made, wanted = make(gossipfab, folder, large)
        print(f"{len(made)} schedules made, of {wanted} asked for")
        others = sorted(pathlib.Path(source, "tests", "reject").glob("*.gfs"))
        others += sorted(p for top in ("tests", "examples") for p in pathlib.Path(source, top).rglob("*.gfs")
                         if p not in others)
        limited = [verify(gossipfab, path) for path in made if path.name.startswith("limited")]
        print(f"with relays that do not copy, or do not combine: {limited.count(0)} valid, {limited.count(1)} not")
        if min(limited.count(0), limited.count(1)) < 20:
            sys.exit("too few of them")
        texts = [(read(source, path), verify(gossipfab, path)) for path in made + others]
        lines, fine = compare(proved, texts)
        print(lines, end="")
        check_mutants(proved, texts)
        certificates = make_certificates(gossipfab, folder, large)
        lines, counted = compare(proved, certificates)
        print("certificates:", lines, end="")
        check_mutants(proved, certificates)
        small = [path for path in made if path.stat().st_size < 6000 and b" machine:" not in path.read_bytes()]
        stream = subprocess.Popen([faults, "1000000" if large else "4000", "1", *small], stdout=subprocess.PIPE)
        done = subprocess.run([proved, "--compare"], stdin=stream.stdout, stdout=subprocess.PIPE, text=True, check=False)
        print(done.stdout[-4000:], end="")
        if stream.wait() != 0 or done.returncode != 0 or not fine or not counted:
            sys.exit(1)


if __name__ == "__main__":
    main()
