//! The estimates of sizes are those of libotf2: for every function, under many numbers of
//! definitions.

use crate::common::calls::of_libotf2;
use crate::common::program::Program;
use kymo_otf2::enums::Type;
use kymo_otf2::estimate::Estimator;
use kymo_otf2::events::Event;
use kymo_otf2::field::{FieldInfo, FieldKind};
use kymo_otf2::references::Space;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::HashSet;
use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// The settings that are compared.
const SETTINGS: usize = 300;
/// The functions of the header: 15 numbers of definitions, three other sizes, 79 events, and two to
/// create and delete an estimator.
const FUNCTIONS: usize = 99;

fn spaces() -> impl Iterator<Item = Space> {
    Space::ALL.iter().copied().filter(|space| space.mapping().is_some())
}

/// Returns the numbers of elements to compare: those whose type is one byte all, others up to where
/// the length becomes long.
fn last_count(fields: &[FieldInfo]) -> Option<u64> {
    fields.iter().find_map(|field| match field.kind {
        FieldKind::List { count: FieldKind::U8, .. } => Some(255),
        FieldKind::List { .. } => Some(60),
        _ => None,
    })
}

fn calls() -> String {
    let mut out = "static OTF2_ErrorCode set( OTF2_EventSizeEstimator* estimator, const char* space, \
                   uint64_t number )\n{\n"
        .to_owned();
    spaces().for_each(|space| writeln!(out, "    SET( {} )", space.name()).unwrap());
    out += "    return OTF2_ERROR_INVALID_ARGUMENT;\n}\n";
    out += "static void sizes( OTF2_EventSizeEstimator* estimator )\n{\n";
    for (_, name, fields) in of_libotf2(Event::RECORDS) {
        match last_count(fields) {
            None => writeln!(out, "    SIZE( {name} )").unwrap(),
            Some(last) => writeln!(out, "    SIZES( {name}, {last} )").unwrap(),
        }
    }
    out + "}\n"
}

/// Returns the output that the program must print for the sizes.
fn sizes(estimator: &Estimator) -> String {
    let mut out = format!("DefChunkSize {}\n", estimator.definition_chunk_size());
    writeln!(out, "Timestamp {}", Estimator::TIMESTAMP).unwrap();
    for (id, name, fields) in of_libotf2(Event::RECORDS) {
        for count in 0..=last_count(fields).unwrap_or(0) {
            let size = estimator.event(*id, count).unwrap();
            assert_eq!(estimator.event_named(name, count), Some(size));
            writeln!(out, "{name} {count} {size}").unwrap();
        }
    }
    out
}

/// Generates a number of definitions near the places where sizes change. The chunk size of libotf2
/// overflows for the largest numbers of locations.
fn number(space: Space) -> BoxedStrategy<u64> {
    let any = prop_oneof![0..4_u64, 250..260_u64, 60_000..70_000_u64, 1_600_000..17_000_000_u64];
    match space {
        Space::Location => prop_oneof![2 => any, 1 => 0..u64::MAX / 16].boxed(),
        _ => prop_oneof![2 => any, 1 => 0..=u64::from(u32::MAX), 1 => Just(u64::from(u32::MAX))].boxed(),
    }
}

#[test]
fn every_size_is_that_of_libotf2() {
    let Some(program) = Program::build("tests/estimate/sizes.c", &calls()) else { return };
    assert_eq!(spaces().count() + 3 + of_libotf2(Event::RECORDS).len() + 2, FUNCTIONS);
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[20; 32]));
    let mut any = |strategy: BoxedStrategy<u64>| strategy.new_tree(&mut runner).unwrap().current();
    let (mut script, mut expected) = (String::from("sizes\n"), sizes(&Estimator::new()));
    let mut estimator = Estimator::new();
    let (mut numbered, mut no_locations) = (HashSet::<&str>::new(), false);
    for setting in 0..SETTINGS {
        if setting % 10 == 0 {
            script += "new\n";
            (estimator, numbered, no_locations) = Default::default();
        }
        let space = spaces().nth(any((0..15_u64).boxed()) as usize).unwrap();
        let number = any(number(space));
        // libotf2 ignores some of the numbers that follow a 0 or that a 0 replaces.
        if !numbered.insert(space.name()) && number == 0 || no_locations && space == Space::Location {
            continue;
        }
        no_locations |= space == Space::Location && number == 0;
        estimator.set_definitions(space, number);
        let length = any(prop_oneof![0..5_u64, 0..40_u64, 250..260_u64].boxed());
        let types: Vec<Type> = (0..length).map(|_| Type(any((0..40_u64).boxed()) as u8)).collect();
        let numbers: Vec<String> = types.iter().map(|type_| type_.0.to_string()).collect();
        writeln!(script, "set {} {number}\nlist {}\nsizes", space.name(), numbers.join(" ")).unwrap();
        writeln!(expected, "list {}", estimator.attribute_list(&types)).unwrap();
        expected += &sizes(&estimator);
    }
    let mut child =
        Command::new(program.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let found = String::from_utf8(output.stdout).unwrap();
    for (line, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "line {line}");
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}
