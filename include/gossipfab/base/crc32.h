/* SPDX-License-Identifier: MIT */
/* The 32-bit check sequence of IEEE 802.3 and RFC 1662. */
#ifndef GOSSIPFAB_CRC32_H
#define GOSSIPFAB_CRC32_H

#include <gossipfab/base/linkage.h>
#include <stddef.h>
#include <stdint.h>

GFAB_C_BEGIN

/* That of size bytes behind others whose check sequence is crc, 0 for none. */
uint32_t gfab_crc32(uint32_t crc, const uint8_t *bytes, size_t size);

GFAB_C_END
#endif
