#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unchanged.py STAMP --tools TOOL.. --reads PATH.. -- COMMAND..: runs COMMAND, unless it has passed before on the same.

For checks that take long and read little, such as proofs of the RTL, which need not be made again after a change of the
schedulers. STAMP holds one SHA-256 of COMMAND's words, of the files at and below each PATH (names and bytes), of the
versions of the tools (--version) and of the variables in VARIABLES. It is written only after COMMAND has exited 0, with
the sum from before it ran, and removed before it runs. `rm STAMP` makes the check run again. Example:

    unchanged.py ring.passed --tools yosys --reads formal rtl -- formal/run.sh ring work
"""
import argparse
import hashlib
import os
import pathlib
import subprocess
import sys

VARIABLES = ("EDITS", "MUTANTS", "ONLY", "PROOFS")


def take_in(total, words):
    """Each with its length, so that no two lists of words have the same bytes."""
    for word in words:
        word = word if isinstance(word, bytes) else word.encode()
        total.update(b"%d:" % len(word) + word)


def sum_of(command, paths, tools):
    total = hashlib.sha256()
    take_in(total, command)
    take_in(total, (f"{name}={os.environ.get(name, '')}" for name in VARIABLES))
    for tool in tools:
        try:
            version = subprocess.run([tool, "--version"], capture_output=True, check=False).stdout
        except FileNotFoundError:  # the command says so
            version = b""
        take_in(total, (tool, version))
    for path in map(pathlib.Path, paths):
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        for file in files:
            take_in(total, (str(file), file.read_bytes()))
    return total.hexdigest()


def main():
    own, command = sys.argv[1:], []
    if "--" in own:
        own, command = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stamp", type=pathlib.Path)
    parser.add_argument("--tools", nargs="*", default=[])
    parser.add_argument("--reads", nargs="+", required=True)
    options = parser.parse_args(own)
    if not command:
        parser.error("-- and a command are missing")
    try:
        now = sum_of(command, options.reads, options.tools)
    except OSError as error:
        sys.exit(f"unchanged: {error.filename}: {error.strerror}")
    if options.stamp.exists() and options.stamp.read_text() == now:
        print(f"unchanged since it passed; rm {options.stamp} to run it again")
        return 0
    options.stamp.unlink(missing_ok=True)
    status = subprocess.run(command, check=False).returncode
    if status == 0:
        options.stamp.write_text(now)
    return status


if __name__ == "__main__":
    sys.exit(main())
