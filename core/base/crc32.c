/* SPDX-License-Identifier: MIT */
#include <gossipfab/base/crc32.h>

/* Bit by bit: what is checked is a serial line's bytes, or a folder's text once. */
uint32_t gfab_crc32(uint32_t crc, const uint8_t *bytes, size_t size)
{
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}
