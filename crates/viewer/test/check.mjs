// Checks the page as a person and a judge would: types, colours, and reports in Chromium.
//
//     node check.mjs PACKAGES [--pictures] [FILE.html | http://ADDRESS...]
//
// An address is that of a page of `kymo view`, whose tiles are compared.
// PACKAGES is a folder with the npm packages playwright-core, axe-core and typescript. Without
// files, the reports are samples whose content is known. FILE.json next to FILE.html has sums that
// the report must show: [{"from": NS, "to": NS, "groups"?: [N...], "regions": [{"region": NAME,
// "visits": N, "exclusive_ns": NS, "inclusive_ns": NS}...]}...]. CHROMIUM is the path of the browser.
// With `--pictures`, pictures of the files are compared with those in `pictures`, as those of samples
// always are; KYMO_UPDATE_GOLDEN=1 keeps the shown pictures instead.
// Prints a line of JSON for each check; `problems` is empty if all is well.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { script } from "./assemble.mjs";
import { smallestDifferences } from "./colours.mjs";
import { checkModules } from "./modules.mjs";
import { checkPage } from "./page.mjs";
import { checkPictures } from "./pictures.mjs";
import { writeSamples } from "./sample_pages.mjs";
import { checkView } from "./view.mjs";

const [packages, ...rest] = process.argv.slice(2);
const given = rest.filter((argument) => argument !== "--pictures");
const hasPictures = given.length === 0 || given.length < rest.length;
if (packages === undefined) {
    console.error("usage: node check.mjs PACKAGES [--pictures] [FILE.html...]");
    process.exit(2);
}
const viewer = join(dirname(fileURLToPath(import.meta.url)), "..");
const MOST_LINES = 4200;
const isKept = (process.env.KYMO_UPDATE_GOLDEN ?? "") !== "";
/** Pages that are open at the same time. */
const PAGES = 3;
let failed = 0;

function report(check, problems, more = {}) {
    failed += problems.length > 0 ? 1 : 0;
    console.log(JSON.stringify({ check, problems, ...more }));
}

/** Returns the folder of a package, unpacked there or in a folder `package` below. */
function folderOf(name) {
    const places = [join(packages, name), join(packages, name, "package")];
    const found = places.find((place) => existsSync(join(place, "package.json")));
    if (!found) throw new Error(`${packages} has no package ${name}`);
    return resolve(found);
}

function checkTypes() {
    const compiler = join(folderOf("typescript"), "bin/tsc");
    const run = spawnSync(process.execPath, [compiler, "--project", viewer, "--pretty", "false"], { encoding: "utf8" });
    report("types", `${run.stdout}${run.stderr}`.split("\n").filter((line) => line !== ""));
}

/** Checks that the modules make one script: each name once, nothing that ends the element. */
function checkScript(folder) {
    const problems = [];
    const code = script();
    const names = readFileSync(join(viewer, "modules.txt"), "utf8").trim().split("\n");
    const there = readdirSync(join(viewer, "src")).filter((name) => name.endsWith(".js"));
    if ([...names].sort().join() !== there.sort().join()) problems.push("modules.txt does not list src/*.js");
    const lines = names.reduce((sum, name) => sum + readFileSync(join(viewer, "src", name), "utf8").split("\n").length - 1, 0);
    if (lines > MOST_LINES) problems.push(`${lines} lines of script`);
    if (/<\/script|<!--/i.test(code)) problems.push("the script has what ends its element");
    if (/^(import|export)\b/m.test(code)) problems.push("imports or exports remain");
    if (/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/.test(code)) problems.push("the script makes markup or runs text");
    // Only tiles and findings are asked for, from the server of the page.
    const others = code.replace("await fetch(name)", "").replace('await fetch("check")', "");
    if (/\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon/.test(others)) problems.push("the script asks the network");
    writeFileSync(join(folder, "script.mjs"), code);
    const run = spawnSync(process.execPath, ["--check", join(folder, "script.mjs")], { encoding: "utf8" });
    if (run.status !== 0) problems.push(run.stderr);
    report("script", problems, { lines });
}

function checkColours() {
    const found = smallestDifferences();
    const problems = found.filter(({ difference, least }) => difference < least);
    report("colours", problems.map((it) => JSON.stringify(it)), { smallest: found });
}

async function checkFiles(files) {
    const { chromium } = await import(pathToFileURL(join(folderOf("playwright-core"), "index.mjs")).href);
    const axe = readFileSync(join(folderOf("axe-core"), "axe.min.js"), "utf8");
    const browser = await chromium.launch({
        timeout: 180_000,
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    const waiting = [...files];
    const found = new Map();
    const next = async () => {
        for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
            if (file.startsWith("http://")) {
                found.set(file, await checkView(browser, file));
                continue;
            }
            const sums = file.replace(/\.html$/, ".json");
            const expected = existsSync(sums) ? JSON.parse(readFileSync(sums, "utf8")) : [];
            found.set(file, await checkPage(browser, axe, resolve(file), expected));
            if (!hasPictures) continue;
            const { problems, different } = await checkPictures(browser, resolve(file), { isKept, folder: join(packages, "pictures") });
            found.get(file).problems.push(...problems);
            found.get(file).different = different;
        }
    };
    await Promise.all(Array.from({ length: PAGES }, next));
    await browser.close();
    for (const file of files) {
        const { problems, ...more } = found.get(file);
        report(file.startsWith("http://") ? "view" : "page", problems, { file, ...more });
    }
}

const folder = mkdtempSync(join(tmpdir(), "kymo-page-"));
try {
    checkTypes();
    checkScript(folder);
    checkColours();
    report("modules", await checkModules());
    await checkFiles(given.length > 0 ? given : writeSamples(folder));
} finally {
    rmSync(folder, { recursive: true, force: true });
}
process.exit(failed > 0 ? 1 : 0);
