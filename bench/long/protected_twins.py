#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""protected_twins.py GOSSIPFAB WORK [FABRIC..]: what `--protect detect` costs where the fabric is there twice.

Of mesh:2x2, without it and with: LUT4, flip-flops and RAMs of the whole fabric on an HX8K, and, between serial registers,
MHz of five seeds and their median. Fabrics are broadcast, reduce and all-reduce, streams of words of 32 bits a cycle;
blocks, streams of blocks, and wide, wide nodes with blocks."""
import json
import pathlib
import shutil
import statistics
import subprocess
import sys

WORDS = "--stream --token-bits 32 --link-bits 32"
FABRICS = {
    "broadcast": f"--collective broadcast {WORDS}",
    "reduce": f"--collective reduce {WORDS}",
    "all-reduce": f"--collective all-reduce {WORDS}",
    "blocks": "--collective all-reduce --stream --link-mode full --token-bits 18 --link-bits 2",
    "wide": "--collective all-reduce --operator sum --store wide --token-bits 32 --link-bits 8",
}
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


def harness(hosts, bits, words, protected):
    """All inputs from one register, all outputs but those for benches to another."""
    outputs = {"o_busy": 1, "s_axis_tready": hosts, "m_axis_tvalid": hosts, "m_axis_tdata": bits * hosts,
               "m_axis_tlast": hosts, "o_error": 1, "o_late": hosts}
    if words:
        outputs["o_uneven"] = 1
    if protected:
        outputs["o_fault"] = hosts
    inputs = {"s_axis_tvalid": hosts, "s_axis_tdata": bits * hosts, "s_axis_tlast": hosts, "m_axis_tready": hosts}
    pins, sizes = [], {}
    for kind, ports in (("in_q", inputs), ("seen", outputs)):
        at = 0
        for name, width in ports.items():
            pins.append(f".{name}({kind}[{at}+:{width}])")
            at += width
        sizes[kind] = at
    return TOP.replace("PINS", ", ".join(pins)).replace("OUT", str(sizes["seen"])).replace("IN", str(sizes["in_q"]))


def count(stat):
    cells = json.loads(stat.read_text())["design"]["num_cells_by_type"]
    return [sum(n for kind, n in cells.items() if kind.startswith(name)) for name in ("SB_LUT4", "SB_DFF", "SB_RAM40")]


def least_clock(report):
    return round(min(clock["achieved"] for clock in json.loads(report.read_text())["fmax"].values()), 1)


def measure_streams(folder, name, protect):
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "harness.v").write_text(harness(manifest["streams"], manifest["link_bits"], name != "blocks",
                                              protect == "detect"), encoding="ascii")
    sources = " ".join(line for line in (folder / "gossip_fabric.f").read_text().split() if line.endswith(".v"))
    figures, clocks = {}, []
    for top in ("gossip_fabric", "harness"):
        run(["yosys", "-q", "-p", f"read_verilog -Irtl {sources} harness.v; synth_ice40 -device hx -top {top} -json "
             f"{top}.json; tee -q -o stat.json stat -json"], folder)
        figures[top] = count(folder / "stat.json")
    for seed in range(1, 6):
        run(["nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", "harness.json", "--freq", "200",
             "--timing-allow-fail", "--seed", str(seed), "--report", "report.json", "-q"], folder)
        clocks.append(least_clock(folder / "report.json"))
    return figures["gossip_fabric"], clocks


def measure_loaded(folder):
    run(["make", "-s", "synth"], folder)
    for seed in range(1, 6):
        run(["make", "-s", "fabric-pnr", f"SEED={seed}"], folder)
    return count(folder / "build/fabric_stat.json"), [least_clock(folder / f"build/harness_seed{seed}.json")
                                                      for seed in range(1, 6)]


def measure(gossipfab, work, name, protect):
    folder = work / f"{name}-{protect}"
    shutil.rmtree(folder, ignore_errors=True)
    run([gossipfab, "generate", "mesh:2x2", *FABRICS[name].split(), "--protect", protect, "-o", str(folder)], work)
    figures, clocks = measure_loaded(folder) if name == "wide" else measure_streams(folder, name, protect)
    print(name, protect, *figures, *sorted(clocks), statistics.median(clocks), flush=True)


def main():
    if "--help" in sys.argv or len(sys.argv) < 3:
        print(__doc__)
        sys.exit("--help" not in sys.argv and 2)
    gossipfab, work = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    print("fabric protect LUT4 flip-flops RAMs MHz.. median")
    for name in sys.argv[3:] or FABRICS:
        for protect in ("none", "detect"):
            measure(gossipfab, work, name, protect)


if __name__ == "__main__":
    main()
