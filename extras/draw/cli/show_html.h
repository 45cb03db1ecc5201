/* SPDX-License-Identifier: MIT */
#ifndef GOSSIPFAB_CLI_SHOW_HTML_H
#define GOSSIPFAB_CLI_SHOW_HTML_H

#include "cli_source.h"

/* The player's page for a loaded source (gossipfab/draw/player.h), with the ROM words where narrow nodes can play the
 * schedule; CLI_GO_ON or an exit status after an error line. */
int show_html(const cli_source *source, const char *path);

#endif
