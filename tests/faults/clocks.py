# SPDX-License-Identifier: MIT
"""Chips with clocks of their own as one design, for run.py."""
import itertools
import json
import os
import re
import subprocess


def join(folder):
    """The chips of tb/gossip_clocks.v joined by wires, without the hosts at them: a file, which is a top. Its ports are
    those of a whole fabric, with a clock, a reset and an end of each chip. Resets begin by an edge of the clock."""
    with open(os.path.join(folder, "tb", "gossip_clocks.v"), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        of = json.load(file)
    widths = {"load_valid": 1, "load_word": of["load_bits"], "load_data": of["word_bits"],
              "read_token": of["slot_bits"], "read_word": of["index_bits"], "read_data": of["word_bits"]}
    if of["protect"]:
        widths["fault"] = 1
    outputs = ("read_data", "fault")
    port = lambda name: ("o_" if name in outputs else "i_") + name

    def wires(host):
        nodes, chip = re.findall(r"32'd(\d+)", host.group(1)), host.group(2)  # the last one first
        declared = f"    wire [{len(nodes) - 1}:0] fault_{chip};\n" if of["protect"] else ""
        parts = {name: ", ".join(f"{port(name)}[{node}*{width}+:{width}]" for node in nodes)
                 for name, width in widths.items()}
        return declared + "".join(f"    assign {{{part}}} = {name}_{chip};\n" if name in outputs else
                       f"    assign {name}_{chip} = {{{part}}};\n" for name, part in parts.items())
    text = re.sub(r"    gfab_chip_host #\(.*?NODE\(\{(.*?)\}\).*?u_host_(\d+) \(.*?\);\n", wires, text, flags=re.DOTALL)
    # The bench does not look at what nodes say of each word.
    chips = itertools.count()
    text = re.sub(r"\.o_fault\(\)", lambda _: f".o_fault(fault_{next(chips)})", text)
    text = re.sub(r"    wire \[31:0\] wrong_\d+;\n|    assign o_wrong.*\n", "", text)
    text = re.sub(r"\.i_draw\(i_draw\), \.i_cut\(i_cut\[\d+\]\), ", "", text)
    ports = ",\n".join(f"    {'output' if name in outputs else 'input '} wire [{of['nodes'] * width - 1}:0] "
                       f"{port(name)}" for name, width in widths.items())
    text = re.sub(r"    // the hosts\n.*?\n\);", lambda _: ports + "\n);", text, count=1, flags=re.DOTALL)
    text += ("""
module gfab_cable_wires #(parameter WIRES = 2, parameter PERIOD = 0) (
    input wire i_clock, input wire i_valid, input wire [WIRES-1:0] i_flits,
    output wire o_clock, output wire o_valid, output wire [WIRES-1:0] o_flits);
    assign {o_clock, o_valid, o_flits} = {i_clock, i_valid, i_flits};
endmodule
module gfab_chip_reset #(parameter PROTECT = 0) (input wire i_clk, input wire i_rst, output wire o_rst);
    reg [1:0] rst_q, run_q;
    always @(posedge i_clk) begin
        rst_q <= {rst_q[0] | i_rst, i_rst};
        run_q <= {run_q[0] & ~i_rst, ~i_rst};
    end
    assign o_rst = rst_q[1] & (PROTECT == 0 || !run_q[1]);
endmodule
""")
    with open(os.path.join(folder, "joined.v"), "w", encoding="utf-8") as file:
        file.write(text)
    chips = sorted(name for name in os.listdir(folder) if re.fullmatch(r"gossip_chip_\d+\.v", name))
    rtl = subprocess.run(["make", "-s", "-C", folder, "print-chips-rtl"], check=True, capture_output=True, text=True)
    return " ".join(["joined.v", *chips, *(name for name in rtl.stdout.split() if "gfab_chip_reset" not in name)])
