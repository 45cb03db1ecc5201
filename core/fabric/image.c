/* SPDX-License-Identifier: MIT */
#include <gossipfab/fabric/image.h>

#include "base/word_array.h"
#include "image_check.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define MAX_ROUND_BITS 24u

/* Words are kept round by round, node by node, lane by lane: what works on an image works on one round of all nodes. */
struct gfab_image {
    const gfab_layout *slots;
    size_t nodes;
    uint32_t round_bits;
    uint32_t slot_bits;
    uint32_t op_bits;
    uint32_t stride_bits; /* the lane stride is 2^stride_bits */
    uint32_t half_bits;   /* op_bits is one or two of them */
    uint32_t gap_bits;
    uint32_t source_bits, tap_bits, wait_bits; /* of a path word; 0 without paths */
    word_array words;
    word_array paths; /* likewise; no data without paths */
    uint32_t *gaps;   /* by round, from 0 */
};

/* Bits that number count things from 0. */
static uint32_t bits_for(size_t count)
{
    uint32_t bits = 0;
    while (bits < 32 && (size_t)1 << bits < count)
        bits++;
    return bits;
}

gfab_status gfab_image_create(const gfab_layout *slots, uint32_t round_bits, gfab_image **image, gfab_diag *diag)
{
    if (round_bits > MAX_ROUND_BITS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u round bits: at most %u", (unsigned)round_bits, MAX_ROUND_BITS);
    gfab_image *result = calloc(1, sizeof *result);
    if (!result)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    result->slots = slots;
    result->nodes = gfab_topology_node_count(gfab_layout_topology(slots));
    result->round_bits = round_bits;
    result->slot_bits = bits_for(gfab_layout_slot_count(slots));
    if (result->slot_bits == 0)
        result->slot_bits = 1;
    result->half_bits = result->slot_bits + 2;
    result->op_bits = result->half_bits * gfab_layout_halves(slots);
    if (result->op_bits > 32) {
        const unsigned op_bits = result->op_bits;
        free(result);
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "full-duplex ops of %u bits: at most 32", op_bits);
    }
    result->stride_bits = bits_for(gfab_layout_lane_count(slots));
    const size_t count = word_array_product(result->nodes, (size_t)1 << (round_bits + result->stride_bits));
    if (word_array_product(count, sizeof(uint32_t)) == SIZE_MAX) {
        free(result);
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "images of %zu nodes and 2^%u rounds are too large",
                         gfab_topology_node_count(gfab_layout_topology(slots)), (unsigned)round_bits);
    }
    result->words = word_array_create(count, result->op_bits);
    result->gaps = calloc((size_t)1 << round_bits, sizeof *result->gaps);
    const bool has_paths = gfab_layout_paths(slots);
    if (has_paths) {
        result->source_bits = bits_for(gfab_layout_lane_count(slots) + 1);
        result->tap_bits = bits_for(gfab_layout_lane_count(slots));
        result->wait_bits = 1;
        result->paths = word_array_create(count, 32);
    }
    if (!result->words.at.data || !result->gaps || (has_paths && !result->paths.at.data)) {
        gfab_image_destroy(result);
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for images of %zu words", count);
    }
    *image = result;
    return GFAB_OK;
}

void gfab_image_destroy(gfab_image *image)
{
    if (!image)
        return;
    free(image->words.at.data);
    free(image->paths.at.data);
    free(image->gaps);
    free(image);
}

const gfab_layout *gfab_image_slots(const gfab_image *image)
{
    return image->slots;
}

uint32_t gfab_image_round_bits(const gfab_image *image)
{
    return image->round_bits;
}

uint32_t gfab_image_slot_bits(const gfab_image *image)
{
    return image->slot_bits;
}

uint32_t gfab_image_op_bits(const gfab_image *image)
{
    return image->op_bits;
}

uint32_t gfab_image_lane_stride(const gfab_image *image)
{
    return 1u << image->stride_bits;
}

size_t gfab_image_word_count(const gfab_image *image)
{
    return (size_t)1 << (image->round_bits + image->stride_bits);
}

