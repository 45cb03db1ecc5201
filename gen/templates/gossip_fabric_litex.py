@# SPDX-License-Identifier: MIT
# @BANNER@
# What the generator writes is yours.
"""@FABRIC@_registers in a LiteX SoC: registers on its bus, a LiteX stream in and one out at each node.

    self.fabric = Fabric()
    self.fabric.add_sources(platform)
    self.bus.add_slave("fabric", self.fabric.bus, SoCRegion(origin=0x30000000, size=Fabric.SIZE, cached=False))
"""

import os
import shutil

from migen import Cat, ClockSignal, Instance, ResetSignal, Signal

from litex.gen import LiteXModule
from litex.soc.interconnect import stream, wishbone


class Fabric(LiteXModule):
    """bus: the registers. sinks[v], sources[v]: node v's packets, in and out; first is not looked at, and stays 0.
    interrupt: a level, as the register INTERRUPT says. All are of clock domain sys. Limits are in cycles, 0: none.
    rom_folder is where a tool finds the programs: from where it is started, or absolute."""

    NODES = @NODES@
    TOKEN_BITS = @TOKEN_BITS@  # of a beat of the streams
    SIZE = 1 << @ADDRESS_BITS@  # of the registers, in bytes

    # What IDENTITY has.
    IDENTITY_VALUE = 0x@IDENTITY_WORD@

    # The registers, of 32 bits each: offsets in bytes, and masks of their parts.
@FOR REGISTER_MAP@
    # @ACCESS@: @MEANING@
    @NAME@_OFFSET = @OFFSET@
@END@

@FOR REGISTER_PARTS@
    # @MEANING@
    @NAME@_MASK = @MASK@
@END@

    # In this file's folder; rtl/ is the include path.
    SOURCES = [
@FOR MODULES@
        "@FILE@",
@END@
        "@FABRIC@.v",
@IF USER_OPERATOR@
        "@FABRIC@_operator.v",
@END@
@FOR AXIS_MODULES@
        "@FILE@",
@END@
@FOR REGISTER_MODULES@
        "@FILE@",
@END@
        "@FABRIC@_registers.v",
    ]

    def __init__(self, load_limit=0, gossip_limit=@LONGEST_CYCLES@, rom_folder="@ROM_FOLDER@"):
        self.bus = wishbone.Interface(data_width=32, addressing="word")
        self.sinks = [stream.Endpoint([("data", self.TOKEN_BITS)]) for _ in range(self.NODES)]
        self.sources = [stream.Endpoint([("data", self.TOKEN_BITS)]) for _ in range(self.NODES)]
        self.interrupt = Signal()

        ack = Signal()
        # LiteX's masters wait for ack, and look at err with it.
        self.comb += self.bus.ack.eq(ack | self.bus.err)
        self.specials += Instance(
            "@FABRIC@_registers",
            p_ROM_FOLDER=rom_folder,
            p_LOAD_LIMIT=load_limit,
            p_GOSSIP_LIMIT=gossip_limit,
            i_i_clk=ClockSignal(),
            i_i_rst=ResetSignal(),
            o_o_interrupt=self.interrupt,
            i_i_wb_cyc=self.bus.cyc,
            i_i_wb_stb=self.bus.stb,
            i_i_wb_we=self.bus.we,
            i_i_wb_adr=self.bus.adr[: @ADDRESS_BITS@ - 2],
            i_i_wb_dat=self.bus.dat_w,
            i_i_wb_sel=self.bus.sel,
            o_o_wb_ack=ack,
            o_o_wb_err=self.bus.err,
            o_o_wb_dat=self.bus.dat_r,
            i_s_axis_tvalid=Cat(sink.valid for sink in self.sinks),
            o_s_axis_tready=Cat(sink.ready for sink in self.sinks),
            i_s_axis_tdata=Cat(sink.data for sink in self.sinks),
            i_s_axis_tlast=Cat(sink.last for sink in self.sinks),
            o_m_axis_tvalid=Cat(source.valid for source in self.sources),
            i_m_axis_tready=Cat(source.ready for source in self.sources),
            o_m_axis_tdata=Cat(source.data for source in self.sources),
            o_m_axis_tlast=Cat(source.last for source in self.sources),
        )

    def add_sources(self, platform):
        """Has the platform's tools read the fabric's Verilog."""
        folder = os.path.dirname(os.path.abspath(__file__))
        platform.add_verilog_include_path(os.path.join(folder, "rtl"))
        platform.add_sources(folder, *self.SOURCES)

    def copy_programs(self, directory):
        """Copies the nodes' programs to where the tools are started (a Builder's gateware_dir): they look there."""
@IF IMAGE_BITS@
        del directory  # they are in the Verilog
@ELSE@
        folder = os.path.dirname(os.path.abspath(__file__))
        shutil.copytree(os.path.join(folder, "rom"), os.path.join(directory, "rom"), dirs_exist_ok=True)
@END@
