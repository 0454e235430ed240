// The names of rows at their left: the parts that distinguish them, and the buttons that unfold
// them.
import { element } from "./dom.js";
import { visibleName } from "./format.js";
import { shortenedInside } from "./text.js";

const [LOWEST_LABEL, SMALL_LABEL] = [10, 14];
const ROOM_OF_BUTTON = 26;

/** Returns the name of a row with its process and the merged locations. @param {Row} row */
export function fullName(row) {
    const name = row.process === "" || row.name.startsWith(row.process) ? row.name : `${row.process}, ${row.name}`;
    return withKind(row, row.label && row.label !== row.process && !name.includes(row.label) ? `${row.label}: ${name}` : name);
}

/** @param {Row} row @param {string} name */
function withKind(row, name) {
    if (row.kind === "location") return visibleName(name);
    return row.kind === "mean" ? `mean of ${row.members}: ${visibleName(name)}` : `${row.kind}: ${visibleName(name)}`;
}

/** Returns the short names of a row, of which the first that fits is shown: below another row of its process, that of the thread;
 * alone in its process, that of the process. @param {Row[]} rows @param {number} at @param {boolean} isFirst of those that are visible */
export function shortNames(rows, at, isFirst) {
    const row = rows[at];
    const process = row.label || row.process;
    const isOf = (/** @type {Row | undefined} */ other) => other !== undefined && other.kind === "location" && row.kind === "location" && other.process === row.process && other.label === row.label;
    if (process === "" || row.name.startsWith(row.process)) return [withKind(row, row.name)];
    if (row.kind !== "location") return [withKind(row, `${process}, ${row.name}`)];
    const [isBelow, isAbove] = [isOf(rows[at - 1]), isOf(rows[at + 1])];
    if (!isBelow && !isAbove) return [visibleName(process)];
    if (isBelow && !isFirst) return [visibleName(row.name)];
    return [`${process}, ${row.name}`, visibleName(isBelow ? row.name : process)];
}

export class RowNames {
    /** @param {Pack} data @param {TraceSelection} selection @param {(row: number) => boolean} canUnfold */
    constructor(data, selection, canUnfold) {
        this.data = data;
        this.selection = selection;
        this.canUnfold = canUnfold;
        this.root = element("div", { class: "names" });
        this.measure = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
        this.root.addEventListener("click", ({ target }) => {
            const row = target instanceof Element ? target.closest("[data-row]") : null;
            if (row instanceof HTMLElement && this.canUnfold(Number(row.dataset.row))) this.selection.toggleRows([Number(row.dataset.row)]);
        });
    }

    /** Writes the names of rows, as many as have space. @param {import("./layout.js").Layout} layout */
    show(layout) {
        const { first, last } = this.selection.state;
        const open = new Set(this.selection.openRows());
        const step = Math.max(1, Math.ceil(LOWEST_LABEL / layout.rowHeight));
        const height = layout.rowHeight * step;
        const names = [];
        for (let row = first; row <= last - (step - 1) && this.data.rows[row]; row += step) names.push(this.nameAt(row, layout.top(row), height, step > 1 || row === first, open.has(row)));
        const focused = document.activeElement?.closest("[data-row]")?.getAttribute("data-row");
        this.root.replaceChildren(...names);
        const again = /** @type {HTMLElement | null} */ (focused ? this.root.querySelector(`[data-row="${focused}"] button`) : null);
        again?.focus();
    }

    /** @param {number} row @param {number} top @param {number} height @param {boolean} isFirst @param {boolean} isOpen */
    nameAt(row, top, height, isFirst, isOpen) {
        const size = height < SMALL_LABEL ? 9.5 : 12;
        this.measure.font = `${size}px system-ui, sans-serif`;
        const whole = fullName(this.data.rows[row]);
        const room = this.root.clientWidth - ROOM_OF_BUTTON;
        const names = shortNames(this.data.rows, row, isFirst);
        const fitting = names.find((name) => this.measure.measureText(name).width <= room) ?? names[names.length - 1];
        const text = shortenedInside(this.measure, fitting, room);
        const name = element("bdi", { dir: "auto", title: whole, "aria-hidden": "true" }, text);
        const made = element("div", { class: "row-name", "data-row": String(row) });
        if (this.canUnfold(row)) made.append(element("button", { type: "button", class: "opener", "aria-expanded": String(isOpen), "aria-label": `Nested calls of ${whole}`, title: "Unfold into nested calls (E)" }, isOpen ? "▾" : "▸"));
        made.append(name);
        made.style.top = `${top}px`;
        made.style.height = `${Math.min(height, 52)}px`;
        made.style.fontSize = `${size}px`;
        return made;
    }
}

