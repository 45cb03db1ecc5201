/* SPDX-License-Identifier: MIT */
/* MSCCL's XML: what `gossipfab convert algorithm.xml` reads, and what `gossipfab verify` checks in every order. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gfab_msccl_report report = {0};
    gfab_diag diag = {0, ""};
    FILE *file = fuzz_file(data, size);
    fuzz_check_diag(gfab_msccl_check(file, &report, &diag), &diag);
    fclose(file);
    return fuzz_check_format("msccl", data, size);
}
