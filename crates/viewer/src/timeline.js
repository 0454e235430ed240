// Rows × time of the selection: cells, nested calls of unfolded rows, axis, messages, and the item
// under the pointer.
import { drawAxis, rangeText } from "./axis.js";
import { drawStack, nameCells } from "./bars.js";
import { columnsOf, drawCells, drawRow, linesOfRow } from "./cells.js";
import { colourOf, pixelOf, themeColour } from "./colours.js";
import { describeBucket } from "./describe.js";
import { byId, element, fitted, picture } from "./dom.js";
import { plural, separated } from "./format.js";
import { Gestures } from "./gestures.js";
import { fullName, RowNames } from "./labels.js";
import { Layout, LINE_HEIGHT } from "./layout.js";
import { drawMessages } from "./messages.js";
import { OUTSIDE } from "./pack.js";
import { deepest } from "./stack.js";
import { Tiles } from "./tiles.js";
import { tipOver } from "./tooltip.js";
import { describeWait, drawPath, drawWaits } from "./waits.js";

const ROW_HEIGHT = 26;
/** Rows of this height have names of their own, where all rows fit into the largest height with them. */
const [NAMED_ROW, LARGEST_HEIGHT] = [15, 660];
/** The most lines of an unfolded row. */
const MOST_LINES = 48;

export class Timeline {
    /** @param {Pack} data @param {TraceSelection} selection @param {Colours} colours */
    constructor(data, selection, colours) {
        this.data = data;
        this.selection = selection;
        this.colours = colours;
        this.tiles = new Tiles(data, () => this.drawSoon());
        this.isDue = false;
        this.showsMessages = true;
        this.showsWaits = true;
        this.hasLines = true;
        /** The lines of rows that were unfolded. @type {Map<number, number>} */
        this.lines = new Map();
        this.axis = picture("Axis of time", { class: "axis" });
        this.canvas = picture("Time line", { class: "cells", id: "timeline" });
        this.names = new RowNames(data, selection, (row) => this.canUnfold(row));
        this.box = element("div", { class: "rubber", hidden: "" });
        this.cross = element("div", { class: "cross", hidden: "" });
        this.place = element("div", { class: "place" }, this.canvas, this.box, this.cross);
        byId("timeline-lane").append(element("div"), this.axis, this.names.root, this.place);
        this.height = 0;
        this.layout = new Layout(selection.state, 0, () => 0);
        this.setHeight();
        this.listen();
    }

    listen() {
        tipOver(this.place, (x, y) => this.describe(this.at({ x, y })));
        new Gestures(this.place, this.selection, (y) => this.layout.at(y).row, {
            drag: (drag) => this.showDrag(drag),
            select: (drag) => this.select(drag),
            press: (point) => this.press(point),
        });
    }

    /** Chooses the height of all rows without the lines of unfolded ones. */
    setHeight() {
        const { length } = this.data.rows;
        const most = Math.max(280, Math.round(innerHeight * 0.46), Math.min(length * NAMED_ROW, LARGEST_HEIGHT));
        this.height = Math.min(Math.max(length * ROW_HEIGHT, 78), most);
        this.setLayout();
    }

    /** Places the visible rows. */
    setLayout() {
        const { state } = this.selection;
        const open = new Set(this.selection.openRows());
        this.layout = new Layout(state, this.height, (row) => (open.has(row) ? this.linesOf(row) : 0));
        const height = `${this.layout.height}px`;
        if (this.place.style.height !== height) this.place.style.height = height;
    }

    /** Returns the lines that the calls of a row need. @param {number} row */
    linesOf(row) {
        let lines = this.lines.get(row);
        if (lines === undefined) {
            const level = this.data.levels[0];
            lines = level && this.canUnfold(row) ? Math.min(deepest(this.data, level, row), MOST_LINES) : 0;
            this.lines.set(row, lines);
        }
        return lines;
    }

    /** Whether a row is of one location: means of several have no calls. @param {number} row */
    canUnfold(row) {
        return this.data.levels.length > 0 && this.data.rows[row]?.members === 1;
    }

    /** Returns row, line and time at a point. @param {Point} point @returns {Place} */
    at({ x, y }) {
        const { from, to } = this.selection.state;
        const width = Math.max(this.place.clientWidth, 1);
        const time = from + (Math.min(Math.max(x, 0), width) / width) * (to - from);
        return { ...this.layout.at(y), time };
    }

