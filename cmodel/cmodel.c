/* SPDX-License-Identifier: MIT */
/* What wide nodes do is in cmodel_wide.c. Creation, inputs and the sequencer: rtl/common/gfab_sequencer.v,
 * gfab_program.v. */
#include "cmodel_stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What differs between narrow and wide fabrics: RAMs of a node, tokens in one, rounds kept, cycles of a period. */
typedef struct cmodel_shape {
    uint32_t stores;
    uint32_t slot_count;
    uint32_t load_count; /* tokens, or parts of one, that a node is loaded with */
    uint32_t round_count;
    uint32_t period_lanes;
} cmodel_shape;

/* Words of up to 8 bytes take 1, 2, 4 or 8, so that copying one is one move. */
static size_t word_bytes(uint32_t word_bits)
{
    const size_t bytes = ((size_t)word_bits + 7) / 8;
    if (bytes > 8)
        return bytes;
    size_t power = 1;
    while (power < bytes)
        power *= 2;
    return power;
}

/* Up to the last of all programs' halts. */
static uint32_t count_rounds(const gfab_machine *machine)
{
    const uint32_t held = (uint32_t)1 << gfab_machine_round_bits(machine);
    uint32_t count = 0;
    for (size_t i = 0; i < gfab_machine_program_count(machine); i++) {
        const gfab_machine_program *program = gfab_machine_program_at(machine, i);
        const uint32_t rounds = program->first_round + program->rounds + 1;
        if (rounds > count)
            count = rounds;
    }
    return count < held ? count : held;
}

static void copy_programs(gfab_cmodel *cmodel, const gfab_machine *machine)
{
    cmodel->program_count = gfab_machine_program_count(machine);
    for (size_t i = 0; i < cmodel->program_count; i++)
        cmodel->first_rounds[i] = gfab_machine_program_at(machine, i)->first_round;
}

static gfab_status copy_ops(gfab_cmodel *cmodel, const gfab_image *image, const gfab_progress *progress)
{
    uint32_t *op = cmodel->ops;
    for (uint32_t round = 0; round < cmodel->round_count; round++) {
        for (size_t node = 0; node < cmodel->nodes; node++)
            for (size_t lane = 0; lane < cmodel->timing.lanes; lane++)
                for (uint32_t half = 0; half < cmodel->halves; half++)
                    *op++ = gfab_op_encode(gfab_image_op(image, node, round + 1, lane, half));
        cmodel->gaps[round] = gfab_image_gap(image, round + 1);
        cmodel->halts[round] = gfab_image_halts(image, round + 1);
        for (size_t i = 0; cmodel->paths && i < cmodel->nodes * cmodel->timing.lanes; i++)
            cmodel->paths[round * cmodel->nodes * cmodel->timing.lanes + i] =
                gfab_image_path(image, i / cmodel->timing.lanes, round + 1, i % cmodel->timing.lanes);
        if (progress && !progress->report(progress->context, "rounds loaded", round, cmodel->round_count))
            return GFAB_ERR_INTERRUPTED;
    }
    return GFAB_OK;
}

static void connect(gfab_cmodel *cmodel)
{
    const gfab_topology *topology = gfab_layout_topology(cmodel->layout);
    for (size_t node = 0; node < cmodel->nodes; node++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, node, &count);
        for (size_t p = 0; p < count; p++) {
            const uint32_t lane = gfab_layout_lane(cmodel->layout, node, p);
            const lane_peer peer = {.present = true,
                                    .skewed = lane == 0 && gfab_layout_skew(cmodel->layout, node) != 0,
                                    .node = ports[p].peer,
                                    .lane = gfab_layout_lane(cmodel->layout, ports[p].peer, ports[p].peer_port),
                                    .arc = 2 * ports[p].link + ports[p].end};
            cmodel->peers[node * cmodel->timing.lanes + lane] = peer;
            cmodel->end_lane[peer.arc] = lane;
        }
    }
}

static void settle(gfab_cmodel *cmodel)
{
    for (size_t period = 0; period < cmodel->period_count; period++)
        cmodel->period_round[period] = NO_ROUND;
    for (size_t i = 0; i < cmodel->turn_count; i++)
        cmodel->turns[i].due = false;
    for (size_t parity = 0; parity < 2; parity++)
        cmodel->plans[parity].round = NO_ROUND;
    for (size_t i = 0; cmodel->paths && i < cmodel->nodes * cmodel->timing.lanes; i++)
        cmodel->receivers[i].active = false;
    cmodel->path_round = NO_ROUND;
}

