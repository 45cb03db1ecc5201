// SPDX-License-Identifier: MIT
// The C model in a simulation of tb_stream.v with GF_MODEL, which plays in the folder of its fabric.
#include "model.h"

static stream::Model &model()
{
    static stream::Model of_folder(".", false);
    return of_folder;
}

// Called by the bench in every cycle.
extern "C" void stream_line(const char *line)
{
    model().play(line);
}

// Called before a bench begins.
extern "C" void stream_restart()
{
    model().restart();
}
