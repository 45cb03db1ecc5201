/* SPDX-License-Identifier: MIT */
/* Types and operators. What is moved is moved as bytes: of a type that is not plain they are packed first. */
#include "pmpi.h"

/* Elements of a predefined type without gaps lie as they are sent. Derived types may be in any order. */
bool pmpi_type_of(MPI_Datatype type, pmpi_type *about)
{
    MPI_Aint low, extent, true_low, true_extent;
    MPI_Count size;
    int integers, addresses, types, combiner;
    static _Thread_local MPI_Datatype last_type;
    static _Thread_local pmpi_type last;
    if (last.plain && type == last_type) { /* a predefined one, which stays what it is */
        *about = last;
        return true;
    }
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size == MPI_UNDEFINED ||
        PMPI_Type_get_extent(type, &low, &extent) != MPI_SUCCESS ||
        PMPI_Type_get_true_extent(type, &true_low, &true_extent) != MPI_SUCCESS ||
        PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
        return false;
    about->size = (size_t)size;
    about->extent = extent;
    about->plain = combiner == MPI_COMBINER_NAMED && low == 0 && extent == size;
    about->adds = size > 0 && low == 0 && true_low == 0 && true_extent <= extent;
    if (about->plain) {
        last_type = type;
        last = *about;
    }
    return true;
}

size_t pmpi_bytes(size_t elements, size_t bytes)
{
    return bytes && elements > (PMPI_TOO_LONG - 1) / bytes ? PMPI_TOO_LONG : elements * bytes;
}

int pmpi_pack(const void *from, int count, MPI_Datatype type, void *to, size_t bytes)
{
    int at = 0;
    return PMPI_Pack(from, count, type, to, (int)bytes, &at, MPI_COMM_SELF);
}

int pmpi_unpack(const void *from, size_t bytes, void *to, int count, MPI_Datatype type)
{
    int at = 0;
    return PMPI_Unpack(from, (int)bytes, &at, to, count, type, MPI_COMM_SELF);
}

int pmpi_copy(const void *from, void *to, size_t count, MPI_Datatype type, size_t size, void *room)
{
    const int code = pmpi_pack(from, (int)count, type, room, count * size);
    return code != MPI_SUCCESS ? code : pmpi_unpack(room, count * size, to, (int)count, type);
}

static bool is_predefined(MPI_Op op)
{
    const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN,  MPI_PROD, MPI_LAND,   MPI_BAND,
                          MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (op == ops[i])
            return true;
    return false;
}

/* A duplicate of MPI_COMM_SELF, made once, that returns errors; MPI_COMM_NULL where there is none. Each thread has one:
 * collectives of two threads on one communicator are an error. */
static MPI_Comm own_self(void)
{
    static _Thread_local MPI_Comm self;
    static _Thread_local bool made;
    if (!made) {
        made = true;
        if (PMPI_Comm_dup(MPI_COMM_SELF, &self) == MPI_SUCCESS)
            PMPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
        else
            self = MPI_COMM_NULL;
    }
    return self;
}

/* MPI itself is asked, by a reduction of one rank; the answer for the last pair is kept. */
bool pmpi_op_takes(MPI_Op op, MPI_Datatype type)
{
    static _Thread_local MPI_Op last_op;
    static _Thread_local MPI_Datatype last_type;
    static _Thread_local bool known, last;
    long double from[8] = {0}, to[8];
    pmpi_type about = {0};
    if (known && last_op == op && last_type == type)
        return last;
    if (!is_predefined(op))
        return true;
    last = pmpi_type_of(type, &about) && about.extent <= (MPI_Aint)sizeof from && own_self() != MPI_COMM_NULL &&
           PMPI_Allreduce(from, to, 1, type, op, own_self()) == MPI_SUCCESS;
    last_op = op;
    last_type = type;
    known = about.plain; /* a derived type's handle may come to mean another one */
    return last;
}
