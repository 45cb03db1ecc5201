/* SPDX-License-Identifier: MIT */
/* From programs to ROM images and back. */
#include "base/progress.h"
#include "image_internal.h"
#include "program_internal.h"

/* Bits of the highest of some numbers that are or-ed together. */
static uint32_t bits_of(uint32_t any)
{
    uint32_t bits = 0;
    while (bits < 32 && (uint64_t)any >> bits)
        bits++;
    return bits;
}

/* Gaps as long, and waits, as the program needs them. */
static gfab_status fit_image(const gfab_program *program, gfab_image *image, gfab_diag *diag)
{
    uint32_t gaps = 0, waits = 1;
    for (uint32_t round = 1; round <= program->rounds; round++)
        gaps |= gfab_program_gap(program, round);
    for (size_t i = 0; program->paths && i < program->rounds * program->nodes * program->lanes; i++)
        waits |= program->paths[i].wait;
    const gfab_status status = gfab_image_set_gap_bits(image, bits_of(gaps), diag);
    return status == GFAB_OK && program->paths ? gfab_image_set_wait_bits(image, bits_of(waits), diag) : status;
}

static gfab_status fill_image(const gfab_program *program, const gfab_progress *progress, gfab_image *image)
{
    const size_t stride = gfab_image_lane_stride(image);
    const uint32_t half_bits = gfab_image_op_bits(image) / program->halves;
    const bool combines = gfab_layout_combines(program->layout);
    gfab_status status = GFAB_OK;
    for (uint32_t round = 1; round <= program->rounds && status == GFAB_OK; round++) {
        for (size_t node = 0; node < program->nodes; node++)
            for (size_t lane = 0; lane < program->lanes; lane++) {
                uint32_t word = gfab_op_encode(gfab_program_half(program, node, round, lane, 0), combines);
                if (program->halves == 2)
                    word |= gfab_op_encode(gfab_program_half(program, node, round, lane, 1), combines) << half_bits;
                gfab_image_set_word(image, node, (round - 1) * stride + lane, word);
                if (program->paths)
                    gfab_image_set_path(image, node, round, lane, gfab_program_path(program, node, round, lane));
            }
        gfab_image_set_gap(image, round, gfab_program_gap(program, round));
        status = gfab_progress_report(progress, "assembled rounds", round, program->rounds);
    }
    for (size_t node = 0; node < program->nodes; node++) {
        const uint32_t sum = gfab_image_sum(image, node, program->rounds + 1);
        for (size_t lane = 0; lane < program->lanes; lane++) {
            const gfab_op op = {lane == 0 ? GFAB_OP_HALT : GFAB_OP_IDLE, sum};
            gfab_image_set_word(image, node, program->rounds * stride + lane, gfab_op_encode(op, combines));
        }
    }
    return status;
}

gfab_status gfab_program_assemble(const gfab_program *program, uint32_t round_bits, const gfab_progress *progress,
                                  gfab_image **image, gfab_diag *diag)
{
    uint32_t needed = 1;
    while (needed < 32 && (uint64_t)1 << needed < (uint64_t)program->rounds + 1)
        needed++;
    if (round_bits != 0 && round_bits < needed)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u round bits are too few: %u rounds and the halt need %u",
                         (unsigned)round_bits, (unsigned)program->rounds, (unsigned)needed);
    gfab_image *result;
    gfab_status status = gfab_image_create(program->layout, round_bits ? round_bits : needed, &result, diag);
    if (status != GFAB_OK)
        return status;
    status = fit_image(program, result, diag);
    if (status == GFAB_OK)
        status = fill_image(program, progress, result);
    if (status == GFAB_OK)
        *image = result;
    else
        gfab_image_destroy(result);
    return status;
}

/* Index of the first halt in lane 0, that is the number of rounds; or the number of rounds that the ROM holds. */
static uint32_t find_halt(const gfab_image *image, size_t node)
{
    const uint32_t held = (uint32_t)1 << gfab_image_round_bits(image);
    uint32_t rounds = 0;
    while (rounds < held && gfab_image_op(image, node, rounds + 1, 0, 0).kind != GFAB_OP_HALT)
        rounds++;
    return rounds;
}

gfab_status gfab_program_disassemble(const gfab_image *image, const gfab_progress *progress, gfab_program **program,
                                     gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(image);
    const size_t nodes = gfab_topology_node_count(gfab_layout_topology(layout));
    const uint32_t rounds = find_halt(image, 0);
    for (size_t node = 0; node < nodes; node++) {
        const uint32_t own = find_halt(image, node);
        if (own >> gfab_image_round_bits(image))
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu: no halt in lane 0 of any round", node);
        if (own != rounds)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu halts after %u rounds, node 0 after %u", node,
                             (unsigned)own, (unsigned)rounds);
    }
    gfab_program *result;
    gfab_status status = gfab_program_create(layout, rounds, &result);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "out of memory for programs of %u rounds", (unsigned)rounds);
    for (uint32_t round = 1; round <= rounds && status == GFAB_OK; round++) {
        for (size_t node = 0; node < nodes; node++)
            for (size_t lane = 0; lane < result->lanes; lane++) {
                if (result->paths)
                    gfab_program_set_path(result, node, round, lane, gfab_image_path(image, node, round, lane));
                for (uint32_t half = 0; half < result->halves; half++)
                    word_array_set(
                        &result->ops,
                        (((round - 1) * result->nodes + node) * result->lanes + lane) * result->halves + half,
                        gfab_op_encode(gfab_image_op(image, node, round, lane, half), gfab_layout_combines(layout)));
            }
        gfab_program_set_gap(result, round, gfab_image_gap(image, round));
        status = gfab_progress_report(progress, "disassembled rounds", round, rounds);
    }
    if (status == GFAB_OK)
        *program = result;
    else
        gfab_program_destroy(result);
    return status;
}

/* Of two programs that are not equal. */
static gfab_status name_difference(const gfab_program *a, const gfab_program *b, gfab_diag *diag)
{
    if (a->rounds != b->rounds || a->nodes != b->nodes || a->lanes != b->lanes || a->halves != b->halves)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "images of %u rounds for a program of %u", (unsigned)b->rounds,
                         (unsigned)a->rounds);
    for (uint32_t round = 1; round <= a->rounds; round++)
        for (size_t node = 0; node < a->nodes; node++)
            for (size_t i = 0; i < a->lanes * a->halves; i++) {
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

gfab_status gfab_program_check_image(const gfab_program *program, const gfab_image *image,
                                     const gfab_progress *progress, gfab_diag *diag)
{
    gfab_program *back = NULL;
    gfab_status status = gfab_program_disassemble(image, progress, &back, diag);
    if (status == GFAB_OK && !gfab_program_equal(program, back))
        status = name_difference(program, back, diag);
    gfab_program_destroy(back);
    return status;
}
