#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""chip.py GOSSIPFAB WORK [--seeds 1,2,3,4,5] [--table [PATTERN]] [--planted FABRIC] [--ecp5] [CASE...]: what
advise --chip says, placed on an iCE40-HX8K.

CASE: nodes:bits, or nodes:bits:collective; 12 of them without any. Every fabric that advise ranks as fitting is
generated (the bus by hand too, by-hand/bus.v), synthesised and placed in its harness with each seed. A row each: what
was said and, medians of the seeds, what is there. The first row is to be the least of its rows in nanoseconds of load,
run and read, but for 10 %, and block RAMs are to be as many as said. --table: the table of cli/commands/chip.c in
place of cases, a row each as it stands there; with PATTERN rows that have it. --planted: what advise is taken to put
first. --ecp5: each CASE is options of generate for a ring fabric, which is placed whole on an LFE5U-85F. Exit status 1
where a first row is not the least or a RAM is miscounted. What is in WORK is not placed again, but for --ecp5."""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

import streams

HERE = pathlib.Path(__file__).resolve().parent
CASES = ["4:8", "4:32", "6:8", "6:16", "8:16", "8:32", "12:16", "16:8", "16:16", "24:16", "4:16:all-reduce",
         "16:16:all-reduce"]
NAMES = {"RING": "ring", "HALVES": "ring of half words", "CHORDS_2": "2 abreast", "CHORDS_4": "4 abreast",
         "BUS": "bus, by hand", "TORUS": "torus", "MESH": "mesh"}
# Of the table; not rows of 0 MHz, which were not placed.
ROW = re.compile(r"\{(\w+), (true|false), (\d+), (\d+), (\d+), [\d.]+, [\d.]+, [1-9][\d.]*\}")


def ranking(gossipfab, nodes, bits, collective):
    command = [gossipfab, "advise", "--chip", str(nodes), "--token-bits", str(bits), "-c", collective, "--json"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["ranking"]


def place(gossipfab, work, row, nodes, bits, seeds):
    """SB_LUT4, logic cells and block RAM a node, MHz."""
    folder = pathlib.Path(work) / re.sub(r"\W+", "-", f"{row['fabric']} {row['options'] or f'{nodes} {bits}'}")
    folder.mkdir(parents=True, exist_ok=True)
    environment, command = dict(os.environ), [HERE.parent / "fabric-area.sh", gossipfab, folder, *seeds]
    if row["options"]:
        environment["FABRIC"] = row["options"]
        made = folder / "fabric"
    else:
        environment.update(KIND=f"bus:{bits}", NODES=str(nodes), BITS=str(bits))
        command[0] = HERE / "by-hand/by-hand.sh"
        made = folder / "bus"
    if not all((made / f"build/harness_seed{seed}.json").exists() for seed in seeds):
        with open(folder / "log", "w", encoding="utf-8") as log:
            subprocess.run(command, check=True, env=environment, stdout=log, stderr=log)
    cells, harness = (json.load(open(made / f"build/{name}_stat.json"))["design"]["num_cells_by_type"]
                      for name in ("fabric", "harness"))
    reports = [json.load(open(made / f"build/harness_seed{seed}.json")) for seed in seeds]
    mhz = statistics.median(min(clock["achieved"] for clock in report["fmax"].values()) for report in reports)
    used = reports[0]["utilization"]
    rams = cells.get("SB_RAM40_4K", 0)
    if used["ICESTORM_RAM"]["used"] != rams:
        sys.exit(f"chip: {folder}: RAMs have been folded away")
    placed = used["ICESTORM_LC"]["used"] - sum(harness.values()) + sum(cells.values())
    return cells["SB_LUT4"] / nodes, placed / nodes, rams / nodes, mhz


def measure_table(options):
    table = (HERE.parent.parent / "cli/commands/chip.c").read_text(encoding="utf-8")
    for kind, combines, nodes, bits, _ in ROW.findall(table):
        line = f"{kind}, {combines}, {nodes}, {bits}"
        rows = ranking(options.gossipfab, nodes, bits, "all-reduce" if combines == "true" else "all-gather")
        if options.table not in line:
            continue
        row = next(row for row in rows if row["fabric"] == NAMES[kind])
        luts, cells, rams, mhz = place(options.gossipfab, options.work, row, int(nodes), int(bits), options.seeds)
        print(f"    {{{line}, {rams:.0f}, {luts:.1f}, {cells:.1f}, {mhz:.1f}}},", flush=True)


def measure_case(options, case):
    """Did what was ranked first turn out the least, and were RAMs as said?"""
    nodes, bits, collective = (case.split(":") + ["all-gather"])[:3]
    rows, good = [], True
    for row in ranking(options.gossipfab, nodes, bits, collective):
        if not row["fits"]:
            print(f"| {case} | {row['fabric']} | too large |", flush=True)
            continue
        luts, _, rams, mhz = place(options.gossipfab, options.work, row, int(nodes), int(bits), options.seeds)
        cycles = row["load_cycles"] + row["run_cycles"] + row["read_cycles"]
        rows.append((1000 * cycles / mhz, row["fabric"]))
        good &= rams == row["rams"]
        print(f"| {case} | {row['fabric']} | {row['ns']:.0f} | {rows[-1][0]:.0f} | {row['luts']:.1f} | {luts:.1f} | "
              f"{row['rams']} | {rams:.1f} | {row['mhz']:.1f} | {mhz:.1f} |", flush=True)
    if not rows:
        print(f"{case}: nothing fits", flush=True)
        return False
    first = next(row for row in rows if row[1] == (options.planted or rows[0][1]))
    least = min(rows)
    print(f"{case}: {first[1]} takes {first[0]:.0f} ns, the least is {least[1]} with {least[0]:.0f}", flush=True)
    return good and first[0] <= 1.1 * least[0]


def place_on_ecp5(options, case):
    """Whole, in the harness; its RAMs are to be those of the fabric alone."""
    folder = pathlib.Path(options.work) / re.sub(r"\W+", "-", f"ecp5 {case}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([options.gossipfab, "generate", *case.split(), "-o", folder], check=True,
                   stdout=subprocess.DEVNULL)
    luts, _, clocks = streams.on_ecp5(folder.resolve(), "gossip_fabric_harness", len(options.seeds))
    cells = json.loads((folder / "gossip_fabric_harness_stat.json").read_text())["design"]["num_cells_by_type"]
    manifest = json.loads((folder / "manifest.json").read_text())
    print(f"| {case.replace('--store ring ', '')} | {manifest['nodes']} | {manifest['cycles']} | {luts} | "
          f"{cells.get('DP16KD', 0)} | {statistics.median(clocks)} | {min(clocks)} to {max(clocks)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("work")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--seeds", type=lambda text: text.split(","), default=["1", "2", "3", "4", "5"])
    parser.add_argument("--table", nargs="?", const="")
    parser.add_argument("--planted")
    parser.add_argument("--ecp5", action="store_true")
    options = parser.parse_intermixed_args()
    options.gossipfab = os.path.abspath(options.gossipfab)
    if options.ecp5:
        print("| fabric | nodes | cycles | LUT4 with the harness | RAM | MHz | seeds |")
        print("| --- " * 7 + "|")
        for case in options.cases:
            place_on_ecp5(options, case)
        return
    if options.table is not None:
        measure_table(options)
        return
    print("| case | fabric | ns said | ns | LUT4 said | LUT4 | RAM said | RAM | MHz said | MHz |")
    print("| --- " * 10 + "|")
    agree = [measure_case(options, case) for case in options.cases or CASES]
    print(f"{len(agree)} cases, in {sum(agree)} of them the first row is the least, but for 10 %")
    sys.exit(sum(agree) < len(agree))


if __name__ == "__main__":
    main()
