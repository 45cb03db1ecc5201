#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""msccl_orders.py GOSSIPFAB FOLDER [--count N] [--seed S]: verdicts of `gossipfab verify` on MSCCL's XML, held against all
orders of the steps, one by one.

Small programs, and mutants of them: a dependency dropped or moved, hasdep changed, two steps swapped, a chunk moved,
another protocol, more chunks a step. Every state that can be reached is gone through, a chunk of a step at a time: with
links that hold any number of messages for races (two steps that can both go on and use one chunk) and data (at every
end), with as many as the protocol has for deadlocks. Mutants with too many states are replaced."""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import xml.etree.ElementTree

SLOTS = {"LL": 8, "LL128": 8, "Simple": 2}
SENDS, TAKES = {"s", "rcs", "rrs", "rrcs"}, {"r", "rcs", "rrs", "rrc", "rrcs"}
READS = {"s", "rrs", "rrc", "rrcs", "cpy", "re"}
WRITES = {"r", "rcs", "rrc", "rrcs", "cpy", "re"}
PROGRAMS = [("path:2", "all-reduce"), ("path:2", "all-gather"), ("path:2", "all-to-all"), ("path:3", "all-gather"),
            ("path:3", "all-to-all"), ("path:3", "reduce-scatter"), ("cycle:3", "all-gather"), ("path:3", "broadcast"),
            ("cycle:3", "reduce-scatter"), ("cycle:3", "all-to-all")]
TWO = """<algo name="x" proto="Simple" nchannels="2" nchunksperloop="4" ngpus="2" coll="allreduce" inplace="1">
%s</algo>
"""


class TooMany(Exception):
    pass


def two_channels(chunks):
    """Two GPUs, each thread block sends half to the other's scratch buffer, one adds up, one sends on behind it."""
    text = ""
    for gpu in (0, 1):
        text += f'<gpu id="{gpu}" i_chunks="4" o_chunks="0" s_chunks="4">\n'
        for tb in (0, 1):
            text += f'<tb id="{tb}" send="{1 - gpu}" recv="{1 - gpu}" chan="{tb}">\n'
            text += step(0, "s", "i", 2 * tb, "s", 0, chunks) + step(1, "r", "i", 0, "s", 2 * tb, chunks, hasdep=1)
            text += "</tb>\n"
        text += '<tb id="2" send="-1" recv="-1" chan="0">\n'
        text += step(0, "re", "s", 0, "i", 0, chunks, (0, 1)) + step(1, "re", "s", 2, "i", 2, chunks, (1, 1)) + "</tb>\n</gpu>\n"
    return TWO.replace('nchunksperloop="4"', f'nchunksperloop="{2 + chunks}"') % text


def step(number, kind, source, at, target, to, count, dep=(-1, -1), hasdep=0):
    return (f'<step s="{number}" type="{kind}" srcbuf="{source}" srcoff="{at}" dstbuf="{target}" dstoff="{to}" cnt="{count}" '
            f'depid="{dep[0]}" deps="{dep[1]}" hasdep="{hasdep}"/>\n')


