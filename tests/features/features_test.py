#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every pair of features: `generate` either writes the fabric, or says the table's line of these two and exits with 2.

features_test.py GOSSIPFAB [--page PAGE [--write]] [--benches WORK [--of FEATURE] [--count N --seed S] [--jobs J]]

--benches plays every folder that is written in Icarus, by all the benches that it has: of the pairs with FEATURE alone,
and of these N by the seed. There a RAM answers anything where a word is read and written at once (gfab_store), so that
nobody may look at it.

--page compares the table of docs/reference/features.md with `gossipfab list features`; --write brings it up to date.

A pair's command has the options of both features. Some options bring a third feature with them (OPTIONS names it): a
command is expected to be refused where any two of all these are in a row, and then by the first such row. A mutant, a
table that lacks a row, must be found.
"""
import argparse
import concurrent.futures
import itertools
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import textwrap

WORDS = {
    "NARROW": "narrow nodes", "WIDE": "wide nodes", "HALF": "half-duplex links", "PATHS": "packets over several links",
    "PARTS": "tokens in parts", "GAPS": "gaps", "LATENCY": "registers on links", "PROTECTION": "protection",
    "BLOCKS": "collectives of blocks", "COMBINING": "combining",
    "COMPARING": "an operator that compares, or the choice of all", "CHOICE": "the choice of all operators",
    "CHAINED": "a chained operator",
    "SEVERAL": "several collectives", "MIXED": "an all-to-all beside other collectives",
    "SHARED": "nodes that share programs", "ROTATED": "slots turned with the node", "RELAYS": "relays",
    "SWITCHES": "switches", "WEIGHTS": "weighted links", "BOARD": "a board",
    "SELF_TEST": "a board's self-test", "CHIPS": "several chips",
    "OWN_CLOCKS": "clocks of their own", "TURNED_PADS": "half-duplex links between chips", "BLOCK_ROMS": "programs in block RAMs",
    "OVERLAP": "overlapped streams", "REGISTERS": "registers on a bus", "REROUTED": "programs around what died",
    "STREAMS": "streams of any length", "WORD_STREAMS": "streams of a word a cycle",
    "NARROW_COMBINING": "combining in narrow nodes",
    "WIDE_BLOCKS": "collectives of blocks in wide nodes", "RING": "a ring fabric",
    "RING_COMBINING": "combining along rings",
}

# What each feature asks for: settings, by name; and the features that come with it.
OPTIONS = {
    "NARROW": ({"store": "narrow"}, []),
    "WIDE": ({"store": "wide"}, []),
    "HALF": ({"link": "half"}, []),
    "PATHS": ({"paths": "1", "link": "full"}, []),
    "PARTS": ({"parts": "2", "paths": "1", "link": "full"}, ["PATHS"]),
    "GAPS": ({"gap": "8"}, []),
    "LATENCY": ({"latency": "2"}, []),
    "PROTECTION": ({"protect": "detect"}, []),
    "BLOCKS": ({"collective": "broadcast:4"}, []),
    "COMBINING": ({"collective": "all-reduce:4"}, ["BLOCKS"]),
    "COMPARING": ({"collective": "all-reduce:4", "operator": "min"}, ["COMBINING", "BLOCKS"]),
    "CHOICE": ({"collective": "all-reduce:4", "operator": "all"}, ["COMPARING", "COMBINING", "BLOCKS"]),
    "CHAINED": ({"collective": "all-reduce:4", "operator": "bfloat16"}, ["COMBINING", "BLOCKS"]),
    "SEVERAL": ({"collective": "all-gather,broadcast:4"}, ["BLOCKS"]),
    "MIXED": ({"collective": "all-gather,all-to-all"}, ["SEVERAL", "BLOCKS"]),
    "SHARED": ({"frame": "relative", "graph": "torus"}, []),
    "ROTATED": ({"frame": "rotated", "graph": "mesh"}, ["SHARED"]),
    "RELAYS": ({"suffix": "+relay=4"}, ["BLOCKS"]),
    "SWITCHES": ({"suffix": "+relay=4:switch"}, ["RELAYS", "BLOCKS"]),
    "WEIGHTS": ({"suffix": "+weight=0-1:2"}, []),
    "BOARD": ({"board": "ulx3s", "host": "uart"}, []),
    "SELF_TEST": ({"board": "ulx3s", "host": "self-test"}, ["BOARD"]),
    "CHIPS": ({"chips": "1", "latency": "2", "link": "full"}, ["LATENCY"]),
    "OWN_CLOCKS": ({"clocks": "own", "chips": "1", "latency": "12", "link": "full"}, ["CHIPS", "LATENCY"]),
    "TURNED_PADS": ({"chips": "1", "latency": "2", "gap": "8", "link": "half"}, ["CHIPS", "LATENCY", "GAPS", "HALF"]),
    "BLOCK_ROMS": ({"rom": "block", "rounds": "256"}, []),
    "OVERLAP": ({"axi": "overlap"}, []),
    "REGISTERS": ({"registers": "axi-lite"}, []),
    "REROUTED": ({"reroute": "+drop-link=4-7"}, []),
    "STREAMS": ({"stream": "1", "link": "full"}, ["RELAYS", "BLOCKS"]),
    "WORD_STREAMS": ({"stream": "1", "link": "full", "store": "wide"}, ["RELAYS", "BLOCKS"]),
    "NARROW_COMBINING": ({"collective": "all-reduce:4", "store": "narrow"}, ["NARROW", "COMBINING", "BLOCKS"]),
    "WIDE_BLOCKS": ({"collective": "broadcast:4", "store": "wide"}, ["WIDE", "BLOCKS"]),
    "RING": ({"store": "ring", "graph": "torus"}, []),
    "RING_COMBINING": ({"store": "ring", "graph": "torus", "collective": "all-reduce:4"}, ["RING", "COMBINING"]),
}


def merged(a, b):
    """The settings of both and all their features, or None where they ask for different things, which is no pair."""
    settings = dict(OPTIONS[a][0])
    for key, value in OPTIONS[b][0].items():
        if key in ("collective",) and key in settings and settings[key] != value:
            # several collectives stand for one; operators stay with what combines
            both = sorted({settings[key], value}, key=len)
            if "," not in both[-1]:
                if "all-reduce:4" not in both:
                    return None
                both = ["broadcast:4", "all-reduce:4"] if {"SEVERAL"} & {a, b} else ["all-reduce:4"]
            elif "all-reduce:4" in both:
                both = [both[-1] + ",all-reduce:4"]
            elif "all-to-all" in both[0] + both[-1]:
                both = ["all-gather,all-to-all"]
            else:
                both = [both[-1]]
            settings[key] = ",".join(both)
        elif key in ("latency", "gap", "link") and key in settings and settings[key] != value:
            if key == "link":
                if "HALF" in (a, b):  # nothing else asks for half duplex
                    settings[key] = "half"
                else:
                    return None
            else:
                settings[key] = str(max(int(settings[key]), int(value)))
        elif key in settings and settings[key] != value:
            if key == "host" and "SELF_TEST" in (a, b):
                settings[key] = "self-test"
            else:
                return None
        else:
            settings[key] = value
    features = {a, b, *OPTIONS[a][1], *OPTIONS[b][1]}
    if "chips" in settings and settings["link"] == "half" and "clocks" not in settings:
        settings.setdefault("gap", "8")
        features |= {"TURNED_PADS", "GAPS"}
    return settings, features


SEVERAL = "all-gather,broadcast:4"


def has_schedule(s):
    """With paths there are files: gossips on a ring, and a broadcast of whole blocks; of several collectives solvers
    have a broadcast over paths."""
    return (s.get("collective", SEVERAL) in ("broadcast:4", SEVERAL) and not {"stream", "suffix"} & set(s) and
            s.get("graph", "torus") == "torus" and not ("parts" in s and "collective" in s))


def broadcast():
    """Four blocks from node 0 of a ring of nine to each other node by itself."""
    packets = [(range(end + 1), block) for end in range(1, 9) for block in range(4)]
    lines = [f"round {i + 1}\n{' '.join(map(str, path))}:{block}" for i, (path, block) in enumerate(packets)]
    return "\n".join(["gossipfab-schedule 2", "topology cycle:9", "link-mode full", "port-mode all", "packet-tokens 1",
                      "hop-rounds 1", "routing circuit", "solver -", "collective broadcast", "blocks 4", "root 0",
                      f"rounds {len(packets)}", f"packets {len(packets)}", *lines, "end", ""])


def command(s, features, gfs):
    """The arguments of `generate`, and all the features that they ask for."""
    graph = s.get("graph", "mesh") + ":3x3" + s.get("suffix", "")
    args = []
    ring = s.get("store") == "ring"
    wide = s.get("store") == "wide" or "CHAINED" in features and s.get("store") not in ("narrow", "ring")
    wide = wide or "WEIGHTS" in features and not {"store", "stream"} & set(s) and not {
        "GAPS", "RELAYS", "PATHS", "PARTS"} & features
    features = features | ({"WIDE" if wide else "NARROW"} if not ring else set())
    if "stream" in s and wide:  # no wide nodes: these are wired
        features = features - {"WIDE", "STREAMS", "WIDE_BLOCKS"} | {"WORD_STREAMS"}
    if s.get("paths") and s.get("collective") == SEVERAL:
        args += ["--topology", "cycle:9", "--link-mode", "full", "--routing", "circuit", "--startup", "50",
                 "--collective", "all-gather,broadcast"]
    elif s.get("paths"):
        name = "broadcast.gfs" if "collective" in s else f"{s.get('parts', '1')}.gfs"
        args += ["--schedule", str(gfs / name)]
    else:
        args += ["--topology", graph, "--link-mode", s.get("link", "half")]
        if "stream" in s:
            several = s.get("collective", "")
            one = "all-reduce" if "COMBINING" in features else "broadcast"
            args += ["--stream", "--collective", several if "," in several else one]
        elif "collective" in s:
            one, _, blocks = s["collective"].partition(":")
            args += ["--collective", s["collective"]] if "," in s["collective"] else \
                ["--collective", one, "--blocks", blocks]
    if s.get("link", "half") == "half":
        features.add("HALF")
    if "stream" in s:
        args += ["--token-bits", "16" if wide else "120", "--link-bits", "16" if wide else "2"]
    else:
        args += ["--token-bits", "32", "--link-bits", "32" if ring and "COMPARING" in features else "16" if wide else "2"]
    for option, key in (("--store", "store"), ("--gap", "gap"), ("--link-latency", "latency"), ("--protect", "protect"),
                        ("--operator", "operator"), ("--frame", "frame"), ("--board", "board"), ("--host", "host"),
                        ("--clocks", "clocks"), ("--rom", "rom"), ("--rom-rounds", "rounds"), ("--axi", "axi"),
                        ("--registers", "registers")):
        if key in s:
            args += [option, s[key]]
    if "CHAINED" in features and "store" not in s:
        args += ["--store", "wide"]
    if "chips" in s:
        args += ["--chips", "3"]
    if "reroute" in s:
        for option, value in (("--frame", "absolute"), ("--rom-rounds", "256"), *[("--relay-slots", "9")] * (
                "suffix" in s and "relay" in s["suffix"] and "stream" not in s and not wide)):
            args += [option, value] if option not in args else []
    if wide and "BLOCKS" in features and "stream" not in s:
        features.add("WIDE_BLOCKS")
    if not wide and not ring and "COMBINING" in features:
        features.add("NARROW_COMBINING")
    if ring and s.get("collective") == "all-reduce:4":  # blocks that are combined go around, others do not
        features.discard("BLOCKS")
        features.add("RING_COMBINING")
    return args, features


def expected(refused, features):
    words = {WORDS[f] for f in features}
    return [f"{row['a']}: not with {row['b']}, since {row['why']}; {row['instead']}"
            for row in refused if row["a"] in words and row["b"] in words]


def run(*words):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def try_rerouted(gossipfab, lines, args, drops, folder):
    """Of a fabric that was written: are there programs around what died? The schedule is made first, as generate would
    have made it."""
    schedule = folder.with_suffix(".gfs")
    if args[0] == "--schedule":
        schedule, rest = pathlib.Path(args[1]), args[2:]
    else:
        of_schedule = ("--topology", "--link-mode", "--collective", "--blocks")
        words = list(zip(args, args[1:]))
        made = [word for pair in words if pair[0] in of_schedule for word in pair]
        if "--stream" in args:
            made[1] += "+hosts"
            made += ["--blocks", "any", "--solver", "host-tree"]
        elif "wide" in args or "+weight=" in made[1]:
            made += ["--hop-rounds", "2"]
        ran = run(gossipfab, "schedule", *made, "-o", str(schedule))
        if ran.returncode != 0:
            return f"schedule {' '.join(made)}: {ran.stderr.strip()}"
        rest = list(args)
        for option, value in words:
            if option in of_schedule:
                at = rest.index(option)
                del rest[at:at + 2]
        ran = run(gossipfab, "generate", "--schedule", str(schedule), *rest, "-o", str(folder), "--force")
        if ran.returncode != 0 and "ring" not in rest:  # that has no schedule
            return f"generate --schedule {' '.join(rest)}: {ran.stderr.strip()}"
    ran = run(gossipfab, "reroute", str(schedule), drops, *rest, "-o", str(folder))
    said = ran.stderr.strip().removeprefix("gossipfab: reroute: ")
    if (ran.returncode != 2 or said not in lines) if lines else ran.returncode != 0:
        return f"reroute {' '.join(args)}: exit status {ran.returncode}, \"{said}\", expected one of {lines}"
    return None


def try_pair(gossipfab, refused, a, b, gfs, out):
    """None where it is as the table says, or has no command; else what is wrong."""
    both = merged(a, b)
    if both is None or ("reroute" in both[0] and "SEVERAL" in both[1]):  # which is given one schedule
        return False
    if ("paths" in both[0] and not has_schedule(both[0])):
        return False
    args, features = command(*both, gfs)
    lines = expected(refused, features)
    folder = out / f"{a}-{b}".lower()
    ran = run(gossipfab, "generate", *args, "-o", str(folder))
    if ran.returncode == 0 and "reroute" in both[0]:
        drops = "+drop-link=1-2" if "paths" in both[0] else both[0]["reroute"]  # those are on a ring
        return try_rerouted(gossipfab, lines, args, drops, folder)
    said = ran.stderr.strip().removeprefix("gossipfab: generate: ")
    line = " ".join(args)
    if lines:
        if ran.returncode != 2 or said not in lines or folder.exists():
            return f"{a}, {b}: {line}: exit status {ran.returncode}, \"{said}\", expected one of {lines}"
    elif ran.returncode != 0:
        return f"{a}, {b}: {line}: the table has no row for it, exit status {ran.returncode}, \"{said}\""
    return None


BENCHES = ["sim-icarus", "sim-axis", "sim-registers", "sim-chips", "sim-board"]


def play(folder):
    """None where all the benches pass that the folder has; else what the first one says that fails."""
    scripts = "".join(path.read_text() for path in [folder / "Makefile", *folder.glob("*.mk"), *folder.glob("make/*.mk")])
    for bench in BENCHES:
        if f"## make {bench} " not in scripts:
            continue
        ran = subprocess.run(["make", "-s", "-C", str(folder), bench], stdin=subprocess.DEVNULL, capture_output=True,
                             text=True)
        if ran.returncode != 0:
            return f"{folder.name}: make {bench}: {(ran.stdout + ran.stderr)[-300:].strip()}"
    return None


def play_all(options, refused, pairs, gfs):
    """How many folders were played, and what failed."""
    chosen = [pair for pair in pairs if not options.of or options.of in pair]
    if options.count:
        chosen = random.Random(options.seed).sample(chosen, options.count)
    out = pathlib.Path(options.benches).absolute()
    out.mkdir(parents=True, exist_ok=True)

    def one(pair):
        folder = out / f"{pair[0]}-{pair[1]}".lower()
        shutil.rmtree(folder, ignore_errors=True)
        fault = try_pair(options.gossipfab, refused, *pair, gfs, out)
        if fault or not folder.exists():
            return fault or False
        fault = play(folder)
        if not fault:
            shutil.rmtree(folder)
        return fault

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = list(pool.map(one, chosen))
    return sum(fault is not False for fault in done), [fault for fault in done if fault]


def rows_of(listed):
    return "".join(textwrap.fill(f"- {r['a']}, {r['b']}: {r['why']}. Instead: {r['instead']}.", 118,
                                 subsequent_indent="  ", break_on_hyphens=False) + "\n" for r in listed["refused"])


def check_page(path, listed, write):
    begin, end = "<!-- refused: written by tests/features/features_test.py -->\n", "<!-- end of refused -->\n"
    page = pathlib.Path(path).read_text()
    before, rest = page.split(begin)
    _, after = rest.split(end)
    made = before + begin + rows_of(listed) + end + after
    if write:
        pathlib.Path(path).write_text(made)
    elif made != page:
        return [f"{path} is not what gossipfab list features says; features_test.py --page {path} --write mends it"]
    return []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gossipfab")
    parser.add_argument("--page")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--benches", metavar="WORK")
    parser.add_argument("--of", choices=WORDS)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    listed = json.loads(subprocess.run([options.gossipfab, "list", "features", "--json"], capture_output=True,
                                       text=True, check=True).stdout)["features"]
    known = {f["name"] for f in listed["known"]}
    faults = []
    if known != set(WORDS.values()):
        faults.append(f"features that this test does not know, or that are gone: {known ^ set(WORDS.values())}")
    if options.page:
        faults += check_page(options.page, listed, options.write)
    refused = listed["refused"]
    pairs = list(itertools.combinations(WORDS, 2))
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for parts in ("1", "2"):
            subprocess.run([options.gossipfab, "schedule", "--topology", "cycle:9", "--solver", "circgo",
                            "--solver-options", f"parts={parts}", "--link-mode", "full", "--routing", "circuit",
                            "--packet-tokens", "18", "--startup", "50", "-o", str(work / f"{parts}.gfs")],
                           capture_output=True, check=True)
        (work / "broadcast.gfs").write_text(broadcast())
        if options.benches:
            played, faults = play_all(options, refused, pairs, work)
            for fault in faults:
                print(fault)
            print(f"{played} fabrics played in Icarus, {len(faults)} at fault")
            return 1 if faults or played == 0 else 0
        for a, b in pairs:
            fault = try_pair(options.gossipfab, refused, a, b, work, work)
            tried += fault is not False
            if fault:
                faults.append(fault)
        # The mutant: without its row a pair that is refused is at fault.
        missing = [r for r in refused if r["a"] != "wide nodes" or r["b"] != "slots turned with the node"]
        if not try_pair(options.gossipfab, missing, "WIDE", "ROTATED", work, work):
            faults.append("a table without the row of wide nodes and slots turned with the node was believed")
    for fault in faults:
        print(fault)
    print(f"{tried} pairs of {len(WORDS)} features tried, {len(faults)} at fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
