// The keyboard. Keys do the same as the pointer; a cross replaces the pointer.
import { byId, element, toggleExact } from "./dom.js";
import { announce, hideTip, showTip } from "./tooltip.js";

const STEP = 0.2;
const ZOOM = 0.7;

/** Keys as shown in the help, and their actions. */
const HELP = /** @type {Line[]} */ ([
    ["W S, + −", "zoom in and out in time"], ["A D, ← →", "move in time"], ["↑ ↓", "move over rows"],
    ["Shift+W Shift+S", "fewer and more rows"],
    ["E, ▸", "unfold rows into nested calls: the row of the cross, or all that are shown; again folds them"], ["F, double click", "show everything"], ["U", "undo the last change of the selection"],
    ["C", "cross for the keyboard: Shift+arrows move it, Enter selects its region"], ["/", "search"], ["1 … 8", "views"],
    ["R", "colour by class, with shades for regions, or by region"], ["M", "show or hide messages"],
    ["T", "show or hide waiting: bars below rows, arrows from those for which they wait, and the critical path"],
    ["X", "all digits of all numbers; a click shows those of one"],
    ["Escape", "leave search, cross, zoom of the flame graph, region"], ["?", "this help"],
    ["Drag", "select time; drag down as well to select rows"],
    ["Wheel, pinch", "zoom at the pointer; Shift+wheel moves, Alt+wheel zooms rows"],
]);

export class Keys {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
        /** @type {{row: number, time: number} | null} */
        this.cross = null;
        /** @type {Record<string, () => void>} */
        this.actions = this.all();
        this.help = /** @type {HTMLDialogElement} */ (byId("help"));
        const lines = HELP.map(([keys, what]) => element("div", {}, element("dt", {}, keys), element("dd", {}, what)));
        byId("keys").replaceChildren(...lines);
        document.addEventListener("keydown", (event) => this.press(event));
        for (const pressed of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-key]"))) {
            pressed.addEventListener("click", () => this.actions[pressed.dataset.key ?? ""]());
        }
    }

    /** Returns the actions of keys; buttons with `data-key` do the same. @returns {Record<string, () => void>} */
    all() {
        const { app } = this;
        const { selection } = app;
        const zoom = (/** @type {number} */ factor) => () => selection.zoom(factor, this.cross?.time);
        const pan = (/** @type {number} */ part) => () => selection.pan(part);
        const [nearer, farther, left, right] = [zoom(ZOOM), zoom(1 / ZOOM), pan(-STEP), pan(STEP)];
        return {
            w: nearer, "+": nearer, "=": nearer, s: farther, "-": farther, _: farther,
            a: left, ArrowLeft: left, d: right, ArrowRight: right,
            ArrowUp: () => selection.panRows(-STEP), ArrowDown: () => selection.panRows(STEP),
            W: () => selection.zoomRows(0.5, this.cross?.row), S: () => selection.zoomRows(2, this.cross?.row),
            f: () => selection.fit(), "0": () => selection.fit(), u: () => selection.undo(),
            e: () => this.unfold(), c: () => this.toggleCross(), x: toggleExact, r: () => app.toggleMode(), m: () => app.toggleMessages(), t: () => app.toggleWaits(),
            "/": () => byId("search").focus(), "?": () => this.help.showModal(), Escape: () => this.escape(),
        };
    }

    /** @param {KeyboardEvent} event */
    press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
        const isTyping = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
        if (isTyping) return void (event.key === "Escape" && /** @type {HTMLElement} */ (event.target).blur());
        if (this.moveCross(event) || this.showView(event.key) || this.act(event)) event.preventDefault();
    }

    /** @param {KeyboardEvent} event */
    act(event) {
        const isScrolling = event.target instanceof Element && event.target.matches(".scroll");
        if (isScrolling && event.key.startsWith("Arrow")) return false;
        const isLetter = event.key.length === 1 || event.key.startsWith("Arrow");
        if (isLetter && event.key !== "?" && !this.isOn()) return false;
        const action = this.actions[event.key] ?? (event.shiftKey ? undefined : this.actions[event.key.toLowerCase()]);
        action?.();
        return action !== undefined;
    }

    /** Whether single keys act, which the help can switch off. */
    isOn() {
        return /** @type {HTMLInputElement} */ (byId("keys-on")).checked;
    }

    /** @param {string} key */
    showView(key) {
        const view = this.app.selection.views[Number(key) - 1];
        if (view === undefined || !this.isOn()) return false;
        this.app.selection.set({ view });
        return true;
    }

    /** Unfolds the row of the cross, or all rows that are shown. */
    unfold() {
        const { first, last } = this.app.selection.state;
        const rows = this.cross ? [this.cross.row] : Array.from({ length: last - first + 1 }, (_, at) => first + at);
        this.app.selection.toggleRows(rows.filter((row) => this.app.timeline.canUnfold(row)));
    }

    toggleCross() {
        const { from, to, first, last } = this.app.selection.state;
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        this.cross = this.cross ? null : { row: Math.floor((first + last) / 2), time: (from + to) / 2 };
        this.showCross();
    }

    /** @param {KeyboardEvent} event */
    moveCross(event) {
        if (!this.cross) return false;
        const { from, to, first, last } = this.app.selection.state;
        const isButton = event.target instanceof HTMLButtonElement;
        if (event.key === "Enter" && !isButton) this.app.timeline.press(this.app.timeline.pointOf(this.cross));
        const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (!step || !event.shiftKey) return event.key === "Enter" && !isButton;
        const time = this.cross.time + (step[0] * (to - from)) / 100;
        this.cross = { row: Math.min(Math.max(this.cross.row + step[1], first), last), time: Math.min(Math.max(time, from), to) };
        this.showCross();
        return true;
    }

    /** Shows the cross, and the item under it. */
    showCross() {
        const { timeline } = this.app;
        timeline.showCross(this.cross);
        const lines = this.cross && timeline.describe(this.cross);
        if (!lines || !this.cross) return hideTip();
        const box = timeline.place.getBoundingClientRect();
        const { x, y } = timeline.pointOf(this.cross);
        showTip(lines, box.left + x, box.top + y);
        announce(lines.map(([name, value]) => `${name} ${value}`).join(", "));
    }

    escape() {
        const { app } = this;
        if (this.cross) this.toggleCross();
        else if (app.search !== "") app.setSearch("");
        else if (!app.view().escape?.()) app.selection.set({ region: -1 });
    }
}
