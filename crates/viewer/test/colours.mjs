// Measures how well colours are told apart: CIEDE2000 between each pair, as people see them who
// have all three kinds of cones or miss one (Machado, Oliveira and Fernandes 2009, severity 1).

import { CLASS_COLOURS, CLASS_SHADES, REGION_COLOURS, colourOf } from "../src/colours.js";

const SIGHTS = {
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const PAPERS = ["#ffffff", "#15181d", "#e9ebef", "#262b33"];
const DEGREE = Math.PI / 180;

const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const clamped = (value) => Math.min(Math.max(value, 0), 1);

/** Returns CIE L*a*b* of a colour as somebody sees it. */
function lab(hex, sight) {
    const rgb = colourOf(hex).map((value) => linear(value / 255));
    const [r, g, b] = sight.map((row) => clamped(row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]));
    const f = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
    const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
    const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
    const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const hue = (a, b) => (Math.atan2(b, a) / DEGREE + 360) % 360;

/** Returns mean and difference of hues in degrees. */
function hues(h1, h2, isGrey) {
    if (isGrey) return [h1 + h2, 0];
    const difference = ((h2 - h1 + 540) % 360) - 180;
    return [(h1 + difference / 2 + 360) % 360, difference];
}

/** Returns the difference CIEDE2000 of two colours. */
export function difference2000([l1, a1, b1], [l2, a2, b2]) {
    const chroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
    const g = 0.5 * (1 - Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)));
    const [c1, c2] = [Math.hypot(a1 * (1 + g), b1), Math.hypot(a2 * (1 + g), b2)];
    const [h, dh] = hues(hue(a1 * (1 + g), b1), hue(a2 * (1 + g), b2), c1 * c2 === 0);
    const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
    const t = 1 - 0.17 * Math.cos((h - 30) * DEGREE) + 0.24 * Math.cos(2 * h * DEGREE) + 0.32 * Math.cos((3 * h + 6) * DEGREE) - 0.2 * Math.cos((4 * h - 63) * DEGREE);
    const turn = -Math.sin(60 * Math.exp(-(((h - 275) / 25) ** 2)) * DEGREE) * 2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
    const dl = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
    const dc = (c2 - c1) / (1 + 0.045 * c);
    const dH = (2 * Math.sqrt(c1 * c2) * Math.sin((dh / 2) * DEGREE)) / (1 + 0.015 * c * t);
    return Math.sqrt(dl ** 2 + dc ** 2 + dH ** 2 + turn * dc * dH);
}

function smallest(name, colours, others, least) {
    let found = { what: name, difference: Infinity, least };
    for (const [who, sight] of Object.entries(SIGHTS)) {
        colours.forEach((colour, at) => {
            for (const other of others ?? colours.slice(at + 1)) {
                const difference = Number(difference2000(lab(colour, sight), lab(other, sight)).toFixed(2));
                if (difference < found.difference) found = { ...found, difference, who, colour, other };
            }
        });
    }
    return found;
}

/** Returns the pairs that are most alike, and the required distance. */
export function smallestDifferences() {
    return [
        smallest("classes", CLASS_COLOURS, null, 15),
        smallest("regions", REGION_COLOURS, null, 12),
        ...CLASS_SHADES.flatMap((shades, at) => [
            smallest(`shades of class ${at}`, shades, null, 4),
            smallest(`shades of class ${at} and other classes`, shades, CLASS_SHADES.filter((other) => other !== shades).flat(), 10),
            smallest(`shades of class ${at} and papers`, shades, PAPERS, 10),
        ]),
        smallest("classes and papers", CLASS_COLOURS, PAPERS, 12),
        smallest("regions and papers", REGION_COLOURS, PAPERS, 12),
    ];
}
