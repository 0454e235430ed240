//! `kymo mcp`: the Model Context Protocol over standard input and output. The official client in
//! Python was tried by hand; these are the messages that it sends.

use std::io::Write;
use std::process::Stdio;

use kymo_testdata::own;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::check_common::kymo;

/// Sends lines to a server that may read the archives of the tests. Returns its answers.
fn answers(lines: &[String]) -> Vec<Value> {
    let mut server = kymo()
        .arg("mcp")
        .arg(own("scorep-recordings"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    input.write_all(lines.join("\n").as_bytes()).unwrap();
    drop(input);
    let output = server.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn request(id: u64, method: &str, parameters: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }).to_string()
}

/// The result of a call of a tool on the recording of MPI.
fn called(name: &str, mut arguments: Value) -> Value {
    let trace = own("scorep-recordings/mpi").to_str().unwrap().to_owned();
    if arguments.get("trace").is_none() && name != "compare" {
        arguments["trace"] = trace.into();
    }
    let parameters = json!({ "name": name, "arguments": arguments });
    answers(&[request(1, "tools/call", parameters)]).remove(0)["result"].take()
}

#[test]
fn requests_of_all_versions_are_answered() {
    let meta = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
    let all = answers(&[
        request(1, "server/discover", meta.clone()),
        request(2, "initialize", json!({ "protocolVersion": "2025-06-18" })),
        request(3, "initialize", json!({ "protocolVersion": "1999-01-01" })),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string(),
        request(4, "tools/list", meta),
        request(5, "ping", json!({})),
    ]);
    let ids: Vec<_> = all.iter().map(|it| it["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5]);
    assert!(all.iter().all(|it| it["result"]["resultType"] == "complete"));
    assert_eq!(all[0]["result"]["supportedVersions"][0], "2026-07-28");
    assert_eq!(all[1]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(all[2]["result"]["protocolVersion"], "2025-11-25");
    let tools = all[3]["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["explain", "waits", "critical_path", "compare", "what_if", "events_in"]);
}

#[test]
fn what_is_no_request_is_refused() {
    let meta = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "1900-01-01" } });
    let lines = [
        "no json".to_owned(),
        "[]".to_owned(),
        "x".repeat(2 << 20),
        request(1, "resources/list", json!({})),
        request(2, "ping", meta),
        request(3, "tools/call", json!({ "name": "rm" })),
        json!({ "jsonrpc": "2.0", "id": 4, "result": {} }).to_string(),
        request(5, "ping", json!({})),
    ];
    let codes: Vec<_> = answers(&lines).iter().map(|it| it["error"]["code"].as_i64()).collect();
    let refused = [-32700, -32600, -32600, -32601, -32022, -32602].map(Some);
    assert_eq!(codes, [&refused[..], &[None]].concat());
}

#[test]
fn tools_answer_as_the_command_does() {
    let trace = own("scorep-recordings/mpi");
    let explained = kymo().args(["explain", "--format", "json", "--top", "3"]).arg(&trace).output().unwrap();
    let explained: Value = serde_json::from_slice(&explained.stdout).unwrap();
    let whole = called("explain", json!({ "top": 3 }));
    assert_eq!(whole["isError"], false);
    assert_eq!(whole["structuredContent"]["findings"], explained["findings"]);
    let text = whole["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), whole["structuredContent"]);
    let waits = called("waits", json!({ "top": 3 }));
    assert_eq!(waits["structuredContent"]["waits"], explained["waits"]);
    assert!(waits["structuredContent"].get("findings").is_none());
    let path = called("critical_path", json!({ "top": 3, "from": "50%", "to": "100%" }));
    assert!(path["structuredContent"]["critical_path"]["length_ns"].as_u64().unwrap() > 0);
    let what_if = called("what_if", json!({ "region": "main", "factor": 0 }));
    assert_eq!(what_if["structuredContent"]["what_if"][0]["region"], "main");
    let both = json!({ "before": trace, "after": own("scorep-recordings/hybrid") });
    let compared = called("compare", both);
    assert_eq!(compared["structuredContent"]["rows"].as_array().unwrap().len(), 50);
    assert!(compared["structuredContent"]["left_out"].as_u64().unwrap() > 0);
}

#[test]
fn events_are_counted_up_to_a_limit() {
    let part = |limit| called("events_in", json!({ "from": "0s", "to": "100%", "limit": limit }));
    let some = part(7);
    assert_eq!(some["structuredContent"]["events"].as_array().unwrap().len(), 7);
    assert_eq!(some["structuredContent"]["is_whole"], false);
    let none = called("events_in", json!({ "from": "0s", "to": "1ns", "location": 0 }));
    assert_eq!(none["structuredContent"]["is_whole"], true);
}

/// A name that leads out of the folder does not help.
#[test]
fn only_traces_below_the_folders_are_read() {
    let scratch = TempDir::new().unwrap();
    let refused = |trace: &str| {
        let result = called("explain", json!({ "trace": trace }));
        assert_eq!(result["isError"], true, "{trace}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let below = own("scorep-recordings/../otf2-samples/every-record");
    for outside in [below.to_str().unwrap(), scratch.path().to_str().unwrap(), "/"] {
        assert!(refused(outside).ends_with("not below a folder that this server may read"), "{outside}");
    }
    assert!(refused("/no/such/trace").contains("No such file"));
    let empty = own("scorep-recordings");
    assert!(!refused(empty.to_str().unwrap()).is_empty());
    let wrong = called("explain", json!({ "depth": 1 }));
    assert_eq!(wrong["content"][0]["text"], "explain has no argument 'depth'");
}
