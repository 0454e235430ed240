//! `kymo estimate` gives the answers of otf2-estimator.

use std::fs::File;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use kymo_otf2::enums::{MappingType, Type};
use kymo_otf2::events::Event;
use kymo_otf2::mappings::space_of;
use kymo_otf2::references::Space;

use crate::check_common::kymo;

/// Returns the output of a program for a script.
fn answers(mut command: Command, script: &[u8]) -> Output {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let (mut input, script) = (child.stdin.take().unwrap(), script.to_vec());
    // A program that ends early closes the pipe.
    let writer = std::thread::spawn(move || drop(input.write_all(&script)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn ours(script: &[u8]) -> Output {
    let mut command = kymo();
    command.arg("estimate");
    answers(command, script)
}

/// Returns `None`, and reports it, if otf2-estimator is not installed.
fn theirs(script: &[u8]) -> Option<Output> {
    if !kymo_testdata::is_installed("otf2-estimator") {
        return None;
    }
    let mut command = Command::new("timeout");
    command.args(["300", "otf2-estimator"]);
    Some(answers(command, script))
}

/// Events of OTF2 3.2, which Debian's otf2-estimator does not have.
const NEWER: [&str; 4] = ["MpiProbe", "MpiMrecv", "MpiImrecvRequest", "MpiImrecv"];

/// The names of the events that otf2-estimator has.
fn events() -> Vec<&'static str> {
    Event::RECORDS.iter().map(|(_, name, _)| *name).filter(|name| !NEWER.contains(name)).collect()
}

/// Asserts that both programs print the same, and both or neither report a mistake.
#[track_caller]
fn same(script: &[u8]) {
    let Some(expected) = theirs(script) else { return };
    let ours = ours(script);
    let [text, wanted] = [&ours.stdout, &expected.stdout].map(|it| String::from_utf8_lossy(it).into_owned());
    let text: Vec<&str> = text.lines().filter(|line| !NEWER.contains(line)).collect();
    for (line, (text, wanted)) in text.iter().copied().zip(wanted.lines()).enumerate() {
        assert_eq!(text, wanted, "line {line}");
    }
    assert_eq!(text.len(), wanted.lines().count(), "{}", script.escape_ascii());
    let message = String::from_utf8_lossy(&expected.stderr).replace("otf2-estimator: ", "kymo: ");
    let message = message.replace("'otf2-estimator --help'", "'kymo estimate --help'");
    // Nothing that was typed controls the terminal.
    let message = message.replace('\r', r"\r").replace('\0', r"\u{0}").replace('\t', r"\t");
    assert_eq!(String::from_utf8_lossy(&ours.stderr), message, "{}", script.escape_ascii());
    let status = if expected.status.success() { 0 } else { 2 };
    assert_eq!(ours.status.code(), Some(status), "{}", script.escape_ascii());
}

#[test]
fn lists_and_sizes_are_those_of_otf2_estimator() {
    same(b"list definitions\nlist events\nlist types\n");
    let mut script = String::new();
    for name in events() {
        script += &format!("get {name} 3\n");
    }
    same(script.as_bytes());
}

#[test]
fn words_numbers_and_mistakes_are_read_as_otf2_estimator_reads_them() {
    for line in [
        "",
        " \t ",
        "exit",
        "exit now",
        "list",
        "list Events",
        "list events x",
        "get",
        "get ",
        "get  Enter  ",
        "\tget\tEnter\tx",
        "get Enter\r",
        "get enter",
        "get Metric",
        "get Metric -1",
        "get Metric 300",
        "get Metric 4x",
        "get Metric 010",
        "get ProgramBegin",
        "get ProgramBegin 0x10",
        "get ProgramBegin 99",
        "get ProgramBegin -1",
        "get ThreadFork 3",
        "get DefChunkSize 7",
        "get Timestamp x",
        "get AttributeList",
        "get AttributeList NONE",
        "get AttributeList NONE UINT8  REGION",
        "get AttributeList uint8",
        "get AttributeList FOO UINT8",
        "set",
        "set Region",
        "set region 4",
        "set Region x",
        "set Region 4 5",
        "set Region -1",
        "set Region 4294967296",
        "set Region 99999999999999999999",
        "set Location 100000000",
        "set Location -5",
        "set IoParadigm 3",
        "set Comm 0",
        "unknown",
        "# comment",
        "GET Enter",
        "\u{fc}ber",
        "get \u{e4}",
    ] {
        same(
            format!("get Enter\n{line}\nget Enter\nget DefChunkSize\nget MpiSend\nget ThreadCreate\n")
                .as_bytes(),
        );
        // Without the end of the line.
        same(line.as_bytes());
    }
    same(b"get Enter\0x\n");
    same(b"get Enter \xff\xfe\n");
}

#[test]
fn random_scripts_have_the_answers_of_otf2_estimator() {
    let mut state = 20_u64;
    let events = events();
    let spaces: Vec<_> = MappingType::VALUES.iter().filter_map(|&it| space_of(it)).collect();
    let mut any = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut script = String::new();
    for _ in 0..3000 {
        script += &match any(3) {
            0 => {
                let space = spaces[any(spaces.len())];
                let number = [0, 1, 2, 255, 256, 257, 65_536, 65_537, 1 << 24, u32::MAX as usize][any(10)];
                // With 0, otf2-estimator mixes the old and the new number of these.
                let is_mixed = matches!(space, Space::Location | Space::Region | Space::Metric);
                format!("set {} {}\n", space.name(), number.max(is_mixed.into()))
            }
            1 => {
                let types = Type::VALUES;
                let list: Vec<_> = (0..any(40)).map(|_| types[any(types.len())].name().unwrap()).collect();
                format!("get AttributeList {}\nget DefChunkSize\n", list.join(" "))
            }
            _ => format!("get {} {}\n", events[any(events.len())], any(300)),
        };
    }
    same(script.as_bytes());
}

/// The size of that group overflows in otf2-estimator, which answers 262144.
#[test]
fn no_chunk_can_contain_a_group_of_all_locations() {
    let output = ours(b"set Location 2049638230412172402\nget DefChunkSize\n");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b"DefChunkSize 0\n"[..]));
}

/// In otf2-estimator, they take one byte from then on.
#[test]
fn references_to_locations_have_their_full_size_after_a_number_of_0() {
    let output =
        ours(b"set Location 0\nget AttributeList LOCATION\nset Location 5\nget AttributeList LOCATION\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "AttributeList LOCATION 11\nAttributeList LOCATION 19\n"
    );
}

/// otf2-estimator ends as after an empty input.
#[test]
fn an_input_that_cannot_be_read_is_an_error() {
    let output = kymo().arg("estimate").stdin(File::open(".").unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("kymo: standard input: "), "{output:?}");
}

/// The answers are needed before the next question is asked.
#[test]
fn every_answer_is_given_at_once() {
    use std::io::{BufRead, BufReader};
    let mut command = kymo();
    let mut child = command.arg("estimate").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut line = String::new();
    for number in 1..4 {
        writeln!(input, "set Region {}\nget Enter", 1 << (8 * number)).unwrap();
        line.clear();
        output.read_line(&mut line).unwrap();
        assert_eq!(line, format!("Enter {}\n", number + 2));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}
