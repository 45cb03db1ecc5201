/* SPDX-License-Identifier: MIT */
/* Private to gen/: what its writers share. gen/ writes wiring, scripts and text; all logic is in rtl/. */
#ifndef GFAB_GEN_H
#define GFAB_GEN_H

#include "family.h"

#include <gossipfab/gen/fabric.h>
#include <gossipfab/gen/ring_fabric.h>
#include <stdio.h>

struct json_t;

#define GFAB_GEN_PATH 4096 /* characters of a path, its end included */
#define GFAB_GEN_NAME 128  /* of a file's name within the folder, likewise */

/* A file that was written to the folder. */
typedef struct gfab_gen_written {
    char name[GFAB_GEN_NAME];
    bool of_programs; /* says which programs there are; all others are the hardware */
    uint32_t sum;     /* once the manifest is written: CRC-32 of its bytes */
} gfab_gen_written;

/* The folder that is made, first under another name. */
typedef struct gfab_gen_folder {
    char target[GFAB_GEN_PATH], made[GFAB_GEN_PATH]; /* made: "" where there is none */
    bool exists, programs;                           /* as gfab_fabric_options has it */
    gfab_gen_written *written;
    size_t count, room;
    char **former; /* what is in the folder that it replaces, folders behind what they hold; former_count names */
    size_t former_count;
} gfab_gen_folder;
/* Finds the folder's place, and makes one beside it. INVALID where there may be none; IO. Then release it. */
gfab_status gfab_gen_folder_open(gfab_gen_folder *folder, const gfab_fabric_options *options, gfab_diag *diag);
/* Puts it in its place. */
gfab_status gfab_gen_folder_finish(gfab_gen_folder *folder, gfab_diag *diag);
void gfab_gen_folder_release(gfab_gen_folder *folder);
/* "cannot <what> <path>: " and the reason, in errno; "<directory>/<name>" or IO. */
gfab_status gfab_gen_io_error(gfab_diag *diag, const char *what, const char *path);
gfab_status gfab_gen_join(char path[GFAB_GEN_PATH], const char *directory, const char *name, gfab_diag *diag);
/* Goes on with a CRC-32 over a file's bytes: IO. Over a manifest's content: NO_MEMORY. */
gfab_status gfab_gen_sum_file(const char *path, uint32_t *sum, gfab_diag *diag);
gfab_status gfab_gen_sum_json(const struct json_t *json, uint32_t *sum, gfab_diag *diag);

/* Where a name stands: of modules and files, of files alone, of targets of the folder's core. */
enum { GFAB_GEN_NAMES = 1, GFAB_GEN_FILES = 2, GFAB_GEN_TARGETS = 4 };
const char *gfab_gen_ours(const char *name); /* what modules of every folder are called like this: "gfab_*"; or NULL */
/* INVALID where tools keep the name for themselves there; kind: what it is a name of, for the message. */
gfab_status gfab_gen_check_word(const char *kind, const char *name, unsigned where, gfab_diag *diag);

