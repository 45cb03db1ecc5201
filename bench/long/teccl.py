#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""teccl.py GOSSIPFAB RESULTS [MACHINE..]: all-gathers and all-to-alls beside TE-CCL's result files, in its cost model.

RESULTS is the folder teccl/examples/experiments/output_provided of github.com/microsoft/TE-CCL (c128bf2 when this was
written); MACHINE one of its folders, as NDv2_output/2_chassis. A chunk is the size in a file's name over the GPUs. A
message takes alpha and its bytes over the link's bandwidth; a link carries one after the other, and a switch passes it
on as it comes in. gossipfab makes and verifies schedules of several numbers of blocks, and of hops that take several
rounds, which is how it is told of alpha; each is replayed here for each size, in times and not in rounds. The shortest
is compared with the shortest of TE-CCL's files for that size, by what these say of themselves, or, of an all-gather, by
their own moves replayed in the same way where that is less. As there, alpha counts only where it is above a tenth of an
epoch. In TE-CCL's files of two NDv2 boxes GPU 0 takes no part but passes on what comes; so it is here in the
all-to-alls, while in the all-gathers it takes part.

Prints a table in Markdown: for each size the time of ours in percent of TE-CCL's, and how long it took to make all of them.
Exit status 1 where ours is longer, by a picosecond or more, 2 where gossipfab fails."""
import csv
import io
import json
import os
import re
import subprocess
import sys
import time

UNIT = 12.5e9  # bytes a second of a link of weight 1
NVLINKS = {0: {1: 4, 2: 2, 3: 2, 4: 4}, 1: {0: 4, 2: 2, 3: 4, 5: 2}, 2: {0: 2, 1: 2, 3: 4, 6: 4},
           3: {0: 2, 1: 4, 2: 4, 7: 2}, 4: {0: 4, 5: 4, 6: 2, 7: 2}, 5: {1: 2, 4: 4, 6: 2, 7: 4},
           6: {2: 4, 4: 2, 5: 2, 7: 4}, 7: {3: 2, 4: 2, 5: 4, 6: 4}}
SIZES = [("1KB", 1e3), ("4KB", 4e3), ("16KB", 16e3), ("64KB", 64e3), ("256KB", 256e3), ("1MB", 1e6), ("4MB", 4e6),
         ("16MB", 16e6), ("64MB", 64e6), ("256MB", 256e6), ("1GB", 1e9)]


def boxes(count):
    """NDv2: what leaves a box goes by its first GPU, what comes in by its second; four have a switch, node 0."""
    first = 1 if count > 2 else 0
    arcs = {}
    for box in range(count):
        base = first + 8 * box
        for u, row in NVLINKS.items():
            arcs.update({(base + u, base + v): (weight, 0.7e-6) for v, weight in row.items()})
        if first:
            arcs[base, 0] = arcs[0, base + 1] = (1, 1.3e-6)
        else:
            arcs[base, 8 * (1 - box) + 1] = (1, 1.3e-6)
    return 8 * count + first, arcs, [0] if first else []


def dgx2():
    """Two boxes of 16 GPUs around a switch, 0 and 17; every second GPU sends to one of the other box."""
    arcs = {}
    for box in (0, 17):
        for gpu in range(box + 1, box + 17):
            arcs[box, gpu] = arcs[gpu, box] = (10, 0.35e-6)
        for gpu in range(box + 2, box + 18, 2):
            arcs[gpu, 17 - box + gpu - box - 1] = (1, 2.6e-6)
    return 34, arcs, [0, 17]


MACHINES = {"NDv2_output/2_chassis": boxes(2), "NDv2_output/4_chassis": boxes(4), "DGX2_output/2_chassis": dgx2()}
COLLECTIVES = {"AllGather": "all-gather", "AlltoAll": "all-to-all"}


def specification(nodes, arcs, relays):
    links = sorted({tuple(sorted(arc)) for arc in arcs})
    weights = {arc: weight for arc, (weight, _) in arcs.items()}
    text = f"graph:{nodes}:" + ",".join(f"{u}-{v}" for u, v in links)
    text += "".join(f"+weight={u}-{v}:{weights.get((u, v), 0)}/{weights.get((v, u), 0)}" for u, v in links)
    return text + ("+relay=" + ",".join(map(str, relays)) if relays else "")


def moves_of(gossipfab, machine, collective, blocks, hop):
    """(from, to, block) in the order of rounds; None where no solver makes one."""
    command = [gossipfab, "schedule", "-t", specification(*machine), "-c", collective, "--link-mode", "full",
               "--blocks", str(blocks), "--hop-rounds", str(hop), "-f", "csv"]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode != 0:
        print(made.stderr, end="", file=sys.stderr)
        sys.exit(2)
    rows = list(csv.DictReader(io.StringIO(made.stdout)))
    block = "token" if "token" in rows[0] else "block"
    rows.sort(key=lambda row: int(row["round"]))
    return [(int(row["from"]), int(row["to"]), int(row[block])) for row in rows]


def seen(arcs, chunk):
    """The arcs as TE-CCL sees them: without alpha where it is at most a tenth of a chunk's time on the fastest link."""
    epoch = chunk / (max(weight for weight, _ in arcs.values()) * UNIT)
    return {arc: (weight, alpha if alpha > epoch / 10 else 0.0) for arc, (weight, alpha) in arcs.items()}


