/* SPDX-License-Identifier: MIT */
/* carry_main IN OUT COUNT GRANULE WORDS sum|max [SECONDS]: a process for each rank of the plan that this is linked
 * with, pipes for links. Rank v has its input from words v WORDS .. of IN, floats, and its output, as many, goes there
 * in OUT. 0: all ranks end well; 1: one did not, or not in time; 2: else. */
#define _XOPEN_SOURCE 700
#include "lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern const gfab_carry_plan gfab_plan[];

typedef struct machine {
    lines links;
    int larger; /* else the sum */
} machine;

static void combine(void *context, void *into, const void *from, size_t elements)
{
    const machine *m = context;
    float *a = into;
    const float *b = from;
    for (size_t i = 0; i < elements; i++)
        a[i] = !m->larger ? a[i] + b[i] : a[i] > b[i] ? a[i] : b[i];
}

static void run(machine *m, char **argv, const float *in, float *out, size_t words)
{
    const gfab_carry_plan *plan = &gfab_plan[m->links.rank];
    gfab_carry_call call = {.send = lines_send, .receive = lines_receive, .combine = combine, .context = m};
    call.count = strtoul(argv[3], NULL, 10);
    call.granule = strtoul(argv[4], NULL, 10);
    call.size = sizeof(float);
    const size_t scratch = gfab_carry_scratch(plan, call.count, call.size, call.granule);
    call.scratch = malloc(scratch + 1);
    call.input = malloc(words * sizeof(float) + 1); /* worked on */
    call.output = malloc(words * sizeof(float) + 1);
    memcpy(call.input, in, words * sizeof(float));
    memset(call.output, 0xa5, words * sizeof(float));
    memset(call.scratch, 0x5a, scratch);
    alarm(argv[7] ? (unsigned)strtoul(argv[7], NULL, 10) : 20);
    const int code = gfab_carry(plan, &call);
    memcpy(out, call.output, words * sizeof(float));
    _exit(code ? 1 : 0);
}

int main(int argc, char **argv)
{
    if (argc < 7)
        return 2;
    const unsigned ranks = gfab_plan[0].ranks;
    const size_t words = strtoul(argv[5], NULL, 10), bytes = ranks * words * sizeof(float);
    machine m = {.larger = strcmp(argv[6], "max") == 0};
    lines_create(&m.links, ranks);
    lines_open(&m.links, gfab_plan);
    float *in = malloc(bytes + 1);
    const int made = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (made < 0 || ftruncate(made, (off_t)bytes) != 0)
        return 2;
    float *out = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
    FILE *file = fopen(argv[1], "rb");
    if (!file || out == MAP_FAILED || fread(in, 1, bytes, file) != bytes)
        return 2;
    fclose(file);
    for (m.links.rank = 0; m.links.rank < ranks; m.links.rank++) {
        const pid_t child = fork();
        if (child < 0)
            return 2;
        if (child == 0)
            run(&m, argv, in + m.links.rank * words, out + m.links.rank * words, words);
    }
    int bad = 0, status;
    for (unsigned v = 0; v < ranks; v++)
        bad |= wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return bad;
}
