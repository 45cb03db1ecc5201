#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plans_test.py GOSSIPFAB FOLDER [--count N] [--seed S] [--theirs DIR]: `verify` of GPU plans against every order of
their thread blocks, one by one (explore.py), on small plans by hand (samples.py) and N mutants of them: what goes wrong
in some order is refused, as what it is; what goes wrong in none is good. --theirs: mutants of small plans of a folder
too, and a line for each of its plans. Files go to FOLDER."""
import argparse
import collections
import copy
import json
import pathlib
import random
import re
import subprocess
import sys

import explore
import samples

LAUNCHES = 16  # more than the checker looks at, by an argument that is at test here
LINE = {0: "good", 1: None, 2: "refused"}


def verify(gossipfab, plan, path):
    """The verdict, and what was said."""
    path.write_text(json.dumps(plan))
    done = subprocess.run([gossipfab, "verify", path], capture_output=True, text=True, timeout=60)
    last = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ""
    if done.returncode not in LINE or (done.returncode and not last.startswith("gossipfab: verify: ")):
        raise SystemExit(f"{path}: exit status {done.returncode}: {done.stderr}")
    return LINE[done.returncode] or last.split(": ")[2], last


def all_ops(plan):
    """Lists of operations, a pipeline's too."""
    for gpu in plan["gpus"]:
        for block in gpu["threadblocks"]:
            yield block["ops"]
            yield from (o["ops"] for o in block["ops"] if o["name"] == "pipeline")


def mutate(rng, plan):
    """A plan with one change; what was changed."""
    plan = copy.deepcopy(plan)
    ops = rng.choice([o for o in all_ops(plan) if o])
    i = rng.randrange(len(ops))
    places = [p for o in ops for p in o.get("src_buff", []) + o.get("dst_buff", [])]
    what = rng.choice(["drop", "drop", "swap", "move", "twice", "index", "index", "buffer", "channel", "semaphore", "block",
                       "slice", "wide"])
    if what == "drop":
        del ops[i]
    elif what == "swap" and i + 1 < len(ops):
        ops[i], ops[i + 1] = ops[i + 1], ops[i]
    elif what == "move":
        moved = ops.pop(i)
        ops.insert(rng.randrange(len(ops) + 1), moved)
    elif what == "twice":
        ops.insert(i, copy.deepcopy(ops[i]))
    elif what == "index" and places:
        rng.choice(places)["index"] = rng.randrange(3)
    elif what == "buffer" and places:
        place = rng.choice(places)
        key = "type" if "type" in place else "buffer_id"
        place[key] = rng.choice("ios") if key == "type" else rng.randrange(2)
    elif what == "channel" and "channel_ids" in ops[i]:
        ops[i]["channel_ids"] = [rng.randrange(2)]
    elif what == "semaphore":
        gpu = rng.choice(plan["gpus"])
        for semaphore in gpu["semaphores"]:
            semaphore["init_value"] = rng.randrange(3)
    elif what == "block":
        moved = ops.pop(i)
        other = rng.choice([o for o in all_ops(plan)])
        if moved["name"] != "pipeline" or other in [b["ops"] for g in plan["gpus"] for b in g["threadblocks"]]:
            other.insert(rng.randrange(len(other) + 1), moved)
    elif what == "slice":
        ops[i]["tbg_info"] = {"tb_id": rng.randrange(2), "tbg_size": 2}
    elif what == "wide" and places:
        rng.choice(places)["size"] = 2
    return plan, what


def named_launch(line):
    """The launch that a line says a plan to be wrong in at the latest."""
    found = re.search(r"in launch (\d+) at the latest", line)
    return int(found.group(1)) if found else None


