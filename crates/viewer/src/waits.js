// Waiting: bars below the rows that wait, arrows from those for which they wait where few are
// visible, and the critical path, over the rows and as a strip.
import { inkedArrows } from "./arrows.js";
import { themeColour } from "./colours.js";
import { describeBucket } from "./describe.js";
import { element, fitted, picture } from "./dom.js";
import { formatTime, plural, rounded } from "./format.js";
import { fullName } from "./labels.js";
import { OUTSIDE } from "./pack.js";
import { tipOver } from "./tooltip.js";

/** More arrows than one in this many pixels hide the rows. */
const ARROW_SPACE = 4;
/** Rows that are lower have no bars, and bars are not higher, in pixels of the style sheet. */
const [LOWEST_ROW, BAR] = [5, 4];

/** The part of a row that shows waiting: its middle, its bottom without the gap, and its height.
 * @typedef {{middle: (row: number) => number, bottom: (row: number) => number, height: number}} Rows */

/** Returns the wait states that a part of the trace shows, in the order of time. @param {Pack} data @param {State} state */
function visibleWaits({ waits }, { from, to, first, last }) {
    const found = [];
    for (let at = 0; at < waits.start.length && waits.start[at] <= to; at += 1) {
        if (waits.end[at] >= from && waits.row[at] >= first && waits.row[at] <= last) found.push(at);
    }
    return found;
}

/** Returns the wait state of a row at a time. @param {Pack} data @param {{row: number, time: number}} place */
function waitAt({ waits }, { row, time }) {
    for (let at = 0; at < waits.start.length && waits.start[at] <= time; at += 1) {
        if (waits.row[at] === row && waits.end[at] > time) return at;
    }
    return -1;
}

/** Says for whom a row waits at a time. @param {Pack} data @param {{row: number, time: number}} place @returns {Line[]} */
export function describeWait(data, place) {
    const at = data.rows[place.row]?.members === 1 ? waitAt(data, place) : -1;
    if (at < 0) return [];
    const { waits } = data;
    const cause = data.rows[waits.cause[at]];
    return [
        ["waits", `${formatTime(waits.end[at] - waits.start[at])}, ${waits.names[waits.kind[at]]}`],
        ["for", cause ? fullName(cause) : "not known"],
    ];
}

/** Draws the wait states of rows, and arrows if they are few. @param {Pack} data @param {State} state @param {CanvasRenderingContext2D} context @param {number} width @param {number} ratio @param {Rows} rows */
export function drawWaits(data, state, context, width, ratio, rows) {
    const found = visibleWaits(data, state);
    const x = (/** @type {number} */ time) => ((time - state.from) / (state.to - state.from)) * width;
    if (rows.height >= LOWEST_ROW * ratio) drawBars(data, found, context, x, width, ratio, rows);
    if (found.length * ARROW_SPACE * ratio > width) return;
    const { waits } = data;
    const isOne = (/** @type {number} */ row) => data.rows[row]?.members === 1;
    const known = found.filter((at) => isOne(waits.row[at]) && isOne(waits.cause[at]) && waits.cause[at] !== waits.row[at] && waits.end[at] <= state.to);
    const isIn = (/** @type {number} */ row) => row >= state.first && row <= state.last;
    const arrows = known.filter((at) => isIn(waits.cause[at])).map((at) => {
        const end = x(waits.end[at]);
        return [end, rows.middle(waits.cause[at]), end, rows.middle(waits.row[at])];
    });
    inkedArrows(context, arrows, ratio, themeColour("--wait"));
}

/** Draws bars whose opacity is the part of each column of pixels in which the row waits, or the mean of its locations.
 * @param {Pack} data @param {number[]} found @param {CanvasRenderingContext2D} context @param {(time: number) => number} x @param {number} width @param {number} ratio @param {Rows} rows */
function drawBars({ waits, rows: shown }, found, context, x, width, ratio, rows) {
    /** @type {Map<number, Float32Array>} */
    const parts = new Map();
    for (const at of found) {
        const row = waits.row[at];
        const line = parts.get(row) ?? new Float32Array(width);
        parts.set(row, line);
        const [from, to, members] = [Math.max(x(waits.start[at]), 0), Math.min(x(waits.end[at]), width), shown[row].members];
        for (let column = Math.floor(from); column < to; column += 1) line[column] += (Math.min(to, column + 1) - Math.max(from, column)) / members;
    }
    const height = Math.max(Math.round(Math.min(BAR * ratio, rows.height / 3)), 1);
    context.fillStyle = themeColour("--wait");
    for (const [row, line] of parts) drawLine(context, line, rows.bottom(row) - height, height);
    context.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} context @param {Float32Array} line @param {number} top @param {number} height */
function drawLine(context, line, top, height) {
    const opacity = (/** @type {number} */ column) => Math.ceil(Math.min(line[column], 1) * 8) / 8;
    for (let from = 0, to = 1; from < line.length; from = to, to += 1) {
        while (to < line.length && opacity(to) === opacity(from)) to += 1;
        context.globalAlpha = opacity(from);
        if (line[from] > 0) context.fillRect(from, top, to - from, height);
    }
}