/* Numbers of all that there is, from which the sizes of arrays follow. */
static void count_all(gfab_cmodel *m, const gfab_layout *layout, const gfab_timing *timing, const cmodel_shape *shape)
{
    m->layout = layout;
    m->timing = *timing;
    m->nodes = gfab_topology_node_count(gfab_layout_topology(layout));
    m->links = gfab_topology_link_count(gfab_layout_topology(layout));
    m->slot_count = shape->slot_count;
    m->round_count = shape->round_count;
    m->period_lanes = shape->period_lanes;
    m->word_bytes = word_bytes(timing->word_bits);
    m->flit_bytes = ((size_t)timing->link_bits + 7) / 8;
    m->halves = gfab_layout_halves(layout);
    m->load_words = timing->words * shape->load_count;
    m->combines = gfab_layout_operator(layout);
    m->chosen = GFAB_OPERATOR_FIRST;
    m->user_operator = gfab_bfloat16_sums;
    m->out_delay = 2 - timing->direct;
    m->write_delay = shape->period_lanes + 1 - timing->direct + timing->latency_cycles + timing->registered +
                     gfab_timing_combine_cycles(timing);
    m->turn_count = (size_t)m->write_delay + shape->period_lanes + 1;
    if (timing->paths)
        m->turn_count += m->nodes * (1 + (size_t)timing->latency_cycles);
    m->period_count = m->turn_count / shape->period_lanes + 2;
}

/* All but the programs and the plans. */
static gfab_status allocate_model(const gfab_layout *layout, const gfab_timing *timing, const cmodel_shape *shape,
                                  gfab_cmodel **cmodel)
{
    const size_t lanes = gfab_layout_lane_count(layout);
    gfab_cmodel *m = calloc(1, sizeof *m);
    GFAB_NEED(m);
    gfab_arena *arena = &m->arena;
    count_all(m, layout, timing, shape);
    GFAB_ARRAYS(arena, m->round_count, m->gaps, m->halts, m->loops);
    GFAB_ARRAYS(arena, m->period_count, m->period_plan, m->period_round, m->period_word);
    if (timing->paths) {
        m->paths = gfab_arena_zeroed2(arena, m->round_count, m->nodes * lanes, sizeof *m->paths);
        m->receivers = gfab_arena_zeroed2(arena, m->nodes, lanes, sizeof *m->receivers);
    }
    m->turns = gfab_arena_zeroed(arena, m->turn_count, sizeof *m->turns);
    m->peers = gfab_arena_zeroed2(arena, m->nodes, lanes, sizeof *m->peers);
    m->end_lane = gfab_arena_zeroed2(arena, m->links, 2, sizeof *m->end_lane);
    GFAB_ARRAYS(arena, m->nodes, m->slot_mask, m->load_word, m->loading);
    m->load_data = gfab_arena_zeroed(arena, m->nodes, m->word_bytes);
    m->store =
        gfab_arena_zeroed2(arena, m->nodes * m->slot_count, (size_t)shape->stores * timing->words, m->word_bytes);
    m->sent = gfab_arena_zeroed2(arena, m->period_count, m->nodes * lanes + 1, m->word_bytes);
    m->wires = gfab_arena_zeroed2(arena, 3, m->links, m->flit_bytes);
    m->use_cycles = gfab_arena_zeroed2(arena, m->links, 2, sizeof *m->use_cycles);
    if (m->combines) {
        m->combining = gfab_arena_zeroed2(arena, m->nodes * shape->stores, lanes, sizeof *m->combining);
        m->combined = gfab_arena_zeroed(arena, m->word_bytes, 1);
    }
    if (arena->failed) {
        gfab_cmodel_destroy(m);
        return GFAB_ERR_NO_MEMORY;
    }
    connect(m);
    settle(m);
    for (size_t node = 0; node < m->nodes; node++)
        m->load_word[node] = m->load_words;
    *cmodel = m;
    return GFAB_OK;
}

/* A RAM's addresses have a whole number of bits, so that numbers of slots wrap at a power of two, 2 or more. */
static void mask_slots(gfab_cmodel *cmodel)
{
    for (size_t node = 0; node < cmodel->nodes; node++) {
        uint32_t count = 2;
        while (count < gfab_layout_node_slots(cmodel->layout, node))
            count *= 2;
        cmodel->slot_mask[node] = count - 1;
    }
}

