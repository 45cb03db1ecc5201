/* SPDX-License-Identifier: MIT */
/* Links for tests of plans in C: two pipes a link, one for the data, one for a byte that comes back when they have
 * been taken. A send so waits for its receiver, as on a link without a buffer. That is the hardest case for a plan:
 * one that relies on room on the way stands still here. */
#define _XOPEN_SOURCE 700
#include "lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int lines_send(void *context, unsigned to, const void *data, size_t bytes)
{
    const lines *own = context;
    const line *l = &own->lines[own->rank * own->ranks + to];
    char answer;
    const int code = move(l->data[1], (char *)(uintptr_t)data, bytes, 1);
    return code ? code : move(l->answer[0], &answer, 1, 0);
}

int lines_receive(void *context, unsigned from, void *data, size_t bytes)
{
    const lines *own = context;
    const line *l = &own->lines[from * own->ranks + own->rank];
    char answer = 0;
    const int code = move(l->data[0], data, bytes, 0);
    return code ? code : move(l->answer[1], &answer, 1, 1);
}

void lines_create(lines *l, unsigned ranks)
{
    *l = (lines){.lines = malloc(ranks * ranks * sizeof *l->lines), .ranks = ranks};
    if (!l->lines)
        exit(2);
    memset(l->lines, -1, ranks * ranks * sizeof *l->lines);
}

void lines_open(lines *l, const gfab_carry_plan *plans)
{
    for (unsigned v = 0; v < l->ranks; v++)
        for (size_t i = 0; i < plans[v].step_count; i++) {
            const gfab_carry_step *s = &plans[v].steps[i];
            line *one = &l->lines[v * l->ranks + s->other];
            if (s->kind == GFAB_CARRY_SEND && s->other < l->ranks && one->data[0] < 0 &&
                (pipe(one->data) != 0 || pipe(one->answer) != 0))
                exit(2);
        }
}
