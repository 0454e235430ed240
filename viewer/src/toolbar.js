// Controls above the time line, and what they show of the selection.

import { button, byId, element } from "./dom.js";
import { exact, formatTime, parseTime } from "./format.js";
import { rowsText } from "./timeline.js";
import { announce } from "./tooltip.js";

/** @typedef {import("./main.js").App} App */

/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (byId(id));

/** Connects the controls of the page. @param {App} app */
export function connectToolbar(app) {
    const { selection } = app;
    const press = (/** @type {string} */ id, /** @type {() => void} */ action) => byId(id).addEventListener("click", action);
    press("zoom-in", () => selection.zoom(0.5));
    press("zoom-out", () => selection.zoom(2));
    press("fit", () => selection.fit());
    press("undo", () => selection.undo());
    press("show-help", () => /** @type {HTMLDialogElement} */ (byId("help")).showModal());
    press("messages", () => app.toggleMessages());
    press("by-region", () => app.setMode("region"));
    press("by-class", () => app.setMode("class"));
    for (const id of ["from", "to"]) input(id).addEventListener("change", () => readRange(app));
    connectSearch(app);
}

/** @param {App} app */
function connectSearch(app) {
    const search = input("search");
    search.addEventListener("input", () => app.setSearch(search.value));
    search.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        const words = search.value.toLocaleLowerCase();
        const found = app.colours.order.find((region) => app.data.regions[region].name.toLocaleLowerCase().includes(words));
        if (found === undefined || words === "") announce("No region matches.");
        else app.selection.set({ region: found });
    });
}

/** Takes the range that a person wrote. @param {App} app */
function readRange({ data, selection }) {
    const from = parseTime(input("from").value, data.trace.length);
    const to = parseTime(input("to").value, data.trace.length);
    if (from === null || to === null || from > to) announce("A range is two times with units, such as 1.5 ms and 2 s.");
    else selection.set({ from, to });
    showRange(selection);
}

/** @param {import("./selection.js").Selection} selection */
function showRange({ state }) {
    for (const [id, time] of /** @type {[string, number][]} */ ([["from", state.from], ["to", state.to]])) {
        input(id).value = time - Math.round(time) === 0 && time < 1000 ? exact(time, "time") : formatTime(time);
        input(id).title = exact(time, "time");
    }
}

/** Shows the selection. @param {App} app */
export function showToolbar(app) {
    const { selection, data, colours } = app;
    const { from, to, region } = selection.state;
    if (document.activeElement !== input("from") && document.activeElement !== input("to")) showRange(selection);
    byId("span").textContent = `${formatTime(to - from)} · ${rowsText(data, selection)}`;
    byId("undo").toggleAttribute("disabled", selection.steps.length === 0);
    byId("by-region").setAttribute("aria-pressed", String(colours.mode === "region"));
    byId("by-class").setAttribute("aria-pressed", String(colours.mode === "class"));
    byId("messages").setAttribute("aria-pressed", String(app.timeline.showsMessages));
    byId("messages").hidden = data.messages.count === 0;
    showRegion(app, region);
}

/** @param {App} app @param {number} region */
function showRegion({ data, selection }, region) {
    const place = byId("region");
    place.hidden = region < 0;
    if (region < 0) return;
    const name = element("bdi", { dir: "auto" }, data.regions[region].name);
    place.replaceChildren("Region: ", name, " ", button("×", () => selection.toggle(region), { "aria-label": "Select no region" }));
}
