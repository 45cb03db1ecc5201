#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A LiteX SoC without a processor, with a generated fabric on its bus and a FIFO of LiteX at each of its streams.

soc.py FOLDER NAME: writes into the working folder what tb_litex.v is simulated with: soc.v, soc.f, the programs, and
soc.vh, with the numbers of FOLDER/NAME_litex.py, and of FOLDER/manifest.json the cycles that are expected.
"""

import importlib
import json
import pathlib
import sys

from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import stream, wishbone
from migen.genlib.io import CRG

ORIGIN = 0x30000000


def pads(nodes, bits):
    """What the bench drives and reads: the bus as a master, and the streams' outer ends, vectors over the nodes."""
    ends = [Subsignal("valid", Pins(nodes)), Subsignal("ready", Pins(nodes)), Subsignal("last", Pins(nodes)),
            Subsignal("data", Pins(nodes * bits))]
    return [("clk", 0, Pins(1)), ("rst", 0, Pins(1)), ("interrupt", 0, Pins(1)), *wishbone.Interface().get_ios("wb"),
            ("s", 0, *ends), ("m", 0, *ends)]


class Soc(SoCMini):
    def __init__(self, platform, fabric):
        self.crg = CRG(platform.request("clk"), platform.request("rst"))
        SoCMini.__init__(self, platform, clk_freq=50_000_000)
        self.fabric = fabric
        self.fabric.add_sources(platform)
        self.bus.add_slave("fabric", fabric.bus, SoCRegion(origin=ORIGIN, size=fabric.SIZE, cached=False))
        master = wishbone.Interface()
        self.comb += master.connect_to_pads(platform.request("wb"), mode="slave")
        self.bus.add_master("bench", master)
        self.comb += platform.request("interrupt").eq(fabric.interrupt)
        self.add_fifos(platform.request("s"), platform.request("m"))

    def add_fifos(self, s, m):
        bits = self.fabric.TOKEN_BITS
        for node, (sink, source) in enumerate(zip(self.fabric.sinks, self.fabric.sources)):
            before, behind = (stream.SyncFIFO([("data", bits)], 2) for _ in range(2))
            self.submodules += before, behind
            self.comb += [
                before.sink.valid.eq(s.valid[node]), s.ready[node].eq(before.sink.ready),
                before.sink.last.eq(s.last[node]), before.sink.data.eq(s.data[node * bits:(node + 1) * bits]),
                before.source.connect(sink), source.connect(behind.sink),
                m.valid[node].eq(behind.source.valid), behind.source.ready.eq(m.ready[node]),
                m.last[node].eq(behind.source.last), m.data[node * bits:(node + 1) * bits].eq(behind.source.data),
            ]


def main():
    folder, name = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    sys.path.insert(0, str(folder))
    fabric = importlib.import_module(f"{name}_litex").Fabric()
    numbers = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    platform = GenericPlatform("none", pads(fabric.NODES, fabric.TOKEN_BITS), name="soc")
    soc = Soc(platform, fabric)
    soc.finalize()
    fragment = soc.get_fragment()
    platform.finalize(fragment)
    platform.get_verilog(fragment, name="soc").write("soc.v")
    fabric.copy_programs(".")
    lines = [f"+incdir+{path}" for path in platform.verilog_include_paths] + [path for path, *_ in platform.sources]
    pathlib.Path("soc.f").write_text("\n".join(lines) + "\n", encoding="utf-8")
    constants = {key: getattr(fabric, key) for key in dir(fabric) if key.endswith(("_OFFSET", "_MASK", "_VALUE"))}
    constants |= {"NODES": fabric.NODES, "TOKEN_BITS": fabric.TOKEN_BITS, "CYCLES": numbers["cycles"], "ORIGIN": ORIGIN}
    text = "".join(f"localparam [31:0] {key} = 32'd{value};\n" for key, value in constants.items())
    pathlib.Path("soc.vh").write_text(text, encoding="utf-8")


main()
