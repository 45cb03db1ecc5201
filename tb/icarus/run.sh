#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh TOPOLOGY TOKEN_BITS LINK_BITS SOLVER [OPTIONS]: one gossip of a generated fabric in Icarus; at its end every word of
# every store, read through the host port, must be what the C model has. A flipped ROM bit must be found out: in the RTL
# by the bench, in the model by the comparison.
# From the environment: GOSSIPFAB (the command), CMODEL_DUMP (icarus/cmodel_dump.cc), WORK (this test's own folder).
set -euo pipefail

command -v iverilog > /dev/null || { echo "icarus: skipped, Icarus Verilog is missing" >&2; exit 77; }
topology=$1 token_bits=$2 link_bits=$3 solver=$4 seed=11
mkdir -p "$WORK"
cd "$WORK"
rm -rf -- fabric
"$GOSSIPFAB" generate --topology "$topology" --token-bits "$token_bits" --link-bits "$link_bits" --solver "$solver" --frame absolute --store narrow \
    "${@:5}" -o fabric > /dev/null
cd fabric
mkdir build
iverilog -g2005 -DGFAB_TRACE -Itb -s tb_fabric -o build/tb.vvp -c gossip_fabric.f tb/tb_fabric.v
model() {
    local protect=()
    ! grep -q '"protect": 1' manifest.json || protect=(detect)
    "$CMODEL_DUMP" "$topology" "$token_bits" "$link_bits" $seed rom "${protect[@]}"
}

model > build/model.txt
vvp -N build/tb.vvp +seed=$seed +dump=build/rtl.txt
cmp build/rtl.txt build/model.txt
echo "icarus: $(wc -l < build/rtl.txt) store words equal"

# The slot of the first thing that the last node receives.
rom=$(find rom -name 'program_*.hex' | sort | tail -n 1)
flipped=
while read -r word; do
    if [ -z "$flipped" ] && [ $((16#$word & 3)) -eq 2 ]; then
        printf -v flipped '%0*x' ${#word} $((16#$word ^ 4))
        word=$flipped
    fi
    echo "$word"
done < "$rom" > build/flipped.hex
cp build/flipped.hex "$rom"
if vvp -N build/tb.vvp +seed=$seed > build/flipped.log; then
    echo "icarus: the bench does not see a flipped ROM bit" >&2
    exit 1
fi
echo "flipped bit: $(grep -m 1 FAIL build/flipped.log)"
model > build/flipped.txt
if cmp build/rtl.txt build/flipped.txt; then
    echo "icarus: the comparison does not see a flipped ROM bit" >&2
    exit 1
fi
