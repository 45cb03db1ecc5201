#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""c.py BUILD [--report FILE] [--list] [--ready]: what the tests run of the C sources.

Builds all in BUILD/coverage with gcov's counters and without optimisation, runs the unit tests, those of the command,
also with a board in Verilator, those of formats, plans and streams, the fuzz corpus, and the command with allocations
that fail, and reads the counts with gcovr. The C core must have 95 % of its lines run and 90 % of its branches gone
both ways. Branches of assert() do not count: a test that goes the other way ends there. --ready: the tests have run.
--list names the lines and branches that are left. Exit status: 0, 1 where it is less, 77 without gcovr."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SOURCES = "(core|cmodel|gen|cli|extras)/"
CORPUS = sorted((ROOT / "tests/fuzz/corpus").glob("*.txt"))
LINES, BRANCHES = 95, 90  # % of the rooms of core/, all together
BOARD = "--token-bits 32 --link-bits 2 --collective all-gather,all-reduce,barrier --operator all"
FLAGS = "--coverage -fprofile-update=atomic"  # solvers have threads


def build(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for command in (["cmake", "-S", ROOT, "-B", folder, f"-DCMAKE_C_FLAGS={FLAGS}",
                     "-DCMAKE_EXE_LINKER_FLAGS=--coverage", "-DCMAKE_MODULE_LINKER_FLAGS=--coverage",
                     "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0 -g"],
                    ["cmake", "--build", folder, "--parallel", os.environ.get("JOBS", str(os.cpu_count())), "--target",
                     "gossipfab", "paper_tables", "gfab_unit_tests", "stream_lockstep",
                     *(f"fuzz_{packed.stem}" for packed in CORPUS)]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for counts in folder.rglob("*.gcda"):
        counts.unlink()


def run_tests(folder):
    """Without ctest: its time limits are for a library that is optimised, and it starts a process for each case."""
    programs = [[test, "--gtest_brief=1"] for test in sorted((folder / "bin").glob("*_test"))]
    programs += [[folder / "bin" / f"fuzz_{packed.stem}", packed] for packed in CORPUS]
    programs.append([ROOT / "tests/cli/run-cli-tests.sh", folder / "bin" / "gossipfab", ROOT])
    gossipfab, tests, work = folder / "bin" / "gossipfab", ROOT / "tests", folder / "work"
    work.mkdir(exist_ok=True)
    programs += [[tests / "formats" / "formats_test.py", gossipfab, work / "formats"],
                 [tests / "formats" / "graphs_test.py", gossipfab, work / "graphs", "--count", "12"],
                 [tests / "formats" / "chakra_test.py", gossipfab, work / "chakra"],
                 [tests / "formats" / "msccl_orders.py", gossipfab, work / "msccl", "--count", "60"],
                 [tests / "plans" / "plans_test.py", gossipfab, work / "orders", "--count", "60"],
                 [tests / "plans" / "run_test.py", gossipfab, work / "plans", "--count", "12"],
                 [tests / "carry" / "carry_test.py", gossipfab, work / "carry", os.environ.get("CC", "cc")]]
    if shutil.which("iverilog"):  # the C model of each of these
        programs.append([tests / "streams" / "run.py", gossipfab, folder / "bin" / "stream_lockstep", "--runs", "0",
                         "--icarus", "44", "--jobs", "1", "--work", work / "streams"])
    host = ROOT / "tb" / "board" / "host.py"
    if shutil.which("verilator"): # the command, and the board's RTL, which answers it
        programs += [[host, "errors"], [host, "play", "7", "--topology", "mesh:2x3", *BOARD.split()]]
    environment = dict(os.environ, GOSSIPFAB=folder / "bin" / "gossipfab", WORK=folder / "board")

    def run(command):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", check=False, env=environment)
        print(f"coverage: {command[0].name}: exit status {done.returncode}", flush=True)
        return done.stdout if done.returncode != 0 else ""

    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        said = "".join(pool.map(run, programs))
    if said:
        sys.exit(f"coverage: tests fail\n{said[-4000:]}")
    # Where it is gcov's own allocation that fails, the run ends by a signal and counts nothing: its faults are none here.
    subprocess.run([tests / "inject" / "run.py", gossipfab], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   check=False)


def measure(root, folder, sources=".*"):
    """gcovr's JSON of each source file below root that the pattern names."""
    done = subprocess.run(["gcovr", "--root", root, "--json", "--exclude-branches-by-pattern", r".*\bassert\(.*",
                           "--filter", sources, "--gcov-ignore-parse-errors", folder], check=True,
                          capture_output=True, text=True, cwd=root)
    return {file["file"]: file for file in json.loads(done.stdout)["files"]}


def count(file):
    """(lines run, lines, branches gone, branches)"""
    lines = [line for line in file["lines"] if not line["gcovr/noncode"]]
    branches = [branch for line in lines for branch in line["branches"]]
    return (sum(line["count"] > 0 for line in lines), len(lines), sum(branch["count"] > 0 for branch in branches),
            len(branches))


def room_of(path):
    """core/solvers/telephone/mesh/strip.c is core/solvers/telephone's."""
    parts = pathlib.PurePath(path).parts[:-1]
    return "/".join(parts[:3 if parts[:2] == ("core", "solvers") else 2])


def percent(part, whole):
    """With a decimal, rounded down: 100.0 is all."""
    return f"{1000 * part // whole / 10:.1f}" if whole else "-"


def tally(files):
    rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
    for path, file in files.items():
        names = [room_of(path)] + (["the C core"] if path.startswith("core/") else [])
        for name in names:
            rooms[name] = [a + b for a, b in zip(rooms[name], count(file))]
    return dict(sorted(rooms.items()))


def judge(counts, name, lines=LINES, branches=BRANCHES):
    """What is too little of (lines run, lines, branches gone, branches)."""
    wrong = []
    for what, least, part, whole in (("lines", lines, *counts[:2]), ("branches", branches, *counts[2:])):
        if 100 * part < least * whole:
            wrong.append(f"coverage: {name}: {part} of {whole} {what} are run, {percent(part, whole)} %, "
                         f"less than {least} %")
    return wrong


def fragment(rooms):
    lines = ["### C", "",
             "The table has what is run of the C sources, built without optimisation. Run are the unit tests, the tests "
             "of the command", "(also with a board in Verilator), of formats, plans and streams, the fuzz corpus, and "
             "the command with allocations that",
             f"fail. Of core/ at least {LINES} % of the lines and {BRANCHES} % of the branches must be run.", "",
             "| room | lines | % | branches | % |", "| --- | --- | --- | --- | --- |"]
    for name, (run, all_lines, gone, branches) in rooms.items():
        lines.append(f"| {name} | {run} of {all_lines} | {percent(run, all_lines)} | {gone} of {branches} "
                     f"| {percent(gone, branches)} |")
    return "\n".join(lines + [""])


def print_left(files):
    for path, file in sorted(files.items()):
        source = (ROOT / path).read_text(encoding="utf-8").splitlines()
        for line in file["lines"]:
            left = sum(branch["count"] == 0 for branch in line["branches"])
            if not line["gcovr/noncode"] and (line["count"] == 0 or left):
                what = "not run" if line["count"] == 0 else f"{left} of {len(line['branches'])} branches"
                print(f"{path}:{line['line_number']}: {what}: {source[line['line_number'] - 1].strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--report", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--ready", action="store_true")
    options = parser.parse_args()
    if not shutil.which("gcovr"):
        print("coverage: skipped, gcovr is missing", file=sys.stderr)
        return 77
    folder = options.build.resolve() / "coverage"
    if not options.ready:
        build(folder)
        run_tests(folder)
    files = measure(ROOT, folder, SOURCES)
    rooms = tally(files)
    if options.list:
        print_left(files)
    for name, counts in rooms.items():
        print(f"{name}: {percent(counts[0], counts[1])} % of lines, {percent(counts[2], counts[3])} % of branches")
    if options.report:
        options.report.write_text(fragment(rooms), encoding="utf-8")
    wrong = judge(rooms["the C core"], "core/")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
