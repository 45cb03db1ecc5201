// SPDX-License-Identifier: MIT
// All hosts in one process, on the RTL of the fabric in the folder FABRIC, as Verilator makes C++ of it.
#include "Vgossip_fabric.h"
#include "train.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>

static_assert(RUN == 256 && ELEMENTS == 16, "the widths of i_load_word and i_read_token");
enum { MOST_CYCLES = 100000 };

static Vgossip_fabric *fabric;

static void step()
{
    fabric->i_clk = 0;
    fabric->eval();
    fabric->i_clk = 1;
    fabric->eval();
}

extern "C" void fabric_open(int *argc, char ***argv, int *first, int *count)
{
    Verilated::commandArgs(*argc, *argv);
    fabric = new Vgossip_fabric;
    fabric->i_rst = 1;
    step();
    fabric->i_rst = 0;
    *first = 0;
    *count = HOSTS;
}

// Word i of every node at once, as the fabric's host would: {block, word of it} is i.
static void load(const uint16_t (*vectors)[LENGTH], int run)
{
    fabric->i_load_valid = (1u << HOSTS) - 1;
    for (uint32_t i = 0; i < RUN; i++) {
        for (uint32_t v = 0; v < HOSTS; v += 4)
            fabric->i_load_word[v / 4] = i * 0x01010101u;
        for (uint32_t v = 0; v < HOSTS; v += 2)
            fabric->i_load_data[v / 2] = vectors[v][run + i] | (uint32_t)vectors[v + 1][run + i] << 16;
        step();
    }
    fabric->i_load_valid = 0;
}

// Cycles from the edge that samples i_start to the one that samples o_done.
static uint64_t play()
{
    uint64_t cycles = 0;
    fabric->i_start = 1;
    step();
    fabric->i_start = 0;
    for (bool done = false; !done; cycles++) {
        if (cycles > MOST_CYCLES) {
            std::fprintf(stderr, "rtl: the fabric does not end\n");
            std::exit(2);
        }
        done = fabric->o_done;
        step();
    }
    return cycles;
}

static void read(uint16_t (*vectors)[LENGTH], int run)
{
    for (uint32_t i = 0; i < RUN; i++) {
        fabric->i_read_token = i / ELEMENTS * 0x1111111111111111u;
        fabric->i_read_word = i % ELEMENTS * 0x1111111111111111u;
        step();
        for (uint32_t v = 0; v < HOSTS; v++)
            vectors[v][run + i] = (uint16_t)(fabric->o_read_data[v / 2] >> v % 2 * 16);
    }
}

extern "C" uint64_t fabric_sum(uint16_t vectors[][LENGTH])
{
    uint64_t cycles = 0;
    for (int run = 0; run < LENGTH; run += RUN) {
        load(vectors, run);
        cycles = play();
        read(vectors, run);
    }
    return cycles;
}

extern "C" int fabric_agree(uint32_t)
{
    return 1; // there is one process
}

extern "C" void fabric_close()
{
    delete fabric;
}
