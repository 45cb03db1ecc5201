#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py GOSSIPFAB [--count N] [--seed S]: one bit of a generated fabric flips once, many times over.

Each run is a gossip in which one bit flips in one cycle: a flip-flop, a bit of a store or of a ROM, a wire between
nodes or one that a store is written from. Two gossips without a fault follow. A run is
  no effect  if every word that is read is right and o_error stays 0,
  noticed    if o_error is 1 before each wrong word that is read, or the node's o_fault with it, or none is wrong,
  later      if every word is right, and the next gossip has o_error,
  silent     if a wrong word is read while o_error and the node's o_fault were 0,
  hang       if o_done does not come in twice the time of a gossip.
Fabrics with --protect detect must have neither of the last two, and the gossip after one that has o_error must be clean.
Fabrics without must have silent ones in every class of places, or this campaign sees nothing. N runs a fabric are shared
out among the classes of places; a class that has no more places times cycles than its share gets each of them once,
others some cycles of each place.

--short takes the fabrics of `make test`; --fabric "TOPOLOGY OPTIONS" any other that `gossipfab generate` makes. --repeat
PLACE CYCLE SEED plays one run again, as the lines on failures name it, --vcd FILE with its waveform beside the fault-free
one. --report FILE gets the figures as Markdown.
Exit status: 0, 1 where a fabric is not as it must be, 2 on wrong arguments, 77 where a tool is missing."""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import netlist

# What `gossipfab generate` is told; those with --protect are to notice every fault. Behind MERGED registers that always
# load the same are one: synthesis does so where nodes share programs.
MERGED = "merged"
SHORT = [
    "mesh:3x3",
    "mesh:2x3 --collective all-reduce --operator all --token-bits 16 --protect detect",
    "mesh:3x3 --protect detect",
]
FABRICS = SHORT + [
    "torus:3x3 --protect detect merged",
    "torus:4x4 --protect detect",
    "torus:4x4 --protect detect merged",
    "mesh:3x3 --token-bits 16 --protect detect",
    "mesh:3x3 --link-mode full --protect detect",
    "mesh:3x3 --link-latency 1 --protect detect",
    "mesh:3x3 --collective all-reduce --operator sum --token-bits 16",
    "mesh:3x3 --collective all-reduce --operator sum --token-bits 16 --protect detect",
    "torus:3x3 --collective all-reduce --operator all --token-bits 24 --protect detect merged",
    "mesh:2x3 --collective all-reduce --operator all --token-bits 12 --link-mode full --protect detect",
    "mesh:2x3 --collective all-gather,all-reduce,barrier --operator sum --token-bits 12 --protect detect",
    "mesh:2x3 --collective all-to-all --token-bits 16 --protect detect",
    "torus:3x3 --collective all-to-all --token-bits 24 --link-mode full --protect detect",
    "torus:4x4 --token-bits 32 --link-bits 32",
    "torus:4x4 --token-bits 32 --link-bits 32 --protect detect",
    "torus:4x4 --token-bits 32 --link-bits 32 --protect detect merged",
    "mesh:3x3 --token-bits 32 --link-bits 32 --link-mode full --protect detect",
]

# The class of a place, by its name: the first line that matches. Those of "outside" lie before the flip-flops that take
# a loaded word, or behind the read port: they are counted, but nothing in the fabric can notice them.
CLASSES = [
    ("outside", r"\((input|output)\)$"),
    ("checker", r"^u_guard\.|gen_(sequencer|timer|nearest)\[1\]|\.u_places\.gen_check|\.gen_(count|checks|twin|rest|leave)\.|\.check_q"),
    ("link", r"\(wire[^)]*\)$|^gen_link\[|u_wire"),
    ("store", r"\.u_(store|copy)\."),
    ("combine", r"\.gen_(timer|nearest)\[0\]|\.late_q$"),
    ("lane", r"\.u_lane\.|\.u_lane_store\.send_q$|\.gen_registered\.|\.u_node\.send_q"),
    ("node", r"\.u_node\.(recv_q|slot_q)|\.(selects_q|stores_q|read_bank_q)"),
    ("program", r"\.u_program\.(op_q|rom)|\.places\["),
    ("sequencer", r"^u_(sequencer|combine_timer)\.|gen_sequencer\[0\]"),
]
ORDER = ["link", "store", "lane", "combine", "node", "program", "sequencer", "checker", "outside"]
VERDICTS = ["no-effect", "noticed-right", "noticed-wrong", "noticed-later", "silent", "hang"]
WHATS = ["node", "transfer", "program", "sequencer"]  # o_error_what, bit 0 first
EVERYBODY = ["all-gather", "all-reduce", "barrier"]  # collectives after which every node has all blocks
EXCHANGE = "all-to-all"  # and the one after which each has one from every node
IDLE = 2  # cycles between load and start, as in simulate.cc
BATCH = 255  # runs that simulate.cc takes at once
SHOWN = 3  # failures that are printed, of each class and kind


def class_of(site):
    for name, pattern in CLASSES:
        if re.search(pattern, site.name):
            return name
    raise RuntimeError(f"{site.name} is in no class: add it to CLASSES")


class Fabric:
    """A generated fabric and its places; patch(folder) may change the folder first."""

    def __init__(self, program, line, work, patch=None):
        self.line = line
        self.protected = "--protect" in line
        self.folder = folder = os.path.join(work, "fabric")
        words = [word for word in line.split() if word != MERGED]
        subprocess.run([program, "generate", "-t", *words, "-o", folder], check=True, stdout=subprocess.DEVNULL)
        if patch:
            patch(folder)
        made = netlist.Netlist(folder, work, MERGED in line)
        self.sites, self.registers, self.ports = made.sites, made.registers, made.ports
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        numbers = {name: manifest[name] for name in ("nodes", "parts", "words", "part_bits", "word_bits", "blocks",
                                                     "operator")}
        programs = manifest.get("programs") or [{"collective": "all-gather", "blocks": 0, "cycles": manifest["cycles"]}]
        numbers["programs"] = len(programs)
        lengths = []
        for number, plays in enumerate(programs):
            gathers, exchanges = (plays["collective"] == name for name in ("all-gather", EXCHANGE))
            if plays["collective"] not in EVERYBODY and not (exchanges and manifest["counted"]):
                raise RuntimeError(f"{line}: nodes are to have all blocks in the end; not of {plays['collective']}")
            slots = plays["blocks"] if numbers["blocks"] and not exchanges else numbers["nodes"] * numbers["parts"]
            loads = (slots // numbers["nodes"] if gathers else slots) * numbers["words"]
            numbers.update({f"blocks{number}": plays["blocks"], f"gathers{number}": int(gathers),
                            f"exchanges{number}": int(exchanges),
                            f"cycles{number}": plays["cycles"]})
            # From the first load to the last word read: each read is asked for in one cycle and there in the next.
            lengths.append((loads + IDLE + 1 + plays["cycles"] + slots * numbers["words"] + 1, loads + IDLE))
        self.length, self.length_to_start = max(lengths)
        numbers["length"] = self.length
        self.netlist = os.path.join(work, "netlist.txt")
        with open(self.netlist, "w", encoding="ascii") as file:
            file.write("\n".join([f"number {name} {value}" for name, value in numbers.items()] + made.lines) + "\n")
        self.classes = collections.defaultdict(list)
        for index, site in enumerate(self.sites):
            self.classes[class_of(site)].append(index)

    def plan(self, count, seed):
        """Runs as (site, cycle, seed): each class's share, in batches of one seed."""
        draw = random.Random(f"{self.line} {seed}")
        runs, left = [], count
        by_size = sorted(self.classes.items(), key=lambda item: (len(item[1]), item[0]))
        for index, (_, sites) in enumerate(by_size):
            share = min(left // (len(by_size) - index), len(sites) * self.length)
            left -= share
            draw.shuffle(sites)
            for place, site in enumerate(sites):
                times = share // len(sites) + (place < share % len(sites))
                runs += [(site, cycle) for cycle in draw.sample(range(self.length), times)]
        return [(site, cycle, seed + place // BATCH) for place, (site, cycle) in enumerate(runs)]

    def play(self, simulator, plan, vcd=None):
        """The verdicts on the plan's runs, each a list of words."""
        text = "".join(f"{site} {cycle} {seed}\n" for site, cycle, seed in plan)
        done = subprocess.run([simulator, self.netlist] + ([vcd] if vcd else []), input=text, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{self.line}: {done.stderr.strip()}")
        return [line.split() for line in done.stdout.splitlines()]


def what_noticed(what):
    return "+".join(name for bit, name in enumerate(WHATS) if what >> bit & 1) or "nothing"


def describe(fabric, run, verdict):
    site, cycle, seed = run
    kind, error, what, wrong, node, part, word, after, last = verdict
    text = f"{kind}: {fabric.sites[site].name} in cycle {cycle}, seed {seed}"
    if wrong != "-":
        text += f"; word {word} of token {part} at node {node} is wrong in cycle {wrong}"
    if error != "-":
        text += f"; o_error in cycle {error}: {what_noticed(int(what))}"
    return text if after == last == "clean" else f"{text}; the next gossips: {after}, {last}"


def recovers(verdict):
    """After a fault that was noticed the next gossip is clean. After one that was not it may be that which notices,
    and then the one after it is clean."""
    kind, *_, after, last = verdict
    return (after == "clean" or (kind == "no-effect" and after == "error")) and last == "clean"


class Figures:
    """What became of a fabric's runs."""

    def __init__(self, fabric, plan, verdicts):
        self.line, self.protected = fabric.line, fabric.protected
        self.places = {name: len(sites) for name, sites in fabric.classes.items()}
        self.length = fabric.length
        self.counts = collections.defaultdict(collections.Counter)
        self.whats = collections.defaultdict(collections.Counter)
        self.failures = collections.defaultdict(list)  # by class and kind
        kind_of = {site: name for name, sites in fabric.classes.items() for site in sites}
        for run, verdict in zip(plan, verdicts):
            name = kind_of[run[0]]
            kind = "noticed-later" if verdict[0] == "no-effect" and verdict[-2] == "error" else verdict[0]
            self.counts[name][kind] += 1
            if verdict[2] != "-":
                self.whats[name][int(verdict[2])] += 1
            if self.protected and name != "outside" and (kind in ("silent", "hang") or not recovers(verdict)):
                self.failures[name, kind, *verdict[-2:]].append(describe(fabric, run, verdict))
        if not self.protected:
            for name in sorted(self.counts):
                if name != "outside" and not self.counts[name]["silent"]:
                    self.failures[name, "blind"].append(f"no silent fault in {name}: nothing is seen there")

    def rows(self):
        for name in sorted(self.counts, key=ORDER.index):
            counts = self.counts[name]
            yield name, sum(counts[verdict] for verdict in VERDICTS), counts

    def show(self):
        text = [f"{self.line}: a run is {self.length} cycles"]
        for name, runs, counts in self.rows():
            text.append(f"    {name:9} {self.places[name]:6} places {runs:7} flips: " +
                        ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]))
            if self.whats[name]:
                text.append("              noticed by " + ", ".join(f"{what_noticed(what)} {number}" for what, number
                                                                    in sorted(self.whats[name].items())))
        for failures in self.failures.values():
            text += [f"    {failure}" for failure in failures[:SHOWN]]
            if len(failures) > SHOWN:
                text.append(f"    and {len(failures) - SHOWN} more like these")
        return "\n".join(text)


INTRODUCTION = """## Faults

One bit of a generated fabric flips once: a flip-flop, a bit of a store or of a ROM (for good, and for one cycle), a
wire between nodes or one that a store is written from.

    make faults

A flip is *noticed* where `o_error`, or with a wrong word its node's `o_fault`, is 1 in or before the cycle in which a
wrong word is read, or in the next gossip where no word is wrong. It is *silent* where a wrong word is read before. A
*hang* is a gossip that is not done in twice its time. The columns in between say what noticed it (`o_error_what`).
*checker* is what fabrics with `--protect detect` alone have. *outside*, not in the sum, are the fabric's inputs, up to
the flip-flops that take them, and its outputs: nothing in the fabric can notice these."""


def table(figures):
    """A fabric's figures, a line for each class and one for the sum of those that are in the fabric."""
    lines = [f"### `generate -t {figures.line}`", "",
             "| class | places | flips | no effect | noticed | " + " | ".join(WHATS) + " | silent | hang |",
             "| --- | --- | --- | --- | --- | " + "--- | " * len(WHATS) + "--- | --- |"]
    numbers = {}
    for name, runs, counts in figures.rows():
        whats = [sum(number for what, number in figures.whats[name].items() if what >> bit & 1)
                 for bit in range(len(WHATS))]
        numbers[name] = [figures.places[name], runs, counts["no-effect"],
                         sum(counts[verdict] for verdict in VERDICTS if verdict.startswith("noticed")), *whats,
                         counts["silent"], counts["hang"]]
    numbers["sum"] = [sum(column) for column in zip(*(row for name, row in numbers.items() if name != "outside"))]
    numbers["outside"] = numbers.pop("outside")
    return lines + [f"| {name} | {' | '.join(map(str, row))} |" for name, row in numbers.items()]


def report(figures, path):
    """The figures as a section of Markdown."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n\n".join([INTRODUCTION] + ["\n".join(table(made)) for made in figures]) + "\n")


def build(work):
    simulator = os.path.join(work, "simulate")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "simulate.cc")
    subprocess.run(["c++", "-std=c++17", "-O2", "-Wno-psabi", "-o", simulator, source], check=True)
    return simulator


def campaign(program, simulator, line, options):
    with tempfile.TemporaryDirectory(prefix="gossipfab-faults-") as work:
        fabric = Fabric(program, line, work)
        plan = fabric.plan(options.count, options.seed)
        return Figures(fabric, plan, fabric.play(simulator, plan))


def repeat(program, simulator, line, options):
    place, cycle, seed = options.repeat
    with tempfile.TemporaryDirectory(prefix="gossipfab-faults-") as work:
        fabric = Fabric(program, line, work)
        found = [index for index, site in enumerate(fabric.sites) if site.name == place]
        if not found or not cycle.isdigit() or int(cycle) >= fabric.length or not seed.isdigit():
            raise RuntimeError(f"--repeat takes a place of {line}, a cycle below {fabric.length} and a seed")
        run = (found[0], int(cycle), int(seed))
        print(describe(fabric, run, fabric.play(simulator, [run], options.vcd)[0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--fabric", action="append")
    parser.add_argument("--repeat", nargs=3, metavar=("PLACE", "CYCLE", "SEED"))
    parser.add_argument("--vcd")
    parser.add_argument("--report")
    parser.add_argument("--simulator", help="simulate.cc, built; it is built with c++ where this is not given")
    options = parser.parse_args()
    if not shutil.which("yosys"):
        print("faults: skipped, yosys is missing", file=sys.stderr)
        return 77
    fabrics = options.fabric or (SHORT if options.short else FABRICS)
    if options.count < 1:
        parser.error("--count takes a number from 1 on")
    if options.repeat and len(fabrics) != 1:
        parser.error("--repeat takes one --fabric")
    if options.vcd and not options.repeat:
        parser.error("--vcd takes --repeat, whose waveform it is")
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory(prefix="gossipfab-faults-") as work:
        simulator = os.path.abspath(options.simulator) if options.simulator else build(work)
        if options.repeat:
            repeat(program, simulator, fabrics[0], options)
            return 0
        figures = []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for made in pool.map(lambda line: campaign(program, simulator, line, options), fabrics):
                figures.append(made)
                print(made.show(), flush=True)
    if options.report:
        report(figures, options.report)
    failed = [made.line for made in figures if made.failures]
    print(f"faults: {sum(sum(runs for _, runs, _ in made.rows()) for made in figures)} flips in {len(figures)} fabrics"
          + (f"; not as they must be: {', '.join(failed)}" if failed else "; all as they must be"))
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RuntimeError, subprocess.CalledProcessError) as error:
        print(f"faults: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
