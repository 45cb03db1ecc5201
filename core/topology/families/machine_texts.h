/* SPDX-License-Identifier: MIT */
/* Private: the files of core/topology/families/machines, as CMake writes them into machine_texts.c. */
#ifndef GOSSIPFAB_MACHINE_TEXTS_H
#define GOSSIPFAB_MACHINE_TEXTS_H

#include <stddef.h>

typedef struct gfab_machine_text {
    const char *name, *text; /* text: DOT */
} gfab_machine_text;

extern const gfab_machine_text gfab_machines[];
extern const size_t gfab_machine_count;

#endif
