#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/pictures/node-area.svg and the table of docs/wide-links.md from node_area.py's figures.

node_area_plot.py FIGURES.csv: writes the picture beside it in pictures/, prints the table.
"""
import csv
import math
import pathlib
import sys

KEYS = ["topology", "links", "link bits", "token bits", "store", "crossbar", "cycles", "ice40 LUT", "ice40 FF", "ice40 RAM", "MHz", "ns",
        "ecp5 LUT", "ecp5 RAM", "ecp5 LUTRAM", "xc7 LUT", "xc7 RAM", "xc7 LUTRAM"]
LINES = [("half", "wide", "half duplex, F = 1", "#1f77b4"), ("full", "wide", "full duplex, F = 1", "#d62728"),
         ("half", "narrow", "narrow, F = 16", "#2ca02c")]


def table(rows):
    print("| " + " | ".join(KEYS) + " |\n|" + " --- |" * len(KEYS))
    for row in rows:
        print("| " + " | ".join(row[key] for key in KEYS) + " |")


def picture(rows):
    width, height, left, bottom = 640, 360, 60, 40
    lines = []
    for links, store, label, colour in LINES:
        points = sorted((int(row["link bits"]), float(row["ice40 LUT"])) for row in rows
                        if row["topology"] == "torus:4x4" and row["links"] == links and row["store"] == store
                        and (store == "wide" or int(row["token bits"]) == 16 * int(row["link bits"])))
        lines.append((label, colour, points))
    top = 100 * math.ceil(max(y for _, _, points in lines for _, y in points) / 100)
    x_of = lambda bits: left + math.log2(bits) / 6 * (width - left - 20)
    y_of = lambda lut: height - bottom - lut / top * (height - bottom - 20)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for lut in range(0, top + 1, 100):
        out.append(f'<path d="M{left} {y_of(lut):.1f}H{width - 20}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y_of(lut) + 4:.1f}" text-anchor="end">{lut}</text>')
    for bits in (1, 2, 4, 8, 16, 32, 64):
        out.append(f'<text x="{x_of(bits):.1f}" y="{height - bottom + 18}" text-anchor="middle">{bits}</text>')
    out.append(f'<text x="{(left + width) / 2}" y="{height - 6}" text-anchor="middle">link bits; torus:4x4, LUT4 of a node, iCE40</text>')
    for number, (label, colour, points) in enumerate(lines):
        path = "L".join(f"{x_of(x):.1f} {y_of(y):.1f}" for x, y in points)
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="3" fill="{colour}"/>' for x, y in points]
        out.append(f'<text x="{left + 12}" y="{34 + 18 * number}" fill="{colour}">{label}</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    figures = pathlib.Path(sys.argv[1])
    with open(figures, newline="") as file:
        rows = list(csv.DictReader(file))
    (figures.parent / "pictures").mkdir(exist_ok=True)
    (figures.parent / "pictures/node-area.svg").write_text(picture(rows))
    table(rows)


if __name__ == "__main__":
    main()
