/* SPDX-License-Identifier: MIT */
/* From a schedule to a machine. A schedule must fit the fabric and the fabric fits itself to the schedule, so this is
 * the one place that knows both. Planning chooses narrow or wide nodes and the timing; compiling then builds only what
 * the schedule needs: paths, chains, slots.
 *
 * Nodes whose programs are the same share a ROM. That depends on how slots are numbered, so frames are tried in turn:
 * from each node, turned with the node, and by origin, which always works. On torus:4x4 16 nodes need 4 ROMs so. What
 * is ours: every image is read back and compared with its program before anybody gets it. */
#include <gossipfab/fabric/compile.h>
#include <gossipfab/fabric/program.h>
#include <gossipfab/schedule/expression.h>

#include "base/ascending.h"
#include "base/names.h"
#include "layout_internal.h"
#include "machine_internal.h"
#include "program_internal.h"

#include <stdlib.h>

GFAB_ENDS_BY(gfab_banks_destroy, gfab_banks)
GFAB_ENDS_BY(gfab_image_destroy, gfab_image)
GFAB_ENDS_BY(gfab_layout_destroy, gfab_layout)
GFAB_ENDS_BY(gfab_machine_destroy, gfab_machine)
GFAB_ENDS_BY(gfab_sharing_destroy, gfab_sharing)

const char *gfab_store_name(gfab_store store)
{
    static const char *const names[] = {"auto", "narrow", "wide"};
    return GFAB_NAME_OF(names, store);
}

gfab_machine_options gfab_machine_options_default(void)
{
    return (gfab_machine_options){.token_bits = 32,
                                  .link_bits = 2,
                                  .store = GFAB_STORE_AUTO,
                                  .frame = GFAB_FRAME_AUTO,
                                  .operator_cycles = GFAB_OPERATOR_CYCLES};
}

/* A failure's reason, behind what it is about. */
static gfab_status blame(gfab_status status, const char *what, const gfab_diag *reason, gfab_diag *diag)
{
    return gfab_fail(diag, 0, status, "%s: %s", what,
                     reason->message[0] ? reason->message : gfab_status_string(status));
}

/* Narrow where the token has the flits for it, or the schedule is one for shorter hops than wide nodes have, or cuts
 * tokens. */
static bool is_wide(const gfab_topology *topology, const gfab_model *model, uint32_t parts,
                    const gfab_machine_options *options)
{
    if (options->store != GFAB_STORE_AUTO || options->link_bits == 0)
        return options->store == GFAB_STORE_WIDE;
    if (gfab_operator_is_chained(options->combines))
        return true;
    const uint64_t flits = options->token_bits / options->link_bits;
    const bool parallel = gfab_topology_marks(topology) & GFAB_MARK_PARALLEL;
    const bool few = flits < 2 * gfab_topology_max_degree(topology) && !gfab_topology_has_relays(topology);
    return (parallel || few) && options->gap_cycles == 0 && model->packet_tokens == 1 && parts == 1 &&
           model->routing == GFAB_ROUTING_STORE_AND_FORWARD &&
           (model->hop_rounds == 0 || model->hop_rounds * flits >= 2 + (uint64_t)options->latency_cycles);
}

/* Streams of a word a cycle: where a block is one flit. */
static bool has_word_streams(const gfab_machine_options *options)
{
    return options->stream && (options->store == GFAB_STORE_WIDE ||
                               (options->store == GFAB_STORE_AUTO && (options->token_bits == options->link_bits ||
                                                                      gfab_operator_is_chained(options->combines))));
}

static gfab_timing_options timing_options(const gfab_machine_options *options, gfab_operator combines,
                                          uint32_t hop_rounds)
{
    return (gfab_timing_options){.token_bits = options->token_bits,
                                 .link_bits = options->link_bits,
                                 .latency_cycles = options->latency_cycles,
                                 .hop_rounds = hop_rounds,
                                 .operator_cycles = gfab_operator_is_chained(combines) ? options->operator_cycles : 0};
}

