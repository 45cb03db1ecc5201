/* SPDX-License-Identifier: MIT */
/* Families of FPGAs: what a block RAM holds, what a PLL can make, and how many cells the parts of a fabric take. These
 * are numbers of data sheets and measurements, so they are one table here, a row a family. A PLL's settings are found
 * by trying all dividers; of those that give the frequency exactly, the one is taken whose oscillator is nearest to
 * the middle of its range. */
#include "family.h"

#include <stddef.h>
#include <string.h>

/* RAMs as Yosys 0.23 maps them (share/yosys/<family>/brams.txt: abits, widths, cost); the parity bits of a block of 18
 * or 36 kbit are there in its widths of 9 and more alone. PLLs as their makers' data sheets and icepll, ecppll and
 * gowin_pll have them; where Gowin's parts differ, what all of them can do; of the iCE40's references those that one
 * setting of its filter is for. */
static const gfab_family families[] = {
    {.name = "ice40",
     .pins = "pcf",
     .ram = {.address_bits = 8, .width = 16, .least_width = 2, .logic_bits = 64},
     .cells = {21568, 32130, 1020, 199, 2050, 1301, 0},
     .pll = {10000, 16000, 533000, 1066000, 16, 128, 64, true, false},
     .places = true,
     .replaces_roms = true},
    {.name = "ecp5",
     .pins = "lpf",
     .ram = {.address_bits = 9, .width = 36, .least_width = 1, .logic_bits = 128},
     .cells = {31115, 37950, 768, 177, 916, 217, 6},
     .pll = {3125, 400000, 400000, 800000, 128, 80, 128, false, true},
     .places = true},
    {.name = "gowin",
     .pins = "cst",
     .ram = {.address_bits = 9, .width = 36, .least_width = 1, .logic_bits = 128},
     .cells = {31772, 29014, 758, 177, 1846, 536, 3},
     .pll = {3000, 400000, 500000, 1200000, 64, 64, 128, true, true},
     .places = true},
    {.name = "xc7", .pins = "xdc", .ram = {.address_bits = 9, .width = 36, .least_width = 1, .logic_bits = 128}},
};

const gfab_family *gfab_family_find(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strcmp(families[i].name, name) == 0)
            return &families[i];
    return NULL;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

bool gfab_pll_find(const gfab_family *family, uint32_t clock_hz, uint32_t hz, gfab_pll *pll)
{
    const gfab_pll_limits *limits = &family->pll;
    const uint64_t least = 1000ull * limits->oscillator_least, most = 1000ull * limits->oscillator_most;
    uint64_t best = UINT64_MAX;
    for (uint32_t divide = 1; divide <= limits->divide_most; divide++) {
        if (clock_hz < 1000ull * limits->reference_least * divide ||
            clock_hz > 1000ull * limits->reference_most * divide)
            continue;
        for (uint32_t output = limits->powers ? 2 : 1; output <= limits->output_most;
             output += limits->powers ? output : 1) {
            const uint64_t oscillator = (uint64_t)hz * output;
            const uint64_t product = (limits->in_loop ? hz : oscillator) * divide;
            if (product % clock_hz != 0 || product / clock_hz > limits->multiply_most || oscillator < least ||
                oscillator > most || distance(2 * oscillator, least + most) >= best)
                continue;
            best = distance(2 * oscillator, least + most);
            *pll = (gfab_pll){divide, (uint32_t)(product / clock_hz), output};
        }
    }
    return best != UINT64_MAX;
}
