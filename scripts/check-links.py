#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the documentation points to is there.

- Every link of every Markdown file that is not to the web leads to a file, and behind # to one of its headings.
- Every path from the root that a page names (core/fabric/op.c, with backticks or without) exists; where it has a
  <placeholder> or a *, the folder before it does. A C file that it names without a path (op.c) is somewhere.
- Every docs/*.md that a source file names exists.
- Every page of a room of docs/ is linked in the room's README.md, and every room in docs/README.md.

check-links.py [--links] [ROOT]; --links checks the links alone, for an installed tree, which has no sources.
"""
import pathlib
import re
import sys
import urllib.parse

SOURCES = {".c", ".cc", ".cmake", ".cpp", ".h", ".md", ".py", ".sh", ".txt", ".v", ".vh", ".vlt"}
# Text to be filled in, and inputs made to be wrong.
LEFT_OUT = re.compile(r"^(tests/(golden|lint|reject)|gen/templates)/")
ROOMS = "bench|cli|cmake|cmodel|constraints|core|docs|extras|formal|gen|include|rtl|scripts|tb|tests"
NAMED = re.compile(rf"(?<![\w/.<>-])(?:{ROOMS})/[\w./<>*{{}},-]*")
HEADER = re.compile(r"(?<![\w/.-])gossipfab/[\w/]+\.h\b")
ALONE = re.compile(r"(?<![\w/.<>*-])[a-z]\w*\.(?:c|cc|h)\b")
PAGE = re.compile(r"(?<![\w/.-])docs/[\w./-]+\.md\b")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s*(\S+)", re.M)


def prose(text):
    """Without what is in fences or in indented blocks, line for line, so that lines keep their numbers."""
    lines, fence, code = [], False, False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fence = not fence
            line = ""
        code = line.startswith("    ") and (code or not lines or not lines[-1].strip())
        lines.append("" if fence or code else line)
    return "\n".join(lines)


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    found = {}
    for heading in re.findall(r"^#{1,6}\s+(.*?)\s*#*$", prose(text), re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
        if found[name]:
            found[f"{name}-{found[name]}"] = 0
    return set(found)


class Check:
    def __init__(self, root):
        self.root = root
        self.faults = []
        self.names = set()

    def files(self):
        """Every file below the root but what is built, hidden or left out, by its path from there."""
        tops = [top for top in self.root.iterdir() if not top.name.startswith((".", "build", "out"))]
        found = [file for top in tops for file in ([top] if top.is_file() else top.rglob("*"))]
        return sorted(name for name in (file.relative_to(self.root).as_posix() for file in found)
                      if not LEFT_OUT.match(name) and "/." not in name)

    def fault(self, page, text, place, reason):
        self.faults.append(f"{page}:{text.count(chr(10), 0, place) + 1}: {reason}")

    def links(self, page, text):
        """Follows the links of a page; returns the files that they lead to."""
        targets = set()
        body = re.sub(r"`[^`]*`", lambda code: re.sub(r"[^\n]", " ", code.group()), prose(text))
        for match in LINK.finditer(body):
            link = match.group(1) or match.group(2)
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = urllib.parse.unquote(link).partition("#")
            file = (self.root / page).parent / name if name else self.root / page
            if not file.exists() or not file.resolve().is_relative_to(self.root):
                self.fault(page, body, match.start(), f"a link to {link}, which is not there")
                continue
            targets.add(file.resolve().relative_to(self.root).as_posix())
            if anchor and (file.suffix != ".md" or anchor not in anchors(file.read_text(encoding="utf-8"))):
                self.fault(page, body, match.start(), f"a link to {link}, which has no such heading")
        return targets

    def paths(self, page, text):
        """Looks for the files that a page names from the root."""
        for match in NAMED.finditer(text):
            name = match.group().rstrip(".,-")
            fixed = re.split(r"[<>*{}]", name)[0]
            if fixed != name:
                fixed = fixed.rpartition("/")[0]
            if not (self.root / fixed).exists():
                self.fault(page, text, match.start(), f"{name} is not there")
        for match in HEADER.finditer(text):
            if not (self.root / "include" / match.group()).exists():
                self.fault(page, text, match.start(), f"{match.group()} is not there")
        for match in ALONE.finditer(text):
            if match.group() not in self.names:
                self.fault(page, text, match.start(), f"{match.group()} is nowhere")

    def index(self, links):
        """Every page of docs/ can be reached: from its room's README.md, and the room from docs/README.md."""
        for page in links:
            parts = page.split("/")
            if parts[0] == "docs" and page != "docs/README.md":
                above = parts[:-2] if parts[-1] == "README.md" else parts[:-1]
                index = "/".join(above + ["README.md"])
                if page not in links.get(index, ()):
                    self.faults.append(f"{index}: no link to {page}")

    def run(self, links_only):
        links = {}
        files = self.files()
        self.names = {name.rpartition("/")[2] for name in files}
        for name in files:
            file = self.root / name
            if file.suffix not in SOURCES or not file.is_file():
                continue
            text = file.read_text(encoding="utf-8")
            if file.suffix == ".md":
                links[name] = self.links(name, text)
                if not links_only:
                    self.paths(name, text)
            elif not links_only:
                for match in PAGE.finditer(text):
                    if not (self.root / match.group()).exists():
                        self.fault(name, text, match.start(), f"{match.group()} is not there")
        self.index(links)
        if not links:
            self.faults.append("no Markdown file at all")
        return self.faults


def main():
    arguments = sys.argv[1:]
    links_only = "--links" in arguments
    roots = [argument for argument in arguments if argument != "--links"]
    faults = Check(pathlib.Path(roots[0] if roots else ".").resolve()).run(links_only)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