def orders(plan, most):
    """The verdict, and of how many launches: of two or three, or where those are good of LAUNCHES, if these have not too
    many orders; of the lengths of a chunk that show all where there are thread block groups. None: too many."""
    groups = [o["tbg_info"]["tbg_size"] for ops in all_ops(plan) for o in ops if o.get("src_buff") and "tbg_info" in o]
    lengths = [None] + [16 * units for units in range(1, 5 if max(groups, default=1) > 1 else 1)]
    if any(o["name"] == "pipeline" or len({p["size"] for p in o.get("src_buff", []) + o.get("dst_buff", [])}) > 1 and
           "tbg_info" in o for ops in all_ops(plan) for o in ops):
        lengths = [None]
    found = None
    for launches in (3 if plan["use_double_scratch_buffer"] else 2, LAUNCHES):
        try:
            verdicts = [explore.Explorer(plan, launches, chunk).explore(launches * most // 2) for chunk in lengths]
        except explore.TooMany:
            return found
        found = next((v for v in verdicts if v != "good"), "good"), launches
        if found[0] != "good":
            return found
    return found


def agree(verdict, line, truth):
    """A fault of later launches is one of those that are gone through, or comes behind them."""
    late = named_launch(line)
    if not late:
        return truth[0] == verdict
    return truth[0] != "good" or late > truth[1]


def campaign(gossipfab, folder, bases, count, seed, most):
    rng = random.Random(seed)
    tally, skipped, few, made = collections.Counter(), 0, 0, 0
    while made < count:
        base = rng.choice(bases)
        plan, what = mutate(rng, base)
        verdict, line = verify(gossipfab, plan, folder / "mutant.json")
        if verdict == "refused":
            tally["not carried out, by a line"] += 1
            made += 1
            continue
        truth = orders(plan, most)
        if truth is None:
            skipped += 1
            continue
        if not agree(verdict, line, truth):
            (folder / "mutant.json").rename(folder / "wrong.json")
            raise SystemExit(f"{base['name']}, {what}: {verdict} ({line}), but all orders of {truth[1]} launches say "
                             f"{truth[0]}: {folder}/wrong.json")
        few += truth[0] == "good" and truth[1] < LAUNCHES
        tally[verdict] += 1
        made += 1
    return tally, skipped, few


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gossipfab")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=1500, help="sets of elements that are gone through, of two launches")
    parser.add_argument("--theirs", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    bases = list(samples.samples())
    for plan in bases:
        verdict, line = verify(arguments.gossipfab, plan, arguments.folder / f"{plan['name']}.json")
        if verdict != "good":
            raise SystemExit(f"{plan['name']}: {line}")
    orders_said = [*samples.drifting(), *samples.threads()]
    for plan, wanted, said in (*samples.verdicts(), *orders_said):
        verdict, line = verify(arguments.gossipfab, plan, arguments.folder / "one.json")
        if verdict != wanted or said not in line:
            raise SystemExit(f"{plan['name']}: {verdict} in the place of {wanted}, {said}: {line}")
        truth = None if wanted == "refused" or (plan, wanted, said) not in orders_said else orders(plan, 20000)
        if truth and not agree(verdict, line, truth):
            raise SystemExit(f"{plan['name']}: {line}; but all orders of {truth[1]} launches say {truth[0]}")
    theirs = sorted(arguments.theirs.glob("*.json")) if arguments.theirs else []
    for path in theirs:
        plan = json.loads(path.read_text())
        verdict, line = verify(arguments.gossipfab, plan, arguments.folder / "theirs.json")
        print(f"{path.name}: {verdict}{line and ': '}{line.removeprefix('gossipfab: verify: ')}")
        names = {o["name"] for ops in all_ops(plan) for o in ops}
        if verdict != "refused" and not names & {"rlxsignal", "rlxwait"} and orders(plan, arguments.most):
            bases.append(plan)
    tally, skipped, few = campaign(arguments.gossipfab, arguments.folder, bases, arguments.count, arguments.seed,
                              arguments.most)
    if arguments.count >= 40 and (not tally["good"] or not tally["race"] or not tally["deadlock"]):
        raise SystemExit(f"the mutants are of one kind: {dict(tally)}")
    print(f"{len(bases)} plans; {arguments.count} mutants, in all orders of {LAUNCHES} launches as said: "
          + ", ".join(f"{n} {name}" for name, n in sorted(tally.items()))
          + f"; of {few} good ones 2 or 3 launches were gone through, {skipped} more had too many orders")


if __name__ == "__main__":
    main()
