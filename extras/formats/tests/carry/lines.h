/* SPDX-License-Identifier: MIT */
/* Links of plans in C among processes of one machine: pipes. A send waits for its receiver: a byte comes back. */
#ifndef GFAB_CARRY_LINES_H
#define GFAB_CARRY_LINES_H

#include <gfab_carry.h>

typedef struct line {
    int data[2], answer[2]; /* pipes */
} line;

typedef struct lines {
    line *lines; /* [from * ranks + to]; -1: there is none, so that a plan that asks for it fails */
    unsigned rank, ranks;
} lines;

/* Ends the program where there are no pipes. */
void lines_create(lines *l, unsigned ranks);
/* Opens those that plans[0 .. ranks - 1] send over, before processes are made. */
void lines_open(lines *l, const gfab_carry_plan *plans);

/* Callbacks of gfab_carry; the context begins with a lines. */
int lines_send(void *context, unsigned to, const void *data, size_t bytes);
int lines_receive(void *context, unsigned from, void *data, size_t bytes);

#endif
