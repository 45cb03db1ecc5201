#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""inputs_test.py GOSSIPFAB ROOT: what a command says of an input is not a matter of what the input is called.

Every kind of input that a command reads is given by its name, as standard input, as a FIFO and as /dev/fd/N, which is
what <( ) of a shell gives, a FIFO one byte at a time; then with a byte order mark, with lines that end in CR LF, and with
both. Exit status, standard output and the line on standard error must be the same, but for the name. All bad inputs of
tests/reject are given by name and as standard input."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

PROGRAM, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
MARK = b"\xef\xbb\xbf"

# What is made first, in the test's folder.
MADE = ["schedule -t mesh:2x2 -o s.gfs", "schedule -t mesh:2x2 -f csv -o s.csv", "convert s.gfs --to msccl -o s.xml",
        "convert s.gfs --to sccl -o s.json", "convert s.gfs --to graphml -o g.graphml", "convert s.gfs --to smi -o g.json",
        "schedule -t path:2 -c all-reduce -o r.gfs", "convert r.gfs --to mscclpp -o plan.json",
        "bound -t mesh:2x2 --certificate c.txt", "search -t mesh:2x2 -s search --items 1 --checkpoint s.search"]

# Of a file that was made, another one: (file, from, to, name).
CHANGED = [("s.gfs", b"2 3:0", b"2 3:2", "faulty.gfs"), ("s.gfs", b"round 1", b"round 0", "broken.gfs"),
           ("s.csv", b"3,2,3,0", b"3,2,3,2", "faulty.csv"),
           ("s.json", rb"\[0,2,3\]", b"[2,2,3]", "faulty.json"),
           ("c.txt", rb"demand \d+", b"demand 77", "faulty.txt"), ("c.txt", b"capacity", b"room", "broken.txt"),
           ("s.search", b"settled 1", b"settled 9", "broken.search"),
           ("plan.json", rb'\{"name":\s*"wait"[^}]*\},?', b"", "race.json"),
           ("plan.json", rb'"signal"', b'"nop"', "dead.json")]

# Inputs of texts that are written here.
WRITTEN = {"g.txt": "0 1\n1 2 # a comment\n2 0\n", "g.gml": "graph [\n node [ id 1 ]\n node [ id 2 ]\n"
           " edge [ source 1 target 2 ]\n]\n", "i.gml": "Creator \"a tool\"\nVersion 1\ngraph\n[\n node [ id 1 ]\n"
           " node [ id 2 ]\n edge [ source 1 target 2 ]\n]\n",
           "star.metis": "4 3\n2 3 4\n1\n1\n1\n", "ring.metis": "4 4\n2 4\n1 3\n2 4\n1 3\n",
           "remark.metis": "% a ring\n3 3 001\n2 1 3 1\n1 1 3 1\n1 1 2 1\n", "g.dot": "graph { a -- b\n b -- c }\n",
           "g.anynet": "router 0 router 1\nrouter 1 node 0\nrouter 0 node 1\n",
           "g.yml": "topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n",
           "empty": "", "blank": "\n", "bracket.txt": "((n0+n1)+\nn2)\n", "measured.csv": "x,solver,mode,time\n"}

# A command for each kind of input; @ is the input.
LINES = [f"verify @{name}" for name in ("s.gfs", "faulty.gfs", "broken.gfs", "s.xml", "race.xml", "dead.xml", "s.json",
                                        "faulty.json", "plan.json", "race.json", "dead.json", "empty", "blank")] + [
    "verify -t mesh:2x2 @s.csv", "verify -t mesh:2x2 @faulty.csv", "verify @s.csv", "verify @race.xml --json",
    "verify @race.json --json", "convert @s.gfs --to csv", "convert @s.xml", "convert @s.json", "convert @race.xml",
    "convert @plan.json --to mscclpp", "convert @dead.json", "run @plan.json", "run @dead.json", "run @s.gfs",
    "show --schedule @s.gfs", "show --schedule @faulty.gfs", "simulate --schedule @s.gfs --token-bits 8 --link-bits 2",
    "simulate --schedule @faulty.gfs --token-bits 8 --link-bits 2", "replan @s.gfs +weight=0-1:2", "replan @faulty.gfs +drop-link=0-1",
    "bound --check @c.txt", "bound --check @faulty.txt", "bound --check @broken.txt", "bound --check @empty", "merge @s.search",
    "merge @broken.search", "merge @empty", "schedule -t path:3 -c all-reduce --bracket @bracket.txt",
    "advise -t cycle:4 --startup-cycles 9 --sweep length --svg a.svg --run-nodes 1 --measured @measured.csv"] + [
    f"bound -t file:@{name}" for name in ("g.graphml", "g.json", "empty", "blank") + tuple(
        name for name in WRITTEN if name.startswith(("g.", "i.")) or name.endswith(".metis"))]


