/* SPDX-License-Identifier: MIT */
/* Rank 0 reads, parses and decides; the others get what it found: exit statuses, texts, schedules. A status that is
 * not good must be the same at all ranks, or else some would wait for ranks that have left. So rank 0's status goes to
 * all before a command goes on. */
#define _POSIX_C_SOURCE 200809L
#include "mpi_command.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int mpi_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int mpi_ranks(void)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

void mpi_library(char text[MPI_MAX_LIBRARY_VERSION_STRING])
{
    int length;
    MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
}

int mpi_agree(int status)
{
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status;
}

int mpi_parse(const cli_command *command, int argc, char **argv)
{
    const char *arguments[CLI_MAX_ARGUMENTS];
    CLI_TRY(mpi_agree(mpi_rank() == 0 ? cli_parse(command, argc, argv, arguments) : CLI_GO_ON));
    if (mpi_rank() != 0)
        return cli_parse(command, argc, argv, arguments);
    return CLI_GO_ON;
}

void mpi_abort(const char *verb, gfab_status status, const gfab_diag *diag)
{
    char where[32];
    snprintf(where, sizeof where, "rank %d", mpi_rank());
    MPI_Abort(MPI_COMM_WORLD, cli_fail(verb, status, where, diag));
}

/* The text of a schedule in memory, NULL where that runs out. */
static char *write_text(const gfab_schedule *schedule, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    const bool good = file && gfab_schedule_write(schedule, file, NULL, NULL) == GFAB_OK;
    if (!gfab_memory_close(file, &text) || !good) {
        free(text);
        return NULL;
    }
    return text;
}

/* In pieces: a count of MPI's is an int. */
void mpi_share_text(const char *verb, char **text, size_t *size)
{
    const unsigned long most = 1UL << 30;
    unsigned long length = *size;
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    if (mpi_rank() != 0)
        *text = malloc(length + 1);
    if (!*text)
        mpi_abort(verb, GFAB_ERR_NO_MEMORY, NULL);
    for (unsigned long at = 0; at < length; at += most)
        MPI_Bcast(*text + at, (int)(length - at < most ? length - at : most), MPI_CHAR, 0, MPI_COMM_WORLD);
    *size = length;
}

int mpi_share(const char *verb, int status, const gfab_schedule *given, gfab_topology **topology,
              gfab_schedule **schedule)
{
    size_t size = 0;
    gfab_diag diag = {0, ""};
    GFAB_FREED char *text = given ? write_text(given, &size) : NULL;
    if (given && !text)
        status = cli_fail(verb, GFAB_ERR_NO_MEMORY, NULL, NULL);
    status = mpi_agree(status);
    if (status != CLI_GO_ON)
        return status;
    mpi_share_text(verb, &text, &size);
    FILE *file = fmemopen(text, size, "r");
    gfab_status result = file ? gfab_schedule_read(file, NULL, topology, schedule, &diag) : GFAB_ERR_NO_MEMORY;
    if (result != GFAB_OK)
        mpi_abort(verb, result, &diag);
    fclose(file);
    return CLI_GO_ON;
}

int mpi_judge(const char *verb, const char text[MPI_FAULT_TEXT])
{
    const int mine = text[0] != '\0' ? mpi_rank() : INT_MAX;
    int lowest;
    char said[MPI_FAULT_TEXT];
    MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (lowest == INT_MAX)
        return CLI_GO_ON;
    memcpy(said, text, sizeof said);
    MPI_Bcast(said, sizeof said, MPI_CHAR, lowest, MPI_COMM_WORLD);
    if (mpi_rank() == 0)
        cli_error(verb, "wrong data: %s", said);
    return CLI_FAULTY;
}

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

mpi_spread mpi_spread_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_values);
    return (mpi_spread){values[0], (values[(count - 1) / 2] + values[count / 2]) / 2, values[count - 1]};
}
