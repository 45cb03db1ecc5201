// SPDX-License-Identifier: MIT
// As simulate.cc, of a fabric behind AXI4-Streams: one bit of a machine word for each run. Run 0 of each batch is
// fault-free, and must be right.
//
//     streams NETLIST < plan > verdicts
//
// NETLIST is what netlist.py writes of a top, gossip_fabric_axis or gossip_fabric_registers. A line of the plan is a
// run: site, cycle, seed. A run is a gossip with one bit flipped: every node's token goes in, all tokens come out of
// every node, with random pauses on both sides; of blocks an all-reduce by xor, each node's block after block. Where
// o_error comes, it is taken back, and the same tokens are played once more. Two gossips without a flip follow. With
// registers a processor starts each gossip, and takes errors back.
//
// A wrong beat is noticed where o_error is 1 at most GRACE cycles after the last of all beats. The verdicts are those
// of simulate.cc: part is the beat; what was noticed is o_status, as a power of two.
#include "streamed.h"

#include <functional>

namespace faults
{
namespace
{

enum class Bus { None, AxiLite, Wishbone };

class Bench : StreamPlayer
{
  public:
    Bench(Netlist &netlist, FILE *)
        : StreamPlayer(netlist), nodes_(netlist.number("nodes")), bits_(netlist.number("token_bits")),
          length_(netlist.number("length")), blocks_(netlist.number("blocks")), loads_(blocks_ ? blocks_ : 1),
          gives_(blocks_ ? blocks_ : nodes_), bus_(static_cast<Bus>(netlist.number("bus"))), tokens_(nodes_),
          in_(nodes_), at_(nodes_), rest_(nodes_, none), resting_(nodes_, none)
    {
        error_ = (bus_ == Bus::None ? port("o_error") : port("error")).at(0);
        status_ = bus_ == Bus::None ? "o_status" : "status";
        set("i_rst", 0, 1, 1);
        between_packets();
        for (size_t i = 0; i < 4; i++)
            edge(nullptr);
        set("i_rst", 0, 1, 0);
        for (uint64_t seed : {1, 2})
            must_be_right(gossip(seed, {}, all));
        start_state_ = net_.state();
    }

    // Plays the flips, one a run, and prints the verdicts of runs 1 .. count.
    void batch(uint64_t seed, const std::vector<Flip> &flips, size_t count)
    {
        net_.set_state(start_state_);
        between_packets();
        const Outcome faulty = gossip(3 * seed + 3, flips, all);
        mend_roms(flips);
        const Outcome again = take_back(3 * seed + 3, faulty);
        const Outcome next = gossip(3 * seed + 4, {}, all);
        const Outcome next_again = take_back(3 * seed + 4, next);
        const Outcome last = gossip(3 * seed + 5, {}, all);
        take_back(3 * seed + 5, last);
        for (const Outcome *outcome : {&faulty, &next, &last})
            must_be_right(*outcome);
        for (size_t run = 1; run <= count; run++)
            print(faulty, again, next, next_again, last, run);
    }

  private:
    static constexpr size_t GRACE = 8;

    void between_packets()
    {
        for (size_t v = 0; v < nodes_; v++) {
            in_[v].assign(loads_ + 1, none);
            in_[v][loads_] = all;
        }
    }

    void edge(Outcome *seen, const std::function<void()> &sample = {})
    {
        step([&] {
            if (seen)
                watch(*seen);
            if (sample)
                sample();
        });
    }

    void watch(Outcome &seen)
    {
        const Lanes error = net_[error_] & ~seen.error & seen.played;
        note(error, seen.first_error, {cycle_, 0, 0, 0, 0});
        for (auto &[run, first] : seen.first_error)
            if (first.cycle == cycle_) {
                size_t status = 0;
                for (size_t i = 0; i < port(status_).size(); i++)
                    status |= size_t{has(net_[port(status_)[i]], run)} << i;
                first.what = status ? size_t{1} << (status - 1) : 0;
            }
        seen.error |= error;
        Lanes over = all;
        for (size_t v = 0; v < nodes_; v++) {
            const Lanes took = net_[port("s_axis_tvalid")[v]] & net_[port("s_axis_tready")[v]];
            rest_[v] &= ~took;
            for (size_t beat = loads_; beat-- > 0;) {
                const Lanes runs = in_[v][beat] & took & ~resting_[v];
                in_[v][beat] &= ~runs;
                in_[v][beat + 1] |= runs;
            }
            const Lanes gave = net_[port("m_axis_tvalid")[v]] & net_[port("m_axis_tready")[v]];
            for (size_t beat = gives_ + 1; any(gave) && beat-- > 0;) {
                const Lanes runs = at_[v][beat] & gave;
                if (!any(runs))
                    continue;
                Lanes wrong = all;
                if (beat < gives_) {
                    wrong = net_[port("m_axis_tlast")[v]] ^ (beat + 1 == gives_ ? all : none);
                    for (size_t i = 0; i < bits_; i++)
                        wrong |= net_[port("m_axis_tdata")[v * bits_ + i]] ^ (result(beat, i) ? all : none);
                    at_[v][beat] &= ~runs;
                    at_[v][beat + 1] |= runs;
                }
                wrong &= runs & seen.played;
                note(wrong & ~seen.wrong, seen.first_wrong, {cycle_, 0, v, beat, 0});
                seen.wrong |= wrong;
            }
            over &= at_[v][gives_];
        }
        seen.over |= over;
    }

    // Of what every node gets, a bit of a beat.
    bool result(size_t beat, size_t bit) const
    {
        if (blocks_ == 0)
            return tokens_[beat][bit];
        bool sum = false;
        for (const std::vector<bool> &token : tokens_)
            sum ^= token[beat * bits_ + bit];
        return sum;
    }

