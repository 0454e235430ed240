// The view of calling contexts: flame graph, and the call tree as its text.
import { element } from "./dom.js";
import { childrenOf, Flame } from "./flame.js";
import { NO_CONTEXT } from "./pack.js";
import { scopeText, selectedSums } from "./regions.js";
import { Tree } from "./tree.js";

/** @param {App} app @returns {View} */
export function callsView(app) {
    const flame = new Flame(app);
    const tree = new Tree(app, (context) => flame.zoom(context));
    const scope = element("p", { class: "scope" });
    const hint = element("p", { class: "note" }, "Width is inclusive time. Click a frame to select its region, double click to zoom into it.");
    const root = element("div", {}, scope, flame.place, hint, tree.root);
    const update = () => {
        const sums = selectedSums(app);
        const children = childrenOf(app.data, sums);
        scope.textContent = scopeText(app);
        flame.show(sums, children);
        tree.show(sums, children);
    };
    const escape = () => flame.root !== NO_CONTEXT && (flame.zoom(NO_CONTEXT), true);
    return { name: "calls", title: "Calls", root, update, escape };
}
