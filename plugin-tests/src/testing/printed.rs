//! Events of traces as `otf2-print -A` prints them, compared by meaning: without ids, one sequence per location.
//!
//! A plugin that reads only what the public interface of Score-P tells cannot know everything the built-in tracing writes.
//! An `Allowance` is one such gap: what it covers is taken out of both traces, or written so that only identity counts.

use crate::testing::RecordingFolder;
use flate2::read::GzDecoder;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::Command;

/// What the public interface does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// Names of I/O handles, files and I/O paradigms. Which handle it is must be the same.
    IoNames,
    /// Which threads form a team, and their names.
    Teams,
    /// Names of interrupt generators.
    InterruptGenerators,
    /// Places in the source (`@file:line`) behind the names of calling contexts.
    SourceCodeLocations,
    /// Sizes and addresses that the built-in tracing adds to allocations as attributes.
    MemoryAttributes,
}

const MEMORY_ATTRIBUTES: [&str; 4] =
    ["ALLOCATION_SIZE", "ARGUMENT_ADDRESS", "DEALLOCATION_SIZE", "RESULT_ADDRESS"];

/// Runs `otf2-print -A` on an anchor file; it must succeed and warn of nothing.
pub fn otf2_print(anchor: &Path) -> String {
    let mut command = Command::new("otf2-print");
    let output =
        command.arg("-A").arg(anchor).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success() && stderr.is_empty(), "{command:?}: {}\n{stderr}", output.status);
    let complaint = stdout.lines().find(|line| line.contains("==ERROR==") || line.contains("==WARNING=="));
    assert_eq!(complaint, None, "{command:?}");
    stdout
}

/// What `otf2-print -A` said of the reference trace of a recording.
pub fn reference_print(recording: &RecordingFolder) -> String {
    let path = recording.reference_text();
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    let read = GzDecoder::new(file).read_to_string(&mut text);
    read.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text
}

/// The first differences between the events of two prints, and how many events are equal.
pub fn compare_events(expected: &str, actual: &str, allowances: &[Allowance]) -> Result<usize, String> {
    let [expected, actual] = [expected, actual].map(|text| Events::of(text, allowances).0);
    let mut equal = 0;
    let mut differences = String::new();
    let mut locations: Vec<&String> = expected.keys().chain(actual.keys()).collect();
    locations.sort_unstable();
    locations.dedup();
    for location in locations {
        let [expected, actual] =
            [&expected, &actual].map(|events| events.get(location).map_or(&[][..], Vec::as_slice));
        let same = expected.iter().zip(actual).take_while(|(a, b)| a == b).count();
        equal += same;
        if same < expected.len().max(actual.len()) {
            let [e, a] =
                [expected, actual].map(|events| events.get(same).map_or("(no event)", String::as_str));
            let (n, m) = (expected.len(), actual.len());
            differences +=
                &format!("location {location}, event {same} of {n} expected, {m} found:\n- {e}\n+ {a}\n");
        }
    }
    if differences.is_empty() { Ok(equal) } else { Err(differences) }
}

/// Events as text, by location.
struct Events(BTreeMap<String, Vec<String>>);

impl Events {
    fn of(print: &str, allowances: &[Allowance]) -> Self {
        let (_, events) = print.split_once("=== Events ===").expect("a print with events");
        let mut handles: HashMap<String, HashMap<String, usize>> = HashMap::new();
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut current = String::new();
        for line in events.lines().skip(1) {
            if line.starts_with(' ') && line.contains("ADDITIONAL ATTRIBUTES: ") {
                let list = line.trim_start().trim_start_matches("ADDITIONAL ATTRIBUTES: ");
                let last = found.get_mut(&current).and_then(|events| events.last_mut()).expect("an event");
                last.push_str(&attributes(list, allowances));
            } else if let Some((kind, location, time, body)) = fields(line) {
                current = location.to_owned();
                let body = if allowances.contains(&Allowance::IoNames) && kind.starts_with("IO_") {
                    anonymous(body, handles.entry(current.clone()).or_default())
                } else {
                    body.to_owned()
                };
                let body = normal(&body, allowances);
                found.entry(current.clone()).or_default().push(format!("{time} {kind} {body}"));
            }
        }
        Self(found)
    }
}

