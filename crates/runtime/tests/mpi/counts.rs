//! The records of an archive, counted for each rank, as `otf2-print` prints them.

use std::collections::{BTreeMap, HashMap, HashSet};

/// Regions whose events are kept apart.
const AROUND: [&str; 3] = ["MPI_Init", "MPI_Init_thread", "MPI_Finalize"];

/// The counts of a rank.
#[derive(Clone, Debug, Default)]
pub(super) struct Rank {
    /// How often each MPI region was entered.
    pub(super) calls: BTreeMap<String, u64>,
    /// The number of records of each kind.
    pub(super) events: BTreeMap<String, u64>,
    /// The sums of bytes of each kind that has any.
    pub(super) bytes: BTreeMap<String, u64>,
    /// Number, bytes sent and bytes received of each collective operation.
    pub(super) collectives: BTreeMap<String, [u64; 3]>,
    /// The events inside `MPI_Init` and `MPI_Finalize`.
    pub(super) around: Vec<String>,
}

/// The counts of an archive.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) ranks: BTreeMap<u64, Rank>,
    /// Communicators, windows, topologies and coordinates, sorted.
    pub(super) definitions: BTreeMap<&'static str, Vec<String>>,
}

impl Counts {
    /// Counts the records that `otf2-print -A` printed.
    pub(super) fn of(print: &str) -> Self {
        let (definitions, events) = print.split_once("=== Events").unwrap_or((print, ""));
        let mut counts = Self { definitions: defined(definitions), ..Self::default() };
        let mut around = HashSet::new();
        for (kind, location, rest) in events.lines().filter_map(event) {
            let rank = counts.ranks.entry(location & u64::from(u32::MAX)).or_default();
            match kind {
                "ENTER" | "LEAVE" => {
                    let region = quoted(rest, "Region: ").unwrap_or_default();
                    if AROUND.contains(&region) {
                        if kind == "ENTER" {
                            around.insert(location)
                        } else {
                            around.remove(&location)
                        };
                    } else if kind == "ENTER" && region.starts_with("MPI_") {
                        *rank.calls.entry(region.to_owned()).or_default() += 1;
                    }
                }
                _ if !is_of_mpi(kind) => {}
                _ if around.contains(&location) => rank.around.push(kind.to_owned()),
                _ => rank.add(kind, rest),
            }
        }
        counts
    }
}

impl Rank {
    fn add(&mut self, kind: &str, rest: &str) {
        *self.events.entry(kind.to_owned()).or_default() += 1;
        let [sent, received] = ["Sent: ", "Received: "].map(|label| number(rest, label).unwrap_or(0));
        if let Some(operation) = after(rest, "Operation: ") {
            let name = operation.split(',').next().unwrap_or_default();
            let counts = self.collectives.entry(name.to_owned()).or_default();
            *counts = [counts[0] + 1, counts[1] + sent, counts[2] + received];
            return;
        }
        let one = ["Length: ", "Bytes Request: ", "Bytes Result: ", "Bytes: "];
        let bytes = one.iter().find_map(|label| number(rest, label)).unwrap_or(sent + received);
        if bytes > 0 {
            *self.bytes.entry(kind.to_owned()).or_default() += bytes;
        }
    }
}

fn is_of_mpi(kind: &str) -> bool {
    ["MPI_", "NON_BLOCKING_", "COMM_", "RMA_", "IO_"].iter().any(|start| kind.starts_with(start))
}

/// Splits an event into kind, location and the rest.
fn event(line: &str) -> Option<(&str, u64, &str)> {
    let (kind, rest) = line.split_once(' ')?;
    let (location, rest) = rest.trim_start().split_once(' ')?;
    let (time, rest) = rest.trim_start().split_once(' ').unwrap_or((rest.trim(), ""));
    time.parse::<u64>().ok()?;
    Some((kind, location.parse().ok()?, rest))
}

fn after<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    text.split_once(label).map(|(_, rest)| rest)
}

fn number(text: &str, label: &str) -> Option<u64> {
    let rest = after(text, label)?;
    rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
}

fn quoted<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    after(text, label)?.strip_prefix('"')?.split('"').next()
}

/// Describes communicators as `NAME MEMBERS in PARENT`, everything else by its name.
fn defined(print: &str) -> BTreeMap<&'static str, Vec<String>> {
    let of_kind = |kind: &'static str| print.lines().filter(move |line| line.split(' ').next() == Some(kind));
    let name =
        |line: &str| quoted(line, "ame: ").or(quoted(line, "Topology: ")).unwrap_or_default().to_owned();
    let names = |kind| -> Vec<String> { of_kind(kind).map(name).collect() };
    let groups = of_kind("GROUP").filter_map(group).collect();
    let communicators = of_kind("COMM").chain(of_kind("INTER_COMM"));
    let all = [
        ("communicators", communicators.filter_map(|line| communicator(line, &groups)).collect()),
        ("windows", names("RMA_WIN")),
        ("topologies", names("CART_TOPOLOGY")),
        ("coordinates", names("CART_COORDINATE")),
    ];
    let sorted = all.map(|(kind, mut names): (_, Vec<String>)| {
        names.sort_unstable();
        (kind, names)
    });
    sorted.into()
}

/// Returns the id of a group of MPI, and the number of its members or `self`.
fn group(line: &str) -> Option<(u64, String)> {
    let id = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    let members = line.split(", ").find_map(|part| part.split_once(" Member"))?.0;
    let members = if line.contains("Type: COMM_SELF") { "self" } else { members };
    line.contains("Paradigm: \"MPI\"").then(|| (id, members.to_owned()))
}

fn communicator(line: &str, groups: &HashMap<u64, String>) -> Option<String> {
    let ids = line.split("Group").skip(1).filter_map(|rest| number(rest, "<"));
    let mut members: Vec<&String> = ids.filter_map(|id| groups.get(&id)).collect();
    members.sort_unstable();
    let members: Vec<&str> = members.into_iter().map(String::as_str).collect();
    let known = |name: &str| if name.is_empty() { "_".to_owned() } else { name.to_owned() };
    let parent = quoted(line, "Parent: ").or(quoted(line, "Common Communicator: "));
    let parent = parent.map_or(String::new(), |name| format!(" in {}", known(name)));
    let name = known(quoted(line, "ame: ")?);
    (!members.is_empty()).then(|| format!("{name} {}{parent}", members.join("+")))
}