/* Where word index of node's ROM is kept. */
static size_t place(const gfab_image *image, size_t node, size_t index)
{
    const size_t lane = index & (((size_t)1 << image->stride_bits) - 1);
    assert(node < image->nodes && index < gfab_image_word_count(image));
    return (((index >> image->stride_bits) * image->nodes + node) << image->stride_bits) + lane;
}

uint32_t gfab_image_word(const gfab_image *image, size_t node, size_t index)
{
    return word_array_get(&image->words, place(image, node, index));
}

void gfab_image_set_word(gfab_image *image, size_t node, size_t index, uint32_t word)
{
    assert((uint64_t)word >> image->op_bits == 0);
    word_array_set(&image->words, place(image, node, index), word);
}

gfab_op gfab_image_op(const gfab_image *image, size_t node, size_t round, size_t lane, uint32_t half)
{
    const uint32_t word = gfab_image_word(image, node, ((round - 1) << image->stride_bits) + lane);
    return gfab_op_decode(
        (uint32_t)((uint64_t)word >> half * image->half_bits & (((uint64_t)1 << image->half_bits) - 1)));
}

static uint32_t path_word(const gfab_image *image, gfab_path path)
{
    return path.source | path.tap << image->source_bits | path.wait << (image->source_bits + image->tap_bits);
}

static gfab_path path_of(const gfab_image *image, uint32_t word)
{
    const gfab_path path = {.source = word & ((1u << image->source_bits) - 1),
                            .tap = word >> image->source_bits & ((1u << image->tap_bits) - 1),
                            .wait = word >> (image->source_bits + image->tap_bits)};
    return path;
}

gfab_status gfab_image_set_wait_bits(gfab_image *image, uint32_t wait_bits, gfab_diag *diag)
{
    const uint32_t fixed = image->source_bits + image->tap_bits;
    if (wait_bits == 0 || fixed + wait_bits > 32)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u wait bits: 1 to %u", (unsigned)wait_bits, (unsigned)(32 - fixed));
    for (size_t i = 0; i < image->nodes * gfab_image_word_count(image); i++)
        if ((uint64_t)word_array_get(&image->paths, i) >> (fixed + wait_bits))
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a wait of %u turns does not fit in %u bits",
                             (unsigned)(word_array_get(&image->paths, i) >> fixed), (unsigned)wait_bits);
    image->wait_bits = wait_bits;
    return GFAB_OK;
}

uint32_t gfab_image_wait_bits(const gfab_image *image)
{
    return image->wait_bits;
}

uint32_t gfab_image_path_bits(const gfab_image *image)
{
    return image->source_bits + image->tap_bits + image->wait_bits;
}

gfab_path gfab_image_path(const gfab_image *image, size_t node, size_t round, size_t lane)
{
    return path_of(image,
                   word_array_get(&image->paths, place(image, node, ((round - 1) << image->stride_bits) + lane)));
}

void gfab_image_set_path(gfab_image *image, size_t node, size_t round, size_t lane, gfab_path path)
{
    assert((uint64_t)path_word(image, path) >> gfab_image_path_bits(image) == 0);
    word_array_set(&image->paths, place(image, node, ((round - 1) << image->stride_bits) + lane),
                   path_word(image, path));
}

gfab_status gfab_image_set_gap_bits(gfab_image *image, uint32_t gap_bits, gfab_diag *diag)
{
    if (gap_bits > GFAB_MAX_GAP_BITS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u gap bits: at most %u", (unsigned)gap_bits, GFAB_MAX_GAP_BITS);
    for (size_t round = 1; round <= (size_t)1 << image->round_bits; round++)
        if (gfab_image_gap(image, round) >> gap_bits)
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "round %zu: a gap of %u cycles does not fit in %u bits", round,
                             (unsigned)gfab_image_gap(image, round), (unsigned)gap_bits);
    image->gap_bits = gap_bits;
    return GFAB_OK;
}

uint32_t gfab_image_gap_bits(const gfab_image *image)
{
    return image->gap_bits;
}

