#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every module of rtl/ is in a class of tests/mutate/classes.py, or among those that no class has, with the reason; every
module named there is one of rtl/; and a bench of tb/modules names ports of its module alone, as `make test` compiles
few of them.

check_modules.py [ROOT]
"""
import pathlib
import re
import runpy
import sys


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    known = runpy.run_path(str(root / "tests" / "mutate" / "classes.py"))
    modules = {path.stem for path in (root / "rtl").rglob("*.v")}
    classed = {module for row in known["CLASSES"] for module in row.modules}
    apart = known["APART"]
    faults = [f"{module}: in no class, and not in APART with the reason" for module in modules - classed - set(apart)]
    faults += [f"{module}: in a class and in APART" for module in classed & set(apart)]
    faults += [f"{module}: no module of rtl/" for module in (classed | set(apart)) - modules]
    faults += [f"{module}: APART without a reason" for module, reason in apart.items() if not reason.strip()]
    sources = {path.stem: path.read_text(encoding="utf-8") for path in (root / "rtl").rglob("*.v")}
    for bench in (root / "tb" / "modules").glob("gfab_*.cc"):
        named = set(re.findall(r"(?:\.|->)([io]_\w+)", bench.read_text(encoding="utf-8")))
        faults += [f"{bench.name} has {port}, which is no port of its module" for port in named
                   if not re.search(rf"\b(?:input|output)\b[^;]*?\b{port}\b", sources.get(bench.stem, ""))]
    for fault in sorted(faults):
        print(f"tests/mutate/classes.py: {fault}", file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
