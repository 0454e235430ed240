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

/** Draws one row: of the buckets of a pixel the one with the largest share.
 * @param {Level} level @param {number} row @param {Columns} columns @param {Uint32Array} colours @param {number} blank @param {Uint32Array} line */
function drawRow(level, row, columns, colours, blank, line) {
    const { region, share } = level;
    const { first, last } = columns;
    const base = (row - (level.top ?? 0)) * level.buckets;
    for (let column = 0; column < line.length; column += 1) {
        let best = -1;
        let pixel = blank;
        const end = base + last[column];
        for (let at = base + first[column]; at <= end; at += 1) {
            if (region[at] !== OUTSIDE && share[at] > best) {
                best = share[at];
                pixel = colours[region[at] * SHADES + (best >> 4)];
            }
        }
        line[column] = pixel;
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

/** Draws rows that are at least one pixel high. @param {Uint32Array} pixels @param {number} width @param {number} height @param {number} rows
 * @param {(row: number, line: Uint32Array) => void} draw @param {number} blank */
function drawTall(pixels, width, height, rows, draw, blank) {
    const line = new Uint32Array(width);
    const gap = height / rows >= 8 ? Math.max(1, Math.round(height / rows / 14)) : 0;
    pixels.fill(blank);
    for (let row = 0; row < rows; row += 1) {
        draw(row, line);
        const end = Math.round(((row + 1) * height) / rows) - gap;
        for (let y = Math.round((row * height) / rows); y < end; y += 1) pixels.set(line, y * width);
    }
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
 * @param {number} height @param {Uint32Array} colours @param {number} blank */
export function drawCells(level, part, pixels, width, height, colours, blank) {
    if (!level) return pixels.fill(blank);
    const rows = part.last - part.first + 1;
    const columns = columnsOf(level, part.from, (part.to - part.from) / width, width);
    const draw = (/** @type {number} */ row, /** @type {Uint32Array} */ line) =>
        drawRow(level, part.first + row, columns, colours, blank, line);
    if (rows > height) return drawMixed(pixels, width, height, rows, draw);
    return drawTall(pixels, width, height, rows, draw, blank);
}
