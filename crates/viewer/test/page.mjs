// Opens a report and operates its controls as a person does: keys, wheel, pointer, fingers, fields.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const SIZE = { width: 1280, height: 800 };
const VIEWS = ["regions", "calls", "messages", "metrics", "files", "balance", "efficiency", "facts"];
/** Only a page that hangs takes this time. */
const HANGS = 120_000;

/** The texts of boxes where there is no call. */
const NOTHING = ["outside all calls", "no sample", "not yet running", "no longer running"];

/** A report in a browser, and its faults. */
class Report {
    constructor(page, file) {
        this.page = page;
        this.file = file;
        this.problems = [];
        this.requests = [];
        page.on("pageerror", (error) => this.problems.push(`error: ${error.message}`));
        page.on("console", (message) => ["error", "warning"].includes(message.type()) && this.problems.push(`console: ${message.text()}`));
        page.on("dialog", (dialog) => { this.problems.push("a dialog opened"); dialog.dismiss(); });
        page.on("request", (request) => this.requests.push(request.url()));
    }

    async open(fragment = "") {
        await this.page.goto("about:blank");
        await this.page.goto(pathToFileURL(this.file).href + fragment);
        await this.page.waitForFunction(() => globalThis.kymo?.ready, null, { timeout: HANGS });
    }

    expect(isTrue, what) {
        if (!isTrue) this.problems.push(what);
    }

    state() {
        return this.page.evaluate(() => globalThis.kymo.selection);
    }

    /** Waits until the views show the selection. */
    async settle() {
        await this.page.waitForFunction(() => globalThis.kymo.isSettled, null, { timeout: HANGS });
    }

    /** Waits until less time is selected, as after an event that the page has yet to receive. */
    async zoomIn(from) {
        await this.page.waitForFunction((from) => globalThis.kymo.selection.to - globalThis.kymo.selection.from < from, from, { timeout: HANGS });
    }

    /** Shows the time line, from which a click below may have scrolled. */
    async scrollUp() {
        await this.page.evaluate(() => scrollTo(0, 0));
    }

    async press(...keys) {
        for (const key of keys) await this.page.keyboard.press(key);
    }

    /** Returns how a key changes the selection. */
    async change(...keys) {
        const before = await this.state();
        await this.press(...keys);
        return [before, await this.state()];
    }
}

const near = (one, other, within = 1e-6) => Math.abs(one - other) <= within * Math.max(Math.abs(one), Math.abs(other), 1);
const span = ({ from, to }) => to - from;

/** Adds up the rows of each name. */
function byName(rows) {
    const sums = new Map();
    for (const { region, visits, exclusive_ns, inclusive_ns } of rows) {
        const sum = sums.get(region) ?? [0, 0, 0];
        sums.set(region, [sum[0] + visits, sum[1] + exclusive_ns, sum[2] + inclusive_ns]);
    }
    for (const [name, sum] of sums) if (sum.every((it) => it === 0)) sums.delete(name);
    return sums;
}

/** Returns the name of a region; where several have the same, `kymo stats` adds their place. */
function nameAmong(names, { name, file, line }) {
    const place = `${file.split("/").at(-1)}:${line}`;
    return [`${name} (${place})`, `${name} (${file}:${line})`].find((it) => names.has(it)) ?? name;
}

async function checkSums(report, expected) {
    for (const { from, to, groups, regions } of expected) {
        const found = await report.page.evaluate(({ from, to, groups }) => {
            const sums = [...globalThis.kymo.profile(from, to, groups)];
            return sums.map(([at, it]) => ({ ...globalThis.kymo.data.regions[at], visits: it.visits, exclusive_ns: it.exclusive, inclusive_ns: it.inclusive }));
        }, { from, to, groups });
        const names = new Set(regions.map(({ region }) => region));
        const named = found.map((row) => ({ ...row, region: nameAmong(names, row) }));
        const [shown, right] = [byName(named), byName(regions)];
        for (const name of new Set([...shown.keys(), ...right.keys()])) {
            const [one, other] = [shown.get(name), right.get(name)];
            report.expect(String(one) === String(other), `sums of ${name} from ${from} to ${to}: page ${one}, expected ${other}`);
        }
    }
}

