#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cocotb_test.sh GOSSIPFAB WORK [--large]: make sim-cocotb in folders generated with --ports node: narrow with tokens of
# 13 bits, over the plain ports of each node, too, and wide; an all-reduce. With --large others, in parts, with latency,
# and every collective of blocks among them. With a bit of a ROM flipped, or another operator in the manifest, it must
# fail.
set -euo pipefail

gossipfab=$1 work=$2 large=${3-}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../venv.sh"
mkdir -p "$work"
cd "$work"
needs_icarus cocotb
venv cocotb "$here/requirements.txt"
export PYTHON=$PWD/venv/bin/python PYTHONDONTWRITEBYTECODE=1 COCOTB_RANDOM_SEED=1

# sound NAME OPTIONS..: the folder NAME passes.
sound() {
    local name=$1
    shift
    rm -rf -- "$name"
    "$gossipfab" generate "$@" --ports node -o "$name" > /dev/null
    make -s -C "$name" sim-cocotb > "$name.log" 2>&1 || { cat "$name.log"; exit 1; }
    sed "s/^/$name: /" <<< "$(tail -n 1 "$name.log")"
}
# fails NAME WHAT: the folder NAME, spoilt so, fails.
fails() {
    if make -s -C "$1" sim-cocotb > "$1.log" 2>&1 || ! grep -q '^FAIL: ' "$1.log"; then
        echo "$1: passes with $2"
        exit 1
    fi
    sed "s/^/$1, $2: /" <<< "$(grep '^FAIL: ' "$1.log")"
}
# plain NAME: a gossip over the plain ports of each node.
plain() {
    (cd "$1" && PYTHONPATH=$here "$PYTHON" tb/run_cocotb.py test_nodes gossip_fabric_nodes gossip_fabric_nodes.v \
        $(grep '\.v$' gossip_fabric.f)) > plain.log 2>&1 || { tail -n 1 plain.log; return 1; }
    tail -n 1 plain.log
}
# spoilt NAME ROM BIT: with that bit of the ROM's first word flipped the folder NAME fails.
spoilt() {
    "$here/../../tb/board/flip_rom_bit.sh" "$1/rom/$2" 0 "$3"
    fails "$1" "bit $3 of $2 flipped"
}
# mistaken NAME FROM TO: with operator TO in place of FROM in the manifest the folder NAME fails.
mistaken() {
    sed -i "s/\"operator\": $2,/\"operator\": $3,/" "$1/manifest.json"
    fails "$1" "operator $3 for $2"
}

sound narrow --topology mesh:2x3 --token-bits 13 --link-bits 1
plain narrow
spoilt narrow program_4.hex 2
if plain narrow; then
    echo "narrow: the plain ports pass with a bit flipped"
    exit 1
fi
sound wide --topology mesh:2x2 --token-bits 12 --link-bits 4
if make -s -C wide sim-cocotb PYTHON="python3 -I -S" > missing.log 2>&1; then
    echo "sim-cocotb passes without cocotb"
    exit 1
fi
grep -q '^make sim-cocotb: .* has no module .*; install cocotb 2 and cocotbext-axi, or give PYTHON=<another>$' missing.log
sound totals --topology path:3 --collective all-reduce --operator sum --token-bits 5 --link-bits 1
spoilt totals program_0.hex 1
[ "$large" = --large ] || exit 0

sound mesh --topology mesh:4x4
sound overlap --topology mesh:4x4 --axi overlap
sound full --topology cycle:5 --token-bits 6 --link-bits 2 --link-mode full --link-latency 1
sound latency --topology mesh:3x3 --link-latency 3
sound protected --topology mesh:3x3 --protect detect
"$gossipfab" schedule --topology torus:3x3 --solver highdimgo --solver-options shares=colours --link-mode full \
    --routing circuit --packet-tokens 18 -o parts.gfs > /dev/null
sound parts --schedule parts.gfs --token-bits 28 --link-bits 2
sound programs --topology path:3 --collective all-gather,reduce-scatter,all-reduce --operator all --token-bits 5 \
    --link-bits 1
sound rooted --topology mesh:2x3 --collective broadcast,reduce,barrier --operator all --root 4 --token-bits 9 \
    --link-bits 1 --protect detect
sound personal --topology path:3 --collective all-to-all --token-bits 8 --link-bits 2
sound broadcast --topology mesh:2x2 --collective broadcast --root 3
sound reduce --topology mesh:3x3 --collective reduce --blocks 2 --root 3 --operator max
sound ahead --topology mesh:2x3 --collective all-reduce --operator xor --axi overlap
sound checked --topology mesh:2x3 --collective all-reduce --operator min --axi overlap --protect detect
mistaken ahead 4 1
mistaken reduce 6 8
spoilt parts program_4.hex 2
spoilt wide program_0.hex 0