static gfab_status plan_parts(const gfab_topology *topology, const gfab_model *model, uint32_t parts,
                              const gfab_machine_options *options, gfab_plan *plan, gfab_diag *diag)
{
    gfab_plan made = {.topology = topology, .options = *options, .model = *model};
    gfab_layout_options layout = gfab_layout_options_default();
    layout.wide = !options->stream && is_wide(topology, model, parts, options);
    layout.word_streams = has_word_streams(options);
    layout.full_duplex = model->link_mode == GFAB_LINK_FULL;
    layout.paths = model->routing == GFAB_ROUTING_CIRCUIT;
    layout.blocks = options->blocks;
    layout.streams = options->stream;
    if (layout.blocks == 0 && gfab_topology_has_relays(topology))
        layout.blocks = (uint32_t)gfab_topology_member_count(topology);
    layout.combines = options->blocks ? options->combines : GFAB_OPERATOR_NONE;
    /* Whether packets go over several links is the schedule's to say, once it is there. */
    gfab_layout_options whole = layout;
    whole.protect = options->protect;
    whole.parts = layout.blocks ? 1 : parts; /* in stores of blocks a part is one of them */
    const gfab_features asked = GFAB_HAS_IF(GAPS, options->gap_cycles) | GFAB_HAS_IF(LATENCY, options->latency_cycles);
    GFAB_TRY(gfab_features_check(gfab_layout_options_features(topology, &layout) | asked, diag));
    GFAB_TRY(gfab_features_check((gfab_layout_options_features(topology, &whole) & ~GFAB_HAS(PATHS)) | asked, diag));
    const gfab_timing_options timing = timing_options(options, layout.combines, model->hop_rounds);
    GFAB_TRY(gfab_timing_of(topology, &layout, &timing, &made.timing, diag)); /* not always for the widths */
    if (model->hop_rounds == 0)
        made.model.hop_rounds = made.timing.hop_rounds;
    *plan = made;
    return GFAB_OK;
}

gfab_status gfab_machine_plan(const gfab_topology *topology, const gfab_model *model,
                              const gfab_machine_options *options, gfab_plan *plan, gfab_diag *diag)
{
    const gfab_machine_options defaults = gfab_machine_options_default();
    return plan_parts(topology, model, 1, options ? options : &defaults, plan, diag);
}

/* Of a store of a fabric that plays it; 0 for all-gather, unless there are relays, which have no token. */
static uint32_t blocks_of(const gfab_schedule *schedule)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const bool tokens =
        goal.collective == GFAB_ALL_GATHER && !gfab_topology_has_relays(gfab_schedule_topology(schedule));
    return tokens ? 0 : goal.blocks;
}

/* The operator that all of them need: none, that of the first that is not idempotent, or one that is. */
static gfab_operator operator_needed(const gfab_schedule *const *schedules, size_t count)
{
    gfab_operator needed = GFAB_OPERATOR_NONE;
    for (size_t i = 0; i < count; i++) {
        const gfab_goal goal = gfab_schedule_goal(schedules[i]);
        if (gfab_collective_combines(goal.collective) && needed != GFAB_OPERATOR_SUM)
            needed = goal.idempotent ? GFAB_OPERATOR_AND : GFAB_OPERATOR_SUM;
    }
    return needed;
}

/* What combines in all of them. */
static gfab_operator operator_for(const gfab_schedule *const *schedules, size_t count, gfab_operator asked)
{
    return asked != GFAB_OPERATOR_NONE ? asked : operator_needed(schedules, count);
}

gfab_status gfab_machine_plan_schedule(const gfab_schedule *schedule, const gfab_machine_options *options,
                                       gfab_plan *plan, gfab_diag *diag)
{
    const gfab_machine_options defaults = gfab_machine_options_default();
    gfab_machine_options fitted = options ? *options : defaults;
    fitted.blocks = blocks_of(schedule);
    fitted.combines = operator_for(&schedule, 1, fitted.combines);
    return plan_parts(gfab_schedule_topology(schedule), gfab_schedule_model(schedule), gfab_schedule_parts(schedule),
                      &fitted, plan, diag);
}

