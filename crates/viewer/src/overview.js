// The whole trace in one strip: the time of each class or region, and that in no call, of all
// locations that run; and the brush that selects a range. It is blank only where nothing runs.
import { rangeText } from "./axis.js";
import { themeColour } from "./colours.js";
import { byId, element, fitted, picture } from "./dom.js";
import { formatTime } from "./format.js";
import { tipOver } from "./tooltip.js";

/** Regions with a layer of their own. */
const LAYERS = 10;
const EDGE = 8;

/** Returns the layer of each region; in the mode of regions, the last is for all others. @param {Pack} data @param {Colours} colours */
function layersOf(data, colours) {
    if (colours.mode === "class") return data.regions.map((region) => region.class);
    const layers = data.regions.map(() => LAYERS);
    colours.order.slice(0, LAYERS).forEach((region, place) => (layers[region] = place));
    return layers;
}

/** Returns the colour of each layer. @param {Pack} data @param {Colours} colours */
function layerColours(data, colours) {
    if (colours.mode === "class") return data.classes.map((_, at) => colours.cssOfClass(at));
    const own = colours.order.slice(0, LAYERS).map((region) => colours.css(region));
    while (own.length < LAYERS) own.push("transparent");
    return [...own, themeColour("--quiet")];
}

/** Returns the layer of each context. @param {Pack} data @param {Colours} colours @param {number[]} layers */
function layersOfContexts(data, colours, layers) {
    return colours.mode === "class" ? data.contexts.class : Array.from(data.contexts.region, (region) => layers[region]);
}

/** Returns the time of each layer in each slice. @param {Pack} data @param {Colours} colours @param {number[]} layers @param {number} count */
function timesOf(data, colours, layers, count) {
    const { start, context, exclusive } = data.strip ?? data.slices;
    const times = new Float64Array(data.slices.count * count);
    const ofContexts = layersOfContexts(data, colours, layers);
    for (let slice = 0; slice < data.slices.count; slice += 1) {
        for (let at = start[slice]; at < start[slice + 1]; at += 1) {
            times[slice * count + ofContexts[context[at]]] += exclusive[at];
        }
    }
    if (times.every((time) => time === 0)) addCells(data, layers, count, times);
    return times;
}

/** Adds the times of cells: samples without a period have no others. @param {Pack} data @param {number[]} layers @param {number} count @param {Float64Array} times */
function addCells(data, layers, count, times) {
    const level = data.levels.find(({ buckets }) => buckets <= data.slices.count) ?? data.levels[data.levels.length - 1];
    if (!level) return;
    const slices = data.slices.width / level.width;
    level.region.forEach((region, at) => {
        const layer = layers[region];
        if (layer === undefined) return;
        const bucket = at % level.buckets;
        const time = (level.share[at] / 255) * level.width * Math.min(slices, 1);
        const [first, last] = [Math.floor(bucket / slices), Math.max(Math.ceil((bucket + 1) / slices), Math.floor(bucket / slices) + 1)];
        for (let slice = first; slice < Math.min(last, data.slices.count); slice += 1) times[slice * count + layer] += time;
    });
}

/** Returns the time for which locations run in each slice. @param {Pack} data */
function aliveTimes({ slices, rows, trace }) {
    const alive = new Float64Array(slices.count);
    for (const { life, kind, members } of rows.filter((row) => row.kind === "location" || row.kind === "mean")) {
        const [begin, end] = life ?? [0, trace.length];
        for (let slice = Math.max(Math.floor(begin / slices.width), 0); slice < slices.count && slice * slices.width < end; slice += 1) {
            const time = Math.min(end, (slice + 1) * slices.width) - Math.max(begin, slice * slices.width);
            alive[slice] += Math.max(time, 0) * (kind === "mean" ? members : 1);
        }
    }
    return alive;
}

/** Draws layers on each other, above them the time in no call: the height is that of the slice in which most locations run.
 * @param {Pack} data @param {HTMLCanvasElement} canvas @param {string[]} palette @param {Float64Array} times @param {number} selected layer, -1 for none */
function drawLayers(data, canvas, palette, times, selected) {
    const { context, width, height } = fitted(canvas);
    const count = palette.length;
    const alive = aliveTimes(data);
    const sums = alive.map((_, slice) => times.subarray(slice * count, (slice + 1) * count).reduce((sum, time) => sum + time, 0));
    const full = alive.reduce((most, time, slice) => Math.max(most, time, sums[slice]), 1e-9);
    const scale = width / Math.max(data.trace.length, 1);
    const quiet = themeColour("--alive");
    context.clearRect(0, 0, width, height);
    for (let slice = 0; slice < data.slices.count; slice += 1) {
        const left = Math.round(slice * data.slices.width * scale);
        const wide = Math.max(Math.round((slice + 1) * data.slices.width * scale) - left, 1);
        const fill = (/** @type {number} */ bottom, /** @type {number} */ time, /** @type {string} */ colour) => {
            const tall = (time / full) * height;
            context.fillStyle = colour;
            context.fillRect(left, bottom - tall, wide, tall);
            return bottom - tall;
        };
        fill(height, Math.max(alive[slice], sums[slice]), quiet);
        for (let layer = 0, bottom = height; layer < count; layer += 1) {
            context.globalAlpha = selected < 0 || selected === layer ? 1 : 0.15;
            bottom = fill(bottom, times[slice * count + layer], palette[layer]);
        }
        context.globalAlpha = 1;
    }
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
        tipOver(place, (x) => [["", formatTime((x / place.clientWidth) * this.selection.length)]]);
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
        this.times[mode] ??= timesOf(this.data, this.colours, layers, palette.length);
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
