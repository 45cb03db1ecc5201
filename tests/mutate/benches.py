# SPDX-License-Identifier: MIT
"""What plays the mutants of a fabric: a simulation of its netlist, and a bench that knows what is right."""
import json
import os
import pathlib
import re
import shlex
import shutil

from process import Fault, must, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 300  # of one mutant; the longest takes a tenth


def around(top, netlist_file, text="", in_cpp=False, constants=(), shown=(), written=()):
    """A module of the top's name around the netlist, which becomes the module mutants; its number of a mutant comes
    from the command line, in C++ from the environment. What was cut is here under its name, in instances like those
    that it was in; inputs that are constants of the top are 0. Registers that are `written` can be. `text` is the top's
    own, for its parameters."""
    netlist = netlist_file.read_text(encoding="ascii")
    netlist = re.sub(rf"^module {top}\(", "module mutants(", netlist, flags=re.MULTILINE)
    netlist_file.write_text(netlist, encoding="ascii")
    begin = netlist.index("module mutants(")
    ports = re.findall(r"^  ((?:in|out)put) (\[\d+:\d+\] )?(\w+|\\\S+) ?;$", netlist[begin:], re.MULTILINE)
    ports = [port for port in ports if port[2] != "mutant"]
    names = {name.removeprefix("\\") for _, _, name in ports}
    cut = [(bits, name.removeprefix("\\")) for kind, bits, name in ports
           if kind == "output" and (name.removeprefix("\\") + "_i" in names or name.removeprefix("\\") in shown)]
    inside = set(constants) | {name for _, name in cut} | {f"{name}_i" for _, name in cut}
    own = [port for port in ports if port[2].removeprefix("\\") not in inside]
    head = re.search(r"#\((.*?)^\) \(", text, re.MULTILINE | re.DOTALL)
    lines = [f"module {top} {head.group()[:-1] if head else ''}("]
    lines += [",\n".join(f"    {kind} wire {bits}{name}" for kind, bits, name in own), ");", "    reg [15:0] mutant;"]
    if in_cpp:
        lines += ['    import "DPI-C" function int mutant_number();', "    initial mutant = mutant_number();"]
    else:
        lines += ['    initial if (!$value$plusargs("mutant=%d", mutant)) mutant = 0;']
    lines += [f"    wire {name} = 1'b0;" for name in constants]
    pins = [f".{name}({name})" for name in [*(name for _, _, name in own), *constants]]
    scopes = {}
    for number, (bits, name) in enumerate(cut):
        *scope, wire = name.split(".")
        lines += [f"    wire {bits}made{number}, used{number};"]
        pins += [f".\\{name} (made{number})"] + ([f".\\{name}_i (used{number})"] if name + "_i" in names else [])
        scopes.setdefault(tuple(scope), []).append((bits, wire, number))
    lines += ["    mutants u_mutants (.mutant(mutant), " + ", ".join(pins) + ");"]
    lines += [inside_wire(bits, wire, number, wire, top, names, written) for bits, wire, number in scopes.pop((), [])]
    # Instances in each other, of modules that hand on what goes in and comes out: of each the wires in it and below.
    below = {}
    for scope, wires in sorted(scopes.items()):
        for depth in range(1, len(scope) + 1):
            below.setdefault(scope[:depth], []).extend(wires)
    modules = []
    for scope, wires in sorted(below.items()):
        of = [f"input wire {bits}made{number}, output wire {bits}used{number}" for bits, _, number in wires]
        modules += [f"module cut_{'_'.join(scope)} ({', '.join(of)});"]
        modules += [inside_wire(bits, wire, number, ".".join([*scope, wire]), top, names, written)
                    for bits, wire, number in scopes.get(scope, [])]
        modules += [instance(inner, below[inner]) for inner in sorted(below) if inner[:-1] == scope] + ["endmodule"]
    lines += [instance(scope, wires) for scope, wires in sorted(below.items()) if len(scope) == 1]
    return "\n".join(lines + ["endmodule"] + modules) + "\n"


