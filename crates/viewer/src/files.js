// Input and output by file, of the whole trace.
import { element, nameOf } from "./dom.js";
import { statsTable } from "./matrix.js";

/** @param {string} name @param {"reads" | "writes"} part @returns {Column<any>[]} */
function transferColumns(name, part) {
    return [
        { name, kind: "bytes", value: (row) => row[part].bytes },
        { name: part === "reads" ? "Reads" : "Writes", kind: "count", title: `Operations (${part})`, value: (row) => row[part].count },
        { name: `Time (${part})`, kind: "time", value: (row) => row[part].time_ns },
        { name: `Rate (${part})`, kind: "rate", title: "Bytes by time", value: (row) => row[part].bytes_per_second },
    ];
}

/** @param {App} app @returns {View} */
export function filesView(app) {
    const table = statsTable(app, "Input and output by file, whole trace", "files", [
        { name: "File", value: (row) => row.file, cell: (row) => nameOf(row.file) },
        { name: "Interface", value: (row) => row.paradigm },
        ...transferColumns("Read", "reads"),
        ...transferColumns("Written", "writes"),
        { name: "Flushes", kind: "count", value: (row) => row.flushes.count },
        { name: "Opened", kind: "count", value: (row) => row.opened },
    ]);
    return { name: "files", title: "Files", root: element("div", {}, table.root), update: () => table.update(app.search) };
}
