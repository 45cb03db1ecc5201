// SPDX-License-Identifier: MIT
// Schedules past switches that copy or combine, replayed by rules written from the page and not from the checker.
#ifndef GFAB_TESTS_IN_NETWORK_FIXTURE_H
#define GFAB_TESTS_IN_NETWORK_FIXTURE_H

#include "marked_fixture.h"

#include <map>
#include <tuple>

struct Packet {
    uint32_t round;
    std::vector<uint32_t> path; // of nodes
    uint32_t token;
    bool combine;
};

using Arc = std::pair<uint32_t, uint32_t>;

inline bool helps(const gfab_topology *t, uint32_t node, bool combines)
{
    const uint32_t relay = gfab_topology_relay(t, node);
    return (relay & GFAB_RELAY_SWITCHES) && (relay & (combines ? GFAB_RELAY_COMBINES : GFAB_RELAY_COPIES));
}

// Two packets of a sender: do they go the same way, and part where a switch copies? Two to a receiver, backwards.
inline bool one_message(const gfab_topology *t, const Packet &a, const Packet &b, const Arc &over, bool combines)
{
    std::vector<uint32_t> p = a.path, q = b.path;
    if (combines) {
        std::reverse(p.begin(), p.end());
        std::reverse(q.begin(), q.end());
        if (!a.combine || !b.combine)
            return false;
    }
    size_t same = 0;
    while (same < p.size() && same < q.size() && p[same] == q[same])
        same++;
    if (same == p.size() || same == q.size() || same < 2 || !helps(t, p[same - 1], combines))
        return false;
    const Arc wanted = combines ? Arc{over.second, over.first} : over;
    for (size_t i = 0; i + 1 < same; i++)
        if (Arc{p[i], p[i + 1]} == wanted)
            return true;
    return false;
}

// The arc by which a packet leaves, or comes.
inline Arc end_arc(const Packet &p, bool comes)
{
    const size_t at = comes ? p.path.size() - 2 : 0;
    return {p.path[at], p.path[at + 1]};
}

// By what the page says, packet by packet: on each arc the packets of a block that are one message count once.
inline std::map<Arc, uint32_t> loads_of(const gfab_topology *t, const std::vector<Packet> &round)
{
    std::map<std::pair<uint32_t, Arc>, std::vector<const Packet *>> over;
    std::map<uint32_t, std::pair<bool, bool>> several; // token: a sender has several receivers, a receiver senders
    for (const Packet &p : round) {
        for (size_t i = 0; i + 1 < p.path.size(); i++)
            over[{p.token, {p.path[i], p.path[i + 1]}}].push_back(&p);
        for (const Packet &q : round)
            if (&p != &q && p.token == q.token) {
                several[p.token].first |= p.path.front() == q.path.front();
                several[p.token].second |= p.path.back() == q.path.back();
            }
    }
    // Somewhere else these may part where nobody copies: then they are not one message anywhere. By token and end.
    std::map<std::tuple<uint32_t, uint32_t, bool>, std::vector<const Packet *>> classes;
    for (const Packet &p : round)
        for (const bool combines : {false, true})
            classes[{p.token, combines ? p.path.back() : p.path.front(), combines}].push_back(&p);
    std::map<std::tuple<uint32_t, uint32_t, bool>, bool> good;
    for (const auto &[key, members] : classes) {
        const bool combines = std::get<2>(key);
        good[key] = true;
        for (const Packet *p : members)
            for (const Packet *q : members) {
                const Arc first = end_arc(*p, combines), other = end_arc(*q, combines);
                if (p != q && ((first == other && !one_message(t, *p, *q, first, combines)) ||
                               (combines && !(p->combine && q->combine))))
                    good[key] = false;
            }
    }
    const auto whole = [&](const Packet &a, bool combines) {
        return good[{a.token, combines ? a.path.back() : a.path.front(), combines}];
    };
    std::map<Arc, uint32_t> loads;
    for (const auto &[key, packets] : over) {
        const auto &[token, arc] = key;
        const auto [copied, combined] = several[token];
        if (copied && combined) {
            std::set<uint32_t> senders, receivers;
            std::set<Arc> pairs;
            for (const Packet *p : packets) {
                senders.insert(p->path.front());
                receivers.insert(p->path.back());
                pairs.insert({p->path.front(), p->path.back()});
            }
            bool one = pairs.size() == packets.size() && pairs.size() == senders.size() * receivers.size();
            for (const Packet *p : packets)
                for (const Packet *q : packets) {
                    if (p != q && p->path.front() == q->path.front())
                        one = one && one_message(t, *p, *q, arc, false) && whole(*p, false);
                    if (p != q && p->path.back() == q->path.back())
                        one = one && one_message(t, *p, *q, arc, true) && whole(*p, true);
                }
            loads[arc] += one ? 1 : uint32_t(packets.size());
            continue;
        }
        std::map<uint32_t, std::vector<const Packet *>> ends;
        for (const Packet *p : packets)
            ends[combined ? p->path.back() : p->path.front()].push_back(p);
        for (const auto &[end, of_end] : ends) {
            bool one = true;
            for (const Packet *p : of_end)
                for (const Packet *q : of_end)
                    one = one && (p == q || (one_message(t, *p, *q, arc, combined) && whole(*p, combined)));
            loads[arc] += one ? 1 : uint32_t(of_end.size());
        }
    }
    return loads;
}

