#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py GOSSIPFAB [--short] [--only TEXT] [--mutant PROGRAM] [--report FILE]: every allocation of a command line fails
once.

Each line below is run fault-free, then once for each of its allocations, which fails (inject.c). Faults are: an abort,
another signal or a run without end; an exit status that is neither the fault-free one nor 2 with a message; at the
fault-free status another standard output or other files; at 2 a file that is neither an input nor whole. --short takes
a few lines and, where there are many, some allocations of each: the first ones, then ever fewer. PROGRAM is planted.c,
built: every kind of fault that it plants must be found. --report writes the figures as Markdown. Exit status: 0, 1
where a fault is found, or a planted one is not."""
import argparse
import collections
import concurrent.futures
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile

SECONDS = 30  # a run's limit; fault-free runs take a fraction of one

# What planted.c does when its allocation fails, and the kind of fault that it is.
MUTANTS = {"none": None, "abort": "abort", "hang": "hang", "status": "status", "silent": "status", "less": "output",
           "wrong-file": "output", "leftover": "leftover"}

# What is run, in a folder of its own that has a schedule s.gfs, a graph g.txt, a CSV s.csv, an XML of MSCCL, s.xml, a
# JSON of SCCL, s.json, a search s.search, all of 2x2 meshes, graphs of SMI and TACCL, smi.json and box.json, a schedule
# past a relay, hub.gfs, a fabric in made, one of s.gfs in mesh, and a block t.txt. A line that begins with ! is refused,
# with exit status 2, without faults, too.
SHORT = [
    "schedule -t mesh:2x2 --port-mode one --prove --proof p",
    "schedule -t cycle:6 --link-mode full --port-mode one --packet-tokens 5 --solver sat --json",
    "schedule -t cycle:6 --link-mode full --port-mode one --packet-tokens 6 --solver colouring -o a.gfs",
    "schedule -t cycle:5 --startup 2 -o a.gfs --json",
    "schedule -t torus:3x3 -f csv",
    "advise -t mesh:2x2 --startup-cycles 4 --json",
    "generate -t mesh:2x2 -o fabric",
    "verify s.gfs --json",
    "simulate -t path:2 --token-bits 8 --link-bits 4 --json",
    "convert s.gfs --to sccl -o a.json",
    "show --schedule s.gfs --html a.html",
    "help --completion bash",
    "generate -t path:2 --force -o made",
]
# Verdicts on inputs that are at fault: they must not be good, whatever fails. race.xml, dead.xml: programs of MSCCL;
# dead.json: a plan for GPUs; faulty.gfs, .csv, .json, .txt: schedules and a certificate; proof: a proof that is none.
FAULTY = [
    "verify - < race.xml",
    "verify dead.json --html a.html",
    "verify faulty.gfs --json",
]
FAULTY_MORE = [
    "verify race.xml --json",
    "verify dead.xml",
    "verify - < dead.json",
    "verify race.json --json",
    "verify race.json --html a.html",
    "verify - < faulty.gfs",
    "verify -t mesh:2x2 faulty.csv",
    "verify faulty.json",
    "verify r.gfs --one-bracket",
    "bound --check c.txt",
    "bound --check faulty.txt",
    "bound --check - < faulty.txt",
    "prove -t path:3 --rounds 1 --check proof",
    "prove -t path:3 --rounds 1 --check proved",
    "convert faulty.gfs --to csv -o a.csv",
    "convert race.xml -o a.gfs",
    "run dead.json -o a.bin",
    "show --schedule faulty.gfs --json",
    "simulate --schedule faulty.gfs --token-bits 8 --link-bits 2",
    "generate --schedule faulty.gfs -o fabric",
    "replan faulty.gfs +drop-link=0-1 -o a.gfs",
    "reroute faulty.gfs +drop-link=0-1 -o mesh",
]
SHORT += FAULTY
LINES = SHORT + [
    "schedule -t mesh:2x3 --json",
    "schedule -t mesh:3x3 -o a.gfs",
    "schedule -t star:3 --port-mode one -o a.gfs --json",
    "schedule -t cycle:6 --link-mode full --port-mode one --packet-tokens 5 --solver sat -o a.gfs",
    "schedule -t path:4 --link-mode full --port-mode one --packet-tokens 4 --solver exhaustive --json",
    "schedule -t cycle:6 --link-mode full --port-mode one --solver matching --effort 1 -o a.gfs",
    "schedule -t path:3 --broadcast-from all --json",
    "schedule -t path:3 --collective all-reduce --solver reversed -o a.gfs",
    "schedule -t cycle:3 --collective all-reduce --blocks 13 --solver joined -o a.gfs",
    "schedule -t cycle:160 --link-mode full --solver out-trees -o a.gfs",
    "schedule -t cycle:5+weight=0-1:3/1+relay=2 -c all-reduce --blocks 40 --solver in-out-trees -o a.gfs",
    "schedule -t path:3 --load 2,0,1 --link-mode full --port-mode one --packet-tokens 3 --solver matching --effort 1"
    " -o a.gfs",
    "schedule -t path:2 --collective all-gather --blocks 4 --json",
    "schedule -t path:3 --collective barrier --solver flood --effort 2 --json",
    "schedule -t torus:3x3 --collective all-to-all --link-mode full -o a.gfs",
    "schedule -t mesh:2x3 --collective all-to-all --json",
    "schedule -t star:3 --collective all-to-all --effort 2 -f csv",
    "schedule -t mesh:2x3+relay=1 --collective all-reduce -o a.gfs",
    "schedule -t path:4+weight=1-2:3+members=0-2 --link-mode full --json",
    "schedule -t torus:3x3 --solver torus-tree --solver-options keep=tree -o a.gfs",
    "schedule -t shuffle-exchange:3 --link-mode full --port-mode one --packet-tokens 8 --solver sat --rounds 5"
    " --solver-options symmetry=complement,mirror=complement-reversal,exchange=odd -o a.gfs",
    "schedule -t file:g.txt --solver greedy -o a.gfs",
    "schedule -t file:g.txt --collective all-to-all --json",
    "schedule -t mesh:2x2 --broadcast-from 0 --link-mode full --port-mode one --json",
    "search -t cycle:5 --link-mode full --port-mode one --packet-tokens 5 -s anneal --items 2 --checkpoint c -o a.gfs",
    "search -t mesh:2x3 -s search --items 2 --rounds 5 --shard 1/2 --json",
    "merge s.search s.search --checkpoint c -o a.gfs",
    "bound -t mesh:4x4 --json",
    "bound -t cycle:5 --startup 2",
    "verify --topology mesh:2x2 s.csv",
    "show --schedule s.gfs --json",
    "show --schedule s.gfs --svg a.svg",
    "show -t mesh:2x3 --svg a.svg --style rounds",
    "show -t mesh:2x3 --rom 1",
    # Of boards it compiles every size that they might hold: hundreds of thousands of allocations, those of generate.
    "list topologies --json",
    "list collectives --json",
    "list solvers --json",
    "list formats --json",
    "simulate -t torus:3x3 --token-bits 8 --link-bits 8 --json",
    "simulate --schedule s.gfs --token-bits 8 --link-bits 4 --trace t.csv --vcd t.vcd",
    "generate --schedule s.gfs -o fabric --json",
    "generate -t mesh:2x2 --board hx8k -o fabric",
    "generate -t torus:3x3 --token-bits 8 --link-bits 8 -o fabric",
    "generate -t mesh:2x2 --chips 1x2 --link-latency 2 --gap 4 -o fabric",
    "generate -t cycle:4 --link-mode full --routing circuit --packet-tokens 2 --startup 3 -o fabric",
    "advise -t path:3 --startup-cycles 2 --sweep length --from 4 --to 64 --svg a.svg --csv a.csv",
    "table optimal --max-n 3 -f csv",
    "table optimal --max-n 2 --json",
    "table collectives -t path:3 --blocks 1,4 --svg a.svg -f csv",
    "convert s.gfs --to msccl -o a.xml --json",
    "convert s.gfs --to chakra --bytes 8 -o chakra",
    "convert s.xml -t mesh:2x2 -o a.gfs",
    "convert s.csv -t mesh:2x2 --to graphviz -o a.dot",
    "convert s.gfs --to graphml -o a.graphml",
    "convert s.gfs --to mscclpp -o a.json",
    "convert s.gfs --to c-plan -o c-plan",
    "convert s.gfs --to msccl-apart -o a.xml",
    "convert hub.gfs --to mscclpp --multicast -o a.json",
    "convert hub.gfs --to chakra --bytes 8 -o past",
    "verify plan.json --json",
    "run plan.json -o a.bin",
    "show -t path:3 --collective all-reduce --html a.html",
    "show -t path:3 --collective all-reduce --animate a.svg",
    "simulate -t path:3 --collective all-reduce --token-bits 8 --link-bits 2 --json",
    "generate -t path:3 --collective all-to-all --store narrow --token-bits 8 --link-bits 2 -o fabric",
    "simulate -t path:3+relay=1 --collective all-reduce --operator sum --token-bits 8 --link-bits 2 --json",
    "simulate -t path:3 --store wide --collective all-reduce --operator bfloat16 --token-bits 16 --link-bits 16 --json",
    "simulate path:2 --collective all-reduce --stream --token-bits 8 --link-bits 8 --beats 2 --json",
    "generate -t path:2 --token-bits 8 --link-bits 2 --registers wishbone -o fabric",
    "generate -t path:2 --registers axi-lite --protect detect -o fabric",
    "generate -t path:2 --axi overlap --name core -o fabric",
    "generate -t path:2 --collective all-gather,all-reduce --operator all -o fabric",
    "generate -t path:2 --store wide --token-bits 8 --link-bits 8 --collective all-gather,all-reduce -o fabric",
    "generate -t path:2 --board hx8k --host uart -o fabric",
    "help --completion zsh",
    "help schedule --man",
    "generate -t path:2 --link-mode full --chips 1 --clocks own --link-latency 12 -o fabric",
    "! board load t.txt --port none",
    "convert s.json -o a.gfs",
    "schedule -t file:smi.json",
    "schedule -t file:box.json",
    "reroute s.gfs +drop-link=0-1 --rom-rounds 8 --frame absolute -o mesh",
] + FAULTY_MORE


class Box:
    """A folder with the inputs, as it was before each run: what a run changes is put back, and no other file is read."""

    def __init__(self, inputs, left_out, folder):
        shutil.copytree(inputs, folder, ignore=lambda path, names: left_out if path == inputs else set())
        self.folder, self.known = folder, {}
        self.before = self.contents()

    def contents(self):
        """Every file's bytes by its path; of a folder None. What is as it was when it was last read is not read again."""
        found = {}
        for base, folders, files in os.walk(self.folder):
            for name in folders:
                found[os.path.relpath(os.path.join(base, name), self.folder)] = None
            for name in files:
                path = os.path.join(base, name)
                inside = os.path.relpath(path, self.folder)
                state = os.stat(path)
                state = (state.st_ino, state.st_mtime_ns, state.st_ctime_ns, state.st_size)
                if self.known.get(inside, (None,))[0] != state:
                    with open(path, "rb") as file:
                        self.known[inside] = (state, file.read())
                found[inside] = self.known[inside][1]
        return found

    def restore(self, found):
        for inside in sorted(found.keys() - self.before.keys(), reverse=True):  # what is in a folder before the folder
            path = os.path.join(self.folder, inside)
            os.rmdir(path) if found[inside] is None else os.remove(path)
        for inside, data in sorted(self.before.items()):
            if inside in found and found[inside] == data:
                continue
            path = os.path.join(self.folder, inside)
            if data is None:
                os.mkdir(path)
            else:
                with open(path, "wb") as file:
                    file.write(data)
                os.utime(path, ns=(0, 0))  # a write in the same tick of the clock is seen, too


