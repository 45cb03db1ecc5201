#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh TOPOLOGY TOKEN_BITS LINK_BITS: builds the lockstep bench of one shape and width, once, in $WORK, and runs the
# programs of several solvers on it with three token seeds each.
# run.sh --mutants TOPOLOGY TOKEN_BITS LINK_BITS: the bench must see every fault that is put into the model or into
# the RTL's ROM.
# run.sh --frame "FRAME OPTIONS" SOLVER TOPOLOGY TOKEN_BITS LINK_BITS: stores that number tokens by FRAME, so that nodes
# share programs; the model gets a ROM for each node.
# run.sh --hardware "LINK_MODE LATENCY GAP" "MODEL_OPTIONS" TOPOLOGY TOKEN_BITS LINK_BITS: links of that mode and
# latency, and a gap after every round; schedules of the greedy solver for a model with these options.
# run.sh --auto "LINK_MODE LATENCY [GAP]" "MODEL_OPTIONS" SOLVER TOPOLOGY TOKEN_BITS LINK_BITS [--lint] [--mutants]: the
# stores, wide or narrow, that the generator picks for these widths, with a GAP wide ones. --lint: the folder's own lint, too. All others are
# narrow. With an operator that compares the mutants are RTL that does not.
# run.sh --paths "LATENCY GAP" "TOKENS LINKS SEED [BLOCKS]" TOPOLOGY TOKEN_BITS LINK_BITS: a schedule of packets of up to
# TOKENS tokens over paths of up to LINKS links (random_paths.py); with BLOCKS a broadcast of so many. Or a schedule's file.
# run.sh --startup "LATENCY GAP [FRAME OPTIONS]" "SOLVER SETTINGS" TOPOLOGY TOKEN_BITS LINK_BITS [--mutants]: the solver's schedule of
# packets over paths, or over links alone, and of whole tokens or of parts, as the solver makes it; SETTINGS may be
# missing. The stores number tokens by FRAME, or as the generator picks. Here, and wherever a GAP is given, the cycles must be those
# that the schedule's cost says (cost.py); the mutant of a GAP above 0 is a gap that is one longer.
# run.sh --collective "COLLECTIVE OPERATOR" "OPTIONS" TOPOLOGY TOKEN_BITS LINK_BITS [--lint] [--mutants]: a collective of
# blocks, combined with OPERATOR (none: it only stores), by the schedule that `gossipfab generate` takes with OPTIONS, of
# which --blocks and --root go to the bench, too; or by that of random_reduce.py for a seed, "random SEED". Links are full
# duplex where OPTIONS end with "full". Its mutants: also RTL that loses an update, or a carry; with relays one
# whose store is too small. COLLECTIVE may be a list, all in one fabric; then also the mutants of a program that begins in
# another round.
# run.sh --chain "LINK_MODE LATENCY OPERATOR D" WHAT TOPOLOGY TOKEN_BITS LINK_BITS [--lint] [--mutants]: wide nodes with an
# operator whose order counts, bfloat16 or user (turned_difference.v of this folder), of D cycles; what nodes have in
# the end is held against the schedule's expressions, too. WHAT is a collective, or several, by the solver that
# `gossipfab schedule` takes for it, "random SEED" (random_reduce.py), or a schedule's file. Its mutants: RTL that combines in another order,
# not in time or not rightly.
# run.sh --reroute DROPS TOPOLOGY TOKEN_BITS LINK_BITS: also the programs that `gossipfab reroute` makes for this hardware
# without what DROPS names.
# From the environment: SEEDS (how many token seeds, 3), GOSSIPFAB (the command), SOURCE (the checkout), WORK (a folder of this test's own),
# LIBRARIES (libgossipfab and Verilator's run-time library), LOCKSTEP (the bench), CXX, MODEL_CXX and MODEL_FLAGS (what
# compiles a model, with its options, to find Verilator's headers, too), MODEL_HEADER (model.h, precompiled by it).
set -euo pipefail

