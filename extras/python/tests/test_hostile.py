# SPDX-License-Identifier: MIT
"""Whatever a program assigns, deletes, passes by the wrong type or hands over with odd contents neither ends the process
nor is cut in silence.

Every public function and method gets each of ODD in the place of each of its arguments. It takes it, or raises one line
that a caller can read. All of it runs in a process of its own, which says what it tries before it does: if it is ended
by a signal the last line says where. A class or a function that is new is here without being named, an argument of a
name that is new fails test_all_are_asked until VALID has a value for it."""
import copy
import dataclasses
import gc
import inspect
import math
import os
import pathlib
import pickle
import resource
import subprocess
import sys
import tempfile
import threading
import unittest
from decimal import Decimal
from fractions import Fraction

import numpy as np

import gossipfab
import gossipfab.mpi
from gossipfab import Goal, Machine, Model, Schedule, Topology

GRAPH = "mesh:2x2"
SCHEDULE = gossipfab.solve(GRAPH)
MACHINE = gossipfab.compile(SCHEDULE, token_bits=8)
ADVICE = gossipfab.advise(GRAPH)[0]
NOT_WHOLE = [1.7, np.float32(1.7), Fraction(3, 2), Decimal("1.5"), math.nan, math.inf, -1, np.int8(-1), 2**64, 10**30, True,
             np.bool_(True), "1", b"1"]
ODD = NOT_WHOLE + [
    None, 0, 2, 2.0, 2**31, 2**32, 2**63, "", "x", "a\0b", "mesh:2x2\0", "\udcff", "\ud800", "full", "all-reduce", b"\xff", [],
    [1], [[0, 1], [1, 2]], (1, 2, 3), {}, object(), np.array(3), np.zeros((4, 4)), np.array([[0, 1.7]]), np.zeros(4, ">i2"),
    np.array([[1, 0, 1, 2**31]]), np.array([2**63] * 4, np.uint64), np.full(4, -1), np.array([0, None, 1, 2]),
    np.asfortranarray(np.eye(4, dtype=np.int64)), np.ma.masked_all((4, 4), np.uint8), lambda: 1 / 0, lambda *_: True,
    pathlib.Path("none"), Goal("all-reduce"), Model("full"), Topology("path:4"), SCHEDULE, MACHINE, type]
VALID = {"topology": GRAPH, "schedule": SCHEDULE, "schedules": SCHEDULE, "machine": MACHINE, "data": [1, 2, 3, 4],
         "content": str(SCHEDULE), "spec": GRAPH, "nodes": 3, "links": [[0, 1], [1, 2]], "moves": [(1, 0, 1, 0)], "block": 0,
         "node": 0, "to": "csv", "format": "gfs", "collective": "all-gather", "path": "s.gfs", "directory": "out",
         "graph": None, "name": "0", "goal": "all-gather", "nbytes": 1000, "rounds": 3, "changes": "+weight=0-1:1"}
WHOLE = ["block", "node", "nodes", "program", "seed", "effort", "rounds", "token_bits", "link_bits", "latency_cycles",
         "gap_cycles", "rom_rounds", "operator_cycles", "token_seed", "packet_tokens", "hop_rounds", "blocks", "root",
         "nbytes", "conflicts"]
PRICES = ["startup", "latency", "bandwidth"]  # any number
READABLE = (gossipfab.Error, TypeError, ValueError, IndexError, OSError, MemoryError)
INNER = ["cdata", "ctype", "initializer", "'encode'", "'_c'", "has no attribute", "Python int", "__index__", "_Of"]


@dataclasses.dataclass(frozen=True)
class _Of:
    """A function, and what it is called with but for the argument that is asked about."""
    name: str
    call: object

    def arguments(self):
        return [parameter for parameter in inspect.signature(self.call).parameters.values() if parameter.name != "self"]


def model_is_used(**fields):
    return gossipfab.bounds(GRAPH, Model(**fields))


def goal_is_used(**fields):
    return gossipfab.bounds(GRAPH, goal=Goal(**{"collective": "broadcast", **fields}))


model_is_used.__signature__ = inspect.signature(Model)
goal_is_used.__signature__ = inspect.signature(Goal)


