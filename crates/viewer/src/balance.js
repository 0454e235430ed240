// Imbalance: the time of a region on each location of the selection, and the regions with the
// greatest differences.
import { themeColour } from "./colours.js";
import { element, fitted, picture } from "./dom.js";
import { exact, plural, rounded, visibleName } from "./format.js";
import { timesByGroup } from "./profile.js";
import { regionCell, scopeText } from "./regions.js";
import { Table } from "./table.js";
import { tipOver } from "./tooltip.js";

const WIDEST = 64;
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
        this.title = element("h2");
        this.note = element("p", { class: "note" });
        this.root = element("section", {}, this.title, this.canvas, this.note);
        tipOver(this.canvas, (x) => this.describe(x));
    }

    /** @param {number} x @returns {Line[] | null} */
    describe(x) {
        const wide = Math.min(this.canvas.clientWidth / this.bars.length, WIDEST);
        const bar = this.bars[Math.floor(x / wide)];
        return bar ? [["", visibleName(bar.name)], ["exclusive", exact(bar.time, "time")]] : null;
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

    /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {number} ratio @param {number} region @param {number} mean @param {number} most */
    draw(context, width, height, ratio, region, mean, most) {
        const wide = Math.min(width / this.bars.length, WIDEST * ratio);
        const y = (/** @type {number} */ time) => height - (time / most) * (height - 4 * ratio);
        context.fillStyle = this.app.colours.css(region);
        this.bars.forEach(({ time }, at) => context.fillRect(at * wide, y(time), Math.max(wide - (wide > 4 * ratio ? ratio : 0), 1), height - y(time)));
        context.fillStyle = themeColour("--ink");
        context.fillRect(0, y(mean) - ratio / 2, wide * this.bars.length, ratio);
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
