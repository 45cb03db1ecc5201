#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All-reduce by gossipfab.jax beside lax.psum, on virtual devices of a CPU: what the program sends, and whose bits stay.

A row for each graph, in Markdown: rounds and permutations of the schedule, collective-permutes of the program before XLA
compiles it and the bytes that they move between all devices, the bytes of the schedule's moves; then of N numbers how many
have other bits where the vector is cut, and where the devices are a mesh of two axes: by a schedule of one bracketing, and
by lax.psum. Times are left out: those of a CPU say nothing of a machine with links. Exit status 1 where the program
sends another number of bytes than the schedule moves, or a bracketing's bits change."""
import argparse
import os
import pathlib
import sys

GRAPHS = {"mesh:2x4": (2, 4), "torus:2x4": (2, 4), "torus:4x4": (4, 4), "torus:4x4+drop-link=5-6": (4, 4), "hypercube:4": (4, 4),
          "torus:4x8": (4, 8), "torus:8x8": (8, 8)}


def bits_that_change(call, sides, x):
    """Of x[v], each device's vector, cut at a third and on a mesh of two axes: elements with other bits than whole."""
    import jax
    import numpy as np
    from jax.sharding import PartitionSpec as P

    import cases
    row = jax.jit(jax.shard_map(lambda a: call(a[0], ("i",)), mesh=cases.mesh_of(len(x)), in_specs=P("i"), out_specs=P()))
    square = jax.jit(jax.shard_map(lambda a: call(a[0, 0], ("x", "y")), mesh=cases.mesh_of(len(x), sides, ("x", "y")),
                                   in_specs=P("x", "y"), out_specs=P()))
    whole, cut = np.asarray(row(x)), x.shape[1] // 3
    parts = np.concatenate([np.asarray(row(x[:, :cut])), np.asarray(row(x[:, cut:]))])
    other = np.asarray(square(x.reshape(*sides, -1)))
    return int((whole.view(np.uint32) != parts.view(np.uint32)).sum()), int((whole.view(np.uint32) != other.view(np.uint32)).sum())


def row_of(graph, numbers):
    import jax
    import numpy as np
    from jax import lax

    import cases
    import gossipfab
    import gossipfab.jax as gj
    from gossipfab import _plan
    made = gossipfab.solve(graph, "full", "all-reduce")
    count = made.topology.nodes
    plan = _plan.Plan(made, "all-reduce")
    moves = [{} for _ in range(plan.rounds)]
    for at, messages in enumerate(plan.all_rounds()):
        for message in messages:
            ends = message.source, message.target
            moves[at][ends] = moves[at].get(ends, 0) + len(message.tokens)
    permutations = sum(len(_plan.permutations(sizes, count)) for sizes in moves)
    x = np.random.default_rng(1).standard_normal((count, numbers)).astype(np.float32)
    lowered = jax.jit(cases.on_devices(lambda a: gj.all_reduce(a, made, "i"), count)).lower(x)
    permutes, sent = cases.permutes(lowered.as_text())
    moved = sum(sum(sizes.values()) for sizes in moves) * 4 * -(-numbers // made.goal.blocks)
    one = gossipfab.solve(graph, "full", "all-reduce", solver="bracket")
    ours = bits_that_change(lambda a, axes: gj.all_reduce(a, one, axes), GRAPHS[graph], x)
    psum = bits_that_change(lax.psum, GRAPHS[graph], x)
    print(f"| {graph} | {made.rounds} | {permutations} | {permutes} | {sent} | {moved} | {ours[0]}, {ours[1]} | {psum[0]}, {psum[1]} |",
          flush=True)
    return permutations == permutes and moved == sent and ours == (0, 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numbers", type=int, default=12288, help="of float32 at each device (12288)")
    parser.add_argument("graphs", nargs="*", default=list(GRAPHS))
    args = parser.parse_args()
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=64"
    os.environ["JAX_PLATFORMS"] = "cpu"
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "extras" / "python" / "tests" / "jax"))
    print("| graph | rounds | permutations | permutes | bytes sent | bytes of moves | other bits | of psum |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    good = [row_of(graph, args.numbers) for graph in args.graphs]
    sys.exit(not all(good))


main()
