// Writes reports of samples, with the sums that they must show.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { assemble } from "./assemble.mjs";
import { pack } from "./pack.mjs";
import { emptySample, mergedSample, oneEventSample, REGIONS, sample, samplesOnly } from "./sample.mjs";

function sums(expected) {
    return Object.entries(expected).map(([region, { visits, exclusive, inclusive }]) => (
        { region: REGIONS[region].name, visits, exclusive_ns: exclusive, inclusive_ns: inclusive }
    ));
}

/** Writes the samples to a folder, and returns their paths. */
export function writeSamples(folder) {
    const { content, expected } = sample();
    const quiet = sample({ ranks: 3, steps: 5 });
    const pages = {
        usual: { content, sums: [{ from: 0, to: content.trace.length, regions: sums(expected) }] },
        "without-messages": { content: { ...quiet.content, messages: emptySample().messages, waits: emptySample().waits, path: emptySample().path, matrix: emptySample().matrix, metrics: [], stats: null, check: null }, sums: [{ from: 0, to: quiet.content.trace.length, regions: sums(quiet.expected) }] },
        merged: { content: mergedSample(), sums: [] },
        "samples-only": { content: samplesOnly(), sums: [] },
        "one-event": { content: oneEventSample(), sums: [] },
        empty: { content: emptySample(), sums: [{ from: 0, to: 0, regions: [] }] },
    };
    return Object.entries(pages).map(([name, page]) => {
        const path = join(folder, `${name}.html`);
        writeFileSync(path, assemble(pack(page.content)));
        writeFileSync(path.replace(".html", ".json"), JSON.stringify(page.sums));
        return path;
    });
}
