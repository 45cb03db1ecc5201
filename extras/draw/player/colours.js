/* SPDX-License-Identifier: MIT */
"use strict";

const FONT = 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif'; // as player.css has it

/* Oklab (Ottosson 2020), in which equal steps look equal, to sRGB. */
function oklab(lightness, a, b) {
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3;
    return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s].map(linear => {
        const c = Math.min(Math.max(linear, 0), 1);
        return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
    });
}

function css(rgb, alpha = 1) {
    return alpha === 1 ? `rgb(${rgb})` : `rgba(${rgb},${alpha})`;
}

function mix(from, to, share) {
    return from.map((c, i) => Math.round(c + (to[i] - c) * share));
}

/* The colour of a place, x and y from 0 to 1: across from blue over pink to orange, down from light to dark. Blue to
 * yellow and light to dark are the two ways to differ that colour-blind eyes see, too; the pink is for the others. */
function placeColour(x, y, dark) {
    const [light, deep] = dark ? [0.88, 0.56] : [0.78, 0.42];
    const across = 2 * x - 1;
    return oklab(light + (deep - light) * y, 0.01 + 0.05 * across + 0.09 * (1 - across * across), 0.135 * across);
}

/* How much of something: from near the ground to yellow-orange (dark) or deep blue (light), ever further from it. */
function heatColour(share, dark) {
    const s = Math.sqrt(share);
    return dark ? oklab(0.34 + 0.52 * s, 0.03 * s, -0.06 + 0.20 * s)
                : oklab(0.90 - 0.52 * s, -0.02 * s, -0.02 - 0.13 * s);
}

/* Of every block a colour, by the place of the node that it belongs to. */
class Palette {
    constructor(graph, goal) {
        this.graph = graph;
        this.goal = goal;
        this.width = Math.max(...graph.x) || 1;
        this.height = Math.max(...graph.y) || 0;
        this.use(false);
    }

    use(dark) {
        this.dark = dark;
        this.blocks = Array.from({ length: this.goal.blocks }, (_, block) => {
            const node = this.goal.home(block);
            if (node < 0) {
                const share = this.goal.blocks > 1 ? block / (this.goal.blocks - 1) : 0;
                return placeColour(share, this.goal.blocks > 1 ? 0.5 : 0.7, dark);
            }
            const x = this.graph.x[node] / this.width;
            return this.height ? placeColour(x, this.graph.y[node] / this.height, dark) : placeColour(x, 0.5, dark);
        });
        this.texts = this.blocks.map(([red, green, blue]) =>
            (0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "#15191e" : "#ffffff"));
    }
}
