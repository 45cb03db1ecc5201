// SPDX-License-Identifier: MIT
#include "cadical_guard.h"

#include <exception>

// std::bad_alloc and std::length_error are all that CaDiCaL throws.
template <typename Call> static gfab_status guarded(Call call)
try {
    call();
    return GFAB_OK;
} catch (const std::exception &) {
    return GFAB_ERR_NO_MEMORY;
}

gfab_status gfab_cadical_create(CCaDiCaL **solver)
{
    *solver = nullptr;
    return guarded([&] { *solver = ccadical_init(); });
}

gfab_status gfab_cadical_set_option(CCaDiCaL *solver, const char *name, int value)
{
    return guarded([&] { ccadical_set_option(solver, name, value); });
}

gfab_status gfab_cadical_add(CCaDiCaL *solver, int literal)
{
    return guarded([&] { ccadical_add(solver, literal); });
}

gfab_status gfab_cadical_solve(CCaDiCaL *solver, int *answer)
{
    return guarded([&] {
        *answer = ccadical_solve(solver);
        if (*answer == 10)
            ccadical_val(solver, 1); // the first call completes the model
    });
}

void gfab_cadical_release(CCaDiCaL *solver, gfab_status status)
{
    if (solver && status != GFAB_ERR_NO_MEMORY)
        guarded([&] { ccadical_release(solver); });
}
