#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""board_figures.py GOSSIPFAB WORK [--seeds S,S,..] [ROW...]: fabrics placed and routed, a line of figures for each.

ROW is a group or one of its rows, GROUP/NAME. The groups: `nodes`, fabrics alone in a harness of registers, narrow and
wide nodes of every family; `host`, board tops with a host at their serial line; `packed`, board tops that are not
placed, from which the cells in gen/family.c are worked out: with --fit their coefficients, by least squares of what
they are off in parts, and how far they are off for each row (this needs numpy, which the Python of
scripts/setup-boards.sh has).
LUT4, flip-flops and RAM are as Yosys counts them, cells as nextpnr packs them, MHz are of the slowest clock, for each seed
and their median. A row's folder, netlist and reports of seeds stay in WORK and are not made again. Prints a table in
Markdown, a line as soon as it is measured. Exit status: 0, 2 where there is no such row or a tool fails."""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys

GATHER = ["--host", "uart"]
THREE = ["--collective", "all-gather,all-reduce,barrier", "--host", "uart"]
SHARED = ["--frame", "relative", "--host", "uart"]

# name: board, topology, what else to generate with
NODES = {f"{board}-{name}": (board, "mesh:2x2" if name == "wide" else "mesh:4x4", options)
         for board in ("hx8k", "ulx3s", "tangnano9k", "arty")
         for name, options in (("narrow", ["--link-bits", "2"]), ("wide", ["--link-bits", "32"]))}
HOST = {
    "hx8k-5x5": ("hx8k", "mesh:5x5", GATHER), "hx8k-three": ("hx8k", "mesh:4x4", THREE),
    "icebreaker-5x5": ("icebreaker", "mesh:5x5", GATHER), "icebreaker-three": ("icebreaker", "mesh:4x4", THREE),
    "tangnano9k-5x5": ("tangnano9k", "mesh:5x5", GATHER), "tangnano9k-three": ("tangnano9k", "mesh:4x4", THREE),
    "tangnano20k-6x7": ("tangnano20k", "mesh:6x7", GATHER),
    "ulx3s-10x10": ("ulx3s", "mesh:10x10", GATHER), "ulx3s-torus-14x14": ("ulx3s", "torus:14x14", SHARED),
    "ulx3s-three": ("ulx3s", "mesh:8x8", THREE),
}
# What a fabric's cells are worked out from: small, and each of what counts more than once.
SAMPLE = {"mesh:3x3": [["1", *GATHER], ["4"], ["2", *THREE]], "mesh:4x4": [["2"], ["2", *THREE]], "mesh:4x6": [["1"]],
          "mesh:5x5": [["2", *GATHER]], "torus:4x4": [["1", *SHARED], ["4", "--frame", "relative"]],
          "torus:4x6": [["2", *SHARED]], "torus:5x5": [["2", "--frame", "relative"]]}
PACKED = {f"{board}-{'-'.join(re.findall('[a-z0-9]+', ' '.join([topology, *rest])))}":
          (board, topology, ["--link-bits", *rest])
          for board in ("hx8k", "tangnano9k", "ulx3s", "arty") for topology, rests in SAMPLE.items() for rest in rests}
PACKED["ulx3s-torus-8x8"] = ("ulx3s", "torus:8x8", ["--frame", "relative"])
PACKED.update(HOST)
GROUPS = {"nodes": NODES, "host": HOST, "packed": PACKED}

# Cells of Yosys in the iCE40, ECP5, Gowin's parts and Xilinx 7; nextpnr's name of what has a LUT.
KINDS = {"LUT4": r"SB_LUT4|LUT[1-6]", "FF": r"SB_DFF.*|TRELLIS_FF|DFFN?[A-Z]*|FD[A-Z]E",
         "RAM": r"SB_RAM40_4K|DP16KD|PDPW16KD|SDPX?9?B|DPX?9?B|SPX?9?|RAMB(18|36)E1"}
LOGIC = ("ICESTORM_LC", "TRELLIS_COMB", "LUT4", "ALU")  # in Gowin's parts an ALU takes the place of a LUT


HERE = os.path.dirname(os.path.abspath(__file__))


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Folder:
    """A row's generated folder."""

    def __init__(self, options, row, alone):
        self.board, topology, generate = row[1]
        self.path = os.path.join(options.work, row[0])
        self.top = "fabric" if alone else "board"
        if not os.path.exists(os.path.join(self.path, "manifest.json")):
            made = subprocess.run([options.program, "generate", "--topology", topology, "--token-bits", "32", "--board",
                                   self.board, *generate, "-o", self.path, "--json"], check=True, capture_output=True)
            with open(f"{self.path}.json", "wb") as file:
                file.write(made.stdout)
        self.netlist = "build/harness.json" if alone else "build/board_top.json"
        self.make(self.netlist, *(["synth"] if alone else []))

    def make(self, *what):
        done = subprocess.run(["make", "-s", "-C", self.path, *what], check=False, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"make -C {self.path} {' '.join(what)}: {(done.stderr or done.stdout).strip()[-500:]}")
        return done.stdout

    def value(self, expression):
        """Of an expression in the folder's Makefile."""
        text = subprocess.run(["make", "-s", "-C", self.path, "-f", "Makefile", "-f", "-", "print"], check=True,
                              input=f"print: ; @echo $({expression})\n", capture_output=True, text=True)
        return text.stdout.strip()

    def cells(self):
        """Yosys' counts, by the names of KINDS."""
        stat = read_json(os.path.join(self.path, "build", f"{self.top}_stat.json"))
        counts = stat["design"]["num_cells_by_type"]
        return {name: sum(count for kind, count in counts.items() if re.fullmatch(pattern, kind))
                for name, pattern in KINDS.items()}

    def report(self, seed):
        """nextpnr's, for a seed; it may be slower than the board's clock."""
        path = os.path.join(self.path, "build", f"{self.top}_report_{seed}.json")
        if not os.path.exists(path):
            made = f"build/harness_seed{seed}.json" if self.top == "fabric" else "build/board_report.json"
            if self.top == "fabric":
                self.make("-W", self.netlist, "fabric-pnr", f"SEED={seed}")
            else:
                self.make("-W", self.netlist, self.value("ROUTED"), f"SEED={seed}",
                          f"NEXTPNR={self.value('NEXTPNR')} --timing-allow-fail")
            os.rename(os.path.join(self.path, made), path)
        return read_json(path)

    def packed(self):
        """Cells as nextpnr packs them; None where there is none."""
        if self.value("PLACE") == "":
            return None
        log = os.path.join("build", "packed.log")
        command = f"{self.value('PLACE')} --json {self.netlist} {self.value('PINS')} --pack-only -q --log {log}"
        subprocess.run(command.split(), cwd=self.path, check=True, stderr=subprocess.DEVNULL)
        with open(os.path.join(self.path, log), encoding="utf-8") as file:
            return sum(int(used) for used in re.findall(rf"\b(?:{'|'.join(LOGIC)}): +(\d+)/", file.read()))


