# SPDX-License-Identifier: MIT
# What run.sh proves of each module: a function for each PROOF that it is told, but for whole fabrics. Each proof has the
# mutants that it must refuse; those behind $large are of all-large alone.
# shellcheck shell=bash
sequencer() {
    local s=rtl/gfab_sequencer.v
    proof 'sequencer, K=2 W=2' formal_sequencer "$(set_of LANES=2 WORDS=2)" 20 \
        'halt ignored' $s 's/wire halt .*/wire halt = 1'"'"'b0;/' \
        'halt in any lane' $s 's/ & strobe1_q\[0\]//' \
        'done a cycle late' $s 's/(SKEWED ? 1 : 0) - 1;/(SKEWED ? 1 : 0);/' \
        'counters not put back' $s 's/i_rst | ~count/i_rst/' \
        'every program the first' $s "s/round_q <= i_first_round;/round_q <= {ROUND_BITS{1'b0}};/" \
        'asked for with the start' $s 's/i_rst | ~count) begin/i_rst | ~count | start) begin/' \
        'start ignored as done rises' $s 's/i_start & ~active_q/i_start \& ~busy_q/'
    proof 'sequencer, K=2 W=3 skewed' formal_sequencer "$(set_of LANES=2 WORDS=3 SKEWED=1)" 20 \
        'late word of an unskewed lane' $s 's/CYCLES(SKEWED ? LANES : 0)/CYCLES(0)/' \
        'word runs to a power of two' $s 's/(word_q == LAST_WORD\[WORD_BITS-1:0\])/(\&word_q)/'
    proof 'sequencer, K=2 W=2, gaps up to 3' formal_sequencer "$(set_of LANES=2 WORDS=2 GAP_BITS=2)" 25 \
        'lanes left open in a gap' $s 's/walk\[LANES-1:0\];/{LANES{1'"'"'b0}};/' \
        'a turn in the gap' $s "s/1'b0}}, ~held}/1'b0}}, 1'b1}/" \
        'a gap a cycle long' $s 's/hold_q <= hold_q - 1/hold_q <= 1/' \
        'gap after the wrong round' $s "s/hold_q <= SHORT ? .*/hold_q <= {GAP_BITS{1'b1}};/"
    proof 'sequencer, K=2 W=4 skewed, l=2, gaps' formal_sequencer \
        "$(set_of LANES=2 WORDS=4 SKEWED=1 GAP_BITS=2 LATENCY=2 ROUND_BITS=1)" 25 \
        'done without the latency' $s 's/localparam ARRIVAL     = LATENCY + /localparam ARRIVAL     = /' \
        'written in the lane of a period before' $s 's/o_in_lane  = lanes\[WRITE_DELAY\*LANE_BITS-1:ARRIVAL\*LANE_BITS\]/o_in_lane = lanes[(LANES+REGISTERED)*LANE_BITS-1:0]/'
    proof 'sequencer, K=2 W=4 skewed, registered' formal_sequencer "$(set_of LANES=2 WORDS=4 SKEWED=1 REGISTERED=1)" 25 \
        'done a cycle early' $s 's/WRITE_DELAY = LANES + ARRIVAL + (REGISTERED ? 1 : 0)/WRITE_DELAY = LANES + ARRIVAL/; s/o_in_lane  = lanes.*/o_in_lane = {lane2_q, lanes[WRITE_DELAY*LANE_BITS-1:ARRIVAL*LANE_BITS]};/' \
        'written in the lane that is complete' $s 's/\[WRITE_DELAY\*LANE_BITS-1:ARRIVAL\*LANE_BITS\]/[(WRITE_DELAY-1)*LANE_BITS-1:(ARRIVAL-1)*LANE_BITS]/' \
        'all lanes take over the same flit' $s 's/assign o_out_flit = .*/assign o_out_flit = {LANES{lane2_q}};/'
    proof 'sequencer, K=2 W=3 skewed, loops' formal_sequencer "$(set_of LANES=2 WORDS=3 SKEWED=1 LOOPS=1)" 25 \
        'goes on where it should loop' $s "s/(LOOPS != 0 && i_again && next_round)/(LOOPS == 0 \& i_again \& next_round)/" \
        'a group begins with each word' $s "s/strobe1_q\[0\] & (word1_q == {WORD_BITS{1'b0}})/strobe1_q[0]/"
    proof 'sequencer, K=1 W=2' formal_sequencer "$(set_of LANES=1 WORDS=2)" 20
    proof 'sequencer, K=1 W=1, gaps up to 3' formal_sequencer "$(set_of LANES=1 WORDS=1 GAP_BITS=2)" 25 \
        'a gap a cycle late' $s 's/held    = (|hold_q) | opens;/held    = |hold_q;/' \
        'a gap a cycle longer' $s 's/hold_q <= SHORT ? .*/hold_q <= i_next[GAP_BITS:1];/' \
        'a gap that opens another one' $s 's/SHORT & o_run &/SHORT \& run_q \&/'
    ! $large || proof 'sequencer, K=4 W=2' formal_sequencer "$(set_of LANES=4 WORDS=2)" 25
    ! $large || proof 'sequencer, K=4 W=3 skewed' formal_sequencer "$(set_of LANES=4 WORDS=3 SKEWED=1 REGISTERED=1)" 25
    ! $large || proof 'sequencer, K=6 W=2 skewed' formal_sequencer "$(set_of LANES=6 WORDS=2 SKEWED=1)" 30
    # In two: 7 rounds of 15 cycles hold in seconds, too, but a cover of a whole such gossip was not reached in 50 minutes.
    ! $large || proof 'sequencer, K=3 W=5, registered' formal_sequencer "$(set_of LANES=3 WORDS=5 REGISTERED=1)" 30
    ! $large || proof 'sequencer, K=2 W=2, ROM of 8 rounds' formal_sequencer "$(set_of LANES=2 WORDS=2 ROUND_BITS=3)" 30
}

