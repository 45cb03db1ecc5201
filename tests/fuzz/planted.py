#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""planted.py BUILD [SECONDS]: does the fuzzer find bugs that are there?

A copy of a source gets back a bug that was once in it, or one like it. The copy and a target are built with libFuzzer
and AddressSanitizer, and linked with what else is in BUILD; from one good input the bug must be found within SECONDS
(60). Exit status: 0 all found, 1 not, 77 without clang."""
import dataclasses
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIST = """        if (end == 1 && **at != '-') /* stays there: it may be the end of the text */
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a link U-V is expected at \\"%.20s\\"", start);
        *at += end;
"""


@dataclasses.dataclass
class Bug:
    """In a target: what it is, the source that has it, what is wrong in the place of what, and a good input."""
    target: str
    what: str
    source: str
    right: str
    wrong: str
    seed: bytes
    said: str


BUGS = [
    Bug("topology", "a topology that ends in the middle of `+drop-link=U-V` is read past its end",
        "core/topology/topology_list.c", LIST, "        *at += end;\n", b"mesh:2x2+drop-link=0-1",
        "heap-buffer-overflow"),
    Bug("lists", "`reroute` reads such a list past its end", "core/topology/topology_list.c", LIST,
        "        *at += end;\n", b"\x08+drop-link=0-1", "heap-buffer-overflow"),
    # A division by no shards, or, of 11/2 say, a best schedule that there is not.
    Bug("lists", "`--shard 1/0` is taken", "cli/cli_options.c", "cli_read_number(&at, index, GFAB_ITEMS_MAX, &count)",
        "cli_read_number(&at, 0, GFAB_ITEMS_MAX, &count)", b"\x011/2", "FPE|SEGV"),
    Bug("host", "a board's tokens may be longer than its slots", "extras/board/host.c",
        "        return shape->token_bits <= shape->span_bits;\n", "        return true;\n",
        bytes([1, 1, 2, 0, 8, 0, 8, 0, 1, 0, 1, 0]), "deadly signal"),
    Bug("board", "`board read` takes tokens that are longer than their slots", "extras/board/host.c",
        "loads == 0 && shape->token_bits / shape->loads <= shape->span_bits &&\n", "loads == 0 &&\n",
        bytes([1, 0, 4, 0, 8, 0, 8, 0, 1, 0, 4, 0]), "heap-buffer-overflow"),
]
WRAPPED = ["malloc", "calloc", "realloc"]
PORT = [f"gfab_port_{call}" for call in ("open", "close", "write", "read", "now")]


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


def command_objects(build):
    """Of the command without its main; a build folder keeps objects of sources that are gone or have moved."""
    folder = build / "cli/CMakeFiles/gfab_command.dir"
    sources = [(file, str(file.relative_to(folder)).removesuffix(".o")) for file in folder.rglob("*.o")]
    return [file for file, name in sources
            if (ROOT / name.removeprefix("__/") if name.startswith("__/") else ROOT / "cli" / name).is_file()]


def link(build, compiler, bug, folder):
    """The target with the bug, in a folder; its path."""
    text = (ROOT / bug.source).read_text(encoding="utf-8")
    if text.count(bug.right) != 1:
        sys.exit(f"fuzz: planted.py: {bug.source} no longer has the lines that a bug is planted in")
    copy = pathlib.Path(folder, pathlib.Path(bug.source).name)
    copy.write_text(text.replace(bug.right, bug.wrong), encoding="utf-8")
    parts, wrapped = [HERE / f"{bug.target}.c", HERE / "fuzz.c"], list(WRAPPED)
    if bug.target in ("board", "host"):
        parts.append(HERE / "pretend.c")
        wrapped += PORT
    if bug.target in ("board", "lists"):
        parts += [thing for thing in command_objects(build) if thing.name != copy.name + ".o"]
    # Of the directory: sources beside it that call it, which come from the library otherwise.
    if bug.source.endswith("topology_list.c"):
        parts.append(ROOT / "core/topology/topology_parse.c")
    if bug.target == "board":  # what reads the slots, and copies bits of them
        seen = [ROOT / "extras/board/cli/cmd_board.c", ROOT / "extras/board/cli/cli_board.c", ROOT / "cli/cli_machine.c"]
        parts = [part for part in parts if part.name not in [f"{file.name}.o" for file in seen]] + seen
    includes = [ROOT / name
                for name in ("include", "core", "extras", "core/topology", "extras/board", "cli", "extras/shards/cli",
                             "tests/fuzz")]
    program = pathlib.Path(folder, "fuzz")
    subprocess.run([compiler, "-std=c17", "-O1", "-g", "-fsanitize=fuzzer,address",
                    *(f"-I{path}" for path in includes),
                    "-Wl," + ",".join(f"--wrap={name}" for name in wrapped), "-o", program, copy, *parts,
                    build / "libgossipfab.a", "-ljansson", "-lexpat", "-lpopt", "-lcadical", "-lstdc++", "-lm"],
                   check=True)
    return program


def find_one(build, compiler, bug, seconds):
    """The seconds of processor time that it took; the process ends where the bug is not found."""
    with tempfile.TemporaryDirectory() as folder:
        program, seeds = link(build, compiler, bug, folder), pathlib.Path(folder, "seeds")
        seeds.mkdir()
        (seeds / "good").write_bytes(bug.seed)
        environment = dict(os.environ, TMPDIR=folder)
        good = subprocess.run([program, seeds / "good"], cwd=folder, env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, errors="replace", check=False)
        if good.returncode != 0:
            sys.exit(f"fuzz: {bug.target}: what the fuzzer begins with is no good input\n{good.stderr[-2000:]}")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([program, "-seed=1", f"-max_total_time={seconds}", "-close_fd_mask=3",
                               f"-max_len={len(bug.seed) + 16}", seeds], cwd=folder,
                              env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, errors="replace", check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode == 0 or not re.search(bug.said, done.stderr):
        sys.exit(f"fuzz: {bug.target}: a planted bug ({bug.what}) was not found in {seconds} s\n{done.stderr[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def find(build, compiler, seconds):
    """Lines that say how long each took; the process ends where one is not found."""
    lines = [f"Of {len(BUGS)} bugs that are planted in copies, each is found from one good input:", ""]
    for bug in BUGS:
        took = find_one(build, compiler, bug, seconds)
        lines.append(f"- {bug.target}, in {took:.1f} s of processor time: {bug.what};")
    return "\n".join(lines).removesuffix(";") + "."


def main():
    compiler = clang()
    if not compiler:
        print("fuzz: skipped: clang with libFuzzer (Debian: clang-14, libclang-rt-14-dev) is not there")
        return 77
    print(find(pathlib.Path(sys.argv[1]).resolve(), compiler, int(sys.argv[2]) if len(sys.argv) > 2 else 60))
    return 0


if __name__ == "__main__":
    sys.exit(main())