uint32_t gfab_image_gap(const gfab_image *image, size_t round)
{
    assert(round >= 1 && round <= (size_t)1 << image->round_bits);
    return image->gaps[round - 1];
}

void gfab_image_set_gap(gfab_image *image, size_t round, uint32_t cycles)
{
    assert(round >= 1 && round <= (size_t)1 << image->round_bits && cycles >> image->gap_bits == 0);
    image->gaps[round - 1] = cycles;
}

uint64_t gfab_image_gap_cycles(const gfab_image *image)
{
    uint64_t sum = 0;
    for (size_t round = 0; round < (size_t)1 << image->round_bits; round++)
        sum += image->gaps[round];
    return sum;
}

uint64_t gfab_image_gossip_cycles(const gfab_image *image, const gfab_timing *timing, uint32_t rounds)
{
    return gfab_timing_gossip_cycles(timing, rounds) + gfab_image_gap_cycles(image);
}

static int digit_count(uint32_t bits)
{
    return (int)(bits + 3) / 4;
}

static void write_word(uint32_t word, int count, FILE *file)
{
    static const char digits[] = "0123456789abcdef";
    char line[9]; /* a word has 32 bits at the most */
    for (int d = 0; d < count; d++)
        line[d] = digits[word >> 4 * (count - 1 - d) & 15];
    line[count] = '\n';
    fwrite(line, 1, (size_t)count + 1, file);
}

gfab_status gfab_image_write_gaps(const gfab_image *image, FILE *file, gfab_diag *diag)
{
    for (size_t round = 0; round < (size_t)1 << image->round_bits; round++)
        write_word(image->gaps[round], digit_count(image->gap_bits), file);
    if (fflush(file) || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "gaps: %s", strerror(errno));
    return GFAB_OK;
}

gfab_status gfab_image_write_paths(const gfab_image *image, size_t node, FILE *file, gfab_diag *diag)
{
    for (size_t index = 0; index < gfab_image_word_count(image); index++)
        write_word(word_array_get(&image->paths, place(image, node, index)), digit_count(gfab_image_path_bits(image)),
                   file);
    if (fflush(file) || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "paths of node %zu: %s", node, strerror(errno));
    return GFAB_OK;
}

gfab_status gfab_image_write(const gfab_image *image, size_t node, FILE *file, gfab_diag *diag)
{
    for (size_t index = 0; index < gfab_image_word_count(image); index++)
        write_word(gfab_image_word(image, node, index), digit_count(image->op_bits), file);
    if (fflush(file) || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "program of node %zu: %s", node, strerror(errno));
    return GFAB_OK;
}

static int hex_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A node's ROM, to be sorted by content, then by node. In the rotated frame the content is that of its lanes in rising
 * order of theirs, so that it is the same for nodes that differ in the order of lanes alone. */
typedef struct rom {
    const gfab_image *image;
    uint32_t node;
    const uint8_t *order; /* [rank]: lane */
} rom;

/* An op's word, a halt's as if it were idle. */
static uint32_t word_but_halt(const gfab_image *image, uint32_t node, size_t round, size_t lane)
{
    const uint32_t word = gfab_image_word(image, node, (round << image->stride_bits) + lane);
    return gfab_op_decode(word).kind == GFAB_OP_HALT ? 0 : word;
}

/* Compares `count` lanes of a node with as many of another, round by round. */
static int compare_lanes(const gfab_image *image, uint32_t a, const uint8_t *a_lanes, uint32_t b,
                         const uint8_t *b_lanes, size_t count)
{
    for (size_t round = 0; round >> image->round_bits == 0; round++)
        for (size_t i = 0; i < count; i++) {
            const uint32_t x = word_but_halt(image, a, round, a_lanes[i]);
            const uint32_t y = word_but_halt(image, b, round, b_lanes[i]);
            if (x != y)
                return x < y ? -1 : 1;
        }
    return 0;
}

static int compare_content(const rom *a, const rom *b)
{
    return compare_lanes(a->image, a->node, a->order, b->node, b->order, gfab_layout_lane_count(a->image->slots));
}

