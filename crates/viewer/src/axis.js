// Ticks of time at round numbers.
import { formatTime, separated } from "./format.js";

/** Returns a round step so that `count` steps or fewer fill a span. @param {number} span @param {number} count */
export function roundStep(span, count) {
    const least = span / Math.max(count, 1);
    const size = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].find((factor) => factor * size >= least) ?? 10;
    return step * size;
}

/** Returns the round times of a range. @param {number} from @param {number} to @param {number} count at most */
export function ticksOf(from, to, count) {
    const step = roundStep(to - from, count);
    const ticks = [];
    for (let at = Math.ceil(from / step); at * step <= to; at += 1) ticks.push(at * step);
    return { ticks, step };
}

/** Writes a tick with as many digits as tell it from its neighbours. @param {number} at @param {number} step */
export function tickText(at, step) {
    if (at === 0) return "0";
    const [unit, size] = /** @type {[string, number]} */ (
        [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]].find(([, length]) => Math.abs(at) >= Number(length)) ?? ["ns", 1]
    );
    const digits = Math.min(Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9)), 9);
    return `${separated(Number((at / size).toFixed(digits)))} ${unit}`;
}

/** Draws ticks above a picture whose width is a range of time. @param {CanvasRenderingContext2D} context @param {{from: number, to: number}} range
 * @param {{width: number, height: number, ratio: number, ink: string}} place */
export function drawAxis(context, { from, to }, { width, height, ratio, ink }) {
    const { ticks, step } = ticksOf(from, to, width / ratio / 110);
    context.fillStyle = ink;
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    for (const tick of ticks) {
        const x = Math.round(((tick - from) / (to - from)) * width);
        context.fillRect(x, height - 4 * ratio, ratio, 4 * ratio);
        const text = tickText(tick, step);
        const space = context.measureText(text).width;
        context.fillText(text, Math.min(Math.max(x - space / 2, 0), width - space), height / 2 - ratio);
    }
}

/** Describes a range. @param {number} from @param {number} to */
export function rangeText(from, to) {
    return `${formatTime(from)} to ${formatTime(to)}, ${formatTime(to - from)}`;
}
