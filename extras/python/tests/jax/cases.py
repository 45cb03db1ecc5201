# SPDX-License-Identifier: MIT
"""What the tests of gossipfab.jax share: graphs, the calls beside those of JAX itself, sums by their expressions."""
import functools
import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, PartitionSpec as P

import gossipfab
import gossipfab.jax as gj

FULL = gossipfab.Model("full")
#: Tori, meshes, hypercubes, cycles, paths, and such with dead links: 2 to 64 nodes.
GRAPHS = ["path:2", "path:3", "path:5", "path:8", "cycle:3", "cycle:4", "cycle:5", "cycle:7", "cycle:8", "cycle:16",
          "mesh:2x2", "mesh:2x3", "mesh:2x4", "mesh:3x3", "mesh:3x4", "mesh:4x4", "mesh:4x8", "mesh:8x8", "mesh:2x2x3",
          "torus:3x3", "torus:2x4", "torus:3x4", "torus:4x4", "torus:3x5", "torus:4x8", "torus:8x8", "torus:3x3x3",
          "torus:4x4x4", "hypercube:2", "hypercube:3", "hypercube:4", "hypercube:5", "hypercube:6",
          "torus:4x4+drop-link=0-1", "torus:4x4+drop-link=5-6+drop-link=10-14", "mesh:4x4+drop-link=5-6",
          "torus:8x8+drop-link=9-10", "hypercube:4+drop-link=0-8", "mesh:3x3+drop-link=0-1", "torus:3x4+drop-link=1-5"]
SUMS = "all-reduce", "reduce", "reduce-scatter"
#: Those with a row for each device in what comes.
ROWS_IN = "reduce-scatter", "all-to-all"
#: Those whose results are the same everywhere.
SAME = "all-reduce", "broadcast"


def at_root(x, root):
    return jax.tree.map(lambda a: jnp.where(lax.axis_index("i") == root, a, jnp.zeros_like(a)), x)


def gathered(a):
    own = jnp.zeros((lax.axis_size("i"), *a.shape), a.dtype).at[lax.axis_index("i")].set(a)
    total = lax.psum(own, "i").astype(a.dtype)
    return lax.pcast(total, "i", to="varying") if jax.typeof(lax.axis_index("i")).mat.varying else total


#: Each collective: ours, and the same by JAX. Its psum_scatter, which is the transpose of its all_gather too, has no right
#: vmap in JAX 0.10.2: the axis is in the wrong place, or there is an IndexError. So psum stands for both.
CALLS = {
    "all-reduce": (gj.all_reduce, lambda x, root: lax.psum(x, "i")),
    "all-gather": (gj.all_gather, lambda x, root: jax.tree.map(gathered, x)),
    "reduce-scatter": (gj.reduce_scatter, lambda x, root: jax.tree.map(lambda a: a[lax.axis_index("i")], lax.psum(x, "i"))),
    "all-to-all": (gj.all_to_all, lambda x, root: jax.tree.map(lambda a: lax.all_to_all(a, "i", 0, 0), x)),
    "broadcast": (gj.broadcast, lambda x, root: as_before(lax.psum(at_root(x, root), "i"), x)),
    "reduce": (gj.reduce, lambda x, root: at_root(lax.psum(x, "i"), root)),
}


def as_before(x, like):
    """psum makes whole numbers of bools."""
    return jax.tree.map(lambda a, b: a.astype(b.dtype), x, like)


def mesh_of(count, shape=None, names=("i",)):
    return jax.make_mesh(shape or (count,), names, axis_types=(AxisType.Auto,) * len(names), devices=jax.devices()[:count])


def on_devices(body, count, check=True, in_specs=P("i"), out_specs=P("i")):
    """body of the device's own x, as a function of arrays with a row for each device."""
    def rows(*args):
        out = body(*(jax.tree.map(lambda a: a[0], arg) for arg in args))
        return jax.tree.map(lambda a: lax.pcast(a, "i", to="varying")[None] if check and not jax.typeof(a).mat.varying
                            else a[None], out)
    return jax.shard_map(rows, mesh=mesh_of(count), in_specs=in_specs, out_specs=out_specs, check_vma=check)


@functools.lru_cache(None)
def schedule(graph, collective, **more):
    root = gossipfab.Topology(graph).nodes // 2 if collective in ("broadcast", "reduce") else 0
    return gossipfab.solve(graph, FULL, gossipfab.Goal(collective, root=root), **more)


def evaluate(expression, values):
    """A sum as an expression says it, of arrays of NumPy, each rounded to its type."""
    tokens = re.findall(r"n\d+|[()]|\+", expression)[::-1]

    def sum_of():
        total = term()
        while tokens and tokens[-1] == "+":
            tokens.pop()
            total = total + term()
        return total

    def term():
        token = tokens.pop()
        if token != "(":
            return values[int(token[1:])]
        total = sum_of()
        tokens.pop()
        return total
    return sum_of()


def bits(array):
    return np.ascontiguousarray(array).view(np.uint8)


def blocks_of(vector, count):
    """A vector as gossipfab.jax cuts it: (block, its elements)."""
    length = max(1, -(-vector.shape[-1] // count))
    return [(block, vector[..., block * length:(block + 1) * length]) for block in range(count)
            if block * length < vector.shape[-1]]


def totals(made, vectors):
    """The sum of vectors[v] by the schedule's expressions, at the node that wants each block; of a reduce-scatter
    vectors[v] has the rows one after the other."""
    goal = made.goal
    parts = made.topology.nodes if goal.collective == "reduce-scatter" else 1
    rows = vectors.reshape(vectors.shape[0], parts, -1)
    found = np.empty_like(rows[0])
    for row in range(parts):
        at = 0
        for block, own in blocks_of(rows[:, row], goal.blocks // parts):
            node = row if parts > 1 else goal.root
            found[row, at:at + own.shape[1]] = evaluate(made.expression(row * (goal.blocks // parts) + block, node), own)
            at += own.shape[1]
    return found


def permutes(text):
    """The collective-permutes of StableHLO as it is handed to XLA, loops and calls counted: how many run, and the bytes
    that they move between all devices."""
    sizes = {"f32": 4, "bf16": 2, "f16": 2, "i32": 4, "i1": 1, "i8": 1, "f64": 8}
    functions = dict(re.findall(r"func\.func \w+ @(\w+)\((.*?)\n  }\n", text, re.S))

    @functools.lru_cache(None)
    def count(name):
        number, total, loops = 0, 0, []
        for line in functions[name].splitlines():
            indent = len(line) - len(line.lstrip())
            times = int(np.prod([trips or 1 for _, trips in loops], dtype=np.int64))
            called, trips = re.search(r"call @(\w+)\(", line), re.search(r"constant dense<(\d+)> : tensor<i32>", line)
            if "stablehlo.while" in line:
                loops.append((indent, None))
            elif loops and loops[-1][1] is None and trips:
                loops[-1] = loops[-1][0], int(trips[1])
            elif loops and line.strip() == "}" and indent == loops[-1][0]:
                loops.pop()
            elif called:
                more = count(called[1])
                number, total = number + times * more[0], total + times * more[1]
            elif "stablehlo.collective_permute" in line:
                pairs = re.search(r"source_target_pairs = dense<.*?> : tensor<(\d+)x2xi64>", line)
                shape = re.search(r"-> tensor<((?:\d+x)*)(\w+)>", line)
                elements = int(np.prod([int(side) for side in shape[1].split("x")[:-1]], dtype=np.int64))
                number, total = number + times, total + times * int(pairs[1]) * elements * sizes[shape[2]]
        return number, total
    return count("main")