link() {
    local l=rtl/gfab_lane.v s=rtl/gfab_sequencer.v i=rtl/gfab_flits_in.v o=rtl/gfab_flits_out.v w j
    proof 'link, K=2 W=2 (direct)' formal_link "$(set_of LANES=2 WORDS=2 LANE=1)" 20 \
        'drive a cycle longer' $l 's/^    wire \[LINK_BITS-1:0\] leaving;/&\n    reg was; always @(posedge i_clk) was <= send_q;/; s/i_data(send_q)/i_data(send_q | was)/' \
        'drive not reset' $l "s/send_q <= 1'b0;/send_q <= send_q;/" \
        'strobe of the wrong stage' $s 's/o_strobe  *= DIRECT ? strobe1_q/o_strobe = DIRECT ? strobe2_q/' \
        'out a cycle late' $o 's/REGISTERED ? 1 : 0/1/'
    proof 'link, K=2 W=3 (registered), 2 bits' formal_link "$(set_of LANES=2 WORDS=3 LINK_BITS=2)" 20 \
        'strobe of the wrong stage' $s 's/o_strobe  *= DIRECT ? strobe1_q : strobe2_q/o_strobe = strobe1_q/' \
        'drive not gated' $l 's/{LINK_BITS{o_drive}} \& leaving/leaving/'
    for w in $($large && echo 2) 3; do
        proof "link, K=2 W=$w skewed by 1" formal_link "$(set_of LANES=2 WORDS=$w SKEW=1)" 20 \
            'delayed drive not reset' $l "s/CYCLES(TX_DELAY), .RESET(1)/CYCLES(TX_DELAY), .RESET(0)/" \
            'received a cycle early' $l 's/CYCLES(RX_DELAY)/CYCLES(RX_DELAY > 0 ? RX_DELAY - 1 : 0)/'
    done
    ! $large || proof 'link, K=4 W=2 skewed by 2' formal_link "$(set_of LANES=4 WORDS=2 SKEW=2)" 25
    proof 'link, K=2 W=2, full duplex, gaps' formal_link "$(set_of LANES=2 WORDS=2 LANE=1 FULL=1 GAP_BITS=2)" 20 \
        'what comes in is lost as a word goes out' $i 's/i_data(i_flits/i_data({LINK_BITS{i_lane[0]}} \& i_flits/' \
        'drives on in a gap' $l 's/else if (i_close)/else if (1'"'"'b0)/'
    ! $large || proof 'link, K=2 W=3, full duplex, skewed, gaps' formal_link \
        "$(set_of LANES=2 WORDS=3 SKEW=1 FULL=1 GAP_BITS=2)" 20
    proof 'link, K=2 W=3, half duplex, skewed, gaps' formal_link "$(set_of LANES=2 WORDS=3 SKEW=1 GAP_BITS=2)" 20 \
        'the last flit waits' $i 's/LANES - 1 - p + /LANES - p + /'
    proof 'link, K=2 W=4, half duplex, l=2' formal_link "$(set_of LANES=2 WORDS=4 LANE=1 LATENCY=2)" 20 \
        'a register too few' rtl/gfab_delay.v 's/o_taps\[CYCLES\*BITS+:BITS\]/o_taps[(CYCLES > 0 ? CYCLES - 1 : 0)*BITS+:BITS]/'
    proof 'link, K=2 W=4, full duplex, skewed, l=1, gaps' formal_link \
        "$(set_of LANES=2 WORDS=4 SKEW=1 FULL=1 LATENCY=1 GAP_BITS=1)" 20 \
        'no flit waits' $o 's/CYCLES(p)/CYCLES(0)/' \
        'flits of a word in another order' $i 's/o_word\[p\*LINK_BITS/o_word[(LANES-1-p)*LINK_BITS/'
    proof 'link, K=4 W=3, lane 3' formal_link "$(set_of LANES=4 WORDS=3 LANE=3)" 30 \
        'the flit of the next lane' $o 's/waited\[i_flit\[p\*LANE_BITS/waited[i_flit[(p+1)%LANES*LANE_BITS/' \
        'flits of another lane' $i 's/wire upper = i_lane\[p\*LANE_BITS+1\]/wire upper = i_lane[(1-p)*LANE_BITS+1]/' \
        'flits 0 and 1 change places' $i 's/CYCLES(1 - p + /CYCLES(p + /'
    $large || return 0
    proof 'link, K=1 W=2' formal_link "$(set_of LANES=1 WORDS=2)" 20
    for w in 2 3; do
        for j in 1 2 3; do proof "link, K=4 W=$w, skewed by $j" formal_link "$(set_of LANES=4 WORDS=$w SKEW=$j)" 30; done
        for j in 0 1 2 3; do proof "link, K=4 W=$w, lane $j" formal_link "$(set_of LANES=4 WORDS=$w LANE=$j)" 30; done
    done
    proof 'link, K=6 W=2 skewed by 5' formal_link "$(set_of LANES=6 WORDS=2 SKEW=5)" 30
}

