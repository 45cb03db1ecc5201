#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py GOSSIPFAB LOCKSTEP [--runs N] [--icarus N] [--seed S] [--jobs J] [--work DIR] [--only N].. [--short]
    [--mutants]

Streams of random lengths through many generated fabrics, by tb_stream.v: every beat by arithmetic, none lost, none
doubled. LOCKSTEP is stream_lockstep, the C model beside the RTL in every cycle, stalls too.
A run gives vectors of 1 to 100,000 beats in all. Hosts pause at random, some for long, one for up to 10,000 cycles once;
in the last runs of a fabric one never comes, and of a word a cycle one gives a beat less: the time limit must name it
alone. The runs are shared out evenly, 1,000 in Verilator over 44 fabrics; 100 more in Icarus have 1,000 beats at most.
Graphs, roots, lengths and pauses are drawn by --seed.
--only N: of the fabrics those of numbers N alone. --short: two fabrics in Icarus, a few runs, and their mutants.
--mutants: each fabric gets a fault in its RTL, and must fail; other files have other faults in turn. Exit status: 0, 1
where a run fails or a mutant passes, 77 where a tool is missing."""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

MOST = 100000  # beats of a run
MOST_ICARUS = 1000
NEVER, SHORTER = 4, 6  # of +pauses
TRACE_BITS = 8192  # as in tb_stream.v

# Topology, collective, operator, bits of a token and of a link, options. ROOT is any node, GRAPHn a random graph of n;
# 60 flits fit nodes of any number of lanes up to 6, a host's included.
FABRICS = """
path:2 all-reduce float32 32 32 --operator-latency 0 --protect detect; path:3 broadcast - 16 16; path:5 reduce min 32 32
cycle:3 all-reduce xor 1 1 --store wide; cycle:5 reduce bfloat16 32 32 --root ROOT --link-mode half; cycle:7 reduce sum 9 9 --root ROOT
mesh:2x2 all-reduce max 16 16 --protect detect; mesh:2x3 all-reduce saturated 5 5; mesh:3x3 reduce umax 32 32 --root ROOT
mesh:3x4 all-gather - 32 32 --protect detect; mesh:4x4 broadcast - 64 64 --host-words 2; mesh:4x4 reduce or 32 32 --root ROOT --link-mode half
mesh:4x4 all-reduce float32 32 32 --operator-latency 5; torus:4x4 all-reduce sum 32 32; hypercube:3 all-gather - 12 12
torus:3x3 broadcast - 8 8 --root ROOT --host-words 3 --protect detect; torus:3x3 all-reduce bfloat16 16 16 --operator-latency 3
complete:5 reduce float32 32 32 --host-words 4; mesh:5x7 all-reduce bfloat16 16 16; GRAPH6 all-reduce float32 64 64
GRAPH9 reduce float32 32 32 --root ROOT --operator-latency 5; mesh:2x3+relay=1 all-reduce saturated 16 16
torus:4x4 all-reduce sum 32 32 --link-mode half; mesh:2x3 all-gather - 12 12 --link-mode half
GRAPH8 all-reduce max 16 16 --link-mode half; mesh:3x3 all-reduce sum 1 1 --link-mode half --protect detect
path:3 all-reduce sum 12 2 --protect detect; path:4 broadcast - 15 1 --root ROOT; path:4 reduce and 30 2 --link-latency 3
cycle:5 broadcast - 15 1 --link-latency 1 --root ROOT --protect detect; cycle:6 all-reduce xor 18 2; mesh:2x2 all-reduce sum 18 2
mesh:2x3 reduce sum 24 2 --root ROOT --protect detect; mesh:3x3 all-reduce or 40 2 --link-latency 2; mesh:4x4 all-reduce sum 20 2
mesh:4x4 broadcast - 40 4 --root ROOT; torus:3x3 reduce sum 60 2; torus:4x4 all-reduce sum 15 1
hypercube:3 all-reduce sum 24 3 --protect detect; star:4 all-reduce sum 12 1; GRAPH5 all-reduce sum 60 1; GRAPH8 reduce sum 120 2 --root ROOT
GRAPH7 broadcast - 120 2 --root ROOT; mesh:2x3+relay=1 all-reduce sum 16 2
"""
SHORT = "cycle:3 all-reduce float32 32 32 --operator-latency 1; path:3 all-reduce sum 12 2"

# A file, a text in it, and the fault in its place.
WORDS = [("gfab_stream_skid.v", "full_q | push | (valid_q & ~pop)", "push | (valid_q & ~pop)"),
         ("gfab_stream_skid.v", "o_ready = ~full_q", "o_ready = ~full_q | i_ready"),
         ("gfab_stream_flow.v", "OUT & {LANES{leaves}}", "OUT & {LANES{pending_q}}")]
BLOCKS = [("gfab_stream_port.v", "beat_q > coming", "beat_q >= coming"),
          ("gfab_stream_port.v", "if (pop & frees & ~i_begins)", "if (pop & ~i_begins)"),
          ("gfab_stream_groups.v", "(&i_can) & ~o_begins", "(&i_can)")]


class Wrong(Exception):
    pass


def said_by(command, folder, seconds=600):
    done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=seconds, check=False)
    return done.returncode, done.stdout


def graph(count, rng):
    """Connected, of no more than five links a node, where that goes."""
    links, degree = set(), [0] * count
    for node in range(1, count):
        peer = min(rng.sample(range(node), min(node, 3)), key=lambda other: degree[other])
        links.add((peer, node))
        degree[peer] += 1
        degree[node] += 1
    for _ in range(count):
        a, b = sorted(rng.sample(range(count), 2))
        if (a, b) not in links and max(degree[a], degree[b]) < 5:
            links.add((a, b))
            degree[a] += 1
            degree[b] += 1
    return f"graph:{count}:" + ",".join(f"{a}-{b}" for a, b in sorted(links))


def options_of(row, rng):
    topology, collective, operator, token_bits, link_bits, *rest = row.split()
    if topology.startswith("GRAPH"):
        topology = graph(int(topology[5:]), rng)
    sizes = [int(size) for size in re.findall(r"\d+", topology.split("+")[0].split(",")[0].split("-")[0])]
    nodes = sizes[0] if topology.startswith("graph") else 2 ** sizes[0] if topology.startswith("hyper") else math.prod(sizes)
    rest = [str(rng.randrange(nodes)) if word == "ROOT" else word for word in rest]
    operators = [] if operator == "-" else ["--operator", operator]
    return [topology, "--collective", collective, "--stream", "--token-bits", token_bits, "--link-bits", link_bits,
            *operators, *rest]


def rows_of(text):
    return [row.strip() for row in re.split(r"[;\n]", text) if row.strip()]


def random_of(seed, number):
    """What a fabric's row is drawn by."""
    return random.Random(seed * 1000 + number)


