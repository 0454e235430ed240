// Opens the page of `kymo view`, zooms in until cells come from tiles, and compares these.

/** Only a page that hangs takes this time. */
const HANGS = 120_000;
const SIZE = { width: 1280, height: 800 };

/** Returns the problems of a page that a server shows. */
export async function checkView(browser, address) {
    const problems = [];
    const context = await browser.newContext({ viewport: SIZE });
    context.setDefaultTimeout(HANGS);
    const page = await context.newPage();
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(`console: ${message.text()}`));
    const tiles = [];
    page.on("response", (answer) => {
        if (answer.url().includes("tile")) tiles.push(answer.status());
    });
    await page.goto(address);
    await page.waitForFunction(() => globalThis.kymo?.ready, null, { timeout: HANGS });
    const { width, length, levels } = await page.evaluate(() => {
        const { levels, tiles, trace } = globalThis.kymo.data;
        return { width: levels[0].width, length: trace.length, levels: tiles.levels };
    });
    if (levels < 2) problems.push(`the server has ${levels} levels`);
    let compared = 0;
    for (const [at, level] of [[0.1, 1], [0.5, 2], [0.9, Math.min(levels, 5)]]) {
        const cells = 900 * (width / 4 ** level);
        const from = Math.min(Math.max(length * at - cells / 2, 0), Math.max(length - cells, 0));
        await page.evaluate((fragment) => { location.hash = fragment; }, `#t=${from},${from + cells}`);
        await page.waitForFunction((most) => globalThis.kymo.level?.width <= most, width / 4, { timeout: HANGS });
        await page.waitForLoadState("networkidle");
        await page.waitForFunction(() => globalThis.kymo.isSettled, null, { timeout: HANGS });
        const found = await page.evaluate(async () => {
            const { level, data } = globalThis.kymo;
            const { buckets, rows } = data.tiles;
            const number = Math.round(Math.log2(data.levels[0].width / level.width) / 2);
            const at = level.start / buckets;
            const answer = await fetch(`tile?level=${number}&at=${at}&block=0`);
            const tile = await answer.arrayBuffer();
            const count = Math.min(rows, data.rows.length);
            const problems = [];
            for (let row = 0; row < count; row += 1) {
                const line = new Uint32Array(tile, 4 * row * buckets, buckets);
                const drawn = level.context.subarray((row - level.top) * level.buckets, (row - level.top) * level.buckets + buckets);
                if (line.some((context, bucket) => context !== drawn[bucket])) problems.push(`row ${row} of level ${number} differs from its tile`);
            }
            return { problems, cells: count * buckets };
        });
        problems.push(...found.problems);
        compared += found.cells;
    }
    await page.evaluate(() => { location.hash = "#v=facts"; });
    const facts = page.locator("#view").filter({ hasNotText: "kymo check is running" });
    await facts.getByText("Findings of kymo check").waitFor({ timeout: HANGS });
    const { shown, check } = await page.evaluate(() => ({ shown: document.getElementById("view").innerText, check: globalThis.kymo.data.check }));
    if (typeof check?.errors !== "number" || shown.includes("was not run")) problems.push(`findings: ${JSON.stringify(check)}`);
    for (const kind of Object.keys(check?.kinds ?? {})) if (!shown.includes(kind)) problems.push(`facts do not show ${kind}`);
    if (tiles.length === 0 || tiles.some((status) => status !== 200)) problems.push(`answers of tiles: ${tiles.join()}`);
    await context.close();
    return { problems, tiles: tiles.length, compared, found: Object.keys(check?.kinds ?? {}).length };
}
