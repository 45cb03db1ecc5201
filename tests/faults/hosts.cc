// SPDX-License-Identifier: MIT
// As simulate.cc, of a fabric whose hosts give and take streams, of a word a cycle or of blocks: one bit of a machine
// word for each run. Run 0 of each batch is fault-free, and must be right.
//
//     hosts NETLIST < plan > verdicts
//
// A line of the plan is a run: site, cycle, seed. A run is some vectors with one bit flipped: every host that gives
// gives them, every one that takes has all their beats, with random pauses on both sides; each beat is expected by
// arithmetic. Where o_error comes, there is a reset, and the same vectors are played once more. Two runs without a flip
// follow.
//
// A wrong beat, or one too many, is noticed where o_error is 1 at most GRACE cycles later. The verdicts are those of
// simulate.cc: node is the host, part the beat; what was noticed is 1 where o_fault has a host.
#include "streamed.h"

#include <algorithm>
#include <cstring>

namespace faults
{
namespace
{

class Bench : StreamPlayer
{
  public:
    Bench(Netlist &netlist, FILE *)
        : StreamPlayer(netlist), hosts_(netlist.number("hosts")), words_(netlist.number("host_words")),
          bits_(netlist.number("link_bits")), operator_(netlist.number("operator")), turns_(netlist.number("turns")),
          flits_(netlist.number("flits")), length_(netlist.number("length")), beats_(netlist.number("beats"))
    {
        for (size_t h = 0; h < hosts_; h++) {
            gives_.push_back(netlist.number("gives" + std::to_string(h)));
            takes_.push_back(netlist.number("takes" + std::to_string(h)));
        }
        reset(all);
        for (uint64_t seed : {1, 2})
            must_be_right(play(seed, {}, all));
        start_state_ = net_.state();
    }

    // Plays the flips, one a run, and prints the verdicts of runs 1 .. count.
    void batch(uint64_t seed, const std::vector<Flip> &flips, size_t count)
    {
        net_.set_state(start_state_);
        const Outcome faulty = play(3 * seed + 3, flips, all);
        mend_roms(flips);
        const Outcome again = once_more(3 * seed + 3, faulty);
        const Outcome next = play(3 * seed + 4, {}, all);
        const Outcome next_again = once_more(3 * seed + 4, next);
        const Outcome last = play(3 * seed + 5, {}, all);
        for (const Outcome *outcome : {&faulty, &next, &last})
            must_be_right(*outcome);
        for (size_t run = 1; run <= count; run++)
            print(faulty, again, next, next_again, last, run);
    }

  private:
    static constexpr size_t GRACE = 2;
    // Of op.h.
    enum Operator : size_t { SUM = 1, AND, OR, XOR, MIN, MAX, UMIN, UMAX, BFLOAT16 = 10, FLOAT32 = 13, SATURATED };

    bool is_float() const { return operator_ == FLOAT32 || operator_ == BFLOAT16; }

    // Of floats a word is one, of so many bits.
    static uint64_t bits_of(float number, size_t bits)
    {
        uint32_t word;
        std::memcpy(&word, &number, sizeof word);
        return word >> (32 - bits);
    }

    static float float_of(uint64_t word, size_t bits)
    {
        const auto whole = uint32_t(word << (32 - bits));
        float number;
        std::memcpy(&number, &whole, sizeof number);
        return number;
    }

    static uint64_t saturated(uint64_t a, uint64_t b, uint64_t top)
    {
        const uint64_t sum = (a + b) & (2 * top - 1);
        const bool over = ((a ^ sum) & (b ^ sum) & top) != 0;
        return !over ? sum : a & top ? top : top - 1;
    }

    // A word that a host gives. Where the order counts no sum is rounded, and all hosts' numbers have one sign.
    uint64_t drawn(Random &random, bool negative) const
    {
        const uint64_t word = random.next() & (bits_ == 64 ? ~uint64_t{0} : (uint64_t{1} << bits_) - 1);
        const uint64_t top = uint64_t{1} << (bits_ - 1);
        const uint64_t whole = is_float() ? (uint64_t{1} << (bits_ - 8)) / hosts_ : 1;
        if (is_float())
            return bits_of(float(word % whole) * (word & top ? -1.0F : 1.0F), bits_);
        return operator_ == SATURATED ? (word & (top - 1)) | (negative ? top : 0) : word;
    }

