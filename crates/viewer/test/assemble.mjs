// Makes one file of the page, as `kymo report` does: modules without imports and exports in one
// script, and a content policy of their hashes.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const viewer = join(dirname(fileURLToPath(import.meta.url)), "..");
const read = (name) => readFileSync(join(viewer, name), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Returns the script of the page. */
export function script() {
    const modules = read("modules.txt").split("\n").filter((name) => name !== "");
    const lines = modules.flatMap((name) => read(`src/${name}`).split("\n"));
    const own = lines.filter((line) => !line.startsWith("import "));
    return `"use strict";\n${own.map((line) => line.replace(/^export /, "")).join("\n")}`;
}

/** Returns the page with data. */
export function assemble(data) {
    const [style, code] = [read("style.css"), script()];
    const policy = `default-src 'none'; script-src ${hash(code)}; style-src ${hash(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
    return read("page.html")
        .replace("<!--policy-->", () => policy)
        .replace("<!--style-->", () => style)
        .replace("<!--script-->", () => code)
        .replace("<!--data-->", () => data);
}
