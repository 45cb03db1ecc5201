/* SPDX-License-Identifier: MIT */
/* Reading a solver's own settings; private to core/solvers. */
#ifndef GOSSIPFAB_SOLVERS_PARAMETERS_H
#define GOSSIPFAB_SOLVERS_PARAMETERS_H

#include <gossipfab/solvers/solver.h>

GFAB_C_BEGIN

/* A whole number from least to most; *value unchanged where the key is not there. INVALID with the key in diag. */
gfab_status gfab_parameter_number(const char *parameters, const char *key, uint64_t least, uint64_t most,
                                  uint64_t *value, gfab_diag *diag);
/* A list "3:3:2" of numbers in a range; *count 0 where the key is not there. INVALID, also above capacity. */
typedef struct gfab_parameter_range {
    uint32_t least, most, capacity;
} gfab_parameter_range;
gfab_status gfab_parameter_list(const char *parameters, const char *key, gfab_parameter_range range, uint32_t *list,
                                uint32_t *count, gfab_diag *diag);
/* INVALID, with the known keys in diag, where parameters is malformed, or has a key twice or one that keys (ending in
 * NULL) lacks. */
gfab_status gfab_parameters_check(const char *parameters, const char *const *keys, gfab_diag *diag);

GFAB_C_END
#endif