def replay(moves, arcs, relays, size):
    """Seconds until the last message of `size` bytes is there. A switch passes a message on as it comes in: its links
    are all of one bandwidth."""
    free, there, last = {}, {}, 0.0
    for u, v, block in moves:
        weight, alpha = arcs[u, v]
        start = max(free.get((u, v), 0.0), there.get((u, block), 0.0))
        free[u, v] = start + size / (weight * UNIT)
        there.setdefault((v, block), (start if v in relays else free[u, v]) + alpha)
        last = max(last, free[u, v] + alpha)
    return last


FLOW = re.compile(r"Chunk (\d+) from (\d+) traveled over (\d+)->(\d+) in epoch (\d+)(?: via switches (.*))?$")


def moves_of_file(result):
    """The moves of a file in the order of epochs; a switch gets a chunk once, and copies it."""
    moves = {}
    for text in sorted(result["7-Flows"], key=lambda text: int(FLOW.match(text)[5])):
        chunk, source, u, v, _, switches = FLOW.match(text).groups()
        path = [u, *re.findall(r"\d+", switches or ""), v]
        for a, b in zip(path, path[1:]):
            moves[int(a), int(b), (source, chunk)] = None
    return list(moves)


def theirs(folder, name, replayed):
    """Seconds of their shortest schedule, and of making all. An all-gather is replayed, too: it may end earlier than in
    epochs. All-to-alls have parts of chunks, and are taken by what their files say."""
    best, spent = None, 0.0
    for kind in sorted(os.listdir(folder)):
        with open(os.path.join(folder, kind, name + ".json"), encoding="utf-8") as file:
            result = json.load(file)
        finish = result["4-Collective_Finish_Time"]
        if replayed:
            finish = min(finish, replayed(moves_of_file(result)))
        best = finish if best is None else min(best, finish)
        spent += result["Solver_Time"]
    return best, spent


def main():
    if "--help" in sys.argv or len(sys.argv) < 3:
        print(__doc__)
        sys.exit("--help" not in sys.argv and 2)
    gossipfab, results, worse, rows = sys.argv[1], sys.argv[2], 0, 0
    print("| machines | " + " | ".join(name for name, _ in SIZES) + " | s | TE-CCL, h |")
    print("| --- " * (len(SIZES) + 3) + "|")
    for name in sys.argv[3:] or MACHINES:
        nodes, arcs, relays = MACHINES[name]
        gpus, switches = nodes - len(relays), relays
        for folder, collective in COLLECTIVES.items():
            path = os.path.join(results, name, folder)
            if not os.path.isdir(path):
                continue
            if (name, folder) == ("NDv2_output/2_chassis", "AlltoAll"):
                relays = [0]
            machine, members = (nodes, arcs, relays), nodes - len(relays)
            start, tries = time.monotonic(), []
            for each in (1, 2, 4, 8, 16, 64, 256) if collective == "all-gather" else (1,):
                for hop in (1, 4, 16, 64) if each <= 4 else (1,):
                    blocks = members * each if collective == "all-gather" else members * members
                    tries.append((each, moves_of(gossipfab, machine, collective, blocks, hop)))
            spent = time.monotonic() - start
            parts, their_seconds = [], 0.0
            for size_name, size in SIZES:
                mine = [replay(moves, seen(arcs, size / gpus), switches, size / gpus / each) for each, moves in tries]
                again = lambda moves: replay(moves, seen(arcs, size / gpus), switches or [0], size / gpus)
                best, seconds = theirs(path, size_name, again if collective == "all-gather" else None)
                their_seconds += seconds
                parts.append(f"{100 * min(mine) / best:.1f}")
                rows += 1
                worse += min(mine) > best + 1e-12
            print(f"| {name.split('/')[1][0]} {name.split('_')[0]}, {collective} | {' | '.join(parts)} | {spent:.0f} | {their_seconds / 3600:.1f} |", flush=True)
    print(f"{rows} sizes: {worse} longer than TE-CCL's", file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
