// Efficiencies by the definitions of the POP project, time by class, and waiting.
import { bar, element, figure } from "./dom.js";
import { factList } from "./facts.js";
import { outsideName } from "./format.js";
import { statsTable } from "./matrix.js";
import { eachEntry, outsideTime, timesByGroup } from "./profile.js";
import { scopeText } from "./regions.js";
import { Table } from "./table.js";

/** @typedef {{name: string, time: number, at: number}} ClassTime */

/** Returns the exclusive time of each class in the selection. @param {App} app @returns {ClassTime[]} */
function classTimes({ data, selection }) {
    const { from, to } = selection.state;
    const times = new Float64Array(data.classes.length);
    eachEntry(data, from, to, selection.groups(), (entry) => {
        times[data.contexts.class[data.slices.context[entry]]] += data.slices.exclusive[entry];
    });
    const outside = { name: outsideName(data), at: -1, time: outsideTime(data, from, to, selection.groups()) };
    return [...data.classes.map((name, at) => ({ name, at, time: times[at] })), outside].filter(({ time }) => time > 0);
}

/** Returns the load balance of the selection: mean by longest time of computation. @param {App} app */
function loadBalance({ data, selection }) {
    const selected = selection.groups();
    const { from, to } = selection.state;
    const all = timesByGroup(data, from, to, (context) => data.contexts.class[context] === 0);
    const times = [...all].map((time, at) => time / Math.max(data.groups[at].members, 1)).filter((_, at) => selected?.has(at) ?? true);
    const longest = times.reduce((most, time) => Math.max(most, time), 0);
    return longest > 0 ? times.reduce((sum, time) => sum + time, 0) / times.length / longest : NaN;
}

/** @param {number | null | undefined} value */
function meter(value) {
    return element("span", { class: "meter" }, bar(value ?? 0), figure(value, "share"));
}

/**
 * The parts of the efficiency of communication, if there is any.
 * @param {{ transfer?: number | null, serialisation?: number | null }} found
 * @returns {[string, HTMLElement][]}
 */
function networkRows({ transfer, serialisation }) {
    if (transfer == null || serialisation == null) return [];
    return [
        ["Serialisation: that of a run on an ideal network", meter(serialisation)],
        ["Transfer: length of that run by length", meter(transfer)],
    ];
}

/**
 * The efficiencies of processes that have several threads. The parts are those of their
 * communication.
 * @param {{ transfer?: number | null, serialisation?: number | null }} found
 * @param {Record<string, number>} processes
 * @returns {[string, HTMLElement][]}
 */
function processRows(found, processes) {
    return [
        ["Load balance of processes, by time outside communication", meter(processes.load_balance)],
        ["Communication of processes: longest such time by length", meter(processes.communication)],
        ...networkRows(found),
        ["Load balance of threads", meter(processes.thread_load_balance)],
        ["Efficiency of threads beside it", meter(processes.thread_communication)],
    ];
}

/**
 * The losses between and in processes with parallel regions, which add up.
 * @param {Record<string, number | null>} regions
 * @returns {[string, HTMLElement][]}
 */
function regionRows(regions) {
    const rows = /** @type {[string, string][]} */ ([
        ["processes", "As a sum of losses: processes, by time in parallel regions and computation outside"],
        ["load_balance", "… load balance"],
        ["communication", "… communication"],
        ["serialisation", "… … serialisation"],
        ["transfer", "… … transfer"],
        ["threads", "As a sum of losses: threads"],
        ["parallel", "… in parallel regions"],
        ["serial", "… outside of them"],
    ]);
    return rows.filter(([name]) => regions[name] != null).map(([name, label]) => [label, meter(regions[name])]);
}

/** @param {App} app */
function wholeTrace({ data }) {
    const found = data.stats?.efficiency;
    if (!found) return element("p", { class: "note" }, "No efficiencies: no location computes.");
    return factList([
        ["Parallel efficiency, the product", meter(found.parallel)],
        ["Load balance: mean by longest time of computation", meter(found.load_balance)],
        ["Communication: longest time of computation by length", meter(found.communication)],
        ...(found.processes ? processRows(found, found.processes) : networkRows(found)),
        ...(found.regions ? regionRows(found.regions) : []),
        ["Longest computation", element("span", {}, element("bdi", { dir: "auto" }, found.slowest?.name ?? "–"), " ", figure(found.slowest?.time_ns, "time"))],
    ]);
}

/** @param {App} app */
function waitTables(app) {
    const waits = statsTable(app, "Waiting for others, whole trace", "waits", [
        { name: "Reason", value: (row) => row.reason }, { name: "Region", value: (row) => row.region },
        { name: "Waits", kind: "count", value: (row) => row.count }, { name: "Time", kind: "time", value: (row) => row.time_ns },
        { name: "Longest", kind: "time", value: (row) => row.longest.time_ns }, { name: "On", value: (row) => row.longest.name },
    ]);
    const byLocation = statsTable(app, "Waiting by location, whole trace", "waits_by_location", [
        { name: "Location", value: (row) => row.name }, { name: "Reason", value: (row) => row.reason },
        { name: "Waited", kind: "time", value: (row) => row.time_ns },
        { name: "Others waited", kind: "time", value: (row) => row.caused_ns },
    ]);
    return [waits, byLocation];
}

/** @param {App} app @returns {View} */
export function efficiencyView(app) {
    let total = 1;
    const colour = (/** @type {ClassTime} */ row) => (row.at < 0 ? "var(--alive)" : app.colours.cssOfClass(row.at));
    const classes = new Table("Time by class of the selection", /** @type {Column<ClassTime>[]} */ ([
        { name: "Class", value: (row) => row.name },
        { name: "Exclusive", kind: "time", value: (row) => row.time, part: (row) => row.time / total, colour },
        { name: "Share", kind: "share", value: (row) => row.time / total },
    ]), { sortBy: 1, empty: "No call in this selection." });
    const waits = waitTables(app);
    const scope = element("p", { class: "scope" });
    const balance = element("div");
    const whole = element("section", {}, element("h2", {}, "Efficiency of the whole trace (POP)"), wholeTrace(app));
    const selected = element("section", {}, element("h2", {}, "Selection"), scope, balance, classes.root);
    const root = element("div", { class: "columns" }, element("div", {}, whole, selected), element("div", {}, ...waits.map((table) => table.root)));
    const update = () => {
        const times = classTimes(app);
        total = times.reduce((sum, row) => sum + row.time, 0) || 1;
        scope.textContent = scopeText(app);
        balance.replaceChildren(factList([["Load balance", meter(loadBalance(app))]]));
        classes.update(times, app.search);
        for (const table of waits) table.update(app.search);
    };
    return { name: "efficiency", title: "Efficiency", root, update };
}
