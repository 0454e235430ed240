// Nested calls of a row, from the contexts of its buckets: a call lasts while the context at its
// depth is the same and no call of that depth or above begins. Begins and ends are those of buckets.
import { NO_CONTEXT } from "./pack.js";

/** @typedef {{context: number, depth: number, from: number, to: number, calls: number}} Box */

/** @type {WeakMap<Pack, Uint16Array>} */
const depthsOf = new WeakMap();

/** Returns the number of callers of each context. @param {Pack} data */
export function depths(data) {
    let found = depthsOf.get(data);
    if (!found) {
        found = new Uint16Array(data.contexts.parent.length);
        for (let at = 0; at < found.length; at += 1) {
            const parent = data.contexts.parent[at];
            found[at] = parent === NO_CONTEXT ? 0 : Math.min(found[parent] + 1, 65535);
        }
        depthsOf.set(data, found);
    }
    return found;
}

/** Returns a context with its callers, the outermost first. @param {Pack} data @param {number} context */
export function pathOf(data, context) {
    const path = [];
    for (let at = context; at !== NO_CONTEXT; at = data.contexts.parent[at]) path.push(at);
    return path.reverse();
}

/** Returns the number of nested calls of a row. @param {Pack} data @param {Level} level @param {number} row */
export function deepest(data, level, row) {
    const all = depths(data);
    const base = (row - (level.top ?? 0)) * level.buckets;
    let most = 0;
    for (let at = base; at < base + level.buckets; at += 1) {
        const context = level.context[at];
        if (context !== NO_CONTEXT && all[context] >= most) most = all[context] + 1;
    }
    return most;
}

/** Returns the nested calls in some buckets of a row. Neighbours of one context become one box while
 * they are shorter than `least` buckets. @param {Pack} data @param {Level} level @param {number} row @param {number} first @param {number} last
 * @param {number} least @returns {Box[]} */
export function boxesOf(data, level, row, first, last, least) {
    const base = (row - (level.top ?? 0)) * level.buckets;
    /** @type {Box[]} */
    const boxes = [];
    /** The calls that are open, and the last box of each depth. @type {Box[]} */
    const open = [];
    /** @type {Box[]} */
    const before = [];
    const close = (/** @type {number} */ depth, /** @type {number} */ end) => {
        for (const box of open.splice(depth)) {
            box.to = end;
            const last = before[box.depth];
            const isJoined = last?.context === box.context && last.to === box.from && (last.to - last.from < least || end - box.from < least);
            if (isJoined) [last.to, last.calls] = [end, last.calls + 1];
            else boxes.push((before[box.depth] = box));
        }
    };
    let [context, path] = [NO_CONTEXT, /** @type {number[]} */ ([])];
    for (let bucket = first; bucket <= last; bucket += 1) {
        const next = level.context[base + bucket];
        const begun = level.outermost[base + bucket];
        if (next === context && begun >= open.length) continue;
        if (next !== context) [context, path] = [next, pathOf(data, next)];
        let kept = 0;
        while (kept < begun && kept < open.length && open[kept].context === path[kept]) kept += 1;
        close(kept, bucket);
        for (let depth = kept; depth < path.length; depth += 1) open.push({ context: path[depth], depth, from: bucket, to: bucket, calls: 1 });
    }
    close(0, last + 1);
    return boxes;
}

/** Returns the call of a depth that a bucket of a row shows, and whether its ends are known.
 * @param {Pack} data @param {Level} level @param {number} row @param {number} bucket @param {number} depth */
export function callAt(data, level, row, bucket, depth) {
    const all = depths(data);
    const base = (row - (level.top ?? 0)) * level.buckets;
    const contextAt = (/** @type {number} */ at) => {
        let context = level.context[base + at];
        if (context === NO_CONTEXT || all[context] < depth) return NO_CONTEXT;
        while (all[context] > depth) context = data.contexts.parent[context];
        return context;
    };
    const context = contextAt(bucket);
    if (context === NO_CONTEXT) return null;
    let [from, to] = [bucket, bucket + 1];
    while (from > 0 && level.outermost[base + from] > depth && contextAt(from - 1) === context) from -= 1;
    while (to < level.buckets && level.outermost[base + to] > depth && contextAt(to) === context) to += 1;
    const isWhole = from > 0 && to < level.buckets;
    return { context, from, to, isWhole: isWhole || (level.start === undefined && level.top === undefined) };
}

/** @type {WeakMap<Pack, Uint8Array>} */
const enteredOf = new WeakMap();

/** Returns whether events have entered a context; others are known by samples. @param {Pack} data @param {number} context */
export function isEntered(data, context) {
    let found = enteredOf.get(data);
    if (!found) {
        found = new Uint8Array(data.contexts.region.length);
        data.slices.visits.forEach((visits, at) => {
            if (visits > 0) /** @type {Uint8Array} */ (found)[data.slices.context[at]] = 1;
        });
        enteredOf.set(data, found);
    }
    return found[context] === 1;
}
