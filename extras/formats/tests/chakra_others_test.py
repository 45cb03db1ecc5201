#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""chakra_others_test.py GOSSIPFAB FOLDER [TRACES..]: `verify PREFIX` of traces that another tool wrote.

Rings, chains and direct exchanges, encoded by this file, are possible; each of their mutants is refused, with the words
for it. Random traces of three ranks are carried out here in every order, with everything that a rank knows in every
message: where some order brings about the collective, `verify` may not refuse it. What gossipfab writes itself is
possible, too. TRACES are prefixes of other people's all-reduces of 1 MiB, which must be possible. FOLDER is made anew."""
import copy
import json
import pathlib
import random
import shutil
import subprocess
import sys

SEND, RECV, COMP = 5, 6, 4
KINDS = ["all-gather", "reduce-scatter", "all-reduce", "all-to-all", "broadcast", "reduce"]


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


def encode(node):
    body = field(1, node["id"]) + field(2, b"x") + field(3, node["kind"])
    body += field(5, b"".join(map(varint, node["deps"]))) if node["id"] % 2 else b"".join(
        field(4, dep) for dep in node["deps"])  # packed and not, of both kinds
    if node["kind"] != COMP:
        end = "comm_dst" if node["kind"] == SEND else "comm_src"
        for name, value in (("comm_size", node["bytes"]), (end, node["peer"]), ("comm_tag", node["tag"])):
            body += field(10, field(1, name.encode()) + field(9, value))
    body += field(10, field(1, b"cost") + varint(5 << 3 | 1) + bytes(8))  # a fraction, which is skipped
    return varint(len(body)) + body


def write(prefix, ranks):
    for old in prefix.parent.glob(prefix.name + ".*.et"):
        old.unlink()
    for rank, nodes in enumerate(ranks):
        head = field(1, b"0.0.4")
        pathlib.Path(f"{prefix}.{rank}.et").write_bytes(varint(len(head)) + head + b"".join(map(encode, nodes)))


def send(number, peer, size, deps=(), tag=0, kind=SEND):
    return {"id": number, "kind": kind, "peer": peer, "bytes": size, "tag": tag, "deps": list(deps)}


def recv(number, peer, size, deps=(), tag=0):
    return send(number, peer, size, deps, tag, RECV)


def ring(count, steps, size):
    """In step i each rank sends to the next one what came in step i - 1."""
    ranks = []
    for rank in range(count):
        nodes = []
        for step in range(steps):
            before = [3 * step - 2] if step else []
            nodes += [send(3 * step, (rank + 1) % count, size, before, step),
                      recv(3 * step + 1, (rank - 1) % count, size, before, step)]
        nodes.append({"id": 3 * steps, "kind": COMP, "peer": 0, "bytes": 0, "tag": 0, "deps": [3 * steps - 2]})
        ranks.append(nodes)
    return ranks


def chain(count, size, back=False):
    ranks = [[] for _ in range(count)]
    order = list(range(count))[::-1] if back else list(range(count))
    for a, b in zip(order, order[1:]):
        ranks[a].append(send(9, b, size, [8] if ranks[a] else []))
        ranks[b].append(recv(8, a, size))
    return ranks


def direct(count, size):
    return [[send(i, peer, size) for i, peer in enumerate(p for p in range(count) if p != rank)] +
            [recv(100 + i, peer, size) for i, peer in enumerate(p for p in range(count) if p != rank)]
            for rank in range(count)]


