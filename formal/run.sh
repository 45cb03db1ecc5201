#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Proves the RTL: run.sh sequencer|link|node|combine|wide|wide_combine|wide_chain|paths|bus|stream|ring|fabric|all|all-large [BUILD_DIR [FABRIC_DIR]]
# A line a proof: what was proved, the covers, the mutants, seconds. Exit status 1 where anything fails.
# all-large: all, and more widths and numbers of lanes, which have no mutant of their own, and larger fabrics.
# In the environment, as in `make test`: MUTANTS=1: of each proof's mutants the first one alone; PROOFS=1: of each module's
# proofs the first one, of the sequencer, by which all go, the others without covers and mutants. ONLY=PATTERN: those
# whose names match it. EDITS=1: nothing is proved; only, does each mutant's edit change its file?
# FABRIC_DIR is a folder made by `gossipfab generate`; by default two small ones are made with $GOSSIPFAB.
set -euo pipefail
formal=$(cd "$(dirname "$0")" && pwd)
rtl=$formal/../rtl
what=${1:-all}
build=${2:-$(mktemp -d)}
folder=${3:-}
gossipfab=${GOSSIPFAB:-$formal/../build/bin/gossipfab}
mkdir -p "$build"
build=$(cd "$build" && pwd)
[ -z "$folder" ] || folder=$(cd "$folder" && pwd)
large=false
case $what in
all-large) large=true what=all ;;
all | sequencer | link | node | combine | wide | wide_combine | wide_chain | paths | bus | stream | ring | fabric) ;;
*) echo "usage: run.sh sequencer|link|node|combine|wide|wide_combine|wide_chain|paths|bus|stream|ring|fabric|all|all-large [BUILD_DIR [FABRIC_DIR]]" >&2 && exit 2 ;;
esac
[ -z "$folder" ] || [ "$what" = fabric ] || { echo "run.sh: FABRIC_DIR goes with fabric" >&2 && exit 2; }
for tool in yosys yosys-abc python3; do
    command -v "$tool" > /dev/null || { echo "run.sh: skipped, $tool is missing" >&2 && exit 77; }
done

passed=0
failed=0

