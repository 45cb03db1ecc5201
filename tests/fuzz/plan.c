/* SPDX-License-Identifier: MIT */
/* Plans for GPUs: what `gossipfab verify plan.json` reads. A plan that is read is written, read back, and written again
 * to the same bytes; the check ends, whatever it finds. */
#include "fuzz.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static gfab_gpu_plan *read_plan(const uint8_t *data, size_t size)
{
    gfab_diag diag = {0, ""};
    json_t *json = NULL;
    gfab_gpu_plan *plan = NULL;
    char *text = fuzz_text(data, size);
    gfab_status status = gfab_json_parse_capped(text, &json, &diag);
    free(text);
    if (status == GFAB_OK)
        status = gfab_gpu_plan_parse(json, &plan, &diag);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK((status == GFAB_OK) == !!plan);
    json_decref(json);
    return plan;
}

static fuzz_output write_plan(const gfab_gpu_plan *plan)
{
    fuzz_output output;
    fuzz_write(&output);
    const gfab_status status = gfab_gpu_plan_write(plan, output.file, NULL);
    fuzz_written(&output);
    FUZZ_CHECK(status == GFAB_OK || status == GFAB_ERR_NO_MEMORY);
    return output;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gfab_gpu_plan *plan = size ? read_plan(data, size) : NULL;
    if (!plan)
        return 0;
    fuzz_output first = write_plan(plan);
    gfab_gpu_plan *again = read_plan((const uint8_t *)first.text, first.size);
    FUZZ_CHECK(again);
    fuzz_output second = write_plan(again);
    FUZZ_CHECK(first.size == second.size && memcmp(first.text, second.text, first.size) == 0);
    gfab_gpu_report report;
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_gpu_plan_check(plan, NULL, &report, &diag);
    fuzz_check_diag(status, &diag);
    free(report.steps);
    free(first.text);
    free(second.text);
    gfab_gpu_plan_destroy(again);
    gfab_gpu_plan_destroy(plan);
    return 0;
}
