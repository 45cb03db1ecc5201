#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pairs of calls by gossipfab.mpi: does a call depend on the call before it? pairs.h says in which order they come; the
schedules are made once. A renewal frees the communicator and makes another, with the ranks in the other order. As a
program: by the processes of mpi4py."""
import sys

import numpy as np

import gossipfab
import gossipfab.mpi

LENGTHS = (0, 1, 2, 5, 8, 40)


def schedules(ranks):
    """{(call, root): schedules}, of as many blocks as the collective needs, and of others."""
    made, full = {}, gossipfab.Model("full")
    for call, blocks in (("all-reduce", (None, 5)), ("reduce", (1, 3)), ("broadcast", (1, 4)), ("all-gather", (None,))):
        for root in (0, ranks - 1) if call in ("reduce", "broadcast") else (0,):
            made[call, root] = [gossipfab.solve(f"complete:{ranks}", full, gossipfab.Goal(call, number, root))
                                for number in blocks]
    return made


def forms(made, lengths):
    """(call, root, schedule, type, operator, length)"""
    for (call, root), several in made.items():
        for schedule in several:
            for kind, op in ((np.int64, np.add), (np.int8, np.maximum)):
                for length in lengths:
                    yield call, root, schedule, kind, op, length
    yield ("renewal",)


def order(letters):
    """Each letter behind each."""
    for i, one in enumerate(letters):
        yield one
        for other in letters[i + 1:]:
            yield one
            yield other
    yield letters[0]


def wrong(comm, number, call, root, schedule, kind, op, length):
    """One call, against arithmetic."""
    ranks, rank = comm.Get_size(), comm.Get_rank()
    data = [(np.arange(length * 2) * 7 + v * 31 + number * 13).astype(kind).reshape(length, 2) for v in range(ranks)]
    mine, area = data[rank].copy(), np.full((length + 2, 2), 99, kind)
    area[1:-1] = mine
    if call == "all-gather":
        return not np.array_equal(gossipfab.mpi.allgather(comm, mine, schedule), np.array(data))
    if call == "broadcast":
        gossipfab.mpi.broadcast(comm, area[1:-1], schedule)
        want = data[root]
    else:
        run = gossipfab.mpi.reduce if call == "reduce" else gossipfab.mpi.allreduce
        run(comm, area[1:-1], schedule, op)
        want = data[0].copy()
        for other in data[1:]:
            want = op(want, other)
    right = (call == "reduce" and rank != root) or np.array_equal(area[1:-1], want)
    return not right or (area[[0, -1]] != 99).any()


def play(make, made, lengths=LENGTHS):
    """make(renewal): a communicator. How many pairs there were, and how many were wrong."""
    faults, renewals, before, number = 0, 0, "nothing", 0
    comm = make(renewals)
    for number, letter in enumerate(order(list(forms(made, lengths)))):
        if letter[0] == "renewal":
            renewals += 1
            comm.Free()
            comm = make(renewals)
        elif wrong(comm, number, *letter):
            faults += 1
            if faults < 9:
                print(f"pairs: rank {comm.Get_rank()}: {letter} is wrong after {before}", file=sys.stderr)
        before = letter
    comm.Free()
    return number, faults


def main():
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    rank, ranks = world.Get_rank(), world.Get_size()
    pairs, faults = play(lambda renewal: world.Split(0, -rank if renewal % 2 else rank), schedules(ranks),
                         tuple(map(int, sys.argv[1:])) or LENGTHS)
    faults = world.allreduce(faults)
    if rank == 0:
        print(f"pairs: Python: {ranks} ranks: {pairs} pairs, {faults} wrong")
    sys.exit(faults != 0)


if __name__ == "__main__":
    main()
