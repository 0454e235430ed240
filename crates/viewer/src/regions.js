// The table of regions of the selection.
import { element, nameButton, swatch } from "./dom.js";
import { outsideName, rounded } from "./format.js";
import { contextSums, coveredRange, outsideTime, regionSums } from "./profile.js";
import { Table } from "./table.js";
import { rowsText } from "./timeline.js";

/** @typedef {{region: number, name: string, ofClass: string, visits: number, exclusive: number, inclusive: number, place: string}} RegionRow */

/** Returns the sums of the selection. @param {App} app */
export function selectedSums({ data, selection }) {
    const { from, to } = selection.state;
    return contextSums(data, from, to, selection.groups());
}

/** States which slices and rows the numbers are of. @param {App} app */
export function scopeText({ data, selection }) {
    const { from, to } = coveredRange(data, selection.state.from, selection.state.to);
    const whole = selection.isWhole ? "the whole trace" : `${rounded(from, "time")} to ${rounded(to, "time")}`;
    const rounding = selection.isWhole ? "" : " (whole slices of time)";
    return `Sums of ${whole}${rounding}, ${rowsText(data, selection)}.`;
}

/** @param {App} app */
function regionColumns(app) {
    const { data, selection, colours } = app;
    let longest = 1;
    /** @type {Column<RegionRow>[]} */
    const columns = [
        { name: "Region", value: (row) => row.name, cell: (row) => (row.region < 0 ? quietCell(row.name) : regionCell(app, row.region)) },
        { name: "Class", value: (row) => row.ofClass },
        { name: "Exclusive", kind: "time", title: "Time in the region without the regions that it calls", value: (row) => row.exclusive, part: (row) => row.exclusive / longest, colour: (row) => (row.region < 0 ? "var(--alive)" : colours.css(row.region)) },
        { name: "Share", kind: "share", title: "Exclusive time by the time of all regions, with the time in no call if samples were taken", value: (row) => row.exclusive / total },
        { name: "Inclusive", kind: "time", title: "Time in the region and in the regions that it calls", value: (row) => row.inclusive },
        { name: "Calls", kind: "count", title: "Calls that begin in the selection", value: (row) => row.visits },
        { name: "Per call", kind: "time", title: "Inclusive time by calls", value: (row) => (row.visits > 0 ? row.inclusive / row.visits : NaN) },
        { name: "Source", value: (row) => row.place },
    ];
    let total = 1;
    const measure = (/** @type {RegionRow[]} */ rows) => {
        longest = rows.reduce((most, row) => Math.max(most, row.exclusive), 1e-9);
        total = rows.reduce((sum, row) => sum + row.exclusive, 0) || 1;
    };
    return { columns, measure, isSelected: (/** @type {RegionRow} */ row) => row.region >= 0 && row.region === selection.state.region, data };
}

/** Returns the colour and the name of a region; a press selects it. @param {App} app @param {number} region */
export function regionCell({ data, selection, colours }, region) {
    const isSelected = String(selection.state.region === region);
    const press = nameButton(data.regions[region].name, () => selection.toggle(region), { "aria-pressed": isSelected });
    return element("span", { class: "region" }, swatch(colours.css(region)), press);
}

/** Returns the cell of the time in no call. @param {string} name */
export function quietCell(name) {
    return element("span", { class: "region" }, element("span", { class: "swatch quiet", "aria-hidden": "true" }), name);
}

/** @param {App} app @returns {RegionRow[]} */
function rowsOf(app) {
    const { data, selection } = app;
    const sums = regionSums(data, selectedSums(app));
    const outside = outsideTime(data, selection.state.from, selection.state.to, selection.groups());
    const quiet = { region: -1, name: outsideName(data), ofClass: "", place: "", visits: 0, exclusive: outside, inclusive: outside };
    const rows = [...sums].map(([region, numbers]) => {
        const { name, class: at, file, line } = data.regions[region];
        const place = file === "" ? "" : line > 0 ? `${file}:${line}` : file;
        return { region, name, ofClass: data.classes[at] ?? "", place, ...numbers };
    });
    return outside > 0 ? [...rows, quiet] : rows;
}

/** Returns a table of samples, for traces without calls. @param {App} app */
function samplesTable({ data }) {
    /** @type {Column<any>[]} */
    const columns = [
        { name: "Region", value: (row) => row.region },
        { name: "Class", value: (row) => row.class },
        { name: "Samples", kind: "count", value: (row) => row.samples },
    ];
    const table = new Table("Samples by region, whole trace", columns, { sortBy: 2 });
    const sampled = (data.stats?.regions ?? []).filter((/** @type {any} */ row) => row.samples > 0);
    return { table, sampled };
}

/** @param {App} app @returns {View} */
export function regionsView(app) {
    const { columns, measure, isSelected } = regionColumns(app);
    const empty = "No call in this selection.";
    const table = new Table("Regions of the selection", columns, { sortBy: 2, empty, isSelected });
    const samples = samplesTable(app);
    const scope = element("p", { class: "scope" });
    const root = element("div", {}, scope, table.root);
    if (samples.sampled.length > 0) root.append(samples.table.root);
    const update = () => {
        const rows = rowsOf(app);
        measure(rows);
        scope.textContent = scopeText(app);
        table.update(rows, app.search);
        samples.table.update(samples.sampled, app.search);
    };
    return { name: "regions", title: "Regions", root, update };
}
