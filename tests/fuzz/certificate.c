/* SPDX-License-Identifier: MIT */
/* Certificates of best rates: what `gossipfab bound --check` reads. One that is read is counted, written, and read back
 * to the same text; one with the numbers that were counted is good. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static gfab_status read_certificate(const uint8_t *data, size_t size, gfab_topology **topology, gfab_certificate *c)
{
    gfab_diag diag = {0, ""};
    FILE *file = fuzz_file(data, size);
    const gfab_status status = gfab_certificate_read(file, topology, c, &diag);
    fclose(file);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK((status == GFAB_OK) == !!*topology && (status == GFAB_OK) == (c->part || c->ports));
    return status;
}

static fuzz_output write_certificate(const gfab_topology *topology, const gfab_certificate *c)
{
    fuzz_output output;
    fuzz_write(&output);
    FUZZ_CHECK(gfab_certificate_write(topology, c, output.file) == GFAB_OK);
    fuzz_written(&output);
    return output;
}

static void check_written(const gfab_topology *topology, const gfab_certificate *c)
{
    gfab_topology *again = NULL;
    gfab_certificate copy;
    fuzz_output first = write_certificate(topology, c);
    const gfab_status read = read_certificate((const uint8_t *)first.text, first.size, &again, &copy);
    FUZZ_CHECK(read == GFAB_OK || read == GFAB_ERR_NO_MEMORY);
    if (read == GFAB_OK) {
        fuzz_output second = write_certificate(again, &copy);
        FUZZ_CHECK(first.size == second.size && memcmp(first.text, second.text, first.size) == 0);
        free(second.text);
    }
    free(first.text);
    gfab_certificate_release(&copy);
    gfab_topology_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gfab_topology *topology = NULL;
    gfab_certificate c;
    gfab_diag diag = {0, ""};
    char *text = fuzz_text(data, size);
    const bool large = fuzz_large(text);
    free(text);
    if (large)
        return -1;
    if (read_certificate(data, size, &topology, &c) == GFAB_OK) {
        check_written(topology, &c);
        const gfab_status status = gfab_certificate_check(topology, &c, &diag);
        fuzz_check_diag(status, &diag);
        FUZZ_CHECK(status == GFAB_OK || status == GFAB_ERR_FAULT || status == GFAB_ERR_NO_MEMORY ||
                   (c.ports && status == GFAB_ERR_LIMIT));
        if (status == GFAB_ERR_FAULT && !c.ports) {
            FUZZ_CHECK(gfab_certificate_count(topology, &c, &c.demand, &c.capacity) == GFAB_OK);
            FUZZ_CHECK(gfab_certificate_check(topology, &c, &diag) == GFAB_OK);
        }
        gfab_certificate_release(&c);
        gfab_topology_destroy(topology);
    }
    return 0;
}
