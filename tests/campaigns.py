#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""campaigns.py BUILD: the fabrics of `make faults`, `make mutate`, `make coverage` and `make streams` can be generated,
and the checks that are left out, or faults that are planted, are in their files. The tests run the short forms of these
campaigns: a row that only the long ones have would else be found wrong in hours, when somebody runs them.
A mutant of this test itself, a row that cannot be generated, must be found. Exit status: 0, or 1 where a row is wrong."""
import argparse
import concurrent.futures
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
IMPOSSIBLE = "path:3 --stream --token-bits 5 --link-bits 2"


def module(path):
    """With those beside it, which may have the names of another folder's."""
    known = set(sys.modules)
    sys.path.insert(0, str((HERE / path).parent))
    spec = importlib.util.spec_from_file_location(path.replace("/", "_"), HERE / f"{path}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    sys.path.pop(0)
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(HERE)):
            del sys.modules[name]
    return made


def texts_of(folder, pairs):
    """Each text is in its file."""
    for name, text in pairs:
        path = folder / "rtl" / name
        if not path.exists() or text not in path.read_text(encoding="utf-8"):
            raise ValueError(f"{name} has no '{text.splitlines()[0]}'")


def faults(program):
    run = module("faults/run")
    planted = run.PLANTED + run.PLANTED_LONG

    def make(line, folder):
        kind, options = line.split(": ", 1) if ": " in line else ("", line)
        words = [word for word in options.split() if word != run.MERGED]
        run.make_folder(program, kind, words, str(folder))
        texts_of(folder, [row[2:4] for row in planted if row[0] == line])
    for line in dict.fromkeys([*run.FABRICS, *(row[0] for row in planted)]):
        yield f"faults: {line}", lambda folder, line=line: make(line, folder)


def mutate(build):
    run = module("mutate/run")
    benches = {**run.benches.BENCHES, "own": run.own.Own}
    for row in run.classes.CLASSES:
        for text in row.fabrics if row.bench != "alone" else []:
            yield (f"mutate {row.name}: {text}",
                   lambda folder, bench=benches[row.bench], text=text: bench.make(build, folder, text.split()))


def coverage(program):
    for text, _ in module("coverage/rtl").FABRICS:
        yield f"coverage: {text}", lambda folder, text=text: generate(program, text.split(), folder)


def streams(program):
    run = module("streams/run")

    def make(words, folder):
        generate(program, words, folder)
        texts_of(folder, [fault[:2] for fault in (run.WORDS if run.has_words(folder) else run.BLOCKS)])
    for number, row in enumerate(run.rows_of(run.FABRICS)):
        words = run.options_of(row, run.random_of(1, number))
        yield f"streams: {row}", lambda folder, words=words: make(words, folder)


def generate(program, words, folder):
    subprocess.run([program, "generate", *words, "-o", folder], check=True, capture_output=True, text=True)


def wrong(work, number, row):
    """What is wrong with it; nothing, or a line."""
    name, make = row
    folder = work / str(number)
    try:
        make(folder)
    except subprocess.CalledProcessError as error:
        return f"{name}: {(error.stderr or 'cannot be generated').strip()}"
    except Exception as error:  # whatever the campaign says where it cannot go on
        return f"{name}: {error}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    program = build / "bin" / "gossipfab"
    rows = [*faults(program), *mutate(build), *coverage(program), *streams(program),
            ("mutant", lambda folder: generate(program, IMPOSSIBLE.split(), folder))]
    with tempfile.TemporaryDirectory(prefix="gossipfab-campaigns-") as work, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda at: wrong(pathlib.Path(work), at, rows[at]), range(len(rows))))
    if not said.pop():
        said.append("the mutant was generated")
    said = [line for line in said if line]
    print("\n".join(said + [f"{len(rows) - 1} fabrics, {len(said)} at fault"]))
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