def inside_wire(bits, wire, number, name, top, names, written):
    """What comes out of the netlist, under its name; what is forced goes in again, what is written is set there."""
    if name in written:
        return (f"    reg {bits}{wire}; always @(made{number}) {wire} = made{number};\n    always @({wire}) "
                f"if ({wire} !== made{number}) {top}.u_mutants.\\{name} = {wire};")
    return (f"    wire {bits}{wire}; assign {wire} = made{number};" +
            (f" assign used{number} = {wire};" if name + "_i" in names else ""))


def instance(scope, wires):
    pins = ", ".join(f".made{number}(made{number}), .used{number}(used{number})" for _, _, number in wires)
    return f"    cut_{'_'.join(scope)} {scope[-1]} ({pins});"


class Bench:
    """A fabric's mutants in one simulation, a process a mutant: GFAB_MUTANT is its number, 0 the fabric itself. Exit
    status 0: what is seen is right, 1: it is not. `words` are what `gossipfab generate` was told."""

    shifts = True  # variable shifts are made muxes
    outside = None  # (instance, file): not in the netlist, whose ports then are the instance's, too
    parameters = ""
    once = False  # a first look is all that there is
    zeros = False  # all starts with 0, as in proofs
    written = ()  # registers inside of it that the bench sets
    shown = ()  # wires of the top, or inside of it, that come out
    # Such wires, inside of it outputs of flip-flops, each of which comes out under its name, and is read from an input
    # of that name and _i.
    cuts = ()

    @staticmethod
    def make(build, folder, words):
        """The folder of the design."""
        must([build / "bin" / "gossipfab", "generate", *words, "-o", folder], ROOT)

    def __init__(self, build, folder, blind, words):
        self.build, self.folder, self.blind = build, folder, blind
        self.manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        with open(folder / "gossip_fabric.f", encoding="ascii") as file:
            self.sources = [line.strip() for line in file if line.strip().endswith(".v")]

    def narrow(self, design):
        """Leaves out of the design's candidates what can't be played."""

    def verilate(self, prefix, top, words, parts):
        """C++ of the top, with what plays it, in one translation unit, all.cc of the folder that is returned; behind
        it the compiler and the folders of Verilator's headers."""
        root = pathlib.Path(must(["verilator", "--getenv", "VERILATOR_ROOT"], self.folder).strip(), "include")
        model = self.folder / "model"
        shutil.rmtree(model, ignore_errors=True)
        must(["verilator", "--cc", "--prefix", prefix, "--top-module", top, "--x-initial", "unique", "-Wno-lint",
              "-Wno-fatal", "--Mdir", model, *words], self.folder)
        parts = [root / part for part in parts if "/" not in part] + sorted(model.glob("*.cpp")) + [
            ROOT / part for part in parts if "/" in part]
        (model / "all.cc").write_text("".join(f'#include "{part}"\n' for part in parts), encoding="utf-8")
        return model, shlex.split(os.environ.get("CXX", "c++")), ["-isystem", root, "-isystem", root / "vltstd"]

    def compile(self, design, mutations):
        netlist_file = design.write_mutants(mutations)
        model, compiler, system = self.verilate(f"V{self.top}", self.top, [netlist_file], self.own)
        libraries = [self.build / "libgossipfab.a", self.build / "tb" / "libgfab_verilated.a", "-ljansson", "-lexpat"]
        headers = [ROOT / "include", ROOT / "tb" / "lockstep", ROOT / "tb" / "modules", model]
        must(compiler + ["-std=c++17", "-O1", "-w", "-DGFAB_MUTANTS", *(f"-I{folder}" for folder in headers),
                         *system, "-c", model / "all.cc", "-o", model / "all.o"], self.folder)
        must(compiler + [model / "all.o"] + [self.build / name for name in self.archives] + libraries +
                ["-pthread", "-o", "bench"], self.folder)

    def passes(self, mutant, seeds):
        number = "0" if self.blind else str(mutant)
        status, said = run(["./bench"] + self.arguments(seeds), self.folder, SECONDS, GFAB_MUTANT=number)
        if status not in (0, 1):
            what = f"takes over {SECONDS} s" if status is None else f"exit status {status}: {said.strip()[-300:]}"
            raise Fault(f"{self.folder.name}: mutant {mutant}: {what}")
        if mutant == 0:
            self.said = said
        return status == 0

    def cycles(self):
        """Of the first seed, in the run of mutant 0."""
        return int(self.said.split("equal in ")[1].split()[0])