node() {
    local n=rtl/gfab_node.v
    proof 'node, K=2 W=2, ROM of 4 rounds' formal_node "$(set_of LANES=2 WORDS=2 ROUND_BITS=2)" 20 \
        'send not gated by run' $n 's/send      = i_run & /send = /' \
        'receive not gated by run' $n 's/recv      = i_run & /recv = /' \
        'written a cycle late' $n 's/localparam WRITE_DELAY = LANES/localparam WRITE_DELAY = 1 + LANES/' \
        'receives not reset' $n "s/recv_q <= i_rst ? {LATE_DELAY{1'b0}} : recv_d/recv_q <= recv_d/"
    ! $large || proof 'node, K=2 W=3' formal_node "$(set_of LANES=2 WORDS=3 REGISTERED=1)" 20 \
        'written with the word' $n 's/ + (REGISTERED ? 1 : 0);/;/'
    ! $large || proof 'node, K=2 W=3, no lane 1' formal_node "$(set_of LANES=2 WORDS=3 LANE_MASK=1 REGISTERED=1)" 20 \
        'an absent lane drives' rtl/gfab_lane_store.v "s/assign o_drive\[c\]  *= 1'b0;/assign o_drive[c] = 1'b1;/"
    proof 'node, K=3 W=2 skewed by 1' formal_node "$(set_of LANES=3 WORDS=2 SKEW=1 SKEWED=1 LANE_MASK=7)" 20 \
        'lane 0 in time' $n "s/late = (SKEW != 0) & lane_0_writes/late = 1'b0/" \
        'the word not late' $n 's/late ? i_write_word\[INDEX_BITS+:INDEX_BITS\] : /late \&\& 1'"'"'b0 ? 0 : /'
    ! $large || proof 'node, K=2 W=2 skewed by 1, ROM of 4 rounds' formal_node "$(set_of LANES=2 WORDS=2 SKEW=1 SKEWED=1 ROUND_BITS=2)" 20
    proof 'node, K=2 W=2, full duplex, gaps' formal_node "$(set_of LANES=2 WORDS=2 FULL=1 GAP_BITS=1)" 20 \
        'written where it is sent from' $n 's/i_data(recv_slot)/i_data(send_slot)/' \
        'receives what it sends' $n 's/in_kind   = i_op\[RECV_LSB+/in_kind   = i_op[/'
    ! $large || proof 'node, K=2 W=2 skewed by 1, gaps' formal_node "$(set_of LANES=2 WORDS=2 SKEW=1 SKEWED=1 ROUND_BITS=2 GAP_BITS=1)" 20 \
        'lane 0 not named in a gap' rtl/gfab_sequencer.v 's/lane1_q   <= lane_q;/lane1_q <= held ? 1'"'"'b1 : lane_q;/'
    proof 'node, K=2 W=4, full duplex, skewed, l=1, gaps, registered' formal_node \
        "$(set_of LANES=2 WORDS=4 SKEW=1 SKEWED=1 FULL=1 LATENCY=1 GAP_BITS=1 REGISTERED=1)" 20 \
        'written before it is there' $n 's/localparam WRITE_DELAY = LANES + LATENCY/localparam WRITE_DELAY = LANES/'
    proof 'node, K=2 W=4, skewed, protected' formal_node \
        "$(set_of LANES=2 WORDS=4 SKEW=1 SKEWED=1 REGISTERED=1 PROTECT=1)" 20 \
        'written with the word' $n 's/ + (REGISTERED ? 1 : 0);/;/' \
        'a bit that leaves out the order' $n 's/recv ^ (^recv_slot)}/^recv_slot}/' \
        'a twin that does not rest' rtl/gfab_lane.v "s/rest_q <= 1'b1;/rest_q <= 1'b0;/"
    $large || return 0
    proof 'node, K=4 W=3 skewed by 3' formal_node "$(set_of LANES=4 WORDS=3 SKEW=3 SKEWED=1 LANE_MASK=13 REGISTERED=1)" 25
    proof 'node, K=4 W=2 skewed by 2' formal_node "$(set_of LANES=4 WORDS=2 SKEW=2 SKEWED=1 LANE_MASK=15)" 25
    proof 'node, K=4 W=2 in a skewed fabric' formal_node "$(set_of LANES=4 WORDS=2 SKEWED=1 LANE_MASK=15)" 25
}