def parts(manifest, roms):
    """What counts of a fabric, in the order of gfab_cells in gen/family.h."""
    wires = 2 * manifest["links"] * manifest["link_bits"]
    op_bits = roms * manifest["op_bits"]
    rounds = sum(program["rounds"] + 1 for program in manifest["programs"])
    return [manifest["host"] == "self-test", manifest["host"] == "uart", wires, wires * manifest["skewed"],
            2 * manifest["links"] * (manifest["operator"] != 0), op_bits, op_bits * manifest["lanes"] * rounds]


def fit(rows):
    """Prints the coefficients of [(name, parts, cells)], all of one family, and how far they are off."""
    import numpy  # pylint: disable=import-outside-toplevel
    counts = numpy.array([part for _, part, _ in rows], dtype=float)
    cells = numpy.array([packed for _, _, packed in rows], dtype=float)
    used = list(range(counts.shape[1]))
    while True:  # a part that would give cells back does not count
        found = numpy.linalg.lstsq(counts[:, used] / cells[:, None], numpy.ones(len(rows)), rcond=None)[0]
        if found.min() >= 0:
            break
        used.pop(int(found.argmin()))
    hundredths = [0] * counts.shape[1]
    for part, coefficient in zip(used, found):
        hundredths[part] = round(100 * coefficient)
    print(f"\n{{{', '.join(map(str, hundredths))}}}")
    for (name, _, _), estimate, packed in zip(rows, counts @ numpy.array(hundredths) / 100, cells):
        print(f"{name}: {estimate:.0f} for {packed:.0f}, {100 * (estimate / packed - 1):+.1f} %")


def measure(options, row, group):
    """The row's line: its figures as text."""
    folder = Folder(options, row, group == "nodes")
    counts = folder.cells()
    line = [row[0], *(str(counts[name]) for name in KINDS)]
    if group == "packed":
        packed = folder.packed()
        return line + [str(counts["LUT4"] if packed is None else packed)]
    if folder.value("PLACE") == "":
        return line + ["-", "-", "-"]
    reports = [folder.report(seed) for seed in options.seeds]
    used = [part for kind, part in reports[0]["utilization"].items() if kind in LOGIC]
    clocks = [min(clock["achieved"] for clock in report["fmax"].values()) for report in reports]
    cells = f"{sum(part['used'] for part in used)} of {max(part['available'] for part in used)}"
    return line + [cells, f"{statistics.median(clocks):.1f}", ", ".join(f"{clock:.1f}" for clock in clocks)]


def chosen(names):
    """[(row, group)] of what was asked for."""
    rows = []
    for name in names:
        group, _, wanted = name.partition("/")
        found = [(row, group) for row in GROUPS.get(group, {}).items() if wanted in ("", row[0])]
        if not found:
            raise RuntimeError(f"'{name}' is none of {', '.join(GROUPS)}, nor one of their rows, such as host/hx8k-5x5")
        rows += found
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("work", type=os.path.abspath)
    parser.add_argument("rows", nargs="*", default=["nodes", "host"])
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--seeds", type=lambda text: text.split(","), default=["1", "2", "3", "4", "5"],
                        help="of nextpnr: 1,2,3,4,5")
    options = parser.parse_intermixed_args()
    rows = chosen(options.rows)
    os.makedirs(options.work, exist_ok=True)
    print("| row | LUT4 | FF | RAM | cells | MHz, median | MHz of each seed |\n|" + " --- |" * 7, flush=True)
    families = {}
    for row, group in rows:
        line = measure(options, row, group)
        print(f"| {' | '.join(line)} |", flush=True)
        if options.fit and group == "packed":
            family = read_json(os.path.join(HERE, "..", "constraints", row[1][0], "board.json"))["family"]
            manifest = read_json(os.path.join(options.work, row[0], "manifest.json"))
            roms = read_json(os.path.join(options.work, f"{row[0]}.json"))["roms"]
            families.setdefault(family, []).append((row[0], parts(manifest, roms), int(line[4])))
    for family in families.values():
        fit(family)


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, subprocess.CalledProcessError) as error:
        print(f"board_figures: {error}", file=sys.stderr)
        sys.exit(2)
