# SPDX-License-Identifier: MIT
"""A generated fabric under cocotb 2: a source and a sink of cocotbext-axi at each node of its AXI4-Stream top.

    @cocotb.test()
    async def with_pauses(dut):
        fabric = await Fabric.start(dut)
        fabric.pause(sources=0.5, sinks=0.5)
        await fabric.check(runs=10)

dut is <name>_axis_nodes of a folder generated with --ports node (or node-tkeep), or a module with its ports. The
fabric's numbers come from the folder's manifest.json, which is looked for where the simulation runs, or in the folder
that is given. A run is a gossip, or of a fabric for collectives of blocks any collective that it plays. Random are programs
and operators, where there is a choice, blocks, pauses, and what is in the padding of tdata; the seed is cocotb's.
"""

import dataclasses
import functools
import json
import logging
import pathlib
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

LATE, LONG, STUCK, FABRIC = 1, 2, 3, 4  # o_status; 2 is too short, too, where packets have several blocks
COMBINING = "reduce-scatter", "all-reduce", "reduce", "barrier"
OPERATORS = "sum", "and", "or", "xor", "min", "max", "umin", "umax"  # as manifest.json counts them, from 1
ALL_OPERATORS = len(OPERATORS) + 1


class Program:
    """collective; cycles, while o_busy is 1; held, wanted: by node, the blocks that it starts with, and those that it
    gives, in the order of beats."""

    def __init__(self, numbers, nodes, blocks):
        self.collective, self.cycles = numbers["collective"], numbers["cycles"]
        collective, root = self.collective, numbers["root"]

        def owner(block):
            if collective == "all-to-all":
                return block % nodes
            return block * nodes // blocks if collective in ("all-gather", "reduce-scatter", "all-reduce") else root

        def holds(node, block):
            if collective == "all-to-all":
                return block // nodes == node
            return collective in COMBINING or owner(block) == node

        def wants(node, block):
            return collective not in ("reduce-scatter", "reduce", "all-to-all") or owner(block) == node

        self.held = [[b for b in range(blocks) if holds(node, b)] for node in range(nodes)]
        self.wanted = [[b for b in range(blocks) if wants(node, b)] for node in range(nodes)]


@dataclasses.dataclass
class Run:
    """What is played: command, for the stream of that name; given, expected: by node, the values of its packets' beats,
    [] where it has none."""
    program: Program
    command: int
    given: list
    expected: list


def combine(name, bits, x, y):
    """Of two numbers of so many bits, as the operator's name says."""
    def signed(value):
        return value - (value >> bits - 1 << bits)

    return {"sum": lambda: x + y & (1 << bits) - 1, "and": lambda: x & y, "or": lambda: x | y, "xor": lambda: x ^ y,
            "min": lambda: min(x, y, key=signed), "max": lambda: max(x, y, key=signed),
            "umin": lambda: min(x, y), "umax": lambda: max(x, y)}[name]()


