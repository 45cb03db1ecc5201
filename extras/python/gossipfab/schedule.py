# SPDX-License-Identifier: MIT
"""Schedules: who sends what to whom in which round; made, checked, read and written."""
from __future__ import annotations

import dataclasses
import html
import os
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._library import (Call, Held, Progress, TextIn, enum_parse, ffi, lib, of_kind, own, path_in, place, shown,
                       text, text_in, text_out, whole)
from .errors import FaultError, InvalidError
from .topology import Topology, topology_of

#: A row of Schedule.moves: the block that goes over the link from one node to another in a round.
MOVE = np.dtype([("round", np.uint32), ("from", np.uint32), ("to", np.uint32), ("token", np.uint32), ("combine", bool)])
COMBINE = 1 << 31  # GFAB_COMBINE


@dataclasses.dataclass(frozen=True)
class Model:
    """What a network can do in a round.

    link_mode: "half": a link carries a packet one way in a round; "full": one each way. port_mode: "all": a node uses
    all its links in a round; "one": one of them. packet_tokens: most tokens in a packet. hop_rounds: a token received in
    round t may leave from round t + hop_rounds on. routing: "store-and-forward": a packet crosses one link in a round;
    "circuit": a path."""

    link_mode: str = "half"
    port_mode: str = "all"
    packet_tokens: int = 1
    hop_rounds: int = 1
    routing: str = "store-and-forward"

    @property
    def _c(self):
        return ffi.new("gfab_model *", {
            "link_mode": enum_parse(lib.gfab_link_mode_parse, self.link_mode, "link_mode"),
            "port_mode": enum_parse(lib.gfab_port_mode_parse, self.port_mode, "port_mode"),
            "packet_tokens": whole(self.packet_tokens, "packet_tokens", 1),
            "hop_rounds": whole(self.hop_rounds, "hop_rounds", 1),
            "routing": enum_parse(lib.gfab_routing_parse, self.routing, "routing")})

    @classmethod
    def _of(cls, c) -> "Model":
        return cls(text(lib.gfab_link_mode_name(c.link_mode)), text(lib.gfab_port_mode_name(c.port_mode)),
                   int(c.packet_tokens), int(c.hop_rounds), text(lib.gfab_routing_name(c.routing)))


_COLLECTIVES = "all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce", "barrier", "all-to-all"
_MODEL_WORDS = {"half": "link_mode", "full": "link_mode", "all": "port_mode", "one": "port_mode",
                "store-and-forward": "routing", "circuit": "routing"}


def model_of(model: Union[str, Model]) -> Model:
    """A word of a model stands for the model that has it, and else what all have: "full"."""
    if isinstance(model, str) and model in _MODEL_WORDS:
        return Model(**{_MODEL_WORDS[model]: model})
    if isinstance(model, Goal) or isinstance(model, str) and model in _COLLECTIVES:
        raise TypeError(f"{model!r} is what a schedule is for: goal={model!r}; the model is what a network can do, such as "
                        'Model(link_mode="full")')
    if isinstance(model, str):
        raise InvalidError(f"unknown model {shown(model)}; there are {', '.join(_MODEL_WORDS)}, and Model(..) of several")
    return of_kind(Model, model, "a model")


@dataclasses.dataclass(frozen=True)
class Goal:
    """What a schedule is for.

    collective: "all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce", "barrier", "all-to-all". blocks: of
    the vector; None: what the collective needs. root: of a broadcast or a reduce. idempotent: contributions may count
    more than once, as for and, or, min and max; None: in a barrier alone."""

    collective: str = "all-gather"
    blocks: Optional[int] = None
    root: int = 0
    idempotent: Optional[bool] = None

    def _of_nodes(self, nodes: int):
        out = ffi.new("gfab_goal *")
        with Call() as call:
            collective = enum_parse(lib.gfab_collective_parse, self.collective, "a collective")
            call.check(lib.gfab_goal_of(collective, nodes, out, call.diag))
            if self.blocks is not None:
                out.blocks = whole(self.blocks, "blocks", 1, COMBINE - 1)
            if self.idempotent is not None:
                out.idempotent = of_kind(bool, self.idempotent, "idempotent")
            out.root = whole(self.root, "root")
            call.check(lib.gfab_goal_check(out, nodes, call.diag))
        return out

    @classmethod
    def _of(cls, c) -> "Goal":
        return cls(text(lib.gfab_collective_name(c.collective)), int(c.blocks), int(c.root), bool(c.idempotent))


