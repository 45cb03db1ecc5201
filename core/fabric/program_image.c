/* SPDX-License-Identifier: MIT */
/* From programs to ROM images and back. */
#include "base/progress.h"
#include "image_internal.h"
#include "program_internal.h"

#include <string.h>

/* Bits of the highest of some numbers that are or-ed together. */
static uint32_t bits_of(uint32_t any)
{
    uint32_t bits = 0;
    while (bits < 32 && (uint64_t)any >> bits)
        bits++;
    return bits;
}

/* Gaps as long, and waits, as the programs need them. */
static gfab_status fit_image(const gfab_program *const *programs, size_t count, gfab_image *image, gfab_diag *diag)
{
    uint32_t gaps = 0, waits = 1;
    for (size_t p = 0; p < count; p++) {
        const gfab_program *program = programs[p];
        for (uint32_t round = 1; round <= program->rounds; round++)
            gaps |= gfab_program_gap(program, round);
        for (size_t i = 0; program->paths && i < program->rounds * program->kinds * program->lanes; i++)
            waits |= program->paths[i].wait;
    }
    GFAB_TRY(gfab_image_set_gap_bits(image, bits_of(gaps), diag));
    return programs[0]->paths ? gfab_image_set_wait_bits(image, bits_of(waits), diag) : GFAB_OK;
}

/* Is all of a program, which is no longer than another of the same layout, the end of that? */
static bool ends(const gfab_program *program, const gfab_program *longer)
{
    const size_t width = program->kinds * program->lanes * program->halves;
    const size_t skipped = (longer->rounds - program->rounds) * width;
    for (size_t i = 0; i < program->rounds * width; i++)
        if (word_array_get(&program->ops, i) != word_array_get(&longer->ops, skipped + i))
            return false;
    const uint32_t *gaps = longer->gaps + (longer->rounds - program->rounds);
    return memcmp(program->gaps, gaps, program->rounds * sizeof *gaps) == 0;
}

/* Where each of the programs begins, from 0: one behind another. A program that is a suffix of others shares the rounds
 * of the longest of them. Some never share rounds: a protected program's sum is that of all its rounds, in a wide node
 * the round is the address of what arrives, and paths of rounds without a gap between begin with the first of these.
 * Gives all rounds, the halts' included. */
static uint64_t place_programs(const gfab_program *const *programs, size_t count, uint32_t *first_rounds)
{
    size_t host[GFAB_MAX_PROGRAMS];
    uint64_t rounds = 0;
    const gfab_layout *layout = programs[0]->layout;
    const bool shares = !gfab_layout_has_checks(layout) && !gfab_layout_wide(layout) && !gfab_layout_paths(layout);
    for (size_t i = 0; i < count; i++) {
        host[i] = i;
        for (size_t j = 0; j < count && shares; j++)
            if ((programs[j]->rounds > programs[host[i]]->rounds ||
                 (programs[j]->rounds == programs[host[i]]->rounds && j < host[i])) &&
                ends(programs[i], programs[j]))
                host[i] = j;
        if (host[i] != i)
            continue;
        first_rounds[i] = (uint32_t)rounds;
        rounds += (uint64_t)programs[i]->rounds + 1;
    }
    for (size_t i = 0; i < count; i++)
        first_rounds[i] = first_rounds[host[i]] + programs[host[i]]->rounds - programs[i]->rounds;
    return rounds;
}

/* The program's rounds and halt, from a round of the ROM on. */
static gfab_status fill_image(const gfab_program *program, uint32_t first, const gfab_progress *progress,
                              gfab_image *image)
{
    const size_t stride = gfab_image_lane_stride(image);
    const uint32_t half_bits = gfab_image_op_bits(image) / program->halves;
    for (uint32_t round = 1; round <= program->rounds; round++) {
        for (size_t kind = 0; kind < program->kinds; kind++)
            for (size_t lane = 0; lane < program->lanes; lane++) {
                const size_t node = gfab_layout_kind_node(program->layout, kind);
                uint64_t word = gfab_op_encode(gfab_program_half(program, node, round, lane, 0));
                if (program->halves == 2)
                    word |= (uint64_t)gfab_op_encode(gfab_program_half(program, node, round, lane, 1)) << half_bits;
                gfab_image_set_word(image, node, (first + round - 1) * stride + lane, word);
                if (program->paths)
                    gfab_image_set_path(image, node, first + round, lane,
                                        gfab_program_path(program, node, round, lane));
            }
        gfab_image_set_gap(image, first + round, gfab_program_gap(program, round));
        if (program->period)
            gfab_image_set_loop(image, first + round, (round - 1) % program->period == 0, round == program->rounds);
        GFAB_TRY(gfab_progress_report(progress, "assembled rounds", round, program->rounds));
    }
    for (size_t kind = 0; kind < program->kinds; kind++) {
        const size_t node = gfab_layout_kind_node(program->layout, kind);
        const uint32_t sum = gfab_image_sum(image, node, first + 1, first + program->rounds + 1);
        for (size_t lane = 0; lane < program->lanes; lane++)
            gfab_image_set_word(image, node, (first + program->rounds) * stride + lane,
                                gfab_op_encode((gfab_op){GFAB_OP_IDLE, sum}));
    }
    gfab_image_set_halt(image, first + program->rounds + 1, true);
    return GFAB_OK;
}

