@# SPDX-License-Identifier: MIT
@# The parameters of the fabric, for all tops that have one.
        .FOLDER(ROM_FOLDER), .NARROW(@NARROW@), .PATHS(@PATHS@), .WIDE(@WIDE@), // the kind of nodes
        .NODES(@HERE@), .LINKS(@JOINED_LINKS@), .WIRES(@WIRES@), .CUTS(@CUTS@), .ROMS(@ROMS@),
        .LANES(@LANES@), .LINK_BITS(@LINK_BITS@), .WORDS(@WORDS@), .ROUND_BITS(@ROUND_BITS@),
        .LATENCY(@LATENCY_CYCLES@), .DIRECT(@DIRECT@), .REGISTERED(@REGISTERED@), .SKEWED(@SKEWED@),
        .GAP_BITS(@GAP_BITS@), .WAIT_BITS(@WAIT_BITS@), .FULL(@FULL_DUPLEX@), .PARTS(@PARTS@), .SLOTS(@OP_SLOTS@),
        .OPERATOR(`GFAB_OPERATOR_@OPERATOR_NAME@), .FLITS(@TOKEN_FLITS@), .TOP_BIT(@TOP_BIT@),
        .PROTECT(@CHECKED@), .STYLE("@ROM_STYLE@"),
        .PLACED(@PLACED@), .READS(@PLACE_COUNT@), .LOADS(@WIDE_LOADS@), .ANY_SLOT(@ANY_SLOT@),
        .LOAD_BITS(@LOAD_BITS@), .READ_BITS(@SLOT_BITS@),
@IF WIDE@
        .BANKS(@BANKS@), .CELL_BITS(@CELL_BITS@), .MERGES(@MERGES@), .OPERATOR_CYCLES(@OPERATOR_CYCLES@),
        // Crossbar @CROSSBAR@: bit lane * BANKS + bank.
        .TAKES(@TAKES@), .GIVES(@GIVES@), .OWN(@OWN_BANKS@),
@END@
@IF SEVERAL_PROGRAMS@
        // Of each number that i_program can be, the round in which the program begins; what is none of them is 0.
        .PROGRAM_BITS(@PROGRAM_BITS@), .FIRST_ROUND({
@FOR CHOICES@
            @FIRST_ROUND@@COMMA@ // @NUMBER@ @COLLECTIVE@
@END@
        }),
@END@
@IF STREAMS@
        .STREAMS(@STREAMS@), .AGES(@AGES@), .LEADER(@LEADER@),
        // Of each host, the last first: the age of the group of which it gives, and 1 more; 0: it gives nothing.
        .GIVES_OF({@GIVES_OF@}),
        // The same of what it takes.
        .TAKES_OF({@TAKES_OF@}),
@END@
        // Of each ROM its file, and, a digit a lane, the lane of the file that stands in for it.
        .NAME_BITS(@NAME_BITS@), .ROM({@ROM_NAMES@}),
        .LANE_MAP({@LANE_MAPS@}),
@IF IMAGE_BITS@
        // The words of each ROM, the highest first.
        .IMAGE_BITS(@IMAGE_BITS@), .IMAGES({
@FOR IMAGES@
            @ROW@@COMMA@ // @IMAGE@
@END@
        }),
@END@
@IF JOINED_LINKS@
        // Columns: node and lane of end 0, node and lane of end 1 // the link
        .LINK({
@FOR LINKS@
            @ROW@@COMMA@ // @LINK@
@END@
        }),
@END@
@IF CUTS@
        // Columns, of links to other chips: node, lane // the link
        .CUT({
@FOR CUTS_FROM_LAST@
            @NODE_BITS@'d@PLACE@, @LANE_BITS@'d@LANE@@COMMA@ // @LINK@
@END@
        }),
@END@
        // Columns: the node, its ROM, 1 or 0 for a relay, slots of its store, its own token's slot, the lane at the
        // other end of a skewed lane 0, lanes that have a port, highest first // the nodes at their other ends
        .NODE({
@FOR NODES@
            "@NAME@", @ROW@@COMMA@ // @PEERS@
@END@
        })