combine() {
    local c=rtl/gfab_combine.v t=rtl/gfab_combine_timer.v o=rtl/gfab_operator.v n=rtl/gfab_node.v s=rtl/gfab_lane_store.v
    proof 'combine, K=2 W=2, sum' formal_combine "$(set_of LANES=2 WORDS=2)" 25 \
        'an update lost' $n 's/nearest = d\[LANE_BITS-1:0\]/nearest = 0/' \
        'the carry of the token before' $o 's/~i_clear \& total/total/'
    proof 'combine, K=2 W=3, 3 flits of a token, sum' formal_combine "$(set_of LANES=2 WORDS=3 FLITS=3)" 25 \
        'a carry into the padding' $t 's/= open\[c\] | .*/= open[c];/' \
        "the end of another lane's token" $t 's/i_strobe\[TURN\]/i_strobe[c]/'
    proof 'combine, K=2 W=2, full duplex, loops, sum' formal_combine "$(set_of LANES=2 WORDS=2 FULL=1 LOOPS=1)" 25 \
        'a slot written while its word goes out' $n 's/late_slot : slot;/late_slot : recv_slot;/' \
        'another round follows' rtl/gfab_sequencer.v "s/(LOOPS != 0 && i_again && next_round)/(LOOPS == 0 \& i_again \& next_round)/"
    $large || return 0
    proof 'combine, K=2 W=2, sum, 2 bits' formal_combine "$(set_of LANES=2 WORDS=2 LINK_BITS=2)" 25 \
        'no carry from word to word' $t 's/open      = .*/open = i_strobe;/' \
        'stored in place of combined' $o 's/combine_q ? result : i_new/i_new/' \
        'a lane of another slot' $n 's/if (combine_q\[d-1\] && .*/if (combine_q[d-1])/' \
        'combines when nothing runs' $n 's/COMBINES & i_run &/COMBINES \&/' \
        'combined in place of stored' $o 's/combine_q ? result : i_new/result/'
    proof 'combine, K=3 W=2, sum' formal_combine "$(set_of LANES=3 WORDS=2)" 25 \
        'a lane of the round before' $n "s/wire forget = .*/wire forget = 1'b0;/" \
        'the lane that came first' $n 's/for (d = LANES - 1; d > 0; d = d - 1)/for (d = 1; d < LANES; d = d + 1)/' \
        'a flit of a cycle ago' $c 's/taps\[(d-1)\*LINK_BITS+:/taps[0+:/'
    proof 'combine, K=4 W=2, sum' formal_combine "$(set_of LANES=4 WORDS=2)" 25
    proof 'combine, K=3 W=2, no lane 1, sum' formal_combine "$(set_of LANES=3 WORDS=2 LANE_MASK=5)" 25
    proof 'combine, K=2 W=3, sum, 2 bits, registered' formal_combine \
        "$(set_of LANES=2 WORDS=3 LINK_BITS=2 REGISTERED=1)" 25 \
        'flits of another word' $s 's/LATE_FLITS ? LANE_BITS : 0/0/' \
        'the old word a cycle early' $s 's/assign old_flits = out_flits;/assign old_flits = sent;/' \
        'opened with the op' $t 's/DIRECT ? first1 : first_q/first1/'
    proof 'combine, K=2 W=3 skewed by 1, sum' formal_combine "$(set_of LANES=2 WORDS=3 SKEW=1)" 25 \
        'what the node has comes early' $c 's/CYCLES(LATE ? LANES : 0)/CYCLES(0)/' \
        'opened early' rtl/gfab_lane_combine.v 's/{combining\[LANES-1:1\], combining\[LANES\]}/combining[LANES-1:0]/'
    proof 'combine, K=2 W=3 skewed by 1, 5 flits of a token, sum' formal_combine \
        "$(set_of LANES=2 WORDS=3 SKEW=1 FLITS=5)" 25 \
        'a late carry into the padding' $t 's/open_late | .*/open_late;/'
    proof 'combine, K=3 W=2, 4 flits of a token, sum' formal_combine "$(set_of LANES=3 WORDS=2 FLITS=4)" 25 \
        'a carry into the padding' $t 's/= open\[c\] | .*/= open[c];/'
    proof 'combine, K=2 W=2, full duplex, sum' formal_combine "$(set_of LANES=2 WORDS=2 FULL=1)" 25 \
        'a copy left behind' rtl/gfab_slots.v '/u_copy/,/);/s/i_busy ? i_write : i_load_valid/~i_busy \& i_load_valid/' \
        'combined with what is sent' rtl/gfab_slots.v 's/{i_combine_slot\[/{i_send_slot[/'
    proof 'combine, K=2 W=2, all operators' formal_combine "$(set_of LANES=2 WORDS=2 OPERATOR=9)" 25 \
        'an operator chosen while it runs' $t 's/else if (i_start & (~i_busy | i_done))/else if (i_start)/' \
        'no sign' $t 's/wire has_sign = .*/wire has_sign = 0;/' \
        'words written in the other order' $t 's/o_write_word      = down ? .* : /o_write_word = /' \
        'picks anew in every word' $t 's/open      = .*/open = i_strobe;/' \
        'the greater for the less' $o 's/(i_new > i_old) ^ ~operator\[0\]/(i_new > i_old)/'
    proof 'combine, K=2 W=2, 3 flits of a token, all operators' formal_combine \
        "$(set_of LANES=2 WORDS=2 FLITS=3 OPERATOR=9)" 25 \
        'a carry into the padding' $t 's/= open\[c\] | .*/= open[c];/'
}

wide() {
    local w=rtl/gfab_wide_node.v b=rtl/gfab_banks.v s=rtl/gfab_sequencer.v
    proof 'wide, K=2 B=2 F=1, direct' formal_wide "$(set_of LANES=2 BANKS=2)" 20 \
        'sends not gated by run' $w 's/assign send\[c\] = i_run & /assign send[c] = /' \
        'stores not gated by run' $b 's/i_stores & TAKES & {WAYS{i_run}}/i_stores \& TAKES/' \
        'stored a cycle late' $w 's/(DIRECT ? 1 : 2) + (REG/(DIRECT ? 2 : 2) + (REG/' \
        'stores not reset' $b 's/CYCLES(WRITE_DELAY - WAITS), .RESET(1)/CYCLES(WRITE_DELAY - WAITS), .RESET(0)/' \
        'another lane stored' $w 's/(store\[LANE_BITS:1\] == c\[LANE_BITS-1:0\])/(store[LANE_BITS:1] != c[LANE_BITS-1:0])/' \
        'the round of stage 0' $s "s/i_data(round_q + 1'b1)/i_data(round_q)/" \
        'every program the first' $s "s/round_q <= i_first_round;/round_q <= {ROUND_BITS{1'b0}};/"
    proof 'wide, K=2 B=2 F=1, registered' formal_wide "$(set_of LANES=2 BANKS=2 DIRECT=0)" 20 \
        'the link not reset' $w "s/link_q  <= i_rst ? {LANES\*FLIT_BITS{1'b0}} : words/link_q <= words/" \
        'done without the register' $s 's/LATENCY + (DIRECT ? 0 : 1);/LATENCY;/'
    ! $large || proof 'wide, K=2 B=3 F=2, l=1, 2 bits' formal_wide \
        "$(set_of LANES=2 BANKS=3 WORDS=2 LATENCY=1 LINK_BITS=2 TAKES=63 GIVES=63)" 20
    ! $large || proof 'wide, K=2 B=2 F=3, a bank a lane' formal_wide "$(set_of LANES=2 BANKS=2 WORDS=3 DIRECT=0 TAKES=9 GIVES=6 OWN=3)" 20
    proof 'wide, words, K=2 B=2 F=1, direct' formal_wide_words "$(set_of LANES=2 BANKS=2)" 16 \
        'a load in another bank' $b 's/loaded\[b\] = OWN\[b\] & load/loaded[b] = ~OWN[b] \& load/' \
        'a read of another round' $b 's/{i_reads\[b\*CELL_BITS+:CELL_BITS\], i_word}/{i_reads[0+:CELL_BITS], i_word}/' \
        'a way left out' $b 's/if (GIVES\[c\*BANKS+bank\])/if (bank == 0)/'
    proof 'wide, words, K=2 B=2 F=2, a bank a lane, l=1' formal_wide_words \
        "$(set_of LANES=2 BANKS=2 WORDS=2 LATENCY=1 TAKES=9 GIVES=6 OWN=3)" 18 \
        'what is on the way joined to a load' $w 's/.QUIET(LATENCY == 0)/.QUIET(1)/'
}

