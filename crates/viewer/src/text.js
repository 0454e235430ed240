// Texts on canvases: as much as fits, in an ink that can be read.

/** Returns black or white, which is easier to read on a colour. @param {[number, number, number]} colour */
export function inkOn([red, green, blue]) {
    return 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2 > 0.19 * 255 ** 2.2 ? "#000" : "#fff";
}

/** Returns as much of a text as fits. @param {CanvasRenderingContext2D} context @param {string} text @param {number} width */
export function shortened(context, text, width) {
    return cut(context, text, width, (letters, count) => `${letters.slice(0, count).join("")}…`);
}

/** Returns as much of a text as fits, without its middle: the end distinguishes it. @param {CanvasRenderingContext2D} context @param {string} text @param {number} width */
export function shortenedInside(context, text, width) {
    return cut(context, text, width, (letters, count) => `${letters.slice(0, Math.floor(count / 2)).join("")}…${letters.slice(letters.length - Math.ceil(count / 2)).join("")}`);
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} width @param {(letters: string[], count: number) => string} leave */
function cut(context, text, width, leave) {
    if (text.length < 200 && context.measureText(text).width <= width) return text;
    const letters = [...text.slice(0, 300)];
    let [low, high] = [0, letters.length];
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (context.measureText(leave(letters, middle)).width <= width) low = middle;
        else high = middle - 1;
    }
    return low === 0 ? "" : leave(letters, low);
}
