#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The committed rtl/common/gfab_op.vh is what the tables say, and one that differs would be seen:
# op_header_test.sh GENERATOR HEADER.
set -euo pipefail
generator=$1 header=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$generator" "$work/gfab_op.vh"
diff -u "$header" "$work/gfab_op.vh"
sed 's/GFAB_OP_SEND 2.d1/GFAB_OP_SEND 2'"'"'d2/' "$header" > "$work/mutant.vh"
if cmp -s "$work/mutant.vh" "$work/gfab_op.vh"; then
    echo "a header with another code for send passes for the right one" >&2
    exit 1
fi
if "$generator" "$work/none/gfab_op.vh" 2> /dev/null; then
    echo "a file that cannot be written is no error" >&2
    exit 1
fi
