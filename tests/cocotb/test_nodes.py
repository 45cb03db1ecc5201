# SPDX-License-Identifier: MIT
"""A gossip on <name>_nodes, the plain fabric with ports for each node: every word of every token in every node."""

import json
import pathlib
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge


@cocotb.test()
async def gossip(dut):
    numbers = json.loads(pathlib.Path("manifest.json").read_text(encoding="utf-8"))
    nodes, words, word_bits = numbers["nodes"], numbers["words"], numbers["word_bits"]
    tokens = [random.getrandbits(numbers["token_bits"]) for _ in range(nodes)]

    def port(name, node):
        return getattr(dut, f"{name}_{node:02}")

    def word_of(token, word):
        return token >> word * word_bits & (1 << word_bits) - 1

    dut.i_rst.value, dut.i_start.value = 1, 0
    for node in range(nodes):
        port("i_load_valid", node).value = 0
    cocotb.start_soon(Clock(dut.i_clk, 10, unit="ns").start())
    await ClockCycles(dut.i_clk, 4)
    await FallingEdge(dut.i_clk)
    dut.i_rst.value = 0
    for word in range(words):
        for node in range(nodes):
            port("i_load_valid", node).value = 1
            port("i_load_word", node).value = word
            port("i_load_data", node).value = word_of(tokens[node], word)
        await FallingEdge(dut.i_clk)
    for node in range(nodes):
        port("i_load_valid", node).value = 0
    dut.i_start.value = 1
    await FallingEdge(dut.i_clk)
    dut.i_start.value = 0
    cycles = 1
    while not dut.o_done.value:
        await FallingEdge(dut.i_clk)
        cycles += 1
    assert cycles == numbers["cycles"]
    await FallingEdge(dut.i_clk)
    for origin in range(nodes):
        for word in range(words):
            for node in range(nodes):  # each another, so that no two nodes are asked for the same
                port("i_read_token", node).value = (origin + node) % nodes
                port("i_read_word", node).value = word
            await FallingEdge(dut.i_clk)
            for node in range(nodes):
                found = port("o_read_data", node).value
                assert found == word_of(tokens[(origin + node) % nodes], word), f"node {node}, {origin}, word {word}"