wide_combine() {
    local w=rtl/gfab_wide_combine.v b=rtl/gfab_banks.v p=rtl/gfab_wide_pick.v
    proof 'wide combine, K=2 B=2 F=1, sum, registered' formal_wide_combine \
        "$(set_of LANES=2 BANKS=2 ROUND_BITS=2 REGISTERED=1)" 20 \
        'what is written just then' $w 's/bypass_q ? last_q : stored/stored/' \
        'a lane left out' $w 's/for (t = 1; t/for (t = 2; t/' \
        'lanes of the cycle behind' $b 's/.i_takes(coming)/.i_takes(taken)/' \
        'the old word of another round' $w 's/i_combines, i_old, i_word}/i_combines, ~i_old, i_word}/'
    proof 'wide combine, K=2 B=2 F=2, max' formal_wide_combine \
        "$(set_of LANES=2 BANKS=2 WORDS=2 LINK_BITS=1 DIRECT=0 OPERATOR=6)" 20 \
        'picked anew in every word' $p 's/i_there\[a\] & (i_first | in_q)/i_there[a]/' \
        'equal so far, and out' $p 's/hides\[b\] & (b > a.*);/hides[b];/' \
        'no sign' $p 's/localparam SIGNED = .*/localparam SIGNED = 0;/'
    $large || return 0
    proof 'wide combine, K=2 B=2 F=1, sum' formal_wide_combine "$(set_of LANES=2 BANKS=2 ROUND_BITS=2)" 20 \
        'combined with the old word always' $w 's/combines_q ? old/1 ? old/' \
        'a copy left behind' $b \
        's/.i_write_enable(write | loaded\[b\]), .i_write_address/.i_write_enable(write), .i_write_address/'
    proof 'wide combine, K=2 B=2 F=2, sum, l=1' formal_wide_combine \
        "$(set_of LANES=2 BANKS=2 WORDS=2 LINK_BITS=1 LATENCY=1 ROUND_BITS=2)" 20 \
        'the carry of the token before' $w "s/(i_write_word == .*) ? {CARRY_BITS{1'b0}} : carry_q/carry_q/" \
        'the old word asked for early' $w 's/asks\[WRITE_DELAY\*STAGE_BITS-1-:/asks[STAGE_BITS-1-:/'
    proof 'wide combine, K=2 B=2 F=2, and' formal_wide_combine \
        "$(set_of LANES=2 BANKS=2 WORDS=2 LINK_BITS=1 REGISTERED=1 OPERATOR=2)" 20 \
        'zeros for what is not there' $w 's/localparam ABSENT = .*/localparam ABSENT = 0;/'
    proof 'wide combine, K=3 B=2 F=1, min, 2 bits' formal_wide_combine \
        "$(set_of LANES=3 BANKS=2 DIRECT=1 OPERATOR=5)" 20 \
        'the greater for the less' $p 's/LEAST ? gen_word/!LEAST ? gen_word/' \
        'the old word always there' $w 's/{combines_q & o_write, i_taken}/{o_write, i_taken}/' \
        'two equal ones, and none is picked' $p 's/key < key/key <= key/'
    proof 'wide combine, K=2 B=2 F=2, umin, l=1' formal_wide_combine \
        "$(set_of LANES=2 BANKS=2 WORDS=2 LINK_BITS=1 LATENCY=1 OPERATOR=7)" 20 \
        'the first word is the least' $w 's/LAST_WORD\[INDEX_BITS-1:0\])/0)/'
}

wide_chain() {
    local c=rtl/gfab_wide_chain.v
    proof 'wide chain, K=3, 2 merges of 1 cycle' formal_wide_chain "$(set_of LANES=3 MERGES=2 LATENCY=1)" 20 \
        'operands the other way round' $c 's/\(o_lefts.*\)= so_far;/\1= met;/; s/\(o_rights.*\)= met;/\1= so_far;/' \
        'lanes in another order' $c 's/i_taken\[c\] & gen_rank\[c\].rank\[k\]/i_taken[LANES-1-c] \& gen_rank[c].rank[k]/' \
        'words that do not wait' $c 's/CYCLES(k \* LATENCY)/CYCLES(0)/' \
        'a word combined with itself' $c 's/any & i_combines/any/' \
        'on the way through a reset' $c 's/CYCLES(DELAY), .RESET(1)/CYCLES(DELAY), .RESET(0)/'
    proof 'wide chain, K=2, 2 merges at once, 2 bits' formal_wide_chain \
        "$(set_of LANES=2 LINK_BITS=2 MERGES=2 LATENCY=0)" 20 \
        'what has nothing to meet is lost' $c 's/made_counts ? \(.*\) : passed/\1/'
    $large || return 0
    proof 'wide chain, K=4, 4 merges of 1 cycle' formal_wide_chain "$(set_of LANES=4 MERGES=4 LATENCY=1)" 20
    proof 'wide chain, K=4, 3 merges of 2 cycles' formal_wide_chain "$(set_of LANES=4 MERGES=3 LATENCY=2)" 20
    proof 'wide chain, K=1, 1 merge of 3 cycles, 2 bits' formal_wide_chain \
        "$(set_of LANES=1 LINK_BITS=2 MERGES=1 LATENCY=3)" 20
}

