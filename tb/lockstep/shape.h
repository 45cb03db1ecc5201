// SPDX-License-Identifier: MIT
#ifndef LOCKSTEP_SHAPE_H
#define LOCKSTEP_SHAPE_H

#include <gossipfab/fabric/machine.h>

#include <vector>

// The sizes of a machine's ports.
struct Shape {
    const gfab_layout *layout;
    size_t nodes, links;
    size_t slots_of_store; // N P, or the blocks, in wide nodes those that a node wants at most
    size_t tokens;         // that the nodes are loaded with: node * blocks + block
    uint32_t blocks;
    bool counted; // blocks are loaded and read by their number among those that a node starts with, or wants
    const gfab_banks *programs;   // of wide nodes
    std::vector<gfab_goal> goals; // of the programs, where counted
    size_t members;               // nodes that are no relays: N of other goals
    size_t slot_bits, store_slot_bits, index_bits, load_bits;
    size_t round_bits; // wide: of a token's address
    size_t banks;      // of a node

    static size_t bits(size_t n)
    {
        size_t b = 1;
        while ((static_cast<size_t>(1) << b) < n)
            b++;
        return b;
    }
    explicit Shape(const gfab_machine *machine)
        : layout(gfab_machine_layout(machine)), nodes(gfab_topology_node_count(gfab_machine_topology(machine))),
          links(gfab_topology_link_count(gfab_machine_topology(machine))),
          slots_of_store(gfab_layout_slot_count(layout)), tokens(nodes), blocks(gfab_layout_blocks(layout)),
          counted(false), programs(gfab_machine_banks(machine)), goals{gfab_goal_default(nodes)},
          members(gfab_topology_member_count(gfab_machine_topology(machine))), slot_bits(bits(slots_of_store)),
          store_slot_bits(slot_bits), index_bits(bits(gfab_machine_timing(machine)->words)),
          round_bits(gfab_machine_round_bits(machine))
    {
        const uint32_t parts = gfab_machine_timing(machine)->parts;
        load_bits = index_bits + (blocks != 0 ? slot_bits : parts > 1 ? bits(parts) : 0);
        tokens = nodes * (blocks != 0 ? blocks : 1);
        banks = programs ? gfab_banks_crossbar(programs)->banks : 1;
        const gfab_goal *placed = gfab_layout_goal(layout);
        counted = placed || (programs && blocks != 0);
        if (counted) {
            goals.clear();
            for (size_t i = 0; i < gfab_machine_program_count(machine); i++)
                goals.push_back(programs ? gfab_banks_goal(programs, i) : *placed);
            slots_of_store = programs ? gfab_banks_place_count(programs) : gfab_layout_place_count(layout);
            slot_bits = bits(slots_of_store);
            load_bits = index_bits + bits(programs ? gfab_banks_load_count(programs) : gfab_layout_load_count(layout));
        }
    }
    uint32_t rank(uint32_t node) const { return gfab_topology_rank(gfab_layout_topology(layout), node); }
    // How many parts of its own token, or blocks, a node is loaded with for a program, and the index-th; the number
    // that the first one is loaded by.
    uint32_t loads(size_t node, uint32_t parts, size_t program) const
    {
        if (counted)
            return gfab_goal_held_count(&goals[program], members, rank(static_cast<uint32_t>(node)));
        return blocks != 0 ? blocks : parts;
    }
    uint32_t loaded(size_t node, uint32_t parts, size_t program, uint32_t index) const
    {
        const uint32_t v = static_cast<uint32_t>(node);
        if (counted)
            index = gfab_goal_held(&goals[program], members, rank(v), index);
        return v * (blocks != 0 ? blocks : parts) + index;
    }
    uint32_t first_load(size_t program) const
    {
        return counted && programs ? gfab_banks_first_load(programs, program) : 0;
    }
    uint32_t first_place(size_t program) const
    {
        return counted && programs ? gfab_banks_first_place(programs, program) : 0;
    }
    // Of several wide programs what the one that has run has left in the node, in place of any number; NONE where that
    // is nothing, since what is at other programs' places may never have been written, nor what is at a relay's.
    uint32_t readable(size_t node, size_t program, uint32_t number) const
    {
        const uint32_t by_rank = rank(static_cast<uint32_t>(node));
        if (!programs || (goals.size() == 1 && by_rank != GFAB_NO_RANK))
            return number;
        const uint32_t wanted = gfab_goal_wanted_count(&goals[program], members, by_rank);
        return wanted != 0 ? first_place(program) + number % wanted : NONE;
    }
    static constexpr uint32_t NONE = UINT32_MAX;
    // What the host reads as `index`: the slot that the model has it in.
    uint32_t slot(size_t node, uint32_t index) const
    {
        if (!counted)
            return gfab_layout_slot(layout, node, index);
        return gfab_layout_goal(layout) ? gfab_layout_place(layout, node, index) : index;
    }
};

#endif
