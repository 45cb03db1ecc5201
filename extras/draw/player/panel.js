/* SPDX-License-Identifier: MIT */
"use strict";

function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}

/* A canvas as wide as the panel, drawn once it is in the page: draw(context, width, height). */
function picture(height, draw) {
    const canvas = element("canvas");
    canvas.redraw = () => {
        const ratio = window.devicePixelRatio || 1;
        const width = canvas.clientWidth;
        canvas.style.height = `${height}px`;
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        const context = canvas.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        draw(context, width, height);
    };
    return canvas;
}

const BEFORE = 2, AFTER = 4; // rounds of a node's program about the one that is shown
const MOST_ROWS = 40;

/* What stands beside the network: about the schedule, or about what is picked. */
class Panel {
    constructor(root, player) {
        Object.assign(this, { root, player });
    }

    get replay() {
        return this.player.replay;
    }

    get graph() {
        return this.player.graph;
    }

    show() {
        const { kind, index } = this.player.picked;
        const about = { none: this.aboutAll, node: this.aboutNode, link: this.aboutLink, token: this.aboutToken }[kind];
        const scrolled = this.root.scrollTop;
        this.root.replaceChildren(...about.call(this, index));
        for (const canvas of this.root.querySelectorAll("canvas"))
            canvas.redraw();
        this.root.scrollTop = scrolled;
        const now = [...this.root.querySelectorAll("tr.now")];
        now.at(-1)?.scrollIntoView({ block: "nearest" });
        now[0]?.scrollIntoView({ block: "nearest" });
    }

    pickable(kind, index, text) {
        const pick = event => {
            event.preventDefault();
            this.player.pick({ kind, index });
        };
        return element("a", { href: "#", onclick: pick }, text);
    }

    node(index) {
        return this.pickable("node", index, String(index));
    }

    token(index) {
        return this.pickable("token", index, String(index));
    }

    table(heads, rows) {
        const head = element("tr", {}, ...heads.map(text => element("th", {}, text)));
        return element("table", {}, head, ...rows.map(({ now, cells }) => element("tr", { className: now ? "now" : "" },
                       ...cells.map(cell => element("td", {}, ...[cell].flat())))));
    }

    /* ---- nothing picked ---- */

    aboutAll() {
        const { replay, graph, player } = this;
        const { goal, model } = replay;
        const moves = replay.data.rounds.reduce((sum, round) => sum + round.filter(number => number < 0).length, 0);
        let room = 0;
        for (let link = 0; link < graph.linkCount; link++)
            room += replay.rounds * graph.room(link, model.link);
        const facts = [
            ["nodes, links", `${graph.nodeCount}, ${graph.linkCount}`],
            [goal.gossip ? "tokens" : "blocks",
             `${goal.blocks}${replay.wave?.room ? `, ${replay.wave.room} of them room for more` : ""}`],
            ["rounds", player.bound ? `${replay.rounds}; lower bound ${player.bound}` : String(replay.rounds)],
            ["link use", `${(100 * moves / room).toFixed(1)} % of the link rounds`],
            ["links", `${model.link} duplex`],
            ["ports", model.port === "one" ? "a node uses one link in a round" : "a node uses all links"],
            ["packets", plural(model.packet, goal.word) + (model.routing === "circuit" ? ", over paths" : "")],
            ["solver", replay.data.solver || "unknown"],
        ];
        const rows = facts.map(cells => ({ now: false, cells }));
        return [element("h2", {}, "The schedule"), this.table(["", ""], rows),
                ...(replay.wave ? [element("h2", {}, "The counter"),
                                   element("p", {}, replay.wave.about(player.round))] : []),
                ...(player.showUse ? this.useLegend() : this.colourLegend()),
                element("p", { className: "quiet" }, `Pick a node, a link or a ${goal.word} to follow it.`)];
    }

    colourLegend() {
        const { replay: { goal }, player } = this;
        const text = this.replay.wave
            ? `A square in a node is an address: the distance from where a ${goal.word} ${goal.gossip ? "started"
                                                                           : "becomes a total"}, along its ring. ` +
              "Its colour says where that is:"
            : goal.combines
            ? "A square in a node is a block; its colour is full once all contributions are in it."
            : `A square in a node is a ${goal.word} that it has, in the colour of where it started:`;
        const parts = [element("p", {}, text)];
        if (goal.home(0) >= 0)
            parts.push(this.map(player.palette));
        return parts;
    }

