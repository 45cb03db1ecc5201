#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# rtl/host/gfab_registers.vh and docs/reference/registers.md as committed, and a generated folder's header for C and its
# module for LiteX, have what the table of registers says, and others would be seen: register_map_test.sh MAP GOSSIPFAB
# SOURCE.
set -euo pipefail
map=$1 gossipfab=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# table FILE: the part of the page that the map writes.
table() { sed '1,/^<!-- the map:/d; /^<!-- end of the map/,$d' "$1"; }
"$map" verilog made.vh
diff -u "$source/rtl/host/gfab_registers.vh" made.vh
"$map" markdown made.md
table "$source/docs/reference/registers.md" | diff -u - made.md
sed 's/| 0x18 | `STATUS`/| 0x1c | `STATUS`/' "$source/docs/reference/registers.md" > mutant.md
if table mutant.md | cmp -s - made.md; then
    echo "a page with another offset of STATUS passes for the right one" >&2
    exit 1
fi

# The header for C, by a compiler that has to agree with the Verilog, name by name.
"$gossipfab" generate --topology path:2 --token-bits 8 --link-bits 2 --registers axi-lite -o fabric > log
{
    echo '#include "fabric/gossip_fabric_registers.h"'
    sed -n "s/^\`define GFAB_REGISTER_\([A-Z_]*\) 'h\(.*\)/_Static_assert(GOSSIP_FABRIC_\1_OFFSET == 0x\2, \"\1\");/p" made.vh
    sed -n 's/^`define GFAB_\([A-Z]*_[A-Z_]*\)_LSB \(.*\)/_Static_assert((GOSSIP_FABRIC_\1_MASK \& -GOSSIP_FABRIC_\1_MASK) == 1 << \2, "\1");/p' made.vh
} > agree.c
[ "$(grep -c Static_assert agree.c)" -gt 20 ]
cc -std=c17 -fsyntax-only agree.c
sed 's/STATUS_OFFSET == 0x18/STATUS_OFFSET == 0x1c/' agree.c > mutant.c
if cc -std=c17 -fsyntax-only mutant.c 2> said; then
    echo "a header with another offset of STATUS passes for the right one" >&2
    exit 1
fi

# The module for LiteX, likewise; without LiteX, its constants alone.
"$gossipfab" generate --topology path:2 --token-bits 8 --link-bits 2 --registers wishbone -o slave > log
{
    sed -n 's/^    \([A-Z_]*_\(OFFSET\|MASK\) = 0x[0-9a-f]*\)$/\1/p' slave/gossip_fabric_litex.py
    sed -n "s/^\`define GFAB_REGISTER_\([A-Z_]*\) 'h\(.*\)/assert \1_OFFSET == 0x\2, '\1'/p" made.vh
    sed -n 's/^`define GFAB_\([A-Z]*_[A-Z_]*\)_LSB \(.*\)/assert \1_MASK \& -\1_MASK == 1 << \2, "\1"/p' made.vh
} > agree.py
[ "$(grep -c assert agree.py)" = "$(grep -c Static_assert agree.c)" ]
python3 agree.py
sed 's/STATUS_OFFSET = 0x18/STATUS_OFFSET = 0x1c/' agree.py > mutant.py
if python3 mutant.py 2> said || ! grep -q '^AssertionError: STATUS$' said; then
    echo "a module for LiteX with another offset of STATUS passes for the right one" >&2
    exit 1
fi
if "$map" verilog none/made.vh 2> said; then
    echo "a file that cannot be written is no error" >&2
    exit 1
fi
