// Sums of time and calls over slices of time and groups of rows. A slice is never divided: sums are
// of all slices that a range touches.
import { NO_CONTEXT } from "./pack.js";

/** Returns the first slice of a range and the one after its last. @param {Pack} data @param {number} from @param {number} to */
export function sliceRange(data, from, to) {
    const { count, width } = data.slices;
    if (!(width > 0) || (from <= 0 && to >= data.trace.length)) return [0, count];
    const first = Math.min(Math.max(Math.floor(from / width), 0), Math.max(count - 1, 0));
    const last = Math.min(Math.max(Math.ceil(to / width), first + 1), count);
    return [first, last];
}

/** Returns the time that the slices of a range cover. @param {Pack} data @param {number} from @param {number} to */
export function coveredRange(data, from, to) {
    const [first, last] = sliceRange(data, from, to);
    const end = last === data.slices.count ? data.trace.length : last * data.slices.width;
    return { from: first * data.slices.width, to: end };
}

/** Returns which groups are counted; all without a list. @param {Pack} data @param {Iterable<number> | undefined} groups */
function chosen(data, groups) {
    const flags = new Uint8Array(data.groups.length + 1);
    if (groups === undefined) return flags.fill(1);
    for (const group of groups) flags[group] = 1;
    return flags;
}

/** Calls a function with each entry of a range. @param {Pack} data @param {number} from @param {number} to @param {Iterable<number> | undefined} groups
 * @param {(entry: number, slice: number) => void} visit */
export function eachEntry(data, from, to, groups, visit) {
    const flags = chosen(data, groups);
    const { start, group } = data.slices;
    const [first, last] = sliceRange(data, from, to);
    for (let slice = first; slice < last; slice += 1) {
        for (let entry = start[slice]; entry < start[slice + 1]; entry += 1) if (flags[group[entry]]) visit(entry, slice);
    }
}

/** Returns sums by calling context; `total` includes the contexts below. @param {Pack} data @param {number} from @param {number} to
 * @param {Iterable<number>} [groups] @returns {ContextSums} */
export function contextSums(data, from, to, groups) {
    const { context, exclusive: times, visits: calls } = data.slices;
    const count = data.contexts.region.length;
    const exclusive = new Float64Array(count);
    const visits = new Float64Array(count);
    eachEntry(data, from, to, groups, (entry) => {
        exclusive[context[entry]] += times[entry];
        visits[context[entry]] += calls[entry];
    });
    const total = exclusive.slice();
    for (let at = count - 1; at >= 0; at -= 1) {
        const parent = data.contexts.parent[at];
        if (parent !== NO_CONTEXT) total[parent] += total[at];
    }
    return { exclusive, visits, total };
}

/** @type {WeakMap<Pack, Uint8Array>} */
const outermostOf = new WeakMap();

/** Returns which contexts have no caller of the same region. @param {Pack} data */
function outermost(data) {
    let flags = outermostOf.get(data);
    if (!flags) {
        const { region, parent } = data.contexts;
        flags = Uint8Array.from(region, (own, at) => {
            let above = parent[at];
            while (above !== NO_CONTEXT && region[above] !== own) above = parent[above];
            return above === NO_CONTEXT ? 1 : 0;
        });
        outermostOf.set(data, flags);
    }
    return flags;
}

/** Returns sums by region. @param {Pack} data @param {ContextSums} sums @returns {Map<number, Sums>} */
export function regionSums(data, sums) {
    const first = outermost(data);
    const regions = new Map();
    for (let at = 0; at < sums.total.length; at += 1) {
        if (sums.total[at] === 0 && sums.visits[at] === 0) continue;
        const region = data.contexts.region[at];
        const row = regions.get(region) ?? { visits: 0, exclusive: 0, inclusive: 0 };
        row.visits += sums.visits[at];
        row.exclusive += sums.exclusive[at];
        row.inclusive += first[at] ? sums.total[at] : 0;
        regions.set(region, row);
    }
    return regions;
}

/** Returns the profile of a range: visits, exclusive and inclusive time in nanoseconds by region.
 * @param {Pack} data @param {number} from @param {number} to @param {Iterable<number>} [groups] */
export function profile(data, from, to, groups) {
    return regionSums(data, contextSums(data, from, to, groups));
}

/** Returns the exclusive time of some contexts by group. @param {Pack} data @param {number} from @param {number} to @param {(context: number) => boolean} isCounted */
export function timesByGroup(data, from, to, isCounted) {
    const times = new Float64Array(data.groups.length);
    const { group, context, exclusive } = data.slices;
    eachEntry(data, from, to, undefined, (entry) => {
        if (isCounted(context[entry])) times[group[entry]] += exclusive[entry];
    });
    return times;
}

/** Returns the time in no call, 0 if it is not known. @param {Pack} data @param {number} from @param {number} to @param {Iterable<number>} [groups] */
export function outsideTime(data, from, to, groups) {
    const { outside } = data;
    if (!outside) return 0;
    const flags = chosen(data, groups);
    const [first, last] = sliceRange(data, from, to);
    let sum = 0;
    for (let slice = first; slice < last; slice += 1) {
        for (let group = 0; group < data.groups.length; group += 1) sum += flags[group] * outside[slice * data.groups.length + group];
    }
    return sum;
}
