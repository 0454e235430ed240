//! Compares the bindings with the header as a C compiler (`cc`, or the one named by `CC`)
//! interprets it.
//!
//! If `SCOREP_INCLUDE` is set to the include folder of an installed Score-P (the parent of
//! `scorep/`), the same program is also built with its headers and must print the same numbers,
//! except for those that the release lacks. CI has no Score-P and skips this.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const BINDINGS: &str = include_str!("../bindings.rs");

/// The lines of the C program, by their text without the numbers.
type Facts = BTreeMap<String, Vec<i64>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The name, type and value of each constant in the bindings. C prints two 64-bit patterns as
/// signed numbers.
fn constants() -> impl Iterator<Item = (&'static str, &'static str, i64)> {
    BINDINGS.split("pub const ").skip(1).map(|text| {
        let (name, rest) = text.split_once(':').expect("a constant has a type");
        let (kind, rest) = rest.split_once('=').expect("a constant has a value");
        let value: i128 = rest.split_once(';').expect("it ends").0.trim().parse().expect("a number");
        (name, kind.trim(), value as i64)
    })
}

/// The names of a structure's members, in order.
fn members(structure: &str) -> Vec<&'static str> {
    let (_, body) = BINDINGS.split_once(&format!("pub struct {structure} {{")).expect("the structure");
    let (body, _) = body.split_once("\n}").expect("it ends");
    let members = body.lines().filter_map(|line| line.strip_prefix("    pub "));
    members.map(|line| line.split_once(':').expect("a member has a type").0).collect()
}

/// The names of the enumerations, handles and scalars.
fn types() -> Vec<&'static str> {
    let aliases = BINDINGS.lines().filter_map(|line| line.strip_prefix("pub type ")?.split_once(" = "));
    let plain =
        aliases.filter(|(name, is)| !is.contains("::option::") && !is.contains('*') && *name != "FILE");
    plain.map(|(name, _)| name).collect()
}

/// The contents of the bindings, in the form of the C program's lines.
fn expected() -> Facts {
    use kymo_substrate::bindings::{SCOREP_SubstratePluginCallbacks, SCOREP_SubstratePluginInfo};
    let mut facts = Facts::new();
    for (name, _, value) in constants() {
        facts.insert(format!("constant {name}"), vec![value]);
    }
    for (structure, undeclared, size) in [
        ("SCOREP_SubstratePluginInfo", 99, size_of::<SCOREP_SubstratePluginInfo>()),
        ("SCOREP_SubstratePluginCallbacks", 1, size_of::<SCOREP_SubstratePluginCallbacks>()),
    ] {
        // Offsets are asserted by the crate itself. In C, they are those of an array of pointers.
        for (index, member) in members(structure).into_iter().enumerate() {
            let size = match member {
                "plugin_version" => 4,
                "undeclared" => 8 * undeclared,
                _ => 8,
            };
            facts.insert(format!("member {structure}.{member}"), vec![8 * index as i64, size]);
        }
        facts.insert(format!("structure {structure}"), vec![size as i64]);
    }
    for name in types() {
        let (size, signed) = match name {
            "SCOREP_ExitStatus" => (8, 1),
            "SCOREP_MpiRequestId" => (8, 0),
            "SCOREP_MpiRank" => (4, 1),
            _ => (4, 0),
        };
        facts.insert(format!("type {name}"), vec![size, signed]);
    }
    facts
}

/// The part of the C program that is generated from the bindings. `given` returns whether the
/// headers have a name.
fn program(given: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    for (name, _, _) in constants().filter(|constant| given(constant.0)) {
        text += &format!("CONSTANT( {name} )\n");
    }
    for structure in ["SCOREP_SubstratePluginInfo", "SCOREP_SubstratePluginCallbacks"] {
        for member in members(structure) {
            text += &format!("MEMBER( {structure}, {member} )\n");
        }
    }
    for name in types().into_iter().filter(|name| given(name)) {
        text += &format!("TYPE( {name} )\n");
    }
    text
}

/// Compiles and runs the C program, and parses its output.
fn print(name: &str, facts: &str, options: &[&OsStr]) -> Facts {
    let folder = kymo_testdata::process_folder(name);
    let facts_file = folder.join("facts.h");
    fs::write(&facts_file, facts).expect("the facts");
    let program = folder.join("layout");
    kymo_testdata::succeed(
        kymo_testdata::compiler("CC", "cc")
            .arg(root().join("src/substrate/tests/layout.c"))
            .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-o"])
            .arg(&program)
            .arg(format!("-DFACTS=\"{}\"", facts_file.display()))
            .args(options),
    );
    let output = kymo_testdata::succeed(&mut Command::new(program)).stdout;
    let lines = String::from_utf8(output).expect("text");
    lines.lines().map(fact).collect()
}

fn fact(line: &str) -> (String, Vec<i64>) {
    let mut words = line.split(' ');
    let name = format!("{} {}", words.next().expect("a kind"), words.next().expect("a name"));
    (name, words.map(|word| word.parse().expect("a number")).collect())
}

#[test]
fn bindings_and_header_agree_in_c() {
    let include = root().join("include");
    let options = ["-pedantic".as_ref(), "-I".as_ref(), include.as_os_str()];
    let printed = print("own", &program(|_| true), &options);
    assert_eq!(printed, expected());
    assert!(printed.len() > 500, "only {} facts", printed.len());
}

#[test]
fn header_is_cpp() {
    kymo_testdata::succeed(
        kymo_testdata::compiler("CXX", "c++")
            .args(["-x", "c++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"])
            .arg(root().join("include"))
            .arg(root().join("wrapper.h")),
    );
}

#[test]
fn bindings_agree_with_an_installed_scorep() {
    let Some(include) = env::var_os("SCOREP_INCLUDE") else {
        eprintln!("NOT TESTED against an installed Score-P (SCOREP_INCLUDE is not set)");
        return;
    };
    let headers: String = fs::read_dir(Path::new(&include).join("scorep"))
        .expect("SCOREP_INCLUDE contains a folder scorep")
        .filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok())
        .collect();
    let words: std::collections::BTreeSet<_> =
        headers.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let options = ["-DSCOREP_HEADERS".as_ref(), "-I".as_ref(), include.as_os_str()];
    let mut printed = print("scorep", &program(|name| words.contains(name)), &options);

    // Differences between releases: end markers and counts, and the two events that were swapped in
    // 8.0.
    let moves = |fact: &str| {
        let name = fact.trim_start_matches("constant ");
        matches!(
            name,
            "SCOREP_INVALID_PARADIGM_TYPE"
                | "SCOREP_INVALID_REGION_TYPE"
                | "SCOREP_SUBSTRATES_NUM_EVENTS"
                | "SCOREP_SUBSTRATE_PLUGIN_VERSION"
                | "SCOREP_EVENT_IO_TRY_LOCK"
                | "SCOREP_EVENT_IO_RELEASE_LOCK"
        )
    };
    printed.retain(|fact, _| !moves(fact));
    let mut expected = expected();
    expected.retain(|fact, _| printed.contains_key(fact));
    assert_eq!(printed, expected);
    assert!(printed.len() > 400, "only {} facts", printed.len());
}
