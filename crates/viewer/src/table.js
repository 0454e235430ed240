// Tables that can be sorted and searched. A long table shows its first rows and a button for more.
import { bar, button, element, figure } from "./dom.js";
import { separated } from "./format.js";

const FIRST_ROWS = 100;

/** @template Item */
export class Table {
    /** @param {string} caption @param {Column<Item>[]} columns @param {{sortBy?: number, empty?: string, isSelected?: (item: Item) => boolean}} [options] */
    constructor(caption, columns, options = {}) {
        this.columns = columns;
        this.options = options;
        this.sortBy = options.sortBy ?? -1;
        this.isAscending = false;
        this.most = FIRST_ROWS;
        this.filter = "";
        /** @type {Item[]} */
        this.items = [];
        this.headers = columns.map((column, at) => this.header(column, at));
        this.body = element("tbody");
        this.note = element("p", { class: "note" });
        const head = element("thead", {}, element("tr", {}, ...this.headers));
        const table = element("table", {}, element("caption", {}, caption), head, this.body);
        const place = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table);
        this.root = element("div", { class: "table" }, place, this.note);
    }

    /** @param {Column<Item>} column @param {number} at */
    header(column, at) {
        const sort = button(column.name, () => this.sort(at), { class: "sort", title: column.title ?? `Sort by ${column.name}` });
        return element("th", { scope: "col", class: column.kind ? "number" : "text" }, sort);
    }

    /** @param {number} at */
    sort(at) {
        this.isAscending = this.sortBy === at ? !this.isAscending : !this.columns[at].kind;
        this.sortBy = at;
        this.show();
    }

    /** @param {Item[]} items @param {string} [filter] */
    update(items, filter = "") {
        this.items = items;
        if (filter !== this.filter) this.most = FIRST_ROWS;
        this.filter = filter;
        this.show();
    }

    /** Returns the rows that match, in order. */
    rows() {
        const words = this.filter.toLocaleLowerCase();
        const texts = this.columns.filter((column) => !column.kind);
        const matches = (/** @type {Item} */ item) =>
            texts.some((column) => String(column.value(item)).toLocaleLowerCase().includes(words));
        const found = words === "" ? [...this.items] : this.items.filter(matches);
        const column = this.columns[this.sortBy];
        if (!column) return found;
        const sign = this.isAscending ? 1 : -1;
        return found.sort((one, other) => sign * compared(column.value(one), column.value(other)));
    }

    show() {
        const rows = this.rows();
        const shown = rows.slice(0, this.most);
        this.body.replaceChildren(...shown.map((item) => this.row(item)));
        this.headers.forEach((header, at) => {
            const order = this.isAscending ? "ascending" : "descending";
            header.setAttribute("aria-sort", at === this.sortBy ? order : "none");
        });
        this.root.classList.toggle("nothing", rows.length === 0);
        this.showNote(rows.length, shown.length);
    }

    /** @param {number} found @param {number} shown */
    showNote(found, shown) {
        const empty = this.filter === "" ? this.options.empty ?? "Nothing of this kind in the trace." : "Nothing matches.";
        this.note.replaceChildren(found === 0 ? empty : "");
        if (shown === found) return;
        const more = button(`Show all ${separated(found)}`, () => {
            this.most = Infinity;
            this.show();
        });
        this.note.replaceChildren(`${separated(shown)} of ${separated(found)} rows. `, more);
    }

    /** @param {Item} item */
    row(item) {
        const row = element("tr", {}, ...this.columns.map((column) => cellOf(column, item)));
        row.classList.toggle("selected", this.options.isSelected?.(item) ?? false);
        return row;
    }
}

/** @template Item @param {Column<Item>} column @param {Item} item */
function cellOf(column, item) {
    const cell = element("td", { class: column.kind ? "number" : "text" });
    if (column.part) cell.append(bar(column.part(item), column.colour?.(item)));
    if (column.cell) cell.append(column.cell(item));
    else if (column.kind) cell.append(figure(column.value(item), column.kind));
    else cell.append(element("bdi", { dir: "auto", title: String(column.value(item)) }, String(column.value(item))));
    return cell;
}

/** @param {any} one @param {any} other */
function compared(one, other) {
    if (typeof one === "string") return one.localeCompare(String(other));
    const number = (/** @type {any} */ value) => (Number.isNaN(value ?? NaN) ? -Infinity : value);
    return number(one) - number(other) || 0;
}
