/* SPDX-License-Identifier: MIT */
/* The best rate of a collective and what proves it, as `bound` prints, writes and checks them. */
#ifndef GOSSIPFAB_RATE_REPORT_H
#define GOSSIPFAB_RATE_REPORT_H

#include "cli_source.h"

typedef struct cli_rate {
    uint64_t bytes;       /* of the whole vector; 0: not given */
    gfab_ratio bandwidth; /* GB/s of a link of weight 1 */
    gfab_ratio latency;   /* microseconds a hop */
    bool bytes_given, bandwidth_given, latency_given;
    bool circuits;          /* the time is that of paths of circuits, too */
    const char *path;       /* where the certificate goes; NULL: nowhere */
    const char *check_path; /* a certificate to check; NULL: none */
    bool found;             /* there is a certificate */
    bool tight;
    gfab_certificate certificate;
    gfab_ratio rounds; /* a block */
    gfab_startup_bound startups;
    double least; /* microseconds, where bytes are given */
} cli_rate;

/* CLI_GO_ON, or an exit status after an error line. */
int cli_rate_check_options(const char *verb, const cli_rate *rate);
/* Finds it, where there is one, and writes it where that was asked for. CLI_GO_ON or an exit status. */
int cli_rate_find(const char *verb, const cli_source *source, const gfab_goal *goal, cli_rate *rate);
void cli_rate_print(const gfab_certificate *certificate, const cli_rate *rate);
json_t *cli_rate_json(const cli_rate *rate);
void cli_rate_release(cli_rate *rate);
/* Reads a certificate and counts it again; the exit status. */
int cli_rate_check(const char *verb, const char *path, bool json);

#endif