def has_words(folder):
    """Streams of a word a cycle, not blocks by rounds."""
    return (folder / "rtl" / "gfab_stream_tree.v").exists()


class Fabric:
    def __init__(self, number, row, options):
        self.rng = random_of(options.seed, number)
        self.number, self.row = number, row
        self.options, self.beats, self.cycles, self.compared, self.played = options, 0, 0, 0, [0, 0]
        self.folder = options.work / f"fabric-{number}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.command = options_of(row, self.rng)
        status, said = said_by([options.gossipfab, "generate", *self.command, "-o", self.folder], options.work)
        if status:
            raise Wrong(f"{row}: {said.strip()}")
        of = json.loads((self.folder / "manifest.json").read_text(encoding="utf-8"))
        self.words = has_words(self.folder)
        self.hosts, bits = of["streams"], of["link_bits"]
        words = of["host_words"]
        self.traced = ((of["links"] + (words - 1) * self.hosts) * (2 * bits + 4) + 2 * self.hosts * (bits * words + 3) +
                       of["nodes"] * (of["word_bits"] + 32)) <= TRACE_BITS

    def spoil(self, number):
        name, text, fault = (WORDS if self.words else BLOCKS)[number % 3]
        path = self.folder / "rtl" / name
        whole = path.read_text(encoding="ascii")
        if whole.count(text) != 1:
            raise Wrong(f"no mutant of {name}")
        path.write_text(whole.replace(text, fault), encoding="ascii")

    def build(self, icarus):
        made = "build/tb_stream.vvp" if icarus else "build/stream/Vtb_stream"
        status, said = said_by(["make", "-s", "SIM_OPT=-O1", made], self.folder)
        if status:
            raise Wrong(f"{self.row}: {said.strip()[-2000:]}")
        return ["vvp", "-N", made] if icarus else [made]

    def draw(self, at, runs, most):
        """What a run is told: the first is as long as can be; the last two have a host that never comes, or gives less."""
        total = most if at == 0 else int(math.exp(self.rng.random() * math.log(most))) if at % 4 else 1 + at % 3
        vectors = self.rng.randint(1, min(total, 8))
        pauses = self.rng.choice((0, 1, 1, 2, 2, 3, 5, 5))
        if at >= runs - 2:
            pauses = NEVER if at == runs - 1 else SHORTER
        length = self.rng.choice(("length", "beats"))
        return [f"+seed={self.rng.randrange(1, 1 << 30)}", f"+vectors={vectors}", f"+{length}={total // vectors}",
                f"+pauses={pauses}", f"+late={self.rng.randint(1, 10000)}"]

    def run(self, bench, words):
        """The bench, and the model, which reads what it writes while it does."""
        trace = self.folder / "stream.trace"
        trace.unlink(missing_ok=True)
        model = None
        if self.traced:
            os.mkfifo(trace)
            # Both ends are open before either begins, so that nothing is lost and nobody waits for the other.
            keep = os.open(trace, os.O_RDWR)
            with open(trace, "rb") as reads:
                model = subprocess.Popen([self.options.lockstep, ".", "-"], cwd=self.folder, text=True, stdin=reads,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            words = words + ["+trace"]
        try:
            status, said = said_by(bench + words, self.folder)
        except subprocess.TimeoutExpired:
            status, said = None, "takes too long"
        same = ""
        if model:
            os.close(keep)
            same = model.communicate(timeout=600)[0]
        what = f"{' '.join(map(str, self.command))}: {' '.join(words)}: "
        lines = re.search(r"vectors of (\d+) beats in all in (\d+) cycles, every beat as expected|the time limit says so|"
                          r"o_uneven says so|"
                          r"nothing waits for it", said)
        if status or not lines:
            raise Wrong(what + said.strip()[-300:])
        if model:
            if model.returncode or "cycles the same" not in same:
                raise Wrong(what + same.strip())
            self.compared += 1
            self.cycles += int(same.split()[0])
        self.beats += int(lines.group(1) or 0) * self.hosts

    def play(self, runs, icarus):
        bench = self.build(icarus)
        for at in range(runs):
            words = self.draw(at, runs, self.options.most or (MOST_ICARUS if icarus else MOST))
            self.run(bench, words)
            self.played[icarus] += 1
        shutil.rmtree(self.folder / "build")


def play(number, row, options):
    """(runs, what was wrong, fabric)"""
    share = [-(-count * (number + 1) // options.count) - -(-count * number // options.count)
             for count in (options.runs, options.icarus)]
    fabric = Fabric(number, row, options)
    if options.mutants:
        fabric.spoil(number)
    for icarus in (False, True):
        if share[icarus]:
            try:
                fabric.play(share[icarus], icarus)
            except Wrong as wrong:
                return str(wrong), fabric
    return None, fabric


def campaign(options):
    rows = rows_of(SHORT if options.short else FABRICS)
    options.count, failed, beats, cycles, compared, played = len(rows), 0, 0, 0, 0, [0, 0]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        chosen = [at for at in enumerate(rows) if not options.only or at[0] in options.only]
        for (_, row), (wrong, fabric) in zip(chosen, pool.map(lambda at: play(*at, options), chosen)):
            print(f"{fabric.number} {row}: {wrong or f'{fabric.beats} beats taken or given as expected'}", flush=True)
            failed += wrong is not None
            beats, cycles, compared = beats + fabric.beats, cycles + fabric.cycles, compared + fabric.compared
            played = [a + b for a, b in zip(played, fabric.played)]
    if options.mutants:
        print(f"streams: {failed} of {len(chosen)} mutants found out")
        return failed < len(chosen)
    print(f"streams: {played[0]} runs right in Verilator, {played[1]} in Icarus, over {len(chosen)} fabrics, {failed} of "
          f"which were wrong; {beats} beats; {compared} runs, {cycles} cycles, the same in the C model")
    return failed > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab", type=pathlib.Path)
    parser.add_argument("lockstep", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--icarus", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--only", type=int, action="append")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--mutants", action="store_true")
    options = parser.parse_args()
    options.gossipfab, options.lockstep, options.most = options.gossipfab.resolve(), options.lockstep.resolve(), None
    if options.short:
        options.runs, options.icarus, options.most = 0, 8, 100
    for tool in ["verilator"] * (options.runs > 0) + ["iverilog"] * (options.icarus > 0):
        if not shutil.which(tool):
            print(f"streams: skipped, {tool} is missing", file=sys.stderr)
            return 77
    with tempfile.TemporaryDirectory() as scratch:
        options.work = (options.work or pathlib.Path(scratch)).resolve()
        options.work.mkdir(parents=True, exist_ok=True)
        status = campaign(options)
        if options.short and not status:
            options.mutants = True
            status = campaign(options)
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
