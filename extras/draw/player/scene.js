/* SPDX-License-Identifier: MIT */
"use strict";

// Where a token stands on its way when nothing moves; where the way is not drawn whole, near the sender.
const REST = 0.5, REST_BEFORE_JUMP = 0.25;

/* Stores as small pictures, a pixel a block: those of all nodes in one, a few rows and columns of them. */
class Stores {
    constructor(graph, replay) {
        Object.assign(this, { graph, replay, round: -1 });
        const { blocks } = replay.goal;
        const [rows, columns] = graph.sides.length === 2 ? graph.sides : [0, 0];
        const grid = blocks === graph.nodeCount && rows && Math.max(rows / columns, columns / rows) < 2.5;
        this.wave = replay.wave;
        this.columns = this.wave ? this.wave.parts * 2 ** Math.round(Math.log2(Math.sqrt(blocks) / this.wave.parts))
                     : grid ? columns : Math.ceil(Math.sqrt(blocks));
        this.rows = Math.ceil(blocks / this.columns);
        this.across = Math.ceil(Math.sqrt(graph.nodeCount));
        this.picture = document.createElement("canvas");
        this.picture.width = this.across * this.columns;
        this.picture.height = Math.ceil(graph.nodeCount / this.across) * this.rows;
        this.context = this.picture.getContext("2d");
        this.pixels = this.context.createImageData(this.picture.width, this.picture.height);
        this.has = new Float64Array(graph.nodeCount);
    }

    x(node) {
        return node % this.across * this.columns;
    }

    y(node) {
        return Math.floor(node / this.across) * this.rows;
    }

    /* Partial sums are pale, and take their colour as they grow. */
    colour(block, amount) {
        const share = amount / this.replay.full;
        return amount === 0 ? this.empty
             : share === 1 ? this.palette.blocks[block]
             : mix(this.empty, this.palette.blocks[block], 0.75 * share ** 0.6);
    }

    put(node, block, amount) {
        const cell = this.wave?.cell(node, block) ?? block;
        const x = this.x(node) + cell % this.columns;
        const y = this.y(node) + Math.floor(cell / this.columns);
        const at = 4 * (y * this.picture.width + x);
        this.pixels.data.set(this.colour(block, amount), at);
        this.pixels.data[at + 3] = 255;
    }

    use(palette, empty) {
        Object.assign(this, { palette, empty, round: -1 });
    }

    /* What came in a round, each block of a node once: [{ node, block }]. */
    changes(round) {
        const { blocks } = this.replay.goal;
        const at = new Set();
        for (const packet of this.replay.packets(round))
            for (const { block } of packet.words)
                at.add(packet.to * blocks + block);
        return Array.from(at, i => ({ node: Math.floor(i / blocks), block: i % blocks }));
    }

    /* To a round: the next one changes what came in it, any other is drawn anew. */
    update(round) {
        const { replay } = this;
        if (round === this.round)
            return;
        if (round === this.round + 1 && this.round >= 0) {
            for (const { node, block } of this.changes(round)) {
                const amount = replay.amount(node, block, round);
                this.put(node, block, amount);
                if (replay.goal.wants(node, block))
                    this.has[node] += amount - replay.amount(node, block, round - 1);
            }
        } else {
            for (let node = 0; node < this.graph.nodeCount; node++) {
                this.has[node] = replay.holding(node, round);
                for (let block = 0; block < replay.goal.blocks; block++)
                    this.put(node, block, replay.amount(node, block, round));
            }
        }
        this.context.putImageData(this.pixels, 0, 0);
        this.round = round;
    }

    complete(node) {
        return this.replay.atEnd[node] > 0 && this.has[node] === this.replay.atEnd[node];
    }

