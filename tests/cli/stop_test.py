#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stop_test.py GOSSIPFAB [--large]: long commands get a SIGINT at several moments.

Each must end within a second or so of processor time, with exit status 130 and one line, without a file left behind
and, tables aside, with nothing on standard output. Moments, too, are in seconds of processor time, so that a machine
with much else to do is no fault. The limit is four seconds, and one for commands that compute where they do not ask,
which half a second ends; what was needed at most is printed. First two mutants are stopped: one that takes no notice,
one that leaves a file. stop_waiting.py has the commands that take no processor time, since they wait. A line that
begins with paper_tables is of that program, which stands beside GOSSIPFAB."""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import stop_waiting

LIMIT = 4.0  # seconds of processor time after the signal
SHORT_LIMIT = 1.0  # of the commands in SHORT
TABLES = ("table ", "paper_tables ")  # how a line of one begins
TABLE_HEAD = 3  # lines of a CSV table: its head and two rows at least

CASES = [
    ("simulate -t mesh:48x48 --trace t.csv", (0.3, 1)),
    ("generate -t mesh:48x48 -o fabric", (1.5,)),
    ("schedule -t complete:1500 -o a.gfs", (0.5,)),
    ("table optimal --max-n 64 --format csv", (1,)),
]
# What took longer than a second to stop. Where one is done before it would be ended, that is no fault.
SHORT = [
    ("list boards", (0.1,)),
    ("bound -t path:16777216", (0.1,)),
    ("schedule -t path:16777216", (0.1,)),
    ("bound -t random:n=3000000,m=6000000,seed=1", (0.3, 1)),
    ("convert s.gfs --to sccl -o a.json", (0.3, 1)),
]
LARGE = CASES + [
    ("simulate -t mesh:48x48 --trace t.csv", (2,)),
    ("generate -t mesh:48x48 -o fabric", (3,)),
    ("schedule -t complete:1500 -o a.gfs", (1.5,)),
    ("simulate -t mesh:64x64", (0.3, 1, 2, 4, 5, 6, 7, 8)),
    ("generate -t mesh:64x64 -o fabric", (4, 6, 7, 8, 9, 10)),
    ("schedule -t mesh:64x64 -o a.gfs", (0.3, 1, 2, 3, 4)),
    ("schedule -t mesh:64x64 --solver search", (0.3, 1, 2, 4)),
    ("schedule -t complete:3000 -o a.gfs", (0.3, 1, 2, 4)),
    ("schedule -t hypercube:11 --solver greedy -o a.gfs", (0.3, 1, 2, 4)),
    ("schedule -t ccc:8 --hop-rounds 3 -o a.gfs", (0.3, 1, 2, 4)),
    ("verify s.gfs", (0.1, 0.2, 0.4)),
    ("paper_tables lau-zhang --max-n 64 --format csv", (1, 3)),
    ("paper_tables cubgo --sides 9,101,201 --format csv", (0.4,)),
]


def arguments_of(program, line):
    """The words that run a line."""
    words = line.split()
    if words[0] == "paper_tables":
        return [os.path.join(os.path.dirname(program), words[0])] + words[1:]
    return [program] + words


def cpu_seconds(pid):
    """Of a process that has not been waited for, dead or alive."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), fields[0] == "Z"


def stop(argv, moment, folder, limit):
    """Seconds needed, exit status, standard output, standard error; None where it is done before the moment."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        sent = None
        while True:
            seconds, done = cpu_seconds(process.pid)
            if done:
                break
            if sent is None and seconds >= moment:
                sent = seconds
                process.send_signal(signal.SIGINT)
            if sent is not None and seconds > sent + limit:
                process.kill()
                break
            time.sleep(0.005)
        status = process.wait()
        output.seek(0)
        errors.seek(0)
        return None if sent is None else (seconds - sent, status, output.read(), errors.read())


def fault(found, before, folder, is_table, limit, may_end=False):
    """What is wrong, or None."""
    seconds, status, output, errors = found
    left = sorted(set(os.listdir(folder)) - before)
    if seconds > limit:
        return f"not done {limit} s after the signal"
    if may_end and status in (0, 2):
        return None
    if status != 130:
        return f"exit status {status}"
    if left:
        return "left behind: " + " ".join(left)
    if errors.count(b"\n") != 1 or b"interrupted" not in errors:
        return f"standard error: {errors.decode(errors='replace')}"
    if is_table and output.count(b"\n") < TABLE_HEAD:
        return "no rows are kept"
    return f"{len(output)} bytes on standard output" if output and not is_table else None


def check_mutants(folder):
    """Both must be found out."""
    mutants = {"not done": "trap '' INT; while :; do :; done",
               "left behind": "trap 'echo interrupted >&2; exit 130' INT; : >left; while :; do :; done"}
    for expected, script in mutants.items():
        box = os.path.join(folder, "mutant")
        os.mkdir(box)
        seen = fault(stop(["bash", "-c", script], 0.1, box, 0.5), set(), box, False, 0.5)
        if not seen or not seen.startswith(expected):
            sys.exit(f"stop: the mutant that is {expected}: {seen}")
        shutil.rmtree(box)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--large", action="store_true", help="more commands, larger ones")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    faults, most = 0, 0.0
    with tempfile.TemporaryDirectory(prefix="gossipfab-stop-") as folder:
        check_mutants(folder)
        inputs = os.path.join(folder, "inputs")
        os.mkdir(inputs)
        subprocess.run([program, "schedule", "-t", "mesh:64x64" if options.large else "mesh:48x48", "-o", "s.gfs"],
                       cwd=inputs, check=True, stdout=subprocess.DEVNULL)
        before = set(os.listdir(inputs))
        for line, moments in (LARGE if options.large else CASES) + SHORT:
            stopped, may_end = 0, (line, moments) in SHORT
            limit = SHORT_LIMIT if may_end else LIMIT
            for moment in moments:
                found = stop(arguments_of(program, line), moment, inputs, limit)
                wrong = found and fault(found, before, inputs, line.startswith(TABLES), limit, may_end)
                if wrong:
                    faults += 1
                    print(f"stop: {line}, at {moment} s: {wrong}")
                for name in set(os.listdir(inputs)) - before:
                    path = os.path.join(inputs, name)
                    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
                if not found:
                    break
                stopped += 1
                most = max(most, found[0])
            if not stopped:
                faults += 1
                print(f"stop: {line}: done before {moments[0]} s; nothing is tested")
            print(f"{line}: stopped at {stopped} of {len(moments)} moments", flush=True)
    faults += stop_waiting.check(program, options.large)
    print(f"stop: {faults} faults; of those that compute at most {most:.2f} s of processor time after the signal")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
