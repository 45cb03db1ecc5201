// SPDX-License-Identifier: MIT
#include "operators.h"

#include "../modules/floats.h"
#include "bench.h"

#include <fstream>
#include <sstream>

namespace
{

int bit_of(const Bytes &value, size_t i)
{
    return value[i / 8] >> i % 8 & 1;
}

// The greatest, or least, of two numbers, in the top bits first.
Bytes picked(gfab_operator op, uint32_t bits, const Bytes &a, const Bytes &b)
{
    const bool sign = op == GFAB_OPERATOR_MIN || op == GFAB_OPERATOR_MAX;
    const bool greatest = op == GFAB_OPERATOR_MAX || op == GFAB_OPERATOR_UMAX;
    for (uint32_t i = bits; i-- > 0;)
        if (bit_of(a, i) != bit_of(b, i))
            return ((bit_of(a, i) != 0) != (sign && i == bits - 1)) == greatest ? a : b;
    return a;
}

// The C model has integers.
Bytes bfloat16_sums(const Bytes &a, const Bytes &b)
{
    const auto number = [](const Bytes &value, size_t at) {
        return static_cast<uint16_t>(value[at] | value[at + 1] << 8);
    };
    Bytes result(a.size());
    for (size_t at = 0; at < a.size(); at += 2) {
        const uint16_t sum = bfloat16_by_float(number(a, at), number(b, at));
        result[at] = static_cast<uint8_t>(sum);
        result[at + 1] = static_cast<uint8_t>(sum >> 8);
    }
    return result;
}

// Of each flit for itself.
Bytes by_flits(uint32_t link_bits, const Bytes &a, const Bytes &b)
{
    Bytes result = a;
    for (size_t at = 0; at < a.size(); at += link_bits / 8)
        turn_and_subtract(nullptr, link_bits, &result[at], &b[at]);
    return result;
}

} // namespace

void turn_and_subtract(void *, uint32_t bits, uint8_t *total, const uint8_t *flit)
{
    const size_t bytes = bits / 8;
    int top = total[bytes - 1] >> 7, borrow = 0;
    for (size_t i = 0; i < bytes; i++) {
        const int turned = (total[i] << 1 & 0xff) | top;
        top = total[i] >> 7;
        const int left = turned - flit[i] - borrow;
        borrow = left < 0;
        total[i] = static_cast<uint8_t>(left);
    }
}

Bytes combined(gfab_operator op, const gfab_timing &timing, const Bytes &a, const Bytes &b)
{
    if (op == GFAB_OPERATOR_BFLOAT16)
        return bfloat16_sums(a, b);
    if (op == GFAB_OPERATOR_USER)
        return by_flits(timing.link_bits, a, b);
    if (op >= GFAB_OPERATOR_MIN)
        return picked(op, timing.token_bits, a, b);
    Bytes result(a.size(), 0);
    int carry = 0;
    for (uint32_t i = 0; i < timing.token_bits; i++) {
        const int x = bit_of(a, i), y = bit_of(b, i), sum = x + y + carry;
        carry = sum >> 1;
        const int value = op == GFAB_OPERATOR_SUM   ? sum & 1
                          : op == GFAB_OPERATOR_AND ? x & y
                          : op == GFAB_OPERATOR_OR  ? x | y
                                                    : x ^ y;
        result[i / 8] |= static_cast<uint8_t>(value << i % 8);
    }
    return result;
}

Expressions read_expressions(const std::string &path)
{
    Expressions expressions;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const size_t colon = line.find(": ");
        std::string word, text = line.substr(0, colon);
        uint32_t block;
        std::istringstream words(text.replace(text.find(','), 1, " "));
        if (colon == std::string::npos || !(words >> word >> block >> word))
            throw BadInput(path + ": " + line);
        if (word == "every")
            expressions[{block, ANY_NODE}] = line.substr(colon + 2);
        for (uint32_t node; word != "every" && words >> node;)
            expressions[{block, node}] = line.substr(colon + 2);
    }
    if (expressions.empty())
        throw BadInput("no expressions in " + path);
    return expressions;
}

Bytes expressed(const Expressions &expressions, uint32_t block, uint32_t node, const std::vector<Bytes> &own,
                const std::function<Bytes(const Bytes &, const Bytes &)> &combine)
{
    const auto any = expressions.find({block, ANY_NODE}), found = expressions.find({block, node});
    if (any == expressions.end() && found == expressions.end())
        throw BadInput("no expression of block " + std::to_string(block) + " for node " + std::to_string(node));
    const std::string &text = found != expressions.end() ? found->second : any->second;
    // Every ")" makes one of the two operands that are on top.
    std::vector<Bytes> stack;
    for (size_t at = 0; at < text.size(); at++)
        if (text[at] == 'n') {
            stack.push_back(own.at(std::stoul(text.substr(at + 1))));
        } else if (text[at] == ')') {
            const Bytes right = stack.back();
            stack.pop_back();
            stack.back() = combine(stack.back(), right);
        }
    return stack.at(0);
}
