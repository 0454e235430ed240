// Controls above the time line, and the facts about the selection that they show.
import { button, byId, element } from "./dom.js";
import { exact, formatTime, parseTime } from "./format.js";
import { rowsText } from "./timeline.js";
import { announce } from "./tooltip.js";

/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (byId(id));

/** Connects the fields of the page; keys.js connects the buttons. @param {App} app */
export function connectToolbar(app) {
    for (const id of /** @type {const} */ (["from", "to"])) input(id).addEventListener("change", () => readTime(app, id));
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

/** Takes a time that a person wrote. @param {App} app @param {"from" | "to"} id */
function readTime({ data, selection }, id) {
    const time = parseTime(input(id).value, data.trace.length);
    const range = { ...selection.state, [id]: time ?? NaN };
    if (range.from < range.to) selection.set({ from: range.from, to: range.to });
    else announce("A time is in seconds, or has a unit, such as 1.5 ms or 20 %, and a range ends after its start.");
    showRange(selection);
}

/** @param {TraceSelection} selection */
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
    byId("by-class").setAttribute("aria-pressed", String(colours.mode === "class"));
    byId("messages").setAttribute("aria-pressed", String(app.timeline.showsMessages));
    byId("messages").hidden = data.messages.count === 0;
    byId("waits").setAttribute("aria-pressed", String(app.timeline.showsWaits));
    byId("waits").hidden = data.waits.row.length === 0;
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
