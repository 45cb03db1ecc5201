#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py BUILD [--class NAME]... [--count N] [--seed S] [--cycles C] [--jobs J] [--short] [--blind]

Netlist mutants of the RTL (yosys mutate), played by benches that the design itself passes. BUILD is a built folder.
Each class of modules (classes.py) gets --count mutants, drawn by --seed. What becomes of each, the first that holds:
  killed      the bench fails with one of a few seeds
  equivalent  proved: nothing outside ever differs where somebody may look (netlist.py); what takes long to prove is
              first played for long
  late        killed as well, but by one of so many seeds that they make a million cycles
  waived      it passes the million cycles, and the file waivers says why nobody outside can see it
  survivor    none of these
Exit status: 0; 1 where a survivor is found, a class has too few mutants or kills less than 98 % of those not proved
equivalent, or, in a whole run, a waiver stands for nothing; 2 for wrong usage or a fault of the campaign's own.
Classes own-.. are what a user of a generated folder runs (own.py): survivors may be, but 95 % must be killed, and 98 of
class ring.
The figures are in BUILD/trust/mutate.md; of classes that --class leaves out, those of the last run.
--short is what `make test` runs: few mutants, and no million cycles. --blind switches no mutant on: a mutant of the
campaign itself, which must then say that it kills none."""
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
import own
import report
from netlist import Design, Proof
from process import Fault, stop_on_signals

SEEDS = range(1, 8)  # of the first look at a mutant; the seventh has the long tests of a board
LONG_CYCLES = 1000000  # of the second, at least
# Of a core, for a proof: before the second look at a mutant, when most that hold are found in less, and after it.
QUICK, PATIENT = 3, 20
CHECKED = 4  # killed mutants of a fabric, none of which may be proved equivalent


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


class Fabric:
    """The mutants of one fabric of a class."""

    def __init__(self, row, number, count, options, pool):
        self.options, self.pool, self.start = options, pool, time.monotonic()
        folder = options.work / f"{row.name}-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        words = row.fabrics[number - 1].split()
        self.progress = Progress(f"{row.name} {number}/{len(row.fabrics)} {words[words.index('-t') + 1 if '-t' in words else 0]}")
        self.progress("building")
        bench = {**benches.BENCHES, "own": own.Own}[row.bench]
        bench.make(options.build, folder, words)
        self.bench = bench(options.build, folder, options.blind, words)
        modules = [module for module in row.modules or self.bench.modules() if f"rtl/{module}.v" in self.bench.sources]
        self.design = Design(folder, self.bench, modules)
        self.bench.narrow(self.design)
        if not self.design.candidates:
            raise Fault(f"{folder.name}: '{row.fabrics[number - 1]}' has none of {', '.join(row.modules)}")
        self.mutations = self.design.sample(count, options.seed)
        self.number = {mutation: at for at, mutation in enumerate(self.mutations, 1)}
        self.bench.compile(self.design, self.mutations)
        if not self.bench.passes(0, SEEDS):
            raise Fault(f"{folder.name}: the design itself fails: {self.bench.said.strip()[-300:]}")

    def play(self, mutations, seeds, what):
        """Those that pass with all these seeds."""
        passing = []
        verdicts = self.pool.map(lambda mutation: self.bench.passes(self.number[mutation], seeds), mutations)
        for done, (mutation, passes) in enumerate(zip(mutations, verdicts), 1):
            passing += [mutation] if passes else []
            self.progress(f"{what}: {done} of {len(mutations)}, {done - len(passing)} killed")
        return passing

    def prove(self, holds, mutations, counts):
        """Those that are not proved equivalent; counts the others."""
        left = []
        verdicts = self.pool.map(holds, mutations)
        for done, (mutation, holds) in enumerate(zip(mutations, verdicts), 1):
            left += [] if holds else [mutation]
            self.progress(f"proofs: {done} of {len(mutations)}, {done - len(left)} proved")
        counts["equivalent"] += len(mutations) - len(left)
        return left

    def holds_inside(self, mutation, seconds):
        """In its own instance, whatever is around it."""
        proof = Proof.inside(mutation) and Proof(self.design, [mutation], f"inside_{self.number[mutation]}", True)
        return bool(proof) and proof.holds(mutation, seconds)

    def holds_alone(self, mutation):
        """With no other mutant in the netlist there is less to reason about; with no other instance still less."""
        return (self.holds_inside(mutation, PATIENT) or
                Proof(self.design, [mutation], f"proof_of_{self.number[mutation]}").holds(mutation, PATIENT))

    def check_proofs(self, killed):
        """What is seen to differ must not be proved equivalent."""
        proof = Proof(self.design, killed, "check")
        for mutation, holds in zip(killed, self.pool.map(lambda mutation: proof.holds(mutation, QUICK), killed)):
            if holds or self.holds_inside(mutation, QUICK):
                raise Fault(f"{self.design.folder.name}: a killed mutant is proved equivalent: {' -- '.join(mutation[1:])}")

    def run(self, waivers):
        passing = self.play(self.mutations, SEEDS, "bench")
        counts = collections.Counter(mutants=len(self.mutations), killed=len(self.mutations) - len(passing))
        if self.bench.zeros and not self.options.blind:
            self.check_proofs([mutation for mutation in self.mutations if mutation not in set(passing)][:CHECKED])
        if not self.options.blind and passing:
            proof = Proof(self.design, passing)
            passing = self.prove(lambda mutation: proof.holds(mutation, QUICK), passing, counts)
            if not self.options.short and not self.bench.once:
                seeds = range(SEEDS.stop, SEEDS.stop + self.options.cycles // self.bench.cycles() + 1)
                left = self.play(passing, seeds, "long")
                counts["late"] = len(passing) - len(left)
                counts["killed"] += counts["late"]
                passing = left
            passing = self.prove(self.holds_alone, passing, counts)
        rows = [None if self.options.blind else waivers.match(mutation) for mutation in passing]
        survivors = [mutation[1:] for mutation, row in zip(passing, rows) if not row]
        waived = [(row[0], row[1], row[3]) for row in rows if row]
        counts.update(fabrics=1, waived=len(waived), survivors=len(survivors))
        self.progress.done(f"{len(self.design.candidates)} are possible; " +
                           ", ".join(f"{counts[name]} {name}" for name in report.COUNTS) +
                           f"; {time.monotonic() - self.start:.0f} s")
        for survivor in survivors:
            print(f"  survivor: {' -- '.join(survivor)}", flush=True)
        return report.Result(counts, survivors, waived)


def play_class(row, count, options, pool, waivers):
    """Its mutants are shared out evenly; what one fabric has not the next ones make up for."""
    result = report.Result(collections.Counter(), [], [])
    for number in range(1, len(row.fabrics) + 1):
        share = -(-(count - result.counts["mutants"]) // (len(row.fabrics) - number + 1))
        fabric = Fabric(row, number, share, options, pool)
        waivers.see(fabric.design.candidates)
        counts, survivors, waived = fabric.run(waivers)
        result.counts.update(counts)
        result.survivors.extend(survivors)
        result.waived.extend(waived)
    return result


def plan(options):
    """(class, mutants) of this run."""
    if options.short:
        by_name = {row.name: row for row in classes.CLASSES}
        rows = [(by_name[name]._replace(fabrics=by_name[name].fabrics[:fabrics]), mutants)
                for name, fabrics, mutants in classes.SHORT if not options.classes or name in options.classes]
        if not rows:
            raise Fault(f"--short has {', '.join(row[0] for row in classes.SHORT)} alone")
        return rows
    return [(row, min(options.count, classes.COUNT_OWN) if row.bench == "own" else options.count)
            for row in classes.CLASSES if not options.classes or row.name in options.classes]


def campaign(options):
    waivers = report.Waivers(pathlib.Path(__file__).resolve().parent / "waivers")
    results, faults = {}, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row, count in plan(options):
            result = play_class(row, count, options, pool, waivers)
            print(f"{row.name}: {report.summary(result)}", flush=True)
            results[row.name] = result
            faults += report.faults(row, result, count, options.short)
            if not options.short:  # what a stop finds is kept
                trust = options.build / "trust"
                trust.mkdir(exist_ok=True)
                report.write(trust, classes.CLASSES, classes.APART, results)
    if not options.short and not options.classes:
        faults += waivers.stale()
    for fault in faults:
        print(f"mutate: {fault}", file=sys.stderr)
    return 1 if faults else 0


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not 1 or more")
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--class", dest="classes", action="append", choices=[row.name for row in classes.CLASSES])
    parser.add_argument("--count", type=positive, default=classes.COUNT, help="mutants of a class (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which mutants (%(default)s)")
    parser.add_argument("--cycles", type=positive, default=LONG_CYCLES, help="of the last look (%(default)s)")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count(), help="processes at a time (%(default)s)")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--blind", action="store_true")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.work = options.build / "mutate" / ("blind" if options.blind else "short" if options.short else "whole")
    stop_on_signals()
    try:
        return campaign(options)
    except Fault as fault:
        print(f"mutate: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
