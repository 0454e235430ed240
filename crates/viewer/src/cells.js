// Pixels of rows × time from the level of detail that fits. A bucket is drawn in one pixel at least;
// where rows share a line of pixels, their colours mix.
import { SHADES } from "./colours.js";
import { OUTSIDE } from "./pack.js";

/** @typedef {{first: Int32Array, last: Int32Array}} Columns */
/** @typedef {{from: number, to: number, first: number, last: number}} Part */

/** Returns the coarsest level whose buckets are at most two pixels wide. @param {Level[]} levels @param {number} perPixel time of a pixel */
export function levelFor(levels, perPixel) {
    const fitting = levels.filter((level) => level.width <= 2 * perPixel);
    return fitting.length > 0 ? fitting[fitting.length - 1] : levels[0];
}

/** Returns the buckets of each column of pixels. @param {Level} level @param {number} from @param {number} perPixel @param {number} count @returns {Columns} */
export function columnsOf(level, from, perPixel, count) {
    const first = new Int32Array(count);
    const last = new Int32Array(count);
    const within = (/** @type {number} */ bucket) => Math.min(Math.max(bucket, 0), level.buckets - 1);
    for (let column = 0; column < count; column += 1) {
        const start = (from + column * perPixel) / level.width - (level.start ?? 0);
        const end = start + perPixel / level.width;
        const low = Math.ceil(start - 0.5);
        const high = Math.ceil(end - 0.5) - 1;
        first[column] = within(high < low ? Math.floor((start + end) / 2) : low);
        last[column] = within(high < low ? Math.floor((start + end) / 2) : high);
    }
    return { first, last };
}

/** The colours of cells by region and shade, outside all calls, and where a row has no events. The
 * lives of rows are times from their first to their last event.
 * @typedef {{colours: Uint32Array, blank: number, absent: number, lives?: ([number, number] | null | undefined)[]}} Look */

/** Draws one row: of the buckets of a pixel the one with the largest share. Returns the region of each.
 * @param {Level} level @param {number} row @param {Columns} columns @param {Look} look @param {(time: number) => number} columnOf @param {Uint32Array} line @param {Uint16Array} [regions] */
export function drawRow(level, row, columns, { colours, blank, absent, lives }, columnOf, line, regions) {
    const { region, share } = level;
    const { first, last } = columns;
    const base = (row - (level.top ?? 0)) * level.buckets;
    const [begin, end] = lives?.[row]?.map(columnOf) ?? [-Infinity, Infinity];
    for (let column = 0; column < line.length; column += 1) {
        let best = -1;
        let found = OUTSIDE;
        const stop = base + last[column];
        for (let at = base + first[column]; at <= stop; at += 1) {
            if (region[at] !== OUTSIDE && share[at] > best) [best, found] = [share[at], region[at]];
        }
        const isAlive = column + 1 > begin && column <= end;
        line[column] = best < 0 ? (isAlive ? blank : absent) : colours[found * SHADES + (best >> 4)];
        if (regions) regions[column] = found;
    }
}

/** The most rows whose colours fit into the sums of a pixel. */
const MOST_MIXED = 256;

/** Adds the colours of a line: red and blue in one sum, green in the other. @param {Uint32Array} line @param {Uint32Array} redBlue @param {Uint32Array} green */
function addLine(line, redBlue, green) {
    for (let column = 0; column < line.length; column += 1) {
        redBlue[column] += line[column] & 0xff00ff;
        green[column] += (line[column] >> 8) & 0xff;
    }
}

/** Writes the means of sums as pixels. @param {Uint32Array} redBlue @param {Uint32Array} green @param {number} count @param {Uint32Array} line */
function writeMeans(redBlue, green, count, line) {
    for (let column = 0; column < line.length; column += 1) {
        const red = ((redBlue[column] & 0xffff) / count) | 0;
        const blue = ((redBlue[column] >>> 16) / count) | 0;
        line[column] = (255 << 24) | (blue << 16) | (((green[column] / count) | 0) << 8) | red;
    }
}

/** Returns the first line of pixels of a row and the one after its last. @param {number} top @param {number} height of the row, in pixels */
export function linesOfRow(top, height) {
    const gap = height >= 8 ? Math.max(1, Math.round(height / 14)) : 0;
    return [Math.round(top), Math.round(top + height) - gap];
}

/** Draws rows that are at least one pixel high. @param {Uint32Array} pixels @param {number} width @param {number[]} tops @param {number} height of a row
 * @param {(row: number, line: Uint32Array) => void} draw @param {number} paper */
function drawTall(pixels, width, tops, height, draw, paper) {
    const line = new Uint32Array(width);
    pixels.fill(paper);
    tops.forEach((top, row) => {
        draw(row, line);
        const [first, end] = linesOfRow(top, height);
        for (let y = first; y < end; y += 1) pixels.set(line, y * width);
    });
}

/** Draws rows of which several share a line of pixels. @param {Uint32Array} pixels @param {number} width @param {number} height @param {number} rows
 * @param {(row: number, line: Uint32Array) => void} draw */
function drawMixed(pixels, width, height, rows, draw) {
    const [line, redBlue, green] = [new Uint32Array(width), new Uint32Array(width), new Uint32Array(width)];
    for (let y = 0; y < height; y += 1) {
        const first = Math.floor((y * rows) / height);
        const end = Math.min(Math.max(Math.floor(((y + 1) * rows) / height), first + 1), first + MOST_MIXED);
        redBlue.fill(0);
        green.fill(0);
        for (let row = first; row < end; row += 1) {
            draw(row, line);
            addLine(line, redBlue, green);
        }
        writeMeans(redBlue, green, end - first, line);
        pixels.set(line, y * width);
    }
}

/** Draws a part of the trace on a level, or nothing if it has no rows. @param {Level | null} level @param {Part} part @param {Uint32Array} pixels @param {number} width
 * @param {number} height @param {Look} look @param {{tops: number[], height: number}} [places] the tops of rows in pixels, and the height of a row */
export function drawCells(level, part, pixels, width, height, look, places) {
    if (!level) return pixels.fill(look.absent);
    const rows = part.last - part.first + 1;
    const perPixel = (part.to - part.from) / width;
    const columns = columnsOf(level, part.from, perPixel, width);
    const columnOf = (/** @type {number} */ time) => (time - part.from) / perPixel;
    const draw = (/** @type {number} */ row, /** @type {Uint32Array} */ line) =>
        drawRow(level, part.first + row, columns, look, columnOf, line);
    if (rows > height) return drawMixed(pixels, width, height, rows, draw);
    const { tops, height: tall } = places ?? { tops: Array.from({ length: rows }, (_, row) => (row * height) / rows), height: height / rows };
    return drawTall(pixels, width, tops, tall, draw, look.absent);
}