/* Does some packet cross several links in its round? */
static bool has_paths(const gfab_schedule *schedule)
{
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule); round++) {
        gfab_packet_iter it = gfab_schedule_kept_round(schedule, round);
        for (gfab_packet packet; gfab_packet_next(&it, &packet);)
            if (packet.arc_count > 1)
                return true;
    }
    return false;
}

/* Lowering, assembling, checking, comparing, sharing. */
#define COMPILE_STEPS 5

/* What is being compiled. */
typedef struct job {
    const gfab_plan *plan;
    const gfab_schedule *const *schedules;
    size_t count;
    gfab_loop *loop;            /* with streams: how the schedule becomes one */
    gfab_layout_options layout; /* all but the frame */
    gfab_timing timing;
    gfab_diag *diag;
} job;

/* What the schedules are, that the layout does not say. */
static gfab_features schedules_features(const job *j, uint32_t blocks)
{
    gfab_features made = GFAB_HAS_IF(GAPS, j->plan->options.gap_cycles) |
                         GFAB_HAS_IF(LATENCY, j->plan->options.latency_cycles) | GFAB_HAS_IF(SEVERAL, j->count > 1);
    for (size_t i = 0; i < j->count; i++) {
        const gfab_collective collective = gfab_schedule_goal(j->schedules[i]).collective;
        made |= GFAB_HAS_IF(PATHS, has_paths(j->schedules[i])) |
                GFAB_HAS_IF(PARTS, gfab_schedule_parts(j->schedules[i]) > 1 && blocks == 0) |
                GFAB_HAS_IF(MIXED_ALL_TO_ALL, j->count > 1 && collective == GFAB_ALL_TO_ALL);
    }
    return made;
}

/* Blocks that a store has slots for; 0 where it has them for tokens. */
static uint32_t blocks_for(const job *j)
{
    if (j->loop)
        return gfab_loop_slots(j->loop);
    uint32_t blocks = j->count == 1 ? blocks_of(j->schedules[0]) : 0;
    for (size_t i = 0; i < j->count && j->count > 1; i++)
        if (gfab_schedule_goal(j->schedules[i]).blocks > blocks)
            blocks = gfab_schedule_goal(j->schedules[i]).blocks;
    return blocks;
}

/* May a port send and receive in one round? */
static bool is_full_duplex(const job *j)
{
    if (j->plan->timing.wide)
        return j->plan->model.link_mode == GFAB_LINK_FULL;
    for (size_t i = 0; i < j->count; i++)
        if (gfab_schedule_model(j->schedules[i])->link_mode == GFAB_LINK_FULL)
            return true;
    return false;
}

/* Most contributions to one block that one node combines in one round; 1 at least, 0 where memory ran out. */
static uint32_t most_merges(const gfab_schedule *schedule)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const size_t room = 2 * gfab_topology_link_count(topology) * gfab_schedule_model(schedule)->packet_tokens;
    GFAB_FREED uint64_t *keys = malloc((room + 1) * sizeof *keys); /* node * blocks + block */
    uint32_t most = !!keys;
    for (uint32_t round = 1; keys && round <= gfab_schedule_rounds(schedule); round++) {
        gfab_packet_iter packets = gfab_schedule_round(schedule, round);
        size_t count = 0, begin = 0;
        for (gfab_packet packet; gfab_packet_next(&packets, &packet);)
            for (size_t i = 0; i < packet.token_count && count < room; i++)
                if (packet.tokens[i] & GFAB_COMBINE)
                    keys[count++] =
                        (uint64_t)gfab_topology_arc_to(topology, packet.arcs[packet.arc_count - 1]) * goal.blocks +
                        (packet.tokens[i] & ~GFAB_COMBINE);
        qsort(keys, count, sizeof *keys, gfab_ascending);
        for (size_t i = 0; i < count; i++) {
            begin = keys[i] == keys[begin] ? begin : i;
            most = i - begin + 1 > most ? (uint32_t)(i - begin + 1) : most;
        }
    }
    return most;
}