class Program:
    def __init__(self, text):
        root = xml.etree.ElementTree.fromstring(text)
        self.name, self.gpus = root.get("coll"), int(root.get("ngpus"))
        self.chunks, self.slots = int(root.get("nchunksperloop")), SLOTS[root.get("proto")]
        self.in_place = root.get("inplace") == "1" and root.get("outofplace") != "1"
        self.tbs, first = [], {}
        for gpu in root:
            first[int(gpu.get("id"))] = len(self.tbs)
            for tb in gpu:
                steps = [dict(s.attrib, **{k: int(s.get(k)) for k in
                                           ("srcoff", "dstoff", "cnt", "depid", "deps", "hasdep")}) for s in tb]
                self.tbs.append((int(gpu.get("id")), int(tb.get("send")), int(tb.get("recv")), tb.get("chan"), steps))
        self.first = first
        self.to = [next((o for o, other in enumerate(self.tbs) if (other[0], other[2], other[3]) == (to, gpu, chan)), None)
                   for gpu, to, _, chan, _ in self.tbs]

    def cell(self, gpu, buffer, at):
        each = self.chunks // self.gpus
        if self.in_place and buffer != "s":
            own = {"allgather": "i", "reducescatter": "o"}.get(self.name) == buffer
            return gpu, "u", at + (gpu * each if own else 0)
        return gpu, buffer, at

    def begin(self):
        memory = {}
        for gpu in range(self.gpus):
            own = self.chunks // self.gpus if self.name == "allgather" else self.chunks
            for i in range(own if self.name != "broadcast" or gpu == 0 else 0):
                what = {"allgather": gpu * own + i, "alltoall": (gpu, i)}.get(self.name, i)
                memory[self.cell(gpu, "i", i)] = (what, frozenset([gpu]))
        return memory

    def is_right(self, memory):
        everyone = frozenset(range(self.gpus))
        each = self.chunks // self.gpus
        for gpu in range(self.gpus):
            for i in range(each if self.name == "reducescatter" else self.chunks):
                if self.name == "allgather":
                    want = (i, frozenset([i // each]))
                elif self.name == "alltoall":
                    want = ((i // each, gpu * each + i % each), frozenset([i // each]))
                elif self.name == "broadcast":
                    want = (i, frozenset([0]))
                else:
                    want = (gpu * each + i if self.name == "reducescatter" else i, everyone)
                if memory.get(self.cell(gpu, "o", i)) != want:
                    return False
        return True


class Explorer:
    """A state is where each thread block stands: (step, chunk). What is in memory and on the way goes with it."""
    def __init__(self, program, most):
        self.p, self.most = program, most

    def uses(self, t, s, part):
        gpu = self.p.tbs[t][0]
        reads = {self.p.cell(gpu, s["srcbuf"], s["srcoff"] + part)} if s["type"] in READS else set()
        writes = {self.p.cell(gpu, s["dstbuf"], s["dstoff"] + part)} if s["type"] in WRITES else set()
        return reads, writes

    def can(self, state, ways, t, slots):
        at, part = state[t]
        steps = self.p.tbs[t][4]
        if at == len(steps):
            return False
        s = steps[at]
        if part == 0 and s["depid"] >= 0:
            other = self.p.first[self.p.tbs[t][0]] + s["depid"]
            said = [i for i in range(state[other][0]) if self.p.tbs[other][4][i]["hasdep"]]
            if not said or said[-1] < s["deps"]:
                return False
        if s["type"] in TAKES and not ways[t]:
            return False
        return s["type"] not in SENDS or len(ways[self.p.to[t]]) < slots

    def do(self, state, ways, memory, t):
        """Behind a chunk; last whether it can be carried out."""
        (at, part), s = state[t], self.p.tbs[t][4][state[t][0]]
        gpu, left, value = self.p.tbs[t][0], s["cnt"] - part, None
        ways, memory, good = list(ways), dict(memory), True
        if s["cnt"]:
            source = memory.get(self.p.cell(gpu, s["srcbuf"], s["srcoff"] + part))
            if s["type"] in TAKES:
                value, was = ways[t][0]
                ways[t] = ways[t][1:]
                good = was == left
            else:
                value = source
            if s["type"] in ("rrs", "rrc", "rrcs", "re"):
                other = memory.get(self.p.cell(gpu, s["dstbuf"], s["dstoff"] + part)) if s["type"] == "re" else source
                combines = self.p.name in ("allreduce", "reducescatter")
                if not value or not other or value[0] != other[0] or value[1] & other[1] or not combines:
                    good, value = False, None
                else:
                    value = (value[0], value[1] | other[1])
            if s["type"] in WRITES:
                memory[self.p.cell(gpu, s["dstbuf"], s["dstoff"] + part)] = value
            if s["type"] in SENDS:
                good = good and value is not None
                ways[self.p.to[t]] += ((value, left),)
        state = list(state)
        state[t] = (at, part + 1) if part + 1 < s["cnt"] else (at + 1, 0)
        return tuple(state), tuple(ways), memory, good

    def explore(self, slots):
        """Which of deadlock, race, data there is."""
        begin = tuple((0, 0) for _ in self.p.tbs)
        differs, seen, found = False, {begin: (tuple(() for _ in self.p.tbs), self.p.begin())}, set()
        waiting = [begin]
        while waiting:
            state = waiting.pop()
            ways, memory = seen[state]
            able = [t for t in range(len(self.p.tbs)) if self.can(state, ways, t, slots)]
            if not able:
                ended = all(state[t][0] == len(tb[4]) for t, tb in enumerate(self.p.tbs))
                if not ended or not self.p.is_right(memory):
                    found.add("data" if ended else "deadlock")
            used = [self.uses(t, self.p.tbs[t][4][state[t][0]], state[t][1]) for t in able]
            for i, (reads, writes) in enumerate(used):
                if any(writes & (r | w) or w & reads for r, w in used[:i]):
                    found.add("race")
            for t in able:
                behind = self.do(state, ways, memory, t)
                if not behind[3]:
                    found.add("data")
                if behind[0] not in seen:
                    seen[behind[0]] = behind[1:3]
                    waiting.append(behind[0])
                elif seen[behind[0]] != behind[1:3]:
                    differs = True
            if len(seen) > self.most:
                raise TooMany
        if differs and "race" not in found:
            sys.exit("msccl: without a race, two orders give different memory")
        return found | ({"data"} if differs else set())


def verdict(text, most):
    program = Program(text)
    if any(program.to[t] is None for t, tb in enumerate(program.tbs) if any(s["type"] in SENDS for s in tb[4])):
        return {"refused"}
    found = Explorer(program, most).explore(1 << 30)
    return found | (Explorer(program, most).explore(program.slots) & {"deadlock"})


def mutate(text, dice):
    lines = text.split("\n")
    steps = [i for i, line in enumerate(lines) if "<step " in line]
    i = dice.choice(steps)
    kind = dice.choice(["dep", "dep", "move", "hasdep", "swap", "offset", "proto", "type"])
    if kind == "dep":
        i = dice.choice([j for j in steps if 'depid="-1"' not in lines[j]] or steps)
        lines[i] = re.sub(r'depid="-?\d+" deps="-?\d+"', 'depid="-1" deps="-1"', lines[i])
    elif kind == "move":
        lines[i] = re.sub(r'deps="(\d+)"', lambda m: f'deps="{max(0, int(m[1]) + dice.choice((-1, 1)))}"', lines[i])
    elif kind == "hasdep":
        i = dice.choice([j for j in steps if 'hasdep="1"' in lines[j]] or steps)
        lines[i] = lines[i].replace('hasdep="1"', 'hasdep="0"')
    elif kind == "swap" and i + 1 in steps:
        one, other = lines[i], lines[i + 1]
        numbers = [re.search(r' s="\d+"', line)[0] for line in (one, other)]
        lines[i], lines[i + 1] = other.replace(numbers[1], numbers[0]), one.replace(numbers[0], numbers[1])
    elif kind == "offset":
        lines[i] = re.sub(dice.choice(["srcoff", "dstoff"]) + r'="(\d+)"', lambda m: m[0].split("=")[0] +
                          f'="{max(0, int(m[1]) + dice.choice((-1, 1)))}"', lines[i])
    elif kind == "proto":
        lines = [re.sub(r'proto="\w+"', f'proto="{dice.choice(list(SLOTS))}"', line) for line in lines]
    elif kind == "type":
        lines[i] = lines[i].replace('type="rrc"', 'type="r"').replace('type="re"', 'type="cpy"')
    return "\n".join(lines)


def kind_of(ran):
    for word, kind in (("for ever", "deadlock"), ("hasdep", "deadlock"), ("nothing orders", "race")):
        if word in ran.stderr:
            return kind
    return {0: "good", 1: "data", 2: "refused"}[ran.returncode]


def programs(gossipfab, folder):
    for graph, collective in PROGRAMS:
        made = folder / "s.gfs"
        subprocess.run([gossipfab, "schedule", graph, "-c", collective, "--link-mode", "full", "-o", made], check=True,
                       stdout=subprocess.DEVNULL)
        text = subprocess.run([gossipfab, "convert", made, "--to", "msccl"], check=True, capture_output=True, text=True).stdout
        yield re.sub(r' block="\d+" round="\d+" place="\d+"', "", text[text.index("-->") + 4:])
    for chunks in (1, 2):
        yield two_channels(chunks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=3000)
    options = parser.parse_args()
    folder, dice = pathlib.Path(options.folder), random.Random(options.seed)
    folder.mkdir(parents=True, exist_ok=True)
    bases = list(programs(options.gossipfab, folder))
    counts, skipped, faults, done = {}, 0, 0, 0
    while done < options.count:
        text = bases[done % len(bases)]
        for _ in range(0 if done < len(bases) else dice.choice((1, 1, 2))):
            text = mutate(text, dice)
        path = folder / "p.xml"
        path.write_text(text)
        ours = kind_of(subprocess.run([options.gossipfab, "verify", path], capture_output=True, text=True, check=False))
        try:
            found = {ours} if ours == "refused" else verdict(text, options.most)
        except TooMany:
            skipped += 1
            dice.shuffle(bases)
            continue
        done += 1
        counts[ours] = counts.get(ours, 0) + 1
        if ours not in (found or {"good"}):
            faults += 1
            (folder / f"fault{faults}.xml").write_text(text)
            print(f"msccl: fault{faults}.xml: verify says {ours}, all orders {sorted(found) or 'good'}")
    said = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    print(f"msccl: {done} programs, {faults} disagree with all orders one by one: {said}; {skipped} had too many states")
    for kind in ("good", "deadlock", "race", "data"):
        if kind not in counts:
            sys.exit(f"msccl: none is {kind}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
