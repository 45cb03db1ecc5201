/* SPDX-License-Identifier: MIT */
/* A machine from the ROM files of a folder. */
#include "machine_internal.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define PATH_SIZE 4096
#define MOST_DIGITS (1u << 16) /* more than any word has */

/* What is read, and what has been made of it so far. */
typedef struct reader {
    const char *folder;
    const gfab_machine_shape *shape;
    size_t nodes;
    int digits; /* of a node's number in a file's name */
    gfab_layout *layout;
    gfab_image *image;
    gfab_banks *banks;
    bool joined;       /* the sequence is in the programs */
    uint32_t gap_bits; /* then */
    gfab_diag *diag;
} reader;

/* Reads one node's file, or all that nodes share. */
typedef gfab_status (*read_rom)(reader *r, size_t node, FILE *file, gfab_diag *diag);

/* Calls read with the open file; its errors get the file's name. */
static gfab_status read_file(reader *r, const char *name, size_t node, read_rom read)
{
    char path[PATH_SIZE];
    gfab_diag reason = {0, ""};
    if (snprintf(path, sizeof path, "%s/%s", r->folder, name) >= (int)sizeof path)
        return gfab_fail(r->diag, 0, GFAB_ERR_IO, "the path %.100s... is too long", r->folder);
    FILE *file = fopen(path, "r");
    if (!file)
        return gfab_fail(r->diag, 0, GFAB_ERR_IO, "cannot open %.300s: %s", path, strerror(errno));
    const gfab_status status = read(r, node, file, &reason);
    fclose(file);
    return status ? gfab_fail(r->diag, reason.line, status, "%.200s: %.200s", path, reason.message) : GFAB_OK;
}

static gfab_status read_node(reader *r, const char *what, size_t node, read_rom read)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%0*zu.hex", what, r->digits, node);
    return read_file(r, name, node, read);
}

static gfab_status read_nodes(reader *r, const char *what, read_rom read)
{
    for (size_t node = 0; node < r->nodes; node++)
        GFAB_TRY(read_node(r, what, node, read));
    return GFAB_OK;
}

/* A ROM's size is in no header: it is the number of lines. */
static uint32_t count_round_bits(FILE *file, size_t words_a_round)
{
    size_t lines = 0;
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    uint32_t round_bits = 0;
    while (round_bits < 32 && words_a_round << round_bits < lines)
        round_bits++;
    rewind(file);
    return round_bits;
}

/* Bits of a word as wide as the first line has digits. */
static uint32_t count_word_bits(FILE *file)
{
    uint32_t digits = 0;
    while (digits < MOST_DIGITS && isxdigit(getc(file)))
        digits++;
    rewind(file);
    return 4 * digits;
}

/* Node 0's words have so many bits, of which so many are their own: those before them, if there are any, are the
 * sequence's. */
static void find_sequence(reader *r, uint32_t bits, uint32_t own_bits)
{
    const uint32_t fixed = (own_bits + 3) / 4 * 4 + GFAB_SEQUENCE_GAP;
    r->joined = bits >= fixed;
    r->gap_bits = r->joined ? bits - fixed : 0;
}

/* An image as large as node 0's file. */
static gfab_status create_image(reader *r, size_t node, FILE *file, gfab_diag *diag)
{
    const uint32_t bits = count_word_bits(file);
    size_t stride = 1;
    (void)node;
    while (stride < gfab_layout_lane_count(r->layout))
        stride *= 2;
    GFAB_TRY(gfab_image_create(r->layout, count_round_bits(file, stride), &r->image, diag));
    if (r->shape->use.programs)
        GFAB_TRY(gfab_image_set_programs(r->image, r->shape->use.first_rounds, r->shape->use.programs, diag));
    find_sequence(r, bits, gfab_image_op_bits(r->image));
    return r->joined ? gfab_image_set_gap_bits(r->image, r->gap_bits, diag) : GFAB_OK;
}

static gfab_status read_program(reader *r, size_t node, FILE *file, gfab_diag *diag)
{
    return r->joined ? gfab_image_read_joined(r->image, node, node == 0, file, diag)
                     : gfab_image_read(r->image, node, file, diag);
}

static gfab_status read_paths(reader *r, size_t node, FILE *file, gfab_diag *diag)
{
    if (node == 0) {
        const uint32_t checks = gfab_layout_has_checks(gfab_image_layout(r->image));
        const uint32_t fixed = gfab_image_path_bits(r->image) - gfab_image_wait_bits(r->image) + checks;
        const uint32_t bits = count_word_bits(file);
        GFAB_TRY(gfab_image_set_wait_bits(r->image, bits > fixed ? bits - fixed : 0, diag));
    }
    return gfab_image_read_paths(r->image, node, file, diag);
}

/* In the file of the sequence. */
static uint32_t count_gap_bits(FILE *file)
{
    const uint32_t bits = count_word_bits(file);
    return bits > GFAB_SEQUENCE_GAP ? bits - GFAB_SEQUENCE_GAP : 0;
}

static gfab_status read_sequence(reader *r, size_t node, FILE *file, gfab_diag *diag)
{
    (void)node;
    GFAB_TRY(gfab_image_set_gap_bits(r->image, count_gap_bits(file), diag));
    return gfab_image_read_sequence(r->image, file, diag);
}

