# SPDX-License-Identifier: MIT
"""Verilog as slang reads it: names are declared before they are used, and nothing else is in error.

lint_verilog.py SOURCES [FOLDER...]

SOURCES is the root of these sources, or - for none of them: rtl/, each module as a top, as in simulation, in proofs and
in synthesis; and every other Verilog file of theirs that needs no folder. A FOLDER is one that gossipfab generated: its
tops, and each of its benches. Prints each error; status 1 where there are any.

Icarus 11 and Verilator 5 take a name that is declared further down. Icarus 13 and slang refuse it.
"""
import pathlib
import re
import sys

from pyslang import driver


def read(files, tops=(), folders=(), defines=(), below=(), unknown=False):
    """Whether slang takes these files as one design, or says what is wrong. tops: its top modules, if not all that nothing
    instantiates; below: files that are no tops; unknown: modules may be missing."""
    slang = driver.Driver()
    slang.addStandardArgs()
    # Verilog-2005 gives $fopen its name in a register, SystemVerilog in a string.
    arguments = ["slang", "--relax-string-conversions", "--error-limit", "0", "-Wnone", *map(str, files)]
    for top in tops:
        arguments += ["--top", top]
    for folder in folders:
        arguments += ["-I", str(folder)]
    for file in below:
        arguments += ["-v", str(file)]
    for define in defines:
        arguments.append(f"-D{define}")
    if unknown:
        arguments.append("--ignore-unknown-modules")
    if not (slang.parseCommandLine(" ".join(arguments)) and slang.processOptions() and slang.parseAllSources()):
        return False
    slang.reportCompilation(slang.createCompilation(), True)
    return slang.reportDiagnostics(True)


MODULE = re.compile(r"^module\s+(\w+)", re.MULTILINE)
INCLUDE = re.compile(r'^`include\s+"([^"]*)"', re.MULTILINE)
USED = re.compile(r"`([A-Z_]+)\b")
DEFINED = re.compile(r"`define\s+(\w+)")
ASKED = re.compile(r"^`ifn?def\s+([A-Z_]+)\s*$", re.MULTILINE)


def modules(file):
    return MODULE.findall(file.read_text())


def read_rtl(root):
    """Of each module of rtl/, in each of the three ways in which tools take its macros."""
    files = sorted((root / "rtl").rglob("*.v"))
    folders = sorted({file.parent for file in files})
    tops = [name for file in files for name in modules(file)]
    for define in ("SIMULATION", "FORMAL", "SYNTHESIS"):
        yield f"rtl, {define}", read(files, tops, folders, [define])


def read_alone(root):
    """Of the files that need no folder: what they instantiate may be generated ones."""
    rtl = sorted((root / "rtl").rglob("*.v"))
    folders = sorted({file.parent for file in rtl})
    headers = {file.name for folder in folders for file in folder.glob("*.vh")}
    known = {name for folder in folders for file in folder.glob("*.vh") for name in DEFINED.findall(file.read_text())}
    for area in ("formal", "tb", "tests", "examples", "bench"):
        for file in sorted((root / area).rglob("*.v")):
            text = file.read_text()
            if "build" in file.parts or not MODULE.search(text) or not set(INCLUDE.findall(text)) <= headers:
                continue
            own = set(modules(file))
            others = [other for other in rtl if not own & set(modules(other))]
            # What the command line gives is any number, or not there; what is asked for is given, one by one.
            own_names = known | set(DEFINED.findall(text))
            asked = set(ASKED.findall(text)) - own_names
            given = [f"{name}={'top' if name == 'TOP' else 8}"
                     for name in sorted(set(USED.findall(text)) - own_names - asked)]
            given += ["FORMAL"] if area == "formal" else []
            for one in ("", *sorted(asked)):
                defines = given + ([one] if one else [])
                yield f"{file} {one}", read([file], [], folders, defines, others, unknown=True)


def read_folder(folder):
    """Of a generated folder: its tops, and each of its benches with what it stands on."""
    tops = sorted(folder.glob("*.v"))
    rtl = sorted((folder / "rtl").glob("*.v"))
    parts = [file for file in sorted((folder / "tb").glob("*.v")) if not file.name.startswith("tb_")]
    folders = [folder / "rtl", folder / "tb"]
    board = (folder / "board_top.v").exists()
    yield str(folder), read([*tops, *rtl], [name for file in tops for name in modules(file)], folders, unknown=board)
    for bench in sorted((folder / "tb").glob("tb_*.v")):
        taken = {name for file in parts for name in modules(file)}
        for own in (parts, []) if any(taken & set(modules(top)) for top in tops) else (parts,):
            taken = {name for file in own for name in modules(file)}
            below = [top for top in tops if not taken & set(modules(top))]
            yield str(bench), read([bench, *own, *below, *rtl], modules(bench), folders, ["GFAB_TRACE"], unknown=board)


def main():
    root, *generated = map(pathlib.Path, sys.argv[1:])
    designs, faulty = 0, 0
    sources = [] if str(root) == "-" else [read_rtl(root), read_alone(root)]
    for what in (*sources, *map(read_folder, generated)):
        for name, good in what:
            designs += 1
            faulty += not good
            if not good:
                print(f"in {name}", file=sys.stderr)
    print(f"slang: {designs} designs, {faulty} with errors")
    return faulty > 0


if __name__ == "__main__":
    sys.exit(main())
