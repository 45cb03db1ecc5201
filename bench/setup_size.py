#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What scripts/setup.sh installs on a bare Debian, for each of its lists: packages, MB to download, MB on the disk.

setup_size.py prints the rows of docs/reference/dependencies.md. Bare is: the packages that Debian calls essential or
required, apt, and make. apt is asked what it would install on a machine without any package; nothing is installed.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

SETUP = pathlib.Path(__file__).resolve().parents[1] / "scripts/setup.sh"


def ask(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def closure(packages):
    """{package: bytes to download} of these and all that they need."""
    with tempfile.NamedTemporaryFile() as none:
        said = ask("apt-get", "-qq", "-y", "--print-uris", "--no-install-recommends", "-o", "Debug::NoLocking=1", "-o",
                   f"Dir::State::status={none.name}", "install", *packages)
    return {line[1].split("_")[0]: int(line[2]) for line in map(str.split, said.splitlines()) if line[1].endswith(".deb")}


def disk_kb(packages):
    said = ask("apt-cache", "show", "--no-all-versions", *packages)
    return sum(map(int, re.findall(r"^Installed-Size: (\d+)", said, re.M)))


def main():
    if "--help" in sys.argv:
        print(__doc__)
        return
    known = ask("dpkg-query", "-W", "-f", "${Essential} ${Priority} ${Package}\n").splitlines()
    bare = [line.split()[-1] for line in known if re.match(r"yes |.*\brequired ", line)] + ["apt", "make"]
    base = closure(bare)
    for name in "demo", "test":
        more = {package: size for package, size in closure(bare + ask(SETUP, "--list", name).split()).items()
                if package not in base}
        print(f"| {name} | {len(more)} | {sum(more.values()) / 1e6:.0f} | {disk_kb(more) / 1e3:.0f} |")


if __name__ == "__main__":
    sys.exit(main())