/** Returns the place of the stay of the path at a time, or -1. @param {Pack} data @param {number} time */
function stayAt({ path }, time) {
    let [low, high] = [0, path.end.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (path.end[middle] <= time) low = middle + 1;
        else high = middle;
    }
    return time >= path.begin && low < path.end.length ? low : -1;
}

/** Returns when a stay begins. @param {Path} path @param {number} at */
function beginOf(path, at) {
    return at > 0 ? path.end[at - 1] : path.begin;
}

/** Whether the path is more than one row. @param {Pack} data */
export function hasPath({ path }) {
    return path.row.some((row) => row !== path.row[0]);
}

/** Whether the path is known as well as pixels of this width are. @param {Path} path @param {number} perPixel */
function isFine({ slice }, perPixel) {
    return slice === null || slice <= 2 * perPixel;
}

/** The strip with the activities of the critical path. */
export class PathStrip {
    /** @param {App} app @param {HTMLElement} lane */
    constructor(app, lane) {
        this.app = app;
        this.canvas = picture("Critical path", { class: "strip" });
        this.name = element("div", { class: "lane-name" });
        lane.append(this.name, this.canvas);
        tipOver(this.canvas, (x) => this.describe(x));
    }

    /** @param {number} x @returns {Line[] | null} */
    describe(x) {
        const { data, selection, timeline } = this.app;
        const { from, to } = selection.state;
        const time = from + (x / this.canvas.clientWidth) * (to - from);
        const [at, level] = [stayAt(data, time), timeline.level()];
        if (at < 0) return null;
        const { path } = data;
        const row = data.rows[path.row[at]];
        const name = row ? fullName(row) : "a location without a row";
        if (path.slice !== null) return [["", name], ["path", `here for most of ${rounded(path.slice, "time")}`], ["at", formatTime(time)]];
        const known = level && this.regionAt(level, at, time) !== OUTSIDE;
        const call = known ? describeBucket(data, level, { row: path.row[at], time }).lines : /** @type {Line[]} */ ([["", name], ["at", formatTime(time)]]);
        return [...call, ["path stays", formatTime(path.end[at] - beginOf(path, at))]];
    }

    /** Returns the region of a stay at a time, if the row is there for the whole bucket. @param {Level} level @param {number} at @param {number} time */
    regionAt(level, at, time) {
        const { path } = this.app.data;
        const bucket = Math.floor(time / level.width);
        const isWhole = beginOf(path, at) <= bucket * level.width && path.end[at] >= (bucket + 1) * level.width;
        if (!isWhole || path.slice !== null || path.row[at] === OUTSIDE) return OUTSIDE;
        const own = Math.min(Math.max(bucket - (level.start ?? 0), 0), level.buckets - 1);
        return level.region[(path.row[at] - (level.top ?? 0)) * level.buckets + own] ?? OUTSIDE;
    }

    /** Draws each column of pixels in the colour of the region in which the path is, where that is known. */
    draw() {
        const { data, selection, colours, timeline } = this.app;
        const { context, width, height } = fitted(this.canvas);
        const { from, to, region } = selection.state;
        const level = timeline.level();
        let isKnown = false;
        context.clearRect(0, 0, width, height);
        for (let column = 0; column < width; column += 1) {
            const time = from + ((column + 0.5) / width) * (to - from);
            const at = stayAt(data, time);
            if (at < 0) continue;
            const found = level ? this.regionAt(level, at, time) : OUTSIDE;
            isKnown ||= found !== OUTSIDE;
            context.globalAlpha = region >= 0 && found !== region ? 0.25 : 1;
            context.fillStyle = found === OUTSIDE ? themeColour("--alive") : colours.css(found);
            context.fillRect(column, 0, 1, height);
        }
        context.globalAlpha = 1;
        this.name.textContent = isKnown ? "critical path" : "critical path (changes rows too often)";
        this.canvas.setAttribute("aria-label", `Critical path: ${plural(data.path.row.length, "stay")} on rows`);
    }
}

/** Draws the critical path over the rows, if its stays are few. @param {Pack} data @param {State} state @param {CanvasRenderingContext2D} context @param {number} width @param {number} ratio @param {Rows} rows */
export function drawPath({ path }, state, context, width, ratio, rows) {
    const x = (/** @type {number} */ time) => Math.min(Math.max(((time - state.from) / (state.to - state.from)) * width, -9), width + 9);
    if (!isFine(path, (state.to - state.from) / width)) return;
    const line = new Path2D();
    let [count, isDrawn] = [0, false];
    for (let at = 0; at < path.row.length; at += 1) {
        const [begin, end, row] = [beginOf(path, at), path.end[at], path.row[at]];
        if (end < state.from || begin > state.to) continue;
        count += 1;
        const isIn = row >= state.first && row <= state.last;
        const y = isIn ? rows.bottom(row) - rows.height + ratio : 0;
        if (isIn && isDrawn) line.lineTo(x(begin), y);
        else if (isIn) line.moveTo(x(begin), y);
        if (isIn) line.lineTo(x(end), y);
        isDrawn = isIn;
    }
    if (count * ARROW_SPACE * ratio > width) return;
    for (const [colour, wide] of /** @type {[string, number][]} */ ([["--rim", 4], ["--path", 2]])) {
        context.strokeStyle = themeColour(colour);
        context.lineWidth = wide * ratio;
        context.stroke(line);
    }
}
