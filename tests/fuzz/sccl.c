/* SPDX-License-Identifier: MIT */
/* SCCL's JSON: what `gossipfab convert algorithm.json` reads. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_check_format("sccl", data, size);
}
