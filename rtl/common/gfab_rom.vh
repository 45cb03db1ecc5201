// SPDX-License-Identifier: MIT
// ROMs: what they are made of, and where their words come from.
// `GFAB_LOGIC_ROM and `GFAB_BLOCK_ROM stand before a memory: synthesis is to keep it in LUTs, or in block RAMs. Yosys
// knows "logic" alone, Vivado "distributed", Quartus romstyle, Synplify, Efinity and Gowin syn_romstyle.
// `GFAB_ROM_WORDS(rom, bits, count) gives a memory its words: those of the parameter IMAGE, where IMAGE_BITS is not 0,
// word 0 lowest, each in whole hexadecimal digits; else those of the $readmemh text FILE, unless that is "".
// `GFAB_IMAGE(images, n) is row n of a table of such words.
`ifndef GFAB_ROM_VH
`define GFAB_ROM_VH
`include "gfab_assert.vh"
`define GFAB_IMAGE(images, n) images[(n)*IMAGE_BITS+:(IMAGE_BITS>0?IMAGE_BITS:1)]
`ifdef YOSYS
`define GFAB_LOGIC_ROM (* rom_style = "logic", ram_style = "logic" *)
`define GFAB_BLOCK_ROM (* rom_style = "block", ram_style = "block" *)
`else
`define GFAB_LOGIC_ROM (* rom_style = "distributed", ram_style = "distributed", romstyle = "logic", \
                          syn_romstyle = "logic" *)
`define GFAB_BLOCK_ROM (* rom_style = "block", ram_style = "block", syn_romstyle = "block_rom" *)
`endif
`define GFAB_ROM_WORDS(rom, bits, count) \
    initial begin : load_rom \
        localparam [(IMAGE_BITS>0?IMAGE_BITS:1)+(bits)-1:0] WORDS_OF = {{(bits){1'b0}}, IMAGE}; \
        integer at; \
        if (IMAGE_BITS > 0) begin \
            for (at = 0; at < (count); at = at + 1) \
                rom[at] = WORDS_OF[at*(((bits)+3)/4*4)+:(bits)]; \
        end else if (|FILE) begin \
            $readmemh(FILE, rom); \
            `GFAB_FOUND(FILE, rom[0]) \
        end \
    end
`endif