/// Kind, location, timestamp and the rest of an event's line.
fn fields(line: &str) -> Option<(&str, &str, &str, &str)> {
    let (kind, rest) = line.split_once(' ')?;
    let (location, rest) = rest.trim_start().split_once(' ')?;
    let rest = rest.trim_start();
    let (time, body) = rest.split_once(' ').unwrap_or((rest, ""));
    time.parse::<u64>().ok()?;
    kind.starts_with(|c: char| c.is_ascii_uppercase()).then_some((kind, location, time, body.trim()))
}

fn attributes(list: &str, allowances: &[Allowance]) -> String {
    let memory = allowances.contains(&Allowance::MemoryAttributes);
    let counts = |attribute: &&str| {
        !memory || !MEMORY_ATTRIBUTES.iter().any(|name| attribute.starts_with(&format!("(\"{name}\"")))
    };
    let mut list: Vec<String> = split_attributes(list).filter(counts).map(without_ids).collect();
    for attribute in &mut list {
        // The replaying process has its own id.
        if attribute.starts_with("(\"ProcessId\"") {
            "(\"ProcessId\"; …)".clone_into(attribute);
        }
    }
    if list.is_empty() { String::new() } else { format!(" | {}", list.join(", ")) }
}

fn split_attributes(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = list;
    std::iter::from_fn(move || {
        let end = rest.find("), (").map_or(rest.len(), |at| at + 1);
        let (first, behind) = rest.split_at(end);
        rest = behind.strip_prefix(", ").unwrap_or("");
        (!first.is_empty()).then_some(first)
    })
}

/// Replaces names of I/O handles by their order of appearance, and takes those of files and paradigms out.
fn anonymous(body: &str, handles: &mut HashMap<String, usize>) -> String {
    let mut text = body.to_owned();
    for label in ["Old Handle: ", "New Handle: ", "Handle: "] {
        let Some((start, end, id)) = reference(&text, label) else { continue };
        let next = handles.len();
        let number = *handles.entry(id).or_insert(next);
        text.replace_range(start..end, &format!("handle {number}"));
    }
    for label in ["I/O Paradigm: ", "File: "] {
        if let Some((start, end, _)) = reference(&text, label) {
            text.replace_range(start..end, "…");
        }
    }
    text
}

/// Where `label`'s `"name" <id>` stands in a text, and its id.
fn reference(text: &str, label: &str) -> Option<(usize, usize, String)> {
    let start = text.find(&format!("{label}\""))? + label.len();
    let open = start + text[start..].find("\" <")? + 3;
    let close = open + text[open..].find('>')?;
    Some((start, close + 1, text[open..close].to_owned()))
}

fn normal(body: &str, allowances: &[Allowance]) -> String {
    let mut text = body.to_owned();
    if allowances.contains(&Allowance::Teams) {
        text = without_team(&text);
    }
    if allowances.contains(&Allowance::InterruptGenerators)
        && let Some((start, end, _)) = reference(&text, "Interrupt Generator: ")
    {
        text.replace_range(start..end, "…");
    }
    if allowances.contains(&Allowance::SourceCodeLocations) {
        text = without_place(&text);
    }
    without_ids(&text)
}

/// Takes `@file:line` off the name of a calling context.
fn without_place(body: &str) -> String {
    let mut text = body.to_owned();
    let Some((start, end, _)) = reference(&text, "Calling Context: ") else { return text };
    let Some(close) = text[start..end].rfind("\" <").map(|at| start + at) else { return text };
    let Some(at) = text[start..close].rfind('@').map(|at| start + at) else { return text };
    if text[at..close].rsplit_once(':').is_some_and(|(_, line)| line.parse::<u32>().is_ok()) {
        text.replace_range(at..close, "");
    }
    text
}

/// Takes out the team, and the name behind the number of a creating thread.
fn without_team(body: &str) -> String {
    let mut text = body.to_owned();
    if let Some((start, end, _)) = reference(&text, "Thread Team: ") {
        text.replace_range(start..end, "…");
    }
    let Some(start) = text.find("Creating Thread: ") else { return text };
    let name = text[start..].find(" (").map(|at| start + at);
    let end = name.and_then(|name| Some(name + text[name..].find(')')? + 1));
    if let (Some(name), Some(end)) = (name, end) {
        text.replace_range(name..end, "");
    }
    text
}

