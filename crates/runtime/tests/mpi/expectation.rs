//! The records of a program, as `expected/NAME.toml` states them.
//!
//! Everything is counted for each rank over all of its threads, except the events inside
//! `MPI_Init`, `MPI_Init_thread` and `MPI_Finalize`, which are the same in each program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use toml::{Table, Value};

use super::counts::{Counts, Rank};
use super::libraries::Library;

/// The events of `MPI_Init` and `MPI_Finalize`: the world and `MPI_COMM_SELF` are created
/// and destroyed.
const AROUND: [&str; 8] = [
    "MPI_COLLECTIVE_BEGIN",
    "COMM_CREATE",
    "COMM_CREATE",
    "MPI_COLLECTIVE_END",
    "MPI_COLLECTIVE_BEGIN",
    "COMM_DESTROY",
    "COMM_DESTROY",
    "MPI_COLLECTIVE_END",
];

pub(super) struct Expectation {
    table: Table,
    pub(super) ranks: u64,
}

impl Expectation {
    pub(super) fn read(name: &str) -> Self {
        let path = folder().join(name).with_extension("toml");
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let table: Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let ranks = table.get("ranks").and_then(Value::as_integer).expect("ranks");
        Self { ranks: ranks.unsigned_abs(), table }
    }

    /// Returns the names of all expectations, sorted.
    pub(super) fn names() -> Vec<String> {
        let files = crate::common::names(&folder());
        let mut names: Vec<_> = files.iter().map(|file| file.trim_end_matches(".toml").to_owned()).collect();
        names.sort_unstable();
        names
    }

    pub(super) fn applies_to(&self, library: Library) -> bool {
        self.text("only").is_none_or(|only| only == library.name())
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.table.get(key).and_then(Value::as_str)
    }

    /// Returns the Fortran bindings to compile the program for; none for a program in C.
    pub(super) fn bindings(&self) -> Vec<i64> {
        self.list("bindings").iter().filter_map(Value::as_integer).collect()
    }

    /// Whether only the behaviour of the program is judged.
    pub(super) fn is_loose(&self) -> bool {
        self.table.get("loose").and_then(Value::as_bool).unwrap_or(false)
    }

    fn list(&self, key: &str) -> &[Value] {
        self.table.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// Returns the differences from the expectation, one line each.
    pub(super) fn differences(&self, found: &Counts) -> Vec<String> {
        let mut lines = Vec::new();
        for on in self.list("on").iter().filter_map(Value::as_table) {
            for number in on["ranks"].as_array().into_iter().flatten().filter_map(Value::as_integer) {
                let rank = found.ranks.get(&number.unsigned_abs()).cloned().unwrap_or_default();
                differences_of_rank(on, number, &rank, &mut lines);
            }
        }
        for number in 0..self.ranks {
            let around = found.ranks.get(&number).map_or(&[][..], |rank| &rank.around);
            if around != AROUND {
                lines.push(format!("rank {number}: {around:?} in MPI_Init and MPI_Finalize"));
            }
        }
        for (key, names) in &found.definitions {
            self.compare_definitions(key, names, &mut lines);
        }
        lines
    }

    fn compare_definitions(&self, key: &str, names: &[String], lines: &mut Vec<String>) {
        let mut expected: Vec<&str> = self.list(key).iter().filter_map(Value::as_str).collect();
        expected.sort_unstable();
        if self.table.contains_key(key) && expected != names {
            lines.push(format!("{key}: expected {expected:?}, found {names:?}"));
        }
        let count = self.table.get(&format!("number of {key}")).and_then(Value::as_integer);
        if count.is_some_and(|count| usize::try_from(count) != Ok(names.len())) {
            lines.push(format!("{key}: expected {count:?}, found {}", names.len()));
        }
    }
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mpi/expected")
}

fn differences_of_rank(on: &Table, number: i64, rank: &Rank, lines: &mut Vec<String>) {
    let one = |counts: &BTreeMap<String, u64>| -> BTreeMap<String, Vec<u64>> {
        counts.iter().map(|(name, &count)| (name.clone(), vec![count])).collect()
    };
    let collectives = rank.collectives.iter().map(|(name, counts)| (name.clone(), counts.to_vec())).collect();
    let all = [
        ("calls", one(&rank.calls)),
        ("events", one(&rank.events)),
        ("bytes", one(&rank.bytes)),
        ("collectives", collectives),
    ];
    for (key, found) in all {
        let Some(expected) = on.get(key).and_then(Value::as_table) else { continue };
        let names: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
        for name in names {
            let found = found.get(name).map_or(&[][..], Vec::as_slice);
            let expected = expected.get(name);
            if !agree(expected, found) {
                lines.push(format!("rank {number}, {key}: {name}: expected {expected:?}, found {found:?}"));
            }
        }
    }
}

/// Compares counts; `"+"` means at least one, and an absent count is 0.
fn agree(expected: Option<&Value>, found: &[u64]) -> bool {
    let numbers = |values: &[Value]| -> Vec<u64> {
        values.iter().filter_map(Value::as_integer).map(i64::unsigned_abs).collect()
    };
    let expected = match expected {
        Some(Value::String(text)) if text == "+" => return found.iter().any(|&count| count > 0),
        Some(Value::Array(values)) => numbers(values),
        Some(value) => numbers(std::slice::from_ref(value)),
        None => Vec::new(),
    };
    let zero = |counts: &[u64]| counts.iter().all(|&count| count == 0);
    expected == found || (zero(&expected) && zero(found))
}
