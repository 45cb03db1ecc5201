#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gossipfab_gen.py INPUT: FuseSoC's generator gossipfab. Runs `gossipfab generate` with the parameters in INPUT as its
options, into the folder `fabric` of the working directory, and gives its core the name that FuseSoC asks for."""

import os
import pathlib
import re
import subprocess
import sys

FOLDER = "fabric"


def fail(text):
    print(f"gossipfab_gen.py: {text}", file=sys.stderr)
    sys.exit(2)


try:
    import yaml
except ImportError:
    fail("python3 has no module yaml, which FuseSoC installs; run it where FuseSoC's own Python is the first on PATH")


def options_of(parameters):
    options = []
    for name, value in parameters.items():
        if name in ("o", "output"):
            fail(f"parameter {name}: the place is FuseSoC's to choose; leave it out")
        if not isinstance(value, (str, int)):
            fail(f"parameter {name}: {value!r} is no text, whole number, true or false")
        if value is True:
            options.append(f"--{name.replace('_', '-')}")
        elif value is not False:
            options += [f"--{name.replace('_', '-')}", str(value)]
    return options


def main():
    if len(sys.argv) != 2:
        fail("usage: gossipfab_gen.py INPUT")
    asked = yaml.safe_load(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    command = os.environ.get("GOSSIPFAB", "gossipfab")
    folder = pathlib.Path(FOLDER).resolve()
    line = [command, "generate", *options_of(asked["parameters"] or {}), "-o", str(folder)]
    try:
        status = subprocess.run(line, cwd=asked["files_root"], stdout=subprocess.DEVNULL, check=False).returncode
    except OSError as error:
        fail(f"{command}: {error.strerror}; install gossipfab, or set GOSSIPFAB to the path of its command")
    if status != 0:
        sys.exit(status if status > 0 else 1)
    (core,) = folder.glob("*.core")
    text = core.read_text(encoding="utf-8")
    core.write_text(re.sub(r'^name: .*$', f'name: "{asked["vlnv"]}"', text, count=1, flags=re.M), encoding="utf-8")


main()