async function checkTables(report) {
    const found = await report.page.evaluate(() => ({
        rows: document.querySelectorAll("#view tbody tr").length,
        regions: globalThis.kymo.profile(0, Infinity).size,
        outside: globalThis.kymo.data.outside?.some((time) => time > 0) ? 1 : 0,
        samples: (globalThis.kymo.data.stats?.regions ?? []).filter((it) => it.samples > 0).length,
        units: [...document.querySelectorAll("#view td.number data")].every((it) => it.title !== "" && it.textContent !== ""),
    }));
    report.expect(found.rows === Math.min(found.regions + found.outside, 100) + Math.min(found.samples, 100), `${found.rows} rows for ${found.regions} regions and ${found.samples} samples`);
    report.expect(found.units, "a number has no exact form");
    return found;
}

/** Sorts by each column, and compares the order with the numbers. */
async function checkSorting(report) {
    const { page } = report;
    const table = page.locator("#view .table:not(.nothing)").first();
    for (let at = 0; at < (await table.locator("th").count()); at += 1) {
        const header = table.locator("th").nth(at);
        await header.locator("button").click();
        const found = await page.evaluate((at) => {
            const table = document.querySelector("#view .table:not(.nothing) table");
            const header = table.querySelectorAll("th")[at];
            const values = [...table.querySelectorAll(`tbody tr td:nth-child(${at + 1})`)].map((it) => it.querySelector("data")?.value ?? it.textContent);
            return { order: header.getAttribute("aria-sort"), isNumber: header.className === "number", values };
        }, at);
        const values = found.isNumber ? found.values.map((it) => (it === "" || it === "NaN" ? -Infinity : Number(it))) : found.values;
        const isSorted = values.every((value, place) => place === 0 || !found.isNumber || (found.order === "descending" ? values[place - 1] >= value : values[place - 1] <= value));
        report.expect(found.order !== "none" && isSorted, `column ${at} is not sorted: ${found.order} ${values}`);
    }
}

async function checkKeys(report) {
    const canZoom = await report.page.evaluate(() => globalThis.kymo.data.trace.length > 0 && globalThis.kymo.data.levels[0]?.buckets > 16);
    if (!canZoom) return;
    for (const [inwards, outwards] of [["w", "s"], ["+", "-"]]) {
        const [before, after] = await report.change(inwards);
        report.expect(span(after) < span(before), `${inwards} does not zoom in`);
        const [, back] = await report.change(outwards);
        report.expect(near(span(back), span(before)), `${outwards} does not zoom out`);
    }
    await report.press("w", "w", "w");
    for (const [key, sign] of [["a", -1], ["d", 1], ["ArrowLeft", -1], ["ArrowRight", 1]]) {
        const [before, after] = await report.change(key);
        report.expect(Math.sign(after.from - before.from) === sign && near(span(after), span(before)), `${key} does not move`);
    }
    const [, fitted] = await report.change("f");
    report.expect(fitted.from === 0, "f does not fit");
    // Changes that follow each other faster than half a second are one step.
    await report.page.waitForTimeout(600);
    const [, undone] = await report.change("u");
    report.expect(span(undone) < span(fitted), "u does not undo");
    await report.press("f");
}

async function checkRows(report) {
    const count = await report.page.evaluate(() => globalThis.kymo.data.rows.length);
    if (count < 4) return;
    const [before, fewer] = await report.change("Shift+W");
    report.expect(fewer.last - fewer.first < before.last - before.first, "Shift+W does not zoom rows");
    const [, down] = await report.change("ArrowDown");
    report.expect(down.first > fewer.first, "ArrowDown does not move rows");
    const [, up] = await report.change("ArrowUp");
    report.expect(up.first === fewer.first, "ArrowUp does not move rows");
    await report.settle();
    const [shown, sums] = await report.page.evaluate(() => {
        const { from, to, first, last } = globalThis.kymo.selection;
        const groups = new Set(globalThis.kymo.data.rows.slice(first, last + 1).map((row) => row.group));
        const titles = [...document.querySelectorAll("#view .table:first-of-type tbody tr td:nth-child(3) data")].map((it) => Number(it.value));
        const exclusive = [...globalThis.kymo.profile(from, to, groups).values()].map((it) => it.exclusive);
        const outside = globalThis.kymo.outside(from, to, groups);
        if (outside > 0) exclusive.push(outside);
        return [titles, exclusive].map((list) => list.sort((a, b) => a - b));
    });
    report.expect(String(shown) === String(sums), `the table shows ${shown} for rows with ${sums}`);
    await report.press("Shift+S", "f");
}

