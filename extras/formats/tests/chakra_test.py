#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""chakra_test.py GOSSIPFAB FOLDER: traces for ASTRA-sim, decoded by Python's protobuf with a schema of this test's own.

Ids are unique, what a node waits for is there, nothing waits in a circle, sends and receives pair, a link does one
thing at a time; carried out, every rank ends with what the collective promises. Each check must refuse a mutant. What
gossipfab reads back is the same schedule, but past relays, which are switches there. FOLDER is made anew. Exit status 77 without protobuf."""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

try:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
except ImportError:
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3"] + sys.argv)  # that of the package python3-protobuf
    print("chakra: skipped: protobuf (Debian: python3-protobuf) is not there")
    sys.exit(77)

GRAPHS = ["mesh:3x3", "path:4", "cycle:5", "random:n=8,m=14,seed=5", "graph:5:0-1,0-4,1-2,2-3,3-4+weight=0-1:3+weight=2-3:2"]
# Relays are switches: each rank has one link, to one of them.
SWITCHES = ["graph:5:0-4,1-4,2-4,3-4+relay=4:copy", "graph:6:0-4,1-4,2-5,3-5,4-5+relay=4-5:copy"]
COLLECTIVES = ["all-gather", "reduce-scatter", "all-reduce", "all-to-all"]
BYTES = 1 << 20
COMP, SEND, RECV, WHOLE = 4, 5, 6, 7
TYPES = {"all-gather": 2, "reduce-scatter": 7, "all-reduce": 0, "all-to-all": 6}  # of CollectiveCommType
Node = collections.namedtuple("Node", "rank id kind deps attributes")


class Fault(Exception):
    pass


def schema():
    """The part of et_def.proto that ASTRA-sim reads."""
    file = descriptor_pb2.FileDescriptorProto(name="et.proto", package="et", syntax="proto3")
    number, text, message = 4, 9, 11  # uint64, string, message

    def add(name, fields):
        made = file.message_type.add(name=name)
        for field, place, kind, repeated in fields:
            made.field.add(name=field, number=place, type=kind, label=3 if repeated else 1,
                           type_name=".et.Attribute" if kind == message else None)

    add("Attribute", [("name", 1, text, False), ("int32_val", 7, 5, False), ("int64_val", 9, 3, False),
                      ("bool_val", 27, 8, False), ("string_val", 29, text, False)])
    add("Metadata", [("version", 1, text, False), ("attr", 2, message, True)])
    add("Node", [("id", 1, number, False), ("name", 2, text, False), ("type", 3, number, False),
                 ("ctrl_deps", 4, number, True), ("data_deps", 5, number, True), ("attr", 10, message, True)])
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    make = getattr(message_factory, "GetMessageClass", None) or message_factory.MessageFactory(pool).GetPrototype
    return [make(pool.FindMessageTypeByName(f"et.{name}")) for name in ("Metadata", "Node")]


METADATA, NODE = schema()


def messages(data):
    at = 0
    while at < len(data):
        size = shift = 0
        while True:
            byte, at = data[at], at + 1
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        yield data[at:at + size]
        at += size


def read_folder(folder, ranks):
    """All nodes, by rank and id."""
    nodes = {}
    for rank in range(ranks):
        first, *rest = messages((folder / f"gossipfab.{rank}.et").read_bytes())
        if not METADATA.FromString(first).version:
            raise Fault("no version")
        for data in rest:
            node = NODE.FromString(data)
            attributes = {a.name: a.int64_val or a.int32_val for a in node.attr}
            if (rank, node.id) in nodes:
                raise Fault("an id stands twice")
            # Not all of ASTRA-sim's readers look at ctrl_deps; one takes what is said once off a list once.
            if len(set(node.data_deps)) != len(node.data_deps):
                raise Fault("a node waits twice for the same one")
            nodes[rank, node.id] = Node(rank, node.id, node.type, set(node.data_deps), attributes)
    return nodes


def order_of(nodes):
    """The nodes in an order in which each is behind what it waits for; a receive waits for its send."""
    sends = {}
    for key, node in nodes.items():
        if node.kind == SEND:
            a = node.attributes
            if a["comm_size"] != BYTES or sends.setdefault((node.rank, a["comm_dst"], a["comm_tag"]), key) != key:
                raise Fault("a send of another size, or two of one tag")
    waits = {}
    for key, node in nodes.items():
        waits[key] = {(node.rank, dep) for dep in node.deps}
        if node.kind == RECV:
            send = sends.pop((node.attributes["comm_src"], node.rank, node.attributes["comm_tag"]), None)
            if not send or node.attributes["comm_size"] != BYTES:
                raise Fault("a receive without its send")
            waits[key].add(send)
        if not waits[key] <= nodes.keys():
            raise Fault("a node waits for one that is not there")
    if sends:
        raise Fault("a send without its receive")
    followers = collections.defaultdict(list)
    for key, before in waits.items():
        for other in before:
            followers[other].append(key)
    left, ready, order = {key: len(before) for key, before in waits.items()}, [], []
    ready = [key for key, count in left.items() if count == 0]
    while ready:
        order.append(ready.pop())
        for key in followers[order[-1]]:
            left[key] -= 1
            if left[key] == 0:
                ready.append(key)
    if len(order) < len(nodes):
        raise Fault("nodes wait in a circle")
    return order


def weights_of(graph):
    return {frozenset((int(u), int(v))): int(w) for u, v, w in re.findall(r"weight=(\d+)-(\d+):(\d+)", graph)}


def check_links(nodes, mode, graph):
    """A rank does no more with a link at once, each way where links are full duplex, than it weighs."""
    used, weights = collections.defaultdict(list), weights_of(graph)
    packet = 1 + max(node.attributes.get("place", 0) for node in nodes.values())
    for key in sorted(nodes):
        node = nodes[key]
        if node.kind != COMP:
            peer = node.attributes["comm_dst" if node.kind == SEND else "comm_src"]
            link = (node.rank, None if graph in SWITCHES else peer, None if mode == "half" else node.kind)
            most = packet * weights.get(frozenset((node.rank, peer)), 1)
            if len(used[link]) >= most and used[link][-most] not in node.deps:
                raise Fault("a link does more at once than it can")
            used[link].append(node.id)


def check(nodes, collective, ranks, mode, graph):
    """Carried out in that order: sets of contributions, and in the end those that are promised."""
    check_links(nodes, mode, graph)
    blocks = ranks * ranks if collective == "all-to-all" else ranks
    combines = collective in ("reduce-scatter", "all-reduce")
    has = {}
    for rank in range(ranks):
        for block in range(blocks):
            if combines or block // (blocks // ranks) == rank:
                has[rank, block] = frozenset([rank])
    on_way, pending = {}, {}
    for key in order_of(nodes):
        node = nodes[key]
        block = node.attributes.get("block")
        if node.kind == SEND:
            if (node.rank, block) not in has:
                raise Fault("a send of what is not there")
            on_way[node.rank, node.attributes["comm_dst"], node.attributes["comm_tag"]] = has[node.rank, block]
        elif node.kind == RECV:
            came = on_way[node.attributes["comm_src"], node.rank, node.attributes["comm_tag"]]
            if node.attributes["combine"]:
                pending[key] = (block, came)
            else:
                has[node.rank, block] = came
        else:
            block, came = pending.pop((node.rank, min(node.deps)))
            if came & has[node.rank, block]:
                raise Fault("a contribution counts twice")
            has[node.rank, block] |= came
    everyone = frozenset(range(ranks))
    for rank in range(ranks):
        wanted = {"all-gather": {b: frozenset([b]) for b in range(blocks)}, "reduce-scatter": {rank: everyone},
                  "all-reduce": {b: everyone for b in range(blocks)},
                  "all-to-all": {u * ranks + rank: frozenset([u]) for u in range(ranks)}}[collective]
        if pending or any(has.get((rank, b)) != parts for b, parts in wanted.items()):
            raise Fault(f"rank {rank} ends without what it is to have")


def mutants(nodes):
    """Without a node; with one that waits for the last of its rank; with another tag; without any dependency."""
    keys = sorted(nodes)
    send = next(key for key in keys if nodes[key].kind == SEND)
    last = max(key for key in keys if key[0] == send[0])
    yield {key: node for key, node in nodes.items() if key != send}
    yield {**nodes, send: nodes[send]._replace(deps={last[1]} if last != send else {send[1]})} | {
        last: nodes[last]._replace(deps=nodes[last].deps | {send[1]})}
    yield {**nodes, send: nodes[send]._replace(attributes={**nodes[send].attributes, "comm_tag": 1 << 30})}
    yield {key: node._replace(deps=set() if node.kind == SEND else node.deps) for key, node in nodes.items()}


def check_network(folder, ranks, graph):
    count = int(graph.split(":")[1]) if graph.startswith("graph:") else ranks
    lines = (folder / "network.txt").read_text().splitlines()
    nodes, switches, links = map(int, lines[0].split())
    ends = [tuple(map(int, line.split()[:2])) for line in lines[2:]]
    if (nodes, switches) != (ranks + count, count) or links != len(ends) or ends[:ranks] != [(v, v + ranks)
                                                                                         for v in range(ranks)]:
        raise Fault("network.txt: not a switch for every node")
    weights, rates = weights_of(graph), collections.Counter()
    for (u, v), line in zip(ends[ranks:], lines[2 + ranks:]):
        rate = int(re.search(r"(\d+)Gbps", line).group(1))
        if rate != 400 * weights.get(frozenset((u - ranks, v - ranks)), 1):
            raise Fault("network.txt: a link of another rate")
        rates.update({u: rate, v: rate})
    if any(f" {rates[v + ranks]}Gbps" not in lines[2 + v] for v in range(ranks)):
        raise Fault("network.txt: a node gets less than its links carry")
    kind = "Switch" if graph == SWITCHES[0] else "FullyConnected"
    if f"{kind} ]\nnpus_count: [ {ranks} ]\n" not in (folder / "network.yml").read_text():
        raise Fault("network.yml: not a link between any two nodes")


def check_workload(folder, collective, ranks):
    """One node for each rank: the collective, of what a rank gives."""
    blocks = 1 if collective == "all-gather" else ranks
    for rank in range(ranks):
        first, *rest = messages((folder / f"workload.{rank}.et").read_bytes())
        if len(rest) != 1 or not METADATA.FromString(first).version:
            raise Fault("workload: not one node behind a version")
        node = NODE.FromString(rest[0])
        attributes = {a.name: a.int64_val for a in node.attr}
        if node.type != WHOLE or attributes != {"is_cpu_op": 0, "comm_type": TYPES[collective],
                                                "comm_size": blocks * BYTES}:
            raise Fault("workload: another collective, or of another size")


def main():
    gossipfab, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    refused = files = 0
    cases = [(g, c, m) for g in GRAPHS for c in COLLECTIVES for m in ("half", "full", "packets")]
    cases += [(g, c, "full") for g in SWITCHES for c in COLLECTIVES]
    for number, (graph, collective, mode) in enumerate(cases):
        schedule, traces, again = folder / "s.gfs", folder / f"t{number}", folder / "again.gfs"
        model = ["full", "--packet-tokens", "3"] if mode == "packets" else [mode]
        for command in (["schedule", "-t", graph, "-c", collective, "--link-mode", *model, "-o", schedule],
                        ["convert", schedule, "--to", "chakra", "--bytes", str(BYTES), "-o", traces],
                        ["convert", traces, "-o", again]):
            refuses = graph in SWITCHES and command[1] == traces
            done = subprocess.run([gossipfab, *command], capture_output=True, check=not refuses)
            if refuses and (done.returncode != 2 or b"do not say by which of them" not in done.stderr):
                sys.exit(f"chakra: {graph}: traces past relays are read, or {done.stderr}")
        if graph in SWITCHES:
            pass
        elif b"\nperiod " in schedule.read_bytes():  # traces have the packets of every group
            moves = [subprocess.run([gossipfab, "convert", s, "--to", "csv"], check=True, capture_output=True).stdout
                     for s in (schedule, again)]
            if moves[0] != moves[1] or not moves[0].count(b"\n") > 1:
                sys.exit(f"chakra: {graph}, {collective}, {mode}: another schedule comes back")
        elif schedule.read_bytes() != again.read_bytes():
            sys.exit(f"chakra: {graph}, {collective}, {mode}: another schedule comes back")
        ranks = len(list(traces.glob("gossipfab.*.et")))
        system = json.loads((traces / "system.json").read_text())
        if system[f"{collective}-implementation-custom"] != [f"t{number}/gossipfab"]:
            sys.exit("chakra: system.json does not name the traces")
        check_network(traces, ranks, graph)
        check_workload(traces, collective, ranks)
        nodes = read_folder(traces, ranks)
        check(nodes, collective, ranks, mode, graph)
        files += ranks
        for mutant in mutants(nodes):
            try:
                check(mutant, collective, ranks, mode, graph)
            except (Fault, KeyError):
                refused += 1
                continue
            sys.exit(f"chakra: {graph}, {collective}, {mode}: a mutant passes")
    print(f"chakra: {files} traces, {refused} mutants refused")


if __name__ == "__main__":
    main()
