/* SPDX-License-Identifier: MIT */
/* The tables of gossipfab table: what they share, and what runs each. */
#ifndef GOSSIPFAB_CLI_TABLE_H
#define GOSSIPFAB_CLI_TABLE_H

#include "cli.h"

/* A figure that does not exist is TABLE_NONE. */
#define TABLE_NONE UINT64_MAX
#define TABLE_MAX_SIDE 64
#define TABLE_SPEC_SIZE 32
/* The largest k of table telephone 4 and 5 where --max-n is not given. */
#define TABLE_TELEPHONE_K 12
/* And the largest side of table collectives. */
#define TABLE_COLLECTIVES_N 5

typedef struct table_request {
    uint32_t max_n; /* sides 2..max_n, at most TABLE_MAX_SIDE; table telephone: the largest k */
    const char *solver;
    bool mesh, torus, csv, json;
    const char *name;             /* of the table */
    const char *sides, *startups; /* lists "27,81"; NULL: the table's own */
    /* table collectives: all NULL, or one graph (--topology) over numbers of blocks "1,2,4" */
    const char *topology, *blocks, *svg;
    const char *collective; /* alone; NULL: all, over blocks all-reduce */
    const char *number;     /* of a paper's table; NULL: none given */
} table_request;

typedef struct table_result {
    uint64_t rounds, bound, milliseconds; /* of solving */
    const gfab_solver *solver;            /* that made the schedule; NULL where rounds is TABLE_NONE */
} table_result;

/* "mesh:4x4" */
void table_spec(gfab_topology_kind kind, uint32_t n, char spec[TABLE_SPEC_SIZE]);
/* Makes and verifies a schedule for n x n; rounds and bound are TABLE_NONE where the solver does not take it. CLI_GO_ON
 * or an exit status after an error line. */
int table_measure(gfab_topology_kind kind, uint32_t n, const char *solver, table_result *result);
/* Is the solver for n x n? CLI_GO_ON, or an exit status after an error line. */
int table_check(gfab_topology_kind kind, uint32_t n, const char *solver);
/* For the seconds of a table. */
uint64_t table_milliseconds(void);
/* value in text, which is returned, or none. */
const char *table_figure(uint64_t value, char *text, size_t size, const char *none);
void table_json_figure(json_t *object, const char *key, uint64_t value);

/* A run in the telephone model (F1, packets of any size). table_run.c */
typedef struct table_task {
    const char *spec, *solver;
    const char *settings;  /* NULL: the solver's own choice */
    const char *tau;       /* of the linear cost 1 + tau s of a round; NULL: fewest rounds */
    uint32_t effort, seed; /* effort 0: the solver's own */
    bool broadcast;        /* from node 0; else gossip */
} table_task;

typedef struct table_outcome {
    uint64_t nodes, links, rounds;
    uint64_t steps;        /* sum over the rounds of the longest packet's tokens */
    uint64_t milliseconds; /* of solving */
} table_outcome;

/* Runs the solver, and verifies the schedule. CLI_GO_ON or an exit status after an error line. */
int table_run_solver(const table_task *task, table_outcome *outcome);

/* The tables, each in its file; they give the exit status. */
int table_lau_zhang(const table_request *request);
int table_optimal(const table_request *request);
int table_startup(const table_request *request); /* circgo, torgo, cubgo */
int table_telephone(const table_request *request);
int table_collectives(const table_request *request);
/* Its numbers 1 to 4. */
int table_heuristic(const table_request *request);

#endif
