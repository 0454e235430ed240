// Reads and writes small pictures: PNG of red, green and blue, 8 bits each.

import { deflateSync, inflateSync } from "node:zlib";

const MARK = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns CRC-32. */
function checksum(bytes) {
    let sum = 0xffffffff;
    for (const byte of bytes) {
        sum ^= byte;
        for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return (sum ^ 0xffffffff) >>> 0;
}

function chunk(name, data) {
    const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(checksum(body));
    return Buffer.concat([length, body, sum]);
}

/** Returns a picture as PNG. Each line has the difference to the line above, which packs well. */
export function encode({ width, height, pixels }) {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 2, 0, 0, 0], 8);
    const row = width * 3;
    const lines = Buffer.alloc((row + 1) * height);
    for (let y = 0; y < height; y += 1) {
        lines[y * (row + 1)] = 2;
        for (let x = 0; x < row; x += 1) {
            const above = y > 0 ? pixels[(y - 1) * row + x] : 0;
            lines[y * (row + 1) + 1 + x] = pixels[y * row + x] - above;
        }
    }
    return Buffer.concat([MARK, chunk("IHDR", header), chunk("IDAT", deflateSync(lines, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

/** Returns the picture of a PNG that `encode` wrote. */
export function decode(bytes) {
    if (!bytes.subarray(0, 8).equals(MARK)) throw new Error("no PNG");
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    const parts = [];
    for (let at = 8; at + 12 <= bytes.length; at += bytes.readUInt32BE(at) + 12) {
        if (bytes.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
    }
    const [row, lines] = [width * 3, inflateSync(Buffer.concat(parts))];
    const pixels = new Uint8Array(row * height);
    for (let y = 0; y < height; y += 1) {
        if (lines[y * (row + 1)] !== 2) throw new Error("a PNG that others wrote");
        for (let x = 0; x < row; x += 1) {
            pixels[y * row + x] = lines[y * (row + 1) + 1 + x] + (y > 0 ? pixels[(y - 1) * row + x] : 0);
        }
    }
    return { width, height, pixels };
}
