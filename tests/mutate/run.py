#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py BUILD [--class NAME]... [--count N] [--seed S] [--jobs J] [--short] [--blind]

Netlist mutants of the RTL (yosys mutate), played by the benches of tb/. BUILD is a built folder. Each class of modules
(classes.py) gets --count mutants, drawn by --seed. For each of them, in this order:
  killed      the bench fails; with a few seeds, or with so many that they make a million cycles
  equivalent  proved: no output of the fabric ever differs (netlist.py)
  waived      not told from the fabric in a million cycles, and tests/mutate/waivers says why nobody can
  survivor    none of these
Exit status: 0; 1 where a survivor is found, a class has too few mutants or kills less than 98 % of those not proved
equivalent, or, in a whole run, a waiver stands for nothing; 2 for wrong usage or a fault of the campaign's own.
The figures are in BUILD/trust/mutate.md.
--short is what `make test` runs: few mutants, killed or proved. --blind switches no mutant on: a mutant of the campaign
itself, which must then find none killed."""
import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

import classes
import netlist

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEEDS = range(1, 7)  # of the first look at a mutant
LONG_CYCLES = 1000000  # of the second
SECONDS = 300  # a bench's limit; the longest takes a tenth
REQUIRED = 98  # percent killed of those not proved equivalent


def command(words, folder, **options):
    """Runs a command, which must succeed; its output."""
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise netlist.Fault(f"{folder.name}: {shlex.join(map(str, words))[:200]}: {(done.stderr or done.stdout).strip()[-500:]}")
    return done.stdout


class Bench:
    """A fabric's mutants in one simulation, a process a mutant: GFAB_MUTANT is its number, 0 the fabric itself. Exit
    status 0: what is seen is right, 1: it is not."""

    def __init__(self, build, folder, blind):
        self.build, self.folder, self.blind = build, folder, blind
        self.manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        with open(folder / "gossip_fabric.f", encoding="ascii") as file:
            self.sources = [line.strip() for line in file if line.strip().endswith(".v")]

    def compile(self, netlist_file):
        root = command(["verilator", "--getenv", "VERILATOR_ROOT"], self.folder).strip()
        model = self.folder / "model"
        shutil.rmtree(model, ignore_errors=True)
        command(["verilator", "--cc", "--prefix", f"V{self.top}", "--top-module", self.top, "--x-initial", "unique",
                 "-Wno-lint", "-Wno-fatal", "--Mdir", model, netlist_file], self.folder)
        parts = sorted(model.glob("*.cpp")) + [ROOT / source for source in self.own]
        (model / "all.cc").write_text("".join(f'#include "{part}"\n' for part in parts), encoding="utf-8")
        compiler = shlex.split(os.environ.get("CXX", "c++"))
        libraries = [self.build / "libgossipfab.a", self.build / "tb" / "libgfab_verilated.a"]
        command(compiler + ["-std=c++17", "-O1", "-w", "-DGFAB_MUTANTS", f"-I{ROOT / 'include'}",
                            f"-I{ROOT / 'tb' / 'lockstep'}", f"-I{model}", "-isystem", f"{root}/include", "-isystem",
                            f"{root}/include/vltstd", "-c", model / "all.cc", "-o", model / "all.o"], self.folder)
        command(compiler + [model / "all.o"] + [self.build / name for name in self.archives] + libraries +
                ["-pthread", "-o", "bench"], self.folder)

    def passes(self, mutant, seeds):
        environment = dict(os.environ, GFAB_MUTANT="0" if self.blind else str(mutant))
        words = ["./bench"] + self.arguments(seeds)
        try:
            done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True, check=False,
                                  timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise netlist.Fault(f"{self.folder.name}: mutant {mutant} takes over {SECONDS} s") from None
        if done.returncode not in (0, 1):
            raise netlist.Fault(f"{self.folder.name}: mutant {mutant}: exit status {done.returncode}: {done.stderr[-300:]}")
        self.said = done.stdout + done.stderr
        return done.returncode == 0

    def cycles(self):
        """Of the first seed, in the run before, which passed."""
        return int(self.said.split("equal in ")[1].split()[0])


class Lockstep(Bench):
    """tb/lockstep: every link, every store's write port and every word that the host reads, in every cycle, against the
    C model."""

    top = "gossip_fabric"
    own = ["tb/lockstep/dut.cc"]
    archives = ["tb/libgfab_lockstep.a"]

    def __init__(self, build, folder, blind):
        super().__init__(build, folder, blind)
        of = self.manifest
        mode = "paths" if of["paths"] else "full" if of["full_duplex"] else "half"
        self.options = ["--topology", of["topology"], "--token-bits", of["token_bits"], "--link-bits", of["link_bits"],
                        "--link-mode", mode, "--link-latency", of["latency_cycles"], "--parts", of["parts"]]
        if of["wide"]:
            self.options += ["--wide", f"{of['crossbar']},{of['banks']},{of['hop_rounds']}"]
        if of["frame"] != "absolute":
            command([ROOT / "tb" / "lockstep" / "model_rom.py", ".", "rom_of_every_node"], folder)
            self.options += ["--frame", of["frame"], "--model-rom", "rom_of_every_node"]

    def arguments(self, seeds):
        words = [str(word) for word in self.options]
        for seed in seeds:
            words += ["--seed", str(seed)]
        return words + ["."]

class Axis(Bench):
    """axis.cc: every stream's outputs in every cycle, against a model of them."""

    top = "gossip_fabric_axis"
    own = ["tests/mutate/axis.cc"]
    archives = []

    def __init__(self, build, folder, blind):
        super().__init__(build, folder, blind)
        self.sources += ["gossip_fabric_axis.v", "rtl/gfab_axis_ctrl.v", "rtl/gfab_axis_host.v"]

    def arguments(self, seeds):
        of = self.manifest
        words = ["--nodes", of["nodes"], "--token-bits", of["token_bits"], "--words", of["parts"] * of["words"],
                 "--cycles", of["cycles"]]
        for seed in seeds:
            words += ["--seed", seed]
        return [str(word) for word in words]