static gfab_status create_narrow(const gfab_machine *machine, const gfab_progress *progress, gfab_cmodel **cmodel)
{
    const gfab_timing *timing = gfab_machine_timing(machine);
    const gfab_image *image = gfab_machine_image(machine);
    const size_t lanes = timing->lanes;
    const gfab_layout *layout = gfab_machine_layout(machine);
    const uint32_t blocks = gfab_layout_goal(layout) ? gfab_layout_load_count(layout) : gfab_layout_blocks(layout);
    const cmodel_shape shape = {.stores = 1,
                                .slot_count = (uint32_t)1 << gfab_image_slot_bits(image),
                                .load_count = blocks ? blocks : timing->parts,
                                .round_count = count_rounds(machine),
                                .period_lanes = timing->lanes};
    gfab_cmodel *m;
    GFAB_TRY(allocate_model(layout, timing, &shape, &m));
    mask_slots(m);
    m->ops = gfab_arena_zeroed2(&m->arena, m->round_count, m->nodes * lanes * m->halves, sizeof *m->ops);
    for (size_t parity = 0; parity < 2; parity++) {
        round_plan *plan = &m->plans[parity];
        plan->sends = gfab_arena_zeroed2(&m->arena, m->nodes, lanes, sizeof *plan->sends);
        plan->send_count = gfab_arena_zeroed(&m->arena, lanes, sizeof *plan->send_count);
        plan->receives = gfab_arena_zeroed2(&m->arena, m->nodes, lanes + 1, sizeof *plan->receives);
        plan->receive_count = gfab_arena_zeroed(&m->arena, lanes + 1, sizeof *plan->receive_count);
    }
    gfab_status status = m->arena.failed ? GFAB_ERR_NO_MEMORY : copy_ops(m, image, progress);
    if (status == GFAB_OK && gfab_layout_streams(layout))
        status = gfab_cmodel_streams_create(m, image);
    return GFAB_HAND_OVER(status, m, gfab_cmodel_destroy, cmodel);
}

/* Of the image only what nodes are wired for. */
static gfab_status create_words(const gfab_machine *machine, const gfab_progress *progress, gfab_cmodel **cmodel)
{
    const cmodel_shape shape = {1, 1, 1, count_rounds(machine), 1};
    gfab_cmodel *m;
    gfab_status status = allocate_model(gfab_machine_layout(machine), gfab_machine_timing(machine), &shape, &m);
    if (status == GFAB_OK && (status = gfab_cmodel_words_create(m, gfab_machine_image(machine))) != GFAB_OK)
        gfab_cmodel_destroy(m);
    if (status == GFAB_OK)
        *cmodel = m;
    (void)progress; /* it takes no time */
    return status;
}

static gfab_status create_wide(const gfab_machine *machine, const gfab_progress *progress, gfab_cmodel **cmodel)
{
    const gfab_banks *banks = gfab_machine_banks(machine);
    const cmodel_shape shape = {.stores = gfab_banks_crossbar(banks)->banks,
                                .slot_count = (uint32_t)1 << gfab_banks_address_bits(banks),
                                .load_count = gfab_layout_blocks(gfab_machine_layout(machine))
                                                  ? gfab_banks_load_count(banks)
                                                  : gfab_machine_timing(machine)->parts,
                                .round_count = count_rounds(machine),
                                .period_lanes = 1};
    GFAB_TRY(allocate_model(gfab_machine_layout(machine), gfab_machine_timing(machine), &shape, cmodel));
    (*cmodel)->banks = banks;
    for (uint32_t round = 0; round < (*cmodel)->round_count; round++)
        (*cmodel)->gaps[round] = gfab_banks_gap(banks, round + 1);
    for (size_t i = 0; i < gfab_banks_program_count(banks); i++) {
        const uint32_t halt = gfab_banks_halt(banks, i);
        if (halt > 0 && halt <= (*cmodel)->round_count)
            (*cmodel)->halts[halt - 1] = true;
    }
    (void)progress; /* there is no image to copy */
    return GFAB_OK;
}

gfab_status gfab_cmodel_create(const gfab_machine *machine, const gfab_progress *progress, gfab_cmodel **cmodel)
{
    GFAB_TRY((gfab_machine_banks(machine)                              ? create_wide
              : gfab_layout_word_streams(gfab_machine_layout(machine)) ? create_words
                                                                       : create_narrow)(machine, progress, cmodel));
    copy_programs(*cmodel, machine);
    return GFAB_OK;
}

void gfab_cmodel_destroy(gfab_cmodel *cmodel)
{
    if (!cmodel)
        return;
    gfab_arena_release(&cmodel->arena);
    free(cmodel);
}

void gfab_cmodel_set_reset(gfab_cmodel *cmodel, bool reset)
{
    cmodel->reset = reset;
}

void gfab_cmodel_set_start(gfab_cmodel *cmodel, bool start)
{
    cmodel->start = start;
}

