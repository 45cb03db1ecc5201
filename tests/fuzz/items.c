/* SPDX-License-Identifier: MIT */
/* Searches by items: what `gossipfab search --resume` and `gossipfab merge` read. */
#include "fuzz.h"

#include <gossipfab/solvers/items.h>

#include <stdlib.h>
#include <string.h>

static void write(const gfab_items *items, fuzz_output *output)
{
    gfab_diag diag = {0, ""};
    fuzz_write(output);
    FUZZ_CHECK(gfab_items_write(items, output->file, &diag) == GFAB_OK);
    fuzz_written(output);
}

static gfab_status read(const uint8_t *data, size_t size, gfab_topology **topology, gfab_items **items)
{
    unsigned left = 1000;
    const gfab_progress progress = fuzz_progress(&left);
    gfab_diag diag = {0, ""};
    FILE *file = fuzz_file(data, size);
    const gfab_status status = gfab_items_read(file, &progress, topology, items, &diag);
    fclose(file);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK((status == GFAB_OK) == !!*items);
    return status;
}

/* What is settled, what can still win and what is best agree. */
static void check(const gfab_items *items)
{
    const gfab_items_question asked = gfab_items_asked(items);
    const uint64_t limit = gfab_items_limit(items), next = gfab_items_next(items, asked.first);
    uint64_t item = 0;
    const gfab_schedule *const best = gfab_items_best(items, &item);
    FUZZ_CHECK(asked.first >= 1 && asked.first <= asked.last && asked.last <= GFAB_ITEMS_LAST);
    FUZZ_CHECK(asked.last - asked.first < GFAB_ITEMS_MAX && limit >= asked.first && limit <= asked.last);
    FUZZ_CHECK(next == 0 || (next >= asked.first && next <= limit));
    FUZZ_CHECK((next == 0) == (gfab_items_settled(items) == limit - asked.first + 1));
    FUZZ_CHECK(!best == (item == 0) && (!best || (item >= asked.first && item <= asked.last)));
    if (best) {
        fuzz_check_schedule(best);
        FUZZ_CHECK(gfab_schedule_rounds(best) >= gfab_items_bound(items)->rounds);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gfab_topology *topology = NULL, *topology_again = NULL;
    gfab_items *items = NULL, *again = NULL;
    char *text = fuzz_text(data, size);
    const bool large = fuzz_large(text);
    free(text);
    if (large)
        return -1;
    if (read(data, size, &topology, &items) != GFAB_OK)
        return 0;
    fuzz_output first, second;
    check(items);
    write(items, &first);
    const gfab_status status = read((const uint8_t *)first.text, first.size, &topology_again, &again);
    FUZZ_CHECK(status == GFAB_OK || status == GFAB_ERR_NO_MEMORY);
    if (status == GFAB_OK) {
        gfab_diag diag = {0, ""};
        const gfab_status merged = gfab_items_merge(items, again, &diag);
        FUZZ_CHECK(merged == GFAB_OK || merged == GFAB_ERR_NO_MEMORY);
        write(items, &second);
        FUZZ_CHECK(first.size == second.size && memcmp(first.text, second.text, first.size) == 0);
        free(second.text);
        gfab_items_destroy(again);
        gfab_topology_destroy(topology_again);
    }
    free(first.text);
    gfab_items_destroy(items);
    gfab_topology_destroy(topology);
    return 0;
}