/* One fabric to write, with the widths that every writer needs. */
typedef struct gfab_gen {
    const struct gfab_gen_language *language;
    const gfab_ring_fabric *ring; /* of a ring fabric; then there is no machine, image, layout or timing */
    const gfab_machine *machine;
    const gfab_image *image;
    const gfab_layout *layout;
    const gfab_topology *topology;
    const gfab_timing *timing;
    const gfab_fabric_options *options;
    gfab_gen_folder *folder;
    size_t nodes;
    size_t links;
    uint32_t rounds;
    uint32_t lanes;           /* K */
    uint32_t link_bits;       /* L */
    uint32_t word_bits;       /* K L */
    uint32_t slot_bits;       /* of what is read: a slot's number, or a block's among those that the node wants */
    uint32_t store_slot_bits; /* narrow: of a slot's number in the store */
    uint32_t index_bits;      /* of a word's number within a part */
    uint32_t load_bits;       /* of a loaded word's number: {part, word} of its token, or {block, word} */
    uint32_t round_bits;
    uint32_t gap_bits; /* 0: no gaps */
    uint32_t wires;    /* sets of a link, 1 or 2 */
    bool full;         /* full-duplex ports */
    bool paths;        /* nodes pass flits on */
    bool protect;      /* faults are noticed, */
    bool checked;      /* by check bits, */
    bool twins;        /* or by a second fabric */
    size_t members;    /* nodes that are no relays: a goal's N */
    uint32_t blocks;   /* slots of a collective's store, which the host loads all; 0: all-gather */
    bool counted;      /* blocks are loaded and read by their number among those that a node starts with, or wants */
    gfab_operator combines;
    uint32_t streams;      /* hosts that give and take streams; 0: nodes are loaded and read */
    uint32_t hop_cycles;   /* then of a word over a node and a link, where it is a word a cycle, else 0 */
    uint32_t host_words;   /* of a host's beat, 1 where a beat is a flit; */
    bool alternates;       /* links are half duplex, and a word goes each way by turns; */
    uint32_t flows;        /* of the node that has most, */
    uint32_t digits;       /* and of all orders in which nodes take words by turns; 0: none do */
    uint32_t *order;       /* room for one of them, */
    uint32_t *first_digit; /* and where that of a node begins */
    uint32_t ages;         /* then groups on their way at most, */
    uint32_t leader;       /* the host that gives first, */
    uint32_t period;       /* rounds from a group to the next, */
    uint64_t way;          /* and cycles that a word is on its way at most; else 0 */
    uint64_t cycles;       /* of a gossip */
    int node_digits;       /* decimal digits of the highest node */
    const gfab_sharing *sharing;
    const gfab_banks *banks;     /* NULL: narrow */
    size_t programs;             /* collectives that it plays */
    gfab_goal goal;              /* of program 0 */
    uint32_t loads, reads;       /* blocks that a node is loaded with, and that are read, at most */
    uint32_t cell_bits;          /* wide: of an address in a bank */
    uint32_t write_ports;        /* of a node's store: banks, or 1 */
    uint32_t trace_address_bits; /* slot and word, or round and word */
    uint32_t identity;           /* CRC-32 of gossip_fabric.v, and of the ROMs where they cannot be replaced */
    char rom_folder[GFAB_FABRIC_NAME_MAX + 5]; /* within the folder */
    char chip_name[GFAB_FABRIC_NAME_MAX + 6];  /* a chip's top is <chip_name>_<chip> */
    uint32_t chip;                             /* what is written: a chip, or GFAB_GEN_WHOLE */
    bool registers;                            /* what is written is the top with registers */
    const struct gfab_gen_top *top;            /* what is on it */
    const struct gfab_gen_number *numbers;     /* of it, GFAB_GEN_NUMBERS */
    gfab_chip_clocks clocks;                   /* where chips have clocks of their own */
    char *operator_text;                       /* of an operator of the user's, its Verilog; NULL: there is none */
    uint32_t *parents;                         /* likewise: of each chip the one that its reset comes from */
    char **images; /* with --rom inline the digits of each ROM, word 0 last, by kind and node (gen/roms.c); NULL: */
    size_t image_digits; /* there are files; of the longest of them */
} gfab_gen;

#define GFAB_GEN_WHOLE UINT32_MAX /* all nodes, as one chip */

/* The nodes, links and ROMs of a top in the order of their numbers there. */
typedef struct gfab_gen_top {
    uint32_t *nodes; /* by place */
    size_t node_count;
    uint32_t *place_of; /* by node, of those that are here */
    uint32_t *joined;   /* links with both ends here */
    size_t joined_count;
    uint32_t *cut; /* links with one end here */
    size_t cut_count;
    uint32_t *roms; /* each the lowest node of the fabric that has it */
    size_t rom_count;
    uint32_t *rom_of; /* by node, of those that are here: which of roms */
    bool shared;      /* several nodes have a program in common */
    bool lane_maps;   /* some ROM has the lanes of its file in another order */
} gfab_gen_top;

/* What constraints/ has; the last has no name. */
extern const gfab_board gfab_boards[];
/* What is synthesised and placed for: the options' board, or else the HX8K. */
const gfab_board *gfab_gen_target(const gfab_gen *gen);
const gfab_family *gfab_gen_family(const gfab_gen *gen);

/* Bits that tell count things apart, 1 at least. */
static inline uint32_t gfab_gen_bits_for(size_t count)
{
    uint32_t bits = 1;
    while (((size_t)1 << bits) < count)
        bits++;
    return bits;
}

/* Stores number tokens otherwise than by origin. */
static inline bool gfab_gen_has_frame(const gfab_gen *gen)
{
    return !gen->banks && gfab_layout_frame(gen->layout) != GFAB_FRAME_ABSOLUTE;
}

/* A table says where the host finds what it reads; narrow nodes without one have it in its own number's slot. */
static inline bool gfab_gen_has_places(const gfab_gen *gen)
{
    return gen->banks || gen->counted || gfab_gen_has_frame(gen);
}

