#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests of the gossipfab command: run-cli-tests.sh GOSSIPFAB SOURCE_DIR [--update]
#
# <name>.cmd is a bash text that runs in an empty folder; its standard output and the last line "exit N" must be those
# of <name>.expected. --update writes the expected files anew: read the difference before you keep it.
# The second half are bad inputs: one line on stderr that says what is wrong, nothing on stdout, the exit
# status, and a folder that is left as it was.
set -u -o pipefail
export LC_ALL=C

binary=$(readlink -f "$1")
cases=$(readlink -f "$2")/tests/cli
graphs=$(readlink -f "$2")/tests/reject/graphs
formats=$(readlink -f "$2")/tests/reject/formats
update=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

gossipfab() { "$binary" "$@"; }
paper_tables() { "$(dirname "$binary")/paper_tables" "$@"; }
export binary
export -f gossipfab paper_tables

pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    echo "FAILED $1: $2"
}

fresh() {
    rm -rf "$work/box"
    mkdir "$work/box"
    cd "$work/box" || exit 2
}

for command in "$cases"/*.cmd; do
    name=$(basename "$command" .cmd)
    fresh
    bash -o pipefail "$command" >"$work/out" 2>"$work/err" </dev/null
    echo "exit $?" >>"$work/out"
    if [ "$update" = --update ]; then
        cp "$work/out" "$cases/$name.expected"
    fi
    if diff -u "$cases/$name.expected" "$work/out" >"$work/diff"; then
        pass
    else
        fail "$name" "standard output or exit status"
        cat "$work/diff" "$work/err"
    fi
done

# Bad inputs. bad NAME STATUS PATTERN ARGUMENTS...; runs in the folder made by setup(). program=paper_tables bad ..: of
# that program, which stands beside gossipfab.
setup() {
    fresh
    mkdir made
    echo keep >made/file
    gossipfab schedule --topology mesh:3x3 -o good.gfs >/dev/null
    gossipfab schedule --topology mesh:3x3+relay=4 --collective all-gather -o relay.gfs >/dev/null
    head -n 20 good.gfs >truncated.gfs
    sed 's/^gossipfab-schedule 1$/gossipfab-schedule 9/' good.gfs >version.gfs
    : >empty.gfs
    gossipfab schedule --topology mesh:3x3 --format csv -o good.csv >/dev/null
    sed '/^6,/d' good.csv >incomplete.csv
    sed 's/^3,.*/3,0,8,0/' good.csv >no-link.csv
    gossipfab schedule --topology mesh:3x3 --link-mode full -o full.gfs >/dev/null
    gossipfab schedule --topology cycle:5 --solver approach1 --solver-options parts=2 --link-mode full --packet-tokens 10 \
        -o halves.gfs >/dev/null
    gossipfab schedule --topology path:3 --load 1,2,0 --solver matching --link-mode full --port-mode one --packet-tokens 3 \
        -o load.gfs >/dev/null
    model='link-mode full\nport-mode all\npacket-tokens 1\nhop-rounds 1\nsolver -\ncollective'
    printf "gossipfab-schedule 4\ntopology path:3\n$model broadcast\nblocks any\nroot 0\nperiod 1\ngroup 1\nrounds 2\n%b" \
        'packets 2\nround 1\n0 1:0\nround 2\n1 2:0\nend\n' >any.gfs
    printf "gossipfab-schedule 4\ntopology cycle:3\n$model all-gather\nblocks any\nperiod 1\ngroup 3\nrounds 1\n%b" \
        'packets 6\nround 1\n0 1:0\n0 2:0\n1 0:1\n1 2:1\n2 0:2\n2 1:2\nend\n' >shared.gfs
}
state() { ls -lAR --time=ctime --time-style=full-iso; } # one process: it is asked 1,400 times