/// Takes every ` <number>` out.
fn without_ids(text: &str) -> String {
    let mut rest = text;
    let mut result = String::with_capacity(text.len());
    while let Some(at) = rest.find(" <") {
        let (before, behind) = rest.split_at(at);
        result.push_str(before);
        let digits = behind[2..].find(|c: char| !c.is_ascii_digit()).map_or(behind.len(), |n| n + 2);
        let id = digits > 2 && behind[digits..].starts_with('>');
        let taken = if id { digits + 1 } else { 2 };
        if !id {
            result.push_str(" <");
        }
        rest = &behind[taken..];
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "=== Events ====\nEvent  Location  Timestamp  Attributes\n-----\n";

    fn print(events: &str) -> String {
        format!("{HEAD}{events}")
    }

    #[test]
    fn ids_do_not_count_but_names_and_times_do() {
        let expected = print("ENTER    0   17  Region: \"work\" <3>\n");
        assert_eq!(compare_events(&expected, &print("ENTER 0 17  Region: \"work\" <9>\n"), &[]), Ok(1));
        assert!(compare_events(&expected, &print("ENTER 0 17  Region: \"rest\" <3>\n"), &[]).is_err());
        assert!(compare_events(&expected, &print("ENTER 0 18  Region: \"work\" <3>\n"), &[]).is_err());
        assert!(compare_events(&expected, &print("ENTER 1 17  Region: \"work\" <3>\n"), &[]).is_err());
        assert!(compare_events(&expected, HEAD, &[]).is_err());
    }

    #[test]
    fn only_memory_attributes_are_allowed_to_lack() {
        let line = "ENTER 0 17  Region: \"malloc\" <3>\n";
        let with = |list: &str| print(&format!("{line}      ADDITIONAL ATTRIBUTES: {list}\n"));
        let expected = with("(\"ALLOCATION_SIZE\" <1>; UINT64; 1000)");
        assert!(compare_events(&expected, &print(line), &[]).is_err());
        assert_eq!(compare_events(&expected, &print(line), &[Allowance::MemoryAttributes]), Ok(1));
        let other = with("(\"ALLOCATION_SIZE\" <1>; UINT64; 1000), (\"Offset\" <2>; UINT64; 3)");
        assert!(compare_events(&other, &print(line), &[Allowance::MemoryAttributes]).is_err());
    }

    #[test]
    fn io_handles_keep_their_identity() {
        let two = |a: u32, b: u32| {
            print(&format!(
                "IO_SEEK 0 17  Handle: \"x\" <{a}>, W: 1\nIO_SEEK 0 18  Handle: \"x\" <{b}>, W: 1\n"
            ))
        };
        assert_eq!(compare_events(&two(1, 2), &two(7, 5), &[Allowance::IoNames]), Ok(2));
        assert!(compare_events(&two(1, 2), &two(7, 7), &[Allowance::IoNames]).is_err());
    }

    #[test]
    fn only_the_place_of_a_calling_context_is_allowed_to_lack() {
        let named =
            |name: &str| print(&format!("S 0 1  Calling Context: \"{name}\" <4>, Unwind Distance: 6\n"));
        let place = &[Allowance::SourceCodeLocations];
        assert_eq!(compare_events(&named("leaf@a.c:5"), &named("leaf"), place), Ok(1));
        assert!(compare_events(&named("leaf@a.c:5"), &named("leaf"), &[]).is_err());
        assert!(compare_events(&named("leaf@a.c:5"), &named("root"), place).is_err());
        assert!(compare_events(&named("leaf@V1"), &named("leaf"), place).is_err());
    }

    #[test]
    fn teams_and_generators_are_allowed_to_be_unknown() {
        let known = print(
            "THREAD_TASK_CREATE 0 1  Thread Team: \"\" <1>, Creating Thread: 1 (\"OMP thread 1\" <4>), G: 1\n",
        );
        let unknown =
            print("THREAD_TASK_CREATE 0 1  Thread Team: \"\" <2>, Creating Thread: 1 (INVALID), G: 1\n");
        let other =
            print("THREAD_TASK_CREATE 0 1  Thread Team: \"\" <2>, Creating Thread: 2 (INVALID), G: 1\n");
        assert!(compare_events(&known, &unknown, &[]).is_err());
        assert_eq!(compare_events(&known, &unknown, &[Allowance::Teams]), Ok(1));
        assert!(compare_events(&known, &other, &[Allowance::Teams]).is_err());
        let [a, b] =
            ["timer", ""].map(|name| print(&format!("S 0 1  Interrupt Generator: \"{name}\" <0>\n")));
        assert_eq!(compare_events(&a, &b, &[Allowance::InterruptGenerators]), Ok(1));
    }
}
