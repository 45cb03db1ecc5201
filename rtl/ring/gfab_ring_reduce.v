// SPDX-License-Identifier: MIT
//
// An all-reduce, or a reduce-scatter, along rings: directed cycles through all nodes that share no arc. Every node has
// a contribution to every block; blocks go around whole, each along a ring of its own, and a total takes the place of
// the contribution in the store. A block belongs to a node, its home, in which it becomes a total first; with ALL it
// then goes on to all others. A node is the home of ROUNDS blocks on each ring. There is one counter for all nodes
// (gfab_ring_reduce_counter.v says how many cycles a run takes), and no program.
//
// A block's number is {home, round, ring}, each but home with no bits where there is one. With ALL home is a place
// along the ring's cycle, else the node's number. The host loads a flit of a block, i_load_word being {block, flit},
// and reads one, while o_busy = 0.
//
// 14 parameters: what a graph, a block and a run are; NODES below LENGTH is for measuring some nodes of a longer ring.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_ring_reduce #(
    parameter NODES     = 16, // 3 or more
    parameter LENGTH    = NODES, // of a ring
    parameter RINGS     = 4,
    parameter CYCLES    = 2, // rings, or with BOTH half as many
    parameter BOTH      = 1, // 1: rings 2c and 2c + 1 are cycle c, forwards and backwards
    parameter LINK_BITS = 32,
    parameter FLITS     = 1, // of a block
    parameter ROUNDS    = 1,
    parameter ALL       = 1,
    parameter OPERATOR  = `GFAB_OPERATOR_SUM,
    parameter PIECE     = 32, // bits through which a sum carries in a cycle as it settles, where a block is one flit
    parameter PART      = 8,  // and in a hop: PIECE is a multiple
    parameter [16*RINGS*NODES-1:0]   FROM   = 0, // of each ring, 0 last, and node, 0 last: whose flits come in
    parameter [16*CYCLES*LENGTH-1:0] PLACES = 0  // of each cycle and node, likewise: its place
) (
    input  wire i_clk,
    input  wire i_rst,   // synchronous
    input  wire i_start, // one cycle; ignored while a run goes on
    output wire o_busy,  // from the start to one cycle after o_done rises
    output wire o_done,  // from the end of a run to the next start
    input  wire [NODES-1:0]                                                  i_load_valid,
    input  wire [NODES*`GFAB_RING_LOAD_BITS(LENGTH, ROUNDS, RINGS, FLITS)-1:0] i_load_word,
    input  wire [NODES*LINK_BITS-1:0]                                        i_load_data,
    input  wire [NODES*`GFAB_RING_BLOCK_BITS(LENGTH, ROUNDS, RINGS)-1:0]     i_read_token,
    input  wire [NODES*`GFAB_BITS(FLITS)-1:0]                                i_read_word,
    output wire [NODES*LINK_BITS-1:0]                                        o_read_data, // 2 cycles later
    // for test benches
    output wire                             o_trace_drive, // o_trace_link counts
    output wire [NODES*RINGS*LINK_BITS-1:0] o_trace_link,  // of each node, what comes in over its arcs, ring 0 last,
                                                           // without carries
    output wire [NODES*RINGS-1:0]           o_trace_write,
    output wire [NODES*`GFAB_RING_ADDRESS_BITS(LENGTH, ROUNDS, FLITS)-1:0] o_trace_address, // {distance, round, flit}
    output wire [NODES*RINGS*LINK_BITS-1:0] o_trace_data
);
    localparam PLACE_BITS   = `GFAB_BITS(LENGTH);
    localparam LAST_PLACE   = LENGTH - 1;
    localparam ROUND_BITS   = `GFAB_PART_BITS(ROUNDS);
    localparam RING_BITS    = `GFAB_PART_BITS(RINGS);
    localparam FLIT_BITS    = `GFAB_PART_BITS(FLITS);
    localparam LOCAL_BITS   = ROUND_BITS + FLIT_BITS; // of an address, below the distance
    localparam ADDRESS_BITS = PLACE_BITS + LOCAL_BITS;
    localparam BLOCK_BITS   = PLACE_BITS + ROUND_BITS + RING_BITS;
    localparam LOAD_BITS    = BLOCK_BITS + FLIT_BITS;
    localparam WORD_BITS    = `GFAB_BITS(FLITS);
    localparam BITS         = RINGS * LINK_BITS;
    localparam WHOLE        = (FLITS > 1 || OPERATOR != `GFAB_OPERATOR_SUM); // no parts
    localparam PART_BITS    = (WHOLE || LINK_BITS < PART) ? LINK_BITS : PART;
    localparam PIECE_BITS   = (WHOLE || LINK_BITS < PIECE) ? LINK_BITS : PIECE;
    localparam PIECES       = (LINK_BITS + PIECE_BITS - 1) / PIECE_BITS;
    localparam ARC_BITS     = LINK_BITS + (LINK_BITS + PART_BITS - 1) / PART_BITS - 1;

    generate
        if (OPERATOR < `GFAB_OPERATOR_SUM || OPERATOR > `GFAB_OPERATOR_UMAX) begin : gen_other
            gfab_error_a_ring_combines_by_an_operator_of_one_cycle u_bad ();
        end
        if (OPERATOR >= `GFAB_OPERATOR_MIN && FLITS > 1) begin : gen_cut
            gfab_error_operators_that_compare_need_whole_blocks u_bad ();
        end
    endgenerate

    wire                    read, pass, first, clear, write;
    wire [ADDRESS_BITS-1:0] read_address, write_address;
    gfab_ring_reduce_counter #(
        .PLACE_BITS(PLACE_BITS), .ROUNDS(ROUNDS), .FLITS(FLITS), .ALL(ALL), .SETTLES(PIECES - 1)
    ) u_counter (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_last_place(LAST_PLACE[PLACE_BITS-1:0]),
        .o_busy(o_busy), .o_done(o_done), .o_read(read), .o_read_address(read_address), .o_pass(pass),
        .o_first(first), .o_clear(clear), .o_write(write), .o_write_address(write_address)
    );
    assign o_trace_drive = write;

    wire [NODES*RINGS*ARC_BITS-1:0] links; // what each node puts out
    wire [NODES*RINGS*ARC_BITS-1:0] arcs;  // and gets
    gfab_ring_arcs #(
        .NODES(NODES), .RINGS(RINGS), .CYCLES(CYCLES), .BOTH(BOTH), .LENGTH(LENGTH), .LINK_BITS(ARC_BITS), .FROM(FROM)
    ) u_arcs (
        .i_out(links), .o_in(arcs)
    );
    genvar v, a;
    generate
        for (a = 0; a < NODES * RINGS; a = a + 1) begin : gen_arc
            assign o_trace_link[a*LINK_BITS+:LINK_BITS] = arcs[a*ARC_BITS+:LINK_BITS];
        end
        for (v = 0; v < NODES; v = v + 1) begin : gen_node
            wire [BLOCK_BITS-1:0] load_block = i_load_word[v*LOAD_BITS+FLIT_BITS+:BLOCK_BITS];
            wire [BLOCK_BITS-1:0] read_block = i_read_token[v*BLOCK_BITS+:BLOCK_BITS];
            wire [`GFAB_BITS(RINGS)-1:0] load_ring, read_ring;
            if (RINGS > 1) begin : gen_rings
                assign load_ring = load_block[RING_BITS-1:0];
                assign read_ring = read_block[RING_BITS-1:0];
            end else begin : gen_one
                assign load_ring = 1'b0;
                assign read_ring = 1'b0;
            end
            wire [PLACE_BITS-1:0] load_distance, read_distance;
            gfab_ring_distance #(
                .NODES(LENGTH), .PLACE_BITS(PLACE_BITS), .CYCLES(CYCLES), .BOTH(BOTH), .RINGS(RINGS), .PLACES(PLACES),
                .NODE(v), .BY_PLACE(ALL)
            ) u_load_distance (
                .i_token(load_block[BLOCK_BITS-1-:PLACE_BITS]), .i_ring(load_ring), .o_distance(load_distance)
            );
            gfab_ring_distance #(
                .NODES(LENGTH), .PLACE_BITS(PLACE_BITS), .CYCLES(CYCLES), .BOTH(BOTH), .RINGS(RINGS), .PLACES(PLACES),
                .NODE(v), .BY_PLACE(ALL)
            ) u_read_distance (
                .i_token(read_block[BLOCK_BITS-1-:PLACE_BITS]), .i_ring(read_ring), .o_distance(read_distance)
            );
            wire [ADDRESS_BITS-1:0] load_address, host_address;
            assign load_address[LOCAL_BITS+:PLACE_BITS] = load_distance;
            assign host_address[LOCAL_BITS+:PLACE_BITS] = read_distance;
            if (ROUNDS > 1) begin : gen_rounds
                assign load_address[FLIT_BITS+:ROUND_BITS] = load_block[RING_BITS+:ROUND_BITS];
                assign host_address[FLIT_BITS+:ROUND_BITS] = read_block[RING_BITS+:ROUND_BITS];
            end
            if (FLITS > 1) begin : gen_flits
                assign load_address[FLIT_BITS-1:0] = i_load_word[v*LOAD_BITS+:FLIT_BITS];
                assign host_address[FLIT_BITS-1:0] = i_read_word[v*WORD_BITS+:FLIT_BITS];
            end

            gfab_ring_reduce_node #(
                .ADDRESS_BITS(ADDRESS_BITS), .RINGS(RINGS), .LINK_BITS(LINK_BITS), .FLITS(FLITS), .OPERATOR(OPERATOR),
                .PART(PART_BITS), .PIECE(PIECE_BITS)
            ) u_node (
                .i_clk(i_clk), .i_rst(i_rst), .i_read(read), .i_read_address(read_address), .i_pass(pass),
                .i_first(first), .i_clear(clear), .i_write(write), .i_write_address(write_address),
                .i_load_valid(i_load_valid[v]), .i_load_ring(load_ring), .i_load_address(load_address),
                .i_load_data(i_load_data[v*LINK_BITS+:LINK_BITS]),
                .i_host_address(host_address), .i_host_ring(read_ring),
                .o_host_data(o_read_data[v*LINK_BITS+:LINK_BITS]),
                .i_link(arcs[v*RINGS*ARC_BITS+:RINGS*ARC_BITS]), .o_link(links[v*RINGS*ARC_BITS+:RINGS*ARC_BITS]),
                .o_write_enable(o_trace_write[v*RINGS+:RINGS]),
                .o_write_address(o_trace_address[v*ADDRESS_BITS+:ADDRESS_BITS]),
                .o_write_data(o_trace_data[v*BITS+:BITS])
            );
        end
    endgenerate
endmodule

`default_nettype wire