class Lockstep(Bench):
    """tb/lockstep: every link, every store's write port and every word that the host reads, in every cycle, against the
    C model."""

    top = "gossip_fabric"
    own = ["tb/lockstep/dut.cc"]
    archives = ["tb/libgfab_lockstep.a"]

    def __init__(self, build, folder, blind, words):
        super().__init__(build, folder, blind, words)
        of = self.manifest
        mode = "paths" if of["paths"] else "full" if of["full_duplex"] else "half"
        self.options = ["--topology", of["topology"], "--token-bits", of["token_bits"], "--link-bits", of["link_bits"],
                        "--link-mode", mode, "--link-latency", of["latency_cycles"], "--parts", of["parts"]]
        if of["wide"]:
            self.options += ["--wide", f"{of['crossbar']},{of['banks']},{of['hop_rounds']}"]
            if of["blocks"]:
                self.options += ["--cells", of["cell_bits"]]
        told = dict(zip(words, words[1:]))
        for name in ("--collective", "--operator", "--blocks", "--root"):
            if name in told:
                self.options += [name, told[name]]
        if of["frame"] != "absolute":
            must([ROOT / "tb" / "lockstep" / "model_rom.py", ".", "rom_of_every_node"], folder)
            self.options += ["--frame", of["frame"], "--model-rom", "rom_of_every_node"]

    def arguments(self, seeds):
        words = [str(word) for word in self.options]
        for seed in seeds:
            words += ["--seed", str(seed)]
        return words + ["."]


class Axis(Bench):
    """tb/axis/axis.cc: every stream's outputs in every cycle, against a model of them."""

    top = "gossip_fabric_axis"
    own = ["tb/axis/axis.cc"]
    archives = []
    cuts = ["done"]

    def __init__(self, build, folder, blind, words):
        super().__init__(build, folder, blind, words)
        self.limit = self.manifest["cycles"] + 3
        self.parameters = f"-chparam GOSSIP_LIMIT {self.limit}"
        self.sources += ["gossip_fabric_axis.v", "rtl/gfab_axis.v", "rtl/gfab_axis_ctrl.v", "rtl/gfab_axis_host.v"]

    def arguments(self, seeds):
        of = self.manifest
        words = ["--nodes", of["nodes"], "--token-bits", of["token_bits"], "--words", of["parts"] * of["words"],
                 "--cycles", of["cycles"], "--limit", self.limit]
        for seed in seeds:
            words += ["--seed", seed]
        return [str(word) for word in words]


class Chips(Axis):
    """The same, on several chips that are joined by wires."""

    def __init__(self, build, folder, blind, words):
        super().__init__(build, folder, blind, words)
        self.sources.remove("gossip_fabric.v")
        self.sources += ["tb/gossip_chips.v", "rtl/gfab_pad_duplex.v"]
        self.sources += sorted(path.name for path in folder.glob("gossip_chip_*.v"))


class Board(Bench):
    """tb/board/board.cc: a board top's LEDs, serial line and host side, against a fabric that is right, or is not."""

    top = "board_top"
    own = ["tb/board/board.cc"]
    archives = []
    shifts = False  # its texts are shifted
    outside = ("u_fabric", "gossip_fabric.v")
    parameters = "-chparam CLOCKS_PER_BIT 5 -chparam PAUSE_BITS 5"

    def __init__(self, build, folder, blind, words):
        super().__init__(build, folder, blind, words)
        self.sources = ["board_top.v", "rtl/gfab_reset.v", "rtl/gfab_selftest.v", "rtl/gfab_selftest_report.v",
                        "rtl/gfab_uart_tx.v"]

    def arguments(self, seeds):
        of = self.manifest
        words = ["--name", of["topology"], "--nodes", of["nodes"], "--parts", of["parts"], "--words", of["words"],
                 "--part-bits", of["part_bits"], "--word-bits", of["word_bits"], "--cycles", of["cycles"]]
        for seed in seeds:
            words += ["--seed", seed]
        return [str(word) for word in words]


