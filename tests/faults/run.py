#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py GOSSIPFAB [--count N] [--seed S]: one bit of a generated fabric flips once, many times over.

Each run is a gossip in which one bit flips in one cycle: a flip-flop, a bit of a store or of a ROM, a wire between
nodes or one that a store is written from. Two gossips without a fault follow. A run is
  no effect  if every word that is read is right and o_error stays 0,
  noticed    if o_error is 1 before each wrong word that is read, or the node's o_fault with it, or none is wrong,
  later      if every word is right, and the next gossip has o_error,
  silent     if a wrong word is read while o_error and the node's o_fault were 0,
  hang       if o_done does not come in twice the time of a gossip.
Behind AXI4-Streams (streams.cc) what is read are beats, and o_error may be 8 cycles late; of hosts that give and take
streams (hosts.cc) 2, and what is noticed ends with a reset. Over a serial line
(serial.cc) it counts what the host is told before the next gossip, and a hang is a request without an answer.
Fabrics with --protect detect must have neither of the last two, and the gossip after one that has o_error must be
clean; so must flips of the serial line. That does not hold for what is around the fabric ("wrapper"). Fabrics without
must have silent ones in every class of places, or this campaign sees nothing; but of chips with clocks of their own
the phases that watch over their cables have neither, and after any flip they play a clean gossip, the second at the
latest. N runs a fabric are shared out among the classes of places; a class that has no more places times cycles than
its share gets each of them once, others some cycles of each place.

