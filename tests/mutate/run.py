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
import os
import pathlib
import shutil
import sys
import time

import benches
import classes
import report
from netlist import Design
from process import Fault, must, stop_on_signals

SEEDS = range(1, 7)  # of the first look at a mutant
LONG_CYCLES = 1000000  # of the second


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
    must([options.build / "bin" / "gossipfab", "generate"] + arguments.split() + ["-o", folder], benches.ROOT)
    bench = benches.BENCHES[row.bench](options.build, folder, options.blind)
    design = Design(folder, bench.top, bench.sources, [m for m in row.modules if f"rtl/{m}.v" in bench.sources],
                            bench.shifts, bench.outside, bench.parameters)
    mutations = design.sample(count, options.seed)
    progress(f"{len(mutations)} of {len(design.candidates)} mutants: building")
    bench.compile(design.write_mutants(mutations))
    if not bench.passes(0, SEEDS):
        raise Fault(f"{folder.name}: the fabric itself fails: {bench.said.strip()[-300:]}")
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

    left = play(SEEDS, "bench")
    counts = [len(left)]  # after each step
    look = not options.blind
    proved = set(design.equivalent(left, pool, progress) if look else [])
    left = [mutation for mutation in left if mutation not in proved]
    counts.append(len(left))
    left = play(range(SEEDS.stop, SEEDS.stop + LONG_CYCLES // cycles + 1), "long") if look and not options.short else left
    late = counts[1] - len(left)
    waived, rest = collections.Counter(), []
    for mutation in left:
        waiver = waivers.match(mutation) if look else None
        if waiver:
            waived[waiver] += 1
        else:
            rest.append(mutation)
    result = Result(len(mutations), len(mutations) - counts[0] + late, late, len(proved), waived, rest,
                    time.monotonic() - start)
    progress.done(f"{len(design.candidates)} possible, {result.mutations} mutants: {result.killed} killed"
                  f" ({result.late} late), {result.equivalent} equivalent, {sum(waived.values())} waived, {len(rest)} survive;"
                  f" {result.seconds:.0f} s")
    for mutation in rest:
        print(f"  survivor: {mutation.module} -- {mutation.source} -- {mutation.where}", flush=True)
    return result


def campaign(options):
    waivers = report.Waivers(pathlib.Path(__file__).resolve().parent / "waivers")
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
              f" ({report.percent(killed, mutants - equivalent)} %), {survivors} survive")
        if not options.short and mutants < count_wanted(options):
            faults.append(f"{row.name}: {mutants} mutants, {count_wanted(options)} are wanted: more fabrics")
        if survivors:
            faults.append(f"{row.name}: {survivors} survivors: a better bench, or a waiver with its reason")
        if killed * 100 < report.REQUIRED * (mutants - equivalent):
            faults.append(f"{row.name}: {report.percent(killed, mutants - equivalent)} % killed, below {report.REQUIRED}")
    whole = not options.short and not options.classes and options.seed == 1 and options.count == classes.COUNT
    for row in waivers.rows if whole else []:
        if not waivers.used[row]:
            faults.append(f"waivers: '{row[0]} -- {row[1]} -- {row[2]}' stands for no mutant")
    if not options.short:
        trust = options.build / "trust"
        trust.mkdir(exist_ok=True)
        (trust / "mutate.md").write_text(report.fragment(rows, waivers), encoding="utf-8")
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
    stop_on_signals()
    options.build = options.build.resolve()
    options.work = options.build / "mutate" / ("blind" if options.blind else "short" if options.short else "whole")
    try:
        return campaign(options)
    except Fault as fault:
        print(f"mutate: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
