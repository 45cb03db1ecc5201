# SPDX-License-Identifier: MIT
"""A generated design as a Yosys netlist, its mutants, and which of them are equivalent to it."""
import collections
import pathlib
import random
import re

from process import Fault, must, run

WIDTH = 16  # of the input that selects a mutant; 0: none
CUT, OUTSIDE = (pathlib.Path(__file__).resolve().parent / name for name in ("cut_store.v", "store_outside.v"))
# Shifts, and those whose pin A is driven: the others pick from a constant, such as a text.
SHIFTS = "t:$shiftx t:$shift t:$shl t:$shr"
MOVING = "@shifts %ci1:+[A] w:* %i %co1:+[A] @shifts %i"
READ_ADDRESS, READ_DATA = "store.i_read_address", "store.o_read_data"  # of a store of OUTSIDE
CLOCKS = r"-port \\?(CLK|RD_CLK|WR_CLK) "

# One mutation: the arguments of `mutate`, the module, the line of the source that it is in ("-" where Yosys names
# none), and what it changes: instance, operator, its columns in the source: kind, pin, wire.
Mutation = collections.namedtuple("Mutation", "arguments module source where")


def yosys(script, folder, log):
    """Runs the script, a list of commands."""
    (folder / f"{log}.ys").write_text("\n".join(script) + "\n", encoding="ascii")
    must(["yosys", "-q", "-l", f"{log}.log", "-s", f"{log}.ys"], folder)


class Design:
    """The flattened netlist of what a bench plays; cells that come from `modules` may be mutated.

    Cells are the operators of the source, but that variable shifts of wires, of which most bits can never count, are muxes.
    What is constant and what nobody reads is gone; nothing is simplified that follows from states only. Constants that
    an address picks a bit from stay as they are, in a ROM or in a shift."""

    def __init__(self, folder, bench, modules, name="design"):
        self.folder, self.top, self.modules, self.name = folder, bench.top, modules, name
        self.written = bench.written
        self.read_wait = getattr(bench, "manifest", {}).get("read_wait", 1)  # cycles from a read to its word
        script = ["read_verilog -DGFAB_TRACE -Irtl " + " ".join(bench.sources)]
        if bench.outside:
            instance, source = bench.outside
            script += [f"read_verilog -lib -Irtl {source}", f"hierarchy -top {self.top} {bench.parameters}",
                       f"expose -evert -sep _ {self.top}/c:{instance}"]
        else:
            script += [f"hierarchy -top {self.top} {bench.parameters}"]
        cut = [(wire, f"expose -cut -sep _ {self.top}/w:{wire}") for wire in bench.cuts]
        cut += [(wire, f"expose {self.top}/w:{wire}") for wire in bench.shown]
        script += ["proc", *(command for wire, command in cut if "." not in wire), "opt_expr -full -mux_undef"]
        if bench.shifts:
            script += [f"select -set shifts {SHIFTS}", f"select -set moving {MOVING}", "techmap @moving",
                       "opt_expr -full -mux_undef"]
        script += ["opt_clean", "wreduce -memx", "opt_clean"]
        for module in modules:  # also with parameters: $paramod...\NAME, $paramod\NAME\PARAMETER=...
            script += [f"setattr -set mutate \"{module}\" *{module}/c:* *{module}\\\\*/c:*"]
        script += ["flatten", *(command for wire, command in cut if "." in wire),
                   "opt_expr -full -mux_undef", "opt_clean", "wreduce -memx", "opt_expr -full", "opt_clean",
                   "memory_collect", "opt_clean", f"write_rtlil {name}.il"]
        for module in modules:
            script += [f"mutate -list 10000000 -o {module}.list a:mutate={module}"]
        yosys(script, folder, name)
        left_out = re.compile("|".join(self.left_out()))
        self.candidates = []
        for module in modules:
            path = folder / f"{module}.list"
            lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
            self.candidates += [self.mutation(line, module) for line in lines if not left_out.search(line)]

    def left_out(self):
        """Patterns of what is no mutation: clocks; the pin that a constant is picked from, such as a text, which is a
        ROM; a flip-flop's output where it starts with a value, which `mutate` would lose for all mutants, or where the
        bench writes it: it would no longer be a register of that name."""
        text = (self.folder / f"{self.name}.il").read_text(encoding="ascii")
        cells = re.findall(r"^  cell [$]shiftx (\S+)\n(.*?)^  end$", text, re.MULTILINE | re.DOTALL)
        tables = [name for name, body in cells if re.search(r"connect \\A \d+'", body)]
        initial = re.findall(r"^  attribute \\init .*\n(?:  attribute .*\n)*  wire (?:.* )?\\(\S+)$", text,
                             re.MULTILINE)
        outputs = re.findall(r"^  cell \S+ (\S+)\n(?:(?!  end$).*\n)*?    connect \\Q \\(\S+)", text, re.MULTILINE)
        return ([CLOCKS] + [f"-cell {re.escape(name)} -port A " for name in tables] +
                [f"-cell {re.escape(name)} -port Q " for name, wire in outputs if wire in initial or wire in self.written])

    def mutation(self, line, module):
        arguments = re.sub(r" -(wire|wirebit|src) \S+", "", line.removeprefix("mutate "))
        lines = [at for at in re.findall(r"-src (\S+)", line) if at.startswith(f"rtl/{module}.v:")]
        first, begin, end = map(int, re.search(r":(\d+)[.](\d+)-\d+[.](\d+)", (lines or [":0.0-0.0"])[-1]).groups())
        source = (self.folder / "rtl" / f"{module}.v").read_text(encoding="utf-8").splitlines()
        field = dict(re.findall(r"-(mode|cell|port|portbit|wire|wirebit) (\S+)", line))
        where = f"{field['mode']} {field['port']}[{field['portbit']}]"
        if "wire" in field:
            where += f" {field['wire']}[{field['wirebit']}]"
        cell = field["cell"].removeprefix("$flatten").replace("\\", "")
        operator = re.search(r"\$(\w+)\$", cell)  # none: an instance
        instance = f"{re.sub(r'[.]?[$].*', '', cell)} {operator.group(1) if operator else 'pin'} {begin}-{end}"
        return Mutation(arguments, module, source[first - 1].strip() if first else "-", f"{instance}: {where}")

    def sample(self, count, seed):
        """So many of the candidates, all equally likely."""
        if count >= len(self.candidates):
            return list(self.candidates)
        return random.Random(seed).sample(self.candidates, count)

    def mutant_commands(self, mutations):
        """Mutant number 1 + i is the i-th."""
        return [f"mutate -ctrl mutant {WIDTH} {number} {mutation.arguments}"
                for number, mutation in enumerate(mutations, 1)]

    def write_mutants(self, mutations, name="mutants"):
        yosys([f"read_rtlil {self.name}.il"] + self.mutant_commands(mutations) + [f"write_verilog -noattr {name}.v"],
              self.folder, name)
        return self.folder / f"{name}.v"