def goal_of(goal: Union[str, Goal]) -> Goal:
    """A collective's word stands for its goal: "all-reduce"."""
    return Goal(goal) if isinstance(goal, str) else of_kind(Goal, goal, "a goal")


def _move(number: int, row: Sequence) -> List[int]:
    """round, from, to, token, combine of a row."""
    try:
        cells = tuple(row)
    except TypeError:
        cells = ()
    if len(cells) not in (4, 5):
        raise TypeError(f"move {number}: (round, from, to, token), with combine behind it or not, is expected, not {shown(row)}")
    most = 2**32 - 1, 2**32 - 1, 2**32 - 1, COMBINE - 1
    found = [whole(*cell) for cell in zip(cells, (f"move {number}: {name}" for name in MOVE.names), (0, 0, 0, 0), most)]
    combine = cells[4] if len(cells) > 4 else False
    return [*found, int(combine) if isinstance(combine, (bool, np.bool_)) else whole(combine, f"move {number}: combine", 0, 1)]


def _is_plain(goal, members: int) -> bool:
    """An all-gather of one token a member, for which the library has a form of its own."""
    return goal.collective == lib.GFAB_ALL_GATHER and goal.blocks == members


@dataclasses.dataclass(frozen=True)
class Bound:
    """A lower bound: no schedule has fewer rounds. source: the paper, or "folklore"."""

    name: str
    rounds: int
    argument: str
    source: str


@dataclasses.dataclass(frozen=True)
class Report:
    """What a verification found. fault is "" where the schedule is good; round, link, node and token are those of the
    first fault, None where they do not apply. moves counts link uses, redundant deliveries of what a node has or gets
    anyway, startups rounds that have a packet, transfers the tokens of each round's longest packet, summed."""

    fault: str
    message: str
    round: int
    link: Optional[int]
    node: Optional[int]
    token: Optional[int]
    rounds: int
    moves: int
    redundant: int
    startups: int
    transfers: int


