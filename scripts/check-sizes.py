#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a reader can take in: no folder with more than 25 entries, no source file above 600 lines, no function of C,
C++, Python or shell above 70 lines, and no more than 30 functions of the C sources with more than 6 parameters: what
belongs together is a struct. Tests may stand by the hundred in one folder, and so may data. And no module of
rtl/ above 250 lines, 25 ports or 12 parameters, unless the comment at its head says how many, and so why:
"26 ports: .."; then it has exactly as many. And no more than 90 conditions in the templates of gen/ together: which
ports there are is a column of gen/ports.c, which files one of gen/files.c.

Functions of C and C++ are found by their layout, which check-style.sh sees to: the brace that opens one stands alone
on its line, the one that closes it in the same column.

check-sizes.py [ROOT]
"""
import ast
import fnmatch
import os
import pathlib
import re
import sys

MOST_ENTRIES, MOST_FILE_LINES, MOST_FUNCTION_LINES = 25, 600, 70
MOST_OF_MODULE = {"lines": 250, "ports": 25, "parameters": 12}
MOST_PARAMETERS, MOST_LONG_LISTS = 6, 30
C_ROOMS = re.compile(r"(core|cli|cmodel|gen|include|extras)/.*\.[ch]$")
TEMPLATES, MOST_CONDITIONS = "gen/templates", 90
MODULE = re.compile(r"^module \w+ (?:#\((.*?)^\) )?\((.*?)^\);", re.M | re.S)
CROWDED = re.compile(r"(extras/[\w-]+/)?tests(/|$)|core/solvers/telephone/records$")
C_SOURCE = re.compile(r"\.(c|h|cc|cpp|hpp)$")
SHELL_SOURCE = re.compile(r"\.sh$|^\.ci/run$")
SOURCE = re.compile(r"\.(c|h|cc|cpp|hpp|v|vh|sv|py|sh|cmake)$|(^|/)(CMakeLists\.txt|Makefile)$|^\.ci/run$")
HIDDEN = {".ci"}  # hidden folders that are part of the project; not counted as entries

SHELL_FUNCTION = re.compile(r"^(\s*)(?:function\s+)?([\w-]+)\s*\(\)\s*([{(])\s*(?:#.*)?$")
# A line before a lone brace that opens something else than a function.
NO_SIGNATURE = re.compile(r"[;{}=,:]$|^\s*(namespace|class|struct|union|enum|extern)\b[^(]*$|^\s*#")


def tree(root):
    """(folder, folders in it, files in it) from the root, without what is hidden, built or ignored by git."""
    ignore = root / ".gitignore"
    ignored = ignore.read_text(encoding="utf-8").split() if ignore.exists() else []
    for folder, folders, files in os.walk(root):
        path = pathlib.Path(folder).relative_to(root).as_posix()
        folders[:] = sorted(f for f in folders if (not f.startswith(".") or f in HIDDEN) and f != "__pycache__" and
                            not os.path.exists(os.path.join(folder, f, "CMakeCache.txt")) and
                            not (path == "." and any(fnmatch.fnmatch(f"/{f}/", pattern) for pattern in ignored)))
        yield path, folders, sorted(f for f in files if not f.startswith("."))


def parameters_of(signature):
    """How many a function has, but for "..."; commas between a parameter's own brackets are not between two."""
    inner = signature[signature.find("(") + 1:signature.rfind(")")]
    while re.search(r"\([^()]*\)", inner):
        inner = re.sub(r"\([^()]*\)", "", inner)
    return inner.count(",") + 1 - inner.endswith("...")


def c_functions(lines):
    """(name, first line, last line, parameters) of each function; lines count from 1."""
    for number, line in enumerate(lines):
        before = lines[number - 1].rstrip() if number else ""
        if line.strip() != "{" or not before.strip() or NO_SIGNATURE.search(before):
            continue
        closing = line.rstrip()[:-1] + "}"
        end = next((n for n in range(number + 1, len(lines)) if lines[n].rstrip() == closing), len(lines) - 1)
        start = number - 1
        while start > 0 and lines[start - 1].strip() and not re.search(r"[;{}>]$|^\s*(#|//)|[\w\"]:$",
                                                                       lines[start - 1].rstrip()):
            start -= 1
        signature = " ".join(part.strip() for part in lines[start:number])
        named = re.search(r"([~\w]+)\s*\(", signature)
        macro = named and re.match(r"TEST\w*|[A-Z_]+$", named.group(1))
        yield signature if macro or not named else named.group(1), start + 1, end + 1, parameters_of(signature)


