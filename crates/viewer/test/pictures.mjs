// Takes pictures of a page in two sizes, light and dark, and compares them with kept ones.
//
// A picture has the canvases of the time line, the call tree and the messages, below each other.
// They are reduced to cells of CELL × CELL pixels of the style sheet, each with the mean of its
// colours, and drawn without text and without axes, so that fonts and the edges of shapes do not matter. A picture
// is the same if at most PART of its cells differ by more than DIFFERENCE in red, green or blue.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { decode, encode } from "./png.mjs";

export const KEPT = join(dirname(fileURLToPath(import.meta.url)), "pictures");
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 420, height: 800 } };
/** Every size and scheme, or with KYMO_LONG=1 all pairs of them. */
const PAIRS = process.env.KYMO_LONG
    ? [["wide", "light"], ["wide", "dark"], ["narrow", "light"], ["narrow", "dark"]]
    : [["wide", "light"], ["narrow", "dark"]];
const VIEWS = ["calls", "messages"];
const CELL = 6;
const DIFFERENCE = 12;
const PART = 0.004;
/** A page that shows the same for this time has followed sizes, schemes and selections. */
const SETTLED = 120;
/** Only a page that hangs, or shows something else, takes this time. */
const HANGS = 120_000;

/** Returns the canvases that are shown, reduced, from top to bottom. Runs in the page. */
function reduced({ cell, where }) {
    const shown = [...document.querySelectorAll(where)].filter((it) => it.clientWidth > 0 && it.clientHeight > 0);
    return shown.map((canvas) => {
        const width = Math.max(Math.round(canvas.clientWidth / cell), 1);
        const height = Math.max(Math.round(canvas.clientHeight / cell), 1);
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let behind = canvas;
        while (behind.parentElement && /, 0\)|transparent/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
        const paper = getComputedStyle(behind).backgroundColor.match(/\d+/g).slice(0, 3).map(Number);
        const [across, down] = [canvas.width / width, canvas.height / height];
        const pixels = [];
        for (let row = 0; row < height; row += 1) {
            for (let column = 0; column < width; column += 1) {
                const [left, top] = [Math.floor(column * across), Math.floor(row * down)];
                const right = Math.max(Math.floor((column + 1) * across), left + 1);
                const bottom = Math.max(Math.floor((row + 1) * down), top + 1);
                const sums = [0, 0, 0];
                for (let y = top; y < bottom; y += 1) {
                    for (let x = left; x < right; x += 1) {
                        const at = (y * canvas.width + x) * 4;
                        const part = data[at + 3] / 255;
                        for (let colour = 0; colour < 3; colour += 1) sums[colour] += data[at + colour] * part + paper[colour] * (1 - part);
                    }
                }
                pixels.push(...sums.map((sum) => Math.round(sum / ((right - left) * (bottom - top)))));
            }
        }
        return { width, height, pixels };
    });
}

/** Returns one picture of several, with a black line after each. */
function stacked(parts) {
    const width = Math.max(...parts.map((it) => it.width), 1);
    const height = parts.reduce((sum, it) => sum + it.height + 1, 0);
    const pixels = new Uint8Array(width * height * 3);
    let top = 0;
    for (const part of parts) {
        for (let y = 0; y < part.height; y += 1) pixels.set(part.pixels.slice(y * part.width * 3, (y + 1) * part.width * 3), (top + y) * width * 3);
        top += part.height + 1;
    }
    return { width, height, pixels };
}

/** Returns the part of the cells that differ. */
function difference(one, other) {
    if (one.width !== other.width || one.height !== other.height) return 1;
    let different = 0;
    for (let at = 0; at < one.pixels.length; at += 3) {
        if ([0, 1, 2].some((colour) => Math.abs(one.pixels[at + colour] - other.pixels[at + colour]) > DIFFERENCE)) different += 1;
    }
    return different / (one.pixels.length / 3);
}

export function isSame(one, other) {
    return difference(one, other) <= PART;
}

/** Whether a view is shown, and all canvases have the pixels of their places. Runs in the page. */
function isDrawn(view) {
    const fits = (canvas) => canvas.clientWidth === 0 || canvas.width === Math.max(Math.round(canvas.clientWidth * devicePixelRatio), 1);
    return document.querySelector("#views [aria-current]")?.dataset.view === view && [...document.querySelectorAll("canvas")].every(fits);
}

/** Returns the reduced canvases, once they no longer change. */
async function settled(page, view, where) {
    const next = async () => {
        await page.waitForFunction(isDrawn, view, { timeout: HANGS });
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        return page.evaluate(reduced, { cell: CELL, where });
    };
    for (let [shown, tries] = [await next(), 0]; ; tries += 1) {
        await page.waitForTimeout(SETTLED);
        const again = await next();
        if (tries > 20 || JSON.stringify(again) === JSON.stringify(shown)) return again;
        shown = again;
    }
}

async function taken(page) {
    const parts = [];
    for (const view of VIEWS) {
        await page.evaluate((view) => { location.hash = `#v=${view}`; }, view);
        // The time line is the same in every view.
        parts.push(...await settled(page, view, parts.length === 0 ? "canvas:not(.axis)" : "#view canvas"));
    }
    return stacked(parts);
}

/** Takes pictures until one is the same as `expected`, for a busy machine may draw late. */
async function compared(page, expected) {
    const last = Date.now() + HANGS;
    for (;;) {
        const picture = await taken(page);
        const found = difference(picture, expected);
        if (found <= PART || Date.now() > last) return { picture, found };
    }
}

/** Compares the pictures of a page with those that are kept, or keeps them. Returns the problems.
 * Pictures that differ are written to a folder. */
export async function checkPictures(browser, file, { isKept, folder }) {
    const problems = [];
    const context = await browser.newContext({ viewport: SIZES.wide, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.addInitScript(() => {
        CanvasRenderingContext2D.prototype.fillText = () => undefined;
        CanvasRenderingContext2D.prototype.strokeText = () => undefined;
    });
    let different = 0;
    try {
        await page.goto(pathToFileURL(file).href);
        await page.waitForFunction(() => globalThis.kymo?.ready, null, { timeout: HANGS });
        for (const [size, colorScheme] of PAIRS) {
            await page.setViewportSize(SIZES[size]);
            await page.emulateMedia({ colorScheme });
            const name = `${basename(file, ".html")}-${size}-${colorScheme}.png`;
            const kept = join(KEPT, name);
            if (isKept) {
                mkdirSync(KEPT, { recursive: true });
                writeFileSync(kept, encode(await taken(page)));
                continue;
            }
            if (!existsSync(kept)) {
                problems.push(`there is no picture ${name}`);
                continue;
            }
            const { picture, found } = await compared(page, decode(readFileSync(kept)));
            different = Math.max(different, found);
            if (found > PART) {
                mkdirSync(folder, { recursive: true });
                writeFileSync(join(folder, name), encode(picture));
                problems.push(`${(found * 100).toFixed(2)} % of the cells differ from pictures/${name}: ${join(folder, name)}`);
            }
        }
    } catch (error) {
        problems.push(`stopped: ${error.message.split("\n")[0]}`);
    }
    await context.close();
    return { problems, different };
}
