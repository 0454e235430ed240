// Checks modules without a browser: the pack, sums over slices, numbers, fragments, cells.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { ticksOf, tickText } from "../src/axis.js";
import { columnsOf, drawCells, levelFor } from "../src/cells.js";
import { SHADES } from "../src/colours.js";
import { Layout, LINE_HEIGHT } from "../src/layout.js";
import { partOf } from "../src/matrix.js";
import { fullName, shortNames } from "../src/labels.js";
import { boxesOf, callAt, deepest } from "../src/stack.js";
import { exact, parseTime, rounded } from "../src/format.js";
import { unpack } from "../src/pack.js";
import { coveredRange, outsideTime, profile } from "../src/profile.js";
import { TraceSelection } from "../src/selection.js";
import { Tiles } from "../src/tiles.js";
import { difference2000 } from "./colours.mjs";
import { pack } from "./pack.mjs";
import { isSame, KEPT } from "./pictures.mjs";
import { decode, encode } from "./png.mjs";
import { emptySample, sample, samplesOnly } from "./sample.mjs";

const plain = (map) => Object.fromEntries([...map].map(([region, sums]) => [region, sums]));

const CHECKS = {
    "a picture with a row, a colour or a part that is wrong is another one"() {
        const picture = decode(readFileSync(join(KEPT, "usual-wide-light.png")));
        const changed = (change) => ({ ...picture, pixels: picture.pixels.map(change) });
        const row = picture.width * 3;
        assert.deepEqual(decode(encode(picture)), picture);
        // Fonts and rounding may change a little everywhere.
        assert(isSame(picture, changed((value, at) => Math.min(value + (at % 7), 255))));
        assert(!isSame(picture, changed((_, at) => picture.pixels[at + 3 * row] ?? 0)));
        assert(!isSame(picture, changed((value, at) => (value > 100 && at % 3 === 0 ? value - 40 : value))));
        assert(!isSame(picture, changed((value, at) => (at % row < row / 50 ? 0 : value))));
    },
    async "a pack is read as it was written"() {
        const { content } = sample({ ranks: 2, steps: 4, buckets: 64 });
        assert.deepEqual(await unpack(pack(content)), content);
    },
    async "a pack that was cut is an error"() {
        const text = pack(emptySample());
        await assert.rejects(unpack(text.slice(0, Math.floor(text.length / 8) * 4)));
        await assert.rejects(unpack(pack({ ...emptySample(), version: 2 })), /version 2/);
    },
    "sums of slices are the sums of the calls"() {
        const { content, expected } = sample({ ranks: 5, steps: 40 });
        assert.deepEqual(plain(profile(content, 0, content.trace.length)), expected);
    },
    "parts of the time add up to all of it"() {
        const { content, expected } = sample({ ranks: 3, steps: 40 });
        const cut = content.slices.width * 100;
        const [one, other] = [profile(content, 0, cut), profile(content, cut, content.trace.length)];
        for (const [region, sums] of Object.entries(expected)) {
            for (const part of ["visits", "exclusive", "inclusive"]) {
                assert.equal((one.get(Number(region))?.[part] ?? 0) + (other.get(Number(region))?.[part] ?? 0), sums[part]);
            }
        }
    },
    "groups add up to all groups"() {
        const { content, expected } = sample({ ranks: 3, steps: 10 });
        const sums = [0, 1, 2].map((group) => profile(content, 0, Infinity, [group]).get(0).inclusive);
        assert.equal(sums.reduce((a, b) => a + b), expected[0].inclusive);
    },
    "a range is of whole slices"() {
        const { content } = sample({ ranks: 1, steps: 10 });
        const { width } = content.slices;
        assert.deepEqual(coveredRange(content, width * 3 + 1, width * 4 - 1), { from: width * 3, to: width * 4 });
        assert.deepEqual(coveredRange(content, width * 3, width * 5), { from: width * 3, to: width * 5 });
    },
    "numbers have units and all digits"() {
        for (const [value, kind, short, long] of [
            [0, "time", "0 ns", "0 ns"], [12345, "time", "12.35 µs", "12,345 ns"], [999.96, "time", "1.000 µs", "999.96 ns"],
            [3.6e12, "time", "3,600 s", "3,600,000,000,000 ns"], [160, "bytes", "160 B", "160 B"], [4096000, "bytes", "4.096 MB", "4,096,000 B"],
            [0.5, "share", "50.00 %", "50 %"], [1234567, "count", "1,234,567", "1,234,567"], [NaN, "time", "–", "no value"], [1.5e16, "number", "1.500e+16", "15,000,000,000,000,000"],
        ]) {
            assert.deepEqual([rounded(value, kind), exact(value, kind)], [short, long]);
        }
    },
    "times are read as people write them, in seconds without a unit"() {
        const read = (text) => parseTime(text, 5000);
        assert.deepEqual(["1.5 ms", "20%", "1,234 ns", "7", "0.25", "2 us", "2 µs", "0.5s", "x", "3 m"].map(read), [1.5e6, 1000, 1234, 7e9, 25e7, 2000, 2000, 5e8, null, null]);
    },
    "a fragment says what was seen"() {
        const { content } = sample({ ranks: 8, steps: 10 });
        const one = new TraceSelection(content, ["regions", "calls"]);
        one.set({ from: 20_000, to: 300_001, first: 2, last: 5, region: 4, open: "5,2,2,77", view: "calls" });
        assert.equal(one.fragment(), "t=20000,300001&r=2,5&g=4&o=2,5&v=calls");
        const other = new TraceSelection(content, ["regions", "calls"]);
        other.read(`#${one.fragment()}`);
        assert.deepEqual(other.state, one.state);
        other.read("#g=solve");
        assert.equal(other.state.region, 1);
    },
    "a fragment of another trace is no error"() {
        const selection = new TraceSelection(emptySample(), ["regions"]);
        for (const text of ["", "#t=5,1&r=9,2&g=77&v=none", "#t=NaN,1e999&r=,&g=-1&g=%%%", "#t=-5,1e12&r=-3,1e9"]) {
            selection.read(text);
            assert.deepEqual(selection.state, selection.whole());
        }
    },
    "zoom keeps its point, undo returns"() {
        const selection = new TraceSelection(sample({ ranks: 8, steps: 10 }).content, ["regions"]);
        const { length } = selection;
        selection.zoom(0.5, length / 4);
        assert.deepEqual([selection.state.from, selection.state.to], [length / 8, length * (5 / 8)]);
        selection.undo();
        assert.ok(selection.isWhole);
        selection.zoom(1e-12);
        assert.ok(selection.state.to - selection.state.from >= selection.shortest * 0.999);
    },
    "every bucket is in a pixel, every pixel has a bucket"() {
        for (const [buckets, pixels] of [[4096, 1000], [100, 99], [7, 50], [64, 128], [1, 1], [1000, 501]]) {
            const level = { buckets, width: 10 };
            const { first, last } = columnsOf(level, 0, (buckets * 10) / pixels, pixels);
            const seen = new Set();
            first.forEach((start, at) => { for (let bucket = start; bucket <= last[at]; bucket += 1) seen.add(bucket); });
            assert.equal(seen.size, buckets);
            assert.ok(first.every((start, at) => start >= 0 && start <= last[at] && last[at] < buckets));
        }
    },
    "the level that fits has buckets of two pixels or less"() {
        const levels = [1, 4, 16].map((width) => ({ width }));
        assert.deepEqual([0.1, 0.5, 1.9, 2, 7, 100].map((pixel) => levelFor(levels, pixel).width), [1, 1, 1, 4, 4, 16]);
    },
    "rows mix where they share pixels, and keep their colour elsewhere"() {
        const cells = { region: Uint16Array.from([0, 65535, 1, 1]), share: new Uint8Array(4).fill(255), calls: new Uint16Array(4) };
        const level = { buckets: 2, width: 5, ...cells };
        const colours = new Uint32Array(2 * SHADES).fill(0xff0000ff, 0, SHADES).fill(0xffff0000, SHADES);
        const drawn = (height, lives) => {
            const pixels = new Uint32Array(2 * height);
            drawCells(level, { from: 0, to: 10, first: 0, last: 1 }, pixels, 2, height, { colours, blank: 0xff000000, absent: 0xffffffff, lives });
            return [...pixels].map((it) => it.toString(16));
        };
        assert.deepEqual(drawn(2), ["ff0000ff", "ff000000", "ffff0000", "ffff0000"]);
        assert.deepEqual(drawn(1), ["ff7f007f", "ff7f0000"]);
        // The first row ends with its first bucket: the rest is absence.
        assert.deepEqual(drawn(2, [[0, 4], [0, 10]]), ["ff0000ff", "ffffffff", "ffff0000", "ffff0000"]);
    },
    async "cells below the page come from tiles, and from the page until these arrive"() {
        const contexts = { region: Uint32Array.from({ length: 10 }, (_, at) => at), parent: new Uint32Array(10).fill(4294967295) };
        const page = { buckets: 4, width: 16, context: Uint32Array.of(7, 7, 9, 9), region: Uint16Array.of(7, 7, 9, 9), share: new Uint8Array(4).fill(9), calls: new Uint16Array(4) };
        const tiles = { levels: 2, buckets: 8, rows: 1 };
        const asked = [];
        globalThis.fetch = async (name) => {
            asked.push(name);
            const tile = new Uint8Array(8 * 8);
            new Uint32Array(tile.buffer).set([1, 2, 3, 4, 5, 6, 7, 4294967295]);
            new Uint16Array(tile.buffer, 32).set([0, 0, 0, 0, 0, 0, 0, 1]);
            tile.fill(255, 48);
            return new Response(tile);
        };
        let arrivals = 0;
        const all = new Tiles({ rows: [0], levels: [page], contexts, tiles }, () => (arrivals += 1));
        const part = { from: 32, to: 48, first: 0, last: 0 };
        assert.equal(all.levelFor(part, 8), page);
        const before = all.levelFor(part, 2);
        assert.deepEqual([before.width, before.start, before.top, [...before.region]], [4, 8, 0, [9, 9, 9, 9, 9, 9, 9, 9]]);
        while (arrivals === 0) await new Promise((done) => setTimeout(done, 1));
        const after = all.levelFor(part, 2);
        assert.deepEqual([[...after.region], after.calls[7], after.share[0], after.outermost[0]], [[1, 2, 3, 4, 5, 6, 7, 65535], 1, 255, 255]);
        assert.deepEqual(asked, ["tile?level=1&at=1&block=0"]);
        assert.equal(all.levelFor(part, 0.001).width, 1);
    },
    "a row unfolds into its nested calls"() {
        // main calls step twice, and each step calls send; the last bucket is in no call.
        const data = { contexts: { region: Uint32Array.of(0, 1, 2), parent: Uint32Array.of(4294967295, 0, 1) } };
        const context = Uint32Array.of(0, 1, 2, 2, 1, 2, 0, 4294967295);
        const outermost = Uint8Array.of(0, 1, 2, 255, 1, 2, 255, 255);
        const level = { buckets: 8, width: 10, context, outermost };
        const boxes = boxesOf(data, level, 0, 0, 7, 0).map(({ context: own, depth, from, to }) => [own, depth, from, to]);
        assert.deepEqual(boxes.sort(), [[0, 0, 0, 7], [1, 1, 1, 4], [1, 1, 4, 6], [2, 2, 2, 4], [2, 2, 5, 6]]);
        // Short neighbours of one context are one box.
        const joined = boxesOf(data, level, 0, 0, 7, 3).filter((it) => it.depth === 1);
        assert.deepEqual(joined.map(({ from, to, calls }) => [from, to, calls]), [[1, 6, 2]]);
        assert.deepEqual([[3, 1], [4, 1], [4, 0], [7, 0]].map(([bucket, depth]) => {
            const call = callAt(data, level, 0, bucket, depth);
            return call && [call.context, call.from, call.to];
        }), [[1, 1, 4], [1, 4, 6], [0, 0, 7], null]);
        assert.equal(deepest(data, level, 0), 3);
    },
    "rows that are unfolded move the rows below"() {
        const layout = new Layout({ first: 2, last: 5 }, 80, (row) => (row === 3 ? 2 : 0));
        assert.deepEqual([2, 3, 4, 5, 6].map((row) => layout.top(row)), [0, 20, 40 + 2 * LINE_HEIGHT, 60 + 2 * LINE_HEIGHT, layout.height]);
        const at = (y) => Object.values(layout.at(y));
        assert.deepEqual([at(0), at(39), at(41), at(40 + LINE_HEIGHT + 1), at(40 + 2 * LINE_HEIGHT + 1), at(1e9)], [[2, -1], [3, -1], [3, 0], [3, 1], [4, -1], [5, -1]]);
    },
    "names of rows keep what distinguishes them"() {
        const row = (process, label, name) => ({ name, kind: "location", process, label, members: 1 });
        const rows = [row("cc1plus (7)", "cc1plus a.cpp", "Master thread"), row("sim (8)", "sim", "Master thread"), row("sim (8)", "sim", "worker 1")];
        assert.deepEqual(rows.map((_, at) => shortNames(rows, at, false)), [["cc1plus a.cpp"], ["sim, Master thread", "sim"], ["worker 1"]]);
        assert.deepEqual(shortNames(rows, 2, true), ["sim, worker 1", "worker 1"]);
        assert.equal(fullName(rows[0]), "cc1plus a.cpp: cc1plus (7), Master thread");
    },
    "equal pairs of a matrix have the middle of the scale"() {
        assert.equal(partOf(4096, 4096)(4096), 0.5);
        assert.deepEqual([10, 1000].map(partOf(10, 1000)), [0, 1]);
    },
    "shares are of the time in no call, too"() {
        const content = samplesOnly();
        const { count, width } = content.slices;
        assert.equal(outsideTime(content, 0, Infinity), (count * content.groups.length * width) / 2);
        assert.equal(outsideTime(content, 0, width * 2, [1]), width);
        assert.equal(outsideTime(sample({ ranks: 1, steps: 1 }).content, 0, Infinity), 0);
    },
    "ticks are round and differ"() {
        const { ticks, step } = ticksOf(1_000_000, 1_000_500, 8);
        const texts = ticks.map((tick) => tickText(tick, step));
        assert.equal(new Set(texts).size, ticks.length);
        assert.equal(texts[1], "1.0001 ms");
    },
    "differences of colours are those of the standard"() {
        // Pairs 1, 7 and 25 of Sharma, Wu and Dalal 2005.
        assert.equal(difference2000([50, 2.6772, -79.7751], [50, 0, -82.7485]).toFixed(4), "2.0425");
        assert.equal(difference2000([50, 0, 0], [50, -1, 2]).toFixed(4), "2.3669");
        assert.equal(difference2000([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387]).toFixed(4), "1.2644");
    },
};

/** Runs all checks and returns the failures. */
export async function checkModules() {
    const problems = [];
    for (const [name, check] of Object.entries(CHECKS)) {
        try {
            await check();
        } catch (error) {
            problems.push(`${name}: ${error.message}`);
        }
    }
    return problems;
}
