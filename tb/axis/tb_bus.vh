// SPDX-License-Identifier: MIT
// The processor of tb_registers.v on its bus, inside that module: up to two writes and two reads at a time. Payloads
// are noise where nothing is valid. On AXI4-Lite the second address is offered as soon as the first is taken, its
// answer out or not; on Wishbone they follow each other, and some requests are taken back first.
    reg [A-1:0] to_at [0:1], from_at [0:1];
    reg [31:0]  word_of [0:1], got_of [0:1];
    reg [3:0]   strobe_of [0:1];
    reg [1:0]   refused_of;
    reg         refused; // the first write
    reg [31:0]  got;     // of the first read
    integer     transfers;
`ifdef GF_AXI_LITE
    integer    reads_due, addresses_in, data_in; // without an answer
    reg        b_stood, r_stood, stood_resp;
    reg [31:0] r_stood_data;
    always @(posedge clk)
        if (rst) begin
            {b_stood, r_stood} = 2'b0;
            {reads_due, addresses_in, data_in} = 96'd0;
        end else begin
            if (b_valid && (addresses_in == 0 || data_in == 0))
                fail("an answer to no write", 0);
            if (b_stood && (!b_valid || b_resp[1] !== stood_resp))
                fail("an answer to a write taken back", 0);
            if (r_valid && reads_due == 0)
                fail("an answer to no read", 0);
            if (r_stood && (!r_valid || r_data !== r_stood_data))
                fail("an answer to a read taken back", r_data);
            if (b_valid && (b_resp[0] !== 1'b0) || r_valid && (r_resp !== 2'b00))
                fail("a response that is none", b_resp);
            b_stood      = b_valid && !b_ready;
            stood_resp   = b_resp[1];
            r_stood      = r_valid && !r_ready;
            r_stood_data = r_data;
            addresses_in = addresses_in + (aw_valid && aw_ready) - (b_valid && b_ready);
            data_in      = data_in + (w_valid && w_ready) - (b_valid && b_ready);
            reads_due    = reads_due + (ar_valid && ar_ready) - (r_valid && r_ready);
        end

    reg aw_taken, w_taken, ar_taken;
    task transfer_all(input integer writes, input integer reads);
        integer aw, w, b, ar, r, eager; // the next of each channel
        begin
            {aw, w, b, ar, r} = 160'd0;
            eager     = 1 + random_below(5);
            transfers = transfers + 1;
            while (b < writes || r < reads) begin
                aw_valid = aw_valid || (aw < writes && random_below(eager) == 0);
                w_valid  = w_valid || (w < writes && random_below(eager) == 0);
                ar_valid = ar_valid || (ar < reads && random_below(eager) == 0);
                b_ready  = random_below(eager) == 0;
                r_ready  = random_below(eager) == 0;
                aw_addr  = aw_valid ? to_at[aw] : random_bits(1'b0);
                w_data   = w_valid ? word_of[w] : random_bits(1'b0);
                w_strb   = w_valid ? strobe_of[w] : random_bits(1'b0);
                ar_addr  = ar_valid ? from_at[ar] : random_bits(1'b0);
                @(posedge clk);
                if (b_valid && b_ready) begin
                    refused_of[b] = b_resp[1];
                    b = b + 1;
                end
                if (r_valid && r_ready) begin
                    got_of[r] = r_data;
                    r = r + 1;
                end
                {aw_taken, w_taken, ar_taken} = {aw_valid & aw_ready, w_valid & w_ready, ar_valid & ar_ready};
                @(negedge clk);
                aw = aw + aw_taken;
                w  = w + w_taken;
                ar = ar + ar_taken;
                {aw_valid, w_valid, ar_valid} = {aw_valid, w_valid, ar_valid} & ~{aw_taken, w_taken, ar_taken};
            end
            b_ready = random_below(2);
            r_ready = random_below(2);
            repeat (random_below(3)) @(negedge clk);
        end
    endtask
`else
    always @(posedge clk)
        if (!rst && (ack || err) && !(cyc && stb && ack !== err))
            fail("an answer to no request", {ack, err});

    reg request_refused;
    task request(input writes, input [A-1:0] at, input [31:0] word, input [3:0] strobe);
        reg left;
        begin
            if (random_below(4) == 0) begin // taken back in the second cycle
                {cyc, stb, we, adr, dat, sel} = {2'b11, writes, at[A-1:2], word, strobe};
                @(negedge clk);
                {cyc, stb} = 2'b00;
                repeat (1 + random_below(2)) @(negedge clk);
            end
            {cyc, stb, we, adr, dat, sel} = {1'b1, 1'b0, random_bits(1'b0)};
            repeat (random_below(3)) @(negedge clk);
            {cyc, stb, we, adr, dat, sel} = {2'b11, writes, at[A-1:2], word, strobe};
            left = 1'b1;
            while (left) begin
                @(posedge clk);
                if (ack || err) begin
                    left            = 1'b0;
                    request_refused = err;
                    got             = dat_read;
                end
                @(negedge clk);
            end
            stb = 1'b0;
            cyc = random_below(2);
            we  = random_below(2);
            repeat (random_below(3)) @(negedge clk);
        end
    endtask
    task transfer_all(input integer writes, input integer reads);
        integer at;
        begin
            transfers = transfers + 1;
            for (at = 0; at < writes; at = at + 1) begin
                request(1'b1, to_at[at], word_of[at], strobe_of[at]);
                refused_of[at] = request_refused;
            end
            for (at = 0; at < reads; at = at + 1) begin
                request(1'b0, from_at[at], random_bits(1'b0), random_bits(1'b0));
                got_of[at] = got;
                if (request_refused)
                    fail("a read refused", from_at[at]);
            end
        end
    endtask
`endif

    task transfer(input integer writes, input integer reads);
        begin
            transfer_all(writes, reads);
            refused = refused_of[0];
            got     = got_of[0];
        end
    endtask
    task read(input [31:0] at);
        begin
            from_at[0] = at;
            transfer(0, 1);
        end
    endtask
