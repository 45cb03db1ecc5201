# SPDX-License-Identifier: MIT
"""Schedules in other tools' formats; which solver is fastest where starting a message has a price, or for a length; what
is left of a schedule where a link has died; proofs and certificates."""
from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any, List, Optional, Sequence, Union

from ._library import Call, Progress, TextIn, ffi, lib, libc, of_kind, shown, text, text_in, text_out, whole
from .errors import InvalidError
from .schedule import Goal, Model, Schedule, goal_of, model_of, solve, solvers as all_solvers, verify
from .topology import Topology, topology_of


def formats() -> List[str]:
    """The names of the formats that convert() and read_format() know; folders are the command's alone."""
    found, index = [], 0
    while (known := lib.gfab_format_at(index)) != ffi.NULL:
        if not known.folder:
            found.append(text(known.name))
        index += 1
    return found


def _format(name: str):
    if of_kind(str, name, "a format") not in formats():
        raise InvalidError(f"unknown format {name!r}; there are {', '.join(formats())}")
    return lib.gfab_format_find(name.encode())


def convert(schedule: Schedule, to: str, progress: Optional[Progress] = None) -> str:
    """A schedule in another tool's format, such as "msccl": the text of its file. Raises UnsupportedError where the
    format has no place for it."""
    wanted = _format(to)
    of_kind(Schedule, schedule, "a schedule")
    if wanted.write == ffi.NULL:
        raise InvalidError(f"no schedule is written as {to}")
    with Call(progress) as call:
        return text_out(lambda file: call.check(wanted.write(schedule._c, file, call.progress, call.diag)))


def read_format(content: str, format: str, topology: Union[str, Topology, None] = None,
                goal: Union[str, Goal, None] = None) -> Schedule:
    """A schedule from the text of another tool's file. topology: the graph, where the file does not say it; goal: of
    csv, None: an all-gather."""
    known = _format(format)
    if known.read == ffi.NULL:
        raise InvalidError(f"no schedule is read from {format}")
    given = topology_of(topology) if topology is not None else None
    if goal is not None and given is None:
        raise InvalidError("a goal is of a topology: give it too")
    options = ffi.new("gfab_format_options *", lib.gfab_format_options_default(known))
    graph, schedule = ffi.new("gfab_topology **"), ffi.new("gfab_schedule **")
    if given is not None:
        options.topology = given._c
    wanted = goal_of(goal)._of_nodes(len(given.members)) if given is not None and goal is not None else ffi.NULL
    options.goal = wanted
    with Call() as call, TextIn(content, "the file's text") as file:
        options.progress = call.progress
        call.check(known.read(file, options, graph, schedule, call.diag))
    if graph[0] == ffi.NULL and given is not None:
        return Schedule._of(given, schedule[0])
    return Schedule._of(Topology._of(graph[0]), schedule[0])


@dataclasses.dataclass(frozen=True)
class Advice:
    """What a solver's schedule costs: startups * startup + transfers, total, in units of one token's transfer. total is
    None where that is not known; reason says why."""

    solver: str
    model: Model
    startups: int
    transfers: Fraction
    total: Optional[Fraction]
    reason: str


def _advice(one) -> Advice:
    known = one.source != lib.GFAB_ADVICE_NONE
    return Advice(text(one.solver.name), Model._of(one.model), int(one.cost.startups) if known else 0,
                  Fraction(int(one.cost.transfers), int(one.cost.parts)) if known else Fraction(0),
                  Fraction(int(one.total.numerator), int(one.total.denominator)) if known else None,
                  "" if known else text(one.reason))


def _price(startup: Union[int, float, str, Fraction], what: str = "startup") -> List[int]:
    """Numerator and denominator; of a float those of the decimals that it is written with."""
    try:
        if isinstance(startup, bool):
            raise TypeError
        price = Fraction(str(startup) if isinstance(startup, float) else startup)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        raise InvalidError(f'{what} is a number such as 50, "0.25" or Fraction(1, 3), not {shown(startup)}') from None
    return [whole(price.numerator, f"{what}'s numerator", 0, 2**64 - 1),
            whole(price.denominator, f"{what}'s denominator", 1, 2**64 - 1)]


def _models(models: Union[str, Model, Sequence[Model]]) -> List[Model]:
    asked = [model_of(model) for model in ([models] if isinstance(models, str) or not hasattr(models, "__iter__") else models)]
    if not asked:
        raise InvalidError("no model is given; the solvers are asked about one at least")
    return asked


