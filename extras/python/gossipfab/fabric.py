# SPDX-License-Identifier: MIT
"""Fabrics: schedules compiled to programs, played by the C model, and written as Verilog."""
from __future__ import annotations

import os
import pathlib
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._library import Call, Held, Progress, array_of, ffi, lib, of_kind, own, path_in, place, text, text_in, whole, wholes
from .errors import InvalidError
from .schedule import Goal, Model, Schedule, goal_of, model_of
from .topology import Topology, topology_of

def _choice(kind: str, name, value: str):
    """The value of an enum by its name."""
    names = {text(name(number)): number for number in sorted(ffi.typeof(kind).elements)}
    if of_kind(str, value, kind.split("_")[1]) not in names:
        raise InvalidError(f"unknown {kind.split('_')[1]} {value!r}; there are {', '.join(names)}")
    return names[value]


def _operator(value: str):
    return _choice("gfab_operator", lib.gfab_operator_name, value)


def _tell(machine, model, value: str) -> None:
    """Chooses the operator of a fabric that has all of them; that of another one may be said, too."""
    fabric, told = lib.gfab_layout_operator(lib.gfab_machine_layout(machine._c)), _operator(value)
    if fabric == lib.GFAB_OPERATOR_ALL and lib.GFAB_OPERATOR_FIRST <= told < fabric:
        lib.gfab_cmodel_set_operator(model, told)
    elif fabric == lib.GFAB_OPERATOR_ALL:
        raise InvalidError(f"operator {value!r} is none of those that this fabric has: sum, and, or, xor, min, max, umin, umax")
    elif fabric != told:
        raise InvalidError(f"operator {value!r} cannot be chosen: this fabric's is {text(lib.gfab_operator_name(fabric))!r}; "
                         "compile(.., operator='all') makes one with a choice")


def _options(token_bits: int, link_bits: int, latency_cycles: int, gap_cycles: int, store: str, protect: str,
             operator: Optional[str], rom_rounds: int, operator_cycles: int, frame: str = "auto"):
    options = ffi.new("gfab_machine_options *", lib.gfab_machine_options_default())
    options.token_bits, options.link_bits = whole(token_bits, "token_bits"), whole(link_bits, "link_bits")
    options.latency_cycles = whole(latency_cycles, "latency_cycles")
    options.gap_cycles = whole(gap_cycles, "gap_cycles", 0, 2**64 - 1)
    options.rom_rounds = whole(rom_rounds, "rom_rounds")
    options.operator_cycles = whole(operator_cycles, "operator_cycles")
    options.store = _choice("gfab_store", lib.gfab_store_name, store)
    options.protect = _choice("gfab_protect", lib.gfab_protect_name, protect)
    options.frame = _choice("gfab_frame", lib.gfab_frame_name, frame)
    if operator is not None:
        options.combines = _operator(operator)
    return options


def plan(topology: Union[str, Topology, Any], model: Union[str, Model] = Model(), goal: Union[str, Goal] = Goal(), *,
         token_bits: int = 32, link_bits: int = 2, latency_cycles: int = 0, gap_cycles: int = 0, store: str = "auto", protect: str = "none",
         operator: Optional[str] = None, rom_rounds: int = 0, operator_cycles: int = 2) -> Model:
    """The model that a schedule for a fabric of these widths is to be made for: where rounds are short, a token that
    arrives in one cannot leave in the next. The arguments are those of compile()."""
    topology = topology_of(topology)
    if topology.weights.max() > 1:
        topology = topology.split()
    options = _options(token_bits, link_bits, latency_cycles, gap_cycles, store, protect, operator, rom_rounds,
                       operator_cycles)
    if goal_of(goal).collective != "all-gather":
        options.blocks = goal_of(goal)._of_nodes(len(topology.members)).blocks
    out = ffi.new("gfab_plan *")
    asked = model_of(model)._c
    asked.hop_rounds = 0
    with Call() as call:
        call.check(lib.gfab_machine_plan(topology._c, asked, options, out, call.diag))
    return Model._of(out.model)


