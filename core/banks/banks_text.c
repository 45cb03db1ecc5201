/* SPDX-License-Identifier: MIT */
/* Wide programs and place tables as $readmemh text. Words are wider than any integer: they are strings of bits. */
#include "banks_internal.h"
#include "base/lines.h"
#include "base/reason.h"
#include "fabric/image_internal.h"

#include <gossipfab/fabric/op.h>

#include <inttypes.h>
#include <string.h>

static const char hex_digits[] = "0123456789abcdef";

/* A word under way, least significant bit first. */
typedef struct bits {
    uint8_t *at; /* a bit each */
    uint32_t next;
} bits;

static void put(bits *word, uint32_t value, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        word->at[word->next++] = value >> i & 1;
}

static uint32_t take(bits *word, uint32_t width)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < width; i++)
        value |= (uint32_t)word->at[word->next++] << i;
    return value;
}

uint32_t gfab_banks_word_bits(const gfab_banks *banks)
{
    const gfab_crossbar *x = &banks->crossbar;
    return x->banks * banks->use.address_bits + x->lanes * (1 + gfab_bits_for(x->banks)) +
           x->banks * (gfab_layout_combines(banks->layout) ? x->lanes + 1 + banks->use.address_bits
                                                           : 1 + gfab_bits_for(x->lanes));
}

static bool has_checks(const gfab_banks *banks)
{
    return gfab_layout_has_checks(banks->layout);
}

static uint32_t place_bits(const gfab_banks *banks)
{
    return gfab_bits_for(banks->crossbar.banks) + banks->use.address_bits + has_checks(banks);
}

/* 1 where an odd number of bits are. */
static uint32_t sum_of(const uint8_t *at, uint32_t width)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < width; i++)
        sum ^= at[i];
    return sum;
}

/* Bits past the word's are 0. */
static void write_word(const uint8_t *at, uint32_t width, FILE *file)
{
    for (uint32_t digit = (width + 3) / 4; digit-- > 0;) {
        unsigned value = 0;
        for (uint32_t bit = 0; bit < 4 && 4 * digit + bit < width; bit++)
            value |= (unsigned)at[4 * digit + bit] << bit;
        putc(hex_digits[value], file);
    }
}

static gfab_status end_of_file(FILE *file, size_t node, gfab_diag *diag)
{
    if (fflush(file) || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "program of node %zu: %s", node, gfab_stream_reason());
    return GFAB_OK;
}

/* What the banks store. */
static void put_stores(const gfab_banks *banks, size_t node, uint32_t round, bits *word)
{
    const gfab_crossbar *x = &banks->crossbar;
    const bool combines = gfab_layout_combines(banks->layout);
    for (uint32_t bank = 0; bank < x->banks; bank++) {
        if (combines) {
            put(word, gfab_banks_lanes(banks, node, round, bank), x->lanes);
            continue;
        }
        const uint32_t lane = gfab_banks_store(banks, node, round, bank);
        put(word, lane != GFAB_NO_LANE, 1);
        put(word, lane != GFAB_NO_LANE ? lane : 0, gfab_bits_for(x->lanes));
    }
    for (uint32_t bank = 0; combines && bank < x->banks; bank++) {
        const uint32_t address = gfab_banks_old(banks, node, round, bank);
        put(word, address != GFAB_NO_ADDRESS, 1);
        put(word, address != GFAB_NO_ADDRESS ? address : 0, banks->use.address_bits);
    }
}

/* Does a program end in this round? */
static bool halts_in(const gfab_banks *banks, uint32_t round)
{
    for (size_t i = 0; i < banks->use.programs; i++)
        if (banks->halts[i] == round)
            return true;
    return false;
}

/* What follows a round, as ROMs have it. */
static uint32_t sequence_word(const gfab_banks *banks, uint32_t round)
{
    const uint32_t halt = halts_in(banks, round);
    return gfab_image_sequence_word(halt << GFAB_SEQUENCE_HALT | banks->gaps[round - 1] << GFAB_SEQUENCE_GAP,
                                    has_checks(banks));
}

/* Of a word of the sequence. */
static uint32_t sequence_bits(uint32_t gap_bits)
{
    return GFAB_SEQUENCE_GAP + (gap_bits + 3) / 4 * 4;
}

/* How words are listed: of so many rounds from the first on, each with `end` behind it, and before it, unless that is
 * 0, so many bits of what follows. */
typedef struct listing {
    uint32_t rounds, follows;
    const char *end;
} listing;

