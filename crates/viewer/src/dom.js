// Small helpers for elements. All data enter the page as text, never as markup.
import { exact, rounded, visibleName } from "./format.js";

const display = { isExact: false };

/** Makes an element. @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag @param {Record<string, string>} [attributes] @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]} */
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
}

/** Returns the element of the page with an id. @param {string} id */
export function byId(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no element #${id}`);
    return found;
}

/** Makes a button. @param {string} text @param {() => void} press @param {Record<string, string>} [attributes] */
export function button(text, press, attributes = {}) {
    const made = element("button", { type: "button", ...attributes }, text);
    made.addEventListener("click", press);
    return made;
}

/** Returns a name from the trace, isolated from the direction of the text around it. @param {string} name */
export function nameOf(name) {
    return element("bdi", { dir: "auto", title: name }, visibleName(name));
}

/** Makes a button that is named by the trace. @param {string} name @param {() => void} press @param {Record<string, string>} [attributes] */
export function nameButton(name, press, attributes = {}) {
    const made = button("", press, { class: "name", ...attributes });
    made.append(nameOf(name));
    return made;
}

/** Returns a number with its unit; a click shows all digits. @param {number | null | undefined} value @param {Kind} kind */
export function figure(value, kind) {
    const number = value ?? null;
    const made = element("data", { class: "figure", value: String(number ?? ""), title: exact(number, kind) });
    made.dataset.short = rounded(number, kind);
    made.textContent = display.isExact ? made.title : made.dataset.short;
    return made;
}

/** @param {HTMLElement} made @param {boolean} isExact */
function showDigits(made, isExact) {
    made.textContent = isExact ? made.title : made.dataset.short ?? "";
}

/** Shows all digits of every number, or of none. */
export function toggleExact() {
    display.isExact = !display.isExact;
    for (const made of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("data.figure"))) showDigits(made, display.isExact);
}

/** Shows all digits of a number that is clicked. */
export function listenToFigures() {
    document.addEventListener("click", ({ target }) => {
        const made = target instanceof Element ? target.closest("data.figure") : null;
        if (made instanceof HTMLElement) showDigits(made, made.textContent === made.dataset.short);
    });
}

/** Returns a bar with the length of a part of 1. @param {number} part @param {string} [colour] */
export function bar(part, colour) {
    const made = element("span", { class: "bar", "aria-hidden": "true" });
    made.style.inlineSize = `${Math.min(Math.max(part, 0), 1) * 100}%`;
    if (colour) made.style.backgroundColor = colour;
    return made;
}

/** Returns a square of a colour. @param {string} colour */
export function swatch(colour) {
    const made = element("span", { class: "swatch", "aria-hidden": "true" });
    made.style.backgroundColor = colour;
    return made;
}

/** Gives a canvas the pixels of its place on the screen. @param {HTMLCanvasElement} canvas */
export function fitted(canvas) {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.max(Math.round(canvas.clientWidth * ratio), 1);
    const height = Math.max(Math.round(canvas.clientHeight * ratio), 1);
    if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
    }
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    return { context, width, height, ratio };
}

/** Makes a canvas with a description. @param {string} label @param {Record<string, string>} [attributes] */
export function picture(label, attributes = {}) {
    return element("canvas", { role: "img", "aria-label": label, ...attributes });
}
