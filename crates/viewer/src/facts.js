// Facts of the trace: its size, losses, merged rows, findings of `kymo check`, kinds of events.
import { byId, element, figure } from "./dom.js";
import { separated } from "./format.js";
import { Table } from "./table.js";

/** Makes a list of names and values. @param {[string, Node | string][]} facts */
export function factList(facts) {
    const lines = facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
    return element("dl", { class: "facts" }, ...lines);
}

/** @param {string} text */
function isolated(text) {
    return element("bdi", { dir: "auto" }, text);
}

/** @param {Pack} data @returns {[string, Node | string][]} */
function traceFacts({ trace, stats, generator, slices, levels }) {
    /** @type {[string, Node | string][]} */
    const facts = [
        ["Trace", isolated(trace.name)],
        ...(trace.command ? [/** @type {[string, Node]} */ (["Command", isolated(trace.command)])] : []),
        ["Recorded", isolated(trace.date ?? "unknown")],
        ["Length", figure(trace.length, "time")],
        ["Events", figure(trace.events, "count")], ["Events lost", figure(trace.lost, "count")],
        ["Nodes", figure(trace.nodes, "count")], ["Processes", figure(trace.processes, "count")], ["Locations", figure(trace.locations, "count")],
    ];
    const more = stats?.trace;
    if (more?.most_threads) facts.push(["Most threads of a process", figure(more.most_threads, "count")]);
    if (more?.ticks_per_second) facts.push(["Ticks of the clock per second", figure(more.ticks_per_second, "count")]);
    if (more?.creator) facts.push(["Written by", isolated(more.creator)]);
    if (levels[0]) facts.push(["Finest bucket of the picture", figure(levels[0].width, "time")]);
    if (slices.count > 0) facts.push(["Slice of the sums", figure(slices.width, "time")]);
    return [...facts, ["Page made by", isolated(generator)]];
}

/** @param {string} title @param {string[]} lines @param {string} empty */
function listOf(title, lines, empty) {
    const items = lines.map((line) => element("li", {}, isolated(line)));
    const body = items.length > 0 ? element("ul", {}, ...items) : element("p", { class: "note" }, empty);
    return element("section", {}, element("h2", {}, title), body);
}

/** Returns the findings of `kymo check` as lines; null if it did not run. @param {any} check @returns {string[] | null} */
function findingsOf(check) {
    if (!check) return null;
    const kinds = Object.entries(check.kinds ?? {}).map(([kind, count]) => `${kind}: ${typeof count === "number" ? separated(count) : JSON.stringify(count)}`);
    const sums = ["errors", "warnings", "notes"].filter((name) => check[name] > 0).map((name) => `${name}: ${separated(check[name])}`);
    return [...sums, ...kinds];
}

/** Returns the facts that a reader must know before trusting the page. @param {Pack} data */
function warningsOf({ trace, check }) {
    const warnings = [];
    if (trace.lost > 0) warnings.push(`${separated(trace.lost)} events were lost when the trace was recorded.`);
    if (check?.errors > 0) warnings.push(`kymo check found errors: ${separated(check.errors)}.`);
    return warnings;
}

/** @param {App} app @returns {View} */
export function factsView({ data }) {
    const remarks = Object.entries(data.stats?.remarks ?? {}).map(([what, count]) => `${what}: ${separated(Number(count))}`);
    const columns = /** @type {Column<any>[]} */ ([
        { name: "Event", value: (row) => row.event }, { name: "Events", kind: "count", value: (row) => row.count },
    ]);
    const kinds = new Table("Events other than enters and leaves", columns, { sortBy: 1 });
    kinds.update(data.stats?.events ?? []);
    const findings = element("div");
    const root = element("div", { class: "columns" },
        element("section", {}, element("h2", {}, "Trace"), factList(traceFacts(data))),
        findings, kinds.root);
    const show = (/** @type {any} */ check) => {
        data.check = check;
        const found = typeof check === "object" ? findingsOf(check) : null;
        findings.replaceChildren(
            listOf("What this page merged", data.notes, "Nothing: every location has a row of its own."),
            listOf("Losses and remarks", [...warningsOf(data), ...remarks], "None."),
            listOf("Findings of kymo check", found ?? [], found ? "None." : check ?? "kymo check was not run."));
        byId("warnings").hidden = warningsOf(data).length === 0;
        byId("warnings").textContent = warningsOf(data).join(" ");
    };
    show(data.check);
    const ask = async () => {
        show("kymo check is running.");
        const answer = await fetch("check").catch(() => null);
        show(answer?.ok ? await answer.json() : "kymo check was not run: the server does not answer.");
    };
    return { name: "facts", title: "Facts", root, update: () => data.tiles && !data.check && void ask() };
}
