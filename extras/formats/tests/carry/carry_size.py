#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""carry_size.py GOSSIPFAB [--cpu CPU,..] [--check]: flash and RAM of plans in C and of what carries them out, compiled by
arm-none-eabi-gcc -Os for microcontrollers, as rows of a table. Flash of a plan is the greatest of its ranks, RAM beside
input and output: the scratch memory, in blocks, and the stack of gfab_carry without the callbacks' own. --check compares
the stack, and what else is called, with what is promised, and prints no table. Exit status 77: there is no such compiler."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CC = "arm-none-eabi-gcc"
PLANS = [("cycle:3", "all-reduce", "--link-mode full"), ("cycle:8", "all-gather", ""), ("mesh:4x4", "all-reduce", ""),
         ("hypercube:4", "all-to-all", "--link-mode full"), ("torus:4x4", "all-reduce", "--blocks any --link-mode full"),
         ("path:16", "broadcast", "--blocks any --link-mode full")]
MOST_FLASH, MOST_STACK = 1100, 300


def call(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True).stdout


def compile_one(cpu, source, made, *more):
    call(CC, "-std=c99", "-ffreestanding", "-mthumb", f"-mcpu={cpu}", "-Os", "-Wall", "-Wextra", "-Werror", "-fstack-usage",
         f"-I{source.parent}", *more, "-c", source, "-o", made)
    text, data, bss = map(int, call("arm-none-eabi-size", made).splitlines()[1].split()[:3])
    if data or bss:
        raise SystemExit(f"{source.name}: {data + bss} bytes of static memory")
    return text


def make_plan(gossipfab, folder, graph, collective, options):
    gfs, made = folder / "s.gfs", folder / "plan"
    shutil.rmtree(made, ignore_errors=True)
    call(gossipfab, "schedule", graph, "-c", collective, *options.split(), "-o", gfs)
    call(gossipfab, "convert", gfs, "--to", "c-plan", "-o", made)
    return made


def measure_plan(folder, cpu):
    text = (folder / "plan.c").read_text()
    ranks = int(re.search(r"\.ranks = (\d+)", text).group(1))
    flash = max(compile_one(cpu, folder / "plan.c", folder / "plan.o", f"-DGFAB_RANK={v}") for v in range(ranks))
    blocks = 0
    for period, rounds, slots, stages in re.findall(
            r"\.round_count = (\d+), \.period = (\d+),.*?\.slots = (\d+), \.stages = (\d+)", text, re.S):
        period, rounds = int(rounds), int(period)
        flight = -(-rounds // period) if period else 1
        blocks = max(blocks, flight * int(slots) + int(stages))
    return flash, blocks


def measure_code(folder, cpu):
    flash = compile_one(cpu, folder / "gfab_carry.c", folder / "carry.o")
    frames = [int(line.split()[1]) for line in (folder / "carry.su").read_text().splitlines()]
    called = set(call("arm-none-eabi-nm", "-u", folder / "carry.o").split()) - {"U"}
    return flash, sum(frames), called


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gossipfab")
    parser.add_argument("--cpu", default="cortex-m0plus,cortex-m4")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if not shutil.which(CC):
        print(f"skipped: there is no {CC} (Debian: gcc-arm-none-eabi)")
        return 77
    cpus = arguments.cpu.split(",")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = make_plan(arguments.gossipfab, folder, *PLANS[0])
        for cpu in cpus:
            flash, stack, called = measure_code(made, cpu)
            if arguments.check:
                if flash > MOST_FLASH or stack > MOST_STACK or not all(c.startswith("__aeabi_uidiv") for c in called):
                    raise SystemExit(f"{cpu}: {flash} bytes, {stack} of stack, calls {sorted(called)}")
            else:
                print(f"| gfab_carry.c, {cpu} | {flash} | {stack} |")
        for plan in PLANS:
            made = make_plan(arguments.gossipfab, folder, *plan)
            flash, blocks = measure_plan(made, cpus[0])
            if not arguments.check:
                graph, collective, options = plan
                print(f"| {collective}, {graph}{', any length' if 'any' in options else ''} | {flash} | "
                      f"{blocks} block{'' if blocks == 1 else 's'} |")
    return 0


sys.exit(main())