void gfab_cmodel_set_program(gfab_cmodel *cmodel, size_t program)
{
    cmodel->program = program < cmodel->program_count ? program : 0;
}

void gfab_cmodel_set_operator(gfab_cmodel *cmodel, gfab_operator op)
{
    assert(op >= GFAB_OPERATOR_FIRST && op < GFAB_OPERATOR_ALL);
    cmodel->chosen = op;
}

void gfab_cmodel_set_user_operator(gfab_cmodel *cmodel, gfab_operator_fn user_operator, void *context)
{
    cmodel->user_operator = user_operator;
    cmodel->user_context = context;
}

void gfab_cmodel_set_load(gfab_cmodel *cmodel, size_t node, uint32_t word, const uint8_t *data)
{
    const uint32_t bits = cmodel->timing.word_bits;
    uint8_t *to = cmodel->load_data + node * cmodel->word_bytes;
    assert(node < cmodel->nodes && word < cmodel->load_words);
    if (cmodel->load_word[node] == cmodel->load_words)
        cmodel->loading[cmodel->load_count++] = (uint32_t)node;
    cmodel->load_word[node] = word;
    memset(to, 0, cmodel->word_bytes);
    gfab_cmodel_or_bits(to, 0, data, 0, bits);
}

static void take_loads(gfab_cmodel *cmodel)
{
    for (size_t i = 0; i < cmodel->load_count; i++) {
        const uint32_t node = cmodel->loading[i];
        if (!cmodel->busy && cmodel->banks)
            gfab_cmodel_wide_load(cmodel, node, cmodel->load_word[node], cmodel->load_data + node * cmodel->word_bytes);
        else if (!cmodel->busy)
            memcpy(gfab_cmodel_own_word(cmodel, node, cmodel->load_word[node]),
                   cmodel->load_data + node * cmodel->word_bytes, cmodel->word_bytes);
        cmodel->load_word[node] = cmodel->load_words;
    }
    cmodel->load_count = 0;
}

/* Cycles from this one on in which the end of a link will drive for rounds that are planned. */
static uint64_t use_left(const gfab_cmodel *cmodel, size_t link, uint32_t end)
{
    if (cmodel->banks)
        return gfab_cmodel_wide_use_left(cmodel, link, end);
    const uint32_t *end_lane = &cmodel->end_lane[2 * link];
    const uint32_t window_lane = end_lane[0] > end_lane[1] ? end_lane[0] : end_lane[1];
    const uint32_t node = gfab_topology_link(gfab_layout_topology(cmodel->layout), link).node[end];
    const uint64_t length = cmodel->timing.cycles_per_round;
    uint64_t left = 0;
    if (cmodel->paths) /* counted as they happen */
        return 0;
    for (size_t parity = 0; parity < 2; parity++) {
        const round_plan *plan = &cmodel->plans[parity];
        if (plan->round == NO_ROUND || gfab_cmodel_op(cmodel, plan->round, node, end_lane[end]).kind != GFAB_OP_SEND)
            continue;
        const uint64_t first = plan->start_cycle + window_lane + cmodel->out_delay;
        if (cmodel->cycle <= first)
            left += length;
        else if (cmodel->cycle < first + length)
            left += first + length - cmodel->cycle;
    }
    return left;
}

/* Cycles that are over count. */
uint64_t gfab_cmodel_link_use_cycles(const gfab_cmodel *cmodel, size_t link, uint32_t end)
{
    return cmodel->use_cycles[2 * link + end] - use_left(cmodel, link, end);
}

static void stop(gfab_cmodel *cmodel)
{
    for (size_t link = 0; link < cmodel->links; link++)
        for (uint32_t end = 0; end < 2; end++)
            cmodel->use_cycles[2 * link + end] -= use_left(cmodel, link, end);
    settle(cmodel);
    if (cmodel->streams)
        gfab_cmodel_streams_reset(cmodel);
    cmodel->run = cmodel->busy = cmodel->done = false;
}

static void begin(gfab_cmodel *cmodel)
{
    settle(cmodel);
    cmodel->run = cmodel->busy = true;
    cmodel->done = false;
    cmodel->cycle = 0;
    cmodel->playing = cmodel->next_program;
    cmodel->round = cmodel->first_rounds[cmodel->playing];
    cmodel->word = 0;
    cmodel->lane = 0;
    cmodel->hold = 0;
    cmodel->period = 0;
    cmodel->begins = true;
    cmodel->op = cmodel->combines == GFAB_OPERATOR_ALL ? cmodel->chosen : cmodel->combines;
}

