/* SPDX-License-Identifier: MIT */
/* Schedules as CSV, which say neither topology nor model: the first byte chooses among some. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *topology;
    gfab_link_mode link_mode;
    gfab_port_mode port_mode;
} choices[] = {
    {"mesh:2x2", GFAB_LINK_HALF, GFAB_PORT_ALL},
    {"path:3", GFAB_LINK_FULL, GFAB_PORT_ALL},
    {"cycle:5", GFAB_LINK_FULL, GFAB_PORT_ONE},
};

static void check_csv(const gfab_schedule *schedule)
{
    fuzz_output first, second;
    gfab_schedule *again = NULL;
    fuzz_write(&first);
    FUZZ_CHECK(gfab_schedule_write_csv(schedule, first.file, NULL, NULL) == GFAB_OK);
    fuzz_written(&first);
    FILE *file = fuzz_file((const uint8_t *)first.text, first.size);
    const gfab_status status = gfab_schedule_read_csv(file, gfab_schedule_topology(schedule),
                                                      gfab_schedule_model(schedule), NULL, NULL, &again, NULL);
    fclose(file);
    FUZZ_CHECK(status == GFAB_OK);
    fuzz_write(&second);
    FUZZ_CHECK(gfab_schedule_write_csv(again, second.file, NULL, NULL) == GFAB_OK);
    fuzz_written(&second);
    FUZZ_CHECK(first.size == second.size && memcmp(first.text, second.text, first.size) == 0);
    free(first.text);
    free(second.text);
    gfab_schedule_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t choice = fuzz_choice(&data, &size, sizeof choices / sizeof *choices);
    gfab_topology *topology = fuzz_topology(choices[choice].topology);
    gfab_model model = gfab_model_default();
    gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, ""};
    model.link_mode = choices[choice].link_mode;
    model.port_mode = choices[choice].port_mode;
    FILE *file = fuzz_file(data, size);
    const gfab_status status = gfab_schedule_read_csv(file, topology, &model, NULL, NULL, &schedule, &diag);
    fclose(file);
    fuzz_check_diag(status, &diag);
    if (status == GFAB_OK && gfab_schedule_packet_count(schedule) > 0) {
        fuzz_check_schedule(schedule);
        check_csv(schedule);
    }
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
    return 0;
}