    /* The graph's nodes in the colours of their tokens. */
    map(palette) {
        const { graph, replay: { goal } } = this;
        const wide = Math.max(...graph.x, 1), high = Math.max(...graph.y, 1);
        const height = Math.min(180, 60 + 250 * high / wide);
        const colourOf = new Map();
        for (let block = goal.blocks; block-- > 0;)
            colourOf.set(goal.home(block), palette.blocks[block]);
        return picture(height, (context, width) => {
            const scale = Math.min((width - 24) / wide, (height - 24) / high);
            const radius = Math.min(9, Math.max(1.5, 0.36 * this.player.scene.pitch * scale));
            for (const [node, colour] of colourOf) {
                context.fillStyle = css(colour);
                context.beginPath();
                context.arc(width / 2 + (graph.x[node] - wide / 2) * scale,
                            height / 2 + (graph.y[node] - high / 2) * scale, radius, 0, 2 * Math.PI);
                context.fill();
            }
        });
    }

    useLegend() {
        const { scene, palette, round } = this.player;
        const stops = Array.from({ length: 9 }, (_, i) => css(heatColour(i / 8, palette.dark)));
        const ramp = element("span", { className: "ramp" });
        ramp.style.background = `linear-gradient(to right, ${stops.join()})`;
        return [element("p", {}, `Packets over each link up to round ${round}, both ways together:`), ramp,
                element("p", { className: "ends" }, element("span", {}, "0"),
                        element("span", {}, plural(scene.mostUse, "packet")))];
    }

    /* ---- a node ---- */

    aboutNode(node) {
        const { replay, player } = this;
        const { goal } = replay;
        const has = replay.holding(node, player.round), all = replay.atEnd[node];
        const what = goal.combines ? `${has} of ${all} contributions to what it wants`
                   : all ? `${has} of ${plural(all, goal.word)}` : `wants no ${goal.word}`;
        return [element("h2", {}, `Node ${replay.graph.nodeName(node)}`),
                element("p", {}, `${what} after round ${player.round}.`),
                this.store(node), element("h2", {}, player.rom ? "Program" : "What it does"), this.program(node)];
    }

    /* Its store, large; a square picks its token. */
    store(node) {
        const { player, replay: { goal } } = this;
        const { stores } = player.scene;
        const cell = Math.min(40, 304 / stores.columns, 240 / stores.rows);
        const canvas = picture(cell * stores.rows, context => {
            canvas.cell = cell;
            stores.draw(context, node, 0, 0, canvas.cell * stores.columns, canvas.cell * stores.rows);
            if (canvas.cell < 17)
                return;
            context.font = `${Math.min(12, 0.42 * canvas.cell)}px ${FONT}`;
            context.textAlign = "center";
            context.textBaseline = "middle";
            for (let block = 0; block < goal.blocks; block++) {
                const amount = this.replay.amount(node, block, player.round);
                const at = stores.wave?.cell(node, block) ?? block;
                context.fillStyle = amount === this.replay.full ? player.palette.texts[block] : player.colours.ink;
                if (amount > 0)
                    context.fillText(goal.combines ? amount : block, (at % stores.columns + 0.5) * canvas.cell,
                                     (Math.floor(at / stores.columns) + 0.5) * canvas.cell);
            }
        });
        canvas.id = "store";
        canvas.onclick = event => {
            const row = Math.floor(event.offsetY / canvas.cell), column = Math.floor(event.offsetX / canvas.cell);
            const at = row * stores.columns + column;
            if (column < stores.columns && at < goal.blocks)
                player.pick({ kind: "token", index: stores.wave?.block(node, at) ?? at });
        };
        return canvas;
    }