async function checkCross(report) {
    const { page } = report;
    if (await page.evaluate(() => globalThis.kymo.data.levels.length === 0)) return;
    await report.press("c", "Shift+ArrowRight", "Shift+ArrowLeft");
    report.expect(await page.locator("#tip").isVisible(), "the cross shows no box");
    report.expect((await page.locator("#announcement").textContent()).includes("at "), "the cross is not announced");
    const region = await page.evaluate(() => document.querySelector("#tip strong").textContent);
    await report.press("Enter");
    const { region: selected } = await report.state();
    report.expect((selected >= 0) === !NOTHING.includes(region), `Enter does not select ${region}`);
    await report.press("Escape", "Escape");
    report.expect((await report.state()).region === -1, "Escape does not leave the region");
    report.expect(!(await page.locator("#tip").isVisible()), "Escape does not leave the cross");
}

async function checkSearch(report) {
    const { page } = report;
    await report.press("/");
    report.expect(await page.evaluate(() => document.activeElement?.id === "search"), "/ does not search");
    await page.keyboard.type("no region has this name");
    report.expect((await page.locator("#view tbody tr").count()) === 0, "a search that matches nothing shows rows");
    await page.locator("#search").fill("");
    const name = await page.evaluate(() => globalThis.kymo.data.regions.find((it) => it.name !== "")?.name ?? "");
    await page.keyboard.type(name.slice(0, 12));
    await report.press("Enter");
    const found = await page.evaluate((name) => globalThis.kymo.data.regions[globalThis.kymo.selection.region]?.name.toLowerCase().includes(name.slice(0, 12).toLowerCase()), name);
    report.expect(found || name === "", `Enter does not select ${name}`);
    await report.press("Escape", "Escape", "Escape");
    report.expect((await page.locator("#search").inputValue()) === "", "Escape does not end the search");
    await report.press("Escape");
    report.expect((await report.state()).region === -1, "Escape does not end the selection of a region");
}

async function checkViews(report, axe) {
    for (const [at, view] of VIEWS.entries()) {
        await report.press(String(at + 1));
        await report.settle();
        const found = await report.page.evaluate(() => ({ view: globalThis.kymo.selection.view, text: document.getElementById("view").innerText.length, hash: location.hash }));
        report.expect(found.view === view && found.text > 10, `key ${at + 1} shows ${found.view} with ${found.text} letters`);
        report.expect(found.hash.includes(`v=${view}`), `the address does not name ${view}`);
        await checkAccess(report, axe, view);
    }
    await report.press("1");
}

/** Reports the serious findings of axe, and canvases without description. */
async function checkAccess(report, axe, where) {
    await report.page.evaluate(axe);
    const found = await report.page.evaluate(async () => {
        const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
        const nameless = [...document.querySelectorAll("canvas")].filter((it) => it.getAttribute("role") !== "img" || (it.getAttribute("aria-label") ?? "") === "").length;
        return { violations: violations.map(({ id, impact, nodes }) => ({ id, impact, where: nodes[0].html.slice(0, 160), why: nodes[0].failureSummary?.slice(0, 200) })), nameless };
    });
    report.expect(found.nameless === 0, `${found.nameless} canvases without description in ${where}`);
    for (const { id, impact, where: node, why } of found.violations) {
        if (["serious", "critical"].includes(impact)) report.problems.push(`axe in ${where}: ${id} (${impact}) ${node} ${why}`);
        else report.minor = [...(report.minor ?? []), `${where}: ${id}`];
    }
}

