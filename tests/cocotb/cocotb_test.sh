#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cocotb_test.sh GOSSIPFAB WORK [--large]: make sim-cocotb in folders generated with --ports node: narrow with tokens of
# 13 bits, over the plain ports of each node, too, and wide; with --large others, in parts and with latency among them.
# With a bit of a ROM flipped it must fail.
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
# plain NAME: a gossip over the plain ports of each node.
plain() {
    (cd "$1" && PYTHONPATH=$here "$PYTHON" tb/run_cocotb.py test_nodes gossip_fabric_nodes gossip_fabric_nodes.v \
        $(grep '\.v$' gossip_fabric.f)) > plain.log 2>&1 || { tail -n 1 plain.log; return 1; }
    tail -n 1 plain.log
}
# spoilt NAME ROM BIT: with that bit of the ROM's first word flipped the folder NAME fails.
spoilt() {
    "$here/../../tb/board/flip_rom_bit.sh" "$1/rom/$2" 0 "$3"
    if make -s -C "$1" sim-cocotb > "$1.log" 2>&1 || ! grep -q '^FAIL: ' "$1.log"; then
        echo "$1: passes with bit $3 of $2 flipped"
        exit 1
    fi
    sed "s/^/$1, bit $3 of $2 flipped: /" <<< "$(grep '^FAIL: ' "$1.log")"
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
[ "$large" = --large ] || exit 0

sound mesh --topology mesh:4x4
sound overlap --topology mesh:4x4 --axi overlap
sound full --topology cycle:5 --token-bits 6 --link-bits 2 --link-mode full --link-latency 1
sound latency --topology mesh:3x3 --link-latency 3
sound protected --topology mesh:3x3 --protect detect
"$gossipfab" schedule --topology torus:3x3 --solver highdimgo --solver-options shares=colours --link-mode full \
    --routing circuit --packet-tokens 18 -o parts.gfs > /dev/null
sound parts --schedule parts.gfs --token-bits 28 --link-bits 2
spoilt parts program_4.hex 2
spoilt wide program_0.hex 2