command -v verilator > /dev/null || { echo "lockstep: skipped, verilator is missing" >&2; exit 77; }

mutants=no frame=absolute solver=auto greedy=yes chain=() bench_options=() model_options=(--store narrow) gap= drops=
case $1 in
--auto)
    read -r link_mode latency gap <<< "$2"
    read -ra model_options <<< "$3"
    bench_options=(--link-mode "$link_mode" --link-latency "$latency")
    model_options+=("${bench_options[@]}")
    [ -z "$gap" ] || model_options+=(--gap "$gap" --store wide)
    frame=auto solver=$4 greedy=no
    shift 4
    ;;
--mutants)
    mutants=yes
    shift
    ;;
--frame)
    read -r frame more <<< "$2"
    read -ra more <<< "$more"
    solver=$3 model_options+=("${more[@]}")
    shift 3
    ;;
--collective)
    read -r collective operator <<< "$2"
    read -ra model_options <<< "$3"
    bench_options=(--operator "$operator")
    [[ $collective == *,* ]] || bench_options+=(--collective "$collective")
    if [[ $3 =~ --(blocks|root)\ ([0-9]+) ]]; then
        bench_options+=("--${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}")
    fi
    model_options+=(--collective "$collective" --store narrow)
    link_mode=half latency=0
    [[ $3 != *full ]] || link_mode=full
    [[ ! $3 =~ --link-latency\ ([0-9]+) ]] || latency=${BASH_REMATCH[1]}
    bench_options+=(--link-mode $link_mode --link-latency $latency)
    if [[ $3 =~ ^random\ ([0-9]+) ]]; then
        mkdir -p "$WORK"
        python3 "$SOURCE/tb/lockstep/random_reduce.py" "$4" "${BASH_REMATCH[1]}" $link_mode > "$WORK/reduce.gfs"
        model_options=(--schedule reduce.gfs --store narrow)
    fi
    [ "$operator" = none ] || model_options+=(--operator "$operator")
    solver= greedy=no
    shift 3
    ;;
