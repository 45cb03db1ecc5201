#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bits.py GOSSIPFAB LOCKSTEP WORK [TOPOLOGY COLLECTIVE OPERATOR BITS [OPTION..]]

Streams through a fabric whose operator minds the order: what hosts take is bit for bit what `show --expression` makes of
what they gave, by the processor's floats or by integers, and in every cycle the same in the C model. Words are any bits,
NaNs and infinities too. Without a row those below, and mutants: operands in another order, and a register that does not
stand still. Exit status: 0, 1 where a bit differs or a mutant is not seen, 77 without iverilog."""
import ctypes
import math
import pathlib
import re
import shutil
import struct
import subprocess
import sys

ROWS = ["mesh:2x3 all-reduce float32 32", "mesh:2x2 reduce bfloat16 32 --host-words 2 --operator-latency 3 --root 1",
        "path:3 all-reduce saturated 9 --operator-latency 0"]
MUTANTS = [("gfab_stream_chain.v", "i_words[k*BITS+:BITS]", "i_words[(INPUTS-k)*BITS+:BITS]"),
           ("gfab_held_delay.v", "if (i_enable)", "if (1'b1)")]


def number(bits, kind):
    return struct.unpack("<f", struct.pack("<I", bits << 16 if kind == "bfloat16" else bits))[0]


def add_floats(a, b, kind):
    """In float, of a + b in double: 53 >= 2 * 24 + 2 bits, so that it is rounded as if once; then to bfloat16 likewise."""
    total = ctypes.c_float(number(a, kind) + number(b, kind)).value
    if math.isnan(total):
        return 0x7fc0 if kind == "bfloat16" else 0x7fc00000
    bits = struct.unpack("<I", struct.pack("<f", total))[0]
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16 if kind == "bfloat16" else bits


def add(a, b, kind, bits):
    if kind == "saturated":
        top = 1 << (bits - 1)
        total = (a ^ top) - top + (b ^ top) - top
        return max(-top, min(top - 1, total)) & (2 * top - 1)
    width = 16 if kind == "bfloat16" else 32
    mask = (1 << width) - 1
    return sum(add_floats(a >> at & mask, b >> at & mask, kind) << at for at in range(0, bits, width))


def evaluate(expression, given, kind, bits):
    """given: by node. A sum in parentheses, or a node."""
    stack = []
    for word in re.findall(r"n\d+|\)", expression):
        if word == ")":
            right = stack.pop()
            stack.append(add(stack.pop(), right, kind, bits))
        else:
            stack.append(given[int(word[1:])])
    return stack[0]


def said(command, cwd=None):
    done = subprocess.run(command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          timeout=300)
    return done.returncode, done.stdout


def streams(lines, hosts, bits, handshake):
    """By host all words that went over: of handshake the columns with valid, ready and data."""
    valid, ready, data = handshake
    moved = [[] for _ in range(hosts)]
    for line in lines:
        go = int(line[valid], 16) & int(line[ready], 16)
        word = line[data] if data == 6 else bin(int(line[data], 16))[2:] if go and "x" not in line[data] else "0"
        word = word.zfill(hosts * bits)
        for host in range(hosts):
            if go >> host & 1:
                moved[host].append(int(word[len(word) - (host + 1) * bits:len(word) - host * bits], 2))
    return moved


class Fabric:
    def __init__(self, gossipfab, lockstep, folder, row):
        topology, collective, self.kind, bits, *options = row.split()
        self.lockstep, self.folder, self.bits, self.row = lockstep, folder, int(bits), row
        shutil.rmtree(folder, ignore_errors=True)
        status, text = said([gossipfab, "generate", topology, "--collective", collective, "--stream", "--operator",
                             self.kind, "--token-bits", bits, "--link-bits", bits, *options, "-o", folder])
        if status:
            raise SystemExit(f"bits: {row}: {text}")
        self.words = int(options[options.index("--host-words") + 1]) if "--host-words" in options else 1
        self.hosts = int(re.search(r'"streams": (\d+)', (folder / "manifest.json").read_text()).group(1))
        root = options[options.index("--root"):][:2] if "--root" in options else []
        shown = [gossipfab, "show", topology + "+hosts", "--collective", collective, "--blocks", "any", "--link-mode",
                 "full", "--solver", "host-tree", *root, "--solver-options", f"words={self.words}"]
        self.expressions = []
        for block in range(self.words):
            text = said(shown + ["--expression", str(block)])[1]
            self.expressions.append(re.search(rf"^block {block}, .*: (.*)$", text, re.M).group(1))

    def play(self):
        """The first difference, or None."""
        bench = self.folder / "build" / "tb_stream.vvp"
        bench.unlink(missing_ok=True)
        status, text = said(["make", "-s", "build/tb_stream.vvp"], self.folder)
        if status:
            return text
        compared, relays = 0, None
        for pauses in ("0", "1"):
            status, text = said(["vvp", "-N", bench, "+trace", "+bits", "+seed=5", "+vectors=4", "+beats=60",
                                 f"+pauses={pauses}"], self.folder)
            if status:
                return text.strip()[-200:]
            lines = [line.split() for line in (self.folder / "stream.trace").read_text().splitlines()]
            wide = self.bits * self.words
            given = streams(lines, self.hosts, wide, (0, 4, 1))
            taken = streams(lines, self.hosts, wide, (5, 3, 6))
            relays = min(int(n) for n in re.findall(r"n(\d+)", self.expressions[0]))
            for host in range(self.hosts):
                for beat, beats in enumerate(taken[host]):
                    for word, expression in enumerate(self.expressions):
                        mask = (1 << self.bits) - 1
                        gave = {relays + h: given[h][beat] >> word * self.bits & mask for h in range(self.hosts)}
                        right = evaluate(expression, gave, self.kind, self.bits)
                        compared += 1
                        if beats >> word * self.bits & mask != right:
                            return f"host {host}, beat {beat}: {beats >> word * self.bits & mask:x}, not {right:x}"
            status, text = said([self.lockstep, ".", "stream.trace"], self.folder)
            if status:
                return text
        print(f"bits: {self.row}: {compared} words as {', '.join(self.expressions)}")
        return None if compared else "nothing was compared"


def main():
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    if not shutil.which("iverilog"):
        print("bits: skipped, iverilog is missing", file=sys.stderr)
        return 77
    gossipfab, lockstep = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    work = pathlib.Path(sys.argv[3]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    rows = [" ".join(sys.argv[4:])] if sys.argv[4:] else ROWS
    for at, row in enumerate(rows):
        fabric = Fabric(gossipfab, lockstep, work / f"fabric-{at}", row)
        wrong = fabric.play()
        if wrong:
            print(f"bits: {row}: {wrong}")
            return 1
        for name, text, fault in MUTANTS if at == 0 else []:
            path = fabric.folder / "rtl" / name
            whole = path.read_text()
            assert text in whole, text
            path.write_text(whole.replace(text, fault))
            seen = fabric.play()
            path.write_text(whole)
            if not seen:
                print(f"bits: not found out: {name}: {fault}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
