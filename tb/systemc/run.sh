#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh TOPOLOGY TOKEN_BITS LINK_BITS: generates a fabric, builds the SystemC bench of RTL and C model and runs it;
# a model with one ROM bit flipped must be found out. The environment is that of tb/lockstep/run.sh, and BENCH, the
# bench's source.
set -euo pipefail

command -v verilator > /dev/null || { echo "systemc: skipped, verilator is missing" >&2; exit 77; }
[ -e "${SYSTEMC_INCLUDE:-/usr/include}/systemc" ] || { echo "systemc: skipped, SystemC is missing" >&2; exit 77; }

topology=$1 token_bits=$2 link_bits=$3
mkdir -p "$WORK"
cd "$WORK"
rm -rf -- fabric obj bench
# The model reads a ROM for each node.
"$GOSSIPFAB" generate --topology "$topology" --token-bits "$token_bits" --link-bits "$link_bits" --frame absolute \
    -o fabric > /dev/null

# Ports of 2 bits and more are sc_bv, whatever their width.
verilator --sc --pins-bv 2 -DGFAB_TRACE --prefix Vgossip_fabric --top-module gossip_fabric --Mdir obj \
    fabric/rtl/gfab.vlt -F fabric/gossip_fabric.f
{
    for part in obj/*.cpp; do
        printf '#include "%s"\n' "$(basename "$part")"
    done
} > obj/all.cc
# shellcheck disable=SC2086
{
    $CXX $MODEL_FLAGS -w -Iobj -c obj/all.cc -o obj/all.o
    $CXX $MODEL_FLAGS -Wall -Wextra -Iobj -Ifabric/tb -I"$SOURCE/include" -c "$BENCH" -o obj/tb.o
    $CXX obj/tb.o obj/all.o $LIBRARIES -lsystemc -pthread -o bench
}

cd fabric
../bench "$topology"
status=0
said=$(../bench "$topology" --flip 1 2>&1) || status=$?
if [ $status -ne 1 ] || [[ $said != *mismatch:* ]]; then
    printf 'systemc: a flipped ROM bit is not seen (status %s): %s\n' $status "$said" >&2
    exit 1
fi
printf 'flipped bit: %s\n' "$(grep -o 'mismatch:.*' <<< "$said" | head -n 1)"
