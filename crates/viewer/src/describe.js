// A row and time in words: the call, its duration, its caller and its file.
import { formatTime, placeLine, quietName, separated, visibleName } from "./format.js";
import { fullName } from "./labels.js";
import { NO_CONTEXT, OUTSIDE } from "./pack.js";
import { callAt, depths, isEntered } from "./stack.js";

/** A smaller share of a bucket is stated. */
const MOST = 0.95;

/** Returns the lines of a box, and the region; a line of -1 is the row itself. @param {Pack} data @param {Level} level @param {Place} place */
export function describeBucket(data, level, { row, line, time }) {
    const start = level.start ?? 0;
    const bucket = Math.min(Math.max(Math.floor(time / level.width) - start, 0), level.buckets - 1);
    const at = (row - (level.top ?? 0)) * level.buckets + bucket;
    const own = level.context[at];
    const depth = (line ?? -1) < 0 && own !== NO_CONTEXT ? depths(data)[own] : line ?? -1;
    const call = own === NO_CONTEXT ? null : callAt(data, level, row, bucket, depth);
    const ends = /** @type {Line[]} */ ([["row", fullName(data.rows[row])], ["at", formatTime(time)]]);
    if (!call) return { region: OUTSIDE, lines: /** @type {Line[]} */ ([["", nothing(data, row, time)], ...ends]) };
    const region = data.contexts.region[call.context];
    const parent = data.contexts.parent[call.context];
    const share = call.context === own ? level.share[at] / 255 : 1;
    const lines = /** @type {Line[]} */ ([
        ["", visibleName(data.regions[region].name)],
        durationLine(data, level, row, call, level.calls[at]),
        ...(share < MOST ? [["share here", `${(share * 100).toFixed(0)} % of ${formatTime(level.width)}`]] : []),
        ["caller", parent === NO_CONTEXT ? "none" : visibleName(data.regions[data.contexts.region[parent]].name)],
        ...placeLine(data, region),
        ["class", data.classes[data.regions[region].class] ?? "unknown"],
        ...ends,
    ]);
    return { region: Math.min(region, OUTSIDE - 1), lines };
}

/** Names a time without calls. @param {Pack} data @param {number} row @param {number} time */
function nothing(data, row, time) {
    const { life } = data.rows[row];
    if (life && time < life[0]) return "not yet running";
    if (life && time > life[1]) return "no longer running";
    return quietName(data);
}

/** States how long a call lasts. Its ends are known as well as buckets are. @param {Pack} data @param {Level} level @param {number} row
 * @param {{context: number, from: number, to: number, isWhole: boolean}} call @param {number} calls that begin in the bucket @returns {Line} */
function durationLine(data, level, row, { context, from, to, isWhole }, calls) {
    const start = level.start ?? 0;
    const life = data.rows[row].life ?? [0, data.trace.length];
    const begin = Math.max((from + start) * level.width, life[0]);
    const length = Math.max(Math.min((to + start) * level.width, life[1]) - begin, 0);
    const about = `${isWhole ? "about" : "at least"} ${formatTime(length)}`;
    if (!isEntered(data, context)) return ["duration", `${about}, by samples`];
    if (to - from === 1 && calls > 1) return ["calls", `${calls >= OUTSIDE ? `${separated(calls)} or more` : separated(calls)} begin in ${formatTime(level.width)}`];
    return ["duration", to - from === 1 ? `less than ${formatTime(level.width)}` : about];
}
