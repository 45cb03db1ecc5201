// SPDX-License-Identifier: MIT
#ifndef GFAB_TESTS_EXTENT_H
#define GFAB_TESTS_EXTENT_H

#include <cstdint>
#include <cstdlib>

// How far a test over many sizes goes: in `make test` (usual), and in `make test-large`, which sets GFAB_LARGE.
inline uint32_t extent(uint32_t usual, uint32_t large)
{
    return std::getenv("GFAB_LARGE") ? large : usual;
}

#endif
