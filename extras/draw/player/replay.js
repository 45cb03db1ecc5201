/* SPDX-License-Identifier: MIT */
"use strict";

/* The graph: arc 2 l goes over link l from its first node to its second, arc 2 l + 1 back. */
class Graph {
    constructor(data) {
        this.name = data.name;
        this.sides = data.sides;
        this.ends = data.links;
        this.linkCount = data.links.length / 2;
        this.nodeCount = data.places.length / 2;
        this.unit = data.unit;
        this.relays = new Set(data.relays ?? []); // which hold nothing and want nothing; goals know the others alone
        this.switches = new Set(data.switches ?? []); // relays that store nothing: packets pass them in their round
        this.weights = data.weights; // of each arc: packets that it carries in a round; undefined: all carry one
        this.heaviest = (data.weights ?? []).reduce((a, b) => Math.max(a, b), 1);
        this.names = data.names ?? []; // of each node, "" of one that has none
        this.members = this.nodes().filter(node => !this.relays.has(node));
        this.membersAre = this.relays.size ? "member" : "node"; // a relay has nothing of its own and wants nothing
        this.rank = this.nodes().map(node => this.members.indexOf(node));
        this.x = data.places.filter((_, i) => i % 2 === 0);
        this.y = data.places.filter((_, i) => i % 2 === 1);
        this.stubs = new Map();
        for (let i = 0; i < data.stubs.length; i += 3)
            this.stubs.set(data.stubs[i], { x: data.stubs[i + 1], y: data.stubs[i + 2] });
        this.ports = Array.from({ length: this.nodeCount }, () => []); // of each node its links, rising
        for (let link = 0; link < this.linkCount; link++)
            for (const out of [2 * link, 2 * link + 1])
                this.ports[this.from(out)].push({ link, out, peer: this.to(out) });
    }

    nodes() {
        return Array.from({ length: this.nodeCount }, (_, node) => node);
    }

    nodeName(node) {
        return this.names[node] || `${node}`;
    }

    from(arc) {
        return this.ends[arc];
    }

    to(arc) {
        return this.ends[arc ^ 1];
    }

    weight(arc) {
        return this.weights?.[arc] ?? 1;
    }

    /* Packets that the link carries in a round, both ways together. */
    room(link, mode) {
        const [there, back] = [this.weight(2 * link), this.weight(2 * link + 1)];
        return mode === "full" ? there + back : Math.max(there, back);
    }

    /* Hops from each node on a shortest way to this one: links, but those into switches. */
    distances(node) {
        const distance = new Array(this.nodeCount).fill(Infinity);
        const queue = [node];
        distance[node] = 0;
        for (let i = 0; i < queue.length; i++)
            for (const { out, peer } of this.ports[queue[i]]) {
                const away = distance[queue[i]] + (this.switches.has(queue[i]) ? 0 : 1);
                if (this.weight(out ^ 1) > 0 && away < distance[peer]) {
                    distance[peer] = away;
                    queue.push(peer);
                }
            }
        return distance;
    }
}

/* What a schedule is for, as <gossipfab/schedule/goal.h> has it. */
class Goal {
    constructor(data, graph) {
        Object.assign(this, { collective: data.collective, blocks: data.blocks, root: graph.members[data.root], graph,
                              combines: data.combines, idempotent: data.idempotent, starts: data.starts });
        this.members = graph.members.length;
        this.gossip = data.collective === "all-gather";
        this.word = this.gossip ? "token" : "block";
        if (this.gossip) { // starts[v] .. starts[v + 1] - 1 are node v's
            this.origins = new Int32Array(data.blocks);
            for (let node = 0; node < graph.nodeCount; node++)
                this.origins.fill(node, data.starts[node], data.starts[node + 1]);
        }
    }

    /* The node that a block starts at, or whose total it is; -1 where it is no node's more than another's. */
    home(block) {
        switch (this.collective) {
        case "all-gather": return this.origins[block];
        case "all-to-all": return this.graph.members[Math.floor(block / this.members)];
        case "reduce-scatter":
        case "all-reduce": return this.blocks % this.members ? -1
                                  : this.graph.members[Math.floor(block * this.members / this.blocks)];
        default: return -1;
        }
    }

    holds(node, block) {
        if (this.graph.relays.has(node))
            return false;
        if (this.combines)
            return true;
        return this.collective === "broadcast" ? node === this.root : this.home(block) === node;
    }

