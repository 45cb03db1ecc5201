// SPDX-License-Identifier: MIT
// A verilated gossip_fabric behind an interface that knows no widths, so that the bench is compiled once and only
// dut.cc with every model.
#ifndef GFAB_TB_DUT_H
#define GFAB_TB_DUT_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

using Bytes = std::vector<uint8_t>; // little-endian, the bits past the value's width 0

// Verilator keeps a port in an integer or in an array of 32-bit words.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a port's storage is taken as its bytes");

// A port's storage.
class Bus
{
  public:
    Bus() = default;
    template <typename Port> explicit Bus(Port &port) : bytes_(reinterpret_cast<uint8_t *>(&port)), size_(sizeof port)
    {
        static_assert(std::is_standard_layout_v<Port>);
    }

    // Bits lsb .. lsb + width - 1, in ceil(width / 8) bytes.
    void get(size_t lsb, size_t width, Bytes &value) const
    {
        value.resize((width + 7) / 8);
        for (size_t i = 0; i < value.size(); i++) {
            const size_t from = lsb / 8 + i, shift = lsb % 8;
            unsigned two = bytes_[from];
            if (from + 1 < size_)
                two |= static_cast<unsigned>(bytes_[from + 1]) << 8;
            value[i] = static_cast<uint8_t>(two >> shift);
        }
        if (width % 8 != 0)
            value.back() &= static_cast<uint8_t>((1U << width % 8) - 1);
    }
    uint32_t get(size_t lsb, size_t width) const
    {
        uint32_t value = 0;
        for (size_t i = 0; i < width; i++)
            value |= static_cast<uint32_t>(bytes_[(lsb + i) / 8] >> (lsb + i) % 8 & 1) << i;
        return value;
    }
    void set(size_t lsb, size_t width, const uint8_t *value)
    {
        for (size_t i = 0; i < width; i++) {
            const uint8_t mask = static_cast<uint8_t>(1U << (lsb + i) % 8);
            uint8_t &byte = bytes_[(lsb + i) / 8];
            byte = static_cast<uint8_t>((value[i / 8] >> i % 8 & 1) != 0 ? byte | mask : byte & ~mask);
        }
    }
    void set(size_t lsb, size_t width, uint32_t value)
    {
        uint8_t bytes[4];
        std::memcpy(bytes, &value, sizeof bytes);
        set(lsb, width, bytes);
    }
    void clear() { std::memset(bytes_, 0, size_); }
    size_t size() const { return size_; }

  private:
    uint8_t *bytes_ = nullptr;
    size_t size_ = 0;
};

class Dut
{
  public:
    virtual ~Dut() = default;
    virtual void eval() = 0;
    virtual bool stopped() const = 0; // an assertion in the RTL failed

    Bus clk, rst, start, busy, done;
    Bus error;   // of no size where the fabric has no protection
    Bus choice;  // of the operator; of no size where there is none
    Bus program; // likewise
    Bus load_valid, load_word, load_data, read_token, read_word, read_data;
    Bus trace_link, trace_drive, trace_write, trace_address, trace_data;
};

// A fabric at power-up, ROMs read from rom/ in the working directory. All that a reset does not reach (stores,
// shift registers) starts with random bits drawn from reset_seed.
std::unique_ptr<Dut> make_dut(int reset_seed);

#endif
