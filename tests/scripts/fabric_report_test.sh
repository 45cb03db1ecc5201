#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/fabric-report.py on small artifacts: the figures come out right; a wrong cycle count and a missing file do
# not pass.
set -euo pipefail
report=$(cd "$(dirname "$0")/../.." && pwd)/scripts/fabric-report.py
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp"

cat > simulate.json << 'EOF'
{"schema": "gossipfab-simulate-1", "rounds": 10, "cycles": 165, "nodes": 16,
 "timing": {"cycles_per_round": 16, "overhead_cycles": 5}, "bound": {"name": "degree"}}
EOF
echo '{"cycles": 165, "lower_bound_rounds": 9}' > manifest.json
cat > stat.json << 'EOF'
{"design": {"num_cells_by_type": {"SB_LUT4": 1600, "SB_DFF": 300, "SB_DFFE": 20, "SB_RAM40_4K": 16}}}
EOF
cat > pnr.json << 'EOF'
{"fmax": {"clk": {"achieved": 100.0, "constraint": 12.0}},
 "utilization": {"ICESTORM_LC": {"used": 2400, "available": 7680}}}
EOF
python3 "$report" --simulate simulate.json --manifest manifest.json --stat stat.json --pnr pnr.json --board-pnr pnr.json > said
diff -u - said << 'EOF'
+------------------+-------------------------------------------------+
| rounds           | 10                                              |
| lower bound      | 9                                               |
| cycles, measured | 165                                             |
| R x F + c        | 10 x 16 + 5 = 165                               |
| LUT              | 1600 (100.0 a node)                             |
| FF               | 320 (20.0 a node)                               |
| block RAM        | 16 (1.0 a node)                                 |
| logic cells      | 2400 (150.0 a node), measuring harness included |
| MHz              | 100.0                                           |
| ns per gossip    | 1650                                            |
| board top        | 2400 logic cells, 31 % of the part, 100.0 MHz   |
+------------------+-------------------------------------------------+
EOF

# expect STATUS ARGUMENT...
expect() {
    local want=$1 got=0
    shift
    python3 "$report" "$@" > /dev/null 2>&1 || got=$?
    [ "$got" -eq "$want" ] || { echo "exit status $got, not $want: $*"; exit 1; }
}
sed 's/165/166/' simulate.json > late.json
expect 1 --simulate late.json --manifest manifest.json
expect 2 --simulate simulate.json
sed 's/"cycles"/"edges"/' simulate.json > silent.json
expect 2 --simulate silent.json --manifest manifest.json
expect 2 --simulate simulate.json --manifest manifest.json --stat none.json
expect 2 --simulate simulate.json --manifest manifest.json --stat pnr.json
expect 2 --simulate simulate.json --manifest manifest.json --pnr stat.json
expect 2 --simulate stat.json