    wants(node, block) {
        switch (this.collective) {
        case "reduce": return node === this.root;
        case "reduce-scatter": return this.home(block) === node;
        case "all-to-all": return block % this.members === this.graph.rank[node];
        default: return !this.graph.relays.has(node);
        }
    }
}

const WORD_BITS = 32;

function plural(count, word) {
    return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/* A schedule, replayed once: what every node has after every round, and the first fault in it. */
class Replay {
    constructor(graph, data, ring) {
        this.graph = graph;
        this.data = data;
        this.model = data.model;
        this.rounds = data.rounds.length;
        this.goal = new Goal(data, graph);
        this.faults = [];
        if (this.goal.combines)
            this.beginSums();
        else
            this.beginTokens();
        this.beginProgress();
        for (let round = 1; round <= this.rounds; round++)
            this.play(round);
        this.checkEnd();
        this.wave = ring ? new Wave(graph, ring, this) : null;
    }

    /* The packets of a round: { arcs, words: [{ block, combine }] }. Negative numbers are -1 - arc. */
    packets(round) {
        const numbers = round < 1 || round > this.rounds ? [] : this.data.rounds[round - 1];
        const packets = [];
        for (let i = 0; i < numbers.length;) {
            const packet = { arcs: [], words: [] };
            for (; i < numbers.length && numbers[i] < 0; i++)
                packet.arcs.push(-1 - numbers[i]);
            for (; i < numbers.length && numbers[i] >= 0; i++)
                packet.words.push(this.goal.combines ? { block: numbers[i] >> 1, combine: numbers[i] % 2 === 1 }
                                                     : { block: numbers[i], combine: false });
            packet.from = this.graph.from(packet.arcs[0]);
            packet.to = this.graph.to(packet.arcs[packet.arcs.length - 1]);
            packets.push(packet);
        }
        return packets;
    }

    fault(text) {
        this.faults.push(text);
    }

    play(round) {
        const packets = this.packets(round);
        this.checkLinks(round, packets);
        if (this.goal.combines)
            this.playSums(round, packets);
        else
            this.playTokens(round, packets);
        this.noteProgress(round);
    }

    /* Half duplex: a link carries its weight in a round; full duplex that each way. Where there are switches these are
     * blocks: its weight times those of the longest packet. One-port: a node has one link. */
    checkLinks(round, packets) {
        const { graph } = this;
        const counts = graph.switches.size > 0;
        const unit = counts ? packets.reduce((most, { words }) => Math.max(most, words.length), 0) : 1;
        const loads = new Map();
        const busy = new Map();
        for (const packet of packets) {
            const passes = packet.arcs.slice(1).every(arc => graph.switches.has(graph.from(arc)));
            if (graph.switches.has(packet.from) || graph.switches.has(packet.to))
                this.fault(`round ${round}: a packet begins or ends at a switch`);
            for (const arc of packet.arcs) {
                const [weight, back] = [graph.weight(arc), graph.weight(arc ^ 1)];
                const load = (loads.get(arc) ?? 0) + (counts ? packet.words.length : 1);
                loads.set(arc, load);
                if (weight === 0)
                    this.fault(`round ${round}: link ${arc >> 1} does not go that way`);
                else if (load > weight * unit || this.model.link === "half" &&
                         load + (loads.get(arc ^ 1) ?? 0) > Math.max(weight, back) * unit)
                    this.fault(`round ${round}: link ${arc >> 1} ` +
                               (weight * unit === 1 ? "is used twice" : `carries more than its weight, ${weight}`));
                for (const node of this.model.port === "one" ? [graph.from(arc), graph.to(arc)] : []) {
                    if (graph.switches.has(node))
                        continue;
                    if (passes && busy.has(node) && busy.get(node) !== arc >> 1)
                        this.fault(`round ${round}: node ${node} uses two links`);
                    busy.set(node, arc >> 1);
                }
            }
        }
    }

    /* ---- what is stored as it comes ---- */

    beginTokens() {
        const { graph, goal } = this;
        this.came = new Int32Array(graph.nodeCount * goal.blocks).fill(-1); // round in which it came first; 0: held
        this.by = new Int32Array(graph.nodeCount * goal.blocks).fill(-1);   // and the last arc of its way
        for (let node = 0; node < graph.nodeCount; node++)
            for (let block = 0; block < goal.blocks; block++)
                if (goal.holds(node, block))
                    this.came[node * goal.blocks + block] = 0;
    }

    playTokens(round, packets) {
        const { goal } = this;
        for (const packet of packets) {
            for (const { block } of packet.words) {
                const sent = this.came[packet.from * goal.blocks + block];
                if (sent < 0 || sent === round || (sent > 0 && round - sent < this.model.hop))
                    this.fault(`round ${round}: node ${packet.from} sends ${goal.word} ${block}, ` +
                               "which it does not have yet");
                const at = packet.to * goal.blocks + block;
                if (this.came[at] < 0) {
                    this.came[at] = round;
                    this.by[at] = packet.arcs[packet.arcs.length - 1];
                    this.gain(packet.to, block, 1);
                }
            }
        }
    }

    /* ---- what is combined ---- */

    /* versions[node * blocks + block]: what the partial result was and became, with the nodes whose contributions are
     * in it. */
    beginSums() {
        const { graph, goal } = this;
        this.setWords = Math.ceil(graph.nodeCount / WORD_BITS);
        this.versions = [];
        for (let node = 0; node < graph.nodeCount; node++)
            for (let block = 0; block < goal.blocks; block++) {
                const set = new Uint32Array(this.setWords);
                const held = goal.holds(node, block) ? 1 : 0;
                set[Math.floor(node / WORD_BITS)] = held << node % WORD_BITS;
                this.versions.push([{ round: 0, set, size: held, by: -1 }]);
            }
    }

    playSums(round, packets) {
        const { goal } = this;
        const messages = [];
        for (const packet of packets)
            for (const { block, combine } of packet.words) {
                const sent = this.versions[packet.from * goal.blocks + block].at(-1);
                if (sent.size === 0)
                    this.fault(`round ${round}: relay ${packet.from} sends block ${block}, of which it has nothing`);
                if (sent.round > 0 && round - sent.round < this.model.hop)
                    this.fault(`round ${round}: node ${packet.from} sends block ${block}, which has just changed`);
                messages.push({ packet, block, combine, set: sent.set });
            }
        for (const message of messages)
            this.receive(round, message);
    }

    receive(round, { packet, block, combine, set }) {
        const list = this.versions[packet.to * this.goal.blocks + block];
        const had = list.at(-1);
        const next = new Uint32Array(set);
        let twice = false, size = 0;
        for (let i = 0; i < this.setWords; i++) {
            if (combine) {
                twice ||= (had.set[i] & set[i]) !== 0;
                next[i] |= had.set[i];
            }
            size += bitsOf(next[i]);
        }
        if (twice && !this.goal.idempotent)
            this.fault(`round ${round}: a contribution to block ${block} counts twice at node ${packet.to}`);
        const version = { round, set: next, size, by: packet.arcs[packet.arcs.length - 1] };
        if (had.round === round)
            list[list.length - 1] = version;
        else
            list.push(version);
        this.gain(packet.to, block, size - had.size);
    }

    /* ---- how far the nodes are ---- */

    beginProgress() {
        const { graph, goal } = this;
        const count = graph.nodeCount;
        this.has = new Float64Array(count);     // contributions or blocks of what the node wants, now
        this.atStart = new Float64Array(count); // and before round 1, and at the end
        this.atEnd = new Float64Array(count);
        for (let node = 0; node < count; node++)
            for (let block = 0; block < goal.blocks; block++)
                if (goal.wants(node, block)) {
                    this.atStart[node] += goal.holds(node, block) ? 1 : 0;
                    this.atEnd[node] += this.full;
                }
        this.has.set(this.atStart);
        this.least = [];
        this.mean = [];
        this.most = [];
        this.noteProgress(0);
    }

    gain(node, block, amount) {
        if (this.goal.wants(node, block))
            this.has[node] += amount;
    }

    /* Shares of all nodes that want something. */
    noteProgress(round) {
        let least = 1, most = 0, sum = 0, nodes = 0;
        for (let node = 0; node < this.has.length; node++) {
            if (this.atEnd[node] === 0)
                continue;
            const share = this.has[node] / this.atEnd[node];
            least = Math.min(least, share);
            most = Math.max(most, share);
            sum += share;
            nodes++;
        }
        this.least[round] = least;
        this.most[round] = most;
        this.mean[round] = nodes ? sum / nodes : 1;
    }

    checkEnd() {
        const { goal, graph } = this;
        for (let node = 0; node < graph.nodeCount; node++) {
            let lacking = 0, first = -1;
            for (let block = 0; block < goal.blocks; block++)
                if (goal.wants(node, block) && this.amount(node, block, this.rounds) < this.full) {
                    lacking++;
                    first = first < 0 ? block : first;
                }
            if (lacking)
                this.fault(`node ${node} ends without ${plural(lacking, goal.word)}, the first ${first}`);
        }
    }

    /* ---- what there is after a round ---- */

    /* Of a block, when it is all there. */
    get full() {
        return this.goal.combines ? this.goal.members : 1;
    }

    version(node, block, round) {
        const list = this.versions[node * this.goal.blocks + block];
        let i = list.length - 1;
        while (list[i].round > round)
            i--;
        return list[i];
    }

    /* 0 to full. */
    amount(node, block, round) {
        if (this.goal.combines)
            return this.version(node, block, round).size;
        const came = this.came[node * this.goal.blocks + block];
        return came >= 0 && came <= round ? 1 : 0;
    }

    /* Of what the node wants, in its own unit. */
    holding(node, round) {
        let sum = 0;
        for (let block = 0; block < this.goal.blocks; block++)
            if (this.goal.wants(node, block))
                sum += this.amount(node, block, round);
        return sum;
    }

    /* The node's share of what it wants, by round. */
    nodeCurve(node) {
        const gains = new Float64Array(this.rounds + 1);
        for (let block = 0; block < this.goal.blocks; block++) {
            if (!this.goal.wants(node, block))
                continue;
            if (this.goal.combines) {
                let size = 0;
                for (const version of this.versions[node * this.goal.blocks + block]) {
                    gains[version.round] += version.size - size;
                    size = version.size;
                }
            } else if (this.came[node * this.goal.blocks + block] >= 0) {
                gains[this.came[node * this.goal.blocks + block]]++;
            }
        }
        let sum = 0;
        return Array.from(gains, gain => (sum += gain) / (this.atEnd[node] || 1));
    }

    /* The most that any schedule can have brought the node by then: what is near enough, and what its links carry. */
    nodeBound(node) {
        const { graph, goal, model } = this;
        if (goal.combines || model.routing === "circuit")
            return null;
        const inReach = new Float64Array(this.rounds + 2);
        const distance = graph.distances(node);
        for (let block = 0; block < goal.blocks; block++) {
            if (!goal.wants(node, block))
                continue;
            const away = distance[goal.collective === "broadcast" ? goal.root : goal.home(block)];
            const round = away === 0 ? 0 : 1 + (away - 1) * model.hop;
            inReach[Math.min(round, this.rounds + 1)]++;
        }
        const weights = graph.ports[node].map(({ out }) => graph.weight(out ^ 1));
        const each = model.packet * (model.port === "one" ? Math.max(...weights) : weights.reduce((a, b) => a + b, 0));
        const curve = [];
        for (let round = 0, reach = 0, most = 0; round <= this.rounds; round++) {
            reach += inReach[round];
            most = round === 0 ? reach : Math.min(reach, most + each);
            curve.push(most / this.atEnd[node]);
        }
        return curve;
    }

    /* Packets over each link up to a round, both ways together. */
    linkUse(round) {
        const use = new Uint32Array(this.graph.linkCount);
        for (let r = 0; r < round; r++)
            for (const number of this.data.rounds[r])
                if (number < 0)
                    use[(-1 - number) >> 1]++;
        return use;
    }

    /* When a link carries what, which way: [{ round, way, packet }]. */
    linkMoves(link) {
        const moves = [];
        for (let round = 1; round <= this.rounds; round++) {
            const numbers = this.data.rounds[round - 1];
            if (!numbers.includes(-1 - 2 * link) && !numbers.includes(-2 - 2 * link))
                continue;
            for (const packet of this.packets(round))
                for (const arc of packet.arcs)
                    if (arc >> 1 === link)
                        moves.push({ round, way: arc % 2, packet });
        }
        return moves;
    }

    /* The way of a block: the arcs by which it came to nodes first, or, combined or over paths, all that it took. */
    tree(block) {
        const arcs = [];
        const every = this.goal.combines || this.model.routing === "circuit" || this.graph.switches.size > 0;
        for (let node = 0; node < this.graph.nodeCount; node++) {
            const at = node * this.goal.blocks + block;
            if (!every && this.came[at] > 0)
                arcs.push({ arc: this.by[at], round: this.came[at] });
        }
        if (every)
            for (let round = 1; round <= this.rounds; round++)
                for (const packet of this.packets(round))
                    if (packet.words.some(word => word.block === block))
                        arcs.push(...packet.arcs.map(arc => ({ arc, round })));
        return arcs;
    }
}

function bitsOf(word) {
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    return (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
