// SPDX-License-Identifier: MIT
// The gates of a fabric, as netlist.py writes them, and the value of each net in each of many runs: a bit for each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace faults
{

using Lanes = uint64_t __attribute__((vector_size(32))); // a bit for each run of a batch
constexpr size_t limbs = sizeof(Lanes) / sizeof(uint64_t);
constexpr size_t runs_at_once = 64 * limbs;
constexpr Lanes none = {};
constexpr Lanes all = ~none;

inline bool any(const Lanes &lanes)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < limbs; i++)
        bits |= lanes[i];
    return bits != 0;
}

inline bool has(const Lanes &lanes, size_t run)
{
    return lanes[run / 64] >> run % 64 & 1;
}

inline Lanes only(size_t run)
{
    Lanes lanes = none;
    lanes[run / 64] = uint64_t{1} << run % 64;
    return lanes;
}

class Random // splitmix64
{
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next()
    {
        uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
        z = (z ^ z >> 27) * 0x94d049bb133111ebU;
        return z ^ z >> 31;
    }

  private:
    uint64_t state_;
};

enum class Op : uint8_t { And, Or, Xor, Mux };
enum class Kind { Ff, Rom, RomOnce, Wire };

struct Gate {
    Op op;
    uint32_t y, a, b, s;
};

struct Site {
    Kind kind;
    uint32_t net;
};

using Port = std::vector<uint32_t>; // its nets, bit 0 first

// The gates, and the value of each net in each run. Nets 0 and 1 are the constants.
class Netlist
{
  public:
    explicit Netlist(const std::string &path)
    {
        std::ifstream file(path);
        std::string word;
        while (file >> word) {
            if (word == "input" || word == "output") {
                size_t width = 0;
                file >> word >> width;
                Port &port = ports_[word];
                port.resize(width);
                for (uint32_t &net : port)
                    file >> net;
            } else if (word == "ff") {
                uint32_t q = 0, d = 0;
                char initial = 'x';
                uint32_t edge = 0;
                file >> q >> d >> initial >> edge >> word;
                registers_.push_back({q, d, edge, initial, word});
            } else if (word == "site") {
                Site site{};
                file >> word >> site.net;
                site.kind = word == "ff"     ? Kind::Ff
                            : word == "rom"  ? Kind::Rom
                            : word == "wire" ? Kind::Wire
                                             : Kind::RomOnce;
                sites_.push_back(site);
            } else if (word == "number") {
                size_t value = 0;
                file >> word >> value;
                numbers_[word] = value;
            } else {
                Gate gate{};
                gate.op = word == "and" ? Op::And : word == "or" ? Op::Or : word == "xor" ? Op::Xor : Op::Mux;
                file >> gate.y >> gate.a >> gate.b;
                if (word == "mux")
                    file >> gate.s;
                gates_.push_back(gate);
            }
        }
        if (!file.eof() || gates_.empty())
            throw std::runtime_error(path + ": not a netlist");
        put_in_order();
    }

    size_t number(const std::string &name) const { return numbers_.at(name); }
    size_t number_or(const std::string &name, size_t otherwise) const
    {
        return numbers_.count(name) ? numbers_.at(name) : otherwise;
    }
    const std::vector<Site> &sites() const { return sites_; }
    // The nets of a port; none where the fabric does not have it.
    const Port &port(const std::string &name) const
    {
        static const Port nothing;
        const auto found = ports_.find(name);
        return found == ports_.end() ? nothing : found->second;
    }
    Lanes &operator[](uint32_t net) { return values_[net]; }

    // Flip-flops that have no initial value start at random.
    void power_up(uint64_t seed)
    {
        Random random(seed);
        values_.assign(values_.size(), none);
        values_[1] = all;
        for (const Register &ff : registers_)
            values_[ff.q] = (ff.initial == 'x' ? random.next() & 1 : ff.initial == '1') ? all : none;
    }

    void evaluate()
    {
        Lanes *v = values_.data();
        for (const Gate &g : gates_) {
            switch (g.op) {
            case Op::And:
                v[g.y] = v[g.a] & v[g.b];
                break;
            case Op::Or:
                v[g.y] = v[g.a] | v[g.b];
                break;
            case Op::Xor:
                v[g.y] = v[g.a] ^ v[g.b];
                break;
            case Op::Mux:
                v[g.y] = v[g.a] ^ ((v[g.a] ^ v[g.b]) & v[g.s]);
                break;
            }
        }
    }

