// SPDX-License-Identifier: MIT
//
// Plays gossip after gossip on chips with clocks of their own, each within 100 ppm, with jitter, cables as they come
// and any phase, all drawn anew before each gossip, and checks every token in every node. Chip 0 must take the cycles
// that were promised, and all chips must be ready when it is.
//
// +rounds=<n>: until so many rounds were played. +seed=<n>. +faults: in every other gossip a chip is reset alone, or
// its clock or its cables stop for a while, or chip 0 resets all; then chip 0 must say that there was an error, and the
// next gossip must be right again. Prints one line, PASS, or FAIL and what is wrong, and then stops, which ends vvp -N
// with status 1.
`default_nettype none
`include "gossip_fabric_parameters.vh"

module tb_clocks;
    localparam CHIPS  = `GF_CHIPS;
    localparam PROGRAMS = `GF_PROGRAMS; // of which each gossip plays the next one
    localparam PERIOD = 1000000; // in units of time
    localparam JITTER = PERIOD / 32; // of each edge, to both sides
    localparam BRIEF  = 3;  // cycles of a reset
    localparam LONG   = 25; // cycles for which a clock stops, or cables do

    reg  [CHIPS-1:0] rst = {CHIPS{1'b1}};
    reg  [CHIPS-1:0] stopped = {CHIPS{1'b0}};
    reg  [CHIPS-1:0] cut = {CHIPS{1'b0}};
    reg              start = 1'b0, load = 1'b0, check = 1'b0, draw = 1'b0;
    reg  [31:0]      gossip = 32'd0;
    wire [CHIPS-1:0] clk, busy, done, error, ready, wrong;
`ifdef GF_CYCLES_OF
    localparam [PROGRAMS*32-1:0] CYCLES_OF = `GF_CYCLES_OF;
`else
    localparam [31:0] CYCLES_OF = `GF_CYCLES;
`endif
    wire [31:0]      number  = gossip % PROGRAMS;
    wire [31:0]      alone   = CYCLES_OF[number*32+:32]; // on one chip
    wire [31:0]      promised = alone + `GF_SLACK_CYCLES;
    wire [`GF_PROGRAM_BITS-1:0] chosen = number[`GF_PROGRAM_BITS-1:0];

    gossip_clocks #(
        .PERIOD(PERIOD), .CHIPS(CHIPS)
    ) u_chips (
`ifdef GF_SEVERAL_PROGRAMS
        .i_program(chosen),
`endif
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy), .o_done(done), .o_error(error), .i_gossip(gossip),
        .i_load(load), .i_check(check), .o_ready(ready), .o_wrong(wrong), .i_draw(draw), .i_cut(cut)
    );

    genvar c;
    generate
        for (c = 0; c < CHIPS; c = c + 1) begin : gen_clock
            reg  clk_q = 1'b0;
            reg  drawn = 1'b0;
            real at, half; // when the next edge is without jitter; half a period
            initial begin
                at   = PERIOD;
                half = PERIOD / 2.0;
                forever begin
                    if (drawn !== draw) begin
                        drawn = draw;
                        case ($random & 3)
                            0:       half = PERIOD / 2.0 * (1.0 - 100.0e-6);
                            1:       half = PERIOD / 2.0 * (1.0 + 100.0e-6);
                            default: half = PERIOD / 2.0 * (1.0 + ({$random} % 201 - 100.0) * 1.0e-6);
                        endcase
                        at = at + {$random} % PERIOD;
                    end
                    if (stopped[c]) begin
                        wait (!stopped[c]);
                        at = $realtime + PERIOD;
                    end
                    at = at + half;
                    #(at + {$random} % (2 * JITTER + 1) - JITTER - $realtime);
                    clk_q = ~clk_q;
                end
            end
            assign clk[c] = clk_q;
        end
    endgenerate

    integer rounds, seed, cycles, fault, fault_at, chip, faults, found;
    reg     with_faults;

    task fail;
        begin
            $display("FAIL: gossip %0d at %0t: busy %b, done %b, error %b, wrong %b, %0d cycles of %0d; fault %0d",
                     gossip, $realtime, busy, done, error, wrong, cycles, promised, fault);
            $stop;
            $finish; // where it goes on behind a $stop
        end
    endtask

    initial begin
        if (!$value$plusargs("rounds=%d", rounds))
            rounds = 1000;
        if (!$value$plusargs("seed=%d", seed))
            seed = 1;
        with_faults = $test$plusargs("faults");
        faults = 0;
        found  = 0;
        repeat (seed) // seeds differ in where all that is drawn begins
            cycles = $random;
        #(10 * PERIOD) rst = {CHIPS{1'b0}};

        while (gossip * `GF_ROUNDS < rounds) begin
            gossip = gossip + 1;
            draw   = ~draw;
            wait (busy === {CHIPS{1'b0}});
            load = 1'b1;
            wait (&ready);
            load = 1'b0;
            wait (ready === {CHIPS{1'b0}});

            fault = (with_faults && gossip % 2 == 0) ? 1 + {$random} % 4 : 0;
            fault_at = `GF_HOPS * 5 + {$random} % (alone - `GF_HOPS * 5);
            chip = 1 + {$random} % (CHIPS - 1);
            @(negedge clk[0]) start = 1'b1;
            @(negedge clk[0]) start = 1'b0;
            cycles = 1;
            // Who comes back from a reset is ready when chip 0 is; whose clock or cables stood still maybe later.
            while (busy[0] !== 1'b0 || ((fault == 2 || fault == 3) && busy !== {CHIPS{1'b0}})) begin
                if (fault != 0 && cycles == fault_at) begin
                    case (fault)
                        1: rst[chip] = 1'b1;
                        2: stopped[chip] = 1'b1;
                        3: cut[chip] = 1'b1;
                        4: rst[0] = 1'b1;
                    endcase
                end
                if (cycles == 4 * promised)
                    fail;
                if (cycles == fault_at + (fault == 2 || fault == 3 ? LONG : BRIEF)) begin
                    rst     = {CHIPS{1'b0}};
                    stopped = {CHIPS{1'b0}};
                    cut     = {CHIPS{1'b0}};
                end
                @(negedge clk[0]) cycles = cycles + 1;
            end
            if (busy !== {CHIPS{1'b0}} || (^{done, error}) === 1'bx)
                fail;
            if (fault == 0) begin
                if (done !== {CHIPS{1'b1}} || error !== {CHIPS{1'b0}} || cycles != promised)
                    fail;
                check = 1'b1;
                wait (&ready);
                check = 1'b0;
                wait (ready === {CHIPS{1'b0}});
                if (wrong !== {CHIPS{1'b0}})
                    fail;
            end else begin
                faults = faults + 1;
                found  = found + error[0];
                if (fault == 4 ? done !== {CHIPS{1'b0}} : error[0] !== 1'b1)
                    fail;
            end
        end
        $display("PASS: %0d rounds in %0d gossips, every token right in every node; %0d cycles each; %0d faults",
                 gossip * `GF_ROUNDS, gossip, `GF_CHIP_CYCLES, faults);
        $finish;
    end
endmodule

`default_nettype wire
