#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py GOSSIPFAB WORK [--count N] [--seed S] [--only NUMBER]: fabrics number S * 10^6 .. drawn over what
`gossipfab generate` takes, each generated and driven in Icarus: loads, starts of any program with any operator, with
and without loading anew, reads, on its plain ports, its AXI4-Streams, its registers, or those of several chips. Every
word must be right at the end, by arithmetic alone: no schedule, no ROM, no C model has a say in it. --count fabrics
are played; draws that generate refuses, with status 2 and one line, are counted beside them.

run.py GOSSIPFAB WORK --pairs [--large]: every operator after every other, without loading all anew, over paddings.
run.py GOSSIPFAB WORK --mutants: words planted wrong and RTL with faults must all be seen.

Exit status 1: a word is wrong, or a simulation does not end. --keep: leave the folders of those that are right, too.
"""
import argparse
import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True  # the checkout stays as it is
from arithmetic import Goal
from draw import Asked, fabric
from play import Flat, Plan, packets

HERE = Path(__file__).resolve().parent
RUNS = 8  # starts of a fabric, or packets
SECONDS = 300  # that a simulation may take


class Fault(Exception):
    """Something is not as it should be."""


class Refused(Exception):
    """generate does not take it."""


# As arithmetic.py has it: 16 bits at a time are added, and what they carry is dropped.
OPERATOR = """module NAME_operator #(parameter BITS = 16, parameter LATENCY = 2) (
    input wire i_clk, input wire [BITS-1:0] i_a, input wire [BITS-1:0] i_b, output wire [BITS-1:0] o_result);
    genvar n;
    generate
        for (n = 0; n < BITS / 16; n = n + 1) begin : gen_sum
            wire [15:0] sum = i_a[16*n+:16] + i_b[16*n+:16];
            gfab_delay #(.BITS(16), .CYCLES(LATENCY)) u_delay (
                .i_clk(i_clk), .i_rst(1'b0), .i_data(sum), .o_data(o_result[16*n+:16]), .o_taps());
        end
    endgenerate
endmodule
"""


def generate(gossipfab, folder, asked):
    """The folder's manifest."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if asked.file:
        (folder / "graph.txt").write_text(asked.file, encoding="ascii")
    options = list(asked.options)
    if "user" in options:  # a module of the user's
        name = options[options.index("--name") + 1] if "--name" in options else "gossip_fabric"
        options[options.index("user")] = "user:operator.v"
        (folder / "operator.v").write_text(OPERATOR.replace("NAME", name), encoding="ascii")
    ran = subprocess.run([gossipfab, "generate", *options, "-o", "fabric"], cwd=folder, text=True, timeout=SECONDS,
                         capture_output=True, check=False)
    if ran.returncode == 2 and ran.stderr.count("\n") == 1 and not (folder / "fabric").exists():
        raise Refused(ran.stderr.strip())
    if ran.returncode != 0:
        raise Fault(f"generate ends with status {ran.returncode}: {ran.stderr}")
    return json.loads((folder / "fabric/manifest.json").read_text(encoding="ascii"))


def nodes_top(folder, name, nodes):
    """Vectors over all nodes, in front of the ports of their own of --ports node: the top's name."""
    text = (folder / f"{name}.v").read_text(encoding="ascii")
    text = text[text.index(f"module {name} "):]
    ports = re.findall(r"(input|output) +wire +(?:\[([^]]+)\] )?(\w+)", text[:text.index(");")])
    vectors, wires = {}, []
    for way, width, port in ports:
        found = re.fullmatch(r"([sm])(\d\d+)(_axis_\w+)|(i_\w+|o_\w+)_(\d\d+)", port)
        if not found:
            vectors[port] = f"{way} wire {f'[{width}] ' if width else ''}{port}"
            wires.append(f".{port}({port})")
            continue
        bits = int(width.split("-")[0]) if width else 1
        vector = found[4] or found[1] + found[3]
        node = int(found[5] or found[2])
        if vector.endswith("tkeep"):
            wires.append(f".{port}({'{' + str(bits) + '{1' + chr(39) + 'b0}}' if way == 'input' else ''})")
        elif vector.endswith("tdata"):  # padded to whole bytes
            vectors[vector] = f"{way} wire [{nodes}*`TOKEN_BITS-1:0] {vector}"
            wires.append(f".{port}({vector}[{node}*`TOKEN_BITS+:`TOKEN_BITS])")
        else:
            vectors[vector] = f"{way} wire [{nodes * bits}-1:0] {vector}"
            wires.append(f".{port}({vector}[{node * bits}+:{bits}])")
    (folder / "under_test.v").write_text(
        "module under_test (\n    " + ",\n    ".join(vectors.values()) + "\n);\n"
        f"    {name} u_nodes (\n        " + ",\n        ".join(wires) + "\n    );\nendmodule\n", encoding="ascii")
    return "under_test"


def chip_name(m):
    return "gossip_chip" if m["name"] == "gossip_fabric" else f"{m['name']}_chip"


def clocks_top(folder, m):
    """Chips with clocks of their own, here all of one oscillator, as ports over all nodes; cables delay what they carry."""
    chips = range(max(m["chip_of_node"]) + 1)
    buses = [("input", "i_load_valid", 1), ("input", "i_load_word", m["load_bits"]),
             ("input", "i_load_data", m["word_bits"]), ("input", "i_read_token", m["slot_bits"]),
             ("input", "i_read_word", m["index_bits"]), ("output", "o_read_data", m["word_bits"])]
    wires, made, cables = [], [], {}
    for chip in chips:
        text = (folder / f"{chip_name(m)}_{chip}.v").read_text(encoding="ascii")
        cables[chip] = [(int(to), width) for width, to in re.findall(r"output wire (\[.*\]) o_flits_(\d+)", text)]
    nearer = {0: None}  # from which chip each gets its reset
    while len(nearer) < len(chips):
        nearer |= {to: chip for chip in list(nearer) for to, _ in cables[chip] if to not in nearer}
    for chip in chips:
        here = [node for node in reversed(range(m["nodes"])) if m["chip_of_node"][node] == chip]
        ports = [".i_clk(i_clk)", f".o_rst(rst_{chip})", f".o_busy(busy[{chip}])", f".o_done(done[{chip}])",
                 f".o_error(errors[{chip}])", f".i_rst({'i_rst' if chip == 0 else f'rst_{nearer[chip]}'})"]
        ports += [".i_start(i_start)"] if chip == 0 else []
        wires.append(f"wire rst_{chip};")
        for _, bus, width in buses:
            ports.append(f".{bus}({{{', '.join(f'{bus}[{node * width}+:{width}]' for node in here)}}})")
        for to, width in cables[chip]:
            for what, bits in (("clock", ""), ("valid", ""), ("flits", width)):
                out, late = f"{what}_{chip}_{to}", f"late_{what}_{chip}_{to}"
                ports += [f".o_{what}_{to}({out})", f".i_{what}_{to}(late_{what}_{to}_{chip})"]
                wires.append(f"wire {bits} {out}, {late}; assign #3 {late} = {out};")
        made.append(f"{chip_name(m)}_{chip} u_chip_{chip} (\n        " + ",\n        ".join(ports) + "\n    );")
    ports = ["input wire i_clk", "input wire i_rst", "input wire i_start", "output wire o_busy", "output wire o_done",
             "output wire o_error", *(f"{way} wire [{m['nodes'] * width}-1:0] {bus}" for way, bus, width in buses)]
    every = [f"wire [{len(chips)}-1:0] busy, done, errors;", "assign o_busy = |busy;", "assign o_done = &done;",
             "assign o_error = |errors;"]
    (folder / "under_test.v").write_text("module under_test (\n    " + ",\n    ".join(ports) + "\n);\n    "
                                         + "\n    ".join(every + wires + made) + "\nendmodule\n", encoding="ascii")
    return "under_test"


def simulate(folder, bench, top, sources, defines):
    """What it prints at the end."""
    defined = [f"-D{name}={value}" for name, value in defines.items() if value is not None]
    built = subprocess.run(["iverilog", "-g2005", "-Irtl", *defined, f"-DTOP={top}", "-s", bench, "-o", "bench.vvp",
                            str(HERE / f"{bench}.v"), *map(str, sources)], cwd=folder, text=True, capture_output=True,
                           check=False)
    if built.returncode != 0 or "error" in built.stderr:
        raise Fault(f"Icarus does not take it: {built.stderr[:2000]}")
    ran = subprocess.run(["vvp", "-N", "bench.vvp"], cwd=folder, text=True, capture_output=True, timeout=SECONDS,
                         check=False)
    if ran.returncode != 0 or "PASS" not in ran.stdout:
        raise Fault(ran.stdout[-600:].strip() or ran.stderr[-600:])
    return int(re.search(r"PASS: (\d+)", ran.stdout)[1])


def sources_of(folder, m, top):
    """All modules, and the top."""
    name = m["name"]
    files = sorted(folder.glob("rtl/*.v")) + sorted(folder.glob("*_operator.v"))
    if top == "chips":
        return name, files + sorted(folder.glob("*_chip_*.v")) + sorted(folder.glob("tb/*_chips.v")) + [
            *folder.glob("tb/gfab_pad_watch.v")]
    if top == "clocks":
        made = clocks_top(folder, m)
        return made, files + sorted(folder.glob("*_chip_*.v")) + [folder / "under_test.v"]
    files.append(folder / f"{name}.v")
    if top == "flat":
        return name, files
    if top == "nodes":
        return nodes_top(folder, f"{name}_nodes", m["nodes"]), files + [folder / f"{name}_nodes.v",
                                                                        folder / "under_test.v"]
    if top == "registers":
        return f"{name}_registers", files + [folder / f"{name}_registers.v"]
    files.append(folder / f"{name}_axis.v")
    if top == "axis":
        return f"{name}_axis", files
    return nodes_top(folder, f"{name}_axis_nodes", m["nodes"]), files + [folder / f"{name}_axis_nodes.v",
                                                                         folder / "under_test.v"]


def play_flat(draw, folder, asked, plan, script=None):
    """script: fills the Flat, else any starts."""
    m, flat = plan.m, Flat(draw, plan)
    if script:
        script(flat)
    else:
        flat.run(RUNS, asked.top in ("flat", "nodes"))
    (folder / "script.txt").write_text("\n".join(flat.lines) + "\n", encoding="ascii")
    top, sources = sources_of(folder, m, asked.top)
    defines = {name: m[name.lower()] for name in ("NODES", "WORD_BITS", "LOAD_BITS", "SLOT_BITS", "INDEX_BITS",
                                                  "TOKEN_BITS", "PROGRAM_BITS")}
    defines |= {"CHOICE": 1 if asked.operator == "all" else None, "SEVERAL": 1 if len(plan.goals) > 1 else None,
                "ERROR": 1 if m["protect"] or asked.top == "clocks" else None, "LATENCY": m["latency_cycles"] + 10 * (
                    asked.top == "clocks"), "LIMIT": 20 * m["cycles"] + 1000, "CHECKED": flat.checked,
                "GFAB_TRACE": 1 if asked.top == "chips" else None}  # what joins the chips watches their pads
    return simulate(folder, "flat", top, sources, defines)


def play_streams(draw, folder, asked, plan, planted=False):
    m = plan.m
    beats_in, beats_out, commands, cycles = packets(draw, plan, RUNS)
    if planted:
        node = max(beats_out, key=lambda v: len(beats_out[v]))
        beats_out[node][-1] ^= 1
    depth = max(map(len, [*beats_in.values(), *beats_out.values()])) + 1
    for name, beats in (("in", beats_in), ("out", beats_out)):
        rows = [f"{beat:x}" for node in range(m["nodes"]) for beat in beats[node] + [0] * (depth - len(beats[node]))]
        (folder / f"{name}.hex").write_text("\n".join(rows) + "\n", encoding="ascii")
    (folder / "counts.hex").write_text("".join(f"{len(beats_in[node]):x} {len(beats_out[node]):x}\n"
                                               for node in range(m["nodes"])), encoding="ascii")
    (folder / "commands.hex").write_text("".join(f"{command:x}\n" for command in commands), encoding="ascii")
    top, sources = sources_of(folder, m, asked.top)
    defines = {name: m[name.lower()] for name in ("NODES", "TOKEN_BITS", "PROGRAM_BITS")}
    defines |= {"DEPTH": depth, "RUNS": RUNS, "SEED": draw.randrange(1 << 30), "LATENCY": m["latency_cycles"],
                "LIMIT": 16 * max(program["cycles"] for program in m["programs"]) + 1000 + 64 * m["parts"] * m["words"],
                "CHOICE": 1 if asked.operator == "all" else None,
                "COMMANDED": 1 if asked.operator == "all" or len(plan.goals) > 1 else None, "CYCLES": cycles}
    if m["registers"]:
        defines |= {"AXIL" if m["registers"] == "axi-lite" else "WISHBONE": 1,
                    "ADDRESS_BITS": re.search(r"ADDRESS_BITS\((\d+)\)", (folder / f"{top}.v").read_text())[1]}
    return simulate(folder, "streams", top, sources, defines)


def play(gossipfab, work, draw, asked, script=None):
    """Words that were right."""
    plan = Plan(asked, generate(gossipfab, work, asked))
    if asked.top in ("axis", "axis-nodes", "registers"):
        return play_streams(draw, work / "fabric", asked, plan)
    return play_flat(draw, work / "fabric", asked, plan, script)


def campaign(options):
    right, refused, faults, tried = Counter(), Counter(), 0, 0
    numbers = [options.only] if options.only is not None else range(options.seed * 10**6, options.seed * 10**6 + 10**6)
    words = 0
    for number in numbers:
        if sum(right.values()) + faults == options.count:
            break
        tried += 1
        draw = random.Random(number)
        asked = fabric(draw)
        work = options.work / str(number)
        try:
            words += play(options.gossipfab, work, draw, asked)
            right[asked.top] += 1
            if options.verbose:
                print(f"{number} {asked.top}: {' '.join(asked.options)}", flush=True)
        except Refused as why:
            refused[re.sub(r"\d+", "N", str(why))] += 1
            if options.verbose:
                print(f"{number} refused: {' '.join(asked.options)}: {why}", flush=True)
        except (Fault, AssertionError, subprocess.TimeoutExpired) as why:
            faults += 1
            print(f"random-fabrics: number {number}, {asked.top}, {' '.join(asked.options)}: {why}", file=sys.stderr,
                  flush=True)
            continue
        if not options.keep:
            shutil.rmtree(work)
    if options.verbose:
        for why, times in refused.most_common():
            print(f"{times:5} {why}")
    print(f"{sum(right.values())} fabrics, {words} words right; {faults} with a fault; "
          f"{sum(refused.values())} of {tried} draws refused; "
          + ", ".join(f"{top} {count}" for top, count in sorted(right.items())))
    return faults != 0


def all_reduce(text, nodes, bits, link_bits, *more):
    """One block, all operators, in narrow nodes."""
    asked = Asked(["--topology", text, "--collective", "all-reduce", "--blocks", "1", "--operator", "all", "--store",
                   "narrow", "--token-bits", str(bits), "--link-bits", str(link_bits), *more], nodes=nodes)
    asked.operator = "all"
    asked.goals = [Goal("all-reduce", nodes, 1)]
    return asked


def padded(large):
    """K of 1 to 4, with and without skewed links; flits of a token from 1 on, so that words, flits of one, both and
    none are padding."""
    for text, nodes, most, some in (("path:2", 2, 3, [1]), ("path:3", 3, 6, [1, 3, 5]), ("cycle:5", 5, 8, [1, 4, 7]),
                                    ("graph:4:0-1,0-2,0-3", 4, 9, [1, 2, 4, 7]),
                                    ("graph:5:0-1,0-2,0-3,0-4", 5, 12, [1, 6, 9])):
        for flits in range(1, most + 1) if large else some:
            for mode in ["half", "full"] if large else ["half"]:
                yield all_reduce(text, nodes, 2 * flits if large and flits % 2 else flits,
                                 2 if large and flits % 2 else 1, "--link-mode", mode)


def pairs(options):
    faults = count = words = 0
    for asked in padded(options.large):
        count += 1
        try:
            words += play(options.gossipfab, options.work / "pairs", random.Random(count), asked, Flat.pairs)
        except Fault as why:
            faults += 1
            print(f"random-fabrics: {' '.join(asked.options)}: {why}", file=sys.stderr)
    print(f"{count} paddings, every operator after every other: {words} words right; {faults} with a fault")
    return faults != 0


def spoil_line(flat):
    """A script of which one word is another."""
    flat.run(RUNS, False)
    at = max(number for number, line in enumerate(flat.lines) if line.startswith("4 "))
    fields = flat.lines[at].split()
    fields[5] = f"{int(fields[5], 16) ^ 1:x}"
    flat.lines[at] = " ".join(fields)


RTL_MUTANTS = [  # file, what is replaced, by what
    ("gfab_combine_timer.v", r"= open\[c\] \| .*;", "= open[c];"),
    ("gfab_operator.v", r"\(i_new > i_old\) \^ ~operator\[0\]", "(i_new > i_old)"),
    ("gfab_combine_timer.v", r"wire has_sign = .*;", "wire has_sign = 1'b0;"),
    ("gfab_combine_timer.v", r"\(~i_busy \| i_done\)", "1'b1"),
    ("gfab_slots.v", r"i_busy \? i_write : i_load_valid", "i_load_valid | (i_busy & i_write)"),
    ("gfab_sequencer.v", r"i_start & ~active_q", "i_start"),
]


def mutants(options):
    """Of a fabric on its plain ports and one on its streams."""
    flat = all_reduce("path:3", 3, 5, 1)
    streams = all_reduce("path:3", 3, 5, 1)
    streams.top = "axis"
    lived = []

    def seen(name, action):
        try:
            action()
            lived.append(name)
        except (Fault, subprocess.TimeoutExpired) as why:
            print(f"{name}: {str(why).splitlines()[0]}")

    def spoiled(edit):
        plan = Plan(flat, generate(options.gossipfab, options.work / "mutant", flat))
        folder = options.work / "mutant/fabric"
        file, old, new = edit
        text = (folder / "rtl" / file).read_text(encoding="ascii")
        changed, times = re.subn(old, new, text, count=1)
        assert times == 1 and changed != text, f"{old} is not in {file}"
        (folder / "rtl" / file).write_text(changed, encoding="ascii")
        # What finds it is a matter of luck in one script; it is looked for in a few.
        for seed in range(3):
            play_flat(random.Random(seed), folder, flat, plan, lambda flat: flat.run(60, True))

    def planted_beat():
        plan = Plan(streams, generate(options.gossipfab, options.work / "mutant", streams))
        play_streams(random.Random(1), options.work / "mutant/fabric", streams, plan, planted=True)

    words = play(options.gossipfab, options.work / "mutant", random.Random(1), flat)
    words += play(options.gossipfab, options.work / "mutant", random.Random(1), streams)
    seen("a word that is planted wrong",
         lambda: play(options.gossipfab, options.work / "mutant", random.Random(1), flat, spoil_line))
    seen("a beat that is planted wrong", planted_beat)
    for edit in RTL_MUTANTS:
        seen(f"{edit[0]}: {edit[2]}", lambda edit=edit: spoiled(edit))
    print(f"{words} words right without, {len(lived)} mutants not seen")
    for name in lived:
        print(f"random-fabrics: mutant not seen: {name}", file=sys.stderr)
    return bool(lived)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("work", type=Path)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    for flag in ("pairs", "large", "mutants", "keep", "verbose"):
        parser.add_argument(f"--{flag}", action="store_true")
    options = parser.parse_args()
    if not shutil.which("iverilog"):
        print("random-fabrics: skipped, iverilog is missing", file=sys.stderr)
        return 77
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.pairs:
        return pairs(options)
    return mutants(options) if options.mutants else campaign(options)


if __name__ == "__main__":
    sys.exit(main())
