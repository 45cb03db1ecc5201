#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plans_for_lengths.py GOSSIPFAB FOLDER [--large]: `advise --plans` of machine:h100x2. The folder has the plans that the report
names, and nothing else. Their ranges follow each other from 0 on without a gap, by the plans' own fields. At each length
of the table the plan of its range is good, `gossipfab run` gives every word that the collective promises, and so does
one launch in the tests' own interpreter, of plans up to 500 kB (a larger one takes it minutes). A range that is
shifted by a byte, and a wrong word, are seen. --large: of all collectives that MSCCL++ has."""
import array
import json
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "gpu-plans" / "tests"))
import interpret
import run_test

SHORT = {"all-gather": [1024, 1 << 26], "all-reduce": [1024]}
LARGE = {"all-gather": [1024, 1 << 20, 1 << 26], "reduce-scatter": [1024, 1 << 20, 1 << 26],
         "all-reduce": [1024, 1 << 18, 1 << 26], "broadcast": [4096, 1 << 24], "reduce": [4096, 1 << 24]}
INTERPRETED = 500000  # bytes of a plan


def ranges(folder):
    """Of each file: from which length on, and up to which."""
    plans = [(path, json.loads(path.read_text())) for path in folder.iterdir()]
    return sorted((plan["min_message_size"], plan["max_message_size"], path.name) for path, plan in plans)


def check_ranges(found, said):
    """MSCCL++ takes a plan where min <= bytes < max."""
    assert [name for _, _, name in found] == [row["file"] for row in said], (found, said)
    assert found[0][0] == 0 and found[-1][1] == 2**64 - 1, found
    assert all(a[1] == b[0] for a, b in zip(found, found[1:])), found
    assert all(row["least_bytes"] == least for row, (least, _, _) in zip(said, found)), (found, said)


def check_plan(gossipfab, path, folder, rng):
    plan = json.loads(path.read_text())
    chunk = 16
    size = plan["gpus"][0]["input_chunks"] * chunk // 4
    inputs = [[rng.getrandbits(32) for _ in range(size)] for _ in plan["gpus"]]
    (folder / "in").write_bytes(array.array("I", [word for words in inputs for word in words]).tobytes())
    subprocess.run([gossipfab, "verify", path], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([gossipfab, "run", path, "--input", folder / "in", "-o", folder / "out", "--chunk-bytes", str(chunk)],
                   check=True, stdout=subprocess.DEVNULL)
    output = array.array("I", (folder / "out").read_bytes())
    words = run_test.compare(plan, inputs, output)
    output[rng.randrange(size)] ^= 1
    try:
        run_test.compare(plan, inputs, output)
    except ValueError:
        pass
    else:
        raise SystemExit("a wrong word is not seen")
    interpreted = path.stat().st_size <= INTERPRETED
    wrong = interpret.Run(plan, rng, 1).run() if interpreted else None
    assert not wrong, f"{path.name}: {wrong}"
    return 4 * words, interpreted


def main():
    gossipfab, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rng, count, both, lengths_of = random.Random(1), 0, 0, LARGE if "--large" in sys.argv else SHORT
    for collective, lengths in lengths_of.items():
        plans = folder / collective
        done = subprocess.run([gossipfab, "advise", "machine:h100x2", "-c", collective, "--bandwidth", "25", "--latency", "2",
                               "--bytes", ",".join(map(str, lengths)), "--plans", plans, "--json"],
                              check=True, capture_output=True, text=True)
        said = json.loads(done.stdout)["plans"]
        found = ranges(plans)
        check_ranges(found, said)
        try:
            check_ranges([(least + (least > 0), end, name) for least, end, name in found], said)
            assert len(found) == 1, "ranges that are shifted are not seen"
        except AssertionError as error:
            assert "shifted" not in str(error), error
        for length in lengths:
            name = next(name for least, end, name in found if least <= length < end)
            words, interpreted = check_plan(gossipfab, plans / name, folder, rng)
            count, both = count + words, both + interpreted
    print(f"{count} bytes of the plans for {sum(map(len, lengths_of.values()))} lengths, {both} of them interpreted, too")


if __name__ == "__main__":
    main()
