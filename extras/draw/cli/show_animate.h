/* SPDX-License-Identifier: MIT */
#ifndef GOSSIPFAB_CLI_SHOW_ANIMATE_H
#define GOSSIPFAB_CLI_SHOW_ANIMATE_H

#include "cli_source.h"

/* A loaded source's schedule, of a collective that does not combine, as an SVG that moves. CLI_GO_ON, or an exit status
 * after an error line. */
int show_animate(const cli_source *source, const char *path);

#endif