static int compare_roms(const void *left, const void *right)
{
    const rom *a = left;
    const rom *b = right;
    const int order = compare_content(a, b);
    return order ? order : (a->node > b->node) - (a->node < b->node);
}

/* A node's lanes, in the rotated frame sorted by content, then by number: by insertion, they are few. Not on a torus:
 * programs with their lanes in order have more logic in common than a lane map saves (docs/reference/rom-format.md). */
static void order_lanes(const gfab_image *image, uint32_t node, uint8_t *order)
{
    const bool rotated = gfab_layout_frame(image->slots) == GFAB_FRAME_ROTATED;
    for (size_t lane = 0; lane < gfab_layout_lane_count(image->slots); lane++) {
        const uint8_t own = (uint8_t)lane;
        size_t at = lane;
        for (; rotated && at > 0 && compare_lanes(image, node, &own, node, &order[at - 1], 1) < 0; at--)
            order[at] = order[at - 1];
        order[at] = own;
    }
}

/* Fills program and lanes from the sorted ROMs. */
static void share_programs(gfab_sharing *sharing, const rom *roms, size_t nodes, size_t lane_count)
{
    const uint8_t *first_order = NULL;
    for (size_t i = 0; i < nodes; i++) {
        const uint32_t node = roms[i].node;
        const bool same = i > 0 && compare_content(&roms[i], &roms[i - 1]) == 0;
        sharing->program[node] = same ? sharing->program[roms[i - 1].node] : node;
        sharing->programs += !same;
        if (!same)
            first_order = roms[i].order;
        for (size_t rank = 0; rank < lane_count; rank++)
            sharing->lanes[node * lane_count + roms[i].order[rank]] = first_order[rank];
    }
}

static void share_roms(gfab_sharing *sharing, size_t nodes, size_t lane_count)
{
    const uint8_t *lanes = sharing->lanes;
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t other = sharing->program[node];
        while (sharing->program[other] != sharing->program[node] ||
               memcmp(lanes + other * lane_count, lanes + node * lane_count, lane_count) != 0)
            other++;
        sharing->rom[node] = other;
        sharing->roms += other == node;
    }
}

static void share_nothing(gfab_sharing *sharing, size_t nodes, size_t lane_count)
{
    for (uint32_t node = 0; node < nodes; node++) {
        sharing->program[node] = sharing->rom[node] = node;
        for (size_t lane = 0; lane < lane_count; lane++)
            sharing->lanes[node * lane_count + lane] = (uint8_t)lane;
    }
    sharing->programs = sharing->roms = nodes;
}

