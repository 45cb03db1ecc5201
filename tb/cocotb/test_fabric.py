# SPDX-License-Identifier: MIT
"""What `make sim-cocotb` plays; a start for tests of your own."""

import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from gfab_cocotb import LONG, Fabric


@cocotb.test()
async def full_speed(dut):
    """Back to back, with no cycle lost."""
    fabric = await Fabric.start(dut)
    await fabric.check(runs=4, period=fabric.period)


@cocotb.test()
async def with_pauses(dut):
    """Back to back, each source and sink at its own pace."""
    fabric = await Fabric.start(dut)
    for sources, sinks in (0.5, 0.5), (0.9, 0.0), (0.0, 0.9):
        fabric.pause(sources, sinks)
        await fabric.check(runs=2)


@cocotb.test()
async def every_program(dut):
    """Each collective that the fabric plays, with each operator that it has."""
    fabric = await Fabric.start(dut)
    for program, played in enumerate(fabric.programs):
        for operator in fabric.operators(played):
            await fabric.check(program=program, operator=operator)


@cocotb.test()
async def a_missing_packet(dut):
    """Nothing moves until the last node has its packet."""
    fabric = await Fabric.start(dut)
    run = fabric.draw()
    missing = random.choice([node for node, values in enumerate(run.given) if values])
    fabric.offer_all(run, but=missing)
    await fabric.quiet(4 * fabric.cycles)
    fabric.offer(missing, run.given[missing])
    await fabric.expect(run)


@cocotb.test()
async def an_over_long_packet(dut):
    """It is told at once, with its node; nothing moves until i_clear, and the next run is right."""
    fabric = await Fabric.start(dut)
    run = fabric.draw()
    wrong = random.choice([node for node, values in enumerate(run.given) if values])
    fabric.command(run)
    fabric.offer(wrong, run.given[wrong] + [0, 0])
    while not dut.o_error.value:
        await RisingEdge(dut.i_clk)
    assert (dut.o_status.value, dut.o_error_nodes.value) == (LONG, 1 << wrong)
    await fabric.quiet(4 * fabric.cycles)
    await fabric.clear()
    assert not dut.o_error.value
    await fabric.check(runs=2)


@cocotb.test()
async def resets(dut):
    """At any time; the run after it is right."""
    fabric = await Fabric.start(dut)
    fabric.pause(sources=0.2, sinks=0.2)
    for _ in range(8):
        fabric.offer_all(fabric.draw())
        await ClockCycles(dut.i_clk, random.randrange(1, 3 * fabric.cycles))
        await fabric.reset(cycles=random.randrange(1, 4))
        await fabric.check()
