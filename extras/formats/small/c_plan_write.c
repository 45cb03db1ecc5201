/* SPDX-License-Identifier: MIT */
/* Writes a plan as C: for each rank a table of steps that gfab_carry.c carries out, without a heap or a library, for
 * microcontrollers. Tables are const, so that they can stay in flash memory. With -DGFAB_RANK=3 the compiler gets the
 * table of rank 3 alone; without it all ranks are in one program. Only the text is made here; which steps a rank takes
 * is found in the files beside this one. */
#include "c_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 110

static void write_head(const gfab_schedule *schedule, FILE *file)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    fprintf(file, "/* Plans for gfab_carry.c: %s on %s, ", gfab_collective_name(goal.collective),
            gfab_topology_name(gfab_schedule_topology(schedule)));
    if (gfab_schedule_any_length(schedule))
        fprintf(file, "any number of blocks: %" PRIu32 " more every %" PRIu32 " rounds", gfab_schedule_group(schedule),
                gfab_schedule_period(schedule));
    else
        fprintf(file, "%" PRIu32 " block%s, %" PRIu32 " rounds", goal.blocks, goal.blocks == 1 ? "" : "s",
                gfab_schedule_rounds(schedule));
    if (gfab_collective_has_root(goal.collective))
        fprintf(file, ", root %" PRIu32, goal.root);
    fputs(".\n * Compiled with -DGFAB_RANK=V the table has the plan of rank V alone, else one for each rank in turn. "
          "Another\n"
          " * name for it: -DGFAB_PLAN=name. */\n"
          "#include \"gfab_carry.h\"\n\n"
          "#ifndef GFAB_PLAN\n#define GFAB_PLAN gfab_plan\n#endif\n"
          "#define SEND GFAB_CARRY_SEND\n#define RECEIVE GFAB_CARRY_RECEIVE\n"
          "#define COMBINE GFAB_CARRY_COMBINE\n#define STORE GFAB_CARRY_STORE\n"
          "#define INPUT GFAB_CARRY_INPUT\n#define OUTPUT GFAB_CARRY_OUTPUT\n#define SCRATCH GFAB_CARRY_SCRATCH\n\n",
          file);
}

static void write_condition(uint32_t rank, FILE *file)
{
    fprintf(file, "#if !defined GFAB_RANK || GFAB_RANK == %" PRIu32 "\n", rank);
}

static void write_round(const gfab_c_plan *p, uint32_t round, FILE *file)
{
    static const char *const kinds[] = {"SEND", "RECEIVE", "COMBINE", "STORE"};
    static const char *const areas[] = {"INPUT", "OUTPUT", "SCRATCH"};
    int column = 0;
    if (p->rounds[round] == p->rounds[round + 1])
        return;
    fprintf(file, "    /* round %" PRIu32 " */\n", round + 1);
    for (uint32_t i = p->rounds[round]; i < p->rounds[round + 1]; i++) {
        const gfab_carry_step *s = &p->steps[i];
        column += fprintf(file, "%s{%s, %s, %d, %d, %d},", column ? " " : "    ", kinds[s->kind], areas[s->area],
                          s->other, s->block, s->slot);
        if (column > COLUMNS - 32 || i + 1 == p->rounds[round + 1])
            column = fputc('\n', file) & 0;
    }
}

static void write_arrays(const gfab_c_plan *p, FILE *file)
{
    const gfab_carry_plan *plan = &p->plan;
    const int slots = plan->stages + plan->slots;
    write_condition(plan->rank, file);
    fprintf(file, "/* Rank %d: %" PRIu32 " step%s; scratch memory for %d block%s%s. */\n", plan->rank, plan->step_count,
            plan->step_count == 1 ? "" : "s", slots, slots == 1 ? "" : "s",
            plan->period && plan->slots ? ", some of them for each group under way" : "");
    fprintf(file, "static const gfab_carry_step steps_%d[] = {\n", plan->rank);
    for (uint32_t round = 0; round < plan->round_count; round++)
        write_round(p, round, file);
    fputs(plan->step_count ? "};\n" : "    {0, 0, 0, 0, 0}};\n", file);
    if (plan->period) {
        fprintf(file, "static const uint32_t rounds_%d[] = {", plan->rank);
        for (uint32_t round = 0; round <= plan->round_count; round++)
            fprintf(file, "%s%" PRIu32, round == 0 ? "" : round % 16 ? ", " : ",\n    ", p->rounds[round]);
        fputs("};\n", file);
    }
    fputs("#endif\n\n", file);
}

static void write_plan(const gfab_carry_plan *plan, FILE *file)
{
    write_condition(plan->rank, file);
    fprintf(file, "    {.steps = steps_%d,\n", plan->rank);
    if (plan->period)
        fprintf(file, "     .rounds = rounds_%d,\n", plan->rank);
    fprintf(file,
            "     .step_count = %" PRIu32 ", .round_count = %" PRIu32 ", .period = %" PRIu32 ",\n"
            "     .pieces = %d, .share = %d, .copied = %d, .copy_from = %d, .copy_to = %d,\n"
            "     .slots = %d, .stages = %d, .rank = %d, .ranks = %d, .takes_input = %d, .whole = %d},\n#endif\n",
            plan->step_count, plan->round_count, plan->period, plan->pieces, plan->share, plan->copied, plan->copy_from,
            plan->copy_to, plan->slots, plan->stages, plan->rank, plan->ranks, plan->takes_input, plan->whole);
}

/* The steps of all ranks, then what is said of each. */
static gfab_status write_all(const gfab_schedule *schedule, gfab_c_plan_maker *maker, const gfab_acts *acts,
                             gfab_carry_plan *plans, FILE *file, gfab_diag *diag)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(gfab_schedule_topology(schedule));
    const gfab_act *at = acts->at, *end = acts->at + acts->count;
    write_head(schedule, file);
    for (uint32_t v = 0; v < nodes; v++) {
        const gfab_act *first = at;
        const gfab_c_plan *plan;
        while (at < end && at->rank == v)
            at++;
        GFAB_TRY(gfab_c_plan_make(maker, v, first, (size_t)(at - first), &plan, diag));
        write_arrays(plan, file);
        plans[v] = plan->plan;
    }
    fputs("extern const gfab_carry_plan GFAB_PLAN[];\nconst gfab_carry_plan GFAB_PLAN[] = {\n", file);
    for (uint32_t v = 0; v < nodes; v++)
        write_plan(&plans[v], file);
    fputs("};\n", file);
    return gfab_format_written(file, diag);
}

gfab_status gfab_c_plan_write(const gfab_schedule *schedule, FILE *file, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(gfab_schedule_topology(schedule));
    gfab_acts acts;
    gfab_c_plan_maker *maker = NULL;
    GFAB_FREED gfab_carry_plan *plans = NULL;
    gfab_status status = gfab_acts_of(schedule, &acts, diag);
    GFAB_THEN(status, gfab_c_plan_maker_create(schedule, &maker, diag));
    if (status == GFAB_OK && !(plans = malloc(nodes * sizeof *plans)))
        status = gfab_format_no_memory(diag);
    GFAB_THEN(status, write_all(schedule, maker, &acts, plans, file, diag));
    gfab_c_plan_maker_destroy(maker);
    free(acts.at);
    return status;
}

const char *gfab_c_plan_file(size_t index, const char **text, size_t *size)
{
    static const size_t count = 2;
    if (index >= count)
        return NULL;
    *text = (const char *)gfab_carry_files[index].bytes;
    *size = gfab_carry_files[index].size;
    return strrchr(gfab_carry_files[index].path, '/') + 1;
}
