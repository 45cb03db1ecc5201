#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Area and clock of nodes, wide and narrow, over widths and sizes.

node_area.py [--quick | --roms] GOSSIPFAB WORK OUT.csv

Two nodes of a generated fabric back to back, every lane of one linked to the opposite lane of the other, so that the
path over a link counts, each with its program, and one sequencer. LUT, flip-flops and RAM are Yosys' figures for half of
that: a node, its program and tables, half of its links and of the sequencer; "without store" leaves the RAMs out.
MHz is nextpnr-ice40's for an HX8K, the median of 5 seeds, between registers that are filled and read out serially; empty where two
nodes do not fit the part.
--quick: two shapes and one seed. --roms: wide nodes with programs in LUTs and in block RAMs, on an iCE40 alone; there
the two nodes have ROMs of their own, one the program, the other its words in another order, so that none is left out;
all-reduces are not placed.
"""
import csv
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

# topology, link mode, token bits, link bits, what else to generate with
MODES = ("half", "full")
SHAPES = [(topology, mode, 32, 32, []) for topology in ("torus:4x4", "torus:8x8", "mesh:4x4") for mode in MODES]
SHAPES += [("torus:4x4", "half", 32, 2, [])]
SHAPES += [("torus:4x4", mode, bits, bits, []) for bits in (1, 2, 4, 8, 16, 64) for mode in MODES]
SHAPES += [(topology, mode, 32, 32, []) for topology in ("torus:2x2", "torus:16x16", "mesh:8x8") for mode in MODES]
SHAPES += [("torus:4x4", "half", 16 * bits, bits, []) for bits in (1, 4, 8, 16, 32, 64)]
SHAPES += [("torus:4x4", "half", 32, 32, ["--store", "narrow"])]
SHAPES += [(topology, "half", 32, 2, []) for topology in ("torus:2x2", "torus:8x8", "torus:16x16")]
QUICK = [("torus:4x4", "half", 32, 32, []), ("torus:4x4", "full", 32, 32, [])]
ROMS = [("torus:4x4", "full", 32 * flits, 32, ["--rom", rom, "--store", "wide", *options])
        for options in ([], ["-c", "all-reduce", "--operator", "sum"]) for flits in (1, 4) for rom in ("logic", "block")]
FAMILIES = {
    "ice40": ("synth_ice40 -device hx", {"LUT": "SB_LUT4", "FF": "SB_DFF", "RAM": "SB_RAM40"}),
    "ecp5": ("synth_ecp5", {"LUT": "LUT4", "FF": "TRELLIS_FF", "RAM": "DP16KD", "LUTRAM": "TRELLIS_DPR16X4"}),
    "xc7": ("synth_xilinx -family xc7", {"LUT": "LUT", "FF": "FD", "RAM": "RAMB", "LUTRAM": "RAM32M|RAM64M|RAM32X|RAM64X"}),
}
HOST = [("load_valid", 1), ("load_word", "load_bits"), ("load_data", "word_bits"), ("read_token", "slot_bits"),
        ("read_word", "index_bits")]


def run(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options)


def table(text, name, rows):
    """text with other rows in the table `name`."""
    head, rest = text.split(f"        .{name}({{\n", maxsplit=1)
    rows = ",\n".join(f"            {row}" for row in rows)
    return f"{head}        .{name}({{\n{rows}\n{rest[rest.index('        })'):]}"


def rows_of(text, name):
    """The table's rows, number 0 first."""
    found = re.search(rf"        \.{name}\({{\n(.*?)\n        }}\)", text, re.S)
    return [re.sub(r",? *//.*|,$", "", line).strip() for line in found.group(1).splitlines()][::-1]


