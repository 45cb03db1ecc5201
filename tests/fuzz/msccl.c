/* SPDX-License-Identifier: MIT */
/* MSCCL's XML: what `gossipfab convert algorithm.xml` reads. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_check_format("msccl", data, size);
}