# see_stores TOP PARAMETERS: what joins the words that a proof compares to those of the node's stores and of their copies,
# and likewise what a sequencer keeps.
join_words() { # WIRES FIRST STORE COUNT
    local word
    for ((word = 0; word < $4; word++)); do echo "connect -set \\$1[$(($2 + word))].word \\$3[$word];"; done
}
see_stores() {
    local count bank stage bits
    case $1 in
    formal_combine) # of 3 slots, which take two bits
        [[ $2 == *'-set WORDS 2'* ]] && count=8 || count=16
        join_words gen_word 0 u_node.u_lane_store.u_slots.u_store.store $count
        [[ $2 != *'-set FULL 1'* ]] || join_words gen_word $count u_node.u_lane_store.u_slots.gen_copy.u_copy.store $count
        ;;
    formal_wide_combine) # of two banks
        echo 'connect -set \active \u_sequencer.active_q;'
        [[ $2 == *'WORDS 2 '*'ROUND_BITS 2'* ]] && count=8 || count=4
        for bank in 0 1; do
            join_words gen_word $((bank * count)) u_wide.u_banks.gen_bank[$bank].u_store.store $count
            join_words gen_copy $((bank * count)) \
                u_wide.u_banks.gen_bank[$bank].gen_combine.u_combine.u_copy.store $count
        done
        ;;
    formal_sequencer | formal_wide) echo 'connect -set \active \u_sequencer.active_q;' ;;
    formal_wide_words) echo 'connect -set \u_wide.active \u_wide.u_sequencer.active_q;' ;;
    formal_stream) # of the lanes that come in
        echo 'connect -set \pending \u_flow.pending_q;'
        for ((stage = 0; stage <= $(sed 's/.*-set LEVELS \([0-9]*\).*/\1/' <<< "$2"); stage++)); do
            for bank in first=valid second=full write=write read=read even=even odd=odd; do
                echo "connect -set \\gen_see[$stage].${bank%=*} \\u_flow.gen_lane[$stage].gen_in.gen_full.u_skid.${bank#*=}_q;"
            done
            echo "connect -set \\gen_see[$stage].operand \\u_flow.gen_lane[$stage].gen_in.gen_full.u_operand.gen_chain.data_q;"
            [[ $2 != *SPLIT* ]] || echo "connect -set \\gen_see[$stage].upper \
                \\u_flow.gen_lane[$stage].gen_in.gen_split.u_upper.gen_chain.data_q;"
        done
        [[ $2 == *SPLIT* ]] && count=1:0 || count=0
        [ "$stage" -eq 1 ] || echo "connect -set \\middle[$count] \\u_flow.gen_valid.valid_q;"
        [[ $2 != *SPLIT* ]] || {
            echo 'connect -set \gen_sum.sum \u_flow.gen_stage[1].gen_pair[0].gen_word.u_pair.o_word;'
            echo 'connect -set \gen_sum.top_a \u_flow.gen_stage[1].gen_pair[0].gen_word.u_pair.gen_parts.first_q;'
            echo 'connect -set \gen_sum.top_b \u_flow.gen_stage[1].gen_pair[0].gen_word.u_pair.gen_parts.second_q;'
        }
        ;;
    formal_stream_half) see_stream_half "$2" ;;
    formal_ring_reduce)
        count=$((2 << $(sed 's/.*-set PLACE_BITS \([0-9]*\).*/\1/' <<< "$2")))
        case $2 in *'FLITS 2'*) count=$((2 * count)) ;; *'FLITS 3'*) count=$((4 * count)) ;; esac
        join_words u_words.gen_word 0 'u_node.gen_ring[0].u_lane.u_store.store' $count
        ;;
    formal_ring | formal_ring_checked)
        bits=$(($(sed 's/.*-set PLACE_BITS \([0-9]*\).*/\1/' <<< "$2") + 1)) # of an address
        [[ $2 == *'-set WORDS '[12]' '* ]] || bits=$((bits + 1))
        [[ $1 != *checked ]] || echo "connect -set \\second \\u_pair.seen[$((4 * bits + 7)):$((2 * bits + 4))];"
        [[ $2 != *'-set CUT 1'* ]] || echo "connect -set \\u_pair.seen[$((2 * bits + 3)):0] \\i_any;"
        join_words u_words.gen_word 0 u_node.u_store.store $([[ $2 == *'-set CUT 1'* ]] && echo 1 || echo $((1 << bits)))
        ;;
    formal_stream_queue)
        for stage in write=u_words.write read=u_words.read count=count seen=u_words.count fresh=u_words.pushed; do
            echo "connect -set \\${stage%=*} \\u_queue.${stage#*=}_q;"
        done
        join_words gen_word 0 u_queue.u_words.u_words.store 4
        ;;
    formal_stream_port) see_stream_port "$2" ;;
    formal_stream_turns)
        for stage in pending=pending turn=turn chosen=lane begins=begins closes=last said=end some=ends; do
            [[ $2 != *'ENDS 0'* || $stage != *=end* ]] || continue
            echo "connect -set \\${stage%=*} \\u_turns.${stage#*=}_q;"
        done
        for stage in 0 1; do
            for bank in first=valid second=full write=write read=read even=even odd=odd; do
                echo "connect -set \\gen_see[$stage].${bank%=*} \\u_turns.gen_lane[$stage].gen_in.u_skid.${bank#*=}_q;"
            done
        done
        ;;
    esac
}