/* Chains are as long as the schedule that needs most of them. */
static gfab_status fit_chain(job *j)
{
    const gfab_plan *plan = j->plan;
    gfab_diag reason = {0, ""};
    gfab_timing_options timing = timing_options(&plan->options, j->layout.combines, plan->model.hop_rounds);
    for (size_t i = 0; i < j->count; i++) {
        const uint32_t merges = most_merges(j->schedules[i]);
        GFAB_NEED_TOLD(merges, j->diag);
        timing.merges = merges > timing.merges ? merges : timing.merges;
    }
    const gfab_status status = gfab_timing_of(plan->topology, &j->layout, &timing, &j->timing, &reason);
    return status ? blame(status, "the hardware cannot play this schedule", &reason, j->diag) : GFAB_OK;
}

/* A block of a stream is a beat a flit, in every cycle of a round. */
static gfab_status check_stream_flits(const gfab_timing *timing, gfab_diag *diag)
{
    if (timing->token_flits == timing->cycles_per_round)
        return GFAB_OK;
    if (timing->cycles_per_round == 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "--stream --store wide: a block is a word, of %u bits as a link; give --token-bits %u",
                         (unsigned)timing->link_bits, (unsigned)timing->link_bits);
    return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                     "--stream: a block of %u flits leaves %u cycles of a round idle; give --token-bits %u",
                     (unsigned)timing->token_flits, (unsigned)(timing->cycles_per_round - timing->token_flits),
                     (unsigned)(timing->cycles_per_round * timing->link_bits));
}

/* Narrow nodes are as the schedule needs them. Paths are built where it has some: without them a fabric is smaller and
 * its rounds need no drain. */
static gfab_status fit_schedule(job *j)
{
    gfab_diag reason = {0, ""};
    const gfab_plan *plan = j->plan;
    if (j->count == 0 || j->count > GFAB_MAX_PROGRAMS)
        return gfab_fail(j->diag, 0, GFAB_ERR_INVALID, "%zu schedules for one fabric: 1 to %u", j->count,
                         GFAB_MAX_PROGRAMS);
    const gfab_features made = schedules_features(j, blocks_for(j));
    if (plan->options.combines != GFAB_OPERATOR_NONE && operator_needed(j->schedules, j->count) == GFAB_OPERATOR_NONE)
        return gfab_fail(j->diag, 0, GFAB_ERR_INVALID, "--operator %s: nothing is combined here; leave --operator out",
                         gfab_operator_name(plan->options.combines));
    const bool keeps = gfab_topology_has_relays(plan->topology) && !plan->options.stream && !plan->timing.wide;
    if (plan->options.relay_slots != 0 && !keeps)
        return gfab_fail(j->diag, 0, GFAB_ERR_INVALID, "--relay-slots: no relay keeps blocks here; leave it out");
    const uint32_t parts = blocks_for(j) ? 1 : gfab_schedule_parts(j->schedules[0]);
    const bool paths = made & GFAB_HAS(PATHS);
    j->timing = plan->timing;
    j->layout = gfab_layout_options_default();
    j->layout.streams = plan->options.stream;
    j->layout.full_duplex = is_full_duplex(j);
    j->layout.wide = plan->timing.wide;
    j->layout.word_streams = has_word_streams(&plan->options);
    j->layout.alternates = plan->options.half_links && j->layout.word_streams &&
                           gfab_schedule_goal(j->schedules[0]).collective == GFAB_ALL_REDUCE;
    j->layout.protect = plan->options.protect;
    j->layout.blocks = blocks_for(j);
    j->layout.combines = operator_for(j->schedules, j->count, plan->options.combines);
    GFAB_TRY(gfab_features_check(gfab_layout_options_features(plan->topology, &j->layout) | made, j->diag));
    if (plan->timing.wide)
        return gfab_operator_is_chained(j->layout.combines) ? fit_chain(j) : GFAB_OK;
    j->layout.parts = parts;
    j->layout.paths = paths;
    gfab_timing_options timing = timing_options(&plan->options, j->layout.combines, 0);
    if (plan->options.any_width)
        timing.token_bits -= timing.token_bits % parts;
    const gfab_status timed = gfab_timing_of(plan->topology, &j->layout, &timing, &j->timing, &reason);
    if (timed)
        return blame(timed, "the hardware cannot play this schedule", &reason, j->diag);
    return j->layout.streams ? check_stream_flits(&j->timing, j->diag) : GFAB_OK;
}

