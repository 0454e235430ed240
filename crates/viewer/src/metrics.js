// Metrics over the selected time: the mean over locations as a line, lowest to highest as a band.
import { drawAxis } from "./axis.js";
import { themeColour } from "./colours.js";
import { element, figure, fitted, nameOf, picture } from "./dom.js";
import { fourDigits, plural, rounded, visibleName } from "./format.js";
import { listenToWheel } from "./gestures.js";
import { tipOver } from "./tooltip.js";

/** Pictures of more metrics take too long. */
const MOST_LANES = 24;

/** Returns lowest, mean and highest value of the buckets of a range. @param {Metric} metric @param {number} first @param {number} last */
export function metricSums({ min, mean, max }, first, last) {
    const found = { lowest: Infinity, mean: 0, highest: -Infinity, buckets: 0 };
    for (let at = first; at <= last; at += 1) {
        if (Number.isNaN(mean[at])) continue;
        found.lowest = Math.min(found.lowest, min[at]);
        found.highest = Math.max(found.highest, max[at]);
        found.mean += mean[at];
        found.buckets += 1;
    }
    found.mean /= found.buckets;
    return found;
}

/** @param {number} value @param {Metric} metric */
const withUnit = (value, metric) => (Number.isFinite(value) ? `${fourDigits(value)} ${metric.unit}` : "no value");

class MetricLane {
    /** @param {App} app @param {Metric} metric */
    constructor(app, metric) {
        this.app = app;
        this.metric = metric;
        this.canvas = picture("Metric", { class: "metric" });
        this.sums = element("p", { class: "note" });
        const title = element("div", { class: "lane-name" }, nameOf(metric.name), element("br"), metric.unit === "" ? metric.mode : `${metric.unit}, ${metric.mode}`);
        this.root = element("section", {}, element("div", { class: "lane" }, title, this.canvas), this.sums);
        tipOver(this.canvas, (x) => this.describe(x));
        listenToWheel(this.canvas, app.selection, null);
    }

    /** Returns the buckets of the selection. */
    range() {
        const { from, to } = this.app.selection.state;
        const last = Math.max(this.metric.mean.length - 1, 0);
        const width = this.metric.width > 0 ? this.metric.width : 1;
        return [Math.min(Math.floor(from / width), last), Math.min(Math.max(Math.ceil(to / width) - 1, 0), last)];
    }

    /** @param {number} x @returns {Line[] | null} */
    describe(x) {
        const { from, to } = this.app.selection.state;
        const { width, min, mean, max } = this.metric;
        const at = Math.floor((from + (x / this.canvas.clientWidth) * (to - from)) / width);
        if (!(at >= 0 && at < mean.length)) return null;
        const lines = /** @type {Line[]} */ ([["", visibleName(this.metric.name)], ["time", `${rounded(at * width, "time")} to ${rounded((at + 1) * width, "time")}`]]);
        const values = /** @type {Line[]} */ ([["lowest", withUnit(min[at], this.metric)], ["mean", withUnit(mean[at], this.metric)], ["highest", withUnit(max[at], this.metric)]]);
        return Number.isNaN(mean[at]) ? [...lines, ["value", "none"]] : [...lines, ...values];
    }

    draw() {
        const [first, last] = this.range();
        const sums = metricSums(this.metric, first, last);
        const { context, width, height, ratio } = fitted(this.canvas);
        context.clearRect(0, 0, width, height);
        const top = 20 * ratio;
        drawAxis(context, this.app.selection.state, { width, height: top, ratio, ink: themeColour("--quiet") });
        if (sums.buckets > 0) this.drawLine(context, first, last, { width, height, top, ratio, ...sums });
        this.showSums(sums);
    }

    /** @param {CanvasRenderingContext2D} context @param {number} first @param {number} last @param {{width: number, height: number, top: number, ratio: number, lowest: number, highest: number}} place */
    drawLine(context, first, last, { width, height, top, ratio, lowest, highest }) {
        const { from, to } = this.app.selection.state;
        const low = Math.min(lowest, 0);
        const y = (/** @type {number} */ value) => height - 2 * ratio - ((value - low) / (highest - low || 1)) * (height - top - 6 * ratio);
        const x = (/** @type {number} */ at) => ((at * this.metric.width - from) / (to - from)) * width;
        for (let at = first; at <= last; at += 1) {
            if (Number.isNaN(this.metric.mean[at])) continue;
            const [left, wide] = [x(at), Math.max(x(at + 1) - x(at), 1)];
            context.fillStyle = themeColour("--band");
            context.fillRect(left, y(this.metric.max[at]), wide, Math.max(y(this.metric.min[at]) - y(this.metric.max[at]), 1));
            context.fillStyle = themeColour("--accent");
            context.fillRect(left, y(this.metric.mean[at]) - ratio, wide, 2 * ratio);
        }
    }

    /** @param {{lowest: number, mean: number, highest: number, buckets: number}} sums */
    showSums(sums) {
        const { name, unit } = this.metric;
        const text = `lowest ${withUnit(sums.lowest, this.metric)}, mean ${withUnit(sums.mean, this.metric)}, highest ${withUnit(sums.highest, this.metric)}`;
        this.canvas.setAttribute("aria-label", `${visibleName(name)} over the selected time: ${text}`);
        if (sums.buckets === 0) return this.sums.replaceChildren("No value in the selected time.");
        const value = (/** @type {number} */ number) => figure(number, "number");
        return this.sums.replaceChildren("Lowest ", value(sums.lowest), ", mean ", value(sums.mean), ", highest ", value(sums.highest), ` ${unit}`);
    }
}

/** @param {App} app @returns {View} */
export function metricsView(app) {
    const lanes = app.data.metrics.map((metric) => new MetricLane(app, metric));
    const note = element("p", { class: "note" });
    const root = element("div", {}, note, ...lanes.map((lane) => lane.root));
    const update = () => {
        const words = app.search.toLocaleLowerCase();
        const found = lanes.filter(({ metric }) => metric.name.toLocaleLowerCase().includes(words));
        for (const lane of lanes) lane.root.hidden = !found.slice(0, MOST_LANES).includes(lane);
        for (const lane of found.slice(0, MOST_LANES)) lane.draw();
        const more = found.length > MOST_LANES ? ` The first ${MOST_LANES} of ${plural(found.length, "metric")}; search for others.` : "";
        const meaning = `Line: mean over locations that have values. Band: lowest to highest.${more}`;
        note.textContent = lanes.length === 0 ? "The trace has no metrics." : found.length === 0 ? "Nothing matches." : meaning;
    };
    return { name: "metrics", title: "Metrics", root, update };
}