inline bool fits(const gfab_topology *t, bool full, const std::map<Arc, uint32_t> &loads)
{
    for (const auto &[arc, load] : loads) {
        gfab_arc a = 0;
        if (!gfab_topology_find_arc(t, arc.first, arc.second, &a))
            return false;
        const auto back = loads.find({arc.second, arc.first});
        const uint32_t both = load + (back == loads.end() ? 0 : back->second);
        if (load > gfab_topology_arc_weight(t, a) || (!full && both > gfab_topology_weight(t, a / 2)))
            return false;
    }
    return true;
}

using State = std::vector<uint64_t>; // [node * blocks + block]: whose contributions, or that of the block's owner

inline State start_of(const gfab_topology *t, const gfab_goal &goal)
{
    const size_t members = gfab_topology_member_count(t), nodes = gfab_topology_node_count(t);
    State state(nodes * goal.blocks);
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t b = 0; b < goal.blocks && !gfab_topology_is_relay(t, v); b++)
            if (gfab_goal_holds(&goal, members, gfab_topology_rank(t, v), b))
                state[v * goal.blocks + b] = uint64_t(1) << gfab_topology_rank(t, v);
    return state;
}

inline bool is_done(const gfab_topology *t, const gfab_goal &goal, const State &state)
{
    const size_t members = gfab_topology_member_count(t);
    for (uint32_t v = 0; v < gfab_topology_node_count(t); v++)
        for (uint32_t b = 0; b < goal.blocks && !gfab_topology_is_relay(t, v); b++)
            if (gfab_goal_wants(&goal, members, gfab_topology_rank(t, v), b)) {
                const uint64_t has = state[v * goal.blocks + b];
                if (gfab_collective_combines(goal.collective) ? has != (uint64_t(1) << members) - 1 : !has)
                    return false;
            }
    return true;
}

// One round: what is wrong, or nothing.
inline std::string play(const gfab_topology *t, const gfab_goal &goal, bool full, const std::vector<Packet> &round,
                        State &state)
{
    const State before = state;
    std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, bool>> came; // how many, and all combined
    for (const Packet &p : round) {
        const uint32_t from = p.path.front(), to = p.path.back();
        for (size_t i = 0; i < p.path.size(); i++) {
            const bool end = i == 0 || i + 1 == p.path.size();
            if (end == gfab_topology_is_relay(t, p.path[i]) || std::count(p.path.begin(), p.path.end(), p.path[i]) > 1)
                return "a path";
        }
        const uint64_t sent = before[from * goal.blocks + p.token];
        uint64_t &has = state[to * goal.blocks + p.token];
        if (!sent)
            return "nothing to send";
        auto &[count, combined] = came.emplace(std::make_pair(to, p.token), std::make_pair(0, true)).first->second;
        combined = combined && p.combine;
        if (++count > 1 && !combined && gfab_collective_combines(goal.collective))
            return "a clash";
        if (p.combine && (has & sent) && !goal.idempotent)
            return "counted twice";
        has = p.combine ? has | sent : sent;
    }
    return fits(t, full, loads_of(t, round)) ? "" : "a link is busy";
}

inline std::string replay(const gfab_schedule *schedule)
{
    const gfab_topology *t = gfab_schedule_topology(schedule);
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const bool full = gfab_schedule_model(schedule)->link_mode == GFAB_LINK_FULL;
    State state = start_of(t, goal);
    for (uint32_t r = 1; r <= gfab_schedule_rounds(schedule); r++) {
        std::vector<Packet> round;
        gfab_packet packet;
        for (gfab_packet_iter it = gfab_schedule_round(schedule, r); gfab_packet_next(&it, &packet);) {
            Packet p = {r,
                        {gfab_topology_arc_from(t, packet.arcs[0])},
                        packet.tokens[0] & ~GFAB_COMBINE,
                        (packet.tokens[0] & GFAB_COMBINE) != 0};
            for (size_t i = 0; i < packet.arc_count; i++)
                p.path.push_back(gfab_topology_arc_to(t, packet.arcs[i]));
            round.push_back(p);
        }
        const std::string wrong = play(t, goal, full, round, state);
        if (!wrong.empty())
            return "round " + std::to_string(r) + ": " + wrong;
    }
    return is_done(t, goal, state) ? "" : "not complete";
}

#endif
