#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""drift_test.py GOSSIPFAB FOLDER [--count N] [--seed S]: `verify` of plans whose counters may drift, against an interpreter
(interpret.py) that carries out 16 launches in orders that are drawn. N plans of samples.py with signals, waits, acquires
and releases too many or too few: what is good goes right in every order drawn; what is refused goes wrong in one, within
16 launches or by the launch that the line names. Verdicts that are wrong are planted first, and seen. Files go to FOLDER."""
import argparse
import collections
import copy
import pathlib
import random

import interpret
import samples
from plans_test import all_ops, named_launch, verify
from samples import NOP, op

LAUNCHES = 16


def steps(rng, plan, rank, block, kind):
    """So many operations of a kind for a thread block."""
    gpu = plan["gpus"][rank]
    count = rng.choice([1, 1, 1, 2, 3, 5])
    if kind in ("sem_acquire", "sem_release"):
        if not gpu["semaphores"] or rng.random() < 0.1:
            gpu["semaphores"].append({"init_value": rng.choice([0, 0, 1, 2, 5, 10, 15, 20])})
        return [op(kind, semaphore_ids=[rng.randrange(len(gpu["semaphores"]))])] * count
    channels = [c for c in gpu["threadblocks"][block]["channels"] if c["channel_type"] != "switch" and c["channel_ids"]]
    if not channels:
        return []
    channel = rng.choice(channels)
    return [op(kind, channel_ids=[rng.randrange(len(channel["channel_ids"]))], channel_type=channel["channel_type"])] * count


def insert(rng, plan, rank, kind, channel=None):
    block = rng.randrange(len(plan["gpus"][rank]["threadblocks"]))
    made = steps(rng, plan, rank, block, kind)
    if channel and made:
        made = [dict(channel, name=kind)] * len(made)
    ops = plan["gpus"][rank]["threadblocks"][block]["ops"]
    at = rng.choice([0, len(ops), rng.randrange(len(ops) + 1)])
    ops[at:at] = rng.choice([[], [NOP]]) + copy.deepcopy(made) + rng.choice([[], [NOP]])
    return made[0] if made else None


def repeat(rng, plan):
    """Each signal and release of one kind of channel is done so often, each wait and acquire a little less, or more."""
    often = rng.choice([2, 3, 4, 5, 6])
    times = {"signal": often, "sem_release": often}
    times["wait"] = times["sem_acquire"] = often + rng.choice([-1, -1, -1, -2, 0, 1])
    kind = rng.choice(["memory", "memory", "port", None])
    for ops in all_ops(plan):
        ops[:] = [copy.deepcopy(o) for o in ops for _ in range(times.get(o["name"], 1) if o.get("channel_type") == kind else 1)]


def mutate(rng, plan):
    """One to three changes to what is signalled and waited for."""
    plan = copy.deepcopy(plan)
    for _ in range(rng.choice([1, 1, 2, 3])):
        what = rng.choice(["insert", "insert", "drop", "twice", "both", "both", "value", "repeat", "repeat"])
        rank = rng.randrange(2)
        kinds = ["signal", "wait", "sem_acquire", "sem_release"]
        if what == "insert":
            insert(rng, plan, rank, rng.choice(kinds))
        elif what == "both":  # at both ends of a channel; or what is released in one place, and acquired in another
            first, second, there = rng.choice([("signal", "wait", 1 - rank), ("wait", "signal", 1 - rank),
                                               ("sem_release", "sem_acquire", rank)])
            made = insert(rng, plan, rank, first)
            insert(rng, plan, there, second, made)
        elif what == "repeat":
            repeat(rng, plan)
        elif what == "value":
            for semaphore in plan["gpus"][rank]["semaphores"]:
                semaphore["init_value"] = rng.choice([0, 1, 2, 3, 7, 12, 20])
        else:
            found = [(ops, i) for ops in all_ops(plan) for i, o in enumerate(ops) if o["name"] in kinds]
            if found:
                ops, i = rng.choice(found)
                ops[i:i + 1] = [] if what == "drop" else [ops[i], copy.deepcopy(ops[i])]
    return plan


def held(plan, verdict, line, rng, good_orders, bad_orders):
    """None where the orders drawn say the same; else what is wrong with the verdict."""
    launches, late = LAUNCHES, named_launch(line)
    if verdict != "good" and late and LAUNCHES < late <= 4 * LAUNCHES:
        launches = late
    wrong = None
    for _ in range(good_orders if verdict == "good" else bad_orders):
        wrong = interpret.Run(plan, rng, launches).run()
        if wrong:
            break
    if verdict == "good":
        return wrong and f"good, but {wrong[0]} in launch {wrong[1]}"
    if not wrong:
        return None if late and late > launches else f"{verdict}, but right in {bad_orders} orders of {launches} launches"
    if verdict == "deadlock" and late and wrong[0] == "hang" and wrong[1] > late:
        return f"{verdict}, but only in launch {wrong[1]}"
    return None


def planted(rng):
    """Verdicts that are wrong: each has to be seen."""
    put = next(p for p in samples.samples() if p["name"] == "put")
    drains = copy.deepcopy(put)
    for gpu in drains["gpus"]:
        gpu["semaphores"] = [{"init_value": 10}]
        gpu["threadblocks"][0]["ops"].insert(0, op("sem_acquire", semaphore_ids=[0]))
    ahead = copy.deepcopy(put)
    for gpu in ahead["gpus"]:  # one signal more than there are waits
        gpu["threadblocks"][0]["ops"] += samples.signal(0)
    for plan, verdict, line in ((drains, "good", ""), (ahead, "good", ""), (put, "race", ""), (put, "deadlock", ""),
                                (drains, "deadlock", "in launch 10 at the latest"), (put, "race", "in launch 16 at the latest")):
        if not held(plan, verdict, line, rng, 8, 8):
            raise SystemExit(f"drift: a wrong verdict is not seen: {plan['name']}, {verdict} {line}")
    for plan, verdict, line in ((drains, "deadlock", "in launch 11 at the latest"), (put, "good", "")):
        if held(plan, verdict, line, rng, 8, 8):
            raise SystemExit(f"drift: a right verdict is not held: {plan['name']}, {verdict} {line}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gossipfab")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--orders", type=int, default=4, help="orders of a good plan")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(arguments.seed)
    planted(rng)
    bases, tally = list(samples.samples()), collections.Counter()
    for number in range(arguments.count):
        plan = mutate(rng, rng.choice(bases))
        path = arguments.folder / "plan.json"
        verdict, line = verify(arguments.gossipfab, plan, path)
        if verdict == "refused":
            tally["not carried out, by a line"] += 1
            continue
        said = held(plan, verdict, line, rng, arguments.orders, 40)
        if said:
            path.rename(arguments.folder / "wrong.json")
            raise SystemExit(f"drift: plan {number} of {plan['name']}: {said} ({line}): {arguments.folder}/wrong.json")
        late = named_launch(line)
        tally[verdict + (", by a later launch" if late else "")] += 1
    if arguments.count >= 100 and not all(tally[kind] for kind in ("good", "race", "deadlock", "race, by a later launch",
                                                                     "deadlock, by a later launch")):
        raise SystemExit(f"drift: the plans are of few kinds: {dict(tally)}")
    print(f"{arguments.count} plans with signals, waits, acquires and releases too many or too few, {LAUNCHES} launches of each "
          "as said: " + ", ".join(f"{n} {name}" for name, n in sorted(tally.items())))


main()