def pair(folder, manifest, apart):
    """pair.v: node `middle` of the fabric twice, lane c of one to lane c ^ 1 of the other; host buses side by side."""
    text = (folder / "gossip_fabric.v").read_text()
    nodes, lanes = manifest["nodes"], manifest["lanes"]
    middle = max(range(nodes), key=lambda v: sum(peer is not None for peer in manifest["lane_peers"][v]))
    opposite = [lane ^ 1 if lane ^ 1 < lanes else lane for lane in range(lanes)]
    there = [peer is not None for peer in manifest["lane_peers"][middle]]
    ends = [(lane, opposite[lane]) for lane in range(lanes) if there[lane] and there[opposite[lane]]]
    lane_bits = max(1, (lanes - 1).bit_length())
    # Two nodes, each with its own copy of its program.
    name, rom, rest = re.match(r'("\d+"), \d+\'d(\d+), (.*)', rows_of(text, "NODE")[middle]).groups()
    files, maps = (re.findall(pattern, re.search(rf"\.{table_}\({{(.*?)}}\)", text, re.S).group(1))
                   for table_, pattern in (("ROM", r'"\d+"'), ("LANE_MAP", r"64'h[0-9a-f]+")))
    file, order = files[::-1][int(rom)], (maps if len(maps) == 1 else maps[::-1][int(rom):])[0]
    other = re.sub(r"\d", "x", file) if apart else file
    if apart: # the words that are played, the last first
        program, played = file.strip('"'), manifest["rounds"]
        lines = (folder / f"rom/program_{program}.hex").read_text().splitlines(keepends=True)
        (folder / f"rom/program_{'x' * len(program)}.hex").write_text("".join(lines[:played][::-1] + lines[played:]))
    text = re.sub(r"\.ROM\({.*?}\)", f".ROM({{{other}, {file}}})", text, flags=re.S)
    text = re.sub(r"\.LANE_MAP\({.*?}\),\n", f".LANE_MAP({{2{{{order}}}}}),\n", text, flags=re.S)
    text = table(text, "NODE", [f"{name}, 1'd{number}, {rest}" for number in (1, 0)])
    text = table(text, "LINK", [f"1'd0, {lane_bits}'d{a}, 1'd1, {lane_bits}'d{b}" for a, b in ends])
    for parameter, value in (("NODES", 2), ("LINKS", len(ends)), ("ROMS", 2)):
        text = re.sub(rf"\.{parameter}\(\d+\)", f".{parameter}({value})", text, count=1)
    text = text.replace("module gossip_fabric ", "module pair ")
    text = re.sub(rf"(put +wire) \[{nodes}(\*\d+)?-1:0\]", r"\1 [2\2-1:0]", text)
    return text


def harness(manifest):
    """pair_harness.v: pair between serial registers."""
    widths = [(port, 2 * (width if width == 1 else manifest[width])) for port, width in HOST]
    total, at, ports = sum(width for _, width in widths), 0, []
    for port, width in widths:
        ports.append(f".i_{port}(in_q[{at}+:{width}])")
        at += width
    data = 2 * manifest["word_bits"]
    return f"""`default_nettype none
module pair_harness (input wire i_clk, input wire i_rst, input wire i_start, input wire i_bit, output reg o_bit);
    reg rst_q, start_q, fold_q; reg [{total - 1}:0] in_q; wire busy, done; wire [{data - 1}:0] data; reg [{data - 1}:0] data_q;
    pair u_pair (.i_clk(i_clk), .i_rst(rst_q), .i_start(start_q), .o_busy(busy), .o_done(done), .o_read_data(data),
        {', '.join(ports)});
    reg [7:0] out_q;
    always @(posedge i_clk) begin
        rst_q <= i_rst; start_q <= i_start; in_q <= {{in_q[{total - 2}:0], i_bit}};
        data_q <= busy ? {{data_q[{data - 2}:0], done}} : data; o_bit <= data_q[{data - 1}];
    end
endmodule
`default_nettype wire
"""


def count(cells, pattern):
    weight = {"RAM32M": 4, "RAM64M": 4}
    return sum(n * weight.get(kind, 1) for kind, n in cells.items()
               if re.match(pattern, kind) and not (pattern == "LUT" and kind.startswith("LUTRAM")))


def half(cells, pattern):
    """Of the two nodes' cells one node's."""
    return f"{count(cells, pattern) / 2:g}"


def synthesise(folder, sources, family, top, stub):
    command, _ = FAMILIES[family]
    files = [name for name in sources if not (stub and name.endswith("gfab_store.v"))]
    blackbox = "read_verilog -lib store_stub.v; " if stub else ""
    run(["yosys", "-q", "-p", f"{blackbox}read_verilog -DSYNTHESIS -Irtl {' '.join(files)}; {command} -top {top}"
         f"{' -json pair.json' if top == 'pair_harness' else ''}; tee -o stat.txt stat"], cwd=folder)
    lines = re.findall(r"^ +([A-Z$]\w+) +(\d+)$", (folder / "stat.txt").read_text(), re.M)
    return {kind: int(number) for kind, number in lines}


