// SPDX-License-Identifier: MIT
// The C model as a SystemC module with the ports of gossip_fabric, so that it can stand where the RTL stands.
// All outputs change at the rising edge of i_clk, as the RTL's do. Two are defined in fewer cycles than the RTL's wires
// have some value: o_read_data belongs to a read presented while o_busy = 0, else it keeps still; o_trace_address and
// o_trace_data are 0 where a node does not write.
#ifndef GFAB_TB_CMODEL_MODULE_H
#define GFAB_TB_CMODEL_MODULE_H

#include <gossipfab/cmodel/cmodel.h>
#include <systemc>
#include <vector>

template <int NODES, int LINKS, int LINK_BITS, int WORD_BITS, int SLOT_BITS, int INDEX_BITS>
class CmodelModule : public sc_core::sc_module
{
    template <int WIDTH> using Bits = sc_dt::sc_bv<WIDTH>;

  public:
    sc_core::sc_in<bool> i_clk{"i_clk"}, i_rst{"i_rst"}, i_start{"i_start"};
    sc_core::sc_out<bool> o_busy{"o_busy"}, o_done{"o_done"};
    sc_core::sc_in<Bits<NODES>> i_load_valid{"i_load_valid"};
    sc_core::sc_in<Bits<NODES * INDEX_BITS>> i_load_word{"i_load_word"};
    sc_core::sc_in<Bits<NODES * WORD_BITS>> i_load_data{"i_load_data"};
    sc_core::sc_in<Bits<NODES * SLOT_BITS>> i_read_token{"i_read_token"};
    sc_core::sc_in<Bits<NODES * INDEX_BITS>> i_read_word{"i_read_word"};
    sc_core::sc_out<Bits<NODES * WORD_BITS>> o_read_data{"o_read_data"};
    sc_core::sc_out<Bits<LINKS * LINK_BITS>> o_trace_link{"o_trace_link"};
    sc_core::sc_out<Bits<2 * LINKS>> o_trace_drive{"o_trace_drive"};
    sc_core::sc_out<Bits<NODES>> o_trace_write{"o_trace_write"};
    sc_core::sc_out<Bits<NODES *(SLOT_BITS + INDEX_BITS)>> o_trace_address{"o_trace_address"};
    sc_core::sc_out<Bits<NODES * WORD_BITS>> o_trace_data{"o_trace_data"};

    SC_HAS_PROCESS(CmodelModule);
    // cmodel is borrowed and must be of a fabric of these widths.
    CmodelModule(sc_core::sc_module_name name, gfab_cmodel *cmodel) : sc_module(name), cmodel_(cmodel)
    {
        SC_METHOD(edge);
        sensitive << i_clk.pos();
        dont_initialize();
    }

  private:
    template <typename Vector> static unsigned number(const Vector &vector, int element, int width)
    {
        return vector.range((element + 1) * width - 1, element * width).to_uint();
    }
    template <typename Vector> static void put(Vector &vector, int lsb, int width, const uint8_t *value)
    {
        for (int i = 0; i < width; i++)
            vector[lsb + i] = (value[i / 8] >> i % 8 & 1) != 0;
    }

    void edge()
    {
        const Bits<NODES> load_valid = i_load_valid.read();
        const Bits<NODES *INDEX_BITS> load_word = i_load_word.read(), read_word = i_read_word.read();
        const Bits<NODES *WORD_BITS> load_data = i_load_data.read();
        const Bits<NODES *SLOT_BITS> read_token = i_read_token.read();

        gfab_cmodel_set_reset(cmodel_, i_rst.read());
        gfab_cmodel_set_start(cmodel_, i_start.read());
        const bool reading = !gfab_cmodel_busy(cmodel_);
        for (int v = 0; v < NODES; v++) {
            if (reading) {
                put(read_data_, v * WORD_BITS, WORD_BITS,
                    gfab_cmodel_store(cmodel_, static_cast<size_t>(v), number(read_token, v, SLOT_BITS),
                                      number(read_word, v, INDEX_BITS)));
            }
            if (load_valid[v].to_bool()) {
                std::vector<uint8_t> data((WORD_BITS + 7) / 8, 0);
                for (int i = 0; i < WORD_BITS; i++) {
                    data[static_cast<size_t>(i / 8)] |=
                        static_cast<uint8_t>(load_data[v * WORD_BITS + i].to_bool() << i % 8);
                }
                gfab_cmodel_set_load(cmodel_, static_cast<size_t>(v), number(load_word, v, INDEX_BITS), data.data());
            }
        }
        gfab_cmodel_step(cmodel_);
        publish();
    }

    void publish()
    {
        Bits<LINKS * LINK_BITS> link;
        Bits<2 * LINKS> drive;
        Bits<NODES> write;
        Bits<NODES *(SLOT_BITS + INDEX_BITS)> address;
        Bits<NODES * WORD_BITS> data;
        for (int e = 0; e < LINKS; e++) {
            const size_t id = static_cast<size_t>(e);
            put(link, e * LINK_BITS, LINK_BITS, gfab_cmodel_link_data(cmodel_, id));
            drive[2 * e] = gfab_cmodel_link_drive(cmodel_, id, 0);
            drive[2 * e + 1] = gfab_cmodel_link_drive(cmodel_, id, 1);
        }
        for (int v = 0; v < NODES; v++) {
            uint32_t slot = 0, word = 0;
            const uint8_t *value = nullptr;
            if (gfab_cmodel_write(cmodel_, static_cast<size_t>(v), &slot, &word, &value)) {
                write[v] = true;
                address.range((v + 1) * (SLOT_BITS + INDEX_BITS) - 1, v * (SLOT_BITS + INDEX_BITS)) =
                    slot << INDEX_BITS | word;
                put(data, v * WORD_BITS, WORD_BITS, value);
            }
        }
        o_busy.write(gfab_cmodel_busy(cmodel_));
        o_done.write(gfab_cmodel_done(cmodel_));
        o_read_data.write(read_data_);
        o_trace_link.write(link);
        o_trace_drive.write(drive);
        o_trace_write.write(write);
        o_trace_address.write(address);
        o_trace_data.write(data);
    }

    gfab_cmodel *cmodel_;
    Bits<NODES * WORD_BITS> read_data_;
};

#endif