    draw(context, node, x, y, width, height) {
        context.imageSmoothingEnabled = width < 1.5 * this.columns;
        context.drawImage(this.picture, this.x(node), this.y(node), this.columns, this.rows, x, y, width, height);
        if (width / this.columns < 5)
            return;
        context.strokeStyle = this.ground;
        context.lineWidth = 1;
        context.beginPath();
        for (let i = 1; i < this.columns; i++) {
            context.moveTo(x + width * i / this.columns, y);
            context.lineTo(x + width * i / this.columns, y + height);
        }
        for (let i = 1; i < this.rows; i++) {
            context.moveTo(x, y + height * i / this.rows);
            context.lineTo(x + width, y + height * i / this.rows);
        }
        context.stroke();
        const [wide, high] = [width / this.columns, height / this.rows];
        context.strokeStyle = this.accent;
        context.lineWidth = wide < 12 ? 1 : 2;
        for (const cell of this.wave?.written[this.round] ?? []) // the same in all nodes
            context.strokeRect(x + cell % this.columns * wide, y + Math.floor(cell / this.columns) * high, wide, high);
    }
}

/* A way on the canvas: straight pieces, with jumps between some. */
class Way {
    constructor(pieces) {
        this.pieces = pieces;
        this.length = pieces.reduce((sum, [ax, ay, bx, by]) => sum + Math.hypot(bx - ax, by - ay), 0);
    }

    /* Calls visit(ax, ay, bx, by) for what lies before the share; returns the point there. */
    upTo(share, visit = () => {}) {
        let left = share * this.length;
        let point = { x: this.pieces[0][0], y: this.pieces[0][1] };
        for (const [ax, ay, bx, by] of this.pieces) {
            const length = Math.hypot(bx - ax, by - ay);
            const part = length > 0 ? Math.min(1, left / length) : 1;
            point = { x: ax + (bx - ax) * part, y: ay + (by - ay) * part };
            visit(ax, ay, point.x, point.y);
            left -= length;
            if (left <= 0)
                break;
        }
        return point;
    }
}

/* The network on a canvas. */
class Scene {
    constructor(canvas, graph, replay) {
        Object.assign(this, { canvas, graph, replay, zoom: 1, panX: 0, panY: 0, discs: [] });
        this.context = canvas.getContext("2d");
        this.stores = new Stores(graph, replay);
        this.pitch = this.nearest();
        this.thickness = this.thicknesses();
        this.mostUse = Math.max(...replay.linkUse(replay.rounds), 1);
    }

    /* The least distance of two nodes, one unit at most. */
    nearest() {
        const { x, y, unit, nodeCount } = this.graph;
        let least = unit * unit;
        for (let i = 0; i < nodeCount; i++)
            for (let j = 0; j < i; j++)
                least = Math.min(least, (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2);
        return Math.sqrt(least);
    }

    use(palette, colours) {
        Object.assign(this, { palette, colours });
        this.stores.use(palette, colours.emptyRgb);
        Object.assign(this.stores, { ground: colours.ground, accent: colours.ink });
    }

    /* ---- from places to pixels ---- */

    fit() {
        const { graph, canvas, context } = this;
        const ratio = window.devicePixelRatio || 1;
        const width = canvas.clientWidth, height = canvas.clientHeight;
        if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(height * ratio);
        }
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        const margin = 0.85 * this.pitch;
        const wide = Math.max(...graph.x) + 2 * margin, high = Math.max(...graph.y) + 2 * margin;
        const fitted = Math.min(width / wide, height / high, 190 / this.pitch);
        this.scale = fitted * this.zoom;
        this.originX = width / 2 + this.panX - (wide / 2 - margin) * this.scale;
        this.originY = height / 2 + this.panY - (high / 2 - margin) * this.scale;
        const grid = graph.sides.length > 1;
        const side = Math.min((grid ? 0.56 : 0.6) * this.pitch * this.scale, 104 * this.zoom);
        const { columns, rows } = this.stores;
        this.nodeWidth = side * Math.min(1, columns / rows);
        this.nodeHeight = side * Math.min(1, rows / columns);
        this.step = this.pitch * this.scale; // pixels between the nearest nodes
        const share = (grid ? 0.115 : 0.16) * (this.replay.model.link === "full" ? 0.85 : 1);
        this.radius = Math.min(Math.max(share * this.step, 1.6), 13);
    }

    at(node) {
        return { x: this.originX + this.graph.x[node] * this.scale, y: this.originY + this.graph.y[node] * this.scale };
    }

    /* From the middle of a node's box to its edge, that way. */
    edge(point, dx, dy) {
        const share = Math.min(this.nodeWidth / (Math.abs(dx) || 1e-9), this.nodeHeight / (Math.abs(dy) || 1e-9));
        return { x: point.x + dx * share / 2, y: point.y + dy * share / 2 };
    }