/* The fewest bits for --rom-rounds; 0 where it is not given. */
static gfab_status find_round_bits(const job *j, const gfab_program *program, uint32_t *round_bits)
{
    const uint32_t asked = j->plan->options.rom_rounds, rounds = gfab_program_rounds(program);
    *round_bits = 0;
    if (j->count == 1 && asked != 0 && asked < (uint64_t)rounds + 1) /* of several it shows once they have places */
        return gfab_fail(j->diag, 0, GFAB_ERR_LIMIT,
                         "--rom-rounds %u is too few: the schedule's %u rounds and the halt take %llu", (unsigned)asked,
                         (unsigned)rounds, (unsigned long long)rounds + 1);
    while (((uint64_t)1 << *round_bits) < asked)
        ++*round_bits;
    return GFAB_OK;
}

/* Between two steps: may the work go on? */
static gfab_status poll(const job *j, unsigned long long step)
{
    const gfab_progress *p = j->plan->options.progress;
    return !p || p->report(p->context, "compiling, step", step, COMPILE_STEPS) ? GFAB_OK : GFAB_ERR_INTERRUPTED;
}

/* The images of all programs, checked, and read back: what is compared is what the hardware will do. */
static gfab_status assemble_programs(const job *j, const gfab_program *const *programs, gfab_image **image)
{
    const gfab_progress *progress = j->plan->options.progress;
    gfab_diag reason = {0, ""};
    GFAB_AT_END(gfab_image_at_end) gfab_image *made = NULL;
    uint32_t round_bits;
    GFAB_TRY(find_round_bits(j, programs[0], &round_bits));
    gfab_status status = gfab_program_assemble_all(programs, j->count, round_bits, progress, &made, &reason);
    if (status == GFAB_OK && (status = poll(j, 2)) == GFAB_OK)
        status = gfab_image_check(made, &j->timing, progress, NULL, &reason);
    if (status == GFAB_OK && (status = poll(j, 3)) == GFAB_OK)
        status = gfab_program_check_all(programs, j->count, made, progress, &reason);
    if (status != GFAB_OK)
        return blame(status, "ROM images", &reason, j->diag);
    *image = gfab_take_at(&made);
    return GFAB_OK;
}

/* The node of an all-to-all keeps what it needs, and not all N^2 blocks, of which most never come by. */
static bool reuses_all(const job *j)
{
    return j->count == 1 && !j->layout.wide && gfab_schedule_goal(j->schedules[0]).collective == GFAB_ALL_TO_ALL;
}

/* Room for programs around what dies, where it is asked for. */
static void spare_slots(const job *j, gfab_layout *layout, size_t relay)
{
    const uint32_t asked = j->plan->options.relay_slots, most = (uint32_t)gfab_layout_slot_count(layout);
    if (asked > gfab_layout_node_slots(layout, relay))
        (void)gfab_layout_set_node_slots(layout, relay, asked < most ? asked : most);
}

/* Another layout and programs in the place of these. */
static gfab_status allocate_slots(const job *j, gfab_layout **layout, gfab_program **programs, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(j->schedules[0]);
    GFAB_AT_END(gfab_layout_at_end) gfab_layout *placed = NULL;
    gfab_program *made[GFAB_MAX_PROGRAMS] = {NULL};
    GFAB_TRY(gfab_layout_create(j->plan->topology, &j->layout, &placed, diag));
    GFAB_TRY(gfab_program_allocate((const gfab_program *const *)programs, j->count, reuses_all(j) ? &goal : NULL,
                                   placed, made, diag));
    for (size_t node = 0; node < gfab_topology_node_count(j->plan->topology); node++)
        if (gfab_topology_is_relay(j->plan->topology, node))
            spare_slots(j, placed, node);
    for (size_t i = 0; i < j->count; i++) {
        gfab_program_destroy(programs[i]);
        programs[i] = made[i];
    }
    gfab_layout_destroy(*layout);
    *layout = gfab_take_at(&placed);
    return GFAB_OK;
}

