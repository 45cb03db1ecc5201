#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""thousand.py GOSSIPFAB WORK [GRAPH..]: best rates, certificates and schedules on machines of 1024 nodes.

Four graphs, full duplex: a torus of 32 x 32 with links of weight 2 along the columns; a fat-tree of 128 machines of 8
GPUs; a dragonfly; a random graph. What is no word of gossipfab's is written as DOT into WORK. Of each and every
collective but barrier and all-to-all: the best rate in rounds a block, its certificate checked by `bound --check`, and a
schedule of any length, verified: rounds of a period over blocks of a group, and the rounds of the first group. Seconds
of one core and MB of the slower of the two. --limit S ends what takes longer than S seconds of processor (60). Prints a
table in Markdown. Exit status 1 where something took longer or is not made, a certificate does not hold, or a schedule
is more than 5 % above the rate."""
import argparse
import json
import os
import resource
import subprocess
import sys
from fractions import Fraction

COLLECTIVES = ["broadcast", "reduce", "all-reduce", "all-gather", "reduce-scatter"]


def torus():
    """Links along an axis of 32 columns weigh 1, those along the rows 2."""
    yield from ((f"n{r:02}{c:02}", f"n{r:02}{(c + 1) % 32:02}", 1) for r in range(32) for c in range(32))
    yield from ((f"n{r:02}{c:02}", f"n{(r + 1) % 32:02}{c:02}", 2) for r in range(32) for c in range(32))


def fat_tree():
    """128 machines: 8 GPUs with links of weight 8 to a switch of their own, and of 1 to one of 16 leaves, of 64 GPUs each,
    which have a link of weight 4 to each of 16 spines."""
    for m in range(128):
        for g in range(8):
            yield f"g{m:03}{g}", f"s{m:03}", 8
            yield f"g{m:03}{g}", f"t{m // 8:02}", 1
    yield from ((f"t{leaf:02}", f"u{spine:02}", 4) for leaf in range(16) for spine in range(16))


def dot(work, name, links):
    path, links = os.path.join(work, name + ".dot"), list(links)
    nodes = sorted({v for a, b, _ in links for v in (a, b)})
    with open(path, "w", encoding="ascii") as out:
        out.write("graph {\n")
        for v in nodes:
            out.write(f"{v}{' [relay=true]' if v[0] in 'stu' else ''}\n")
        for a, b, weight in links:
            out.write(f"{a} -- {b} [packets={weight}]\n")
        out.write("}\n")
    return "file:" + path


def measured(limit, *arguments):
    """Output, seconds and MB; no output where it took longer."""
    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          preexec_fn=limited) as process:
        out, err = process.stdout.read(), process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode > 0:
        print(err, end="", file=sys.stderr)
    return out if process.returncode == 0 else None, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def row(gossipfab, work, name, topology, collective, limit):
    certificate = os.path.join(work, "certificate.txt")
    common = ["-t", topology, "-c", collective, "--link-mode", "full"]
    told, rate_s, rate_mb = measured(limit, gossipfab, "bound", *common, "--certificate", certificate, "--json")
    rate, holds = "-", False
    if told:
        rate = json.loads(told)["rate"]["rounds_a_block"]
        holds = measured(limit, gossipfab, "bound", "--check", certificate)[0] is not None
    told, seconds, mb = measured(limit, gossipfab, "schedule", *common, "--blocks", "any", "--json")
    made, ratio = "-", "-"
    if told:
        report = json.loads(told)
        made = f"{report['repeats']['period']} / {report['repeats']['group']}, {report['rounds']}, {report['solver']}"
        times = Fraction(report["repeats"]["period"], report["repeats"]["group"]) / Fraction(rate)
        ratio = f"{float(times):.3f}"
    print(f"| {name} | {collective} | {rate}{'' if holds else ' (not checked)'} | {rate_s:.1f} | {made} | {ratio} | "
          f"{seconds:.1f} | {max(mb, rate_mb):.0f} |", flush=True)
    return holds and told is not None and times <= Fraction(21, 20)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gossipfab")
    parser.add_argument("work")
    parser.add_argument("graphs", nargs="*")
    parser.add_argument("--limit", type=int, default=60)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    graphs = {"torus": dot(options.work, "torus", torus()), "fat-tree": dot(options.work, "fat-tree", fat_tree()),
              "dragonfly": "dragonfly:4,8,4", "random": "random:n=1024,m=8192,seed=1"}
    good = True
    print("| graph | collective | rounds a block | s | period / group, first group, solver | of the rate | s | MB |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in options.graphs or graphs:
        for collective in COLLECTIVES:
            good &= row(options.gossipfab, options.work, name, graphs[name], collective, options.limit)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
