# SPDX-License-Identifier: MIT
"""The benches that a generated folder has for its user, as its Makefile runs them, around a netlist of its RTL."""
import random
import re
import shlex
import time

from benches import Bench, around
from netlist import Design
from process import Fault, must, run

# A target of the folder's Makefile, and the top that its benches play.
TOPS = {"sim": "gossip_fabric", "sim-icarus": "gossip_fabric", "sim-axis": "gossip_fabric_axis",
        "sim-registers": "gossip_fabric_registers", "sim-board": "board_top"}
# What a bench names inside of the top, which is its u_fabric or u_board.
NAME = r"(?:(?:u|gen)_\w+\.)*[a-z]\w*"
INSIDE = re.compile(rf"\bu_(?:fabric|board)\.({NAME})\b(?![.\[]\w*[.\]])")


def power_up(netlist_file):
    """Registers and stores that start with nothing start with random bits, always the same ones: what is unknown
    spreads through a netlist where it does not in what it was made of."""
    text = netlist_file.read_text(encoding="ascii")
    draw = random.Random(1)
    text = re.sub(r"^  reg (?:\[(\d+):0\] )?(\w+|\\\S+ );$", lambda found: f"{found.group()[:-1]} = " +
                  f"{int(found.group(1) or 0) + 1}'h{draw.getrandbits(int(found.group(1) or 0) + 1):x};", text,
                  flags=re.MULTILINE)
    stores = re.findall(r"^  reg (?:\[(\d+):0\] )?(\w+|\\\S+ ) ?\[(\d+):(\d+)\];$", text, re.MULTILINE)
    for width, name, first, last in stores:
        if f"\n    {name}[0] = " not in text:
            words = "".join(f" {name}[{at}] = {int(width or 0) + 1}'h{draw.getrandbits(int(width or 0) + 1):x};"
                            for at in range(min(int(first), int(last)), max(int(first), int(last)) + 1))
            text = text.replace("\nendmodule", f"\n  initial begin{words} end\nendmodule", 1)
    netlist_file.write_text(text, encoding="ascii")


