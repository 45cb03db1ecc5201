# SPDX-License-Identifier: MIT
"""gossipfab.jax beside what JAX has itself, and beside what the schedule says.

    test_jax.py graphs [FIRST LAST]     every collective on 40 graphs: elements, bits, permutes
    test_jax.py random SHAPES [SEED]    random shapes and types, in trees, under jit, vmap, grad and jvp
    test_jax.py rest                    lengths, loops that train, meshes, messages
    test_jax.py mutants                 faulty programs, which the checks above must reject

An element is right where it is equal to JAX's own: the numbers are small and whole, so that every order of adding up
has the same result. Bits are those of schedule.expression(), of numbers that are not."""
import collections
import os
import sys

os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={6 if sys.argv[1:2] == ['random'] else 64}"
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

import cases  # noqa: E402
import gossipfab  # noqa: E402
import gossipfab.jax as gj  # noqa: E402
from gossipfab import _plan  # noqa: E402

RNG = np.random.default_rng(1)


def check(good, what):
    if not good:
        raise AssertionError(what)


# --- every collective on many graphs ---


def program_of(made):
    return gj._programs[made]


def check_permutes(made, lowered, block_bytes, what):
    """As many permutes as the schedule has permutations, each round at the lower bound, and the moves' bytes."""
    plan = _plan.Plan(made, made.goal.collective, False)
    count = moves = 0
    for messages in plan.all_rounds():
        out, into = collections.Counter(), collections.Counter()
        for message in messages:
            out[message.source] += len(message.tokens)
            into[message.target] += len(message.tokens)
        count += max([*out.values(), *into.values()], default=0)
        moves += out.total()
    found = cases.permutes(lowered.as_text())
    check(found == (count, moves * block_bytes), f"{what}: {found} permutes and bytes, not {(count, moves * block_bytes)}")
    return count


def expected(collective, x, root):
    """What each node gets of rows x[v], by NumPy."""
    count = len(x)
    total = x.sum(axis=0, dtype=x.dtype)
    return {"all-reduce": lambda: np.broadcast_to(total, x.shape),
            "all-gather": lambda: np.broadcast_to(x, (count, *x.shape)),
            "reduce-scatter": lambda: total,
            "all-to-all": lambda: x.swapaxes(0, 1),
            "broadcast": lambda: np.broadcast_to(x[root], x.shape),
            "reduce": lambda: np.where((np.arange(count) == root).reshape(-1, *[1] * (x.ndim - 1)), total, np.zeros_like(total)),
            "barrier": lambda: x}[collective]()


