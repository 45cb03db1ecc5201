/* SPDX-License-Identifier: MIT */
/* One machine of a ring, docs/guide/small.md: machine PEER:IN:OUT ... has a line to each neighbour, a serial port or
 * any other file of which what one end writes the other end reads. All add up six numbers. */
#include "gfab_carry.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define COUNT 6

extern const gfab_carry_plan gfab_plan[];

static int in[8], out[8]; /* by the peer's rank */

static int send_bytes(void *context, unsigned to, const void *data, size_t bytes)
{
    (void)context;
    for (const char *at = data; bytes > 0;) {
        const ssize_t done = write(out[to], at, bytes);
        if (done <= 0)
            return 1;
        at += done;
        bytes -= (size_t)done;
    }
    return 0;
}

static int receive_bytes(void *context, unsigned from, void *data, size_t bytes)
{
    (void)context;
    for (char *at = data; bytes > 0;) {
        const ssize_t done = read(in[from], at, bytes);
        if (done <= 0)
            return 1;
        at += done;
        bytes -= (size_t)done;
    }
    return 0;
}

static void add(void *context, void *into, const void *from, size_t elements)
{
    (void)context;
    for (size_t i = 0; i < elements; i++)
        ((float *)into)[i] += ((const float *)from)[i];
}

int main(int argc, char **argv)
{
    float numbers[COUNT], scratch[COUNT];
    const gfab_carry_call call = {.send = send_bytes,
                                  .receive = receive_bytes,
                                  .combine = add,
                                  .output = numbers, /* in place */
                                  .scratch = scratch,
                                  .count = COUNT,
                                  .size = sizeof(float)};
    for (int i = 1; i < argc; i++) {
        unsigned peer;
        char from[64], to[64];
        if (sscanf(argv[i], "%1u:%63[^:]:%63s", &peer, from, to) != 3 || peer > 7 ||
            (in[peer] = open(from, O_RDWR)) < 0 || (out[peer] = open(to, O_RDWR)) < 0)
            return 2;
    }
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (float)(i + 1) * (float)(gfab_plan->rank + 1);
    if (gfab_carry_scratch(gfab_plan, COUNT, sizeof(float), 0) > sizeof scratch || gfab_carry(gfab_plan, &call) != 0)
        return 1;
    for (int i = 0; i < COUNT; i++)
        printf("%g%c", (double)numbers[i], i + 1 < COUNT ? ' ' : '\n');
    return 0;
}