# What see_stores has for hosts of fabrics with streams, and for streams on half-duplex links.
see_stream_port() { # PARAMETERS
    local count bank stage
    for bank in gives takes; do
        count=$(sed "s/.*-set ${bank^^} \([0-9]*\).*/\1/" <<< "$1")
        [ "$count" -gt 0 ] || continue
        echo "connect -set \\gen_$bank.see_$bank \\u_port.${bank}_q;"
        for stage in beat=beat fresh=u_flits.pushed write=u_flits.write read=u_flits.read count=u_flits.count \
            word=u_flits.u_words.read_data $([ $bank = takes ] && echo room=room || echo sent=sent end=end fill=fill \
                blocks=blocks whole=whole first=u_ends.read next=u_ends.write); do
            echo "connect -set \\gen_$bank.see_${stage%=*} \\u_port.gen_$bank.${stage#*=}_q;"
        done
        # Of 1 or 2 groups there are 3 or 4 blocks, for which there is room for 4.
        join_words gen_$bank.gen_word 0 u_port.gen_$bank.u_flits.u_words.store \
            "$(sed 's/.*-set LANES \([0-9]*\).*-set WORDS \([0-9]*\).*/\1*\2*4/' <<< "$1")"
        [ $bank = takes ] || for ((stage = 0; stage < 4; stage++)); do
            echo "connect -set \\gen_gives.gen_end[$stage].entry \\u_port.gen_gives.u_ends.entries[$stage];"
        done
    done
}
see_stream_half() { # PARAMETERS
    local count bank stage
    echo 'connect -set \pending \u_flow.pending_q;'
    [[ $1 == *"OUT 3 "* ]] || echo 'connect -set \last \u_flow.u_spare.gen_chain.data_q;'
    for ((stage = 0; stage < 2; stage++)); do
        [[ $stage -eq 0 || $1 != *"IN 1 "* ]] || continue
        for bank in valid=valid held=word; do
            echo "connect -set \\gen_see[$stage].${bank%=*} \\u_flow.gen_lane[$stage].gen_in.gen_half.u_word.${bank#*=}_q;"
        done
        [[ $1 == *"IN 1 "* ]] || echo "connect -set \\gen_see[$stage].upper \
            \\u_flow.gen_lane[$stage].gen_in.gen_split.u_upper.gen_chain.data_q;"
    done
    [[ $1 == *"IN 1 "* ]] || {
        [[ $1 == *"OUT 3 "* ]] && count=0 || count=1:0
        echo "connect -set \\level[$count] \\u_flow.gen_valid.valid_q;"
        echo 'connect -set \gen_sum.sum \u_flow.gen_stage[1].gen_pair[0].gen_word.u_pair.o_word;'
        echo 'connect -set \gen_sum.top_a \u_flow.gen_stage[1].gen_pair[0].gen_word.u_pair.gen_parts.first_q;'
        echo 'connect -set \gen_sum.top_b \u_flow.gen_stage[1].gen_pair[0].gen_word.u_pair.gen_parts.second_q;'
        echo 'connect -set \gen_sum.lower \u_flow.gen_join.u_lower.gen_chain.data_q;'
    }
}