--chain)
    read -r link_mode latency operator cycles <<< "$2"
    read -r what random_seed <<< "$3"
    mkdir -p "$WORK"
    chain=$WORK/chain.gfs
    case $what in
    random) python3 "$SOURCE/tb/lockstep/random_reduce.py" "$4" "$random_seed" "$link_mode" > "$chain" ;;
    */*) cp "$what" "$chain" ;;
    *,*)
        model_options=(--collective "$what" --link-mode "$link_mode")
        IFS=, read -ra chain <<< "$what"
        for one in "${chain[@]}"; do
            "$GOSSIPFAB" schedule --topology "$4" --collective "$one" --link-mode "$link_mode" -o "$WORK/$one.gfs"
        done
        ;;
    *) "$GOSSIPFAB" schedule --topology "$4" --collective "$what" --link-mode "$link_mode" -o "$chain" ;;
    esac
    [[ $what == *,* ]] || model_options=(--schedule chain.gfs)
    [ "$what" = random ] || read -ra hardware <<< "$random_seed" # other options
    model_options+=("${hardware[@]}" --operator "${operator/user/user:$SOURCE/tb/lockstep/turned_difference.v}"
        --operator-latency "$cycles" --link-latency "$latency")
    bench_options=(--link-mode "$link_mode" --link-latency "$latency")
    frame=auto solver= greedy=no
    shift 3
    ;;
--reroute)
    drops=$2
    shift 2
    ;;
--paths)
    read -r latency gap hardware <<< "$2"
    read -ra hardware <<< "${hardware-}"
    read -ra random <<< "$3"
    bench_options=(--link-mode paths --link-latency "$latency")
    mkdir -p "$WORK"
    case $3 in
    */*) cp "$3" "$WORK/paths.gfs" && frame=auto ;;
    *) python3 "$SOURCE/tb/lockstep/random_paths.py" "$4" "${random[@]}" > "$WORK/paths.gfs" ;;
    esac
    model_options=("${hardware[@]}" --link-latency "$latency" --gap "$gap" --schedule paths.gfs)
    [[ $3 != */* ]] || gap= # where blocks are parts of tokens they take as long as whole ones
    [ ${#random[@]} -lt 4 ] || bench_options+=(--collective broadcast --operator none --blocks "${random[3]}" --root 0)
    solver= greedy=no
    shift 3
    ;;
--startup)
    read -r latency gap frame hardware <<< "$2"
    read -ra hardware <<< "${hardware-}"
    read -r solver settings <<< "$3"
    model_options=("${hardware[@]}" --solver "$solver" ${settings:+--solver-options "$settings"} --link-mode full --routing circuit
        --packet-tokens 1000 --startup 50 --link-latency "$latency" --gap "$gap")
    link_mode=as-made
    solver= greedy=no frame=${frame:-auto}
    shift 3
    ;;
--hardware)
    read -r link_mode latency gap <<< "$2"
    read -ra model_options <<< "$3"
    bench_options=(--link-mode "$link_mode" --link-latency "$latency")
    model_options+=("${bench_options[@]}" --gap "$gap" --store narrow)
    solver=greedy greedy=no
    shift 3
    ;;
esac
topology=$1 token_bits=$2 link_bits=$3 lint=no
shift 3
for option; do
    case $option in
    --lint) lint=yes ;;
    --mutants) mutants=yes ;;
    esac
done
here=$SOURCE/tb/lockstep

mkdir -p "$WORK"
cd "$WORK"
rm -rf -- auto rerouted gapped rom_of_every_node greedy-* lau-zhang obj ./*-bench flipped unreset
fabric=(--topology "$topology" --token-bits "$token_bits" --link-bits "$link_bits")

rom_rounds=(--rom-rounds "${ROM_ROUNDS:-127}")
[ "${ROM_ROUNDS-}" != 0 ] || rom_rounds=() # the fewest
# generate FOLDER SOLVER SEED: one capacity for all of a shape's programs, so that one model takes them all.
generate() {
    local source=(--frame $frame --solver "$2" --solver-seed "$3" "${rom_rounds[@]}")
    [ -n "$2" ] || source=(--frame "${frame/absolute/auto}")
    "$GOSSIPFAB" generate "${fabric[@]}" "${model_options[@]}" "${source[@]}" -o "$1" --json > "$1.json"
}
generate auto "$solver" 1
folders=(auto)
if [ -n "$drops" ]; then
    "$GOSSIPFAB" schedule --topology "$topology" -o whole.gfs > /dev/null
    cp -r auto rerouted
    "$GOSSIPFAB" reroute whole.gfs "$drops" --token-bits "$token_bits" --link-bits "$link_bits" --store narrow \
        --frame absolute "${rom_rounds[@]}" -o rerouted --json > rerouted.json
    folders+=(rerouted)
fi
# What the manifest says, read once; of several programs what the bench is told, and of wide nodes likewise.
declare -A manifest
while IFS='=' read -r name value; do
    manifest[$name]=$value
done < <(python3 - << 'EOF'
import json
manifest = json.load(open("auto/manifest.json"))
fields = ("collective", "blocks", "root", "first_round")
programs = manifest["programs"] if len(manifest["programs"]) > 1 else []
manifest["programs"] = ",".join(":".join(str(program[name]) for name in fields) for program in programs)
wide = [manifest[name] for name in ("crossbar", "banks", "hop_rounds")] if manifest["wide"] else []
manifest["wide_nodes"] = ",".join(map(str, wide))
for name, value in manifest.items():
    print(f"{name}={value}")
EOF
)
manifest() { echo "${manifest[$1]}"; }
if [ "${link_mode-}" = as-made ]; then
    link_mode=full
    [ "$(manifest paths)" = 0 ] || link_mode=paths
    bench_options=(--link-mode "$link_mode" --link-latency "$latency" --parts "$(manifest parts)")
fi
if [ $mutants = no ] && [ $frame = absolute ] && [ -n "$solver" ]; then
    for seed in 1 2; do
        generate greedy-$seed greedy $seed
        folders+=(greedy-$seed)
    done
    # Square meshes and tori, paths and cycles.
    if [[ $greedy = yes && ( $topology =~ ^(path|cycle): || $topology =~ ^(mesh|torus):([0-9]+)x([0-9]+)$ &&
          ${BASH_REMATCH[2]} = "${BASH_REMATCH[3]}" ) ]]; then
        generate lau-zhang lau-zhang 1
        folders+=(lau-zhang)
    fi
fi

[ $lint = no ] || make -s -C auto lint
# build FOLDER: the bench of its fabric, FOLDER-bench.
build() {
    local part
    rm -rf obj
    verilator --cc -DGFAB_TRACE --prefix Vgossip_fabric --top-module gossip_fabric --x-initial unique --Mdir obj \
        "$1/rtl/gfab.vlt" -F "$1/gossip_fabric.f"
    # All of the model in one translation unit: most of a small one's time goes to headers.
    {
        for part in obj/*.cpp; do
            printf '#include "%s"\n' "$(basename "$part")"
        done
        printf '#include "%s"\n' "$here/dut.cc"
    } > obj/all.cc
    # shellcheck disable=SC2086
    $MODEL_CXX $MODEL_FLAGS -w -include "$MODEL_HEADER" -Iobj -c obj/all.cc -o obj/all.o
    # shellcheck disable=SC2086
    $CXX obj/all.o $LOCKSTEP $LIBRARIES -pthread -o "$1-bench"
}
for one in "${chain[@]}"; do
    one=$(basename "$one" .gfs)
    grep -q '^collective .*\(reduce\|barrier\)' "$one.gfs" || { bench_options+=(--expressions -); continue; }
    for ((block = 0; block < $(sed -n 's/^blocks //p' "$one.gfs"); block++)); do
        "$GOSSIPFAB" show --schedule "$one.gfs" --expression $block
    done > "$one.expressions"
    bench_options+=(--expressions "$one.expressions")
done
build auto

programs=$(manifest programs)
if [[ ${collective-} == *,* ]]; then
    bench_options=(--operator "$operator" --link-mode "$link_mode" --link-latency "$latency")
fi
[ -z "$programs" ] || bench_options+=(--programs "$programs")
[ "$(manifest protect)" = 0 ] || bench_options+=(--protect detect)
if [ "$(manifest counted)" = 1 ] && [ "$(manifest wide)" = 0 ]; then
    bench_options+=(--slots "$(manifest store_slots)")
fi
[ "$(manifest paths)" = 0 ] || bench_options+=(--link-mode paths)
if grep -q '"slots_of_node"' auto/manifest.json; then
    bench_options+=(--node-slots "$(manifest slots_of_node | tr -d '[] ')")
fi
if [ $frame = auto ]; then
    frame=$(manifest frame)
    wide=$(manifest wide_nodes)
    [ -z "$wide" ] || bench_options+=(--wide "$wide")
    if [ "$(manifest blocks)" != 0 ]; then
        collectives=(all-gather reduce-scatter all-reduce broadcast reduce barrier all-to-all)
        operators=(none sum and or xor min max umin umax all bfloat16 user)
        bench_options+=(--collective "${collectives[$(manifest collective)]}" --blocks "$(manifest blocks)"
            --root "$(manifest root)" --operator "${operators[$(manifest operator)]}" --cells "$(manifest cell_bits)")
        [ "$(manifest merges)" = 0 ] || bench_options+=(--chain "$(manifest merges),$(manifest operator_cycles)")
    fi
fi
if [ "$frame" != absolute ]; then
    "$here/model_rom.py" auto rom_of_every_node
    bench_options+=(--frame "$frame" --model-rom rom_of_every_node)
fi
[[ $topology != *+weight=* ]] || fabric[1]=$topology+split # as the hardware has it
if [ $mutants = no ]; then
    mapfile -t seeds < <(seq "${SEEDS:-3}" | sed 's/^/--seed\n/')
    ./auto-bench "${fabric[@]}" "${bench_options[@]}" "${seeds[@]}" "${folders[@]}" | tee took
    [ -z "$gap" ] || "$here/cost.py" "$gap" "${folders[@]}" < took
    exit
fi
if [ "${gap:-0}" != 0 ]; then # one gap a cycle longer, in RTL and model alike
    cp -r auto gapped
    cp auto.json gapped.json
    python3 - gapped/rom/sequence.hex << 'EOF'
import sys
with open(sys.argv[1], "r+") as file:
    words = file.read().split()
    at = next(i for i, word in enumerate(words) if word[:-1].strip("0") and word[-2] != "f")
    words[at] = f"{int(words[at], 16) + 16:0{len(words[at])}x}"
    file.seek(0)
    file.write("\n".join(words) + "\n")
EOF
    ./auto-bench "${fabric[@]}" "${bench_options[@]}" auto gapped > took
    "$here/cost.py" "$gap" auto < took
    if said=$("$here/cost.py" "$gap" gapped < took 2>&1); then
        echo "lockstep: a gap that is a cycle longer is not seen: $said" >&2
        exit 1
    fi
    echo "a gap that is a cycle longer: $said"
    exit
fi

status=0
# refused NAME ARGUMENTS...: the bench reports a mismatch.
refused() {
    local name=$1 said result=0 bench=${BENCH-auto}
    shift
    said=$("./$bench-bench" "${fabric[@]}" "${bench_options[@]}" "$@" 2>&1) || result=$?
    if [ $result -ne 1 ] || [[ $said != *mismatch:* ]]; then
        printf 'lockstep: mutant %s is not seen (status %s): %s\n' "$name" $result "$said" >&2
        status=1
    else
        printf '%s: %s\n' "$name" "${said##*mismatch: }"
    fi
}

# unreset FILE SED: RTL of which a reset leaves standing what it should end.
unreset() {
    rm -rf unreset
    cp -r auto unreset
    sed -i "$2" "unreset/rtl/$1"
    ! cmp -s "auto/rtl/$1" "unreset/rtl/$1" || { echo "lockstep: $2 does not apply to $1" >&2; exit 1; }
    build unreset
    BENCH=unreset refused "a reset not heeded in $1" --seed 1 --seed 2 --seed 3 unreset
}
# faulty FILE SED WHAT: RTL that does not combine as it should.
faulty() {
    rm -rf faulty
    cp -r auto faulty
    sed -i "$2" "faulty/rtl/$1"
    ! cmp -s "auto/rtl/$1" "faulty/rtl/$1" || { echo "lockstep: $2 does not apply to $1" >&2; exit 1; }
    build faulty
    BENCH=faulty refused "$3" --seed 1 --seed 2 --seed 3 faulty
}
./auto-bench "${fabric[@]}" "${bench_options[@]}" auto
faults=(busy done link drive write-enable write-slot write-word write-data store token cycles)
[ "$(manifest parts)" = 1 ] && [ "$(manifest blocks)" = 0 ] || faults+=(part) # or another block
for what in "${faults[@]}"; do
    refused "model's $what" --corrupt-model "$what" auto
done
if [ "${cycles:-0}" != 0 ]; then
    faulty gfab_wide_chain.v 's/\(o_lefts.*\)= so_far;/\1= met;/; s/\(o_rights.*\)= met;/\1= so_far;/' "operands the other way round"
    faulty gfab_wide_chain.v 's/i_taken\[c\] & gen_rank\[c\].rank\[k\]/i_taken[LANES-1-c] \& gen_rank[c].rank[k]/' \
        "lanes in another order"
    faulty gfab_wide_chain.v 's/CYCLES(k \* LATENCY)/CYCLES(0)/' "words that do not wait for what they meet"
    faulty gfab_wide_chain.v 's/any & i_combines/any/' "a word combined with itself"
    faulty gfab_wide_chain.v 's/CYCLES(DELAY), .RESET(1)/CYCLES(DELAY), .RESET(0)/' "a reset not heeded in gfab_wide_chain.v"
    exit $status
fi
if [ -n "$programs" ]; then
    refused "model's program" --corrupt-model program auto
    faulty ../gossip_fabric.v "s/'d\\([0-9]*\\)\\(,* \\/\\/ 1 \\)/'d\\1+1'b1\\2/" "a program that begins a round late"
    faulty gfab_sequencer.v 's/round_q <= i_first_round;/round_q <= start ? i_first_round : round_q;/' \
        "a program that is asked for a cycle late"
fi
if [ -n "${wide-}" ] && [ "$(manifest operator)" -ge 5 ]; then # an operator that compares
    faulty gfab_wide_pick.v 's/LEAST ? gen_word/!LEAST ? gen_word/' "the greater for the less"
    faulty gfab_wide_pick.v 's/i_there\[a\] & (i_first | in_q)/i_there[a]/' "picked anew with each flit"
    faulty gfab_wide_pick.v 's/hides\[b\] & (b > a.*);/hides[b];/' "equal so far, and out"
    faulty gfab_wide_combine.v "s/{combines_q & o_write, i_taken}/{o_write, i_taken}/" "an old word that is not there"
    faulty gfab_time.v 's/DOWN ? .* - read_word : read_word/read_word/' "the least significant flit first"
    exit $status
fi
if [ -n "${wide-}" ]; then
    # Every bit that counts of every word of the first four rounds of one program: "round digit value" of the flipped
    # digit.
    program=$(find auto/rom -name 'program_*.hex' | sort | tail -n 1)
    model_rom=auto/rom
    [ "$frame" = absolute ] || model_rom=rom_of_every_node
    python3 - auto/manifest.json "$program" > flips << 'EOF'
import json, sys
manifest = json.load(open(sys.argv[1]))
lanes, banks, address_bits = manifest["lanes"], manifest["banks"], manifest["cell_bits"]
bits = lambda n: max(1, (n - 1).bit_length())
for number, line in enumerate(open(sys.argv[2]).read().split()[:4]):
    word, counts, reads = int(line, 16), [], 0
    sends = reads + banks * address_bits
    stores = sends + lanes * (1 + bits(banks))
    for lane in range(lanes):
        field = sends + lane * (1 + bits(banks))
        counts.append(field)
        if word >> field & 1:
            bank = word >> field + 1 & (1 << bits(banks)) - 1
            counts += range(field + 1, field + 1 + bits(banks))
            counts += range(reads + bank * address_bits, reads + (bank + 1) * address_bits)
    for bank in range(banks):
        field = stores + bank * (1 + bits(lanes))
        counts.append(field)
        if word >> field & 1:
            counts += range(field + 1, field + 1 + bits(lanes))
    for bit in sorted(set(counts)):
        print(number + 1, f"{word ^ 1 << bit:0{len(line)}x}", bit)
EOF
    [ "$(manifest protect)" = 0 ] || [ ! -e auto/rtl/gfab_apart.v ] ||
        faulty gfab_apart.v 's/= i_wires/= ~i_wires/' "a twin that is told otherwise"
    mkdir flipped
    while read -r line word bit; do
        rm -rf flipped/rom
        cp -r auto/rom flipped/rom
        sed -i "${line}s/.*/$word/" "flipped/rom/$(basename "$program")"
        refused "ROM word $line bit $bit" --model-rom "$model_rom" flipped
    done < flips
    exit $status
fi
if [ -z "$programs" ] && [ "$(manifest operator)" != 0 ]; then
    faulty gfab_combine.v 's/near_q <= i_near/near_q <= {NEAR_BITS{1'"'"'b0}}/' "an update lost where two lanes combine"
    faulty gfab_combine.v 's/taps\[(d-1)\*/taps[0*/' "the result of another cycle"
    [ "$latency" != 0 ] || # where links have latency a reset comes before what a lane says
        faulty gfab_combine_timer.v 's/last_q | i_rst/last_q/' "lanes that combined before a reset"
    [ "$latency" = 0 ] ||
        faulty gfab_lane_combine.v 's/\.i_old(old), /.i_old(i_old), /' "own flits that leave, not those of what arrives"
    [ "$link_mode" = half ] ||
        faulty gfab_slots.v 's/i_read_address({i_combine_slot\[/i_read_address({i_send_slot[/' "what is sent, combined"
    ! grep -q 'REGISTERED(1)' auto/gossip_fabric.v ||
        faulty gfab_lane_store.v 's/LATE_FLITS ? LANE_BITS : 0/0/' "a word of flits of another lane"
    faulty gfab_operator.v 's/carry_q <= ~i_clear & /carry_q <= /' "a carry from token to token"
    faulty gfab_operator.v 's/carry_q <= .*/carry_q <= 1'"'"'b0;/' "a carry lost"
    [ "$(manifest padding_flits)" = 0 ] ||
        faulty gfab_combine_timer.v 's/= open\[c\] | .*/= open[c];/' "a carry left in the padding"
    [ "$(manifest gap_bits)" = 0 ] ||
        faulty gfab_combine_timer.v 's/= i_strobe | i_close;/= i_strobe;/' "a carry left in the padding before a gap"
fi
[ "$(manifest paths)" = 0 ] || bench_options+=(--link-mode paths)
if grep -q '"slots_of_node"' auto/manifest.json; then # a store of half the size, and then blocks that wrap
    python3 - auto/manifest.json > smaller << 'EOF'
import json, sys
manifest = json.load(open(sys.argv[1]))
slots, relay = max((s, v) for v, s in enumerate(manifest["slots_of_node"]) if s < manifest["store_slots"])
print(relay, slots, 1 << (slots - 1).bit_length() - 1)
EOF
    read -r relay slots fewer < smaller
    faulty ../gossip_fabric.v "s/\(\"0*$relay\", [0-9]*'d[0-9]*, 1'b0, [0-9]*\)'d$slots,/\1'd$fewer,/" "a relay without slots enough"
fi
unreset gfab_sequencer.v 's/i_rst | ~count) begin/~count) begin/'
[ ! -e auto/rtl/gfab_node.v ] || unreset gfab_node.v 's/recv_q  *<= i_rst ? [^:]*:/recv_q <=/'
# Every bit of every op of the first two rounds of one node, in the RTL alone.
program=$(find auto/rom -name 'program_*.hex' | sort | tail -n 1)
mkdir flipped
for ((address = 0; address < 8; address++)); do
    op=$((16#$(sed -n "$((address + 1))p" "$program")))
    [ $((op & 3)) -ne 0 ] || continue # an idle op's slot is not looked at
    for bit in 0 1 2 3; do
        rm -rf flipped/rom
        cp -r auto/rom flipped/rom
        printf -v flipped '%02x' $((op ^ 1 << bit))
        sed -i "$((address + 1))s/.*/$flipped/" "flipped/rom/$(basename "$program")"
        refused "ROM address $address bit $bit" --model-rom auto/rom flipped
    done
done
if [ "$(manifest counted)" = 1 ]; then # the host finds a block where another one is
    rm -rf flipped/rom
    cp -r auto/rom flipped/rom
    sed -i '1{h;d};2G' flipped/rom/places_0.hex
    refused "two places that are swapped" --model-rom auto/rom flipped
fi
exit $status