class Fabric:
    """nodes, token_bits; programs; cycles: of the longest, while o_busy is 1; period: cycles from one start to the next,
    at full speed, None where that is not promised; sources, sinks: cocotbext-axi's, by node; commands: the source of
    commands, None where there is nothing to choose."""

    def __init__(self, dut, folder="."):
        numbers = json.loads(pathlib.Path(folder, "manifest.json").read_text(encoding="utf-8"))
        self.dut, self.nodes, self.token_bits = dut, numbers["nodes"], numbers["token_bits"]
        # Without blocks a gossip's are whole tokens, also where the schedule cuts those into parts.
        self.programs = [Program(each, self.nodes, each["blocks"] if numbers["blocks"] else self.nodes)
                         for each in numbers["programs"]]
        self.operator, self.program_bits = numbers["operator"], numbers["program_bits"]
        self.cycles = max(program.cycles for program in self.programs)
        self.beat_bytes = (self.token_bits + 7) // 8
        self.period = self._period(numbers)
        digits = max(2, len(str(self.nodes - 1)))
        self.sources, self.sinks = [], []
        for node in range(self.nodes):
            for side, kind, ends in ("s", AxiStreamSource, self.sources), ("m", AxiStreamSink, self.sinks):
                name = f"{side}{node:0{digits}}_axis"
                logging.getLogger(f"cocotb.{dut._name}.{name}").setLevel(logging.WARNING)
                ends.append(kind(AxiStreamBus.from_prefix(dut, name), dut.i_clk, dut.i_rst))
        self.commands = None
        if len(self.programs) > 1 or self.operator == ALL_OPERATORS:
            logging.getLogger(f"cocotb.{dut._name}.s_command").setLevel(logging.WARNING)
            self.commands = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_command"), dut.i_clk, dut.i_rst)

    def _period(self, numbers):
        # Loading takes P WORDS cycles, each of the beats that go out one more.
        words, overlaps = numbers["parts"] * numbers["words"], numbers["axi"] == "overlap"
        if not numbers["blocks"]:
            beats = self.nodes * (words + 1)
            turns = words + 1 + self.cycles + beats + 2
            return max(words + self.cycles + 3 + numbers["protect"], beats + 2) if overlaps else turns
        if not overlaps or len(self.programs) > 1 or self.operator == ALL_OPERATORS:
            return None
        return max(numbers["loads"] * words + self.cycles + 4 + numbers["protect"], numbers["reads"] * (words + 1) + 3)

    @property
    def _all_sources(self):
        return [*self.sources, self.commands] if self.commands else self.sources

    @classmethod
    async def start(cls, dut, folder=".", period_ns=10):
        """Binds dut, starts its clock, and resets it."""
        dut.i_rst.value, dut.i_clear.value = 1, 0
        fabric = cls(dut, folder)
        cocotb.start_soon(Clock(dut.i_clk, period_ns, unit="ns").start())
        await fabric.reset()
        return fabric

    async def reset(self, cycles=4):
        """Forgets what is under way on both sides."""
        self.dut.i_rst.value = 1
        await ClockCycles(self.dut.i_clk, cycles)
        for end in (*self._all_sources, *self.sinks):
            end.clear()
        self.dut.i_rst.value = 0
        await RisingEdge(self.dut.i_clk)

    async def clear(self):
        """Takes back an error: all nodes load anew."""
        self.dut.i_clear.value = 1
        await RisingEdge(self.dut.i_clk)
        self.dut.i_clear.value = 0
        await RisingEdge(self.dut.i_clk)

    def pause(self, sources=0.0, sinks=0.0):
        """With these probabilities a source or a sink does nothing in a cycle, from now on."""
        def draw(probability):
            while True:
                yield random.random() < probability

        for ends, probability in (self._all_sources, sources), (self.sinks, sinks):
            for end in ends:
                end.set_pause_generator(draw(probability))

    def operators(self, program):
        """The names of those that there are to choose from; [None] where a program has no choice."""
        return OPERATORS if self.operator == ALL_OPERATORS and program.collective in COMBINING else [None]

    def draw(self, program=None, operator=None):
        """A run: of this program's number and this operator's name, or random ones; its blocks are random."""
        if program is None:
            program = random.randrange(len(self.programs))
        if self.operator != ALL_OPERATORS:
            operator = OPERATORS[self.operator - 1]  # nobody asks where there is none
        elif operator is None:
            operator = random.choice(OPERATORS)
        choice = OPERATORS.index(operator) if self.operator == ALL_OPERATORS else 0
        played = self.programs[program]
        given = [{block: random.getrandbits(self.token_bits) for block in held} for held in played.held]

        def total(block):
            return functools.reduce(functools.partial(combine, operator, self.token_bits),
                                    [blocks[block] for blocks in given if block in blocks])

        expected = [[total(block) for block in wanted] for wanted in played.wanted]
        return Run(played, choice << self.program_bits | program, [list(blocks.values()) for blocks in given], expected)

    def command(self, run):
        """Queues its command, where the fabric takes one."""
        if self.commands:
            lanes = len(self.commands.bus.tdata) // 8
            self.commands.send_nowait(AxiStreamFrame(run.command.to_bytes(lanes, "little")))

    def offer(self, node, values):
        """Queues a packet at a node, a beat for each value; what is in the padding is noise."""
        def beat(value):
            noise = random.getrandbits(8 * self.beat_bytes) >> self.token_bits << self.token_bits
            return (value | noise).to_bytes(self.beat_bytes, "little")

        if values:
            self.sources[node].send_nowait(AxiStreamFrame(b"".join(map(beat, values))))

    def offer_all(self, run, but=None):
        """Queues the command and all packets; that of the node `but` is left out."""
        self.command(run)
        for node, values in enumerate(run.given):
            if node != but:
                self.offer(node, values)

    async def expect(self, run):
        """Takes its packet from every node and compares it, bit by bit, the padding's too."""
        for node, values in enumerate(run.expected):
            if values:
                packet = b"".join(value.to_bytes(self.beat_bytes, "little") for value in values)
                frame = await self.sinks[node].recv()
                assert bytes(frame.tdata) == packet, f"node {node} gives {bytes(frame.tdata).hex()}, not {packet.hex()}"

    async def check(self, runs=1, period=None, program=None, operator=None):
        """Back to back: all is offered at once, and waits. A run takes its program's cycles, neither more nor less, and
        where a period is given, one starts every so many cycles. program, operator: as of draw."""
        given = [self.draw(program, operator) for _ in range(runs)]
        timer = cocotb.start_soon(self._time(given, period))
        for run in given:
            self.offer_all(run)
        for run in given:
            await self.expect(run)
        await timer
        assert all(sink.empty() for sink in self.sinks), "a node has given a packet too many"

    async def _time(self, runs, period):
        last_start, now = 0, 0
        for number, run in enumerate(runs):
            while not self.dut.o_busy.value:
                now += 1
                await RisingEdge(self.dut.i_clk)
            start, cycles = now, run.program.cycles
            while self.dut.o_busy.value:
                now += 1
                await RisingEdge(self.dut.i_clk)
            assert now - start == cycles, f"a run took {now - start} cycles, not {cycles}"
            if period is not None and number > 1:  # before the second one nothing has gone out yet
                assert start - last_start == period, f"a run every {start - last_start} cycles, not {period}"
            last_start = start

    async def quiet(self, cycles):
        """No beat is offered and nothing runs."""
        for _ in range(cycles):
            await RisingEdge(self.dut.i_clk)
            assert not self.dut.o_busy.value, "a collective runs"
            assert all(sink.empty() for sink in self.sinks), "a node has given a packet"
