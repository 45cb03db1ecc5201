#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl.py GOSSIPFAB WORK [--short] [--report FILE]: which lines, branches and bits of rtl/ its benches reach.

Each fabric below is generated, built by Verilator with --coverage, and run: by bench.cc behind its AXI streams, or on
its board, which "wrong" and "stuck" have faulty ROMs on; by the folder's own benches in Verilog; by tb/board/host.py.
What one instance of a module reaches, with whatever parameters, is reached. Verilator leaves out branches that end in
$stop: assertions. Lines and branches must be reached, all of them, and 95 % of the bits must have changed; what is not
must be in waivers.txt, and a waiver that nothing needs is an error. Exit status: 0, 1 where something is missing, 77
without Verilator."""
import argparse
import collections
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOGGLED = 95  # % of a module's bits

# Options of `gossipfab generate`; benches.
PATHS = "--link-mode full --routing circuit --packet-tokens 100 --startup 50 --gap 2 --solver"
FABRICS = [
    ("-t mesh:2x2 --token-bits 8 --link-bits 2 --store narrow --gap 2 --board hx8k", "axis harness board wrong stuck"),
    ("-t mesh:2x2 --token-bits 8 --link-bits 8 --store wide", "axis"),
    ("-t mesh:2x2 --token-bits 8 --link-bits 8 --store wide --gap 2", "axis"),
    ("-t cycle:3 --token-bits 12 --link-bits 2 --link-latency 1 --gap 3", "axis"),
    ("-t cycle:5 --token-bits 16 --link-bits 2 --link-mode full", "axis"),
    (f"-t cycle:5 --token-bits 8 --link-bits 1 --link-latency 2 {PATHS} circgo --solver-options parts=2", "axis"),
    (f"-t cycle:4 --token-bits 8 --link-bits 2 {PATHS} recursive-doubling", "axis"),
    ("-t torus:3x3 --token-bits 8 --link-bits 4 --link-mode full --store wide --link-latency 1", "axis"),
    ("-t mesh:2x4 --token-bits 8 --link-bits 2 --link-mode full --store narrow --chips 2x2 --link-latency 3", "chips"),
    ("-t cycle:5 --token-bits 8 --link-bits 2 --solver greedy --chips 1 --link-latency 2 --gap 4", "chips"),
    ("-t mesh:2x2 --token-bits 8 --link-bits 2 --store narrow --protect detect", "axis"),
    ("-t torus:3x3 --token-bits 16 --link-bits 2 --link-mode full --link-latency 1 --protect detect", "axis"),
    ("-t mesh:2x3 --token-bits 8 --link-bits 8 --store wide --protect detect", "axis"),
    ("-t mesh:2x2 --token-bits 8 --link-bits 2 --axi overlap", "axis"),
    ("-t path:2 --token-bits 8 --link-bits 4 --collective all-gather,all-reduce,broadcast --operator all"
     " --registers wishbone", "tb_registers"),
    ("-t path:2 --token-bits 8 --link-bits 4 --collective all-reduce --operator xor --registers axi-lite",
     "tb_registers"),
    ("-t cycle:4 --token-bits 16 --link-bits 2 --link-mode full --chips 2 --clocks own --link-latency 12", "tb_clocks"),
    ("-t path:2 --token-bits 8 --link-bits 2 --collective all-gather,all-reduce --operator all", "host"),
    ("-t graph:5:0-1,0-2,0-3,0-4 --token-bits 16 --link-bits 2 --collective all-reduce --operator all --protect detect",
     "tb_fabric"),
    ("-t cycle:3 --token-bits 8 --link-bits 4 --store wide --axi overlap --protect detect", "axis"),
    ("-t cycle:3 --token-bits 16 --link-bits 8 --store wide --link-mode full --collective all-reduce --operator sum"
     " --axi overlap --protect detect --registers axi-lite", "tb_registers"),
    ("-t mesh:2x3 --token-bits 12 --link-bits 4 --store wide --link-mode full --collective all-reduce --operator sum",
     "tb_fabric"),
    ("-t cycle:5 --token-bits 8 --link-bits 4 --store wide --collective reduce-scatter --operator xor --link-latency 1",
     "tb_fabric"),
    ("-t mesh:2x3 --token-bits 12 --link-bits 4 --store wide --link-mode full --collective all-reduce --operator min",
     "tb_fabric"),
    ("-t cycle:3 --token-bits 64 --link-bits 16 --link-mode full --collective all-reduce --operator bfloat16"
     " --operator-latency 3", "tb_fabric"),
    ("-t cycle:3 --token-bits 8 --link-bits 4 --store wide --collective all-reduce --operator and", "tb_fabric"),
    ("-t cycle:3 --token-bits 4 --link-bits 4 --store wide --collective all-reduce --operator or", "tb_fabric"),
    ("-t mesh:2x3 --token-bits 8 --link-bits 2 --store narrow --collective all-to-all --protect detect", "tb_fabric"),
    ("-t path:3 --token-bits 12 --link-bits 2 --collective all-reduce --operator sum --stream", "tb_stream"),
    ("-t path:3 --token-bits 8 --link-bits 8 --collective all-gather --stream --protect detect", "tb_stream"),
    ("-t mesh:2x2 --token-bits 8 --link-bits 8 --collective reduce --operator sum --stream --host-words 2", "tb_stream"),
    ("-t cycle:3 --token-bits 64 --link-bits 64 --collective all-reduce --operator float32 --stream", "tb_stream"),
    ("-t cycle:3 --token-bits 8 --link-bits 8 --collective all-reduce --operator saturated --stream", "tb_stream"),
    ("-t mesh:2x2 --token-bits 8 --link-bits 8 --collective all-reduce --operator max --stream", "tb_stream"),
    ("-t mesh:2x2 --token-bits 8 --link-bits 8 --collective all-reduce --operator sum --link-mode half --stream",
     "tb_stream"),
    ("-t path:3 --token-bits 5 --link-bits 1 --collective all-reduce --blocks 3 --operator all --gap 2 --protect detect",
     "tb_fabric"),
    (f"-t cycle:4 --token-bits 8 --link-bits 2 {PATHS} recursive-doubling --protect detect", "axis"),
    ("-t mesh:2x4 --token-bits 8 --link-bits 2 --link-mode full --store narrow --chips 2x2 --link-latency 3"
     " --protect detect", "chips"),
    ("-t cycle:4 --token-bits 16 --link-bits 2 --link-mode full --chips 2 --clocks own --link-latency 14"
     " --protect detect", "tb_clocks"),
    ("-t path:3 --token-bits 10 --link-bits 2 --collective all-gather,all-reduce --operator all --board hx8k", "board"),
    ("-t mesh:2x4 --token-bits 12 --link-bits 2 --link-mode full --store ring", "tb_fabric"),
    ("-t torus:3x3 --token-bits 16 --link-bits 4 --store ring", "tb_fabric"),
    ("-t torus:3x3 --token-bits 8 --link-bits 2 --link-mode full --store ring", "tb_fabric"),
]
SHORT = [(FABRICS[0][0], "axis board wrong stuck"),
         ("-t mesh:2x2 --token-bits 8 --link-bits 2 --store narrow --protect detect --gap 2", "axis")]
# What these have for gaps of several lengths, for skews, operators, PLLs and wide nodes is in other fabrics.
SHORT_LEAVES = {"gfab_axis", "gfab_fabric", "gfab_lane_check", "gfab_lane_order", "gfab_lane_store", "gfab_node",
                "gfab_reset", "gfab_sequence", "gfab_sequencer_pair", "gfab_slots", "gfab_time"}
# In place of the watch on wires between chips: it looks for z, which Verilator does not have and Icarus does.
NO_WATCH = """module gfab_pad_watch #(parameter LINK = 0, parameter LINK_BITS = 2, parameter DEAD = 4) (
    input wire i_clk, input wire i_rst, input wire [LINK_BITS-1:0] i_wire, input wire i_drive0, input wire i_drive1);