    void reset(const Lanes &runs)
    {
        for (const char *name : {"s_axis_tvalid", "m_axis_tready"})
            set_all(name, 0);
        set("i_rst", 0, 1, 1, runs);
        for (size_t i = 0; i < 4; i++)
            step([] {});
        set("i_rst", 0, 1, 0);
        step([] {});
    }

    uint64_t combine(uint64_t a, uint64_t b) const
    {
        const uint64_t top = uint64_t{1} << (bits_ - 1), mask = 2 * top - 1;
        switch (operator_) {
        case SUM:
            return (a + b) & mask;
        case AND:
            return a & b;
        case OR:
            return a | b;
        case XOR:
            return a ^ b;
        case MIN:
            return (a ^ top) < (b ^ top) ? a : b;
        case MAX:
            return (a ^ top) < (b ^ top) ? b : a;
        case UMIN:
            return std::min(a, b);
        case UMAX:
            return std::max(a, b);
        case FLOAT32:
        case BFLOAT16:
            return bits_of(float_of(a, bits_) + float_of(b, bits_), bits_);
        case SATURATED:
            return saturated(a, b, top);
        default:
            throw std::runtime_error("an operator that is not known here");
        }
    }

    // The words of all beats, and what becomes of them.
    void draw(Random &random)
    {
        const uint64_t negative = random.next(); // by word
        given_.assign(hosts_, std::vector<uint64_t>(beats_ * words_));
        for (auto &words : given_)
            for (size_t i = 0; i < words.size(); i++)
                words[i] = drawn(random, negative >> i % 64 & 1);
        ends_.assign(beats_, false);
        for (size_t beat = 0; beat < beats_; beat++)
            ends_[beat] = beat + 1 == beats_ || random.next() % 4 == 0;
        wanted_.clear();
        wanted_ends_.clear();
        for (size_t beat = 0; beat < beats_; beat++)
            for (size_t turn = 0; turn < turns_; turn++) {
                for (size_t word = 0; word < words_; word++)
                    wanted_.push_back(made_of(beat * words_ + word, turn));
                wanted_ends_.push_back(ends_[beat] && turn + 1 == turns_);
            }
        if (flits_ > 0 && operator_ == SUM)
            carry_over();
    }

    // The beats of a block are one number, the lowest first.
    void carry_over()
    {
        uint64_t carry = 0;
        for (size_t beat = 0, at = 0; beat < beats_; beat++) {
            for (size_t h = 0; h < hosts_; h++)
                carry += gives_[h] ? given_[h][beat] : 0;
            wanted_[beat] = carry & ((uint64_t{1} << bits_) - 1);
            at = ends_[beat] ? 0 : at + 1;
            carry = at % flits_ == 0 ? 0 : carry >> bits_;
        }
    }

    uint64_t made_of(size_t word, size_t turn) const
    {
        if (turns_ > 1)
            return given_[turn][word];
        uint64_t made = 0;
        bool first = true;
        for (size_t h = 0; h < hosts_; h++)
            if (gives_[h]) {
                made = first ? given_[h][word] : combine(made, given_[h][word]);
                first = false;
            }
        return made;
    }

    // What hosts offer in this cycle: the beat that each run has come to.
    void offer(Random &random, const Lanes &runs)
    {
        for (size_t h = 0; h < hosts_; h++) {
            const bool begins = random.next() % 4 != 0;
            set("m_axis_tready", h, 1, random.next() % 4 != 0);
            if (!gives_[h])
                continue;
            offers_[h] |= begins ? runs & ~gave_[h][beats_] : none;
            net_[port("s_axis_tvalid")[h]] = offers_[h];
            Lanes end = none;
            std::vector<Lanes> data(words_ * bits_, none);
            for (size_t beat = 0; beat < beats_; beat++) {
                if (!any(gave_[h][beat]))
                    continue;
                end |= ends_[beat] ? gave_[h][beat] : none;
                for (size_t i = 0; i < data.size(); i++)
                    if (given_[h][beat * words_ + i / bits_] >> i % bits_ & 1)
                        data[i] |= gave_[h][beat];
            }
            net_[port("s_axis_tlast")[h]] = end;
            for (size_t i = 0; i < data.size(); i++)
                net_[port("s_axis_tdata")[h * data.size() + i]] = data[i];
        }
    }

