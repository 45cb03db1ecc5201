/* SPDX-License-Identifier: MIT */
/* Value change dump, IEEE 1364-2005 section 18: a clock, busy and done, and for each link the wires, or those from each
 * end, and which end drives them. A clock cycle is CYCLE_TIME units, its rising edge first. */
#include "simulate_vcd.h"

#include <stdlib.h>
#include <string.h>

#define CYCLE_TIME 10
/* Identifiers: clock, busy, done, then for each link its sets of wires and its two drives. */
enum { ID_CLOCK, ID_BUSY, ID_DONE, ID_LINKS };

struct simulate_vcd {
    FILE *file;
    const gfab_topology *topology;
    size_t data_bytes;
    uint32_t link_bits;
    uint32_t wires; /* sets a link */
    uint8_t *data;  /* last values, data_bytes a set */
    uint8_t *drive; /* bit e: end e drives */
    bool busy, done, started;
};

/* Base 94, the printable characters, least significant first. */
static void put_id(FILE *file, size_t id)
{
    do {
        putc('!' + (int)(id % 94), file);
        id /= 94;
    } while (id != 0);
}

static void put_bit(FILE *file, bool value, size_t id)
{
    putc(value ? '1' : '0', file);
    put_id(file, id);
    putc('\n', file);
}

static void put_vector(FILE *file, const uint8_t *data, uint32_t bits, size_t id)
{
    if (bits == 1) {
        put_bit(file, data[0] & 1, id);
        return;
    }
    putc('b', file);
    for (uint32_t i = bits; i-- > 0;)
        putc('0' + ((data[i / 8] >> (i % 8)) & 1), file);
    putc(' ', file);
    put_id(file, id);
    putc('\n', file);
}

static void put_var(FILE *file, uint32_t bits, size_t id, const char *name)
{
    fprintf(file, "$var wire %u ", bits);
    put_id(file, id);
    fprintf(file, " %s", name);
    if (bits > 1)
        fprintf(file, " [%u:0]", bits - 1);
    fputs(" $end\n", file);
}

/* The first identifier of a link. */
static size_t link_id(const simulate_vcd *vcd, size_t link)
{
    return ID_LINKS + (2 + vcd->wires) * link;
}

static void put_header(const simulate_vcd *vcd)
{
    fprintf(vcd->file, "$version gossipfab %s $end\n$timescale 1 ns $end\n$scope module fabric $end\n", gfab_version());
    put_var(vcd->file, 1, ID_CLOCK, "clk");
    put_var(vcd->file, 1, ID_BUSY, "busy");
    put_var(vcd->file, 1, ID_DONE, "done");
    for (size_t i = 0; i < gfab_topology_link_count(vcd->topology); i++) {
        gfab_link link = gfab_topology_link(vcd->topology, i);
        char name[32];
        fprintf(vcd->file, "$scope module link%zu_n%u_n%u $end\n", i, link.node[0], link.node[1]);
        for (uint32_t set = 0; set < vcd->wires; set++) {
            snprintf(name, sizeof name, vcd->wires == 2 ? "data_n%u" : "data", link.node[set]);
            put_var(vcd->file, vcd->link_bits, link_id(vcd, i) + set, name);
        }
        for (uint32_t end = 0; end < 2; end++) {
            snprintf(name, sizeof name, "drive_n%u", link.node[end]);
            put_var(vcd->file, 1, link_id(vcd, i) + vcd->wires + end, name);
        }
        fputs("$upscope $end\n", vcd->file);
    }
    fputs("$upscope $end\n$enddefinitions $end\n", vcd->file);
}

simulate_vcd *simulate_vcd_create(FILE *file, const gfab_topology *topology, uint32_t link_bits, uint32_t wires)
{
    simulate_vcd *vcd = calloc(1, sizeof *vcd);
    if (!vcd)
        return NULL;
    size_t links = gfab_topology_link_count(topology);
    vcd->file = file;
    vcd->topology = topology;
    vcd->link_bits = link_bits;
    vcd->wires = wires;
    vcd->data_bytes = (link_bits + 7) / 8;
    vcd->data = calloc(wires * links, vcd->data_bytes);
    vcd->drive = calloc(links, 1);
    if (!vcd->data || !vcd->drive) {
        simulate_vcd_destroy(vcd);
        return NULL;
    }
    put_header(vcd);
    return vcd;
}

void simulate_vcd_destroy(simulate_vcd *vcd)
{
    if (vcd)
        GFAB_FREE(vcd->data, vcd->drive, vcd);
}

static void put_link(simulate_vcd *vcd, const gfab_cmodel *cmodel, size_t link, bool all)
{
    uint8_t drive = (uint8_t)(gfab_cmodel_link_drive(cmodel, link, 0) | gfab_cmodel_link_drive(cmodel, link, 1) << 1);
    for (uint32_t set = 0; set < vcd->wires; set++) {
        const uint8_t *data =
            vcd->wires == 2 ? gfab_cmodel_end_data(cmodel, link, set) : gfab_cmodel_link_data(cmodel, link);
        uint8_t *last = vcd->data + (vcd->wires * link + set) * vcd->data_bytes;
        if (all || memcmp(last, data, vcd->data_bytes) != 0) {
            memcpy(last, data, vcd->data_bytes);
            put_vector(vcd->file, data, vcd->link_bits, link_id(vcd, link) + set);
        }
    }
    for (uint32_t end = 0; end < 2; end++)
        if (all || ((vcd->drive[link] ^ drive) >> end & 1) != 0)
            put_bit(vcd->file, drive >> end & 1, link_id(vcd, link) + vcd->wires + end);
    vcd->drive[link] = drive;
}

void simulate_vcd_cycle(simulate_vcd *vcd, const gfab_cmodel *cmodel, uint64_t cycle)
{
    bool all = !vcd->started;
    bool busy = gfab_cmodel_busy(cmodel), done = gfab_cmodel_done(cmodel);
    fprintf(vcd->file, "#%llu\n", (unsigned long long)(cycle * CYCLE_TIME));
    if (all)
        fputs("$dumpvars\n", vcd->file);
    put_bit(vcd->file, true, ID_CLOCK);
    if (all || busy != vcd->busy)
        put_bit(vcd->file, busy, ID_BUSY);
    if (all || done != vcd->done)
        put_bit(vcd->file, done, ID_DONE);
    for (size_t link = 0; link < gfab_topology_link_count(vcd->topology); link++)
        put_link(vcd, cmodel, link, all);
    if (all)
        fputs("$end\n", vcd->file);
    fprintf(vcd->file, "#%llu\n", (unsigned long long)(cycle * CYCLE_TIME + CYCLE_TIME / 2));
    put_bit(vcd->file, false, ID_CLOCK);
    vcd->busy = busy;
    vcd->done = done;
    vcd->started = true;
}