# elaborate TOP DIR PARAMETERS: the RTL in DIR/rtl, to gates: DIR/TOP.il.
elaborate() {
    local top=$1 dir=$2 parameters=$3 sources
    case $top in
    formal_sequencer) sources="rtl/gfab_delay.v rtl/gfab_sequencer.v $formal/sequencer.v" ;;
    formal_link)
        sources="rtl/gfab_delay.v rtl/gfab_sequencer.v rtl/gfab_flits_in.v rtl/gfab_flits_out.v rtl/gfab_lane.v
            rtl/gfab_link.v $formal/link.v"
        ;;
    formal_stream)
        sources="rtl/gfab_held_delay.v rtl/gfab_stream_skid.v rtl/gfab_stream_pair.v rtl/gfab_stream_flow.v
            $formal/stream.v"
        ;;
    formal_stream_half)
        sources="rtl/gfab_held_delay.v rtl/gfab_stream_skid.v rtl/gfab_stream_single.v rtl/gfab_stream_pair.v
            rtl/gfab_stream_flow.v $formal/stream_half.v"
        ;;
    formal_stream_queue)
        sources="rtl/gfab_store.v rtl/gfab_stream_fifo.v rtl/gfab_stream_queue.v $formal/stream_queue.v"
        ;;
    formal_stream_port)
        sources="rtl/gfab_delay.v rtl/gfab_store.v rtl/gfab_stream_fifo.v rtl/gfab_stream_ends.v rtl/gfab_stream_groups.v
            rtl/gfab_stream_port.v $formal/stream_port.v"
        ;;
    formal_stream_turns) sources="rtl/gfab_stream_skid.v rtl/gfab_stream_turns.v $formal/stream_turns.v" ;;
    formal_ring*) sources="rtl/gfab_delay.v rtl/gfab_store.v rtl/gfab_apart.v rtl/gfab_ring_*.v $formal/ring/*.v" ;;
    formal_bus) sources="rtl/gfab_axi_lite.v rtl/gfab_wishbone.v $formal/bus.v" ;;
    formal_path_switch) sources="rtl/gfab_delay.v rtl/gfab_path_switch.v $formal/path_switch.v" ;;
    formal_path_writer)
        sources="rtl/gfab_delay.v rtl/gfab_sequencer.v rtl/gfab_path_timer.v rtl/gfab_path_writer.v
            rtl/gfab_flits_in.v $formal/path_writer.v"
        ;;
    formal_node)
        sources="rtl/gfab_delay.v rtl/gfab_sequencer.v rtl/gfab_flits_in.v rtl/gfab_flits_out.v rtl/gfab_lane.v
            rtl/gfab_store.v rtl/gfab_slots.v
            rtl/gfab_lane_order.v rtl/gfab_lane_check.v rtl/gfab_lane_store.v rtl/gfab_node.v $formal/node.v"
        ;;
    formal_combine)
        sources="rtl/gfab_delay.v rtl/gfab_sequencer.v rtl/gfab_flits_in.v rtl/gfab_flits_out.v rtl/gfab_lane.v
            rtl/gfab_store.v rtl/gfab_slots.v
            rtl/gfab_lane_order.v rtl/gfab_lane_combine.v rtl/gfab_lane_store.v rtl/gfab_node.v rtl/gfab_combine.v
            rtl/gfab_combine_timer.v rtl/gfab_operator.v $formal/combine.v"
        ;;
    formal_wide_combine)
        sources="rtl/gfab_delay.v rtl/gfab_sequencer.v rtl/gfab_store.v rtl/gfab_banks.v rtl/gfab_wide_pick.v
            rtl/gfab_wide_combine.v rtl/gfab_places.v rtl/gfab_wide_node.v $formal/wide_combine.v"
        ;;
    formal_wide_chain) sources="rtl/gfab_delay.v rtl/gfab_wide_chain.v $formal/wide_chain.v" ;;
    formal_wide*)
        sources="rtl/gfab_delay.v rtl/gfab_sequencer.v rtl/gfab_store.v rtl/gfab_banks.v rtl/gfab_places.v rtl/gfab_wide_node.v
            $formal/wide.v"
        ;;
    *)
        sources="$(grep '\.v$' "$dir/gossip_fabric.f") $formal/fabric.v"
        ;;
    esac
    (cd "$dir" && yosys -q -l "$top.elaborate.log" -p "
        read_verilog -formal -DGFAB_TRACE -Irtl $(echo $sources) $formal/timeline.v
        chparam $parameters $top
        hierarchy -top $top; setattr -mod -unset keep_hierarchy; prep -top $top -flatten; memory_map; $(see_stores "$top" "$parameters") opt -fast; techmap; opt -fast
        dffunmap; simplemap; abc -g AND; opt_clean
        write_ilang $top.il" > /dev/null 2>&1) ||
        { echo "cannot elaborate $top, see $dir/$top.elaborate.log" >&2 && return 1; }
}

# Each prints "proved .." or "refuted" or "undecided".
induction() { # TOP DIR STEPS OPTIONS
    local log=$2/$1.sat.log
    yosys -p "read_ilang $2/$1.il; delete t:\$cover; opt_clean
        sat -tempinduct -initsteps 3 $4 -prove-asserts -set-assumes -maxsteps $3" > "$log" 2>&1 || true
    if grep -q 'Induction step proven: SUCCESS!' "$log"; then
        echo "proved by induction over $(sed -n 's/^\[induction step \([0-9]*\)\].*/\1/p' "$log" | tail -1) steps"
    elif grep -q 'model found for base case: FAIL!' "$log"; then
        echo refuted
    else
        echo undecided
    fi
}
bounded() { # TOP DIR STEPS: all steps from the initial state, by abc
    local log=$2/$1.abc.log
    yosys -q -p "read_ilang $2/$1.il; delete t:\$cover; opt_clean; setundef -undriven -anyseq; aigmap
        write_aiger -zinit $2/$1.aig" > "$log" 2>&1
    yosys-abc -c "read_aiger $2/$1.aig; fold; bmc3 -F $3" >> "$log" 2>&1 || true
    if grep -q "No output asserted in $3 frames" "$log"; then
        echo "proved for $3 steps"
    elif grep -q 'was asserted in frame' "$log"; then
        echo refuted
    else
        echo undecided
    fi
}
covers() { # TOP DIR: each is reached within 130 steps, by abc
    local log=$2/$1.cover.log haste='' count reached
    # A whole fabric starts as early as it can.
    [ "$1" != formal_fabric ] || haste="delete -input w:i_haste; connect -set i_haste 1'b1;"
    yosys -q -p "read_ilang $2/$1.il; delete t:\$assert; $haste techmap -map $formal/cover.v t:\$cover; techmap; opt_clean
        setundef -undriven -anyseq; aigmap; delete -port o:*; write_aiger -zinit $2/$1.cover.aig" > "$log" 2>&1
    yosys-abc -c "read_aiger $2/$1.cover.aig; fold; bmc3 -a -F 130 -T 300 -v" >> "$log" 2>&1 || true
    count=$(grep -c '^  cell \$cover ' "$2/$1.il")
    reached=$(sed -n 's/^Output *\([0-9]*\) was asserted in frame *\([0-9]*\) .*/\1 \2/p' "$log" | sort -u -k 1,1)
    if [ "$count" -gt 0 ] && [ "$(grep -c . <<< "$reached")" = "$count" ]; then
        echo "$count covers reached by step $(cut -d ' ' -f 2 <<< "$reached" | sort -n | tail -1)"
    else
        echo 'a cover NOT reached'
    fi
}