paths() {
    local w=rtl/gfab_path_switch.v r=rtl/gfab_path_writer.v t=rtl/gfab_path_timer.v
    proof 'path switch, 3 lanes' formal_path_switch "$(set_of LANES=3)" 40 \
        'a flit lost' $w 's/pass_q  <= pass_d;/pass_q <= i_setup ? pass_q : pass_d;/' \
        'a flit doubled' $w 's/drive_q <= drive_d;/drive_q <= drive_d | drive_q;/' \
        'another input' $w "s/source_q == a\[SOURCE_BITS-1:0\] + 1'b1/source_q == a[SOURCE_BITS-1:0]/" \
        'two drivers' $w 's/assign o_drive\[b\] .*/assign o_drive[b] = drive_q | |drive_d | i_lane_drive[b];/' \
        'on the way through a reset' $w "s/pass_q   <= {LINK_BITS{1'b0}};//" \
        'a cycle too late for the lane' $w 's/assign o_lane\(.*\)way\[tap_q\*/assign o_lane\1way[(tap_q^1)*/'
    ! $large || proof 'path switch, 2 lanes, 2 bits' formal_path_switch "$(set_of LANES=2 LINK_BITS=2)" 40
    proof 'path writer, K=2 W=2' formal_path_writer "$(set_of LANES=2 WORDS=2)" 30 \
        'does not wait' $r "s/assign loaded\(.*\)/assign loaded\1/; s/i_path\[c\*PATH_BITS+WAIT_LSB+:WAIT_BITS\]/{WAIT_BITS{1'b0}}/" \
        'goes on after the last round' $r 's/wire                  active = .*/wire active = actives[0];/' \
        'lanes change places' $r 's/{active, actives\[LANES-1:1\]}/{actives[LANES-1:1], active}/' \
        'turns to write a cycle early' $t 's/first == LAST_LANE\[LANE_BITS-1:0\]/first == 0/' \
        'receives for the halt' rtl/gfab_sequencer.v 's/begin1_q \& run_q \& ~halt/begin1_q/' \
        'the first flit of another lane' $t 's/begins\[ARRIVAL\]/begins[ARRIVAL+1]/'
    $large || return 0
    proof 'path writer, K=2 W=3' formal_path_writer "$(set_of LANES=2 WORDS=3)" 40
}

bus() {
    local a=rtl/gfab_axi_lite.v w=rtl/gfab_wishbone.v
    unreached 'a cover of two answers at once' formal_bus "" 's/cover (err);/cover (err \&\& ack);/'
    proof 'AXI4-Lite and Wishbone' formal_bus "" 10 \
        'an answer taken back' $a 's/(b_q & ~s_axil_bready)/(b_q \& 1'"'"'b0)/' \
        'what is read moves' $a 's/if (~r_q)/if (1)/' \
        'an answer before the data' $a 's/b_q *<= o_write/b_q <= address_q/' \
        'no reset of an answer' $a "s/b_q *<= 1'b0;/;/" \
        'a write over an answer' $a 's/takes_data = address_q & ~b_q/takes_data = address_q/' \
        'a write in the first cycle' $w 's/o_write *= answer/o_write = request \& ~second_q/' \
        'an answer to what was taken back' $w 's/answer *= request & second_q/answer = second_q/' \
        'an answer that stays' $w 's/request & ~second_q & ~i_rst/request \& ~i_rst/' \
        'two answers' $w 's/o_wb_ack *= answer & ~refused/o_wb_ack = answer/' \
        'the refusal of the first cycle' $w 's/refused = .*/refused = early_q;/; s/reg  *second_q;/reg early_q; always @(posedge i_clk) early_q <= i_wb_we \& i_write_refused;\n&/'
}

