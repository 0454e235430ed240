// The call tree of the selection as rows that open and close.
import { bar, button, element, figure } from "./dom.js";
import { wholeTime } from "./flame.js";
import { outsideName, plural, visibleName } from "./format.js";
import { NO_CONTEXT } from "./pack.js";
import { outsideTime } from "./profile.js";
import { quietCell, regionCell } from "./regions.js";

/** @typedef {{context: number, level: number, isOpen: boolean, children: number}} Branch */

const MOST_ROWS = 1000;
/** A branch with this part of the time is open at first. */
const OPEN_FROM = 0.05;
const HEADERS = ["Calling context", "Inclusive", "Share", "Exclusive", "Calls"];

export class Tree {
    /** @param {App} app @param {(context: number) => void} zoom */
    constructor(app, zoom) {
        this.app = app;
        this.zoom = zoom;
        /** @type {Map<number, boolean>} */
        this.open = new Map();
        this.body = element("tbody");
        this.note = element("p", { class: "note" });
        const heads = HEADERS.map((name, at) => element("th", { scope: "col", class: at > 0 ? "number" : "text" }, name));
        const head = element("thead", {}, element("tr", {}, ...heads));
        const table = element("table", { class: "tree" }, element("caption", {}, "Call tree of the selection"), head, this.body);
        this.root = element("div", { class: "table" }, element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Call tree" }, table), this.note);
    }

    /** @param {ContextSums} sums @param {Map<number, number[]>} children */
    show(sums, children) {
        this.sums = sums;
        this.children = children;
        const roots = children.get(NO_CONTEXT) ?? [];
        this.whole = wholeTime(this.app, sums);
        const branches = this.branches(roots);
        this.body.replaceChildren(...branches.map((branch) => this.row(branch)), ...this.outsideRow());
        this.note.textContent = branches.length === 0 ? "No call in this selection." : branches.length >= MOST_ROWS ? `The first ${plural(MOST_ROWS, "row")}.` : "";
    }

    /** Returns the row of the time in no call, if it is known. */
    outsideRow() {
        const { data, selection } = this.app;
        const time = outsideTime(data, selection.state.from, selection.state.to, selection.groups());
        if (time === 0 || this.app.search !== "") return [];
        const cell = (/** @type {(Node | string)[]} */ ...nodes) => element("td", { class: "number" }, ...nodes);
        const name = element("td", { class: "text" }, element("span", { class: "opener" }), quietCell(outsideName(data)));
        const part = time / (this.whole ?? 1);
        return [element("tr", {}, name, cell(bar(part, "var(--alive)"), figure(time, "time")), cell(figure(part, "share")), cell(), cell())];
    }

    /** Returns the visible rows. With a search, these are all contexts that match and their callers. @param {number[]} roots */
    branches(roots) {
        const found = this.found();
        /** @type {Branch[]} */
        const branches = [];
        const add = (/** @type {number} */ context, /** @type {number} */ level) => {
            if (branches.length >= MOST_ROWS || (found && !found.has(context))) return;
            const below = this.children?.get(context) ?? [];
            const isOpen = below.length > 0 && (found !== null || this.isOpen(context));
            branches.push({ context, level, isOpen, children: below.length });
            if (isOpen) for (const child of below) add(child, level + 1);
        };
        for (const root of roots) add(root, 1);
        return branches;
    }

    /** Returns contexts that match the search, with their callers. */
    found() {
        const words = this.app.search.toLocaleLowerCase();
        if (words === "") return null;
        const { contexts, regions } = this.app.data;
        const found = new Set();
        contexts.region.forEach((region, context) => {
            if (!visibleName(regions[region].name).toLocaleLowerCase().includes(words)) return;
            for (let at = context; at !== NO_CONTEXT && !found.has(at); at = contexts.parent[at]) found.add(at);
        });
        return found;
    }

    /** @param {number} context */
    isOpen(context) {
        return this.open.get(context) ?? (this.sums?.total[context] ?? 0) / (this.whole ?? 1) >= OPEN_FROM;
    }

    /** @param {Branch} branch */
    row({ context, level, isOpen, children }) {
        const { total, exclusive, visits } = /** @type {ContextSums} */ (this.sums);
        const part = total[context] / (this.whole ?? 1);
        const region = this.app.data.contexts.region[context];
        const row = element("tr", { class: region === this.app.selection.state.region ? "selected" : "" });
        const cell = (/** @type {Node[]} */ ...nodes) => element("td", { class: "number" }, ...nodes);
        row.append(
            this.nameCell(context, level, children > 0 ? isOpen : null),
            cell(bar(part, this.app.colours.css(region)), figure(total[context], "time")),
            cell(figure(part, "share")),
            cell(figure(exclusive[context], "time")),
            cell(figure(visits[context], "count")),
        );
        return row;
    }

    /** @param {number} context @param {number} level @param {boolean | null} isOpen */
    nameCell(context, level, isOpen) {
        const region = this.app.data.contexts.region[context];
        const name = visibleName(this.app.data.regions[region].name);
        const opener = isOpen === null ? element("span", { class: "opener" }) : button(isOpen ? "▾" : "▸", () => this.toggle(context, isOpen), { class: "opener", "aria-expanded": String(isOpen), "aria-label": `Calls of ${name}` });
        const focus = button("⤢", () => this.zoom(context), { class: "focus", title: "Show in the flame graph, or everything again", "aria-label": `Show ${name} in the flame graph` });
        const cell = element("td", { class: "text" }, opener, regionCell(this.app, region), focus, element("span", { class: "hidden" }, `, level ${level}`));
        cell.style.paddingInlineStart = `${Math.min(level - 1, 40) * 14 + 6}px`;
        return cell;
    }

    /** @param {number} context @param {boolean} isOpen */
    toggle(context, isOpen) {
        const rowAt = [...this.body.rows].findIndex((row) => row.contains(document.activeElement));
        this.open.set(context, !isOpen);
        this.show(/** @type {ContextSums} */ (this.sums), this.children ?? new Map());
        /** @type {HTMLElement | null | undefined} */ (this.body.rows[rowAt]?.querySelector(".opener"))?.focus();
    }
}
