@# SPDX-License-Identifier: MIT
@# The loop over links, within gossip_fabric.v.
@IF JOINED_LINKS@

        for (l = 0; l < LINKS; l = l + 1) begin : gen_link
            localparam [2*END_ROW-1:0] ROW   = LINK[l*2*END_ROW+:2*END_ROW];
            localparam [NODE_BITS-1:0] NODE0 = ROW[END_ROW+LANE_BITS+:NODE_BITS];
            localparam [LANE_BITS-1:0] LANE0 = ROW[END_ROW+:LANE_BITS];
            localparam [NODE_BITS-1:0] NODE1 = ROW[LANE_BITS+:NODE_BITS];
            localparam [LANE_BITS-1:0] LANE1 = ROW[0+:LANE_BITS];
            wire [1:0] drive = {gen_node[NODE1].drive[LANE1], gen_node[NODE0].drive[LANE0]};
@IF JOINED@
            wire [@FLIT@-1:0] link;
            gfab_link #(
                .LINK_BITS(@FLIT@)
            ) u_link (
                .i_clk(i_clk), .i_rst(@RST@),
                .i_end0(gen_node[NODE0].out[LANE0*@FLIT@+:@FLIT@]), .i_drive0(drive[0]),
                .i_end1(gen_node[NODE1].out[LANE1*@FLIT@+:@FLIT@]), .i_drive1(drive[1]),
                .o_link(link)
            );
            assign gen_node[NODE0].in[LANE0*@FLIT@+:@FLIT@] = link;
            assign gen_node[NODE1].in[LANE1*@FLIT@+:@FLIT@] = link;
@IF !CHIP@
            assign o_trace_link[l*LINK_BITS+:LINK_BITS] = link[LINK_BITS-1:0];
@END@
@ELSE@
            gfab_wire #(
                .LINK_BITS(@FLIT@), .LATENCY(LATENCY)
            ) u_wire_0 (
                .i_clk(i_clk), .i_rst(@RST@), .i_near(gen_node[NODE0].out[LANE0*@FLIT@+:@FLIT@]),
                .o_far(gen_node[NODE1].in[LANE1*@FLIT@+:@FLIT@])
            );
            gfab_wire #(
                .LINK_BITS(@FLIT@), .LATENCY(LATENCY)
            ) u_wire_1 (
                .i_clk(i_clk), .i_rst(@RST@), .i_near(gen_node[NODE1].out[LANE1*@FLIT@+:@FLIT@]),
                .o_far(gen_node[NODE0].in[LANE0*@FLIT@+:@FLIT@])
            );
@IF PATHS@
            gfab_wire #(
                .LINK_BITS(1), .LATENCY(LATENCY)
            ) u_drive_0 (
                .i_clk(i_clk), .i_rst(@RST@), .i_near(drive[0]), .o_far(gen_node[NODE1].in_drive[LANE1])
            );
            gfab_wire #(
                .LINK_BITS(1), .LATENCY(LATENCY)
            ) u_drive_1 (
                .i_clk(i_clk), .i_rst(@RST@), .i_near(drive[1]), .o_far(gen_node[NODE0].in_drive[LANE0])
            );
@END@
@IF !CHIP@
            assign o_trace_link[2*l*LINK_BITS+:2*LINK_BITS] = {
                gen_node[NODE1].out[LANE1*@FLIT@+:LINK_BITS], gen_node[NODE0].out[LANE0*@FLIT@+:LINK_BITS]
            };
@END@
@END@
@IF !CHIP@
            assign o_trace_drive[2*l+:2] = drive;
@END@
        end
@END@
