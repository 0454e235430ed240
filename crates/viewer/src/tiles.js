// Levels below those of the page, from the server of `kymo view`: shown tiles are requested in
// tiles, and the page shows its own cells until they arrive.
import { levelFor } from "./cells.js";
import { cellsOf, NO_CONTEXT, OUTSIDE } from "./pack.js";

/** The number of tiles that are awaited at the same time, and of those that are kept. */
const [AT_ONCE, KEPT] = [6, 400];

export class Tiles {
    /** @param {Pack} data @param {() => void} arrived */
    constructor(data, arrived) {
        this.data = data;
        this.arrived = arrived;
        /** Tiles by their addresses, null while they are awaited. @type {Map<string, ArrayBuffer | null>} */
        this.tiles = new Map();
        /** @type {string[]} */
        this.wanted = [];
        this.awaited = 0;
        this.made = { key: "", level: /** @type {Level | null} */ (null) };
    }

    /** Returns the level that fits, of the page or below it. @param {import("./cells.js").Part} part @param {number} perPixel @returns {Level | null} */
    levelFor(part, perPixel) {
        const { levels, rows, tiles } = this.data;
        if (rows.length === 0 || levels.length === 0) return null;
        const below = tiles ? Math.min(Math.ceil(Math.log2(levels[0].width / (2 * perPixel)) / 2), tiles.levels) : 0;
        return below > 0 && tiles ? this.below(below, tiles, part) : levelFor(levels, perPixel);
    }

    /** @param {number} level @param {TileForm} form @param {import("./cells.js").Part} part */
    below(level, form, part) {
        const finest = this.data.levels[0];
        const width = finest.width / 4 ** level;
        const last = Math.ceil((finest.buckets * 4 ** level) / form.buckets) - 1;
        const tile = (/** @type {number} */ time) => Math.min(Math.floor(time / width / form.buckets), last);
        const [from, to] = [tile(part.from), tile(part.to)];
        const [top, bottom] = [Math.floor(part.first / form.rows), Math.floor(part.last / form.rows)];
        const places = [];
        for (let block = top; block <= bottom; block += 1) {
            for (let at = from; at <= to; at += 1) places.push({ at, block, name: `tile?level=${level}&at=${at}&block=${block}` });
        }
        this.ask(places.map(({ name }) => name).filter((name) => !this.tiles.has(name)));
        const key = [level, from, to, top, bottom, ...places.filter(({ name }) => this.tiles.get(name)).map(({ name }) => name)].join();
        if (this.made.key !== key) this.made = { key, level: this.compose(width, form, places, from, to, top, bottom) };
        return this.made.level;
    }

    /** Puts tiles together; where there are none yet, cells of the page.
     * @param {number} width @param {TileForm} form @param {{at: number, block: number, name: string}[]} places
     * @param {number} from @param {number} to @param {number} top @param {number} bottom @returns {Level} */
    compose(width, form, places, from, to, top, bottom) {
        const rows = Math.min((bottom + 1) * form.rows, this.data.rows.length) - top * form.rows;
        const buckets = (to - from + 1) * form.buckets;
        const level = {
            width, buckets, start: from * form.buckets, top: top * form.rows,
            context: new Uint32Array(rows * buckets), region: new Uint16Array(rows * buckets), calls: new Uint16Array(rows * buckets),
            share: new Uint8Array(rows * buckets), outermost: new Uint8Array(rows * buckets).fill(255),
        };
        for (const { at, block, name } of places) {
            const tile = this.tiles.get(name);
            const first = block * form.rows;
            const count = Math.min(form.rows, this.data.rows.length - first);
            for (let row = 0; row < count; row += 1) {
                const target = (first + row - level.top) * buckets + (at - from) * form.buckets;
                if (tile) copy(this.data, tile, row, count, form.buckets, level, target);
                else stretch(this.data.levels[0], first + row, at * form.buckets, form.buckets, level, target);
            }
        }
        return level;
    }

    /** Requests the wanted tiles, a few at a time. @param {string[]} wanted */
    ask(wanted) {
        this.wanted = wanted;
        while (this.awaited < AT_ONCE && this.wanted.length > 0) this.load(/** @type {string} */ (this.wanted.shift()));
    }

    /** @param {string} name */
    async load(name) {
        this.awaited += 1;
        this.tiles.set(name, null);
        for (const oldest of this.tiles.keys()) if (this.tiles.size > KEPT) this.tiles.delete(oldest);
        try {
            const answer = await fetch(name);
            if (answer.ok) this.tiles.set(name, await answer.arrayBuffer());
        } catch {
            // The server has ended: the page keeps its own cells.
        }
        this.awaited -= 1;
        this.ask(this.wanted);
        this.arrived();
    }
}

/** Copies a row of a tile: all contexts come first, then all calls, shares, and outermost calls. @param {Pack} data @param {ArrayBuffer} tile @param {number} row @param {number} rows @param {number} buckets @param {any} level @param {number} target */
function copy(data, tile, row, rows, buckets, level, target) {
    const { context, region } = cellsOf(data.contexts, new Uint32Array(tile, 4 * row * buckets, buckets));
    level.context.set(context, target);
    level.region.set(region, target);
    level.calls.set(new Uint16Array(tile, (4 * rows + 2 * row) * buckets, buckets), target);
    level.share.set(new Uint8Array(tile, (6 * rows + row) * buckets, buckets), target);
    level.outermost.set(new Uint8Array(tile, (7 * rows + row) * buckets, buckets), target);
}

/** Fills buckets with the coarser cells of the page. @param {Level} page @param {number} row @param {number} first @param {number} count @param {any} level @param {number} target */
function stretch(page, row, first, count, level, target) {
    const ratio = page.width / level.width;
    for (let at = 0; at < count; at += 1) {
        const bucket = Math.floor((first + at) / ratio);
        level.context[target + at] = bucket < page.buckets ? page.context[row * page.buckets + bucket] : NO_CONTEXT;
        level.region[target + at] = bucket < page.buckets ? page.region[row * page.buckets + bucket] : OUTSIDE;
        level.share[target + at] = page.share[row * page.buckets + bucket];
    }
}
