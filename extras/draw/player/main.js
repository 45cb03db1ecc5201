/* SPDX-License-Identifier: MIT */
"use strict";

const COLOURS = ["ground", "line", "link", "ink", "quiet", "accent", "empty", "band"]; // of player.css
const NOTHING = { kind: "none", index: -1 };

class Player {
    constructor(data) {
        this.data = data;
        this.graph = new Graph(data.graph);
        this.rom = data.rom ? new Rom(data.rom) : null;
        this.page = id => document.getElementById(id);
        this.panel = new Panel(this.page("panel"), this);
        this.before = null; // when the last frame was
        this.dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
        this.playing = this.showUse = false;
        this.drawn = []; // rounds as they came to the screen since play began
        this.open(0);
        this.listen();
        this.readAddress();
        requestAnimationFrame(now => this.frame(now));
    }

    /* ---- which schedule ---- */

    open(which) {
        this.which = which;
        const schedule = this.data.schedules[which];
        this.replay = new Replay(this.graph, schedule, this.data.ring);
        this.bound = schedule.bound;
        this.palette = new Palette(this.graph, this.replay.goal);
        this.scene = new Scene(this.page("scene"), this.graph, this.replay);
        this.curve = new Curve(this.page("curve"), this.replay, this.bound);
        this.picked = NOTHING;
        this.tree = [];
        this.round = 0;
        this.moving = null;
        this.setSpeed(Math.min(6, Math.max(1, Math.round(2 * Math.log2(this.replay.rounds / 30)) / 2)));
        this.writeTitle();
        this.setDark(this.dark);
    }

    writeTitle() {
        const { goal, model, rounds, faults, data } = this.replay;
        const what = goal.gossip ? "Gossip" : `${goal.collective} of ${plural(goal.blocks, "block")}`;
        const title = `${what[0].toUpperCase()}${what.slice(1)} on ${this.graph.name}`;
        const bound = this.bound === 0 ? "" : rounds === this.bound ? ", the lower bound"
                                            : `, lower bound ${this.bound}`;
        this.page("title").textContent = document.title = title;
        const ports = model.port === "one" ? "one port at a time" : "all ports at once";
        this.page("facts").textContent = [`${rounds} rounds${bound}`, `${model.link}-duplex links`, ports, data.solver]
            .filter(Boolean).join(" · ");
        const more = faults.length > 1 ? `; ${faults.length - 1} more` : "";
        this.page("fault").hidden = faults.length === 0;
        this.page("fault").textContent = faults.length ? `Faulty: ${faults[0]}${more}.` : "";
    }

    /* ---- what is shown ---- */

    setDark(dark) {
        this.dark = dark;
        document.documentElement.classList.toggle("dark", dark);
        this.page("theme").textContent = dark ? "Light" : "Dark";
        const style = getComputedStyle(document.documentElement);
        this.colours = Object.fromEntries(COLOURS.map(name => [name, style.getPropertyValue(`--${name}`).trim()]));
        this.colours.emptyRgb = [1, 3, 5].map(at => parseInt(this.colours.empty.slice(at, at + 2), 16));
        this.palette.use(dark);
        this.scene.use(this.palette, this.colours);
        this.changed();
    }

    setUse(showUse) {
        this.showUse = showUse;
        this.page("show-moves").setAttribute("aria-pressed", String(!showUse));
        this.page("show-use").setAttribute("aria-pressed", String(showUse));
        this.changed();
    }

    setSpeed(power) {
        this.speed = 2 ** power;
        this.page("speed").value = power;
        this.page("speed-value").textContent = `${Number(this.speed.toPrecision(2))} rounds/s`;
    }

    pick(picked) {
        this.picked = picked;
        this.tree = picked.kind === "token" ? this.replay.tree(picked.index) : [];
        this.changed();
    }

    count(kind) {
        return { node: this.graph.nodeCount, link: this.graph.linkCount, token: this.replay.goal.blocks }[kind];
    }

    pickNext(kind, step) {
        const count = this.count(kind);
        const from = this.picked.kind === kind ? this.picked.index : step > 0 ? -1 : count;
        this.pick({ kind, index: (from + step + count) % count });
    }

