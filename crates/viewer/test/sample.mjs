// Makes traces of a program whose content is known: ranks compute, exchange with a neighbour, reduce
// and write. The expected contents of the page are computed from the calls, independently of the page.

const CLASSES = ["computation", "communication", "threading", "input and output", "memory", "accelerator", "measurement"];
const HOSTILE = "</script><img src=x onerror=alert(1)>";

export const REGIONS = [
    ["main", 0], ["solve", 0], ["MPI_Waitall", 1], ["MPI_Isend", 1], ["MPI_Allreduce", 1],
    ["write", 3], ["!$omp parallel @solve.c:20", 2], ["malloc", 4], [HOSTILE, 0], ["", 0],
    ["מטריצה_כפל", 0], ["計算::λ<std::vector<std::basic_string<char>>>".repeat(12), 0],
    ["kernel<float>", 5], ["flush", 6], ["smooth", 0], ["restrict", 0], ["prolong", 0],
].map(([name, ofClass], at) => ({ name, class: ofClass, file: at < 2 ? "solve.c" : "", line: at < 2 ? 10 + at : 0 }));
const [MAIN, SOLVE, WAIT, SEND, REDUCE, WRITE, PARALLEL, MALLOC, HOSTILE_AT, EMPTY, HEBREW, LONG, KERNEL, FLUSH, SMOOTH, RESTRICT, PROLONG] = REGIONS.keys();

