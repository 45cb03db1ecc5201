// SPDX-License-Identifier: MIT
// Graphs of members below switches, of one level and of two.
#ifndef GFAB_TESTS_SWITCH_FIXTURE_H
#define GFAB_TESTS_SWITCH_FIXTURE_H

#include <cstdint>
#include <random>
#include <string>

// So many members, each on all of so many switches by links of a weight.
inline std::string below_switches(uint32_t members, uint32_t switches, uint32_t weight)
{
    std::string spec = "graph:" + std::to_string(members + switches) + ":", more;
    for (uint32_t v = 0; v < members; v++)
        for (uint32_t s = members; s < members + switches; s++) {
            const std::string name = std::to_string(v) + "-" + std::to_string(s);
            spec += (spec.back() == ':' ? "" : ",") + name;
            more += weight > 1 ? "+weight=" + name + ":" + std::to_string(weight) : "";
        }
    return spec + "+relay=" + std::to_string(members) + "-" + std::to_string(members + switches - 1) + ":switch" + more;
}

// Boxes of members on a switch each, all on one or two upper switches, or by switches of boxes to these.
inline std::string two_levels(std::mt19937 &random)
{
    const uint32_t boxes = 2 + random() % 3, each = 2 + random() % 4, tops = 1 + random() % 2, nics = random() % 2;
    const uint32_t inner = 1 + random() % 9, outer = 1 + random() % 3, members = boxes * each;
    std::string spec = "graph:" + std::to_string(members + boxes + tops) + ":", more;
    const auto link = [&](uint32_t u, uint32_t v, uint32_t weight) {
        const std::string name = std::to_string(u) + "-" + std::to_string(v);
        spec += (spec.back() == ':' ? "" : ",") + name;
        more += weight > 1 ? "+weight=" + name + ":" + std::to_string(weight) : "";
    };
    for (uint32_t v = 0; v < members; v++) {
        link(v, members + v / each, inner);
        if (nics)
            link(v, members + boxes + v % tops, outer);
    }
    for (uint32_t b = 0; b < boxes && (!nics || random() % 2); b++)
        for (uint32_t t = 0; t < tops; t++)
            link(members + b, members + boxes + t, outer);
    std::string list = std::to_string(members) + "-" + std::to_string(members + boxes + tops - 1);
    return spec + "+relay=" + list + ":switch" + more;
}

#endif
