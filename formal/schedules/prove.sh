#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the proofs of this folder and builds the proved checker, $BUILD/proofs/gfab-proved-check. Exit status 77 where
# Coq or OCaml is missing. Fails where a proof does not hold, where something is taken for granted, or where a theorem
# is not listed in Assumptions.v.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in coqc coqdep ocamlopt; do
    if ! command -v "$tool" > /dev/null; then
        echo "skipped: $tool is missing (scripts/setup.sh proofs)"
        exit 77
    fi
done

build=${BUILD:-build}/proofs
mkdir -p "$build"
cp -Rpu formal/schedules/. "$build"
make --no-print-directory -C "$build" -j "${JOBS:-$(nproc)}" -s all

# Nothing taken for granted in the sources.
if grep -nE '\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|give_up|bypass_check)\b' \
    $(find formal/schedules -name '*.v' | sort); then
    echo "proofs: the lines above take something for granted" >&2
    exit 1
fi

# Each theorem is asked what it rests on, and rests on nothing.
theorems=$(sed -n 's/^Theorem \([a-zA-Z0-9_]*\).*/\1/p' $(find formal/schedules -name '*.v' | sort) | sort)
listed=$(sed -n 's/^Print Assumptions .*\.\([a-zA-Z0-9_]*\)\.$/\1/p' formal/schedules/Assumptions.v | sort)
if [ "$theorems" != "$listed" ]; then
    echo "proofs: these theorems are in the sources or in formal/schedules/Assumptions.v, but not in both:" >&2
    comm -3 <(echo "$theorems") <(echo "$listed") >&2
    exit 1
fi
# What the page shows is what the sources say, word for word.
python3 - docs/theory/proved.md $(find formal/schedules -name '*.v' | sort) << 'END'
import re
import sys
page, *sources = (open(name, encoding="utf-8").read() for name in sys.argv[1:])
said = " ".join(" ".join(sources).split())
shown = [part for block in re.findall(r"^```coq\n(.*?)^```$", page, re.M | re.S)
         for part in re.split(r"^(?=Theorem )", block, flags=re.M) if part.strip()]
wrong = [part for part in shown if " ".join(part.split()) not in said]
if wrong or not shown:
    sys.exit("docs/theory/proved.md: not in the sources:\n" + "".join(wrong))
END

count=$(echo "$theorems" | wc -l)
closed=$(grep -c '^Closed under the global context$' "$build/assumptions.txt" || true)
lines=$(wc -l < "$build/assumptions.txt")
if [ "$closed" -ne "$count" ] || [ "$lines" -ne "$count" ]; then
    cat "$build/assumptions.txt" >&2
    echo "proofs: $closed of $count theorems rest on nothing" >&2
    exit 1
fi
echo "proofs: $count theorems hold, closed under the global context; $build/gfab-proved-check"
