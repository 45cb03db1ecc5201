/* SPDX-License-Identifier: MIT */
/* The registers of a fabric that a processor on the chip drives (generate --registers): one table, from which
 * rtl/host/gfab_registers.vh, the C and Python headers of a generated folder and docs/reference/registers.md are made.
 */
#ifndef GOSSIPFAB_REGISTERS_H
#define GOSSIPFAB_REGISTERS_H

#include <gossipfab/base/linkage.h>
#include <stddef.h>
#include <stdint.h>

GFAB_C_BEGIN

/* What a processor on the chip drives a fabric by, docs/reference/registers.md. */
typedef enum gfab_bus { GFAB_BUS_NONE, GFAB_BUS_AXI_LITE, GFAB_BUS_WISHBONE } gfab_bus;

/* "none", "axi-lite", "wishbone". "unknown" for no such value. Static. */
const char *gfab_bus_name(gfab_bus bus);

/* Of 32 bits each, on an AXI4-Lite or Wishbone bus of 32 bits. */
typedef struct gfab_register {
    const char *name;    /* in capitals, one word or several joined by _ */
    uint32_t offset;     /* bytes, a multiple of 4 */
    uint32_t bits;       /* that mean something, from bit 0 on; the others are read as 0 */
    const char *access;  /* "ro", "rw"; "wo": read as 0 */
    const char *meaning; /* one line */
} gfab_register;

/* A part of a register that has several. */
typedef struct gfab_register_field {
    const char *of;   /* the register's name */
    const char *name; /* in capitals */
    uint32_t lsb, bits;
    const char *meaning; /* one line */
} gfab_register_field;

enum { GFAB_REGISTER_MAP_VERSION = 1 }; /* what VERSION has in its lowest 8 bits */

/* In rising order of their offsets; NULL past the last. ERROR_NODES is the first of one register for every 32 nodes. */
const gfab_register *gfab_register_at(size_t index);
/* Those of a register together, from the lowest bit on; NULL past the last. */
const gfab_register_field *gfab_register_field_at(size_t index);
/* Bits of a byte's address in the registers of a fabric of so many nodes. */
uint32_t gfab_register_address_bits(size_t nodes);

GFAB_C_END
#endif