def measure(gossipfab, work, shape, seeds, families, apart):
    topology, mode, token_bits, link_bits, options = shape
    folder = work / "fabric"
    shutil.rmtree(folder, ignore_errors=True)
    frame = "relative" if topology.startswith("torus") and not apart else "absolute"
    run([gossipfab, "generate", "--topology", topology, "--link-mode", mode, "--token-bits", str(token_bits), "--link-bits",
         str(link_bits), "--frame", frame, "-o", str(folder)] + options)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "pair.v").write_text(pair(folder, manifest, apart))
    (folder / "pair_harness.v").write_text(harness(manifest))
    stub = (folder / "rtl/gfab_store.v").read_text()
    (folder / "store_stub.v").write_text(re.sub(r"    \(\* no_rw_check.*?endmodule", "endmodule", stub, flags=re.S))
    sources = [str(path.relative_to(folder)) for path in sorted((folder / "rtl").glob("gfab_*.v"))
               if not re.search("axis|harness|selftest|uart|reset", path.name)] + ["pair.v"]
    row = {"topology": topology, "links": mode, "token bits": token_bits, "link bits": link_bits,
           "store": "wide" if manifest["wide"] else "narrow", "crossbar": manifest["crossbar"] or "", "banks": manifest["banks"],
           "rounds": manifest["rounds"], "cycles": manifest["cycles"]}
    for family in families:
        kinds = FAMILIES[family][1]
        cells = synthesise(folder, sources, family, "pair", False)
        for kind, pattern in kinds.items():
            row[f"{family} {kind}"] = half(cells, pattern)
        bare = synthesise(folder, sources, family, "pair", True)
        row[f"{family} LUT without store"] = half(bare, kinds["LUT"])
        row[f"{family} FF without store"] = half(bare, kinds["FF"])
    synthesise(folder, sources + ["pair_harness.v"], "ice40", "pair_harness", False)
    clocks = []
    for seed in range(1, seeds + 1):
        place = subprocess.run(["nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", "pair.json", "--freq", "200",
                                "--timing-allow-fail", "--seed", str(seed), "--report", "report.json", "-q"], cwd=folder,
                               capture_output=True, text=True)
        if place.returncode:
            break # does not fit
        report = json.loads((folder / "report.json").read_text())
        clocks.append(min(clock["achieved"] for clock in report["fmax"].values()))
    row["MHz"] = round(statistics.median(clocks), 1) if clocks else ""
    row["ns"] = round(1000 * manifest["cycles"] / row["MHz"]) if clocks else ""
    return row


def main():
    arguments = sys.argv[1:]
    quick, roms = arguments[:1] == ["--quick"], arguments[:1] == ["--roms"]
    if quick or roms:
        del arguments[0]
    if "--help" in arguments or len(arguments) != 3:
        print(__doc__)
        sys.exit("--help" not in arguments and 2)
    gossipfab, work, out = str(pathlib.Path(arguments[0]).resolve()), pathlib.Path(arguments[1]), arguments[2]
    for tool in ("yosys", "nextpnr-ice40"):
        if not shutil.which(tool):
            print(f"node_area: skipped, {tool} is missing", file=sys.stderr)
            raise SystemExit(77)
    work.mkdir(parents=True, exist_ok=True)
    with open(out, "w", newline="") as file:
        writer = None
        for shape in QUICK if quick else ROMS if roms else SHAPES:
            row = measure(gossipfab, work, shape, 1 if quick else 0 if "-c" in shape[4] else 5, ["ice40"] if roms else FAMILIES, roms)
            if roms:
                row = {"collective": shape[4][5] if "-c" in shape[4] else "all-gather", "rom": shape[4][1], **row}
            writer = writer or csv.DictWriter(file, row.keys(), lineterminator="\n")
            if file.tell() == 0:
                writer.writeheader()
            writer.writerow(row)
            file.flush()
            print(", ".join(f"{key} {value}" for key, value in row.items()), flush=True)


if __name__ == "__main__":
    main()