async function checkButtons(report) {
    const { page } = report;
    for (const id of ["by-class", "messages"]) {
        const made = page.locator(`#${id}`);
        if (!(await made.isVisible())) continue;
        const before = await made.getAttribute("aria-pressed");
        await made.click();
        report.expect((await made.getAttribute("aria-pressed")) !== before, `#${id} does nothing`);
        await made.click();
    }
    await report.press("?");
    report.expect(await page.locator("#help").isVisible(), "? shows no help");
    await report.press("Escape");
    report.expect(!(await page.locator("#help").isVisible()), "Escape does not close the help");
    const number = page.locator("#view data.figure").first();
    if ((await number.count()) === 0) return;
    const [short, long] = [await number.textContent(), await number.getAttribute("title")];
    await number.click();
    report.expect((await number.textContent()) === long, "a click does not show all digits");
    await number.click();
    report.expect((await number.textContent()) === short, "a click does not hide digits");
    await report.press("x");
    report.expect((await number.textContent()) === long, "x does not show all digits");
    await report.press("x");
}

async function checkPointer(report) {
    const { page } = report;
    await report.scrollUp();
    const box = await page.locator("#timeline").boundingBox();
    const length = await page.evaluate(() => globalThis.kymo.data.trace.length);
    if (length < 1000) return;
    const at = (part, down = 0.3) => [box.x + box.width * part, box.y + box.height * down];
    await page.mouse.move(...at(0.25));
    await page.mouse.wheel(0, -200);
    await report.zoomIn(length);
    const zoomed = await report.state();
    report.expect(span(zoomed) < length && near(zoomed.from + span(zoomed) * 0.25, length * 0.25, 2e-3), `the wheel does not zoom at the pointer: ${JSON.stringify(zoomed)}`);
    await page.mouse.dblclick(...at(0.5));
    report.expect(span(await report.state()) === length, "a double click does not fit");
    await page.mouse.move(...at(0.2));
    await page.mouse.down();
    await page.mouse.move(...at(0.4), { steps: 3 });
    await page.mouse.up();
    const dragged = await report.state();
    report.expect(near(dragged.from, length * 0.2, 5e-3) && near(dragged.to, length * 0.4, 5e-3), `a drag selects ${dragged.from} to ${dragged.to}`);
    await page.mouse.move(...at(0.5));
    report.expect(/at: .* (ns|µs|ms|s)/.test(await page.locator("#tip").textContent()), "no time under the pointer");
    await page.mouse.move(box.x + 2, box.y - 200);
    report.expect(!(await page.locator("#tip").isVisible()), "the box remains when the pointer has left");
    await checkBrush(report, length);
    await report.press("f");
}

async function checkBrush(report, length) {
    const { page } = report;
    const brush = await page.locator("#brush").boundingBox();
    const at = (part) => [brush.x + brush.width * part, brush.y + 10];
    await page.mouse.move(...at(0.3));
    await page.mouse.down();
    await page.mouse.move(...at(0.5), { steps: 3 });
    await page.mouse.up();
    const moved = await report.state();
    report.expect(near(moved.from, length * 0.4, 1e-2) && near(moved.to, length * 0.6, 1e-2), `the brush moves to ${moved.from}, ${moved.to}`);
    await page.mouse.move(...at(0.7));
    await page.mouse.down();
    await page.mouse.move(...at(0.9), { steps: 3 });
    await page.mouse.up();
    const made = await report.state();
    report.expect(near(made.from, length * 0.7, 1e-2) && near(made.to, length * 0.9, 1e-2), `the brush selects ${made.from}, ${made.to}`);
}

