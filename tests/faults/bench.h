// SPDX-License-Identifier: MIT
// What the simulators of faults share: the flips of a batch, a cycle with them, what was seen first in each run, and
// the plan that they read.
#pragma once

#include "gates.h"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace faults
{

struct Flip {
    size_t site, cycle, run;
};

// Of a run the first cycle with an error, and what it was, or the first wrong word, and where it was read.
struct First {
    size_t cycle, what, node, part, word;
};
using Firsts = std::map<size_t, First>; // by run

class Player
{
  protected:
    explicit Player(Netlist &netlist) : net_(netlist) { net_.power_up(1); }

    const Port &port(const std::string &name) const { return net_.port(name); }

    void set(const std::string &name, size_t element, size_t width, uint64_t value, const Lanes &runs = all)
    {
        const Port &nets = port(name);
        for (size_t i = 0; i < width; i++) {
            Lanes &lanes = net_[nets[element * width + i]];
            lanes = value >> i & 1 ? lanes | runs : lanes & ~runs;
        }
    }

    // Runs in which some bit of a port is 1, or every one.
    Lanes some(const char *name)
    {
        Lanes found = none;
        for (uint32_t net : port(name))
            found |= net_[net];
        return found;
    }
    Lanes every(const char *name)
    {
        Lanes found = all;
        for (uint32_t net : port(name))
            found &= net_[net];
        return found;
    }

    // A whole port: the value in these runs, 0 in others.
    void set_all(const std::string &name, uint64_t value, const Lanes &runs = all)
    {
        set(name, 0, port(name).size(), 0);
        set(name, 0, port(name).size(), value, runs);
    }

    // A cycle: flips, watch() before its first edge, its edges.
    template <typename Watch> void step(const Watch &watch)
    {
        std::vector<const Flip *> undo;
        for (const Flip &flip : flips_)
            if (flip.cycle == cycle_) {
                const Site &site = net_.sites()[flip.site];
                net_[site.net] ^= only(flip.run);
                if (site.kind == Kind::Wire || site.kind == Kind::RomOnce)
                    undo.push_back(&flip);
            }
        net_.evaluate();
        watch();
        for (size_t i = 0; i < edges_.size(); i++) {
            if (i > 0)
                net_.evaluate();
            net_.clock(edges_[i]);
        }
        for (const Flip *flip : undo)
            net_[net_.sites()[flip->site].net] ^= only(flip->run);
        cycle_++;
    }

    // Each of several clocks has its place in the cycle, no two edges at once: the seed says in which order they come.
    void draw_clocks(size_t clocks, uint64_t seed)
    {
        Random random(seed);
        std::vector<uint32_t> slots(2 * clocks), order(clocks);
        std::iota(order.begin(), order.end(), 0);
        for (size_t i = clocks - 1; i > 0; i--)
            std::swap(order[i], order[random.next() % (i + 1)]);
        for (uint32_t k = 0; k < clocks; k++) {
            const size_t falls = random.next() & 1;
            slots[order[k]] = 2 * k + falls;
            slots[order[k] + clocks] = 2 * k + !falls;
        }
        edges_ = slots;
    }

    // What was flipped in a ROM for good is as it was.
    void mend_roms(const std::vector<Flip> &flips)
    {
        for (const Flip &flip : flips)
            if (net_.sites()[flip.site].kind == Kind::Rom)
                net_[net_.sites()[flip.site].net] ^= only(flip.run);
    }

    static void note(const Lanes &runs, Firsts &firsts, const First &first)
    {
        for (size_t run = 0; any(runs) && run < runs_at_once; run++)
            if (has(runs, run))
                firsts.emplace(run, first);
    }

    // A line of the verdicts.
    static void print(size_t run, const char *verdict, const Firsts &errors, const Firsts &wrongs, const char *next,
                      const char *last)
    {
        printf("%s ", verdict);
        const auto error = errors.find(run);
        if (error == errors.end())
            printf("- - ");
        else
            printf("%zu %zu ", error->second.cycle, error->second.what);
        const auto wrong = wrongs.find(run);
        if (wrong == wrongs.end())
            printf("- - - - ");
        else
            printf("%zu %zu %zu %zu ", wrong->second.cycle, wrong->second.node, wrong->second.part, wrong->second.word);
        printf("%s %s\n", next, last);
    }

    Netlist &net_;
    // Of the gossip that is played:
    std::vector<Flip> flips_;
    size_t cycle_ = 0;

  private:
    std::vector<uint32_t> edges_{0}; // of a cycle
};

// Plays the plan that stdin has. Batches are runs that follow each other and have one seed.
template <typename Bench> void play(Bench &bench, const Netlist &netlist)
{
    size_t site = 0, cycle = 0;
    uint64_t seed = 0, batch_seed = 0;
    std::vector<Flip> flips;
    while (std::cin >> site >> cycle >> seed) {
        if (site >= netlist.sites().size() || cycle >= netlist.number("length"))
            throw std::runtime_error("the plan has a site or a cycle that there is not");
        if (!flips.empty() && (seed != batch_seed || flips.size() == runs_at_once - 1)) {
            bench.batch(batch_seed, flips, flips.size());
            flips.clear();
        }
        batch_seed = seed;
        flips.push_back({site, cycle, flips.size() + 1});
    }
    if (!flips.empty())
        bench.batch(batch_seed, flips, flips.size());
}

// A simulator's main: NETLIST, and [VCD] where the bench takes one.
template <typename Bench> int simulate(const char *name, int argc, char **argv, bool takes_vcd = false)
{
    if (argc != 2 && !(takes_vcd && argc == 3)) {
        fprintf(stderr, "usage: %s NETLIST %s< plan > verdicts\n", argv[0], takes_vcd ? "[VCD] " : "");
        return 2;
    }
    try {
        Netlist netlist(argv[1]);
        FILE *vcd = argc == 3 ? fopen(argv[2], "w") : nullptr;
        if (argc == 3 && !vcd)
            throw std::runtime_error(std::string(argv[2]) + " can't be written");
        if (vcd)
            netlist.write_vcd_header(vcd);
        Bench bench(netlist, vcd);
        play(bench, netlist);
        if (vcd)
            fclose(vcd);
    } catch (const std::exception &error) {
        fprintf(stderr, "%s: %s\n", name, error.what());
        return 2;
    }
    return 0;
}

} // namespace faults
