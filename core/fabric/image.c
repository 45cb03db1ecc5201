/* SPDX-License-Identifier: MIT */
/* The bits of all ROMs, and the fields in them: ops, the sequence's word for each round, gaps, and paths. An image
 * knows nothing of schedules; it is what hardware has. Words are kept once for each kind of node and in 16 or 32 bits,
 * whichever suffices, since a fabric may have 2^24 rounds. Text is in image_text.c, whether an image is legal in
 * checks/, and which nodes have equal ROMs in image_sharing.c. */
#include "base/bits.h"
#include "base/tells.h"
#include "image_internal.h"

#include <assert.h>

GFAB_ENDS_BY(gfab_image_destroy, gfab_image)

#define MAX_ROUND_BITS 24u

/* Bits that number count things from 0. */
static uint32_t bits_for(size_t count)
{
    uint32_t bits = 0;
    while (bits < 32 && (size_t)1 << bits < count)
        bits++;
    return bits;
}

gfab_status gfab_image_create(const gfab_layout *layout, uint32_t round_bits, gfab_image **image, gfab_diag *diag)
{
    if (round_bits > MAX_ROUND_BITS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u round bits: at most %u", (unsigned)round_bits, MAX_ROUND_BITS);
    GFAB_AT_END(gfab_image_at_end) gfab_image *result = calloc(1, sizeof *result);
    GFAB_NEED_TOLD(result, diag);
    result->layout = layout;
    result->kinds = gfab_layout_kind_count(layout);
    result->round_bits = round_bits;
    result->program_count = 1;
    result->slot_bits = bits_for(gfab_layout_slot_count(layout));
    if (result->slot_bits == 0)
        result->slot_bits = 1;
    result->half_bits = result->slot_bits + 2;
    result->op_bits = result->half_bits * gfab_layout_halves(layout);
    if (result->half_bits > 32)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "ops of %u bits: at most 32", (unsigned)result->half_bits);
    result->stride_bits = bits_for(gfab_layout_lane_count(layout));
    const size_t count = word_array_product(result->kinds, (size_t)1 << (round_bits + result->stride_bits));
    if (word_array_product(count, sizeof(uint32_t)) == SIZE_MAX)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "images of %zu nodes and 2^%u rounds are too large",
                         gfab_topology_node_count(gfab_layout_topology(layout)), (unsigned)round_bits);
    const uint32_t upper_bits = result->op_bits > 32 ? result->op_bits - 32 : 0;
    result->words = word_array_create(count, result->op_bits);
    if (upper_bits)
        result->upper = word_array_create(count, upper_bits);
    result->sequence = calloc((size_t)1 << round_bits, sizeof *result->sequence);
    const bool has_paths = gfab_layout_paths(layout);
    if (has_paths) {
        result->source_bits = bits_for(gfab_layout_lane_count(layout) + 1);
        result->tap_bits = bits_for(gfab_layout_lane_count(layout));
        result->wait_bits = 1;
        result->paths = word_array_create(count, 32);
    }
    if (!result->words.at.data || (upper_bits && !result->upper.at.data) || !result->sequence ||
        (has_paths && !result->paths.at.data))
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for images of %zu words", count);
    *image = gfab_take_at(&result);
    return GFAB_OK;
}

void gfab_image_destroy(gfab_image *image)
{
    if (!image)
        return;
    GFAB_FREE(image->words.at.data, image->upper.at.data, image->paths.at.data, image->sequence, image);
}

GFAB_TELLS(const gfab_layout *, gfab_image_layout, gfab_image, layout)
GFAB_TELLS(uint32_t, gfab_image_round_bits, gfab_image, round_bits)
GFAB_TELLS(uint32_t, gfab_image_slot_bits, gfab_image, slot_bits)
GFAB_TELLS(uint32_t, gfab_image_op_bits, gfab_image, op_bits)

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
    const size_t kind = gfab_layout_kind(image->layout, node);
    assert(kind < image->kinds && index < gfab_image_word_count(image));
    return (((index >> image->stride_bits) * image->kinds + kind) << image->stride_bits) + lane;
}

