/* SPDX-License-Identifier: MIT */
/* Faults by name, and entered in a report. */
#include "verify_internal.h"

#include <stdarg.h>
#include <stdio.h>

const char *gfab_fault_name(gfab_fault fault)
{
    switch (fault) {
    case GFAB_FAULT_NONE:
        return "none";
    case GFAB_FAULT_LINK_BUSY:
        return "link-busy";
    case GFAB_FAULT_WRONG_WAY:
        return "wrong-way";
    case GFAB_FAULT_PORT_BUSY:
        return "port-busy";
    case GFAB_FAULT_TOKEN_MISSING:
        return "token-missing";
    case GFAB_FAULT_TOKEN_TOO_NEW:
        return "token-too-new";
    case GFAB_FAULT_PACKET_SIZE:
        return "packet-size";
    case GFAB_FAULT_PATH_BROKEN:
        return "path-broken";
    case GFAB_FAULT_PATH_TOO_LONG:
        return "path-too-long";
    case GFAB_FAULT_SWITCH_END:
        return "switch-end";
    case GFAB_FAULT_WRONG_COMBINE:
        return "wrong-combine";
    case GFAB_FAULT_STORE_CLASH:
        return "store-clash";
    case GFAB_FAULT_COUNTED_TWICE:
        return "counted-twice";
    case GFAB_FAULT_CONTRIBUTION_LOST:
        return "contribution-lost";
    case GFAB_FAULT_PARTIAL_TOTAL:
        return "partial-total";
    case GFAB_FAULT_INCOMPLETE:
        return "incomplete";
    case GFAB_FAULT_WRONG_TOPOLOGY:
        return "wrong-topology";
    }
    return "unknown";
}

gfab_status gfab_verify_fault(gfab_verify_report *report, gfab_fault what, uint32_t round, uint32_t link, uint32_t node,
                              uint32_t token, const char *format, ...)
{
    report->fault = what;
    report->round = round;
    report->link = link;
    report->node = node;
    report->token = token;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(report->message, sizeof report->message, format, arguments);
    va_end(arguments);
    return GFAB_ERR_FAULT;
}