stream() {
    local s=rtl/gfab_stream_skid.v f=rtl/gfab_stream_flow.v q=rtl/gfab_stream_queue.v o=rtl/gfab_stream_fifo.v
    local t=rtl/gfab_stream_turns.v p=rtl/gfab_stream_port.v g=rtl/gfab_stream_groups.v
    local u=rtl/gfab_stream_pair.v w=rtl/gfab_stream_single.v
    proof 'stream, two lanes to two' formal_stream "$(set_of LEVELS=1)" 10 \
        'a word lost as its next comes' $s 's/full_q | push | (valid_q/push | (valid_q/' \
        'ready for a third' $s "s/o_ready = ~full_q/o_ready = 1'b1/" \
        'the second first' $s 's/read_q ? odd_q : even_q/read_q ? even_q : odd_q/' \
        'fires with one of two' $f 's/((holds & IN) == IN)/(|holds)/' \
        'goes on where a lane has not taken' $f 's/((OUT & ~i_ready) == {LANES{1.b0}})/(|(OUT \& i_ready))/' \
        'a word twice over a lane' $f 's/o_valid  = OUT & {LANES{leaves}}/o_valid = OUT \& i_ready \& {LANES{pending_q}}/' \
        'moves while it waits' $f "s/.i_enable(advance)/.i_enable(1'b1)/"
    proof 'stream, a lane to two' formal_stream "$(set_of LEVELS=0)" 10 \
        'taken anew while it waits' $f "s/.i_enable(advance), .i_data(word)/.i_enable(1'b1), .i_data(word)/"
    proof 'stream, two lanes to two, sums in two parts' formal_stream "$(set_of LEVELS=1 SPLIT=2)" 10 \
        'no carry' $u "s/second_q, 1'b1}/second_q, 1'b0}/" \
        'the upper part moves while it waits' $f "s/.i_enable(advance), .i_data(taken/.i_enable(1'b1), .i_data(taken/" \
        'the lower part of the next word' $f 's/.BITS(LOW), .CYCLES(1)/.BITS(LOW), .CYCLES(0)/'
    proof 'stream, a queue of three words' formal_stream_queue "$(set_of ADDRESS_BITS=2)" 10 \
        'a word written over the first' $q "s/o_ready = ~full_q/o_ready = 1'b1/; s/i_valid & ~full_q/i_valid/" \
        'full a word late' $q 's/full_q  <= &count;/full_q <= \&count_q;/' \
        'seen before it is there' $o 's/pushed_q <= i_push/pushed_q <= i_push \& 1'"'"'b0/; s/if (pushed_q/if (i_push/' \
        'read where the last one was' $o 's/i_read_address(read_next)/i_read_address(read_q)/'
    proof 'stream, two lanes by turns' formal_stream_turns "$(set_of ENDS=1)" 10 \
        'a group begins with one of two' $t "s/begins_q ? (holds/1'b0 ? (holds/" \
        'a word of each lane is taken' $t 's/i_ready(fires & lane_q\[c\])/i_ready(fires)/' \
        'taken anew while it waits' $t "s/if (advance)$/if (1'b1)/" \
        'ends before the last host' $t 's/ENDS ? last_q & (is_end/ENDS ? (is_end/' \
        'the first lane twice' $t 's/ORDER\[next\*LANE_BITS+:LANE_BITS\]/ORDER[turn_q*LANE_BITS+:LANE_BITS]/'
    ! $large || proof 'stream, two of three lanes by turns' formal_stream_turns "$(set_of ENDS=0)" 10
    proof 'stream, half duplex, two lanes to two' formal_stream_half "$(set_of IN=3 OUT=12)" 10 \
        'fires with one of two' $f 's/((holds & IN) == IN)/(|holds)/' \
        'another carry' $u 's/first_q, word_q\[SPLIT-1\]}/first_q, ~word_q[SPLIT-1]}/' \
        'the upper half moves while it waits' $f "s/.i_enable(advance), .i_data(taken/.i_enable(1'b1), .i_data(taken/" \
        'goes on where a lane has not taken' $f 's/((OUT & ~i_ready) == {LANES{1.b0}})/(|(OUT \& i_ready))/'
    proof 'stream, half duplex, a lane to two' formal_stream_half "$(set_of IN=1 OUT=12)" 10 \
        'ready where words go out' $f 's/o_ready  = ready & {LANES{i_comes}}/o_ready = ready/' \
        'a word twice over a lane' $f 's/o_valid  = OUT & {LANES{leaves}}/o_valid = OUT \& i_ready \& {LANES{pending_q \& i_goes}}/' \
        'written over while it waits' $w 's/if (~valid_q)/if (1)/'
    proof 'stream, half duplex, where all meet' formal_stream_half "$(set_of IN=3 OUT=3)" 10 \
        'goes out where words come' $f 's/room & i_goes;/room;/' \
        'the upper half of the next word' $f 's/advance ? valid\[LEVELS\]/advance ? valid[0]/'
    proof 'stream, a host that gives' formal_stream_port \
        "$(set_of LANES=2 WORDS=2 MINE=1 FULL=1 DIRECT=1 GIVES=2 TAKES=0)" 10 \
        'filled up with what is on its wires' $p 's/ & {LINK_BITS{~fill_q}}//' \
        'ready while it fills up' $p 's/o_give_ready = ~fill_q & /o_give_ready = /' \
        'ready for a block too many' $p "s/(blocks_q != BLOCKS.*));/1'b1);/" \
        'a block of two groups' $p "s/~closes & i_begins/1'b0/" \
        'a group begins where not all can' $g 's/o_begins = i_begins & can_q/o_begins = i_begins/' \
        'two groups where one can' $g 's/(&i_can) & ~o_begins/(\&i_can)/' \
        'the end where the block ends' $p 's/fill_q ? end_q : LAST_BEAT/i_rst ? end_q : LAST_BEAT/' \
        'a block leaves with its first flit' $p 's/gives_q & (sent_q == /gives_q \& (sent_q != /' \
        'lengths that differ not told' $g "s/o_begins & differ_q/1'b0/"
    proof 'stream, a host that takes' formal_stream_port \
        "$(set_of LANES=1 WORDS=2 MINE=0 FULL=1 DIRECT=1 GIVES=0 TAKES=1)" 10 \
        'takes what a block is filled up with' $p 's/keeps = comes & ~(.*);/keeps = comes;/' \
        'a block more room with every beat' $p 's/if (pop & frees & ~i_begins)/if (pop \& ~i_begins)/' \
        'a group begins where there is no room' $p 's/= (room_q != /= (~i_rst | room_q != /' \
        'the last beat of a block as that of a vector' $p 's/final_block & ends, arrived/ends, arrived/'
    proof 'stream, a host that gives and takes, a wire' formal_stream_port \
        "$(set_of LANES=1 WORDS=2 MINE=0 FULL=0 DIRECT=1 GIVES=1 TAKES=1)" 10 \
        'takes in rounds in which it gives' $p "s/in_kind\[1\]/1'b1/"
    proof 'stream, a host that gives and takes, registered' formal_stream_port \
        "$(set_of LANES=1 WORDS=2 MINE=0 FULL=1 DIRECT=0 GIVES=1 TAKES=1)" 10 \
        'the op of a turn as that of the next' $p 's/DIRECT ? 0 : 1/DIRECT ? 0 : 2/'
    proof 'stream, a host that takes of two groups' formal_stream_port \
        "$(set_of LANES=1 WORDS=2 MINE=0 FULL=1 DIRECT=1 GIVES=0 TAKES=2)" 10 \
        'the end of another group' $p 's/i_groups\[IN_AGE\*GROUP_BITS/i_groups[0*GROUP_BITS/'
}

