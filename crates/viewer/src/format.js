// Numbers for people: four digits and a unit. The exact form has every digit and the same unit.
const TIME_UNITS = /** @type {[string, number][]} */ ([["s", 1e9], ["ms", 1e6], ["µs", 1e3]]);
const BYTE_UNITS = /** @type {[string, number][]} */ ([["EB", 1e18], ["PB", 1e15], ["TB", 1e12], ["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]);
const INPUT_UNITS = /** @type {Record<string, number>} */ ({ s: 1e9, ms: 1e6, us: 1e3, "µs": 1e3, "μs": 1e3, ns: 1, "": 1e9 });

/** Returns about four significant digits. @param {number} value */
export function fourDigits(value) {
    const size = Math.abs(value);
    if (size >= 99999.5) return size < 1e15 ? separated(Math.round(value)) : value.toExponential(3);
    if (Number.isInteger(value)) return separated(value);
    if (size >= 999.95) return separated(Math.round(value));
    if (size > 0 && size < 0.001) return value.toExponential(2);
    return value.toFixed(size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3);
}

/** Separates the thousands of a number. @param {number} value */
export function separated(value) {
    const [whole, fraction] = String(value).split(".");
    if (whole.includes("e")) return String(value);
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** @param {number} value @param {[string, number][]} units @param {string} smallest */
function scaled(value, units, smallest) {
    const unit = units.find(([, size]) => Math.abs(value) >= size * 0.99995);
    return unit ? `${fourDigits(value / unit[1])} ${unit[0]}` : `${fourDigits(value)} ${smallest}`;
}

/** Returns a time in nanoseconds with the unit that fits. @param {number} nanoseconds */
export function formatTime(nanoseconds) {
    return scaled(nanoseconds, TIME_UNITS, "ns");
}

/** @type {Record<Kind, (value: number) => string>} */
const ROUNDED = {
    time: formatTime,
    bytes: (value) => scaled(value, BYTE_UNITS, "B"),
    count: (value) => separated(value),
    share: (value) => `${(value * 100).toFixed(2)} %`,
    rate: (value) => `${scaled(value, BYTE_UNITS, "B")}/s`,
    number: fourDigits,
    factor: (value) => `${fourDigits(value)} ×`,
};

/** Units of the exact form. @type {Record<Kind, string>} */
const EXACT = { time: " ns", bytes: " B", count: "", share: " %", rate: " B/s", number: "", factor: " ×" };

/** Returns the short form of a number. @param {number | null} value @param {Kind} kind */
export function rounded(value, kind) {
    return value === null || Number.isNaN(value) ? "–" : ROUNDED[kind](value);
}

/** Returns all digits of a number. @param {number | null} value @param {Kind} kind */
export function exact(value, kind) {
    return value === null || Number.isNaN(value) ? "no value" : `${separated(kind === "share" ? value * 100 : value)}${EXACT[kind]}`;
}

/** Reads a time that a person wrote: `1.5 ms`, `20 %`, `1,234 ns`; without a unit, it is in seconds. Returns null if it is none. @param {string} text @param {number} length of the trace, for per cent */
export function parseTime(text, length) {
    const parts = /^\s*([\d.,]+(?:e\d+)?)\s*([a-zµμ%]*)\s*$/iu.exec(text);
    if (!parts) return null;
    const value = Number(parts[1].replaceAll(",", ""));
    const unit = parts[2] === "%" ? length / 100 : INPUT_UNITS[parts[2].toLowerCase()];
    return Number.isFinite(value) && unit !== undefined ? value * unit : null;
}

/** Returns a word with its number: `1 call`, `2 calls`. @param {number} count @param {string} word @param {string} [words] */
export function plural(count, word, words = `${word}s`) {
    return `${separated(count)} ${count === 1 ? word : words}`;
}

/** Returns a name that can be seen, even if it is empty. @param {string} name */
export function visibleName(name) {
    return name.trim() === "" ? "(without name)" : name;
}

/** Returns the line of a box that names the source of a region, if it is known. @param {Pack} data @param {number} region @returns {Line[]} */
export function placeLine({ regions }, region) {
    const { file, line } = regions[region];
    if (file === "") return [];
    return [["file", line > 0 ? `${file}:${line}` : file]];
}

/**
 * Returns the name of a place of the time line in no call. Between two samples nobody knows which
 * places belong to the time that a sample stands for; only sums are known.
 * @param {Pack} data
 */
export function quietName({ outside }) {
    return outside ? "no sample" : "outside all calls";
}

/** Returns the name of the time in no call. @param {Pack} data */
export function outsideName({ outside, outsideName: name }) {
    return outside ? name : "outside all calls";
}
