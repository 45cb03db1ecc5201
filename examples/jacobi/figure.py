#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figure.py JACOBI OUT.svg: cycles of an iteration over the number of unknowns on the 4x4 mesh, those of multiplying
and those of moving data, as `jacobi` prints them."""
import re
import subprocess
import sys

ROWS = [1, 2, 3, 4, 6, 8, 10, 12, 14, 16]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 70, 110, 20, 50


def measure(jacobi, rows):
    said = subprocess.run([jacobi, "mesh:4x4", str(rows)], capture_output=True, text=True, check=True).stdout
    unknowns, iterations, multiply, move = map(
        int, re.search(r"(\d+) unknowns: (\d+) iter.*; (\d+) cycles of mult.*, (\d+) of moving", said).groups())
    return unknowns, multiply / iterations, move / iterations


def main():
    points = [measure(sys.argv[1], rows) for rows in ROWS]
    for unknowns, multiply, move in points:
        print(f"{unknowns:4d} unknowns: {multiply:8.1f} cycles of multiplying, {move:8.1f} of moving data")
    most_x, most_y = max(p[0] for p in points), max(max(p[1:]) for p in points)

    def place(x, y):
        return (LEFT + (WIDTH - LEFT - RIGHT) * x / most_x, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / most_y)

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           'font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    step = 4000
    for tick in range(0, int(most_y) + 1, step):
        x, y = place(0, tick)
        svg.append(f'<path d="M{x:.1f} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                   f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>')
    for tick in range(0, most_x + 1, 64):
        x, y = place(tick, 0)
        svg.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{tick}</text>')
    for column, colour, name in ((1, "#c0392b", "multiplying"), (2, "#2060a0", "moving data")):
        at = [place(p[0], p[column]) for p in points]
        svg.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="'
                   + " ".join(f"{x:.1f},{y:.1f}" for x, y in at) + '"/>')
        svg += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in at]
        svg.append(f'<text x="{at[-1][0] + 8:.1f}" y="{at[-1][1] + 4:.1f}" fill="{colour}">{name}</text>')
    svg.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">unknowns</text>')
    svg.append(f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
               'cycles of an iteration</text></svg>')
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(svg) + "\n")


main()