/** The strip of the whole trace is never blank, whatever the locations do. */
async function checkStrip(report) {
    const drawn = await report.page.evaluate(() => {
        const canvas = document.querySelector("canvas.overview");
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let columns = 0;
        for (let x = 0; x < canvas.width; x += 1) {
            for (let y = 0; y < canvas.height; y += 1) {
                if (data[(y * canvas.width + x) * 4 + 3] > 0) { columns += 1; break; }
            }
        }
        return { part: columns / canvas.width, hasTime: globalThis.kymo.data.rows.length > 0 && globalThis.kymo.data.trace.length > 0 };
    });
    report.expect(!drawn.hasTime || drawn.part > 0.9, `${(drawn.part * 100).toFixed(0)} % of the strip is drawn`);
}

/** The box under the pointer and the pixel there agree with the data. */
async function checkCells(report) {
    const { page } = report;
    await report.scrollUp();
    const box = await page.locator("#timeline").boundingBox();
    const places = await page.evaluate(() => {
        const { data } = globalThis.kymo;
        if (data.levels.length === 0 || data.trace.length < 1000) return [];
        return [0.11, 0.37, 0.62].map((part) => ({ part, row: Math.floor(data.rows.length * part) }));
    });
    for (const { part, row } of places) {
        const wanted = await page.evaluate(({ part, row }) => {
            const { data } = globalThis.kymo;
            const perPixel = data.trace.length / document.getElementById("timeline").width;
            const level = data.levels.findLast((it) => it.width <= 2 * perPixel) ?? data.levels[0];
            const bucket = Math.floor((data.trace.length * part) / level.width);
            const region = level.region[row * level.buckets + bucket];
            return { name: region === 65535 ? null : data.regions[region].name.trim() || "(without name)", rows: data.rows.length };
        }, { part, row });
        await page.mouse.move(box.x + box.width * part, box.y + (box.height * (row + 0.5)) / wanted.rows);
        const shown = await page.evaluate(() => document.querySelector("#tip strong")?.textContent);
        report.expect(wanted.name === null ? NOTHING.includes(shown) : shown === wanted.name, `row ${row} at ${part} shows ${shown}, not ${wanted.name}`);
    }
}

/** A row unfolds into as many lines as it has nested calls, by key and by pointer, and the box over a line names its call. */
async function checkUnfolding(report) {
    const { page } = report;
    await report.scrollUp();
    const wanted = await page.evaluate(() => {
        const { data } = globalThis.kymo;
        const row = data.rows.findIndex((it) => it.members === 1);
        const [level] = data.levels;
        if (row < 0 || !level) return null;
        const paths = [...level.context.subarray(row * level.buckets, (row + 1) * level.buckets)].map((context) => {
            const path = [];
            for (let at = context; at !== 4294967295; at = data.contexts.parent[at]) path.unshift(data.regions[data.contexts.region[at]].name);
            return path;
        });
        const lines = paths.reduce((most, path) => Math.max(most, path.length), 0);
        return { row, lines: Math.min(lines, 48), names: paths.map(([name]) => name) };
    });
    if (!wanted || wanted.lines === 0) return;
    const height = () => page.evaluate(() => document.getElementById("timeline").parentElement.clientHeight);
    const before = await height();
    const opener = page.locator(`[data-row="${wanted.row}"] button`);
    if (!(await opener.isVisible())) return;
    await opener.click();
    await report.settle();
    report.expect((await height()) === before + 16 * wanted.lines, `row ${wanted.row} unfolds by ${(await height()) - before} px, not by ${wanted.lines} lines`);
    report.expect((await report.state()).open === String(wanted.row), "the address does not name the row that is unfolded");
    report.expect((await opener.getAttribute("aria-expanded")) === "true", "the button does not state that its row is unfolded");
    const box = await page.locator("#timeline").boundingBox();
    const top = await page.evaluate((row) => Number.parseFloat(document.querySelector(`[data-row="${row}"]`).style.top), wanted.row);
    const rowHeight = before / (await page.evaluate(() => globalThis.kymo.data.rows.length));
    const at = wanted.names.findIndex((name, place) => name !== undefined && place > 0 && wanted.names[place - 1] === name && wanted.names[place + 1] === name);
    if (at >= 0) {
        await page.mouse.move(box.x + (box.width * (at + 0.5)) / wanted.names.length, box.y + top + rowHeight + 8);
        const shown = await page.evaluate(() => [document.querySelector("#tip strong")?.textContent, document.getElementById("tip").textContent]);
        report.expect(shown[0] === (wanted.names[at].trim() || "(without name)") && shown[1].includes("caller: none"), `the first line shows ${shown}, not ${wanted.names[at]}`);
    }
    await opener.click();
    await report.settle();
    report.expect((await height()) === before, "a row does not fold");
    await report.press("e");
    await report.settle();
    report.expect((await height()) > before, "e does not unfold");
    await report.press("e");
    await report.settle();
    report.expect((await height()) === before, "e does not fold");
}

