// Writes packs as the page reads them, see README.md.

import { deflateRawSync } from "node:zlib";

const TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };
const NAMES = new Map(Object.entries(TYPES).map(([name, type]) => [type, name]));

/** Replaces arrays of numbers by references to them. */
function taken(value, arrays) {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map((item) => taken(item, arrays));
    const type = NAMES.get(value.constructor);
    if (type === undefined) {
        return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, taken(item, arrays)]));
    }
    const at = arrays.length;
    arrays.parts.push([at, value]);
    arrays.length += Math.ceil(value.byteLength / 8) * 8;
    return { type, at, length: value.length };
}

/** Returns the base64 of a pack. */
export function pack(content) {
    const arrays = { parts: [], length: 0 };
    const header = Buffer.from(JSON.stringify(taken(content, arrays)), "utf8");
    const start = Math.ceil((4 + header.length) / 8) * 8;
    const bytes = Buffer.alloc(start + arrays.length);
    bytes.writeUInt32LE(header.length, 0);
    header.copy(bytes, 4);
    for (const [at, array] of arrays.parts) {
        Buffer.from(array.buffer, array.byteOffset, array.byteLength).copy(bytes, start + at);
    }
    return deflateRawSync(bytes).toString("base64");
}
