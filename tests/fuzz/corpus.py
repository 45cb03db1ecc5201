# SPDX-License-Identifier: MIT
"""Packed corpora: a text file, a line an input; \\n, \\\\ and \\xHH stand for what has no place in a line. replay.c
reads them, too."""
import pathlib
import re

ESCAPE = re.compile(rb"\\(n|\\|x[0-9a-f]{2})")


def pack(path, inputs):
    lines = []
    for data in inputs:
        text = "".join(chr(b) if 32 <= b < 127 and b != 92 else {10: "\\n", 92: "\\\\"}.get(b, f"\\x{b:02x}")
                       for b in data)
        lines.append(text + "\n")
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(lines), encoding="ascii")


def unpack(path):
    if not pathlib.Path(path).exists():
        return []
    special = {b"n": b"\n", b"\\": b"\\"}
    return [ESCAPE.sub(lambda m: special.get(m.group(1)) or bytes([int(m.group(1)[1:], 16)]), line)
            for line in pathlib.Path(path).read_bytes().split(b"\n")[:-1]]
