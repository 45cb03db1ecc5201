#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Streams of a word a cycle: cycles of vectors in Icarus, area and clock of nodes.

streams.py cycles GOSSIPFAB WORK [GRAPH..]: by Verilator, a line for each graph, collective, words of a host's beat and
length; fails where a broadcast or reduce of n words takes more than n / words + h d + 20 cycles, h of the manifest, an
all-reduce more than n + 2 h d + 20, or of 4096 words an all-reduce or all-gather more than 2 % over its rate: a word a
cycle that goes out at each host, over half-duplex links one in two cycles. Beside it FlooNoC's formula, n / 2 beats a cycle in two dimensions: 2 n + d.
streams.py ecp5 GOSSIPFAB WORK [OPERATOR:D..]: of torus:4x4, 32-bit links, all-reduces by these operators of latency D
(float32:5 bfloat16:5 sum:0) on an ECP5 85k: the node with the most lanes, twice as below, and the whole fabric, its ports
at serial registers. LUT4, flip-flops, MHz of the seeds and their median. SEEDS: how many (5).
streams.py area GOSSIPFAB WORK: of torus:4x4, 32-bit sums, the node with the most lanes in its flows, twice back to back
on an HX8K: each lane that goes out leads to one that comes in of the other, the rest to serial registers. LUT4 and
flip-flops of a node, MHz of the first five seeds that nextpnr routes in two minutes, and their median. Then an
all-reduce over half-duplex links: two nodes with the most lanes, each the next one inwards of the other, and one with
the node where all meet; a node with the OR of the two ends of each of its links.
"""
import itertools
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

RTL = pathlib.Path(__file__).resolve().parents[2] / "rtl"
# The links from node 0 to the farthest.
GRAPHS = {"mesh:4x4": 6, "mesh:8x8": 14, "mesh:5x7": 10, "mesh:16x16": 30, "torus:4x4": 4}
LENGTHS = (64, 256, 1000, 4096)
KINDS = (("broadcast", 1), ("broadcast", 2), ("reduce", 1), ("reduce", 2), ("all-reduce", 1), ("all-gather", 1),
         ("half all-reduce", 1), ("half all-gather", 1))  # over half-duplex links
BITS = 33


def run(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def generate(gossipfab, work, graph, collective, words=1, options=()):
    folder = work / "-".join([graph, collective, str(words), *options]).replace(":", "-")
    shutil.rmtree(folder, ignore_errors=True)
    run([gossipfab, "generate", graph, "--collective", collective, "--stream", "--token-bits", "32", "--link-bits", "32",
         "--host-words", str(words), *options, "-o", str(folder)])
    return folder, json.loads((folder / "manifest.json").read_text())


def allowed(collective, words, beats, nodes, way):
    """Cycles that a vector of so many words may take; way: h d."""
    if "all" not in collective:
        return -(-beats // words) + way + 20
    rate = beats * (nodes if "gather" in collective else 1) * (2 if "half" in collective else 1)
    return min(rate + 2 * way + 20, 1.02 * rate) if beats == LENGTHS[-1] else rate + 2 * way + 20


def cycles(gossipfab, work, graphs):
    late = 0
    print("graph collective words-a-beat h words-of-a-vector cycles allowed FlooNoC")
    for graph in graphs or GRAPHS:
        distance = GRAPHS[graph]
        for collective, words in KINDS:
            folder, manifest = generate(gossipfab, work, graph, collective.split()[-1], words,
                                        ("--link-mode", "half") if "half" in collective else ())
            run(["make", "-s", "SIM_OPT=-O1", "build/stream/Vtb_stream"], cwd=folder)
            hop = manifest["hop_cycles"]
            late += hop > 6
            for beats in LENGTHS:
                said = run(["build/stream/Vtb_stream", f"+length={beats // words}", "+vectors=1", "+pauses=0"], cwd=folder)
                took = int(re.search(r"in all in (\d+) cycles, every beat as expected", said).group(1))
                most = allowed(collective, words, beats, manifest["streams"], hop * distance)
                late += took > most
                print(graph, collective, words, hop, beats, took, f"{most:.0f}{'' if took <= most else ' LATE'}",
                      2 * beats + distance if collective in ("broadcast", "reduce") else "-", flush=True)
            shutil.rmtree(folder)
    return late


def rows(folder):
    """NODE's rows, hosts' first, each OUT_B, IN_B, OUT_A, IN_A or the last two alone, and the lanes with a link."""
    text = (folder / "gossip_fabric.v").read_text()
    table = text[text.index(".NODE({"):]
    return [[int(lanes, 2) for lanes in re.findall(r"\d+'b([01]+)", line)] for line in table.splitlines()
            if "'b" in line]


def half_node(lanes):
    """A node, and at each of its lanes the OR of what it has for the wires and of what the other end has."""
    return f"""module half_node #(parameter IN = 1, parameter OUT = 1) (
    input wire i_clk, input wire i_rst, input wire [{lanes * (BITS + 3) - 1}:0] i_link,
    output wire [{lanes * (BITS + 3) - 1}:0] o_link, output wire o_busy, output wire o_uneven);
    wire [{lanes - 1}:0] iv, ir, iw, ov, rdy, ow; wire [{lanes * BITS - 1}:0] i, o;
    gfab_stream_node #(.LANES({lanes}), .LINK_BITS({BITS - 1}), .FLOWS(2), .HALF(1), .IN(IN), .OUT(OUT)) u_node (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(iv), .o_ready(rdy), .i_word(i), .o_valid(ov), .i_ready(ir), .o_word(o),
        .i_wants(iw), .o_wants(ow), .o_busy(o_busy), .o_uneven(o_uneven));
    genvar c;
    generate
        for (c = 0; c < {lanes}; c = c + 1) begin : gen_lane
            assign o_link[c*{BITS + 3}+:{BITS + 3}] =
                {{ow[c], rdy[c], ov[c], o[c*{BITS}+:{BITS}] & {{{BITS}{{ov[c]}}}}}};
            assign iw[c] = i_link[c*{BITS + 3}+{BITS + 2}];
            assign {{ir[c], iv[c], i[c*{BITS}+:{BITS}]}} =
                i_link[c*{BITS + 3}+:{BITS + 2}] | o_link[c*{BITS + 3}+:{BITS + 2}];
        end
    endgenerate
