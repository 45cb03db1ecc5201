/* SPDX-License-Identifier: MIT */
/* Data-parallel training: sixteen hosts have a part of the points each, and all the same network. In every step each
 * computes the gradient over its own points; the sum over all hosts, in bfloat16, is what fabric_sum gives back to
 * every one; each then changes its own network by that. README.md walks through it.
 *
 *     train FABRIC STEPS OUT     OUT: the totals of every step, then the network: what train.py compares
 *
 * Nothing but +, -, *, / and square roots of float, in an order that is fixed here: IEEE 754 says every bit. */
#include "train.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 512, OWN = POINTS / HOSTS, HIDDEN = 20 };
/* Where a network's numbers are: weights and offsets of both hidden layers and of the output; behind them in a vector
 * the host's loss, and zeros. */
enum { W1 = 0, B1 = W1 + 2 * HIDDEN, W2 = B1 + HIDDEN, B2 = W2 + HIDDEN * HIDDEN, W3 = B2 + HIDDEN, B3 = W3 + HIDDEN,
       NUMBERS = B3 + 1, LOSS = NUMBERS };

typedef struct host {
    float network[NUMBERS], mean[NUMBERS], square[NUMBERS]; /* Adam's running means of the gradient and its square */
} host;

static float points[POINTS][2];
static host hosts[HOSTS];
static uint16_t vectors[HOSTS][LENGTH];

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "train: %s\n", what);
    exit(2);
}

/* Evenly in -1 .. 1. */
static float draw(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return (float)(int32_t)(*random >> 8) / 8388608.0f - 1.0f;
}

/* Two spirals, one the other turned by half a turn: point 2 k is on the first, 2 k + 1 on the second. */
static void make_points(void)
{
    const float cosine = 0.99911167f, sine = 0.04214154f; /* of a step along the spiral */
    float x = 1.0f, y = 0.0f;
    uint32_t random = 1;
    for (int k = 0; k < POINTS / 2; k++) {
        const float radius = 0.1f + 0.9f * ((float)k / (float)(POINTS / 2));
        for (int side = 0; side < 2; side++) {
            const float sign = side ? -radius : radius;
            points[2 * k + side][0] = sign * x + 0.02f * draw(&random);
            points[2 * k + side][1] = sign * y + 0.02f * draw(&random);
        }
        const float turned = cosine * x - sine * y;
        y = sine * x + cosine * y;
        x = turned;
    }
}

static void make_network(float *network)
{
    uint32_t random = 2;
    for (int i = 0; i < NUMBERS; i++)
        network[i] = (i < W2 ? 3.0f : i < W3 ? 0.5f : 0.3f) * draw(&random);
}

/* z / (1 + |z|), between -1 and 1. */
static float bend(float z)
{
    return z / (1.0f + fabsf(z));
}

/* The slope of bend where it is a. */
static float slope(float a)
{
    const float rest = 1.0f - fabsf(a);
    return rest * rest;
}

/* The layers' values for a point; the output, above 0 for the first spiral. */
static float look(const float *n, const float *point, float *first, float *second)
{
    float output = n[B3];
    for (int j = 0; j < HIDDEN; j++)
        first[j] = bend((n[B1 + j] + n[W1 + j] * point[0]) + n[W1 + HIDDEN + j] * point[1]);
    for (int j = 0; j < HIDDEN; j++) {
        float z = n[B2 + j];
        for (int i = 0; i < HIDDEN; i++)
            z += n[W2 + i * HIDDEN + j] * first[i];
        second[j] = bend(z);
    }
    for (int j = 0; j < HIDDEN; j++)
        output += n[W3 + j] * second[j];
    return output;
}

/* Adds a point's part of the gradient of (output - target)^2 / 2, and of the loss itself. */
static void learn(const float *n, const float *point, float target, float *gradient)
{
    float first[HIDDEN], second[HIDDEN], back[HIDDEN];
    const float error = look(n, point, first, second) - target;
    gradient[LOSS] += 0.5f * error * error;
    gradient[B3] += error;
    for (int j = 0; j < HIDDEN; j++) {
        gradient[W3 + j] += error * second[j];
        back[j] = error * n[W3 + j] * slope(second[j]);
        gradient[B2 + j] += back[j];
    }
    for (int i = 0; i < HIDDEN; i++) {
        float sum = 0.0f;
        for (int j = 0; j < HIDDEN; j++) {
            gradient[W2 + i * HIDDEN + j] += first[i] * back[j];
            sum += n[W2 + i * HIDDEN + j] * back[j];
        }
        const float z = sum * slope(first[i]);
        gradient[B1 + i] += z;
        gradient[W1 + i] += z * point[0];
        gradient[W1 + HIDDEN + i] += z * point[1];
    }
}

