/* SPDX-License-Identifier: MIT */
/* ROM images as $readmemh text: docs/reference/rom-format.md. */
#include "base/bits.h"
#include "base/lines.h"
#include "base/reason.h"
#include "image_internal.h"

#include <inttypes.h>

static int digit_count(uint32_t bits)
{
    return (int)(bits + 3) / 4;
}

static void write_word(uint64_t word, int count, FILE *file)
{
    static const char digits[] = "0123456789abcdef";
    char line[17]; /* a word has 64 bits at the most */
    for (int d = 0; d < count; d++)
        line[d] = digits[word >> 4 * (count - 1 - d) & 15];
    line[count] = '\n';
    fwrite(line, 1, (size_t)count + 1, file);
}

/* The bit that makes a word's number of ones odd. */
static uint32_t check_bit(uint64_t word)
{
    return 1 ^ gfab_count_bits(word) % 2;
}

uint32_t gfab_image_sequence_word(uint32_t word, bool checked)
{
    return checked ? word | check_bit(word) << GFAB_SEQUENCE_CHECK : word;
}

/* A round's word, from 0, as the ROM has it. */
static uint32_t sequence_word(const gfab_image *image, size_t round)
{
    return gfab_image_sequence_word(image->sequence[round], gfab_layout_has_checks(image->layout));
}

gfab_status gfab_image_write_sequence(const gfab_image *image, FILE *file, gfab_diag *diag)
{
    errno = 0;
    for (size_t round = 0; round < (size_t)1 << image->round_bits; round++)
        write_word(sequence_word(image, round), digit_count(GFAB_SEQUENCE_GAP + image->gap_bits), file);
    if (fflush(file) || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "sequence: %s", gfab_stream_reason());
    return GFAB_OK;
}

/* Check bits of a path's word in the ROM, below it: how wide its wait is a file does not say. */
static uint32_t path_checks(const gfab_image *image)
{
    return gfab_layout_has_checks(image->layout);
}

static uint64_t path_rom_word(const gfab_image *image, gfab_path path)
{
    const uint64_t word = gfab_image_path_word(image, path);
    return path_checks(image) ? word << 1 | check_bit(word) : word;
}

/* The path beside word index of node's ROM. */
static gfab_path path_at(const gfab_image *image, size_t node, size_t index)
{
    return gfab_image_path(image, node, (index >> image->stride_bits) + 1, index & (gfab_image_lane_stride(image) - 1));
}

gfab_status gfab_image_write_paths(const gfab_image *image, size_t node, FILE *file, gfab_diag *diag)
{
    errno = 0;
    for (size_t index = 0; index < gfab_image_word_count(image); index++)
        write_word(path_rom_word(image, path_at(image, node, index)),
                   digit_count(gfab_image_path_bits(image) + path_checks(image)), file);
    if (fflush(file) || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "paths of node %zu: %s", node, gfab_stream_reason());
    return GFAB_OK;
}

gfab_status gfab_image_write(const gfab_image *image, size_t node, FILE *file, gfab_diag *diag)
{
    errno = 0;
    for (size_t index = 0; index < gfab_image_word_count(image); index++)
        write_word(gfab_image_word(image, node, index), digit_count(image->op_bits), file);
    if (fflush(file) || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "program of node %zu: %s", node, gfab_stream_reason());
    return GFAB_OK;
}

/* Digits of a word that has the sequence's above the op, or 0 where it is too long. */
static int joined_digits(const gfab_image *image)
{
    const int digits = digit_count(image->op_bits) + digit_count(GFAB_SEQUENCE_GAP + image->gap_bits);
    return digits <= 16 ? digits : 0;
}

static gfab_status too_long(const gfab_image *image, gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "ops of %u bits and gaps of %u: words of over 64 bits",
                     (unsigned)image->op_bits, (unsigned)image->gap_bits);
}

gfab_status gfab_image_write_joined(const gfab_image *image, size_t node, FILE *file, gfab_diag *diag)
{
    const int digits = joined_digits(image);
    if (!digits)
        return too_long(image, diag);
    errno = 0;
    for (size_t index = 0; index < gfab_image_word_count(image); index++) {
        const uint64_t follows = sequence_word(image, index >> image->stride_bits);
        write_word(follows << 4 * digit_count(image->op_bits) | gfab_image_word(image, node, index), digits, file);
    }
    if (fflush(file) || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "program of node %zu: %s", node, gfab_stream_reason());
    return GFAB_OK;
}