static gfab_status share(const gfab_image *image, gfab_sharing *sharing)
{
    const size_t lane_count = gfab_layout_lane_count(image->slots);
    rom *roms = malloc(word_array_product(image->nodes, sizeof *roms));
    uint8_t *orders = malloc(word_array_product(image->nodes, lane_count));
    if (roms && orders) {
        for (uint32_t node = 0; node < image->nodes; node++) {
            order_lanes(image, node, orders + node * lane_count);
            roms[node] = (rom){image, node, orders + node * lane_count};
        }
        qsort(roms, image->nodes, sizeof *roms, compare_roms);
        share_programs(sharing, roms, image->nodes, lane_count);
        share_roms(sharing, image->nodes, lane_count);
    }
    const bool ok = roms && orders;
    free(roms);
    free(orders);
    return ok ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

gfab_status gfab_sharing_create(const gfab_image *image, gfab_sharing **sharing)
{
    const size_t lane_count = gfab_layout_lane_count(image->slots);
    gfab_sharing *result = calloc(1, sizeof *result);
    gfab_status status = GFAB_ERR_NO_MEMORY;
    assert(lane_count <= UINT8_MAX);
    if (result) {
        result->program = malloc(word_array_product(image->nodes, sizeof *result->program));
        result->rom = malloc(word_array_product(image->nodes, sizeof *result->rom));
        result->lanes = malloc(word_array_product(image->nodes, lane_count));
    }
    if (result && result->program && result->rom && result->lanes) {
        status = GFAB_OK;
        if (gfab_layout_frame(image->slots) == GFAB_FRAME_ABSOLUTE)
            share_nothing(result, image->nodes, lane_count);
        else
            status = share(image, result);
    }
    if (status == GFAB_OK)
        *sharing = result;
    else
        gfab_sharing_destroy(result);
    return status;
}

void gfab_sharing_destroy(gfab_sharing *sharing)
{
    if (!sharing)
        return;
    free(sharing->program);
    free(sharing->lanes);
    free(sharing->rom);
    free(sharing);
}

/* Reads the words of a ROM, of `bits` bits each, into words[expected]. */
static gfab_status read_words(uint32_t *words, size_t expected, uint32_t bits, FILE *file, gfab_diag *diag)
{
    const int digits = digit_count(bits);
    size_t count = 0;
    size_t line = 1;
    for (int c = getc(file); c != EOF; line++) {
        uint32_t word = 0;
        int seen = 0;
        for (; seen <= digits && hex_value(c) >= 0; c = getc(file), seen++)
            word = word << 4 | (uint32_t)hex_value(c);
        if (seen != 0 && seen != digits)
            return gfab_fail(diag, line, GFAB_ERR_PARSE, "a word has %d hexadecimal digits", digits);
        while (c == ' ' || c == '\t')
            c = getc(file);
        const bool comment = c == '/' && getc(file) == '/';
        while (comment && c != '\n' && c != EOF)
            c = getc(file);
        if (c != '\n' && c != EOF)
            return gfab_fail(diag, line, GFAB_ERR_PARSE, "expected one word of %d lower-case hexadecimal digits",
                             digits);
        if (seen) {
            if ((uint64_t)word >> bits)
                return gfab_fail(diag, line, GFAB_ERR_PARSE, "word %0*x has more than %u bits", digits, (unsigned)word,
                                 (unsigned)bits);
            if (count == expected)
                return gfab_fail(diag, line, GFAB_ERR_PARSE, "more than %zu words", expected);
            words[count++] = word;
        }
        if (c == '\n')
            c = getc(file);
    }
    if (ferror(file))
        return gfab_fail(diag, line, GFAB_ERR_IO, "%s", strerror(errno));
    if (count < expected)
        return gfab_fail(diag, line, GFAB_ERR_PARSE, "%zu words where there must be %zu", count, expected);
    return GFAB_OK;
}

gfab_status gfab_image_read(gfab_image *image, size_t node, FILE *file, gfab_diag *diag)
{
    const size_t count = gfab_image_word_count(image);
    uint32_t *words = malloc(word_array_product(count, sizeof *words));
    if (!words)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for %zu words", count);
    const gfab_status status = read_words(words, count, image->op_bits, file, diag);
    for (size_t index = 0; status == GFAB_OK && index < count; index++)
        gfab_image_set_word(image, node, index, words[index]);
    free(words);
    return status;
}

gfab_status gfab_image_read_paths(gfab_image *image, size_t node, FILE *file, gfab_diag *diag)
{
    const size_t count = gfab_image_word_count(image);
    uint32_t *words = malloc(word_array_product(count, sizeof *words));
    if (!words)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for %zu words", count);
    const gfab_status status = read_words(words, count, gfab_image_path_bits(image), file, diag);
    for (size_t index = 0; status == GFAB_OK && index < count; index++)
        word_array_set(&image->paths, place(image, node, index), words[index]);
    free(words);
    return status;
}

gfab_status gfab_image_read_gaps(gfab_image *image, FILE *file, gfab_diag *diag)
{
    const size_t count = (size_t)1 << image->round_bits;
    uint32_t *words = malloc(word_array_product(count, sizeof *words));
    if (!words)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for %zu gaps", count);
    const gfab_status status = read_words(words, count, image->gap_bits, file, diag);
    if (status == GFAB_OK)
        memcpy(image->gaps, words, count * sizeof *words);
    free(words);
    return status;
}

static gfab_status fault(gfab_diag *diag, size_t node, size_t round, size_t lane, const char *text)
{
    return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu, round %zu, lane %zu: %s", node, round, lane, text);
}

/* Rules 1, 2 and 3 of docs/reference/rom-format.md for one op, or half of one, and that nothing follows the halt. halt
 * is the round of node 0's first halt. */
static gfab_status check_op(const gfab_image *image, size_t node, size_t round, size_t lane, uint32_t half, size_t halt,
                            gfab_diag *diag)
{
    const gfab_op op = gfab_image_op(image, node, round, lane, half);
    const char *kind = gfab_op_kind_name(op.kind);
    const bool halts = op.kind == GFAB_OP_HALT;
    char text[160];
    if (gfab_layout_halves(image->slots) == 2 && op.kind == (half ? GFAB_OP_SEND : GFAB_OP_RECV)) {
        snprintf(text, sizeof text, "%s in the half for what is %s", kind, half ? "received" : "sent");
        return fault(diag, node, round, lane, text);
    }
    if (halts && half)
        return fault(diag, node, round, lane, "halt in the half for what is received");
    if (halts && lane != 0)
        return fault(diag, node, round, lane, "halt outside lane 0");
    if (lane == 0 && half == 0 && halts != (round == halt)) {
        snprintf(text, sizeof text, "%s, but node 0 first halts in round %zu", kind, halt);
        return fault(diag, node, round, lane, text);
    }
    if (halts || op.kind == GFAB_OP_IDLE) {
        snprintf(text, sizeof text, "%s with slot %u", kind, (unsigned)op.slot);
        return op.slot ? fault(diag, node, round, lane, text) : GFAB_OK;
    }
    if (lane >= gfab_layout_lane_count(image->slots) || gfab_layout_port(image->slots, node, lane) == GFAB_NO_PORT) {
        snprintf(text, sizeof text, "%s in a lane that the node does not have", kind);
        return fault(diag, node, round, lane, text);
    }
    if (op.slot >= gfab_layout_slot_count(image->slots)) {
        snprintf(text, sizeof text, "%s slot %u of only %zu", kind, (unsigned)op.slot,
                 gfab_layout_slot_count(image->slots));
        return fault(diag, node, round, lane, text);
    }
    if (round >= halt) {
        snprintf(text, sizeof text, "%s, but the gossip halts in round %zu", kind, halt);
        return fault(diag, node, round, lane, text);
    }
    return GFAB_OK;
}

/* Rule 4 for one link and round: what end `end` does in one of its halves against the other end's counterpart. */
static gfab_status check_link(const gfab_image *image, size_t link, size_t round, const size_t lane[2], size_t end,
                              gfab_diag *diag)
{
    const gfab_link ends = gfab_topology_link(gfab_layout_topology(image->slots), link);
    const uint32_t node = ends.node[end], peer = ends.node[1 - end];
    const bool full = gfab_layout_halves(image->slots) == 2;
    const gfab_op a = gfab_image_op(image, node, round, lane[end], 0);
    const gfab_op b = gfab_image_op(image, peer, round, lane[1 - end], full ? 1 : 0);
    const bool idle = a.kind == GFAB_OP_IDLE && b.kind == GFAB_OP_IDLE;
    const bool moves = (a.kind == GFAB_OP_SEND && b.kind == GFAB_OP_RECV) ||
                       (!full && a.kind == GFAB_OP_RECV && b.kind == GFAB_OP_SEND);
    if (idle ||
        (moves && gfab_layout_token(image->slots, node, a.slot) == gfab_layout_token(image->slots, peer, b.slot)))
        return GFAB_OK;
    char text[160];
    snprintf(text, sizeof text, "%s slot %u, but %s slot %u at the other end, node %u, lane %zu",
             gfab_op_kind_name(a.kind), (unsigned)a.slot, gfab_op_kind_name(b.kind), (unsigned)b.slot, (unsigned)peer,
             lane[1 - end]);
    return fault(diag, node, round, lane[end], text);
}

static size_t lane_of_end(const gfab_layout *slots, size_t link, size_t end)
{
    const gfab_topology *topology = gfab_layout_topology(slots);
    const size_t node = gfab_topology_link(topology, link).node[end];
    size_t count;
    const gfab_port *ports = gfab_topology_ports(topology, node, &count);
    size_t port = 0;
    while (ports[port].link != link)
        port++;
    assert(port < count);
    return gfab_layout_lane(slots, node, port);
}

/* Rule 4 for all links and rounds, round by round. */
static gfab_status check_links(const gfab_image *image, size_t halt, gfab_diag *diag)
{
    const size_t links = gfab_topology_link_count(gfab_layout_topology(image->slots));
    size_t(*lanes)[2] = malloc(links * sizeof *lanes);
    if (!lanes)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    for (size_t link = 0; link < links; link++)
        for (size_t end = 0; end < 2; end++)
            lanes[link][end] = lane_of_end(image->slots, link, end);
    gfab_status status = GFAB_OK;
    for (size_t round = 1; round < halt && status == GFAB_OK; round++)
        for (size_t link = 0; link < links && status == GFAB_OK; link++)
            for (size_t end = 0; end < gfab_layout_halves(image->slots) && status == GFAB_OK; end++)
                status = check_link(image, link, round, lanes[link], end, diag);
    free(lanes);
    return status;
}

/* Rule 5 for one node. */
static gfab_status check_return(const gfab_image *image, size_t node, size_t halt, gfab_diag *diag)
{
    const uint32_t last_half = gfab_layout_halves(image->slots) - 1;
    for (size_t round = 1; round + 1 < halt; round++) {
        const gfab_op in = gfab_image_op(image, node, round, 0, last_half);
        const gfab_op out = gfab_image_op(image, node, round + 1, 0, 0);
        if (in.kind == GFAB_OP_RECV && out.kind == GFAB_OP_SEND && in.slot == out.slot &&
            gfab_image_gap(image, round) == 0) {
            char text[160];
            snprintf(text, sizeof text,
                     "token %u goes back over the skewed link it came by in the round before, too "
                     "soon for tokens of two words",
                     (unsigned)out.slot);
            return fault(diag, node, round + 1, 0, text);
        }
    }
    return GFAB_OK;
}

/* Rule 6. */
static gfab_status check_gaps(const gfab_image *image, size_t halt, gfab_diag *diag)
{
    for (size_t round = halt; round <= (size_t)1 << image->round_bits; round++)
        if (gfab_image_gap(image, round))
            return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                             "round %zu: a gap of %u cycles, but the gossip halts in round %zu", round,
                             (unsigned)gfab_image_gap(image, round), halt);
    return GFAB_OK;
}

