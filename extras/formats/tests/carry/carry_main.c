/* SPDX-License-Identifier: MIT */
/* carry_main IN OUT COUNT GRANULE WORDS sum|max [SECONDS]: a process for each rank of the plan that this is linked
 * with, pipes for links. Rank v has its input from words v WORDS .. of IN, floats, and its output, as many, goes there
 * in OUT. A send waits for its receiver: a byte comes back. 0: all ranks end well; 1: one did not, or not in time; 2:
 * else. */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <gfab_carry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern const gfab_carry_plan gfab_plan[];

typedef struct line {
    int data[2], answer[2]; /* pipes */
} line;

typedef struct machine {
    line *lines; /* [from * ranks + to] */
    unsigned rank, ranks;
    int larger; /* else the sum */
} machine;

static int move(int fd, char *at, size_t bytes, int writes)
{
    while (bytes > 0) {
        const ssize_t done = writes ? write(fd, at, bytes) : read(fd, at, bytes);
        if (done <= 0)
            return 3;
        at += done;
        bytes -= (size_t)done;
    }
    return 0;
}

static int send_to(void *context, unsigned to, const void *data, size_t bytes)
{
    const machine *m = context;
    const line *l = &m->lines[m->rank * m->ranks + to];
    char answer;
    const int code = move(l->data[1], (char *)(uintptr_t)data, bytes, 1);
    return code ? code : move(l->answer[0], &answer, 1, 0);
}

static int receive_from(void *context, unsigned from, void *data, size_t bytes)
{
    const machine *m = context;
    const line *l = &m->lines[from * m->ranks + m->rank];
    char answer = 0;
    const int code = move(l->data[0], data, bytes, 0);
    return code ? code : move(l->answer[1], &answer, 1, 1);
}

static void combine(void *context, void *into, const void *from, size_t elements)
{
    const machine *m = context;
    float *a = into;
    const float *b = from;
    for (size_t i = 0; i < elements; i++)
        a[i] = !m->larger ? a[i] + b[i] : a[i] > b[i] ? a[i] : b[i];
}

/* Lines that the plans use; what does not exist stays closed, so that a plan that asks for it fails. */
static line *make_lines(unsigned ranks)
{
    line *lines = malloc(ranks * ranks * sizeof *lines);
    memset(lines, -1, ranks * ranks * sizeof *lines);
    for (unsigned v = 0; v < ranks; v++)
        for (size_t i = 0; i < gfab_plan[v].step_count; i++) {
            const gfab_carry_step *s = &gfab_plan[v].steps[i];
            line *l = &lines[v * ranks + s->other];
            if (s->kind == GFAB_CARRY_SEND && s->other < ranks && l->data[0] < 0 &&
                (pipe(l->data) != 0 || pipe(l->answer) != 0))
                exit(2);
        }
    return lines;
}

static void run(machine *m, char **argv, const float *in, float *out, size_t words)
{
    const gfab_carry_plan *plan = &gfab_plan[m->rank];
    gfab_carry_call call = {.send = send_to, .receive = receive_from, .combine = combine, .context = m};
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
    machine m = {.lines = make_lines(ranks), .ranks = ranks, .larger = strcmp(argv[6], "max") == 0};
    float *in = malloc(bytes + 1);
    const int made = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (made < 0 || ftruncate(made, (off_t)bytes) != 0)
        return 2;
    float *out = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
    FILE *file = fopen(argv[1], "rb");
    if (!file || out == MAP_FAILED || fread(in, 1, bytes, file) != bytes)
        return 2;
    fclose(file);
    for (m.rank = 0; m.rank < ranks; m.rank++) {
        const pid_t child = fork();
        if (child < 0)
            return 2;
        if (child == 0)
            run(&m, argv, in + m.rank * words, out + m.rank * words, words);
    }
    int bad = 0, status;
    for (unsigned v = 0; v < ranks; v++)
        bad |= wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return bad;
}
