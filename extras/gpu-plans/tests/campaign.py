#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""campaign.py GOSSIPFAB FOLDER [--count N] [--report FILE]: the checks of plans, programs, the small run time and readers of
files in their long form, one after the other, and a list in Markdown of what each says in the end. What is said goes
to FOLDER. Exit status 1 where one fails; one whose tools are missing is named as skipped."""
import argparse
import pathlib
import subprocess
import sys
import textwrap

EXTRAS = pathlib.Path(__file__).resolve().parents[2]
# What is checked, by which test, with which options: {count} is what is asked for, {tenfold} ten times as many.
CHECKS = [
    ("MSCCL++ plans, every order one by one", "gpu-plans/tests/plans_test.py", ["--count", "{count}", "--seed", "28", "--most", "6000"]),
    ("MSCCL++ plans whose counters drift, carried out in orders that are drawn", "gpu-plans/tests/drift_test.py",
     ["--count", "{tenfold}", "--seed", "28"]),
    ("MSCCL programs, every order one by one", "formats/tests/msccl_orders.py", ["--count", "{count}", "--seed", "28"]),
    ("schedules as plans, run, every byte", "gpu-plans/tests/run_test.py", ["--count", "100", "--seed", "28"]),
    ("the small run time, every byte", "formats/tests/carry/carry_test.py", ["cc", "--large"]),
    ("MSCCL and SCCL, as others read them", "formats/tests/formats_test.py", []),
    ("traces for ASTRA-sim, carried out", "formats/tests/chakra_test.py", []),
    ("graph files, by networkx and igraph", "graphs/tests/graphs_test.py", ["--count", "200"]),
]
HEAD = """## Plans and files of others

Verdicts of `verify` are compared with all orders of the thread blocks. Files that gossipfab writes are read by readers
of the tests' own:

<!-- docs: skip minutes: tests run their short forms -->
    make plans

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gossipfab")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--report", type=pathlib.Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rows, status = [], 0
    for what, test, words in CHECKS:
        name = pathlib.Path(test).stem
        words = [word.format(count=options.count, tenfold=10 * options.count) for word in words]
        done = subprocess.run([sys.executable, EXTRAS / test, options.gossipfab, options.folder / name, *words],
                              capture_output=True, text=True)
        (options.folder / f"{name}.log").write_text(done.stdout + done.stderr)
        lines = (done.stdout.strip() or done.stderr.strip() or "nothing").splitlines()
        said = lines[-1] if done.returncode or not lines[-1].startswith("  ") else lines[0]
        said = said.split(": ", 1)[1] if said.startswith(f"{name.split('_')[0]}: ") else said
        if done.returncode not in (0, 77):
            status = 1
            said = f"**fails**: {said}"
        rows.append(textwrap.fill(f"- {what} (`tests/{test}`): {said.rstrip(':')}", 120, subsequent_indent="  ", break_on_hyphens=False))
        print(rows[-1], flush=True)
    if options.report:
        options.report.parent.mkdir(parents=True, exist_ok=True)
        options.report.write_text(HEAD + "\n".join(rows) + "\n")
    sys.exit(status)


main()