    /* Its ops about the round that is shown, with their ROM words where there are any. */
    program(node) {
        const { player: { rom, round: shown }, replay } = this;
        const [heads, rowsOf] = !rom ? [["round", "op"], this.opRows]
                              : rom.wide ? [["round", "addr.", "word, ops"], this.wideRows]
                              : [["round", "addr.", "word", "op"], this.narrowRows];
        const rows = [];
        const first = Math.max(1, Math.min(shown, replay.rounds - AFTER) - BEFORE);
        for (let round = first; round <= Math.min(replay.rounds, first + BEFORE + AFTER); round++)
            rows.push(...rowsOf.call(this, node, round).map(cells => ({ now: round === shown, cells })));
        return this.table(heads, rows);
    }

    opRows(node, round) {
        const packets = this.replay.packets(round);
        return this.graph.ports[node].map(port => this.ops(packets, node, port)).filter(ops => ops.length)
            .map(ops => [String(round), ops]);
    }

    /* A word for each lane. */
    narrowRows(node, round) {
        const { rom, which } = this.player;
        const packets = this.replay.packets(round);
        return this.byLane(node).map(({ lane, port }) => {
            const ops = this.ops(packets, node, port), address = rom.address(which, round, lane);
            return [String(round), element("code", {}, String(address)), element("code", {}, rom.word(node, address)),
                    ops.length ? ops : this.idle()];
        });
    }

    /* One word, and below it what it says of the lanes that do something. */
    wideRows(node, round) {
        const { rom, which } = this.player;
        const packets = this.replay.packets(round);
        const address = rom.address(which, round, 0), word = rom.word(node, address), fields = rom.fields(word);
        const lanes = this.byLane(node).map(({ lane, port }) => (
            { lane, ops: this.ops(packets, node, port, sends => this.cell(fields, lane, sends)) }));
        const busy = lanes.filter(({ ops }) => ops.length);
        const whole = element("code", { className: "wide" }, word);
        return [[String(round), element("code", {}, String(address)), whole],
                ...busy.map(({ lane, ops }) => ["", element("span", { className: "whole" }, `lane ${lane}`), ops]),
                ...(busy.length ? [] : [["", "", this.idle()]])];
    }

    /* Where in its banks a wide node has what a lane sends, or puts what it receives. */
    cell({ reads, sends, stores, olds }, lane, sending) {
        const whole = text => [", ", element("span", { className: "whole" }, text)];
        if (sending)
            return whole(`bank ${sends[lane]} address ${reads[sends[lane]]}`);
        const banks = stores.flatMap((lanes, bank) => lanes.includes(lane) ? [bank] : []);
        return banks.flatMap(bank => whole(`bank ${bank}${olds[bank] < 0 ? "" : ` with address ${olds[bank]}`}`));
    }

    byLane(node) {
        const lanes = this.graph.ports[node].map((port, i) => ({ lane: this.player.rom.lanes[node][i], port }));
        return lanes.sort((a, b) => a.lane - b.lane);
    }

    idle() {
        return element("span", { className: "quiet" }, "idle");
    }

    /* What a port does; where(sends) is put behind it. */
    ops(packets, node, port, where = () => []) {
        const parts = [];
        for (const packet of packets) {
            const sends = packet.arcs.includes(port.out), receives = packet.arcs.includes(port.out ^ 1);
            if (!sends && !receives)
                continue;
            const passes = sends ? packet.from !== node : packet.to !== node;
            const verb = passes ? "pass" : sends ? "send" : packet.words[0].combine ? "add" : "store";
            if (parts.length)
                parts.push("; ");
            parts.push(`${verb} `);
            packet.words.slice(0, 4).forEach(({ block }, i) => parts.push(i ? ", " : "", this.token(block)));
            if (packet.words.length > 4)
                parts.push(` and ${packet.words.length - 4} more`);
            parts.push(sends ? " to " : " from ", this.node(port.peer), ...where(sends));
        }
        return parts;
    }

    /* ---- a link ---- */