    changed() {
        this.stale = true;
        this.stalePanel = true;
    }

    /* ---- time ---- */

    seek(round) {
        this.pause();
        this.moving = null;
        this.round = Math.min(Math.max(round, 0), this.replay.rounds);
        this.changed();
    }

    step(rounds) {
        this.seek(this.round + rounds);
    }

    play() {
        if (this.round === this.replay.rounds)
            this.round = 0;
        this.drawn = [];
        this.playing = true;
        this.moving ??= 0;
        this.before = null; // the first frame shows where it starts
        this.page("play").textContent = "Pause";
        this.changed();
    }

    pause() {
        this.playing = false;
        this.page("play").textContent = "Play";
    }

    toggle() {
        if (this.playing)
            this.pause();
        else
            this.play();
    }

    /* A round is never passed over: where the browser is slow, playing slows down. */
    advance(seconds) {
        this.moving += seconds * this.speed;
        if (this.moving < 1) {
            this.stale = true;
            return;
        }
        this.round++;
        this.moving = Math.min(this.moving - 1, 0.99);
        if (this.round === this.replay.rounds) {
            this.moving = null;
            this.pause();
        }
        this.changed();
    }

    frame(now) {
        if (this.playing)
            this.advance(Math.min(0.1, (now - (this.before ?? now)) / 1000));
        this.before = now;
        if (this.stale)
            this.draw();
        requestAnimationFrame(next => this.frame(next));
    }

    draw() {
        const { round, moving, showUse, picked, tree } = this;
        const isToken = block => picked.kind === "token" && picked.index === block;
        this.scene.draw({ round, moving, showUse, picked, tree, isToken });
        this.curve.draw(this.colours, round + (moving ?? 0), picked.kind === "node" ? picked.index : -1);
        if (this.stalePanel) {
            this.panel.show();
            this.writeRound();
            this.say();
        }
        if (this.drawn.at(-1) !== round)
            this.drawn.push(round);
        this.stale = this.stalePanel = false;
    }

    writeRound() {
        const { timing } = this.data;
        const parts = [`of ${this.replay.rounds}`];
        if (this.replay.wave)
            parts.push(this.replay.wave.cycle(this.round));
        else if (timing)
            parts.push(`cycle ${this.round * timing.cycles_per_round} of ${timing.cycles[this.which]}`);
        const quiet = element("span", {}, ` ${parts.join(" · ")}`);
        this.page("round").replaceChildren(`Round ${this.round}`, quiet);
    }

    /* In a line, for who points at it and for who does not see it. */
    describe({ kind, index }) {
        const { graph, replay, round } = this;
        if (kind === "node")
            return `Node ${graph.nodeName(index)} has ${replay.holding(index, round)} of ` +
                   `${replay.atEnd[index]} ${replay.goal.word}s`;
        if (kind === "link")
            return `Link ${index} of nodes ${graph.nodeName(graph.from(2 * index))} and ` +
                   graph.nodeName(graph.to(2 * index));
        if (kind === "none")
            return "";
        const have = graph.members.filter(node => replay.amount(node, index, round) === replay.full).length;
        return `${replay.goal.gossip ? "Token" : "Block"} ${index}, whole at ${plural(have, graph.membersAre)}`;
    }

    /* What has changed, aloud; nothing while it plays. */
    say() {
        const picked = this.describe(this.picked);
        this.page("said").textContent = this.playing ? ""
            : `Round ${this.round} of ${this.replay.rounds}${picked ? `. ${picked}.` : "."}`;
    }

    /* ---- what the user does ---- */

    listen() {
        const clicks = {
            play: () => this.toggle(),
            first: () => this.seek(0),
            back: () => this.step(-1),
            forward: () => this.step(1),
            last: () => this.seek(this.replay.rounds),
            theme: () => this.setDark(!this.dark),
            "show-moves": () => this.setUse(false),
            "show-use": () => this.setUse(true),
            "help-open": () => this.page("help").showModal(),
        };
        for (const [id, action] of Object.entries(clicks))
            this.page(id).addEventListener("click", action);
        this.page("speed").addEventListener("input", event => this.setSpeed(Number(event.target.value)));
        this.listenToScene();
        this.listenToCurve();
        document.addEventListener("keydown", event => this.key(event));
        new ResizeObserver(() => this.changed()).observe(this.page("scene"));
        if (this.data.schedules.length > 1)
            this.listPrograms();
    }

