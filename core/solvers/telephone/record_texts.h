/* SPDX-License-Identifier: MIT */
/* Private: the files of core/solvers/telephone/records, as CMake writes them into record_texts.c. */
#ifndef GOSSIPFAB_RECORD_TEXTS_H
#define GOSSIPFAB_RECORD_TEXTS_H

#include <stddef.h>

extern const char *const gfab_record_texts[];
extern const size_t gfab_record_text_count;

#endif
