// SPDX-License-Identifier: MIT
// What the benches of collectives know of blocks, inside their module, and their random numbers. It has NODES, BLOCKS,
// PROGRAMS and W; HELD and WANTED, a bit for each program, node and block; and, of KEPT runs in a row, by run % KEPT:
// data, played, operator.
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

    function [W-1:0] total(input integer of_run, input integer block);
        reg first;
        integer node;
        begin
            first = 1'b1;
            total = {W{1'b0}};
            for (node = 0; node < NODES; node = node + 1)
                if (HELD[(played[of_run%KEPT]*NODES+node)*BLOCKS+block]) begin
                    total = first ? data[(of_run%KEPT*NODES+node)*BLOCKS+block]
                                  : combine(operator[of_run%KEPT], total, data[(of_run%KEPT*NODES+node)*BLOCKS+block]);
                    first = 1'b0;
                end
        end
    endfunction

    task fill(input integer of_run);
        integer i, k;
        for (i = 0; i < NODES * BLOCKS; i = i + 1)
            for (k = 0; k < W; k = k + 1)
                data[of_run%KEPT*NODES*BLOCKS+i][k] = random_below(2);
    endtask