# What a proof is about: the RTL, and for a fabric its top and its ROMs.
copy() { # TOP DIR
    rm -rf "$2"
    mkdir -p "$2/rtl"
    case $1 in
    formal_fabric*)
        cp "$folder"/rtl/*.v "$folder"/rtl/*.vh "$2/rtl"
        cp "$folder/gossip_fabric.v" "$folder/gossip_fabric.f" "$2"
        cp -r "$folder/rom" "$2"
        ;;
    *) cp "$rtl"/*/gfab_*.v "$rtl"/*/*.vh "$2/rtl" ;;
    esac
}
parameters_of() { # TOP DIR PARAMETERS
    case $1 in
    formal_fabric) python3 "$formal/fabric_parameters.py" "$2" | sed 's/^/-set /' | tr '\n' ' ' ;;
    formal_fabric_tokens) python3 "$formal/fabric_parameters.py" "$2" | sed '/^RECEIVED/d; s/^/-set /' | tr '\n' ' ' ;;
    esac
    echo "$3"
}

# proof NAME TOP PARAMETERS STEPS [MUTANT FILE SED]..: the proof, its covers, and that each mutant,
# an edit of FILE, is refuted.
proof() {
    local name=$1 top=$2 parameters=$3 steps=$4 dir=$build/${1//[^A-Za-z0-9]/_} start=$EPOCHREALTIME
    local engine=induction refuter=induction ok=true result cover mutants=0 mutant verdict
    local bare=false
    shift 4
    [[ $name =~ ${ONLY-} ]] || return 0
    [ "$top" = "${top_before-}" ] || made=0
    top_before=$top
    if [ $((made += 1)) -gt "${PROOFS:-99}" ]; then
        [ "$top" = formal_sequencer ] || return 0
        bare=true
        set --
    fi
    set -- "${@:1:3 * ${MUTANTS:-99}}"
    case $top in formal_fabric_tokens | formal_path_switch | formal_wide_words) engine=bounded refuter=bounded ;; esac
    [ "$top" != formal_stream_port ] || refuter=bounded # in seconds, not minutes
    copy "$top" "$dir"
    if [ -n "${EDITS:-}" ]; then
        result='not proved' cover='no covers'
    else
        elaborate "$top" "$dir" "$(parameters_of "$top" "$dir" "$parameters")" || { failed=$((failed + 1)) && return; }
        result=$($engine "$top" "$dir" "$steps" "")
        [[ $result == proved* ]] || ok=false
        $bare && cover='no covers' || cover=$(covers "$top" "$dir")
        $bare || [[ $cover == *reached\ by* ]] || ok=false
    fi
    while [ $# -gt 0 ]; do
        mutant=$dir/mutant$((mutants += 1))
        if sed "$3" "$dir/$2" | cmp -s - "$dir/$2"; then
            cover+=", mutant '$1' DOES NOT APPLY" ok=false
        elif [ -z "${EDITS:-}" ]; then
            copy "$top" "$mutant"
            sed -i "$3" "$mutant/$2"
            elaborate "$top" "$mutant" "$(parameters_of "$top" "$mutant" "$parameters")" || ok=false
            verdict=$($refuter "$top" "$mutant" 45 -tempinduct-baseonly)
            [ "$verdict" = refuted ] || { cover+=", mutant '$1' NOT refuted ($verdict)" && ok=false; }
        fi
        shift 3
    done
    [ $mutants -eq 0 ] || cover+=", $mutants mutants $([ -z "${EDITS:-}" ] && echo tried || echo 'can be made')"
    if $ok; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    printf '%s %-46s %s, %s, %s s\n' "$($ok && echo ok || echo FAIL)" "$name:" "$result" "${cover/tried/refuted}" \
        "$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $start }")"
}
# unreached NAME TOP PARAMETERS SED: with this edit of formal/TOP.v a cover cannot be reached, and that is told.
unreached() {
    local dir=$build/unreached sources=$formal formal=$build/unreached/formal result
    [[ $1 =~ ${ONLY-} ]] || return 0
    copy "$2" "$dir"
    mkdir "$formal"
    cp "$sources"/*.v "$formal"
    sed -i "$4" "$formal/${2#formal_}.v"
    cmp -s "$formal/${2#formal_}.v" "$sources/${2#formal_}.v" && result='DOES NOT APPLY' ||
        { [ -n "${EDITS:-}" ] && result='a cover NOT reached'; } ||
        { elaborate "$2" "$dir" "$3" && result=$(covers "$2" "$dir"); }
    if [ "$result" = 'a cover NOT reached' ]; then
        passed=$((passed + 1))
        echo "ok $1: not reached"
    else
        failed=$((failed + 1))
        echo "FAIL $1: $result"
    fi
}
set_of() { # NAME=VALUE..: options of chparam
    local pair
    for pair in "$@"; do echo -n "-set ${pair/=/ } "; done
}

# shellcheck source=formal/proofs.sh
. "$formal/proofs.sh"

# The word on a line of a ROM with some bits flipped.
flipped() { # ROM LINE MASK
    local word
    word=$(sed -n "$2p" "$1")
    printf "%0${#word}x" $((16#$word ^ $3))
}
fabric_of() { # NAME
    local rom first second steps
    rom=$(find "$folder/rom" -name 'program_*.hex' | sort | head -1)
    first=$(awk '/[26ae]$/ { print NR; exit }' "$rom") # kind 2, the node's first receive
    second=$(awk '/[26ae]$/ && ++n == 2 { print NR; exit }' "$rom")
    steps=$(python3 "$formal/fabric_parameters.py" "$folder" |
        awk '{ v[$1] = $2 } END { print v["ROUNDS"] * v["LANES"] * v["WORDS"] + 2 * v["LANES"] + v["WORDS"] + v["REGISTERED"] + 6 }')
    proof "fabric $1" formal_fabric "" 25 \
        'a receive made a send' "rom/${rom##*/}" "${first}s/.*/$(flipped "$rom" "$first" 3)/" \
        'a token received twice' "rom/${rom##*/}" "${second}s/.*/$(flipped "$rom" "$first" 0)/"
    proof "fabric $1, all tokens" formal_fabric_tokens "" "$steps" \
        'another token received' "rom/${rom##*/}" "${first}s/.*/$(flipped "$rom" "$first" 4)/" \
        'flits of a word in another order' rtl/gfab_flits_in.v 's/o_word\[p\*LINK_BITS/o_word[(LANES-1-p)*LINK_BITS/; s/o_word\[p\*L+/o_word[(1-p)*L+/'
}
fabric() {
    local topology
    if [ -n "$folder" ]; then
        fabric_of "$(basename "$folder")"
        return
    fi
    [ -x "$gossipfab" ] || { echo "run.sh: no $gossipfab; set GOSSIPFAB or give a folder" >&2 && exit 2; }
    for topology in mesh:2x2 $($large && echo mesh:2x3 mesh:3x3 torus:3x3); do
        folder=$build/generated_${topology/:/_}
        rm -rf "$folder"
        "$gossipfab" generate --topology "$topology" --frame absolute --token-bits 8 --link-bits 1 -o "$folder" > /dev/null
        fabric_of "$topology"
        folder=
    done
}

if [ "$what" = all ]; then
    for part in sequencer link node combine wide wide_combine wide_chain paths bus stream ring fabric; do $part; done
else
    $what
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
