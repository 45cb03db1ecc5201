// SPDX-License-Identifier: MIT
#include "cadical_guard.h"

#include <cadical.hpp>
#include <exception>

struct gfab_cadical : CaDiCaL::Learner, CaDiCaL::Terminator {
    explicit gfab_cadical(const gfab_cadical_watch &watch) : watch(watch)
    {
        if (watch.terminate)
            solver.connect_terminator(this);
        if (watch.learn)
            solver.connect_learner(this);
    }
    bool terminate() override { return watch.terminate(watch.state) != 0; }
    bool learning(int) override { return true; }
    void learn(int literal) override { watch.learn(watch.state, literal); }

    gfab_cadical_watch watch;
    CaDiCaL::Solver solver;
};

// std::bad_alloc and std::length_error are all that CaDiCaL throws.
template <typename Call> static gfab_status guarded(Call call)
try {
    call();
    return GFAB_OK;
} catch (const std::exception &) {
    return GFAB_ERR_NO_MEMORY;
}

gfab_status gfab_cadical_create(const gfab_cadical_watch *watch, gfab_cadical **solver)
{
    *solver = nullptr;
    return guarded([&] { *solver = new gfab_cadical(*watch); });
}

gfab_status gfab_cadical_set_option(gfab_cadical *solver, const char *name, int value)
{
    return guarded([&] { solver->solver.set(name, value); });
}

gfab_status gfab_cadical_add(gfab_cadical *solver, int literal)
{
    return guarded([&] { solver->solver.add(literal); });
}

gfab_status gfab_cadical_solve(gfab_cadical *solver, int most_conflicts, int *answer)
{
    return guarded([&] {
        if (most_conflicts >= 0)
            solver->solver.limit("conflicts", most_conflicts);
        *answer = solver->solver.solve();
        if (*answer == 10)
            solver->solver.val(1); // the first call completes the model
    });
}

int gfab_cadical_value(gfab_cadical *solver, int literal)
{
    return solver->solver.val(literal);
}

void gfab_cadical_release(gfab_cadical *solver, gfab_status status)
{
    if (solver && status != GFAB_ERR_NO_MEMORY)
        guarded([&] { delete solver; });
}