class Machine(Held):
    """A fabric: what the Verilog and the C model are, for one schedule or several. Made by compile()."""

    __slots__ = ("schedules", "topology", "_options")
    schedules: Tuple[Schedule, ...]
    topology: Topology

    def __init__(self) -> None:
        raise TypeError("a machine is made by compile()")

    @classmethod
    def _of(cls, schedules: Sequence[Schedule], options: Dict[str, Any], pointer) -> "Machine":
        self = cls.__new__(cls)
        borrowed = [schedule._c for schedule in schedules]
        self._hold(schedules=tuple(schedules), topology=schedules[0].topology, _options=options,
                   _c=own(pointer, lib.gfab_machine_destroy, *borrowed))
        return self

    def __reduce__(self):
        """By its schedules, which are compiled again."""
        return _compile_again, (self.schedules, self._options)

    @property
    def _timing(self):
        return lib.gfab_machine_timing(self._c)

    @property
    def token_bits(self) -> int:
        """W, bits of a block."""
        return int(self._timing.token_bits)

    @property
    def link_bits(self) -> int:
        """L, bits that a link carries in a cycle."""
        return int(self._timing.link_bits)

    @property
    def wide(self) -> bool:
        """Has it a RAM for each token in a cycle, and not one RAM a node?"""
        return bool(self._timing.wide)

    @property
    def cycles_per_round(self) -> int:
        """F."""
        return int(self._timing.cycles_per_round)

    @property
    def rounds(self) -> List[int]:
        """Rounds of each program."""
        return [int(program.rounds) for program in self._programs]

    @property
    def cycles(self) -> List[int]:
        """Cycles of each program, from the clock edge that samples its start to the one that samples done."""
        return [int(program.cycles) for program in self._programs]

    @property
    def _programs(self):
        return [lib.gfab_machine_program_at(self._c, k) for k in range(lib.gfab_machine_program_count(self._c))]

    @property
    def store_bits(self) -> int:
        """Bits of a node's store, of a member's where there are relays, whose stores are smaller."""
        return int(lib.gfab_machine_store_bits(self._c))

    @property
    def rom_bits(self) -> int:
        """Bits of a node's program ROM."""
        return int(lib.gfab_machine_rom_bits(self._c))

    def __repr__(self) -> str:
        return f"<Machine: {self.topology.name}, tokens of {self.token_bits} bits, {self.cycles} cycles>"


def compile(schedules: Union[Schedule, Sequence[Schedule]], *, token_bits: int = 32, link_bits: int = 2,
          latency_cycles: int = 0, gap_cycles: int = 0, store: str = "auto", protect: str = "none",
          operator: Optional[str] = None, rom_rounds: int = 0, frame: str = "auto", operator_cycles: int = 2,
          progress: Optional[Progress] = None) -> Machine:
    """Compiles a schedule that verify() accepts, or several for one fabric, to programs for its nodes.

    token_bits: W. link_bits: L, which divides W. latency_cycles: registers on every link. gap_cycles: idle ones after
    every round. store: "narrow", "wide" or "auto". protect: "none", "detect". operator: what combines contributions,
    "sum", "and", "or", "xor", "min", "max", "umin", "umax", or "all", with the choice at each start; in wide nodes also
    "bfloat16", or "user", which simulate() takes for the same. None: sum, or and where the goal is idempotent.
    operator_cycles: the latency of these two. rom_rounds: that ROMs hold at least. frame: by which numbers stores have tokens,
    "absolute", "relative", "rotated", or "auto", by which nodes may share programs. Weighted links become several, as
    Schedule.split() has them.
    Raises UnsupportedError, InvalidError, LimitError where the hardware cannot play the schedule."""
    made = _schedules(schedules)
    made = [schedule.split() if schedule.topology.weights.max() > 1 else schedule for schedule in made]
    options = _options(token_bits, link_bits, latency_cycles, gap_cycles, store, protect, operator, rom_rounds,
                       operator_cycles, frame)
    machine_plan, out = ffi.new("gfab_plan *"), ffi.new("gfab_machine **")
    with Call(progress) as call:
        options.progress = call.progress
        call.check(lib.gfab_machine_plan_schedule(made[0]._c, options, machine_plan, call.diag))
        call.check(lib.gfab_machine_compile_all(machine_plan, [schedule._c for schedule in made], len(made), out,
                                                call.diag))
    given = {"token_bits": token_bits, "link_bits": link_bits, "latency_cycles": latency_cycles, "gap_cycles": gap_cycles,
             "store": store, "protect": protect, "operator": operator, "rom_rounds": rom_rounds, "frame": frame,
             "operator_cycles": operator_cycles}
    return Machine._of(made, given, out[0])


def _schedules(given: Union[Schedule, Sequence[Schedule]]) -> List[Schedule]:
    """One or several, as a list."""
    made = [given] if isinstance(given, Schedule) or not hasattr(given, "__iter__") else list(given)
    if not made:
        raise InvalidError("no schedule is given; a fabric is made for one at least")
    return [of_kind(Schedule, schedule, "a schedule") for schedule in made]


