// SPDX-License-Identifier: MIT
// The fabric of docs/reference/fabric-timing.md register by register and flit by flit, slow and plain: what the C
// model, which moves whole words, is held against.
#ifndef GFAB_TESTS_REGISTER_FABRIC_H
#define GFAB_TESTS_REGISTER_FABRIC_H

#include <gossipfab/fabric/image.h>
#include <gossipfab/fabric/layout.h>
#include <gossipfab/fabric/op.h>

#include <cstdint>
#include <deque>
#include <vector>

using Flit = uint64_t;          // up to 64 link bits
using Word = std::vector<Flit>; // K flits, first on the link first

template <typename T> T shift_in(std::deque<T> &registers, T in) // returns what falls out; no registers: a wire
{
    registers.push_back(in);
    const T out = registers.front();
    registers.pop_front();
    return out;
}

inline void shift_out(Word &word)
{
    word.erase(word.begin());
    word.push_back(0);
}

class RegisterFabric
{
  public:
    struct Write {
        bool enable = false;
        uint32_t slot = 0, word = 0;
        Word data;
    };

    RegisterFabric(const gfab_image *images, const gfab_timing &fabric_timing)
        : image(images), layout(gfab_image_layout(image)), topology(gfab_layout_topology(layout)),
          timing(fabric_timing), K(timing.lanes), x(1 - timing.direct), nodes(gfab_topology_node_count(topology))
    {
        word_pipe.assign(2 * K + x, 0);
        for (size_t v = 0; v < nodes.size(); v++) {
            Node &node = nodes[v];
            node.skew = gfab_layout_skew(layout, v);
            node.store.assign(size_t{1} << gfab_image_slot_bits(image), std::vector<Word>(timing.words, Word(K, 0)));
            node.out.assign(K, 0);
            node.recv.assign(2 * K + x, NO_LANE);
            node.slot.assign(2 * K + x, 0);
            node.lanes.resize(K);
            for (uint32_t l = 0; l < K; l++) {
                Lane &lane = node.lanes[l];
                lane.present = gfab_layout_port(layout, v, l) != GFAB_NO_PORT;
                lane.shift.assign(K, 0);
                lane.tx_delay.assign(l == 0 ? node.skew : 0, 0);
                lane.drive_delay.assign(l == 0 ? node.skew : 0, false);
                lane.rx_delay.assign(l == 0 && node.skew ? K - node.skew : 0, 0);
            }
        }
        settle();
    }

    // Outputs of the cycle that runs.
    bool busy() const { return busy_q; }
    bool done() const { return done_q; }
    Flit link(size_t l) const { return wires[l]; }
    bool drive(size_t l, uint32_t end) const { return drives[2 * l + end]; }
    const Write &write(size_t v) const { return nodes[v].write; }
    const Word &stored(size_t v, uint32_t slot, uint32_t word) const { return nodes[v].store[slot][word]; }

    void load(size_t v, uint32_t word, const Word &data)
    {
        nodes[v].load = {true, static_cast<uint32_t>(v), word, data};
    }

    void step(bool reset, bool start)
    {
        const bool accept = start && (!busy_q || done_q);
        const bool halt = run && stage1.lane == 0 && gfab_image_halts(image, stage1.round + 1);
        clock_nodes(reset);

        // Sequencer. The drain count starts with the halt.
        drain = halt ? 1 : drain + 1;
        const bool finish = busy_q && !done_q && (halt || !run) && drain == timing.overhead_cycles - 1;
        const bool count = accept || (busy_q && !done_q && !finish);
        shift_in(word_pipe, stage1.word);
        stage2 = stage1;
        stage1 = stage0;
        if (reset || !count)
            stage0 = {0, 0, 0};
        else if (++stage0.lane == K) {
            stage0.lane = 0;
            if (++stage0.word == timing.words) {
                stage0.word = 0;
                stage0.round = (stage0.round + 1) % (1u << gfab_image_round_bits(image));
            }
        }
        run = !reset && (accept || (run && !halt));
        busy_q = !reset && (accept || (busy_q && !done_q));
        done_q = !reset && (finish || (done_q && !accept));
        settle();
    }

  private:
    static constexpr uint32_t NO_LANE = UINT32_MAX;
    struct Stage {
        uint32_t round, word, lane;
    };
    struct Lane {
        bool present = false;
        bool send = false; // the drive register
        Word shift;
        std::deque<Flit> tx_delay, rx_delay;
        std::deque<bool> drive_delay;
        Flit tx = 0;
        bool driving = false;
        Word complete; // the shift register with what is on the link
    };
    struct Node {
        uint32_t skew = 0;
        gfab_op op{GFAB_OP_IDLE, 0};
        std::vector<std::vector<Word>> store;
        Word out;
        bool send = false;         // stage 2
        std::deque<uint32_t> recv; // the lane whose turn it was, if it receives
        std::deque<uint32_t> slot;
        std::vector<Lane> lanes;
        Write ready, waited, write, load; // a word that is complete; a cycle later, if it waits; what is written
    };