class Line:
    def __init__(self, program, library, inputs, line, seconds=SECONDS):
        self.program, self.library, self.line = program, library, line.removeprefix("! ")
        self.line, _, self.read = self.line.partition(" < ")
        self.seconds = seconds
        # Of the folders among the inputs a line gets those that it names.
        left_out = {name for name in os.listdir(inputs)
                    if os.path.isdir(os.path.join(inputs, name)) and name not in self.line.split()}
        self.boxes = tempfile.TemporaryDirectory(prefix="gossipfab-inject-")
        self.free = queue.SimpleQueue()  # a box for each run at a time
        for number in range(os.cpu_count()):
            box = Box(inputs, left_out, os.path.join(self.boxes.name, str(number)))
            self.before = box.before  # of all boxes the same
            self.free.put(box)
        with tempfile.NamedTemporaryFile() as counter:
            self.status, self.output, self.files, errors = self.run({"INJECT_COUNT": counter.name})
            if self.status not in ((2,) if line.startswith("!") else (0, 1)):
                sys.exit(f"inject: {line}: fault-free exit status {self.status}: {errors.decode()}")
            self.count = int(counter.read())

    def run(self, variables):
        box = self.free.get()
        environment = dict(os.environ, LD_PRELOAD=self.library, LC_ALL="C", **variables)
        with open(os.path.join(box.folder, self.read) if self.read else os.devnull, "rb") as read:
            try:
                done = subprocess.run([self.program] + self.line.split(), cwd=box.folder, env=environment, stdin=read,
                                      capture_output=True, timeout=self.seconds)
                made = done.returncode, done.stdout, box.contents(), done.stderr
            except subprocess.TimeoutExpired:
                made = None, b"", box.contents(), b""
        box.restore(made[2])
        self.free.put(box)
        return made

    def fault(self, number):
        """The kind of fault when allocation `number` fails, and what was seen; None for none."""
        status, output, files, errors = self.run({"INJECT_FAIL": str(number)})
        message = errors.decode(errors="replace").strip()[-150:]
        if status is None:
            return "hang", f"not done in {self.seconds} s"
        if status < 0:
            return "abort", f"signal {-status} {message}"
        if status == self.status != 2:
            if output != self.output:
                return "output", "standard output differs"
            changed = sorted(name for name in files.keys() | self.files.keys()
                             if name not in files or files[name] != self.files.get(name, b""))
            return ("output", "files differ: " + " ".join(changed)[:200]) if changed else None
        if status != 2:
            return "status", f"exit status {status} {message}"
        left = sorted(name for name, data in files.items()
                      if name not in self.before and (name not in self.files or self.files[name] != data))
        if left:
            return "leftover", " ".join(left)[:200]
        return None if message else ("status", "exit status 2 without a message")