def run(words, data=None, **how):
    given = {"stdin": subprocess.DEVNULL} if data is None else {"input": data}
    try:
        done = subprocess.run([PROGRAM, *words], capture_output=True, timeout=60, **given, **how)
    except subprocess.TimeoutExpired:
        return None, "", "it does not end"
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def hand_out(path, data, pieces):
    """Writes data to a FIFO, a few bytes at a time; the reader may end early."""
    try:
        with open(path, "wb", buffering=0) as file:
            for at in range(0, len(data), pieces):
                file.write(data[at:at + pieces])
    except BrokenPipeError:
        pass


class Case:
    def __init__(self, line):
        words = line.split()
        self.line, self.at = line, next(i for i, word in enumerate(words) if "@" in word)
        self.before, self.name = words[self.at].split("@")
        self.words = words

    def call(self, name, data=None, **how):
        words = self.words[:self.at] + [self.before + name] + self.words[self.at + 1:]
        status, output, error = run(words, data, **how)
        base = name.rsplit("/", 1)[-1]
        for old, new in ((f"file:{name}", "file:NAME"), (f"file:{base}", "file:NAME"), ("standard input", "NAME"),
                         (f"'{name}'", "'NAME'"), (f": {name}:", ": NAME:")):
            output, error = output.replace(old, new), error.replace(old, new)
        if status not in (0, 1, 2) or (status == 2) != (output == "" and len(error.splitlines()) == 1):
            return status, output, error + "(that is neither a verdict nor one line)"
        return status, output, error

    def ways(self, data, by_pipes):
        """What comes of every way to give these bytes, by the way's name."""
        yield "-", self.call("-", data)
        if not by_pipes:
            return
        fifo = f"fifo.{os.getpid()}"
        os.mkfifo(fifo)
        writer = threading.Thread(target=hand_out, args=(fifo, data, 1), daemon=True)
        writer.start()
        yield "a FIFO", self.call(fifo)
        open(os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), "rb").close()  # where it was not opened
        os.unlink(fifo)
        read, write = os.pipe()
        writer = threading.Thread(target=hand_out, args=(write, data, 4096), daemon=True)
        writer.start()
        yield "<( )", self.call(f"/dev/fd/{read}", pass_fds=(read,))
        os.close(read)

    def faults(self, by_pipes=True):
        data = pathlib.Path(self.name).read_bytes()
        wanted = self.call(self.name)
        for way, got in self.ways(data, by_pipes):
            if got != wanted:
                yield f"{self.line}: by {way} {got}, by name {wanted}"
        for kind, other in (("a byte order mark", MARK + data), ("CR LF", re.sub(rb"\r?\n", b"\r\n", data)),
                            ("both", MARK + re.sub(rb"\r?\n", b"\r\n", data))):
            got = self.call("-", other)
            if other != data and got != wanted and by_pipes:
                yield f"{self.line}: with {kind} {got}, without {wanted}"


def prepare():
    for line in MADE:
        status, _, error = run(line.split())
        if status != 0:
            sys.exit(f"inputs: {line}: {error}")
    for source, old, new, name in CHANGED:
        data = pathlib.Path(source).read_bytes()
        changed = re.sub(old, new, data, count=1)
        if changed == data:
            sys.exit(f"inputs: {source} has no {old} to make {name} of")
        pathlib.Path(name).write_bytes(changed)
    for name, text in WRITTEN.items():
        pathlib.Path(name).write_text(text, encoding="ascii")
    program = (ROOT / "extras/formats/tests/pairs-allreduce.xml").read_text(encoding="ascii")
    for name, old, new in (("race.xml", 'depid="2" deps="1"', 'depid="-1" deps="-1"'),
                           ("dead.xml", 'depid="1" deps="1"', 'depid="1" deps="2"')):
        if old not in program:
            sys.exit(f"inputs: pairs-allreduce.xml has no {old}")
        pathlib.Path(name).write_text(program.replace(old, new, 1), encoding="ascii")


def rejected():
    """A command for each bad input of tests/reject."""
    for file in sorted((ROOT / "tests/reject").rglob("*")):
        if file.is_file():
            yield Case(f"bound -t file:@{file}" if file.parent.name == "graphs" else
                       f"verify -t mesh:2x2 @{file}" if file.suffix == ".csv" else f"verify @{file}")


def main():
    with tempfile.TemporaryDirectory(prefix="gossipfab-inputs-") as folder:
        os.chdir(folder)
        prepare()
        faults, statuses = [], {0: 0, 1: 0, 2: 0}
        cases = [Case(line) for line in LINES]
        for case in cases:
            faults += case.faults()
            statuses[case.call(case.name)[0]] += 1
        others = list(rejected())
        for case in others:
            faults += case.faults(by_pipes=False)
        for fault in faults:
            print(f"inputs: {fault}", file=sys.stderr)
        print(f"inputs: {len(cases)} commands, {statuses[0]} good, {statuses[1]} faulty, {statuses[2]} refused, and "
              f"{len(others)} bad inputs: {len(faults)} faults")
        os.chdir("/")
        return 1 if faults or min(statuses.values()) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
