# SPDX-License-Identifier: MIT
"""Schedules in other tools' formats, and which solver is fastest where starting a message has a price, or for a length."""
from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any, List, Optional, Sequence, Union

from ._library import Call, Progress, TextIn, ffi, lib, of_kind, shown, text, text_in, text_out, whole
from .errors import InvalidError
from .schedule import Goal, Model, Schedule, goal_of, model_of, solve, solvers as all_solvers
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
        raise ValueError(f"unknown format {name!r}; there are {', '.join(formats())}")
    return lib.gfab_format_find(name.encode())


def convert(schedule: Schedule, to: str, progress: Optional[Progress] = None) -> str:
    """A schedule in another tool's format, such as "msccl": the text of its file. Raises UnsupportedError where the
    format has no place for it."""
    wanted = _format(to)
    of_kind(Schedule, schedule, "a schedule")
    if wanted.write == ffi.NULL:
        raise ValueError(f"no schedule is written as {to}")
    with Call(progress) as call:
        return text_out(lambda file: call.check(wanted.write(schedule._c, file, call.progress, call.diag)))


def read_format(content: str, format: str, topology: Union[str, Topology, None] = None,
                goal: Union[str, Goal, None] = None) -> Schedule:
    """A schedule from the text of another tool's file. topology: the graph, where the file does not say it; goal: of
    csv, None: an all-gather."""
    known = _format(format)
    if known.read == ffi.NULL:
        raise ValueError(f"no schedule is read from {format}")
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
            raise ValueError(f"unknown solver {name!r}; there are {', '.join(all_solvers())}")
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
