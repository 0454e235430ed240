// Pointer, wheel and fingers over a picture whose width is the selected time.
const WHEEL_STEP = 0.0018;
const SHORTEST_DRAG = 4;

/** @param {WheelEvent} event @returns {[number, number]} */
function wheelPixels(event) {
    const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 400 : 1;
    return [event.deltaX * unit, event.deltaY * unit];
}

/** Zooms and moves with the wheel. @param {HTMLElement} place @param {TraceSelection} selection @param {((y: number) => number) | null} rowAt the row at a height, if there are rows */
export function listenToWheel(place, selection, rowAt) {
    place.addEventListener("wheel", (event) => {
        event.preventDefault();
        const box = place.getBoundingClientRect();
        const { from, to } = selection.state;
        const [x, y] = wheelPixels(event);
        const at = (event.clientX - box.left) / box.width;
        if (event.altKey && rowAt) selection.zoomRows(Math.exp(y * WHEEL_STEP), rowAt(event.clientY - box.top));
        else if (event.shiftKey || Math.abs(x) > Math.abs(y)) selection.pan((x || y) / box.width);
        else selection.zoom(Math.exp(y * WHEEL_STEP * (event.ctrlKey ? 4 : 1)), from + at * (to - from));
    }, { passive: false });
}

/** Zooms with two fingers on a pad, which Safari announces by events of its own. @param {HTMLElement} place @param {TraceSelection} selection */
function listenToPad(place, selection) {
    let scale = 1;
    place.addEventListener("gesturestart", () => (scale = 1));
    place.addEventListener("gesturechange", (/** @type {any} */ event) => {
        event.preventDefault();
        if (navigator.maxTouchPoints > 0) return;
        const box = place.getBoundingClientRect();
        const { from, to } = selection.state;
        selection.zoom(scale / event.scale, from + ((event.clientX - box.left) / box.width) * (to - from));
        scale = event.scale;
    });
}

/** Selects the dragged range, moves with shift or a finger, zooms with two fingers. */
export class Gestures {
    /** @param {HTMLElement} place @param {TraceSelection} selection @param {(y: number) => number} rowAt
     * @param {{drag: (drag: Drag | null) => void, select: (drag: Drag) => void, press: (point: Point) => void}} receiver */
    constructor(place, selection, rowAt, receiver) {
        this.place = place;
        this.selection = selection;
        this.receiver = receiver;
        /** @type {Map<number, Point>} */
        this.pointers = new Map();
        /** @type {Point | null} */
        this.start = null;
        place.addEventListener("pointerdown", (event) => this.down(event));
        place.addEventListener("pointermove", (event) => this.move(event));
        place.addEventListener("pointerup", (event) => this.up(event));
        place.addEventListener("pointercancel", (event) => this.cancel(event));
        place.addEventListener("dblclick", () => selection.fit());
        listenToWheel(place, selection, rowAt);
        listenToPad(place, selection);
    }

    /** @param {PointerEvent} event @returns {Point} */
    point(event) {
        const box = this.place.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    /** @param {PointerEvent} event */
    down(event) {
        if (event.button !== 0) return;
        this.place.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, this.point(event));
        const selects = event.pointerType !== "touch" && !event.shiftKey;
        this.start = selects && this.pointers.size === 1 ? this.point(event) : null;
        this.moved = 0;
    }

    /** @param {PointerEvent} event */
    move(event) {
        const before = this.pointers.get(event.pointerId);
        if (!before) return;
        const now = this.point(event);
        this.moved = (this.moved ?? 0) + Math.hypot(now.x - before.x, now.y - before.y);
        if (this.start) this.receiver.drag(this.dragTo(this.start, now));
        else if (this.pointers.size === 2) this.pinch(event.pointerId, now);
        else this.shift(before, now);
        this.pointers.set(event.pointerId, now);
    }

    /** @param {Point} from @param {Point} to @returns {Drag} */
    dragTo(from, to) {
        const down = Math.abs(to.y - from.y);
        return { from, to, withRows: down > 24 && down * 2 > Math.abs(to.x - from.x) * 0.5 };
    }

    /** @param {Point} before @param {Point} now */
    shift(before, now) {
        this.selection.pan((before.x - now.x) / this.place.clientWidth);
    }

    /** @param {number} moving @param {Point} now */
    pinch(moving, now) {
        const other = [...this.pointers].find(([id]) => id !== moving)?.[1] ?? now;
        const before = this.pointers.get(moving) ?? now;
        const { from, to } = this.selection.state;
        const width = Math.max(Math.abs(now.x - other.x), 8);
        const factor = Math.max(Math.abs(before.x - other.x), 8) / width;
        const middle = (now.x + other.x) / 2 / this.place.clientWidth;
        this.selection.zoom(factor, from + middle * (to - from));
    }

    /** @param {PointerEvent} event */
    up(event) {
        const now = this.point(event);
        const start = this.start;
        this.cancel(event);
        if ((this.moved ?? 0) < SHORTEST_DRAG) this.receiver.press(now);
        else if (start && Math.hypot(now.x - start.x, now.y - start.y) >= SHORTEST_DRAG) this.receiver.select(this.dragTo(start, now));
    }

    /** @param {PointerEvent} event */
    cancel(event) {
        this.pointers.delete(event.pointerId);
        this.start = null;
        this.receiver.drag(null);
    }
}
