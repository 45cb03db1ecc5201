/* SPDX-License-Identifier: MIT */
/* gossipfab simulate --stream. */
#ifndef GOSSIPFAB_CLI_SIMULATE_STREAM_H
#define GOSSIPFAB_CLI_SIMULATE_STREAM_H

#include "cli_fabric.h"

typedef struct simulate_stream {
    /* as given */
    cli_fabric fabric;
    uint32_t beats, limit_cycles;
    const char *pauses, *late;
    uint64_t seed;
    uint32_t vectors;
    /* what is played: step makes a cycle of the model, and writes down what it looks like */
    const cli_source *source;
    const cli_machine *made;
    gfab_cmodel *cmodel;
    void (*step)(void *context);
    void *context;
    /* what came of it */
    uint64_t cycles;     /* from the first beat in to the last one out */
    uint64_t over_cycle; /* in which the time limit was over, from the reset on; 0: never */
    uint32_t late_host;  /* the first of those that were waited for then */
    uint64_t all_beats, wrong_beats;
    uint32_t wrong_host; /* of the first of them, */
    uint64_t wrong_beat; /* counted over all vectors */
} simulate_stream;

simulate_stream simulate_stream_default(void);
void simulate_stream_release(simulate_stream *stream);

#define SIMULATE_STREAM_OPTIONS(s)                                                                                     \
    CLI_OPTION(.name = "beats", .kind = CLI_U32, .value = &(s).beats, .word = "N", .initial = "64", .least = 1,        \
               .most = 1u << 24, .help = "with --stream: beats of each vector that a host gives"),                     \
        CLI_OPTION(.name = "pauses", .kind = CLI_TEXT, .value = &(s).pauses, .word = "none|short|long",                \
                   .initial = "none",                                                                                  \
                   .help = "with --stream: hosts neither give nor take now and then, by --token-seed; short: in a "    \
                           "third of the cycles; long: for 64 cycles in a fifth of the time; as +pauses=0, 1 and 2 "   \
                           "of the folder's bench"),                                                                   \
        CLI_OPTION(.name = "late", .kind = CLI_TEXT, .value = &(s).late, .word = "H:C",                                \
                   .help = "with --stream: host H neither gives nor takes for C cycles, from one of the first 60 on"), \
        CLI_OPTION(.name = "limit", .kind = CLI_U32, .value = &(s).limit_cycles, .word = "N", .initial = "65536",      \
                   .most = UINT32_MAX,                                                                                 \
                   .help = "with --stream: the time limit in cycles, LIMIT of the fabric; 0: none")
extern const cli_rule simulate_stream_rules[];

/* Plays all vectors. Wrong beats are counted, and no error: CLI_GO_ON, or an exit status after an error line. */
int simulate_stream_play(simulate_stream *stream);
/* CLI_GOOD, or CLI_FAULTY after a line that says what differs. */
int simulate_stream_report(const simulate_stream *stream, FILE *file, bool json);

#endif