endmodule
"""


def half_pair(flows, lanes, joined):
    """Two such nodes; joined: lanes of the first and of the second that are one link."""
    width, ends = BITS + 3, [dict(joined), {there: here for here, there in joined}]
    count, text = 2 * lanes * width, []
    serial = 0
    for at, (here, there) in enumerate(("ab", "ba")):
        text.append(f"wire [{lanes * width - 1}:0] {here}_i, {here}_o; wire {here}_busy, {here}_uneven;")
        for c in range(lanes):
            other = ends[at].get(c)
            text.append(f"assign {here}_i[{c * width}+:{width}] = " +
                        (f"in_q[{serial}+:{width}];" if other is None else f"{there}_o[{other * width}+:{width}];"))
            serial += width if other is None else 0
        out_b, in_b, out_a, in_a = flows[at]
        text.append(f"half_node #(.IN({2 * lanes}'d{in_b << lanes | in_a}), .OUT({2 * lanes}'d{out_b << lanes | out_a})) "
                    f"u_{here} (.i_clk(i_clk), .i_rst(rst_q), .i_link({here}_i), .o_link({here}_o), "
                    f".o_busy({here}_busy), .o_uneven({here}_uneven));")
    body = "\n    ".join(text)
    return f"""module pair (input wire i_clk, input wire i_rst, input wire i_bit, output reg o_bit);
    reg rst_q, load_q; reg [{serial}:0] in_q; reg [{count + 3}:0] out_q;
    {body}
    always @(posedge i_clk) begin
        rst_q <= i_rst; in_q <= {{in_q[{serial - 1}:0], i_bit}}; load_q <= in_q[{serial}]; o_bit <= out_q[{count + 3}];
        out_q <= load_q ? {{a_o, b_o, a_busy, b_busy, a_uneven, b_uneven}} : {{out_q[{count + 2}:0], 1'b0}};
    end
endmodule
"""


def pair(flows, lanes, more=""):
    """A module of two nodes with these flows, OUT_B, IN_B, OUT_A, IN_A, and registers. more: parameters of a node."""
    out_b, in_b, out_a, in_a = flows
    gives, takes = out_a | out_b, in_a | in_b
    joined = list(zip([c for c in range(lanes) if gives >> c & 1], [c for c in range(lanes) if takes >> c & 1][::-1]))
    from_lane = {there: here for here, there in joined}
    to_lane = dict(joined)
    width, text = 2 * lanes * (BITS + 3), []
    serial = iter(range(width))
    for here, there in ("ab", "ba"):
        text.append(f"wire [{lanes - 1}:0] {here}_iv, {here}_or, {here}_ov, {here}_ir, {here}_iw, {here}_ow; "
                    f"wire [{lanes * BITS - 1}:0] {here}_i, {here}_o; wire {here}_busy, {here}_uneven;")
    for here, there in ("ab", "ba"):
        for c in range(lanes):
            if c in from_lane:
                d = from_lane[c]
                text.append(f"assign {here}_iv[{c}] = {there}_ov[{d}]; "
                            f"assign {here}_i[{c * BITS}+:{BITS}] = {there}_o[{d * BITS}+:{BITS}];")
            else:
                text.append(f"assign {here}_iv[{c}] = in_q[{next(serial)}]; assign {here}_i[{c * BITS}+:{BITS}] = {{" +
                            ", ".join(f"in_q[{next(serial)}]" for _ in range(BITS)) + "};")
            if c in to_lane:
                d = to_lane[c]
                text.append(f"assign {here}_ir[{c}] = {there}_or[{d}]; assign {here}_iw[{c}] = {there}_ow[{d}];")
            else:
                text.append(f"assign {here}_ir[{c}] = in_q[{next(serial)}]; assign {here}_iw[{c}] = in_q[{next(serial)}];")
        text.append(f"gfab_stream_node #(.LANES({lanes}), .LINK_BITS({BITS - 1}), .FLOWS(2), "
                    f".IN({2 * lanes}'d{in_b << lanes | in_a}), .OUT({2 * lanes}'d{out_b << lanes | out_a}){more}) "
                    f"u_{here} (.i_clk(i_clk), .i_rst(rst_q), .i_valid({here}_iv), .o_ready({here}_or), .i_word({here}_i), .o_valid({here}_ov), "
                    f".i_ready({here}_ir), .o_word({here}_o), .i_wants({here}_iw), .o_wants({here}_ow), "
                    f".o_busy({here}_busy), .o_uneven({here}_uneven));")
    seen = ["^a_or", "^b_or", "^a_ov", "^b_ov", "^a_ow", "^b_ow", "a_busy", "b_busy", "a_uneven", "b_uneven"]
    seen += [f"{node}_o[{flow * BITS}+:{BITS}]" for node in "ab"
             for flow in sorted({(mask & -mask).bit_length() - 1 for mask in (out_a, out_b) if mask})]
    body = "\n    ".join(text)
    return f"""`default_nettype none
module pair (input wire i_clk, input wire i_rst, input wire i_bit, output reg o_bit);
    reg rst_q, load_q; reg [{width}:0] in_q; reg [299:0] out_q;
    {body}
    always @(posedge i_clk) begin
        rst_q <= i_rst; in_q <= {{in_q[{width - 1}:0], i_bit}}; load_q <= in_q[{width}]; o_bit <= out_q[299];
        out_q <= load_q ? {{{", ".join(seen)}}} : {{out_q[298:0], 1'b0}};
    end
endmodule
"""


def busiest(folder, manifest):
    """The flows of the node that has the most lanes in them."""
    relays = [([0, 0] + row)[-5:-1] for row in rows(folder)[manifest["streams"]:]]
    return max(relays, key=lambda row: sum(bin(mask).count("1") for mask in row[1::2] + row[:3:2]))


def ported(hosts):
    """The fabric, and registers at its ports."""
    width, out = hosts * (BITS + 2), hosts * (BITS + 2) + hosts + 3
    return f"""`default_nettype none
module ported (input wire i_clk, input wire i_rst, input wire i_bit, output reg o_bit);
    reg rst_q, load_q; reg [{width}:0] in_q; reg [{out - 1}:0] out_q; wire [{out - 1}:0] out;
    gossip_fabric u_fabric (.i_clk(i_clk), .i_rst(rst_q), .s_axis_tvalid(in_q[0+:{hosts}]),
        .s_axis_tlast(in_q[{hosts}+:{hosts}]), .m_axis_tready(in_q[{2 * hosts}+:{hosts}]),
        .s_axis_tdata(in_q[{3 * hosts}+:{hosts * (BITS - 1)}]), .m_axis_tvalid(out[0+:{hosts}]),
        .m_axis_tlast(out[{hosts}+:{hosts}]), .s_axis_tready(out[{2 * hosts}+:{hosts}]),
        .m_axis_tdata(out[{3 * hosts}+:{hosts * (BITS - 1)}]), .o_late(out[{hosts * (BITS + 2)}+:{hosts}]),
        .o_busy(out[{out - 3}]), .o_error(out[{out - 2}]), .o_uneven(out[{out - 1}]));
    always @(posedge i_clk) begin
        rst_q <= i_rst; in_q <= {{in_q[{width - 1}:0], i_bit}}; load_q <= in_q[{width}]; o_bit <= out_q[{out - 1}];
        out_q <= load_q ? out : {{out_q[{out - 2}:0], 1'b0}};
    end
endmodule
"""


def find(tool):
    for name in (tool, "yowasp-" + tool, str(RTL.parent / "build/tools/bin" / ("yowasp-" + tool))):
        if shutil.which(name):
            return name
    raise SystemExit(f"{tool} is missing: scripts/setup-boards.sh")


def on_ecp5(folder, top, seeds):
    """LUT4, flip-flops, and MHz by seed, of the module of a file in the folder, with the folder's rtl."""
    sources = " ".join(str(path) for path in sorted((folder / "rtl").glob("*.v")) + [folder / "gossip_fabric.v"])
    run(["yosys", "-q", "-p", f"read_verilog -I{folder}/rtl {sources} {top}.v; synth_ecp5 -nolutram -abc9 -top {top} "
         f"-json {top}.json; tee -q -o {top}_stat.json stat -json"], cwd=folder)
    cells = json.loads((folder / f"{top}_stat.json").read_text())["design"]["num_cells_by_type"]
    clocks = []
    for seed in range(1, seeds + 1):
        run([find("nextpnr-ecp5"), "--85k", "--package", "CABGA381", "--json", f"{top}.json", "--freq", "200",
             "--lpf-allow-unconstrained", "--timing-allow-fail", "--seed", str(seed), "--report", "report.json", "-q"],
            cwd=folder)
        report = json.loads((folder / "report.json").read_text())
        clocks.append(round(min(clock["achieved"] for clock in report["fmax"].values()), 1))
    return cells["LUT4"] + 2 * cells.get("CCU2C", 0), cells["TRELLIS_FF"], clocks


def ecp5(gossipfab, work, operators):
    print("operator D h what LUT4 flip-flops MHz.. median")
    seeds = int(os.environ.get("SEEDS", "5"))
    for text in operators or ("float32:5", "bfloat16:5", "sum:0"):
        operator, cycles = text.split(":")
        options = ["--operator", operator] + (["--operator-latency", cycles] if int(cycles) else [])
        folder, manifest = generate(gossipfab, work, "torus:4x4", "all-reduce", options=options)
        lanes, flows = manifest["lanes"], busiest(folder, manifest)
        taken = [c for c in range(lanes) if (flows[1] | flows[3]) >> c & 1]
        order = sum(c << 4 * at for at, c in enumerate(taken))
        more = (f", .OPERATOR({manifest['operator']}), .OPERATOR_CYCLES({manifest['operator_cycles']}), "
                f".TURNS({len(taken)}), .LANE_BITS(4), .ORDER({4 * len(taken)}'d{order})")
        (folder / "pair.v").write_text(pair(flows, lanes, more))
        (folder / "ported.v").write_text(ported(manifest["streams"]))
        for top, what in (("pair", "two nodes"), ("ported", "fabric")):
            luts, flops, clocks = on_ecp5(folder, top, seeds)
            print(operator, cycles, manifest["hop_cycles"], what, luts, flops, *sorted(clocks),
                  statistics.median(clocks), flush=True)
    return 0


def on_hx8k(folder, sources, node):
    """Of pair.v LUT4 and flip-flops of a module in it, `node` after chparam's words, and MHz by seed of five."""
    name, chosen = node
    figures = []
    for top in (name, "pair"):
        run(["yosys", "-q", "-p", f"read_verilog -I{RTL}/common {' '.join(sources)} pair.v; "
             f"{f'chparam {chosen} {name}; ' if top == name else ''}"
             f"synth_ice40 -device hx -top {top} -json {top}.json; tee -q -o {top}_stat.json stat -json"], cwd=folder)
        cells = json.loads((folder / f"{top}_stat.json").read_text())["design"]["num_cells_by_type"]
        figures.append([sum(n for kind, n in cells.items() if kind.startswith(kinds)) for kinds in ("SB_LUT4", "SB_DFF")])
    clocks = []
    for seed in itertools.count(1):
        if len(clocks) == 5:
            break
        try:
            run(["nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", "pair.json", "--freq", "200",
                 "--timing-allow-fail", "--seed", str(seed), "--report", "report.json", "-q"], cwd=folder, timeout=120)
        except subprocess.TimeoutExpired: # most take ten seconds; some the router never ends
            print(f"seed {seed}: not routed in 2 minutes", file=sys.stderr)
            continue
        report = json.loads((folder / "report.json").read_text())
        clocks.append(round(min(clock["achieved"] for clock in report["fmax"].values()), 1))
    return [*figures[0], *sorted(clocks), statistics.median(clocks)]


def masks(flows, lanes):
    out_b, in_b, out_a, in_a = flows
    return f"-set IN {2 * lanes}'d{in_b << lanes | in_a} -set OUT {2 * lanes}'d{out_b << lanes | out_a}"


def first(mask):
    return (mask & -mask).bit_length() - 1


def area(gossipfab, work):
    print("node LUT4 flip-flops MHz.. median")
    sources = [str(RTL / f"stream/gfab_stream_{name}.v") for name in
               ("skid", "single", "pair", "chain", "saturated", "flow", "turns", "node")]
    sources += [str(RTL / "common/gfab_held_delay.v"), str(RTL / "wide/gfab_float_add.v")]
    for collective in ("broadcast", "reduce", "all-reduce"):
        folder, manifest = generate(gossipfab, work, "torus:4x4", collective)
        lanes = manifest["lanes"]
        flows = busiest(folder, manifest)
        (folder / "pair.v").write_text(pair(flows, lanes))
        chosen = f"-set FLOWS 2 -set LANES {lanes} {masks(flows, lanes)}"
        print(collective, *on_hx8k(folder, sources, ("gfab_stream_node", chosen)), flush=True)
    folder, manifest = generate(gossipfab, work, "torus:4x4", "all-reduce", options=("--link-mode", "half"))
    lanes, relays = manifest["lanes"], [row[:-1] for row in rows(folder)[manifest["streams"]:]]
    # Where all meet there is one flow, into and out of the same lanes.
    root = next(row for row in relays if row[2] & row[3])
    busy = max((row for row in relays if row is not root), key=lambda row: sum(bin(mask).count("1") for mask in row))
    to_root = first(busy[2]), first(root[3])
    for what, flows, joined in (
            ("half all-reduce", (busy, busy), [(first(busy[2]), first(busy[3])), (first(busy[3]), first(busy[2]))]),
            ("half all-reduce, where all meet", (root, busy), [to_root[::-1]])):
        (folder / "pair.v").write_text(half_node(lanes) + half_pair(flows, lanes, joined))
        print(what, *on_hx8k(folder, sources, ("half_node", masks(flows[0], lanes))), flush=True)
    return 0


def main():
    if "--help" in sys.argv or len(sys.argv) < 4 or sys.argv[1] not in ("cycles", "area", "ecp5"):
        print(__doc__)
        sys.exit("--help" not in sys.argv and 2)
    work = pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    gossipfab = str(pathlib.Path(sys.argv[2]).resolve())
    kinds = {"cycles": cycles, "ecp5": ecp5}
    late = kinds[sys.argv[1]](gossipfab, work, sys.argv[4:]) if sys.argv[1] in kinds else area(gossipfab, work)
    if late:
        raise SystemExit(f"{late} lines take longer than they may")


if __name__ == "__main__":
    main()
