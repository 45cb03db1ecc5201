# SPDX-License-Identifier: MIT
"""What gossipfab.jax and gossipfab.torch are made by, without either: permutations, and programs played by NumPy."""
import collections
import importlib.util
import itertools
import re
import unittest

import numpy as np

import gossipfab
from gossipfab import _plan, _spmd

FULL = gossipfab.Model("full")
GRAPHS = ["path:2", "path:5", "cycle:3", "cycle:8", "mesh:2x3", "mesh:4x4", "torus:2x4", "torus:4x4", "torus:3x3x3", "hypercube:4",
          "torus:4x4+drop-link=0-1+drop-link=5-6", "mesh:3x4+drop-link=5-6", "torus:8x8"]
COLLECTIVES = ["all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce", "barrier", "all-to-all"]


def sizes_of(messages):
    sizes = collections.Counter()
    for message in messages:
        sizes[message.source, message.target] += len(message.tokens)
    return sizes


def faults_of(sizes, found):
    """What is wrong with permutations, or nothing."""
    out, into, moved = collections.Counter(), collections.Counter(), collections.Counter()
    for (source, target), size in sizes.items():
        out[source] += size
        into[target] += size
    for length, pairs in found:
        if len({source for source, _ in pairs}) < len(pairs) or len({target for _, target in pairs}) < len(pairs):
            return "no permutation"
        for pair in pairs:
            moved[pair] += length
    if +moved != +sizes:
        return "other blocks"
    least = max([*out.values(), *into.values()], default=0)
    return "" if sum(length for length, _ in found) == least else f"more than {least} in a row"


def play(made, x):
    """A program by NumPy: x[v] has the rows that node v starts with."""
    nodes = range(made.nodes)
    state = np.full((made.nodes, made.rows + 1, x.shape[2]), np.nan, x.dtype)
    for v in nodes:
        state[v, made.starts[v]] = x[v]
    loop = [(one, trip * made.step) for trip in range(made.trips) for one in made.loop]
    for one, moved in [(one, 0) for one in made.before] + loop + [(one, 0) for one in made.after]:
        came = [np.zeros((made.nodes, 0, x.shape[2]), x.dtype)]
        for table, (length, pairs) in zip(one.sends, one.permutations):
            came.append(np.zeros((made.nodes, length, x.shape[2]), x.dtype))
            for source, target in pairs:
                came[-1][target] = state[source, table[source] + moved]
        came = np.concatenate(came, axis=1)
        for layer in one.layers:
            for v, at in itertools.product(nodes, range(layer.rows.shape[1])):
                row, new = layer.rows[v, at], came[v, layer.came[v, at]]
                if row < _spmd.UNUSED:
                    state[v, row + moved] = state[v, row + moved] + new if layer.combine[v, at] else new
    return np.stack([state[v, made.ends[v]] for v in nodes])


def summed(expression, values):
    return eval(re.sub(r"n(\d+)", r"v[\1]", expression), {"v": values})  # n, digits, +, brackets


class Permutations(unittest.TestCase):
    def test_lower_bound(self):
        """Each round of each schedule, and of packets of many lengths: as few as the busiest node allows."""
        for graph, collective in itertools.product(GRAPHS, COLLECTIVES):
            plan = _plan.Plan(gossipfab.solve(graph, FULL, collective), collective, False)
            for messages in plan.all_rounds():
                sizes = sizes_of(messages)
                self.assertEqual(faults_of(sizes, _plan.permutations(sizes, plan.nodes)), "", (graph, collective))
        random = np.random.default_rng(3)
        for nodes in range(1, 12):
            for share in (0.1, 0.5, 1):
                matrix = random.integers(1, 40, (nodes, nodes)) * (random.random((nodes, nodes)) < share)
                sizes = collections.Counter({(int(u), int(v)): int(matrix[u, v]) for u, v in np.argwhere(matrix)})
                self.assertEqual(faults_of(sizes, _plan.permutations(sizes, nodes)), "")

    def test_equal_messages_are_whole(self):
        sizes = collections.Counter({(u, v): 7 for u in range(6) for v in range(6) if u != v})
        self.assertEqual([length for length, _ in _plan.permutations(sizes, 6)], [7] * 5)

    def test_mutants(self):
        """The check sees a permutation too many, one pair twice, and a block that is not moved."""
        sizes = collections.Counter({(0, 1): 2, (1, 2): 1, (2, 0): 2})
        for wrong, said in (([(1, [(0, 1), (2, 0)]), (1, [(0, 1), (2, 0)]), (1, [(1, 2)])], "more than 2"),
                            ([(2, [(0, 1), (2, 1)])], "no permutation"), ([(2, [(0, 1), (2, 0)])], "other blocks")):
            self.assertIn(said, faults_of(sizes, wrong))


