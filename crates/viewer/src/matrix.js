// Who sends to whom: a matrix of messages of the whole trace, and the pairs as a table.
import { themeColour, colourOf } from "./colours.js";
import { element, figure, fitted, nameOf, picture } from "./dom.js";
import { factList } from "./facts.js";
import { plural, rounded, visibleName } from "./format.js";
import { Table } from "./table.js";
import { tipOver } from "./tooltip.js";

/** @typedef {"bytes" | "count" | "wait"} Measure */
/** @typedef {{from: string, to: string, count: number, bytes: number, wait: number}} Pair */

const MEASURES = /** @type {Record<Measure, {title: string, kind: Kind}>} */ ({
    bytes: { title: "Bytes", kind: "bytes" },
    count: { title: "Messages", kind: "count" },
    wait: { title: "Waiting time", kind: "time" },
});
const LARGEST = 560;
/** The place of the least value on the scale of colours, so that it differs from no value. */
const PALEST_PAIR = 0.2;
/** The palest and the strongest colour of a pair, dark on light; turned round on dark paper. */
const SCALE = /** @type {[number, number, number][]} */ ([[214, 228, 244], [78, 142, 205], [28, 82, 148], [14, 30, 66]]);

/** Returns the colour of a part of 1. @param {number} part @param {boolean} isDark */
function heat(part, isDark) {
    const scale = isDark ? [...SCALE].reverse() : SCALE;
    const at = Math.min(Math.max(part, 0), 1) * (scale.length - 1);
    const low = Math.min(Math.floor(at), scale.length - 2);
    return `rgb(${scale[low].map((value, place) => Math.round(value + (scale[low + 1][place] - value) * (at - low))).join(" ")})`;
}

/** Returns the place of values on a logarithmic scale from the least to the most; the middle if all are equal. @param {number} least @param {number} most */
export function partOf(least, most) {
    const length = Math.log1p(most) - Math.log1p(least);
    return (/** @type {number} */ value) => (length > 0 ? (Math.log1p(value) - Math.log1p(least)) / length : 0.5);
}

class MatrixPicture {
    /** @param {App} app */
    constructor(app) {
        this.matrix = app.data.matrix;
        /** @type {Measure} */
        this.measure = "bytes";
        this.canvas = picture("Matrix of messages", { class: "matrix", id: "matrix" });
        this.place = element("div", { class: "place matrix" }, this.canvas);
        this.scale = element("p", { class: "note" });
        /** @type {Map<number, number>} */
        this.pairs = new Map();
        const { from, to, names } = this.matrix;
        from.forEach((source, at) => this.pairs.set(source * names.length + to[at], at));
        tipOver(this.place, (x, y) => this.describe(x, y));
    }

    /** @param {number} x @param {number} y @returns {Line[] | null} */
    describe(x, y) {
        const { names, count, bytes, wait } = this.matrix;
        const cell = this.place.clientWidth / Math.max(names.length, 1);
        const [source, destination] = [Math.floor(y / cell), Math.floor(x / cell)];
        if (!(names[source] && names[destination])) return null;
        const at = this.pairs.get(source * names.length + destination);
        const title = `${visibleName(names[source])} → ${visibleName(names[destination])}`;
        if (at === undefined) return [["", title], ["messages", "none"]];
        return [["", title], ["messages", rounded(count[at], "count")], ["bytes", rounded(bytes[at], "bytes")], ["waiting time", rounded(wait[at], "time")]];
    }

    draw() {
        const { names, from, to } = this.matrix;
        const side = Math.min(Math.max(names.length * 24, 120), LARGEST);
        this.place.style.width = `${side}px`;
        const { context, width, ratio } = fitted(this.canvas);
        const values = this.matrix[this.measure];
        const shown = [...values].filter((value) => value > 0);
        const most = shown.reduce((longest, value) => Math.max(longest, value), 0);
        const least = shown.reduce((shortest, value) => Math.min(shortest, value), most);
        const part = partOf(least, most);
        const cell = width / Math.max(names.length, 1);
        const isDark = colourOf(themeColour("--paper"))[0] < 128;
        context.clearRect(0, 0, width, width);
        from.forEach((source, at) => {
            if (!(values[at] > 0)) return;
            context.fillStyle = heat(PALEST_PAIR + (1 - PALEST_PAIR) * part(values[at]), isDark);
            const gap = cell > 6 * ratio ? ratio : 0;
            context.fillRect(to[at] * cell, source * cell, Math.max(cell - gap, 1), Math.max(cell - gap, 1));
        });
        const { title, kind } = MEASURES[this.measure];
        this.scale.textContent = `Rows send, columns receive, in the order of ranks. Colour: ${title.toLowerCase()}, logarithmic, ${rounded(least, kind)} to ${rounded(most, kind)}.`;
        this.canvas.setAttribute("aria-label", `Matrix of ${title.toLowerCase()} between ${plural(names.length, "member")}; the table of pairs has the numbers.`);
    }
}