def functions():
    """Every public function and method."""
    found = [_Of(name, getattr(gossipfab, name)) for name in gossipfab.__all__
             if inspect.isfunction(getattr(gossipfab, name))]
    for thing in (Topology(GRAPH), SCHEDULE, MACHINE):
        found += [_Of(f"{type(thing).__name__}.{name}", getattr(thing, name)) for name in sorted(dir(type(thing)))
                  if name[0] != "_" and inspect.isroutine(getattr(type(thing), name))]
    return found + [_Of("Topology", Topology), _Of("Model", model_is_used), _Of("Goal", goal_is_used)]


def ask(function, name, value, number):
    """What is wrong with the answer; None."""
    given = {one.name: VALID[one.name] for one in function.arguments() if one.default is one.empty}
    given[name] = value
    if function.name == "Goal" and name == "root":
        given["collective"] = "broadcast"
    try:
        function.call(**given)
    except READABLE as said:
        text = str(said)
        if not text or "\n" in text or len(text) > 1000 or any(word in text for word in INNER):
            return f"says {type(said).__name__}: {text!r:.300}"
    except ZeroDivisionError:
        return None if name == "progress" else "lets a ZeroDivisionError through"
    except BaseException as said:  # pylint: disable=broad-exception-caught
        return f"lets {type(said).__name__} through: {said!r:.200}"
    else:
        if name in WHOLE and number < len(NOT_WHOLE):
            return "is taken"
    return None


def ask_all():
    """In a process of its own: says what it asks, then what is wrong with the answer."""
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for function in functions():
            for argument in function.arguments():
                for number, value in enumerate(ODD):
                    print(f"{function.name}({argument.name}={' '.join(repr(value).split()):.60})", flush=True)
                    wrong = ask(function, argument.name, value, number)
                    if wrong:
                        print("  WRONG:", wrong, flush=True)
    print("all asked", flush=True)


class Hostile(unittest.TestCase):
    def test_all_are_asked(self):
        for function in functions():
            for argument in function.arguments():
                self.assertTrue(argument.default is not argument.empty or argument.name in VALID, (function.name, argument.name))
                if isinstance(argument.default, int) and not isinstance(argument.default, bool) and argument.name not in PRICES:
                    self.assertIn(argument.name, WHOLE)

    def test_arguments(self):
        done = subprocess.run([sys.executable, "-X", "faulthandler", __file__, "ask"], capture_output=True, text=True,
                              errors="replace", timeout=300, check=False)
        lines = done.stdout.splitlines()
        self.assertEqual((done.returncode, lines[-1:]), (0, ["all asked"]), (lines[-1:], done.stderr[-2000:]))
        wrong = [f"{before}: {line}" for before, line in zip(lines, lines[1:]) if line.startswith("  WRONG")]
        self.assertEqual(wrong, [], f"{len(wrong)} wrong answers")

    def test_attributes(self):
        things = [Topology(GRAPH), gossipfab.solve(GRAPH), gossipfab.compile(gossipfab.solve(GRAPH)), Model(), Goal(), ADVICE,
                  gossipfab.bounds(GRAPH)[0], gossipfab.verify(SCHEDULE)]
        for thing in things:
            before = repr(thing)
            for name in dir(thing) + ["a_new_one"]:
                for value in (None, Topology("path:9"), 5, thing):
                    with self.assertRaises((AttributeError, TypeError), msg=(thing, name)):
                        setattr(thing, name, value)
                with self.assertRaises((AttributeError, TypeError), msg=(thing, name)):
                    delattr(thing, name)
            self.assertEqual(repr(thing), before)
        with self.assertRaisesRegex(TypeError, "is made; make another one"):
            things[1].topology.__init__("path:9")
        gossipfab.verify(things[1])
        self.assertEqual(len(things[1].moves), len(SCHEDULE.moves))
        self.assertEqual(gossipfab.simulate(things[2], [1, 2, 3, 4])[0].data.tolist(), [[1, 2, 3, 4]] * 4)

    def test_lent(self):
        """What C borrows lives as long as it is borrowed, whoever lets go of it first."""
        pointer = gossipfab.solve(Topology("mesh:5x5"))._c
        machine = gossipfab.compile(gossipfab.solve("mesh:3x3"))._c
        gc.collect()
        for _ in range(50):
            Topology("mesh:5x5+drop-link=0-1")
        library = gossipfab.schedule.lib
        report = gossipfab.schedule.ffi.new("gfab_verify_report *")
        topology = library.gfab_schedule_topology(pointer)
        with gossipfab.schedule.Call() as call:
            call.check(library.gfab_verify(topology, library.gfab_schedule_model(pointer), pointer, call.progress, report))
        self.assertEqual((report.rounds, library.gfab_machine_program_count(machine)), (15, 1))

    def test_threads(self):
        """Several threads use the same objects, of which the first to begin lets go."""
        topology, found = Topology("mesh:4x4"), []
        schedule = gossipfab.solve(topology)
        machine = gossipfab.compile(schedule, token_bits=8)

        def use(topology, schedule, machine):
            for _ in range(5):
                found.append((topology.diameter, gossipfab.verify(schedule).moves, len(schedule.moves), hash(str(schedule)),
                              gossipfab.simulate(machine, np.arange(16))[1]))
        threads = [threading.Thread(target=use, args=(topology, schedule, machine)) for _ in range(4)]
        for thread in threads:
            thread.start()
        del topology, schedule, machine
        for thread in threads:
            thread.join()
        self.assertEqual((len(found), len(set(found))), (20, 1))


