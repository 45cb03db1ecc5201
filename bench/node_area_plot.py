#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/pictures/node-area.svg and the tables of docs/reference/wide-links.md from node_area.py's figures.

node_area_plot.py FOLDER/FIGURES.csv: writes the picture to pictures/ beside the folder, prints the tables.
"""
import csv
import math
import pathlib
import sys

# The columns of the two tables: their heads, and the figures' names.
NODE = {"topology": "topology", "links": "links", "L": "link bits", "W": "token bits", "store": "store"}
ICE40 = {**NODE, "crossbar": "crossbar", "cycles": "cycles", "LUT": "ice40 LUT", "FF": "ice40 FF", "RAM": "ice40 RAM",
         "MHz": "MHz", "ns": "ns"}
OTHERS = {**NODE, **{f"{part} {what}": f"{part} {what}" for part in ("ecp5", "xc7") for what in ("LUT", "RAM", "LUTRAM")}}
# links, store, label, colour, place of the label beside the line's last point
LINES = [("half", "narrow", ("narrow, half duplex,", "tokens of 16 flits"), "#7b4ea3"),
         ("half", "wide", ("wide, half duplex,", "tokens of 1 flit"), "#2b6cb0"),
         ("full", "wide", ("wide, full duplex,", "tokens of 1 flit"), "#c05621")]
S4NOC = (32, 536)  # bits of a link, LUT4 of a node at 4x4, without token storage (docs/reference/wide-links.md)
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 540, 76, 176, 84, 104
LINK_BITS = (1, 2, 4, 8, 16, 32, 64)
TICKS = (50, 100, 200, 500, 1000, 2000)
LOWEST, HIGHEST = 50, 2500


def table(rows, columns):
    print("| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns))
    for row in rows:
        print("| " + " | ".join(row[key] for key in columns.values()) + " |")


def points_of(rows, links, store):
    """(link bits, LUT4, whether the store is in block RAM) of the 4x4 torus; narrow nodes with tokens of 16 flits."""
    return sorted((int(row["link bits"]), float(row["ice40 LUT"]), float(row["ice40 RAM"]) > 0) for row in rows
                  if row["topology"] == "torus:4x4" and row["links"] == links and row["store"] == store
                  and int(row["token bits"]) == (1 if store == "wide" else 16) * int(row["link bits"]))


def x_of(bits):
    return LEFT + math.log(bits / LINK_BITS[0], LINK_BITS[-1] / LINK_BITS[0]) * (WIDTH - LEFT - RIGHT)


def y_of(luts):
    return HEIGHT - BOTTOM - math.log(luts / LOWEST, HIGHEST / LOWEST) * (HEIGHT - TOP - BOTTOM)


def frame():
    """Background, titles, both axes."""
    right, base = WIDTH - RIGHT, HEIGHT - BOTTOM
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="DejaVu Sans, Verdana, sans-serif">')
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    yield f'<text x="{LEFT}" y="34" font-size="18" font-weight="bold" fill="#1f2933">Area of a node against the width of its links</text>'
    yield (f'<text x="{LEFT}" y="56" font-size="12" fill="#616e7c">A node of the 4 x 4 torus on an iCE40, with its store, its '
           'program, half of its links and half of a sequencer</text>')
    yield '<g stroke="#e4e7eb" font-size="12" fill="#616e7c">'
    for bits in LINK_BITS:
        yield f'<path d="M{x_of(bits):.1f} {TOP}V{base}"/>'
        yield f'<text stroke="none" x="{x_of(bits):.1f}" y="{base + 20}" text-anchor="middle">{bits}</text>'
    for luts in TICKS:
        yield f'<path d="M{LEFT} {y_of(luts):.1f}H{right}"/>'
        yield f'<text stroke="none" x="{LEFT - 8}" y="{y_of(luts) + 4:.1f}" text-anchor="end">{luts}</text>'
    yield f'<rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{base - TOP}" fill="none" stroke="#9aa5b1"/></g>'
    yield '<g font-size="13" fill="#1f2933" text-anchor="middle">'
    yield f'<text x="{(LEFT + right) / 2}" y="{base + 44}">link width, bits</text>'
    middle = (TOP + base) / 2
    yield f'<text x="22" y="{middle}" transform="rotate(-90 22 {middle})">LUT4 of a node</text></g>'
    yield (f'<text x="{LEFT}" y="{HEIGHT - 34}" font-size="12" fill="#616e7c">Filled: stores in block RAM. Hollow: so small that Yosys '
           'makes them of flip-flops and LUTs.</text>')
    yield (f'<text x="{LEFT}" y="{HEIGHT - 16}" font-size="12" fill="#616e7c">S4NOC: 32-bit links, without token storage. '
           'Both axes are logarithmic.</text>')


def picture(rows):
    out = list(frame())
    for links, store, label, colour in LINES:
        points = points_of(rows, links, store)
        path = "L".join(f"{x_of(bits):.1f} {y_of(luts):.1f}" for bits, luts, _ in points)
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x_of(bits):.1f}" cy="{y_of(luts):.1f}" r="4" fill="{colour if ram else "#ffffff"}" stroke="{colour}" '
                'stroke-width="1.5"/>' for bits, luts, ram in points]
        bits, luts, _ = points[-1]
        # The two wide lines end close together: the upper one's label goes up, the lower one's down.
        shift = {"narrow": -2, "wide": -12 if links == "half" else 22}[store]
        out += [f'<text x="{x_of(bits) + 12:.1f}" y="{y_of(luts) + shift + 15 * line:.1f}" font-size="12" fill="{colour}">{text}</text>'
                for line, text in enumerate(label)]
    x, y = x_of(S4NOC[0]), y_of(S4NOC[1])
    out.append(f'<path d="M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z" fill="#4a5568"/>')
    out.append(f'<text x="{x + 12:.1f}" y="{y:.1f}" font-size="12" fill="#4a5568">S4NOC</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    if "--help" in sys.argv or len(sys.argv) != 2:
        print(__doc__)
        sys.exit("--help" not in sys.argv and 2)
    figures = pathlib.Path(sys.argv[1])
    with open(figures, newline="") as file:
        rows = list(csv.DictReader(file))
    (figures.parent.parent / "pictures").mkdir(exist_ok=True)
    (figures.parent.parent / "pictures/node-area.svg").write_text(picture(rows))
    table(rows, ICE40)
    print()
    table(rows, OTHERS)


if __name__ == "__main__":
    main()
