// Makes the page: reads the data, connects the views to the selection, and offers numbers to judges.
import { balanceView } from "./balance.js";
import { callsView } from "./calls.js";
import { Colours } from "./colours.js";
import { button, byId, element, listenToFigures } from "./dom.js";
import { efficiencyView } from "./efficiency.js";
import { factsView } from "./facts.js";
import { filesView } from "./files.js";
import { formatTime, plural, visibleName } from "./format.js";
import { Keys } from "./keys.js";
import { showLegend } from "./legend.js";
import { messagesView } from "./matrix.js";
import { Density } from "./messages.js";
import { metricsView } from "./metrics.js";
import { Overview } from "./overview.js";
import { unpack } from "./pack.js";
import { outsideTime, profile } from "./profile.js";
import { regionsView } from "./regions.js";
import { TraceSelection } from "./selection.js";
import { Timeline } from "./timeline.js";
import { connectToolbar, showToolbar } from "./toolbar.js";
import { hideTipInTime } from "./tooltip.js";
import { hasPath, PathStrip } from "./waits.js";

/** Views follow the selection after this time without a change, in ms. */
const SETTLED = 90;
const MAKERS = /** @type {Record<string, (app: App) => View>} */ ({
    regions: regionsView, calls: callsView, messages: messagesView, metrics: metricsView,
    files: filesView, balance: balanceView, efficiency: efficiencyView, facts: factsView,
});

export class App {
    /** @param {Pack} data */
    constructor(data) {
        this.data = data;
        this.search = "";
        this.colours = new Colours(data);
        this.selection = new TraceSelection(data, Object.keys(MAKERS));
        this.timeline = new Timeline(data, this.selection, this.colours);
        this.overview = new Overview(data, this.selection, this.colours);
        this.strips = data.messages.count > 0 ? [new Density(data, this.selection, byId("messages-lane"))] : [];
        this.path = hasPath(data) ? new PathStrip(this, byId("path-lane")) : null;
        /** @type {Map<string, View>} */
        this.views = new Map(Object.entries(MAKERS).map(([name, make]) => [name, make(this)]));
        this.isDue = false;
        this.timer = 0;
        this.selection.listen(() => this.changed());
    }

    /** Returns the view that is shown. @returns {View} */
    view() {
        return /** @type {View} */ (this.views.get(this.selection.state.view));
    }

    /** Draws with the next frame, and the views below when the selection has settled. */
    changed() {
        if (!this.isDue) requestAnimationFrame(() => this.draw());
        this.isDue = true;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.settle(), SETTLED);
    }

    draw() {
        this.isDue = false;
        this.timeline.draw();
        this.overview.move();
        for (const strip of this.strips) strip.draw(this.timeline.hasLines);
        this.path?.draw();
        showToolbar(this);
    }

    settle() {
        this.timer = 0;
        history.replaceState(null, "", `#${this.selection.fragment()}`);
        this.showView();
        showLegend(this);
    }

    showView() {
        const view = this.view();
        const panel = byId("view");
        if (panel.firstChild !== view.root) panel.replaceChildren(view.root);
        panel.setAttribute("aria-label", view.title);
        for (const tab of byId("views").querySelectorAll("button")) {
            if (tab.dataset.view === view.name) tab.setAttribute("aria-current", "page");
            else tab.removeAttribute("aria-current");
        }
        view.update();
    }

    /** Draws everything, since colours or sizes changed. */
    redraw() {
        this.timeline.setHeight();
        this.overview.draw();
        this.draw();
        this.showView();
        showLegend(this);
    }

    /** Colours by class or by region. */
    toggleMode() {
        this.colours.mode = this.colours.mode === "region" ? "class" : "region";
        this.redraw();
    }

    toggleMessages() {
        this.timeline.showsMessages = !this.timeline.showsMessages;
        this.draw();
    }

    toggleWaits() {
        this.timeline.showsWaits = !this.timeline.showsWaits;
        this.draw();
    }

    /** @param {string} words */
    setSearch(words) {
        this.search = words;
        const search = /** @type {HTMLInputElement} */ (byId("search"));
        if (search.value !== words) search.value = words;
        this.view().update();
    }
}

/** @param {App} app */
function makeTabs(app) {
    const tabs = [...app.views.values()].map((view, at) =>
        button(view.title, () => app.selection.set({ view: view.name }), { "data-view": view.name, title: `Key ${at + 1}` }));
    byId("views").replaceChildren(...tabs);
}

/** @param {Pack} data */
function showTitle(data) {
    const { trace } = data;
    const name = visibleName(trace.command ?? trace.name);
    document.title = [name, ...(trace.date ? [trace.date] : []), "kymo"].join(" · ");
    byId("name").replaceChildren(element("bdi", { dir: "auto", title: trace.name }, name));
    const sizes = [plural(trace.nodes, "node"), plural(trace.processes, "process", "processes"), plural(trace.locations, "location"), plural(trace.events, "event"), formatTime(trace.length)];
    byId("facts").textContent = [...(trace.date ? [trace.date] : []), ...sizes].join(" · ");
    const empty = trace.events === 0 ? ["The trace has no events."] : [];
    byId("merged").textContent = [...empty, ...data.notes].join(" ");
}

/** @param {App} app */
function listenToWindow(app) {
    let timer = 0;
    addEventListener("resize", () => {
        clearTimeout(timer);
        timer = setTimeout(() => app.redraw(), 60);
    });
    addEventListener("hashchange", (event) => app.selection.read(new URL(event.newURL).hash));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app.redraw());
    addEventListener("beforeprint", () => printing(app, true));
    addEventListener("afterprint", () => printing(app, false));
}

/** Prints on white. @param {App} app @param {boolean} isPrinting */
function printing(app, isPrinting) {
    document.documentElement.classList.toggle("print", isPrinting);
    app.redraw();
}

/** @param {Pack} data */
function show(data) {
    showTitle(data);
    const app = new App(data);
    makeTabs(app);
    connectToolbar(app);
    listenToFigures();
    hideTipInTime();
    listenToWindow(app);
    new Keys(app);
    byId("wait").hidden = true;
    byId("page").hidden = false;
    app.selection.read(location.hash);
    app.redraw();
    offer(data, app);
}

/** Offers the functions that tests call. @param {Pack} data @param {App} app */
function offer(data, app) {
    const own = (/** @type {number} */ from, /** @type {number} */ to, /** @type {Iterable<number> | undefined} */ groups) => profile(data, from, to, groups);
    const outside = (/** @type {number} */ from, /** @type {number} */ to, /** @type {Iterable<number> | undefined} */ groups) => outsideTime(data, from, to, groups);
    const offered = {
        ready: true, data, profile: own, outside, draw: () => app.draw(),
        get selection() { return { ...app.selection.state }; }, get level() { return app.timeline.level(); },
        get isSettled() { return app.timer === 0 && !app.isDue && !app.timeline.isDue; },
    };
    Object.defineProperty(globalThis, "kymo", { value: offered });
}

/** @param {unknown} problem */
function fail(problem) {
    byId("wait").setAttribute("role", "alert");
    byId("wait").textContent = `The data of this page cannot be read: ${problem instanceof Error ? problem.message : problem}`;
}

unpack(byId("kymo-data").textContent ?? "").then(show).catch(fail);
