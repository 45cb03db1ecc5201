#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_readers.py ROOT: every public reader has a fuzz target.

A public reader is a function of include/ that takes text or bytes from outside: it is called .._read.. or .._parse, or
and takes text, a FILE *, JSON or a host; or has a FILE *file or *proof; or a parameter `text`, `path`, `folder`, `spec`,
`settings` or `from` of const char *. A function that writes or closes, .._write.. or .._close, is none. A reader's name must stand in a
tests/fuzz/<target>.c, or be in THROUGH: a reader that has a target calls it. Each target stands in the list of
tests/fuzz/CMakeLists.txt, with its corpus. Exit status: 0, 1 after a line for each fault."""
import pathlib
import re
import sys

# A declaration: what it returns, its name, its parameters. Types of functions are not readers, and have no name here.
DECLARATION = re.compile(r"^(?!typedef)[\w \*]*?\b(gfab_\w+)\(([^;{}]*?)\)\s*(?:__attribute__.*?)?;", re.M | re.S)
READS = re.compile(r"_(read|parse)(_\w+)?\(.*(FILE \*|const char \*|json_t \*|gfab_host \*)")
TAKES = re.compile(r"FILE \*(file|proof)\b|const char \*(text|path|folder|spec|settings|from)\b")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
# Readers that targets reach through another function, which calls them in this file.
MACHINE = ("gfab_machine_read", "core/fabric/machine_read.c")
THROUGH = {
    "gfab_schedule_read": ("fuzz_check_format", "core/schedule/text/schedule_formats.c"),
    "gfab_banks_read_joined": MACHINE,
    "gfab_banks_read_loads": MACHINE,
    "gfab_image_read_joined": MACHINE,
    "gfab_image_read_sequence_words": ("gfab_image_read_sequence", "core/fabric/image_text.c"),
    "gfab_layout_read_places": MACHINE,
}


def readers(root):
    """The names of public readers, and the header of each."""
    found = {}
    for header in sorted((root / "include").rglob("*.h")):
        text = COMMENT.sub("", header.read_text(encoding="utf-8"))
        for name, parameters in DECLARATION.findall(text):
            parameters = " ".join(parameters.split())
            if (READS.search(f"{name}({parameters}") or TAKES.search(parameters)) and not re.search("_write|_close$", name):
                found[name] = header.relative_to(root)
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    fuzz = root / "tests" / "fuzz"
    lists = (fuzz / "CMakeLists.txt").read_text(encoding="utf-8")  # those of MPI's library are listed apart
    listed = {target for words in re.findall(r"set\((?:fuzz_targets|fuzz_of_pmpi) ([^)]*)\)", lists) for target in words.split()}
    shared = ("fuzz", "pretend", "replay")
    sources = {file.stem: COMMENT.sub("", file.read_text(encoding="utf-8")) for file in sorted(fuzz.glob("*.c"))}
    faults = []
    for target in sorted(sources):
        if target not in listed and target not in shared:
            faults.append(f"tests/fuzz/{target}.c: not among fuzz_targets in tests/fuzz/CMakeLists.txt")
    for target in sorted(listed):
        if not (fuzz / "corpus" / f"{target}.txt").exists():
            faults.append(f"tests/fuzz/corpus/{target}.txt: missing, the corpus of a target")
    fuzzed = "\n".join(text for target, text in sources.items() if target in listed or target in shared)
    for name, header in readers(root).items():
        via, source = THROUGH.get(name, (name, None))
        if source and not re.search(rf"\b{name}\b", COMMENT.sub("", (root / source).read_text(encoding="utf-8"))):
            faults.append(f"{source}: does not call {name}; tests/fuzz/check_readers.py says so")
        if not re.search(rf"\b{via}\b", fuzzed):
            faults.append(f"{header}: {name} reads what comes from outside, and no tests/fuzz/*.c calls it")
    for fault in faults:
        print(f"check_readers: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
