// Names in bars: in the cells of rows, and in the boxes of nested calls.
import { LINE_HEIGHT } from "./layout.js";
import { OUTSIDE } from "./pack.js";
import { boxesOf } from "./stack.js";
import { inkOn, shortened } from "./text.js";
import { visibleName } from "./format.js";

/** Bars that are narrower, or rows that are lower, have no name, in pixels of the style sheet. */
const [NAMED_WIDTH, NAMED_HEIGHT] = [30, 12];
/** Boxes that are narrower are joined with their neighbours, in pixels of the screen. */
const JOINED = 3;
const PALE = 0.25;

/** @typedef {{context: CanvasRenderingContext2D, width: number, ratio: number}} Canvas */

/** @param {Canvas} canvas @param {string} name @param {{x: number, y: number, wide: number, tall: number, ink: string}} place */
function writeName({ context, ratio }, name, { x, y, wide, tall, ink }) {
    context.font = `${Math.min(12 * ratio, tall - 2 * ratio)}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.fillStyle = ink;
    context.fillText(shortened(context, name, wide - 6 * ratio), x + 3 * ratio, y + tall / 2 + ratio / 2);
}

/** Returns the mean colour of some pixels. @param {Uint32Array} line @param {number} from @param {number} to @returns {Colour} */
function meanOf(line, from, to) {
    const sums = [0, 0, 0];
    for (let at = from; at < to; at += 1) for (let part = 0; part < 3; part += 1) sums[part] += (line[at] >> (8 * part)) & 255;
    return /** @type {Colour} */ (sums.map((sum) => sum / (to - from)));
}

/** Writes the names of regions into the cells of a row. @param {Canvas} canvas @param {Pack} data @param {{regions: Uint16Array, line: Uint32Array}} drawn @param {number} top @param {number} tall */
export function nameCells(canvas, data, { regions, line }, top, tall) {
    const least = NAMED_WIDTH * canvas.ratio;
    if (tall < NAMED_HEIGHT * canvas.ratio) return;
    for (let from = 0, to = 1; from < regions.length; from = to, to += 1) {
        while (to < regions.length && regions[to] === regions[from]) to += 1;
        if (regions[from] === OUTSIDE || to - from < least) continue;
        const ink = inkOn(meanOf(line, from, to));
        writeName(canvas, visibleName(data.regions[regions[from]]?.name ?? ""), { x: from, y: top, wide: to - from, tall, ink });
    }
}

/** Draws the nested calls of a row. @param {Canvas} canvas @param {{data: Pack, colours: Colours}} shown @param {Level} level @param {State} state @param {number} row @param {number} top
 * @param {number} lines @param {string} ink of the page */
export function drawStack(canvas, { data, colours }, level, state, row, top, lines, ink) {
    const { context, width, ratio } = canvas;
    const scale = width / (state.to - state.from);
    const start = level.start ?? 0;
    const bucket = (/** @type {number} */ time) => Math.min(Math.max(Math.floor(time / level.width) - start, 0), level.buckets - 1);
    const boxes = boxesOf(data, level, row, bucket(state.from), bucket(state.to), JOINED / (level.width * scale));
    const tall = LINE_HEIGHT * ratio - Math.ceil(ratio);
    for (const { context: called, depth, from, to } of boxes) {
        if (depth >= lines) continue;
        const [left, right] = [from, to].map((at) => Math.min(Math.max(((at + start) * level.width - state.from) * scale, 0), width));
        const gap = right - left > 4 * ratio ? ratio : 0;
        const [wide, y] = [Math.max(right - left - gap, 1), top + depth * LINE_HEIGHT * ratio];
        const region = data.contexts.region[called];
        const isPale = state.region >= 0 && state.region !== region;
        context.globalAlpha = isPale ? PALE : 1;
        context.fillStyle = colours.css(region);
        context.fillRect(left, y, wide, tall);
        context.globalAlpha = 1;
        if (wide >= NAMED_WIDTH * ratio) writeName(canvas, visibleName(data.regions[region].name), { x: left, y, wide, tall, ink: isPale ? ink : inkOn(colours.of(region)) });
    }
}
