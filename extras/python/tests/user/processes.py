# SPDX-License-Identifier: MIT
"""Four processes of mpi4py, and a graph of networkx."""
import networkx
import numpy as np
from mpi4py import MPI

import gossipfab
import gossipfab.mpi

FULL = gossipfab.Model("full")
COMM = MPI.COMM_WORLD
RANK = COMM.Get_rank()
DATA = [np.random.default_rng(rank).standard_normal(1000) for rank in range(4)]


def binary(graph, goal):
    return gossipfab.solve(graph, FULL, goal, solver="bracket", parameters="bracket=binary")


def same(what, got, want):
    if not (got == want).all():
        raise AssertionError(f"rank {RANK}: {what}: other bits")


TOTAL = (DATA[0] + DATA[1]) + (DATA[2] + DATA[3])
SCHEDULE = binary("hypercube:2", "all-reduce")
for shape in ((1000,), (10, 100)):  # the second call has its plan
    ARRAY = DATA[RANK].copy().reshape(shape)
    if gossipfab.mpi.allreduce(COMM, ARRAY, SCHEDULE) is not ARRAY:
        raise AssertionError("an all-reduce is in place")
    same("allreduce", ARRAY, TOTAL.reshape(shape))
GOT = gossipfab.mpi.reduce(COMM, DATA[RANK].copy(), binary("hypercube:2", gossipfab.Goal("reduce", root=2)))
if RANK == 2:
    same("reduce", GOT, TOTAL)
same("maximum", gossipfab.mpi.allreduce(COMM, DATA[RANK].copy(), SCHEDULE, np.maximum), np.maximum.reduce(DATA))
RING = gossipfab.Topology.from_networkx(networkx.cycle_graph(4))
same("broadcast", gossipfab.mpi.broadcast(COMM, DATA[RANK].copy(),
                                          gossipfab.solve(RING, FULL, gossipfab.Goal("broadcast", root=1))), DATA[1])
same("allgather", gossipfab.mpi.allgather(COMM, DATA[RANK].copy(), gossipfab.solve(RING, FULL)), np.array(DATA))
for wrong, error in ((lambda: gossipfab.mpi.allreduce(COMM, DATA[RANK], gossipfab.solve(RING, FULL)), "all-gather"),
                     (lambda: gossipfab.mpi.Plan(COMM, gossipfab.solve("path:3")), "4 ranks"),
                     (lambda: gossipfab.mpi.allreduce(COMM, DATA[RANK][::2], SCHEDULE), "ascontiguousarray")):
    try:
        wrong()
        raise AssertionError(error)
    except ValueError as said:
        if error not in str(said):
            raise
for color in (0, RANK % 2):  # a communicator takes its plans along; the next one may get its handle
    PART = COMM.Split(color, RANK)
    NODES = PART.Get_size()
    SUM = gossipfab.mpi.allreduce(PART, np.array([1.0]), SCHEDULE if NODES == 4 else binary("hypercube:1", "all-reduce"))
    same("parts", SUM, [NODES])
    if NODES == 2:
        try:
            gossipfab.mpi.allreduce(PART, np.array([1.0]), SCHEDULE)
            raise AssertionError("a schedule of 4 nodes is taken for 2 ranks")
        except ValueError:
            pass
    PART.Free()
GRAPH = networkx.DiGraph()
GRAPH.add_edge("a", "b", weight=2)
GRAPH.add_edge("b", "switch")
GRAPH.add_edge("switch", "a")
GRAPH.add_node("switch", relay=True)
TOPOLOGY = gossipfab.Topology.from_networkx(GRAPH)
if (TOPOLOGY.members.tolist(), TOPOLOGY.weights.tolist()) != ([0, 1], [2, 1, 1]):
    raise AssertionError(TOPOLOGY.spec)
gossipfab.verify(gossipfab.solve(TOPOLOGY, FULL, "broadcast"))
GRAPH.add_node("switch", relay="forward")
if ":forward" not in gossipfab.Topology.from_networkx(GRAPH).spec:
    raise AssertionError(gossipfab.Topology.from_networkx(GRAPH).spec)
if RANK == 0:
    print("user: good")