async function checkFields(report) {
    const { page } = report;
    const length = await page.evaluate(() => globalThis.kymo.data.trace.length);
    if (length < 1000) return;
    await page.locator("#from").fill("25 %");
    await report.press("Enter");
    await page.locator("#to").fill("75%");
    await report.press("Enter");
    const typed = await report.state();
    report.expect(near(typed.from, length / 4) && near(typed.to, length * 0.75), `fields select ${typed.from}, ${typed.to}`);
    await page.locator("#to").fill(((length * 0.75) / 1e9).toFixed(12));
    await report.press("Enter");
    report.expect(near((await report.state()).to, length * 0.75), "a number without a unit is not in seconds");
    await page.locator("#to").fill("soon");
    await report.press("Enter");
    report.expect(near((await report.state()).to, length * 0.75), "a time that is none changes the selection");
    await page.locator("#to").blur();
    await report.press("f");
}

/** The address contains the selection, also for another window and for a change by hand. */
async function checkAddress(report) {
    const { page } = report;
    const last = await page.evaluate(() => globalThis.kymo.data.rows.length - 1);
    if (last < 1) return;
    await report.press("w", "w", "2");
    await report.settle();
    const [state, fragment] = [await report.state(), await page.evaluate(() => location.hash)];
    await report.open(fragment);
    const again = await report.state();
    report.expect(near(again.from, state.from, 1e-3) && near(again.to, state.to, 1e-3) && again.view === "calls", `${fragment} opens ${JSON.stringify(again)}`);
    await page.evaluate(() => (location.hash = "#r=1,1&g=0&v=facts"));
    await page.waitForFunction(() => globalThis.kymo.selection.view === "facts", null, { timeout: HANGS });
    const { first, last: end, region, view } = await report.state();
    report.expect(first === 1 && end === 1 && region === 0 && view === "facts", "a change of the address is not read");
    await report.open();
}

async function checkFlame(report) {
    const { page } = report;
    await report.press("2");
    await report.settle();
    const flame = page.locator("#flame");
    if (await flame.isVisible()) await flame.scrollIntoViewIfNeeded();
    const box = await flame.boundingBox().catch(() => null);
    if (box && box.height > 0) {
        await page.mouse.move(box.x + 5, box.y + 5);
        report.expect((await page.locator("#tip").textContent()).includes("inclusive"), "no box over the flame graph");
        await page.mouse.click(box.x + 5, box.y + 5);
        report.expect((await report.state()).region >= 0, "a click in the flame graph selects no region");
        await report.settle();
        await page.mouse.dblclick(box.x + 5, box.y + 25);
        // Rows that are drawn later must not count as those of the opener.
        await report.settle();
    }
    const opener = page.locator("#view button.opener").first();
    if (await opener.count()) {
        const rows = await page.locator("#view tbody tr").count();
        await opener.click();
        const isOther = (before) => document.querySelectorAll("#view tbody tr").length !== before;
        const opened = page.waitForFunction(isOther, rows, { timeout: HANGS });
        report.expect(await opened.then(() => true, () => false), "the call tree does not open and close");
    }
    await report.open();
}

