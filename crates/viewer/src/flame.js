// Flame graph of the selection: calling contexts from the top, width is inclusive time.
import { themeColour } from "./colours.js";
import { element, fitted, picture } from "./dom.js";
import { placeLine, plural, rounded, visibleName } from "./format.js";
import { NO_CONTEXT } from "./pack.js";
import { outsideTime } from "./profile.js";
import { inkOn, shortened } from "./text.js";
import { tipOver } from "./tooltip.js";

/** @typedef {{context: number, left: number, width: number, depth: number}} Frame */

const FRAME_HEIGHT = 19;
const DEEPEST = 60;
/** Frames narrower than this many pixels are left out. */
const NARROWEST = 0.6;

/** Returns the contexts called by each context, longest first; roots have the key NO_CONTEXT. @param {Pack} data @param {ContextSums} sums @returns {Map<number, number[]>} */
export function childrenOf(data, sums) {
    const children = new Map();
    for (let at = 0; at < sums.total.length; at += 1) {
        if (sums.total[at] === 0 && sums.visits[at] === 0) continue;
        const parent = data.contexts.parent[at];
        const list = children.get(parent);
        if (list) list.push(at);
        else children.set(parent, [at]);
    }
    for (const list of children.values()) list.sort((/** @type {number} */ a, /** @type {number} */ b) => sums.total[b] - sums.total[a] || a - b);
    return children;
}

/** Returns the time that shares are of: that of all calls, and that in no call if it is known. @param {App} app @param {ContextSums} sums */
export function wholeTime({ data, selection }, sums) {
    const { from, to } = selection.state;
    const called = sums.total.reduce((sum, time, at) => sum + (data.contexts.parent[at] === NO_CONTEXT ? time : 0), 0);
    return called + outsideTime(data, from, to, selection.groups()) || 1;
}

/** Places frames; positions are parts of the width. @param {ContextSums} sums @param {Map<number, number[]>} children @param {number} root
 * @param {number} narrowest part of the width @returns {Frame[]} */
export function framesOf(sums, children, root, narrowest) {
    const tops = root === NO_CONTEXT ? children.get(NO_CONTEXT) ?? [] : [root];
    const whole = tops.reduce((sum, at) => sum + sums.total[at], 0);
    /** @type {Frame[]} */
    const frames = [];
    const place = (/** @type {number[]} */ contexts, /** @type {number} */ start, /** @type {number} */ depth) => {
        let left = start;
        for (const context of contexts) {
            const width = sums.total[context] / whole;
            if (!(width >= narrowest)) break;
            frames.push({ context, left, width, depth });
            if (depth + 1 < DEEPEST) place(children.get(context) ?? [], left, depth + 1);
            left += width;
        }
    };
    if (whole > 0) place(tops, 0, 0);
    return frames;
}

