/* SPDX-License-Identifier: MIT */
/* A file of matchings, and a sequence of them: the first byte chooses the graph, the first line is the sequence. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void check_sequence(const gfab_matchings *matchings, const char *text)
{
    gfab_sequence *sequence = malloc(sizeof *sequence);
    gfab_sequence_report report;
    gfab_diag diag = {0, ""};
    FUZZ_CHECK(sequence);
    const gfab_status status = gfab_sequence_read(matchings, text, sequence, &diag);
    fuzz_check_diag(status, &diag);
    if (status == GFAB_OK) {
        char *written = malloc(sequence->length + 1);
        FUZZ_CHECK(written);
        gfab_sequence_write(sequence, written);
        FUZZ_CHECK(strcmp(written, text) == 0);
        free(written);
        FUZZ_CHECK(gfab_sequence_replay(matchings, sequence, NULL, &report) == GFAB_OK);
    }
    free(sequence);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const topologies[] = {"hypercube:3", "cycle:5", "mesh:2x3", "star:4"};
    const size_t choice = fuzz_choice(&data, &size, sizeof topologies / sizeof *topologies);
    gfab_topology *topology = fuzz_topology(topologies[choice]);
    gfab_matchings *matchings = NULL;
    gfab_diag diag = {0, ""};
    char from[256];
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    const size_t length = end ? (size_t)(end - data) : size;
    char *text = fuzz_text(data, length);
    const size_t past = end ? length + 1 : length;
    snprintf(from, sizeof from, "file:%s", fuzz_named_file("matchings.txt", data + past, size - past));
    const gfab_status status = gfab_matchings_create(topology, from, &matchings, &diag);
    fuzz_check_diag(status, &diag);
    if (status == GFAB_OK) {
        for (size_t m = 0; m < gfab_matchings_count(matchings); m++) {
            const uint32_t *partner = gfab_matchings_partners(matchings, m);
            for (size_t v = 0; v < gfab_topology_node_count(topology); v++)
                FUZZ_CHECK(partner[partner[v]] == v);
        }
        check_sequence(matchings, text);
    }
    gfab_matchings_destroy(matchings);
    gfab_topology_destroy(topology);
    free(text);
    return 0;
}