static int hex_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads the words of a ROM, of `bits` bits each, into words[expected]. */
static gfab_status read_words(uint64_t *words, size_t expected, uint32_t bits, FILE *file, gfab_diag *diag)
{
    const int digits = digit_count(bits);
    size_t count = 0;
    size_t line = 1;
    errno = 0;
    for (int c = gfab_text_getc(file); c != EOF; line++) {
        uint64_t word = 0;
        int seen = 0;
        for (; seen <= digits && hex_value(c) >= 0; c = gfab_text_getc(file), seen++)
            word = word << 4 | (uint64_t)hex_value(c);
        if (seen != 0 && seen != digits)
            return gfab_fail(diag, line, GFAB_ERR_PARSE, "a word has %d hexadecimal digits", digits);
        while (c == ' ' || c == '\t')
            c = gfab_text_getc(file);
        const bool comment = c == '/' && gfab_text_getc(file) == '/';
        while (comment && c != '\n' && c != EOF)
            c = gfab_text_getc(file);
        if (c != '\n' && c != EOF)
            return gfab_fail(diag, line, GFAB_ERR_PARSE, "expected one word of %d lower-case hexadecimal digits",
                             digits);
        if (seen) {
            if (bits < 64 && word >> bits)
                return gfab_fail(diag, line, GFAB_ERR_PARSE, "word %0*" PRIx64 " has more than %u bits", digits, word,
                                 (unsigned)bits);
            if (count == expected)
                return gfab_fail(diag, line, GFAB_ERR_PARSE, "more than %zu words", expected);
            words[count++] = word;
        }
        if (c == '\n')
            c = gfab_text_getc(file);
    }
    if (ferror(file))
        return gfab_fail(diag, line, GFAB_ERR_IO, "%s", gfab_stream_reason());
    if (count < expected)
        return gfab_fail(diag, line, GFAB_ERR_PARSE, "%zu words where there must be %zu", count, expected);
    return GFAB_OK;
}

gfab_status gfab_image_read(gfab_image *image, size_t node, FILE *file, gfab_diag *diag)
{
    const size_t count = gfab_image_word_count(image);
    GFAB_FREED uint64_t *words = malloc(word_array_product(count, sizeof *words));
    if (!words)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for %zu words", count);
    GFAB_TRY(read_words(words, count, image->op_bits, file, diag));
    for (size_t index = 0; index < count; index++)
        gfab_image_set_word(image, node, index, words[index]);
    return GFAB_OK;
}

gfab_status gfab_image_read_paths(gfab_image *image, size_t node, FILE *file, gfab_diag *diag)
{
    const size_t count = gfab_image_word_count(image);
    GFAB_FREED uint64_t *words = malloc(word_array_product(count, sizeof *words));
    if (!words)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for %zu words", count);
    GFAB_TRY(read_words(words, count, gfab_image_path_bits(image) + path_checks(image), file, diag));
    for (size_t index = 0; index < count; index++) {
        const gfab_path path = gfab_image_path_of(image, (uint32_t)(words[index] >> path_checks(image)));
        if (path_rom_word(image, path) != words[index])
            return gfab_fail(diag, index + 1, GFAB_ERR_PARSE, "an even number of ones, in a word with a check bit");
        gfab_image_set_path(image, node, (index >> image->stride_bits) + 1, index & (gfab_image_lane_stride(image) - 1),
                            path);
    }
    return GFAB_OK;
}

gfab_status gfab_image_take_sequence_word(uint64_t read, gfab_sequence_form form, size_t line, uint32_t *word,
                                          gfab_diag *diag)
{
    const uint32_t taken = (uint32_t)read & ~(1u << GFAB_SEQUENCE_CHECK);
    if (gfab_image_sequence_word(taken, form.checked) != read)
        return gfab_fail(diag, line, GFAB_ERR_PARSE,
                         form.checked ? "an even number of ones, in a word with a check bit"
                                      : "a check bit, without protection");
    if (!form.loops && taken & (1u << GFAB_SEQUENCE_LOOP | 1u << GFAB_SEQUENCE_AGAIN))
        return gfab_fail(diag, line, GFAB_ERR_UNSUPPORTED, "a loop, in a fabric without streams");
    *word = taken;
    return GFAB_OK;
}

gfab_status gfab_image_read_sequence_words(uint32_t *sequence, size_t rounds, gfab_sequence_form form, FILE *file,
                                           gfab_diag *diag)
{
    GFAB_FREED uint64_t *read = malloc(word_array_product(rounds, sizeof *read));
    if (!read)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for %zu rounds", rounds);
    GFAB_TRY(read_words(read, rounds, GFAB_SEQUENCE_GAP + form.gap_bits, file, diag));
    for (size_t round = 0; round < rounds; round++)
        GFAB_TRY(gfab_image_take_sequence_word(read[round], form, round + 1, &sequence[round], diag));
    return GFAB_OK;
}

