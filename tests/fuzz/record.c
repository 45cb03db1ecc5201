/* SPDX-License-Identifier: MIT */
/* Records: telephone gossips as lists of links and a symmetry, or as a string of matchings. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void expand(const char *text, const gfab_topology *topology)
{
    gfab_model model = gfab_model_default();
    gfab_schedule *schedule = NULL;
    gfab_matchings *matchings = NULL;
    gfab_sequence *sequence = malloc(sizeof *sequence);
    gfab_diag diag = {0, ""};
    FUZZ_CHECK(sequence);
    model.link_mode = GFAB_LINK_FULL;
    model.port_mode = GFAB_PORT_ONE;
    model.packet_tokens = (uint32_t)gfab_topology_node_count(topology);
    FUZZ_CHECK(gfab_schedule_create(topology, &model, &schedule) == GFAB_OK);
    gfab_status status = gfab_record_expand(text, schedule, &diag);
    fuzz_check_diag(status, &diag);
    if (status == GFAB_OK && gfab_schedule_packet_count(schedule) > 0)
        fuzz_check_schedule(schedule);
    status = gfab_matchings_create(topology, NULL, &matchings, &diag);
    fuzz_check_diag(status, &diag);
    if (status == GFAB_OK)
        fuzz_check_diag(gfab_record_sequence(text, matchings, sequence, &diag), &diag);
    gfab_matchings_destroy(matchings);
    gfab_schedule_destroy(schedule);
    free(sequence);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    gfab_record record;
    gfab_topology *topology = NULL;
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_record_head(text, &record, &diag);
    fuzz_check_diag(status, &diag);
    if (status == GFAB_OK && strncmp(record.topology, "file:", 5) != 0 && !fuzz_large(record.topology) &&
        gfab_topology_parse(record.topology, &topology, NULL) == GFAB_OK && gfab_topology_node_count(topology) <= 128)
        expand(text, topology);
    gfab_topology_destroy(topology);
    free(text);
    return 0;
}