--short takes the fabrics of `make test`; --fabric "TOPOLOGY OPTIONS" any other that `gossipfab generate` makes.
--places flips nothing: it says how many places of each class each fabric has, and that none is in no class.
--repeat PLACE CYCLE SEED plays one run again, as the lines on failures name it, --vcd FILE with its waveform beside
the fault-free one. --report FILE gets the figures as Markdown. --planted takes fabrics whose checks are left out, and
must refuse each; with --short a few of them.
Exit status: 0, 1 where a fabric is not as it must be, 2 on wrong arguments, 77 where a tool is missing."""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import netlist
from fabrics import BLOCKS, FABRICS, MERGED, OWN, PATHS, PLANTED, PLANTED_LONG, SHORT, WIDE, WORDS
from clocks import join as join_clocks

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")  # where schedules are found

# The class of a place, by its name: the first line that matches. Those of "outside" lie before the flip-flops that take
# a loaded word, or behind the read port: they are counted, but nothing in the fabric can notice them.
CLASSES = [
    ("outside", r"\((input|output)\)$"),
    ("checker", r"^gen_guard\.(u_guard\.|wrote_q|u_time\.(gen_counter\[1\]|u_apart))|"
                r"\.gen_checked\.u_node\.(checks|tested)_q"),
    ("checker", r"^u_fabric\[1\]\.|^u_(apart|apart_cuts|check)[. ]|^u_guard\."),
    ("status", r"(^|\.)u_limit\.|^busy_q$|(^|\.)uneven(_here)?_q$|\.waits_q$|^lacks\[|want"),
    ("checker", r"^u_(beat|check_\d+)\.|^u_control\.gen_twin|^u_reset\.run_q"),
    ("checker", r"^gen_guard\.u_guard\.|gen_(sequencer|timer|nearest|writer|path_timer)\[1\]|\.u_places\.gen_check|"
                r"\.gen_(checks|twin|rest|leave)\.|\.check_q"),
    ("phase", r"^u_cable_\d+\.(phases?|seen|right)_q|^u_control\.phase_q"),
    ("cable", r"^u_(cable_\d+|control|reset)\."),
    ("link", r"\(wire[^)]*\)$|^gen_link\[|u_wire|^u_pad_"),
    ("overlap", r"\.u_overlap\."),
    ("store", r"\.gen_shift\.u_node\.(own|word)_q|"
              r"\.u_(store|copy|skid|take|give|words)\.|\.u_(flits|ends)\.(words|entries)"),
    ("combine", r"\.gen_(timer|nearest)\[0\]|\.u_late\.|\.u_combines\.u_old\.|\.u_combine_timer\.u_wait\."),
    ("lane", r"\.u_lane\.|\.u_lane_store\.(send_q$|u_(in|out)\.|gen_old\.)|\.gen_registered\.|\.u_node\.send_q"),
    ("combine", r"^gen_operator\[\d+\]\.u_operator\."),
    ("combine", r"\.gen_combine\.u_combine\.|\.(in|out)_word\[|\.u_flow\.gen_lane\[\d+\]\.gen_in\.(gen_full|gen_split)\.|\.u_pair\.|\.u_turns\.word_q"),
    ("node", r"\.u_flow\.|\.u_turns\.|\.u_host\.|^gen_groups\.u_groups\."),
    ("node", r"\.u_node\.(recv_q|slot_q|u_slot(_late)?\.|u_path_switch\.|gen_writer\[0\]\.u_path)|"
             r"\.(selects_q|u_(stores|takes)\.|read_bank_q)|\.gen_(checked|ram|pick|shift)\."),
    ("program", r"\.u_(write_)?program\.(gen_\w+\.)?(op_q|rom)|\.u_path_rom\.|\.places\["),
    ("sequencer", r"^u_time\.(gen_single\.(u_sequencer|gen_timer)|u_sequence)\.|\.gen_block\.sequence_q|gen_(sequencer|path_timer)\[0\]|^gen_guard\.u_time\.|^gen_time\."),
]
ORDER = ["line", "status", "link", "phase", "cable", "store", "lane", "combine", "node", "program", "sequencer", "checker",
         "overlap", "wrapper", "outside"]
NO_PROMISE = ["wrapper", "outside"]  # what is around the fabric, and before and behind it, is not protected
PROMISES = ["phase", "status"]  # noticed, or without effect, in every fabric that has it
VERDICTS = ["no-effect", "noticed-right", "noticed-wrong", "noticed-later", "silent", "hang"]
WHATS = {"simulate": ["node", "transfer", "program", "sequencer"],  # o_error_what, bit 0 first
         "streams": ["late", "long", "stuck", "fabric"],  # o_status of a top of streams
         "hosts": ["fault"],  # o_fault of a host
         "serial": ["fault", "fresh", "running", "starts"]}  # what the host is told
BUSES = [None, "axi-lite", "wishbone"]
EVERYBODY = ["all-gather", "all-reduce", "barrier"]  # collectives after which every node has all blocks
EXCHANGE = "all-to-all"  # and the one after which each has one from every node
IDLE = 2  # cycles between load and start, as in simulate.cc
BATCH = 255  # runs that simulate.cc takes at once
SHOWN = 3  # failures that are printed, of each class and kind


def class_of(site, streams):
    inside = re.sub(r"^(u_(fabric(\[0\])?|chip_\d+|ring)\.)+", "", site.name)
    if re.search(r"^[io]_uart_[rt]x\[", site.name):
        return "line"
    if streams and inside == site.name and ".u_overlap." not in inside and not re.search(CLASSES[0][1], site.name):
        return "wrapper"
    for name, pattern in CLASSES:
        if re.search(pattern, inside):
            return name
    raise RuntimeError(f"{site.name} is in no class: add it to CLASSES")


def make_folder(program, kind, options, folder):
    """What `gossipfab generate` makes, which may then be rerouted."""
    def gossipfab(*words):
        subprocess.run([program, *words], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    if not kind.startswith("rerouted by "):
        gossipfab("generate", "-t", *options, "-o", folder)
        return
    schedule = f"{folder}.gfs"
    gossipfab("schedule", "-t", options[0], "-o", schedule)
    gossipfab("generate", "--schedule", schedule, *options[1:], "--rom-rounds", "16", "-o", folder)
    gossipfab("reroute", schedule, kind.removeprefix("rerouted by "), *options[1:], "--rom-rounds", "16", "-o", folder)


def read_netlist(kind, folder, work, merged):
    if kind == "clocks":
        return netlist.Netlist(folder, work, merged, "gossip_clocks", join_clocks(folder))
    if kind == "serial":
        with open(os.path.join(folder, f"{netlist.TOP}.f"), encoding="utf-8") as file:
            sources = [line.strip() for line in file if line.strip().endswith(".v")]
        sources += ["board_top.v", "rtl/gfab_board_host.v", "rtl/gfab_host_link.v", "rtl/gfab_uart_rx.v",
                    "rtl/gfab_uart_tx.v", "rtl/gfab_reset.v"]
        return netlist.Netlist(folder, work, merged, "board_top -chparam CLOCKS_PER_BIT 5", " ".join(sources))
    target = {"axis": "sim-axis", "registers": "sim-registers", "chips": "sim-chips"}.get(kind)
    if not target:
        return netlist.Netlist(folder, work, merged)
    made = subprocess.run(["make", "-n", "-B", "-C", folder, target], check=True, capture_output=True, text=True)
    command = next(line for line in made.stdout.splitlines() if line.startswith("iverilog"))
    sources = " ".join(word for word in command.split() if word.endswith(".v") and not word.startswith("tb/tb_"))
    top = netlist.TOP if kind == "chips" else f"{netlist.TOP}_{kind}"
    return netlist.Netlist(folder, work, merged, top, sources, ["error", "status"] if kind == "registers" else [])


class Fabric:
    """A generated fabric and its places; patch(folder) may change the folder first."""

    def __init__(self, program, line, work, patch=None):
        self.line = line
        self.protected = "--protect" in line
        kind, options = line.split(": ", 1) if ": " in line else ("", line)
        self.simulator = {"axis": "streams", "registers": "streams", "serial": "serial", "hosts": "hosts"}.get(kind, "simulate")
        self.whats = WHATS[self.simulator]
        self.play_time = None  # cycles in which the nodes play, where most are others
        self.folder = folder = os.path.join(work, "fabric")
        make_folder(program, kind, [word for word in options.split() if word != MERGED], folder)
        if patch:
            patch(folder)
        made = read_netlist(kind, folder, work, MERGED in line)
        self.sites, self.registers, self.ports = made.sites, made.registers, made.ports
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        of = {"simulate": self.of_fabric, "streams": self.of_streams, "serial": self.of_serial, "hosts": self.of_hosts}
        numbers = of[self.simulator](manifest)
        self.netlist = os.path.join(work, "netlist.txt")
        with open(self.netlist, "w", encoding="ascii") as file:
            file.write("\n".join([f"number {name} {value}" for name, value in numbers.items()] + made.lines) + "\n")
        self.classes = collections.defaultdict(list)
        for index, site in enumerate(self.sites):
            self.classes[class_of(site, self.simulator in ("streams", "serial"))].append(index)

    def of_streams(self, manifest):
        nodes, words = manifest["nodes"], manifest["parts"] * manifest["words"]
        # As tb/axis/tb_axis.v has it, with the pauses of streams.cc; what is behind the end is a pause, too.
        loads, gives = (manifest["blocks"],) * 2 if manifest["blocks"] else (1, nodes)
        self.length = 4 + loads * (words + 1) + manifest["cycles"] + gives * (words + 2)
        return {"nodes": nodes, "token_bits": manifest["token_bits"], "blocks": manifest["blocks"], "length": self.length,
                "bus": BUSES.index(manifest["registers"])}

    def of_hosts(self, manifest):
        hosts, beats = manifest["streams"], 16
        defines = {}
        for name in ("tb/gossip_fabric_parameters.vh", "rtl/gfab_op.vh"):
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                defines.update(re.findall(r"^`define (\w+) *(.*)$", file.read(), re.MULTILINE))
        turns = hosts if manifest["operator"] == int(defines["GFAB_OPERATOR_GATHER"]) else 1
        blocks = "GF_WORD_STREAMS" not in defines
        # Of blocks about half as many as there are beats, each filled up.
        group = manifest["period"] * manifest["cycles_per_round"]
        self.length = manifest["cycles"] + beats // 2 * group if blocks else 32 + 2 * beats * turns
        numbers = {"hosts": hosts, "turns": turns, "beats": beats, "length": self.length,
                   "flits": manifest["cycles_per_round"] if blocks else 0,
                   **{name: manifest[name] for name in ("host_words", "link_bits", "operator")}}
        for name in ("gives", "takes"):
            masks = re.findall(r"8'd(\d+)", defines[f"GF_{name.upper()}"])[::-1]
            numbers.update({f"{name}{host}": int(mask != "0") for host, mask in enumerate(masks)})
        return numbers

    def of_serial(self, manifest):
        nodes, parts, span = manifest["nodes"], manifest["parts"], manifest["words"] * manifest["word_bits"]
        cycle_bytes = max(1, (manifest["cycles"].bit_length() + 7) // 8)
        # Behind the fields of a request, and of its answer, as serial.cc waits for them; a byte is 10 bits of 5 clocks.
        log2 = lambda values: max(1, (values - 1).bit_length())
        address = log2(nodes * parts) + log2(nodes) + 1
        asked = lambda bits, answer: 50 * (-(-(bits + 16) // 8) + 6 + 2 * (answer + 4) + 4) + 200
        burst = 512 // span if span <= 512 else 1
        burst = 1 << (burst.bit_length() - 1)
        bursts = [min(burst, nodes * parts - slot) for slot in range(0, nodes * parts, burst)]
        query, start = asked(0, 19 + cycle_bytes), asked(1, 2)
        reads = nodes * sum(asked(address, 2 + -(-slots * span // 8)) for slots in bursts)
        to_start = query + nodes * parts * asked(span + address, 2)
        self.length = to_start + start + 2 * query + reads  # the least: what is escaped takes longer
        self.play_time = (to_start, to_start + start + manifest["cycles"])
        return {"nodes": nodes, "parts": parts, "part_bits": manifest["part_bits"], "span": span,
                "cycle_bytes": cycle_bytes, "length": self.length}

    def of_ring(self, manifest):
        """What simulate.cc is to know of an all-gather along rings: a token is one part, its flits are the words."""
        words, cycles, wait = manifest["words"], manifest["cycles"], manifest["read_wait"]
        flits = words * manifest["rings"]
        self.length = words + IDLE + 1 + cycles + manifest["nodes"] * flits + wait
        self.length_to_start = words + IDLE
        return {"nodes": manifest["nodes"], "parts": 1, "words": flits, "part_bits": manifest["token_bits"], "blocks": 0,
                "word_bits": manifest["link_bits"], "operator": 0, "counted": 0, "programs": 1, "rings": manifest["rings"],
                "wait": wait, "length": self.length, "blocks0": 0, "gathers0": 1, "exchanges0": 0, "cycles0": cycles,
                "first_load0": 0, "first_read0": 0}

    def of_fabric(self, manifest):
        """What simulate.cc is to know."""
        if manifest.get("store") == "ring":
            return self.of_ring(manifest)
        line = self.line
        numbers = {name: manifest[name] for name in ("nodes", "parts", "words", "part_bits", "word_bits", "blocks",
                                                     "operator", "counted")}
        programs = manifest.get("programs") or [{"collective": "all-gather", "blocks": 0, "cycles": manifest["cycles"]}]
        numbers["programs"] = len(programs)
        slack = manifest.get("own_clocks", {}).get("slack_cycles", 0)
        lengths = []
        for number, plays in enumerate(programs):
            cycles = plays["cycles"] + slack
            gathers, exchanges = (plays["collective"] == name for name in ("all-gather", EXCHANGE))
            if plays["collective"] not in EVERYBODY and not (exchanges and manifest["counted"]):
                raise RuntimeError(f"{line}: nodes are to have all blocks in the end; not of {plays['collective']}")
            slots = plays["blocks"] if numbers["blocks"] and not exchanges else numbers["nodes"] * numbers["parts"]
            loads = (slots // numbers["nodes"] if gathers else slots) * numbers["words"]
            numbers.update({f"blocks{number}": plays["blocks"], f"gathers{number}": int(gathers),
                            f"exchanges{number}": int(exchanges), f"cycles{number}": cycles,
                            **{f"first_{what[:-1]}{number}": number * manifest[what] // len(programs) * manifest["wide"]
                               for what in ("loads", "reads")}})
            # From the first load to the last word read: each read is asked for in one cycle and there in the next.
            lengths.append((loads + IDLE + 1 + cycles + slots * numbers["words"] + 1, loads + IDLE))
        self.length, self.length_to_start = max(lengths)
        numbers["length"] = self.length
        return numbers

    def cycles(self, draw, times):
        """So many of a run, each once. Over a serial line nodes play in a small part of it: half of them are there."""
        if not self.play_time or times < 2:
            within = self.play_time if self.play_time and draw.random() < 0.5 else (0, self.length)
            return draw.sample(range(*within), times)
        in_play = draw.sample(range(*self.play_time), min(times // 2, self.play_time[1] - self.play_time[0]))
        left = [cycle for cycle in range(self.length) if cycle not in set(in_play)]
        return in_play + draw.sample(left, times - len(in_play))

    def plan(self, count, seed):
        """Runs as (site, cycle, seed): each class's share, in batches of one seed."""
        draw = random.Random(f"{self.line} {seed}")
        runs, left = [], count
        by_size = sorted(self.classes.items(), key=lambda item: (len(item[1]), item[0]))
        for index, (_, sites) in enumerate(by_size):
            share = min(left // (len(by_size) - index), len(sites) * self.length)
            left -= share
            draw.shuffle(sites)
            for place, site in enumerate(sites):
                times = share // len(sites) + (place < share % len(sites))
                runs += [(site, cycle) for cycle in self.cycles(draw, times)]
        return [(site, cycle, seed + place // BATCH) for place, (site, cycle) in enumerate(runs)]

    def play(self, simulators, plan, vcd=None):
        """The verdicts on the plan's runs, each a list of words; of the simulators the one that it is for."""
        simulator = simulators[self.simulator]
        text = "".join(f"{site} {cycle} {seed}\n" for site, cycle, seed in plan)
        done = subprocess.run([simulator, self.netlist] + ([vcd] if vcd else []), input=text, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{self.line}: {done.stderr.strip()}")
        return [line.split() for line in done.stdout.splitlines()]


def what_noticed(whats, what):
    return "+".join(name for bit, name in enumerate(whats) if what >> bit & 1) or "o_error alone"


def describe(fabric, run, verdict):
    site, cycle, seed = run
    kind, error, what, wrong, node, part, word, after, last = verdict
    text = f"{kind}: {fabric.sites[site].name} in cycle {cycle}, seed {seed}"
    if wrong != "-":
        text += f"; word {word} of token {part} at node {node} is wrong in cycle {wrong}"
    if error != "-":
        text += f"; o_error in cycle {error}: {what_noticed(fabric.whats, int(what))}"
    return text if after == last == "clean" else f"{text}; the next gossips: {after}, {last}"


def recovers(verdict, stays):
    """After a fault that was noticed the next gossip is clean. After one that was not it may be that which notices,
    and then the one after it is clean. Where a flip stays until somebody comes by, the one after may notice it, too."""
    kind, *_, after, last = verdict
    if stays and kind == "no-effect" and after == "clean":
        return last in ("clean", "error")
    return (after == "clean" or (kind == "no-effect" and after == "error")) and last == "clean"


class Figures:
    """What became of a fabric's runs."""

    def __init__(self, fabric, plan, verdicts):
        self.line, self.protected = fabric.line, fabric.protected
        clocks = fabric.line.startswith("clocks: ")
        self.places = {name: len(sites) for name, sites in fabric.classes.items()}
        self.length, self.names = fabric.length, fabric.whats
        self.counts = collections.defaultdict(collections.Counter)
        self.whats = collections.defaultdict(collections.Counter)
        self.failures = collections.defaultdict(list)  # by class and kind
        kind_of = {site: name for name, sites in fabric.classes.items() for site in sites}
        for run, verdict in zip(plan, verdicts):
            name = kind_of[run[0]]
            kind = "noticed-later" if verdict[0] == "no-effect" and verdict[-2] == "error" else verdict[0]
            self.counts[name][kind] += 1
            if verdict[2] != "-":
                self.whats[name][int(verdict[2])] += 1
            lost = kind in ("silent", "hang") and (self.protected or name in PROMISES)
            # Chips with clocks of their own all come back, whatever it was.
            stays = not recovers(verdict, fabric.simulator == "hosts") if self.protected else clocks and verdict[-1] != "clean"
            if name not in NO_PROMISE and (lost or stays):
                self.failures[name, kind, *verdict[-2:]].append(describe(fabric, run, verdict))
        if not self.protected:
            for name in sorted(self.counts):
                if name not in NO_PROMISE + PROMISES and not self.counts[name]["silent"]:
                    self.failures[name, "blind"].append(f"no silent fault in {name}: nothing is seen there")

    def rows(self):
        for name in sorted(self.counts, key=ORDER.index):
            counts = self.counts[name]
            yield name, sum(counts[verdict] for verdict in VERDICTS), counts

    def title(self):
        """Of its table."""
        kind, options = self.line.split(": ", 1) if ": " in self.line else ("", self.line)
        for long, short in ((WORDS, "--stream .."), (BLOCKS, "--stream, blocks .."), (WIDE, "--wide .."), ("--collective", "-c"),
                            (f"--solver circgo --solver-options parts=1 {PATHS}", "--solver circgo ..")):
            options = options.replace(long, short)
        names = {"axis": "the top of streams of ", "registers": "the top with registers of ", "chips": "", "clocks": "",
                 "serial": "the board top, by its serial line, of ", "hosts": "", "": ""}
        options = options.replace(OWN, "--chips 1 --clocks own ..")
        options = options.replace("--token-bits 8 --link-bits 8 --link-mode full", "--token-bits 8 ..")
        title = f"{names.get(kind, kind + ', ')}`generate -t {options}`".replace("rerouted by", "rerouted,")
        return title if len(title) < 117 else title.replace(" --protect detect`", "`, protected")  # a line has 120 columns

    def show(self):
        text = [f"{self.line}: a run is {self.length} cycles"]
        for name, runs, counts in self.rows():
            text.append(f"    {name:9} {self.places[name]:6} places {runs:7} flips: " +
                        ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]))
            if self.whats[name]:
                whats = sorted(self.whats[name].items())
                text.append("              noticed by " +
                            ", ".join(f"{what_noticed(self.names, what)} {number}" for what, number in whats))
        for failures in self.failures.values():
            text += [f"    {failure}" for failure in failures[:SHOWN]]
            if len(failures) > SHOWN:
                text.append(f"    and {len(failures) - SHOWN} more like these")
        return "\n".join(text)


INTRODUCTION = f"""## Faults

One bit of a generated fabric flips once: a flip-flop, a bit of a store or of a ROM (for good, and for one cycle), a
wire between nodes or one that a store is written from.

<!-- docs: skip minutes to hours: tests run their short forms -->
    make faults

A flip is *noticed* where `o_error`, or with a wrong word its node's `o_fault`, is 1 in or before the cycle in which a
wrong word is read, or in the next gossip where no word is wrong. It is *silent* where a wrong word is read before that.
A *hang* is a gossip that is not done in twice its time. The columns between say what noticed the flip (`o_error_what`).
The rows are kinds of places. *checker* is the hardware that only fabrics with `--protect detect` have. *outside*, not
in the sum, are the fabric's inputs, up to the flip-flops that take them, and its outputs: nothing in the fabric can
notice these.

- **Behind AXI4-Streams**, with random pauses, beats are read, and `o_error` may be 8 cycles late; columns are
  `o_status`. *overlap* is a second store. *wrapper*, not in the sum either, assembles beats, counts them, and goes
  through the phases.
- **Over a board's serial line** a flip is noticed if the host is told before the next gossip. The columns say what it
  is told: a fault, a board that began anew, one that runs, another number of starts. *line* are the serial line's two
  wires, *wrapper* the board's side of the host. A *hang* is a request that has no answer, however often it is asked.
  Half of the flips come while the nodes play.
- **Chips with clocks of their own** have a *phase*, which tells an entry of a cable that was not written in time. Flips
  of it are never silent and never a hang, also without protection, and after any flip the second gossip at the latest
  is clean.
- **Streams**: a run is some vectors; `o_error` may be 2 cycles late, and a reset follows. *status* is the time limit
  and what hosts are told of it, *checker* the twin. Wide nodes with blocks have a twin, too.

In the titles below some options are short forms:

- `--stream ..` is `{WORDS}`, a word a cycle.
- `--stream, blocks ..` is `{BLOCKS}`, blocks by rounds.
- `--chips 1 --clocks own ..` is `{OWN}`.
- `--wide ..` is `{WIDE}`."""


def table(figures):
    """A fabric's figures, a line for each class and one for the sum of those that are in the fabric."""
    lines = [f"### {figures.title()}", "",
             "| class | places | flips | no effect | noticed | " + " | ".join(figures.names) + " | silent | hang |",
             "| --- | --- | --- | --- | --- | " + "--- | " * len(figures.names) + "--- | --- |"]
    numbers = {}
    for name, runs, counts in figures.rows():
        whats = [sum(number for what, number in figures.whats[name].items() if what >> bit & 1)
                 for bit in range(len(figures.names))]
        numbers[name] = [figures.places[name], runs, counts["no-effect"],
                         sum(counts[verdict] for verdict in VERDICTS if verdict.startswith("noticed")), *whats,
                         counts["silent"], counts["hang"]]
    numbers["sum"] = [sum(column) for column in zip(*(row for name, row in numbers.items() if name not in NO_PROMISE))]
    for name in NO_PROMISE:
        if name in numbers:
            numbers[name] = numbers.pop(name)
    return lines + [f"| {name} | {' | '.join(map(str, row))} |" for name, row in numbers.items()]


def report(figures, path):
    """The figures as a section of Markdown."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n\n".join([INTRODUCTION] + ["\n".join(table(made)) for made in figures]) + "\n")


def build(work, name):
    simulator = os.path.join(work, name)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.cc")
    subprocess.run(["c++", "-std=c++17", "-O2", "-Wno-psabi", "-o", simulator, source], check=True)
    return simulator


def campaign(program, simulators, line, options, only=None, patch=None):
    """Of one class alone where `only` names it."""
    with tempfile.TemporaryDirectory(prefix="gossipfab-faults-") as work:
        fabric = Fabric(program, line, work, patch)
        fabric.classes = {name: sites for name, sites in fabric.classes.items() if only in (None, name)}
        plan = fabric.plan(options.count, options.seed)
        return Figures(fabric, plan, fabric.play(simulators, plan))


def planted(program, simulators, options):
    """0 where each of PLANTED is refused, and the same with its check is not."""
    missed = 0
    for line, name, file, check, nothing in PLANTED + ([] if options.short else PLANTED_LONG):
        def leave_out(folder):
            path = os.path.join(folder, "rtl", file)
            with open(path, encoding="utf-8") as source:
                text = source.read()
            if check not in text:
                raise RuntimeError(f"{file} has no '{check}' that could be left out")
            with open(path, "w", encoding="utf-8") as source:
                source.write(text.replace(check, nothing))
        sound = campaign(program, simulators, line, options, name).failures
        found = campaign(program, simulators, line, options, name, leave_out).failures
        missed += bool(sound) or not found
        why = ", ".join(sorted({kind for _, kind, *_ in found}))
        print(f"{line}: without {check.split(chr(10))[0]} " + (f"refused for {why} in {name}" if found else "accepted") +
              ("; refused with it, too" if sound else ""), flush=True)
    return 1 if missed else 0


def count_places(program, line):
    """A line with a fabric's number of places in each class, and whether each place is in one."""
    with tempfile.TemporaryDirectory(prefix="gossipfab-faults-") as work:
        try:
            classes = Fabric(program, line, work).classes
        except RuntimeError as error:
            return f"{line}: {error}", False
        return f"{line}: " + ", ".join(f"{name} {len(classes[name])}" for name in ORDER if name in classes), True


def repeat(program, simulators, line, options):
    place, cycle, seed = options.repeat
    with tempfile.TemporaryDirectory(prefix="gossipfab-faults-") as work:
        fabric = Fabric(program, line, work)
        found = [index for index, site in enumerate(fabric.sites) if site.name == place]
        if not found or not cycle.isdigit() or int(cycle) >= fabric.length or not seed.isdigit():
            raise RuntimeError(f"--repeat takes a place of {line}, a cycle below {fabric.length} and a seed")
        run = (found[0], int(cycle), int(seed))
        print(describe(fabric, run, fabric.play(simulators, [run], options.vcd)[0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--fabric", action="append")
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--repeat", nargs=3, metavar=("PLACE", "CYCLE", "SEED"))
    parser.add_argument("--vcd")
    parser.add_argument("--report")
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("--simulators", metavar="FOLDER",
                        help="of gfab_faults_simulate, _streams and _serial; built with c++ where this is not given")
    options = parser.parse_args()
    if not shutil.which("yosys"):
        print("faults: skipped, yosys is missing", file=sys.stderr)
        return 77
    fabrics = options.fabric or (SHORT if options.short else FABRICS)
    if options.count < 1:
        parser.error("--count takes a number from 1 on")
    if options.repeat and len(fabrics) != 1:
        parser.error("--repeat takes one --fabric")
    if options.vcd and not options.repeat:
        parser.error("--vcd takes --repeat, whose waveform it is")
    program = os.path.abspath(options.program)
    if options.places:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            counted = list(pool.map(lambda line: count_places(program, line), fabrics))
        print("\n".join(text for text, _ in counted), flush=True)
        return 0 if all(classed for _, classed in counted) else 1
    with tempfile.TemporaryDirectory(prefix="gossipfab-faults-") as work:
        simulators = {name: os.path.join(options.simulators, f"gfab_faults_{name}") if options.simulators else
                      build(work, name) for name in WHATS}
        if options.planted:
            return planted(program, simulators, options)
        if options.repeat:
            repeat(program, simulators, fabrics[0], options)
            return 0
        figures = []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for made in pool.map(lambda line: campaign(program, simulators, line, options), fabrics):
                figures.append(made)
                print(made.show(), flush=True)
    if options.report:
        report(figures, options.report)
    failed = [made.line for made in figures if made.failures]
    print(f"faults: {sum(sum(runs for _, runs, _ in made.rows()) for made in figures)} flips in {len(figures)} fabrics"
          + (f"; not as they must be: {', '.join(failed)}" if failed else "; all as they must be"))
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RuntimeError, subprocess.CalledProcessError) as error:
        print(f"faults: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
