/* SPDX-License-Identifier: MIT */
/* The tables of the papers, ours beside theirs: paper_tables (main.c) prints them. */
#ifndef GOSSIPFAB_BENCH_PAPERS_H
#define GOSSIPFAB_BENCH_PAPERS_H

#include "tables/table.h"

/* The largest k of tables telephone 4, 5 and 6 where --max-n is not given. */
#define PAPER_TELEPHONE_K 12

typedef struct paper_request {
    const char *table;            /* its name: "lau-zhang", .. */
    const char *number;           /* telephone: the paper's number of it, "1" to "6" */
    uint32_t max_n;               /* lau-zhang: sides 2..max_n, at most TABLE_MAX_SIDE; telephone: the largest k */
    const char *sides, *startups; /* circgo, torgo, cubgo: lists "27,81"; NULL: the table's own */
    bool csv;
} paper_request;

/* A run in the telephone model (F1, packets of any size). run.c */
typedef struct paper_task {
    const char *spec, *solver;
    const char *settings;  /* NULL: the solver's own choice */
    const char *tau;       /* of the linear cost 1 + tau s of a round; NULL: fewest rounds */
    uint32_t effort, seed; /* effort 0: the solver's own */
    bool broadcast;        /* from node 0; else gossip */
} paper_task;

typedef struct paper_outcome {
    uint64_t nodes, links, rounds;
    uint64_t steps;        /* sum over the rounds of the longest packet's tokens */
    uint64_t milliseconds; /* of solving */
} paper_outcome;

/* Runs the solver, and verifies the schedule. CLI_GO_ON or an exit status after an error line. */
int paper_run(const paper_task *task, paper_outcome *outcome);

/* The tables, each in its file; they give the exit status. */
int paper_lau_zhang(const paper_request *request);
int paper_startup(const paper_request *request);   /* circgo, torgo, cubgo */
int paper_telephone(const paper_request *request); /* numbers 5 and 6 */
int paper_heuristic(const paper_request *request); /* numbers 1 to 4 */

#endif
