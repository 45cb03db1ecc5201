/* SPDX-License-Identifier: MIT */
"use strict";

/* A ring fabric: stores by address, and the counter that is the same in all nodes. A square of a store is an address:
 * the distance, along its ring, from the node where a token starts or a block becomes a total, and its part there. */
class Wave {
    constructor(graph, data, replay) {
        Object.assign(this, data);
        this.nodes = graph.nodeCount;
        this.goal = replay.goal;
        this.parts = this.goal.blocks / this.nodes; // of a node: for each ring, and round of its blocks, one
        this.before = this.table(); // [ring][node]
        this.at = [];    // [ring][place]: the node
        this.place = []; // [ring][node]
        for (const before of this.before) {
            const at = [this.order[0]], place = [];
            while (at.length < this.nodes)
                at.unshift(before[at[0]]);
            at.forEach((node, i) => { place[node] = i; });
            this.at.push(at);
            this.place.push(place);
        }
        this.written = []; // [round]: the addresses that every node writes, rising
        for (let round = 1; round <= replay.rounds; round++)
            this.written[round] = this.check(round, replay);
    }

    table() {
        return Array.from({ length: this.rings }, (_, ring) => {
            const before = [];
            this.order.forEach((node, k) => { before[node] = this.from[ring * this.nodes + k]; });
            return before;
        });
    }

    cell(node, block) {
        const part = block % this.parts, place = this.place[part % this.rings];
        const distance = (place[node] - place[Math.floor(block / this.parts)] + this.nodes) % this.nodes;
        return distance * this.parts + part;
    }

    /* What stands at an address. */
    block(node, cell) {
        const part = cell % this.parts, ring = part % this.rings;
        const place = this.place[ring][node] - Math.floor(cell / this.parts) + this.nodes;
        return this.at[ring][place % this.nodes] * this.parts + part;
    }

    /* One counter: all nodes write the same addresses in a round, and but for chords what comes along a ring. */
    check(round, replay) {
        const cells = Array.from({ length: this.nodes }, () => []);
        for (const { from, to, words } of replay.packets(round))
            for (const { block } of words) {
                cells[to].push(this.cell(to, block));
                if (this.before[block % this.parts % this.rings][to] !== from && (this.abreast === 1 || round > 1))
                    replay.fault(`round ${round}: node ${to} gets something that does not come along its ring`);
            }
        for (const list of cells)
            list.sort((a, b) => a - b);
        const odd = cells.findIndex(list => `${list}` !== `${cells[0]}`);
        if (odd > 0)
            replay.fault(`round ${round}: node ${odd} does not write what node 0 writes`);
        return cells[0];
    }

    distances(round) {
        return [...new Set((this.written[round] ?? []).map(cell => Math.floor(cell / this.parts)))];
    }

    /* In a line, for the round that is shown. */
    cycle(round) {
        return `cycle ${this.cycles[round]} of ${this.cycles.at(-1)}`;
    }

    /* The counter, in sentences. */
    about(round) {
        if (round === 0)
            return "Before the start every node has its own at distance 0. One counter tells all nodes what " +
                   "they read and write.";
        const distances = this.distances(round).join(", ");
        const words = this.words > 1 ? `, words 0 to ${this.words - 1}` : "";
        return `Round ${round} takes cycles ${this.cycles[round - 1] + 1} to ${this.cycles[round]}. In it every node ` +
               `writes the same addresses: distance ${distances}${words}. They have a frame.`;
    }
}
