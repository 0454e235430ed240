// Reads the data of the page: base64 of deflated header and arrays. README.md describes the form.
/** No parent of a context, and the region of a bucket outside all calls. */
export const [NO_CONTEXT, OUTSIDE] = [4294967295, 65535];

const ARRAYS = /** @type {Record<string, any>} */ ({ u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array });

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function bytesOf(text) {
    const binary = atob(text.trim());
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
function inflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).arrayBuffer();
}

/** @param {any} value */
function isArrayReference(value) {
    return typeof value.at === "number" && typeof value.length === "number" && value.type in ARRAYS;
}

/** Replaces references to arrays by the arrays. @param {any} value @param {ArrayBuffer} buffer @param {number} start of the arrays @returns {any} */
function resolve(value, buffer, start) {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map((item) => resolve(item, buffer, start));
    if (isArrayReference(value)) {
        const kind = ARRAYS[value.type];
        const end = start + value.at + value.length * kind.BYTES_PER_ELEMENT;
        if (end > buffer.byteLength) throw new Error("an array extends beyond the end of the data");
        return new kind(buffer, start + value.at, value.length);
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item, buffer, start)]));
}

/** Reads a pack. @param {string} text base64 @returns {Promise<Pack>} */
export async function unpack(text) {
    const buffer = await inflate(bytesOf(text));
    const length = new DataView(buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    if (header.version !== 1) throw new Error(`these data are of version ${header.version}, this page reads version 1`);
    const data = resolve(header, buffer, Math.ceil((4 + length) / 8) * 8);
    return { ...data, levels: data.levels.map((/** @type {any} */ level) => ({ ...level, ...cellsOf(data.contexts, level.context) })) };
}

/** Returns contexts in 32 bits, and their regions in 16. @param {Pack["contexts"]} contexts @param {Numbers} packed */
export function cellsOf(contexts, packed) {
    const none = 2 ** (8 * packed.BYTES_PER_ELEMENT) - 1;
    const [context, region] = [new Uint32Array(packed.length), new Uint16Array(packed.length)];
    for (let at = 0; at < packed.length; at += 1) {
        const isNone = packed[at] === none;
        context[at] = isNone ? NO_CONTEXT : packed[at];
        region[at] = isNone ? OUTSIDE : Math.min(contexts.region[packed[at]], OUTSIDE - 1);
    }
    return { context, region };
}
