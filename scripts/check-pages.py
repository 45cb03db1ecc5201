#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The order of pages: check-pages.py [ROOT]

A page of docs/guide says what it is for, then has an example with a number in it, then rules: lists and tables. The
example is a block, or a paragraph that begins with "An example:"; all of this stands before the first heading.

A page of docs/reference that says letters for things (N nodes, F cycles) has a table of them, letter and meaning,
before its second heading; every letter of its sentences and tables is in such a table.
"""
import pathlib
import re
import sys

LETTERS = "BDFGHKLNPRSTWcl"


def kinds(text):
    """The page's parts before its first heading below the title: (kind, text)."""
    text = re.sub(r"<!--.*?-->\n?", "", text.split("\n## ")[0], flags=re.S)
    text = re.sub(r"```.*?```", lambda block: block[0].replace("\n\n", "\n"), text, flags=re.S)
    for part in re.split(r"\n\s*\n", text)[1:]:
        first = part.strip("\n")
        if first.startswith(("    ", "```")):
            yield "example", first
        elif first.startswith("An example:"):
            yield "example", first
        elif re.match(r"\s*(- |\d+\. |\|)", first):
            yield "rules", first
        elif first.strip():
            yield "text", first


def check_guide(text):
    parts = list(kinds(text))
    names = [kind for kind, _ in parts]
    if not names or names[0] != "text":
        return "does not begin with what it is for"
    if "example" not in names:
        return "no example before the first heading"
    if "rules" in names and names.index("rules") < names.index("example"):
        return "rules stand before the example"
    at = names.index("example")
    if not any(re.search(r"\d", part) for _, part in parts[at:at + 3]):
        return "the example has no number"
    return None


def check_reference(text):
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    tables = list(re.finditer(r"^\| letter \| meaning \|\n\|.*\n((?:\|.*\n)+)", text, re.M))
    known = set(re.findall(r"(?<!\w)([A-Za-z])(?:\(\w\))?(?=[ ,|])", " ".join(
        row.split("|")[1] for table in tables for row in table[1].splitlines())))
    said = re.sub(r"```.*?```|^    .*$|`[^`]*`", "", text, flags=re.S | re.M)
    said = re.sub(r"\]\([^)]*\)", "]", said)
    used = set(re.findall(rf"(?<![\w.'/-])([{LETTERS}])(?![\w'-]|\.\w)", said))
    if used - known:
        return f"letters that no table of the page has: {' '.join(sorted(used - known))}"
    if tables and text[:tables[0].start()].count("\n## ") > 1:
        return "the table of letters stands behind the second heading"
    return None


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    faults = []
    for folder, check in (("guide", check_guide), ("reference", check_reference)):
        for page in sorted((root / "docs" / folder).glob("*.md")):
            said = check(page.read_text(encoding="utf-8")) if page.name != "README.md" else None
            if said:
                faults.append(f"{page.relative_to(root)}: {said}")
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
