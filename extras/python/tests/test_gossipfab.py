# SPDX-License-Identifier: MIT
"""The Python module, as it is installed."""
import collections
import dataclasses
import doctest
import os
import pathlib
import pickle
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest

import numpy as np

import gossipfab
from gossipfab import Goal, Model, Schedule, Topology, mpi

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "mpi" / "tests" / "pairs"))
import pairs  # pylint: disable=wrong-import-position

RANDOM = np.random.default_rng(1)


class Topologies(unittest.TestCase):
    def test_shape(self):
        mesh = Topology("mesh:3x4")
        self.assertEqual((mesh.nodes, mesh.links.shape, mesh.diameter), (12, (17, 2), 5))
        self.assertEqual(mesh.degrees.tolist(), [2, 3, 3, 2, 3, 4, 4, 3, 2, 3, 3, 2])
        self.assertEqual(mesh.distances(0).tolist(), [0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5])
        graph = Topology.from_links(12, mesh.links)
        self.assertEqual((graph.degrees.tolist(), graph.diameter), (mesh.degrees.tolist(), 5))
        self.assertEqual(graph, Topology(graph.spec))
        self.assertNotEqual(mesh, Topology("mesh:4x3"))
        self.assertEqual(hash(mesh), hash(Topology(mesh.spec)))

    def test_networkx(self):
        class Graph:  # as much of one of networkx as is asked
            def __init__(self, nodes, edges, directed):
                self._nodes, self._edges, self._directed = nodes, edges, directed

            @property
            def nodes(self):
                test = self

                class View(list):
                    def __call__(self, data, default):
                        return [(node, test._nodes[node].get(data, default)) for node in self]
                return View(self._nodes)

            def edges(self, data, default):
                return [(u, v, attributes.get(data, default)) for (u, v), attributes in self._edges.items()]

            def is_directed(self):
                return self._directed
        ways = {("a", "b"): {"weight": 2}, ("b", "a"): {}, ("b", "c"): {}, ("c", "a"): {}, ("c", "s"): {}, ("s", "a"): {}}
        topology = Topology.from_networkx(Graph({"a": {}, "b": {}, "c": {}, "s": {"relay": True}}, ways, True))
        self.assertEqual(topology.links.tolist(), [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]])
        self.assertEqual(topology.arc_weights.tolist(), [[2, 1], [0, 1], [0, 1], [1, 0], [1, 0]])
        self.assertEqual(topology.members.tolist(), [0, 1, 2])
        ring = Topology.from_networkx(Graph({v: {} for v in range(5)}, {(v, (v + 1) % 5): {} for v in range(5)}, False))
        self.assertEqual({frozenset(link) for link in ring.links}, {frozenset(link) for link in Topology("cycle:5").links})
        with self.assertRaises(ValueError):
            Topology.from_networkx(Graph({0: {}, 1: {}}, {(0, 1): {"weight": 0.5}}, False))

    def test_names(self):
        topology = Topology("graph:3:0-1,0-2+names=leaf,b0=20g0,")
        self.assertEqual(topology.names, ["leaf", "b0 g0", ""])
        self.assertEqual((topology.node("b0 g0"), topology.node("2")), (1, 2))
        self.assertEqual(Topology(topology.spec), Topology("graph:3:0-1,0-2"))
        with self.assertRaisesRegex(gossipfab.InvalidError, 'no node is called "b1"'):
            topology.node("b1")

    def test_errors(self):
        for spec, error in (("mesh:0x4", gossipfab.InvalidError), ("nothing:3", gossipfab.ParseError),
                            ("mesh:9999x9999", gossipfab.LimitError), ("file:/none", gossipfab.FileError)):
            with self.assertRaises(error):
                Topology(spec)
        with self.assertRaises(IndexError):
            Topology("path:3").distances(3)


