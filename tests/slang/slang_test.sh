#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# slang_test.sh GOSSIPFAB WORK: slang finds no error in the sources' Verilog, nor in generated folders of every kind, which
# together have every file that a folder can have (lint_verilog.py). Mutants, a name that is used before it is declared in
# a module, in a bench and in a generated top, must be refused.
set -euo pipefail

gossipfab=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$here/../venv.sh"
mkdir -p "$work"
cd "$work"
venv slang "$here/requirements.txt"
export PYTHONDONTWRITEBYTECODE=1
lint() { venv/bin/python "$here/lint_verilog.py" "$@"; }

rm -rf folders
mkdir folders
options=(
    "mesh:2x3 --token-bits 16 --link-bits 2 --store narrow --board hx8k --ports node-tkeep --registers axi-lite"
    "mesh:2x3 --token-bits 16 --link-bits 2 --axi overlap --protect detect --board ulx3s --host uart"
    "torus:3x3 --token-bits 24 --link-bits 2 --store narrow --gap 5 --frame relative"
    "mesh:2x2 -c all-reduce,all-to-all --operator all --token-bits 16 --link-bits 2 --registers wishbone --board icebreaker"
    "torus:3x3 -c all-reduce --operator bfloat16 --token-bits 32 --link-bits 16 --registers axi-lite --protect detect"
    "torus:3x3 -c all-reduce --operator min --token-bits 12 --link-bits 4 --store wide"
    "cycle:5 --token-bits 4 --link-bits 4 --store wide --protect detect --board tangnano9k --host uart"
    "cycle:9 --token-bits 8 --link-bits 2 --solver circgo --solver-options parts=1 --link-mode full --routing circuit
        --packet-tokens 1000 --startup 50 --gap 5 --protect detect"
    "mesh:2x3 -c all-reduce --token-bits 16 --link-bits 2 --link-mode full --protect detect"
    "mesh:2x4 --chips 2x2 --link-latency 2 --gap 4"
    "mesh:2x4 --chips 2x2 --link-latency 2 --link-mode full --protect detect"
    "mesh:2x4 --chips 2x2 --link-latency 12 --link-mode full --clocks own --token-bits 32"
    "path:3 -c all-reduce --stream --store wide --protect detect --token-bits 2 --link-bits 2"
    "path:3 -c all-reduce --stream --store wide --operator float32 --token-bits 32 --link-bits 32"
    "path:3 -c all-reduce --stream --store wide --token-bits 2 --link-bits 2 --link-mode half"
    "path:3 -c all-reduce --stream --token-bits 12 --link-bits 2"
)
for i in "${!options[@]}"; do
    # shellcheck disable=SC2086
    "$gossipfab" generate -t ${options[i]} --name "fabric_$i" -o "folders/$i" > /dev/null
done
sed 's/module gossip_fabric/module fabric_user/' "$root/tb/lockstep/turned_difference.v" > mine.v
"$gossipfab" generate -t torus:3x3 -c all-reduce --operator user:mine.v --token-bits 32 --link-bits 16 --name fabric_user \
    -o folders/user > /dev/null
lint "$root" folders/*

# Every file of theirs was there.
python3 - "$root" folders << 'END'
import pathlib, re, sys
root, folders = map(pathlib.Path, sys.argv[1:])
there = {file.relative_to(folder).as_posix().replace(f"fabric_{folder.name}", "*", 1)
         for folder in folders.iterdir() for file in folder.rglob("*.v*")}
listed = set(re.findall(r'"[^"]*", "([^"]*\.vh?)", GFAB_GEN', (root / "gen/files.c").read_text()))
missing = sorted(listed - there)
print(f"slang: {len(listed)} files that folders can have")
sys.exit(f"slang: no folder has {', '.join(missing)}" if missing or len(listed) < 100 else 0)
END

# refused FOLDER FILE: with its last declaration moved to the end.
refused() {
    rm -rf mutant
    cp -r "$1" mutant
    sed -i 's/^endmodule/    wire late_name;\n&/; 0,/^    wire /s//    wire early_name = late_name;\n&/' "mutant/$2"
    if lint - mutant > mutant.log 2>&1 || ! grep -q "'late_name' used before its declaration" mutant.log; then
        echo "slang takes a name that is declared further down in $2"
        cat mutant.log
        exit 1
    fi
}
refused folders/0 rtl/gfab_fabric.v
refused folders/0 tb/tb_registers.v
refused folders/0 fabric_0.v
