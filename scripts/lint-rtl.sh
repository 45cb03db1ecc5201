#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each module of rtl/ with its default parameters, alone as top, through the three tools: Icarus (the one that holds to
# Verilog-2005), Verilator and Yosys; no warning is let through but those that rtl/common/gfab.vlt waives with a reason, and
# that pads are tri-state. And no empty statement, such as a semicolon behind `GFAB_ASSERT(..): slang refuses it.
# Arguments: the modules' files; all of them if there are none. Exit 77 where a tool is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in iverilog verilator yosys; do
    command -v $tool > /dev/null || { echo "lint-rtl: skipped, $tool is missing" >&2; exit 77; }
done
mapfile -t all < <(find rtl -name '*.v' | sort)
[ $# -gt 0 ] || set -- "${all[@]}"

preprocessed=$(mktemp)
trap 'rm -f "$preprocessed"' EXIT
status=0
# quiet NAME COMMAND...: the command succeeds and says nothing.
quiet() {
    local name=$1 said
    shift
    if ! said=$("$@" 2>&1) || [ -n "$said" ]; then
        printf 'lint-rtl: %s: %s\n%s\n' "$top" "$name" "$said" >&2
        status=1
    fi
}

folders=(rtl/*/)
includes=("${folders[@]/#/-I}")
libraries=("${folders[@]/#/-libdir }")
for file; do
    top=$(basename "$file" .v)
    # With and without what the macros are in simulation, in proofs and in synthesis.
    for define in SIMULATION FORMAL SYNTHESIS; do
        iverilog -E "-D$define" "${includes[@]}" -o "$preprocessed" "$file"
        if grep -Pzoq '(;|\b(begin|end|else|if\s*(\((?:[^()]++|(?3))*\))))\s*;' "$preprocessed"; then
            echo "lint-rtl: $top: an empty statement, with $define defined" >&2
            status=1
        fi
    done
    quiet verilator verilator --lint-only -Wall --default-language 1364-2005 "${includes[@]}" --top-module "$top" \
        rtl/common/gfab.vlt "$file"
    quiet yosys yosys -q -e '.*' -w 'limited support for tri-state' \
        -p "verilog_defaults -add ${includes[*]}; read_verilog $file
            hierarchy -check -top $top ${libraries[*]}"
done
# All files by name: Icarus 11 crashes on a file with include guards that it finds through -y.
top=rtl
mapfile -t tops < <(for file; do printf -- '-s\n%s\n' "$(basename "$file" .v)"; done)
quiet icarus iverilog -g2005 -Wall "${includes[@]}" "${tops[@]}" -t null "${all[@]}"
# Words of SystemVerilog, by which many tools read these files, are no names.
quiet systemverilog verilator --lint-only -Wno-lint -Wno-style -Wno-MULTITOP "${includes[@]}" rtl/common/gfab.vlt "${all[@]}"
exit $status
