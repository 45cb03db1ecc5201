/* SPDX-License-Identifier: MIT */
/* Programs as they are kept: an op for each round, kind of node, lane and half, in 16 bits where the slots fit and in
 * 32 elsewhere. This file only stores and reads them. A schedule becomes a program in program_schedule.c, a program an
 * image in program_image.c, a program that loops in program_loop.c. */
#include "program_internal.h"

#include <assert.h>
#include <string.h>

gfab_status gfab_program_create(const gfab_layout *layout, uint32_t rounds, gfab_program **program)
{
    gfab_program *result = calloc(1, sizeof *result);
    GFAB_NEED(result);
    result->layout = layout;
    result->kinds = gfab_layout_kind_count(layout);
    result->lanes = gfab_layout_lane_count(layout);
    result->halves = gfab_layout_halves(layout);
    result->rounds = rounds;
    const gfab_op highest = {GFAB_OP_COMBINE, (uint32_t)(gfab_layout_slot_count(layout) - 1)};
    const size_t count = word_array_product(word_array_product(result->kinds, result->lanes * result->halves), rounds);
    if (word_array_product(count, sizeof(uint32_t)) != SIZE_MAX)
        result->ops = word_array_create(count, gfab_op_encode(highest) > UINT16_MAX ? 32 : 16);
    result->gaps = calloc(rounds ? rounds : 1, sizeof *result->gaps);
    const size_t path_count = word_array_product(word_array_product(result->kinds, result->lanes), rounds ? rounds : 1);
    if (gfab_layout_paths(layout) && word_array_product(path_count, sizeof *result->paths) != SIZE_MAX)
        result->paths = calloc(path_count, sizeof *result->paths);
    if (!result->ops.at.data || !result->gaps || (gfab_layout_paths(layout) && !result->paths)) {
        gfab_program_destroy(result);
        return GFAB_ERR_NO_MEMORY;
    }
    *program = result;
    return GFAB_OK;
}

void gfab_program_destroy(gfab_program *program)
{
    if (!program)
        return;
    GFAB_FREE(program->ops.at.data, program->gaps, program->paths, program);
}

uint32_t gfab_program_rounds(const gfab_program *program)
{
    return program->rounds;
}

/* Where half an op is kept. */
static size_t place(const gfab_program *program, size_t node, uint32_t round, size_t lane, uint32_t half)
{
    const size_t kind = gfab_layout_kind(program->layout, node);
    assert(kind < program->kinds && round >= 1 && round <= program->rounds && lane < program->lanes &&
           half < program->halves);
    return (((size_t)(round - 1) * program->kinds + kind) * program->lanes + lane) * program->halves + half;
}

gfab_op gfab_program_half(const gfab_program *program, size_t node, uint32_t round, size_t lane, uint32_t half)
{
    return gfab_op_decode(word_array_get(&program->ops, place(program, node, round, lane, half)));
}

void gfab_program_set_half(gfab_program *program, size_t node, uint32_t round, size_t lane, uint32_t half, gfab_op op)
{
    assert(op.slot < gfab_layout_slot_count(program->layout));
    word_array_set(&program->ops, place(program, node, round, lane, half), gfab_op_encode(op));
}

gfab_op gfab_program_op(const gfab_program *program, size_t node, uint32_t round, size_t lane)
{
    return gfab_program_half(program, node, round, lane, 0);
}

uint32_t gfab_program_gap(const gfab_program *program, uint32_t round)
{
    assert(round >= 1 && round <= program->rounds);
    return program->gaps[round - 1];
}

void gfab_program_set_gap(gfab_program *program, uint32_t round, uint32_t cycles)
{
    assert(round >= 1 && round <= program->rounds);
    program->gaps[round - 1] = cycles;
}

gfab_path gfab_program_path(const gfab_program *program, size_t node, uint32_t round, size_t lane)
{
    return program->paths[place(program, node, round, lane, 0) / program->halves];
}

void gfab_program_set_path(gfab_program *program, size_t node, uint32_t round, size_t lane, gfab_path path)
{
    program->paths[place(program, node, round, lane, 0) / program->halves] = path;
}

bool gfab_program_equal(const gfab_program *a, const gfab_program *b)
{
    if (a->kinds != b->kinds || a->lanes != b->lanes || a->halves != b->halves || a->rounds != b->rounds ||
        a->period != b->period || !a->paths != !b->paths ||
        gfab_layout_slot_count(a->layout) != gfab_layout_slot_count(b->layout))
        return false;
    const size_t ports = a->rounds * a->kinds * a->lanes;
    for (size_t i = 0; i < ports * a->halves; i++)
        if (word_array_get(&a->ops, i) != word_array_get(&b->ops, i))
            return false;
    for (size_t i = 0; a->paths && i < ports; i++)
        if (a->paths[i].source != b->paths[i].source || a->paths[i].tap != b->paths[i].tap ||
            a->paths[i].wait != b->paths[i].wait)
            return false;
    return memcmp(a->gaps, b->gaps, a->rounds * sizeof *a->gaps) == 0;
}
