// Colours of regions and classes. The first ten regions by time, and all classes, stay apart under
// protanopia, deuteranopia and tritanopia (test/colours.mjs measures it).
import { profile } from "./profile.js";

export const CLASS_COLOURS = ["#4660f3", "#d37732", "#facb39", "#a69ec7", "#894b73", "#4fc39c", "#2f591f", "#280048"];
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
        this.mode = "region";
        const sums = profile(data, 0, Infinity);
        const time = (/** @type {number} */ region) => sums.get(region)?.exclusive ?? 0;
        /** Regions, longest exclusive time first. */
        this.order = data.regions.map((_, region) => region).sort((a, b) => time(b) - time(a) || a - b);
        /** @type {Colour[]} */
        this.byRegion = [];
        this.order.forEach((region, place) => (this.byRegion[region] = regionColour(place)));
        this.byClass = CLASS_COLOURS.map(colourOf);
    }

    /** @param {number} region @returns {Colour} */
    of(region) {
        const ofClass = this.byClass[this.data.regions[region].class % this.byClass.length];
        return this.mode === "class" ? ofClass : this.byRegion[region];
    }

    /** @param {number} region */
    css(region) {
        return `rgb(${this.of(region).join(" ")})`;
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
