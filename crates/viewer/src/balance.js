// Imbalance: the time of a region on each location of the selection, and the regions with the
// greatest differences.
import { ticksOf, tickText } from "./axis.js";
import { themeColour } from "./colours.js";
import { element, fitted, picture } from "./dom.js";
import { plural, rounded, visibleName } from "./format.js";
import { timesByGroup } from "./profile.js";
import { regionCell, scopeText } from "./regions.js";
import { Table } from "./table.js";
import { shortenedInside } from "./text.js";
import { tipOver } from "./tooltip.js";

const WIDEST = 96;
/** The space of the axes, and that of a name, in pixels of the style sheet. */
const [AXIS, NAME] = [{ left: 62, top: 8, bottom: 18 }, 130];
/** @typedef {{group: number, name: string, time: number}} Bar */

/** Returns the mean time of a member of each selected group in a region. @param {App} app @param {number} region @returns {Bar[]} */
function barsOf({ data, selection }, region) {
    const { from, to } = selection.state;
    const times = timesByGroup(data, from, to, (context) => data.contexts.region[context] === region);
    const selected = selection.groups();
    const bars = data.groups.map(({ name, members }, group) => ({ group, name, time: times[group] / Math.max(members, 1) }));
    return selected ? bars.filter(({ group }) => selected.has(group)) : bars;
}

class Bars {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
        /** @type {Bar[]} */
        this.bars = [];
        this.canvas = picture("Time by location", { class: "bars", id: "bars" });
        this.title = element("h2");
        this.note = element("p", { class: "note" });
        this.root = element("section", {}, this.title, this.canvas, this.note);
        tipOver(this.canvas, (x) => this.describe(x));
    }

    /** @param {number} x @returns {Line[] | null} */
    describe(x) {
        const { left, wide } = this.place(this.canvas.clientWidth, 1);
        const bar = this.bars[Math.floor((x - left) / wide)];
        return bar ? [["", visibleName(bar.name)], ["exclusive", rounded(bar.time, "time")]] : null;
    }

    /** @param {number} region */
    show(region) {
        this.bars = barsOf(this.app, region);
        const most = this.bars.reduce((longest, bar) => (bar.time > longest.time ? bar : longest), this.bars[0]);
        const mean = this.bars.reduce((sum, bar) => sum + bar.time, 0) / Math.max(this.bars.length, 1);
        this.title.replaceChildren("Exclusive time by location, in ", element("bdi", { dir: "auto" }, visibleName(this.app.data.regions[region].name)));
        const { context, width, height, ratio } = fitted(this.canvas);
        context.clearRect(0, 0, width, height);
        if (most && most.time > 0) this.draw(context, width, height, ratio, region, mean, most.time);
        this.describeAll(mean, most);
    }

    /** Returns where bars are. @param {number} width @param {number} ratio */
    place(width, ratio) {
        const left = AXIS.left * ratio;
        return { left, wide: Math.min((width - left) / Math.max(this.bars.length, 1), WIDEST * ratio) };
    }

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {number} ratio @param {number} region @param {number} mean @param {number} most */
    draw(context, width, height, ratio, region, mean, most) {
        const { left, wide } = this.place(width, ratio);
        const [top, bottom] = [AXIS.top * ratio, height - AXIS.bottom * ratio];
        const y = (/** @type {number} */ time) => bottom - (time / most) * (bottom - top);
        this.drawTimes(context, width, ratio, most, y);
        context.fillStyle = this.app.colours.css(region);
        this.bars.forEach(({ time }, at) => context.fillRect(left + at * wide, y(time), Math.max(wide - (wide > 4 * ratio ? ratio : 0), 1), bottom - y(time)));
        this.drawNames(context, { left, wide, bottom, ratio, right: width });
        context.fillStyle = themeColour("--ink");
        context.fillRect(left, y(mean) - ratio / 2, wide * this.bars.length, ratio);
    }

    /** Draws the axis of times. @param {CanvasRenderingContext2D} context @param {number} width @param {number} ratio @param {number} most @param {(time: number) => number} y */
    drawTimes(context, width, ratio, most, y) {
        const { ticks, step } = ticksOf(0, most, 4);
        context.font = `${11 * ratio}px system-ui, sans-serif`;
        context.textBaseline = "middle";
        context.textAlign = "right";
        for (const tick of ticks) {
            context.fillStyle = themeColour("--line");
            context.fillRect(AXIS.left * ratio, Math.round(y(tick)), width, ratio);
            context.fillStyle = themeColour("--quiet");
            context.fillText(tickText(tick, step), (AXIS.left - 6) * ratio, y(tick));
        }
        context.textAlign = "left";
    }

    /** Writes the names of bars, as many as have space. @param {CanvasRenderingContext2D} context @param {{left: number, wide: number, bottom: number, ratio: number, right: number}} place */
    drawNames(context, { left, wide, bottom, ratio, right }) {
        const step = Math.max(Math.ceil((NAME * ratio) / wide), 1);
        context.fillStyle = themeColour("--quiet");
        for (let at = 0; at < this.bars.length; at += step) {
            const x = left + at * wide;
            const text = shortenedInside(context, visibleName(this.bars[at].name), Math.min(Math.max(step * wide, NAME * ratio), right - x) - 8 * ratio);
            context.fillText(text, x, bottom + (AXIS.bottom / 2) * ratio);
        }
    }

    /** @param {number} mean @param {Bar | undefined} most */
    describeAll(mean, most) {
        const longest = most ? `${visibleName(most.name)}, ${rounded(most.time, "time")}` : "none";
        const text = `${plural(this.bars.length, "row")}. Mean (line): ${rounded(mean, "time")}. Longest: ${longest}.`;
        this.note.textContent = text;
        this.canvas.setAttribute("aria-label", `Exclusive time by location, bars. ${text}`);
    }
}

