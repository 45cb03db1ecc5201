#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""throughput.py GOSSIPFAB WORK [--most N] [--figure OUT.svg]: bytes a second a node of an all-reduce on torus:4x4, over the
length of its vector, for every kind of fabric, at one clock for all; beside formulas of others under the same
assumptions, and the bound. docs/reference/throughput.md has what is assumed.

Fabrics with stores: the C model plays, loads and unloads are those of the AXI4-Stream ports. Streams: Icarus plays them,
and every beat is right. A second table has the clocks that the docs' tables have, and what comes of them.
Exit status 1 where a stream takes more than its schedule's rate, 2 % and 200 cycles, or less than the bound."""
import argparse
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

GRAPH, NODES, LINKS_AWAY = "torus:4x4", 16, 4
LENGTHS = (1, 4, 16, 64, 256, 1024)
STORE = 256  # words of a vector that a fabric with stores takes at a time
BYTES, MHZ = 4, 100
DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
COLOURS = {"wide stream": "#c0392b", "wide, full": "#2060a0", "wide, half": "#60a0e0", "narrow stream": "#b07020",
           "narrow, full": "#308040", "narrow, half": "#80c080", "FlooNoC": "#808080", "wafer-scale": "#a080c0",
           "bound": "#000000"}


def run(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def stored(gossipfab, mode, link_bits, words, token_bits=32):
    """Cycles to load, play and unload a vector of so many tokens, in parts that fit."""
    total = 0
    for part in [STORE] * (words // STORE) + [words % STORE] * (words % STORE > 0):
        made = json.loads(run([gossipfab, "simulate", GRAPH, "--collective", "all-reduce", "--blocks", str(part),
                               "--link-mode", mode, "--store", "wide" if link_bits == 32 else "narrow", "--token-bits",
                               str(token_bits), "--link-bits", str(link_bits), "--json"]))
        if made["tokens_wrong"] or not made["cycles_equal_formula"]:
            sys.exit(f"{mode}, {link_bits} bits, {part} words: wrong")
        total += made["cycles"] + part * made["timing"]["words"] + part * (made["timing"]["words"] + 1)
    return total


class Stream:
    """A fabric with streams, made once."""

    def __init__(self, gossipfab, folder, token_bits, link_bits):
        shutil.rmtree(folder, ignore_errors=True)
        run([gossipfab, "generate", GRAPH, "--collective", "all-reduce", "--stream", "--token-bits", str(token_bits),
             "--link-bits", str(link_bits), "-o", str(folder)])
        run(["make", "-s", "build/tb_stream.vvp"], cwd=folder)
        self.folder, self.beats = folder, 32 // link_bits

    def cycles(self, words):
        """From the first beat in to the last one out of the slowest host, one vector, nobody waits."""
        said = run(["vvp", "-N", "build/tb_stream.vvp", f"+length={words * self.beats}", "+vectors=1", "+pauses=0"],
                   cwd=self.folder)
        return int(re.search(r"in all in (\d+) cycles, every beat as expected", said)[1])


def bound(gossipfab, words):
    """Cycles: a word a round over links of a word, and a word a cycle at every host."""
    made = json.loads(run([gossipfab, "bound", GRAPH, "--collective", "all-reduce", "--blocks", str(words), "--link-mode",
                           "full", "--json"]))
    return max(words, max(found["rounds"] for found in made["bounds"]))


def floonoc(words):
    """T = alpha + (n + c - 1) beta: a reduction in two dimensions, beta = 2, and behind it a multicast's way; alpha = 0."""
    return 2 * (words + NODES - 1) + NODES - 1


def wafer_scale(words):
    """T = max(C, E / N) + L + (2 T_R + 1) D: a chain of all nodes, then a broadcast; T_R = 2."""
    chain = max(words, words * (NODES - 1) / 64) + (NODES - 1) + 5 * (NODES - 1)
    return math.ceil(chain + words + LINKS_AWAY + 5)


def measure(gossipfab, work, lengths):
    """{name: [cycles]}"""
    wide, narrow = Stream(gossipfab, work / "wide", 32, 32), Stream(gossipfab, work / "narrow", 20, 2)
    ways = {"wide stream": wide.cycles}
    ways.update({f"{kind}, {mode}": lambda n, mode=mode, bits=bits: stored(gossipfab, mode, bits, n)
                 for kind, bits in (("wide", 32), ("narrow", 2)) for mode in ("full", "half")})
    ways.update({"narrow stream": narrow.cycles, "FlooNoC": floonoc, "wafer-scale": wafer_scale,
                 "bound": lambda n: bound(gossipfab, n)})
    return {name: [way(n) for n in lengths] for name, way in ways.items()}


def clocks():
    """{name: (MHz, page)} of the tables of the docs."""
    found = {}
    for name, page, pattern in (
            ("wide, half", "reference/wide-links.md", r"\| all-reduce, sum \| half \|.*\| (\d+) \|\n"),
            ("wide, full", "reference/wide-links.md", r"\| all-reduce, sum \| full \|.*\| (\d+) \|\n"),
            ("narrow, half", "reference/throughput.md", r"\| narrow, half \| (\d+\.\d) \|\n"),
            ("narrow, full", "reference/throughput.md", r"\| narrow, full \| (\d+\.\d) \|\n"),
            ("wide stream", "guide/streams.md", r"\| all-reduce: .*\| (\d+\.\d) \|\n")):
        match = re.search(pattern, (DOCS / page).read_text(encoding="utf-8"))
        if not match:
            sys.exit(f"{page} has no clock of {name}")
        found[name] = float(match[1]), page
    return found


def rate(words, cycles, mhz=MHZ):
    return BYTES * words * mhz / cycles


def tokens(gossipfab, work):
    """An all-reduce of as many tokens as nodes, of F words of 32 bits each: nanoseconds, each at its own clock."""
    stream, mhz = Stream(gossipfab, work / "wide", 32, 32), clocks()
    print("| F | wide, half | wide, full | wide stream | the fastest |\n| --- | --- | --- | --- | --- |")
    for flits in (1, 2, 4, 8, 16, 32, 64):
        took = {f"wide, {mode}": stored(gossipfab, mode, 32, NODES, 32 * flits) for mode in ("half", "full")}
        took["wide stream"] = stream.cycles(NODES * flits)
        spent = {name: 1000 * cycles / mhz[name][0] for name, cycles in took.items()}
        print(f"| {flits} | " + " | ".join(f"{value:.0f}" for value in spent.values()) + f" | {min(spent, key=spent.get)} |")


def draw(cycles, lengths):
    """Both axes logarithmic."""
    width, height, left, right, top, bottom = 760, 420, 60, 140, 20, 50
    least, most = 2, 500
    x_of = {n: left + (width - left - right) * i / (len(lengths) - 1) for i, n in enumerate(lengths)}

    def y_of(value):
        return top + (height - top - bottom) * (1 - math.log(value / least) / math.log(most / least))

    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
            'font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for tick in (3, 10, 30, 100, 300):
        text.append(f'<path d="M{left} {y_of(tick):.1f}H{width - right}" stroke="#ddd"/><text x="{left - 8}" '
                    f'y="{y_of(tick) + 4:.1f}" text-anchor="end">{tick}</text>')
    text += [f'<text x="{x:.1f}" y="{height - bottom + 18}" text-anchor="middle">{n}</text>' for n, x in x_of.items()]
    ends = sorted((y_of(rate(lengths[-1], taken[-1])), name) for name, taken in cycles.items())
    label_y, lowest = {}, 0
    for y, name in ends:
        label_y[name] = lowest = max(y, lowest + 15)
    for name, taken in cycles.items():
        line = " ".join(f"{x_of[n]:.1f},{y_of(rate(n, c)):.1f}" for n, c in zip(lengths, taken))
        dash = ' stroke-dasharray="5 4"' if name in ("FlooNoC", "wafer-scale", "bound") else ""
        text.append(f'<polyline fill="none" stroke="{COLOURS[name]}" stroke-width="2"{dash} points="{line}"/>')
        text.append(f'<text x="{width - right + 8}" y="{label_y[name] + 4:.1f}" fill="{COLOURS[name]}">{name}</text>')
    text.append(f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">words of 32 bits in a '
                f'vector</text><text transform="translate(16 {height / 2}) rotate(-90)" text-anchor="middle">MB/s a node '
                f'at {MHZ} MHz</text></svg>')
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=LENGTHS[-1])
    parser.add_argument("--figure", type=pathlib.Path)
    parser.add_argument("--tokens", action="store_true", help="nanoseconds over the length of a token alone")
    parser.add_argument("--planted", type=int, default=0, help="streams take so many cycles more, which must be seen")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    gossipfab = str(pathlib.Path(options.gossipfab).resolve())
    if options.tokens:
        tokens(gossipfab, options.work.resolve())
        return
    lengths = [n for n in LENGTHS if n <= options.most]
    cycles = measure(gossipfab, options.work.resolve(), lengths)
    for name in ("wide stream", "narrow stream"):
        cycles[name] = [taken + options.planted for taken in cycles[name]]
    print("| cycles | " + " | ".join(map(str, lengths)) + " |\n| --- |" + " --- |" * len(lengths))
    for name, taken in cycles.items():
        print(f"| {name} | " + " | ".join(map(str, taken)) + " |")
    print(f"\n| MB/s a node at {MHZ} MHz | " + " | ".join(map(str, lengths)) + " |\n| --- |" + " --- |" * len(lengths))
    for name, taken in cycles.items():
        print(f"| {name} | " + " | ".join(f"{rate(n, c):.1f}" for n, c in zip(lengths, taken)) + " |")
    print(f"\n| at its own clock | MHz | MB/s a node, {lengths[-1]} words | the clock's page |\n| --- | --- | --- | --- |")
    for name, (mhz, page) in clocks().items():
        print(f"| {name} | {mhz} | {rate(lengths[-1], cycles[name][-1], mhz):.1f} | {page} |")
    if options.figure:
        options.figure.write_text(draw(cycles, lengths), encoding="utf-8")
    wrong = [f"{name}, {n} words: {c} cycles" for name, beats in (("wide stream", 1), ("narrow stream", 16))
             for n, c, least in zip(lengths, cycles[name], cycles["bound"]) if not least <= c <= 1.02 * n * beats + 200]
    if wrong:
        sys.exit("not at the schedule's rate: " + "; ".join(wrong))


if __name__ == "__main__":
    main()
