// SPDX-License-Identifier: MIT
// What the benches of collectives know of blocks, inside their module, their random numbers and their clock. It has
// NODES, BLOCKS, PROGRAMS and W; HELD and WANTED, a bit for each program, node and block; clk; and, of KEPT runs in a
// row, by run % KEPT: data, played, operator.
    reg frozen = 1'b0;
    always #5
        if (!frozen)
            clk = ~clk;

    reg [31:0] seed; // of the next random number
    // The same numbers in every simulator; of the $random that some have the low bits repeat soon.
    function [31:0] random_bits(input unused);
        begin
            seed        = seed + 32'h9e3779b9;
            random_bits = (seed ^ (seed >> 16)) * 32'h7feb352d;
            random_bits = (random_bits ^ (random_bits >> 15)) * 32'h846ca68b;
            random_bits = random_bits ^ (random_bits >> 16);
        end
    endfunction
    function integer random_below(input integer limit);
        random_below = random_bits(1'b0) % limit;
    endfunction

    // The first block from `from` on that a node has in the run's program.
    function integer next_block(input integer wanted, input integer of_run, input integer node, input integer from);
        reg found;
        begin
            next_block = from;
            found = 1'b0;
            while (!found && next_block < BLOCKS)
                if (wanted ? WANTED[(played[of_run%KEPT]*NODES+node)*BLOCKS+next_block]
                           : HELD[(played[of_run%KEPT]*NODES+node)*BLOCKS+next_block])
                    found = 1'b1;
                else
                    next_block = next_block + 1;
        end
    endfunction

`ifdef GF_CHAINED
    // An operator whose order counts: the messages of the program's schedule, of tb/messages.txt, say in which order,
    // and the operator's module what a pair makes. The fabric's clock stands still meanwhile.
    localparam FLIT_BITS = `GF_LINK_BITS;
    localparam FLITS     = (W + FLIT_BITS - 1) / FLIT_BITS;
    reg                        operator_clk = 1'b0;
    reg  [FLIT_BITS-1:0]       left, right;
    wire [FLIT_BITS-1:0]       result;
    reg  [FLITS*FLIT_BITS-1:0] was [0:NODES-1]; // of a block, before the round
    reg  [FLITS*FLIT_BITS-1:0] has [0:NODES-1];
    reg  [W-1:0]               ends [0:KEPT*NODES*BLOCKS-1];
    `GF_OPERATOR_MODULE #(
        .BITS(FLIT_BITS), .LATENCY(`GF_OPERATOR_CYCLES)
    ) u_operator (
        .i_clk(operator_clk), .i_a(left), .i_b(right), .o_result(result)
    );

    task apply(input integer from, input integer to);
        integer k;
        for (k = 0; k < FLITS; k = k + 1) begin
            left  = has[to][k*FLIT_BITS+:FLIT_BITS];
            right = was[from][k*FLIT_BITS+:FLIT_BITS];
            #10;
            repeat (`GF_OPERATOR_CYCLES) begin
                operator_clk = 1'b1;
                #5 operator_clk = 1'b0;
                #5;
            end
            has[to][k*FLIT_BITS+:FLIT_BITS] = result;
        end
    endtask

    task play_messages(input integer of_run);
        integer file, count, played_in, block, from, to, combines, opens, at, node;
        begin
            frozen = 1'b1;
            at = BLOCKS;
            file = $fopen("tb/messages.txt", "r");
            count = $fscanf(file, "%d %d %d %d %d %d", played_in, block, from, to, combines, opens);
            while (count == 6) begin
                if (played_in == played[of_run%KEPT]) begin
                    for (node = 0; node < NODES; node = node + 1) begin
                        if (block != at)
                            has[node] = data[(of_run%KEPT*NODES+node)*BLOCKS+block];
                        if (opens)
                            was[node] = has[node];
                    end
                    at = block;
                    if (combines)
                        apply(from, to);
                    else
                        has[to] = was[from];
                    for (node = 0; node < NODES; node = node + 1)
                        ends[(of_run%KEPT*NODES+node)*BLOCKS+block] = has[node];
                end
                count = $fscanf(file, "%d %d %d %d %d %d", played_in, block, from, to, combines, opens);
            end
            $fclose(file);
            #2 frozen = 1'b0; // not at one of its edges
        end
    endtask

    function [W-1:0] total(input integer of_run, input integer node, input integer block);
        total = ends[(of_run%KEPT*NODES+node)*BLOCKS+block];
    endfunction
`else
    function [W-1:0] combine(input integer by, input [W-1:0] x, input [W-1:0] y);
        reg signed [W-1:0] i, j;
        begin
            i = x;
            j = y;
            case (by)
                `GFAB_OPERATOR_SUM:  combine = x + y;
                `GFAB_OPERATOR_AND:  combine = x & y;
                `GFAB_OPERATOR_OR:   combine = x | y;
                `GFAB_OPERATOR_XOR:  combine = x ^ y;
                `GFAB_OPERATOR_MIN:  combine = i < j ? x : y;
                `GFAB_OPERATOR_MAX:  combine = i > j ? x : y;
                `GFAB_OPERATOR_UMIN: combine = x < y ? x : y;
                default:             combine = x > y ? x : y;
            endcase
        end
    endfunction

    // What a node, each the same, has of a block in the end.
    function [W-1:0] total(input integer of_run, input integer node, input integer block);
        reg first;
        integer i;
        begin
            first = 1'b1;
            total = {W{1'b0}};
            for (i = 0; i < NODES; i = i + 1)
                if (HELD[(played[of_run%KEPT]*NODES+i)*BLOCKS+block]) begin
                    total = first ? data[(of_run%KEPT*NODES+i)*BLOCKS+block]
                                  : combine(operator[of_run%KEPT], total, data[(of_run%KEPT*NODES+i)*BLOCKS+block]);
                    first = 1'b0;
                end
        end
    endfunction
`endif

    // A node's blocks of a run, then those of all nodes.
    task fill_node(input integer of_run, input integer node);
        integer i, k;
        for (i = 0; i < BLOCKS; i = i + 1)
            for (k = 0; k < W; k = k + 1)
                data[(of_run%KEPT*NODES+node)*BLOCKS+i][k] = random_below(2);
    endtask

    task fill(input integer of_run);
        integer node;
        begin
            for (node = 0; node < NODES; node = node + 1)
                fill_node(of_run, node);
`ifdef GF_CHAINED
            play_messages(of_run);
`endif
        end
    endtask