function locationTable() {
    /** @type {Column<Bar>[]} */
    const columns = [{ name: "Location", value: (row) => row.name }, { name: "Exclusive", kind: "time", value: (row) => row.time }];
    return new Table("The bars as a table", columns, { sortBy: 1 });
}

/** @param {App} app */
function spreadTable(app) {
    const { data, selection } = app;
    /** @type {Column<Spread>[]} */
    const columns = [
        { name: "Region", value: (row) => data.regions[row.region].name, cell: (row) => regionCell(app, row.region) },
        { name: "Mean", kind: "time", value: (row) => row.mean }, { name: "Longest", kind: "time", value: (row) => row.longest },
        { name: "Difference", kind: "time", title: "Longest less mean", value: (row) => row.longest - row.mean },
        { name: "Longest by mean", kind: "factor", value: (row) => (row.mean > 0 ? row.longest / row.mean : NaN) },
        { name: "Longest on", value: (row) => row.location },
    ];
    const isSelected = (/** @type {Spread} */ row) => row.region === selection.state.region;
    return new Table("Regions whose time differs most between locations, whole trace", columns, { sortBy: 3, isSelected });
}

/** @param {App} app @returns {View} */
export function balanceView(app) {
    const { data, selection, colours } = app;
    const [bars, spread, locations, scope] = [new Bars(app), spreadTable(app), locationTable(), element("p", { class: "scope" })];
    const root = element("div", {}, scope, bars.root, element("div", { class: "columns wide" }, spread.root, locations.root));
    const greatest = [...data.spread].sort((a, b) => b.longest - b.mean - (a.longest - a.mean))[0]?.region;
    const update = () => {
        const region = selection.state.region >= 0 ? selection.state.region : greatest ?? colours.order[0] ?? -1;
        scope.textContent = scopeText(app);
        bars.root.hidden = region < 0;
        if (region >= 0) bars.show(region);
        spread.update(data.spread, app.search);
        locations.update(bars.bars);
    };
    return { name: "balance", title: "Balance", root, update };
}
