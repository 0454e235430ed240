// Colours of regions and classes. The first ten regions by time, and the shades of different classes,
// stay apart under protanopia, deuteranopia and tritanopia (test/colours.mjs measures it).
import { profile } from "./profile.js";

/** The colours of classes, each in shades for its regions. */
export const CLASS_SHADES = [
    ["#4660f3", "#3649ba", "#5766bf", "#6079ff"],
    ["#d37732", "#b8855f", "#c36821", "#b67645"],
    ["#facb39", "#d3b96a", "#deb22b", "#f2e0a7"],
    ["#a69ec7", "#9793a7", "#b7b1cb", "#8a82a9"],
    ["#894b73", "#703b5e", "#6d5062", "#955980"],
    ["#4fc39c", "#7dceb3", "#5a8d7c", "#60ab92"],
    ["#2f591f", "#425d38", "#586b50", "#234916"],
    ["#280048", "#3b105e", "#1a002f", "#4b256a"],
];
export const CLASS_COLOURS = CLASS_SHADES.map(([first]) => first);
export const REGION_COLOURS = [
    "#2d76a3", "#fe8b85", "#92e62c", "#3d31c7", "#8b7122",
    "#40b1b5", "#d34570", "#dca2ff", "#822d22", "#a76ef8",
];
/** Steps of the share of a bucket, from pale to full. */
export const SHADES = 16;
const PALEST = 0.4;
const DIMMED = 0.12;

/** @param {string} hex @returns {Colour} */
export function colourOf(hex) {
    const part = (/** @type {number} */ at) => parseInt(hex.slice(at, at + 2), 16);
    return [part(1), part(3), part(5)];
}

/** @param {Colour} one @param {Colour} other @param {number} part of the other @returns {Colour} */
function mixed(one, other, part) {
    const mix = (/** @type {number} */ at) => Math.round(one[at] + (other[at] - one[at]) * part);
    return [mix(0), mix(1), mix(2)];
}

/** Returns a colour as the four bytes of a pixel. @param {Colour} colour */
export function pixelOf([red, green, blue]) {
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Returns a colour of the style sheet. @param {string} name */
export function themeColour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The colour of the region that is at a place of the order by time. @param {number} place @returns {Colour} */
function regionColour(place) {
    const colour = colourOf(REGION_COLOURS[place % REGION_COLOURS.length]);
    const round = Math.floor(place / REGION_COLOURS.length) % 3;
    if (round === 0) return colour;
    return mixed(colour, round === 1 ? [255, 255, 255] : [0, 0, 0], 0.4);
}

export class Colours {
    /** @param {Pack} data */
    constructor(data) {
        this.data = data;
        /** @type {"region" | "class"} */
        this.mode = "class";
        const sums = profile(data, 0, Infinity);
        const time = (/** @type {number} */ region) => sums.get(region)?.exclusive ?? 0;
        /** Regions, longest exclusive time first. */
        this.order = data.regions.map((_, region) => region).sort((a, b) => time(b) - time(a) || a - b);
        /** @type {Colour[]} */
        this.byRegion = [];
        this.order.forEach((region, place) => (this.byRegion[region] = regionColour(place)));
        this.byClass = CLASS_COLOURS.map(colourOf);
        /** Colours by class: regions of a class have shades, in the order of their times. @type {Colour[]} */
        this.shades = [];
        const used = CLASS_SHADES.map(() => 0);
        for (const region of this.order) {
            const at = data.regions[region].class % CLASS_SHADES.length;
            this.shades[region] = colourOf(CLASS_SHADES[at][used[at] % CLASS_SHADES[at].length]);
            used[at] += 1;
        }
    }

    /** @param {number} region @returns {Colour} */
    of(region) {
        return this.mode === "class" ? this.shades[region] : this.byRegion[region];
    }

    /** @param {number} region */
    css(region) {
        return `rgb(${this.of(region).join(" ")})`;
    }

    /** @param {number} at */
    cssOfClass(at) {
        return `rgb(${this.byClass[at % this.byClass.length].join(" ")})`;
    }

    /** Returns the pixels of all regions in all shades. A region that is selected makes others pale. @param {number} selected @param {Colour} background */
    pixels(selected, background) {
        const pixels = new Uint32Array(this.data.regions.length * SHADES);
        for (let region = 0; region < this.data.regions.length; region += 1) {
            const strongest = selected < 0 || selected === region ? 1 : DIMMED;
            for (let shade = 0; shade < SHADES; shade += 1) {
                const part = strongest * (PALEST + ((1 - PALEST) * (shade + 1)) / SHADES);
                pixels[region * SHADES + shade] = pixelOf(mixed(background, this.of(region), part));
            }
        }
        return pixels;
    }
}
