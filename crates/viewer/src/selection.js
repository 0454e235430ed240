// The selection that all views share: time, rows, region and view. It is in the fragment of the
// address (`#t=FROM,TO&r=FIRST,LAST&g=REGION&o=ROW,…&v=VIEW`), so that a link shows the same.
/** No region is selected. */
export const NO_REGION = -1;
const MOST_STEPS = 200;
/** Small changes that follow each other faster than this, in ms, are one step. */
const ONE_STEP = 500;

export class TraceSelection {
    /** @param {Pack} data @param {string[]} views */
    constructor(data, views) {
        this.data = data;
        this.views = views;
        this.length = Math.max(data.trace.length, 1);
        /** @type {State} */
        this.state = this.whole();
        /** @type {State[]} */
        this.steps = [];
        this.changed = -Infinity;
        /** @type {(() => void)[]} */
        this.listeners = [];
    }

    /** Returns the state that shows everything. @returns {State} */
    whole() {
        const last = Math.max(this.data.rows.length - 1, 0);
        return { from: 0, to: this.length, first: 0, last, region: NO_REGION, open: "", view: this.views[0] };
    }

    /** The shortest range of time: four of the finest buckets. */
    get shortest() {
        const finest = (this.data.levels[0]?.width ?? 1) / 4 ** (this.data.tiles?.levels ?? 0);
        return Math.min(Math.max(finest * 4, 1), this.length);
    }

    get isWhole() {
        const { from, to, first, last } = this.state;
        return from <= 0 && to >= this.length && first === 0 && last >= this.data.rows.length - 1;
    }

    /** @param {() => void} listener */
    listen(listener) {
        this.listeners.push(listener);
    }

    /** Changes a part of the selection; many small changes are one step. @param {Partial<State>} change @param {boolean} [isSmall] */
    set(change, isSmall = false) {
        const next = this.within({ ...this.state, ...change });
        if (sameState(next, this.state)) return;
        const now = performance.now();
        const isOneStep = next.view !== this.state.view || (isSmall && now - this.changed < ONE_STEP);
        if (!isOneStep) this.steps = [...this.steps.slice(-MOST_STEPS), this.state];
        this.changed = isSmall ? now : -Infinity;
        this.show(next);
    }

    /** @param {State} next */
    show(next) {
        this.state = next;
        for (const listener of this.listeners) listener();
    }

    undo() {
        const last = this.steps.pop();
        this.changed = -Infinity;
        if (last) this.show({ ...last, view: this.state.view });
    }

    fit() {
        this.set({ ...this.whole(), region: this.state.region, open: this.state.open, view: this.state.view });
    }

    /** Zooms in time; `at` is the fixed point. @param {number} factor @param {number} [at] */
    zoom(factor, at = (this.state.from + this.state.to) / 2) {
        const { from, to } = this.state;
        const span = Math.min(Math.max((to - from) * factor, this.shortest), this.length);
        const start = at - ((at - from) / (to - from)) * span;
        this.set(this.shifted(start, span), true);
    }

    /** Moves in time, by a part of the visible range. @param {number} part */
    pan(part) {
        const span = this.state.to - this.state.from;
        this.set(this.shifted(this.state.from + part * span, span), true);
    }

    /** @param {number} from @param {number} span */
    shifted(from, span) {
        const start = Math.min(Math.max(from, 0), this.length - span);
        return { from: start, to: start + span };
    }

    /** Shows fewer or more rows; `at` remains. @param {number} factor @param {number} [at] */
    zoomRows(factor, at = (this.state.first + this.state.last) / 2) {
        const all = this.data.rows.length;
        const now = this.state.last - this.state.first + 1;
        const step = factor < 1 ? Math.floor(now * factor) : Math.ceil(now * factor);
        const count = Math.min(Math.max(step, 1), all);
        const first = Math.round(at - ((at - this.state.first) / now) * count);
        this.showRows(first, count);
    }

    /** @param {number} part of the visible rows */
    panRows(part) {
        const count = this.state.last - this.state.first + 1;
        const step = Math.sign(part) * Math.max(1, Math.round(Math.abs(part) * count));
        this.showRows(this.state.first + step, count);
    }