/* Programs that fill block RAMs, of which icebram replaces whole ones. A wide node's need not: each round of its ROM is
 * a word of its store, too. */
static inline bool gfab_gen_fills_rams(const gfab_gen *gen)
{
    return gfab_machine_word_count(gen->machine) % GFAB_RAM_WORDS == 0;
}

/* What follows each round is in the programs, not in a ROM of its own. */
static inline bool gfab_gen_is_joined(const gfab_gen *gen)
{
    return gen->options->block_roms;
}

static inline const char *gfab_gen_rom_word(const gfab_fabric_options *options)
{
    return options->block_roms ? "block" : options->inline_roms ? "inline" : "logic";
}

/* The fabric's module, and what the names of its other files begin with. */
static inline const char *gfab_gen_name(const gfab_gen *gen)
{
    return gen->options->name ? gen->options->name : GFAB_FABRIC_NAME;
}

/* There are tops with ports of their own for each node. */
static inline bool gfab_gen_has_node_ports(const gfab_gen *gen)
{
    return gen->options->ports != GFAB_PORTS_FLAT;
}

/* What is written is a chip with a clock of its own. */
static inline bool gfab_gen_has_own_clock(const gfab_gen *gen)
{
    return gen->options->own_clocks && gen->chip != GFAB_GEN_WHOLE;
}

/* Of a block's number at a node's host side, to load or to read. */
static inline uint32_t gfab_gen_axis_block_bits(const gfab_gen *gen)
{
    const uint32_t load_bits = gen->load_bits - gen->index_bits;
    return load_bits > gen->slot_bits ? load_bits : gen->slot_bits;
}

/* Of what the self-test of blocks counts. */
static inline uint32_t gfab_gen_selftest_bits(const gfab_gen *gen)
{
    size_t most = gen->members > gen->blocks ? gen->members : gen->blocks;
    most = gen->loads > most ? gen->loads : most;
    return gfab_gen_bits_for((gen->reads > most ? gen->reads : most) + 1);
}

/* Numbers of blocks that are loaded, or read, in the programs before one: wide nodes number them all. */
uint32_t gfab_gen_numbers_before(const gfab_gen *gen, size_t program, bool reads);

/* Is the fabric cut into chips as it must be? */
gfab_status gfab_gen_check_chips(const gfab_gen *gen, gfab_diag *diag);
bool gfab_gen_has_node(const gfab_gen *gen, size_t node); /* is it on what is written? */
void gfab_gen_link_lanes(const gfab_gen *gen, size_t link, uint32_t lane[2]);

/* The cables of the chip that is written, one to each chip that links go to, in the order of these: how many, which
 * chip a cable leads to, and to which one a cut link of the top goes. */
size_t gfab_gen_cable_count(const gfab_gen *gen);
uint32_t gfab_gen_cable_chip(const gfab_gen *gen, size_t cable);
uint32_t gfab_gen_cable_of(const gfab_gen *gen, size_t cut);
/* Links of the cable to a chip, among the first `before` cut ones: the place that the next one has in the cable. */
size_t gfab_gen_cable_links(const gfab_gen *gen, uint32_t chip, size_t before);

/* Streams: their numbers; can they be (gen->order and gen->first_digit are to be freed after any status); what hosts
 * give and take, as the tables of the top have it. */
void gfab_gen_measure_streams(gfab_gen *gen);
gfab_status gfab_gen_check_streams(gfab_gen *gen, gfab_diag *diag);
bool gfab_gen_has_word_streams(const gfab_gen *gen);
void gfab_gen_write_flows(const gfab_gen *gen, size_t node, FILE *file);    /* a row of the table NODE */
void gfab_gen_write_turn_row(const gfab_gen *gen, size_t node, FILE *file); /* of TURNS */
void gfab_gen_write_order(const gfab_gen *gen, size_t node, FILE *file);
void gfab_gen_write_gives(const gfab_gen *gen, FILE *file);
void gfab_gen_write_takes(const gfab_gen *gen, FILE *file);
void gfab_gen_write_host_links(const gfab_gen *gen, FILE *file);

/* Fills top for gen->chip; NO_MEMORY. */
gfab_status gfab_gen_top_create(const gfab_gen *gen, gfab_gen_top *top);
void gfab_gen_top_destroy(gfab_gen_top *top);

