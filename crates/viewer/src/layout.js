// Where rows are: of equal height, but for those that are unfolded, below which are lines for calls.

/** The height of a line of calls, in pixels of the style sheet. */
export const LINE_HEIGHT = 16;

export class Layout {
    /** @param {{first: number, last: number}} part @param {number} height of all rows without lines @param {(row: number) => number} linesOf rows */
    constructor({ first, last }, height, linesOf) {
        this.first = first;
        this.last = last;
        /** The height of a row without its lines. */
        this.rowHeight = height / (last - first + 1);
        /** The lines above each row. @type {number[]} */
        this.above = [0];
        for (let row = first; row <= last; row += 1) this.above.push(this.above[row - first] + linesOf(row));
        this.height = height + LINE_HEIGHT * this.above[last - first + 1];
    }

    /** Returns the top of a row; that of the row after the last one is the height. @param {number} row */
    top(row) {
        return (row - this.first) * this.rowHeight + this.above[row - this.first] * LINE_HEIGHT;
    }

    /** Returns the number of lines of a row. @param {number} row */
    lines(row) {
        return this.above[row - this.first + 1] - this.above[row - this.first];
    }

    /** Returns the row at a height, and its line; -1 is the row itself. @param {number} y */
    at(y) {
        let [low, high] = [this.first, this.last];
        while (low < high) {
            const middle = Math.ceil((low + high) / 2);
            if (this.top(middle) <= y) low = middle;
            else high = middle - 1;
        }
        const line = Math.floor((y - this.top(low) - this.rowHeight) / LINE_HEIGHT);
        return { row: low, line: Math.min(Math.max(line, -1), this.lines(low) - 1) };
    }
}
