#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [--verilator] [--mutants] [--lint] RUNS TOPOLOGY COLLECTIVE OPERATOR TOKEN_BITS LINK_BITS [OPTIONS]: streams
# through a generated fabric, every beat by arithmetic alone, RUNS seeds with each kind of pauses; in every cycle the C
# model gives, writes and drives the same. --verilator: there, else in Icarus. --mutants: what must be found out, by the
# bench and by the comparison. OPERATOR - is none.
# From the environment: GOSSIPFAB (the command), STREAM_LOCKSTEP (stream_lockstep.cc), WORK (this test's own folder),
# BEATS and VECTORS (of a run: 60, 6).
set -euo pipefail

verilator=no mutants=no lint=no
while [[ $1 == --* ]]; do
    case $1 in
    --verilator) verilator=yes ;;
    --mutants) mutants=yes ;;
    --lint) lint=yes ;;
    esac
    shift
done
tool=iverilog
[ $verilator = no ] || tool=verilator
command -v $tool > /dev/null || { echo "streams: skipped, $tool is missing" >&2; exit 77; }
runs=$1 topology=$2 collective=$3 operator=() token_bits=$5 link_bits=$6
[ "$4" = - ] || operator=(--operator "$4")
mkdir -p "$WORK"
cd "$WORK"
rm -rf -- fabric
"$GOSSIPFAB" generate "$topology" --collective "$collective" --stream --token-bits "$token_bits" \
    --link-bits "$link_bits" "${operator[@]}" "${@:7}" -o fabric > /dev/null
cd fabric
if [ $verilator = yes ]; then
    make -s build/stream/Vtb_stream
    bench=(build/stream/Vtb_stream)
else
    make -s build/tb_stream.vvp
    bench=(vvp -N build/tb_stream.vvp)
fi
[ $lint = no ] || make -s lint

for ((seed = 1; seed <= runs; seed++)); do
    for pauses in 0 1 2 3; do
        "${bench[@]}" +trace +seed=$seed +pauses=$pauses +vectors="${VECTORS:-6}" +beats="${BEATS:-60}"
        "$STREAM_LOCKSTEP" . stream.trace
    done
done > build/runs.txt
tail -n 2 build/runs.txt

# The hosts of gossipfab simulate take as many cycles, and get every beat right.
options=()
for word in "${@:7}"; do [ "$word" = --protect ] || [ "$word" = detect ] || options+=("$word"); done
hosts=$(sed -n 's/^`define GF_STREAMS //p' tb/gossip_fabric_parameters.vh)
plays() {
    "$GOSSIPFAB" simulate "$topology" --collective "$collective" --stream --token-bits "$token_bits" \
        --link-bits "$link_bits" "${operator[@]}" "${options[@]}" --repeat 2 --beats 19 "$@" |
        sed -n 's/^measured *\([0-9]*\) cycles.*/\1/p'
}
for pauses in 0:none 1:short 2:long 5:none; do
    seed=$((3 + ${pauses%:*}))
    kind=(--token-seed $seed --pauses "${pauses#*:}")
    [ "${pauses%:*}" != 5 ] || kind+=(--late "$((seed % hosts)):300")
    "${bench[@]}" +seed=$seed +pauses="${pauses%:*}" +vectors=2 +length=19 +late=300 > build/simulated.txt
    cycles=$(sed -n 's/.* in \([0-9]*\) cycles, every beat as expected$/\1/p' build/simulated.txt)
    [ -n "$cycles" ] && [ "$(plays "${kind[@]}")" = "$cycles" ] ||
        { echo "streams: simulate ${kind[*]} does not take $cycles cycles" >&2; exit 1; }
done
[ "$(plays --token-seed 8)" != "$cycles" ] || { echo "streams: who is late is not seen" >&2; exit 1; }

# Hosts that never come, or give less than others. In an all-reduce each does.
if [ "$collective" = all-reduce ] || [ "$collective" = all-gather ]; then
    for seed in 0 1 2; do
        for pauses in 4 6; do
            "${bench[@]}" +trace +seed=$seed +pauses=$pauses | grep -q " says so$"
            "$STREAM_LOCKSTEP" . stream.trace > build/late.txt
        done
    done
fi

# A limit as long as a word's way blames nobody; a shorter one is refused.
way=$(sed -n 's/^`define GF_WAY //p' tb/gossip_fabric_parameters.vh)
limited() {
    iverilog -g2005 -DGFAB_TRACE -Irtl -Itb -s tb_stream -Ptb_stream.LIMIT="$1" -o build/limited.vvp -c gossip_fabric.f tb/tb_stream.v
}
limited "$way"
for longest in 1 9 200; do
    vvp -N build/limited.vvp +seed=1 +pauses=0 +vectors=3 +beats=$longest > build/limited.txt
done
rule=gfab_error_limit_must_be_0_or_at_least_a_words_way
if limited $((way - 1)) > build/refused.txt 2>&1 || ! grep -q $rule build/refused.txt; then
    echo "streams: a limit shorter than a word's way is taken" >&2
    exit 1
fi

