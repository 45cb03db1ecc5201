#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every pair of options that a row of the commands' rules (cli/cli_rules.c) is about is refused by that row's line.

rules_test.py GOSSIPFAB SOURCE

The rows are read from the sources: those of all commands, and each command's own. A name that no command has is a
fault: it refuses nothing. What an option needs stands beside it where it is tried with another one.
"""
import pathlib
import re
import subprocess
import sys

gossipfab, source = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*words):
    return subprocess.run([gossipfab, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)


def options_of(verb):
    """Name -> has it a value?"""
    found = re.findall(r"^ +(?:-\w, )?--([\w-]+)( [^ ]+)?", run(verb, "--help-all").stdout, re.M)
    return {name: bool(word) for name, word in found}


def rows(text):
    for table in re.findall(r"static const cli_rule \w+\[\] = \{(.*?)CLI_RULES_END", text, re.S):
        for row in re.findall(r"\{(.*?)\}", table, re.S):
            yield {key: value.split() for key, value in re.findall(r"\.(options|need|exclude) *= *\"([^\"]*)\"", row)}


def words(option, known):
    name, _, value = option.partition("=")
    return [f"--{name}={value or 1}" if known[name] else f"--{name}"]


verbs = {verb: options_of(verb) for verb in re.findall(r"^  ([a-z]+) ", run("--help").stdout, re.M)}
faults, done = [], 0
for path in sorted([*source.glob("cli/**/*.c"), *source.glob("extras/*/cli/*.c")]):
    text = path.read_text()
    own = re.search(r"^int cmd_(\w+)\(", text, re.M)
    table = list(rows(text))
    for row in table:
        for option in row["options"]:
            needed = [other["need"][0] for other in table if option in other["options"] and "need" in other]
            others = [(other, "does not go with") for other in row.get("exclude", [])]
            others += [("", "needs")] if "need" in row else []
            for other, says in others:
                names = {name.partition("=")[0] for name in (option, other) if name}
                takers = [verb for verb in ([own.group(1)] if own else verbs) if names <= verbs[verb].keys()]
                if not takers:
                    faults.append(f"{path.name}: no command has {' and '.join(sorted(names))}")
                for verb in takers:
                    known = verbs[verb]
                    beside = [other, *needed] if other else []
                    ran = run(verb, *words(option, known), *(word for name in beside for word in words(name, known)))
                    done += 1
                    if ran.returncode != 2 or not re.match(rf"gossipfab: {verb}: --[\w=-]+ ({says}|takes)", ran.stderr):
                        faults.append(f"{verb} --{option} {'--' + other if other else 'alone'}: {ran.stderr.strip()}")
        for name in row.get("need", []):
            if not any(name.partition("=")[0] in known for known in verbs.values()):
                faults.append(f"{path.name}: no command has {name}")
for fault in faults:
    print("FAILED", fault)
print(f"{done - len(faults)} passed, {len(faults)} failed")
sys.exit(bool(faults) or done < 100)
