/* SPDX-License-Identifier: MIT */
/* What ranks give, in float, double and bfloat16, and numbers drawn alike at all ranks. */
#ifndef GFAB_TESTS_VECTORS_H
#define GFAB_TESTS_VECTORS_H

#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <string.h>

#define LONGEST 100000
#define KINDS 3

typedef struct kind {
    const char *name;
    size_t size;
    MPI_Datatype type;
    MPI_Op op;
} kind;

static inline uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* *state is the same at all ranks. */
static inline uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = mix(*state);
    return *state % below;
}

/* 1 .. most, as many of each order of magnitude. */
static inline size_t draw_length(uint64_t *state, size_t most)
{
    const double part = (double)draw(state, 1u << 20) / (1u << 20);
    const size_t length = (size_t)exp(part * log((double)most + 0.5));
    return length < 1 ? 1 : length > most ? most : length;
}

static inline float widen(uint16_t x)
{
    const uint32_t bits = (uint32_t)x << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* To the nearest, of two the even one. */
static inline uint16_t narrow(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline void add_bfloat16(void *in, void *into, int *count, MPI_Datatype *type)
{
    const uint16_t *a = in;
    uint16_t *b = into;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = narrow(widen(a[i]) + widen(b[i]));
}

static inline void make_kinds(kind kinds[KINDS])
{
    kinds[0] = (kind){"float", 4, MPI_FLOAT, MPI_SUM};
    kinds[1] = (kind){"double", 8, MPI_DOUBLE, MPI_SUM};
    kinds[2] = (kind){"bfloat16", 2, MPI_DATATYPE_NULL, MPI_OP_NULL};
    MPI_Type_contiguous(2, MPI_BYTE, &kinds[2].type);
    MPI_Type_commit(&kinds[2].type);
    MPI_Op_create(add_bfloat16, 1, &kinds[2].op);
}

static inline void free_kinds(kind kinds[KINDS])
{
    MPI_Type_free(&kinds[2].type);
    MPI_Op_free(&kinds[2].op);
}

/* What a rank gives as element i of a vector: of many sizes, and of both signs. */
static inline void give(const kind *k, uint64_t vector, int who, size_t i, void *to)
{
    const uint64_t x = mix(vector * 1000003 + (uint64_t)who * 7919 + i * 104729);
    const double value = ((double)(x >> 11) * 0x1p-53 * 2 - 1) * (double)(1 << (x & 15));
    const float single = (float)value;
    const uint16_t half = narrow(single);
    const void *const from[] = {NULL, &half, &single, NULL, &value};
    memcpy(to, from[k->size / 2], k->size);
}

static inline void add(const kind *k, const void *other, void *total)
{
    double x, y;
    float a, b;
    int one = 1;
    if (k->size == 8) {
        memcpy(&x, other, 8);
        memcpy(&y, total, 8);
        y += x;
        memcpy(total, &y, 8);
    } else if (k->size == 4) {
        memcpy(&a, other, 4);
        memcpy(&b, total, 4);
        b += a;
        memcpy(total, &b, 4);
    } else {
        uint16_t c[2];
        memcpy(c, other, 2);
        memcpy(c + 1, total, 2);
        add_bfloat16(c, c + 1, &one, NULL);
        memcpy(total, c + 1, 2);
    }
}

/* One element's sum over ranks first .. last - 1, a range cut in the middle, of an odd number the first has more. */
static inline void add_binary(const kind *k, uint64_t vector, int first, int last, size_t i, void *total)
{
    char other[8];
    const int half = first + (last - first + 1) / 2;
    if (last - first == 1) {
        give(k, vector, first, i, total);
        return;
    }
    add_binary(k, vector, first, half, i, total);
    add_binary(k, vector, half, last, i, other);
    add(k, other, total);
}

#endif
