/* SPDX-License-Identifier: MIT */
#include "cli.h"

const char *const cli_program = "gossipfab";