def one_graph(graph, collective, checked):
    made = cases.schedule(graph, collective)
    count, goal = made.topology.nodes, made.goal
    call = gj.barrier if collective == "barrier" else cases.CALLS[collective][0]
    shape = (count, count, 7) if collective in cases.ROWS_IN else (count, 101)
    x = RNG.integers(-50, 50, shape).astype(np.float32)
    wrapped = jax.jit(cases.on_devices(lambda a: call(a, made, "i"), count, checked))
    lowered = wrapped.lower(x)
    what = f"{graph} {collective}"
    parts = goal.blocks // count if collective in ("all-gather", "reduce-scatter") else count * count if collective == "all-to-all" else goal.blocks
    length = {"all-gather": 101, "reduce-scatter": 7, "all-to-all": 7 * count * count}.get(collective, 101)
    permutes = check_permutes(made, lowered, 4 * (1 if collective == "barrier" else max(1, -(-length // parts))), what)
    run = lowered.compile()
    check((np.asarray(run(x)) == expected(collective, x, goal.root)).all(), f"{what}: elements")
    if collective in cases.SUMS:
        x = RNG.standard_normal(shape).astype(np.float32)
        want, got = cases.totals(made, x.reshape(count, -1)), np.asarray(run(x)).reshape(count, -1)
        if collective == "reduce":
            got = got[goal.root:goal.root + 1]
        check((cases.bits(got) == cases.bits(np.broadcast_to(want.reshape(-1, got.shape[-1]), got.shape))).all(),
              f"{what}: bits")
    return permutes


def graphs(first="0", last="40"):
    total = 0
    for number, graph in enumerate(cases.GRAPHS[int(first):int(last)]):
        for collective in (*cases.CALLS, "barrier"):
            total += one_graph(graph, collective, (number + len(collective)) % 2 == 0)
        jax.clear_caches()
        cases.schedule.cache_clear()
    print(f"{int(last) - int(first)} graphs, 7 collectives each, {total} permutations: all right")


# --- random shapes, types and transformations ---

TYPES = {"float32": jnp.float32, "bfloat16": jnp.bfloat16, "int32": jnp.int32, "bool": jnp.bool_, "float16": jnp.float16}
SMALL = [graph for graph in cases.GRAPHS if gossipfab.Topology(graph).nodes <= 6]


def draw(rng, shape, kind):
    """Whole numbers that are exact in any order, of up to 6 devices."""
    return jnp.asarray(rng.integers(0, 2, shape) if kind == "bool" else rng.integers(-3, 4, shape), TYPES[kind])


def draw_tree(rng, count, collective, kinds):
    """A tree of 6 to 16 arrays of one type or two, of up to 3 axes, which may be empty."""
    kinds = rng.choice(kinds, 2)
    rows = (count, count) if collective in cases.ROWS_IN else (count,)
    leaves = [draw(rng, (*rows, *rng.integers(0 if rng.random() < 0.1 else 1, 6, rng.integers(0, 4))), rng.choice(kinds))
              for _ in range(rng.integers(6, 17))]
    return {"first": leaves[0], "rest": tuple(leaves[1:])}


def same(got, want, what):
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        check(a.shape == b.shape and a.dtype == b.dtype, f"{what}: {a.dtype}{a.shape}, not {b.dtype}{b.shape}")
        check(not a.size or bool((np.asarray(a) == np.asarray(b)).all()), what)


def random_case(seed):
    rng = np.random.default_rng(seed)
    collective, graph = str(rng.choice(list(cases.CALLS))), str(rng.choice(SMALL))
    made, checked = cases.schedule(graph, collective), bool(rng.integers(2))
    count, root = made.topology.nodes, made.goal.root
    ours, native = cases.CALLS[collective]
    how = str(rng.choice(["jit", "vmap", "grad", "jvp", "vmap of grad", "plain"], p=[0.2, 0.2, 0.2, 0.2, 0.15, 0.05]))
    floats = how in ("grad", "jvp", "vmap of grad")
    x = draw_tree(rng, count, collective, ["float32", "bfloat16"] if floats else list(TYPES))
    if "vmap" in how:
        x = jax.tree.map(lambda a: jnp.stack([a, a[::-1], a], 1 + (a.ndim > 1)), x)
    axes = jax.tree.map(lambda a: int(a.ndim > 2), x)

    def apply(call):
        def plain(a):
            return call(a)

        def pull(a):
            out, back = jax.vjp(call, a)
            return out, back(jax.tree.map(lambda b: (b * 0 + 2).astype(b.dtype), out))

        def push(a):
            return jax.jvp(call, (a,), (jax.tree.map(lambda b: b + 1, a),))
        base = {"grad": pull, "jvp": push, "vmap of grad": pull}.get(how, plain)
        return jax.vmap(base, in_axes=(axes,)) if "vmap" in how else base
    both = [cases.on_devices(apply(call), count, checked)
            for call in (lambda a: ours(a, made, "i"), lambda a: native(a, root))]
    if how != "plain":
        both = [jax.jit(one) for one in both]
    same(both[0](x), both[1](x), f"case {seed}: {graph} {collective} {how}, check_vma {checked}")
    return len(jax.tree.leaves(x)), collective, how


def random(shapes, seed="0"):
    jax.config.update("jax_disable_most_optimizations", True)  # whose time is not what is measured here
    hows, found, number = collections.Counter(), 0, int(seed)
    while found < int(shapes):
        more, *how = random_case(number)
        found, number = found + more, number + 1
        hows.update(how)
        if number % 10 == 0:
            jax.clear_caches()
            print(f"{found} shapes", flush=True)
    print(f"{found} random shapes in {hows.total() // 2} programs: all right;",
          ", ".join(f"{how} {times}" for how, times in sorted(hows.items())))


# --- lengths and shardings, training, meshes, messages ---


def lengths():
    """One bracketing: an element has the same bits in every vector, on other meshes, in a batch, for other blocks."""
    x = RNG.standard_normal((16, 5000)).astype(np.float32)
    want = None
    for blocks in (1, 16, 50):
        made = gossipfab.solve("hypercube:4", cases.FULL, gossipfab.Goal("all-reduce", blocks=blocks), solver="bracket",
                               parameters="bracket=binary")
        call = jax.jit(cases.on_devices(lambda a: gj.all_reduce(a, made, "i"), 16))
        for cut in (slice(0, 5000), slice(0, 1), slice(17, 170), slice(4000, 5000)):
            got = cases.bits(np.asarray(call(x[:, cut])))
            want = got if want is None else want
            check((got == want[:, 4 * cut.start:4 * cut.stop]).all(), f"{blocks} blocks, {cut}: other bits")
        square = jax.jit(jax.shard_map(lambda a: gj.all_reduce(a[0, 0], made, ("x", "y")), in_specs=P("x", "y"), out_specs=P(),
                                       mesh=cases.mesh_of(16, (2, 8), ("x", "y"))))
        check((cases.bits(np.asarray(square(x.reshape(2, 8, 5000)))) == want[0]).all(), "another mesh: other bits")
        batch = jax.jit(cases.on_devices(jax.vmap(lambda a: gj.all_reduce(a, made, "i")), 16))
        check((cases.bits(np.asarray(batch(x.reshape(16, 10, 500))).reshape(16, 5000)) == want).all(), "batch: other bits")
    print("lengths: the same bits of 3 numbers of blocks, 4 lengths, 2 meshes, in a batch")


def products():
    """A product before the sum is rounded before the sum."""
    made = cases.schedule("torus:4x4", "all-reduce")
    for kind in (jnp.float32, jnp.bfloat16, jnp.float16):
        a, b = (jnp.asarray(RNG.standard_normal((16, 999)), kind) for _ in range(2))
        got = jax.jit(cases.on_devices(lambda p, q: gj.all_reduce(p * q, made, "i"), 16))(a, b)
        check((cases.bits(np.asarray(got)[3]) == cases.bits(cases.totals(made, np.asarray(a * b)).reshape(-1))).all(),
              f"{kind}: a product is contracted")
    print("products: rounded before they are added up, in 3 types")


def loops():
    """What everybody writes first gives the gradient that psum gives, and its type; with check_vma and without."""
    made = cases.schedule("cycle:8", "all-reduce")
    w, x = jnp.float32(2), jnp.arange(1., 9.)
    for checked in (True, False):
        found = []
        for total in (lambda a: lax.psum(a, "i"), lambda a: gj.all_reduce(a, made, "i")):
            local = lambda w, x: (w * x * x).sum()  # noqa: E731
            bodies = [(lambda w, x: total(jax.grad(local)(w, x)), P()),
                      (lambda w, x: jax.grad(lambda w: total(local(w, x)))(w)[None], P("i")),
                      (lambda w, x: total(jax.grad(local)(lax.pcast(w, "i", to="varying") if checked else w, x)), P()),
                      (lambda w, x: total(local(w, x)), P())]
            wrapped = [jax.shard_map(body, mesh=cases.mesh_of(8), in_specs=(P(), P("i")), out_specs=out, check_vma=checked)
                       for body, out in bodies]
            found.append([np.asarray(jax.jit(one)(w, x)) for one in wrapped] + [np.asarray(jax.grad(wrapped[3])(w, x))])
        for number, (a, b) in enumerate(zip(*found)):
            check(a.shape == b.shape and (a == b).all(), f"loop {number}, check_vma {checked}: {b}, psum {a}")
        check(found[1][2] == 204, "the gradient is the sum of the squares")
    print("loops: 5 gradients as of psum, with check_vma and without")


def links(graph):
    return {tuple(sorted(map(int, pair))) for pair in graph.links}


def meshes():
    """Two axes, or one of two; the graph of a mesh; a schedule for it, around dead links."""
    mesh = cases.mesh_of(8, (2, 4), ("x", "y"))
    for spec, axes, more in (("mesh:2x4", None, {}), ("torus:2x4", None, {"wrap": True}), ("mesh:4x2", ("y", "x"), {}),
                             ("cycle:4", "y", {"wrap": True}), ("mesh:2x4+drop-link=0-1", None, {"dead": [(1, 0)]})):
        check(links(gj.topology_of_mesh(mesh, axes, **more)) == links(gossipfab.Topology(spec)), spec)
    x = RNG.integers(-9, 9, (2, 4, 50)).astype(np.float32)
    for axes, made in ((("x", "y"), gj.schedule_for(mesh, "all-reduce", 200, dead=[(1, 2)])),
                       (("y", "x"), gj.schedule_for(mesh, "all-reduce", 200, ("y", "x"), one_bracket=True)),
                       (("x", "y"), gj.schedule_for(mesh, "all-reduce", 200, one_bracket=True, wrap=[True, False])),
                       (("y",), gj.schedule_for(mesh, "all-reduce", 200, "y", wrap=True))):
        got = jax.jit(jax.shard_map(lambda a: gj.all_reduce(a[0, 0], made, axes)[None, None], mesh=mesh,
                                    in_specs=P("x", "y"), out_specs=P("x" if axes == ("y",) else None)))(x)
        want = x.sum(axis=1, keepdims=True) if axes == ("y",) else x.sum(axis=(0, 1), keepdims=True)
        check((np.asarray(got) == want).all(), f"{axes}: {made!r}")
    made = gossipfab.solve("mesh:4x2", "full")
    got = jax.jit(jax.shard_map(lambda a: gj.all_gather(a[0, 0], made, ("y", "x"))[None, None], mesh=mesh,
                                in_specs=P("x", "y"), out_specs=P("x", "y")))(x)
    check((np.asarray(got) == x.transpose(1, 0, 2).reshape(1, 1, 8, 50)).all(), "axes in another order than the mesh's")

    class Chip:
        def __init__(self, coords):
            self.coords, self.core_on_chip = coords, 0

    class Slice:
        axis_names = ("x", "y")
        devices = np.empty((2, 2), object)
    for at, coords in zip(np.ndindex(2, 2), ((5, 2, 0), (4, 3, 0), (5, 3, 0), (4, 2, 0))):
        Slice.devices[at] = Chip(coords)
    check(links(gj.topology_of_mesh(Slice)) == {(0, 2), (0, 3), (1, 2), (1, 3)}, "coordinates")
    print("meshes: two axes, one of them, coordinates, dead links")


def messages():
    made = cases.schedule("cycle:8", "all-reduce")
    mesh = cases.mesh_of(8)
    for body, words in ((lambda: cases.on_devices(lambda a: gj.all_reduce(a, made, "i"), 4)(np.ones((4, 3))), "8 nodes, but"),
                        (lambda: cases.on_devices(lambda a: gj.all_gather(a, made, "i"), 8)(np.ones((8, 3))), "all-reduce, not"),
                        (lambda: cases.on_devices(lambda a: gj.all_to_all(a, cases.schedule("cycle:8", "all-to-all"), "i"), 8)(
                            np.ones((8, 3))), "a row for each of 8"),
                        (lambda: cases.on_devices(lambda a: gj.all_reduce(a, gossipfab.solve(
                            "cycle:8", "full", gossipfab.Goal("all-reduce", idempotent=True)), "i"), 8)(np.ones((8, 3))),
                         "more than once"),
                        (lambda: gj.topology_of_mesh(mesh, "j"), "no axis 'j'"),
                        (lambda: gj.topology_of_mesh(mesh, dead=[(0, 5)]), "no link between"),
                        (lambda: gj.topology_of_mesh(mesh, dead=[(0, 1), (6, 7)]), "not connected"),
                        (lambda: gj.topology_of_mesh(mesh, wrap=[True] * 3), "each of 1 coordinates")):
        try:
            body()
        except ValueError as said:
            check(words in str(said) and "\n" not in str(said).split("\n-----")[0].strip(), f"{words!r}: {said}")
        else:
            raise AssertionError(f"nothing is said: {words}")
    print("messages: 8 of one line")


def rest():
    lengths()
    products()
    loops()
    meshes()
    messages()


# --- faulty programs ---


def mutants():
    """One at a time: a permutation less, a layer's order, a row, a combine that stores; each is seen by one_graph."""
    def last_pair(made):
        made.before[-1].permutations[-1][1].pop()

    def order(made):
        layers = next(one.layers for one in made.before if len(one.layers) > 1)
        layers[0], layers[1] = layers[1], layers[0]

    def row(made):
        made.before[0].sends[0] += 1

    def stores(made):
        made.before[0].layers[0].combine[...] = False

    def twice(made):
        made.before.insert(0, made.before[0])
    for mutate in (last_pair, order, row, stores, twice):
        made = cases.schedule("mesh:4x4", "all-reduce")
        one_graph("mesh:4x4", "all-reduce", True)
        mutate(program_of(made))
        jax.clear_caches()
        try:
            one_graph("mesh:4x4", "all-reduce", True)
        except AssertionError as said:
            print(f"mutant {mutate.__name__}: rejected, {said}")
        else:
            raise AssertionError(f"the mutant {mutate.__name__} lives")
        del gj._programs[made]
        jax.clear_caches()


if __name__ == "__main__":
    {"graphs": graphs, "random": random, "rest": rest, "mutants": mutants}[sys.argv[1]](*sys.argv[2:])
