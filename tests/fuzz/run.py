#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py BUILD [--minutes M] [--jobs N] [--keep] [TARGET...]: fuzzes what reads text or bytes from outside.

A target is tests/fuzz/<target>.c. They are built by clang with libFuzzer, AddressSanitizer and
UndefinedBehaviorSanitizer in BUILD/fuzz; each then runs for M minutes of processor time (8), N at a time (1), from the
inputs in corpus/<target>.txt and those that earlier runs in BUILD have found. Then planted bugs must be found, too
(planted.py). The figures go to BUILD/trust/fuzz.md; of targets that are left out, those of the last run. With --keep
corpus/<target>.txt gets what covers most. Exit status: 0, 1 where an input is at fault (BUILD/fuzz/faults has it), 77
without clang."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import corpus
import planted

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SANITIZE = "-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
# Of a run: memory; seconds on the clock that an input may take, where the machine may be shared; what targets print is
# not looked at.
LIMITS = ["-rss_limit_mb=512", "-timeout=60", "-report_slow_units=60", "-close_fd_mask=3"]
ENVIRONMENT = {"ASAN_OPTIONS": "quarantine_size_mb=16:detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}
# Where files that a target writes and reads back cost least.
FAST = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def targets():
    return sorted(file.stem for file in HERE.glob("*.c") if file.stem not in ("fuzz", "pretend", "replay"))


def build(folder, compiler, names):
    """The targets, in a build folder of their own."""
    folder.mkdir(parents=True, exist_ok=True)
    plus = re.sub(r"clang(-\d+)?$", r"clang++\1", compiler)
    generator = ["-G", "Ninja"] if shutil.which("ninja") and not (folder / "CMakeCache.txt").exists() else []
    commands = [["cmake", "-S", ROOT, "-B", folder, *generator, f"-DCMAKE_C_COMPILER={compiler}",
                 f"-DCMAKE_CXX_COMPILER={plus}", f"-DCMAKE_C_FLAGS={SANITIZE}", f"-DCMAKE_CXX_FLAGS={SANITIZE}",
                 "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g", "-DGFAB_FUZZER=ON"],
                ["cmake", "--build", folder, "--parallel", "2", "--target"] + [f"fuzz_{name}" for name in names]]
    for command in commands:
        # Programs that run in the build, such as the one that embeds files, may leave their memory to the system.
        done = subprocess.run(command, env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"fuzz: {done.stdout}")


def processor_seconds(process):
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Run:
    """One target's run, and what came of it."""

    def __init__(self, work, name, seconds):
        self.name, self.folder, self.faults = name, work / "corpus" / name, work / "faults"
        self.program = work / "clang" / "bin" / f"fuzz_{name}"
        self.log = work / f"{name}.log"
        for folder in (self.folder, self.faults):
            folder.mkdir(parents=True, exist_ok=True)
        for data in corpus.unpack(HERE / "corpus" / f"{name}.txt"):
            (self.folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
        self.before = set(self.faults.glob(f"{name}-*"))
        self.seconds = self.fuzz(seconds)
        text = self.log.read_text(encoding="utf-8", errors="replace")
        covered = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)/", text)
        units = re.search(r"stat::number_of_executed_units: (\d+)", text)
        self.executions = int(units.group(1)) if units else 0
        self.edges, self.features, self.inputs = map(int, covered[-1]) if covered else (0, 0, 0)
        self.found = sorted(set(self.faults.glob(f"{name}-*")) - self.before)

    def fuzz(self, seconds):
        with open(self.log, "w", encoding="utf-8") as log, tempfile.TemporaryDirectory(dir=FAST) as scratch:
            process = subprocess.Popen(
                [self.program, *LIMITS, "-print_final_stats=1", "-max_len=2000", "-reload=0",
                 f"-artifact_prefix={self.faults}/{self.name}-", self.folder], stdout=log, stderr=log, cwd=scratch,
                env=dict(os.environ, TMPDIR=scratch, **ENVIRONMENT))
            used = 0.0
            while process.poll() is None:
                time.sleep(0.5)
                used = max(used, processor_seconds(process))
                if used >= seconds:
                    process.send_signal(signal.SIGUSR1)  # it ends by itself, with its figures
                    process.wait(timeout=60)
            return used


def keep(work, name):
    """Packs a few small inputs that cover every edge that the many do."""
    with tempfile.TemporaryDirectory(dir=FAST) as scratch:
        few = pathlib.Path(scratch, "few")
        few.mkdir()
        subprocess.run([work / "clang" / "bin" / f"fuzz_{name}", *LIMITS, "-merge=1", "-use_counters=0", few,
                        work / "corpus" / name], check=True, cwd=scratch, capture_output=True,
                       env=dict(os.environ, TMPDIR=scratch, **ENVIRONMENT))
        corpus.pack(HERE / "corpus" / f"{name}.txt",
                    sorted((file.read_bytes() for file in few.iterdir()), key=lambda data: (len(data), data)))


def fragment(runs, bug):
    lines = [
        "## Fuzzed inputs", "",
        "Every reader of text or bytes from outside takes what libFuzzer makes of its corpus, under AddressSanitizer",
        "and UndefinedBehaviorSanitizer. What is read well must also keep what the headers promise: written, read back",
        "and written again it is the same; a schedule is verified, a legal ROM is run. `make fuzz MINUTES=8` prints",
        "it.", "",
        "| target | minutes of processor | inputs run | edges covered | inputs kept | at fault |",
        "| --- | --- | --- | --- | --- | --- |"]
    for name, run in runs:
        lines.append(f"| {name} | {run['seconds'] / 60:.1f} | {run['executions']} | {run['edges']} | {run['inputs']} "
                     f"| {run['found']} |")
    total = {key: sum(run[key] for _, run in runs) for key in ("seconds", "executions", "found")}
    lines += [f"| in all | {total['seconds'] / 60:.1f} | {total['executions']} | | | {total['found']} |", "", bug, ""]
    return "\n".join(lines)


def write(trust, runs, bug):
    """Keeps the figures, by target, beside those of earlier runs, and writes the Markdown of all that are there."""
    path = trust / "fuzz.json"
    kept = json.loads(path.read_text(encoding="ascii")) if path.exists() else {}
    for run in runs:
        kept[run.name] = {"seconds": run.seconds, "executions": run.executions, "edges": run.edges,
                          "inputs": run.inputs, "found": len(run.found)}
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="ascii")
    rows = [(name, kept[name]) for name in targets() if name in kept]
    (trust / "fuzz.md").write_text(fragment(rows, bug), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_intermixed_args()
    names = options.targets or targets()
    unknown = sorted(set(names) - set(targets()))
    if unknown:
        parser.error(f"no target {unknown[0]}; there are {', '.join(targets())}")
    compiler = planted.clang()
    if not compiler:
        print("fuzz: skipped: clang with libFuzzer (Debian: clang-14, libclang-rt-14-dev) is not there")
        return 77
    work = options.build.resolve() / "fuzz"
    build(work / "clang", compiler, names)
    runs = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for run in pool.map(lambda name: Run(work, name, 60 * options.minutes), names):
            runs.append(run)
            print(f"{run.name}: {run.executions} inputs in {run.seconds:.0f} s, {run.edges} edges, "
                  f"{run.inputs} inputs kept, {len(run.found)} at fault {' '.join(map(str, run.found))}", flush=True)
            if options.keep and not run.found:
                keep(work, run.name)
    bug = planted.find(options.build.resolve(), compiler, 60)
    print(bug)
    trust = options.build / "trust"
    trust.mkdir(exist_ok=True)
    write(trust, runs, bug)
    return 1 if any(run.found or run.executions == 0 for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
