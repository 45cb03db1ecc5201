#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One word for one thing: no page, header or text of the command says a word that the last table of
docs/glossary.md has a better one for.

A row of the table: words, each between backticks; what we say instead; the files, or folders, that may say them. A row
that has files alone goes on with those of the row above. Words are found
whole, small or large, not as parts of paths and names (`ring-allgather.xml`, `GFAB_CHUNK`). Read are README.md,
all other pages but CHANGELOG.md, all headers, cli/ and the extras' commands and Python.

check-words.py [ROOT]
"""
import pathlib
import re
import sys

GLOSSARY = "docs/glossary.md"
MARK = "<!-- read by scripts/check-words.py -->\n"
READ = ["*.md", *(f"{folder}/**/*.md" for folder in ("bench", "docs", "examples", "extras", "formal", "gen", "rtl")),
        "include/**/*.h", "core/**/*.h", "cmodel/*.h", "gen/*.h", "cli/**/*.[ch]",
        "extras/**/*.h", "extras/*/cli/*.c", "extras/python/gossipfab/*.py"]
LEFT_OUT = {"CHANGELOG.md"}


def read_table(text):
    """[(pattern, what to say, files that may)]"""
    if text.count(MARK) != 1:
        raise ValueError(f"{GLOSSARY}: the mark above the table of words is not there once")
    rows = []
    for line in text[text.index(MARK) + len(MARK):].splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip()[1:-1].split("|")]
        words = re.findall(r"`([^`]+)`", cells[0])
        if rows and len(cells) == 3 and cells[0] == cells[1] == "":
            rows[-1][2].extend(cells[2].split())
            continue
        if len(cells) != 3 or not words or not cells[1]:
            raise ValueError(f"{GLOSSARY}: not a row of words: {line}")
        pattern = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in words)
        rows.append((re.compile(rf"(?<![\w/.-])(?:{pattern})(?![\w/-]|\.\w)", re.I), cells[1], cells[2].split()))
    return rows


def allowed(name, files):
    return any(name == file or (file.endswith("/") and name.startswith(file)) for file in files)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    glossary = (root / GLOSSARY).read_text(encoding="utf-8")
    faults = []
    try:
        rows = read_table(glossary)
    except ValueError as error:
        sys.exit(str(error))
    for path in sorted({path for pattern in READ for path in root.glob(pattern)}):
        name = path.relative_to(root).as_posix()
        if name in LEFT_OUT or "/build/" in f"/{name}":
            continue
        text = glossary[:glossary.index(MARK)] if name == GLOSSARY else path.read_text(encoding="utf-8")
        for pattern, say, files in rows:
            for found in pattern.finditer(text if not allowed(name, files) else ""):
                line = text.count("\n", 0, found.start()) + 1
                faults.append(f"{name}:{line}: '{' '.join(found[0].split())}': we say {say} ({GLOSSARY})")
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
