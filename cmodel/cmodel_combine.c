/* SPDX-License-Identifier: MIT */
/* Words that are combined with what arrives, in nodes of both kinds: rtl/combine/, rtl/wide/gfab_wide_combine.v. The
 * model combines where a word is written: what a narrow node's slot has by then is what other lanes made of it in the
 * round, and so what gfab_combine brings to this lane. */
#include "cmodel_state.h"

#include <string.h>

bool gfab_cmodel_sends_top_first(const gfab_cmodel *cmodel)
{
    return gfab_operator_compares(cmodel->op);
}

uint32_t gfab_cmodel_top_bit(const gfab_cmodel *cmodel, uint32_t word)
{
    const uint32_t top = cmodel->timing.token_bits - 1, bits = cmodel->timing.word_bits;
    const bool has_sign = cmodel->op == GFAB_OPERATOR_MIN || cmodel->op == GFAB_OPERATOR_MAX;
    return has_sign && word == top / bits ? top % bits : UINT32_MAX;
}

/* Of a word's bits that are the token's: what is carried beyond its top bit is dropped, and the padding stays 0. */
static void add(const gfab_cmodel *cmodel, uint32_t word, uint8_t *sum, const uint8_t *more, combining *state)
{
    const uint32_t word_bits = cmodel->timing.word_bits, token_bits = cmodel->timing.token_bits;
    const uint32_t before = word * word_bits, rest = before < token_bits ? token_bits - before : 0;
    const uint32_t summed = rest < word_bits ? rest : word_bits;
    unsigned carry = state->carry;
    for (uint32_t bit = 0; bit < summed; bit += 8) {
        const uint32_t left = summed - bit, bits = left < 8 ? left : 8;
        const unsigned all = (unsigned)sum[bit / 8] + more[bit / 8] + carry;
        sum[bit / 8] = (uint8_t)(all & ((1u << bits) - 1));
        carry = all >> bits;
    }
    for (size_t byte = (summed + 7) / 8; byte < cmodel->word_bytes; byte++)
        sum[byte] = 0;
    state->carry = carry;
}

/* Once two words differ it is decided for the rest of the token. */
static void choose(const gfab_cmodel *cmodel, uint32_t word, uint8_t *chosen, const uint8_t *arrived, combining *state)
{
    const bool greatest = cmodel->op == GFAB_OPERATOR_MAX || cmodel->op == GFAB_OPERATOR_UMAX;
    const uint32_t top = gfab_cmodel_top_bit(cmodel, word);
    for (size_t byte = cmodel->word_bytes; byte-- > 0 && state->equal;) {
        const uint8_t turned = (uint8_t)(top != UINT32_MAX && byte == top / 8 ? 1u << top % 8 : 0);
        const uint8_t a = chosen[byte] ^ turned, b = arrived[byte] ^ turned;
        state->equal = a == b;
        state->arrived = greatest ? b > a : b < a;
    }
    if (state->arrived)
        memcpy(chosen, arrived, cmodel->word_bytes);
}

void gfab_cmodel_combine_word(const gfab_cmodel *cmodel, size_t period, uint8_t *result, const uint8_t *arrived,
                              combining *state)
{
    const uint32_t word = gfab_cmodel_word_of(cmodel, period);
    if (cmodel->period_word[period] == 0)
        *state = (combining){.equal = true};
    if (cmodel->op == GFAB_OPERATOR_SUM)
        add(cmodel, word, result, arrived, state);
    else if (gfab_operator_compares(cmodel->op))
        choose(cmodel, word, result, arrived, state);
    else
        for (size_t byte = 0; byte < cmodel->word_bytes; byte++)
            result[byte] = cmodel->op == GFAB_OPERATOR_AND  ? result[byte] & arrived[byte]
                           : cmodel->op == GFAB_OPERATOR_OR ? result[byte] | arrived[byte]
                                                            : result[byte] ^ arrived[byte];
}
