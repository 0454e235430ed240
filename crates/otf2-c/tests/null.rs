//! Every function of the headers is called with zeros for all arguments: it answers, and as
//! libotf2 does.

use crate::common::{compile, libraries};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the functions that the headers declare, with the types that they return.
fn functions() -> BTreeMap<String, String> {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/otf2");
    let mut functions = BTreeMap::new();
    for entry in fs::read_dir(headers).expect("the headers") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("a header");
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            // A declaration has its type on a line of its own.
            if let Some((name, _)) = pair[1].split_once('(')
                && name.starts_with("OTF2_")
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                && !pair[0].is_empty()
                && !pair[0].starts_with([' ', '*', '/', '#', '}'])
                && !pair[0].contains("static")
            {
                functions.insert(name.to_owned(), pair[0].trim().to_owned());
            }
        }
    }
    functions
}

/// Returns the answers of a library by the names of its functions; `None` if it cannot be loaded.
fn answers(program: &Path, library: &Path, names: &str) -> Option<BTreeMap<String, String>> {
    let mut child = Command::new(program)
        .arg(library)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    // A program that could not load the library does not read them.
    let _ = child.stdin.take().expect("a pipe").write_all(names.as_bytes());
    let output = child.wait_with_output().expect("the program");
    if output.status.code() == Some(2) {
        return None;
    }
    assert!(output.status.success(), "{}", output.status);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answer = |line: &str| line.split_once(' ').map(|(name, answer)| (name.to_owned(), answer.to_owned()));
    Some(text.lines().filter_map(answer).collect())
}

#[test]
fn every_function_answers_without_arguments() {
    let functions = functions();
    assert!(functions.len() >= 921 + 6 + 18, "{} functions", functions.len());
    let names: String = functions.keys().map(|name| format!("{name}\n")).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile("null.c", folder.path());
    let ours = answers(&program, &libraries().join("libkymo_otf2_c.so"), &names).expect("our library");
    for name in functions.keys() {
        let answer = &ours[name];
        assert!(answer.parse::<i32>().is_ok(), "{name} {answer}");
    }
    let Some(theirs) = answers(&program, Path::new("libopen-trace-format2.so.10"), &names) else {
        return kymo_testdata::missing(kymo_testdata::LIBOTF2);
    };
    // Debian's library is that of OTF2 3.0.
    let codes = functions.iter().filter(|(_, result)| *result == "OTF2_ErrorCode").map(|(name, _)| name);
    for name in codes.filter(|name| theirs[*name] != "is missing") {
        assert_eq!(ours[name], theirs[name], "{name}");
    }
}
