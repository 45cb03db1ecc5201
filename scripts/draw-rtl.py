#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pictures of rtl/README.md: a node, a wide node, a fabric, and a round as a waveform.

draw-rtl.py [FOLDER]: writes them to docs/pictures, or to FOLDER.
"""
import pathlib
import sys

DARK, GREY, PALE, LINE = "#1f2933", "#616e7c", "#f5f7fa", "#3e4c59"
LANES = ("#2b6cb0", "#c05621", "#2f855a", "#7b4ea3")  # a colour for each lane
TINTS = ("#d6e6f5", "#fbe3d0", "#d5efdf", "#e8def3")


class Picture:
    def __init__(self, width, height, title):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            'font-family="DejaVu Sans, Verdana, sans-serif">',
            '<!-- SPDX-License-Identifier: MIT. Written by scripts/draw-rtl.py. -->',
            f'<title>{title}</title>',
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
            'markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
            f'<path d="M0 0L8 4L0 8z" fill="{LINE}"/></marker></defs>',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>']

    def text(self, x, y, text, size=12, colour=DARK, anchor="middle", bold=False):
        weight = ' font-weight="bold"' if bold else ""
        text = text.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{weight}>'
                          f'{text}</text>')

    def box(self, x, y, width, height, lines=(), fill=PALE, dashed=False, colour=LINE):
        """A box; of its lines the first is a name, in bold."""
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="3" fill="{fill}" '
                          f'stroke="{colour}"{dash}/>')
        top = y + height / 2 - 7.5 * (len(lines) - 1) + 4.5
        for i, line in enumerate(lines):
            size, colour = (12, DARK) if i == 0 else (11, GREY)
            self.text(x + width / 2, round(top + 15 * i, 1), line, size, colour, bold=i == 0)

    def line(self, path, start=False, end=True, width=1.4):
        tips = (' marker-start="url(#tip)"' if start else "") + (' marker-end="url(#tip)"' if end else "")
        self.parts.append(f'<path d="{path}" fill="none" stroke="{LINE}" stroke-width="{width}"{tips}/>')

    def dot(self, x, y):
        self.parts.append(f'<circle cx="{x}" cy="{y}" r="2.8" fill="{LINE}"/>')

    def write(self, path):
        path.write_text("\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")


def node():
    p = Picture(940, 500, "A narrow node: store, lanes, and the way of a word in and out")
    p.box(220, 20, 550, 460, fill="#ffffff")
    p.text(232, 40, "gfab_node", 13, anchor="start", bold=True)
    p.box(16, 66, 150, 60, ("gfab_program", "ROM and op register"))
    p.box(16, 206, 150, 60, ("host", "load, read while idle"), dashed=True)
    p.box(16, 396, 150, 60, ("gfab_sequencer", "one for all nodes"))
    p.box(290, 76, 100, 44, ("read address", "slot, word"))
    p.box(290, 186, 100, 74, ("delay", "recv and slot,", "K + x + l cycles"))
    p.box(440, 60, 110, 226, ("gfab_store", "dual-port RAM:", "N slots of", "F / K words,", "a word is", "K flits"))
    p.box(420, 380, 150, 56, ("gfab_flits_in", "flits of all lanes", "as words"))
    # The op: to the read address, and to the delay of what is received.
    p.line("M166 96H290")
    p.text(193, 90, "op", 11, GREY)
    p.dot(262, 96)
    p.line("M262 96V223H290")
    p.line("M390 98H440")
    p.text(415, 92, "read", 11, GREY)
    p.line("M390 223H440")
    p.text(415, 217, "write", 11, GREY)
    # The host: reads through the read address, loads through the write port.
    p.line("M166 226H242V110H290")
    p.line("M166 246H242V404H420")
    p.text(250, 397, "load", 11, GREY, "start")
    # The sequencer.
    p.line("M166 424H420")
    p.text(232, 442, "word number, turns: to all", 11, GREY, "start")
    p.line("M495 380V286")
    p.text(502, 340, "write data", 11, GREY, "start")
    # Lanes: out along x = 590, in along x = 616.
    p.line("M550 86H590", end=False)
    p.text(556, 80, "word", 11, GREY, "start")
    for c in range(4):
        y = 62 + 92 * c
        p.box(650, y, 104, 66, (f"gfab_lane {c}", "drives", "its link"), fill=TINTS[c], colour=LANES[c])
        p.line(f"M590 {y + 20}H650")
        p.line(f"M650 {y + 46}H616", end=False)
        p.dot(590, y + 20)
        p.dot(616, y + 46)
        p.line(f"M754 {y + 33}H836", start=True)
        p.text(842, y + 30, f"link of lane {c}", 11, DARK, "start")
        p.text(842, y + 44, "a flit a cycle", 11, GREY, "start")
    p.line(f"M590 82V{62 + 92 * 3 + 20}", end=False)
    p.line("M616 108V408H570")
    p.text(232, 470, "x = 1 where words have a register before the link (F > 2K), else 0; l = latency of the links", 11,
           GREY, "start")
    return p


def wide_node():
    p = Picture(940, 400, "A wide node: banks, and the crossbar between them and the links")
    p.box(220, 20, 550, 360, fill="#ffffff")
    p.text(232, 40, "gfab_wide_node", 13, anchor="start", bold=True)
    p.box(16, 70, 150, 74, ("gfab_program", "one word a round", "for all lanes, banks"))
    p.box(16, 190, 150, 60, ("host", "load, read while idle"), dashed=True)
    p.box(16, 300, 150, 60, ("gfab_sequencer", "one for all nodes"))
    p.box(376, 50, 378, 316, fill="#ffffff", dashed=True)
    p.text(388, 68, "gfab_banks", 12, anchor="start", bold=True)
    for b in range(2):
        y = 90 + 136 * b
        p.box(400, y, 120, 104,
              (f"bank {b}", "gfab_store", "a word is one flit,", "address: round of", "arrival, flit"))
        p.line(f"M520 {y + 26}H580")
        p.line(f"M580 {y + 78}H520")
        p.text(550, y + 20, "read", 11, GREY)
        p.text(550, y + 72, "write", 11, GREY)
    p.box(580, 90, 84, 240, ("crossbar", "as small", "as the", "schedule", "allows"))
    for c in range(4):
        y = 108 + 62 * c
        p.line(f"M664 {y}H836", start=True)
        p.box(694, y - 14, 48, 28, (f"lane {c}",), fill=TINTS[c], colour=LANES[c])
        p.text(842, y - 3, f"link of lane {c}", 11, DARK, "start")
        p.text(842, y + 11, "a flit a cycle", 11, GREY, "start")
    p.box(246, 200, 100, 60, ("places", "token to bank", "and round"))
    p.line("M166 107H376")
    p.text(232, 100, "reads, sends, stores", 11, GREY, "start")
    p.line("M166 222H246")
    p.line("M346 222H376")
    p.line("M166 336H376")
    p.text(232, 330, "write address", 11, GREY, "start")
    return p


def fabric():
    p = Picture(1010, 430, "A fabric: one sequencer, a program and a node for each place, links between nodes")
    p.box(16, 60, 172, 56, ("gfab_sequence", "ROM: what follows", "each round"))
    p.box(16, 160, 172, 92,
          ("gfab_sequencer", "counts lanes, words,", "rounds: the one clock", "of the whole schedule"))
    p.line("M102 116V160")
    p.line("M16 300H102V252")
    p.text(20, 292, "i_start", 11, GREY, "start")
    p.line("M130 252V330H16")
    p.text(20, 346, "o_busy, o_done", 11, GREY, "start")
    number = 0
    for row in range(2):
        y = 96 + 190 * row
        for side in range(2):
            x = 280 if side == 0 else 680
            p.box(x, y, 280, 110, fill="#ffffff", dashed=True, colour="#9aa5b1")
            node_x, program_x = (x + 155, x + 15) if side == 0 else (x + 15, x + 155)
            p.box(program_x, y + 30, 110, 56, ("gfab_program", "ROM, op register"))
            p.box(node_x, y + 30, 110, 56, ("gfab_node", "store, lanes"), fill="#d6e6f5", colour=LANES[0])
            p.text(x + 12, y + 18, f"node {number}", 12, anchor="start", bold=True)
            p.line(f"M{program_x + 110} {y + 58}H{node_x}" if side == 0 else f"M{program_x} {y + 58}H{node_x + 110}")
            p.text(x + 140, y + 52, "op", 11, GREY)
            number += 1
        p.box(582, y + 38, 76, 40, ("gfab_link",), fill="#fbe3d0", colour=LANES[1])
        p.line(f"M545 {y + 58}H582", start=True)
        p.line(f"M658 {y + 58}H695", start=True)
        p.line(f"M234 {y + 58}H280")
        p.line(f"M986 {y + 58}H960")
    for x in (490, 750):
        p.box(x - 38, 226, 76, 40, ("gfab_link",), fill="#fbe3d0", colour=LANES[1])
        p.line(f"M{x} 182V226", start=True)
        p.line(f"M{x} 266V316", start=True)
    p.line("M188 206H234", end=False)
    p.line("M234 40V344", end=False)
    p.line("M234 40H986V344", end=False)
    p.dot(234, 206)
    p.dot(234, 154)
    p.dot(986, 154)
    p.text(244, 33, "to all: round and lane (address of the programs), word number, whose turn it is", 11, GREY,
           "start")
    p.text(280, 418, "Each node also has a host port: load its own token, read every token. "
                     "A link is an OR of its two ends.", 11, GREY, "start")
    return p


def waveform():
    """Lanes 0 and 2 of a node send, lane 1 receives, lane 3 rests: docs/reference/fabric-timing.md, Cycle by cycle."""
    lanes, words, x = 4, 4, 1
    cycles, cell, left, top, step = 22, 36, 178, 62, 40
    kinds = ("send", "recv", "send", "idle")
    p = Picture(left + cycles * cell + 20, 426, "One round of a node with four lanes, cycle by cycle")
    p.text(16, 26, "One round of a node: K = 4 lanes, F = 16 cycles, words 0 to 3 of 4 flits", 14, anchor="start",
           bold=True)
    names = ("cycle", "op register: lane", "store read port", "store output", "link of lane 0 (send)",
             "link of lane 1 (recv)", "link of lane 2 (send)", "store write port")
    y_of = [top + step * i for i in range(len(names))]
    for i, name in enumerate(names):
        p.text(left - 12, y_of[i] + 17, name, 12, anchor="end")
    p.parts.append(f'<rect x="{left + 16 * cell}" y="{top - 8}" width="{6 * cell}" height="{step * len(names) + 2}" '
                   'fill="#f0f2f5"/>')
    for c in range(cycles + 1):
        p.parts.append(f'<path d="M{left + c * cell} {top + 26}V{top + step * len(names) - 8}" stroke="#d3d9e0" '
                       'stroke-width="0.7"/>')
    p.text(left + 8 * cell, top - 13, "the ops of this round", 11, GREY)
    p.text(left + 19 * cell, top - 13, "the ops of the next", 11, GREY)

    def put(row, cycle, label, lane, strong=False, size=10.5):
        fill, colour = (LANES[lane], "#ffffff") if strong else (TINTS[lane], DARK)
        p.parts.append(f'<rect x="{left + cycle * cell}" y="{y_of[row]}" width="{cell}" height="26" fill="{fill}" '
                       f'stroke="{LANES[lane]}" stroke-width="0.8"/>')
        p.text(left + cycle * cell + cell / 2, y_of[row] + 17, label, size, colour)

    for cycle in range(cycles):
        p.text(left + cycle * cell + cell / 2, y_of[0] + 17, str(cycle), 11, GREY)
    for word in range(words):
        for lane in range(lanes):
            t = lanes * word + lane
            put(1, t, f"{lane} {kinds[lane]}", lane, size=9)
            if kinds[lane] == "send":
                put(2, t, f"w{word}", lane, True)
                put(3, t + 1, f"w{word}", lane)
            if kinds[lane] != "idle":
                for flit in range(lanes):
                    put(4 + lane, t + 1 + x + flit, f"{word}.{flit}", lane)
            if kinds[lane] == "recv":
                put(7, t + lanes + x, f"w{word}", lane, True)
    p.line(f"M{left + (1 + lanes + x) * cell + 31} {y_of[5] + 26}V{y_of[7]}")
    y = top + step * len(names) + 12
    for line in ("w0 is word 0, 0.3 its flit 3. Each lane's link is in use for F cycles, "
                 "from a cycle later than the lane before.",
                 "A word is written in the cycle in which its last flit is on the link. "
                 "One lane reads and one writes at a time."):
        p.text(left, y, line, 11, GREY, "start")
        y += 17
    return p


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "docs/pictures"
    for name, draw in (("node", node), ("wide-node", wide_node), ("fabric", fabric), ("round", waveform)):
        draw().write(folder / f"rtl-{name}.svg")


if __name__ == "__main__":
    main()