    /** @param {number} first @param {number} count */
    showRows(first, count) {
        const start = Math.min(Math.max(first, 0), Math.max(this.data.rows.length - count, 0));
        this.set({ first: start, last: start + count - 1 }, true);
    }

    /** Returns the rows that are unfolded. @returns {number[]} */
    openRows() {
        return this.state.open === "" ? [] : this.state.open.split(",").map(Number);
    }

    /** Unfolds rows, or folds them if all are unfolded. @param {number[]} rows */
    toggleRows(rows) {
        const open = new Set(this.openRows());
        const isOpen = rows.every((row) => open.has(row));
        for (const row of rows) if (isOpen) open.delete(row); else open.add(row);
        this.set({ open: [...open].join() });
    }

    /** Selects a region, or none if it is selected. @param {number} region */
    toggle(region) {
        this.set({ region: region === this.state.region ? NO_REGION : region });
    }

    /** Returns the groups of the visible rows; undefined for all. */
    groups() {
        const { first, last } = this.state;
        if (first === 0 && last >= this.data.rows.length - 1) return undefined;
        return new Set(this.data.rows.slice(first, last + 1).map((row) => row.group));
    }

    /** Returns the nearest possible state. @param {State} state @returns {State} */
    within(state) {
        const span = Math.min(Math.max(state.to - state.from, this.shortest), this.length);
        const rows = Math.max(this.data.rows.length - 1, 0);
        const first = Math.min(Math.max(state.first, 0), rows);
        const last = Math.min(Math.max(state.last, first), rows);
        const region = state.region >= 0 && state.region < this.data.regions.length ? state.region : NO_REGION;
        const view = this.views.includes(state.view) ? state.view : this.views[0];
        const isRow = (/** @type {number} */ row) => Number.isInteger(row) && row >= 0 && row < this.data.rows.length;
        const open = state.open.split(",").filter((row) => row !== "").map(Number).filter(isRow).sort((a, b) => a - b);
        return { ...this.shifted(state.from, span), first, last, region, open: [...new Set(open)].join(), view };
    }

    /** Returns the fragment without `#`. Times are whole nanoseconds unless very short. */
    fragment() {
        const { from, to, first, last, region, open, view } = this.state;
        const digits = to - from < 10_000 ? 3 : 0;
        const parts = [`t=${trimmed(from, digits)},${trimmed(to, digits)}`, `r=${first},${last}`];
        if (region !== NO_REGION) parts.push(`g=${region}`);
        if (open !== "") parts.push(`o=${open}`);
        return [...parts, `v=${view}`].join("&");
    }

    /** Takes the state from a fragment. @param {string} fragment */
    read(fragment) {
        const fields = new URLSearchParams(fragment.replace(/^#/, ""));
        const whole = this.whole();
        const [from, to] = pair(fields.get("t"), whole.from, whole.to);
        const [first, last] = pair(fields.get("r"), whole.first, whole.last);
        const region = this.regionOf(fields.get("g"));
        const [open, view] = [fields.get("o") ?? whole.open, fields.get("v") ?? whole.view];
        this.show(this.within({ from, to, first: Math.floor(first), last: Math.floor(last), region, open, view }));
    }

    /** Returns the region of a number or a name. @param {string | null} text */
    regionOf(text) {
        if (text === null) return NO_REGION;
        if (/^\d+$/.test(text)) return Number(text);
        return this.data.regions.findIndex((region) => region.name === text);
    }
}

/** @param {number} value @param {number} digits */
function trimmed(value, digits) {
    return Number(value.toFixed(digits));
}

/** @param {string | null} text @param {number} first @param {number} second */
function pair(text, first, second) {
    const parts = (text ?? "").split(",").map((part) => (part === "" ? NaN : Number(part)));
    const isPair = parts.length === 2 && parts.every(Number.isFinite) && parts[0] <= parts[1];
    return isPair ? parts : [first, second];
}

/** @param {State} one @param {State} other */
function sameState(one, other) {
    return Object.entries(one).every(([name, value]) => value === other[/** @type {keyof State} */ (name)]);
}
