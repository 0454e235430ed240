// Messages: lines over the rows where few are visible, their density over time everywhere.
import { inkedArrows } from "./arrows.js";
import { themeColour } from "./colours.js";
import { element, fitted, picture } from "./dom.js";
import { plural, rounded, separated } from "./format.js";
import { tipOver } from "./tooltip.js";

/** More lines than one in this many pixels hide the rows. */
const LINE_SPACE = 3;

/** Returns the messages of the list that a part of the trace shows. @param {Pack} data @param {State} state */
export function visibleMessages(data, { from, to, first, last }) {
    const list = data.messages.list;
    if (!list) return [];
    const isIn = (/** @type {number} */ row) => row >= first && row <= last;
    const found = [];
    for (let at = 0; at < list.send.length; at += 1) {
        const overlaps = list.send[at] <= to && list.receive[at] >= from;
        if (overlaps && (isIn(list.source[at]) || isIn(list.destination[at]))) found.push(at);
    }
    return found;
}

/** Draws messages as lines from send to receive, if they are few; returns whether they are.
 * @param {Pack} data @param {State} state @param {CanvasRenderingContext2D} context @param {number} width @param {number} ratio @param {(row: number) => number} y the middle of a row */
export function drawMessages(data, state, context, width, ratio, y) {
    const list = data.messages.list;
    const found = visibleMessages(data, state);
    if (!list || found.length * LINE_SPACE * ratio > width) return false;
    const x = (/** @type {number} */ time) => ((time - state.from) / (state.to - state.from)) * width;
    const arrows = found.map((at) => [x(list.send[at]), y(list.source[at]), x(list.receive[at]), y(list.destination[at])]);
    inkedArrows(context, arrows, ratio, themeColour("--ink"));
    return true;
}

/** The strip with the number of messages over time. */
export class Density {
    /** @param {Pack} data @param {TraceSelection} selection @param {HTMLElement} lane */
    constructor(data, selection, lane) {
        this.data = data;
        this.selection = selection;
        this.canvas = picture("Messages over time", { class: "strip" });
        this.name = element("div", { class: "lane-name" });
        lane.append(this.name, this.canvas);
        tipOver(this.canvas, (x) => this.describe(x));
    }

    /** @param {number} x @returns {Line[] | null} */
    describe(x) {
        const { density } = this.data.messages;
        const { from, to } = this.selection.state;
        const bucket = Math.floor((from + (x / this.canvas.clientWidth) * (to - from)) / density.width);
        if (!(bucket >= 0 && bucket < density.buckets)) return null;
        const start = bucket * density.width;
        return [
            ["", plural(density.count[bucket], "message")],
            ["bytes", rounded(density.bytes[bucket], "bytes")],
            ["sent from", `${rounded(start, "time")} to ${rounded(start + density.width, "time")}`],
        ];
    }

    /** @param {boolean} hasLines */
    draw(hasLines) {
        const hint = this.data.messages.list ? "messages (lines: zoom in)" : "messages (too many for lines)";
        this.name.textContent = hasLines ? "messages" : hint;
        const { context, width, height } = fitted(this.canvas);
        const { from, to } = this.selection.state;
        const { density, count } = this.data.messages;
        const most = Math.max(1, ...density.count);
        context.clearRect(0, 0, width, height);
        context.fillStyle = themeColour("--accent");
        const scale = width / (to - from);
        for (let bucket = Math.max(Math.floor(from / density.width), 0); bucket < density.buckets; bucket += 1) {
            const x = (bucket * density.width - from) * scale;
            if (x > width) break;
            const tall = Math.ceil((density.count[bucket] / most) * height);
            context.fillRect(x, height - tall, Math.max(density.width * scale, 1), tall);
        }
        this.canvas.setAttribute("aria-label", `${plural(count, "message")} over time, at most ${separated(most)} in ${rounded(density.width, "time")}`);
    }
}
