# SPDX-License-Identifier: MIT
"""gossipfab.torch by processes with Gloo, beside torch.distributed itself and the schedules' expressions.

    test_torch.py COUNT     so many random cases among 2 to 8 processes; the hook of DistributedDataParallel; messages

Elements are small whole numbers and compared with those of torch.distributed; sums of others with the expressions, bit by
bit. Each process checks what it has; one that finds a fault ends with its report."""
import dataclasses
import os
import pathlib
import re
import sys
import tempfile
import traceback

import numpy as np
import torch
import torch.distributed as dist

import gossipfab
import gossipfab.torch as gt

GRAPHS = {2: ["path:2"], 3: ["cycle:3", "path:3"], 4: ["mesh:2x2", "path:4"], 5: ["cycle:5", "path:5"],
          6: ["mesh:2x3", "torus:2x3"], 7: ["cycle:7"], 8: ["torus:2x4", "hypercube:3", "mesh:2x4+drop-link=1-2"]}
FULL = gossipfab.Model("full")
MADE = {}


def check(good, what):
    if not good:
        raise AssertionError(what)


def schedule(graph, collective, blocks=None, **more):
    key = graph, collective, blocks, *more
    root = gossipfab.Topology(graph).nodes // 2 if collective in ("broadcast", "reduce") else 0
    if key not in MADE:
        MADE[key] = gossipfab.solve(graph, FULL, gossipfab.Goal(collective, blocks, root), **more)
    return MADE[key]


def evaluate(expression, values):
    """A sum as an expression says it."""
    return eval(re.sub(r"n(\d+)", r"v[\1]", expression), {"v": values})  # what a schedule prints: n, digits, +, brackets


def native(collective, x, root, nodes, rank):
    """The same by torch.distributed."""
    if collective in ("all-reduce", "reduce", "reduce-scatter"):
        total = x.clone()
        dist.all_reduce(total)
        return (total if collective == "all-reduce" else total[rank] if collective == "reduce-scatter" else
                total if rank == root else torch.zeros_like(total))
    if collective == "broadcast":
        got = x.to(torch.float32, copy=True)
        dist.broadcast(got, root)
        return got.to(x.dtype)
    rows = [torch.empty_like(x, dtype=torch.float32) for _ in range(nodes)]
    dist.all_gather(rows, x.to(torch.float32))
    return torch.stack(rows if collective == "all-gather" else [row[rank] for row in rows]).to(x.dtype)


CALLS = {"all-reduce": gt.all_reduce, "all-gather": gt.all_gather, "reduce-scatter": gt.reduce_scatter,
         "all-to-all": gt.all_to_all, "broadcast": gt.broadcast, "reduce": gt.reduce}
SUMS = "all-reduce", "reduce", "reduce-scatter"


def random_case(seed, nodes, rank):
    rng = np.random.default_rng(seed)
    collective, graph = str(rng.choice(list(CALLS))), str(rng.choice(GRAPHS[nodes]))
    blocks = None if collective in ("all-to-all",) else nodes * int(rng.integers(1, 4))
    made = schedule(graph, collective, blocks)
    kinds = [torch.float32, torch.int32, torch.bfloat16, torch.float64] + ([] if collective in SUMS else [torch.bool])
    tree = []
    for _ in range(rng.integers(1, 4)):
        shape = [nodes] * (collective in ("reduce-scatter", "all-to-all")) + rng.integers(
            0 if rng.random() < 0.1 else 1, 7, rng.integers(0, 4)).tolist()
        kind = kinds[rng.integers(len(kinds))]
        all_x = torch.from_numpy(rng.integers(0, 2 if kind == torch.bool else 9, (nodes, *shape)))
        tree.append(all_x[rank].to(kind))
    before = [x.clone() for x in tree]
    got = CALLS[collective]({"x": tree[0], "rest": tree[1:]}, made)
    for a, x, old in zip([got["x"], *got["rest"]], tree, before):
        want = native(collective, x, made.goal.root, nodes, rank)
        check(a.dtype == x.dtype and a.shape == want.shape and bool((a == want).all()), f"case {seed}: {graph} {collective}")
        check(bool((x == old).all()), f"case {seed}: {collective} changes what it is given")
    if collective in SUMS:
        bits(rng, made, nodes, rank, seed)


