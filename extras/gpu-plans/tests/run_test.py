#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_test.py GOSSIPFAB FOLDER [--count N] [--seed S]: schedules written for MSCCL++, in place and out of it: the plan is
good, is the same once it was read, and run on the processor gives every byte that the collective promises. The first
plans cover every collective; mutants of what comes out are seen. Files go to FOLDER."""
import argparse
import array
import json
import pathlib
import random
import subprocess

GRAPHS = {"cycle:5": 5, "complete:4": 4, "mesh:3x3": 9, "hypercube:3": 8, "torus:3x4": 12, "complete:6": 6, "path:4": 4,
          "random:n=7,m=11,seed=3": 7, "torus:4x4": 16, "mesh:2x5": 10,
          "fat-tree:4": 16, "mesh:3x3+relay=4": 8}
# Around switches, whose stores to all GPUs at once are asked for.
SWITCHES = {"graph:9:0-8,1-8,2-8,3-8,4-8,5-8,6-8,7-8+relay=8": 8, "machine:a100x2": 16, "graph:6:0-4,1-4,2-5,3-5,4-5+relay=4-5": 4}
COLLECTIVES = ["all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce", "all-to-all"]


def call(gossipfab, *words):
    return subprocess.run([gossipfab, *map(str, words)], capture_output=True, text=True, timeout=120)


def expected(plan, inputs):
    """What each GPU's output has to be, in words; None: anything."""
    n, name = len(inputs), plan["collective"]
    total = [sum(words) & 0xffffffff for words in zip(*inputs)]
    part = len(inputs[0]) // n
    if name == "allgather":
        return [[w for words in inputs for w in words]] * n
    if name == "allreduce":
        return [total] * n
    if name == "reducescatter":
        return [total[r * part:(r + 1) * part] for r in range(n)]
    if name == "broadcast":
        return [inputs[plan.get("root", 0)]] * n
    if name == "reduce":
        return [total if r == plan.get("root", 0) else None for r in range(n)]
    return [[w for words in inputs for w in words[r * part:(r + 1) * part]] for r in range(n)]


def compare(plan, inputs, output):
    """How many words were compared; a plan's outputs are one behind the other."""
    at = words = 0
    size = len(inputs[0]) * plan["gpus"][0]["output_chunks"] // plan["gpus"][0]["input_chunks"]
    for want in expected(plan, inputs):
        if want is not None:
            if list(output[at:at + size]) != want:
                raise ValueError("what comes out is wrong")
            words += size
        at += size
    if at != len(output):
        raise ValueError("of another length")
    return words


def one(gossipfab, folder, rng, graph, collective, blocks, form, *more):
    gfs, path, again = folder / "s.gfs", folder / "plan.json", folder / "again.json"
    made = call(gossipfab, "schedule", graph, "-c", collective, *blocks, "--link-mode", "full", "-o", gfs)
    if made.returncode:
        return None, made.stderr
    done = call(gossipfab, "convert", gfs, "--to", form, "--thread-blocks", rng.choice([1, 1, 2, 3]), *more, "-o", path)
    if done.returncode == 2:
        return None, done.stderr
    chunk = 16 * rng.randrange(1, 5)
    for words in (("verify", path), ("convert", path, "--to", "mscclpp", "-o", again)):
        done = call(gossipfab, *words)
        if done.returncode:
            raise SystemExit(f"{graph} {collective} {form}: {words[0]}: {done.stderr}")
    if path.read_bytes() != again.read_bytes():
        raise SystemExit(f"{graph} {collective} {form}: not the same once read")
    plan = json.loads(path.read_text())
    size = plan["gpus"][0]["input_chunks"] * chunk // 4
    inputs = [[rng.getrandbits(32) for _ in range(size)] for _ in plan["gpus"]]
    (folder / "in").write_bytes(array.array("I", [w for words in inputs for w in words]).tobytes())
    done = call(gossipfab, "run", path, "--input", folder / "in", "-o", folder / "out", "--chunk-bytes", chunk)
    if done.returncode:
        raise SystemExit(f"{graph} {collective} {form}: run: {done.stderr}")
    output = array.array("I", (folder / "out").read_bytes())
    try:
        words = compare(plan, inputs, output)
    except ValueError as error:
        raise SystemExit(f"{graph} {collective} {form}: {error}") from error
    output[0 if collective != "reduce" else plan.get("root", 0) * size] ^= 1 << rng.randrange(32)
    try:
        compare(plan, inputs, output)
    except ValueError:
        return 4 * words, plan
    raise SystemExit(f"{graph} {collective} {form}: a wrong bit is not seen")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gossipfab")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(arguments.seed)
    done = total = tried = most = 0
    lines = set()
    while done < arguments.count:
        collective, form = COLLECTIVES[tried % 6], ("mscclpp", "mscclpp-apart")[tried // 6 % 2]
        graph = list(GRAPHS)[rng.randrange(len(GRAPHS)) if tried >= 12 else tried % 2]
        blocks = rng.randrange(1, 4) * (1 if collective in ("broadcast", "reduce") else GRAPHS[graph])
        blocks = () if collective == "all-to-all" else ("--blocks", blocks)
        got, said = one(arguments.gossipfab, arguments.folder, rng, graph, collective, blocks, form)
        tried += 1
        if got is None:
            lines.add(said.strip())
            if tried <= 12 or tried > 3 * arguments.count:
                raise SystemExit(f"{graph} {collective} {form}: {said}")
            continue
        done += 1
        total += got
        most = max(most, max(len(g["threadblocks"]) for g in said["gpus"]))
    stores = 0
    for graph, collective, form in ((g, c, f) for g in SWITCHES for c in ("all-gather", "broadcast")
                                    for f in ("mscclpp", "mscclpp-apart")):
        blocks = ("--blocks", SWITCHES[graph])
        got, said = one(arguments.gossipfab, arguments.folder, rng, graph, collective, blocks, form, "--multicast")
        found = 0 if got is None else json.dumps(said).count('"gstore"')
        if not found:
            raise SystemExit(f"{graph} {collective} {form}: {said if got is None else 'no store by the switch'}")
        total, done, stores = total + (got or 0), done + (got is not None), stores + found
    print(f"{done} plans, {total} bytes, each as it should be; {stores} stores by a switch; up to {most} thread blocks; {len(lines)} not written:")
    for line in sorted(lines):
        print(f"  {line}")


if __name__ == "__main__":
    main()