    // The runs in which the beat that a host takes is none of those that come now.
    Lanes wrong_beats(size_t h, const Lanes &takes)
    {
        Lanes wrong = takes & took_[h].back(); // one too many
        for (size_t beat = wanted_ends_.size(); beat-- > 0;) {
            const Lanes runs = took_[h][beat] & takes;
            if (!any(runs))
                continue;
            Lanes differs = net_[port("m_axis_tlast")[h]] ^ (wanted_ends_[beat] ? all : none);
            for (size_t i = 0; i < words_ * bits_; i++)
                differs |= net_[port("m_axis_tdata")[h * words_ * bits_ + i]] ^
                           (wanted_[beat * words_ + i / bits_] >> i % bits_ & 1 ? all : none);
            wrong |= differs & runs;
            took_[h][beat] &= ~runs;
            took_[h][beat + 1] |= runs;
        }
        return wrong;
    }

    void watch(Outcome &seen)
    {
        const Lanes error = net_[port("o_error")[0]] & ~seen.error & seen.played;
        const Lanes fault = some("o_fault");
        note(error & fault, seen.first_error, {cycle_, 1, 0, 0, 0});
        note(error & ~fault, seen.first_error, {cycle_, 0, 0, 0, 0});
        seen.error |= error;
        seen.silent |= recent_[GRACE - 1] & ~seen.error;
        std::rotate(recent_.begin(), recent_.end() - 1, recent_.end());
        recent_[0] = none;
        Lanes over = all;
        for (size_t h = 0; h < hosts_; h++) {
            const Lanes gives = net_[port("s_axis_tvalid")[h]] & net_[port("s_axis_tready")[h]];
            for (size_t beat = beats_; gives_[h] && beat-- > 0;) {
                const Lanes runs = gave_[h][beat] & gives;
                gave_[h][beat] &= ~runs;
                gave_[h][beat + 1] |= runs;
            }
            offers_[h] &= ~gives;
            const Lanes takes = net_[port("m_axis_tvalid")[h]] & net_[port("m_axis_tready")[h]] & seen.played;
            const Lanes wrong = any(takes) ? wrong_beats(h, takes) : none;
            note(wrong & ~seen.wrong, seen.first_wrong, {cycle_, 0, h, 0, 0});
            seen.wrong |= wrong;
            recent_[0] |= wrong;
            over &= takes_[h] ? took_[h].back() : all;
            over &= gives_[h] ? gave_[h].back() : all;
        }
        seen.over |= over;
    }

    // In these runs the vectors of a seed, up to some cycles behind the last beat. What does not come in twice the time
    // and 64 cycles hangs.
    Outcome play(uint64_t seed, const std::vector<Flip> &flips, const Lanes &runs)
    {
        Outcome seen;
        seen.played = runs;
        Random random(seed);
        draw(random);
        gave_.assign(hosts_, std::vector<Lanes>(beats_ + 1, none));
        took_.assign(hosts_, std::vector<Lanes>(wanted_ends_.size() + 1, none));
        for (size_t h = 0; h < hosts_; h++)
            gave_[h][0] = took_[h][0] = all;
        offers_.assign(hosts_, none);
        recent_.assign(GRACE, none);
        flips_ = flips;
        cycle_ = 0;
        for (size_t left = 8; left > 0;) {
            offer(random, runs);
            step([&] { watch(seen); });
            const bool waits = any(runs & ~seen.over & ~seen.error) && cycle_ < 2 * length_ + 64;
            left -= waits || cycle_ < length_ ? 0 : 1;
        }
        set_all("s_axis_tvalid", 0);
        set_all("m_axis_tready", 0);
        flips_.clear();
        return seen;
    }

    // Where there was an error: a reset, and the same once more.
    Outcome once_more(uint64_t seed, const Outcome &before)
    {
        Outcome nothing;
        nothing.played = none;
        if (!any(before.error))
            return nothing;
        reset(before.error);
        return play(seed, {}, before.error);
    }

    size_t hosts_, words_, bits_, operator_;
    size_t turns_;          // beats that come for one that is given: of each host one, where they are gathered
    size_t flits_;          // of a block, which is one number; 0: each word is
    size_t length_, beats_; // beats that a host gives, of all vectors
    std::vector<bool> gives_, takes_;
    std::vector<Lanes> start_state_;
    // Of what is played:
    std::vector<std::vector<uint64_t>> given_;    // words of each host
    std::vector<uint64_t> wanted_;                // of those that take
    std::vector<bool> ends_, wanted_ends_;        // the beat is the last of its vector
    std::vector<std::vector<Lanes>> gave_, took_; // of each host, by the number of beats: these runs
    std::vector<Lanes> offers_, recent_;          // recent: wrong beats of the last cycles
};

} // namespace
} // namespace faults

int main(int argc, char **argv)
{
    return faults::simulate<faults::Bench>("hosts", argc, argv);
}
