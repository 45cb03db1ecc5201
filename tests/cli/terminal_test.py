#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""terminal_test.py GOSSIPFAB: on a terminal work that takes long shows a bar, which grows, and the time that is left;
a dumb terminal and a file get nothing of it. Nothing has a colour, whatever NO_COLOR says."""
import os
import pty
import re
import signal
import subprocess
import sys

LONG = ["simulate", "mesh:64x64"]
BAR = re.compile(rb"\rgossipfab: simulate: [a-z ]+ (\d+) of (\d+) \[(#*)(\.*)\]( \d+ (?:s|min|h) left)?\x1b\[K")


def shown(gossipfab, arguments, enough, term="xterm"):
    """What a terminal gets, until it is enough or the command has ended."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([gossipfab, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=theirs, env={**os.environ, "TERM": term})
    os.close(theirs)
    said = b""
    while not enough(said):
        try:
            part = os.read(ours, 4096)
        except OSError: # its end is closed
            break
        if not part:
            break
        said += part
    process.send_signal(signal.SIGINT)
    process.wait(20)
    os.close(ours)
    return said


def main():
    gossipfab = sys.argv[1]
    said = shown(gossipfab, LONG, lambda text: len([m for m in BAR.finditer(text) if m[5]]) > 3)
    bars = list(BAR.finditer(said))
    assert any(m[5] for m in bars), said
    for m in bars:
        done, total, full, rest = int(m[1]), int(m[2]), len(m[3]), len(m[4])
        assert full + rest == 20 and full == 20 * done // total, m[0]
    assert not re.search(rb"\x1b\[[0-9;]*m", said), "a colour"
    dumb = shown(gossipfab, ["simulate", "mesh:16x16"], lambda text: False, "dumb")
    assert dumb == b"", dumb
    print(f"terminal: {len(bars)} bars, the last {bars[-1][0][1:-3].decode()}")


main()
