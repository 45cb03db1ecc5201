#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""replay.py GOSSIPFAB [--count N] [--fabric LINE] [--simulator FILE]: the campaign's simulator against Icarus Verilog.

Some of the campaign's runs are played again on the folder's Verilog as it is, without netlist.py's gates: same power-up
state, same inputs, and the place inverted by an assignment, or a wire by force. The fabric's outputs must be those that
simulate.cc had, in every cycle. With no bit inverted they must differ in some cycle of some run. Exit status: 0, 1 where
they are not, 77 where a tool is missing."""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import netlist
import run as campaign

PLAIN_WIRE = re.compile(r"^u_fabric\.(gen_link\[\d+\]\.link|gen_node\[\d+\]\.out)\[\d+\] \(wire\)$")


class Trace:
    """The faulty run of a VCD that simulate.cc wrote: the ports' bits in each cycle, the flip-flops' at power-up."""

    def __init__(self, path):
        ports, self.registers, self.cycles, scope = {}, {}, [], None
        with open(path, encoding="ascii") as file:
            for line in file:
                if line[0] == "$":
                    words = line.split()
                    if words[0] == "$scope":
                        scope = words[2]
                    elif words[0] == "$var" and scope == "faulty":
                        (ports if words[4][-1] == ")" else self.registers).setdefault(words[3], []).append(words[4])
                elif line[0] == "#":
                    self.cycles.append(dict(self.cycles[-1]) if self.cycles else {})
                else:
                    self.cycles[-1].update((name, line[0]) for name in ports.get(line[1:-1], ()))
                    if len(self.cycles) == 1 and line[1:-1] in self.registers:
                        self.registers.update((name, line[0]) for name in self.registers.pop(line[1:-1]))

    def vector(self, cycle, ports):
        """The bits of ports, side by side as in {a, b, c}."""
        return "".join(self.cycles[cycle][f"{name}({bit})"] for name, width in ports for bit in reversed(range(width)))

    def starts(self):
        return [cycle for cycle, values in enumerate(self.cycles) if values["i_start(0)"] == "1"]


def bench(ports, registers, runs):
    """The bench: plays run +run=<i>, without its flip with +sound. runs are lists of (cycle, statement)."""
    inputs, outputs = ([(name, width) for name, width, direction in ports if direction == kind]
                       for kind in ("input", "output"))
    bits = {kind: sum(width for _, width in these) for kind, these in (("in", inputs), ("out", outputs))}
    text = ["`default_nettype none", "module replay;",
            f"    reg [{bits['in'] - 1}:0] stimulus [0:99999];",
            f"    reg [{bits['out'] - 1}:0] expected [0:99999];",
            "    reg clk = 1'b0;", "    reg [1023:0] held;",
            "    integer run, cycle, cycles;",]
    text += [f"    {'reg' if direction == 'input' else 'wire'} [{width - 1}:0] {name};"
             for name, width, direction in ports]
    text += [f"    wire [{bits['out'] - 1}:0] seen = {{{', '.join(name for name, _ in outputs)}}};",
             f"    {netlist.TOP} u_fabric (.i_clk(clk)" + "".join(f", .{name}({name})" for name, _, _ in ports) + ");",
             "    initial begin"]
    text += [f"        u_fabric.{name} = 1'b{value};" for name, value in registers]
    text += ["        if (!$value$plusargs(\"run=%d\", run)) $stop;",
             "        if (!$value$plusargs(\"cycles=%d\", cycles)) $stop;",
             "        $readmemb(\"stimulus.txt\", stimulus, 0, cycles - 1);",
             "        $readmemb(\"expected.txt\", expected, 0, cycles - 1);",
             "        for (cycle = 0; cycle < cycles; cycle = cycle + 1) begin",
             f"            {{{', '.join(name for name, _ in inputs)}}} = stimulus[cycle];",
             "            #1;", "            if (!$test$plusargs(\"sound\")) begin"]
    text += [f"                if (run == {index} && cycle == {cycle}) {statement}"
             for index, statements in enumerate(runs) for cycle, statement in statements]
    text += ["            end", "            #1;", "            if (seen !== expected[cycle]) begin",
             "                $display(\"cycle %0d: %b, should be %b\", cycle, seen, expected[cycle]);",
             "                $finish;", "            end", "            clk = 1'b1;", "            #1 clk = 1'b0;",
             "        end", "        $display(\"same\");", "        $finish;", "    end", "endmodule"]
    return "\n".join(text) + "\n"


def statements(site, cycle, end):
    """What inverts a place in `cycle`: (cycle, statement) each. ROMs are as they were from cycle `end` on."""
    name = "u_fabric." + site.name.split(" ")[0]
    if site.kind == "wire":
        vector, bit = name[:-1].rsplit("[", 1)
        return [(cycle, f"begin held = {vector} ^ (1 << {bit}); force {vector} = held; end"),
                (cycle + 1, f"release {vector};")]
    invert = f"{name} = ~{name};"
    return [(cycle, invert)] + {"ff": [], "rom": [(end, invert)], "rom-once": [(cycle + 1, invert)]}[site.kind]


class Replay:
    def __init__(self, program, simulator, line, count, work):
        self.fabric, self.work = campaign.Fabric(program, line, work), work
        runs = [run for run in self.fabric.plan(20 * count, 1) if self.can_be_played(run[0])]
        # Of one seed, so that all begin alike.
        self.runs = [(site, cycle, 1) for site, cycle, _ in random.Random(1).sample(runs, count)]
        self.traces = []
        for run in self.runs:
            vcd = os.path.join(work, "run.vcd")
            self.fabric.play({"simulate": simulator}, [run], vcd)
            self.traces.append(Trace(vcd))

    def can_be_played(self, site):
        place = self.fabric.sites[site]
        return place.kind != "wire" or PLAIN_WIRE.match(place.name)

    def build(self):
        ports = [(name, width, direction) for name, width, direction in self.fabric.ports
                 if name not in ("i_clk", "flip", "never")]
        self.inputs, self.outputs = ([(name, width) for name, width, direction in ports if direction == kind]
                                     for kind in ("input", "output"))
        registers = [(name, self.traces[0].registers[name]) for name in self.fabric.registers]
        flips = []
        for (site, cycle, _), trace in zip(self.runs, self.traces):
            loads = self.fabric.length_to_start
            faulty, after = (start - loads for start in trace.starts()[2:4])
            flips.append(statements(self.fabric.sites[site], faulty + cycle, after))
        with open(os.path.join(self.work, "replay.v"), "w", encoding="ascii") as file:
            file.write(bench(ports, registers, flips))
        folder = self.fabric.folder
        subprocess.run(["iverilog", "-g2005", "-DSYNTHESIS", "-Irtl", "-s", "replay", "-o",
                        os.path.join(self.work, "replay.vvp"), "-c", f"{netlist.TOP}.f",
                        os.path.join(self.work, "replay.v")], cwd=folder, check=True)

    def play(self, index, sound=False):
        """What Icarus says of a run: "same", or the first cycle that differs."""
        trace, folder = self.traces[index], self.fabric.folder
        for name, ports in (("stimulus", self.inputs), ("expected", self.outputs)):
            with open(os.path.join(folder, f"{name}.txt"), "w", encoding="ascii") as file:
                file.writelines(trace.vector(cycle, ports) + "\n" for cycle in range(len(trace.cycles)))
        done = subprocess.run(["vvp", "-N", os.path.join(self.work, "replay.vvp"), f"+run={index}",
                               f"+cycles={len(trace.cycles)}"] + (["+sound"] if sound else []), cwd=folder,
                              capture_output=True, text=True, check=True)
        return done.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--fabric", default=campaign.SHORT[-1])
    parser.add_argument("--simulator", required=True)
    options = parser.parse_args()
    for tool in ("yosys", "iverilog"):
        if not shutil.which(tool):
            print(f"replay: skipped, {tool} is missing", file=sys.stderr)
            return 77
    with tempfile.TemporaryDirectory(prefix="gossipfab-faults-") as work:
        replay = Replay(os.path.abspath(options.program), os.path.abspath(options.simulator), options.fabric,
                        options.count, work)
        replay.build()
        wrong = 0
        for index, (site, cycle, _) in enumerate(replay.runs):
            verdict = replay.play(index)
            if verdict != "same":
                wrong += 1
                print(f"{replay.fabric.sites[site].name} in cycle {cycle}: {verdict}")
        blind = all(replay.play(index, sound=True) == "same" for index in range(len(replay.runs)))
    print(f"replay: {options.count} runs of {options.fabric}, {wrong} differ" +
          ("; none differs without its flip" if blind else ""))
    return 1 if wrong or blind else 0


if __name__ == "__main__":
    sys.exit(main())