/** Numbers that look random and are always the same. */
function random(seed) {
    let state = seed;
    return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

class Recorder {
    constructor(contexts) {
        this.contexts = contexts;
        this.stack = [];
        this.segments = [];
        this.begins = [];
        this.now = 0;
    }

    context(region) {
        const parent = this.stack.at(-1) ?? 4294967295;
        const key = `${parent}/${region}`;
        if (!this.contexts.byKey.has(key)) {
            this.contexts.byKey.set(key, this.contexts.region.length);
            this.contexts.region.push(region);
            this.contexts.parent.push(parent);
        }
        return this.contexts.byKey.get(key);
    }

    /** Lets time pass in the innermost call. */
    spend(time) {
        const end = this.now + Math.round(time);
        const context = this.stack.at(-1);
        if (context !== undefined && end > this.now) this.segments.push([this.now, end, context]);
        this.now = end;
    }

    call(region, body) {
        this.stack.push(this.context(region));
        this.begins.push([this.now, this.stack.at(-1)]);
        if (typeof body === "number") this.spend(body);
        else body();
        this.stack.pop();
    }
}

/** Returns the calls of all ranks, and their messages. */
function run({ ranks, steps }) {
    const contexts = { region: [], parent: [], byKey: new Map() };
    const recorders = Array.from({ length: ranks }, () => new Recorder(contexts));
    const messages = [];
    recorders.forEach((rank, at) => {
        const next = random(at + 1);
        rank.now = Math.round(next() * 2000);
        rank.call(MAIN, () => {
            rank.call(MALLOC, 40_000 + 1000 * next());
            for (let step = 0; step < steps; step += 1) oneStep(rank, at, ranks, step, next, messages);
            rank.spend(5000);
        });
    });
    return { contexts, recorders, messages };
}

function oneStep(rank, at, ranks, step, next, messages) {
    const slow = at === 3 ? 1.35 : 1;
    rank.call(SOLVE, () => {
        rank.call(PARALLEL, 30_000 * slow * (0.9 + next() * 0.2));
        rank.call(SMOOTH, () => {
            rank.call(RESTRICT, 9_000 * next() + 4000);
            rank.call(SMOOTH, 8_000 * slow);
            rank.call(PROLONG, 7_000 * next() + 2000);
        });
        // The long name is among the first ten by time, so that the legend shows it.
        const odd = [HOSTILE_AT, EMPTY, HEBREW, LONG, KERNEL][(step >> 2) % 5];
        if (step % 4 === 1) rank.call(odd, odd === LONG ? 90_000 : 12_000);
        rank.spend(4000 + 1000 * next());
    });
    const send = rank.now + 500;
    rank.call(SEND, 1500);
    const receive = send + 9_000 + 6000 * next();
    messages.push([at, (at + 1) % ranks, send, Math.round(receive), 1024 * (1 + (step % 8))]);
    rank.call(WAIT, 14_000 * (0.7 + next() * 0.6));
    if (step % 5 === 4) rank.call(REDUCE, 9_000 + 20_000 * next());
    if (step % 16 === 15) rank.call(WRITE, 60_000 * next() + 20_000);
    if (step % 32 === 31) rank.call(FLUSH, 15_000);
}

/** Returns a level of detail of a row. */
function fillRow(level, row, recorder, contexts) {
    const shares = new Map();
    let bucket = 0;
    const close = () => {
        let [best, most, own, longest] = [65535, 0, 4294967295, 0];
        const regions = new Map();
        for (const [context, time] of shares) regions.set(contexts.region[context], (regions.get(contexts.region[context]) ?? 0) + time);
        for (const [region, time] of regions) if (time > most) [best, most] = [region, time];
        for (const [context, time] of shares) if (contexts.region[context] === best && time > longest) [own, longest] = [context, time];
        level.region[row * level.buckets + bucket] = best;
        level.context[row * level.buckets + bucket] = own;
        level.share[row * level.buckets + bucket] = Math.min(Math.round((most / level.width) * 255), 255);
        shares.clear();
    };
    for (const [begin, end, context] of recorder.segments) {
        for (let at = begin; at < end; ) {
            const own = Math.min(Math.floor(at / level.width), level.buckets - 1);
            while (bucket < own) { close(); bucket += 1; }
            const stop = Math.min(end, own === level.buckets - 1 ? end : (own + 1) * level.width);
            shares.set(context, (shares.get(context) ?? 0) + stop - at);
            at = stop;
        }
    }
    while (bucket < level.buckets) { close(); bucket += 1; }
    for (const [begin, context] of recorder.begins) {
        const at = row * level.buckets + Math.min(Math.floor(begin / level.width), level.buckets - 1);
        level.calls[at] = Math.min(level.calls[at] + 1, 65535);
        let depth = 0;
        for (let above = contexts.parent[context]; above !== 4294967295; above = contexts.parent[above]) depth += 1;
        level.outermost[at] = Math.min(level.outermost[at], depth);
    }
}

function levelsOf(recorders, contexts, length, finest) {
    const levels = [];
    for (let buckets = finest; buckets >= 4; buckets = Math.ceil(buckets / 4)) {
        const cells = recorders.length * buckets;
        const width = levels.length === 0 ? Math.ceil(length / finest) : levels.at(-1).width * 4;
        const level = {
            buckets, width, context: new Uint32Array(cells).fill(4294967295), region: new Uint16Array(cells).fill(65535),
            share: new Uint8Array(cells), calls: new Uint16Array(cells), outermost: new Uint8Array(cells).fill(255),
        };
        recorders.forEach((recorder, row) => fillRow(level, row, recorder, contexts));
        levels.push(level);
    }
    return levels;
}

/** Returns sums by slice, group and context. */
function slicesOf(recorders, length, count) {
    const width = Math.max(Math.ceil(length / count), 1);
    const sums = Array.from({ length: count }, () => new Map());
    const add = (time, group, context, exclusive, visits) => {
        const slice = sums[Math.min(Math.floor(time / width), count - 1)];
        const key = `${group}/${context}`;
        const entry = slice.get(key) ?? [group, context, 0, 0];
        slice.set(key, [group, context, entry[2] + exclusive, entry[3] + visits]);
    };
    recorders.forEach((recorder, group) => {
        for (const [begin, end, context] of recorder.segments) {
            for (let at = begin; at < end; ) {
                const stop = Math.min(end, (Math.floor(at / width) + 1) * width);
                add(at, group, context, stop - at, 0);
                at = stop;
            }
        }
        for (const [begin, context] of recorder.begins) add(begin, group, context, 0, 1);
    });
    const entries = sums.flatMap((slice) => [...slice.values()]);
    const start = [0];
    for (const slice of sums) start.push(start.at(-1) + slice.size);
    return {
        count, width, start: Uint32Array.from(start), group: Uint16Array.from(entries, (it) => it[0]),
        context: Uint32Array.from(entries, (it) => it[1]), exclusive: Float64Array.from(entries, (it) => it[2]),
        visits: Uint32Array.from(entries, (it) => it[3]),
    };
}

function messagesOf(messages, length, withList) {
    const buckets = 512;
    const width = Math.max(Math.ceil(length / buckets), 1);
    const density = { buckets, width, count: new Float64Array(buckets), bytes: new Float64Array(buckets) };
    for (const [, , send, , bytes] of messages) {
        const at = Math.min(Math.floor(send / width), buckets - 1);
        density.count[at] += 1;
        density.bytes[at] += bytes;
    }
    const column = (at, type) => type.from(messages, (it) => it[at]);
    const list = { source: column(0, Uint16Array), destination: column(1, Uint16Array), send: column(2, Float64Array), receive: column(3, Float64Array), bytes: column(4, Float64Array) };
    return { list: withList ? list : null, count: messages.length, density };
}

/** Each rank waits before it receives, for the one that sends. */
function waitsOf(messages) {
    const waits = messages.map(([source, destination, , receive]) => [destination, source, receive - 3000, receive]);
    waits.sort((one, other) => one[2] - other[2]);
    const column = (at, type) => type.from(waits, (it) => it[at]);
    return { names: ["late sender"], row: column(0, Uint16Array), cause: column(1, Uint16Array), kind: new Uint8Array(waits.length), start: column(2, Float64Array), end: column(3, Float64Array) };
}

/** The path goes to the next rank from time to time. */
function pathOf(length, ranks, stays) {
    const numbers = Array.from({ length: ranks > 0 ? stays : 0 }, (_, at) => at);
    return { begin: 0, row: Uint16Array.from(numbers, (at) => at % ranks), end: Float64Array.from(numbers, (at) => (length * (at + 1)) / stays), slice: null };
}

function matrixOf(messages, ranks) {
    const pairs = new Map();
    for (const [from, to, , , bytes] of messages) {
        const pair = pairs.get(`${from}/${to}`) ?? [from, to, 0, 0, 0];
        pairs.set(`${from}/${to}`, [from, to, pair[2] + 1, pair[3] + bytes, pair[4] + 700 * ((from * 7) % 5)]);
    }
    const rows = [...pairs.values()];
    const column = (at, type) => type.from(rows, (it) => it[at]);
    return { names: Array.from({ length: ranks }, (_, at) => `MPI Rank ${at}`), from: column(0, Uint32Array), to: column(1, Uint32Array), count: column(2, Float64Array), bytes: column(3, Float64Array), wait: column(4, Float64Array) };
}

function metricOf(length, name, unit, mode, seed) {
    const [next, count] = [random(seed), 256];
    const mean = Float64Array.from({ length: count }, (_, at) => (at > 180 && at < 200 ? NaN : 2e6 + 1e6 * Math.sin(at / 20) + 2e5 * next()));
    return { name, unit, mode, width: Math.max(length / count, 1), min: mean.map((it) => it * 0.7), mean, max: mean.map((it) => it * 1.25 + 1e5) };
}

/** Returns the sums that the page must show, from the calls. */
function expected(recorders, contexts) {
    const sums = {};
    const of = (region) => (sums[region] ??= { visits: 0, exclusive: 0, inclusive: 0 });
    for (const recorder of recorders) {
        for (const [, context] of recorder.begins) of(contexts.region[context]).visits += 1;
        for (const [begin, end, context] of recorder.segments) {
            of(contexts.region[context]).exclusive += end - begin;
            const callers = new Set();
            for (let at = context; at !== 4294967295; at = contexts.parent[at]) callers.add(contexts.region[at]);
            for (const region of callers) of(region).inclusive += end - begin;
        }
    }
    return sums;
}

function spreadOf(recorders, contexts) {
    return [SOLVE, WAIT, REDUCE, PARALLEL, SMOOTH].map((region) => {
        const times = Float64Array.from(recorders, (it) => it.segments.reduce((sum, [begin, end, context]) => sum + (contexts.region[context] === region ? end - begin : 0), 0));
        const longest = Math.max(...times, 0);
        const mean = times.reduce((a, b) => a + b, 0) / Math.max(times.length, 1);
        return { region, mean, longest, location: `MPI Rank ${times.indexOf(longest)}`, times };
    });
}

function statsOf(length, ranks) {
    const transfer = (count, bytes, time) => ({ count, bytes, time_ns: time, bytes_per_second: time > 0 ? bytes / (time / 1e9) : null });
    return {
        trace: { most_threads: 1, ticks_per_second: 1e9, creator: "sample" },
        remarks: { "calls that never ended": 2 },
        efficiency: { parallel: 0.62, load_balance: 0.81, communication: 0.765, serialisation: 0.85, transfer: 0.9, processes: null, slowest: { location: 3, name: "MPI Rank 3", time_ns: length * 0.7 } },
        classes: [], regions: [],
        messages: { count: 12, bytes: 49_152, transit_ns: 140_000, unmatched_sends: 1, unmatched_receives: 0, different_lengths: 0, received_before_sent: 0, unknown_partners: 0 },
        collectives: [{ operation: "ALLREDUCE", operations: 12, parts: 12 * ranks, incomplete: 0, bytes_sent: 96 * ranks, bytes_received: 96 * ranks, time_ns: 812_345 }],
        waits: [{ reason: "late sender", region: "MPI_Waitall", count: 31, time_ns: 412_000, longest: { location: 3, name: "MPI Rank 3", time_ns: 22_000 } }],
        waits_by_location: [{ reason: "late sender", location: 3, name: "MPI Rank 3", time_ns: 212_000 }],
        files: [
            { file: "/scratch/תוצאות/out.h5", paradigm: "POSIX I/O", reads: transfer(0, 0, 0), writes: transfer(12, 4096_000, 950_000), flushes: transfer(1, 0, 1000), opened: 4, seeks: 0, incomplete: 0, cancelled: 0 },
            { file: "</script><b>.bin", paradigm: "MPI I/O", reads: transfer(3, 81_920, 77_000), writes: transfer(0, 0, 0), flushes: transfer(0, 0, 0), opened: 1, seeks: 2, incomplete: 0, cancelled: 0 },
        ],
        windows: [{ window: "halo", puts: 8, bytes_put: 32, gets: 4, bytes_got: 16, atomics: 8, completed: 20, synchronisations: 32 }],
        metrics: [{ metric: "PAPI_TOT_INS", unit: "#", values: 512, lowest: 1, highest: 3e6, highest_name: "MPI Rank 1", count: 8.1e9, is_memory: false }],
        events: [{ event: "MpiSend", count: 12 }, { event: "MpiRecv", count: 12 }],
    };
}

/** Returns a pack and the contents that it must show. */
export function sample({ ranks = 8, steps = 64, buckets = 4096, slices = 256, list = true } = {}) {
    const { contexts, recorders, messages } = run({ ranks, steps });
    const length = Math.max(...recorders.map((it) => it.now));
    const events = recorders.reduce((sum, it) => sum + it.begins.length * 2, 0) + messages.length * 2;
    const content = {
        version: 1, generator: "kymo 0.1.0",
        trace: { name: "traces.otf2", date: "2026-11-25 04:00:00 UTC", length, events, lost: 0, locations: ranks, processes: ranks, nodes: Math.ceil(ranks / 4) },
        classes: CLASSES, outside: null, outsideName: "(not running)", regions: REGIONS,
        rows: recorders.map((_, at) => ({ name: "Master thread", kind: "location", location: String(at), process: `MPI Rank ${at}`, label: `MPI Rank ${at}`, life: [recorders[at].begins[0][0], recorders[at].now], node: `n${at >> 2}`, members: 1, group: at })),
        groups: recorders.map((_, at) => ({ name: `MPI Rank ${at}, Master thread`, members: 1 })),
        levels: levelsOf(recorders, contexts, length, buckets),
        contexts: { class: Uint8Array.from(contexts.region, (region) => REGIONS[region].class), region: Uint32Array.from(contexts.region), parent: Uint32Array.from(contexts.parent) },
        slices: slicesOf(recorders, length, slices),
        messages: messagesOf(messages, length, list), matrix: matrixOf(messages, ranks),
        waits: waitsOf(messages), path: pathOf(length, ranks, 12),
        metrics: [metricOf(length, "PAPI_TOT_INS", "#", "accumulated", 5), metricOf(length, "rusage_maxrss", "kB", "absolute", 9)],
        spread: spreadOf(recorders, contexts), stats: statsOf(length, ranks),
        check: { errors: 0, warnings: 1, notes: 2, kinds: { "unmatched-send": 1, "empty-location": 2 } },
        notes: ["No location was merged."],
    };
    return { content, expected: expected(recorders, contexts) };
}

/** Returns the pack of a trace without events. */
export function emptySample() {
    const { content } = sample({ ranks: 0, steps: 0 });
    const none = { count: 0, width: 0, start: new Uint32Array(1), group: new Uint16Array(), context: new Uint32Array(), exclusive: new Float64Array(), visits: new Uint32Array() };
    return {
        ...content, trace: { ...content.trace, name: "", date: null, length: 0, events: 0 }, regions: [], levels: [], slices: none,
        messages: { list: null, count: 0, density: { buckets: 0, width: 0, count: new Float64Array(), bytes: new Float64Array() } },
        waits: waitsOf([]), path: pathOf(0, 0, 0), metrics: [], spread: [], stats: null, check: null, notes: [],
    };
}

/** Returns the pack of a trace with one event: a call that begins when the trace ends. */
export function oneEventSample() {
    const cell = { buckets: 1, width: 1, context: Uint32Array.of(4294967295), region: Uint16Array.of(65535), share: Uint8Array.of(0), calls: Uint16Array.of(1), outermost: Uint8Array.of(0) };
    const slices = { count: 1, width: 1, start: Uint32Array.of(0, 1), group: Uint16Array.of(0), context: Uint32Array.of(0), exclusive: Float64Array.of(0), visits: Uint32Array.of(1) };
    const { content } = sample({ ranks: 1, steps: 0, buckets: 4 });
    return {
        ...emptySample(), trace: { ...content.trace, length: 0, events: 1, locations: 1, processes: 1, nodes: 1 }, regions: REGIONS.slice(0, 1),
        rows: content.rows, groups: content.groups, levels: [cell], contexts: { class: Uint8Array.of(content.regions[0].class), region: Uint32Array.of(0), parent: Uint32Array.of(4294967295) }, slices,
    };
}

/** Returns the pack of a trace that has samples and no calls: time without visits. */
export function samplesOnly() {
    const { content } = sample({ ranks: 2, steps: 2, buckets: 64 });
    const levels = content.levels.map((level) => ({ ...level, calls: level.calls.map(() => 0) }));
    const slices = { ...content.slices, visits: content.slices.visits.map(() => 0) };
    const none = emptySample();
    const regions = [{ region: "main", class: "computation", visits: 0, samples: 812, inclusive_ns: 0, exclusive_ns: 0 }];
    // Half a slice of each row is in no call.
    const outside = new Float64Array(slices.count * content.groups.length).fill(slices.width / 2);
    return { ...content, levels, slices, outside, messages: none.messages, waits: none.waits, path: none.path, matrix: none.matrix, metrics: [], spread: [], stats: { ...content.stats, regions } };
}

/** Returns the pack of a trace whose locations were merged: two groups of four. */
export function mergedSample() {
    const { content } = sample({ ranks: 8, steps: 20, buckets: 1024 });
    const kinds = ["mean", "slowest", "fastest"];
    const rows = [0, 1].flatMap((group) => kinds.map((kind, at) => ({
        name: "Master thread", kind, location: kind === "mean" ? "" : String(group * 4 + at), process: kind === "mean" ? `MPI Rank ${group * 4} … ${group * 4 + 3}` : `MPI Rank ${group * 4 + at}`,
        node: `n${group}`, members: kind === "mean" ? 4 : 1, group,
    })));
    const cells = (level) => {
        const taken = (array) => array.constructor.from([0, 1, 2, 4, 5, 6].flatMap((row) => [...array.subarray(row * level.buckets, (row + 1) * level.buckets)]));
        const arrays = ["context", "region", "share", "calls", "outermost"].map((name) => [name, taken(level[name])]);
        return { ...level, ...Object.fromEntries(arrays) };
    };
    return {
        ...content, rows, groups: [0, 1].map((at) => ({ name: `MPI Rank ${at * 4} … ${at * 4 + 3}, Master thread`, members: 4 })), levels: content.levels.map(cells),
        slices: { ...content.slices, group: content.slices.group.map((group) => group >> 2) },
        messages: { ...content.messages, list: null }, waits: waitsOf([]), path: pathOf(0, 0, 0), spread: content.spread.map((it) => ({ ...it, times: null })),
        trace: { ...content.trace, lost: 17 }, notes: ["8 locations were merged into 2 rows of 2 nodes; their slowest and fastest are kept."],
    };
}