/* A line of the list of files. */
typedef enum gfab_gen_kind {
    GFAB_GEN_HEADER = 1, /* what modules of the fabric include */
    GFAB_GEN_MODULE = 2, /* what the fabric is made of */
    GFAB_GEN_PAD = 4,    /* what chips have beside these */
    GFAB_GEN_PAD_BENCH = 8,
    GFAB_GEN_OTHER = 16,
    GFAB_GEN_TEMPLATE = 32,   /* not copied, but expanded */
    GFAB_GEN_PROGRAMS = 64,   /* likewise, and says which programs there are */
    GFAB_GEN_AXIS = 128,      /* modules of the top with AXI4-Streams, */
    GFAB_GEN_REGISTERS = 256, /* those that its sister with registers has beside, */
    GFAB_GEN_BOARD = 512,     /* and of the board top */
    GFAB_GEN_SCRIPT = 1024,   /* what the Makefile includes */
    GFAB_GEN_VHDL = 2048,     /* the template's top as a component of VHDL */
    GFAB_GEN_PORTS = 4096     /* no file: ports, of gen/ports.c */
} gfab_gen_kind;
typedef struct gfab_gen_file {
    const char *from, *to; /* in the sources, in the folder; a '*' it begins with stands for the fabric's name */
    gfab_gen_kind kind;
    const char *when; /* conditions that all hold, as after @IF, with blanks between; NULL: always */
} gfab_gen_file;
/* The fabric's files of these kinds in order; NULL past the end. */
const gfab_gen_file *gfab_gen_file_at(const gfab_gen *gen, unsigned kinds, size_t index);

/* A line of the list of ports; gen/ports.c says what the columns are. None is NULL. */
typedef struct gfab_gen_port {
    const char *group, *when, *name, *count, *bits, *remark, *above, *wire;
} gfab_gen_port;
enum { GFAB_GEN_PORT = 600 }; /* characters of a field, its end included */
bool gfab_gen_has_ports(const char *group);
/* The group's port of this index among those that the top has; false past the end. */
bool gfab_gen_port_at(const gfab_gen *gen, const char *group, size_t index, gfab_gen_port *port);
/* What a template can name of it, a text with names of its own: LINE, one of a head, with its comma; DECLARED, the
 * same without, and without what is said ABOVE and behind, REMARK; RANGE, of the vector, EACH, of one; DIRECTION, NAME;
 * WIRE, what it is joined to; INTERFACE, an attribute; OF_NODE, OF_CHIP, the assignment between the vector's part and
 * the port of one node, or the port of a chip. UNSUPPORTED: no such field; NO_MEMORY. */
gfab_status gfab_gen_port_field(const gfab_gen *gen, const gfab_gen_port *port, const char *field,
                                char text[GFAB_GEN_PORT]);

/* The fabric's numbers, for benches, templates and the manifest. */
typedef struct gfab_gen_number {
    const char *name; /* @NAME@ in templates; GF_<NAME> in the benches and lower case in the manifest, with a meaning */
    uint64_t value;
    const char *meaning; /* NULL: for templates alone */
} gfab_gen_number;
enum { GFAB_GEN_NUMBERS = 135 };
void gfab_gen_numbers(const gfab_gen *gen, gfab_gen_number numbers[GFAB_GEN_NUMBERS]);

gfab_status gfab_gen_manifest(const gfab_gen *gen, FILE *file, gfab_diag *diag);

/* A file of the folder, open for writing: its path. Then close it, which says whether all that was written is there. */
gfab_status gfab_gen_open_file(const gfab_gen *gen, const char *name, bool of_programs, char path[GFAB_GEN_PATH],
                               FILE **file, gfab_diag *diag);
gfab_status gfab_gen_close_file(FILE *file, const char *path, gfab_diag *diag);

/* ROMs: as files, or as rows of tables in the Verilog, which are made before it is written, and released after. */
gfab_status gfab_gen_write_roms(const gfab_gen *gen, gfab_diag *diag);
gfab_status gfab_gen_make_images(gfab_gen *gen, gfab_diag *diag);
void gfab_gen_release_images(gfab_gen *gen);

/* Expands a template. Marks stand alone on their line, which is left out: "@# text" is a comment; @IF X@ .. @ELSE@ ..
 * @END@ takes one of two parts, by whether field or condition X is there and not 0, @IF !X@ the other way round, @IF X
 * Y@ by both; @FOR LIST@ .. @END@ repeats its part for each of a list, or of a group of ports; @FILL LIST@ .. @END@
 * does, and fills lines with what comes of it; @INCLUDE PATH@ is another template. @NAME@ is the value of a field, of
 * the innermost list that has it; @@ an @. UNSUPPORTED for a mark or a name that does not exist. */
gfab_status gfab_gen_template(const gfab_gen *gen, const char *text, size_t size, FILE *file, gfab_diag *diag);