/* The turn of lane 0: a period begins, or the halt is there. */
static void begin_period(gfab_cmodel *cmodel)
{
    if (cmodel->run && cmodel->halts[cmodel->round]) {
        cmodel->run = false;
        cmodel->done_cycle = cmodel->cycle + cmodel->timing.overhead_cycles - 1;
    }
    if (++cmodel->period == cmodel->period_count)
        cmodel->period = 0;
    cmodel->period_round[cmodel->period] = cmodel->run ? cmodel->round : NO_ROUND;
    cmodel->period_word[cmodel->period] = cmodel->word;
    if (cmodel->run && cmodel->word == 0 && !cmodel->banks)
        gfab_cmodel_plan_round(cmodel, cmodel->round);
    cmodel->period_plan[cmodel->period] = cmodel->plan;
}

static void take_turn(gfab_cmodel *cmodel)
{
    turn *now = &cmodel->turns[cmodel->cycle % cmodel->turn_count];
    if (cmodel->hold == 0 && cmodel->lane == 0)
        begin_period(cmodel);
    now->due = cmodel->hold == 0 && cmodel->run;
    now->lane = cmodel->lane;
    now->period = cmodel->period;
    now->begins = now->due && cmodel->begins;
    cmodel->begins = cmodel->begins && cmodel->hold > 0;
}

static void advance(gfab_cmodel *cmodel)
{
    cmodel->cycle++;
    cmodel->busy = !cmodel->done;
    cmodel->done = cmodel->done || (!cmodel->run && cmodel->cycle == cmodel->done_cycle);
    if (cmodel->hold > 0) {
        cmodel->hold--;
        return;
    }
    if (++cmodel->lane < cmodel->period_lanes)
        return;
    cmodel->lane = 0;
    if (++cmodel->word < cmodel->timing.words)
        return;
    cmodel->word = 0;
    cmodel->hold = cmodel->gaps[cmodel->round];
    cmodel->begins = cmodel->hold > 0;
    if (cmodel->loops[cmodel->round] && gfab_cmodel_streams_more(cmodel))
        cmodel->round = cmodel->first_rounds[cmodel->playing];
    else if (++cmodel->round == cmodel->round_count)
        cmodel->round = 0;
}

void gfab_cmodel_step(gfab_cmodel *cmodel)
{
    if (cmodel->words) {
        gfab_cmodel_words_step(cmodel);
        return;
    }
    const bool asked = cmodel->streams ? gfab_cmodel_streams_start(cmodel) : cmodel->start;
    const bool start = asked && (!cmodel->busy || cmodel->done);
    take_loads(cmodel);
    if (cmodel->busy) {
        take_turn(cmodel);
        (cmodel->banks ? gfab_cmodel_wide_access : gfab_cmodel_access_stores)(cmodel);
        if (cmodel->paths)
            gfab_cmodel_count_uses(cmodel);
        if (cmodel->streams)
            gfab_cmodel_streams_step(cmodel, &cmodel->turns[cmodel->cycle % cmodel->turn_count]);
        advance(cmodel);
        if (cmodel->paths)
            gfab_cmodel_move_paths(cmodel);
    } else if (cmodel->streams) {
        gfab_cmodel_streams_step(cmodel, NULL);
    }
    if (cmodel->reset)
        stop(cmodel);
    else if (start)
        begin(cmodel);
    if (!cmodel->busy || cmodel->done)
        cmodel->next_program = cmodel->program;
    cmodel->reset = cmodel->start = false;
}

bool gfab_cmodel_busy(const gfab_cmodel *cmodel)
{
    return cmodel->busy;
}

bool gfab_cmodel_done(const gfab_cmodel *cmodel)
{
    return cmodel->done;
}

gfab_status gfab_cmodel_run(gfab_cmodel *cmodel, uint64_t limit_cycles, const gfab_progress *progress, uint64_t *cycles)
{
    uint64_t count = 0;
    if (cmodel->busy && !cmodel->done)
        return GFAB_ERR_INVALID;
    if (cmodel->next_program != cmodel->program)
        gfab_cmodel_step(cmodel);
    gfab_cmodel_set_start(cmodel, true);
    do {
        if (count == limit_cycles)
            return GFAB_ERR_FAULT;
        gfab_cmodel_step(cmodel);
        count++;
        if (progress && cmodel->run && cmodel->lane == 0 && cmodel->word == 0 && cmodel->hold == 0 &&
            !progress->report(progress->context, "rounds", cmodel->round, cmodel->round_count - 1))
            return GFAB_ERR_INTERRUPTED;
    } while (!cmodel->done);
    gfab_cmodel_step(cmodel); /* the edge that samples done, and does the last write */
    *cycles = count;
    return GFAB_OK;
}