    /* An arc's pieces; full-duplex ways lie side by side. */
    pieces(arc, shift = 0) {
        const { graph } = this;
        const a = this.at(graph.from(arc)), b = this.at(graph.to(arc));
        const stub = graph.stubs.get(arc >> 1);
        const sign = arc % 2 ? -1 : 1;
        const dx = stub ? sign * stub.x * this.scale : b.x - a.x, dy = stub ? sign * stub.y * this.scale : b.y - a.y;
        const length = Math.hypot(dx, dy) || 1;
        const sx = -dy / length * shift, sy = dx / length * shift;
        const p = this.edge(a, dx, dy), q = this.edge(b, -dx, -dy);
        const move = (x0, y0, x1, y1) => [x0 + sx, y0 + sy, x1 + sx, y1 + sy];
        if (!stub)
            return [move(p.x, p.y, q.x, q.y)];
        return [move(p.x, p.y, p.x + dx, p.y + dy), move(q.x - dx, q.y - dy, q.x, q.y)];
    }

    way(packet) {
        const shift = this.replay.model.link === "full" ? 1.02 * this.radius : 0;
        return new Way(packet.arcs.flatMap(arc => this.pieces(arc, shift)));
    }

    /* ---- drawing ---- */

    line(ax, ay, bx, by) {
        this.context.moveTo(ax, ay);
        this.context.lineTo(bx, by);
    }

    trace(arc, shift = 0) {
        for (const [ax, ay, bx, by] of this.pieces(arc, shift))
            this.line(ax, ay, bx, by);
    }

    drawLinks(view) {
        const { context, graph } = this;
        const use = view.showUse ? this.replay.linkUse(view.round) : null;
        context.lineCap = "butt";
        context.lineWidth = use ? Math.min(Math.max(0.075 * this.step, 2), 10)
                                : Math.min(Math.max(0.014 * this.step, 0.8), 2.5);
        if (use) {
            for (let link = 0; link < graph.linkCount; link++) {
                context.strokeStyle = css(heatColour(use[link] / this.mostUse, this.palette.dark));
                context.beginPath();
                this.trace(2 * link);
                context.stroke();
            }
            return;
        }
        context.strokeStyle = context.fillStyle = this.colours.link;
        const thinnest = context.lineWidth;
        for (const thickness of new Set(this.thickness)) {
            context.lineWidth = thinnest * thickness;
            context.beginPath();
            for (let link = 0; link < graph.linkCount; link++)
                if (this.thickness[link] === thickness)
                    this.trace(2 * link);
            context.stroke();
        }
        if (graph.weights)
            this.drawWeights();
    }

    /* Of each link: 1, and up to 9 for the heaviest, as in pictures. */
    thicknesses() {
        const { graph } = this;
        return Array.from({ length: graph.linkCount }, (_, link) => {
            const weight = graph.room(link, "half");
            return graph.heaviest <= 9 ? weight : 1 + Math.floor((weight - 1) * 8 / (graph.heaviest - 1));
        });
    }

    /* A head where a link goes one way; x6, or x6/3 each way, at a quarter of its way. */
    drawWeights() {
        const { context, graph } = this;
        const named = this.step >= 34 && graph.linkCount <= 64;
        context.font = `${Math.min(12, Math.max(9, 0.12 * this.step))}px ${FONT}`;
        for (let link = 0; link < graph.linkCount; link++) {
            const [there, back] = [graph.weight(2 * link), graph.weight(2 * link + 1)];
            context.fillStyle = this.colours.link;
            if (there === 0 || back === 0)
                this.head(this.pieces(2 * link + (there === 0)).at(-1), 9);
            const [ax, ay, bx, by] = this.pieces(2 * link)[0];
            context.fillStyle = this.colours.quiet;
            if (!named || (there === 1 && back === 1))
                continue;
            const text = there === back ? `x${there}` : `x${there}/${back}`;
            const at = [ax + (bx - ax) / 4 + 9, ay + (by - ay) / 4 + 9];
            context.strokeStyle = this.colours.ground; // around it, where the link is thick
            context.lineWidth = 4;
            context.strokeText(text, ...at);
            context.fillText(text, ...at);
        }
    }

