# SPDX-License-Identifier: MIT
"""Schedules carried out by the processes of mpi4py: rank v of a communicator is node v.

    from mpi4py import MPI
    import gossipfab, gossipfab.mpi
    schedule = gossipfab.solve("hypercube:2", gossipfab.Model(link_mode="full"), "all-reduce")
    gossipfab.mpi.allreduce(MPI.COMM_WORLD, array, schedule)

Arrays of NumPy are sent and received where they are. A sum has the bits that schedule.expression() says, whichever
message comes first: what comes in a round is combined in rising order of the receiver's directions."""
from __future__ import annotations

import threading
from typing import Callable, Dict, List

import numpy as np

from . import _plan
from ._library import of_kind, shown
from .errors import InvalidError
from .schedule import COMBINE, Schedule

__all__ = ["Plan", "allgather", "allreduce", "broadcast", "reduce"]


def _check(comm, needed: str) -> None:
    if not hasattr(comm, needed):
        raise TypeError(f"a communicator of mpi4py is expected, not {shown(comm)}")


class Plan:
    """A rank's share of a schedule, made once and used often, with the communicator that it sends on. Collective."""

    def __init__(self, comm, schedule: Schedule):
        _check(comm, "Dup")
        of_kind(Schedule, schedule, "a schedule")
        if comm.Get_size() != schedule.topology.nodes:
            raise InvalidError(f"the schedule has {schedule.topology.nodes} nodes, but there are {comm.Get_size()} ranks")
        self.schedule, self.goal, self.rank = schedule, schedule.goal, comm.Get_rank()
        self._rounds = _plan.Plan(schedule, self.goal.collective, False).share(self.rank)
        self._comm = comm.Dup()

    def free(self) -> None:
        """Gives the communicator back. Collective."""
        self._comm.Free()

    def run(self, blocks: List[np.ndarray], combine: Callable) -> None:
        """blocks[b]: what this rank has of block b, and gets; combine(a, b, out) as np.add."""
        for sends, receives in self._rounds:
            requests, staged = [], []
            for message in receives:
                room = [np.empty_like(blocks[token & ~COMBINE]) for token in message.tokens]
                staged.append((message, room))
                requests += [self._comm.Irecv(part, message.source, message.order) for part in room]
            for message in sends:
                requests += [self._comm.Isend(blocks[token & ~COMBINE], message.target, message.order)
                             for token in message.tokens]
            for request in requests:
                request.Wait()
            for message, room in staged:
                for token, part in zip(message.tokens, room):
                    block = blocks[token & ~COMBINE]
                    if token & COMBINE:
                        combine(block, part, out=block)
                    else:
                        block[...] = part


# Under which a communicator has its plans. They hang on it and go with it: one that is made later may get its handle,
# but has other ranks.
_keyvals: List[int] = []
_lock = threading.Lock()


def _forget(_comm, _keyval: int, plans: Dict[int, Plan]) -> None:
    for plan in plans.values():
        plan.free()


def _plan_of(comm, schedule: Schedule, collective: str) -> Plan:
    """One for each communicator and schedule. The communicator keeps them: one that is freed takes its plans along, and
    another one that gets its handle has none."""
    _check(comm, "Get_attr")
    of_kind(Schedule, schedule, "a schedule")
    _plan.check_collective(schedule, collective)
    with _lock:
        if not _keyvals:
            _keyvals.append(type(comm).Create_keyval(delete_fn=_forget))
    plans = comm.Get_attr(_keyvals[0])
    if plans is None:
        plans = {}
        comm.Set_attr(_keyvals[0], plans)
    if id(schedule) not in plans:
        plans[id(schedule)] = Plan(comm, schedule)  # which keeps the schedule, so that its id stays its own
    return plans[id(schedule)]


def _cut(array: np.ndarray, blocks: int) -> List[np.ndarray]:
    """Views of an array's elements, as libgossipfab_mpi cuts a vector."""
    if not of_kind(np.ndarray, array, "what is sent").flags.writeable:
        raise InvalidError("an array that may be written, please: what the others send comes into it")
    if array.dtype.hasobject:
        raise TypeError(f"an array of numbers, please, not of {array.dtype}")
    if not array.flags.c_contiguous:
        raise InvalidError("an array whose elements lie one behind the other, please: numpy.ascontiguousarray makes one")
    flat = array.reshape(-1)
    return [flat[len(flat) * b // blocks:len(flat) * (b + 1) // blocks] for b in range(blocks)]


# Of NumPy's operators those that count a contribution as often as it comes.
_COUNTING = (np.add, np.subtract, np.multiply, np.divide, np.bitwise_xor, np.logical_xor, np.logaddexp, np.logaddexp2)


def _check_operator(schedule: Schedule, op: Callable) -> None:
    if schedule.goal.idempotent and op in _COUNTING:
        raise InvalidError("a schedule that may take a contribution more than once: for numpy.maximum and its like, not "
                         f"for {getattr(op, '__name__', op)}")


def allreduce(comm, array: np.ndarray, schedule: Schedule, op: Callable = np.add) -> np.ndarray:
    """Every rank's array becomes the sum of all, in place; op: a ufunc of NumPy's, such as np.maximum."""
    _check_operator(schedule, op)
    plan = _plan_of(comm, schedule, "all-reduce")
    plan.run(_cut(array, plan.goal.blocks), op)
    return array


def reduce(comm, array: np.ndarray, schedule: Schedule, op: Callable = np.add) -> np.ndarray:
    """The array of the schedule's root becomes the sum of all, in place; what the others have then means nothing."""
    _check_operator(schedule, op)
    plan = _plan_of(comm, schedule, "reduce")
    plan.run(_cut(array, plan.goal.blocks), op)
    return array


def broadcast(comm, array: np.ndarray, schedule: Schedule) -> np.ndarray:
    """Every rank's array becomes that of the schedule's root."""
    plan = _plan_of(comm, schedule, "broadcast")
    plan.run(_cut(array, plan.goal.blocks), np.add)
    return array


def allgather(comm, array: np.ndarray, schedule: Schedule) -> np.ndarray:
    """All ranks' arrays, of one shape: row v is rank v's."""
    plan = _plan_of(comm, schedule, "all-gather")
    rows = np.empty((comm.Get_size(),) + of_kind(np.ndarray, array, "what is sent").shape, array.dtype)
    rows[comm.Get_rank()] = array
    parts = plan.goal.blocks // comm.Get_size()
    plan.run([part for row in rows for part in _cut(row, parts)], np.add)
    return rows