class Alone(Bench):
    """A module of rtl/ alone, tb/modules/MODULE.cc. Words: the modules, that one first, then NAME=VALUE of parameters."""

    archives = []
    CUTS = {"gfab_sequencer_pair": ["combining"], "gfab_registers": ["collectives_q", "cycles_q"]}

    @staticmethod
    def make(build, folder, words):
        (folder / "rtl").mkdir(parents=True)
        for pattern in ("*/*.v", "*/*.vh"):
            for source in (ROOT / "rtl").glob(pattern):
                shutil.copy(source, folder / "rtl")

    def __init__(self, build, folder, blind, words):
        self.build, self.folder, self.blind = build, folder, blind
        modules = [word for word in words if "=" not in word]
        self.values = [word for word in words if "=" in word]
        self.top = modules[0]
        self.own = [f"tb/modules/{self.top}.cc"]
        self.cuts = self.CUTS.get(self.top, [])
        self.sources = [f"rtl/{module}.v" for module in modules]
        self.parameters = " ".join(f"-chparam {word.replace('=', ' ')}" for word in self.values)

    def arguments(self, seeds):
        return self.values + [word for seed in seeds for word in ("--seed", str(seed))]


class Streams(Bench):
    """tb/axis/tb_axis_blocks.v or tb_axis_overlap.v, which the folder has as tb_axis.v, around a top that is the
    netlist."""

    top = "gossip_fabric_axis"
    name = "tb_axis"
    text = ""
    verilated = ()  # further words for Verilator
    optimised = "-O0"  # else it takes many minutes
    archives = []
    own = ["tests/mutate/play.cc", "verilated.cpp", "verilated_threads.cpp", "verilated_timing.cpp"]

    def __init__(self, build, folder, blind, words):
        super().__init__(build, folder, blind, words)
        self.sources += ["gossip_fabric_axis.v", "rtl/gfab_axis.v", "rtl/gfab_axis_ctrl.v"]
        self.sources += sorted(f"rtl/{path.name}" for path in (folder / "rtl").glob("gfab_axis_*.v")
                               if path.name != "gfab_axis_ctrl.v")

    def compile(self, design, mutations):
        netlist_file = design.write_mutants(mutations)
        (self.folder / "around.v").write_text(around(self.top, netlist_file, self.text), encoding="ascii")
        model, compiler, system = self.verilate(
            "Vbench", self.name, ["--timing", "-Wno-INITIALDLY", "-Itb", "-Irtl", *self.verilated, f"tb/{self.name}.v",
                                  "around.v", netlist_file], self.own)
        libraries = [self.build / name for name in self.archives]
        libraries += ["-DGF_MODEL", f"-I{ROOT / 'include'}", "-ljansson", "-lexpat"] if libraries else []
        must(compiler + ["-std=c++20", self.optimised, "-w", f"-I{model}", *system, model / "all.cc", *libraries,
                         "-pthread", "-o", "bench"], self.folder)

    def arguments(self, seeds):
        return [word for seed in seeds for word in ("--seed", str(seed))]


class HostStreams(Streams):
    """tb/stream/tb_stream.v around a fabric whose hosts give and take streams; the seed says how they pause. In every
    cycle all outputs are the C model's. Words: the time limit, then what `gossipfab generate` is told."""

    top = "gossip_fabric"
    name = "tb_stream"
    archives = ["tb/libgfab_stream_model.a", "libgossipfab.a"]
    optimised = "-O1"
    zeros = True

    @staticmethod
    def make(build, folder, words):
        Bench.make(build, folder, words[1:])

    def __init__(self, build, folder, blind, words):
        Bench.__init__(self, build, folder, blind, words)
        self.text = (folder / "gossip_fabric.v").read_text(encoding="ascii")
        self.parameters = f"-chparam LIMIT {words[0]}"
        self.verilated = ["+define+GF_MODEL", f"-GLIMIT={words[0]}"]

    def cycles(self):
        """Of a seed: those with a host that never comes take long."""
        took = [int(cycles) for cycles in re.findall(r"equal in (\d+)", self.said)]
        return sum(took) // len(took)


BENCHES = {"lockstep": Lockstep, "axis": Axis, "chips": Chips, "board": Board, "alone": Alone,
           "streams": Streams, "hosts": HostStreams}