/* To the nearest bfloat16 number, of two equally near ones the even one; there are no NaNs here. */
static uint16_t to_bfloat16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float from_bfloat16(uint16_t number)
{
    const uint32_t bits = (uint32_t)number << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Of a host's own points: a stretch of both spirals. */
static void make_vector(const host *h, int number, uint16_t *vector)
{
    float gradient[LENGTH] = {0.0f};
    for (int p = number * OWN; p < (number + 1) * OWN; p++)
        learn(h->network, points[p], p % 2 ? -1.0f : 1.0f, gradient);
    for (int i = 0; i < LENGTH; i++)
        vector[i] = to_bfloat16(gradient[i]);
}

/* Adam, without its correction of the first steps. */
static void change(host *h, const uint16_t *total)
{
    for (int i = 0; i < NUMBERS; i++) {
        const float g = from_bfloat16(total[i]) / (float)POINTS;
        h->mean[i] = 0.9f * h->mean[i] + 0.1f * g;
        h->square[i] = 0.99f * h->square[i] + 0.01f * g * g;
        h->network[i] -= 0.01f * h->mean[i] / (sqrtf(h->square[i]) + 1e-6f);
    }
}

static int count_right(const float *network)
{
    float first[HIDDEN], second[HIDDEN];
    int right = 0;
    for (int p = 0; p < POINTS; p++)
        right += (look(network, points[p], first, second) > 0.0f) == (p % 2 == 0);
    return right;
}

static uint32_t digest(const float *network)
{
    uint32_t number = 0;
    for (int i = 0; i < NUMBERS; i++) {
        uint32_t bits;
        memcpy(&bits, &network[i], sizeof bits);
        number = (number ^ bits) * 16777619u;
    }
    return number;
}

int main(int argc, char **argv)
{
    int first, count;
    uint64_t cycles = 0;
    fabric_open(&argc, &argv, &first, &count);
    if (argc != 4)
        fail("usage: train FABRIC STEPS OUT");
    const int steps = atoi(argv[2]);
    FILE *out = first == 0 ? fopen(argv[3], "wb") : NULL;
    if (first == 0 && !out)
        fail("OUT cannot be written");
    make_points();
    for (int h = 0; h < count; h++)
        make_network(hosts[h].network);
    for (int step = 0; step < steps; step++) {
        for (int h = 0; h < count; h++)
            make_vector(&hosts[h], first + h, vectors[h]);
        cycles = fabric_sum(vectors);
        for (int h = 0; h < count; h++)
            change(&hosts[h], vectors[h]);
        if (out && fwrite(vectors[0], sizeof vectors[0], 1, out) != 1)
            fail("OUT cannot be written");
        if (out && (step % 100 == 0 || step == steps - 1))
            printf("step %4d: loss %.4f\n", step, (double)(from_bfloat16(vectors[0][LOSS]) / (float)POINTS));
    }
    /* All hosts have the same network, without ever having sent it. */
    for (int h = 1; h < count; h++)
        if (memcmp(hosts[h].network, hosts[0].network, sizeof hosts[0].network) != 0)
            fail("hosts with other networks");
    if (!fabric_agree(digest(hosts[0].network)))
        fail("hosts with other networks");
    if (out) {
        if (fwrite(hosts[0].network, sizeof hosts[0].network, 1, out) != 1 || fclose(out) != 0)
            fail("OUT cannot be written");
        printf("%d of %d points right", count_right(hosts[0].network), POINTS);
        if (cycles > 0)
            printf(", %d runs of %llu cycles", steps * (LENGTH / RUN), (unsigned long long)cycles);
        putchar('\n');
    }
    fabric_close();
    return 0;
}
