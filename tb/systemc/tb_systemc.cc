// SPDX-License-Identifier: MIT
// The verilated fabric and the C model as two SystemC modules, driven by one test bench, their outputs compared in
// every cycle by a checker. The fabric's numbers come from the generated gossip_fabric_parameters.h.
//     tb_systemc TOPOLOGY [--flip NODE]
// runs where rom/ is. With --flip one bit of a ROM word of the model's NODE is flipped. Exit status: 0 equal
// and all tokens right, 1 not, 2 wrong usage or input.
#include "Vgossip_fabric.h"
#include "cmodel_module.h"
#include "gossip_fabric_parameters.h"

#include <gossipfab/fabric/machine.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

namespace
{

using sc_core::sc_signal;
using sc_dt::sc_bv;

constexpr int nodes = GF_NODES, words = GF_WORDS, word_bits = GF_WORD_BITS, slot_bits = GF_SLOT_BITS,
              index_bits = GF_INDEX_BITS, links = GF_LINKS, link_bits = GF_LINK_BITS, token_bits = GF_TOKEN_BITS;
constexpr uint64_t gossip_cycles = GF_CYCLES;

using Model = CmodelModule<nodes, links, link_bits, word_bits, slot_bits, index_bits>;

// What the two drive, and what drives both.
struct Outputs {
    sc_signal<bool> busy, done;
    sc_signal<sc_bv<nodes * word_bits>> read_data;
    sc_signal<sc_bv<links * link_bits>> link;
    sc_signal<sc_bv<2 * links>> drive;
    sc_signal<sc_bv<nodes>> write;
    sc_signal<sc_bv<nodes *(slot_bits + index_bits)>> address;
    sc_signal<sc_bv<nodes * word_bits>> data;
};
struct Inputs {
    sc_signal<bool> rst, start;
    sc_signal<sc_bv<nodes>> load_valid;
    sc_signal<sc_bv<nodes * index_bits>> load_word, read_word;
    sc_signal<sc_bv<nodes * word_bits>> load_data;
    sc_signal<sc_bv<nodes * slot_bits>> read_token;
};

template <typename Fabric> void connect(Fabric &fabric, sc_core::sc_clock &clock, Inputs &in, Outputs &out)
{
    fabric.i_clk(clock);
    fabric.i_rst(in.rst);
    fabric.i_start(in.start);
    fabric.i_load_valid(in.load_valid);
    fabric.i_load_word(in.load_word);
    fabric.i_load_data(in.load_data);
    fabric.i_read_token(in.read_token);
    fabric.i_read_word(in.read_word);
    fabric.o_busy(out.busy);
    fabric.o_done(out.done);
    fabric.o_read_data(out.read_data);
    fabric.o_trace_link(out.link);
    fabric.o_trace_drive(out.drive);
    fabric.o_trace_write(out.write);
    fabric.o_trace_address(out.address);
    fabric.o_trace_data(out.data);
}

// Compares in the middle of every cycle, when all outputs have settled.
class Checker : public sc_core::sc_module
{
  public:
    sc_core::sc_in<bool> i_clk{"i_clk"};
    SC_HAS_PROCESS(Checker);
    Checker(sc_core::sc_module_name name, const Inputs &in, const Outputs &rtl, const Outputs &model)
        : sc_module(name), in_(in), rtl_(rtl), model_(model)
    {
        SC_METHOD(compare);
        sensitive << i_clk.neg();
        dont_initialize();
    }
    bool equal = true;
    uint64_t cycles = 0;
    bool stores_written = false; // before that a read gives what the RTL's RAM had at power-up