class Test:
    def __init__(self, gossipfab, folder):
        self.gossipfab, self.prefix, self.wrong = gossipfab, folder / "other", []

    def verify(self, prefix, kind, *more):
        ran = subprocess.run([self.gossipfab, "verify", str(prefix), "-c", kind, *map(str, more)], capture_output=True,
                             text=True)
        return ran.returncode, ran.stdout, ran.stderr

    def expect(self, what, ranks, kind, more, words=None, code=1):
        write(self.prefix, ranks)
        found, out, err = self.verify(self.prefix, kind, *more)
        good = found == 0 and "possible" in out and "No proof" in out if words is None else (
            found == code and words in err and err.count("\n") == 1 and not out)
        if not good:
            self.wrong.append(f"{what}: exit {found}: {out}{err}")

    def shapes(self):
        cases = [("all-gather", ring(4, 3, 256), 1024), ("reduce-scatter", ring(4, 3, 256), 1024),
                 ("all-reduce", ring(4, 6, 256), 1024), ("all-reduce", direct(3, 90), 90),
                 ("broadcast", chain(4, 77), 77), ("reduce", chain(4, 77, True), 77), ("all-to-all", direct(4, 5), 20)]
        for kind, ranks, size in cases:
            self.expect(kind, ranks, kind, ["--bytes", size])
            self.expect(kind, ranks, kind, [])
            self.expect(f"{kind}, more bytes", ranks, kind, ["--bytes", 2 * size], "or more")
        self.expect("a chain the wrong way", chain(4, 77), "broadcast", ["--root", 1], "nothing of rank 1 can come to rank 0")
        self.expect("half a ring", ring(4, 2, 256), "all-gather", ["--bytes", 1024], "512 bytes come to rank 0")
        self.expect("a root that is none", chain(4, 77), "broadcast", ["--root", 9], "the root is rank 9", 2)
        # 2 (N - 1) times the vector are needed in all, though each rank gets and gives as much as it.
        two = [[send(0, 1, 50), recv(1, 1, 50), send(2, 1, 50), recv(3, 1, 50)],
               [send(0, 0, 50), recv(1, 0, 50), send(2, 0, 50), recv(3, 0, 50)]]
        self.expect("two ranks", two, "all-reduce", ["--bytes", 100])

    def mutants(self):
        good = ring(3, 2, 100)

        def change(edit):
            ranks = copy.deepcopy(good)
            edit(ranks)
            return ranks
        self.expect("what mutants are of", good, "all-gather", ["--bytes", 300])
        cases = [
            (lambda r: (r[0].pop(), r[0].pop()), "has no receive there", 1),
            (lambda r: r[0].remove(r[0][0]), "has no send there", 1),
            (lambda r: r[1][0].update(tag=7), "tag", 1),
            (lambda r: r[1][0].update(bytes=99), "sends 99 bytes to rank 2, whose node 1 takes 100", 1),
            (lambda r: [rank[0].update(deps=[1]) for rank in r], "wait for each other for ever", 1),
            (lambda r: r[2][0].update(deps=[0]), "wait for each other for ever", 1),
            (lambda r: r[2][0].update(deps=[55]), "waits for node 55, which the trace does not have", 1),
            (lambda r: r[2][1].update(id=0), "two nodes have the id 0", 1),
            (lambda r: r[2][0].update(peer=3), "without a rank that has a trace", 2),
            (lambda r: r[2][0].update(bytes=0), "of no bytes", 2),
            (lambda r: r[2][0].update(kind=7), "a collective", 2),
            (lambda r: (r.pop(), r.pop()), "the traces of 1 ranks", 2),
        ]
        for number, (edit, words, code) in enumerate(cases):
            self.expect(f"mutant {number}", change(edit), "all-gather", [], words, code)
        # Whatever comes, comes after all has left.
        late = change(lambda r: [rank[2].update(deps=[]) or rank[1].update(deps=[0, 3]) for rank in r])
        self.expect("sends before receives", late, "all-gather", [], "nothing of rank")
        write(self.prefix, [rank[:-1] for rank in good])
        path = pathlib.Path(f"{self.prefix}.1.et")
        whole = path.read_bytes()
        for cut in range(len(whole)):
            path.write_bytes(whole[:cut])
            code, out, err = self.verify(self.prefix, "all-gather")
            if code not in (1, 2) or out or err.count("\n") != 1:
                self.wrong.append(f"cut at {cut}: exit {code}: {out}{err}")

    def orders(self, count):
        """Random traces, in every order."""
        refused = 0
        for seed in range(count):
            rng = random.Random(seed)
            ranks = [[], [], []]
            for number in range(rng.randint(2, 4)):
                a, b = rng.sample(range(3), 2)
                for rank, node in ((a, send(number, b, 8, tag=number)), (b, recv(number + 10, a, 8, tag=number))):
                    earlier = [n["id"] for n in ranks[rank]]
                    node["deps"] = rng.sample(earlier, rng.randint(0, min(2, len(earlier))))
                    ranks[rank].append(node)
            nodes = [(rank, node) for rank, nodes in enumerate(ranks) for node in nodes]
            reached = set()

            def go(done, known, carried):
                ready = [(r, n) for r, n in nodes if (r, n["id"]) not in done and
                         all((r, d) in done for d in n["deps"]) and (n["kind"] == SEND or n["tag"] in carried)]
                if not ready:
                    reached.add(known)
                for r, n in ready:
                    if n["kind"] == SEND:
                        go(done | {(r, n["id"])}, known, {**carried, n["tag"]: known[r]})
                    else:
                        more = tuple(k | carried[n["tag"]] if i == r else k for i, k in enumerate(known))
                        go(done | {(r, n["id"])}, more, carried)
            go(frozenset(), tuple(frozenset([r]) for r in range(3)), {})
            write(self.prefix, ranks)
            for kind in ("all-reduce", "broadcast", "reduce"):
                able = any(all(len(k) == 3 for k in known) if kind == "all-reduce" else
                           all(0 in k for k in known) if kind == "broadcast" else len(known[0]) == 3 for known in reached)
                code, _, err = self.verify(self.prefix, kind)
                refused += code == 1
                if able and code != 0:
                    self.wrong.append(f"seed {seed}, {kind}: possible here, refused there: {err}")
        if refused < count:
            self.wrong.append(f"only {refused} of {3 * count} are refused")

    def ours(self, folder):
        for topology in ("mesh:2x3", "cycle:5"):
            for kind in KINDS[:4]:
                made, traces = folder / "s.gfs", folder / "traces"
                shutil.rmtree(traces, ignore_errors=True)
                subprocess.run([self.gossipfab, "schedule", "-t", topology, "-c", kind, "-o", made], check=True,
                               capture_output=True)
                subprocess.run([self.gossipfab, "convert", made, "--to", "chakra", "--bytes", "64", "-o", traces],
                               check=True, capture_output=True)
                nodes = 6 if topology == "mesh:2x3" else 5
                code, out, err = self.verify(traces / "gossipfab", kind, "--bytes", 64 * nodes, "--json")
                if code != 0 or not json.loads(out)["possible"]:
                    self.wrong.append(f"ours, {topology} {kind}: {out}{err}")


def main():
    gossipfab, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    test = Test(gossipfab, folder)
    test.shapes()
    test.mutants()
    test.orders(60)
    test.ours(folder)
    for prefix in sys.argv[3:]:
        code, out, err = test.verify(prefix, "all-reduce", "--bytes", 1 << 20)
        if code != 0:
            test.wrong.append(f"{prefix}: {out}{err}")
    print("\n".join(test.wrong[:20]), file=sys.stderr)
    return 1 if test.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