static gfab_status write_rounds(const gfab_banks *banks, size_t node, listing as, FILE *file, gfab_diag *diag)
{
    const gfab_crossbar *x = &banks->crossbar;
    const uint32_t width = gfab_banks_word_bits(banks);
    const uint32_t bank_bits = gfab_bits_for(x->banks);
    GFAB_FREED uint8_t *at = malloc(width);
    uint32_t sum = 0; /* of the rounds so far; the halt's word is that */
    GFAB_NEED_TOLD(at, diag);
    errno = 0;
    for (uint32_t round = 1; round <= as.rounds; round++) {
        bits word = {at, 0};
        for (uint32_t bank = 0; bank < x->banks; bank++)
            put(&word, gfab_banks_read(banks, node, round, bank), banks->use.address_bits);
        for (uint32_t lane = 0; lane < x->lanes; lane++) {
            const uint32_t bank = gfab_banks_send(banks, node, round, lane);
            put(&word, bank != GFAB_NO_BANK, 1);
            put(&word, bank != GFAB_NO_BANK ? bank : 0, bank_bits);
        }
        put_stores(banks, node, round, &word);
        assert(word.next == width);
        sum ^= sum_of(at, width);
        if (halts_in(banks, round) && has_checks(banks))
            at[0] = (uint8_t)sum;
        if (as.follows)
            fprintf(file, "%0*" PRIx32, (int)as.follows / 4, sequence_word(banks, round));
        write_word(at, width, file);
        fputs(as.end, file);
    }
    return end_of_file(file, node, diag);
}

gfab_status gfab_banks_write_words(const gfab_banks *banks, size_t node, uint32_t rounds, const char *end, FILE *file,
                                   gfab_diag *diag)
{
    return write_rounds(banks, node, (listing){rounds, 0, end}, file, diag);
}

gfab_status gfab_banks_write_program(const gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag)
{
    return write_rounds(banks, node, (listing){(uint32_t)1 << banks->round_bits, 0, "\n"}, file, diag);
}

gfab_status gfab_banks_write_joined(const gfab_banks *banks, size_t node, uint32_t gap_bits, FILE *file,
                                    gfab_diag *diag)
{
    const listing as = {(uint32_t)1 << banks->round_bits, sequence_bits(gap_bits), "\n"};
    return write_rounds(banks, node, as, file, diag);
}

/* The table's word for a token in this cell. */
static void write_place(const gfab_banks *banks, uint32_t bank, uint32_t address, FILE *file)
{
    uint8_t at[64];
    bits word = {at, 0};
    put(&word, address, banks->use.address_bits);
    put(&word, bank, gfab_bits_for(banks->crossbar.banks));
    if (has_checks(banks))
        put(&word, 1 ^ sum_of(at, word.next), 1);
    write_word(at, word.next, file);
    putc('\n', file);
}

/* Which place is that of line `line`, from 0, of the table. */
static uint32_t place_of_line(const gfab_banks *banks, size_t node, uint32_t line)
{
    return gfab_layout_blocks(banks->layout) ? line : gfab_layout_slot(banks->layout, node, line);
}

gfab_status gfab_banks_write_places(const gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag)
{
    errno = 0;
    for (uint32_t line = 0; line < banks->places; line++) {
        const uint32_t slot = place_of_line(banks, node, line);
        write_place(banks, gfab_banks_bank(banks, node, slot), gfab_banks_address(banks, node, slot), file);
    }
    return end_of_file(file, node, diag);
}

gfab_status gfab_banks_write_loads(const gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag)
{
    errno = 0;
    for (uint32_t i = 0; i < banks->loads; i++)
        write_place(banks, gfab_banks_load_bank(banks, node, i), gfab_banks_load_address(banks, node, i), file);
    return end_of_file(file, node, diag);
}

/* Part of a line, of exactly so many digits. */
static gfab_status read_digits(uint8_t *at, uint32_t width, size_t line, FILE *file, gfab_diag *diag)
{
    const uint32_t digits = (width + 3) / 4;
    for (uint32_t digit = digits; digit-- > 0;) {
        const int c = gfab_text_getc(file);
        const char *found = c > 0 ? strchr(hex_digits, c) : NULL;
        const unsigned value = found ? (unsigned)(found - hex_digits) : 0;
        for (uint32_t bit = 0; bit < 4 && 4 * digit + bit < width; bit++)
            at[4 * digit + bit] = value >> bit & 1;
        if (!found || (digit + 1 == digits && width % 4 && value >> width % 4))
            return gfab_fail(diag, line, GFAB_ERR_PARSE, "expected a word of %u bits in %u hexadecimal digits",
                             (unsigned)width, (unsigned)digits);
    }
    return GFAB_OK;
}

