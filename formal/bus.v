// SPDX-License-Identifier: MIT
//
// The two fronts of gfab_registers, with registers that do anything. On AXI4-Lite, whatever the master does that the
// standard lets it do: every write is answered once, after its address and data, and happens once, with what was given;
// every read once; an answer holds still until it is taken. On Wishbone, whatever the master does at all: ack or err
// come in the second cycle of every request, to nothing else and never both, and a write happens with its ack.
`default_nettype none

module formal_bus (
    input wire        i_clk,
    input wire        i_rst,
    input wire        i_aw_valid,
    input wire [6:0]  i_aw_addr,
    input wire        i_w_valid,
    input wire [31:0] i_w_data,
    input wire [3:0]  i_w_strb,
    input wire        i_b_ready,
    input wire        i_ar_valid,
    input wire [6:0]  i_ar_addr,
    input wire        i_r_ready,
    input wire [31:0] i_read_data, // of the registers
    input wire        i_refused,
    input wire        i_cyc,
    input wire        i_stb,
    input wire        i_we
);
    reg past = 1'b0;
    always @(posedge i_clk) begin
        past <= 1'b1;
        if (!past)
            assume (i_rst);
    end

    // AXI4-Lite.
    wire        aw_ready, w_ready, b_valid, ar_ready, r_valid, write;
    wire [1:0]  b_resp, r_resp;
    wire [31:0] r_data, write_data;
    wire [3:0]  write_strobe;
    wire [6:2]  read_address, write_address;
    gfab_axi_lite u_axi_lite (
        .i_clk(i_clk), .i_rst(i_rst), .s_axil_awvalid(i_aw_valid), .s_axil_awready(aw_ready),
        .s_axil_awaddr(i_aw_addr), .s_axil_wvalid(i_w_valid), .s_axil_wready(w_ready), .s_axil_wdata(i_w_data),
        .s_axil_wstrb(i_w_strb), .s_axil_bvalid(b_valid), .s_axil_bready(i_b_ready), .s_axil_bresp(b_resp),
        .s_axil_arvalid(i_ar_valid), .s_axil_arready(ar_ready), .s_axil_araddr(i_ar_addr), .s_axil_rvalid(r_valid),
        .s_axil_rready(i_r_ready), .s_axil_rdata(r_data), .s_axil_rresp(r_resp), .o_read_address(read_address),
        .i_read_data(i_read_data), .o_write(write), .o_write_address(write_address), .o_write_data(write_data),
        .o_write_strobe(write_strobe), .i_write_refused(i_refused)
    );

    reg        rst_q, aw_q, w_q, b_q, ar_q, r_q; // offered, and not taken
    reg [6:0]  aw_addr_q, ar_addr_q;
    reg [31:0] w_data_q, r_data_q;
    reg [3:0]  w_strb_q;
    reg [1:0]  b_resp_q;
    reg        addressed_q; // an address has no data yet
    reg [6:2]  address_q;
    reg        written_q, refused_q, read_q; // answers that are due
    reg [31:0] data_q;
    always @(posedge i_clk) begin
        rst_q <= i_rst;
        {aw_q, w_q, b_q, ar_q, r_q} <= {i_aw_valid & ~aw_ready, i_w_valid & ~w_ready, b_valid & ~i_b_ready,
                                        i_ar_valid & ~ar_ready, r_valid & ~i_r_ready};
        aw_addr_q <= i_aw_addr;
        ar_addr_q <= i_ar_addr;
        w_data_q  <= i_w_data;
        w_strb_q  <= i_w_strb;
        b_resp_q  <= b_resp;
        r_data_q  <= r_data;
        if (i_aw_valid & aw_ready)
            address_q <= i_aw_addr[6:2];
        if (write)
            refused_q <= i_refused;
        if (i_ar_valid & ar_ready)
            data_q <= i_read_data;
        addressed_q <= ~i_rst & ((i_aw_valid & aw_ready) | (addressed_q & ~write));
        written_q   <= ~i_rst & (write | (written_q & ~i_b_ready));
        read_q      <= ~i_rst & ((i_ar_valid & ar_ready) | (read_q & ~i_r_ready));
        if (past && !rst_q) begin
            assume (!aw_q || (i_aw_valid && i_aw_addr == aw_addr_q));
            assume (!w_q || (i_w_valid && i_w_data == w_data_q && i_w_strb == w_strb_q));
            assume (!ar_q || (i_ar_valid && i_ar_addr == ar_addr_q));
            assert (!b_q || (b_valid && b_resp == b_resp_q));
            assert (!r_q || (r_valid && r_data == r_data_q));
        end
        if (past) begin
            assert (b_valid == written_q && (!b_valid || b_resp == {refused_q, 1'b0}));
            assert (r_valid == read_q && (!r_valid || (r_data == data_q && r_resp == 2'b0)));
            assert (write == (i_w_valid & w_ready));
            assert (!addressed_q || write_address == address_q);
            assert (!write || (addressed_q && write_data == i_w_data && write_strobe == i_w_strb && !b_q));
            assert (aw_ready != addressed_q);
            assert (w_ready == (addressed_q && !written_q)); // so that none waits for ever
            assert (!(i_ar_valid & ar_ready) || read_address == i_ar_addr[6:2]);
            cover (b_valid && i_b_ready && refused_q && i_aw_valid && !i_rst);
            cover (r_valid && !i_r_ready && b_valid && !i_b_ready);
        end
    end

    // Wishbone; its addresses and data are those above.
    wire        ack, err, wb_write;
    wire [31:0] wb_data, wb_write_data;
    wire [6:2]  wb_read_address, wb_write_address;
    wire [3:0]  wb_strobe;
    gfab_wishbone u_wishbone (
        .i_clk(i_clk), .i_rst(i_rst), .i_wb_cyc(i_cyc), .i_wb_stb(i_stb), .i_wb_we(i_we), .i_wb_adr(i_aw_addr[6:2]),
        .i_wb_dat(i_w_data), .i_wb_sel(i_w_strb), .o_wb_ack(ack), .o_wb_err(err), .o_wb_dat(wb_data),
        .o_read_address(wb_read_address), .i_read_data(i_read_data), .o_write(wb_write),
        .o_write_address(wb_write_address), .o_write_data(wb_write_data), .o_write_strobe(wb_strobe),
        .i_write_refused(i_refused)
    );
    reg        asked_q; // a request's first cycle was the one before
    reg [31:0] asked_data_q;
    always @(posedge i_clk) begin
        asked_q      <= ~i_rst & i_cyc & i_stb & ~asked_q;
        asked_data_q <= i_read_data;
        if (past) begin
            assert ((ack | err) == (i_cyc & i_stb & asked_q));
            assert (!(ack && err));
            assert (!(ack || err) || (err == (i_we & i_refused) && wb_data == asked_data_q));
            assert (wb_write == (ack & i_we));
            assert (wb_read_address == i_aw_addr[6:2] && wb_write_address == i_aw_addr[6:2]);
            assert (wb_write_data == i_w_data && wb_strobe == i_w_strb);
            cover (err);
            cover (asked_q && !i_stb);
        end
    end
endmodule

`default_nettype wire