class Proof:
    """Design and mutant side by side under the same inputs, from a power-up of zeros and a reset in the first cycle: no
    output ever differs, nor what is written to the RAMs (ABC). What these answer is anything: the same for both where
    both ask the same address, else anything for each, so that what nobody uses may be asked as one likes. Of a fabric
    that is loaded and read, o_read_data counts where a host may look.

    alone: of the one mutation's own instance, and what is in it. Then whatever comes in may come, and all that goes out
    is compared: there is more to differ, and less to reason about."""

    STEPS = "strash; scleanup; dc2; scorr -F 2; dc2; scorr -C 10000 -F 8; pdr"

    def __init__(self, design, mutations, name="proof", alone=False):
        self.folder, self.name, top = design.folder, name, design.top
        self.number = {mutation: at for at, mutation in enumerate(mutations, 1)}
        script, commands = [f"read_rtlil {design.name}.il"], design.mutant_commands(mutations)
        if alone:
            top = "alone"
            script += [f"select -set inside {self.inside(mutations[0])}", f"submod -name {top} @inside",
                       f"hierarchy -top {top}", "opt_clean"]
            commands = [command.replace(f" -module {design.top} ", f" -module {top} ") for command in commands]
        # The hierarchy gives each store its width.
        script += commands + [f"read_verilog {OUTSIDE}", f"techmap -map {CUT} t:$mem_v2", f"hierarchy -top {top}",
                              f"expose -evert {top}/t:*store_outside", "opt_clean", f"write_rtlil {self.name}.il"]
        yosys(script, self.folder, self.name + "_ports")
        text = (self.folder / f"{self.name}.il").read_text(encoding="ascii")
        module = text[text.index(f"module \\{top}\n"):].split("\nend\n")[0]
        (self.folder / f"{self.name}.v").write_text(self.bench(module, top, design.read_wait), encoding="ascii")
        simplify = ["opt_expr -full -mux_undef", "opt_merge", "opt_clean"]
        yosys([f"read_rtlil {self.name}.il", f"read_verilog -icells {self.name}.v", "hierarchy -top proof", "proc",
               "flatten", *simplify, "memory_map", *simplify, "techmap", *simplify, "setundef -init -zero",
               "setundef -zero", "setundef -undriven -zero", "aigmap", "opt_clean",
               f"write_aiger -map {self.name}.map {self.name}.aig"], self.folder, self.name)
        self.aig = (self.folder / f"{self.name}.aig").read_bytes()
        self.latch = {}  # the latch of each bit of the mutant's number
        for line in (self.folder / f"{self.name}.map").read_text(encoding="ascii").splitlines():
            word = line.split()
            if word[0] == "latch" and word[3] == "number":
                self.latch[int(word[2])] = int(word[1])

    @staticmethod
    def inside(mutation):
        """The cells of its instance, as `select` has them: flattened ones, and stores; "" where it is the top."""
        cell = re.search(r"-cell \$flatten(\S+?)[.][^.]*\$", mutation.arguments)
        names = (f"$flatten{cell.group(1)}", cell.group(1).replace("\\", "")) if cell else ()
        return " ".join(f"c:{re.sub(r'[^A-Za-z0-9_.]', '?', name)}.*" for name in names)

    @staticmethod
    def bench(module, top, read_wait):
        ports = re.findall(r"^  wire (?:width (\d+) )?(?:offset \d+ )?(input|output) \d+ (\\\S+)$", module,
                           re.MULTILINE)
        inputs = [(name, int(width or 1)) for width, kind, name in ports if kind == "input"]
        outputs = [(name, int(width or 1)) for width, kind, name in ports
                   if kind == "output" and name not in ("\\o_trace_address", "\\o_trace_data")]  # the stores are asked
        asked = {name: at for at, (name, _) in enumerate(outputs) if name.endswith(READ_ADDRESS)}
        bits = sum(width for _, width in inputs)
        lines = [f"module proof(input i_clk, input [{bits - 1}:0] in, other, output differ);",
                 f"wire [{max(len(outputs), 1) - 1}:0] differs;",
                 "reg started = 0; always @(posedge i_clk) started <= 1;",
                 f"(* init = {WIDTH}'d0 *) wire [{WIDTH - 1}:0] number;",  # a register that keeps its first value
                 f"\\$dff #(.WIDTH({WIDTH}), .CLK_POLARITY(1)) u_number (.CLK(i_clk), .D(number), .Q(number));"]
        for copy, number in (("design", f"{WIDTH}'d0"), ("mutant", "number")):
            pins, at = [], 0
            for name, width in inputs:
                value = {"\\i_clk": "i_clk", "\\i_rst": f"in[{at}] | ~started", "\\mutant": number}.get(
                    name, f"in[{at}+:{width}]")
                address = asked.get(name.removesuffix(READ_DATA) + READ_ADDRESS) if name.endswith(READ_DATA) else None
                if address is not None and copy == "mutant":
                    value = f"differs[{address}] ? other[{at}+:{width}] : {value}"
                pins.append(f".{name} ({value})")
                at += width
            for at, (name, width) in enumerate(outputs):
                lines.append(f"wire [{width - 1}:0] {copy}_{at};")
                pins.append(f".{name} ({copy}_{at})")
            lines.append(f"{top} {copy} ({', '.join(pins)});")
        lines += [f"assign differs[{at}] = design_{at} != mutant_{at};" for at in range(len(outputs))]
        at = {name: at for at, (name, _) in enumerate(outputs)}
        counts = ["1'b0" if n in asked.values() else "1'b1" for n in range(len(outputs))]
        if {"\\o_busy", "\\o_read_data"} <= at.keys():  # a host reads while o_busy is 0, and sees it cycles later
            lines.append("reg [%d:0] reads = 0; always @(posedge i_clk) reads <= {reads, ~design_%d};" %
                         (read_wait, at["\\o_busy"]))
            counts[at["\\o_read_data"]] = f"reads[{read_wait - 1}]"
        # Of a ring fabric it is one for all links, which else have what a store gives the host.
        if dict(outputs).get("\\o_trace_drive") == 1 and "\\o_trace_link" in at:
            counts[at["\\o_trace_link"]] = "design_%d" % at["\\o_trace_drive"]
        lines += [f"assign differ = |(differs & {{{', '.join(reversed(counts))}}});", "endmodule"]
        return "\n".join(lines) + "\n"

    def holds(self, mutation, seconds):
        """Sets the initial value of the register that selects the mutant, in the text of the latches; asks ABC."""
        number = self.number[mutation]
        lines = self.aig.split(b"\n", 1)
        head = lines[0].split()
        latches = lines[1].split(b"\n", int(head[3]))
        for bit in range(WIDTH):
            if number >> bit & 1 and bit in self.latch:  # it is not where all mutants change nothing
                latches[self.latch[bit]] = latches[self.latch[bit]].split()[0] + b" 1"
        path = self.folder / f"{self.name}_{number}.aig"
        path.write_bytes(lines[0] + b"\n" + b"\n".join(latches))
        command = f"read_aiger {path.name}; {self.STEPS}"
        said = run(["prlimit", f"--cpu={seconds}", "berkeley-abc", "-q", command], self.folder)[1]
        path.unlink()
        return "Property proved" in said