BENCHES = {"lockstep": Lockstep, "axis": Axis}


class Waivers:
    """Lines MODULE -- LINE OF ITS SOURCE -- WHAT IS CHANGED -- REASON; LINE and WHAT with * as in file names. A line
    that begins with a blank goes on with the one before it."""

    def __init__(self, path):
        self.path, self.rows, self.used = path, [], collections.Counter()
        text = path.read_text(encoding="utf-8").replace("\n ", " ") if path.exists() else ""
        for number, line in enumerate(text.splitlines(), 1):
            if line and not line.startswith("#"):
                fields = [" ".join(field.split()) for field in line.split(" -- ")]
                if len(fields) != 4 or not all(fields):
                    raise netlist.Fault(f"{path.name}: '{line[:60]}': not MODULE -- LINE -- CHANGE -- REASON")
                self.rows.append(tuple(fields))

    def match(self, mutation):
        for row in self.rows:
            if (row[0] == mutation.module and fnmatch.fnmatchcase(" ".join(mutation.source.split()), row[1].replace("[", "[[]"))
                    and fnmatch.fnmatchcase(mutation.where, row[2].replace("[", "[[]"))):
                self.used[row] += 1
                return row
        return None


class Progress:
    """One line that counts, where there is a terminal; then its last state."""

    def __init__(self, name):
        self.name, self.shown, self.live = name, 0.0, sys.stderr.isatty()

    def __call__(self, text):
        if self.live and time.monotonic() - self.shown > 0.2:
            print(f"\r\033[K{self.name}: {text}", end="", file=sys.stderr, flush=True)
            self.shown = time.monotonic()

    def done(self, text):
        print(("\r\033[K" if self.live else "") + f"{self.name}: {text}", flush=True)


