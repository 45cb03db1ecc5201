#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# operator_test.sh GOSSIPFAB WORK: --operator user:FILE. What is no operator of the fabric is refused by one line, and
# nothing is written; --force does not delete what the user made of the copy in the folder; three fabrics with three
# operators are one design. generated_test.sh order plays such a fabric, tb/lockstep compares one with the C model.
set -euo pipefail

gossipfab=$1 work=$2
mine=$(cd "$(dirname "$0")/../../tb/lockstep" && pwd)/turned_difference.v
rm -rf "$work"
mkdir -p "$work"
cd "$work"
options=(--topology mesh:2x2 --token-bits 32 --link-bits 16 --collective all-reduce --operator)

# refused WHAT SAID ARGUMENT...: generate says no more than SAID, and ends with status 2.
refused() {
    local status=0
    "$gossipfab" generate "${options[@]}" "${@:3}" 2> said || status=$?
    if [ $status -ne 2 ] || [ "$(cat said)" != "gossipfab: generate: $2" ]; then
        echo "operator_test: $1: exit status $status"
        cat said
        exit 1
    fi
}

echo 'module gfab_mine; endmodule' | cat "$mine" - > taken.v
{ echo '// module gossip_fabric_operator'; sed 's/module gossip_fabric_operator/module other/' "$mine"; } > other.v
touch empty.v
printf 'module gossip_fabric_operator; endmodule\0' > binary.v
which='--operator user: which one? give user:FILE, Verilog with the module gossip_fabric_operator'
none='no module gossip_fabric_operator, as the operator of this fabric is called'
while read -r file said; do
    refused "user$file" "$said" "user${file%-}" -o none
    [ ! -e none ]
done << EOF
- $which
: $which
:nowhere.v cannot read nowhere.v: No such file or directory
:taken.v taken.v: module gfab_mine: modules named gfab_* are gossipfab's own
:other.v other.v: $none
:empty.v empty.v: $none
:binary.v binary.v: not a text
EOF
refused "another name" "$mine: no module rows_operator, as the operator of this fabric is called" user:"$mine" \
    --name rows -o none
[ ! -e none ]

"$gossipfab" generate "${options[@]}" user:"$mine" -o fabric > /dev/null
cmp "$mine" fabric/gossip_fabric_operator.v
"$gossipfab" generate "${options[@]}" user:"$mine" -o fabric --force > /dev/null
echo '// mine' >> fabric/gossip_fabric_operator.v
cp -r fabric before
refused "a changed operator" \
    "fabric: gossip_fabric_operator.v: not as gossipfab wrote it; move it elsewhere first" user:"$mine" -o fabric --force
diff -r before fabric
mv fabric/gossip_fabric_operator.v edited.v
"$gossipfab" generate "${options[@]}" user:edited.v --force -o fabric > /dev/null
cmp edited.v fabric/gossip_fabric_operator.v

# Each list of sources has it: of simulators, scripts, FuseSoC and LiteX.
"$gossipfab" generate "${options[@]}" user:"$mine" --registers wishbone -o lists > /dev/null
for list in gossip_fabric.f Makefile gossip_fabric.core gossip_fabric_litex.py; do
    grep -q 'gossip_fabric_operator\.v' lists/$list || { echo "operator_test: $list lacks the operator"; exit 1; }
done

command -v iverilog > /dev/null || { echo "operator_test: skipped, Icarus Verilog is missing" >&2; exit 77; }
"$gossipfab" generate "${options[@]}" bfloat16 -o sums > /dev/null
mkdir design
for name in one two; do
    sed "s/module gossip_fabric/module $name/" "$mine" > $name.v
    "$gossipfab" generate "${options[@]}" user:$name.v --name $name -o $name > /dev/null
    cp -r $name/rtl $name/rom $name/*.v design
done
cp -r sums/rtl sums/rom sums/*.v design
(cd design && iverilog -g2005 -Wall -Irtl -s one -s two -s gossip_fabric -t null ./*.v rtl/*.v) 2>&1 | tee said
[ ! -s said ]
cmp two.v design/two_operator.v
