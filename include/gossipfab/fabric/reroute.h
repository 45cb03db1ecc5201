/* SPDX-License-Identifier: MIT */
/* Other programs for the same fabric, after some of its links or nodes have died.
 *
 *     gfab_survivors_create(gfab_machine_topology(fabric), "+drop-link=3-7", &survivors, &diag);
 *     solver->solve(survivors.topology, &model, &solver_options, &schedule, &diag);
 *     gfab_machine_reroute(fabric, &survivors, schedule, 0, NULL, &rerouted, &diag);
 *
 * The machine that comes out has the lanes, slots, widths and ROM sizes of the fabric, whose Verilog does not change. A
 * dead link is idle at both its ends. A dead node's lanes are idle, and so are those that lead to it: the others end up
 * with the tokens of each other. A collective of blocks is played by all members: links and relays may die there. */
#ifndef GOSSIPFAB_REROUTE_H
#define GOSSIPFAB_REROUTE_H

#include <gossipfab/fabric/machine.h>
#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

/* What is left of a fabric's topology. */
typedef struct gfab_survivors {
    gfab_topology *topology;
    uint32_t *node; /* of each of its nodes: the number in the fabric, rising */
} gfab_survivors;

/* drops: +drop-link=U-V and +drop-node=V, one or more, numbered as in whole's text before anything was dropped there.
 * Errors: those of gfab_topology_parse (INVALID where what is left is not connected); INVALID where nothing is
 * dropped; PARSE where drops says anything else. */
gfab_status gfab_survivors_create(const gfab_topology *whole, const char *drops, gfab_survivors *survivors,
                                  gfab_diag *diag);
void gfab_survivors_release(gfab_survivors *survivors);

/* Compiles a schedule of the survivors for the fabric. It may move whole tokens where the fabric has parts; gap_cycles
 * is as gfab_program_lower has it. UNSUPPORTED for what gfab_features_check refuses with REROUTED, and for an
 * all-to-all. With blocks the schedule must be for the fabric's own collective, and right (INVALID, FAULT). LIMIT where
 * it has more rounds, or longer gaps or waits, than the ROMs hold, or takes more slots than relays have; errors of
 * lowering; FAULT where the crossbars of wide nodes do not have the ways that it takes, and as
 * gfab_machine_check_rerouted says, which it calls. The result borrows from fabric, which must outlive it. */
gfab_status gfab_machine_reroute(const gfab_machine *fabric, const gfab_survivors *survivors,
                                 const gfab_schedule *schedule, uint64_t gap_cycles, const gfab_progress *progress,
                                 gfab_machine **rerouted, gfab_diag *diag);

/* Reads the programs back and replays them on the survivors alone. FAULT, saying where, unless they use no link that is
 * not there and move no token of a node that is not, and each survivor ends up with the tokens of all. With blocks:
 * unless they use no link that is not there. */
gfab_status gfab_machine_check_rerouted(const gfab_machine *rerouted, const gfab_survivors *survivors, gfab_diag *diag);

GFAB_C_END
#endif