ring() {
    local c=rtl/gfab_ring_counter.v n=rtl/gfab_ring_node.v
    proof 'ring, N=3..16 F=2, RAM to RAM' formal_ring "$(set_of WORDS=2 PLACE_BITS=4)" 12 \
        'start ignored as done rises' $c 's/i_start & (~busy_q | done_q)/i_start \& ~busy_q/' \
        'a step too few' $c 's/place_q == i_last_place/place_q + 1 == i_last_place/' \
        'stored where it was read' $c 's/AHEAD = SHIFTS ? 0 : 1/AHEAD = 0/' \
        'a word goes on through a reset' $c 's/write_q *<= next_q & ~i_rst/write_q <= next_q/' \
        'the host reads as well' $n 's/i_read ? {i_read_place/1 ? {i_read_place/' \
        'what is loaded is what comes' $n 's/i_write ? i_link : i_load_data/i_link/'
    proof 'ring, N=3..16 F=3, past a register' formal_ring "$(set_of WORDS=3 REGISTERED=1 PLACE_BITS=4)" 12 \
        'done a cycle early' $c 's/REGISTERED ? 2 : 1;/1;/' \
        'words run to a power of two' $c 's/(word_q == LAST_WORD\[CYCLE_BITS-1:0\])/(\&word_q)/' \
        'the register not reset' $n 's/write_q   <= write & ~i_rst/write_q <= write/'
    ! $large || proof 'ring, N=3..64 F=4, past a register' formal_ring \
        "$(set_of WORDS=4 REGISTERED=1 PLACE_BITS=6)" 12
    local p=rtl/gfab_ring_pair.v k=rtl/gfab_ring_checked.v
    proof 'protected ring, N=3..8 F=2, a counter wrong' formal_ring_checked \
        "$(set_of WORDS=2 STEP=3 PLACE_BITS=3 CUT=1)" 12 \
        'what is written is not compared' $p 's/seen\[SEEN-1:0\] != seen\[SEEN+:SEEN\]/seen[SEEN-1:SEEN\/2] != seen[SEEN+SEEN\/2+:SEEN-SEEN\/2]/' \
        'the second counter is not reset' $p "s/t == 0 ? i_rst : controls\[1\]/t == 0 ? i_rst : 1'b0/"
    proof 'protected ring, N=3..8 F=2' formal_ring_checked "$(set_of WORDS=2 STEP=3 PLACE_BITS=3 CUT=0)" 12 \
        'a read goes on through a reset' $p "s/read_q *<= rst ? 1'b0 : read/read_q <= read/" \
        'words of a step that rests' $c 's/next_q <= reads/next_q <= run_q/' \
        'the word of a run that a reset cut off' $c 's/((PROMPT == 0) & ~run_q)/1'"'"'b0/' \
        'addresses of another cycle' $p 's/(rst | ~read) ? {PLACE_BITS/rst ? {PLACE_BITS/' \
        'a check bit of what is loaded alone' $k 's/\^ o_write_data\[k\]/^ i_load_data[k]/' \
        'tested while a run goes on' $k "s/i_over & ~i_load_valid}/1'b1}/" \
        'tested as it is loaded' $k 's/i_over & ~i_load_valid}/i_over}/' \
        'the other ring turned over' $k 's/~((BOTH != 0) & part1_q\[0\])/part1_q[0]/' \
        'the ring of a cycle ago' $k 's/ring = part3_q/ring = part2_q/' \
        'a check bit of what is asked, even' $k 's/{~^i_distance, /{^i_distance, /' \
        'check bits of what is sent next' $k 's/\^word_q\[BITS+:CHECKS\], /^stored[BITS+:CHECKS], /'
    ! $large || proof 'protected ring, N=3..16 F=1' formal_ring_checked \
        "$(set_of WORDS=1 STEP=3 PLACE_BITS=4 CUT=0)" 12
    ! $large || proof 'protected ring, N=3..32 F=4' formal_ring_checked \
        "$(set_of WORDS=4 STEP=4 PLACE_BITS=5 CUT=0)" 12
    local r=rtl/gfab_ring_reduce_counter.v o=rtl/gfab_ring_reduce_node.v l=rtl/gfab_ring_reduce_lane.v
    proof 'ring that combines, N=3..8' formal_ring_reduce "$(set_of ALL=1 PLACE_BITS=3)" 12 \
        'nothing empties the arcs' $r 's/~run2_q | empties2_q/~run2_q/' \
        'added twice' $r 's/pass2_q *<= pass1_q/pass2_q <= 1'"'"'b0/' \
        'totals stored by homes alone' $r 's/after_q ? ~empties : home/home/' \
        'one round alone' $r 's/LAST_ROUND *= ROUNDS - 1/LAST_ROUND = ROUNDS - 2/' \
        'around to a power of two' $r 's/place_q == i_last_place/\&place_q/' \
        'a result goes on through a reset' $l 's/i_rst | i_clear/i_clear/' \
        'stored where the host loads' $o 's/settled ? settled_address : i_load_address/i_load_address/' \
        'what is loaded is lost' $l 's/(LAST && i_load) ? i_load_data\[s\] : //'
    ! $large || proof 'ring that combines, N=3..64' formal_ring_reduce "$(set_of ALL=1 PLACE_BITS=6)" 12
    proof 'ring that scatters, N=3..16' formal_ring_reduce "$(set_of ALL=0 PLACE_BITS=4)" 12
    proof 'ring that combines, N=3..8 F=2' formal_ring_reduce "$(set_of ALL=1 PLACE_BITS=3 FLITS=2)" 14 \
        'a carry into the next block' $l 's/carry_q & ~i_first/carry_q/' \
        'the carry of the flit before the last' $l 's/~i_clear \& over/~i_clear \& (over | (carry_q \& i_first))/' \
        'first a cycle late' $r 's/o_first *= first_q\[2\]/o_first = first_q[1]/' \
        'what waits is not reset' $l "s/waits_q <= {(FLITS-1){NO_RESULT}}/waits_q <= line[(FLITS-1)*ARC-1:0]/" \
        'a step of one flit' $r 's/ends *= FLITS == 1 || flit_q == LAST_FLIT.*/ends = 1;/'
    ! $large || proof 'ring that combines, N=3..16 F=3' formal_ring_reduce \
        "$(set_of ALL=1 PLACE_BITS=4 FLITS=3)" 16
    ! $large || proof 'ring that scatters, N=3..16 F=2' formal_ring_reduce \
        "$(set_of ALL=0 PLACE_BITS=4 FLITS=2)" 14
}