gfab_status gfab_program_assemble_all(const gfab_program *const *programs, size_t count, uint32_t round_bits,
                                      const gfab_progress *progress, gfab_image **image, gfab_diag *diag)
{
    uint32_t needed = 1, first_rounds[GFAB_MAX_PROGRAMS];
    if (count == 0 || count > GFAB_MAX_PROGRAMS)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%zu programs: 1 to %u", count, GFAB_MAX_PROGRAMS);
    const uint64_t rounds = place_programs(programs, count, first_rounds);
    while (needed < 32 && (uint64_t)1 << needed < rounds)
        needed++;
    if (round_bits != 0 && round_bits < needed)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u round bits are too few: %llu rounds and the %s need %u",
                         (unsigned)round_bits, (unsigned long long)rounds - count, count == 1 ? "halt" : "halts",
                         (unsigned)needed);
    gfab_image *result;
    GFAB_TRY(gfab_image_create(programs[0]->layout, round_bits ? round_bits : needed, &result, diag));
    gfab_status status = gfab_image_set_programs(result, first_rounds, count, diag);
    GFAB_THEN(status, fit_image(programs, count, result, diag));
    for (size_t i = 0; i < count && status == GFAB_OK; i++)
        status = fill_image(programs[i], first_rounds[i], progress, result);
    return GFAB_HAND_OVER(status, result, gfab_image_destroy, image);
}

gfab_status gfab_program_assemble(const gfab_program *program, uint32_t round_bits, const gfab_progress *progress,
                                  gfab_image **image, gfab_diag *diag)
{
    return gfab_program_assemble_all(&program, 1, round_bits, progress, image, diag);
}

/* One of the programs that are in an image. */
static gfab_status disassemble(const gfab_image *image, size_t index, const gfab_progress *progress,
                               gfab_program **program, gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(image);
    const size_t kinds = gfab_layout_kind_count(layout);
    const uint32_t first = gfab_image_first_round(image, index), rounds = gfab_image_rounds(image, index);
    if ((first + rounds) >> gfab_image_round_bits(image))
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "no halt in any round");
    gfab_program *result;
    gfab_status status = gfab_program_create(layout, rounds, &result);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "out of memory for programs of %u rounds", (unsigned)rounds);
    for (uint32_t round = 1; round <= rounds && status == GFAB_OK; round++) {
        for (size_t kind = 0; kind < kinds; kind++)
            for (size_t lane = 0; lane < result->lanes; lane++) {
                const size_t node = gfab_layout_kind_node(layout, kind);
                if (result->paths)
                    gfab_program_set_path(result, node, round, lane, gfab_image_path(image, node, first + round, lane));
                for (uint32_t half = 0; half < result->halves; half++)
                    word_array_set(&result->ops,
                                   (((round - 1) * result->kinds + kind) * result->lanes + lane) * result->halves +
                                       half,
                                   gfab_op_encode(gfab_image_op(image, node, first + round, lane, half)));
            }
        gfab_program_set_gap(result, round, gfab_image_gap(image, first + round));
        if (gfab_image_begins(image, first + round) && result->period == 0 && round > 1)
            result->period = round - 1;
        status = gfab_progress_report(progress, "disassembled rounds", round, rounds);
    }
    if (rounds > 0 && gfab_image_begins(image, first + 1) && result->period == 0)
        result->period = rounds;
    return GFAB_HAND_OVER(status, result, gfab_program_destroy, program);
}

gfab_status gfab_program_disassemble(const gfab_image *image, const gfab_progress *progress, gfab_program **program,
                                     gfab_diag *diag)
{
    return disassemble(image, 0, progress, program, diag);
}

/* Of two programs that are not equal. */
static gfab_status name_difference(const gfab_program *a, const gfab_program *b, gfab_diag *diag)
{
    if (a->rounds != b->rounds || a->kinds != b->kinds || a->lanes != b->lanes || a->halves != b->halves)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "images of %u rounds for a program of %u", (unsigned)b->rounds,
                         (unsigned)a->rounds);
    for (uint32_t round = 1; round <= a->rounds; round++)
        for (size_t kind = 0; kind < a->kinds; kind++)
            for (size_t i = 0; i < a->lanes * a->halves; i++) {
                const size_t node = gfab_layout_kind_node(a->layout, kind);
                const size_t lane = i / a->halves;
                const uint32_t half = (uint32_t)(i % a->halves);
                const gfab_op x = gfab_program_half(a, node, round, lane, half);
                const gfab_op y = gfab_program_half(b, node, round, lane, half);
                if (x.kind != y.kind || x.slot != y.slot)
                    return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                                     "node %zu, round %u, lane %zu: the image says %s %u, the program %s %u", node,
                                     (unsigned)round, lane, gfab_op_kind_name(y.kind), (unsigned)y.slot,
                                     gfab_op_kind_name(x.kind), (unsigned)x.slot);
            }
    return gfab_fail(diag, 0, GFAB_ERR_FAULT, "the image has other gaps or paths than the program");
}

gfab_status gfab_program_check_all(const gfab_program *const *programs, size_t count, const gfab_image *image,
                                   const gfab_progress *progress, gfab_diag *diag)
{
    gfab_status status = GFAB_OK;
    if (count != gfab_image_program_count(image))
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "an image of %zu programs for %zu", gfab_image_program_count(image),
                         count);
    for (size_t i = 0; i < count && status == GFAB_OK; i++) {
        gfab_program *back = NULL;
        status = disassemble(image, i, progress, &back, diag);
        if (status == GFAB_OK && !gfab_program_equal(programs[i], back))
            status = name_difference(programs[i], back, diag);
        gfab_program_destroy(back);
    }
    return status;
}

gfab_status gfab_program_check_image(const gfab_program *program, const gfab_image *image,
                                     const gfab_progress *progress, gfab_diag *diag)
{
    return gfab_program_check_all(&program, 1, image, progress, diag);
}
