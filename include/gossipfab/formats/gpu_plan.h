/* SPDX-License-Identifier: MIT */
/* GPU plans: what each thread block of each GPU does, operation for operation, as the executor of MSCCL++ carries it
 * out. Plans are read, checked for every order in which the thread blocks may go on, run on the processor, and written.
 * What is carried out, and in which sense a plan is right: docs/reference/gpu-plans.md and docs/theory/gpu-plans.md. */
#ifndef GOSSIPFAB_GPU_PLAN_H
#define GOSSIPFAB_GPU_PLAN_H

#include <gossipfab/base/status.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

GFAB_C_BEGIN

struct json_t; /* of <jansson.h> */
typedef struct gfab_gpu_plan gfab_gpu_plan;

/* From the JSON of MSCCL++'s executor; the caller's. Errors: PARSE with the place, as "gpus[1].threadblocks[0].ops[3]";
 * UNSUPPORTED for what is not carried out, with its name; LIMIT for what the executor has no room for; NO_MEMORY. */
gfab_status gfab_gpu_plan_parse(const struct json_t *json, gfab_gpu_plan **plan, gfab_diag *diag);
/* Is it such a plan, by its members, right or wrong? */
bool gfab_gpu_plan_is(const struct json_t *json);
/* As JSON, a function of the plan alone. Errors: IO. */
gfab_status gfab_gpu_plan_write(const gfab_gpu_plan *plan, FILE *file, gfab_diag *diag);
void gfab_gpu_plan_destroy(gfab_gpu_plan *plan);

const char *gfab_gpu_plan_name(const gfab_gpu_plan *plan);
/* As the file has it: "allreduce". */
const char *gfab_gpu_plan_collective(const gfab_gpu_plan *plan);
bool gfab_gpu_plan_in_place(const gfab_gpu_plan *plan);
/* Does every launch use the other half of a double scratch buffer? */
bool gfab_gpu_plan_is_doubled(const gfab_gpu_plan *plan);
size_t gfab_gpu_plan_ranks(const gfab_gpu_plan *plan);
/* Of all ranks. */
size_t gfab_gpu_plan_thread_blocks(const gfab_gpu_plan *plan);
size_t gfab_gpu_plan_operations(const gfab_gpu_plan *plan);
/* Does the collective's name say what has to come out? */
bool gfab_gpu_plan_has_goal(const gfab_gpu_plan *plan);
/* Bytes of a chunk that are checked and run where none are given: the least that every thread block group divides;
 * with pipelines three of the largest unit. */
uint64_t gfab_gpu_plan_chunk_bytes(const gfab_gpu_plan *plan);
/* How many launches in a row show what all others do: 2; with a double scratch buffer 3, or 4 where its size is not the
 * same on every GPU. */
uint32_t gfab_gpu_plan_launches(const gfab_gpu_plan *plan);
/* Bytes of a rank's input and output, for so many of a chunk. */
uint64_t gfab_gpu_plan_input_bytes(const gfab_gpu_plan *plan, size_t rank, uint64_t chunk_bytes);
uint64_t gfab_gpu_plan_output_bytes(const gfab_gpu_plan *plan, size_t rank, uint64_t chunk_bytes);

typedef struct gfab_gpu_plan_options {
    uint64_t chunk_bytes; /* a multiple of the plan's alignment; 0: gfab_gpu_plan_chunk_bytes */
    uint32_t launches;    /* of a run; 0: one */
} gfab_gpu_plan_options;

typedef enum gfab_gpu_fault {
    GFAB_GPU_GOOD,
    GFAB_GPU_DEADLOCK, /* a thread block waits for ever */
    GFAB_GPU_RACE,     /* two accesses to one place, one of which writes, whose order the plan does not say */
    GFAB_GPU_WRONG     /* what comes out is not what the collective wants, or packets are read as data */
} gfab_gpu_fault;

typedef struct gfab_gpu_report {
    gfab_gpu_fault fault;
    char message[1024];
    uint64_t launch; /* where there is a fault: the launch that shows it, or one before, counted from 1 */
    char *steps;     /* the witness, a step a line; NULL: none. To be freed */
    size_t events, pairs;
    uint64_t chunk_bytes;
    uint32_t launches;
    bool every_length; /* good for chunks of every length */
} gfab_gpu_report;

/* "good", "deadlock", "race", "data". */
const char *gfab_gpu_fault_name(gfab_gpu_fault fault);
/* Checks a plan, where no length is given for as many as show all, if that can be said. OK where the check ran,
 * whatever it found. Errors: INVALID, LIMIT, UNSUPPORTED, NO_MEMORY. */
gfab_status gfab_gpu_plan_check(const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options,
                                gfab_gpu_report *report, gfab_diag *diag);

/* A page that plays the steps of a witness: HTML, whole in itself. NO_MEMORY; IO. */
gfab_status gfab_gpu_plan_write_page(const gfab_gpu_plan *plan, const gfab_gpu_report *report, FILE *file,
                                     gfab_diag *diag);

/* Runs one launch after another, a thread for each thread block. inputs[r] and outputs[r] are of rank r, of
 * gfab_gpu_plan_input_bytes and output_bytes; in place the smaller lies in the larger. Reductions add 32-bit words,
 * modulo 2^32. A plan that is not good may never end: INTERRUPTED after `seconds` without a step (0: never).
 * Errors: INVALID, LIMIT, NO_MEMORY. */
gfab_status gfab_gpu_plan_run(const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options, void *const *inputs,
                              void *const *outputs, uint32_t seconds, gfab_diag *diag);

GFAB_C_END
#endif
