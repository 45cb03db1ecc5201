/* SPDX-License-Identifier: MIT */
/* The tables of gossipfab table: what they share, also with those of the papers (bench/papers/), and what runs each. */
#ifndef GOSSIPFAB_CLI_TABLE_H
#define GOSSIPFAB_CLI_TABLE_H

#include "cli.h"

/* A figure that does not exist is TABLE_NONE. */
#define TABLE_NONE UINT64_MAX
#define TABLE_MAX_SIDE 64
#define TABLE_SPEC_SIZE 32
/* The largest side of table collectives where --max-n is not given. */
#define TABLE_COLLECTIVES_N 5

typedef struct table_request {
    uint32_t max_n; /* sides 2..max_n, at most TABLE_MAX_SIDE */
    const char *solver;
    bool mesh, torus, csv, json;
    const char *sides; /* a list "4,5,8"; NULL: all up to max_n */
    /* table collectives: all NULL, or one graph (--topology) over numbers of blocks "1,2,4" */
    const char *topology, *blocks, *svg;
    const char *collective; /* alone; NULL: all, over blocks all-reduce */
} table_request;

typedef struct table_result {
    uint64_t rounds, bound, milliseconds; /* of solving */
    const gfab_solver *solver;            /* that made the schedule; NULL where rounds is TABLE_NONE */
} table_result;

/* "mesh:4x4" */
void table_spec(gfab_topology_kind kind, uint32_t n, char spec[TABLE_SPEC_SIZE]);
/* Makes and verifies a schedule for n x n; rounds and bound are TABLE_NONE where the solver does not take it. CLI_GO_ON
 * or an exit status after an error line, which begins with verb. */
int table_measure(const char *verb, gfab_topology_kind kind, uint32_t n, const char *solver, table_result *result);
/* For the seconds of a table. */
uint64_t table_milliseconds(void);
/* value in text, which is returned, or none. */
const char *table_figure(uint64_t value, char *text, size_t size, const char *none);

/* The tables, each in its file; they give the exit status. */
int table_optimal(const table_request *request);
int table_collectives(const table_request *request);

#endif