/* A wide node has an address for each round, and so a slot for each block. */
static bool reuses_slots(const job *j)
{
    return reuses_all(j) || (gfab_topology_has_relays(j->plan->topology) && !j->layout.wide);
}

/* *layout may become another one. */
static gfab_status assemble(const job *j, gfab_layout **layout, gfab_image **image)
{
    gfab_diag reason = {0, ""};
    gfab_program *programs[GFAB_MAX_PROGRAMS] = {NULL};
    gfab_status status = GFAB_OK;
    if (j->loop && (status = gfab_loop_lower(j->loop, *layout, &programs[0], &reason)) != GFAB_OK)
        blame(status, "the hardware cannot play this schedule", &reason, j->diag);
    for (size_t i = 0; i < j->count && status == GFAB_OK && !j->loop; i++) {
        status = gfab_program_lower(j->schedules[i], *layout, &j->timing, j->plan->options.gap_cycles,
                                    j->plan->options.progress, &programs[i], &reason);
        if (status != GFAB_OK)
            blame(status, "the hardware cannot play this schedule", &reason, j->diag);
    }
    if (status == GFAB_OK && !j->loop && reuses_slots(j) &&
        (status = allocate_slots(j, layout, programs, &reason)) != GFAB_OK)
        blame(status, "slots that are reused", &reason, j->diag);
    GFAB_THEN(status, assemble_programs(j, (const gfab_program *const *)programs, image));
    for (size_t i = 0; i < j->count; i++)
        gfab_program_destroy(programs[i]);
    return status;
}

static gfab_status assign_banks(const job *j, const gfab_image *image, gfab_banks **banks)
{
    gfab_diag reason = {0, ""};
    gfab_banks *made = NULL;
    gfab_goal goals[GFAB_MAX_PROGRAMS];
    for (size_t i = 0; i < j->count; i++)
        goals[i] = gfab_schedule_goal(j->schedules[i]);
    gfab_status status = gfab_banks_fit(image, j->layout.blocks ? goals : NULL, &made, &reason);
    GFAB_THEN(status, gfab_banks_check(made, &j->timing, NULL, &reason));
    if (status == GFAB_OK) {
        *banks = made;
        return GFAB_OK;
    }
    gfab_banks_destroy(made);
    const bool asked = j->plan->options.store == GFAB_STORE_WIDE;
    return blame(status, asked ? "--store wide" : "wide nodes, as a token has fewer than 2 flits a lane", &reason,
                 j->diag);
}

/* Messages, where their order counts, or nodes are wired by them. */
static gfab_status add_messages(const job *j, const gfab_image *image, gfab_machine *machine)
{
    const bool chained = gfab_operator_is_chained(j->layout.combines), half_links = j->plan->options.half_links;
    gfab_status status = GFAB_OK;
    for (size_t i = 0; i < j->count && (chained || half_links) && status == GFAB_OK; i++) {
        gfab_message *messages = NULL;
        size_t count = 0;
        status = gfab_schedule_messages(j->schedules[i], &messages, &count);
        if (status != GFAB_OK)
            gfab_fail(j->diag, 0, status, "out of memory");
        else if (j->layout.word_streams)
            status = gfab_check_words(image, half_links, messages, count, j->diag);
        if (status == GFAB_OK && chained)
            gfab_machine_own_messages(machine, i, messages, count);
        else
            free(messages);
    }
    return status;
}

