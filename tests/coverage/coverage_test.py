#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""coverage_test.py GOSSIPFAB WORK CC: the short form of `make coverage`.

The RTL of one small fabric, on its board too: every line and branch of its modules must be reached. And the judges must
refuse what is too little: C with a function that nothing calls, RTL with a line, a branch or bits that nothing reaches,
a waiver that nothing needs, a module that no fabric has. Exit status 77 where a tool is missing."""
import pathlib
import shutil
import subprocess
import sys

import c
import rtl

CALLED = """int twice(int a);
int twice(int a)
{
    return a > 0 ? 2 * a : -1;
}
int main(void)
{
    return twice(1) + twice(0) != 1;
}
"""
UNCALLED = """int idle(int a);
int idle(int a)
{
    if (a > 0)
        a++;
    return a;
}
"""


def expect(condition, what):
    if not condition:
        sys.exit(f"coverage_test: {what}")


def measure_c(work, compiler, text):
    """What c.py counts of one program that has run."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "mutant.c").write_text(text, encoding="ascii")
    subprocess.run([compiler, "--coverage", "-O0", "-o", "mutant", "mutant.c"], cwd=work, check=True)
    subprocess.run(["./mutant"], cwd=work, check=True)
    return c.count(c.measure(work, work)["mutant.c"])


def check_c(work, compiler):
    sound = measure_c(work, compiler, CALLED)
    expect(sound == (4, 4, 2, 2), f"of 4 lines and 2 branches c.py counts {sound}")
    expect(not c.judge(sound, "sound"), "c.py refuses a program that runs whole")
    mutant = measure_c(work, compiler, CALLED + UNCALLED)
    said = c.judge(mutant, "mutant")
    expect(len(said) == 2 and "4 of 8 lines" in said[0], f"a function that nothing calls is not refused: {said}")


def check_rtl(gossipfab, work):
    runtime, paths = rtl.Runtime(work), []
    for number, (text, benches) in enumerate(rtl.SHORT):
        paths += rtl.play(gossipfab, runtime, work, number, text, benches)
    counts = rtl.read(paths)
    waivers = rtl.read_waivers(rtl.HERE / "waivers.txt")
    rows, wrong = rtl.judge(counts, waivers, False)
    wrong = [text for text in wrong if text.split(":")[0] not in rtl.SHORT_LEAVES]
    expect(len(rows) >= 11 and not wrong, "\n".join(wrong) or f"only {len(rows)} modules")
    for kind in ("line", "branch", "toggle"):
        mutant = counts.copy()
        for point in counts:
            if (point.module, point.kind) == ("gfab_lane", kind):
                mutant[point] = 0
        said = rtl.judge(mutant, waivers, False)[1]
        expect(any(text.startswith(f"gfab_lane: {kind}") for text in said), f"a {kind} that is not reached is accepted")
    said = rtl.judge(counts, waivers + [("line", "gfab_lane", "nothing", "a mutant")], True)[1]
    expect(any("nothing needs: line gfab_lane" in text for text in said), "a stale waiver is accepted")
    expect("gfab_wide_node: no fabric has it" in said, "a module that no fabric has is accepted")


def main():
    gossipfab, work, compiler = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    for tool in ("gcovr", "verilator"):
        if not shutil.which(tool):
            print(f"coverage_test: skipped, {tool} is missing", file=sys.stderr)
            return 77
    work.mkdir(parents=True, exist_ok=True)
    check_c(work / "c", compiler)
    check_rtl(gossipfab, work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