/* The rest of a line, a word. */
static gfab_status read_word(uint8_t *at, uint32_t width, size_t line, FILE *file, gfab_diag *diag)
{
    GFAB_TRY(read_digits(at, width, line, file, diag));
    if (gfab_text_getc(file) != '\n')
        return gfab_fail(diag, line, GFAB_ERR_PARSE, "expected the end of the line after %u digits",
                         (unsigned)(width + 3) / 4);
    return GFAB_OK;
}

static gfab_status expect_end(FILE *file, size_t line, gfab_diag *diag)
{
    errno = 0;
    if (gfab_text_getc(file) != EOF)
        return gfab_fail(diag, line, GFAB_ERR_PARSE, "more than %zu words", line - 1);
    return ferror(file) ? gfab_fail(diag, line, GFAB_ERR_IO, "%s", gfab_stream_reason()) : GFAB_OK;
}

static gfab_status take_stores(gfab_banks *banks, size_t node, uint32_t round, bits *word, gfab_diag *diag)
{
    const gfab_crossbar *x = &banks->crossbar;
    const bool combines = gfab_layout_combines(banks->layout);
    for (uint32_t bank = 0; bank < x->banks; bank++) {
        if (combines) {
            gfab_banks_set_lanes(banks, node, round, bank, take(word, x->lanes));
            continue;
        }
        const bool stores = take(word, 1);
        const uint32_t lane = take(word, gfab_bits_for(x->lanes));
        if (lane >= (stores ? x->lanes : 1))
            return gfab_fail(diag, round, GFAB_ERR_PARSE, "bank %u: lane %u", (unsigned)bank, (unsigned)lane);
        gfab_banks_set_store(banks, node, round, bank, stores ? lane : GFAB_NO_LANE);
    }
    for (uint32_t bank = 0; combines && bank < x->banks; bank++) {
        const bool has = take(word, 1);
        const uint32_t address = take(word, banks->use.address_bits);
        if (!has && address)
            return gfab_fail(diag, round, GFAB_ERR_PARSE, "bank %u: nothing is combined at address %u", (unsigned)bank,
                             (unsigned)address);
        gfab_banks_set_old(banks, node, round, bank, has ? address : GFAB_NO_ADDRESS);
    }
    return GFAB_OK;
}

/* Sets a round from its word. Numbers of banks and lanes that there are not give a fault. */
static gfab_status take_round(gfab_banks *banks, size_t node, uint32_t round, bits *word, gfab_diag *diag)
{
    const gfab_crossbar *x = &banks->crossbar;
    for (uint32_t bank = 0; bank < x->banks; bank++)
        gfab_banks_set_read(banks, node, round, bank, take(word, banks->use.address_bits));
    for (uint32_t lane = 0; lane < x->lanes; lane++) {
        const bool sends = take(word, 1);
        const uint32_t bank = take(word, gfab_bits_for(x->banks));
        if (bank >= (sends ? x->banks : 1))
            return gfab_fail(diag, round, GFAB_ERR_PARSE, "lane %u: bank %u", (unsigned)lane, (unsigned)bank);
        gfab_banks_set_send(banks, node, round, lane, sends ? bank : GFAB_NO_BANK);
    }
    return take_stores(banks, node, round, word, diag);
}

/* Adds a word to the sum of the rounds so far. A halt's word has what makes it even, which is taken out of it. */
static gfab_status take_sum(const gfab_banks *banks, uint8_t *at, size_t node, uint32_t round, uint32_t *sum,
                            gfab_diag *diag)
{
    *sum ^= sum_of(at, gfab_banks_word_bits(banks));
    if (!halts_in(banks, round))
        return GFAB_OK;
    at[0] = 0;
    return *sum ? gfab_fail(diag, round, GFAB_ERR_FAULT, "node %zu: the sum of the program is odd", node) : GFAB_OK;
}

/* A round's word of the sequence; so many programs have had their halts so far. */
static gfab_status set_sequence(gfab_banks *banks, uint32_t round, uint32_t word, size_t *program, gfab_diag *diag)
{
    gfab_banks_set_gap(banks, round, word >> GFAB_SEQUENCE_GAP);
    if (!(word >> GFAB_SEQUENCE_HALT & 1))
        return GFAB_OK;
    if (*program == banks->use.programs)
        return gfab_fail(diag, round, GFAB_ERR_FAULT, "round %u: a halt of no program", (unsigned)round);
    banks->halts[(*program)++] = round;
    return GFAB_OK;
}

static gfab_sequence_form form_of(const gfab_banks *banks, uint32_t gap_bits)
{
    return (gfab_sequence_form){.gap_bits = gap_bits, .checked = has_checks(banks)};
}