uint64_t gfab_image_word(const gfab_image *image, size_t node, size_t index)
{
    const size_t at = place(image, node, index);
    const uint64_t upper = image->upper.at.data ? word_array_get(&image->upper, at) : 0;
    return upper << 32 | word_array_get(&image->words, at);
}

void gfab_image_set_word(gfab_image *image, size_t node, size_t index, uint64_t word)
{
    const size_t at = place(image, node, index);
    assert(image->op_bits == 64 || word >> image->op_bits == 0);
    word_array_set(&image->words, at, (uint32_t)word);
    if (image->upper.at.data)
        word_array_set(&image->upper, at, (uint32_t)(word >> 32));
}

gfab_op gfab_image_op(const gfab_image *image, size_t node, size_t round, size_t lane, uint32_t half)
{
    const uint64_t word = gfab_image_word(image, node, ((round - 1) << image->stride_bits) + lane);
    return gfab_op_decode((uint32_t)(word >> half * image->half_bits & (((uint64_t)1 << image->half_bits) - 1)));
}

gfab_status gfab_image_set_programs(gfab_image *image, const uint32_t *first_rounds, size_t count, gfab_diag *diag)
{
    if (count == 0 || count > GFAB_MAX_PROGRAMS)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%zu programs: 1 to %u", count, GFAB_MAX_PROGRAMS);
    for (size_t i = 0; i < count; i++)
        if (first_rounds[i] >> image->round_bits)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "program %zu begins in round %u of 2^%u", i,
                             (unsigned)first_rounds[i], (unsigned)image->round_bits);
    image->program_count = count;
    for (size_t i = 0; i < count; i++)
        image->first_rounds[i] = first_rounds[i];
    return GFAB_OK;
}

GFAB_TELLS(size_t, gfab_image_program_count, gfab_image, program_count)

uint32_t gfab_image_first_round(const gfab_image *image, size_t program)
{
    assert(program < image->program_count);
    return image->first_rounds[program];
}

bool gfab_image_halts(const gfab_image *image, size_t round)
{
    assert(round >= 1 && round <= (size_t)1 << image->round_bits);
    return image->sequence[round - 1] >> GFAB_SEQUENCE_HALT & 1;
}

void gfab_image_set_halt(gfab_image *image, size_t round, bool halts)
{
    uint32_t *word = &image->sequence[round - 1];
    assert(round >= 1 && round <= (size_t)1 << image->round_bits);
    *word = (*word & ~(1u << GFAB_SEQUENCE_HALT)) | (uint32_t)halts << GFAB_SEQUENCE_HALT;
}

bool gfab_image_begins(const gfab_image *image, size_t round)
{
    assert(round >= 1 && round <= (size_t)1 << image->round_bits);
    return image->sequence[round - 1] >> GFAB_SEQUENCE_LOOP & 1;
}

bool gfab_image_loops(const gfab_image *image, size_t round)
{
    assert(round >= 1 && round <= (size_t)1 << image->round_bits);
    return image->sequence[round - 1] >> GFAB_SEQUENCE_AGAIN & 1;
}

void gfab_image_set_loop(gfab_image *image, size_t round, bool begins, bool loops)
{
    uint32_t *word = &image->sequence[round - 1];
    assert(round >= 1 && round <= (size_t)1 << image->round_bits);
    *word = (*word & ~(1u << GFAB_SEQUENCE_LOOP | 1u << GFAB_SEQUENCE_AGAIN)) | (uint32_t)begins << GFAB_SEQUENCE_LOOP |
            (uint32_t)loops << GFAB_SEQUENCE_AGAIN;
}

uint32_t gfab_image_ages(const gfab_image *image)
{
    const gfab_topology *topology = gfab_layout_topology(image->layout);
    uint32_t ages = 1;
    for (size_t node = 0; node < gfab_topology_node_count(topology); node++)
        for (size_t i = 0; !gfab_topology_is_relay(topology, node) && i < gfab_image_word_count(image); i++)
            for (uint32_t half = 0; half < gfab_layout_halves(image->layout); half++) {
                const size_t lane = i & ((1u << image->stride_bits) - 1);
                const gfab_op op = gfab_image_op(image, node, (i >> image->stride_bits) + 1, lane, half);
                ages = op.kind != GFAB_OP_IDLE && op.slot >= ages ? op.slot + 1 : ages;
            }
    return ages;
}

