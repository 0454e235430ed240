// The whole trace in one strip: the share of each region or class over time, and the brush that
// selects a range.
import { rangeText } from "./axis.js";
import { themeColour } from "./colours.js";
import { byId, element, fitted, picture } from "./dom.js";
import { exact } from "./format.js";
import { tipOver } from "./tooltip.js";

/** Regions with a layer of their own. */
const LAYERS = 10;
const EDGE = 8;

/** Returns the layer of each region; the last is for all others. @param {Pack} data @param {Colours} colours */
function layersOf(data, colours) {
    if (colours.mode === "class") return data.regions.map((region) => region.class);
    const layers = data.regions.map(() => LAYERS);
    colours.order.slice(0, LAYERS).forEach((region, place) => (layers[region] = place));
    return layers;
}

/** Returns the colour of each layer. @param {Pack} data @param {Colours} colours */
function layerColours(data, colours) {
    if (colours.mode === "class") return data.classes.map((_, at) => `rgb(${colours.byClass[at % colours.byClass.length].join(" ")})`);
    const own = colours.order.slice(0, LAYERS).map((region) => colours.css(region));
    while (own.length < LAYERS) own.push("transparent");
    return [...own, themeColour("--quiet")];
}

/** Returns the time of each layer in each slice. @param {Pack} data @param {number[]} layers @param {number} count */
function timesOf(data, layers, count) {
    const { start, context, exclusive } = data.strip ?? data.slices;
    const times = new Float64Array(data.slices.count * count);
    for (let slice = 0; slice < data.slices.count; slice += 1) {
        for (let at = start[slice]; at < start[slice + 1]; at += 1) {
            times[slice * count + layers[data.contexts.region[context[at]]]] += exclusive[at];
        }
    }
    return times;
}

/** Draws layers on each other. @param {Pack} data @param {HTMLCanvasElement} canvas @param {string[]} palette
 * @param {Float64Array} times @param {number} selected layer, -1 for none */
function drawLayers(data, canvas, palette, times, selected) {
    const { context, width, height } = fitted(canvas);
    const count = palette.length;
    const members = data.groups.reduce((sum, group) => sum + group.members, 0);
    const full = Math.max(members * data.slices.width, 1);
    const scale = width / Math.max(data.trace.length, 1);
    context.clearRect(0, 0, width, height);
    for (let slice = 0; slice < data.slices.count; slice += 1) {
        const left = Math.round(slice * data.slices.width * scale);
        const right = Math.round((slice + 1) * data.slices.width * scale);
        for (let layer = 0, bottom = height; layer < count; layer += 1) {
            const tall = (times[slice * count + layer] / full) * height;
            context.globalAlpha = selected < 0 || selected === layer ? 1 : 0.15;
            context.fillStyle = palette[layer];
            context.fillRect(left, bottom - tall, Math.max(right - left, 1), tall);
            bottom -= tall;
        }
    }
    context.globalAlpha = 1;
}

export class Overview {
    /** @param {Pack} data @param {TraceSelection} selection @param {Colours} colours */
    constructor(data, selection, colours) {
        this.data = data;
        this.selection = selection;
        this.colours = colours;
        /** Times of layers by their kind. @type {Record<string, Float64Array>} */
        this.times = {};
        this.region = -1;
        this.canvas = picture("Overview of the whole trace", { class: "overview" });
        this.window = element("div", { class: "window" });
        this.before = element("div", { class: "shade" });
        this.after = element("div", { class: "shade" });
        this.place = element("div", { class: "place brush", id: "brush" }, this.canvas, this.before, this.after, this.window);
        const name = element("div", { class: "lane-name" }, "whole trace");
        byId("overview-lane").append(name, this.place);
        /** @type {((time: number) => void) | null} */
        this.drag = null;
        this.listen();
    }

    listen() {
        const { place } = this;
        place.addEventListener("pointerdown", (event) => this.down(event));
        place.addEventListener("pointermove", (event) => this.drag?.(this.timeAt(event)));
        for (const end of ["pointerup", "pointercancel"]) place.addEventListener(end, () => (this.drag = null));
        place.addEventListener("dblclick", () => this.selection.fit());
        place.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        tipOver(place, (x) => [["", exact(Math.round((x / place.clientWidth) * this.selection.length), "time")]]);
    }

    /** @param {MouseEvent} event */
    timeAt(event) {
        const box = this.place.getBoundingClientRect();
        return ((event.clientX - box.left) / box.width) * this.selection.length;
    }

    /** @param {WheelEvent} event */
    wheel(event) {
        event.preventDefault();
        this.selection.zoom(Math.exp(event.deltaY * 0.0018), this.timeAt(event));
    }

    /** Moves an edge or the window, or begins a new range. @param {PointerEvent} event */
    down(event) {
        if (event.button !== 0) return;
        this.place.setPointerCapture(event.pointerId);
        const { from, to } = this.selection.state;
        const start = this.timeAt(event);
        const edge = (EDGE / this.place.clientWidth) * this.selection.length;
        if (Math.abs(start - from) < edge) this.drag = (time) => this.range(time, to);
        else if (Math.abs(start - to) < edge) this.drag = (time) => this.range(from, time);
        else if (start > from && start < to && !this.selection.isWhole) {
            this.drag = (time) => this.selection.set(this.selection.shifted(from + time - start, to - from), true);
        } else this.drag = (time) => Math.abs(time - start) > edge / 2 && this.range(start, time);
    }

    /** @param {number} one @param {number} other */
    range(one, other) {
        this.selection.set({ from: Math.max(Math.min(one, other), 0), to: Math.min(Math.max(one, other), this.selection.length) }, true);
    }

    /** Draws the picture, which depends on colours and on the region only. */
    draw() {
        const { mode } = this.colours;
        const palette = layerColours(this.data, this.colours);
        const layers = layersOf(this.data, this.colours);
        this.times[mode] ??= timesOf(this.data, layers, palette.length);
        this.region = this.selection.state.region;
        drawLayers(this.data, this.canvas, palette, this.times[mode], layers[this.region] ?? -1);
    }

    /** Moves the window to the selection. */
    move() {
        const { from, to, region } = this.selection.state;
        if (region !== this.region) this.draw();
        const part = (/** @type {number} */ time) => `${(time / this.selection.length) * 100}%`;
        this.window.style.left = part(from);
        this.window.style.width = part(to - from);
        this.before.style.width = part(from);
        this.after.style.left = part(to);
        this.after.style.width = part(this.selection.length - to);
        const what = this.colours.mode === "class" ? "classes" : "regions";
        const label = `Overview: share of ${what} over the whole trace. Selected: ${rangeText(from, to)}`;
        this.canvas.setAttribute("aria-label", label);
    }
}