class Schedules(unittest.TestCase):
    def test_meets_the_bound(self):
        for spec, rounds in (("mesh:4x4", 10), ("torus:5x5", 12), ("hypercube:3", 5)):
            schedule = gossipfab.solve(spec)
            self.assertEqual((schedule.rounds, gossipfab.verify(schedule).rounds), (rounds, rounds))
            self.assertEqual(gossipfab.bounds(spec)[0].rounds, rounds)

    def test_text_and_back(self):
        for goal in (Goal(), Goal("all-reduce"), Goal("broadcast", 3, 2), Goal("barrier")):
            schedule = gossipfab.solve("mesh:2x3", goal=goal)
            again = Schedule.parse(str(schedule))
            self.assertEqual((str(again), again.goal, again.model), (str(schedule), schedule.goal, schedule.model))
            self.assertEqual(again.csv().count("\n"), len(schedule.moves) + 1)
            made = Schedule.from_moves(schedule.topology, schedule.moves, schedule.model, schedule.goal)
            self.assertTrue((made.moves == schedule.moves).all())
            gossipfab.verify(made)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "s.gfs")
            gossipfab.solve("cycle:5").write(path)
            self.assertEqual(Schedule.read(path).rounds, 4)
            path.write_text(path.read_text().replace("round 2", "round two"), encoding="utf-8")
            with self.assertRaisesRegex(gossipfab.ParseError, f"{path}: line ") as raised:
                Schedule.read(path)
            self.assertGreater(raised.exception.line, 1)

    def test_faults_are_found(self):
        schedule = gossipfab.solve("mesh:3x3")
        with self.assertRaisesRegex(gossipfab.FaultError, "1 delivery is missing") as raised:
            gossipfab.verify(Schedule.from_moves("mesh:3x3", schedule.moves[:-1]))
        self.assertEqual(raised.exception.report.fault, "incomplete")
        twice = sorted([*schedule.moves.tolist(), schedule.moves[0].tolist()])
        with self.assertRaises(gossipfab.FaultError) as raised:
            gossipfab.verify(Schedule.from_moves("mesh:3x3", twice))
        self.assertEqual((raised.exception.report.fault, raised.exception.report.round), ("link-busy", 1))
        with self.assertRaises(gossipfab.FaultError):
            gossipfab.verify(gossipfab.solve("mesh:3x3", Model(link_mode="full")), Model())

    def test_expression(self):
        schedule = gossipfab.solve("path:3", goal=Goal("all-reduce", 1))
        self.assertEqual(sorted(schedule.expression(0).replace("(", "").replace(")", "").split(" + ")), ["n0", "n1", "n2"])
        for block, node in ((0, 3), (0, 10**6), (0, -1), (1, 0), (-1, 0)):
            with self.assertRaisesRegex(IndexError, "does not exist; they are 0 to"):
                schedule.expression(block, node)

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "unknown solver 'no'"):
            gossipfab.solve("mesh:3x3", solver="no")
        with self.assertRaisesRegex(ValueError, "move 0: mesh:2x2 has no link from 0 to 3"):
            Schedule.from_moves("mesh:2x2", [(1, 0, 3, 0)])
        with self.assertRaises(gossipfab.UnsupportedError):
            gossipfab.solve("mesh:3x3", rounds=5)
        with self.assertRaises(gossipfab.ParseError):
            gossipfab.solve("mesh:3x3", Model(link_mode="double"))
        with self.assertRaises(gossipfab.InvalidError):
            gossipfab.solve("mesh:3x3", goal=Goal("reduce", 1, 9))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            Model().link_mode = "full"

    def test_interrupts(self):
        slow = "import gossipfab; print('go', flush=True); gossipfab.solve('debruijn:9', gossipfab.Model('full', 'one', 512), solver='matching', effort=1000)"
        waits = []  # the best of a few: the machine may be busy
        while len(waits) < 5 and not (waits and min(waits) < 1):
            with subprocess.Popen([sys.executable, "-c", slow], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                process.stdout.readline()
                time.sleep(0.5)
                process.send_signal(signal.SIGINT)
                start = time.monotonic()
                said = process.communicate(timeout=30)[1].decode()
                waits.append(time.monotonic() - start)
            self.assertIn("KeyboardInterrupt", said)
        self.assertLess(min(waits), 1)
        with self.assertRaises(InterruptedError):
            gossipfab.solve("debruijn:9", Model("full", "one", 512), solver="matching", progress=lambda what, done, total: False)

    def test_threads(self):
        rounds = {}
        threads = [threading.Thread(target=lambda n=n: rounds.update({n: gossipfab.solve(f"mesh:{n}x{n}").rounds}))
                   for n in range(2, 10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(rounds, {n: n * (n + 1) // 2 if n > 2 else 4 for n in range(2, 10)} | {2: rounds[2]})


    def test_pickles_and_words(self):
        for schedule in (gossipfab.solve("mesh:2x3", goal="all-reduce"),
                         gossipfab.solve("hypercube:3", Model("full"), "reduce-scatter", solver="bracket")):
            again = pickle.loads(pickle.dumps(schedule))
            self.assertEqual((str(again), again.goal), (str(schedule), schedule.goal))
        self.assertEqual(gossipfab.bounds("mesh:3x3", goal="all-reduce"), gossipfab.bounds("mesh:3x3", goal=Goal("all-reduce")))

    def test_formats(self):
        schedule = gossipfab.solve("cycle:4", Model("full"))
        for name in ("gfs", "msccl", "sccl", "csv"):
            again = gossipfab.read_format(gossipfab.convert(schedule, name), name, "cycle:4")
            self.assertTrue((again.moves == schedule.moves).all(), name)
        for name in ("chakra", "none"):
            with self.assertRaises(ValueError):
                gossipfab.convert(schedule, name)
        with self.assertRaises(gossipfab.ParseError):
            gossipfab.read_format("<algo>", "msccl")

    def test_advice(self):
        cheap, dear = gossipfab.advise("torus:4x4", 0)[0], gossipfab.advise("torus:4x4", "50")[0]
        self.assertEqual((cheap.total, dear.total), (cheap.transfers, 50 * dear.startups + dear.transfers))
        self.assertEqual(dear.startups, 8)
        both = gossipfab.advise("torus:4x4", 0, [Model("full"), Model("half", "one")])
        self.assertEqual({advice.model.link_mode for advice in both}, {"full", "half"})

    def test_one_bracket(self):
        full = Model("full")
        one = gossipfab.solve("hypercube:3", full, "all-reduce", solver="bracket", parameters="bracket=binary")
        self.assertTrue(one.one_bracket())
        self.assertFalse(gossipfab.solve("mesh:4x4", full, "all-reduce").one_bracket())
        with self.assertRaises(gossipfab.UnsupportedError):
            gossipfab.solve("mesh:4x4").one_bracket()

    def test_page(self):
        page = gossipfab.solve("path:3", goal="all-reduce")._repr_html_()
        self.assertTrue(page.startswith("<iframe srcdoc=") and page.count("<") == 2 and "&lt;svg" in page)


class Ranks:
    """What gossipfab.mpi needs of a communicator of mpi4py, among threads."""

    def __init__(self, size):
        self.size, self.queues = size, collections.defaultdict(queue.Queue)

    def rank(self, number):
        ranks = self

        class Rank:
            def __init__(self):
                self.attributes = {}

            @staticmethod
            def Create_keyval(delete_fn):
                Ranks.delete_fn = staticmethod(delete_fn)
                return 1

            def Get_attr(self, keyval):
                return self.attributes.get(keyval)

            def Set_attr(self, keyval, value):
                self.attributes[keyval] = value

            def Free(self):
                for keyval, value in self.attributes.items():
                    Ranks.delete_fn(self, keyval, value)
                self.attributes = None

            def Get_size(self):
                return ranks.size

            def Get_rank(self):
                return number

            def Dup(self):
                return Rank()

            def Isend(self, part, peer, tag):
                if self.attributes is None:
                    raise ValueError("a communicator that was given back")
                ranks.queues[number, peer, tag].put(part.copy())
                return types.SimpleNamespace(Wait=lambda: None)

            def Irecv(self, part, peer, tag):
                return types.SimpleNamespace(
                    Wait=lambda: part.__setitem__(..., ranks.queues[peer, number, tag].get(timeout=60)))
        return Rank()


class Mpi(unittest.TestCase):
    def test_bits(self):
        """Each element has the bits that its expression says, at every rank."""
        for spec, goal, solver in (("mesh:2x3", Goal("all-reduce", 4), "auto"), ("hypercube:3", Goal("all-reduce"), "bracket"),
                                   ("path:4", Goal("all-reduce", 1), "auto")):
            schedule = gossipfab.solve(spec, Model("full"), goal, solver=solver)
            nodes, ranks = schedule.topology.nodes, Ranks(schedule.topology.nodes)
            given = RANDOM.standard_normal((nodes, 37)).astype(np.float32)
            got = [row.copy() for row in given]

            def run(rank):
                plan = mpi.Plan(ranks.rank(rank), schedule)
                plan.run(mpi._cut(got[rank], plan.goal.blocks), np.add)
            threads = [threading.Thread(target=run, args=(rank,)) for rank in range(nodes)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            blocks = schedule.goal.blocks
            for block in range(blocks):
                at = slice(37 * block // blocks, 37 * (block + 1) // blocks)
                for rank in range(nodes):
                    numbers = {f"n{v}": given[v][at] for v in range(nodes)}
                    want = eval(schedule.expression(block, rank), numbers)  # pylint: disable=eval-used
                    self.assertEqual(got[rank][at].tobytes(), want.tobytes())

    def test_pairs(self):
        """Calls do not depend on the call before them, nor on communicators that are gone."""
        count, ends = 3, []
        made, comms = pairs.schedules(count), collections.defaultdict(lambda: Ranks(count))

        def run(rank):
            def make(renewal):
                with lock:
                    return comms[renewal].rank(rank if renewal % 2 == 0 else count - 1 - rank)
            ends.append(pairs.play(make, made, (1, 8)))
        lock = threading.Lock()
        threads = [threading.Thread(target=run, args=(rank,)) for rank in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(ends, [(45 * 45, 0)] * count)

    def test_refusals(self):
        schedule = gossipfab.solve("path:3", goal="all-reduce")
        with self.assertRaisesRegex(ValueError, "may take a contribution more than once"):
            mpi.allreduce(Ranks(3).rank(0), np.zeros(4), gossipfab.solve("path:3", goal=Goal("all-reduce", idempotent=True)))
        loads = Schedule.parse("gossipfab-schedule 1\ntopology path:2\nlink-mode full\nport-mode one\npacket-tokens 3\n"
                               "hop-rounds 1\nsolver matching\nload 2 1\nrounds 1\npackets 2\nround 1\n0 1:0 1\n1 0:2\nend\n")
        with self.assertRaisesRegex(ValueError, "different numbers of tokens"):
            mpi.allgather(Ranks(2).rank(0), np.zeros(4), loads)
        with self.assertRaisesRegex(ValueError, "the schedule has 3 nodes, but there are 2 ranks"):
            mpi.Plan(Ranks(2).rank(0), schedule)
        with self.assertRaisesRegex(ValueError, "one behind the other"):
            mpi._cut(np.zeros((4, 4))[:, 1], 2)


class Fabrics(unittest.TestCase):
    def test_all_gather(self):
        for bits, link_bits, store in ((32, 2, "narrow"), (13, 1, "narrow"), (64, 4, "auto"), (32, 16, "wide")):
            widths = {"token_bits": bits, "link_bits": link_bits, "store": store}
            machine = gossipfab.compile(gossipfab.solve("torus:3x3", gossipfab.plan("torus:3x3", **widths)), **widths)
            data = RANDOM.integers(0, 2**bits - 1, 9, np.uint64)
            result, cycles = gossipfab.simulate(machine, data)
            self.assertTrue((result.data == data).all() and not result.mask.any())
            self.assertEqual([cycles], machine.cycles)

    def test_weighted_links(self):
        schedule = gossipfab.solve("cycle:4+weight=0-1:2+weight=2-3:3/1", Model("full"))
        machine = gossipfab.compile(schedule, token_bits=16, link_bits=8)
        self.assertEqual(len(machine.topology.links), 4 + 1 + 2)
        self.assertEqual(len(schedule.split().moves), len(schedule.moves))
        data = RANDOM.integers(0, 2**16, 4, np.uint64)
        result, cycles = gossipfab.simulate(machine, data)
        self.assertTrue((result.data == data).all() and not result.mask.any())
        self.assertEqual([cycles], machine.cycles)

    def test_tokens_of_many_bits(self):
        machine = gossipfab.compile(gossipfab.solve("path:4"), token_bits=80)
        data = RANDOM.integers(0, 256, (4, 10), np.uint8)
        result, _ = gossipfab.simulate(machine, data)
        self.assertTrue((result == data).all())

    def test_reductions(self):
        topology = Topology("mesh:2x3")
        machine = gossipfab.compile([gossipfab.solve(topology, goal=Goal("all-reduce")), gossipfab.solve(topology),
                                   gossipfab.solve(topology, goal=Goal("reduce", 2, 4))], operator="all")
        data = RANDOM.integers(0, 2**32, (6, 6), np.uint64)
        for operator, total in (("sum", data.sum(0) & 0xFFFFFFFF), ("umax", data.max(0)), ("umin", data.min(0)),
                                ("xor", np.bitwise_xor.reduce(data, 0)), ("or", np.bitwise_or.reduce(data, 0)),
                                ("max", data.astype(np.uint32).astype(np.int32).max(0).astype(np.uint32))):
            result, cycles = gossipfab.simulate(machine, data, 0, operator)
            self.assertTrue((result == total).all(), operator)
            self.assertEqual(cycles, machine.cycles[0])
        for operator in ("all", "none", "bfloat16", "user", "plus"):
            with self.assertRaisesRegex(ValueError, f"'{operator}'"):
                gossipfab.simulate(machine, data, 0, operator)
        sums = gossipfab.compile(gossipfab.solve(topology, goal=Goal("all-reduce")), operator="sum")
        with self.assertRaisesRegex(ValueError, "'max' cannot be chosen: this fabric's is 'sum'"):
            gossipfab.simulate(sums, data, 0, "max")
        self.assertTrue((gossipfab.simulate(sums, data, 0, "sum")[0] == data.sum(0) & 0xFFFFFFFF).all())
        result, _ = gossipfab.simulate(machine, data[:, 0], 1)
        self.assertTrue((result == data[:, 0]).all())
        result, _ = gossipfab.simulate(machine, data[:, :2], 2)
        self.assertTrue((result[4] == data[:, :2].sum(0) & 0xFFFFFFFF).all())
        self.assertTrue(result.mask[[0, 1, 2, 3, 5]].all() and not result.mask[4].any())

    def test_all_gather_of_several_blocks_a_node(self):
        machine = gossipfab.compile([gossipfab.solve("mesh:2x3", goal=goal)
                                   for goal in (Goal("all-gather", 12), Goal("all-reduce", 1))])
        data = RANDOM.integers(0, 2**32, (6, 12), np.uint64)
        result, _ = gossipfab.simulate(machine, data)
        self.assertTrue((result == [data[block // 2, block] for block in range(12)]).all())

    def test_all_to_all(self):
        machine = gossipfab.compile(gossipfab.solve("torus:3x3", goal=Goal("all-to-all")), link_bits=2)
        data = RANDOM.integers(0, 2**32, (9, 81), np.uint64)
        result, _ = gossipfab.simulate(machine, data)
        for u in range(9):
            for v in range(9):
                self.assertEqual(result[v, u * 9 + v], data[u, u * 9 + v])

    def test_generate(self):
        machine = gossipfab.compile(gossipfab.solve("mesh:2x2"), token_bits=8)
        with tempfile.TemporaryDirectory() as folder:
            path = gossipfab.generate(machine, os.path.join(folder, "out"), board="hx8k")
            self.assertTrue((path / "gossip_fabric.v").exists() and (path / "board_top.v").exists())
            with self.assertRaises(gossipfab.InvalidError):
                gossipfab.generate(machine, path)
            gossipfab.generate(machine, path, force=True)
            mine = pathlib.Path(folder, "mine")
            shutil.copytree(pathlib.Path(__file__).parents[3] / "constraints/hx8k", mine)
            with self.assertRaisesRegex(gossipfab.FileError, "mine.pcf, the file of its pins, is not beside it"):
                gossipfab.generate(machine, path, force=True, board=mine)
            (mine / "mine.pcf").write_text("# pins\n")
            gossipfab.generate(machine, path, force=True, board=mine)
            self.assertEqual((path / "constraints/mine.pcf").read_text(), "# pins\n")
        with self.assertRaisesRegex(ValueError, "unknown board 'no'; there are arty, hx8k"):
            gossipfab.generate(machine, "out", board="no")

    def test_generate_options(self):
        schedule = gossipfab.solve("mesh:2x2", gossipfab.Model(link_mode="full"))
        machine = gossipfab.compile(schedule, token_bits=8, latency_cycles=9, frame="absolute")
        with tempfile.TemporaryDirectory() as folder:
            def write(**options):
                path = gossipfab.generate(machine, os.path.join(folder, "out"), force=True, **options)
                return {str(at.relative_to(path)) for at in path.rglob("*")}

            self.assertLess({"rows.v", "rows_axis_nodes.v", "rows_litex.py", "rom/rows"},
                            write(name="rows", ports="node", registers="wishbone"))
            self.assertIn("rtl/gfab_axis_overlap.v", write(axi="overlap"))
            self.assertLess({"gossip_chip_0.v", "gossip_chip_1.v", "rtl/gfab_cable.v"},
                            write(chips=[0, 0, 1, 1], clocks="own"))
            self.assertIn("rtl/gfab_board_host.v", write(board="hx8k", host="uart"))
        for options, said in (
                ({"ports": "nodes"}, "ports: unknown ports 'nodes'; give flat, node or node-tkeep"),
                ({"axi": "no"}, "axi: unknown order 'no'; give turns or overlap"),
                ({"registers": "apb"}, "registers: unknown bus 'apb'; give none, axi-lite or wishbone"),
                ({"clocks": "no"}, "clocks: unknown clocks 'no'; give one or own"),
                ({"rom": "no"}, "rom: unknown place 'no'; give logic, block or inline"),
                ({"host": "no"}, "host: unknown host 'no'; give self-test or uart"),
                ({"host": "uart"}, "host uart: which board"),
                ({"name": "small"}, "is a keyword"),
                ({"chips": [0, 0, 1]}, "chip, from 0, for each of 4 nodes"),
                ({"clocks": "own"}, "clocks of their own are for several chips")):
            with self.assertRaisesRegex(ValueError, said):
                gossipfab.generate(machine, "out", **options)
        self.assertFalse(os.path.exists("out"))
        with self.assertRaisesRegex(ValueError, "unknown frame 'no'; there are absolute"):
            gossipfab.compile(schedule, frame="no")

    def test_errors(self):
        schedule = gossipfab.solve("mesh:2x2")
        with self.assertRaises(gossipfab.InvalidError):
            gossipfab.compile(schedule, token_bits=33)
        with self.assertRaisesRegex(ValueError, "unknown operator 'plus'; there are none, sum"):
            gossipfab.compile(schedule, operator="plus")
        with self.assertRaisesRegex(AttributeError, "no 'lower'; it is called 'compile' now"):
            gossipfab.lower(schedule)
        self.assertFalse(hasattr(gossipfab, "no"))
        machine = gossipfab.compile(schedule, token_bits=8)
        for data in (np.zeros(3, int), np.zeros((4, 5), int), np.full(4, 256), np.full(4, -1), np.zeros(4)):
            with self.assertRaises(ValueError):
                gossipfab.simulate(machine, data)


def load_tests(_, tests, __):
    tests.addTests(doctest.DocTestSuite(gossipfab))
    tests.addTests(doctest.DocFileSuite(os.environ["GFAB_PYTHON_PAGE"], module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL))
    return tests


if __name__ == "__main__":
    unittest.main()
