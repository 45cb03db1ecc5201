#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# draw-pictures.sh GOSSIPFAB FOLDER [--quick]: the pictures of the docs, drawn anew into FOLDER. --quick leaves out those
# that are measured first, or take minutes. The tests compare the quick ones with what is in docs/pictures.
set -euo pipefail

[ $# -ge 2 ] || { echo 'usage: draw-pictures.sh GOSSIPFAB FOLDER [--quick]' >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
gossipfab=$(realpath "$1")
mkdir -p "$2"
folder=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

show() { "$gossipfab" show "$@" > "$work/log" || { cat "$work/log"; exit 1; }; }
show mesh:4x4 --animate "$folder/gossip-4x4-moves.svg"
show mesh:4x4 --style rounds --svg "$folder/gossip-4x4.svg"
show mesh:3x3 --collective all-reduce --svg "$folder/all-reduce-3x3.svg"
show mesh:2x4 --collective all-reduce --link-mode full --svg "$folder/all-reduce-2x4.svg"
"$root/scripts/draw-rtl.py" "$folder"
# It is drawn beside the folder of the figures.
mkdir "$work/reference" "$work/pictures"
cp "$root/docs/reference/node-area.csv" "$work/reference"
"$root/bench/node_area_plot.py" "$work/reference/node-area.csv" > "$work/log"
cp "$work/pictures/node-area.svg" "$folder"
[ "${3-}" != --quick ] || exit 0

"$gossipfab" table collectives --topology mesh:8x8 --blocks 1,2,4,8,16,32,64,128,256 \
    --svg "$folder/all-reduce-mesh8x8.svg" > "$work/log"
"$root/bench/startup-figures.sh" "$gossipfab" "$work/startup" "$folder"
"$root/bench/long/throughput.py" "$gossipfab" "$work/throughput" --figure "$folder/throughput.svg" > "$work/log"
if python3 -c 'import numpy' 2> "$work/log"; then
    make -s -C "$root/examples/training" model numpy OUT="$work/training" GOSSIPFAB="$gossipfab" \
        MODEL="$(dirname "$gossipfab")/training_model" > "$work/log"
    cp "$work/training/training.svg" "$folder"
fi
# The build makes it beside the command.
"$root/examples/jacobi/figure.py" "$(dirname "$gossipfab")/jacobi" "$folder/jacobi-4x4.svg" > "$work/log"
