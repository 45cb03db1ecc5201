# SPDX-License-Identifier: MIT
"""A schedule as what carries it out needs it: messages from node to node, and rounds of them cut into permutations.

The cut of a round is that of an open shop with interruptions (T. Gonzalez and S. Sahni, Open shop scheduling to minimize
finish time, J. ACM 23, 1976): as long as the busiest node sends or receives. Where all messages of a round are as long
as each other, it is a colouring of a bipartite graph's edges, in as many colours as the greatest degree (D. König,
1916)."""
from __future__ import annotations

import dataclasses
from typing import Dict, Iterator, List, Tuple

from ._declarations import ffi
from ._library import Call, lib, of_kind
from .errors import InvalidError
from .schedule import COMBINE, Schedule

NO_BLOCK = 2**32 - 1


@dataclasses.dataclass(frozen=True)
class Message:
    """What goes from one node to another in a round. order: the receiver's direction, in the rising order of which it
    combines what comes in a round. tokens: blocks, with COMBINE where they are combined."""

    source: int
    target: int
    order: int
    tokens: Tuple[int, ...]


def check_collective(schedule: Schedule, collective: str) -> None:
    """A ValueError where the schedule is of another one."""
    of_kind(Schedule, schedule, "a schedule")
    if schedule.goal.collective != collective:
        raise InvalidError(f"the schedule is of another collective: {schedule.goal.collective}, not {collective}")


class Plan:
    """All messages of a schedule. kept[r - 1] are those of round r; of a schedule that repeats those of its first group
    of blocks, which all groups repeat `period` rounds one after the other; period is 0 where it does not repeat."""

    def __init__(self, schedule: Schedule, collective: str, counts_once: bool = True):
        """counts_once: every contribution has to count once, as in a sum."""
        check_collective(schedule, collective)
        goal, topology = schedule.goal, schedule.topology
        if len(topology.members) != topology.nodes:
            raise InvalidError("relays are not for this: every node is a process or a device")
        if collective == "all-gather" and not lib.gfab_schedule_load(schedule._c):
            raise InvalidError("the nodes start with different numbers of tokens; take gossipfab-mpi")
        if counts_once and goal.idempotent:
            raise InvalidError("a schedule that may take a contribution more than once: it is for maxima and their like, "
                             "not for sums")
        with Call() as call:
            call.check(lib.gfab_schedule_check_listed(schedule._c, call.diag))
        self._schedule = schedule
        self.nodes, self.goal, self.rounds = topology.nodes, goal, schedule.rounds
        self.period, self.groups = int(lib.gfab_schedule_period(schedule._c)), int(lib.gfab_schedule_group_count(schedule._c))
        self.group = int(lib.gfab_schedule_group(schedule._c))
        self.kept = [self._read(number + 1) for number in range(int(lib.gfab_schedule_kept_rounds(schedule._c)))]

    def _read(self, number: int) -> List[Message]:
        schedule = self._schedule
        found, packet, topology = [], ffi.new("gfab_packet *"), schedule.topology._c
        take = lib.gfab_schedule_kept_round if self.period else lib.gfab_schedule_round
        packets = ffi.new("gfab_packet_iter *", take(schedule._c, number))
        while lib.gfab_packet_next(packets, packet):
            first, last = packet.arcs[0], packet.arcs[packet.arc_count - 1]
            found.append(Message(int(lib.gfab_topology_arc_from(topology, first)),
                                 int(lib.gfab_topology_arc_to(topology, last)),
                                 int(lib.gfab_topology_arrival(topology, last)),
                                 tuple(ffi.unpack(packet.tokens, packet.token_count))))
        return found

    def block_in(self, group: int, block: int) -> int:
        """A block of the kept group as it is numbered among all, in a group; NO_BLOCK where that group has it not."""
        return int(lib.gfab_schedule_block_in(self._schedule._c, group, block))

    @property
    def whole_groups(self) -> int:
        """How many groups have all their blocks: all groups, or all but the last."""
        return self.groups - any(self.block_in(self.groups - 1, block) == NO_BLOCK for block in range(self.group))

    def round(self, number: int) -> List[Message]:
        """Those of a round, from 1, with the blocks that they move."""
        if not self.period:
            return self.kept[number - 1]
        found = []
        for group in range(max(0, -((len(self.kept) - number) // self.period)), self.groups):
            if number - group * self.period < 1:
                break
            for message in self.kept[number - group * self.period - 1]:
                block = self.block_in(group, message.tokens[0] & ~COMBINE)
                if block != NO_BLOCK:
                    found.append(dataclasses.replace(message, tokens=(block | message.tokens[0] & COMBINE,)))
        return found

    def all_rounds(self) -> Iterator[List[Message]]:
        """Those of round after round."""
        return (self.round(number) for number in range(1, self.rounds + 1))


    def share(self, node: int) -> List[Tuple[List[Message], List[Message]]]:
        """What a node sends and receives, round after round, in the order in which receivers combine."""
        rounds = []
        for messages in self.all_rounds():
            messages = sorted(messages, key=lambda one: one.order)
            sends = [message for message in messages if message.source == node]
            receives = [message for message in messages if message.target == node]
            if sends or receives:
                rounds.append((sends, receives))
        return rounds


#: So many blocks, from each of these senders to its receiver, at most one each.
Permutation = Tuple[int, List[Tuple[int, int]]]


def permutations(sizes: Dict[Tuple[int, int], int], nodes: int) -> List[Permutation]:
    """Cuts messages, sizes[sender, receiver] blocks long, into permutations. Their lengths sum up to the most blocks that
    a node sends, or that a node receives. Messages of one length are not cut.

    The matrix of the sizes is filled up to twice its rows and columns, of which each sums up to that most; then what is
    not 0 has a perfect matching, by Hall's theorem, and what is left when it is taken out is such a matrix again."""
    out, into = [0] * nodes, [0] * nodes
    for (sender, receiver), size in sizes.items():
        out[sender] += size
        into[receiver] += size
    left = most = max(out + into, default=0)
    rows: List[Dict[int, int]] = [{} for _ in range(2 * nodes)]
    for (sender, receiver), size in sizes.items():
        rows[sender][receiver] = rows[nodes + receiver][nodes + sender] = size
    for node in range(nodes):
        for row, column, slack in ((node, nodes + node, most - out[node]), (nodes + node, node, most - into[node])):
            if slack:
                rows[row][column] = slack
    found: List[Permutation] = []
    column_of, row_of = [-1] * (2 * nodes), [-1] * (2 * nodes)
    while left:
        for row in range(2 * nodes):
            if column_of[row] < 0:
                _augment(rows, column_of, row_of, row)
        length = min(rows[row][column] for row, column in enumerate(column_of))
        found.append((length, [(row, column) for row, column in enumerate(column_of[:nodes]) if column < nodes]))
        left -= length
        for row, column in enumerate(column_of):
            rows[row][column] -= length
            if not rows[row][column]:
                del rows[row][column]
                column_of[row] = row_of[column] = -1
    return found


def _augment(rows: List[Dict[int, int]], column_of: List[int], row_of: List[int], start: int) -> None:
    """Matches one row more, along a shortest path of those that are matched and others by turns."""
    came: Dict[int, int] = {}
    queue = [start]
    for row in queue:
        for column in rows[row]:
            if column in came:
                continue
            came[column] = row
            if row_of[column] >= 0:
                queue.append(row_of[column])
                continue
            while column >= 0:
                row = came[column]
                column_of[row], row_of[column], column = column, row, column_of[row]
            return
    raise AssertionError("rows and columns that sum up alike have a perfect matching")
