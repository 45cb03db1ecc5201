#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""formats_test.py GOSSIPFAB FOLDER: what gossipfab writes for other tools, read by readers of this test's own.

MSCCL's XML is carried out: thread blocks take their steps in random order, as far as dependencies and links that hold
one chunk let them, and in the end every GPU must have what the collective promises. SCCL's JSON is checked as
msccl-tools does it: links and switches carry no more than they can in a step, and the chunks come where they are
wanted. Each checker must refuse mutants. Files are written to FOLDER."""
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import xml.etree.ElementTree

GRAPHS = ["mesh:3x3", "cycle:5", "random:n=8,m=14,seed=5", "complete:5", "hypercube:3"]
COLLECTIVES = ["all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce", "all-to-all"]

HERE = pathlib.Path(__file__).resolve().parent
# A ring of four, each block on its way in turn; all pairs, whose reductions wait by nops; SCCL's steps, of which the
# broadcast's two have two rounds each; its all-gather of 6 chunks in 7 rounds on the weighted DGX-1, as its solver made it.
FOREIGN = {"ring-allgather.xml": (3, 12), "ring-allreduce.xml": (6, 24), "pairs-allreduce.xml": (2, 24),
           "ring-allgather.json": (2, 12), "ring-allreduce.json": (6, 24), "broadcast-two-rounds.json": (4, 6),
           "dgx1-allgather.json": (7, 336)}


class Fault(Exception):
    pass


def fail(text):
    raise Fault(text)


# ---- MSCCL ----

def check_text(text):
    """What msccl-executor-nccl's own reader of XML takes: one blank before an attribute, few of them, short ones."""
    if "\t" in text:
        fail("a tab")
    for tag in re.findall(r"<[a-z][^>]*>", text):
        attributes = re.findall(r' ([a-z_A-Z]+)="([^"]*)"', tag)
        if len(attributes) > 16 or any(len(value) >= 255 for _, value in attributes) or "  " in tag:
            fail(f"an element that is not read: {tag}")


class Gpu:
    """Buffers and thread blocks. A chunk is a block and a frozen set of the GPUs whose contributions are in it."""

    def __init__(self, element, coll, each, in_place):
        self.rank = int(element.get("id"))
        size = {name: int(element.get(f"{name}_chunks")) for name in "ios"}
        self.cells = {name: [None] * size[name] for name in "ios"}
        if coll == "allgather" and not in_place:
            self.cells["i"] = [(self.rank * each + i, frozenset([self.rank])) for i in range(each)]
        elif coll == "allgather":  # the input is a part of the output
            for i in range(each):
                self.cells["o"][self.rank * each + i] = (self.rank * each + i, frozenset([self.rank]))
        elif coll == "alltoall":
            self.cells["i"] = [((self.rank, i), frozenset([self.rank])) for i in range(size["i"])]
        elif coll != "broadcast":
            self.cells["i"] = [(i, frozenset([self.rank])) for i in range(size["i"])]
        self.blocks = [(int(tb.get("send")), int(tb.get("recv")), [step.attrib for step in tb.findall("step")])
                       for tb in element.findall("tb")]
        self.at = [0] * len(self.blocks)


def step_gpu(gpu, index, links):
    """The next step of a thread block; False where it has to wait."""
    send, recv, steps = gpu.blocks[index]
    step = steps[gpu.at[index]]
    kind, count = step["type"], int(step["cnt"])
    source, target = (gpu.cells[step["srcbuf"]], int(step["srcoff"])), (gpu.cells[step["dstbuf"]], int(step["dstoff"]))
    if kind != "nop" and not all(0 <= offset < len(cells) for cells, offset in (source, target)):
        fail(f"GPU {gpu.rank} has no such chunk: {step}")
    if int(step["depid"]) >= 0:
        if gpu.blocks[int(step["depid"])][2][int(step["deps"])]["hasdep"] != "1":
            fail("a dependency on a step that does not tell")
        if gpu.at[int(step["depid"])] <= int(step["deps"]):
            return False
    if kind == "s":
        if count != 1 or links[gpu.rank, send]:
            return False
        if not source[0][source[1]]:
            fail(f"GPU {gpu.rank} sends what it does not have")
        links[gpu.rank, send].append(source[0][source[1]])
    elif kind in ("r", "rrc"):
        if not links[recv, gpu.rank]:
            return False
        block, parts = links[recv, gpu.rank].pop()
        if kind == "rrc":
            if not source[0][source[1]]:
                fail(f"GPU {gpu.rank} reduces what it does not have")
            known, others = source[0][source[1]]
            if known != block or parts & others:
                fail(f"GPU {gpu.rank} reduces {block} and {known}, {sorted(parts)} and {sorted(others)}")
            parts = parts | others
        target[0][target[1]] = (block, parts)
    elif kind == "cpy":
        target[0][target[1]:target[1] + count] = source[0][source[1]:source[1] + count]
    elif kind != "nop":
        fail(f"a step of type {kind}")
    gpu.at[index] += 1
    return True


