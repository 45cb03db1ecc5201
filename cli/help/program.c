/* SPDX-License-Identifier: MIT */
/* The name by which gossipfab's messages begin. It is a file of its own because gossipfab-mpi uses the other files of
 * cli/help/, too, and has another name. */
#include "cli.h"

const char *const cli_program = "gossipfab";
