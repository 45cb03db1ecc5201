/* SPDX-License-Identifier: MIT */
/* Threads that use the library at once, for ThreadSanitizer: each makes objects of its own, from a topology to a folder
 * of Verilog, and all read some that they share. With an argument they step one C model in place of that, which is not
 * allowed and must be found. */
#include <gossipfab/gossipfab.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 4

typedef struct shared {
    gfab_topology *topology;
    gfab_schedule *schedule;
    gfab_machine *machine;
    gfab_cmodel *cmodel;
} shared;

typedef struct job {
    const shared *common;
    const char *topology, *directory;
    gfab_link_mode link_mode;
    gfab_status status;
    gfab_diag diag;
} job;

static gfab_status make(const char *name, gfab_link_mode link_mode, gfab_collective collective, shared *made,
                        gfab_diag *diag)
{
    const gfab_machine_options options = gfab_machine_options_default();
    gfab_solver_options search = gfab_solver_options_default();
    gfab_model model = gfab_model_default();
    gfab_plan plan;
    model.link_mode = link_mode;
    gfab_status status = gfab_topology_parse(name, &made->topology, diag);
    if (status == GFAB_OK)
        status = gfab_machine_plan(made->topology, &model, &options, &plan, diag);
    const gfab_goal goal = {.collective = collective,
                            .blocks = status == GFAB_OK ? (uint32_t)gfab_topology_node_count(made->topology) : 0};
    if (collective != GFAB_ALL_GATHER)
        search.goal = &goal;
    if (status == GFAB_OK)
        status = gfab_solver_find("auto")->solve(made->topology, &plan.model, &search, &made->schedule, diag);
    if (status == GFAB_OK)
        status = gfab_machine_compile(&plan, made->schedule, &made->machine, diag);
    if (status == GFAB_OK)
        status = gfab_cmodel_create(made->machine, NULL, &made->cmodel);
    return status;
}

static void release(shared *made)
{
    gfab_cmodel_destroy(made->cmodel);
    gfab_machine_destroy(made->machine);
    gfab_schedule_destroy(made->schedule);
    gfab_topology_destroy(made->topology);
}

/* What reads objects without changing them. */
static gfab_status read_common(const shared *common)
{
    gfab_verify_report report;
    gfab_bound bound;
    gfab_cmodel *cmodel = NULL;
    gfab_status status =
        gfab_verify(common->topology, gfab_schedule_model(common->schedule), common->schedule, NULL, &report);
    if (status == GFAB_OK)
        status = gfab_bound_best(common->topology, gfab_schedule_model(common->schedule), NULL, &bound);
    if (status == GFAB_OK)
        status = gfab_cmodel_create(common->machine, NULL, &cmodel);
    gfab_cmodel_destroy(cmodel);
    return status;
}

static void *work(void *context)
{
    job *own = context;
    shared made = {0};
    gfab_prove_report report;
    const gfab_prove_options options = gfab_prove_options_default();
    gfab_schedule *found = NULL;
    own->status = make(own->topology, own->link_mode, GFAB_ALL_GATHER, &made, &own->diag);
    if (own->status == GFAB_OK) {
        const gfab_fabric_options folder = {.directory = own->directory, .solver = "auto", .token_seed = 1};
        own->status = gfab_fabric_write(made.machine, &folder, &own->diag);
    }
    release(&made);
    made = (shared){0};
    if (own->status == GFAB_OK)
        own->status = make(own->topology, GFAB_LINK_HALF, GFAB_ALL_REDUCE, &made, &own->diag);
    if (own->status == GFAB_OK)
        own->status = read_common(own->common);
    if (own->status == GFAB_OK) {
        const gfab_model model = gfab_model_default();
        own->status = gfab_prove_rounds(own->common->topology, &model, 2, &options, &report, &found, &own->diag);
    }
    gfab_schedule_destroy(found);
    release(&made);
    return NULL;
}

static void *step(void *context)
{
    for (int i = 0; i < 100; i++)
        gfab_cmodel_step(context);
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argv;
    static const char *const topologies[THREADS] = {"mesh:3x3", "torus:3x3", "hypercube:3", "cycle:7"};
    static const char *const directories[THREADS] = {"0", "1", "2", "3"};
    shared common = {0};
    job jobs[THREADS];
    pthread_t threads[THREADS];
    gfab_diag diag = {0, ""};
    int failed = 0;
    if (make("mesh:2x3", GFAB_LINK_HALF, GFAB_ALL_GATHER, &common, &diag)) {
        fprintf(stderr, "%s\n", diag.message);
        return 2;
    }
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.common = &common,
                        .topology = topologies[i],
                        .directory = directories[i],
                        .link_mode = i % 2 == 0 ? GFAB_LINK_HALF : GFAB_LINK_FULL};
        failed |=
            pthread_create(&threads[i], NULL, argc > 1 ? step : work, argc > 1 ? (void *)common.cmodel : &jobs[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        failed |= pthread_join(threads[i], NULL);
        if (argc == 1 && jobs[i].status != GFAB_OK)
            failed |= fprintf(stderr, "%s: %s: %s\n", topologies[i], gfab_status_string(jobs[i].status),
                              jobs[i].diag.message);
    }
    release(&common);
    puts(failed ? "failed" : "threads: all good");
    return failed != 0;
}
