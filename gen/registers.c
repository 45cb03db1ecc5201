/* SPDX-License-Identifier: MIT */
/* The register map: the one table of it. */
#include <gossipfab/gen/registers.h>

enum { ERROR_NODES = 0x40 };

static const gfab_register registers[] = {
    {"VERSION", 0x00, 32, "ro", "of this map in bits 7:0; 0x676661, \"gfa\", above them"},
    {"IDENTITY", 0x04, 32, "ro", "tells this fabric from others, as `identity` in manifest.json"},
    {"NODES", 0x08, 32, "ro", "N"},
    {"TOKEN_BITS", 0x0c, 32, "ro", "W, of a token or block: a beat of the streams"},
    {"PROGRAMS", 0x10, 32, "ro", "collectives to choose from"},
    {"CONTROL", 0x14, 2, "wo", "what a 1 does"},
    {"STATUS", 0x18, 7, "ro", "how things stand"},
    {"PROGRAM", 0x1c, 32, "rw", "which collective START plays; below PROGRAMS"},
    {"OPERATOR", 0x20, 3, "rw",
     "of START: 0 sum, 1 and, 2 or, 3 xor, 4 min, 5 max, 6 umin, 7 umax; 0 without a choice"},
    {"INTERRUPT", 0x24, 2, "rw", "when o_interrupt is 1"},
    {"COLLECTIVES", 0x28, 32, "ro", "that ended without an error since the reset, modulo 2^32"},
    {"CYCLES", 0x2c, 32, "ro", "of the last collective, from its start to its end; while one runs, so far"},
    {"ERROR", 0x30, 8, "ro", "the last error"},
    {"ERROR_ROUND", 0x34, 32, "ro", "with FABRIC: in which round it was noticed, from 0"},
    {"ERROR_NODES", ERROR_NODES, 32, "ro", "whose it was: bit v % 32 of register v / 32 from here on is node v"},
};

static const gfab_register_field fields[] = {
    {"CONTROL", "START", 0, 1, "plays a collective, with the next packets; refused unless READY"},
    {"CONTROL", "CLEAR", 1, 1, "takes an error back: all nodes load anew"},
    {"STATUS", "READY", 0, 1, "PROGRAM, OPERATOR and START are taken: no start waits, and there is no error"},
    {"STATUS", "BUSY", 1, 1, "a collective that was started has not ended"},
    {"STATUS", "DONE", 2, 1, "all that were started have ended, until the next start"},
    {"STATUS", "FAILED", 3, 1, "an error, until CLEAR; starts that had not ended are forgotten"},
    {"STATUS", "LOADING", 4, 1, "nodes take their packets"},
    {"STATUS", "RUNNING", 5, 1, "the fabric plays"},
    {"STATUS", "UNLOADING", 6, 1, "nodes give theirs; with overlapped streams also beside LOADING, RUNNING"},
    {"INTERRUPT", "ON_DONE", 0, 1, "while DONE is 1"},
    {"INTERRUPT", "ON_FAILED", 1, 1, "while FAILED is 1"},
    {"ERROR", "WHAT", 0, 3, "0 none, 1 LATE, 2 LONG, 3 STUCK, 4 FABRIC: docs/reference/host-interface.md"},
    {"ERROR", "FAULT", 4, 4,
     "with FABRIC, of a protected one: bit 0 a node, 1 a transfer, 2 a program, 3 the sequencer"},
};

const char *gfab_bus_name(gfab_bus bus)
{
    static const char *const names[] = {
        [GFAB_BUS_NONE] = "none", [GFAB_BUS_AXI_LITE] = "axi-lite", [GFAB_BUS_WISHBONE] = "wishbone"};
    return (size_t)bus < sizeof names / sizeof *names ? names[bus] : "unknown";
}

const gfab_register *gfab_register_at(size_t index)
{
    return index < sizeof registers / sizeof registers[0] ? &registers[index] : NULL;
}

const gfab_register_field *gfab_register_field_at(size_t index)
{
    return index < sizeof fields / sizeof fields[0] ? &fields[index] : NULL;
}

uint32_t gfab_register_address_bits(size_t nodes)
{
    const size_t bytes = ERROR_NODES + (nodes + 31) / 32 * 4;
    uint32_t bits = 0;
    while ((size_t)1 << bits < bytes)
        bits++;
    return bits;
}
