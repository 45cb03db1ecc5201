#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""train.py EXPRESSIONS STEPS [FILE...] [--figure OUT.svg] [--mutant]: the training of train.c once more, in NumPy.

EXPRESSIONS has the line of `gossipfab show --expression B` for each block B: in that order totals are added up here.
What each FILE has, written by train, must be the same: every total of every step, and the network, in every bit.
--mutant: of block 0 the first ((a + b) + c) is (a + (b + c)); then the files have other bits, or this program is blind.
"""
import argparse
import re
import sys

import numpy as np

HOSTS, BLOCKS, ELEMENTS, LENGTH = 16, 16, 16, 512
POINTS, HIDDEN, OWN = 512, 20, 32
SIZES = {"w1": (2, HIDDEN), "b1": (HIDDEN,), "w2": (HIDDEN, HIDDEN), "b2": (HIDDEN,), "w3": (HIDDEN,), "b3": ()}
NUMBERS = sum(int(np.prod(size)) for size in SIZES.values())
F = np.float32


def draw(count, random):
    """count numbers evenly in -1 .. 1."""
    drawn = []
    for _ in range(count):
        random = (random * 1664525 + 1013904223) % 2**32
        drawn.append(random >> 8)
    return np.array(drawn, F) / F(8388608) - F(1)


def make_points():
    """Points and targets: 2 k is on the first spiral, 2 k + 1 on the second."""
    cosine, sine, x, y = F(0.99911167), F(0.04214154), F(1), F(0)
    noise = F(0.02) * draw(2 * POINTS, 1).reshape(POINTS, 2)
    points = np.empty((POINTS, 2), F)
    for k in range(POINTS // 2):
        radius = F(0.1) + F(0.9) * (F(k) / F(POINTS // 2))
        points[2 * k:2 * k + 2] = [[radius * x, radius * y], [-radius * x, -radius * y]]
        x, y = cosine * x - sine * y, sine * x + cosine * y
    return points + noise, np.where(np.arange(POINTS) % 2, F(-1), F(1))


def make_network():
    scale = np.repeat(F([3, 0.5, 0.3]), [3 * HIDDEN, HIDDEN * HIDDEN + HIDDEN, HIDDEN + 1])
    return scale * draw(NUMBERS, 2)


def parts(numbers):
    """Views of a network's weights and offsets; with hosts before them: of each."""
    at, views = 0, {}
    for name, size in SIZES.items():
        count = int(np.prod(size))
        views[name] = numbers[..., at:at + count].reshape(numbers.shape[:-1] + size)
        at += count
    return views


def bend(z):
    return z / (F(1) + np.abs(z))


def slope(a):
    return (F(1) - np.abs(a)) * (F(1) - np.abs(a))


def look(network, points):
    """The layers' values, for points of any shape."""
    n = parts(network)
    first = bend((n["b1"] + n["w1"][0] * points[..., :1]) + n["w1"][1] * points[..., 1:])
    z = np.broadcast_to(n["b2"], first.shape)
    for i in range(HIDDEN):
        z = z + n["w2"][i] * first[..., i:i + 1]
    second = bend(z)
    output = np.broadcast_to(n["b3"], second.shape[:-1])
    for j in range(HIDDEN):
        output = output + n["w3"][j] * second[..., j]
    return first, second, output


def gradients(network, points, targets):
    """Of all hosts at once, each point after point: shape (HOSTS, LENGTH)."""
    n, found = parts(network), np.zeros((HOSTS, LENGTH), F)
    first, second, output = look(network, points.reshape(HOSTS, OWN, 2))
    error = output - targets.reshape(HOSTS, OWN)
    back = error[..., None] * n["w3"] * slope(second)
    total = np.zeros_like(first)
    for j in range(HIDDEN):
        total = total + n["w2"][:, j] * back[..., j:j + 1]
    z, own = total * slope(first), parts(found)
    for p in range(OWN):
        point = points.reshape(HOSTS, OWN, 2)[:, p]
        found[:, NUMBERS] += F(0.5) * error[:, p] * error[:, p]
        own["b3"][...] += error[:, p]
        own["w3"][...] += error[:, p, None] * second[:, p]
        own["b2"][...] += back[:, p]
        own["w2"][...] += first[:, p, :, None] * back[:, p, None, :]
        own["b1"][...] += z[:, p]
        own["w1"][...] += z[:, p, None, :] * point[:, :, None]
    return found


def to_bfloat16(values):
    """The nearest such number, as float32. A sum of two of them has the same bits by way of float32 (Figueroa)."""
    bits = np.ascontiguousarray(values).view(np.uint32)
    return ((bits + np.uint32(0x7fff) + (bits >> 16 & 1)) & np.uint32(0xffff0000)).view(F)


def read_expressions(path, mutant):
    """A tree for each block: a host's number, or a pair."""
    trees = []
    for line in open(path, encoding="utf-8"):
        text = line.split(": ", 1)[1]
        trees.append(eval(re.sub(r"n(\d+)", r"\1", text).replace("+", ","), {"__builtins__": {}}))  # pairs of numbers
    if len(trees) != BLOCKS:
        sys.exit(f"train.py: {path} has {len(trees)} expressions, not {BLOCKS}")
    if mutant:
        trees[0], changed = regroup(trees[0])
        assert changed
    return trees