def sample(count):
    """Some of 1..count: all up to 128; else all of the first 10, then steps of a quarter, but never above a 16th of all."""
    if count <= 128:
        return range(1, count + 1)
    numbers, number = [], 1
    while number <= count:
        numbers.append(number)
        number += 1 if number < 10 else max(1, min(number // 4, count // 16))
    return numbers


def kinds_found(program, library, inputs):
    """The kinds of fault found in planted.c, by what it was asked for."""
    found = {}
    for mutant in MUTANTS:
        line = Line(program, library, inputs, mutant, 2)
        faults = filter(None, map(line.fault, range(1, line.count + 1)))
        found[mutant] = next((kind for kind, _ in faults), None)
    return found


def make_faulty(program, inputs):
    """The inputs of FAULTY: what is right, with one thing changed."""
    for words in ("bound -t mesh:2x2 --certificate c.txt", "prove -t path:3 --rounds 1 --cubes 1 -o proof",
                  "prove -t path:3 --rounds 1 --cubes 1 -o proved"):
        subprocess.run([program, *words.split()], cwd=inputs, check=True, stdout=subprocess.DEVNULL)
    here = os.path.dirname(os.path.abspath(__file__))
    shutil.copy(os.path.join(here, "../../extras/formats/tests/pairs-allreduce.xml"), os.path.join(inputs, "pairs.xml"))
    for source, old, new, name in (
            ("s.gfs", "2 3:0", "2 3:2", "faulty.gfs"), ("s.csv", "3,2,3,0", "3,2,3,2", "faulty.csv"),
            ("s.json", r"\[0,2,3\]", "[2,2,3]", "faulty.json"), ("c.txt", r"demand \d+", "demand 77", "faulty.txt"),
            ("plan.json", '"signal"', '"nop"', "dead.json"), ("plan.json", r'\{"name":\s*"wait"[^}]*\},?', "", "race.json"),
            ("pairs.xml", 'depid="2" deps="1"', 'depid="-1" deps="-1"', "race.xml"),
            ("pairs.xml", 'depid="1" deps="1"', 'depid="1" deps="2"', "dead.xml"),
            ("proof/cube-1.drat", r"^0\n$", "1 0\n", "proof/cube-1.drat")):
        with open(os.path.join(inputs, source), encoding="ascii") as file:
            text = file.read()
        changed = re.sub(old, new, text, count=1)
        if changed == text:
            sys.exit(f"inject: {source} has no {old} to make {name} of")
        with open(os.path.join(inputs, name), "w", encoding="ascii") as file:
            file.write(changed)


def write_report(path, rows, totals):
    """The figures as a section of Markdown; a row is (line, allocations, failed, faults)."""
    kinds = [kind for kind in MUTANTS.values() if kind]
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(f"""## Memory that runs out

Every allocation of a command fails once, also those in the libraries that it uses. Then there must be a line that says
so and exit status 2, or the right output; never an abort, a hang, a file that is not whole, or other output at exit
status 0.

<!-- docs: skip minutes to hours: tests run their short forms -->
    make inject

| command | allocations | failed | faults |
| --- | --- | --- | --- |
""")
        for line, count, failed, faults in rows:
            file.write(f"| `{line}` | {count} | {failed} | {faults} |\n")
        file.write(f"| {len(rows)} commands | {sum(row[1] for row in rows)} | {sum(row[2] for row in rows)} | "
                   f"{sum(totals.values())} |\n\n")
        file.write(f"No fault is waived. A program with {len(kinds)} wrong ways planted (it aborts, hangs, says nothing, "
                   f"prints less,\n...) is found out in each of them.\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--most", type=int, default=sys.maxsize, help="of lines with more allocations a sample")
    parser.add_argument("--only", help="lines with this text")
    parser.add_argument("--mutant", help="planted.c, built")
    parser.add_argument("--report", help="a Markdown file to write")
    parser.add_argument("--library", help="inject.c, built; it is built with cc where this is not given")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    totals, rows = collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="gossipfab-inject-") as folder:
        library = os.path.abspath(options.library) if options.library else os.path.join(folder, "inject.so")
        if not options.library:
            source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inject.c")
            subprocess.run(["cc", "-std=c17", "-O1", "-fPIC", "-shared", "-o", library, source], check=True)
        inputs = os.path.join(folder, "inputs")
        os.mkdir(inputs)
        with open(os.path.join(inputs, "g.txt"), "w", encoding="ascii") as file:
            file.write("0 1\n1 2\n2 3\n3 0\n")
        with open(os.path.join(inputs, "t.txt"), "w", encoding="ascii") as file:
            file.write("0 0 1\n")
        with open(os.path.join(inputs, "smi.json"), "w", encoding="ascii") as file:
            file.write('{"fpgas": {"node-0.rack-1": "", "node-0.rack-12": "", "node-1.rack-123": "", "n-1.rack-1": ""},'
                       '"connections": {"node-0.rack-1:ch0": "node-0.rack-12:ch0", '
                       '"node-0.rack-12:ch1": "node-1.rack-123:ch1", "node-1.rack-123:ch2": "n-1.rack-1:ch3"}}')
        with open(os.path.join(inputs, "box.json"), "w", encoding="ascii") as file:
            file.write('{"gpus_per_node": 2, "links": [[0, 1], [1, 0]], "betas": [[0, 2], [3, 0]]}')
        for words in ("schedule -t graph:4:0-3,1-3,2-3+relay=3 --link-mode full -o hub.gfs",
                      "schedule -t mesh:2x2 -o s.gfs", "schedule -t mesh:2x2 -f csv -o s.csv",
                      "convert s.gfs --to msccl -o s.xml", "convert s.gfs --to sccl -o s.json",
                      "schedule -t path:2 -c all-reduce -o r.gfs", "convert r.gfs --to mscclpp -o plan.json",
                      "search -t mesh:2x2 -s search --items 1 --checkpoint s.search", "generate -t path:2 -o made",
                      "generate --schedule s.gfs --rom-rounds 8 --frame absolute -o mesh"):
            subprocess.run([program, *words.split()], cwd=inputs, check=True, stdout=subprocess.DEVNULL)
        make_faulty(program, inputs)
        if options.mutant:
            found = kinds_found(os.path.abspath(options.mutant), library, inputs)
            if found != MUTANTS:
                sys.exit(f"inject: mutants: {found} found, {MUTANTS} planted")
        lines = SHORT if options.short else LINES
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for text in lines:
                if options.only and options.only not in text:
                    continue
                line = Line(program, library, inputs, text)
                numbers = sample(line.count) if options.short or line.count > options.most else range(1, line.count + 1)
                found = collections.defaultdict(list)
                for number, fault in zip(numbers, pool.map(line.fault, numbers)):
                    if fault:
                        found[fault].append(number)
                        totals[fault[0]] += 1
                rows.append((text, line.count, len(numbers), sum(map(len, found.values()))))
                print(f"{text}: {line.count} allocations, {len(numbers)} failed, "
                      f"{rows[-1][3]} faults", flush=True)
                for (kind, seen), where in sorted(found.items()):
                    print(f"    {kind} at {len(where)}, first {where[0]}: {seen}", flush=True)
    if options.report:
        write_report(options.report, rows, totals)
    print(f"inject: {sum(row[2] for row in rows)} runs: " + ", ".join(f"{totals[kind]} {kind}" for kind in
                                               ("abort", "hang", "status", "output", "leftover")))
    return 1 if totals else 0


if __name__ == "__main__":
    sys.exit(main())