class Schedule(Held):
    """A schedule of a collective on a topology under a model; made by solve(), read(), parse() or from_moves()."""

    __slots__ = ("topology",)
    topology: Topology

    def __init__(self) -> None:
        raise TypeError("a schedule is made by solve(), Schedule.read(), Schedule.parse() or Schedule.from_moves()")

    @classmethod
    def _of(cls, topology: Topology, pointer) -> "Schedule":
        self = cls.__new__(cls)
        self._hold(topology=topology, _c=own(pointer, lib.gfab_schedule_destroy, topology._c))  # C borrows the topology
        return self

    @classmethod
    def parse(cls, content: Union[str, bytes], where: str = "") -> "Schedule":
        """From the text of a .gfs file (docs/reference/schedule-format.md). Raises ParseError with the line."""
        topology, schedule = ffi.new("gfab_topology **"), ffi.new("gfab_schedule **")
        with Call() as call, TextIn(content, "a schedule's text") as file:
            call.check(lib.gfab_schedule_read(file, call.progress, topology, schedule, call.diag), where)
        return cls._of(Topology._of(topology[0]), schedule[0])

    @classmethod
    def read(cls, path: Union[str, os.PathLike]) -> "Schedule":
        """From a .gfs file."""
        name = os.fsdecode(path_in(path, "path"))
        with open(name, "rb") as file:
            return cls.parse(file.read(), name)

    @classmethod
    def from_moves(cls, topology: Union[str, Topology, Any], moves: Sequence, model: Union[str, Model] = Model(),
                   goal: Union[str, Goal] = Goal()) -> "Schedule":
        """From rows (round, from, to, token, combine), or (round, from, to, token), by rising rounds, which count from
        1. It may be wrong: verify() says how. Raises InvalidError where there is no such link or token."""
        topology = topology_of(topology)
        out = ffi.new("gfab_schedule **")
        wanted, arc = goal_of(goal)._of_nodes(len(topology.members)), ffi.new("gfab_arc *")
        with Call() as call:
            call.check(lib.gfab_schedule_create(topology._c, model_of(model)._c, out))
            schedule = cls._of(topology, out[0])
            if not _is_plain(wanted, len(topology.members)):
                call.check(lib.gfab_schedule_set_goal(out[0], wanted, call.diag))
            for number, row in enumerate(moves):
                round_, from_, to, token, combine = _move(number, row)
                if max(from_, to) >= topology.nodes or not lib.gfab_topology_find_arc(topology._c, from_, to, arc):
                    raise InvalidError(f"move {number}: {topology.name} has no link from {from_} to {to}")
                call.check(lib.gfab_schedule_append(out[0], round_, arc[0], token | COMBINE * combine), f"move {number}")
        return schedule

    def split(self) -> "Schedule":
        """The same over the links of topology.split(): the packets that a link carries in a round have one each."""
        topology, out = self.topology.split(), ffi.new("gfab_schedule **")
        with Call() as call:
            call.check(lib.gfab_schedule_split(self._c, topology._c, out, call.diag))
        return Schedule._of(topology, out[0])

    @property
    def model(self) -> Model:
        """What the schedule takes of the network."""
        return Model._of(lib.gfab_schedule_model(self._c))

    @property
    def goal(self) -> Goal:
        """What it is for."""
        return Goal._of(lib.gfab_schedule_goal(self._c))

    @property
    def solver(self) -> str:
        """Who made it; "" if that is unknown."""
        return text(lib.gfab_schedule_solver(self._c))

    @property
    def rounds(self) -> int:
        """How many rounds it takes."""
        return int(lib.gfab_schedule_rounds(self._c))

    @property
    def moves(self) -> np.ndarray:
        """Every move, sorted: dtype MOVE, shape (moves,). A packet of several tokens is several rows; one that
        follows a path is a row for each of its links."""
        rows: List[Tuple[int, int, int, int, bool]] = []
        packet, topology = ffi.new("gfab_packet *"), self.topology._c
        with Call() as call:
            call.check(lib.gfab_schedule_check_listed(self._c, call.diag))
        for round_ in range(1, self.rounds + 1):
            packets = ffi.new("gfab_packet_iter *", lib.gfab_schedule_round(self._c, round_))
            while lib.gfab_packet_next(packets, packet):
                for arc in ffi.unpack(packet.arcs, packet.arc_count):
                    ends = lib.gfab_topology_arc_from(topology, arc), lib.gfab_topology_arc_to(topology, arc)
                    for token in ffi.unpack(packet.tokens, packet.token_count):
                        rows.append((round_, *ends, token & ~COMBINE, token >= COMBINE))
        return np.array(sorted(rows), dtype=MOVE)

    def expression(self, block: int, node: int = 0) -> str:
        """In which order a block's total at a node is added up, such as "((n0 + n1) + n2)". Raises IndexError where
        there is no such block or node."""
        block, node = place(block, "block", self.goal.blocks), place(node, "node", self.topology.nodes)
        out = ffi.new("gfab_expression **")
        with Call() as call:
            call.check(lib.gfab_expression_create(self._c, block, out, call.diag))
            expression = ffi.gc(out[0], lib.gfab_expression_destroy)
            term = lib.gfab_expression_result(expression, node)
            return text_out(lambda file: call.check(lib.gfab_expression_write(expression, term, file)))

    def write(self, path: Union[str, os.PathLike]) -> None:
        """As a .gfs file."""
        content = str(self)
        with open(path_in(path, "path"), "w", encoding="utf-8") as file:
            file.write(content)

    def csv(self) -> str:
        """As CSV, a move a row."""
        return self._text(lib.gfab_schedule_write_csv)

    def _text(self, write) -> str:
        with Call() as call:
            return text_out(lambda file: call.check(write(self._c, file, call.progress, call.diag)))

    def __str__(self) -> str:
        """The text of the .gfs file."""
        return self._text(lib.gfab_schedule_write)

    def __reduce__(self):
        """By its text: schedules go to other processes, and to files of pickle."""
        return Schedule.parse, (str(self),)

    def one_bracket(self) -> bool:
        """Is every block added up in one bracketing, at every node? What commutes counts as the same."""
        with Call() as call:
            status = lib.gfab_expression_check_one(self._c, call.diag)
            if status != lib.GFAB_ERR_FAULT:
                call.check(status)
        return status == lib.GFAB_OK

    def _repr_html_(self) -> str:
        """The page that plays it, in a frame of its own, for notebooks."""
        bound = ffi.new("uint64_t[1]")
        played = ffi.new("gfab_schedule *[1]", [self._c])
        player = ffi.new("gfab_player *", {"schedules": played, "bounds": bound, "count": 1})
        with Call() as call:
            page = text_out(lambda file: call.check(lib.gfab_player_write(player, file, call.diag)))
        return f'<iframe srcdoc="{html.escape(page)}" width="100%" height="640" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<Schedule: {self.goal.collective} on {self.topology.name}, {self.rounds} rounds>"


