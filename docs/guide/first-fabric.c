/* SPDX-License-Identifier: MIT */
/* From a topology to a folder of Verilog: first-fabric TOPOLOGY FOLDER. docs/guide/library.md explains the steps. */
#include <gossipfab/gossipfab.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    gfab_topology *topology = NULL;
    gfab_schedule *schedule = NULL;
    gfab_machine *machine = NULL;
    gfab_plan plan;
    gfab_diag diag = {0, "usage: first-fabric TOPOLOGY FOLDER"};
    const gfab_model model = gfab_model_default();
    const gfab_machine_options options = gfab_machine_options_default(); /* tokens of 32 bits, links of 2 */
    const gfab_solver_options search = gfab_solver_options_default();
    const gfab_solver *solver = NULL;

    gfab_status status = argc == 3 ? gfab_topology_parse(argv[1], &topology, &diag) : GFAB_ERR_INVALID;
    if (status == GFAB_OK)
        status = gfab_machine_plan(topology, &model, &options, &plan, &diag);
    if (status == GFAB_OK)
        status = gfab_solver_for_fabric(topology, &plan.model, plan.timing.wide, &solver);
    if (status == GFAB_OK && !solver)
        solver = gfab_solver_find("auto");
    if (status == GFAB_OK)
        status = solver->solve(topology, &plan.model, &search, &schedule, &diag);
    if (status == GFAB_OK)
        status = gfab_machine_compile(&plan, schedule, &machine, &diag);
    if (status == GFAB_OK) {
        gfab_fabric_options folder = gfab_fabric_options_default();
        folder.directory = argv[2];
        folder.solver = gfab_schedule_solver(schedule);
        status = gfab_fabric_write(machine, &folder, &diag);
    }
    if (status == GFAB_OK)
        printf("%s: %u rounds, %llu cycles, in %s\n", argv[1], gfab_machine_rounds(machine),
               (unsigned long long)gfab_machine_cycles(machine), argv[2]);
    else
        fprintf(stderr, "%s: %s\n", gfab_status_string(status), diag.message);
    gfab_machine_destroy(machine);
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
    return status != GFAB_OK;
}