/** Texts that must not be in the page, whatever the trace is. */
async function checkText(report) {
    const found = await report.page.evaluate(() => ({
        foreign: document.querySelectorAll("img, iframe, object, embed, link, script[src], [onerror], [onclick], [style*='url']").length,
        policy: document.querySelector("meta[http-equiv='Content-Security-Policy']")?.content ?? "",
        wide: document.documentElement.scrollWidth - innerWidth,
    }));
    report.expect(found.foreign === 0, `${found.foreign} elements that a name made`);
    report.expect(found.policy.includes("default-src 'none'") && !found.policy.includes("unsafe"), `policy: ${found.policy}`);
    report.expect(found.wide <= 0, `the page is ${found.wide} px wider than the window`);
    const foreign = report.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("about:") && !url.startsWith("blob:") && !url.startsWith("data:"));
    report.expect(foreign.length === 0, `the page asks for ${foreign}`);
}

/** Nothing is cut off at these widths: no table needs to be moved sideways. */
const WIDTHS = [800, 1400];

async function checkWidths(report) {
    const { page } = report;
    for (const [at, view] of VIEWS.entries()) for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await report.press(String(at + 1));
        await report.settle();
        const cut = await page.evaluate(() => [...document.querySelectorAll(".scroll, .toolbar, header, #legend")].filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => `${it.getAttribute("aria-label") ?? it.id}: ${it.scrollWidth} > ${it.clientWidth}`));
        report.expect(cut.length === 0, `at ${width} pixels, ${view} is cut off: ${cut}`);
    }
    await page.setViewportSize(SIZE);
    await report.press("1");
}

/** Two fingers zoom, one finger moves. */
async function checkFingers(browser, report) {
    const context = await browser.newContext({ viewport: { width: 420, height: 800 }, hasTouch: true, colorScheme: "dark" });
    context.setDefaultTimeout(HANGS);
    const phone = new Report(await context.newPage(), report.file);
    await phone.open();
    const box = await phone.page.locator("#timeline").boundingBox();
    const length = await phone.page.evaluate(() => globalThis.kymo.data.trace.length);
    const session = await context.newCDPSession(phone.page);
    const touch = (type, ...parts) => session.send("Input.dispatchTouchEvent", { type, touchPoints: parts.map((part, id) => ({ x: box.x + box.width * part, y: box.y + box.height / 2, id })) });
    await touch("touchStart", 0.4, 0.6);
    await touch("touchMove", 0.3, 0.7);
    await touch("touchMove", 0.2, 0.8);
    await touch("touchEnd");
    if (length > 1000) await phone.zoomIn(length * 0.5);
    await checkText(phone);
    await context.close();
    report.problems.push(...phone.problems.map((it) => `on a phone: ${it}`));
}

async function checkDark(report, axe) {
    await report.page.emulateMedia({ colorScheme: "dark" });
    for (const key of ["1", "3", "7", "8"]) {
        await report.press(key);
        await report.settle();
        await checkAccess(report, axe, `dark view ${key}`);
    }
    await report.page.emulateMedia({ colorScheme: "light" });
    await report.press("1");
    await report.page.emulateMedia({ media: "print" });
    report.expect(!(await report.page.locator(".toolbar").isVisible()), "controls are printed");
    await report.page.emulateMedia({ media: "screen" });
}

/** Checks a report, and returns its faults. */
export async function checkPage(browser, axe, file, expected) {
    const context = await browser.newContext({ viewport: SIZE, colorScheme: "light", reducedMotion: "reduce" });
    context.setDefaultTimeout(HANGS);
    const report = new Report(await context.newPage(), file);
    try {
        await report.open();
        await checkSums(report, expected);
        const { rows } = await checkTables(report);
        await checkStrip(report);
        await checkCells(report);
        if (rows > 0) await checkSorting(report);
        for (const check of [checkKeys, checkRows, checkCross, checkSearch, checkButtons, checkPointer, checkUnfolding, checkFields, checkAddress, checkFlame]) await check(report);
        await checkViews(report, axe);
        await checkDark(report, axe);
        await checkText(report);
        await checkWidths(report);
        await checkFingers(browser, report);
    } catch (error) {
        report.problems.push(`stopped: ${error.message.split("\n")[0]} ${error.stack.split("\n").find((line) => line.includes("page.mjs")) ?? ""}`);
    }
    await context.close();
    return { problems: report.problems, minor: report.minor ?? [], bytes: readFileSync(file).length };
}