/* The rounds are as many as the file of node 0's program has. */
static gfab_status create_banks(reader *r, size_t node, FILE *file, gfab_diag *diag)
{
    const uint32_t bits = count_word_bits(file);
    gfab_crossbar crossbar;
    gfab_banks_use use = r->shape->use;
    GFAB_TRY(gfab_crossbar_make(gfab_layout_topology(r->layout), r->shape->crossbar, r->shape->banks, &crossbar, diag));
    (void)node;
    use.programs = use.programs ? use.programs : 1;
    GFAB_TRY(gfab_banks_create(r->layout, &crossbar, count_round_bits(file, 1), r->shape->layout.blocks ? &use : NULL,
                               &r->banks, diag));
    find_sequence(r, bits, gfab_banks_word_bits(r->banks));
    return GFAB_OK;
}

static gfab_status read_wide_sequence(reader *r, size_t node, FILE *file, gfab_diag *diag)
{
    (void)node;
    return gfab_banks_read_sequence(r->banks, count_gap_bits(file), file, diag);
}

static gfab_status read_wide_program(reader *r, size_t node, FILE *file, gfab_diag *diag)
{
    return r->joined ? gfab_banks_read_joined(r->banks, node, node == 0, r->gap_bits, file, diag)
                     : gfab_banks_read_program(r->banks, node, file, diag);
}

static gfab_status read_places(reader *r, size_t node, FILE *file, gfab_diag *diag)
{
    return gfab_banks_read_places(r->banks, node, file, diag);
}

static gfab_status read_slots(reader *r, size_t node, FILE *file, gfab_diag *diag)
{
    return gfab_layout_read_places(r->layout, gfab_image_slot_bits(r->image), node, file, diag);
}

static gfab_status read_loads(reader *r, size_t node, FILE *file, gfab_diag *diag)
{
    return gfab_banks_read_loads(r->banks, node, file, diag);
}

/* Programs were once written without it, with halts of their own. */
static gfab_status expect_sequence(const reader *r)
{
    char path[PATH_SIZE];
    if (snprintf(path, sizeof path, "%s/sequence.hex", r->folder) >= (int)sizeof path)
        return gfab_fail(r->diag, 0, GFAB_ERR_IO, "the path %.100s... is too long", r->folder);
    FILE *file = fopen(path, "r");
    if (!file && errno == ENOENT)
        return GFAB_REFUSE(r->diag,
                           "%.300s: there is none; programs of before it, which have halts in them, are not read: "
                           "generate the fabric again",
                           path);
    if (file)
        fclose(file);
    return GFAB_OK;
}

static gfab_status read_wide(reader *r)
{
    GFAB_TRY(read_node(r, "program", 0, create_banks));
    if (!r->joined) {
        GFAB_TRY(expect_sequence(r));
        GFAB_TRY(read_file(r, "sequence.hex", 0, read_wide_sequence));
    }
    GFAB_TRY(read_nodes(r, "program", read_wide_program));
    GFAB_TRY(read_nodes(r, "places", read_places));
    return gfab_banks_load_count(r->banks) ? read_nodes(r, "loads", read_loads) : GFAB_OK;
}

static gfab_status read_narrow(reader *r)
{
    GFAB_TRY(read_node(r, "program", 0, create_image));
    if (!r->joined)
        GFAB_TRY(expect_sequence(r));
    GFAB_TRY(read_nodes(r, "program", read_program));
    if (r->shape->layout.paths)
        GFAB_TRY(read_nodes(r, "paths", read_paths));
    if (r->shape->slots)
        GFAB_TRY(read_nodes(r, "places", read_slots));
    return !r->joined ? read_file(r, "sequence.hex", 0, read_sequence) : GFAB_OK;
}

/* How many slots stores have, where it is not as many as there are tokens or blocks. */
static gfab_status set_slots(const reader *r)
{
    const gfab_topology *topology = gfab_layout_topology(r->layout);
    const gfab_machine_shape *shape = r->shape;
    gfab_status status = shape->slots ? gfab_layout_allocate(r->layout, &shape->use.goals[0], shape->slots) : GFAB_OK;
    for (size_t node = 0; shape->node_slots && node < r->nodes && status == GFAB_OK; node++)
        if (gfab_topology_is_relay(topology, node))
            status = gfab_layout_set_node_slots(r->layout, node, shape->node_slots[node]);
    return status ? gfab_fail(r->diag, 0, status, "slots of stores: %s", gfab_status_string(status)) : GFAB_OK;
}

gfab_status gfab_machine_read(const gfab_topology *topology, const gfab_machine_shape *shape, const char *folder,
                              gfab_machine **machine, gfab_diag *diag)
{
    reader r = {.folder = folder, .shape = shape, .nodes = gfab_topology_node_count(topology), .diag = diag};
    gfab_timing timing;
    r.digits = snprintf(NULL, 0, "%zu", r.nodes - 1);
    gfab_layout_options options = shape->layout;
    options.alike = false; /* every node's files are read, and may differ */
    gfab_status status = gfab_layout_create(topology, &options, &r.layout, diag);
    GFAB_THEN(status, set_slots(&r));
    GFAB_THEN(status, gfab_timing_compute(r.layout, &shape->timing, &timing, diag));
    GFAB_THEN(status, shape->layout.wide ? read_wide(&r) : read_narrow(&r));
    GFAB_THEN(status, gfab_told(gfab_machine_create(r.image, r.banks, &timing, machine), diag));
    if (status == GFAB_OK) {
        gfab_machine_own(*machine, r.layout, r.image, r.banks);
        return GFAB_OK;
    }
    gfab_banks_destroy(r.banks);
    gfab_image_destroy(r.image);
    gfab_layout_destroy(r.layout);
    return status;
}
