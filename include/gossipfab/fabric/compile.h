/* SPDX-License-Identifier: MIT */
/* From a topology and a schedule to a machine, in two steps: what the fabric's timing asks of a schedule is known
 * before there is one. docs/guide/first-fabric.c is a whole program.
 *
 *     gfab_machine_plan(topology, &model, &options, &plan, &diag);
 *     solver->solve(topology, &plan.model, &solver_options, &schedule, &diag);
 *     gfab_machine_compile(&plan, schedule, &machine, &diag);
 *
 * Messages name an option as the command gossipfab spells it: --store, --frame, --rom-rounds. */
#ifndef GOSSIPFAB_COMPILE_H
#define GOSSIPFAB_COMPILE_H

#include <gossipfab/fabric/machine.h>
#include <gossipfab/schedule/model.h>
#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

typedef enum gfab_store {
    GFAB_STORE_AUTO,   /* narrow where W / L is at least 2 K, or gaps, packets of several tokens, tokens in parts, paths
                        * or hops shorter than wide nodes have them are asked for; wide elsewhere */
    GFAB_STORE_NARROW, /* one RAM that the K ports of a node share by turns: F is at least 2 K */
    GFAB_STORE_WIDE    /* a RAM for each token in a cycle: F = W / L */
} gfab_store;

/* "auto", "narrow", "wide". "unknown" for no such value. Static. */
const char *gfab_store_name(gfab_store store);

typedef struct gfab_machine_options {
    uint32_t token_bits;     /* W */
    uint32_t link_bits;      /* L, divides W */
    uint32_t latency_cycles; /* l: registers on every link */
    uint64_t gap_cycles;     /* after every round of the schedule: the time it takes to start messages */
    gfab_store store;
    gfab_frame frame;       /* AUTO: that of the topology's kind where it lets nodes share ROMs, else ABSOLUTE */
    gfab_protect protect;   /* DETECT: gossipfab/fabric/features.h has what it does not go with */
    gfab_operator combines; /* NONE: what the schedule needs: nothing, sum, or and where the goal is idempotent; INVALID
                             * where no schedule combines */
    uint32_t
        operator_cycles;  /* D, the latency of an operator that is chained, which has wide nodes where store is AUTO;
                               * others have none, and it is ignored */
    uint32_t blocks;      /* of a collective other than all-gather, to plan for; a schedule says it itself */
    uint32_t rom_rounds;  /* that the ROMs hold at least, the halt's included; 0: the fewest */
    uint32_t relay_slots; /* of a relay's store at least, at most its blocks; 0: the fewest */
    const gfab_progress *progress; /* of the compilation, which returns INTERRUPTED where it says so; may be NULL */
    bool stream;     /* hosts give and take streams, with WIDE or where W = L of a word a cycle: of a schedule for any
                  * number of blocks whose members are hosts */
    bool half_links; /* of streams of a word a cycle, whose hosts give and take at once: between relays words go one way
                      * over each link, or where all meet in one relay both ways by turns, else UNSUPPORTED */
    bool any_width;  /* token_bits may be made less by what does not let the schedule cut tokens in equal parts */
} gfab_machine_options;

/* W = 32, L = 2, no latency, no gap, D = GFAB_OPERATOR_CYCLES, store and frame AUTO, the fewest rounds. */
#define GFAB_OPERATOR_CYCLES 2u
gfab_machine_options gfab_machine_options_default(void);

typedef struct gfab_plan {
    const gfab_topology *topology;
    gfab_machine_options options;
    gfab_model model; /* what the schedule is to be made for */
    gfab_timing
        timing; /* timing.wide says which nodes; narrow ones may have other parts and paths, and chained operators
                         * shorter chains and rounds, once there is a schedule */
} gfab_plan;

/* What the machine will be, before there is a schedule. model's hop_rounds 0 lets the timing choose them; options NULL:
 * the default. topology is borrowed and must outlive the plan and its machines. UNSUPPORTED where wide nodes are asked
 * for what they do not do; errors of gfab_timing_compute. */
gfab_status gfab_machine_plan(const gfab_topology *topology, const gfab_model *model,
                              const gfab_machine_options *options, gfab_plan *plan, gfab_diag *diag);
/* The same for a schedule that is there: for its topology and its model, and narrow where it cuts tokens in parts. */
gfab_status gfab_machine_plan_schedule(const gfab_schedule *schedule, const gfab_machine_options *options,
                                       gfab_plan *plan, gfab_diag *diag);

/* Compiles a schedule that gfab_verify accepts. Its model may be any for the plan's topology: narrow nodes get ports,
 * parts and paths as it needs them. The images are checked, and read back and compared with the programs. UNSUPPORTED,
 * INVALID and LIMIT where the hardware cannot play the schedule, or not with these options; FAULT where images are
 * faulty. The machine borrows the plan's topology. */
gfab_status gfab_machine_compile(const gfab_plan *plan, const gfab_schedule *schedule, gfab_machine **machine,
                                 gfab_diag *diag);

/* Several schedules, 1 to GFAB_MAX_PROGRAMS of them (else INVALID), for one fabric, which plays the one that is chosen
 * at its start: the k-th is its program k. A store has slots for the largest number of blocks; the operator is one for
 * all. With more than one the fabric has the feature SEVERAL; gossipfab/fabric/features.h has what that does not go
 * with (UNSUPPORTED). */
gfab_status gfab_machine_compile_all(const gfab_plan *plan, const gfab_schedule *const *schedules, size_t count,
                                     gfab_machine **machine, gfab_diag *diag);

GFAB_C_END
#endif