    Flit first_flit(const Node &node, const Lane &lane, uint32_t l) const
    {
        return timing.direct && stage2.lane == l ? node.out[0] : lane.shift[0];
    }

    // All that follows from the registers within a cycle.
    void settle()
    {
        const size_t links = gfab_topology_link_count(topology);
        wires.assign(links, 0);
        drives.assign(2 * links, false);
        for (size_t v = 0; v < nodes.size(); v++)
            for (uint32_t l = 0; l < K; l++) {
                Lane &lane = nodes[v].lanes[l];
                if (!lane.present)
                    continue;
                const gfab_port &port = port_of(v, l);
                lane.driving = lane.drive_delay.empty() ? lane.send : lane.drive_delay.front();
                lane.tx = lane.tx_delay.empty() ? first_flit(nodes[v], lane, l) : lane.tx_delay.front();
                drives[2 * port.link + port.end] = lane.driving;
                wires[port.link] |= lane.driving ? lane.tx : 0;
            }
        for (size_t v = 0; v < nodes.size(); v++) {
            Node &node = nodes[v];
            for (uint32_t l = 0; l < K; l++) {
                Lane &lane = node.lanes[l];
                lane.complete.assign(K, 0);
                if (!lane.present)
                    continue;
                const Flit wire = wires[port_of(v, l).link];
                lane.complete.assign(lane.shift.begin() + 1, lane.shift.end());
                lane.complete.push_back(lane.rx_delay.empty() ? wire : lane.rx_delay.front());
            }
            const uint32_t l = x ? stage2.lane : stage1.lane;
            const bool late = node.skew != 0 && l == 0;
            const size_t at = late ? 0 : K; // the deques' oldest entry is first
            node.ready.enable = node.recv[at] == l;
            node.ready.slot = node.slot[at];
            node.ready.word = word_pipe[at];
            node.ready.data = node.lanes[l].complete;
            node.write = timing.registered ? node.waited : node.ready;
            node.write.enable = busy_q && node.write.enable;
        }
    }

    void clock_nodes(bool reset)
    {
        for (size_t v = 0; v < nodes.size(); v++) {
            Node &node = nodes[v];
            const bool send = run && node.op.kind == GFAB_OP_SEND;
            const bool recv = run && node.op.kind == GFAB_OP_RECV;
            const Word out = node.store[node.op.slot][stage1.word];
            for (uint32_t l = 0; l < K; l++)
                if (node.lanes[l].present)
                    clock_lane(v, l, send, reset);
            if (node.write.enable)
                node.store[node.write.slot][node.write.word] = node.write.data;
            if (!busy_q && node.load.enable)
                node.store[node.load.slot][node.load.word] = node.load.data;
            node.load.enable = false;
            node.waited = node.ready;
            node.out = out;
            node.send = send && !reset;
            shift_in(node.recv, recv ? stage1.lane : NO_LANE);
            shift_in(node.slot, node.op.slot);
            if (reset) {
                node.recv.assign(node.recv.size(), NO_LANE);
                node.waited.enable = false;
            }
            const size_t index = size_t{stage0.round} * gfab_image_lane_stride(image) + stage0.lane;
            node.op = gfab_op_decode(gfab_image_word(image, v, index));
        }
    }

    void clock_lane(size_t v, uint32_t l, bool send, bool reset)
    {
        Node &node = nodes[v];
        Lane &lane = node.lanes[l];
        const Flit out = first_flit(node, lane, l);
        shift_in(lane.tx_delay, out);
        shift_in<bool>(lane.drive_delay, lane.send);
        shift_in(lane.rx_delay, wires[port_of(v, l).link]);
        if (stage2.lane == l && (x || lane.send)) {
            lane.shift = node.out;
            if (!x)
                shift_out(lane.shift);
        } else
            lane.shift = lane.complete;
        if ((x ? stage2.lane : stage1.lane) == l)
            lane.send = x ? node.send : send;
        if (reset) {
            lane.send = false;
            lane.drive_delay.assign(lane.drive_delay.size(), false);
        }
    }

    const gfab_port &port_of(size_t v, uint32_t l) const
    {
        size_t count;
        return gfab_topology_ports(topology, v, &count)[gfab_layout_port(layout, v, l)];
    }

    const gfab_image *image;
    const gfab_layout *layout;
    const gfab_topology *topology;
    gfab_timing timing;
    uint32_t K, x;
    std::vector<Node> nodes;
    std::vector<Flit> wires;
    std::vector<bool> drives;
    Stage stage0{0, 0, 0}, stage1{0, 0, 0}, stage2{0, 0, 0};
    std::deque<uint32_t> word_pipe;
    bool run = false, busy_q = false, done_q = false;
    uint32_t drain = 0;
};

#endif
