#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py BUILD: what the tests run of the RTL and of C, and BUILD/trust/coverage.md. Exit status: the
higher one of rtl.py and c.py."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
HEAD = """## Coverage

What the tests reach of the hand-written RTL and of the C sources, and what they leave out. `make coverage` prints it.

"""


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    trust = build / "trust"
    trust.mkdir(exist_ok=True)
    parts = [trust / "coverage-rtl.part", trust / "coverage-c.part"]
    commands = [[HERE / "rtl.py", build / "bin" / "gossipfab", build / "coverage-rtl", "--report", parts[0]],
                [HERE / "c.py", build, "--report", parts[1]]]
    status = max(subprocess.run(command, check=False).returncode for command in commands)
    texts = [part.read_text(encoding="utf-8") for part in parts if part.exists()]
    for part in parts:
        part.unlink(missing_ok=True)
    (trust / "coverage.md").write_text(HEAD + "\n".join(texts), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