[ $mutants = yes ] || exit 0
fails() { # WHAT COMMAND...
    if "${@:2}" > build/mutant.txt 2>&1; then
        echo "streams: not found out: $1" >&2
        exit 1
    fi
}
fails "the model has another op" "$STREAM_LOCKSTEP" . stream.trace mutant
kinds="1 3" # of pauses
# The RTL: a file, a text in it, and what stands there in its place.
mutant() {
    cp "rtl/$1" build/whole.v
    sed "s/$2/$3/" build/whole.v > "rtl/$1"
    ! cmp -s "rtl/$1" build/whole.v || { echo "streams: no mutant of $1" >&2; exit 1; }
    iverilog -g2005 -DGFAB_TRACE -Irtl -Itb -s tb_stream -o build/mutant.vvp -c gossip_fabric.f tb/tb_stream.v
    fails "$1: $3" sh -c "for pauses in $kinds; do
        timeout 60 vvp -N build/mutant.vvp +seed=2 +pauses=\$pauses +vectors=12 +beats=60 || exit 1
    done"
    cp build/whole.v "rtl/$1"
}
if [ -e rtl/gfab_stream_tree.v ]; then # a word a cycle
    kinds="1 3 4 6"
    if [ "$collective" = all-gather ]; then
        mutant gfab_stream_turns.v 'begins_q ? (holds' '1'"'"'b0 ? (holds'
        mutant gfab_stream_turns.v 'is_end ^ end_q' '1'"'"'b0'
        mutant gfab_stream_turns.v 'ENDS ? last_q \& (' 'ENDS ? ('
        mutant gfab_stream_turns.v 'fires \& lane_q\[c\]' 'fires'
        echo "streams: 5 mutants found out"
        exit 0
    fi
    if [ -e rtl/gfab_stream_single.v ]; then # half-duplex links
        mutant gfab_stream_single.v 'o_ready = ~valid_q' 'o_ready = 1'"'"'b1'
        mutant gfab_stream_single.v '~i_ready : i_valid' '1'"'"'b0 : i_valid'
        mutant gfab_stream_node.v '(f == 1)' '(f == 0)'
        mutant gfab_stream_tree.v 'from1 | (from0' 'from1 \& (from0'
        mutant gfab_stream_pair.v 'second_q, 1'"'"'b1}' 'second_q, 1'"'"'b0}'
        mutant gfab_stream_flow.v 'room \& i_goes;' 'room;'
        echo "streams: 7 mutants found out"
        exit 0
    fi
    mutant gfab_stream_limit.v 'i_untaken : i_lacks' 'i_untaken : ~i_lacks'
    mutant gfab_stream_flow.v 'i_wants \& OUT' 'i_wants \& IN'
    mutant gfab_stream_skid.v 'o_ready = ~full_q' 'o_ready = 1'"'"'b1'
    mutant gfab_stream_skid.v 'valid_q <= full_q | push' 'valid_q <= push'
    mutant gfab_stream_flow.v '((holds \& IN) == IN)' '(|holds)'
    mutant gfab_stream_flow.v 'OUT \& {LANES{leaves}}' 'OUT \& {LANES{pending_q}}'
    mutant gfab_stream_flow.v 'if (advance)' 'if (1'"'"'b1)'
    mutant gfab_stream_flow.v 'o_uneven = fires' 'o_uneven = 1'"'"'b0'
    mutant gfab_stream_pair.v 'a + b' 'a - b'
    echo "streams: 10 mutants found out"
    exit 0
fi
kinds="1 3 4"
mutant gfab_stream_limit.v 'i_untaken : i_lacks' 'i_untaken : ~i_lacks'
mutant gfab_stream_port.v 'o_lacks *= ~has' 'o_lacks = has'
kinds=6
mutant gfab_stream_groups.v 'o_begins \& differ_q' '1'"'"'b0'
kinds="1 3 4"
mutant gfab_stream_groups.v '(&i_can) \& ~o_begins' '(|i_can) \& ~o_begins'
mutant gfab_stream_port.v 'else if (~(pop \& frees) \& i_begins)' 'else if (1'"'"'b0)'
mutant gfab_stream_port.v 'fill_q ? end_q' 'fill_q ? end_q + 1'"'"'b1'
mutant gfab_stream_port.v 'beat_q > coming' 'beat_q >= coming'
mutant gfab_sequencer.v 'LOOPS != 0 \&\& i_again' 'LOOPS != 0 \&\& 1'"'"'b0'
# A slot of the program.
rom=$(grep -l '[1-9a-f]' rom/program_*.hex | head -n 1)
cp "$rom" build/whole.hex
awk '!done && /[1-9a-f]/ { sub(/.$/, sprintf("%x", 4 + 0)); done = 1 } { print }' build/whole.hex > "$rom"
iverilog -g2005 -DGFAB_TRACE -Irtl -Itb -s tb_stream -o build/mutant.vvp -c gossip_fabric.f tb/tb_stream.v
fails "another op in the ROM" timeout 60 vvp -N build/mutant.vvp +seed=2 +pauses=1
cp build/whole.hex "$rom"
echo "streams: 10 mutants found out"