def _compile_again(schedules: Sequence[Schedule], options: Dict[str, Any]) -> Machine:
    return compile(schedules, **options)


def _bytes(data, blocks: int, bits: int, nodes: int) -> np.ndarray:
    """data as little-endian bytes: uint8, shape (nodes, blocks, ceil(bits / 8))."""
    size = (bits + 7) // 8
    array = array_of(data, "data")
    of_bytes = bits > 64 or array.dtype == np.uint8 and array.ndim == 3
    expected = (nodes, blocks, size) if of_bytes else (nodes, blocks)
    if array.shape != expected:
        raise InvalidError(f"data has shape {array.shape}, not {expected}")
    array = wholes(array, "data", 255 if of_bytes else 2**bits - 1, floats=False).astype(np.uint8 if of_bytes else "<u8")
    return array if array.ndim == 3 else array[..., None].view(np.uint8)[..., :size].copy()


def _spread(array: np.ndarray, nodes: int, members: List[int]) -> np.ndarray:
    """What each member has, in the place of its block."""
    spread = np.zeros((nodes, len(members)) + array.shape[1:], array.dtype)
    spread[members, np.arange(len(members))] = array
    return spread


def simulate(machine: Machine, data, program: int = 0, operator: Optional[str] = None,
             progress: Optional[Progress] = None) -> Tuple[np.ma.MaskedArray, int]:
    """Plays a program on the C model, which is equal to the Verilog in every cycle and every bit.

    data: what every node begins with: integers, shape (nodes, blocks); of an all-gather of one token a member shape
    (members,) will do. What a node does not begin with is not looked at. Tokens of more than 64 bits are little-endian
    bytes: uint8, shape (nodes, blocks, ceil(W / 8)). operator: of a fabric of all operators the one to combine with,
    None: sum; of another fabric its own alone, else ValueError.
    Returns what every node ends with, in the same form, masked where it wants no such block; and the cycles."""
    program = place(program, "program", len(of_kind(Machine, machine, "a machine").schedules), "the fabric has")
    goal = lib.gfab_schedule_goal(machine.schedules[program]._c)
    nodes, bits = machine.topology.nodes, machine.token_bits
    plain = lib.gfab_layout_blocks(lib.gfab_machine_layout(machine._c)) == 0  # a node loads its token, not blocks
    blocks = int(goal.blocks)
    array, masked = array_of(data, "data"), np.ma.getmaskarray(data)
    members = [int(node) for node in machine.topology.members]
    if goal.collective == lib.GFAB_ALL_GATHER and blocks == len(members) and array.shape[:1] == (blocks,) and (
            array.ndim == 1 or array.ndim == 2 and bits > 64):
        array, masked = (_spread(part, nodes, members) for part in (array, masked))
    loads = _bytes(array, blocks, bits, nodes)
    out = ffi.new("gfab_cmodel **")
    cycles = ffi.new("uint64_t *")
    with Call(progress) as call:
        call.check(lib.gfab_cmodel_create(machine._c, call.progress, out))
        model = ffi.gc(out[0], lib.gfab_cmodel_destroy)
        lib.gfab_cmodel_set_program(model, program)
        if operator is not None:
            _tell(machine, model, operator)
        for rank, node in enumerate(members):
            for index in range(lib.gfab_goal_held_count(ffi.addressof(goal), len(members), rank)):
                block = lib.gfab_goal_held(ffi.addressof(goal), len(members), rank, index)
                if masked[node, block].any():
                    raise InvalidError(f"data[{node}, {block}] is masked, but node {node} begins with it")
                token = ffi.from_buffer("uint8_t[]", np.ascontiguousarray(loads[node, block]))
                call.check(lib.gfab_cmodel_load_token(model, node, token) if plain else
                           lib.gfab_cmodel_load_block(model, node, block, token))
        limit = machine.cycles[program] + 16
        call.check(lib.gfab_cmodel_run(model, limit, call.progress, cycles))
    result, missing = np.zeros_like(loads), np.ones((nodes, blocks), bool)
    token = ffi.new("uint8_t[]", loads.shape[2])
    for rank, node in enumerate(members):
        for index in range(lib.gfab_goal_wanted_count(ffi.addressof(goal), len(members), rank)):
            block = lib.gfab_goal_wanted(ffi.addressof(goal), len(members), rank, index)
            lib.gfab_cmodel_read_token(model, node, block, token)
            result[node, block] = np.frombuffer(ffi.buffer(token), np.uint8)
            missing[node, block] = False
    if bits > 64:
        return np.ma.MaskedArray(result, np.broadcast_to(missing[..., None], result.shape)), int(cycles[0])
    padded = np.zeros((nodes, blocks, 8), np.uint8)
    padded[..., :result.shape[2]] = result
    return np.ma.MaskedArray(padded.view("<u8")[..., 0].astype(np.uint64), missing), int(cycles[0])


