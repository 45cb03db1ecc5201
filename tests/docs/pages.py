#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands of a page of the docs, and holds what the page shows to what they print.

pages.py [--large] --build BUILD PAGE

Commands are what stands in fenced blocks without a language and in indented blocks, and what begins with gossipfab,
has an option or an argument, and stands between backticks in a text. They run in the order of the page by one shell, in
a copy of the sources (an example's in its folder), with BUILD's programs first in the path; each must end with status
0. A command's first word is one of PROGRAMS; in a block with "$ " commands are what stands behind it. The other lines
of a block are what the command above them prints: each must be among its lines, in that order, "..." for anything.

What a reader does not see are comments, for the block, table or paragraph that follows:

  <!-- docs: skip REASON -->       it is not run here. skip /PATTERN/ REASON: only commands that match
  <!-- docs: large -->             it takes long: only with --large. large /PATTERN/: only commands that match
  <!-- docs: fails STATUS -->      its commands end with this status, not with 0
  <!-- docs: text -->              no command: a formula, a file
  <!-- docs: output [COMMAND] -->  what COMMAND prints, or the command before
  <!-- docs: figures COMMAND -->   each row of the table is a line that COMMAND prints, cell by cell, "..." for any; or,
                                   of a paragraph, each line printed is in it
  <!-- docs: run COMMAND -->       runs without being shown: files that a command needs, ..; install_here installs
                                   gossipfab, so that the commands behind it find it
  slow-output, slow-figures, slow-run: the same, with --large alone

What is not run is counted and listed with its reason; every figure that differs is printed at the end.
"""
import argparse
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LINKED = "cmodel", "core", "formal", "gen", "include", "rtl", "tests"
PROGRAMS = re.compile(
    r"(\w+=\S+ )*(gossipfab|gossipfab-mpi|AstraSim_\w+|yosys|for|mpirun|make|mkdir|cd|\(cd|cp|cat|diff|cc|mpicc|cmake|ctest|pip|fusesoc|iverilog|printf|seq"
    r"|apt-get|sudo|dpkg-buildpackage|(build|bench|scripts|tests|examples)/\S+|\./\S+)( |$)|\w+=(\S+|\"[^\"]*\")$")
MARK = re.compile(r"docs: *(skip|large|fails|text|output|slow-output|figures|slow-figures|run|slow-run)\b\s*(?:/((?:[^/]|(?<=\\)/)+)/)?\s*(.*)", re.S)
SPAN = re.compile(r"(?<!`)`(gossipfab [^`]* [^`]*)`(?!`)")
LIMIT = {False: 60, True: 3600}  # seconds of a command


class Fault(Exception):
    pass


class Block:
    """A part of a page: kind (code, table, text), its first line's number, its lines, the language of a fence."""

    def __init__(self, kind, line, lines, language=""):
        self.kind, self.line, self.lines, self.language = kind, line, lines, language
        self.marks = []


def read_blocks(text):
    """The blocks of a page in its order, each with the marks before it; "mark" blocks that run something are blocks."""
    lines = text.split("\n")
    blocks, marks, at, indent = [], [], 0, 0
    while at < len(lines):
        line, start = lines[at], at
        fence = re.match(r"( *)```(\S*)", line)
        item = re.match(r"( *)([-*]|\d+\.) +", line)
        if line and not line.startswith(" "):
            indent = 0
        if line.lstrip().startswith("<!--"):
            while "-->" not in lines[at]:
                at += 1
            at += 1
            comment = "\n".join(lines[start:at]).strip()[4:].rsplit("-->", 1)[0].strip()
            if comment.startswith("docs:"):
                match = MARK.match(comment)
                if not match:
                    raise Fault(f"line {start + 1}: no such mark: {comment.splitlines()[0]}")
                if match[1] == "skip" and not match[3]:
                    raise Fault(f"line {start + 1}: skip without a reason")
                if match[1] in ("run", "slow-run"):
                    blocks.append(Block(match[1], start + 1, match[3].split("\n")))
                else:
                    marks.append(match)
            continue
        if not line.strip():
            at += 1
            continue
        if fence:
            at += 1
            while at < len(lines) and not lines[at].lstrip().startswith("```"):
                at += 1
            block = Block("code", start + 2, [text[len(fence[1]):] for text in lines[start + 1:at]], fence[2])
            at += 1
        elif not item and len(line) - len(line.lstrip()) >= indent + 4:
            depth = len(line) - len(line.lstrip())
            while at < len(lines) and (not lines[at].strip() or lines[at].startswith(" " * (indent + 4))):
                at += 1
            code = [text[depth:] if text[:depth].strip() == "" else text.lstrip() for text in lines[start:at]]
            while not code[-1].strip():
                code.pop()
            block = Block("code", start + 1, code)
        else:
            if item:
                indent = len(item[0])
            ends = re.compile(r" *```| *<!--| *([-*]|\d+\.) +")
            at += 1
            while at < len(lines) and lines[at].strip() and not ends.match(lines[at]):
                at += 1
            kind = "table" if line.lstrip().startswith("|") else "text"
            block = Block(kind, start + 1, lines[start:at])
        block.marks, marks = marks, []
        blocks.append(block)
    if marks:
        raise Fault(f"a mark with nothing behind it: {marks[0][0].splitlines()[0]}")
    return blocks


def read_commands(block):
    """[(line number, command, lines shown below it)], or None where the block's first line is no command."""
    prompt = any(line.startswith("$ ") for line in block.lines)
    found, at = [], 0
    while at < len(block.lines):
        start, line = at, block.lines[at]
        is_command = line.startswith("$ ") if prompt else PROGRAMS.match(line)
        if is_command:
            command = line[2:] if prompt else line
            while command.endswith("\\"):
                at += 1
                command += "\n" + block.lines[at]
            found.append((block.line + start, command, []))
        elif found:
            if line.strip() and not line.startswith("#"):
                found[-1][2].append(line)
        elif line.strip() and not line.startswith("#"):
            return None
        at += 1
    return found


INSTALL = """install_here() {
    cmake --install "$BUILD" --prefix "$PWD/prefix" > /dev/null &&
        PKG_CONFIG_PATH=$(dirname "$(find "$PWD/prefix" -name gossipfab.pc)") &&
        export PKG_CONFIG_PATH PATH="$PWD/prefix/bin:$PATH" LD_LIBRARY_PATH="${PKG_CONFIG_PATH%/*}"
}
"""


class Shell:
    """One bash, which keeps its folder and variables from command to command."""

    def __init__(self, folder, environment):
        self.heard, status = os.pipe()
        self.process = subprocess.Popen(["bash", "--noprofile", "--norc"], cwd=folder, env=environment, text=True,
                                        stdin=subprocess.PIPE, pass_fds=(status,), start_new_session=True)
        os.close(status)
        self.status = status
        self.out = folder / ".docs-output"
        self.tell(f"exec > {self.out} 2>&1\nset -o pipefail\n{INSTALL}")

    def tell(self, text):
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def run(self, command, limit):
        """The exit status, or None where there is none in so many seconds; and what was printed."""
        heredoc = "GFAB_DOCS_END"
        self.tell(f"eval \"$(cat << '{heredoc}'\n{command}\n{heredoc}\n)\" > {self.out} 2>&1 < /dev/null\n"
                  f"echo $? >&{self.status}\n")
        ready, _, _ = select.select([self.heard], [], [], limit)
        status = os.read(self.heard, 64).decode().strip() if ready else ""
        return int(status) if status else None, self.out.read_text(errors="replace")

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        self.process.wait()


def plain(text):
    """Without emphasis, links and repeated blanks: what a reader sees."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return " ".join(text.replace("*", "").replace("`", "").split())


def like(shown, printed):
    """Are they the same, "..." in the first for anything?"""
    pattern = ".*".join(re.escape(part) for part in re.split(r"\.{3}", plain(shown)))
    return re.fullmatch(pattern, plain(printed)) is not None


def check_shown(shown, printed):
    """Every line shown is printed, in that order."""
    lines = iter(printed.split("\n"))
    for line in shown:
        if not any(like(line.strip(), candidate) for candidate in lines):
            raise Fault(f"the page shows a line that is not printed there: {line.strip()}")


def cells(row):
    return [plain(cell) for cell in row.strip().strip("|").split("|")]


def check_figures(block, printed):
    lines = [line for line in printed.split("\n") if line.strip()]
    if not lines:
        raise Fault("the command prints no figure")
    if block.kind != "table":
        said = plain(" ".join(block.lines))
        for line in lines:
            if plain(line) not in said:
                raise Fault(f"printed, and not on the page: {plain(line)}")
        return
    rows = block.lines[2:]
    if len(rows) != len(lines):
        raise Fault(f"the table has {len(rows)} rows, and {len(lines)} are printed:\n{printed}")
    wrong = [f"the page has {row.strip()}\n  and printed is {line.strip()}" for row, line in zip(rows, lines)
             if len(cells(row)) != len(cells(line)) or not all(map(like, cells(line), cells(row)))]
    if wrong:
        raise Fault("\n".join(wrong))


class Page:
    def __init__(self, shell, large):
        self.shell, self.large = shell, large
        self.ran, self.held, self.left, self.later, self.wrong = 0, 0, [], [], []
        self.printed = ""

    def run(self, line, command, count=True, wanted=0):
        began = time.monotonic()
        status, self.printed = self.shell.run(command, LIMIT[self.large])
        took = time.monotonic() - began
        said = " ".join(command.replace("\\\n", " ").split())
        if status != wanted:
            how = "it did not end" if status is None else f"exit status {status}, not {wanted}"
            raise Fault(f"line {line}: {said}\n  {how}:\n{self.printed[-3000:]}")
        if count:
            self.ran += 1
        print(f"  {line:4} {took:6.1f} s  {said}", flush=True)

    def put_off(self, block, line, command):
        """Is the command not run here, or not now? Notes it."""
        for mark in block.marks:
            if mark[2] and not re.search(mark[2], command):
                continue
            said = " ".join(command.replace("\\\n", " ").split())
            if mark[1] == "skip":
                self.left.append(f"line {line}: {said}: {' '.join(mark[3].split())}")
                return True
            if mark[1] == "large" and not self.large:
                self.later.append(f"line {line}: {said}")
                return True
        return False

    def commands(self, block, found):
        wanted = next((int(mark[3]) for mark in block.marks if mark[1] == "fails"), 0)
        for line, command, shown in found:
            if self.put_off(block, line, command):
                continue
            self.run(line, command, wanted=wanted)
            self.compare(line, lambda: check_shown(shown, self.printed), len(shown))

    def compare(self, line, check, count):
        """A figure that differs is noted, and the page goes on: some take an hour to be asked again."""
        try:
            check()
            self.held += count
        except Fault as fault:
            self.wrong.append(f"line {line}: {fault}")

    def heed(self, block):
        """What the marks say to compare. Is the block done with?"""
        done = False
        for mark in block.marks:
            done |= mark[1] == "text"
            slow, what = mark[1].startswith("slow-"), mark[1].removeprefix("slow-")
            if what not in ("output", "figures"):
                continue
            done |= block.kind == "code"
            if slow and not self.large:
                self.later.append(f"line {block.line}: {what}: {' '.join(mark[3].split())}")
                continue
            if mark[3]:
                self.run(block.line, mark[3], count=False)
            printed = self.printed
            if what == "output":
                shown = [line for line in block.lines if line.strip()]
                self.compare(block.line, lambda: check_shown(shown, printed), len(shown))
            else:
                self.compare(block.line, lambda: check_figures(block, printed), 1)
        return done

    def block(self, block):
        if block.kind in ("run", "slow-run"):
            if self.large or block.kind == "run":
                self.run(block.line, "\n".join(block.lines), count=False)
        elif self.heed(block):
            return
        elif block.kind == "code" and not block.language:
            found = read_commands(block)
            if found is None and not any(mark[1] == "skip" and not mark[2] for mark in block.marks):
                raise Fault(f"line {block.line}: no command that is known, and no mark that says what it is: "
                            f"{block.lines[0]}")
            self.commands(block, found or [(block.line, block.lines[0], [])])
        elif block.kind != "code":
            text = "\n".join(block.lines)
            self.commands(block, [(block.line + text[:span.start()].count("\n"), " ".join(span[1].split()), [])
                                  for span in SPAN.finditer(text)])


def copy_sources(folder, whole):
    """All but what is built or hidden, so that no command writes into the sources. Unless the whole is wanted, folders in
    which no command writes are links to those of the sources: half of a page's time is that of 2,000 files."""
    def skipped(path, names):
        built = {name for name in names if path == str(SOURCE) and re.match(r"build|out$", name)}
        return built | {name for name in names if name.startswith(".") or name in ("build", "__pycache__")}

    def linked(path, names):
        return skipped(path, names) | ({name for name in names if name in LINKED} if path == str(SOURCE) else set())
    shutil.copytree(SOURCE, folder, ignore=skipped if whole else linked, symlinks=True)
    for name in () if whole else LINKED:
        (folder / name).symlink_to(SOURCE / name)


def check_page(path, text, build, large):
    """Prints what was run, and raises a Fault where the page is wrong."""
    with tempfile.TemporaryDirectory() as temp:
        folder = pathlib.Path(temp) / "gossipfab"
        copy_sources(folder, large)
        (folder / "build").symlink_to(build)
        start = folder / path.parent if path.parts[0] == "examples" else folder
        environment = {name: value for name, value in os.environ.items()
                       if not re.match(r"MAKE|MFLAGS|OUT$|FLAGS$|BUILD$|SETUP$|GOSSIPFAB", name)}
        behind = f"{build}/behind:" if large else ""
        environment["PATH"] = f"{behind}{build}/bin:{SOURCE}/tests/docs:{environment['PATH']}:{build}/tools/bin"
        environment["BUILD"] = str(build)
        environment["LC_ALL"] = "C.UTF-8"
        for name in "OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM":
            environment[name] = "1"
        shell = Shell(start, environment)
        page = Page(shell, large)
        try:
            for block in read_blocks(text):
                page.block(block)
        except Fault as fault:
            raise Fault("\n".join([*page.wrong, str(fault)])) from None
        finally:
            shell.end()
    if page.later:
        print(f"{len(page.later)} only in make test-large:", *page.later, sep="\n  ")
    if page.left:
        print(f"{len(page.left)} not run here:", *page.left, sep="\n  ")
    print(f"{path}: {page.ran} commands run, {page.held} shown lines and figures compared, "
          f"{len(page.later)} for make test-large, {len(page.left)} not run here")
    if page.wrong:
        raise Fault("\n".join(page.wrong))
    return page


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("page", type=pathlib.Path)
    arguments = parser.parse_args()
    text = (SOURCE / arguments.page).read_text()
    try:
        check_page(arguments.page, text, arguments.build.resolve(), arguments.large)
    except Fault as fault:
        print(f"{arguments.page}: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
