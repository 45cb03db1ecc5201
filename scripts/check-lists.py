#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every C and C++ source of a program is named in a CMakeLists.txt above it, or an extra's extra.cmake or
tests/tests.cmake, so that none is left out of the build unseen; those of the library's layers are in cmake/layers.cmake
and extra.cmake, which check-layers.py holds them to.

check-lists.py [ROOT]
"""
import pathlib
import re
import sys

FOLDERS = ["cli", "extras", "tests/unit", "tb", "bench"]
OWN_BUILD = ["tb/sim_main.cpp", "tb/lockstep/dut.cc", "tb/axis/axis.cc", "tb/board/board.cc",
             "tb/board/sim_host.cpp", "tb/modules/",  # with generated folders
             "extras/formats/tests/carry/"]  # with tables that a test has written


LISTS = ["CMakeLists.txt", "extra.cmake", "tests.cmake"]


def named(source, list_, root):
    words = set(re.split(r"[\s()\"]+", re.sub(r"#.*", "", list_.read_text())))
    inside = source.relative_to(list_.parent).as_posix()
    # Tests are listed by topic: `layout` stands for unit/layout_test.cc
    topic = re.sub(r"^(?:unit/)?(.*)_test\.cc$", r"\1", inside)
    return bool(words & {inside, topic, source.relative_to(root).as_posix()})


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    faults = []
    for folder in FOLDERS:
        for source in sorted(p for p in (root / folder).rglob("*") if p.suffix in (".c", ".cc", ".cpp")):
            name = source.relative_to(root).as_posix()
            if any(name.startswith(own) for own in OWN_BUILD):
                continue
            lists = [d / list_ for d in source.parents if d.is_relative_to(root) and d != root
                     for list_ in LISTS if (d / list_).exists()]
            if not any(named(source, list_, root) for list_ in lists) and source.name != "absent.c":
                nearest = lists[0].relative_to(root).as_posix() if lists else "a CMakeLists.txt above it"
                faults.append(f"{name}: not in {nearest}")
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