def _find_board(board: Union[str, os.PathLike]):
    """The library's of that name, or what a folder has."""
    name = path_in(board, "board")
    found = lib.gfab_board_find(name)
    if found != ffi.NULL:
        return found
    if not os.path.isdir(board):
        raise InvalidError(f"unknown board {board!r}; there are {', '.join(boards())}")
    read = ffi.new("gfab_board **")
    with Call() as call:
        call.check(lib.gfab_board_read(name, read, call.diag), os.fsdecode(name))
    return ffi.gc(read[0], lib.gfab_board_free)


def generate(machine: Machine, directory: Union[str, os.PathLike], *, name: Optional[str] = None,
             board: Union[str, os.PathLike, None] = None, host: str = "self-test", ports: str = "flat", axi: str = "turns",
             registers: str = "none", rom: str = "logic", chips: Optional[Sequence[int]] = None, clocks: str = "one",
             force: bool = False, token_seed: int = 1, operator_file: Union[str, os.PathLike, None] = None,
             progress: Optional[Progress] = None) -> pathlib.Path:
    """Writes a self-contained folder: Verilog, ROM images, test benches, scripts (its README.md says what to do next).

    The arguments are the options of `gossipfab generate`; widths, protection and the operator are those of compile().
    name: of its module. board: also a board top and its constraints; boards() lists them, and a path is that of
    a folder with a board of your own. host: what drives that,
    "self-test" or "uart". ports: "node" or "node-tkeep": also tops with ports for each node. axi: "overlap": tokens are
    given while the next gossip is played. registers: on a bus, "axi-lite" or "wishbone". rom: "block": programs in block
    RAMs, which compile(rom_rounds=..) has to fill. chips: the chip of every node, shape (nodes,); clocks: these have
    "one", or each its "own". force: replace a folder that was generated. token_seed: of the benches.
    operator_file: with operator "user", Verilog that has its module, <name>_operator.
    Raises InvalidError for a word that there is not, and where the folder exists; UnsupportedError, FileError."""
    schedule = of_kind(Machine, machine, "a machine").schedules[0]
    found = _find_board(board) if board is not None else ffi.NULL
    if host == "uart" and board is None:
        raise InvalidError("host uart: which board? give board")
    path, solver = ffi.new("char[]", path_in(directory, "directory")), ffi.new("char[]", text_in(schedule.solver, "solver"))
    called = ffi.new("char[]", text_in(name, "name")) if name is not None else ffi.NULL
    module = ffi.new("char[]", path_in(operator_file, "operator_file")) if operator_file is not None else ffi.NULL
    on, chip_count = ffi.NULL, 0
    if chips is not None:
        nodes = machine.topology.nodes
        numbers = wholes(chips, f"chips, a number for each of {nodes} nodes", nodes - 1)
        if numbers.shape != (nodes,):
            raise InvalidError(f"chips has to be the number of a chip, from 0, for each of {nodes} nodes")
        on, chip_count = ffi.from_buffer("uint32_t[]", numbers.astype(np.uint32)), int(numbers.max()) + 1
    with Call(progress) as call:
        options = ffi.new("gfab_fabric_options *", {
            "directory": path, "name": called, "operator_file": module, "board": found,
            "force": of_kind(bool, force, "force"), "solver": solver, "chips": on, "chip_count": chip_count,
            "schedule_rounds": schedule.rounds,
            "token_seed": whole(token_seed, "token_seed", 0, 2**64 - 1),
            "progress": call.progress})
        for option, word in (("host", host), ("ports", ports), ("axi", axi), ("registers", registers), ("rom", rom),
                             ("clocks", clocks)):
            call.check(lib.gfab_fabric_choose(options, option.encode(), text_in(word, option), call.diag))
        call.check(lib.gfab_fabric_write(machine._c, options, call.diag))
    return pathlib.Path(directory)


def boards() -> List[str]:
    """The names of all boards."""
    found, index = [], 0
    while (board := lib.gfab_board_at(index)) != ffi.NULL:
        found.append(text(board.name))
        index += 1
    return found