class Own(Bench):
    """Words: a target of the Makefile, then what `gossipfab generate` is told. A mutant is killed where one of the
    target's benches fails, with the seed that it has where nothing is said. One that does not end is not killed.

    Benches that give the top the same parameters play one netlist. The mutants are drawn from that of the first such
    group, and are the same in all. What a bench names inside of the top is cut, so that it is there to be forced."""

    once = True  # other seeds are not what a user gets

    @staticmethod
    def make(build, folder, words):
        Bench.make(build, folder, words[1:])

    def __init__(self, build, folder, blind, words):
        super().__init__(build, folder, blind, words)
        self.target, self.top = words[0], TOPS[words[0]]
        self.leave_out_stores()
        self.commands = self.read_makefile()
        self.text = (folder / f"{self.top}.v").read_text(encoding="utf-8")
        self.sources = [word for word in self.commands[0] if word.endswith(".v") and not word.startswith("tb/")]
        texts = [(folder / word).read_text(encoding="utf-8") for word in sorted(set(sum(self.commands, [])))
                 if word.startswith("tb/") and word.endswith(".v")]
        header = (folder / "tb" / "gossip_fabric_parameters.vh").read_text(encoding="utf-8")
        defined = dict(re.findall(r"^`define (\w+) (\S+)$", header, re.MULTILINE))
        texts = [re.sub(r"`(\w+)", lambda found: defined.get(found.group(1), found.group()), text) for text in texts]
        ports = re.findall(r"^ +(?:in|out)put +wire +(?:\[.*?\] +)?(\w+)", self.text, re.MULTILINE)
        named = {name for text in texts for name in INSIDE.findall(re.sub("`define.*", "", text))}
        self.cuts = sorted(named - set(ports))
        self.written = {name for text in texts for name in re.findall(rf"\bu_fabric\.({NAME}) <=", text)}
        forced = {name for text in texts for name in re.findall(rf"\bforce {INSIDE.pattern}", text)}
        self.shown = [name for name in self.cuts if name not in forced]
        self.cuts = [name for name in self.cuts if name in forced]
        self.cut_constants()
        self.groups = {}
        for command in self.commands:
            self.groups.setdefault(self.probe(command), []).append(command)
        self.parameters = max(self.groups, key=len)  # what is given is there as a limit; it is none where it is 0
        self.others = [parameters for parameters in self.groups if parameters != self.parameters]
        self.limits = {}

    def leave_out_stores(self):
        """Two steps of a bench flip what the second store keeps, which the netlist has not by its name."""
        if self.manifest.get("overlap") or (self.folder / "rtl" / "gfab_axis_overlap.v").exists():
            path = self.folder / "tb" / "gossip_fabric_parameters.vh"
            path.write_text(path.read_text(encoding="utf-8").replace("`define GF_PROTECTED\n", ""), encoding="utf-8")

    def cut_constants(self):
        """A constant that is to be forced is an input of the netlist."""
        text = self.text
        self.constants = [name for name in self.cuts if re.search(rf"\bwire {name} = 1'b0;", text)]
        for name in self.constants:
            text = re.sub(rf"\bwire {name} = 1'b0;", "", text).replace("    input  wire i_clk,",
                                                                      f"    input  wire {name}, i_clk,", 1)
        self.cuts = [name for name in self.cuts if name not in self.constants]
        if self.constants:
            (self.folder / "top_to_cut.v").write_text(text, encoding="utf-8")
            self.sources = ["top_to_cut.v" if word == f"{self.top}.v" else word for word in self.sources]

    def read_makefile(self):
        """The commands that compile a bench: with Icarus, and for `make sim` with Verilator."""
        text = must(["make", "-n", "-B", self.target], self.folder).replace("\\\n", " ")
        compiler = "verilator " if self.target == "sim" else "iverilog "
        return [shlex.split(line.split(" > ")[0]) for line in text.splitlines() if line.startswith(compiler)]

    def probe(self, command):
        """What a bench gives the top's parameters, in Yosys' words."""
        head = re.search(r"#\((.*?)^\) \(", self.text, re.MULTILINE | re.DOTALL)
        names = re.findall(r"^ +parameter +(\w+)", head.group(1), re.MULTILINE) if head else []
        if not names or command[0] == "verilator":
            return ""
        says = "".join(f' $display("{self.top}: {name} %0d", {name});' for name in names)
        text = re.sub(r"^endmodule", f"initial begin{says} $finish; end\nendmodule", self.text, flags=re.MULTILINE)
        (self.folder / "probe.v").write_text(text, encoding="utf-8")
        words = ["probe.v" if word == f"{self.top}.v" else "probe.vvp" if word.endswith(".vvp") else word
                 for word in command]
        must(words, self.folder)
        values = re.findall(rf"^{self.top}: (\w+) (\d+)$", must(["vvp", "-N", "probe.vvp"], self.folder), re.MULTILINE)
        return " ".join(f"-chparam {name} {value}" for name, value in values)

    def narrow(self, design):
        """The netlists of the other parameters; of the mutants leaves those that all have."""
        self.designs = {self.parameters: design}
        for number, parameters in enumerate(self.others):
            self.parameters, kept = parameters, self.parameters
            other = Design(self.folder, self, design.modules, f"design{number}")
            self.parameters = kept
            self.designs[parameters] = other
            common = set(other.candidates)
            design.candidates = [mutation for mutation in design.candidates if mutation in common]

    def modules(self):
        """All that the folder has of rtl/."""
        return [word.removeprefix("rtl/").removesuffix(".v") for word in self.sources if word.startswith("rtl/")]

    def compile(self, _, mutations):
        self.plays = []
        (self.folder / "build").mkdir(exist_ok=True)
        for parameters, commands in self.groups.items():
            design = self.designs[parameters]
            netlist_file = design.write_mutants(mutations, f"mutants_of_{design.name}")
            power_up(netlist_file)
            for command in commands:
                in_cpp = command[0] == "verilator"
                shell = netlist_file.with_name(f"around_{netlist_file.stem}.{'sv' if in_cpp else 'v'}")
                shell.write_text(around(self.top, netlist_file, self.text, in_cpp, self.constants, self.shown,
                                        self.written), encoding="ascii")
                words = [word for word in command if word not in [*self.sources, f"{self.top}.v", "rtl/gfab.vlt"]]
                files = [shell.name, netlist_file.name]
                if in_cpp:
                    (self.folder / "mutant.cpp").write_text(
                        '#include <cstdlib>\nextern "C" int mutant_number()\n'
                        '{\n    return std::atoi(std::getenv("GFAB_MUTANT"));\n}\n', encoding="ascii")
                    files.append("../../mutant.cpp")
                must([words[0], *(["-Wno-fatal", "-Wno-lint"] if in_cpp else []), *files, *words[1:]], self.folder)
                binary = next(word for word in words if word.endswith(".vvp")) if not in_cpp else \
                    words[words.index("--Mdir") + 1] + "/" + words[words.index("--prefix") + 1]
                self.plays.append([f"./{binary}"] if in_cpp else ["vvp", "-N", binary])

    def passes(self, mutant, seeds):
        number = "0" if self.blind else str(mutant)
        for at, play in enumerate(self.plays):
            began = time.monotonic()
            status, said = run(play if play[0] != "vvp" else play + [f"+mutant={number}"], self.folder,
                               self.limits.get(at), GFAB_MUTANT=number)
            if mutant == 0:
                self.said, self.limits[at] = said, 20 + 20 * (time.monotonic() - began)
            if status not in (None, 0, 1, 134, -6):
                raise Fault(f"{self.folder.name}: mutant {mutant}: exit status {status}: {said.strip()[-300:]}")
            if status not in (None, 0):
                return False
        return True
