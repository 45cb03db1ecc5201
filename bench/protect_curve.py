#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""protect_curve.py GOSSIPFAB WORK [--count N] [--seeds S...] [--combining] [--match]: what parts of --protect cost, and notice.

The 4x4 mesh of fabric-area.sh (32-bit tokens, 2-bit links), whole, with one part left out, and without protection:
SB_LUT4 as Yosys counts them, the median of MHz as nextpnr-ice40 gives them for the seeds (none: not measured), and of N
flips (tests/faults/run.py) in each --fabric how many are silent and how many hang. Parts are left out of a generated
folder's Verilog by substitutions, each of which must match exactly once. Prints a table in Markdown; a line is there as
soon as it is measured. --match only sees whether all substitutions match. Exit status: 0, 2 where one does not match or
a tool fails."""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "faults"))
import run as faults  # pylint: disable=wrong-import-position

MESH = ["--topology", "mesh:4x4", "--token-bits", "32", "--link-bits", "2"]
NONE = "no protection"
CORRECT = "none, but stores that correct a bit"
HERE = os.path.dirname(os.path.abspath(__file__))

# What is left out: (file below rtl/, text, what stands there instead).
VARIANTS = {
    "all of it": [],
    "check bits not tested": [
        ("gfab_lane_check.v", "(tested_q & ~^{i_out[WORD_BITS], halves}) | old_fault;", "1'b0;")],
    "no balance": [
        ("gfab_lane_check.v", "assign o_balance = balance_q;", "assign o_balance = 1'b0;")],
    "slots without check": [
        ("gfab_lane_check.v", "^{fault_q, i_write_check, i_write_slot, i_write, i_lane_faults}",
         "^{fault_q, i_lane_faults}")],
    "no twins of lanes": [
        ("gfab_lane.v", "(* keep *) reg rest_q;", "reg rest_q;"),
        ("gfab_lane.v", "assign o_fault = (o_drive == rest);", "assign o_fault = 1'b0;")],
    "ops not added up": [
        ("gfab_program.v", "assign o_odd = (^op_q[BITS-1:`GFAB_OP_SLOT_LSB]) ^ (^op_q[`GFAB_OP_SLOT_LSB-1:0]);",
         "assign o_odd = 1'b0;")],
    "one sequencer": [
        ("gfab_sequence.v", "(PROTECT != 0) & ~(^word);", "1'b0;"),
        ("gfab_sequencer_pair.v", "assign o_halt  = &next;", "assign o_halt  = i_next;"),
        ("gfab_sequencer_pair.v", "(out[0+:OUT_BITS] != out[OUT_BITS+:OUT_BITS]) |", "1'b0 |")],
    NONE: [],
    CORRECT: [],
}

# The same of a fabric that combines.
COMBINING = {
    "all of it": [],
    "one gfab_combine": [
        ("gfab_lane_combine.v", "differ_q  <= ~i_rst & differs;", "differ_q  <= 1'b0;")],
    "check bits of what is stored": [
        ("gfab_lane_check.v", "assign o_check   = ~(i_busy ? i_in_odd : i_loaded_odd);",
         "assign o_check   = ~^i_data;")],
    "what is combined not entered": [
        ("gfab_combine_check.v", "assign o_odd        = ^odds;", "assign o_odd        = 1'b0;"),
        ("gfab_lane_check.v", "(i_rests | (i_out[WORD_BITS] ^ i_flipped)) ^", "1'b1 ^"),
        ("gfab_lane_check.v", "(~i_stays & ~(i_old[WORD_BITS] ^ i_flipped));", "1'b0;"),
        ("gfab_lane_check.v", "assign came      = i_came_odd;", "assign came      = 1'b0;")],
    "one gfab_combine_timer": [
        ("gfab_sequencer_pair.v", "(combining[0+:COMBINING_BITS] != combining[COMBINING_BITS+:COMBINING_BITS]);", "1'b0;")],
    NONE: [],
}


def leave_out(folder, variant, variants):
    """Makes a generated folder the variant's."""
    if variant == CORRECT:
        shutil.copy(os.path.join(HERE, "gfab_store_correct.v"), os.path.join(folder, "rtl", "gfab_store.v"))
    for name, text, instead in variants[variant]:
        path = os.path.join(folder, "rtl", name)
        with open(path, encoding="utf-8") as file:
            source = file.read()
        if source.count(text) != 1:
            raise RuntimeError(f"{name}: {source.count(text)} times there, not once: {text}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source.replace(text, instead))


def read_json(folder, name):
    with open(os.path.join(folder, "build", name), encoding="utf-8") as file:
        return json.load(file)


def generate(options, work, variant):
    """The mesh with a variant; its folder."""
    folder = os.path.join(work, variant.replace(" ", "_"))
    protect = "none" if variant in (NONE, CORRECT) else "detect"
    what = ["--collective", "all-reduce", "--operator", "all"] if options.combining else ["--solver", "lau-zhang"]
    shutil.rmtree(folder, ignore_errors=True)  # of a run before, and no longer as it was generated
    subprocess.run([options.program, "generate", *MESH, *what, "--protect", protect, "-o", folder], check=True,
                   stdout=subprocess.DEVNULL)
    leave_out(folder, variant, options.variants)
    return folder


def area(options, work, variant):
    """[SB_LUT4, median of MHz] of the mesh with a variant; no MHz where there are no seeds."""
    folder = generate(options, work, variant)
    subprocess.run(["make", "-s", "-C", folder, "synth"], check=True, stdout=subprocess.DEVNULL)
    luts = read_json(folder, "fabric_stat.json")["design"]["num_cells_by_type"]["SB_LUT4"]
    clocks = []
    for seed in options.seeds:
        subprocess.run(["make", "-s", "-C", folder, "fabric-pnr", f"SEED={seed}"], check=True,
                       stdout=subprocess.DEVNULL)
        report = read_json(folder, f"harness_seed{seed}.json")
        clocks.append(min(clock["achieved"] for clock in report["fmax"].values()))
    return [str(luts), f"{statistics.median(clocks):.0f}" if clocks else "-"]


def struck(options, simulator, fabric, variant):
    """[silent, hang] of a fabric's flips with a variant."""
    line = fabric + (" --collective all-reduce --operator all" if options.combining else "") + ("" if variant in (NONE, CORRECT) else " --protect detect")
    with tempfile.TemporaryDirectory(prefix="gossipfab-curve-") as work:
        made = faults.Fabric(options.program, line, work, lambda folder: leave_out(folder, variant, options.variants))
        plan = made.plan(options.count, options.seed)
        figures = faults.Figures(made, plan, made.play({"simulate": simulator}, plan))
    counts = [counts for name, _, counts in figures.rows() if name != "outside"]
    return [str(sum(count[verdict] for count in counts)) for verdict in ("silent", "hang")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("work")
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1, help="of the flips")
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3], help="of nextpnr")
    parser.add_argument("--fabric", action="append")
    parser.add_argument("--match", action="store_true", help="only see whether all substitutions match")
    parser.add_argument("--combining", action="store_true", help="all-reduces with all operators in place of gossips")
    options = parser.parse_args()
    options.variants = COMBINING if options.combining else VARIANTS
    os.makedirs(options.work, exist_ok=True)
    if options.match:
        for variant in options.variants:
            generate(options, options.work, variant)
        return
    fabrics = options.fabric or ["mesh:3x3", "mesh:4x4"]
    simulator = faults.build(os.path.abspath(options.work), "simulate")
    columns = ["variant", "LUT4", "MHz"] + [f"{fabric}: {what}" for fabric in fabrics for what in ("silent", "hang")]
    print(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}", flush=True)
    for variant in options.variants:
        row = [variant] + area(options, options.work, variant)
        for fabric in fabrics:
            row += struck(options, simulator, fabric, variant)
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, subprocess.CalledProcessError) as error:
        print(f"protect_curve: {error}", file=sys.stderr)
        sys.exit(2)