def wanted(coll, rank, nodes, each, blocks, root, in_place):
    """Cells of a GPU's output, and what they are to have."""
    place = "i" if in_place else "o"
    everyone = frozenset(range(nodes))
    if coll == "allgather":
        return [("o", b, (b, frozenset([b // each]))) for b in range(blocks)]
    if coll == "reducescatter":
        return [(place, b - (0 if in_place else rank * each), (b, everyone)) for b in range(rank * each, (rank + 1) * each)]
    if coll == "alltoall":
        return [("o", u, ((u, rank), frozenset([u]))) for u in range(nodes)]
    if coll == "reduce" and rank != root:
        return []
    return [(place, b, (b, frozenset([root]) if coll == "broadcast" else everyone)) for b in range(blocks)]


def run_msccl(text, root, seed):
    check_text(text)
    algo = xml.etree.ElementTree.fromstring(text)
    in_place = algo.get("inplace") == "1"
    if in_place == (algo.get("outofplace") == "1") or in_place and algo.get("coll") == "alltoall":
        fail("in place, and out of place")
    coll, nodes, blocks = algo.get("coll").replace("_", ""), int(algo.get("ngpus")), int(algo.get("nchunksperloop"))
    each = blocks // nodes
    gpus = [Gpu(element, coll, each, in_place) for element in algo.findall("gpu")]
    if coll == "broadcast":
        gpus[root].cells["i"] = [(i, frozenset([root])) for i in range(blocks)]
    given = [list(gpu.cells["i"]) for gpu in gpus]
    links, chance = collections.defaultdict(list), random.Random(seed)
    left = [(gpu, i) for gpu in gpus for i in range(len(gpu.blocks)) if gpu.blocks[i][2]]
    while left:
        chance.shuffle(left)
        moved = False
        for gpu, i in left:
            while gpu.at[i] < len(gpu.blocks[i][2]) and step_gpu(gpu, i, links):
                moved = True
                if chance.random() < 0.5:
                    break
        left = [(gpu, i) for gpu, i in left if gpu.at[i] < len(gpu.blocks[i][2])]
        if not moved:
            fail("all wait for each other")
    for gpu in gpus:
        if not in_place and gpu.cells["i"] != given[gpu.rank]:
            fail(f"GPU {gpu.rank} has written its input")
        for buffer, offset, chunk in wanted(coll, gpu.rank, nodes, each, blocks, root, in_place):
            if gpu.cells[buffer][offset] != chunk:
                fail(f"GPU {gpu.rank} has {gpu.cells[buffer][offset]} at {buffer} {offset}, not {chunk}")


def check_msccl(text, root):
    for seed in range(5):
        run_msccl(text, root, seed)


def msccl_mutants(text):
    """Without any dependency, where there is one; with a step less at a receiver; with another chunk sent."""
    free = re.sub(r'depid="\d+" deps="\d+"', 'depid="-1" deps="-1"', text)
    if free != text:
        yield "dependencies", free
    first = re.search(r'type="s" srcbuf="(.)" srcoff="(\d+)"', text)
    other = int(first.group(2)) + 1 if int(first.group(2)) == 0 else 0
    yield "offset", text.replace(first.group(0), f'type="s" srcbuf="{first.group(1)}" srcoff="{other}"', 1)
    yield "type", re.sub(r'type="r(rc)?"', 'type="nop"', text, count=1)


# ---- SCCL ----

def check_sccl(text, _root):
    algorithm = json.loads(text)
    cut, topology = algorithm["instance"]["chunks"], algorithm["topology"]  # as Collective.chunk_up has it
    chunks = [dict(c, addr=c["addr"] * cut + i) for c in algorithm["collective"]["chunks"] for i in range(cut)]
    nodes = len(topology["links"])
    at = collections.defaultdict(list)
    for number, chunk in enumerate(chunks):
        at[chunk["addr"]].append(number)
    has = [{c for c, chunk in enumerate(chunks) if rank in chunk["pre"]} for rank in range(nodes)]
    switches = [([v], [u], topology["links"][u][v]) for u in range(nodes) for v in range(nodes)]
    switches += [(sources, targets, most) for sources, targets, most, _ in topology["switches"]]
    for number, step in enumerate(algorithm["steps"]):
        used = collections.Counter((source, target) for _, source, target in step["sends"])
        for sources, targets, most in switches:
            if sum(used[u, v] for u in sources for v in targets) > most * step["rounds"]:
                fail(f"step {number}: too much from {sources} to {targets}")
        before = [set(chunks_here) for chunks_here in has]
        for address, source, target in step["sends"]:
            has[target] |= before[source].intersection(at[address])
    for rank in range(nodes):
        lacking = [c for c, chunk in enumerate(chunks) if rank in chunk["post"] and c not in has[rank]]
        if lacking:
            fail(f"rank {rank} lacks chunk {lacking[0]}")


def sccl_mutants(text):
    algorithm = json.loads(text)
    step = next(step for step in reversed(algorithm["steps"]) if step["sends"])
    step["sends"].append(list(step["sends"][-1]))
    yield "bandwidth", json.dumps(algorithm)
    for key in algorithm["steps"]:
        key["sends"] = [send for send in key["sends"] if send[2] != step["sends"][-1][2]]
    yield "silence", json.dumps(algorithm)


def check_microsoft(text, root):
    """Its parser knows reduce_scatter, and programs up to maxBytes."""
    if 'coll="reducescatter"' in text or not re.search('maxBytes="[1-9]', text):
        fail("not in the words of microsoft/msccl")
    check_msccl(text, root)


CHECKS = {"msccl": (check_msccl, msccl_mutants), "msccl-apart": (check_msccl, msccl_mutants),
          "msccl-microsoft": (check_microsoft, msccl_mutants), "sccl": (check_sccl, sccl_mutants)}


def check_foreign(gossipfab):
    """Files in the dialects of other tools: rounds and moves."""
    for name, expected in FOREIGN.items():
        report = subprocess.run([gossipfab, "verify", "--json", HERE / name], check=True, stdout=subprocess.PIPE)
        found = json.loads(report.stdout)
        if (found["rounds"], found["moves"]) != expected:
            sys.exit(f"formats: {name}: {found['rounds']} rounds, {found['moves']} moves, not {expected}")


# Relays, links of several packets, links of one way: which formats say them, and what is wrong without.
MARKED = [("mesh:3x3+relay=4", ["sccl"]), ("cycle:5+relay=0,2", ["sccl"]), ("cycle:5+weight=0-1:2", ["sccl"]),
          ("cycle:5+weight=0-1:1/0", ["sccl", "msccl", "msccl-apart", "msccl-microsoft"])]


def check_marked(gossipfab, folder):
    """How many files were read, each by itself and by gossipfab; other formats refuse the graph."""
    files = 0
    for graph, formats in MARKED:
        for collective in ("all-gather", "all-reduce", "all-to-all", "reduce-scatter"):
            schedule, written = folder / "s.gfs", folder / "s.json"
            subprocess.run([gossipfab, "schedule", "-t", graph, "-c", collective, "--link-mode", "full", "-o", schedule],
                           check=True, stdout=subprocess.DEVNULL)
            had = json.loads(subprocess.check_output([gossipfab, "verify", "--json", schedule]))
            for name, (check, mutants) in CHECKS.items():
                ran = subprocess.run([gossipfab, "convert", schedule, "--to", name], text=True, capture_output=True)
                if name not in formats:
                    if ran.returncode != 2 or "has no words for them" not in ran.stderr:
                        sys.exit(f"formats: {graph}, {name}: not refused: {ran.stderr}")
                    continue
                if ran.returncode != 0:
                    sys.exit(f"formats: {graph}, {collective}, {name}: {ran.stderr}")
                check(ran.stdout, 0)
                written.write_text(ran.stdout)
                found = json.loads(subprocess.check_output([gossipfab, "verify", "--json", written]))
                if (found["rounds"], found["moves"]) != (had["rounds"], had["moves"]):
                    sys.exit(f"formats: {graph}, {collective}, {name}: read back as another schedule")
                files += 1
                for kind, mutant in mutants(ran.stdout):
                    try:
                        check(mutant, 0)
                    except Fault:
                        continue
                    if kind != "dependencies":
                        sys.exit(f"formats: {graph}, {collective}, {name}: the mutant {kind} passes")
    return files


def main():
    gossipfab, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    check_foreign(gossipfab)
    files = refused = free = 0
    for graph in GRAPHS:
        for collective in COLLECTIVES:
            for link_mode in ("half", "full"):
                root = ["--root", "2"] if collective in ("broadcast", "reduce") else []
                schedule = folder / "s.gfs"
                subprocess.run([gossipfab, "schedule", "-t", graph, "-c", collective, "--link-mode", link_mode, *root,
                                "-o", schedule], check=True, stdout=subprocess.DEVNULL)
                for name, (check, mutants) in CHECKS.items():
                    text = subprocess.run([gossipfab, "convert", schedule, "--to", name], check=True, text=True,
                                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
                    check(text, 2)
                    files += 1
                    for kind, mutant in mutants(text):
                        try:
                            check(mutant, 2)
                        except Fault:
                            refused += 1
                            continue
                        if kind != "dependencies":
                            sys.exit(f"formats: {graph}, {collective}, {link_mode}, {name}: the mutant {kind} passes")
                        free += 1
    files += check_marked(gossipfab, folder)
    print(f"formats: {files} files, {refused} mutants refused; {free} files do without their dependencies")
    if free > files // 10:
        sys.exit("formats: too many files do without their dependencies: are they found at all?")


if __name__ == "__main__":
    main()
