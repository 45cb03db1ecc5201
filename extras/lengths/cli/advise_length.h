/* SPDX-License-Identifier: MIT */
/* gossipfab advise --collective: the least time of a message of a length. */
#ifndef GOSSIPFAB_ADVISE_LENGTH_H
#define GOSSIPFAB_ADVISE_LENGTH_H

#include "cli_source.h"

#define ADVISE_MAX_LENGTHS 64

typedef struct advise_length {
    const char *bytes_text;
    gfab_ratio bandwidth; /* GB/s of a link of weight 1 */
    gfab_ratio latency;   /* microseconds a message */
    bool bytes_given, bandwidth_given, latency_given, json;
    bool switched; /* full duplex, since links lead to switches and nobody said otherwise */
    const char *csv_path;
    const char *plans_path, *format_name; /* a folder of plans, and in which format */
    const gfab_solver *const *solvers;    /* as in gfab_length_options */
    const char *const *parameters;
    size_t solver_count;
} advise_length;

#define ADVISE_LENGTH_OPTIONS(l)                                                                                     \
    CLI_OPTION(.name = "bytes", .kind = CLI_TEXT, .value = &(l).bytes_text, .given = &(l).bytes_given,               \
               .word = "B,...",                                                                                      \
               .help = "lengths of messages, such as 4096,1MB,64KiB; of all blocks together, for any collective"),   \
        CLI_OPTION(.name = "bandwidth", .kind = CLI_RATIO, .value = &(l).bandwidth, .given = &(l).bandwidth_given,   \
                   .word = "G",                                                                                      \
                   .help = "GB/s of a link, with --bytes; 10^9 bytes, of a link of weight 1, full duplex each way"), \
        CLI_OPTION(.name = "latency", .kind = CLI_RATIO, .value = &(l).latency, .given = &(l).latency_given,         \
                   .word = "L", .initial = "0", .help = "microseconds that starting a message takes, with --bytes"), \
        CLI_OPTION(.name = "plans", .kind = CLI_TEXT, .value = &(l).plans_path, .word = "DIR",                       \
                   .help = "a new folder with a plan for each range of the lengths of --bytes"),                     \
        CLI_OPTION(.name = "plan-format", .kind = CLI_TEXT, .value = &(l).format_name, .word = "FORMAT",             \
                   .initial = "mscclpp",                                                                             \
                   .help = "with --plans: mscclpp, mscclpp-apart, msccl, msccl-apart or "                            \
                           "msccl-microsoft")

/* The command, once its options are read; the topology is open and recognised. The exit status. */
int advise_length_run(const cli_source *source, const advise_length *length);
/* CLI_GO_ON, or CLI_USAGE after an error line. */
int advise_length_check(const advise_length *length);

#endif
