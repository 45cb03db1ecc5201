#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""protected_streams.py GOSSIPFAB WORK [COLLECTIVE..]: what `--protect detect` costs streams of a word a cycle.

Of mesh:2x2, 32-bit words, without it and with: LUT4 and flip-flops of the whole fabric on an HX8K, and, between serial
registers, MHz of five seeds and their median. By default broadcast, reduce and all-reduce."""
import json
import pathlib
import shutil
import statistics
import subprocess
import sys

TOP = """`default_nettype none
module harness (input wire i_clk, input wire i_rst, input wire i_bit, output reg o_bit);
    reg rst_q, load_q; reg [IN:0] in_q; reg [OUT-1:0] out_q; wire [OUT-1:0] seen;
    gossip_fabric u_fabric (.i_clk(i_clk), .i_rst(rst_q), PINS);
    always @(posedge i_clk) begin
        rst_q <= i_rst; in_q <= {in_q[IN-1:0], i_bit}; load_q <= in_q[IN]; o_bit <= out_q[OUT-1];
        out_q <= load_q ? seen : {out_q[OUT-2:0], 1'b0};
    end
endmodule
"""


def run(command, folder):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def harness(hosts, protected):
    """All inputs from one register, all outputs but those for benches to another."""
    outputs = {"o_busy": 1, "s_axis_tready": hosts, "m_axis_tvalid": hosts, "m_axis_tdata": 32 * hosts,
               "m_axis_tlast": hosts, "o_error": 1, "o_late": hosts, "o_uneven": 1}
    if protected:
        outputs["o_fault"] = hosts
    inputs = {"s_axis_tvalid": hosts, "s_axis_tdata": 32 * hosts, "s_axis_tlast": hosts, "m_axis_tready": hosts}
    pins, sizes = [], {}
    for kind, ports in (("in_q", inputs), ("seen", outputs)):
        at = 0
        for name, width in ports.items():
            pins.append(f".{name}({kind}[{at}+:{width}])")
            at += width
        sizes[kind] = at
    return TOP.replace("PINS", ", ".join(pins)).replace("OUT", str(sizes["seen"])).replace("IN", str(sizes["in_q"]))


def measure(gossipfab, work, collective, protect):
    folder = work / f"{collective}-{protect}"
    shutil.rmtree(folder, ignore_errors=True)
    run([gossipfab, "generate", "mesh:2x2", "--collective", collective, "--stream", "--token-bits", "32", "--link-bits",
         "32", "--protect", protect, "-o", str(folder)], work)
    (folder / "harness.v").write_text(harness(4, protect == "detect"), encoding="ascii")
    sources = " ".join(line for line in (folder / "gossip_fabric.f").read_text().split() if line.endswith(".v"))
    figures = {}
    for top in ("gossip_fabric", "harness"):
        run(["yosys", "-q", "-p", f"read_verilog -Irtl {sources} harness.v; synth_ice40 -device hx -top {top} -json "
             f"{top}.json; tee -q -o stat.json stat -json"], folder)
        cells = json.loads((folder / "stat.json").read_text())["design"]["num_cells_by_type"]
        figures[top] = [sum(n for kind, n in cells.items() if kind.startswith(name)) for name in ("SB_LUT4", "SB_DFF")]
    clocks = []
    for seed in range(1, 6):
        run(["nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", "harness.json", "--freq", "200",
             "--timing-allow-fail", "--seed", str(seed), "--report", "report.json", "-q"], folder)
        report = json.loads((folder / "report.json").read_text())
        clocks.append(round(min(clock["achieved"] for clock in report["fmax"].values()), 1))
    print(collective, protect, *figures["gossip_fabric"], *sorted(clocks), statistics.median(clocks), flush=True)


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    gossipfab, work = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    print("collective protect LUT4 flip-flops MHz.. median")
    for collective in sys.argv[3:] or ("broadcast", "reduce", "all-reduce"):
        for protect in ("none", "detect"):
            measure(gossipfab, work, collective, protect)


if __name__ == "__main__":
    main()