Result = collections.namedtuple("Result", "mutations killed late equivalent waived survivors seconds")


def fabric_of(row, number, count, options, pool, waivers):
    """The mutants of one fabric of a class."""
    start = time.monotonic()
    folder = options.work / f"{row.name}-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    arguments = row.fabrics[number - 1]
    progress = Progress(f"{row.name} {number}/{len(row.fabrics)} {arguments.split()[1]}")
    command([options.build / "bin" / "gossipfab", "generate"] + arguments.split() + ["-o", folder], ROOT)
    bench = BENCHES[row.bench](options.build, folder, options.blind)
    design = netlist.Design(folder, bench.top, bench.sources, [m for m in row.modules if f"rtl/{m}.v" in bench.sources])
    mutations = design.sample(count, options.seed)
    progress(f"{len(mutations)} of {len(design.candidates)} mutants: building")
    bench.compile(design.write_mutants(mutations))
    if not bench.passes(0, SEEDS):
        raise netlist.Fault(f"{folder.name}: the fabric itself fails: {bench.said.strip()[-300:]}")
    cycles = bench.cycles()

    number = {mutation: at for at, mutation in enumerate(mutations, 1)}
    left = mutations

    def play(seeds, what):
        """What is left is what passes with these seeds."""
        passing = []
        for done, (mutation, passes) in enumerate(
                zip(left, pool.map(lambda mutation: bench.passes(number[mutation], seeds), left)), 1):
            passing += [mutation] if passes else []
            progress(f"{what}: {done} of {len(left)}, {done - len(passing)} killed")
        return passing

    def prove(stores):
        proved = set(design.equivalent(left, stores, pool, progress))
        return [mutation for mutation in left if mutation not in proved]

    left = play(SEEDS, "bench")
    counts = [len(left)]  # after each step
    look = not options.blind
    left = prove(True) if look else left
    counts.append(len(left))
    left = play(range(SEEDS.stop, SEEDS.stop + LONG_CYCLES // cycles + 1), "long") if look and not options.short else left
    counts.append(len(left))
    left = prove(False) if look and not options.short else left
    waived, rest = collections.Counter(), []
    for mutation in left:
        waiver = waivers.match(mutation) if look else None
        if waiver:
            waived[waiver] += 1
        else:
            rest.append(mutation)
    late = counts[1] - counts[2]
    result = Result(len(mutations), len(mutations) - counts[0] + late, late, counts[0] - counts[1] + counts[2] - len(left),
                    waived, rest, time.monotonic() - start)
    progress.done(f"{len(design.candidates)} possible, {result.mutations} mutants: {result.killed} killed"
                  f" ({result.late} late), {result.equivalent} equivalent, {sum(waived.values())} waived, {len(rest)} survive;"
                  f" {result.seconds:.0f} s")
    for mutation in rest:
        print(f"  survivor: {mutation.module} -- {mutation.source} -- {mutation.where}", flush=True)
    return result


def percent(killed, of):
    """Rounded down to tenths, so that 98.0 is not said of less."""
    return f"{killed * 1000 // of / 10:.1f}" if of else "-"


def fragment(rows, waivers):
    """The figures as Markdown."""
    lines = ["## Mutants of the netlist", "",
             "Every kind of fault that Yosys knows (`mutate`: a pin inverted, stuck, or joined to another), one at a time in",
             "the flattened netlist of a generated fabric, played by the benches that the fabric itself has to pass.", "",
             "    make mutate", "",
             "*Equivalent* is proved: from a power-up of zeros and one cycle of reset no output ever differs (ABC). *Late*",
             "are killed by a run of a million cycles alone. *Waived* are told by no run of a million cycles either; why",
             f"nobody outside can see them is below. *Killed* is the part of those not proved equivalent, at least {REQUIRED} %.", "",
             "| class | modules | fabrics | mutants | equivalent | killed | late | waived | survive | killed, % |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row, results in rows:
        total = [sum(values) for values in zip(*((r.mutations, r.equivalent, r.killed, r.late, sum(r.waived.values()),
                                                  len(r.survivors)) for r in results))]
        modules = ", ".join(module.removeprefix("gfab_") for module in row.modules)
        lines.append(f"| {row.title} | {modules} | {len(results)} | " + " | ".join(map(str, total)) +
                     f" | {percent(total[2], total[0] - total[1])} |")
    lines += ["", "Waived, by the line of the source that is changed:", ""]
    for row in waivers.rows:
        if waivers.used[row]:
            lines += wrapped(f"- {waivers.used[row]} in `{row[0]}`, `{row[1]}`: {row[3]}")
    survivors = [(row, mutation) for row, results in rows for result in results for mutation in result.survivors]
    if survivors:
        lines += ["", "Survivors:", ""]
        for row, mutation in survivors:
            lines += wrapped(f"- {row.name}: {mutation.module}, `{mutation.source}`, {mutation.where}")
    return "\n".join(lines) + "\n"


def wrapped(text, columns=120):
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + 1 + len(word) > columns and lines[-1].strip():
            lines.append(" ")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def campaign(options):
    waivers = Waivers(pathlib.Path(__file__).resolve().parent / "waivers")
    if options.short:
        by_name = {row.name: row for row in classes.CLASSES}
        plan = [(by_name[name]._replace(fabrics=by_name[name].fabrics[:fabrics]), fabrics * mutants)
                for name, fabrics, mutants in classes.SHORT]
    else:
        plan = [(row, options.count) for row in classes.CLASSES if not options.classes or row.name in options.classes]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row, count in plan:
            share = -(-count // len(row.fabrics))
            rows.append((row, [fabric_of(row, number, share, options, pool, waivers)
                               for number in range(1, len(row.fabrics) + 1)]))
    faults = []
    for row, results in rows:
        mutants, equivalent, killed = (sum(getattr(r, name) for r in results)
                                       for name in ("mutations", "equivalent", "killed"))
        survivors = sum(len(result.survivors) for result in results)
        print(f"{row.name}: {mutants} mutants, {equivalent} equivalent, {killed} of {mutants - equivalent} killed"
              f" ({percent(killed, mutants - equivalent)} %), {survivors} survive")
        if not options.short and mutants < count_wanted(options):
            faults.append(f"{row.name}: {mutants} mutants, {count_wanted(options)} are wanted: more fabrics")
        if survivors:
            faults.append(f"{row.name}: {survivors} survivors: a better bench, or a waiver with its reason")
        if killed * 100 < REQUIRED * (mutants - equivalent):
            faults.append(f"{row.name}: {percent(killed, mutants - equivalent)} % killed, below {REQUIRED}")
    whole = not options.short and not options.classes and options.seed == 1 and options.count == classes.COUNT
    for row in waivers.rows if whole else []:
        if not waivers.used[row]:
            faults.append(f"waivers: '{row[0]} -- {row[1]} -- {row[2]}' stands for no mutant")
    if not options.short:
        trust = options.build / "trust"
        trust.mkdir(exist_ok=True)
        (trust / "mutate.md").write_text(fragment(rows, waivers), encoding="utf-8")
    for fault in faults:
        print(f"mutate: {fault}", file=sys.stderr)
    return 1 if faults else 0


def count_wanted(options):
    return options.count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--class", dest="classes", action="append", choices=[row.name for row in classes.CLASSES])
    parser.add_argument("--count", type=int, default=classes.COUNT, help="mutants of a class (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which mutants (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time (%(default)s)")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--blind", action="store_true")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.work = options.build / "mutate" / ("blind" if options.blind else "short" if options.short else "whole")
    try:
        return campaign(options)
    except netlist.Fault as fault:
        print(f"mutate: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nmutate: interrupted", file=sys.stderr)
        os._exit(130)  # what still runs got the signal, too, or ends in milliseconds