def solvers() -> List[str]:
    """The names of all solvers."""
    found, index = [], 0
    while (solver := lib.gfab_solver_at(index)) != ffi.NULL:
        found.append(text(solver.name))
        index += 1
    return found


def solve(topology: Union[str, Topology, Any], model: Union[str, Model] = Model(), goal: Union[str, Goal] = Goal(), *, solver: str = "auto",
          seed: int = 1, effort: int = 0, rounds: int = 0, parameters: Optional[str] = None,
          progress: Optional[Progress] = None) -> Schedule:
    """Makes a schedule, in few rounds: for a gossip on n x n meshes and on m x n tori the fewest that
    are possible.

    topology: words, a Topology, or a graph of networkx. model: a Model, or one word of it, "full" for a model whose links
    are that. effort: tries of a solver that searches, 0: its own. rounds: most that are allowed (UnsupportedError where none is
    found), 0: any. parameters: the solver's own settings, "a=3,b=1". progress(what, done, total) is called several times
    a second; where it returns False the work ends with InterruptedError, as it does on Ctrl-C with KeyboardInterrupt."""
    topology = topology_of(topology)
    found = lib.gfab_solver_find(text_in(solver, "a solver"))
    if found == ffi.NULL:
        raise InvalidError(f"unknown solver {solver!r}; there are {', '.join(solvers())}")
    wanted = goal_of(goal)._of_nodes(len(topology.members))
    options = ffi.new("gfab_solver_options *", lib.gfab_solver_options_default())
    settings = ffi.new("char[]", text_in(parameters, "parameters")) if parameters is not None else ffi.NULL
    asked = model_of(model)._c
    out = ffi.new("gfab_schedule **")
    with Call(progress) as call:
        options.seed = whole(seed, "seed", 0, 2**64 - 1)
        options.effort, options.rounds = whole(effort, "effort"), whole(rounds, "rounds")
        options.parameters, options.progress = settings, call.progress
        if not _is_plain(wanted, len(topology.members)):
            options.goal = wanted
        call.check(lib.gfab_solver_check_options(found, options, call.diag))
        call.check(found.solve(topology._c, asked, options, out, call.diag))
    return Schedule._of(topology, out[0])


def verify(schedule: Schedule, model: Union[str, Model, None] = None, progress: Optional[Progress] = None) -> Report:
    """Replays a schedule under its model, or another one, by a checker that knows nothing of solvers. Raises FaultError,
    whose report says where, if it does not do what its goal says."""
    found = ffi.new("gfab_verify_report *")
    of_kind(Schedule, schedule, "a schedule")
    under = model_of(model)._c if model is not None else lib.gfab_schedule_model(schedule._c)
    with Call(progress) as call:
        status = lib.gfab_verify(schedule.topology._c, under, schedule._c, call.progress, found)
        place = [None if value == 0xFFFFFFFF else int(value) for value in (found.link, found.node, found.token)]
        faulty = found.fault != lib.GFAB_FAULT_NONE
        report = Report(text(lib.gfab_fault_name(found.fault)) if faulty else "", text(found.message), int(found.round),
                        *place, int(found.rounds), int(found.moves), int(found.redundant), int(found.startups),
                        int(found.transfers))
        if status == lib.GFAB_ERR_FAULT:
            error = FaultError(report.message)
            error.report = report
            raise error
        call.check(status)
    return report


def bounds(topology: Union[str, Topology, Any], model: Union[str, Model] = Model(), goal: Union[str, Goal] = Goal(),
           progress: Optional[Progress] = None) -> List[Bound]:
    """All lower bounds on the rounds that are known, the best first."""
    topology = topology_of(topology)
    found, count = ffi.new("gfab_bound[]", 16), ffi.new("size_t *")
    with Call(progress) as call:
        wanted = goal_of(goal)._of_nodes(len(topology.members))
        call.check(lib.gfab_bound_goal(topology._c, model_of(model)._c, wanted, call.progress, found, count))
    return [Bound(text(bound.name), int(bound.rounds), text(bound.argument), text(bound.source))
            for bound in found[0:count[0]]]
