#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rendered_test.py SOURCES GOSSIPFAB: every page is rendered, those of generated folders too, and none has a table or a
command in a paragraph.

Renderers say nothing of a page that is broken: a table whose lines were joined, a block of commands that belongs to the
list before it, a formula whose "- 1" begins a line, all come out as text. Exit status 77 without markdown-it. Mutants
must be found: what each of these looked like when it was on a page.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    from markdown_it import MarkdownIt
except ImportError:
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3"] + sys.argv)  # that of python3-markdown-it
    print("rendered: skipped: markdown-it (Debian: python3-markdown-it) is not there")
    sys.exit(77)

PARSER = MarkdownIt("commonmark").enable("table")
MARKER = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
BAR = re.compile(r"(?:^|\s)\|(?:\s|$)")
COMMAND = re.compile(r"\S {3,}\S|\bgossipfab(?:-mpi)? [a-z].* --?[a-z]")

FOLDERS = [  # what pages of generated folders are made of
    "mesh:4x4",
    "mesh:2x3 --token-bits 16 --link-bits 2 --board hx8k --ports node-tkeep --registers axi-lite --name rows",
    "torus:3x3 -c all-reduce,all-to-all --operator all --token-bits 16 --link-bits 2 --registers wishbone --protect detect",
    "cycle:5 --token-bits 4 --link-bits 4 --store wide --board ulx3s --host uart --axi overlap",
    "mesh:2x4 --chips 2x2 --link-latency 12 --link-mode full --clocks own --token-bits 32",
    "path:3 -c all-reduce --stream --token-bits 12 --link-bits 2",
    "path:3 -c all-gather --stream --store wide --token-bits 8 --link-bits 8 --protect detect",
]


def cells(row):
    """How many a table's row has: bars in code part them, too, unless they stand behind a backslash."""
    return len(re.split(r"(?<!\\)\|", row.strip().strip("|").strip()))


def check_paragraph(tokens, at, lines, content):
    """content: the column of the text of the list's item that the paragraph is in, where it is not the item's first."""
    first, end = tokens[at].map
    for child in tokens[at + 1].children:
        if child.type == "text" and BAR.search(child.content):
            yield first, "a table's bar in a paragraph"
        if child.type == "text" and COMMAND.search(child.content):
            yield first, "a command in a paragraph"
    base = len(lines[first]) - len(lines[first].lstrip(" >"))
    if content is not None and base > content:
        yield first, "a block that belongs to the list before it"
    column = MARKER.match(lines[first]).end() if MARKER.match(lines[first]) else base
    for number in range(first + 1, end):
        if len(lines[number]) - len(lines[number].lstrip(" >")) >= column + 4:
            yield number, "a block that belongs to the paragraph before it"


def faults(text):
    """(line, what) of each."""
    lines = text.split("\n")
    tokens = PARSER.parse(text)
    items, width = [], 0  # of each item of a list that is open: the column of its text, and whether that has begun
    for at, token in enumerate(tokens):
        if token.type == "list_item_open":
            items.append([MARKER.match(lines[token.map[0]]).end() if MARKER.match(lines[token.map[0]]) else None, False])
        elif token.type == "list_item_close":
            items.pop()
        elif token.type == "paragraph_open":
            yield from check_paragraph(tokens, at, lines, items[-1][0] if items and items[-1][1] else None)
        elif token.type in ("bullet_list_open", "ordered_list_open", "blockquote_open") and at and tokens[at - 1].type == "paragraph_close":
            before = next(t for t in reversed(tokens[:at]) if t.type == "paragraph_open")
            if before.map[1] == token.map[0] and not lines[token.map[0] - 1].rstrip().endswith((":", ",")):
                yield token.map[0], "a list, or a quotation, in the middle of a sentence"
        elif token.type == "heading_open" and token.markup in ("-", "="):
            yield token.map[0], "a heading that was a paragraph"
        elif token.type == "table_open":
            width = cells(lines[token.map[0]])
        elif token.type == "tr_open" and token.map and cells(lines[token.map[0]]) != width:
            yield token.map[0], f"a table's row of {cells(lines[token.map[0]])} cells, not {width}"
        if items and token.type.endswith("_close") and token.type != "list_item_close":
            items[-1][1] = True


def check(page, name):
    found = list(dict.fromkeys(f"{name}:{line + 1}: {what}" for line, what in faults(page.read_text())))
    for fault in found:
        print(fault)
    return len(found)


MUTANTS = {
    "a table's bar": "Its ports:\n\n| port | meaning | | --- | --- | | `i_clk` | the clock |\n| `i_rst` | its reset |\n",
    "a command": "Examples:\n\n    gossipfab bound mesh:4x4\ngossipfab bound torus:4x4 --link-mode full\n",
    "a block that belongs to the list": "- one\n- two\n\n    make demo\n\nText.\n",
    "a block that belongs to the paragraph": "So:\n    make demo\n",
    "a list, or": "It takes at most u = (t\n- 1) + r rounds.\n",
    "a list, or a": "In the last of them floor(t/2)\n>= i + 1. QED.\n",
    "a heading": "There are R rounds\n---\nin all.\n",
    "a table's row of 3": "| a | b |\n| --- | --- |\n| `x|y` | 1 |\n",
}


def main():
    root, gossipfab = pathlib.Path(sys.argv[1]), sys.argv[2]
    for what, mutant in MUTANTS.items():
        if not any(found.startswith(what) for _, found in faults(mutant)):
            sys.exit(f"rendered: takes {what}")
    pages = [root / "tb/folder/GUIDE.md", *root.glob("*.md")]
    for area in ("docs", "rtl", "formal", "bench", "examples", "constraints", "python"):
        pages += sorted(page for page in (root / area).rglob("*.md") if "build" not in page.parts)
    bad = sum(check(page, page.relative_to(root)) for page in pages)
    with tempfile.TemporaryDirectory() as work:
        for i, options in enumerate(FOLDERS):
            folder = pathlib.Path(work, str(i))
            subprocess.run([gossipfab, "generate", "-t", *options.split(), "-o", folder], check=True,
                           stdout=subprocess.DEVNULL)
            made = sorted(folder.rglob("*.md"))
            if not made:
                sys.exit(f"rendered: {options}: no pages")
            bad += sum(check(page, f"{options}: {page.name}") for page in made)
            pages += made
    print(f"rendered: {len(pages)} pages, {bad} faults")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
