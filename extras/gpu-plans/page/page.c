/* SPDX-License-Identifier: MIT */
/* The page that plays a witness: a frame with a mark, alone on its line, in whose place go the data. */
#include "page.h"
#include "gpu-plans/plan.h"

#include "base/reason.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

/* The operations of each thread block of each GPU, by their names. NULL without memory. */
static json_t *operations_of(const gfab_gpu_plan *plan)
{
    json_t *gpus = json_array();
    int failed = 0;
    for (size_t r = 0; r < plan->gpu_count; r++) {
        json_t *blocks = json_array();
        for (size_t b = 0; b < plan->gpus[r].block_count; b++) {
            const gfab_gpu_block *block = &plan->gpus[r].blocks[b];
            json_t *ops = json_array();
            for (size_t i = 0; i < block->op_count; i++)
                failed |= json_array_append_new(ops, json_string(gfab_gpu_op_names[plan->ops[block->ops + i].kind]));
            failed |= json_array_append_new(blocks, ops);
        }
        failed |= json_array_append_new(gpus, blocks);
    }
    if (failed)
        json_decref(gpus);
    return failed ? NULL : gpus;
}

/* The lines of a text. NULL without memory. */
static json_t *lines_of(const char *text)
{
    json_t *lines = json_array();
    int failed = 0;
    for (const char *end; text && *text; text = end + 1) {
        end = strchr(text, '\n');
        failed |= json_array_append_new(lines, json_stringn(text, (size_t)(end - text)));
    }
    if (failed)
        json_decref(lines);
    return failed ? NULL : lines;
}

/* Without a '<', so that nothing in the data ends the script. */
static int put_part(const char *text, size_t size, void *file)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] == '<')
            fputs("\\u003c", file);
        else
            fputc(text[i], file);
    return 0;
}

/* Not by json_dumps, which takes no notice where memory runs out under a key. */
static gfab_status put_data(const gfab_gpu_plan *plan, const gfab_gpu_report *report, FILE *file, gfab_diag *diag)
{
    json_t *data = json_pack("{s:s,s:s,s:s,s:s,s:o,s:o}", "name", plan->name, "collective", plan->collective, "fault",
                             gfab_gpu_fault_name(report->fault), "message", report->message, "steps",
                             lines_of(report->steps), "gpus", operations_of(plan));
    const bool failed = !data || json_dump_callback(data, put_part, file, JSON_COMPACT | JSON_ENSURE_ASCII) != 0;
    json_decref(data);
    if (failed)
        return gfab_gpu_no_memory(diag);
    fputc('\n', file);
    return GFAB_OK;
}

gfab_status gfab_gpu_plan_write_page(const gfab_gpu_plan *plan, const gfab_gpu_report *report, FILE *file,
                                     gfab_diag *diag)
{
    static const char mark[] = "@DATA@\n";
    const char *page = (const char *)gfab_witness_files[0].bytes, *end = page + gfab_witness_files[0].size;
    const char *at = page;
    while (strncmp(at, mark, sizeof mark - 1) != 0)
        at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    errno = 0;
    fwrite(page, 1, (size_t)(at - page), file);
    GFAB_TRY(put_data(plan, report, file, diag));
    at += sizeof mark - 1;
    fwrite(at, 1, (size_t)(end - at), file);
    if (fflush(file) != 0 || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the page: %s", gfab_stream_reason());
    return GFAB_OK;
}
