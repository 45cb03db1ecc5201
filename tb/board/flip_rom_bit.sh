#!/bin/sh
# SPDX-License-Identifier: MIT
# Flips one bit of a ROM image in place and says which op it was and is.
#   flip_rom_bit.sh FILE WORD BIT   word and bit counted from 0
#   flip_rom_bit.sh FILE last-recv  the last receive of the program becomes idle (kind 2 -> 0): the node
#                                   then never gets that token, so the self-test must name it
# docs/reference/rom-format.md has the words. Exit 2: no such file, word, bit or receive.
set -eu

fail() { echo "flip_rom_bit.sh: $1" >&2; exit 2; }

[ $# -ge 2 ] || fail "usage: flip_rom_bit.sh FILE WORD BIT | FILE last-recv"
file=$1
[ -r "$file" ] && [ -w "$file" ] || fail "$file: not a file to read and write"

digits= line_number=0 last_recv= words=
while read -r hex; do
    case $hex in
        *[!0-9a-fA-F]* | '') fail "$file: a line is not a hexadecimal number" ;;
    esac
    [ $((0x$hex & 3)) -ne 2 ] || last_recv=$line_number
    words="$words $hex"
    line_number=$((line_number + 1))
    digits=${#hex}
done < "$file"

if [ "$2" = last-recv ]; then
    [ -n "$last_recv" ] || fail "$file: no receive in it"
    word=$last_recv bit=1
else
    [ $# -eq 3 ] || fail "usage: flip_rom_bit.sh FILE WORD BIT | FILE last-recv"
    word=$2 bit=$3
    case $word$bit in *[!0-9]*) fail "word and bit are decimal numbers" ;; esac
    [ "$word" -lt "$line_number" ] || fail "$file has $line_number words"
    [ "$bit" -lt $((4 * digits)) ] || fail "$file has words of at most $((4 * digits)) bits"
fi

op_name() {
    case $(($1 & 3)) in
        0) echo "idle slot $(($1 >> 2))" ;;
        1) echo "send slot $(($1 >> 2))" ;;
        2) echo "recv slot $(($1 >> 2))" ;;
        3) echo "combine slot $(($1 >> 2))" ;;
    esac
}

line_number=0
for hex in $words; do
    if [ "$line_number" -eq "$word" ]; then
        old=$((0x$hex))
        new=$((old ^ (1 << bit)))
        echo "$file word $word bit $bit: $(op_name $old) -> $(op_name $new)" >&2
        printf "%0${digits}x\n" "$new"
    else
        echo "$hex"
    fi
    line_number=$((line_number + 1))
done > "$file.new"
mv "$file.new" "$file"
