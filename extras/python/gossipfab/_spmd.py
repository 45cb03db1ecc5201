# SPDX-License-Identifier: MIT
"""A schedule as one program for all devices: tables with a row a device, by which each does its own part of a round.

A device keeps its blocks in the rows of an array. A round gathers rows, sends them by permutations, and then stores or
combines what came, in layers: one layer has at most one message of a block, so that several messages of a block are
combined in the order of the receiver's directions, whichever permutations they came by."""
from __future__ import annotations

import collections
import dataclasses
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ._plan import Message, Permutation, Plan, permutations
from .schedule import COMBINE

#: The row of what a device does not do; each of a device's is another one, behind all that there are.
UNUSED = 1 << 30
Table = np.ndarray[Any, np.dtype[Any]]


@dataclasses.dataclass
class Layer:
    """What came that is stored or combined at once: by row of what came, row of the state, combine or not."""

    came: Table
    rows: Table
    combine: Table


@dataclasses.dataclass
class Round:
    """sends: for each permutation the rows that a device sends."""

    permutations: List[Permutation]
    sends: List[Table]
    layers: List[Layer]


@dataclasses.dataclass(eq=False)
class Program:
    """rounds: first those of `before`, then `trips` times those of `loop`, whose rows move on by `step` each trip, then
    those of `after`. starts, ends: the rows of what a device starts with, and of what it wants. root: of a broadcast."""

    nodes: int
    parts: int
    rows: int
    starts: Table
    ends: Table
    wants: List[bool]
    before: List[Round]
    loop: List[Round]
    after: List[Round]
    trips: int
    step: int
    root: Optional[int]


def _table(lists: Sequence[Sequence[int]], pad: int = 0, unused: bool = False) -> Table:
    width = max(map(len, lists))
    return np.array([[*row, *(UNUSED + at if unused else pad for at in range(len(row), width))] for row in lists], np.int32)


def _round(messages: List[Message], row_of: Sequence[Dict[int, int]], nodes: int) -> Round:
    between: Dict[Tuple[int, int], List[Tuple[int, int]]] = {}
    for message in messages:
        between.setdefault((message.source, message.target), []).extend((message.order, token) for token in message.tokens)
    cut = permutations({ends: len(blocks) for ends, blocks in between.items()}, nodes)
    sends, base = [], 0
    came: List[Dict[int, List[Tuple[int, int, int]]]] = [collections.defaultdict(list) for _ in range(nodes)]
    taken: Dict[Tuple[int, int], int] = collections.Counter()
    for length, pairs in cut:
        rows: List[List[int]] = [[0] * length for _ in range(nodes)]
        for ends in pairs:
            part = between[ends][taken[ends]:taken[ends] + length]
            taken[ends] += length
            rows[ends[0]] = [row_of[ends[0]][token & ~COMBINE] for _, token in part]
            for at, (order, token) in enumerate(part):
                came[ends[1]][token & ~COMBINE].append((order, base + at, token & COMBINE))
        sends.append(_table(rows))
        base += length
    return Round(cut, sends, _layers(came, row_of))


def _layers(came: List[Dict[int, List[Tuple[int, int, int]]]], row_of: Sequence[Dict[int, int]]) -> List[Layer]:
    layers = []
    for depth in range(max((len(of_block) for blocks in came for of_block in blocks.values()), default=0)):
        at = [[(row_of[node][block], *sorted(of_block)[depth]) for block, of_block in blocks.items() if len(of_block) > depth]
              for node, blocks in enumerate(came)]
        layers.append(Layer(_table([[came_at for _, _, came_at, _ in own] for own in at]),
                            _table([[row for row, _, _, _ in own] for own in at], unused=True),
                            _table([[bool(combine) for _, _, _, combine in own] for own in at]).astype(bool)))
    return layers


def _held(plan: Plan, node: int) -> List[int]:
    """The blocks that a node starts with, in rising order. What does not hold a broadcast's has room for them."""
    blocks, nodes = plan.goal.blocks or 1, plan.nodes
    if plan.goal.collective == "all-gather":
        return list(range(node * (blocks // nodes), (node + 1) * (blocks // nodes)))
    if plan.goal.collective == "all-to-all":
        return list(range(node * nodes, (node + 1) * nodes))
    return list(range(blocks))


def _wanted(plan: Plan, node: int) -> List[int]:
    blocks, nodes = plan.goal.blocks or 1, plan.nodes
    if plan.goal.collective == "reduce-scatter":
        return list(range(node * (blocks // nodes), (node + 1) * (blocks // nodes)))
    if plan.goal.collective == "all-to-all":
        return list(range(node, nodes * nodes, nodes))
    return list(range(blocks))


def _rows(plan: Plan) -> List[Dict[int, int]]:
    """The row of each block at each node: what it starts with first, then what comes, in that order. Of a schedule that
    repeats a block's own number, so that the rows of a group are those of the group before, moved on."""
    if plan.period:
        same = {block: block for block in range(plan.goal.blocks or 1)}
        return [same] * plan.nodes
    row_of = [{block: row for row, block in enumerate(_held(plan, node))} for node in range(plan.nodes)]
    for messages in plan.all_rounds():
        for message in messages:
            for token in message.tokens:
                row_of[message.target].setdefault(token & ~COMBINE, len(row_of[message.target]))
    return row_of


def program(plan: Plan) -> Program:
    """The tables of a plan. While whole groups of all ages are on their way, a period is one trip of a loop."""
    row_of, nodes, blocks = _rows(plan), plan.nodes, plan.goal.blocks or 1
    scattered = plan.goal.collective in ("all-gather", "reduce-scatter")
    ages = -(-len(plan.kept) // plan.period) if plan.period else 1
    trips = plan.whole_groups - ages + 1 if plan.period else 0
    if trips < 2:
        trips = 0
    first = (ages - 1) * plan.period if trips else plan.rounds
    behind = first + trips * plan.period
    made = [_round(plan.round(number + 1), row_of, nodes)
            for number in range(plan.rounds) if number < first + plan.period or number >= behind]
    loop = first + plan.period if trips else first
    return Program(nodes, blocks // nodes if scattered else 1, max(len(own) for own in row_of),
                   _table([[row_of[node][block] for block in _held(plan, node)] for node in range(nodes)]),
                   _table([[row_of[node][block] for block in _wanted(plan, node)] for node in range(nodes)]),
                   [plan.goal.collective != "reduce" or node == plan.goal.root for node in range(nodes)],
                   made[:first], made[first:loop], made[loop:], trips,
                   plan.group // nodes if scattered else plan.group,
                   plan.goal.root if plan.goal.collective == "broadcast" else None)