/* The package of VHDL with a component for the top whose template it is. NO_MEMORY, and as above. */
gfab_status gfab_gen_write_vhdl(const gfab_gen *gen, const char *text, size_t size, const char *top, FILE *file,
                                gfab_diag *diag);

/* What a template can name, beside numbers. An item is a position in the list, from 0, or, of a table, which is written
 * last first since the first in a concatenation is the highest, from its end. */
typedef struct gfab_gen_field {
    const char *name;
    void (*write)(const gfab_gen *gen, size_t item, FILE *file);
} gfab_gen_field;
typedef struct gfab_gen_list {
    const char *name;
    size_t (*count)(const gfab_gen *gen);
    const gfab_gen_field *fields;                                     /* the last has a NULL name */
    enum { GFAB_GEN_PLAIN, GFAB_GEN_TABLE, GFAB_GEN_OF_CHIPS } order; /* OF_CHIPS: its part is about chip `item` */
    unsigned kinds; /* not 0: the files of these, each FILE, or the ports of the group `name`; then there is no more */
} gfab_gen_list;
/* Of the fabric as a whole: a text that is made for it, or a word; NULL: there is no such one. */
typedef struct gfab_gen_text {
    const char *name;
    void (*write)(const gfab_gen *gen, FILE *file);
} gfab_gen_text;
extern const gfab_gen_text gfab_gen_texts[];                          /* the last has a NULL name, here and below */
extern const gfab_gen_list gfab_gen_lists[], gfab_gen_common_lists[]; /* those of every fabric: its files, numbers */
const char *gfab_gen_word(const gfab_gen *gen, const char *name, size_t length);

/* What the templates of a kind of fabric can name beside its numbers, its files, and what its manifest says. */
typedef struct gfab_gen_language {
    const gfab_gen_text *texts;
    const gfab_gen_list *lists;
    const char *(*word)(const gfab_gen *gen, const char *name, size_t length);
    bool (*condition)(const gfab_gen *gen, const char *name, size_t length, bool *holds); /* false: no such one */
    const gfab_gen_file *files;                                                           /* the last has a NULL name */
    int (*describe)(const gfab_gen *gen, struct json_t *root);       /* before the numbers; not 0: out of memory */
    int (*describe_nodes)(const gfab_gen *gen, struct json_t *root); /* behind them */
} gfab_gen_language;
/* That of all fabrics with programs, and of streams of a word a cycle. */
bool gfab_gen_machine_condition(const gfab_gen *gen, const char *name, size_t length, bool *holds);
int gfab_gen_describe(const gfab_gen *gen, struct json_t *root);
int gfab_gen_describe_names(const gfab_gen *gen, struct json_t *root);
int gfab_gen_describe_nodes(const gfab_gen *gen, struct json_t *root);
extern const gfab_gen_file gfab_gen_files[], gfab_gen_word_stream_files[];

/* Writes the files of these kinds; then, last, the manifest, which lists all that was written. */
gfab_status gfab_gen_write_files(const gfab_gen *gen, unsigned kinds, gfab_diag *diag);
/* The page that shows what is played, player.html, where the options have one. */
gfab_status gfab_gen_write_player(const gfab_gen *gen, gfab_diag *diag);
gfab_status gfab_gen_write_manifest(const gfab_gen *gen, gfab_diag *diag);
gfab_status gfab_gen_make_folder(const gfab_gen *gen, const char *name, gfab_diag *diag);
extern const gfab_gen_field gfab_gen_between_fields[]; /* of links between chips */
size_t gfab_gen_count_between(const gfab_gen *gen);
extern const gfab_gen_field gfab_gen_image_fields[];
extern const gfab_gen_field gfab_gen_place_image_fields[];
size_t gfab_gen_count_images(const gfab_gen *gen);
size_t gfab_gen_count_place_images(const gfab_gen *gen); /* likewise, of what the host reads and loads alone */
bool gfab_gen_condition(const gfab_gen *gen, const char *name, size_t length, bool *holds); /* false: no such one */
bool gfab_gen_holds(const gfab_gen *gen, const char *conditions);

/* A file of rtl/, tb/, constraints/ or gen/templates/, embedded when the library is built. */
typedef struct gfab_embedded {
    const char *path; /* relative to the root of the sources */
    const unsigned char *bytes;
    size_t size;
} gfab_embedded;
extern const gfab_embedded gfab_embedded_files[];         /* the last has a NULL path */
const gfab_embedded *gfab_gen_embedded(const char *path); /* NULL: none */

#endif