def bits(rng, made, nodes, rank, seed):
    goal = made.goal
    rows = nodes if goal.collective == "reduce-scatter" else 1
    length, a_row = int(rng.integers(1, 200)), goal.blocks // rows
    both = [torch.from_numpy(rng.standard_normal((nodes, rows, length))).to(kind) for kind in (torch.float32, torch.bfloat16)]
    found = [CALLS[goal.collective](values[rank] if rows > 1 else values[rank, 0], made) for values in both]
    for values, got in zip(both, found):
        if goal.collective == "reduce" and rank != goal.root:
            continue
        row = rank if rows > 1 else 0
        for b in range(a_row):
            cut = slice(length * b // a_row, length * (b + 1) // a_row)
            want = evaluate(made.expression(row * a_row + b, rank), values[:, row, cut])
            check(torch.equal(got[cut], want), f"case {seed}: {made!r}: bits of block {b}")


def hook(nodes, rank):
    """Two layers: the gradients are the default's to rounding, and the same twice, in other buckets as well."""
    made = schedule(GRAPHS[nodes][0], "all-reduce", None, solver="bracket")

    def train(state, bucket_mb=25.0):
        torch.manual_seed(1)
        model = torch.nn.Sequential(torch.nn.Linear(20, 30), torch.nn.Tanh(), torch.nn.Linear(30, 5))
        parallel = torch.nn.parallel.DistributedDataParallel(model, bucket_cap_mb=bucket_mb)
        if state:
            parallel.register_comm_hook(state, gt.average)
        torch.manual_seed(2 + rank)
        for _ in range(3):
            parallel(torch.randn(8, 20)).square().sum().backward()
            with torch.no_grad():
                for p in parallel.parameters():
                    p -= 1e-3 * p.grad
                    p.grad = None
        return torch.cat([p.detach().flatten() for p in model.parameters()])
    default, ours = train(None), train(gt.Hook(made))
    check(torch.allclose(default, ours, rtol=1e-5, atol=1e-6), "the hook's gradients are others than the default's")
    check(torch.equal(ours, train(gt.Hook(made))), "the hook's gradients differ from run to run")
    check(torch.equal(ours, train(gt.Hook(made), 0.0005)), "the hook's gradients depend on the buckets")
    everybody = [torch.empty_like(ours) for _ in range(nodes)]
    dist.all_gather(everybody, ours)
    check(all(torch.equal(ours, one) for one in everybody), "the ranks' networks differ")


def messages(nodes, rank):
    made, ones = schedule(GRAPHS[nodes][0], "all-reduce"), torch.ones(3)
    for call, words in ((lambda: gt.all_gather(ones, made), "all-reduce, not all-gather"),
                        (lambda: gt.all_reduce(ones, schedule("path:9", "all-reduce")), "9 nodes, but"),
                        (lambda: gt.all_reduce(ones.requires_grad_(), made), "gradients do not flow"),
                        (lambda: gt.all_reduce(torch.ones(3, dtype=torch.bool), made), "no sum"),
                        (lambda: gt.all_reduce([1.0], made), "tensors are expected, not float"),
                        (lambda: gt.all_to_all(torch.ones(nodes + 1), schedule(GRAPHS[nodes][0], "all-to-all")), "a row for each")):
        try:
            call()
        except (TypeError, ValueError) as said:
            check(words in str(said) and "\n" not in str(said), said)
        else:
            raise AssertionError(f"nothing is said: {words}")


def mutants(nodes, rank):
    """A rank that stores what it should combine, and one that holds itself to another schedule: the bits say so."""
    made, other = schedule("torus:2x4", "all-reduce"), schedule("torus:2x4", "all-reduce", 8, solver="bracket")
    share, _ = gt._share(made, "all-reduce", None)
    good = share.rounds
    stored = [(sends, [dataclasses.replace(one, tokens=tuple(token & ~gt.COMBINE for token in one.tokens)) for one in receives])
              for sends, receives in good]
    for rounds in (stored, gt._share(other, "all-reduce", None)[0].rounds):
        share.rounds = rounds
        wrong = torch.zeros(1)
        try:
            bits(np.random.default_rng(5), made, nodes, rank, "mutant")
        except AssertionError:
            wrong += 1
        share.rounds = good
        dist.all_reduce(wrong)
        check(wrong > 0, "a mutant lives")
    bits(np.random.default_rng(5), made, nodes, rank, "what is no mutant")


def process(nodes, rank, count, folder):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{folder}/{nodes}", rank=rank, world_size=nodes)
    for number in range(count):
        random_case(1000 * nodes + number, nodes, rank)
    gt.barrier(schedule(GRAPHS[nodes][0], "barrier"))
    hook(nodes, rank)
    messages(nodes, rank)
    if nodes == 8:
        half = dist.new_group([1, 3, 5, 7])
        if rank % 2:
            total = gt.all_reduce(torch.tensor([float(rank)]), schedule("mesh:2x2", "all-reduce"), half)
            check(total.item() == 16, "a group of some of the processes")
        mutants(nodes, rank)
    dist.barrier()


def main():
    count = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for nodes in GRAPHS:
            share = count // len(GRAPHS) + (nodes - 2 < count % len(GRAPHS))
            children = []
            for rank in range(nodes):
                child = os.fork()
                if not child:
                    status = 1
                    try:
                        process(nodes, rank, share, pathlib.Path(folder))
                        status = 0
                    finally:
                        sys.stderr.flush()
                        if status:
                            traceback.print_exc()
                        os._exit(status)
                children.append(child)
            statuses = [os.waitpid(child, 0)[1] for child in children]
            check(not any(statuses), f"{nodes} processes: {statuses}")
            print(f"{nodes} processes: {share} cases, hook, messages: all right", flush=True)
    print(f"{count} cases: all right")


main()
