/* SPDX-License-Identifier: MIT */
/* Plans for GPUs as the commands `verify`, `run` and `convert` take them: found by what the file begins with, checked,
 * reported. Each step of a fault's witness is a line of its own, since what went wrong is an order of events and not a
 * place. The check itself is in extras/gpu-plans/; docs/theory/gpu-plans.md says why it holds for every order. */
#include "gpu-plans/cli/cli_plan.h"

#include <stdlib.h>
#include <string.h>

int cli_plan_find(const char *verb, const cli_input *input, gfab_gpu_plan **plan)
{
    gfab_diag diag = {0, ""};
    json_t *json = NULL;
    *plan = NULL;
    if (input->first != '{')
        return CLI_GO_ON;
    gfab_status status = gfab_json_parse_capped(input->text.bytes, &json, &diag);
    if (status == GFAB_OK && gfab_gpu_plan_is(json))
        status = gfab_gpu_plan_parse(json, plan, &diag);
    json_decref(json);
    return cli_told(verb, status, input->name, &diag);
}

void cli_plan_print(const gfab_gpu_plan *plan)
{
    printf("plan         %s, of %zu GPUs, %zu thread blocks, %zu operations\n", gfab_gpu_plan_name(plan),
           gfab_gpu_plan_ranks(plan), gfab_gpu_plan_thread_blocks(plan), gfab_gpu_plan_operations(plan));
    printf("collective   %s, %s place%s\n", gfab_gpu_plan_collective(plan),
           gfab_gpu_plan_in_place(plan) ? "in" : "out of",
           gfab_gpu_plan_has_goal(plan) ? "" : "; what should come out is not said, and not checked");
}

static void print_json(const gfab_gpu_plan *plan, const gfab_gpu_report *report)
{
    json_t *object = cli_json_report("gossipfab.verify-plan/1"), *steps = cli_json_array();
    CLI_JSON(object, CLI_KEY("good", (bool)(report->fault == GFAB_GPU_GOOD)),
             CLI_KEY("fault", report->fault == GFAB_GPU_GOOD ? NULL : gfab_gpu_fault_name(report->fault)),
             CLI_KEY("message", report->fault == GFAB_GPU_GOOD ? NULL : report->message),
             CLI_KEY("launch", cli_json_number_if(!(report->fault == GFAB_GPU_GOOD), report->launch)));
    for (const char *at = report->steps; at && *at;) {
        const char *end = strchr(at, '\n');
        cli_json_append(steps, json_stringn(at, (size_t)(end - at)));
        at = end + 1;
    }
    CLI_JSON(object, CLI_KEY("steps", steps), CLI_KEY("name", gfab_gpu_plan_name(plan)),
             CLI_KEY("collective", gfab_gpu_plan_collective(plan)), CLI_KEY("in_place", gfab_gpu_plan_in_place(plan)),
             CLI_KEY("goal", gfab_gpu_plan_has_goal(plan)), CLI_KEY("gpus", gfab_gpu_plan_ranks(plan)),
             CLI_KEY("thread_blocks", gfab_gpu_plan_thread_blocks(plan)),
             CLI_KEY("operations", gfab_gpu_plan_operations(plan)), CLI_KEY("chunk_bytes", report->chunk_bytes),
             CLI_KEY("launches", report->launches), CLI_KEY("every_length", report->every_length));
    cli_json_print(object, stdout);
}

static int tell_fault(const char *verb, gfab_gpu_report *report)
{
    if (report->steps)
        fputs(report->steps, stderr);
    free(report->steps);
    report->steps = NULL;
    cli_error(verb, "%s: %s", gfab_gpu_fault_name(report->fault), report->message);
    return CLI_FAULTY;
}

int cli_plan_check(const char *verb, const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options,
                   gfab_gpu_report *report)
{
    gfab_diag diag = {0, ""};
    CLI_TRY(cli_told(verb, gfab_gpu_plan_check(plan, options, report, &diag), NULL, &diag));
    return report->fault == GFAB_GPU_GOOD ? CLI_GO_ON : tell_fault(verb, report);
}

typedef struct witness {
    const gfab_gpu_plan *plan;
    const gfab_gpu_report *report;
} witness;

static gfab_status write_page(const void *what, FILE *file, gfab_diag *diag)
{
    const witness *w = what;
    return gfab_gpu_plan_write_page(w->plan, w->report, file, diag);
}

static int verify_plan(const char *verb, const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options,
                       const char *page, bool json)
{
    gfab_gpu_report report;
    gfab_diag diag = {0, ""};
    CLI_TRY(cli_told(verb, gfab_gpu_plan_check(plan, options, &report, &diag), NULL, &diag));
    if (json)
        print_json(plan, &report);
    if (report.fault != GFAB_GPU_GOOD) {
        const int written = page ? cli_output_write(verb, page, write_page, &(witness){plan, &report}) : CLI_GO_ON;
        const int told = tell_fault(verb, &report);
        return written == CLI_GO_ON ? told : written;
    }
    if (json)
        return CLI_GOOD;
    cli_plan_print(plan);
    printf("checked      %u launches in a row, which show all others; chunks of %s%llu bytes: %zu events\n",
           report.launches, report.every_length ? "any length, such as " : "", (unsigned long long)report.chunk_bytes,
           report.events);
    printf("good         %s\n",
           gfab_gpu_plan_has_goal(plan)
               ? "in every order of its thread blocks the result comes, and is right, in every launch"
               : "in every order of its thread blocks every launch ends, and the result is the same");
    if (gfab_gpu_plan_is_doubled(plan))
        puts("assumed      no other plan is launched in between: every launch of the process, of any plan, takes the\n"
             "             other half of a double scratch buffer");
    if (page)
        puts("page         not written: there is no fault to play");
    return CLI_GOOD;
}

int cli_plan_verify(const char *verb, const cli_input *input, const gfab_gpu_plan_options *options, const char *page,
                    bool json)
{
    gfab_gpu_plan *plan = NULL;
    int status = cli_plan_find(verb, input, &plan);
    if (plan)
        status = verify_plan(verb, plan, options, page, json);
    gfab_gpu_plan_destroy(plan);
    return status;
}
