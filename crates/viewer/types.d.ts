// Types that modules share. The data of a page (`Pack`) are described in README.md.

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** The data of a page. Times are in nanoseconds since the start of the trace. */
interface Pack {
    version: number;
    generator: string;
    trace: {
        name: string;
        /** The command line of the program that began first. */
        command?: string | null;
        date: string | null;
        length: number;
        events: number;
        lost: number;
        locations: number;
        processes: number;
        nodes: number;
    };
    /** Names of classes of regions. */
    classes: string[];
    regions: Region[];
    /** Rows in the order in which they are drawn. */
    rows: Row[];
    groups: { name: string; members: number }[];
    /** Finest first; each next level has a quarter of the buckets. */
    levels: Level[];
    /** How a server divides what is below the levels; null for a page without a server. */
    tiles: TileForm | null;
    /** Calling contexts, parents before children. */
    contexts: { class: Numbers; region: Numbers; parent: Numbers };
    slices: Slices;
    /** Times of the strip of the whole trace if samples make them differ from the slices. */
    strip: Strip | null;
    /** The time in no call by slice and group, if samples make it known, and its name. */
    outside?: Numbers | null;
    outsideName: string;
    messages: Messages;
    waits: Waits;
    path: Path;
    matrix: Matrix;
    metrics: Metric[];
    spread: Spread[];
    /** The object of `kymo stats --format json`. */
    stats: any;
    /** The summary of `kymo check --json`. */
    check: any;
    /** What was merged or left out. */
    notes: string[];
}

interface Region {
    name: string;
    class: number;
    file: string;
    line: number;
}

interface Row {
    name: string;
    kind: string;
    location: string;
    process: string;
    /** What distinguishes the process, for people. */
    label?: string;
    /** The times of the first and the last event. */
    life?: [number, number] | null;
    node: string;
    members: number;
    group: number;
}

/** Arrays have a value for each bucket of each row, row after row. */
interface Level {
    buckets: number;
    width: number;
    /** The context with most time; NO_CONTEXT outside all calls. */
    context: Numbers;
    /** The region of the context, which the page adds. */
    region: Numbers;
    /** The part of the bucket that the region takes, 0 to 255. */
    share: Numbers;
    calls: Numbers;
    /** The number of calls around the outermost call that begins; 255 if none does. */
    outermost: Numbers;
    /** The first bucket and row of a part of a level; 0 if absent. */
    start?: number;
    top?: number;
}

/** Levels below the finest one of the page, and the buckets and rows of a tile. */
interface TileForm {
    levels: number;
    buckets: number;
    rows: number;
}

/** Sums by group and context; those of slice `s` are at `start[s]` to `start[s + 1]`. */
interface Slices {
    count: number;
    width: number;
    start: Numbers;
    group: Numbers;
    context: Numbers;
    exclusive: Numbers;
    visits: Numbers;
}

/** Times by the contexts that stand for regions, in the slices of the sums. */
interface Strip {
    start: Numbers;
    context: Numbers;
    exclusive: Numbers;
}

interface MessageList {
    source: Numbers;
    destination: Numbers;
    send: Numbers;
    receive: Numbers;
    bytes: Numbers;
}

interface Messages {
    /** Null if there are too many. */
    list: MessageList | null;
    count: number;
    density: { buckets: number; width: number; count: Numbers; bytes: Numbers };
}

/** The longest wait states, by their begins: the row that waits, the one that it waits for (65535 if that is not known, or has no row), and the reason, a place in `names`. */
interface Waits {
    names: string[];
    row: Numbers;
    cause: Numbers;
    kind: Numbers;
    start: Numbers;
    end: Numbers;
}

/** The critical path, which begins at a time: the rows that it is on (65535 for none), and when it leaves them. If it changes too often, the row is where it is longest in slices of this length. */
interface Path {
    begin: number;
    row: Numbers;
    end: Numbers;
    slice: number | null;
}

interface Matrix {
    names: string[];
    from: Numbers;
    to: Numbers;
    count: Numbers;
    bytes: Numbers;
    wait: Numbers;
}

/** Values by bucket, over the locations that have some; NaN for none. */
interface Metric {
    name: string;
    unit: string;
    mode: string;
    width: number;
    min: Numbers;
    mean: Numbers;
    max: Numbers;
}

interface Spread {
    region: number;
    mean: number;
    longest: number;
    location: string;
}

/** What is selected. A region of -1 is none. */
interface State {
    from: number;
    to: number;
    first: number;
    last: number;
    region: number;
    /** The rows that are unfolded, separated by commas. */
    open: string;
    view: string;
}

/** Sums by calling context; `total` includes the contexts below. */
interface ContextSums {
    exclusive: Float64Array;
    visits: Float64Array;
    total: Float64Array;
}

interface Sums {
    visits: number;
    exclusive: number;
    inclusive: number;
}

type App = import("./src/main.js").App;
type TraceSelection = import("./src/selection.js").TraceSelection;
type Colours = import("./src/colours.js").Colours;
/** Red, green and blue, 0 to 255. */
type Colour = [number, number, number];
/** What a number is, which decides its unit. */
type Kind = "time" | "bytes" | "count" | "share" | "rate" | "number" | "factor";
/** A name and its value. */
type Line = [string, string];
/** A point in pixels of the style sheet. */
type Point = { x: number; y: number };
/** A row, one of its lines (-1 is the row itself), and a time. */
type Place = { row: number; line?: number; time: number };
type Drag = { from: Point; to: Point; withRows: boolean };

/** A part of the page below the time line. */
interface View {
    name: string;
    title: string;
    root: HTMLElement;
    update: () => void;
    /** Leaves what the view has zoomed into; returns whether there was something. */
    escape?: () => boolean;
}

/** A column of a table: of numbers if it has a kind, of text otherwise. */
interface Column<Item> {
    name: string;
    title?: string;
    kind?: Kind;
    value: (item: Item) => any;
    cell?: (item: Item) => Node | string;
    /** The length of a bar, as a part of 1. */
    part?: (item: Item) => number;
    colour?: (item: Item) => string;
}
