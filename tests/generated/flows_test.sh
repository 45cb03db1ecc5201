#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# flows_test.sh GOSSIPFAB WORK [vhdl]: what a generated folder meets in somebody else's design and tools.
#   Two folders, each with its list, in one compile of Icarus, Verilator and Yosys, copied into one folder and beside each
#   other, below a user's top with a `timescale of its own: nothing is said. A module that differs between them is refused.
#   --rom inline: the fabric plays without a file, with any of its kinds of ROMs; a digit that is another is seen.
#   A ROM's file that is not there ends synthesis. Who names itself as no simulator gets no assertions.
#   make BUILD=elsewhere leaves the folder as it was; a missing tool is named before the first one runs.
#   The instance of the README compiles as it stands.
#   vhdl: the components of VHDL are read by GHDL; one whose port is another does not bind.
set -euo pipefail

gossipfab=$1 work=$2
for tool in verilator iverilog yosys ${3:+ghdl}; do
    command -v $tool > /dev/null || { echo "flows: skipped, $tool is missing" >&2; exit 77; }
done
rm -rf -- "$work"
mkdir -p "$work"
cd "$work"
generate() { "$gossipfab" generate "$@" --force > /dev/null; }
# silent COMMAND..: passes, and says nothing.
silent() {
    local said
    said=$("$@" 2>&1) && [ -z "$said" ] || { printf '%s\n%s\n' "$*" "$said"; exit 1; }
}
# refused TEXT COMMAND..: fails, and says TEXT.
refused() {
    local text=$1 said
    shift
    if said=$("$@" 2>&1) || ! grep -q -- "$text" <<< "$said"; then
        printf 'not refused for "%s": %s\n%s\n' "$text" "$*" "$said"
        exit 1
    fi
}

if [ "${3-}" = vhdl ]; then
    generate mesh:2x2 --token-bits 12 --collective all-gather,all-reduce --operator all --protect detect --ports node-tkeep \
        --name rows -o rows
    for top in rows_nodes rows_axis_nodes; do
        silent ghdl -a "rows/$top.vhd"
        # The same ports as the module's.
        sed -n 's/^    \(input \|output\) wire \(\[[^]]*\] \)\?\([a-z0-9_]*\).*/\3/p' "rows/$top.v" | sort > "$top.ports"
        sed -n 's/^ *\([a-z0-9_]*\) : \(in\|out\) .*/\1/p' "rows/$top.vhd" | sort | cmp - "$top.ports"
        [ "$(wc -l < "$top.ports")" -gt 30 ]
    done
    cat > user.vhd << 'END'
library ieee;
use ieee.std_logic_1164.all;
use work.rows_axis_nodes_pkg.all;
entity user is
    port (clk, rst : in std_logic; valid : out std_logic; data : in std_logic_vector(15 downto 0));
end entity;
architecture wiring of user is
begin
    u_rows : rows_axis_nodes
        generic map (ROM_FOLDER => "rom/rows")
        port map (i_clk => clk, i_rst => rst, s00_axis_tdata => data, m00_axis_tvalid => valid, i_clear => '1',
                  s_command_tvalid => '0', s_command_tdata => x"00", s00_axis_tvalid => '0', s01_axis_tvalid => '0',
                  s02_axis_tvalid => '0', s03_axis_tvalid => '0', s01_axis_tdata => data, s02_axis_tdata => data,
                  s03_axis_tdata => data, s00_axis_tlast => '1', s01_axis_tlast => '1', s02_axis_tlast => '1',
                  s03_axis_tlast => '1', m00_axis_tready => '1', m01_axis_tready => '1', m02_axis_tready => '1',
                  m03_axis_tready => '1', s00_axis_tkeep => "11", s01_axis_tkeep => "11", s02_axis_tkeep => "11",
                  s03_axis_tkeep => "11");
end architecture;
END
    silent ghdl -a user.vhd
    sed -i 's/data : in std_logic_vector(15/data : in std_logic_vector(14/; s/i_clear/i_cleared/' user.vhd
    refused i_cleared ghdl -a user.vhd
    exit 0
fi

