// SPDX-License-Identifier: MIT
//
// The tokens of one node: a simple dual-port RAM, one synchronous read port and
// one write port, without reset and without enables, so that synthesis maps it to
// block RAM as it stands. A word that is read at the edge at which it is written may come out as anything: RAMs
// differ in that, and no_rw_check leaves synthesis the choice. So nobody may look at it. In Icarus it is therefore
// bits at random, or unknown ones, and in proofs whatever makes them fail.
//
// Latency: o_read_data belongs to the i_read_address of the cycle before.
`default_nettype none

module gfab_store #(
    parameter ADDRESS_BITS = 6, // 1 .. 24
    parameter WORD_BITS    = 8  // 1 or more
) (
    input  wire                    i_clk,
    input  wire [ADDRESS_BITS-1:0] i_read_address,
    output wire [WORD_BITS-1:0]    o_read_data,
    input  wire                    i_write_enable,
    input  wire [ADDRESS_BITS-1:0] i_write_address,
    input  wire [WORD_BITS-1:0]    i_write_data
);
    (* no_rw_check *)
    reg [WORD_BITS-1:0] store [0:(1 << ADDRESS_BITS)-1];
    reg [WORD_BITS-1:0] read_data_q;

`ifdef __ICARUS__
    integer seed, at; // a seed of its own, so that twins differ
    initial
        seed = $random;
`endif
`ifdef FORMAL
    (* anyseq *) wire [WORD_BITS-1:0] any;
`endif
    always @(posedge i_clk) begin
        read_data_q <= store[i_read_address];
        if (i_write_enable)
            store[i_write_address] <= i_write_data;
`ifdef __ICARUS__
        if (i_write_enable !== 1'b0 && i_write_address === i_read_address)
            if ($random(seed) & 1)
                read_data_q <= {WORD_BITS{1'bx}};
            else
                for (at = 0; at < WORD_BITS; at = at + 1)
                    read_data_q[at] <= $random(seed);
`endif
`ifdef FORMAL
        if (i_write_enable && i_write_address == i_read_address)
            read_data_q <= any;
`endif
    end

    assign o_read_data = read_data_q;
endmodule

`default_nettype wire