export class Flame {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.root = NO_CONTEXT;
        /** @type {Frame[]} */
        this.frames = [];
        /** @type {ContextSums} */
        this.sums = { exclusive: new Float64Array(), visits: new Float64Array(), total: new Float64Array() };
        this.whole = 1;
        this.canvas = picture("Flame graph", { class: "flame", id: "flame" });
        this.place = element("div", { class: "place" }, this.canvas);
        this.place.addEventListener("click", (event) => this.press(event));
        this.place.addEventListener("dblclick", (event) => this.pressTwice(event));
        tipOver(this.place, (x, y) => this.describe(this.frameAt(x, y)));
    }

    /** Shows a context and the contexts below it. @param {number} context */
    zoom(context) {
        this.root = context === this.root ? NO_CONTEXT : context;
        this.show(this.sums, this.children ?? new Map());
    }

    /** @param {number} x @param {number} y */
    frameAt(x, y) {
        const at = x / this.place.clientWidth;
        const depth = Math.floor(y / FRAME_HEIGHT);
        return this.frames.find((frame) => frame.depth === depth && at >= frame.left && at < frame.left + frame.width) ?? null;
    }

    /** @param {MouseEvent} event */
    press(event) {
        const frame = this.frameAt(event.offsetX, event.offsetY);
        if (frame && event.detail === 1) this.app.selection.toggle(this.app.data.contexts.region[frame.context]);
    }

    /** Zooms, and undoes the effect of the first press. @param {MouseEvent} event */
    pressTwice(event) {
        const frame = this.frameAt(event.offsetX, event.offsetY);
        if (frame) this.app.selection.toggle(this.app.data.contexts.region[frame.context]);
        this.zoom(frame?.context ?? NO_CONTEXT);
    }

    /** @param {Frame | null} frame @returns {Line[] | null} */
    describe(frame) {
        if (!frame) return null;
        const { exclusive, total, visits } = this.sums;
        const { context } = frame;
        const { data } = this.app;
        const parent = data.contexts.parent[context];
        return [
            ["", visibleName(this.nameAt(context))],
            ["inclusive", `${rounded(total[context], "time")} (${rounded(total[context] / this.whole, "share")})`],
            ["exclusive", rounded(exclusive[context], "time")],
            ["calls", visits[context] > 0 ? rounded(visits[context], "count") : "known by samples"],
            ["caller", parent === NO_CONTEXT ? "none" : visibleName(this.nameAt(parent))],
            ...placeLine(data, data.contexts.region[context]),
        ];
    }

    /** @param {number} context */
    nameAt(context) {
        return this.app.data.regions[this.app.data.contexts.region[context]].name;
    }

    /** @param {ContextSums} sums @param {Map<number, number[]>} children */
    show(sums, children) {
        this.sums = sums;
        this.children = children;
        this.whole = wholeTime(this.app, sums);
        if (this.root !== NO_CONTEXT && !(sums.total[this.root] > 0)) this.root = NO_CONTEXT;
        this.frames = framesOf(sums, children, this.root, NARROWEST / Math.max(this.place.clientWidth, 1));
        const depth = this.frames.reduce((most, frame) => Math.max(most, frame.depth + 1), 1);
        this.place.style.height = `${depth * FRAME_HEIGHT}px`;
        this.place.hidden = this.frames.length === 0;
        this.draw();
    }

    draw() {
        const { context, width, height, ratio } = fitted(this.canvas);
        context.clearRect(0, 0, width, height);
        context.font = `${12 * ratio}px system-ui, sans-serif`;
        context.textBaseline = "middle";
        for (const frame of this.frames) this.drawFrame(context, frame, width, ratio);
        this.canvas.setAttribute("aria-label", this.label());
    }

    /** @param {CanvasRenderingContext2D} context @param {Frame} frame @param {number} width @param {number} ratio */
    drawFrame(context, frame, width, ratio) {
        const { data, colours, selection, search } = this.app;
        const region = data.contexts.region[frame.context];
        const name = visibleName(data.regions[region].name);
        const isFound = search === "" || name.toLocaleLowerCase().includes(search.toLocaleLowerCase());
        const isPale = !isFound || (selection.state.region >= 0 && selection.state.region !== region);
        const [x, y] = [frame.left * width, frame.depth * FRAME_HEIGHT * ratio];
        const [wide, tall] = [Math.max(frame.width * width - ratio, 0.5), (FRAME_HEIGHT - 1) * ratio];
        context.globalAlpha = isPale ? 0.2 : 1;
        context.fillStyle = colours.css(region);
        context.fillRect(x, y, wide, tall);
        context.globalAlpha = 1;
        if (wide > 24 * ratio) this.writeName(context, name, { x, y, wide, tall, ratio, ink: isPale ? themeColour("--ink") : inkOn(colours.of(region)) });
    }

    /** @param {CanvasRenderingContext2D} context @param {string} name @param {{x: number, y: number, wide: number, tall: number, ratio: number, ink: string}} place */
    writeName(context, name, { x, y, wide, tall, ratio, ink }) {
        const text = shortened(context, name, wide - 8 * ratio);
        context.fillStyle = ink;
        context.fillText(text, x + 4 * ratio, y + tall / 2 + ratio / 2);
    }

    label() {
        const top = this.frames[0];
        if (!top) return "Flame graph: no call in this selection";
        return `Flame graph of ${plural(this.frames.length, "calling context")}; the call tree below has the same contexts as text. Longest: ${visibleName(this.nameAt(top.context))}, ${rounded(this.sums.total[top.context], "time")}`;
    }
}