    listPrograms() {
        const select = this.page("which").querySelector("select");
        this.page("which").hidden = false;
        this.data.schedules.forEach(({ collective }, i) =>
            select.append(element("option", { value: i }, `${i}: ${collective}`)));
        select.addEventListener("change", () => this.open(Number(select.value)));
    }

    listenToScene() {
        const canvas = this.page("scene");
        let down = null;
        canvas.addEventListener("pointerdown", event => {
            down = { x: event.offsetX, y: event.offsetY, moved: false };
            canvas.setPointerCapture(event.pointerId);
        });
        canvas.addEventListener("pointermove", event => {
            if (!down) {
                const under = this.scene.pick(event.offsetX, event.offsetY);
                canvas.style.cursor = under.kind === "none" ? "default" : "pointer";
                canvas.title = this.describe(under);
                return;
            }
            down.moved ||= Math.hypot(event.offsetX - down.x, event.offsetY - down.y) > 4;
            if (down.moved) {
                this.scene.panX += event.movementX;
                this.scene.panY += event.movementY;
                this.stale = true;
            }
        });
        canvas.addEventListener("pointerup", event => {
            if (down && !down.moved)
                this.pick(this.scene.pick(event.offsetX, event.offsetY));
            down = null;
        });
        canvas.addEventListener("wheel", event => {
            event.preventDefault();
            this.scene.zoomAt(event.offsetX, event.offsetY, 1.0015 ** -event.deltaY);
            this.stale = true;
        }, { passive: false });
    }

    listenToCurve() {
        const canvas = this.page("curve");
        const choose = event => this.seek(this.curve.roundAt(event.offsetX));
        canvas.addEventListener("pointerdown", event => {
            canvas.setPointerCapture(event.pointerId);
            choose(event);
        });
        canvas.addEventListener("pointermove", event => event.buttons && choose(event));
    }

    key(event) {
        if (event.ctrlKey || event.altKey || event.metaKey || this.page("help").open ||
            event.target.matches("select, input"))
            return;
        const way = event.shiftKey ? -1 : 1, far = event.shiftKey ? 10 : 1;
        const keys = {
            " ": () => this.toggle(),
            arrowleft: () => this.step(-far),
            arrowright: () => this.step(far),
            home: () => this.seek(0),
            end: () => this.seek(this.replay.rounds),
            "+": () => this.setSpeed(Math.min(6, Math.log2(this.speed) + 0.5)),
            "-": () => this.setSpeed(Math.max(-1, Math.log2(this.speed) - 0.5)),
            n: () => this.pickNext("node", way),
            l: () => this.pickNext("link", way),
            t: () => this.pickNext("token", way),
            escape: () => this.pick(NOTHING),
            u: () => this.setUse(!this.showUse),
            d: () => this.setDark(!this.dark),
            "?": () => this.page("help").showModal(),
            0: () => this.showAll(),
        };
        const action = keys[event.key.toLowerCase()];
        if (action) {
            event.preventDefault();
            action();
        }
    }

    showAll() {
        Object.assign(this.scene, { zoom: 1, panX: 0, panY: 0 });
        this.stale = true;
    }

    /* #round=12&node=5&view=use&theme=dark: what to show at first. */
    readAddress() {
        const wish = new URLSearchParams(location.hash.slice(1));
        const number = (name, count) => {
            const value = Number(wish.get(name));
            return wish.get(name) !== null && Number.isInteger(value) && value >= 0 && value < count ? value : -1;
        };
        this.seek(Math.max(0, number("round", this.replay.rounds + 1)));
        for (const kind of ["node", "link", "token"])
            if (number(kind, this.count(kind)) >= 0)
                this.pick({ kind, index: number(kind, this.count(kind)) });
        if (wish.has("theme"))
            this.setDark(wish.get("theme") === "dark");
        this.setUse(wish.get("view") === "use");
    }
}

window.player = new Player(JSON.parse(document.getElementById("data").textContent));