def advise(topology: Union[str, Topology, Any], startup: Union[int, float, str, Fraction] = 0,
           models: Union[str, Model, Sequence[Model]] = Model(), progress: Optional[Progress] = None) -> List[Advice]:
    """All solvers of gossip that apply, best first, where starting a message costs as much as the transfer of so many
    tokens: 50, "0.25", Fraction(1, 3)."""
    topology = topology_of(topology)
    asked = _models(models)
    price = _price(startup)
    options = ffi.new("gfab_adviser_options *", lib.gfab_adviser_options_default())
    all_models = ffi.new("gfab_model[]", [model._c[0] for model in asked])
    adviser = ffi.new("gfab_adviser **")
    listed, count = ffi.new("gfab_advice **"), ffi.new("size_t *")
    options.models, options.model_count = all_models, len(asked)
    with Call(progress) as call:
        options.solver.progress = call.progress
        call.check(lib.gfab_adviser_create(topology._c, options, adviser, call.diag))
        try:
            call.check(lib.gfab_adviser_rank(adviser[0], price, listed, count, call.diag))
            return [_advice(listed[0][index]) for index in range(count[0])]
        finally:
            lib.gfab_adviser_destroy(adviser[0])


@dataclasses.dataclass(frozen=True)
class LengthAdvice:
    """The best schedule of a solver for a message of a length: under which model, in how many blocks, and how many
    microseconds it takes. make() makes it."""

    topology: Topology
    solver: str
    parameters: Optional[str]
    model: Model
    goal: Goal
    microseconds: float

    def make(self) -> Schedule:
        return solve(self.topology, self.model, self.goal, solver=self.solver, parameters=self.parameters)


def advise_length(topology: Union[str, Topology, Any], goal: Union[str, Goal], nbytes: int, *,
                  latency: Union[int, float, str, Fraction] = 1, bandwidth: Union[int, float, str, Fraction] = 50,
                  models: Union[str, Model, Sequence[Model]] = Model("full"), solvers: Sequence[str] = (),
                  progress: Optional[Progress] = None) -> List[LengthAdvice]:
    """The solvers of a collective by the time that a message of so many bytes takes, best first. latency: microseconds of
    a message; bandwidth: GB/s of a link, 10^9 bytes. solvers: these alone. The bytes are those of all blocks together: of
    an all-gather or an all-to-all all nodes'."""
    topology, asked = topology_of(topology), _models(models)
    found = [lib.gfab_solver_find(text_in(name, "a solver")) for name in solvers]
    for name, solver in zip(solvers, found):
        if solver == ffi.NULL:
            raise InvalidError(f"unknown solver {name!r}; there are {', '.join(all_solvers())}")
    options = ffi.new("gfab_length_options *", lib.gfab_length_options_default())
    wanted, startup = goal_of(goal)._of_nodes(len(topology.members)), ffi.new("gfab_ratio *")
    all_models, named = ffi.new("gfab_model[]", [model._c[0] for model in asked]), ffi.new("gfab_solver *[]", found)
    options.goal, options.models, options.model_count = wanted[0], all_models, len(asked)
    if found:
        options.solvers, options.solver_count = named, len(found)
    lengths, listed, count = ffi.new("gfab_lengths **"), ffi.new("gfab_length_advice **"), ffi.new("size_t *")
    rate = _price(bandwidth, "bandwidth")
    if not rate[0]:
        raise InvalidError("bandwidth: GB/s above 0 are expected, not 0")
    with Call(progress) as call:
        options.solver.progress = call.progress
        call.check(lib.gfab_length_startup(_price(latency, "latency"), rate, startup))
        call.check(lib.gfab_lengths_create(topology._c, options, lengths, call.diag))
        try:
            call.check(lib.gfab_lengths_rank(lengths[0], whole(nbytes, "nbytes", 0, 2**64 - 1), startup[0], listed, count,
                                             call.diag))
            return [_length_advice(topology, goal_of(goal), listed[0][index], Fraction(*rate)) for index in range(count[0])]
        finally:
            lib.gfab_lengths_destroy(lengths[0])


def _length_advice(topology: Topology, goal: Goal, one, rate: Fraction) -> LengthAdvice:
    # A total is in transfers of a byte, 1000 x rate of which take a microsecond.
    return LengthAdvice(topology, text(one.solver), text(one.parameters) or None, Model._of(one.model),
                        dataclasses.replace(goal, blocks=int(one.blocks)),
                        float(Fraction(int(one.total.numerator), int(one.total.denominator)) / (1000 * rate)))


