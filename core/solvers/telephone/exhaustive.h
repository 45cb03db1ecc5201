/* SPDX-License-Identifier: MIT */
/* Private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_EXHAUSTIVE_H
#define GOSSIPFAB_SOLVERS_EXHAUSTIVE_H

/* What the exhaustive search takes. */
#define GFAB_EXHAUSTIVE_MAX_NODES 20
#define GFAB_EXHAUSTIVE_MAX_LINKS 30

#endif
