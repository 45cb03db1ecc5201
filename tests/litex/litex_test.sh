#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# litex_test.sh GOSSIPFAB WORK: fabrics with registers on Wishbone in a SoC that LiteX makes (soc.py), in Icarus
# (tb_litex.v). It fails with a bit of a program flipped, and with nodes in another order, another offset or mask, or a
# port left open in the module for LiteX. Of collectives the SoC is built, not played.
set -euo pipefail

gossipfab=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../venv.sh"
mkdir -p "$work"
cd "$work"
needs_icarus litex
venv litex "$here/requirements.txt"
export PYTHONDONTWRITEBYTECODE=1

# ports FOLDER NAME: of the top with registers as generated, against those that the SoC has of it.
ports() {
    sed -n "/^module $2_registers/,/^);/s/^ *\(parameter\|input  wire\|output wire\) \(\[.*\] \)\?\([A-Za-z_]*\).*/\3/p" \
        "$1/$2_registers.v" | sort > "soc-$1/ports"
    sed -n "/^$2_registers #(/,/^);/s/^[[:space:]]*\.\([A-Za-z_]*\) .*/\1/p" "soc-$1/soc.v" | sort |
        diff "soc-$1/ports" - > "soc-$1/ports.diff"
}
# build FOLDER NAME: its SoC in soc-FOLDER.
build() {
    rm -rf "soc-$1"
    mkdir "soc-$1"
    cd "soc-$1"
    "$work/venv/bin/python" "$here/soc.py" "../$1" "$2" > soc.log 2>&1 || { cat soc.log; exit 1; }
    iverilog -g2005 -s tb_litex -I . -c soc.f -o soc.vvp "$here/tb_litex.v" soc.v
    cd ..
}
# play FOLDER: whether the SoC made of it passes.
play() {
    (cd "soc-$1" && vvp -N soc.vvp) > "$1.log" 2>&1 && grep '^PASS: ' "$1.log"
}
# spoilt FOLDER WHAT: it must fail by what the bench compares.
spoilt() {
    if play "$1" || ! grep -q '^FAIL: ' "$1.log"; then
        echo "$1: passes, or ends without a verdict, with $2"
        cat "$1.log"
        exit 1
    fi
    echo "$1, $2: $(grep -m 1 '^FAIL: ' "$1.log")"
}
# edited NAME FROM TO: a copy of mesh with that text changed in the module for LiteX, and its SoC.
edited() {
    rm -rf "$1"
    cp -r mesh "$1"
    sed "s/$2/$3/" mesh/grid_litex.py > "$1/grid_litex.py"
    if cmp -s mesh/grid_litex.py "$1/grid_litex.py"; then
        echo "$1: $2 is not in grid_litex.py"
        exit 1
    fi
    build "$1" grid
}

rm -rf mesh wide blocks
"$gossipfab" generate --topology mesh:2x3 --token-bits 14 --link-bits 2 --registers wishbone --name grid \
    -o mesh > /dev/null
"$gossipfab" generate --topology mesh:2x2 --token-bits 12 --link-bits 4 --registers wishbone -o wide > /dev/null
"$gossipfab" generate --topology mesh:2x2 --collective all-reduce --registers wishbone --name sum -o blocks > /dev/null
for case in mesh:grid wide:gossip_fabric blocks:sum; do
    build "${case%:*}" "${case#*:}"
    ports "${case%:*}" "${case#*:}" || { cat "soc-${case%:*}/ports.diff"; exit 1; }
done
for folder in mesh wide; do
    play $folder || { cat $folder.log; exit 1; }
done

"$here/../../tb/board/flip_rom_bit.sh" soc-wide/rom/program_0.hex 0 0
spoilt wide "bit 0 of program_0.hex flipped"
edited order 'Cat(sink.data for sink in self.sinks)' 'Cat(sink.data for sink in self.sinks[::-1])'
spoilt order "nodes in another order"
edited offset 'CYCLES_OFFSET = 0x2c' 'CYCLES_OFFSET = 0x28'
spoilt offset "another offset"
edited mask 'STATUS_READY_MASK = 0x01' 'STATUS_READY_MASK = 0x02'
spoilt mask "another mask"
edited open 'o_o_interrupt=self.interrupt,' ''
if ports open grid; then
    echo "a module for LiteX with a port left open passes for a whole one"
    exit 1
fi
