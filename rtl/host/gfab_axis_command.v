// SPDX-License-Identifier: MIT
//
// Which collective gossip_fabric_axis plays next: a beat {operator, program} for each, taken when the one before is
// over, so that loading waits for it. It counts to the end of the collective; what is no program is program 0.
`default_nettype none

module gfab_axis_command #(
    parameter PROGRAMS      = 2, // 1 or more
    parameter PROGRAM_BITS  = 1, // of a program's number
    parameter OPERATOR_BITS = 3  // 1 or more, also where there is no choice
) (
    input  wire                                  i_clk,
    input  wire                                  i_rst,
    input  wire                                  s_axis_tvalid,
    output wire                                  s_axis_tready,
    input  wire [OPERATOR_BITS+PROGRAM_BITS-1:0] s_axis_tdata,
    input  wire                                  i_load, // of gfab_axis_ctrl
    input  wire                                  i_start,
    output wire                                  o_load, // the same, once there is a command
    output wire [PROGRAM_BITS-1:0]               o_program,
    output wire [OPERATOR_BITS-1:0]              o_operator
);
    reg                     there_q; // for this loading
    reg [PROGRAM_BITS-1:0]  program_q;
    reg [OPERATOR_BITS-1:0] operator_q;
    wire [PROGRAM_BITS-1:0] asked = s_axis_tdata[PROGRAM_BITS-1:0];

    always @(posedge i_clk) begin
        there_q <= ~i_rst & i_load & ~i_start & (there_q | s_axis_tvalid);
        if (i_rst) begin // a protected fabric compares them from the first cycle on
            program_q  <= {PROGRAM_BITS{1'b0}};
            operator_q <= {OPERATOR_BITS{1'b0}};
        end else if (s_axis_tvalid & s_axis_tready) begin
            program_q  <= ({1'b0, asked} < PROGRAMS[PROGRAM_BITS:0]) ? asked : {PROGRAM_BITS{1'b0}};
            operator_q <= s_axis_tdata[PROGRAM_BITS+:OPERATOR_BITS];
        end
    end

    assign s_axis_tready = i_load & ~there_q;
    assign o_load        = i_load & there_q;
    assign o_program     = program_q;
    assign o_operator    = operator_q;
endmodule

`default_nettype wire
