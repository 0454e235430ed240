// The meaning of the colours. Each entry is a button that selects its region.
import { quietName } from "./format.js";
import { button, byId, element, nameButton, swatch } from "./dom.js";

const MOST_ENTRIES = 10;

/** Regions of a class that are named, so that their shades have a meaning. */
const SHADES_NAMED = 3;

/** @param {App} app @param {number} at */
function regionEntry({ data, selection, colours }, at) {
    const press = nameButton(data.regions[at].name, () => selection.toggle(at), { "aria-pressed": String(at === selection.state.region) });
    return element("li", {}, swatch(colours.css(at)), press);
}

/** Returns the classes, each followed by its regions of most time in their shades. @param {App} app */
function classEntries(app) {
    const { data, colours, selection } = app;
    return data.classes.flatMap((name, at) => {
        const regions = colours.order.filter((region) => data.regions[region].class === at);
        if (regions.length === 0) return [];
        const shown = regions.slice(0, SHADES_NAMED);
        const { region } = selection.state;
        if (regions.includes(region) && !shown.includes(region)) shown.push(region);
        const entries = shown.map((own) => regionEntry(app, own));
        if (regions.length > shown.length) entries.push(element("li", { class: "more" }, `${regions.length - shown.length} more`));
        const head = element("span", { class: "class" }, swatch(colours.cssOfClass(at)), name);
        return [element("li", { class: "of-class" }, head, element("ul", {}, ...entries))];
    });
}

/** @param {App} app */
function regionEntries(app) {
    const { region } = app.selection.state;
    const shown = app.colours.order.slice(0, MOST_ENTRIES);
    if (region >= 0 && !shown.includes(region)) shown.push(region);
    return shown.map((at) => regionEntry(app, at));
}

/** Explains the colours of cells without a region. @param {Pack} data */
function otherEntries(data) {
    if (data.rows.length === 0) return [];
    const square = (/** @type {string} */ name) => element("span", { class: `swatch ${name}`, "aria-hidden": "true" });
    const quiet = element("li", {}, square("quiet"), quietName(data));
    const isAbsent = data.rows.some(({ life }) => life && (life[0] > data.trace.length / 200 || life[1] < data.trace.length * 0.995));
    const absent = isAbsent ? [element("li", {}, square("absent"), "not running")] : [];
    const waiting = data.waits.row.length > 0 ? [element("li", {}, square("waiting"), "waits for another row")] : [];
    return [quiet, ...absent, ...waiting];
}

/** @param {App} app */
export function showLegend(app) {
    const { data, colours, selection } = app;
    const entries = colours.mode === "class" ? classEntries(app) : regionEntries(app);
    const hidden = colours.mode === "class" ? 0 : Math.max(data.regions.length - MOST_ENTRIES, 0);
    if (hidden > 0) entries.push(element("li", {}, button(`${hidden} more`, () => selection.set({ view: "regions" }), { class: "link" })));
    byId("legend").classList.toggle("by-class", colours.mode === "class");
    byId("legend").replaceChildren(...entries, ...otherEntries(data));
}