/** @param {App} app */
function pairsTable({ data }) {
    const { names, from, to, count, bytes, wait } = data.matrix;
    /** @type {Pair[]} */
    const pairs = Array.from(from, (source, at) => ({ from: names[source] ?? "", to: names[to[at]] ?? "", count: count[at], bytes: bytes[at], wait: wait[at] }));
    /** @type {Column<Pair>[]} */
    const columns = [
        { name: "From", value: (pair) => pair.from, cell: (pair) => nameOf(pair.from) },
        { name: "To", value: (pair) => pair.to, cell: (pair) => nameOf(pair.to) },
        { name: "Messages", kind: "count", value: (pair) => pair.count },
        { name: "Bytes", kind: "bytes", value: (pair) => pair.bytes },
        { name: "Waiting time", kind: "time", value: (pair) => pair.wait },
    ];
    const table = new Table("Pairs that exchange messages, whole trace", columns, { sortBy: 3, empty: "The trace has no messages." });
    return { root: table.root, update: (/** @type {string} */ search) => table.update(pairs, search) };
}

/** @param {MatrixPicture} drawn */
function measureChoice(drawn) {
    const select = element("select", { id: "measure" });
    for (const [name, { title }] of Object.entries(MEASURES)) select.append(element("option", { value: name }, title));
    select.addEventListener("change", () => {
        drawn.measure = /** @type {Measure} */ (select.value);
        drawn.draw();
    });
    return element("label", { class: "choice" }, "Colour by ", select);
}

/** @param {App} app @param {string} caption @param {string} part of the statistics @param {Column<any>[]} columns */
export function statsTable({ data }, caption, part, columns) {
    const table = new Table(caption, columns, { sortBy: columns.findIndex((column) => column.kind === "time") });
    return { root: table.root, update: (/** @type {string} */ search) => table.update(data.stats?.[part] ?? [], search) };
}

/** @param {App} app */
function otherTables(app) {
    const collectives = statsTable(app, "Collective operations, whole trace", "collectives", [
        { name: "Operation", value: (row) => row.operation },
        { name: "Operations", kind: "count", value: (row) => row.operations },
        { name: "Time", kind: "time", value: (row) => row.time_ns },
        { name: "Sent", kind: "bytes", value: (row) => row.bytes_sent },
        { name: "Received", kind: "bytes", value: (row) => row.bytes_received },
    ]);
    const windows = statsTable(app, "One-sided communication by window, whole trace", "windows", [
        { name: "Window", value: (row) => row.window, cell: (row) => nameOf(row.window) },
        { name: "Puts", kind: "count", value: (row) => row.puts },
        { name: "Put", kind: "bytes", value: (row) => row.bytes_put },
        { name: "Gets", kind: "count", value: (row) => row.gets },
        { name: "Got", kind: "bytes", value: (row) => row.bytes_got },
        { name: "Atomics", kind: "count", value: (row) => row.atomics },
    ]);
    return [collectives, windows];
}

/** @param {App} app */
function messageFacts({ data: { stats } }) {
    const found = stats?.messages;
    if (!found || !(found.count > 0)) return element("div");
    const odd = ["unmatched_sends", "unmatched_receives", "different_lengths", "received_before_sent", "unknown_partners"];
    return factList([
        ["Messages", figure(found.count, "count")],
        ["Bytes", figure(found.bytes, "bytes")],
        ["Mean time under way", figure(found.transit_ns / found.count, "time")],
        ...odd.filter((name) => found[name] > 0).map((name) => /** @type {[string, Node]} */ ([name.replaceAll("_", " "), figure(found[name], "count")])),
    ]);
}

/** @param {App} app @returns {View} */
export function messagesView(app) {
    const drawn = new MatrixPicture(app);
    const tables = [pairsTable(app), ...otherTables(app)];
    const hasPairs = app.data.matrix.from.length > 0;
    const pictures = element("div", { class: "figure-box" }, measureChoice(drawn), drawn.place, drawn.scale, messageFacts(app));
    pictures.hidden = !hasPairs;
    const root = element("div", { class: "columns" }, pictures, element("div", {}, ...tables.map((table) => table.root)));
    const update = () => {
        if (hasPairs) drawn.draw();
        for (const table of tables) table.update(app.search);
    };
    return { name: "messages", title: "Messages", root, update };
}