class Clear(unittest.TestCase):
    """Where the meaning is clear it is taken; else one line says what would be right."""

    def test_words(self):
        full = gossipfab.solve("mesh:4x4", Model("full"))
        self.assertEqual(str(gossipfab.solve("mesh:4x4", "full")), str(full))
        self.assertEqual(gossipfab.bounds("mesh:4x4", "one"), gossipfab.bounds("mesh:4x4", Model(port_mode="one")))
        self.assertEqual(gossipfab.plan("mesh:4x4", "full", "all-reduce"), gossipfab.plan("mesh:4x4", Model("full"), Goal("all-reduce")))
        self.assertEqual(gossipfab.advise("torus:4x4", 0.25), gossipfab.advise("torus:4x4", "0.25"))
        for wrong, said in (("all-reduce", "goal='all-reduce'"), (Goal("reduce"), "goal=Goal"), ("fast", "there are half, full"),
                            (5, "a model is a Model, not 5")):
            with self.assertRaisesRegex((TypeError, ValueError), said):
                gossipfab.solve("mesh:4x4", wrong)
        for wrong in (5, b"mesh:4x4", None, ["mesh:4x4"]):
            with self.assertRaisesRegex(TypeError, 'a topology is words such as "mesh:4x4", a Topology or a graph of networkx'):
                gossipfab.solve(wrong)

    def test_networkx(self):
        class Graph:  # as much of one of networkx as is asked
            class nodes(list):
                def __call__(self, data, default):
                    return [(node, default) for node in self]
            nodes = nodes("abc")

            def edges(self, data, default):
                return [("a", "b", default), ("b", "c", default)]

            def is_directed(self):
                return False
        self.assertEqual(gossipfab.solve(Graph()).rounds, gossipfab.solve("path:3").rounds)

    def test_names(self):
        for spec in ("mesh:4x4\0+drop-link=0-1", "\0"):
            with self.assertRaisesRegex(gossipfab.InvalidError, "has a NUL"):
                Topology(spec)
        with tempfile.TemporaryDirectory() as folder:
            name = os.fsdecode(os.fsencode(folder) + b"/caf\xe9.dot")  # Latin-1, as a file's name may be
            pathlib.Path(name).write_text("graph { a -- b }")
            self.assertEqual(Topology(f"file:{name}").nodes, 2)
            path = pathlib.Path(name).with_suffix(".gfs")
            SCHEDULE.write(path)
            self.assertEqual(str(Schedule.read(path)), str(SCHEDULE))
            path.write_bytes(b"gossipfab-schedule 1\n\xff\xfe\n")
            with self.assertRaises(gossipfab.ParseError):
                Schedule.read(path)
            for name in ("out\0side", "\ud800"):
                with self.assertRaises(ValueError):
                    gossipfab.generate(MACHINE, os.path.join(folder, name))
            self.assertEqual([one for one in os.listdir(folder) if one.startswith("out")], [])
        with self.assertRaisesRegex(gossipfab.ParseError, "line 1: not a gossipfab schedule"):
            Schedule.parse("")
        with self.assertRaisesRegex(gossipfab.Error, r"\\xff"):
            Topology("\udcff")

    def test_links(self):
        for links in ([[0, 1], [1, 2]], [(0.0, 1.0), (1.0, 2.0)], np.array([[0, 1], [1, 2]], ">i8"),
                      np.asfortranarray([[0, 1], [1, 2]]), np.array([[0, 1], [1, 2]], object)):
            self.assertEqual(Topology.from_links(3, links), Topology("path:3"))
        for links in ([(0, 1.7), (1, 2)], [(0, -1), (1, 2)], [(0, 2**32), (1, 2)], [[0, 1, 1, 2]], [0, 1, 1, 2],
                      np.ones((2, 4)), [("0", "1")], [(0, 1), (1,)], [(True, False)], [(0, math.nan)], [(0, None)], None):
            with self.assertRaises((ValueError, TypeError)):
                Topology.from_links(3, links)

    def test_moves(self):
        for row in ((1, 0, 1.7, 0), (1.5, 0, 1, 0), (1, 0, 1, 2**31), (1, 0, 1, -1), (1, 0, 1), (1, 0, 1, 0, 2), (1, 0, 1, 0, "no"),
                    5, "1010"):
            with self.assertRaises((ValueError, TypeError)):
                Schedule.from_moves(GRAPH, [row])
        self.assertEqual(len(Schedule.from_moves(GRAPH, np.array([[1, 0, 1, 0]], float)).moves), 1)

    def test_data(self):
        wide = gossipfab.compile(gossipfab.solve("path:4"), token_bits=80)
        long = gossipfab.compile(gossipfab.solve("path:4"), token_bits=64)
        for machine, data in ((wide, np.full((4, 10), 300, np.uint64)), (wide, np.full((4, 10), 1.7)), (long, np.full(4, -1)),
                              (long, [0, 1, 2, 2**64]), (MACHINE, [0, 1, 2, None]), (MACHINE, np.ones(4, bool)),
                              (MACHINE, np.ma.masked_all((4, 4), np.uint8))):
            with self.assertRaises((ValueError, TypeError)):
                gossipfab.simulate(machine, data)
        big = [0, 1, 2, 2**64 - 1]
        self.assertEqual(gossipfab.simulate(long, big)[0][0].tolist(), big)
        data = np.arange(16).reshape(4, 4)
        for same in (data, np.asfortranarray(data), data.astype(">u2"), data.astype(object), data[::-1][::-1]):
            self.assertEqual(gossipfab.simulate(MACHINE, same)[0].tolist(), [np.diag(data).tolist()] * 4)
        for chips in ([0, 0, 1, 2**32], [0, 0, 1.5, 1], [0, 0, -1, 1], [False] * 4, [0, 0, 9, 1]):
            with self.assertRaises((ValueError, TypeError)):
                gossipfab.generate(MACHINE, "out", chips=chips)

    def test_mpi(self):
        array = np.zeros(4)
        for call in (gossipfab.mpi.allreduce, gossipfab.mpi.reduce, gossipfab.mpi.broadcast, gossipfab.mpi.allgather):
            for comm, data, schedule in ((None, array, SCHEDULE), (5, array, SCHEDULE), (object(), array, SCHEDULE)):
                with self.assertRaisesRegex(TypeError, "a communicator of mpi4py is expected, not"):
                    call(comm, data, schedule)
        for data in ([1.0], None, 5, array.astype(object)):
            with self.assertRaises(TypeError):
                gossipfab.mpi._cut(data, 2)
        array.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "may be written"):
            gossipfab.mpi._cut(array, 2)

    def test_copies(self):
        graphs = [Topology(spec) for spec in ("mesh:2x3", "torus:3x3+relay=4:forward+weight=0-1:3/2", "machine:dgx1")]
        for topology in graphs + [Topology("path:3+weight=0-1:2").split()]:
            for again in (copy.copy(topology), copy.deepcopy(topology), pickle.loads(pickle.dumps(topology))):
                self.assertEqual((again, again.spec), (topology, topology.spec))
        for again in (copy.deepcopy(SCHEDULE), copy.copy(SCHEDULE), pickle.loads(pickle.dumps(SCHEDULE))):
            self.assertEqual(str(again), str(SCHEDULE))
        for again in (copy.deepcopy(MACHINE), pickle.loads(pickle.dumps(MACHINE))):
            self.assertEqual((repr(again), isinstance(again, Machine)), (repr(MACHINE), True))


if __name__ == "__main__":
    if sys.argv[1:] == ["ask"]:
        ask_all()
    else:
        unittest.main()