    // Node v's next beat in these runs, if there is one. What an error broke off is ended by a beat that nobody loads.
    void give(size_t v, const Lanes &runs)
    {
        resting_[v] = rest_[v];
        net_[port("s_axis_tvalid")[v]] = runs & ~in_[v][loads_];
        net_[port("s_axis_tlast")[v]] = resting_[v] | in_[v][loads_ - 1];
        for (size_t i = 0; i < bits_; i++) {
            Lanes data = none;
            for (size_t beat = 0; beat < loads_; beat++)
                data |= tokens_[v][beat * bits_ + i] ? in_[v][beat] : none;
            net_[port("s_axis_tdata")[v * bits_ + i]] = data;
        }
    }

    // In these runs one gossip of the seed's tokens, from a start to GRACE cycles after the last of them has all beats,
    // or an error. What has neither in twice the time of a gossip and 64 cycles hangs.
    Outcome gossip(uint64_t seed, const std::vector<Flip> &flips, const Lanes &runs)
    {
        Outcome seen;
        seen.played = runs;
        Random random(seed);
        std::vector<size_t> since(nodes_);
        for (size_t v = 0; v < nodes_; v++) {
            tokens_[v].resize(loads_ * bits_);
            for (auto bit = tokens_[v].begin(); bit != tokens_[v].end(); ++bit)
                *bit = random.next() & 1;
            since[v] = random.next() % 4;
            rest_[v] = runs & ~in_[v][0] & ~in_[v][loads_];
            in_[v].assign(loads_ + 1, none);
            in_[v][0] = runs;
            in_[v][loads_] |= ~runs;
            at_[v].assign(gives_ + 1, none);
            at_[v][0] = all;
        }
        flips_ = flips;
        cycle_ = 0;
        if (bus_ != Bus::None)
            write(CONTROL, 1, runs, seen);
        const size_t patience = 2 * length_ + 64;
        for (size_t left = GRACE; left > 0; left -= any(runs & ~seen.over & ~seen.error) && cycle_ < patience ? 0 : 1) {
            for (size_t v = 0; v < nodes_; v++) {
                give(v, cycle_ >= since[v] ? runs : none);
                set("m_axis_tready", v, 1, random.next() % 4 != 0);
            }
            edge(&seen);
        }
        while (cycle_ < length_) // flips are up to there
            edge(&seen);
        for (size_t v = 0; v < nodes_; v++) {
            net_[port("s_axis_tvalid")[v]] = none;
            set("m_axis_tready", v, 1, 0);
        }
        flips_.clear();
        seen.silent = seen.played & seen.wrong & ~seen.error;
        return seen;
    }

    // Where there was an error: it is taken back, and the tokens are played once more.
    Outcome take_back(uint64_t seed, const Outcome &before)
    {
        Outcome nothing;
        nothing.played = none;
        if (!any(before.error))
            return nothing;
        for (size_t v = 0; v < nodes_; v++) // beats that are on their way go out first
            set("m_axis_tready", v, 1, 1, before.error);
        for (size_t i = 0; i < length_; i++)
            edge(nullptr);
        if (bus_ != Bus::None)
            write(CONTROL, 2, before.error, nothing);
        else
            set("i_clear", 0, 1, 1, before.error);
        edge(nullptr);
        if (bus_ == Bus::None)
            set("i_clear", 0, 1, 0);
        for (size_t i = 0; i < 4; i++)
            edge(nullptr);
        return gossip(seed, {}, before.error);
    }

    // A register in these runs; what is not answered in 16 cycles never is.
    void write(size_t at, uint64_t word, const Lanes &runs, Outcome &seen)
    {
        Lanes address = runs, data = runs, answer = runs;
        const auto now = [&](const char *name) { return port(name).empty() ? none : net_[port(name)[0]]; };
        const auto sample = [&] {
            address &= ~now("s_axil_awready");
            data &= ~now("s_axil_wready");
            answer &= ~(now("s_axil_bvalid") | now("o_wb_ack") | now("o_wb_err"));
        };
        const bool lite = bus_ == Bus::AxiLite;
        set_all(lite ? "s_axil_awaddr" : "i_wb_adr", lite ? at : at >> 2);
        set_all(lite ? "s_axil_wdata" : "i_wb_dat", word);
        set_all(lite ? "s_axil_wstrb" : "i_wb_sel", 15);
        for (size_t i = 0; any(answer) && i < 16; i++) {
            for (const char *name : {"i_wb_cyc", "i_wb_stb", "i_wb_we", "s_axil_bready"})
                set_all(name, 1, answer);
            set_all("s_axil_awvalid", 1, address);
            set_all("s_axil_wvalid", 1, data);
            edge(&seen, sample);
        }
        for (const char *name : {"s_axil_awvalid", "s_axil_wvalid", "i_wb_cyc", "i_wb_stb", "i_wb_we"})
            set_all(name, 0);
    }

    static constexpr size_t CONTROL = 0x14; // the register; bit 0 starts, bit 1 takes an error back
    size_t nodes_, bits_, length_, blocks_;
    size_t loads_, gives_; // beats of a node
    Bus bus_;
    uint32_t error_ = 0;
    std::string status_;
    std::vector<Lanes> start_state_;
    // Of the gossip that is played:
    std::vector<std::vector<bool>> tokens_; // of each node, beat after beat
    std::vector<std::vector<Lanes>> in_;    // of each node, by the number of beats that it has taken: these runs
    std::vector<std::vector<Lanes>> at_;    // likewise, given
    std::vector<Lanes> rest_, resting_;     // of each node: a packet before is to be ended; in this cycle's beat
};

} // namespace
} // namespace faults

int main(int argc, char **argv)
{
    return faults::simulate<faults::Bench>("streams", argc, argv);
}
