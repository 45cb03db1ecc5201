/* SPDX-License-Identifier: MIT */
/* Does a certificate say what is counted again? */
#include "certificate_ports.h"

#include <inttypes.h>
#include <stdlib.h>

void gfab_certificate_release(gfab_certificate *certificate)
{
    free(certificate->part);
    certificate->part = NULL;
    gfab_port_certificate_release(certificate->ports);
    certificate->ports = NULL;
}

gfab_status gfab_certificate_count(const gfab_topology *topology, const gfab_certificate *c, uint64_t *demand,
                                   uint64_t *capacity)
{
    if (c->ports)
        return gfab_port_certificate_count(topology, c->ports, demand, capacity);
    return gfab_certificate_count_parts(topology, c, demand, capacity);
}

gfab_status gfab_certificate_check(const gfab_topology *topology, const gfab_certificate *c, gfab_diag *diag)
{
    uint64_t demand, capacity;
    GFAB_TRY(gfab_told(gfab_certificate_count(topology, c, &demand, &capacity), diag));
    if (c->ports && gfab_port_certificate_check(topology, c->ports, diag) != GFAB_OK)
        return GFAB_ERR_FAULT;
    if (demand != c->demand)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                         "demand %" PRIu64 ": %" PRIu64 " messages have to go between these parts", c->demand, demand);
    if (capacity != c->capacity)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                         "capacity %" PRIu64 ": the links between these parts carry %" PRIu64 " a round", c->capacity,
                         capacity);
    return GFAB_OK;
}
