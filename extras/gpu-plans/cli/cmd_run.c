/* SPDX-License-Identifier: MIT */
/* Command `run`: carries a plan for GPUs out on the processor, a thread for each thread block, on a file's bytes or on
 * numbers that tell where they came from. It is one order of the many that GPUs may take; `verify` looks at all of
 * them, and comes first here, too. What is compared with a GPU's result is the output file. */
#include "gpu-plans/cli/cli_plan.h"

#include <stdlib.h>
#include <string.h>

/* The buffers of all GPUs, one behind the other. */
typedef struct buffers {
    unsigned char *bytes;
    void **at; /* [GPU] */
    size_t size;
} buffers;

typedef uint64_t bytes_of(const gfab_gpu_plan *plan, size_t rank, uint64_t chunk_bytes);

/* Each a multiple of 16 bytes, as chunks are. */
static bool buffers_make(const gfab_gpu_plan *plan, bytes_of *bytes, uint64_t chunk, buffers *made)
{
    const size_t ranks = gfab_gpu_plan_ranks(plan);
    for (size_t r = 0; r < ranks; r++)
        made->size += bytes(plan, r, chunk);
    made->bytes = calloc(made->size, 1);
    made->at = calloc(ranks, sizeof *made->at);
    for (size_t r = 0, at = 0; made->bytes && made->at && r < ranks; at += bytes(plan, r, chunk), r++)
        made->at[r] = made->bytes + at;
    return made->bytes && made->at;
}

static void buffers_release(buffers *made)
{
    GFAB_FREE(made->bytes, made->at);
}

static int read_input(const char *path, buffers *input)
{
    FILE *file;
    CLI_TRY(cli_file_open("run", path, &file));
    const size_t got = fread(input->bytes, 1, input->size, file);
    const bool whole = got == input->size && getc(file) == EOF;
    gfab_text_close(file);
    return whole ? CLI_GO_ON
                 : cli_error("run", "'%s' has not the %zu bytes that the inputs of all GPUs take", path, input->size);
}

/* Numbers in the place of data: a word for each place of each GPU. */
static void make_input(buffers *input)
{
    for (size_t i = 0; i + 4 <= input->size; i += 4) {
        const uint32_t word = (uint32_t)(i / 4 + 1) * 2654435761u;
        memcpy(input->bytes + i, &word, sizeof word);
    }
}

static gfab_status write_bytes(const void *what, FILE *file, gfab_diag *diag)
{
    const buffers *output = what;
    return fwrite(output->bytes, 1, output->size, file) == output->size
               ? GFAB_OK
               : gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the output");
}

/* In place the input of an all-gather lies in the output; else the output in the input. */
static void carry(const gfab_gpu_plan *plan, buffers *input, buffers *output, uint64_t chunk, bool back)
{
    for (size_t r = 0; r < gfab_gpu_plan_ranks(plan) && gfab_gpu_plan_in_place(plan); r++) {
        const size_t in = gfab_gpu_plan_input_bytes(plan, r, chunk), out = gfab_gpu_plan_output_bytes(plan, r, chunk);
        if (out > in && !back)
            memcpy((char *)output->at[r] + r * in, input->at[r], in);
        else if (out <= in && back)
            memcpy(output->at[r], (char *)input->at[r] + (out < in ? r * out : 0), out);
    }
}

static int play(const gfab_gpu_plan *plan, gfab_gpu_plan_options options, const char *from, const char *to)
{
    GFAB_AT_END(buffers_release) buffers input = {0}, output = {0};
    gfab_diag diag = {0, ""};
    int status = CLI_GO_ON;
    if (!buffers_make(plan, gfab_gpu_plan_input_bytes, options.chunk_bytes, &input) ||
        !buffers_make(plan, gfab_gpu_plan_output_bytes, options.chunk_bytes, &output))
        status = cli_fail("run", GFAB_ERR_NO_MEMORY, NULL, NULL);
    if (status == CLI_GO_ON && from)
        status = read_input(from, &input);
    else if (status == CLI_GO_ON)
        make_input(&input);
    if (status == CLI_GO_ON) {
        carry(plan, &input, &output, options.chunk_bytes, false);
        const gfab_status done = gfab_gpu_plan_run(plan, &options, input.at, output.at, 30, &diag);
        status = cli_told("run", done, NULL, &diag);
        carry(plan, &input, &output, options.chunk_bytes, true);
    }
    if (status == CLI_GO_ON && to)
        status = cli_output_write("run", to, write_bytes, &output);
    if (status == CLI_GO_ON && !cli_is_standard(to)) {
        cli_plan_print(plan);
        printf("run          %u times, chunks of %llu bytes, a thread for each thread block\n", options.launches,
               (unsigned long long)options.chunk_bytes);
        printf("output       %zu bytes of all GPUs, CRC-32 %08x\n", output.size,
               gfab_crc32(0, output.bytes, output.size));
    }
    return status == CLI_GO_ON ? CLI_GOOD : status;
}

int cmd_run(int argc, char **argv)
{
    gfab_gpu_plan_options checked = {0}, options = {.launches = 1};
    const char *from = NULL, *to = NULL;
    const cli_option table[] = {
        CLI_OPTION(.name = "input", .kind = CLI_TEXT, .value = &from, .word = "FILE", .initial = "numbers",
                   .help = "the inputs of all GPUs, one behind the other"),
        CLI_OPTION(.name = "output", .letter = 'o', .kind = CLI_TEXT, .value = &to, .word = "FILE",
                   .help = "where their outputs go"),
        CLI_OPTION(.name = "chunk-bytes", .kind = CLI_U64, .value = &options.chunk_bytes, .word = "N", .least = 16,
                   .most = INT32_MAX, .unit = "bytes", .initial = "the plan's least", .help = "the length of a chunk"),
        CLI_OPTION(.name = "launches", .kind = CLI_U32, .value = &options.launches, .word = "N", .least = 1,
                   .most = 1000, .initial = "1", .help = "how often in a row"),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "run",
        .usage = "[--input FILE] [-o FILE] [--chunk-bytes N] [--launches N] PLAN.json",
        .text = "Runs a plan for GPUs, MSCCL++'s JSON, on the processor: a thread for each thread block, 32-bit words\n"
                "added up where the plan reduces. The plan is verified first, and a faulty one is not run.",
        .example = "  gossipfab run allreduce.json --input in.bin -o out.bin",
        .options = table,
        .max_arguments = 1};
    const char *arguments[CLI_MAX_ARGUMENTS];
    gfab_gpu_plan *plan = NULL;
    gfab_gpu_report report = {0};
    GFAB_AT_END(cli_input_close) cli_input input = {0};
    CLI_TRY(cli_parse(&command, argc, argv, arguments));
    if (!arguments[0])
        return cli_error("run", "no plan given; usage: gossipfab run %s", command.usage);
    int status = cli_input_open("run", arguments[0], &input);
    CLI_THEN(status, cli_plan_find("run", &input, &plan));
    if (status == CLI_GO_ON && !plan)
        status = cli_error("run", "'%s' is no plan for GPUs: MSCCL++'s JSON is expected", arguments[0]);
    checked.chunk_bytes = options.chunk_bytes;
    CLI_THEN(status, cli_plan_check("run", plan, &checked, &report));
    options.chunk_bytes = report.chunk_bytes;
    CLI_THEN(status, play(plan, options, from, to));
    gfab_gpu_plan_destroy(plan);
    return status;
}
