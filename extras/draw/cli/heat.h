/* SPDX-License-Identifier: MIT */
/* How much each link is used, as a picture or as a table. */
#ifndef GOSSIPFAB_CLI_HEAT_H
#define GOSSIPFAB_CLI_HEAT_H

#include "cli.h"

/* What a heat map is of. uses[arc], arc 2 l and 2 l + 1 the two ways of link l. */
typedef struct heat_map {
    const gfab_topology *topology;
    const uint64_t *uses;
    const char *title; /* such as "Link use of a gossip" */
    const char *unit;  /* what is counted, such as "packets" */
} heat_map;

/* Does the name end in .svg or .csv? CLI_GO_ON, or CLI_USAGE after an error line that says which option is wrong. */
int heat_check(const char *verb, const char *option, const char *path);
/* As SVG, or, where the name ends in .csv, as CSV: link,from,to,from_to,to_from. CLI_GO_ON or an exit status. */
int heat_write(const char *verb, const heat_map *heat, const char *path);

#endif