gfab_status gfab_image_check(const gfab_image *image, const gfab_timing *timing, uint32_t *rounds, gfab_diag *diag)
{
    const size_t round_count = (size_t)1 << image->round_bits;
    const uint32_t halves = gfab_layout_halves(image->slots);
    size_t halt = 1;
    while (halt <= round_count && gfab_image_op(image, 0, halt, 0, 0).kind != GFAB_OP_HALT)
        halt++;
    if (halt > round_count)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node 0: no halt in lane 0 of any round");
    for (size_t round = 1; round <= round_count; round++)
        for (size_t node = 0; node < image->nodes; node++)
            for (size_t lane = 0; lane < (size_t)1 << image->stride_bits; lane++)
                for (uint32_t half = 0; half < halves; half++) {
                    const gfab_status status = check_op(image, node, round, lane, half, halt, diag);
                    if (status != GFAB_OK)
                        return status;
                }
    gfab_status status = timing->paths ? gfab_check_paths(image, timing, halt, diag) : check_links(image, halt, diag);
    for (size_t node = 0; status == GFAB_OK && timing->words == 2 && !timing->paths && node < image->nodes; node++)
        if (gfab_layout_skew(image->slots, node))
            status = check_return(image, node, halt, diag);
    if (status == GFAB_OK)
        status = check_gaps(image, halt, diag);
    if (status == GFAB_OK && rounds)
        *rounds = (uint32_t)(halt - 1);
    return status;
}
