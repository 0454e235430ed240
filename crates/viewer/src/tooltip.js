// The box next to the pointer, and the same text for the keyboard and for screen readers.
import { byId, element } from "./dom.js";

const DISTANCE = 14;

/** @param {Line} line */
function tipLine([name, value]) {
    const text = element("bdi", { dir: "auto" }, value);
    return element("div", {}, ...(name === "" ? [element("strong", {}, text)] : [`${name}: `, text]));
}

/** Shows lines at a place of the window. @param {Line[]} lines @param {number} x @param {number} y */
export function showTip(lines, x, y) {
    const tip = byId("tip");
    tip.replaceChildren(...lines.map(tipLine));
    tip.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = tip;
    const left = x + DISTANCE + width > innerWidth ? x - DISTANCE - width : x + DISTANCE;
    const top = y + DISTANCE + height > innerHeight ? y - DISTANCE - height : y + DISTANCE;
    tip.style.left = `${Math.max(left, 4)}px`;
    tip.style.top = `${Math.max(top, 4)}px`;
}

export function hideTip() {
    byId("tip").hidden = true;
}

/** Says a text to screen readers. @param {string} text */
export function announce(text) {
    byId("announcement").textContent = text;
}

/** Shows the lines of a function while the pointer is over an element. @param {HTMLElement} place @param {(x: number, y: number) => Line[] | null} linesAt */
export function tipOver(place, linesAt) {
    place.addEventListener("pointermove", (event) => {
        const box = place.getBoundingClientRect();
        const lines = event.buttons === 0 ? linesAt(event.clientX - box.left, event.clientY - box.top) : null;
        if (lines) showTip(lines, event.clientX, event.clientY);
        else hideTip();
    });
    for (const end of ["pointerleave", "pointercancel", "wheel"]) place.addEventListener(end, hideTip, { passive: true });
    place.addEventListener("pointerup", (event) => event.pointerType === "touch" && hideTip());
}

/** Hides the box when its subject moves, changes, or is no longer looked at. */
export function hideTipInTime() {
    addEventListener("scroll", hideTip, { capture: true, passive: true });
    for (const end of ["blur", "resize", "hashchange"]) addEventListener(end, hideTip);
    document.addEventListener("visibilitychange", hideTip);
    document.documentElement.addEventListener("pointerleave", hideTip);
    addEventListener("keydown", hideTip, { capture: true });
}
