#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do two builds of gossipfab make the same schedules, ROM images and cycles?

compare-builds.py OLD NEW [--list FILE] [--jobs N] [--only TEXT] [--without-images]

Runs each line of the list (compare-builds.txt) with both programs. The list is written in today's words; each program is
asked in the words that it knows, and what it writes is compared in today's. Of a fabric that is its schedule, its ROM
images, its cycles and what is on each link in each cycle; --without-images leaves the images out, for builds that are
known to write them otherwise. Prints a line for each comparison and exits
with 1 if one differs: with rounds and cost where a schedule does, so that a better one can be told from a worse one.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

# Names of earlier versions, and today's: words of the output, and of the command line where today's is not known.
WORDS = [("beier-sibeyn", "mesh-telephone"), ("best", "auto"), ("wormhole", "circuit"), ("pause", "gap"),
         ("pace", "gap")]
# Keys of the reports that have no older counterpart, or are not the same from one run to the next.
UNSTABLE = {"seconds", "milliseconds"}


def words_known(program):
    """The words of WORDS that the program takes on its command line."""
    text = subprocess.run([program, "list", "solvers"], capture_output=True, text=True, check=True).stdout
    solvers = {line.split()[0] for line in text.splitlines() if re.match(r"  \S", line)}
    help_text = subprocess.run([program, "schedule", "--help"], capture_output=True, text=True, check=True).stdout
    routing = set(re.findall(r"\b(?:wormhole|circuit)\b", help_text))
    return solvers | routing


class Build:
    def __init__(self, program, images):
        self.program = os.path.abspath(program)
        self.images = images
        known = words_known(self.program)
        self.older = {new: old for old, new in WORDS if new not in known and old in known}

    def run(self, arguments, folder):
        arguments = [self.older.get(word, word) for word in arguments]
        return subprocess.run([self.program, *arguments], capture_output=True, cwd=folder, check=False)


def today(text):
    for old, new in WORDS:
        text = re.sub(rf"(?<![a-z]){old}(?![a-z])", new, text)
    return text


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return today(file.read())


def stable(value):
    if isinstance(value, dict):
        return {key: stable(v) for key, v in value.items() if key not in UNSTABLE}
    return [stable(v) for v in value] if isinstance(value, list) else value


def told(result):
    return result.stderr.decode(errors="replace").strip().splitlines()[:1]


def schedule(build, arguments, folder):
    """The schedule's text, and its rounds and cost."""
    result = build.run(["schedule", *arguments, "-o", "made.gfs", "--json"], folder)
    if result.returncode != 0:
        return {"status": result.returncode, "says": today(" ".join(told(result)))}, "refused"
    report = json.loads(result.stdout)
    figures = {key: report.get(key) for key in ("rounds", "startups", "transfers", "parts")}
    summary = f"{today(report['solver'])}, {figures['rounds']} rounds, {figures['transfers']} transfers"
    return {"schedule": read(os.path.join(folder, "made.gfs")), **figures}, summary


OF_FABRIC = {"--token-bits", "--link-bits", "--gap", "--link-latency", "--frame", "--store", "--chips", "--board",
             "--rom-rounds", "--relay-slots"}
OF_GENERATE = {"--chips", "--board", "--rom-rounds", "--relay-slots"}


def without(arguments, options):
    """The arguments but those options, which all take a value."""
    kept, skip = [], False
    for word in arguments:
        if not skip and word not in options:
            kept.append(word)
        skip = not skip and word in options
    return kept


def fabric(build, arguments, folder):
    """The schedule, all that the fabric's memories hold, the cycles that it takes and what the links then carry."""
    made, summary = schedule(build, without(arguments, OF_FABRIC), folder)
    result = build.run(["generate", *arguments, "-o", "fabric"], folder)
    if result.returncode != 0:
        return {**made, "generate": result.returncode, "says": today(" ".join(told(result)))}, "refused"
    images = 0
    for path, _, names in os.walk(os.path.join(folder, "fabric")):
        for name in sorted(names):
            if name.endswith(".hex") and build.images:
                within = os.path.relpath(os.path.join(path, name), folder)
                made[today(within)] = read(os.path.join(path, name))
                images += 1
    result = build.run(["simulate", *without(arguments, OF_GENERATE), "--json", "--trace", "links.csv"], folder)
    if result.returncode != 0:
        return {**made, "simulate": result.returncode, "says": today(" ".join(told(result)))}, "refused"
    report = json.loads(result.stdout)
    for key in ("cycles", "cycles_equal_formula", "tokens_checked", "tokens_wrong", "links_as_scheduled"):
        made[key] = report[key]
    made["links"] = read(os.path.join(folder, "links.csv"))
    return made, f"{summary}, {images} images, {report['cycles']} cycles"


def printed(build, arguments, folder):
    result = build.run(arguments, folder)
    text = today(result.stdout.decode())
    try:
        text = json.dumps(stable(json.loads(text)), sort_keys=True)
    except ValueError:
        pass
    return {"status": result.returncode, "output": text}, f"{len(text)} characters"


KINDS = {"schedule": schedule, "fabric": fabric, "print": printed}


def compare(line, builds):
    kind, *arguments = shlex.split(line)
    made, summaries = [], []
    for build in builds:
        with tempfile.TemporaryDirectory() as folder:
            one, summary = KINDS[kind](build, arguments, folder)
            made.append(one)
            summaries.append(summary)
    differs = [key for key in {**made[0], **made[1]} if made[0].get(key) != made[1].get(key)]
    if not differs:
        return True, f"same     {line}: {summaries[1]}"
    return False, f"DIFFERS  {line}: {', '.join(sorted(differs))}\n    old: {summaries[0]}\n    new: {summaries[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--list", default=os.path.join(os.path.dirname(__file__), "compare-builds.txt"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="lines that have this text")
    parser.add_argument("--without-images", dest="images", action="store_false", help="do not compare ROM images")
    options = parser.parse_args()
    builds = [Build(options.old, options.images), Build(options.new, options.images)]
    with open(options.list, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    lines = [line for line in lines if line and not line.startswith("#") and options.only in line]
    different = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for same, text in pool.map(lambda line: compare(line, builds), lines):
            different += not same
            print(text, flush=True)
    print(f"{len(lines)} comparisons, {different} differ")
    return 1 if different or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
