/* SPDX-License-Identifier: MIT */
/* Private to gen/: what its writers share. gen/ writes wiring, scripts and text; all logic is in rtl/. */
#ifndef GFAB_GEN_H
#define GFAB_GEN_H

#include <gossipfab/gen/fabric.h>
#include <stdio.h>

/* One fabric to write, with the widths that every writer needs. */
typedef struct gfab_gen {
    const gfab_image *image;
    const gfab_layout *slots;
    const gfab_topology *topology;
    const gfab_timing *timing;
    const gfab_fabric_options *options;
    size_t nodes;
    size_t links;
    uint32_t rounds;
    uint32_t lanes;     /* K */
    uint32_t link_bits; /* L */
    uint32_t word_bits; /* K L */
    uint32_t slot_bits;
    uint32_t index_bits; /* of a word's number within a part */
    uint32_t load_bits;  /* of a word's number within a token: {part, word} */
    uint32_t round_bits;
    uint32_t gap_bits; /* 0: no gaps */
    uint32_t wires;    /* sets of a link, 1 or 2 */
    bool full;         /* full-duplex ports */
    bool paths;        /* nodes pass flits on */
    uint64_t cycles;   /* of a gossip */
    int node_digits;   /* decimal digits of the highest node */
    const gfab_sharing *sharing;
    const gfab_banks *banks;     /* NULL: narrow */
    uint32_t write_ports;        /* of a node's store: banks, or 1 */
    uint32_t trace_address_bits; /* slot and word, or round and word */
    uint32_t chip;               /* what is written: a chip, or GFAB_GEN_WHOLE */
} gfab_gen;

#define GFAB_GEN_WHOLE UINT32_MAX /* all nodes, as one chip */

/* Is the fabric cut into chips as it must be? */
gfab_status gfab_gen_check_chips(const gfab_gen *gen, gfab_diag *diag);
/* Is the node on what is written, and as which of its nodes? */
bool gfab_gen_has_node(const gfab_gen *gen, size_t node);
size_t gfab_gen_place(const gfab_gen *gen, size_t node);
size_t gfab_gen_node_count(const gfab_gen *gen);
bool gfab_gen_has_link(const gfab_gen *gen, size_t link); /* one of its ends at least */
/* Are the link's ends on different chips? Never where the whole is written. */
bool gfab_gen_is_cut(const gfab_gen *gen, size_t link);
void gfab_gen_link_lanes(const gfab_gen *gen, size_t link, uint32_t lane[2]);

/* Each writes one whole file. Errors of the stream are left to ferror. */
void gfab_gen_fabric_verilog(const gfab_gen *gen, FILE *file);
/* The parts of it that wide fabrics have others of: sequencer, programs and one node. */
void gfab_gen_wide_sequencer(const gfab_gen *gen, FILE *file);
void gfab_gen_wide_programs(const gfab_gen *gen, FILE *file);
void gfab_gen_wide_node(const gfab_gen *gen, size_t node, FILE *file);
/* A module's name and ports: gossip_fabric, or a chip's. */
void gfab_gen_fabric_ports(const gfab_gen *gen, FILE *file);
void gfab_gen_harness_verilog(const gfab_gen *gen, FILE *file);
/* All chips joined by wires: gossip_fabric for test benches. */
void gfab_gen_joined_chips_verilog(const gfab_gen *gen, FILE *file);
void gfab_gen_axis_verilog(const gfab_gen *gen, FILE *file);
void gfab_gen_board_verilog(const gfab_gen *gen, FILE *file);
void gfab_gen_parameters_c(const gfab_gen *gen, FILE *file);
void gfab_gen_parameters_verilog(const gfab_gen *gen, FILE *file);
gfab_status gfab_gen_manifest(const gfab_gen *gen, FILE *file, gfab_diag *diag);

/* The two lines that head every generated file, each behind comment. */
void gfab_gen_banner(const gfab_gen *gen, const char *comment, FILE *file);

/* Copies text, with @KEY@ replaced by the fabric's value and lines between @IF_BOARD@,
 * @IF_ABSOLUTE@, @IF_RELATIVE@, @IF_ROTATED@ or @IF_SHARED@ (any frame but absolute), @IF_GAPS@, @IF_NO_GAPS@,
 * @IF_CHIPS@, @IF_PARTS@, @IF_WHOLE@ (tokens in one part) and @END@ (each alone on its line) left out where there is no
 * board, or another frame, or no gaps, or one chip, and so on. UNSUPPORTED for a key that does not exist. */
gfab_status gfab_gen_template(const gfab_gen *gen, const char *text, size_t size, FILE *file, gfab_diag *diag);

/* A file of rtl/, tb/, constraints/ or gen/templates/, embedded when the library is built. */
typedef struct gfab_embedded {
    const char *path; /* relative to the root of the sources */
    const unsigned char *bytes;
    size_t size;
} gfab_embedded;
extern const gfab_embedded gfab_embedded_files[]; /* the last has a NULL path */

#endif
