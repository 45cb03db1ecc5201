/* SPDX-License-Identifier: MIT */
/* Whole tokens in and out of the stores. */
#include "cmodel_state.h"

#include <assert.h>
#include <string.h>

#define NO_BLOCK UINT32_MAX

uint8_t *gfab_cmodel_store_word(const gfab_cmodel *cmodel, size_t node, uint32_t slot, uint32_t word)
{
    if (cmodel->banks)
        return gfab_cmodel_wide_store_word(cmodel, node, slot, word);
    const size_t index =
        (node * cmodel->slot_count + gfab_cmodel_slot(cmodel, node, slot)) * cmodel->timing.words + word;
    return cmodel->store + index * cmodel->word_bytes;
}

const uint8_t *gfab_cmodel_store(const gfab_cmodel *cmodel, size_t node, uint32_t slot, uint32_t word)
{
    return gfab_cmodel_store_word(cmodel, node, slot, word);
}

uint8_t *gfab_cmodel_own_word(const gfab_cmodel *cmodel, size_t node, uint32_t word)
{
    const uint32_t part = word / cmodel->timing.words;
    if (gfab_layout_blocks(cmodel->layout))
        return gfab_cmodel_store_word(cmodel, node, part, word % cmodel->timing.words);
    const uint32_t slot = gfab_layout_slot(cmodel->layout, node, (uint32_t)node * cmodel->timing.parts + part);
    return gfab_cmodel_store_word(cmodel, node, slot, word % cmodel->timing.words);
}

/* Bits of a part that its word `word` holds: those of the last words may be fewer than word_bits, or none. */
static size_t bits_in_word(const gfab_timing *timing, uint32_t word)
{
    const size_t first = (size_t)word * timing->word_bits;
    if (first >= timing->part_bits)
        return 0;
    const size_t left = timing->part_bits - first;
    return left < timing->word_bits ? left : timing->word_bits;
}

/* The first of a token's bits that a word of it holds, words counted over its parts. */
static size_t first_bit(const gfab_timing *timing, uint32_t word)
{
    return (size_t)(word / timing->words) * timing->part_bits + (size_t)(word % timing->words) * timing->word_bits;
}

/* Sets a word of a token, at `to`, from the token's bytes. */
static void set_word(const gfab_cmodel *cmodel, uint8_t *to, uint32_t word, const uint8_t *token)
{
    const gfab_timing *timing = &cmodel->timing;
    memset(to, 0, cmodel->word_bytes);
    gfab_cmodel_or_bits(to, 0, token, first_bit(timing, word), bits_in_word(timing, word % timing->words));
}

/* Are blocks found by their number among those that a node starts with, or wants? */
static bool has_places(const gfab_cmodel *cmodel)
{
    return gfab_layout_goal(cmodel->layout) || (cmodel->banks && gfab_layout_blocks(cmodel->layout));
}

/* A node that there is, and no relay? */
static bool is_member(const gfab_cmodel *cmodel, size_t node)
{
    const gfab_topology *topology = gfab_layout_topology(cmodel->layout);
    return node < gfab_topology_node_count(topology) && !gfab_topology_is_relay(topology, node);
}

/* With places: the number of a block among those that count and at are of, in the program that is chosen; NO_BLOCK
 * where it is none of them. */
static uint32_t find_block(const gfab_cmodel *cmodel, size_t node, uint32_t block,
                           uint32_t (*count)(const gfab_goal *, size_t, uint32_t),
                           uint32_t (*at)(const gfab_goal *, size_t, uint32_t, uint32_t))
{
    const gfab_topology *topology = gfab_layout_topology(cmodel->layout);
    const gfab_goal goal =
        cmodel->banks ? gfab_banks_goal(cmodel->banks, cmodel->program) : *gfab_layout_goal(cmodel->layout);
    const uint32_t rank = gfab_topology_rank(topology, (uint32_t)node);
    const size_t members = gfab_topology_member_count(topology);
    const uint32_t blocks = count(&goal, members, rank);
    uint32_t index = 0;
    while (index < blocks && at(&goal, members, rank, index) != block)
        index++;
    return index == blocks ? NO_BLOCK : index;
}

gfab_status gfab_cmodel_load_block(gfab_cmodel *cmodel, size_t node, uint32_t block, const uint8_t *token)
{
    const uint32_t words = cmodel->timing.words;
    if (cmodel->busy || !is_member(cmodel, node) || block >= gfab_layout_blocks(cmodel->layout))
        return GFAB_ERR_INVALID;
    uint32_t index = has_places(cmodel) ? find_block(cmodel, node, block, gfab_goal_held_count, gfab_goal_held) : block;
    if (index == NO_BLOCK)
        return GFAB_ERR_INVALID;
    if (cmodel->banks)
        index += gfab_banks_first_load(cmodel->banks, cmodel->program);
    for (uint32_t word = 0; word < words; word++)
        set_word(cmodel,
                 cmodel->banks ? gfab_cmodel_wide_load_word(cmodel, node, index * words + word)
                               : gfab_cmodel_store_word(cmodel, node, index, word),
                 word, token);
    return GFAB_OK;
}

