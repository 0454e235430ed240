// Imbalance: the time of a region on each location of the selection, and the regions with the
// greatest differences.

import { themeColour } from "./colours.js";
import { element, fitted, picture } from "./dom.js";
import { exact, plural, rounded, visibleName } from "./format.js";
import { timesByGroup } from "./profile.js";
import { regionCell } from "./regions.js";
import { Table } from "./table.js";
import { tipOver } from "./tooltip.js";

/** @typedef {import("./main.js").App} App */
/** @typedef {{group: number, name: string, time: number}} Bar */

/** Returns the mean time of a member of each selected group in a region. @param {App} app @param {number} region @returns {Bar[]} */
function barsOf({ data, selection }, region) {
    const { from, to } = selection.state;
    const times = timesByGroup(data, from, to, (at) => at === region);
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
        this.title = element("h3");
        this.note = element("p", { class: "note" });
        this.root = element("section", {}, this.title, this.canvas, this.note);
        tipOver(this.canvas, (x) => this.describe(x));
    }

    /** @param {number} x @returns {[string, string][] | null} */
    describe(x) {
        const bar = this.bars[Math.floor((x / this.canvas.clientWidth) * this.bars.length)];
        return bar ? [["", visibleName(bar.name)], ["exclusive", exact(bar.time, "time")]] : null;
    }

    /** @param {number} region */
    show(region) {
        this.bars = barsOf(this.app, region);
        const most = this.bars.reduce((longest, bar) => (bar.time > longest.time ? bar : longest), this.bars[0]);
        const mean = this.bars.reduce((sum, bar) => sum + bar.time, 0) / Math.max(this.bars.length, 1);
        this.title.replaceChildren("Exclusive time by location: ", element("bdi", { dir: "auto" }, visibleName(this.app.data.regions[region].name)));
        const { context, width, height, ratio } = fitted(this.canvas);
        context.clearRect(0, 0, width, height);
        if (most && most.time > 0) this.draw(context, width, height, ratio, region, mean, most.time);
        this.describeAll(mean, most);
    }

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {number} ratio @param {number} region @param {number} mean @param {number} most */
    draw(context, width, height, ratio, region, mean, most) {
        const wide = width / this.bars.length;
        const y = (/** @type {number} */ time) => height - (time / most) * (height - 4 * ratio);
        context.fillStyle = this.app.colours.css(region);
        this.bars.forEach(({ time }, at) => context.fillRect(at * wide, y(time), Math.max(wide - (wide > 4 * ratio ? ratio : 0), 1), height - y(time)));
        context.fillStyle = themeColour("--ink");
        context.fillRect(0, y(mean) - ratio / 2, width, ratio);
    }

    /** @param {number} mean @param {Bar | undefined} most */
    describeAll(mean, most) {
        const longest = most ? `${visibleName(most.name)}, ${rounded(most.time, "time")}` : "none";
        const text = `${plural(this.bars.length, "row")}. Mean (line): ${rounded(mean, "time")}. Longest: ${longest}.`;
        this.note.textContent = text;
        this.canvas.setAttribute("aria-label", `Exclusive time by location, bars. ${text}`);
    }
}

/** @param {App} app @returns {import("./main.js").View} */
export function balanceView(app) {
    const { data, selection, colours } = app;
    const bars = new Bars(app);
    /** @type {import("./table.js").Column<import("./pack.js").Spread>[]} */
    const columns = [
        { name: "Region", value: (row) => data.regions[row.region].name, cell: (row) => regionCell(app, row.region) },
        { name: "Mean", kind: "time", value: (row) => row.mean },
        { name: "Longest", kind: "time", value: (row) => row.longest },
        { name: "Longest by mean", kind: "factor", value: (row) => (row.mean > 0 ? row.longest / row.mean : NaN) },
        { name: "Difference", kind: "time", title: "Longest less mean", value: (row) => row.longest - row.mean },
        { name: "Longest on", value: (row) => row.location },
    ];
    const isSelected = (/** @type {import("./pack.js").Spread} */ row) => row.region === selection.state.region;
    const table = new Table("Regions whose time differs most between locations, whole trace", columns, { sortBy: 4, isSelected });
    const root = element("div", {}, bars.root, table.root);
    const update = () => {
        const region = selection.state.region >= 0 ? selection.state.region : data.spread[0]?.region ?? colours.order[0] ?? -1;
        bars.root.hidden = region < 0;
        if (region >= 0) bars.show(region);
        table.update(data.spread, app.search);
    };
    return { name: "balance", title: "Balance", root, update };
}