# Two lists.
generate mesh:2x2 --token-bits 8 --name rows --ports node --rom inline -o rows
generate cycle:3 --token-bits 8 --link-bits 4 --name ring --store wide -o ring
cat > user_top.v << 'END'
`timescale 1ns / 1ps
`default_nettype none
module user_top (
    input  wire       clk,
    input  wire       rst,
    input  wire       start,
    output wire [1:0] done,
    output wire [1:0] busy
);
    wire [31:0] row_words;
    wire [11:0] ring_words;
    rows u_rows (
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy[0]), .o_done(done[0]), .i_load_valid(4'd0),
        .i_load_word(4'd0), .i_load_data(16'd0), .i_read_token(8'd0), .i_read_word(4'd0), .o_read_data(row_words[15:0])
    );
    ring u_ring (
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy[1]), .o_done(done[1]), .i_load_valid(3'd0),
        .i_load_word(3'd0), .i_load_data(12'd0), .i_read_token(6'd0), .i_read_word(3'd0), .o_read_data(ring_words)
    );
    assign row_words[31:16] = 16'd0;
    wire unused = (^row_words) ^ (^ring_words);
endmodule
END
mkdir design
for folder in rows ring; do cp -r $folder/rtl $folder/*.v $folder/*.f $folder/*.vlt design; done
cp -r ring/rom user_top.v design
sources() { cat "$@" | grep '\.v$' | tr '\n' ' '; }
compile() {
    $1 iverilog -g2005 -Wall -Wno-timescale -s user_top -o /dev/null -c rows.f -c ring.f user_top.v
    $1 verilator --lint-only -Wall -Wno-PINMISSING -Wno-UNUSEDSIGNAL -f rows.f -f ring.f user_top.v --top-module user_top
    $1 yosys -q -p "read_verilog -Irtl $(sources rows.f ring.f) user_top.v; hierarchy -check -top user_top; check -assert"
}
(
    cd design
    compile silent
    for list in rows ring; do
        # Of a list alone, too, with its waivers in it.
        silent verilator --lint-only -Wall -f $list.f --top-module $list
    done
)
silent verilator --lint-only -Wall -Wno-PINMISSING -Wno-UNUSEDSIGNAL -F rows/rows.f -F ring/ring.f user_top.v \
    --top-module user_top
# The instance of a README, copied.
{ echo 'module copied;'; sed -n '/^    wire clk,/,/^    );/p' rows/README.md; echo endmodule; } > copied.v
grep -q 'rows u_rows' copied.v
(cd rows && silent iverilog -g2005 -s copied -o /dev/null -c rows.f ../copied.v)
# Two versions of a module, each with the sum of its own text.
sed 's/\(GFAB_STORE_\)[0-9A-F]*/\1OTHER/' design/rtl/gfab_store.v > design/other_store.v
sed -i 's/^rtl\/gfab_store.v/other_store.v/' design/ring.f
(cd design && compile "refused gfab_store")

# ROMs in the Verilog: no file, and the same fabric.
while read -r sim row; do
    rm -rf fabric
    # shellcheck disable=SC2086
    generate $row --rom inline -o fabric
    [ ! -e fabric/rom ]
    make -s -C fabric $sim > plays.log || { cat plays.log; exit 1; }
    # The last digit of a program's row is of its first word.
    sed -i "s/\('h[0-9a-f]*\)[013-9a-f]\(,\? .. program\)/\12\2/" fabric/gossip_fabric.v
    make -s -C fabric $sim > plays.log 2>&1 && { echo "$row: plays with another program"; exit 1; }
    grep -qE 'FAIL| at [0-9]+' plays.log || { cat plays.log; exit 1; } # of an assertion where it does what no program may
done << 'END'
sim-icarus mesh:2x2 --token-bits 8
sim-axis path:3 --token-bits 12 --link-bits 4 --store wide --axi overlap
sim-icarus cycle:4 --token-bits 8 --link-mode full --routing circuit --packet-tokens 4
END

# A ROM that is not there; tools that are not; another folder to build in.
rm -rf fabric
generate mesh:2x2 --token-bits 8 --board hx8k -o fabric
mv fabric/rom/program_0.hex hidden
refused program_0.hex make -s -C fabric synth
mv hidden fabric/rom/program_0.hex
rm -rf fabric/build
refused 'make bitstream: no-icepack is not here' make -s -C fabric bitstream ICEPACK=no-icepack
[ ! -e fabric/build ]
find fabric | sort > before
make -s -C fabric sim-icarus BUILD=../made > /dev/null
find fabric | sort | cmp - before
[ -e made/tb_fabric.vvp ]
refused 'yours to remove' make -s -C fabric clean BUILD=../made

# Assertions: in a simulator, and nowhere else.
printf '`include "gfab_assert.vh"\nmodule m (input wire i_clk);\nalways @(posedge i_clk)\n`GFAB_ASSERT(0, "m")\nendmodule\n' > m.v
count() { verilator -E "$@" -Ifabric/rtl m.v | grep -c '[$]stop' || true; }
[ "$(count) $(count -DSYNTHESIS) $(count -UVERILATOR) $(count -UVERILATOR -DSIMULATION)" = "1 0 0 1" ]