gfab_status gfab_cmodel_load_token(gfab_cmodel *cmodel, size_t node, const uint8_t *token)
{
    if (cmodel->busy || !is_member(cmodel, node) || gfab_layout_blocks(cmodel->layout))
        return GFAB_ERR_INVALID;
    for (uint32_t word = 0; word < cmodel->load_words; word++) {
        uint8_t *to = gfab_cmodel_own_word(cmodel, node, word);
        set_word(cmodel, to, word, token);
        if (cmodel->banks)
            gfab_cmodel_wide_load(cmodel, node, word, to);
    }
    return GFAB_OK;
}

static bool is_less(const uint8_t *a, const uint8_t *b, uint32_t bits, bool has_sign)
{
    for (uint32_t bit = bits; bit-- > 0;) {
        const bool of_a = a[bit / 8] >> bit % 8 & 1, of_b = b[bit / 8] >> bit % 8 & 1;
        if (of_a != of_b)
            return of_a == (has_sign && bit == bits - 1);
    }
    return false;
}

/* The sum of two numbers with a sign, or the number of as many bits that is nearest to it. */
static void add_saturated(uint32_t bits, uint8_t *total, const uint8_t *token)
{
    const uint32_t top = (bits - 1) / 8, sign = 1u << (bits - 1) % 8;
    const bool below = total[top] & sign, same = below == !!(token[top] & sign);
    unsigned carry = 0;
    for (uint32_t i = 0; i <= top; i++) {
        carry = (carry >> 8) + total[i] + token[i];
        total[i] = (uint8_t)carry;
    }
    const bool over = same && below != !!(total[top] & sign);
    for (uint32_t i = 0; over && i <= top; i++)
        total[i] = below ? 0 : 0xff;
    if (over)
        total[top] ^= (uint8_t)sign;
    total[top] &= (uint8_t)(2 * sign - 1);
}

void gfab_token_combine(gfab_operator op, uint32_t token_bits, uint8_t *total, const uint8_t *token)
{
    const size_t bytes = ((size_t)token_bits + 7) / 8;
    unsigned carry = 0;
    assert(op != GFAB_OPERATOR_ALL && op != GFAB_OPERATOR_USER);
    if (op == GFAB_OPERATOR_BFLOAT16) {
        gfab_bfloat16_sums(NULL, token_bits, total, token);
        return;
    }
    if (op == GFAB_OPERATOR_FLOAT32) {
        gfab_float32_sums(NULL, token_bits, total, token);
        return;
    }
    if (op == GFAB_OPERATOR_SATURATED) {
        add_saturated(token_bits, total, token);
        return;
    }
    if (op >= GFAB_OPERATOR_MIN) {
        const bool least = op == GFAB_OPERATOR_MIN || op == GFAB_OPERATOR_UMIN;
        const bool has_sign = op == GFAB_OPERATOR_MIN || op == GFAB_OPERATOR_MAX;
        if (is_less(least ? token : total, least ? total : token, token_bits, has_sign))
            memcpy(total, token, bytes);
        return;
    }
    for (size_t i = 0; i < bytes; i++) {
        carry = op == GFAB_OPERATOR_SUM ? (carry >> 8) + total[i] + token[i] : 0;
        total[i] = (uint8_t)(op == GFAB_OPERATOR_SUM   ? carry
                             : op == GFAB_OPERATOR_AND ? total[i] & token[i]
                             : op == GFAB_OPERATOR_OR  ? total[i] | token[i]
                                                       : total[i] ^ token[i]);
    }
    if (token_bits % 8)
        total[bytes - 1] &= (uint8_t)((1u << token_bits % 8) - 1);
}

void gfab_cmodel_read_token(const gfab_cmodel *cmodel, size_t node, uint32_t origin, uint8_t *token)
{
    const gfab_timing *timing = &cmodel->timing;
    const bool places = has_places(cmodel);
    uint32_t place = places ? find_block(cmodel, node, origin, gfab_goal_wanted_count, gfab_goal_wanted) : NO_BLOCK;
    memset(token, 0, (timing->token_bits + 7) / 8);
    assert(is_member(cmodel, node) && (!places || place != NO_BLOCK));
    if (places)
        place = cmodel->banks ? gfab_banks_first_place(cmodel->banks, cmodel->program) + place
                              : gfab_layout_place(cmodel->layout, node, place);
    for (uint32_t word = 0; word < timing->words * timing->parts; word++) {
        const uint32_t part = origin * timing->parts + word / timing->words;
        const uint32_t slot = places ? place : gfab_layout_slot(cmodel->layout, node, part);
        gfab_cmodel_or_bits(token, first_bit(timing, word), gfab_cmodel_store(cmodel, node, slot, word % timing->words),
                            0, bits_in_word(timing, word % timing->words));
    }
}