    // An edge: of clock k the rising one is 2k, the falling one 2k + 1.
    void clock(uint32_t edge)
    {
        next_.resize(registers_.size());
        for (size_t i = 0; i < registers_.size(); i++)
            next_[i] = values_[registers_[i].d];
        for (size_t i = 0; i < registers_.size(); i++)
            if (registers_[i].edge == edge)
                values_[registers_[i].q] = next_[i];
    }

    const std::vector<Lanes> &state() const { return values_; }
    void set_state(const std::vector<Lanes> &values) { values_ = values; }

    void write_vcd_header(FILE *vcd) const
    {
        fprintf(vcd, "$timescale 1ns $end\n");
        for (size_t run = 0; run < 2; run++) {
            fprintf(vcd, "$scope module %s $end\n", run == 0 ? "fault_free" : "faulty");
            for (const auto &[name, net] : signals())
                fprintf(vcd, "$var wire 1 %zu_%u %s $end\n", run, net, name.c_str());
            fprintf(vcd, "$upscope $end\n");
        }
        fprintf(vcd, "$enddefinitions $end\n");
    }

    void write_vcd(FILE *vcd, size_t time)
    {
        fprintf(vcd, "#%zu\n", time);
        for (const auto &signal : signals())
            for (size_t run = 0; run < 2; run++) {
                const bool value = has(values_[signal.second], run);
                const auto [last, first] = written_.insert({{run, signal.second}, value});
                if (first || last->second != value)
                    fprintf(vcd, "%d%zu_%u\n", value, run, signal.second);
                last->second = value;
            }
    }

  private:
    struct Register {
        uint32_t q, d, edge;
        char initial;
        std::string name;
    };

    // The ports' bits and the flip-flops, as name and net.
    std::vector<std::pair<std::string, uint32_t>> signals() const
    {
        std::vector<std::pair<std::string, uint32_t>> found;
        for (const auto &[name, nets] : ports_)
            for (size_t i = 0; i < nets.size(); i++)
                found.emplace_back(name + "(" + std::to_string(i) + ")", nets[i]);
        for (const Register &ff : registers_)
            found.emplace_back(ff.name, ff.q);
        return found;
    }

    // Gates in the order of evaluation, those of one level and kind together.
    void put_in_order()
    {
        uint32_t nets = 2;
        for (const Gate &gate : gates_)
            nets = std::max({nets, gate.y + 1, gate.a + 1, gate.b + 1, gate.s + 1});
        for (const Register &ff : registers_)
            nets = std::max({nets, ff.q + 1, ff.d + 1});
        for (const auto &port : ports_)
            for (uint32_t net : port.second)
                nets = std::max(nets, net + 1);
        constexpr uint32_t no_gate = UINT32_MAX;
        std::vector<uint32_t> driver(nets, no_gate), level(nets, 0);
        for (uint32_t i = 0; i < gates_.size(); i++)
            driver[gates_[i].y] = i;
        // Depth first, without recursion: a gate's level is one more than that of its inputs.
        std::vector<char> state(gates_.size(), 0); // 1: inputs are on the stack, 2: done
        for (uint32_t first = 0; first < gates_.size(); first++) {
            std::vector<uint32_t> stack{first};
            while (!stack.empty()) {
                const uint32_t top = stack.back();
                const Gate &gate = gates_[top];
                const std::array<uint32_t, 3> inputs = {gate.a, gate.b, gate.s};
                if (state[top] == 0) {
                    state[top] = 1;
                    for (uint32_t net : inputs) {
                        if (driver[net] == no_gate || state[driver[net]] == 2)
                            continue;
                        if (state[driver[net]] == 1)
                            throw std::runtime_error("the netlist has a combinational loop");
                        stack.push_back(driver[net]);
                    }
                    continue;
                }
                stack.pop_back();
                if (state[top] == 2)
                    continue;
                state[top] = 2;
                for (uint32_t net : inputs)
                    level[gate.y] = std::max(level[gate.y], level[net] + 1);
            }
        }
        std::stable_sort(gates_.begin(), gates_.end(), [&](const Gate &a, const Gate &b) {
            return std::make_pair(level[a.y], a.op) < std::make_pair(level[b.y], b.op);
        });
        values_.resize(nets);
    }

    std::map<std::string, Port> ports_;
    std::map<std::string, size_t> numbers_;
    std::vector<Register> registers_;
    std::vector<Gate> gates_;
    std::vector<Site> sites_;
    std::vector<Lanes> values_, next_;
    std::map<std::pair<size_t, uint32_t>, bool> written_; // to the VCD, by run and net
};

} // namespace faults
