/* SPDX-License-Identifier: MIT */
"use strict";

/* How far the nodes are, by round; also what one drags to choose a round. */
class Curve {
    constructor(canvas, replay, bound) {
        Object.assign(this, { canvas, replay, bound });
        this.context = canvas.getContext("2d");
        this.left = 52;
        this.right = 16;
        this.top = 24;
        this.bottom = 32;
    }

    fit() {
        const ratio = window.devicePixelRatio || 1;
        this.width = this.canvas.clientWidth;
        this.height = this.canvas.clientHeight;
        this.canvas.width = Math.round(this.width * ratio);
        this.canvas.height = Math.round(this.height * ratio);
        this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    }

    x(round) {
        return this.left + (this.width - this.left - this.right) * round / Math.max(1, this.replay.rounds);
    }

    y(share) {
        return this.height - this.bottom - (this.height - this.top - this.bottom) * share;
    }

    roundAt(x) {
        const share = (x - this.left) / (this.width - this.left - this.right);
        return Math.min(Math.max(Math.round(share * this.replay.rounds), 0), this.replay.rounds);
    }

    path(values) {
        values.forEach((value, round) => this.context[round ? "lineTo" : "moveTo"](this.x(round), this.y(value)));
    }

    stroke(values, style, width, dash = []) {
        const { context } = this;
        context.strokeStyle = style;
        context.lineWidth = width;
        context.setLineDash(dash);
        context.beginPath();
        this.path(values);
        context.stroke();
        context.setLineDash([]);
    }

    drawAxes(colours) {
        const { context, replay } = this;
        context.strokeStyle = colours.line;
        context.fillStyle = colours.quiet;
        context.font = `11px ${FONT}`;
        context.lineWidth = 1;
        context.textAlign = "right";
        context.textBaseline = "middle";
        for (const share of [0, 0.5, 1]) {
            context.beginPath();
            context.moveTo(this.left, this.y(share));
            context.lineTo(this.width - this.right, this.y(share));
            context.stroke();
            context.fillText(`${100 * share} %`, this.left - 7, this.y(share));
        }
        context.textAlign = "center";
        context.textBaseline = "top";
        const step = niceStep(replay.rounds, (this.width - this.left - this.right) / 56);
        for (let round = 0; round <= replay.rounds; round += step)
            context.fillText(round, this.x(round), this.height - this.bottom + 5);
        context.fillText("round", (this.left + this.width - this.right) / 2, this.height - 13);
        context.save();
        context.translate(9, (this.top + this.height - this.bottom) / 2);
        context.rotate(-Math.PI / 2);
        context.fillText(replay.goal.combines ? "contributions" : `${replay.goal.word}s held`, 0, -4);
        context.restore();
    }

    /* The range of all nodes, their mean, and, of a picked node, its own curve beside the most that is possible. */
    drawCurves(colours, node) {
        const { context, replay } = this;
        context.fillStyle = colours.band;
        context.beginPath();
        this.path(replay.most);
        for (let round = replay.rounds; round >= 0; round--)
            context.lineTo(this.x(round), this.y(replay.least[round]));
        context.fill();
        this.stroke(replay.mean, colours.quiet, 1.5);
        if (node >= 0) {
            if (this.of !== node) {
                this.of = node;
                this.own = replay.nodeCurve(node);
                this.most = replay.nodeBound(node);
            }
            if (this.most)
                this.stroke(this.most, colours.ink, 1.25, [2, 3]);
            this.stroke(this.own, colours.accent, 2.25);
        }
        if (this.bound > 0 && this.bound <= replay.rounds) {
            context.strokeStyle = colours.ink;
            context.lineWidth = 1;
            context.setLineDash([5, 3]);
            context.beginPath();
            context.moveTo(this.x(this.bound), this.top);
            context.lineTo(this.x(this.bound), this.height - this.bottom);
            context.stroke();
            context.setLineDash([]);
        }
    }

    drawLegend(colours, node) {
        const { context } = this;
        const narrow = this.width < 480;
        const all = narrow ? "all nodes" : "all nodes, least to most";
        const entries = [[all, colours.band, 9], ["mean", colours.quiet, 1.5]];
        if (node >= 0)
            entries.push([`node ${node}`, colours.accent, 2.5]);
        if (node >= 0 && this.most)
            entries.push([narrow ? "at most" : `the most node ${node} can have`, colours.ink, 1.25, [2, 3]]);
        if (this.bound > 0)
            entries.push([narrow ? "bound" : `lower bound, ${this.bound} rounds`, colours.ink, 1, [5, 3]]);
        let x = this.left;
        context.textAlign = "left";
        context.textBaseline = "middle";
        for (const [text, style, width, dash] of entries) {
            context.strokeStyle = style;
            context.lineWidth = width;
            context.setLineDash(dash || []);
            context.beginPath();
            context.moveTo(x, 6);
            context.lineTo(x + 18, 6);
            context.stroke();
            context.setLineDash([]);
            context.fillStyle = colours.quiet;
            context.fillText(text, x + 23, 6.5);
            x += 42 + context.measureText(text).width;
        }
    }

    /* time: the round, with its fraction while tokens move. */
    draw(colours, time, node) {
        const { context } = this;
        this.fit();
        context.clearRect(0, 0, this.width, this.height);
        this.drawCurves(colours, node);
        this.drawAxes(colours);
        this.drawLegend(colours, node);
        context.strokeStyle = context.fillStyle = colours.accent;
        context.lineWidth = 2;
        context.beginPath();
        context.moveTo(this.x(time), this.top);
        context.lineTo(this.x(time), this.height - this.bottom);
        context.stroke();
        context.beginPath();
        context.arc(this.x(time), this.top, 5, 0, 2 * Math.PI);
        context.fill();
    }
}

/* 1, 2 or 5 times a power of ten, so that no more than `most` steps make the range. */
function niceStep(range, most) {
    for (let power = 1;; power *= 10)
        for (const factor of [1, 2, 5])
            if (range / (power * factor) <= Math.max(1, most))
                return power * factor;
}