  private:
    template <typename Value> void same(const char *what, int element, const Value &rtl, const Value &model)
    {
        if (equal && rtl != model) {
            equal = false;
            std::printf("mismatch: cycle %" PRIu64 ", %s %d: RTL %s, model %s\n", cycles, what, element,
                        rtl.to_string().c_str(), model.to_string().c_str());
            sc_core::sc_stop();
        }
    }
    void compare()
    {
        cycles++;
        same("busy", 0, sc_bv<1>(rtl_.busy.read()), sc_bv<1>(model_.busy.read()));
        same("done", 0, sc_bv<1>(rtl_.done.read()), sc_bv<1>(model_.done.read()));
        for (int e = 0; e < links; e++) {
            same("drive enables of link", e, part<2>(rtl_.drive, e), part<2>(model_.drive, e));
            same("wires of link", e, part<link_bits>(rtl_.link, e), part<link_bits>(model_.link, e));
        }
        for (int v = 0; v < nodes; v++) {
            same("write enable of node", v, part<1>(rtl_.write, v), part<1>(model_.write, v));
            if (model_.write.read()[v].to_bool()) {
                constexpr int address_bits = slot_bits + index_bits;
                same("write address of node", v, part<address_bits>(rtl_.address, v),
                     part<address_bits>(model_.address, v));
                same("write data of node", v, part<word_bits>(rtl_.data, v), part<word_bits>(model_.data, v));
            }
            if (reading_)
                same("read data of node", v, part<word_bits>(rtl_.read_data, v), part<word_bits>(model_.read_data, v));
        }
        reading_ = stores_written && !model_.busy.read();
    }
    template <int WIDTH, typename Vector> static sc_bv<WIDTH> part(const sc_signal<Vector> &signal, int element)
    {
        return signal.read().range((element + 1) * WIDTH - 1, element * WIDTH);
    }

    const Inputs &in_;
    const Outputs &rtl_, &model_;
    bool reading_ = false;
};

// Two gossips with a third between them that a reset cuts off.
class Bench : public sc_core::sc_module
{
  public:
    sc_core::sc_in<bool> i_clk{"i_clk"};
    SC_HAS_PROCESS(Bench);
    Bench(sc_core::sc_module_name name, Inputs &in, const Outputs &out, Checker &checker)
        : sc_module(name), in_(in), out_(out), checker_(checker), random_(1)
    {
        SC_THREAD(run);
    }
    bool finished = false;

  private:
    void cycle(int count = 1)
    {
        while (count-- > 0)
            wait(i_clk.negedge_event());
    }
    void reset()
    {
        in_.rst = true;
        cycle(2);
        in_.rst = false;
    }
    bool token_bit(uint64_t seed, int node, int bit) const
    {
        uint8_t token[(token_bits + 7) / 8];
        gfab_token_pattern(seed, static_cast<uint32_t>(node), token_bits, token);
        return bit < token_bits && (token[bit / 8] >> bit % 8 & 1) != 0;
    }
    void load(uint64_t seed)
    {
        for (int w = 0; w < words; w++) {
            sc_bv<nodes * index_bits> index;
            sc_bv<nodes * word_bits> data;
            for (int v = 0; v < nodes; v++) {
                index.range((v + 1) * index_bits - 1, v * index_bits) = w;
                for (int i = 0; i < word_bits; i++)
                    data[v * word_bits + i] = token_bit(seed, v, w * word_bits + i);
            }
            in_.load_valid = sc_bv<nodes>(true); // in all bits
            in_.load_word = index;
            in_.load_data = data;
            cycle();
        }
        in_.load_valid = sc_bv<nodes>();
    }
    // Loads and starts that come while it runs are to be ignored.
    uint64_t gossip(uint64_t most)
    {
        in_.start = true;
        cycle();
        uint64_t cycles = 1;
        for (; !out_.done.read() && cycles < most; cycles++) {
            in_.start = random_() % 4 == 0;
            sc_bv<nodes> valid;
            valid = random_();
            in_.load_valid = valid;
            in_.load_data = sc_bv<nodes * word_bits>(random_() % 2 == 0);
            cycle();
        }
        in_.start = false;
        in_.load_valid = sc_bv<nodes>();
        return cycles;
    }
    void fail(const std::string &why)
    {
        std::printf("FAIL: %s\n", why.c_str());
        checker_.equal = false;
        sc_core::sc_stop();
    }
    void check(uint64_t seed)
    {
        for (int t = 0; t < nodes; t++) {
            for (int w = 0; w < words; w++) {
                sc_bv<nodes * slot_bits> token;
                sc_bv<nodes * index_bits> index;
                for (int v = 0; v < nodes; v++) {
                    token.range((v + 1) * slot_bits - 1, v * slot_bits) = t;
                    index.range((v + 1) * index_bits - 1, v * index_bits) = w;
                }
                in_.read_token = token;
                in_.read_word = index;
                cycle();
                for (int v = 0; v < nodes; v++) {
                    for (int i = 0; i < word_bits; i++) {
                        if (out_.read_data.read()[v * word_bits + i].to_bool() !=
                            token_bit(seed, t, w * word_bits + i)) {
                            fail("node " + std::to_string(v) + " has token " + std::to_string(t) + " wrong");
                            return;
                        }
                    }
                }
            }
        }
    }
    void run()
    {
        reset();
        for (uint64_t seed = 1; seed <= 2; seed++) {
            load(seed);
            if (seed == 2) {
                gossip(1 + random_() % (gossip_cycles - 1));
                reset();
            }
            const uint64_t cycles = gossip(2 * gossip_cycles);
            if (cycles != gossip_cycles)
                fail("a gossip takes " + std::to_string(cycles) + " cycles and not " + std::to_string(gossip_cycles));
            checker_.stores_written = true;
            cycle();
            check(seed);
        }
        finished = true;
        sc_core::sc_stop();
    }

