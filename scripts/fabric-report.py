#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The figures of one generated fabric as a table, from what the tools wrote.

fabric-report.py --simulate FILE [--manifest FILE] [--stat FILE] [--pnr FILE] [--board-pnr FILE]

--simulate   report of `gossipfab simulate --json`
--manifest   manifest.json of the generated folder, for what the report does not know
--stat       JSON of Yosys' `stat -json` after the fabric's synthesis
--pnr        JSON of nextpnr's --report for the fabric alone
--board-pnr  the same for the board top

A file that is named must be there, and what is asked of it must be in it. The measured cycles must equal the formula's:
exit status 1 where they do not.
"""
import argparse
import json
import re
import sys

# Names that a figure goes by in gossipfab's reports and manifests.
ROUNDS = ("rounds",)
BOUND = ("bound", "lower_bound_rounds")
CYCLES = ("cycles",)
PER_ROUND = ("cycles_per_round",)
OVERHEAD = ("overhead_cycles",)
NODES = ("nodes",)

# Yosys' cells of the iCE40, ECP5, Gowin and Xilinx 7; nextpnr's name of what has a LUT.
KINDS = (("LUT", r"SB_LUT4|LUT[1-6]"), ("FF", r"SB_DFF.*|TRELLIS_FF|DFFN?[A-Z]*|FD[A-Z]E"),
         ("block RAM", r"SB_RAM40_4K|DP16KD|PDPW16KD|SDPX?9?B|DPX?9?B|SPX?9?|RAMB(18|36)E1"))
LOGIC = ("ICESTORM_LC", "TRELLIS_COMB", "LUT4")


def fail(message):
    print(f"fabric-report: {message}", file=sys.stderr)
    sys.exit(2)


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        fail(f"{path}: {error}")


def look_up(value, names):
    """The first integer under one of the names, outer objects before inner ones; None if there is none."""
    if not isinstance(value, dict):
        return None
    for name in names:
        found = value.get(name)
        if isinstance(found, dict):
            found = found.get("rounds")
        if isinstance(found, int) and not isinstance(found, bool):
            return found
    for inner in value.values():
        found = look_up(inner, names)
        if found is not None:
            return found
    return None


def get(files, names):
    """The figure in the first file that knows it."""
    for path in files:
        found = look_up(load(path), names)
        if found is not None:
            return found
    return fail(f"{' and '.join(files)}: no {names[0]}")


def cell_counts(path):
    """Cells by type of the whole design."""
    stat = load(path)
    design = stat.get("design") or next(iter(stat.get("modules", {}).values()), {})
    cells = design.get("num_cells_by_type")
    if not cells:
        fail(f"{path}: no num_cells_by_type; is it from `stat -json`?")
    return cells


def spread(count, nodes):
    return f"{count} ({count / nodes:.1f} a node)"


def synthesis_rows(path, nodes):
    cells = cell_counts(path)
    return [(title, spread(sum(count for kind, count in cells.items() if re.fullmatch(kinds, kind)), nodes))
            for title, kinds in KINDS]


def placement(path):
    """Logic cells used, their share of the part in percent, MHz of the slowest clock."""
    report = load(path)
    logic = next((cell for kind, cell in report.get("utilization", {}).items() if kind in LOGIC), None)
    clocks = [clock["achieved"] for clock in report.get("fmax", {}).values()]
    if not logic or not clocks:
        fail(f"{path}: none of {', '.join(LOGIC)}, or no clock; is it a nextpnr report?")
    return logic["used"], 100 * logic["used"] / logic["available"], min(clocks)


def placement_rows(path, nodes, cycles):
    used, _, mhz = placement(path)
    return [("logic cells", f"{spread(used, nodes)}, measuring harness included"), ("MHz", f"{mhz:.1f}"),
            ("ns per gossip", f"{cycles / mhz * 1000:.0f}")]


def board_rows(path):
    used, share, mhz = placement(path)
    return [("board top", f"{used} logic cells, {share:.0f} % of the part, {mhz:.1f} MHz")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulate", required=True)
    for name in ("--manifest", "--stat", "--pnr", "--board-pnr"):
        parser.add_argument(name)
    options = parser.parse_args()

    facts = [options.simulate] + ([options.manifest] if options.manifest else [])
    cycles = get([options.simulate], CYCLES)  # the measured ones; a manifest only has the formula's
    rounds, nodes, bound = get(facts, ROUNDS), get(facts, NODES), get(facts, BOUND)
    per_round, overhead = get(facts, PER_ROUND), get(facts, OVERHEAD)
    formula = rounds * per_round + overhead

    rows = [("rounds", str(rounds)), ("lower bound", str(bound)), ("cycles, measured", str(cycles)),
            ("R x F + c", f"{rounds} x {per_round} + {overhead} = {formula}")]
    if options.stat:
        rows += synthesis_rows(options.stat, nodes)
    if options.pnr:
        rows += placement_rows(options.pnr, nodes, cycles)
    if options.board_pnr:
        rows += board_rows(options.board_pnr)

    widths = [max(len(row[i]) for row in rows) for i in (0, 1)]
    rule = "+-" + "-+-".join("-" * width for width in widths) + "-+"
    print(rule)
    for name, value in rows:
        print(f"| {name:{widths[0]}} | {value:{widths[1]}} |")
    print(rule)
    if cycles != formula:
        print(f"fabric-report: {cycles} cycles were measured, the formula says {formula}", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