def without_comments(text):
    """Comments and raw strings blank, lines as they are."""
    return re.sub(r"/\*.*?\*/|R\"(\w*)\(.*?\)\1\"", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def shell_functions(lines):
    for number, line in enumerate(lines):
        match = SHELL_FUNCTION.match(line)
        if match:
            closing = match.group(1) + ("}" if match.group(3) == "{" else ")")
            end = next((n for n in range(number + 1, len(lines)) if lines[n].startswith(closing)), len(lines) - 1)
            yield match.group(2), number + 1, end + 1


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno


def functions(path, text):
    if C_SOURCE.search(path):
        return c_functions(without_comments(text).split("\n"))
    if SHELL_SOURCE.search(path):
        return shell_functions(text.split("\n"))
    template = path.startswith("gen/templates/")  # with marks in it, no Python yet
    return python_functions(text) if path.endswith(".py") and not template else []


def check_module(path, text, faults):
    found = MODULE.search(text)
    if not found:
        return
    parameters, ports = found.groups()
    counts = {"lines": text.count("\n"), "ports": len(re.findall(r"^\s*(?:in|out|inout)(?:put)?\s", ports, re.M)),
              "parameters": len(re.findall(r"^\s*parameter\s", parameters or "", re.M))}
    head = " ".join(line.lstrip("/ ") for line in text[:found.start()].splitlines())
    for what, count in counts.items():
        said = re.findall(rf"(?<!\w)(\d+) {what}", head)
        if count > MOST_OF_MODULE[what] and not said:
            faults.append(f"{path}: {count} {what}, more than {MOST_OF_MODULE[what]}, and its head does not say why")
        elif said and said != [str(count)]:
            faults.append(f"{path}: {count} {what}, and its head says {' and '.join(said)}")


def check_file(path, text, faults, long_lists):
    count = text.count("\n")
    if count > MOST_FILE_LINES:
        faults.append(f"{path}: {count} lines, more than {MOST_FILE_LINES}")
    if path.startswith("rtl/") and path.endswith(".v"):
        check_module(path, text, faults)
    for name, first, last, *parameters in functions(path, text):
        if C_ROOMS.match(path) and parameters[0] > MOST_PARAMETERS:
            long_lists.append(f"{path}:{first}: {name} has {parameters[0]} parameters")
        if last - first + 1 > MOST_FUNCTION_LINES:
            faults.append(f"{path}:{first}: {name} has {last - first + 1} lines, more than {MOST_FUNCTION_LINES}")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    faults, long_lists = [], []
    conditions = sum(path.read_text(encoding="utf-8").count("@IF ") for path in (root / TEMPLATES).rglob("*")
                     if path.is_file())
    if conditions > MOST_CONDITIONS:
        faults.append(f"{TEMPLATES}: {conditions} conditions, more than {MOST_CONDITIONS}")
    for folder, folders, files in tree(root):
        if not CROWDED.match(folder) and (entries := len(set(folders) - HIDDEN) + len(files)) > MOST_ENTRIES:
            faults.append(f"{folder}: {entries} entries, more than {MOST_ENTRIES}")
        for file in files:
            path = file if folder == "." else f"{folder}/{file}"
            if SOURCE.search(path):
                check_file(path, (root / path).read_text(encoding="utf-8"), faults, long_lists)
    if len(long_lists) > MOST_LONG_LISTS:
        faults.append(f"{len(long_lists)} functions with more than {MOST_PARAMETERS} parameters, more than "
                      f"{MOST_LONG_LISTS}; give some of them a struct:")
        faults.extend(long_lists)
    print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