    Inputs &in_;
    const Outputs &out_;
    Checker &checker_;
    std::mt19937 random_;
};

template <typename T> using Owned = std::unique_ptr<T, void (*)(T *)>;

void require(gfab_status status, const gfab_diag &diag = {})
{
    if (status != GFAB_OK) {
        std::fprintf(stderr, "tb_systemc: %s: %s\n", gfab_status_string(status), diag.message);
        std::exit(2);
    }
}

// The machine's image with another token in the first op of a node that is a receive.
Owned<gfab_image> flipped(const gfab_machine *machine, size_t node)
{
    const gfab_image *image = gfab_machine_image(machine);
    gfab_image *copy = nullptr;
    gfab_diag diag = {};
    require(gfab_image_create(gfab_machine_layout(machine), gfab_image_round_bits(image), &copy, &diag), diag);
    bool found = false;
    for (size_t v = 0; v < nodes; v++) {
        for (size_t i = 0; i < gfab_image_word_count(image); i++) {
            const uint32_t word = gfab_image_word(image, v, i);
            const bool flip = !found && v == node && gfab_op_decode(word).kind == GFAB_OP_RECV;
            gfab_image_set_word(copy, v, i, flip ? word ^ 1U << 2 : word);
            found = found || flip;
        }
    }
    gfab_image_set_halt(copy, gfab_machine_rounds(machine) + 1, true);
    return {copy, gfab_image_destroy};
}

} // namespace

int sc_main(int argc, char **argv)
{
    if (argc != 2 && !(argc == 4 && std::string(argv[2]) == "--flip")) {
        std::fprintf(stderr, "usage: tb_systemc TOPOLOGY [--flip NODE]\n");
        return 2;
    }
    gfab_diag diag = {};
    gfab_topology *t = nullptr;
    require(gfab_topology_parse(argv[1], &t, &diag), diag);
    const Owned<gfab_topology> topology(t, gfab_topology_destroy);
    gfab_machine_shape shape = {};
    shape.layout = gfab_layout_options_default();
    shape.timing.token_bits = token_bits;
    shape.timing.link_bits = link_bits;
    gfab_machine *made = nullptr;
    require(gfab_machine_read(t, &shape, "rom", &made, &diag), diag);
    const Owned<gfab_machine> machine(made, gfab_machine_destroy);
    Owned<gfab_image> image(nullptr, gfab_image_destroy);
    Owned<gfab_machine> faulty(nullptr, gfab_machine_destroy);
    if (argc == 4) {
        image = flipped(made, std::strtoul(argv[3], nullptr, 10));
        require(gfab_machine_create(image.get(), nullptr, gfab_machine_timing(machine.get()), &made));
        faulty.reset(made);
    }
    gfab_cmodel *m = nullptr;
    require(gfab_cmodel_create(made, nullptr, &m));
    const Owned<gfab_cmodel> cmodel(m, gfab_cmodel_destroy);

    sc_core::sc_clock clock("clock", 10, sc_core::SC_NS);
    Inputs in;
    Outputs rtl_out, model_out;
    Vgossip_fabric rtl("rtl");
    Model model("model", m);
    connect(rtl, clock, in, rtl_out);
    connect(model, clock, in, model_out);
    Checker checker("checker", in, rtl_out, model_out);
    checker.i_clk(clock);
    Bench bench("bench", in, rtl_out, checker);
    bench.i_clk(clock);
    sc_core::sc_start();
    rtl.final();

    if (!checker.equal || !bench.finished) {
        std::printf("FAIL: %s, %d/%d bits\n", argv[1], token_bits, link_bits);
        return 1;
    }
    std::printf("PASS: %s, %d/%d bits: RTL and C model equal in %" PRIu64 " cycles; a gossip takes %" PRIu64 "\n",
                argv[1], token_bits, link_bits, checker.cycles, gossip_cycles);
    return 0;
}
