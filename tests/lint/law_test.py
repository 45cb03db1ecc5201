#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""law_test.py BUILD CC: the half of the dependency law that the linker holds, layer by layer.

The program gfab_law_<layer> of BUILD is linked again with one source more. Where that names a function of each layer
that the law allows, it links; where it names one of each other layer, it does not, and all of them are undefined.
Exit status: 0, 1, 77 where BUILD is not Ninja's."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def read_law():
    """The layers that each layer may use, itself among them."""
    tables = [ROOT / "cmake/layers.cmake", ROOT / "extras/formats/extra.cmake", *sorted(ROOT.glob("extras/*/extra.cmake"))]
    text = re.sub(r"#.*", "", "\n".join(table.read_text(encoding="utf-8") for table in tables))
    uses = {}
    for words in (match[1].split() for match in re.finditer(r"gfab_layer\(([^)]*)\)", text)):
        keys = {"SOURCES", "HEADERS", "LIBRARIES"} & set(words)
        after = words[words.index("USES") + 1:] if "USES" in words else []
        ends = [after.index(key) for key in keys if key in after]
        named = after[:min(ends, default=len(after))]
        uses[words[0]] = {words[0]}.union(*(uses[name] for name in named))
    return uses


def a_function(build, layer):
    """The first one that the layer's library has for others."""
    said = subprocess.run(["nm", "-g", "--defined-only", build / f"libgfab_{layer}.a"], check=True, text=True,
                          capture_output=True).stdout
    return re.search(r" T (gfab_\w+)$", said, re.M)[1]


def link(build, cc, command, folder, functions):
    """What the linker says of a program that names these functions, too; "" where it has nothing to say."""
    source, thing = pathlib.Path(folder, "mutant.c"), pathlib.Path(folder, "mutant.o")
    source.write_text("".join(f"void {name}(void);\n" for name in functions) +
                      f"void (*const gfab_mutant[])(void) = {{{', '.join(functions)}}};\n", encoding="ascii")
    subprocess.run([cc, "-c", "-o", thing, source], check=True)
    changed = re.sub(r" -o \S+", f" {thing} -o {folder}/law", command, count=1)
    assert changed != command
    done = subprocess.run(["sh", "-c", changed], cwd=build, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode != 0 else ""


def main():
    build, cc = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    if not (build / "build.ninja").exists() or not shutil.which("ninja"):
        print("skipped: ninja has not built this")
        return 77
    uses, faults = read_law(), 0
    functions = {layer: a_function(build, layer) for layer in uses}
    for layer, may in uses.items():
        command = subprocess.run(["ninja", "-C", build, "-t", "commands", "-s", f"law/gfab_law_{layer}"], check=True,
                                 capture_output=True, text=True).stdout.splitlines()[-1]
        with tempfile.TemporaryDirectory() as folder:
            said = link(build, cc, command, folder, [functions[name] for name in may])
            if said:
                print(f"{layer}: what it may use does not link:\n{said}")
                faults += 1
            others = [name for name in uses if name not in may]
            said = link(build, cc, command, folder, [functions[name] for name in others])
            for name in others:
                if f"undefined reference to `{functions[name]}'" not in said:
                    print(f"{layer}: {functions[name]} of {name} is not undefined")
                    faults += 1
    print(f"{len(uses)} layers linked, {sum(len(uses) - len(may) for may in uses.values())} calls outside the law "
          f"tried, {faults} faults")
    return 1 if faults or len(uses) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
