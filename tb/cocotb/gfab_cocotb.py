# SPDX-License-Identifier: MIT
"""A generated fabric under cocotb 2: a source and a sink of cocotbext-axi at each node of its AXI4-Stream top.

    @cocotb.test()
    async def with_pauses(dut):
        fabric = await Fabric.start(dut)
        fabric.pause(sources=0.5, sinks=0.5)
        await fabric.check(gossips=10)

dut is <name>_axis_nodes of a folder generated with --ports node (or node-tkeep), or a module with its ports. The
fabric's numbers come from the folder's manifest.json, which is looked for where the simulation runs, or in the folder
that is given. Random are tokens, pauses and what is in the padding of tdata; the seed is cocotb's.
"""

import json
import logging
import pathlib
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

LATE, LONG, STUCK, FABRIC = 1, 2, 3, 4  # o_status


class Fabric:
    """nodes, token_bits; cycles: of a gossip, while o_busy is 1; period: cycles from one start to the next, at full speed;
    sources, sinks: cocotbext-axi's, by node."""

    def __init__(self, dut, folder="."):
        numbers = json.loads(pathlib.Path(folder, "manifest.json").read_text(encoding="utf-8"))
        if numbers["blocks"]:
            raise ValueError(f"{folder}: a fabric for collectives of blocks; this class plays all-gather alone")
        self.dut, self.nodes, self.token_bits = dut, numbers["nodes"], numbers["token_bits"]
        self.cycles = numbers["cycles"]
        self.beat_bytes = (self.token_bits + 7) // 8
        # Loading takes P WORDS cycles, each of N beats one more.
        words = numbers["parts"] * numbers["words"]
        beats = self.nodes * (words + 1)
        self.period = words + 1 + self.cycles + beats + 2
        if numbers["axi"] == "overlap":
            self.period = max(words + self.cycles + 3 + numbers["protect"], beats + 2)
        digits = max(2, len(str(self.nodes - 1)))
        self.sources, self.sinks = [], []
        for node in range(self.nodes):
            for side, kind, ends in ("s", AxiStreamSource, self.sources), ("m", AxiStreamSink, self.sinks):
                name = f"{side}{node:0{digits}}_axis"
                logging.getLogger(f"cocotb.{dut._name}.{name}").setLevel(logging.WARNING)
                ends.append(kind(AxiStreamBus.from_prefix(dut, name), dut.i_clk, dut.i_rst))

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
        for end in (*self.sources, *self.sinks):
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

        for ends, probability in (self.sources, sources), (self.sinks, sinks):
            for end in ends:
                end.set_pause_generator(draw(probability))

    def tokens(self):
        """Random ones, by node."""
        return [random.getrandbits(self.token_bits) for _ in range(self.nodes)]

    def offer(self, node, token, beats=1):
        """Queues a packet at a node; one of more than one beat is too long. What is in the padding is noise."""
        noise = random.getrandbits(8 * self.beat_bytes) >> self.token_bits << self.token_bits
        frame = (token | noise).to_bytes(self.beat_bytes, "little")
        self.sources[node].send_nowait(AxiStreamFrame(frame * beats))

    async def expect(self, tokens):
        """Takes a packet from every node and compares it, bit by bit, the padding's too."""
        packet = b"".join(token.to_bytes(self.beat_bytes, "little") for token in tokens)
        for node, sink in enumerate(self.sinks):
            frame = await sink.recv()
            assert bytes(frame.tdata) == packet, f"node {node} gives {bytes(frame.tdata).hex()}, not {packet.hex()}"

    async def check(self, gossips=1, period=None):
        """Back to back: all tokens are offered at once, and wait. A gossip takes `cycles`, neither more nor less, and
        where a period is given, one starts every so many cycles."""
        timer = cocotb.start_soon(self._time(gossips, period))
        given = [self.tokens() for _ in range(gossips)]
        for tokens in given:
            for node, token in enumerate(tokens):
                self.offer(node, token)
        for tokens in given:
            await self.expect(tokens)
        await timer

    async def _time(self, gossips, period):
        last_start, now = 0, 0
        for gossip in range(gossips):
            while not self.dut.o_busy.value:
                now += 1
                await RisingEdge(self.dut.i_clk)
            start = now
            while self.dut.o_busy.value:
                now += 1
                await RisingEdge(self.dut.i_clk)
            assert now - start == self.cycles, f"a gossip took {now - start} cycles, not {self.cycles}"
            if period is not None and gossip > 1:  # before the second one nothing has gone out yet
                assert start - last_start == period, f"a gossip every {start - last_start} cycles, not {period}"
            last_start = start

    async def quiet(self, cycles):
        """No beat is offered and no gossip runs."""
        for _ in range(cycles):
            await RisingEdge(self.dut.i_clk)
            assert not self.dut.o_busy.value, "a gossip runs"
            assert all(sink.empty() for sink in self.sinks), "a node has given a packet"
