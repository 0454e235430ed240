// Rows × time of the selection: cells, names of rows, axis, messages, and the item under the pointer.
import { drawAxis, rangeText } from "./axis.js";
import { drawCells } from "./cells.js";
import { colourOf, pixelOf, themeColour } from "./colours.js";
import { byId, element, fitted, picture } from "./dom.js";
import { exact, plural, separated, visibleName } from "./format.js";
import { Gestures } from "./gestures.js";
import { drawMessages } from "./messages.js";
import { OUTSIDE } from "./pack.js";
import { Tiles } from "./tiles.js";
import { tipOver } from "./tooltip.js";

const LOWEST_LABEL = 14;
const ROW_HEIGHT = 26;

export class Timeline {
    /** @param {Pack} data @param {TraceSelection} selection @param {Colours} colours */
    constructor(data, selection, colours) {
        this.data = data;
        this.selection = selection;
        this.colours = colours;
        this.tiles = new Tiles(data, () => this.drawSoon());
        this.isDue = false;
        this.showsMessages = true;
        this.hasLines = true;
        this.axis = picture("Axis of time", { class: "axis" });
        this.canvas = picture("Time line", { class: "cells", id: "timeline" });
        this.names = element("div", { class: "names", "aria-hidden": "true" });
        this.box = element("div", { class: "rubber", hidden: "" });
        this.cross = element("div", { class: "cross", hidden: "" });
        this.place = element("div", { class: "place" }, this.canvas, this.box, this.cross);
        byId("timeline-lane").append(element("div"), this.axis, this.names, this.place);
        this.setHeight();
        this.listen();
    }

    listen() {
        tipOver(this.place, (x, y) => this.describe(this.at({ x, y })));
        new Gestures(this.place, this.selection, true, {
            drag: (drag) => this.showDrag(drag),
            select: (drag) => this.select(drag),
            press: (point) => this.press(point),
        });
    }

    setHeight() {
        const most = Math.max(280, Math.round(innerHeight * 0.46));
        const height = Math.min(Math.max(this.data.rows.length * ROW_HEIGHT, 78), most);
        this.place.style.height = `${height}px`;
    }

    /** Returns row and time at a point. @param {Point} point */
    at({ x, y }) {
        const { from, to, first, last } = this.selection.state;
        const { clientWidth: width, clientHeight: height } = this.place;
        const row = first + Math.floor((y / height) * (last - first + 1));
        const time = from + (Math.min(Math.max(x, 0), width) / width) * (to - from);
        return { row: Math.min(Math.max(row, first), last), time };
    }

    /** Returns the point of a row and time. @param {{row: number, time: number}} place @returns {Point} */
    pointOf({ row, time }) {
        const { from, to, first, last } = this.selection.state;
        const x = ((time - from) / (to - from)) * this.place.clientWidth;
        return { x, y: ((row - first + 0.5) / (last - first + 1)) * this.place.clientHeight };
    }

    /** Returns the bucket of the picture at a row and time. @param {{row: number, time: number}} place */
    bucketAt({ row, time }) {
        const level = this.level();
        if (!level) return null;
        const bucket = Math.max(Math.floor(time / level.width), 0);
        const at = (row - (level.top ?? 0)) * level.buckets + Math.min(bucket - (level.start ?? 0), level.buckets - 1);
        const end = Math.min((bucket + 1) * level.width, this.data.trace.length);
        return { region: level.region[at], share: level.share[at] / 255, calls: level.calls[at], start: bucket * level.width, end };
    }

    /** Returns the level of the picture. */
    level() {
        const { state } = this.selection;
        return this.tiles.levelFor(state, (state.to - state.from) / Math.max(this.canvas.width, 1));
    }

    /** Draws with the next frame, since tiles have arrived. */
    drawSoon() {
        if (!this.isDue) requestAnimationFrame(() => this.draw());
        this.isDue = true;
    }

    /** @param {{row: number, time: number}} place @returns {Line[] | null} */
    describe(place) {
        const bucket = this.bucketAt(place);
        if (!bucket) return null;
        const row = this.data.rows[place.row];
        const region = this.data.regions[bucket.region];
        const calls = bucket.calls >= OUTSIDE ? `${separated(OUTSIDE)} or more` : separated(bucket.calls);
        return [
            ["", region ? visibleName(region.name) : "outside all calls"],
            ...(region ? [/** @type {[string, string]} */ (["class", this.data.classes[region.class] ?? "unknown"])] : []),
            ["row", rowName(row)],
            ["time", exact(Math.round(place.time), "time")],
            ["bucket", `${exact(bucket.start, "time")} to ${exact(bucket.end, "time")}`],
            ...(region ? [/** @type {[string, string]} */ (["share of the bucket", `${(bucket.share * 100).toFixed(0)} %`])] : []),
            ["calls that begin", calls],
        ];
    }