    aboutLink(link) {
        const { graph, replay, player } = this;
        const [a, b] = [graph.ends[2 * link], graph.ends[2 * link + 1]];
        const moves = replay.linkMoves(link);
        const soFar = moves.filter(move => move.round <= player.round);
        const there = soFar.filter(move => move.way === 0).length;
        const near = moves.filter(move => Math.abs(move.round - player.round) <= MOST_ROWS / 2);
        const rows = near.map(({ round, way, packet }) => ({ now: round === player.round, cells: [
            String(round), [this.node(way ? b : a), " → ", this.node(way ? a : b)], this.words(packet)] }));
        return [element("h2", {}, `Link ${link}`),
                element("p", {}, "between nodes ", this.node(a), " and ", this.node(b), this.weights(link)),
                element("p", {}, `${plural(soFar.length, "packet")} up to round ${player.round}: ${there} to ${b}, ` +
                                 `${soFar.length - there} to ${a}; ${moves.length} in all ${replay.rounds} rounds.`),
                this.strip(moves, a, b), this.table(["round", "way", `${replay.goal.word}s`], rows)];
    }

    /* What a link carries in a round, where that is not one packet each way or either way. */
    weights(link) {
        const { graph } = this;
        const [there, back] = [graph.weight(2 * link), graph.weight(2 * link + 1)];
        return there === 1 && back === 1 ? "."
             : `; it carries ${there}${there === back ? "" : ` there, ${back} back,`} in a round.`;
    }

    words(packet) {
        const parts = packet.words.slice(0, 6).flatMap(({ block }, i) => [i ? ", " : "", this.token(block)]);
        return packet.words.length > 6 ? [...parts, ` and ${packet.words.length - 6} more`] : parts;
    }

    /* A row for each way, a column for each round, in the token's colour. */
    strip(moves, a, b) {
        const { player, replay } = this;
        const canvas = picture(66, (context, width) => {
            const left = 44, wide = (width - left) / Math.max(1, replay.rounds);
            context.font = `11px ${FONT}`;
            context.textBaseline = "middle";
            context.fillStyle = player.colours.quiet;
            [b, a].forEach((to, way) => context.fillText(`to ${to}`, 0, 15 + 24 * way));
            context.fillText("round 1", left, 60);
            context.textAlign = "right";
            context.fillText(replay.rounds, width, 60);
            context.fillStyle = player.colours.empty;
            context.fillRect(left, 5, width - left, 20);
            context.fillRect(left, 29, width - left, 20);
            for (const { round, way, packet } of moves) {
                context.fillStyle = css(player.palette.blocks[packet.words[0].block]);
                context.fillRect(left + (round - 1) * wide, 5 + 24 * way, Math.max(wide - (wide > 4 ? 1 : 0), 0.8), 20);
            }
            context.fillStyle = player.colours.accent;
            if (player.round > 0)
                context.fillRect(left + (player.round - 0.5) * wide - 1, 2, 2, 50);
        });
        return canvas;
    }

    /* ---- a token, or a block ---- */

    aboutToken(block) {
        const { replay, player, graph } = this;
        const { goal } = replay;
        const home = goal.home(block);
        const title = element("h2", {}, element("span", { className: "swatch" }),
                              `${goal.gossip ? "Token" : "Block"} ${block}`);
        title.firstChild.style.background = css(player.palette.blocks[block]);
        const whole = graph.members.filter(node => replay.amount(node, block, player.round) === replay.full).length;
        const parts = [title];
        if (home >= 0)
            parts.push(element("p", {}, goal.combines ? "Its owner is node " : "It starts at node ", this.node(home),
                               "."));
        parts.push(element("p", {}, `${whole} of ${graph.members.length} ${graph.membersAre}s have ` +
                                    `${goal.combines ? "its total" : "it"} after round ${player.round}.`));
        const near = player.tree.slice().sort((x, y) => x.round - y.round || graph.to(x.arc) - graph.to(y.arc));
        const now = near.findIndex(({ round }) => round >= player.round);
        const from = Math.max(0, Math.min(now, near.length - MOST_ROWS));
        const rows = near.slice(from, from + MOST_ROWS).map(({ arc, round }) => ({ now: round === player.round, cells: [
            String(round), [this.node(graph.from(arc)), " → ", this.node(graph.to(arc))],
            goal.combines ? `${replay.amount(graph.to(arc), block, round)} of ${replay.full}` : ""] }));
        parts.push(this.table(["round", "way", goal.combines ? "sum there" : ""], rows));
        return parts;
    }
}
