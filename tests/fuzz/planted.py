#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""planted.py BUILD [SECONDS]: does the fuzzer find a bug that is there?

A copy of topology_list.c gets back a bug that was once in it: it steps over the end of the text where "-" and a second
node are missing. The copy, the sources that call it and the target topology.c are built with libFuzzer and
AddressSanitizer and linked with BUILD's library; from one good input the bug must be found within SECONDS (120). Exit
status: 0 found, 1 not, 77 without clang."""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RIGHT = """        if (end == 1 && **at != '-') /* stays there: it may be the end of the text */
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a link U-V is expected at \\"%.20s\\"", start);
        *at += end;
"""
WRONG = """        *at += end;
"""
SEED = b"mesh:2x2+drop-link=0-1"


def clang():
    """A clang that has libFuzzer's library; None where there is none."""
    for name in ("clang-14", "clang"):
        path = shutil.which(name)
        if not path:
            continue
        library = subprocess.run([path, "-print-file-name=libclang_rt.fuzzer-x86_64.a"], capture_output=True, text=True,
                                 check=True).stdout.strip()
        machine = subprocess.run([path, "-print-resource-dir"], capture_output=True, text=True,
                                 check=True).stdout.strip()
        if os.path.isabs(library) or list(pathlib.Path(machine).glob("lib/linux/libclang_rt.fuzzer-*.a")):
            return path
    return None


def find(build, compiler, seconds):
    """A line that says how long it took; the process ends where the bug is not found."""
    source = (ROOT / "core/topology/topology_list.c").read_text(encoding="utf-8")
    if source.count(RIGHT) != 1:
        sys.exit("fuzz: planted.py: topology_list.c no longer has the lines that the bug is planted in")
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "topology_list.c")
        copy.write_text(source.replace(RIGHT, WRONG), encoding="utf-8")
        program, seeds = pathlib.Path(folder, "fuzz"), pathlib.Path(folder, "seeds")
        seeds.mkdir()
        (seeds / "good").write_bytes(SEED)
        subprocess.run([compiler, "-std=c17", "-O1", "-g", "-fsanitize=fuzzer,address", f"-I{ROOT}/include",
                        f"-I{ROOT}/core", f"-I{ROOT}/core/topology", "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc",
                        "-o", program, copy, ROOT / "core/topology/topology_parse.c", HERE / "topology.c",
                        HERE / "fuzz.c", build / "libgossipfab.a", "-ljansson", "-lexpat"], check=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([program, "-seed=1", f"-max_total_time={seconds}", "-close_fd_mask=3", "-only_ascii=1",
                               "-max_len=32", seeds], cwd=folder,
                              env=dict(os.environ, TMPDIR=folder), stderr=subprocess.PIPE, text=True, errors="replace",
                              check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode == 0 or "heap-buffer-overflow" not in done.stderr:
        sys.exit(f"fuzz: the planted bug was not found in {seconds} s\n{done.stderr[-2000:]}")
    return ("A planted bug (a specification that ends in the middle of `+drop-link=U-V` is read past its end)\n"
            f"is found in {took:.1f} s of processor time.")


def main():
    compiler = clang()
    if not compiler:
        print("fuzz: skipped: clang with libFuzzer (Debian: clang-14, libclang-rt-14-dev) is not there")
        return 77
    print(find(pathlib.Path(sys.argv[1]).resolve(), compiler, int(sys.argv[2]) if len(sys.argv) > 2 else 120))
    return 0


if __name__ == "__main__":
    sys.exit(main())