    /** @param {Drag | null} drag */
    showDrag(drag) {
        this.box.hidden = drag === null;
        if (!drag) return;
        const { style } = this.box;
        style.left = `${Math.min(drag.from.x, drag.to.x)}px`;
        style.width = `${Math.abs(drag.to.x - drag.from.x)}px`;
        style.top = drag.withRows ? `${Math.min(drag.from.y, drag.to.y)}px` : "0";
        style.height = drag.withRows ? `${Math.abs(drag.to.y - drag.from.y)}px` : "100%";
    }

    /** @param {Drag} drag */
    select(drag) {
        const [one, other] = [this.at(drag.from), this.at(drag.to)];
        const rows = { first: Math.min(one.row, other.row), last: Math.max(one.row, other.row) };
        const time = { from: Math.min(one.time, other.time), to: Math.max(one.time, other.time) };
        this.selection.set(drag.withRows ? { ...time, ...rows } : time);
    }

    /** @param {Point} point */
    press(point) {
        const bucket = this.bucketAt(this.at(point));
        if (bucket && bucket.region !== OUTSIDE) this.selection.toggle(bucket.region);
    }

    draw() {
        const { state } = this.selection;
        this.isDue = false;
        this.drawAxis();
        const { context, width, height, ratio } = fitted(this.canvas);
        const background = colourOf(themeColour("--cell"));
        const image = context.createImageData(width, height);
        const pixels = new Uint32Array(image.data.buffer);
        const colours = this.colours.pixels(state.region, background);
        drawCells(this.level(), state, pixels, width, height, colours, pixelOf(background));
        context.putImageData(image, 0, 0);
        this.hasLines = !this.showsMessages || drawMessages(this.data, state, context, width, height, ratio);
        this.canvas.setAttribute("aria-label", this.label());
        this.showNames();
    }

    drawAxis() {
        const { context, width, height, ratio } = fitted(this.axis);
        context.clearRect(0, 0, width, height);
        drawAxis(context, this.selection.state, { width, height, ratio, ink: themeColour("--quiet") });
        const { from, to } = this.selection.state;
        this.axis.setAttribute("aria-label", `Axis of time: ${rangeText(from, to)}`);
    }

    label() {
        const { from, to, first, last } = this.selection.state;
        if (this.data.rows.length === 0) return "Time line: the trace has no locations";
        const names = `${rowName(this.data.rows[first])} to ${rowName(this.data.rows[last])}`;
        return `Time line of ${plural(last - first + 1, "row")}, ${names}, from ${rangeText(from, to)}. The table of regions has the numbers.`;
    }

    /** Writes the names of rows, as many as have space. */
    showNames() {
        const { first, last } = this.selection.state;
        const count = last - first + 1;
        const height = this.place.clientHeight / count;
        const step = Math.max(1, Math.ceil(LOWEST_LABEL / height));
        const names = [];
        for (let row = first; row <= last - (step - 1) && this.data.rows[row]; row += step) {
            names.push(this.nameAt(row, (row - first) * height, height * step));
        }
        this.names.replaceChildren(...names);
    }

    /** @param {number} row @param {number} top @param {number} height */
    nameAt(row, top, height) {
        const name = rowName(this.data.rows[row]);
        const made = element("bdi", { dir: "auto", title: name }, name);
        made.style.top = `${top}px`;
        made.style.lineHeight = `${Math.max(Math.min(height, ROW_HEIGHT * 2), LOWEST_LABEL)}px`;
        return made;
    }

    /** Shows where the keyboard is. @param {{row: number, time: number} | null} place */
    showCross(place) {
        this.cross.hidden = place === null;
        if (!place) return;
        const { x, y } = this.pointOf(place);
        this.cross.style.left = `${x}px`;
        this.cross.style.top = `${y}px`;
    }
}

/** Returns the name of a row with its process and the merged locations. @param {Row} row */
export function rowName(row) {
    const name = row.process === "" || row.name.startsWith(row.process) ? row.name : `${row.process}, ${row.name}`;
    if (row.kind === "location") return visibleName(name);
    return row.kind === "mean" ? `mean of ${row.members}: ${visibleName(name)}` : `${row.kind}: ${visibleName(name)}`;
}

/** @param {Pack} data @param {TraceSelection} selection */
export function rowsText(data, { state: { first, last } }) {
    return `${separated(Math.min(last - first + 1, data.rows.length))} of ${plural(data.rows.length, "row")}`;
}

