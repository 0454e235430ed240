//! `kymo view`: the server answers its own page only, and tiles have the cells of the trace.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use kymo_testdata::own;
use serde_json::Value;

use crate::check_common::kymo;

/// A running server.
struct Server {
    process: Child,
    /// `127.0.0.1:PORT`.
    host: String,
    token: String,
}

impl Server {
    fn start(archive: &Path) -> Self {
        let mut command = kymo();
        command.args(["view", "--print-url", "--no-open"]).arg(archive).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let rest = address.trim_end().strip_prefix("http://").unwrap().to_owned();
        let (host, token) = rest.split_once('/').unwrap();
        let token = token.trim_end_matches('/');
        assert!(token.len() >= 32 && token.bytes().all(|it| it.is_ascii_hexdigit()), "{address}");
        Self { process, host: host.to_owned(), token: token.to_owned() }
    }

    /// Sends a request, and returns the status and the body.
    fn send(&self, request: &str) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap_or(answer.len());
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        let body = answer.get(end + 4..).unwrap_or_default().to_vec();
        (status, body)
    }

    /// Gets a path with these headers more.
    fn get(&self, path: &str, headers: &str) -> (u16, Vec<u8>) {
        let host = &self.host;
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"))
    }

    fn tile(&self, level: u32, at: u64, block: u64) -> (u16, Vec<u8>) {
        self.get(&format!("/{}/tile?level={level}&at={at}&block={block}", self.token), "")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn requests_without_the_token_get_nothing() {
    let server = Server::start(&own("otf2-samples/python-basic"));
    let (host, token) = (&server.host, &server.token);
    let page = format!("/{token}/");
    assert_eq!(server.get(&page, "").0, 200);
    let other = "0".repeat(token.len());
    for path in
        ["/", "/index.html", "/tile?level=1&at=0&block=0", "//", "/%2e%2e/etc/passwd", "/../../etc/passwd"]
    {
        assert_eq!(server.get(path, "").0, 403, "{path}");
    }
    for token in [&other, &token[1..], &format!("{token}0"), &token.to_uppercase(), ""] {
        let (status, body) = server.get(&format!("/{token}/"), "");
        assert_eq!(status, 403, "{token}");
        assert!(!String::from_utf8_lossy(&body).contains("kymo-data"));
    }
    for origin in ["http://evil.example", "null", "https://127.0.0.1", &format!("http://{host}.evil.example")]
    {
        assert_eq!(server.get(&page, &format!("Origin: {origin}\r\n")).0, 403, "{origin}");
    }
    assert_eq!(server.get(&page, &format!("Origin: http://{host}\r\n")).0, 200);
    for foreign in ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80", ""] {
        let request = format!("GET {page} HTTP/1.1\r\nHost: {foreign}\r\nConnection: close\r\n\r\n");
        assert_eq!(server.send(&request).0, 403, "{foreign}");
    }
    // Without a host at all.
    assert_eq!(server.send(&format!("GET {page} HTTP/1.1\r\nConnection: close\r\n\r\n")).0, 403);
    for (path, status) in
        [("tile", 400), ("tile?level=x", 400), ("tile?level=99&at=0&block=0", 404), ("other", 404)]
    {
        assert_eq!(server.get(&format!("{page}{path}"), "").0, status, "{path}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let head = format!(
            "{method} {page} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        );
        assert_eq!(server.send(&head).0, 405, "{method}");
    }
}

#[test]
fn hostile_requests_end() {
    let server = Server::start(&own("otf2-samples/python-basic"));
    // Heads that are too long, no heads at all, and bodies without end.
    let long = format!("GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n", "a".repeat(1 << 20), server.host);
    let mut stream = TcpStream::connect(&server.host).unwrap();
    let _ = stream.write_all(long.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/1.1 200"));
    assert_ne!(server.send("\u{0}\u{1}\u{2}nonsense\r\n\r\n").0, 200);
}

/// 150 connections of clients that send nothing kept the browser waiting for 40 seconds.
#[test]
fn clients_that_send_nothing_do_not_delay_others() {
    let server = Server::start(&own("otf2-samples/python-basic"));
    // The answer comes before the clients are closed, which a server that waits for them cannot do.
    // A machine can be so busy that it comes after that, but not each time.
    let is_answered_before = || {
        let idle: Vec<_> = (0..200).map(|_| TcpStream::connect(&server.host).unwrap()).collect();
        assert_eq!(server.get(&format!("/{}/", server.token), "").0, 200);
        idle[160..].iter().all(|it| {
            it.set_nonblocking(true).unwrap();
            it.peek(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
        })
    };
    assert!((0..10).any(|_| is_answered_before()));
}

#[test]
fn findings_are_those_of_check() {
    let trace = own("scorep-recordings/hybrid");
    let output = kymo().args(["check", "--json", "--limit", "0"]).arg(&trace).output().unwrap();
    let last = String::from_utf8(output.stdout).unwrap();
    let expected: Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    let server = Server::start(&trace);
    let path = format!("/{}/check", server.token);
    thread::scope(|scope| {
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(|| server.get(&path, ""))).collect();
        for (status, body) in asked.into_iter().map(|it| it.join().unwrap()) {
            let found: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(status, 200);
            assert!(found["locations"].as_u64().unwrap() > 4, "{found}");
            assert_eq!(found["kinds"], expected["summary"]["kinds"]);
        }
    });
    assert_eq!(server.get("/check", "").0, 403);
}

/// The calls that begin in the cells of a level are those of the trace, on each level.
#[test]
fn tiles_have_all_calls() {
    let trace = own("scorep-recordings/hybrid");
    let output = kymo().args(["profile", "--format", "csv"]).arg(&trace).output().unwrap();
    let rows = csv::Reader::from_reader(&output.stdout[..]).into_records();
    let visits: u64 = rows.map(|row| row.unwrap()[1].parse::<u64>().unwrap()).sum();
    let server = Server::start(&trace);
    for level in [1, 2] {
        let (mut calls, mut tiles) = (0, 0);
        for at in 0.. {
            let (status, body) = server.tile(level, at, 0);
            if status == 404 {
                break;
            }
            assert_eq!(status, 200);
            // Contexts, calls, shares and outermost calls of all rows: eight bytes a cell.
            let cells = body.len() / 8;
            let numbers = body[4 * cells..6 * cells].chunks_exact(2);
            calls += numbers.map(|it| u64::from(u16::from_le_bytes(it.try_into().unwrap()))).sum::<u64>();
            tiles += 1;
        }
        assert_eq!(calls, visits, "level {level}, {tiles} tiles");
    }
}

#[test]
fn a_terminal_gets_letters() {
    let output = kymo().args(["view", "--text"]).arg(own("scorep-recordings/hybrid")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let expected = include_str!("golden/view.txt");
    if std::env::var_os("KYMO_UPDATE_GOLDEN").is_some() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/view.txt");
        std::fs::write(golden, &text).unwrap();
        return;
    }
    assert_eq!(text, expected, "KYMO_UPDATE_GOLDEN=1 rewrites it");
}

#[test]
fn mistakes_end_at_once() {
    let view = |arguments: &[&str]| kymo().arg("view").args(arguments).output().unwrap().status.code();
    assert_eq!(view(&["/nonexistent.otf2"]), Some(4));
    assert_eq!(view(&["--text", "--print-url", "x"]), Some(2));
    assert_eq!(view(&["--port", "65536", "x"]), Some(2));
}

/// Chromium zooms in until cells come from the server.
#[test]
fn a_browser_shows_tiles() {
    if !crate::report::has_browser() {
        return;
    }
    let server = Server::start(&own("scorep-recordings/hybrid"));
    let address = format!("http://{}/{}/", server.host, server.token);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../viewer/test/check.mjs");
    let output =
        Command::new("node").arg(script).arg(env!("CARGO_TARGET_TMPDIR")).arg(address).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
    assert!(out.contains("\"check\":\"view\""), "{out}");
}