uint32_t gfab_image_leader(const gfab_image *image)
{
    const gfab_topology *topology = gfab_layout_topology(image->layout);
    for (size_t node = 0; node < gfab_topology_node_count(topology); node++)
        for (size_t i = 0; !gfab_topology_is_relay(topology, node) && i < gfab_image_word_count(image); i++) {
            const size_t lane = i & ((1u << image->stride_bits) - 1);
            const gfab_op op = gfab_image_op(image, node, (i >> image->stride_bits) + 1, lane, 0);
            if (op.kind == GFAB_OP_SEND && op.slot == 0)
                return gfab_topology_rank(topology, (uint32_t)node);
        }
    return 0;
}

uint32_t gfab_image_rounds(const gfab_image *image, size_t program)
{
    const uint32_t first = gfab_image_first_round(image, program), held = (uint32_t)1 << image->round_bits;
    uint32_t rounds = 0;
    while (first + rounds < held && !gfab_image_halts(image, (size_t)first + rounds + 1))
        rounds++;
    return rounds;
}

uint32_t gfab_image_sum(const gfab_image *image, size_t node, size_t first, size_t halt)
{
    uint64_t ones = 0;
    if (!gfab_layout_has_checks(image->layout))
        return 0;
    for (size_t index = (first - 1) << image->stride_bits; index < (halt - 1) << image->stride_bits; index++)
        ones ^= gfab_image_word(image, node, index);
    return gfab_count_bits(ones) % 2;
}

uint32_t gfab_image_path_word(const gfab_image *image, gfab_path path)
{
    return path.source | path.tap << image->source_bits | path.wait << (image->source_bits + image->tap_bits);
}

gfab_path gfab_image_path_of(const gfab_image *image, uint32_t word)
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
    for (size_t i = 0; i < image->kinds * gfab_image_word_count(image); i++)
        if ((uint64_t)word_array_get(&image->paths, i) >> (fixed + wait_bits))
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a wait of %u turns does not fit in %u bits",
                             (unsigned)(word_array_get(&image->paths, i) >> fixed), (unsigned)wait_bits);
    image->wait_bits = wait_bits;
    return GFAB_OK;
}

GFAB_TELLS(uint32_t, gfab_image_wait_bits, gfab_image, wait_bits)

uint32_t gfab_image_path_bits(const gfab_image *image)
{
    return image->source_bits + image->tap_bits + image->wait_bits;
}

gfab_path gfab_image_path(const gfab_image *image, size_t node, size_t round, size_t lane)
{
    return gfab_image_path_of(
        image, word_array_get(&image->paths, place(image, node, ((round - 1) << image->stride_bits) + lane)));
}

void gfab_image_set_path(gfab_image *image, size_t node, size_t round, size_t lane, gfab_path path)
{
    assert((uint64_t)gfab_image_path_word(image, path) >> gfab_image_path_bits(image) == 0);
    word_array_set(&image->paths, place(image, node, ((round - 1) << image->stride_bits) + lane),
                   gfab_image_path_word(image, path));
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

GFAB_TELLS(uint32_t, gfab_image_gap_bits, gfab_image, gap_bits)

uint32_t gfab_image_gap(const gfab_image *image, size_t round)
{
    assert(round >= 1 && round <= (size_t)1 << image->round_bits);
    return image->sequence[round - 1] >> GFAB_SEQUENCE_GAP;
}

void gfab_image_set_gap(gfab_image *image, size_t round, uint32_t cycles)
{
    assert(round >= 1 && round <= (size_t)1 << image->round_bits && cycles >> image->gap_bits == 0);
    uint32_t *word = &image->sequence[round - 1];
    *word = (*word & ((1u << GFAB_SEQUENCE_GAP) - 1)) | cycles << GFAB_SEQUENCE_GAP;
}

uint64_t gfab_image_gap_cycles(const gfab_image *image, size_t program)
{
    const size_t first = gfab_image_first_round(image, program), rounds = gfab_image_rounds(image, program);
    uint64_t sum = 0;
    for (size_t round = first + 1; round <= first + rounds; round++)
        sum += gfab_image_gap(image, round);
    return sum;
}