    drawPicked(view) {
        const { context, colours } = this;
        const { kind, index } = view.picked;
        context.lineCap = "round";
        if (kind === "link") {
            context.strokeStyle = colours.accent;
            context.lineWidth = 3 + Math.min(0.05 * this.step, 6);
            context.beginPath();
            this.trace(2 * index);
            context.stroke();
        } else if (kind === "token") {
            for (const later of [true, false]) {
                context.strokeStyle = colours.accent;
                context.globalAlpha = later ? 0.3 : 1;
                context.lineWidth = later ? 1.5 : 2 + Math.min(0.03 * this.step, 4);
                context.setLineDash(later ? [3, 4] : []);
                context.beginPath();
                for (const { arc, round } of view.tree)
                    if (round > view.round === later)
                        this.trace(arc);
                context.stroke();
            }
            context.setLineDash([]);
            context.globalAlpha = 1;
        }
    }

    /* Where the piece ends, in its direction. */
    head([ax, ay, bx, by], size) {
        const { context } = this;
        const length = Math.hypot(bx - ax, by - ay) || 1;
        const dx = (bx - ax) / length * size, dy = (by - ay) / length * size;
        context.beginPath();
        context.moveTo(bx, by);
        context.lineTo(bx - dx - 0.7 * dy, by - dy + 0.7 * dx);
        context.lineTo(bx - dx + 0.7 * dy, by - dy - 0.7 * dx);
        context.fill();
    }

    /* Every packet of the round: a tail behind it, a disc with its token's number, a head where it goes. */
    drawMoves(view) {
        const { context, palette, radius } = this;
        this.discs = [];
        context.lineCap = "butt";
        context.lineWidth = Math.max(1.2, 0.55 * radius);
        const behind = new Map();
        const switched = this.graph.switches.size > 0; // at half of their way many packets are at the switch
        for (const packet of this.replay.packets(view.moving === null ? view.round : view.round + 1)) {
            const word = packet.words.find(({ block }) => view.isToken(block)) || packet.words[0];
            const apart = view.picked.kind === "token" && !view.isToken(word.block);
            const colour = palette.blocks[word.block];
            context.globalAlpha = apart ? 0.12 : 0.5;
            context.strokeStyle = css(colour);
            context.beginPath();
            const way = this.way(packet);
            const rest = view.moving ?? (way.pieces.length > packet.arcs.length || packet.arcs.length > 1 && switched
                                         ? REST_BEFORE_JUMP : REST);
            const before = behind.get(`${packet.arcs}`) ?? 0; // packets of the same way are one behind the other
            behind.set(`${packet.arcs}`, before + 1);
            const share = Math.max(0, rest - before * 2.2 * radius / way.length);
            const point = way.upTo(share, (ax, ay, bx, by) => this.line(ax, ay, bx, by));
            context.stroke();
            context.fillStyle = css(colour);
            this.head(way.pieces.at(-1), 0.75 * radius);
            this.discs.push({ ...point, packet, word, colour, apart });
        }
        for (const { x, y, packet, word, colour, apart } of this.discs) {
            context.globalAlpha = apart ? 0.2 : 1;
            context.fillStyle = css(colour);
            context.strokeStyle = this.colours.ground;
            context.lineWidth = Math.min(1.5, 0.2 * radius);
            context.beginPath();
            context.arc(x, y, view.isToken(word.block) ? 1.35 * radius : radius, 0, 2 * Math.PI);
            context.fill();
            context.stroke();
            if (radius >= 6.5) {
                const many = packet.words.length > 1 && !view.isToken(word.block);
                const text = many ? `×${packet.words.length}` : String(word.block);
                context.fillStyle = palette.texts[word.block];
                context.font = `600 ${Math.min(radius * 1.05, 2.9 * radius / text.length)}px ${FONT}`;
                context.fillText(text, x, y + 0.5);
            }
        }
        context.globalAlpha = 1;
    }