class Programs(unittest.TestCase):
    def totals(self, made, mutate=None):
        """Of an all-reduce: does each node have the bits of the expressions?"""
        plan = _plan.Plan(made, "all-reduce")
        program, blocks = _spmd.program(plan), made.goal.blocks
        if mutate:
            mutate(program)
        x = np.random.default_rng(5).standard_normal((plan.nodes, blocks, 20)).astype(np.float32)
        found = play(program, x)
        return program, all((found[:, b].view(np.uint32) == summed(made.expression(b), x[:, b]).view(np.uint32)).all()
                            for b in range(blocks))

    def test_bits(self):
        for graph in GRAPHS[:-1]:
            self.assertTrue(self.totals(gossipfab.solve(graph, FULL, "all-reduce"))[1], graph)

    def test_loops(self):
        """Schedules that repeat: some rounds before, a loop of a period, some behind; the last group may be cut."""
        loops = 0
        for graph, collective, blocks in itertools.product(("mesh:4x4", "path:5"), COLLECTIVES[:5], (1, 3, 7)):
            nodes = gossipfab.Topology(graph).nodes
            made = gossipfab.solve(graph, FULL, gossipfab.Goal(collective, blocks=40 * nodes + nodes * blocks),
                                   solver="bracket" if collective == "all-reduce" else "auto")
            plan = _plan.Plan(made, collective)
            program = _spmd.program(plan)
            loops += program.trips > 0
            x = np.random.default_rng(6).integers(0, 9, (nodes, program.starts.shape[1], 1)).astype(float)
            found, total = play(program, x), x.sum(axis=0)
            want = {"all-gather": x.reshape(-1, 1), "broadcast": x[0]}.get(collective, total)
            want = want.reshape(nodes, -1, 1) if collective == "reduce-scatter" else want
            for v in range(1 if collective == "reduce" else nodes):
                self.assertTrue((found[v] == (want[v] if want.ndim > 2 else want)).all(), (graph, collective, v))
        self.assertGreater(loops, 10)

    def test_mutants(self):
        """Messages of a block in another order, one that is stored, a pair that is missing."""
        def order(program):
            for one in program.before:
                one.layers.reverse()

        def stored(program):
            program.before[0].layers[0].combine[...] = False

        def missing(program):
            program.before[-1].permutations[0][1].pop()
        made = gossipfab.solve("mesh:4x4", FULL, "all-reduce")
        for mutate in (order, stored, missing):
            self.assertFalse(self.totals(made, mutate)[1], mutate.__name__)


class Others(unittest.TestCase):
    def test_advise_length(self):
        found = gossipfab.advise_length("torus:2x4", "all-reduce", 4_000_000)
        self.assertEqual(found[0].microseconds, min(one.microseconds for one in found))
        made = found[0].make()
        self.assertEqual(made.goal.blocks, found[0].goal.blocks)
        report = gossipfab.verify(made)
        block = -(-4_000_000 // made.goal.blocks)
        self.assertAlmostEqual(found[0].microseconds, report.startups + report.transfers * block / 50_000)
        one = gossipfab.advise_length("torus:2x4", "all-reduce", 4_000_000, solvers=["bracket"])
        self.assertTrue([advice.solver for advice in one] == ["bracket"] and one[0].make().one_bracket())
        for wrong, said in (({"bandwidth": 0}, "above 0"), ({"latency": "x"}, "latency is a number"), ({"solvers": ["none"]}, "unknown")):
            with self.assertRaisesRegex(ValueError, said):
                gossipfab.advise_length("torus:2x4", "all-reduce", 1000, **wrong)

    def test_replan(self):
        total = gossipfab.solve("torus:4x4", FULL, "all-reduce")
        same = gossipfab.replan(total, "+weight=0-1:1")
        self.assertEqual((same.how, same.kept), ("stays", same.moves))
        mended = gossipfab.replan(total, "+drop-link=0-1")
        self.assertTrue(0 < mended.kept < mended.moves and mended.schedule.topology.name == "torus:4x4+drop-link=0-1")
        self.assertEqual(gossipfab.verify(mended.schedule).rounds, mended.schedule.rounds)
        for changes, said in (("drop", "begins with a \\+"), ("+drop-link=0-15", "no link 0-15")):
            with self.assertRaisesRegex(gossipfab.Error, said):
                gossipfab.replan(total, changes)

    def test_prove(self):
        least = gossipfab.bounds("mesh:2x3")[0].rounds
        self.assertEqual((least, gossipfab.prove("mesh:2x3", least - 1).answer), (5, False))
        found = gossipfab.prove("mesh:2x3", least)
        self.assertTrue(found.answer and gossipfab.verify(found.schedule).rounds <= least)
        self.assertEqual(gossipfab.prove("mesh:2x3", least - 1, conflicts=1).answer, None)
        self.assertTrue(gossipfab.prove("cycle:4", 3, "full", "all-reduce").answer)
        self.assertFalse(gossipfab.prove("cycle:4", 1, "full", "all-reduce").answer)

    def test_rate(self):
        best = gossipfab.rate("mesh:4x4", "full", "all-reduce")
        self.assertEqual((str(best.rounds), best.tight), ("5/8", True))
        self.assertTrue({"demand 30", "capacity 48"} < set(best.certificate.splitlines()))
        with self.assertRaises(gossipfab.UnsupportedError):
            gossipfab.rate("mesh:4x4", goal="barrier")

    def test_one_class(self):
        """What is refused is a gossipfab.Error, wherever it is noticed; a wrong kind of argument is a TypeError."""
        ring = gossipfab.solve("cycle:4")
        for call in (lambda: gossipfab.solve("mesh:3x3", solver="none"), lambda: gossipfab.convert(ring, "none"),
                     lambda: gossipfab.Topology("none:3"), lambda: _plan.Plan(ring, "broadcast"),
                     lambda: gossipfab.generate(gossipfab.compile(ring), "out", board="none")):
            with self.assertRaises(gossipfab.Error):
                call()

    def test_missing(self):
        """Without JAX, or PyTorch, one line says what brings it."""
        for module, package in (("jax", "jax"), ("torch", "torch")):
            if importlib.util.find_spec(package) is None:
                with self.assertRaisesRegex(ImportError, rf"^gossipfab\.{module} needs .*pip install 'gossipfab\[{module}\]'$"):
                    importlib.import_module(f"gossipfab.{module}")


if __name__ == "__main__":
    unittest.main()
