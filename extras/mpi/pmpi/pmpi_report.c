/* SPDX-License-Identifier: MIT */
/* What became of each collective that a program called: taken by a schedule, or left to MPI, and why. A user who sees
 * no gain finds the reason in one line, such as "MPI_Allreduce 3 taken 97 MPI's own: type 97". Counters are atomic, as
 * programs may call MPI from several threads. */
#include "pmpi.h"

#include <stdatomic.h>
#include <stdio.h>

static _Atomic unsigned long counts[PMPI_CALLS][PMPI_REASONS];

static const char *const reasons[PMPI_REASONS] = {
    "taken", "one rank",        "intercommunicator", "non-blocking", "counts of one rank alone", "type", "operator",
    "size",  "wrong arguments", "no schedule",       "switched off"};

void pmpi_count(pmpi_call call, pmpi_reason reason)
{
    atomic_fetch_add_explicit(&counts[call][reason], 1, memory_order_relaxed);
}

static void print_call(int call)
{
    unsigned long own = 0;
    const char *separator = ": ";
    for (int r = PMPI_TAKEN + 1; r < PMPI_REASONS; r++)
        own += counts[call][r];
    if (counts[call][PMPI_TAKEN] + own == 0)
        return;
    fprintf(stderr, "  %-26s %10lu taken %10lu MPI's own", pmpi_call_names[call],
            (unsigned long)counts[call][PMPI_TAKEN], own);
    for (int r = PMPI_TAKEN + 1; r < PMPI_REASONS; r++)
        if (counts[call][r]) {
            fprintf(stderr, "%s%s %lu", separator, reasons[r], (unsigned long)counts[call][r]);
            separator = ", ";
        }
    fputc('\n', stderr);
}

void pmpi_report(void)
{
    const pmpi_settings *settings = pmpi_settings_get();
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0 || !settings->report)
        return;
    fputs("gossipfab: collectives of rank 0\n", stderr);
    if (settings->fault[0])
        fprintf(stderr, "  nothing is taken: %s\n", settings->fault);
    for (int call = 0; call < PMPI_CALLS; call++)
        print_call(call);
    pmpi_schedule_list(stderr);
    pmpi_measure_list(stderr);
}
