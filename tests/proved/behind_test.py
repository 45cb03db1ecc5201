#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does behind.py find what it is for? behind_test.py GOSSIPFAB PROVED SOURCE: a gossipfab that says of a bad schedule
that it is valid, of a good one that it is not, and one that writes a bad schedule are found; the true one is not."""
import pathlib
import subprocess
import sys
import tempfile

LIAR = """#!/bin/sh
[ "$1" != schedule ] || cp "$(dirname "$0")/bad.gfs" "$3"
exit {status}
"""


def main():
    gossipfab, proved, source = sys.argv[1:]
    if not pathlib.Path(proved).exists():
        print("skipped: formal/schedules/prove.sh has not built", proved)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        good, bad, liar = folder / "good.gfs", folder / "bad.gfs", folder / "liar"

        def behind(program, *arguments):
            return subprocess.run([pathlib.Path(__file__).with_name("behind.py"), program, proved, source, *arguments],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode

        said = [behind(gossipfab, "schedule", "-o", good, "--topology", "machine:dgx1", "--link-mode", "full")]
        bad.write_text(good.read_text().replace("link-mode full", "link-mode half"))
        said += [behind(gossipfab, "verify", good), behind(gossipfab, "verify", bad)]
        for status in (0, 1):
            liar.write_text(LIAR.format(status=status))
            liar.chmod(0o755)
            said += [behind(liar, "verify", good), behind(liar, "verify", bad)]
        liar.write_text(LIAR.format(status=0))
        said += [behind(liar, "schedule", "-o", folder / "made.gfs")]
    if said != [0, 0, 1, 0, 99, 99, 1, 99]:
        sys.exit(f"the statuses are {said}")


if __name__ == "__main__":
    main()