gfab_status gfab_banks_read_sequence(gfab_banks *banks, uint32_t gap_bits, FILE *file, gfab_diag *diag)
{
    const uint32_t rounds = (uint32_t)1 << banks->round_bits;
    GFAB_FREED uint32_t *sequence = malloc(word_array_product(rounds, sizeof *sequence));
    size_t program = 0;
    if (!sequence)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for %u rounds", (unsigned)rounds);
    GFAB_TRY(gfab_image_read_sequence_words(sequence, rounds, form_of(banks, gap_bits), file, diag));
    for (uint32_t round = 1; round <= rounds; round++)
        GFAB_TRY(set_sequence(banks, round, sequence[round - 1], &program, diag));
    return GFAB_OK;
}

/* What is before a round's own word: so many bits of what follows it. program: NULL where that is known already. */
static gfab_status take_follows(gfab_banks *banks, uint32_t round, uint32_t follows, size_t *program, FILE *file,
                                gfab_diag *diag)
{
    uint8_t at[32];
    bits digits = {at, 0};
    uint32_t word = 0;
    GFAB_TRY(read_digits(at, follows, round, file, diag));
    GFAB_TRY(gfab_image_take_sequence_word(take(&digits, follows), form_of(banks, 0), round, &word, diag));
    if (program)
        return set_sequence(banks, round, word, program, diag);
    if (gfab_image_sequence_word(word, has_checks(banks)) != sequence_word(banks, round))
        return gfab_fail(diag, round, GFAB_ERR_PARSE, "what follows round %u is not the same everywhere",
                         (unsigned)round);
    return GFAB_OK;
}

/* Words, each with so many bits before it of what follows its round, or 0. */
static gfab_status read_rounds(gfab_banks *banks, size_t node, bool first, uint32_t follows, FILE *file,
                               gfab_diag *diag)
{
    const uint32_t width = gfab_banks_word_bits(banks);
    GFAB_FREED uint8_t *at = malloc(width);
    gfab_status status = GFAB_OK;
    uint32_t round = 1, sum = 0;
    size_t program = 0;
    GFAB_NEED_TOLD(at, diag);
    for (; (round - 1) >> banks->round_bits == 0 && status == GFAB_OK; round++) {
        bits word = {at, 0};
        if (follows)
            status = take_follows(banks, round, follows, first ? &program : NULL, file, diag);
        GFAB_THEN(status, read_word(at, width, round, file, diag));
        if (status == GFAB_OK && has_checks(banks))
            status = take_sum(banks, at, node, round, &sum, diag);
        GFAB_THEN(status, take_round(banks, node, round, &word, diag));
    }
    return status == GFAB_OK ? expect_end(file, round, diag) : status;
}

gfab_status gfab_banks_read_program(gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag)
{
    return read_rounds(banks, node, false, 0, file, diag);
}

gfab_status gfab_banks_read_joined(gfab_banks *banks, size_t node, bool first, uint32_t gap_bits, FILE *file,
                                   gfab_diag *diag)
{
    if (gap_bits > GFAB_MAX_GAP_BITS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u gap bits: at most %u", (unsigned)gap_bits, GFAB_MAX_GAP_BITS);
    return read_rounds(banks, node, first, sequence_bits(gap_bits), file, diag);
}

/* A line of a table of places. */
static gfab_status read_place(const gfab_banks *banks, size_t line, FILE *file, uint32_t *bank, uint32_t *address,
                              gfab_diag *diag)
{
    uint8_t at[64];
    bits word = {at, 0};
    GFAB_TRY(read_word(at, place_bits(banks), line, file, diag));
    *address = take(&word, banks->use.address_bits);
    *bank = take(&word, gfab_bits_for(banks->crossbar.banks));
    if (has_checks(banks) && sum_of(at, place_bits(banks)) == 0)
        return gfab_fail(diag, line, GFAB_ERR_FAULT, "an even number of ones");
    if (*bank >= banks->crossbar.banks)
        return gfab_fail(diag, line, GFAB_ERR_PARSE, "bank %u of only %u", (unsigned)*bank,
                         (unsigned)banks->crossbar.banks);
    return GFAB_OK;
}

gfab_status gfab_banks_read_places(gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag)
{
    for (uint32_t line = 0; line < banks->places; line++) {
        uint32_t bank, address;
        GFAB_TRY(read_place(banks, (size_t)line + 1, file, &bank, &address, diag));
        gfab_banks_set_place(banks, node, place_of_line(banks, node, line), bank, address);
    }
    return expect_end(file, (size_t)banks->places + 1, diag);
}

gfab_status gfab_banks_read_loads(gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag)
{
    for (uint32_t i = 0; i < banks->loads; i++) {
        uint32_t bank, address;
        GFAB_TRY(read_place(banks, (size_t)i + 1, file, &bank, &address, diag));
        gfab_banks_set_load(banks, node, i, bank, address);
    }
    return expect_end(file, (size_t)banks->loads + 1, diag);
}