    drawNodes(view) {
        const { context, colours, nodeWidth: width, nodeHeight: height } = this;
        const { picked } = view;
        for (let node = 0; node < this.graph.nodeCount; node++) {
            const { x, y } = this.at(node);
            const left = x - width / 2, top = y - height / 2;
            const without = picked.kind === "token" && this.replay.amount(node, picked.index, view.round) === 0;
            context.globalAlpha = without ? 0.3 : 1;
            if (this.graph.switches.has(node)) {
                context.fillStyle = colours.empty;
                context.fillRect(left, top, width, height);
            } else {
                this.stores.draw(context, node, left, top, width, height);
            }
            const complete = this.stores.complete(node);
            context.strokeStyle = complete ? colours.ink : colours.link;
            context.lineWidth = complete ? Math.min(Math.max(0.02 * this.step, 1), 2.5) : 1;
            context.strokeRect(left, top, width, height);
            context.globalAlpha = 1;
            if (picked.kind === "node" && picked.index === node) {
                context.strokeStyle = colours.accent;
                context.lineWidth = 3;
                context.strokeRect(left - 3.5, top - 3.5, width + 7, height + 7);
            }
        }
        for (let node = 0; node < this.graph.nodeCount; node++) // over the stores of others
            this.label(view, node, this.at(node).x - width / 2, this.at(node).y - height / 2);
    }

    /* The node's number beside its corner, where no link of a grid goes; a picked block's growing sum in it. */
    label(view, node, left, top) {
        const { context, replay } = this;
        if (this.step < 34)
            return;
        context.font = `${Math.min(13, Math.max(9, 0.13 * this.step))}px ${FONT}`;
        context.fillStyle = this.colours.quiet;
        context.textAlign = "left";
        context.textBaseline = "top";
        context.fillText(replay.graph.nodeName(node), left + this.nodeWidth + 3, top + this.nodeHeight + 1);
        context.textAlign = "center";
        context.textBaseline = "middle";
        if (view.picked.kind === "token" && replay.goal.combines) {
            const text = `${replay.amount(node, view.picked.index, view.round)}/${replay.full}`;
            const width = context.measureText(text).width + 8;
            const x = left + this.nodeWidth / 2, y = top + this.nodeHeight / 2;
            context.fillStyle = this.colours.ground;
            context.fillRect(x - width / 2, y - 9, width, 18);
            context.fillStyle = this.colours.ink;
            context.fillText(text, x, y);
        }
    }

    /* view: { round, moving, showUse, picked: { kind, index }, tree, isToken }. moving: how far the packets of the next
     * round are, 0 to 1; null: the round is over, and its packets are shown at rest. */
    draw(view) {
        const { context } = this;
        this.fit();
        this.stores.update(view.round);
        context.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
        context.textAlign = "center";
        context.textBaseline = "middle";
        this.drawLinks(view);
        this.drawPicked(view);
        this.discs = [];
        if (!view.showUse)
            this.drawMoves(view);
        this.drawNodes(view);
    }

    /* ---- picking ---- */

    /* What is at a point of the canvas: a token that moves, a node, a link, or nothing. */
    pick(x, y) {
        for (const disc of this.discs)
            if (Math.hypot(disc.x - x, disc.y - y) <= Math.max(this.radius, 4))
                return { kind: "token", index: disc.word.block };
        for (let node = 0; node < this.graph.nodeCount; node++) {
            const place = this.at(node);
            if (Math.abs(place.x - x) <= this.nodeWidth / 2 + 2 && Math.abs(place.y - y) <= this.nodeHeight / 2 + 2)
                return { kind: "node", index: node };
        }
        for (let link = 0; link < this.graph.linkCount; link++)
            for (const piece of this.pieces(2 * link))
                if (toPiece(x, y, piece) <= 6)
                    return { kind: "link", index: link };
        return { kind: "none", index: -1 };
    }

    zoomAt(x, y, factor) {
        const zoom = Math.min(Math.max(this.zoom * factor, 0.5), 40);
        const share = zoom / this.zoom;
        this.panX = x - this.canvas.clientWidth / 2 - (x - this.canvas.clientWidth / 2 - this.panX) * share;
        this.panY = y - this.canvas.clientHeight / 2 - (y - this.canvas.clientHeight / 2 - this.panY) * share;
        this.zoom = zoom;
    }
}

function toPiece(x, y, [ax, ay, bx, by]) {
    const dx = bx - ax, dy = by - ay;
    const share = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}