@dataclasses.dataclass(frozen=True)
class Replanned:
    """A schedule for what is left. how: "stays", "mended" or "anew"; kept of moves of the old schedule are as they were."""

    schedule: Schedule
    how: str
    moves: int
    kept: int


def replan(schedule: Schedule, changes: str, progress: Optional[Progress] = None) -> Replanned:
    """Another schedule where something has died or become slow, such as changes="+drop-link=3-4": what still works stays.
    It is verified."""
    of_kind(Schedule, schedule, "a schedule")
    left, nodes, after = ffi.new("gfab_topology **"), ffi.new("uint32_t **"), ffi.new("gfab_schedule **")
    report = ffi.new("gfab_replan_report *")
    with Call(progress) as call:
        call.check(lib.gfab_topology_change(schedule.topology._c, text_in(changes, "changes"), left, nodes, call.diag))
        topology = Topology._of(left[0])
        try:
            call.check(lib.gfab_replan(schedule._c, topology._c, nodes[0], call.progress, after, report, call.diag))
        finally:
            libc.free(nodes[0])
    made = Schedule._of(topology, after[0])
    verify(made)
    return Replanned(made, ("stays", "mended", "anew")[report.how], int(report.moves), int(report.kept))


@dataclasses.dataclass(frozen=True)
class Proof:
    """Are so many rounds possible? answer: True, with a schedule that has them; False, None does; None, the solver gave up
    after so many conflicts."""

    answer: Optional[bool]
    schedule: Optional[Schedule]
    conflicts: int


def prove(topology: Union[str, Topology, Any], rounds: int, model: Union[str, Model] = Model(),
          goal: Union[str, Goal] = Goal(), conflicts: int = 1_000_000, progress: Optional[Progress] = None) -> Proof:
    """Asks a SAT solver whether any schedule has at most so many rounds: small graphs. conflicts: when it gives up."""
    topology, asked = topology_of(topology), goal_of(goal)
    options = ffi.new("gfab_prove_options *", lib.gfab_prove_options_default())
    report, made = ffi.new("gfab_prove_report *"), ffi.new("gfab_schedule **")
    options.max_conflicts = whole(conflicts, "conflicts", 1, 2**32 - 1)
    wanted = whole(rounds, "rounds", 1, 2**32 - 1)
    with Call(progress) as call:
        options.progress = call.progress
        if asked.collective == "all-gather" and asked.blocks is None:
            call.check(lib.gfab_prove_rounds(topology._c, model_of(model)._c, wanted, options, report, made, call.diag))
        else:
            call.check(lib.gfab_prove_goal(topology._c, model_of(model)._c, asked._of_nodes(len(topology.members)), wanted,
                                           options, report, made, call.diag))
    answer = {lib.GFAB_PROVE_POSSIBLE: True, lib.GFAB_PROVE_IMPOSSIBLE: False}.get(report.answer)
    schedule = Schedule._of(topology, made[0]) if made[0] != ffi.NULL else None
    return Proof(answer, schedule, int(report.conflicts))


@dataclasses.dataclass(frozen=True)
class Rate:
    """Rounds a block of a long vector that no schedule goes below. tight: schedules come as near to it as one likes.
    certificate: the text that proves it, for `gossipfab bound --check`."""

    rounds: Fraction
    tight: bool
    certificate: str


def rate(topology: Union[str, Topology, Any], model: Union[str, Model] = Model(), goal: Union[str, Goal] = Goal(),
         progress: Optional[Progress] = None) -> Rate:
    """The best rate of a collective's long vectors, with its certificate."""
    topology, under = topology_of(topology), model_of(model)
    found, tight = ffi.new("gfab_certificate *"), ffi.new("bool *")
    rounds = ffi.new("gfab_ratio *")
    best = lib.gfab_rate_one_port if under.port_mode == "one" else lib.gfab_rate
    with Call(progress) as call:
        call.check(best(topology._c, under._c.link_mode, goal_of(goal)._of_nodes(len(topology.members)), call.progress,
                        found, tight))
        try:
            call.check(lib.gfab_certificate_rate(found, under.packet_tokens, rounds))
            proof = text_out(lambda file: call.check(lib.gfab_certificate_write(topology._c, found, file)))
        finally:
            lib.gfab_certificate_release(found)
    return Rate(Fraction(int(rounds.numerator), int(rounds.denominator)), bool(tight[0]), proof)