endmodule
"""
# Counted is what comes from rtl/ alone.
ONLY_RTL = """`verilator_config
coverage_off -file "tb/*"
coverage_off -file "gossip_*"
coverage_off -file "board_top.v"
"""
# A bench's top, its sources, Verilator's options; who drives it, and with which arguments.
Bench = collections.namedtuple("Bench", "top sources options driver runs", defaults=[[], "bench.cc", [""]])
SEEDS = [f"+seed={seed}" for seed in range(1, 7)]


def in_verilog(name, runs, sources):
    return Bench(name, [f"tb/{name}.v", *sources], ["--timing", "-Itb"], "verilog.cc", runs)


BENCHES = {
    "axis": Bench("gossip_fabric_axis", ["gossip_fabric_axis.v", "gossip_fabric.v"]),
    "chips": Bench("gossip_fabric_axis", ["gossip_fabric_axis.v", "tb/g*.v", "gossip_chip_*.v"]),
    "harness": Bench("gossip_fabric_harness", ["gossip_fabric_harness.v", "gossip_fabric.v"]),
    "board": Bench("board_top", ["board_top.v", "gossip_fabric.v"], ["-GCLOCKS_PER_BIT=4", "-GPAUSE_BITS=9"]),
    "tb_fabric": in_verilog("tb_fabric", SEEDS, ["gossip_fabric.v"]),
    "tb_stream": in_verilog("tb_stream", SEEDS, ["gossip_fabric.v"]),
    "tb_registers": in_verilog("tb_registers", SEEDS, ["gossip_fabric_registers.v", "gossip_fabric.v"]),
    "tb_clocks": in_verilog("tb_clocks", ["+rounds=60", "+rounds=60 +faults"], ["tb/g*.v", "gossip_chip_*.v"]),
}


def build(runtime, folder, name, defines):
    """A top of a generated folder, verilated and compiled with its driver in one translation unit; its program."""
    obj = folder / f"obj_{name}"
    bench = BENCHES[name]
    (folder / "only_rtl.vlt").write_text(ONLY_RTL, encoding="ascii")
    sources = [file for pattern in [*bench.sources, "rtl/gfab_*.v"] for file in sorted(folder.glob(pattern))]
    subprocess.run(["verilator", "--cc", "--coverage", "-DGFAB_TRACE", "-Wno-fatal", "-Wno-lint", "-Wno-style",
                    "--x-initial", "unique", "--prefix", "Vtop", "--top-module", bench.top, "--Mdir", obj, "only_rtl.vlt", "rtl/gfab.vlt",
                    "-Irtl", *bench.options, *(file.relative_to(folder) for file in sources)], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = "".join(f'#include "{part.name}"\n' for part in sorted(obj.glob("*.cpp")))
    (obj / "all.cc").write_text(text + f'#include "{HERE}/{bench.driver}"\n', encoding="utf-8")
    subprocess.run([*runtime.compiler, *defines, f"-DDRIVES_{name.upper()}", f"-I{obj}", "-o", obj / "bench",
                    obj / "all.cc", *runtime.objects, "-pthread"], check=True)
    return obj / "bench"


class Runtime:
    """Verilator's own library, compiled once."""

    def __init__(self, work):
        root = subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], check=True, capture_output=True,
                              text=True).stdout.strip()
        include = pathlib.Path(root, "include")
        self.compiler = ["c++", "-std=c++20", "-O0", "-w", f"-I{include}", f"-I{include}/vltstd",
                         "-DVM_COVERAGE=1"]
        self.objects = []
        for name in ("verilated", "verilated_cov", "verilated_threads", "verilated_timing"):
            target = work / f"{name}.o"
            subprocess.run([*self.compiler, "-c", "-o", target, include / f"{name}.cpp"], check=True)
            self.objects.append(target)


def play(gossipfab, runtime, work, number, text, benches):
    """Generates and runs one fabric; the paths of its coverage."""
    if benches == "host":
        return play_host(gossipfab, work / f"fabric{number}", text)
    folder = work / f"fabric{number}"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([gossipfab, "generate", *text.split(), "-o", folder], check=True, stdout=subprocess.DEVNULL)
    if (folder / "tb" / "gfab_pad_watch.v").exists():
        (folder / "tb" / "gfab_pad_watch.v").write_text(NO_WATCH, encoding="ascii")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    defines = [f"-DNODES={manifest['nodes']}u", f"-DTOKEN_BITS={manifest['token_bits']}u"]
    found, program, runs = [], None, [""]
    for bench in benches.split():
        if bench in BENCHES:
            program, runs = build(runtime, folder, bench, defines), BENCHES[bench].runs
        else: # the board once more
            break_rom(folder, bench)
        for run, arguments in enumerate(runs):
            print(f"coverage: {text}: {bench} {arguments}", flush=True)
            subprocess.run([program, bench, *arguments.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            found.append(folder / f"{bench}_{run}.dat")
            shutil.move(folder / "coverage.dat", found[-1])
    return found


def play_host(gossipfab, folder, text):
    """A board top that a host drives: the test of the command that does, which generates and builds what it plays."""
    print(f"coverage: {text}: host", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([ROOT / "tb/board/host.py", "play", "7", *text.split()], check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, GOSSIPFAB=gossipfab, WORK=folder, VERILATOR="verilator --coverage"))
    return sorted(folder.glob("fabric/coverage_*.dat"))


def break_rom(folder, how):
    """wrong: one received token goes to another slot; stuck: no program ends."""
    rom = folder / "rom/sequence.hex" if how == "stuck" else sorted((folder / "rom").glob("program_*.hex"))[-1]
    words = rom.read_text(encoding="ascii").split()
    if how == "stuck":
        words = [f"{int(word, 16) & ~1:0{len(word)}x}" for word in words]
    else:
        at = next(i for i, word in enumerate(words) if int(word, 16) & 3 == 2)
        words[at] = f"{int(words[at], 16) ^ 4:0{len(words[at])}x}"
    rom.write_text("\n".join(words) + "\n", encoding="ascii")


Point = collections.namedtuple("Point", "kind module line what")


def read(paths):
    """How often each point of the modules of rtl/ was reached, over all runs and instances."""
    counts = collections.Counter()
    for path in paths:
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            match = re.fullmatch(r"C '(.*)' (\d+)", line)
            if not match:
                continue
            fields = dict(field.split("\x02", 1) for field in match.group(1).split("\x01") if "\x02" in field)
            file = pathlib.Path(fields["f"])
            if file.parent.name != "rtl" or not file.name.startswith("gfab_"):
                continue
            kind = fields["page"].split("/")[0].removeprefix("v_")
            what = fields.get("o", "")
            counts[Point(kind, file.stem, int(fields["l"]), what)] += int(match.group(2))
    return counts


def read_waivers(path):
    """(kind, module, pattern, reason) a line; the pattern is of a signal, or of the text of a source line."""
    waivers = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"(toggle|line|branch) (\w+) (.+?) \| (.+)", line)
        if not match:
            sys.exit(f"coverage: {path.name}: line {number}: KIND MODULE PATTERN | REASON is expected")
        waivers.append(match.groups())
    return waivers


def waived(point, waivers, used, sources):
    text = point.what if point.kind == "toggle" else sources[point.module][point.line - 1].strip()
    for number, (kind, module, pattern, _) in enumerate(waivers):
        if kind == point.kind and fnmatch.fnmatchcase(point.module, module) and fnmatch.fnmatchcase(text, pattern):
            used.add(number)
            return True
    return False


def as_generated(file):
    """The lines of a module as a folder has it: behind the licence's stand two, so that several lists may have it."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return lines[:1] + ["", ""] + lines[1:]


def judge(counts, waivers, complete):
    """The table's rows and what is wrong; stale waivers only where all fabrics have run."""
    sources = {file.stem: as_generated(file) for file in ROOT.glob("rtl/*/gfab_*.v")}
    rows, wrong, used = [], [], set()
    for module in sorted(sources):
        row = [module]
        for kind in ("line", "branch", "toggle"):
            points = {point: count for point, count in counts.items() if (point.module, point.kind) == (module, kind)}
            missed = sorted(point for point in points if not points[point])
            left = [point for point in missed if not waived(point, waivers, used, sources)]
            excused, reached = len(missed) - len(left), len(points) - len(missed)
            row += [f"{reached} of {len(points)}", excused]
            enough = TOGGLED * (len(points) - excused) if kind == "toggle" else 100 * (len(points) - excused)
            if 100 * reached < enough:
                wrong += [f"{module}: {kind}: line {p.line}: {p.what}: {sources[module][p.line - 1].strip()}"
                          for p in left]
        if any(point.module == module for point in counts):
            rows.append(row)
        elif complete and not waived_module(module, waivers, used):
            wrong.append(f"{module}: no fabric has it")
    if complete:
        wrong += [f"waivers.txt: nothing needs: {' '.join(waiver[:3])}"
                  for number, waiver in enumerate(waivers) if number not in used]
    return rows, wrong


def waived_module(module, waivers, used):
    """A module that no bench has, waived by a pattern * for its lines."""
    for number, (kind, name, pattern, _) in enumerate(waivers):
        if (kind, name, pattern) == ("line", module, "*"):
            used.add(number)
            return True
    return False


def fragment(rows, waivers):
    lines = ["### RTL", "",
             "Verilator's coverage of the hand-written modules, all instances of a module together.", "",
             "| module | lines | branches | bits that change | waived |", "| --- | --- | --- | --- | --- |"]
    for module, line, line_waived, branch, branch_waived, toggle, toggle_waived in rows:
        lines.append(f"| {module} | {line} | {branch} | {toggle} | {line_waived + branch_waived + toggle_waived} |")
    lines += ["", "Waived, by name:", ""]
    for kind, module, pattern, reason in waivers:
        lines += textwrap.wrap(f"- {module}, {kind} `{pattern}`: {reason}", 120, subsequent_indent="  ")
    return "\n".join(lines + [""])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gossipfab", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--report", type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which("verilator"):
        print("coverage: skipped, verilator is missing", file=sys.stderr)
        return 77
    options.work.mkdir(parents=True, exist_ok=True)
    work = options.work.resolve()
    runtime, paths = Runtime(work), []
    for number, (text, benches) in enumerate(SHORT if options.short else FABRICS):
        paths += play(options.gossipfab.resolve(), runtime, work, number, text, benches)
    waivers = read_waivers(HERE / "waivers.txt")
    rows, wrong = judge(read(paths), waivers, not options.short)
    if options.report:
        options.report.write_text(fragment(rows, waivers), encoding="utf-8")
    for row in rows:
        print(*row)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