def regroup(tree):
    if isinstance(tree, int):
        return tree, False
    left, right = tree
    if not isinstance(left, int):
        return (left[0], (left[1], right)), True
    right, changed = regroup(right)
    return (left, right), changed


def add_up(tree, vectors):
    if isinstance(tree, int):
        return vectors[tree]
    return to_bfloat16(add_up(tree[0], vectors) + add_up(tree[1], vectors))


def train(trees, steps):
    """The totals of all steps, as the fabric has them, and the network in the end."""
    points, targets = make_points()
    network, mean, square = make_network(), np.zeros(NUMBERS, F), np.zeros(NUMBERS, F)
    totals = np.empty((steps, LENGTH), F)
    for step in range(steps):
        vectors = to_bfloat16(gradients(network, points, targets)).reshape(HOSTS, -1, BLOCKS, ELEMENTS)
        total = np.stack([add_up(tree, vectors[:, :, block]) for block, tree in enumerate(trees)], axis=1).reshape(-1)
        totals[step] = total
        g = total[:NUMBERS] / F(POINTS)
        mean = F(0.9) * mean + F(0.1) * g
        square = F(0.99) * square + F(0.01) * g * g
        network = network - F(0.01) * mean / (np.sqrt(square) + F(1e-6))
    return totals, network


def compare(path, totals, network):
    """What is other than here, or nothing."""
    steps = len(totals)
    data = open(path, "rb").read()
    if len(data) != steps * LENGTH * 2 + NUMBERS * 4:
        return f"{path}: {len(data)} bytes are not {steps} steps"
    theirs = np.frombuffer(data, "<u2", steps * LENGTH).reshape(steps, LENGTH)
    other = np.argwhere(theirs != totals.view(np.uint32) >> 16)
    if len(other):
        step, element = other[0]
        return f"{path}: {len(other)} totals have other bits, the first: step {step}, element {element}, " \
               f"block {element // ELEMENTS % BLOCKS}"
    if data[steps * LENGTH * 2:] != network.astype("<f4").tobytes():
        return f"{path}: another network"
    return None


def svg(totals, network):
    """The loss on the left, and on the right what the network says everywhere, with the points."""
    width, height, grid = 760, 380, 48
    losses = totals[:, NUMBERS] / F(POINTS)
    steps, highest = len(losses), float(max(losses)) * 1.05
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
            'font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for tick in range(int(highest * 10) + 1):
        y = 330 - 300 * tick / 10 / highest
        text.append(f'<path d="M50 {y:.1f}H360" stroke="#ddd"/><text x="44" y="{y + 4:.1f}" text-anchor="end">'
                    f'{tick / 10:.1f}</text>')
    for tick in range(0, steps + 1, max(1, steps // 4)):
        text.append(f'<text x="{50 + 310 * tick / steps:.1f}" y="348" text-anchor="middle">{tick}</text>')
    line = " ".join(f"{50 + 310 * s / steps:.1f},{330 - 300 * float(loss) / highest:.1f}" for s, loss in enumerate(losses))
    text.append(f'<polyline fill="none" stroke="#2060a0" stroke-width="1.5" points="{line}"/>')
    text.append('<text x="205" y="370" text-anchor="middle">step</text><text x="60" y="24">loss, added up by the fabric</text>')
    at = F(1.1) * ((np.arange(grid, dtype=F) + F(0.5)) * F(2 / grid) - F(1))
    where = np.stack(np.meshgrid(at, at), axis=-1)
    said, cell, left = look(network, where)[2] > 0, 340 / grid, 400
    text.append(f'<rect x="{left}" y="20" width="340" height="340" fill="#f6dcc8"/>')
    for row in range(grid):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], said[row], [False])).astype(int)))
        text += [f'<path d="M{left + begin * cell:.2f} {360 - (row + 1) * cell:.2f}h{(end - begin) * cell:.2f}v{cell:.2f}'
                 f'H{left + begin * cell:.2f}z" fill="#cfe0f2"/>' for begin, end in zip(edges[::2], edges[1::2])]
    points, targets = make_points()
    for (x, y), target in zip(points / F(1.1), targets):
        text.append(f'<circle cx="{left + 170 + 170 * float(x):.1f}" cy="{190 - 170 * float(y):.1f}" r="2" '
                    f'fill="{"#2060a0" if target > 0 else "#c0392b"}"/>')
    return "\n".join(text + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("expressions")
    parser.add_argument("steps", type=int)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--figure")
    parser.add_argument("--mutant", action="store_true")
    args = parser.parse_intermixed_args()
    totals, network = train(read_expressions(args.expressions, args.mutant), args.steps)
    print(f"NumPy: loss {totals[0, NUMBERS] / F(POINTS):.4f}, {totals[-1, NUMBERS] / F(POINTS):.4f} in the end")
    if args.figure:
        with open(args.figure, "w", encoding="utf-8") as file:
            file.write(svg(totals, network))
    faults = [fault for path in args.files if (fault := compare(path, totals, network))]
    for fault in faults:
        print(f"train.py: {fault}", file=sys.stderr)
    if faults:
        sys.exit(1)
    print("the same bits: NumPy" + "".join(f", {path}" for path in args.files))


if __name__ == "__main__":
    main()