/* A machine in a frame; none, and OK, where it is to be one in which nodes share ROMs and they do not. */
static gfab_status compile_in(const job *j, gfab_frame frame, bool only_shared, gfab_machine **machine)
{
    gfab_diag reason = {0, ""};
    gfab_layout_options options = j->layout;
    GFAB_AT_END(gfab_layout_at_end) gfab_layout *layout = NULL;
    GFAB_AT_END(gfab_image_at_end) gfab_image *image = NULL;
    GFAB_AT_END(gfab_banks_at_end) gfab_banks *banks = NULL;
    GFAB_AT_END(gfab_sharing_at_end) gfab_sharing *sharing = NULL;
    GFAB_AT_END(gfab_machine_at_end) gfab_machine *made = NULL;
    options.frame = frame;
    options.alike = frame == GFAB_FRAME_RELATIVE && j->count == 1 && !j->layout.wide && !j->layout.paths &&
                    gfab_schedule_translated(j->schedules[0]);
    const gfab_status status = gfab_layout_create(j->plan->topology, &options, &layout, &reason);
    if (status != GFAB_OK)
        return blame(status, "--frame", &reason, j->diag);
    GFAB_TRY(assemble(j, &layout, &image));
    GFAB_TRY(poll(j, 4));
    if (only_shared)
        GFAB_TRY(gfab_sharing_create(image, &sharing));
    GFAB_TRY(poll(j, 5));
    if (sharing && sharing->roms >= gfab_topology_node_count(j->plan->topology))
        return GFAB_OK;
    if (j->layout.wide)
        GFAB_TRY(assign_banks(j, image, &banks));
    GFAB_TRY(gfab_told(gfab_machine_create(image, banks, &j->timing, &made), j->diag));
    GFAB_TRY(add_messages(j, image, made));
    gfab_machine_own(made, gfab_take_at(&layout), gfab_take_at(&image), gfab_take_at(&banks));
    for (size_t i = 0; i < j->count; i++) {
        const gfab_goal goal = gfab_schedule_goal(j->schedules[i]);
        gfab_machine_set_goal(made, i, &goal);
    }
    *machine = gfab_take_at(&made);
    return GFAB_OK;
}

/* What the layout is with this frame. */
static gfab_features framed(const job *j, gfab_frame frame)
{
    gfab_layout_options layout = j->layout;
    layout.frame = frame;
    return gfab_layout_options_features(j->plan->topology, &layout);
}

/* In the frame that is asked for, or else in one in which nodes share ROMs. */
static gfab_status compile_framed(const job *j, gfab_machine **machine)
{
    static const gfab_frame sharing[] = {GFAB_FRAME_RELATIVE, GFAB_FRAME_ROTATED};
    const gfab_frame asked = j->plan->options.frame;
    if (asked == GFAB_FRAME_ABSOLUTE)
        return compile_in(j, asked, false, machine);
    if (asked != GFAB_FRAME_AUTO) {
        GFAB_TRY(gfab_features_check(framed(j, asked), j->diag));
        return compile_in(j, asked, false, machine);
    }
    *machine = NULL;
    for (size_t i = 0; i < sizeof sharing / sizeof *sharing; i++) {
        if (j->layout.paths || gfab_features_refusal(framed(j, sharing[i])) ||
            gfab_frame_check(sharing[i], j->plan->topology, NULL) != GFAB_OK)
            continue;
        GFAB_TRY(compile_in(j, sharing[i], true, machine));
        if (*machine)
            return GFAB_OK;
    }
    return compile_in(j, GFAB_FRAME_ABSOLUTE, false, machine);
}

/* Streams. A port of narrow nodes has one block of each group, flows of words as many as there are. */
static gfab_status open_loop(job *j)
{
    const uint32_t group = gfab_schedule_group(j->schedules[0]);
    if (!has_word_streams(&j->plan->options) && group > 1)
        return GFAB_REFUSE(j->diag,
                           "streams: the schedule repeats %u blocks at a time, hosts of narrow nodes give one; give "
                           "--solver host-tree",
                           (unsigned)group);
    return gfab_loop_create(j->schedules[0], &j->loop, j->diag);
}

gfab_status gfab_machine_compile_all(const gfab_plan *plan, const gfab_schedule *const *schedules, size_t count,
                                     gfab_machine **machine, gfab_diag *diag)
{
    job j = {.plan = plan, .schedules = schedules, .count = count, .diag = diag};
    gfab_status status = GFAB_OK;
    if (plan->options.stream && count == 1)
        status = open_loop(&j);
    GFAB_THEN(status, fit_schedule(&j));
    GFAB_THEN(status, compile_framed(&j, machine));
    gfab_loop_destroy(j.loop);
    return status;
}

gfab_status gfab_machine_compile(const gfab_plan *plan, const gfab_schedule *schedule, gfab_machine **machine,
                                 gfab_diag *diag)
{
    return gfab_machine_compile_all(plan, &schedule, 1, machine, diag);
}
