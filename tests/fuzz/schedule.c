/* SPDX-License-Identifier: MIT */
/* Schedules as .gfs text: what `gossipfab verify s.gfs` reads. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_check_format("gfs", data, size);
}