bad() {
    local name=$1 status=$2 pattern=$3 program=${program:-gossipfab} got before lines
    shift 3
    before=$(state)
    "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    mapfile lines <"$work/err"
    if [ "$got" != "$status" ]; then
        fail "$name" "exit $got, expected $status: $(cat "$work/err")"
    elif [ -s "$work/out" ]; then
        fail "$name" "there is standard output: $(head -n 1 "$work/out")"
    elif [[ ${#lines[@]} != 1 || $lines != *$'\n' ]]; then
        fail "$name" "not one line on stderr: $(cat "$work/err")"
    elif [[ $lines != "$program: "* ]] || ! grep -q -e "$pattern" "$work/err"; then
        fail "$name" "the line says: $(cat "$work/err"); expected: $pattern"
    elif [ "$before" != "$(state)" ]; then
        fail "$name" "the folder has changed"
        diff <(echo "$before") <(state)
    else
        pass
    fi
}

setup
bad routing-name 2 'routing "wormhole" is called circuit now' schedule --topology mesh:3x3 --routing wormhole
bad broadcast-node 2 "node 9 does not exist; mesh:3x3 has 0 to 8" schedule --topology mesh:3x3 --broadcast-from 9
bad broadcast-word 2 "'wrst' is no node; give its number, worst or all" schedule --topology mesh:3x3 --broadcast-from wrst
bad broadcast-number 2 "'3x' is no node" schedule --topology mesh:3x3 --broadcast-from 3x
bad broadcast-all-output 2 "makes no schedule, so that --output does not go with it" schedule --topology mesh:3x3 --broadcast-from all -o s.gfs
bad broadcast-all-load 2 "--load does not go with --broadcast-from" schedule --topology mesh:3x3 --broadcast-from all --load 1,0,0,0,0,0,0,0,0
bad broadcast-gossip 2 "broadcast makes broadcasts alone: one token at one node" schedule --topology mesh:3x3 --solver broadcast
bad broadcast-solver 2 "lau-zhang makes gossip alone" schedule --topology mesh:3x3 --solver lau-zhang --broadcast-from worst
bad broadcast-setting 2 "broadcast" schedule --topology mesh:3x3 --solver broadcast --broadcast-from all --solver-options foo=1
bad family-close 2 'unknown family "torsu"; did you mean torus:3x3+drop-link=0-1?' schedule torsu:3x3+drop-link=0-1
bad family-none 2 '"4x4" is no topology: which family? Did you mean mesh:4x4?' bound 4x4
bad argument-file 2 "cannot read 'none.gfs'" simulate none.gfs
for topology in mesh:3x3 '-t mesh:3x3'; do bad argument-two 2 "unexpected argument 'mesh:2x2'" schedule $topology mesh:2x2; done
bad demo-board 2 "unknown board 'hx4k'; did you mean 'hx8k'?" demo --board hx4k
bad demo-folder 2 "cannot make the folder 'made/file/x'" demo -o made/file/x
bad collective-name 2 'unknown collective "allreduce"; did you mean all-reduce?' schedule --topology mesh:3x3 -c allreduce
bad collective-blocks 2 "reduce-scatter of 10 blocks on 9 nodes; a multiple" schedule --topology mesh:3x3 -c reduce-scatter --blocks 10
bad collective-no-root 2 "all-gather has no root" schedule --topology mesh:3x3 --root 1
bad collective-root 2 "root 9 does not exist; roots are 0 to 8" schedule --topology mesh:3x3 -c reduce --root 9
bad collective-idempotent 2 "combines nothing" bound --topology mesh:3x3 -c broadcast --idempotent
bad collective-load 2 "--collective does not go with --broadcast-from" schedule --topology mesh:3x3 -c all-reduce --broadcast-from 1
bad collective-solver 2 "lau-zhang does not make all-reduce" schedule --topology mesh:3x3 -c all-reduce --solver lau-zhang
bad collective-file 2 "good.gfs: the file is for all-gather of 9 blocks; leave --collective" verify -c all-reduce good.gfs
bad collective-csv 2 'line 1 is not "round,from,to,block,combine"' verify --topology mesh:3x3 -c all-reduce good.csv
bad collective-prove 2 "a proof is for all-gather, or where blocks are combined" schedule --topology path:5 -c all-gather --blocks 10 --prove
bad prove-translations 2 "translations are for tori without a side of 2" schedule --topology mesh:2x3 -c all-reduce --link-mode full --solver reversed --prove --translations
bad prove-translations-alone 2 "needs --prove" schedule --topology torus:3x3 -c all-reduce --translations
bad expression-gossip 2 "nothing is combined in all-gather" show --schedule good.gfs --expression 0
bad expression-block 2 "block 9 does not exist; the schedule has 0 to 8" show --topology mesh:3x3 -c all-reduce --expression 9
bad repeat-granule 2 "granule needs --expression" show --schedule any.gfs --granule 5
bad repeat-granule-owner 2 "of a reduce-scatter are numbered by their owners" show --topology mesh:3x3 -c reduce-scatter --expression 1 --granule 5
bad repeat-csv 2 "the schedule is for any number of blocks; say how many there are, --blocks B" convert any.gfs --to csv -o new.csv
bad repeat-msccl 2 "the schedule is for any number of blocks" convert any.gfs --to msccl -o new.xml
bad repeat-generate 2 "the schedule is for any number of blocks" generate --schedule any.gfs --token-bits 8 -o new
bad repeat-simulate 2 "the schedule is for any number of blocks" simulate --schedule any.gfs --token-bits 8
bad repeat-rom 2 "the schedule is for any number of blocks" show --schedule any.gfs --rom 0
bad repeat-many 2 "packets are too many to go through one by one" convert any.gfs --blocks 300000000 --to csv -o new.csv
bad repeat-blocks 2 "all-gather of 10 blocks on 3 nodes; a multiple" verify shared.gfs --blocks 10
bad repeat-not 2 "good.gfs: --blocks any, but the schedule does not repeat" verify good.gfs --blocks any
bad repeat-word 2 "'some' is not a whole number from 1 to 2147483647 blocks, nor \"any\"" verify any.gfs --blocks some
bad repeat-other 2 "any.gfs: the file is for broadcast of 1 blocks" verify any.gfs -c all-reduce
bad repeat-solver 2 "makes no schedules that repeat, for any number of blocks" schedule --topology mesh:3x3 -c all-reduce --blocks any --solver steiner
bad repeat-gossip 2 "makes no schedules that repeat, for any number of blocks" schedule --topology mesh:3x3 --blocks any --solver lau-zhang
bad repeat-bound 2 "blocks any: bounds are of a number of blocks" bound --topology mesh:3x3 -c broadcast --blocks any
bad repeat-prove 2 "prove is for a number of blocks" schedule --topology mesh:3x3 -c broadcast --blocks any --prove
bad expression-round 2 "--expression does not go with --round" show --topology mesh:3x3 -c all-reduce --expression 1 --round 1
bad collective-dot-wire 2 "draws all-gather alone; give --style rounds" show --topology mesh:3x3 -c all-reduce --svg new.svg --style dot-wire
search='search --topology debruijn:4 --link-mode full --port-mode one --packet-tokens 16'
bad search-solver 2 "no --solver given; one that draws at random" $search --items 3
bad search-solver-name 2 "unknown solver 'aneal'; did you mean 'anneal'" $search -s aneal --items 3
bad search-items-none 2 "no --items given; try --items 100" $search -s anneal
bad search-items 2 "'5..3' is neither N nor A..B, items from 1 on" $search -s anneal --items 5..3
bad search-items-zero 2 "'0' is neither N nor A..B" $search -s anneal --items 0
bad search-items-many 2 "items 1 to 1000001; a search has at most 1000000" $search -s anneal --items 1000001
bad search-shard 2 "'3/2' is not I/K, shard I of K" $search -s anneal --items 3 --shard 3/2
bad search-shard-zero 2 "'0/2' is not I/K" $search -s anneal --items 3 --shard 0/2
bad search-rounds 2 "4 rounds are below the lower bound of 5" $search -s anneal --items 3 --rounds 4
bad search-options 2 'anneal: unknown setting' $search -s anneal --items 3 --solver-options stops=3
bad search-resume 2 "resume needs --checkpoint" $search -s anneal --items 3 --resume
bad search-checkpoint 2 "'good.gfs' is there already; --resume goes on from it" $search -s anneal --items 3 --checkpoint good.gfs
bad search-resume-file 2 'good.gfs: line 1: not a search: line 1 is not "gossipfab-search 1"' $search -s anneal --items 3 --checkpoint good.gfs --resume
bad search-output 2 "its folder must exist and be writable" $search -s anneal --items 3 -o none/s.gfs
bad search-standard 2 "it is not for standard output" $search -s anneal --items 3 --checkpoint -
bad search-same-file 2 "are the same file; give two" $search -s anneal --items 3 --checkpoint a -o a
bad search-model 2 "anneal is for" search --topology mesh:3x3 -s anneal --items 3
bad merge-none 2 'no file given' merge
bad merge-missing 2 "cannot read 'none.search'" merge none.search
bad merge-schedule 2 'good.gfs: line 1: not a search' merge good.gfs
bad prove-folder 2 'give a folder: --output FOLDER' prove --topology mesh:2x3 --rounds 4
bad prove-both 2 'give a folder: --output FOLDER' prove --topology mesh:2x3 --rounds 4 -o a --check b
bad prove-rounds 2 'no --rounds given' prove --topology mesh:2x3 -o a
bad prove-shard 2 "'2/1' is not I/K" prove --topology mesh:2x3 --rounds 4 --shard 2/1 -o a
bad prove-large 2 'too large for a proof' prove --topology mesh:20x20 --rounds 400 -o a
bad prove-file 2 "cannot make the folder 'good.gfs'\|'good.gfs/formula.cnf'" prove --topology mesh:2x3 --rounds 4 -o good.gfs
bad prove-check-none 2 "cannot read 'none/formula.cnf'" prove --topology mesh:2x3 --rounds 4 --check none
bad no-command 2 'no command'
bad unknown-command 2 "did you mean 'schedule'" shedule
bad unknown-command-far 2 'unknown command' frobnicate
bad help-command 2 "help: unknown command 'shedule'; did you mean 'schedule'?" help shedule
bad help-shell 2 "unknown shell 'tcsh'; there are bash, zsh and fish" help --completion tcsh
bad help-both 2 'give it alone' help --completion bash --man
bad unknown-option 2 "schedule: .*did you mean '--topology'" schedule --topolgy mesh:4x4
bad unknown-option-equals 2 "did you mean '--solver'" schedule --topology mesh:4x4 --sovler=greedy
bad unknown-letter 2 'unknown option' verify -q good.gfs
bad option-without-value 2 'needs a value' schedule --topology
bad option-twice 2 'given twice' schedule --topology mesh:3x3 --topology mesh:4x4
bad extra-argument 2 'unexpected argument' schedule --topology mesh:3x3 more
bad unknown-list 2 'did you mean solvers' list solver
bad unknown-table 2 'give table optimal or collectives' table fujita
bad unknown-table-near 2 "did you mean 'optimal'" table optimum
bad table-none 2 'give table optimal or collectives' table
bad table-paper 2 'build/bin/paper_tables telephone prints it' table telephone
bad table-optimal-number 2 "unexpected argument '5'" table optimal 5
program=paper_tables bad papers-none 2 'give lau-zhang, telephone, circgo, torgo or cubgo'
program=paper_tables bad papers-unknown 2 "unknown table 'fujita'; give lau-zhang" fujita
program=paper_tables bad papers-near 2 "did you mean 'torgo'" tergo
program=paper_tables bad papers-telephone-none 2 'no number; give 1 to 6' telephone
for number in 7 56 0; do
    program=paper_tables bad papers-telephone-$number 2 "no table '$number'; give 1 to 6" telephone $number
done
program=paper_tables bad papers-telephone-max 2 'does not go with table 2' telephone 2 --max-n 4
program=paper_tables bad papers-max 2 'from 2 to 64' lau-zhang --max-n 65
program=paper_tables bad papers-number 2 "unexpected argument '5'" lau-zhang 5
program=paper_tables bad papers-startup-max 2 "unknown option '--max-n'" circgo --max-n 4
program=paper_tables bad papers-format 2 "unknown format 'json'; give text or csv" cubgo --format json
program=paper_tables bad papers-side 2 'from 3 to 4096' torgo --sides 2
program=paper_tables bad papers-startups 2 'startups' torgo --startups 5,x
bad colouring-model 2 'colouring is for full-duplex links, one port' schedule --topology path:4 --solver colouring
bad colouring-packet 2 'of up to 3 tokens, not 2' schedule --topology path:4 --solver colouring --link-mode full \
    --port-mode one --packet-tokens 2
bad colouring-digit 2 "'7', round 3 of the sequence" schedule --topology path:4 --solver colouring --link-mode full \
    --port-mode one --packet-tokens 4 --solver-options rounds=017
bad colouring-no-gossip 2 'some node lacks a token' schedule --topology path:4 --solver colouring --link-mode full \
    --port-mode one --packet-tokens 4 --solver-options rounds=01
bad colouring-f 2 'from 0 to 1' schedule --topology path:4 --solver colouring --link-mode full --port-mode one \
    --packet-tokens 4 --solver-options f=2
bad colouring-file 2 'cannot read' schedule --topology path:4 --solver colouring --link-mode full --port-mode one \
    --packet-tokens 4 --solver-options matchings=file:none.txt
bad exhaustive-large 2 'up to 20 nodes and 30 links' schedule --topology hypercube:4 --solver exhaustive \
    --link-mode full --port-mode one --packet-tokens 16
bad exhaustive-rounds 2 'no gossip of 5 rounds is possible' schedule --topology debruijn:4 --solver exhaustive \
    --link-mode full --port-mode one --packet-tokens 16 --rounds 5
bad table-optimal-max 2 'from 2 to 64' table optimal --max-n 1
bad table-topologies 2 'mesh, torus or all' table optimal --topologies cycle
bad table-solver 2 "did you mean 'search'" table optimal --solver serch
bad table-solver-not-for 2 'fujita-yamashita is not for torus:3x3' table optimal --max-n 3 --solver fujita-yamashita
bad table-collectives-solver 2 'goes with table optimal only' table collectives --solver auto
bad table-optimal-blocks 2 'goes with table collectives only' table optimal --blocks 4

for verb in schedule bound simulate show; do
    bad "$verb-no-topology" 2 'topology' $verb
    bad "$verb-unknown-topology" 2 'ring:5' $verb --topology ring:5
    bad "$verb-side-0" 2 'mesh:0x4' $verb --topology mesh:0x4
    bad "$verb-negative-side" 2 'mesh:-4x4' $verb --topology mesh:-4x4
    bad "$verb-one-node" 2 'mesh:1x1' $verb --topology mesh:1x1
    bad "$verb-huge" 2 'too many nodes' $verb --topology mesh:100000x100000
    bad "$verb-trailing" 2 'mesh:4x4y' $verb --topology mesh:4x4y
done
# Before a schedule is looked for, which would take minutes.
bad show-dots 2 '268419072 or more dots are too many' show --topology mesh:128x128 --svg a.svg
bad show-arrows 2 '1047552 or more arrows are too many' show --topology hypercube:10 --svg a.svg
bad show-reduction 2 '33546240 or more arrows are too many' show --topology hypercube:12 --collective all-reduce \
    --blocks 8192 --svg a.svg
bad generate-unknown-topology 2 'ring:5' generate --topology ring:5 -o out
bad generate-side-0 2 'mesh:0x4' generate --topology mesh:0x4 -o out
bad generate-negative-side 2 'mesh:-4x4' generate --topology mesh:-4x4 -o out
bad generate-huge 2 'too many nodes' generate --topology mesh:100000x100000 -o out
for verb in schedule bound simulate show 'generate -o out'; do
    bad "$verb-no-graph-file" 2 'missing.dot.*No such file' $verb --topology file:missing.dot
    bad "$verb-graph-folder" 2 'file:made.*cannot read' $verb --topology file:made
    bad "$verb-no-link-to-drop" 2 'no link 0-5 to drop' $verb --topology mesh:4x4+drop-link=0-5
    bad "$verb-cut-in-two" 2 'not connected' $verb --topology path:4+drop-link=1-2
    bad "$verb-family-too-large" 2 'at most 21' $verb --topology hypercube:40
done
for file in "$graphs"/*; do
    bad "bad-graph-$(basename "$file")" 2 "$(basename "$file")\"\?: " bound --topology "file:$file"
done
for file in "$formats"/*; do
    bad "bad-format-$(basename "$file")" 2 "$(basename "$file"): " verify "$file"
done
bad bad-format-line 2 'dependency-on-no-step.xml: line 4: it waits for step 5' convert "$formats/dependency-on-no-step.xml"
bad bad-format-place 2 'steps\[0\].sends\[0\]: no chunk has address 9' verify "$formats/unknown-address.json"
gossipfab convert good.gfs --to chakra --bytes 8 -o traces > /dev/null
for damage in truncated foreign missing; do cp -r traces traces-$damage; done
head -c 700 traces/gossipfab.1.et > traces-truncated/gossipfab.1.et
printf '\003\012\0011' > traces-foreign/gossipfab.0.et
rm traces-missing/gossipfab.8.et
bad bad-trace-truncated 2 'rank 1, byte [0-9]*: a length beyond the end' verify traces-truncated
bad bad-trace-foreign 2 'rank 0, byte 4: no head of a schedule' verify traces-foreign
bad bad-trace-missing 2 'the trace of rank 8 is missing' verify traces-missing
bad convert-chakra-bytes 2 "--to=chakra needs --bytes" convert good.gfs --to chakra -o new
bad convert-chakra-bytes-alone 2 "--bytes needs --to=chakra" convert good.gfs --bytes 8 -o new.gfs
bad convert-chakra-no-folder 2 'makes a folder; give its name' convert good.gfs --to chakra --bytes 8
bad convert-chakra-there 2 "'traces' is there already" convert good.gfs --to chakra --bytes 8 -o traces
gossipfab schedule --topology cycle:9 --link-mode full --packet-tokens 9 --solver circgo --routing circuit -o paths.gfs \
    > /dev/null
bad convert-chakra-path 2 'packets over one link' convert paths.gfs --to chakra --bytes 8 -o new
for collective in broadcast reduce barrier; do
    gossipfab schedule --topology mesh:3x3 -c $collective -o $collective.gfs > /dev/null
    bad convert-chakra-$collective 2 "ASTRA-sim takes no $collective of one's own" convert $collective.gfs --to chakra --bytes 8 -o new
done
bad convert-nothing 2 'no schedule file given' convert
bad convert-format 2 "unknown format 'scl'; did you mean 'sccl'" convert good.gfs --to scl
bad convert-barrier 2 'MSCCL has no barrier' schedule --topology mesh:3x3 -c barrier --format msccl -o new.xml
bad convert-load 2 "MSCCL's all-gather has as many blocks at every node" convert load.gfs --to msccl -o new.xml
bad convert-graph-schedule 2 'graphml is for graphs alone' schedule --topology mesh:3x3 --format graphml
bad convert-channels 2 "SMI's FPGAs have 4 channels" convert -t complete:6 --to smi -o new.json
bad convert-csv 2 'for CSV give its --topology' convert good.csv
bad convert-faulty 1 'incomplete' convert --topology mesh:3x3 incomplete.csv --to msccl -o new.xml
bad bad-graph-line 2 'file:.*/doubled.txt: line 5: the link 1-2 is doubled' schedule --topology "file:$graphs/doubled.txt"
bad graph-other 2 'is for topology' verify --topology graph:9:0-1,1-2,2-3,3-4,4-5,5-6,6-7,7-8 good.gfs
bad graph-lau-zhang 2 'lau-zhang' schedule --topology ccc:3 --solver lau-zhang
bad store-name 2 'give auto, narrow, wide or ring' simulate --topology mesh:3x3 --store broad
bad store-rotated 2 'lanes have one order' simulate --topology mesh:3x3 --store wide --frame rotated
bad store-hop 2 'a hop takes at least 2 cycles' simulate --schedule good.gfs --store wide --token-bits 8 --link-bits 8
bad graph-relative 2 'not a torus' simulate --topology ccc:3 --frame relative
bad graph-rotated 2 'not a square mesh' simulate --topology mesh:4x4+drop-link=5-6 --frame rotated
bad graph-picture 2 'neither a mesh nor a torus' show --topology ccc:3 --style dot-wire --svg a.svg
bad graph-picture-rounds 2 'neither a mesh nor a torus' show --topology mesh:3x3+drop-link=0-1 --style dot-wire --svg a.svg
bad topology-control 2 'topology' schedule --topology $'mesh:4x4\nmore'
bad link-mode 2 'link-mode' schedule --topology mesh:3x3 --link-mode both
bad port-mode 2 'port-mode' schedule --topology mesh:3x3 --port-mode two
bad packet-tokens-0 2 "packet-tokens: '0'" schedule --topology mesh:3x3 --packet-tokens 0
bad packet-tokens-negative 2 "packet-tokens: '-1'" schedule --topology mesh:3x3 --packet-tokens -1
bad hop-rounds-text 2 "hop-rounds: '2x'" schedule --topology mesh:3x3 --hop-rounds 2x
bad seed-overflow 2 'solver-seed' schedule --topology mesh:3x3 --solver-seed 99999999999999999999999
bad unknown-solver 2 "did you mean 'lau-zhang'" schedule --topology mesh:3x3 --solver lau-zang
bad former-solver-best 2 "there is no solver 'best' any more; take 'auto'" schedule --topology mesh:3x3 --solver best
bad former-solver-renamed 2 "take 'mesh-telephone'" simulate --topology mesh:3x3 --solver beier-sibeyn
bad former-solver-removed 2 "there is no solver 'beam' any more; take 'anneal'" schedule --topology ccc:3 --solver beam
bad former-solver-table 2 "take 'auto'" table optimal --solver best
bad unknown-solver-far 2 'list solvers' schedule --topology mesh:3x3 --solver magic
bad solver-does-not-apply 2 'lau-zhang' schedule --topology mesh:3x4 --solver lau-zhang
bad solver-wrong-model 2 'lau-zhang' schedule --topology mesh:3x3 --link-mode full --solver lau-zhang
bad unknown-format 2 'gossipfab list formats has them' schedule --topology mesh:3x3 --format verilog
bad csv-of-packets 2 'use --format gfs' schedule --topology mesh:3x3 --packet-tokens 4 --format csv -o new.csv
bad format-none-with-output 2 'none' schedule --topology mesh:3x3 --format none -o new.gfs
bad output-in-missing-folder 2 'missing/s.gfs' schedule --topology mesh:3x3 -o missing/s.gfs
bad output-below-file 2 'good.gfs/s.gfs' schedule --topology mesh:3x3 -o good.gfs/s.gfs
bad output-is-folder 2 'it is a folder' schedule --topology mesh:3x3 -o made
bad output-empty 2 'empty' schedule --topology mesh:3x3 -o ''
for o in proof cnf; do bad "$o-without-prove" 2 "--$o needs --prove" schedule --topology mesh:3x3 --$o p.$o; done
bad prove-too-large 2 'too large for a proof' schedule --topology mesh:19x21 --port-mode one --prove --proof p.drat
bad prove-missing-folder 2 'missing/p.drat' schedule --topology path:5 --port-mode one --prove --proof missing/p.drat

bad verify-nothing 2 'no schedule file' verify
for o in bytes chunk-bytes html; do bad "verify-$o" 2 "--$o .*\(good.gfs\|GPUs\)" verify --$o 64 good.gfs; done # others' files
bad verify-missing 2 'No such file' verify missing.gfs
bad verify-folder 2 'it is a folder' verify made
bad verify-empty 2 'empty' verify empty.gfs
bad verify-truncated 2 'truncated.gfs: line' verify truncated.gfs
bad verify-version 2 'version.gfs: line 1' verify version.gfs
bad verify-other-topology 2 'is for topology mesh:3x3, not for mesh:4x4' verify --topology mesh:4x4 good.gfs
bad verify-other-model 2 'link-mode half' verify --link-mode full good.gfs
bad verify-other-hop 2 'hop-rounds 1' verify --hop-rounds 2 good.gfs
bad verify-csv-no-topology 2 '--topology' verify good.csv
bad verify-csv-no-link 2 'no-link.csv: line' verify --topology mesh:3x3 no-link.csv
bad verify-csv-other-topology 2 'good.csv: line' verify --topology path:9 good.csv
bad verify-incomplete 1 'incomplete' verify --topology mesh:3x3 incomplete.csv
bad verify-one-port 1 'port-busy' verify --topology mesh:3x3 --port-mode one good.csv
bad verify-too-new 1 'token-too-new' verify --topology mesh:3x3 --hop-rounds 2 good.csv

for verb in 'generate -o out' simulate; do
    bad "$verb-not-multiple" 2 'multiple' $verb --topology mesh:3x3 --token-bits 32 --link-bits 3
    bad "$verb-token-bits-0" 2 "token-bits: '0'" $verb --topology mesh:3x3 --token-bits 0
    bad "$verb-link-bits-over" 2 'link-bits' $verb --topology mesh:3x3 --link-bits 100000
    bad "$verb-other-topology" 2 'is for topology' $verb --topology mesh:4x4 --schedule good.gfs
    bad "$verb-truncated" 2 'truncated.gfs: line' $verb --schedule truncated.gfs
    bad "$verb-missing" 2 'missing.gfs' $verb --schedule missing.gfs
    bad "$verb-incomplete" 1 'incomplete' $verb --topology mesh:3x3 --schedule incomplete.csv
    bad "$verb-solver-and-schedule" 2 'one or the other' $verb --schedule good.gfs --solver greedy
    bad "$verb-settings-and-schedule" 2 '--solver-options does not go with' $verb --schedule good.gfs --solver-options a=3
    bad "$verb-setting" 2 'unknown setting "c"' $verb --topology cycle:9 --link-mode full --packet-tokens 9 --solver circgo --routing circuit --solver-options c=3
    bad "$verb-startup" 2 'is not a number' $verb --topology cycle:9 --startup 1e3
    bad "$verb-latency" 2 'link-latency' $verb --topology mesh:3x3 --link-latency 16
    bad "$verb-gap" 2 'gap' $verb --topology mesh:3x3 --gap 16777216
    bad "$verb-unknown-solver" 2 'unknown solver' $verb --topology mesh:3x3 --solver magic
    bad "$verb-parts" 2 '31 cannot be cut in 2 equal parts' $verb --schedule halves.gfs --token-bits 31 --link-bits 1
    bad "$verb-part-bits" 2 '16 bits are not a multiple of link bits 32' $verb --schedule halves.gfs --token-bits 32 \
        --link-bits 32 --store narrow
    bad "$verb-parts-wide" 2 'wide nodes: not with tokens in parts' $verb --schedule halves.gfs --token-bits 4 \
        --link-bits 2 --store wide
    bad "$verb-load" 2 'starts with one token in each node' $verb --schedule load.gfs
done
bad generate-part-selftest 2 'parts of at least 7 bits, not 4' generate --schedule halves.gfs --token-bits 8 --link-bits 2 \
    --board hx8k -o out
bad generate-no-output 2 'no -o DIR' generate --topology mesh:3x3
bad generate-unknown-board 2 "did you mean 'hx8k'" generate --topology mesh:3x3 --board hx8 -o out
bad generate-unknown-board-far 2 'list boards' generate --topology mesh:3x3 --board de10-nano -o out
bad generate-existing 2 'made' generate --topology mesh:3x3 -o made
bad generate-force-not-ours 2 'made' generate --topology mesh:3x3 -o made --force
bad generate-on-file 2 'good.gfs' generate --topology mesh:3x3 -o good.gfs
bad generate-below-file 2 'good.gfs/out' generate --topology mesh:3x3 -o good.gfs/out
bad generate-in-missing-folder 2 'missing/out' generate --topology mesh:3x3 -o missing/out
bad generate-rom-too-small 2 'too few' generate --topology mesh:3x3 --rom-rounds 4 -o out
bad generate-board-too-small 2 'stores of 1600 nodes take 25600 block RAMs; .* 25568 too few; .* at most 30 nodes fit' generate \
    --topology mesh:40x40 --board hx8k -o out
bad generate-board-cells 2 '30 nodes with a host port take about [0-9]* cells; the board has 5280, [0-9]* too few; .* at most [0-9]* nodes fit' \
    generate --topology mesh:5x6 --link-bits 4 --board icebreaker --host uart -o out
bad generate-unknown-rom 2 "unknown place 'bram'; give logic, block or inline" generate --topology mesh:3x3 --rom bram -o out
bad replan-nothing 2 'give the schedule and what has changed' replan good.gfs
bad replan-word 2 'what has changed is +drop-link=U-V, +drop-node=V or +weight=U-V:W' replan good.gfs drop-link=0-1
bad replan-relay 2 "'+relay=4': what has changed is +drop-link=U-V" replan good.gfs +drop-link=0-1+relay=4 -o made/new
bad replan-no-node 2 'node 9 does not exist' replan good.gfs +drop-node=9 -o made/new
bad replan-no-link 2 'there is no link 0-8 to drop' replan good.gfs +drop-link=0-8
bad replan-disconnected 2 'not connected' replan good.gfs +drop-link=0-1+drop-link=0-3 -o made/new
bad replan-weight 2 'has a weight of 0; at least 1' replan good.gfs +weight=0-1:0
bad replan-truncated 2 'truncated.gfs' replan truncated.gfs +drop-link=0-1 -o made/new
bad reroute-nothing 2 'give the schedule and what has died' reroute good.gfs -o made
bad reroute-no-output 2 'no -o DIR given' reroute good.gfs +drop-link=0-1
bad reroute-no-drop 2 'only +drop-link=U-V and +drop-node=V can follow' reroute good.gfs drop-link=0-1 -o made
bad reroute-no-link 2 'there is no link 0-8 to drop' reroute good.gfs +drop-link=0-8 --frame absolute -o made
bad reroute-disconnected 2 'not connected' reroute good.gfs +drop-link=0-1+drop-link=0-3 --frame absolute -o made
bad reroute-inline 2 'in the Verilog itself' reroute good.gfs +drop-link=0-1 --rom-rounds 16 --rom inline -o made
bad reroute-no-folder 2 'there is no missing; generate it first' reroute good.gfs +drop-link=0-1 --frame absolute \
    --rom-rounds 16 -o missing
bad reroute-not-ours 2 'made is not a folder that gossipfab generated' reroute good.gfs +drop-link=0-1 --frame absolute \
    --rom-rounds 16 -o made
bad reroute-few-rounds 2 'do not fit the fabric.s ROMs, which hold 8; generate it with --rom-rounds' reroute good.gfs \
    +drop-link=0-1+drop-link=3-4 --frame absolute -o made
bad reroute-dead-member 2 'members must live' reroute relay.gfs +drop-node=0 --frame absolute -o made
bad generate-relay-slots 2 'no relay keeps blocks here' generate --topology mesh:3x3 --relay-slots 4 -o out
bad generate-wide-unasked 2 'wide nodes, as a token has fewer than 2 flits a lane: .* banks a node' generate \
    --topology complete:200 --solver greedy -o out
chips='generate --topology mesh:2x4 --link-latency 3 -o out --chips'
bad chips-text 2 "'2y' is neither AxB" $chips 2y
bad chips-end 2 "'2x' is neither AxB" $chips 2x
bad chips-0 2 "'0x2' is neither AxB" $chips 0x2
bad chips-sides 2 'has 3 sides, mesh:2x4 2' $chips 2x2x1
bad chips-divide 2 '3 does not divide 4' $chips 2x3
bad chips-whole 2 'leave --chips out' $chips 8
bad chips-no-gap 2 'nodes 1 and 2, .* after 0 dead cycles, not 2 x 3 or more' $chips 2x2
bad chips-small-gap 2 'after 5 dead cycles' $chips 2x2 --gap 5
bad chips-board 2 'not with several chips' $chips 2x2 --gap 6 --board hx8k
own="$chips 2x2 --clocks"
bad clocks-word 2 "unknown clocks 'two'; give one or own" $own two
bad clocks-one-chip 2 'give --chips, too' generate --topology mesh:2x4 --clocks own -o out
bad clocks-half 2 'not with half-duplex links' $own own
bad clocks-latency 2 'latency of 9 cycles or more in this fabric, not 3' $own own --link-mode full --store narrow
bad clocks-drift 2 'drift 15 cycles apart in a gossip of 72216 cycles; links with a latency of 15 cycles, the most' \
    $own own --link-mode full --token-bits 2048 --link-bits 1 --gap 16000 --store narrow
bad chips-full 2 '2 cycles or more, not 1' generate --topology mesh:2x4 --chips 2x2 --link-latency 1 --link-mode full -o out
bad chips-wide 2 'is turned round after 0 dead cycles, not 2 x 2 or more; a gap of 4 cycles will do' generate --topology mesh:2x4 --chips 2x2 --link-latency 2 --store wide -o out
bad chips-latency 2 '2 cycles or more, not 1' generate --topology mesh:2x4 --chips 2x2 --link-latency 1 --gap 2 -o out
bad simulate-repeat-0 2 'repeat' simulate --topology mesh:3x3 --repeat 0
bad simulate-trace-missing-folder 2 'missing/t.csv' simulate --topology mesh:3x3 --trace missing/t.csv
bad simulate-vcd-below-file 2 'good.gfs/t.vcd' simulate --topology mesh:3x3 --trace t.csv --vcd good.gfs/t.vcd

bad show-round 2 'rounds 1 to 6' show --topology mesh:3x3 --round 7
bad show-node 2 'nodes 0 to 8' show --topology mesh:3x3 --node 9
bad show-rom 2 'nodes 0 to 8' show --topology mesh:3x3 --rom 9
bad show-style 2 'dot-wire, rounds or heat' show --topology mesh:3x3 --style cubist --svg a.svg
bad show-line 2 'row:0 to row:2' show --topology mesh:3x3 --line row:3 --svg a.svg
bad show-line-negative 2 'no line' show --topology mesh:3x3 --line row:-1 --svg a.svg
bad show-three-dimensions 2 '3 dimensions' show --topology mesh:2x2x2 --style dot-wire --svg a.svg
bad show-both 2 "--rom does not go with --round" show --topology mesh:3x3 --rom 1 --round 2
bad show-svg-missing-folder 2 'missing/a.svg' show --topology mesh:3x3 --svg missing/a.svg

bad advise-no-startup 2 'no startup given.* --bytes B --bandwidth G' advise --topology mesh:3x3
bad advise-startup-twice 2 "--startup does not go with --startup-cycles" advise --topology mesh:3x3 --startup 1 --startup-cycles 5
bad advise-bad-startup 2 'is not a number' advise --topology mesh:3x3 --startup 1e3
bad advise-no-topology 2 'no topology given; try: gossipfab advise mesh:4x4' advise --startup 1
bad advise-bits 2 'multiple' advise --topology mesh:3x3 --startup 1 --token-bits 32 --link-bits 3
bad advise-sweep 2 'length or startup' advise --topology mesh:3x3 --sweep size
bad advise-csv 2 '--csv needs --sweep or --bytes' advise --topology mesh:3x3 --startup 1 --csv new.csv
bad advise-sweep-startup 2 'no startup of its own' advise --topology mesh:3x3 --sweep startup --startup 4
bad advise-sweep-length 2 '--sweep=length needs --startup-cycles' advise --topology mesh:3x3 --sweep length
bad advise-range 2 'not below' advise --topology mesh:3x3 --sweep startup --from 5 --to 5
bad advise-from-0 2 'logarithmic' advise --topology mesh:3x3 --sweep startup --from 0
bad advise-part-of-byte 2 'whole numbers' advise --topology mesh:3x3 --sweep length --startup-cycles 5 --from 1/3
bad advise-missing-folder 2 'missing/a.svg' advise --topology mesh:3x3 --sweep startup --csv new.csv --svg missing/a.svg
bad advise-solvers 2 'auto only chooses' advise --topology mesh:3x3 --startup 1 --solvers greedy,auto
bad advise-solver-renamed 2 "there is no solver 'beier-sibeyn' any more; take 'mesh-telephone'" advise --topology mesh:3x3 --startup 1 --solvers greedy,beier-sibeyn
bad advise-solver-unknown 2 "did you mean 'greedy'" advise --topology mesh:3x3 --startup 1 --solvers gredy
bad table-sides 2 'goes with table optimal only' table collectives --sides 27
bad table-sides-max 2 'does not go with --sides' table optimal --sides 4 --max-n 8
for sides in 1 65 5,4 4,4 4, , 4x 4,,5 99999999999999999999; do
    bad table-sides-"$sides" 2 'whole numbers from 2 to 64 that rise' table optimal --sides "$sides"
done
bad advise-settings 2 'unknown setting "c"' advise --topology cycle:9 --startup 1 --link-mode full --solvers circgo/c=3
bad advise-measured 2 '--measured needs --svg' advise --topology mesh:3x3 --sweep startup --measured good.csv
bad advise-measured-bad 2 'good.csv: line 2' advise --topology mesh:3x3 --sweep startup --svg new.svg --measured good.csv
bad advise-measured-missing 2 'No such file' advise --topology mesh:3x3 --sweep startup --svg new.svg --measured missing.csv
bad advise-none 2 'no solver' advise --topology mesh:20x20 --startup 1 --run-nodes 10 --link-mode half --packet-tokens 1

# Outputs. Two of one command are two files; a folder does not go to standard output.
bad same-target 2 "'./a' and --vcd 'a' are the same file" simulate --topology mesh:3x3 --trace ./a --vcd a
bad same-target-there 2 'are the same file' simulate --topology mesh:3x3 --trace good.gfs --vcd ./good.gfs
bad same-target-standard 2 "'-' and --vcd '-' are the same file" simulate --topology mesh:3x3 --trace - --vcd -
bad advise-bytes-0 2 'expected 1 to 1125899906842624 bytes' advise --topology mesh:3x3 -c broadcast --bytes 0 --bandwidth 1
bad advise-bytes-negative 2 'expected whole numbers of bytes' advise --topology mesh:3x3 --bytes -5 --bandwidth 1
bad advise-bytes-overflow 2 'expected 1 to 1125899906842624 bytes' advise --topology mesh:3x3 --bytes 64,18446744073709551617 --bandwidth 1
bad advise-bytes-unit 2 'expected whole numbers of bytes' advise --topology mesh:3x3 --bytes 1M --bandwidth 1
bad advise-bytes-list 2 'expected whole numbers of bytes' advise --topology mesh:3x3 --bytes 64, --bandwidth 1
bad advise-bytes-alone 2 'bytes needs --bandwidth' advise --topology mesh:3x3 --bytes 64
bad advise-bandwidth-alone 2 'bandwidth needs --bytes' advise --topology mesh:3x3 --bandwidth 64
bad advise-latency-alone 2 'latency needs --bytes' advise --topology mesh:3x3 --latency 1
bad advise-collective-alone 2 'collective needs --bytes' advise --topology mesh:3x3 -c all-reduce
bad advise-bandwidth-0 2 'expected GB/s above 0' advise --topology mesh:3x3 --bytes 64 --bandwidth 0
bad advise-latency-negative 2 'is not a number' advise --topology mesh:3x3 --bytes 64 --bandwidth 1 --latency -1
bad advise-bytes-few 2 'fewer than the blocks of any schedule of all-gather' advise --topology mesh:3x3 --bytes 8 --bandwidth 1
bad advise-bytes-startup 2 'startup does not go with' advise --topology mesh:3x3 --bytes 64 --bandwidth 1 --startup 1
bad advise-bytes-sweep 2 'sweep does not go with' advise --topology mesh:3x3 --bytes 64 --bandwidth 1 --sweep length
bad advise-bytes-large 2 '--latency, --bandwidth' advise --topology mesh:3x3 --bytes 64 --bandwidth 1000000000 --latency 1000000000
bad advise-bytes-collective 2 'unknown collective' advise --topology mesh:3x3 -c all-sum --bytes 64 --bandwidth 1
bad same-target-advise 2 'are the same file' advise --topology mesh:3x3 --sweep startup --csv a --svg a
bad same-target-schedule 2 'are the same file' schedule --topology path:5 --port-mode one --prove --proof a -o a
bad proof-standard 2 'give the name of a file' schedule --topology path:5 --port-mode one --prove --proof -
bad generate-standard 2 'standard output takes no folder' generate --topology mesh:3x3 -o -
bad stream-group 2 'repeats 4 blocks at a time, hosts of narrow nodes give one; give --solver host-tree' generate path:2 \
    --collective reduce --operator sum --stream --token-bits 12 --link-bits 2 --solver out-trees -o out
bad advise-measured-folder 2 'it is a folder' advise --topology mesh:3x3 --sweep startup --svg new.svg --measured made
printf '\377\376g\0' >utf16.gfs
bad verify-utf16 2 'utf16.gfs: line 1: the text is UTF-16; save it as UTF-8' verify utf16.gfs
for line in verify 'bound --check'; do bad no-end 2 '/dev/zero: line 1: a NUL byte' $line /dev/zero; done

# good NAME TEST: TEST, in bash and in the folder made by setup(), succeeds.
good() {
    bash -o pipefail -c "$2" >"$work/out" 2>"$work/err" </dev/null && pass || fail "$1" "$(cat "$work/out" "$work/err")"
}

good schedule-standard 'gossipfab schedule -t mesh:3x3 -o - | cmp - good.gfs && ! [ -e - ]'
good trace-standard 'gossipfab simulate -t mesh:3x3 --trace t.csv --vcd t.vcd >text &&
    gossipfab simulate -t mesh:3x3 --trace - 2>err | cmp - t.csv && cmp err text &&
    gossipfab simulate -t mesh:3x3 --vcd - | cmp - t.vcd && ! [ -e - ]'
good svg-standard 'gossipfab show -t mesh:3x3 --svg t.svg && gossipfab show -t mesh:3x3 --svg - | cmp - t.svg && ! [ -e - ]'
good advise-standard 'gossipfab advise -t mesh:3x3 --sweep startup --csv a.csv --svg a.svg &&
    gossipfab advise -t mesh:3x3 --sweep startup --csv - | cmp - a.csv &&
    gossipfab advise -t mesh:3x3 --sweep startup --svg - | cmp - a.svg && ! [ -e - ]'
good graph-standard 'printf "0 1\n1 2\n" | gossipfab bound -t file:- | grep "3 nodes, 2 links"'
good mode-kept 'cp good.gfs m.gfs && chmod 600 m.gfs && gossipfab schedule -t mesh:3x3 -o m.gfs &&
    [ "$(stat -c %a m.gfs)" = 600 ]'
good link-kept 'ln -s m.gfs l.gfs && gossipfab schedule -t mesh:3x3 -o l.gfs && [ -L l.gfs ] && cmp m.gfs good.gfs'
good link-to-nothing 'ln -s made/n.gfs n.gfs && gossipfab schedule -t mesh:3x3 -o n.gfs && [ -L n.gfs ] &&
    cmp made/n.gfs good.gfs'
good file-size '(ulimit -f 8 && gossipfab simulate -t mesh:8x8 --vcd w.vcd 2>err || [ $? = 2 ]) &&
    grep -x "gossipfab: simulate: cannot write .w.vcd.: File too large" err && ! compgen -G "w.vcd*"'
good json-bytes 'name=$(printf "\377") && gossipfab generate -t mesh:3x3 -o "out$name" --json | grep "\"out?\""'

# Interrupted work stops in a second with 128 + the signal's number, leaves nothing behind and says so in one line.
# stopped NAME SIGNAL STATUS SECONDS ARGUMENTS...: the signal comes after SECONDS.
bounded() { # waits for a process, a minute at most
    for ((tries = 0; tries < 1200; tries++)); do
        kill -0 "$1" 2>/dev/null || break
        sleep 0.05
    done
    kill -KILL "$1" 2>/dev/null
    wait "$1"
}
stopped() {
    local name=$1 signal=$2 status=$3 seconds=$4 got start
    shift 4
    state >"$work/before"
    "$binary" "$@" >"$work/out" 2>"$work/err" &
    local process=$!
    sleep "$seconds"
    start=$(date +%s%N)
    kill "-$signal" $process
    bounded $process
    got=$?
    state >"$work/after"
    if [ "$got" = "$status" ] && [ "$(cat "$work/err")" = "gossipfab: $1: interrupted; nothing was written" ] &&
        ! [ -s "$work/out" ] && cmp -s "$work/before" "$work/after" &&
        [ $((($(date +%s%N) - start) / 1000000)) -lt 4000 ]; then
        pass
    else
        fail "$name" "exit $got after $((($(date +%s%N) - start) / 1000000)) ms: $(cat "$work/err")"
    fi
}
stopped stopped-term TERM 143 0.5 simulate --topology mesh:16x16 --repeat 1000000 --trace t.csv
stopped stopped-hup HUP 129 0.5 simulate --topology mesh:16x16 --repeat 1000000 --trace t.csv
stopped stopped-lowering INT 130 4 simulate --topology mesh:64x64

# What waits for input that does not come is ended by the first signal, half a second after it.
mkfifo pipe
sleep 30 >pipe &
writer=$!
"$binary" verify - <pipe 2>"$work/err" &
reader=$!
sleep 0.5
kill -INT $reader
bounded $reader
[ $? = 130 ] && pass || fail first-signal "not ended by the first"
kill $writer
rm pipe

# Interrupted work leaves nothing behind and says so in one line.
state >"$work/before"
timeout -s INT 0.5 "$binary" simulate --topology mesh:16x16 --repeat 1000000 --trace t.csv >"$work/out" 2>"$work/err"
state >"$work/after"
if [ "$(cat "$work/err")" = 'gossipfab: simulate: interrupted; nothing was written' ] && ! [ -s "$work/out" ] &&
    cmp -s "$work/before" "$work/after"; then
    pass
else
    fail interrupted "$(cat "$work/err")"
fi

# So does an interrupted proof: this one takes long.
timeout -s INT 1 "$binary" schedule --topology mesh:3x3 --port-mode one --link-mode full --hop-rounds 2 --prove \
    --effort 1000 --cnf p.cnf --proof p.drat -o p.gfs >"$work/out" 2>"$work/err"
state >"$work/after"
if [ "$(cat "$work/err")" = 'gossipfab: schedule: interrupted; nothing was written' ] && ! [ -s "$work/out" ] &&
    cmp -s "$work/before" "$work/after"; then
    pass
else
    fail interrupted-proof "$(cat "$work/err")"
fi

if [ -w /dev/full ]; then
    gossipfab list >/dev/full 2>"$work/err"
    if [ $? = 2 ] && grep -q 'cannot write standard output' "$work/err"; then pass; else fail full-device "$(cat "$work/err")"; fi
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
