/* SPDX-License-Identifier: MIT */
"use strict";

/* The ROMs of all nodes. docs/reference/rom-format.md has the words, docs/guide/player.md the data. */
class Rom {
    constructor(data) {
        Object.assign(this, data);
    }

    /* Lanes of a wide node share a word. */
    address(program, round, lane) {
        return (this.first[program] + round - 1) * this.stride + (this.wide ? 0 : lane);
    }

    word(node, address) {
        return this.words[node].substr(address * this.digits, this.digits);
    }

    /* A wide word: of each lane the bank that it sends from, of each bank the address that it reads, the lanes that it
     * stores from, and the address of what that is combined with; -1 for none. */
    fields(word) {
        const { lanes, banks, address_bits, combines } = this.wide;
        const every = (count, make) => Array.from({ length: count }, (_, i) => make(i));
        const bitsFor = count => Math.max(1, 32 - Math.clz32(count - 1));
        let rest = BigInt(`0x${word}`);
        const take = width => {
            const value = Number(BigInt.asUintN(width, rest));
            rest >>= BigInt(width);
            return value;
        };
        const takeIf = width => {
            const there = take(1), value = take(width);
            return there ? value : -1;
        };
        const reads = every(banks, () => take(address_bits));
        const sends = every(lanes, () => takeIf(bitsFor(banks)));
        const stores = combines ? every(banks, () => every(lanes, () => take(1)).flatMap((bit, i) => bit ? [i] : []))
                                : every(banks, () => [takeIf(bitsFor(lanes))]);
        const olds = every(banks, () => combines ? takeIf(address_bits) : -1);
        return { reads, sends, stores, olds };
    }
}
