// The meaning of the colours. Each entry is a button that selects its region.
import { button, byId, element, nameButton, swatch } from "./dom.js";

const MOST_ENTRIES = 10;

/** @param {App} app */
function classEntries({ data, colours }) {
    const used = new Set(data.regions.map((region) => region.class));
    const shown = data.classes.map((name, at) => ({ name, at })).filter(({ at }) => used.has(at));
    return shown.map(({ name, at }) => element("li", {}, swatch(`rgb(${colours.byClass[at % colours.byClass.length].join(" ")})`), name));
}

/** @param {App} app */
function regionEntries({ data, selection, colours }) {
    const { region } = selection.state;
    const shown = colours.order.slice(0, MOST_ENTRIES);
    if (region >= 0 && !shown.includes(region)) shown.push(region);
    return shown.map((at) => {
        const press = nameButton(data.regions[at].name, () => selection.toggle(at), { "aria-pressed": String(at === region) });
        return element("li", {}, swatch(colours.css(at)), press);
    });
}

/** @param {App} app */
export function showLegend(app) {
    const { data, colours, selection } = app;
    const entries = colours.mode === "class" ? classEntries(app) : regionEntries(app);
    const hidden = colours.mode === "class" ? 0 : Math.max(data.regions.length - MOST_ENTRIES, 0);
    if (hidden > 0) entries.push(element("li", {}, button(`${hidden} more`, () => selection.set({ view: "regions" }), { class: "link" })));
    byId("legend").replaceChildren(...entries);
}