    /** Returns the point of a row and time. @param {{row: number, time: number}} place @returns {Point} */
    pointOf({ row, time }) {
        const { from, to } = this.selection.state;
        const x = ((time - from) / (to - from)) * this.place.clientWidth;
        return { x, y: this.layout.top(row) + this.layout.rowHeight / 2 };
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

    /** @param {Place} place @returns {Line[] | null} */
    describe(place) {
        const level = this.level();
        return level && [...describeBucket(this.data, level, place).lines, ...(this.showsWaits ? describeWait(this.data, place) : [])];
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
        const level = this.level();
        const region = level ? describeBucket(this.data, level, this.at(point)).region : OUTSIDE;
        if (region !== OUTSIDE) this.selection.toggle(region);
    }

    draw() {
        const { state } = this.selection;
        this.isDue = false;
        this.setLayout();
        const { layout } = this;
        this.drawAxis();
        const { context, width, height, ratio } = fitted(this.canvas);
        const level = this.level();
        const look = this.look();
        const image = context.createImageData(width, height);
        const pixels = new Uint32Array(image.data.buffer);
        const rows = Array.from({ length: state.last - state.first + 1 }, (_, at) => state.first + at);
        const places = { tops: rows.map((row) => layout.top(row) * ratio), height: layout.rowHeight * ratio };
        drawCells(level, state, pixels, width, height, look, places);
        context.putImageData(image, 0, 0);
        if (level) this.drawBars(level, { context, width, ratio }, rows, look);
        const middle = (/** @type {number} */ row) => (layout.top(row) + layout.rowHeight / 2) * ratio;
        if (this.showsWaits) this.drawWaiting(context, width, ratio, middle);
        this.hasLines = !this.showsMessages || drawMessages(this.data, state, context, width, ratio, middle);
        this.canvas.setAttribute("aria-label", this.label());
        this.names.show(layout);
    }

    /** Draws for whom rows wait, and the critical path. @param {CanvasRenderingContext2D} context @param {number} width @param {number} ratio @param {(row: number) => number} middle */
    drawWaiting(context, width, ratio, middle) {
        const lines = (/** @type {number} */ row) => linesOfRow(this.layout.top(row) * ratio, this.layout.rowHeight * ratio);
        const [top, end] = lines(this.selection.state.first);
        const rows = { middle, bottom: (/** @type {number} */ row) => lines(row)[1], height: end - top };
        drawPath(this.data, this.selection.state, context, width, ratio, rows);
        drawWaits(this.data, this.selection.state, context, width, ratio, rows);
    }

    /** Returns the colours of cells. @returns {import("./cells.js").Look} */
    look() {
        const [background, paper] = [colourOf(themeColour("--cell")), colourOf(themeColour("--paper"))];
        const colours = this.colours.pixels(this.selection.state.region, background);
        return { colours, blank: pixelOf(background), absent: pixelOf(paper), lives: this.data.rows.map((row) => row.life) };
    }

    /** Writes names into bars, and draws the calls of unfolded rows. @param {Level} level @param {import("./bars.js").Canvas} canvas @param {number[]} rows @param {import("./cells.js").Look} look */
    drawBars(level, canvas, rows, look) {
        const { state } = this.selection;
        const { width, ratio } = canvas;
        const perPixel = (state.to - state.from) / width;
        const columns = columnsOf(level, state.from, perPixel, width);
        const drawn = { line: new Uint32Array(width), regions: new Uint16Array(width) };
        const ink = themeColour("--ink");
        for (const row of rows) {
            const [top, end] = linesOfRow(this.layout.top(row) * ratio, this.layout.rowHeight * ratio);
            const lines = this.layout.lines(row);
            if (lines > 0) drawStack(canvas, this, level, state, row, (this.layout.top(row) + this.layout.rowHeight) * ratio, lines, ink);
            if (end - top < LINE_HEIGHT * 0.7 * ratio) continue;
            drawRow(level, row, columns, look, (time) => (time - state.from) / perPixel, drawn.line, drawn.regions);
            nameCells(canvas, this.data, drawn, top, end - top);
        }
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
        const names = `${fullName(this.data.rows[first])} to ${fullName(this.data.rows[last])}`;
        return `Time line of ${plural(last - first + 1, "row")}, ${names}, from ${rangeText(from, to)}. The table of regions has the numbers.`;
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

/** @param {Pack} data @param {TraceSelection} selection */
export function rowsText(data, { state: { first, last } }) {
    return `${separated(Math.min(last - first + 1, data.rows.length))} of ${plural(data.rows.length, "row")}`;
}
