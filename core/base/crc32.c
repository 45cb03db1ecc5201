/* SPDX-License-Identifier: MIT */
/* The check sequence of IEEE 802.3, with the polynomial 0xedb88320 in its reversed form. It is computed bit by bit, 8
 * steps a byte, without a table of 1 KiB: what is checked is a serial line's bytes, or a folder's text once. The nine
 * bytes "123456789" give 0xcbf43926. */
#include <gossipfab/base/crc32.h>

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
