/* SPDX-License-Identifier: MIT */
/* The pieces of gossipfab advise. */
#ifndef GOSSIPFAB_CLI_ADVISE_H
#define GOSSIPFAB_CLI_ADVISE_H

#include "commands/chip.h"

/* A point of a curve. */
typedef struct advise_value {
    bool known;
    gfab_advice advice; /* of the series' best model here */
} advise_value;

/* A solver with its settings on links of one mode, under whichever model serves it best. */
typedef struct advise_series {
    const gfab_solver *solver;
    const char *parameters;
    gfab_link_mode link_mode;
    advise_value *values; /* one for each point */
} advise_series;

/* A point that was measured. */
typedef struct advise_measured {
    gfab_ratio at, time; /* as the axes have them */
    size_t series;
} advise_measured;

#define ADVISE_MAX_SERIES 64
#define ADVISE_MAX_MEASURED 1000
#define ADVISE_MAX_CROSSINGS 64

/* Where another series becomes the first: at startup r, going up. Series are indices. */
typedef struct advise_crossing {
    gfab_ratio startup;
    size_t below, above;
} advise_crossing;

typedef struct advise_sweep {
    gfab_adviser *adviser;
    const char *topology;
    bool length;        /* over the bytes of a message; else over r */
    gfab_ratio unit;    /* length: r of a message of one byte */
    uint32_t link_bits; /* length: what a byte takes to transfer is 8 / link_bits cycles */
    size_t points;
    gfab_ratio *at;      /* r, rising; length: bytes, rising */
    gfab_ratio *startup; /* r of each point */
    gfab_ratio *bound;   /* the lowest of the models' lower bounds, of each point */
    size_t *first;       /* the series that is best at each point */
    advise_series series[ADVISE_MAX_SERIES];
    size_t count;
    bool two_modes; /* series differ in their links */
    advise_crossing crossings[ADVISE_MAX_CROSSINGS];
    size_t crossing_count;
    advise_measured *measured;
    size_t measured_count;
} advise_sweep;

/* Runs over [from, to] (r, or bytes). The sweep is released whatever it gives: CLI_GO_ON or an exit status. */
int advise_sweep_run(const gfab_topology *topology, const gfab_model *models, size_t model_count, gfab_ratio from,
                     gfab_ratio to, advise_sweep *sweep);
void advise_sweep_release(advise_sweep *sweep);
/* Reads lines "X,SOLVER,half|full,TIME" after a header line; solvers that the sweep lacks are left out. CLI_GO_ON, or
 * CLI_USAGE after an error line. */
int advise_sweep_measured(const char *path, advise_sweep *sweep);
/* A crossing's place on the axis: r, or bytes. */
gfab_ratio advise_crossing_at(const advise_sweep *sweep, const advise_crossing *crossing);
/* Time at a point: transfers for a sweep over r, cycles a byte for one over lengths. */
gfab_ratio advise_time(const advise_sweep *sweep, gfab_ratio total);
/* "circgo", or "circgo, full" where modes differ. */
const char *advise_series_name(const advise_sweep *sweep, size_t series, char *text, size_t size);
void advise_sweep_print(FILE *file, const advise_sweep *sweep);
void advise_sweep_csv(FILE *file, const advise_sweep *sweep);
json_t *advise_sweep_json(const advise_sweep *sweep);

/* The same as a picture: both axes logarithmic. */
void advise_svg(FILE *file, const advise_sweep *sweep);

#define ADVISE_CHIP_OPTIONS(c)                                                                                    \
    CLI_OPTION(.name = "chip", .kind = CLI_U32, .value = &(c).nodes, .word = "N", .most = CLI_CHIP_MOST,          \
               .unit = "nodes", .help = "ranks fabrics of N nodes on one chip, 3 or more; links are free there"), \
        CLI_OPTION(.name = "part", .kind = CLI_TEXT, .value = &(c).part, .word = "B", .initial = CLI_CHIP_PART,   \
                   .help = "with --chip: the board whose part holds it")
/* advise --chip: advise_chip.c. The collective by its name; NULL: an all-gather. The exit status. */
int advise_chip(cli_chip *chip, const char *collective, bool json);

/* a / b and a * b in lowest terms; both must fit. */
gfab_ratio advise_divide(gfab_ratio a, gfab_ratio b);
gfab_ratio advise_multiply(gfab_ratio a, gfab_ratio b);

#endif