static gfab_sequence_form form_of(const gfab_image *image)
{
    return (gfab_sequence_form){.gap_bits = image->gap_bits,
                                .checked = gfab_layout_has_checks(image->layout),
                                .loops = gfab_layout_streams(image->layout)};
}

gfab_status gfab_image_read_sequence(gfab_image *image, FILE *file, gfab_diag *diag)
{
    return gfab_image_read_sequence_words(image->sequence, (size_t)1 << image->round_bits, form_of(image), file, diag);
}

/* Takes a word with the sequence's above its op, of the node's ROM; the sequence is set where `first`, else compared.
 */
static gfab_status take_joined(gfab_image *image, size_t node, bool first, size_t index, uint64_t read, gfab_diag *diag)
{
    const int shift = 4 * digit_count(image->op_bits);
    const size_t round = index >> image->stride_bits;
    const uint64_t op = read & (((uint64_t)1 << shift) - 1);
    uint32_t word = 0;
    GFAB_TRY(gfab_image_take_sequence_word(read >> shift, form_of(image), index + 1, &word, diag));
    if (op >> image->op_bits)
        return gfab_fail(diag, index + 1, GFAB_ERR_PARSE, "op %" PRIx64 " has more than %u bits", op,
                         (unsigned)image->op_bits);
    if (first && index % gfab_image_lane_stride(image) == 0)
        image->sequence[round] = word;
    if (image->sequence[round] != word)
        return gfab_fail(diag, index + 1, GFAB_ERR_PARSE, "what follows round %zu is not the same everywhere",
                         round + 1);
    gfab_image_set_word(image, node, index, op);
    return GFAB_OK;
}

gfab_status gfab_image_read_joined(gfab_image *image, size_t node, bool first, FILE *file, gfab_diag *diag)
{
    const size_t count = gfab_image_word_count(image);
    const int digits = joined_digits(image);
    if (!digits)
        return too_long(image, diag);
    GFAB_FREED uint64_t *words = malloc(word_array_product(count, sizeof *words));
    if (!words)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for %zu words", count);
    const uint32_t bits = 4 * (uint32_t)digit_count(image->op_bits) + GFAB_SEQUENCE_GAP + image->gap_bits;
    GFAB_TRY(read_words(words, count, bits, file, diag));
    for (size_t index = 0; index < count; index++)
        GFAB_TRY(take_joined(image, node, first, index, words[index], diag));
    return GFAB_OK;
}

/* Bits of a place: those of a slot, and with protection one that makes the number of ones odd. */
static uint32_t place_bits(const gfab_layout *layout, uint32_t slot_bits)
{
    return slot_bits + gfab_layout_has_checks(layout);
}

gfab_status gfab_layout_write_places(const gfab_layout *layout, uint32_t slot_bits, size_t node, FILE *file,
                                     gfab_diag *diag)
{
    const uint32_t bits = place_bits(layout, slot_bits);
    const bool anew = gfab_layout_goal(layout);
    errno = 0;
    for (uint32_t index = 0; index < (anew ? gfab_layout_place_count(layout) : gfab_layout_slot_count(layout));
         index++) {
        const uint32_t slot = anew ? gfab_layout_place(layout, node, index) : gfab_layout_slot(layout, node, index);
        write_word(slot | (bits > slot_bits ? check_bit(slot) << slot_bits : 0), digit_count(bits), file);
    }
    if (fflush(file) || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "places of node %zu: %s", node, gfab_stream_reason());
    return GFAB_OK;
}

gfab_status gfab_layout_read_places(gfab_layout *layout, uint32_t slot_bits, size_t node, FILE *file, gfab_diag *diag)
{
    const uint32_t count = gfab_layout_place_count(layout), bits = place_bits(layout, slot_bits);
    GFAB_FREED uint64_t *words = malloc(word_array_product(count, sizeof *words));
    if (!words)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for %u places", (unsigned)count);
    GFAB_TRY(read_words(words, count, bits, file, diag));
    for (uint32_t index = 0; index < count; index++) {
        const uint32_t slot = (uint32_t)words[index] & (uint32_t)(((uint64_t)1 << slot_bits) - 1);
        if (slot >= gfab_layout_slot_count(layout))
            return gfab_fail(diag, index + 1, GFAB_ERR_PARSE, "slot %u of only %zu", (unsigned)slot,
                             gfab_layout_slot_count(layout));
        else if (bits > slot_bits && words[index] >> slot_bits != check_bit(slot))
            return gfab_fail(diag, index + 1, GFAB_ERR_PARSE, "an even number of ones, in a place with a check bit");
        else
            gfab_layout_set_place(layout, node, index, slot);
    }
    return GFAB_OK;
}
